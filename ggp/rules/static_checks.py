"""The static rules of GDL: each check reads the rules and reports its faults.

Numbers in the docstrings are sections of the GDL specification (Love et al., LG-2006-01, 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ggp.kif import Span, SymbolTable, Term
from ggp.rules import keywords as kw
from ggp.rules.dependency import DependencyGraph
from ggp.rules.diagnostics import Report, Severity
from ggp.rules.rule import Rule, Signature, signature

TRUE, DOES = ("true", 1), ("does", 2)


@dataclass(frozen=True)
class Sheet:
    """What every check looks at."""

    rules: Sequence[Rule]
    graph: DependencyGraph
    symbols: SymbolTable
    report: Report

    def say(self, severity: Severity, code: str, span: Span, message: str, hint: str = "") -> None:
        """Report one fault."""
        self.report.add(severity, code, message, span, hint=hint)


def required_relations(sheet: Sheet) -> None:
    """A game needs a role, a legal move, a goal and an end."""
    have = {name for name, _ in sheet.graph.first}
    whole = Span(sheet.report.source, 0, min(1, len(sheet.report.source.text)))
    for name in ("role", "legal", "goal", "terminal"):
        if name not in have:
            sheet.say("error", f"no-{name}", whole, f"no rule or fact for '{name}'")


def roles(sheet: Sheet) -> None:
    """Roles are ground facts."""
    seen: set[Term] = set()
    for rule in sheet.rules:
        if rule.head.name == "role":
            if not rule.is_fact:
                sheet.say("error", "role-rule", rule.span, "roles are facts, not rules")
            elif rule.head in seen:
                sheet.say("warning", "duplicate-role", rule.span, f"{rule.head} stands twice")
            seen.add(rule.head)


def safety(sheet: Sheet) -> None:
    """Every variable of a head, a negation or an inequality is bound (definition 13)."""
    for rule in sheet.rules:
        bound = {name for atom in rule.positive for name in atom.variables()}
        for kind, names in _must_be_bound(rule):
            for name in dict.fromkeys(names):
                if name not in bound:
                    where = "in a fact" if rule.is_fact else f"in {kind}"
                    hint = f"add a positive atom with {name} to the body"
                    message = f"variable {name} {where} is bound by nothing"
                    sheet.say("error", "unsafe-variable", rule.span, message, hint)


def _must_be_bound(rule: Rule) -> Iterable[tuple[str, Iterable[str]]]:
    yield "the head", rule.head.variables()
    for atom in rule.negative:
        yield f"(not {atom})", atom.variables()
    for pairs in rule.distinct:
        yield "a 'distinct'", (v for pair in pairs for term in pair for v in term.variables())


def stratification(sheet: Sheet) -> None:
    """No relation depends on its own negation (definition 12).

    Relations that only do so with other arguments are accepted with a warning: the ground rules
    are stratified all the same, and eleven public sheets define one goal by another.
    """
    cycle = sheet.graph.negative_cycle()
    if not cycle:
        return
    span = sheet.graph.first[cycle[0]].span
    atoms = sheet.graph.negative_cycle_of_atoms()
    if atoms:
        chain = " <- ".join(map(str, atoms))
        sheet.say("error", "unstratified", span, f"negation in a cycle: {chain}")
    else:
        names = " <- ".join(name for name, _ in cycle)
        message = f"stratified by its arguments only: {names}"
        sheet.say("warning", "stratified-by-arguments", span, message)


def recursion(sheet: Sheet) -> None:
    """Recursion must not build ever larger terms (definition 15).

    In a rule of a cycle, each argument of a body atom of that cycle is ground, an argument of the
    head, or made of variables that an atom outside the cycle bounds. Cycles that build no terms at
    all, such as a transitive closure, are finite anyway and pass.
    """
    component = sheet.graph.component_of
    building = {component[signature(rule.head)] for rule in sheet.rules if _builds_terms(rule)}
    for rule in sheet.rules:
        if component[signature(rule.head)] not in building:
            continue
        here = component[signature(rule.head)]
        inside = [a for a in rule.positive if component.get(signature(a)) == here]
        outside = [a for a in rule.positive if component.get(signature(a)) != here]
        bounded = {name for atom in outside for name in atom.variables()}
        for atom in inside:
            for arg in atom.args:
                if not (arg in rule.head.args or bounded.issuperset(arg.variables())):
                    cycle = sheet.graph.path(signature(rule.head), [signature(rule.head)]) or []
                    names = " <- ".join(name for name, _ in cycle)
                    message = f"recursion may build ever larger terms through {arg}: {names}"
                    sheet.say("error", "unbounded-recursion", rule.span, message)


def _builds_terms(rule: Rule) -> bool:
    """Whether the head puts a variable into a compound term."""
    return any(arg.args and not arg.is_ground for arg in rule.head.args)


def dependencies(sheet: Sheet) -> None:
    """What holds in a state does not depend on moves; what holds at first on neither."""
    forbidden = {
        "init": (TRUE, DOES),
        "base": (TRUE, DOES),
        "input": (TRUE, DOES),
        "legal": (DOES,),
        "goal": (DOES,),
        "terminal": (DOES,),
    }
    for name, roots in forbidden.items():
        head = (name, kw.ARITY[name])
        path = sheet.graph.path(head, roots) if head in sheet.graph.first else None
        if path:
            chain = " <- ".join(step for step, _ in path)
            span = sheet.graph.first[head].span
            message = f"'{name}' depends on '{path[-1][0]}': {chain}"
            sheet.say("error", f"{name}-depends-on-{path[-1][0]}", span, message)


def goals(sheet: Sheet) -> None:
    """Goal values are integers from 0 to 100."""
    for rule in sheet.rules:
        if rule.head.name != "goal":
            continue
        value = rule.head.args[1]
        if value.is_variable:
            continue
        if value.args or not (value.name.isascii() and value.name.isdigit()):
            sheet.say("error", "goal-value", rule.span, f"goal value {value} is not an integer")
        elif len(value.name) > 9 or int(value.name) > 100:
            sheet.say("error", "goal-value", rule.span, f"goal value {value} is not in 0..100")


def role_arguments(sheet: Sheet) -> None:
    """The first argument of legal, goal, does, input and sees names a role where it is constant."""
    known = {rule.head.args[0] for rule in sheet.rules if rule.head.name == "role"}
    if not known:
        return
    for rule in sheet.rules:
        for atom in (rule.head, *rule.positive, *rule.negative):
            if atom.name in ("legal", "goal", "does", "input", "sees"):
                role = atom.args[0]
                if role.is_ground and role not in known:
                    message = f"{role} in {atom} is no role"
                    sheet.say("warning", "not-a-role", rule.span, message)


def arities(sheet: Sheet) -> None:
    """One name, one arity; a name is a relation or a function, not both."""
    relations: dict[str, set[int]] = {}
    functions: dict[str, set[int]] = {}
    place: dict[str, Span] = {}
    for rule in sheet.rules:
        for atom in (rule.head, *rule.positive, *rule.negative):
            if atom.name not in kw.KEYWORDS:
                relations.setdefault(atom.name, set()).add(len(atom.args))
                place.setdefault(atom.name, rule.span)
            for arg in atom.args:
                _collect_functions(arg, functions, place, rule.span)
    for kind, found in (("relation", relations), ("function", functions)):
        for name, sizes in found.items():
            if len(sizes) > 1:
                numbers = " and ".join(map(str, sorted(sizes)))
                message = f"{kind} {name} is used with {numbers} arguments"
                sheet.say("warning", f"{kind}-arities", place[name], message)
    for name in relations.keys() & functions.keys():
        message = f"{name} is used as a relation and as a function"
        hint = "a fluent is read with (true ...)"
        sheet.say("warning", "relation-and-function", place[name], message, hint)


def _collect_functions(
    term: Term, functions: dict[str, set[int]], place: dict[str, Span], span: Span
) -> None:
    if term.args:
        functions.setdefault(term.name, set()).add(len(term.args))
        place.setdefault(term.name, span)
    for arg in term.args:
        _collect_functions(arg, functions, place, span)


def undefined(sheet: Sheet) -> None:
    """Atoms that no rule or fact defines are false for ever; relations that nothing reads idle."""
    fluents = _fluents(sheet.rules, ("init", "next"))
    read: set[Signature] = set()
    for rule in sheet.rules:
        for atom in (*rule.positive, *rule.negative):
            relation = signature(atom)
            if relation != signature(rule.head):
                read.add(relation)
            if relation in sheet.graph.first or relation in (TRUE, DOES):
                continue
            hint = f"did you mean (true {atom})?" if relation in fluents else ""
            message = f"nothing defines {atom.name}/{len(atom.args)}: it is always false"
            sheet.say("warning", "undefined", rule.span, message, hint)
    changing = sheet.graph.depending_on([TRUE, DOES])
    for relation, rule in sheet.graph.first.items():
        if relation[0] not in kw.KEYWORDS and relation not in read:
            # A view of the state may be there for people or tools; an idle table is a slip.
            severity: Severity = "note" if relation in changing else "warning"
            sheet.say(severity, "unused", rule.span, f"nothing uses {relation[0]}/{relation[1]}")


def fluents_and_relations(sheet: Sheet) -> None:
    """`true`, `init` and `next` go around fluents, which are no relations of the sheet."""
    made = _fluents(sheet.rules, ("init", "next"))
    if None in made:
        return
    for rule in sheet.rules:
        for atom in (*rule.positive, *rule.negative):
            if atom.name != "true" or atom.args[0].is_variable:
                continue
            inner = signature(atom.args[0])
            if inner not in made:
                derived = inner in sheet.graph.first
                hint = f"{inner[0]} is a relation: write {atom.args[0]}" if derived else ""
                message = f"no init or next makes {atom.args[0]}: (true ...) is always false"
                sheet.say("warning", "never-true", rule.span, message, hint)


def _fluents(rules: Sequence[Rule], wrappers: tuple[str, ...]) -> set[Signature | None]:
    """Signatures of the fluents in heads of `wrappers`; None among them for a bare variable."""
    heads = [rule.head.args[0] for rule in rules if rule.head.name in wrappers]
    return {None if term.is_variable else signature(term) for term in heads}


def spellings(sheet: Sheet) -> None:
    """Names are folded case-insensitively; two spellings of one are often a slip."""
    whole = Span(sheet.report.source, 0, min(1, len(sheet.report.source.text)))
    for first, variants in sheet.symbols.variants.items():
        message = f"{first} is also spelled {', '.join(variants[1:])}: taken as one name"
        sheet.say("warning", "two-spellings", whole, message)


CHECKS: tuple[Callable[[Sheet], None], ...] = (
    required_relations,
    roles,
    safety,
    stratification,
    recursion,
    dependencies,
    goals,
    role_arguments,
    arities,
    undefined,
    fluents_and_relations,
    spellings,
)
