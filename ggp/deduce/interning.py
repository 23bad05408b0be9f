"""Ground terms as small integers, equal exactly where the terms are."""

from __future__ import annotations

from ggp.kif import Term

Shape = tuple[int, ...]
"""The functor of a term and its arguments, all as integers."""


class Interner:
    """Numbers ground terms, from 1, in the order in which they are first met.

    `shapes[i]` is the shape of term `i`; functors (a name with its number of arguments) are
    numbered apart from terms. Numbers are never given up: `len(interner)` only grows.
    """

    def __init__(self) -> None:
        self.shapes: list[Shape] = [()]
        self.ids: dict[Shape, int] = {}
        self._functors: dict[tuple[str, int], int] = {}
        self._names: list[str] = []
        self._terms: list[Term | None] = [None]

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
            number = self.ids[shape] = len(self.shapes)
            self.shapes.append(shape)
            self._terms.append(None)
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
        """The term with this number."""
        term = self._terms[number]
        if term is None:
            functor, *args = self.shapes[number]
            term = Term(self._names[functor], tuple(map(self.term, args)))
            self._terms[number] = term
        return term
