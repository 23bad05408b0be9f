"""Values and moves by what was learned of a game: a model, and search that goes by it."""

from ggp.play.learned.model import Model, ModelVerdict, find_model, model_path
from ggp.play.learned.player import LearnedPlayer, best_player

__all__ = ["LearnedPlayer", "Model", "ModelVerdict", "best_player", "find_model", "model_path"]
