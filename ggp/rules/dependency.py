"""Which relation depends on which: components, strata, and what hangs on the state or the moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ggp.graphs import find_cycle, strongly_connected_components
from ggp.kif import Term
from ggp.rules.normal import may_be_equal
from ggp.rules.rule import Rule, Signature, signature


@dataclass(frozen=True)
class DependencyGraph:
    """The dependencies of a set of rules; an edge leads from a head to each relation in its body.

    `positive` and `negative` hold the edges by head; `first` the first rule of each relation.
    """

    rules: tuple[Rule, ...]
    positive: dict[Signature, tuple[Signature, ...]]
    negative: dict[Signature, tuple[Signature, ...]]
    first: dict[Signature, Rule]

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> DependencyGraph:
        """The graph of `rules`."""
        positive: dict[Signature, dict[Signature, None]] = {}
        negative: dict[Signature, dict[Signature, None]] = {}
        first: dict[Signature, Rule] = {}
        for rule in rules:
            head = signature(rule.head)
            first.setdefault(head, rule)
            positive.setdefault(head, {}).update(dict.fromkeys(map(signature, rule.positive)))
            negative.setdefault(head, {}).update(dict.fromkeys(map(signature, rule.negative)))
        return cls(
            tuple(rules),
            {head: tuple(body) for head, body in positive.items()},
            {head: tuple(body) for head, body in negative.items()},
            first,
        )

    @cached_property
    def edges(self) -> dict[Signature, tuple[Signature, ...]]:
        """All dependencies by head, positive ones first."""
        return {head: body + self.negative[head] for head, body in self.positive.items()}

    @cached_property
    def components(self) -> list[list[Signature]]:
        """Strongly connected components, each after those that it depends on."""
        return strongly_connected_components(self.edges, self.edges)

    @cached_property
    def component_of(self) -> dict[Signature, int]:
        """The number of the component of each relation."""
        return {node: i for i, nodes in enumerate(self.components) for node in nodes}

    def negative_cycle(self) -> list[Signature] | None:
        """A cycle of relations through a negation, the first repeated at the end, or None."""
        for head, body in self.negative.items():
            for other in body:
                if self.component_of.get(other) == self.component_of[head]:
                    rest = [head] if other == head else find_cycle(other, head, self.edges) or []
                    return [head, *rest]
        return None

    def negative_cycle_of_atoms(self) -> list[Term] | None:
        """A cycle through a negation among the heads of rules, told apart by their arguments.

        A body atom leads to every head that it unifies with, so that `(goal r 100)` may rest on
        `(not (goal r 0))`. None proves that the ground rules are stratified.
        """
        inside = [rule for rule in self.rules if self.is_recursive(signature(rule.head))]
        heads: dict[Signature, dict[Term, None]] = {}
        for rule in inside:
            heads.setdefault(signature(rule.head), {})[rule.head] = None
        index = {relation: _Index(own) for relation, own in heads.items()}
        edges: dict[Term, list[Term]] = {}
        negations: list[tuple[Term, Term]] = []
        for rule in inside:
            targets = edges.setdefault(rule.head, [])
            for atom in (*rule.positive, *rule.negative):
                relation = signature(atom)
                matching = index[relation].matching(atom) if relation in index else []
                targets.extend(matching)
                if atom in rule.negative:
                    negations.extend((rule.head, head) for head in matching)
        groups = strongly_connected_components(edges, edges)
        group_of = {atom: i for i, atoms in enumerate(groups) for atom in atoms}
        for head, other in negations:
            if group_of.get(head) != group_of.get(other):
                continue
            rest = [head] if other == head else find_cycle(other, head, edges)
            if rest:
                return [head, *rest]
        return None

    def is_recursive(self, relation: Signature) -> bool:
        """Whether a relation that has rules depends on itself."""
        same = self.component_of[relation]
        return any(self.component_of.get(other) == same for other in self.edges[relation])

    @cached_property
    def strata(self) -> dict[Signature, int]:
        """The stratum of each relation: 0 without negation below it.

        A relation lies at or above what it depends on, and above what it depends on negatively
        (Apt, Blair and Walker, "Towards a theory of declarative knowledge", 1988).
        """
        level: dict[Signature, int] = {}
        for nodes in self.components:
            height = 0
            for node in nodes:
                for other in self.positive.get(node, ()):
                    height = max(height, level.get(other, 0))
                for other in self.negative.get(node, ()):
                    height = max(height, level.get(other, 0) + 1)
            level.update(dict.fromkeys(nodes, height))
        return level

    def path(self, start: Signature, goals: Iterable[Signature]) -> list[Signature] | None:
        """A shortest chain of dependencies from `start` to one of `goals`, or None."""
        paths = [find_cycle(start, goal, self.edges) for goal in goals]
        return min((path for path in paths if path), key=len, default=None)

    def depending_on(self, roots: Iterable[Signature]) -> frozenset[Signature]:
        """All relations that depend on one of `roots`, and the roots themselves."""
        users: dict[Signature, list[Signature]] = {}
        for head, body in self.edges.items():
            for other in body:
                users.setdefault(other, []).append(head)
        return _closure(roots, users)

    def needed_by(self, roots: Iterable[Signature]) -> frozenset[Signature]:
        """All relations that one of `roots` depends on, and the roots themselves."""
        return _closure(roots, self.edges)


def _closure(
    roots: Iterable[Signature], edges: Mapping[Signature, Sequence[Signature]]
) -> frozenset[Signature]:
    found = set(roots)
    todo = list(found)
    while todo:
        for other in edges.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return frozenset(found)


class _Index:
    """The heads of one relation by what stands in the column that tells most of them apart."""

    def __init__(self, heads: Iterable[Term]) -> None:
        self._heads = list(heads)
        arity = len(self._heads[0].args)
        known = [{signature(h.args[i]) for h in self._heads} for i in range(arity)]
        self._column = max(range(arity), key=lambda i: len(known[i]), default=-1)
        self._by_functor: dict[Signature, list[Term]] = {}
        self._open: list[Term] = []
        for head in self._heads if self._column >= 0 else ():
            arg = head.args[self._column]
            if arg.is_variable:
                self._open.append(head)
            else:
                self._by_functor.setdefault(signature(arg), []).append(head)

    def matching(self, atom: Term) -> list[Term]:
        """The heads that have an instance in common with `atom`."""
        tried = self._heads
        if self._column >= 0 and not atom.args[self._column].is_variable:
            own = self._by_functor.get(signature(atom.args[self._column]), [])
            tried = [*own, *self._open]
        return [head for head in tried if may_be_equal(atom, head)]
