"""What is assumed of all states of small games, and what proofs say that they used of it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest

import ggp
from ggp.analysis.invariants.linear import Sum
from ggp.analysis.states import whole as module
from ggp.analysis.states.whole import Whole
from ggp.ground import Group, Turns
from tests.analysis.test_whole_table import THREE, choosers, settings

WORK = 5.0

SPIN = """(role p) (init (at 1)) (s 1 2) (s 2 3) (s 3 1) (goal p 50)
(<= both (true (at 1)) (true (at 2))) (<= (legal p go) (not both))
(<= (next (at ?y)) (true (at ?x)) (s ?x ?y))
(<= terminal (true over)) (<= (next over) (true over)) (init lamp) (<= (next lamp) (true lamp))"""
"""A token goes round; of two tokens, at 1 and 2, p would have no move."""

MEET = SPIN.replace("(init (at 1))", "(init (at 1)) (init (at 3))")
"""Two tokens, which come to 1 and 2."""


def free(cost: int) -> None:
    """Work without a limit."""


def index(game: ggp.Game, text: str) -> int:
    return [str(fluent) for fluent in game.net.fluents].index(text)


def at(game: ggp.Game, *places: int) -> tuple[int, ...]:
    return tuple(index(game, f"(at {n})") for n in places)


def whole_of(
    game: ggp.Game, *groups: Group, turns: Turns | None = None, well: bool = True
) -> Whole:
    return Whole(game.net, groups, turns, starts_well=well)


def rows(game: ggp.Game, *states: Iterable[str]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which fluents hold in some states."""
    return np.array(
        [[str(fluent) in own for fluent in game.net.fluents] for own in map(set, states)],
        dtype=bool,
    )


def first_of(game: ggp.Game) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return rows(game, map(str, game.initial.facts))


@pytest.mark.parametrize(
    ("exact", "places", "is_proved"),
    [
        (None, (), False),
        (True, (1, 2, 3), True),
        (False, (1, 2, 3), True),
        (False, (1, 2), True),
        # Two tokens come to 1 and 2 from 3 and 1, and from 2 and 3 by two moves.
        (False, (1, 3), True),
        (False, (2, 3), False),
    ],
)
def test_a_group_keeps_tokens_apart(
    exact: bool | None, places: tuple[int, ...], is_proved: bool
) -> None:
    game = ggp.parse(SPIN)
    groups = [] if exact is None else [Group(at(game, *places), exact=exact)]
    assert whole_of(game, *groups).is_playable((0,), WORK) == is_proved


@pytest.mark.parametrize(
    ("weights", "value", "is_proved"),
    [
        ({1: 1, 2: 1, 3: 1}, 1, True),
        ({1: 2, 2: 2, 3: 2}, 2, True),
        ({1: 1, 2: 1, 3: 1}, 2, False),
        ({1: 1, 2: -1}, 0, False),
        ({1: 1, 2: -1}, 1, True),
        ({1: 1, 2: 2}, 2, True),
        ({1: 1, 2: 2}, 3, False),
    ],
)
def test_sums_are_assumed_and_told_if_they_were_used(
    weights: dict[int, int], value: int, is_proved: bool
) -> None:
    """Of tokens at 1 and 2 the sum is that of their weights; at 3 there may be one or none."""
    game = ggp.parse(SPIN)
    whole = whole_of(game, well=False)
    listed = tuple(sorted((index(game, f"(at {n})"), w) for n, w in weights.items()))
    other = Sum(((index(game, "lamp"), 1),), 1)
    assert not whole.is_playable((0,), WORK)
    assert whole.relied == set()
    whole.assume([Sum(listed, value), other])
    assert whole.is_playable((0,), WORK) == is_proved
    assert whole.relied == ({Sum(listed, value)} if is_proved else set())


def test_states_that_no_play_reaches_are_found() -> None:
    """Two tokens at 1 and 2 come of two at 3 and 1, and these of two at 2 and 3."""
    game = ggp.parse(SPIN)
    whole = whole_of(game)
    assert not whole.exclude_all((0,), WORK)
    assert not whole.is_playable((0,), WORK)
    assert whole.search(first_of(game), (0,), WORK, free)
    assert whole.relied_excluded == []
    assert whole.is_playable((0,), WORK)
    cubes = whole.relied_excluded
    assert cubes
    assert len(set(cubes)) == len(cubes)
    for n in (1, 2, 3):
        held = {f + 1 if f == at(game, n)[0] else -f - 1 for f in range(len(game.net.fluents))}
        assert not any(cube <= held for cube in cubes)
    for pair in ((2, 3), (1, 3)):
        own = at(game, *pair)
        held = {f + 1 if f in own else -f - 1 for f in range(len(game.net.fluents))}
        assert any(cube <= held for cube in cubes)
    assert whole.exclude_all((0,), WORK)
    assert whole.is_playable((0,), WORK)


def test_what_play_reaches_is_not_excluded() -> None:
    game = ggp.parse(MEET)
    whole = whole_of(game)
    assert not whole.search(first_of(game), (0,), WORK, free)
    assert not whole.exclude_all((0,), WORK)
    assert not whole.is_playable((0,), WORK)


def test_no_search_begins_where_play_begins_with_a_fault() -> None:
    game = ggp.parse(SPIN)
    whole = whole_of(game, well=False)
    assert not whole.search(first_of(game), (0,), WORK, free)
    assert not whole.bound((0,), (), (), (), WORK)


def test_rules_of_too_many_literals_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ggp.parse(SPIN)
    for most, is_searched in ((game.net.literals, True), (game.net.literals - 1, False)):
        monkeypatch.setattr(module, "MAX_SEARCH", most)
        assert whole_of(game).search(first_of(game), (0,), WORK, free) == is_searched


def test_what_was_found_is_proved_once_more() -> None:
    """Within so much work: where there is none, nothing is assumed."""
    game = ggp.parse(SPIN)
    whole = whole_of(game)
    assert not whole.search(first_of(game), (0,), 0.0, free)
    assert not whole.is_playable((0,), WORK)
    assert whole.relied_excluded == []
    assert not whole.exclude_all((0,), 0.0)
    assert whole.exclude_all((0,), WORK)
    assert whole.is_playable((0,), WORK)


def test_cubes_that_a_move_leads_into_are_not_assumed() -> None:
    """A token at 2, as one from 1 comes to; two at 1 and 3 alone, as two from 2 and 3 do. At 1
    and 2 no move is made."""
    game = ggp.parse(SPIN)
    (one,), (two,), (three,) = (at(game, n) for n in (1, 2, 3))
    pairs = [frozenset({a + 1, b + 1}) for a, b in ((one, two), (two, three), (one, three))]
    for cubes, is_assumed in (
        ([frozenset({two + 1})], False),
        (pairs[:1], False),
        (pairs[:2], False),
        (pairs[1:2], False),
        (pairs[2:], False),
        (pairs[1:], True),
        (pairs, True),
    ):
        whole = whole_of(game)
        assert whole._exclude(cubes, (0,), WORK) == is_assumed
        assert whole.is_playable((0,), WORK) == is_assumed


def test_the_search_may_be_ended() -> None:
    class Ended(Exception):
        pass

    def stop(cost: int) -> None:
        raise Ended

    with pytest.raises(Ended):
        whole_of(ggp.parse(SPIN)).search(first_of(ggp.parse(SPIN)), (0,), WORK, stop)


def test_bounds_keep_tokens_apart() -> None:
    """Of all three places together there is one at the most, by one induction with the fault."""
    game = ggp.parse(SPIN)
    whole = whole_of(game)
    assert not whole.bound_further((), WORK)
    assert whole.relied_bounds == []
    seen = [tuple((f, 1) for f in at(game, 2)) + tuple((f, -1) for f in at(game, 1))]
    assert whole.bound((0,), (), (), seen, WORK)
    assert whole.relied_bounds == []
    assert whole.is_playable((0,), WORK)
    bounds = whole.relied_bounds
    assert bounds
    lamp = index(game, "lamp")

    def keep(*places: int) -> bool:
        held = {*at(game, *places), lamp}
        return all(sum(w for f, w in b.weights if f in held) <= b.most for b in bounds)

    assert [keep(1), keep(2), keep(3), keep(1, 2)] == [True, True, True, False]


def test_bounds_are_not_found_where_play_breaks_them() -> None:
    game = ggp.parse(MEET)
    whole = whole_of(game)
    assert not whole.bound((0,), (), (), (), WORK)
    assert not whole.bound_further((), WORK)
    assert whole.relied_bounds == []
    assert not whole.is_playable((0,), WORK)


GOALS = SPIN.replace("(goal p 50)", "(<= (goal p 50) (true over)) (<= (goal p 20) (true (at 2)))")


@pytest.mark.parametrize(("roles", "is_proved"), [((0,), False), ((), True)])
def test_goals_are_looked_at_of_the_roles_that_are_asked_about(
    roles: tuple[int, ...], is_proved: bool
) -> None:
    """At an end with the token at 2 there would be two goals."""
    game = ggp.parse(
        GOALS.replace("(<= (next over) (true over))", "(<= (next over) (true (at 1)))")
    )
    whole = whole_of(game, Group(at(game, 1, 2, 3), exact=True))
    assert whole.is_playable(roles, WORK) == is_proved


# -- forms of play ---------------------------------------------------------------------------------

HEAP = """(role a) (role b) (init (heap 2)) (init (control a)) (less 0 1) (less 0 2) (less 1 2)
(<= (legal ?p (to ?m)) (true (control ?p)) (true (heap ?n)) (less ?m ?n))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (heap ?m)) (does ?p (to ?m)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (heap {end})))
(<= (goal a {own}) (true (control a))) (<= (goal a {other}) (true (control b)))
(<= (goal b {own}) (true (control b))) (<= (goal b {other}) (true (control a)))"""


def heap_whole(game: ggp.Game) -> Whole:
    heaps = tuple(f for f, text in enumerate(map(str, game.net.fluents)) if "heap" in text)
    turns = tuple(f for f, text in enumerate(map(str, game.net.fluents)) if "control" in text)
    assert game.turns is not None
    groups = [Group(heaps, exact=True), Group(turns, exact=True)]
    return whole_of(game, *groups, turns=game.turns)


@pytest.mark.parametrize(
    ("own", "other", "end", "goals", "normal", "misere"),
    [
        (0, 100, 0, (0, 100), True, False),
        (100, 0, 0, (0, 100), False, True),
        (10, 90, 0, (10, 90), True, False),
        (50, 50, 0, (50,), False, False),
        # 90 is not the best goal that there is.
        (10, 90, 0, (10, 90, 100), False, False),
        (10, 90, 0, (0, 10, 90), False, False),
        # Play ends with a move left.
        (0, 100, 1, (0, 100), False, False),
    ],
)
def test_the_form_of_play(
    own: int, other: int, end: int, goals: tuple[int, ...], normal: bool, misere: bool
) -> None:
    """Who cannot move has the worst goal of all, and the other the best; or the other way round."""
    game = ggp.parse(HEAP.format(own=own, other=other, end=end))
    for loses, wanted in ((True, normal), (False, misere)):
        assert game.turns is not None
        whole = heap_whole(game)
        found = whole.has_form(game.turns, [goals, goals], WORK, loses=loses)
        assert found == wanted
        # Nothing is proved without work.
        assert not heap_whole(game).has_form(game.turns, [goals, goals], 0.0, loses=loses)


def test_the_goals_of_ends_and_nothing_else_are_possible() -> None:
    game = ggp.parse(HEAP.format(own=10, other=90, end=0))
    whole = heap_whole(game)
    assert whole.possible_goals((0, 1), WORK) == {(10, 90), (90, 10)}
    assert whole.possible_goals((0,), WORK) == {(10,), (90,)}
    assert whole.possible_goals((), WORK) == {()}
    # Without work nothing is impossible.
    both = set(product((10, 90), repeat=2))
    assert heap_whole(game).possible_goals((0, 1), 0.0) == both


def test_each_hands_the_turn_to_the_other() -> None:
    game = ggp.parse(HEAP.format(own=0, other=100, end=0))
    assert game.turns is not None
    whole = heap_whole(game)
    assert whole.hands_on(game.turns, {0: 1, 1: 0}, WORK)
    assert whole.hands_on(game.turns, {}, WORK)
    for wrong in ({0: 0}, {1: 1}, {0: 1, 1: 1}):
        assert not whole.hands_on(game.turns, wrong, WORK)


def test_a_search_for_bounds_may_be_taken_up_again() -> None:
    """Without work nothing is found, and with some it is."""
    game = ggp.parse(SPIN)
    whole = whole_of(game)
    assert not whole.bound((0,), (), (), (), 0.0)
    assert not whole.bound_further((), 0.0)
    assert not whole.is_playable((0,), WORK)
    assert whole.bound_further((), WORK)
    assert whole.is_playable((0,), WORK)
    assert whole.relied_bounds


def test_groups_are_assumed_where_bounds_are_found() -> None:
    """Of a token that is at one place bounds say nothing more."""
    game = ggp.parse(SPIN)
    group = Group(at(game, 1, 2, 3), exact=True)
    whole = whole_of(game)
    assert not whole.is_playable((0,), WORK)
    assert whole.bound((0,), [group], (), (), WORK)
    assert whole.is_playable((0,), WORK)
    assert whole.relied_bounds == []


def test_without_work_nothing_is_proved_of_turns_and_choices() -> None:
    """Unless it is so by itself, as it is of two roles whose turn one fluent tells."""
    game = choosers("0", "1")
    group = Group(tuple(range(len(game.net.fluents))), exact=True)
    for work, is_proved in ((WORK, True), (0.0, False), (-1.0, False)):
        assert whole_of(game, group).has_one_chooser(work, None) == is_proved
        assert whole_of(game, group).has_one_chooser(work, 1)
    three = ggp.parse(THREE)
    turns = settings(three)
    for work, is_proved in ((WORK, True), (0.0, False)):
        whole = whole_of(three, turns=turns)
        assert whole.hands_on(turns, {0: 1, 1: 2, 2: 0}, work) == is_proved


HELD = """(role p) (init lamp) (<= (next lamp) (true lamp)) (init (at 1)) (s 1 2) (s 2 3)
(<= (legal p go) (true lamp)) (<= (next (at ?m)) (true (at ?n)) (s ?n ?m))
(<= terminal (true lamp) (true (at 3))) (goal p 50)"""
"""Nothing is wrong where the lamp is lit, which it always is: p can move, or play is over."""

DARK = HELD.replace("terminal (true lamp)", "terminal").replace(
    "(goal p 50)", "(<= (goal p 50) (true lamp)) (<= (goal p 10) (not (true lamp)))"
)
"""The same with a lower goal at an end where the lamp is off."""


def test_that_nothing_was_wrong_before_is_what_a_fault_says_inverted() -> None:
    """The fault is that a fluent does not hold; play comes to the end after two moves."""
    whole = whole_of(ggp.parse(HELD))
    assert whole.is_playable((0,), WORK)
    assert whole.possible_goals((0,), WORK) == {(50,)}


def test_a_goal_that_no_move_leads_to_is_not_possible() -> None:
    """Where the lamp is off it was so before, and nobody could move."""
    for well, found in ((True, {(50,)}), (False, {(10,), (50,)})):
        assert whole_of(ggp.parse(DARK), well=well).possible_goals((0,), WORK) == found


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
def test_goals_are_asked_about_where_there_are_not_too_many(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Two roles with two goals each have them in four ways."""
    monkeypatch.setattr(module, "MAX_GOALS", most)
    whole = heap_whole(ggp.parse(HEAP.format(own=10, other=90, end=0)))
    assert (whole.possible_goals((0, 1), WORK) is not None) == (most >= 4)
    assert (whole.possible_goals((0,), WORK) is not None) == (most >= 2)


def test_goals_are_looked_at_by_induction_where_rules_are_not_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = ggp.parse(DARK)
    for most, found in ((0, {(50,)}), (-1, {(10,), (50,)})):
        monkeypatch.setattr(module, "MAX_STEP", game.net.literals + most)
        assert whole_of(game).possible_goals((0,), WORK) == found
