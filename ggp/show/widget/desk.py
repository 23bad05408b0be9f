"""A game in progress as a page shows it, and what the page may ask for.

Messages come from the page, which anybody may have written: what is not understood is not done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ggp.errors import GgpError, InputError, LimitReached
from ggp.game import State
from ggp.kif import Term
from ggp.play.advice import Worth
from ggp.play.sitting.sitting import MAX_FORCED, Sitting
from ggp.show.board import Scene, scene_svg
from ggp.show.board.clicking import Spot, click, complete, offered, targets
from ggp.show.board.model import Board
from ggp.show.board.scene import Move
from ggp.show.moves import move_text
from ggp.show.widget import telling

MAX_LISTED = 5_000
"""Moves that a page is told of; clicks make them fewer."""

HIDDEN = "The rules hide things from players; here all is shown, to the machine too."


class WidgetDesk:
    """Shows a sitting, and does with it what messages ask for.

    `turn` is the number of the moment: a message holds the one it was made for. `heard` is how many
    messages there were. `picture` is SVG, empty where nothing can be drawn.
    """

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self.turn, self.heard, self.picture = 0, 0, ""
        self._role: str | None = None
        self._moves: tuple[Move, ...] = ()
        self._boards: tuple[Board, ...] = ()
        self._clicked: tuple[Spot, ...] = ()
        self._worth: dict[Term, Worth] = {}
        self._fault = ""
        self._said = HIDDEN if sitting.game.has_percepts else ""
        self._is_held = False  # The machine does not move before it is told to.
        self._deeds: dict[str, Callable[[Mapping[Any, Any]], None]] = {
            "click": self._click,
            "move": self._move,
            "go": self._go,
            "hint": self._hint,
            "undo": self._undo,
            "restart": self._restart,
        }
        self._look()

    @property
    def state(self) -> State:
        """The state that is shown."""
        return self._sitting.state

    @property
    def history(self) -> list[dict[str, Term]]:
        """The joint moves that have been made, those without a choice too."""
        return [dict(step.joint) for step in self._sitting.history]

    @property
    def view(self) -> dict[str, Any]:
        """What a page is told beside the picture: plain data, its texts fit to be shown as text."""
        moves = telling.listed(self._moves, self._clicked, self._worth)
        return {
            "turn": self.turn,
            "heard": self.heard,
            "status": self._fault or telling.status(self._sitting, self._role),
            "last": telling.last(self._sitting),
            "said": telling.line(self._said),
            "moves": moves[:MAX_LISTED],
            "more": max(0, len(moves) - MAX_LISTED),
            "clicked": self._numbered(self._clicked),
            "targets": self._numbered(targets(self._moves, self._clicked)),
            "worths": self._worths(),
            "waits": self._role is not None and not self._is_yours,
            "paused": bool(self._fault) or self._is_held,
            "position": "" if self.picture else telling.position(self.state),
        }

    def take(self, message: object) -> None:
        """Do what a message asks for, or say why not.

        Messages: `{"do": "click", "board": 0, "place": 4}`, `{"do": "move", "move": 2}` (a number
        of a move), `{"do": "go"}` (the machine's move), and `hint`, `undo` and `restart`; each with
        the `turn` that it is made for.
        """
        self.heard += 1
        try:
            deed, asked = self._understood(message)
            if asked.get("turn") == self.turn:
                self._said = ""
                deed(asked)
            elif deed != self._go:
                raise InputError("something else has happened since: nothing was done")
        except GgpError as error:
            self._said = telling.line(error)

    def _understood(
        self, message: object
    ) -> tuple[Callable[[Mapping[Any, Any]], None], Mapping[Any, Any]]:
        if isinstance(message, Mapping):
            name, turn = message.get("do"), message.get("turn")
            if isinstance(name, str) and name in self._deeds and type(turn) is int:
                return self._deeds[name], message
        raise InputError("a message of the page was not understood: nothing was done")

    # What may be asked for.

    def _click(self, asked: Mapping[Any, Any]) -> None:
        if not self._moves:
            raise InputError("nobody is to move here")
        board = _number(asked, "board", len(self._boards))
        places = list(self._boards[board].numbers)
        spot = board, places[_number(asked, "place", len(places))]
        self._clicked = click(self._moves, self._clicked, spot)
        found = complete(self._moves, self._clicked)
        if len(found) == 1:
            self._choose(found[0].text)
        elif not self._clicked:
            self._said = "no move begins there"
        else:
            self._said = "several moves are meant: choose one" if found else "where to?"

    def _move(self, asked: Mapping[Any, Any]) -> None:
        self._choose(self._moves[_number(asked, "move", len(self._moves))].text)

    def _go(self, asked: Mapping[Any, Any]) -> None:
        """Let the machine move, if it is its turn."""
        if self._role is None or self._is_yours:
            return
        self._fault, self._is_held = "", False
        try:
            move = self._sitting.think(self._role)
        except KeyboardInterrupt:
            self._fault = "thinking was interrupted"
        except GgpError as error:
            self._fault = telling.line(error)
        else:
            self._choose(move)

    def _hint(self, asked: Mapping[Any, Any]) -> None:
        if self._role is None or not self._is_yours:
            raise InputError("there is no move to choose")
        try:
            advice = self._sitting.advice(self._role)
        except KeyboardInterrupt:
            raise InputError("thinking was interrupted") from None
        self._worth = {worth.move: worth for worth in advice.moves}
        self._said = f"best: {move_text(advice.best)} ({advice.why}); = is exact, ≈ an estimate"

    def _undo(self, asked: Mapping[Any, Any]) -> None:
        if self._sitting.undo():
            self._look()
        else:
            self._said = "nothing to undo"

    def _restart(self, asked: Mapping[Any, Any]) -> None:
        self._sitting.restart()
        self._look()

    def _choose(self, move: Term) -> None:
        """Choose a move for the role that is waited for."""
        assert self._role is not None
        try:
            self._sitting.choose(self._role, move)
        finally:
            self._look()

    # What is to be shown.

    def _look(self) -> None:
        """See where the game is; `_fault` says why it does not go on, if it does not."""
        self.turn += 1
        self._is_held = False
        self._clicked, self._worth = (), {}
        self._role, self._fault = None, ""
        try:
            self._role = self._waited_for()
        except GgpError as error:
            self._fault = telling.line(error)
        asked = self._role if self._is_yours else None
        scene, self._moves = offered(self._sitting.state, self._sitting.before, asked)
        self._boards = scene.grounds if scene else ()
        self.picture = _picture(scene) if scene else ""

    def _waited_for(self) -> str | None:
        """The role that is to choose next, once chance has."""
        chance, sitting = self._sitting.game.chance, self._sitting
        for _ in range(MAX_FORCED):
            role = sitting.waits_for()
            if role is None or sitting.game.role_index(role) != chance:
                return role
            sitting.choose(role, sitting.think(role))
        raise LimitReached("plies", MAX_FORCED, "chance plays itself, and play does not end")

    @property
    def _is_yours(self) -> bool:
        return self._role in self._sitting.people

    def _worths(self) -> list[list[Any]]:
        """What the best move through each place that can be clicked is worth, where known; places
        of one group, such as a column, are all the same to click."""
        if not self._worth:
            return []
        best = telling.best_through(self._moves, self._clicked, self._worth)
        return [
            [board, self._boards[board].numbers[key], worth, group]
            for (board, key), worth, group in best
        ]

    def _numbered(self, spots: tuple[Spot, ...] | set[Spot]) -> list[list[int]]:
        return sorted([board, self._boards[board].numbers[key]] for board, key in spots)


def _number(asked: Mapping[Any, Any], name: str, end: int) -> int:
    """A number of a message, from 0 up to before `end`."""
    found = asked.get(name)
    if type(found) is not int or not 0 <= found < end:
        raise InputError(f"there is no such {name}: nothing was done")
    return found


def _picture(scene: Scene) -> str:
    """The scene without whose turn it is, which stands above it."""
    return scene_svg(replace(scene, turn=None))
