"""The edges of a graph by where they lead, with numpy and by the compiled sort."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.machine import by_target
from ggp.machine.space import incoming


@pytest.mark.parametrize("many", [0, 1 << 18])
@pytest.mark.parametrize(
    ("count", "edges"), [(1, 0), (1, 5), (7, 0), (7, 40), (50, 20), (300, 900)]
)
def test_edges_are_sorted_by_target_and_then_by_number(
    count: int, edges: int, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming, "MANY", many)
    target = np.random.default_rng(edges).integers(0, count, edges).astype(np.int32)
    first, order = by_target(target, count)
    assert (first.dtype, order.dtype, len(first)) == (np.int64, np.int32, count + 1)
    into = [order[first[place] : first[place + 1]].tolist() for place in range(count)]
    assert into == [np.flatnonzero(target == place).tolist() for place in range(count)]


def test_many_edges_are_sorted_by_the_compiled_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever part of a larger array the targets are."""
    called = []

    class Sorting:
        @staticmethod
        def sort(target, first, order) -> None:
            called.append(len(target))
            assert target.flags.c_contiguous
            first[:] = [0, 2, 4]
            order[:] = [0, 2, 1, 3]

    monkeypatch.setattr(incoming, "MANY", 4)
    monkeypatch.setattr(incoming, "sorting", Sorting)
    target = np.array([0, 1, 0, 1], dtype=np.int32)
    by_target(target[:3], 2)
    assert called == []
    first, order = by_target(np.repeat(target, 2)[::2], 2)
    assert called == [4]
    assert (first.tolist(), order.tolist()) == ([0, 2, 4], [0, 2, 1, 3])
