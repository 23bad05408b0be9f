"""How long play lasts: against all plays, and a bound by weights that fall."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims.length import (
    length_bound,
    longest_from,
    longest_play,
    reachable_states,
    shortest_play,
)
from ggp.analysis.evidence import Ranking
from ggp.ground import Group
from ggp.limits import Budget


def walk(edges: dict[int, str], ends: str, extra: str = "") -> Positions:
    """A token on a graph, from 0 on; play ends on some places, and is stuck where none follows."""
    ways = "".join(f"(way {i} {j})" for i, after in edges.items() for j in after)
    over = "".join(f"(over {i})" for i in ends)
    return Positions(
        ggp.parse(f"""(role robot) (init (at 0)) {ways} {over} (over none) {extra}
            (<= (legal robot (go ?j)) (true (at ?i)) (way ?i ?j))
            (<= (next (at ?j)) (does robot (go ?j)))
            (<= terminal (true (at ?i)) (over ?i)) (goal robot 100)"""),
        Budget(),
    )


def lengths(edges: dict[int, str], ends: str, most: int = 12) -> tuple[set[int], set[int]]:
    """Of all plays of so many moves at most that go no further: how long those are that end, and
    those that are stuck; `most` of those that go on."""
    ended, stuck, todo = set(), set(), [(0, 0)]
    while todo:
        place, moves = todo.pop()
        after = [int(j) for j in edges.get(place, "")]
        if str(place) in ends:
            ended.add(moves)
        elif not after or moves == most:
            stuck.add(moves)
        else:
            todo += [(j, moves + 1) for j in after]
    return ended, stuck


@pytest.mark.parametrize(
    ("edges", "ends", "states", "shortest", "longest"),
    [
        ({0: "1", 1: "2"}, "2", 3, 2, 2),
        ({0: "12", 1: "2"}, "2", 3, 1, 2),
        # An end lies on the way; it goes on from there no more.
        ({0: "12", 1: "2", 2: "3", 3: "4"}, "14", 5, 1, 3),
        ({0: "1"}, "0", 1, 0, 0),
        # For ever, or perhaps.
        ({0: "1", 1: "0"}, "", 2, None, None),
        ({0: "12", 1: "0"}, "2", 3, 1, None),
        ({0: "12", 2: "3", 3: "3"}, "1", 4, 1, None),
        # The longest play is stuck, the longest that ends is shorter; or none ends.
        ({0: "12", 2: "3", 3: "4"}, "1", 5, 1, 1),
        ({0: "12", 1: "3", 2: "4", 3: "5", 4: "6", 5: "8", 6: "7"}, "78", 9, 4, 4),
        ({0: "12", 1: "3", 2: "4", 3: "5", 4: "6"}, "56", 7, 3, 3),
        ({0: "12", 1: "3", 2: "4", 3: "5", 5: "6"}, "4", 7, 2, 2),
        ({0: "1", 1: "2"}, "", 3, None, None),
        # Stuck at once.
        ({3: "4"}, "4", 1, None, None),
    ],
)
def test_length_of_play(edges, ends, states, shortest, longest) -> None:
    positions = walk(edges, ends)
    found = reachable_states(positions), shortest_play(positions), longest_play(positions)
    assert [f.value for f in found] == [states, shortest, longest]
    assert [f.property for f in found] == ["reachable_states", "shortest_play", "longest_play"]
    assert {f.certainty for f in found} == {"exhaustive"}
    assert {f.evidence.positions for f in found} == {states}
    ended, stuck = lengths(edges, ends)
    assert shortest == min(ended, default=None)
    if longest is not None:
        assert longest == max(ended)
    elif ended:
        assert max(stuck) == 12


@pytest.mark.parametrize(
    ("edges", "ends", "shortest", "longest"),
    [
        ({0: "12", 1: "2"}, "2", "fewest moves to an end", "most moves until an end"),
        ({0: "12", 1: "0"}, "2", "fewest moves to an end", "play can go on for ever"),
        ({0: "1", 1: "0"}, "", "no end of play can be reached", "play can go on for ever"),
        ({0: "1"}, "", "no end of play can be reached", "no end of play can be reached"),
        ({0: "12"}, "1", "fewest moves to an end", "most moves until an end"),
    ],
)
def test_what_is_told_of_lengths(edges, ends, shortest, longest) -> None:
    positions = walk(edges, ends)
    assert shortest_play(positions).evidence.why.startswith(shortest)
    assert longest_play(positions).evidence.why.startswith(longest)


@pytest.mark.parametrize("seed", range(12))
def test_longest_play_from_each_position(seed) -> None:
    """By the definition, on random graphs; -1 where play can come round."""
    dice = random.Random(seed)
    edges = {}
    for i in range(8):
        others = range(9) if seed % 3 == 0 else range(i + 1, 9)
        edges[i] = "".join(map(str, dice.sample(others, min(len(others), dice.choice((1, 2, 3))))))
    positions = walk(edges, "8")
    space, game = positions.reachable, positions.game

    def longest(place: int, path: tuple[int, ...]) -> float:
        if place in path:
            return float("inf")
        after = [int(j) for j in edges.get(place, "")]
        return max((1 + longest(j, (*path, place)) for j in after), default=0)

    for position, length in enumerate(longest_from(space).tolist()):
        [fact] = game.evaluator.facts(space.state(position))
        wanted = longest(int(str(fact.args[0])), ())
        assert length == (-1 if wanted == float("inf") else wanted)


def tokens(roles: str = "p", start: str = "abc") -> ggp.Game:
    """Fluents a, b, c, d and e, of which some hold at first."""
    listed = "".join(f"(role {r})" for r in roles) + "".join(f"(init {x})" for x in start)
    nexts = "".join(f"(<= (next {x}) (does ?r go) (more {x}))(more {x})" for x in "abcde")
    return ggp.parse(f"""{listed} {nexts} (<= (legal ?r wait) (role ?r))
        (<= (legal ?r go) (role ?r))
        (<= terminal (true e)) (<= (goal ?r 50) (role ?r))""")


@pytest.mark.parametrize(
    ("roles", "weights", "groups", "strict", "passes", "falls", "bound"),
    [
        # From 1 + 2 + 4 to 0; what may still be less is below that.
        ("p", {"a": 1, "b": 2, "c": 4}, [], None, False, 7, 7),
        ("p", {"a": 1, "b": 2, "d": 4}, [], None, False, 3, 3),
        ("p", {"a": 1, "d": -4}, [], None, False, 5, 5),
        ("p", {"a": -1, "d": -4}, [], None, False, 4, 4),
        ("p", {}, [], None, False, 0, 0),
        # At most one of a and d holds, or just one.
        ("p", {"a": 3, "d": -4}, [("ad", False)], None, False, 7, 7),
        ("p", {"a": 3, "d": 1}, [("ad", False)], None, False, 3, 3),
        ("p", {"a": 3, "d": 1}, [("ad", True)], None, False, 2, 2),
        ("p", {"a": 3, "d": -2, "e": -4}, [("ade", False)], None, False, 7, 7),
        ("p", {"a": 3, "d": -2, "e": -4}, [("ad", True)], None, False, 9, 9),
        # One without a weight weighs nothing.
        ("p", {"a": 3}, [("ad", True)], None, False, 3, 3),
        ("p", {"a": 3, "d": 2, "b": 5}, [("ade", True), ("bc", True)], None, False, 8, 8),
        ("p", {"a": 3, "d": 2, "b": 5}, [("ad", True), ("bc", True)], None, False, 6, 6),
        ("p", {"a": 3, "d": 2}, [("bc", True)], None, False, 3, 3),
        # With every move; with those of some of the roles, in whole rounds of turns.
        ("pq", {"a": 5}, [], None, False, 5, 5),
        ("pq", {"a": 5}, [], ("p", "q"), False, 5, 5),
        ("pq", {"a": 5}, [], ("p",), False, 5, 12),
        ("pqr", {"a": 5}, [], ("p",), False, 5, 18),
        ("pqr", {"a": 5}, [], ("p", "q"), False, 5, 9),
        ("pqr", {"a": 4}, [], ("p", "q"), False, 4, 9),
        # Up to one pass less than there are roles, before, between and after five moves.
        ("pq", {"a": 5}, [], None, True, 5, 11),
        ("pqr", {"a": 5}, [], None, True, 5, 17),
    ],
)
def test_bound_of_the_length(roles, weights, groups, strict, passes, falls, bound) -> None:
    game = tokens(roles)
    index = {str(f): i for i, f in enumerate(game.net.fluents)}
    listed = [Group(tuple(index[x] for x in own), exact) for own, exact in groups]
    finding = length_bound(game, listed, Ranking("", weights, strict, passes))
    assert (finding.property, finding.value, finding.certainty) == ("length_bound", bound, "proved")
    assert f" {falls} above" in finding.evidence.why
