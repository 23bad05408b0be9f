"""Expressions to KIF text."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.kif.expressions import Atom, Expr, List


def write(exprs: Iterable[Expr], width: int = 100) -> str:
    """KIF text of top-level expressions, one a line; reading it gives them back.

    A rule longer than `width` is broken after its head, one literal a line.
    """
    return "\n".join(_form(expr, width) for expr in exprs) + "\n"


def _form(expr: Expr, width: int) -> str:
    text = str(expr)
    if len(text) <= width or not isinstance(expr, List) or len(expr.items) < 3:
        return text
    first, head, *body = expr.items
    if not (isinstance(first, Atom) and first.text == "<="):
        return text
    return f"(<= {head}" + "".join(f"\n    {literal}" for literal in body) + ")"
