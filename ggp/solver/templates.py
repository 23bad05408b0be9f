"""Tables over parameters of a template: one sheet for each combination of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from ggp.errors import GgpError, InputError
from ggp.game import Game
from ggp.solver.sweep import Axis, values_of

MAX_SWEPT = 10_000
"""Sheets of one table."""

Make = Callable[[Mapping[str, str]], Game]
"""The game of a template for some values of its parameters; raises what reading it raises."""


def parameter_axis(text: str) -> Axis:
    """The axis that `rows=1..9` names; raises `InputError`."""
    name, equals, values = text.partition("=")
    if not equals or not name.strip():
        raise InputError(f"--sweep {text}: expected NAME=VALUES, such as rows=1..9")
    return Axis(name.strip(), values_of(values, f"--sweep {name.strip()}"))


def combinations(axes: Sequence[Axis], most: int = MAX_SWEPT) -> Iterator[dict[str, str]]:
    """A value for each axis, the last varying fastest; raises `InputError` for more than `most`."""
    count = prod(len(axis.values) for axis in axes)
    if count > most:
        raise InputError(f"--sweep: {count:,} sheets, of which a table has {most:,} at most")
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"--sweep: {name} is swept twice")
    for values in product(*(axis.values for axis in axes)):
        yield dict(zip(names, values, strict=True))


def game_for(
    make: Make, given: Mapping[str, str], free: Sequence[str], axes: Sequence[Axis]
) -> tuple[Game, dict[str, str]]:
    """The game for the `given` values, of a template with `free` parameters large enough for all
    values of the axes (the one that a fact comes from is set to the largest), and all values
    that it was made with."""
    game, settings = make(given), dict(given)
    for axis in axes:
        largest = max(
            (v for v in axis.values if v.isascii() and v.isdigit()), key=int, default=None
        )
        if largest is None or has_start(game, axis, largest):
            continue
        for name in free:
            more = {**settings, name: largest}
            try:
                larger = make(more)
            except GgpError:
                continue
            if axis.fact(largest) in larger.initial.facts:
                game, settings = larger, more
                break
    return game, settings


def has_start(game: Game, axis: Axis, value: str) -> bool:
    """Whether the rules say anything of a value."""
    return {*axis.fact(value).symbols()} <= game.rules.names
