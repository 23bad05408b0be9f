"""The loop by which all gates of a large net are computed for one state.

Compiled by numba once for each machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import kernel

Bytes = NDArray[np.uint8]
Int64s = NDArray[np.int64]


@kernel
def settle(
    values: Bytes,
    first_gate: int,
    first_body: Int64s,
    first_literal: Int64s,
    literals: Int64s,
    recursive: Int64s,
) -> None:
    """Fill in the gates of a net, see `ggp.ground.gates.Gates`, all of them 0 before.

    `values` (nodes + 1,): 1 where a node holds. `recursive` (n, 2): runs of gates, from one node up
    to another, that take their least fixpoint.
    """
    start, block = first_gate, 0
    while start < len(values):
        stop = start + 1
        if block < len(recursive) and recursive[block, 0] == start:
            stop = recursive[block, 1]
            block += 1
        is_changed = True
        while is_changed:
            is_changed = False
            for node in range(start, stop):
                body, last = first_body[node - first_gate], first_body[node - first_gate + 1]
                while body < last and not values[node]:
                    place, end = first_literal[body], first_literal[body + 1]
                    while place < end and values[abs(literals[place])] == (literals[place] > 0):
                        place += 1
                    if place == end:
                        values[node] = 1
                        is_changed = stop - start > 1
                    body += 1
        start = stop
