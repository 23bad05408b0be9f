"""Solving games: values, outcomes, best moves and strategies, each exact."""

import sys
from types import ModuleType
from typing import Any

from ggp.solve.gdl import GameSolution, GdlTree
from ggp.solve.graph import PositionGraph, Values, evaluate
from ggp.solve.methods import may_have_nim_values, solve
from ggp.solve.nim import HeapSolution, NimSolution, SummandSolution
from ggp.solve.solution import Solution, TreeSolution
from ggp.solve.strategy import Strategy, Verification, verify
from ggp.solve.tree import GameTree

__all__ = [
    "GameSolution",
    "GameTree",
    "GdlTree",
    "HeapSolution",
    "NimSolution",
    "PositionGraph",
    "Solution",
    "Strategy",
    "SummandSolution",
    "TreeSolution",
    "Values",
    "Verification",
    "evaluate",
    "may_have_nim_values",
    "solve",
    "verify",
]


class _Callable(ModuleType):
    """This package, which can be called like its function `solve`.

    `ggp.solve` is that function for users; the import system puts the package in its place as soon
    as something else imports it.
    """

    def __call__(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - of `solve`
        return solve(*args, **options)


sys.modules[__name__].__class__ = _Callable
