"""The loops over projections of a puzzle: how far it is to where all is right, and what a position
is worth by that."""

# numba does not tell its numbers from those of Python.
# mypy: disable-error-code="assignment,call-overload,no-any-return,return-value"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import Int32s, Int64s, Words
from ggp.machine.space.hashing import place_of

Bytes = NDArray[np.uint8]

FAR, UNSEEN = 254, 255
"""A case that play comes to and whose distance is not known, and one that it does not come to."""


@kernel
def take_apart(sizes: Int64s, case: int, own: Int64s) -> None:
    """Put the state of each part in a case into `own`."""
    for part in range(len(sizes)):
        own[part] = case % sizes[part]
        case //= sizes[part]


@kernel
def after(steps: Int32s, sizes: Int64s, own: Int64s, move: int) -> int:
    """The case that a move leads to from the states `own`, -1 where it cannot be made: `steps`
    (parts, states, moves)."""
    found, times = 0, 1
    for part in range(len(sizes)):
        state = steps[part, own[part], move]
        if state < 0:
            return -1
        found += state * times
        times *= sizes[part]
    return found


@array_kernel
def reach(
    steps: Int32s, sizes: Int64s, order: Int32s, done: int, count: int, most: int, distance: Bytes
) -> tuple[int, int]:
    """List cases that others lead to, of which `count` are listed and `done` of them looked at: so
    many more are. How many are looked at, and listed."""
    own = np.empty(len(sizes), dtype=np.int64)
    stop = min(count, done + most)
    for i in range(done, stop):
        take_apart(sizes, order[i], own)
        for move in range(steps.shape[2]):
            case = after(steps, sizes, own, move)
            if case >= 0 and distance[case] == UNSEEN:
                distance[case] = FAR
                order[count] = case
                count += 1
    return stop, count


@array_kernel
def come_nearer(
    steps: Int32s, sizes: Int64s, order: Int32s, count: int, far: int, distance: Bytes
) -> int:
    """Find the cases from which a move leads to some at a distance one less than `far`, among the
    first `count`; those that are left are listed first. How many are left."""
    own = np.empty(len(sizes), dtype=np.int64)
    left = 0
    for i in range(count):
        case = order[i]
        if distance[case] != FAR:
            continue
        order[left] = case
        left += 1
        take_apart(sizes, case, own)
        for move in range(steps.shape[2]):
            there = after(steps, sizes, own, move)
            if there >= 0 and distance[there] == far - 1:
                distance[case] = far
                left -= 1
                break
    return left


@array_kernel
def add_squares(
    rows: Words,
    word: Int64s,
    mask: Words,
    kept: Words,
    first: Int64s,
    numbers: Int32s,
    members: Int64s,
    times: Int64s,
    begin: Int64s,
    distance: Bytes,
    worth: Int64s,
) -> None:
    """Put the sum of the squares of all distances into `worth` (n,), for positions (n, words).

    Of each part `word` and `mask` (parts, w) say which bits are its own; `kept` lists the states of
    all parts, those of a part from `first` on, and `numbers` (parts, slots) is a hash table of
    them. Of each projection `members` (k, m) are its parts, -1 for none, `times` what a state of
    each counts, and `begin` where its distances begin.
    """
    state = np.zeros(len(word), dtype=np.int64)
    own = np.zeros(word.shape[1], dtype=np.uint64)
    for i in range(len(rows)):
        for part in range(len(word)):
            for w in range(word.shape[1]):
                own[w] = rows[i, word[part, w]] & mask[part, w]
            slot = place_of(own, kept[first[part] : first[part + 1]], numbers[part])
            state[part] = numbers[part, slot]
        total = 0
        for k in range(len(members)):
            case, far = 0, np.int64(FAR)
            for m in range(members.shape[1]):
                part = members[k, m]
                if part >= 0:
                    if state[part] < 0:
                        case = -1
                        break
                    case += state[part] * times[k, m]
            if case >= 0:
                far = min(far, np.int64(distance[begin[k] + case]))
            total += far * far
        worth[i] = total
