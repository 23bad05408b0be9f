"""An order of terms that hangs on what the rules say, and neither on names nor on the order of
arguments and of rules: what is picked by it is the same in a sheet in other words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ggp.kif import Term
from ggp.rules import KEYWORDS, Rule, Signature, signature
from ggp.show.board.refinement import ColouredGraph, Partition

MAX_VERTICES = 300_000
"""Of the graph of the rules, beyond which terms go by their text."""

NAME, HEAD, POSITIVE, NEGATIVE, DISTINCT, EITHER, FUNCTOR, WHOLE, PLACE, FILLED = range(1, 11)
"""Labels of edges."""


class TermRanks:
    """The order of the ground terms of a game.

    Names, arguments, atoms and rules are a graph, whose vertices are told apart by what they are
    joined to; keywords, roles and goals are what they are. What is symmetric goes by numerals, and
    by where it is in the text.
    """

    def __init__(self, rules: Sequence[Rule], roles: Iterable[str]) -> None:
        graph = _RuleGraph(roles)
        for rule in rules:
            graph.add(rule)
            if len(graph.colours) > MAX_VERTICES:
                self._names: dict[str, int] = {}
                self._functors: dict[Signature, tuple[int, list[int]]] = {}
                return
        places = [place for functor in graph.functors.values() for place in functor[1:]]
        classes = Partition(graph)
        # Of names alike more are so by a symmetry than of arguments alike.
        classes.separate(graph.in_text())
        classes.separate(places)
        self._names = {name: classes.number(at) for name, at in graph.names.items()}
        self._functors = {}
        for own, (_, *places) in graph.functors.items():
            order = sorted(range(own[1]), key=lambda i: classes.number(places[i]))
            self._functors[own] = self._names[own[0]], order

    def key(self, term: Term) -> tuple[Any, ...]:
        """What to sort a ground term by."""
        if not term.args:
            return (self._names.get(term.name, -1), 0, term.name)
        number, order = self._functors.get(signature(term), (-1, range(term.arity)))
        return (number, term.arity, term.name, *(self.key(term.args[i]) for i in order))

    def row_key(self, row: Iterable[Term]) -> tuple[Any, ...]:
        """What to sort several terms by."""
        return tuple(map(self.key, row))

    def path_key(self, term: Term, path: Sequence[int]) -> tuple[int, ...]:
        """What to sort the ways to arguments of a term by."""
        found = []
        for i in path:
            _, order = self._functors.get(signature(term), (-1, range(term.arity)))
            found.append(order.index(i))
            term = term.args[i]
        return tuple(found)


class _RuleGraph(ColouredGraph):
    """The graph of rules. `names`: the vertices of names; `functors`: of names with arguments the
    vertex, and one for each argument."""

    def __init__(self, roles: Iterable[str]) -> None:
        super().__init__()
        self.names = {role: self.new("role", i) for i, role in enumerate(roles)}
        self.functors: dict[Signature, tuple[int, ...]] = {}

    def in_text(self) -> list[int]:
        """The vertices of names, numerals first by their size, the others as in the text."""
        numerals = sorted(filter(str.isdecimal, self.names), key=int)
        return list({name: self.names[name] for name in (*numerals, *self.names)}.values())

    def add(self, rule: Rule) -> None:
        """A rule, with a vertex for each of its variables."""
        variables: dict[str, int] = {}
        own = self.new("rule")
        self.join(own, self._atom(rule.head, variables), HEAD)
        for atom in rule.positive:
            self.join(own, self._atom(atom, variables), POSITIVE)
        for atom in rule.negative:
            self.join(own, self._atom(atom, variables), NEGATIVE)
        for pairs in rule.distinct:
            inequality = self.new("inequality")
            self.join(own, inequality, DISTINCT)
            for pair in pairs:
                either = self.new("pair")
                self.join(inequality, either, EITHER)
                for term in pair:
                    self.join(either, self._term(term, variables), EITHER)

    def _atom(self, atom: Term, variables: dict[str, int]) -> int:
        """The vertex of an atom; goals are no names but numbers."""
        if atom.name != "goal" or atom.arity != 2 or not atom.args[1].name.isdecimal():
            return self._term(atom, variables)
        value = self.new("goal", int(atom.args[1].name[:9]))
        self.join(value, self._term(atom.args[0], variables), FILLED)
        return value

    def _term(self, term: Term, variables: dict[str, int]) -> int:
        """The vertex of a term: names are one everywhere, all else is one where it is written."""
        if term.is_variable:
            if term.name not in variables:
                variables[term.name] = self.new("variable")
            return variables[term.name]
        if not term.args:
            return self._name(term.name)
        functor, *places = self._functor(signature(term))
        whole = self.new("term")
        self.join(whole, functor, FUNCTOR)
        for place, arg in zip(places, term.args, strict=True):
            part = self.new("argument")
            self.join(whole, part, WHOLE)
            self.join(part, place, PLACE)
            self.join(part, self._term(arg, variables), FILLED)
        return whole

    def _name(self, name: str) -> int:
        if name not in self.names:
            self.names[name] = self.new(f"={name}" if name in KEYWORDS else "name")
        return self.names[name]

    def _functor(self, own: Signature) -> tuple[int, ...]:
        if own not in self.functors:
            name, arity = own
            functor = self.new("functor", arity)
            self.join(functor, self._name(name), NAME)
            places = [self.new("place", i if name in KEYWORDS else 0) for i in range(arity)]
            for place in places:
                self.join(functor, place, NAME)
            self.functors[own] = (functor, *places)
        return self.functors[own]
