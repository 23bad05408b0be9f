"""Backward induction on small graphs, against recursion written from the definitions."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.errors import LimitReached, NotSolvable
from ggp.limits import Budget, Limits
from ggp.solver import indifference as module
from ggp.solver.graph import ENDLESS, ENDS, OPEN, evaluate, nim_values
from ggp.solver.part import SolvedPart
from ggp.solver.position_graph import CHANCE, ENDED, PositionGraph


def graph(targets: list[list[int]], mover: list[int], payoff: list[list[float]]) -> PositionGraph:
    first = np.cumsum([0, *map(len, targets)])
    flat = np.array([t for own in targets for t in own], dtype=np.int32)
    scores = np.array(payoff, dtype=np.float64)
    bounds = (float(scores[:, 0].min()), float(scores[:, 0].max()))
    return PositionGraph(np.array(mover, dtype=np.int16), scores, first, flat, bounds)


def impartial(targets: list[list[int]]) -> PositionGraph:
    """Two players; who cannot move has lost, which nim-values do not ask about."""
    mover = [0 if own else ENDED for own in targets]
    return graph(targets, mover, [[0.0, 100.0]] * len(targets))


@st.composite
def downward(draw) -> list[list[int]]:
    """An acyclic graph: every edge leads to a smaller number."""
    size = draw(st.integers(1, 14))
    return [sorted(draw(st.sets(st.integers(0, i - 1)))) if i else [] for i in range(size)]


@st.composite
def any_graph(draw) -> list[list[int]]:
    size = draw(st.integers(1, 8))
    return [sorted(draw(st.sets(st.integers(0, size - 1), max_size=3))) for _ in range(size)]


@given(downward())
def test_nim_values_are_the_least_that_no_option_has(targets) -> None:
    @cache
    def value(place: int) -> int:
        options = {value(t) for t in targets[place]}
        return next(n for n in range(99) if n not in options)

    assert nim_values(impartial(targets)).tolist() == [value(i) for i in range(len(targets))]


@pytest.mark.parametrize(
    ("targets", "values"),
    [
        ([[]], [0]),
        ([[], [0]], [0, 1]),
        ([[], [0], [0, 1]], [0, 1, 2]),
        ([[], [0], [1]], [0, 1, 0]),
        ([[], [0], [0, 1], [2]], [0, 1, 2, 0]),
        ([[], [0], [0, 1], [1, 2]], [0, 1, 2, 0]),
        ([[], [0], [0, 1], [0, 2]], [0, 1, 2, 1]),
    ],
)
def test_nim_values_of_short_games(targets, values) -> None:
    assert nim_values(impartial(targets)).tolist() == values


def test_nim_values_know_no_limit() -> None:
    """Above 63, where a set of values is no word of bits any more: *n and what leads there."""
    heap = [list(range(n)) for n in range(200)]
    assert nim_values(impartial(heap)).tolist() == list(range(200))
    some = [*heap, [70, 150], [*range(64), 65], [*range(64), *range(65, 200)], list(range(1, 200))]
    assert nim_values(impartial(some)).tolist()[200:] == [0, 64, 64, 0]


@given(downward(), st.integers(0, 70))
def test_a_nim_value_is_the_least_that_no_option_has(targets, low) -> None:
    """Beside heaps of up to 70, which positions lead to by chance."""
    heaps = [list(range(n)) for n in range(low)]
    moves = [*heaps, *([*(low + t for t in own), *range(0, low, 1 + len(own))] for own in targets)]
    values = nim_values(impartial(moves)).tolist()
    for value, own in zip(values, moves, strict=True):
        options = {values[t] for t in own}
        assert value not in options
        assert set(range(value)) <= options


def test_endless_play_has_no_nim_values() -> None:
    with pytest.raises(NotSolvable, match="ends"):
        nim_values(impartial([[], [0, 2], [1]]))


@given(downward(), st.data())
def test_two_players_get_what_minimax_says(targets, data) -> None:
    mover = [data.draw(st.integers(0, 1)) if own else ENDED for own in targets]
    scores = [data.draw(st.sampled_from([0.0, 50.0, 100.0])) for _ in targets]
    values = evaluate(graph(targets, mover, [[s, 100.0 - s] for s in scores]))

    @cache
    def value(place: int) -> float:
        options = [value(t) for t in targets[place]]
        if not options:
            return scores[place]
        return max(options) if mover[place] == 0 else min(options)

    assert values.payoff[:, 0].tolist() == [value(i) for i in range(len(targets))]
    assert (values.status == ENDS).all()
    assert values.unique.all()


def forced_in(targets, mover, scores, player) -> list[int]:
    """The moves in which a player can force an end that they win, -1 where they cannot."""
    wins = (100.0, 0.0)[player]
    found = [0 if not own and scores[i] == wins else -1 for i, own in enumerate(targets)]
    for moves in range(1, len(targets) + 1):
        for i, own in enumerate(targets):
            if own and found[i] < 0:
                known = [0 <= found[t] < moves for t in own]
                if any(known) if mover[i] == player else all(known):
                    found[i] = moves
    return found


@given(any_graph(), st.data())
def test_endless_play_of_two_is_what_bounded_play_comes_to(targets, data) -> None:
    """A win is a win within as many moves as there are positions, or else no win at all."""
    mover = [data.draw(st.integers(0, 1)) if own else ENDED for own in targets]
    scores = [data.draw(st.sampled_from([0.0, 100.0])) for _ in targets]
    values = evaluate(graph(targets, mover, [[s, 100.0 - s] for s in scores]))
    reached = [s if not own else 50.0 for s, own in zip(scores, targets, strict=True)]
    for _ in range(len(targets) + 1):
        reached = [
            scores[i] if not own else (max if mover[i] == 0 else min)(reached[t] for t in own)
            for i, own in enumerate(targets)
        ]
    steps = {player: forced_in(targets, mover, scores, player) for player in (0, 1)}
    if any(mover_ == ENDED for mover_ in mover):
        for player in (0, 1):
            for place, moves in enumerate(steps[player]):
                if reached[place] == (100.0, 0.0)[player]:
                    assert values.rank[place, player] == moves
                elif reached[place] == 50.0:
                    assert values.rank[place, player] == -1
        assert values.payoff[:, 0].tolist() == reached
        assert [s == ENDLESS for s in values.status] == [v == 50.0 for v in reached]


@given(any_graph(), st.data())
def test_one_player_goes_the_shortest_way_to_the_best_end(targets, data) -> None:
    mover = [0 if own else ENDED for own in targets]
    scores = [float(data.draw(st.integers(0, 2))) for _ in targets]
    values = evaluate(graph(targets, mover, [[s] for s in scores]))
    for start in range(len(targets)):
        distance, todo = {start: 0}, [start]
        for place in todo:
            for after in targets[place]:
                if after not in distance:
                    distance[after] = distance[place] + 1
                    todo.append(after)
        ends = [(-scores[p], d) for p, d in distance.items() if not targets[p]]
        if not ends:
            assert values.status[start] == ENDLESS
            assert values.rank[start, 0] == -1
        else:
            best, moves = min(ends)
            assert values.payoff[start, 0] == -best
            assert values.rank[start, 0] == moves


def test_three_players_each_want_their_own_best() -> None:
    # Player 2 decides between two ends that are alike for themselves: players 0 and 1 hang on it.
    ends = [[10.0, 0.0, 5.0], [0.0, 10.0, 5.0], [3.0, 3.0, 3.0]]
    values = evaluate(
        graph([[], [], [], [0, 1], [2, 3]], [ENDED] * 3 + [2, 0], [*ends, [0.0] * 3, [0.0] * 3])
    )
    assert values.payoff[3, 2] == 5
    assert values.unique.tolist() == [True, True, True, False, False]


def test_chance_is_worth_the_mean() -> None:
    values = evaluate(
        graph([[], [], [0, 1], [2, 0]], [ENDED, ENDED, CHANCE, 1], [[0.0, 90.0], [30.0, 60.0]] * 2)
    )
    assert values.payoff[2].tolist() == [15.0, 75.0]
    assert values.payoff[3].tolist() == [0.0, 90.0]


def test_endless_play_beside_chance_stays_open() -> None:
    values = evaluate(graph([[], [0, 2], [1]], [ENDED, CHANCE, 0], [[1.0, 2.0]] * 3))
    assert values.status.tolist() == [ENDS, OPEN, OPEN]


def test_a_winner_hurries_and_a_loser_does_not() -> None:
    # From 3 player 0 wins in one move or in three; from 6 player 1 loses in one move or in three.
    targets = [[], [0], [1], [0, 2], [0], [4], [0, 5]]
    mover = [ENDED, 1, 0, 0, 0, 1, 1]
    values = evaluate(graph(targets, mover, [[100.0, 0.0]] * 7))
    assert values.rank[:, 0].tolist() == [0, 1, 2, 1, 1, 2, 3]


def test_edges_are_found_from_both_sides() -> None:
    made = impartial([[], [0], [0, 1], [2, 0, 1]])
    assert made.source.tolist() == [1, 2, 2, 3, 3, 3]
    assert made.out_degree.tolist() == [0, 1, 2, 3]
    assert sorted(made.edges_into(np.array([0])).tolist()) == [0, 1, 4]
    assert made.edges_into(np.array([3])).tolist() == []
    assert made.edges_from(np.array([3, 1])).tolist() == [3, 4, 5, 0]


def test_work_ends_where_time_is_up() -> None:
    spent = Budget(Limits(seconds=-1.0))
    with pytest.raises(LimitReached, match="time"):
        evaluate(impartial([[], [0]]), spent)
    with pytest.raises(LimitReached, match="time"):
        nim_values(impartial([[], [0]]), spent)


@st.composite
def tied_trees(draw) -> tuple[list[list[int]], list[int], list[list[int]]]:
    """Positions of two or three players, each with options among those before it; ends first."""
    players = draw(st.integers(2, 3))
    score = st.lists(st.sampled_from([0, 50, 100]), min_size=players, max_size=players)
    scores = draw(st.lists(score, min_size=2, max_size=4))
    options: list[list[int]] = [[] for _ in scores]
    movers = [ENDED] * len(scores)
    for place in range(len(scores), len(scores) + draw(st.integers(1, 4))):
        option = st.integers(0, place - 1)
        options.append(draw(st.lists(option, min_size=1, max_size=3, unique=True)))
        movers.append(draw(st.integers(0, players - 1)))
        scores.append([0] * players)
    return options, movers, scores


@given(tied_trees())
def test_a_value_is_sure_just_if_it_hangs_on_nobody_who_is_indifferent(tree) -> None:
    """By definition: the scores that any choices among equally good moves come to. A best move of
    what is sure is sure to be worth as much; by bounds less may be sure."""
    options, movers, scores = tree

    @cache
    def outcomes(place: int) -> frozenset[tuple[int, ...]]:
        if movers[place] == ENDED:
            return frozenset([tuple(scores[place])])
        found = set()
        for taken in product(*(outcomes(option) for option in options[place])):
            best = max(payoff[movers[place]] for payoff in taken)
            found |= {payoff for payoff in taken if payoff[movers[place]] == best}
        return frozenset(found)

    made = graph(options, movers, scores)
    part = SolvedPart(made, evaluate(made))
    values = part.values
    for place, is_sure in enumerate(values.unique):
        found = outcomes(place)
        assert tuple(values.payoff[place]) in found
        assert is_sure == (len(found) == 1 or not made.has_ties)
        if movers[place] == ENDED:
            continue
        if values.least is not None:
            assert values.least[place].tolist() == np.min(list(found), axis=0).tolist()
        mover, best = movers[place], part.best_edges(place)
        assert best
        assert best == part.all_best_edges(place, place + 1).tolist()
        if is_sure and made.has_ties:
            own = values.payoff[place, mover]
            sure = [
                edge
                for edge in range(made.first_edge[place], made.first_edge[place + 1])
                if min(one[mover] for one in outcomes(int(made.target[edge]))) == own
            ]
            assert best == sure
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_ENDS", 0)
        bounded = evaluate(made)
    assert not (bounded.unique & ~values.unique).any()


def test_who_is_indifferent_may_not_matter() -> None:
    """Of a, b and c, the last is indifferent between (50, 100, 50) and (100, 0, 50): b goes there
    only where that is the first, and has it elsewhere anyway (found by an examiner)."""
    ends = [[50, 100, 50], [100, 0, 50]]
    made = graph(
        [[], [], [0, 1], [2, 0], [3, 1]],
        [ENDED, ENDED, 2, 1, 0],
        [*ends, [0] * 3, [0] * 3, [0] * 3],
    )
    part = SolvedPart(made, evaluate(made))
    assert part.values.unique.tolist() == [True, True, False, True, True]
    assert part.score(3) == [50, 100, 50]
    assert [int(made.target[edge]) for edge in part.best_edges(3)] == [0]


def test_what_an_indifferent_player_may_make_better_counts() -> None:
    """Met by an adversary: the first player takes 50 for sure, or what the second, who has 50 in
    either case, makes 0 or 100; and where that is 50 or 100, and 100 is to be had, 100 it is."""

    def sure(low: float, sure: float) -> list[bool]:
        ends = [[sure, 50.0], [low, 50.0], [100.0, 50.0]]
        options, mover = [[], [], [], [1, 2], [0, 3]], [ENDED] * 3 + [1, 0]
        return evaluate(graph(options, mover, [*ends, [0.0] * 2, [0.0] * 2])).unique.tolist()

    assert sure(0.0, 50.0) == [True, True, True, False, False]
    assert sure(50.0, 100.0) == [True, True, True, False, True]


def test_means_that_only_rounding_tells_apart_are_equally_good() -> None:
    """Of nine ends at once, or of three times three, the mean is 80 / 9 to the first player; the
    second has 100 or nothing, as the first likes (an adversary's, who got one best move)."""
    ends = [0, 10, 70] + [0] * 6
    thrice = [0, 0, 0, 10, 0, 0, 70, 0, 0]
    scores = [[x, 0] for x in ends] + [[x, 100] for x in thrice]
    targets: list[list[int]] = [[] for _ in scores]
    mover = [ENDED] * len(scores)
    at_once = len(targets)
    targets += [[*range(9)], [9, 10, 11], [12, 13, 14], [15, 16, 17]]
    targets += [[at_once + 1, at_once + 2, at_once + 3], [at_once, at_once + 4]]
    mover += [CHANCE] * 5 + [0]
    made = graph(targets, mover, [*map(list, scores), *[[0, 0]] * 6])
    part = SolvedPart(made, evaluate(made))
    start = at_once + 5
    assert part.values.payoff[at_once, 0] != part.values.payoff[at_once + 4, 0]
    assert len(part.best_edges(start)) == len(part.all_best_edges(start, start + 1)) == 2
    assert not part.values.unique[start]
    assert part.values.unique[:start].all()
