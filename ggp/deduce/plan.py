"""The order in which the conditions of a body are tried: the most selective first.

A condition's cost is the number of rows that it is expected to give for each way in which the ones
before it hold. Tests come before joins, small joins before large ones (Selinger et al., "Access
path selection in a relational database management system", 1979, in its greedy form). How many rows
a relation with rules has is estimated from its rules in the same way, down to the tables of the
sheet and of the initial state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass
from math import inf, prod

from ggp.deduce.interning import Shape
from ggp.deduce.program import BodyLiteral, RelationalProgram
from ggp.kif import Term
from ggp.rules import Signature

_TEST, _CALL = 0.1, 1.1
_FANOUT = 6.0
"""Rows that one open column of a relation is taken to have of which the rows are not estimated."""

_DEEP, _WAYS = 30, 32
"""Relations one below the other, of each of which the rows are estimated by those of the next, and
ways in which a relation is asked of which it is done: there may be two to the number of columns."""

_AT_LEAST = 2.0
"""Rows that fluents are taken to have at the least: in the first state there may be few of them."""

_UNKNOWN = 0.05
"""Parts of all ways that are taken to be left at the least by tests that no table tells of."""

_MOST = 1e12
"""Rows from which on more make no difference."""

_STEPS = 5
"""How often a recursive relation is taken to be come back to for each of its rows."""

_HOLDS, _DENIED = 0.5, 0.9
"""How likely a test is taken to hold of which no table tells how often it does."""


@dataclass(frozen=True)
class Columns:
    """How a literal is asked: which columns are known, which are wanted; the rest is ignored."""

    bound: tuple[int, ...]
    wanted: tuple[int, ...]

    @property
    def is_test(self) -> bool:
        """Whether the answer is a bare yes or no."""
        return not self.wanted

    def mask(self, arity: int) -> str:
        """A letter for each column: `b` known, `f` wanted, `_` ignored."""
        letters = ["_"] * arity
        for i in self.bound:
            letters[i] = "b"
        for i in self.wanted:
            letters[i] = "f"
        return "".join(letters)


def columns(literal: BodyLiteral, known: Container[str], later: Container[str]) -> Columns:
    """How `literal` is asked where the variables in `known` have values and those in `later` are
    needed by something else.

    A relation of the same component is not asked for terms that are made for it: they might be
    larger each time, without an end, where its rows are finitely many.
    """
    bound, wanted = [], []
    goes_on = literal.recursive and not literal.negated
    for i, own in enumerate(literal.names):
        is_made = goes_on and own and not literal.args[i].is_variable
        if not is_made and all([v in known for v in own]):
            bound.append(i)
        elif (
            not literal.args[i].is_variable
            or own[0] in later
            or sum([names.count(own[0]) for names in literal.names]) > 1
        ):
            wanted.append(i)
    return Columns(tuple(bound), tuple(wanted))


def needed(literals: Sequence[BodyLiteral], extra: Collection[str] = ()) -> set[str]:
    """The variables of some literals, and `extra`."""
    return set(extra).union(*(x.variables for x in literals))


class BodyPlanner:
    """Chooses the next literal of a body; `start` holds the rows of the initial fluents."""

    def __init__(self, program: RelationalProgram) -> None:
        self.program = program
        self.start: dict[Signature, list[Shape]] = {}
        self._buckets: dict[tuple[Signature, bool, tuple[int, ...]], float] = {}
        self._densities: dict[tuple[Signature, bool], float] = {}
        self._asked: Counter[Signature] = Counter()
        self._derived: dict[tuple[Signature, tuple[int, ...]], float] = {}
        self._open: dict[tuple[Signature, tuple[int, ...]], bool] = {}  # asked again?

    def forget(self, relation: Signature) -> None:
        """The rows of a table are other ones from now on."""
        for key in [key for key in self._buckets if key[0] == relation and not key[1]]:
            del self._buckets[key]
        self._densities.pop((relation, False), None)
        for asked in [asked for asked in self._derived if asked[0] == relation]:
            del self._derived[asked]

    def best(self, literals: Sequence[BodyLiteral], known: Container[str], extra: set[str]) -> int:
        """The index of the cheapest literal where `known` variables have values; `extra` are
        needed after the body."""
        uses = Counter(name for literal in literals for name in literal.variables)
        shared = {name for name, count in uses.items() if count > 1} | extra
        costs = [self.cost(literal, known, shared) for literal in literals]
        return min(range(len(costs)), key=costs.__getitem__)

    def cost(self, literal: BodyLiteral, known: Container[str], later: Container[str]) -> float:
        """Rows to expect; less than one for a test, infinite where it cannot be asked yet."""
        is_known = all(v in known for v in literal.variables)
        if literal.kind == "distinct":
            return 0.0 if is_known else inf
        if literal.negated and not is_known:
            return inf
        asked = columns(literal, known, later)
        if literal.kind == "call":
            if asked.is_test:
                return _CALL
            return max(_CALL, 2 * self._rows(literal.relation, asked.bound))
        if asked.is_test:
            return _TEST
        if literal.kind == "does":
            roles = self.program.facts.get(("role", 1), ())
            return 0.9 if 0 in asked.bound else len(roles)
        return self._bucket(literal, asked.bound)

    def _rows(self, relation: Signature, bound: tuple[int, ...]) -> float:
        """How many rows of a relation with rules agree in the known columns, about.

        Rules that come back to the same question give as many more for each, at most, for some
        steps.
        """
        key = relation, bound
        if key in self._derived:
            return self._derived[key]
        if key in self._open:
            self._open[key] = True
            return 1.0
        if len(self._open) == _DEEP or self._asked[relation] == _WAYS:
            return min(_FANOUT ** (relation[1] - len(bound)), _MOST)
        self._asked[relation] += 1
        once, again = 0.0, 0.0
        if relation in self.program.facts:
            once += self._bucket(self.program.table(relation), bound)
        try:
            for rule in self.program.rules[relation]:
                self._open[key] = False
                ways = self._ways(self.program.body(rule), rule.head.args, bound)
                if self._open[key]:
                    again += ways
                else:
                    once += ways
        finally:
            self._open.pop(key, None)
        # Where no rule ends the recursion, nothing is known but one step of it.
        rows = (once or again) * sum(min(again, 1.0) ** step for step in range(_STEPS))
        self._derived[key] = min(rows, _MOST)
        return self._derived[key]

    def _ways(self, body: list[BodyLiteral], args: Sequence[Term], bound: tuple[int, ...]) -> float:
        """In how many ways a body holds, about, where some columns of its head are known."""
        known = variables([args[i] for i in bound])
        extra = variables(args)
        left, ways, unknown = list(body), 1.0, 1.0
        while left:
            literal = left.pop(self.best(left, known, extra))
            later = needed(left, extra)
            asked = columns(literal, known, later)
            each = 1.0
            if asked.is_test and literal.kind in ("facts", "fluent"):
                each = self._likely(literal)
            elif asked.is_test:
                unknown *= self._likely(literal)
            elif literal.kind == "call":
                each = self._rows(literal.relation, asked.bound)
            elif literal.kind == "fluent":
                each = max(self.cost(literal, known, later), _AT_LEAST)
            else:
                each = self.cost(literal, known, later)
            ways = min(ways * each, _MOST)
            known |= literal.variables
        return ways * max(unknown, _UNKNOWN)

    def _likely(self, literal: BodyLiteral) -> float:
        """How likely a test holds; what is denied mostly does."""
        is_denied = literal.negated or literal.kind == "distinct"
        if literal.kind not in ("facts", "fluent"):
            return _DENIED if is_denied else _HOLDS
        density = self._density(literal.relation, is_fluent=literal.kind == "fluent")
        return max(1 - density, 1 - _DENIED) if is_denied else density

    def _density(self, relation: Signature, *, is_fluent: bool) -> float:
        """How many of all rows that its columns could give a table has; of fluents at most half."""
        key = relation, is_fluent
        if key not in self._densities:
            rows = (self.start if is_fluent else self.program.facts).get(relation, [])
            likely = 1 - _DENIED
            if rows:
                full = prod(len(set(column)) for column in zip(*rows, strict=True))
                likely = len(rows) / full
            self._densities[key] = min(likely, _HOLDS) if is_fluent else likely
        return self._densities[key]

    def _bucket(self, literal: BodyLiteral, bound: tuple[int, ...]) -> float:
        """The mean number of rows that agree in the known columns."""
        is_fluent = literal.kind != "facts"
        key = (literal.relation, is_fluent, bound)
        if key not in self._buckets:
            table = self.start if is_fluent else self.program.facts
            rows = table.get(literal.relation, [])
            keys = len({tuple(row[i] for i in bound) for row in rows})
            guess = 2.0 ** (len(literal.args) - len(bound)) if is_fluent else 0.0
            self._buckets[key] = len(rows) / keys if keys else guess
        return self._buckets[key]


def components(literals: Sequence[BodyLiteral], known: Container[str]) -> list[list[BodyLiteral]]:
    """Literals grouped so that no two groups share a variable without a value."""
    groups: list[tuple[set[str], list[BodyLiteral]]] = []
    for literal in literals:
        names = {v for v in literal.variables if v not in known}
        joined = [group for group in groups if group[0] & names]
        groups = [group for group in groups if not group[0] & names]
        members = [x for group in joined for x in group[1]]
        groups.append((names.union(*(group[0] for group in joined)), [*members, literal]))
    return [members for _, members in groups]


def variables(terms: Sequence[Term]) -> set[str]:
    """The variables of some terms."""
    return {v for term in terms for v in term.variables()}
