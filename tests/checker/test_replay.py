"""Single states replayed: tables of two games whose rules are read off by eye."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import pytest

import ggp
from ggp.checker.replay import Replay
from ggp.errors import InputError

GAME = ggp.parse("""(role a) (role b) (init (p 1)) (init (q 1))
(<= (legal a (go ?x)) (true (p ?x)))
(<= (legal b stay) (true (q 1))) (<= (legal b wait) (not (true (q 2))))
(<= (next (p 2)) (true (p 1)) (true (q 1))) (<= (next (p 1)) (true (p 2)))
(<= (next (q 2)) (does a (go 1))) (<= (next (q 1)) (not (does a (go 1))))
(<= (next r) (does b stay) (true (p 1))) (<= (next r) (true r) (does b wait))
(<= (goal a 100) (true (p 1)) (true (q 1))) (<= (goal a 50) (not (true (q 2))))
(<= (goal a 0) (true (p 2))) (<= (goal b 10) (true r)) (goal b 7)
(<= terminal (not (true (q 1))))""")

SHORT = {"p1": "(p 1)", "p2": "(p 2)", "q1": "(q 1)", "q2": "(q 2)", "r": "r"}


def state(words):
    """A state by the short names of its fluents."""
    return frozenset(GAME.net.fluent_index[GAME.term(SHORT[word])] for word in words.split())


def joint(words):
    """A joint move as places among all moves."""
    return [
        own[GAME.term(f"(go {word})" if word.isdigit() else word)]
        for own, word in zip(GAME.net.move_index, words.split(), strict=True)
    ]


GO_1, GO_2, STAY, WAIT = range(4)
"""Moves are sorted by their text, a's first."""


@pytest.mark.parametrize(
    ("held", "of_a", "of_b"),
    [
        ("p1 q1", [GO_1], [STAY, WAIT]),
        ("p2 q1 r", [GO_2], [STAY, WAIT]),
        ("p1 p2 q1 q2", [GO_1, GO_2], [STAY]),
        ("p2 q2", [GO_2], []),
        ("", [], [WAIT]),
        ("q1", [], [STAY, WAIT]),
    ],
)
def test_legal_moves_of_each_role(held, of_a, of_b) -> None:
    assert Replay(GAME.net).legal(state(held)) == [of_a, of_b]


@pytest.mark.parametrize(
    ("held", "is_over"),
    [("p1 q1", False), ("q1 q2", False), ("p1 q2", True), ("r", True), ("", True)],
)
def test_play_is_over_where_the_rules_say_so(held, is_over) -> None:
    assert Replay(GAME.net).is_terminal(state(held)) is is_over


@pytest.mark.parametrize(
    ("held", "of_a", "of_b"),
    [
        ("p1 q1", [50, 100], [7]),
        ("p1 q2", [], [7]),
        ("p1 p2 q1 q2", [0, 100], [7]),
        ("p2 r", [0, 50], [7, 10]),
        ("", [50], [7]),
    ],
)
def test_all_goals_of_each_role(held, of_a, of_b) -> None:
    """None of them, one, or several."""
    assert Replay(GAME.net).goals(state(held)) == [of_a, of_b]


@pytest.mark.parametrize(
    ("held", "moves", "after"),
    [
        ("p1 q1", "1 stay", "p2 q2 r"),
        ("p1 q1", "1 wait", "p2 q2"),
        ("p1 q1 r", "1 wait", "p2 q2 r"),
        ("p2 q1", "2 stay", "p1 q1"),
        # Whether they are legal or not.
        ("p1 q1", "2 wait", "p2 q1"),
        ("p2 q2 r", "1 wait", "p1 q2 r"),
        ("", "2 stay", "q1"),
    ],
)
def test_a_joint_move_leads_to_the_next_state(held, moves, after) -> None:
    assert Replay(GAME.net).next(state(held), joint(moves)) == state(after)


@pytest.mark.parametrize(
    ("path", "states"),
    [
        ([], ["p1 q1"]),
        (["1 wait"], ["p1 q1", "p2 q2"]),
        (["1 stay"], ["p1 q1", "p2 q2 r"]),
    ],
)
def test_a_play_begins_in_the_initial_state(path, states) -> None:
    assert Replay(GAME.net).play(map(joint, path)) == [state(held) for held in states]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ([[GO_2, WAIT]], "not legal"),
        ([[GO_1, GO_1]], "not legal"),
        ([[STAY, GO_1]], "not legal"),
        ([[GO_1, 4]], "not legal"),
        ([[GO_1]], "cannot"),
        ([[]], "cannot"),
        ([[GO_1, WAIT, WAIT]], "cannot"),
        # (q 1) does not hold any more: play is over, though a could still go.
        ([[GO_1, WAIT], [GO_2, WAIT]], "cannot"),
    ],
)
def test_what_is_no_legal_play_is_refused(path, why) -> None:
    with pytest.raises(InputError, match=why):
        Replay(GAME.net).play(path)


def test_what_holds_always_and_never() -> None:
    """Rules without conditions, and what none gives: a has two goals, b none, and no move."""
    game = ggp.parse("""(role a) (role b) (init p) (legal a go) (next q) (<= (next r) (does b go))
        (goal a 7) (goal a 8) terminal""")
    replay, index = Replay(game.net), game.net.fluent_index
    start, after = (frozenset({index[game.term(name)]}) for name in ("p", "q"))
    assert (replay.legal(start), replay.goals(start)) == ([[0], []], [[7, 8], []])
    assert replay.is_terminal(start)
    assert replay.next(start, [0]) == after
    assert replay.play([]) == [start]


def test_play_goes_on_as_long_as_it_may() -> None:
    """A token that goes round, and may leave: after seven steps it is where it was after three."""
    game = ggp.parse("""(role a) (init (at 1)) (nx 1 2) (nx 2 3) (nx 3 4) (nx 4 1)
        (<= (legal a (from ?x)) (true (at ?x))) (legal a leave)
        (<= (next (at ?y)) (does a (from ?x)) (nx ?x ?y)) (<= terminal (not on))
        (<= on (true (at ?x))) (goal a 0)""")
    around = [game.net.move_index[0][game.term(f"(from {x})")] for x in (1, 2, 3, 4, 1, 2, 3)]
    at = [game.net.fluent_index[game.term(f"(at {x})")] for x in (1, 2, 3, 4, 1, 2, 3, 4)]
    leave = game.net.move_index[0][game.term("leave")]
    path = [[move] for move in [*around, leave]]
    assert Replay(game.net).play(path) == [*(frozenset({x}) for x in at), frozenset()]
    with pytest.raises(InputError, match="cannot"):
        Replay(game.net).play([*path, [leave]])


ROADS = ggp.parse("""(role a) (town 1) (town 2) (town 3) (town 4)
(<= (legal a (build ?x ?y)) (town ?x) (town ?y) (distinct ?x ?y))
(<= (next (road ?x ?y)) (does a (build ?x ?y))) (<= (next (road ?x ?y)) (true (road ?x ?y)))
(reach 1) (<= (reach ?y) (reach ?x) (true (road ?x ?y)))
(<= (goal a ?y) (reach ?y)) (<= terminal (not (reach 2)))""")


def reached(roads):
    """The towns that roads lead to from the first one, road by road."""
    found = {1}
    while True:
        more = {y for x, y in roads if x in found} - found
        if not more:
            return found
        found |= more


@pytest.mark.parametrize("seed", range(4))
def test_recursion_takes_the_least_fixpoint(seed) -> None:
    """A way may go through towns in any order; a circle that none leads to is not reached."""
    draw, net = random.Random(seed), ROADS.net
    every = list(permutations((1, 2, 3, 4), 2))
    chains = [[*pairwise(order)] for order in permutations((1, 2, 3, 4))]
    circles = [[(2, 3), (3, 4), (4, 2)], [(3, 2), (2, 3)], [(4, 3), (3, 4), (2, 1)]]
    for roads in [*chains, *circles, *(draw.sample(every, draw.randrange(6)) for _ in range(20))]:
        held = frozenset(net.fluent_index[ROADS.term(f"(road {x} {y})")] for x, y in roads)
        replay, towns = Replay(net), reached(roads)
        assert replay.goals(held) == [sorted(towns)]
        assert replay.is_terminal(held) is (2 not in towns)
