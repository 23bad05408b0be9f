"""Nimbers: the values of impartial games (Sprague 1935, Grundy 1939)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor


def mex(values: Iterable[int]) -> int:
    """The least non-negative integer that is not among `values`.

    >>> mex([0, 1, 3])
    2
    """
    seen = set(values)
    least = 0
    while least in seen:
        least += 1
    return least


def nim_sum(values: Iterable[int]) -> int:
    """The nim-value of a sum of games: the exclusive or of their nim-values.

    >>> nim_sum([3, 5, 6])
    0
    """
    return reduce(xor, values, 0)


def nim_product(a: int, b: int) -> int:
    """The product in the field of nimbers (Conway, On Numbers and Games, chapter 6).

    Of 2^(2^n) = f, smaller numbers and f multiply as integers do, and f times f is 3f/2. Raises
    ValueError for numbers below zero, which are no nimbers.

    >>> nim_product(2, 2), nim_product(4, 4), nim_product(5, 6)
    (3, 6, 8)
    """
    if a < 0 or b < 0:
        raise ValueError(f"there is no nimber {min(a, b)}")
    if a < 2 or b < 2:
        return a * b
    half = 1
    while max(a, b) >> 2 * half:
        half *= 2
    low = (1 << half) - 1
    (x, y), (u, v) = divmod(a, low + 1), divmod(b, low + 1)
    high, bottom = nim_product(x, u), nim_product(y, v)
    middle = nim_product(x ^ y, u ^ v) ^ bottom
    return middle << half ^ bottom ^ nim_product(high, 1 << half - 1)
