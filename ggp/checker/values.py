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
from collections.abc import Iterable

from ggp.ground import Net

MAX_PARTITIONS, MAX_CELLS = 20_000, 4_000_000

Partition = tuple[frozenset[int], bool]


def partitions(
    net: Net, roots: Iterable[int], groups: Iterable[tuple[tuple[int, ...], bool]]
) -> list[Partition]:
    """Partitions of gates below `roots`, in states with `groups`, of three literals at least."""
    cone = net.cone(roots)
    looping = {node for start, stop in net.recursive for node in range(start, stop)}
    gates = sorted(node for node in cone if net.bodies(node) and node not in looping)
    found = list(dict(_simple(net, cone, gates, groups)).items())
    parts_of: dict[int, list[int]] = defaultdict(list)
    for number, (own, _) in enumerate(found):
        for literal in own:
            parts_of[literal].append(number)
    gates_of: dict[int, set[int]] = defaultdict(set)
    for gate in gates:
        for literal in itertools.chain(*net.bodies(gate)):
            gates_of[literal].add(gate)
    seen, cells_left, at = {own for own, _ in found}, MAX_CELLS, 0
    while at < len(found) < MAX_PARTITIONS and cells_left > 0:
        first, is_full = found[at]
        at += 1
        beside: dict[int, list[int]] = defaultdict(list)
        for gate in sorted(set().union(*(gates_of[x] for x in first))):
            for number in _others(net, gate, first, parts_of):
                beside[number].append(gate)
        for number, beside_both in beside.items():
            second, is_second_full = found[number]
            cells = {gate: _cells(net, gate, first, second) for gate in beside_both}
            chosen, covered = [], set[tuple[int, int]]()
            for gate in sorted(cells, key=lambda gate: (-len(cells[gate]), gate)):
                if covered.isdisjoint(cells[gate]):
                    covered |= cells[gate]
                    chosen.append(gate)
            cells_left -= len(covered)
            new = frozenset(chosen)
            if len(new) > 1 and new not in seen:
                seen.add(new)
                for gate in new:
                    parts_of[gate].append(len(found))
                nothing_left = len(covered) == len(first) * len(second)
                found.append((new, is_full and is_second_full and nothing_left))
    return [(own, full) for own, full in found if len(own) > 2]


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


def _others(net: Net, gate: int, first: frozenset[int], parts_of: dict[int, list[int]]) -> set[int]:
    """The partitions of which each body of a gate has one literal beside one of `first`."""
    options: list[set[int]] = []
    for body in net.bodies(gate):
        rest = [x for x in body if x not in first]
        if len(rest) > 1 or len(body) != len(rest) + 1:
            return set()
        options += [set(parts_of[x]) for x in rest]
    return set.intersection(*options) if options else set()


def _cells(
    net: Net, gate: int, first: frozenset[int], second: frozenset[int]
) -> set[tuple[int, int]]:
    cells: set[tuple[int, int]] = set()
    for body in net.bodies(gate):
        [one] = [x for x in body if x in first]
        cells.update((one, other) for other in ([x for x in body if x != one] or second))
    return cells
