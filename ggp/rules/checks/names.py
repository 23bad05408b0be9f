"""One name, one meaning: arities, relations and functions, spellings."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.kif import Atom, Expr, Span, Term
from ggp.rules import keywords as kw
from ggp.rules.rule import Rule
from ggp.rules.sheet import Sheet

_Places = dict[str, dict[int, Span]]
"""For each name the first place with each number of arguments."""


def arities(sheet: Sheet) -> None:
    """One name, one arity; a name is a relation or a function, not both."""
    relations: _Places = {}
    functions: _Places = {}
    for rule in sheet.rules:
        for term, found in ((t, relations) for t in (rule.head, *rule.positive, *rule.negative)):
            if term.name not in kw.KEYWORDS:
                _note(sheet, rule, term, found)
            inner = list(term.args)
            while inner:
                arg = inner.pop()
                if arg.args:
                    _note(sheet, rule, arg, functions)
                    inner.extend(arg.args)
    for kind, table in (("relation", relations), ("function", functions)):
        for name, places in table.items():
            if len(places) > 1 and name not in sheet.explained:
                numbers = " and ".join(map(str, sorted(places)))
                message = f"{kind} {name} is used with {numbers} arguments"
                first, *others = sorted(places.values(), key=lambda span: span.start)
                related = [(span, "with another number here") for span in others]
                sheet.report.add(f"{kind}-arities", message, first, related=related)
    for name in [n for n in relations if n in functions and n not in sheet.explained]:
        first = min(relations[name].values(), key=lambda span: span.start)
        other = min(functions[name].values(), key=lambda span: span.start)
        message = f"{name} is used as a relation and as a function"
        hint = "a fluent is read with (true ...)"
        related = [(other, "a function here")]
        sheet.report.add("relation-and-function", message, first, hint=hint, related=related)


def _note(sheet: Sheet, rule: Rule, term: Term, table: _Places) -> None:
    places = table.setdefault(term.name, {})
    if len(term.args) not in places:
        places[len(term.args)] = sheet.place(rule, term)


def spellings(sheet: Sheet) -> None:
    """Two spellings of one name, or two names that differ by case alone, are often a slip."""
    are_apart = sheet.symbols.strict_case
    wanted = {text for found in sheet.symbols.variants.values() for text in found[1:]}
    everywhere: dict[str, list[Span]] = {}
    for atom in _atoms(sheet) if wanted else ():
        if atom.text in wanted:
            span = Span(sheet.source, atom.start, atom.end)
            everywhere.setdefault(atom.text, []).append(span)
    places = {text: spans[0] for text, spans in everywhere.items()}
    for first, variants in sheet.symbols.variants.items():
        others_told = ", ".join(variants[1:])
        message = f"{first} is also spelled {others_told}: taken as one name"
        if are_apart:
            message = f"{first} and {others_told} are different names: case is kept apart"
        spans = [places[text] for text in variants[1:] if text in places]
        span, *others = spans or [sheet.start]
        related = [(other, "and here") for other in others]
        edits = [(place, first) for text in variants[1:] for place in everywhere.get(text, ())]
        fix = sheet.fix(f"write {first} everywhere", *edits, safe=not are_apart) if edits else None
        sheet.report.add("two-spellings", message, span, related=related, fix=fix)


def _atoms(sheet: Sheet) -> Iterator[Atom]:
    """All symbols of the text as they are spelled, in order."""
    for form in sorted([*(c.form for c in sheet.clauses), *sheet.broken], key=lambda f: f.start):
        todo: list[Expr] = [form]
        while todo:
            expr = todo.pop()
            if isinstance(expr, Atom):
                yield expr
            else:
                todo.extend(reversed(expr.items))
