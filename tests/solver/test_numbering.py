"""Positions by numbers: the bijection, and the same solutions as by keys."""

from __future__ import annotations

import itertools
import pickle
import random
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.analysis import Positions
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from ggp.machine import Coding, Field
from ggp.solver.layers import alone, kernels, number_kernels
from ggp.solver.layers import numbering as module
from ggp.solver.layers.induction import Induction
from ggp.solver.layers.kernels import MISSING
from ggp.solver.layers.keys import Layer, mixed, unmixed
from ggp.solver.layers.numbered import Numbered, NumberedLayer, listed
from ggp.solver.layers.numbering import Numbering
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.ranks import Ranks
from ggp.solver.layers.shelf import InMemory
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.layers.workers import Workers
from tests.conftest import GAMES
from tests.oracle.random_games import random_game
from tests.solver.plain import plain
from tests.solver.test_layer_part_table import ALONE
from tests.solver.test_layers import layered


def coding_of(sizes: list[tuple[int, bool]]) -> Coding:
    """Fields with so many fluents, of which one is always true where that is said (exact)."""
    fields, fluent, first = [], 0, 0
    for count, is_exact in sizes:
        codes = tuple((fluent + i, i + (not is_exact)) for i in range(count))
        field = Field(first, codes[-1][1].bit_length(), codes)
        fields.append(field)
        fluent += count
        first += field.width
    return Coding.of_fields(fields, fluent)


def settings_of(coding: Coding) -> np.ndarray:
    """All settings of the fields, as rows, made one by one from which fluents hold."""
    ways = []
    for field in coding.fields:
        without = [] if field.codes[0][1] == 0 else [None]
        ways.append([*without, *(fluent for fluent, _ in field.codes)])
    held = np.zeros((prod(map(len, ways)), coding.size), dtype=np.bool_)
    for row, setting in zip(held, itertools.product(*ways), strict=True):
        for fluent in setting:
            if fluent is not None:
                row[fluent] = True
    return coding.pack(held)


@given(
    st.lists(st.tuples(st.integers(1, 5), st.booleans()), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
)
def test_numbers_are_a_bijection_by_rank(sizes: list[tuple[int, bool]], chance) -> None:
    coding = coding_of(sizes)
    ranks = Ranks(coding, {n: chance.randrange(-3, 6) for n in range(coding.size)})
    rows = settings_of(coding)
    numbering = Numbering(coding, ranks)
    assert numbering.size == len(rows)
    numbers = numbering.numbers(rows)
    assert sorted(numbers.tolist()) == list(range(len(rows)))
    own = ranks(rows)
    # Lower ranks come first, and each has its bounds.
    assert (np.diff(own[np.argsort(numbers)]) >= 0).all()
    assert {int(own.min()), int(own.max())} <= set(numbering.ranks)
    seen = 0
    for rank in numbering.ranks:
        first, stop = numbering.bounds(rank)
        assert first == seen
        seen = stop
        assert stop - first == (own == rank).sum()
        again = numbering.rows(np.arange(first, stop), rank)
        assert (numbering.numbers(again) == np.arange(first, stop)).all()
        assert set(map(tuple, again.tolist())) == set(map(tuple, rows[own == rank].tolist()))
    assert seen == numbering.size


def test_fields_of_many_bits_and_words() -> None:
    """70 bits: windows that reach from one word into the next, and one wider than others."""
    coding = coding_of([(600, True), *[(3, True)] * 30])
    ranks = Ranks(coding, {600 + 3 * i: 1 for i in range(30)})
    numbering = Numbering(coding, ranks)
    assert (coding.words, numbering.size) == (2, 600 * 3**30)
    chance = random.Random(5)
    for rank in (0, 7, 30):
        first, stop = numbering.bounds(rank)
        numbers = np.array(sorted(chance.randrange(first, stop) for _ in range(200)))
        rows = numbering.rows(numbers, rank)
        assert (ranks(rows) == rank).all()
        assert (numbering.numbers(rows) == numbers).all()


def test_only_small_numberings_are_made() -> None:
    coding = coding_of([(4, True)] * 5)
    ranks = Ranks(coding, {4 * i + 3: 1 for i in range(5)})
    assert Numbering.of(coding, ranks, 4**5 - 1) is None
    found = Numbering.of(coding, ranks, 4**5)
    assert found is not None
    assert (found.size, found.spread, found.ranks) == (1024, 6, range(6))
    far = Ranks(coding, {0: 1 << 23})
    assert Numbering.of(coding, far, 4**5) is None


def test_what_is_entered_is_found_again() -> None:
    coding = coding_of([(3, True), (2, False)])
    ranks = Ranks(coding, {0: 5, 1: 7, 2: 6})
    numbering = Numbering(coding, ranks)
    rows = settings_of(coding)
    kept = np.zeros(numbering.size, dtype=np.uint8)
    is_reached = np.zeros(numbering.spread, dtype=np.uint8)
    few = rows[ranks(rows) < 7][[0, 2, 3]]
    assert numbering.enter(few, 7, kept, is_reached)
    assert not numbering.enter(rows[ranks(rows) == 7], 7, kept, is_reached)
    assert (np.flatnonzero(is_reached) + 5).tolist() == sorted(set(ranks(few).tolist()))
    found = [
        (rank, numbers.tolist())
        for rank in numbering.ranks
        for numbers in listed(numbering, kept, rank, 2)
    ]
    wanted = sorted(zip(ranks(few).tolist(), numbering.numbers(few).tolist(), strict=True))
    assert [(rank, n) for rank, numbers in found for n in numbers] == wanted
    assert max(len(numbers) for _, numbers in found) <= 2
    # Without a value they are as if they were not there.
    assert numbering.ask(few, kept)[1] == 3
    kept[numbering.numbers(few)] = [2, 9, 251]
    codes, missing = numbering.ask(rows, kept)
    assert missing == len(rows) - 3
    assert sorted(codes[codes != MISSING].tolist()) == [0, 7, 249]


def by_numbers(game: ggp.Game, threads: int = 1, **options):
    """The game solved in layers by keys, in files, and its layers by numbers."""
    solution = layered(game, **options)
    moving = solution._moving
    numbering = Numbering.of(moving.machine.coding, moving.ranks, 1 << 24)
    assert numbering is not None
    rows = moving.standing(moving.machine.rows([game.initial.bits]))
    with Workers(threads) as workers:
        numbered = Numbered(moving, numbering, Budget(game.limits), workers)
        return solution, Induction(numbered, len(game.players), Budget(game.limits)).run(rows)


def require_same(game: ggp.Game, tmp_path, threads: int = 1) -> None:
    """The same positions and values as by keys, which files are always written by."""
    solution, found = by_numbers(game, threads, keeping=Keeping(threads=1, spill=tmp_path))
    wanted = solution.layers
    assert (found.ranks, found.scores, found.total) == (wanted.ranks, wanted.scores, wanted.total)
    assert (found.moves, len(found)) == (wanted.moves, len(wanted))
    for rank in wanted.ranks:
        own, other = found.layers[rank], wanted.layers[rank]
        assert isinstance(own, NumberedLayer)
        assert isinstance(other, Layer)
        assert len(own) == len(other)
        made = own.sorted()
        assert made.keys.tobytes() == other.keys.tobytes()
        assert made.values.tobytes() == other.values.tobytes()
        places, missing = own.find(other.keys.copy())
        assert not missing
        assert own.codes(places).tolist() == other.values.tolist()
        assert len(set(places.tolist())) == len(own)
        assert all(0 <= place < own.places for place in places.tolist())


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("connect-four/connect-four.kif.jinja", {"columns": 3, "rows": 3, "line": 3}),
        ("nim/rows.kif.jinja", {"rows": 4}),
        ("clobber/clobber.kif.jinja", {"rows": 3, "columns": 3}),
        ("colouring/colouring.kif.jinja", {"n": 3}),
    ],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_games_of_the_library(sheet, settings, threads, tmp_path) -> None:
    require_same(ggp.load(GAMES / sheet, **settings), tmp_path, threads)


@pytest.mark.parametrize("seed", [0, 2, 4, 6, 7, 8, 11, 12])
def test_random_games(seed, tmp_path) -> None:
    """Those whose plays end by a sum that falls."""
    require_same(ggp.parse(random_game(seed)), tmp_path)


def test_one_role(tmp_path) -> None:
    require_same(ggp.parse(ALONE), tmp_path)


def test_a_crowd_is_kept_by_numbers() -> None:
    """Most settings of Nim's rows are positions; few of a board of connect-four are."""
    dense = layered(ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4))
    assert all(isinstance(layer, NumberedLayer) for layer in dense.layers.layers.values())
    settings = {"columns": 4, "rows": 4}
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", **settings)
    sparse = layered(game)
    assert all(isinstance(layer, Layer) for layer in sparse.layers.layers.values())


def test_files_are_of_keys(tmp_path) -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4)
    found = layered(game, keeping=Keeping(checkpoint=tmp_path / "kept"))
    assert all(isinstance(layer, Layer) for layer in found.layers.layers.values())


def test_bytes_that_do_not_fit_are_not_begun() -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4)
    moving = layered(game)._moving
    rows = moving.machine.rows([game.initial.bits])
    assert Numbering.of(moving.machine.coding, moving.ranks, 767) is None
    numbering = Numbering.of(moving.machine.coding, moving.ranks, 768)
    assert numbering is not None
    planned = []

    class Asked(Budget):
        def check(self, detail: str, planned_bytes: int = 0) -> None:
            planned.append(planned_bytes)
            raise LimitReached("memory", 1, detail)

    with pytest.raises(LimitReached, match="one byte for each of 768"), Workers(1) as workers:
        Numbered(moving, numbering, Asked(), workers)
    assert planned == [768]
    with pytest.raises(LimitReached, match="positions = 300"):
        alone.solve(moving, InMemory(), Budget(Limits(positions=300)), rows)


def test_all_of_a_table_is_of_numbers_too(tmp_path) -> None:
    """A table and a census of a solution by numbers are those of one by keys."""
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4)
    found = {}
    for name, keeping in (("numbers", Keeping()), ("keys", Keeping(spill=tmp_path))):
        solution = LayerSolution(Positions(game, Budget(game.limits)), keeping=keeping)
        counted = solution.census([game.initial.bits], Budget(game.limits))
        solution.write_table(tmp_path / name, Budget(game.limits))
        [path] = (tmp_path / name).iterdir()
        found[name] = (path.read_bytes(), *(
            np.asarray(x).tolist() if isinstance(x, np.ndarray) else x
            for x in vars(counted).values()
        ))  # fmt: skip
    assert found["numbers"] == found["keys"]


def test_a_solution_by_numbers_comes_back_from_a_pickle() -> None:
    found = layered(ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4))
    again = pickle.loads(pickle.dumps(found))
    kept = {id(layer.kept) for layer in again.layers.layers.values()}
    assert len(kept) == 1
    for state in (found.initial, found.initial.play(found.best(found.initial)[0])):
        assert again.value(state) == found.value(state)
        assert again.best(state) == found.best(state)


def test_a_window_of_no_bits_has_one_value() -> None:
    """A fluent that always holds, between fields that are wider than a window."""
    coding = coding_of([(600, True), (1, True), (600, True)])
    numbering = Numbering(coding, Ranks(coding, {0: 3, 600: 2, 601: 1}))
    assert numbering.size == 600 * 600
    for rank in numbering.ranks:
        first, stop = numbering.bounds(rank)
        numbers = np.arange(first, min(stop, first + 50))
        assert (numbering.numbers(numbering.rows(numbers, rank)) == numbers).all()


def test_the_loops_as_they_are_written_tell_rows_and_their_numbers(monkeypatch) -> None:
    """Of 11 bits and of 68: rows of a rank are those whose fluents weigh so much."""
    few = coding_of([(5, True), (2, False), (60, True)])
    many = coding_of([(60, True), *[(3, True)] * 31])
    for coding, weights in ((few, {1: 1, 6: 2, 9: 3}), (many, {60: 1, 90: 2, 149: 1})):
        made = Numbering(coding, Ranks(coding, weights))
        loops = plain(kernels, number_kernels)
        for rank in made.ranks:
            first, stop = made.bounds(rank)
            numbers = np.array(sorted({first, (first + stop) // 2, stop - 1}))
            with monkeypatch.context() as patch:
                patch.setattr(module, "number_kernels", loops)
                rows = made.rows(numbers, rank)
                assert (made.numbers(rows) == numbers).all()
            held = coding.held(rows)
            assert {sum(w for n, w in weights.items() if own[n]) for own in held} == {rank}


@pytest.mark.parametrize("count", [0, 1, 2, 100])
def test_positions_of_a_rank_are_sorted_by_their_keys(count: int) -> None:
    """So many, each with a value of its own; there may be none."""
    coding = coding_of([(5, True), (2, False), (60, True)])
    made = Numbering(coding, Ranks(coding, {1: 1, 6: 2, 9: 3}))
    numbers = np.array(random.Random(1).sample(range(*made.bounds(2)), count), dtype=np.int64)
    kept = np.zeros(made.size, dtype=np.uint8)
    kept[numbers] = number_kernels.VALUED + np.arange(count)
    found = NumberedLayer(made, 2, kept, count).sorted()
    assert found.keys.shape == (count, 1)
    assert found.keys.tolist() == sorted(mixed(made.rows(numbers, 2)).tolist())
    codes = made.ask(unmixed(found.keys), kept)[0]
    assert found.values.tolist() == codes.tolist()
    assert sorted(found.values.tolist()) == list(range(count))
