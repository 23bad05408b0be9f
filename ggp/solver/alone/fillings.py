"""Moves that set fluents to constants, and what passes with each move by itself.

A puzzle that is filled place by place is of such moves: each says of some fluents what they are
afterwards, whatever the state. What all moves do alike, and which depends on nothing else (a
counter of steps), is a clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ggp.analysis.boards.boards import Boards, Frame, NotApplicable, Option
from ggp.circuits.circuit import FALSE, TRUE

MAX_GATES = 1_000_000
"""Gates that say where moves are legal, of all moves together, gates that are looked at to tell the
time, and so many changes that moves make."""

OFTEN = 64
"""Moves between two looks at the account."""

T = TypeVar("T")


@dataclass(frozen=True)
class Filling:
    """A move that sets fluents (to true or false), whatever the state: those that it `reads` say
    by the literal `rule` whether it is legal."""

    move: int
    rule: int
    reads: frozenset[int]
    sets: Mapping[int, bool]


class Fillings:
    """The `moves` of a game of one role that set fluents and, beside that, do what its `clock` says
    (for each fluent of it the literal of the next state).

    `spend` is called now and then, and ends all by raising. Raises `NotApplicable` where there are
    none, or it takes too much to tell.
    """

    def __init__(self, boards: Boards, spend: Callable[[int], None]) -> None:
        self._boards, self._spend = boards, spend
        self._circuit = boards.builder.circuit((), ())
        self._fluent_of = {literal >> 1: f for f, literal in boards.inputs.items()}
        self._frames: dict[int, tuple[int, dict[int, int], dict[int, bool]]] = {}
        self._named: dict[tuple[tuple[int, int], ...], int] = {}
        options = boards.sides[0].options
        kinds = [self._kind(option) for option in self.often(options)]
        if not kinds:
            raise NotApplicable("no move is ever legal")
        most, _ = Counter(kinds).most_common(1)[0]
        alike = [option for option, kind in zip(options, kinds, strict=True) if kind == most]
        self.clock = self._clock_of(alike)
        self.moves = self._moves_of(alike)
        if not self.moves:
            raise NotApplicable("when moves are legal is a question of time")

    def often(self, moves: Iterable[T]) -> Iterator[T]:
        """Some moves, with a look at the account now and then."""
        for number, move in enumerate(moves):
            if number % OFTEN == 0:
                self._spend(1)
            yield move

    def _frame(self, frame: Frame) -> tuple[int, dict[int, int], dict[int, bool]]:
        """Of what moves have in common what depends on the state (a number of it, and the
        literals), and what does not."""
        if frame.name not in self._frames:
            passing = {f: x for f, x in frame.changes.items() if x not in (FALSE, TRUE)}
            sets = {f: x == TRUE for f, x in frame.changes.items() if x in (FALSE, TRUE)}
            name = self._named.setdefault(tuple(sorted(passing.items())), len(self._named))
            self._frames[frame.name] = name, passing, sets
        return self._frames[frame.name]

    def _kind(self, option: Option) -> tuple[int, tuple[tuple[int, int], ...], tuple[int, ...]]:
        """Equal for moves that do the same that depends on the state."""
        name, passing, _ = self._frame(option.frame)
        own = tuple(sorted((f, x) for f, x in option.own.items() if x not in (FALSE, TRUE)))
        return name, own, tuple(sorted(f for f in option.own if f in passing))

    def _change(self, option: Option, fluent: int) -> int | None:
        """The literal of a fluent after a move; None where it stays what it is."""
        return option.own.get(fluent, option.frame.changes.get(fluent))

    def _clock_of(self, alike: Sequence[Option]) -> dict[int, int]:
        first = alike[0]
        _, passing, _ = self._frame(first.frame)
        clock = {f: x for f, x in passing.items() if f not in first.own}
        clock |= {f: x for f, x in first.own.items() if x not in (FALSE, TRUE)}
        for f in self._reads(self._circuit.cone(clock.values())) - clock.keys():
            # What the clock reads, and every move sets, is a part of it: its first tick.
            value = self._change(first, f)
            if value is None or any(self._change(option, f) != value for option in alike):
                raise NotApplicable("what moves do depends on the state")
            clock[f] = value
        return clock

    def _moves_of(self, alike: Sequence[Option]) -> list[Filling]:
        found, size = [], 0
        for option in self.often(alike):
            cone = self._circuit.cone([option.rule])
            _, _, shared = self._frame(option.frame)
            size += len(cone) + len(shared) + len(option.own)
            if size > MAX_GATES:
                raise NotApplicable("moves depend on too much")
            reads = self._reads(cone)
            if reads & self.clock.keys():
                continue
            own = {f: x == TRUE for f, x in option.own.items() if x in (FALSE, TRUE)}
            sets = {f: holds for f, holds in shared.items() if f not in option.own} | own
            sets = {f: holds for f, holds in sets.items() if f not in self.clock}
            found.append(Filling(option.move, option.rule, reads, sets))
        return found

    def _reads(self, cone: Iterable[int]) -> frozenset[int]:
        """The fluents among some nodes."""
        of = self._fluent_of
        return frozenset(of[node] for node in cone if node in of)

    def cofactor(self, literal: int, values: Mapping[int, bool]) -> int:
        """A literal of the circuit where some fluents are constants."""
        builder, of = self._boards.builder, self._fluent_of
        known: dict[int, int] = {0: FALSE}
        for node in sorted(self._circuit.cone([literal])):
            a, b = builder.first[node], builder.second[node]
            if a == b:
                value = values.get(of.get(node, -1))
                known[node] = 2 * node if value is None else TRUE if value else FALSE
                continue
            x, y = known[a >> 1] ^ (a & 1), known[b >> 1] ^ (b & 1)
            known[node] = builder.conj(x, y) if a < b else builder.xor(x, y)
        return known[literal >> 1] ^ (literal & 1)

    def ticks(self, bits: int, most: int) -> tuple[list[dict[int, bool]], bool]:
        """What the clock says in a state, and after each number of moves up to `most`; and whether
        more moves are left out of account. If not, it stands still from the last but one on.

        Raises `NotApplicable` where that takes too much.
        """
        over = self._boards.sides[0].terminal
        nodes = sorted(self._circuit.cone([over, *self.clock.values()]))
        now = {f: bool(bits >> f & 1) for f in self.clock}
        found = [now]
        while len(found) <= most and found[-2:] != [now, now]:
            if len(found) * len(nodes) > MAX_GATES:
                raise NotApplicable("the clock takes too much to be told")
            self._spend(1)
            values = self._values(nodes, now)
            if _of(values, over):
                return found, True
            now = {f: bool(_of(values, x)) for f, x in self.clock.items()}
            found.append(now)
        return found, found[-2:] != [now, now]

    def _values(self, nodes: Iterable[int], known: Mapping[int, bool]) -> dict[int, bool | None]:
        """What nodes are where some fluents are known; None where that is not told."""
        first, second, of = self._circuit.first, self._circuit.second, self._fluent_of
        values: dict[int, bool | None] = {0: False}
        for node in nodes:
            a, b = first[node], second[node]
            if a == b:
                values[node] = known.get(of.get(node, -1)) if node else False
                continue
            x, y = _of(values, a), _of(values, b)
            if a < b:
                values[node] = False if x is False or y is False else x and y
            else:
                values[node] = None if x is None or y is None else x != y
        return values


def _of(values: Mapping[int, bool | None], literal: int) -> bool | None:
    value = values[literal >> 1]
    return value if value is None or not literal & 1 else not value
