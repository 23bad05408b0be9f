"""Tables over many starts, cell by cell: facts of the start vary, or parameters of a template."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from ggp.errors import GgpError, InputError, LimitReached
from ggp.limits import Budget, Limits
from ggp.show.grid import WHAT
from ggp.show.pictures import literal
from ggp.show.progress import Told
from ggp.solver.sweep import Axis, fact_axis, sweep
from ggp.solver.templates import game_for, parameter_axis
from ggp.studio.jobs import Heed, Say
from ggp.studio.tasks import Order
from ggp.studio.work.analysing import limits_of
from ggp.studio.work.grids import MAX_TEXT, GridRequest, shown_table
from ggp.studio.work.places import is_checked, text_of
from ggp.studio.work.proposing import maker, whole_numbers

MAX_VALUES, MAX_CELLS, MAX_SHEETS = 200, 10_000, 400
"""Values of an axis; cells; and sheets that they may be of."""

ONE_SHEET = 15.0
"""Seconds for one of several sheets."""

FIRST = 8
"""Values of each axis that are solved first, where all starts are of one sheet; then twice as many.
"""

OFTEN = 0.5
"""Seconds between two pictures."""


def table(order: Order, say: Say, heed: Heed) -> None:
    """Solve the starts, and show the table as it grows."""
    limits = limits_of(order.asked, 60.0)
    wanted = read(order)
    last = 0.0
    for count in _solve(order, wanted, limits, heed):
        heed(f"{len(wanted.cells):,} of {wanted.size:,} cells, {count:,} sheets")
        if wanted.cells and time.monotonic() - last > OFTEN:
            say({"slot": "grid", "html": shown_table(wanted, is_done=False)})
            last = time.monotonic()
    say({"slot": "grid", "html": shown_table(wanted, is_done=True)})


def read(order: Order) -> GridRequest:
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
    return GridRequest(axes, settings, fixed, what, is_checked(asked, "misere"), free)


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


def _solve(order: Order, wanted: GridRequest, limits: Limits, heed: Heed) -> Iterator[int]:
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
    order: Order, wanted: GridRequest, chosen: Mapping[str, str], limits: Limits, heed: Heed
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
        for cell in found:
            if cell.undetermined:
                wanted.missed[literal(f"{' '.join(cell.at)}: {cell.undetermined}", 300)] = None
        yield


def _growing(axes: Sequence[Axis]) -> Iterator[list[Axis]]:
    """Axes with their first values, each time with twice as many, up to all."""
    most, count = max((len(axis.values) for axis in axes), default=0), FIRST
    while count < most:
        yield [replace(axis, values=axis.values[:count]) for axis in axes]
        count *= 2
    yield list(axes)
