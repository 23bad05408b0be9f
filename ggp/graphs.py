"""Strongly connected components, for relations and for gates alike; cycles; disjoint sets.

scipy has both, but every command would wait for it longer (0.4 s and more) than most sheets take to
read, and it does not promise the order of components that all who ask here rely on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeVar

Node = TypeVar("Node", bound=Hashable)


def strongly_connected_components(
    nodes: Iterable[Node], successors: Mapping[Node, Sequence[Node]]
) -> list[list[Node]]:
    """The components of a directed graph, each after all components that it leads to.

    Tarjan's algorithm (SIAM J. Comput. 1, 1972) with an explicit stack, linear in nodes and edges.
    Nodes without an entry in `successors` have none.
    """
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: list[Node] = []
    is_open: set[Node] = set()
    components: list[list[Node]] = []
    component: list[Node]
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        is_open.add(root)
        walk = [(root, iter(successors.get(root, ())))]
        while walk:
            node, rest = walk[-1]
            for child in rest:
                if child not in index:
                    index[child] = low[child] = len(index)
                    open_nodes.append(child)
                    is_open.add(child)
                    walk.append((child, iter(successors.get(child, ()))))
                    break
                if child in is_open:
                    low[node] = min(low[node], index[child])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while not component or component[-1] != node:
                        component.append(open_nodes.pop())
                    is_open.difference_update(component)
                    components.append(component)
    return components


def find_cycle(
    start: Node, goal: Node, successors: Mapping[Node, Iterable[Node]]
) -> list[Node] | None:
    """A shortest path from `start` to `goal` of at least one step, both ends included, or None."""
    came_from: dict[Node, Node] = {}
    frontier = [start]
    while frontier:
        following = []
        for node in frontier:
            for child in successors.get(node, ()):
                if child == goal:
                    path = [goal, node]
                    while path[-1] != start:
                        path.append(came_from[path[-1]])
                    return path[::-1]
                if child not in came_from and child != start:
                    came_from[child] = node
                    following.append(child)
        frontier = following
    return None


def has_cycle(successors: Mapping[Node, Iterable[Node]]) -> bool:
    """Whether one can come back to a node; nodes without an entry in `successors` have none."""
    try:
        TopologicalSorter(successors).prepare()
    except CycleError:
        return True
    return False


class Joined:
    """Disjoint sets (Tarjan 1975) of any hashable things."""

    def __init__(self) -> None:
        self._above: dict[Any, Any] = {}

    def find(self, item: Any) -> Any:  # noqa: ANN401
        """The set that an item is in, told by one of its items."""
        above = self._above
        while (parent := above.setdefault(item, item)) != item:
            above[item] = item = above.setdefault(parent, parent)
        return item

    def join(self, items: Iterable[Hashable]) -> None:
        """Make one set of the sets of some items."""
        items = iter(items)
        first = next(items, None)
        if first is not None:
            for item in items:
                self._above[self.find(item)] = self.find(first)
