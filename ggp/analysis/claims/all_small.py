"""Whether on every board one player can move exactly if the other can.

Of every board that arises if at each turn either player may move.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims.options import SCOPE
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence
from ggp.analysis.finding import Finding, shown
from ggp.analysis.plays.plays import MAX_GATES
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.arrays import contained
from ggp.limits import time_left
from ggp.machine import Rows

CHUNK = 2_000
"""States that are looked at at once."""


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """On every board one player has a move exactly if the other has."""
    boards = proofs.boards
    if boards is None:
        return None
    builder = boards.builder
    first, second = (
        builder.disj_all(option.legal for option in side.options) for side in boards.sides
    )
    if first == second:
        why = "on every board both players can move or neither can: it is one function"
    elif proofs.is_impossible([builder.xor(first, second)], cheap=cheap):
        why = "there is no board on which one player can move and the other cannot"
    else:
        return None
    return Finding("all_small", True, "proved", Evidence(why))


def refute(samples: Sampled) -> Finding | None:
    """A board on which one player can move and the other cannot, if one was met."""
    most = min(len(samples.plays), MAX_GATES // (2 * samples.game.net.size))
    for start in range(0, most, CHUNK):
        if time_left() <= 0:
            break
        states = samples.game.machine.states(samples.plays.rows[start : start + CHUNK])
        able = [_can_move(samples, samples.placed(states, role)) for role in (0, 1)]
        for i in np.flatnonzero(able[0] != able[1])[:1].tolist():
            role = 0 if able[0][i] else 1
            roles = samples.game.roles
            why = f"on this board {roles[role]} can move and {roles[1 - role]} cannot"
            evidence = Counterexample(why, (samples.witness(start + i),))
            return shown("all_small", False, evidence)
    return None


def _can_move(samples: Sampled, rows: Rows) -> np.ndarray:
    view = samples.view(rows)
    return np.asarray(~view.terminal & (view.counts > 0).all(axis=1))


def enumerated(positions: Positions) -> Finding:
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


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """A play to a board on which one player alone can move; else the checker asks by itself."""
    if isinstance(finding.evidence, Counterexample):
        yield from known.met_on_boards(finding)
    elif finding.certainty == "proved":
        yield {}
