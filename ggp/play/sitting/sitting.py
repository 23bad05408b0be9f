"""A game in progress, whoever talks with the people at it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ggp.errors import GoalError, IllegalMove, LimitReached
from ggp.game import Game, State
from ggp.kif import Term
from ggp.machine import Progress
from ggp.play.advice import Advice
from ggp.play.sitting.levels import Level
from ggp.play.sitting.machine import MovePicker

MAX_FORCED = 10_000
"""Plies without any choice after which a game counts as endless."""

RECENT = 50
"""Steps that say which moves are only a wait."""

MAX_WATCHED = 10_000
"""Plies after which a game of the machine against itself is given up."""


@dataclass(frozen=True)
class SittingStep:
    """A joint move, the state it was made in, and when (in seconds since 1970)."""

    before: State
    joint: Mapping[str, Term]
    time: float


class Sitting:
    """One game from `start` on: `people` are roles that persons play, the machine plays the others.

    `match`, `token` and `began` are what records have of it. Where several choose at once,
    `pending` holds what was chosen already. All that asks the rules may raise what evaluating them
    raises.
    """

    def __init__(
        self,
        game: Game,
        people: Collection[str],
        level: Level,
        start: State | None = None,
        heed: Progress | None = None,
    ) -> None:
        self.game, self.people, self.level = game, frozenset(people), level
        self.start = self.state = start or game.initial
        self.history: list[SittingStep] = []
        self.pending: dict[str, Term] = {}
        self.began = time.time()
        self.match, self.token = secrets.token_hex(8), secrets.token_hex(16)
        self.machine = MovePicker(game, heed)

    @property
    def before(self) -> State | None:
        """The state before the last joint move that somebody chose, or the last one at all."""
        chosen = (step.before for step in reversed(self.history) if _is_choice(step.before))
        return next(chosen, self.history[-1].before if self.history else None)

    def replayed(self, moves: Sequence[Sequence[str]], states: Sequence[State]) -> None:
        """Let these joint moves have been made; `states` are those before them and at the end."""
        for joint, before in zip(moves, states, strict=False):
            terms = map(self.game.term, joint)
            named = dict(zip(self.game.roles, terms, strict=True))
            self.history.append(SittingStep(before, named, time.time()))
        self.state = states[-1]

    def waits_for(self) -> str | None:
        """The role that is to choose next, persons before the machine; None at the end of play.

        Moves that nobody can choose between are made. Raises `LimitReached` where there is no end
        of them, `NoLegalMove` where the rules leave a role without a move.
        """
        for _ in range(MAX_FORCED):
            if self.state.terminal:
                return None
            free = [r for r in self.game.roles if len(self.state.require_legal(r)) > 1]
            open_ = [role for role in free if role not in self.pending]
            if open_:
                if not self.people and len(self.history) > MAX_WATCHED:
                    raise LimitReached("plies", MAX_WATCHED, "the machine plays itself without end")
                return min(open_, key=lambda role: role not in self.people)
            self._make()
        raise LimitReached("plies", MAX_FORCED, "nobody has a choice, and play does not end")

    def choose(self, role: str, move: Term) -> None:
        """Choose a move; it is made once all have chosen. Raises `IllegalMove` for any other."""
        if move not in self.state.legal(role):
            raise IllegalMove(f"{move} is not legal here")
        self.pending[role] = move
        if all(r in self.pending or len(self.state.legal(r)) == 1 for r in self.game.roles):
            self._make()

    def think(self, role: str) -> Term:
        """The move that the machine would make."""
        return self.machine.choose(self.state, role, self.level)

    def advice(self, role: str) -> Advice:
        """What the moves of a role are worth."""
        return self.machine.advice(self.state, role, self.level)

    def undo(self) -> bool:
        """Go back to before the last choice of a person; whether there was one."""
        if self.people & self.pending.keys():
            self.pending.clear()
            return True
        for place in reversed(range(len(self.history))):
            before = self.history[place].before
            if any(len(before.legal(role)) > 1 for role in self.people):
                del self.history[place:]
                self.pending.clear()
                self.state = before
                return True
        return False

    def restart(self) -> None:
        """Go back to where it began."""
        self.history.clear()
        self.pending.clear()
        self.state = self.start

    def goals(self) -> dict[str, int] | None:
        """The goals at the end of play; None before, and where the rules do not give one each."""
        try:
            return self.state.goals if self.state.terminal else None
        except GoalError:
            return None

    def _make(self) -> None:
        """Make the joint move that all have chosen."""
        legal = {role: self.state.legal(role) for role in self.game.roles}
        joint = {role: self.pending.get(role, own[0]) for role, own in legal.items()}
        after = self.state.play(joint)
        self.history.append(SittingStep(self.state, joint, time.time()))
        self.state = after
        self.pending.clear()


def choices(step: SittingStep) -> dict[str, Term]:
    """The moves of a step that were chosen between several."""
    return {role: move for role, move in step.joint.items() if len(step.before.legal(role)) > 1}


def idle(history: Sequence[SittingStep]) -> frozenset[tuple[str, Term]]:
    """What roles did lately while others chose: moves that are only a wait."""
    found = set[tuple[str, Term]]()
    for step in history[-RECENT:]:
        chosen = choices(step)
        if chosen:
            found.update(own for own in step.joint.items() if own[0] not in chosen)
    return frozenset(found)


def forced(step: SittingStep, waits: Collection[tuple[str, Term]]) -> dict[str, Term]:
    """The moves of a step that nobody could choose between, but those that are only a wait."""
    if choices(step):
        return {}
    return {role: move for role, move in step.joint.items() if (role, move) not in waits}


def _is_choice(state: State) -> bool:
    return any(len(own) > 1 for own in state.legal_indices())
