"""The loop that tells what follows, gate by gate, from what is known of some nodes.

Compiled by numba once for each machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel

Int64s = NDArray[np.int64]

OPEN, HOLDS, FAILS = 0, 1, -1
"""What is known of a node; of a negated one it is the negative."""


@kernel
def fold(
    known: NDArray[np.int8],
    first_gate: int,
    first_body: Int64s,
    first_literal: Int64s,
    literals: Int64s,
    recursive: Int64s,
) -> None:
    """Fill in the gates of a net that are open, see `ggp.ground.gates.Gates`, where they are told.

    `known` (nodes + 1,): what is known of each node. `recursive` (n, 2): runs of gates, from one
    node up to another, of which nothing is told.
    """
    block, node = 0, first_gate
    while node < len(known):
        if block < len(recursive) and recursive[block, 0] == node:
            node = recursive[block, 1]
            block += 1
            continue
        value = FAILS if known[node] == OPEN else known[node]
        body, last = first_body[node - first_gate], first_body[node - first_gate + 1]
        if known[node] != OPEN:
            body = last
        while body < last:
            here = HOLDS
            for place in range(first_literal[body], first_literal[body + 1]):
                x = literals[place]
                told = known[x] if x > 0 else -known[-x]
                if told == FAILS:
                    here = FAILS
                    break
                if told == OPEN:
                    here = OPEN
            if here == HOLDS:
                value = HOLDS
                break
            if here == OPEN:
                value = OPEN
            body += 1
        known[node] = value
        node += 1
