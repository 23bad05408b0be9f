"""Long work that pages ask for, by name: each imports what it needs in its process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ggp.studio.jobs import Heed, Say, Work
from ggp.studio.library import Sheet


@dataclass(frozen=True)
class Order:
    """A sheet, and what the page says about it: plain data that anybody may have written."""

    sheet: Sheet
    asked: Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """Work, and what it may take: seconds, and bytes on top of what is loaded."""

    work: Work
    seconds: float = 900.0
    memory: int = 3 << 30

    def order(self, sheet: Sheet, asked: Mapping[str, Any]) -> Order:
        """What the work is given."""
        return Order(sheet, asked)


def _analyse(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import analysing

    analysing.analyse(order, say, heed)


def _seats(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import matching

    matching.seats(order, say, heed)


def _watch(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import matching

    matching.watch(order, say, heed)


def _review(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import reviewing

    reviewing.review(order, say, heed)


def _solve(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import solving

    solving.solve_sheet(order, say, heed)


def _strategy(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import solving

    solving.strategy(order, say, heed)


def _heaps(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import solving

    solving.heaps(order, say, heed)


TASKS = {"analyse": Task(_analyse)}

TASKS |= {"seats": Task(_seats, 90.0), "watch": Task(_watch, 3_600.0)}
TASKS |= {"review": Task(_review, 3_600.0)}
TASKS |= {"solve": Task(_solve), "strategy": Task(_strategy), "heaps": Task(_heaps)}


def _axes(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import proposing

    proposing.propose(order, say, heed)


def _table(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import tabling

    tabling.table(order, say, heed)


TASKS |= {"axes": Task(_axes, 60.0), "table": Task(_table)}


def _value(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import valuing

    valuing.value(order, say, heed)


def _notation(order: Order, say: Say, heed: Heed) -> None:
    from ggp.studio.work import valuing

    valuing.notation(order, say, heed)


TASKS |= {"value": Task(_value), "notation": Task(_notation, 40.0, 1 << 30)}
