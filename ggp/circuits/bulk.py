"""Many gates of a net at once: compiled loops make what `Factoring` would, gate for gate."""

# Loops that numba reads have no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import Builder
from ggp.circuits.factor import Factoring
from ggp.ground import Net
from ggp.later import Later
from ggp.limits import look

if TYPE_CHECKING:
    from ggp import kernel
    from ggp.circuits.loops import cubes, gates, nets
else:
    kernel = Later("ggp.kernel")
    cubes, gates = Later("ggp.circuits.loops.cubes"), Later("ggp.circuits.loops.gates")
    nets = Later("ggp.circuits.loops.nets")

MANY = 1 << 15
"""Literals of a net for which loops are worth being loaded."""

LARGE = 1 << 20
"""Literals for which the loops are compiled if they are not on disk, which takes some ten seconds,
as does a circuit of a few times as many without them."""

ROOM = 1 << 16
"""Nodes that there is room for at first, beside twice those that there are."""

_may_compile = True

WORK = 1 << 18
"""Literals of a net between two looks at the limits."""


def pays(net: Net, nodes: Sequence[int]) -> bool:
    """Whether some gates of a net are so many that loops are of use: what they make is the same."""
    if net.literals < MANY or not len(nodes):
        return False
    own = np.asarray(nodes, dtype=np.int64) - net.first_gate
    size = int((net.gates.spans[own + 1] - net.gates.spans[own]).sum())
    return size >= MANY and ((size >= LARGE and _may_compile) or _are_there())


def only_load() -> None:
    """Let this process do without loops that are not on disk: nobody waits ten seconds for it."""
    global _may_compile
    _may_compile = False


def load() -> None:
    """Load the loops, or compile them where this machine has not done so yet."""
    nets.lower(*_nothing())
    gates.fill(np.zeros((0, 2), dtype=np.int64), np.zeros((1, 2), dtype=np.int64))


def _are_there() -> bool:
    return kernel.is_there(nets.lower, *_nothing())


def _nothing() -> tuple[object, ...]:
    """No gates to be made, as the loops take them."""
    ints, long = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)
    rules = nets.RuleRows(2, long, long, long)
    scratch = cubes.CubeScratch(np.zeros((cubes.ROWS, 0), dtype=np.int32), long, ints, ints, ints)
    made = gates.Made(np.zeros((0, 2), dtype=np.int32), np.zeros((0, 2), dtype=np.int64), long)
    return long, 0, WORK, ints, rules, scratch, made


def lower(
    net: Net,
    nodes: Sequence[int],
    value: list[int | None],
    builder: Builder,
    factoring: Factoring,
) -> None:
    """Give some gates of a net, operands first, their literals in `builder` (`value`: by node)."""
    own = np.asarray(nodes, dtype=np.int64)
    known = np.array([nets.UNKNOWN if x is None else x for x in value], dtype=np.int32)
    rules = nets.RuleRows(
        net.first_gate, net.gates.first_body, net.gates.first_literal, net.gates.literals
    )
    made = _made(builder)
    scratch = _scratch(net, own, factoring, 2 * len(made.nodes))
    before, done, last = len(builder), 0, -1
    while done < len(own):
        if done == last:
            made = _larger(made)
            scratch = scratch._replace(slot=_slots(2 * len(made.nodes)))
        last = done
        done = nets.lower(own, done, WORK, known, rules, scratch, made)
        look("making circuits")
    nodes_made = made.nodes[before : int(made.counts[gates.NODES])]
    builder.first += nodes_made[:, 0].tolist()
    builder.second += nodes_made[:, 1].tolist()
    builder.asked = int(made.counts[gates.ASKED])
    used = made.table[made.table[:, 0] != 0]
    builder.known.update(zip(used[:, 0].tolist(), used[:, 1].tolist(), strict=True))
    for node, literal in zip(own.tolist(), known[own].tolist(), strict=True):
        value[node] = literal


def _made(builder: Builder) -> gates.Made:
    """What is built already, with room for as much again and more."""
    count, known = len(builder), len(builder.known)
    nodes = np.zeros((2 * count + ROOM, 2), dtype=np.int32)
    nodes[:count, 0], nodes[:count, 1] = builder.first, builder.second
    pairs = np.empty((known, 2), dtype=np.int64)
    pairs[:, 0] = np.fromiter(builder.known.keys(), np.int64, known)
    pairs[:, 1] = np.fromiter(builder.known.values(), np.int64, known)
    counts = np.zeros(gates.CHAIN + gates.LONGEST, dtype=np.int64)
    counts[: gates.CHAIN] = count, known, builder.asked
    return gates.Made(nodes, _table(pairs, 2 * len(nodes)), counts)


def _larger(made: gates.Made) -> gates.Made:
    """The same with twice the room."""
    nodes = np.concatenate([made.nodes, np.zeros_like(made.nodes)])
    return gates.Made(nodes, _table(made.table, 2 * len(made.table)), made.counts)


def _table(pairs: NDArray[np.int64], places: int) -> NDArray[np.int64]:
    """A hash table of at least so many places, a power of two, with keys and their values."""
    table = np.zeros((1 << (places - 1).bit_length(), 2), dtype=np.int64)
    gates.fill(pairs, table)
    return table


def _slots(literals: int) -> NDArray[np.int32]:
    return np.full(literals, -1, dtype=np.int32)


def _scratch(
    net: Net, nodes: NDArray[np.int64], factoring: Factoring, literals: int
) -> cubes.CubeScratch:
    """Room for the largest of some gates, in a circuit of so many literals."""
    body, literal = net.gates.first_body, net.gates.first_literal
    own = nodes - net.first_gate
    bodies = int((body[own + 1] - body[own]).max())
    most = int((literal[body[own + 1]] - literal[body[own]]).max())
    deep = int(np.diff(literal).max(initial=0))
    of = np.full(max(factoring.choice_of, default=-1) + 1, -1, dtype=np.int32)
    for member, choice in factoring.choice_of.items():
        of[member] = choice
    members = [sorted(choice) for choice in factoring.choices]
    first = len(members) + 1 + np.cumsum([0, *map(len, members)])
    sets = np.array([*first, *chain.from_iterable(members)], dtype=np.int32)
    # A disjunction has groups of two cubes at least, but for that which leads to the next one and
    # what is left; and no more parts than groups and cubes.
    size = max(most + 1, 4 * bodies + 4 * deep + 8, len(sets))
    return cubes.CubeScratch(
        np.zeros((cubes.ROWS, size), dtype=np.int32),
        np.zeros(size, dtype=np.int64),
        _slots(literals),
        of,
        sets,
    )
