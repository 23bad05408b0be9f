"""What a search has found: of each move, the move to make, and the line that it expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from ggp.play.search.tree import EACH, FIRST, OPEN, TOTAL, VISITS, Tree


@dataclass(frozen=True)
class MoveReport:
    """What is known of a move: `move` (an index into `Net.legal`), how often it was `tried`, the
    `value` expected (of 100), and between which goals it is for sure. `since`: the less, the
    earlier that was found for the lower one; whoever follows what was found first comes to an
    end, also where play could go round in a circle."""

    move: int
    tried: int
    value: float
    low: float
    high: float
    since: float


def provided(*, by_belief: bool, gaps: bool) -> str:
    """Under what conditions that holds which a search is sure of, as the end of a sentence; nothing
    if under none. `by_belief`: some bound was taken over from one player to the other; `gaps`: the
    rules leave something open."""
    told = ["what the rules leave open counts as even"] * gaps
    told += ["what one player gains the other loses"] * by_belief
    return f", if {' and '.join(told)}" if told else ""


def reports(tree: Tree, root: int, role: int, mover: int | None = None) -> list[MoveReport]:
    """What is known of each move of a role in a position, in the order of `State.legal`; empty
    before it is opened. With `mover` of each move of that role, whose turn it is, what it means for
    `role`."""
    if tree.kind[root] != OPEN:
        return []
    of = role if mover is None else mover
    arm = int(tree.first_arm[root]) + int(tree.counts[root, :of].sum())
    slot = int(tree.first_slot[root])
    found = []
    for i in range(int(tree.counts[root, of])):
        tried = int(tree.tried[arm + i])
        if tree.mover[root] == of:
            child = int(tree.slots[slot + i])
            low, high = float(tree.low[child, role]), float(tree.high[child, role])
            since = float(tree.since[child, role])
            visits = float(tree.stat[child, VISITS])
            total = float(tree.stat[child, FIRST + EACH * role + TOTAL])
            value = total / visits * 100 if visits else 50.0
        else:
            low, high = float(tree.low[root, role]), float(tree.high[root, role])
            since = 0.0
            value = float(tree.won[arm + i]) / tried * 100 if tried else 50.0
        value = min(max(value, low), high)
        found.append(MoveReport(int(tree.move[arm + i]), tried, value, low, high, since))
    return found


def best(found: Sequence[MoveReport]) -> MoveReport | None:
    """The move to make: of those that may be better than what is sure the one that was tried most,
    unless it is expected to be worse, its value less the deviation of such a mean; else the move
    that is sure."""
    if not found:
        return None
    surest = max(found, key=lambda r: (r.low, -r.since, r.tried))
    hopeful = [r for r in found if r.high > surest.low]
    if not hopeful:
        return surest
    likely = max(hopeful, key=lambda r: (r.tried, r.value))
    deviation = (likely.high - likely.low) / 2 / sqrt(likely.tried + 1)
    risks = likely.low < surest.low and likely.value - deviation < surest.low
    return surest if risks else likely


def lead(found: Sequence[MoveReport]) -> int:
    """How much more often the move to make was tried than any other that may be made; 0 where that
    is not the one tried most, or where the choice hangs on what is expected, which may change: one
    of them is sure, and another may be better."""
    chosen = best(found)
    if chosen is None:
        return 0
    sure = max(report.low for report in found)
    if chosen.low < sure or (chosen.high <= sure and any(r.high > sure for r in found)):
        return 0
    others = (r.tried for r in found if r.move != chosen.move and r.high > chosen.low)
    return max(0, chosen.tried - max(others, default=0))


def line(tree: Tree, root: int, most: int, chance: int) -> list[tuple[int, ...]]:
    """So many joint moves (indices into `Net.legal` of each role) at the most from a position on:
    of whose turn it is the move to make, else the moves that were tried most."""
    node = root
    found: list[tuple[int, ...]] = []
    while tree.kind[node] == OPEN and len(found) < most:
        arm, slot = int(tree.first_arm[node]), 0
        joint = []
        for role, count in enumerate(tree.counts[node].tolist()):
            tried = tree.tried[arm : arm + count]
            picked = int(tried.argmax())
            if count > 1 and tree.mover[node] == role and role != chance:
                known = reports(tree, node, role)
                picked = known.index(best(known) or known[0])
            if not tried.any() and count > 1:
                return found
            joint.append(int(tree.move[arm + picked]))
            slot = slot * count + picked
            arm += count
        found.append(tuple(joint))
        node = int(tree.slots[tree.first_slot[node] + slot])
    return found
