"""Loops of many games at once, compiled by numba once for each machine.

Games are the lanes of blocks of 512, as on frames (`ggp.machine.engine`): what is known of them
lies in rows of bits, one bit a game, and is turned over into bytes for each game at the end.
"""

from __future__ import annotations

import numpy as np

from ggp.env.many.lanes import gather, mark, spread, write
from ggp.env.many.moving import first_bits, load
from ggp.env.many.parts import (
    FINE,
    NO_GOAL,
    STUCK,
    BlockScratch,
    Floats,
    FrameRows,
    Games,
    GoalRows,
    Seats,
    StartRows,
    StepTarget,
)
from ggp.kernel import kernel
from ggp.machine.engine.frames import LANES, WORDS, Int32s, Running, Words
from ggp.machine.engine.intrinsics import call, lowest
from ggp.machine.engine.kernels import interpret
from ggp.machine.engine.words import mixed


@kernel
def _reward(
    frame: Words,
    rows: FrameRows,
    goals: GoalRows,
    end: np.uint64,
    w: int,
    begin: int,
    rewards: Floats,
) -> np.uint64:
    """Write what ends are worth; the lanes of a word in which a player has not just one goal."""
    fault = np.uint64(0)
    for player in range(len(goals.bounds)):
        once = np.uint64(0)
        for g in range(goals.bounds[player, 0], goals.bounds[player, 1]):
            bits = frame[rows.goals + g, w] & end
            fault |= once & bits
            once |= bits
            while bits:
                rewards[begin + int(lowest(bits)), player] = goals.reward[g]
                bits &= bits - np.uint64(1)
        fault |= end & ~once
    return fault


@kernel
def _late(since: Int32s, begin: int, count: int, longest: int) -> np.uint64:
    """Count a move of each game of a word; those that have had `longest`, if that is not zero."""
    late = np.uint64(0)
    for i in range(count):
        since[begin + i] += 1
        if longest and since[begin + i] >= longest:
            late |= np.uint64(1) << np.uint64(i)
    return late


@kernel
def _movers(
    kept: Words, rows: FrameRows, seats: Seats, block: int, count: int, to_move: int
) -> None:
    """The one player of each game who has a choice; -1 where nobody has, or several have.

    `to_move`: the address of the first of the bytes for the games of the block.
    """
    forced = rows.forced - rows.following
    for w in range((count + 63) >> 6):
        once, twice = np.uint64(0), np.uint64(0)
        for player in range(seats.players):
            free = ~kept[block, forced + seats.roles[player], w]
            twice |= once & free
            once |= free
        mark(~np.uint64(0), -1, to_move + 64 * w)
        for player in range(seats.players):
            free = ~kept[block, forced + seats.roles[player], w]
            mark(free & ~twice, player, to_move + 64 * w)


@kernel
def _end(
    frame: Words,
    rows: FrameRows,
    goals: GoalRows,
    games: Games,
    begin: int,
    longest: int,
    over: Words,
    result: StepTarget,
) -> tuple[int, int]:
    """Say which games of a block end, and what that is worth; else what is wrong, and where."""
    for w in range(WORDS):
        game = begin + 64 * w
        count = min(64, len(games.legal) - game)
        over[w] = 0
        if count <= 0:
            continue
        used = first_bits(count)
        end, stuck = frame[rows.end, w] & used, frame[rows.stuck, w] & used
        if stuck:
            return STUCK, game + int(lowest(stuck))
        fault = _reward(frame, rows, goals, end, w, game, result.rewards)
        if fault:
            return NO_GOAL, game + int(lowest(fault))
        late = _late(games.since, game, count, longest) & ~end if longest else np.uint64(0)
        spread(end, result.terminated + game)
        spread(late, result.truncated + game)
        over[w] = end | late
    return FINE, -1


@kernel
def _again(
    games: Games,
    start: StartRows,
    begin: int,
    over: Words,
    ended: int,
    seen: Words,
    result: StepTarget,
) -> int:
    """Let the games of a block that are over show their beginning; how many have ended by now.

    What is observed at their ends (`seen`) is kept as final.
    """
    legal = games.legal
    for w in range(WORDS):
        bits = over[w]
        while bits:
            lane = 64 * w + int(lowest(bits))
            bits &= bits - np.uint64(1)
            games.since[begin + lane] = 0
            result.ended[ended] = begin + lane
            for k in range(seen.shape[1]):
                result.final[ended, k] = seen[lane, k]
                seen[lane, k] = start.observed[k]
            for k in range(legal.shape[1]):
                legal[begin + lane, k] = start.legal[k]
            ended += 1
    return ended


@kernel
def advance(
    frame: Words,
    address: int,
    running: Running,
    rows: FrameRows,
    seats: Seats,
    games: Games,
    actions: Int32s,
    key: np.uint64,
    start: StartRows,
    goals: GoalRows,
    longest: int,
    orders: tuple[Int32s, Int32s],
    scratch: BlockScratch,
    result: StepTarget,
) -> tuple[int, int, int]:
    """Make one joint move in every game, begin those anew that end, and write all results.

    `actions` as `check` took them. `longest`: games of so many moves are given up, if it is not
    zero. `orders`: the rows that observations and masks are made of. Gives the number of games
    that ended, and what is wrong in which game; nothing is to be relied on then.
    """
    code, sections, _, compiled, _ = running
    observed, masked = orders
    block, seen, over = scratch
    kept, legal, own = games.kept, games.legal, mixed(key)
    ended = 0
    for b in range(len(kept)):
        begin = b * LANES
        count = min(LANES, len(legal) - begin)
        load(frame, rows, seats, games, b, actions, own)
        for i in range(len(compiled)):
            call(compiled[i], address, address, address)
        if not len(compiled):
            interpret(address, code, sections, 0, len(sections))
        gather(frame, observed, count, block, seen)
        gather(frame, masked, count, block, legal[begin : begin + count])
        result.rewards[begin : begin + count] = 0
        fault, game = _end(frame, rows, goals, games, begin, longest, over, result)
        if fault:
            return ended, fault, game
        ended = _again(games, start, begin, over, ended, seen, result)
        write(seen, 0, count, result.width, result.observed + begin * result.width)
        write(legal, begin, count, result.mask_width, result.masks + begin * result.mask_width)
        for j in range(rows.end - rows.following):
            for w in range(WORDS):
                row = frame[rows.following + j, w]
                kept[b, j, w] = row | over[w] if start.kept[j] else row & ~over[w]
        _movers(kept, rows, seats, b, count, result.to_move + begin)
    return ended, FINE, -1
