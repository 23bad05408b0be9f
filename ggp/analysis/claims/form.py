"""The form of play: whether it ends just where the role to move cannot move, and who wins then."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.boards.boards import Boards, Side
from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims import cyclic
from ggp.analysis.claims.goals import faulty
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence, Witness
from ggp.analysis.finding import Finding, shown
from ggp.analysis.outcomes import LEFT_OVER, STUCK, goals_of_form, goals_of_the_rules
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.machine import NO_GOAL


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """`normal` or `misère`, where some play ends.

    One was seen to end, or play is acyclic: then it ends where the role to move has no move.
    """
    goals = goals_of_the_rules(proofs.game)
    if not _ends(proofs, cheap):
        return None
    for name in ("normal", "misère"):
        if _has_form(proofs, cheap, goals, loses=name == "normal"):
            why = f"on every board {_what(name, goals)}"
            return Finding("form", name, "proved", Evidence(why))
    return None


def _what(name: str, goals: list[tuple[int, ...]]) -> str:
    """What a form means, where roles have such goals. Who has its worst goal need not have less
    than the other."""
    rows = [(role, goals_of_form(goals, role, loses=True)) for role in (0, 1)]
    # Without such goals there is no such end.
    is_less = all(row is None or row[role] < row[1 - role] for role, row in rows)
    told = "loses" if name == "normal" else "wins"
    if not is_less:
        told = f"has its {'worst' if name == 'normal' else 'best'} goal"
    return f"the game ends exactly where the role to move has no move, and it {told}"


def _ends(proofs: Proofs, cheap: bool) -> bool:
    """Whether some play ends; what is cheap to prove is looked at before plays are made."""
    if cyclic.prove(proofs, cheap=True):
        return True
    return not cheap and (proofs.samples.met_an_end or bool(cyclic.prove(proofs, cheap=False)))


def _has_form(proofs: Proofs, cheap: bool, goals: list[tuple[int, ...]], *, loses: bool) -> bool:
    boards, turns = proofs.boards, proofs.game.turns
    if boards is not None:
        claims = (
            claim
            for role, side in enumerate(boards.sides)
            for claim in _faults(proofs, boards, role, side, loses=loses)
        )
        return all(proofs.is_impossible([claim], cheap=cheap) for claim in claims)
    if cheap or turns is None or proofs.whole is None:
        return False
    return proofs.whole.has_form(turns, goals, proofs.work, loses=loses)


def _faults(proofs: Proofs, boards: Boards, role: int, side: Side, *, loses: bool) -> Iterator[int]:
    """Literals of boards on which play does not end as it should, with `role` to move."""
    builder = boards.builder
    yield builder.xor(side.terminal, side.can_move ^ 1)
    wanted = goals_of_form(goals_of_the_rules(proofs.game), role, loses=loses)
    if wanted is None:
        yield side.terminal
        return
    for other, known in enumerate(side.goals):
        if wanted[other] not in [value for value, _ in known]:
            yield side.terminal
        for value, holds in known:
            yield builder.conj(side.terminal, holds ^ (value == wanted[other]))


def refute(samples: Sampled) -> Finding | None:
    """Two ends that are of no one form, an end at which moves are left, or a state in which
    play is stuck, if they were met."""
    view = samples.plays
    for i in np.flatnonzero(~view.terminal & (view.counts == 0).any(axis=1))[:1].tolist():
        return shown("form", "other", Counterexample(STUCK, (samples.witness(i),)))
    of_rules = goals_of_the_rules(samples.game)
    lost: list[Witness] = []
    won: list[Witness] = []
    for i in np.flatnonzero(view.terminal).tolist():
        mover = int(samples.marked[i])
        goals = view.goals[i].tolist()
        if mover < 0:
            continue
        if view.counts[i, mover]:
            return shown("form", "other", Counterexample(LEFT_OVER, (samples.witness(i),)))
        if min(goals) <= NO_GOAL:
            continue
        if not lost and tuple(goals) != goals_of_form(of_rules, mover, loses=True):
            lost.append(samples.witness(i, "the role to move has not lost"))
        if not won and tuple(goals) != goals_of_form(of_rules, mover, loses=False):
            won.append(samples.witness(i, "the role to move has not won"))
    if not lost or not won:
        return None
    why = "who is to move at the end has neither always lost nor always won"
    return shown("form", "other", Counterexample(why, (lost[0], won[0])))


def enumerated(positions: Positions) -> Finding:
    """`normal`, `misère` or `other`; needs two roles and a turn marker.

    Normal: play ends exactly where the role to move has no move, which then has its worst goal and
    the other role its best. Misère: the other way round. Other: neither; a state in which play ends
    although there is a move, or is stuck although it is not over, shows it.
    """
    space = positions.reachable
    mover = positions.marked(space)
    places = np.arange(len(space))
    can_move = (mover >= 0) & (space.legal_counts[places, mover] > 0)
    if len(space.stuck):
        witness = positions.witness(space, int(space.stuck[0]))
        return shown("form", "other", Counterexample(STUCK, (witness,)))
    ends = np.flatnonzero(space.terminal)
    if not len(ends):
        return Finding("form", "other", "exhaustive", Enumeration("play never ends", len(space)))
    moves_left = ends[can_move[ends]]
    if len(moves_left):
        witness = positions.witness(space, int(moves_left[0]))
        return shown("form", "other", Counterexample(LEFT_OVER, (witness,)))
    is_whole = (space.goals[ends] > NO_GOAL).all(axis=1)
    is_faulty, ends = not is_whole.all(), ends[is_whole]
    if not len(ends):
        return faulty("form")
    goals, of_rules = space.goals[ends], goals_of_the_rules(positions.game)
    lost, won = (
        np.select(
            [mover[ends] == role for role in (0, 1)],
            [_has(goals, goals_of_form(of_rules, role, loses=loses)) for role in (0, 1)],
            default=False,
        )
        for loses in (True, False)
    )
    if not (lost.all() or won.all()):
        pair = [int(ends[np.flatnonzero(~kind)[0]]) for kind in (lost, won)]
        notes = ("the role to move has not lost", "the role to move has not won")
        witnesses = tuple(
            positions.witness(space, place, note) for place, note in zip(pair, notes, strict=True)
        )
        why = "who is to move at the end has neither always lost nor always won"
        return shown("form", "other", Counterexample(why, witnesses))
    if is_faulty:
        return faulty("form")
    name = "normal" if lost.all() else "misère"
    return Finding("form", name, "exhaustive", Enumeration(_what(name, of_rules), len(space)))


def _has(goals: NDArray[np.int16], wanted: tuple[int, ...] | None) -> NDArray[np.bool_]:
    """The rows with some goals; none, if there are none such."""
    if wanted is None:
        return np.zeros(len(goals), dtype=np.bool_)
    return np.asarray((goals == wanted).all(axis=1))


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """A play to an end of another form, or that some play ends; the rest the checker asks."""
    if isinstance(finding.evidence, Counterexample):
        yield from known.witnessed(finding)
    elif finding.certainty == "proved":
        yield {"ends": known.ends()}
