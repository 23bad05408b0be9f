"""What a screen shows of a sitting: made where the rules are evaluated, shown elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from ggp.cli.playing import wording
from ggp.cli.playing.sitting import Sitting, choices
from ggp.errors import GgpError
from ggp.show.board import Scene, scene_of
from ggp.show.board.scene import Move

MAX_LOG = 200
"""Steps that are told of."""

MAX_CLICKED = 20_000
"""Moves of a state beyond which cells are not asked for: the list is there."""


@dataclass(frozen=True)
class View:
    """A moment of a sitting. `role`: whose move it is, None at the end; `is_yours`: whether a
    person plays it. `scene` is None where nothing can be drawn, and `position` then tells it."""

    scene: Scene | None
    position: Text
    role: Text | None
    is_yours: bool
    moves: tuple[Move, ...]
    seats: Text
    log: tuple[Text, ...]
    level: str
    result: str
    count: int


def view_of(sitting: Sitting) -> View:
    """What is to be shown now; raises what evaluating the rules raises."""
    role = sitting.waits_for()
    is_yours = role in sitting.people
    scene, position = None, Text()
    asked = bool(role and is_yours)
    legal = sitting.state.legal(role) if role and asked else ()
    try:
        with_clicks = asked and len(legal) <= MAX_CLICKED
        scene = scene_of(sitting.state, sitting.before, moves=with_clicks)
    except GgpError:
        position = wording.facts_text(sitting)
    own = None if role is None else sitting.game.roles.index(role)
    moves = tuple(move for move in scene.moves if move.role == own) if scene else ()
    if own is not None and not moves:
        moves = tuple(Move(own, move, ()) for move in legal)
    return View(
        scene,
        position,
        None if role is None else wording.role_text(sitting, role),
        is_yours,
        moves if asked else (),
        wording.seats_text(sitting),
        tuple(_log(sitting)),
        str(sitting.level),
        _result(sitting) if role is None else "",
        len(sitting.history),
    )


def _result(sitting: Sitting) -> str:
    try:
        return wording.result_text(sitting)
    except GgpError as error:
        return f"The game is over: {str(error).splitlines()[0]}"


def _log(sitting: Sitting) -> list[Text]:
    """The last steps, as far as anybody chose."""
    first = max(0, len(sitting.history) - MAX_LOG)
    lines = []
    for number, step in enumerate(sitting.history[first:], first + 1):
        for role, move in choices(step).items():
            name = wording.role_text(sitting, role)
            lines.append(Text.assemble(f"{number}. ", name, f" {wording.move_text(move)}"))
    return lines
