"""Unfolding: static relations with variables of their own are written out where they are asked for.

A relation of four pieces that have something in common is ground as a table of all such pieces, and
a rule that asks it about four squares as one alternative for each row. Written out into that rule
(Tamaki and Sato, "Unfold/fold transformation of logic programs", ICLP 1984) what the pieces have in
common is a variable of the rule, by which its decomposition tells the squares apart. What the rules
mean does not change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ggp.kif import Term
from ggp.rules import DependencyGraph, Rule, Signature, signature

MAX_RULES = 8
"""Of a relation that is written out, and of what one rule may become."""

JOINED = 3
"""Atoms that change of which a relation is about each, from which on it is written out: of two
there are as many pairs as the rules of a board have anyway."""


def unfolded(rules: Sequence[Rule], changing: Collection[Signature]) -> list[Rule] | None:
    """The rules, with atoms written out of relations that are not `changing` in those that are.

    Only relations with variables in their bodies that their heads do not have, that do not rest on
    themselves, and where they join `JOINED` atoms or more; None where there are none.
    """
    of: dict[Signature, list[Rule]] = {}
    for rule in rules:
        of.setdefault(signature(rule.head), []).append(rule)
    graph = DependencyGraph.of(rules)
    tables = {
        relation: own
        for relation, own in of.items()
        if relation not in changing
        and len(own) <= MAX_RULES
        and any(_hides(rule) for rule in own)
        and all(_is_plain(rule.head) for rule in own)
        and relation not in graph.needed_by(signature(a) for rule in own for a in _atoms(rule))
    }
    found: list[Rule] = []
    for rule in rules:
        if signature(rule.head) in changing:
            found += _written_out(rule, tables, changing)
        else:
            found.append(rule)
    return found if found != list(rules) else None


def _atoms(rule: Rule) -> Iterable[Term]:
    return (*rule.positive, *rule.negative)


def _hides(rule: Rule) -> bool:
    """Whether the body has variables that the head has not."""
    inside = {v for atom in _atoms(rule) for v in atom.variables()}
    return not inside <= set(rule.head.variables())


def _is_plain(head: Term) -> bool:
    """Whether the arguments are variables, each another one."""
    return all(x.is_variable for x in head.args) and len(set(head.args)) == len(head.args)


def _written_out(
    rule: Rule, tables: Mapping[Signature, Sequence[Rule]], changing: Collection[Signature]
) -> list[Rule]:
    """What a rule becomes; the rule itself where that is too much."""
    found = [rule]
    asked = [set(x.variables()) for x in rule.positive if signature(x) in changing]
    for number, atom in enumerate(rule.positive):
        own = tables.get(signature(atom), ())
        joined = sum(not names.isdisjoint(atom.variables()) for names in asked)
        if own and joined >= JOINED and len(found) * len(own) <= MAX_RULES:
            found = [_with(each, atom, other, number) for each in found for other in own]
    return found


def _with(rule: Rule, atom: Term, other: Rule, number: int) -> Rule:
    """A rule with the body of another one in place of an atom. No name in a sheet has a blank."""
    names = {v for x in (other.head, *_atoms(other)) for v in x.variables()}
    apart = {v: Term(f"{v} {number}") for v in names}
    binding = {apart[v.name].name: x for v, x in zip(other.head.args, atom.args, strict=True)}

    def told(term: Term) -> Term:
        return term.substitute(apart).substitute(binding)

    positive = [x for x in rule.positive if x is not atom]
    return Rule(
        rule.head,
        (*positive, *map(told, other.positive)),
        (*rule.negative, *map(told, other.negative)),
        (*rule.distinct, *(tuple((told(a), told(b)) for a, b in x) for x in other.distinct)),
        rule.span,
    )
