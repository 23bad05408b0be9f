"""The catalogue of faults: every bad example gives just its diagnostic, every good one none."""

from __future__ import annotations

import pytest

from ggp.errors import UnknownName
from ggp.kif import Source
from ggp.lint import check_source
from ggp.lint.explain import explanation, page
from ggp.rules import catalogue, matching
from ggp.rules.catalogue import sound
from tests.conftest import SHARED
from tests.diagnostics_page import FILE

EXAMPLES = [entry for entry in catalogue() if entry.bad]


def found(text: str, deep: bool, asked: str = "") -> list[tuple[str, str, str]]:
    """Code, name and severity of what is reported of a text."""
    checked = check_source(Source("x.kif", text), deep=deep)
    return [
        (d.code, d.name, d.severity)
        for d in checked.diagnostics
        if d.is_by_default or d.name == asked
    ]


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda entry: entry.code)
def test_the_bad_example_gives_its_diagnostic_and_no_other(entry) -> None:
    text = entry.bad if entry.is_whole else sound() + entry.bad
    expected = [(entry.code, entry.name, entry.severity)]
    assert found(text, entry.deep, entry.name) == expected


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda entry: entry.code)
def test_the_good_example_gives_none(entry) -> None:
    text = entry.good if entry.is_whole else sound() + entry.good
    assert found(text, entry.deep) == []


def test_codes_and_names_are_unique_and_each_kind_has_an_example_or_is_of_files() -> None:
    entries = catalogue()
    assert len({entry.code for entry in entries}) == len(entries)
    assert len({entry.name for entry in entries}) == len(entries)
    assert {entry.name for entry in entries if not entry.bad} == {"syntax", "encoding"}
    assert [entry.code for entry in entries] == sorted(entry.code for entry in entries)


def test_a_pattern_is_a_code_its_beginning_or_a_name() -> None:
    assert [e.name for e in matching("gdl309")] == ["unsafe-variable"]
    assert [e.name for e in matching("unsafe-variable")] == ["unsafe-variable"]
    assert {e.code[:4] for e in matching("GDL3")} == {"GDL3"}
    for wrong in ("GDL", "GDL9", "", "unsafe"):
        with pytest.raises(UnknownName):
            matching(wrong)


def test_the_page_is_what_is_explained() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert text == page(), "write it anew: python -m tests.diagnostics_page"
    assert all(explanation(entry) in text for entry in catalogue())


def test_infix_faults_and_encodings_are_of_files() -> None:
    checked = check_source(Source("x.hrf", "role(white"))
    assert "syntax" in {d.name for d in checked.diagnostics if d.severity == "error"}


@pytest.mark.skipif(not (SHARED / "badrules").exists(), reason="no shared sheets")
def test_every_faulty_sheet_has_codes_of_the_catalogue() -> None:
    known = {entry.code for entry in catalogue()}
    for path in sorted((SHARED / "badrules").glob("*.kif")):
        checked = check_source(Source(path.name, path.read_text(encoding="utf-8")))
        assert {d.code for d in checked.diagnostics} <= known
