"""Loops over keys and packed looks at positions, compiled by numba once for each machine.

A key is a row of words, one for each position, so mixed that the first word tells most rows apart;
mixing can be undone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import Int32s, Int64s, Words
from ggp.machine.engine.intrinsics import lowest, ones
from ggp.machine.engine.words import part_of

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Int16s = NDArray[np.int16]
UInt16s = NDArray[np.uint16]
Words3 = NDArray[np.uint64]

MISSING = 255
"""The code of a position that is in no layer, or that has no value yet."""

STUCK, GOALS, SEVERAL = 1, 2, 3
"""What can be wrong with a position: a role without a move, an end without one goal for each role,
a choice for several roles at once."""

FORCED, OVER = -2, -1
"""In place of the role that has a choice: nobody has one, play is over."""

_SPREAD, _BACK = 0x9E3779B97F4A7C15, 0xF1DE83E19937733D
"""An odd number, and its inverse modulo 2 ** 64."""

_OTHER = 0xC2B2AE3D27D4EB4F


@kernel
def mix(rows: Words) -> None:
    """Make keys of rows, in place."""
    for i in range(len(rows)):
        word = rows[i, 0]
        for k in range(1, rows.shape[1]):
            more = (rows[i, k] + np.uint64(k)) * np.uint64(_OTHER)
            word ^= more ^ (more >> np.uint64(29))
        word ^= word >> np.uint64(32)
        rows[i, 0] = word * np.uint64(_SPREAD)


@kernel
def unmix(keys: Words) -> None:
    """Make rows of keys, in place."""
    for i in range(len(keys)):
        word = keys[i, 0] * np.uint64(_BACK)
        word ^= word >> np.uint64(32)
        for k in range(1, keys.shape[1]):
            more = (keys[i, k] + np.uint64(k)) * np.uint64(_OTHER)
            word ^= more ^ (more >> np.uint64(29))
        keys[i, 0] = word


@kernel
def tally(keys: Words, shift: int, counts: Int64s) -> None:
    """Count keys by what `shift` leaves of their first words, on top of what was counted."""
    for i in range(len(keys)):
        counts[np.int64(keys[i, 0] >> np.uint64(shift))] += 1


@kernel
def scatter(keys: Words, shift: int, places: Int64s, out: Words) -> None:
    """Put each key at the next place of its part, which moves on."""
    for i in range(len(keys)):
        part = np.int64(keys[i, 0] >> np.uint64(shift))
        place = places[part]
        for k in range(keys.shape[1]):
            out[place, k] = keys[i, k]
        places[part] = place + 1


@array_kernel
def unique(keys: Words) -> int:
    """Leave each key once, of keys that are sorted by their first words, and sort them by the
    others where the first are equal; the number of keys that are left, which come first."""
    words = keys.shape[1]
    own = np.empty(words, dtype=np.uint64)
    count = run = 0
    for i in range(len(keys)):
        if count and keys[count - 1, 0] != keys[i, 0]:
            run = count
        place = count
        is_known = False
        while place > run:
            order = 0
            for k in range(1, words):
                if keys[place - 1, k] != keys[i, k]:
                    order = 1 if keys[place - 1, k] > keys[i, k] else -1
                    break
            if order <= 0:
                is_known = order == 0
                break
            place -= 1
        if is_known:
            continue
        for k in range(words):
            own[k] = keys[i, k]
        for j in range(count, place, -1):
            for k in range(words):
                keys[j, k] = keys[j - 1, k]
        for k in range(words):
            keys[place, k] = own[k]
        count += 1
    return count


@kernel
def place_of(
    keys: Words, first: Int32s | Int64s, shift: np.uint64, wanted: Words, i: int
) -> np.int64:
    """Where wanted key `i` stands among sorted keys, or -1.

    The keys whose first word is `p` when it is shifted are `first[p]` to `first[p + 1]`.
    """
    word = wanted[i, 0]
    part = word >> shift
    place, stop = np.uint64(first[part]), np.uint64(first[part + np.uint64(1)])
    while place < stop:
        is_same = keys[place, 0] == word
        for k in range(1, keys.shape[1]):
            is_same = is_same and keys[place, k] == wanted[i, k]
        if is_same:
            return np.int64(place)
        place += np.uint64(1)
    return np.int64(-1)


@kernel
def look_up(
    keys: Words,
    first: Int32s | Int64s,
    shift: int,
    values: Bytes,
    wanted: Words,
    found: Bytes,
) -> int:
    """The values of wanted keys, `MISSING` for those that are not there, whose number is returned;
    see `place_of`."""
    missing = 0
    for i in range(len(wanted)):
        place = place_of(keys, first, np.uint64(shift), wanted, i)
        if place >= 0:
            found[i] = values[np.uint64(place)]
        else:
            found[i] = MISSING
            missing += 1
    return missing


@kernel
def find(keys: Words, first: Int32s | Int64s, shift: int, wanted: Words, places: Int64s) -> int:
    """The places of wanted keys, and how many of them are missing; see `place_of`."""
    missing = 0
    for i in range(len(wanted)):
        places[i] = place_of(keys, first, np.uint64(shift), wanted, i)
        if places[i] < 0:
            missing += 1
    return missing


@kernel
def come_by(places: Int64s, ply: UInt16s, far: UInt16s, out_ply: UInt16s, out_far: UInt16s) -> None:
    """Of positions that moves lead to the least and the greatest number of moves from the start;
    `ply` and `far` are those of the positions that the moves leave."""
    for i in range(len(places)):
        place = np.uint64(places[i])
        nearer, farther = ply[i] + np.uint16(1), far[i] + np.uint16(1)
        if nearer < out_ply[place]:
            out_ply[place] = nearer
        if farther > out_far[place]:
            out_far[place] = farther


# Places that are not signed need no look at whether they count from the end, which for a few
# lookups is most of the work; and no array is cut out of another in a loop: that counts references.


@array_kernel
def cut(windows: Int64s) -> Words:
    """For each window (see `windows`) its word, its bits' place there, a mask for the values, how
    far bits of the next word have to move up (64: there are none), and where its values begin."""
    found = np.empty((len(windows), 5), dtype=np.uint64)
    for j in range(len(windows)):
        first, width = windows[j, 0], windows[j, 1]
        found[j, 0] = np.uint64(first >> 6)
        found[j, 1] = np.uint64(first & 63)
        found[j, 2] = (np.uint64(1) << np.uint64(width)) - np.uint64(1)
        found[j, 3] = np.uint64(64 - (first & 63) if (first & 63) + width > 64 else 64)
        found[j, 4] = np.uint64(windows[j, 2])
    return found


@kernel
def place_in(rows: Words, i: int, windows: Words, j: int | np.uint64) -> np.uint64:
    """The place in a table that the bits of window `j`, as `cut` gives them, of row `i` mean."""
    value = rows[i, windows[j, 0]] >> windows[j, 1]
    if windows[j, 3] < np.uint64(64):
        value |= rows[i, windows[j, 0] + np.uint64(1)] << windows[j, 3]
    return np.uint64(windows[j, 4] + (value & windows[j, 2]))


@array_kernel
def weigh(rows: Words, windows: Int64s, table: Int32s, ranks: Int32s) -> None:
    """The sum of weights of each row, looked up window by window."""
    cuts = cut(windows)
    for i in range(len(rows)):
        total = np.int32(0)
        for j in range(np.uint64(len(cuts))):
            total += table[place_in(rows, i, cuts, j)]
        ranks[i] = total


@array_kernel
def least_images(rows: Words, windows: Int64s, tables: Words3) -> None:
    """Put the least of its images in the place of each row, the last word deciding first."""
    cuts = cut(windows)
    places = np.empty(len(cuts), dtype=np.uint64)
    words = rows.shape[1]
    image = np.empty(words, dtype=np.uint64)
    least = np.empty(words, dtype=np.uint64)
    for i in range(len(rows)):
        for j in range(np.uint64(len(cuts))):
            places[j] = place_in(rows, i, cuts, j)
        if words == 1:
            best = rows[i, 0]
            for g in range(len(tables)):
                one = np.uint64(0)
                for j in range(len(places)):
                    one |= tables[g, places[j], 0]
                best = min(best, one)
            rows[i, 0] = best
            continue
        for k in range(words):
            least[k] = rows[i, k]
        for g in range(len(tables)):
            is_less = False
            for k in range(words - 1, -1, -1):
                one = np.uint64(0)
                for j in range(len(places)):
                    one |= tables[g, places[j], k]
                image[k] = one
                if one > least[k] and not is_less:
                    break
                is_less = is_less or one < least[k]
            if is_less:
                for k in range(words):
                    least[k] = image[k]
        for k in range(words):
            rows[i, k] = least[k]


@kernel
def look(
    packed: Words,
    bounds: Int64s,
    terminal: int,
    goal_bounds: Int64s,
    goal_values: Int16s,
    mover: Int16s,
    goals: Int16s,
    degree: Int64s,
) -> int:
    """What packed views say: who has a choice, how many joint moves there are, goals at the ends.

    The moves of role `j` are the bits from `bounds[j]` to `bounds[j + 1]`, its goals those from
    `goal_bounds[j]` on. Returns -1, or eight times the place of a position with which something is
    wrong, and what it is.
    """
    for i in range(len(packed)):
        if packed[i, terminal >> 6] >> np.uint64(terminal & 63) & np.uint64(1):
            mover[i] = OVER
            degree[i] = 0
            for j in range(len(goal_bounds) - 1):
                begin, end = goal_bounds[j], goal_bounds[j + 1]
                count = 0
                for k in range(begin >> 6, (end + 63) >> 6):
                    word = part_of(packed[i, k], k, begin, end)
                    if word:
                        count += ones(word)
                        place = 64 * k + np.int64(lowest(word))
                        goals[i, j] = goal_values[place - goal_bounds[0]]
                if count != 1:
                    return 8 * i + GOALS
            continue
        mover[i] = FORCED
        degree[i] = 1
        for j in range(len(bounds) - 1):
            count = 0
            for k in range(bounds[j] >> 6, (bounds[j + 1] + 63) >> 6):
                word = part_of(packed[i, k], k, bounds[j], bounds[j + 1])
                if word:
                    count += ones(word)
            if count == 0:
                return 8 * i + STUCK
            if count > 1:
                if mover[i] != FORCED:
                    return 8 * i + SEVERAL
                mover[i] = j
                degree[i] = count
    return -1


@array_kernel
def list_moves(
    packed: Words,
    bounds: Int64s,
    mover: Int16s,
    start: int,
    stop: int,
    lanes: Int64s,
    joint: Int32s,
) -> None:
    """The joint moves of the positions from `start` to `stop` where at most one role has a choice.

    `lanes`: the number of the position of each, from 0 for `start`.
    """
    roles = len(bounds) - 1
    only = np.empty(roles, dtype=np.int32)
    place = 0
    for i in range(start, stop):
        if mover[i] == OVER:
            continue
        for j in range(roles):
            for k in range(bounds[j] >> 6, (bounds[j + 1] + 63) >> 6):
                word = part_of(packed[i, k], k, bounds[j], bounds[j + 1])
                if word:
                    only[j] = 64 * k + np.int64(lowest(word))
                    break
        free = mover[i] if mover[i] >= 0 else 0
        for k in range(bounds[free] >> 6, (bounds[free + 1] + 63) >> 6):
            word = part_of(packed[i, k], k, bounds[free], bounds[free + 1])
            while word:
                only[free] = 64 * k + np.int64(lowest(word))
                for j in range(roles):
                    joint[place, j] = only[j]
                lanes[place] = i - start
                place += 1
                word &= word - np.uint64(1)


@kernel
def lead(source: Int64s, is_best: Bools, is_quick: Bools, far: Int32s, out: Int32s) -> None:
    """The least (where `is_quick`) or the greatest `far` among the best moves of each position, and
    one more.

    `source`: the number of the position that each move leaves, ascending. Positions without moves
    are left as they are.
    """
    last = -1
    for i in range(len(source)):
        if is_best[i]:
            here, steps = source[i], far[i] + np.int32(1)
            if here != last or ((steps < out[here]) if is_quick[here] else (steps > out[here])):
                out[here] = steps
            last = here


@kernel
def choose(degree: Int64s, is_low: Bytes, codes: Bytes, out: Bytes) -> None:
    """The least (where `is_low`) or the greatest code of what each position leads to.

    `codes` has those of the first position's joint moves first. Ends are left as they are.
    """
    place = 0
    for i in range(len(degree)):
        if degree[i]:
            best = codes[place]
            for edge in range(place, place + degree[i]):
                code = codes[edge]
                if (code < best) if is_low[i] else (code > best):
                    best = code
            out[i] = best
            place += degree[i]
