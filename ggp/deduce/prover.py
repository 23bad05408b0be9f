"""A game played straight from its rules, without grounding them.

States are sets of numbered fluents. Every question (what is legal, what comes next) is answered by
functions that `compiler` writes; answers are remembered for each state, those that hang on nothing
for ever. This is the path for sheets whose ground form passes the limits.
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
from ggp.deduce.plan import BodyPlanner
from ggp.deduce.program import STATE, STATIC, RelationalProgram
from ggp.deduce.tabling import TabledCall, Tabling
from ggp.errors import BudgetSpent, LimitReached, UnknownName
from ggp.kif import Term
from ggp.limits import DEFAULT, Limits, look, memory_in_use
from ggp.rules import RuleSet, Signature, goal_value

Position = frozenset[int]
"""The numbers of the fluents that hold."""

Context = list[Any]
"""A state, its fluents by functor, and what is known of it so far; of a joint move: the state's
context, the move of each role, and what is known of the move."""

_KEPT = 16
"""States whose answers are kept."""

_INIT, _LEGAL, _GOAL = ("init", 1), ("legal", 2), ("goal", 2)
_TERMINAL, _NEXT, _SEES = ("terminal", 0), ("next", 1), ("sees", 2)

_STAGES = ((_INIT, _LEGAL), (_TERMINAL, _NEXT, _SEES), (_GOAL,))
"""The relations that are asked about, with those that are made ready at the same time: who asks for
one legal move need not wait for tables that nothing but the ends of games need."""

_ASKED = frozenset(relation for stage in _STAGES for relation in stage)

_TABLE_STEPS, _TABLES_STEPS = 600_000, 3_000_000
"""Steps of evaluation for the table of one static relation, and for all of them."""

_STEPS = 20_000
"""Steps of evaluation between two looks at the limits."""


class Prover:
    """Evaluates one rule set; its answers are those of the ground net, fluent by fluent.

    Any question raises `LimitReached` where it takes more than `limits.seconds`, or the process
    more than `limits.memory`.
    """

    engine = "unground"

    def __init__(self, rules: RuleSet, limits: Limits = DEFAULT) -> None:
        rules.require_valid()
        self.roles = rules.roles
        self._rules = rules
        self._limits = limits
        self._terms = Interner()
        self._program = RelationalProgram(rules.rules, self._terms)
        self._planner = BodyPlanner(self._program)
        self._compiler = Compiler(self._program, self._planner)
        self._budget = [_STEPS]
        self._counted = _STEPS
        self._until, self._most = 0.0, inf
        self._memos: dict[int, dict[Hashable, Any]] = {}
        self._names: dict[str, Any] = {
            "K": self._terms.ids.get,
            "make": self._terms.make,
            "T": self._terms.shapes,
            "n": self._budget,
            "once": (0,),
            "tick": self._look,
            "fill": self._fill,
        }
        self._procedures = 0
        self._indices = 0
        self._contexts: OrderedDict[Position, Context] = OrderedDict()
        self._role_ids = [self._terms.id(role) for role in self.roles]
        self._asks: dict[Signature, Callable[..., Sequence[int]]] = {}
        self._precompute(_STAGES[0])
        (init,) = self._prepare([(*_INIT, "f")])
        self.initial: Position = self._timed(lambda: frozenset(init(None)))
        for number in self.initial:
            fluent = self._terms.term(number)
            rows = self._planner.start.setdefault((fluent.name, len(fluent.args)), [])
            rows.append(self._terms.shapes[number][1:])
        self._first_move: Callable[..., int | None] | None = None
        self._is_legal: Callable[..., Any] | None = None

    # -- the questions of a game -----------------------------------------------------------------

    def position(self, facts: Iterable[Term]) -> Position:
        """The state in which exactly `facts` hold.

        Raises `UnknownName` for a fact that no `init` or `next` of the rules could give.
        """
        numbers = []
        for fact in facts:
            if not self._rules.has_fluent(fact):
                raise UnknownName(f"{fact} is no fluent")
            numbers.append(self._terms.id(fact))
        return frozenset(numbers)

    def facts(self, position: Position) -> tuple[Term, ...]:
        """The fluents that hold, sorted by their text."""
        return tuple(sorted(map(self._terms.term, position)))

    def legal(self, position: Position) -> list[list[int]]:
        """For each role the numbers of its legal moves, sorted by their text."""
        ask, context = self._asking(_LEGAL), self._context(position)
        found = self._timed(lambda: [ask(context, role) for role in self._role_ids])
        return [sorted(own, key=self._terms.term) for own in found]

    def some_move(self, position: Position, role: int) -> int | None:
        """The number of a legal move of a role; None if there is none.

        No other move is looked for: where there are thousands this is had at once.
        """
        if self._first_move is None:
            self._first_move = self._first_answer(_LEGAL, "bf")
        ask, context = self._first_move, self._context(position)
        found: int | None = self._timed(lambda: ask(context, self._role_ids[role]))
        return found

    def legal_number(self, position: Position, role: int, move: Term) -> int | None:
        """The number of a move of a role if it is legal, else None; no others are looked for."""
        if not move.is_ground:
            return None
        if self._is_legal is None:
            (self._is_legal,) = self._prepare([(*_LEGAL, "bb")])
        ask, context, number = self._is_legal, self._context(position), self._terms.id(move)
        return number if self._timed(lambda: ask(context, self._role_ids[role], number)) else None

    def move(self, role: int, number: int) -> Term:
        """The move with this number."""
        return self._terms.term(number)

    def number(self, role: int, move: Term) -> int | None:
        """The number of a move; None if it has not been met, so that it is legal in no state
        whose legal moves are known."""
        return self._terms.find(move)

    def terminal(self, position: Position) -> bool:
        """Whether play ends in this state."""
        ask, context = self._asking(_TERMINAL), self._context(position)
        return bool(self._timed(lambda: ask(context)))

    def goals(self, position: Position) -> list[list[int]]:
        """For each role the goal values that hold, ascending."""
        ask, context = self._asking(_GOAL), self._context(position)
        found = self._timed(lambda: [ask(context, role) for role in self._role_ids])
        values = [map(self._terms.term, own) for own in found]
        return [
            sorted(goal_value(role, value) for value in own)
            for role, own in zip(self.roles, values, strict=True)
        ]

    def next(self, position: Position, joint: Sequence[int]) -> Position:
        """The state after one move of each role, by their numbers."""
        ask = self._asking(_NEXT)
        context = self._move_context(position, joint)
        found: Position = self._timed(lambda: frozenset(ask(context)))
        return found

    def next_each(self, position: Position, joints: Sequence[Sequence[int]]) -> list[Position]:
        """The states after each of some joint moves, in their order."""
        return [self.next(position, joint) for joint in joints]

    def percepts(self, position: Position, joint: Sequence[int]) -> list[tuple[Term, ...]]:
        """For each role what it sees of a joint move, sorted by text."""
        ask = self._asking(_SEES)
        context = self._move_context(position, joint)
        found = self._timed(lambda: [ask(context, role) for role in self._role_ids])
        return [tuple(sorted(map(self._terms.term, own))) for own in found]

    def domain(self, name: str, arity: int) -> list[tuple[Term, ...]]:
        """The rows of a relation that depends on nothing, such as `base` or `input`."""
        known = self._program.rules.keys() | self._program.facts.keys()
        if (name, arity) not in known:
            return []
        return [tuple(map(self._terms.term, row)) for row in self._extent((name, arity)) or ()]

    def _asking(self, relation: Signature) -> Callable[..., Sequence[int]]:
        """What answers a relation; made ready with its stage when that is first asked for."""
        ask = self._asks.get(relation)
        if ask is None and relation == _LEGAL:
            (self._asks[_LEGAL],) = self._prepare([(*_LEGAL, "bf")])
        elif ask is None:
            (stage,) = (stage for stage in _STAGES if relation in stage)
            self._precompute(stage)
            asked = [(name, arity, "bf" if arity == 2 else "f" * arity) for name, arity in stage]
            self._asks.update(zip(stage, self._prepare(asked), strict=True))
        return self._asks[relation]

    # -- contexts --------------------------------------------------------------------------------

    def _context(self, position: Position) -> Context:
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

    def _move_context(self, position: Position, joint: Sequence[int]) -> Context:
        chosen = dict(zip(self._role_ids, joint, strict=True))
        context: Context = [self._context(position), chosen, tuple(chosen.items())]
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

    # -- static relations ------------------------------------------------------------------------

    def _precompute(self, asked: Sequence[Signature]) -> None:
        """Make tables of the relations that depend on nothing and that some need, lowest first.

        Those that take long stay rules, and are asked for what is needed of them.
        """
        graph, begun = self._program.graph, self.steps
        needed = graph.needed_by(asked)
        for relation in (relation for part in graph.components for relation in part):
            is_static = self._program.level(relation) == STATIC and relation not in _ASKED
            if is_static and relation in needed and relation in self._program.rules:
                is_soon = self.steps - begun < _TABLES_STEPS
                rows = self._extent(relation) if is_soon else None
                if rows is not None:
                    self._program.facts[relation] = rows
                    del self._program.rules[relation]
                    self._compiler.forget(relation)
                    self._planner.forget(relation)

    def _extent(self, relation: Signature) -> list[Shape] | None:
        """All rows of a static relation; None where that takes too long."""
        name, arity = relation
        (ask,) = self._prepare([(name, arity, "f" * arity)])
        try:
            found = self._timed(lambda: ask(None), _TABLE_STEPS)
        except BudgetSpent:
            raise
        except LimitReached:
            return None
        if arity == 0:
            return [()] if found else []
        return [(row,) for row in found] if arity == 1 else list(found)

    # -- functions -------------------------------------------------------------------------------

    def _prepare(
        self, questions: Sequence[tuple[str, int, str]]
    ) -> list[Callable[..., Sequence[int]]]:
        """Functions that answer relations, compiled with all that they need."""
        asked = [self._compiler.procedure((name, arity), mask) for name, arity, mask in questions]
        self._compile()
        return [partial(self._answer, procedure) for procedure in asked]

    def _first_answer(self, relation: Signature, mask: str) -> Callable[..., Any]:
        """A function that gives one answer to a relation, or None."""
        asked = self._compiler.procedure(relation, mask, lazy=True)
        self._compile()

        def first(context: Context, *known: int) -> Any:  # noqa: ANN401
            rows = self._answer(asked, context, *known, lazy=asked.gives_singly)
            return next(iter(rows), None)

        return first

    def _compile(self) -> None:
        """Make all functions that are asked for and not written yet."""
        text = self._compiler.compile()
        for procedure in self._compiler.procedures[self._procedures :]:
            self._declare(procedure)
        self._procedures = len(self._compiler.procedures)
        for index in self._compiler.indices[self._indices :]:
            if not index.is_fluent:
                rows = self._program.facts.get(index.relation, ())
                self._names[f"i{index.number}"] = _indexed(index, rows)
        self._indices = len(self._compiler.indices)
        exec(compile(text, "<rules>", "exec"), self._names)  # holds numbers only, see `code`
        self._contexts.clear()  # those of before have no room for what these note

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
        """The answer to a question about a context of any level; `lazy`: its rows one by one."""
        if procedure.level == STATE and isinstance(context[0], list):
            context = context[0]
        key = known[0] if len(known) == 1 else known
        done = self._memo(procedure, context).get(key)
        if done is not None:
            return done
        letter = "g" if lazy else "p"
        return self._names[f"{letter}{procedure.number}"](context, *known)

    # -- limits ----------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """Steps of evaluation so far, each of about the same work."""
        return self._counted - self._budget[0]

    def _timed(self, work: Callable[[], Any], steps: float = inf) -> Any:  # noqa: ANN401
        self._until = time.monotonic() + self._limits.seconds
        self._most = self.steps + steps
        try:
            return work()
        except RecursionError:
            raise LimitReached("depth", self._limits.depth, "while evaluating rules") from None

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
