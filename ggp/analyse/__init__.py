"""What kind of game this is: findings, each with its certainty and its evidence."""

import sys
from types import ModuleType
from typing import Any

from ggp.analyse.analysis import analyse
from ggp.analyse.chains import Chain, chain_of, chains
from ggp.analyse.evidence import Counterexample, Enumeration, Evidence, Stopped, Witness
from ggp.analyse.finding import Finding
from ggp.analyse.findings import Findings
from ggp.analyse.heap_search import heaps
from ggp.analyse.heaps import Heap
from ggp.analyse.positions import Positions
from ggp.analyse.splitting import Summand, summands

__all__ = [
    "Chain",
    "Counterexample",
    "Enumeration",
    "Evidence",
    "Finding",
    "Findings",
    "Heap",
    "Positions",
    "Stopped",
    "Summand",
    "Witness",
    "analyse",
    "chain_of",
    "chains",
    "heaps",
    "summands",
]


class _Callable(ModuleType):
    """This package, which can be called like its function `analyse`.

    `ggp.analyse` is that function for users; the import system puts the package in its place as
    soon as something else imports it.
    """

    def __call__(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - of `analyse`
        return analyse(*args, **options)


sys.modules[__name__].__class__ = _Callable
