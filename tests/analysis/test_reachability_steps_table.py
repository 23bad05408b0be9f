"""The steps of the search for states that no play reaches, each against all states and moves."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import numpy as np
import pytest

from ggp.analysis.questions.sat import TooHard
from ggp.analysis.states import reachability
from ggp.analysis.states.reachability import Reachability, outside_of
from ggp.ground import Group
from tests.analysis.test_reachability_table import (
    Machine,
    State,
    bits_of,
    counter,
    cube_of,
    free,
    inside,
    random_machine,
)

FLUENTS, MOVES = 4, 2
STATES = list(itertools.product((False, True), repeat=FLUENTS))
CUBES = [
    frozenset(n * sign for n, sign in zip(range(1, FLUENTS + 1), signs, strict=True) if sign)
    for signs in itertools.product((-1, 0, 1), repeat=FLUENTS)
    if any(signs)
]
"""All but that of all states."""


class Case:
    """A random step, a first state, and what each state leads to."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.rng = rng
        self.machine = random_machine(rng, FLUENTS, MOVES)
        self.start = rng.choice(STATES)
        self.after = {state: self.machine.following(state) for state in STATES}
        self.search = self.made([self.start])

    def made(self, reached: list[State]) -> Reachability:
        return Reachability(self.machine.step, np.array(reached, dtype=bool), free)

    def enters(self, cube: Iterable[int], states: Iterable[State]) -> bool:
        """Whether a move leads from one of some states outside a cube into it."""
        own = list(cube)
        return any(
            inside(new, own)
            for state in states
            if not inside(state, own)
            for new in self.after[state]
        )


@pytest.fixture(params=range(6))
def case(request: pytest.FixtureRequest) -> Iterable[Case]:
    made = Case(request.param)
    yield made
    made.search.close()


def literals(search: Reachability, state: State) -> list[int]:
    """The solver's literals of a state."""
    return list(search._assumed(cube_of_state(state), search._now))


def cube_of_state(state: State) -> list[int]:
    return [n if holds else -n for n, holds in enumerate(state, 1)]


def test_a_model_is_told_as_a_state_whose_fluents_that_hold_come_first(case: Case) -> None:
    search = case.search
    for state in STATES:
        assert search._questions.is_possible(literals(search, state))
        found = search._state(search._questions.model())
        ordered = sorted(cube_of_state(state), key=lambda x: (x < 0, abs(x)))
        assert found == ordered


def test_under_its_variable_a_state_is_not_in_a_cube(case: Case) -> None:
    search = case.search
    for cube in case.rng.sample(CUBES, 12):
        chosen = search._excluded(cube)
        for state in STATES:
            possible = search._questions.is_possible([chosen, *literals(search, state)])
            assert possible == (not inside(state, cube))


def test_a_cube_stands_for_its_literals(case: Case) -> None:
    search = case.search
    for cube in CUBES:
        for side in (search._now, search._next):
            found = search._assumed(cube, side)
            assert set(found.values()) == cube
            for literal, x in found.items():
                assert literal == side[abs(x) - 1] * (1 if x > 0 else -1)


def test_what_follows_from_the_first_state_in_one_move(case: Case) -> None:
    """And where nothing does, which part of the cube tells it."""
    search = case.search
    for cube in CUBES:
        enters = case.enters(cube, [case.start])
        assert search._follows(cube, 0) == enters
        if not enters:
            assert search._core <= cube
            outside = [case.start] if not inside(case.start, cube) else []
            assert not any(
                inside(new, search._core) for state in outside for new in case.after[state]
            )


def test_what_follows_from_any_state_that_is_not_excluded(case: Case) -> None:
    search = case.search
    excluded: list[frozenset[int]] = []
    for _ in range(3):
        kept = [state for state in STATES if not any(inside(state, one) for one in excluded)]
        for cube in case.rng.sample(CUBES, 20):
            assert search._follows(cube, 1) == case.enters(cube, kept)
        new = case.rng.choice([cube for cube in CUBES if not inside(case.start, cube)])
        search._add(new, 1)
        excluded.append(new)
    # What is excluded of that many moves is not so of the first state, which is told whole.
    for state in STATES:
        asked = [*search._frame(0), *literals(search, state)]
        assert search._questions.is_possible(asked) == (state == case.start)
        asked = [*search._frame(1), *literals(search, state)]
        out = any(inside(state, one) for one in excluded)
        assert search._questions.is_possible(asked) == (not out)


def test_states_before_make_the_same_move_to_where_it_is_to_lead(case: Case) -> None:
    search = case.search
    questions = search._questions
    for cube in case.rng.sample(CUBES, 15):
        into = list(search._assumed(cube, search._next))
        if not questions.is_possible([search._go, *into]):
            assert not case.enters(cube, STATES)
            continue
        model = questions.model()
        state = [model[abs(x) - 1] == x for x in search._now]
        made = [model[abs(x) - 1] == x for x in search._moves]
        found = search._before(model, into)
        assert inside(tuple(state), found)
        for other in STATES:
            if inside(other, found):
                assert all(case.machine.values(case.machine.legal, other, made))
                assert inside(tuple(case.machine.values(case.machine.after, other, made)), cube)


def test_a_state_is_lifted_to_what_makes_others_impossible(case: Case) -> None:
    search = case.search
    for cube in case.rng.sample(CUBES, 15):
        into = list(search._assumed(cube, search._next))
        for state in case.rng.sample(STATES, 4):
            told = cube_of_state(state)
            if any(inside(new, cube) for new in case.after[state]):
                with pytest.raises(TooHard):
                    search._lifted(told, [search._go, *into])
                continue
            found = search._lifted(told, [search._go, *into])
            assert found <= set(told)
            assert not any(
                inside(new, cube)
                for other in STATES
                if inside(other, found)
                for new in case.after[other]
            )


def test_a_cube_is_blocked_if_no_move_leads_into_it(case: Case) -> None:
    """In one move, from the first state; then it is no longer in the frame, and the first is."""
    for cube in case.rng.sample(CUBES, 15):
        search = case.made([case.start])
        is_reached = inside(case.start, cube) or case.enters(cube, [case.start])
        assert search._block(cube, 1) == (not is_reached)
        if not is_reached:
            for state in STATES:
                asked = [*search._frame(1), *literals(search, state)]
                if search._questions.is_possible(asked):
                    assert not inside(state, cube)
                else:
                    assert state != case.start
                    assert state not in case.after[case.start]
        search.close()


def test_a_cube_in_which_a_reached_state_is_is_not_blocked(case: Case) -> None:
    reached = sorted(case.machine.reached(case.start))
    for cube in case.rng.sample(CUBES, 15):
        search = case.made([case.start, *reached])
        if any(inside(state, cube) for state in reached):
            assert not search._block(cube, 1)
        else:
            assert search._block(cube, 1)
            for one in search._blocked[1]:
                assert not any(inside(state, one) for state in reached)
        search.close()


def test_a_cube_is_made_as_large_as_no_move_leads_into_it(case: Case) -> None:
    """A part of the literals; of one move from the first state, and in it no reached state."""
    search = case.search
    for cube in case.rng.sample(CUBES, 25):
        if inside(case.start, cube) or case.enters(cube, [case.start]):
            continue
        found = search._general(cube, 0)
        assert found
        assert found <= cube
        assert not inside(case.start, found)
        assert not case.enters(found, [case.start])
        # Not one literal can go by itself, where one is left.
        for x in found if len(found) > 1 else ():
            fewer = found - {x}
            assert inside(case.start, fewer) or case.enters(fewer, [case.start])


def test_a_part_of_a_cube_that_no_move_leads_into(case: Case) -> None:
    search = case.search
    for cube in CUBES:
        found = search._down(cube, 0, 0)
        is_free = not inside(case.start, cube) and not case.enters(cube, [case.start])
        if is_free:
            assert found is not None
        if found is not None:
            assert found <= cube
            assert not inside(case.start, found)
            assert not case.enters(found, [case.start])


@pytest.mark.parametrize(
    ("known", "cube", "level", "left"),
    [
        ([[], []], [1], 1, [[], [[1]]]),
        ([[], [[1, 2]]], [1], 1, [[], [[1]]]),
        ([[], [[1, 2], [2, 3]]], [2], 1, [[], [[2]]]),
        ([[], [[1, 2], [3]]], [1], 1, [[], [[1], [3]]]),
        ([[], [[1]]], [1, 2], 1, [[], [[1], [1, 2]]]),
        ([[], [[1, 2]], [[1, 3]]], [1], 2, [[], [], [[1]]]),
        ([[], [[1, 2]], [[1, 3]]], [1], 1, [[], [[1]], [[1, 3]]]),
        ([[], [[1]], []], [1], 2, [[], [], [[1]]]),
        ([[], [[-1, 2]], []], [1], 2, [[], [[-1, 2]], [[1]]]),
    ],
)
def test_a_cube_takes_the_place_of_those_that_it_contains(
    known: list[list[list[int]]], cube: list[int], level: int, left: list[list[list[int]]]
) -> None:
    """Up to the level that it is excluded from."""
    machine = Machine(3, 1, lambda builder, now, made: (list(now), [1]))
    search = Reachability(machine.step, np.zeros((1, 3), dtype=bool), free)
    while len(search._levels) < len(known):
        search._levels.append(search._questions.new())
    search._blocked = [set(map(frozenset, own)) for own in known]
    search._add(frozenset(cube), level)
    assert search._blocked == [set(map(frozenset, own)) for own in left]
    search.close()


@pytest.mark.parametrize("exact", [True, False])
def test_of_an_exact_group_one_that_holds_is_enough(exact: bool) -> None:
    """That the token is at 1 tells that it is nowhere else; that it may be nowhere does not."""
    machine = Machine(
        3,
        0,
        lambda builder, now, made: (list(now), [1]),
        groups=[Group((0, 1, 2), exact)],
    )
    search = Reachability(machine.step, np.array([[True, False, False]]), free)
    [second] = search._assumed([2], search._now)
    assert search._lifted([1, -2, -3], [second]) in (
        {frozenset([1])} if exact else {frozenset([1]), frozenset([-2])}
    )
    if not exact:
        assert search._lifted([-1, -2, -3], [second]) == frozenset([-2])
    search.close()


@pytest.mark.parametrize(("modulus", "skip", "start"), [(5, 1, 0), (6, 2, 0), (6, 2, 1), (7, 3, 2)])
def test_all_numbers_that_are_not_come_by_are_excluded(modulus: int, skip: int, start: int) -> None:
    """One by one; and the cubes that it takes do so by themselves."""
    machine = Machine(3, 1, counter(3, modulus, skip))
    reached = {(start + n * skip) % modulus for n in range(8)}
    for value in range(8):
        found = machine.search(bits_of(start, 3), cube_of(value, 3))
        assert (found is None) == (value in reached)
        if found is not None:
            needed, cubes = found
            assert cubes == sorted(cubes, key=sorted)
            for number in reached:
                assert not any(inside(bits_of(number, 3), cube) for cube in cubes)
            outside = [
                state
                for state in map(bits_of, range(8), [3] * 8)
                if not any(inside(state, cube) for cube in needed) and state != bits_of(value, 3)
            ]
            for state in outside:
                assert machine.following(state) <= set(outside)


def test_what_is_assumed_of_so_many_moves() -> None:
    """Of none that the state is the first, of more what that many and all later ones keep out."""
    machine = Machine(2, 1, lambda builder, now, made: (list(now), [1]))
    search = Reachability(machine.step, np.zeros((1, 2), dtype=bool), free)
    search._levels.append(search._questions.new())
    zero, one, two = search._levels
    always = search._always
    assert [search._frame(level) for level in range(4)] == [
        [always, zero],
        [always, one, two],
        [always, two],
        [always],
    ]
    search.close()


def test_a_cube_that_no_move_leads_into_is_kept_out_at_once() -> None:
    """2 stays as it is, and leads to 1: what so many moves keep out is found of one move."""
    machine = Machine(2, 1, lambda builder, now, made: ([now[1], now[1]], [1]))
    search = Reachability(machine.step, np.zeros((1, 2), dtype=bool), free)
    bad, bad_next = machine.bad([1])
    assert search.invariant(bad, bad_next) == ([frozenset([2])], [frozenset([2])])
    assert len(search._levels) == 3
    assert search._blocked == [set(), set(), {frozenset([2])}]
    search.close()


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_a_row_that_leads_to_what_is_bad_is_kept_out_one_by_one(length: int) -> None:
    """Each of some fluents comes of the next one, and the last of itself."""

    def make(builder: object, now: list[int], made: list[int]) -> tuple[list[int], list[int]]:
        return [*now[1:], now[-1]], [1]

    machine = Machine(length + 1, 0, make)
    found = machine.search((False,) * (length + 1), [1])
    assert found is not None
    for cubes in found:
        assert sorted(map(sorted, cubes)) == [[n] for n in range(2, length + 2)]


@pytest.mark.parametrize(
    ("state", "other", "told"),
    [([3, -1, -2], 2, [3]), ([-2, 3, -1], 2, [3]), ([2, -1, -3], 3, [2]), ([-3, 1, 2], 3, [2])],
)
def test_what_an_exact_group_lacks_need_not_be_told(
    state: list[int], other: int, told: list[int]
) -> None:
    """Of fluents 2 and 3 just one holds; of 1 nothing is known."""
    machine = Machine(
        3, 0, lambda builder, now, made: (list(now), [1]), groups=[Group((1, 2), True)]
    )
    search = Reachability(machine.step, np.array([[False, True, False]]), free)
    assert search._lifted(state, list(search._assumed([other], search._now))) == frozenset(told)
    # What is not of the group has to be told.
    assert search._lifted([2, -1, -3], list(search._assumed([1], search._now))) == {-1}
    search.close()


@pytest.mark.parametrize("cube", [[1], [-1], [1, 2], [-1, 2], [-1, -2]])
def test_outside_of_one_cube_and_of_none(cube: list[int]) -> None:
    machine = Machine(2, 0, lambda builder, now, made: (list(now), []))
    outside = outside_of(machine.builder, [frozenset(cube)], machine.fluents)
    everywhere = outside_of(machine.builder, [], machine.fluents)
    for state in itertools.product((False, True), repeat=2):
        assert machine.values([outside, everywhere], state, ()) == [not inside(state, cube), True]


@pytest.mark.parametrize(
    ("rows", "cube", "core", "own"),
    [
        # What leaves the fewest states is added first, and then no more than is needed.
        (["10", "00"], [1, 2], [], [2]),
        (["100", "101", "010"], [1, 2, 3], [], [1, 2]),
        (["100", "110", "000"], [1, 2, 3], [1], [1, 3]),
        (["100", "110", "111"], [-1, 2, 3], [], [-1]),
        # Of equal ones the first by number.
        (["00"], [1, 2], [], [1]),
        (["01"], [1, 2], [2], [1, 2]),
        # Where no state is left nothing is added.
        (["01"], [1, 2], [1], [1]),
    ],
)
def test_a_core_takes_what_leaves_the_fewest_reached_states(
    rows: list[str], cube: list[int], core: list[int], own: list[int]
) -> None:
    count = len(rows[0])
    machine = Machine(count, 1, lambda builder, now, made: (list(now), [1]))
    reached = np.array([[digit == "1" for digit in row] for row in rows])
    search = Reachability(machine.step, reached, free)
    assert search._reduced(frozenset(cube), frozenset(core)) == frozenset(own)
    search.close()


@pytest.mark.parametrize(
    ("depth", "excluded", "joined", "is_found"),
    [(1, 0, 1, True), (1, 1, 0, False), (0, 1, 0, True), (0, 0, 0, False), (0, 0, 1, True)],
)
def test_what_leads_into_a_cube_is_excluded_or_joined_so_often(
    depth: int, excluded: int, joined: int, is_found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first lamp goes on where the second is on, which never goes on by itself. Into where both
    are on a move leads from where only the second is on: that is excluded first, though not at the
    greatest depth, or of the cube the second alone is left."""
    monkeypatch.setattr(reachability, "MAX_EXCLUDED", excluded)
    monkeypatch.setattr(reachability, "MAX_JOINED", joined)
    machine = Machine(2, 1, lambda builder, now, made: ([builder.disj(*now), now[1]], [1]))
    search = Reachability(machine.step, np.array([[False, False]]), free)
    while len(search._levels) < 3:
        search._levels.append(search._questions.new())
        search._blocked.append(set())
    found = search._down(frozenset([1, 2]), 1, depth)
    assert (found is not None) == is_found
    assert found is None or found == {2}
    search.close()
