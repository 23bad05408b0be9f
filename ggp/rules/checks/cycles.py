"""What rests on what: negation in cycles, recursion without end, and what depends on moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ggp.kif import Span, Term
from ggp.rules import keywords as kw
from ggp.rules.rule import Rule, Signature, signature
from ggp.rules.sheet import Sheet

TRUE, DOES = ("true", 1), ("does", 2)


def stratification(sheet: Sheet) -> None:
    """No relation depends on its own negation (definition 12).

    Relations that only do so with other arguments are accepted with a warning: the ground rules
    are stratified all the same, and eleven public sheets define one goal by another.
    """
    cycle = sheet.graph.negative_cycle()
    if not cycle:
        return
    steps = list(_steps(sheet, cycle))
    span = steps[0][0] if steps else sheet.head(sheet.graph.first[cycle[0]])
    atoms = sheet.graph.negative_cycle_of_atoms()
    if atoms:
        chain = " <- ".join(map(str, atoms))
        message = f"negation in a cycle: {chain}"
        hint = "whether it holds would rest on its not holding, as far as the rules alone tell"
        sheet.report.add("unstratified", message, span, hint=hint, related=steps[1:])
    else:
        names = " <- ".join(name for name, _ in cycle)
        message = f"stratified by its arguments only: {names}"
        sheet.report.add("stratified-by-arguments", message, span, related=steps[1:])


def _steps(sheet: Sheet, cycle: Sequence[Signature]) -> Iterator[tuple[Span, str]]:
    """Where each relation of a chain rests on the next one."""
    for head, other in pairwise(cycle):
        found = _step(sheet, head, other)
        if found:
            rule, atom, is_negative = found
            words = f"(not {atom})" if is_negative else str(atom)
            place = sheet.place(rule, atom, ["not"] if is_negative else None)
            yield place, f"{head[0]} rests on {words}"


def _step(sheet: Sheet, head: Signature, other: Signature) -> tuple[Rule, Term, bool] | None:
    """A rule for `head` with an atom of `other`, a negated one if there is one."""
    found = None
    for rule in sheet.rules:
        if signature(rule.head) != head:
            continue
        for atom in rule.negative:
            if signature(atom) == other:
                return rule, atom, True
        for atom in rule.positive:
            if found is None and signature(atom) == other:
                found = rule, atom, False
    return found


def recursion(sheet: Sheet) -> None:
    """Recursion must not build ever larger terms (definition 15).

    In a rule of a cycle, each argument of a body atom of that cycle is ground, an argument of the
    head, or made of variables that an atom outside the cycle bounds. Cycles that build no terms at
    all, such as a transitive closure, are finite anyway and pass.
    """
    component = sheet.graph.component_of
    building = {component[signature(rule.head)] for rule in sheet.rules if _builds_terms(rule)}
    for rule in sheet.rules:
        here = component[signature(rule.head)]
        if here not in building:
            continue
        inside = [a for a in rule.positive if component.get(signature(a)) == here]
        outside = [a for a in rule.positive if component.get(signature(a)) != here]
        bounded = {name for atom in outside for name in atom.variables()}
        for atom in inside:
            for arg in atom.args:
                if not (arg in rule.head.args or bounded.issuperset(arg.variables())):
                    _ever_larger(sheet, rule, atom, arg)


def _ever_larger(sheet: Sheet, rule: Rule, atom: Term, arg: Term) -> None:
    relation = signature(rule.head)
    cycle = sheet.graph.path(relation, [relation]) or []
    names = " <- ".join(name for name, _ in cycle)
    message = f"recursion may build ever larger terms through {arg}: {names}"
    hint = f"bound {arg} by an atom that is not part of the recursion"
    span = sheet.place(rule, atom)
    related = list(_steps(sheet, cycle)) if len(cycle) > 2 else []
    sheet.report.add("unbounded-recursion", message, span, hint=hint, related=related)


def _builds_terms(rule: Rule) -> bool:
    """Whether the head puts a variable into a compound term."""
    return any(arg.args and not arg.is_ground for arg in rule.head.args)


_FORBIDDEN = {
    "init": (TRUE, DOES),
    "base": (TRUE, DOES),
    "input": (TRUE, DOES),
    "legal": (DOES,),
    "goal": (DOES,),
    "terminal": (DOES,),
}


def dependencies(sheet: Sheet) -> None:
    """What holds in a state does not depend on moves; what holds at first on neither."""
    for name, roots in _FORBIDDEN.items():
        head = (name, kw.ARITY[name])
        if head not in sheet.heads:
            continue
        reaching = sheet.graph.depending_on(roots)
        for rule in sheet.rules:
            if signature(rule.head) != head:
                continue
            for atom in (*rule.positive, *rule.negative):
                if signature(atom) in reaching:
                    _dependent(sheet, rule, atom, roots)


def _dependent(sheet: Sheet, rule: Rule, atom: Term, roots: Sequence[Signature]) -> None:
    name, first = rule.head.name, signature(atom)
    rest = [first] if first in roots else sheet.graph.path(first, roots) or [first]
    chain = " <- ".join((name, *(step for step, _ in rest)))
    message = f"'{name}' depends on '{rest[-1][0]}': {chain}"
    related = list(_steps(sheet, rest))
    span = sheet.place(rule, atom)
    sheet.report.add(f"{name}-depends", message, span, related=related, cause=chain)
