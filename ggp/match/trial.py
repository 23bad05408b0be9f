"""A tournament that says whether what was learned of a game makes the better player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from ggp.game import Game
from ggp.machine import Progress
from ggp.match.manager import own_player, run_match
from ggp.match.records import Record
from ggp.match.seats import MatchSettings
from ggp.match.tournament import wilson
from ggp.play import Player, SearchPlayer
from ggp.play.learned import LearnedPlayer, Model, ModelVerdict

LEARNED, RIVAL = "learned", "mcts"
"""Who meets whom."""


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
    told: Callable[[int], None] | None = None,
    progress: Progress | None = None,
) -> ModelVerdict:
    """What so many matches between a model's player and the search player come to, or as many more
    as make whole rounds of all seatings.

    Of a game for two players or more. Both have the same clocks, search with one thread, and think
    one after the other. A match counts once, however many roles there are: it is lost where the
    model's player was late or made an error, and counts for nothing where the other alone did.
    `told` is called with 1 after each match. Raises what `run_match` raises.
    """
    kinds: dict[str, Callable[..., Player]] = {
        LEARNED: partial(LearnedPlayer, model=model),
        RIVAL: SearchPlayer,
    }
    orders = seatings(len(game.players))
    shares: list[float] = []
    for number, order in enumerate(orders * -(-matches // len(orders)), start=seed):
        players = [(name, own_player(kinds[name], number, progress)) for name in order]
        record = run_match(game, players, MatchSettings(start_clock, play_clock, seed=number))
        if told:
            told(1)
        share = share_of(record, game.player_indices, order)
        if share is not None:
            shares.append(share)
    share = sum(shares) / len(shares) if shares else 0.0
    return ModelVerdict(RIVAL, len(shares), share, *wilson(share, len(shares)), play_clock)


def share_of(record: Record, roles: Sequence[int], order: Sequence[str]) -> float | None:
    """The part of the points that the model's player had of a match, 0 to 1: of all pairs of a role
    of its own and one of the other's. None where the match counts for nothing."""
    if record.goals is None:
        return None
    late = {order[seat] for seat, role in enumerate(roles) if any(r[role] for r in record.errors)}
    if late:
        return 0.0 if LEARNED in late else None
    goals: dict[str, list[int]] = {LEARNED: [], RIVAL: []}
    for role, name in zip(roles, order, strict=True):
        goals[name].append(record.goals[role])
    pairs = list(product(goals[LEARNED], goals[RIVAL]))
    return sum((own > other) + (own == other) / 2 for own, other in pairs) / len(pairs)
