"""What was played at a table: a tree of moves, of which one line is shown.

A step is written as one number: that of the joint move among all, the last role's move changing
first. So a line is short enough to be part of an address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Any

from ggp.errors import InputError
from ggp.game import State
from ggp.kif import Term
from ggp.play.sitting.sitting import SittingStep, choices
from ggp.show.moves import move_text

MAX_STEPS = 5_000
"""Of a line that is asked for."""

MAX_NODES, MAX_LISTED = 20_000, 400
"""Steps whose moves are remembered; of one line that are shown."""

LEAST_LISTED, MAX_TOLD = 20, 400_000
"""Steps of a long line that are shown; characters of their paths, about."""

MAX_DIGITS = 100
"""Of a joint move's number: where many choose at once it is large."""

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


@dataclass
class _Node:
    """A step, and the steps made after it: the one that was gone last is the first."""

    number: int = 0
    text: str = ""
    after: list[_Node] = field(default_factory=list)


class LineTree:
    """The lines that were played from one state; `path` is where the game stands."""

    def __init__(self) -> None:
        self.path: Path = ()
        self._root = _Node()
        self._count = 0
        self._line: list[tuple[SittingStep, _Node]] = []

    def note(self, history: Sequence[SittingStep]) -> None:
        """Let the game stand at the end of these steps."""
        known = sum(1 for _ in takewhile(_is_same, zip(self._line, history, strict=False)))
        del self._line[known:]
        node = self._line[-1][1] if self._line else self._root
        for step in history[known:]:
            node = self._gone(node, step)
            self._line.append((step, node))
        self.path = tuple(node.number for _, node in self._line)

    def _gone(self, node: _Node, step: SittingStep) -> _Node:
        """The node after one more step, which is the one that was gone last now."""
        joint = [step.joint[role] for role in step.before.game.roles]
        number = number_of(step.before, joint)
        found = next((own for own in node.after if own.number == number), None)
        if found is None:
            self._count += 1
            found = _Node(number, _text(step) if self._count <= MAX_NODES else "…")
        node.after[:] = [found, *(own for own in node.after if own is not found)]
        return found

    def shown(self) -> list[dict[str, Any]]:
        """The line through where the game stands, and on as it went last; beside each step the
        others that were made there. Each with its path, and whether the game has `passed` it.
        Of a long line the steps around where the game stands."""
        nodes = [self._root]
        while nodes[-1].after:
            nodes.append(nodes[-1].after[0])
        path, stands = tuple(node.number for node in nodes[1:]), len(self.path)
        most = max(LEAST_LISTED, min(MAX_LISTED, MAX_TOLD // (len(written(path)) + 1)))
        first = max(0, min(stands - most // 2, len(path) - most))
        return [
            {
                **_told(path[:place], own),
                "passed": place < stands,
                "others": [_told(path[:place], other) for other in node.after[1:]],
            }
            for place, (node, own) in enumerate(pairwise(nodes))
            if first <= place < first + most
        ]


def _is_same(pair: tuple[tuple[SittingStep, _Node], SittingStep]) -> bool:
    (known, _), step = pair
    return known is step


def _told(before: Path, node: _Node) -> dict[str, Any]:
    return {"path": written((*before, node.number)), "text": node.text}


def written(path: Path) -> str:
    """A line as part of an address."""
    return ".".join(map(str, path))


def read(text: str) -> Path:
    """The line that is written so; raises `InputError` for anything else."""
    parts = text.split(".") if text else []
    if not all(part.isascii() and part.isdecimal() and len(part) <= MAX_DIGITS for part in parts):
        raise InputError("the address holds no line of play")
    return tuple(map(int, parts))


def _text(step: SittingStep) -> str:
    """A step by the moves that were chosen between several, or else by all."""
    chosen = choices(step) or step.joint
    return " / ".join(move_text(move) for move in chosen.values())
