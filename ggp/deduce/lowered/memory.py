"""What the machine of `running` keeps: terms, tables of facts, and what is known of the state that
is asked about, which only grows until that is left.

All that the machine is in the middle of stands in arrays, so that it can be left after some steps
and gone on with, or given more room where that has come to an end.
"""

# Arrays of numba have no types.
# mypy: disable-error-code="no-any-return,return-value"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel

Numbers = NDArray[np.int32]
Counts = NDArray[np.int64]

PC, FRAME, BASE, LEFT, ENTRIES, CELLS, KEYS, TERMS, PARTS, OPEN, HELD, MIXED, WANTED = range(13)
"""Places of `Memory.at`: the next instruction, the frame and its registers, the steps that may be
made, how much of each array is in use, answers that wait for others, fluents that hold, rows that
are drawn, and how many there should be room for."""
FIRST_ENTRY, FIRST_CELL, FIRST_KEY, PHASE, PLIES = range(13, 18)
"""The first entry, row and key that belong to the state; how far a play is."""
PLACES = 18

TAG, KEY, HEAD, TAIL, SLOT, STATUS, HANGS = range(7)
"""Columns of `Memory.entries`: what is asked and of what, the first and the last answer, where it
is found, how far it is, and the frame that answers it or the lowest one that it hangs on."""

NEW, OPENED, PARTLY, STALE, WHOLE = range(5)
"""An entry's status: just made; being answered; answered as far as what it hangs on; to be asked
again; answered."""

BACK, ANSWER, PROCEDURE, OUTER, LOWEST, BELOW, IS_NEW, SPAN = range(8)
"""Columns of `Memory.frames`: the call to go back to, the entry and the procedure, the registers of
who called, the lowest frame it hangs on, the answers that waited when it began, whether it has a
new answer, how many registers it has."""

OWNER, PLACE, WIDTH, COLUMNS = 1, 2, 3, 4
"""In `Memory.cells`, from the place of a row on: the next row of the entry, the entry, where it is
found, how many columns it has, and these."""

NONE = 1 << 30
"""No frame."""

ROOM = 64
"""What one instruction takes of any array at the most, but for indices of fluents."""

FIRST = 8
"""The first row; 1 stands for an answer without columns."""

MOST_COLUMNS, MOST_REGISTERS = 60, 4_000
"""Columns of a relation or a term, and registers of a procedure."""


class Memory(NamedTuple):
    """All arrays of a machine.

    Code: `code`, and of each procedure (`procedures`) where it begins, its registers and its tag.
    Terms: `starts` into `parts`, each a functor and arguments; found by `terms`. What is known:
    `entries` with `keys`, found by `slots`; their rows in `cells`, found by `places`. Tables of
    fluents: `tables` (functor, tag, numbers of known and wanted columns, where these are told in
    `columns`), and `filled`, which have been made. Tables of facts: `spots` into `layout`, where
    the first of `heads` stands and for each known column a map in `maps` and a stride. The state:
    `state`, of which each fluent `holds`; `roles` and what each has `chosen`. The machine:
    `frames`, `registers`, entries `waiting` for others, rows in `order` of being drawn, `at` and
    the `bounds` of it, `random`; `spare` and `scratch` for what is on the way.
    """

    code: Numbers
    procedures: Numbers
    tables: Numbers
    columns: Numbers
    starts: Numbers
    parts: Numbers
    terms: Numbers
    entries: Numbers
    keys: Numbers
    slots: Numbers
    cells: Numbers
    places: Numbers
    frames: Numbers
    registers: Numbers
    waiting: Numbers
    order: Numbers
    spots: Numbers
    layout: Numbers
    maps: Numbers
    heads: Numbers
    holds: NDArray[np.uint8]
    state: Numbers
    spare: Numbers
    scratch: Numbers
    roles: Numbers
    chosen: Numbers
    filled: Numbers
    at: Counts
    bounds: Counts
    random: NDArray[np.uint64]


@kernel
def slot_of(first: int, more: Numbers, size: int) -> int:
    """A hash of some numbers (Fowler, Noll and Vo's, with its upper half)."""
    code = np.uint64(first) ^ np.uint64(0xCBF29CE484222325)
    for i in range(size):
        code = (code ^ np.uint64(more[i])) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(29)
    code *= np.uint64(0x9E3779B97F4A7C15)
    return np.int64(code >> np.uint64(33))


@kernel
def find_term(terms: Numbers, starts: Numbers, parts: Numbers, shape: Numbers, size: int) -> int:
    """The slot of a term of this shape, which holds its number or 0."""
    mask = len(terms) - 1
    slot = slot_of(0, shape, size) & mask
    while True:
        number = terms[slot]
        if number == 0:
            return slot
        start = starts[number]
        if starts[number + 1] - start == size:
            same = True
            for i in range(size):
                if parts[start + i] != shape[i]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + 1) & mask


@kernel
def add_term(
    terms: Numbers, starts: Numbers, parts: Numbers, at: Counts, shape: Numbers, size: int
) -> int:
    """The number of a term of this shape, a new one where it is new."""
    slot = find_term(terms, starts, parts, shape, size)
    if terms[slot] != 0:
        return terms[slot]
    number = np.int32(at[TERMS])
    start = at[PARTS]
    for i in range(size):
        parts[start + i] = shape[i]
    at[PARTS] += size
    starts[number + 1] = at[PARTS]
    terms[slot] = number
    at[TERMS] += 1
    return number


@kernel
def find_entry(
    slots: Numbers, entries: Numbers, keys: Numbers, at: Counts, tag: int, key: Numbers, size: int,
    make: bool,
) -> int:  # fmt: skip
    """The entry of a tag and a key, or 0; with `make` a new one where there is none."""
    mask = len(slots) - 1
    slot = slot_of(tag, key, size) & mask
    while True:
        entry = slots[slot]
        if entry == 0:
            break
        if entries[entry, TAG] == tag:
            start = entries[entry, KEY] + 1
            same = True
            for i in range(size):
                if keys[start + i] != key[i]:
                    same = False
                    break
            if same:
                return entry
        slot = (slot + 1) & mask
    if not make:
        return np.int32(0)
    entry = np.int32(at[ENTRIES])
    at[ENTRIES] += 1
    start = at[KEYS]
    keys[start] = size
    for i in range(size):
        keys[start + 1 + i] = key[i]
    at[KEYS] += 1 + size
    entries[entry, TAG] = tag
    entries[entry, KEY] = start
    entries[entry, HEAD] = 0
    entries[entry, TAIL] = 0
    entries[entry, SLOT] = slot
    entries[entry, STATUS] = NEW
    slots[slot] = entry
    return entry


@kernel
def add_row(
    places: Numbers, cells: Numbers, entries: Numbers, at: Counts, entry: int, row: Numbers,
    size: int,
) -> bool:  # fmt: skip
    """Note a row of an entry; whether it is new."""
    if size == 0:
        if entries[entry, HEAD] != 0:
            return False
        entries[entry, HEAD] = 1
        return True
    mask = len(places) - 1
    place = slot_of(entry, row, size) & mask
    while True:
        cell = places[place]
        if cell == 0:
            break
        if cells[cell + OWNER] == entry:
            same = True
            for i in range(size):
                if cells[cell + COLUMNS + i] != row[i]:
                    same = False
                    break
            if same:
                return False
        place = (place + 1) & mask
    cell = np.int32(at[CELLS])
    at[CELLS] += 4 + size
    cells[cell] = 0
    cells[cell + OWNER] = entry
    cells[cell + PLACE] = place
    cells[cell + WIDTH] = size
    for i in range(size):
        cells[cell + COLUMNS + i] = row[i]
    places[place] = cell
    if entries[entry, HEAD] == 0:
        entries[entry, HEAD] = cell
    else:
        cells[entries[entry, TAIL]] = cell
    entries[entry, TAIL] = cell
    return True


@kernel
def release(m: Memory, entries: int, cells: int, keys: int) -> None:
    """Forget all entries and rows that were made after so many."""
    for entry in range(entries, m.at[ENTRIES]):
        m.slots[m.entries[entry, SLOT]] = 0
    cell = cells
    while cell < m.at[CELLS]:
        m.places[m.cells[cell + PLACE]] = 0
        cell += 4 + m.cells[cell + WIDTH]
    for table in range(len(m.filled)):
        if m.filled[table] >= entries:
            m.filled[table] = 0
    m.at[ENTRIES] = entries
    m.at[CELLS] = cells
    m.at[KEYS] = keys


@kernel
def enter(m: Memory, fluents: Numbers) -> None:
    """Ask about the state in which these fluents hold, from now on."""
    leave(m)
    for i in range(len(fluents)):
        m.holds[fluents[i]] = 1
        m.state[i] = fluents[i]
    m.at[HELD] = len(fluents)


@kernel
def leave(m: Memory) -> None:
    """Forget the state, and all that was found out about it."""
    for i in range(m.at[HELD]):
        m.holds[m.state[i]] = 0
    m.at[HELD] = 0
    release(m, m.at[FIRST_ENTRY], m.at[FIRST_CELL], m.at[FIRST_KEY])


@kernel
def fill(m: Memory, table: int) -> None:
    """Index the fluents of a functor by some columns."""
    functor, tag, known, wanted, start = m.tables[table]
    at, starts, parts = m.at, m.starts, m.parts
    at_fluents, told, entries = m.state, m.columns, m.entries
    m.filled[table] = at[ENTRIES]
    key, row = m.scratch[ROOM : 2 * ROOM], m.scratch[2 * ROOM :]
    for i in range(at[HELD]):
        shape = starts[at_fluents[i]]
        if parts[shape] == functor:
            for j in range(known):
                key[j] = parts[shape + 1 + told[start + j]]
            for j in range(wanted):
                row[j] = parts[shape + 1 + told[start + known + j]]
            entry = find_entry(m.slots, entries, m.keys, at, tag, key, known, True)
            entries[entry, STATUS] = WHOLE
            add_row(m.places, m.cells, entries, at, entry, row, wanted)


@kernel
def has_room(at: Counts, bounds: Counts, more: int) -> bool:
    """Whether one more instruction has room in all arrays, with so many fluents to be indexed."""
    return (
        at[ENTRIES] + more < bounds[ENTRIES]
        and at[KEYS] + more * ROOM < bounds[KEYS]
        and at[CELLS] + more * (ROOM + COLUMNS) < bounds[CELLS]
        and at[TERMS] < bounds[TERMS]
        and at[PARTS] < bounds[PARTS]
        and at[FRAME] < bounds[FRAME]
        and at[BASE] < bounds[BASE]
        and at[OPEN] < bounds[OPEN]
    )


@kernel
def rehash(m: Memory) -> None:
    """Find everything again after arrays have grown."""
    m.slots[:] = 0
    m.places[:] = 0
    m.terms[:] = 0
    for number in range(1, m.at[TERMS]):
        shape = m.parts[m.starts[number] : m.starts[number + 1]]
        m.terms[find_term(m.terms, m.starts, m.parts, shape, len(shape))] = number
    for entry in range(1, m.at[ENTRIES]):
        mask = len(m.slots) - 1
        size = m.keys[m.entries[entry, KEY]]
        slot = slot_of(m.entries[entry, TAG], m.keys[m.entries[entry, KEY] + 1 :], size) & mask
        while m.slots[slot] != 0:
            slot = (slot + 1) & mask
        m.slots[slot] = entry
        m.entries[entry, SLOT] = slot
    cell = m.at[FIRST_CELL]
    while cell < m.at[CELLS]:
        mask = len(m.places) - 1
        size = m.cells[cell + WIDTH]
        place = slot_of(m.cells[cell + OWNER], m.cells[cell + COLUMNS :], size) & mask
        while m.places[place] != 0:
            place = (place + 1) & mask
        m.places[place] = cell
        m.cells[cell + PLACE] = place
        cell += 4 + size
