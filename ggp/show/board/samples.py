"""Random plays from which the layout of a game is read off: what holds, and what moves change."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ggp.deduce import Prover
from ggp.kif import Term

PLAYS, PLIES, MOVES = 60, 40, 320
"""Plays, moves of one play, and moves of all plays; a few long plays would miss what is there
early, and a few short ones leave too much to chance."""

MAX_FACTS, MAX_STEPS, MAX_LISTED = 15_000, 100_000, 20_000
"""Facts of all states, and steps of evaluating the rules, after which no more is played; fluents
that `base` may list."""

Facts = tuple[Term, ...]


@dataclass(frozen=True)
class Step:
    """One move of a play: states by their numbers, the joint move, and the role that had a choice
    (None where not exactly one had)."""

    before: int
    after: int
    joint: tuple[Term, ...]
    mover: int | None


@dataclass(frozen=True)
class Samples:
    """What was met: the facts of states, the initial one first; the steps between them; for each
    state that was played on from the legal moves of the roles."""

    states: tuple[Facts, ...]
    steps: tuple[Step, ...]
    legal: dict[int, tuple[tuple[Term, ...], ...]]

    def mover(self, state: int) -> int | None:
        """The role that alone has a choice in a state, None where there is no such role."""
        return _mover(self.legal[state]) if state in self.legal else None


def sample(prover: Prover) -> Samples:
    """Some plays of a game, the same ones each time.

    From the rules, whether the game is ground or not: so one layout serves both.
    """
    spent = prover.steps
    numbers = {prover.initial: 0}
    steps: list[Step] = []
    legal: dict[int, tuple[tuple[Term, ...], ...]] = {}
    facts = len(prover.facts(prover.initial))
    for seed in range(PLAYS):
        if len(steps) >= MOVES:
            break
        choose, position = random.Random(seed).choice, prover.initial
        for _ in range(PLIES):
            if facts > MAX_FACTS or prover.steps - spent > MAX_STEPS or prover.terminal(position):
                break
            options = prover.legal(position)
            if not all(options):
                break
            at = numbers[position]
            if at not in legal:
                legal[at] = tuple(
                    tuple(prover.move(role, move) for move in own)
                    for role, own in enumerate(options)
                )
            chosen = [choose(own) for own in options]
            position = prover.next(position, chosen)
            if position not in numbers:
                numbers[position] = len(numbers)
                facts += len(prover.facts(position))
            joint = tuple(prover.move(role, move) for role, move in enumerate(chosen))
            steps.append(Step(at, numbers[position], joint, _mover(options)))
    return Samples(tuple(map(prover.facts, numbers)), tuple(steps), legal)


def _mover(options: Sequence[Sequence[object]]) -> int | None:
    free = [role for role, own in enumerate(options) if len(own) > 1]
    return free[0] if len(free) == 1 else None


def listed(prover: Prover) -> Facts:
    """All fluents that `base` lists; empty where the rules have no such relation, or a long one."""
    rows = prover.domain("base", 1)
    return tuple(row[0] for row in rows) if len(rows) <= MAX_LISTED else ()
