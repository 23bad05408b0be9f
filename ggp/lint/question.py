"""What is asked about play, and the answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PlayQuestion:
    """One question about play: its answer (None where it is not known), and how that is known.

    `certainty`: as of a finding, or `searched` where no fault was found in a part of all states, so
    that there is no answer.
    """

    question: str
    answer: bool | None
    certainty: str
    why: str

    def as_json(self) -> dict[str, object]:
        """The question as plain data."""
        return {
            "question": self.question,
            "answer": self.answer,
            "certainty": self.certainty,
            "why": self.why,
        }
