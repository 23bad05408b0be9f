"""What the two roles of a game by turns get, by who has the better of their two ends."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.game import Game


@dataclass(frozen=True)
class Told:
    """The outcome (`N`, `P` or `draw`), the winner or `draw`, and what each role gets."""

    outcome: str
    result: str
    goals: dict[str, int]


@dataclass(frozen=True)
class Sides:
    """Who is to move, the other role, and the best and worst goal of each."""

    mover: str
    other: str
    best_goals: dict[str, int]
    worst_goals: dict[str, int]

    @classmethod
    def of(cls, game: Game, mover: str | None, *, misere: bool) -> Sides:
        """Those of a game with two roles; by default who is to move at first is."""
        roles, mover = game.roles, mover or game.initial.control
        assert mover is not None
        known = game.net.goals[::-1] if misere else game.net.goals
        goals = dict(zip(roles, known, strict=True))
        return cls(
            mover,
            next(role for role in roles if role != mover),
            {role: own[-1][0] for role, own in goals.items()},
            {role: own[0][0] for role, own in goals.items()},
        )

    def told(self, last: str) -> Told:
        """Outcome, result and goals under best play where who has the better of their two ends is
        who is to move (`N`) or the other (`P`). Who wins is told by the goals, which may be more
        for the same role, or as many for both, in either end."""
        own = self.mover if last == "N" else self.other
        goals = {r: (self.best_goals if r == own else self.worst_goals)[r] for r in self.best_goals}
        most = max(goals, key=lambda role: goals[role])
        result = "draw" if len(set(goals.values())) == 1 else most
        outcome = "draw" if result == "draw" else "N" if result == self.mover else "P"
        return Told(outcome, result, goals)
