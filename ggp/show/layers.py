"""Graphs drawn in rows: which node is in which row, and where; names of edges.

Rows are put in an order with few crossings by the barycentre method (Sugiyama, Tagawa and Toda,
IEEE Transactions on Systems, Man, and Cybernetics 11, 1981).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from math import ceil
from statistics import fmean as mean

LETTER, LINE, GAP, BETWEEN = 7, 15, 16, 96
"""Pixels: a letter's width, a line's height, between boxes, between rows."""

PARTS = (0.7, 0.62, 0.78, 0.54, 0.46, 0.86, 0.38, 0.3, 0.22, 0.14)
"""Of the way along a line: where the name of a move may be written. Nearer to where it leads first:
there the lines of one position are apart."""

STEEP, MOST_BETWEEN = 0.25, 240
"""How steep the flattest lines between rows are to be, and how far apart that may put these."""

SWEEPS = 6

Point = tuple[int, int]

Edge = tuple[int, int, str]
"""Numbers of two positions, and the move that leads from one to the other."""


def rows_of(count: int, root: int, edges: Sequence[Edge]) -> list[list[int]]:
    """Positions by the fewest moves to them, those of each row in an order with few crossings."""
    after: dict[int, list[int]] = {i: [] for i in range(count)}
    before: dict[int, list[int]] = {i: [] for i in range(count)}
    for source, target, _ in edges:
        after[source].append(target)
        before[target].append(source)
    depth = {root: 0}
    rows = [[root]]
    while rows[-1]:
        found = dict.fromkeys(t for s in rows[-1] for t in after[s] if t not in depth)
        depth.update((t, len(rows)) for t in found)
        rows.append(list(found))
    rows.pop()
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for i in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
            other = rows[i - 1] if down else rows[i + 1]
            rows[i] = _sorted(rows[i], before if down else after, other)
    return rows


def _sorted(
    row: Sequence[int], near: Mapping[int, Sequence[int]], other: Sequence[int]
) -> list[int]:
    """A row in the order of the means of its neighbours' places in another."""
    place = {node: i for i, node in enumerate(other)}

    def middle(case: tuple[int, int]) -> float:
        own = [place[n] for n in near[case[1]] if n in place]
        return mean(own) if own else case[0]

    return [node for _, node in sorted(enumerate(row), key=middle)]


def places_of(
    rows: Sequence[Sequence[int]],
    heights: Sequence[int],
    room: Sequence[int],
    edges: Sequence[Edge],
    between: int = BETWEEN,
) -> tuple[dict[int, Point], int, int]:
    """The middle of the upper side of each box, which has so much `room` from left to right; width
    and height of all. Boxes lie near those that moves join them with, rows so far apart."""
    across = _across(rows, room, edges)
    left = min(across[i] - room[i] / 2 for i in across) - GAP
    width = max(across[i] + room[i] / 2 for i in across) - left + GAP
    places: dict[int, Point] = {}
    y = GAP
    for row in rows:
        places |= {i: (round(across[i] - left), y) for i in row}
        far = max((abs(across[s] - across[t]) for s, t, _ in edges if s in row), default=0)
        bottom = y + max(heights[i] for i in row)
        y = bottom + max(between, min(round(far * STEEP), MOST_BETWEEN))
    return places, ceil(width), bottom + GAP


def _across(
    rows: Sequence[Sequence[int]], room: Sequence[int], edges: Sequence[Edge]
) -> dict[int, float]:
    """How far to the right the middle of each box lies."""
    level = {node: i for i, row in enumerate(rows) for node in row}
    near: dict[int, list[int]] = {node: [] for node in level}
    for source, target, _ in edges:
        if abs(level[source] - level[target]) == 1:
            near[source].append(target)
            near[target].append(source)
    found = {node: 0.0 for node in level}
    for sweep in range(2 * SWEEPS):
        for row in rows if sweep % 2 else reversed(rows):
            wanted = [mean(found[n] for n in near[i] or [i]) for i in row]
            gaps = [(room[a] + room[b]) / 2 + GAP + 1 for a, b in pairwise(row)]
            found.update(zip(row, apart(wanted, gaps), strict=True))
    return found


def apart(wanted: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Places at least so far apart, in this order, as near to those that are wanted as can be: the
    least squares by pooling neighbours (Ayer et al., Annals of Mathematical Statistics 26, 1955).

    >>> apart([5, 5, 20], [4, 4])
    [3.0, 7.0, 20.0]
    """
    offsets = list(accumulate(gaps, initial=0.0))
    blocks: list[tuple[float, int]] = []
    for place, offset in zip(wanted, offsets, strict=True):
        total, size = place - offset, 1
        while blocks and blocks[-1][0] * size >= total * blocks[-1][1]:
            before, more = blocks.pop()
            total, size = total + before, size + more
        blocks.append((total, size))
    pooled = [total / size for total, size in blocks for _ in range(size)]
    return [place + offset for place, offset in zip(pooled, offsets, strict=True)]


class Labels:
    """Where names of moves are written: on their lines, not on boxes nor on each other where there
    is room. `crowded`: how many of them lie on something."""

    def __init__(self) -> None:
        self.crowded = 0
        self._taken: dict[int, list[tuple[int, int, int]]] = {}

    def keep_off(self, corner: Point, width: int, height: int) -> None:
        """Write nothing on a box with this upper left corner."""
        (x, y) = corner
        for at in range(y, y + height + LINE, LINE):
            self._take((x, min(at, y + height + LINE - 4)), x + width)

    def place(self, start: Point, end: Point, width: int) -> Point:
        """The middle of the lower side of a name so wide on a line."""
        spots = [
            (round(a + part * (b - a)), round(c + part * (d - c)))
            for (a, c), (b, d) in [(start, end)]
            for part in PARTS
        ]
        free = next((spot for spot in spots if self._is_free(spot, width)), None)
        self.crowded += free is None
        x, y = free or spots[0]
        self._take((x - width // 2, y), x + width // 2)
        return x, y

    def _take(self, start: Point, right: int) -> None:
        left, y = start
        self._taken.setdefault(y // LINE, []).append((y, left, right))

    def _is_free(self, spot: Point, width: int) -> bool:
        (x, y), half = spot, width // 2 + LETTER // 2
        near = [own for row in (-1, 0, 1) for own in self._taken.get(y // LINE + row, ())]
        return all(abs(y - at) >= LINE or b < x - half or x + half < a for at, a, b in near)
