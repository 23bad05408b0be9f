"""Rules evaluated without grounding: joins compiled for each question, answers kept per state."""

from ggp.deduce.evaluation import Position
from ggp.deduce.prover import Prover

__all__ = ["Position", "Prover"]
