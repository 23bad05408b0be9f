"""Atoms that no head can match, because of one argument: a misspelt constant, mostly."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.kif import Term
from ggp.rules.checks.cycles import DOES, TRUE
from ggp.rules.diagnostics import Related
from ggp.rules.rule import Rule, Signature, signature
from ggp.rules.sheet import Sheet

MOST = 100
"""Names that are looked at for what to suggest."""


class _Columns:
    """For each argument of a relation what its heads have there: functors, or anything (None)."""

    def __init__(self, heads: Iterable[Term]) -> None:
        self.functors: list[set[Signature] | None] = []
        self.inner: list[dict[Signature, list[Term]]] = []
        for head in heads:
            if not self.functors:
                self.functors = [set() for _ in head.args]
                self.inner = [{} for _ in head.args]
            for i, arg in enumerate(head.args):
                if arg.is_variable:
                    self.functors[i] = None
                here = self.functors[i]
                if here is not None:
                    here.add(signature(arg))
                    if arg.args:
                        self.inner[i].setdefault(signature(arg), []).append(arg)
        self._below: dict[tuple[int, Signature], _Columns] = {}

    def below(self, i: int, functor: Signature) -> _Columns:
        """The columns of the compound terms of one functor in column `i`."""
        if (i, functor) not in self._below:
            self._below[i, functor] = _Columns(self.inner[i][functor])
        return self._below[i, functor]

    def misfit(self, atom: Term) -> tuple[Term, Term, set[Signature]] | None:
        """An argument that no head has in its place, the term it stands in, and what heads have."""
        for i, arg in enumerate(atom.args):
            here = self.functors[i]
            if here is None or arg.is_variable:
                continue
            if signature(arg) not in here:
                return arg, atom, here
            if arg.args:
                found = self.below(i, signature(arg)).misfit(arg)
                if found:
                    return found
        return None


def mismatches(sheet: Sheet) -> None:
    """Report the atoms of bodies of which one argument is in no head.

    Sound: such an atom can match no fact that the rules derive. Arguments of `true` are compared
    with `init` and `next`, those of `does` with `legal`.
    """
    columns: dict[Signature, _Columns] = {}
    for rule, atom in sheet.bodies():
        relation = signature(atom)
        if relation not in columns:
            columns[relation] = _Columns(_made(sheet, relation))
        if not columns[relation].functors or sheet.broken_names & {atom.name, *_inner(atom)}:
            continue
        found = columns[relation].misfit(atom)
        if found:
            _report(sheet, rule, atom, *found)


def _inner(atom: Term) -> list[str]:
    wrapped = {TRUE: 0, DOES: 1}.get(signature(atom))
    return [] if wrapped is None else [atom.args[wrapped].name]


def _made(sheet: Sheet, relation: Signature) -> list[Term]:
    """The heads that an atom of a body can match, with the atom's own name."""
    if relation == TRUE:
        heads = [*sheet.heads.get(("init", 1), ()), *sheet.heads.get(("next", 1), ())]
        return [Term("true", head.args) for head in heads]
    if relation == DOES:
        return [Term("does", head.args) for head in sheet.heads.get(("legal", 2), ())]
    return sheet.heads.get(relation, [])


def _report(
    sheet: Sheet, rule: Rule, atom: Term, arg: Term, outer: Term, others: set[Signature]
) -> None:
    if outer.name == "true" or (outer.name in ("does", "legal", "goal") and outer.args[0] == arg):
        return  # reported as a fluent that nothing makes, or as what is no role
    place = sheet.place(rule, arg, [outer.name])
    if outer.name == "does":
        message = f"no legal offers {arg}: {atom} is always false"
        name, cause = "unoffered-move", f"{arg.name}/{arg.arity} in {rule.span.start}"
    else:
        message = f"{atom} is always false: nothing makes it with {arg} there"
        name, cause = "never-matches", f"{outer.name} {arg} in {rule.span.start}"
    like = sheet.nearest(arg.name, (name for name, arity in others if arity == arg.arity))
    related: Related = ()
    if outer.name == "does" and arg.args and len(others) < MOST:
        moves = [name for name, arity in others if arity == arg.arity]
        like = moves[0] if len(moves) == 1 else like
        if like:
            related = _offered(sheet, (like, arg.arity))
    hint = f"did you mean {Term(like, arg.args)}?" if like else _choices(others)
    fix = sheet.renamed([place], arg.name, like) if like else None
    sheet.report.add(name, message, place, hint=hint, related=related, fix=fix, cause=cause)


def _offered(sheet: Sheet, move: Signature) -> Related:
    """Where a move is offered that no `does` reads, as another one was read for it."""
    if sheet.read_moves is None or move in sheet.read_moves:
        return ()
    sheet.mistaken.add(move)
    rule = next(r for r in sheet.rules_of["legal", 2] if signature(r.head.args[1]) == move)
    return ((sheet.place(rule, rule.head.args[1], ["legal"]), "this is offered, and never read"),)


def _choices(others: set[Signature]) -> str:
    if not 0 < len(others) < MOST:
        return ""
    names = sorted(name if not arity else f"{name}/{arity}" for name, arity in others)
    shown = ", ".join(names[:6])
    return f"what is made has {shown}{' …' if len(names) > 6 else ''} there"
