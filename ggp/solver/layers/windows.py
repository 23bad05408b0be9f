"""Packed positions cut into windows of bits, for whose values something is looked up."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ggp.machine import Coding

WINDOW = 11
"""Bits of a window, unless one field has more."""


def windows(coding: Coding, fields: Iterable[int], width: int = WINDOW) -> NDArray[np.int64]:
    """Windows (n, 3) that cover some fields, given in order: the first bit, how many, and where
    the values of the window begin in one table of all. None is wider than `width` bits, unless one
    field is."""
    found: list[list[int]] = []
    for number in fields:
        field = coding.fields[number]
        last = found[-1] if found else [0, 0, 0]
        follows = bool(found) and last[0] + last[1] == field.first
        if follows and last[1] + field.width <= width:
            last[1] += field.width
        else:
            found.append([field.first, field.width, 0])
    offset = 0
    for window in found:
        window[2] = offset
        offset += 1 << window[1]
    return np.array(found, dtype=np.int64).reshape(-1, 3)
