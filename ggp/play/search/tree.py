"""A tree of positions in flat arrays, and what the loops over it take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.machine import Rows
from ggp.machine.engine.frames import Int32s, Int64s

Bytes = NDArray[np.uint8]
Int16s = NDArray[np.int16]
Doubles = NDArray[np.float64]

LEAF, AWAITED, OPEN, END, CLOSED = range(5)
"""A position whose moves are not known, of which they are being made, of which they are known, at
the end of play, and one that is to have none (too many, or a fault of the rules)."""

NODES, ARMS, SLOTS, FINDS = range(4)
"""Places in `Tree.used`."""

VISITS, PENDING, FIRST = range(3)
TOTAL, LOW, HIGH, EACH = range(4)
"""Places in a row of `Tree.stat`."""

LINE = 8
"""Numbers of a line of the processor's memory."""

NOBODY = -1
"""The number of a role that is none."""


class Tree(NamedTuple):
    """Positions (n), the moves of each role in each (arms), and what joint moves lead to (slots).

    Of a position: its row, what it is (`kind`), where its arms begin and how many each role has
    (`counts`), where its slots begin: one for each joint move, the moves of the last role fastest,
    each the number of a position. `mover`: the only role with a choice, `NOBODY` where several have
    one. In one row of `stat`, as all of it is looked at together: how often it was come to
    (`VISITS`), descents that are under way (`PENDING`), and three numbers of each role from `FIRST`
    on: its goals summed over the visits (`TOTAL`), and bounds of what it gets (`LOW`, `HIGH`). Of
    two roles that is one line of the processor's memory. `since` (n, roles): when the lower bound
    was found (a count of such finds): it follows from what was found before.

    Of an arm: its move (an index into `Net.legal`), how often it was chosen, pending or not, the
    goals that its role then had, summed, and how keen the search is to try it (`bias`, 1 where
    nobody said anything of it). `buckets`: positions by the hash of their rows.

    Goals are parts of 100, but for the bounds.
    """

    rows: Rows
    kind: Bytes
    mover: Int16s
    stat: Doubles
    since: Doubles
    first_arm: Int32s
    counts: Int32s
    first_slot: Int32s
    move: Int32s
    tried: Int32s
    won: Doubles
    bias: Doubles
    slots: Int32s
    buckets: Int32s
    used: Int64s

    @property
    def size(self) -> int:
        """How many positions there are."""
        return int(self.used[NODES])

    @property
    def low(self) -> Doubles:
        """What each role gets at the least (n, roles)."""
        return self.stat[:, FIRST + LOW :: EACH]

    @property
    def high(self) -> Doubles:
        """What each role gets at the most (n, roles)."""
        return self.stat[:, FIRST + HIGH :: EACH]


class Paths(NamedTuple):
    """Descents: the positions of each (k, depth), the arms that were chosen after each (k, depth,
    roles), and how many positions there are (k,)."""

    node: Int32s
    arm: Int32s
    length: Int32s


class SearchRules(NamedTuple):
    """What the loops know of the game.

    `chance`: the role that moves by chance, `NOBODY` if there is none. `opposed`: whether the goals
    of two roles are known to have the sum `both`. `worst`, `best` (roles,): bounds of all goals.
    """

    chance: int
    opposed: bool
    both: int
    worst: Int16s
    best: Int16s


class SearchStyle(NamedTuple):
    """How moves are chosen in the tree: `explore` is the factor of the term for what was tried
    little; what was not tried at all is taken for as good as the position is on average, which
    counts as `trust` visits. A leaf is opened when it is come to for the `expand_at`-th time, or
    later: as often as one `wide`-th of the moves that there were before it."""

    explore: float
    trust: float
    expand_at: int
    wide: int


def bytes_of(nodes: int, words: int, roles: int) -> int:
    """What an empty tree takes, once it is full."""
    return sum(array.nbytes for array in new_tree(nodes, words, roles))


def new_tree(nodes: int, words: int, roles: int) -> Tree:
    """An empty tree with room for so many positions, and for three times as many arms and slots."""
    edges = 3 * nodes
    return Tree(
        rows=np.zeros((nodes, words), dtype=np.uint64),
        kind=np.zeros(nodes, dtype=np.uint8),
        mover=np.full(nodes, NOBODY, dtype=np.int16),
        stat=_aligned(nodes, FIRST + EACH * roles),
        since=np.zeros((nodes, roles)),
        first_arm=np.zeros(nodes, dtype=np.int32),
        counts=np.zeros((nodes, roles), dtype=np.int32),
        first_slot=np.zeros(nodes, dtype=np.int32),
        move=np.zeros(edges, dtype=np.int32),
        tried=np.zeros(edges, dtype=np.int32),
        won=np.zeros(edges),
        bias=np.zeros(edges),
        slots=np.zeros(edges, dtype=np.int32),
        buckets=np.full(1 << (2 * nodes).bit_length(), -1, dtype=np.int32),
        used=np.zeros(4, dtype=np.int64),
    )


def _aligned(rows: int, columns: int) -> Doubles:
    """Zeros (rows, columns) that begin where a line of the processor's memory does."""
    raw = np.zeros(rows * columns + LINE)
    skipped = (-raw.ctypes.data // raw.itemsize) % LINE
    return raw[skipped : skipped + rows * columns].reshape(rows, columns)
