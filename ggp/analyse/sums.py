"""Sums: parts of the board that have nothing to do with each other.

Two moves belong together if what one changes the other reads or changes (THEORY.md, section 6). A
game whose end is just that the player to move cannot is then the sum of the connected components.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ggp.analyse.boards import Boards, Option
from ggp.ground import Net
from ggp.kif import Term
from ggp.machine.circuit import Builder


def components(boards: Boards, parts: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The fluents of each summand, where all fluents of one of `parts` stay together.

    Finest that the supports of legality and of changes show; the game is the sum of these if play
    ends exactly where the player to move has no move, and goals depend on nothing else. Fluents
    that no move changes are in none.
    """
    of_input = {literal >> 1: f for f, literal in boards.inputs.items()}
    joined = _Joined()
    for part in parts:
        joined.join(part)
    changing: set[int] = set()
    support = _Support(boards.builder)
    for side in boards.sides:
        for option in side.options:
            touched = [f for f in (*option.frame.changes, *option.own)]
            changing.update(touched)
            read = support.of(_literals(option))
            joined.join([*touched, *(of_input[node] for node in read)])
    found: dict[int, list[int]] = {}
    for f in sorted(changing):
        found.setdefault(joined.find(f), []).append(f)
    return [tuple(own) for own in found.values()]


def _literals(option: Option) -> Iterable[int]:
    return (option.rule, option.again, *option.frame.changes.values(), *option.own.values())


def pattern(net: Net, fluents: Iterable[int]) -> str:
    """Fluents as text: those that differ in some arguments only as one, with `?` there."""
    families: dict[tuple[str, int], list[Term]] = {}
    for f in fluents:
        term = net.fluents[f]
        families.setdefault((term.name, len(term.args)), []).append(term)
    texts = []
    for (name, arity), terms in sorted(families.items()):
        columns = ({term.args[j] for term in terms} for j in range(arity))
        args = tuple(next(iter(c)) if len(c) == 1 else Term("?") for c in columns)
        texts.append(str(Term(name, args)))
    return " ".join(texts)


@dataclass(frozen=True)
class Summand:
    """A part of a position by itself: `fluents` that can still change, and the `moves` (role, index
    in `Net.legal`) that can still be made there, by ascending indices."""

    fluents: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]


def summands(boards: Boards, board: int) -> list[Summand]:
    """The parts into which a position falls as it is (THEORY.md, section 6).

    `board`: its fluents as bits; those of the marker do not count. What no move can change any more
    is constant; moves that constants forbid are dead; moves whose changes meet the other's reads or
    changes are in one part. The position is the sum of its parts, if the game ends exactly where
    the player to move has no move, and goals depend on nothing else. A position in which no move
    is left has no part. Where some move that changes nothing can be made, all is one part.
    """
    simulation = _Simulation(boards, board)
    live = simulation.run()
    of_input = {literal >> 1: f for f, literal in boards.inputs.items()}
    joined, passes = _Joined(), False
    changed: dict[tuple[int, int], list[int]] = {}
    for role, option in live:
        written = simulation.changes(option)
        passes |= not written
        changed[role, option.move] = written
        read = simulation.support(option)
        joined.join([*written, *(of_input[node] for node in read)])
    if passes:
        joined.join(sorted(simulation.open))
    fluents: dict[int, list[int]] = {}
    for f in sorted(simulation.open):
        fluents.setdefault(joined.find(f), []).append(f)
    moves: dict[int, list[tuple[int, int]]] = {root: [] for root in fluents}
    for key, written in changed.items():
        roots = [joined.find(written[0])] if written else list(fluents)[:1]
        for root in roots:
            moves[root].append(key)
    return [
        Summand(tuple(own), tuple(sorted(moves[root], key=lambda m: (m[1], m[0]))))
        for root, own in fluents.items()
    ]


class _Simulation:
    """What can still happen at a position: fluents are constant or `open`, functions of them false,
    true, or None for either."""

    def __init__(self, boards: Boards, board: int) -> None:
        self.boards = boards
        self.open: set[int] = set()
        self._options = [(role, o) for role, side in enumerate(boards.sides) for o in side.options]
        self._now = {f: bool(board >> f & 1) for f in boards.inputs}
        self._value: list[bool | None] = []
        self._effects = {id(o): o.after(boards.inputs) for _, o in self._options}

    def run(self) -> list[tuple[int, Option]]:
        """The moves that may still be made, found together with the fluents that may change."""
        live: dict[int, tuple[int, Option]] = {}
        while True:
            self._simulate()
            known = len(self.open), len(live)
            for role, option in self._options:
                if self._of(option.rule) is not False:
                    live[id(option)] = role, option
                    self.open.update(self.changes(option))
            if known == (len(self.open), len(live)):
                return list(live.values())

    def changes(self, option: Option) -> list[int]:
        """The fluents that a move may change."""
        return [
            f
            for f, literal in self._effects[id(option)].items()
            if f in self.open or self._of(literal) is not self._now[f]
        ]

    def support(self, option: Option) -> set[int]:
        """The open inputs that a move's legality and changes depend on."""
        first, second = self.boards.builder.first, self.boards.builder.second
        effects = self._effects[id(option)]
        literals = [option.rule, option.again, *(effects[f] for f in self.changes(option))]
        todo = [x >> 1 for x in literals if self._of(x) is None]
        seen, found = set(todo), set()
        while todo:
            node = todo.pop()
            if first[node] == second[node]:
                found.add(node)
                continue
            for below in (first[node] >> 1, second[node] >> 1):
                if below not in seen and self._value[below] is None:
                    seen.add(below)
                    todo.append(below)
        return found

    def _of(self, literal: int) -> bool | None:
        value = self._value[literal >> 1]
        return value if value is None else value != bool(literal & 1)

    def _simulate(self) -> None:
        builder = self.boards.builder
        values: list[bool | None] = [False] * len(builder.first)
        self._value = values
        for f, literal in self.boards.inputs.items():
            values[literal >> 1] = None if f in self.open else self._now[f]
        for node, (a, b) in enumerate(zip(builder.first, builder.second, strict=True)):
            if a == b:
                continue
            p, q = self._of(a), self._of(b)
            if a < b:
                values[node] = (
                    False if p is False or q is False else None if None in (p, q) else True
                )
            else:
                values[node] = None if p is None or q is None else p != q


class _Joined:
    """Disjoint sets (Tarjan 1975)."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def find(self, item: int) -> int:
        """The set that an item is in."""
        above = self._above
        while (parent := above.setdefault(item, item)) != item:
            above[item] = item = above.setdefault(parent, parent)
        return item

    def join(self, items: Iterable[int]) -> None:
        """Make one set of the sets of some items."""
        first = None
        for item in items:
            root = self.find(item)
            if first is None:
                first = root
            elif root != first:
                self._above[root] = first


class _Support:
    """The inputs below literals."""

    def __init__(self, builder: Builder) -> None:
        self._first, self._second = builder.first, builder.second

    def of(self, literals: Iterable[int]) -> set[int]:
        """The input nodes that some literals depend on."""
        first, second = self._first, self._second
        todo = list({x >> 1 for x in literals})
        seen, found = set(todo), set()
        while todo:
            node = todo.pop()
            if first[node] == second[node]:
                if node:
                    found.add(node)
                continue
            for below in (first[node] >> 1, second[node] >> 1):
                if below not in seen:
                    seen.add(below)
                    todo.append(below)
        return found
