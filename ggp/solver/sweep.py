"""Tables over many starts: one fact of the state in which play begins, or several, vary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from ggp.analysis.heaps.heap import HOLE
from ggp.errors import InputError, KifSyntaxError, LimitReached, NotSolvable
from ggp.game import Game, State
from ggp.kif import Term, read_terms
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.enumerated import GameSolution
from ggp.solver.methods import solve
from ggp.solver.nim import NimSolution

MAX_VALUES = 100_000
"""Values of one axis, and cells of a table."""


@dataclass(frozen=True)
class Axis:
    """What varies: `name` as it was given, the `values` in order, and the `pattern` of the fact
    with a hole for the value; without a pattern a parameter of a template."""

    name: str
    values: tuple[str, ...]
    pattern: Term | None = None

    def fact(self, value: str) -> Term:
        """The fact with a value; there must be a pattern."""
        assert self.pattern is not None
        [term] = read_terms(value, self.name)
        args = tuple(term if arg == HOLE else arg for arg in self.pattern.args)
        return Term(self.pattern.name, args)

    def matches(self, fact: Term) -> bool:
        """Whether a fact is of the pattern, with whatever value."""
        pattern = self.pattern
        return (
            pattern is not None
            and (fact.name, fact.arity) == (pattern.name, pattern.arity)
            and all(a in (HOLE, b) for a, b in zip(pattern.args, fact.args, strict=True))
        )


def values_of(text: str, what: str) -> tuple[str, ...]:
    """The values that a text lists: `0..100`, `2..20:3` (every third), `a,b,(f c)`; or several of
    these with commas. Raises `InputError`.

    >>> values_of("1..3,7,0..10:5", "rows")
    ('1', '2', '3', '7', '0', '5', '10')
    """
    found: list[str] = []
    for part in text.split(","):
        low, dots, rest = part.strip().partition("..")
        high, colon, step = rest.partition(":")
        if not dots:
            if not low:
                raise InputError(f"{what}: expected values such as 0..10 or 1,2,5")
            found.append(low)
            continue
        try:
            by = int(step) if colon else 1
            begin, end = int(low), int(high)
            steps = range(begin, end + (1 if by > 0 else -1), by)
            count = (end - begin) // by + 1  # `len` knows no large numbers
            if count <= 0:
                raise InputError(f"{what}: no values from {low} to {high}")
            if count > MAX_VALUES:
                raise LimitReached("values", MAX_VALUES, what)
            found += map(str, steps)
        except ValueError:
            raise InputError(f"{what}: no range of integers: {part[:40]}") from None
    return tuple(dict.fromkeys(found))


def fact_axis(text: str) -> Axis:
    """The axis that `heap 1=0..100` or `(cell ? 1)=a,b` names; raises `InputError`.

    The words before the equals sign begin a fact; the value comes last where there is no hole.
    """
    name, equals, values = text.rpartition("=")
    words = name.strip()
    if not equals or not words:
        raise InputError(f"--vary {text}: expected FACT=VALUES, such as 'heap 1=0..10'")
    try:
        [pattern] = read_terms(words if words.startswith("(") else f"({words})", "--vary")
    except (KifSyntaxError, ValueError):
        raise InputError(f"--vary {text}: cannot read the fact") from None
    holes = sum(arg == HOLE for arg in pattern.args)
    if holes > 1:
        raise InputError(f"--vary {text}: a fact varies in one place")
    if not holes:
        pattern = Term(pattern.name, (*pattern.args, HOLE))
    axis = Axis(words, values_of(values, f"--vary {words}"), pattern)
    for value in axis.values:
        try:
            axis.fact(value)
        except (KifSyntaxError, ValueError):
            raise InputError(f"--vary {text}: cannot read the value {value[:40]}") from None
    return axis


def require_few(axes: Sequence[Axis]) -> None:
    """Raise `LimitReached` where a table would have too many cells."""
    count = prod(len(axis.values) for axis in axes)
    if count > MAX_VALUES:
        raise LimitReached("cells", MAX_VALUES, f"of a table, not {count:,}")


@dataclass(frozen=True)
class Cell:
    """The answer for one start: `at` has the value of each axis, `undetermined` says why that start
    has no value, where it has none."""

    at: tuple[str, ...]
    outcome: str | None
    result: str | None
    goals: dict[str, float] | None
    nim_value: int | None
    best: tuple[str, ...]
    undetermined: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {**self.__dict__, "at": list(self.at), "best": list(self.best)}


def sweep(
    game: Game,
    axes: Sequence[Axis],
    *,
    facts: Sequence[Term] | None = None,
    misere: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
    with_best: bool = False,
) -> tuple[list[Cell], str]:
    """The answer for each combination of the values of some axes, the last varying fastest; and
    the method that they were found by.

    Every start is `facts` (by default those of the initial state) with the fact of each axis in
    place of those that match its pattern. All are solved together. Raises `InputError` where no
    fact matches an axis, `UnknownName` for values that the rules say nothing of, `LimitReached`,
    and what solving raises.
    """
    budget = budget or Budget(game.limits)
    require_few(axes)
    base = list(game.initial.facts if facts is None else facts)
    for axis in axes:
        if not any(axis.matches(fact) for fact in base):
            shown = " ".join(map(str, base[:12]))
            raise InputError(f"no fact of the start is {axis.pattern}: {shown}")
    for fact in base:
        both = [axis.name for axis in axes if axis.matches(fact)]
        if len(both) > 1:
            raise InputError(f"{fact} of the start varies twice: {' and '.join(both)}")
    with game.within(budget):
        starts = list(_starts(base, axes))
        game = game.covering(facts for _, facts in starts)
        states = [game.state(facts) for _, facts in starts]
        solution = solve(game, budget=budget, misere=misere, progress=progress, starts=states)
        if isinstance(solution, NimSolution) and any(
            solution.nim_value(state) is None for state in states
        ):
            # Of sizes that the first state does not come to theory says nothing.
            with suppress(LimitReached, NotSolvable):
                solution = solve(
                    game, budget=budget, misere=misere, starts=states, method="positions"
                )
        cells: list[Cell] = []
        for (at, _), state in zip(starts, states, strict=True):
            budget.check(f"{len(cells):,} of {len(starts):,} cells")
            cells.append(_cell(at, state, solution, with_best))
    return cells, solution.method


def _starts(
    base: Sequence[Term], axes: Sequence[Axis]
) -> Iterator[tuple[tuple[str, ...], list[Term]]]:
    kept = [fact for fact in base if not any(axis.matches(fact) for axis in axes)]
    varied = [[(value, axis.fact(value)) for value in axis.values] for axis in axes]
    for pairs in product(*varied):
        yield tuple(value for value, _ in pairs), [*kept, *(fact for _, fact in pairs)]


def _cell(at: tuple[str, ...], state: State, solution: Any, with_best: bool) -> Cell:  # noqa: ANN401
    is_sum = isinstance(solution, NimSolution | GameSolution)
    try:
        best = solution.best(state) if with_best and solution.to_move(state) else ()
        return Cell(
            at,
            solution.outcome(state),
            solution.result(state),
            solution.value(state),
            solution.nim_value(state) if is_sum else None,
            tuple(map(str, best)),
        )
    except NotSolvable as error:
        return Cell(at, None, None, None, None, (), str(error))
