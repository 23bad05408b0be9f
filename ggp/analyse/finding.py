"""One finding: a property, its value, how certain that is, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ggp.analyse.evidence import Evidence

Certainty = Literal["proved", "exhaustive", "refuted", "unknown"]


@dataclass(frozen=True)
class Finding:
    """One property of a game.

    `certainty`: `proved` follows from the rules for every state; `exhaustive` means that every
    reachable position was enumerated; `refuted` that the evidence is a witness to replay;
    `unknown` that a limit, named by the evidence, stopped the search.
    """

    property: str
    value: Any
    certainty: Certainty
    evidence: Evidence

    def as_json(self) -> dict[str, Any]:
        """The finding in the shape of `ggp analyse --format json`."""
        return {
            "property": self.property,
            "value": self.value,
            "certainty": self.certainty,
            "evidence": self.evidence.as_json(),
        }
