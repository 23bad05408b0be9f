"""All claims, and of which games each is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims import (
    all_small,
    cyclic,
    form,
    impartial,
    outcome_kind,
    passes,
    playable,
    terminating,
    turns,
    winnable,
    zero_sum,
)
from ggp.analysis.finding import Finding
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs


class OfProperty(Protocol):
    """A module of a claim."""

    def prove(self, proofs: Proofs, cheap: bool) -> Finding | None:
        """By proof for every state; `cheap`: without a solver."""

    def refute(self, samples: Sampled) -> Finding | None:
        """By random play."""

    def enumerated(self, positions: Positions) -> Finding:
        """From all positions."""

    def certify(self, finding: Finding, known: Certifying) -> Iterable[Shown]:
        """What a certificate has of it besides its value; none where it cannot be checked."""


@dataclass(frozen=True)
class Claim:
    """A finding that may be proved for every state, refuted by random play, or enumerated, by the
    functions of its module."""

    name: str
    by: OfProperty
    prove_early: Callable[[Proofs], Finding | None] = lambda proofs: None
    """A proof without what may take most of the time: sums, and states that no play reaches."""
    is_of_play: bool = True
    """Whether it is about positions of legal play alone, not about giving the turn away."""
    is_of_turns: bool = False
    """Whether it rests on whose turn it is."""


TURNS = Claim("turns", turns, is_of_turns=True)

CYCLIC = Claim("cyclic", cyclic, cyclic.prove_early)

TERMINATING = Claim("terminating", terminating, terminating.prove_early)

PLAYABLE = Claim("playable", playable, playable.prove_early)

OF_GOALS = (Claim("outcome_kind", outcome_kind), Claim("winnable", winnable))
"""Asked of games that are not played by chance alone."""

OF_PLAYERS = (Claim("zero_sum", zero_sum),)
"""Asked where there is more than one player."""

OF_TURNS = (
    Claim("passes", passes, is_of_play=False, is_of_turns=True),
    Claim("form", form, is_of_turns=True),
)
"""Asked of two roles that take turns."""

OF_SIDES = (
    Claim("impartial", impartial, is_of_play=False, is_of_turns=True),
    Claim("all_small", all_small, is_of_play=False, is_of_turns=True),
)
"""Asked where the turn can be given to the other role as well."""

CLAIMS = {
    claim.name: claim
    for claim in (
        *(TURNS, CYCLIC, TERMINATING, PLAYABLE),
        *(*OF_GOALS, *OF_PLAYERS, *OF_TURNS, *OF_SIDES),
    )
}
"""All of them by name."""
