"""Learning to play a game by playing it: needs the extra `ggp[learn]`."""

from ggp.learn.training import Training, train

__all__ = ["Training", "train"]
