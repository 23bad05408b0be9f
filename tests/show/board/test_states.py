"""Any state is drawn: those of no play, and games with next to nothing to draw."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp import Limits
from ggp.show.board import plan_of, scene_of
from tests.show.board.sheets import NAMES, game
from tests.show.board.test_text import lines_of

SMALL = [name for name in NAMES if not name.startswith(("amazons", "fox"))]

MANY_X, MANY_Y = "x " * 60, "y " * 60

ODD = {
    "one role, nothing to do": """
        (role r) (init on) (<= (legal r wait) (true on)) (<= (next on) (true on)) terminal (goal
        r 100)
        """,
    "no facts in the beginning": """
        (role r) (<= (legal r go)) (<= (next done) (does r go)) (<= terminal (true done)) (goal
        r 1)
        """,
    "no facts at all": """
        (role r) (legal r go) terminal (goal r 1)
        """,
    "a role without moves": """
        (role r) (role s) (init (at 1)) (legal r (to 1)) (legal r (to 2)) (<= (next (at ?x))
        (does r (to ?x))) (<= terminal (true (at 9))) (goal r 0) (goal s 0)
        """,
    "nobody can move": """
        (role r) (init (at 1)) (<= (legal r go) (true (at 2))) (<= (next (at 2)) (does r go))
        (<= terminal (true (at 3))) (goal r 0)
        """,
    "nested": """
        (role r) (init (at (p 1 (q 2)) (s (s z)))) (init (at (p 2 (q 1)) z)) (<= (legal r (set
        (p 1 (q 2)) (s z))) (true (at (p 1 (q 2)) ?n))) (legal r stop) (<= (next (at ?p ?n))
        (does r (set ?p ?n))) (<= (next (at (p 2 (q 1)) z)) (true (at (p 2 (q 1)) z))) (<=
        terminal (not (true (at (p 1 (q 2)) (s (s z)))))) (goal r 5)
        """,
    "deeper and deeper": """
        (role r) (init (n z)) (legal r inc) (<= (next (n (s ?x))) (true (n ?x)) (not (true (n (s
        (s (s z))))))) (<= terminal (true (n (s (s (s (s z))))))) (goal r 5)
        """,
    "sixty arguments": f"""
        (role r) (legal r a) (legal r b) (init (f {MANY_X})) (init (cell 1 1 b)) (init (cell 1 2
        b)) (init (cell 2 1 b)) (init (cell 2 2 b)) (<= (next (f {MANY_Y})) (does r a)) (<=
        (next (cell ?x ?y b)) (true (cell ?x ?y b))) (<= terminal (true (f {MANY_Y}))) (goal r
        3)
        """,
    "relations of many sizes": """
        (role r) (init (f)) (init (f 1)) (init (f 1 2)) (init (f 2 1)) (legal r (f 1)) (legal r
        f) (<= (next (f ?x)) (does r (f ?x))) (<= terminal (not (true f))) (goal r 3)
        """,
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_games_are_drawn(kind: str) -> None:
    sheet = ggp.parse(ODD[kind], limits=Limits(ground_rules=10_000))
    assert plan_of(sheet) is plan_of(sheet)
    state = sheet.initial
    for _ in range(3):
        lines_of(state, 20, ascii=True)
        assert scene_of(state, state, moves=True).moves == () or not state.terminal
        if state.terminal or not all(state.legal(role) for role in sheet.roles):
            break
        state = state.play({role: state.legal(role)[0] for role in sheet.roles})


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_facts_are_drawn_or_listed(data: st.DataObject) -> None:
    sheet = game(data.draw(st.sampled_from(SMALL)))
    facts = data.draw(st.lists(st.sampled_from(sheet.net.fluents), unique=True, max_size=30))
    other = data.draw(st.lists(st.sampled_from(sheet.net.fluents), unique=True, max_size=5))
    state, before = sheet.state(facts), sheet.state(other)
    lines_of(state, 20, ascii=True)
    lines_of(state, 80, ascii=False)
    scene = scene_of(state, before, moves=True)
    drawn = {str(key) for d in scene.boards for key in d.cells}
    assert drawn <= {str(key) for d in scene.boards for key in d.board.keys}
    assert all(d.changed <= d.board.keys for d in scene.boards)


def test_facts_at_places_that_play_never_saw_are_listed() -> None:
    """Without its ground form no fact beyond play is known."""
    rules = game("tic-tac-toe/tic-tac-toe.kif").rules
    sheet = ggp.Game(rules, grounded=False)
    state = sheet.state(["(cell 1 1 x)", "(cell 7 1 x)", "(cell 1 1 q)", "(control xplayer)"])
    scene = scene_of(state)
    assert scene.facts == ("(cell 7 1 x)",)
    (drawn,) = scene.boards
    ((key, marks),) = drawn.cells.items()
    assert [str(name) for name in key] == ["1", "1"]
    assert sorted(mark.title for mark in marks) == ["q", "x"]


def test_counts_that_play_never_saw_are_shown() -> None:
    sheet = ggp.Game(game("nim/rows.kif.jinja").rules, grounded=False)
    huge = "9" * 5_000
    state = sheet.state([f"(row 1 {huge})", "(row 2 many)", "(row 7 1)"])
    lines_of(state, 40, ascii=True)
    scene = scene_of(state)
    ((_, piles),) = scene.piles
    assert [(pile.name, pile.height) for pile in piles] == [("1", 0), ("2", 0)]
    assert scene.facts == ("(row 7 1)",)


def test_a_turn_that_the_facts_leave_open_is_listed() -> None:
    sheet = game("tic-tac-toe/tic-tac-toe.kif")
    both = scene_of(sheet.state(["(control xplayer)", "(control oplayer)", "(cell 1 1 b)"]))
    assert (both.turn, both.facts) == (None, ("(control oplayer)", "(control xplayer)"))
    assert scene_of(sheet.state(["(cell 1 1 b)"])).turn is None


def test_an_empty_state_is_drawn() -> None:
    for name in NAMES:
        state = game(name).state([])
        assert lines_of(state, 60, ascii=False)
        assert scene_of(state).facts == ()


LATE = """
    (role p) (col 1) (col 2) (col 3) (row 1) (row 2) (row 3) (kind quest) (kind qualm) (kind qu)
    (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 9)
    (<= (init (cell ?x ?y none)) (col ?x) (row ?y)) (init (lock 1))
    (<= (legal p (put ?x ?y queen)) (true (cell ?x ?y none)))
    (<= (legal p (put ?x ?y ?k)) (true (cell ?x ?y none)) (kind ?k) (true (lock 9)))
    (legal p unlock)
    (<= (next (lock ?n)) (true (lock ?m)) (after ?m ?n) (does p unlock))
    (<= (next (lock 1)) (does p (put ?x ?y ?k)))
    (<= (next (cell ?x ?y ?k)) (does p (put ?x ?y ?k)))
    (<= (hit ?x ?y) (does p (put ?x ?y ?k)))
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (hit ?x ?y)))
    (<= open (true (cell ?x ?y none))) (<= terminal (not open)) (goal p 100)
    """
"""A game in whose plays there are queens alone, so that other kinds are met after its plan."""


def test_contents_that_no_play_has_get_marks_of_their_own() -> None:
    own = ggp.parse(LATE)
    facts = ["(cell 1 1 queen)", "(cell 2 1 quest)", "(cell 3 1 qualm)", "(cell 1 2 qu)"]
    scene = scene_of(own.state(facts))
    marks = {mark for cell in scene.boards[0].cells.values() for mark in cell}
    assert len(marks) == len({mark.text for mark in marks}) == len({mark.ascii for mark in marks})
    again = scene_of(own.state(facts[1:2])).boards[0].cells
    assert {mark for cell in again.values() for mark in cell} <= marks


def test_more_contents_than_there_are_marks_for_are_told_apart_from_others(monkeypatch) -> None:
    monkeypatch.setattr("ggp.show.board.pieces.MAX_LATER", 1)
    own = ggp.parse(LATE)
    scene = scene_of(own.state(["(cell 1 1 queen)", "(cell 2 1 quest)", "(cell 3 1 qualm)"]))
    texts = [mark.text for cell in scene.boards[0].cells.values() for mark in cell]
    assert texts.count("?") == 1
