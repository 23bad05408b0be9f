"""What players observe: the state where nothing is hidden, else their own moves and percepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pyspiel import PrivateInfoType

from ggp.env.spiel.play import PlayPoint, Seen, SequentialPlay
from ggp.text import plain

if TYPE_CHECKING:
    from ggp.env.spiel.game import GdlGame
    from ggp.env.spiel.state import GdlState


class Observer:
    """An observer by the protocol of `open_spiel.python.observation`.

    Where rules hide nothing: `facts` (fluents,), 1 for each fluent that holds, sorted by their
    text; with perfect recall there is the history as a string, and no tensor. Under rules with
    `sees`, of the last ply, or with perfect recall of every ply (plies, …): `moves`, the player's
    own, and `percepts`, in the order of their text. All of that is private.
    """

    def __init__(self, game: GdlGame, kind: Any) -> None:  # noqa: ANN401 - an IIGObservationType
        self._recalls = kind.perfect_recall
        self._hides = game.game.has_percepts
        private = kind.private_info != PrivateInfoType.NONE
        self._shows = private if self._hides else kind.public_info
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self._shows and (sizes := self._sizes(game)):
            self._lay_out(sizes)

    def _sizes(self, game: GdlGame) -> dict[str, tuple[int, ...]]:
        """The shape of each part of the tensor; empty where there is none."""
        if not self._hides:
            return {} if self._recalls else {"facts": (len(game.game.net.fluents),)}
        play = game.play
        moves = max(len(play.moves[role]) for role in play.roles)
        # OpenSpiel takes no empty tensors.
        percepts = max(1, *(len(play.percepts[role]) for role in play.roles))
        if not self._recalls:
            return {"moves": (moves,), "percepts": (percepts,)}
        plies = game.seen_length
        return {"moves": (plies, moves), "percepts": (plies, percepts)} if plies else {}

    def _lay_out(self, sizes: dict[str, tuple[int, ...]]) -> None:
        counts = [int(np.prod(shape)) for shape in sizes.values()]
        self.tensor = np.zeros(sum(counts), np.float32)
        parts = np.split(self.tensor, np.cumsum(counts)[:-1])
        for (name, shape), part in zip(sizes.items(), parts, strict=True):
            self.dict[name] = part.reshape(shape)

    def set_from(self, state: GdlState, player: int) -> None:
        """Write what `player` observes into the tensor."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if not self._hides:
            bits = state.node.state.bits
            facts = self.dict["facts"]
            facts[[i for i in range(len(facts)) if bits >> i & 1]] = 1
            return
        seen = state.node.seen[player]
        moves, percepts = self.dict["moves"], self.dict["percepts"]
        if self._recalls:
            for ply, (move, told) in enumerate(seen):
                moves[ply, move] = 1
                percepts[ply, list(told)] = 1
        elif seen:
            move, told = seen[-1]
            moves[move] = 1
            percepts[list(told)] = 1

    def string_from(self, state: GdlState, player: int) -> str:
        """What `player` observes, as text; empty where this observer shows nothing."""
        if not self._shows:
            return ""
        if not self._hides:
            return state.history_str() if self._recalls else str(state)
        return _told(state.play, state.node, player, self._recalls)


def _told(play: SequentialPlay, node: PlayPoint, player: int, recalls: bool) -> str:
    seen = node.seen[player]
    texts = [_ply(play, player, one) for one in (seen if recalls else seen[-1:])]
    return plain(f"{play.game.players[player]}: " + " | ".join(texts))


def _ply(play: SequentialPlay, player: int, seen: Seen) -> str:
    """One ply as the player knows it: its move, and what it saw."""
    role = play.roles[player]
    move, told = seen
    terms = list(play.percepts[role])
    percepts = " ".join(str(terms[number]) for number in sorted(told))
    return f"{play.moves[role][move]} sees {percepts or 'nothing'}"
