"""Whose turn it is: one role, alternating roles, extra turns, or all at once."""

from __future__ import annotations

import numpy as np

from ggp.analyse.evidence import Counterexample, Enumeration, Evidence
from ggp.analyse.finding import Finding
from ggp.analyse.positions import Positions


def by_marker(positions: Positions) -> Finding | None:
    """`single-player`, or `alternating` by a marker whose next value does not depend on moves."""
    game = positions.game
    if len(game.players) == 1:
        why = "there is one role" + (" besides chance" if game.chance is not None else "")
        return Finding("turns", "single-player", "proved", Evidence(why))
    if game.marker is None or not game.marker.alternating:
        return None
    shown = ", ".join(_marker_text(positions))
    why = f"exactly one of {shown} holds, and only that role can have a choice"
    return Finding("turns", "alternating", "proved", Evidence(why))


def turns(positions: Positions) -> Finding:
    """`alternating`, `with extra turns` or `simultaneous`, chance apart, by enumeration."""
    game = positions.game
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
