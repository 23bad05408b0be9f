"""Misère play by quotients: what all positions, worked backward, say as well."""

from __future__ import annotations

import pickle

import pytest

import ggp
from ggp.errors import LimitReached, NotSolvable
from ggp.solver import GameSolution, HeapSolution
from ggp.solver import quotient as module
from ggp.solver.any_heap import any_heaps
from ggp.solver.quotient import MisereHeapSolution, MisereSummandSolution, TameHeapSolution
from ggp.solver.smaller import MORE
from ggp.theory import WildHeap, nim_sum
from tests.conftest import GAMES


def check(game: ggp.Game, method: str, *, misere: bool = True) -> ggp.Solution:
    """Of all positions of legal play the value, who is to move, and the best moves."""
    found = game.solve(method=method, misere=misere)
    space = game.space()
    whole = GameSolution(game, space, misere=misere)
    for place in range(0, len(space), 1 + len(space) // 500):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "mover", "to_move", "best", "outcome", "result"):
            assert getattr(found, ask)(state) == getattr(whole, ask)(state), (str(state), ask)
    return found


@pytest.mark.parametrize(
    ("sheet", "settings", "order"),
    [
        ("nim/rows.kif.jinja", {"rows": 3}, 10),
        ("subtraction/sg-125.kif", {}, 6),
        ("subtraction/sg-12-15.kif", {}, 6),
        ("subtraction/sg-157-floor-2.kif", {}, 2),
    ],
)
def test_heaps(sheet, settings, order) -> None:
    """Tame quotients: of order 2 (only 0 and 1), 6, 10 (Plambeck and Siegel 2008, section 5)."""
    found = check(ggp.load(GAMES / sheet, **settings), "heaps")
    assert isinstance(found, MisereHeapSolution)
    assert found.quotient.order == order


@pytest.mark.parametrize("heaps", [[17, 2, 1], [18, 17]])
def test_heaps_of_which_much_can_be_taken_are_known_by_genera(heaps) -> None:
    found = check(ggp.load(GAMES / "nim" / "rows.kif.jinja", heaps=heaps), "heaps")
    assert isinstance(found, TameHeapSolution)


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [("nim/rows.kif.jinja", {"rows": 3}), ("subtraction/sg-12-15.kif", {})],
)
def test_genera_and_quotients_say_the_same(sheet, settings, monkeypatch) -> None:
    monkeypatch.setattr(module, "WIDE", 0)
    found = check(ggp.load(GAMES / sheet, **settings), "heaps")
    assert isinstance(found, TameHeapSolution)


def test_where_a_heap_is_wild_a_quotient_is_found(monkeypatch) -> None:
    def wild(*_: object, **__: object) -> None:
        raise WildHeap

    monkeypatch.setattr(module, "WIDE", 0)
    monkeypatch.setattr(module, "TameHeaps", wild)
    found = check(ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=3), "heaps")
    assert isinstance(found, MisereHeapSolution)


def test_misere_play_of_many_heaps_is_known_by_fewer() -> None:
    """Nim is lost under misère play where the exclusive or is 0 and a heap of two or more is left,
    or it is 1 and none is (C. Bouton 1901)."""
    heaps = [3] * 19 + [1, 2, 2]
    sheet = ggp.load(GAMES / "nim" / "rows.kif.jinja", heaps=heaps, misere=True)
    found = sheet.solve()
    assert isinstance(found, TameHeapSolution | MisereHeapSolution)
    assert found.reason == MORE
    winning = {
        f"(take {row + 1} {amount})"
        for row, size in enumerate(heaps)
        for amount in range(1, size + 1)
        if nim_sum([*heaps[:row], size - amount, *heaps[row + 1 :]]) == 0
    }
    assert {str(move) for move in found.best(sheet.initial)} == winning


def test_a_sheet_whose_own_form_is_misere() -> None:
    """{1, 2, 3}: heaps of 1, 5, 9, … are lost; with goals exchanged it is normal play."""
    game = ggp.load(GAMES / "subtraction" / "sg-123-21-misere.kif")
    found = check(game, "heaps", misere=False)
    assert isinstance(found, MisereHeapSolution)
    assert found.outcome(game.initial) == "P"
    exchanged = check(game, "heaps", misere=True)
    assert isinstance(exchanged, HeapSolution)
    assert exchanged.nim_value(game.initial) == 1


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("kayles/kayles-7.kif", {}),
        ("kayles/kayles.kif.jinja", {"n": 12}),
        ("nim/rows.kif.jinja", {"rows": 3}),
    ],
)
def test_summands(sheet, settings) -> None:
    found = check(ggp.load(GAMES / sheet, **settings), "summands")
    assert isinstance(found, MisereSummandSolution)


@pytest.mark.slow
def test_kayles_of_thirty_is_solved_by_itself() -> None:
    """2,178,309 positions would be too many to be the first thing to try; order 40 at the end
    (W. Sibert and J. Conway, "Mathematical Kayles", Int. J. Game Theory 20, 1992)."""
    game = ggp.load(GAMES / "kayles" / "kayles.kif.jinja", n=30)
    found = game.solve(misere=True)
    assert isinstance(found, MisereSummandSolution)
    assert (found.quotient.order, len(found.quotient.lost)) == (40, 9)
    assert found.outcome(game.initial) == "N"
    again = pickle.loads(pickle.dumps(found))
    assert again.best(game.initial) == found.best(game.initial)


def test_where_no_quotient_is_found_positions_are_searched(monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_SUMS", 10)
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4)
    with pytest.raises(LimitReached, match="of a misère quotient"):
        game.solve(misere=True, method="heaps")
    assert isinstance(game.solve(misere=True), GameSolution)


def test_what_is_no_impartial_sum_is_refused() -> None:
    for name in ("tic-tac-toe/tic-tac-toe.kif", "domineering/domineering-3x4.kif"):
        for method in ("heaps", "summands"):
            with pytest.raises(NotSolvable, match="no proof"):
                ggp.load(GAMES / name).solve(misere=True, method=method)


@pytest.mark.slow
def test_heaps_of_any_size() -> None:
    """As longer sheets say; and of heaps beyond all chains by their residues of 4."""
    sheet = GAMES / "subtraction" / "subtraction.kif.jinja"
    proved = any_heaps(ggp.load(sheet, heaps=[5, 4], take=[1, 2, 3], floor=0), misere=True)
    for sizes in ((15, 13), (17, 18), (21, 1)):
        longer = ggp.load(sheet, heaps=list(sizes), take=[1, 2, 3], floor=0)
        solution = longer.solve(method="positions", misere=True)
        found = proved.of(sizes)
        assert found.outcome == solution.outcome(longer.initial)
        assert found.goals == solution.value(longer.initial)
        if found.outcome == "N":
            wanted = sorted(f"(move {i + 1} {sizes[i] - d})" for i, d in found.best)
            assert [str(move) for move in solution.best(longer.initial)] == wanted
    assert proved.of([10**18 + 1, 0]).outcome == "P"
    assert proved.of([10**18 + 2, 0]).best == [(0, 1)]
    assert proved.of([10**18 + 1, 10**20 + 1]).outcome == "N"
    assert proved.of([10**18, 10**20]).outcome == "N", "as of no heaps"
