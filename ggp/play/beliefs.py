"""What a role may believe: the states that agree with all that it did and saw (GDL-II).

Each is as likely as chance, and the others, make it, if they are as likely to make any of their
moves; where there are too many, as many are drawn by that as are kept (the particles of Gordon,
Salmond and Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation", IEE
Proceedings F 140, 1993).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from ggp.errors import IllegalMove
from ggp.game import Game, State
from ggp.kif import Term

STATES = 200
"""States that are kept at the most: so many are drawn where more are possible."""

JOINT = 2_000
"""Joint moves of one state that are looked at, at random where there are more."""

MORE, AGAIN = 8, 6
"""Of who begins again: how many times as many states are kept, and in how many turns' time."""

AFTER, LITERALS, LEAST, UNGROUND = 10_000, 10_000_000, 200, 4_000
"""States that are made of one turn at the most, and of large rules fewer, by the literals that each
takes, but so many at the least; literals that a state of rules that are not ground is as dear as.
"""


class Beliefs:
    """The states that are possible for one role, some of them where there are many.

    `weights`: for each of these states how likely it is, as far as is known of nothing but the
    rules; they add up to 1. There is always one. Where nothing kept agrees with what is seen, so
    that the right state was among those left out, what is seen is set aside for once. `last`: the
    own move and what was seen then, as it was told last; None for what is not known. `agrees`:
    whether something kept has agreed with all that was told. `again`: of so many turns it is told
    once more, from the first, because nothing kept had agreed; more is kept until then.
    """

    def __init__(self, game: Game, role: str, seed: int | None = None, *, again: int = 0) -> None:
        self.game = game
        self.role = role
        self.weights = {game.initial: 1.0}
        self.last: tuple[Term | str | None, tuple[str, ...] | None] | None = None
        self.agrees = True
        each = game.net.literals if game.is_ground else UNGROUND
        self._usual = max(LEAST, min(AFTER, LITERALS // max(1, each)))
        self._again, self._left = again, again
        self._index = game.role_index(role)
        self._random = random.Random(seed)

    def update(self, move: Term | str | None, seen: Sequence[str] | None) -> None:
        """Take in the role's own move (None where it is not known, because the manager chose it)
        and what it saw: its percepts, or the whole joint move; None where it was not told.

        Raises `IllegalMove` where the move was legal in none of the states.
        """
        self.last = move, None if seen is None else tuple(map(str, seen))
        own = None if move is None else self.game.term(move)
        percepts = tuple(sorted(self.game.term(percept) for percept in seen or ()))
        possible: dict[State, float] = {}
        agreeing: dict[State, float] = {}
        made = AGAIN * self._usual // self._again if self._left else self._usual
        most = max(1, min(JOINT, max(LEAST, made) // len(self.weights)))
        for state, weight in self.weights.items():
            if not state.terminal and (own is None or own in state.legal(self.role)):
                joint_moves = self._joint_moves(state, own, most)
                part = weight / max(1, len(joint_moves))
                for joint, after in zip(joint_moves, state.after_each(joint_moves), strict=True):
                    possible[after] = possible.get(after, 0.0) + part
                    if seen is not None and self._percepts(state, joint) == percepts:
                        agreeing[after] = agreeing.get(after, 0.0) + part
        if not possible:
            if own is None:
                raise IllegalMove(f"{self.role} can do nothing in any possible state")
            raise IllegalMove(f"{own} is not legal for {self.role} in any possible state")
        told = agreeing or self._told(seen)
        self.agrees = self.agrees and (seen is None or bool(told))
        self.weights = self._kept(told or possible, MORE * STATES if self._left else STATES)
        self._left = max(0, self._left - 1)

    def take_in(self, move: Term | str | None, seen: Sequence[str] | None) -> None:
        """The same of a move that is legal in nothing kept: then it is not known which was made,
        and nothing kept agrees."""
        try:
            self.update(move, seen)
        except IllegalMove:
            self.agrees = False
            self.update(None, seen)

    def _kept(self, weights: Mapping[State, float], most: int) -> dict[State, float]:
        """So many of the states, if there are more; weights that add up to 1."""
        if len(weights) > most:
            drawn = self._random.choices(list(weights), list(weights.values()), k=most)
            weights = Counter(drawn)
        total = sum(weights.values())
        return {state: weight / total for state, weight in weights.items()}

    @property
    def states(self) -> list[State]:
        """The possible states."""
        return list(self.weights)

    @property
    def open(self) -> list[State]:
        """The possible states in which the role has a move, as whoever asks for one shows; all
        where there are none."""
        found = [s for s in self.states if not s.terminal and s.legal(self.role)]
        return found or self.states

    def legal(self) -> tuple[Term, ...]:
        """The moves that are legal in every state that is `open`; in the first one if there is
        none."""
        own = [state.legal(self.role) for state in self.open]
        common = set(own[0]).intersection(*own)
        return tuple(move for move in own[0] if move in common) or own[0]

    def _percepts(self, state: State, joint: Sequence[int]) -> tuple[Term, ...]:
        return self.game.evaluator.percepts(state.position, joint)[self._index]

    def _joint_moves(self, state: State, own: Term | None, most: int) -> Sequence[Sequence[int]]:
        """All joint moves in which the role makes its own, or random ones where there are more than
        `most`: one as likely as the other."""
        legal = list(state.legal_indices())
        if not all(legal):
            return ()
        if own is not None:
            number = self.game.evaluator.number(self._index, own)
            assert number is not None
            legal[self._index] = [number]
        if prod(map(len, legal)) <= most:
            return list(product(*legal))
        choose = self._random.choice
        return [[choose(moves) for moves in legal] for _ in range(most)]

    def _told(self, seen: Sequence[str] | None) -> dict[State, float]:
        """The states after a whole joint move, which some managers send all the same."""
        if seen is None or len(seen) != len(self.game.roles):
            return {}
        found: dict[State, float] = {}
        for state, weight in self.weights.items():
            try:
                after = state.play(dict(zip(self.game.roles, seen, strict=True)))
            except IllegalMove:
                continue
            part = weight / prod(map(len, state.legal_indices()))
            found[after] = found.get(after, 0.0) + part
        return found
