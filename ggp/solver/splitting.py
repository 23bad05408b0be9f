"""Splitting a position into summands, as it is played.

Sums of games: J. Conway, On Numbers and Games (1976); here they are read off the rules. Two moves
belong together if what one may still change the other reads or changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ggp.analysis.boards.boards import Boards
from ggp.bits import bits_of
from ggp.graphs import Joined
from ggp.work import count_work

SIMULATED = 3e-7
"""Work for a gate of which a value is worked out."""

UNKNOWN = 2
"""Beside 0 and 1: what a literal is where it may still become either."""


@dataclass(frozen=True)
class Summand:
    """A part of a position by itself: `fluents` that can still change, and the `moves` (role, index
    in `Net.legal`) that can still be made there, by ascending indices."""

    fluents: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]


def summands(boards: Boards, board: int) -> list[Summand]:
    """The parts into which a position falls as it is.

    `board`: its fluents as bits; those of the marker do not count. What no move can change any more
    is constant; moves that constants forbid are dead; moves whose changes meet the other's reads or
    changes are in one part. The position is the sum of its parts, if the game ends exactly where
    the player to move has no move, and goals depend on nothing else. A position in which no move
    is left has no part. Where some move that changes nothing can be made, all is one part.
    """
    splitter = Splitter(boards)
    return [
        Summand(piece.fluents, tuple(sorted(splitter.moves(piece), key=lambda m: (m[1], m[0]))))
        for piece in splitter.pieces(board)
    ]


@dataclass(frozen=True)
class Piece:
    """A summand of a position: `options` (as bits) that may still be made, `fluents` that may still
    change, ascending."""

    options: int
    fluents: tuple[int, ...]


@dataclass(frozen=True)
class SplitterOption:
    """A move: where it is legal, and each fluent of the board that it may change with its value
    afterwards. `reads`: the fluents (as bits) that all of this depends on, or that change."""

    move: tuple[int, int]
    rule: int
    again: int
    changes: Mapping[int, int]
    reads: int


class Splitter:
    """Splits positions of a game with the moves of `roles` (all by default)."""

    def __init__(self, boards: Boards, roles: Collection[int] | None = None) -> None:
        self.boards = boards
        builder = boards.builder
        self.first, self.second = builder.first, builder.second
        self._fluent_of = {literal >> 1: f for f, literal in boards.inputs.items()}
        self.circuit = builder.circuit((), ())
        self._values = [0] * len(builder.first)
        self.options: list[SplitterOption] = []
        self.sides = tuple(r for r in range(len(boards.sides)) if roles is None or r in roles)
        for role, side in enumerate(boards.sides):
            for option in side.options if role in self.sides else ():
                changes = option.after(boards.inputs)
                cone = self.circuit.cone([option.rule, option.again, *changes.values()])
                read = sum(1 << self._fluent_of[n] for n in cone if n in self._fluent_of)
                read |= sum(1 << f for f in changes if not read >> f & 1)
                move = role, option.move
                self.options.append(SplitterOption(move, option.rule, option.again, changes, read))

    def moves(self, piece: Piece) -> Iterator[tuple[int, int]]:
        """The moves of a part: role, and index in `Net.legal`."""
        return (self.options[i].move for i in bits_of(piece.options))

    def pieces(self, board: int) -> list[Piece]:
        """The parts of a board."""
        live, opened = self._future(board)
        joined = Joined()
        of_option = {}
        passes = False
        for i in live:
            written = self._written(i, board, opened)
            passes |= not written
            joined.join([*written, *self._support(i, written)])
            of_option[i] = written
        if passes:
            joined.join(sorted(opened))
        fluents: dict[int, list[int]] = {}
        for f in sorted(opened):
            fluents.setdefault(joined.find(f), []).append(f)
        made = dict.fromkeys(fluents, 0)
        for i, written in of_option.items():
            for root in [joined.find(written[0])] if written else list(fluents)[:1]:
                made[root] |= 1 << i
        return [Piece(made[root], tuple(own)) for root, own in fluents.items()]

    def made(self, board: int) -> Iterator[tuple[tuple[int, int], int]]:
        """The legal options: move, and the board that it leads to; to be had all before another
        board is asked about."""
        self._simulate(board, ())
        for option in self.options:
            if self._of(option.rule):
                next_board = board
                for f, literal in option.changes.items():
                    if self._of(literal) != board >> f & 1:
                        next_board ^= 1 << f
                yield option.move, next_board

    def _future(self, board: int) -> tuple[list[int], set[int]]:
        """The options that may still be made, found together with the fluents that may change."""
        opened: set[int] = set()
        live: list[int] = []
        while True:
            self._simulate(board, opened)
            known = len(opened), len(live)
            live = [i for i, option in enumerate(self.options) if self._of(option.rule)]
            for i in live:
                opened.update(self._written(i, board, opened))
            if known == (len(opened), len(live)):
                return live, opened

    def _written(self, option: int, board: int, opened: set[int]) -> list[int]:
        """The fluents that an option may change."""
        return [
            f
            for f, literal in self.options[option].changes.items()
            if f in opened or self._of(literal) != board >> f & 1
        ]

    def _support(self, option: int, written: Iterable[int]) -> set[int]:
        """The fluents, all open, that an option's legality and changes depend on."""
        own = self.options[option]
        nodes = self._unknown([own.rule, own.again, *(own.changes[f] for f in written)])
        return {self._fluent_of[node] for node in nodes if node in self._fluent_of}

    def _unknown(self, literals: Iterable[int]) -> set[int]:
        """The unknown nodes that some literals depend on, themselves among them."""
        values, first, second = self._values, self.first, self.second
        todo = [x >> 1 for x in literals if values[x >> 1] == UNKNOWN]
        found = set(todo)
        while todo:
            node = todo.pop()
            if first[node] != second[node]:
                for below in (first[node] >> 1, second[node] >> 1):
                    if below not in found and values[below] == UNKNOWN:
                        found.add(below)
                        todo.append(below)
        return found

    def _of(self, literal: int) -> int:
        value = self._values[literal >> 1]
        return value if value == UNKNOWN else value ^ (literal & 1)

    @cached_property
    def _cone(self) -> tuple[list[tuple[int, int]], list[int]]:
        """What the options depend on: inputs (fluent, node), and gates in order."""
        reads, literals = 0, []
        for option in self.options:
            reads |= option.reads
            literals += [option.rule, option.again, *option.changes.values()]
        gates = sorted(n for n in self.circuit.cone(literals) if self.first[n] != self.second[n])
        return [(f, self.boards.inputs[f] >> 1) for f in bits_of(reads)], gates

    def _simulate(self, board: int, opened: Collection[int]) -> None:
        """Work out all that the options depend on, where some fluents may be either."""
        inputs, gates = self._cone
        values, first, second = self._values, self.first, self.second
        for f, node in inputs:
            values[node] = UNKNOWN if f in opened else board >> f & 1
        for node in gates:
            a, b = first[node], second[node]
            p, q = values[a >> 1], values[b >> 1]
            if p < UNKNOWN:
                p ^= a & 1
            if q < UNKNOWN:
                q ^= b & 1
            if a < b:
                values[node] = max(p, q) if p and q else 0
            else:
                values[node] = UNKNOWN if UNKNOWN in (p, q) else p ^ q
        count_work(SIMULATED * len(gates))
