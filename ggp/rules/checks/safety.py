"""Safety: every variable of a head, a negation or an inequality is bound (definition 13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from ggp.kif import Span, Term
from ggp.rules import keywords as kw
from ggp.rules.rule import Rule
from ggp.rules.sheet import Sheet


@dataclass(frozen=True)
class _Use:
    """Variables that nothing binds, in the head, a negated atom or an inequality."""

    kind: str
    term: Term
    span: Span
    names: tuple[str, ...]


def safety(sheet: Sheet) -> None:
    """Report for each clause the variables that nothing binds, once each."""
    for _, rules in groupby(sheet.rules, key=lambda rule: rule.span.start):
        told: set[str] = set()
        for rule in rules:
            uses = [use for use in _uses(sheet, rule) if not told.issuperset(use.names)]
            while uses:
                first, *uses = uses
                related = [use for use in uses if set(first.names).issuperset(use.names)]
                uses = [use for use in uses if use not in related]
                told.update(first.names)
                _report(sheet, rule, first, related)


def _uses(sheet: Sheet, rule: Rule) -> Iterator[_Use]:
    bound = {name for atom in rule.positive for name in atom.variables()}
    head = _unbound(rule.head.variables(), bound)
    if head:
        kind = "a fact" if rule.is_fact else "the head"
        term = Term(head[0])
        yield _Use(kind, rule.head, sheet.place(rule, term), head)
    for atom in rule.negative:
        names = _unbound(atom.variables(), bound)
        if names:
            yield _Use(f"(not {atom})", atom, sheet.place(rule, atom, ["not"]), names)
    for pairs in rule.distinct:
        for left, right in pairs:
            names = _unbound((*left.variables(), *right.variables()), bound)
            if names:
                span = sheet.place(rule, Term("distinct", (left, right)))
                yield _Use("a 'distinct'", Term("distinct", (left, right)), span, names)


def _unbound(names: Iterable[str], bound: set[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if name not in bound)


def _report(sheet: Sheet, rule: Rule, use: _Use, related: Iterable[_Use]) -> None:
    names = use.names
    which = f"variable {names[0]}" if len(names) == 1 else f"variables {', '.join(names)}"
    verb = "is" if len(names) == 1 else "are"
    message = f"{which} in {use.kind} {verb} bound by nothing"
    places = [(other.span, f"{', '.join(other.names)} here too") for other in related]
    hint, text = _hint(rule, use)
    head = sheet.head(rule)
    fix = None
    if text:
        fix = sheet.fix(hint, (Span(sheet.source, head.end, head.end), f" {text}"))
    for atom in rule.positive:
        like = sheet.nearest(names[0], atom.variables())
        if like and len(names) == 1:
            hint = f"did you mean {like}?"
            places.append((sheet.place(rule, atom), f"{like} is bound here"))
            fix = None
            break
    sheet.report.add("unsafe-variable", message, use.span, hint=hint, related=places, fix=fix)


def _hint(rule: Rule, use: _Use) -> tuple[str, str]:
    """What to do, and the atom that could be added to the body."""
    head, name = rule.head, use.names[0]
    if use.kind == "a fact":
        return "a fact has no variables: write a rule, or a fact for each value", ""
    if len(use.names) == 1 and head.name in kw.ROLE_FIRST and head.args[0] == Term(name):
        return f"add (role {name}) to the body", f"(role {name})"
    if use.kind.startswith("(not"):
        some = f"some-{use.term.args[0].name if use.term.name == 'true' else use.term.name}"
        names = " ".join(use.names)
        return (
            f"'not' asks about given values: to say that there are none for {names}, define "
            f"(<= {some} {use.term}) and write (not {some})"
        ), ""
    return f"add a positive atom with {name} to the body", ""
