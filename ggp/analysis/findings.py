"""All findings about one game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from ggp.analysis.finding import Finding
from ggp.analysis.heaps.heap import Heap
from ggp.displayed import Displayed
from ggp.text import shortened

ORDER = (
    "players",
    "deterministic",
    "turns",
    "form",
    "impartial",
    "all_small",
    "passes",
    "heaps",
    "sum",
    "octal_code",
    "playable",
    "terminating",
    "cyclic",
    "length_bound",
    "shortest_play",
    "longest_play",
    "reachable_states",
    "outcome_kind",
    "zero_sum",
    "winnable",
    "roles_exchangeable",
    "symmetries",
    "step_counters",
    "successor_chains",
    "arithmetic",
)
"""All properties, in the order in which they are best read."""


@dataclass(frozen=True)
class Findings(Displayed):
    """Findings about one game, in the order of `ORDER`."""

    game: str
    roles: tuple[str, ...]
    items: tuple[Finding, ...]
    heaps: tuple[Heap, ...] = field(default=())
    made: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The certificate; see `certificate`."""

    def __repr__(self) -> str:
        shown = ", ".join(f"{f.property}: {f.value}" for f in self.items if f.value is not None)
        return f"<Findings of {self.game}: {shortened(shown)}>"

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.items)

    def __getitem__(self, name: str) -> Finding:
        """The finding about a property; raises `KeyError` where the question has no sense."""
        for finding in self.items:
            if finding.property == name:
                return finding
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(finding.property == name for finding in self.items)

    def certificate(self) -> dict[str, Any]:
        """What proofs and witnesses rest on, as plain data that `ggp verify` checks anew.

        Empty for findings of a game that has no ground form.
        """
        return deepcopy(dict(self.made))

    def value(self, name: str) -> Any:  # noqa: ANN401
        """The value of a property, or None where it is not known or has no sense."""
        return self[name].value if name in self else None

    def as_json(self) -> dict[str, Any]:
        """All findings in the shape of `ggp analyse --format json`, without the solution."""
        return {
            "game": self.game,
            "roles": list(self.roles),
            "findings": [finding.as_json() for finding in self.items],
            "heaps": [heap.as_json() for heap in self.heaps],
        }
