"""What a value of a position comes with: its moves, and why there may be none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ggp.errors import NotSolvable
from ggp.theory import ShortGame

LEFT, RIGHT = 0, 1


class NoValue(NotSolvable):
    """A game whose positions have no values as short games; the message says which condition fails.

    `facts` are those of a position that shows it, if one does.
    """

    def __init__(self, why: str, facts: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.facts = facts

    def __reduce__(self) -> tuple[type[NoValue], tuple[str, tuple[str, ...]]]:
        return NoValue, (str(self), self.facts)


@dataclass(frozen=True)
class ValuedMove:
    """A move of one role with the value of the board that it makes.

    `sensible`: no other move is at least as good and better somewhere, and no answer takes it back
    to something no better for the mover than before (neither dominated nor reversible). Where all
    moves are one or the other, as in numbers, those that are not dominated.
    """

    role: str
    move: str
    value: ShortGame
    sensible: bool


def valued(
    role: int, name: str, listed: Iterable[tuple[str, ShortGame]], whole: ShortGame
) -> list[ValuedMove]:
    """The moves of a role (0 is Left) on a board of the value `whole`."""
    moves = list(listed)
    best = _sensible([value for _, value in moves], whole, role)
    return [ValuedMove(name, move, value, value in best) for move, value in moves]


def _sensible(options: list[ShortGame], whole: ShortGame, role: int) -> set[ShortGame]:
    """The options that are neither dominated nor reversible; if all are, those not dominated."""
    distinct = list(dict.fromkeys(options))
    if role == LEFT:
        kept = [g for g in distinct if not any(g < other for other in distinct)]
        good = [g for g in kept if not any(answer <= whole for answer in g.right)]
    else:
        kept = [g for g in distinct if not any(g > other for other in distinct)]
        good = [g for g in kept if not any(answer >= whole for answer in g.left)]
    return set(good or kept)
