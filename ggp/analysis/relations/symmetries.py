"""Symmetries: permutations of fluents and moves that map the ground rules to themselves.

The net is written as a coloured graph whose automorphisms are the symmetries of the rules, and a
library finds them (bliss: Junttila and Kaski, ALENEX 2007, by way of igraph). Each is checked
against the net before it is reported. Rules that are written without regard to a symmetry of the
game may hide it, so that there may be more than are found.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any

from ggp.analysis.evidence import Evidence
from ggp.analysis.finding import Finding
from ggp.ground import Marker, Net

MAX_LITERALS, MAX_INPUTS = 150_000, 1_000
"""Literals of nets whose symmetries are looked for, and their fluents and moves: the library cannot
be stopped, and has one generator for each of many things alike."""

Permutation = tuple[int, ...]
"""The images of nodes of the net up to its first gate, by node; entry 0 is unused."""


@dataclass(frozen=True)
class Symmetries(Evidence):
    """Generators of a group, each as the fluents that it moves with where they go."""

    generators: tuple[Mapping[str, str], ...]

    def as_json(self) -> dict[str, Any]:
        """The evidence as plain data."""
        return {
            "kind": "symmetries",
            "why": self.why,
            "generators": [dict(generator) for generator in self.generators],
        }


@dataclass(frozen=True)
class SymmetryGroup:
    """A group of symmetries: how many there are, and some that make all of them."""

    order: int
    generators: tuple[Permutation, ...]


NO_IGRAPH = "igraph is not installed: pip install 'ggp[symmetry]'"
"""Why no symmetries are known without it."""


def igraph_or_none() -> Any:  # noqa: ANN401 - a module without types
    """The library, which is under the GPL and an extra therefore; None where it is not there.

    Of it only the part in machine code: all of it brings what draws graphs, which takes longer to
    import than most analyses take.
    """
    name = "igraph._igraph"
    package = find_spec("igraph")
    if package is None:
        return None
    if name in sys.modules:
        return sys.modules[name]
    try:
        spec = PathFinder.find_spec(name, package.submodule_search_locations)
        if spec is None or spec.loader is None:
            return importlib.import_module("igraph")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError:
        return None
    return sys.modules.setdefault(name, module)


def symmetries(
    net: Net, marker: Marker | None = None, *, exchange: bool = False
) -> SymmetryGroup | None:
    """The symmetries of a net that keep each role and the initial state.

    With `exchange` the roles may change places as well, and the turn with them: whose turn it is
    at first does not count. None where the net is too large, its rules of a state depend on
    themselves, or the library is not installed.
    """
    igraph = igraph_or_none()
    if igraph is None:
        return None
    is_large = net.literals > MAX_LITERALS or net.first_gate > MAX_INPUTS
    if is_large or net.recursive:
        return None
    graph = _Graph()
    _build(net, graph, marker.mask if exchange and marker else 0, exchange=exchange)
    coloured = igraph.GraphBase(len(graph.colours), graph.edges)
    names = {name: n for n, name in enumerate(dict.fromkeys(graph.colours))}
    colours = [names[colour] for colour in graph.colours]
    try:
        found = coloured.automorphism_group(color=colours)
        order = int(coloured.count_automorphisms(color=colours))
    except SystemError as error:
        # So the library says that a signal's handler raised within it.
        if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise
    inputs = range(net.first_gate)
    back = {vertex: node for node, vertex in graph.of_node.items()}
    generators = tuple(
        (0, *(back[images[graph.of_node[n]]] for n in inputs if n)) for images in found
    )
    for generator in generators:
        assert is_symmetry(net, generator, marker.mask if exchange and marker else 0)
    return SymmetryGroup(order, generators)


def elements(generators: Iterable[Permutation], most: int) -> list[Permutation]:
    """All products of some permutations, the identity first.

    Generators with which there would be more than `most` are left out, so that what is given is a
    subgroup then.
    """
    listed = list(generators)
    found: list[Permutation] = [tuple(range(len(own))) for own in listed[:1]]
    used: list[Permutation] = []
    for generator in listed:
        start = found[0]
        grown, todo = {start}, [start]
        while todo and len(grown) <= most:
            before = todo.pop()
            for own in (*used, generator):
                product = tuple(own[node] for node in before)
                if product not in grown:
                    grown.add(product)
                    todo.append(product)
        if len(grown) <= most:
            used.append(generator)
            found = sorted(grown)
    return found


class _Graph:
    """Vertices with colours, and edges; `of_node` has the vertex of each node of the net."""

    def __init__(self) -> None:
        self.colours: list[object] = []
        self.edges: list[tuple[int, int]] = []
        self.of_node: dict[int, int] = {}
        self._known: dict[object, int] = {}

    def new(self, colour: object, *neighbours: int) -> int:
        """A new vertex, joined to some others."""
        self.colours.append(colour)
        vertex = len(self.colours) - 1
        self.edges += [(vertex, other) for other in neighbours]
        return vertex

    def same(self, colour: object, neighbours: Iterable[int]) -> int:
        """The vertex of this colour that is joined to just these, which there is once only."""
        joined = tuple(sorted(set(neighbours)))
        key = colour, joined
        if key not in self._known:
            self._known[key] = self.new(colour, *joined)
        return self._known[key]

    def literal(self, x: int) -> int:
        """The vertex of a literal of the net."""
        vertex = self.of_node[abs(x)]
        return vertex if x > 0 else self.same("not", [vertex])


def _build(net: Net, graph: _Graph, unmarked: int, *, exchange: bool) -> None:
    graph.of_node[1] = graph.new("true")
    roles = [graph.new("role" if exchange else ("role", i)) for i in range(len(net.roles))]
    for i in range(len(net.fluents)):
        colour = "turn" if unmarked >> i & 1 else ("fluent", i in net.initial)
        graph.of_node[net.first_fluent + i] = graph.new(colour)
    place = net.first_move
    for role, moves in zip(roles, net.moves, strict=True):
        for _ in moves:
            graph.of_node[place] = graph.new("move", role)
            place += 1
    for node in range(net.first_gate, net.size + 1):
        bodies = [graph.same("all", map(graph.literal, body)) for body in net.bodies(node)]
        graph.of_node[node] = graph.same("some", [graph.same("one of", bodies)])
    for i, x in enumerate(net.next):
        arrow = graph.new("next", graph.of_node[net.first_fluent + i])
        graph.new("becomes", arrow, graph.literal(x))
    for i, x in enumerate(net.legal):
        arrow = graph.new("legal", graph.of_node[net.first_move + i])
        graph.new("if", arrow, graph.literal(x))
    graph.new("end", graph.literal(net.terminal))
    for role, known in zip(roles, net.goals, strict=True):
        for value, x in known:
            graph.new(("goal", value), role, graph.literal(x))
    for role, seen in zip(roles, net.sees, strict=True):
        for percept, x in seen:
            graph.new(("sees", str(percept)), role, graph.literal(x))


def is_symmetry(net: Net, images: Permutation, unmarked: int = 0) -> bool:
    """Whether a permutation of fluents and moves maps the net to itself, roles perhaps exchanged.

    Gates are mapped along with what they depend on, and found again by that. `unmarked`: fluents
    (as bits) whose first values do not count.
    """
    fluents = range(net.first_fluent, net.first_move)
    moves = range(net.first_move, net.first_gate)
    if sorted(images[1:]) != list(range(1, net.first_gate)) or images[1] != 1:
        return False
    if any(images[n] not in fluents for n in fluents):
        return False
    role_of = [r for r, own in enumerate(net.moves) for _ in own]
    roles: dict[int, int] = {}
    for n in moves:
        own, other = role_of[n - net.first_move], role_of[images[n] - net.first_move]
        if roles.setdefault(own, other) != other:
            return False
    table: dict[object, int] = {}
    key, image = _names(net, None, table), _names(net, images, table)
    if any(
        (n - net.first_fluent in net.initial) != (images[n] - net.first_fluent in net.initial)
        for n in fluents
        if not unmarked >> (n - net.first_fluent) & 1
    ):
        return False
    for n in fluents:
        after = net.next[images[n] - net.first_fluent]
        if image(net.next[n - net.first_fluent]) != key(after):
            return False
    for n in moves:
        if image(net.legal[n - net.first_move]) != key(net.legal[images[n] - net.first_move]):
            return False
    idle = [role for role, own in enumerate(net.moves) if not own]
    here, there = _of_roles(net, image), _of_roles(net, key)
    if any(here[role] != there[other] for role, other in roles.items()):
        return False
    # Of roles without moves no input tells which is which.
    if Counter(here[role] for role in idle) != Counter(there[role] for role in idle):
        return False
    return image(net.terminal) == key(net.terminal)


def _of_roles(net: Net, name: Callable[[int], int]) -> list[object]:
    """What each role has and sees, by the names of literals."""
    return [
        (
            tuple((value, name(x)) for value, x in known),
            frozenset((str(percept), name(x)) for percept, x in seen),
        )
        for known, seen in zip(net.goals, net.sees, strict=True)
    ]


def _names(
    net: Net, images: Sequence[int] | None, table: dict[object, int]
) -> Callable[[int], int]:
    """A name for each literal such that functions that are written alike have the same.

    With `images` of the literal with its inputs so replaced. `table` has the names so far.
    """
    names = [0] * (net.size + 1)
    for node in range(1, net.first_gate):
        names[node] = node if images is None else images[node]

    def of(x: int) -> int:
        return names[x] if x > 0 else -names[-x]

    for node in range(net.first_gate, net.size + 1):
        body = frozenset(frozenset(map(of, literals)) for literals in net.bodies(node))
        names[node] = table.setdefault(body, net.first_gate + len(table))
    return of


def symmetric(net: Net, marker: Marker | None) -> list[Finding]:
    """How many symmetries the rules have, and whether some exchange the roles."""
    if igraph_or_none() is None:
        return [Finding("symmetries", None, "unknown", Evidence(NO_IGRAPH))]
    own = symmetries(net)
    if own is None:
        return []
    shown = tuple(_cycles(net, generator) for generator in own.generators)
    if own.order == 1:
        why = "only the identity maps the rules as they are written to themselves"
    else:
        why = f"{own.order:,} permutations of fluents and moves map the rules to themselves"
    found = [Finding("symmetries", own.order, "proved", Symmetries(why, shown))]
    both = symmetries(net, marker, exchange=True) if len(net.roles) > 1 else None
    if both is not None:
        swaps = [g for g in both.generators if not _keeps_roles(net, g)]
        if swaps:
            why = "up to a symmetry that exchanges roles each can do what the other can"
            evidence = Symmetries(why, tuple(_cycles(net, g) for g in swaps))
            found.append(Finding("roles_exchangeable", True, "proved", evidence))
    return found


def _keeps_roles(net: Net, images: Permutation) -> bool:
    role_of = [r for r, own in enumerate(net.moves) for _ in own]
    first = net.first_move
    return all(
        role_of[n - first] == role_of[images[n] - first] for n in range(first, net.first_gate)
    )


def _cycles(net: Net, images: Permutation) -> dict[str, str]:
    """The fluents that are moved, with where they go."""
    first = net.first_fluent
    moved = [n for n in range(first, net.first_move) if images[n] != n]
    return {str(net.fluents[n - first]): str(net.fluents[images[n] - first]) for n in moved}
