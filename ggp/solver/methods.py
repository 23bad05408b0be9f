"""Solving a game by the best method that its findings allow."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any

from ggp.analysis import Finding, Findings, Heap, Positions, find_heaps
from ggp.analysis.claims import cyclic, form, impartial, turns
from ggp.analysis.claims.any_length import proved_row
from ggp.deduce import Prover
from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import DEFAULT, Budget, Limits
from ggp.machine import Progress
from ggp.solver.any_heap import form_in
from ggp.solver.at_once import solved_at_once
from ggp.solver.enumerated import GameSolution
from ggp.solver.folding import Folding
from ggp.solver.gdl import GdlTree, SimultaneousMoves, StateSolution
from ggp.solver.impartial import MISERE, NORMAL, all_care, under
from ggp.solver.layers.packed import Keeping
from ggp.solver.nim import HeapSolution, RowSolution, SummandSolution
from ggp.solver.positions import PositionSolver
from ggp.solver.proved import play_of, proved_heaps
from ggp.solver.quotient import MisereSummandSolution, misere_heaps
from ggp.solver.simultaneous import SimultaneousSolution
from ggp.solver.smaller import by_smaller_sheet
from ggp.solver.solution import Solution, TreeSolution
from ggp.solver.spiel import WHY, SpielTree, is_spiel_game
from ggp.solver.splitting import Splitter
from ggp.solver.tree import GameTree

FIRST = 10.0
"""Work for splitting positions into summands, before they are enumerated."""

SMALL = 200_000
"""Positions up to which `solve` by itself looks whether a game has nim-values."""


IN_FILES = ("layers", "passes")
"""The methods that keep positions in files."""

METHODS = {
    "heaps": "impartial sums of heaps, of any number and size: by nim-values under normal play, "
    "otherwise by genera where all heaps are tame, or by a misère quotient; rows of tokens, from "
    "which runs are taken, by their octal code under normal play",
    "summands": "the same of the parts that positions fall into: impartial, acyclic, by proof",
    "positions": "all positions, backward from the ends: minimax, attractors where play can go on "
    "for ever (two opposed roles), best goal in reach (one), maxn (three and more), means (chance)",
    "symmetry": "the same, of positions that symmetries of the rules map to each other just one",
    "layers": "the same of many positions, packed, without the moves between them: one role or two "
    "opposed ones, where a weighted sum is proved to fall with every move",
    "passes": "the same where no such sum is known, and play may go on for ever: pass after pass "
    "over packed positions until no value changes",
    "way": "one role, however many positions there are: a way to the best goal, by beams of "
    "positions that grow wider, by sets of moves put in order afterwards, and by planning for so "
    "many moves with a SAT solver",
    "alpha-beta": "search of one position, deeper and deeper, with a table: two opposed roles, "
    "play that ends, both proved; moves are left out than which others are proved to be as good",
    "proof-numbers": "the same by depth-first proof-number search, of all moves",
    "simultaneous": "all positions as matrix games (two opposed roles), or by pure equilibria",
    "tree": "positions one by one, evaluated from the rules as they come up",
}
"""The ways to solve a game, with what they are for."""


def solve(
    game: Game | GameTree[Any, Any] | Any,  # noqa: ANN401 - a `pyspiel.Game`
    *,
    time: float | None = None,
    positions: int | None = None,
    budget: Budget | None = None,
    misere: bool = False,
    findings: Findings | None = None,
    progress: Progress | None = None,
    starts: Sequence[Any] = (),
    method: str | None = None,
    keeping: Keeping | None = None,
) -> Solution[Any, Any]:
    """The solution of a GDL game, of any `GameTree`, or of a game of OpenSpiel (see `SpielTree`).

    A tree is worked out from the positions that are asked for (its attribute `initial`, if it has
    one, at once). `time` (seconds) and `positions` bound the work; `budget` is an account that is
    open already, in place of both. `misere` exchanges the goals of two roles at the end of play.
    `findings` of an earlier analysis save making them again. `starts` are the states (of a
    tree: positions) that are to be solved together, by default the initial one; see `Game.covering`
    for states that play does not come to. `method` is one of `METHODS`, by default the first that
    is known to apply; the solution's `reason` says why. `keeping` says with how many threads and in
    which files many positions are worked on; files are for the methods `IN_FILES`, of which the
    first that applies is taken.

    Raises `NotSolvable` where best play is not determined, or the method does not apply;
    `NoLegalMove` and `GoalError` for faults of the rules, `LimitReached` where a bound is passed.
    """
    if method is not None and method not in METHODS:
        raise UnknownName(f"no method {method} (there are: {', '.join(METHODS)})")
    limits = game.limits if isinstance(game, Game) else DEFAULT
    limits = replace(limits, seconds=limits.seconds if time is None else time)
    if positions is not None:
        limits = replace(limits, positions=positions, packed_positions=positions)
    keeping = keeping or Keeping()
    if keeping.in_files:
        if method not in (None, "layers") and keeping.elsewhere:
            raise NotSolvable(f"{method}: on a cluster games are solved by the method layers alone")
        if method not in (None, *IN_FILES):
            raise NotSolvable(
                f"{method}: positions are kept in files by the methods {' and '.join(IN_FILES)}"
            )
    if not isinstance(game, Game):
        if misere:
            raise NotSolvable("misère play of a tree: change its results instead")
        if method not in (None, "tree"):
            raise NotSolvable(f"{method}: of a tree that is no GDL there are only its positions")
        return _of_tree(game, limits, starts)
    budget = budget or Budget(limits)
    if any(state.game is not game for state in starts):
        raise UnknownName("states to start from are to be states of the game that is solved")
    if not game.players:
        raise NotSolvable("only chance plays: there is nothing to choose")
    states = tuple(dict.fromkeys(starts)) or (game.initial,)
    search = PositionSolver(game, budget, misere, progress, states, keeping)
    # What was enumerated from the initial state says nothing of others.
    known = findings if states == (game.initial,) else None
    started = budget.seconds
    with game.within(budget):
        if method:
            found = _asked(method, search, known)
        elif keeping.in_files:
            found = search.in_files()
            found.reason = ASKED
        else:
            found = _first_that_applies(search, known)
    found.seconds = max(found.seconds, budget.seconds - started)
    return found


def _of_tree(game: Any, limits: Limits, starts: Sequence[Any]) -> TreeSolution:  # noqa: ANN401
    tree = SpielTree(game) if is_spiel_game(game) else game
    found = TreeSolution(tree, limits, getattr(tree, "initial", None), starts=starts)
    found.reason = "" if tree is game else WHY
    return found


def _first_that_applies(search: PositionSolver, findings: Findings | None) -> Solution[State, Term]:
    with suppress(NotSolvable, LimitReached):
        return by_smaller_sheet(search)
    if not search.game.is_ground:
        return _solve_unground(
            search, f"the rules are too large to be ground: {search.game.too_large}"
        )
    try:
        return _by_theory_or_positions(search, findings)
    except SimultaneousMoves as error:
        if search.misere:
            raise NotSolvable(f"misère play is of games in turn, and here {error}") from None
        return _at_once(search, "several roles have a choice at once")


def _by_theory_or_positions(
    search: PositionSolver, findings: Findings | None
) -> Solution[State, Term]:
    game = search.game
    if len(game.roles) != 2 or game.chance is not None or not all_care(game):
        return search()
    sided = findings or proved_heaps(game, search.budget)
    play = play_of(sided, misere=search.misere) if sided and sided.heaps else None
    if sided and play == NORMAL:
        return _by_heaps(search, sided)
    if sided and play == MISERE and not search.positions.are_few:
        with suppress(LimitReached):
            return _by_heaps(search, sided)
    row = None if search.positions.are_few else _row(search)
    if row is not None:
        return row
    split = None if search.positions.are_few else _splitting(game, findings, search)
    if split is not None and not search.is_soon_done:
        with suppress(LimitReached):
            return _split(search, split, FIRST)
    try:
        found = search()
    except LimitReached:
        if split is None:
            raise
        return _split(search, split, inf)
    if search.misere:
        return found
    if findings is None and search.is_enumerated:
        findings = _decisive_findings(search.positions)
    if split is None and (findings is None or not may_have_nim_values(findings)):
        return found
    if findings and findings.heaps and play_of(findings, misere=False) == NORMAL:
        return _by_heaps(search, findings)
    if isinstance(found, GameSolution):
        with suppress(NotSolvable, LimitReached):
            found.use_nim_values(search.budget)
    return found


def _asked(method: str, search: PositionSolver, findings: Findings | None) -> Solution[State, Term]:
    """The solution by one method; raises `NotSolvable` where it does not apply."""
    game = search.game
    if method == "heaps":
        with suppress(NotSolvable):
            return by_smaller_sheet(search)
    if method != "tree" and not game.is_ground:
        raise NotSolvable(f"{method}: the rules are too large to be ground: {game.too_large}")
    is_sided = len(game.roles) == 2 and game.chance is None and all_care(game)
    is_plain = is_sided and not search.misere
    if method == "tree":
        return _solve_unground(search, ASKED)
    if method == "heaps":
        sided = (findings or proved_heaps(game, search.budget)) if is_sided else None
        row = _row(search) if is_sided and not (sided and sided.heaps) else None
        if row is not None:
            row.reason = ASKED
            return row
        if not (sided and sided.heaps and play_of(sided, misere=search.misere)):
            raise NotSolvable("heaps: no proof of an impartial sum of heaps, turn by turn")
        return _by_heaps(search, sided, ASKED)
    if method == "summands":
        split = _splitting(game, findings, search) if is_sided else None
        if split is None:
            raise NotSolvable("summands: no proof of impartial acyclic play, turn by turn")
        return _split(search, split, inf, ASKED)
    if method in ("alpha-beta", "proof-numbers"):
        searched = search.by_search(
            Folding.of(game),
            proof_numbers=method == "proof-numbers",
            limit=search.budget.limits.packed_positions,
        )
        searched.reason = ASKED
        return searched
    if method == "way":
        way = search.by_way(inf, search.budget.limits.packed_positions)
        way.reason = ASKED
        return way
    if method == "passes":
        passes = search.by_passes(Folding.of(game))
        passes.reason = ASKED
        return passes
    if method == "layers":
        layers = search.by_layers(Folding.of(game))
        layers.reason = ASKED
        return layers
    if method == "simultaneous":
        if search.misere:
            raise NotSolvable("simultaneous: misère play is of games in turn")
        return _at_once(search, ASKED)
    folding = Folding.required(game) if method == "symmetry" else None
    found = search.by_positions(folding)
    found.reason = ASKED
    if is_plain and folding is None and may_have_nim_values(_decisive_findings(search.positions)):
        with suppress(NotSolvable, LimitReached):
            found.use_nim_values(search.budget)
    return found


ASKED = "it was asked for"
"""Why a method was taken."""


def _by_heaps(
    search: PositionSolver, findings: Findings, reason: str = "proved to be a sum of heaps"
) -> Solution[State, Term]:
    """Raises `LimitReached` under misère play, where no quotient is found."""
    solution: Solution[State, Term]
    if play_of(findings, misere=search.misere) == NORMAL:
        solution = HeapSolution(search.game, findings.heaps, search, misere=search.misere)
    else:
        solution = misere_heaps(search.game, findings.heaps, search, misere=search.misere)
    solution.reason = reason
    return solution


def _row(search: PositionSolver) -> RowSolution | None:
    """The solution of a row of tokens by its octal code, where that is proved, and normal play."""
    context = search.positions
    try:
        row = proved_row(context) if context.game.marker is not None else None
        if row is None or under(form_in(context), misere=search.misere) != NORMAL:
            return None
    except LimitReached as error:
        if error.limit == "time":
            raise
        return None
    proofs = context.proofs
    if proofs.assumed_bounds or proofs.assumed_sums or proofs.assumed_excluded:
        # What such a proof is about is not looked at of single states.
        return None
    found = RowSolution(context.game, row, proofs.assumed, search, misere=search.misere)
    found.reason = "a row of tokens whose octal code is proved"
    return found


def _split(
    search: PositionSolver,
    split: SummandSolution | MisereSummandSolution,
    work: float,
    reason: str = "impartial and acyclic by proof, and of many positions",
) -> SummandSolution | MisereSummandSolution:
    """A solution by summands of which the roots are worked out; raises `LimitReached`."""
    for root in search.roots:
        split.pieces.of_board(root, search.budget, search.progress, work)
    split.reason = reason
    return split


def _at_once(search: PositionSolver, reason: str) -> SimultaneousSolution:
    found = solved_at_once(search)
    found.reason = reason
    return found


def _splitting(
    game: Game, findings: Findings | None, search: PositionSolver
) -> SummandSolution | MisereSummandSolution | None:
    """A solution by summands, still to be worked out, of a game of more than a few positions.

    Where nim-values or a misère quotient are proved to apply; that the game is impartial is not
    tried hard to prove where it is not known.
    """
    known = findings is not None and play_of(findings, misere=search.misere) is not None
    if game.marker is None or not game.marker.alternating or (findings and not known):
        return None
    proofs = search.positions.proofs
    try:
        if not impartial.prove(proofs, not known) or not cyclic.prove(proofs, not known):
            return None
        form_of = form.prove(proofs, cheap=False)
    except LimitReached:
        return None
    play = form_of and under(form_of.value, misere=search.misere)
    if play is None:
        return None
    boards = proofs.boards
    assert boards is not None
    # Both roles have the same options, so that those of one are all.
    splitter, groups = Splitter(boards, [0]), proofs.assumed
    kind = SummandSolution if play == NORMAL else MisereSummandSolution
    return kind(game, splitter, groups, search, 0.0, misere=search.misere)


def _solve_unground(search: PositionSolver, reason: str) -> Solution[State, Term]:
    """The positions one by one, each evaluated from the rules."""
    game, budget = search.game, search.budget
    if game.has_percepts:
        raise NotSolvable("the rules say what roles see; without grounding that is not looked at")
    if isinstance(game.evaluator, Prover):
        game.evaluator.hasten()
    tree = GdlTree(game, misere=search.misere)
    first = search.starts[0]
    solution = StateSolution(tree, budget.limits, first, budget, search.starts)
    solution.engine, solution.reason = game.evaluator.engine, reason
    return solution


def may_have_nim_values(findings: Findings) -> bool:
    """Whether the game is known to be impartial, of normal form, and taken strictly by turns."""
    wanted = {"impartial": True, "form": "normal", "turns": "alternating"}
    return all(findings.value(name) == value for name, value in wanted.items())


def may_go_by_theory(findings: Findings) -> bool:
    """Whether theory may tell of the game, however many positions there are: of an impartial one by
    nim-values, and under misère play where it is a sum of heaps."""
    play = play_of(findings, misere=False)
    return play == NORMAL or (play == MISERE and bool(findings.heaps))


def has_nim_values(context: Positions) -> bool:
    """Whether enumeration shows that normal play of an impartial game begins in these states.

    Of no more than `SMALL` positions.
    """
    if len(context.game.roles) != 2 or context.game.chance is not None:
        return False
    return may_have_nim_values(_decisive_findings(context))


def _decisive_findings(context: Positions) -> Findings:
    """Just those findings that decide whether nim-values apply, cheapest first."""
    game = context.game
    items: list[Finding] = []
    found: tuple[Heap, ...] = ()
    if game.marker and len(context.reachable) <= SMALL and context.are_marked:
        items += [turns.by_marker(context) or turns.enumerated(context), form.enumerated(context)]
        if (items[0].value, items[1].value) == ("alternating", "normal"):
            items.append(impartial.enumerated(context))
            found = find_heaps(context) if items[-1].value else ()
    return Findings(game.name, game.roles, tuple(items), found)
