"""A strategy as a picture: positions in rows by the moves made, the player's own shaded.

Rows are put in an order with few crossings by the barycentre method (Sugiyama, Tagawa and Toda,
IEEE Transactions on Systems, Man, and Cybernetics 11, 1981).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from ggp.errors import InputError
from ggp.game import State
from ggp.kif import Term
from ggp.show.pictures import Alt, labelled
from ggp.solver import Strategy

MAX_POSITIONS = 400
"""Positions of a picture."""

LINES, LETTERS = 12, 40
"""Facts that are written in one box, and letters of one."""

LETTER, LINE, GAP, BETWEEN = 7, 15, 16, 62
"""Pixels: a letter's width, a line's height, between boxes, between rows."""

SWEEPS = 6


def strategy_svg(strategy: Strategy[State, Term]) -> str:
    """The picture; raises `InputError` for more than `MAX_POSITIONS`."""
    states = list(strategy.edges)
    if len(states) > MAX_POSITIONS:
        raise InputError(
            f"{len(states):,} positions are too many for a picture (at most {MAX_POSITIONS})"
        )
    labels = _labels(states)
    boxes = [
        (max(map(len, lines), default=0) * LETTER + 14, max(1, len(lines)) * LINE + 10)
        for lines in labels
    ]
    number = {state: i for i, state in enumerate(states)}
    edges = [
        (number[state], number[after], str(move))
        for state, moves in strategy.edges.items()
        for move, after in moves
    ]
    rows = _rows(len(states), number[strategy.root], edges)
    places, width, height = _places(rows, boxes)
    own = {number[state] for state in strategy.choice}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="monospace" font-size="12">',
        '<defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for source, target, _ in edges:
        (x1, y1), (x2, y2) = places[source], places[target]
        down = y2 > y1
        y1 += boxes[source][1] if down else 0
        y2 += 0 if down else boxes[target][1]
        parts.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#555" marker-end="url(#to)"/>'
        )
    for source, target, move in edges:
        (x1, y1), (x2, y2) = places[source], places[target]
        y1 += boxes[source][1]
        # Nearer to where it leads: labels of one position's moves do not lie on each other.
        x, y = (x1 + 2 * x2) // 3, (y1 + 2 * y2) // 3
        # Below the text the same in white: not all that draw pictures know of `paint-order`.
        shown = _escaped(move[:LETTERS])
        for look in ('stroke="#fff" stroke-width="3"', 'fill="#222"'):
            parts.append(f'<text x="{x}" y="{y}" text-anchor="middle" {look}>{shown}</text>')
    for i, lines in enumerate(labels):
        (x, y), (wide, high) = places[i], boxes[i]
        fill = "#cfe6f5" if i in own else "#f4f4f4"
        parts.append(
            f'<rect x="{x - wide // 2}" y="{y}" width="{wide}" height="{high}" rx="4" '
            f'fill="{fill}" stroke="#555"/>'
        )
        for k, line in enumerate(lines):
            parts.append(
                f'<text x="{x}" y="{y + (k + 1) * LINE}" text-anchor="middle">{_escaped(line)}'
                "</text>"
            )
    about = f"{len(states):,} positions in rows by moves, the player's own shaded"
    alt = Alt(f"strategy of {strategy.player}", f"{about}; at the start: {strategy.root}")
    return labelled("\n".join([*parts, "</svg>"]) + "\n", alt)


def _escaped(text: str) -> str:
    """Text of a sheet as text of XML, which has no place for control characters."""
    return escape("".join(c if c.isprintable() else "?" for c in text))


def _labels(states: Sequence[State]) -> list[list[str]]:
    """The facts of each state that do not hold in all of them."""
    facts = [list(map(str, state.facts)) for state in states]
    common = set.intersection(*map(set, facts)) if len(facts) > 1 else set()
    found = []
    for own in facts:
        lines = [fact[:LETTERS] for fact in own if fact not in common]
        found.append(lines if len(lines) <= LINES else [*lines[: LINES - 1], "…"])
    return found


def _rows(count: int, root: int, edges: Sequence[tuple[int, int, str]]) -> list[list[int]]:
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


def _places(
    rows: Sequence[Sequence[int]], boxes: Sequence[tuple[int, int]]
) -> tuple[dict[int, tuple[int, int]], int, int]:
    """The middle of the upper side of each box; width and height of all."""
    widths = [sum(boxes[i][0] + GAP for i in row) for row in rows]
    width = max(widths) + GAP
    places: dict[int, tuple[int, int]] = {}
    y = GAP
    for row, own in zip(rows, widths, strict=True):
        x = (width - own + GAP) // 2
        for i in row:
            places[i] = x + boxes[i][0] // 2, y
            x += boxes[i][0] + GAP
        y += max(boxes[i][1] for i in row) + BETWEEN
    return places, width, y - BETWEEN + GAP
