"""What questions are told to take for granted, and which of it proofs used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from ggp.analysis.questions.question import Question

What = TypeVar("What")


class Assumed(Generic[What]):
    """Atoms that questions assume from some time on, each with what it stands for."""

    def __init__(self) -> None:
        self._told: list[tuple[Question, Mapping[int, What]]] = []

    def add(self, question: Question, atoms: Mapping[int, What]) -> None:
        """Let a question assume atoms from now on."""
        question.assume(atoms)
        self._told.append((question, atoms))

    @property
    def all(self) -> list[What]:
        """What was assumed so far, once for each question."""
        return [one for _, atoms in self._told for one in atoms.values()]

    @property
    def used(self) -> list[What]:
        """That of it which proofs used, likewise."""
        return [
            one
            for question, atoms in self._told
            for atom, one in atoms.items()
            if atom in question.relied
        ]
