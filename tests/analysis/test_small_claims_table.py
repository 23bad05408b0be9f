"""Small parts of claims: whose place it is, what shows a turn, what a row of tokens is."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.certifying import turns_are_shown
from ggp.analysis.claims import playable
from ggp.analysis.claims.octal import _rows
from ggp.analysis.claims.turns import _has_places
from ggp.analysis.evidence import Witness
from ggp.analysis.heaps.any_size import any_size
from ggp.limits import Budget
from tests.analysis.test_any_size_table import ones
from tests.conftest import GAMES

STUCK = """
    (role a) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal a (go ?j)) (true (at ?i)) (succ ?i ?j) (distinct ?i 3))
    (<= (next (at ?j)) (does a (go ?j)))
    (<= terminal (true (at 4))) (goal a 100)
"""
"""At 3 there is no move, and play is not over."""


@pytest.mark.parametrize(
    ("rules", "holds"),
    [
        ((GAMES / "kayles" / "kayles-7.kif").read_text(encoding="utf-8"), True),
        ((GAMES / "puzzles" / "lights-out-3x3.kif").read_text(encoding="utf-8"), True),
        (STUCK, False),
    ],
    ids=["kayles", "lights-out", "stuck"],
)
def test_rules_of_one_state_and_the_next_show_that_all_can_move(rules, holds) -> None:
    game = ggp.parse(rules)
    proofs = Positions(game, Budget(), None, (game.initial.bits,)).proofs
    assert playable._is_playable_at_once(proofs) is holds
    found = playable.prove_early(proofs)
    assert (found is not None and found.value is True) is holds


def places(
    moves: list[tuple[int, int]], depth: list[int], mover: list[int], players: int = 2
) -> bool:
    """Of some players, positions so many moves from the start and whose choice each is."""
    source, target = np.array(moves, dtype=np.int64).reshape(-1, 2).T

    def leading_to(goal: np.ndarray) -> np.ndarray:
        found = np.zeros(len(depth), dtype=np.bool_)
        found[goal] = True
        for _ in depth:
            found[source[found[target]]] = True
        return found

    space = SimpleNamespace(
        depth=np.array(depth), source=source, target=target, leading_to=leading_to
    )
    game = SimpleNamespace(players=tuple("abcd"[:players]))
    return bool(_has_places(SimpleNamespace(reachable=space, game=game), np.array(mover)))


@pytest.mark.parametrize(
    ("moves", "depth", "mover", "tells"),
    [
        # One after the other.
        ([(0, 1), (1, 2)], [0, 1, 2], [0, 1, -1], True),
        ([(0, 1), (1, 2)], [0, 1, 2], [1, 0, -1], True),
        # The first player again after an even number of moves, the other being forced.
        ([(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3], [0, -1, 0, -1], True),
        # A position that one move comes to, and two: of one player's choices alone, too.
        ([(0, 1), (1, 2), (0, 2), (2, 3)], [0, 1, 1, 2], [0, -1, 0, -1], False),
        # The same where nobody has a choice any more.
        ([(0, 1), (1, 2), (0, 2)], [0, 1, 1], [0, -1, -1], True),
        # The first player twice.
        ([(0, 1), (1, 2)], [0, 1, 2], [0, 0, -1], False),
        # Both at the same place, in different plays.
        ([(0, 1), (0, 2), (1, 3), (2, 3)], [0, 1, 1, 2], [0, 1, 0, -1], False),
    ],
)
def test_the_number_of_moves_tells_whose_choice_it_is(moves, depth, mover, tells) -> None:
    assert places(moves, depth, mover) is tells


@pytest.mark.parametrize(
    ("settings", "choices", "alternating", "marker", "shown"),
    [
        # All settings are shown.
        ([(1, 0), (2, 1)], {1, 2}, False, True, True),
        # All but one of the roles in their only setting.
        ([(1, 0), (2, 1)], {1}, False, True, True),
        ([(1, 0), (2, 1)], set(), False, True, False),
        # Two settings for a role: in a fixed order those of all roles but one, with a marker.
        ([(1, 0), (2, 1), (4, 0), (8, 1)], {1}, True, True, True),
        ([(1, 0), (2, 1), (4, 0), (8, 1)], {1}, False, True, False),
        # Without a marker those of all roles.
        ([(1, 0), (2, 1), (4, 0), (8, 1)], {1}, True, False, False),
        ([(1, 0), (2, 1), (4, 0), (8, 1)], {1, 8}, True, False, True),
        ([(1, 0), (2, 1), (4, 0), (8, 1)], {1, 4}, True, False, False),
    ],
)
def test_plays_show_whose_turn_it_is(settings, choices, alternating, marker, shown) -> None:
    turns = SimpleNamespace(settings=settings, alternating=alternating)
    game = SimpleNamespace(
        turns=turns,
        roles=("a", "b"),
        choices=dict.fromkeys(choices, ()),
        marker=object() if marker else None,
    )
    assert turns_are_shown(game) is shown


def test_rules_without_turns_have_nothing_to_show() -> None:
    assert turns_are_shown(SimpleNamespace(turns=None, roles=("a", "b"), choices={}, marker=None))


def row(first: int, last: int, chain: int, gap: int | None = None) -> str:
    """Tokens at some places of a chain that begins with 1; two players who take one at a time."""
    held = [i for i in range(first, last + 1) if i != gap]
    links = " ".join(f"(succ {i} {i + 1})" for i in range(1, chain))
    tokens = " ".join(f"(init (token {i}))" for i in held)
    return f"""
        (role a) (role b) (init (control a)) {links} {tokens}
        (<= (legal ?p (take ?i)) (true (control ?p)) (true (token ?i)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
        (<= (next (token ?i)) (true (token ?i)) (not (taken ?i)))
        (<= (taken ?i) (does ?p (take ?i)))
        (<= some (true (token ?i))) (<= terminal (not some))
        (<= (goal ?p 0) (true (control ?p)))
        (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
    """


@pytest.mark.parametrize(
    ("first", "last", "gap", "found"),
    [(1, 6, None, True), (2, 6, None, True), (3, 7, None, True), (1, 6, 3, False)],
)
def test_a_row_is_places_without_a_gap_wherever_it_begins(first, last, gap, found) -> None:
    game = ggp.parse(row(first, last, 7, gap))
    rows = [[str(game.net.fluents[f]) for f in tokens] for tokens in _rows(game.net)]
    wanted = [f"(token {i})" for i in range(first, last + 1)]
    assert (wanted in rows) is found


def test_heaps_on_different_chains_are_not_made_longer_together() -> None:
    game = ggp.parse(ones())
    (own,) = game.analyse().heaps
    other = replace(own, elements=own.elements[::-1])
    assert any_size(game, (own,), 10.0)
    assert not any_size(game, (own, other), 10.0)
    assert not any_size(game, (other, own), 10.0)


FAULTS = """(role p) (role random) (init s) (<= (next t) (true s)) (<= terminal (true t))
(legal p go) {random} {goals}"""


@pytest.mark.parametrize(
    ("random", "goals", "why"),
    [
        ("(legal random go)", "(goal p 50)", None),
        # Chance has to move as all roles do, but it needs no goal, nor just one.
        ("(<= (legal random go) (true t))", "(goal p 50)", "random has no legal move"),
        ("(legal random go)", "(goal p 50) (goal random 0)", None),
        ("(legal random go)", "(goal p 50) (goal random 0) (goal random 1)", None),
        ("(legal random go)", "(<= (goal p 50) (true s))", "p has no goal value at the end"),
        ("(legal random go)", "(goal p 50) (goal p 60)", "p has more than one goal value"),
        # The first of several.
        ("", "(goal p 50) (goal p 60)", "random has no legal move"),
        ("(legal random go)", "(goal random 50)", "p has no goal value at the end"),
    ],
)
def test_chance_has_to_move_and_needs_no_goal(random, goals, why) -> None:
    game = ggp.parse(FAULTS.format(random=random, goals=goals))
    positions = Positions(game, Budget())
    found = playable.refute(positions.samples)
    assert (found is None) == (why is None)
    if found is not None:
        assert (found.value, found.certainty) == (False, "refuted")
        assert found.evidence.why.startswith(why)
    enumerated = playable.enumerated(positions)
    assert enumerated.value is (why is None)
    assert why is None or enumerated.evidence.why.startswith(why)


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("playable_", [False, True])
@pytest.mark.parametrize("stuck", [None, False, True])
def test_that_no_role_is_ever_stuck_is_asked_without_goals(
    monkeypatch, at_once, playable_, stuck
) -> None:
    """Where it is not known already; without a circuit of the rules (None) it is not proved."""
    asked = []

    def is_playable(roles: tuple[int, ...], work: float) -> bool:
        asked.append((roles, work))
        return bool(stuck)

    monkeypatch.setattr(playable, "_is_playable_at_once", lambda _: at_once)
    monkeypatch.setattr(playable, "_is_playable", lambda _: playable_)
    whole = None if stuck is None else SimpleNamespace(is_playable=is_playable)
    for claim, is_known in (
        (playable.is_never_stuck_at_once, at_once),
        (playable.is_never_stuck, at_once or playable_),
    ):
        proofs = SimpleNamespace(whole=whole, work=2.0, memo={})
        assert claim(proofs) is (is_known or bool(stuck))
    assert asked in ([], [((), 2.0)], [((), 2.0)] * 2, [((), 2.0)] * 3)
    assert bool(asked) is (stuck is not None and not at_once)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (None, None),
        (0, "p has no legal move although the game is not over"),
        (1, "q has no legal move although the game is not over"),
        ("goals", "play is over, and some player has not just one goal value"),
    ],
)
def test_a_fault_that_was_looked_for_is_told(fault, why) -> None:
    met = SimpleNamespace(stuck=None if fault == "goals" else fault)
    witness = Witness(("f",), ())
    samples = SimpleNamespace(
        fault=None if fault is None else (met, witness), game=SimpleNamespace(roles=("p", "q"))
    )
    found = playable._met(samples)
    assert (found is None) == (why is None)
    if found is not None:
        assert (found.value, found.certainty, found.evidence.why) == (False, "refuted", why)
        assert found.evidence.states == (witness,)
