"""Solving a game by the best method that its findings allow."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ggp.analysis import Finding, Findings, Heap, Positions
from ggp.analysis import heaps as search_heaps
from ggp.analysis.claims import cyclic, form, heaps, impartial, turns
from ggp.analysis.heaps.heap import heap_candidates
from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import DEFAULT, Budget
from ggp.machine import Progress, explore
from ggp.solver.folding import Folding
from ggp.solver.gdl import GameSolution, GdlTree, SimultaneousMoves
from ggp.solver.nim import HeapSolution, SummandSolution
from ggp.solver.simultaneous import SimultaneousSolution
from ggp.solver.solution import Solution, TreeSolution
from ggp.solver.splitting import Splitter
from ggp.solver.tree import GameTree

FIRST = 10.0
"""Work for splitting positions into summands, before they are enumerated."""

SOON = 1_000_000
"""Positions up to which enumeration comes before splitting."""

SMALL = 200_000
"""Positions up to which `solve` by itself looks whether a game has nim-values."""


def solve(
    game: Game | GameTree[Any, Any],
    *,
    time: float | None = None,
    positions: int | None = None,
    budget: Budget | None = None,
    misere: bool = False,
    findings: Findings | None = None,
    progress: Progress | None = None,
    starts: Sequence[State] = (),
) -> Solution[Any, Any]:
    """The solution of a GDL game, or of any `GameTree`.

    A tree is worked out from the positions that are asked for (its attribute `initial`, if it has
    one, at once). `time` (seconds) and `positions` bound the work; `budget` is an account that is
    open already, in place of both. `misere` exchanges the goals of two roles at the end of play.
    `findings` of an earlier analysis save making them again. `starts` are the states, all of one
    game, that are to be solved, by default the initial one (see `Game.covering` for states that
    play does not come to).

    Raises `NotSolvable` where best play is not determined, `NoLegalMove` and `GoalError` for faults
    of the rules, `LimitReached` where a bound is passed.
    """
    limits = game.limits if isinstance(game, Game) else DEFAULT
    limits = replace(limits, seconds=limits.seconds if time is None else time)
    limits = replace(limits, positions=limits.positions if positions is None else positions)
    if not isinstance(game, Game):
        if misere:
            raise NotSolvable("misère play of a tree: change its results instead")
        return TreeSolution(game, limits, getattr(game, "initial", None))
    budget = budget or Budget(limits)
    if any(state.game is not game for state in starts):
        raise UnknownName("states to start from are to be states of the game that is solved")
    with game.within(budget):
        try:
            return _solve_game(game, budget, misere, findings, progress, list(starts))
        except SimultaneousMoves:
            if misere or not game.is_ground:
                raise
            roots = [state.bits for state in starts]
            space = Positions(game, budget, progress, roots).reachable
            return SimultaneousSolution(game, space, budget)


def _solve_game(
    game: Game,
    budget: Budget,
    misere: bool,
    findings: Findings | None,
    progress: Progress | None,
    starts: list[State],
) -> Solution[State, Term]:
    if not game.players:
        raise NotSolvable("only chance plays: there is nothing to choose")
    started = budget.seconds
    if not game.is_ground:
        return _solve_unground(game, budget, misere, starts)

    roots = tuple(dict.fromkeys(state.bits for state in starts or [game.initial]))
    search = _Search(game, budget, misere, progress, roots)
    if misere or len(game.roles) != 2 or game.chance is not None:
        found = search()
        found.seconds = budget.seconds - started
        return found
    sided = findings or _proved_heaps(game, budget)
    if sided and sided.heaps and may_have_nim_values(sided):
        return HeapSolution(game, sided.heaps, search, budget.seconds - started)
    split = _splitting(game, findings, search)
    if split is not None and not search.is_soon_done:
        with suppress(LimitReached):
            for root in roots:
                split.of_board(root, budget, progress, FIRST)
            split.seconds = budget.seconds - started
            return split
    try:
        found = search()
    except LimitReached:
        if split is None:
            raise
        for root in roots:
            split.of_board(root, budget, progress)
        split.seconds = budget.seconds - started
        return split
    found.seconds = budget.seconds - started
    if findings is None and search.is_enumerated:
        findings = _decisive_findings(search.positions)
    if split is None and (findings is None or not may_have_nim_values(findings)):
        return found
    if findings and findings.heaps:
        return HeapSolution(game, findings.heaps, search, budget.seconds - started)
    with suppress(NotSolvable, LimitReached):
        found.use_nim_values(budget)
    found.seconds = budget.seconds - started
    return found


@dataclass(frozen=True)
class _Search:
    """Called, the solution of a game by enumeration of its positions, if need be up to symmetry.

    Pickled with the limits of its budget, not with what was spent of them.
    """

    game: Game
    budget: Budget
    misere: bool
    progress: Progress | None
    roots: tuple[int, ...]

    @cached_property
    def positions(self) -> Positions:
        """The positions that the roots lead to."""
        return Positions(self.game, self.budget, self.progress, self.roots)

    @property
    def is_enumerated(self) -> bool:
        """Whether they are all known already, each by itself."""
        return self.positions.is_enumerated

    @cached_property
    def is_soon_done(self) -> bool:
        """Whether there are so few positions that they are enumerated, as they are then."""
        return self.positions.are_at_most(SOON)

    def __call__(self) -> GameSolution:
        game, budget, progress = self.game, self.budget, self.progress
        # What is counted already, or soon will be, is not worth folding.
        folding = None if self.positions.are_few else Folding.of(game)
        if folding is None or self.is_enumerated:
            space, folding = self.positions.reachable, None
        else:
            space = explore(game.machine, self.roots, budget, fold=folding, progress=progress)
        return GameSolution(
            game,
            space,
            misere=self.misere,
            folding=folding,
            limits=budget.limits,
            progress=progress,
        )

    def __reduce__(self) -> tuple[type[_Search], tuple[Any, ...]]:
        return _Search, (self.game, Budget(self.budget.limits), self.misere, None, self.roots)


def _proved_heaps(game: Game, budget: Budget) -> Findings | None:
    """What tells that a game has nim-values and is a sum of heaps, if proofs alone do."""
    if not heap_candidates(game.net) or game.marker is None:
        return None
    context = Positions(game, budget)
    try:
        found = heaps.proved(context.proofs)
        if not found:
            return None
        items = (
            turns.by_marker(context),
            form.prove(context.proofs, cheap=False),
            impartial.prove(context.proofs, cheap=False),
        )
    except LimitReached:
        return None
    return Findings(game.name, game.roles, tuple(f for f in items if f), found)


def _splitting(game: Game, findings: Findings | None, search: _Search) -> SummandSolution | None:
    """A solution by summands, still to be worked out, of a game of more than a few positions.

    Where nim-values are proved to apply; that the game is impartial is not tried hard to prove
    where it is not known.
    """
    known = findings is not None and may_have_nim_values(findings)
    if game.marker is None or not game.marker.alternating or (findings and not known):
        return None
    if search.positions.are_few:
        return None
    proofs = search.positions.proofs
    try:
        if not impartial.prove(proofs, not known) or not cyclic.prove(proofs, not known):
            return None
        form_of = form.prove(proofs, cheap=False)
    except LimitReached:
        return None
    if form_of is None or form_of.value != "normal":
        return None
    boards = proofs.boards
    assert boards is not None
    # Both roles have the same options, so that those of one are all.
    return SummandSolution(game, Splitter(boards, [0]), proofs.assumed, search, 0.0)


def _solve_unground(
    game: Game, budget: Budget, misere: bool, starts: list[State]
) -> Solution[State, Term]:
    """The positions one by one, each evaluated from the rules."""
    if game.has_percepts:
        raise NotSolvable("the rules say what roles see; without grounding that is not looked at")
    first = starts[0] if starts else game.initial
    solution = TreeSolution(GdlTree(game, misere=misere), budget.limits, first, budget)
    solution.engine = game.evaluator.engine
    return solution


def may_have_nim_values(findings: Findings) -> bool:
    """Whether the game is known to be impartial, of normal form, and taken strictly by turns."""
    wanted = {"impartial": True, "form": "normal", "turns": "alternating"}
    return all(findings.value(name) == value for name, value in wanted.items())


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
            found = search_heaps(context) if items[-1].value else ()
    return Findings(game.name, game.roles, tuple(items), found)
