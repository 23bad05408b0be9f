"""The states that a certificate speaks of, held against a look at every set of fluents."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from itertools import product

import pytest

from ggp.checker import FORMAT, check_certificate, read_certificate
from ggp.checker.encoding import Copy
from ggp.checker.states import States
from ggp.errors import LimitReached


def certificate(
    rules, *, told=(), flips=False, groups=(), sums=(), excluded=(), bounds=(), claims=()
):
    """A certificate of these rules, read. `told`: for each setting the role and what holds, and
    the play that shows a choice if there is one."""
    digest = hashlib.sha256(f"ggp-sheet\nkif\nfolded\n{rules}".encode()).hexdigest()
    settings = [
        {"role": role, "holds": holds, **({"choice": play[0]} if play else {})}
        for role, holds, *play in told
    ]
    return _read(json.dumps({
        "format": FORMAT,
        "sheet": {"name": "s", "syntax": "kif", "strict_case": False, "sha256": digest},
        "rules": rules,
        "turns": {"flips": flips, "settings": settings} if settings else None,
        "groups": [{"fluents": fluents, "exact": exact} for fluents, exact in groups],
        "sums": [{"weights": weights, "value": value} for weights, value in sums],
        "excluded": [{"holds": holds, "lacks": lacks} for holds, lacks in excluded],
        "bounds": [{"weights": weights, "most": most} for weights, most in bounds],
        "claims": list(claims),
    }))  # fmt: skip


@cache
def _read(text):
    return read_certificate(text)


LAMPS = """(role a) (role b) (init l1) (lamp l1) (lamp l2) (lamp l3) (lamp l4) (lamp l5)
(<= (legal a (flip ?x)) (lamp ?x)) (legal b wait)
(<= (next ?x) (lamp ?x) (does a (flip ?x)) (not (true ?x)))
(<= (next ?x) (true ?x) (not (does a (flip ?x))))
(<= terminal (true l4) (true l5)) (goal a 0) (goal b 0)"""


def lamps(**parts):
    """What is said of five lamps: groups and settings by strings of digits, weights by digit."""
    names = {
        "told": lambda row: (row[0], [f"l{x}" for x in row[1]]),
        "groups": lambda row: ([f"l{x}" for x in row[0]], row[1]),
        "sums": lambda row: ({f"l{x}": weight for x, weight in row[0].items()}, row[1]),
        "excluded": lambda row: ([f"l{x}" for x in row[0]], [f"l{x}" for x in row[1]]),
    }
    names["bounds"] = names["sums"]
    told = {key: list(map(names[key], rows)) for key, rows in parts.items() if key != "flips"}
    return States(certificate(LAMPS, flips=parts.get("flips", False), **told), 60)


SETS = [frozenset(x for x in range(1, 6) if bits >> x & 1) for bits in range(0, 64, 2)]


def possible(program):
    """The sets of lamps that a program leaves."""
    return {
        on
        for on in SETS
        if program.is_possible(*(x if i in on else -x for i, x in enumerate(program.fluents, 1)))
    }


def weight(on, weights):
    return sum(w for x, w in weights.items() if x in on)


BASIS = [
    ({}, lambda on: True),
    ({"groups": [("123", True)]}, lambda on: len(on & {1, 2, 3}) == 1),
    ({"groups": [("123", False)]}, lambda on: len(on & {1, 2, 3}) < 2),
    ({"groups": [("12", True), ("234", False)]},
     lambda on: len(on & {1, 2}) == 1 and len(on & {2, 3, 4}) < 2),
    ({"sums": [({1: 1, 2: 1, 3: 1}, 2)]}, lambda on: len(on & {1, 2, 3}) == 2),
    ({"sums": [({1: 3, 2: -1, 3: -2}, 0)]}, lambda on: weight(on, {1: 3, 2: -1, 3: -2}) == 0),
    ({"sums": [({1: 3, 2: -1}, -1)]}, lambda on: on & {1, 2} == {2}),
    ({"told": [("a", "1"), ("b", "2")]}, lambda on: len(on & {1, 2}) == 1),
    ({"told": [("a", "12"), ("b", ""), ("a", "3")]},
     lambda on: on & {1, 2, 3} in ({1, 2}, set(), {3})),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "holds"), BASIS)
def test_states_are_those_with_groups_and_sums_in_which_somebody_is_to_move(parts, holds) -> None:
    states = lamps(**parts)
    wanted = {on for on in SETS if holds(on)}
    assert possible(states._program()) == wanted
    assert possible(states._in_play()) == wanted


@pytest.mark.parametrize(
    ("parts", "holds"),
    [
        ({"told": [("a", "1"), ("b", "2")], "groups": [("12", True)]}, lambda on: True),
        ({"told": [("a", "1"), ("b", "2")], "groups": [("23", True)]}, lambda on: True),
        ({"told": [("a", "1"), ("b", "2")], "groups": [("12", True), ("345", True)]},
         lambda on: len(on & {3, 4, 5}) == 1),
        ({"told": [("a", "1"), ("b", "2")], "sums": [({3: 1, 4: 1}, 1)]},
         lambda on: len(on & {3, 4}) == 1),
    ],
)  # fmt: skip
def test_boards_leave_open_whose_turn_it_is(parts, holds) -> None:
    assert possible(lamps(**parts)._program(board_only=True)) == {on for on in SETS if holds(on)}


@pytest.mark.parametrize(
    ("parts", "holds"),
    [
        ({"excluded": [("1", "")]}, lambda on: 1 not in on),
        ({"excluded": [("", "1")]}, lambda on: 1 in on),
        ({"excluded": [("12", "3")]}, lambda on: not ({1, 2} <= on and 3 not in on)),
        ({"excluded": [("1", "2"), ("3", "")]},
         lambda on: not (1 in on and 2 not in on) and 3 not in on),
        ({"bounds": [({1: 1, 2: 1, 3: 1}, 1)]}, lambda on: len(on & {1, 2, 3}) <= 1),
        ({"bounds": [({1: 1, 2: 1}, 0), ({3: -1}, -1)]},
         lambda on: not on & {1, 2} and 3 in on),
        ({"bounds": [({1: 2, 2: -3, 3: 1}, 0)]},
         lambda on: weight(on, {1: 2, 2: -3, 3: 1}) <= 0),
        # Of a group fluents of equal weight are weighed together.
        ({"groups": [("123", False)], "bounds": [({1: 2, 2: 2, 3: 1, 4: 1}, 2)]},
         lambda on: len(on & {1, 2, 3}) < 2 and weight(on, {1: 2, 2: 2, 3: 1, 4: 1}) <= 2),
        ({"groups": [("123", False)], "bounds": [({1: 2, 2: 2, 3: 3, 4: -1}, 1)]},
         lambda on: len(on & {1, 2, 3}) < 2 and weight(on, {1: 2, 2: 2, 3: 3, 4: -1}) <= 1),
        ({"groups": [("12", True), ("234", False)], "bounds": [({1: 1, 2: 1, 3: 1, 4: 1}, 1)]},
         lambda on: len(on & {1, 2}) == 1 and len(on & {2, 3, 4}) < 2
         and len(on & {1, 2, 3, 4}) <= 1),
        ({"groups": [("12", False), ("34", False)], "bounds": [({1: 1, 2: 1, 3: 1, 5: 1}, 2)]},
         lambda on: len(on & {1, 2}) < 2 and len(on & {3, 4}) < 2 and len(on & {1, 2, 3, 5}) < 3),
    ],
)  # fmt: skip
def test_states_of_play_are_not_excluded_and_within_the_bounds(parts, holds) -> None:
    states = lamps(**parts)
    assert possible(states._in_play()) == {on for on in SETS if holds(on)}


@pytest.mark.parametrize(
    ("groups", "weights", "wanted"),
    [
        ([], {1: 1, 2: 1}, [1, 1]),
        ([("12", False)], {1: 1, 2: 1}, [1]),
        ([("12", False)], {1: 1, 2: 2}, [1, 2]),
        ([("12", False)], {1: 1, 3: 1}, [1, 1]),
        ([("123", False)], {1: 5, 2: 5, 3: -4, 4: 7}, [-4, 5, 7]),
        # The largest group first; what it has is not weighed again.
        ([("12", False), ("2345", False)], {1: 1, 2: 1, 3: 1, 4: 1, 5: 1}, [1, 1]),
        ([("2345", False), ("12", False)], {1: 1, 2: 1, 3: 1, 4: 1, 5: 1}, [1, 1]),
    ],
)
def test_fluents_of_a_group_are_weighed_together(groups, weights, wanted) -> None:
    states = lamps(groups=groups)
    program = states._program()
    terms = states._together(program, {x - 1: w for x, w in weights.items()})
    assert sorted(w for _, w in terms) == wanted


@pytest.mark.parametrize(
    ("on", "sides", "roles"),
    [
        ("1", [True, False, False], [True, False]),
        ("145", [True, False, False], [True, False]),
        ("2", [False, True, False], [False, True]),
        ("3", [False, False, True], [True, False]),
        ("12", [False, False, False], [False, False]),
        ("", [False, False, False], [False, False]),
    ],
)
def test_a_side_is_told_by_all_fluents_that_tell_turns(on, sides, roles) -> None:
    """1, 2 and 3 tell that it is the turn of a, b and a."""
    states = lamps(told=[("a", "1"), ("b", "2"), ("a", "3")])
    program = states._program(board_only=True)
    here = [x if str(i) in on else -x for i, x in enumerate(program.fluents, 1)]
    atom = program.fluents.__getitem__
    for found, wanted in [
        (states._sides_of(program, atom), sides),
        (states._turn_of(program, atom), roles),
    ]:
        assert [program.is_possible(*here, x) for x in found] == wanted
        assert [program.is_possible(*here, -x) for x in found] == [not value for value in wanted]


@pytest.mark.parametrize("flips", [False, True])
@pytest.mark.parametrize(("side", "held"), [(0, {1}), (1, {2}), (2, {3})])
def test_on_a_side_its_fluents_hold_and_no_others_that_tell_turns(flips, side, held) -> None:
    """Where the turn can be given away the board has any; else these are the states themselves."""
    states = lamps(told=[("a", "1"), ("b", "2"), ("a", "3")], flips=flips)
    program, copy = states._side(side)
    of = states._held(copy)
    for lamp in (1, 2, 3):
        assert program.is_possible(of(lamp - 1)) is (lamp in held)
        assert program.is_possible(-of(lamp - 1)) is (lamp not in held)
    for lamp in (4, 5):
        assert program.is_possible(of(lamp - 1))
        assert program.is_possible(-of(lamp - 1))
    wanted = set(SETS) if flips else {on for on in SETS if on & {1, 2, 3} == held}
    assert possible(program) == wanted


def test_a_side_of_boards_asks_nothing_of_groups_that_tell_turns() -> None:
    parts = {"told": [("a", "1"), ("b", "2")], "groups": [("12", True), ("34", False)]}
    assert len(possible(lamps(**parts, flips=True)._side(0)[0])) == 4 * 3 * 2
    assert len(possible(lamps(**parts)._side(0)[0])) == 3 * 2


STUCK = """(role a) (role b) (init l1) (init l2) (init l3)
(<= (legal a one) (true l1)) (<= (legal a two) (true l2)) (<= (legal b three) (true l3))
(<= (next l1) (does a two)) (<= (next l2) (does b three)) (<= (next l3) (true l1))
(<= (next l4) (does a one)) (<= (next l5) (true l4))
(<= terminal (true l4) (true l5)) (goal a 0) (goal b 0)"""


def test_a_step_is_of_a_legal_move_of_each_role_while_play_goes_on() -> None:
    """A role without a legal move is stuck; of the moves all legal ones, and no others, are made,
    one for each role."""
    states = States(certificate(STUCK), 60)
    program = states._program()
    copy = Copy(program)
    states._moving(program, copy)
    goes_on = {on for on in SETS if on & {1, 2} and 3 in on and not {4, 5} <= on}
    assert possible(program) == goes_on
    one, two = copy.made(0)
    [three] = copy.made(1)
    for on in goes_on:
        here = [x if i in on else -x for i, x in enumerate(program.fluents, 1)]
        for first, second in product((True, False), repeat=2):
            moves = [one if first else -one, two if second else -two]
            is_legal = first != second and (1 if first else 2) in on
            assert program.is_possible(*here, *moves) is is_legal
        assert not program.is_possible(*here, -three)


@pytest.mark.parametrize(
    ("moves", "sizes"),
    [
        ("(legal a x) (legal b y) (legal b z)", [2, 1]),
        ("(legal a x) (legal a y) (legal b z)", [2, 1]),
        ("(legal b z)", [1]),
    ],
)
def test_cases_are_the_moves_of_each_role_that_has_some_most_first(moves, sizes) -> None:
    rules = f"(role a) (role b) (init p) (<= (next q) (true p)) {moves} (goal a 0) (goal b 0)"
    states = States(certificate(f"{rules} (<= terminal (true q))"), 60)
    cases = states._cases(Copy(states._program()))
    assert [len(own) for own in cases] == sizes


CLOCK = """(role a) (role b) (init (ph 0)) (nx 0 1) (nx 1 2) (nx 2 3) (nx 3 0)
(<= (next (ph ?y)) (true (ph ?x)) (nx ?x ?y)) (init odd) (<= (next even) (true odd))
(<= (next odd) (true even)) (init lit) (<= (next lit) (does a light))
(legal a light) (legal a rest) (legal b wait) (<= terminal (not (true lit))) (goal a 0) (goal b 0)
"""
"""Four phases, two that go with them, and a lamp that moves decide."""

PHASES = [["(ph 0)"], ["(ph 1)"], ["(ph 2)"], ["(ph 3)"]]


def clock(roles, holds, *, flips=False):
    told = [(role, own) for role, own in zip(roles, holds, strict=True)]
    return States(certificate(CLOCK, told=told, flips=flips), 60)


@pytest.mark.parametrize(
    ("roles", "holds", "order", "is_round"),
    [
        ("abab", PHASES, [0, 1, 2, 3], True),
        ("baba", PHASES, [0, 1, 2, 3], True),
        ("abba", PHASES, [0, 1, 2, 3], False),
        ("aabb", PHASES, [0, 1, 2, 3], False),
        ("aaaa", PHASES, [0, 1, 2, 3], False),
        # In the order in which they come, not in that in which they are written.
        ("aabb", [PHASES[i] for i in (0, 2, 1, 3)], [0, 2, 1, 3], True),
        ("abab", [PHASES[i] for i in (3, 0, 1, 2)], [1, 2, 3, 0], True),
        ("ab", [["odd"], ["even"]], [0, 1], True),
        ("ab", [["even"], ["odd"]], [1, 0], True),
        ("aa", [["odd"], ["even"]], [0, 1], False),
        # One that is missing, one that does not come, one that moves decide.
        ("aba", PHASES[:3], None, False),
        ("ab", [["odd"], ["even", "(ph 0)"]], None, False),
        ("ab", [["lit"], []], None, False),
    ],
)
def test_sides_that_follow_each_other_by_themselves(roles, holds, order, is_round) -> None:
    states = clock(roles, holds)
    assert states._order == order
    assert states._is_round is is_round


@pytest.mark.parametrize(
    ("holds", "is_told"),
    [
        # All four phases change from one round of two to the next.
        (PHASES, False),
        # What is odd or even is the same again, and tells the roles alone.
        ([[*PHASES[i], "even" if i % 2 else "odd"] for i in range(4)], True),
        ([["odd"], ["even"]], True),
        # A clock that is none has no rounds.
        ([["lit"], []], False),
    ],
)
def test_a_part_that_is_the_same_after_each_round_may_tell_turns_alone(holds, is_told) -> None:
    assert clock("abab"[: len(holds)], holds)._is_told_by_part is is_told


@pytest.mark.parametrize(
    ("roles", "holds", "flips", "is_handed"),
    [
        ("ab", [["odd"], ["even"]], True, True),
        ("ab", [["odd"], ["even"]], False, False),
        ("abab", PHASES, True, False),
        ("ab", [["odd"], ["even", "lit"]], True, False),
        ("ab", [["odd", "lit"], ["even"]], True, False),
        ("ab", [["lit"], []], True, False),
        ("a", [["lit"]], True, False),
    ],
)
def test_a_turn_that_is_handed_on_has_one_fluent_for_each_role(
    roles, holds, flips, is_handed
) -> None:
    assert clock(roles, holds, flips=flips)._is_handed is is_handed


def test_sides_of_a_role() -> None:
    states = clock("abba", PHASES)
    assert list(states._sides) == [0, 1, 2, 3]
    assert [states._role(side) for side in states._sides] == [0, 1, 1, 0]
    assert (states._of_role(0), states._of_role(1)) == ([0, 3], [1, 2])


def test_when_time_is_up_the_search_ends() -> None:
    read = certificate(LAMPS)
    States(read, 60)._look()
    with pytest.raises(LimitReached):
        States(read, -1)._look()
    with pytest.raises(LimitReached):
        States(read, -1)._program().is_possible()


THREE_PHASES = """
(role a) (role b) (init (ph 0)) (nx 0 1) (nx 1 2) (nx 2 0) (init (heap 1)) (succ 0 1)
(<= (next (ph ?y)) (true (ph ?x)) (nx ?x ?y))
(move take) (move leave)
(<= (legal a ?m) (move ?m) (true (ph 0))) (<= (legal b noop) (true (ph 0)))
(<= (legal b ?m) (move ?m) (true (ph 1))) (<= (legal a noop) (true (ph 1)))
(<= (legal ?r noop) (role ?r) (true (ph 2)) (not (true (heap 0))))
(<= (next (heap ?m)) (true (heap ?n)) (succ ?m ?n) (true (ph 2)))
(<= (next (heap ?n)) (true (heap ?n)) (not (true (ph 2))))
(<= (next (did ?r)) (does ?r take))
(<= terminal (true (ph 2)) (true (heap 0))) (goal a 0) (goal b 100)
"""
"""Play ends in a phase in which nobody has a choice."""


@pytest.mark.parametrize("whose", ["a", "b"])
def test_a_clock_that_comes_back_to_the_wrong_role_does_not_go_round(whose) -> None:
    """Whose turn the last phase is nothing says: neither form of play is accepted."""
    told = [("a", ["(ph 0)"], []), ("b", ["(ph 1)"], [["take", "noop"]]), (whose, ["(ph 2)"])]
    round_once = [["take", "noop"], ["noop", "take"], ["noop", "noop"]]
    ends = {"witness": [[*round_once, *round_once[:2]]]}
    claims = [{"property": "form", "value": form, "ends": ends} for form in ("normal", "misère")]
    heaps = ([f"(heap {i})" for i in range(2)], True)
    made = certificate(THREE_PHASES, told=told, groups=[heaps], claims=claims)
    assert not any(one.holds for one in check_certificate(made, 30))
