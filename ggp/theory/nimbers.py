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
