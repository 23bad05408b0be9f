"""What is read and never made, or made and never read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.kif import Span, Term
from ggp.rules import keywords as kw
from ggp.rules.checks.cycles import DOES, TRUE
from ggp.rules.diagnostics import Related
from ggp.rules.rule import Rule, Signature, signature
from ggp.rules.sheet import Sheet

_IN_BODIES = ("true", "does", "distinct", "role", "legal", "goal", "terminal")
"""Keywords that a misspelt relation of a body may stand for."""


def fluents_and_relations(sheet: Sheet) -> None:
    """`true` goes around fluents, which are no relations of the sheet."""
    fluents = sheet.fluents
    if fluents is None:
        return
    for rule, atom in sheet.bodies():
        if atom.name != "true" or atom.args[0].is_variable:
            continue
        fluent = atom.args[0]
        if signature(fluent) in fluents or fluent.name in sheet.broken_names:
            continue
        if signature(fluent) in sheet.heads:
            _needless_true(sheet, rule, atom)
        else:
            _never_true(sheet, rule, atom, fluents)


def _needless_true(sheet: Sheet, rule: Rule, atom: Term) -> None:
    fluent = atom.args[0]
    sheet.explained.add(fluent.name)
    place = sheet.place(rule, atom)
    message = f"{fluent.name} is a relation and no fluent: {atom} is always false"
    fix = sheet.fix(f"write {fluent}", (place, str(fluent)))
    cause = f"{fluent.name} in {rule.span.start}"
    hint = f"write {fluent}"
    sheet.report.add("needless-true", message, place, hint=hint, fix=fix, cause=cause)


def _never_true(sheet: Sheet, rule: Rule, atom: Term, fluents: Iterable[Signature]) -> None:
    fluent = atom.args[0]
    place = sheet.place(rule, fluent, ["true"])
    cause = f"{fluent.name}/{fluent.arity} in {rule.span.start}"
    others = [arity for name, arity in fluents if name == fluent.name]
    hint, fix = "", None
    if others:
        sheet.explained.add(fluent.name)
        hint = f"elsewhere {fluent.name} has {' or '.join(map(str, sorted(others)))} arguments"
    like = sheet.nearest(fluent.name, [n for n, arity in fluents if arity == fluent.arity])
    if like and not others:
        meant = Term(like, fluent.args)
        hint, fix = f"did you mean {meant}?", sheet.renamed([place], fluent.name, like)
    message = f"no init or next makes {fluent}: {atom} is always false"
    sheet.report.add("never-true", message, place, hint=hint, fix=fix, cause=cause)


def undefined(sheet: Sheet) -> None:
    """Atoms that no rule or fact defines are false for ever."""
    fluents = sheet.fluents or frozenset()
    for rule, atom in sheet.bodies():
        relation = signature(atom)
        if relation in sheet.heads or relation in (TRUE, DOES) or atom.name in kw.KEYWORDS:
            continue
        if atom.name in sheet.broken_names:
            continue
        if relation in fluents:
            _missing_true(sheet, rule, atom)
        else:
            _undefined(sheet, rule, atom, fluents)


def _missing_true(sheet: Sheet, rule: Rule, atom: Term) -> None:
    sheet.explained.add(atom.name)
    place = sheet.place(rule, atom)
    message = f"{atom.name} is a fluent, and holds inside 'true' only: {atom} is always false"
    fix = sheet.fix(f"write (true {atom})", (place, f"(true {atom})"))
    cause = f"{atom.name} in {rule.span.start}"
    hint = f"write (true {atom})"
    sheet.report.add("missing-true", message, place, hint=hint, fix=fix, cause=cause)


def _undefined(sheet: Sheet, rule: Rule, atom: Term, fluents: Iterable[Signature]) -> None:
    place = sheet.place(rule, atom)
    arity = len(atom.args)
    known = sheet.arities.get(atom.name, [])
    hint, fix = "", None
    related: Related = ()
    cause = f"{atom.name}/{arity}"
    if known:
        sheet.explained.add(atom.name)
        first = sheet.graph.first[atom.name, known[0]]
        hint = f"it has {' or '.join(map(str, known))} arguments elsewhere"
        related = ((sheet.head(first), f"with {known[0]} here"),)
    elif like := sheet.nearest(atom.name, _relations(sheet, arity)):
        meant = Term(like, atom.args)
        hint, fix = f"did you mean {meant}?", sheet.renamed([place], atom.name, like)
    elif like := sheet.nearest(atom.name, (name for name, n in fluents if n == arity)):
        meant = Term("true", (Term(like, atom.args),))
        hint, fix = f"did you mean {meant}?", sheet.fix(f"write {meant}", (place, str(meant)))
    message = f"nothing defines {atom.name}/{arity}: it is always false"
    sheet.report.add("undefined", message, place, hint=hint, related=related, fix=fix, cause=cause)


def _relations(sheet: Sheet, arity: int) -> Iterator[str]:
    """The relations of a sheet, and the keywords of bodies, with so many arguments."""
    yield from (name for name, n in sheet.heads if n == arity and name not in kw.KEYWORDS)
    yield from (word for word in _IN_BODIES if kw.ARITY[word] == arity)


def unread(sheet: Sheet) -> None:
    """Report fluents that no rule reads."""
    read = set()
    for _, atom in sheet.bodies():
        if atom.name == "true":
            if atom.args[0].is_variable:
                return
            read.add(signature(atom.args[0]))
    names = [name for name, _ in read]
    for rule in sheet.rules:
        if rule.head.name not in ("init", "next") or rule.head.args[0].is_variable:
            continue
        fluent = rule.head.args[0]
        known = sheet.broken_names | sheet.explained
        if signature(fluent) in read or fluent.name in known or fluent.name in names:
            continue
        like = sheet.nearest(fluent.name, names)
        hint = f"did you mean {Term(like, fluent.args)}?" if like else ""
        message = f"no rule reads the fluent {fluent.name}/{fluent.arity}"
        place = sheet.place(rule, fluent, [rule.head.name])
        cause = f"{fluent.name}/{fluent.arity}"
        name = "misspelt-fluent" if like else "unread-fluent"
        fix = sheet.renamed([place], fluent.name, like) if like else None
        sheet.report.add(name, message, place, hint=hint, fix=fix, cause=cause)


def unused(sheet: Sheet) -> None:
    """Relations that nothing reads idle."""
    read = {
        signature(atom) for rule, atom in sheet.bodies() if signature(atom) != signature(rule.head)
    }
    changing = sheet.graph.depending_on([TRUE, DOES])
    missing = [word for word in kw.RELATIONS if (word, kw.ARITY[word]) not in sheet.heads]
    for relation, rule in sheet.graph.first.items():
        name, arity = relation
        if name in kw.KEYWORDS or relation in read or name in sheet.explained:
            continue
        if name in sheet.broken_names:
            continue
        like = sheet.nearest(
            name, [w for w in kw.NEVER_BODY | set(missing) if kw.ARITY[w] == arity]
        )
        like = like or _slip(sheet, relation)
        if like in kw.WRAPPERS and not rule.head.args[0].args:
            like = None  # `(int 1)` is a table of numbers rather than a fluent
        hint = f"did you mean {like}?" if like else ""
        fix = sheet.renamed(_heads(sheet, relation), name, like) if like else None
        # A view of the state may be there for people or tools; an idle table is a slip.
        kind = "unused-view" if relation in changing and not like else "unused"
        sheet.report.add(kind, f"nothing uses {name}/{arity}", sheet.head(rule), hint=hint, fix=fix)


def _slip(sheet: Sheet, relation: Signature) -> str | None:
    """A relation with as many arguments that another one is a slip of the pen of."""
    name, arity = relation
    like = sheet.slips.of(name)
    return like if like and (like, arity) in sheet.heads else None


def _heads(sheet: Sheet, relation: Signature) -> list[Span]:
    """Where the heads of a relation stand."""
    return list(dict.fromkeys(map(sheet.head, sheet.rules_of[relation])))
