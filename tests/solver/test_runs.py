"""Runs of a player's moves: as plays that are written out one by one."""

from __future__ import annotations

from collections import Counter

import pytest

import ggp
from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.limits import Budget, Limits
from ggp.solver import runs as module
from ggp.solver.runs import Runs, runs
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game


def written_out(game: ggp.Game, player: str, moves: int, **options) -> list[Counter]:
    """By the values of all states, play by play."""
    solution = game.solve(**options)
    tree = solution.tree()
    promise = solution.value(game.initial)[player]
    counts = [Counter() for _ in range(moves)]
    todo = [(game.initial, 0)]
    while todo:
        state, made = todo.pop()
        if made == moves or state.terminal:
            continue
        for move, after in dict(tree.moves(state)).items():
            if tree.mover(state) != player:
                todo.append((after, made))
            elif solution.value(after)[player] >= promise:
                counts[made][str(move)] += 1
                todo.append((after, made + 1))
    return counts


def check(game: ggp.Game, player: str, moves: int, **options) -> Runs:
    found = runs(game.solve(**options), player, moves)
    wanted = written_out(game, player, moves, **options)
    assert [{str(m): n for m, n in own.items()} for own in found.counts] == wanted
    return found


@pytest.mark.parametrize(
    ("sheet", "settings", "moves"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}, 2),
        ("kayles/kayles-7.kif", {}, 4),
        ("colouring/colouring.kif.jinja", {"n": 4}, 2),
        ("nim/rows.kif.jinja", {"rows": 2}, 4),
        ("bisimulation/exits.kif", {}, 3),
    ],
)
def test_games_of_the_library(sheet, settings, moves) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    for player in game.players:
        check(game, player, moves)


def test_misere_play() -> None:
    check(ggp.load(GAMES / "kayles/kayles-7.kif"), "left", 3, misere=True)


@pytest.mark.parametrize("seeds", [range(15), *nightly([range(15, 40)])])
def test_random_games_of_opposed_roles(seeds) -> None:
    some = 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        try:
            part = game.solve(method="positions").first_part[1]
        except NotSolvable:
            continue
        # Play that ends, backward in as many moves for both.
        if part.graph.is_zero_sum and (part.values.rank >= 0).all():
            some += 1
            for player in game.players:
                check(game, player, 3, method="positions")
    assert some > 2


@pytest.mark.slow
def test_the_winning_moves_on_a_board_of_six_by_six() -> None:
    """Diaconescu, section 5.2: the first move is always on the grid of odd coordinates, of which
    three are different; with these 828 further moves are found, 831 in all."""
    game = ggp.load(GAMES / "colouring" / "colouring.kif.jinja", n=6)
    solution = game.solve()
    [first] = runs(solution, "benny", 1).counts
    assert {str(m) for m in first} == {f"(square {x} {y})" for x in (1, 3, 5) for y in (1, 3, 5)}
    after = solution.tree().moves(game.initial)
    total = 0
    for move in ("(square 1 1)", "(square 1 3)", "(square 3 3)"):
        [second] = runs(solution, "benny", 1, after[ggp.kif.read_terms(move, "")[0]]).counts
        total += sum(second.values())
    assert total == 828


def test_what_cannot_be_had() -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    solution = game.solve()
    with pytest.raises(UnknownName):
        runs(solution, "nobody", 1)
    with pytest.raises(LimitReached):
        runs(solution, "xplayer", 4, budget=Budget(Limits(positions=100)))
    simultaneous = ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif").solve()
    with pytest.raises(NotSolvable):
        runs(simultaneous, simultaneous.players[0], 1)


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_positions_are_looked_at_ply_by_ply(moves) -> None:
    """Each once for each number of own moves that were made on the way there, and counted once."""
    game = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    solution = game.solve()
    tree = solution.tree()
    for player in game.players:
        promise = solution.value(game.initial)[player]
        layer, looked, met = {(game.initial, 0)}, 0, set()
        while layer:
            looked += len(layer)
            met |= {state for state, _ in layer}
            after = {
                (to, made + (tree.mover(state) == player))
                for state, made in layer
                if not state.terminal
                for to in dict(tree.moves(state)).values()
                if tree.mover(state) != player or solution.value(to)[player] >= promise
            }
            layer = {(to, made) for to, made in after if made < moves}
        told: list[tuple[int, int]] = []
        found = runs(solution, player, moves, progress=lambda *both, to=told: to.append(both))
        assert found.positions == len(met)
        assert [now for _, now in told] == [*range(1, looked + 1)]
        assert all(now <= most for most, now in told)
        data = found.as_json()
        assert (data["player"], data["promise"], data["positions"]) == (player, promise, len(met))
        for number, (own, counts) in enumerate(zip(data["moves"], found.counts, strict=True), 1):
            assert own["number"] == number
            assert own["plays"] == sum(counts.values())
            # Those that are made most come first.
            assert [*own["counts"].values()] == sorted(counts.values(), reverse=True)


def test_plays_that_go_on_are_followed_so_far(monkeypatch) -> None:
    """A player who waits while the other goes round."""
    text = """(role a) (role b) (init (turn b)) (legal b go) (legal b stop) (legal a wait)
        (<= (next (turn b)) (does b go)) (<= (next over) (does b stop))
        (<= terminal (true over)) (goal a 100) (goal b 0)"""
    monkeypatch.setattr(module, "MAX_PLIES", 7)
    solution = ggp.parse(text).solve(method="positions")
    with pytest.raises(LimitReached, match="plays go on") as told:
        runs(solution, "a", 1)
    assert "7" in str(told.value)


def test_positions_are_counted_once() -> None:
    """Some are come to at two moves; where all moves count, as in the graph of plays."""
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[6], take=[1, 2])
    solution = game.solve(method="positions")
    for player in game.roles:
        found = runs(solution, player, 10)
        assert found.positions == solution.plays(player).positions
    assert runs(solution, "left", 10).positions == 12


def test_moves_that_keep_a_promise_may_go_round() -> None:
    """A robot that may stay where it is, as the graph of the same plays says."""
    text = """(role robot) (init (at 0))
        (<= (legal robot stay) (true (at 0))) (<= (legal robot go) (true (at 0)))
        (<= (next (at 0)) (does robot stay)) (<= (next (at 1)) (does robot go))
        (<= terminal (true (at 1)))
        (<= (goal robot 100) (true (at 1))) (<= (goal robot 0) (true (at 0)))"""
    solution = ggp.parse(text).solve()
    for found in (runs(solution, "robot", 3), solution.plays("robot")):
        assert (found.promise, found.may_be_endless) == (100, True)
    ended = ggp.parse(text.replace("(next (at 0)) (does", "(next (at 1)) (does"))
    assert not runs(ended.solve(), "robot", 3).may_be_endless
