"""The subtraction graph of a heap: its sizes with their nim-values, and what can be taken."""

from __future__ import annotations

from ggp.analysis import Heap
from ggp.text import plain

MAX_SIZES = 200
"""Sizes of a heap that are drawn."""

STEP, RADIUS = 44, 16
"""Of the picture, in pixels."""


def subtraction_edges(heap: Heap) -> list[tuple[int, int]]:
    """From which size to which each move leads, for the sizes that arise and are drawn."""
    return [(n, n - d) for n, amounts in heap.takes.items() if n <= MAX_SIZES for d in amounts]


def subtraction_dot(heap: Heap) -> str:
    """The graph in the DOT language: a node for each size, an edge for each move."""
    lines = ["digraph heap {", "  rankdir=RL;", "  node [shape=circle];"]
    for n in heap.takes:
        if n <= MAX_SIZES:
            shape = ", shape=doublecircle" if n == heap.size else ""
            lines.append(f'  {n} [label="{n}\\n*{heap.nim_value(n)}"{shape}];')
    lines += [f"  {a} -> {b};" for a, b in subtraction_edges(heap)]
    return "\n".join([*lines, "}", ""])


def subtraction_svg(heap: Heap) -> str:
    """The graph as a picture: sizes on a line, each with its nim-value below, moves as arcs."""
    sizes = [n for n in heap.takes if n <= MAX_SIZES]
    place = {n: STEP * (i + 1) for i, n in enumerate(sizes)}
    edges = subtraction_edges(heap)
    height = max((abs(place[a] - place[b]) for a, b in edges), default=STEP) // 2 + 3 * RADIUS
    width, base = STEP * (len(sizes) + 1), height
    title = plain(heap.pattern).replace("&", "&amp;").replace("<", "&lt;")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{base + 4 * RADIUS}" '
        'font-family="sans-serif" font-size="13" text-anchor="middle">',
        f"<title>{title}</title>",
        '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>',
    ]
    for a, b in edges:
        x, y = place[a], place[b]
        rise = abs(x - y) / 2
        parts.append(
            f'<path d="M{x} {base - RADIUS}A{rise:g} {rise:g} 0 0 0 {y} {base - RADIUS}" '
            'fill="none" stroke="#666" marker-end="url(#a)"/>'
        )
    for n in sizes:
        value = heap.nim_value(n)
        fill = "#dfd" if value == 0 else "#eef"
        parts.append(
            f'<circle cx="{place[n]}" cy="{base}" r="{RADIUS}" fill="{fill}" stroke="#000"/>'
        )
        parts.append(f'<text x="{place[n]}" y="{base + 5}">{n}</text>')
        parts.append(f'<text x="{place[n]}" y="{base + 2 * RADIUS + 4}">*{value}</text>')
    return "\n".join([*parts, "</svg>", ""])
