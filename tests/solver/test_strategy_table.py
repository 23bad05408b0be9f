"""Strategies on trees that are written out: what is taken from them, and what verifying finds."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import ggp
from ggp.errors import LimitReached, NotSolvable
from ggp.solver.strategy import Strategy, all_plays, extract, verify
from ggp.solver.tree import moves_of
from tests.oracle.random_games import random_game
from tests.solver.test_tree import Table

ENDS = {"win": "a", "lose": "b", "even": "draw"}


def strategy(graph, choice, promise=1.0, endless=False, turn=None, edges=None, root="s"):
    tree = Table(graph, ENDS, turn or {})
    return Strategy(tree, "a", root, promise, endless, choice, edges or {})


@pytest.mark.parametrize(
    ("edges", "is_round"),
    [
        ({"s": []}, False),
        ({"s": "s"}, True),
        ({"s": "t", "t": ""}, False),
        ({"s": "t", "t": "s"}, True),
        ({"s": "tu", "t": "u", "u": ""}, False),
        ({"s": "tt", "t": "uu", "u": ""}, False),
        ({"s": "tu", "t": "u", "u": "t"}, True),
        ({"s": "t", "t": "tu", "u": ""}, True),
        ({"s": "tu", "t": "v", "u": "v", "v": "w", "w": ""}, False),
        ({"s": "tu", "t": "v", "u": "v", "v": "w", "w": "u"}, True),
    ],
)
def test_play_can_come_back_where_there_is_a_circle(edges, is_round) -> None:
    listed = {position: [(to, to) for to in after] for position, after in edges.items()}
    made = strategy({}, {}, edges=listed)
    assert made.goes_round() == is_round
    assert made.positions == len(edges)


TWO = {"s": ["t", "u"], "t": ["win", "v"], "u": ["lose", "win"], "v": ["win", "even"]}


@pytest.mark.parametrize(
    ("choice", "promise", "why", "play"),
    [
        ({"s": "t", "v": "win"}, 1.0, "", ()),
        ({"s": "t", "v": "even"}, 0.5, "", ()),
        ({"s": "t", "v": "even"}, 1.0, "a scores 0.5, promised 1", ("s", "t", "v", "even")),
        ({"s": "u"}, 0.0, "", ()),
        ({"s": "u"}, 0.5, "a scores 0, promised 0.5", ("s", "u", "lose")),
        ({"s": "u"}, None, "", ()),
        ({"s": "t"}, 1.0, "no legal move chosen", ("s", "t", "v")),
        ({"s": "t", "v": "lose"}, 0.0, "no legal move chosen", ("s", "t", "v")),
        ({}, 0.0, "no legal move chosen", ("s",)),
    ],
)
def test_a_promise_is_held_against_all_replies(choice, promise, why, play) -> None:
    """`b` moves at t and u; play is shown up to where it fails."""
    found = verify(strategy(TWO, choice, promise, turn={"t": "b", "u": "b"}))
    assert (found.ok, found.why, found.play) == (not why, why, play)


@pytest.mark.parametrize(
    ("choice", "endless", "ok"),
    [("t", False, False), ("t", True, True), ("win", False, True), ("win", True, True)],
)
def test_play_that_never_ends_must_be_told(choice, endless, ok) -> None:
    graph = {"s": ["t", "win"], "t": ["u", "win"], "u": ["s"]}
    found = verify(strategy(graph, {"s": choice}, 1.0, endless, {"t": "b", "u": "b"}))
    assert found.ok == ok
    if not ok:
        assert (found.why, found.play) == ("play may never end", ("s", "t", "u", "s"))


def test_two_ways_to_a_position_are_no_circle_and_it_is_looked_at_once() -> None:
    """Twenty squares one after the other: a million plays, and 61 positions."""
    graph, looked = {}, []
    for i in range(20):
        graph[f"{i}"] = [f"{i}l", f"{i}r"]
        graph[f"{i}l"] = graph[f"{i}r"] = [f"{i + 1}" if i < 19 else "win"]

    class Counted(Table):
        def result(self, position):
            looked.append(position)
            return super().result(position)

    tree = Counted(graph, ENDS, {position: "b" for position in graph})
    made = extract(tree, "a", "0", lambda _: "never", (1.0, False))
    assert sorted(looked) == sorted([*graph, "win"])
    assert made.positions == 61
    assert made.choice == {}
    assert not made.goes_round()
    looked.clear()
    assert verify(made).ok
    assert verify(made).positions == 61
    assert len(looked) == 2 * 61


def test_a_strategy_holds_one_own_move_and_all_of_others() -> None:
    tree = Table(TWO, ENDS, {"t": "b", "u": "b"})
    made = extract(tree, "a", "s", {"s": "t", "v": "even"}.get, (0.5, False))
    assert (made.promise, made.may_be_endless, made.root) == (0.5, False, "s")
    assert made.choice == {"s": "t", "v": "even"}
    assert made.edges == {
        "s": [("t", "t")],
        "t": [("win", "win"), ("v", "v")],
        "v": [("even", "even")],
        "win": [],
        "even": [],
    }


def test_a_graph_of_plays_holds_all_moves_that_keep_what_was_sure() -> None:
    tree = Table(TWO, ENDS, {"t": "b", "u": "b"})
    made = all_plays(tree, "a", "s", lambda position: position in "tvwin", (1.0, False))
    assert made.choice == {"s": ("t",), "v": ("win",)}
    assert made.edges == {"s": [("t", "t")], "t": [("win", "win"), ("v", "v")],
                          "v": [("win", "win")], "win": []}  # fmt: skip
    assert verify(made).ok
    assert made.chosen("t") == ()
    for choice in ({"s": ("t", "win"), "v": ("win",)}, {"s": ("t",), "v": ()}, {"s": ("t",)}):
        assert verify(replace(made, choice=choice)).why == "no legal move chosen"
    both = replace(made, choice={"s": ("t", "u"), "v": ("win",)})
    assert verify(both).why == "a scores 0, promised 1"


def test_winning_moves_that_can_go_round_are_told() -> None:
    """From each of two positions a win is one move away, and so is the other position."""
    tree = Table({"s": ["t", "win"], "t": ["s", "win"]}, ENDS, {"s": "a", "t": "a"})
    made = all_plays(tree, "a", "s", lambda _: True, (1.0, False))
    assert made.may_be_endless
    assert verify(made).ok
    assert not verify(replace(made, may_be_endless=False)).ok


@pytest.mark.parametrize("kind", ["graphs", "passing", "heaps"])
@pytest.mark.parametrize("seed", range(12))
def test_graphs_of_plays_of_random_games_against_values_of_all_states(seed, kind) -> None:
    game = ggp.parse(random_game(seed, kind))
    try:
        solution = game.solve(positions=2000)
        player = solution.players[0]
        made = solution.plays(player)
    except (LimitReached, NotSolvable):
        pytest.skip("too large, or without a value")
    assert verify(made).ok
    single = solution.strategy(player)
    assert {*single.edges} <= {*made.edges}
    tree = solution.tree()
    promise, _ = solution.secured(game.initial, player)
    for state, moves in made.edges.items():
        if state.terminal:
            assert promise is None or state.goals[player] >= promise
        elif tree.mover(state) == player:
            kept = [
                m for m, s in moves_of(tree, state) if solution.keeps(s, player, (promise, True))
            ]
            assert set(made.choice[state]) <= set(kept)
            assert len(moves) == len(made.choice[state]) > 0
        else:
            assert len(moves) == len(moves_of(tree, state))


def test_no_graph_of_plays_is_made_that_leaves_a_player_without_a_move() -> None:
    """At t both moves may be made for ever, of which none alone says that it is sure of as much."""
    tree = Table({"s": ["t"], "t": ["s", "u"], "u": ["t", "win"]}, ENDS, {"s": "b"})
    with pytest.raises(NotSolvable, match="keeps what was sure"):
        all_plays(tree, "a", "s", lambda position: position == "t", (1.0, True))


@pytest.mark.parametrize("seed", range(30))
def test_verifying_random_strategies_says_what_all_plays_say(seed) -> None:
    """All plays are followed until a position comes up again."""
    rng = random.Random(seed)
    names = [f"p{i}" for i in range(6)]
    graph = {n: rng.sample([*names, *ENDS], rng.randint(1, 3)) for n in names}
    tree = Table(graph, ENDS, {n: rng.choice("ab") for n in names}, initial="p0")
    choice = {n: rng.choice(graph[n]) for n in names}
    ends, is_round, todo = set(), False, [("p0",)]
    while todo:
        play = todo.pop()
        if play[-1] in ENDS:
            ends.add({"win": 1.0, "lose": 0.0, "even": 0.5}[play[-1]])
            continue
        own = tree.mover(play[-1]) == "a"
        for after in [choice[play[-1]]] if own else graph[play[-1]]:
            is_round = is_round or after in play
            if after not in play:
                todo.append((*play, after))
    made = extract(tree, "a", "p0", choice.get, (None, True))
    assert made.goes_round() == is_round
    for promise in (None, 0.0, 0.5, 1.0):
        for endless in (False, True):
            given = Strategy(tree, "a", "p0", promise, endless, choice, {})
            kept = promise is None or min(ends, default=1.0) >= promise
            assert verify(given).ok == (kept and (endless or not is_round))
