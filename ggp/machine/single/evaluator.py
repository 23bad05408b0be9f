"""What every engine answers about single states."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

from ggp.kif import Term

Position = TypeVar("Position", bound=Hashable)


class Evaluator(Protocol[Position]):
    """The rules at work on positions, which stand for sets of fluents: equal sets, equal positions.

    Moves go by numbers of the evaluator's own, for each role apart. `engine` names the method.
    """

    engine: str
    roles: tuple[Term, ...]
    initial: Position

    def position(self, facts: Iterable[Term]) -> Position:
        """The position of exactly `facts`; raises `UnknownName` for what can be no fluent."""

    def facts(self, position: Position, /) -> tuple[Term, ...]:
        """The fluents that hold, sorted by their text."""

    def move(self, role: int, number: int) -> Term:
        """The move of a role with this number."""

    def number(self, role: int, move: Term) -> int | None:
        """The number of a move of a role; None if it is none of the game."""

    def legal(self, position: Position, /) -> list[list[int]]:
        """For each role the numbers of its legal moves, in the order of their text."""

    def some_move(self, position: Position, role: int, /) -> int | None:
        """The number of a legal move of a role, whichever is found first; None if there is none."""

    def terminal(self, position: Position, /) -> bool:
        """Whether play ends here."""

    def ends(self, position: Position, /) -> bool:
        """The same as `terminal`, with no more found out on the way than that takes."""

    def goals(self, position: Position, /) -> list[list[int]]:
        """For each role the goal values that hold, ascending; one if the rules are right."""

    def next(self, position: Position, joint: Sequence[int], /) -> Position:
        """The position after one move of each role."""

    def next_each(self, position: Position, joints: Sequence[Sequence[int]], /) -> list[Position]:
        """The positions after each of some joint moves, in their order."""

    def percepts(self, position: Position, joint: Sequence[int], /) -> list[tuple[Term, ...]]:
        """For each role what it sees of one move of each role, sorted by text (GDL-II)."""
