"""Contents of places: which one is none, whose they are, and what is drawn for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from itertools import count as numbers_from

from ggp.show.board.changes import Changes
from ggp.show.board.families import Row
from ggp.show.board.model import BoardLayer
from ggp.text import plain, shortened

DISCS = "○●◆◇▲△■□"
"""One for each owner, where each has but one kind of piece."""

MAX_TITLE = 60
"""Characters of a content's name that are shown anywhere."""

MAX_DISCS = 8

MAX_LATER = 500
"""Contents, met after a board was found, that get marks of their own."""

CLEAR, ALWAYS = 0.8, 0.95
"""The part of all times in which one role could move, or puts, a content that is its own."""

LEAST = 5
"""Times that a role puts its own content somewhere, at the least: fewer may be chance."""

Content = tuple[int, Row]
"""A content of a layer, by the layer's number."""


@dataclass(frozen=True)
class Mark:
    """What is drawn for a content: in text, in text without other letters than ASCII, in words.

    `owner`: the number of a role. `disc`: whether the owner's colour says all.
    """

    text: str
    ascii: str
    title: str
    owner: int | None = None
    disc: bool = False


def owners(
    layers: Sequence[BoardLayer],
    made: Sequence[Changes],
    roles: Sequence[str],
    touched: Counter[tuple[int, Row, int]],
) -> dict[Content, int]:
    """The roles whose contents are: who is named in one, moves it, or nearly always puts it there.

    `made`: the changes of each layer. `touched`: how often a role could move a content, by layer,
    content and role.
    """
    moved = _moved(touched)
    found = _clear(moved, CLEAR, 2) if len(roles) > 1 else {}
    if len(roles) > 1:
        put = {c: v for c, v in _placed(made).items() if c not in moved and v.total() >= LEAST}
        clear = _clear(put, ALWAYS, LEAST)
        # A few of many are so by chance.
        found |= clear if 2 * len(clear) >= len(put) else {}
    number = {role: i for i, role in enumerate(roles)}
    for at, layer in enumerate(layers):
        for own in contents_of(layer):
            named = [number[str(part)] for part in own if str(part) in number]
            if len(named) == 1:
                found[at, own] = named[0]
    return found


def _clear(votes: Mapping[Content, Counter[int]], part: float, least: int) -> dict[Content, int]:
    """The contents that nearly always are one role's."""
    best = {content: counts.most_common(1)[0] for content, counts in votes.items() if content[1]}
    return {
        content: role
        for content, (role, most) in best.items()
        if most >= max(least, part * votes[content].total())
    }


def _moved(touched: Counter[tuple[int, Row, int]]) -> dict[Content, Counter[int]]:
    """How often each role could move a content."""
    votes: dict[Content, Counter[int]] = {}
    for (at, own, role), times in touched.items():
        votes.setdefault((at, own), Counter())[role] += times
    return votes


def _placed(made: Sequence[Changes]) -> dict[Content, Counter[int]]:
    """How often each role put a content somewhere."""
    votes: dict[Content, Counter[int]] = {}
    for at, own in enumerate(made):
        for mover, _, after in own:
            if mover is not None:
                votes.setdefault((at, after), Counter())[mover] += 1
    return votes


def contents_of(layer: BoardLayer) -> set[Row]:
    """All contents of a layer."""
    return {tuple(row[i] for i in layer.content) for row in layer.family.known}


def marks(layers: Sequence[BoardLayer], owned: Mapping[Content, int]) -> dict[Content, Mark]:
    """What is drawn for each content of the layers of a board; blank ones are left out."""
    contents = [
        (at, content)
        for at, layer in enumerate(layers)
        for content in sorted(contents_of(layer), key=str)
        if content != layer.blank or not content
    ]
    words = {c: _words(layers[c[0]], c[1]) for c in contents}
    same = {(c[1] or layers[c[0]].family.relation): word for c, word in words.items()}
    short = dict(zip(same, abbreviations(list(same.values())), strict=True))
    by_owner = Counter(owned[c] for c in contents if c in owned)
    discs = (
        len(contents) == len(by_owner) <= MAX_DISCS
        and max(owned.values(), default=0) < len(DISCS)
        and any(len(word) > 2 for word in words.values())
    )
    if len(contents) <= 2 and not owned and not _is_short(words.values()):
        return _nobodys(layers, contents)
    found = {}
    for c in contents:
        text = short[c[1] or layers[c[0]].family.relation]
        owner = owned.get(c)
        shape = DISCS[owner] if discs and owner is not None else text
        found[c] = Mark(shape, text, title_of(layers[c[0]], c[1]), owner, discs)
    return found


def later_mark(
    layer: BoardLayer, content: Row, known: Collection[Mark], later: Collection[Mark]
) -> Mark:
    """What is drawn for a content that was not `known` when the others got their marks: a text that
    stands for no other content; `?` where too many came `later`."""
    taken = {text for mark in chain(known, later) for text in (mark.text, mark.ascii)}
    words = _words(layer, content)
    own = [words] if len(words) <= 2 and _is_fit(words) else []
    choices = chain(own, _shorter(words), map(str, numbers_from(1)))
    text = "?" if len(later) >= MAX_LATER else next(text for text in choices if text not in taken)
    return Mark(text, text, title_of(layer, content))


def _is_short(words: Collection[str]) -> bool:
    """Whether there are two words that say enough as they are, such as the digits 0 and 1."""
    return len(words) == 2 and all(len(word) <= 2 for word in words)


def _nobodys(layers: Sequence[BoardLayer], contents: Iterable[Content]) -> dict[Content, Mark]:
    """One content that is nobody's, or two: what is there at first is hollow beside the other."""
    first = [Counter(layer.cells(layer.family.rows[0]).values()) for layer in layers]
    ordered = sorted(contents, key=lambda c: (first[c[0]][(c[1],)], str(c[1])))
    signs = (("●", "*"), ("○", "o"))
    return {
        c: Mark(sign, letter, title_of(layers[c[0]], c[1]), None, True)
        for c, (sign, letter) in zip(ordered, signs, strict=False)
    }


def title_of(layer: BoardLayer, content: Row) -> str:
    """A content in words; that of a mere mark is the name of its relation."""
    words = " ".join(shortened(str(part), MAX_TITLE) for part in content)
    return plain(shortened(words or layer.family.relation[0], MAX_TITLE)).replace("\n", "·")


def _words(layer: BoardLayer, content: Row) -> str:
    """What is to be abbreviated."""
    parts = [shortened(str(part), MAX_TITLE) for part in content]
    return " ".join(parts) or shortened(layer.family.relation[0], MAX_TITLE)


def abbreviations(names: Sequence[str]) -> list[str]:
    """A short text for each name, of one or two letters (or a number), all different, even where
    long names are alike.

    >>> abbreviations(["knight", "king", "x", "10"])
    ['k', 'ki', 'x', '10']
    >>> abbreviations(["blackKing", "blackKnight", "white_king", "white_knight"])
    ['bK', 'bN', 'wk', 'wn']
    """
    most = 3 if all(len(name) <= 3 for name in names) else 2
    found = {name: name for name in names if len(name) <= most and _is_fit(name)}
    taken, numbers = set(found), map(str, numbers_from(1))
    texts = []
    for name in names:
        text = found.pop(name, None)
        if text is None:
            choices = chain(_shorter(name), numbers)
            text = next(short for short in choices if short not in taken)
            taken.add(text)
        texts.append(text)
    return texts


def _is_fit(text: str) -> bool:
    return text.isascii() and text.isprintable() and bool(text.strip())


def _shorter(name: str) -> Iterable[str]:
    """Texts to stand for a name, the best first."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+", name[:MAX_TITLE])
    letters = "".join(words)
    if len(words) > 1:
        yield words[0][0] + words[1][0]
        yield words[0][0] + words[-1][0]
        # The second letter begins a word: knights beside kings are N.
        large = words[-1][0].isupper()
        yield from (words[0][0] + (c.upper() if large else c) for c in words[-1][1:])
    if letters:
        yield letters[0]
        yield letters[:2]
        for other in letters[1:]:
            yield letters[0] + other
