"""Whether both players have the same options on every board.

Of every board that arises if at each turn either player may move. What a move is called does not
matter, only the board that it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from ggp.analysis.boards.boards import Boards, Effect, Option, Side
from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims.options import SCOPE, nearest, options
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence
from ggp.analysis.finding import Finding, shown
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.arrays import contained, distinct
from ggp.checker import MAX_MATCHES
from ggp.circuits.circuit import FALSE

MAX_PAIRS = 20_000
"""Pairs of options, one of each player, that the solver is asked to compare for one claim."""


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """Both players have the same options on every board, by whatever moves."""
    boards = proofs.boards
    if boards is None:
        return None
    first, second = (_by_effect(boards, side) for side in boards.sides)
    if {e: x for e, (x, _) in first.items()} == {e: x for e, (x, _) in second.items()}:
        why = "on every board the options of both players are the same functions of the board"
        return Finding("impartial", True, "proved", Evidence(why))
    if len(first) * len(second) > MAX_PAIRS:
        return None
    for own, others in ((first, second), (second, first)):
        for effect, legal in own.items():
            if others.get(effect, (FALSE,))[0] == legal[0]:
                continue
            unmatched = [legal[0]]
            for other_legal, other in others.values():
                same = _differ(boards, legal[1], other) ^ 1
                unmatched.append(boards.builder.conj(other_legal, same) ^ 1)
            if not proofs.is_impossible(unmatched, cheap=cheap):
                return None
    why = "on no board has one player an option that the other has not"
    return Finding("impartial", True, "proved", Evidence(why))


def _by_effect(boards: Boards, side: Side) -> dict[Effect, tuple[int, Option]]:
    """For each thing that a player can do to a board: where it can, and a move that does it."""
    found: dict[Effect, tuple[int, Option]] = {}
    for option in side.options:
        known, _ = found.get(option.effect, (FALSE, option))
        found[option.effect] = boards.builder.disj(known, option.legal), option
    return found


def _differ(boards: Boards, first: Option, second: Option) -> int:
    """A literal of the boards on which two options do not do the same: their miter."""
    builder, inputs = boards.builder, boards.inputs
    differ = FALSE
    own, other = first.after(inputs), second.after(inputs)
    for fluent in own.keys() | other.keys():
        pair = own.get(fluent, inputs[fluent]), other.get(fluent, inputs[fluent])
        differ = builder.disj(differ, builder.xor(*pair))
    return differ


def refute(samples: Sampled) -> Finding | None:
    """A board on which one player has an option that the other has not, if one was met."""
    roles = samples.game.roles
    for i, pair in enumerate(options(samples)):
        for role in (0, 1):
            for option in pair[role].keys() - pair[1 - role].keys():
                move = pair[role][option]
                why = f"{move} gives {roles[role]} a board that {roles[1 - role]} cannot move to"
                evidence = Counterexample(why, (samples.witness(samples.few[i]),), move)
                return shown("impartial", False, evidence)
    return None


def enumerated(positions: Positions) -> Finding:
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
    edge = nearest(positions, space, np.flatnonzero(contained(option, one_sided)))
    mover = int(role[edge])
    roles = positions.game.roles
    move = positions.joint(space, edge)[mover]
    why = f"{move} gives {roles[mover]} a board that {roles[1 - mover]} cannot move to"
    witness = positions.witness(space, int(space.source[edge]))
    return shown("impartial", False, Counterexample(why, (witness,), move))


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """A play to a board with an option for one player alone, or which moves match each other."""
    if isinstance(finding.evidence, Counterexample):
        yield from known.met_on_boards(finding)
    elif finding.certainty == "proved":
        assert known.proofs.boards is not None
        matches = matching_moves(known.proofs.boards)
        if all(0 < len(m) <= MAX_MATCHES for own in matches.values() for m in own.values()):
            yield {"matches": matches}


def matching_moves(boards: Boards) -> dict[str, dict[str, list[str]]]:
    """For each move of a player the moves of the other that do the same, or else all of them.

    The first where one of those is legal exactly where one of this player's is.
    """
    net, builder = boards.net, boards.builder
    effects: list[dict[Any, list[str]]] = []
    legal: list[dict[Any, int]] = []
    for role, side in enumerate(boards.sides):
        own: dict[Any, list[str]] = {}
        where: dict[Any, int] = {}
        for option in side.options:
            move = net.moves[role][option.move - net.move_offset[role]]
            own.setdefault(option.effect, []).append(str(move))
            where[option.effect] = builder.disj(where.get(option.effect, FALSE), option.legal)
        effects.append(own)
        legal.append(where)
    every = [list(chain(*own.values())) for own in effects]
    return {
        str(net.roles[role]): {
            move: effects[1 - role][effect]
            if legal[role][effect] == legal[1 - role].get(effect)
            else every[1 - role]
            for effect, moves in effects[role].items()
            for move in moves
        }
        for role in range(2)
    }
