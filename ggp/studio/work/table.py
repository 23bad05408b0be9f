"""A table: one game in progress, as one page of the studio shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ggp.errors import InputError
from ggp.limits import Budget
from ggp.show.board import require_override
from ggp.show.turns import require_turn
from ggp.show.widget.desk import WidgetDesk
from ggp.studio.bodies import is_names
from ggp.studio.work.line import LineTree, read, states_along, written
from ggp.studio.work.orders import Opening
from ggp.studio.work.places import state_of, text_of
from ggp.studio.work.seats import SEATS, SeatedSitting
from ggp.studio.work.sheets import LIMITS, game_of

LOOK = {"do": "look"}
"""Asks what is shown, and changes nothing."""

SECONDS = 10.0
"""For setting up a line of play."""


class StudioDesk(WidgetDesk):
    """A desk that can go to any position that was met, and change who plays."""

    def __init__(self, sitting: SeatedSitting) -> None:
        self.tree = LineTree()
        super().__init__(sitting)
        self._seated = sitting
        more: dict[str, Callable[[Mapping[Any, Any]], None]] = {
            "visit": self._visit,
            "seats": self._seats,
        }
        self._deeds.update(more)
        self.tree.note(sitting.history)

    @property
    def answer(self) -> dict[str, Any]:
        """All that a page shows."""
        self.tree.note(self._seated.history)
        sitting = self._seated
        return {
            "picture": self.picture,
            "view": self.view,
            "line": self.tree.shown(),
            "path": written(self.tree.path),
            "seats": sitting.seats,
            "seconds": sitting.level.seconds,
            "players": list(SEATS),
            "roles": list(sitting.game.roles),
            "over": self.state.terminal,
        }

    def visit(self, text: str) -> None:
        """Go to where a line of play leads; raises `InputError` where that is nowhere."""
        sitting = self._seated
        with Budget(replace(LIMITS, seconds=SECONDS)).in_force():
            moves, states = states_along(sitting.start, read(text))
        sitting.history.clear()
        sitting.pending.clear()
        sitting.replayed([list(map(str, joint)) for joint in moves], states)
        self._look()
        # Who looks at a position wants to see it, also where it is the machine's turn.
        self._is_held = True

    def _visit(self, asked: Mapping[Any, Any]) -> None:
        path = asked.get("path")
        if not isinstance(path, str):
            raise InputError("a message of the page was not understood: nothing was done")
        self.visit(path)

    def _seats(self, asked: Mapping[Any, Any]) -> None:
        seats, seconds = asked.get("seats"), asked.get("seconds")
        if not is_names(seats) or not isinstance(seconds, int | float):
            raise InputError("a message of the page was not understood: nothing was done")
        self._seated.seat(seats, float(seconds))
        self._look()


class Dealer:
    """Answers the orders of one table: an `Opening`, then messages as of `WidgetDesk.take`."""

    def __init__(self) -> None:
        self._desk: StudioDesk | None = None

    def __call__(self, order: object) -> dict[str, Any]:
        """What is to be shown after an order."""
        if isinstance(order, Opening):
            self._desk = opened(order)
        elif self._desk is None:
            raise InputError("there is no game on this table")
        elif order != LOOK:
            self._desk.take(order)
        return self._desk.answer


def opened(order: Opening) -> StudioDesk:
    """The desk that an order asks for."""
    game = game_of(order.sheet)
    facts = text_of({"start": order.start}, "start").strip()
    with Budget(LIMITS).in_force():
        start = state_of(game, facts)
        if facts:
            require_turn(start, "the address")
        game = start.game
        require_override(game)
        sitting = SeatedSitting(game, order.seats, order.seconds, start)
        desk = StudioDesk(sitting)
        if order.line:
            desk.visit(order.line)
        return desk
