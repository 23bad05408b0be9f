"""A table over many starts as a part of a page: picture, sequences, text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

from markupsafe import Markup

from ggp.show.grid import band, conjectures, grid_text, sequences, shown
from ggp.show.grid_svg import grid_svg
from ggp.show.pictures import literal
from ggp.solver.sweep import Axis, Cell
from ggp.studio.work.fragments import fragment
from ggp.text import plain

LEAST_TERMS, MOST_TERMS, MOST_WHY = 4, 40, 5
"""Terms of a sequence without which it is none; those that are written; reasons that are told."""

MAX_TEXT = 2_500
"""Cells of a table that is there as text, too."""


@dataclass
class GridRequest:
    """What is asked for: `outer` axes are parameters, `inner` ones facts, `fixed` facts that have
    one value; `axes` is the order on the page, that upward first.

    What comes of it: `cells` by their values, the `methods` they were found by, and why others were
    `missed`. Where all are of one sheet, `query` are the parameters that it was made with, and
    `start` the facts that all starts share.
    """

    axes: list[Axis]
    settings: dict[str, str]
    fixed: list[Axis]
    what: str
    misere: bool
    free: list[str]
    cells: dict[tuple[str, ...], Cell] = field(default_factory=dict)
    methods: dict[str, None] = field(default_factory=dict)
    missed: dict[str, None] = field(default_factory=dict)
    start: str = ""
    query: dict[str, str] = field(default_factory=dict)

    @property
    def outer(self) -> list[Axis]:
        """Those that are parameters."""
        return [axis for axis in self.axes if axis.pattern is None]

    @property
    def inner(self) -> list[Axis]:
        """Those that are facts."""
        return [axis for axis in self.axes if axis.pattern is not None]

    @property
    def size(self) -> int:
        """Cells when it is full."""
        return prod(len(axis.values) for axis in self.axes)

    @property
    def shows(self) -> str:
        """What it shows: the outcome where there is one, if nothing else was asked for."""
        has = any(cell.outcome for cell in self.cells.values())
        return self.what or ("outcome" if has else "goals")

    def add(self, chosen: Mapping[str, str], found: Sequence[Cell]) -> None:
        """Take the cells of one sheet, whose fixed and inner values come in this order."""
        for cell in found:
            own = dict(zip((a.name for a in self.inner), cell.at[len(self.fixed) :], strict=True))
            at = tuple({**chosen, **own}[axis.name] for axis in self.axes)
            self.cells[at] = replace(cell, at=at)


def shown_table(wanted: GridRequest, *, is_done: bool) -> str:
    """The table as a part of the page."""
    axes, what = wanted.axes, wanted.shows
    name = literal(f"{what.replace('_', '-')} by {' and '.join(a.name for a in axes)}", 200)
    full = list(_in_order(wanted))
    text, told = "", list[str]()
    if is_done and wanted.cells and len(full) <= MAX_TEXT:
        text = plain(grid_text([cell or _nothing(at) for at, cell in full], axes, what))
    known = [cell for _, cell in full if cell is not None and not cell.undetermined]
    if is_done and known:
        told = _said(known, wanted)
    missed = list(wanted.missed)
    return fragment(
        "grid",
        svg=Markup(grid_svg(wanted.cells, axes, what, name)) if wanted.cells else None,
        title=name,
        text=Markup("{}").format(text),
        told=told,
        methods="; ".join(wanted.methods),
        count=len(known),
        missing=len(full) - len(known),
        missed=missed[:MOST_WHY],
        more=max(0, len(missed) - MOST_WHY),
        is_done=is_done,
        starts=json.dumps(_starts(wanted, full)),
    )


def _in_order(wanted: GridRequest) -> Iterator[tuple[tuple[str, ...], Cell | None]]:
    for at in product(*(axis.values for axis in wanted.axes)):
        yield at, wanted.cells.get(at)


def _nothing(at: tuple[str, ...]) -> Cell:
    return Cell(at, None, None, None, None, ())


def _said(cells: Sequence[Cell], wanted: GridRequest) -> list[str]:
    """Sequences in a table, and what may hold of them; of one axis also if cells are missing."""
    axes = wanted.axes
    if len(axes) == 1:
        axes = [replace(axes[0], values=tuple(cell.at[0] for cell in cells))]
    elif len(cells) < wanted.size:
        return []
    found, forms = sequences(cells, axes), conjectures(cells, axes)
    told = []
    for name, (first, terms) in found.items():
        if len(terms) >= LEAST_TERMS:
            more = ", …" if len(terms) > MOST_TERMS else ""
            listed = ", ".join(map(str, terms[:MOST_TERMS]))
            told.append(f"{name} from n = {first} on: {listed}{more}")
        told += [f"{name}: {form}" for form in forms.get(name, ())]
    if told and len(axes) > 1:
        least = f"the least and the largest {axes[1].name} with which {axes[0].name} = n is lost"
        told.insert(0, f"Let a(n) and b(n) be {least} for the player to move.")
    said = band(cells, axes)
    return [*map(plain, told), *([plain(said)] if said and len(told) > 1 else [])]


def _starts(
    wanted: GridRequest, full: Sequence[tuple[tuple[str, ...], Cell | None]]
) -> dict[str, Any]:
    """What the page needs to tell of one cell, and to name its position: axes, what is known there,
    parameters, and the facts that all share."""
    cells = {
        " ".join(map(str, at)): shown(cell, wanted.shows) + _best(cell)
        for at, cell in _numbered(wanted, full)
        if cell is not None
    }
    axes = [
        {
            "name": axis.name,
            "values": list(axis.values),
            "fact": None if axis.pattern is None else str(axis.pattern),
        }
        for axis in wanted.axes
    ]
    found = {"axes": axes, "query": wanted.query or wanted.settings}
    if not (wanted.outer and wanted.inner):
        found["start"] = wanted.start
    return {**found, "cells": cells if len(cells) <= MAX_TEXT else {}}


def _numbered(
    wanted: GridRequest, full: Sequence[tuple[tuple[str, ...], Cell | None]]
) -> Iterator[tuple[tuple[int, ...], Cell | None]]:
    places = product(*(range(len(axis.values)) for axis in wanted.axes))
    return ((at, cell) for at, (_, cell) in zip(places, full, strict=True))


def _best(cell: Cell) -> str:
    return f"; best: {literal(', '.join(cell.best), 200)}" if cell.best else ""
