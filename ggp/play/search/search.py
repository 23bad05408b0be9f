"""Monte-Carlo tree search by batches: many descents, then all that they ask for at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.game import Game, State
from ggp.kif import Term
from ggp.later import Later
from ggp.machine import Rows
from ggp.play.search.batches import Batch, Played, Together
from ggp.play.search.leaves import Leaves, Settings
from ggp.play.search.reports import MoveReport, best, lead, line, reports
from ggp.play.search.sums import ValuedSums
from ggp.play.search.tree import (
    AWAITED,
    END,
    FINDS,
    LEAF,
    NOBODY,
    OPEN,
    VISITS,
    Paths,
    SearchRules,
    SearchStyle,
    Tree,
    new_tree,
)

if TYPE_CHECKING:
    from ggp.play.search import growing, walking
else:
    growing = Later("ggp.play.search.growing")
    walking = Later("ggp.play.search.walking")

DEPTH = 400
"""Moves of one descent; what is further down is played at random."""

LOOKING, COPYING = 4e-8, 5e-7
"""Seconds for each position of a tree that is looked at, and copied, before that was measured."""

SPARED = 0.25
"""The part of the time that is left for which a tree that is full is copied at the most."""

WORTHWHILE = 100_000
"""Positions that are to be kept of a tree that has as many; where there is no time to copy these it
stays full."""

COPIED = 1 << 17
"""Positions that are copied between two looks at the clock."""

FULL = 0.95
"""The part of a tree beyond which no more leaves are opened."""


class TreeSearch:
    """A search for one role of a game with a net, kept from move to move.

    One thread finds the same with the same seed and the same numbers of descents, whatever the
    clock; several do not.
    """

    def __init__(
        self,
        game: Game,
        role: int,
        *,
        seed: int = 0,
        settings: Settings | None = None,
        threads: int = 1,
        sums: ValuedSums | None = None,
        leaves: Leaves | None = None,
    ) -> None:
        self.game, self.role, self.threads = game, role, threads
        self.sums = sums
        self.settings = settings or Settings()
        self._machine = game.machine
        values = [[value for value, _ in own] or [50] for own in game.net.goals]
        self._rules = SearchRules(
            NOBODY if game.chance is None else game.chance,
            False,
            0,
            np.array([min(own) for own in values], dtype=np.int16),
            np.array([max(own) for own in values], dtype=np.int16),
        )
        # Where there is one goal alone, bounds meet before an end is seen that may have none.
        self.has_gaps = bool(self._rules.worst[role] == self._rules.best[role])
        own = self.settings
        self.leaves = leaves or Leaves(game, own)
        self._style = SearchStyle(own.explore, own.trust, own.expand_at, own.wide)
        self._seeds = np.random.default_rng(seed)
        self._random = self._seeds.integers(1 << 62, size=1, dtype=np.uint64)
        self._tree: Tree | None = None
        self._spare: Tree | None = None
        self._generation = self._kept = 0
        self._copying = COPYING
        self.root = 0
        self._row = np.zeros(self._machine.coding.words, dtype=np.uint64)
        self.descents = 0

    @property
    def tree(self) -> Tree:
        """The tree as it is now."""
        assert self._tree is not None
        return self._tree

    def start(self, state: State) -> None:
        """Think about this state from now on; what is known of it is kept.

        The state is not to be terminal, and every role is to have a legal move in it.
        """
        if not self.is_about(state):
            self.leaves.go_on()
        self._row = row = self._machine.rows([state.bits])[0]
        if self.sums:
            self.sums.begin()
        if self._tree is None:
            both = self.leaves.both(row)
            if both is not None:
                self._rules = self._rules._replace(opposed=True, both=both)
        else:
            before, self.root = self.root, int(growing.find(self._tree, row))
            if self.root >= 0:
                # Much may be out of reach now.
                self._kept = self._kept if self.root == before else 0
                if self._tree.kind[self.root] == END:
                    # Of what is decided the moves are not known yet, and are to be.
                    growing.forget(self._tree, self.root, self._rules)
                return
        self._begin(self._empty())

    def _begin(self, tree: Tree) -> None:
        """Begin an empty tree with the state that is thought about."""
        self._spare, self._tree = self._tree, tree
        self.root = int(growing.enter(tree, self._row, self._rules))
        self._generation += 1
        self._kept = 0

    def _recycle(self, until: float, heed: Callable[[], None]) -> None:
        """Let go of all that cannot be come to any more, and, if that is not enough, of more than
        half of the rest: of what was come to least, and of as much as there is no time to copy."""
        tree = self.tree
        began = time.monotonic()
        left = until - began
        half = self.settings.nodes // 2
        room = min(half, SPARED * left / self._copying)
        if LOOKING * tree.size > left / 2 or room < min(half, WORTHWHILE):
            return
        least = growing.least_visits(tree, growing.reach(tree, self.root), room)
        looked = time.monotonic()
        new = self._empty()
        self._spare = None
        number = np.full(tree.size, -1, dtype=np.int32)
        order = np.full(tree.size, self.root, dtype=np.int32)
        done = growing.keep(tree, new, least, number, order, 0, COPIED)
        while done < new.size and time.monotonic() < until:
            heed()
            done = growing.keep(tree, new, least, number, order, done, COPIED)
        if done < new.size:
            self._spare = new
            return
        self._spare, self._tree, self.root = tree, new, 0
        self._generation += 1
        self._kept = new.size
        if new.size > COPIED:
            self._copying = (time.monotonic() - looked) / new.size

    def _empty(self) -> Tree:
        """A tree without positions: the one before the last, if there is one."""
        tree = self._spare
        if tree is None:
            net = self.game.net
            words = self._machine.coding.words
            return new_tree(self.settings.nodes, words, len(net.roles))
        tree.buckets.fill(-1)
        tree.used.fill(0)
        return tree

    @property
    def visits(self) -> int:
        """Descents from the position that is thought about, those of earlier moves as well."""
        return int(self.tree.stat[self.root, VISITS])

    @property
    def is_by_belief(self) -> bool:
        """Whether bounds rest on the belief, not proved, that interests are opposed."""
        return self._rules.opposed

    @property
    def worst(self) -> int:
        """The least that our role can get, by the rules."""
        return int(self._rules.worst[self.role])

    @property
    def is_settled(self) -> bool:
        """Whether more search cannot better the choice, as it is known what our role can have (or
        believed, see `is_by_belief`)."""
        tree, root = self.tree, self.root
        sure = tree.low[root, self.role]
        if sure != tree.high[root, self.role]:
            return False
        if not self._is_open or tree.mover[root] != self.role:
            return True
        # A position that was a leaf again in between knows more than those it leads to.
        first = int(tree.first_slot[root])
        children = tree.slots[first : first + int(tree.counts[root].prod())]
        return bool(tree.low[children, self.role].max() >= sure)

    def run(
        self,
        until: float = inf,
        descents: int | None = None,
        heed: Callable[[], None] | None = None,
        pause: float = inf,
    ) -> None:
        """Search until the clock (`time.monotonic`) comes to `until`, after so many descents, after
        `pause` seconds, or once nothing can change; but at least until the moves of the first
        position are known. What was not finished at `until` counts for nothing, while after `pause`
        seconds it is finished. `heed` is called between batches, and ends all by raising."""
        most = inf if descents is None else self.descents + descents
        soon = min(until, time.monotonic() + pause)
        look = heed or (lambda: None)
        if not self._is_open:
            self._batch(until, look)
        if self.tree.kind[self.root] == LEAF and self.tree.size > 1:
            # There was too little room for what it leads to, though the tree is not full.
            self._begin(self._empty())
            self._batch(until, look)
        if self.threads > 1:
            together = Together(
                self.threads,
                lambda: self._prepare(until, look),
                lambda batch: self._play(batch, until),
                self._finish,
            )
            together.run(lambda: self._goes_on(soon, most), look)
            return
        while self._goes_on(soon, most):
            self._batch(until, look)
            look()

    def think(
        self, state: State, seconds: float, heed: Callable[[], None] | None = None
    ) -> MoveReport | None:
        """The move to make in a state, after so many seconds; None where none can be told of."""
        until = time.monotonic() + seconds
        self.start(state)
        self.run(until, heed=heed)
        return self.best()

    def _goes_on(self, until: float, most: float) -> bool:
        """Whether there is to be another batch."""
        return not self.is_settled and time.monotonic() < until and self.descents < most

    def _batch(self, until: float, heed: Callable[[], None]) -> None:
        """One batch of descents, and what comes of it."""
        batch = self._prepare(until, heed)
        self._finish(batch, self._play(batch, until))

    def _prepare(self, until: float, heed: Callable[[], None]) -> Batch:
        """Descend to leaves."""
        # What is left has to have grown, or all would be copied again and again for nothing.
        if not self._has_room() and self.tree.size - self._kept > len(self.tree.kind) // 8:
            self._recycle(until, heed)
        if not self._has_room() and not self._is_open:
            # Better to know nothing than not even what the moves are.
            self._begin(self._empty())
        tree, root, rules = self.tree, self.root, self._rules
        # A young tree has few leaves: many descents at once would all go to the same. Of several
        # batches under way all together count.
        width = int(tree.counts[root].prod()) if tree.kind[root] == OPEN else 1
        flying = self.threads + 1 if self.threads > 1 and self._is_open else 1
        size = min(self.settings.batch, max(16, width, self.visits // 8) // flying)
        roles = len(rules.worst)
        paths = Paths(
            np.empty((size, DEPTH), dtype=np.int32),
            np.empty((size, DEPTH, roles), dtype=np.int32),
            np.empty(size, dtype=np.int32),
        )
        wanted = np.empty(size if self._has_room() else 0, dtype=np.int32)
        asked = walking.descend(tree, root, rules, self._style, paths, wanted, self._random)
        leaves = paths.node[np.arange(size), paths.length - 1]
        going = np.flatnonzero((tree.low[leaves] != tree.high[leaves]).any(axis=1))
        opened = wanted[:asked]
        seed = int(self._seeds.integers(1 << 62))
        decided, goals = np.empty(0, dtype=np.int32), np.empty((0, roles))
        if self.sums:
            decided, goals = self.sums.decided(*self._to_decide(tree, leaves, paths.length))
            opened = opened[~np.isin(opened, decided)]
            going = going[~np.isin(leaves[going], decided)]
        return Batch(
            self._generation, paths, opened, tree.rows[opened], 0 if self._is_open else 1,
            going, tree.rows[leaves[going]], seed, decided, goals,
        )  # fmt: skip

    def _play(self, batch: Batch, until: float) -> Played:
        """Make what the leaves lead to, and play on from them."""
        children = None
        if len(batch.opened):
            children = self.leaves.opened(batch.parents, until, at_least=batch.at_least)
        reward = np.full((len(batch.paths.length), len(self._rules.worst)), 0.5)
        sums: set[int] = set()
        if len(batch.going):
            reward[batch.going], sums = self.leaves.played(batch.rows, batch.seed, until)
        if children:
            sums |= self.leaves.sums(children.goals[children.terminal > 0])
        return Played(children, reward, sums)

    def _finish(self, batch: Batch, played: Played) -> None:
        """Enter what came of a batch, if the tree is still there."""
        children, reward, sums = played
        tree, rules = self.tree, self._rules
        if children:
            ends = children.goals[children.terminal > 0]
            self.has_gaps |= bool((ends[:, list(self.game.player_indices)] < 0).any())
        if batch.generation != self._generation:
            return
        if rules.opposed and not sums <= {rules.both}:
            self._begin_anew()
            return
        count = len(children.counts) if children else 0
        if children:
            growing.attach(tree, rules, batch.opened[:count], *children)
        tree.kind[batch.opened[count:]] = LEAF
        if len(batch.decided):
            self.decide(batch.decided, batch.goals)
        walking.settle(tree, batch.paths, reward)
        self.descents += walking.back_up(tree, batch.paths, rules, reward)
        if self.sums:
            self.sums.work()

    def decide(self, nodes: NDArray[np.int32], goals: NDArray[np.float64]) -> None:
        """Take it for known what each role gets in some positions of the tree (n, roles)."""
        growing.decide(self.tree, nodes, goals)

    def _to_decide(
        self, tree: Tree, leaves: NDArray[np.int32], length: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], Rows, NDArray[np.int32], NDArray[np.bool_]]:
        """The leaves that may be decided: numbers, rows, depths, and which are to be opened."""
        nodes, first = np.unique(leaves, return_index=True)
        kinds = tree.kind[nodes]
        own = ((kinds == LEAF) | (kinds == AWAITED)) & (nodes != self.root)
        nodes = nodes[own]
        return nodes, tree.rows[nodes], length[first[own]], kinds[own] == AWAITED

    def _begin_anew(self) -> None:
        """Forget all that took the interests of the two players for opposed, as they are not."""
        rules = self._rules._replace(opposed=False)
        # A tree of its own: batches under way are of the old one.
        self._rules, self._spare = rules, None
        self._begin(self._empty())
        self._spare = None

    @property
    def _is_open(self) -> bool:
        """Whether the moves of the state that is thought about are known."""
        return int(self.tree.kind[self.root]) == OPEN

    def _has_room(self) -> bool:
        tree = self.tree
        used, sizes = tree.used[:FINDS].tolist(), (len(tree.kind), len(tree.move), len(tree.slots))
        return all(some < FULL * size for some, size in zip(used, sizes, strict=True))

    def reports(self) -> list[MoveReport]:
        """What is known of each move of our role, in the order of `State.legal`; empty before the
        first batch."""
        return reports(self.tree, self.root, self.role)

    def best(self) -> MoveReport | None:
        """The move to make; None where no moves are known."""
        return best(self.reports())

    def lead(self) -> int:
        """How much more often it was tried than any other that may be made; 0 where it is not the
        one tried most."""
        return lead(self.reports())

    def is_about(self, state: State) -> bool:
        """Whether this is the state that is thought about."""
        row = self._machine.rows([state.bits])[0]
        return self._tree is not None and bool((row == self._row).all())

    def line(self, most: int) -> list[tuple[Term, ...]]:
        """So many joint moves at the most that are expected."""
        name = self.game.evaluator.move
        return [
            tuple(name(role, move) for role, move in enumerate(joint))
            for joint in line(self.tree, self.root, most, self._rules.chance)
        ]
