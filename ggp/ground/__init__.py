"""Rules to nets: grounding with clingo, groups of fluents, the marker of turns."""

from ggp.ground.asking import SOLVER_OPTIONS, Answer, Program, Rules
from ggp.ground.clock import Clock, find_clocks, independent
from ggp.ground.exclusion import Exclusion
from ggp.ground.gates import Bodies, Gates
from ggp.ground.grounder import ground
from ggp.ground.groups import (
    MAX_TURN,
    Group,
    Proved,
    candidates,
    disjoint,
    find_groups,
    joined,
    lasting,
    names_roles,
    state_bits,
    unbroken,
)
from ggp.ground.marker import Marker, Turns, find_marker, find_turns
from ggp.ground.net import FALSE, TRUE, Block, Net
from ggp.ground.shapes import kind
from ggp.ground.unroll import unrolled

__all__ = [
    "FALSE",
    "MAX_TURN",
    "SOLVER_OPTIONS",
    "TRUE",
    "Answer",
    "Block",
    "Bodies",
    "Clock",
    "Exclusion",
    "Gates",
    "Group",
    "Marker",
    "Net",
    "Program",
    "Proved",
    "Rules",
    "Turns",
    "candidates",
    "disjoint",
    "find_clocks",
    "find_groups",
    "find_marker",
    "find_turns",
    "ground",
    "independent",
    "joined",
    "kind",
    "lasting",
    "names_roles",
    "state_bits",
    "unbroken",
    "unrolled",
]
