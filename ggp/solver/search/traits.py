"""What positions are compared by, in place of all that holds in them: bits of a key.

One bit for each fluent of a `StateOrder` that is to be equal, for each move of the first player,
and for each of the second, that it looks at.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ggp.analysis.relations.symmetries import Permutation
from ggp.analysis.states.dominance import StateOrder
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.lowering import Lowering
from ggp.ground import Marker, Net
from ggp.machine.engine.frames import Int64s, Words

WINDOW, NARROW = 11, 4
"""Bits that tables of images are entered with, at the most and at the least."""

MAX_TABLES = 32 << 20
"""Bytes of all tables; with narrow windows they are less, and images are left out at last."""


class Traits:
    """The bits of an order, and where symmetries of the rules take them.

    `group`: symmetries that keep the roles and the initial state, so that images of positions of
    legal play are such: of no others the order says anything.

    `masks`: of a key the bits that are to be equal, those that the better position for the first
    player has more of, and those that it has fewer of, (3, words). `windows` and `tables` are what
    `least_images` takes.
    """

    def __init__(
        self,
        net: Net,
        marker: Marker,
        order: StateOrder,
        roles: Sequence[int],
        group: Sequence[Permutation],
    ) -> None:
        self._net = net
        self._kinds = (order.equal, order.more, order.fewer)
        self._marked = [
            {i: marker.bits[role] >> i & 1 for i in _places(marker.mask)} for role in roles
        ]
        self.count = sum(map(len, self._kinds))
        self.words = -(-self.count // 64)
        self.masks = np.zeros((3, self.words), dtype=np.uint64)
        nodes: list[int] = []
        for mask, kind, base in zip(
            self.masks, self._kinds, (net.first_fluent, *[net.first_move] * 2), strict=True
        ):
            for i in kind:
                mask[len(nodes) >> 6] |= np.uint64(1 << (len(nodes) & 63))
                nodes.append(base + i)
        settings = [{net.first_fluent + i for i in _places(marker.bits[role])} for role in roles]
        # A symmetry is of use where it keeps whose turn it is, and maps bits to bits.
        kept = [
            g
            for g in group
            if all({g[n] for n in own} == own for own in settings)
            and {g[n] for n in nodes} == set(nodes)
        ]
        place = {node: i for i, node in enumerate(nodes)}
        images = [[place[g[node]] for node in nodes] for g in kept]
        images = [image for image in images if image != sorted(image)]
        self.windows, self.tables = _tables(images, self.count, self.words)

    @property
    def is_of_one(self) -> bool:
        """Whether positions are compared by the moves of one player, so that many are alike."""
        return not all(self._kinds[1:])

    def whose(self, players: Sequence[str]) -> str:
        """The players whose moves count, in words."""
        return " and ".join(p for p, own in zip(players, self._kinds[1:], strict=True) if own)

    def literals(self, builder: Builder, fluents: Sequence[int]) -> list[int]:
        """The bits of a position whose fluents have these literals, filled up to whole words."""
        equal, more, fewer = self._kinds
        found = [fluents[i] for i in equal]
        for marked, moves in zip(self._marked, (more, fewer), strict=True):
            own = [
                TRUE if marked.get(i, 0) else FALSE if i in marked else x
                for i, x in enumerate(fluents)
            ]
            found += Lowering(self._net, builder, own).literals(self._net.legal[m] for m in moves)
        return found + [FALSE] * (64 * self.words - len(found))


def _places(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _windows(count: int, words: int, widest: int) -> tuple[list[tuple[int, int, int]], int]:
    """Windows of bits (the first, how many, the place in the table), and the size of a table."""
    windows = []
    size = 0
    for word in range(words):
        end = min(64 * word + 64, count)
        for first in range(64 * word, end, widest):
            width = min(widest, end - first)
            windows.append((first, width, size))
            size += 1 << width
    return windows, size


def _tables(images: Sequence[Sequence[int]], count: int, words: int) -> tuple[Int64s, Words]:
    """Windows of bits, none of which is in two words, and for each image (where it takes each bit)
    what every value of each window becomes."""
    for widest in range(WINDOW, NARROW - 1, -1):
        windows, size = _windows(count, words, widest)
        if 8 * len(images) * size * words <= MAX_TABLES:
            break
    images = images[: MAX_TABLES // (8 * size * words)]
    tables = np.zeros((len(images), size, words), dtype=np.uint64)
    for table, image in zip(tables, images, strict=True):
        for first, width, offset in windows:
            values = np.arange(1 << width)
            for bit in range(width):
                to = image[first + bit]
                table[offset + values[values >> bit & 1 == 1], to >> 6] |= np.uint64(1 << (to & 63))
    return np.array(windows, dtype=np.int64).reshape(-1, 3), tables
