"""The arrays of a step, and bits packed into words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.env.many import parts

SLACK = 64
"""Bytes behind an array that may be written over, and what arrays begin at multiples of."""


class Arrays:
    """The arrays of one step."""

    def __init__(self, n: int, players: int, width: int, mask_width: int) -> None:
        self.observed = _room(n * width).reshape(n, width)
        self.masks = _room(n * mask_width).reshape(n, mask_width)
        self.terminated, self.truncated = _room(n).view(np.bool_), _room(n).view(np.bool_)
        self.rewards = _room(4 * n * players).view(np.float32).reshape(n, players)
        self.to_move = _room(n)

    def result(self, ended: NDArray[np.int64], final: NDArray[np.uint64]) -> parts.StepTarget:
        """What the kernels write."""
        return parts.StepTarget(
            self.observed.ctypes.data, self.observed.shape[1], self.masks.ctypes.data,
            self.masks.shape[1], self.rewards, ended, final, self.to_move.ctypes.data,
            self.terminated.ctypes.data, self.truncated.ctypes.data,
        )  # fmt: skip


def _room(size: int) -> NDArray[np.int8]:
    """So many bytes, with some behind them; others share only what begins so."""
    raw = np.empty(size + 2 * SLACK, dtype=np.int8)
    skipped = -raw.ctypes.data % SLACK
    return raw[skipped : skipped + size]


def words(bits: NDArray[np.int8]) -> NDArray[np.uint64]:
    """Bits as words, the lowest first."""
    packed = np.zeros(8 * max(1, (len(bits) + 63) >> 6), dtype=np.uint8)
    own = np.packbits(bits.astype(np.bool_), bitorder="little")
    packed[: len(own)] = own
    return packed.view("<u8").astype(np.uint64)


def bits_of(words: NDArray[np.uint64], count: int) -> NDArray[np.int8]:
    """The first so many bits of (each of some rows of) words as zeros and ones."""
    content = np.ascontiguousarray(words).astype("<u8").view(np.uint8)
    bits = np.unpackbits(content, axis=-1, bitorder="little", count=count)
    return bits.view(np.int8)
