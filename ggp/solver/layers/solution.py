"""Games of many positions, solved in packed layers."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ggp.analysis import Positions
from ggp.analysis.claims import cyclic
from ggp.analysis.evidence import Ranking
from ggp.errors import InputError, NotSolvable
from ggp.game import State
from ggp.kif import Term
from ggp.limits import Budget, account
from ggp.machine import Progress
from ggp.solver.folding import Folding
from ggp.solver.layers import alone
from ggp.solver.layers.census import Census, census
from ggp.solver.layers.division import Division
from ggp.solver.layers.images import Images, symmetrised
from ggp.solver.layers.induction import Layers
from ggp.solver.layers.keys import mixed
from ggp.solver.layers.moving import Moving, NotRanked
from ggp.solver.layers.packed import Keeping, PackedSolution, at_most_packed
from ggp.solver.layers.plan import Elsewhere, Plan
from ggp.solver.layers.ranks import Ranks, weights_of
from ggp.solver.layers.shelf import InFolder, InMemory, Shelf, require_kind
from ggp.solver.layers.tablebase import (
    BEST,
    DISTANCE,
    Far,
    file_name,
    notes_of,
    require_place,
    write_part,
)

WEIGHTS = "weights"
"""The name under which weights of fluents are kept."""


class LayerSolution(PackedSolution):
    """A game in turn, of one role or two opposed ones, that ends: by backward induction on layers.

    Of all positions that `starts` lead to. Raises `NotSolvable` for other games, or where no sum
    is known that falls with every move; `LimitReached`, also for more positions of the starts than
    `at_most`; and for faults of the rules what
    `GameSolution` does.
    """

    method = "backward induction, layer by layer"

    def __init__(
        self,
        context: Positions,
        *,
        misere: bool = False,
        keeping: Keeping | None = None,
        folding: Folding | None = None,
        progress: Progress | None = None,
        at_most: int | None = None,
    ) -> None:
        started = time.monotonic()
        game, budget = context.game, at_most_packed(context.budget, at_most)
        super().__init__(game, misere, keeping, progress)
        self._solved: list[Layers] = []
        coding = game.packed_machine.coding
        images = Images(coding, folding.permutations) if folding else None
        # No file for a game that none of this is for.
        found = {} if self._keeping.begun_by else require_falling(context)
        shelf = self._shelf(context.roots, images)
        weights = self._weights(context, shelf, found)
        if images and images.order > 1:
            self.method += f", up to {images.order} symmetries"
            weights = symmetrised(weights, images.permutations)
        self._moving = Moving(game, Ranks(coding, weights), images)
        self._announce(budget)
        self._add(context.roots, shelf, budget, self._keeping.elsewhere)
        self.positions = len(self._solved[0])
        self.seconds = time.monotonic() - started

    def __getstate__(self) -> dict[str, Any]:
        if not isinstance(self.layers.layers, dict):
            raise TypeError("a solution whose positions are elsewhere stays where it is")
        return super().__getstate__()

    def _weights(
        self, context: Positions, shelf: Shelf, found: Mapping[int, int]
    ) -> dict[int, int]:
        """Weights of fluents whose sum is to fall: those that the shelf's layers were made by, or
        those that were found, if any were."""
        kept = shelf.get(WEIGHTS)
        if kept is None:
            found = found or require_falling(context)
            pairs = np.array(sorted(found.items()), dtype=np.int64).reshape(-1, 2)
            kept = shelf.put(WEIGHTS, pairs)
        require_kind(WEIGHTS, kept, np.int64, None, 2)
        fluents = len(context.game.net.fluents)
        if not ((kept[:, 0] >= 0) & (kept[:, 0] < fluents)).all() or np.abs(kept).sum() >= 1 << 31:
            raise InputError(f"{WEIGHTS}: not what was written there")
        return dict(kept.tolist())

    def _add(
        self, roots: Sequence[int], shelf: Shelf, budget: Budget, elsewhere: Elsewhere | None = None
    ) -> None:
        moving = self._moving
        try:
            rows = moving.machine.rows(roots)
        except ValueError:
            raise NotSolvable(
                "layers: a start that no play from the first state comes to"
            ) from None
        rows = moving.standing(rows)
        limits = replace(budget.limits, positions=budget.limits.packed_positions)
        own = Budget(limits, budget.started)
        try:
            if elsewhere:
                images = moving.images
                kept = images.permutations if images else ()
                plan = Plan(
                    self.game, moving.machine, moving.ranks.weights, kept, self._misere, limits
                )
                if not (self._keeping.checkpoint or elsewhere.is_here):
                    raise InputError(
                        "on other machines: give a checkpoint (--checkpoint), a folder all share"
                    )
                folder = self._keeping.checkpoint or self._temporary()
                about = self._about(roots, images)
                found = elsewhere.solve(plan, rows, folder, about, own, self._progress)
            else:
                found = alone.solve(
                    moving,
                    shelf,
                    own,
                    rows,
                    swapped=self._misere,
                    threads=self._keeping.threads,
                    progress=self._progress,
                )
            self._solved.append(found)
        except NotRanked:
            raise NotSolvable("layers: the weighted sum does not fall with each move") from None
        finally:
            shelf.close()

    def _scores(self, state: State) -> list[int]:
        """The payoffs of a position under best play."""
        try:
            row = self._moving.machine.rows([state.bits])
        except ValueError:
            raise NotSolvable(f"layers: no position that play can come to: {state}") from None
        row = self._moving.standing(row.copy())
        rank = int(self._moving.ranks(row)[0])
        key = mixed(row.copy())
        for solved in self._solved:
            if rank in solved.layers:
                codes, missing = solved.layers[rank].look_up(key)
                if not missing:
                    first = solved.scores[int(codes[0])]
                    return [first] if solved.total is None else [first, solved.total - first]
        shelf = InFolder(self._temporary(), {}) if self._keeping.spill else InMemory()
        self._add([state.bits], shelf, account(self.game.limits))
        return self._scores(state)

    @property
    def moves(self) -> int:
        """Joint moves between the positions that were solved."""
        return self._solved[0].moves

    @property
    def layers(self) -> Layers:
        """The positions that the starts lead to, by rank."""
        return self._solved[0]

    def told_elsewhere(self) -> dict[str, int] | None:
        """What was sent between the parts of positions that are elsewhere: `parts`, `messages`,
        and the bytes of keys and of codes of values; None where they are not."""
        found = self.layers.layers
        if not (isinstance(found, Far) and self._keeping.elsewhere):
            return None
        sent = found.traffic
        return {
            "parts": self._keeping.elsewhere.parts,
            "messages": sent.messages,
            "key_bytes": sent.keys,
            "code_bytes": sent.codes,
        }

    def census(self, roots: Sequence[int], budget: Budget) -> Census:
        """Counts over all positions that states (as bits) lead to, which are those of the solution.

        Of a solution that is not up to symmetry; raises `LimitReached`, and `NotSolvable` where the
        positions are elsewhere.
        """
        if self._keeping.elsewhere:
            raise NotSolvable("layers: positions that are elsewhere are not counted")
        return census(
            self._moving,
            self._solved[0],
            self._moving.machine.rows(roots),
            budget,
            threads=self._keeping.threads,
            progress=self._progress,
        )

    def write_table(self, folder: Path, budget: Budget) -> int:
        """Write all positions that the starts lead to as a table of Parquet files, one for each
        part, to a folder that is new, empty or has this table; how many there are.

        `ggp.tablebase` opens it. Raises `InputError` where that cannot be done, `LimitReached`.
        """
        solved, moving = self.layers, self._moving
        told = notes_of(moving, moving.ranks.weights, solved.scores, solved.total, self._misere)
        if not isinstance(solved.layers, Far):
            told |= {DISTANCE: True, BEST: True}
        notes = json.loads(json.dumps(told))
        require_place(folder, notes)
        if isinstance(solved.layers, Far):
            count = solved.layers.write(folder, notes)
        else:
            count = write_part(folder, solved.near, moving, Division(), 0, notes, budget)
        elsewhere = self._keeping.elsewhere
        parts = elsewhere.parts if elsewhere else 1
        whole = {file_name(number, parts) for number in range(parts)}
        for (
            path
        ) in folder.iterdir():  # of this table in other parts, or of processes that were lost
            if path.name not in whole:
                path.unlink(missing_ok=True)
        return count

    def value(self, position: State) -> dict[str, float] | None:
        """Every role's goal under best play."""
        return dict(zip(self.players, self._scores(self._own(position)), strict=True))

    def best(self, position: State) -> tuple[Term, ...]:
        """All best moves of the role to move, sorted by their text."""
        state = self._own(position)
        if state.terminal:
            return ()
        player = self.players.index(self._tree.mover(state))
        scores = {
            move: self._scores(after)[player] for move, after in self._tree.moves(state).items()
        }
        best = max(scores.values())
        return tuple(sorted(m for m, score in scores.items() if score == best))

    def progress(self, position: State) -> Term:
        """A best move; each brings the end nearer, since play ends. Raises `IllegalMove` where it
        has ended."""
        return self.best(self._going(position))[0]


def require_falling(context: Positions) -> dict[int, int]:
    """Weights of fluents whose sum falls with every move of a game; raises `NotSolvable` where no
    proof gives them."""
    found = cyclic.prove(context.proofs, cheap=False)
    if found is not None and isinstance(found.evidence, Ranking):
        weights = weights_of(context.game, found.evidence)
        if weights is not None:
            return weights
    raise NotSolvable("layers: no weighted sum of fluents is known to fall with each move")
