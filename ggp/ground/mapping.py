"""Large sets of fluents of which each move makes others, one of each: permutation puzzles."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ggp.ground.net import FALSE, Net
from ggp.limits import look
from ggp.work import GATES, count_work

BULK = 1_000_000
"""Ways in which the fluents may hold next, up to which they are looked up."""


def are_mapped(net: Net, fluents: Sequence[int]) -> bool:
    """Whether at most one of some fluents holds after each move, if so before it.

    Told by the form of the rules: each way in which one holds next is a move of one role, always
    the same, and one of the fluents before it; and no move makes two of one. True is a proof, False
    says nothing. Each way is looked at once, so that sets may be large.
    """
    members = {net.first_fluent + i for i in fluents}
    inputs = range(net.first_move, net.first_gate)
    comes_to: dict[tuple[int, int], int] = {}
    movers: set[int] = set()
    ways = 0
    for place, i in enumerate(fluents):
        if place % 1000 == 0:
            look("groups of fluents")
        after = net.next[i]
        if after == FALSE:
            continue
        bodies = net.bodies(after) if after > 0 else ()
        count_work(GATES * (1 + len(bodies)))
        ways += len(bodies)
        for body in bodies or [(after,)]:
            move = next((x for x in body if x in inputs), None)
            was = next((x for x in body if x in members), None)
            if move is None or was is None or comes_to.setdefault((move, was), place) != place:
                return False
            movers.add(bisect_right(net.move_offset, move - net.first_move))
        if ways > BULK or len(movers) > 1:
            return False
    return True
