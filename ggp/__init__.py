"""ggp: read, check, classify, solve and play any game written in GDL."""

from ggp.analyse import Finding, Findings, analyse
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
from ggp.kif import Term
from ggp.limits import Limits
from ggp.solve import Solution, Strategy, solve, verify

__all__ = [
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
    "Term",
    "UnknownName",
    "analyse",
    "load",
    "parse",
    "solve",
    "verify",
]
