"""Along what a table of starts may go: integer parameters of a template, and heaps of the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ggp.analysis.heaps.heap import HOLE, heap_candidates
from ggp.errors import GgpError
from ggp.game import Game
from ggp.kif import Source, Term, is_template
from ggp.kif.template import chosen_parameters
from ggp.limits import Budget, Limits
from ggp.rules import read_rules
from ggp.solver.sweep import Axis
from ggp.solver.templates import game_for, has_start
from ggp.studio.jobs import Heed, Say
from ggp.studio.library import SheetText
from ggp.studio.tasks import Order
from ggp.studio.work.fragments import fragment
from ggp.studio.work.sheets import LIMITS, game_of, source_of

MOST = 12
"""Ways to go that are proposed."""

FAR, FARTHEST = 30, 100
"""Sizes of heaps that a table goes to by itself, and that a slider has at the most."""

MORE = 5
"""By how much a table goes beyond a parameter's value."""

SECONDS = 30.0
"""For looking."""


@dataclass(frozen=True)
class VariedSetting:
    """What may vary: `key` names it for a page, `name` for people; its `value` now, the `least` and
    the `most` that it may have, and how `far` a table goes by itself."""

    key: str
    name: str
    value: int
    least: int
    most: int
    far: int

    @property
    def values(self) -> str:
        """What a table goes along by itself, as it is written."""
        return f"{self.least}..{self.far}"


def parameters_of(sheet: SheetText) -> dict[str, Any]:
    """The parameters of a template with the values that they have; none of a plain sheet."""
    if not is_template(sheet.name) or sheet.values is None:
        return {}
    return chosen_parameters(Source(sheet.name, sheet.text, file=sheet.file), sheet.values)


def whole_numbers(sheet: SheetText) -> dict[str, int]:
    """Those parameters that are integers."""
    return {name: v for name, v in parameters_of(sheet).items() if type(v) is int}


def maker(
    sheet: SheetText, limits: Limits, *, grounded: bool = True
) -> Callable[[Mapping[str, str]], Game]:
    """What makes the game of a sheet for some more values of its parameters."""
    given = dict(sheet.values or {})

    def make(values: Mapping[str, str]) -> Game:
        every = {**given, **values}
        own = replace(sheet, values=every if sheet.values is not None else None)
        if grounded:
            return game_of(own, limits)
        return Game(read_rules(source_of(own), limits=limits), limits, grounded=False)

    return make


def propose(order: Order, say: Say, heed: Heed) -> None:
    """A form for tables: what varies, and sliders for the rest."""
    heed("looking for what may vary")
    ways, first = proposed(order.sheet, replace(LIMITS, seconds=SECONDS))
    say({"slot": "axes", "html": fragment("axes", ways=ways, first=first)})


def proposed(sheet: SheetText, limits: Limits) -> tuple[list[VariedSetting], list[str]]:
    """All ways to go, and the keys of the one or two that are best to begin with, that across
    first."""
    found: list[VariedSetting] = []
    named: set[str] = set()
    with suppress(GgpError), Budget(limits).in_force():
        game = maker(sheet, limits)({})
        named, heaps = _heaps(sheet, game, limits)
        found += heaps
    keys = [way.key for way in found][:2][::-1]
    numbers = {n: v for n, v in whole_numbers(sheet).items() if n not in named}
    for name, value in numbers.items():
        more = MORE if len(numbers) == 1 else 1
        least = _least(sheet, name, value, limits)
        found.append(
            VariedSetting(f"p {name}", name, value, least, max(12, value + MORE), value + more)
        )
    keys = keys or [way.key for way in found][:2][::-1]
    return found[:MOST], keys


def _least(sheet: SheetText, name: str, value: int, limits: Limits) -> int:
    """The least value of a parameter, of a few, that the template can take."""
    make = maker(sheet, limits, grounded=False)
    for least in range(min(value, 1 if value > 0 else 0), value):
        with suppress(GgpError):
            make({name: str(least)})
            return least
    return value


def _heaps(sheet: SheetText, game: Game, limits: Limits) -> tuple[set[str], list[VariedSetting]]:
    """The heaps of the start as ways to go, and the parameters that say nothing but their sizes."""
    # The start alone is looked at.
    make, free = maker(sheet, limits, grounded=False), list(whole_numbers(sheet))
    shapes = list(_shapes(game))
    sizes = {name: _named(make, game, name, value) for name, value in whole_numbers(sheet).items()}
    named = {name for name, fact in sizes.items() if fact in {own for _, own, _ in shapes}}
    found = []
    for shape, fact, elements in shapes:
        size = int(str(fact.args[shape.args.index(HOLE)]))
        axis = Axis(str(shape), (str(FARTHEST),), shape)
        most = max(elements)
        if most < FARTHEST and free:
            with suppress(GgpError):
                longer, _ = game_for(make, {}, free, [axis])
                most = FARTHEST if has_start(longer, axis, str(FARTHEST)) else most
        name = str(shape)
        if shape.args[-1] == HOLE:
            name = " ".join(map(str, (shape.name, *shape.args[:-1])))
        most = min(most, FARTHEST)
        found.append(VariedSetting(f"f {name}", name, size, min(elements), most, min(most, FAR)))
    return named, found[:MOST]


def _shapes(game: Game) -> Iterator[tuple[Term, Term, list[int]]]:
    """Shapes of heaps, with a hole for the size; with each its fact of the start, and the sizes on
    its chain: integers of which just one or at most one holds."""
    if not game.is_ground:
        return
    groups = [frozenset(group.fluents) for group in game.groups]
    start = set(game.initial.facts)
    for members, readings in heap_candidates(game.net).items():
        shape = readings[0].shape
        names = [str(element) for element in readings[0].elements]
        holes = sum(arg == HOLE for arg in shape.args)
        if holes != 1 or not all(n.isascii() and n.isdigit() and len(n) < 7 for n in names):
            continue
        fact = next((game.net.fluents[i] for i in members if game.net.fluents[i] in start), None)
        if fact is not None and any(group and group <= members for group in groups):
            yield shape, fact, [int(name) for name in names]


def _named(
    make: Callable[[Mapping[str, str]], Game], game: Game, name: str, value: int
) -> Term | None:
    """The fact of the start that a parameter is the size in: the only one that goes where the
    parameter is one more, and only one comes."""
    with suppress(GgpError):
        now, then = set(game.initial.facts), set(make({name: str(value + 1)}).initial.facts)
        if len(now - then) == len(then - now) == 1:
            return next(iter(now - then))
    return None
