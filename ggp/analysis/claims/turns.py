"""Whose turn it is: one role, alternating roles, extra turns, or all at once.

Turns alternate if the roles follow each other in one fixed circle: after each role's turn it is
always the same next role's, and all roles are in that circle. All else in which never two roles
have a choice at once is `with extra turns`: a role twice running, or another role next than before.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims.order import out_of_order
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence, Witness
from ggp.analysis.finding import Finding, shown
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs


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


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """That never two roles have a choice at once, and in what order roles have the turn.

    The first by proof; that roles do not follow each other in one circle by random play.
    """
    if is_passed_on(proofs, cheap):
        why = "only the marked role can have a choice, and on no board does it keep the turn"
        return Finding("turns", "alternating", "proved", Evidence(why))
    if cheap or not _is_one_at_once(proofs):
        return None
    found = extra_turn(proofs.samples)
    if found:
        return found
    return _going_round(proofs) if proofs.game.marker else None


def is_passed_on(proofs: Proofs, cheap: bool) -> bool:
    """Whether it is proved, of two roles, that no move leaves the turn with the one that makes
    it."""
    boards = proofs.boards
    if boards is None or len(boards.sides) != 2:
        return False
    conj = boards.builder.conj
    return all(
        proofs.is_impossible([conj(legal, again)], cheap=cheap)
        for legal, again in {(o.legal, o.again) for side in boards.sides for o in side.options}
    )


def _going_round(proofs: Proofs) -> Finding | None:
    """That each role of three or more always hands the turn on to the same one, all in one
    circle."""
    marker, roles = proofs.game.marker, proofs.game.roles
    after = following(proofs.samples)
    if marker is None or len(roles) < 3 or len(after) < len(roles) or proofs.whole is None:
        return None
    if not proofs.whole.hands_on(marker, after, proofs.work):
        return None
    why = "only the marked role can have a choice, and the turn goes round in one fixed order"
    return Finding("turns", "alternating", "proved", Evidence(why))


def _is_one_at_once(proofs: Proofs) -> bool:
    """Whether it is proved that never two roles have a choice at once."""
    if proofs.game.turns:
        return True
    whole = proofs.whole
    return whole is not None and whole.has_one_chooser(proofs.work, proofs.game.chance)


def refute(samples: Sampled) -> Finding | None:
    """A state in which more than one role has a choice, if one was met."""
    choice = (samples.plays.counts[:, samples.game.player_indices] > 1) & ~samples.plays.terminal[
        :, None
    ]
    for i in np.flatnonzero(choice.sum(axis=1) > 1)[:1].tolist():
        evidence = Counterexample("more than one role has a choice", (samples.witness(i),))
        return shown("turns", "simultaneous", evidence)
    return None


def extra_turn(samples: Sampled) -> Finding | None:
    """A role that is to move twice running, or turns that go in no one circle, if they did.

    By the marker; else by choices, where never two roles have one at once.
    """
    if samples.game.turns:
        return _out_of_order(samples)
    choice = (samples.plays.counts > 1) & ~samples.plays.terminal[:, None]
    choice[:, [i for i in range(choice.shape[1]) if i not in samples.game.player_indices]] = False
    before = samples.plays.before
    again = choice & choice[before] & (before >= 0)[:, None]
    for i, role in zip(*map(np.ndarray.tolist, np.nonzero(again)), strict=True):
        why = f"{samples.game.roles[role]} is to move twice running"
        return shown("turns", "with extra turns", Counterexample(why, samples.step_to(i)))
    return None


def _out_of_order(samples: Sampled) -> Finding | None:
    before, roles = samples.plays.before, samples.game.roles
    came = np.flatnonzero(before >= 0)
    mover = samples.marked
    pairs = mover[before[came]].astype(np.int64) * len(roles) + mover[came]
    seen, first = np.unique(pairs, return_index=True)
    steps = [divmod(int(pair), len(roles)) for pair in seen]
    fault = out_of_order(steps, roles)
    if fault is None:
        return None
    states: list[Witness] = []
    for step in fault[1]:
        states += samples.step_to(int(came[first[steps.index(step)]]))
    return shown("turns", "with extra turns", Counterexample(fault[0], tuple(states)))


def following(samples: Sampled) -> dict[int, int]:
    """The role that has the turn after each one's, as far as that was met; by the marker."""
    mover, came = samples.marked, np.flatnonzero(samples.plays.before >= 0)
    pairs = zip(mover[samples.plays.before[came]].tolist(), mover[came].tolist(), strict=True)
    return dict(pairs)


def enumerated(positions: Positions) -> Finding:
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
        why = f"at most one player has a choice, and {game.roles[int(before[edge])]} moves twice"
        witness = positions.witness(space, int(space.source[edge]))
        states = (witness, positions.after(space, witness, edge))
        evidence = Enumeration(f"{why} running", len(space), states=states)
        return Finding("turns", "with extra turns", "exhaustive", evidence)
    missing = [r for i, r in enumerate(game.roles) if i != game.chance and not (mover == i).any()]
    if missing:
        why = f"it is never the turn of {missing[0]}, as far as choices and their effects tell"
        return Finding("turns", None, "unknown", Evidence(why))
    mover = np.where(space.terminal, -1, mover)
    if _has_places(positions, mover):
        why = "at most one player has a choice, and the number of moves made tells which"
        return Finding("turns", "alternating", "exhaustive", Enumeration(why, len(space)))
    why = "at most one player has a choice, and in no circle of turns has each choice its place"
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
    """Whether the number of moves made, modulo that of players, tells who may choose.

    Where nobody ever has a choice again it need not tell anything.
    """
    space, count = positions.reachable, len(positions.game.players)
    place = space.depth % count
    inner = space.leading_to(np.flatnonzero(mover >= 0))[space.target]
    if (place[space.target[inner]] != (place[space.source[inner]] + 1) % count).any():
        return False
    pairs = np.unique(np.stack([place, mover])[:, mover >= 0], axis=1)
    return len(set(pairs[0].tolist())) == len(set(pairs[1].tolist())) == int(pairs.shape[1])


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """Plays in which another role has the turn than would follow; of alternation nothing more than
    the turns of the certificate."""
    if isinstance(finding.evidence, Counterexample):
        yield from known.met_on_the_way(finding)
    elif finding.certainty == "proved" and finding.value == "alternating":
        yield {}
