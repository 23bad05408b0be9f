"""Sheets with a fault mended, to tell what follows from it.

A fault of play follows from another one if it is gone where that one is mended: so causes are told
by experiment in debugging (Zeller, *Isolating cause-effect chains*, 2002).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ggp.errors import GgpError
from ggp.kif import Source, Term
from ggp.limits import Limits
from ggp.lint.fixes import fixed
from ggp.lint.vanishing import PlaceRelation
from ggp.rules import Diagnostic, Rule, RuleSet, examine, signature

PASSES = 5
"""Of correcting a text: some corrections can be made after others only."""


def corrected(rules: RuleSet, limits: Limits) -> RuleSet | None:
    """The rules with the corrections made that their warnings carry, line by line where they were;
    None where there are none, or where what comes out is no sound sheet."""
    source, found = rules.source, rules
    for _ in range(PASSES):
        text = fixed(source, filter(_is_of_lines, found.diagnostics), unsafe=True)
        if text == source.text:
            break
        source = Source(source.name, text, declared=source.declared)
        try:
            found = examine(source, strict_case=rules.symbols.strict_case, limits=limits)
        except GgpError:
            return None
        if found.errors:
            return None
    idle = {d.span.start for d in found.diagnostics if d.name == _UNFOUNDED}
    if idle:
        kept = tuple(rule for rule in found.rules if rule.span.start not in idle)
        return replace(found, rules=kept)
    return None if source is rules.source else found


_UNFOUNDED = "rule-without-body"
"""A rule that always holds; what it leads to is gone where it is left out."""


def _is_of_lines(warned: Diagnostic) -> bool:
    """Whether a diagnostic is a warning with a correction that changes what the rules mean, and
    leaves all lines where they are."""
    if warned.fix is None or warned.fix.safe or warned.name == _UNFOUNDED:
        return False
    spans = [edit.span for edit in warned.fix.edits]
    old = [span.source.text[span.start : span.end] for span in spans]
    kept = not any("\n" in text for text in [*old, *(edit.text for edit in warned.fix.edits)])
    return warned.severity == "warning" and bool(spans) and kept


def framed(rules: RuleSet, boards: Iterable[PlaceRelation]) -> RuleSet:
    """The rules in which each place of `boards` keeps what is on it until something else comes.

    Rules that keep a fluent of these relations as it is make way for one frame axiom each.
    """
    made = list(rules.rules)
    for number, board in enumerate(boards):
        made = _framed(made, board, _fresh(rules, number))
    return replace(rules, rules=tuple(made))


def _fresh(rules: RuleSet, number: int) -> str:
    """A name that the rules do not have."""
    name = f"changed{number}"
    while name in rules.names:
        name += "-"
    return name


def _framed(rules: list[Rule], board: PlaceRelation, name: str) -> list[Rule]:
    """Rules with the frame axiom of one relation; `name` says of a place that it changes."""
    mine = [rule for rule in rules if _makes(rule, board)]
    changing = [rule for rule in mine if Term("true", rule.head.args) not in rule.positive]
    changes = [replace(r, head=Term(name, _place(r.head.args[0], board))) for r in changing]
    kind, arity = board.relation
    fluent = Term(kind, tuple(Term(f"?x{i}") for i in range(arity)))
    held, moved = Term("true", (fluent,)), Term(name, _place(fluent, board))
    span = mine[0].span if mine else rules[0].span
    frame = Rule(Term("next", (fluent,)), (held,), (moved,), (), span)
    others = [rule for rule in rules if rule not in mine or rule in changing]
    return [*others, *changes, frame]


def _makes(rule: Rule, board: PlaceRelation) -> bool:
    """Whether a rule for `next` makes fluents of a board."""
    return rule.head.name == "next" and signature(rule.head.args[0]) == board.relation


def _place(fluent: Term, board: PlaceRelation) -> tuple[Term, ...]:
    """The arguments of a fluent that say where it is."""
    return (*fluent.args[: board.varying], *fluent.args[board.varying + 1 :])
