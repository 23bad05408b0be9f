"""What a finding rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.errors import LimitReached


@dataclass(frozen=True)
class Evidence:
    """Why a finding holds, in a sentence."""

    why: str

    def as_json(self) -> dict[str, Any]:
        """The evidence as plain data; `kind` tells the classes apart."""
        return {"kind": "rules", "why": self.why}


@dataclass(frozen=True)
class Ranking(Evidence):
    """Weights of fluents: the sum over those that hold falls as play goes on.

    With the moves of the roles `strict`, and the others never raise it; None: with every move.
    `passes`: but for moves that hand on the turn and do nothing else, which not all roles can make
    one after the other.
    """

    weights: Mapping[str, int]
    strict: tuple[str, ...] | None = None
    passes: bool = False

    def as_json(self) -> dict[str, Any]:
        """The evidence as plain data."""
        return {"kind": "ranking", "why": self.why, **self.shown()}

    def shown(self) -> dict[str, Any]:
        """What there is to check, as plain data."""
        strict = None if self.strict is None else list(self.strict)
        shown = {"weights": dict(self.weights), "strict": strict}
        return shown | ({"passes": True} if self.passes else {})


@dataclass(frozen=True)
class Goals(Evidence):
    """What the goals at the ends of play can be: for each player one, in order of the roles."""

    goals: tuple[tuple[int, ...], ...]

    def as_json(self) -> dict[str, Any]:
        """The evidence as plain data."""
        return {"kind": "goals", "why": self.why, "goals": [list(row) for row in self.goals]}


@dataclass(frozen=True)
class Witness:
    """A state that shows something: its facts, and joint moves that lead to it from the start.

    `path` is None where the state arises only if turns may be given to either player.
    """

    facts: tuple[str, ...]
    path: tuple[tuple[str, ...], ...] | None
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """The witness as plain data."""
        path = None if self.path is None else [list(joint) for joint in self.path]
        return {"facts": list(self.facts), "path": path, "note": self.note}


@dataclass(frozen=True)
class Enumeration(Evidence):
    """Every position was looked at: `positions` of them, `scope` says under which moves.

    `states`: some of them that show a part of what was found.
    """

    positions: int
    scope: str = "legal play"
    states: tuple[Witness, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The evidence as plain data."""
        data: dict[str, Any] = {
            "kind": "enumeration",
            "why": self.why,
            "positions": self.positions,
            "scope": self.scope,
        }
        return data | ({"states": [s.as_json() for s in self.states]} if self.states else {})


@dataclass(frozen=True)
class Counterexample(Evidence):
    """States, and perhaps a move, that show the finding; they can be replayed."""

    states: tuple[Witness, ...]
    move: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The evidence as plain data."""
        return {
            "kind": "witness",
            "why": self.why,
            "states": [state.as_json() for state in self.states],
            "move": self.move,
        }


MAX_LOOP = 20
"""States of a loop that are shown."""


def loop_through(states: Sequence[Witness]) -> Counterexample:
    """The evidence that play is cyclic: states of one play, the last of which is the first."""
    moves = len(states) - 1
    why = f"the first of these states is the last again, {moves} move{'s' * (moves > 1)} later"
    shown = states if len(states) <= MAX_LOOP + 1 else (*states[:MAX_LOOP], states[-1])
    return Counterexample(why, tuple(shown))


@dataclass(frozen=True)
class Stopped(Evidence):
    """A limit ended the last step of the search before there was an answer."""

    limit: str
    bound: float
    step: str

    @classmethod
    def by(cls, error: LimitReached, step: str, before: str = "") -> Stopped:
        """The evidence that a `LimitReached` leaves in a step; `before`: what came of others."""
        before = f"{before}; " if before else ""
        return cls(f"{before}{step}: {error}", error.limit, error.value, step)

    def as_json(self) -> dict[str, Any]:
        """The evidence as plain data."""
        return {
            "kind": "limit",
            "why": self.why,
            "limit": self.limit,
            "bound": self.bound,
            "step": self.step,
        }
