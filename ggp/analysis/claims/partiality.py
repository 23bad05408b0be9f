"""Whether both players have the same moves, and whether they run out together.

Both are statements about every board that arises if at each turn either player may move. What a
move is called does not matter, only the board that it leads to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.evidence import Counterexample, Enumeration
from ggp.analysis.finding import Finding, shown
from ggp.analysis.positions import Positions
from ggp.machine import Space
from ggp.machine.arrays import contained, distinct

SCOPE = "moves of either player in any order"


def impartial(positions: Positions) -> Finding:
    """Whether both players have the same set of options, which are boards, on every board."""
    space = positions.either
    board, count = positions.boards
    marked = positions.marked(space)
    option = board[space.source] * count + board[space.target]
    role = marked[space.source]
    first, second = distinct(option[role == 0]), distinct(option[role == 1])
    if np.array_equal(first, second):
        why = f"both players have the same options on all {count:,} boards"
        return Finding("impartial", True, "exhaustive", Enumeration(why, len(space), SCOPE))
    one_sided = np.setxor1d(first, second, assume_unique=True)
    edge = _nearest(positions, space, np.flatnonzero(contained(option, one_sided)))
    mover = int(role[edge])
    roles = positions.game.roles
    move = positions.joint(space, edge)[mover]
    why = f"{move} gives {roles[mover]} a board that {roles[1 - mover]} cannot move to"
    witness = positions.witness(space, int(space.source[edge]))
    return shown("impartial", False, Counterexample(why, (witness,), move))


def _nearest(positions: Positions, space: Space, edges: NDArray[np.int64]) -> int:
    """An edge that leaves a position of legal play if there is one, close to the start."""
    order = edges[np.argsort(space.depth[space.source[edges]], kind="stable")]
    for edge in order[:1000]:
        if positions.reachable.position(space.state(int(space.source[edge]))) is not None:
            return int(edge)
    return int(order[0])


def all_small(positions: Positions) -> Finding:
    """Whether on every board one player has a move exactly if the other has (dicotic)."""
    space = positions.either
    board, count = positions.boards
    marked = positions.marked(space)
    can_move = np.zeros((count, 2), dtype=np.bool_)
    can_move[board[space.source], marked[space.source]] = True
    uneven = np.flatnonzero(can_move[:, 0] != can_move[:, 1])
    if not len(uneven):
        why = f"on all {count:,} boards both players can move or neither can"
        return Finding("all_small", True, "exhaustive", Enumeration(why, len(space), SCOPE))
    places = np.flatnonzero(contained(board, uneven))
    place = int(places[space.depth[places].argmin()])
    mover = 0 if can_move[board[place], 0] else 1
    roles = positions.game.roles
    why = f"on this board {roles[mover]} can move and {roles[1 - mover]} cannot"
    witness = positions.witness(space, place)
    return shown("all_small", False, Counterexample(why, (witness,)))


def passes(positions: Positions) -> Finding:
    """Whether some move of the role to move leaves the board as it is.

    Where no marker can be told from the board, all of the state is the board.
    """
    space, scope = positions.reachable, "legal play"
    board, count = np.arange(len(space)), len(space)
    if positions.game.marker:
        space, scope = positions.either, SCOPE
        board, count = positions.boards
    same = np.flatnonzero(board[space.source] == board[space.target])
    if not len(same):
        why = f"every move changes the board, on all {count:,} boards"
        return Finding("passes", False, "exhaustive", Enumeration(why, len(space), scope))
    edge = _nearest(positions, space, same)
    mover = int(positions.marked(space)[space.source[edge]])
    move = positions.joint(space, edge)[mover]
    why = f"{move} of {positions.game.roles[mover]} leaves the board as it is"
    witness = positions.witness(space, int(space.source[edge]))
    return shown("passes", True, Counterexample(why, (witness,), move))
