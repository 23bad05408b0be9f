"""Simple closed forms of sequences of integers: conjectures, each with the range that it holds on.

Nothing here is proved: a form is said to fit the terms that are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, e, floor, pi, sqrt
from typing import Any

from ggp.theory import expressions

PHI = (1 + sqrt(5)) / 2
CONSTANTS = {
    "phi": PHI,
    "1/phi": 1 / PHI,
    "phi^2": PHI**2,
    "sqrt(2)": sqrt(2),
    "2 + sqrt(2)": 2 + sqrt(2),
    "sqrt(3)": sqrt(3),
    "1 + 1/sqrt(2)": 1 + 1 / sqrt(2),
    "e": e,
    "pi": pi,
}
"""Slopes with a name; phi is the golden ratio."""

LEAST = 8
"""Terms without which nothing is said."""

REPEATS = 2
"""How often a period is to be seen, whole, before it is one."""

MAX_ORDER = 4
"""Of linear recurrences."""


@dataclass(frozen=True)
class Form:
    """A closed form that fits all terms from index `first` to index `last`.

    `kind`: `periodic`, `linear`, `floor`, `ceiling` or `recurrence`; `text` says which, and so do
    `numbers`: step and constant; the terms up to the end of the first period and its length; a
    slope that fits; coefficients, that of the oldest term first. `constant`: the name of the slope.
    """

    kind: str
    text: str
    first: int
    last: int
    numbers: tuple[int | Fraction, ...] = field(default=(), repr=False)
    constant: str | None = field(default=None, repr=False)

    def as_json(self) -> dict[str, Any]:
        """The form in the shape of `ggp table --format json`."""
        return {"kind": self.kind, "text": self.text, "first": self.first, "last": self.last}

    def sympy(self) -> Any:  # noqa: ANN401 - sympy is imported when it is asked for
        """The term of index n as an expression of sympy in the integer symbol `n`.

        Of a recurrence it is an equation of `a(n)`. Raises `InputError` where sympy is not
        installed.
        """
        numbers = self.numbers
        if self.kind == "linear":
            return expressions.linear(*map(int, numbers))
        if self.kind == "periodic":
            *terms, period = map(int, numbers)
            return expressions.periodic(terms, period, self.first)
        if self.kind == "recurrence":
            return expressions.recurrence(list(map(int, numbers)))
        return expressions.rounded(self.kind, Fraction(numbers[0]), self.constant)

    def __str__(self) -> str:
        return f"{self.text} (conjecture; holds for {self.first} to {self.last})"


def closed_forms(terms: Sequence[int], first: int = 0, name: str = "a(n)") -> list[Form]:
    """Forms that fit a sequence whose first term has the index `first`, the simplest first.

    `name`: of the sequence, with its index if that is not n, as texts have it.

    >>> print(closed_forms([0, 1, 2, 0, 1, 2, 0, 1, 2, 0])[0])
    period 3 (conjecture; holds for 0 to 9)
    >>> print(closed_forms([(n * 1618034) // 1000000 for n in range(30)])[0])
    floor(alpha n), alpha from 1.61539 to 1.61904: phi (conjecture; holds for 0 to 29)
    """
    if len(terms) < LEAST:
        return []
    found = (
        _linear(terms, first),
        _periodic(terms, first),
        _beatty(terms, first),
        _recurrence(terms, first),
    )
    term, _, index = name.removesuffix(")").partition("(")
    forms = [replace(form, text=form.text.format(a=term, n=index or "n")) for form in found if form]
    # What is linear or periodic satisfies a recurrence as well, which says nothing more.
    return forms[:1] if forms and forms[0].kind in ("linear", "periodic") else forms


def _linear(terms: Sequence[int], first: int = 0) -> Form | None:
    """The form a n + b, with integers."""
    step = terms[1] - terms[0]
    if any(b - a != step for a, b in pairwise(terms)):
        return None
    text = f"{step} {{n}} + {terms[0] - step * first}" if step else f"always {terms[0]}"
    numbers = step, terms[0] - step * first
    return Form("linear", text.replace("+ -", "- "), first, first + len(terms) - 1, numbers)


def _periodic(terms: Sequence[int], first: int = 0) -> Form | None:
    """The shortest period that is seen `REPEATS` times, after the shortest beginning, which takes
    no more than half of the terms."""
    best: tuple[int, int] | None = None
    for period in range(1, len(terms) // REPEATS + 1):
        start = len(terms) - period
        while start > 0 and terms[start - 1] == terms[start - 1 + period]:
            start -= 1
        seen = len(terms) - start
        if seen >= max(REPEATS * period, start) and (best is None or start < best[0]):
            best = start, period
            if start == 0:
                break
    if best is None:
        return None
    start, period = best
    after = f" from {first + start} on" if start else ""
    numbers = (*terms[: start + period], period)
    return Form("periodic", f"period {period}{after}", first, first + len(terms) - 1, numbers)


def _beatty(terms: Sequence[int], first: int = 0) -> Form | None:
    """The form floor(alpha n), or ceiling, with all slopes that fit, and one with a name if it is
    the only such one (Beatty, American Mathematical Monthly 33, 1926). Not for n below 0."""
    pairs = [(n, a) for n, a in enumerate(terms, first) if n > 0]
    if first < 0 or not pairs or any(a != 0 for n, a in enumerate(terms, first) if n == 0):
        return None
    for kind, below, above in (("floor", 0, 1), ("ceiling", -1, 0)):
        low = max(Fraction(a + below, n) for n, a in pairs)
        high = min(Fraction(a + above, n) for n, a in pairs)
        if low < high:
            named = [name for name, value in CONSTANTS.items() if low < value < high]
            text = f"{kind}(alpha {{n}}), alpha from {' to '.join(_within(low, high, kind))}"
            name = named[0] if len(named) == 1 else None
            text += f": {name}" if name else ""
            slope = low if kind == "floor" else high
            return Form(kind, text, first, first + len(terms) - 1, (slope,), name)
    return None


def _within(low: Fraction, high: Fraction, kind: str) -> tuple[str, str]:
    """The least and the greatest slope that fit, rounded inwards, with five digits after the point,
    or as many as keep them apart: a floor does not take the upper end, a ceiling not the lower."""
    digits = 5
    while True:
        scale = 10**digits
        above, below = ceil(low * scale), floor(high * scale)
        above += kind == "ceiling" and above == low * scale
        below -= kind == "floor" and below == high * scale
        if above < below:
            return _decimal(above, digits), _decimal(below, digits)
        digits += 1


def _decimal(number: int, digits: int) -> str:
    sign, (whole, part) = "-" * (number < 0), divmod(abs(number), 10**digits)
    return f"{sign}{whole}.{part:0{digits}}"


def _recurrence(terms: Sequence[int], first: int = 0) -> Form | None:
    """A linear recurrence with integer coefficients, of the least order up to `MAX_ORDER`.

    Twice as many terms as coefficients have to fit, and as many again.
    """
    for order in range(1, MAX_ORDER + 1):
        if len(terms) < 4 * order:
            return None
        coefficients = _solve([list(terms[i : i + order + 1]) for i in range(order)])
        # With a zero for the oldest term the order is less, and the first terms do not fit.
        if not coefficients or not coefficients[0] or any(c.denominator != 1 for c in coefficients):
            continue
        whole = [int(c) for c in coefficients]
        if all(
            sum(c * terms[i + j] for j, c in enumerate(whole)) == terms[i + order]
            for i in range(len(terms) - order)
        ):
            parts = [
                f"{c} {{a}}({{n}}-{order - j})" for j, c in reversed(list(enumerate(whole))) if c
            ]
            text = "{a}({n}) = " + (" + ".join(parts) or "0").replace("+ -", "- ")
            return Form("recurrence", text, first, first + len(terms) - 1, tuple(whole))
    return None


def _solve(rows: Sequence[Sequence[int]]) -> list[Fraction] | None:
    """The solution of a square system, each row with its right side last; None without just one."""
    size = len(rows)
    matrix = [[Fraction(x) for x in row] for row in rows]
    for column in range(size):
        pivot = next((r for r in range(column, size) if matrix[r][column]), None)
        if pivot is None:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        matrix[column] = [x / matrix[column][column] for x in matrix[column]]
        for r in range(size):
            if r != column and matrix[r][column]:
                factor = matrix[r][column]
                matrix[r] = [x - factor * y for x, y in zip(matrix[r], matrix[column], strict=True)]
    return [row[size] for row in matrix]
