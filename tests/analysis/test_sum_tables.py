"""Tables of what a move does, and the sums they prove, by brute force over all settings."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.analysis.boards.boards import Circuits
from ggp.analysis.invariants import tables
from ggp.analysis.invariants.tables import MoveTables, find_sums_of_kinds
from ggp.circuits.circuit import FALSE, TRUE
from ggp.work import count_work
from tests.analysis.test_parts import BOARDS, circuits, groups, holds

A, B, C, D = range(4)


def nothing(builder, a, b, c, d):
    return []


def made(make, listed) -> tuple[Circuits, MoveTables, list[int]]:
    boards = circuits(nothing)
    literals = list(boards.inputs.values())
    return (
        boards,
        MoveTables(boards.builder, boards.inputs, groups(*listed)),
        make(boards.builder, *literals),
    )


def moves(builder, a, b, c, d):
    """A token from A to B, while D does not hold."""
    return {A: (FALSE, a), B: (builder.conj(b ^ 1, a), FALSE)}, builder.conj(a, d ^ 1)


def swaps(builder, a, b, c, d):
    come = builder.conj(a ^ 1, b), builder.conj(a, b ^ 1)
    return {A: come, B: come[::-1]}, builder.xor(a, b)


def turns(builder, a, b, c, d):
    """D comes where just one of A and B holds, and C goes."""
    return {D: (builder.xor(a, b), FALSE), C: (FALSE, builder.conj(c, builder.disj(a, d)))}, TRUE


def only(builder, a, b, c, d):
    """Legal where A holds and B does not; whatever C is, on which it also hangs."""
    legal = builder.conj(builder.conj(a, b ^ 1), c)
    return {A: (FALSE, a), B: (b ^ 1, FALSE)}, legal


def unless(builder, a, b, c, d):
    """Legal where not both B and D hold, or A and B, or A and C."""
    pairs = builder.conj(a, b), builder.conj(b, d), builder.conj(a, c)
    return {x: (FALSE, y) for x, y in ((A, a), (B, b), (D, d))}, builder.conj_all(
        pair ^ 1 for pair in pairs
    )


def unlike(builder, a, b, c, d):
    """Legal where not both B and D hold."""
    builder.conj(a, b)
    return {B: (FALSE, b), D: (FALSE, d)}, builder.conj(b, d) ^ 1


def constant(builder, a, b, c, d):
    return {A: (TRUE, FALSE), B: (FALSE, FALSE)}, TRUE


def beyond(builder, a, b, c, d):
    return {A: (FALSE, builder.conj(a, builder.input()))}, TRUE


def kept(listed, held) -> bool:
    counts = [(sum(held[f] for f in g.fluents), g.exact) for g in groups(*listed)]
    return all(n == 1 or (n == 0 and not exact) for n, exact in counts)


@pytest.mark.parametrize(
    "listed", [[], ["ab"], ["AB"], ["ABCD"], ["abc"], ["AB", "cd"], ["AC", "BD"], ["A"], ["A", "b"]]
)
@pytest.mark.parametrize("make", [moves, swaps, turns, only, unless, unlike, constant])
def test_a_table_has_all_that_a_move_does(make, listed) -> None:
    """On boards on which groups hold, and the move is legal as far as these fluents tell."""
    boards, found, (changes, legal) = made(make, listed)
    table = found.table(changes, legal)
    assert list(table.deltas) == list(changes)
    count = len(next(iter(table.deltas.values())))
    assert {len(column) for column in table.deltas.values()} == {count}
    # Each setting, as it is told, with what the move does there.
    told = []
    for setting in range(count):
        known = {}
        for part in table.parts:
            place = int(part.setting[setting])
            known.update({f: n == place for n, f in enumerate(part.own)})
        told.append((known, table.change(setting)))
    asked = {f for known, _ in told for f in known}
    met = set()
    for held in BOARDS:
        if not kept(listed, held):
            continue
        fitting = [
            i for i, (known, _) in enumerate(told) if all(held[f] == x for f, x in known.items())
        ]
        if holds(boards, legal, held):
            assert len(fitting) == 1
        for i in fitting:
            met.add(i)
            change = tuple(
                (f, int(holds(boards, comes, held)) - int(holds(boards, goes, held)))
                for f, (comes, goes) in changes.items()
            )
            assert told[i][1] == tuple((f, d) for f, d in change if d)
            if {A, B, C, D} == asked:
                assert holds(boards, legal, held)
    # No setting that does not arise.
    assert met == set(range(count))


@pytest.mark.parametrize(
    ("make", "listed", "own", "settings"),
    [
        # A and B: each holds or not, or at most one, or just one; A does where it is legal.
        (moves, [], [(A,), (B,)], 2),
        (moves, ["ab"], [(A, B)], 1),
        (moves, ["AB"], [(A, B)], 1),
        # That D does not hold is looked at where D is in their group.
        (moves, ["ABD"], [(A, B)], 1),
        (swaps, [], [(A,), (B,)], 2),
        (swaps, ["ab"], [(A, B)], 2),
        (swaps, ["AC", "BD"], [(A,), (B,)], 2),
        # One that always holds.
        (swaps, ["A"], [(A,), (B,)], 1),
        (turns, [], [(A,), (B,), (C,), (D,)], 16),
        (turns, ["ABCD"], [(A, B, C, D)], 4),
        (turns, ["abcd"], [(A, B, C, D)], 5),
        (turns, ["abc"], [(A, B, C), (D,)], 8),
        (turns, ["AB", "cd"], [(A, B), (C, D)], 6),
        (only, [], [(A,), (B,)], 1),
        (unlike, [], [(B,), (D,)], 3),
        (unless, [], [(A,), (B,), (D,)], 5),
        (constant, [], [], 1),
    ],
)
def test_settings_of_a_table(make, listed, own, settings) -> None:
    _, found, (changes, legal) = made(make, listed)
    table = found.table(changes, legal)
    assert [part.own for part in table.parts] == own
    assert len(table.deltas[next(iter(changes))]) == settings


@pytest.mark.parametrize(
    ("make", "listed", "most", "support", "is_made"),
    [
        (turns, [], 16, 4, True),
        (turns, [], 15, 4, False),
        (turns, [], 16, 3, True),
        (turns, [], 16, 2, False),
        (turns, ["ABCD"], 4, 4, True),
        (turns, ["ABCD"], 3, 4, False),
        (turns, ["AB", "cd"], 6, 4, True),
        (turns, ["AB", "cd"], 5, 4, False),
        # Other inputs than fluents.
        (beyond, [], 99, 99, False),
    ],
)
def test_no_table_where_a_move_hangs_on_too_much(
    monkeypatch, make, listed, most, support, is_made
) -> None:
    monkeypatch.setattr(tables, "MAX_SETTINGS", most)
    monkeypatch.setattr(tables, "MAX_SUPPORT", support)
    _, found, (changes, legal) = made(make, listed)
    assert (found.table(changes, legal) is not None) == is_made


def alone(builder, x, y):
    return builder.conj(x, y ^ 1)


def shift(builder, a, b, c, d):
    """From A to B, from B to A, and from C to D, where there is none yet."""
    back = [
        (alone(builder, a, b), {A: FALSE, B: TRUE}),
        (alone(builder, b, a), {A: TRUE, B: FALSE}),
    ]
    return [(FALSE, back), (FALSE, [(alone(builder, c, d), {C: FALSE, D: TRUE})])]


def careless(builder, a, b, c, d):
    """From A to B wherever there is one on A, and D comes and goes."""
    return [(FALSE, [(a, {A: FALSE, B: TRUE}), (TRUE, {D: d ^ 1})])]


def two_for_one(builder, a, b, c, d):
    """A and B for C, and C for A and B."""
    none, both = builder.conj(a ^ 1, b ^ 1), builder.conj(a, b)
    for_two = builder.conj(none, c), {A: TRUE, B: TRUE, C: FALSE}
    return [(FALSE, [for_two, (builder.conj(both, c ^ 1), {A: FALSE, B: FALSE, C: TRUE})])]


def crowded(builder, a, b, c, d):
    """From A to B where C or D is there: that B is not follows from how many there are."""
    return [(FALSE, [(builder.conj(a, builder.disj(c, d)), {A: FALSE, B: TRUE}),
                     (alone(builder, c, d), {C: FALSE, D: TRUE}),
                     (alone(builder, b, c), {B: FALSE, C: TRUE})])]  # fmt: skip


def reached(boards, initial) -> set[tuple[bool, ...]]:
    todo, found = [tuple(f in initial for f in range(4))], set()
    while todo:
        held = todo.pop()
        found.add(held)
        for option in (o for side in boards.sides for o in side.options):
            if holds(boards, option.legal, held):
                own = {f: holds(boards, x, held) for f, x in option.own.items()}
                after = tuple(own.get(f, x) for f, x in enumerate(held))
                if after not in found:
                    todo.append(after)
    return found


APART, PAIRS, CROSS, ONE = [0, 1, 2, 3], [0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("make", "kinds", "listed", "initial", "without", "found"),
    [
        (shift, APART, [], {A, C}, (), ["ab", "cd"]),
        (shift, PAIRS, [], {A, C}, (), ["ab", "cd"]),
        (shift, CROSS, [], {A, C}, (), ["abcd"]),
        (shift, ONE, [], {A, C}, (), ["abcd"]),
        (shift, [0, 1, 1, 1], [], {A, C}, (), ["abcd"]),
        # What follows from an exact group is left out; what from another is not.
        (shift, APART, ["AB"], {A, C}, (), ["cd"]),
        (shift, APART, ["AB", "CD"], {A, C}, (), []),
        (shift, APART, ["ab", "cd"], {A, C}, (), ["ab", "cd"]),
        (shift, APART, [], {A, C}, (A,), ["cd"]),
        (shift, APART, [], {A, C}, (A, D), []),
        # No move is legal where the sums are what they are.
        (shift, APART, [], {A, B}, (), ["a", "b", "c", "d"]),
        (careless, APART, [], {A}, (), ["ab", "c"]),
        (careless, APART, [], {A, C}, (), ["ab", "c"]),
        (careless, APART, ["ab"], {A}, (), ["ab", "c"]),
        # Where A and B hold A is lost; where neither does no setting arises.
        (careless, APART, [], {A, B}, (), ["b", "c"]),
        (careless, APART, [], (), (), ["a", "b", "c"]),
        (careless, ONE, [], {A}, (), []),
        (careless, [0, 0, 0, 1], [], {A}, (), ["abc"]),
        (two_for_one, APART, [], {C}, (), ["ac", "bc", "d"]),
        (two_for_one, PAIRS, [], {C}, (), ["abccdd"]),
        (two_for_one, ONE, [], {C}, (), []),
        (crowded, ONE, [], {A}, (), ["abcd"]),
        (crowded, [0, 0, 0, 0], ["ab"], {A, C}, (), ["abcd"]),
    ],
)
def test_sums_that_never_change(make, kinds, listed, initial, without, found) -> None:
    """`abccdd`: a and b weigh one, c and d two; of sums that say the same together any will do."""
    boards = circuits(make)
    sums = find_sums_of_kinds(boards, kinds, groups(*listed), initial, (), 5.0, without).found
    rows = [[dict(own.weights).get(f, 0) for f in range(4)] for own in sums]
    wanted = [[own.count(x) for x in "abcd"] for own in found]
    states = reached(boards, initial)
    for own in sums:
        assert {sum(w for f, w in own.weights if held[f]) for held in states} == {own.value}
        assert not {f for f, _ in own.weights} & set(without)
    assert len(rows) == len(wanted)
    rank = np.linalg.matrix_rank
    assert rank(rows + wanted) == rank(wanted) if wanted else True


def together(builder, a, b, c, d):
    """From A to B and from C to D at once, of which D may hold already for all that is asked."""
    both = builder.conj(alone(builder, a, b), c), {A: FALSE, B: TRUE, C: FALSE, D: TRUE}
    return [(FALSE, [both, (alone(builder, a, b), {A: FALSE, B: TRUE})])]


def test_what_the_proof_of_a_sum_rests_on() -> None:
    """That D does not hold where C does follows from the sum of both alone."""
    found = find_sums_of_kinds(circuits(together), PAIRS, [], {A, C}, (), 5.0)
    by_fluents = {tuple(f for f, _ in own.weights): own for own in found.found}
    assert by_fluents.keys() == {(A, B), (C, D)}
    assert found.resting_on([by_fluents[C, D]]) == [by_fluents[C, D]]


def test_what_was_seen_need_not_be_found() -> None:
    """A change that no move makes takes out its sums."""
    boards = circuits(shift)
    sums = find_sums_of_kinds(boards, APART, [], {A, C}, [((C, 1),)], 5.0).found
    assert [[f for f, _ in own.weights] for own in sums] == [[A, B]]


@pytest.mark.parametrize(("most", "work", "count"), [(4, 5.0, 2), (3, 5.0, 0), (4, 0.0, 0)])
def test_no_sums_without_work_or_of_too_many_fluents(monkeypatch, most, work, count) -> None:
    monkeypatch.setattr(tables, "MAX_FLUENTS", most)
    count_work(3.0)
    found = find_sums_of_kinds(circuits(shift), APART, [], {A, C}, (), work)
    assert len(found.found) == count


def test_sums_of_moves_that_hang_on_too_much_are_dropped(monkeypatch) -> None:
    """For the second player's moves three settings are too few."""
    monkeypatch.setattr(tables, "MAX_SETTINGS", 3)
    given = groups("ab")
    found = find_sums_of_kinds(circuits(shift), APART, given, {A, C}, (), 5.0).found
    assert [[f for f, _ in own.weights] for own in found] == [[A, B]]


@pytest.mark.parametrize(
    ("row", "fluents", "exact", "found"),
    [
        ({A: 2, B: 5}, (A, B), True, (2, 5)),
        ({A: 2, B: 5}, (A, B), False, (0, 5)),
        ({A: -2, B: -5}, (A, B), False, (-5, 0)),
        ({A: 2}, (A, B), True, (0, 2)),
        ({A: 2}, (C,), True, (0, 0)),
        ({A: 2}, (), False, (0, 0)),
    ],
)
def test_how_much_one_of_some_fluents_can_weigh(row, fluents, exact, found) -> None:
    assert tables._range(row, fluents, exact=exact) == found
