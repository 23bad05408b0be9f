"""Search in which positions are compared by moves: the same values, from fewer positions."""

from __future__ import annotations

import pytest

import ggp
from ggp.errors import NotSolvable
from ggp.solver import SearchSolution, positions, verify
from ggp.solver.folding import Folding
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.search import searching, solution
from tests.analysis.filling import filling_game
from tests.analysis.test_dominance import BEGINS, DOTS, MISLEADING, order_of, taking
from tests.conftest import GAMES, nightly
from tests.solver.test_search import check, searched


@pytest.mark.parametrize("seeds", [range(0, 40, 10), *nightly([range(5, 400)])])
def test_games_made_at_random(seeds) -> None:
    some = 0
    for seed in seeds:
        game = ggp.parse(filling_game(seed))
        for misere in (False, True):
            some += order_of(game, misere=misere) is not None
            check(game, misere=misere, folding=Folding.of(game))
    assert some > len(seeds) // 4


@pytest.mark.parametrize("moves", [DOTS, BEGINS, *MISLEADING.values()])
def test_games_in_which_moves_may_mislead(moves) -> None:
    check(taking(moves.rstrip()))


@pytest.mark.parametrize(
    ("sheet", "settings", "words"),
    [
        ("colouring/colouring.kif.jinja", {"n": 4}, 1),
        ("domineering/domineering.kif.jinja", {"rows": 3, "columns": 4}, 1),
        ("nim/rows.kif.jinja", {"heaps": [11, 11, 11]}, 2),
    ],
)
def test_up_to_symmetry_as_well(sheet, settings, words) -> None:
    """What stands for a position and its images has a bit for each move that counts."""
    game = ggp.load(GAMES / sheet, **settings)
    order = order_of(game)
    bits = sum(map(len, (order.equal, order.more, order.fewer)))
    assert -(-bits // 64) == words
    assert "symmetries, positions compared" in searched(game, folding=Folding.of(game)).method
    check(game, folding=Folding.of(game))


def test_what_is_no_better_is_left_out(monkeypatch) -> None:
    game = ggp.load(GAMES / "colouring" / "colouring.kif.jinja", n=5)
    fewer = searched(game)
    monkeypatch.setattr(solution, "find_order", lambda *_: None)
    every = searched(game)
    assert fewer.value(game.initial) == every.value(game.initial)
    assert fewer.best(game.initial) == every.best(game.initial)
    assert 10 * fewer.positions < every.positions


def five() -> ggp.Game:
    """Board colouring of some thousands of positions."""
    return ggp.load(GAMES / "colouring" / "colouring.kif.jinja", n=5)


def test_where_the_moves_of_one_player_are_enough_search_comes_before_many_layers(
    monkeypatch,
) -> None:
    """Layers answer for all positions: up to so many they come before a long search."""
    monkeypatch.setattr(positions, "SOON", 1_000)
    monkeypatch.setattr(positions, "ALONE", 1_000)
    found = five().solve()
    assert isinstance(found, SearchSolution)
    assert found.reason == "many positions are no better than others"
    monkeypatch.setattr(positions, "COMPARED", (1, 50_000_000))
    monkeypatch.setattr(searching, "SLICE", 1)
    monkeypatch.setattr(positions, "ALONE", 500)
    every = five().solve()
    assert isinstance(every, LayerSolution)
    # Up to symmetry no more were looked for.
    assert every.reason.startswith("more than 500 positions, ")
    monkeypatch.setattr(positions, "LAYERED", 1_000)
    again = five().solve()
    assert isinstance(again, SearchSolution)
    assert again.value(again.game.initial) == every.value(every.game.initial)
    assert found.value(found.game.initial) == every.value(every.game.initial)
    # By the moves of both few positions are alike.
    with pytest.raises(NotSolvable, match="of one player"):
        searched(ggp.load(GAMES / "col" / "col.kif.jinja"), at_most=1_000)
    monkeypatch.setattr(positions, "COMPARED", (1, 1))
    assert isinstance(five().solve(), LayerSolution)


def test_strategies_lead_on_through_positions_that_moves_lead_to(monkeypatch) -> None:
    """However far from the first position, without looking for the way there."""
    game = ggp.load(GAMES / "colouring" / "colouring.kif.jinja", n=4)
    found = searched(game)
    monkeypatch.setattr(solution, "NEAR", 0)
    assert verify(found.strategy("rebecca")).ok
    assert verify(found.strategy("benny")).ok
