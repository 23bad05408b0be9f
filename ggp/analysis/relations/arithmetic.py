"""Arithmetic by extension: orders, sums and circles among static relations of any name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ggp.analysis.evidence import Evidence
from ggp.analysis.finding import Finding
from ggp.analysis.relations.chains import Chain, chains
from ggp.deduce import Prover
from ggp.errors import LimitReached
from ggp.game import Game
from ggp.kif import Term

MIN_ELEMENTS = 3
"""Elements from which on a table is said to be one of arithmetic: smaller ones fit by accident."""

MAX_ROWS = 200_000
"""Rows of a relation of three arguments that are looked at."""

Row = tuple[Term, ...]


@dataclass(frozen=True)
class ArithmeticTable:
    """A static relation that is a table of arithmetic: `kind` says which, `of` on which chain.

    Kinds: `inverse` of a chain; `less than`, `at most`, `greater than`, `at least`; `addition`,
    where argument `total` (from 1) is the sum of the other two; `cycle`, with no chain. `part`: of
    which elements of the chain, where it is not all of them.
    """

    relation: str
    kind: str
    of: str | None
    total: int | None = None
    part: str | None = None

    def as_json(self) -> dict[str, object]:
        """The table as plain data."""
        told: dict[str, object] = {
            "relation": self.relation,
            "kind": self.kind,
            "of": self.of,
            "total": self.total,
        }
        return told if self.part is None else {**told, "part": self.part}

    def __str__(self) -> str:
        of = f" on {self.of}" if self.of else ""
        return f"{self.relation}: {self.kind}{of}" + (f", {self.part}" if self.part else "")


def order_of(pairs: Collection[Row], rank: Mapping[Term, int]) -> str | None:
    """Which order a binary relation is on consecutive elements of a chain, or None."""
    elements = {term for pair in pairs for term in pair}
    if not elements <= rank.keys() or len(elements) < MIN_ELEMENTS:
        return None
    numbers = sorted(rank[term] for term in elements)
    count = len(numbers)
    if numbers[-1] - numbers[0] != count - 1:
        return None
    steps = [rank[b] - rank[a] for a, b in pairs]
    strict, loose = count * (count - 1) // 2, count * (count + 1) // 2
    distinct = set(pairs)
    if len(distinct) == strict and min(steps) > 0:
        return "less than"
    if len(distinct) == strict and max(steps) < 0:
        return "greater than"
    if len(distinct) == loose and min(steps) >= 0:
        return "at most"
    if len(distinct) == loose and max(steps) <= 0:
        return "at least"
    return None


def sum_of(rows: Collection[Row], rank: Mapping[Term, int]) -> int | None:
    """Which argument (from 1) is the sum of the other two, in a whole table of sums, or None.

    The first element of the chain is 0 or 1; of any two numbers that occur as summands with a sum
    among the sums there is a row.
    """
    if any(term not in rank for row in rows for term in row):
        return None
    for total in range(3):
        first, second = (i for i in range(3) if i != total)
        for start in (0, 1):
            numbers = {(rank[r[first]], rank[r[second]], rank[r[total]]) for r in rows}
            found = {(a + start, b + start, c + start) for a, b, c in numbers}
            lefts, rights = {a for a, _, _ in found}, {b for _, b, _ in found}
            totals = {c for _, _, c in found}
            if len(lefts | rights | totals) < MIN_ELEMENTS or len(found) < MIN_ELEMENTS:
                continue
            if len(lefts) * len(rights) > MAX_ROWS:
                continue
            wanted = {(a, b, a + b) for a in lefts for b in rights if a + b in totals}
            if found == wanted:
                return total + 1
    return None


def is_cycle(pairs: Collection[Row]) -> bool:
    """Whether a binary relation is one circle through all of its elements."""
    after: dict[Term, Term] = {row[0]: row[1] for row in pairs}
    if len(after) != len(set(pairs)) or len(after) < MIN_ELEMENTS:
        return False
    start = next(iter(after))
    here, count = after[start], 1
    while here != start:
        if here not in after or count > len(after):
            return False
        here, count = after[here], count + 1
    return count == len(after)


def tables(game: Game) -> list[ArithmeticTable]:
    """The tables of arithmetic among the static relations of a game, by name."""
    known = chains(game.net)
    chained = {chain.relation for chain in known}
    found = []
    for (name, _), pairs in sorted(game.net.statics.items()):
        if name in chained:
            found += _inverse(name, pairs, known)
        elif is_cycle(pairs):
            found.append(ArithmeticTable(name, "cycle", None))
        else:
            found += _order(name, pairs, known)
    for name, rows in sorted(_ternary(game).items()):
        for chain in known:
            total = sum_of(rows, _rank(chain))
            if total is not None:
                part = _part_of_sums(rows, chain, total)
                found.append(ArithmeticTable(name, "addition", chain.relation, total, part))
                break
    return found


def _rank(chain: Chain) -> dict[Term, int]:
    return {term: n for n, term in enumerate(chain.elements)}


def _inverse(name: str, pairs: Collection[Row], known: list[Chain]) -> list[ArithmeticTable]:
    """The relation as the inverse of a chain that comes before it by name."""
    own = {(b, a) for a, b in pairs}
    for chain in known:
        steps = set(zip(chain.elements, chain.elements[1:], strict=False))
        if chain.relation < name and steps == own:
            return [ArithmeticTable(name, "inverse", chain.relation)]
    return []


def _order(name: str, pairs: Collection[Row], known: list[Chain]) -> list[ArithmeticTable]:
    for chain in known:
        kind = order_of(pairs, _rank(chain))
        if kind:
            part = _span({term for pair in pairs for term in pair}, chain)
            return [ArithmeticTable(name, kind, chain.relation, part=part)]
    return []


def _span(terms: Collection[Term], chain: Chain) -> str | None:
    """Which elements of a chain these are, in words; None if they are all."""
    if len(terms) == len(chain.elements):
        return None
    own = [term for term in chain.elements if term in terms]
    first, last = own[0], own[-1]
    rank = _rank(chain)
    between = rank[last] - rank[first] + 1
    count = "" if len(own) == between else f"{len(own)} of "
    return f"{count}{first} to {last}" if len(own) > 1 else str(first)


def _part_of_sums(rows: Collection[Row], chain: Chain, total: int) -> str | None:
    """Which elements the three arguments of a table of sums have, in words; None if there is a row
    for any two elements whose sum is one."""
    rank, count = _rank(chain), len(chain.elements)
    i, j = (i for i in range(3) if i != total - 1)
    row = next(iter(rows))
    start = rank[row[total - 1]] - rank[row[i]] - rank[row[j]]
    if len(set(rows)) == sum(max(0, min(count, count - start - a)) for a in range(count)):
        return None
    spans = [_span({row[i] for row in rows}, chain) or "all" for i in range(3)]
    return f"arguments {'; '.join(spans)}"


def _ternary(game: Game) -> dict[str, list[Row]]:
    """The static relations of three arguments, as far as they are no longer than the limit."""
    graph = game.rules.graph
    changing = graph.depending_on([("true", 1), ("does", 2)])
    prover = Prover(game.rules, game.limits)
    found = {}
    for relation in graph.first:
        if relation[1] == 3 and relation not in changing:
            try:
                rows = prover.domain(*relation)
            except LimitReached:
                continue
            if 0 < len(rows) <= MAX_ROWS:
                found[relation[0]] = rows
    return found


def arithmetic(game: Game) -> Finding:
    """The static relations that are tables of arithmetic on some chain."""
    found = tables(game)
    told = Evidence("; ".join(map(str, found)))
    return Finding("arithmetic", [t.as_json() for t in found], "proved", told)
