"""All that can be said of one sheet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ggp.kif import Source, read_sheet
from ggp.limits import DEFAULT, Budget, Limits
from ggp.lint.question import PlayQuestion
from ggp.rules import Diagnostic, examine
from ggp.rules.diagnostics import in_order

STATIC_SECONDS = 60.0
"""For the text of one sheet."""

DEEP_SECONDS = 20.0
"""For looking at the play of one sheet."""


@dataclass(frozen=True)
class CheckedSheet:
    """The diagnostics of one sheet in the order of their places; `questions` about its play, if
    they were asked and it has no errors."""

    source: Source
    diagnostics: tuple[Diagnostic, ...]
    questions: tuple[PlayQuestion, ...] = ()


def check_source(
    source: Source, *, deep: bool = False, strict_case: bool = False, limits: Limits = DEFAULT
) -> CheckedSheet:
    """Check a sheet; with `deep` also how it plays, if it has no errors.

    Raises `LimitReached` for a text that is too large, `InputError` for an answer-set program.
    """
    # Time is for looking at play; the text is looked at in any case.
    with Budget(replace(limits, seconds=max(limits.seconds, STATIC_SECONDS))).in_force():
        rules = examine(source, strict_case=strict_case, limits=limits)
    if not deep:
        return CheckedSheet(source, rules.diagnostics)
    if rules.errors:
        asked = PlayQuestion("there are faults of play", None, "unknown", "the sheet has errors")
        return CheckedSheet(source, rules.diagnostics, (asked,))
    from ggp.lint.deep import deep as look_deep

    found = look_deep(rules, replace(limits, seconds=min(limits.seconds, DEEP_SECONDS)))
    return CheckedSheet(source, in_order((*rules.diagnostics, *found.diagnostics)), found.questions)


def check(
    what: str | Path, *, deep: bool = False, strict_case: bool = False, limits: Limits = DEFAULT
) -> list[Diagnostic]:
    """The faults of a sheet, given as a path or as its text, in the order of their places.

    A text is told from a path by a parenthesis or a line end. `deep` looks at play as well.
    Remarks that are only made where they are asked for are left out. Raises `InputError` for a
    file that cannot be read, `LimitReached` for a text that is too large.

    >>> [str(d) for d in check("(role white) (init on) (legal white go) (goal white 0)")]
    ["<text>:1:1: error: no rule or fact for 'terminal' [GDL304 no-terminal]"]
    """
    is_text = isinstance(what, str) and ("(" in what or "\n" in what)
    source = Source("<text>", str(what)) if is_text else read_sheet(what, {}, limits)
    found = check_source(source, deep=deep, strict_case=strict_case, limits=limits)
    return [d for d in found.diagnostics if d.is_by_default]
