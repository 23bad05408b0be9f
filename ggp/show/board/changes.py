"""What moves change: whose they are, and which content of a place stands for none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from ggp.rules import signature
from ggp.show.board.clicks import Clicks, actor
from ggp.show.board.families import Row, leaf, pick
from ggp.show.board.links import Links
from ggp.show.board.model import BoardLayer
from ggp.show.board.ranks import TermRanks
from ggp.show.board.samples import Samples

MOST, FULL, COMMON = 0.8, 0.9, 0.33
"""The parts of something that are taken for most of it, nearly all of it, and a good deal."""

Changes = Sequence[tuple[int | None, Row, Row]]
"""For each place that a move changes the mover, and the contents before and after it."""


def changes(number: int, layer: BoardLayer, samples: Samples, clicks: Clicks) -> Changes:
    """The changes of a layer of a board in all sampled plays."""
    found = []
    cells = [layer.cells(rows) for rows in layer.family.rows]
    for step in samples.steps:
        one, other = cells[step.before], cells[step.after]
        for key in {*one, *other}:
            before, after = one.get(key, ()), other.get(key, ())
            if before != after:
                role = actor(number, key, step, clicks)
                found.append((role, _single(before), _single(after)))
    return found


def _single(contents: tuple[Row, ...]) -> Row:
    return contents[0] if contents else ()


def blank_of(
    layer: BoardLayer, made: Changes, things: Collection[Row], ranks: TermRanks
) -> Row | None:
    """The content that stands for none: common, in most changes, and none of the `things`; or None.

    Only where nearly every place has a content: elsewhere none is no content. Of two that are
    alike, the one that is commoner at the beginning; but none of them, where there is hardly
    anything else at the beginning: the rules of games in which things are put on a board, and of
    those in which they are taken away, are then the same.
    """
    family = layer.family
    if not layer.content or not _is_full(layer):
        return None
    counts = Counter(pick(row, layer.content) for rows in family.rows for row in rows)
    shares = {content: count / counts.total() for content, count in counts.items()}
    scores = {
        content: shares[content] + _part(content, made)
        for content in counts
        if content not in things and not _is_left_out(content, made)
    }
    if not scores or len(counts) < 2:
        return None
    best = max(scores, key=lambda content: (scores[content], ranks.row_key(content)))
    alike = [c for c in scores if shares[c] >= COMMON and scores[c] - shares[c] >= FULL]
    if best in alike:
        first = Counter(pick(row, layer.content) for row in family.rows[0])
        best = min(alike, key=lambda c: (-first[c], -scores[c], ranks.row_key(c)))
        if len(alike) > 1 and first[best] >= FULL * first.total():
            return None
    common = shares[best] >= COMMON or scores[best] - shares[best] >= FULL
    return best if common else None


def _is_full(layer: BoardLayer) -> bool:
    """Whether nearly every place has a content in the first state in which any has."""
    family = layer.family
    first = next((rows for rows in family.rows if rows), ())
    if family.is_exact(layer.places):
        return True
    return len(first) >= MOST * len(family.keys(layer.places))


def _is_left_out(content: Row, made: Changes) -> bool:
    """Whether things that go leave no content at all rather than this one."""
    left = Counter(after for _, before, after in made if before not in (content, ()))
    return left[()] > left[content]


def _part(content: Row, made: Changes) -> float:
    """The part of the changes that a content is in."""
    return sum(content in (a, b) for _, a, b in made) / max(1, len(made))


def named(layer: BoardLayer, samples: Samples, links: Links) -> set[Row]:
    """The contents that moves name: things, and not that there is none."""
    if len(layer.content) != 1:
        return set()
    (at,) = layer.content
    spots = links.moves((layer.family.relation, layer.family.paths[at]))
    moves = {move for legal in samples.legal.values() for own in legal for move in own}
    return {
        (leaf(move, path),) for move in moves for kind, path in spots if signature(move) == kind
    }
