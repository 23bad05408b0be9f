"""Counts and tables of games with moves at once: those of each position by itself."""

from __future__ import annotations

from collections import Counter

import pytest

import ggp
from ggp.solver import write_table
from ggp.solver.simultaneous import SimultaneousSolution
from tests.conftest import GAMES

SCISSORS = GAMES / "simultaneous" / "rock-paper-scissors.kif"

DILEMMA = """
(role row) (role column) (init start)
(move yes) (move no)
(<= (legal ?r ?m) (role ?r) (move ?m))
(<= (next (said ?r ?m)) (does ?r ?m))
(<= terminal (true (said row ?m)))
{goals}
"""
PRISONERS = """
(worth yes yes 70 70) (worth yes no 0 100) (worth no yes 100 0) (worth no no 20 20)
(<= (goal row ?a) (true (said row ?m)) (true (said column ?n)) (worth ?m ?n ?a ?b))
(<= (goal column ?b) (true (said row ?m)) (true (said column ?n)) (worth ?m ?n ?a ?b))
"""


def solution_of(game: ggp.Game) -> SimultaneousSolution:
    found = game.solve()
    assert isinstance(found, SimultaneousSolution)
    return found


def test_counts_are_those_of_the_positions() -> None:
    game = ggp.load(SCISSORS)
    found, solution = ggp.statistics(game), solution_of(game)
    space = game.space()
    states = [ggp.State(game, space.state(place)) for place in range(len(space))]
    scores = Counter(tuple(map(float, solution.exact(state).values())) for state in states)
    assert dict(found.scores) == scores
    assert list(found.scores) == sorted(found.scores, reverse=True)
    assert (found.positions, found.moves) == (len(space), len(space.target))
    assert found.ends == sum(state.terminal for state in states)
    assert sum(found.plies) == found.positions
    # Both may show the same for ever.
    assert (found.shortest, found.longest) == (2, None)
    assert (found.results, found.sides) == ({}, {})


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_has_values_and_best_strategies(suffix, tmp_path) -> None:
    game = ggp.load(SCISSORS)
    solution = solution_of(game)
    file = tmp_path / f"all{suffix}"
    assert write_table(file, game) == solution.positions
    table = ggp.tablebase(file)
    for place in range(len(table)):
        state = game.state(table.facts(place))
        row = table[state]
        assert row["goals"] == solution.value(state)
        mixed = solution.mixed(state)
        assert len(row["best"]) == len(mixed)
        for told, (player, moves) in zip(row["best"], mixed.items(), strict=True):
            name, _, rest = told.partition(": ")
            assert name == player
            assert rest.split(", ") == [f"{move} {p}" for move, p in sorted(moves.items())]


def test_what_is_not_determined_has_no_goals(tmp_path) -> None:
    """Who goes first at a narrow bridge: two equilibria, each better for another."""
    goals = (
        PRISONERS.replace("70 70", "0 0").replace("0 100", "30 100").replace("100 0)", "100 30)")
    )
    for text, open_ in ((PRISONERS, 0), (goals.replace("no no 20 20", "no no 0 0"), 1)):
        game = ggp.parse(DILEMMA.format(goals=text))
        found = dict(ggp.statistics(game).scores)
        assert found.get("open", 0) == open_
        assert sum(found.values()) == 5
        write_table(tmp_path / "all.csv", game)
        row = ggp.tablebase(tmp_path / "all.csv")[game.initial]
        assert (row["goals"] is None, row["best"] == ()) == (bool(open_), bool(open_))


def test_misere_play_is_of_games_in_turn() -> None:
    with pytest.raises(ggp.NotSolvable, match="in turn"):
        ggp.statistics(ggp.load(SCISSORS), misere=True)
