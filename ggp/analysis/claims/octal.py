"""Taking and breaking: rows of tokens from which runs are taken, as octal codes.

Digit k of the code `0.d1d2d3…` says when k tokens may be taken from a run: 1 if they are all of it,
2 if one run is left, 4 if two are (Guy and Smith, Proc. Cambridge Phil. Soc. 52, 1956).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ggp.analysis.boards.boards import Boards, Option
from ggp.analysis.claims.options import SCOPE
from ggp.analysis.evidence import Enumeration, Evidence
from ggp.analysis.finding import Finding
from ggp.analysis.heaps.heap import families
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.analysis.relations.chains import chains
from ggp.bits import bits_of
from ggp.circuits.circuit import Builder
from ggp.ground import Net
from ggp.limits import look

MAX_POSITIONS = 60_000
"""Positions up to which a game is looked at for an octal code."""

MAX_TOKENS = 60
"""Tokens in a row, where it is enumerated."""

MIN_TOKENS = 3

MAX_TAKEN = 8
"""Places from the first to the last that one move changes, for a proof."""


@dataclass(frozen=True)
class Take:
    """Tokens that a move can take: the first place, how many, and whether there are tokens next to
    them on the left and on the right."""

    start: int
    count: int
    left: bool
    right: bool


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

    On every board what can be taken is what the code says of each run by itself. Of impartial
    games with alternating turns that end exactly where the player to move has no move; this is for
    the caller to know. Raises `LimitReached`.
    """
    rows = list(_rows(positions.game.net))
    for tokens in rows:
        code = proved_code(positions.proofs, tokens)
        if code is not None:
            text, why = _named(code)
            return Finding("octal_code", text, "proved", Evidence(f"on every board {why}"))
    if rows and len(positions.reachable) <= MAX_POSITIONS:
        for tokens in rows:
            code = _code(positions, tokens) if len(tokens) <= MAX_TOKENS else None
            if code is not None:
                text, why = _named(code)
                evidence = Enumeration(why, len(positions.either), SCOPE)
                return Finding("octal_code", text, "exhaustive", evidence)
    return None


def _rows(net: Net) -> Iterator[list[int]]:
    """Fluents that are places on a chain, of which several hold at the start."""
    for chain in chains(net):
        for family in families(net, chain.elements):
            tokens, sizes = family.members, family.sizes
            is_row = sizes[-1] - sizes[0] + 1 == len(sizes) >= MIN_TOKENS
            if is_row and sum(f in net.initial for f in tokens) > 1:
                yield tokens


def _named(code: list[int]) -> tuple[str, str]:
    text = "0." + "".join(map(str, code[1:]))
    name = f" ({NAMES[text]})" if text in NAMES else ""
    return text, f"what can be taken from each run of a row of tokens is {text}{name}"


def proved_code(proofs: Proofs, tokens: list[int]) -> list[int] | None:
    """The digits, from that of 0 on, if they are proved of every board; None without a proof.

    Each move is looked at with every arrangement of the tokens that it may change and of those
    beside these, all other tokens unknown (ternary simulation, as for parts of the board).
    """
    boards = proofs.boards
    if boards is None or len(boards.sides) != 2:
        return None
    opposite = opposites(proofs, set(tokens))
    if opposite is None:
        return None
    row = _RowOfTokens.of(boards, tokens, opposite)
    codes = []
    for side in boards.sides:
        taken: set[Take] = set()
        for option in side.options:
            look("octal codes")
            found = _takes(boards, option, row)
            if found is None:
                return None
            taken |= found
        codes.append(_digits(taken, len(tokens)))
    return codes[0] if codes[0] == codes[1] else None


def opposites(proofs: Proofs, tokens: set[int]) -> dict[int, int] | None:
    """For tokens the fluent that holds just where they do not, as every move leaves one of both;
    None where other fluents change."""
    boards, parts = proofs.boards, proofs.parts
    assert boards is not None
    pairs = [part.fluents for part in proofs.split if part.exact and len(part.fluents) == 2]
    opposite = {a: b for pair in pairs for a, b in (pair, pair[::-1]) if a in tokens}
    changing = {f for f in boards.inputs if parts.may_change(f)}
    return opposite if changing <= {*tokens, *opposite.values()} else None


@dataclass(frozen=True)
class _RowOfTokens:
    """The places of a row: of each fluent its place, and of each place the inputs that tell of it,
    with whether that is by saying that there is none; and of all other inputs, which never change,
    whether they hold."""

    tokens: list[int]
    place: Mapping[int, int]
    told: Sequence[Sequence[tuple[int, bool]]]
    fixed: Mapping[int, bool]

    @classmethod
    def of(cls, boards: Boards, tokens: list[int], opposite: Mapping[int, int]) -> _RowOfTokens:
        place = {f: n for n, f in enumerate(tokens)}
        place.update({opposite[f]: n for n, f in enumerate(tokens) if f in opposite})
        told: list[list[tuple[int, bool]]] = [[] for _ in tokens]
        fixed = {}
        for f, literal in boards.inputs.items():
            if f in place:
                told[place[f]].append((literal >> 1, f != tokens[place[f]]))
            else:
                fixed[literal >> 1] = f in boards.net.initial
        return cls(tokens, place, told, fixed)


def _takes(boards: Boards, option: Option, row: _RowOfTokens) -> set[Take] | None:
    """What a move can take; None where it does anything else, or hangs on more than the tokens
    next to those that are taken."""
    tokens, place = row.tokens, row.place
    changes = option.after(boards.inputs)
    touched = sorted({place[f] for f in changes})
    if not touched or touched[-1] - touched[0] >= MAX_TAKEN:
        return None
    first, last = max(0, touched[0] - 1), min(len(tokens) - 1, touched[-1] + 1)
    width = last - first + 1
    full = (1 << (1 << width)) - 1
    held = [sum(1 << a for a in range(1 << width) if a >> n & 1) for n in range(width)]
    # What never changes is as it was at the start.
    known = {node: (full, 0) if holds else (0, full) for node, holds in row.fixed.items()}
    for n, mask in enumerate(held):
        for node, is_none in row.told[first + n]:
            known[node] = (full ^ mask, mask) if is_none else (mask, full ^ mask)
    legal, *after = _simulate(boards.builder, [option.rule, *changes.values()], known, full)
    if legal[0] & legal[1] or any(legal[0] & can & cannot for can, cannot in after):
        return None
    holds = {f: can for f, (can, _) in zip(changes, after, strict=True)}
    left = [holds.get(tokens[first + n], held[n]) for n in range(width)]
    taken: dict[tuple[int, int], set[int]] = {}
    for a in bits_of(legal[0]):
        run = _taken(a, sum(1 << n for n in range(width) if left[n] >> a & 1))
        if run is None:
            return None
        taken.setdefault(run, set()).add(a)
    found = set()
    for (start, count), arrangements in taken.items():
        near = [n for n in range(start - 1, start + count + 1) if 0 <= n < width]
        mask = sum(1 << n for n in near)
        seen = {a & mask for a in arrangements}
        if len(arrangements) != len(seen) << (width - len(near)):
            return None
        for a in seen:
            beside = start > 0 and a >> start - 1 & 1, a >> start + count & 1
            found.add(Take(first + start, count, *map(bool, beside)))
    return found


def _simulate(
    builder: Builder, literals: Sequence[int], known: Mapping[int, tuple[int, int]], full: int
) -> list[tuple[int, int]]:
    """For each literal the cases (as bits) in which it can be true, and in which it can be false.

    `known`: the same for some inputs; others can be either in every case of `full`.
    """
    values = {**known, 0: (0, full)}

    def of(literal: int) -> tuple[int, int]:
        can, cannot = values[literal >> 1]
        return (cannot, can) if literal & 1 else (can, cannot)

    for node in sorted(builder.circuit((), ()).cone(literals)):
        a, b = builder.first[node], builder.second[node]
        if a == b:
            values.setdefault(node, (full, full))
            continue
        (p, not_p), (q, not_q) = of(a), of(b)
        if a < b:
            values[node] = p & q, not_p | not_q
        else:
            values[node] = (p & not_q) | (not_p & q), (p & q) | (not_p & not_q)
    return [of(literal) for literal in literals]


def _digits(taken: Collection[Take], size: int) -> list[int] | None:
    """The code under which just this can be taken from rows of some size, or None."""
    code = [0] * (size + 1)
    for take in taken:
        code[take.count] |= 1 << take.left + take.right
    allowed = {
        Take(start, count, left, right)
        for count in range(1, size + 1)
        if code[count]
        for start in range(size - count + 1)
        for left in ((False, True) if start else (False,))
        for right in ((False, True) if start + count < size else (False,))
        if code[count] >> left + right & 1
    }
    while len(code) > 1 and not code[-1]:
        code.pop()
    return code if len(code) > 1 and allowed == set(taken) else None


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
            run = _taken(before, after)
            if run is None:
                return None
            start, length = run
            left = start > 0 and before >> (start - 1) & 1
            code[length] |= 1 << left + (before >> (start + length) & 1)
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
    """The first place and the number of the tokens that were taken, if they are one run."""
    runs = list(_runs(before & ~after))
    return runs[0] if len(runs) == 1 and not after & ~before else None


def _allowed(word: int, code: list[int]) -> Iterator[int]:
    """All boards that the code allows to move to."""
    for place, length in _runs(word):
        for take in range(1, min(length, len(code) - 1) + 1):
            for start in range(place, place + length - take + 1):
                left, right = start > place, start + take < place + length
                if code[take] & 1 << (left + right):
                    yield word & ~(((1 << take) - 1) << start)
