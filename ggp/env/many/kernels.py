"""Loops of many games at once, compiled by numba once for each machine.

Games are the lanes of blocks of 512, as on frames (`ggp.machine.engine`): what is known of them
lies in rows of bits, one bit a game, and is turned over into bytes for each game at the end.
"""

from __future__ import annotations

import numpy as np

from ggp.env.many.draws import draw, inlined
from ggp.env.many.lanes import gather, spread, write
from ggp.env.many.parts import (
    FINE,
    ILLEGAL,
    NO_GOAL,
    SEVERAL,
    STUCK,
    Bytes,
    Floats,
    Games,
    Goals,
    Layout,
    Result,
    Scratch,
    Seats,
    Start,
)
from ggp.machine.engine.frames import LANES, WORDS, Int32s, Running, Words
from ggp.machine.engine.intrinsics import call, kernel, lowest
from ggp.machine.engine.kernels import interpret


@kernel
def sample(legal: Words, seats: Seats, key: np.uint64, result: Int32s) -> None:
    """A legal action of each player in each game, uniformly at random: (n, players).

    What is drawn hangs on `key`, the game and the seat.
    """
    for game in range(len(legal)):
        for seat in range(seats.players):
            first = seat * seats.actions
            result[game, seat] = draw(legal, key, game, seat, first, seats.actions)


@kernel
def decide(
    games: Games, layout: Layout, seats: Seats, actions: Int32s, key: np.uint64, joint: Int32s
) -> tuple[int, int]:
    """The moves (n, seats) of those who have a choice, -1 of the others; chance draws its own.

    `actions` is (n, players), or (n, 1): of whoever has a choice; `key` as in `sample`. Says
    whether all is well, and else in which game something is wrong.
    """
    is_shared = actions.shape[1] < seats.players
    one, legal, kept = np.uint64(1), games.legal, games.kept
    forced = layout.forced - layout.following
    for game in range(len(joint)):
        block, lane = game // LANES, game % LANES
        choosing = 0
        for seat in range(len(seats.roles)):
            role, first = seats.roles[seat], seat * seats.actions
            joint[game, seat] = -1
            word = kept[block, forced + role, lane >> 6]
            if word >> np.uint64(lane & 63) & one:
                continue
            if seat == seats.players:
                count = seats.bounds[role + 1] - seats.bounds[role]
                joint[game, seat] = draw(legal, key, game, seat, first, count)
                continue
            choosing += 1
            action = actions[game, 0 if is_shared else seat]
            if action < 0 or action >= seats.actions:
                return ILLEGAL, game
            place = first + action
            if not legal[game, place >> 6] >> np.uint64(place & 63) & one:
                return ILLEGAL, game
            joint[game, seat] = action
        if is_shared and choosing > 1:
            return SEVERAL, game
    return FINE, -1


@kernel
def _load(
    frame: Words, layout: Layout, seats: Seats, kept: Words, joint: Int32s, begin: int, count: int
) -> None:
    """Put the states of a block, and the moves of everybody there, on a frame."""
    fluents = layout.moves - layout.state
    for j in range(fluents):
        for w in range(WORDS):
            frame[layout.state + j, w] = kept[j, w]
    forced = layout.forced - layout.following
    for role in range(len(seats.bounds) - 1):
        for move in range(seats.bounds[role], seats.bounds[role + 1]):
            for w in range(WORDS):
                frame[layout.moves + move, w] = kept[fluents + move, w] & kept[forced + role, w]
    for lane in range(count):
        for seat in range(len(seats.roles)):
            move = joint[begin + lane, seat]
            if move >= 0:
                row = layout.moves + seats.bounds[seats.roles[seat]] + move
                frame[row, lane >> 6] |= np.uint64(1) << np.uint64(lane & 63)


@kernel
def _reward(
    frame: Words, layout: Layout, goals: Goals, end: np.uint64, w: int, begin: int, rewards: Floats
) -> np.uint64:
    """Write what ends are worth; the lanes of a word in which a player has not just one goal."""
    fault = np.uint64(0)
    for player in range(len(goals.bounds)):
        once = np.uint64(0)
        for g in range(goals.bounds[player, 0], goals.bounds[player, 1]):
            bits = frame[layout.goals + g, w] & end
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


@inlined
def _first(count: int) -> np.uint64:
    """The first so many bits of a word; all where there are more."""
    if count >= 64:
        return ~np.uint64(0)
    return (np.uint64(1) << np.uint64(count)) - np.uint64(1)


@kernel
def _movers(kept: Words, forced: int, seats: Seats, begin: int, count: int, to_move: Bytes) -> None:
    """The one player of each game who has a choice; -1 where nobody has, or several have."""
    for i in range(count):
        to_move[begin + i] = -1
    for w in range((count + 63) >> 6):
        once, twice = np.uint64(0), np.uint64(0)
        for player in range(seats.players):
            free = ~kept[forced + seats.roles[player], w]
            twice |= once & free
            once |= free
        for player in range(seats.players):
            bits = ~kept[forced + seats.roles[player], w] & ~twice & _first(count - 64 * w)
            while bits:
                to_move[begin + 64 * w + int(lowest(bits))] = player
                bits &= bits - np.uint64(1)


@kernel
def _again(scratch: Scratch, start: Start, lane: int, final: Words) -> None:
    """Keep what is observed in a lane as final, and let it show the beginning."""
    for k in range(scratch.seen.shape[1]):
        final[k] = scratch.seen[lane, k]
        scratch.seen[lane, k] = start.observed[k]
    for k in range(scratch.able.shape[1]):
        scratch.able[lane, k] = start.legal[k]


@kernel
def advance(
    frame: Words,
    address: int,
    running: Running,
    layout: Layout,
    seats: Seats,
    games: Games,
    joint: Int32s,
    start: Start,
    goals: Goals,
    longest: int,
    observed: Int32s,
    masked: Int32s,
    scratch: Scratch,
    result: Result,
) -> tuple[int, int, int]:
    """Make one joint move in every game, begin those anew that end, and write all results.

    `longest`: games of so many moves are given up, if it is not zero. `observed`, `masked`: the
    rows that observations and masks are made of. Gives the number of games that ended, and what
    is wrong in which game; nothing is to be relied on then.
    """
    code, sections, _, compiled, _ = running
    total = len(joint)
    ended = 0
    over = np.zeros(WORDS, dtype=np.uint64)
    for b in range(len(games.kept)):
        begin = b * LANES
        count = min(LANES, total - begin)
        kept = games.kept[b]
        _load(frame, layout, seats, kept, joint, begin, count)
        for i in range(len(compiled)):
            call(compiled[i], address, address, address)
        if not len(compiled):
            interpret(address, code, sections, 0, len(sections))
        gather(frame, observed, count, scratch.block, scratch.seen)
        gather(frame, masked, count, scratch.block, scratch.able)
        for i in range(count):
            for player in range(seats.players):
                result.rewards[begin + i, player] = 0
        over[:] = ~np.uint64(0)
        for w in range((count + 63) >> 6):
            game = begin + 64 * w
            used = _first(count - 64 * w)
            end, stuck = frame[layout.end, w] & used, frame[layout.end + 1, w] & used
            if stuck:
                return ended, STUCK, game + int(lowest(stuck))
            fault = _reward(frame, layout, goals, end, w, game, result.rewards)
            if fault:
                return ended, NO_GOAL, game + int(lowest(fault))
            late = _late(games.since, game, min(64, count - 64 * w), longest) & ~end
            spread(end, result.terminated + game)
            spread(late, result.truncated + game)
            bits = end | late
            over[w] = bits | ~used
            while bits:
                lane = 64 * w + int(lowest(bits))
                bits &= bits - np.uint64(1)
                games.since[begin + lane] = 0
                result.ended[ended] = begin + lane
                _again(scratch, start, lane, result.final[ended])
                ended += 1
        write(scratch.seen, count, result.width, result.observed + begin * result.width)
        write(scratch.able, count, result.mask_width, result.masks + begin * result.mask_width)
        for i in range(count):
            for k in range(scratch.able.shape[1]):
                games.legal[begin + i, k] = scratch.able[i, k]
        for j in range(layout.kept):
            for w in range(WORDS):
                row = frame[layout.following + j, w]
                kept[j, w] = row | over[w] if start.kept[j] else row & ~over[w]
        _movers(kept, layout.forced - layout.following, seats, begin, count, result.to_move)
    return ended, FINE, -1
