"""All findings about one game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ggp.analyse.finding import Finding
from ggp.analyse.heaps import Heap


@dataclass(frozen=True)
class Findings:
    """All findings about one game, in the order in which they are best read."""

    game: str
    roles: tuple[str, ...]
    items: tuple[Finding, ...]
    heaps: tuple[Heap, ...] = field(default=())
    make_certificate: Callable[[], dict[str, Any]] = field(default=dict, repr=False, compare=False)

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
        return self.make_certificate()

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
