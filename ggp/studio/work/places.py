"""The position that a page is about, and addresses of positions from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ggp.errors import InputError, KifSyntaxError
from ggp.game import Game, State
from ggp.kif import Term, read_terms
from ggp.limits import Budget, look
from ggp.show.turns import require_turn
from ggp.studio.work.line import Path, number_of, read, states_along, written

MAX_FACTS = 200_000
"""Characters of a state that a page names."""


def text_of(asked: Mapping[str, Any], name: str, default: str = "") -> str:
    """A text that a page asks with; raises `InputError` for anything else."""
    found = asked.get(name, default)
    if not isinstance(found, str) or len(found) > MAX_FACTS:
        raise InputError(f"{name}: expected a text of {MAX_FACTS:,} characters at the most")
    return found


def is_checked(asked: Mapping[str, Any], name: str) -> bool:
    """Whether a box of a page is checked."""
    return asked.get(name, "") not in ("", False, None)


@dataclass(frozen=True)
class NamedPosition:
    """A position, as addresses name it: the facts that play begins with (those of the initial state
    where there are none) and the moves from there."""

    state: State
    facts: str = ""
    path: Path = ()

    @property
    def game(self) -> Game:
        """The game, with a ground form in which the position can be played."""
        return self.state.game

    def hash(self, joint: Sequence[Term] = ()) -> str:
        """What stands behind `#` in the address of the position, or of that after a joint move."""
        path = (*self.path, number_of(self.state, joint)) if joint else self.path
        parts = {"from": self.facts, "line": written(path)}
        return urlencode({name: text for name, text in parts.items() if text})


def place_of(
    game: Game, asked: Mapping[str, Any], budget: Budget, *, turn: bool = False
) -> NamedPosition:
    """The position that a page names by `from` and `line`, as the page of play does; `turn` says
    that facts are to tell whose turn it is, also where play can go on without.

    Raises `InputError` and `UnknownName` where there is no such position.
    """
    facts, path = text_of(asked, "from").strip(), read(text_of(asked, "line").strip())
    with budget.in_force():
        state = state_of(game, facts)
        if facts:
            require_turn(state, "another position", always=turn)
        if path:
            look("the line of play")
            state = states_along(state, path)[1][-1]
    return NamedPosition(state, facts, path)


def state_of(game: Game, facts: str) -> State:
    """The state with these facts, of a game with more ground rules where it takes them; the initial
    one of no facts."""
    if not facts:
        return game.initial
    try:
        found = list(read_terms(facts, "the facts"))
    except KifSyntaxError as error:
        raise InputError(f"cannot read the facts: {str(error).splitlines()[0]}") from None
    return game.covering([found]).state(found)
