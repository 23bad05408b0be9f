"""Thermographs drawn: temperature upward, values of Left to the left, as in Winning Ways."""

from __future__ import annotations

from fractions import Fraction

from ggp.show.pictures import Alt, labelled
from ggp.theory import Thermograph

WIDTH, HEIGHT, EDGE = 480, 320, 48
"""Pixels of the picture, and of the margin around the walls."""

COLUMNS, ROWS = 60, 14
"""Characters across, and lines."""


def _heights(graph: Thermograph) -> list[Fraction]:
    """The temperatures at which a wall bends, and a little of the mast above."""
    bends = {t for wall in graph.vertices for t, _ in wall if t >= 0}
    bends |= {Fraction(0), graph.temperature} if graph.temperature > 0 else {Fraction(0)}
    top = max(bends)
    return [*sorted(bends), top + max(Fraction(1, 4), top / 4)]


def _points(graph: Thermograph) -> tuple[list[tuple[Fraction, Fraction]], ...]:
    """The left and the right wall: pairs of a value and a temperature."""
    heights = _heights(graph)
    left = [(graph.left_wall(t), t) for t in heights]
    return left, [(graph.right_wall(t), t) for t in heights]


def thermograph_alt(graph: Thermograph) -> Alt:
    """What the picture shows, in words."""
    told = f"mean {graph.mast}, temperature {graph.temperature}"
    told += f", stops {graph.left_wall(0)} and {graph.right_wall(0)}"
    walls = "; ".join(
        f"{name} wall " + ", ".join(f"{value} at {t}" for value, t in points)
        for name, points in zip(("left", "right"), _points(graph), strict=True)
    )
    return Alt(f"thermograph: {told}", f"Values by temperature: {walls}")


def thermograph_svg(graph: Thermograph) -> str:
    """The thermograph as a picture; of numbers and infinitesimals the mast alone."""
    left, right = _points(graph)
    values = [value for value, _ in (*left, *right)]
    top = left[-1][1]
    low, high = min(values) - Fraction(1, 2), max(values) + Fraction(1, 2)

    def place(value: Fraction, t: Fraction) -> str:
        x = EDGE + float((high - value) / (high - low)) * (WIDTH - 2 * EDGE)
        y = HEIGHT - EDGE - float(t / top) * (HEIGHT - 2 * EDGE)
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<polyline points="{place(high, Fraction(0))} {place(low, Fraction(0))}" fill="none" '
        'stroke="#999"/>',
    ]
    for wall, colour, dash in ((left, "#1f4e9c", ""), (right, "#b03030", "6 3")):
        points = " ".join(place(value, t) for value, t in wall)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dash or "none"}"/>'
        )
    marks = {left[0][0]: Fraction(0), right[0][0]: Fraction(0)}
    for value, t in marks.items():
        x, y = place(value, t).split(",")
        parts.append(f'<text x="{x}" y="{float(y) + 18:.1f}" text-anchor="middle">{value}</text>')
    _, y = place(graph.mast, max(graph.temperature, Fraction(0))).split(",")
    parts.append(f'<text x="4" y="{y}">{graph.temperature}</text>')
    parts.append(
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">value '
        "(Left to the left), temperature upward</text>"
    )
    return labelled("\n".join([*parts, "</svg>"]) + "\n", thermograph_alt(graph))


def thermograph_text(graph: Thermograph) -> str:
    """The thermograph in characters."""
    left, right = _points(graph)
    top = left[-1][1]
    values = [value for value, _ in (*left, *right)]
    low, high = min(values), max(values)
    span = (high - low) or Fraction(1)
    lines = []
    for row in range(ROWS, -1, -1):
        t = top * row / ROWS
        cells = [" "] * (COLUMNS + 1)
        walls = graph.left_wall(t), graph.right_wall(t)
        for value, mark in zip(walls, "\\/", strict=True):
            cells[round((high - value) / span * COLUMNS)] = "|" if walls[0] == walls[1] else mark
        lines.append(f"{float(t):>7.2f} {''.join(cells).rstrip()}")
    ends = f"{left[0][0]!s:<{COLUMNS // 2}}{right[0][0]!s:>{COLUMNS // 2}}"
    return "\n".join([*lines, f"{'':7} {ends}"])
