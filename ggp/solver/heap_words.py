"""Heaps in words: what their nim-values are, and which sizes are lost.

Under misère play a sum of heaps is lost for who is to move where the exclusive or of the nim-values
is 0, or 1 if none of them is above 1, as in Nim (C. L. Bouton, Ann. of Math. 3, 1901), if every
heap of nim-value 0 that can be moved in has an option of nim-value 1; so has every heap of a
subtraction game (T. S. Ferguson, Int. J. Game Theory 3, 1974). For a move changes one value, and
what is lost leads to nothing of the kind. Conversely: where some value is above 1 and the exclusive
or is not 0, the move of Nim wins, or if it leaves no value above 1, there was but one, which has
options of both 0 and 1. Where none is above 1 and the exclusive or is 0, a heap of 1 is made one of
0, or if there is none, one of 0 made one of 1; there is one that can be moved in, or play is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp.analysis import Heap
from ggp.analysis.heaps.heap import FreeHeap
from ggp.kif import Term


def are_as_nim(heaps: Iterable[Heap]) -> bool:
    """Whether each heap of nim-value 0 with an option has one of nim-value 1, of all sizes that are
    spoken of."""
    return all(map(_is_as_nim, heaps))


def _is_as_nim(heap: Heap) -> bool:
    if isinstance(heap, FreeHeap):
        return True  # a heap of nim-value 0 has no option
    takes, value = heap.takes, heap.nim_value
    if heap.scope == "any size" and heap.game:
        game = heap.game
        largest = game.preperiod + game.period + max(game.subtraction_set)
        sizes = range(game.floor, game.floor + largest + 1)
        takes, value = {n: tuple(n - m for m in game.options(n)) for n in sizes}, game.nim_value
    lost = (n for n, amounts in takes.items() if amounts and not value(n))
    return all(any(value(n - amount) == 1 for amount in takes[n]) for n in lost)


def sum_text(heaps: Sequence[Heap], facts: Iterable[Term], *, misere: bool = False) -> str:
    """What is to be left of heaps, of a game that begins with some facts; under misère play of
    those that `are_as_nim`."""
    proved = " (proved for every size)" if all(h.scope == "any size" for h in heaps) else ""
    # Of sizes that play does not come to nothing is said.
    is_about_all = all(heap.divisor == 1 and not heap.has_gaps for heap in heaps)
    own = "" if is_about_all else " (of the sizes that play comes to)"
    own += _readings_text(heaps)
    if len(heaps) == 1:
        return f"Leave {heaps[0].pattern} at {lost_text(heaps[0], int(misere))}{own}{proved}."
    values = list(dict.fromkeys(f"{heap.pattern}: {values_text(heap)}" for heap in heaps))
    alike = {values_text(heap) for heap in heaps}
    # What looks like a heap may never change, and counts for nothing.
    shapes = {(heap.shape.name, len(heap.shape.args)) for heap in heaps}
    others = sum((fact.name, len(fact.args)) in shapes for fact in facts) - len(heaps)
    every = "every heap that can change" if others > 0 else "every heap"
    told = f"of {every} {alike.pop()}" if len(alike) == 1 else "; ".join(values)
    last = ", or 1 where none of them is above 1" if misere else ""
    return f"Leave heaps whose nim-values have the exclusive or 0{last}: {told}{own}{proved}."


def _readings_text(heaps: Sequence[Heap]) -> str:
    """How sizes are told from the facts, where they are not the numbers that stand there."""
    known = {heap.pattern: heap.reading for heap in heaps}
    found = list(dict.fromkeys(known.values()))
    if found == [None]:
        return ""
    if len(found) == 1:
        return f", where the size is {found[0]}"
    each = (f"of {pattern} is {reading or '?'}" for pattern, reading in known.items())
    return f", where the size {', that '.join(each)}"


def values_text(heap: Heap) -> str:
    """What the nim-value of a heap of n is, of the sizes that play comes to."""
    game, sizes = heap.game, sorted(heap.takes)
    if all(heap.nim_value(n) == n for n in sizes):
        return "its size"
    if game is None:
        return "by size " + ", ".join(f"{n}: {heap.nim_value(n)}" for n in sizes)
    step, begin = heap.divisor, game.floor + game.preperiod
    since = range(begin + (heap.size - begin) % step, begin + game.period, step)
    cycle = [game.nim_value(n) for n in since]
    known = range(game.floor, since.start, step)
    first = "".join(f"{n}: {game.nim_value(n)}, " for n in known)
    if not known and cycle == list(range(game.period)) and not begin:
        return f"size mod {game.period}"
    steps = f" in steps of {step}" if step > 1 else ""
    told = f" from {since.start} on{steps}" if since.start or steps else ""
    return f"{first}{', '.join(map(str, cycle))} again and again{told}"


def lost_text(heap: Heap, value: int = 0) -> str:
    """The sizes of one heap that are lost for who is to move, of those that play comes to."""
    early, late, begin, period = lost_sizes(heap, value)
    which = " or ".join(map(str, late))
    size = f"a size with remainder {which} modulo {period}" if late else ""
    since = f" from {begin} on" if begin and size else ""
    return ", ".join(filter(None, [*map(str, early), size + since]))


def lost_sizes(heap: Heap, value: int = 0) -> tuple[list[int], list[int], int, int]:
    """Lost sizes one by one, and the remainders modulo a period that they have from a size on:
    those with a nim-value, under misère play 1.

    Of those that play comes to: where amounts have a common divisor other sizes have another floor.
    """
    game = heap.game
    known = [n for n in sorted(heap.takes) if heap.nim_value(n) == value]
    if game is None:
        return known, [], 0, 1
    begin, period, step = game.floor + game.preperiod, game.period, heap.divisor
    if heap.scope == "table" and _may_be_nim(heap.size - game.floor, game.subtraction_set):
        # Of other sizes nothing is known.
        return known, [], 0, 1
    lost = [n for n in range(game.floor, begin + period) if game.nim_value(n) == value]
    own = [n for n in lost if (n - heap.size) % step == 0]
    late = sorted(n % period for n in own if n >= begin)
    return [n for n in own if n < begin], late, begin, period


def can_be_left(heap: Heap, value: int = 0) -> bool:
    """Whether a move leads to a lost size, of those that play comes to."""
    left = {n - amount for n, amounts in heap.takes.items() for amount in amounts}
    return any(heap.nim_value(n) == value for n in left)


def _may_be_nim(most: int, amounts: Sequence[int]) -> bool:
    """Whether all amounts from the least on may be taken, as far as a heap goes."""
    return max(amounts) >= most and max(amounts) - min(amounts) == len(amounts) - 1


MOST_LENGTHS = 24
"""Lengths of runs of which the nim-values are said."""


def row_text(values: Sequence[int]) -> str:
    """How a row of tokens is played by the nim-values of runs, given by length from 0 on."""
    told = ", ".join(map(str, values[1:]))
    more = ", …" if len(values) > MOST_LENGTHS else ""
    text = "Leave runs whose nim-values have the exclusive or 0; by length, from 1 on, they are"
    return f"{text} {told}{more}."
