"""The search for states that no play reaches: on small circuits, against all of their states."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from ggp.analysis.states.reachability import LegalStep, Reachability, outside_of
from ggp.circuits.circuit import Builder
from ggp.ground import Group

State = tuple[bool, ...]


def free(cost: int) -> None:
    """Work without a limit."""


class Machine:
    """A step of so many fluents and moves, made by a function of a builder and its literals."""

    def __init__(self, fluents: int, moves: int, make: Callable, **more) -> None:
        self.builder = Builder()
        self.fluents = self.builder.inputs(fluents)
        self.moves = self.builder.inputs(moves)
        after, legal = make(self.builder, self.fluents, self.moves)
        self.after, self.legal = after, legal
        invariants = [make_one(self.builder, self.fluents) for make_one in more.pop("always", ())]
        self.step = LegalStep(self.builder, self.fluents, self.moves, after, legal,
                         more.pop("groups", ()), invariants, **more)  # fmt: skip

    def values(self, literals: Sequence[int], state: State, moves: Sequence[bool]) -> list[bool]:
        known = [False]
        inputs = iter((*state, *moves))
        for a, b in itertools.islice(
            zip(self.builder.first, self.builder.second, strict=True), 1, None
        ):
            if a == b:
                known.append(next(inputs))
                continue
            x, y = (known[z >> 1] != bool(z & 1) for z in (a, b))
            known.append(x and y if a < b else x != y)
        return [known[x >> 1] != bool(x & 1) for x in literals]

    def following(self, state: State) -> set[State]:
        found = set()
        for moves in itertools.product((False, True), repeat=len(self.moves)):
            if all(self.values(self.legal, state, moves)):
                found.add(tuple(self.values(self.after, state, moves)))
        return found

    def reached(self, start: State) -> set[State]:
        found, todo = {start}, [start]
        while todo:
            for new in self.following(todo.pop()) - found:
                found.add(new)
                todo.append(new)
        return found

    def bad(self, cube: Sequence[int]) -> tuple[int, int]:
        """Literals of a cube, now and after a move."""
        return tuple(
            self.builder.conj_all(own[abs(x) - 1] ^ (x < 0) for x in cube)
            for own in (self.fluents, self.after)
        )

    def search(self, start: State, cube: Sequence[int], known: Sequence[State] = ()):
        now, after = self.bad(cube)
        search = Reachability(self.step, np.array([start, *known], dtype=bool), free)
        found = search.invariant(now, after)
        search.close()
        return found


def inside(state: State, cube) -> bool:
    return all(state[abs(x) - 1] == (x > 0) for x in cube)


def check(machine: Machine, start: State, cube: Sequence[int], known: Sequence[State] = ()):
    """The answer is what all reached states say; cubes are inductive, those needed as well."""
    reached = machine.reached(start)
    found = machine.search(start, cube, known)
    assert (found is None) == any(inside(state, cube) for state in reached)
    if found is None:
        return None
    needed, cubes = found
    assert set(needed) <= set(cubes)
    states = list(itertools.product((False, True), repeat=len(start)))
    for own in (needed, cubes):
        assert not any(inside(state, one) for one in own for state in reached)
        outside = [s for s in states if not any(inside(s, one) for one in (*own, cube))]
        # Groups and what holds always may be known of states besides.
        for state in outside if not machine.step.groups else ():
            for after in machine.following(state):
                assert not any(inside(after, one) for one in (*own, cube))
    return found


def counter(bits: int, modulus: int, skip: int = 1):
    """Counts up to a modulus by one or, if it may, by more; a move that is made or not."""

    def make(builder: Builder, fluents, moves):
        after = [0] * bits
        for value in range(1 << bits):
            here = builder.conj_all(fluents[n] ^ (not value >> n & 1) for n in range(bits))
            for way, by in ((moves[0], skip), (moves[0] ^ 1, 0)):
                new = (value + by) % modulus if value < modulus else value ^ (value & 1)
                for n in range(bits):
                    if new >> n & 1:
                        after[n] = builder.disj(after[n], builder.conj(here, way))
        return after, [1]

    return make


def bits_of(value: int, bits: int) -> State:
    return tuple(bool(value >> n & 1) for n in range(bits))


def cube_of(value: int, bits: int) -> list[int]:
    return [(n + 1) * (1 if value >> n & 1 else -1) for n in range(bits)]


@pytest.mark.parametrize(("modulus", "skip"), [(5, 1), (7, 1), (8, 1), (6, 2), (8, 2), (8, 4)])
def test_a_counter_comes_by_its_numbers_and_no_others(modulus, skip) -> None:
    """Those above the modulus, and those that it skips, are never reached."""
    machine = Machine(3, 1, counter(3, modulus, skip))
    for start in (0, 1):
        for value in range(8):
            wanted = value in {(start + n * skip) % modulus for n in range(8)}
            found = check(machine, bits_of(start, 3), cube_of(value, 3))
            assert (found is None) == wanted


def random_machine(rng: random.Random, fluents: int, moves: int) -> Machine:
    def make(builder: Builder, now, made):
        literals = [*now, *made]

        def some() -> int:
            a, b, c = (x ^ rng.randint(0, 1) for x in rng.sample(literals, 3))
            return builder.conj(a, builder.disj(b, c)) if rng.random() < 0.7 else builder.xor(a, b)

        after = [some() if rng.random() < 0.7 else x for x in now]
        return after, [some() ^ 1 for _ in range(rng.randint(0, 2))]

    return Machine(fluents, moves, make)


@pytest.mark.parametrize("seed", range(12))
def test_random_circuits(seed) -> None:
    """Also with states told that are reached by a few moves."""
    rng = random.Random(seed)
    for _ in range(4):
        machine = random_machine(rng, 5, 2)
        start = tuple(rng.random() < 0.3 for _ in range(5))
        reached = sorted(machine.reached(start))
        for _ in range(4):
            names = rng.sample(range(1, 6), rng.randint(1, 4))
            cube = [n * rng.choice((1, -1)) for n in names]
            known = rng.sample(reached, rng.randint(0, len(reached)))
            check(machine, start, cube, known)


def switch(builder: Builder, now, made):
    """A token on one of three places moves on from the first to the second only; a lamp goes on
    where two tokens are."""
    a, b, c, lamp = now
    both = builder.disj_all([builder.conj(a, b), builder.conj(b, c), builder.conj(a, c)])
    return [0, builder.disj(a, b), c, builder.disj(lamp, both)], [builder.disj(made[0], lamp)]


def test_groups_and_what_holds_always_are_known_of_all_states() -> None:
    """Where there is one token, nothing else has to be excluded; and else the search finds it."""
    start = (True, False, False, False)
    plain = Machine(4, 1, switch)
    needed, _ = check(plain, start, [4])
    assert needed
    for more in (
        {"groups": [Group((0, 1, 2), True)]},
        {"groups": [Group((0, 1, 2), False)]},
        {"always": [lambda builder, now: builder.at_least_two(now[:3]) ^ 1]},
    ):
        assert check_found(Machine(4, 1, switch, **more), start, [4]) == []


def check_found(machine: Machine, start: State, cube: Sequence[int]) -> list:
    found = machine.search(start, cube)
    assert found is not None
    return found[0]


def test_of_an_exact_group_one_holds() -> None:
    """The lamp would go on where no token is; that no place is taken is known not to be."""

    def make(builder: Builder, now, made):
        a, b, lamp = now
        none = builder.conj(a ^ 1, b ^ 1)
        return [b, a, builder.disj(lamp, none)], [1]

    start = (True, False, False)
    assert check_found(Machine(3, 1, make, groups=[Group((0, 1), True)]), start, [3]) == []
    assert check_found(Machine(3, 1, make, groups=[Group((0, 1), False)]), start, [3]) != []


def test_groups_may_be_of_moves() -> None:
    """Just one of two moves is made; both would put the lamp on."""

    def make(builder: Builder, now, made):
        return [builder.disj(now[0], builder.conj(*made))], [1]

    exact = Machine(1, 2, make, groups=[Group((1, 2), True)])
    assert exact.search((False,), [1]) is not None
    assert Machine(1, 2, make).search((False,), [1]) is None


@pytest.mark.parametrize(
    ("guesses", "kept"),
    [
        ([[2]], [[2]]),
        # One that is reached; two that rest on each other, and one of them alone.
        ([[1]], []),
        ([[2], [1]], [[2]]),
        ([[3], [4]], [[3], [4]]),
        ([[3]], []),
        ([[4], [1]], []),
        ([[3], [4], [2]], [[3], [4], [2]]),
    ],
)
def test_guesses_are_kept_where_no_move_leads_into_them(guesses, kept) -> None:
    """Fluent 1 comes at once, 2 stays as it is, 3 and 4 change places."""

    def make(builder: Builder, now, made):
        return [1, now[1], now[3], now[2], builder.disj(now[4], now[1])], [1]

    cubes = [frozenset(cube) for cube in guesses]
    machine = Machine(5, 1, make, guesses=cubes)
    start = (False,) * 5
    search = Reachability(machine.step, np.array([start], dtype=bool), free)
    assert sorted(search._kept(cubes), key=sorted) == sorted(map(frozenset, kept), key=sorted)
    search.close()
    needed, found = check(machine, start, [5])
    assert set(map(frozenset, kept)) <= set(found)
    assert needed == [frozenset([2])]


def test_a_guess_that_is_known_to_be_reached_is_none() -> None:
    """By a state that was met, and not from the first one in any move."""
    machine = Machine(2, 1, lambda builder, now, made: (list(now), [1]))
    start, other = (False, False), (True, True)
    for known, kept in (((), [frozenset([1, 2])]), ((other,), [])):
        search = Reachability(machine.step, np.array([start, *known], dtype=bool), free)
        assert search._kept([frozenset([1, 2])]) == kept
        search.close()


@pytest.mark.parametrize("cube", [[1], [-1], [1, 2], [1, -2], [-1, -2], [3, -1], [1, 2, 3]])
def test_reached_states_in_a_cube_are_counted(cube) -> None:
    rows = [bits_of(value, 3) for value in (0, 1, 3, 6, 5, 0, 7, 2, 4)]
    machine = Machine(3, 1, lambda builder, now, made: (list(now), [1]))
    search = Reachability(machine.step, np.array(rows, dtype=bool), free)
    wanted = sum(1 << n for n, row in enumerate(rows) if inside(row, cube))
    assert search._reached(cube) == wanted
    assert search._reached([]) == (1 << len(rows)) - 1
    # A core is made smaller than no reached state is in it.
    whole = frozenset(cube)
    if not wanted:
        for size in range(len(cube)):
            for core in itertools.combinations(cube, size):
                own = search._reduced(whole, frozenset(core))
                assert set(core) <= own <= whole
                assert not search._reached(own)
    search.close()


@pytest.mark.parametrize("seed", range(5))
def test_outside_of_cubes(seed) -> None:
    rng = random.Random(seed)
    cubes = [frozenset(n * rng.choice((1, -1)) for n in rng.sample((1, 2, 3), rng.randint(1, 3)))
             for _ in range(rng.randint(0, 4))]  # fmt: skip
    machine = Machine(3, 0, lambda builder, now, made: (list(now), []))
    literal = outside_of(machine.builder, cubes, machine.fluents)
    for state in itertools.product((False, True), repeat=3):
        [value] = machine.values([literal], state, ())
        assert value == (not any(inside(state, cube) for cube in cubes))
    # One literal for the same cubes, in whatever order.
    assert outside_of(machine.builder, cubes[::-1], machine.fluents) == literal


def test_a_search_that_is_too_hard_has_no_answer(monkeypatch) -> None:
    machine = Machine(3, 1, counter(3, 5))
    assert machine.search(bits_of(0, 3), cube_of(6, 3)) is not None
    monkeypatch.setattr("ggp.analysis.states.reachability.MAX_DEPTH", 0)
    check(machine, bits_of(0, 3), cube_of(6, 3))
    monkeypatch.setattr("ggp.analysis.states.reachability.MAX_JOINED", 0)
    check(machine, bits_of(0, 3), cube_of(6, 3))
