"""A look at single positions that tells of many games that they are no sum of heaps.

It is cheap beside a proof for every board, which would fail for them.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

import numpy as np

from ggp.analysis.heaps.heap import heap_candidates
from ggp.bits import bits_of
from ggp.game import Game, State

PLIES, MOVES, SQUARES = 4, 32, 16
"""Moves of a random play, other moves in each state, and pairs of sizes of two heaps."""


def is_no_sum(game: Game) -> bool:
    """Whether moves change something besides heaps and the turn marker (there must be one), or two
    heaps together have other moves than each for itself.

    Neither is so in what `ggp.analysis.heaps.proof.proved_heaps` proves, where whether a move is
    legal hangs on who is to move and on the size of one heap. False proves nothing.
    """
    marker = game.marker
    assert marker is not None
    rng = np.random.default_rng(1)
    states = _met(game, rng)
    changed = reduce(or_, (state ^ states[0] for state in states)) & ~marker.mask
    masks = [sum(1 << f for f in members) for members in heap_candidates(game.net)]
    exact = [mask for mask in masks if all((mask & s).bit_count() == 1 for s in states)]
    if changed & ~reduce(or_, exact, 0):
        return True
    # What changes is in some heap: in the one that has it where no other reading does.
    heaps = [mask for mask in exact if changed & mask and sum(bool(mask & m) for m in exact) == 1]
    if len(heaps) < 2:
        return False
    pairs = (rng.permutation(len(heaps))[:2].tolist() for _ in range(SQUARES))
    return any(_depend(game, heaps[i], heaps[j], rng) for i, j in pairs)


def _met(game: Game, rng: np.random.Generator) -> list[int]:
    """The initial state and some of those that the first moves of a random play could lead to."""
    state = game.initial
    met = [state.bits]
    for _ in range(PLIES):
        legal = state.legal_indices()
        if state.terminal or not all(legal):
            break
        joint = [moves[0] for moves in legal]
        joints = [
            [*joint[:role], move, *joint[role + 1 :]]
            for role, moves in enumerate(legal)
            for move in moves
        ]
        some = rng.permutation(len(joints))[:MOVES]
        after = state.after_each([joints[int(i)] for i in some])
        met += [other.bits for other in after]
        state = after[int(rng.integers(len(after)))]
    return met


def _depend(game: Game, first: int, second: int, rng: np.random.Generator) -> bool:
    """Whether the numbers of moves at two sizes each of two heaps (masks) are no sums."""
    mine, theirs = (rng.permutation(list(bits_of(heap)))[:2] for heap in (first, second))
    rest = game.initial.bits & ~(first | second)
    states = [State(game, rest | 1 << int(i) | 1 << int(j)) for i in mine for j in theirs]
    if any(state.terminal for state in states):
        return False
    counts = [[len(moves) for moves in state.legal_indices()] for state in states]
    return any(a + d != b + c for a, b, c, d in zip(*counts, strict=True))
