"""Every fact in the files beside the sheets of `games/` is verified, one by one."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis.evidence import Stopped
from ggp.facts import Instance, check, read_facts
from ggp.facts.file import facts_of
from ggp.show.junit import said
from tests.conftest import GAMES
from tests.facts import instances, is_big
from tests.golden_reports import SHEETS, kept_findings

ALL = instances()
SMALL_OR_SLOW = [
    pytest.param(i, marks=[pytest.mark.slow] if is_big(i) else [], id=i.label) for i in ALL
]


def test_every_sheet_has_its_facts() -> None:
    sheets = sorted(GAMES.rglob("*.kif*"))
    assert len(ALL) > len(sheets) > 30
    assert {instance.sheet for instance in ALL} == set(sheets)
    assert all(not read_facts(facts_of(sheet)).faults for sheet in sheets)


@pytest.mark.parametrize("instance", ALL, ids=lambda instance: instance.label)
def test_every_fact_has_a_source(instance: Instance) -> None:
    assert not instance.faults
    assert instance.facts.keys() == instance.sources.keys()


@pytest.mark.parametrize("instance", SMALL_OR_SLOW)
def test_facts(instance: Instance) -> None:
    report = check(instance)
    assert [f"{v.fact}: {said(v)}" for v in report.verdicts if v.status != "held"] == []
    assert [verdict.fact for verdict in report.verdicts] == list(instance.facts)
    # Of a table of values an instance is stated no more of.
    assert "roles" in instance.facts or instance.facts.keys() == {"value"}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_nothing_is_left_unknown(sheet) -> None:
    findings = kept_findings(sheet)
    assert [name for name, f in findings.items() if f["certainty"] == "unknown"] == []
    assert findings["playable"]["value"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "instance", [i for i in ALL if "roles" in i.facts], ids=lambda instance: instance.label
)
def test_nothing_is_left_unknown_of_any_instance(instance: Instance) -> None:
    findings = ggp.load(instance.sheet, **instance.settings).analyse(time=3600)
    assert findings["playable"].value
    unknown = {finding.property for finding in findings if finding.certainty == "unknown"}
    states = findings["reachable_states"].evidence
    if isinstance(states, Stopped) and states.limit == "positions":
        # More of them than are counted: what nothing but counting them tells stays unknown.
        unknown -= {"reachable_states", "shortest_play", "longest_play", "winnable"}
    assert unknown == set()
