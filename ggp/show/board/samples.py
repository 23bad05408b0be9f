"""Random plays from which the layout of a game is read off: what holds, and what moves change."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ggp.deduce import Position, Prover
from ggp.kif import Term
from ggp.show.board.ranks import TermRanks

PLAYS, PLIES, MOVES = 60, 40, 320
"""Plays, moves of one play, and moves of all plays; a few long plays would miss what is there
early, and a few short ones leave too much to chance."""

MAX_FACTS, MAX_STEPS, MAX_LISTED = 15_000, 100_000, 20_000
"""Facts of all states, and steps of evaluating the rules, after which no more is played; fluents
that `base` may list."""

Facts = tuple[Term, ...]


@dataclass(frozen=True)
class SampleStep:
    """One move of a play: states by their numbers, the joint move, and the role that had a choice
    (None where not exactly one had)."""

    before: int
    after: int
    joint: tuple[Term, ...]
    mover: int | None


@dataclass(frozen=True)
class Samples:
    """What was met: the facts of states, the initial one first; the steps between them; for each
    state that was played on from the legal moves of the roles. `ranks`: the order of terms."""

    states: tuple[Facts, ...]
    steps: tuple[SampleStep, ...]
    legal: dict[int, tuple[tuple[Term, ...], ...]]
    ranks: TermRanks

    def mover(self, state: int) -> int | None:
        """The role that alone has a choice in a state, None where there is no such role."""
        return _mover(self.legal[state]) if state in self.legal else None


def sample(prover: Prover, ranks: TermRanks) -> Samples:
    """Some plays of a game, the same ones each time, also where its sheet has other words.

    From the rules, whether the game is ground or not: so one layout serves both.
    """
    plays = _Plays(prover, ranks)
    for seed in range(PLAYS):
        if len(plays.steps) < MOVES:
            plays.add(random.Random(seed))
    return plays.samples()


class _Plays:
    """Plays in the making: positions with their numbers, moves, and what was legal."""

    def __init__(self, prover: Prover, ranks: TermRanks) -> None:
        self.steps: list[SampleStep] = []
        self._prover, self._ranks = prover, ranks
        self._spent = prover.steps
        self._numbers = {prover.initial: 0}
        self._legal: dict[int, tuple[tuple[Term, ...], ...]] = {}
        self._facts = len(prover.facts(prover.initial))

    def add(self, rng: random.Random) -> None:
        """One more play."""
        prover, position = self._prover, self._prover.initial
        for _ in range(PLIES):
            if self._facts > MAX_FACTS or self._is_long or prover.terminal(position):
                break
            options = self._options(position)
            if not all(options):
                break
            chosen = [rng.choice(own) for own in options]
            position = self._step(position, options, chosen)

    def samples(self) -> Samples:
        """What was met. How much work there is hangs on the order of rules and arguments: where
        that ended the plays, there are as many moves as a power of two, for mostly the same."""
        most = 1 << len(self.steps).bit_length() >> 1 if self._is_long else MOVES + PLIES
        steps = self.steps[:most]
        met = 1 + max((step.after for step in steps), default=0)
        states = [self._prover.facts(position) for position in list(self._numbers)[:met]]
        ordered = (tuple(sorted(own, key=self._ranks.key)) for own in states)
        legal = {step.before: self._legal[step.before] for step in steps}
        return Samples(tuple(ordered), tuple(steps), legal, self._ranks)

    @property
    def _is_long(self) -> bool:
        return self._prover.steps - self._spent > MAX_STEPS

    def _options(self, position: Position) -> list[list[int]]:
        """The legal moves of each role by their numbers, in an order that no name decides."""
        move, key = self._prover.move, self._ranks.key
        return [
            sorted(own, key=lambda number, role=role: key(move(role, number)))  # type: ignore[misc]
            for role, own in enumerate(self._prover.legal(position))
        ]

    def _step(self, before: Position, options: list[list[int]], chosen: list[int]) -> Position:
        """Make a joint move."""
        move, at = self._prover.move, self._numbers[before]
        after = self._prover.next(before, chosen)
        if after not in self._numbers:
            self._numbers[after] = len(self._numbers)
            self._facts += len(self._prover.facts(after))
        if at not in self._legal:
            self._legal[at] = tuple(tuple(move(r, m) for m in own) for r, own in enumerate(options))
        joint = tuple(move(role, number) for role, number in enumerate(chosen))
        self.steps.append(SampleStep(at, self._numbers[after], joint, _mover(options)))
        return after


def _mover(options: Sequence[Sequence[object]]) -> int | None:
    free = [role for role, own in enumerate(options) if len(own) > 1]
    return free[0] if len(free) == 1 else None


def listed(prover: Prover) -> Facts:
    """All fluents that `base` lists; empty where the rules have no such relation, or a long one."""
    rows = prover.domain("base", 1)
    return tuple(row[0] for row in rows) if len(rows) <= MAX_LISTED else ()
