"""Environments for learning: any sheet for Gymnasium, PettingZoo, OpenSpiel, and many at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ggp.errors import InputError

if TYPE_CHECKING:
    from ggp.env.many.batch import VectorGames
    from ggp.env.solo import Opponent, SoloGame
    from ggp.env.spaces import Kind, Source, Spaces
    from ggp.env.spiel.game import GdlGame
    from ggp.env.spiel.kind import Kind as GameKind
    from ggp.env.table import JointGame, TurnGame

__all__ = ["aec", "gymnasium", "open_spiel", "parallel", "vector"]


@contextmanager
def _needing(library: str) -> Iterator[None]:
    """Imports of what needs a library: say how to have it where it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("ggp"):
            raise
        text = f"environments of {library} need {library.lower()}: pip install 'ggp[env]'"
        raise InputError(text) from None


def gymnasium(
    source: Source,
    /,
    *,
    role: str | None = None,
    opponent: Opponent | None = None,
    observations: Kind = "bits",
    max_steps: int | None = None,
    render_mode: str | None = None,
    **parameters: Any,  # noqa: ANN401
) -> SoloGame:
    """A game for one learner as a `gymnasium.Env`; see `SoloGame`.

    `source`, `observations`, `max_steps` and `parameters` as for `vector`. Of a game of several
    players `role` learns, and `opponent` (a function of a state and a role that gives a move, by
    default one at random) plays the others. Raises what `vector` raises, and `InputError` where the
    extra `ggp[env]` is missing.
    """
    with _needing("Gymnasium"):
        from ggp.env.solo import SoloGame
    spaces = _spaces(source, observations, parameters)
    return SoloGame(spaces, role, opponent, max_steps, render_mode)


def aec(
    source: Source,
    /,
    *,
    observations: Kind = "bits",
    max_steps: int | None = None,
    render_mode: str | None = None,
    **parameters: Any,  # noqa: ANN401
) -> TurnGame:
    """A game as an `AECEnv` of PettingZoo, agents one after the other; see `TurnGame`.

    Takes what `vector` takes, and raises what `gymnasium` raises.
    """
    with _needing("PettingZoo"):
        from ggp.env.table import TurnGame
    return TurnGame(_spaces(source, observations, parameters), max_steps, render_mode)


def parallel(
    source: Source,
    /,
    *,
    observations: Kind = "bits",
    max_steps: int | None = None,
    render_mode: str | None = None,
    **parameters: Any,  # noqa: ANN401
) -> JointGame:
    """A game as a `ParallelEnv` of PettingZoo, all agents at once; see `JointGame`.

    Takes what `vector` takes, and raises what `gymnasium` raises.
    """
    with _needing("PettingZoo"):
        from ggp.env.table import JointGame
    return JointGame(_spaces(source, observations, parameters), max_steps, render_mode)


def _spaces(source: Source, observations: Kind, parameters: dict[str, Any]) -> Spaces:
    from ggp.env.spaces import Spaces, game_of

    return Spaces(game_of(source, parameters), observations)


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
    kind: GameKind | None = None,
    **parameters: Any,  # noqa: ANN401
) -> GdlGame:
    """A sheet as a game of OpenSpiel; see `ggp.env.spiel.open_spiel`."""
    from ggp.env.spiel import open_spiel as made

    return made(source, horizon=horizon, kind=kind, **parameters)
