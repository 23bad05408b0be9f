"""Tables of what moves do: against all settings of the groups that they hang on."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest

from ggp.analysis.boards.boards import Circuits, Frame, Option, Side
from ggp.analysis.invariants import tables as module
from ggp.analysis.invariants.tables import (
    MoveTable,
    MoveTables,
    _column,
    _range,
    find_sums_of_kinds,
)
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.ground import Group
from ggp.work import GATES, work_done
from tests.analysis.truths import truth


def made(fluents: int, *groups: Group) -> tuple[Builder, list[int], MoveTables]:
    builder = Builder()
    inputs = builder.inputs(fluents)
    return builder, inputs, MoveTables(builder, dict(enumerate(inputs)), groups)


def settings(table: MoveTable) -> list[frozenset[int]]:
    """The fluents that hold in each setting, of those that the table is about."""
    count = len(next(iter(table.deltas.values())))
    return [
        frozenset(
            part.own[int(part.setting[i])]
            for part in table.parts
            if part.setting[i] < len(part.own)
        )
        for i in range(count)
    ]


CHOICES = [
    [],
    [Group((0, 1, 2), exact=True)],
    [Group((0, 1, 2), exact=False)],
    [Group((0, 1), exact=True), Group((2, 3, 4), exact=False)],
    [Group((1, 3), exact=False), Group((0, 2, 4), exact=True)],
]


@pytest.mark.parametrize("groups", CHOICES)
@pytest.mark.parametrize("seed", range(8))
def test_a_table_says_what_a_move_does_in_every_setting(groups: list[Group], seed: int) -> None:
    """Each setting of groups once; those are left out in which the move cannot be legal."""
    rng = random.Random(seed)
    builder, inputs, tables = made(5, *groups)
    listed = [*inputs]
    for _ in range(8):
        a, b = (rng.choice(listed) ^ rng.randint(0, 1) for _ in range(2))
        listed.append(rng.choice([builder.conj, builder.xor])(a, b))
    changes = {f: (rng.choice(listed), rng.choice([FALSE, *listed])) for f in (0, 3)}
    asked = [x for pair in changes.values() for x in pair]
    support = {inputs.index(2 * n) for n in _cone(builder, asked) if 2 * n in inputs}
    near = [inputs[f] ^ rng.randint(0, 1) for f in sorted(support)[:1]]
    far = [inputs[f] for f in range(5) if f not in support][:1]
    table = tables.table(changes, builder.conj_all([*near, *far]))
    assert table is not None
    found = settings(table)
    wanted = []
    for held in itertools.product((False, True), repeat=len(support)):
        own = {f for f, holds in zip(sorted(support), held, strict=True) if holds}
        of = dict(zip(inputs, (f in own for f in range(5)), strict=True))
        if not all(truth(builder, x, of) for x in near):
            continue
        # Of a group of which all fluents are here one holds, if one always does.
        if all(
            len(own & {*g.fluents}) <= 1
            and (own & {*g.fluents} or not g.exact or not support >= {*g.fluents})
            for g in groups
        ):
            wanted.append(frozenset(own))
    assert len(found) == len(set(found))
    assert set(found) == set(wanted)
    for place, own in enumerate(found):
        of = dict(zip(inputs, (f in own for f in range(5)), strict=True))
        told = {f: truth(builder, a, of) - truth(builder, b, of) for f, (a, b) in changes.items()}
        assert {f: int(column[place]) for f, column in table.deltas.items()} == told
        assert dict(table.change(place)) == {f: d for f, d in told.items() if d}


def _cone(builder: Builder, literals: Sequence[int]) -> set[int]:
    return builder.circuit((), ()).cone(literals)


@pytest.mark.parametrize(("most", "fits"), [(12, True), (11, False)])
def test_there_are_so_many_settings_at_the_most(
    monkeypatch: pytest.MonkeyPatch, most: int, fits: bool
) -> None:
    """Three of an exact group, two of a fluent by itself, two of a part of a group: 3 · 2 · 2."""
    monkeypatch.setattr(module, "MAX_SETTINGS", most)
    builder, x, tables = made(6, Group((0, 1, 2), exact=True), Group((4, 5), exact=True))
    table = tables.table({3: (builder.conj_all([*x[:5]]), FALSE)}, TRUE)
    assert (table is not None) == fits
    if table is not None:
        assert len(settings(table)) == 12


@pytest.mark.parametrize(("most", "fits"), [(3, True), (2, False)])
def test_there_are_so_many_fluents_at_the_most(
    monkeypatch: pytest.MonkeyPatch, most: int, fits: bool
) -> None:
    monkeypatch.setattr(module, "MAX_SUPPORT", most)
    builder, x, tables = made(4)
    three = builder.conj(builder.conj(x[0], x[1]), x[2])
    assert (tables.table({0: (three, FALSE)}, TRUE) is not None) == fits
    assert (tables.table({0: (FALSE, three), 1: (x[1], FALSE)}, TRUE) is not None) == fits
    # What the rest of the rules says of when the move is legal does not count.
    assert tables.table({0: (x[0], FALSE)}, builder.conj(x[0], three)) is not None


def test_what_hangs_on_other_inputs_has_no_table() -> None:
    """On a move, say."""
    builder, x, tables = made(2)
    other = builder.input()
    assert tables.table({0: (builder.xor(x[0], other), FALSE)}, TRUE) is None
    assert tables.table({0: (x[0], builder.conj(x[1], other))}, TRUE) is None
    table = tables.table({0: (x[0], FALSE)}, builder.conj(x[0], other))
    assert table is not None
    assert settings(table) == [frozenset([0])]


@pytest.mark.parametrize(
    ("at_once", "first", "again"),
    [
        # Of three nodes it is found what they hang on; one gate of four settings, one column.
        (1_000, 3 + 1 + 2, 1 + 2),
        (5, 3 + 1 + 2, 1 + 2),
        (4, 3 + 2 + 3, 2 + 3),
        (2, 3 + 3 + 4, 3 + 4),
        (1, 3 + 5 + 6, 5 + 6),
    ],
)
def test_work_is_counted_by_gates_and_settings(
    monkeypatch: pytest.MonkeyPatch, at_once: int, first: int, again: int
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", at_once)
    builder, x, tables = made(2)
    both = builder.conj(*x)
    for wanted in (first, again):
        before = work_done()
        assert tables.table({0: (both, FALSE)}, TRUE) is not None
        assert (work_done() - before) / GATES == pytest.approx(wanted, abs=1e-3)


def test_a_conjunction_is_of_all_that_it_holds_of() -> None:
    builder, x, tables = made(5)
    a, b, c, d, e = x
    for literal, parts in (
        (a, [a]),
        (a ^ 1, [a ^ 1]),
        (TRUE, [TRUE]),
        (builder.conj(a, b), [a, b]),
        (builder.conj(a, b) ^ 1, [builder.conj(a, b) ^ 1]),
        (builder.xor(a, b), [builder.xor(a, b)]),
        (builder.conj_all([a, b ^ 1, c, d]), [a, b ^ 1, c, d]),
        (builder.conj(builder.conj(a, b) ^ 1, e), [builder.conj(a, b) ^ 1, e]),
        (builder.conj(builder.xor(a, b), builder.conj(c, d)), [builder.xor(a, b), c, d]),
    ):
        assert sorted(tables._conjuncts(literal)) == sorted(parts)


@pytest.mark.parametrize(
    ("row", "fluents", "exact", "found"),
    [
        ({}, (0, 1), True, (0, 0)),
        ({0: 3}, (0, 1), True, (0, 3)),
        ({0: 3, 1: 2}, (0, 1), True, (2, 3)),
        ({0: 3, 1: 2}, (0, 1), False, (0, 3)),
        ({0: -3, 1: -2}, (0, 1), True, (-3, -2)),
        ({0: -3, 1: -2}, (0, 1), False, (-3, 0)),
        ({0: -3, 1: 2, 2: 9}, (0, 1), False, (-3, 2)),
    ],
)
def test_how_much_a_group_can_weigh(
    row: dict[int, int], fluents: tuple[int, ...], exact: bool, found: tuple[int, int]
) -> None:
    assert _range(row, fluents, exact=exact) == found


@pytest.mark.parametrize("count", [1, 7, 8, 9, 16, 17])
def test_a_column_has_the_bits_of_a_number(count: int) -> None:
    bits = random.Random(count).getrandbits(count) | 1 << count - 1
    found = _column(bits, count)
    assert found.dtype == np.int8
    assert found.tolist() == [bits >> i & 1 for i in range(count)]
    assert _column(0, count).tolist() == [0] * count


def circuits(fluents: int, *moves: tuple[str, str]) -> Circuits:
    """Moves of one role, each with the digits of fluents that go, and of those that come; a move is
    legal where those that go are there, and those that come are not."""
    builder = Builder()
    x = builder.inputs(fluents)
    options = []
    for number, (gone, come) in enumerate(moves):
        parts = [x[int(f)] for f in gone] + [x[int(f)] ^ 1 for f in come]
        own = {int(f): FALSE for f in gone} | {int(f): TRUE for f in come}
        legal = builder.conj_all(parts)
        options.append(Option(number, legal, legal, Frame(0, {}), own, TRUE))
    side = Side(FALSE, (), tuple(options), TRUE)
    return Circuits(None, builder, dict(enumerate(x)), (side,))  # type: ignore[arg-type]


MERGE = ("01", "2")
"""Two tokens become one."""


@pytest.mark.parametrize(
    ("moves", "kinds", "initial", "found"),
    [
        # What is never changed, and what one token does.
        ([("0", "1")], (0, 1, 2), {0}, [{0: 1, 1: 1}, {2: 1}]),
        ([("0", "1")], (0, 0, 1), {0}, [{0: 1, 1: 1}, {2: 1}]),
        ([("0", "1")], (0, 0, 0), {0}, [{0: 1, 1: 1, 2: 1}]),
        ([("0", "1")], (0, 1, 0), {0}, [{0: 1, 1: 1, 2: 1}]),
        ([MERGE], (0, 1, 2), {0, 1}, [{0: 1, 1: -1}, {0: 1, 2: 1}]),
        ([MERGE], (0, 0, 1), {0, 1}, [{0: 1, 1: 1, 2: 2}]),
        ([MERGE], (0, 0, 0), {0, 1}, []),
        ([MERGE, ("0", "2")], (0, 1, 2), {0, 1}, [{0: 1, 2: 1}]),
        ([MERGE, ("0", "2")], (0, 0, 1), {0, 1}, []),
        # With two tokens at 0 and 1, or none at 0, none can go from 0 to 1.
        ([("0", "1")], (0, 1, 2), {0, 1}, [{0: 1}, {1: 1}, {2: 1}]),
        ([("0", "1")], (0, 1, 2), set(), [{0: 1}, {1: 1}, {2: 1}]),
    ],
)
def test_sums_weigh_all_fluents_of_one_kind_alike(
    moves: list[tuple[str, str]],
    kinds: tuple[int, ...],
    initial: set[int],
    found: list[dict[int, int]],
) -> None:
    """Of all sums that no move changes: as many as these, of which each is made."""
    sums = find_sums_of_kinds(circuits(3, *moves), kinds, [], initial, [], 5.0)
    rows = [dict(one.weights) for one in sums.found]
    assert len(rows) == len(found)
    for one in sums.found:
        weights = dict(one.weights)
        assert one.value == sum(weights.get(f, 0) for f in initial)
        of_kind = {kind: weights.get(f, 0) for f, kind in enumerate(kinds)}
        assert [weights.get(f, 0) for f in range(3)] == [of_kind[kind] for kind in kinds]
    as_rows = np.array([[row.get(f, 0) for f in range(3)] for row in rows]).reshape(-1, 3)
    wanted = np.array([[row.get(f, 0) for f in range(3)] for row in found]).reshape(-1, 3)
    both = np.concatenate([as_rows, wanted])
    assert not len(both) or np.linalg.matrix_rank(both) == len(found)


@pytest.mark.parametrize(("most", "is_asked"), [(3, True), (2, False)])
def test_of_many_fluents_there_are_no_sums(
    monkeypatch: pytest.MonkeyPatch, most: int, is_asked: bool
) -> None:
    monkeypatch.setattr(module, "MAX_FLUENTS", most)
    sums = find_sums_of_kinds(circuits(3, ("0", "1")), (0, 1, 2), [], {0}, [], 5.0)
    assert bool(sums.found) == is_asked


def test_without_work_nothing_is_known_of_what_moves_change() -> None:
    sums = find_sums_of_kinds(circuits(3, ("0", "1")), (0, 1, 2), [], {2}, [], 0.0)
    assert [(one.weights, one.value) for one in sums.found] == [(((2, 1),), 1)]


@pytest.mark.parametrize(
    ("groups", "kinds", "is_found"),
    [
        # Of 0 and 1 one holds at the most: the move of both is never made.
        ([(0, 1)], (0, 1, 2, 3), True),
        ([(0, 1)], (0, 0, 1, 1), True),
        ([], (0, 1, 2, 3), False),
        ([], (0, 0, 1, 1), False),
        ([(2, 3)], (0, 1, 2, 3), False),
        ([(2, 3), (0, 1)], (0, 0, 1, 1), True),
        # Groups that have a fluent in common are not both taken: squares come before places of one
        # kind of piece.
        ([(0, 1), (1, 2)], (0, 1, 2, 3), True),
        ([(0, 1), (1, 2)], (0, 0, 1, 1), False),
    ],
)
def test_moves_that_groups_exclude_change_nothing(
    groups: list[tuple[int, ...]], kinds: tuple[int, ...], is_found: bool
) -> None:
    """0 and 1 become 2; that 2 and 3 exchange a token keeps their sum."""
    moves = circuits(4, MERGE, ("2", "3"), ("3", "2"))
    known = [Group(own, exact=False) for own in groups]
    sums = find_sums_of_kinds(moves, kinds, known, {0, 1, 3}, [], 5.0)
    rows = [one.weights for one in sums.found]
    assert (((2, 1), (3, 1)) in rows) == is_found


@pytest.mark.parametrize(
    ("moves", "sizes"),
    [
        # Nothing is dropped.
        ([("0", "1")] * 8, [1, 2, 4, 1]),
        # The move that changes a sum is asked about again, alone.
        ([("2", "3"), *[("0", "1")] * 4], [1, 1, 2, 2]),
        ([*[("0", "1")] * 4, ("2", "3")], [1, 2, 2, 1]),
    ],
)
def test_ever_more_moves_are_asked_about_together_while_no_sum_is_dropped(
    monkeypatch: pytest.MonkeyPatch, moves: list[tuple[str, str]], sizes: list[int]
) -> None:
    """A move from 0 to 1 was seen, so that its sum is known; one from 2 to 3 was not."""
    asked: list[int] = []
    look = module._ByTables._pass

    def told(self: module._ByTables, pending: Sequence[int]) -> bool:
        asked.append(len(pending))
        return look(self, pending)

    monkeypatch.setattr(module._ByTables, "_pass", told)
    seen = [((0, -1), (1, 1))]
    sums = find_sums_of_kinds(circuits(4, *moves), (0, 1, 2, 3), [], {0, 2}, seen, 5.0)
    assert asked == sizes
    assert len(sums.found) == (2 if ("2", "3") in moves else 3)
