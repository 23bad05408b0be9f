"""Sheets of a thesis as printed: what is reported, and that the corrections mend them."""

from __future__ import annotations

import pytest

import ggp
from ggp.kif import Source, read_source
from ggp.lint import check_source, fixed
from tests.conftest import shared

FRAME = """
(<= (next (heap ?i ?v)) (true (heap ?i ?v)) (does ?p (move ?j ?w)) (distinct ?i ?j))
"""


def corrected(source: Source) -> Source:
    """The text with all corrections made that its diagnostics carry."""
    for _ in range(10):
        text = fixed(source, check_source(source).diagnostics, unsafe=True)
        if text == source.text:
            break
        source = Source(source.name, text)
    return source


FAULTS = {
    "clobber": {50: "unsafe-variable", 108: "unsafe-variable", 118: "unsafe-variable"},
    "domineering": {
        34: "needless-true",
        43: "needless-true",
        60: "needless-true",
        81: "needless-true",
        88: "needless-true",
    },
    "fox": {73: "unsafe-variable", 112: "unsafe-variable", 124: "unsafe-variable"},
    "kayles": {
        30: "missing-true", 33: "missing-true", 41: "needless-true", 45: "needless-true",
        115: "never-true",
    },
    "sg1215": {35: "unmatched-close", 39: "unmatched-close"},
    "sg125": {35: "unmatched-close", 39: "unmatched-close"},
    "sg123m": {86: "unsafe-variable", 94: "unsafe-variable"},
    "sg157nz": {86: "keyword-arity"},
    "sg357": {147: "unoffered-move"},
    "turtles": {
        50: "unsafe-variable", 74: "unsafe-variable", 94: "unsafe-variable", 106: "unsafe-variable",
    },
}  # fmt: skip
"""The lines at which what breaks a listing is reported."""


@pytest.mark.parametrize("name", FAULTS)
def test_what_breaks_a_listing_is_reported_once_at_its_line(name) -> None:
    found = check_source(read_source(shared("thesis-listings", f"{name}.kif"))).diagnostics
    harmless = {"needless-parentheses", "relation-arities", "function-arities", "not-and"}
    places = [
        (d.span.line, d.name)
        for d in found
        if d.is_by_default and d.severity != "note" and d.name not in harmless
    ]
    assert places == sorted(FAULTS[name].items())


@pytest.mark.parametrize("name", ["sg1215s", "sg123n", "sg157"])
def test_what_is_harmless_is_no_error(name) -> None:
    """Recursion through symmetry, and a chain longer than the board."""
    found = check_source(read_source(shared("thesis-listings", f"{name}.kif"))).diagnostics
    assert [d for d in found if d.severity == "error"] == []


def test_the_corrections_make_kayles() -> None:
    """THEORY.md, section 4: Kayles 7."""
    source = corrected(read_source(shared("thesis-listings", "kayles.kif")))
    found = check_source(source, deep=True).diagnostics
    assert [d for d in found if d.is_by_default] == []
    game = ggp.parse(source.text)
    findings = game.analyse()
    assert findings.value("form") == "normal"
    assert findings.value("impartial") is True
    assert findings.value("reachable_states") == 222
    solution = game.solve(findings=findings)
    assert solution.outcome(game.initial) == "N"
    best = ["(double 2)", "(double 5)", "(single 4)"]
    assert [str(move) for move in solution.best(game.initial)] == best


def test_the_corrections_and_a_frame_axiom_make_the_subtraction_game() -> None:
    """THEORY.md, section 4: SG{1,2,5} 10,11,12."""
    source = corrected(read_source(shared("thesis-listings", "sg125.kif")))
    found = check_source(source, deep=True).diagnostics
    (vanishing,) = [d for d in found if d.name == "empty-place"]
    assert vanishing.span.line == 119  # 121 as printed, where two facts stand twice
    assert vanishing.play == (("(move 1 5)", "noop"),)
    source = Source(source.name, source.text + FRAME)
    left = {d.name for d in check_source(source, deep=True).diagnostics if d.is_by_default}
    assert left == set()
    game = ggp.parse(source.text)
    assert game.analyse().value("reachable_states") == 3_424
    assert game.solve().value(game.initial) == {"Left": 100, "Right": 0}
