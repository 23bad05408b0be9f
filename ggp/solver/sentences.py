"""How to keep what can be had, in a sentence: by nim-values, by residues, or by answers to moves.

A sentence about heaps is what is proved of them. Answers (to a move its image under a symmetry, or
its partner in a pairing) are played against every reply before they are told.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.analysis import Heap
from ggp.analysis.outcomes import goals_of_the_rules
from ggp.errors import LimitReached
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.solver.answering import Answers
from ggp.solver.bands import band_of
from ggp.solver.enumerated import GameSolution
from ggp.solver.gdl import GdlTree
from ggp.solver.heap_words import MOST_LENGTHS, are_as_nim, can_be_left, row_text, sum_text
from ggp.solver.impartial import MISERE, HeapSizes, SumOfHeaps, all_care
from ggp.solver.long_heaps import LongHeaps
from ggp.solver.nim import HeapSolution, NimSolution, RowSolution
from ggp.solver.proved import play_of, proved_heaps
from ggp.solver.sentence import Sentence
from ggp.solver.solution import Solution


def sentences(
    solution: Solution[State, Term],
    player: str,
    start: State | None = None,
    budget: Budget | None = None,
) -> list[Sentence]:
    """Ways for a player of two to keep what `start` is worth to them; empty where none is known.

    What is worth no more than the worst that can happen needs none. Raises `LimitReached` where the
    account is spent.
    """
    root = solution.initial if start is None else start
    if root is None or len(solution.players) != 2 or solution.has_chance:
        return []
    if root.terminal:
        return []
    budget = budget or Budget(root.game.limits)
    found: list[Sentence] = []
    # Of other states than its proofs are about theory says nothing.
    is_won = isinstance(solution, NimSolution) and solution.has_last_move(root, player)
    if isinstance(solution, HeapSolution) and is_won and _has_words(solution):
        found += _of_heaps(solution.heaps, root.game)
    if isinstance(solution, RowSolution) and is_won:
        text = row_text(solution.heap.nim_values(min(solution.positions, MOST_LENGTHS)))
        found.append(Sentence("nim-sum", text, "proved"))
    if isinstance(solution, SumOfHeaps) and not isinstance(solution, HeapSolution):
        is_lost, mover = solution.is_lost(root), solution.to_move(root)
        is_won = is_lost is not None and (mover == player) != is_lost
        if is_won and _has_words(solution) and are_as_nim(solution.heaps):
            found += _of_heaps(solution.heaps, root.game, misere=True)
    if not root.game.is_ground:
        return found
    promise, may_be_endless = solution.secured(root, player)
    if promise is None or may_be_endless or promise <= _worst(solution, player, root.game):
        return found
    if not found and isinstance(solution, GameSolution):
        found += _of_small_heaps(solution, root, budget)
    answers = Answers(solution, player, root, promise, budget)
    try:
        one = answers.by_symmetry() or answers.by_pairing()
    except LimitReached:
        if not found:
            raise
        one = None
    if one is None and isinstance(solution, GameSolution) and not found:
        one = _of_band(solution, root, budget)
    return [*found, one] if one else found


def _of_band(solution: GameSolution, root: State, budget: Budget) -> Sentence | None:
    band = band_of(solution, root, budget)
    if band is None:
        return None
    text = f"Leave {band.text} (of this game, n up to {band.most})."
    return Sentence("band", text, "verified", band.positions)


def _worst(solution: Solution[State, Term], player: str, game: Game) -> int:
    """The least goal of the rules that a player of two may get."""
    own = solution.players.index(player)
    own = 1 - own if _is_exchanged(solution) else own
    return goals_of_the_rules(game)[game.player_indices[own]][0]


def _is_exchanged(solution: Solution[State, Term]) -> bool:
    """Whether the goals are exchanged at the end of play."""
    tree = solution.tree()
    return isinstance(tree, GdlTree) and tree.misere


def _has_words(solution: SumOfHeaps) -> bool:
    """Whether the nim-value of each heap is told in words."""
    return not isinstance(solution, LongHeaps) or solution.is_nim


def _of_heaps(heaps: Sequence[Heap], game: Game, *, misere: bool = False) -> list[Sentence]:
    if len(heaps) == 1 and not can_be_left(heaps[0], int(misere)):
        return []  # whoever begins has lost, and nobody is told anything
    kind = "residues" if len(heaps) == 1 else "nim-sum"
    text = sum_text(heaps, game.initial.facts, misere=misere)
    return [Sentence(kind, text, "proved", heaps=tuple(heaps), value=int(misere))]


def _of_small_heaps(solution: GameSolution, root: State, budget: Budget) -> list[Sentence]:
    """That of heaps under misère play with few positions, which are solved one by one."""
    game = root.game
    if game.chance is not None or not all_care(game):
        return []
    known = proved_heaps(game, budget)
    if not (known and known.heaps and are_as_nim(known.heaps)):
        return []
    if play_of(known, misere=_is_exchanged(solution)) != MISERE:
        return []
    if HeapSizes(game, known.heaps).sizes(root) is None:
        return []
    return _of_heaps(known.heaps, game, misere=True)
