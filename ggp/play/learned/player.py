"""The search player, going by what was learned of the game."""

from __future__ import annotations

from typing import Any

from ggp.errors import InputError
from ggp.game import Game
from ggp.play.learned.leaves import LearnedLeaves
from ggp.play.learned.model import Model, find_model, model_path
from ggp.play.search.leaves import Leaves, Settings
from ggp.play.search_player import SearchPlayer


class LearnedPlayer(SearchPlayer):
    """Solves and searches as `SearchPlayer`, leaves of the tree being judged by a model.

    `model`: by default the one that is kept for the game. Raises `InputError` where there is none,
    or one of other rules.
    """

    plays_at_random = False

    def __init__(
        self,
        game: Game,
        role: str,
        *,
        model: Model | None = None,
        **options: Any,  # noqa: ANN401
    ) -> None:
        found = model or find_model(game)
        if found is None or not found.fits(game):
            path = model_path(game)
            if path.exists():
                why = f"what was learned of it cannot be read, or is of other rules: {path}"
            else:
                why = f"nothing was learned of it yet (`ggp learn` keeps it in {path})"
            raise InputError(f"{game.name}: {why}")
        self.model = found
        super().__init__(game, role, **options)

    def _leaves(self, settings: Settings) -> Leaves:
        return LearnedLeaves(self.game, settings, self.model)


def best_player(game: Game, role: str, **options: Any) -> SearchPlayer:  # noqa: ANN401
    """The search player, or the one that goes by what was learned of the game, where a tournament
    has proved that one to be better."""
    model = None if game.has_percepts or not game.is_ground else find_model(game)
    if model and model.verdict and model.verdict.is_better:
        return LearnedPlayer(game, role, model=model, **options)
    return SearchPlayer(game, role, **options)
