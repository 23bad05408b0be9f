"""Whether positions of a game have values: five conditions, on boards of moves by either role."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.claims import cyclic, form, turns
from ggp.analysis.outcomes import goals_of_form, goals_of_the_rules
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.errors import LimitReached
from ggp.game import Game
from ggp.machine import NO_GOAL, Space
from ggp.solver.valued.moves import LEFT, RIGHT, NoValue


def is_proved(proofs: Proofs) -> bool:
    """Whether the conditions follow from the rules, for every board on which the groups hold that
    the proofs rest on.

    The marker alternates and can be given away (1); a sum falls with every move of either role, so
    that moves change the board (2) and none comes up twice (5); play ends just where the role to
    move cannot move, and loses (4).
    """
    if proofs.boards is None:
        return False
    try:
        ends = form.prove(proofs, cheap=False)
        if ends is None or ends.value != "normal" or not turns.is_passed_on(proofs, cheap=False):
            return False
        return cyclic.on_boards(proofs)
    except LimitReached:
        return False


def require_players(game: Game) -> None:
    """That the game is of two players, without chance, and ground; raises `NoValue`."""
    if len(game.roles) != 2 or game.chance is not None:
        raise NoValue("condition 1: values are of games of two players without chance")
    game.net  # noqa: B018 - raises where the rules could not be ground


def require_two(game: Game) -> None:
    """Conditions 1 and 4, as far as they are about the game as a whole; raises `NoValue`, and
    `LimitReached` where it was not found in time what tells whose turn it is."""
    if game.marker is None and game.unfinished:
        raise game.unfinished
    if game.marker is None:
        why = "condition 1: nothing tells whose turn it is that could be given to either player"
        raise NoValue(why)
    for role, goals in zip(game.roles, goals_of_the_rules(game), strict=True):
        if len(goals) < 2:
            what = "the same goal whenever play ends" if goals else "no goal"
            raise NoValue(f"condition 4: {role} has {what}")


def require_legitimate(
    game: Game, positions: Positions, facts: Callable[[int], tuple[str, ...]]
) -> None:
    """Conditions 1, 2 and 4 on every board with either role to move; raises `NoValue`.

    `facts` are those of a position by its place. Condition 5 shows when boards are put in order.
    """
    space, (board, _) = positions.either, positions.boards
    mover = positions.marked(space)
    places = np.arange(len(space))

    def require(holds: NDArray[np.bool_], why: str) -> None:
        if not holds.all():
            raise NoValue(why, facts(int(np.flatnonzero(~holds)[0])))

    require(mover >= 0, "condition 1: a position in which nothing tells whose turn it is")
    going = ~space.terminal
    waiting = space.legal_counts[places, 1 - mover]
    require(~going | (waiting < 2), "condition 1: the player who is not to move has a choice")
    require(~going | (waiting > 0), "condition 1: the player who is not to move has no move at all")
    turned = np.ones(len(space), dtype=np.bool_)
    turned[space.source[mover[space.target] == mover[space.source]]] = False
    require(turned, "condition 1: a move after which the same player is to move")
    passing = np.ones(len(space), dtype=np.bool_)
    passing[space.source[board[space.source] == board[space.target]]] = False
    require(passing, "condition 2: a move that leaves the board as it is")
    can = space.legal_counts[places, mover] > 0
    require(~going | can, "condition 4: the player to move has no move, and the game is not over")
    _require_losses(game, space, mover, require)


def _require_losses(
    game: Game,
    space: Space,
    mover: NDArray[np.int16],
    require: Callable[[NDArray[np.bool_], str], None],
) -> None:
    """At every end the player to move has lost."""
    of_rules = goals_of_the_rules(game)
    lost = np.ones(len(space), dtype=np.bool_)
    for role in (LEFT, RIGHT):
        wanted = goals_of_form(of_rules, role, loses=True)
        own = space.terminal & (mover == role)
        right = np.zeros(len(space), dtype=np.bool_)
        if wanted is not None:
            right = (space.goals == np.array(wanted)).all(axis=1) & (space.goals > NO_GOAL).all(
                axis=1
            )
        lost &= ~own | right
    require(lost, "condition 4: an end of play at which the player to move has not lost")
