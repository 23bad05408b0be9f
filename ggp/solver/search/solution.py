"""The value of one position by search, and of others as they are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ggp.analysis import Positions
from ggp.analysis.claims import cyclic, zero_sum
from ggp.analysis.evidence import Goals
from ggp.analysis.states.dominance import find_order
from ggp.errors import LimitReached, NotSolvable
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget, Limits, account
from ggp.machine import Progress, RowIndex, Rows, joint_moves
from ggp.solver.folding import Folding
from ggp.solver.gdl import GdlSolution, GdlTree, Throw
from ggp.solver.layers.images import Images
from ggp.solver.search.searching import MANY, Searching
from ggp.solver.search.traits import Traits

NEAR, LAST = 50_000, 4
"""Positions among which a position that is asked for is looked for, and those from which, beside
the first one."""

NOTED = 2_000_000
"""Positions of legal play that are noted."""

COMPARING = 10.0
"""Work for a proof that positions can be compared."""


def find_traits(context: Positions, folding: Folding | None, *, misere: bool) -> Traits | None:
    """By what positions of a game of two roles in turn are compared, where that is proved."""
    game, proofs = context.game, context.proofs
    roles, marker = game.player_indices, game.marker
    if len(game.roles) != 2 or game.chance is not None or game.has_percepts or marker is None:
        return None
    paid = roles[1 if misere else 0]
    if ("order", paid) not in proofs.memo:
        boards = proofs.boards
        found = boards and find_order(boards, lambda: proofs.groups, roles, paid, COMPARING)
        proofs.memo["order", paid] = found
    order = proofs.memo["order", paid]
    if order is None:
        return None
    return Traits(game.net, marker, order, roles, folding.group if folding else ())


class _Followed(GdlTree):
    """The positions of a game, of which it is noted where moves of those of legal play lead."""

    def __init__(self, game: Game, *, misere: bool, reached: set[int]) -> None:
        super().__init__(game, misere=misere)
        self._reached = reached

    def moves(self, position: State | Throw) -> dict[Term, Any]:
        """The moves of the role to move."""
        found = super().moves(position)
        is_known = isinstance(position, State) and position.bits in self._reached
        if is_known and len(self._reached) < NOTED:
            self._reached.update(after.bits for after in found.values())
        return found


class SearchSolution(GdlSolution):
    """A game in turn of two opposed roles, proved to be both and to end, by search.

    Of positions of legal play near those that were asked for before. Each answer is proved; one
    that would take too long is not given: `LimitReached`, which says between which goals the value
    is. Raises `NotSolvable` for other games.

    With `at_most` it raises `LimitReached` where the roots take more positions than that, and,
    without `proof_numbers`, `NotSolvable` where positions are not compared by the moves of one
    player. With `limit` the same holds of their values, but best moves that take more are left
    open.
    """

    engine = "llvm"

    def __init__(
        self,
        context: Positions,
        *,
        misere: bool = False,
        proof_numbers: bool = False,
        folding: Folding | None = None,
        progress: Progress | None = None,
        at_most: int | None = None,
        limit: int | None = None,
    ) -> None:
        started = time.monotonic()
        game = context.game
        super().__init__(game, misere=misere)
        self._require_players()
        traits = None if proof_numbers else find_traits(context, folding, misere=misere)
        if not (at_most is None or proof_numbers or (traits and traits.is_of_one)):
            raise NotSolvable("search: positions are not compared by the moves of one player")
        self._require_form(context)
        self._total = self._sum_of_goals(context)
        coding = game.packed_machine.coding
        images = Images(coding, folding.permutations) if folding else None
        self._searching = Searching(
            game,
            images,
            context.budget,
            traits=traits,
            swapped=misere,
            total=self._total,
            progress=progress,
            limit=min(own for own in (at_most, limit, MANY) if own is not None),
        )
        self._proof_numbers = proof_numbers
        self._later: Limits | None = None
        self._bounds: dict[State, tuple[int, int]] = {}
        self._best: dict[State, tuple[Term, ...] | LimitReached] = {}
        self.method = "proof-number search" if proof_numbers else "alpha-beta search"
        order = 1 + len(traits.tables) if traits else images.order if images else 1
        if order > 1:
            self.method += f", up to {order} symmetries"
        if traits:
            self.method += f", positions compared by moves of {traits.whose(self.players)}"
        self._asked = [game.initial.bits]
        self._reached = {game.initial.bits}
        self._tree = _Followed(game, misere=misere, reached=self._reached)
        roots = [State(game, root) for root in context.roots]
        for root in roots:
            self._require_reached(root)
            self._code(root)
        for root in roots:
            try:
                self._best[root] = self._find_best(root)
            except LimitReached as error:
                if at_most is not None:
                    raise
                self._best[root] = error
        self._searching.limit = MANY
        self._later = context.budget.limits
        self.positions = self._searching.positions
        self.seconds = time.monotonic() - started

    def _require_players(self) -> None:
        game = self.game
        if game.chance is not None or len(game.players) != 2 or game.has_percepts:
            raise NotSolvable("search: for two roles, without chance, nothing being hidden")

    def _require_form(self, context: Positions) -> None:
        plays = context.samples.plays
        if (plays.counts[~plays.terminal] > 1).all(axis=1).any():
            raise NotSolvable("search: for games in turn, and here both roles choose at once")
        found = cyclic.prove(context.proofs, cheap=False)
        if found is None or found.value is not False:
            raise NotSolvable("search: it is not proved that no position comes up twice")

    def _sum_of_goals(self, context: Positions) -> int:
        found = zero_sum.prove(context.proofs, cheap=False)
        if found is None or not isinstance(found.evidence, Goals):
            raise NotSolvable("search: it is not proved that the two roles are opposed")
        return sum(found.evidence.goals[0])

    def _require_reached(self, state: State) -> None:
        """Raise `NotSolvable` for a state that legal play is not seen to come to: the proofs that
        play ends, and that the roles are opposed, say nothing of others.

        Those that moves of such positions were seen to lead to are; others are looked for from the
        first state and from those that were asked for last.
        """
        if state.bits in self._reached:
            self._asked = [self._asked[0], *self._asked[1 - LAST :], state.bits]
            return
        machine = self.game.machine
        wanted = machine.rows([state.bits])[0]
        known = RowIndex(machine.coding.words)
        rows = machine.rows([self._asked[0], *self._asked[-LAST:]])
        while len(rows) and known.find(wanted) is None and len(known) < NEAR:
            count = len(known)
            known.add(rows)
            new = known.rows[count:].copy()
            parts = []
            for start in range(0, len(new), machine.batch):
                part = new[start : start + machine.batch]
                for lanes, joint in joint_moves(machine, machine.view(part), self._account):
                    parts.append(machine.next(part, joint, lanes))
            rows = np.concatenate(parts) if parts else new[:0]
        if known.find(wanted) is None:
            raise NotSolvable("search: not seen to be a position that legal play comes to")
        self._reached.add(state.bits)
        self._asked = [self._asked[0], *self._asked[1 - LAST :], state.bits]

    @property
    def _account(self) -> Budget:
        return self._searching.budget

    def bounds(self, position: State) -> tuple[int, int]:
        """What is known of the payoff of the first player: it is from one goal to another."""
        scores = self._searching.scores
        low, high = self._bounds.get(self._own(position), (0, len(scores) - 1))
        return scores[low], scores[high]

    def _code(self, state: State) -> int:
        """The number of the first player's payoff under best play; raises `LimitReached`."""
        scores = self._searching.scores
        if state.terminal:
            result = self._tree.result(state)
            assert result is not None
            return scores.index(int(result[self.players[0]]))
        low, high = self._bounds.get(state, (0, len(scores) - 1))
        row = self._searching.row(state.bits)
        while low < high:
            middle = (low + high + 1) // 2
            try:
                answer = self._ask(row, middle)
            except LimitReached as error:
                first = self.players[0]
                known = f"{first} has from {scores[low]} to {scores[high]} under best play"
                raise type(error)(error.limit, error.value, f"{error.detail}; {known}") from None
            low, high = (middle, high) if answer else (low, middle - 1)
            self._bounds[state] = low, high
        return low

    def _ask(self, row: Rows, score: int) -> bool:
        """Whether the first player can have so much."""
        return self._searching.at_least(row, score, by_numbers=self._proof_numbers)

    def limit(self, seconds: float) -> None:
        """Give each value, and all best moves of a position, that are asked for from now on so much
        time."""
        limits = self._later or self.game.limits
        self._later = replace(limits, seconds=seconds)

    def _open(self) -> None:
        """Begin an account: the first questions are within that of the solution."""
        if self._later is not None:
            self._searching.budget = account(self._later)

    def value(self, position: State) -> dict[str, float] | None:
        """Every role's goal under best play; raises `LimitReached`."""
        self._open()
        state = self._own(position)
        self._require_reached(state)
        first = self._searching.scores[self._code(state)]
        return dict(zip(self.players, (first, self._total - first), strict=True))

    def best(self, position: State) -> tuple[Term, ...]:
        """All best moves of the role to move, sorted by their text; raises `LimitReached`."""
        state = self._own(position)
        if state not in self._best:
            self._open()
            self._require_reached(state)
            self._best[state] = self._find_best(state)
        found = self._best[state]
        if isinstance(found, LimitReached):
            raise found
        return found

    def _find_best(self, state: State) -> tuple[Term, ...]:
        return () if state.terminal else tuple(sorted(self._all_best(state)))

    def _all_best(self, state: State) -> Iterator[Term]:
        """The best moves, one after the other."""
        code = self._code(state)
        is_first = self._tree.mover(state) == self.players[0]
        for move, after in self._tree.moves(state).items():
            if after.terminal:
                is_best = self._code(after) == code
            else:
                # Nothing is better: only whether it is as good is asked.
                wanted = code if is_first else code + 1
                row = self._searching.row(after.bits)
                is_sure = not 0 < wanted < len(self._searching.scores)
                is_best = is_sure or self._ask(row, wanted) == is_first
            if is_best:
                yield move

    def progress(self, position: State) -> Term:
        """A best move, the first that is found; each brings the end nearer, since play ends. Raises
        `IllegalMove` where it has ended."""
        state = self._going(position)
        if isinstance(self._best.get(state, None), tuple):
            return self.best(state)[0]
        self._open()
        self._require_reached(state)
        return next(self._all_best(state))
