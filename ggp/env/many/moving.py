"""Actions of many games: drawn, checked, and put on a frame as moves."""

from __future__ import annotations

import numpy as np

from ggp.env.many.draws import draw, leading
from ggp.env.many.parts import FINE, ILLEGAL, SEVERAL, FrameRows, Games, Seats
from ggp.kernel import kernel
from ggp.machine.engine.frames import LANES, WORDS, Int32s, Words
from ggp.machine.engine.intrinsics import lowest
from ggp.machine.engine.words import inlined, mixed


@inlined
def first_bits(count: int) -> np.uint64:
    """The first so many bits of a word; all where there are more."""
    if count >= 64:
        return ~np.uint64(0)
    return (np.uint64(1) << np.uint64(count)) - np.uint64(1)


@kernel
def sample(games: Games, rows: FrameRows, seats: Seats, key: np.uint64, result: Int32s) -> None:
    """A legal action of each player in each game, uniformly at random: (n, players).

    What is drawn hangs on `key`, the game and the seat.
    """
    kept, legal, one, own = games.kept, games.legal, np.uint64(1), mixed(key)
    forced = rows.forced - rows.following
    for place in range((len(legal) + 63) >> 6):
        block, w, begin = place // WORDS, place % WORDS, 64 * place
        for seat in range(seats.players):
            first = seat * seats.actions
            only = kept[block, forced + seats.roles[seat], w]
            free = ~only & first_bits(len(legal) - begin)
            while free:
                game = begin + int(lowest(free))
                free &= free - one
                result[game, seat] = draw(legal, own, game, seat, first, seats.actions)
            only &= first_bits(len(legal) - begin)
            while only:
                game = begin + int(lowest(only))
                only &= only - one
                result[game, seat] = leading(legal, game, first, seats.actions)


@kernel
def check(games: Games, rows: FrameRows, seats: Seats, actions: Int32s) -> tuple[int, int]:
    """Whether those who have a choice say what is legal: else what is wrong, and in which game.

    `actions` is (n, players), or (n, 1): of whoever has a choice.
    """
    is_shared = actions.shape[1] < seats.players
    legal, kept, one = games.legal, games.kept, np.uint64(1)
    forced = rows.forced - rows.following
    for place in range((len(legal) + 63) >> 6):
        block, w, begin = place // WORDS, place % WORDS, 64 * place
        once, twice = np.uint64(0), np.uint64(0)
        for seat in range(seats.players):
            free = ~kept[block, forced + seats.roles[seat], w] & first_bits(len(legal) - begin)
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
def load(
    frame: Words,
    rows: FrameRows,
    seats: Seats,
    games: Games,
    block: int,
    actions: Int32s,
    key: np.uint64,
) -> None:
    """Put the states of a block on a frame, and the moves of everybody there; chance draws its."""
    kept, legal, one = games.kept, games.legal, np.uint64(1)
    fluents, forced = rows.moves - rows.state, rows.forced - rows.following
    for j in range(fluents):
        for w in range(WORDS):
            frame[rows.state + j, w] = kept[block, j, w]
    for role in range(len(seats.bounds) - 1):
        for move in range(seats.bounds[role], seats.bounds[role + 1]):
            for w in range(WORDS):
                only = kept[block, fluents + move, w] & kept[block, forced + role, w]
                frame[rows.moves + move, w] = only
    is_shared = actions.shape[1] < seats.players
    for w in range(WORDS):
        begin = LANES * block + 64 * w
        if begin >= len(legal):
            break
        for seat in range(len(seats.roles)):
            role = seats.roles[seat]
            row = rows.moves + seats.bounds[role]
            free = ~kept[block, forced + role, w] & first_bits(len(legal) - begin)
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
