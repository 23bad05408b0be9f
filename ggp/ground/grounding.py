"""Grounds answer-set programs for another process: a script, run by `ggp.ground.gringo`.

clingo cannot be interrupted while it joins relations; a process (`ggp.child`) can.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import clingo


class _TooMany(Exception):
    """More rules than are allowed."""


class _Observer(clingo.Observer):
    """Counts the rules of a ground program, and keeps them and the atoms that are shown."""

    def __init__(self, allowed: int, keep: bool) -> None:
        self.allowed = allowed
        self.keep = keep
        self.rules = 0
        self.shown: list[tuple[str, int]] = []
        self.heads, self.sizes, self.body = array("q"), array("q"), array("q")

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.rules += 1
        if self.rules > self.allowed:
            raise _TooMany
        if self.keep and not choice and head:
            self.heads.append(head[0])
            self.sizes.append(len(body))
            self.body.extend(body)

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        self.shown.append((str(symbol), atom))


def grounded(
    program: str, keep: bool, allowed: int, wanted: Sequence[tuple[str, int]]
) -> dict[str, Any]:
    """The ground program; `atoms`: the texts of the atoms of each wanted signature.

    `fault` says what went wrong: `rules` (more than allowed), `memory`, or what clingo says.
    """
    observer = _Observer(allowed, keep)
    try:
        control = clingo.Control(["--warn=none"], logger=lambda code, text: None)
        control.register_observer(observer, replace=True)
        control.add("base", [], program)
        control.ground([("base", [])])
    except MemoryError:
        return {"fault": "memory"}
    except Exception as error:
        return {"fault": "rules" if observer.rules > allowed else f"clingo: {error}"}
    by = control.symbolic_atoms.by_signature
    return {
        "rules": observer.rules,
        "shown": observer.shown,
        "atoms": {(n, a): [str(atom.symbol) for atom in by(n, a)] for n, a in wanted},
        "columns": [column.tobytes() for column in (observer.heads, observer.sizes, observer.body)],
    }


def answer(order: tuple[str, bool, int, Sequence[tuple[str, int]]]) -> dict[str, Any]:
    """What `grounded` gives for an order."""
    return grounded(*order)
