"""Arrays of pieces, as the compiled loops take them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.machine.engine.frames import Int32s, Int64s, Words

Bytes = NDArray[np.uint8]

NO, YES, EITHER = 1, 2, 3
"""Values of nodes, as sets: bit 0 that it may be false, bit 1 that it may be true."""

FLUENT, GATE_AND, GATE_XOR, OPTION = 1, 3, 4, 5
"""Kinds of vertices as they are written; `FLUENT` and the next one: off and on; from `OPTION` on
the sides."""

UNNAMED = -1
"""What stands for the names of pieces of which one is too large to be named."""

LOCALS, NAMES, TOKENS, OPTIONS, CHILDREN, STEPS = range(6)
"""Places in `PieceTables.counts`."""


class PieceRules(NamedTuple):
    """The options of a splitter and the gates that they depend on.

    Node 0 is false, node `1 + f` fluent `f`, the rest are gates in order, with `first` and
    `second` (literals: twice a node, plus one if inverted) and `is_xor`. For each option: literals
    `rule` and `again`, changes `change_start[o]` to `change_start[o + 1]` (`change_fluent`,
    `change_value`), what it `reads` as bits of fluents, its `side`.
    """

    fluents: int
    first: Int32s
    second: Int32s
    is_xor: Bytes
    rule: Int32s
    again: Int32s
    change_start: Int32s
    change_fluent: Int32s
    change_value: Int32s
    reads: Words
    side: Int32s


class Scratch(NamedTuple):
    """Workspace: of nodes, options, fluents and vertices."""

    values: Bytes
    needed: Int32s
    marks: Bytes
    parent: Int32s
    resolved: Int32s
    options: Int32s
    live: Int32s
    board: Bytes
    opened: Bytes
    piece_of: Int32s
    sizes: Int32s
    colours: Words
    following: Words
    kinds: Int32s
    low: Int32s
    high: Int32s
    hyper: NDArray[np.int32]
    first_hyper: Int32s
    order: Int32s
    place: Int32s
    text: Int32s
    rows: Words


class PieceTables(NamedTuple):
    """What is known of pieces.

    `keys` (locals, words): options and board of each piece where it stands; `name_of` them.
    `tokens` from `token_start[n]` to `token_start[n + 1]`: how name `n` is written; `local_of`:
    where one stands. `local_slot`, `name_slot`: hash tables. `option_start[n]` on: the options of
    a name, each with its `side` and, from `child_start` on, the names that it leaves. `counts`:
    how much there is of each.
    """

    keys: Words
    name_of: Int32s
    tokens: Int32s
    token_start: Int64s
    local_of: Int32s
    size_of: Int32s
    local_slot: Int32s
    name_slot: Int32s
    option_start: Int64s
    side: Bytes
    child_start: Int64s
    children: Int32s
    counts: Int64s
