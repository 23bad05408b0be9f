"""Positions as a graph of networkx (the extra `ggp[exchange]`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ggp.errors import InputError, LimitReached

if TYPE_CHECKING:
    from ggp.machine.space.space import Space

ATTRIBUTES = ("depth", "terminal", "goals", "facts")
"""What a node can tell of its position."""

MOST = 1_000_000
"""Nodes and edges together, unless another limit is given: some 400 bytes each."""

PART = 1 << 12
"""Positions looked at together."""


def network(space: Space, attributes: Collection[str], most: int) -> Any:  # noqa: ANN401 - a networkx.MultiDiGraph
    """The graph of `Space.networkx`, which says what it takes and raises."""
    try:
        import networkx
    except ImportError:
        raise InputError("graphs need networkx: pip install 'ggp[exchange]'") from None
    _require_known(attributes)
    count = len(space) + len(space.target)
    if count > most:
        raise LimitReached("graph", most, f"{count:,} nodes and edges")
    roles = tuple(map(str, space.machine.net.roles))
    graph = networkx.MultiDiGraph(roles=roles)
    for start in range(0, len(space), PART):
        graph.add_nodes_from(_nodes(space, start, min(start + PART, len(space)), attributes))
    graph.add_edges_from(_edges(space, roles))
    return graph


def _require_known(attributes: Collection[str]) -> None:
    if isinstance(attributes, str):
        raise TypeError('attributes are a list: networkx(attributes=["facts"])')
    unknown = sorted(set(attributes) - set(ATTRIBUTES))
    if unknown:
        raise InputError(f"no attribute {unknown[0]} (there are: {', '.join(ATTRIBUTES)})")


def _nodes(
    space: Space, start: int, stop: int, attributes: Collection[str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    net = space.machine.net
    roles = tuple(map(str, net.roles))
    held = None
    if "facts" in attributes:
        held = space.machine.coding.held(space.rows[start:stop])
    for place in range(start, stop):
        data: dict[str, Any] = {}
        if "depth" in attributes:
            data["depth"] = int(space.depth[place])
        if "terminal" in attributes:
            data["terminal"] = bool(space.terminal[place])
        if "goals" in attributes and space.terminal[place]:
            goals = zip(roles, space.goals[place].tolist(), strict=True)
            data["goals"] = {role: goal for role, goal in goals if goal >= 0}
        if held is not None:
            fluents = np.flatnonzero(held[place - start]).tolist()
            data["facts"] = tuple(str(net.fluents[i]) for i in fluents)
        yield place, data


def _edges(
    space: Space, roles: tuple[str, ...]
) -> Iterator[tuple[int, int, dict[str, dict[str, str]]]]:
    texts = [str(move) for moves in space.machine.net.moves for move in moves]
    for place in range(len(space)):
        for edge in space.edges(place):
            moves = (texts[number] for number in space.joint[edge].tolist())
            made = dict(zip(roles, moves, strict=True))
            yield place, int(space.target[edge]), {"moves": made}
