"""The loop of random play where there are many moves: what is legal is looked through in each lane.

Compiled by numba once for each machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.kernel import array_kernel, kernel
from ggp.machine.engine.frames import FIRST, WORDS, Int32s, Int64s, Running, Tally, Words
from ggp.machine.engine.intrinsics import call, common, lowest, merge, random_row
from ggp.machine.engine.kernels import copy_rows, interpret, transpose
from ggp.machine.playouts.playing import finish, score, settle


class RunningCircuit(NamedTuple):
    """A circuit at work: its frame, the address of that, and what runs it."""

    frame: Words
    address: int
    running: Running


class Draws(NamedTuple):
    """What the choice of moves takes.

    `bounds` (roles + 1,): where the moves of each role begin; `widths` (roles,): random bits of
    each; `draws`: a frame with room for those of one role and two rows more. `counts` (512,),
    `listed` (most moves of a role, 512): the legal moves of a role in each lane; `chosen` (roles,
    512): moves, or -1.
    """

    bounds: Int64s
    widths: Int64s
    draws: Words
    counts: Int64s
    listed: Int32s
    chosen: Int32s


@kernel
def run(circuit: RunningCircuit) -> None:
    """Compute the outputs of a circuit from its inputs."""
    _, address, running = circuit
    code, sections, _, compiled, _ = running
    for i in range(len(compiled)):
        call(compiled[i], address, address, address)
    if not len(compiled):
        interpret(address, code, sections, 0, len(sections))


@array_kernel
def choose(legal: Words, active: Words, seeds: int, choices: Draws, stuck: Words) -> None:
    """Choose a move of each role in each lane that plays, uniformly; -1 where there is none.

    `legal` (moves, 8), `active` (8,): rows of frames. The number of the move, among the legal ones
    of its role, is that of the circuit of `ggp.machine.choice` for the same random bits. `stuck`
    (8,): filled with the lanes where a role has no legal move.
    """
    bounds, widths, draws, counts, listed, chosen = choices
    block = np.empty(64, dtype=np.uint64)
    address, rows, playing = draws.ctypes.data, legal.ctypes.data, active.ctypes.data
    one = np.uint64(1)
    stuck[:] = 0
    for role in range(len(widths)):
        width = widths[role]
        for bit in range(width):
            random_row(address + (bit << 6), seeds)
        counts[:] = 0
        for move in range(bounds[role], bounds[role + 1]):
            met = common(rows + (move << 6), playing)
            while met:
                w = lowest(met)
                met &= met - one
                rest = legal[move, w] & active[w]
                while rest:
                    lane = w << np.uint64(6) | lowest(rest)
                    rest &= rest - one
                    listed[counts[lane], lane] = move
                    counts[lane] += 1
        for w in range(WORDS):
            for bit in range(64):
                block[bit] = draws[bit, w] if bit < width else np.uint64(0)
            transpose(block)
            rest = active[w]
            while rest:
                place = lowest(rest)
                rest &= rest - one
                lane = np.uint64(w << 6) | place
                count = np.uint64(counts[lane])
                if count:
                    pick = (block[place] * count) >> np.uint64(width)
                    chosen[role, lane] = listed[pick, lane]
                else:
                    chosen[role, lane] = -1
                    stuck[w] |= one << place


@kernel
def make(moves: Words, chosen: Int32s, active: Words) -> None:
    """Turn over the bits of the moves (moves, 8) that are chosen in the lanes that play."""
    for role in range(len(chosen)):
        for w in range(WORDS):
            rest = active[w]
            while rest:
                place = lowest(rest)
                rest &= rest - np.uint64(1)
                move = chosen[role, np.uint64(w << 6) | place]
                if move >= 0:
                    moves[move, w] ^= np.uint64(1) << place


@array_kernel
def play(
    looking: RunningCircuit,
    moving: RunningCircuit,
    bits: int,
    start: Words,
    choices: Draws,
    seeds: Words,
    active: Words,
    since: Int64s,
    tally: Tally,
    steps: int,
) -> bool:
    """Play on in all lanes, at most `steps` moves; whether some lane is still active.

    `looking`: the circuit from a state of so many `bits` to its legal moves, end and goals;
    `moving`: that from a state and moves to the next. What was seen of the state is there when a
    step begins, and when it ends. `start` (bits + moves, 8), of a frame: the state that each lane
    begins with, and its legal moves. The rest is as in `playing.play`, and what is played is the
    same.
    """
    counters, values, reached, lengths = tally
    frame, following = looking.frame, moving.frame
    count = choices.bounds[len(choices.bounds) - 1]
    state, legal = frame[FIRST : FIRST + bits], frame[FIRST + bits : FIRST + bits + count]
    ended = FIRST + bits + count
    moves = following[FIRST + bits : FIRST + bits + count]
    ends, stuck = np.zeros(WORDS, dtype=np.uint64), np.zeros(WORDS, dtype=np.uint64)
    anew, playing = choices.draws[-2], choices.draws[-1]
    begun, again = start.ctypes.data, anew.ctypes.data
    for _ in range(steps):
        for w in range(WORDS):
            playing[w] = active[w]
        choose(legal, playing, seeds.ctypes.data, choices, stuck)
        copy_rows(state, following[FIRST : FIRST + bits])
        make(moves, choices.chosen, playing)
        run(moving)
        make(moves, choices.chosen, playing)
        copy_rows(following[FIRST + bits + count : FIRST + 2 * bits + count], state)
        run(looking)
        if finish(frame[ended], active, stuck, ends):
            score(frame[ended + 1 : ended + 1 + len(values)], ends, values, reached)
        if not settle(counters, lengths, since, active, ends, stuck, anew):
            return False
        if anew.any():
            for i in range(bits + count):
                merge(looking.address + (FIRST + i << 6), begun + (i << 6), again)
    return True
