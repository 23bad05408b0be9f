"""Whose turn it is: one role, alternating roles, extra turns, or all at once."""

from __future__ import annotations

import numpy as np

from ggp.analyse.evidence import Counterexample, Enumeration, Evidence
from ggp.analyse.finding import Finding
from ggp.analyse.positions import Positions


def turns(positions: Positions) -> Finding:
    """`single-player`, `alternating`, `with extra turns` or `simultaneous`, chance apart.

    Proved where a turn marker is proved and its next value does not depend on the moves; else by
    enumeration, which may raise `LimitReached`.
    """
    game = positions.game
    if len(game.players) == 1:
        why = "there is one role" + (" besides chance" if game.chance is not None else "")
        return Finding("turns", "single-player", "proved", Evidence(why))
    marker = game.marker
    if marker and marker.alternating:
        shown = ", ".join(_marker_text(positions))
        why = f"exactly one of {shown} holds, and only that role can have a choice"
        return Finding("turns", "alternating", "proved", Evidence(why))
    if game.is_ground and not positions.are_few:
        found = _without_enumeration(positions)
        if found:
            return found
    space = positions.reachable
    choice = (space.legal_counts > 1) & ~space.terminal[:, None]
    if game.chance is not None:
        choice[:, game.chance] = False
    both = np.flatnonzero(choice.sum(axis=1) > 1)
    if len(both):
        why = "more than one role has a choice"
        witness = positions.witness(space, int(both[0]))
        return Finding("turns", "simultaneous", "exhaustive", Counterexample(why, (witness,)))
    return _order_of_turns(positions, choice)


def _without_enumeration(positions: Positions) -> Finding | None:
    """By random play, and a proof that never two roles have a choice at once."""
    samples = positions.samples
    found = samples.simultaneous()
    if found or positions.symbolic.simultaneous() is None:
        return found
    found = samples.extra_turn()
    if found is None and positions.game.marker is None and positions.symbolic.never_twice():
        why = "at most one role has a choice, and never the same twice running"
        return Finding("turns", "alternating", "proved", Evidence(why))
    return found


def _marker_text(positions: Positions) -> list[str]:
    fluents = positions.game.net.fluents
    texts = []
    for role, bits in zip(positions.game.roles, positions.require_marker().bits, strict=True):
        held = " ".join(str(f) for i, f in enumerate(fluents) if bits >> i & 1)
        texts.append(f"{held or 'its absence'} for {role}")
    return texts


def _order_of_turns(positions: Positions, choice: np.ndarray) -> Finding:
    """Alternating unless some role has a choice twice running, or turns go in another order."""
    space = positions.reachable
    if positions.game.marker:
        mover = positions.marked(space)
    else:
        mover = np.where(choice.any(axis=1), choice.argmax(axis=1), -1)
    before, after = mover[space.source], mover[space.target]
    again = np.flatnonzero((before >= 0) & (before == after))
    if len(again):
        edge = int(again[0])
        why = f"{positions.game.roles[int(before[edge])]} is to move twice running"
        witness = positions.witness(space, int(space.source[edge]))
        evidence = Counterexample(why, (witness, positions.after(space, witness, edge)))
        return Finding("turns", "with extra turns", "exhaustive", evidence)
    why = "at most one role has a choice, and never the same twice running"
    return Finding("turns", "alternating", "exhaustive", Enumeration(why, len(space)))
