"""Graphs drawn in rows: which node is in which row, and where; names of edges.

Rows are put in an order with few crossings by the barycentre method (Sugiyama, Tagawa and Toda,
IEEE Transactions on Systems, Man, and Cybernetics 11, 1981).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LETTER, LINE, GAP, BETWEEN = 7, 15, 16, 96
"""Pixels: a letter's width, a line's height, between boxes, between rows."""

PARTS = (0.7, 0.52, 0.34, 0.86, 0.2)
"""Of the way along a line: where the name of a move may be written. Nearer to where it leads first:
there the lines of one position are apart."""

SWEEPS = 6

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

    def mean(case: tuple[int, int]) -> float:
        own = [place[n] for n in near[case[1]] if n in place]
        return sum(own) / len(own) if own else case[0]

    return [node for _, node in sorted(enumerate(row), key=mean)]


def places_of(
    rows: Sequence[Sequence[int]], heights: Sequence[int], room: Sequence[int]
) -> tuple[dict[int, tuple[int, int]], int, int]:
    """The middle of the upper side of each box, which has so much `room` from left to right; width
    and height of all."""
    widths = [sum(room[i] + GAP for i in row) for row in rows]
    width = max(widths) + GAP
    places: dict[int, tuple[int, int]] = {}
    y = GAP
    for row, own in zip(rows, widths, strict=True):
        x = (width - own + GAP) // 2
        for i in row:
            places[i] = x + room[i] // 2, y
            x += room[i] + GAP
        y += max(heights[i] for i in row) + BETWEEN
    return places, width, y - BETWEEN + GAP


class Labels:
    """Where names of moves are written: on their lines, not on each other where there is room."""

    def __init__(self) -> None:
        self._taken: dict[int, list[tuple[int, int, int]]] = {}

    def place(self, start: tuple[int, int], end: tuple[int, int], width: int) -> tuple[int, int]:
        """The middle of the lower side of a name so wide on a line."""
        spots = [
            (round(a + part * (b - a)), round(c + part * (d - c)))
            for (a, c), (b, d) in [(start, end)]
            for part in PARTS
        ]
        x, y = next((spot for spot in spots if self._is_free(spot, width)), spots[0])
        self._taken.setdefault(y // LINE, []).append((y, x - width // 2, x + width // 2))
        return x, y

    def _is_free(self, spot: tuple[int, int], width: int) -> bool:
        (x, y), half = spot, width // 2 + LETTER // 2
        near = [own for row in (-1, 0, 1) for own in self._taken.get(y // LINE + row, ())]
        return all(abs(y - at) >= LINE or b < x - half or x + half < a for at, a, b in near)
