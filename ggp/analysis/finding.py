"""One finding: a property, its value, how certain that is, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ggp.analysis.evidence import Counterexample, Evidence
from ggp.displayed import Displayed
from ggp.rules import RuleSet

Certainty = Literal["proved", "exhaustive", "refuted", "unknown"]


@dataclass(frozen=True)
class Finding(Displayed):
    """One property of a game.

    `certainty`: `proved` follows from the rules for every state, or is a "yes" that the evidence, a
    play, shows; `exhaustive` means that every reachable position was enumerated; `refuted` is a
    "no" that the evidence, a witness to replay, shows; `unknown` means that a limit, named by the
    evidence, stopped the search.

    `rules`: those of the game that a witness is of, so that it can be drawn; they are not pickled.
    """

    property: str
    value: Any
    certainty: Certainty
    evidence: Evidence
    rules: RuleSet | None = field(default=None, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[Finding], tuple[Any, ...]]:
        return Finding, (self.property, self.value, self.certainty, self.evidence)

    def as_json(self) -> dict[str, Any]:
        """The finding in the shape of `ggp analyse --format json`."""
        return {
            "property": self.property,
            "value": self.value,
            "certainty": self.certainty,
            "evidence": self.evidence.as_json(),
        }


def shown(name: str, value: Any, evidence: Counterexample) -> Finding:  # noqa: ANN401
    """What states that play leads to show, however they were found.

    `refuted` for a "no": a property that fails, a form that is neither normal nor misère, a list of
    things of which there are none. All else is `proved`, by a play that can be replayed; by a state
    that no play leads to, as the turn has to be given away, it is `exhaustive`: enumeration found
    it.
    """
    if value is False or value == "other" or value == []:
        return Finding(name, value, "refuted", evidence)
    is_played = all(state.path is not None for state in evidence.states)
    return Finding(name, value, "proved" if is_played else "exhaustive", evidence)
