"""What a player is: asked for a move in a state, with so many seconds to think.

To write one's own, derive from `Player` and say what `choose` returns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ggp.game import Game, State
from ggp.kif import Term
from ggp.machine import Progress
from ggp.play.beliefs import Beliefs


@dataclass(frozen=True)
class Suggestion:
    """A legal move; `final` if no more thought can better it."""

    move: Term
    final: bool
    why: str


@dataclass(frozen=True)
class Insight:
    """What a player thought of a state, for those who watch.

    `why`: in a few words. `value`: goals that are expected for its role; None where it does not
    know. `descents`: how often its search went down the tree, 0 without one. `moves`: the moves it
    thought most of, with the goals that are expected for its role of each; they are moves of
    `mover` where that is told, which is another role whose turn it is. `line`: joint moves that are
    expected.
    """

    why: str
    value: float | None = None
    descents: int = 0
    moves: tuple[tuple[str, float], ...] = ()
    line: tuple[tuple[str, ...], ...] = ()
    mover: str = ""


class Player(ABC):
    """Plays one role of one game. `rng` is what chance is to be taken from, so that a `seed` gives
    the same player again; `progress` is called while long work lasts and may raise `LimitReached`
    to end it. What comes late from a player that is not `is_timed` is taken all the same.
    """

    is_timed = True

    def __init__(
        self,
        game: Game,
        role: str,
        *,
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.game = game
        self.role = role
        self.index = game.role_index(role)
        self.rng = np.random.default_rng(seed)
        self.progress = progress
        self.load()

    def load(self) -> None:  # noqa: B027 - most have nothing to load
        """Load, or compile, what thinking takes: before any clock runs."""

    def heed(self) -> None:
        """Say that work goes on; raises `LimitReached` where it is to end."""
        if self.progress:
            self.progress(0, 0)

    @abstractmethod
    def choose(self, state: State, seconds: float) -> Term:
        """A legal move of the role in a state that is not terminal, within about `seconds`."""

    def prepare(self, seconds: float) -> bool:
        """Think about the game before it begins, for `seconds` at the most; whether it is solved.
        Does nothing unless a player says otherwise."""
        return False

    def suggestions(self, state: State, seconds: float) -> Iterator[Suggestion]:
        """Ever better moves within about `seconds`: just the one that is chosen, unless a player
        says otherwise. Nothing is suggested where the role has no legal move."""
        if state.legal(self.role):
            yield Suggestion(self.chosen(state, seconds), True, "chosen")

    def guesses(self, beliefs: Beliefs, seconds: float) -> Iterator[Suggestion]:
        """The same where the state is not known (GDL-II): as if one of those that are possible,
        drawn by how likely they are, were the right one, unless a player says otherwise."""
        states = beliefs.open
        likely = np.array([beliefs.weights[state] for state in states])
        state = states[int(self.rng.choice(len(states), p=likely / likely.sum()))]
        if state.legal(self.role):
            yield Suggestion(self.chosen(state, seconds), True, "chosen")

    def chosen(self, state: State, seconds: float) -> Term:
        """What `choose` says, also as text, as a term; raises `TypeError` for anything else."""
        return self.game.term(self.choose(state, seconds))

    def insight(self, state: State) -> Insight:
        """What was thought of the state that was last asked about."""
        return Insight("chosen")

    def ponder(self, state: State, seconds: float) -> None:  # noqa: B027 - most do nothing then
        """Think about a state for `seconds`, whoever is to move. Does nothing unless a player says
        otherwise."""
