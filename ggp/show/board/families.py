"""Fluents of one relation, and which of their arguments are places, which content.

Names mean nothing here: an argument is part of a place because of what is true in sampled states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import prod

from ggp.kif import Term
from ggp.rules import Signature, signature
from ggp.show.board.domains import Domains, Path
from ggp.show.board.orders import Orders
from ggp.show.board.ranks import TermRanks
from ggp.show.board.samples import Facts, Samples

Row = tuple[Term, ...]

MANY = 12
"""Names of an argument of which plays need not have met a third."""

MAX_LEAVES, MAX_KEY, DEPTH, MAX_KEYS, MAX_PLACES = 9, 4, 3, 20_000, 4_000
"""Arguments of a family, of a place; functions in functions; places that arguments may name, and
those of a board that is not full."""


@dataclass(frozen=True)
class Family:
    """The fluents of one relation. `paths` lead to its arguments, through functions that all have
    in common; `rows` are the arguments in each sampled state; `known` those that were met or that
    the rules list (`listed`); `reach` what the rules allow each argument to be. `ranked`: the
    arguments in an order that is the same where a sheet has them in another one."""

    relation: Signature
    paths: tuple[Path, ...]
    rows: tuple[tuple[Row, ...], ...]
    known: frozenset[Row]
    reach: tuple[frozenset[Term], ...] = ()
    listed: bool = False
    ranked: tuple[int, ...] = ()

    def row(self, fact: Term) -> Row:
        """The arguments of one of its fluents."""
        return tuple(leaf(fact, path) for path in self.paths)

    def fits(self, fact: Term) -> bool:
        """Whether a fact of this relation has all the arguments (none met in play may lack one)."""
        return all(_reaches(fact, path) for path in self.paths)

    @property
    def size(self) -> int:
        """How many arguments there are."""
        return len(self.paths)

    @cached_property
    def domains(self) -> tuple[frozenset[Term], ...]:
        """The values of each argument."""
        met = [frozenset(row[i] for row in self.known) for i in range(self.size)]
        return tuple(a | b for a, b in zip(met, self.reach or met, strict=True))

    def keys(self, places: Sequence[int]) -> frozenset[Row]:
        """What some arguments together can be: as the rules list it, or any of what each can be."""
        if self.listed or not self.reach or self.many(places) > MAX_KEYS:
            return frozenset(pick(row, places) for row in self.known)
        return frozenset(product(*(self._likely(i) for i in places)))

    def _likely(self, at: int) -> frozenset[Term]:
        """What an argument can be, unless that is far more than was met."""
        met = frozenset(row[at] for row in self.known)
        own = self.domains[at]
        return own if len(own) <= max(MANY, 3 * len(met)) else met

    def many(self, places: Sequence[int]) -> int:
        """How many things some arguments together can be at the most."""
        product = prod(len(self.domains[i]) for i in places)
        return min(len(self.known), product) if self.listed else product

    @cached_property
    def most(self) -> int:
        """The most that hold at once."""
        return max(map(len, self.rows), default=0)

    def is_key(self, key: Sequence[int]) -> bool:
        """Whether in no state two fluents agree in these arguments."""
        return all(len({pick(row, key) for row in rows}) == len(rows) for rows in self.rows)

    def is_exact(self, key: Sequence[int]) -> bool:
        """Whether each value of a key is there in every state."""
        first = {pick(row, key) for row in self.rows[0]}
        return bool(first) and all({pick(r, key) for r in rows} == first for rows in self.rows)


def pick(row: Row, places: Sequence[int]) -> Row:
    """Some arguments of a row."""
    return tuple([row[i] for i in places])


def families_of(
    samples: Samples, listed: Facts, domains: Domains, uses: Mapping[Signature, int]
) -> list[Family]:
    """The families of a game, those first that its rules use most; `listed` by `base`."""
    met: dict[Signature, list[list[Term]]] = {}
    for i, facts in enumerate(samples.states):
        for fact in facts:
            own = met.setdefault(signature(fact), [[] for _ in samples.states])
            own[i].append(fact)
    more: dict[Signature, list[Term]] = {}
    for fact in listed:
        more.setdefault(signature(fact), []).append(fact)
    found = [
        _family(relation, own, more.get(relation, []), domains, samples.ranks)
        for relation, own in met.items()
    ]
    return sorted(found, key=lambda f: (-uses.get(f.relation, 0), f.size, -len(f.known)))


def _family(
    relation: Signature,
    states: list[list[Term]],
    listed: list[Term],
    domains: Domains,
    ranks: TermRanks,
) -> Family:
    facts = {fact for own in states for fact in own} | set(listed)
    paths = paths_of(facts, relation[1])
    rows = tuple(tuple(tuple(leaf(f, path) for path in paths) for f in own) for own in states)
    known = frozenset(tuple(leaf(fact, path) for path in paths) for fact in facts)
    reach = domains.of(relation, paths)
    keys = [ranks.path_key(next(iter(facts)), path) for path in paths]
    ranked = tuple(sorted(range(len(paths)), key=keys.__getitem__))
    return Family(relation, paths, rows, known, reach, bool(listed), ranked)


def paths_of(facts: Iterable[Term], arity: int) -> tuple[Path, ...]:
    """The ways to the arguments, into those that are always the same function of others."""
    paths: list[Path] = [(i,) for i in range(arity)]
    for _ in range(DEPTH):
        deeper: list[Path] = []
        for path in paths:
            kinds = {signature(leaf(fact, path)) for fact in facts}
            (_, size), *others = kinds
            deeper += [path] if others or not size else [(*path, i) for i in range(size)]
        if deeper == paths:
            break
        paths = deeper
    return tuple(paths)


def leaf(term: Term, path: Path) -> Term:
    """The part of a term that a path leads to."""
    for i in path:
        term = term.args[i]
    return term


def _reaches(term: Term, path: Path) -> bool:
    for i in path:
        if i >= len(term.args):
            return False
        term = term.args[i]
    return True


@dataclass(frozen=True)
class Reading:
    """How a family is read: the arguments that make a place, none for a single value.

    `exact`: every place has a content in every state.
    """

    family: Family
    places: tuple[int, ...]
    exact: bool
    score: float

    @cached_property
    def content(self) -> tuple[int, ...]:
        """The other arguments."""
        return tuple(i for i in range(self.family.size) if i not in self.places)

    @cached_property
    def keys(self) -> frozenset[Row]:
        """All places."""
        if self.exact:
            return frozenset(pick(row, self.places) for row in self.family.rows[0])
        return self.family.keys(self.places)

    @cached_property
    def kinds(self) -> int:
        """The number of contents."""
        return len({pick(row, self.content) for row in self.family.known})

    @cached_property
    def axes(self) -> tuple[frozenset[Term], ...]:
        """The values of each part of a place."""
        size = len(self.places)
        return tuple(frozenset(key[i] for key in self.keys) for i in range(size))


def readings(family: Family, orders: Orders) -> list[Reading]:
    """The ways to read a family, the best one first; none where it is no more than a list."""
    if not family.size or family.size > MAX_LEAVES:
        return []
    found = []
    sizes = range(min(family.size, MAX_KEY) + 1)
    for key in (key for size in sizes for key in combinations(range(family.size), size)):
        reading = _reading(family, key, orders)
        if reading:
            found.append(reading)
    return sorted(found, key=lambda r: (-r.score, sorted(map(family.ranked.index, r.places))))


def _reading(family: Family, key: tuple[int, ...], orders: Orders) -> Reading | None:
    is_key = family.is_key(key)
    rest = [i for i in range(family.size) if i not in key]
    exact = is_key and family.is_exact(key)
    if not key:
        return Reading(family, key, exact, 4.0) if is_key else None
    if len(key) == 1:
        score = _line(family, key[0], orders, is_key=is_key, exact=exact)
    else:
        is_token = bool(rest) and not is_key and family.is_key(rest)
        score = _grid(family, key, orders, is_key=is_key, exact=exact)
        score -= 0 if is_key or not score else 0.5 if is_token else 1.5
    return Reading(family, key, exact, score) if score else None


def _line(family: Family, at: int, orders: Orders, *, is_key: bool, exact: bool) -> float:
    """How well one argument makes a row of places; 0 for not at all."""
    if not is_key or len(family.domains[at]) < 2:
        return 0
    has_order = orders.has_order(family.domains[at])
    if family.size == 1:
        return 3 + 1.5 * has_order - 2.5 * (family.most <= 1)
    return (5 if exact else 3) + has_order


def _grid(
    family: Family, key: tuple[int, ...], orders: Orders, *, is_key: bool, exact: bool
) -> float:
    """How well some arguments make a grid, or several; 0 for not at all."""
    domains = [family.domains[i] for i in key]
    if any(len(own) < 2 for own in domains):
        return 0
    in_order = sum(map(orders.has_order, domains))
    linked = _linked(domains)
    smaller = [k for size in (1, 2, 3) for k in combinations(key, size) if size < len(key)]
    if exact:
        if any(family.is_key(k) and family.is_exact(k) for k in smaller):
            return 0
        rectangle = 1
        for own in domains:
            rectangle *= len(own)
        is_full = len({row for row in family.rows[0]}) == rectangle
        return 6 + 2 * is_full + 0.5 * in_order + 1.5 * linked
    if family.many(key) > MAX_PLACES:
        return 0
    whole = len(key) == family.size
    if in_order < (len(key) if whole or len(key) > 2 else 2) or not (is_key or len(key) == 2):
        return 0
    if len(key) > 2 and any(family.is_key(k) for k in smaller if len(k) > 1):
        return 0
    score = 6 + 1.5 * linked - (len(key) - 2) / (1 if whole else 2)
    if whole and any(family.is_key(k) for k in smaller) and domains[0] != domains[1]:
        score -= 3
    if family.most <= 1 and not linked:
        score -= 3
    return score


def _linked(domains: Sequence[frozenset[Term]]) -> bool:
    """Whether two of the domains have most values in common."""
    pairs = combinations(domains, 2)
    return any(2 * len(a & b) >= max(len(a), len(b)) for a, b in pairs)
