"""Questions about states, answered by the functions that `compiler` writes.

Answers are remembered for the states that were asked about last; those that hang on nothing for
ever. Every question looks at the limits.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from math import inf
from typing import Any

from ggp.deduce.compiler import Compiler
from ggp.deduce.conditions import ColumnIndex, Procedure
from ggp.deduce.interning import Interner, Shape
from ggp.deduce.program import STATE, STATIC, RelationalProgram
from ggp.deduce.streams import AnswerStream, RandomOrder, StreamUse
from ggp.deduce.tabling import TabledCall, Tabling
from ggp.errors import LimitReached
from ggp.limits import Limits, look, memory_in_use
from ggp.rules import Signature

Position = frozenset[int]
"""The numbers of the fluents that hold."""

Context = list[Any]
"""A state, its fluents by functor, and what is known of it so far; of a joint move: the state's
context, the move of each role, and what is known of the move."""

_KEPT = 16
"""States whose answers are kept."""

_STEPS = 20_000
"""Steps of evaluation between two looks at the limits."""


class Evaluation:
    """Answers questions that `compiler` has functions for; `order` says in which order where not
    all answers are asked for."""

    def __init__(
        self, program: RelationalProgram, compiler: Compiler, terms: Interner, limits: Limits
    ) -> None:
        self._program, self._compiler, self._terms = program, compiler, terms
        self._limits = limits
        self.order = RandomOrder()
        self._budget = [_STEPS]
        self._counted = _STEPS
        self._until, self._most = 0.0, inf
        self._memos: dict[int, dict[Hashable, Any]] = {}
        self._names: dict[str, Any] = {
            "K": terms.ids.get,
            "make": terms.make,
            "T": terms.shapes,
            "n": self._budget,
            "once": (0,),
            "tick": self._look,
            "ask": self._ask,
            "mix": self.order.mixed,
            "each": self.order.each,
            "fill": self._fill,
        }
        self._procedures = 0
        self._indices = 0
        self._contexts: OrderedDict[Position, Context] = OrderedDict()
        self._uses: dict[int, StreamUse] = {}

    # -- contexts --------------------------------------------------------------------------------

    def context(self, position: Position) -> Context:
        """What is known of a state; that of the states asked about last is kept."""
        context = self._contexts.get(position)
        if context is None:
            context = [position, None] + [None] * (self._compiler.slots - 2)
            self._contexts[position] = context
            if len(self._contexts) > _KEPT:
                self._contexts.popitem(last=False)
        else:
            self._contexts.move_to_end(position)
        return context

    def known(self, position: Position) -> int:
        """How many answers are kept for a state, and questions that they answer."""
        memos = (memo for memo in self.context(position)[2:] if isinstance(memo, dict))
        answers = (rows for memo in memos for rows in memo.values())
        return sum(1 + (len(rows) if isinstance(rows, tuple) else 0) for rows in answers)

    def move_context(self, position: Position, chosen: dict[int, int]) -> Context:
        """What is known of a joint move: the number of each role, and of its move."""
        context: Context = [self.context(position), chosen, tuple(chosen.items())]
        return context + [None] * (self._compiler.move_slots - 3)

    def _fill(self, context: Context, number: int) -> dict[Hashable, Any]:
        """The index of a state's fluents that a function asks for."""
        if context[1] is None:
            by_functor: dict[int, list[Shape]] = {}
            shapes = self._terms.shapes
            for fluent in context[0]:
                shape = shapes[fluent]
                by_functor.setdefault(shape[0], []).append(shape[1:])
            context[1] = by_functor
        index = self._compiler.indices[number]
        rows = context[1].get(self._terms.functor(*index.relation), ())
        context[index.slot] = made = _indexed(index, rows)
        return made

    # -- functions -------------------------------------------------------------------------------

    def prepare(
        self, questions: Sequence[tuple[str, int, str]]
    ) -> list[Callable[..., Sequence[int]]]:
        """Functions that answer relations, compiled with all that they need."""
        asked = [self._compiler.procedure((name, arity), mask) for name, arity, mask in questions]
        self._compile()
        return [partial(self._answer, procedure) for procedure in asked]

    def lazy(self, relation: Signature, mask: str) -> Callable[..., Any]:
        """A function that answers a relation and finds out no more on the way than that takes."""
        asked = self._compiler.procedure(relation, mask, lazy=True)
        self._compile()
        return partial(self._answer, asked, lazy=asked.can_be_lazy)

    def _compile(self) -> None:
        """Make all functions that are asked for and not written yet."""
        try:
            text = self._compiler.compile()
        except RecursionError:
            depth = self._limits.depth
            raise LimitReached("depth", depth, "while compiling rules") from None
        for procedure in self._compiler.procedures[self._procedures :]:
            self._declare(procedure)
        self._procedures = len(self._compiler.procedures)
        for index in self._compiler.indices[self._indices :]:
            if not index.is_fluent:
                rows = self._program.facts.get(index.relation, ())
                self._names[f"i{index.number}"] = _indexed(index, rows)
        self._indices = len(self._compiler.indices)
        exec(compile(text, "<rules>", "exec"), self._names)  # holds numbers only, see `code`
        self._compiler.accepted()
        for context in self._contexts.values():  # they need room for what these note
            context += [None] * (self._compiler.slots - len(context))

    def _declare(self, procedure: Procedure) -> None:
        number = procedure.number
        if procedure.level == STATIC:
            self._names[f"m{number}"] = self._memos[number] = {}
        if procedure.recursive:
            question = TabledCall(
                number,
                lambda *given: self._names[f"q{number}"](*given),
                partial(self._memo, procedure),
                not procedure.wanted,
                len(procedure.bound),
            )
            self._names[f"Q{number}"] = question
            self._names[f"p{number}"] = partial(self._solve, question)

    def _memo(self, procedure: Procedure, context: Context) -> dict[Hashable, Any]:
        """The answers of a procedure that are known in a context."""
        if procedure.level == STATIC:
            return self._memos[procedure.number]
        if context[procedure.slot] is None:
            context[procedure.slot] = {}
        found: dict[Hashable, Any] = context[procedure.slot]
        return found

    def _solve(self, question: TabledCall, context: Context, *known: int) -> Any:  # noqa: ANN401
        key = known[0] if len(known) == 1 else known
        return Tabling(context, self._step).solve(question, key)

    def _answer(
        self, procedure: Procedure, context: Context, *known: int, lazy: bool = False
    ) -> Any:  # noqa: ANN401
        """The answer to a question about a context of any level; `lazy`: no more of it than is
        asked for."""
        if procedure.level == STATE and isinstance(context[0], list):
            context = context[0]
        key = known[0] if len(known) == 1 else known
        done = self._memo(procedure, context).get(key)
        if done is not None:
            return done
        if lazy and procedure.wanted:
            return self._ask(procedure.number, context, *known)
        letter = "t" if lazy else "p"
        return self._names[f"{letter}{procedure.number}"](context, *known)

    def _ask(self, number: int, context: Context, *known: int) -> Iterable[Any]:
        """The answers to a question that is new in a context, one by one, or at once where they are
        nearly always all asked for."""
        use = self._uses.setdefault(number, StreamUse())
        procedure = self._compiler.procedures[number]
        if not use.is_in_vain:
            key = known[0] if len(known) == 1 else known
            answers = self._names[f"g{number}"](context, *known)
            return AnswerStream(answers, self._memo(procedure, context), key, use)
        if f"p{number}" not in self._names:
            self._compiler.procedure(procedure.relation, procedure.mask)
            self._compile()
        found: Sequence[Any] = self._names[f"p{number}"](context, *known)
        return found

    # -- limits ----------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """Steps of evaluation so far, each of about the same work."""
        return self._counted - self._budget[0]

    def timed(self, work: Callable[[], Any], steps: float = inf) -> Any:  # noqa: ANN401
        """What some work gives, which looks at the limits, and ends after so many steps.

        Raises `LimitReached`.
        """
        self._until = time.monotonic() + self._limits.seconds
        self._most = self.steps + steps
        try:
            return work()
        except BaseException as error:
            self._contexts.clear()  # what was being found out there is left half done
            if isinstance(error, RecursionError):
                depth = self._limits.depth
                raise LimitReached("depth", depth, "while evaluating rules") from None
            raise

    def _step(self) -> None:
        self._budget[0] -= 1
        if self._budget[0] < 0:
            self._look()

    def _look(self) -> None:
        """Check the steps, the clock and the memory."""
        self._counted += _STEPS - self._budget[0]
        self._budget[0] = _STEPS
        if self.steps > self._most:
            raise LimitReached("steps", self._most, "for one table")
        if time.monotonic() > self._until:
            raise LimitReached("time", self._limits.seconds, "for one question about one state")
        if memory_in_use() > self._limits.memory:
            raise LimitReached("memory", self._limits.memory, "while evaluating rules")
        look("evaluating rules")


def _indexed(index: ColumnIndex, rows: Iterable[Shape]) -> dict[Hashable, Any]:
    """The wanted columns of rows by their known ones, single columns bare."""
    known, wanted = index.asked.bound, index.asked.wanted
    found: dict[Hashable, dict[Any, None]] = {}
    for row in rows:
        key = row[known[0]] if len(known) == 1 else tuple(row[i] for i in known)
        value = row[wanted[0]] if len(wanted) == 1 else tuple(row[i] for i in wanted)
        found.setdefault(key, {})[value] = None
    return {key: tuple(values) for key, values in found.items()}
