"""What was played at a table: a tree of moves, of which one line is shown.

A step is written as one number: that of the joint move among all, the last role's move changing
first. So a line is short enough to be part of an address.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ggp.errors import InputError
from ggp.game import State
from ggp.kif import Term
from ggp.play.sitting.sitting import Step, choices
from ggp.show.moves import move_text

MAX_STEPS = 5_000
"""Of a line that is asked for."""

MAX_NODES, MAX_LISTED = 20_000, 400
"""Steps that are remembered; of one line that are shown."""

Path = tuple[int, ...]


def number_of(state: State, joint: Sequence[Term]) -> int:
    """A joint move, in the order of the roles, as a number.

    >>> import ggp
    >>> state = ggp.load("games/nim/rows.kif.jinja", rows=2).initial
    >>> number_of(state, moves_of(state, 1))
    1
    """
    found = 0
    for role, move in zip(state.game.roles, joint, strict=True):
        legal = state.legal(role)
        found = found * len(legal) + legal.index(move)
    return found


def moves_of(state: State, number: int) -> list[Term]:
    """The joint move of that number; raises `InputError` where there is none."""
    found = []
    for role in reversed(state.game.roles):
        legal = state.require_legal(role)
        number, own = divmod(number, len(legal))
        found.append(legal[own])
    if number:
        raise InputError("the line is not of this game: there is no such move")
    return found[::-1]


def states_along(start: State, path: Path) -> tuple[list[list[Term]], list[State]]:
    """The joint moves of a line, and the states before each and after all.

    Raises `InputError` where it is not a line of play.
    """
    if len(path) > MAX_STEPS:
        raise InputError(f"a line has {MAX_STEPS:,} steps at the most")
    moves, states = [], [start]
    for number in path:
        if number < 0 or states[-1].terminal:
            raise InputError("the line is not of this game: it goes on after the end")
        joint = moves_of(states[-1], number)
        moves.append(joint)
        states.append(states[-1].play(dict(zip(start.game.roles, joint, strict=True))))
    return moves, states


class Tree:
    """The lines that were played from one state; `path` is where the game stands."""

    def __init__(self) -> None:
        self.path: Path = ()
        self._texts: dict[Path, str] = {(): ""}
        self._after: dict[Path, list[Path]] = {}

    def note(self, history: Sequence[Step]) -> None:
        """Let the game stand at the end of these steps."""
        path: Path = ()
        for step in history:
            joint = [step.joint[role] for role in step.before.game.roles]
            following = (*path, number_of(step.before, joint))
            if following not in self._texts and len(self._texts) < MAX_NODES:
                self._texts[following] = _text(step)
            # The way that was gone last is the one that is shown.
            others = [own for own in self._after.get(path, []) if own != following]
            self._after[path] = [following, *others]
            path = following
        self.path = path

    def shown(self) -> list[dict[str, Any]]:
        """The line through where the game stands, and on as it went last; beside each step the
        others that were made there. Each with its path, and whether the game has `passed` it.
        Of a long line the steps around where the game stands."""
        found = list[dict[str, Any]]()
        path: Path = ()
        while self._after.get(path):
            following, *others = self._after[path]
            found.append(
                {
                    **self._told(following),
                    "passed": self.path[: len(following)] == following,
                    "others": [self._told(other) for other in others],
                }
            )
            path = following
        first = max(0, min(len(self.path) - MAX_LISTED // 2, len(found) - MAX_LISTED))
        return found[first : first + MAX_LISTED]

    def _told(self, path: Path) -> dict[str, Any]:
        return {"path": written(path), "text": self._texts.get(path, "…")}


def written(path: Path) -> str:
    """A line as part of an address."""
    return ".".join(map(str, path))


def read(text: str) -> Path:
    """The line that is written so; raises `InputError` for anything else."""
    parts = text.split(".") if text else []
    if not all(part.isascii() and part.isdecimal() and len(part) < 16 for part in parts):
        raise InputError("the address holds no line of play")
    return tuple(map(int, parts))


def _text(step: Step) -> str:
    """A step by the moves that were chosen between several, or else by all."""
    chosen = choices(step) or step.joint
    return " / ".join(move_text(move) for move in chosen.values())
