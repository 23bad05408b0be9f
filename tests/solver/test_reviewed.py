"""Answers that were wrong once: each of these was found by review or attack, and is held here."""

from __future__ import annotations

import ggp
from ggp import parse, verify
from ggp.solver import HeapSolution
from tests.conftest import GAMES
from tests.solver.test_tree import Table

HEAP = """(role a) (role b) (init (h 5)) (init open) (init (c a))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (take ?n ?m) (succ ?m ?n)) (<= (take ?n ?m) (succ ?m ?k) (succ ?k ?n))
(<= (legal ?p (to ?m)) (true (c ?p)) (true (h ?n)) (take ?n ?m) (true open))
(<= (legal ?p wait) (role ?p) (not (true (c ?p))))
(<= (next (h ?m)) (does ?p (to ?m))) (<= (next open) (true open))
(<= (next (c b)) (true (c a))) (<= (next (c a)) (true (c b)))
(<= some (true open) (true (h ?n)) (take ?n ?m)) (<= terminal (not some))
(<= (goal ?p 0) (true (c ?p))) (<= (goal ?p 100) (role ?p) (not (true (c ?p))))"""


def test_nim_values_answer_only_where_everything_else_is_as_always() -> None:
    game = parse(HEAP)
    solution = game.solve()
    assert isinstance(solution, HeapSolution)
    usual = game.state(["(h 4)", "open", "(c a)"])
    assert (solution.outcome(usual), solution.nim_value(usual)) == ("N", 1)
    closed = game.state(["(h 4)", "(c a)"])
    assert closed.terminal
    assert solution.nim_value(closed) is None
    assert solution.result(closed) == "b"


EXTRA_TURN_HEAP = """(role a) (role b) (init (h 6)) (init (c a))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (take ?n 1 ?m) (succ ?m ?n)) (<= (take ?n 2 ?m) (succ ?m ?k) (succ ?k ?n))
(<= (legal ?p (by ?d)) (true (c ?p)) (true (h ?n)) (take ?n ?d ?m))
(<= (legal ?p wait) (role ?p) (not (true (c ?p))))
(<= (next (h ?m)) (does ?p (by ?d)) (true (h ?n)) (take ?n ?d ?m))
(<= (next (c ?p)) (does ?p (by 2)))
(<= (next (c ?q)) (does ?p (by 1)) (role ?q) (distinct ?p ?q))
(<= some (true (h ?n)) (take ?n ?d ?m)) (<= terminal (not some))
(<= (goal ?p 0) (true (c ?p))) (<= (goal ?p 100) (role ?p) (not (true (c ?p))))"""


def test_extra_turns_are_not_summed_by_nim_values() -> None:
    """A heap of 6 from which 1 or 2 may be taken, taking 2 moves again."""
    game = parse(EXTRA_TURN_HEAP)
    solution = game.solve()
    assert not isinstance(solution, HeapSolution)

    def wins(n: int) -> bool:
        """Whether the player to move wins; who takes the last by 2 is to move again, and loses."""
        return (n >= 1 and not wins(n - 1)) or (n >= 2 and wins(n - 2))

    for n in range(7):
        state = game.state([f"(h {n})", "(c a)"])
        assert (solution.outcome(state) == "N") == wins(n)


CHANCE = """(role random) (role a) (init start) (<= (legal random (roll 1)) (true start))
(<= (legal random (roll 2)) (true start)) (legal a wait)
(<= (next (rolled ?n)) (does random (roll ?n))) (<= terminal (not (true start)))
(goal random 50) (<= (goal a 100) (true (rolled 1))) (<= (goal a 0) (not (true (rolled 1))))"""


def test_chance_has_no_will() -> None:
    game = parse(CHANCE)
    assert game.solve().players == ("a",)
    findings = game.analyse()
    assert findings.value("players") == 1
    assert findings.value("deterministic") is False
    assert "impartial" not in findings


def test_a_draw_without_end_is_not_thrown_away_for_an_end_worth_less() -> None:
    ends = {"poor": {"a": 30, "b": 70}, "best": {"a": 100, "b": 0}, "worst": {"a": 0, "b": 100}}
    tree = Table(
        {"s": ["t", "poor"], "t": ["s", "best"], "u": ["worst"]}, ends, {"t": "b", "u": "a"}
    )
    solution = ggp.solve(tree)
    assert solution.outcome("s") == "draw"
    assert solution.best("s") == ("t",)
    strategy = solution.strategy("a")
    assert strategy.choice["s"] == "t"
    assert (strategy.promise, strategy.may_be_endless) == (50, True)
    assert verify(strategy).ok


def test_strategies_do_not_mix_searches_from_several_roots() -> None:
    ends = {"2": {"a": 0, "b": 100}, "3": {"a": 100, "b": 0}}
    tree = Table({"0": ["1", "3"], "1": ["1", "2"]}, ends, {"0": "b", "1": "b"}, initial="1")
    solution = ggp.solve(tree)
    assert solution.value("1") == {"a": 0, "b": 100}
    strategy = solution.strategy("b", "0")
    assert strategy.promise == 100
    assert verify(strategy).ok


def test_an_indifferent_third_makes_no_winner() -> None:
    """A pile of 7, take 1 or 2, the last of three players to take wins: any of them may."""

    class Pile:
        players = ("x", "y", "z")

        def mover(self, position):
            return self.players[position[1]]

        def moves(self, position):
            left, turn = position
            return {k: (left - k, (turn + 1) % 3) for k in (1, 2) if k <= left}

        def result(self, position):
            left, turn = position
            return None if left else self.players[(turn - 1) % 3]

    solution = ggp.solve(Pile())
    assert solution.unique((2, 0))
    assert solution.result((2, 0)) == "x"
    assert not solution.unique((7, 0))
    assert solution.result((7, 0)) is None


def test_no_goal_is_no_kind_of_outcome() -> None:
    game = parse("(role a) (role b) (legal a x) (legal b x) terminal (goal b 50)")
    findings = game.analyse()
    assert findings.value("playable") is False
    for name in ("outcome_kind", "zero_sum"):
        assert findings[name].certainty == "unknown"


def test_a_second_marker_in_step_is_flipped_with_the_first() -> None:
    text = HEAP.replace("(init (c a))", "(init (c a)) (init (twin 1))") + (
        "(<= (next (twin 2)) (true (twin 1))) (<= (next (twin 1)) (true (twin 2)))"
    )
    text = text.replace("(<= (legal ?p (to ?m))", "(<= (legal ?p (to ?m)) (mine ?p)") + (
        "(<= (mine a) (true (twin 1))) (<= (mine b) (true (twin 2)))"
    )
    findings = parse(text).analyse()
    assert findings.value("impartial") is True
    assert findings.value("all_small") is True


def test_control_passed_on_by_the_waiting_move_where_nobody_has_a_choice() -> None:
    text = """(role a) (role b) (init (h 3)) (init (c a)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?p (to ?m)) (true (c ?p)) (true (h ?n)) (succ ?m ?n))
    (<= (legal ?p sit) (role ?p) (not (true (c ?p))))
    (<= (next (h ?m)) (does ?p (to ?m))) (<= (next (c ?p)) (does ?p sit))
    (<= terminal (true (h 0)))
    (<= (goal ?p 0) (true (c ?p))) (<= (goal ?p 100) (role ?p) (not (true (c ?p))))"""
    game = parse(text)
    findings = game.analyse()
    assert findings.value("form") == "normal"
    assert findings.value("impartial") is True
    assert [heap.subtraction_set for heap in findings.heaps] == [(1,)]
    assert game.solve().outcome(game.initial) == "N"


def test_a_strategy_for_a_puzzle_with_cycles_comes_to_its_end() -> None:
    game = ggp.load(GAMES / "puzzles" / "hanoi.kif.jinja", disks=2)
    strategy = game.solve().strategy(game.roles[0])
    assert verify(strategy).ok
    assert not strategy.may_be_endless
