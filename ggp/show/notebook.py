"""Results as notebooks show them: tables and pictures in HTML.

Who looks at a result does not wait for long, and memory that is taken already keeps nobody from
looking.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import singledispatch
from typing import Any

from markupsafe import Markup

from ggp.analysis import Counterexample, Finding, Findings
from ggp.errors import GgpError, InputError
from ggp.game import Game, State
from ggp.limits import DEFAULT, Budget, look
from ggp.machine import Playouts
from ggp.show.board import scene_of, scene_svg
from ggp.show.board.html import scene_html
from ggp.show.findings import heap_rows, value_text, why_text
from ggp.show.html import image, sentences, table
from ggp.show.outcomes import LOOPY, SHORT
from ggp.show.pictures import Picture
from ggp.show.playouts import playouts_json, playouts_rows
from ggp.show.plots import playouts_plot, statistics_plot
from ggp.show.scenes import exhibits
from ggp.show.solution import solution_json, solution_text
from ggp.show.statistics import statistics_rows
from ggp.show.strategy_svg import strategy_svg
from ggp.show.summary import summary
from ggp.show.thermograph import thermograph_alt, thermograph_svg
from ggp.show.witnesses import witness_picture, witnesses
from ggp.solver import Solution, Statistics, Strategy
from ggp.solver.strategy import Subtree
from ggp.text import number
from ggp.theory import GameLimit, Genus, LoopyGame, NotStopperSided, ShortGame, Thermograph, limited

SECONDS = 5.0
"""That a notebook waits for what has to be worked out to be shown."""

MOST_DRAWN = 40
"""Positions of a strategy that is drawn."""

MOST_STATES = 3
"""States of one witness."""

MOST_LISTED = 12
"""Moves at the root of a strategy."""


@contextmanager
def _soon() -> Iterator[None]:
    """Work that ends soon: it raises a `GgpError` or `GameLimit` where it would not."""
    budget = Budget(replace(DEFAULT, seconds=SECONDS, memory=sys.maxsize))
    with budget.in_force(), limited(look=lambda: look("what is to be shown")):
        yield


def html(value: object) -> str:
    """A result in HTML. Raises `TypeError` for what is none."""
    try:
        with _soon():
            return str(_shown(value))
    except (GgpError, GameLimit) as error:
        return str(sentences(type(value).__name__, f"It is not shown: {error}"))


def svg(value: object) -> str:
    """A state as a picture.

    Raises `LimitReached` where it takes too long to find how it is drawn, `TypeError` for what is
    no state.
    """
    if not isinstance(value, State):
        raise TypeError(f"nothing of type {type(value).__name__} is a picture")
    with _soon():
        return scene_svg(scene_of(value))


@singledispatch
def _shown(value: object) -> Markup:
    raise TypeError(f"nothing of type {type(value).__name__} is shown in HTML")


@_shown.register
def _(state: State) -> Markup:
    return scene_html(scene_of(state))


# Findings.

_COLUMNS = ("property", "value", "certainty", "evidence")


def _finding_row(finding: Finding) -> tuple[str, ...]:
    name, value = finding.property.replace("_", " "), value_text(finding.value)
    return name, value, finding.certainty, why_text(finding).replace("\n", "; ")


@_shown.register
def _(found: Findings) -> Markup:
    parts = [sentences(found.game, *summary(found)), table(map(_finding_row, found), _COLUMNS)]
    if found.heaps:
        heads = ("heap", "size", "take", "floor", "nim-values from the floor", "period")
        parts.append(table(heap_rows(found.heaps), heads))
    return Markup("").join(parts)


@_shown.register
def _(finding: Finding) -> Markup:
    shown, evidence = table([_finding_row(finding)], _COLUMNS), finding.evidence
    if not isinstance(evidence, Counterexample):
        return shown
    rows = [
        (state.note or "state", " ".join(state.facts), _path(state.path))
        for state in evidence.states[:MOST_STATES]
    ]
    shown += table(rows, ("witness", "facts", "moves that lead there"))
    return shown + Markup("").join(_boards(finding))


def _boards(finding: Finding) -> Iterator[Markup]:
    """The states of a witness as pictures, where its game has boards."""
    if finding.rules is None:
        return
    game = Game(finding.rules, grounded=False)
    states = witnesses(finding)[:MOST_STATES]
    found = exhibits(game, states)
    for state in (state for state in states if state.facts in found):
        picture = witness_picture(found[state.facts], state.note)
        yield image(picture.svg, picture.alt)


def _path(path: tuple[tuple[str, ...], ...] | None) -> str:
    return "–" if path is None else ", ".join(" / ".join(joint) for joint in path) or "none"


# Solutions.


@_shown.register
def _(solution: Solution) -> Markup:  # type: ignore[type-arg]
    told = [("why that way", solution.reason), ("engine", solution.engine)]
    how = f"{solution.method}, {solution.positions:,} positions"
    if solution.initial is None:
        return sentences("Solved", how) + table(row for row in told if row[1])
    try:
        first, *more = solution_text(solution_json(solution, solution.initial)).plain.splitlines()
    except (GgpError, GameLimit) as error:
        first, more = "Solved", [f"The initial position is not shown: {error}", how]
    return sentences(first, *more) + table(row for row in told if row[1])


@_shown.register
def _(strategy: Subtree) -> Markup:  # type: ignore[type-arg]
    kept = "no end in reach"
    if strategy.promise is not None:
        kept = f"at least {number(strategy.promise)}"
        kept += " or no end" if strategy.may_be_endless else ""
    size = f"{strategy.positions:,} position{'s' * (strategy.positions != 1)}"
    what = "Strategy" if isinstance(strategy, Strategy) else "Plays"
    told = f"{what} of {strategy.player}: {kept}, {size}"
    is_small = strategy.positions <= MOST_DRAWN
    if is_small and all(isinstance(state, State) for state in strategy.edges):
        return image(strategy_svg(strategy), told)
    moves = strategy.edges[strategy.root]
    whose = "chosen" if strategy.root in strategy.choice else "answered"
    rows = [
        (f"{move} ({whose})", after, _answer(strategy, after))
        for move, after in moves[:MOST_LISTED]
    ]
    left = [f"and {len(moves) - MOST_LISTED:,} more moves"] if len(moves) > MOST_LISTED else []
    shown = table(rows, ("move", "leads to", "then"))
    return sentences(told, f"at {strategy.root}", *left) + shown


def _answer(strategy: Subtree[Any, Any], position: object) -> str:
    """What is played at a position after the root."""
    if position in strategy.choice:
        return " or ".join(map(str, strategy.chosen(position)))
    moves = len(strategy.edges[position])
    return f"any of {moves:,} moves" if moves else "the end"


@_shown.register
def _(found: Statistics) -> Markup:
    data = found.as_json()
    return table(statistics_rows(data)) + _drawn(statistics_plot(data))


@_shown.register
def _(found: Playouts) -> Markup:
    return table(playouts_rows(playouts_json(found))) + _drawn(playouts_plot(found))


def _drawn(picture: Picture) -> Markup:
    """A picture, where there is something to draw with."""
    try:
        return image(picture.data(), f"{picture.alt.title}. {picture.alt.description}")
    except InputError:
        return Markup()


# Values.


@_shown.register
def _(game: ShortGame) -> Markup:
    rows = [
        ("outcome", SHORT[game.outcome]),
        ("mean", game.mean),
        ("temperature", game.temperature),
        ("stops", f"{game.left_stop} (left), {game.right_stop} (right)"),
        ("birthday", f"{game.birthday:,}"),
    ]
    shown = sentences(_written(game)) + table(rows)
    return shown + _shown(game.thermograph) if game.temperature > 0 else shown


@_shown.register
def _(graph: Thermograph) -> Markup:
    alt = thermograph_alt(graph)
    return image(thermograph_svg(graph), f"{alt.title}. {alt.description}")


@_shown.register
def _(game: LoopyGame) -> Markup:
    rows = [("outcome", LOOPY[game.outcome])]
    if not game.is_stopper:
        try:
            rows += [("onside", _written(game.onside)), ("offside", _written(game.offside))]
        except NotStopperSided as error:
            rows += [("no sides", str(error))]
    return sentences(_written(game)) + table(rows)


@_shown.register
def _(genus: Genus) -> Markup:
    numbers = str(genus).partition("^")[2].strip("{}")
    kind = "tame" if genus.is_tame else "wild"
    return Markup("<p>genus <strong>{}<sup>{}</sup></strong>, {}</p>").format(
        genus.nim_value, numbers, kind
    )


def _written(game: ShortGame | LoopyGame) -> str:
    """The canonical form, if it can be written."""
    try:
        return game.text(unicode=True)
    except GameLimit:
        return "a form of more than a million characters"
