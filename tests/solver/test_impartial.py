"""Impartial games whose outcomes theory tells: heaps (Bouton 1901) and rows that fall apart."""

from __future__ import annotations

from functools import cache

import pytest

import ggp
from ggp.analysis import Heap
from ggp.analysis.boards.boards import Boards
from ggp.game import State
from ggp.ground import Group
from ggp.kif import Term, read_terms
from ggp.show.solution import solution_json
from ggp.solver.impartial import HeapSizes, under
from ggp.solver.nim import HeapSolution, SummandSolution
from ggp.solver.pieces import kernels, settling, store, writing
from ggp.solver.splitting import Splitter
from tests.analysis.test_octal import BEFORE, NEXT, ONE, row
from tests.conftest import GAMES
from tests.solver.plain import plain

pytestmark = pytest.mark.filterwarnings("ignore:overflow")


@pytest.mark.parametrize(
    ("form", "misere", "played"),
    [
        ("normal", False, "normal"),
        ("normal", True, "misère"),
        ("misère", False, "misère"),
        ("misère", True, "normal"),
        ("other", False, None),
        ("other", True, None),
        (None, False, None),
        (None, True, None),
    ],
)
def test_goals_that_are_exchanged_turn_one_form_into_the_other(form, misere, played) -> None:
    assert under(form, misere=misere) == played


UNEVEN = """(role left) (role right) (init (control left)) (init (heap 4)) (init (lamp on))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal ?p (take 1)) (true (control ?p)) (true (heap ?n)) (succ ?m ?n))
    (<= (legal ?p (take 2)) (true (control ?p)) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (heap ?m)) (true (heap ?n)) (succ ?m ?n) (does ?p (take 1)))
    (<= (next (heap ?k)) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m) (does ?p (take 2)))
    (<= (next (lamp ?x)) (true (lamp ?x)))
    (<= (next (control left)) (true (control right)))
    (<= (next (control right)) (true (control left)))
    (<= terminal (true (heap 0)))
    (<= (goal left 90) (true (control right))) (<= (goal left 10) (true (control left)))
    (<= (goal right 60) (true (control left))) (<= (goal right 20) (true (control right)))"""
"""Take one or two of four; who takes the last wins. Each role has goals of its own."""


def heap(game, pattern: str, size: int, takes) -> Heap:
    names = {str(fluent): i for i, fluent in enumerate(game.net.fluents)}
    [shape] = read_terms(pattern, "a heap")
    at = [names.get(pattern.replace("?", str(n))) for n in range(size + 1)]
    elements = tuple(Term(str(n)) for n in range(size + 1))
    return Heap(shape, elements, tuple(at), size, takes)


def test_a_state_that_is_no_sum_is_told_to_be_searched() -> None:
    """It was told to be solved by nim-values, of which it has none (found by an adversary)."""
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[4, 5])
    state = game.state([*map(str, game.initial.facts), "(heap 1 3)"])
    found = game.solve()
    assert isinstance(found, HeapSolution)
    odd, plain = solution_json(found, state), solution_json(found, game.initial)
    assert plain["method"] == "sum of heaps by nim-values"
    assert odd["method"] == "backward induction"
    assert (odd["nim_value"], odd["engine"]) == (None, "numpy")


def solved(game, heaps, *, misere: bool = False) -> HeapSolution:
    return HeapSolution(
        game, heaps, lambda: game.solve(method="positions", misere=misere), misere=misere
    )


def nim(*sizes: int, is_misere: bool = False) -> tuple[ggp.Game, list[Heap]]:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", heaps=list(sizes), misere=is_misere)
    takes = {n: tuple(range(1, n + 1)) for n in range(max(sizes) + 1)}
    own = [{n: t for n, t in takes.items() if n <= size} for size in sizes]
    return game, [heap(game, f"(row {i + 1} ?)", n, own[i]) for i, n in enumerate(sizes)]


def two_or_one() -> tuple[ggp.Game, list[Heap]]:
    game = ggp.parse(UNEVEN)
    return game, [heap(game, "(heap ?)", 4, {0: (), 1: (1,), 2: (1, 2), 3: (1, 2), 4: (1, 2)})]


def position(game, mover: str, *sizes: int) -> ggp.State:
    rows = [f"(row {i + 1} {n})" for i, n in enumerate(sizes)]
    return game.state([*rows, f"(control {mover})"])


@pytest.mark.parametrize(
    ("sizes", "mover", "nim_value", "best"),
    [
        ((3, 2), "left", 1, ["(take 1 1)"]),
        ((2, 2), "left", 0, ["(take 1 1)", "(take 1 2)", "(take 2 1)", "(take 2 2)"]),
        ((3, 1), "right", 2, ["(take 1 2)"]),
        ((0, 2), "right", 2, ["(take 2 2)"]),
        ((1, 0), "left", 1, ["(take 1 1)"]),
        ((1, 1), "right", 0, ["(take 1 1)", "(take 2 1)"]),
        ((0, 0), "left", 0, []),
    ],
)
def test_nim_of_two_rows(sizes, mover, nim_value, best) -> None:
    """The nim-value is the exclusive or of the sizes; a move to one of 0 wins, if there is one."""
    game, heaps = nim(3, 2)
    solution, state = solved(game, heaps), position(game, mover, *sizes)
    other = {"left": "right", "right": "left"}[mover]
    winner = mover if nim_value else other
    assert solution.nim_value(state) == nim_value
    assert solution.is_lost(state) == (nim_value == 0)
    assert solution.value(state) == {r: 100 if r == winner else 0 for r in game.roles}
    assert list(map(str, solution.best(state))) == best
    assert solution.to_move(state) == mover
    assert solution.mover(state) == (mover if best else None)
    if best:
        assert str(solution.progress(state)) == best[0]
    assert (solution.positions, solution.seconds) == (4 + 3, 0.0)
    assert solution.heaps == tuple(heaps)


@pytest.mark.parametrize(
    ("size", "mover", "is_lost", "value"),
    [
        (4, "left", False, {"left": 90, "right": 20}),
        (4, "right", False, {"left": 10, "right": 60}),
        (3, "left", True, {"left": 10, "right": 60}),
        (3, "right", True, {"left": 90, "right": 20}),
        (0, "left", True, {"left": 10, "right": 60}),
        (1, "right", False, {"left": 10, "right": 60}),
    ],
)
def test_who_wins_has_their_best_goal_and_who_loses_the_least(size, mover, is_lost, value) -> None:
    game, heaps = two_or_one()
    state = game.state([f"(heap {size})", "(lamp on)", f"(control {mover})"])
    solution = solved(game, heaps)
    assert solution.is_lost(state) == is_lost
    assert solution.value(state) == value


def test_exchanged_goals_are_those_of_the_other_role() -> None:
    """A misère sheet of which the goals are exchanged is played normally."""
    game, heaps = nim(3, 2, is_misere=True)
    solution = solved(game, heaps, misere=True)
    assert solution.value(game.initial) == {"left": 100, "right": 0}
    assert solution.value(position(game, "right", 2, 2)) == {"left": 100, "right": 0}
    game, heaps = two_or_one()
    # The goals that right has in the sheet are what left gets.
    state = game.state(["(heap 4)", "(lamp on)", "(control left)"])
    assert solved(game, heaps, misere=True).value(state) == {"left": 60, "right": 10}


@pytest.mark.parametrize(
    ("facts", "sizes"),
    [
        (["(heap 4)", "(lamp on)", "(control left)"], [4]),
        (["(heap 0)", "(lamp on)", "(control right)"], [0]),
        (["(heap 2)", "(lamp on)"], [2]),  # whoever is to move
        (["(heap 3)", "(lamp on)", "(control left)", "(control right)"], [3]),
        (["(heap 4)", "(control left)"], None),  # something beside the heaps has gone
        (["(heap 4)", "(heap 1)", "(lamp on)", "(control left)"], None),  # of two sizes
        (["(lamp on)", "(control left)"], None),  # of none
    ],
)
def test_the_sizes_of_heaps(facts, sizes) -> None:
    game, heaps = two_or_one()
    assert HeapSizes(game, heaps).sizes(game.state(facts)) == sizes


def test_the_first_fluent_beside_the_heaps_is_looked_at_as_well() -> None:
    text = UNEVEN.replace("control", "turn").replace("lamp", "a").replace("heap", "size")
    game = ggp.parse(text)
    assert str(game.net.fluents[0]).startswith("(a ")
    own = [heap(game, "(size ?)", 4, {0: (), 1: (1,), 2: (1, 2), 3: (1, 2), 4: (1, 2)})]
    sizes = HeapSizes(game, own)
    assert sizes.sizes(game.initial) == [4]
    assert sizes.sizes(State(game, game.initial.bits ^ 1)) is None


def test_a_size_that_does_not_arise_is_none() -> None:
    game, [whole] = two_or_one()
    part = Heap(whole.shape, whole.elements, whole.fluents, 4, {0: (), 2: (2,), 4: (2,)})
    sizes = HeapSizes(game, [part])
    states = [game.state([f"(heap {n})", "(lamp on)", "(control left)"]) for n in range(5)]
    assert [sizes.sizes(state) for state in states] == [[0], None, [2], None, [4]]


def test_other_states_are_searched() -> None:
    """Of states that proofs are not about nothing is said; a search is made for them, once."""
    game, heaps = two_or_one()
    dark = game.state(["(heap 4)", "(control left)"])
    asked = []

    def search():
        asked.append(dark)
        return game.solve(method="positions", starts=[dark])

    solution = HeapSolution(game, heaps, search)
    assert solution.nim_value(dark) is None
    assert solution.is_lost(dark) is None
    assert asked == []
    assert solution.value(dark) == {"left": 90, "right": 20}
    assert list(map(str, solution.best(dark))) == ["(take 1)"]
    assert len(asked) == 1
    nobody = game.state(["(heap 4)", "(lamp on)"])
    assert solution.nim_value(nobody) is None
    assert solution.to_move(nobody) is None


DAWSON = [0, 1, 1, 2, 0, 3, 1, 1, 0]
"""Nim-values of Dawson's Chess (0.137) from length 0 (Winning Ways, chapter 4)."""


@cache
def dawson() -> ggp.Game:
    return ggp.parse(row(8, "(<= (may ?x) (true (on ?x)))", ONE + NEXT + BEFORE))


def by_pieces(game, monkeypatch, groups=()) -> SummandSolution:
    monkeypatch.setattr(store, "kernels", plain(settling, writing, kernels))
    splitter = Splitter(Boards(game.net, game.marker, 10), [0])
    return SummandSolution(
        game, splitter, list(groups), lambda: game.solve(method="positions"), 0.0
    )


@pytest.mark.parametrize("runs", [[8], [3, 4], [1, 1, 1], [2, 5], [1, 2, 3], []])
def test_the_runs_of_a_row_are_summands(runs, monkeypatch) -> None:
    game = dawson()
    solution = by_pieces(game, monkeypatch)
    facts, at, nim_value = ["(control p)"], 1, 0
    for length in runs:
        facts += [f"(on {n})" for n in range(at, at + length)]
        at += length + 1
        nim_value ^= DAWSON[length]
    state = game.state(facts)
    assert solution.nim_value(state) == nim_value
    assert solution.is_lost(state) == (nim_value == 0)
    winner = "q" if nim_value == 0 else "p"
    assert solution.value(state) == {r: 100 if r == winner else 0 for r in game.roles}
    assert 0 < solution.positions <= 8 or not runs


def test_what_proofs_rest_on_must_hold(monkeypatch) -> None:
    """Of two tokens that are taken for each other's opposites just one may stand."""
    game = dawson()
    names = {str(fluent): i for i, fluent in enumerate(game.net.fluents)}
    group = Group((names["(on 1)"], names["(on 8)"]), exact=True)
    solution = by_pieces(game, monkeypatch, [group])
    one = game.state(["(control p)", "(on 1)", "(on 4)"])
    both = game.state(["(control p)", "(on 1)", "(on 8)", "(on 4)"])
    neither = game.state(["(control p)", "(on 4)"])
    assert [solution.nim_value(state) for state in (one, both, neither)] == [0, None, None]
    assert solution.is_lost(both) is None
    assert solution.nim_value(game.state(["(on 1)", "(on 4)"])) is None  # nobody's turn


def test_all_moves_of_a_lost_position_are_told_without_making_them(monkeypatch) -> None:
    """Nim 1, 3, 5, 7 is lost for who moves; of 16 moves none need be looked at."""
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4)
    found = game.solve()
    wanted = tuple(sorted(game.initial.legal("left")))

    def unneeded(*_: object) -> None:
        raise AssertionError("made")

    monkeypatch.setattr(ggp.State, "after_each", unneeded)
    assert found.best(game.initial) == wanted
    assert len(wanted) == 16
