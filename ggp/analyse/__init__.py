"""What kind of game this is: findings, each with its certainty and its evidence."""

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
