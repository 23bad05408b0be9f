"""Reading on after syntax errors: what is reported, what is read, what would mend it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.errors import KifSyntaxError
from ggp.kif import Source, read_forms, read_hrf, read_kif, read_source
from tests.conftest import GAMES

SHEET = "\n".join(
    line
    for line in read_source(GAMES / "kayles" / "kayles-7.kif").text.split("\n")
    if not line.startswith(";")
)
"""A sheet without comments, in which parentheses are no parentheses."""


def parses(text: str) -> bool:
    try:
        read_kif(Source("t", text))
    except KifSyntaxError:
        return False
    return True


def edited(text: str, edits) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def faults(text: str) -> list[tuple[str, int, int]]:
    """Kind, line and column of each fault."""
    found = read_forms(Source("t", text)).faults
    return [(fault.kind, fault.span.line, fault.span.column) for fault in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a)\n(b c))\n(d)", [("unmatched-close", 2, 6)]),
        ("(a)))", [("unmatched-close", 1, 4)]),
        ("(a\n(b)\n(c)", [("unmatched-open", 1, 1)]),
        ("(a\n(b))\n(c)\n(d", [("unmatched-open", 4, 1)]),
        ("(<= a\n  (b\n  (c d))\n(e)", [("unmatched-open", 2, 3)]),
        ("(a\n(b", [("unmatched-open", 1, 1), ("unmatched-open", 2, 1)]),
        ("(a) )\n(b\n(c)", [("unmatched-close", 1, 5), ("unmatched-open", 2, 1)]),
        ("(a) #| b", [("open-comment", 1, 5)]),
        ("(a) ; )\n(b) #| ( |# c", []),
    ],
)
def test_faults_are_reported_at_their_places(text, expected) -> None:
    assert faults(text) == expected
    assert parses(text) is not bool(expected)


def test_a_form_that_ends_too_early_is_joined_with_what_is_indented_after_it() -> None:
    """As in two listings of a thesis, where a rule goes on after its last parenthesis."""
    text = "(<= (legal a n)\n  (not (true b)))\n  open)\n(c)"
    found = read_forms(Source("t", text))
    (fault,) = found.faults
    assert (fault.span.line, fault.hint) == (3, "a ')' too many at the end of line 2")
    assert [str(form) for form in found.forms] == ["(c)"]
    assert [str(form) for form in found.broken] == ["(<= (legal a n) (not (true b)) open)"]
    mended = edited(text, fault.edits)
    assert str(read_kif(Source("t", mended))[0]) == str(found.broken[0])


def test_the_forms_around_a_fault_are_read() -> None:
    found = read_forms(Source("t", "(a)\n(b (c)\n(d)\n(e))\n(f)"))
    assert [str(form) for form in found.forms] == ["(a)", "(b (c) (d) (e))", "(f)"]
    found = read_forms(Source("t", "(a)\n(b (c)\n(d)\n(e)\n(f)"))
    assert [str(form) for form in found.forms] == ["(a)", "(d)", "(e)", "(f)"]
    assert [str(form) for form in found.broken] == ["(b (c))"]


@pytest.mark.parametrize("form", ["(role black)", "(<= (next (a ?x))\n    (true (b ?x)))"])
def test_a_form_that_lost_its_first_parenthesis_is_one_fault(form) -> None:
    """An earlier version took its names for forms."""
    text = f"(role white)\n{form[1:]}\n(goal white 1)"
    found = read_forms(Source("t", text))
    (fault,) = found.faults
    assert fault.hint == "write ( at the start of line 2"
    ((start, end, new),) = fault.edits
    assert text[:start] + new + text[end:] == f"(role white)\n{form}\n(goal white 1)"
    assert [str(each) for each in found.forms] == ["(role white)", "(goal white 1)"]


def test_a_comment_that_never_ends_is_found_at_once_whatever_the_lines_end_with() -> None:
    """Each carriage return doubled the time: found by damaging sheets at random."""
    (fault,) = read_forms(Source("t", "(a)\r\n#| (b)" + "\r\n(c)" * 1_000)).faults
    assert fault.kind == "open-comment"
    assert len(read_kif(Source("t", "(a) #| (b)" + "\r\n(c)" * 1_000 + "|# (d)"))) == 2


def test_a_sound_text_is_read_as_ever() -> None:
    found = read_forms(Source("t", SHEET))
    assert found.forms == read_kif(Source("t", SHEET))
    assert not found.broken
    assert not found.faults


INFIX = """role(white)
role(black).  init(cell(1,b)) % a ( and a .
legal(P,go) :-
  true(cell(X,'it.s')) &
  role(P)
legal(P,stay) :- role(P) & ~true(cell(1,b))
terminal :- true(cell(2,b)) |
true(cell(3,b))
goal(P,50) :- role(P)
"""


def test_infix_text_is_read_on_at_the_next_clause() -> None:
    text = INFIX.replace("role(P)\nlegal", "role(P\nlegal").replace("goal(P,50)", "goal(P,,50)")
    found = read_forms(Source("t.hrf", text))
    told = [(str(fault.span), fault.message) for fault in found.faults]
    assert told == [
        ("t.hrf:5:7", "unmatched '(': expected ')' before the clause of line 6"),
        (
            "t.hrf:9:8",
            "unexpected ',': expected a name or a variable (the '(' of line 9, column 5 is open)",
        ),
    ]
    whole = read_forms(Source("t.hrf", INFIX)).forms
    lost = ("(<= (legal ?P go)", "(<= (goal ?P 50)")
    left = [form for form in whole if not str(form).startswith(lost)]
    assert found.forms == left
    places = [text[form.start : form.end] for form in found.forms]
    assert places == [INFIX[form.start : form.end] for form in left]
    assert "go" in str(found.broken[0])


def test_a_clause_that_goes_on_in_the_first_column_is_one() -> None:
    found = read_forms(Source("t.hrf", "p :-\nq &\nr\ns\n| t\nu(\n1\n)\nv(,)"))
    assert [str(form) for form in found.forms] == ["(<= p q r)", "(u 1)"]
    assert [fault.span.line for fault in found.faults] == [5, 9]


@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from([*"(),.&|~:-'%", ""]))))
@settings(max_examples=200, deadline=None)
def test_a_damaged_infix_text_has_a_fault_where_it_does_not_parse(damage) -> None:
    text = INFIX
    for place, new in damage:
        at = place % len(text)
        text = text[:at] + new + text[at + (not new) :]
    source = Source("t.hrf", text)
    try:
        whole = read_hrf(source)
    except KifSyntaxError:
        assert read_forms(source).faults
    else:
        assert read_forms(source).forms == whole


damages = st.tuples(st.integers(0, 10**6), st.sampled_from(["(", ")", "((", ")))", "", ";", "#|"]))


@given(st.lists(damages, min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
def test_a_damaged_text_has_a_fault_just_where_it_does_not_parse(damage) -> None:
    text = SHEET
    for place, new in damage:
        at = place % len(text)
        text = text[:at] + new + text[at + (not new) :]
    found = read_forms(Source("t", text))
    assert bool(found.faults) is not parses(text)


def test_one_lost_or_doubled_parenthesis_leaves_nearly_all_forms() -> None:
    """At every place of a sheet: at least one fault, and two forms are lost at the most."""
    whole = len(read_kif(Source("t", SHEET)))
    rng = random.Random(1)
    for at in rng.sample([i for i, c in enumerate(SHEET) if c in "()"], 150):
        for text in (SHEET[:at] + SHEET[at + 1 :], SHEET[:at] + SHEET[at] + SHEET[at:]):
            found = read_forms(Source("t", text))
            assert found.faults
            assert len(found.forms) >= whole - 2
            mended = edited(text, found.faults[0].edits)
            assert parses(mended)


def test_many_faults_are_found_in_linear_time() -> None:
    """Hundreds of thousands of parentheses that do not match: counted, not timed."""
    found = read_forms(Source("t", "(a))\n" * 50_000))
    assert len(found.faults) == 50_000
    found = read_forms(Source("t", "(a\n" * 300))
    assert len(found.faults) == 300
