"""The thinking process: what it tells of orders that come to no good end."""

from __future__ import annotations

import pytest

from ggp.errors import LimitReached
from ggp.match import worker
from ggp.match.course import Turn
from ggp.match.worker import Begin, Think

OVER = LimitReached(worker.NEXT, 0, "the next message is here")
TURN = Think(Turn(3, (), ()), 1.0)
BEGIN = Begin("(role x)", "x", 1.0, strict_case=False)


class Orders:
    """Orders one after the other, and what was told."""

    def __init__(self, orders) -> None:
        self.orders, self.told = list(orders), []

    def recv(self):
        if not self.orders:
            raise EOFError
        return self.orders.pop(0)

    def send(self, said) -> None:
        self.told.append(said)


@pytest.mark.parametrize(
    ("order", "error", "turns"),
    [
        (TURN, OVER, []),
        (TURN, LimitReached("memory", 1), [3]),
        (TURN, MemoryError(), [3]),
        (BEGIN, OVER, [0]),
    ],
    ids=["the next order is here", "a limit", "no memory", "the next order, in preparation"],
)
def test_of_a_turn_that_is_over_nothing_is_told(order, error, turns, monkeypatch) -> None:
    """It was answered by what had been thought; of all else that fails the turn is told, and the
    next order is heard."""

    class Failing:
        def __init__(self, pipe) -> None:
            pass

        def begin(self, order) -> None:
            raise error

        think = begin

    monkeypatch.setattr(worker, "_Mind", Failing)
    pipe = Orders([order, order])
    with pytest.raises(EOFError):
        worker.think(pipe)
    assert [said.turn for said in pipe.told] == 2 * turns
