"""Spellings: names are folded case-insensitively and shown as they were first written."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.kif.expressions import Atom, Expr, List
from ggp.kif.terms import Term


class SymbolTable:
    """Maps every spelling of a name to the first one seen (`strict_case` keeps case apart).

    `reserved` names are known beforehand in the given spelling. `variants` lists, for each name
    written in more than one way, the spellings in order of appearance; where case is kept apart,
    these are names that differ by nothing else, reserved ones among them.
    """

    def __init__(self, reserved: Iterable[str] = (), *, strict_case: bool = False) -> None:
        self.strict_case = strict_case
        self._reserved = frozenset(reserved)
        self._first: dict[str, str] = {name: name for name in self._reserved}
        self.variants: dict[str, list[str]] = {}

    def canonical(self, name: str) -> str:
        """The spelling under which `name` is known; a new name becomes known as written."""
        first = self._first.setdefault(name.lower(), name)
        if first != name and (self.strict_case or first not in self._reserved):
            spellings = self.variants.setdefault(first, [first])
            if name not in spellings:
                spellings.append(name)
        return name if self.strict_case else first

    def lookup(self, name: str) -> str:
        """The spelling under which `name` is known, or `name` itself; nothing is recorded."""
        return name if self.strict_case else self._first.get(name.lower(), name)

    def fold(self, term: Term) -> Term:
        """`term` with every symbol in its known spelling; nothing is recorded."""
        return Term(self.lookup(term.name), tuple(self.fold(arg) for arg in term.args))

    def respell(self, expr: Expr) -> Expr:
        """`expr` with every symbol in its canonical spelling; new names become known."""
        if isinstance(expr, Atom):
            return Atom(self.canonical(expr.text), expr.start, expr.end)
        return List(tuple(map(self.respell, expr.items)), expr.start, expr.end)
