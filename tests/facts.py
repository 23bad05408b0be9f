"""The facts files beside the sheets of `games/`: every instance of every sheet."""

from __future__ import annotations

from ggp.facts import Instance, find_files, read_facts
from tests.conftest import GAMES

BIG = 100_000
"""Instances with more reachable states are checked by the long run only."""


def is_big(instance: Instance) -> bool:
    """Whether complete enumeration takes more than a few seconds."""
    return int(instance.facts.get("reachable_states", 0)) > BIG


def instances() -> list[Instance]:
    """All instances, sheet by sheet."""
    return [one for file in find_files([GAMES]) for one in read_facts(file).instances]
