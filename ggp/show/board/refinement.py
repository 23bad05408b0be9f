"""Colour refinement: the vertices of a graph told apart by what they are joined to.

With those that stay alike told apart one by one it orders vertices by nothing but the graph, up to
its symmetries; of very regular graphs it takes some for symmetric that are not. (Cardon and
Crochemore, Partitioning a graph in O(|A| log |V|), Theoretical Computer Science 19, 1982.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

Colour = tuple[str, int]
"""What a vertex is at first; vertices of one colour are told apart by their edges alone."""

Labels = tuple[int, ...]


class ColouredGraph:
    """Vertices with colours, and edges with labels."""

    def __init__(self) -> None:
        self.colours: list[Colour] = []
        self.edges: list[list[tuple[int, int]]] = []

    def new(self, kind: str, number: int = 0) -> int:
        """A new vertex, of a colour."""
        self.colours.append((kind, number))
        self.edges.append([])
        return len(self.colours) - 1

    def join(self, one: int, other: int, label: int) -> None:
        """An edge, whose label is not 0: it tells one end from the other."""
        self.edges[one].append((-label, other))
        self.edges[other].append((label, one))


class Partition:
    """Classes of the vertices of a graph, with numbers that hang on no numbers of vertices."""

    def __init__(self, graph: ColouredGraph) -> None:
        self._edges = graph.edges
        self._classes: list[set[int]] = []
        self._of = [0] * len(graph.colours)
        by_colour: dict[Colour, set[int]] = {}
        for vertex, colour in enumerate(graph.colours):
            by_colour.setdefault(colour, set()).add(vertex)
        self._refine([self._add(by_colour[colour]) for colour in sorted(by_colour)])

    def number(self, vertex: int) -> int:
        """The number of the class of a vertex."""
        return self._of[vertex]

    def separate(self, vertices: Iterable[int]) -> None:
        """Give each of some vertices a class of its own, of those alike the earliest first."""
        left = self._alike(vertices)
        while left:
            first = min(left, key=self.number)
            number = self._of[first]
            self._classes[number].remove(first)
            self._add(self._classes[number])
            self._classes[number] = {first}
            self._refine([number])
            left = self._alike(left)

    def _alike(self, vertices: Iterable[int]) -> list[int]:
        return [vertex for vertex in vertices if len(self._classes[self._of[vertex]]) > 1]

    def _add(self, vertices: set[int]) -> int:
        number = len(self._classes)
        self._classes.append(vertices)
        for vertex in vertices:
            self._of[vertex] = number
        return number

    def _refine(self, numbers: Iterable[int]) -> None:
        """Split classes until all vertices of each are joined alike to those of any class."""
        waiting = deque(numbers)
        while waiting:
            met = self._met(waiting.popleft())
            for number in sorted(met):
                waiting += self._split(number, met[number])

    def _met(self, number: int) -> dict[int, dict[Labels, set[int]]]:
        """The vertices that are joined to a class, by their own class and the labels."""
        labels: dict[int, list[int]] = {}
        for vertex in self._classes[number]:
            for label, other in self._edges[vertex]:
                labels.setdefault(other, []).append(label)
        found: dict[int, dict[Labels, set[int]]] = {}
        for vertex, own in labels.items():
            kinds = found.setdefault(self._of[vertex], {})
            kinds.setdefault(tuple(sorted(own)), set()).add(vertex)
        return found

    def _split(self, number: int, kinds: dict[Labels, set[int]]) -> list[int]:
        """Split a class; the new ones. The largest keeps its number: what all of the others are
        joined to says what it is joined to, too."""
        rest = self._classes[number]
        parts = [kinds[labels] for labels in sorted(kinds)]
        for part in parts:
            rest -= part
        parts = [part for part in (rest, *parts) if part]
        largest = max(parts, key=len)
        self._classes[number] = largest
        return [self._add(part) for part in parts if part is not largest]
