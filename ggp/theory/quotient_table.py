"""A misère quotient as plain tables, and the proof that it is right, which trusts nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

Pair = tuple[int, frozenset[int]]
"""The element of a sum, and those of the sums that moves lead to."""


@dataclass(frozen=True)
class QuotientTable:
    """A monoid of elements 0 (that of nothing), 1, 2, … under `product`, those that are `lost` for
    the player to move, and of each part its element and its options, sums of earlier parts.

    >>> nim = QuotientTable(((0, 1), (1, 0)), frozenset({1}), ((1, ((),)),))     # heaps of 1
    >>> nim.check(), nim.is_tame
    (3, True)
    >>> QuotientTable(((0, 1), (1, 0)), frozenset({0}), ((1, ((),)),)).check()
    Traceback (most recent call last):
    ValueError: 0 is lost, which its moves do not say
    """

    product: tuple[tuple[int, ...], ...]
    lost: frozenset[int]
    parts: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]

    def image(self, parts: Iterable[int]) -> int:
        """The element of a sum of parts."""
        found = 0
        for part in parts:
            found = self.product[found][self.parts[part][0]]
        return found

    def check(self) -> int:
        """How many pairs the proof goes through; `ValueError` says what is wrong.

        The outcome of each sum of the parts is what its element says, if for each sum its element
        is lost exactly if there are moves and none leads to one that is. All pairs of sums arise
        from that of nothing by adding parts: (x, E) and (y, F) make (xy, xF ∪ yE) (Plambeck and
        Siegel 2008). No two elements are the same beside all others.
        """
        self._check_monoid()
        known = {(0, frozenset[int]())}
        todo = list(known)
        steps = {self._pair(part) for part in range(len(self.parts))}
        while todo:
            own, moves = todo.pop()
            if (own in self.lost) != (bool(moves) and not moves & self.lost):
                raise ValueError(f"{own} is {self._told(own)}, which its moves do not say")
            for element, options in steps:
                made = (
                    self.product[own][element],
                    frozenset(self.product[own][option] for option in options)
                    | frozenset(self.product[move][element] for move in moves),
                )
                if made not in known:
                    known.add(made)
                    todo.append(made)
        if {own for own, _ in known} != set(range(len(self.product))):
            raise ValueError("not every element is that of a sum")
        return len(known)

    def _told(self, element: int) -> str:
        return "lost" if element in self.lost else "not lost"

    def _pair(self, part: int) -> Pair:
        element, options = self.parts[part]
        if any(other >= part for option in options for other in option):
            raise ValueError(f"part {part} has options that come after it")
        return element, frozenset(map(self.image, options))

    def _check_monoid(self) -> None:
        """Raise `ValueError` if the table is none of a reduced commutative monoid."""
        product, elements = self.product, range(len(self.product))
        if any(sorted({*row, *elements}) != [*elements] for row in product):
            raise ValueError("a product is no element")
        if product[0] != (*elements,) or any(len(row) != len(product) for row in product):
            raise ValueError("the first element changes others")
        for a in elements:
            for b in elements:
                if product[a][b] != product[b][a]:
                    raise ValueError(f"the order of {a} and {b} matters")
                if any(product[product[a][b]][c] != product[a][product[b][c]] for c in elements):
                    raise ValueError(f"products of {a} and {b} are not associative")
        if len({tuple(x in self.lost for x in row) for row in product}) < len(product):
            raise ValueError("two elements are the same beside all others")

    @cached_property
    def is_tame(self) -> bool:
        """Whether it is the quotient of sums of nim-heaps: 1, or 1 and a with a² = 1, or these and
        a group of four elements or more, each of which is its own inverse, a being no identity of
        it; a and the identity of the group are lost (Plambeck and Siegel 2008)."""
        product, order = self.product, len(self.product)
        units = [x for x in range(order) if 0 in product[x]]
        rest = [x for x in range(order) if x not in units]
        if not rest:
            return order < 3 and self.lost == frozenset(units[1:])
        squares = {product[x][x] for x in rest}
        [zero, *others] = squares
        return (
            len(units) == 2
            and len(rest) >= 4
            and not others
            and product[units[1]][zero] != zero
            and all(product[zero][x] == x for x in rest)
            and self.lost == {zero, units[1]}
        )
