"""What a rule says of an amount that is taken from a size: between what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.analysis.heaps.order import Comparison, domain_of
from ggp.analysis.heaps.sorts import terms_of
from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature

MOST_GAP = 3
"""How much less is left at the least, at the most; and what is left."""


class Bounds:
    """What a rule says of an amount beside a size: `least` that it is, and by how much it is less
    than the size at the least (`at_most`; None: it may be more)."""

    def __init__(
        self,
        rules: RuleSet,
        chain: str,
        elements: Sequence[Term],
        known: Mapping[Signature, Comparison],
    ) -> None:
        self._rules, self._chain, self._known = rules, chain, known
        self._place = {element: n for n, element in enumerate(elements[: MOST_GAP + 1])}
        self.least = 0
        self.at_most: int | None = None

    def read(self, rule: Rule, atom: Term, amount: Term, size: Term) -> bool:
        """Take in an atom that has the amount in it; False for one that says something else."""
        own = signature(atom)
        if own in self._known:
            meant = self._known[own]
            low, high = atom.args[meant.low], atom.args[meant.high]
            if (low, high) == (amount, size):
                self.at_most = max(self.at_most or 0, meant.gap)
                return True
            if high == amount and low in self._place:
                self.least = max(self.least, self._place[low] + meant.gap)
                return True
            return False
        if own == (self._chain, 2):
            before = atom.args[0]
            if atom.args[1] != amount or not before.is_variable or times(rule, before) > 1:
                return False
            self.least = max(self.least, 1)
            return True
        holds = domain_of(self._rules, own, self._chain) if own[1] == 1 else None
        if holds is None or not holds[0]:
            return False
        # Of all sizes, or of those that have one before them.
        self.least = max(self.least, int(not holds[1]))
        return True

    def read_apart(self, pairs: Sequence[tuple[Term, Term]], amount: Term) -> bool:
        """The same of terms that differ: the amount, and the first size."""
        if len(pairs) != 1:
            return False
        [other] = [t for t in pairs[0] if t != amount] or [amount]
        if self._place.get(other) != 0:
            return False
        self.least = max(self.least, 1)
        return True


def has(term: Term, part: Term) -> bool:
    """Whether a term is another, or is made of it."""
    return term == part or any(has(arg, part) for arg in term.args)


def times(rule: Rule, part: Term) -> int:
    """How often a term stands in a rule."""
    return sum(term == part for term in terms_of(rule))
