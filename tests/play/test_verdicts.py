"""Marks of moves that a search judges: what play came to counts for who plays alone."""

from __future__ import annotations

import pytest

import ggp
from ggp.play import verdicts
from ggp.play.search.reports import MoveReport
from ggp.play.search.search import TreeSearch
from ggp.play.verdicts import Judge
from tests.conftest import GAMES

ALONE = """(role a) (init s) (legal a l) (legal a m) (legal a r)
    (<= (next (won ?m)) (does a ?m)) (<= terminal (not (true s)))
    (<= (goal a 100) (true (won l))) (<= (goal a 60) (true (won m))) (<= (goal a 0) (true (won r)))
    (<= (goal a 0) (true s))"""
TOGETHER = ALONE + "(role b) (legal b noop) (goal b 0)"


class Guessing:
    """A search that gives the move `r` 20 and each other one 90."""

    def __init__(self, game, role: int, *, seed: int) -> None:
        self.found = [
            MoveReport(n, 500, 20.0 if str(move) == "r" else 90.0, 0.0, 100.0, 0.0)
            for n, move in enumerate(game.initial.legal("a"))
        ]

    def think(self, state, seconds):
        return max(self.found, key=lambda report: report.value)

    def reports(self):
        return self.found


@pytest.mark.parametrize(
    ("rules", "end", "lost", "mark"),
    [
        (ALONE, None, 70, "??"),
        (ALONE, "l", 0, ""),
        (ALONE, "m", 30, "?"),
        (ALONE, "r", 70, "??"),
        # What others let one have is no proof.
        (TOGETHER, "l", 70, "??"),
    ],
)
def test_what_play_came_to_was_to_be_had(monkeypatch, rules, end, lost, mark) -> None:
    monkeypatch.setattr(verdicts, "TreeSearch", Guessing)
    game = ggp.parse(rules)
    judge = Judge(game, 0.0)
    judge._solution = None
    joint = ["r", "noop"][: len(game.roles)]
    over = None
    if end:
        over = game.initial.play(dict(zip(game.roles, [end, "noop"], strict=False)))
    verdict = judge.verdicts(game.initial, joint, over)["a"]
    assert (verdict.mark, verdict.lost, verdict.exact) == (mark, lost, False)


def test_an_end_without_a_goal_tells_nothing(monkeypatch) -> None:
    monkeypatch.setattr(verdicts, "TreeSearch", Guessing)
    game = ggp.parse(ALONE.replace("(<= (goal a 60) (true (won m)))", ""))
    judge = Judge(game, 0.0)
    judge._solution = None
    verdict = judge.verdicts(game.initial, ["r"], game.initial.play({"a": "m"}))["a"]
    assert (verdict.mark, verdict.lost) == ("??", 70)


def walk(*edges: str) -> ggp.Game:
    """Two who go by turns along edges, `a` from 0 on; at 7 `a` has won, at 8 `b`."""
    facts = " ".join(f"(edge {start} {end})" for start, *ends in edges for end in ends)
    return ggp.parse(f"""(role a) (role b) (init (at 0)) (init (control a)) {facts}
    (<= (legal ?p (go ?y)) (true (control ?p)) (true (at ?x)) (edge ?x ?y))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (at ?y)) (does ?p (go ?y)))
    (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
    (<= over (true (at 7))) (<= over (true (at 8))) (<= terminal over)
    (<= (goal a 100) (true (at 7))) (<= (goal b 0) (true (at 7)))
    (<= (goal a 0) (not (true (at 7)))) (<= (goal b 100) (not (true (at 7))))""")


def marked(game: ggp.Game, *moves: str) -> tuple[str, bool, float]:
    """The verdict on the last of some moves of the one in turn."""
    judge, state = Judge(game, 60.0), game.initial
    for move in moves:
        role = str(state.control)
        other = "b" if role == "a" else "a"
        joint = {role: move, other: "noop"}
        verdict = judge.verdicts(state, [joint["a"], joint["b"]])
        state = state.play(joint)
    found = verdict[role]
    return found.mark, found.exact, found.lost


def test_play_without_end_is_a_draw_of_two_who_are_opposed() -> None:
    """What an examiner found unmarked: a win given away for it, it given away for a loss, and the
    only move that keeps to it."""
    won = walk("0137", "1378", "2156", "315", "45", "504", "65")
    assert marked(won, "(go 7)") == ("!", True, 0.0)
    assert marked(won, "(go 3)") == ("??", True, 50.0)
    drawn = walk("015", "1028", "20", "3057", "426", "512", "607")
    assert marked(drawn, "(go 5)", "(go 1)", "(go 8)") == ("??", True, 50.0)
    assert marked(drawn, "(go 1)", "(go 8)") == ("!", True, 0.0)


FOUR = ("1", "8", "2", "8", "3", "7", "8", "7", "4")
"""Columns of connect-four, eight of them: black does not block (7), red does not win (8)."""


def test_a_move_that_a_sure_search_did_not_look_at_is_searched(monkeypatch) -> None:
    """An examiner's: red misses four in a row, and the next player does not block them again.

    By so many descents, whatever the clock.
    """
    run = TreeSearch.run
    monkeypatch.setattr(TreeSearch, "run", lambda self, *_, **__: run(self, descents=2_000))
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=8, rows=6)
    judge, state, marks = Judge(game, 0.1), game.initial, []
    judge._solution = None
    for column in FOUR:
        role = str(state.control)
        joint = {other: state.legal(other)[0] for other in game.roles} | {role: f"(drop {column})"}
        verdict = judge.verdicts(state, [str(joint[own]) for own in game.roles])
        marks.append(verdict[role].mark)
        state = state.play(joint)
    assert set(marks[5:8]) <= {"?", "??"}
    assert marks[8] == ""


def test_rules_that_are_not_ground_are_searched_as_they_are() -> None:
    game = ggp.Game(ggp.parse(ALONE).rules, grounded=False)
    judge = Judge(game, 60.0)
    judge._solution = None
    assert judge.verdicts(game.initial, ["r"])["a"].mark == "??"
    assert judge.verdicts(game.initial, ["l"])["a"].mark == ""


def test_nothing_is_exact_that_hangs_on_somebody_who_is_indifferent() -> None:
    """An adversary's: after `risk` the other has nothing in either case, and gives 100 or 0."""
    game = ggp.parse("""(role a) (role b) (init s) (<= (legal b safe) (true s))
    (<= (legal b risk) (true s)) (<= (legal a noop) (true s)) (<= (next t) (does b risk))
    (<= (next (end 100 60)) (does b safe)) (<= (legal a up) (true t)) (<= (legal a down) (true t))
    (<= (legal b noop) (true t)) (<= (next (end 0 100)) (does a up))
    (<= (next (end 0 0)) (does a down)) (<= terminal (true (end ?x ?y)))
    (<= (goal a ?x) (true (end ?x ?y))) (<= (goal b ?y) (true (end ?x ?y)))""")
    judge = Judge(game, 60.0)
    assert judge._solution is not None
    judge.seconds = 0.1
    for move in ("safe", "risk"):
        verdict = judge.verdicts(game.initial, ["noop", move])["b"]
        assert not verdict.exact
        assert verdict.mark != "!"


TRAP = """(role a) (init (at s)) (way s on e) (way s off t) (way t on t) (way t off t)
(<= (legal a ?m) (true (at ?x)) (way ?x ?m ?y))
(<= (next (at ?y)) (true (at ?x)) (does a ?m) (way ?x ?m ?y))
(<= terminal (true (at e))) (<= (goal a 100) (true (at e)))"""


@pytest.mark.parametrize(("move", "mark", "lost"), [("on", "!", 0), ("off", "??", 100)])
def test_who_alone_goes_where_no_end_can_come_any_more_gives_all_away(move, mark, lost) -> None:
    game = ggp.parse(TRAP)
    found = Judge(game, 60).verdicts(game.initial, [move])["a"]
    assert (found.mark, found.exact, found.lost) == (mark, True, lost)


def test_a_move_is_not_the_only_best_one_where_another_may_be_as_good() -> None:
    """Of b both moves give as much, and a, who leaves it to them, as much as by the sure one."""
    game = ggp.parse("""
        (role a) (role b) (init (at s)) (opt s a leave t) (opt s a sure won)
        (opt t b up won) (opt t b down lost)
        (<= (legal ?r ?m) (true (at ?s)) (opt ?s ?r ?m ?t))
        (<= (legal ?r noop) (role ?r) (true (at ?s)) (turn ?s ?p) (distinct ?r ?p))
        (turn s a) (turn t b)
        (<= (next (at ?t)) (true (at ?s)) (does ?r ?m) (opt ?s ?r ?m ?t))
        (<= terminal (true (at won))) (<= terminal (true (at lost)))
        (<= (goal a 100) (true (at won))) (<= (goal a 0) (true (at lost))) (goal b 50)
    """)
    found = Judge(game, 60).verdicts(game.initial, ["sure", "noop"])["a"]
    assert (found.mark, found.exact, found.lost) == ("", True, 0)
