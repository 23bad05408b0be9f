"""One position for all that are symmetric to it: lamps that can be put out in any order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

import ggp
from ggp.analysis.relations.symmetries import elements, symmetries
from ggp.solver import folding as module
from ggp.solver.folding import Folding
from ggp.solver.layers import images as images_module
from ggp.solver.layers import kernels
from tests.conftest import GAMES
from tests.solver.plain import plain

pytest.importorskip("igraph")


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images_module, "kernels", plain(kernels))


def lamps(*groups: int, more: str = "") -> ggp.Game:
    """Groups of so many lamps; play goes on while some of the first group are on."""
    lines = ["(role robot) (<= some (true (on 0 ?n))) (<= terminal (not some)) (goal robot 100)"]
    for group, count in enumerate(groups):
        lines += [f"(init (on {group} {n}))" for n in range(count)]
        lines += [f"(<= (legal robot (put{group} ?n)) (true (on {group} ?n)))"]
        lines += [f"(<= (next (on {group} ?n)) (true (on {group} ?n))"]
        lines += [f"(not (does robot (put{group} ?n))))"]
    return ggp.parse(" ".join([*lines, more]))


def folding_of(game: ggp.Game) -> Folding:
    found = Folding.of(game)
    assert found is not None
    return found


def states_of(game: ggp.Game) -> list[int]:
    """All subsets of the lamps."""
    return list(range(1 << len(game.net.fluents)))


def image(state: int, permutation: list[int]) -> int:
    return sum(1 << to for n, to in enumerate(permutation) if state >> n & 1)


def numbers(game: ggp.Game, states: list[int], folding: Folding) -> list[int]:
    """What stands for some states; a game of few fluents whose rows are their bits."""
    rows = folding(game.machine.rows(states))
    assert rows.shape == (len(states), 1)
    return [int(row) for row in rows[:, 0]]


@pytest.mark.parametrize("groups", [(2,), (3,), (4,), (1, 2), (1, 3)])
def test_the_least_of_all_images_stands_for_a_state(groups: tuple[int, ...]) -> None:
    game = lamps(*groups)
    folding = folding_of(game)
    order = 1
    for count in groups:
        order *= factorial(count)
    assert len(folding.permutations) == len(folding.group) == order
    size = len(game.net.fluents)
    assert sorted(folding.permutations[0]) == folding.permutations[0] == list(range(size))
    # All orders of each group of lamps, and no others.
    names = [str(fluent) for fluent in game.net.fluents]
    for own in folding.permutations:
        assert all(names[n][:6] == names[to][:6] for n, to in enumerate(own))
    assert len(set(map(tuple, folding.permutations))) == order
    states = states_of(game)
    wanted = [min(image(state, own) for own in folding.permutations) for state in states]
    assert numbers(game, states, folding) == wanted


def test_rows_that_are_given_stay_as_they_are() -> None:
    game = lamps(3)
    rows = game.machine.rows(states_of(game))
    before = rows.copy()
    found = folding_of(game)(rows)
    assert (rows == before).all()
    assert not (found == before).all()
    assert (folding_of(game)(found) == found).all()


def test_of_no_states_nothing_stands() -> None:
    game = lamps(3)
    rows = game.machine.rows([])
    assert folding_of(game)(rows).shape == rows.shape == (0, 1)


@pytest.mark.parametrize("groups", [(3,), (1, 3)])
def test_moves_are_mapped_back_by_the_symmetry_of_a_state(groups: tuple[int, ...]) -> None:
    """A move in the state that stands for another one leads to an image of what the mapped move
    leads to."""
    game = lamps(*groups)
    folding = folding_of(game)
    fluents = list(map(str, game.net.fluents))
    moves = [str(move) for move in game.net.moves[0]]
    turned = 0
    for state in states_of(game)[1:]:
        number = folding.element(state)
        permutation = folding.permutations[number]
        [standing] = numbers(game, [state], folding)
        assert image(state, permutation) == standing
        turned += number > 0
        for made, name in enumerate(moves):
            lamp = fluents.index(name.replace("put", "on "))
            if standing >> lamp & 1:
                [own] = folding.back(number, [made])
                other = fluents.index(moves[own].replace("put", "on "))
                assert state >> other & 1
                after = state ^ 1 << other
                assert image(after, permutation) == standing ^ 1 << lamp
        assert sorted(folding.back(number, range(len(moves)))) == list(range(len(moves)))
    assert turned
    assert folding.element(0) == 0
    assert folding.back(0, [1, 0, 1]) == [1, 0, 1]


def test_several_moves_are_mapped_back_each() -> None:
    game = lamps(3)
    folding = folding_of(game)
    for number, made in product(range(6), permutations(range(3), 2)):
        assert folding.back(number, made) == [folding.back(number, [one])[0] for one in made]
    assert folding.back(3, []) == []


@pytest.mark.parametrize(
    ("groups", "more", "order"),
    [
        ([1], "", None),
        ([1, 1], "", None),
        ([2, 1], "", 2),
        ([2, 2], "", 4),
        ([3], "", 6),
        ([3], "(sees robot nothing)", None),
    ],
)
def test_where_there_is_no_symmetry_or_something_hidden_nothing_is_folded(
    groups: list[int], more: str, order: int | None
) -> None:
    found = Folding.of(lamps(*groups, more=more))
    assert (found and len(found.group)) == order


@pytest.mark.parametrize("most", [2, 3, 5, 6, 64])
def test_of_large_groups_a_subgroup_is_used(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that of two images of a state it is the same that stands for them."""
    monkeypatch.setattr(module, "MAX_ELEMENTS", most)
    game = lamps(3)
    folding = folding_of(game)
    assert 1 < len(folding.group) <= most
    assert 6 % len(folding.group) == 0
    for own in folding.permutations:
        moved = [image(state, own) for state in states_of(game)]
        assert numbers(game, moved, folding) == numbers(game, states_of(game), folding)


@pytest.mark.parametrize(
    ("slice_", "looks"), [(1, 8), (18, 8), (35, 8), (36, 4), (54, 3), (71, 3), (144, 1), (999, 1)]
)
def test_the_account_is_looked_at_between_slices(
    slice_: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six images of three fluents are 18 for each of eight states."""
    game = lamps(3)
    folding = folding_of(game)
    wanted = numbers(game, states_of(game), folding)
    seen: list[str] = []
    monkeypatch.setattr(module, "look", seen.append)
    monkeypatch.setattr(module, "SLICE", slice_)
    assert numbers(game, states_of(game), folding) == wanted
    assert len(seen) == looks


def test_roles_keep_their_places() -> None:
    """Of tic-tac-toe eight symmetries of the board, and each keeps whose turn it is."""
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    group = symmetries(game.net)
    assert group is not None
    folding = Folding(game, elements(group.generators, 8))
    names = [str(fluent) for fluent in game.net.fluents]
    for own in folding.permutations:
        for n, to in enumerate(own):
            assert names[n].split()[-1] == names[to].split()[-1]
    assert np.array(folding.permutations).shape == (8, len(names))


def test_states_of_two_words_are_compared_by_both() -> None:
    """Two lamps that change places, both in the first word, both in the second, or one in each."""
    game = lamps(66)
    group = symmetries(game.net)
    assert group is not None
    first, places = game.net.first_fluent, range(66)
    met = set()
    for swap in group.generators:
        moved = [n for n in places if swap[first + n] != first + n]
        if len(moved) != 2:
            continue
        met.add(tuple(n // 64 for n in moved))
        folding = Folding(game, [tuple(range(len(swap))), swap])
        one, other = (1 << n for n in moved)
        rest = (1 << 66) - 1 - one - other
        for state in (one, other, one | other, 0, rest, rest | one, rest | other):
            standing = folding(game.machine.rows([state]))[0].tolist()
            number = folding.element(state)
            found = image(state, folding.permutations[number])
            assert game.machine.rows([found])[0].tolist() == standing
            assert found == min(state, image(state, folding.permutations[1]))
    assert {(0, 0), (1, 1)} <= met


def test_without_symmetries_nothing_is_folded(monkeypatch) -> None:
    """Where none are found, and where none are looked for."""
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    assert Folding.of(game) is not None
    for found in (None, replace(symmetries(game.net), generators=(), order=1)):
        monkeypatch.setattr(module, "symmetries", lambda net, found=found: found)
        assert Folding.of(game) is None
