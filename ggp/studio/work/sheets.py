"""What is asked of a sheet's text: its faults, its colours, its layout, a small picture."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from ggp.errors import GgpError
from ggp.game import Game, State
from ggp.kif import Source, is_template, lay_out, render
from ggp.kif.tokens import tokens
from ggp.limits import DEFAULT, Budget, Limits
from ggp.lint import check_source
from ggp.lsp.index import Index
from ggp.rules import read_rules
from ggp.show.board import scene_of, scene_svg
from ggp.show.thumbnails import thumbnail as small
from ggp.studio.library import SheetText
from ggp.text import plain, shortened

MAX_SHOWN = 1_000
"""Diagnostics of one text that are shown."""

MAX_COLOURED = 400_000
"""Characters of a text in colours."""

MAX_SAID = 1_000
"""Characters of a diagnostic's message or hint."""

STEPS, PLAYS = 6, 20
"""Steps of random play before a small picture; plays that are tried for one that goes so far."""

LIMITS: Limits = replace(DEFAULT, seconds=60.0, ground_seconds=20.0, memory=2 << 30)
"""For reading and grounding one sheet."""


def source_of(sheet: SheetText) -> Source:
    """The text of a sheet, rendered if it is a template."""
    source = Source(sheet.name, sheet.text, file=sheet.file)
    if not is_template(sheet.name) or sheet.values is None:
        return source
    return render(source, sheet.values)


def game_of(sheet: SheetText, limits: Limits = LIMITS) -> Game:
    """The game of a sheet; raises whatever reading it raises."""
    with Budget(limits).in_force():
        return Game(read_rules(source_of(sheet), limits=limits), limits)


def text_of(sheet: SheetText) -> str:
    """The text of a sheet, rendered if it is a template."""
    return source_of(sheet).text


def laid_out(sheet: SheetText) -> str:
    """The text in the layout of `ggp fmt`."""
    return lay_out(Source(sheet.name, sheet.text))


def checked(sheet: SheetText) -> dict[str, Any]:
    """What is wrong with a text, and its colours, with places as a page counts characters."""
    source = Source(sheet.name, sheet.text)
    at = units(sheet.text)
    found: list[dict[str, Any]] = []
    more, why = 0, ""
    try:
        own = [d for d in check_source(source).diagnostics if d.is_by_default]
        more = max(0, len(own) - MAX_SHOWN)
        found = [
            {
                "start": at(d.span.start),
                "end": at(d.span.end),
                "line": d.span.line,
                "column": d.span.column,
                "severity": d.severity,
                "code": d.code,
                "name": d.name,
                "message": _line(d.message),
                "hint": _line(d.hint),
            }
            for d in own[:MAX_SHOWN]
        ]
    except GgpError as error:
        why = _line(str(error))
    return {"diagnostics": found, "more": more, "why": why, "colours": _colours(source, at)}


def _line(text: str) -> str:
    return plain(shortened(text, MAX_SAID))


def _colours(source: Source, at: Callable[[int], int]) -> list[list[Any]]:
    """Start, end and kind of what has a colour, in order."""
    if len(source.text) > MAX_COLOURED or source.syntax != "kif":
        return []
    found = [
        (token.start, token.end, "comment")
        for token in tokens(source.text)
        if token.kind in ("line", "block", "endless")
    ]
    found += [(o.start, o.end, o.kind) for o in Index(source).occurrences]
    return [[at(start), at(end), kind] for start, end, kind in sorted(found)]


def units(text: str) -> Callable[[int], int]:
    """From offsets in characters to those in units of UTF-16, by which pages count.

    >>> at = units("a\\U0001f600b")
    >>> at(1), at(2)
    (1, 3)
    """
    wide = [i for i, c in enumerate(text) if c > "\uffff"]
    return lambda offset: offset + bisect_right(wide, offset - 1)


def thumbnail(sheet: SheetText) -> str:
    """A small picture of a position some steps into a random play; empty where nothing is drawn."""
    with Budget(LIMITS).in_force():
        state = _some_steps_on(game_of(sheet))
        scene = scene_of(state)
        box = small(scene)
        if box is None:
            is_drawn = scene.boards or scene.piles or scene.values
            return scene_svg(replace(scene, turn=None)) if is_drawn else ""
    size = {"width": f"{box.width:g}", "height": f"{box.height:g}"}
    root = Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {box.width:g} {box.height:g}"}
        | size
        | {"font-family": "ui-monospace, Menlo, Consolas, monospace"},
    )
    SubElement(root, "rect", size | {"fill": "#ffffff"})
    root.append(box.element)
    return tostring(root, encoding="unicode")


def _some_steps_on(game: Game) -> State:
    """The state that a play of a fixed seed is in after some steps, or the longest such play."""
    best, most = game.initial, 0
    for seed in range(PLAYS):
        choose, state, steps = random.Random(seed).choice, game.initial, 0
        while steps < STEPS:
            options = [] if state.terminal else state.legal_indices()
            if not options or not all(options):
                break
            following = state.after([choose(own) for own in options])
            if following.terminal:
                break
            state, steps = following, steps + 1
        if steps > most:
            best, most = state, steps
        if steps == STEPS:
            break
    return best
