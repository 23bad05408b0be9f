"""The game, as OpenSpiel asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

import pyspiel

from ggp.analysis.outcomes import goals_of_the_rules
from ggp.env.spiel.kind import Kind, kind_of
from ggp.env.spiel.observer import Observer
from ggp.env.spiel.packing import packed, unpacked
from ggp.env.spiel.play import SequentialPlay
from ggp.env.spiel.state import GdlState
from ggp.errors import InputError
from ggp.game import Game
from ggp.text import plain

NAME = "ggp_sheet"
"""What OpenSpiel calls all games of sheets; `rules` and `kind` tell them apart."""

MAX_TENSOR = 1 << 20
"""Numbers of a tensor that holds all that a player has seen; where it were longer there is none."""


class GdlGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel says nothing of its types
    """A sheet as a game of OpenSpiel: `game` is the sheet's, `kind` what is known of it."""

    def __init__(self, params: Mapping[str, Any], game: Game | None = None) -> None:
        self.game = unpacked(params["rules"]) if game is None else game
        self.kind = Kind.read(params["kind"]) if params["kind"] else kind_of(self.game)
        self.play = SequentialPlay(self.game, self.kind.horizon)
        self.low, self.high = _range(self.game)
        super().__init__(_type(self), _info(self), dict(params))

    @classmethod
    def of(cls, game: Game, kind: Kind) -> GdlGame:
        """The game of a sheet of this kind; raises `InputError` where there are no players."""
        if not game.players:
            raise InputError("only chance plays: OpenSpiel has no games without players")
        params = {"rules": packed(game), "kind": kind.text}
        return cls(params, game)

    def __reduce__(self) -> tuple[Callable[..., GdlGame], tuple[Game, dict[str, Any]]]:
        return _game, (self.game, self.get_parameters())

    @property
    def is_zero_sum(self) -> bool:
        """Whether there are two players whose goals have one sum."""
        return len(self.play.roles) == 2 and self.kind.total is not None

    def utilities(self, goals: list[float]) -> list[float]:
        """What goals are worth to the players."""
        if self.is_zero_sum:
            first = (goals[0] - goals[1]) / self.span
            return [first, -first]
        return goals

    @property
    def span(self) -> float:
        """The most by which the goals of two opposed players can differ."""
        return float(self.high - self.low)

    @property
    def players_of_chance(self) -> int:
        """Moves of chance, 0 where it has no part."""
        chance = self.game.chance
        return 0 if chance is None else len(self.play.moves[chance])

    @property
    def seen_length(self) -> int:
        """Plies of which a tensor can hold what was seen; 0 where that would be too long."""
        if not self.game.has_percepts:
            return 0
        ply = max(len(self.play.moves[r]) + len(self.play.percepts[r]) for r in self.play.roles)
        return self.kind.horizon if ply * self.kind.horizon <= MAX_TENSOR else 0

    def new_initial_state(self, *_: object) -> GdlState:
        """The start of play."""
        return GdlState(self)

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401
        params: Mapping[str, Any] | None = None,
    ) -> Observer:
        """What players observe, as `open_spiel.python.observation` describes it."""
        if params:
            raise ValueError(f"observers have no parameters, and not {sorted(params)}")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _range(game: Game) -> tuple[int, int]:
    """The least and the greatest goal of any player; never the same."""
    goals = [goal for role in game.player_indices for goal in goals_of_the_rules(game)[role]]
    low, high = min(goals, default=0), max(goals, default=100)
    return (low, high) if low < high else (0, 100)


def _type(made: GdlGame) -> Any:  # noqa: ANN401
    game, kind = made.game, made.kind
    kinds = pyspiel.GameType
    hides = game.has_percepts
    utility = kinds.Utility.GENERAL_SUM
    if made.kind.total is not None:
        utility = kinds.Utility.ZERO_SUM if made.is_zero_sum else kinds.Utility.CONSTANT_SUM
    chance = kinds.ChanceMode
    information = kinds.Information
    return kinds(
        short_name=NAME,
        long_name=plain(PurePath(game.name).name).replace("\n", " ") or NAME,
        dynamics=kinds.Dynamics.SIMULTANEOUS if kind.simultaneous else kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if game.chance is not None else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if hides else information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=len(made.play.roles),
        min_num_players=len(made.play.roles),
        provides_information_state_string=True,
        provides_information_state_tensor=made.seen_length > 0,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


def _info(made: GdlGame) -> Any:  # noqa: ANN401
    roles = made.play.roles
    sums = made.kind.total
    ends = [(made.low, made.high), (-1.0, 1.0)][made.is_zero_sum]
    return pyspiel.GameInfo(
        num_distinct_actions=max(1, *(len(made.play.moves[role]) for role in roles)),
        max_chance_outcomes=made.players_of_chance,
        num_players=len(roles),
        min_utility=float(ends[0]),
        max_utility=float(ends[1]),
        utility_sum=None if sums is None else 0.0 if made.is_zero_sum else float(sums),
        max_game_length=made.kind.horizon,
    )


PARAMETERS = {"rules": "", "kind": ""}
"""Of the text by which OpenSpiel loads a game: the packed sheet, and what is known of it."""


def _game(game: Game, params: dict[str, Any]) -> GdlGame:
    return GdlGame(params, game)


pyspiel.register_game(
    pyspiel.GameType(
        short_name=NAME,
        long_name="A rule sheet in GDL",
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=100,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    ),
    GdlGame,
)
