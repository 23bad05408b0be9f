"""All claims, and of which games each is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Claim:
    """A finding that may be proved for every state, refuted by random play, or enumerated.

    `certify`: what a certificate has of it besides its value; none where it cannot be checked.
    """

    name: str
    prove: Callable[[Proofs, bool], Finding | None]
    refute: Callable[[Sampled], Finding | None]
    enumerate: Callable[[Positions], Finding]
    certify: Callable[[Finding, Certifying], Iterable[Shown]]
    prove_early: Callable[[Proofs], Finding | None] = lambda proofs: None
    """Likewise, without what may take most of the time: sums, and states that no play reaches."""
    is_of_play: bool = True
    """Whether it is about positions of legal play alone, not about giving the turn away."""
    is_of_turns: bool = False
    """Whether it rests on whose turn it is."""


TURNS = Claim("turns", turns.prove, turns.refute, turns.enumerated, turns.certify, is_of_turns=True)

CYCLIC = Claim(
    "cyclic",
    cyclic.prove,
    cyclic.refute,
    cyclic.enumerated,
    cyclic.certify,
    cyclic.prove_early,
)

TERMINATING = Claim(
    "terminating",
    terminating.prove,
    terminating.refute,
    terminating.enumerated,
    terminating.certify,
    terminating.prove_early,
)

PLAYABLE = Claim(
    "playable",
    playable.prove,
    playable.refute,
    playable.enumerated,
    playable.certify,
    playable.prove_early,
)

OF_GOALS = (
    Claim(
        "outcome_kind",
        outcome_kind.prove,
        outcome_kind.refute,
        outcome_kind.enumerated,
        outcome_kind.certify,
    ),
    Claim("winnable", winnable.prove, winnable.refute, winnable.enumerated, winnable.certify),
)
"""Asked of games that are not played by chance alone."""

OF_PLAYERS = (
    Claim("zero_sum", zero_sum.prove, zero_sum.refute, zero_sum.enumerated, zero_sum.certify),
)
"""Asked where there is more than one player."""

OF_TURNS = (
    Claim(
        "passes",
        passes.prove,
        passes.refute,
        passes.enumerated,
        passes.certify,
        is_of_play=False,
        is_of_turns=True,
    ),
    Claim("form", form.prove, form.refute, form.enumerated, form.certify, is_of_turns=True),
)
"""Asked of two roles that take turns."""

OF_SIDES = (
    Claim(
        "impartial",
        impartial.prove,
        impartial.refute,
        impartial.enumerated,
        impartial.certify,
        is_of_play=False,
        is_of_turns=True,
    ),
    Claim(
        "all_small",
        all_small.prove,
        all_small.refute,
        all_small.enumerated,
        all_small.certify,
        is_of_play=False,
        is_of_turns=True,
    ),
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
