"""Taking and breaking: rows of tokens from which runs are taken, as octal codes.

Digit k of the code `0.d1d2d3…` says when k tokens may be taken from a run: 1 if they are all of it,
2 if one run is left, 4 if two are (Guy and Smith, Proc. Cambridge Phil. Soc. 52, 1956).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.analyse.chains import chains
from ggp.analyse.evidence import Enumeration
from ggp.analyse.finding import Finding
from ggp.analyse.heaps import families
from ggp.analyse.partiality import SCOPE
from ggp.analyse.positions import Positions

MAX_POSITIONS = 60_000
"""Positions up to which a game is looked at for an octal code."""

MAX_TOKENS = 60
"""Tokens in a row."""

NAMES = {
    "0.77": "Kayles",
    "0.07": "Dawson's Kayles",
    "0.137": "Dawson's Chess",
    "0.007": "Treblecross",
    "0.33": "taking one or two",
}
"""Games that are known by their codes (Winning Ways, chapter 4)."""


def octal_code(positions: Positions) -> Finding | None:
    """The code of an impartial game that is a row of tokens, or None.

    On every board that arises by moves of either player, what can be taken is what the code says of
    each run by itself, and tells the whole board. Raises `LimitReached`.
    """
    net = positions.game.net
    if len(positions.reachable) > MAX_POSITIONS:
        return None
    for chain in chains(net):
        for family in families(net, chain.elements):
            tokens, sizes = family.members, family.sizes
            if sizes[-1] - sizes[0] + 1 != len(sizes):
                continue
            if MAX_TOKENS >= len(tokens) >= 3 and sum(f in net.initial for f in tokens) > 1:
                code = _code(positions, tokens)
                if code is not None:
                    return _finding(positions, code)
    return None


def _finding(positions: Positions, code: list[int]) -> Finding:
    text = "0." + "".join(map(str, code[1:]))
    name = f" ({NAMES[text]})" if text in NAMES else ""
    why = f"what can be taken from each run of a row of tokens is {text}{name}"
    evidence = Enumeration(why, len(positions.either), SCOPE)
    return Finding("octal_code", text, "exhaustive", evidence)


def _code(positions: Positions, tokens: list[int]) -> list[int] | None:
    """The digits, from that of 0 on, if every option of every board is as they say."""
    space = positions.either
    board, count = positions.boards
    held = positions.game.machine.coding.held(space.rows)[:, tokens]
    words = held.astype(np.int64) @ (1 << np.arange(len(tokens), dtype=np.int64))
    if len(np.unique(words)) != count or len(np.unique(words * count + board)) != count:
        return None
    options: dict[int, set[int]] = {int(word): set() for word in np.unique(words)}
    pairs = np.unique(np.stack([words[space.source], words[space.target]]), axis=1)
    for before, after in pairs.T.tolist():
        options[before].add(after)
    code = [0] * (len(tokens) + 1)
    for before, found in options.items():
        for after in found:
            taken = _taken(before, after)
            if taken is None:
                return None
            count_taken, bit = taken
            code[count_taken] |= bit
    while len(code) > 1 and not code[-1]:
        code.pop()
    if len(code) < 2 or any(found != set(_allowed(b, code)) for b, found in options.items()):
        return None
    return code


def _runs(word: int) -> Iterator[tuple[int, int]]:
    """The first place and the length of each run of ones."""
    place = 0
    while word >> place:
        if word >> place & 1:
            length = 1
            while word >> (place + length) & 1:
                length += 1
            yield place, length
            place += length
        place += 1


def _taken(before: int, after: int) -> tuple[int, int] | None:
    """How many tokens were taken, and the bit that says how many runs were left of theirs."""
    gone = before & ~after
    if after & ~before or not gone:
        return None
    runs = list(_runs(gone))
    if len(runs) != 1:
        return None
    start, length = runs[0]
    left = start > 0 and before >> (start - 1) & 1
    right = before >> (start + length) & 1
    return length, 1 << (left + right)


def _allowed(word: int, code: list[int]) -> Iterator[int]:
    """All boards that the code allows to move to."""
    for place, length in _runs(word):
        for take in range(1, min(length, len(code) - 1) + 1):
            for start in range(place, place + length - take + 1):
                left, right = start > place, start + take < place + length
                if code[take] & 1 << (left + right):
                    yield word & ~(((1 << take) - 1) << start)
