"""Decomposition of rule bodies: joins with many variables become chains of small joins.

A variable that the head does not need is eliminated along the join graph: the literals that mention
it go into a rule of their own, whose head keeps the other variables (bucket elimination, Dechter
1999; for answer-set grounding, Bichler, Morak and Woltran, "lpopt", 2016). A rule over n variables
with bags of at most w grounds to the order of d^w instances instead of d^n. Equal helper rules are
shared. What the rules mean does not change.

A helper rule may cut a variable off from the atom that bound it; it is then bound by a *domain*
relation, a projection of that atom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ggp.kif import Term
from ggp.rules import Inequality, Rule

_HELPER = " helper "
_DOMAIN = " domain "
"""No symbol of a sheet has a blank in it, so that no name can collide."""


@dataclass(frozen=True)
class _Literal:
    """One part of a body with its variables."""

    kind: str  # "positive", "negative" or "distinct"
    content: Term | Inequality
    variables: frozenset[str]


class Decomposition:
    """Decomposes rules, sharing helpers among those of one run and domains among all.

    `domains` hold the projections that bind cut-off variables: they are to be computed once, over
    everything that is reachable, and used as facts.
    """

    def __init__(self) -> None:
        self.domains: list[Rule] = []
        self._rules: list[Rule] = []
        self._helpers: dict[tuple[object, ...], str] = {}
        self._domain_of: dict[tuple[Term, str], str] = {}
        self._made = 0

    def run(self, rules: Iterable[Rule]) -> list[Rule]:
        """The rules decomposed, helper rules among them."""
        self._rules, self._helpers = [], {}
        for rule in rules:
            for part in _open_inequalities(rule):
                self._add(part)
        return self._rules

    def _add(self, rule: Rule) -> None:
        wanted = frozenset(rule.head.variables())
        literals = _literals(rule)
        while True:
            bag = _cheapest_bag(literals, wanted)
            if bag is None:
                break
            inside = [x for x in literals if x.variables & bag.eliminated]
            helper = self._helper(rule, inside, bag)
            literals = [x for x in literals if not (x.variables & bag.eliminated)]
            literals.append(_Literal("positive", helper, frozenset(helper.variables())))
        self._rules.append(self._rule(rule, rule.head, literals))

    def _helper(self, rule: Rule, inside: Sequence[_Literal], bag: _Bag) -> Term:
        """The atom that stands for `inside` with the variables of the bag that are kept."""
        kept = tuple(Term(name) for name in sorted(bag.variables - bag.eliminated))
        body = self._bound(rule, inside)
        renaming = {term.name: Term(f"?k{i}") for i, term in enumerate(kept)}
        shape = _shape(body, renaming)
        if shape not in self._helpers:
            self._made += 1
            self._helpers[shape] = f"{_HELPER}{self._made}"
            self._rules.append(self._rule(rule, Term(self._helpers[shape], kept), body))
        return Term(self._helpers[shape], kept)

    def _bound(self, rule: Rule, body: Sequence[_Literal]) -> list[_Literal]:
        """`body` with a domain atom for every variable that no positive literal of it binds."""
        bound = {v for x in body if x.kind == "positive" for v in x.variables}
        missing = sorted({v for x in body for v in x.variables} - bound)
        return [*body, *(self._domain(rule, name) for name in missing)]

    def _domain(self, rule: Rule, name: str) -> _Literal:
        """A literal that binds one variable to the values that some atom of the rule gives it."""
        atoms = [atom for atom in rule.positive if name in atom.variables()]
        atom = min(atoms, key=lambda a: (len(set(a.variables())), str(a)))
        others = {v: Term(f"?o{i}") for i, v in enumerate(dict.fromkeys(atom.variables()))}
        pattern = atom.substitute(others)
        key = (pattern, others[name].name)
        if key not in self._domain_of:
            self._domain_of[key] = f"{_DOMAIN}{len(self._domain_of)}"
            head = Term(self._domain_of[key], (others[name],))
            self.domains.append(Rule(head, (pattern,), (), (), rule.span))
        domain = Term(self._domain_of[key], (Term(name),))
        return _Literal("positive", domain, frozenset([name]))

    def _rule(self, rule: Rule, head: Term, literals: Sequence[_Literal]) -> Rule:
        needed = [*literals, _Literal("negative", head, frozenset(head.variables()))]
        body = [x for x in self._bound(rule, needed) if x.content is not head]
        return Rule(
            head,
            tuple(x.content for x in body if x.kind == "positive" and isinstance(x.content, Term)),
            tuple(x.content for x in body if x.kind == "negative" and isinstance(x.content, Term)),
            tuple(x.content for x in body if isinstance(x.content, tuple)),
            rule.span,
        )


@dataclass(frozen=True)
class _Bag:
    """Variables of one helper rule, and those among them that it does away with."""

    variables: frozenset[str]
    eliminated: frozenset[str]


def _literals(rule: Rule) -> list[_Literal]:
    found = [_Literal("positive", a, frozenset(a.variables())) for a in rule.positive]
    found += [_Literal("negative", a, frozenset(a.variables())) for a in rule.negative]
    for pairs in rule.distinct:
        names = frozenset(v for pair in pairs for term in pair for v in term.variables())
        found.append(_Literal("distinct", pairs, names))
    return found


def _open_inequalities(rule: Rule) -> list[Rule]:
    """The rule, or one for each inequality of a disjunction where that makes smaller joins.

    A disjunction of inequalities ties all its variables into one bag; if the bags of the rule
    shrink without it, the disjunction is written out.
    """
    wide = [pairs for pairs in rule.distinct if len(pairs) > 1]
    if len(wide) != 1 or _width(rule) <= 3:
        return [rule]
    others = tuple(pairs for pairs in rule.distinct if len(pairs) == 1)
    parts = [
        Rule(rule.head, rule.positive, rule.negative, (*others, (pair,)), rule.span)
        for pair in wide[0]
    ]
    return parts if max(map(_width, parts)) < _width(rule) else [rule]


def _width(rule: Rule) -> int:
    """The size of the largest bag that decomposing the rule makes."""
    wanted = frozenset(rule.head.variables())
    literals = _literals(rule)
    width = 0
    while True:
        bag = _cheapest_bag(literals, wanted)
        if bag is None:
            return max(width, len(wanted.union(*(x.variables for x in literals))))
        width = max(width, len(bag.variables))
        literals = [x for x in literals if not (x.variables & bag.eliminated)]
        kept = bag.variables - bag.eliminated
        literals.append(_Literal("positive", Term("x"), kept))


def _cheapest_bag(literals: Sequence[_Literal], wanted: frozenset[str]) -> _Bag | None:
    """The smallest bag that does away with a variable and is smaller than the whole rule."""
    everything = wanted.union(*(x.variables for x in literals))
    best: tuple[int, int, str, _Bag] | None = None
    for name in sorted(everything - wanted):
        bag = frozenset().union(*(x.variables for x in literals if name in x.variables))
        gone = frozenset(
            v for v in bag - wanted if all(x.variables <= bag for x in literals if v in x.variables)
        )
        key = (len(bag), -len(gone), name, _Bag(bag, gone))
        if best is None or key[:3] < best[:3]:
            best = key
    if best is None or best[0] >= len(everything):
        return None
    return best[3]


def _shape(body: Iterable[_Literal], renaming: dict[str, Term]) -> tuple[object, ...]:
    """A body up to the names of its variables, in the order in which it is written."""
    names = dict(renaming)

    def rename(term: Term) -> Term:
        if term.is_variable:
            return names.setdefault(term.name, Term(f"?e{len(names)}"))
        return Term(term.name, tuple(rename(arg) for arg in term.args))

    shape: list[object] = [len(renaming)]
    for literal in body:
        content = literal.content
        if isinstance(content, Term):
            shape.append((literal.kind, rename(content)))
        else:
            shape.append((literal.kind, tuple((rename(a), rename(b)) for a, b in content)))
    return tuple(shape)
