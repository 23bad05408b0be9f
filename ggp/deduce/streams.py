"""Answers that are found one by one, only as far as somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_TRIES, _MOSTLY = 16, 0.9
"""Streams after which it is looked how many were exhausted, and the part that is nearly always."""


@dataclass
class StreamUse:
    """How many streams of one procedure were begun, and of how many all answers were asked for."""

    begun: int = 0
    exhausted: int = 0

    @property
    def is_in_vain(self) -> bool:
        """Whether nearly always all answers are asked for, which are had sooner at once."""
        return self.begun >= _TRIES and self.exhausted >= _MOSTLY * self.begun


class AnswerStream:
    """The answers to one question about a state, in the order in which they are found.

    It stands in the memo of a procedure, so that what was found for one asker serves the next, and
    gives way to the tuple of all answers once there are no more. Whatever else ends the search (a
    limit) is raised for all who go on asking: the whole memo is to be given up then.
    """

    __slots__ = ("_error", "_key", "_memo", "_rows", "_seen", "_source", "_use")

    def __init__(
        self, source: Iterator[Any], memo: dict[Hashable, Any], key: Hashable, use: StreamUse
    ) -> None:
        use.begun += 1
        self._rows: list[Any] = []
        self._seen: set[Any] = set()
        self._source: Iterator[Any] | None = source
        self._memo, self._key, self._use = memo, key, use
        self._error: BaseException | None = None
        memo[key] = self

    def __iter__(self) -> Iterator[Any]:
        rows, place = self._rows, 0
        while place < len(rows) or self._has_more():
            yield rows[place]
            place += 1

    def picked(self, random: Callable[[], float]) -> Any:  # noqa: ANN401
        """One of those found so far or, as likely as each of them, one more; None if there is
        none. Who comes again and again is given all of them at times."""
        place = int(random() * (len(self._rows) + 1))
        if place == len(self._rows) and not self._has_more():
            place = int(random() * len(self._rows))
        return self._rows[place] if self._rows else None

    def _has_more(self) -> bool:
        """Look for one more answer."""
        if self._error is not None:
            raise self._error
        if self._source is None:
            return False
        try:
            for row in self._source:
                if row not in self._seen:
                    self._seen.add(row)
                    self._rows.append(row)
                    return True
        except BaseException as error:
            self._error = error
            raise
        self._source = None
        self._use.exhausted += 1
        self._memo[self._key] = tuple(self._rows)
        return False


class RandomOrder:
    """The order in which answers are looked for: as they stand, or, with `random` (numbers from 0
    to less than 1), by chance."""

    def __init__(self) -> None:
        self.random: Callable[[], float] | None = None
        self._tried: dict[int, list[list[int]]] = {}
        self._orders: dict[int, tuple[object, list[int]]] = {}

    def one(self, rows: Iterable[Any]) -> Any:  # noqa: ANN401
        """One of some rows, the first or one by chance; None if there is none."""
        if self.random is not None and isinstance(rows, AnswerStream):
            return rows.picked(self.random)
        return next(iter(self.mixed(rows)), None)

    def mixed(self, rows: Iterable[Any]) -> Iterable[Any]:
        """Rows of a table in any order, where that is wished; those of streams are mixed there."""
        if self.random is None or isinstance(rows, AnswerStream):
            return rows
        return shuffled(list(rows), self.random)

    def each(
        self,
        number: int,
        rules: Sequence[Callable[..., Iterator[Any]]],
        *given: Any,  # noqa: ANN401
    ) -> Iterator[Any]:
        """The answers of one rule after the other. By chance those first that mostly have some:
        where they have none, all that others look for may have been gone through."""
        if self.random is None or len(rules) == 1:
            for rule in rules:
                yield from rule(*given)
            return
        tried = self._tried.setdefault(number, [[1, 1] for _ in rules])
        context = given[0]
        order = self._orders.get(number)
        if order is None or order[0] is not context:
            keys = [self.random() ** (tries / gave) for tries, gave in tried]
            listed = sorted(range(len(rules)), key=keys.__getitem__, reverse=True)
            order = self._orders[number] = context, listed
        for i in order[1]:
            tried[i][0] += 1
            none = True
            for row in rules[i](*given):
                tried[i][1] += none
                none = False
                yield row


def one_of(rows: Sequence[int], random: Callable[[], float] | None) -> int | None:
    """The first of some rows, or one by chance; None if there is none."""
    if not rows:
        return None
    return rows[0] if random is None else rows[int(random() * len(rows))]


def shuffled(rows: list[Any], random: Callable[[], float]) -> Iterator[Any]:
    """Rows in an order by chance, made as far as it is gone through (Fisher and Yates)."""
    left = len(rows)
    while left:
        place = int(random() * left)
        left -= 1
        rows[place], rows[left] = rows[left], rows[place]
        yield rows[left]
