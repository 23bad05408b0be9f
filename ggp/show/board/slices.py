"""Boards of more than two axes: which axes are within a grid, which ones lead from grid to grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from ggp.kif import Term
from ggp.rules import Rule, signature
from ggp.show.board.families import leaf
from ggp.show.board.model import BoardLayer
from ggp.show.board.placing import Draft

Groups = Counter[frozenset[int]]
"""Sets of axes that rules hold fixed while they go along the others, as lines and boxes do."""


def few(draft: Draft) -> int:
    """The axis of three whose names are least like those of the others; there are few of them."""
    alike = [
        sum(len(own & other) for other in draft.axes if other is not own) / len(own)
        for own in draft.axes
    ]
    ranked = draft.layers[0].ranked
    return min(ranked, key=lambda axis: (alike[axis], len(draft.axes[axis])))


def nested(layer: BoardLayer, rules: Sequence[Rule]) -> tuple[int, int, int, int]:
    """Of four axes those that lead from grid to grid, down and across, and those within a grid.

    Rules speak of the grids, and so hold their axes fixed together; in rows and in columns of the
    whole board an axis of either kind.
    """
    groups = _groups(layer, rules)
    axes = set(range(4))

    def together(outer: tuple[int, ...]) -> int:
        inner = axes - set(outer)
        return sum(
            count * ((group >= set(outer)) - (group >= inner)) for group, count in groups.items()
        )

    down, across = max(combinations(range(4), 2), key=together)
    one, other = sorted(axes - {down, across})
    direct = groups[frozenset((down, one))] + groups[frozenset((across, other))]
    crossed = groups[frozenset((down, other))] + groups[frozenset((across, one))]
    return (down, across, one, other) if direct >= crossed else (down, across, other, one)


def _groups(layer: BoardLayer, rules: Sequence[Rule]) -> Groups:
    found: Groups = Counter()
    for rule in rules:
        own = [names for names in (_names(atom, layer) for atom in rule.positive) if names]
        if own:
            shared = set(rule.head.variables())
            if len(own) > 1:
                shared |= {name for name in own[0] if all(name in names for names in own)}
            group = frozenset(i for i, name in enumerate(own[0]) if name in shared)
            if len(group) < len(layer.places):
                found[group] += 1
    return found


def _names(atom: Term, layer: BoardLayer) -> list[str]:
    """What an atom says of each axis of a place, if it is a fluent that lies there."""
    family = layer.family
    if atom.name != "true" or signature(atom.args[0]) != family.relation:
        return []
    if not family.fits(atom.args[0]):
        return []
    return [str(leaf(atom.args[0], family.paths[i])) for i in layer.places]
