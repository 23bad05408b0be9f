"""Other states that a player cannot tell from one, as searches with hidden information ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, TypeVar

from ggp.errors import LimitReached

if TYPE_CHECKING:
    from ggp.env.spiel.state import GdlState

Draw = Callable[[], float]
"""A number from 0 to 1, drawn at random."""

MOST = 100_000
"""States that are looked at."""

Item = TypeVar("Item")


def resampled(state: GdlState, player: int, draw: Draw) -> GdlState:
    """A state that `player` cannot tell from this one, by moves that are tried in random order.

    Every such state can come out, not as often as it is likely. Raises `LimitReached` where too
    many states are looked at.
    """
    wanted = state.node.seen[player]
    start: GdlState = state.get_game().new_initial_state()
    open_: list[Iterator[GdlState]] = [iter([start])]
    for _ in range(MOST):
        found = next(open_[-1], None)
        if found is None:
            open_.pop()
            continue
        seen = found.node.seen[player]
        if seen == wanted and found.current_player() == state.current_player():
            return found
        if len(seen) <= len(wanted) and seen == wanted[: len(seen)] and not found.is_terminal():
            open_.append(_after(found, draw))
    raise LimitReached("resampling", MOST, "states that do not agree with what was seen")


def _after(state: GdlState, draw: Draw) -> Iterator[GdlState]:
    """The states after each choice, in random order."""
    if not state.is_simultaneous_node():
        for action in _shuffled(state.legal_actions(), draw):
            yield state.child(action)
        return
    players = range(state.num_players())
    for joint in _shuffled(list(product(*map(state.legal_actions, players))), draw):
        after = state.clone()
        after.apply_actions(list(joint))
        yield after


def _shuffled(items: list[Item], draw: Draw) -> list[Item]:
    keys = [draw() for _ in items]
    return [items[i] for i in sorted(range(len(items)), key=keys.__getitem__)]
