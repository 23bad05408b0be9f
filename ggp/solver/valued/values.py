"""The values of a game by whichever way applies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, overload

from ggp.analysis.positions import Positions
from ggp.errors import LimitReached, NotSolvable
from ggp.game import Game, State
from ggp.limits import Budget, look
from ggp.machine import Progress
from ggp.solver.valued.atlas import AnyBoards
from ggp.solver.valued.boards import BoardValues
from ggp.solver.valued.ended import EndedBoard, ended
from ggp.solver.valued.legitimacy import is_proved, require_players, require_two
from ggp.solver.valued.pieces import PieceValues
from ggp.theory import GameLimit, limited

MAX_GAMES = 4_000_000
"""New games that one question may make."""


@contextmanager
def _bounded() -> Iterator[None]:
    """While this lasts, arithmetic of games looks at the accounts that are in force."""
    try:
        with limited(games=MAX_GAMES, look=lambda: look("arithmetic of games")):
            yield
    except GameLimit as error:
        raise LimitReached("games", MAX_GAMES, str(error)) from error


@overload
def values(
    game: Game,
    start: State | None = None,
    *,
    every: Literal[True],
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> BoardValues | EndedBoard: ...


@overload
def values(
    game: Game,
    start: State | None = None,
    *,
    every: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> BoardValues | PieceValues | EndedBoard: ...


def values(
    game: Game,
    start: State | None = None,
    *,
    every: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> BoardValues | PieceValues | EndedBoard:
    """The value of `start`, by default of the first position, and of its moves.

    A state may be of a game with more ground rules (`Game.covering`), which is looked at then.

    Where the conditions are proved from the rules, by the pieces that positions fall into; else, or
    if `every` board is asked for, all boards that moves of either role lead to are enumerated, and
    the conditions are looked at on each of them. Raises `NoValue` where a condition fails,
    `LimitReached` where a limit is.
    """
    account = budget or Budget(game.limits)
    game = start.game if start else game
    root = (start or game.initial).bits
    with game.within(account), _bounded():
        require_players(game)
        over = ended(game, start or game.initial)
        if over is not None:
            return over
        require_two(game)
        positions = Positions(game, account, progress, [root])
        if not every and is_proved(positions.proofs):
            found = PieceValues(game, positions.proofs, root, account, progress)
            if found.may_arise:
                return found
        return BoardValues(game, positions)


def any_boards(
    game: Game,
    start: State | None = None,
    *,
    few: tuple[int, int] | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> AnyBoards:
    """The values of all boards that the rules admit, whether moves of `start` lead there or not,
    or of those on which at most so many fluents of a set, given as bits, hold.

    Those before a limit was reached, which the result tells. Raises `NotSolvable` where the
    conditions are not proved for all of them, `NoValue` where one fails, `LimitReached` where the
    value of `start` itself meets a limit.
    """
    account = budget or Budget(game.limits)
    game = start.game if start else game
    found = values(game, start, budget=account, progress=progress)
    if not isinstance(found, PieceValues):
        why = "the conditions are not proved for any board; of those that moves lead to they hold"
        raise NotSolvable(why)
    with game.within(account), _bounded():
        return AnyBoards(found, account, few)
