"""Misère play of sums of heaps, by definition: who takes the last token loses.

There is no shortcut through nim-values: exclusive or of shifted values is wrong as soon as two
heaps are on the table (S = {1}, heaps 1 and 1, is a win for the first player).
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.theory.subtraction import SubtractionGame


def misere_outcome(games: Sequence[SubtractionGame], sizes: Sequence[int]) -> str:
    """`N` if the player to move wins the sum under misère play, else `P`; by complete search.

    The work grows with the product of the heap sizes.
    """
    if len(games) != len(sizes):
        raise ValueError("as many sizes as heaps are needed")
    known: dict[tuple[int, ...], bool] = {}
    todo = [tuple(sizes)]
    while todo:
        position = todo[-1]
        options = [
            (*position[:i], size, *position[i + 1 :])
            for i, game in enumerate(games)
            for size in game.options(position[i])
        ]
        unknown = [option for option in options if option not in known]
        if unknown and not any(known.get(option) is False for option in options):
            todo.extend(unknown)
            continue
        # Without options the player to move has won; otherwise a lost option wins.
        known[position] = not options or any(known.get(option) is False for option in options)
        todo.pop()
    return "N" if known[tuple(sizes)] else "P"
