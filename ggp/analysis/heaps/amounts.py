"""Moves that name an amount, tied to a size by a sum, taken for moves that name what is left.

Where rules ask for three sizes of which one is the sum of the others (`order`), one of a fluent,
one that a move names, and what is left afterwards, the move may as well name what is left: in each
state that gives every move another name, and play is the same. What rules say then is said by
successors and comparisons alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import NamedTuple

from ggp.analysis.heaps.bounds import MOST_GAP, Bounds, has, times
from ggp.analysis.heaps.order import Comparison, Sum
from ggp.kif import Term
from ggp.rules import Rule, RuleSet, Signature, signature

Family = tuple[str, int, int]
"""Fluents by their name, how many arguments they have, and which of them is a size."""

MOST_AMOUNT = 40
"""The largest single amount."""


class Plain(NamedTuple):
    """Rules that do without sums; what their comparisons are; and the families of fluents by which
    moves have other names than they had: of each just one fluent is to hold."""

    rules: RuleSet
    known: dict[Signature, Comparison]
    families: set[Family]


def without_sums(
    rules: RuleSet,
    chain: str,
    elements: Sequence[Term],
    meant: Mapping[Signature, Comparison | Sum],
) -> Plain | None:
    """The rules with moves that name what is left of a size in place of the amount; None where a
    sum is used for something else. `elements`: the chain, in the order of its relation.

    In every state in which just one fluent of each family that these rules ask for holds, as of
    sums of heaps, moves go one to one from the one sheet to the other, and lead to the same.
    """
    sums = {relation: own for relation, own in meant.items() if isinstance(own, Sum)}
    known = {r: own for r, own in meant.items() if isinstance(own, Comparison)}
    if not sums:
        return Plain(rules, known, set())
    names = {name for name, _ in rules.graph.edges} | {"true", "does", chain}
    fresh = next(name for n in count() if (name := f"below{n}") not in names)
    kept = [
        rule
        for rule in rules.rules
        if signature(rule.head) not in sums and rule.head.name not in ("input", "base")
    ]
    named = _Amounts(rules, chain, elements, sums, known, fresh)
    kept = [one for rule in kept for one in named.with_listed(rule)]
    # What moves do tells which size an amount is taken from; then which amounts are legal.
    kept.sort(key=lambda rule: rule.head.name == "legal")
    changed = []
    for rule in kept:
        made = named.changed(rule)
        if made is None:
            return None
        changed.append(made)
    gap = named.gap
    if gap is None:
        # Of single amounts alone: any comparison that holds of all moves does for what they do.
        gap = 1 if named.single else 0
    elif named.single and min(named.single) < gap:
        return None
    if not 0 < gap <= MOST_GAP or not named.are_all_changed(changed):
        return None
    span = rules.rules[0].span
    low, high, between = (Term(name) for name in ("?low", "?high", "?between"))
    steps = [low, *(Term(f"?step{n}") for n in range(1, gap)), high]
    base = tuple(Term(chain, pair) for pair in pairwise(steps))
    head, rest = Term(fresh, (low, high)), Term(fresh, (between, high))
    changed.append(Rule(head, base, (), (), span))
    changed.append(Rule(head, (Term(chain, (low, between)), rest), (), (), span))
    known[fresh, 2] = Comparison(0, 1, gap)
    return Plain(replace(rules, rules=tuple(changed)), known, named.families)


Action = tuple[str, int]
"""A move's name, and how many arguments it has."""


class _Amount(NamedTuple):
    """An amount that moves name: which argument it is; the family of fluents that has the size, and
    how its other arguments are told by the move; and how much the size is, what is left being
    taken off, beyond the amount, and at the least."""

    place: int
    family: Family
    others: tuple[object, ...]
    gap: int
    least: int


class _Amounts:
    """Rules in which a sum ties an amount that a move names to a size of the state.

    `gap`: how much less is left at the least by a move that is legal; `single`: by moves of which
    the amount is told; `families`: the fluents that told the sizes.
    """

    def __init__(
        self,
        rules: RuleSet,
        chain: str,
        elements: Sequence[Term],
        sums: Mapping[Signature, Sum],
        known: Mapping[Signature, Comparison],
        fresh: str,
    ) -> None:
        self._rules, self._chain, self._sums, self._known = rules, chain, sums, known
        self._elements, self._fresh = elements, fresh
        self._amounts: dict[Action, _Amount] = {}
        self._place = {element: n for n, element in enumerate(elements[: MOST_AMOUNT + 1])}
        self.gap: int | None = None
        self.single: set[int] = set()
        self._named: list[Rule] = []

    @property
    def families(self) -> set[Family]:
        """See above."""
        return {own.family for own in self._amounts.values()}

    def with_listed(self, rule: Rule) -> list[Rule]:
        """The rule, or if it says that a move is legal whose amount stands in a table, one for each
        amount."""
        action = _action(rule) if rule.head.name == "legal" else None
        for atom in rule.positive if action else ():
            assert action is not None
            listed = self._listed(signature(atom))
            if listed and atom.args[0].is_variable and atom.args[0] in action.args:
                body = tuple(a for a in rule.positive if a is not atom)
                return [
                    _bound(replace(rule, positive=body), {atom.args[0].name: amount})
                    for amount in listed
                ]
        return [rule]

    def _listed(self, relation: Signature) -> list[Term] | None:
        """The sizes of a relation that is given by facts, of these alone; None of another."""
        own = [rule for rule in self._rules.rules if signature(rule.head) == relation]
        if relation[1] != 1 or not own or not all(rule.is_fact for rule in own):
            return None
        listed = [rule.head.args[0] for rule in own]
        return listed if all(size in self._place for size in listed) else None

    def changed(self, rule: Rule) -> Rule | None:
        """A rule with what is left in place of the amount; None where that is not plain."""
        used = [atom for atom in rule.positive if signature(atom) in self._sums]
        if any(signature(atom) in self._sums for atom in rule.negative) or len(used) > 1:
            return None
        is_legal = rule.head.name == "legal"
        action = _action(rule)
        if not used:
            if is_legal and action and signature(action) in self._amounts:
                return self._by_bounds(rule, action)
            return rule
        [atom] = used
        for place, arg in enumerate(action.args if action else ()):
            if arg in atom.args and atom.args[self._sums[signature(atom)].total] != arg:
                return self._by_sum(rule, atom, action, place, is_legal=is_legal)
        return None

    def _by_sum(
        self, rule: Rule, atom: Term, action: Term | None, place: int, *, is_legal: bool
    ) -> Rule | None:
        """A rule that has the sum."""
        assert action is not None
        meant = self._sums[signature(atom)]
        amount, total = action.args[place], atom.args[meant.total]
        which = 0 if atom.args[meant.parts[0]] == amount else 1
        left = atom.args[meant.parts[1 - which]]
        if len({*atom.args}) < 3 or not (left.is_variable and total.is_variable):
            return None
        if not (amount.is_variable or (is_legal and amount in self._place)):
            return None
        states = [a.args[0] for a in rule.positive if a.name == "true" and has(a, total)]
        # The amount is named once by the move, and once in the sum; what is left by it alone.
        is_plain = times(rule, amount) == 2 or not amount.is_variable
        is_plain = is_plain and not has(action, left)
        if len(states) != 1 or not is_plain or meant.least[1 - which]:
            return None
        own = _amount(states[0], total, action, place, meant.gap, meant.least[which])
        if own is None or self._amounts.setdefault(signature(action), own) != own:
            return None
        body = [a for a in rule.positive if a is not atom]
        if not amount.is_variable:
            steps = self._steps(rule, own, amount, left, total)
            if steps is None:
                return None
            return self._made(rule, action, place, left, [*body, *steps])
        if is_legal and not self._is_gap(meant.gap + meant.least[which]):
            return None
        return self._made(rule, action, place, left, [*body, Term(self._fresh, (left, total))])

    def _steps(
        self, rule: Rule, own: _Amount, amount: Term, left: Term, total: Term
    ) -> list[Term] | None:
        """The successors from what is left to a size of which a single amount is taken; None where
        that is nothing, or no such amount can be."""
        single = self._place[amount]
        less = single + own.gap
        if single < own.least or not 0 < less <= MOST_AMOUNT:
            return None
        self.single.add(less)
        return self._path(rule, left, total, less)

    def _path(self, rule: Rule, low: Term, high: Term, steps: int) -> list[Term] | None:
        """So many successors, by variables that the rule does not have."""
        between = [Term(f"?between{n}") for n in range(1, steps)]
        if any(times(rule, variable) for variable in between):
            return None
        return [Term(self._chain, pair) for pair in pairwise([low, *between, high])]

    def _by_bounds(self, rule: Rule, action: Term) -> Rule | None:
        """A rule by which moves are legal that says between what the amount is."""
        own = self._amounts[signature(action)]
        amount = action.args[own.place]
        is_free = amount.is_variable
        if action.args.count(amount) > 1 or not (is_free or amount in self._place):
            return None
        sizes = [
            fluent.args[own.family[2]]
            for fluent in (a.args[0] for a in rule.positive if a.name == "true")
            if signature(fluent) == own.family[:2]
            and _others(fluent, own.family[2], action) == own.others
        ]
        if len(sizes) != 1 or not sizes[0].is_variable or sizes[0] == amount:
            return None
        bounds = Bounds(self._rules, self._chain, self._elements, self._known)
        about = [a for a in rule.positive if has(a, amount)]
        apart = [pairs for pairs in rule.distinct if any(amount in pair for pair in pairs)]
        if not is_free:
            # What else a rule says of that size stays as it is.
            about = [a for a in about if {*a.args} == {amount, sizes[0]}]
            apart = []
        body = [a for a in rule.positive if a not in about]
        if is_free and any(has(a, amount) for a in rule.negative):
            return None
        is_read = all(bounds.read(rule, a, amount, sizes[0]) for a in about)
        if not is_read or not all(bounds.read_apart(pairs, amount) for pairs in apart):
            return None
        # More than there is cannot be taken, or some moves would leave nothing that is a size.
        at_most, least = bounds.at_most, max(bounds.least, own.least)
        if at_most is None or at_most < own.gap or at_most - own.gap > MOST_GAP:
            return None
        if is_free and (bounds.least < own.least or not self._is_gap(own.gap + least)):
            return None
        fresh = [Term(f"?left{n}") for n in range(at_most - own.gap + 1)]
        if any(times(rule, variable) for variable in fresh):
            return None
        # So much is left at the least as there are sizes below.
        body += [Term(self._chain, pair) for pair in pairwise(fresh)]
        left = fresh[-1]
        steps: list[Term] | None = [Term(self._fresh, (left, sizes[0]))]
        if not is_free:
            steps = self._steps(rule, own, amount, left, sizes[0])
        if steps is None:
            return None
        made = [*body, *steps]
        rest = tuple(pairs for pairs in rule.distinct if pairs not in apart)
        return self._made(replace(rule, distinct=rest), action, own.place, left, made)

    def _is_gap(self, gap: int) -> bool:
        """Whether all legal moves leave less by this at the least."""
        self.gap = gap if self.gap is None else self.gap
        return self.gap == gap

    def _made(self, rule: Rule, action: Term, place: int, left: Term, body: Sequence[Term]) -> Rule:
        args = list(action.args)
        args[place] = left
        named = Term(action.name, tuple(args))

        def made(atom: Term) -> Term:
            is_move = atom.name in ("legal", "does") and atom.args[1] == action
            return Term(atom.name, (atom.args[0], named)) if is_move else atom

        found = replace(rule, head=made(rule.head), positive=tuple(map(made, body)))
        self._named.append(found)
        return found

    def are_all_changed(self, rules: Sequence[Rule]) -> bool:
        """Whether every rule that speaks of a move which was changed was changed as well, or does
        not ask for the amount."""
        for rule in rules:
            is_changed = any(atom.name == self._fresh for atom in rule.positive)
            for atom in (rule.head, *rule.positive, *rule.negative):
                if atom.name not in ("legal", "does"):
                    continue
                move = atom.args[1]
                if move.is_variable:
                    if rule.head.name == "legal" or times(rule, move) > 1:
                        return False
                elif signature(move) in self._amounts:
                    amount = move.args[self._amounts[signature(move)].place]
                    is_free = amount.is_variable and times(rule, amount) == 1
                    is_legal = rule.head.name == "legal"
                    if atom in rule.negative or not (is_changed or is_free or is_legal):
                        return False
                    if is_legal and rule not in self._named:
                        return False
        return True


def _bound(rule: Rule, binding: Mapping[str, Term]) -> Rule:
    """A rule with a term in place of a variable."""

    def bound(atom: Term) -> Term:
        return atom.substitute(binding)

    return replace(
        rule,
        head=bound(rule.head),
        positive=tuple(map(bound, rule.positive)),
        negative=tuple(map(bound, rule.negative)),
        distinct=tuple(tuple((bound(a), bound(b)) for a, b in own) for own in rule.distinct),
    )


def _action(rule: Rule) -> Term | None:
    """The one move with arguments that a rule speaks of."""
    atoms = [a for a in (rule.head, *rule.positive) if a.name in ("legal", "does")]
    moves = [a.args[1] for a in atoms if a.args[1].args]
    return moves[0] if len(moves) == 1 else None


def _amount(
    fluent: Term, total: Term, action: Term, place: int, gap: int, least: int
) -> _Amount | None:
    """An amount taken from the size that a fluent has; None where that is not told by the move."""
    if fluent.args.count(total) != 1:
        return None
    at = fluent.args.index(total)
    others = _others(fluent, at, action)
    if others is None:
        return None
    return _Amount(place, (fluent.name, len(fluent.args), at), others, gap, least)


def _others(fluent: Term, at: int, action: Term) -> tuple[object, ...] | None:
    """The arguments of a fluent but for the size: constants, and places of those of the move."""
    others: list[object] = []
    for arg in (*fluent.args[:at], *fluent.args[at + 1 :]):
        if arg.is_variable and arg in action.args:
            others.append(action.args.index(arg))
        elif arg.is_variable or arg.args:
            return None
        else:
            others.append(arg)
    return tuple(others)
