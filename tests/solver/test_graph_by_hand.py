"""Backward induction on graphs of a few positions: what comes out is worked out by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ggp.errors import NotSolvable
from ggp.limits import Budget, Limits
from ggp.solver.graph import ENDLESS, ENDS, OPEN, evaluate, nim_values
from ggp.solver.position_graph import CHANCE, ENDED, PositionGraph
from tests.solver.test_graph import graph, impartial

E, C = ENDED, CHANCE


def valued(targets, mover, payoff, bounds=None):
    """The values of a graph; `payoff` of two players who share 100 may be that of the first."""
    rows = [list(p) if isinstance(p, tuple) else [p, 100 - p] for p in payoff]
    made = graph(targets, mover, [[float(v) for v in row] for row in rows])
    if bounds:
        made = PositionGraph(made.mover, made.payoff, made.first_edge, made.target, bounds)
    return evaluate(made)


@pytest.mark.parametrize(
    ("mover", "payoff", "has_chance", "is_zero_sum"),
    [
        ([E, E, 0], [[0, 9], [9, 0], [5, 5]], False, True),
        ([E, E, C], [[0, 9], [9, 0], [5, 5]], True, True),
        ([E, E, 0], [[0, 9], [9, 1], [5, 4]], False, False),
        ([E, E, 1], [[3, 3], [2, 4], [9, 9]], False, True),  # what is no end does not count
        ([E, E, C], [[3, 0], [2, 0], [9, 9]], True, False),
        ([0, 0, 0], [[0, 1], [0, 2], [0, 3]], False, True),  # there is no end
    ],
)
def test_what_the_movers_and_the_ends_say(mover, payoff, has_chance, is_zero_sum) -> None:
    made = graph([[], [], [0, 1]], mover, payoff)
    assert (made.has_chance, made.is_zero_sum) == (has_chance, is_zero_sum)


@pytest.mark.parametrize(
    ("targets", "positions", "leaving", "entering"),
    [
        ([[], [0], [0, 1], [2, 0, 1]], [0], [], [0, 1, 4]),
        ([[], [0], [0, 1], [2, 0, 1]], [1], [0], [2, 5]),
        ([[], [0], [0, 1], [2, 0, 1]], [3, 1], [3, 4, 5, 0], [2, 5]),
        ([[], [0], [0, 1], [2, 0, 1]], [2, 0, 1], [1, 2, 0], [3, 0, 1, 4, 2, 5]),
        ([[], [0], [0, 1], [2, 0, 1]], [], [], []),
        ([[1, 1], [0]], [0, 1], [0, 1, 2], [2, 0, 1]),
        ([[], []], [0, 1], [], []),
    ],
)
def test_edges_are_numbered_by_what_they_leave(targets, positions, leaving, entering) -> None:
    made = impartial(targets)
    places = np.array(positions, dtype=np.int64)
    assert made.edges_from(places).tolist() == leaving
    assert made.edges_into(places).tolist() == entering
    assert made.out_degree.tolist() == list(map(len, targets))
    assert made.source.tolist() == [i for i, own in enumerate(targets) for _ in own]
    assert len(made) == len(targets)


ACYCLIC = [
    # targets, movers, payoffs; payoffs of the last position, moves, whether no tie matters
    ([[]], [E], [30], [30, 70], 0, True),
    ([[], [], [0, 1]], [E, E, 0], [30, 40, 0], [40, 60], 1, True),
    ([[], [], [0, 1]], [E, E, 1], [30, 40, 0], [30, 70], 1, True),
    ([[], [], [1, 0]], [E, E, 1], [30, 40, 0], [30, 70], 1, True),
    # A winner takes the shortest way, who loses the longest; and the longest to a draw.
    ([[], [0], [1], [2, 0]], [E, 1, 1, 0], [100] * 4, [100, 0], 1, True),
    ([[], [0], [1], [0, 2]], [E, 0, 0, 1], [100] * 4, [100, 0], 3, True),
    ([[], [0], [1], [0, 2]], [E, 1, 1, 0], [50] * 4, [50, 50], 3, True),
    ([[], [0], [1], [2, 0]], [E, 1, 1, 1], [51] * 4, [51, 49], 3, True),
    ([[], [0], [1], [2, 0]], [E, 1, 1, 0], [51] * 4, [51, 49], 1, True),
    # Someone else hangs on a choice that is all the same to the mover.
    ([[], [], [0, 1]], [E, E, 0], [(5, 1), (5, 2), (0, 0)], [5, 1], 1, False),
    ([[], [], [0, 1]], [E, E, 0], [(5, 1), (6, 2), (0, 0)], [6, 2], 1, True),
    ([[], [], [0, 1]], [E, E, 0], [(5, 1), (5, 1), (0, 0)], [5, 1], 1, True),
    ([[], [], [0, 1], [2]], [E, E, 0, 1], [(5, 1), (5, 2), (0, 0), (0, 0)], [5, 1], 2, False),
    ([[], [], [0, 1], [2, 1]], [E, E, 0, 1], [(5, 1), (5, 2), (0, 0), (0, 0)], [5, 2], 1, True),
    # One player has whatever is best.
    ([[], [], [0, 1]], [E, E, 0], [(3,), (8,), (9,)], [8], 1, True),
    # Chance: the mean of two and of three, and as many moves as it may take.
    ([[], [], [0, 1]], [E, E, C], [20, 40, 0], [30, 70], 1, True),
    ([[], [], [], [0, 1, 2]], [E, E, E, C], [0, 30, 90, 7], [40, 60], 1, True),
    ([[], [], [0, 0, 1]], [E, E, C], [0, 90, 7], [30, 70], 1, True),
    ([[], [0], [1, 0], [2, 0]], [E, 0, C, C], [60] * 4, [60, 40], 3, True),
    ([[], [0], [1, 0], [0, 2]], [E, 0, C, 1], [60] * 4, [60, 40], 3, True),
    ([[], [], [0, 1], [2, 0]], [E, E, 0, C], [(4, 1), (4, 3), (0, 0), (0, 0)], [4, 1], 2, False),
]


@pytest.mark.parametrize(("targets", "mover", "payoff", "worth", "moves", "is_unique"), ACYCLIC)
def test_play_that_ends_is_valued_from_its_ends(
    targets, mover, payoff, worth, moves, is_unique
) -> None:
    found = valued(targets, mover, payoff)
    assert found.payoff[-1].tolist() == worth
    assert found.rank[-1].tolist() == [moves] * len(worth)
    assert found.forced.tolist() == found.payoff.tolist()
    assert found.unique[-1] == is_unique
    assert found.status.tolist() == [ENDS] * len(targets)


def test_positions_that_are_done_at_once_do_not_mix() -> None:
    """Three positions of players and three of chance, of two or three edges, before four ends."""
    scores = [10, 20, 60, 90]
    targets = [[], [], [], [], [3, 0], [0, 1, 2], [1, 3], [0, 2], [1, 2, 3, 0], [2, 3]]
    found = valued(targets, [E] * 4 + [0, C, 1, C, 0, C], scores + [0] * 6)
    assert found.payoff[4:, 0].tolist() == [90, 30, 20, 35, 90, 75]
    assert found.rank[4:, 0].tolist() == [1] * 6


CIRCLE = [[], [0, 2], [1, 3], []]
"""Ends 0 and 3 on either side of 1 and 2, between which play may go on for ever."""


@pytest.mark.parametrize(
    ("mover", "payoff", "status", "worth"),
    [
        # Opposed players: who can win does, and who would lose stays.
        ([E, 0, 1, E], [100, 0, 0, 0], [ENDS] * 4, [100, 100, 0, 0]),
        ([E, 0, 1, E], [0, 0, 0, 100], [ENDS, ENDLESS, ENDLESS, ENDS], [0, 50, 50, 100]),
        ([E, 1, 0, E], [0, 7, 7, 100], [ENDS] * 4, [0, 0, 100, 100]),
        ([E, 1, 0, E], [100, 7, 7, 0], [ENDS, ENDLESS, ENDLESS, ENDS], [100, 50, 50, 0]),
        ([E, 0, 0, E], [75, 0, 0, 100], [ENDS] * 4, [75, 100, 100, 100]),
        ([E, 1, 1, E], [25, 0, 0, 0], [ENDS] * 4, [25, 0, 0, 0]),
        ([E, 0, 0, E], [25, 0, 0, 0], [ENDS, ENDLESS, ENDLESS, ENDS], [25, 50, 50, 0]),
        # A draw by an end, where both can force one; else without an end.
        ([E, 0, 1, E], [50, 0, 0, 50], [ENDS] * 4, [50, 50, 50, 50]),
        ([E, 0, 1, E], [50, 0, 0, 100], [ENDS, ENDLESS, ENDLESS, ENDS], [50, 50, 50, 100]),
        # Interests that are not opposed, chance, three players: nothing is said.
        ([E, 0, 1, E], [(3, 3), (0, 0), (0, 0), (3, 4)], [ENDS, OPEN, OPEN, ENDS], None),
        ([E, 0, C, E], [100, 0, 0, 0], [ENDS, OPEN, OPEN, ENDS], None),
        ([E, 0, 1, E], [(1, 0, 0)] * 4, [ENDS, OPEN, OPEN, ENDS], None),
        # One player goes to the best end.
        ([E, 0, 0, E], [(3,), (0,), (0,), (4,)], [ENDS] * 4, [3, 4, 4, 4]),
    ],
)
def test_play_in_a_circle(mover, payoff, status, worth) -> None:
    found = valued(CIRCLE, mover, payoff)
    assert found.status.tolist() == status
    if worth:
        assert found.payoff[:, 0].tolist() == worth
        assert found.unique.all()
        if found.payoff.shape[1] == 2:
            assert found.payoff.sum(axis=1).tolist() == [100] * 4
    else:
        assert found.rank[1:3].max() == -1


def test_one_player_goes_round_no_longer_than_needed() -> None:
    """The best of three ends within reach; none within reach of 5 and 6."""
    targets = [[], [], [], [0, 4], [3, 1], [6], [5], [2, 4]]
    found = valued(targets, [E] * 3 + [0] * 5, [(1,), (5,), (5,)] + [(9,)] * 5)
    assert found.status.tolist() == [ENDS] * 5 + [ENDLESS] * 2 + [ENDS]
    assert found.payoff[[0, 1, 2, 3, 4, 7], 0].tolist() == [1, 5, 5, 5, 5, 5]
    assert found.rank[:, 0].tolist() == [0, 0, 0, 2, 1, -1, -1, 1]


def moves_to(targets, mover, goal, player) -> list[int | None]:
    """In how many moves a player can force play to an end in `goal`, move by move."""
    found: list[int | None] = [0 if i in goal else None for i in range(len(targets))]
    for moves in range(1, len(targets) + 1):
        before = list(found)
        for i, own in enumerate(targets):
            if own and found[i] is None:
                can = [before[t] is not None for t in own]
                if any(can) if mover[i] == player else all(can):
                    found[i] = moves
    return found


def always_ends(targets) -> bool:
    ended: set[int] = set()
    for _ in targets:
        ended = {i for i, own in enumerate(targets) if ended.issuperset(own)}
    return len(ended) == len(targets)


def random_graph(seed):
    rng = random.Random(seed)
    size = rng.randint(3, 9)
    targets = [rng.sample(range(size), rng.randint(0, min(3, size))) for _ in range(size)]
    targets[rng.randrange(size)] = []
    scores = [rng.choice([0, 20, 40, 50, 60, 100]) for _ in targets]
    return targets, [rng.randint(0, 1) if own else E for own in targets], scores


@pytest.mark.parametrize("seeds", [range(k, k + 25) for k in (0, 25, 50, 75)])
def test_what_opposed_players_can_force(seeds) -> None:
    """The value is that of play which is a draw if it has not ended after as many moves as there
    are positions. A player strives for the best end that they can force, unless it is worth less
    than the position, or is the worst of all and a loss."""
    for seed in seeds:
        targets, mover, scores = random_graph(seed)
        ends = [i for i, own in enumerate(targets) if not own]
        worth = [s if not own else 50 for s, own in zip(scores, targets, strict=True)]
        for _ in targets:
            worth = [
                scores[i] if not own else (min if mover[i] else max)(worth[t] for t in own)
                for i, own in enumerate(targets)
            ]
        if always_ends(targets):
            continue
        bounds = (0.0, 100.0)
        if seed % 2:
            bounds = (min(scores[i] for i in ends), max(scores[i] for i in ends))
        found = valued(targets, mover, scores, bounds)
        assert found.payoff[:, 0].tolist() == worth
        for player in (0, 1):
            own = [w if player == 0 else 100 - w for w in worth]
            get = [s if player == 0 else 100 - s for s in scores]
            worst = bounds[0] if player == 0 else 100 - bounds[1]
            for i in range(len(targets)):
                reach: tuple[float, int] = (own[i], 0 if i in ends else -1)
                for least in sorted({get[e] for e in ends}):
                    moves = moves_to(targets, mover, [e for e in ends if get[e] >= least], player)
                    loses = least == worst and least < 50
                    if moves[i] is not None and i not in ends and least >= own[i] and not loses:
                        reach = (least, moves[i])
                assert (found.forced[i, player], found.rank[i, player]) == reach, (seed, i, player)
        draw = [
            moves_to(targets, mover, [e for e in ends if sign * scores[e] >= sign * 50], player)
            for player, sign in ((0, 1), (1, -1))
        ]
        for i in range(len(targets)):
            both = all(moves[i] is not None for moves in draw)
            assert (found.status[i] == ENDS) == (i in ends or worth[i] != 50 or both), (seed, i)


@pytest.mark.parametrize(
    ("targets", "values"),
    [
        ([[]], [0]),
        ([[], [], [0, 1]], [0, 0, 1]),
        ([[], [0], [0, 1], [0, 1, 2], [0, 1, 3]], [0, 1, 2, 3, 2]),
        ([[], [0], [1], [2, 1], [0, 3], [4, 3]], [0, 1, 0, 2, 1, 0]),
        ([[], [0], [0, 1], [1, 2], [2], [0, 1, 3]], [0, 1, 2, 0, 0, 2]),
        ([[], [0, 0], [1, 1, 0]], [0, 1, 2]),
    ],
)
def test_the_least_number_that_no_option_has(targets, values) -> None:
    assert nim_values(impartial(targets)).tolist() == values


@pytest.mark.parametrize("targets", [[[0]], [[], [0, 1]], [[1], [0]], [[], [2], [1, 0]]])
def test_no_nim_values_where_play_may_never_end(targets) -> None:
    with pytest.raises(NotSolvable):
        nim_values(impartial(targets))


class Planned(Budget):
    """An account that notes how much memory is asked for."""

    def check(self, detail: str, planned: int = 0) -> None:
        if planned:
            self.planned = planned
        super().check(detail, planned)


@pytest.mark.parametrize(
    ("targets", "players", "size"),
    [([[]], 1, 32), ([[], [0]], 1, 82), ([[], [0], [0, 1]], 2, 246), ([[], [0]], 3, 306)],
)
def test_memory_is_asked_for_by_edge_and_by_position_of_each_player(targets, players, size) -> None:
    """18 bytes for each edge, 32 for each position and player, and 16 more where ties may count."""
    budget = Planned(Limits())
    evaluate(
        graph(targets, [0 if t else E for t in targets], [[1] * players] * len(targets)), budget
    )
    assert budget.planned == size
