"""What kind of game a sheet describes, as far as OpenSpiel has to be told before play begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ggp.analysis import analyse
from ggp.errors import GgpError, InputError
from ggp.game import Game

HORIZON = 1_000
"""Joint moves after which play is broken off, where nothing is proved of its length."""

POSITIONS, SECONDS = 200_000, 300.0
"""For each finding that tells: where it is not to be had so, the weakest claim is made. The time
is such that the positions come first."""

PLIES = 100_000
"""Of a random play that shows what the goals sum to."""


@dataclass(frozen=True)
class Kind:
    """`horizon`: the most joint moves of a play, and whether it always `ends` by then.

    `simultaneous`: whether several players may have a choice at once (so too if it is not known).
    `total`: what the goals of the players sum to at every end of play, None where that differs or
    is not known. Raises `InputError` for a horizon less than 1.
    """

    horizon: int
    ends: bool = False
    simultaneous: bool = True
    total: int | None = None

    def __post_init__(self) -> None:
        if self.horizon < 1:
            raise InputError("a horizon is at least 1")

    @property
    def text(self) -> str:
        """The kind as one word, which `Kind.read` reads."""
        total = "" if self.total is None else f"s{self.total}"
        marks = ("e" if self.ends else "") + ("m" if self.simultaneous else "")
        return f"k{self.horizon}{marks}{total}"

    @classmethod
    def read(cls, text: str) -> Kind:
        """A kind from its text; raises `InputError` for what is none."""
        body, has_total, total = text.removeprefix("k").partition("s")
        digits = body.rstrip("em")
        marks = body[len(digits) :]
        try:
            return cls(int(digits), "e" in marks, "m" in marks, int(total) if has_total else None)
        except ValueError:
            raise InputError(f"{text[:40]} is no kind of game") from None


def kind_of(game: Game, horizon: int | None = None) -> Kind:
    """The kind of a game, by its findings; see `open_spiel` for the horizon."""
    bound = _found(game, "length_bound")
    if bound is None:
        bound = _found(game, "longest_play")
    ends = bound is not None and (horizon is None or bound <= horizon)
    if ends:
        horizon = max(1, bound)
    turns = _found(game, "turns") if len(game.players) > 1 else "single-player"
    return Kind(
        HORIZON if horizon is None else horizon,
        ends,
        turns in (None, "simultaneous"),
        _total(game),
    )


def _found(game: Game, name: str) -> Any:  # noqa: ANN401 - the value of whichever finding
    return analyse(game, time=SECONDS, positions=POSITIONS, only=name).value(name)


def _total(game: Game) -> int | None:
    """What the goals sum to, if the sum is always the same: one end of play shows it."""
    if len(game.players) < 2 or _found(game, "zero_sum") is not True:
        return None
    try:
        end, _ = game.random_playout(seed=0, max_plies=PLIES)[-1]
        goals = end.goals
    except GgpError:
        return None
    return sum(goals[player] for player in game.players)
