"""Environments for learning: any sheet for Gymnasium, PettingZoo, OpenSpiel, and many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ggp.env.many.batch import VectorGames
    from ggp.env.spaces import Kind, Source

__all__ = ["open_spiel", "vector"]


def vector(
    source: Source,
    /,
    n: int,
    *,
    observations: Kind = "bits",
    seed: int = 0,
    max_steps: int | None = None,
    reuse: bool = False,
    **parameters: Any,  # noqa: ANN401
) -> VectorGames:
    """`n` games at once, stepped together on the machine; see `VectorGames`.

    `source`: what `ggp.load` takes, with a template's parameters as further arguments, or a `Game`.
    `observations`: `bits` or `planes`. `max_steps`: moves after which a game is given up. `reuse`:
    whether each step may write the arrays of the last one over. Raises what `ggp.load` raises,
    `LimitReached` for games without a ground form and for more games than the memory of the limits
    holds, and `InputError` for planes of a game without a board.
    """
    from ggp.env.many.batch import VectorGames
    from ggp.env.spaces import game_of

    game = game_of(source, parameters)
    return VectorGames(game, n, observations, seed=seed, max_steps=max_steps, reuse=reuse)


def open_spiel(
    source: Source,
    /,
    *,
    horizon: int | None = None,
    **parameters: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """A sheet as a game of OpenSpiel; see `ggp.env.spiel.open_spiel`."""
    from ggp.env.spiel import open_spiel as made

    return made(source, horizon=horizon, **parameters)
