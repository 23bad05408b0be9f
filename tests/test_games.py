"""Every fact in the files beside the sheets of `games/` is verified, one by one."""

from __future__ import annotations

import pytest

import ggp
from ggp.machine import perft
from ggp.solver import GameSolution, HeapSolution
from tests.conftest import GAMES
from tests.facts import Instance, instances

FINDINGS = (
    "turns", "form", "impartial", "all_small", "cyclic", "reachable_states", "shortest_play",
    "longest_play",
)  # fmt: skip
KNOWN = {
    *FINDINGS, "set", "roles", "perft", "goals", "outcome", "best", "nim_value", "heaps", "sources",
    "shortest_solution",
}  # fmt: skip
ALL = list(instances())


def test_every_sheet_has_its_facts() -> None:
    sheets = {path.name.split(".")[0] for path in GAMES.rglob("*.kif*")}
    assert sheets == {instance.sheet.name.split(".")[0] for instance in ALL}


@pytest.mark.parametrize("instance", ALL, ids=str)
def test_every_fact_has_a_source(instance: Instance) -> None:
    facts = set(instance.facts)
    assert facts <= KNOWN
    assert set(instance.facts["sources"]) >= facts - {"set", "sources"}


@pytest.mark.parametrize(
    "instance",
    [pytest.param(i, marks=[pytest.mark.slow] if i.is_big else []) for i in ALL],
    ids=str,
)
def test_facts(instance: Instance) -> None:
    facts = instance.facts
    game = ggp.load(instance.sheet, **instance.settings)
    assert list(game.roles) == facts["roles"]
    if "perft" in facts:
        plies = perft(game.machine, game.initial.bits, len(facts["perft"]) - 1)
        assert [count for count, _, _ in plies] == facts["perft"]
    findings = game.analyse()
    found = {name: findings.value(name) for name in FINDINGS if name in facts}
    assert found == {name: facts[name] for name in found}
    assert findings["playable"].value
    assert all(finding.certainty != "unknown" for finding in findings)
    check_heaps(findings, facts.get("heaps", []))
    if "goals" in facts:
        check_solution(game, findings, facts)


def check_heaps(findings: ggp.Findings, expected: list[dict]) -> None:
    heaps = {heap.pattern: heap.as_json() for heap in findings.heaps}
    for fact in expected:
        heap = heaps[fact["fluent"]]
        assert {key: heap[key] for key in fact if key != "fluent"} == {
            key: value for key, value in fact.items() if key != "fluent"
        }


def check_solution(game: ggp.Game, findings: ggp.Findings, facts: dict) -> None:
    solution = game.solve(findings=findings)
    assert solution.value(game.initial) == facts["goals"]
    if "outcome" in facts:
        assert solution.outcome(game.initial) == facts["outcome"]
    if "best" in facts:
        assert [str(move) for move in solution.best(game.initial)] == facts["best"]
    if "nim_value" in facts:
        assert isinstance(solution, HeapSolution | GameSolution)
        assert solution.nim_value(game.initial) == facts["nim_value"]
    if "shortest_solution" in facts:
        strategy = solution.strategy(game.roles[0])
        assert strategy.positions == facts["shortest_solution"] + 1
