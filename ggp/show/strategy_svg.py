"""A strategy as a picture: positions in rows by the moves made, the player's own shaded.

Each position is a small board where the game has one, else the facts that tell it from the others.
No part of the picture has a name,
beside its title and description, so that a page can hold many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from xml.etree.ElementTree import Element, SubElement, tostring

from ggp.errors import LimitReached
from ggp.game import State
from ggp.kif import Term
from ggp.show.layers import BETWEEN, GAP, LETTER, LINE, Edge, Labels, Point, places_of, rows_of
from ggp.show.pictures import Alt, labelled, literal
from ggp.show.scenes import scenes_of
from ggp.solver import Strategy
from ggp.solver.strategy import Subtree

MAX_POSITIONS, MAX_PLACES = 400, 30_000
"""Positions of a picture; places of all boards in it, beyond which facts are written."""

MAX_PIXELS = 8_000
"""Width and height that a picture asks for; what is larger is made smaller as a whole."""

LINES, LETTERS, MAX_TOLD = 12, 40, 400
"""Facts that are written in one box, letters of one, and of all that is told of a position."""

FARTHER = (140, 200, 280, 400)
"""Pixels between rows, tried one after the other where names of moves would lie on each other."""

PAD = 7
"""Pixels within boxes."""

OWN, OTHER, INK = "#cfe6f5", "#f4f4f4", "#555"
"""Colours of boxes and lines."""


@dataclass(frozen=True)
class Node:
    """What is drawn of a position: a board that is so large, or none; lines below it; in words."""

    lines: list[str]
    board: Element | None = None
    size: tuple[float, float] = (0, 0)
    told: str = ""

    @property
    def width(self) -> int:
        """Pixels from side to side."""
        letters = max(map(len, self.lines), default=0) * LETTER
        return int(max(self.size[0], letters)) + 2 * PAD

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        lines = len(self.lines) if self.board is not None else max(1, len(self.lines))
        gap = 10 if self.board is None else 2 * PAD
        return int(self.size[1]) + lines * LINE + gap


def strategy_svg(strategy: Subtree[State, Term]) -> str:
    """The picture, of a strategy or a graph of plays.

    Raises `LimitReached` for more than `MAX_POSITIONS`.
    """
    states = list(strategy.edges)
    if len(states) > MAX_POSITIONS:
        many = f"{len(states):,} positions are too many for a picture"
        raise LimitReached("positions", MAX_POSITIONS, many)
    nodes, key = _drawn(states)
    number = {state: i for i, state in enumerate(states)}
    edges = [
        (number[state], number[after], str(move))
        for state, moves in strategy.edges.items()
        for move, after in moves
    ]
    rows = rows_of(len(states), number[strategy.root], edges)
    room = [node.width for node in nodes]
    for _, target, move in edges:
        room[target] = max(room[target], len(literal(move, LETTERS)) * LETTER)
    heights = [node.height for node in nodes]
    for between in (BETWEEN, *FARTHER):
        places, width, height = places_of(rows, heights, room, edges, between)
        labels = _labels(places, nodes)
        whole = Element("g")
        _add_edges(whole, edges, places, nodes, labels)
        if not labels.crowded:
            break
    own = {number[state] for state in strategy.choice}
    for i, node in enumerate(nodes):
        whole.append(_box(node, places[i], OWN if i in own else OTHER))
    below = _key(strategy.player, key)
    below.element.set("transform", f"translate({GAP} {height})")
    whole.append(below.element)
    root = _root(max(width, int(below.size[0]) + 2 * GAP), height + int(below.size[1]) + GAP)
    root.append(whole)
    about = f"{len(states):,} positions in rows by moves, the player's own shaded"
    what = "strategy" if isinstance(strategy, Strategy) else "plays"
    alt = Alt(f"{what} of {strategy.player}", f"{about}; at the start: {strategy.root}")
    return labelled(tostring(root, encoding="unicode") + "\n", alt)


def _root(width: int, height: int) -> Element:
    """A picture of so many pixels, with its ground."""
    scale = min(1, MAX_PIXELS / max(width, height))
    own = {
        "xmlns": "http://www.w3.org/2000/svg",
        "width": f"{int(width * scale)}",
        "height": f"{int(height * scale)}",
        "viewBox": f"0 0 {width} {height}",
        "font-family": "monospace",
        "font-size": "12",
    }
    root = Element("svg", own)
    _add(root, "rect", width=width, height=height, fill="#fff")
    return root


def _add(parent: Element, tag: str, text: str | None = None, /, **attributes: object) -> Element:
    """A part of the picture; `_` of a name stands for `-`."""
    own = {name.replace("_", "-"): str(value) for name, value in attributes.items()}
    made = SubElement(parent, tag, own)
    made.text = text
    return made


def _labels(places: Mapping[int, Point], nodes: Sequence[Node]) -> Labels:
    """Names of moves, which keep off the boxes."""
    labels = Labels()
    for i, (x, y) in places.items():
        labels.keep_off((x - nodes[i].width // 2, y), nodes[i].width, nodes[i].height)
    return labels


def _add_edges(
    whole: Element,
    edges: Iterable[Edge],
    places: Mapping[int, tuple[int, int]],
    nodes: Sequence[Node],
    labels: Labels,
) -> None:
    """All moves: lines with arrow heads, and above all of these their names."""
    names, heads = Element("g"), []
    for source, target, move in edges:
        (x1, y1), (x2, y2) = places[source], places[target]
        down = y2 > y1
        start = y1 + (nodes[source].height if down else 0)
        end = y2 + (0 if down else nodes[target].height)
        _add(whole, "line", x1=x1, y1=start, x2=x2, y2=end, stroke=INK)
        heads.append(_head((x1, start), (x2, end)))
        shown = literal(move, LETTERS)
        x, y = labels.place((x1, start), (x2, end), len(shown) * LETTER)
        # Below the text the same in white: not all that draw pictures know of `paint-order`.
        for look in ({"stroke": "#fff", "stroke_width": 3}, {"fill": "#222"}):
            _add(names, "text", shown, x=x, y=y, text_anchor="middle", **look)
    _add(whole, "path", d="".join(heads), fill=INK)
    whole.append(names)


def _head(start: tuple[int, int], end: tuple[int, int]) -> str:
    """The head of an arrow as a part of a path."""
    (x1, y1), (x, y) = start, end
    long = (hypot(x - x1, y - y1) or 1) / 7
    dx, dy = (x - x1) / long, (y - y1) / long
    return f"M{x} {y}L{x - dx - dy / 2:.1f} {y - dy + dx / 2:.1f}l{dy:.1f} {-dx:.1f}z"


def _box(node: Node, at: tuple[int, int], fill: str) -> Element:
    """A position: its board, and what no board shows; all of it in words as a title."""
    (x, y), wide = at, node.width
    made = Element("g")
    if node.told:
        _add(made, "title", node.told)
    size = {"width": wide, "height": node.height, "rx": 4}
    _add(made, "rect", x=x - wide // 2, y=y, **size, fill=fill, stroke=INK)
    if node.board is not None:
        moved = f"translate({x - node.size[0] / 2:g} {y + PAD})"
        _add(made, "g", transform=moved).append(node.board)
        y += int(node.size[1]) + PAD
    for k, line in enumerate(node.lines):
        _add(made, "text", line, x=x, y=y + (k + 1) * LINE, text_anchor="middle")
    return made


@dataclass(frozen=True)
class Key:
    """What explains a picture, of a size in pixels."""

    element: Element
    size: tuple[float, float]


def _key(player: str, marks: Key | None) -> Key:
    """What shaded boxes and marks of boards mean."""
    told = f"{literal(player, LETTERS)} moves"
    made = Element("g")
    _add(made, "rect", x=0, y=2, width=14, height=14, fill=OWN, stroke=INK)
    _add(made, "text", told, x=22, y=14, fill="#222")
    width, height = 22.0 + len(told) * LETTER, 20.0
    if marks is not None:
        moved = _add(made, "g", transform=f"translate(0 {height + 4:g})")
        moved.append(marks.element)
        width, height = max(width, marks.size[0]), height + 4 + marks.size[1]
    return Key(made, (width, height))


def _drawn(states: Sequence[State]) -> tuple[list[Node], Key | None]:
    """What is drawn of each state, and what its marks mean."""
    found = scenes_of(states)
    if found:
        # Imported here: who asks for no picture does without.
        from ggp.show.board import described
        from ggp.show.thumbnails import legend, size_of, thumbnail

        scenes = [found[state] for state in states]
        fits = sum(map(size_of, scenes)) <= MAX_PLACES
        boxes = [thumbnail(scene) for scene in scenes] if fits else []
        lines = _told_apart(
            [[*(f"{name} {value}" for name, value in s.values), *s.facts] for s in scenes]
        )
        nodes = [
            Node(own, box.element, (box.width, box.height), literal(described(scene), MAX_TOLD))
            for own, box, scene in zip(lines, boxes, scenes, strict=fits)
            if box is not None
        ]
        if len(nodes) == len(states):
            key = legend(scenes, 640)
            return nodes, Key(key.element, (key.width, key.height)) if key else None
    return [Node(own) for own in _told_apart([list(map(str, s.facts)) for s in states])], None


def _told_apart(texts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Of what is told of each position what is not told of all of them."""
    common = set.intersection(*map(set, texts)) if len(texts) > 1 else set[str]()
    found = []
    for own in texts:
        lines = [literal(text, LETTERS) for text in own if text not in common]
        found.append(lines if len(lines) <= LINES else [*lines[: LINES - 1], "…"])
    return found
