"""No state comes up twice: weights on fluents whose sum falls with every move.

Candidates come from a linear program over moves that were seen; the solver then looks for a board
and a move under which the sum does not fall, which is one more row of the program, until there is
none (counterexample-guided synthesis of ranking functions; Podelski and Rybalchenko, VMCAI 2004,
and Solar-Lezama et al., ASPLOS 2006). The proof is the last question, in integers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.boards.boards import Circuits
from ggp.analysis.invariants.cases import cases
from ggp.analysis.questions.question import Question
from ggp.errors import BudgetSpent, LimitReached
from ggp.kif import Term
from ggp.later import Later
from ggp.limits import look, time_left
from ggp.rules import Signature, signature
from ggp.work import count_work, work_done

optimize = Later("scipy.optimize")
sparse = Later("scipy.sparse")

DENOMINATORS = (1, 2, 12, 100, 1000)
"""The largest that weights of the linear program, which has floating point, may have when they are
made exact; tried one after the other."""

MAX_SUM = 1 << 30
"""Of all weights without their signs: clingo has 32 bits for a sum."""

FEW = 4
"""Values of an argument up to which fluents with different ones have different weights, where there
are not weights for each fluent."""

MOST_PIVOTS = 2**31 - 1
"""What HiGHS takes as a limit."""

PIVOT = 2e-8
"""Work for one step of the linear program and each of its entries."""

Change = tuple[int, tuple[tuple[int, int], ...]]
"""What one move did: its player, and fluents (by index, ascending) with +1 if they came, -1 if they
went."""

Weights = Mapping[int, int]


def find_ranking(
    boards: Circuits,
    question: Question,
    seen: Iterable[Change],
    strict: Collection[int],
    work: float,
    rounds: float = math.inf,
) -> Weights | None:
    """Integer weights of fluents whose sum no option raises, and those of `strict` players lower.

    On every board that `question` is about. `seen`: what some moves did. None where there are no
    such weights, or `work` is too little to prove them, or so many `rounds` of candidates and
    counterexamples; where weights of each fluent are not found, as much is spent once more on
    weights of whole kinds of fluents.
    """
    known = list(dict.fromkeys(seen))
    fluents = boards.net.fluents
    for own in (range(len(fluents)), kinds({}, fluents)):
        weights = _find(boards, question, known, strict, own, work_done() + work, rounds)
        if weights is not None:
            return weights
    return None


def _find(
    boards: Circuits,
    question: Question,
    known: list[Change],
    strict: Collection[int],
    kinds: Sequence[int],
    until: float,
    rounds: float,
) -> Weights | None:
    """The same with one weight for all fluents of one of `kinds`, from changes that are `known`, to
    which it adds."""
    rows = Rows(kinds, known)
    while work_done() < until and rounds > 0:
        rounds -= 1
        found = rows.lowest(strict, until - work_done())
        if found is None:
            return None
        weights = {f: found[kinds[f]] for f in rows.fluents if found.get(kinds[f])}
        try:
            left = until - work_done()
            failing = [c for c, _ in counterexamples(boards, question, weights, strict, left)]
        except BudgetSpent:
            raise
        except LimitReached:
            return None
        if not failing:
            return weights
        known += failing
        rows.add(failing)
    return None


def kinds(
    telling: Mapping[Signature, Collection[int]],
    fluents: Sequence[Term],
    always: Collection[Term] = (),
) -> list[int]:
    """A number for each fluent: the same for those of one relation that differ only in arguments
    that do not tell them apart.

    Those tell that are `telling` of a relation, or if that has none, those with few values; and
    those that are one of `always`.
    """
    values: dict[tuple[Signature, int], set[Term]] = {}
    for fluent in fluents:
        for place, argument in enumerate(fluent.args):
            values.setdefault((signature(fluent), place), set()).add(argument)
    places = {
        own: telling.get(own, [p for p in range(own[1]) if len(values[own, p]) <= FEW])
        for own in {signature(fluent) for fluent in fluents}
    }
    numbers: dict[tuple[Signature, tuple[Term | None, ...]], int] = {}
    found = []
    for fluent in fluents:
        own = signature(fluent)
        told = (x if x in always or p in places[own] else None for p, x in enumerate(fluent.args))
        found.append(numbers.setdefault((own, tuple(told)), len(numbers)))
    return found


def counterexamples(
    boards: Circuits,
    question: Question,
    weights: Weights,
    strict: Collection[int],
    work: float,
) -> Iterator[tuple[Change, frozenset[int]]]:
    """For each option, and each of its `cases`, something that it can do to the sum and must not,
    if there is any; with those of the fluents that it may change that hold before."""
    before, builder = boards.inputs, boards.builder
    known = set(before.values())
    asked, about = [], []
    for role, option in (
        (r, option) for r, side in enumerate(boards.sides) for option in side.options
    ):
        for when, values in cases(builder, option.legal, option.after(before), weights):
            terms: dict[int, int] = {}
            shown = []
            for f, after in sorted(values.items()):
                shown += [before[f], after]
                if f in weights and after != before[f]:
                    # What comes and goes: of what the move leaves alone, neither can.
                    pair = builder.conj(after, before[f] ^ 1), builder.conj(before[f], after ^ 1)
                    if after in known:
                        # What moves from fluent to fluent cancels out.
                        pair = after, before[f]
                    for literal, weight in zip(pair, (weights[f], -weights[f]), strict=True):
                        terms[literal] = terms.get(literal, 0) + weight
            told = [(x, w) for x, w in terms.items() if w]
            asked.append((when, 0 if role in strict else 1, told, shown))
            about.append((role, sorted(values)))
    for place, holds in question.heavy(asked, work):
        role, fluents = about[place]
        both = list(zip(fluents, map(int, holds[1::2]), map(int, holds[::2]), strict=True))
        change = tuple((f, now - then) for f, now, then in both if now != then)
        yield (role, change), frozenset(f for f, _, then in both if then)


def of_kinds(changes: Iterable[Change], kinds: Sequence[int]) -> list[Change]:
    """How many fluents of each kind came and went, each such change once."""
    summed: dict[Change, None] = {}
    for role, change in changes:
        counts: dict[int, int] = {}
        for f, d in change:
            counts[kinds[f]] = counts.get(kinds[f], 0) + d
        summed[role, tuple((kind, n) for kind, n in sorted(counts.items()) if n)] = None
    return list(summed)


def lowest(changes: Iterable[Change], strict: Collection[int], work: float) -> Weights | None:
    """Integer weights of small sum under which no change raises the sum, and those of `strict`
    lower it; None where there are none, or `work` is too little."""
    return Rows(None, changes).lowest(strict, work)


class Rows:
    """Changes as rows of a linear program, each once; of single fluents, or with a column for each
    of some `kinds`."""

    def __init__(self, kinds: Sequence[int] | None, changes: Iterable[Change]) -> None:
        self._kinds = kinds
        self._known: dict[Change, None] = {}
        self._roles: list[int] = []
        self._entries: list[tuple[int, int, int]] = []
        self._fluents: set[int] = set()
        self.add(changes)

    @property
    def fluents(self) -> list[int]:
        """The fluents that some change is about, ascending."""
        return sorted(self._fluents)

    def add(self, changes: Iterable[Change]) -> None:
        """Put more changes below those that are there."""
        given = list(changes)
        self._fluents.update(f for _, change in given for f, _ in change)
        for row in given if self._kinds is None else of_kinds(given, self._kinds):
            if row not in self._known:
                self._known[row] = None
                self._entries += [(len(self._roles), column, d) for column, d in row[1]]
                self._roles.append(row[0])

    def lowest(self, strict: Collection[int], work: float) -> Weights | None:
        """Integer weights of columns, see the function of this name."""
        if any((role, ()) in self._known for role in strict):
            return None
        if not self._entries:
            return {}
        rows, given, values = np.array(self._entries, dtype=np.int64).T
        columns, places = np.unique(given, return_inverse=True)
        shape = (len(self._roles), len(columns))
        matrix = sparse.coo_array((values, (rows, places)), shape=shape).tocsr()
        most = -np.isin(self._roles, list(strict)).astype(np.int64)
        look("ranking")
        entries = 2 * len(values)
        result = optimize.linprog(
            np.ones(2 * len(columns)),
            # A weight is the difference of two variables, whose sum is kept small.
            A_ub=sparse.hstack([matrix, -matrix], format="csr").astype(np.float64),
            b_ub=most.astype(np.float64),
            method="highs",
            options={
                "maxiter": max(1, min(MOST_PIVOTS, int(work / (PIVOT * entries)))),
                "time_limit": max(0.0, min(time_left(), 1e9)),
            },
        )
        count_work(PIVOT * entries * (1 + result.nit))
        look("ranking")
        if result.x is None:
            return None
        found = result.x[: len(columns)] - result.x[len(columns) :]
        for denominator in DENOMINATORS:
            weights = _exact(found, denominator)
            if sum(map(abs, weights)) < MAX_SUM and (matrix @ np.array(weights) <= most).all():
                return {int(column): w for column, w in zip(columns, weights, strict=True) if w}
        return None


def _exact(weights: NDArray[np.float64], denominator: int) -> list[int]:
    """Integers in the same proportions as fractions that are near to the weights."""
    values, places = np.unique(weights, return_inverse=True)
    near = [Fraction(float(w)).limit_denominator(denominator) for w in values]
    scale = math.lcm(*(w.denominator for w in near))
    integers = [int(w * scale) for w in near]
    return [integers[place] for place in places]
