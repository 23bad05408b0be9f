"""The choices in a space of positions, one at a time: players before chance, nothing hidden."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.errors import NotSolvable
from ggp.game import Game, State
from ggp.machine import Space
from ggp.solver.position_graph import CHANCE

PART = 1 << 16
"""Edges looked at together."""


@dataclass(frozen=True, eq=False)
class Choices:
    """Who chooses where, and where each choice leads.

    `mover` (n,): the index of a role, or -1 at the end of play. The first positions are those of
    the space; where a role and chance choose at once, one more position follows for each move of
    the role, at which chance (its role's index) is the mover. `first_edge`, `target` as in
    `Space`; `edge` (edges,): an edge of the space that the choice is a part of.
    """

    mover: NDArray[np.int16]
    first_edge: NDArray[np.int64]
    target: NDArray[np.int32]
    edge: NDArray[np.int64]

    @classmethod
    def of(cls, space: Space, mover: NDArray[np.int16], chance: int | None) -> Choices:
        """The choices of a space with the given movers; `chance` is the role `random`."""
        edges = np.arange(len(space.target))
        if chance is None:
            return cls(mover, space.first_edge, space.target, edges)
        both = (space.legal_counts[:, chance] > 1) & (mover >= 0) & (mover != chance)
        is_split = both[space.source]
        kept, split = edges[~is_split], edges[is_split]
        made = space.joint[split, mover[space.source[split]]]
        order = np.lexsort((made, space.source[split]))
        split, made = split[order], made[order]
        source = space.source[split]
        is_first = np.ones(len(split), dtype=np.bool_)
        is_first[1:] = (source[1:] != source[:-1]) | (made[1:] != made[:-1])
        heads = split[is_first]
        throw = len(space) + np.cumsum(is_first) - 1
        sources = np.concatenate([space.source[kept], space.source[heads], throw])
        targets = np.concatenate([space.target[kept], throw[is_first], space.target[split]])
        edges = np.concatenate([kept, heads, split])
        order = np.argsort(sources, kind="stable")
        total = len(space) + len(heads)
        degrees = np.bincount(sources, minlength=total)
        return cls(
            np.concatenate([mover, np.full(len(heads), chance, dtype=np.int16)]),
            np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64),
            targets[order].astype(np.int32),
            edges[order],
        )


def as_players(mover: NDArray[np.int16], chance: int | None) -> NDArray[np.int16]:
    """Indices of roles as indices of players, `CHANCE` for the role `random`."""
    if chance is None:
        return mover
    players = np.where(mover > chance, mover - 1, mover)
    return np.where(mover == chance, CHANCE, players).astype(np.int16)


def require_open(game: Game, space: Space) -> None:
    """Raise `NotSolvable` where a role cannot tell from what it sees which position it is in.

    By induction from the first position: a role that knows where it is, the move that it made and
    what it sees (`sees`) must know where play has come to. Rules without `sees` hide nothing.
    """
    if not game.has_percepts:
        return
    for start in range(0, len(space.target), PART):
        edges = np.arange(start, min(start + PART, len(space.target)))
        # Edges that leave the same position must be looked at together.
        last = int(space.first_edge[int(space.source[edges[-1]]) + 1])
        edges = np.arange(start, last)
        seen = game.machine.percepts(space.rows[space.source[edges]], space.joint[edges])
        for role, percepts in enumerate(seen):
            if role != game.chance:
                _require_distinct(game, space, role, edges, percepts)


def _require_distinct(
    game: Game, space: Space, role: int, edges: NDArray[np.int64], percepts: NDArray[np.bool_]
) -> None:
    packed = np.packbits(percepts, axis=1)
    known: dict[tuple[int, int, bytes], int] = {}
    sources, moves = space.source[edges].tolist(), space.joint[edges, role].tolist()
    for source, move, row, target in zip(
        sources, moves, packed, space.target[edges].tolist(), strict=True
    ):
        if known.setdefault((source, move, row.tobytes()), target) != target:
            state = State(game, space.state(source))
            name = game.roles[role]
            raise NotSolvable(f"hidden information: {name} does not see what happens in {state}")
