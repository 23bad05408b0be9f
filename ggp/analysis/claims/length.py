"""How long play lasts: cycles, the shortest and the longest play."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.evidence import Counterexample, Enumeration, loop_through
from ggp.analysis.finding import Finding, shown
from ggp.analysis.positions import Positions
from ggp.machine import Space
from ggp.machine.arrays import distinct

MAX_SOUGHT = 10_000
"""Positions that are looked at for a shorter cycle than the first one found."""


def reachable_states(positions: Positions) -> Finding:
    """The number of states of legal play."""
    count = len(positions.reachable)
    return Finding("reachable_states", count, "exhaustive", Enumeration("counted", count))


def longest_from(space: Space) -> NDArray[np.int32]:
    """The length of the longest play from each position, -1 where play can go on for ever.

    Positions are peeled off from the ends of play inward (Kahn 1962); the round in which one is
    peeled is its longest play.
    """
    first, order = space.reverse
    longest = np.full(len(space), -1, dtype=np.int32)
    pending = space.out_degree.copy()
    frontier = np.flatnonzero(pending == 0)
    length = 0
    while len(frontier):
        longest[frontier] = length
        edges = np.concatenate([order[first[p] : first[p + 1]] for p in frontier.tolist()])
        sources = space.source[edges]
        np.subtract.at(pending, sources, 1)
        touched = distinct(sources)
        frontier = touched[pending[touched] == 0]
        length += 1
    return longest


def cyclic(positions: Positions) -> Finding:
    """Whether some reachable state can be reached again from itself."""
    space = positions.reachable
    endless = longest_from(space) < 0
    if not endless.any():
        why = "no state can come up twice in a play"
        return Finding("cyclic", False, "exhaustive", Enumeration(why, len(space)))
    loop = _loop(space, endless)
    witnesses = [positions.witness(space, int(space.source[loop[0]]))]
    for edge in loop:
        witnesses.append(positions.after(space, witnesses[-1], edge))
    return shown("cyclic", True, loop_through(witnesses))


def _loop(space: Space, endless: NDArray[np.bool_]) -> list[int]:
    """Edges of a cycle in order: the shortest through a position that is met again when play always
    moves to where it can go on for ever, as far as `MAX_SOUGHT` positions tell."""
    place = int(np.flatnonzero(endless)[0])
    seen: dict[int, int] = {}
    while place not in seen:
        edge = next(edge for edge in space.edges(place) if endless[space.target[edge]])
        seen[place] = int(edge)
        place = int(space.target[edge])
    places = list(seen)
    walked = [seen[p] for p in places[places.index(place) :]]
    came_by: dict[int, int] = {}
    todo = deque([place])
    while todo and len(came_by) < MAX_SOUGHT:
        here = todo.popleft()
        for edge in map(int, space.edges(here)):
            after = int(space.target[edge])
            if after == place:
                found = [edge]
                while here != place:
                    found.append(came_by[here])
                    here = int(space.source[came_by[here]])
                return found[::-1]
            if endless[after] and after not in came_by:
                came_by[after] = edge
                todo.append(after)
    return walked


def terminating(positions: Positions) -> Finding:
    """Whether from every reachable state some play ends."""
    space = positions.reachable
    first, order = space.reverse
    ends = np.zeros(len(space), dtype=np.bool_)
    frontier = np.flatnonzero(space.terminal)
    while len(frontier):
        ends[frontier] = True
        edges = np.concatenate([order[first[p] : first[p + 1]] for p in frontier.tolist()])
        sources = distinct(space.source[edges])
        frontier = sources[~ends[sources]]
    if ends.all():
        why = "from every state some play ends"
        return Finding("terminating", True, "exhaustive", Enumeration(why, len(space)))
    lost = np.flatnonzero(~ends)
    witness = positions.witness(space, int(lost[space.depth[lost].argmin()]))
    why = "from this state no play ends"
    return shown("terminating", False, Counterexample(why, (witness,)))


def shortest_play(positions: Positions) -> Finding:
    """The fewest moves in which play can end; None if it cannot."""
    space = positions.reachable
    depths = space.depth[space.terminal]
    value = int(depths.min()) if len(depths) else None
    why = "fewest moves to an end of play" if len(depths) else "no end of play can be reached"
    return Finding("shortest_play", value, "exhaustive", Enumeration(why, len(space)))


def longest_play(positions: Positions) -> Finding:
    """The most moves that play can last; None if there is no bound."""
    space = positions.reachable
    value = int(longest_from(space)[0])
    why = "most moves until an end of play" if value >= 0 else "play can go on for ever"
    evidence = Enumeration(why, len(space))
    return Finding("longest_play", value if value >= 0 else None, "exhaustive", evidence)
