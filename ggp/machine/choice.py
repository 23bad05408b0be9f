"""A uniformly random choice among the moves that are legal, as a part of the circuit.

Of every lane: a tree of adders counts the legal moves; a number below the count is drawn; and the
tree is walked down to the move of that number. About 30 gates a move, whatever the lanes hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ggp.circuits.circuit import FALSE, TRUE, Builder

EXTRA_BITS = 10
"""Random bits beyond those of the count: a move's probability is off by less than 2 ** -10 of it.

With `b` random bits a number below `c` is `floor(u * c / 2**b)`, so that each of the `c` moves has
`floor` or `ceil` of `2**b / c` of the `2**b` cases: less than one case, that is less than
`c / 2**b` of its share, too many or too few.
"""

Number = list[int]
"""Binary digits as literals, the lowest first."""


def random_bits(moves: int) -> int:
    """How many random bits the choice among at most so many moves takes."""
    return 0 if moves < 2 else moves.bit_length() + EXTRA_BITS


@dataclass(frozen=True)
class _CountNode:
    """A part of the moves: how many there are, and how many of them are legal."""

    size: int
    count: Number
    children: tuple[_CountNode, _CountNode] | None


def choose(
    builder: Builder, legal: Sequence[int], random: Sequence[int], active: int = TRUE
) -> tuple[list[int], int]:
    """One literal for each move, of which just one holds (none where `active` does not), and
    whether any move is legal.

    `random`: `random_bits(len(legal))` literals, each true half the time and independent of one
    another. Where no move is legal the choice means nothing.
    """
    if len(legal) < 2:
        return [active] * len(legal), legal[0] if legal else FALSE
    root = _count(builder, list(legal))
    chosen: list[int] = []
    _walk(builder, root, active, _below(builder, root.count, random), chosen)
    return chosen, builder.disj_all(root.count)


def _count(builder: Builder, legal: list[int]) -> _CountNode:
    if len(legal) == 1:
        return _CountNode(1, legal, None)
    # The left part a power of two: numbers stay as short as they can be.
    half = 1 << (len(legal) - 1).bit_length() - 1
    left, right = _count(builder, legal[:half]), _count(builder, legal[half:])
    return _CountNode(len(legal), _sum(builder, left.count, right.count), (left, right))


def _sum(builder: Builder, a: Number, b: Number) -> Number:
    carry, result = FALSE, []
    for i in range(max(len(a), len(b))):
        x, y = (a[i] if i < len(a) else FALSE), (b[i] if i < len(b) else FALSE)
        half = builder.xor(x, y)
        result.append(builder.xor(half, carry))
        carry = builder.mux(half, carry, x) if carry else builder.conj(x, y)
    return [*result, carry] if carry else result


def _below(builder: Builder, count: Number, random: Sequence[int]) -> Number:
    """A number below `count`: one random bit after the other, `(sum + bit * count) // 2`."""
    total: Number = [FALSE] * len(count)
    for bit in random:
        total = _sum(builder, total, [builder.conj(bit, digit) for digit in count])
        total = [*total, FALSE][1 : len(count) + 1]
    return total


def _walk(
    builder: Builder, node: _CountNode, active: int, number: Number, chosen: list[int]
) -> None:
    """Go down to move `number` of the legal ones of `node`, where `active`.

    There the number is below that of its moves, so that it has no more digits than that takes.
    """
    if node.children is None:
        chosen.append(active)
        return
    number = number[: (node.size - 1).bit_length()]
    left, right = node.children
    difference, is_less = _difference(builder, number, left.count)
    go_left = builder.conj(active, is_less)
    _walk(builder, left, go_left, number, chosen)
    go_right = builder.conj(active, is_less ^ 1)
    _walk(builder, right, go_right, difference, chosen)


def _difference(builder: Builder, a: Number, b: Number) -> tuple[Number, int]:
    """`a - b`, and whether it is below zero."""
    borrow, result = FALSE, []
    for i in range(max(len(a), len(b))):
        x, y = (a[i] if i < len(a) else FALSE), (b[i] if i < len(b) else FALSE)
        differ = builder.xor(x, y)
        result.append(builder.xor(differ, borrow))
        borrow = builder.mux(differ, y, borrow) if borrow else builder.conj(x ^ 1, y)
    return result, borrow
