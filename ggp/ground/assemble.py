"""From a ground program to gates: constants folded, copies merged, idle atoms dropped.

Everything is done on arrays, all atoms of a level at once, so that the work is linear in the ground
program but for sorting. An atom's level is one more than that of the last atom that it rests on;
atoms that rest on themselves, and all above them, are left to `recursive`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.arrays import offsets, runs
from ggp.ground.gates import Gates, Ints
from ggp.ground.net import FALSE, TRUE
from ggp.ground.recursive import Body, RecursiveAssembler
from ggp.limits import look


@dataclass(frozen=True, eq=False)
class GroundProgram:
    """Rules in arrays: `head` (rules,), an atom each; `size` (rules,), the length of each body;
    `body`, all bodies one after the other, atoms negative where they are negated."""

    head: Ints
    size: Ints
    body: Ints

    def __len__(self) -> int:
        return len(self.head)

    def only(self, kept: NDArray[np.bool_]) -> GroundProgram:
        """The rules that are marked."""
        first = np.cumsum(self.size) - self.size
        members = runs(first[kept], self.size[kept])
        return GroundProgram(self.head[kept], self.size[kept], self.body[members])


class Assembler:
    """Makes gates of the atoms of a ground program; `literal(atom)` is what an atom became.

    `inputs` maps the atoms of fluents and moves to their nodes; gates are numbered from
    `first_gate`. `recursive` lists runs of gates (first node, last node + 1) that depend on one
    another.
    """

    def __init__(
        self, program: GroundProgram, inputs: Mapping[int, int], outputs: Iterable[int],
        first_gate: int,
    ) -> None:  # fmt: skip
        look("making gates of ground rules")
        wanted = np.fromiter(outputs, dtype=np.int64)
        top = max(
            int(program.head.max(initial=0)), int(np.abs(program.body).max(initial=0)),
            int(wanted.max(initial=0)), max(inputs, default=0),
        )  # fmt: skip
        self._node = np.full(top + 1, FALSE, dtype=np.int64)
        self._node[list(inputs)] = list(inputs.values())
        self._first_gate = first_gate
        self._parts: list[tuple[Ints, Ints, Ints]] = []
        self._known: dict[tuple[int, int], list[tuple[int, bytes]]] = {}
        self._made = 0
        self.recursive: list[tuple[int, int]] = []
        self._run(program.only(_needed(program, wanted, top)))

    def literal(self, atom: int) -> int:
        """The literal of an atom: an input, a gate, or a constant."""
        return int(self._node[atom])

    @property
    def gates(self) -> Gates:
        """All gates in the order of their nodes."""
        empty = np.zeros(0, dtype=np.int64)
        columns = [np.concatenate([empty, *(part[i] for part in self._parts)]) for i in range(3)]
        return Gates(offsets(columns[0]), offsets(columns[1]), columns[2])

    def _run(self, program: GroundProgram) -> None:
        """Give every atom its literal, level by level."""
        atoms = len(self._node)
        defined = np.zeros(atoms, dtype=np.bool_)
        defined[program.head] = True
        owner = np.repeat(np.arange(len(program)), program.size)
        below = np.abs(program.body)
        inner = defined[below]
        pending = np.bincount(program.head[owner[inner]], minlength=atoms)
        # Rules by head, and the heads that use an atom.
        order = np.argsort(program.head, kind="stable")
        first_rule = offsets(np.bincount(program.head, minlength=atoms))
        first_literal = np.cumsum(program.size) - program.size
        used = np.argsort(below[inner], kind="stable")
        users = program.head[owner[inner]][used]
        first_user = offsets(np.bincount(below[inner], minlength=atoms))
        frontier: Ints = np.flatnonzero(defined & (pending == 0))
        left = int(defined.sum())
        while len(frontier):
            look("making gates of ground rules")
            rules = order[runs(first_rule[frontier], np.diff(first_rule)[frontier])]
            size = program.size[rules]
            body = program.body[runs(first_literal[rules], size)]
            gate = np.repeat(np.arange(len(frontier)), np.diff(first_rule)[frontier])
            self._level(frontier, gate, size, self._folded(body))
            left -= len(frontier)
            above = users[runs(first_user[frontier], np.diff(first_user)[frontier])]
            pending -= np.bincount(above, minlength=atoms)
            touched = np.unique(above)
            frontier = touched[pending[touched] == 0].astype(np.int64)
        if left:
            self._finish(program.only((pending > 0)[program.head]))

    def _folded(self, body: Ints) -> Ints:
        """Atoms with their signs as literals of nodes."""
        return np.where(body < 0, -self._node[np.abs(body)], self._node[np.abs(body)])

    def _level(self, atoms: Ints, gate: Ints, size: Ints, literals: Ints) -> None:
        """Give `atoms` their literals. Body `j` belongs to atom number `gate[j]` and has the next
        `size[j]` of `literals`."""
        gate, size, literals = _simplified(gate, size, literals)
        result = np.full(len(atoms), FALSE, dtype=np.int64)
        count = np.bincount(gate, minlength=len(atoms))
        # A body without literals makes its atom true, a single one of one literal a copy of it.
        result[gate[size == 0]] = TRUE
        first_body = offsets(count)
        single = np.flatnonzero((count == 1) & (result == FALSE))
        copies = single[size[first_body[single]] == 1]
        first_literal = offsets(size)
        result[copies] = literals[first_literal[first_body[copies]]]
        real = np.flatnonzero((count > 0) & (result == FALSE))
        if len(real):
            result[real] = self._add(real, count, first_body, first_literal, size, literals)
        self._node[atoms] = result

    def _add(
        self, real: Ints, count: Ints, first_body: Ints, first_literal: Ints, size: Ints,
        literals: Ints,
    ) -> Ints:  # fmt: skip
        """The nodes of gates, new ones but for those that are known already."""
        bodies = runs(first_body[real], count[real])
        sizes = size[bodies]
        flat = literals[runs(first_literal[bodies], sizes)]
        starts, ends = offsets(count[real]), offsets(sizes)
        keys = _hashes(flat, sizes, count[real])
        nodes = np.zeros(len(real), dtype=np.int64)
        fresh = np.zeros(len(real), dtype=np.bool_)
        for i, key in enumerate(zip(*(half.tolist() for half in keys), strict=True)):
            a, b = starts[i], starts[i + 1]
            content = sizes[a:b].tobytes() + flat[ends[a] : ends[b]].tobytes()
            same = self._known.setdefault(key, [])
            node = next((node for node, other in same if other == content), 0)
            if not node:
                node = self._first_gate + self._made
                self._made += 1
                same.append((node, content))
                fresh[i] = True
            nodes[i] = node
        kept = runs(starts[:-1][fresh], count[real][fresh])
        self._parts.append((count[real][fresh], sizes[kept], flat[runs(ends[kept], sizes[kept])]))
        return nodes

    def _finish(self, program: GroundProgram) -> None:
        """Deal with atoms that rest on themselves, and with all that rest on them."""
        inner = set(program.head.tolist())
        rules: dict[int, list[Body]] = {atom: [] for atom in sorted(inner)}
        place = 0
        bodies = program.body.tolist()
        for head, size in zip(program.head.tolist(), program.size.tolist(), strict=True):
            rules[head].append(tuple(bodies[place : place + size]))
            place += size
        below = np.unique(np.abs(program.body))
        settled = {
            atom: node
            for atom, node in zip(below.tolist(), self._node[below].tolist(), strict=True)
            if atom not in inner
        }
        other = RecursiveAssembler(rules, settled, self._first_gate + self._made)
        other.run(rules)
        for gate in other.gates:
            sizes = np.array([len(body) for body in gate], dtype=np.int64)
            flat = np.array([x for body in gate for x in body], dtype=np.int64)
            self._parts.append((np.array([len(gate)]), sizes, flat))
        self._made += len(other.gates)
        self.recursive = [(b.start, b.stop) for b in other.blocks if b.recursive]
        for atom in inner:
            self._node[atom] = other.literal(atom)


def _needed(program: GroundProgram, wanted: Ints, top: int) -> NDArray[np.bool_]:
    """Marks the rules of all atoms that the atoms `wanted` depend on."""
    order = np.argsort(program.head, kind="stable")
    first_rule = offsets(np.bincount(program.head, minlength=top + 1))
    first_literal = np.cumsum(program.size) - program.size
    below = np.abs(program.body)
    found = np.zeros(top + 1, dtype=np.bool_)
    frontier = np.unique(wanted)
    found[frontier] = True
    while len(frontier):
        rules = order[runs(first_rule[frontier], np.diff(first_rule)[frontier])]
        reached = below[runs(first_literal[rules], program.size[rules])]
        frontier = np.unique(reached[~found[reached]])
        found[frontier] = True
    return found[program.head]


def _simplified(gate: Ints, size: Ints, literals: Ints) -> tuple[Ints, Ints, Ints]:
    """Bodies without constants and repetitions, sorted, and without those that are idle: false
    ones, copies of another body of the gate, and such as contain a body of one literal."""
    owner = np.repeat(np.arange(len(size)), size)
    order = np.lexsort((literals, np.abs(literals), owner))
    owner, literals = owner[order], literals[order]
    follows = owner[1:] == owner[:-1]
    repeated = np.zeros(len(literals), dtype=np.bool_)
    repeated[1:] = follows & (literals[1:] == literals[:-1])
    dead = np.zeros(len(size), dtype=np.bool_)
    dead[owner[literals == FALSE]] = True
    dead[owner[1:][follows & (literals[1:] == -literals[:-1])]] = True
    kept = ~repeated & (literals != TRUE) & ~dead[owner]
    owner, literals = owner[kept], literals[kept]
    size = np.bincount(owner, minlength=len(size))
    alive = np.flatnonzero(~dead)
    gate, size, literals = _distinct(gate[alive], size[alive], literals)
    return _absorbed(gate, size, literals)


def _distinct(gate: Ints, size: Ints, literals: Ints) -> tuple[Ints, Ints, Ints]:
    """The bodies of each gate ordered by length and content, each of them once."""
    first = offsets(size)[:-1]
    low, high = _hashes(literals, size, np.ones(len(size), dtype=np.int64))
    order = np.lexsort((low, high, size, gate))
    gate, size, first, low, high = (x[order] for x in (gate, size, first, low, high))
    alike = (gate[1:] == gate[:-1]) & (size[1:] == size[:-1])
    alike &= (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    later = np.flatnonzero(alike) + 1
    # Equal hashes are looked into, so that nothing rests on luck.
    sizes = size[later]
    differs = literals[runs(first[later], sizes)] != literals[runs(first[later - 1], sizes)]
    owner = np.repeat(np.arange(len(later)), sizes)
    really = np.ones(len(later), dtype=np.bool_)
    really[owner[differs]] = False
    kept = np.ones(len(size), dtype=np.bool_)
    kept[later[really]] = False
    gate, size, first = gate[kept], size[kept], first[kept]
    return gate, size, literals[runs(first, size)]


def _absorbed(gate: Ints, size: Ints, literals: Ints) -> tuple[Ints, Ints, Ints]:
    """The bodies without those that contain a literal which is a body by itself."""
    first = offsets(size)[:-1]
    single = np.flatnonzero(size == 1)
    if not len(single) or len(single) == len(size):
        return gate, size, literals
    span = 2 * int(np.abs(literals).max()) + 2
    owner = np.repeat(np.arange(len(size)), size)
    keys = gate[owner] * span + literals + span // 2
    units = keys[first[single]]
    hit = np.isin(keys, units) & (size[owner] > 1)
    kept = np.ones(len(size), dtype=np.bool_)
    kept[owner[hit]] = False
    return gate[kept], size[kept], literals[kept[owner]]


def _hashes(literals: Ints, size: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Two numbers for each run of `count` bodies of the given sizes, equal where contents are."""
    found = []
    for seed in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F):
        body = _sums(_mixed(literals, seed), size)
        found.append(_sums(_mixed(body, seed ^ 0xFF51AFD7ED558CCD), count))
    return found[0], found[1]


def _sums(values: Ints, sizes: Ints) -> Ints:
    """The sum of each run of values, modulo 2^64."""
    total = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
    ends = np.cumsum(sizes)
    return np.asarray(total[ends] - total[ends - sizes])


def _mixed(values: Ints, seed: int) -> Ints:
    """Values scattered over 64 bits (the finaliser of MurmurHash3, A. Appleby 2011)."""
    x = values.view(np.uint64) + np.uint64(seed)
    x = (x ^ (x >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    x = (x ^ (x >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return np.asarray((x ^ (x >> np.uint64(33))).view(np.int64))
