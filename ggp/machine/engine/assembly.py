"""Circuits as machine code of x86-64 without a compiler: what is to be done, and memory for it."""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Circuit, Loop
from ggp.later import Later
from ggp.machine.engine.frames import FIRST, WORDS, ZERO
from ggp.machine.engine.native import host
from ggp.machine.engine.polarity import Polarity
from ggp.machine.engine.schedule import Nodes, Section, schedule

if TYPE_CHECKING:
    from ggp.machine.engine import emitting, instructions, listing
else:
    instructions = Later("ggp.machine.engine.instructions")
    listing = Later("ggp.machine.engine.listing")
    emitting = Later("ggp.machine.engine.emitting")

SEGMENT = 250
"""Gates of which the code is run for one part of the words of a row after the other."""

THREES = 8
"""The width of vectors for which there are instructions of three operands: AVX-512."""

MOST_ROWS = 1 << 24
"""Of a frame: places in it are told by 32 bits."""

REGISTERS = {8: 32, 4: 16, 2: 16}
"""Of vectors of so many words, with AVX-512, with AVX2 and with AVX."""

_COLUMNS = ("kind", "a", "b", "d", "base", "table")


class Assembled:
    """The machine code of a circuit; it lives as long as this does.

    `rows`: of the frame that it works on; `addresses`: of functions as `codegen.ENTRY`, of which
    the first `main` are not the tail.
    """

    def __init__(self, code: NDArray[np.uint8], starts: Sequence[int], rows: int) -> None:
        self.rows, self.main = rows, 1
        self._memory = _executable(code)
        self.addresses = np.array([self._memory.address + s for s in starts], dtype=np.int64)


def assemble_code(circuit: Circuit, state: int, width: int, words: int = WORDS) -> Assembled | None:
    """The code of a circuit whose first `state` inputs and outputs are a state's, on vectors of
    `width` words, for the first `words` of each row; None where it cannot be had here.

    A vector has two words at the least: where one is asked for, the next is worked on as well.
    """
    if not is_possible():
        return None
    width, words = max(2, width), max(2, words)
    todo, where, ends = _Lister(circuit, state, words // width, REGISTERS[width]).listed()
    if width == THREES:
        listing.fuse(todo, len(where.row))
    again = listing.next_uses(todo, len(where.row))
    boundaries = int((todo.kind >= listing.HEAD).sum())
    most = emitting.MOST_BYTES * len(todo.kind) + 16 * REGISTERS[width] * boundaries + 256
    code = np.zeros(most, dtype=np.uint8)
    size = emitting.emit(todo, again, where, width, words // width, code)
    if where.at[emitting.ROWS] > MOST_ROWS:
        return None
    starts = [0, *where.at[emitting.ENDS + 1 :][: ends - 1].tolist()]
    try:
        return Assembled(code[:size], starts, int(where.at[emitting.ROWS]))
    except OSError:  # where memory may not be made executable
        return None


@cache
def is_possible() -> bool:
    """Whether this is a processor, and a system, that such code is for."""
    # Functions are called as the System V interface has it.
    is_known = platform.machine() == "x86_64" and sys.platform.startswith("linux")
    return is_known and sys.maxsize > 1 << 32 and "+avx" in host().features.split(",")


class _Lister:
    """Puts down what is to be done for a circuit, in order."""

    def __init__(self, circuit: Circuit, state: int, chunks: int, registers: int) -> None:
        self.circuit, self.state, self.chunks = circuit, state, chunks
        self.polarity = Polarity(circuit)
        count = len(circuit.first)
        own = registers - 2
        self.where = emitting.Allocation(
            np.full(count, -1, dtype=np.int64),
            np.zeros(count, dtype=np.int64),
            np.full(count, -1, dtype=np.int64),
            np.zeros(count, dtype=np.int64),
            np.full(own, -1, dtype=np.int64),
            np.zeros(own, dtype=np.int64),
            np.zeros(count + 1, dtype=np.int64),
            np.zeros(emitting.ENDS + 3, dtype=np.int64),
        )
        self.rows = FIRST + len(circuit.inputs) + len(circuit.outputs)
        self.parts: list[NDArray[np.int64]] = []
        self.has_begun = False
        """Whether the function has gates already."""

    def listed(self) -> tuple[listing.Listing, emitting.Allocation, int]:
        """The listing, where inputs are, and how many functions it has."""
        circuit, where = self.circuit, self.where
        inputs = np.array(circuit.inputs, dtype=np.int64)
        number = np.arange(len(inputs), dtype=np.int64)
        where.row[0] = ZERO
        where.row[inputs] = np.where(number < self.state, number, FIRST + number)
        where.base[inputs] = np.where(number < self.state, instructions.BEFORE, instructions.FRAME)
        order = schedule(circuit, self.polarity.first, self.polarity.second)
        outputs = len(circuit.outputs)
        split = outputs if circuit.tail is None else circuit.tail
        self._function(order.main, range(split))
        if split < outputs:
            self._function(order.tail, range(split, outputs))
        where.at[emitting.ROWS] = self.rows
        columns = np.concatenate(self.parts, axis=1)
        return (
            listing.Listing(*(np.ascontiguousarray(column) for column in columns)),
            where,
            1 + (split < outputs),
        )

    def _add(self, kind: int, **columns: Sequence[int] | NDArray[np.integer[Any]]) -> None:
        """Some instructions of one kind."""
        count = max((len(column) for column in columns.values()), default=1)
        part = np.zeros((len(_COLUMNS), count), dtype=np.int64)
        part[0] = kind
        for name, column in columns.items():
            part[_COLUMNS.index(name)] = column
        self.parts.append(part)

    def _function(self, sections: Sequence[Section], outputs: range) -> None:
        """One function, for some of the outputs."""
        made: dict[int, list[int]] = {}
        for j in outputs:
            made.setdefault(self.circuit.outputs[j] >> 1, []).append(j)
        self.has_begun = False
        for section in sections:
            if section.loop:
                self._loop(section.nodes, section.loop)
            else:
                self._gates(section.nodes)
        for own in made.values():
            self._store(own)
        self._add(listing.END)

    def _store(self, outputs: Sequence[int]) -> None:
        """Store outputs of one node."""
        first = FIRST + len(self.circuit.inputs)
        kept = [self.polarity.literal(self.circuit.outputs[j]) for j in outputs]
        self._add(
            listing.OUT,
            a=[literal >> 1 for literal in kept],
            b=[literal & 1 for literal in kept],
            d=[j if j < self.state else first + j for j in outputs],
            base=[instructions.AFTER if j < self.state else instructions.FRAME for j in outputs],
        )

    def _gates(self, nodes: Nodes) -> None:
        for start in range(0, len(nodes), SEGMENT):
            if self.chunks > 1 and self.has_begun:
                self._add(listing.SEGMENT)
            self._some(nodes[start : start + SEGMENT])
            self.has_begun = True

    def _some(self, nodes: Nodes) -> None:
        """Gates in one piece."""
        polarity = self.polarity
        part = np.zeros((len(_COLUMNS), len(nodes)), dtype=np.int64)
        part[0], part[1] = polarity.operation[nodes], polarity.left[nodes]
        part[2], part[3] = polarity.right[nodes], nodes
        self.parts.append(part)

    def _loop(self, nodes: Nodes, loop: Loop) -> None:
        """Repeat gates until the variables, at first false, change no more."""
        variables = np.array(loop.variables, dtype=np.int64)
        kept = [self.polarity.literal(value) for value in loop.values]
        values = np.array([literal >> 1 for literal in kept], dtype=np.int64)
        self.where.row[variables] = self.rows + np.arange(len(variables))
        rows = self.rows + len(variables) + np.arange(len(variables), dtype=np.int64)
        self.rows += 2 * len(variables)
        self._add(listing.ZERO, d=variables)
        self._add(listing.HEAD)
        self._some(nodes)
        inverted = [literal & 1 for literal in kept]
        self._add(listing.NEW, a=values, b=inverted, d=variables, base=rows)
        self._add(listing.OLD, d=variables, base=rows)
        self._add(listing.JUMP)
        polarity = self.polarity
        used = np.concatenate([polarity.left[nodes], polarity.right[nodes], values])
        outside = np.setdiff1d(used, np.concatenate([nodes, variables]))
        if len(outside):
            self._add(listing.KEEP, a=outside)


class _Executable:
    """Memory with code in it."""

    def __init__(self, size: int) -> None:
        self.memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.view = (ctypes.c_char * size).from_buffer(self.memory)
        self.address = ctypes.addressof(self.view)


def _executable(code: NDArray[np.uint8]) -> _Executable:
    """Memory with some code, that nobody can write to any more; raises `OSError`."""
    size = -(-len(code) // mmap.PAGESIZE) * mmap.PAGESIZE
    found = _Executable(size)
    found.memory[: len(code)] = code.tobytes()
    system = ctypes.CDLL(None, use_errno=True)
    address, length = ctypes.c_void_p(found.address), ctypes.c_size_t(size)
    if system.mprotect(address, length, mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), "memory that is not to be made executable")
    return found
