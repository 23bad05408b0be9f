"""Packed rows and their numbers, against plain Python."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp.ground import state_bits
from ggp.machine import Coding, RowIndex
from ggp.machine.engine import kernels
from tests.conftest import GAMES

NAMES = ["nim/rows.kif.jinja", "connect-four/connect-four.kif.jinja", "kayles/kayles-7.kif"]


@pytest.mark.parametrize("name", NAMES)
def test_packing_is_undone_by_unpacking(name) -> None:
    game = ggp.load(GAMES / name)
    coding = Coding(game.net, game.groups)
    assert coding.bits == state_bits(game.net, game.groups) < len(game.net.fluents)
    states = game.space().machine.states(game.space().rows[:3000])
    rows = coding.rows(states)
    assert rows.shape == (len(states), coding.words)
    assert coding.states(rows) == states
    assert len(set(map(bytes, rows))) == len(states)
    assert np.array_equal(coding.pack(coding.held(rows)), rows)


def test_states_beyond_the_groups_are_refused() -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja")
    coding = Coding(game.net, game.groups)
    with pytest.raises(ValueError, match="groups"):
        coding.rows([(1 << len(game.net.fluents)) - 1])
    assert any(group.exact for group in game.groups)
    with pytest.raises(ValueError, match="groups"):
        coding.rows([0])


@settings(max_examples=60, deadline=None)
@given(
    words=st.integers(1, 3),
    batches=st.lists(st.lists(st.integers(0, 40), max_size=60), max_size=6),
)
def test_an_index_numbers_rows_as_a_dict_does(words, batches) -> None:
    index, known = RowIndex(words), {}
    for batch in batches:
        rows = np.array([[x << 57 | x] * words for x in batch], dtype=np.uint64)
        rows = rows.reshape(len(batch), words)
        expected = [known.setdefault(x, len(known)) for x in batch]
        assert index.add(rows).tolist() == expected
    assert len(index) == len(known)
    for x, number in known.items():
        row = np.array([x << 57 | x] * words, dtype=np.uint64)
        assert index.find(row) == number
        assert index.rows[number].tolist() == row.tolist()
    assert index.find(np.full(words, 99, dtype=np.uint64)) is None


def test_an_index_grows() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 1 << 63, (200_000, 2), dtype=np.uint64)
    index = RowIndex(2)
    assert index.add(rows).tolist() == list(range(200_000))
    assert index.add(rows[::-1]).tolist() == list(range(199_999, -1, -1))


def test_squares_of_bits_are_turned_over() -> None:
    rng = np.random.default_rng(2)
    block = rng.integers(0, 1 << 63, 64, dtype=np.uint64)
    bits = np.unpackbits(block.view(np.uint8).reshape(64, 8), axis=1, bitorder="little")
    turned = block.copy()
    kernels.transpose(turned)
    found = np.unpackbits(turned.view(np.uint8).reshape(64, 8), axis=1, bitorder="little")
    assert np.array_equal(found, bits.T)


@settings(max_examples=50, deadline=None)
@given(
    rows=st.lists(st.integers(0, (1 << 130) - 1), min_size=1, max_size=8),
    bounds=st.lists(st.integers(0, 130), min_size=2, max_size=5).map(sorted),
)
def test_bits_are_counted_and_listed(rows, bounds) -> None:
    packed = np.array([[r >> 64 * k & (1 << 64) - 1 for k in range(3)] for r in rows], np.uint64)
    counts = np.zeros((len(rows), len(bounds) - 1), dtype=np.int32)
    kernels.count_bits(packed, np.array(bounds), counts)
    expected = [
        [(r >> a & (1 << b - a) - 1).bit_count() for a, b in pairwise(bounds)] for r in rows
    ]
    assert counts.tolist() == expected
    wanted = [i for r in rows for i in range(bounds[-1]) if r >> i & 1]
    found = np.zeros(len(wanted), dtype=np.int32)
    kernels.list_bits(packed, bounds[-1], found)
    assert found.tolist() == wanted
