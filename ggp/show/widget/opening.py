"""What `Game.widget` makes."""

from __future__ import annotations

from collections.abc import Collection
from math import isfinite
from typing import TYPE_CHECKING

from ggp.errors import InputError, UnknownName
from ggp.game import Game, State
from ggp.play.sitting.levels import MOST, strong
from ggp.play.sitting.sitting import Sitting
from ggp.show.board import require_override
from ggp.show.widget.desk import WidgetDesk

if TYPE_CHECKING:
    from ggp.show.widget.page import GameWidget


def widget(
    game: Game, state: State | None, seats: Collection[str] | None, seconds: float
) -> GameWidget:
    """A widget to play a game with; takes and raises what `Game.widget` does."""
    try:
        from ggp.show.widget.page import GameWidget
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("ggp"):
            raise
        raise InputError("a widget needs anywidget: pip install 'ggp[notebook]'") from None
    return GameWidget(WidgetDesk(sitting_of(game, state, seats, seconds)))


def sitting_of(
    game: Game, state: State | None, seats: Collection[str] | None, seconds: float
) -> Sitting:
    """The game in progress behind a widget."""
    if not isfinite(seconds) or not 0 <= seconds <= MOST:
        raise InputError(f"the machine thinks for 0 to {MOST:g} seconds")
    require_override(game)
    people = game.players if seats is None else _people(game, seats)
    return Sitting(game, people, strong(seconds), _start(game, state))


def _people(game: Game, seats: Collection[str]) -> tuple[str, ...]:
    if isinstance(seats, str):
        raise TypeError('people play a list of roles: widget(seats=["left"])')
    people = tuple(game.roles[game.role_index(role)] for role in seats)
    chance = sorted({*people} - {*game.players})
    if chance:
        raise UnknownName(f"{chance[0]} plays by chance, and nobody else can")
    return people


def _start(game: Game, state: State | None) -> State:
    if state is None:
        return game.initial
    if not isinstance(state, State):
        raise TypeError(f"a widget shows a State, not something of type {type(state).__name__}")
    return state if state.game is game else game.state(state.facts)
