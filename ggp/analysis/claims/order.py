"""The order of turns: whether they go round all roles in one fixed circle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Handed = tuple[int, int]
"""A role that had the turn, and the one that has it next."""


def out_of_order(steps: Iterable[Handed], roles: Sequence[str]) -> tuple[str, list[Handed]] | None:
    """Why turns that were handed on so do not go round all roles in one circle, and the steps that
    show it; None if they may, as far as these steps tell."""
    after: dict[int, int] = {}
    before: dict[int, int] = {}
    for first, second in steps:
        if first == second:
            return f"{roles[first]} is to move twice running", [(first, second)]
        other = after.setdefault(first, second)
        if other != second:
            why = f"after {roles[first]}'s turn comes {roles[other]}'s, and {roles[second]}'s"
            return f"{why} at another time", [(first, other), (first, second)]
        other = before.setdefault(second, first)
        if other != first:
            why = f"it is {roles[second]}'s turn after {roles[other]} and after {roles[first]}"
            return why, [(other, second), (first, second)]
    for start in after:
        circle, place = [start], after[start]
        while place != start and place in after:
            circle.append(place)
            place = after[place]
        if place == start and len(circle) < len(roles):
            why = f"the turn goes round {', '.join(roles[r] for r in circle)} only"
            return why, [(r, after[r]) for r in circle]
    return None
