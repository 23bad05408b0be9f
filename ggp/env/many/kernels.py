"""Loops of many games at once, compiled by numba once for each machine.

Games are the lanes of blocks of 512, as on frames (`ggp.machine.engine`): what is known of them
lies in rows of bits, one bit a game, and is turned over into bytes for each game at the end.
"""

from __future__ import annotations

import numpy as np

from ggp.env.many.draws import draw, inlined, leading, mixed
from ggp.env.many.lanes import gather, mark, spread, write
from ggp.env.many.parts import (
    FINE,
    ILLEGAL,
    NO_GOAL,
    SEVERAL,
    STUCK,
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


@inlined
def _first(count: int) -> np.uint64:
    """The first so many bits of a word; all where there are more."""
    if count >= 64:
        return ~np.uint64(0)
    return (np.uint64(1) << np.uint64(count)) - np.uint64(1)


@kernel
def sample(games: Games, layout: Layout, seats: Seats, key: np.uint64, result: Int32s) -> None:
    """A legal action of each player in each game, uniformly at random: (n, players).

    What is drawn hangs on `key`, the game and the seat.
    """
    kept, legal, one, own = games.kept, games.legal, np.uint64(1), mixed(key)
    forced = layout.forced - layout.following
    for place in range((len(legal) + 63) >> 6):
        block, w, begin = place // WORDS, place % WORDS, 64 * place
        for seat in range(seats.players):
            first = seat * seats.actions
            only = kept[block, forced + seats.roles[seat], w]
            free = ~only & _first(len(legal) - begin)
            while free:
                game = begin + int(lowest(free))
                free &= free - one
                result[game, seat] = draw(legal, own, game, seat, first, seats.actions)
            only &= _first(len(legal) - begin)
            while only:
                game = begin + int(lowest(only))
                only &= only - one
                result[game, seat] = leading(legal, game, first, seats.actions)


@kernel
def check(games: Games, layout: Layout, seats: Seats, actions: Int32s) -> tuple[int, int]:
    """Whether those who have a choice say what is legal: else what is wrong, and in which game.

    `actions` is (n, players), or (n, 1): of whoever has a choice.
    """
    is_shared = actions.shape[1] < seats.players
    legal, kept, one = games.legal, games.kept, np.uint64(1)
    forced = layout.forced - layout.following
    for place in range((len(legal) + 63) >> 6):
        block, w, begin = place // WORDS, place % WORDS, 64 * place
        once, twice = np.uint64(0), np.uint64(0)
        for seat in range(seats.players):
            free = ~kept[block, forced + seats.roles[seat], w] & _first(len(legal) - begin)
            twice |= once & free
            once |= free
            while free:
                game = begin + int(lowest(free))
                free &= free - one
                action = actions[game, 0 if is_shared else seat]
                if action < 0 or action >= seats.actions:
                    return ILLEGAL, game
                bit = seat * seats.actions + action
                if not legal[game, bit >> 6] >> np.uint64(bit & 63) & one:
                    return ILLEGAL, game
        if is_shared and twice:
            return SEVERAL, begin + int(lowest(twice))
    return FINE, -1


@kernel
def _load(
    frame: Words,
    layout: Layout,
    seats: Seats,
    games: Games,
    block: int,
    actions: Int32s,
    key: np.uint64,
) -> None:
    """Put the states of a block on a frame, and the moves of everybody there; chance draws its."""
    kept, legal, one = games.kept, games.legal, np.uint64(1)
    fluents, forced = layout.moves - layout.state, layout.forced - layout.following
    for j in range(fluents):
        for w in range(WORDS):
            frame[layout.state + j, w] = kept[block, j, w]
    for role in range(len(seats.bounds) - 1):
        for move in range(seats.bounds[role], seats.bounds[role + 1]):
            for w in range(WORDS):
                only = kept[block, fluents + move, w] & kept[block, forced + role, w]
                frame[layout.moves + move, w] = only
    is_shared = actions.shape[1] < seats.players
    for w in range(WORDS):
        begin = LANES * block + 64 * w
        if begin >= len(legal):
            break
        for seat in range(len(seats.roles)):
            role = seats.roles[seat]
            row = layout.moves + seats.bounds[role]
            free = ~kept[block, forced + role, w] & _first(len(legal) - begin)
            while free:
                bit = free & (~free + one)
                game = begin + int(lowest(free))
                free ^= bit
                if seat < seats.players:
                    move = actions[game, 0 if is_shared else seat]
                else:
                    count = seats.bounds[role + 1] - seats.bounds[role]
                    move = draw(legal, key, game, seat, seat * seats.actions, count)
                frame[row + move, w] |= bit


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


@kernel
def _movers(
    kept: Words, layout: Layout, seats: Seats, block: int, count: int, to_move: int
) -> None:
    """The one player of each game who has a choice; -1 where nobody has, or several have.

    `to_move`: the address of the first of the bytes for the games of the block.
    """
    forced = layout.forced - layout.following
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
    layout: Layout,
    goals: Goals,
    games: Games,
    begin: int,
    longest: int,
    over: Words,
    result: Result,
) -> tuple[int, int]:
    """Say which games of a block end, and what that is worth; else what is wrong, and where."""
    for w in range(WORDS):
        game = begin + 64 * w
        count = min(64, len(games.legal) - game)
        over[w] = 0
        if count <= 0:
            continue
        used = _first(count)
        end, stuck = frame[layout.end, w] & used, frame[layout.end + 1, w] & used
        if stuck:
            return STUCK, game + int(lowest(stuck))
        fault = _reward(frame, layout, goals, end, w, game, result.rewards)
        if fault:
            return NO_GOAL, game + int(lowest(fault))
        late = _late(games.since, game, count, longest) & ~end if longest else np.uint64(0)
        spread(end, result.terminated + game)
        spread(late, result.truncated + game)
        over[w] = end | late
    return FINE, -1


@kernel
def _again(
    games: Games, start: Start, begin: int, over: Words, ended: int, seen: Words, result: Result
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
    layout: Layout,
    seats: Seats,
    games: Games,
    actions: Int32s,
    key: np.uint64,
    start: Start,
    goals: Goals,
    longest: int,
    orders: tuple[Int32s, Int32s],
    scratch: Scratch,
    result: Result,
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
        _load(frame, layout, seats, games, b, actions, own)
        for i in range(len(compiled)):
            call(compiled[i], address, address, address)
        if not len(compiled):
            interpret(address, code, sections, 0, len(sections))
        gather(frame, observed, count, block, seen)
        gather(frame, masked, count, block, legal[begin : begin + count])
        result.rewards[begin : begin + count] = 0
        fault, game = _end(frame, layout, goals, games, begin, longest, over, result)
        if fault:
            return ended, fault, game
        ended = _again(games, start, begin, over, ended, seen, result)
        write(seen, 0, count, result.width, result.observed + begin * result.width)
        write(legal, begin, count, result.mask_width, result.masks + begin * result.mask_width)
        for j in range(layout.kept):
            for w in range(WORDS):
                row = frame[layout.following + j, w]
                kept[b, j, w] = row | over[w] if start.kept[j] else row & ~over[w]
        _movers(kept, layout, seats, b, count, result.to_move + begin)
    return ended, FINE, -1
