"""What a solver is to add up, so that it sees what groups of fluents weigh at most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from ggp.circuits.circuit import Builder
from ggp.ground import Group


def summands(
    builder: Builder,
    fluents: Mapping[int, int] | Sequence[int],
    weights: Iterable[tuple[int, int]],
    groups: Iterable[Group],
) -> list[tuple[int, int]]:
    """Literals with weights of the same sum as fluents with weights, where `groups` hold.

    `fluents`: the literal of each. A solver adds up all that may hold, whether or not two of them
    exclude each other. So of a group literals are added that say that it weighs so much or more,
    each with what that is more than the one before: together no more than the heaviest fluent
    (order encoding; sums of what excludes each other: Bofill et al., "SAT encodings of
    pseudo-Boolean constraints with at-most-one relations", CPAIOR 2019).
    """
    left = dict(weights)
    found = []
    for group in sorted(groups, key=lambda group: -len(group.fluents)):
        own = {f: left[f] for f in group.fluents if f in left}
        if len(own) < 2:
            continue
        for f in own:
            del left[f]
        for sign in (1, -1):
            heavier = {f: sign * w for f, w in own.items() if sign * w > 0}
            for less, least in pairwise([0, *sorted(set(heavier.values()))]):
                some = builder.disj_all(fluents[f] for f, w in heavier.items() if w >= least)
                found.append((some, sign * (least - less)))
    return [*found, *((fluents[f], w) for f, w in left.items())]


def summands_of_equals(
    builder: Builder,
    fluents: Sequence[int],
    weights: Iterable[tuple[int, int]],
    groups: Iterable[Group],
) -> list[tuple[int, int]]:
    """The same, of each group one literal for all that weigh the same: "one of these".

    Four groups count for four at the most. In the search for bounds, where fluents of a group
    mostly weigh the same, a solver is led by this to more telling states than by `summands`.
    """
    left = dict(weights)
    found = []
    for group in sorted(groups, key=lambda group: -len(group.fluents)):
        of_weight: dict[int, list[int]] = {}
        for f in group.fluents:
            if f in left:
                of_weight.setdefault(left[f], []).append(f)
        for weight, own in of_weight.items():
            if len(own) > 1:
                found.append((builder.disj_all(fluents[f] for f in own), weight))
                for f in own:
                    del left[f]
    return [*found, *((fluents[f], w) for f, w in left.items())]
