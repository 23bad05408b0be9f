"""Rows of tokens of any length, by octal codes.

What is proved of a sheet's row on every longer chain (`ggp.analysis.claims.any_length`) makes each
run of tokens a heap of an octal game, whose nim-values repeat for ever where a window that is long
enough comes again (Guy and Smith 1956), or under misère play its elements of the misère quotient.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from ggp.analysis.claims.any_length import Row, row_of_any_length
from ggp.errors import InputError, NotSolvable
from ggp.game import Game
from ggp.limits import Budget, look
from ggp.solver.any_heap import AnyHeaps, any_heaps, form_of, is_as_told
from ggp.solver.impartial import MISERE, under
from ggp.solver.quotient import MAX_SUMS, found_or_limit
from ggp.solver.sides import Sides
from ggp.theory import HeapQuotient, OctalGame, nim_sum
from ggp.theory.periodic import proved_period

SMALL = 1_024
"""Runs below this size are valued without a period."""

MOST_MOVES = 200
"""Winning moves that are listed."""

Move = tuple[int, int, tuple[int, ...]]
"""The number of a run, how many tokens are taken from it, and the runs that are left of it."""


@dataclass(frozen=True)
class RowSum:
    """Runs of tokens of some `sizes`, on a row with room for them, solved.

    Each is a heap of `game`. `quotient`: under misère play.
    """

    row: Row
    game: OctalGame
    sizes: tuple[int, ...]
    sides: Sides
    quotient: HeapQuotient | None = None

    @property
    def nim_values(self) -> tuple[int, ...] | None:
        """The nim-value of each run, under normal play."""
        if self.quotient:
            return None
        return tuple(self.game.nim_value(size) for size in self.sizes)

    @property
    def outcome(self) -> str:
        """`N` where who is to move wins, `P` where the other does, or `draw`, as goals tell."""
        return self.sides.told(self._last(self.sizes)).outcome

    def _last(self, sizes: Sequence[int]) -> str:
        """`N` where who is to move has the better of their two ends, else `P`."""
        look("runs of tokens")
        if self.quotient:
            with found_or_limit():
                return self.quotient.outcome([(0, size) for size in sizes])
        return "N" if nim_sum(map(self.game.nim_value, sizes)) else "P"

    @property
    def period(self) -> tuple[int, int] | None:
        """From where and after how many sizes the values, or under misère play the elements,
        repeat for ever; None where that is not known."""
        if self.quotient is None:
            if max(self.sizes, default=0) >= SMALL:
                return self.game.preperiod, self.game.period
            # Small runs are answered at once, whether the code has a known period or not.
            return proved_period(self.game.nim_values(SMALL), self.game.most)
        found = self.quotient.periods()
        return found[0] if found else None

    def moves(self) -> Iterator[Move]:
        """All moves, of those that break a large run just as many as differ by the period."""
        known = self.period if max(self.sizes, default=0) >= SMALL else None
        for i, size in enumerate(self.sizes):
            for taken, digit in enumerate(self.row.digits[: size + 1]):
                left = size - taken
                if digit & 1 and not left:
                    yield i, taken, ()
                if digit & 2 and left:
                    yield i, taken, (left,)
                if digit & 4:
                    far = left // 2
                    for one in range(1, min(far, sum(known)) + 1 if known else far + 1):
                        yield i, taken, (one, left - one)

    def winning(self) -> Iterator[Move]:
        """Those of the moves after which the other role loses."""
        for i, taken, left in self.moves():
            if self._last((*self.sizes[:i], *left, *self.sizes[i + 1 :])) == "P":
                yield i, taken, left

    def as_json(self) -> dict[str, Any]:
        """The answer as plain data, as of heaps: each run is one."""
        last, values, period = self._last(self.sizes), self.nim_values, self.period
        monoid = self.quotient and self.quotient.monoid
        made = self.winning() if last == "N" else self.moves()
        best = list(islice(made, MOST_MOVES))
        return {
            **asdict(self.sides.told(last)),
            "to_move": self.sides.mover,
            "nim_value": None if values is None else nim_sum(values),
            "genus": None,
            "quotient": monoid and {"order": monoid.order, "lost": len(monoid.lost)},
            "octal_code": self.row.code,
            "listed": [],
            "heaps": [
                {
                    "heap": self.row.pattern,
                    "size": size,
                    "reading": None,
                    "nim_value": values and values[i],
                    "genus": None,
                    "subtraction_set": [],
                    "least_amount": None,
                    "floor": 0,
                    "preperiod": period and period[0],
                    "period": period and period[1],
                }
                for i, size in enumerate(self.sizes)
            ],
            "best": [
                {"heap": self.row.pattern, "take": taken, "from": self.sizes[i], "leaves": [*left]}
                for i, taken, left in best
            ],
        }


@dataclass(frozen=True)
class AnyRow:
    """A sheet's row of tokens, of which it is proved that every run is a heap of an octal game,
    however long the row. `play`: `normal` or `misère`, after goals were exchanged if `misere`.
    """

    game: Game
    row: Row
    play: str
    misere: bool

    def of(self, sizes: Sequence[int], mover: str | None = None) -> RowSum:
        """The position with runs of these sizes, this role being to move, by default that of the
        start.

        Raises `InputError` for sizes that are none, `NotSolvable` for large ones of a code without
        a known period, `LimitReached`.
        """
        if min(sizes, default=0) < 0:
            raise InputError(f"{self.row.pattern}: no run of {min(sizes)} tokens")
        game, sides = OctalGame(self.row.code, look), Sides.of(self.game, mover, misere=self.misere)
        if self.play == MISERE:
            quotient = HeapQuotient([game], max_sums=MAX_SUMS, look=look)
            return RowSum(self.row, game, tuple(sizes), sides, quotient)
        if max(sizes, default=0) >= SMALL:
            try:
                game.nim_value(max(sizes))
            except ValueError as error:
                raise NotSolvable(f"rows of any length: {error}") from None
        return RowSum(self.row, game, tuple(sizes), sides)


def any_row(game: Game, budget: Budget | None = None, *, misere: bool = False) -> AnyRow:
    """The row of tokens of a sheet, for every length; `misere` exchanges the goals at the end.

    Raises `NotSolvable` where it is not proved that the game is impartial, of one form of play, and
    follows one octal code on every longer row.
    """
    budget = budget or Budget(game.limits)
    found = _row_of(game, budget, misere=misere)
    if found is None:
        raise NotSolvable("rows of any length: no octal code is proved for every longer row")
    return found


def _row_of(game: Game, budget: Budget, *, misere: bool) -> AnyRow | None:
    if len(game.roles) == 2 and game.chance is None and game.initial.control is not None:
        with game.within(budget):
            own = form_of(game, budget)
            play = under(own, misere=misere)
            row = play and row_of_any_length(
                game, budget, lambda longer: is_as_told(longer, game, own, budget)
            )
        if play and row:
            return AnyRow(game, row, play, misere)
    budget.check("octal codes")
    return None


def any_sum(game: Game, budget: Budget | None = None, *, misere: bool = False) -> AnyHeaps | AnyRow:
    """The heaps of a sheet (see `any_heaps`), or else its row of tokens; raises `NotSolvable` with
    what there is to say of heaps."""
    budget = budget or Budget(game.limits)
    try:
        return any_heaps(game, budget, misere=misere)
    except NotSolvable:
        ground = game if game.is_ground else Game(game.rules, game.limits)
        found = _row_of(ground, budget, misere=misere)
        if found is None:
            raise
        return found
