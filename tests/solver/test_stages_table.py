"""Positions valued many at once, against one after the other by their definitions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import ggp
from ggp.errors import LimitReached, NotSolvable
from ggp.limits import Budget, Limits
from ggp.solver import SimultaneousSolution, stages, valuation
from ggp.solver.stages import OPEN, Worths, grids, rounds, value_equilibria, value_matrices
from ggp.theory.matrix import matrix_value, pure_equilibria, solve_matrix
from tests.conftest import nightly
from tests.oracle.random_games import random_game
from tests.solver.test_rounds import game_of, matrix


def test_each_worth_has_one_number() -> None:
    worths = Worths(3)
    assert [worths[place] for place in range(3)] == [None] * 3
    one, other = (Fraction(1, 3), Fraction(2)), (Fraction(1, 3), Fraction(1))
    assert [worths.number(worth) for worth in (one, other, one, (*one,))] == [0, 1, 0, 0]
    worths.of[1] = 1
    assert [worths[place] for place in range(3)] == [None, other, None]
    assert worths.ranks(np.arange(2)).tolist() == [[0, 1], [0, 0]]


def test_ranks_are_exact_where_floating_point_is_not() -> None:
    near = [Fraction(1, 3) + Fraction(k, 10**30) for k in (2, 0, -1, 1, 0)]
    worths = Worths(0)
    numbers = [worths.number((x, -x)) for x in near]
    assert numbers == [0, 1, 2, 3, 1]
    assert worths.ranks(np.arange(4)).tolist() == [[3, 0], [1, 2], [0, 3], [2, 1]]
    # Of some numbers, whatever is asked for twice, or is not determined.
    some = worths.ranks(np.array([[3, OPEN], [1, 3]], dtype=np.int32))
    assert some.tolist() == [[-1, -1], [0, 1], [-1, -1], [1, 0]]
    assert Worths(2).ranks(np.array([OPEN])).tolist() == []


CHANCE = {"s": matrix([[["t", 0], 20], [30, "t"]]), "t": matrix([[[10, 20]]])}
STAYING = {
    "s": matrix([["s", "t"], ["t", 0]]),
    "t": matrix([[1, "u"], ["u", 2], [3, 4]]),
    "u": matrix([[5, 6], [7, 8], [6, 5]]),
}


@pytest.mark.parametrize(
    ("game", "shapes", "others"), [(CHANCE, [], 2), (STAYING, [(3, 2), (3, 2)], 1)]
)
@pytest.mark.parametrize("cells", [1, 6, 1 << 20])
def test_positions_by_their_moves(game, shapes, others, cells, monkeypatch) -> None:
    """Chance, and play that may stay, are for others; where a row and column lead is what the rules
    say."""
    monkeypatch.setattr(stages, "CELLS", cells)
    game = game_of(game)
    space = game.space()
    players = list(game.player_indices)
    parts = list(grids(space, np.flatnonzero(~space.terminal), players))
    rest = [places for places, targets in parts if targets is None]
    found = [(places, targets) for places, targets in parts if targets is not None]
    assert sorted(grid.shape for _, targets in found for grid in targets) == shapes
    assert [len(places) for places in rest] == [others]
    for places, targets in found:
        assert targets.size <= max(cells, targets[0].size)
        for place, grid in zip(places.tolist(), targets, strict=True):
            state = ggp.State(game, space.state(place))
            legal = [state.legal(game.roles[player]) for player in players]
            for joint in product(*(range(len(own)) for own in legal)):
                moves = {r: own[i] for r, own, i in zip("ab", legal, joint, strict=True)}
                assert space.position(state.play(moves).bits) == grid[joint]


def test_moves_that_are_not_all_combinations_are_for_others() -> None:
    joint = np.array([
        [[0, 5], [0, 6], [1, 5], [1, 6]], [[0, 5], [1, 5], [0, 6], [1, 6]],
        [[0, 6], [0, 5], [1, 6], [1, 5]], [[0, 5], [0, 6], [0, 5], [0, 6]],
        [[0, 5], [0, 6], [1, 5], [1, 7]], [[0, 5], [1, 6], [2, 5], [2, 6]],
    ])  # fmt: skip
    assert stages._in_order(joint, [2, 2]).tolist() == [True] + [False] * 5
    assert stages._in_order(joint[:1], [1, 4]).tolist() == [False]
    assert stages._in_order(np.arange(4).reshape(1, 4, 1), [4]).tolist() == [True]


def test_rounds_have_what_follows_before() -> None:
    game = game_of({**STAYING, "s": matrix([["s", "t"], ["u", 0]])})
    space = game.space()
    order = list(rounds(space))
    assert sorted(np.concatenate(order).tolist()) == list(range(len(space)))
    at = {place: i for i, own in enumerate(order) for place in own.tolist()}
    for source, target in zip(space.source.tolist(), space.target.tolist(), strict=True):
        assert source == target or at[target] < at[source]
    # As late as need be: each but the ends follows something of the round before.
    assert [len(own) for own in order] == [9, 1, 1, 1]


@pytest.mark.parametrize("cells", [1, 3, 1 << 20])
def test_where_play_grows_deeper_rounds_are_plies(cells, monkeypatch) -> None:
    """Each move leads further from the start, or stays: one ply after the other, from the last."""
    monkeypatch.setattr(stages, "CELLS", cells)
    tree = {"s": matrix([["t", "u"], ["s", 0]]), "t": matrix([["v", 1]]), "u": matrix([["v", "u"]])}
    space = game_of({**tree, "v": matrix([[2, 3], [5, 7]])}).space()
    plies = [np.flatnonzero(space.depth == ply).tolist() for ply in range(4)]
    assert [own.tolist() for own in rounds(space)] == plies[::-1]
    # A move to the same ply, and one back to the start.
    for more in ("u", "s"):
        game = game_of({**tree, "t": matrix([["v", more]]), "v": matrix([[2]])})
        order = [own.tolist() for own in rounds(game.space())]
        assert order[0] == np.flatnonzero(game.space().terminal).tolist()
        assert (sum(map(len, order)) == len(game.space())) == (more == "u")


def test_what_leads_to_a_circle_has_no_round() -> None:
    space = game_of({"s": matrix([["t", 0]]), "t": matrix([["s", 1]])}).space()
    assert [own.tolist() for own in rounds(space)] == [np.flatnonzero(space.terminal).tolist()]


def random_worths(rng: random.Random, players: int, size: int) -> Worths:
    worths = Worths(size)
    for place in range(size):
        worth = tuple(Fraction(rng.randrange(5), rng.randrange(1, 3)) for _ in range(players))
        worths.of[place] = worths.number(worth)
    return worths


@pytest.mark.parametrize("seed", range(12))
def test_matrices_have_their_values(seed) -> None:
    rng = random.Random(seed)
    shape = rng.randrange(1, 4), rng.randrange(1, 4)
    worths, count = random_worths(rng, 1, 40), 30
    worths.of = np.concatenate([worths.of, np.full(count, OPEN, dtype=np.int32)])
    targets = np.array([rng.randrange(40) for _ in range(count * shape[0] * shape[1])])
    targets = targets.reshape(count, *shape).astype(np.int32)
    # The last positions once more: equal matrices are solved once, and valued all.
    targets[20:] = targets[:10]
    places = np.arange(40, 40 + count)
    value_matrices(worths, places, targets, worths.ranks(worths.of[targets]))
    for place, grid in zip(places.tolist(), targets.tolist(), strict=True):
        payoffs = [[worths[t][0] for t in row] for row in grid]
        assert worths[place] == (solve_matrix(payoffs).value,)


def test_matrices_that_are_equal_up_to_order_are_solved_once(monkeypatch) -> None:
    """And between them one looks at the limits."""
    solved = []
    monkeypatch.setattr(
        stages, "matrix_value", lambda rows: solved.append(rows) or solve_matrix(rows).value
    )
    worths = Worths(16)
    for place in range(10):
        worths.of[place] = worths.number((Fraction(place),))
    matrices = [[[9, 0], [0, k]] for k in (3, 4, 5, 3)] + [[[0, 9], [4, 0]], [[5, 0], [0, 9]]]
    targets = np.array(matrices, dtype=np.int32)
    value_matrices(worths, np.arange(10, 16), targets, worths.ranks(worths.of[targets]))
    assert [worths[place] for place in range(10, 16)] == [
        (Fraction(9 * k, 9 + k),) for k in (3, 4, 5, 3, 4, 5)
    ]
    assert [sum(map(sum, rows)) - 9 for rows in solved] == [3, 4, 5]
    with Budget(Limits(seconds=-1.0)).in_force(), pytest.raises(LimitReached):
        value_matrices(worths, np.arange(10, 16), targets, worths.ranks(worths.of[targets]))
    with Budget(Limits(seconds=-1.0)).in_force(), pytest.raises(LimitReached):
        list(grids(game_of(STAYING).space(), np.array([0]), [0, 1]))


@pytest.mark.parametrize("seed", range(8))
def test_rows_and_columns_are_put_in_one_order(seed: int) -> None:
    """Each matrix stays what it was but for that; of those without equal entries all that are alike
    become one, and of others most."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 6, 2)
    given = rng.permuted(np.arange(rows * columns)).astype(np.int32).reshape(rows, columns)
    if seed % 2:
        given %= 3
    copies = np.array(
        [given[rng.permutation(rows)][:, rng.permutation(columns)] for _ in range(20)]
    )
    found = stages._in_one_order(copies)
    for own, copy in zip(found, copies, strict=True):
        # Rows by what is in them, in whatever order, and columns likewise.
        assert sorted(map(sorted, own.tolist())) == sorted(map(sorted, copy.tolist()))
        assert sorted(map(sorted, own.T.tolist())) == sorted(map(sorted, copy.T.tolist()))
        values = [
            matrix_value([[Fraction(int(x)) for x in row] for row in each.tolist()])
            for each in (own, copy)
        ]
        assert values[0] == values[1]
    if not seed % 2:
        assert len({own.tobytes() for own in found}) == 1


def test_a_limit_says_how_many_positions_are_valued(monkeypatch) -> None:
    game = game_of({"s": matrix([["t", 0], [0, "t"]]), "t": matrix([[100, 20], [20, 100]])})
    space, budget = game.space(), Budget(Limits(seconds=10_000))

    def spent(rows) -> Fraction:
        budget.started -= 20_000
        return solve_matrix(rows).value

    monkeypatch.setattr(stages, "matrix_value", spent)
    with pytest.raises(LimitReached, match=r"time = 10,?000 \(3 of 5 positions valued\)"):
        SimultaneousSolution(game, space, budget)


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_equilibria_give_what_the_definition_says(players, seed) -> None:
    rng = random.Random(100 * players + seed)
    sizes = [rng.randrange(1, 4) for _ in range(players)]
    worths, count = random_worths(rng, players, 12), 60
    worths.of = np.concatenate([worths.of, np.full(count, OPEN, dtype=np.int32)])
    worths.of[11] = OPEN
    cells = int(np.prod(sizes))
    targets = np.array([rng.randrange(12 - (rng.random() < 0.9)) for _ in range(count * cells)])
    targets = targets.reshape(count, *sizes).astype(np.int32)
    places = np.arange(12, 12 + count)
    value_equilibria(worths, places, targets, worths.ranks(worths.of[targets]))
    valued = 0
    for place, grid in zip(places.tolist(), targets.reshape(count, -1).tolist(), strict=True):
        payoffs = [worths[t] for t in grid]
        expected = None
        if None not in payoffs:
            worth = {payoffs[i] for i in pure_equilibria(payoffs, sizes)}
            expected = worth.pop() if len(worth) == 1 else None
        assert worths[place] == expected
        valued += expected is not None
    assert valued


def test_where_nothing_is_determined_nothing_follows() -> None:
    worths = Worths(3)
    worths.of[0] = worths.number((Fraction(1), Fraction(1)))
    value_equilibria(worths, np.array([2]), np.array([[[0, 1]]]), worths.ranks(worths.of))
    assert worths[2] is None


@pytest.mark.parametrize("seed", [*range(430, 442), *nightly(range(442, 520))])
def test_many_at_once_are_worth_what_each_alone_is(seed, monkeypatch) -> None:
    """All positions of random games, opposed or not."""
    game = ggp.parse(random_game(seed, "at once"), f"random-{seed}")
    try:
        space = game.space(Budget(Limits(positions=1_000)))
    except LimitReached:
        pytest.skip("too large")
    try:
        many = SimultaneousSolution(game, space, Budget(game.limits))
    except NotSolvable as why:
        pytest.skip(str(why)[:60])
    monkeypatch.setattr(valuation, "grids", lambda space, places, players: [(places, None)])
    alone = SimultaneousSolution(game, space, Budget(game.limits))
    for place in range(len(space)):
        assert many.worth_at(place) == alone.worth_at(place)
