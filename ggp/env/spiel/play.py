"""Joint moves as choices: who is asked where, and what the players have seen by then.

Where players choose, they choose before chance does, and nobody learns of a choice before the joint
move is made. Plies in which nobody has a choice are played through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from ggp.errors import NoLegalMove
from ggp.game import Game, State

KEPT = 1 << 16
"""States that are kept with their moves, as others are asked for."""

Seen = tuple[int, frozenset[int]]
"""A player's own move and what it saw of the joint move: numbers of moves and of percepts."""


@dataclass(frozen=True, slots=True, eq=False)
class PlayPoint:
    """A point of play: a state after some joint moves.

    `pending` holds the move of each role (numbers of the evaluator) where the players have chosen
    and chance has not. `seen` has for each player what was seen in each ply, empty where rules hide
    nothing.
    """

    state: State
    plies: int
    seen: tuple[tuple[Seen, ...], ...]
    pending: tuple[int, ...] | None = None

    def __deepcopy__(self, memo: object) -> PlayPoint:
        return self

    def __reduce__(self) -> tuple[type, tuple[()]]:
        # OpenSpiel keeps the history beside it, from which it is found again.
        return type(None), ()


class SequentialPlay:
    """A game as a sequence of choices, broken off after `horizon` joint moves."""

    def __init__(self, game: Game, horizon: int) -> None:
        self.game = game
        self.horizon = horizon
        self.roles = game.player_indices
        self._after = lru_cache(KEPT)(self._make)

    @cached_property
    def start(self) -> PlayPoint:
        """The first node at which somebody chooses, or play has ended."""
        return self._settled(PlayPoint(self.game.initial, 0, ((),) * len(self.roles)))

    @property
    def moves(self) -> tuple[tuple[Any, ...], ...]:
        """For each role all of its moves, sorted by their text."""
        return self.game.net.moves

    @cached_property
    def percepts(self) -> tuple[dict[Any, int], ...]:
        """For each role the number of each thing that it may see."""
        return tuple({term: i for i, (term, _) in enumerate(own)} for own in self.game.net.sees)

    def is_over(self, node: PlayPoint) -> bool:
        """Whether play has ended, or is broken off."""
        return node.pending is None and (node.plies >= self.horizon or node.state.terminal)

    def choosers(self, node: PlayPoint) -> list[int]:
        """The players who have a choice; none where chance decides or play is over."""
        if node.pending is not None or self.is_over(node):
            return []
        legal = node.state.legal_indices()
        return [player for player, role in enumerate(self.roles) if len(legal[role]) > 1]

    def actions(self, node: PlayPoint, role: int) -> list[int]:
        """The legal actions of a role, ascending."""
        offset = self.game.net.move_offset[role]
        return sorted(number - offset for number in node.state.legal_indices()[role])

    def chosen(self, node: PlayPoint, actions: Mapping[int, int]) -> PlayPoint:
        """The node after the choices of the players who have one, by player."""
        legal = node.state.legal_indices()
        joint = [own[0] for own in legal]
        for player, action in actions.items():
            role = self.roles[player]
            if len(legal[role]) > 1:
                joint[role] = self.game.net.move_offset[role] + action
        chance = self.game.chance
        if chance is not None and len(legal[chance]) > 1:
            return replace(node, pending=tuple(joint))
        return self._settled(self._moved(node, joint))

    def thrown(self, node: PlayPoint, action: int) -> PlayPoint:
        """The node after an action of chance."""
        chance = self.game.chance
        assert chance is not None
        first = [own[0] for own in node.state.legal_indices()]
        joint = list(node.pending) if node.pending is not None else first
        joint[chance] = self.game.net.move_offset[chance] + action
        return self._settled(self._moved(node, joint))

    def _settled(self, node: PlayPoint) -> PlayPoint:
        """The first node from here at which somebody has a choice, or play is over.

        Raises `NoLegalMove` for one where play cannot go on, also where it would be broken off.
        """
        while not node.state.terminal:
            legal = node.state.legal_indices()
            if not all(legal):
                raise NoLegalMove(f"a role has no legal move in the state {node.state}")
            if self.is_over(node) or any(len(own) > 1 for own in legal):
                break
            node = self._moved(node, [own[0] for own in legal])
        return node

    def _moved(self, node: PlayPoint, joint: Sequence[int]) -> PlayPoint:
        after, percepts = self._after(node.state, tuple(joint))
        seen = node.seen
        if percepts is not None:
            offsets = self.game.net.move_offset
            seen = tuple(
                (*past, (joint[role] - offsets[role], percepts[role]))
                for past, role in zip(seen, self.roles, strict=True)
            )
        return PlayPoint(after, node.plies + 1, seen)

    def _make(
        self, state: State, joint: tuple[int, ...]
    ) -> tuple[State, tuple[frozenset[int], ...] | None]:
        after = state.after(joint)
        if not self.game.has_percepts:
            return after, None
        told = self.game.evaluator.percepts(state.position, joint)
        numbers = zip(self.percepts, told, strict=True)
        return after, tuple(frozenset(known[term] for term in own) for known, own in numbers)
