"""Faults of play that follow from another fault of the same sheet: they are not told again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ggp.limits import Limits
from ggp.lint.mending import corrected, framed
from ggp.lint.vanishing import PlaceRelation
from ggp.rules import Diagnostic, RuleSet

Broken = Sequence[tuple[Diagnostic, PlaceRelation]]
"""Faults of places that become empty, or have two fluents, and where."""

Look = Callable[[RuleSet], Sequence[Diagnostic] | None]
"""What finds the faults of play of mended rules; None where a limit keeps it from telling."""


def causes_only(
    rules: RuleSet, found: Sequence[Diagnostic], broken: Broken, look: Look, limits: Limits
) -> list[Diagnostic]:
    """The faults of play that are there for a reason of their own.

    Those that follow from a warning about the text with a correction, or from a place that becomes
    empty or has two fluents, are left out; errors among them stay, and say what to mend first.
    """
    left = list(found)
    mended = corrected(rules, limits) if left else None
    after = None if mended is None else look(mended)
    if after is not None and not _is_worse(after, found):
        left = _without(left, after, _first_corrected(rules))
    told = [(fault, board) for fault, board in broken if fault in left]
    if told and len(left) > len(told):
        after = look(framed(mended or rules, [board for _, board in told]))
        if after is not None:
            left = _led(left, after, [fault for fault, _ in told])
    return left


def _is_worse(after: Sequence[Diagnostic], before: Sequence[Diagnostic]) -> bool:
    """Whether a fault is there that was not: it may be why others are gone."""
    known = {(fault.name, line) for fault in before for line in _lines(fault)}
    return any(not any((f.name, line) in known for line in _lines(f)) for f in after)


def _led(
    found: Sequence[Diagnostic], after: Sequence[Diagnostic], causes: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """The same, of places that are kept `after`: what has consequences is a warning at least."""
    left = _without(found, [*after, *causes], causes[0])
    is_harmless = left == list(found)
    return [
        replace(fault, severity="warning")
        if fault in causes and fault.severity == "note" and not is_harmless
        else fault
        for fault in left
    ]


def _first_corrected(rules: RuleSet) -> Diagnostic:
    """The first warning with a correction, if there is one that changes what the rules mean."""
    fixable = [d for d in rules.diagnostics if d.severity == "warning" and d.fix]
    return next((d for d in fixable if d.fix and not d.fix.safe), fixable[0])


def _without(
    found: Sequence[Diagnostic], after: Sequence[Diagnostic], cause: Diagnostic
) -> list[Diagnostic]:
    """The faults that are still there `after` a cause is mended, and errors in any case."""
    still = {(fault.name, line) for fault in after for line in _lines(fault)}
    kept = []
    for fault in found:
        if any((fault.name, line) in still for line in _lines(fault)):
            kept.append(fault)
        elif fault.severity == "error":
            hint = f"it follows from what is said of line {cause.span.line}: mend that first"
            kept.append(replace(fault, hint=hint))
    return kept


def _lines(fault: Diagnostic) -> set[int]:
    """The lines that a fault is reported at."""
    return {fault.span.line, *(span.line for span, _ in fault.related)}
