"""Piecewise linear functions of the temperature t ≥ −1, constant after their last vertex."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

Vertex = tuple[Fraction, Fraction]
"""A temperature and the value there."""

Wall = tuple[Vertex, ...]
"""Vertices by rising temperature, the first at −1."""


def _temperature(vertex: Vertex) -> Fraction:
    return vertex[0]


def at(wall: Wall, t: Fraction) -> Fraction:
    """The value at a temperature, which is −1 at least."""
    place = bisect_left(wall, t, key=_temperature)
    if place == len(wall):
        return wall[-1][1]
    after = wall[place]
    if after[0] == t:
        return after[1]
    before = wall[place - 1]
    share = (t - before[0]) / (after[0] - before[0])
    return before[1] + share * (after[1] - before[1])


def highest(walls: list[Wall]) -> Wall:
    """The greater value at each temperature."""
    best = walls[0]
    for wall in walls[1:]:
        best = best if wall == best else _higher(best, wall)
    return best


def lowest(walls: list[Wall]) -> Wall:
    """The least value at each temperature."""
    return _turned(highest([_turned(wall) for wall in walls]))


def _turned(wall: Wall) -> Wall:
    return tuple((t, -v) for t, v in wall)


def _higher(f: Wall, g: Wall) -> Wall:
    temperatures = sorted({t for t, _ in f} | {t for t, _ in g})
    found: list[Vertex] = []
    gap = Fraction(0)
    for t in temperatures:
        here = at(f, t) - at(g, t)
        if here * gap < 0:
            crossing = found[-1][0] + (t - found[-1][0]) * gap / (gap - here)
            found.append((crossing, at(f, crossing)))
        found.append((t, max(at(f, t), at(g, t))))
        gap = here
    return straight(found)


def straight(vertices: list[Vertex]) -> Wall:
    """The same function, without vertices at which it does not bend."""
    found: list[Vertex] = []
    for t, v in vertices:
        while len(found) > 1:
            (a, x), (b, y) = found[-2:]
            if (y - x) * (t - b) != (v - y) * (b - a):
                break
            found.pop()
        found.append((t, v))
    while len(found) > 1 and found[-1][1] == found[-2][1]:
        found.pop()
    return tuple(found)


def tilted(wall: Wall, slope: int, until: Fraction) -> Wall:
    """The function plus slope · t, up to a temperature, and constant from there."""
    points = [vertex for vertex in wall if vertex[0] < until] + [(until, at(wall, until))]
    return straight([(t, v + slope * t) for t, v in points])
