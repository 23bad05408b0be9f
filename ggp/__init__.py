"""ggp: read, check, classify, solve and play any game written in GDL."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ggp import env, games, learn, theory
    from ggp.analysis import Finding, Findings, analyse
    from ggp.errors import (
        GgpError,
        GoalError,
        IllegalMove,
        InputError,
        KifSyntaxError,
        LimitReached,
        NoLegalMove,
        NotSolvable,
        RulesError,
        UnknownName,
    )
    from ggp.game import Game, State, load, parse
    from ggp.kif import Term, format
    from ggp.limits import Limits
    from ggp.lint import check
    from ggp.rules import Diagnostic
    from ggp.solver import Solution, Strategy, Tablebase, solve, statistics, tablebase, verify

    __version__: str

__all__ = [
    "Diagnostic",
    "Finding",
    "Findings",
    "Game",
    "GgpError",
    "GoalError",
    "IllegalMove",
    "InputError",
    "KifSyntaxError",
    "LimitReached",
    "Limits",
    "NoLegalMove",
    "NotSolvable",
    "RulesError",
    "Solution",
    "State",
    "Strategy",
    "Tablebase",
    "Term",
    "UnknownName",
    "analyse",
    "check",
    "env",
    "format",
    "games",
    "learn",
    "load",
    "parse",
    "solve",
    "statistics",
    "tablebase",
    "theory",
    "verify",
]

_HOMES = {
    "ggp.analysis": "Finding Findings analyse",
    "ggp.errors": "GgpError GoalError IllegalMove InputError KifSyntaxError "
    "LimitReached NoLegalMove NotSolvable RulesError UnknownName",
    "ggp.game": "Game State load parse",
    "ggp.kif": "Term format",
    "ggp.limits": "Limits",
    "ggp.lint": "check",
    "ggp.rules": "Diagnostic",
    "ggp.solver": "Solution Strategy Tablebase solve statistics tablebase verify",
}
"""The modules that the names above come from. They are imported when one is used: who only reads
rules should not wait for what solves games."""


_ROOMS = ("env", "games", "learn", "theory")
"""Modules that are used by their own name."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever has the name
    if name == "__version__":
        from importlib.metadata import version

        return version("ggp")
    for home, names in _HOMES.items():
        if name in names.split():
            value = globals()[name] = getattr(importlib.import_module(home), name)
            return value
    if name in _ROOMS:
        return importlib.import_module(f"ggp.{name}")
    raise AttributeError(f"module 'ggp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
