"""A tournament that says whether what was learned of a game makes the better player."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle, islice

from ggp.errors import GgpError
from ggp.game import Game
from ggp.machine import Progress
from ggp.match.manager import own_player, run_match
from ggp.match.seats import Settings
from ggp.match.tournament import points, wilson
from ggp.play import Player, SearchPlayer
from ggp.play.learned import LearnedPlayer, Model, Verdict

LEARNED, RIVAL = "learned", "mcts"
"""Who meets whom."""

Told = Callable[[int, float], None]
"""Called with the matches that were played, and the points that the model had."""


def seatings(players: int) -> list[tuple[str, ...]]:
    """Who takes which role: each of them alone in each role, the other in all others."""
    found = [
        tuple(one if seat == alone else other for seat in range(players))
        for alone in range(players)
        for one, other in ((LEARNED, RIVAL), (RIVAL, LEARNED))
    ]
    return list(dict.fromkeys(found))


def trial(
    game: Game,
    model: Model,
    matches: int,
    *,
    start_clock: float,
    play_clock: float,
    seed: int = 0,
    told: Told | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """What so many matches between a model's player and the search player come to.

    All orders of the roles in turn, of a game for two players or more. Both players have the same
    clocks, search with one thread, and think one after the other. A match in which somebody was
    late or made an error counts for nothing. Raises what `run_match` raises.
    """
    orders = seatings(len(game.players))
    kinds: dict[str, Callable[..., Player]] = {
        LEARNED: partial(LearnedPlayer, model=model),
        RIVAL: SearchPlayer,
    }
    won, seats, counted = 0.0, 0, 0
    for number, order in enumerate(islice(cycle(orders), matches)):
        own = seed + number
        players = [(name, own_player(kinds[name], own, progress)) for name in order]
        record = run_match(game, players, Settings(start_clock, play_clock, seed=own))
        if record.goals is None:
            raise GgpError(f"match {number + 1} came to no end: nothing is said of the model")
        if any(any(row) for row in record.errors):
            continue
        counted += 1
        goals = [record.goals[role] for role in game.player_indices]
        for seat, name in enumerate(order):
            if name == LEARNED:
                won, seats = won + points(goals, seat), seats + 1
        if told:
            told(number + 1, won / seats)
    share = won / seats if seats else 0.0
    low, high = wilson(share, seats)
    return Verdict(RIVAL, counted, share, low, high, play_clock)
