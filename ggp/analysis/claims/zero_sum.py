"""Whether the goals have one sum at all ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims.goals import NO_END, at_ends, faulty, possible_goals
from ggp.analysis.evidence import Counterexample, Enumeration, Goals
from ggp.analysis.finding import Finding, shown
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.machine import NO_GOAL


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """At every end the goals have the same sum."""
    for possible in possible_goals(proofs, cheap):
        if len({sum(goals) for goals in possible}) == 1:
            why = f"the goals sum to {sum(next(iter(possible)))} at every end"
            return Finding("zero_sum", True, "proved", Goals(why, tuple(sorted(possible))))
    return None


def refute(samples: Sampled) -> Finding | None:
    """Two ends at which the goals have other sums, if they were met."""
    goals = samples.plays.goals[:, samples.game.player_indices]
    ends = np.flatnonzero(samples.plays.terminal & (goals > NO_GOAL).all(axis=1))
    sums = goals[ends].sum(axis=1)
    if not len(ends) or not np.ptp(sums):
        return None
    why = f"the goals sum to {sums.min()} at one end and to {sums.max()} at another"
    two = (int(ends[sums.argmin()]), int(ends[sums.argmax()]))
    return shown("zero_sum", False, Counterexample(why, tuple(map(samples.witness, two))))


def enumerated(positions: Positions) -> Finding:
    """Whether the goals of all roles have the same sum at every reachable end of play."""
    space = positions.reachable
    ends = np.flatnonzero(space.terminal)
    goals = at_ends(positions)
    if not len(ends):
        return Finding("zero_sum", None, "exhaustive", Enumeration(NO_END, len(space)))
    if (goals <= NO_GOAL).any():
        return faulty("zero_sum")
    sums = goals.sum(axis=1)
    if np.ptp(sums):
        two = (int(ends[sums.argmin()]), int(ends[sums.argmax()]))
        why = f"the goals sum to {sums.min()} at one end and to {sums.max()} at another"
        witnesses = tuple(positions.witness(space, place) for place in two)
        return shown("zero_sum", False, Counterexample(why, witnesses))
    why = f"the goals sum to {sums[0]} at every end"
    return Finding("zero_sum", True, "exhaustive", Enumeration(why, len(space)))


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """Plays to two ends, or the goals at the ends."""
    if not isinstance(finding.evidence, Goals):
        yield from known.witnessed(finding)
    elif finding.certainty == "proved" and finding.value:
        yield known.goals(finding.evidence)
