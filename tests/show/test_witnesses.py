"""States that show findings, drawn: each once, the right ones, inert, or else told as facts."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

import ggp
from ggp.analysis import Counterexample, Finding
from ggp.analysis.evidence import Evidence, Witness
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from ggp.show import scenes, witnesses
from ggp.show.scenes import exhibits
from ggp.show.witnesses import MOST_DRAWN, gallery, wrapped
from tests.conftest import GAMES

EVIL = "<script>\x1b[31m$x$[bold]\u202e"
HOSTILE = """(role <script>) (role [bold]) (init (control <script>))
(init (cell 1 1 none)) (init (cell 1 2 none)) (init (cell 2 1 none)) (init (cell 2 2 none))
(<= (legal ?r (put ?x ?y)) (true (control ?r)) (true (cell ?x ?y none)))
(<= (legal <script> noop) (true (control [bold])))
(<= (legal [bold] noop) (true (control <script>)))
(<= (next (cell ?x ?y <img/onerror>)) (does <script> (put ?x ?y)))
(<= (next (cell ?x ?y $x^2$)) (does [bold] (put ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c none))
(<= (next (cell ?x ?y none)) (true (cell ?x ?y none)) (does ?r (put ?a ?b)) (distinct ?x ?a))
(<= (next (cell ?x ?y none)) (true (cell ?x ?y none)) (does ?r (put ?a ?b)) (distinct ?y ?b))
(<= (next (control [bold])) (true (control <script>)))
(<= (next (control <script>)) (true (control [bold])))
(<= terminal (not open)) (<= open (true (cell ?x ?y none)))
(<= (goal ?r 50) (role ?r))
"""


@pytest.fixture(scope="module")
def board():
    return ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")


@pytest.fixture(scope="module")
def findings(board):
    return board.analyse()


def lines(found, width=100, **how):
    return "\n".join(part.plain for part in found.text(width, **how)).splitlines()


def at(*cells, note="", path=()):
    facts = [f"(cell {x} {y} b)" for x in (1, 2, 3) for y in (1, 2, 3) if (x, y) not in cells]
    facts += [f"(cell {x} {y} x)" for x, y in cells]
    return Witness((*sorted(facts), "(control oplayer)"), path, note)


def shows(name, *states):
    return Finding(name, False, "refuted", Counterexample("why", states))


def test_each_state_is_drawn_once_with_all_that_it_shows(board, findings) -> None:
    found = gallery(board, findings)
    shown = lines(found)
    assert shown[1] == "[1] form: other; winnable: yes (xplayer has 100)"
    assert shown[2].startswith("after 5 moves: (mark 1 1), (mark 1 2), (mark 2 1)")
    assert shown[2].endswith("(mark 3 1); the game is over")
    assert shown[3] == "over: xplayer 100, oplayer 0"
    assert shown[4:8] == ["   1 2 3", "1  x o o", "2  x · ·", "3 [x]· ·"]
    assert found.reference("form") == " [1]"
    assert found.reference("winnable") == " [1]"  # of a "yes" one state is enough
    assert found.reference("impartial") == " [2]"
    assert found.reference("zero_sum") is None  # it is proved, and no state shows it


def test_what_is_drawn_is_the_state_of_the_witness(board, findings) -> None:
    evidence = {f.property: f.evidence for f in findings}
    found = exhibits(board, evidence["winnable"].states)
    for state in evidence["winnable"].states:
        assert tuple(map(str, found[state.facts].state.facts)) == state.facts
        assert len(found[state.facts].moves) == len(state.path)


def test_a_path_that_leads_elsewhere_or_nowhere_draws_the_facts(board) -> None:
    wrong = at((2, 2), path=(("(mark 1 1)", "noop"),))
    found = exhibits(board, [wrong])
    assert tuple(map(str, found[wrong.facts].state.facts)) == wrong.facts
    none = at((2, 2), path=None)
    assert exhibits(board, [none])[none.facts].moves is None
    illegal = at((2, 2), path=(("(mark 9 9)", "noop"),))
    assert exhibits(board, [illegal]) == {}


def test_there_is_room_for_some_and_the_rest_is_named(board) -> None:
    cells = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]
    every = [shows(f"property_{i}", at(cell), at(*cells[:2])) for i, cell in enumerate(cells)]
    found = gallery(board, every)
    assert len(found.drawn) == MOST_DRAWN
    assert found.reference("property_0") == " [1]"
    assert found.reference("property_8") == ""
    assert "property 4, property 5" in lines(found)[-1]
    # The first state of each comes before the second one of any.
    two = gallery(board, every[:3])
    told = [two.reference(f"property_{i}") for i in range(3)]
    assert told == [" [1] [2]", " [3] [2]", " [4] [2]"]


def test_what_is_no_comes_before_what_is_yes(board) -> None:
    yes = [
        Finding(f"yes_{y}", True, "proved", Counterexample("why", (at((1, y)), at((2, y)))))
        for y in (1, 2, 3)
    ]
    found = gallery(board, [*yes, shows("no", at((3, 1)), at((3, 2))), shows("same", at((3, 1)))])
    told = [found.reference(name) for name in ("yes_1", "yes_2", "yes_3", "no", "same")]
    assert told == [" [1]", " [2]", " [3]", " [4]", " [4]"]
    assert found.drawn[3][0] == "no: no; same: no"
    found = gallery(board, [*yes, *(shows(f"no_{y}", at((3, y))) for y in (1, 2, 3))])
    assert found.left_out == ["yes_2", "yes_3"]


def test_other_evidence_and_games_without_boards_have_none(board) -> None:
    told = Finding("form", "normal", "proved", Evidence("why"))
    assert gallery(board, [told]).drawn == ()
    plain = ggp.parse("(role a) (init p) (legal a m) (next q) (<= terminal (true q)) (goal a 0)")
    state = Witness(("p",), ())
    found = gallery(plain, [shows("x", state)])
    assert found.drawn == ()
    assert found.reference("x") is None  # its facts are told


def test_a_limit_leaves_the_facts(board, findings, monkeypatch) -> None:
    from ggp.show import board as boards

    def fail(state, before=None):
        raise LimitReached("time", 1, "x")

    monkeypatch.setattr(boards, "scene_of", fail)
    assert gallery(board, findings).drawn == ()
    assert scenes.scenes_of([board.initial]) == {}


def test_what_takes_long_is_not_waited_for(findings, monkeypatch) -> None:
    monkeypatch.setattr(scenes, "SECONDS", 0.0)
    fresh = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    assert gallery(fresh, findings).drawn == ()


def test_an_account_that_is_overdrawn_draws_nothing(findings) -> None:
    fresh = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    with Budget(Limits(seconds=0)).in_force():
        assert gallery(fresh, findings).drawn == ()


@pytest.mark.parametrize("width", [20, 40, 100])
@pytest.mark.parametrize("ascii", [False, True])
def test_no_line_is_wider_than_it_may_be(board, findings, width, ascii) -> None:
    shown = lines(gallery(board, findings), width, ascii=ascii)
    assert max(map(cell_len, shown)) <= width


@pytest.mark.parametrize("text", ["", "a", "a b  c", "word " * 30, "x" * 70, "字" * 30, "字 " * 30])
def test_lines_are_broken_and_nothing_is_lost(text) -> None:
    broken = list(wrapped(text, 11))
    assert all(cell_len(line) <= 11 for line in broken)
    assert "".join(broken).replace(" ", "") == text.replace(" ", "")


def test_long_plays_are_told_in_part() -> None:
    told = witnesses._play([f"(move {i})" for i in range(500)])
    assert told.startswith("after 500 moves: (move 0), (move 1)")
    assert told.endswith("(move 498), (move 499)")
    assert len(told) < 300


def test_names_of_a_sheet_are_text() -> None:
    game = ggp.parse(HOSTILE, name=EVIL)
    found = gallery(game, game.analyse())
    assert found.drawn
    for part in found.text(80):
        assert all(c.isprintable() or c == "\n" for c in part.plain)
        assert all("\x1b" not in str(span.style) for span in part.spans)
    picture = witnesses.witness_picture(found.drawn[0][1], EVIL)
    assert "<script>" not in picture.svg
    assert all(c.isprintable() for c in picture.alt)
