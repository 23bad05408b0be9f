"""What each argument of a fluent can be, read off the rules without grounding them.

The domains of arguments (Schiffel and Thielscher, Fluxplayer, AAAI 2007): a variable of a head is
what all the atoms of its body allow it to be. That is more than what can hold, never less, where
every variable's atoms are looked at; it says which names a board has before any play shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ggp.kif import Term
from ggp.rules import Rule, Signature, signature

Path = tuple[int, ...]
"""The way to an argument of a fluent through functions, by the numbers of arguments."""

MAX_PASSES, MAX_VALUES, DEPTH = 60, 200_000, 4
"""Times that the rules are gone through, values of all arguments, and functions in functions,
beyond which domains are taken as they are found."""

FLUENTS, MOVES = ("true", "next", "init", "base"), ("does", "legal", "input")

Step = tuple[str, int, int]
"""The way to an argument: the function's name, its number of arguments, the argument's number."""

Spot = tuple[str, tuple[Step, ...]]
"""An argument: a kind of atoms (fluents, moves or a relation), and the way into it."""


@dataclass
class _Values:
    """What is at a spot: constants, and functions, whose arguments are spots of their own."""

    constants: set[Term] = field(default_factory=set)
    functions: set[Signature] = field(default_factory=set)


class Domains:
    """The domains of all arguments of a game's fluents."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._at: dict[Spot, _Values] = {}
        self._size = 0
        rules = list(rules)
        self._heads(rule for rule in rules if rule.is_fact)
        others = [rule for rule in rules if not rule.is_fact]
        for _ in range(MAX_PASSES):
            before = self._size
            for rule in others:
                self._apply(rule)
            if self._size == before or self._size > MAX_VALUES:
                break

    def of(self, relation: Signature, paths: Iterable[Path]) -> tuple[frozenset[Term], ...]:
        """The constants that each argument of a fluent can be; paths as of `paths_of`."""
        return tuple(frozenset(self._constants((FLUENTS[0], ()), relation, p)) for p in paths)

    def _constants(self, spot: Spot, relation: Signature, path: Path) -> set[Term]:
        """What is at a path below all functions that are at a spot."""
        kind, way = spot
        inner = (kind, (*way, (*relation, path[0])))
        values = self._at.get(inner)
        if values is None or len(path) == 1:
            return values.constants if values else set()
        return {
            term
            for function in values.functions
            if path[1] < function[1]
            for term in self._constants(inner, function, path[1:])
        }

    # -- the rules -------------------------------------------------------------------------------

    def _heads(self, facts: Iterable[Rule]) -> None:
        for rule in facts:
            for spot, term in _arguments(rule.head):
                self._put(spot, term, {})

    def _apply(self, rule: Rule) -> None:
        """Add to the arguments of the head what its body allows."""
        bound: dict[str, list[Spot]] = {}
        for atom in rule.positive:
            for spot, term in _arguments(atom):
                _collect(spot, term, bound)
        for spot, term in _arguments(rule.head):
            self._put(spot, term, bound)

    def _put(self, spot: Spot, term: Term, bound: dict[str, list[Spot]]) -> None:
        if term.is_variable:
            self._flow(bound.get(term.name, []), spot)
        elif not term.args:
            self._add(spot, {term}, set())
        elif len(spot[1]) <= DEPTH:
            self._add(spot, set(), {signature(term)})
            for i, arg in enumerate(term.args):
                self._put(_below(spot, signature(term), i), arg, bound)

    def _flow(self, sources: list[Spot], target: Spot) -> None:
        """What is at all the sources can be at the target."""
        found = [self._at.get(source) for source in sources]
        values = [own for own in found if own is not None]
        if not values or len(values) < len(found) or len(target[1]) > DEPTH:
            return
        constants = set.intersection(*(own.constants for own in values))
        functions = set.intersection(*(own.functions for own in values))
        self._add(target, constants, functions)
        for function in functions:
            for i in range(function[1]):
                self._flow(
                    [_below(source, function, i) for source in sources], _below(target, function, i)
                )

    def _add(self, spot: Spot, constants: set[Term], functions: set[Signature]) -> None:
        own = self._at.setdefault(spot, _Values())
        before = len(own.constants) + len(own.functions)
        own.constants |= constants
        own.functions |= functions
        self._size += len(own.constants) + len(own.functions) - before


def _below(spot: Spot, function: Signature, i: int) -> Spot:
    return spot[0], (*spot[1], (*function, i))


def _arguments(atom: Term) -> Iterator[tuple[Spot, Term]]:
    """The arguments of an atom with their spots; all fluents are of one kind, and so are moves."""
    if atom.name in FLUENTS and atom.arity == 1:
        yield (FLUENTS[0], ()), atom.args[0]
    elif atom.name in MOVES and atom.arity == 2:
        yield (MOVES[0], ((MOVES[0], 2, 0),)), atom.args[0]
        yield (MOVES[0], ()), atom.args[1]
    else:
        for i, arg in enumerate(atom.args):
            yield (atom.name, ((atom.name, atom.arity, i),)), arg


def _collect(spot: Spot, term: Term, bound: dict[str, list[Spot]]) -> None:
    """The spots of each variable in a term."""
    if term.is_variable:
        bound.setdefault(term.name, []).append(spot)
    for i, arg in enumerate(term.args):
        _collect(_below(spot, signature(term), i), arg, bound)
