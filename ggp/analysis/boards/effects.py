"""What each of a player's moves does, without looking at every gate for every move.

Just one move of a player is made, so that what depends on moves alone is a set of moves. Sets that
most moves are in are taken as holding; a move is the few sets in which it differs from that. What
moves differ in together (say, which heap they touch) is worked out once for all of them, so that
the cost is the size of the rules and of what moves do by themselves, not moves times fluents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ggp.circuits.circuit import FALSE, TRUE
from ggp.circuits.factor import Factoring
from ggp.ground import Net

FLAT = 64
"""Changes that moves have in common up to which each move gets a copy of its own."""


@dataclass(frozen=True)
class Moves:
    """A set of moves: `listed`, or with `others` all but these."""

    listed: frozenset[int]
    others: bool = False

    def __and__(self, other: Moves) -> Moves:
        if not self.others and not other.others:
            return Moves(self.listed & other.listed)
        if self.others and other.others:
            return Moves(self.listed | other.listed, others=True)
        few, many = (other, self) if self.others else (self, other)
        return Moves(few.listed - many.listed)

    def __invert__(self) -> Moves:
        return Moves(self.listed, not self.others)

    def is_all(self, count: int) -> bool:
        """Whether all of `count` moves are in."""
        return len(self.listed) == (0 if self.others else count)

    def is_empty(self, count: int) -> bool:
        """Whether none of `count` moves is in."""
        return len(self.listed) == (count if self.others else 0)

    def shortest(self, universe: frozenset[int]) -> Moves:
        """The same set, written with as few moves as can be."""
        if 2 * len(self.listed) <= len(universe):
            return self
        return Moves(universe - self.listed, not self.others)


ALL = Moves(frozenset(), others=True)


def union(sets: Iterable[Moves]) -> Moves:
    """The moves that are in at least one."""
    listed: set[int] = set()
    missing: frozenset[int] | None = None
    for one in sets:
        if one.others:
            missing = one.listed if missing is None else missing & one.listed
        else:
            listed |= one.listed
    if missing is None:
        return Moves(frozenset(listed))
    return Moves(missing - listed, others=True)


@dataclass
class _Mixed:
    """A gate that depends on the board and on the move: alternatives, some only for some moves.

    An alternative is literals of the circuit and literals of other such gates. `usual`: those that
    hold good for most moves, with the set that says for which (None: for all).
    """

    usual: list[tuple[list[int], list[int], int | None]] = field(default_factory=list)
    special: dict[int, list[tuple[list[int], list[int]]]] = field(default_factory=dict)


class Effects:
    """What the moves `universe` (nodes of the net) do to the nodes `after`, one of them made.

    `values`: a circuit literal for each node that does not depend on these moves, None for each
    gate of `gates` (ascending) that is to be worked out, and for the moves.
    """

    def __init__(
        self,
        net: Net,
        factoring: Factoring,
        values: list[int | None],
        gates: Sequence[int],
        universe: frozenset[int],
        check: Callable[[], None],
    ) -> None:
        self.net, self.values = net, values
        self._factoring = factoring
        self._universe = universe
        self._pure: dict[int, Moves] = {move: Moves(frozenset([move])) for move in universe}
        self._mixed: dict[int, _Mixed] = {}
        self._sets: dict[Moves, int] = {}
        self._users: list[list[int]] = []
        self._readers: dict[int, list[int]] = {}
        for count, node in enumerate(gates):
            if count % 1000 == 0:
                check()
            self._sort(node)
        for node in {abs(x) for x in net.next}:
            if node in self._pure:
                self._add(node, [([], [], self._pure[node])])
        self.usual: dict[int, int] = {}
        for node in sorted(self._mixed):
            self.usual[node] = self._evaluate(node, frozenset(), ())
        self._deviations: dict[int, list[int]] = {}
        for moves, name in self._sets.items():
            for move in moves.listed:
                self._deviations.setdefault(move, []).append(name)
        self._is_shared = [len(moves.listed) > 1 for moves in self._sets]
        self._classes: dict[frozenset[int], dict[int, int]] = {}

    def deviations(self, move: int) -> tuple[frozenset[int], frozenset[int]]:
        """The sets in which a move is not as most moves are: those of several, its own."""
        found = self._deviations.get(move, ())
        shared = frozenset(name for name in found if self._is_shared[name])
        return shared, frozenset(found) - shared

    def of_class(self, shared: frozenset[int]) -> Mapping[int, int]:
        """The gates that have another value than usually for moves that differ in these sets."""
        if shared not in self._classes:
            self._classes[shared] = self._follow(shared, shared, ())
        return self._classes[shared]

    def of_move(self, shared: frozenset[int], own: frozenset[int]) -> Mapping[int, int]:
        """The gates that have another value for a move than for all of its class."""
        return self._follow(own, shared | own, (self.of_class(shared),))

    def literal(self, literal: int, *over: Mapping[int, int]) -> int:
        """The circuit's literal for one of the net, looked up in `over` first."""
        node = abs(literal)
        value = self.values[node]
        if value is None:
            value = next((known[node] for known in over if node in known), None)
            value = self.usual[node] if value is None else value
        return value if literal > 0 else value ^ 1

    def _follow(
        self, causes: Iterable[int], deviating: frozenset[int], over: tuple[Mapping[int, int], ...]
    ) -> dict[int, int]:
        """All gates that depend on some sets, worked out anew."""
        todo = [node for name in causes for node in self._users[name]]
        found = set(todo)
        while todo:
            for reader in self._readers.get(todo.pop(), ()):
                if reader not in found:
                    found.add(reader)
                    todo.append(reader)
        result: dict[int, int] = {}
        for node in sorted(found):
            result[node] = self._evaluate(node, deviating, (result, *over))
        return result

    def _evaluate(
        self, node: int, deviating: frozenset[int], over: tuple[Mapping[int, int], ...]
    ) -> int:
        gate = self._mixed[node]
        chosen = [(cube, mixed) for cube, mixed, name in gate.usual if name not in deviating]
        if gate.special:
            for name in deviating:
                chosen += gate.special.get(name, ())
        if len(chosen) == 1 and not chosen[0][1] and len(chosen[0][0]) <= 1:
            return chosen[0][0][0] if chosen[0][0] else TRUE
        if not chosen:
            return FALSE
        return self._factoring.disjunction(
            [*cube, *(self.literal(x, *over) for x in mixed)] if mixed else cube
            for cube, mixed in chosen
        )

    def _sort(self, node: int) -> None:
        """Find whether a gate depends on the board, on moves, or on both."""
        count = len(self._universe)
        single: dict[tuple[tuple[int, ...], tuple[int, ...]], set[int]] = {}
        several: dict[tuple[tuple[int, ...], tuple[int, ...]], list[Moves]] = {}
        for body in self.net.bodies(node):
            cube, mixed, moves = [], [], []
            for x in body:
                value = self.values[abs(x)]
                if value is not None:
                    if x < 0:
                        value ^= 1
                    if value == FALSE:
                        break
                    if value != TRUE:
                        cube.append(value)
                elif abs(x) in self._pure:
                    moves.append(self._pure[abs(x)] if x > 0 else ~self._pure[abs(x)])
                else:
                    mixed.append(x)
            else:
                when = moves[0] if moves else ALL
                for one in moves[1:]:
                    when &= one
                if not when.is_empty(count):
                    key = tuple(cube), tuple(mixed)
                    if not when.others and len(when.listed) == 1:
                        known = single.get(key)
                        if known is None:
                            single[key] = known = set()
                        known.update(when.listed)
                    else:
                        several.setdefault(key, []).append(when)
        parts = []
        for key in single | several:
            when = self._any(single.get(key, ()), several.get(key, ()))
            parts.append((list(key[0]), list(key[1]), when))
        if all(not cube and not mixed for cube, mixed, _ in parts):
            moves_of = parts[0][2] if parts else Moves(frozenset())
            if moves_of.is_empty(count) or moves_of.is_all(count):
                self.values[node] = FALSE if moves_of.is_empty(count) else TRUE
            else:
                self._pure[node] = moves_of.shortest(self._universe)
        elif all(not mixed and when.is_all(count) for _, mixed, when in parts):
            self.values[node] = self._factoring.disjunction(cube for cube, _, _ in parts)
        else:
            self._add(node, parts)

    def _any(self, single: Collection[int], several: Sequence[Moves]) -> Moves:
        """The moves of a few sets; mostly it is one move, of which there is a set already."""
        if several:
            return union([Moves(frozenset(single)), *several] if single else several)
        return self._pure[next(iter(single))] if len(single) == 1 else Moves(frozenset(single))

    def _add(self, node: int, parts: Iterable[tuple[list[int], list[int], Moves]]) -> None:
        gate = self._mixed[node] = _Mixed()
        for cube, mixed, moves in parts:
            for x in mixed:
                self._readers.setdefault(abs(x), []).append(node)
            if moves.is_all(len(self._universe)):
                gate.usual.append((cube, mixed, None))
                continue
            short = moves.shortest(self._universe)
            name = self._sets.setdefault(short, len(self._sets))
            if name == len(self._users):
                self._users.append([])
            self._users[name].append(node)
            if short.others:
                gate.usual.append((cube, mixed, name))
            else:
                gate.special.setdefault(name, []).append((cube, mixed))
