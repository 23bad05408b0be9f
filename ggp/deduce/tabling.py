"""Relations that depend on themselves: tables of answers, filled until nothing is new.

A question (a relation with the known columns) has one table. Whoever asks is a consumer: code that
runs once for each answer. Each pair of a consumer and an answer is processed exactly once, which is
semi-naive evaluation driven by questions (SLG resolution: Chen and Warren, "Tabled evaluation with
delaying for general logic programs", J. ACM 43, 1996; here without delaying, since the rules are
stratified).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

Row = Any
"""An answer: the wanted columns, bare if there is one, the empty tuple if there is none."""

Consumer = Callable[..., None]


@dataclass(frozen=True)
class TabledCall:
    """What the engine knows of one way to ask a recursive relation.

    `start(context, tabling, table, *known)` runs the rules; `memo(context)` holds the answers of
    finished questions; `is_test` tells that no column is wanted.
    """

    number: int
    start: Consumer
    memo: Callable[[Any], dict[Hashable, Any]]
    is_test: bool
    bound: int


@dataclass(slots=True)
class AnswerTable:
    """The answers to one question so far, and who waits for more."""

    question: TabledCall
    key: Hashable
    rows: dict[Row, None] = field(default_factory=dict)
    consumers: list[tuple[Consumer, tuple[Any, ...]]] = field(default_factory=list)

    def add(self, tabling: Tabling, row: Row) -> None:
        """Record an answer, and tell all consumers if it is new."""
        if row not in self.rows:
            self.rows[row] = None
            for consumer, env in self.consumers:
                tabling.agenda.append((consumer, (tabling.context, tabling, row, *env)))


class Tabling:
    """One evaluation from an outermost question."""

    def __init__(self, context: Any, tick: Callable[[], None]) -> None:  # noqa: ANN401
        self.context = context
        self.tick = tick
        self.tables: dict[tuple[int, Hashable], AnswerTable] = {}
        self.agenda: list[tuple[Consumer, tuple[Any, ...]]] = []

    def ask(self, question: TabledCall, key: Hashable, consumer: Consumer, *env: object) -> None:
        """Have `consumer(context, tabling, row, *env)` run for every answer, now or later."""
        table = self.tables.get((question.number, key))
        if table is None:
            done = question.memo(self.context).get(key)
            if done is not None:
                rows = ((),) if done is True else done or ()
                self.agenda.extend((consumer, (self.context, self, row, *env)) for row in rows)
                return
            table = self._open(question, key)
        table.consumers.append((consumer, env))
        self.agenda.extend((consumer, (self.context, self, row, *env)) for row in table.rows)

    def _open(self, question: TabledCall, key: Hashable) -> AnswerTable:
        table = self.tables[question.number, key] = AnswerTable(question, key)
        known = key if question.bound != 1 else (key,)
        assert isinstance(known, tuple)
        self.agenda.append((question.start, (self.context, self, table, *known)))
        return table

    def holds(self, question: TabledCall, key: Hashable) -> bool:
        """Whether a question of the same component has an answer, settled before going on.

        The checks of the rules see to it that no atom rests on its own negation, so that this one
        does not wait for what is asked already.
        """
        done = question.memo(self.context).get(key)
        if done is None:
            done = Tabling(self.context, self.tick).solve(question, key)
        return bool(done)

    def solve(self, question: TabledCall, key: Hashable) -> Any:  # noqa: ANN401
        """All answers to a question: a tuple of rows, or a truth value for a test."""
        self._open(question, key)
        while self.agenda:
            self.tick()
            step, arguments = self.agenda.pop()
            step(*arguments)
        for table in self.tables.values():
            rows = bool(table.rows) if table.question.is_test else tuple(table.rows)
            table.question.memo(self.context)[table.key] = rows
        return question.memo(self.context)[key]
