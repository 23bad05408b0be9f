"""Each way to solve can be asked for, and all that apply to a game agree in all that they say."""

from __future__ import annotations

import pytest

import ggp
from ggp.errors import IllegalMove, LimitReached, NotSolvable, UnknownName
from ggp.limits import Budget
from ggp.solver import SimultaneousSolution
from ggp.solver.methods import METHODS
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game

APPLY = {
    "kayles/kayles-7.kif": {"heaps", "summands", "positions", "symmetry", "tree"},
    "subtraction/sg-125.kif": {"heaps", "positions", "tree"},
    "tic-tac-toe/tic-tac-toe.kif": {"positions", "symmetry", "tree"},
    "three-players/last-match.kif": {"positions", "tree"},
    "puzzles/lights-out-3x3.kif": {"positions", "symmetry", "tree"},
    "simultaneous/rock-paper-scissors.kif": {"simultaneous"},
}


def said(game: ggp.Game, method: str | None) -> dict[str, object]:
    state = game.initial
    solution = game.solve(method=method, time=600)
    return {
        "value": solution.value(state),
        "outcome": solution.outcome(state),
        "best": solution.best(state),
        "mover": solution.mover(state),
    }


@pytest.mark.parametrize("sheet", APPLY)
def test_all_methods_that_apply_agree(sheet) -> None:
    game = ggp.load(GAMES / sheet)
    expected = said(game, None)
    for method in sorted(APPLY[sheet]):
        assert said(game, method) == expected, method


@pytest.mark.parametrize("sheet", APPLY)
def test_a_method_that_does_not_apply_is_refused(sheet) -> None:
    game = ggp.load(GAMES / sheet)
    for method in {"heaps", "summands", "symmetry"} - APPLY[sheet]:
        if (sheet, method) == ("subtraction/sg-125.kif", "summands"):
            continue  # a sum of heaps is a sum
        with pytest.raises(NotSolvable, match=f"{method}|simultaneous"):
            game.solve(method=method)


@pytest.mark.parametrize("seed", [*range(500, 512), *nightly(range(512, 540))])
def test_methods_agree_on_random_games(seed) -> None:
    game = ggp.parse(random_game(seed), f"random-{seed}")
    answers = {}
    for method in METHODS:
        try:
            answers[method] = said(game, method)
        except (NotSolvable, LimitReached):
            continue
    answers.pop("simultaneous", None)
    values = list(answers.values())
    assert all(value == values[0] for value in values), answers.keys()


def test_games_in_turn_are_simultaneous_games_of_one_row() -> None:
    for sheet in ("kayles/kayles-7.kif", "tic-tac-toe/tic-tac-toe.kif"):
        game = ggp.load(GAMES / sheet)
        at_once = SimultaneousSolution(game, game.space(), Budget())
        assert at_once.value(game.initial) == game.solve().value(game.initial)
        assert at_once.mover(game.initial) == game.roles[0]
        assert set(at_once.best(game.initial)) <= set(game.solve().best(game.initial))
    game = ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif")
    assert game.solve().mover(game.initial) is None


def test_reasons_and_names() -> None:
    game = ggp.load(GAMES / "subtraction" / "sg-125.kif")
    assert "heaps" in game.solve().reason
    assert "asked" in game.solve(method="positions").reason
    with pytest.raises(UnknownName, match="no method magic"):
        game.solve(method="magic")


@pytest.mark.parametrize(
    "method", ["heaps", "summands", "positions", "layers", "alpha-beta", "proof-numbers"]
)
def test_where_play_is_over_there_is_no_best_move_to_make(method) -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2)
    found, state = game.solve(method=method), game.initial
    while not state.terminal:
        state = state.play(found.progress(state))
    with pytest.raises(IllegalMove, match="over"):
        found.progress(state)
