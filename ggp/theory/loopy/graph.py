"""Finite game graphs: built of positions and short games, simplified as forms, numbered alike.

A `Graph` starts at position 0. Positions without loops below them are known by their value and in
canonical form; no two positions have the same tree of play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ggp.theory.short import GameLimit, ShortGame
from ggp.theory.short.meter import METER

MOST_POSITIONS = 20_000

Side = tuple[int, ...]
Sides = Sequence[Iterable[int]] | Mapping[int, Iterable[int]]
"""The options of one player, by positions."""


class Graph(NamedTuple):
    """Left's and Right's options of each position, and the values of those without loops.

    Isomorphic graphs that `settled` gives are equal.
    """

    left: tuple[Side, ...]
    right: tuple[Side, ...]
    values: tuple[ShortGame | None, ...]

    def sides(self, place: int) -> tuple[Side, Side]:
        """The options of a position, Left's first."""
        return self.left[place], self.right[place]


class GraphDraft:
    """A graph that is being built: positions are added, then their options."""

    def __init__(self) -> None:
        self.left: list[list[int]] = []
        self.right: list[list[int]] = []
        self._short: dict[ShortGame, int] = {}

    def add(self) -> int:
        """A new position, without options as yet. Raises `GameLimit` past `MOST_POSITIONS`."""
        METER.get().make()
        if len(self.left) >= MOST_POSITIONS:
            raise GameLimit(f"a game graph has more than {MOST_POSITIONS:,} positions")
        self.left.append([])
        self.right.append([])
        return len(self.left) - 1

    def short(self, game: ShortGame) -> int:
        """The position of a short game; it and its followers are entered once."""
        todo = [game]
        while todo:
            now = todo[-1]
            if now in self._short:
                todo.pop()
                continue
            options = now.left, now.right
            missing = [g for side in options for g in side if g not in self._short]
            if len(todo) + len(missing) > MOST_POSITIONS:
                raise GameLimit(f"a game graph has more than {MOST_POSITIONS:,} positions")
            if missing:
                todo += missing
                continue
            place = self.add()
            self.left[place], self.right[place] = ([self._short[g] for g in s] for s in options)
            self._short[now] = place
        return self._short[game]

    def graph(self, other: Graph, start: int = 0) -> int:
        """The position that another graph starts at, all of which is entered."""
        first = len(self.left)
        for _ in other.left:
            self.add()
        for place, (left, right) in enumerate(zip(other.left, other.right, strict=True)):
            self.left[first + place] = [first + option for option in left]
            self.right[first + place] = [first + option for option in right]
        return first + start

    def settled(self, start: int) -> Graph:
        """What can be reached from a position, in short."""
        return settled(self.left, self.right, start)


def settled(left: Sides, right: Sides, start: int) -> Graph:
    """The graph of what can be reached from `start`: loop-free positions in canonical form, those
    with the same tree of play merged, numbered by nothing but their options."""
    values = _values(left, right, start)
    draft = GraphDraft()
    places = {place: draft.add() for place, value in values.items() if value is None}
    for place, value in values.items():
        if value is not None:
            places[place] = draft.short(value)
    for place, value in values.items():
        if value is None:
            new = places[place]
            draft.left[new] = [places[option] for option in left[place]]
            draft.right[new] = [places[option] for option in right[place]]
    return _numbered(draft.left, draft.right, places[start])


def reachable(left: Sides, right: Sides, start: int) -> list[int]:
    """The positions that moves of either player lead to, `start` first."""
    found, order = {start}, [start]
    for place in order:
        for option in (*left[place], *right[place]):
            if option not in found:
                found.add(option)
                order.append(option)
    METER.get().step(len(order))
    return order


def _values(left: Sides, right: Sides, start: int) -> dict[int, ShortGame | None]:
    """The positions that can be reached, with their values where there is no loop below."""
    order = reachable(left, right, start)
    values: dict[int, ShortGame | None] = dict.fromkeys(order)
    for place in finished(left, right, order):
        values[place] = ShortGame(
            [g for o in left[place] if (g := values[o]) is not None],
            [g for o in right[place] if (g := values[o]) is not None],
        )
    return values


def finished(left: Sides, right: Sides, places: Iterable[int]) -> Iterator[int]:
    """Those of the places below which there is no loop, each after its options."""
    waiting: dict[int, int] = {}
    before: dict[int, list[int]] = {}
    ready = []
    for place in places:
        options = {*left[place], *right[place]}
        waiting[place] = len(options)
        for option in options:
            before.setdefault(option, []).append(place)
        if not options:
            ready.append(place)
    while ready:
        place = ready.pop()
        yield place
        for other in before.get(place, ()):
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)


def _numbered(left: Sides, right: Sides, start: int) -> Graph:
    """The graph with positions of the same tree merged, in an order that only the trees decide.

    Colours tell which to merge, and again, when no two are the same, in which order they come.
    """
    for _ in range(2):
        colours = _colours(left, right, reachable(left, right, start))
        left, right = (
            {
                colour: tuple(sorted({colours[o] for o in side[place]}))
                for place, colour in colours.items()
            }
            for side in (left, right)
        )
        start = colours[start]
    order = reachable(left, right, start)
    places = {colour: place for place, colour in enumerate(order)}
    new_left, new_right = (
        tuple(tuple(places[o] for o in side[colour]) for colour in order) for side in (left, right)
    )
    values = _values(new_left, new_right, 0)
    return Graph(new_left, new_right, tuple(values[place] for place in range(len(order))))


def _colours(left: Sides, right: Sides, places: list[int]) -> dict[int, int]:
    """Colours that two positions share exactly if their trees of play are the same.

    Positions without a loop below are told apart at once, in order of their heights; the others
    by refinement. Isomorphic graphs are coloured alike.
    """
    heights: dict[int, int] = {}
    for place in finished(left, right, places):
        heights[place] = 1 + max((heights[o] for o in (*left[place], *right[place])), default=0)
    layers: dict[int, list[int]] = {}
    for place, height in heights.items():
        layers.setdefault(height, []).append(place)
    colours: dict[int, int] = {}
    for _, layer in sorted(layers.items()):
        signs = {place: _sign(left, right, colours, place) for place in layer}
        first = len(set(colours.values()))
        rank = {sign: first + n for n, sign in enumerate(sorted(set(signs.values())))}
        colours |= {place: rank[sign] for place, sign in signs.items()}
    _refine(left, right, colours, [place for place in places if place not in heights])
    return colours


Sign = tuple[Side, Side]


def _sign(left: Sides, right: Sides, colours: dict[int, int], place: int) -> Sign:
    """The colours of a position's options."""
    mine, yours = ({colours[o] for o in side[place]} for side in (left, right))
    return tuple(sorted(mine)), tuple(sorted(yours))


def _refine(left: Sides, right: Sides, colours: dict[int, int], loopy: list[int]) -> None:
    """Colour the positions that loop: at first alike, then apart where their options are.

    Of a colour that falls apart, the positions keep it whose options did not change, or else most.
    """
    before: dict[int, set[int]] = {place: set() for place in loopy}
    for place in loopy:
        for option in {*left[place], *right[place]} & before.keys():
            before[option].add(place)
    fresh = 1 + max(colours.values(), default=0)
    colours |= dict.fromkeys(loopy, fresh)
    sizes = {fresh: len(loopy)}
    touched = set(loopy)
    while touched:
        METER.get().step(len(touched))
        groups: dict[int, dict[Sign, list[int]]] = {}
        for place in touched:
            signs = groups.setdefault(colours[place], {})
            signs.setdefault(_sign(left, right, colours, place), []).append(place)
        changed = []
        for colour, signs in sorted(groups.items()):
            whole = sizes[colour] == sum(map(len, signs.values()))
            kept = min(signs, key=lambda sign: (-len(signs[sign]), sign)) if whole else None
            for sign in sorted(signs.keys() - {kept}):
                fresh += 1
                sizes[fresh] = len(signs[sign])
                sizes[colour] -= sizes[fresh]
                colours.update(dict.fromkeys(signs[sign], fresh))
                changed += signs[sign]
        touched = {other for place in changed for other in before[place]}


def follower(graph: Graph, place: int) -> Graph:
    """The graph that starts at another position."""
    return graph if place == 0 else settled(graph.left, graph.right, place)


def negative(graph: Graph) -> Graph:
    """The players change their places."""
    return settled(graph.right, graph.left, 0)


def total(g: Graph, h: Graph) -> Graph:
    """The sum: a player moves in one of the two. Raises `GameLimit` if it is too large."""
    draft = GraphDraft()
    places = {(0, 0): draft.add()}
    todo = [(0, 0)]

    def place(pair: tuple[int, int]) -> int:
        if pair not in places:
            places[pair] = draft.add()
            todo.append(pair)
        return places[pair]

    for a, b in todo:
        METER.get().step()
        for mine, yours, side in ((g.left, h.left, draft.left), (g.right, h.right, draft.right)):
            options = [(x, b) for x in mine[a]] + [(a, y) for y in yours[b]]
            side[places[a, b]] = [place(pair) for pair in options]
    return draft.settled(0)


def is_stopper(graph: Graph) -> bool:
    """Whether no endless play in turns is possible, from any position, whoever begins."""
    size = len(graph.left)
    turns = [[size + option for option in side] for side in graph.left]
    turns += [list(side) for side in graph.right]
    return sum(1 for _ in finished(turns, [()] * (2 * size), range(2 * size))) == 2 * size
