"""What the loops of a search take: rules, positions and children, a table, a line of play."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.machine.engine.frames import Int32s, Int64s, Words

Bytes = NDArray[np.uint8]
Int16s = NDArray[np.int16]
UInt16s = NDArray[np.uint16]
UInt32s = NDArray[np.uint32]

NO, YES, CUT, PAUSED, FULL, FAULT = 0, 1, 2, 3, 4, 5
"""What a search comes to: the answer, open as far as the depth goes, to be gone on with, no room
for so many positions on one line of play, something wrong with the rules."""

INFINITE = 1 << 30
"""The proof number of what is disproved."""

WAYS = 4
"""Entries of the table that a position can be in."""

DEPTH, PHASE, RESULT, COUNT, PLACE, MADE, QUESTION, SPENT, ROOM = range(9)
"""Places in the array that says where a search stands: how deep, what is next, what came of the
last position, positions looked at, the place of a fault, positions made, the question's number, the
work since it was left last (some microseconds), and positions that it may make."""

ENTER, RETURN = 0, 1


class CircuitRules(NamedTuple):
    """A circuit from a state and moves to the next state and what holds there, and its meaning.

    `first`: the number of the first player's role; `code`: for each goal value of that role (or of
    the other, where payoffs are exchanged, `paid`) the number of the score. `masks`: of keys that
    are not the positions themselves, see `Traits`; none where they are. `won`: where the circuit
    says who wins by the next move, what the first player has then, for each of the two roles; else
    empty. `of_pass`, `of_child`: the work (some microseconds) of making up to 64 children, and
    besides of each.
    """

    frame: Words
    address: int
    bits: int
    moves: int
    results: int
    bounds: Int64s
    goal_bounds: Int64s
    goal_values: Int16s
    first: int
    paid: int
    code: Bytes
    windows: Int64s
    tables: Words
    masks: Words
    won: Int16s
    of_pass: int
    of_child: int


class Nodes(NamedTuple):
    """Positions of the line of play that is looked at, and all children of each.

    `pressed`: whether the circuit says that who waits would win at once in its turn, so that few
    moves are a defence. It tells where to look first, and nothing else hangs on it.

    `order` and `cost` are the children in the order in which alpha-beta search looks at them, and
    what puts them in it; proof-number search has the numbers of each there (-1: none yet)."""

    rows: Words
    packed: Words
    keys: Words
    mover: Int16s
    goals: Int16s
    pressed: Bytes
    degree: Int64s
    move: Int32s
    order: Int64s
    cost: Int64s


class TranspositionTable(NamedTuple):
    """What is known of positions: the least and the greatest score that they can have, how much
    work that was (0: an empty place), and for one question, whose number is `asked`, the proof
    numbers. The place of a key begins with what `shift` leaves of its first word."""

    keys: Words
    low: Bytes
    high: Bytes
    work: Bytes
    proof: UInt32s
    disproof: UInt32s
    asked: UInt16s
    shift: int


class Frames(NamedTuple):
    """The line of play: at each depth a position, and which of its children are left.

    `proof` and `disproof` are the thresholds of proof-number search."""

    at: Int64s
    node: Int64s
    start: Int64s
    many: Int64s
    next: Int64s
    open: Int64s
    opened: Int64s
    proof: Int64s
    disproof: Int64s
