"""Strategies as subtrees of the game tree, and a verifier that trusts nothing but the rules.

A strategy of a player is a subtree that holds one move at every position where the player is to
move, and every move at every position where another is (Diaconescu, section 2.2). With every move
that gives nothing up in place of one it is the graph of all plays that such moves allow (Point,
"Nim game with AltaRica").
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeAlias, TypeVar

from ggp.displayed import Displayed
from ggp.errors import NotSolvable
from ggp.graphs import has_cycle
from ggp.limits import look
from ggp.solver.tree import GameTree, moves_of, scores

LOOK = 64
"""Positions between two looks at the limits."""

Position = TypeVar("Position", bound=Hashable)
Move = TypeVar("Move")
Edges: TypeAlias = list[tuple[Move, Position]]


@dataclass(frozen=True, eq=False)
class Subtree(Displayed, ABC, Generic[Position, Move]):
    """Some of the moves of a player, and all of the others, from a position on.

    `promise` is the score that every end of play reaches at the least, None where no end is in
    reach; `may_be_endless` says whether play may be kept from ending. `choice` has what the player
    may do at each position of theirs; `edges` lists the subtree: at each position the moves that
    may be made with what they lead to.
    """

    tree: GameTree[Position, Move]
    player: str
    root: Position
    promise: float | None
    may_be_endless: bool
    choice: Mapping[Position, object]
    edges: dict[Position, list[tuple[Move, Position]]] = field(repr=False)

    @abstractmethod
    def chosen(self, position: Position) -> tuple[Move, ...]:
        """The moves that the player may make at a position of theirs."""

    @property
    def positions(self) -> int:
        """Number of positions of the subtree."""
        return len(self.edges)

    def goes_round(self) -> bool:
        """Whether play can come back to a position."""
        return has_cycle({p: [after for _, after in own] for p, own in self.edges.items()})


@dataclass(frozen=True, eq=False)
class Strategy(Subtree[Position, Move]):
    """One move for every position that can come up."""

    choice: dict[Position, Move]

    def chosen(self, position: Position) -> tuple[Move, ...]:
        """The move, where there is one for this position."""
        return (self.choice[position],) if position in self.choice else ()


@dataclass(frozen=True, eq=False)
class PlayGraph(Subtree[Position, Move]):
    """All plays in which a player gives nothing up that was sure at the first position: at every
    position of theirs all moves that keep it. Where these can go round, play may be endless though
    it need not be."""

    choice: dict[Position, tuple[Move, ...]]

    def chosen(self, position: Position) -> tuple[Move, ...]:
        """The moves that keep what was sure."""
        return self.choice.get(position, ())


@dataclass(frozen=True)
class Verification:
    """Whether a strategy keeps its promise; `why` and `play` show where it does not."""

    ok: bool
    positions: int
    why: str = ""
    play: tuple[object, ...] = ()


def extract(
    tree: GameTree[Position, Move],
    player: str,
    root: Position,
    pick: Callable[[Position], Move],
    secured: tuple[float | None, bool],
) -> Strategy[Position, Move]:
    """The strategy that plays `pick(position)` wherever `player` is to move.

    `secured` is what it promises, and whether it may be endless. Raises `BudgetSpent` where an
    account that is in force is overdrawn.
    """
    choice: dict[Position, Move] = {}

    def chosen(position: Position, moves: Edges[Move, Position]) -> Edges[Move, Position]:
        choice[position] = pick(position)
        return [(move, after) for move, after in moves if move == choice[position]]

    return Strategy(tree, player, root, *secured, choice, _edges(tree, player, root, chosen))


def all_plays(
    tree: GameTree[Position, Move],
    player: str,
    root: Position,
    keeps: Callable[[Position], bool],
    secured: tuple[float | None, bool],
) -> PlayGraph[Position, Move]:
    """The plays in which `player` makes moves to positions alone that keep what is `secured`.

    Raises `NotSolvable` where there are none at a position, `BudgetSpent` where an account that is
    in force is overdrawn.
    """
    choice: dict[Position, tuple[Move, ...]] = {}

    def chosen(position: Position, moves: Edges[Move, Position]) -> Edges[Move, Position]:
        kept = [(move, after) for move, after in moves if keeps(after)]
        if not kept:
            raise NotSolvable(f"no move of {player} keeps what was sure, as play may not end")
        choice[position] = tuple(move for move, _ in kept)
        return kept

    edges = _edges(tree, player, root, chosen)
    found = PlayGraph(tree, player, root, *secured, choice, edges)
    return found if found.may_be_endless else replace(found, may_be_endless=found.goes_round())


def _edges(
    tree: GameTree[Position, Move],
    player: str,
    root: Position,
    chosen: Callable[[Position, Edges[Move, Position]], Edges[Move, Position]],
) -> dict[Position, Edges[Move, Position]]:
    """The positions that come up where `chosen` says what `player` does, with the moves there."""
    edges: dict[Position, Edges[Move, Position]] = {}
    todo = [root]
    while todo:
        position = todo.pop()
        if position in edges:
            continue
        if len(edges) % LOOK == 0:
            look(f"{len(edges):,} positions of a strategy")
        moves: Edges[Move, Position] = []
        if scores(tree, position) is None:
            moves = moves_of(tree, position)
            if tree.mover(position) == player:
                moves = chosen(position, moves)
        edges[position] = moves
        todo.extend(after for _, after in moves)
    return edges


def verify(strategy: Subtree[Position, Move]) -> Verification:
    """Play the strategy against every reply of the others, by the rules of the tree alone.

    Checks that each choice is a move of the game (of a `PlayGraph` all of them), that every end of
    play scores at least the promise, and that play ends unless the strategy says that it may not.
    Work: the positions of the subtree. Raises `BudgetSpent` where an account that is in force is
    overdrawn.
    """
    tree, player = strategy.tree, strategy.player
    place = list(tree.players).index(player)
    done: set[Position] = set()
    on_path: list[Position] = []
    stack: list[tuple[Position, bool]] = [(strategy.root, False)]
    is_open: set[Position] = set()
    while stack:
        position, leaving = stack.pop()
        if leaving:
            is_open.discard(on_path.pop())
            done.add(position)
            continue
        if position in is_open:
            if not strategy.may_be_endless:
                return Verification(False, len(done), "play may never end", (*on_path, position))
            continue
        if position in done:
            continue
        if len(done) % LOOK == 0:
            look(f"{len(done):,} positions of a strategy verified")
        is_open.add(position)
        on_path.append(position)
        stack.append((position, True))
        ended = scores(tree, position)
        if ended is not None:
            if strategy.promise is not None and ended[place] < strategy.promise:
                why = f"{player} scores {ended[place]:g}, promised {strategy.promise:g}"
                return Verification(False, len(done), why, tuple(on_path))
            continue
        moves = moves_of(tree, position)
        if tree.mover(position) == player:
            wanted = strategy.chosen(position)
            moves = [(move, after) for move, after in moves if move in wanted]
            if not moves or len(moves) < len(wanted):
                return Verification(False, len(done), "no legal move chosen", tuple(on_path))
        stack.extend((after, False) for _, after in moves)
    return Verification(True, len(done))
