"""A rule set seen as relations to be asked: facts, rules, and what each relation depends on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal as Choice

from ggp.deduce.interning import Interner, Shape
from ggp.kif import Term
from ggp.rules import DependencyGraph, Inequality, Rule, Signature, signature

STATIC, STATE, MOVE = 0, 1, 2
"""What the answers of a relation depend on: nothing, the state, or the moves too."""

_TRUE, _DOES = ("true", 1), ("does", 2)

Kind = Choice["facts", "fluent", "holds", "does", "call", "distinct"]


@dataclass(frozen=True)
class BodyLiteral:
    """One condition of a body.

    `facts`: a relation that is a table of the sheet; `fluent`: `(true (f …))`, with the arguments
    of `f`; `holds`: `(true ?x)`; `does`; `call`: a relation with rules; `distinct`: `pairs`, one of
    which must differ. `recursive` marks a call of the component that the rule's head belongs to.
    `names` has the variables of each argument, as often as they occur in it.
    """

    kind: Kind
    relation: Signature
    args: tuple[Term, ...]
    negated: bool = False
    recursive: bool = False
    pairs: Inequality = ()
    variables: frozenset[str] = field(default=frozenset())
    names: tuple[tuple[str, ...], ...] = ()


class RelationalProgram:
    """The relations of a rule set; constants become numbers of `terms`."""

    def __init__(self, rules: Sequence[Rule], terms: Interner) -> None:
        self.terms = terms
        self.graph = DependencyGraph.of(rules)
        self._on_state = self.graph.depending_on([_TRUE])
        self._on_moves = self.graph.depending_on([_DOES])
        self.facts: dict[Signature, list[Shape]] = {}
        self.rules: dict[Signature, list[Rule]] = {}
        for rule in rules:
            relation = signature(rule.head)
            if rule.is_fact:
                row = tuple(map(terms.id, rule.head.args))
                self.facts.setdefault(relation, []).append(row)
            else:
                self.rules.setdefault(relation, []).append(rule)

    def level(self, relation: Signature) -> int:
        """What the answers of a relation depend on."""
        if relation in self._on_moves:
            return MOVE
        return STATE if relation in self._on_state else STATIC

    def is_recursive(self, relation: Signature) -> bool:
        """Whether a relation depends on itself."""
        return self._same(relation, self.graph.edges.get(relation, ()))

    def _same(self, relation: Signature, others: Iterable[Signature]) -> bool:
        component = self.graph.component_of
        own = component.get(relation)
        return own is not None and any(component.get(other) == own for other in others)

    def body(self, rule: Rule) -> list[BodyLiteral]:
        """The conditions of a rule, in the order in which they are written."""
        head = signature(rule.head)
        found = [self._literal(head, atom, negated=False) for atom in rule.positive]
        found += [self._literal(head, atom, negated=True) for atom in rule.negative]
        for pairs in rule.distinct:
            names = frozenset(v for pair in pairs for term in pair for v in term.variables())
            found.append(BodyLiteral("distinct", ("distinct", 2), (), pairs=pairs, variables=names))
        return found

    def table(self, relation: Signature) -> BodyLiteral:
        """A literal for all rows of a relation's facts, over variables of its own."""
        args = tuple(Term(f"?{i}") for i in range(relation[1]))
        names = tuple((arg.name,) for arg in args)
        variables = frozenset(arg.name for arg in args)
        return BodyLiteral("facts", relation, args, variables=variables, names=names)

    def _literal(self, head: Signature, atom: Term, *, negated: bool) -> BodyLiteral:
        relation, args = signature(atom), atom.args
        kind: Kind = "call" if relation in self.rules else "facts"
        if relation == _TRUE and args[0].is_variable:
            kind = "holds"
        elif relation == _TRUE:
            kind, relation, args = "fluent", signature(args[0]), args[0].args
        elif relation == _DOES:
            kind = "does"
        recursive = kind == "call" and self._same(head, [relation])
        names = tuple(tuple(arg.variables()) for arg in args)
        variables = frozenset(name for own in names for name in own)
        return BodyLiteral(
            kind, relation, args, negated, recursive, variables=variables, names=names
        )
