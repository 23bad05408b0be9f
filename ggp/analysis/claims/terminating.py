"""Whether from every state of play some play ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims import cyclic, playable
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence
from ggp.analysis.finding import Finding, shown
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """From every state some play ends: it cannot go on for ever, nor get stuck."""
    if cheap or not cyclic.prove(proofs, cheap) or not playable.is_never_stuck(proofs):
        return None
    return _found()


def prove_early(proofs: Proofs) -> Finding | None:
    """The same from the rules of a state and of the next one alone."""
    if not cyclic.prove_early(proofs) or not playable.is_never_stuck_at_once(proofs):
        return None
    return _found()


def _found() -> Finding:
    why = "no state comes up twice, and in every state play goes on or is over"
    return Finding("terminating", True, "proved", Evidence(why))


def refute(samples: Sampled) -> Finding | None:
    """A state in which play is stuck, if one was met."""
    view = samples.plays
    stuck = ~view.terminal & (view.counts == 0).any(axis=1)
    for i in np.flatnonzero(stuck)[:1].tolist():
        why = "from this state no play ends: a role has no legal move"
        evidence = Counterexample(why, (samples.witness(i),))
        return shown("terminating", False, evidence)
    return None


def enumerated(positions: Positions) -> Finding:
    """Whether from every reachable state some play ends."""
    space = positions.reachable
    ends = space.leading_to(np.flatnonzero(space.terminal))
    if ends.all():
        why = "from every state some play ends"
        return Finding("terminating", True, "exhaustive", Enumeration(why, len(space)))
    lost = np.flatnonzero(~ends)
    witness = positions.witness(space, int(lost[space.depth[lost].argmin()]))
    why = "from this state no play ends"
    return shown("terminating", False, Counterexample(why, (witness,)))


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """The ranking by which play is acyclic; that it is never stuck the checker asks by itself."""
    ends = known.ends() if finding.certainty == "proved" and finding.value else {}
    if "weights" in ends:
        yield ends
