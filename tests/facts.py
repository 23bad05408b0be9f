"""The facts files beside the sheets of `games/`: every instance of every sheet."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import GAMES

BIG = 100_000
"""Instances with more reachable states are checked by the long run only."""


@dataclass(frozen=True)
class Instance:
    """One sheet with one choice of parameters, and what is known of it."""

    sheet: Path
    facts: dict[str, Any]

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters of the template."""
        return dict(self.facts.get("set", {}))

    @property
    def is_big(self) -> bool:
        """Whether complete enumeration takes more than a few seconds."""
        return int(self.facts.get("reachable_states", 0)) > BIG

    def __str__(self) -> str:
        values = ",".join(f"{k}={v}" for k, v in self.settings.items())
        return f"{self.sheet.name.split('.')[0]}[{values[:40]}]"


def instances() -> Iterator[Instance]:
    """All instances, sheet by sheet."""
    for path in sorted(GAMES.rglob("*.toml")):
        sheet = path.with_suffix(".kif")
        if not sheet.exists():
            sheet = path.with_suffix(".kif.jinja")
        with open(path, "rb") as file:
            for facts in tomllib.load(file)["instance"]:
                yield Instance(sheet, facts)
