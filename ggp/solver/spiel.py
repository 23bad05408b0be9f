"""Games of OpenSpiel as trees: any of perfect information in which one player moves at a time.

Nothing here imports pyspiel: whoever has such a game has it already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from ggp.errors import NotSolvable
from ggp.solver.tree import CHANCE_MOVER
from ggp.text import plain, shortened

MOST_PARTS = 10_000
"""Equally likely parts that the outcomes of one throw are split into at the most."""

CLOSE = 1e-9
"""How far a probability may be from the fraction that it stands for."""


def is_spiel_game(game: object) -> bool:
    """Whether something is a `pyspiel.Game`."""
    return any((c.__module__, c.__name__) == ("pyspiel", "Game") for c in type(game).__mro__)


class SpielPosition:
    """A state of OpenSpiel that is equal to others with the same key."""

    __slots__ = ("key", "state")

    def __init__(self, state: Any, key: Hashable) -> None:  # noqa: ANN401 - a `pyspiel.State`
        self.state = state
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielPosition) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"<SpielPosition {self.state.history_str() or 'at the start'}>"


def whole_key(state: Any) -> Hashable:  # noqa: ANN401 - a `pyspiel.State`
    """What tells positions apart: their text, how often each player and chance have moved, and the
    rewards until now.

    OpenSpiel takes it that the text of a state shows all of it, but texts do not show how near play
    is to being broken off.
    """
    made = Counter(item.player for item in state.full_history())
    return tuple(sorted(made.items())), tuple(state.returns()), str(state)


def by_history(state: Any) -> Hashable:  # noqa: ANN401 - a `pyspiel.State`
    """What no two states have in common that were not reached by the same moves."""
    return tuple(state.history())


WHY = "states of OpenSpiel are one position if text, rewards and each player's number of moves are"
"""The reason of a solution whose positions `whole_key` tells apart."""


class SpielTree:
    """A `pyspiel.Game` as a `GameTree`. Its players are called `player 0` and so on.

    `key` says which states of one player to move are one position, by default those alike in
    `whole_key`: right unless there is something that no text shows and numbers of moves do not
    tell, as with rules about positions that come again; `by_history` is always right, and makes
    many more positions. Moves have the text of OpenSpiel; `solution.tree().position(state)` is the
    position of a state.

    Raises `NotSolvable` for a game with simultaneous moves, hidden information, or chance whose
    outcomes OpenSpiel does not list, and where states of one key have other moves or returns.
    """

    def __init__(self, game: Any, *, key: Callable[[Any], Hashable] = whole_key) -> None:  # noqa: ANN401
        _require_solvable(game)
        self.game = game
        self.players = tuple(f"player {i}" for i in range(game.num_players()))
        self._key = key
        self._known: dict[Hashable, tuple[SpielPosition, object]] = {}
        self.initial = self.position(game.new_initial_state())

    def position(self, state: Any) -> SpielPosition:  # noqa: ANN401 - a `pyspiel.State`
        """The position of a state; raises `NotSolvable` where it is not the one of that key."""
        key = state.current_player(), self._key(state)
        seen = state.current_player(), tuple(state.legal_actions()), tuple(state.returns())
        position, known = self._known.setdefault(key, (SpielPosition(state, key), seen))
        if known != seen:
            why = "alike for their key and yet not alike, so that it takes another (by_history)"
            raise NotSolvable(f"two states are {why}: {_line(state)}")
        return position

    def mover(self, position: SpielPosition) -> str | None:
        """The player to move, `random` where chance decides; None at the end of play."""
        player = position.state.current_player()
        if position.state.is_chance_node():
            return CHANCE_MOVER
        return None if player < 0 else self.players[player]

    def moves(self, position: SpielPosition) -> list[tuple[str, SpielPosition]]:
        """The moves by OpenSpiel's text; an outcome of chance as often as it is likely."""
        state = position.state
        times = _times(state) if state.is_chance_node() else dict.fromkeys(state.legal_actions(), 1)
        return list(self._moves(state, times))

    def _moves(self, state: Any, times: Mapping[int, int]) -> Iterator[tuple[str, SpielPosition]]:  # noqa: ANN401
        player = state.current_player()
        for action, count in times.items():
            after = self.position(state.child(action))
            yield from [(state.action_to_string(player, action), after)] * count

    def result(self, position: SpielPosition) -> dict[str, float] | None:
        """The returns at the end of play."""
        if not position.state.is_terminal():
            return None
        return dict(zip(self.players, position.state.returns(), strict=True))


def _require_solvable(game: Any) -> None:  # noqa: ANN401 - a `pyspiel.Game`
    kind = game.get_type()
    if kind.dynamics.name != "SEQUENTIAL":
        raise NotSolvable(f"{kind.short_name}: moves are not made one at a time")
    if kind.information.name != "PERFECT_INFORMATION":
        raise NotSolvable(f"{kind.short_name}: not a game of perfect information")
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        raise NotSolvable(f"{kind.short_name}: the outcomes of chance are drawn, and not listed")


def _times(state: Any) -> dict[int, int]:  # noqa: ANN401 - a `pyspiel.State`
    """How many of equally likely parts each outcome of chance is."""
    likely = {
        action: Fraction(p).limit_denominator(MOST_PARTS)
        for action, p in state.chance_outcomes()
        if p > 0
    }
    parts = lcm(*(p.denominator for p in likely.values()))
    off = max((abs(float(likely[a]) - p) for a, p in state.chance_outcomes() if p > 0), default=0.0)
    if parts > MOST_PARTS or sum(likely.values()) != 1 or off > CLOSE:
        raise NotSolvable(f"chances are no fractions of a small denominator: {_line(state)}")
    return {action: int(p * parts) for action, p in likely.items()}


def _line(state: Any) -> str:  # noqa: ANN401 - a `pyspiel.State`
    return shortened(plain(" ".join(str(state).split())))
