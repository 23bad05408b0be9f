"""Sums of heaps of any size, however long the chain of a sheet would have to be.

What is proved of a sheet's heaps on every longer chain (`ggp.analysis.heaps.any_size`) gives their
nim-values, which repeat from some size on: a value depends on as many before it as the greatest
amount says, so that a window that comes again proves the period (Winning Ways, chapter 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ggp.analysis import Heap, Positions
from ggp.analysis.claims import form, heaps, impartial, turns
from ggp.analysis.heaps.any_size import any_size
from ggp.errors import InputError, LimitReached, NotSolvable
from ggp.game import Game
from ggp.limits import Budget
from ggp.theory import SubtractionGame, nim_sum

WORK = 30.0
"""For the proofs on longer chains."""


@dataclass(frozen=True)
class HeapSum:
    """The position of a sheet with heaps of other sizes, solved.

    `sizes` are in the order of `heaps`; the role `mover` is to move. `goals` under best play by
    role.
    """

    heaps: tuple[Heap, ...]
    sizes: tuple[int, ...]
    mover: str
    other: str
    best_goals: dict[str, int]
    worst_goals: dict[str, int]

    @property
    def games(self) -> tuple[SubtractionGame, ...]:
        """The subtraction game of each heap."""
        return tuple(game for heap in self.heaps if (game := heap.game) is not None)

    @property
    def nim_values(self) -> tuple[int, ...]:
        """The nim-value of each heap."""
        return tuple(g.nim_value(n) for g, n in zip(self.games, self.sizes, strict=True))

    @property
    def nim_value(self) -> int:
        """That of the position."""
        return nim_sum(self.nim_values)

    @property
    def outcome(self) -> str:
        """`N` where who is to move wins, else `P`."""
        return "N" if self.nim_value else "P"

    @property
    def winner(self) -> str:
        """The role that wins under best play."""
        return self.mover if self.nim_value else self.other

    @property
    def goals(self) -> dict[str, int]:
        """What each role gets under best play."""
        own = {self.winner: self.best_goals[self.winner]}
        return {r: own.get(r, self.worst_goals[r]) for r in self.best_goals}

    @property
    def best(self) -> list[tuple[int, int]]:
        """All moves to nim-value 0, or where there is none all moves: the number of the heap, and
        how much is taken from it."""
        total, values = self.nim_value, self.nim_values
        moves, winning = [], []
        for i, (game, size) in enumerate(zip(self.games, self.sizes, strict=True)):
            for to in game.options(size):
                moves.append((i, size - to))
                if total ^ values[i] ^ game.nim_value(to) == 0:
                    winning.append((i, size - to))
        return winning or moves

    def as_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {
            "outcome": self.outcome,
            "result": self.winner,
            "goals": self.goals,
            "to_move": self.mover,
            "nim_value": self.nim_value,
            "heaps": [
                {
                    "heap": heap.pattern,
                    "size": size,
                    "nim_value": value,
                    "subtraction_set": list(game.subtraction_set),
                    "floor": game.floor,
                    "preperiod": game.preperiod,
                    "period": game.period,
                }
                for heap, game, size, value in zip(
                    self.heaps, self.games, self.sizes, self.nim_values, strict=True
                )
            ],
            "best": [{"heap": self.heaps[i].pattern, "take": amount} for i, amount in self.best],
        }


@dataclass(frozen=True)
class AnyHeaps:
    """A sheet's heaps, of which it is proved that they are a sum of heaps at every size."""

    game: Game
    heaps: tuple[Heap, ...]

    def of(self, sizes: Sequence[int]) -> HeapSum:
        """The position with heaps of these sizes, the role being to move that is so at the start.

        Sizes are places on a chain as long as it takes, counted from 0 at the end that play runs
        towards. Raises `InputError` for sizes that are none.
        """
        if len(sizes) != len(self.heaps):
            names = ", ".join(heap.pattern for heap in self.heaps)
            raise InputError(f"{len(self.heaps)} heaps, so as many sizes are wanted: {names}")
        for heap, size in zip(self.heaps, sizes, strict=True):
            if size < heap.floor:
                raise InputError(f"{heap.pattern}: no size below {heap.floor}")
        roles, mover = self.game.roles, self.game.initial.control
        assert mover is not None
        goals = dict(zip(roles, self.game.net.goals, strict=True))
        return HeapSum(
            self.heaps,
            tuple(sizes),
            mover,
            next(role for role in roles if role != mover),
            {role: own[-1][0] for role, own in goals.items()},
            {role: own[0][0] for role, own in goals.items()},
        )


def any_heaps(game: Game, budget: Budget | None = None) -> AnyHeaps:
    """The heaps of a sheet, for every size.

    Raises `NotSolvable` where it is not proved that the game is an impartial sum of heaps under
    normal play on every longer chain, with one set of amounts for each heap.
    """
    budget = budget or Budget(game.limits)
    if not game.is_ground or len(game.roles) != 2 or game.chance is not None or game.marker is None:
        raise NotSolvable("heaps of any size: not proved to be a sum of heaps")
    with game.within(budget):
        found = heaps.proved(Positions(game, budget).proofs)
        if not found or any(heap.subtraction_set is None for heap in found):
            raise NotSolvable("heaps of any size: not proved to be a sum of heaps with fixed sets")
        if not _is_normal(game, budget) or not any_size(
            game, found, WORK, lambda longer: _is_normal(longer, budget)
        ):
            raise NotSolvable("heaps of any size: not proved for every longer chain")
    if game.initial.control is None:
        raise NotSolvable("heaps of any size: nothing tells who is to move")
    return AnyHeaps(game, found)


def _is_normal(game: Game, budget: Budget) -> bool:
    """Whether a game is proved to be impartial, by turns, and of normal form."""
    if not game.is_ground or game.marker is None:
        return False
    context = Positions(game, budget)
    try:
        by_turns = turns.by_marker(context)
        proved_form = form.prove(context.proofs, cheap=False)
        sides = impartial.prove(context.proofs, cheap=False)
    except LimitReached:
        return False
    return (
        by_turns is not None
        and by_turns.value == "alternating"
        and proved_form is not None
        and proved_form.value == "normal"
        and sides is not None
        and sides.value is True
    )
