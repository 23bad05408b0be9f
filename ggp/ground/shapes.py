"""What a group is like: a counter, a clock, or a place on a chain.

Only what the net does is looked at, and static relations of whatever name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ggp.ground.groups import Group
from ggp.ground.net import FALSE, Net
from ggp.kif import Term

Kind = Literal["counter", "clock", "chain"]


def kind(net: Net, group: Group) -> Kind | None:
    """`counter`: whatever is played, each fluent hands on to the next one until the last;
    `clock`: likewise in a circle; `chain`: the fluents differ in one argument, whose values are
    consecutive in a static relation."""
    before = {i: net.next[i] - net.first_fluent for i in group.fluents if net.next[i] > 0}
    handed = {i: j for i, j in before.items() if j in group.fluents}
    loose = [i for i in group.fluents if i not in handed]
    if len(set(handed.values())) == len(handed):
        if not loose and _walk(handed, group.fluents[0]) == len(group.fluents):
            return "clock"
        if len(loose) == 1 and net.next[loose[0]] == FALSE:
            after = {j: i for i, j in handed.items()}
            if _walk(after, loose[0]) == len(group.fluents):
                return "counter"
    return "chain" if _is_chain(net, group) else None


def _walk(following: Mapping[int, int], start: int) -> int:
    """How many are met from `start` on until there is no next one or the first one again."""
    count, here = 1, following.get(start)
    while here not in (None, start):
        count += 1
        here = following.get(here) if here is not None else None
    return count


def _is_chain(net: Net, group: Group) -> bool:
    fluents = [net.fluents[i] for i in group.fluents]
    varying = [
        i for i in range(len(fluents[0].args)) if len({fluent.args[i] for fluent in fluents}) > 1
    ]
    if len(varying) != 1 or len(fluents) < 3:
        return False
    values = {fluent.args[varying[0]] for fluent in fluents}
    return any(_is_path(values, pairs) for pairs in net.statics.values())


def _is_path(values: set[Term], pairs: frozenset[tuple[Term, Term]]) -> bool:
    """Whether a relation, among these values, is one path through all of them."""
    steps = [(a, b) for a, b in pairs if a in values and b in values]
    after = dict(steps)
    if len(steps) != len(values) - 1 or len(after) != len(steps):
        return False
    starts = values - set(after.values())
    if len(starts) != 1:
        return False
    here, count = starts.pop(), 1
    while here in after:
        here, count = after[here], count + 1
    return count == len(values)
