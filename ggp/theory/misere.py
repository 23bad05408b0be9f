"""Misère play of sums of heaps, by definition: who takes the last token loses.

There is no shortcut through nim-values: exclusive or of shifted values is wrong as soon as two
heaps are on the table (S = {1}, heaps 1 and 1, is a win for the first player).
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.theory.heap_quotient import HeapGame, as_heaps
from ggp.theory.impartial import ImpartialGame
from ggp.theory.subtraction import SubtractionGame


def misere_outcome(games: Sequence[HeapGame | SubtractionGame], sizes: Sequence[int]) -> str:
    """`N` if the player to move wins the sum under misère play, else `P`; by complete search.

    The work grows with the product of the heap sizes; `GameLimit` is raised past a million sums.
    """
    if len(games) != len(sizes):
        raise ValueError("as many sizes as heaps are needed")
    heaps = list(map(as_heaps, games))
    rule = ImpartialGame[tuple[int, int]](
        lambda heap: (
            tuple((heap[0], left) for left in option) for option in heaps[heap[0]].options(heap[1])
        )
    )
    return rule.misere_outcome(*enumerate(sizes))
