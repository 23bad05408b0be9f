"""States as scenes, where a game has boards or piles and these are found soon; else there are none.

Imports of boards are made when they are asked for: who only answers in JSON does without.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ggp.analysis import Witness
from ggp.errors import GgpError
from ggp.game import Game, State
from ggp.limits import DEFAULT, Budget, look

if TYPE_CHECKING:
    from ggp.show.board import Scene

SECONDS = 5.0
"""That a drawing beside an answer may take; where it would take more, facts are shown."""


@dataclass(frozen=True)
class Exhibit:
    """A witness drawn: its state, and the moves that lead there, of who had a choice; None where
    the state arises only if turns may be given to either player."""

    state: State
    scene: Scene
    moves: tuple[str, ...] | None


def scenes_of(states: Iterable[State]) -> dict[State, Scene]:
    """The scenes of states of one game; none where nothing is to be drawn, or not soon."""
    from ggp.show.board import scene_of

    try:
        with _soon():
            found = {state: scene_of(state) for state in _looked(states)}
    except GgpError:
        return {}
    return found if all(is_drawn(scene) for scene in found.values()) else {}


def exhibits(game: Game, witnesses: Iterable[Witness]) -> dict[tuple[str, ...], Exhibit]:
    """What there is to draw of witnesses, by their facts; of equal states the first is drawn."""
    found: dict[tuple[str, ...], Exhibit] = {}
    try:
        with _soon():
            for witness in witnesses:
                if witness.facts not in found:
                    exhibit = _exhibit(game, witness)
                    if not is_drawn(exhibit.scene):
                        return {}
                    found[witness.facts] = exhibit
    except GgpError:
        pass  # what was drawn until then is shown
    return found


def is_drawn(scene: Scene) -> bool:
    """Whether there is more in a scene than facts and values."""
    return bool(scene.boards or scene.piles)


@contextmanager
def _soon() -> Iterator[None]:
    """Work that ends soon: it raises a `GgpError` where it would not."""
    with Budget(replace(DEFAULT, seconds=SECONDS, memory=sys.maxsize)).in_force():
        yield


def _looked(states: Iterable[State]) -> Iterable[State]:
    for state in states:
        look("drawing")
        yield state


def _exhibit(game: Game, witness: Witness) -> Exhibit:
    from ggp.show.board import scene_of

    state, before = game.initial, None
    moves = []
    for joint in witness.path or ():
        look("replaying a witness")
        chosen = [m for m, own in zip(joint, state.legal_indices(), strict=True) if len(own) > 1]
        moves.append(" / ".join(chosen or joint))
        before, state = state, state.play(dict(zip(game.roles, joint, strict=True)))
    if tuple(map(str, state.facts)) != witness.facts:
        state, before = game.state(witness.facts), None
    played = None if witness.path is None else tuple(moves)
    return Exhibit(state, scene_of(state, before), played)
