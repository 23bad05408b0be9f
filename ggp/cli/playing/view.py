"""What a screen shows of a sitting: made where the rules are evaluated, shown elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from rich.text import Text

from ggp.cli.playing import wording
from ggp.cli.playing.wording import ONLY
from ggp.errors import GgpError
from ggp.play.sitting.sitting import Sitting, choices, forced, idle
from ggp.show.board import Scene
from ggp.show.board.clicking import offered
from ggp.show.board.scene import Move
from ggp.show.moves import move_text, result_text

MAX_LOG = 200
"""Steps that are told of."""


@dataclass(frozen=True)
class SittingView:
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


def view_of(sitting: Sitting) -> SittingView:
    """What is to be shown now; raises what evaluating the rules raises."""
    role = sitting.waits_for()
    is_yours = role in sitting.people
    scene, moves = offered(sitting.state, sitting.before, role if is_yours else None)
    if scene:
        moves = tuple(_on_boards(move, len(scene.boards)) for move in moves)
    return SittingView(
        scene,
        Text() if scene else wording.facts_text(sitting),
        None if role is None else wording.role_text(sitting, role),
        is_yours,
        moves,
        wording.seats_text(sitting),
        tuple(_log(sitting)),
        str(sitting.level),
        _result(sitting) if role is None else "",
        len(sitting.history),
    )


def _on_boards(move: Move, boards: int) -> Move:
    """A move with the clicks alone that a screen has cells for: it has none for piles."""
    clicks = tuple(takewhile(lambda own: own[0] < boards, move.clicks))
    return replace(move, clicks=clicks)


def _result(sitting: Sitting) -> str:
    try:
        return result_text(sitting.state)
    except GgpError as error:
        return f"The game is over: {str(error).splitlines()[0]}"


def _log(sitting: Sitting) -> list[Text]:
    """The last steps, without moves that are only a wait."""
    first, waits = max(0, len(sitting.history) - MAX_LOG), idle(sitting.history)
    lines = []
    for number, step in enumerate(sitting.history[first:], first + 1):
        for role, move in (choices(step) or forced(step, waits)).items():
            name = wording.role_text(sitting, role)
            only = "" if choices(step) else ONLY
            lines.append(Text.assemble(f"{number}. ", name, f" {move_text(move)}{only}"))
    return lines
