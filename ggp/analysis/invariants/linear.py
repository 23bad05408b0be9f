"""Sums that never change: weights on fluents whose sum is the same in every state of play.

Such as "pieces on the board and captures together are twelve". The changes that were seen leave a
space of weights that none of them alters; the solver looks for a move that alters one of these
sums, from a board on which all of them are what they were at the start. What such a move does is
one more change, until there is none. The result is the affine hull of the states that arise, as far
as it is inductive (Karr, "Affine relationships among variables of a program", Acta Informatica 6,
1976; by counterexamples of a solver as in Reps, Sagiv and Yorsh, VMCAI 2004).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggp.analysis.boards.boards import Circuits
from ggp.analysis.invariants.unchanged import Change, Unchanged, determined
from ggp.analysis.questions.question import Question
from ggp.analysis.questions.summands import summands
from ggp.circuits.circuit import FALSE, TRUE
from ggp.ground import Group, disjoint
from ggp.work import work_done

MAX_FLUENTS = 2_000
"""Of nets whose sums are looked for."""

FEW_OPTIONS = 4
"""Options up to which each sum is a question of its own."""

GROWN = 2
"""Times as large as when it was new: a solver that is let go of."""

BATCH = 64
"""Options that one solver is asked about."""

CONFLICTS = 300
"""Of the solver, after which a question is divided."""

MAX_CASES = 500
"""Into which one question is divided."""


@dataclass(frozen=True)
class Sum:
    """Fluents (by index, ascending) with integer weights: those that hold sum to `value`."""

    weights: tuple[tuple[int, int], ...]
    value: int


@dataclass(frozen=True)
class Sums:
    """Sums that no move changes, where all of them are what they should be."""

    found: tuple[Sum, ...]
    _steps: tuple[tuple[frozenset[Sum], frozenset[Sum]], ...]
    """For each option the sums that it could change, and those that the proof used that it does
    not."""

    def resting_on(self, wanted: Iterable[Sum]) -> list[Sum]:
        """Some of the sums, with all that their proofs rest on."""
        needed, size = set(wanted), -1
        while len(needed) > size:
            size = len(needed)
            for touched, used in self._steps:
                if not needed.isdisjoint(touched):
                    needed |= used
        return [s for s in self.found if s in needed]


def find_sums(
    circuits: Circuits,
    make_question: Callable[[], Question],
    groups: Sequence[Group],
    initial: Collection[int],
    seen: Iterable[Change],
    work: float,
    without: Collection[int] = (),
) -> Sums:
    """Sums of the fluents of `circuits` that no option changes, on boards of a question.

    `groups` are those that hold on all of these boards, `initial` the fluents that hold at the
    start, `seen` what some moves did, `without` fluents that are to be in no sum. Sums that follow
    from exact groups are left out. Each sum is proved by induction together with the others; what
    is not settled with `work` is none.
    """
    if len(circuits.inputs) > MAX_FLUENTS:
        return Sums((), ())
    until = work_done() + work
    exact, unchanged = sums_of(circuits.inputs, groups, without)
    for change in seen:
        unchanged.add(change)
    known = [g for g in groups if all(f in circuits.inputs for f in g.fluents)]
    return _BySolver(circuits, make_question, known, exact, initial, unchanged, until).run()


def sums_of(
    inputs: Collection[int], groups: Iterable[Group], without: Collection[int]
) -> tuple[list[Group], Unchanged]:
    """All sums of some fluents but those that follow from exact groups; and these, disjoint."""
    exact = [g for g in groups if g.exact and all(f in inputs for f in g.fluents)]
    left_out = determined(exact).union(without)
    return disjoint(exact), Unchanged(f for f in inputs if f not in left_out)


@dataclass
class _Case:
    """Whether an option can alter one of some rows: two atoms that would have to hold, that the
    option is legal and that it does; an atom for each row alone; the rows that a proof used that it
    cannot, once there is one."""

    option: int
    rows: frozenset[int]
    atoms: list[int]
    single: dict[int, int]
    used: frozenset[int] | None = None


class Search(ABC):
    """Takes sums out of `unchanged` until the rest is proved; `exact`: disjoint exact groups."""

    def __init__(
        self,
        circuits: Circuits,
        exact: Sequence[Group],
        initial: Collection[int],
        unchanged: Unchanged,
        until: float,
    ) -> None:
        self.inputs, self.builder = circuits.inputs, circuits.builder
        self.options = [option for side in circuits.sides for option in side.options]
        self.exact, self.initial, self.unchanged = exact, initial, unchanged
        self.until = until
        self.changes: dict[int, dict[int, tuple[int, int]]] = {}
        self.used: dict[int, frozenset[int]] = {}
        """For each option that was proved the rows that its proof used."""

    def run(self) -> Sums:
        """Ask about all options until no sum is dropped any more."""
        pending, size = list(range(len(self.options))), 1
        while pending and self._has_time:
            # Few at a time while sums are still dropped, since others are asked about then.
            size = 1 if self._pass(pending[:size]) else min(2 * size, BATCH)
            rows = self.unchanged.rows.keys()
            listed = dict.fromkeys([*pending, *self.used])
            pending = [i for i in listed if i not in self.used or not self.used[i] <= rows]
        return self._settled()

    @abstractmethod
    def _pass(self, pending: Collection[int]) -> bool:
        """Ask about some options; what is proved goes to `used`. Whether some sum was dropped."""

    def _settled(self) -> Sums:
        """What is proved, without whatever hangs on what is not."""
        touched = {
            i: set(self.unchanged.touching(option.after(self.inputs)))
            for i, option in enumerate(self.options)
        }
        kept, size = set(self.unchanged.rows), -1
        while len(kept) != size:
            size = len(kept)
            for i, rows in touched.items():
                if i not in self.used or not self.used[i] <= kept:
                    kept -= rows
        sums = {r: self._sum(r) for r in sorted(kept)}
        steps = (
            (frozenset(sums[r] for r in rows & kept), frozenset(sums[r] for r in self.used[i]))
            for i, rows in touched.items()
            if not rows.isdisjoint(kept)
        )
        return Sums(tuple(s for s in sums.values() if s.weights), tuple(steps))

    @property
    def _has_time(self) -> bool:
        return work_done() < self.until

    def _changes(self, i: int) -> dict[int, tuple[int, int]]:
        """The fluents that an option can change, with literals that they come and that they go."""
        if i not in self.changes:
            conj = self.builder.conj
            self.changes[i] = {
                f: (conj(after, self.inputs[f] ^ 1), conj(self.inputs[f], after ^ 1))
                for f, after in sorted(self.options[i].after(self.inputs).items())
            }
        return self.changes[i]

    def _sum(self, number: int) -> Sum:
        """A row, without negative weights of exact groups."""
        row = dict(self.unchanged.rows[number])
        for group in self.exact:
            low = min(row.get(f, 0) for f in group.fluents)
            if low:
                row.update({f: row.get(f, 0) - low for f in group.fluents})
        weights = tuple(sorted((f, w) for f, w in row.items() if w))
        return Sum(weights, sum(w for f, w in weights if f in self.initial))


class _BySolver(Search):
    """Asks a solver about each option, with all sums assumed."""

    def __init__(
        self,
        circuits: Circuits,
        make_question: Callable[[], Question],
        groups: Sequence[Group],
        exact: Sequence[Group],
        initial: Collection[int],
        unchanged: Unchanged,
        until: float,
    ) -> None:
        super().__init__(circuits, exact, initial, unchanged, until)
        self.make_question, self.question = make_question, make_question()
        self.groups = groups
        self.holds: dict[int, int] = {}
        self.cases: dict[int, list[_Case]] = {}
        self.small = 0
        """Literals that the solver was told of when it was new."""

    def _forget(self) -> None:
        """Begin with an empty solver, which is several times faster than one that knows all that
        was asked before. Atoms are those of one solver: of all cases only proofs are kept."""
        self.question, self.holds, self.small = self.make_question(), {}, 0
        for i, cases in self.cases.items():
            self.cases[i] = [case for case in cases if case.used is not None]

    def _assumed(self) -> dict[int, int]:
        """For each row an atom that says that its sum is what it was at the start."""
        for r in self.unchanged.rows:
            if r not in self.holds:
                found = self._sum(r)
                terms = summands(self.builder, self.inputs, found.weights, self.groups)
                self.holds[r] = self.question.equals(terms, found.value)
        return {self.holds[r]: r for r in self.unchanged.rows}

    def _pass(self, pending: Collection[int]) -> bool:
        if len(pending) == BATCH or 0 < GROWN * self.small < self.question.size:
            self._forget()
        asked = {i: self._asked(i) for i in pending if self._has_time}
        rows = self.unchanged.rows.keys()
        assumed, dropped = self._assumed(), False
        self.small = self.small or self.question.size
        for case in [case for cases in asked.values() for case in cases]:
            if not self._has_time or case.used is not None or not case.rows <= rows:
                continue
            known = self._ask(case, assumed)
            if isinstance(known, frozenset):
                case.used = known
                continue
            dropped = True
            if isinstance(known, int):
                self.unchanged.drop(known)
            else:
                self.unchanged.add(known)
            assumed = self._assumed()
        for i, cases in asked.items():
            if all(case.used is not None and case.used | case.rows <= rows for case in cases):
                self.used[i] = frozenset[int]().union(*(case.used or () for case in cases))
        return dropped

    def _asked(self, i: int) -> list[_Case]:
        """What is to be asked about an option."""
        self.used.pop(i, None)
        known = {case.rows: case for case in self.cases.get(i, ())}
        legal = self.question.atom(self.options[i].legal)
        altering = list(self._altering(i))
        joint = len(self.options) > FEW_OPTIONS and len(altering) > 1
        cases = []
        for part in [altering] if joint else [[one] for one in altering]:
            rows = frozenset(row for row, _ in part)
            case = known.get(rows)
            if case is None or case.used is None or not case.used <= self.unchanged.rows.keys():
                # Its atoms may be those of a solver that was let go of.
                some = self.question.some([atom for _, atom in part])
                case = _Case(i, rows, [legal, some], dict(part))
            cases.append(case)
        self.cases[i] = cases
        return cases

    def _altering(self, i: int) -> Iterator[tuple[int, int]]:
        """Rows that an option could alter, each with an atom that says that it does."""
        changes = self._changes(i)
        for r in self.unchanged.touching(changes):
            terms, fixed = [], 0
            for f, w in self.unchanged.rows[r].items():
                for literal, weight in zip(changes.get(f, ()), (w, -w), strict=False):
                    if literal == TRUE:
                        fixed += weight
                    elif literal != FALSE:
                        terms.append((literal, weight))
            if terms or fixed:
                yield r, -self.question.equals(terms, -fixed)

    def _ask(self, case: _Case, assumed: Mapping[int, int]) -> frozenset[int] | Change | int:
        """What an option does that alters one of some rows; else the rows that a proof used; else
        one row of which it is not known."""
        legal, _ = case.atoms
        known = self._try(case.option, case.atoms, assumed)
        if known is not None:
            return known
        used: set[int] = set()
        for row, atom in sorted(case.single.items()):
            split = self._telling(case.option, row)
            known = self._divide(case.option, [legal, atom], assumed, split, [MAX_CASES])
            if known is None:
                return row
            if not isinstance(known, frozenset):
                return known
            used |= known
        return frozenset(used)

    def _telling(self, i: int, row: int) -> list[int]:
        """Fluents that an option changes, on which it hangs whether it alters a row."""
        rows, changes = self.unchanged.rows, self._changes(i)
        own = rows[row]
        near = [other for other in rows.values() if not own.keys().isdisjoint(other)]
        weight: dict[int, int] = {}
        for other in near:
            for f, w in other.items():
                weight[f] = max(weight.get(f, 0), abs(w))
        listed = [f for f in changes if f in weight]
        return sorted(listed, key=lambda f: (f not in own, -weight[f], f))

    def _divide(
        self,
        i: int,
        atoms: list[int],
        assumed: Mapping[int, int],
        split: Sequence[int],
        cases: list[int],
    ) -> frozenset[int] | Change | None:
        """What an option does for which the atoms hold, or the rows that a proof used that it can
        not; by cases, of which there may be `cases[0]`. None where that is not known."""
        cases[0] -= 1
        if cases[0] < 0 or not self._has_time:
            return None
        known = self._try(i, atoms, assumed)
        if known is not None or not split:
            return known
        used: set[int] = set()
        fluent = self.question.atom(self.inputs[split[0]])
        for literal in (fluent, -fluent):
            known = self._divide(i, [*atoms, literal], assumed, split[1:], cases)
            if not isinstance(known, frozenset):
                return known
            used |= known
        return frozenset(used)

    def _try(
        self, i: int, atoms: Sequence[int], assumed: Mapping[int, int]
    ) -> frozenset[int] | Change | None:
        changes = self._changes(i)
        shown = [literal for pair in changes.values() for literal in pair]
        left = self.until - work_done()
        answer = self.question.ask([*atoms, *assumed], left, CONFLICTS, shown)
        if answer.core is not None:
            return frozenset(assumed[atom] for atom in answer.core if atom in assumed)
        if answer.holds is None:
            return None
        pairs = zip(changes, answer.holds[::2], answer.holds[1::2], strict=True)
        return tuple((f, comes - goes) for f, comes, goes in pairs if comes != goes)
