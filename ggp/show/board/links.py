"""Which arguments of fluents the rules make equal: by variables that the atoms of a rule share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ggp.kif import Term
from ggp.rules import Rule, Signature, signature
from ggp.show.board.domains import Path

Spot = tuple[Signature, Path]
"""An argument of a relation."""

MAX_ATOMS = 40
"""Of one rule, beyond which it is passed over."""

FLUENT, MOVE = ("true", "next", "init", "base"), ("does", "legal", "input")


class Links:
    """How many rules make two arguments equal, or both equal to one argument of a move.

    `uses`: how often fluents and moves are in rules.
    """

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._counts: Counter[tuple[Spot, Spot]] = Counter()
        self._moves: dict[Spot, set[Spot]] = {}
        self.uses: Counter[Signature] = Counter()
        for rule in rules:
            if not rule.is_fact and len(rule.positive) < MAX_ATOMS:
                self._count(rule)

    def between(self, one: Spot, other: Spot) -> int:
        """The number of rules."""
        moves = self._moves.get(one, set()) & self._moves.get(other, set())
        return 2 * self._counts[one, other] + len(moves)

    def moves(self, spot: Spot) -> frozenset[Spot]:
        """The arguments of moves that some rule makes equal to one of a fluent."""
        return frozenset(self._moves.get(spot, ()))

    def named(self, spots: Iterable[Spot]) -> int:
        """How many of some arguments of fluents are those of moves, too."""
        return sum(bool(self._moves.get(spot)) for spot in spots)

    def _count(self, rule: Rule) -> None:
        spots: dict[str, set[Spot]] = {}
        moved: dict[str, set[Spot]] = {}
        for atom in (rule.head, *rule.positive, *rule.negative):
            if atom.name in (*FLUENT, *MOVE) and not atom.args[-1].is_variable:
                self.uses[signature(atom.args[-1])] += 1
                where = spots if atom.name in FLUENT else moved
                for name, path in _variables(atom.args[-1], ()):
                    where.setdefault(name, set()).add((signature(atom.args[-1]), path))
        for name, moves in moved.items():
            for spot in spots.get(name, ()):
                self._moves.setdefault(spot, set()).update(moves)
        for own in spots.values():
            self._counts.update((a, b) for a in own for b in own if a != b)


def _variables(term: Term, path: Path) -> Iterator[tuple[str, Path]]:
    for i, arg in enumerate(term.args):
        if arg.is_variable:
            yield arg.name, (*path, i)
        else:
            yield from _variables(arg, (*path, i))
