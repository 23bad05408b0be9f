"""Facts checked: each with what was found in its place, and how certain that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isclose
from typing import Any, Literal

from ggp.analysis.finding import Certainty
from ggp.errors import GgpError, LimitReached, exit_code
from ggp.facts.file import Instance, place_of
from ggp.facts.inquiry import FactAnswer, Inquiry
from ggp.facts.shapes import suggestion
from ggp.game import Game
from ggp.kif import Source, find_source, read_term, sheet_from
from ggp.limits import DEFAULT, Budget, Limits
from ggp.rules import read_rules

Status = Literal["held", "wrong", "undecided", "failed"]

INTERNAL = 70
"""The code of a fault of the program itself."""


@dataclass(frozen=True)
class FactVerdict:
    """What came of one fact, or (`fact` None) of an instance or file as a whole.

    `held`, `wrong`, `undecided` (a limit was reached before), or `failed`: the question could not
    be asked, `why` says the reason and `code` the exit code that it stands for.
    """

    fact: str | None
    status: Status
    expected: Any = None
    found: Any = None
    certainty: Certainty | None = None
    why: str = ""
    line: int = 1
    column: int = 1
    code: int = 0

    def as_json(self) -> dict[str, Any]:
        """The verdict in the shape of `ggp test --format json`."""
        names = ("fact", "status", "expected", "found", "certainty", "why", "line", "column")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class InstanceReport:
    """What came of an instance, in the order of its facts; `label` is empty for a whole file."""

    file: str
    sheet: str
    label: str
    settings: dict[str, Any]
    verdicts: tuple[FactVerdict, ...]

    def as_json(self) -> dict[str, Any]:
        """The report in the shape of `ggp test --format json`."""
        return {
            "file": self.file,
            "sheet": self.sheet,
            "instance": self.label or None,
            "set": self.settings,
            "facts": [verdict.as_json() for verdict in self.verdicts],
        }


def check(instance: Instance, limits: Limits = DEFAULT) -> InstanceReport:
    """Hold all facts of an instance against its sheet, each instance within `limits`.

    Nothing is raised for what is wrong with the sheet or the facts: verdicts tell of it.
    """
    return report_of(instance, *verdicts(instance, read(instance, limits), limits))


def read(instance: Instance, limits: Limits = DEFAULT) -> Source | GgpError:
    """The sheet of an instance as it is written, or why it cannot be read."""
    try:
        return find_source(instance.sheet, limits)[0]
    except GgpError as error:
        return error


def verdicts(
    instance: Instance, source: Source | GgpError, limits: Limits = DEFAULT
) -> list[FactVerdict]:
    """What came of all facts, in order, given what `read` gives; no file is looked at."""
    found = [
        FactVerdict(f.key, "failed", why=f.message, line=f.line, column=f.column, code=2)
        for f in instance.faults
    ]
    if not any(fault.key == "set" for fault in instance.faults):
        found += _of_game(instance, source, limits)
    return sorted(found, key=lambda verdict: (verdict.line, verdict.column))


def report_of(instance: Instance, *verdicts: FactVerdict) -> InstanceReport:
    """The report with these verdicts."""
    file, sheet = str(instance.file), str(instance.sheet)
    return InstanceReport(file, sheet, instance.label, instance.settings, verdicts)


def failure(error: Exception, line: int = 1, column: int = 1) -> FactVerdict:
    """The verdict on an instance, or a file, that an error keeps from being looked at."""
    if isinstance(error, GgpError):
        why, code = str(error).splitlines()[0], exit_code(error)
    else:
        why, code = f"internal error: {type(error).__name__}: {error}", INTERNAL
    return FactVerdict(None, "failed", why=why, line=line, column=column, code=code)


def _of_game(instance: Instance, read: Source | GgpError, limits: Limits) -> list[FactVerdict]:
    budget = Budget(limits)
    place = place_of(instance.lines, ("set",))
    try:
        if isinstance(read, GgpError):
            raise read
        with budget.in_force():
            source = sheet_from(read, instance.settings, limits)
            game = Game(read_rules(source, limits=limits), limits)
    except (LimitReached, MemoryError) as error:
        answer = FactAnswer(None, "unknown", str(error) or "limit reached: memory")
        return [_verdict(instance, name, answer, "undecided") for name in instance.facts]
    except Exception as error:  # whatever it is, the other instances are looked at
        return [failure(error, *place)]
    inquiry = Inquiry(game, instance.facts, budget)
    return [verdict_on(instance, name, inquiry) for name in instance.facts]


def verdict_on(instance: Instance, name: str, inquiry: Inquiry) -> FactVerdict:
    """The verdict on one fact of an instance, of whose game `inquiry` is."""
    expected = instance.facts[name]
    strange = _strange_role(expected, inquiry.game) if name == "goals" else None
    if strange is not None:
        near = suggestion(strange, inquiry.game.roles)
        line, column = place_of(instance.lines, ("goals", strange))
        why = f"the sheet has no role {strange}{near}"
        return FactVerdict(name, "failed", expected, why=why, line=line, column=column, code=2)
    try:
        answer = inquiry.answer(name, len(expected) - 1 if name == "perft" else 0)
    except Exception as error:  # whatever it is, the other facts are looked at
        told = failure(error, *place_of(instance.lines, (name,)))
        return FactVerdict(
            name, "failed", expected, why=told.why, line=told.line, column=told.column,
            code=told.code,
        )  # fmt: skip
    if answer.certainty == "unknown":
        return _verdict(instance, name, answer, "undecided")
    holds = _AGREE.get(name, same)(expected, answer.value)
    return _verdict(instance, name, answer, "held" if holds else "wrong")


def _verdict(instance: Instance, name: str, answer: FactAnswer, status: Status) -> FactVerdict:
    line, column = place_of(instance.lines, (name,))
    return FactVerdict(
        name, status, instance.facts[name], answer.value, answer.certainty, answer.why, line, column
    )


def _strange_role(goals: dict[str, Any], game: Game) -> str | None:
    return next((role for role in goals if role not in game.roles), None)


def same(expected: Any, found: Any) -> bool:  # noqa: ANN401
    """Whether two values are the same as JSON: true is not 1, though 1.0 is; means are rounded."""
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(found, dict):
        is_like = isinstance(expected, dict) and expected.keys() == found.keys()
        return is_like and all(same(expected[key], found[key]) for key in found)
    if isinstance(found, list | tuple):
        is_like = isinstance(expected, list) and len(expected) == len(found)
        return is_like and all(map(same, expected, found))
    if isinstance(expected, float) or isinstance(found, float):
        are_numbers = isinstance(expected, int | float) and isinstance(found, int | float)
        return are_numbers and isclose(expected, found)
    return bool(expected == found)


def _same_moves(expected: list[str], found: list[str]) -> bool:
    return sorted(_canonical(expected)) == sorted(found)


def _canonical(moves: list[str]) -> Iterator[str]:
    return (str(read_term(move)) for move in moves)


def _same_heaps(expected: list[dict[str, Any]], found: list[dict[str, Any]]) -> bool:
    """Whether all heaps are named, and what is said of each is so."""
    known = {heap["fluent"]: heap for heap in found}
    return known.keys() == {heap["fluent"] for heap in expected} and all(
        same(value, known[heap["fluent"]][key]) for heap in expected for key, value in heap.items()
    )


_AGREE: dict[str, Callable[[Any, Any], bool]] = {"best": _same_moves, "heaps": _same_heaps}
