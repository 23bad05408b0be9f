"""clingo's grounder in a process that can be stopped, and its limits."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

import numpy as np

from ggp import apart
from ggp.errors import LimitReached, RulesError
from ggp.ground.assemble import GroundProgram
from ggp.limits import Limits, memory_in_use

SCRIPT = Path(__file__).with_name("grounding.py")


@dataclass
class GroundingMeter:
    """Counts ground rules and seconds of several programs together, and watches the memory.

    `computing`: seconds of computing that they may take, whatever else the machine does.
    """

    limits: Limits
    computing: float = inf
    started: float = field(default_factory=time.monotonic)
    rules: int = 0
    computed: float = 0.0

    def check(self, others: int = 0, computed: float = 0.0) -> None:
        """Raise `LimitReached` when time is over, or memory; of a child: the bytes that it holds
        and the seconds that it has computed."""
        if self.computed + computed > self.computing:
            raise LimitReached("ground_seconds", self.computing, "of computing")
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


def run(
    program: str, meter: GroundingMeter, *, keep: bool, wanted: Sequence[tuple[str, int]]
) -> Grounded:
    """Ground a program in clingo's language; `keep`: its rules are asked for, not atoms alone.

    Raises `LimitReached` where a limit of `meter` is passed, `RulesError` where clingo refuses.
    """
    order = (program, keep, meter.limits.ground_rules - meter.rules, list(wanted))
    last = 0.0

    def check(held: int, computed: float) -> None:
        nonlocal last
        last = computed
        meter.check(held, computed)

    try:
        answer = apart.ask(SCRIPT, order, check)
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
    meter.computed += last
    columns = (
        np.frombuffer(column, dtype=np.int32).astype(np.int64) for column in answer["columns"]
    )
    return Grounded(GroundProgram(*columns), answer["shown"], answer["atoms"])
