"""The concrete syntax of KIF: symbols and lists with their places in a text."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Atom:
    """A symbol or variable as it is spelled in the text; `start` and `end` are offsets."""

    text: str
    start: int = field(default=0, compare=False, repr=False)
    end: int = field(default=0, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class List:
    """A parenthesised list."""

    items: tuple[Atom | List, ...]
    start: int = field(default=0, compare=False, repr=False)
    end: int = field(default=0, compare=False, repr=False)

    def __str__(self) -> str:
        # Called by name, an inner list costs one frame: lists of any permitted depth have a text.
        return f"({' '.join([item.__str__() for item in self.items])})"


Expr = Atom | List


def bare(expr: Expr) -> Expr:
    """The expression with symbols that stand alone in parentheses without them: `(f)` is `f`."""
    if isinstance(expr, Atom) or not expr.items:
        return expr
    head, *rest = expr.items
    if not rest and isinstance(head, Atom):
        return head
    return List((head, *map(bare, rest)), expr.start, expr.end)
