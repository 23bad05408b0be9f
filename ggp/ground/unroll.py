"""Nets in which no gate rests on itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ggp.arrays import offsets
from ggp.ground.gates import Bodies, Gates, Ints
from ggp.ground.net import Block, Net
from ggp.ground.recursive import RecursiveAssembler


def unrolled(net: Net, most: int) -> Net | None:
    """The same game with no recursive gates; None where it takes more than `most` literals.

    Gates that depend on one another are made as often as there are of them, each time from the ones
    before, and first from none: that is their least fixpoint (Kleene), as none of them rests on the
    negation of another.
    """
    if not net.recursive:
        return net
    if literals_unrolled(net) > most:
        return None
    rules: dict[int, Bodies] = {}
    named = net.size
    for block in net.blocks:
        named = _copy(net, block, rules, named)
    made = RecursiveAssembler(rules, {x: x for x in range(1, net.first_gate)}, net.first_gate)
    made.run(rules)

    def literal(x: int) -> int:
        return made.literal(x) if x > 0 else -made.literal(-x)

    return replace(
        net,
        gates=_gates(made.gates),
        recursive=(),
        next=tuple(map(literal, net.next)),
        legal=tuple(map(literal, net.legal)),
        goals=tuple(tuple((value, literal(x)) for value, x in own) for own in net.goals),
        sees=tuple(tuple((percept, literal(x)) for percept, x in own) for own in net.sees),
        terminal=literal(net.terminal),
    )


def literals_unrolled(net: Net) -> int:
    """The literals that the net has unrolled, at the most."""
    more = 0
    for start, stop in net.recursive:
        own = sum(len(body) for node in range(start, stop) for body in net.bodies(node))
        more += (stop - start - 1) * own
    return net.literals + more


def _copy(net: Net, block: Block, rules: dict[int, Bodies], named: int) -> int:
    """Add a block's gates to the rules as often as needed, the last ones under their own names, the
    others under numbers after `named`; the largest of these."""
    nodes = range(block.start, block.stop)
    if not block.recursive:
        rules[block.start] = net.bodies(block.start)
        return named
    before: dict[int, int] | None = None
    for left in range(len(nodes) - 1, -1, -1):
        names = {x: named + 1 + i if left else x for i, x in enumerate(nodes)}
        for node in nodes:
            bodies = net.bodies(node)
            if before is None:
                rules[names[node]] = tuple(b for b in bodies if not names.keys() & set(b))
            else:
                rules[names[node]] = tuple(tuple(before.get(x, x) for x in b) for b in bodies)
        before, named = names, named + len(nodes)
    return named


def _gates(gates: Sequence[Bodies]) -> Gates:
    def sizes(of: Sequence[Sequence[object]]) -> Ints:
        return np.array([len(x) for x in of], dtype=np.int64)

    bodies = [body for own in gates for body in own]
    literals = np.array([x for body in bodies for x in body], dtype=np.int64)
    return Gates(offsets(sizes(gates)), offsets(sizes(bodies)), literals)
