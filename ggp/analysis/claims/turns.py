"""Whose turn it is: one role, alternating roles, extra turns, or all at once.

Turns alternate if the roles follow each other in one fixed circle: after each role's turn it is
always the same next role's, and all roles are in that circle. All else in which never two roles
have a choice at once is `with extra turns`: a role twice running, or another role next than before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.claims.order import out_of_order
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence
from ggp.analysis.finding import Finding, shown
from ggp.analysis.positions import Positions


def by_marker(positions: Positions) -> Finding | None:
    """`single-player`, or `alternating` by a marker whose next value does not depend on moves."""
    game = positions.game
    if len(game.players) == 1:
        why = "there is one role" + (" besides chance" if game.chance is not None else "")
        return Finding("turns", "single-player", "proved", Evidence(why))
    if game.turns is None or not game.turns.alternating:
        return None
    if game.marker and len(game.marker.settings) == len(game.roles):
        shown = ", ".join(_marker_text(positions))
        why = f"exactly one of {shown} holds, and only that role can have a choice"
    else:
        count = len(game.turns.settings)
        why = f"fluents that go through {count} settings by themselves tell whose turn it is"
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
        return shown("turns", "simultaneous", Counterexample(why, (witness,)))
    return _by_marker_in_play(positions) if game.turns else _by_choices(positions, choice)


def _marker_text(positions: Positions) -> list[str]:
    fluents = positions.game.net.fluents
    texts = []
    for role, bits in zip(positions.game.roles, positions.require_marker().bits, strict=True):
        held = " ".join(str(f) for i, f in enumerate(fluents) if bits >> i & 1)
        texts.append(f"{held or 'its absence'} for {role}")
    return texts


def _by_marker_in_play(positions: Positions) -> Finding:
    """Whether the marker goes round all roles in one circle, at every position."""
    space, roles = positions.reachable, positions.game.roles
    mover = positions.marked(space)
    pairs = mover[space.source].astype(np.int64) * len(roles) + mover[space.target]
    seen, first = np.unique(pairs, return_index=True)
    steps = [divmod(int(pair), len(roles)) for pair in seen]
    fault = out_of_order(steps, roles)
    if fault is None:
        why = "the turn goes round all roles in one fixed order"
        return Finding("turns", "alternating", "exhaustive", Enumeration(why, len(space)))
    why, steps_of_it = fault
    witnesses = []
    for step in steps_of_it:
        edge = int(first[steps.index(step)])
        before = positions.witness(space, int(space.source[edge]))
        witnesses += [before, positions.after(space, before, edge)]
    return shown("turns", "with extra turns", Counterexample(why, tuple(witnesses)))


def _by_choices(positions: Positions, choice: NDArray[np.bool_]) -> Finding:
    """Without a marker: alternating if every position has a place in one circle of turns, and each
    role has a choice in places of its own only.

    Where nobody has a choice it is the turn of the one role whose move does anything, if there is
    just one.
    """
    space, game = positions.reachable, positions.game
    mover = np.where(choice.any(axis=1), choice.argmax(axis=1), _acting(positions))
    before, after = mover[space.source], mover[space.target]
    again = np.flatnonzero((before >= 0) & (before == after) & ~space.terminal[space.target])
    if len(again):
        edge = int(again[0])
        why = f"at most one role has a choice, and {game.roles[int(before[edge])]} moves twice"
        witness = positions.witness(space, int(space.source[edge]))
        states = (witness, positions.after(space, witness, edge))
        evidence = Enumeration(f"{why} running", len(space), states=states)
        return Finding("turns", "with extra turns", "exhaustive", evidence)
    missing = [r for i, r in enumerate(game.roles) if i != game.chance and not (mover == i).any()]
    if missing:
        why = f"it is never the turn of {missing[0]}, as far as choices and their effects tell"
        return Finding("turns", None, "unknown", Evidence(why))
    if _has_places(positions, mover):
        why = "at most one role has a choice, and the number of moves made tells which"
        return Finding("turns", "alternating", "exhaustive", Enumeration(why, len(space)))
    why = "at most one role has a choice, and in no circle of turns has each choice its place"
    return Finding("turns", "with extra turns", "exhaustive", Enumeration(why, len(space)))


def _acting(positions: Positions) -> NDArray[np.int64]:
    """For each position the one role with a move that the next state depends on, else -1."""
    space, game, net = positions.reachable, positions.game, positions.game.net
    moves = range(net.first_move, net.first_gate)
    acting = {node - net.first_move for node in net.cone(net.next) if node in moves}
    does = np.array([i in acting for i in range(len(net.legal))], dtype=np.bool_)
    acts = np.zeros((len(space), len(game.roles)), dtype=np.bool_)
    for role in range(len(game.roles)):
        if role != game.chance:
            acts[space.source, role] |= does[space.joint[:, role]]
    return np.where(acts.sum(axis=1) == 1, acts.argmax(axis=1), -1)


def _has_places(positions: Positions, mover: NDArray[np.int64]) -> bool:
    """Whether the number of moves made, modulo that of players, tells who may choose."""
    space, count = positions.reachable, len(positions.game.players)
    place = space.depth % count
    inner = ~space.terminal[space.target]
    if (place[space.target[inner]] != (place[space.source[inner]] + 1) % count).any():
        return False
    pairs = np.unique(np.stack([place, mover])[:, (mover >= 0) & ~space.terminal], axis=1)
    return len(set(pairs[0].tolist())) == len(set(pairs[1].tolist())) == int(pairs.shape[1])
