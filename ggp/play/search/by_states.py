"""Search where there is no net: one descent and one random play at a time, on states.

UCT (Kocsis and Szepesvári, ECML 2006), each role for itself where several move at once, with what
is sure carried upwards (Winands, Björnsson and Saito, "Monte-Carlo tree search solver", 2008).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ggp.deduce import Prover
from ggp.game import Game, State
from ggp.play.player import Suggestion
from ggp.play.playouts import is_over, played, reached
from ggp.play.search.reports import MoveReport, provided

EXPLORE = 0.4
"""Weight of what was tried seldom."""

MANY = 500
"""Questions and answers about a position from which on no more is found out about one than is
needed: whether it is the end, and a few legal moves. For chess it is 2,900, for checkers 60."""

TOO_MANY = 10_000
"""The same where compiled loops find all of it out in a millisecond or two: for amazons it is
19,500."""

WIDENING = 2.0
"""Times the root of the descents from a position are the moves that are tried there (progressive
widening: Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007)."""

ALL = 1 << 62
"""More legal moves than there are."""

MOST_NODES = 5_000
"""Positions that are kept; there is no net, so that each takes some tens of kilobytes."""

DEPTH = 400
"""Moves of one descent."""

PLIES = 50
"""Moves of a random play at the most; without an end by then it counts as an even score."""

Joint = tuple[int, ...]


class _StateNode:
    """A position: the numbers of legal moves of each role, how often each was made, and what came
    of it. `sure`: the goals of all roles (parts of 100), where best play is known to lead to them.

    Moves are not looked for before one is to be chosen, and no more of them than are to be tried:
    most positions are met once. `whole` says of each role whether all are there. `is_gap`: what
    comes of the position the rules do not say (no legal move, or not one goal).
    """

    __slots__ = (
        "children", "counts", "is_gap", "legal", "state", "sums", "sure", "visits", "whole"
    )  # fmt: skip

    def __init__(self, state: State, lazy: bool) -> None:
        self.state = state
        self.visits = 0
        self.children: dict[Joint, _StateNode] = {}
        self.sure, self.is_gap = None, False
        if is_over(state, lazy=lazy):
            self.sure = reached(state)
            held = state.game.evaluator.goals(state.position)
            self.is_gap = any(len(held[role]) != 1 for role in state.game.player_indices)
        roles = range(len(state.game.roles))
        self.legal: list[list[int]] = [[] for _ in roles]
        self.counts: list[list[int]] = [[] for _ in roles]
        self.sums: list[list[float]] = [[] for _ in roles]
        self.whole = [False for _ in roles]

    def open(self, random: Callable[[], float] | None) -> None:
        """Have two legal moves of each role, or the only one; all without `random`."""
        if self.legal[0] or self.sure is not None:
            return
        if random is None:
            self.open_whole()
        else:
            for role in range(len(self.legal)):
                # Chance draws from all that it has.
                self.widen(role, ALL if role == self.state.game.chance else 2, random)
            self._look_for_gap()

    def open_whole(self) -> None:
        """Have all legal moves."""
        for role, moves in enumerate(self.state.legal_indices()):
            self._add(role, moves)
            self.whole[role] = True
        self._look_for_gap()

    def _look_for_gap(self) -> None:
        if self.sure is None and not all(self.legal):
            self.sure, self.is_gap = (0.5,) * len(self.legal), True

    def widen(self, role: int, most: int, random: Callable[[], float]) -> None:
        """Have so many legal moves of a role at the least, if there are so many."""
        prover = self.state.game.evaluator
        assert isinstance(prover, Prover)
        found = prover.some_moves(self.state.position, role, most, random)
        self._add(role, found)
        self.whole[role] |= len(found) < most

    def _add(self, role: int, moves: Sequence[int]) -> None:
        known = set(self.legal[role])
        new = [move for move in moves if move not in known]
        self.legal[role] += new
        self.counts[role] += [0] * len(new)
        self.sums[role] += [0.0] * len(new)


class StateSearch:
    """A search for one role, kept from move to move.

    `is_by_belief`: what it is sure of holds if what one player gains the others lose: a move that
    gives all to who makes it was taken for the end of a position, without a look at others.
    `has_gaps`: it has met what the rules leave open, which counts as even.
    """

    def __init__(self, game: Game, role: int, rng: np.random.Generator) -> None:
        self.game, self._role, self._rng = game, role, rng
        self._random = random.Random(int(rng.integers(1 << 62))).random
        self._is_lazy = self._is_large = False
        self.is_by_belief = self.has_gaps = False
        self._root: _StateNode | None = None
        self._size = 0

    @property
    def visits(self) -> int:
        """Descents from the position that is thought about, those of earlier moves as well."""
        return self._root.visits if self._root else 0

    @property
    def is_settled(self) -> bool:
        """Whether it is known what best play leads to, and with which move."""
        return self._root is not None and self._root.sure is not None

    @property
    def provided(self) -> str:
        """What the search is sure of holds under this condition."""
        return provided(by_belief=self.is_by_belief, gaps=self.has_gaps)

    def start(self, state: State) -> None:
        """Think about this state from now on; what is known of it is kept."""
        near = [self._root] if self._root else []
        for _ in range(2):
            for node in near:
                if node.state == state:
                    if node is not self._root:
                        self._root, self._size = node, _size(node)
                        node.open_whole()
                    return
            near = [child for node in near for child in node.children.values()]
        prover = self.game.evaluator
        assert isinstance(prover, Prover)
        effort = prover.effort(state.position)
        self._is_large = effort >= MANY
        self._is_lazy = effort >= (TOO_MANY if prover.hasten() else MANY)
        self._root, self._size = _StateNode(state, self._is_lazy), 1
        # What was taken for sure elsewhere has no part in what is found here.
        self.is_by_belief = False
        self._root.open_whole()
        self.has_gaps = self._root.is_gap

    def run(self, until: float, heed: Callable[[], None], pause: float = math.inf) -> None:
        """Search until the clock (`time.monotonic`) comes to `until`, for `pause` seconds, or until
        nothing can change. `heed` is called between descents, and ends all by raising."""
        soon = min(until, time.monotonic() + pause)
        while not self.is_settled and time.monotonic() < soon:
            self._descend(until)
            heed()

    def suggestions(
        self, state: State, until: float, heed: Callable[[], None], pause: float
    ) -> Iterator[Suggestion]:
        """Ever better moves in a state, one after each `pause`, as `run` goes on."""
        self.start(state)
        while time.monotonic() < until:
            self.run(until, heed, pause)
            number, value = self.best()
            move = self.game.evaluator.move(self._role, number)
            if self.is_settled:
                yield Suggestion(move, True, f"{value:.0f} by search to the end{self.provided}")
                return
            yield Suggestion(move, False, f"{value:.1f} expected, {self.visits:,} descents")

    def is_about(self, state: State) -> bool:
        """Whether this is the state that is thought about."""
        return self._root is not None and self._root.state == state

    def think(self, state: State, seconds: float) -> MoveReport:
        """The move to make in a state, after so many seconds."""
        self.start(state)
        self.run(time.monotonic() + seconds, lambda: None)
        move, _ = self.best()
        return next(report for report in self.reports() if report.move == move)

    def reports(self) -> list[MoveReport]:
        """What is known of each move of our role, in the order of `State.legal`."""
        root = self._root
        assert root is not None
        role = self._role
        sure = {}
        if self._mover(root) == role:
            sure = {self._own(joint): child.sure for joint, child in root.children.items()}
        found = []
        for i, move in enumerate(root.legal[role]):
            count = root.counts[role][i]
            value = 100 * root.sums[role][i] / count if count else 50.0
            goals = root.sure if len(root.legal[role]) == 1 else sure.get(i)
            low, high = (100 * goals[role],) * 2 if goals else (0.0, 100.0)
            found.append(MoveReport(move, count, min(max(value, low), high), low, high, 0.0))
        return found

    def tried(self) -> list[tuple[int, float]]:
        """The moves of our role that were made, the most often made ones first, and the average
        goal after each."""
        root = self._root
        assert root is not None
        own = zip(
            root.counts[self._role], root.sums[self._role], root.legal[self._role], strict=True
        )
        found = sorted(((c, t, move) for c, t, move in own if c), key=lambda told: -told[0])
        return [(move, 100 * total / count) for count, total, move in found]

    def best(self) -> tuple[int, float]:
        """The move of our role that was made most often, or is surely best, and its average goal.

        The first legal move, and 50, where there was no descent.
        """
        root = self._root
        assert root is not None
        counts, sums = root.counts[self._role], root.sums[self._role]
        sure = {self._own(joint): child.sure for joint, child in root.children.items()}
        if root.sure is not None and self._mover(root) == self._role:
            wanted = root.sure[self._role]
            for i, goals in sure.items():
                if goals is not None and goals[self._role] == wanted:
                    return root.legal[self._role][i], 100 * wanted
        i = max(range(len(counts)), key=lambda i: (counts[i], sums[i]))
        mean = sums[i] / counts[i] if counts[i] else 0.5
        return root.legal[self._role][i], 100 * (root.sure[self._role] if root.sure else mean)

    def _own(self, joint: Joint) -> int:
        return joint[self._role]

    def _mover(self, node: _StateNode) -> int | None:
        """The only role, but chance, that has a choice; our own where none has; else None."""
        able = [r for r, own in enumerate(node.legal) if len(own) > 1]
        if not able:
            return self._role
        return able[0] if len(able) == 1 and able[0] != self.game.chance else None

    def _descend(self, until: float) -> None:
        node = self._root
        assert node is not None
        path: list[tuple[_StateNode, Joint]] = []
        for _ in range(DEPTH):
            node.open(self._random if self._is_lazy else None)
            if node.sure is not None:
                break
            joint = self._select(node)
            path.append((node, joint))
            child = node.children.get(joint)
            if child is None:
                moves = [own[i] for own, i in zip(node.legal, joint, strict=True)]
                child = _StateNode(node.state.after(moves), self._is_lazy)
                if self._size < MOST_NODES:
                    node.children[joint] = child
                    self._size += 1
                node = child
                break
            node = child
        self.has_gaps |= node.is_gap
        reward = node.sure or played(node.state, self._rng, until, PLIES, lazy=self._is_large)
        if time.monotonic() > until and node.sure is None:
            return
        for above, joint in reversed(path):
            above.visits += 1
            for role, i in enumerate(joint):
                above.counts[role][i] += 1
                above.sums[role][i] += reward[role]
            self._settle(above)

    def _select(self, node: _StateNode) -> Joint:
        """A move of each role: what was never made first, as long as enough came of what was made,
        else by its bound."""
        room = math.inf
        if self._is_large:
            lost = sum(goals == 0.0 for goals in self._sure(node).values())
            room = 1 + WIDENING * math.sqrt(node.visits) + lost
        mover = self._mover(node)
        joint = []
        for role, counts in enumerate(node.counts):
            new = [i for i, count in enumerate(counts) if not count]
            if not new and len(counts) < room and not node.whole[role]:
                node.widen(role, 2 * len(counts) + 2, self._random)
                new = [i for i, count in enumerate(counts) if not count]
            if len(counts) == 1:
                joint.append(0)
            elif role == self.game.chance:
                joint.append(int(self._rng.integers(len(counts))))
            elif new and len(counts) - len(new) < room:
                joint.append(new[int(self._rng.integers(len(new)))])
            else:
                known = self._sure(node) if role == mover else {}
                log = math.log(node.visits)
                bounds = {
                    i: known[i] if i in known else total / count + EXPLORE * math.sqrt(log / count)
                    for i, (count, total) in enumerate(zip(counts, node.sums[role], strict=True))
                    if count
                }
                # Two roles that both took the first would try the same pairs again and again.
                most = max(bounds.values())
                best = [i for i, bound in bounds.items() if bound == most]
                joint.append(best[int(self._rng.integers(len(best)))])
        return tuple(joint)

    def _sure(self, node: _StateNode) -> dict[int, float]:
        """What the mover surely gets after some of its moves."""
        mover = self._mover(node)
        if mover is None:
            return {}
        return {
            joint[mover]: child.sure[mover]
            for joint, child in node.children.items()
            if child.sure is not None
        }

    def _settle(self, node: _StateNode) -> None:
        """See whether what the position leads to is known now.

        Who has several moves that are equally good for him may make any of them: what the others
        get is known only where it is the same after all of these.
        """
        mover = self._mover(node)
        if mover is None or node.sure is not None:
            return
        known = self._sure(node)
        if not known:
            return
        most = max(known.values())
        is_all = node.whole[mover] and len(known) == len(node.legal[mover])
        if not is_all and most < 1.0:
            return
        best = {c.sure for c in node.children.values() if c.sure and c.sure[mover] == most}
        is_ours = node is self._root and mover == self._role
        if is_ours or (is_all and len(best) == 1):
            node.sure = min(best)
        elif len(best) == 1 and sum(min(best)) == 1.0:
            node.sure = min(best)
            self.is_by_belief |= len(node.legal) > 1


def _size(root: _StateNode) -> int:
    """The positions below one, and itself."""
    count, todo = 0, [root]
    while todo:
        node = todo.pop()
        count += 1
        todo.extend(node.children.values())
    return count
