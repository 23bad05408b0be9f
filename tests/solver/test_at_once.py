"""Counts and tables of games with moves at once: those of each position by itself."""

from __future__ import annotations

from collections import Counter

import pytest

import ggp
from ggp.show.solution import solution_json, solution_text
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


TOGETHER = """
(role a) (role b) (init (at 0))
(<= (legal ?r stay) (role ?r)) (<= (legal ?r go) (role ?r))
(<= gone (does a go) (does b go))
(<= (next (at 0)) (not gone)) (<= (next (at 1)) gone)
(<= terminal (true (at 1)))
(<= (goal a 50) (true (at 1))) (<= (goal b 100) (true (at 1)))
"""


def test_where_best_play_never_ends_there_are_no_goals(tmp_path) -> None:
    """Half of what there is to share was told for goals: 75, where nobody but b has more than 50
    (found by an adversary)."""
    game = ggp.parse(TOGETHER)
    found = game.solve()
    assert isinstance(found, SimultaneousSolution)
    assert found.value(game.initial) is None
    assert (found.result(game.initial), found.outcome(game.initial)) == ("draw", "draw")
    assert found.worth(game.initial) == {"a": 75, "b": 75}
    assert "of a: stay" in solution_text(solution_json(found, game.initial)).plain
    assert dict(ggp.solver.statistics(game).scores) == {(50.0, 100.0): 1, None: 1}
    write_table(tmp_path / "t.csv", game)
    rows = (tmp_path / "t.csv").read_text().splitlines()
    assert rows[1:] == ["0,0,,,,endless,,a: stay 1; b: go 1", "1,1,,50.0,100.0,,,"]


def test_where_only_some_of_best_play_stays_it_has_goals() -> None:
    """a has to leave with b to get anything; who leaves alone has lost."""
    rules = TOGETHER.replace("(does a go) (does b go))", "(does a go))")
    game = ggp.parse(
        rules.replace("(goal a 50)", "(goal a 80)").replace("(goal b 100)", "(goal b 20)")
    )
    found = game.solve()
    assert found.value(game.initial) == {"a": 80, "b": 20}


@pytest.mark.parametrize("steps", [1, 3])
def test_what_leads_to_play_without_end_never_ends_either(steps: int) -> None:
    """Steps that both make, whatever they do, before the position in which they stay."""
    before = "".join(f"(<= (next (at -{n})) (true (at -{n + 1})))" for n in range(1, steps))
    rules = TOGETHER.replace("(init (at 0))", f"(init (at -{steps})) {before}")
    rules = rules.replace(
        "(<= (next (at 0)) (not gone))",
        """(<= (next (at 0)) (true (at -1)))
        (<= (next (at 0)) (true (at 0)) (not gone))""",
    )
    rules = rules.replace("(<= (next (at 1)) gone)", "(<= (next (at 1)) (true (at 0)) gone)")
    game = ggp.parse(rules)
    found = game.solve()
    assert isinstance(found, SimultaneousSolution)
    assert found.value(game.initial) is None
    assert dict(ggp.solver.statistics(game).scores) == {(50.0, 100.0): 1, None: steps + 1}
