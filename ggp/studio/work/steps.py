"""The steps of a match as a page shows them: moves, faults, and pictures while there is room."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ggp.errors import GgpError, LimitReached
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.match.records import Record
from ggp.show.board import scene_of, scene_svg
from ggp.show.board.words import name_of
from ggp.show.moves import move_text
from ggp.show.widget import telling
from ggp.studio.work.line import MAX_DIGITS, number_of
from ggp.studio.work.sheets import LIMITS

ROOM = 12 << 20
"""Characters of all pictures, packed, and facts of one match."""

MAX_PICTURE = 4_000_000
"""Characters of one picture before it is packed."""

SECONDS = 10.0
"""For one picture."""

MAX_ROLES = 100
"""Of a game whose matches are shown."""


def require_few_roles(game: Game) -> Game:
    """The game; raises `LimitReached` where it has too many roles for a page."""
    if len(game.roles) > MAX_ROLES:
        raise LimitReached("roles", MAX_ROLES, f"{game.name} has {len(game.roles)}")
    return game


class Drawer:
    """Draws the states of one match, as long as there is room; pictures are packed (zlib, base64),
    since they are much alike in themselves."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._can_draw = True

    def drawn(self, state: State, before: State | None) -> dict[str, str]:
        """The `picture` of a state, what has changed since `before` marked; its `facts` where
        nothing can be drawn; nothing once there is no more room."""
        picture = self._picture(state, before)
        if 0 < len(picture) <= self._room:
            self._room -= len(picture)
            return {"picture": picture}
        facts = telling.position(state)
        if len(facts) <= self._room:
            self._room -= len(facts)
            return {"facts": facts}
        return {}

    def _picture(self, state: State, before: State | None) -> str:
        if not self._can_draw:
            return ""
        try:
            with Budget(replace(LIMITS, seconds=SECONDS)).in_force():
                svg = scene_svg(scene_of(state, before))
        except GgpError:  # no plan of a board, which the next state has not either
            self._can_draw = False
            return ""
        return packed(svg) if len(svg) <= MAX_PICTURE else ""


def packed(text: str) -> str:
    """A text in few characters, for pages to unpack."""
    return b64encode(zlib.compress(text.encode())).decode()


@dataclass(frozen=True)
class MadeStep:
    """A joint move: the state before and after it, and what was wrong with each role's answer."""

    before: State
    joint: Sequence[Term]
    after: State
    errors: Sequence[str] = ()


def start_data(state: State, drawer: Drawer) -> dict[str, Any]:
    """What a page is told of the state that a match begins with."""
    return _data(0, state, None, drawer)


def step_data(number: int, made: MadeStep, drawer: Drawer) -> dict[str, Any]:
    """What a page is told of a step: `moves` (of each role its text, whether there was a choice,
    and what was wrong with its answer), the `number` of the joint move as of `line`, empty where it
    is too long for an address, and a picture of the state that it leads to."""
    counts = [len(own) for own in made.before.legal_indices()]
    number_text = str(number_of(made.before, made.joint))
    moves = [
        {
            "role": name_of(role),
            "text": move_text(move),
            "chosen": count > 1,
            "fault": fault(made.errors[i]) if i < len(made.errors) else "",
        }
        for i, (role, move, count) in enumerate(
            zip(made.before.game.roles, made.joint, counts, strict=True)
        )
    ]
    own = {"moves": moves, "number": number_text if len(number_text) <= MAX_DIGITS else ""}
    return _data(number, made.after, made.before, drawer) | own


def _data(number: int, state: State, before: State | None, drawer: Drawer) -> dict[str, Any]:
    return {"kind": "step", "step": number, "moves": [], **drawer.drawn(state, before)}


def fault(error: str) -> str:
    """What was wrong with a player's answer, by the letters of a record, in words.

    >>> fault("TO"), fault("IL (mark 1 1)"), fault("")
    ('late', 'illegal: (mark 1 1)', '')
    """
    kind, _, rest = error.strip().partition(" ")
    words = {"TO": "late", "IL": "illegal", "CE": "no answer"}.get(kind)
    if words is None:
        return telling.line(error)
    return telling.line(f"{words}: {rest}" if rest else words)


def seated(game: Game, record: Record) -> list[dict[str, str]]:
    """Who plays which role, as far as a record says."""
    players = [*record.players, *["?"] * len(game.roles)]
    return [
        {"role": name_of(role), "player": name_of(player)}
        for role, player in zip(game.roles, players, strict=False)
    ]


def ending(state: State) -> dict[str, str]:
    """How it ended: `result` in words, empty where the game is not over."""
    return {"kind": "end", "result": telling.ending(state) if state.terminal else ""}
