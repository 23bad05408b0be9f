"""clingo's grounder in a process that can be stopped, and its limits."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ggp import apart
from ggp.errors import LimitReached, RulesError
from ggp.ground.assemble import GroundProgram
from ggp.limits import Limits, memory_in_use

SCRIPT = Path(__file__).with_name("grounding.py")


@dataclass
class Meter:
    """Counts ground rules and seconds of several programs together, and watches the memory."""

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    rules: int = 0

    def check(self, others: int = 0) -> None:
        """Raise `LimitReached` when time is over, or memory; `others`: bytes of a child."""
        if time.monotonic() - self.started > self.limits.ground_seconds:
            raise LimitReached("ground_seconds", self.limits.ground_seconds)
        if memory_in_use() + others > self.limits.memory:
            raise LimitReached("memory", self.limits.memory, "while grounding")


@dataclass(frozen=True)
class Grounded:
    """A ground program: its rules, if they were kept; the texts of shown atoms with their numbers;
    and of each wanted signature all atoms."""

    program: GroundProgram
    shown: Sequence[tuple[str, int]]
    atoms: Mapping[tuple[str, int], Sequence[str]]


def run(program: str, meter: Meter, *, keep: bool, wanted: Sequence[tuple[str, int]]) -> Grounded:
    """Ground a program in clingo's language; `keep`: its rules are asked for, not atoms alone.

    Raises `LimitReached` where a limit of `meter` is passed, `RulesError` where clingo refuses.
    """
    order = (program, keep, meter.limits.ground_rules - meter.rules, list(wanted))
    try:
        answer = apart.ask(SCRIPT, order, meter.check)
    except apart.Gone:
        answer = {"fault": "memory"}
    fault = answer.get("fault")
    if fault == "rules":
        raise LimitReached("ground_rules", meter.limits.ground_rules)
    if fault == "memory":
        raise LimitReached("memory", meter.limits.memory, "while grounding")
    if fault is not None:
        raise RulesError(f"cannot be grounded: {fault}")
    meter.rules += answer["rules"]
    columns = (
        np.frombuffer(column, dtype=np.int32).astype(np.int64) for column in answer["columns"]
    )
    return Grounded(GroundProgram(*columns), answer["shown"], answer["atoms"])
