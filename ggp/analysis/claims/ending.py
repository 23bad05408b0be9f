"""How play ends: form, kinds of outcome, and faults that stop it from ending properly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.evidence import Counterexample, Enumeration, Evidence
from ggp.analysis.finding import Finding, shown
from ggp.analysis.outcomes import (
    LEFT_OVER,
    STUCK,
    goals_of_form,
    goals_of_the_rules,
    kind_of,
    players_goals,
)
from ggp.analysis.positions import Positions
from ggp.machine import NO_GOAL, Space


def playable(positions: Positions) -> Finding:
    """Whether every role has a legal move until the end, and exactly one goal value at the end."""
    space = positions.reachable
    roles = positions.game.roles
    if len(space.stuck):
        place = int(space.stuck[0])
        role = roles[int(np.flatnonzero(space.legal_counts[place] == 0)[0])]
        why = f"{role} has no legal move although the game is not over"
        return _refuted(positions, "playable", space, place, why)
    faulty = space.terminal[:, None] & (space.goals <= NO_GOAL)
    if positions.game.chance is not None:
        faulty[:, positions.game.chance] = False
    places = np.flatnonzero(faulty.any(axis=1))
    if len(places):
        place = int(places[0])
        role_index = int(np.flatnonzero(faulty[place])[0])
        none = space.goals[place, role_index] == NO_GOAL
        why = f"{roles[role_index]} has {'no' if none else 'more than one'} goal value at the end"
        return _refuted(positions, "playable", space, place, why)
    why = "every role can always move, and every end has one goal value for each role"
    return Finding("playable", True, "exhaustive", Enumeration(why, len(space)))


def _refuted(positions: Positions, name: str, space: Space, place: int, why: str) -> Finding:
    return shown(name, False, Counterexample(why, (positions.witness(space, place),)))


NO_END = "no end of play can be reached"


def outcome_kind(positions: Positions) -> Finding:
    """`win-lose`, `win-lose-draw` or `scored`, from the goals of all reachable ends of play; None
    if there are none."""
    space = positions.reachable
    goals = _goals_at_ends(positions)
    if not len(goals):
        return Finding("outcome_kind", None, "exhaustive", Enumeration(NO_END, len(space)))
    if (goals <= NO_GOAL).any():
        return _faulty("outcome_kind")
    goals = np.unique(goals, axis=0)
    kind = kind_of([tuple(row) for row in goals.tolist()], players_goals(positions.game))
    listed = ", ".join("/".join(map(str, row)) for row in goals[:8].tolist())
    more = f" and {len(goals) - 8} more" if len(goals) > 8 else ""
    why = f"goals at the end: {listed}{more}"
    return Finding("outcome_kind", kind, "exhaustive", Enumeration(why, len(space)))


def _goals_at_ends(positions: Positions) -> NDArray[np.int16]:
    """The goals of the roles that are not played by chance, at every reachable end of play."""
    space = positions.reachable
    roles = [i for i in range(len(positions.game.roles)) if i != positions.game.chance]
    return space.goals[np.flatnonzero(space.terminal)][:, roles]


def _faulty(name: str) -> Finding:
    why = "an end of play without exactly one goal for each role"
    return Finding(name, None, "unknown", Evidence(why))


def zero_sum(positions: Positions) -> Finding:
    """Whether the goals of all roles have the same sum at every reachable end of play."""
    space = positions.reachable
    ends = np.flatnonzero(space.terminal)
    goals = _goals_at_ends(positions)
    if not len(ends):
        return Finding("zero_sum", None, "exhaustive", Enumeration(NO_END, len(space)))
    if (goals <= NO_GOAL).any():
        return _faulty("zero_sum")
    sums = goals.sum(axis=1)
    if np.ptp(sums):
        two = (int(ends[sums.argmin()]), int(ends[sums.argmax()]))
        why = f"the goals sum to {sums.min()} at one end and to {sums.max()} at another"
        witnesses = tuple(positions.witness(space, place) for place in two)
        return shown("zero_sum", False, Counterexample(why, witnesses))
    why = f"the goals sum to {sums[0]} at every end"
    return Finding("zero_sum", True, "exhaustive", Enumeration(why, len(space)))


def winnable(positions: Positions) -> Finding:
    """Whether each player reaches their best goal of the rules at some end of play."""
    space, game = positions.reachable, positions.game
    ends = np.flatnonzero(space.terminal)
    witnesses = []
    for role, values in enumerate(goals_of_the_rules(game)):
        if role == game.chance:
            continue
        best = values[-1] if values else None
        won = ends[space.goals[ends, role] == best] if values else ends[:0]
        if not len(won):
            why = f"{game.roles[role]} never reaches {best if values else 'a goal'}"
            return Finding("winnable", False, "exhaustive", Enumeration(why, len(space)))
        nearest = int(won[space.depth[won].argmin()])
        witnesses.append(positions.witness(space, nearest, f"{game.roles[role]} has {best}"))
    why = "each player reaches the best goal of the rules at some end"
    return shown("winnable", True, Counterexample(why, tuple(witnesses)))


def form(positions: Positions) -> Finding:
    """`normal`, `misère` or `other`; needs two roles and a turn marker.

    Normal: play ends exactly where the role to move has no move, which then has its worst goal and
    the other role its best. Misère: the other way round. Other: neither; a state in which play ends
    although there is a move, or is stuck although it is not over, shows it.
    """
    space = positions.reachable
    mover = positions.marked(space)
    places = np.arange(len(space))
    can_move = (mover >= 0) & (space.legal_counts[places, mover] > 0)
    if len(space.stuck):
        witness = positions.witness(space, int(space.stuck[0]))
        return shown("form", "other", Counterexample(STUCK, (witness,)))
    ends = np.flatnonzero(space.terminal)
    if not len(ends):
        return Finding("form", "other", "exhaustive", Enumeration("play never ends", len(space)))
    moves_left = ends[can_move[ends]]
    if len(moves_left):
        witness = positions.witness(space, int(moves_left[0]))
        return shown("form", "other", Counterexample(LEFT_OVER, (witness,)))
    is_whole = (space.goals[ends] > NO_GOAL).all(axis=1)
    is_faulty, ends = not is_whole.all(), ends[is_whole]
    if not len(ends):
        return _faulty("form")
    goals, of_rules = space.goals[ends], goals_of_the_rules(positions.game)
    lost, won = (
        np.select(
            [mover[ends] == role for role in (0, 1)],
            [_has(goals, goals_of_form(of_rules, role, loses=loses)) for role in (0, 1)],
            default=False,
        )
        for loses in (True, False)
    )
    if not (lost.all() or won.all()):
        pair = [int(ends[np.flatnonzero(~kind)[0]]) for kind in (lost, won)]
        notes = ("the role to move has not lost", "the role to move has not won")
        witnesses = tuple(
            positions.witness(space, place, note) for place, note in zip(pair, notes, strict=True)
        )
        why = "who is to move at the end has neither always lost nor always won"
        return shown("form", "other", Counterexample(why, witnesses))
    if is_faulty:
        return _faulty("form")
    name = "normal" if lost.all() else "misère"
    what = "loses" if lost.all() else "wins"
    why = f"the game ends exactly where the role to move has no move, and it {what}"
    return Finding("form", name, "exhaustive", Enumeration(why, len(space)))


def _has(goals: NDArray[np.int16], wanted: tuple[int, ...] | None) -> NDArray[np.bool_]:
    """The rows with some goals; none, if there are none such."""
    if wanted is None:
        return np.zeros(len(goals), dtype=np.bool_)
    return np.asarray((goals == wanted).all(axis=1))
