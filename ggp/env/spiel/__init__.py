"""Rule sheets as games of OpenSpiel: `ggp.env.open_spiel`.

Only `game`, `state` and `observer` know pyspiel. `play` turns joint moves into choices, `kind` says
what kind of game it is, `packing` writes a sheet into the text by which OpenSpiel loads a game.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ggp.env.spiel.kind import Kind, kind_of
from ggp.errors import InputError
from ggp.game import Game, load

if TYPE_CHECKING:
    from ggp.env.spiel.game import GdlGame


def open_spiel(
    game: str | os.PathLike[str] | Game,
    /,
    *,
    horizon: int | None = None,
    kind: Kind | None = None,
    **parameters: Any,  # noqa: ANN401
) -> GdlGame:
    """The `pyspiel.Game` of a sheet: of a path with its `parameters`, as `ggp.load` takes them, or
    of a game.

    The players are the roles in their order, `random` apart, which is chance. A role's action is
    the number of its move among all of its moves, sorted by their text. Who has just one move is
    not asked. `horizon`: joint moves after which play is broken off, by default what the rules are
    proved to end within, else 1,000. Play that is broken off is shared equally if the goals have a
    proved sum, else it is worth the least goal to each. `kind` says what is known already, with a
    horizon; nothing is then looked for, and what is wrong of it shows in play at best.

    Utilities are goals. Where those of two roles are proved to have one sum, they are scaled to
    lie from -1 to 1 and sum to 0.

    Raises `InputError` where OpenSpiel is not installed, a horizon is less than 1, only chance
    plays, or both a horizon and a kind are given; `LimitReached` where the rules are too large to
    be ground, and what `ggp.load` raises.
    """
    try:
        from ggp.env.spiel.game import GdlGame
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("ggp"):
            raise
        raise InputError("games of OpenSpiel need open_spiel: pip install 'ggp[env]'") from None
    made = game if isinstance(game, Game) else load(os.fspath(game), **parameters)
    _ = made.net  # raises where there is none, before anything is looked for
    if kind and horizon is not None:
        raise InputError("the kind of a game has its horizon: give one of both")
    return GdlGame.of(made, kind or kind_of(made, horizon))
