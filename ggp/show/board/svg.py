"""A scene as a picture: boards, piles and values one below the other, in SVG."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ggp.show.board import colours
from ggp.show.board.picture.boards import board_box
from ggp.show.board.picture.canvas import (
    EDGE,
    LETTER,
    LINE,
    MAX_LINES,
    Box,
    add,
    group,
    words,
    wrapped,
    write,
)
from ggp.show.board.picture.marks import disc, legend
from ggp.show.board.picture.piles import piles_box
from ggp.show.board.scene import Scene
from ggp.show.board.words import name_of

WIDTH = 640
"""Pixels beyond which grids and words go on below."""


def scene_svg(scene: Scene, *, width: int = WIDTH, label: str = "") -> str:
    """The picture of a scene as the text of an SVG file, about `width` pixels wide.

    `label`: what it shows, in words, as an alternative text. Each place is a group of the class
    `place`, `data-board` and `data-place` of which are the numbers of its board and of it there
    (`Board.numbers`).
    """
    boxes = list(_boxes(scene, width))
    wide = max([box.width for box in boxes] or [1]) + 2 * EDGE
    high = sum(box.height for box in boxes) + (len(boxes) - 1) * EDGE + 2 * EDGE
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {wide:g} {high:g}",
            "width": f"{wide:g}",
            "height": f"{high:g}",
            "font-family": "ui-monospace, Menlo, Consolas, monospace",
            "font-size": "13",
            "role": "img",
        },
    )
    SubElement(root, "title").text = name_of(label) if label else _told(scene)
    SubElement(root, "desc").text = described(scene)
    add(root, "rect", width=wide, height=high, fill=colours.PAPER)
    y: float = EDGE
    for box in boxes:
        box.element.set("transform", f"translate({EDGE} {y:g})")
        root.append(box.element)
        y += box.height + EDGE
    indent(root, " ")
    return tostring(root, encoding="unicode") + "\n"


def _told(scene: Scene) -> str:
    if scene.terminal:
        return f"the end of a game, {scene.over}"
    return "a position" if scene.turn is None else f"a position, {scene.roles[scene.turn]} to move"


def described(scene: Scene) -> str:
    """What lies where, in words: the text for those who do not see the picture."""
    parts = []
    for drawn in scene.boards:
        held: dict[str, list[str]] = {}
        for key in sorted(drawn.cells, key=drawn.board.rank):
            for mark in drawn.cells[key]:
                held.setdefault(mark.title, []).append(" ".join(map(name_of, key)))
        told = [f"{title} at {', '.join(places)}" for title, places in held.items()]
        parts.append(f"{drawn.title}: {'; '.join(told) or 'empty'}")
    for name, piles in scene.piles:
        parts.append(f"{name}: {', '.join(f'{pile.name} {pile.count}' for pile in piles)}")
    parts += [f"{name} {value}" for name, value in scene.values]
    return ". ".join([*parts, *scene.facts])


def _boxes(scene: Scene, width: int) -> Iterable[Box]:
    """The parts of a picture from top to bottom."""
    if scene.turn is not None and not scene.terminal:
        yield _turn(scene.roles[scene.turn], scene.turn)
    if scene.terminal:
        yield words([scene.over])
    for drawn in scene.boards:
        if len(scene.boards) > 1:
            yield words([drawn.title], colours.FAINT)
        yield board_box(drawn, width)
        explained = legend(drawn, width)
        if explained:
            yield explained
    for name, piles in scene.piles:
        yield piles_box(name, piles, width)
    if scene.values:
        yield words(wrapped([f"{name} {value}" for name, value in scene.values], width))
    if scene.facts:
        lines = wrapped(scene.facts, width)
        more = scene.omitted or len(lines) > MAX_LINES
        yield words([*lines[:MAX_LINES], *(["and more facts"] if more else [])])


def _turn(name: str, role: int) -> Box:
    box = group(LINE + 6 + len(name) * 13 * LETTER, LINE)
    disc(box.element, (LINE / 2, LINE / 2), LINE / 2 - 2, role)
    write(box.element, name, (LINE + 6, LINE / 2), text_anchor="start", font_weight="bold")
    return box
