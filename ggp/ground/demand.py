"""Derived relations only for the arguments that they are asked for with ("magic sets").

A relation that counts the stones on four squares is asked for one list of squares; grounding it
from below makes it for every four. Here each derived relation has positions that are bound wherever
it is asked for: by constants, by arguments of the relation that asks, or by what stands before. The
tuples at these positions that it may be asked for are a relation of their own, its *demand*, which
its rules get as one more condition (Bancilhon, Maier, Sagiv and Ullman, "Magic sets and other
strange ways to implement logic programs", 1986; Beeri and Ramakrishnan, "On the power of magic",
1991).

Demands are computed where negation of what changes has been dropped, and then are facts: the rules
stay stratified, and none that play can come to ask for is missing. Every atom that the game is made
of (what is legal, what comes next, the ends, the goals) is derived exactly as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ggp.kif import Term
from ggp.rules import DependencyGraph, Rule, RuleSet, Signature, signature

_DEMAND = " demand "
"""No symbol of a sheet has a blank in it, so that no name can collide."""

_KEYWORDS = frozenset(
    ["role", "init", "true", "does", "next", "legal", "goal", "terminal", "sees", "base", "input"]
)


@dataclass(frozen=True)
class Demanded:
    """Rules with demands as conditions, and the rules of the demands."""

    rules: list[Rule]
    demands: list[Rule]


def demanded(rules: RuleSet, changing: frozenset[Signature]) -> Demanded:
    """The rules of a game, each derived relation restricted to what it is asked for.

    `changing`: the relations that depend on the state or on moves.
    """
    restricted = _restricted(rules, changing)
    bound = _bound_positions(rules.rules, restricted)
    asked: dict[Rule, None] = {}
    for rule in rules.rules:
        for demand in _asked_by(rule, bound):
            asked.setdefault(demand)
    return Demanded([_on_demand(rule, bound) for rule in rules.rules], list(asked))


def _restricted(rules: RuleSet, changing: frozenset[Signature]) -> set[Signature]:
    """The relations that may be restricted: derived, and of no meaning to others, as static pairs
    are (chains of numbers). Nor what a negation of what never changes rests on: it stays when
    demands are computed, and none may rest on its own negation."""
    graph = DependencyGraph.of(rules.rules)
    derived = {signature(rule.head) for rule in rules.rules if not rule.is_fact}
    negated = {signature(a) for rule in rules.rules for a in rule.negative} - changing
    return {
        relation
        for relation in derived - graph.needed_by(negated)
        if relation[1] and relation[0] not in _KEYWORDS
        if relation[1] != 2 or relation in changing
    }


def _bound_positions(
    rules: Sequence[Rule], restricted: set[Signature]
) -> dict[Signature, tuple[int, ...]]:
    """Of each restricted relation the positions at which every atom of it in a body is bound: the
    greatest such sets, as one relation's positions bind those of others."""
    bound = {relation: tuple(range(relation[1])) for relation in restricted}
    while True:
        left = {relation: set(positions) for relation, positions in bound.items()}
        for rule in rules:
            for atom, before in _in_order(rule, bound):
                relation = signature(atom)
                if relation in left:
                    known = _variables(before) | _given(rule, bound)
                    left[relation] &= {i for i in left[relation] if _is_bound(atom.args[i], known)}
        found = {relation: tuple(sorted(positions)) for relation, positions in left.items()}
        found = {relation: positions for relation, positions in found.items() if positions}
        if found == bound:
            return bound
        bound = found


def _is_bound(term: Term, known: set[str]) -> bool:
    """Whether a term is a constant or a known variable; larger terms might grow without end."""
    variables = set(term.variables())
    return not variables or (term.is_variable and variables <= known)


def _given(rule: Rule, bound: dict[Signature, tuple[int, ...]]) -> set[str]:
    """The variables of a rule that the demand of its head binds."""
    positions = bound.get(signature(rule.head), ())
    return _variables([rule.head.args[i] for i in positions])


def _variables(terms: Sequence[Term]) -> set[str]:
    return {name for term in terms for name in term.variables()}


def _in_order(
    rule: Rule, bound: dict[Signature, tuple[int, ...]]
) -> Iterator[tuple[Term, list[Term]]]:
    """The atoms of a body, each with those before it: those that bind most first, the others of
    restricted relations when most is bound, negated ones at the end."""
    known, left = _given(rule, bound), list(rule.positive)
    before: list[Term] = []

    def cost(atom: Term) -> tuple[bool, int]:
        unbound = len(set(atom.variables()) - known)
        return unbound > 0 and signature(atom) in bound, unbound

    while left:
        atom = min(left, key=cost)
        yield atom, list(before)
        left.remove(atom)
        before.append(atom)
        known.update(atom.variables())
    for atom in rule.negative:
        yield atom, list(before)


def _asked_by(rule: Rule, bound: dict[Signature, tuple[int, ...]]) -> Iterator[Rule]:
    """The rules of demands that a rule makes by what it asks for."""
    given = [_demand(rule.head, bound)] if signature(rule.head) in bound else []
    for atom, before in _in_order(rule, bound):
        if signature(atom) in bound:
            head = _demand(atom, bound)
            body = [*given, *_connected(before, set(head.variables()))]
            if head not in body:
                yield Rule(head, tuple(body), (), (), rule.span)


def _connected(atoms: Sequence[Term], wanted: set[str]) -> list[Term]:
    """The atoms that share a variable with those that are wanted, or with such an atom."""
    found: list[Term] = []
    left = list(atoms)
    while True:
        more = [atom for atom in left if wanted.intersection(atom.variables())]
        if not more:
            return found
        found += more
        left = [atom for atom in left if atom not in more]
        wanted = wanted | _variables(more)


def _on_demand(rule: Rule, bound: dict[Signature, tuple[int, ...]]) -> Rule:
    if signature(rule.head) not in bound:
        return rule
    positive = (_demand(rule.head, bound), *rule.positive)
    return Rule(rule.head, positive, rule.negative, rule.distinct, rule.span)


def _demand(atom: Term, bound: dict[Signature, tuple[int, ...]]) -> Term:
    """The atom that says that `atom` is asked for."""
    name, arity = signature(atom)
    args = tuple(atom.args[i] for i in bound[name, arity])
    return Term(f"{_DEMAND}{arity} {name}", args)
