"""Grounds sheets for the server, and says what is proved of their fluents: a script that runs in a
child (see `ggp.apart`)."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggp.game import Game
    from ggp.limits import Limits
    from ggp.lsp.known import Known

SECONDS, MEMORY = 10.0, 1 << 30
"""For one sheet, after which what is found so far has to do; bytes."""


def answer(order: tuple[list[str], str, str]) -> Known:
    """What is known of the fluents of a sheet.

    The order: where to import from, the sheet's name and its text.
    """
    path, name, text = order
    sys.path[:] = path
    from ggp.errors import GgpError
    from ggp.limits import Budget
    from ggp.lsp.known import Known

    try:
        with Budget(_limits()).in_force():
            return _known(game_of(name, text))
    except (GgpError, MemoryError, RecursionError) as error:
        return Known({}, failure=str(error).split("\n")[0] or type(error).__name__)


def game_of(name: str, text: str) -> Game:
    """The game of a sheet, within the limits of this script."""
    from ggp.game import Game
    from ggp.kif import Source
    from ggp.rules import read_rules

    return Game(read_rules(Source(name, text), limits=_limits()), _limits())


def _limits() -> Limits:
    from ggp.limits import DEFAULT

    return replace(DEFAULT, seconds=SECONDS, ground_seconds=SECONDS / 2, memory=MEMORY)


def _known(game: Game) -> Known:
    from collections import Counter

    from ggp.lsp.known import MOST_FLUENTS, MOST_GROUPS, Known
    from ggp.rules import signature

    fluents = game.net.fluents
    groups = tuple(
        (group.exact, tuple(fluents[i] for i in group.fluents[:MOST_FLUENTS]))
        for group in game.groups[:MOST_GROUPS]
    )
    telling = 0
    for setting, _ in game.turns.settings if game.turns else ():
        telling |= setting
    turns = tuple(fluent for i, fluent in enumerate(fluents) if telling >> i & 1)
    return Known(dict(Counter(map(signature, fluents))), groups, turns[:MOST_FLUENTS])
