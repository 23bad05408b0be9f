"""What the goals at the ends of play may be: what claims about outcomes stand on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.claims import playable
from ggp.analysis.evidence import Evidence
from ggp.analysis.finding import Finding
from ggp.analysis.memo import once
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs

NO_END = "no end of play can be reached"


def possible_goals(proofs: Proofs, cheap: bool) -> Iterator[set[tuple[int, ...]]]:
    """What may be the goals at the end of play, by itself and under sums that never change.

    Of games of which some play was seen to end.
    """
    if not cheap and proofs.samples.met_an_end:
        for find in (_by_itself, _with_sums):
            possible = find(proofs)
            if possible:
                yield possible


@once
def _by_itself(proofs: Proofs) -> set[tuple[int, ...]] | None:
    """What may be the goals at the end of play; None where that is not known."""
    if proofs.whole is None or playable.prove(proofs, cheap=False) is None:
        return None
    return proofs.whole.possible_goals(proofs.game.player_indices, proofs.work)


@once
def _with_sums(proofs: Proofs) -> set[tuple[int, ...]] | None:
    """The same under sums that never change."""
    whole = _by_itself(proofs) and proofs.whole_with_sums
    return whole.possible_goals(proofs.game.player_indices, proofs.work) if whole else None


def at_ends(positions: Positions) -> NDArray[np.int16]:
    """The goals of the roles that are not played by chance, at every reachable end of play."""
    space = positions.reachable
    return space.goals[np.flatnonzero(space.terminal)][:, positions.game.player_indices]


def faulty(name: str) -> Finding:
    """That an end without one goal for each role leaves a question without an answer."""
    why = "an end of play without exactly one goal for each role"
    return Finding(name, None, "unknown", Evidence(why))
