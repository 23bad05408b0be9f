"""What kind of game this is: findings, each with its certainty and its evidence."""

from ggp.analysis.analysis import analyse
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence, Stopped, Witness
from ggp.analysis.finding import Finding
from ggp.analysis.findings import Findings
from ggp.analysis.heaps.heap import Heap
from ggp.analysis.heaps.search import find_heaps
from ggp.analysis.positions import Positions
from ggp.analysis.relations.chains import Chain, chains

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
    "Witness",
    "analyse",
    "chains",
    "find_heaps",
]
