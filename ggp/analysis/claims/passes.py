"""Whether some move of the role to move leaves the board as it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.analysis.boards.parts import always_change
from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims.options import SCOPE, nearest, options
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence
from ggp.analysis.finding import Finding, shown
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """No move leaves the board as it is."""
    if proofs.game.marker is None and proofs.game.turns is not None:
        if not proofs.game.turns.goes_on:
            return None
        why = "what tells whose turn it is goes on with every move, and is part of the board"
        return Finding("passes", False, "proved", Evidence(why))
    if proofs.boards is None or not always_change(proofs.parts, proofs.split):
        return None
    why = "every move of the role to move changes the board"
    return Finding("passes", False, "proved", Evidence(why))


def refute(samples: Sampled) -> Finding | None:
    """A move of the role to move that leaves the board as it is, if one was met."""
    if samples.game.marker is None:
        return None
    for i, (state, pair) in enumerate(zip(samples.some_states, options(samples), strict=False)):
        board, role = samples.marker.board(state), samples.marker.role(state)
        if role is not None:
            move = pair[role].get(board)
            if move is not None:
                why = f"{move} of {samples.game.roles[role]} leaves the board as it is"
                evidence = Counterexample(why, (samples.witness(samples.few[i]),), move)
                return shown("passes", True, evidence)
    return None


def enumerated(positions: Positions) -> Finding:
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
    edge = nearest(positions, space, same)
    mover = int(positions.marked(space)[space.source[edge]])
    move = positions.joint(space, edge)[mover]
    why = f"{move} of {positions.game.roles[mover]} leaves the board as it is"
    witness = positions.witness(space, int(space.source[edge]))
    return shown("passes", True, Counterexample(why, (witness,), move))


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """A play to a board that a move leaves as it is; else nothing, the checker asks by itself, of
    boards that can be told from turns."""
    if isinstance(finding.evidence, Counterexample):
        yield from known.met_on_boards(finding)
    elif finding.certainty == "proved" and known.game.marker is not None:
        yield {}
