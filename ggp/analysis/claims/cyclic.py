"""Whether some state can come up twice in a play."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.boards.boards import Circuits
from ggp.analysis.boards.parts import falling
from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims.length import longest_from
from ggp.analysis.evidence import Enumeration, Ranking, Witness, loop_through
from ggp.analysis.finding import Finding, shown
from ggp.analysis.memo import once
from ggp.analysis.plays.plays import MAX_GATES, way_back
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.analysis.questions.question import Question
from ggp.analysis.states.moves import MAX_MOVES, JointMoves, literals_of_moves
from ggp.analysis.states.whole import MAX_STEP, Whole
from ggp.circuits.circuit import FALSE
from ggp.limits import time_left
from ggp.machine import Space

MAX_TERMS = 2_000_000
"""Changes of all moves together up to which weights of single fluents are looked for."""

ROUNDS = 30
"""Candidates and their counterexamples before sums that never change are asked for: where there are
weights without these, mostly few moves are left to be found out."""

WALKS, WALK = 512, 6
"""Short plays from a state that look for a way back to it, and their moves."""


MAX_SOUGHT = 10_000
"""Positions that are looked at for a shorter cycle than the first one found."""


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """No state comes up twice, by weights whose sum falls."""
    found = _falling(proofs)
    return found if found or cheap else _weighted(proofs)


def prove_early(proofs: Proofs) -> Finding | None:
    """The same from the rules of a state and of the next one alone."""
    return _falling(proofs) or _weighted_soon(proofs)


def on_boards(proofs: Proofs) -> bool:
    """Whether no board comes up twice, whoever moves when, by proof: a sum falls with every move of
    either role."""
    for find in (_falling, _falling_on_boards):
        found = find(proofs)
        everybody = (None, tuple(proofs.game.roles))
        ranking = found.evidence if found else None
        if isinstance(ranking, Ranking) and ranking.strict in everybody:
            return True
    return False


@once
def _falling(proofs: Proofs) -> Finding | None:
    """By a step counter, or by parts that never come round again."""
    for counter in proofs.counters:
        return Finding("cyclic", False, "proved", _ranked(proofs, counter.weights))
    if proofs.boards is None:
        return None
    for strict in _orders(proofs):
        falls = falling(proofs.parts, proofs.split, strict)
        if falls is not None:
            return Finding("cyclic", False, "proved", _ranked(proofs, falls, strict))
    return None


def _orders(proofs: Proofs) -> list[tuple[int, ...]]:
    """Roles whose moves may be those that lower a sum which nobody raises."""
    assert proofs.boards is not None
    everybody = tuple(range(len(proofs.boards.sides)))
    if proofs.boards.marker.alternating and len(everybody) > 1:
        return [everybody, *((role,) for role in everybody)]
    return [everybody]


def _weighted_at_once(proofs: Proofs, rounds: float) -> Finding | None:
    """By weights of single fluents, from linear programs in so many rounds."""
    return (
        _falling_on_boards(proofs, rounds)
        or _falling_but_for_passes(proofs, rounds)
        or _falling_in_play(proofs, proofs.whole, rounds)
        or _falling_with_moves(proofs, rounds)
    )


@once
def _weighted_soon(proofs: Proofs) -> Finding | None:
    """The same where moves that were met leave little to be found out."""
    return _weighted_at_once(proofs, ROUNDS)


@once
def _weighted(proofs: Proofs) -> Finding | None:
    """Likewise, with sums that never change, and without states that no play reaches."""
    return (
        _weighted_soon(proofs)
        or _falling_in_play(proofs, proofs.whole_with_sums)
        or (_falling_in_play(proofs, proofs.whole) if proofs.all_excluded else None)
        or _weighted_at_once(proofs, inf)
    )


def _falling_on_boards(proofs: Proofs, rounds: float = inf) -> Finding | None:
    """Whoever is to move, on any board."""
    # Imported here: the linear programs take a third of a second to import.
    from ggp.analysis.invariants.ranking import find_ranking

    boards = proofs.boards
    if boards is None or boards.size > MAX_TERMS:
        return None
    seen = list(proofs.samples.changes(proofs.groups))
    for strict in _orders(proofs):
        question = proofs.question(proofs.groups)
        weights = find_ranking(boards, question, seen, strict, proofs.work, rounds)
        if weights is not None:
            return Finding("cyclic", False, "proved", _ranked(proofs, weights, strict))
    return None


def _falling_but_for_passes(proofs: Proofs, rounds: float = inf) -> Finding | None:
    """Likewise with every move but passes, which not all roles can make on one board.

    Where the sum stays what it was, all moves are passes and the board stays the same; roles follow
    each other in one circle, so that each of them would pass on it.
    """
    # Imported here: the linear programs take a third of a second to import.
    from ggp.analysis.invariants.ranking import find_ranking

    boards = proofs.boards
    if boards is None or not boards.marker.alternating or boards.size > MAX_TERMS:
        return None
    if len(boards.marker.settings) != len(boards.sides):
        return None
    passing, moving = [], []
    for side in boards.sides:
        passes = [option for option in side.options if not option.after(boards.inputs)]
        moves = tuple(option for option in side.options if option.after(boards.inputs))
        passing.append(boards.builder.disj_all([option.legal for option in passes]))
        moving.append(replace(side, options=moves))
    if FALSE in passing or not proofs.is_impossible(passing):
        return None
    everybody = tuple(range(len(moving)))
    weights = find_ranking(
        Circuits(boards.net, boards.builder, boards.inputs, tuple(moving)),
        proofs.question(proofs.groups),
        [change for change in proofs.samples.changes(proofs.groups) if change[1]],
        everybody,
        proofs.work,
        rounds,
    )
    if weights is None:
        return None
    why = (
        "a weighted sum of fluents falls with every move but passes, and not all roles can pass"
        " one after the other"
    )
    ranked = _ranked(proofs, weights, everybody)
    return Finding("cyclic", False, "proved", replace(ranked, why=why, passes=True))


def _falling_in_play(proofs: Proofs, whole: Whole | None, rounds: float = inf) -> Finding | None:
    """With every legal joint move."""
    if whole is None or proofs.net.literals > MAX_STEP:
        return None
    return _falling_in(proofs, whole.joint_move(), whole.step_question, rounds)


def _falling_with_moves(proofs: Proofs, rounds: float = inf) -> Finding | None:
    """With every legal joint move, of rules that are too large but for what moves do, or that rest
    on themselves; where even the end is too large, with moves that would follow it as well."""
    net, whole = proofs.net, proofs.whole
    if whole is not None and net.literals <= MAX_STEP:
        return None
    for with_ends in (True, False):
        if literals_of_moves(net, with_ends=with_ends) <= MAX_MOVES:
            made = JointMoves(net, proofs.play_groups, proofs.game.turns, with_ends=with_ends)
            return _falling_in(proofs, made.circuits, made.question, rounds)
    return None


def _falling_in(
    proofs: Proofs, circuits: Circuits, question: Question, rounds: float
) -> Finding | None:
    """With every move of these circuits, which stand for all legal joint moves."""
    # Imported here: the linear programs take a third of a second to import.
    from ggp.analysis.invariants.ranking import find_ranking

    seen = ((0, change) for change in proofs.samples.joint_changes())
    weights = find_ranking(circuits, question, seen, (0,), proofs.work, rounds)
    return None if weights is None else Finding("cyclic", False, "proved", _ranked(proofs, weights))


def _ranked(proofs: Proofs, weights: Mapping[int, int], strict: Sequence[int] = ()) -> Ranking:
    """Evidence that the sum falls: with every move, or with those of `strict` roles."""
    fluents, roles = proofs.game.net.fluents, proofs.game.roles
    if len(strict) in (0, len(roles)):
        why = "a weighted sum of fluents falls with every move"
    else:
        role = roles[strict[0]]
        why = f"a weighted sum of fluents falls with every move of {role}, and never rises"
    named = {str(fluents[f]): w for f, w in sorted(weights.items())}
    sided = strict if proofs.game.marker else ()
    return Ranking(why, named, tuple(roles[role] for role in sided) or None)


def refute(samples: Sampled) -> Finding | None:
    """A state that came up twice in a play, if one did."""
    loop = samples.plays.loop or _way_back(samples)
    if not loop:
        return None
    place, machine = loop[0][0], samples.game.machine
    path, row = samples.path(place), samples.plays.rows[[place]]
    witnesses = [samples.witness(place)]
    for _, moves in loop:
        row = machine.next(row, moves[None])
        path = (*path, samples.joint(moves))
        witnesses.append(Witness(samples.facts(row), path))
    return shown("cyclic", True, loop_through(witnesses))


def _way_back(samples: Sampled) -> list[tuple[int, NDArray[np.int32]]]:
    """A loop of a few moves that begins in some state that was met, if one is found."""
    machine = samples.game.machine
    rng = np.random.default_rng(2)
    states = max(1, MAX_GATES // (samples.game.net.size * WALKS * WALK))
    for place in samples.few[:states]:
        if time_left() <= 0:
            break
        start = samples.plays.rows[[place]]
        found = way_back(machine, start, WALKS, WALK, rng)
        if found is not None:
            return [(place, found[0]), *((-1, moves) for moves in found[1:])]
    return []


def enumerated(positions: Positions) -> Finding:
    """Whether some reachable state can be reached again from itself."""
    space = positions.reachable
    endless = longest_from(space) < 0
    if not endless.any():
        why = "no state can come up twice in a play"
        return Finding("cyclic", False, "exhaustive", Enumeration(why, len(space)))
    loop = _loop(space, endless)
    witnesses = [positions.witness(space, int(space.source[loop[0]]))]
    for edge in loop:
        witnesses.append(positions.after(space, witnesses[-1], edge))
    return shown("cyclic", True, loop_through(witnesses))


def _loop(space: Space, endless: NDArray[np.bool_]) -> list[int]:
    """Edges of a cycle in order: the shortest through a position that is met again when play always
    moves to where it can go on for ever, as far as `MAX_SOUGHT` positions tell."""
    place = int(np.flatnonzero(endless)[0])
    seen: dict[int, int] = {}
    while place not in seen:
        edge = next(edge for edge in space.edges(place) if endless[space.target[edge]])
        seen[place] = int(edge)
        place = int(space.target[edge])
    places = list(seen)
    walked = [seen[p] for p in places[places.index(place) :]]
    came_by: dict[int, int] = {}
    todo = deque([place])
    while todo and len(came_by) < MAX_SOUGHT:
        here = todo.popleft()
        for edge in map(int, space.edges(here)):
            after = int(space.target[edge])
            if after == place:
                found = [edge]
                while here != place:
                    found.append(came_by[here])
                    here = int(space.source[came_by[here]])
                return found[::-1]
            if endless[after] and after not in came_by:
                came_by[after] = edge
                todo.append(after)
    return walked


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """A play round a loop, or the ranking."""
    if isinstance(finding.evidence, Ranking) and finding.certainty == "proved":
        ranking = known.ranking(finding.evidence)
        if ranking:
            yield ranking
    else:
        yield from known.met_on_the_way(finding)
