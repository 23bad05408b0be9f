"""Closed forms and periods as expressions of sympy (the extra `ggp[exchange]`).

The symbol is `variable()`: equal symbols of sympy are one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ggp.errors import InputError

Number = int | Fraction


def sympy_or_error() -> Any:  # noqa: ANN401 - a module that mypy is told to skip
    """The library; raises `InputError` where it is not installed."""
    try:
        import sympy
    except ImportError:
        raise InputError("expressions need sympy: pip install 'ggp[exchange]'") from None
    return sympy


def variable() -> Any:  # noqa: ANN401 - a `sympy.Symbol`
    """The integer `n` that expressions are in."""
    return sympy_or_error().Symbol("n", integer=True)


def linear(step: int, constant: int) -> Any:  # noqa: ANN401 - a `sympy.Expr`
    """step · n + constant."""
    return step * variable() + constant


def periodic(values: Sequence[int], period: int, first: int) -> Any:  # noqa: ANN401 - a `sympy.Expr`
    """What is `values` from index `first` on, the last `period` of them again and again."""
    sympy, n = sympy_or_error(), variable()
    begin = len(values) - period
    pieces = [(value, sympy.Eq(n, first + i)) for i, value in enumerate(values[:begin])]
    residues: dict[int, list[int]] = {}
    for i, value in enumerate(values[begin:], first + begin):
        residues.setdefault(value, []).append(i % period)
    *others, last = residues.items()
    pieces += [(value, _has_residue(n, own, period)) for value, own in others]
    return sympy.Piecewise(*pieces, (last[0], True))


def among(early: Sequence[int], residues: Sequence[int], period: int, begin: int) -> Any:  # noqa: ANN401
    """That n is one of `early`, or has one of `residues` modulo `period`, from `begin` on."""
    sympy, n = sympy_or_error(), variable()
    late = _has_residue(n, residues, period)
    if residues and begin:
        late = sympy.And(n >= begin, late)
    return sympy.Or(*(sympy.Eq(n, size) for size in early), late)


def _has_residue(n: Any, residues: Sequence[int], period: int) -> Any:  # noqa: ANN401 - of sympy
    sympy = sympy_or_error()
    return sympy.Or(*(sympy.Eq(sympy.Mod(n, period), r) for r in sorted(residues)))


_NAMED: dict[str, Callable[[Any], Any]] = {
    "phi": lambda s: s.GoldenRatio,
    "1/phi": lambda s: 1 / s.GoldenRatio,
    "phi^2": lambda s: s.GoldenRatio**2,
    "sqrt(2)": lambda s: s.sqrt(2),
    "2 + sqrt(2)": lambda s: 2 + s.sqrt(2),
    "sqrt(3)": lambda s: s.sqrt(3),
    "1 + 1/sqrt(2)": lambda s: 1 + 1 / s.sqrt(2),
    "e": lambda s: s.E,
    "pi": lambda s: s.pi,
}
"""The slopes of `sequences.CONSTANTS`."""


def rounded(kind: str, slope: Fraction, name: str | None) -> Any:  # noqa: ANN401 - a `sympy.Expr`
    """floor(slope · n) or ceiling, with the constant of that name in place of the slope."""
    sympy = sympy_or_error()
    exact = sympy.Rational(slope.numerator, slope.denominator)
    alpha = _NAMED[name](sympy) if name else exact
    return (sympy.floor if kind == "floor" else sympy.ceiling)(alpha * variable())


def recurrence(coefficients: Sequence[int]) -> Any:  # noqa: ANN401 - a `sympy.Eq`
    """a(n) as the sum of what comes before, the coefficient of the oldest first."""
    sympy, n = sympy_or_error(), variable()
    a, order = sympy.Function("a"), len(coefficients)
    return sympy.Eq(a(n), sum(c * a(n - order + i) for i, c in enumerate(coefficients)))
