"""Questions about states without a ground form, answered by the machine of `running`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from math import inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.deduce.interning import Interner, Shape
from ggp.deduce.lowered import NotLowered, memory, playing, running
from ggp.deduce.lowered.lowering import Lowering, Table
from ggp.deduce.lowered.memory import Memory, Numbers
from ggp.deduce.plan import BodyPlanner
from ggp.deduce.program import RelationalProgram
from ggp.errors import LimitReached
from ggp.limits import Limits, look
from ggp.rules import Signature

STEPS = 1_000_000
"""Steps between two looks at the clock; some ten milliseconds."""

MOST_PLACES = 1 << 22
"""Of the first rows of tables, and of what finds them without a hash."""

MOST_BYTES = 1 << 30
"""Of all arrays; more answers about one state are not kept."""

_SIZES = {"entries": 1 << 14, "keys": 1 << 17, "cells": 1 << 18, "parts": 1 << 16, "holds": 1 << 13}
_BY_TERM = ("starts", "terms", "state", "spare")
_FRAMES, _REGISTERS = 1 << 10, 1 << 15

Position = frozenset[int]
"""The numbers of the fluents that hold."""

LEGAL, TERMINAL, NEXT, GOAL = ("legal", 2), ("terminal", 0), ("next", 1), ("goal", 2)


class LoweredRules:
    """Answers about the states of one rule set, by the numbers that `terms` gives them, for one
    thread.

    What is found out about a state is kept until another is asked about. Questions raise
    `LimitReached` like those of `Prover`. They, and making it, raise `NotLowered` for rules that
    are too wide, that deny what rests on what is still being answered, and where all arrays would
    be more than `MOST_BYTES`.
    """

    def __init__(
        self, program: RelationalProgram, planner: BodyPlanner, terms: Interner,
        roles: Sequence[int], limits: Limits,
    ) -> None:  # fmt: skip
        self._terms, self._limits = terms, limits
        lowering = Lowering(program, planner)
        asked: tuple[tuple[Signature, str], ...] = (
            (TERMINAL, ""), (LEGAL, "bf"), (NEXT, "f"), (GOAL, "bf"),
        )  # fmt: skip
        starts = [lowering.question(*one) for one in asked]
        some = lowering.question(LEGAL, "bf", by_chance=not program.is_recursive(LEGAL))
        lowering.write()
        self._terminal, self._legal, self._next, self._goal = starts
        self._each = _array([self._terminal, self._legal, self._next])
        self._some = _array([self._terminal, some, self._next])
        self._roles = roles
        self._state: Position | None = None
        self._memory = _memory(lowering, terms, roles)
        self._load(lowering.tables, program)

    def _load(self, tables: Sequence[Table], program: RelationalProgram) -> None:
        """Tables of facts, which stay for good."""
        self._learn()
        layout: list[int] = []
        maps, heads, cells = [len(self._terms) + 1], [0], [0] * memory.FIRST
        spots = np.full(max(1, len(tables)), -1, dtype=np.int32)
        for table in (table for table in tables if not table.is_fluent):
            bound, wanted = table.asked.bound, table.asked.wanted
            rows: dict[Shape, dict[Shape, None]] = {}
            for row in program.facts.get(table.relation, ()):
                key, value = (tuple(row[i] for i in columns) for columns in (bound, wanted))
                rows.setdefault(key, {})[value] = None
            first = {key: _chained(cells, values) for key, values in rows.items()}
            columns = [sorted({key[i] for key in rows}) for i in range(len(bound))]
            size = prod(map(len, columns))
            if len(heads) + size + len(maps) + maps[0] * len(columns) > MOST_PLACES:
                self._hash(table.tag, first)
                continue
            spots[table.tag] = len(layout)
            strides = [prod(map(len, columns[i + 1 :])) for i in range(len(columns))]
            digits = []
            layout.append(len(heads))
            for column, stride in zip(columns, strides, strict=True):
                layout += [len(maps), stride]
                digits.append({value: digit for digit, value in enumerate(column)})
                maps += [digits[-1].get(number, -1) for number in range(maps[0])]
            places = [0] * size
            for key, cell in first.items():
                place = sum(d[k] * s for d, k, s in zip(digits, key, strides, strict=True))
                places[place] = cell
            heads += places
        at = self._memory.at
        at[memory.CELLS] = at[memory.FIRST_CELL] = len(cells)
        at[memory.FIRST_ENTRY], at[memory.FIRST_KEY] = at[memory.ENTRIES], at[memory.KEYS]
        filled = np.concatenate([_array(cells), np.zeros(_SIZES["cells"], dtype=np.int32)])
        self._replace(
            spots=spots, layout=_array(layout), maps=_array(maps), heads=_array(heads),
            cells=filled, places=_places(filled),
        )  # fmt: skip

    def _hash(self, tag: int, first: dict[Shape, int]) -> None:
        """Entries for the first rows of a table by their known columns."""
        for key, cell in first.items():
            while not memory.has_room(self._memory.at, self._memory.bounds, 1):
                self._grow()
            m = self._memory
            entry = memory.find_entry(
                m.slots, m.entries, m.keys, m.at, tag, _array(key), len(key), True
            )
            m.entries[entry, memory.HEAD] = cell

    # -- questions -------------------------------------------------------------------------------

    def legal(self, position: Position) -> list[list[int]]:
        """For each role its legal moves, in no order."""
        return self._each_role(position, self._legal)

    def goals(self, position: Position) -> list[list[int]]:
        """For each role the terms of the goals that hold, in no order."""
        return self._each_role(position, self._goal)

    def terminal(self, position: Position) -> bool:
        """Whether play ends in a state."""
        self._enter(position)
        self._ask(self._terminal, [])
        return bool(self._memory.registers[0])

    def next(self, position: Position, moves: Sequence[int]) -> Position:
        """The state after a move of each role."""
        self._enter(position)
        # Older answers may rest on newer ones afterwards: none is kept for another move.
        self._state = None
        self._memory.chosen[:] = moves
        self._ask(self._next, [])
        return frozenset(self._rows())

    def play(
        self, position: Position, seed: int, plies: int, until: float = inf, *, uniform: bool = True
    ) -> tuple[int, Position, int] | None:
        """Random play from a state: `ENDED`, `STUCK` or `LONG` (after so many moves), the state
        that is come to and the moves that were made. None if the clock (`time.monotonic`) passes
        `until` before.

        Each legal move is equally likely; or, not `uniform`, which is sooner where there are many,
        rules are tried by chance, and for each condition the rows that make it hold.
        """
        starts = self._each if uniform else self._some
        if time.monotonic() > until:
            return None
        self._enter(position)
        self._state = None
        self._memory.random[0] = seed
        self._memory.at[memory.PHASE] = self._memory.at[memory.PLIES] = 0
        status = self._going_on(lambda: playing.play(self._memory, starts, plies), until)
        if status is None:
            return None
        held = self._memory.state[: self._memory.at[memory.HELD]]
        self._state = frozenset(held.tolist())
        return status, self._state, int(self._memory.at[memory.PLIES])

    def _each_role(self, position: Position, start: int) -> list[list[int]]:
        found = []
        self._enter(position)
        for role in self._roles:
            self._ask(start, [role])
            found.append(self._rows())
        return found

    def _enter(self, position: Position) -> None:
        """Ask about this state from now on."""
        self._learn()
        if position != self._state:
            self._state = None
            memory.enter(self._memory, np.fromiter(position, np.int32, len(position)))
            self._state = position

    def _ask(self, start: int, known: Sequence[int]) -> None:
        playing.begin(self._memory, start, np.array(known, dtype=np.int32), len(known))
        self._going_on(lambda: running.run(self._memory), inf)

    def _going_on(self, work: Callable[[], int], until: float) -> int | None:
        """What some work comes to; None at the end of the time. Terms that it made are told."""
        status = None
        try:
            status = self._in_pieces(work, until)
        finally:
            self._told()
            if status is None:
                self._forget()  # it is known by half
        return status

    def _in_pieces(self, work: Callable[[], int], until: float) -> int | None:
        begun = time.monotonic()
        while True:
            self._memory.at[memory.LEFT] = STEPS
            status = work()
            if status == running.FULL:
                self._grow()
            elif status == running.UNSETTLED:
                raise NotLowered
            elif status != running.PAUSED:
                return status
            look("evaluating rules")
            now, most = time.monotonic(), self._limits.seconds
            if now > until:
                return None
            if now - begun > most and until == inf:
                raise LimitReached("time", most, "for one question about one state")

    def _forget(self) -> None:
        """Leave the state, and all that was found out about it."""
        self._state = None
        memory.leave(self._memory)

    def _rows(self) -> list[int]:
        rows = np.empty(playing.collect(self._memory, self._memory.chosen[:0]), dtype=np.int32)
        playing.collect(self._memory, rows)
        found: list[int] = rows.tolist()
        return found

    # -- terms -----------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Take over terms that others have made."""
        at = self._memory.at
        for number in range(int(at[memory.TERMS]), len(self._terms) + 1):
            while not memory.has_room(self._memory.at, self._memory.bounds, 1):
                self._grow()
            shape = _array(self._terms.shapes[number])
            if len(shape) > memory.MOST_COLUMNS:
                raise NotLowered
            m = self._memory
            memory.add_term(m.terms, m.starts, m.parts, m.at, shape, len(shape))

    def _told(self) -> None:
        """Tell of terms that were made here."""
        m = self._memory
        for number in range(len(self._terms) + 1, int(m.at[memory.TERMS])):
            shape = m.parts[m.starts[number] : m.starts[number + 1]]
            assert self._terms.make(tuple(shape.tolist())) == number

    # -- room ------------------------------------------------------------------------------------

    def _grow(self) -> None:
        """Double the arrays that are more than a third full, or might be soon."""
        m, at = self._memory, self._memory.at
        held = int(at[memory.HELD])  # all of them may be indexed at once
        used = {
            "entries": at[memory.ENTRIES] + held,
            "keys": at[memory.KEYS] + held * memory.ROOM,
            "cells": at[memory.CELLS] + held * (memory.ROOM + memory.COLUMNS),
            "parts": at[memory.PARTS],
            "holds": at[memory.TERMS],
            "frames": at[memory.FRAME],
            "registers": at[memory.BASE],
            "waiting": at[memory.OPEN],
            "order": at[memory.WANTED],
        }
        more = {
            name: _doubled(getattr(m, name))
            for name, count in used.items()
            if 3 * int(count) + 4 * memory.MOST_REGISTERS * (name == "registers")
            >= len(getattr(m, name))
        }
        assert more, "an array that is full is not among those that grow"
        at[memory.WANTED] = 0
        if "holds" in more:
            more |= {name: _doubled(getattr(m, name)) for name in _BY_TERM}
        if "entries" in more:
            more["slots"] = _doubled(m.slots)
        if "cells" in more:
            more["places"] = _places(more["cells"])
        self._replace(**more)

    def _replace(self, **more: Any) -> None:  # noqa: ANN401 - arrays of any kind
        grown = self._memory._replace(**more)
        if sum(array.nbytes for array in grown) > MOST_BYTES:
            raise NotLowered
        self._memory = grown
        grown.bounds[:] = _bounds(grown)
        memory.rehash(grown)


def _memory(lowering: Lowering, terms: Interner, roles: Sequence[int]) -> Memory:
    """A machine with this code, without terms or tables."""
    fluent_tables, told = [], list[int]()
    tag = len(lowering.tables)
    for table in lowering.tables:
        bound, wanted = table.asked.bound, table.asked.wanted
        functor = terms.functor(*table.relation)
        fluent_tables.append((functor, table.tag, len(bound), len(wanted), len(told)))
        told += [*bound, *wanted]
    procedures = [(one.start, one.registers, tag + one.number) for one in lowering.procedures]
    relations = [table.relation for table in lowering.tables]
    relations += [one.relation for one in lowering.procedures]
    widest = max([lowering.widest, *(arity for _, arity in relations)])
    most = max([0, *(one.registers for one in lowering.procedures)])
    if widest > memory.MOST_COLUMNS or most > memory.MOST_REGISTERS:
        raise NotLowered

    def zeros(*shape: int) -> Numbers:
        return np.zeros(shape, dtype=np.int32)

    at = np.zeros(memory.PLACES, dtype=np.int64)
    at[memory.ENTRIES] = at[memory.TERMS] = 1
    at[memory.CELLS] = memory.FIRST
    made = Memory(
        code=np.array(lowering.code, dtype=np.int32),
        procedures=np.array(procedures, dtype=np.int32).reshape(-1, 3),
        tables=np.array(fluent_tables, dtype=np.int32).reshape(-1, 5),
        columns=np.array(told, dtype=np.int32),
        starts=zeros(_SIZES["holds"]),
        parts=zeros(_SIZES["parts"]),
        terms=zeros(4 * _SIZES["holds"]),
        entries=zeros(_SIZES["entries"], 7),
        keys=zeros(_SIZES["keys"]),
        slots=zeros(4 * _SIZES["entries"]),
        cells=zeros(_SIZES["cells"]),
        places=zeros(1),
        frames=zeros(_FRAMES, 8),
        registers=zeros(_REGISTERS),
        waiting=zeros(_FRAMES),
        order=zeros(_FRAMES),
        spots=zeros(1),
        layout=zeros(1),
        maps=zeros(1),
        heads=zeros(1),
        holds=np.zeros(_SIZES["holds"], dtype=np.uint8),
        state=zeros(_SIZES["holds"]),
        spare=zeros(_SIZES["holds"]),
        scratch=zeros(3 * memory.ROOM),
        roles=np.array(roles, dtype=np.int32),
        chosen=zeros(len(roles)),
        filled=zeros(max(1, len(lowering.tables))),
        at=at,
        bounds=np.zeros(memory.PLACES, dtype=np.int64),
        random=np.zeros(1, dtype=np.uint64),
    )
    made.bounds[:] = _bounds(made)
    return made


def _bounds(m: Memory) -> NDArray[np.int64]:
    """How much of each array may be in use before an instruction."""
    bounds = np.zeros(memory.PLACES, dtype=np.int64)
    wide = memory.MOST_COLUMNS + 8
    for place, array, spare in (
        (memory.ENTRIES, m.entries, 2),
        (memory.KEYS, m.keys, wide),
        (memory.CELLS, m.cells, wide),
        (memory.TERMS, m.holds, 2),
        (memory.PARTS, m.parts, wide),
        (memory.FRAME, m.frames, 2),
        (memory.BASE, m.registers, 2 * memory.MOST_REGISTERS),
        (memory.OPEN, m.waiting, 2),
    ):
        bounds[place] = len(array) - spare
    return bounds


def _places(cells: Numbers) -> Numbers:
    """What finds rows in as many cells, of which each takes five at the least: a power of two."""
    return np.zeros(1 << (len(cells) // 2).bit_length(), dtype=np.int32)


def _array(numbers: Iterable[int]) -> Numbers:
    return np.array(tuple(numbers), dtype=np.int32)


def _chained(cells: list[int], rows: Iterable[Shape]) -> int:
    """Add rows to `cells`, each with the place of the next; the place of the first."""
    first = last = 0
    for row in rows:
        place = len(cells)
        cells += [0, 0, 0, len(row), *row]
        if last:
            cells[last] = place
        first, last = first or place, place
    return first


def _doubled(array: Numbers) -> Numbers:
    return np.concatenate([array, np.zeros_like(array)])
