"""The sheets of one template, or one sheet, solved for many starts: what `ggp table` asks."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

from ggp.cli.common import game_from
from ggp.errors import GgpError, InputError, LimitReached
from ggp.game import Game
from ggp.kif import Source, Term, is_template, parameters
from ggp.limits import Budget, Limits
from ggp.machine import Progress
from ggp.pool import Spread
from ggp.solver.sweep import Axis, Cell, sweep
from ggp.solver.templates import game_for

Choice = Mapping[str, str]
"""Values of the parameters that are swept."""


@dataclass(frozen=True)
class SheetQuestion:
    """What is asked of each sheet. `here`: the account and the progress of this process, if it is
    this one that answers; else each sheet has an account of its own."""

    source: Source
    called: Path
    given: Choice
    strict_case: bool
    limits: Limits
    axes: tuple[Axis, ...]
    facts: tuple[Term, ...] | None
    misere: bool
    here: tuple[Budget, Progress | None] | None = None


@dataclass(frozen=True)
class SheetCells:
    """The cells of one sheet, the method that they were found by, and who plays."""

    cells: tuple[Cell, ...]
    method: str
    players: tuple[str, ...]


def answers(
    question: SheetQuestion, choices: Sequence[Choice], budget: Budget, spread: Spread
) -> Generator[tuple[int, SheetCells | LimitReached]]:
    """The answer for each choice, or the limit that there is none within, and its number, in the
    order in which they are done.

    Raises what the first of them raises that has none for another reason, and `BudgetSpent` where
    the account is spent before all are done.
    """
    failed: dict[int, GgpError] = {}
    seen: set[int] = set()
    first = 0
    with closing(spread(partial(_answer, question), choices)) as found:
        for number, one in found:
            answer = one or _gone(choices[number])
            if isinstance(answer, SheetCells | LimitReached):
                yield number, answer
            else:
                failed[number] = answer
            seen.add(number)
            while first in seen:
                if first in failed:
                    raise _of(choices[first], failed[first])
                first += 1
            if len(seen) < len(choices):
                budget.check(f"{len(seen):,} of {len(choices):,} sheets")


def unanswered(choice: Choice, axes: Sequence[Axis]) -> list[Cell]:
    """The cells of a sheet of which nothing is known."""
    starts = product(*(axis.values for axis in axes))
    return [Cell((*choice.values(), *at), None, None, None, None, ()) for at in starts]


def _answer(question: SheetQuestion, choice: Choice) -> SheetCells | GgpError:
    budget, watch = question.here or (Budget(question.limits), None)
    values = {**question.given, **choice}

    def make(values: Choice) -> Game:
        with budget.in_force():
            return game_from(
                question.source, values, question.strict_case, question.limits,
                called=question.called,
            )  # fmt: skip

    try:
        game, _ = game_for(make, values, _free_parameters(question.source, values), question.axes)
        found, method = sweep(
            game, question.axes, facts=question.facts, misere=question.misere, budget=budget,
            progress=watch, with_best=True,
        )  # fmt: skip
    except GgpError as error:
        return error
    cells = (replace(cell, at=(*choice.values(), *cell.at)) for cell in found)
    return SheetCells(tuple(cells), method, game.players)


def _free_parameters(source: Source, given: Choice) -> list[str]:
    """The parameters of a template that are integers and were not given."""
    if source.file is None or not is_template(source.file):
        return []
    return [n for n, v in parameters(source).items() if type(v) is int and n not in given]


def named(choice: Choice) -> str:
    """A choice as it is written on the command line."""
    return ", ".join(f"{name}={value}" for name, value in choice.items())


def _of(choice: Choice, error: GgpError) -> GgpError:
    """An error that says which sheet was asked for."""
    is_told = bool(choice) and type(error) is InputError
    return InputError(f"{named(choice)}: {error}") if is_told else error


def _gone(choice: Choice) -> LimitReached:
    which = named(choice)
    return LimitReached("memory", 0, f"the process that solved {which} ended without an answer")
