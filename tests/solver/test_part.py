"""What is said of a solved graph of a few positions: scores, best moves, what is secured."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.errors import NotSolvable
from ggp.solver import part as module
from ggp.solver.graph import evaluate
from ggp.solver.part import SolvedPart
from ggp.solver.position_graph import CHANCE, ENDED, PositionGraph
from tests.solver.test_graph import graph
from tests.solver.test_graph_by_hand import random_graph

E, C = ENDED, CHANCE


def part(targets, mover, payoff, bounds=None) -> SolvedPart:
    """`payoff` of two players who share 100 may be that of the first."""
    rows = [list(p) if isinstance(p, tuple) else [p, 100 - p] for p in payoff]
    made = graph(targets, mover, [[float(v) for v in row] for row in rows])
    if bounds:
        made = PositionGraph(made.mover, made.payoff, made.first_edge, made.target, bounds)
    return SolvedPart(made, evaluate(made))


CIRCLE = [[], [0, 2], [1, 3], []]
"""Ends 0 and 3 on either side of 1 and 2, between which play may go on for ever."""
ROUND = [[], [2], [1]]
"""Play goes round and round in 1 and 2."""
TWO_ENDS = [[], [], [0, 1], [3]]
"""Position 2 leads to two ends, 3 to itself."""


@pytest.mark.parametrize(
    ("targets", "mover", "payoff", "scores"),
    [
        (CIRCLE, [E, 0, 1, E], [100, 0, 0, 0], [[100, 0], [100, 0], [0, 100], [0, 100]]),
        (CIRCLE, [E, 0, 1, E], [0, 0, 0, 100], [[0, 100], None, None, [100, 0]]),
        (CIRCLE, [E, 0, 0, E], [(3,), (0,), (0,), (4,)], [[3], [4], [4], [4]]),
        (ROUND, [E, 0, 0], [(3,)] * 3, [[3], None, None]),
        (
            [*ROUND, []],
            [E, 0, 1, E],
            [(3, 1), (0, 0), (0, 0), (1, 1)],
            [[3, 1], "open", "open", [1, 1]],
        ),
        (ROUND, [E, 0, 1], [(1, 2, 3)] * 3, [[1, 2, 3], "open", "open"]),
    ],
)
def test_scores_under_best_play(targets, mover, payoff, scores) -> None:
    found = part(targets, mover, payoff)
    for place, score in enumerate(scores):
        if score == "open":
            with pytest.raises(NotSolvable):
                found.score(place)
        else:
            assert found.score(place) == score


@pytest.mark.parametrize(
    ("targets", "mover", "payoff", "place", "player", "secured"),
    [
        # At an end.
        ([[]], [E], [30], 0, 0, (30, False)),
        ([[]], [E], [30], 0, 1, (70, False)),
        ([[]], [E], [(1, 2, 3)], 0, 2, (3, False)),
        # Play that always ends.
        ([[], [], [0, 1]], [E, E, 0], [20, 30, 0], 2, 0, (30, False)),
        ([[], [], [0, 1]], [E, E, 0], [20, 30, 0], 2, 1, (70, False)),
        # Who wins ends it; who loses may be let off.
        (CIRCLE, [E, 0, 1, E], [100, 0, 0, 0], 1, 0, (100, False)),
        (CIRCLE, [E, 0, 1, E], [100, 0, 0, 0], 1, 1, (0, True)),
        (CIRCLE, [E, 0, 1, E], [100, 0, 0, 0], 2, 1, (100, False)),
        # Both keep away from an end that they lose.
        (CIRCLE, [E, 0, 1, E], [0, 0, 0, 100], 1, 0, (50, True)),
        (CIRCLE, [E, 0, 1, E], [0, 0, 0, 100], 1, 1, (50, True)),
        (CIRCLE, [E, 0, 1, E], [50, 0, 0, 50], 1, 0, (50, False)),
        # The only end is one that a player stays out of: no end is worth what a draw is.
        ([[], [0, 2], [1]], [E, 0, 1], [(30, 100), (0, 0), (0, 0)], 1, 0, (None, True)),
        ([[], [0, 2], [1]], [E, 0, 1], [(30, 100), (0, 0), (0, 0)], 1, 1, (65, True)),
        # No end is within reach.
        ([*ROUND, [0]], [E, 0, 1, 0], [100] * 4, 1, 0, (None, True)),
        ([*ROUND, [0]], [E, 0, 1, 0], [100] * 4, 3, 0, (100, False)),
        (ROUND, [E, 0, 0], [(3,)] * 3, 1, 0, (None, True)),
        ([[], [0, 1]], [E, 0], [(3,), (9,)], 1, 0, (3, False)),
        # An end that is less than a draw: somebody may go on for ever somewhere, or nobody.
        (TWO_ENDS, [E, E, 0, 0], [0, 40, 0, 0], 2, 0, (40, True)),
        (TWO_ENDS[:3], [E, E, 0], [0, 40, 0], 2, 0, (40, False)),
        (TWO_ENDS, [E, E, 0, 0], [0, 60, 0, 0], 2, 0, (60, False)),
        (TWO_ENDS, [E, E, 0, 0], [0, 50, 0, 0], 2, 0, (50, False)),
        # Others as one: what they give away of their own does not count.
        ([[], [], [0, 1]], [E, E, 1], [(5, 9), (3, 1), (0, 0)], 2, 0, (3, False)),
        ([[], [], [0, 1]], [E, E, 1], [(5, 9), (3, 1), (0, 0)], 2, 1, (9, False)),
        ([[], [], [0, 1]], [E, E, 2], [(5, 0, 9), (3, 4, 1), (0, 0, 0)], 2, 1, (0, False)),
        ([[], [0, 2], [1], []], [E, 0, 1, E], [(5, 0, 0)] * 3 + [(1, 0, 0)], 1, 0, (5, False)),
        ([[], [0, 2], [1], []], [E, 0, 1, E], [(5, 0, 0)] * 3 + [(1, 0, 0)], 2, 0, (5, False)),
        ([[], [0, 2], [1], []], [E, 0, 1, E], [(5, 0, 0)] * 3 + [(9, 0, 0)], 2, 0, (None, True)),
        ([[], [0, 2], [1]], [E, 0, 1], [(5, 0, 0)] * 3, 1, 0, (None, True)),
        ([[], [0, 2], [1]], [E, 1, 1], [(5, 0, 0)] * 3, 2, 0, (5, True)),
        ([[], [0, 2], [1]], [E, 1, 2], [(5, 0, 0)] * 3, 2, 0, (5, True)),
        (ROUND, [E, 1, 2], [(5, 0, 0)] * 3, 2, 0, (None, True)),
        # The worst end is worse than none; another is not.
        ([[], [], [2], [1, 2], [0]], [E, E, 0, 0, 0], [(5, 0, 0), (1, 0, 0)] * 2 + [(0, 0, 0)],
         3, 0, (None, True)),
        ([[], [], [2], [0, 2], [0]], [E, E, 0, 0, 0], [(5, 0, 0), (1, 0, 0)] * 2 + [(0, 0, 0)],
         3, 0, (5, False)),
        # The worst is all that there is: it comes with every play.
        ([[], [], [1]], [E, E, 0], [(5, 0, 0), (1, 0, 0), (0, 0, 0)], 2, 0, (1, False)),
        # Chance: the mean.
        ([[], [], [0, 1], [2]], [E, E, C, 0], [20, 40, 0, 0], 3, 0, (30, False)),
        ([[], [], [0, 1], [2]], [E, E, C, 0], [(20,), (40,), (0,), (0,)], 3, 0, (30, False)),
    ],
)  # fmt: skip
def test_what_a_player_can_make_sure_of(targets, mover, payoff, place, player, secured) -> None:
    assert part(targets, mover, payoff).secured(place, player) == secured


def test_nothing_is_secured_where_chance_may_go_on_for_ever() -> None:
    with pytest.raises(NotSolvable):
        part([[], [0, 2], [1]], [E, C, 0], [(5, 1)] * 3).secured(1, 0)


@pytest.mark.parametrize(
    ("mover", "payoff", "is_same"),
    [
        ([E, 0, 0, E], [(3,), (0,), (0,), (4,)], True),
        ([E, 0, 1, E], [100, 0, 0, 0], True),
        ([E, C, 1, E], [(1, 2, 3)] * 4, True),
        ([E, 0, 1, E], [(1, 2), (0, 0), (0, 0), (4, 4)], False),
        ([E, 0, 1, E], [(1, 2, 3), (0, 0, 0), (0, 0, 0), (3, 2, 1)], False),
    ],
)
def test_interests_that_are_opposed_anyway_need_no_other_graph(mover, payoff, is_same) -> None:
    found = part(CIRCLE, mover, payoff)
    for player in range(found.graph.payoff.shape[1]):
        alone, own = found.against_all(1, player)
        assert (alone is found) == is_same
        assert own == (player if is_same else 0)
        if not is_same:
            assert alone.graph.payoff.sum(axis=1).tolist() == [0] * 4
            assert alone.graph.mover.tolist() == [E, int(player != 0), int(player != 1), E]


BEST = [
    # targets, mover, payoff; the edges of best moves by position, the edge that brings the end near
    ([[], [], [0, 1]], [E, E, 0], [20, 30, 0], {2: [1]}, {2: 1}),
    ([[], [], [0, 1]], [E, E, 1], [20, 30, 0], {2: [0]}, {2: 0}),
    ([[], [], [0, 1]], [E, E, 0], [30, 30, 0], {2: [0, 1]}, {2: 0}),
    # Nearer, of two ways to win, and of two that are as near the first.
    ([[], [0], [1], [2, 0]], [E, 1, 1, 0], [100] * 4, {1: [0], 2: [1], 3: [2, 3]}, {3: 3, 2: 1}),
    ([[], [], [0], [1, 2, 0]], [E, E, 1, 0], [100] * 4, {3: [1, 2, 3]}, {3: 1}),
    # Play in a circle: who wins, who stays.
    (CIRCLE, [E, 0, 1, E], [100, 0, 0, 0], {1: [0], 2: [3]}, {1: 0, 2: 3}),
    (CIRCLE, [E, 0, 1, E], [0, 0, 0, 100], {1: [1], 2: [2]}, {1: 1, 2: 2}),
    (CIRCLE, [E, 0, 0, E], [100, 0, 0, 0], {1: [0, 1], 2: [2]}, {1: 0, 2: 2}),
    (CIRCLE, [E, 0, 0, E], [75, 0, 0, 100], {1: [1], 2: [2, 3]}, {1: 1, 2: 3}),
    # One player: only what comes nearer is best; where nothing is near, any edge leads on.
    (CIRCLE, [E, 0, 0, E], [(3,), (0,), (0,), (4,)], {1: [1], 2: [3]}, {1: 1, 2: 3}),
    ([[], [0, 2], [0, 1]], [E, 0, 0], [(3,)] * 3, {1: [0], 2: [2]}, {1: 0, 2: 2}),
    ([[], [2, 0], [0, 1]], [E, 0, 0], [(3,)] * 3, {1: [1], 2: [2]}, {1: 1, 2: 2}),
    ([[], [2], [1, 1]], [E, 0, 0], [(3,)] * 3, {1: [], 2: []}, {1: 0, 2: 1}),
    # Chance has no best move; one player beside it may have ways of the same worth.
    ([[], [], [0, 1], [2, 1]], [E, E, C, 1], [0, 40, 0, 0], {2: [], 3: [2]}, {3: 2}),
    ([[], [], [0, 1], [2, 1]], [E, E, C, 0], [(0,), (40,), (0,), (0,)], {2: [], 3: [3]}, {3: 3}),
    ([[], [0], [1, 0], [0, 0]], [E, 0, 0, C], [(5,)] * 4, {1: [0], 2: [1, 2], 3: []}, {1: 0}),
    # Three players: their own score alone.
    ([[], [], [0, 1]], [E, E, 2], [(5, 9, 3), (3, 1, 3), (0, 0, 0)], {2: [0, 1]}, {2: 0}),
    ([[], [], [0, 1]], [E, E, 1], [(5, 8, 3), (9, 9, 3), (0, 0, 0)], {2: [1]}, {2: 1}),
]  # fmt: skip


@pytest.mark.parametrize("at_once", [0, module.AT_ONCE], ids=["one by one", "at once"])
@pytest.mark.parametrize(("targets", "mover", "payoff", "best", "near"), BEST)
def test_best_moves_and_the_one_that_brings_the_end_near(
    targets, mover, payoff, best, near, at_once, monkeypatch
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", at_once)
    found = part(targets, mover, payoff)
    for place in range(len(targets)):
        if place in best or mover[place] == E:
            assert found.best_edges(place) == best.get(place, [])
    for place, edge in near.items():
        assert found.progress_edge(place) == edge
    if len(best) == sum(m != E for m in mover):
        every = [edge for place in sorted(best) for edge in best[place]]
        assert found.all_best_edges(0, len(targets)).tolist() == every
        last, own = len(targets) - 1, best.get(len(targets) - 1, [])
        assert found.all_best_edges(last, last + 1).tolist() == own
        assert found.all_best_edges(0, last).tolist() == every[: len(every) - len(own)]


def test_open_positions_have_no_best_moves() -> None:
    """1 and 2 are open, 3 is not."""
    found = part([[], [0, 2], [1], [0]], [E, 0, 1, 2], [(1, 1, 1)] * 4)
    for place in (1, 2):
        with pytest.raises(NotSolvable):
            found.best_edges(place)
    assert found.all_best_edges(0, 4).tolist() == [3]


@pytest.mark.parametrize("seeds", [range(20), range(20, 40), range(40, 60)])
def test_best_moves_keep_the_value_and_progress_comes_to_the_end(seeds) -> None:
    for seed in seeds:
        targets, mover, scores = random_graph(seed)
        found = part(targets, mover, scores, (0.0, 100.0))
        worth = found.values.payoff[:, 0].tolist()
        first = found.graph.first_edge
        every = []
        for place, own in enumerate(targets):
            best = [first[place] + i for i, t in enumerate(own) if worth[t] == worth[place]]
            assert found.best_edges(place) == best
            every += best
            if not own:
                continue
            edge = found.progress_edge(place)
            player = mover[place]
            if found.values.rank[place, player] >= 0:
                after = found.graph.target[edge]
                assert found.values.rank[after, player] < found.values.rank[place, player]
            else:
                assert edge == best[0]
        assert found.all_best_edges(0, len(targets)).tolist() == every
        assert np.diff(every).min(initial=1) > 0
