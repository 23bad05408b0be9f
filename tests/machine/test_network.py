"""Positions as a graph of networkx, against the states of the game."""

from __future__ import annotations

import sys
from itertools import product

import pytest

import ggp
import ggp.games
from ggp import InputError, LimitReached
from tests.solver.test_chance import LOTTERY

networkx = pytest.importorskip("networkx")

NAMES = (
    "nim/rows",
    "puzzles/hanoi",
    "simultaneous/rock-paper-scissors",
    "three-players/last-match",
)


def joint_moves(state: ggp.State) -> list[dict[str, str]]:
    roles = state.game.roles
    moves = ([] if state.terminal else map(str, state.legal(role)) for role in roles)
    return [dict(zip(roles, joint, strict=True)) for joint in product(*moves)]


@pytest.mark.parametrize("name", [*NAMES, "lottery"])
def test_the_graph_is_that_of_the_rules(name) -> None:
    game = ggp.parse(LOTTERY) if name == "lottery" else ggp.games.load(name)
    graph = game.space().networkx(attributes=["depth", "terminal", "goals", "facts"])
    assert graph.graph["roles"] == game.roles
    assert graph.nodes[0]["facts"] == tuple(map(str, game.initial.facts))
    shortest = networkx.single_source_shortest_path_length(graph, 0)
    for node, data in graph.nodes(data=True):
        state = game.state(data["facts"])
        assert data["terminal"] == state.terminal
        assert data.get("goals") == (state.goals if state.terminal else None)
        assert data["depth"] == shortest[node]
        made = [(moves, after) for _, after, moves in graph.out_edges(node, data="moves")]
        assert sorted(str(m) for m, _ in made) == sorted(map(str, joint_moves(state)))
        for moves, after in made:
            assert tuple(map(str, state.play(moves).facts)) == graph.nodes[after]["facts"]


def test_longest_paths_are_longest_plays() -> None:
    game = ggp.games.load("kayles/kayles-7")
    graph = game.space().networkx()
    assert networkx.dag_longest_path_length(graph) == game.analyse(only="longest_play").value(
        "longest_play"
    )
    assert set(graph.nodes[0]) == {"terminal"}


def test_what_a_graph_cannot_be_is_told(monkeypatch) -> None:
    space = ggp.games.load("nim/rows").space()
    with pytest.raises(LimitReached, match="graph = 100"):
        space.networkx(most=100)
    with pytest.raises(InputError, match="no attribute colour"):
        space.networkx(attributes=["colour"])
    with pytest.raises(TypeError, match="list"):
        space.networkx(attributes="facts")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(InputError, match=r"pip install 'ggp\[exchange\]'"):
        space.networkx()
