"""Gates of which at most one holds, found by looking at the rules: counts, and the like.

A *partition* is a set of literals of which at most one holds; a full one: just one. A fluent and
its negative are one, the fluents of a group, and some of these with the gate that says that none of
them holds. If S and T are partitions, each pair of one of S and one of T is a cell, and no two
cells hold at once; so gates that stand for cells of their own, each body being one of S alone or
with one of T, are a partition, and a full one if S and T are and no cell is left over.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable

from ggp.ground import Net

MAX_PARTITIONS, MAX_CELLS = 20_000, 4_000_000
"""Partitions, and cells of all of them together, up to which they are looked for."""

Partition = tuple[frozenset[int], bool]


def partitions(
    net: Net,
    roots: Iterable[int],
    groups: Iterable[tuple[tuple[int, ...], bool]],
    look: Callable[[], None],
) -> list[Partition]:
    """Partitions of gates below `roots`, in states with `groups`, of three literals at least, each
    with whether it is full. `look` is called now and then, and may raise."""
    cone = net.cone(roots)
    looping = {node for start, stop in net.recursive for node in range(start, stop)}
    gates = sorted(node for node in cone if net.bodies(node) and node not in looping)
    found = _Found(net, gates)
    for own, is_full in dict(_simple(net, cone, gates, groups)).items():
        found.add(own, is_full)
    at = 0
    while at < len(found.parts) < MAX_PARTITIONS and found.cells_left > 0:
        look()
        for own, is_full in found.above(at):
            found.add(own, is_full)
        at += 1
    return [(own, is_full) for own, is_full in found.parts if len(own) > 2]


class _Found:
    """The partitions so far, in the order in which they rest on each other."""

    def __init__(self, net: Net, gates: Iterable[int]) -> None:
        self.net = net
        self.parts: list[Partition] = []
        self.cells_left = MAX_CELLS
        self.known: set[frozenset[int]] = set()
        self.parts_of: dict[int, list[int]] = defaultdict(list)
        self.gates_of: dict[int, set[int]] = defaultdict(set)
        for gate in gates:
            for literal in itertools.chain(*net.bodies(gate)):
                self.gates_of[literal].add(gate)

    def add(self, own: frozenset[int], is_full: bool) -> None:
        """One more, if it is not known yet."""
        if own not in self.known:
            self.known.add(own)
            for literal in own:
                self.parts_of[literal].append(len(self.parts))
            self.parts.append((own, is_full))

    def above(self, at: int) -> list[Partition]:
        """What is made of cells of one partition with others: a partition for each of these."""
        first, is_full = self.parts[at]
        beside: dict[int, list[int]] = defaultdict(list)
        for gate in sorted(set().union(*(self.gates_of[x] for x in first))):
            for number in self._others(gate, first):
                beside[number].append(gate)
        made = []
        for number, gates in beside.items():
            second, is_second_full = self.parts[number]
            cells = {gate: self._cells(gate, first, second) for gate in gates}
            chosen, covered = [], set[tuple[int, int]]()
            for gate in sorted(cells, key=lambda gate: (-len(cells[gate]), gate)):
                if covered.isdisjoint(cells[gate]):
                    covered |= cells[gate]
                    chosen.append(gate)
            self.cells_left -= len(covered)
            if len(chosen) > 1:
                nothing_left = len(covered) == len(first) * len(second)
                made.append((frozenset(chosen), is_full and is_second_full and nothing_left))
        return made

    def _others(self, gate: int, first: frozenset[int]) -> set[int]:
        """The partitions of which each body of a gate has one literal beside one of `first`."""
        options: list[set[int]] = []
        for body in self.net.bodies(gate):
            rest = [x for x in body if x not in first]
            if len(rest) > 1 or len(body) != len(rest) + 1:
                return set()
            options += [set(self.parts_of[x]) for x in rest]
        return set.intersection(*options) if options else set()

    def _cells(
        self, gate: int, first: frozenset[int], second: frozenset[int]
    ) -> set[tuple[int, int]]:
        cells: set[tuple[int, int]] = set()
        for body in self.net.bodies(gate):
            [one] = [x for x in body if x in first]
            cells.update((one, other) for other in ([x for x in body if x != one] or second))
        return cells


def _simple(
    net: Net,
    cone: Iterable[int],
    gates: Iterable[int],
    groups: Iterable[tuple[tuple[int, ...], bool]],
) -> Iterable[Partition]:
    """Those that rest on no others."""
    for node in sorted(cone):
        if net.first_fluent <= node < net.first_move:
            yield frozenset((node, -node)), True
    group_of: dict[int, set[int]] = defaultdict(set)
    for number, (fluents, exact) in enumerate(groups):
        nodes = frozenset(net.first_fluent + i for i in fluents)
        yield nodes, exact
        for node in nodes:
            group_of[node].add(number)
    for gate in gates:
        bodies = net.bodies(gate)
        denied = [-x for x in bodies[0]]
        if len(bodies) == 1 and denied and set.intersection(*(group_of[x] for x in denied)):
            yield frozenset((gate, *denied)), True
