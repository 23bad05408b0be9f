"""Rules evaluated without grounding: joins compiled for each question, answers kept per state."""

from ggp.deduce.prover import Position, Prover

__all__ = ["Position", "Prover"]
