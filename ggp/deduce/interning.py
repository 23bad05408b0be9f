"""Ground terms as small integers, equal exactly where the terms are."""

from __future__ import annotations

from ggp.errors import LimitReached
from ggp.kif import Term

Shape = tuple[int, ...]
"""The functor of a term and its arguments, all as integers."""


class Interner:
    """Numbers ground terms, from 1, in the order in which they are first met.

    `shapes[i]` is the shape of term `i`; functors (a name with its number of arguments) are
    numbered apart from terms. Numbers are never given up: `len(interner)` only grows. Terms may be
    nested ever deeper, as long as nobody asks for one that is nested deeper than `depth`.
    """

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self.shapes: list[Shape] = [()]
        self.ids: dict[Shape, int] = {}
        self._functors: dict[tuple[str, int], int] = {}
        self._names: list[str] = []
        self._terms: dict[int, tuple[Term, int]] = {}
        """Those that were asked for, and how deep each is nested."""

    def __len__(self) -> int:
        return len(self.shapes) - 1

    def functor(self, name: str, arity: int) -> int:
        """The number of a functor."""
        number = self._functors.setdefault((name, arity), len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number

    def make(self, shape: Shape) -> int:
        """The number of the term with this shape, a new one where it is new."""
        number = self.ids.get(shape)
        if number is None:
            # In this order: whatever comes in between, no number has no shape.
            number = len(self.shapes)
            self.shapes.append(shape)
            self.ids[shape] = number
        return number

    def id(self, term: Term) -> int:
        """The number of a ground term."""
        functor = self.functor(term.name, len(term.args))
        return self.make((functor, *map(self.id, term.args)))

    def find(self, term: Term) -> int | None:
        """The number of a ground term that has one; nothing is recorded."""
        functor = self._functors.get((term.name, len(term.args)))
        args = [self.find(arg) for arg in term.args]
        if functor is None:
            return None
        shape = (functor, *(arg for arg in args if arg is not None))
        return self.ids.get(shape) if len(shape) == len(args) + 1 else None

    def term(self, number: int) -> Term:
        """The term with this number; raises `LimitReached` where it is nested too deep."""
        known = self._terms
        if number not in known:
            todo = [number]
            while todo:
                functor, *args = self.shapes[todo[-1]]
                missing = [arg for arg in args if arg not in known]
                if missing:
                    todo += missing
                    continue
                below = [known[arg] for arg in args]
                depth = 1 + max((deep for _, deep in below), default=-1)
                if depth > self._depth:
                    raise LimitReached("depth", self._depth, "of a term that the rules make")
                term = Term(self._names[functor], tuple(arg for arg, _ in below))
                known[todo.pop()] = term, depth
        return known[number][0]
