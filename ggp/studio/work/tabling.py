"""Tables over many starts, cell by cell: facts of the start vary, or parameters of a template."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

from markupsafe import Markup

from ggp.errors import GgpError, InputError, LimitReached
from ggp.limits import Budget, Limits
from ggp.show.grid import WHAT, band, conjectures, grid_text, sequences, shown
from ggp.show.grid_svg import grid_svg
from ggp.show.pictures import literal
from ggp.show.progress import Told
from ggp.solver.sweep import Axis, Cell, fact_axis, sweep
from ggp.solver.templates import game_for, parameter_axis
from ggp.studio.jobs import Heed, Say
from ggp.studio.tasks import Order
from ggp.studio.work.analysing import limits_of
from ggp.studio.work.fragments import fragment
from ggp.studio.work.places import is_checked, text_of
from ggp.studio.work.proposing import maker, whole_numbers
from ggp.text import plain

MAX_VALUES, MAX_CELLS, MAX_SHEETS = 200, 10_000, 400
"""Values of an axis; cells; and sheets that they may be of."""

ONE_SHEET = 15.0
"""Seconds for one of several sheets."""

FIRST = 8
"""Values of each axis that are solved first, where all starts are of one sheet; then twice as many.
"""

OFTEN = 0.5
"""Seconds between two pictures."""

LEAST_TERMS, MOST_TERMS, MOST_WHY = 4, 40, 5
"""Terms of a sequence without which it is none; those that are written; reasons that are told."""

MAX_TEXT = 2_500
"""Cells of a table that is there as text, too."""


@dataclass
class Table:
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


def table(order: Order, say: Say, heed: Heed) -> None:
    """Solve the starts, and show the table as it grows."""
    limits = limits_of(order.asked, 60.0)
    wanted = read(order)
    last = 0.0
    for count in _solve(order, wanted, limits, heed):
        heed(f"{len(wanted.cells):,} of {wanted.size:,} cells, {count:,} sheets")
        if wanted.cells and time.monotonic() - last > OFTEN:
            say({"slot": "grid", "html": _shown(wanted, is_done=False)})
            last = time.monotonic()
    say({"slot": "grid", "html": _shown(wanted, is_done=True)})


def read(order: Order) -> Table:
    """The table that a page asks for; raises `InputError` for what makes no sense."""
    asked = order.asked
    numbers = whole_numbers(order.sheet)
    axes = [_axis(asked, name, numbers) for name in ("up", "across") if asked.get(name)]
    if not axes:
        raise InputError("say what goes across")
    if len({axis.name for axis in axes}) < len(axes):
        raise InputError("across and upward are to differ")
    if any(len(axis.values) > MAX_VALUES for axis in axes):
        raise InputError(f"an axis has {MAX_VALUES} values at the most")
    sheets = prod(len(axis.values) for axis in axes if axis.pattern is None)
    if prod(len(axis.values) for axis in axes) > MAX_CELLS or sheets > MAX_SHEETS:
        raise InputError(f"a table has {MAX_CELLS:,} cells at the most, of {MAX_SHEETS} sheets")
    what = text_of(asked, "what")
    if what and what not in WHAT:
        raise InputError(f"what: expected one of {', '.join(WHAT)}")
    names = {axis.name for axis in axes}
    settings, fixed = _fixed(asked, numbers, names)
    free = [name for name in numbers if name not in settings and name not in names]
    return Table(axes, settings, fixed, what, is_checked(asked, "misere"), free)


def _axis(asked: Mapping[str, Any], name: str, numbers: Mapping[str, int]) -> Axis:
    key, values = text_of(asked, name), text_of(asked, f"{name}_values")
    if len(values) > 2_000:
        raise InputError("values: a text of 2,000 characters at the most")
    try:
        if key.startswith("p "):
            return parameter_axis(f"{_parameter(key, numbers)}={values}")
        fact = key.removeprefix("f").strip() or text_of(asked, f"{name}_fact").strip()
        return fact_axis(f"{fact}={values}")
    except LimitReached:
        raise InputError(f"an axis has {MAX_VALUES} values at the most") from None


def _parameter(key: str, numbers: Mapping[str, int]) -> str:
    name = key.removeprefix("p ")
    if name not in numbers:
        raise InputError("there is no such parameter, or it is no integer")
    return name


def _fixed(
    asked: Mapping[str, Any], numbers: Mapping[str, int], taken: set[str]
) -> tuple[dict[str, str], list[Axis]]:
    """What the sliders say: parameters, and facts of one value each."""
    settings, facts = dict[str, str](), list[Axis]()
    for slider in asked:
        key = slider.removeprefix("fix ")
        if key == slider or len(facts) + len(settings) > MAX_VALUES:
            continue
        value = text_of(asked, slider)
        if not (value.removeprefix("-").isdigit() and value.isascii() and len(value) < 10):
            raise InputError("a slider has a number")
        if key.startswith("p "):
            name = _parameter(key, numbers)
            if name not in taken and value != str(numbers[name]):
                settings[name] = value
        else:
            axis = fact_axis(f"{key.removeprefix('f').strip()}={value}")
            if axis.name not in taken:
                facts.append(axis)
    return settings, facts


def _solve(order: Order, wanted: Table, limits: Limits, heed: Heed) -> Iterator[int]:
    """Fill the table; yields after each step how many sheets were solved."""
    budget, several = Budget(limits), bool(wanted.outer)
    choices = list(product(*(enumerate(axis.values) for axis in wanted.outer)))
    # Small sheets first: what is large may take too long.
    choices.sort(key=lambda choice: (sum(place for place, _ in choice), choice))
    for count, choice in enumerate(choices, 1):
        left = limits.seconds - budget.seconds
        if left <= 0:
            wanted.missed[f"the time of {limits.seconds:g} s was up"] = None
            return
        own = replace(limits, seconds=min(left, ONE_SHEET) if several else left)
        chosen = dict(zip((a.name for a in wanted.outer), (v for _, v in choice), strict=True))
        try:
            for _ in _one_sheet(order, wanted, chosen, own, heed):
                yield count
        except GgpError as error:
            name = ", ".join(f"{key} = {value}" for key, value in chosen.items())
            told = literal(error, 300)
            wanted.missed[f"{name}: {told}" if name else told] = None
            yield count


def _one_sheet(
    order: Order, wanted: Table, chosen: Mapping[str, str], limits: Limits, heed: Heed
) -> Iterator[None]:
    """All starts of one sheet, the smaller ones first."""
    make = maker(order.sheet, limits)
    given = {**wanted.settings, **chosen}
    facts = [*wanted.fixed, *wanted.inner]
    budget, told = Budget(limits), Told("solving")
    with budget.in_force():
        game, made = game_for(make, given, wanted.free, facts)
        if not chosen:
            kept = [f for f in game.initial.facts if not any(a.matches(f) for a in facts)]
            kept += [axis.fact(axis.values[0]) for axis in wanted.fixed]
            wanted.start, wanted.query = " ".join(map(str, kept)), made
    for inner in _growing(wanted.inner):
        found, method = sweep(
            game,
            [*wanted.fixed, *inner],
            misere=wanted.misere,
            budget=budget,
            progress=lambda found, done: heed(told(found, done)),
            with_best=wanted.what == "best" or wanted.size <= MAX_TEXT,
        )
        wanted.add(chosen, found)
        wanted.methods[method] = None
        yield


def _growing(axes: Sequence[Axis]) -> Iterator[list[Axis]]:
    """Axes with their first values, each time with twice as many, up to all."""
    most, count = max((len(axis.values) for axis in axes), default=0), FIRST
    while count < most:
        yield [replace(axis, values=axis.values[:count]) for axis in axes]
        count *= 2
    yield list(axes)


def _shown(wanted: Table, *, is_done: bool) -> str:
    """The table as a part of the page."""
    axes, what = wanted.axes, wanted.shows
    name = literal(f"{what.replace('_', '-')} by {' and '.join(a.name for a in axes)}", 200)
    full = list(_in_order(wanted))
    text, told = "", list[str]()
    if is_done and wanted.cells and len(full) <= MAX_TEXT:
        text = plain(grid_text([cell or _nothing(at) for at, cell in full], axes, what))
    known = [cell for _, cell in full if cell is not None]
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


def _in_order(wanted: Table) -> Iterator[tuple[tuple[str, ...], Cell | None]]:
    for at in product(*(axis.values for axis in wanted.axes)):
        yield at, wanted.cells.get(at)


def _nothing(at: tuple[str, ...]) -> Cell:
    return Cell(at, None, None, None, None, ())


def _said(cells: Sequence[Cell], wanted: Table) -> list[str]:
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


def _starts(wanted: Table, full: Sequence[tuple[tuple[str, ...], Cell | None]]) -> dict[str, Any]:
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
    wanted: Table, full: Sequence[tuple[tuple[str, ...], Cell | None]]
) -> Iterator[tuple[tuple[int, ...], Cell | None]]:
    places = product(*(range(len(axis.values)) for axis in wanted.axes))
    return ((at, cell) for at, (_, cell) in zip(places, full, strict=True))


def _best(cell: Cell) -> str:
    return f"; best: {literal(', '.join(cell.best), 200)}" if cell.best else ""
