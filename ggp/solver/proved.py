"""Sums of heaps that proofs alone show to have nim-values, or a misère quotient."""

from __future__ import annotations

from ggp.analysis import Findings, Positions
from ggp.analysis.claims import form, heaps, impartial, turns
from ggp.analysis.heaps.heap import heap_candidates
from ggp.analysis.heaps.independence import is_no_sum
from ggp.errors import LimitReached
from ggp.game import Game
from ggp.limits import Budget
from ggp.solver.impartial import under


def proved_heaps(game: Game, budget: Budget) -> Findings | None:
    """What tells that a game has nim-values and is a sum of heaps, if proofs alone do."""
    if not heap_candidates(game.net) or game.marker is None or is_no_sum(game):
        return None
    context = Positions(game, budget)
    try:
        found = heaps.proved(context.proofs)
        if not found:
            return None
        items = (
            turns.by_marker(context),
            form.prove(context.proofs, cheap=False),
            impartial.prove(context.proofs, cheap=False),
        )
    except LimitReached:
        return None
    return Findings(game.name, game.roles, tuple(f for f in items if f), found)


def play_of(findings: Findings, *, misere: bool) -> str | None:
    """`normal` or `misère` play of a game that is known to be impartial and taken strictly by
    turns; None of others."""
    wanted = {"impartial": True, "turns": "alternating"}
    if any(findings.value(name) != value for name, value in wanted.items()):
        return None
    return under(findings.value("form"), misere=misere)
