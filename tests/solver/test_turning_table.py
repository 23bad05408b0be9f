"""Whose turn it is in packed positions: of whoever has a choice, or else as the rules tell."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
from ggp.errors import NotSolvable
from ggp.solver.layers import kernels, turning
from ggp.solver.layers.turning import Turning

FORCED, OVER = kernels.FORCED, kernels.OVER

MARKED = """(role a) (role b) (init (n 0)) (init (control a)) (s 0 1) (s 1 2)
(<= (legal ?p x) (true (control ?p))) (<= (legal ?p y) (true (control ?p)))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= terminal (true (n 2)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(goal a 50) (goal b 50)"""
"""The roles move in turn."""

OPEN = """(role a) (role b) (init (n 0)) (s 0 1) (s 1 2) (legal a x) (legal b x)
(<= (legal a y) (true (n 0))) (<= (legal b y) (true (n 1)))
(<= (next (n ?y)) (true (n ?x)) (s ?x ?y) (does a x)) (<= (next (n 2)) (does a y))
(<= terminal (true (n 2))) (goal a 50) (goal b 50)"""
"""Nothing tells whose turn it is but who has a choice."""

ALONE = "(role a) (init p) (legal a x) (<= terminal (not (true p))) (goal a 1)"


def told(game: ggp.Game, *positions: tuple[tuple[str, ...], int]) -> list[int]:
    """The players whose turn it is in states of some fluents, with who has a choice."""
    names = [str(fluent) for fluent in game.net.fluents]
    states = [sum(1 << names.index(text) for text in texts) for texts, _ in positions]
    rows = game.packed_machine.rows(states)
    mover = np.array([mover for _, mover in positions], dtype=np.int16)
    kept = mover.copy()
    found = Turning(game)(rows, mover)
    assert np.array_equal(mover, kept)
    return [int(player) for player in found]


A, B = ("(control a)", "(n 1)"), ("(control b)", "(n 1)")


def test_where_nobody_has_a_choice_the_rules_tell() -> None:
    """At the end as well, where it is nobody's choice."""
    game = ggp.parse(MARKED)
    assert game.turns is not None
    assert told(game, (A, 0), (B, 1), (A, 1), (B, 0)) == [0, 1, 1, 0]
    assert told(game, (A, FORCED), (B, FORCED), (A, OVER), (B, OVER)) == [0, 1, 0, 1]
    assert told(game, (B, OVER), (A, FORCED), (B, 0)) == [1, 0, 0]


def test_where_the_rules_tell_nothing_it_is_the_turn_of_who_has_a_choice() -> None:
    game = ggp.parse(OPEN)
    assert game.turns is None
    places = [(f"(n {n})",) for n in range(3)]
    assert told(game, (places[0], 0), (places[1], 1)) == [0, 1]
    assert told(game, (places[0], FORCED), (places[2], OVER)) == [-1, -1]


def test_who_plays_alone_has_every_turn_but_at_the_end() -> None:
    game = ggp.parse(ALONE)
    assert told(game, (("p",), 0), (("p",), FORCED), ((), OVER)) == [0, 0, -1]


@pytest.mark.parametrize(("most", "is_few"), [(2, True), (1, False), (0, False)])
def test_so_many_fluents_may_tell(monkeypatch: pytest.MonkeyPatch, most: int, is_few: bool) -> None:
    """Two do."""
    monkeypatch.setattr(turning, "MAX_TURN", most)
    if is_few:
        assert told(ggp.parse(MARKED), (B, FORCED)) == [1]
    else:
        with pytest.raises(NotSolvable, match=f"more than {most} fluents"):
            Turning(ggp.parse(MARKED))


def test_chance_has_no_turn_and_moves_players_on() -> None:
    """Of the roles the first is chance: the second is the first player."""
    game = ggp.parse(
        MARKED.replace("(role a)", "(role random) (role a)").replace(
            "(goal a 50)", "(legal random noop) (goal a 50)"
        )
    )
    assert game.player_indices == (1, 2)
    assert told(game, (A, 1), (B, 2), (B, 1)) == [0, 1, 0]


THREE = """(role a) (role b) (role c) (init (n 0)) (init (turn a)) (s 0 1) (s 1 2) (s 2 3)
(then a b) (then b c) (then c a) (kind x) (kind y)
(<= (legal ?p ?k) (true (turn ?p)) (kind ?k)) (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= terminal (true (n 3)))
(<= (next (turn ?q)) (true (turn ?p)) (then ?p ?q)) (goal a 50) (goal b 50) (goal c 50)"""


def test_each_of_three_has_a_turn_that_other_fluents_do_not_tell() -> None:
    """Which come before those that tell."""
    game = ggp.parse(THREE)
    assert game.turns is not None
    assert str(game.net.fluents[0]) == "(n 0)"
    for n in range(4):
        own = [(f"(n {n})", f"(turn {role})") for role in "abc"]
        assert told(game, *((texts, FORCED) for texts in own)) == [0, 1, 2]
        assert told(game, *((texts, OVER) for texts in own)) == [0, 1, 2]
