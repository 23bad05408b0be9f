"""What rules say of sizes by relations that rest on themselves: a smaller size, a sum of two.

Such a relation is guessed from its tuples on a short chain, and the guess is proved for chains of
every length: it is all that the rules of the relation give, and nothing else, by induction on one
of its arguments. Every variable of these rules is tied to the head by a few successors, so that
what is to be shown has no quantifiers: it speaks of whether the head's sizes, and their distances,
are some small numbers, and holds everywhere if it does on all chains up to `LENGTHS`: from a
greater counterexample a step of the chain could be left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggp.kif import Term
from ggp.limits import look
from ggp.rules import RuleSet, Signature, signature

SHORT = 8
"""Sizes of the chain from which a relation is guessed."""

LENGTHS = {2: 40, 3: 30}
"""The longest chain on which a relation of so many arguments is looked at."""

LOOSE = 16
"""The same where two tuples have a size in common that nothing else ties: then there is no more to
be told than their gaps together."""

MOST_STEPS, MOST_NAMED = 3, 2
"""Successors in one rule, and the last place on the chain that these rules may name."""

Tuple = tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """Holds of two sizes where the one at `high` is more than the one at `low` by `gap` or more;
    places on the chain, in the order of its relation."""

    low: int
    high: int
    gap: int

    def on(self, length: int) -> set[Tuple]:
        """All pairs on a chain of so many sizes."""
        pairs = ((a, b) for a in range(length) for b in range(a + self.gap, length))
        return {(a, b) if self.low == 0 else (b, a) for a, b in pairs}


@dataclass(frozen=True)
class Sum:
    """Holds of three sizes where the one at `total` is those at `parts` together and `gap` more,
    each of which is as much as `least` says, or more."""

    total: int
    parts: tuple[int, int]
    gap: int
    least: tuple[int, int]

    def on(self, length: int) -> set[Tuple]:
        """All triples on a chain of so many sizes."""
        found = set()
        for a in range(self.least[0], length):
            for b in range(self.least[1], length):
                total = a + b + self.gap
                if 0 <= total < length:
                    by_place = {self.total: total, self.parts[0]: a, self.parts[1]: b}
                    found.add(tuple(by_place[place] for place in range(3)))
        return found


def orders(
    rules: RuleSet, chain: str, elements: Sequence[Term]
) -> dict[Signature, Comparison | Sum] | None:
    """What each relation of some rules that rests on itself says of sizes, for every length of the
    chain; `elements`: the chain, in the order of its relation. None where one says something else,
    or that is not proved."""
    graph = rules.graph
    found: dict[Signature, Comparison | Sum] = {}
    place = {element: n for n, element in enumerate(elements[: MOST_NAMED + 1])}
    for relation in sorted(filter(graph.is_recursive, graph.edges)):
        own = _Relation.of(rules, relation, chain, place)
        told = own.meaning() if own else None
        if told is None:
            return None
        found[relation] = told
    return found


OWN, STEP = "", "succ"
"""The relation itself, and the chain's, in place of the name of one that holds of sizes."""

Atom = tuple[str, tuple[Term | int, ...]]
"""Of what relation it is; variables, and places of constants."""


@dataclass(frozen=True)
class _Relation:
    """The rules of a relation that rests on itself and the chain's: heads and bodies. `domains`:
    by name what holds of sizes that have one before them, one after them, or either."""

    arity: int
    rules: tuple[tuple[tuple[Term | int, ...], tuple[Atom, ...]], ...]
    domains: Mapping[str, tuple[bool, bool]]

    @classmethod
    def of(
        cls, rules: RuleSet, relation: Signature, chain: str, place: Mapping[Term, int]
    ) -> _Relation | None:
        """None where a rule has something else in it, or a size that is not tied to the head."""
        if relation[1] not in LENGTHS:
            return None
        made = []
        domains: dict[str, tuple[bool, bool]] = {}
        for rule in rules.rules:
            if signature(rule.head) != relation:
                continue
            body: list[Atom] = []
            for atom in rule.positive:
                kind = OWN if signature(atom) == relation else STEP
                if kind == STEP and signature(atom) != (chain, 2):
                    holds = domain_of(rules, signature(atom), chain)
                    if holds is None:
                        return None
                    kind = f"of {atom.name}"
                    domains[kind] = holds
                if any(not t.is_variable and t not in place for t in atom.args):
                    return None
                body.append((kind, _places(atom, place)))
            if any(not t.is_variable and t not in place for t in rule.head.args):
                return None
            if rule.negative or rule.distinct or not _is_plain(rule.head, body):
                return None
            # Tuples first, and what holds of sizes last, once successors have told these.
            body.sort(key=lambda atom: (atom[0] != OWN, atom[0] != STEP))
            made.append((_places(rule.head, place), tuple(body)))
        return cls(relation[1], tuple(made), domains)

    def meaning(self) -> Comparison | Sum | None:
        """What it holds of, on chains of every length."""
        known: set[Tuple] = set()
        while True:
            more = known.union(head for head, _ in self._derived(SHORT, known))
            if more == known:
                break
            known = more
        meant = _guess(known, self.arity)
        if meant is None:
            return None
        longest = LENGTHS[self.arity] if self._is_tied else LOOSE
        if all(self._is(meant.on(length), length) for length in range(MOST_NAMED + 2, longest + 1)):
            return meant
        return None

    @property
    def _is_tied(self) -> bool:
        return all(sum(kind == OWN for kind, _ in body) < 2 for _, body in self.rules)

    def _is(self, wanted: set[Tuple], length: int) -> bool:
        """Whether it holds of these on a chain of so many sizes: the rules give no other from them,
        and each from those that have less of something."""
        by_measure: list[set[Tuple]] = [set() for _ in _measures((0,) * self.arity)]
        for head, uses in self._derived(length, wanted):
            if head not in wanted:
                return False
            used = list(map(_measures, uses))
            for n, size in enumerate(_measures(head)):
                if all(each[n] < size for each in used):
                    by_measure[n].add(head)
        return wanted in by_measure

    def _derived(self, length: int, known: set[Tuple]) -> Iterator[tuple[Tuple, list[Tuple]]]:
        """What each rule gives from known tuples, and which of these it takes."""
        look("relations of sizes")
        options: dict[str, Collection[Tuple]] = {OWN: known}
        for name, (has_before, has_after) in self.domains.items():
            first, last = 0 if has_after else 1, length - 1 if has_before else length - 2
            options[name] = {(n,) for n in range(first, last + 1)}
        for head, body in self.rules:
            for bound, uses in _matches(body, length, options, {}, []):
                yield tuple(_value(t, bound) for t in head), uses


def _measures(sizes: Tuple) -> list[int]:
    """What may grow less from a tuple to those that it rests on: each of its sizes, or how far it
    is from the end, or how far two of them are apart."""
    return [*sizes, *(-size for size in sizes), abs(sizes[0] - sizes[1])]


def _is_plain(head: Term, body: Sequence[Atom]) -> bool:
    """Whether few successors tie all sizes of a rule to those of its head, or two tuples of the
    relation have one size in common."""
    own = [args for kind, args in body if kind == OWN]
    steps = [args for kind, args in body if kind == STEP]
    used = {t for _, args in body for t in args if isinstance(t, Term)}
    tied = {t for t in head.args if t.is_variable}
    if not body or not tied <= used or len(steps) > MOST_STEPS:
        return False
    if len(own) == len(body) == 2 and len(head.args) == 2:
        return len(used) == 3
    for _ in steps:
        for step in steps:
            if not tied.isdisjoint(step):
                tied.update(t for t in step if isinstance(t, Term))
    return len(own) < 2 and used <= tied


def domain_of(rules: RuleSet, relation: Signature, chain: str) -> tuple[bool, bool] | None:
    """Whether a relation holds of all sizes that have one before them, and of those that have one
    after them, and of no others; None where that is not plain."""
    found = set()
    for rule in rules.rules:
        if signature(rule.head) == relation:
            sizes, body = rule.head.args, rule.positive
            if rule.negative or rule.distinct or len(sizes) != 1 or len(body) != 1:
                return None
            [step] = body
            if signature(step) != (chain, 2) or not all(t.is_variable for t in step.args):
                return None
            if step.args[0] == step.args[1] or sizes[0] not in step.args:
                return None
            found.add(step.args.index(sizes[0]))
    return (1 in found, 0 in found) if found else None


def _places(atom: Term, place: Mapping[Term, int]) -> tuple[Term | int, ...]:
    return tuple(t if t.is_variable else place[t] for t in atom.args)


def _value(term: Term | int, bound: Mapping[Term, int]) -> int:
    return bound[term] if isinstance(term, Term) else term


def _matches(
    body: Sequence[Atom],
    length: int,
    options: Mapping[str, Collection[Tuple]],
    bound: dict[Term, int],
    uses: list[Tuple],
) -> Iterator[tuple[dict[Term, int], list[Tuple]]]:
    """All ways to bind the variables of a body, and the tuples of the relation that it takes then.
    `options`: by relation."""
    if not body:
        yield bound, uses
        return
    kind, args = body[0]
    found = _steps(args, length, bound) if kind == STEP else options[kind]
    if kind not in (OWN, STEP) and args[0] in bound:
        size = _value(args[0], bound)
        found = [(size,)] if (size,) in found else []
    for option in found:
        more = dict(bound)
        for arg, value in zip(args, option, strict=True):
            if (more.setdefault(arg, value) if isinstance(arg, Term) else arg) != value:
                break
        else:
            used = [*uses, option] if kind == OWN else uses
            yield from _matches(body[1:], length, options, more, used)


def _steps(args: tuple[Term | int, ...], length: int, bound: Mapping[Term, int]) -> list[Tuple]:
    first, second = (bound.get(a) if isinstance(a, Term) else a for a in args)
    if first is None and second is None:
        return [(n, n + 1) for n in range(length - 1)]
    start = first if first is not None else (second or 0) - 1
    return [(start, start + 1)] if 0 <= start < length - 1 else []


def _guess(known: set[Tuple], arity: int) -> Comparison | Sum | None:
    """What may be meant by the tuples on a chain of `SHORT` sizes."""
    if not known:
        return None
    if arity == 2:
        guesses: list[Comparison | Sum] = [
            Comparison(low, 1 - low, min(t[1 - low] - t[low] for t in known)) for low in (0, 1)
        ]
    else:
        guesses = []
        for total in range(3):
            a, b = (place for place in range(3) if place != total)
            gaps = {t[total] - t[a] - t[b] for t in known}
            least = min(t[a] for t in known), min(t[b] for t in known)
            guesses += [Sum(total, (a, b), gap, least) for gap in gaps if len(gaps) == 1]
    is_plain = (g for g in guesses if 0 <= g.gap <= MOST_NAMED and g.on(SHORT) == known)
    return next(is_plain, None)
