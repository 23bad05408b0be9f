"""What each move of a position is worth: exact where it is known, else an estimate."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

from ggp.errors import GgpError
from ggp.game import State
from ggp.kif import Term
from ggp.play.flat import FlatPlayer
from ggp.play.search_player import SearchPlayer
from ggp.play.worth import worth, worths_at_once
from ggp.solver import SimultaneousSolution

ASKING = 0.2
"""Seconds for each question about a solution."""


@dataclass(frozen=True)
class Worth:
    """A move, and the goal of its role that comes of it; None where nothing is known. `exact`: it
    is known, and no estimate."""

    move: Term
    value: float | None
    exact: bool


@dataclass(frozen=True)
class Advice:
    """The move to make, why in a few words, and what every move is worth, the best first."""

    best: Term
    why: str
    moves: tuple[Worth, ...]


def advice(player: SearchPlayer, state: State, seconds: float) -> Advice:
    """What a player says of the moves of its role, which has one, after about `seconds`.

    Raises what the player's `progress` raises.
    """
    if not player.game.is_ground or player.game.has_percepts:
        return _sampled(player, state, seconds)
    *_, last = player.suggestions(state, seconds)
    found = _exact(player, state, seconds) or _searched(player, state)
    found.sort(key=lambda w: (w.value is None, -(w.value or 0), w.move != last.move, w.move))
    return Advice(last.move, last.why, tuple(found))


def _exact(player: SearchPlayer, state: State, seconds: float) -> list[Worth]:
    """The values of moves by the solution; none where it does not know this state."""
    solution, until = player.solution, time.monotonic() + seconds
    if solution is None:
        return []
    solution.limit(ASKING)
    with suppress(GgpError):
        if isinstance(solution, SimultaneousSolution):
            known = worths_at_once(solution, state, player.role, player.heed)
            return [Worth(m, known.get(m), m in known) for m in state.legal(player.role) if known]
        if solution.mover(state) != player.role or solution.worth(state) is None:
            return []
        found = []
        for move in state.legal(player.role):
            player.heed()
            value = None
            if time.monotonic() < until:
                with suppress(GgpError):
                    value = worth(solution, state, player.role, move)
            found.append(Worth(move, value, value is not None))
        return found
    return []


def _searched(player: SearchPlayer, state: State) -> list[Worth]:
    """What the search expects of each move."""
    search = player.search_of(state)
    if search is None:
        return []
    name = player.game.evaluator.move
    is_proved = not (search.is_by_belief or search.has_gaps)
    return [
        Worth(
            name(player.index, report.move),
            report.value if report.tried or report.low == report.high else None,
            is_proved and report.low == report.high,
        )
        for report in search.reports()
    ]


def _sampled(player: SearchPlayer, state: State, seconds: float) -> Advice:
    """The mean goal of each move over random plays."""
    legal = state.legal(player.role)
    flat = FlatPlayer(player.game, player.role, progress=player.progress)
    total, count = [0.0] * len(legal), 0
    for goals, width in flat.rounds(state, time.monotonic() + seconds):
        total = [a + b for a, b in zip(total, goals.tolist(), strict=True)]
        count += width
    if not count:
        return Advice(legal[0], "there was no time for one play of each move", ())
    found = [Worth(move, t / count, False) for move, t in zip(legal, total, strict=True)]
    found.sort(key=lambda w: (-(w.value or 0), w.move))
    return Advice(found[0].move, f"{count:,} random plays of each move", tuple(found))
