"""Loopy games as text, in the notation of CGSuite.

A game within itself is `pass` where it is an option of itself, else a letter before its brace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import count, product

from ggp.theory.loopy.graph import Graph, GraphDraft, follower, negative
from ggp.theory.loopy.value import Value, add, constant, sides_of
from ggp.theory.short import GameLimit, ShortGame
from ggp.theory.short.notation import MOST_CHARACTERS, UNICODE, told

LETTERS = "abcdefghijklmnopqrstuwxyz"
"""Names of games within themselves: `v` is down."""

WRITTEN = {
    "over": "over",
    "under": "under",
    "upon": "^[on]",
    "downon": "v[on]",
    "power": "^<on>",
    "downpower": "v<on>",
}
"""How the infinitesimals that loop are written, to which numbers and * may be added."""

THREATS = re.compile(r"(on|off|over|under)$")
"""The words of games for which tiny and miny are written as such."""


def text(value: Value, unicode: bool = False) -> str:
    """A game as text: a stopper by its simplest form, `s & t` by its sides, others by their form.

    Raises `GameLimit` past a million characters.
    """
    if value.short is not None:
        return value.short.text(unicode=unicode)
    if value.sides is None or value.is_stopper:
        assert value.form is not None
        return _Text(value.form, unicode).write()
    if value.sides == constant("dud").sides:
        return "dud"
    return " & ".join(_Text(side, unicode).write() for side in sides_of(value))


class _Text:
    """The writing of one graph."""

    def __init__(self, graph: Graph, unicode: bool) -> None:
        self._graph = graph
        self._unicode = unicode
        self._pieces: list[str | int] = []
        self._named: set[int] = set()
        self._length = 0
        self._known: dict[int, str | None] = {}

    def write(self) -> str:
        """All of the graph. An integer among the pieces stands for the name of the brace there."""
        opened: dict[int, int] = {}
        path: list[int] = []
        todo: list[str | int] = [0]
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                self._put(item)
                if item == "}":
                    del opened[path.pop()]
            elif item in opened:
                self._put("pass" if path[-1] == item else self._name(opened[item]))
            elif (known := self._whole(item)) is not None:
                self._put(known)
            else:
                opened[item] = len(self._pieces)
                path.append(item)
                self._put(opened[item])
                todo += reversed(self._inside(item, path))
        names = dict(zip(sorted(self._named), _names(), strict=False))
        return "".join(p if isinstance(p, str) else names.get(p, "") for p in self._pieces)

    def _put(self, piece: str | int) -> None:
        self._pieces.append(piece)
        self._length += len(piece) if isinstance(piece, str) else 3
        if self._length > MOST_CHARACTERS:
            raise GameLimit(f"the text of this game has more than {MOST_CHARACTERS:,} characters")

    def _name(self, opening: int) -> int:
        self._named.add(opening)
        return opening

    def _inside(self, place: int, path: list[int]) -> list[str | int]:
        """What stands within the braces of a position, with the braces."""
        sides: list[list[str | int]] = []
        for options in self._graph.sides(place):
            pieces: list[str | int] = []
            for option in self._in_order(options, path):
                pieces += [",", option]
            sides.append(pieces[1:])
        return ["{", *sides[0], "|", *sides[1], "}"]

    def _in_order(self, options: tuple[int, ...], path: list[int]) -> list[int]:
        """Short games, then those that do not stand within themselves; `pass` last."""
        short = {g: o for o in options if (g := self._graph.values[o]) is not None}
        first = [short[ShortGame._of(g)] for g in told(tuple(g._id for g in short))]
        others = [option for option in options if self._graph.values[option] is None]
        return first + sorted(others, key=lambda o: (path.index(o) if o in path else -1, o))

    def _whole(self, place: int) -> str | None:
        """The text of a position that needs no braces."""
        short = self._graph.values[place]
        if short is not None:
            return short.text(unicode=self._unicode)
        if place not in self._known:
            found = _word(follower(self._graph, place))
            if found and self._unicode:
                found = _in_unicode(found)
            self._known[place] = found
        return self._known[place]


def _names() -> Iterator[str]:
    """a, b, …, z, a1, b1, …"""
    for number in count():
        for letter in LETTERS:
            yield f"{letter}{number or ''}"


def _in_unicode(word: str) -> str:
    for plain, sign in {**UNICODE, "v": "v", "v[": "↓[", "v<": "↓<"}.items():
        word = word.replace(plain, sign)
    return word


@lru_cache(maxsize=1_000)
def _word(graph: Graph) -> str | None:
    """A stopper's own name: on, off, number and infinitesimal, tiny or miny of such."""
    for name in ("on", "off"):
        if graph == constant(name).form:
            return name
    loops = graph.values.count(None)
    for x in _numbers(graph):
        for form, written in _infinitesimals():
            if loops == form.values.count(None) and graph == _moved(form, x):
                return (str(x) if x != 0 else "") + written
    for turned, name in ((graph, "Tiny"), (negative(graph), "Miny")):
        threat = _threat(turned)
        if threat and (found := _word(threat)) and THREATS.search(found):
            return f"{name}({found})"
    return None


def _numbers(graph: Graph) -> list[ShortGame]:
    """The numbers that a game may be infinitesimally close to: those next to its short options."""
    found = []
    for option in (*graph.left[0], *graph.right[0]):
        short = graph.values[option]
        if short is not None and short.number_up_star is not None:
            found.append(ShortGame.number(short.number_up_star[0]))
    return list(dict.fromkeys(found))


@cache
def _infinitesimals() -> list[tuple[Graph, str]]:
    """The infinitesimals that have names, with and without a star, where that is another game."""
    found: dict[Graph, str] = {}
    for star, (name, written) in product((0, 1), WRITTEN.items()):
        form = add(constant(name), Value(ShortGame.nimber(star))).form
        assert form is not None
        found.setdefault(form, written + "*" * star)
    return list(found.items())


def _moved(graph: Graph, x: ShortGame) -> Graph:
    """G + x for a number x: it is added to every short follower (number translation)."""
    if x == 0:
        return graph
    draft = GraphDraft()
    places = [draft.add() if value is None else draft.short(value + x) for value in graph.values]
    for place, value in enumerate(graph.values):
        if value is None:
            draft.left[places[place]] = [places[o] for o in graph.left[place]]
            draft.right[places[place]] = [places[o] for o in graph.right[place]]
    return draft.settled(places[0])


def _threat(graph: Graph) -> Graph | None:
    """The loopy G for which a game is { 0 || 0 | −G }."""
    place = 0
    for _ in range(2):
        left, right = graph.sides(place)
        if len(left) != 1 or len(right) != 1 or graph.values[left[0]] != 0:
            return None
        place = right[0]
    if graph.values[place] is not None:
        return None
    threat = negative(follower(graph, place))
    return threat if len(threat.left) < len(graph.left) else None
