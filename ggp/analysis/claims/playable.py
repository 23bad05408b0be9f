"""Whether every role can move until the end, where each player has one goal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence
from ggp.analysis.finding import Finding, shown
from ggp.analysis.memo import once
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.analysis.states.whole import Whole
from ggp.machine import NO_GOAL, Space

STUCK = "has no legal move although the game is not over"


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """Every role can move until the end, where each has one goal; or a play shows otherwise."""
    if cheap:
        return None
    if not _is_playable(proofs):
        return _met(proofs.samples)
    why = "in every state each role can move, or the game is over with one goal for each"
    return Finding("playable", True, "proved", Evidence(why))


def prove_early(proofs: Proofs) -> Finding | None:
    """The same from the rules of a state and of the next one alone."""
    return prove(proofs, cheap=False) if _is_playable_at_once(proofs) else None


@once
def _is_playable_at_once(proofs: Proofs) -> bool:
    whole = proofs.whole
    return whole is not None and whole.is_playable(proofs.game.player_indices, proofs.work)


@once
def _is_playable(proofs: Proofs) -> bool:
    whole = proofs.whole
    if whole is None:
        return False
    if _is_playable_at_once(proofs):
        return True
    boards = proofs.boards
    ways = [_with_bounds, _with_sums]
    if boards is not None and len(boards.sides) > 1:
        # Pieces of two players: that captures agree with the board is sooner told than bounds.
        ways.reverse()
    return any(way(proofs, whole) for way in ways) or (
        proofs.samples.fault is None and _is_playable_at_last(proofs, whole)
    )


def _with_bounds(proofs: Proofs, whole: Whole) -> bool:
    return proofs.bounded and whole.is_playable(proofs.game.player_indices, proofs.work)


def _with_sums(proofs: Proofs, whole: Whole) -> bool:
    if proofs.whole_with_sums is None:
        return False
    return whole.is_playable(proofs.game.player_indices, proofs.work)


def _is_playable_at_last(proofs: Proofs, whole: Whole) -> bool:
    """By what takes longest."""
    roles = proofs.game.player_indices
    return (proofs.excluded and whole.is_playable(roles, proofs.work)) or (
        proofs.bounded_at_last and whole.is_playable(roles, proofs.work)
    )


@once
def is_never_stuck_at_once(proofs: Proofs) -> bool:
    """Whether that is proved from the rules of a state and of the next one alone."""
    if _is_playable_at_once(proofs):
        return True
    return proofs.whole is not None and proofs.whole.is_playable((), proofs.work)


@once
def is_never_stuck(proofs: Proofs) -> bool:
    """Whether it is proved that every role can move until the end, whatever its goals there."""
    if is_never_stuck_at_once(proofs) or _is_playable(proofs):
        return True
    return proofs.whole is not None and proofs.whole.is_playable((), proofs.work)


def refute(samples: Sampled) -> Finding | None:
    """A state in which a role cannot move, or an end without one goal for each, if met."""
    view, roles = samples.plays, samples.game.roles
    going = ~view.terminal[:, None]
    faults = (
        (going & (view.counts == 0), STUCK),
        (~going & (view.goals == NO_GOAL), "has no goal value at the end"),
        (~going & (view.goals < NO_GOAL), "has more than one goal value at the end"),
    )
    for number, (faulty, what) in enumerate(faults):
        asked = range(len(roles)) if number == 0 else samples.game.player_indices
        for role in asked:
            for i in np.flatnonzero(faulty[:, role])[:1].tolist():
                evidence = Counterexample(f"{roles[role]} {what}", (samples.witness(i),))
                return shown("playable", False, evidence)
    return None


def _met(samples: Sampled) -> Finding | None:
    """A fault that plays which look for one met."""
    if samples.fault is None:
        return None
    fault, witness = samples.fault
    if fault.stuck is not None:
        why = f"{samples.game.roles[fault.stuck]} {STUCK}"
    else:
        why = "play is over, and some player has not just one goal value"
    return shown("playable", False, Counterexample(why, (witness,)))


def enumerated(positions: Positions) -> Finding:
    """Whether every role has a legal move until the end, and exactly one goal value at the end."""
    space = positions.reachable
    roles = positions.game.roles
    if len(space.stuck):
        place = int(space.stuck[0])
        role = roles[int(np.flatnonzero(space.legal_counts[place] == 0)[0])]
        why = f"{role} {STUCK}"
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


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """A play to a state with a fault; else nothing, the checker asks by itself."""
    if isinstance(finding.evidence, Counterexample):
        yield from known.witnessed(finding)
    elif finding.certainty == "proved":
        yield {}
