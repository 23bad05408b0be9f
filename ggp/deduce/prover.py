"""A game played straight from its rules, without grounding them.

States are sets of numbered fluents. Every question (what is legal, what comes next) is answered by
functions that `compiler` writes and `evaluation` runs, for sheets too large to be ground.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from ggp.deduce.alone import alone
from ggp.deduce.compiler import Compiler
from ggp.deduce.evaluation import Context, Evaluation, Position
from ggp.deduce.interning import Interner, Shape
from ggp.deduce.lowered import NotLowered
from ggp.deduce.plan import BodyPlanner
from ggp.deduce.program import STATIC, RelationalProgram
from ggp.deduce.streams import one_of, shuffled
from ggp.errors import BudgetSpent, LimitReached, UnknownName
from ggp.kif import Term
from ggp.limits import DEFAULT, Limits, look
from ggp.rules import RuleSet, Signature, goal_value

if TYPE_CHECKING:
    from ggp.deduce.lowered.engine import LoweredRules

_Answer = TypeVar("_Answer")

_INIT, _LEGAL, _GOAL = ("init", 1), ("legal", 2), ("goal", 2)
_TERMINAL, _NEXT, _SEES = ("terminal", 0), ("next", 1), ("sees", 2)

_STAGES = ((_INIT, _LEGAL), (_TERMINAL, _NEXT, _SEES), (_GOAL,))
"""The relations that are asked about, with those that are made ready at the same time: who asks for
one legal move need not wait for tables that nothing but the ends of games need."""

_ASKED = frozenset(relation for stage in _STAGES for relation in stage)

_TABLE_STEPS, _REST_STEPS, _TABLES_STEPS = 600_000, 20_000, 3_000_000
"""Steps for the table of a static relation, for that of one that rests on a long one, for all."""


class Prover:
    """Evaluates one rule set; its answers are those of the ground net, fluent by fluent.

    Any question raises `LimitReached` where it takes more than `limits.seconds`, or the process
    more than `limits.memory`, and who asks for a term that is nested deeper than `limits.depth`.
    Threads may ask at the same time: one is answered after the other. A question that is broken off
    (Ctrl-C) leaves nothing half done.
    """

    engine = "unground"

    def __init__(self, rules: RuleSet, limits: Limits = DEFAULT) -> None:
        rules.require_valid()
        self.roles = rules.roles
        self._rules = rules
        self._lock = RLock()
        self._terms = Interner(limits.depth)
        self._program = RelationalProgram(rules.rules, self._terms)
        self._planner = BodyPlanner(self._program)
        self._compiler = Compiler(self._program, self._planner)
        self._limits = limits
        self._evaluation = Evaluation(self._program, self._compiler, self._terms, limits)
        self._role_ids = [self._terms.id(role) for role in self.roles]
        self._asks: dict[Signature, Callable[..., Sequence[int]]] = {}
        self._left: set[Signature] = set()  # static relations of which a table takes too long
        self._precompute(_STAGES[0])
        (init,) = self._evaluation.prepare([(*_INIT, "f")])
        self.initial: Position = self._evaluation.timed(lambda: frozenset(init(None)))
        for number in self.initial:
            fluent = self._terms.term(number)
            rows = self._planner.start.setdefault((fluent.name, len(fluent.args)), [])
            rows.append(self._terms.shapes[number][1:])
        self._is_legal: Callable[..., Any] | None = None
        self._lazy_legal: Callable[..., Iterable[int]] | None = None
        self._is_deep = False
        self._ends: Callable[..., Any] | None = None
        self._loops: LoweredRules | None = None
        self._is_lowered = False

    @alone
    def hasten(self) -> bool:
        """Answer by a machine of compiled loops from now on, where its instructions do for these
        rules, which takes about a second; says whether it does.

        The answers are the same, sooner: a step of random play takes a tenth of the time in chess.
        """
        if not self._is_lowered:
            # The loops, and numba with them, are for those who ask much.
            from ggp.deduce.lowered.engine import LoweredRules

            for stage in _STAGES[1:]:
                self._precompute(stage)
            with suppress(NotLowered):
                self._loops = LoweredRules(
                    self._program, self._planner, self._terms, self._role_ids, self._limits
                )
            self._is_lowered = True
        return self.is_hastened

    @property
    def is_hastened(self) -> bool:
        """Whether compiled loops answer."""
        return self._loops is not None

    @alone
    def played(
        self, position: Position, seed: int, plies: int, until: float, *, uniform: bool
    ) -> tuple[bool, Position, int] | None:
        """Whether random play comes to its end within so many moves, the state that it comes to
        and the moves made; `until` and `uniform` as for `LoweredRules.play`. None where no loops
        are there (`hasten`), or no more."""
        from ggp.deduce.lowered.running import ENDED, LONG

        if self._loops is None:
            return None

        def play(loops: LoweredRules) -> tuple[int, Position, int]:
            return loops.play(position, seed, plies, until, uniform=uniform) or (LONG, position, 0)

        found = self._by_loops(play)
        return None if found is None else (found[0] == ENDED, *found[1:])

    def _by_loops(self, ask: Callable[[LoweredRules], _Answer]) -> _Answer | None:
        """What the machine of compiled loops answers; None where there is none, or it is not up to
        that: from then on it is not asked again."""
        if self._loops is None:
            return None
        try:
            return ask(self._loops)
        except NotLowered:
            self._loops = None
            return None
        except KeyboardInterrupt:
            # They may have been left between any two steps: who wants them makes them anew.
            self._loops, self._is_lowered = None, False
            raise

    # -- the questions of a game -----------------------------------------------------------------

    @alone
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

    @alone
    def legal(self, position: Position) -> list[list[int]]:
        """For each role the numbers of its legal moves, sorted by their text."""
        found = self._by_loops(lambda loops: loops.legal(position))
        if found is None:
            found = self._legal(position)
        return [sorted(own, key=self._terms.term) for own in found]

    def _legal(self, position: Position) -> list[list[int]]:
        """The same in no order, by functions of Python."""
        ask, context = self._asking(_LEGAL), self._evaluation.context(position)
        found: list[list[int]] = self._evaluation.timed(
            lambda: [list(ask(context, role)) for role in self._role_ids]
        )
        return found

    @alone
    def some_move(
        self, position: Position, role: int, random: Callable[[], float] | None = None
    ) -> int | None:
        """The number of a legal move of a role; None if there is none.

        No other move is looked for: where there are thousands this is had at once. With `random`
        (numbers from 0 to less than 1) it is one by chance, though not each is equally likely:
        rules are tried by chance, and for each condition the rows that make it hold.
        """
        ask, one = self._asking_lazily(), self._evaluation.order.one
        known = self._role_ids[role]
        found: int | None = self._shallow(
            lambda: one(ask(self._evaluation.context(position), known)),
            lambda: one_of(self.legal(position)[role], random),
            random,
        )
        return found

    @alone
    def some_moves(
        self, position: Position, role: int, most: int, random: Callable[[], float]
    ) -> list[int]:
        """The numbers of so many legal moves of a role, or of all that there are, by chance."""
        ask, mixed = self._asking_lazily(), self._evaluation.order.mixed
        known = self._role_ids[role]
        found: list[int] = self._shallow(
            lambda: list(islice(mixed(ask(self._evaluation.context(position), known)), most)),
            lambda: list(islice(shuffled(self.legal(position)[role], random), most)),
            random,
        )
        return found

    @alone
    def effort(self, position: Position) -> int:
        """What has to be found out to know all legal moves of a state and whether play ends there:
        questions and answers, counted."""
        self._legal(position)
        self._terminal(position)
        return self._evaluation.known(position)

    @alone
    def ends(self, position: Position, random: Callable[[], float] | None = None) -> bool:
        """Whether play ends in this state; no more is found out on the way than that takes.

        It takes less than `terminal` where all legal moves would be looked for to see whether there
        is one; what is asked next may take more. `random` as for `some_move`.
        """
        if self._loops is not None:
            return self.terminal(position)
        if self._ends is None:
            self._asking(_TERMINAL)  # with the tables that it needs
            self._ends = self._evaluation.lazy(_TERMINAL, "")
        ask = self._ends
        found: bool = self._shallow(
            lambda: bool(ask(self._evaluation.context(position))),
            lambda: self.terminal(position),
            random,
        )
        return found

    def _asking_lazily(self) -> Callable[..., Iterable[int]]:
        """What gives the legal moves of a role one by one."""
        if self._lazy_legal is None:
            self._lazy_legal = self._evaluation.lazy(_LEGAL, "bf")
        return self._lazy_legal

    def _shallow(
        self,
        lazy: Callable[[], Any],
        whole: Callable[[], Any],
        random: Callable[[], float] | None,
    ) -> Any:  # noqa: ANN401
        """An answer that takes no more than is needed; by all that holds where the relations rest
        on each other so deeply that this passes the limit of depth, which it does four times as
        soon."""
        if not self._is_deep:
            self._evaluation.order.random = random
            try:
                return self._evaluation.timed(lazy)
            except LimitReached as error:
                if error.limit != "depth":
                    raise
                self._is_deep = True
            finally:
                self._evaluation.order.random = None
        return whole()

    @alone
    def legal_number(self, position: Position, role: int, move: Term) -> int | None:
        """The number of a move of a role if it is legal, else None; no others are looked for."""
        if not move.is_ground:
            return None
        if self._is_legal is None:
            (self._is_legal,) = self._evaluation.prepare([(*_LEGAL, "bb")])
        ask, context = self._is_legal, self._evaluation.context(position)
        known, number = self._role_ids[role], self._terms.id(move)
        return number if self._evaluation.timed(lambda: ask(context, known, number)) else None

    def move(self, role: int, number: int) -> Term:
        """The move with this number."""
        return self._terms.term(number)

    def number(self, role: int, move: Term) -> int | None:
        """The number of a move; None if it has not been met, so that it is legal in no state
        whose legal moves are known."""
        return self._terms.find(move)

    @alone
    def terminal(self, position: Position) -> bool:
        """Whether play ends in this state."""
        found = self._by_loops(lambda loops: loops.terminal(position))
        return self._terminal(position) if found is None else found

    def _terminal(self, position: Position) -> bool:
        ask, context = self._asking(_TERMINAL), self._evaluation.context(position)
        return bool(self._evaluation.timed(lambda: ask(context)))

    @alone
    def goals(self, position: Position) -> list[list[int]]:
        """For each role the goal values that hold, ascending."""
        found = self._by_loops(lambda loops: loops.goals(position))
        if found is None:
            ask, context = self._asking(_GOAL), self._evaluation.context(position)
            found = self._evaluation.timed(
                lambda: [list(ask(context, role)) for role in self._role_ids]
            )
        values = [map(self._terms.term, own) for own in found]
        return [
            sorted(goal_value(role, value) for value in own)
            for role, own in zip(self.roles, values, strict=True)
        ]

    @alone
    def next(self, position: Position, joint: Sequence[int]) -> Position:
        """The state after one move of each role, by their numbers."""
        look("evaluating rules")  # of thousands of moves in one state
        after = self._by_loops(lambda loops: loops.next(position, joint))
        if after is not None:
            return after
        ask = self._asking(_NEXT)
        context = self._move_context(position, joint)
        found: Position = self._evaluation.timed(lambda: frozenset(ask(context)))
        return found

    def next_each(self, position: Position, joints: Sequence[Sequence[int]]) -> list[Position]:
        """The states after each of some joint moves, in their order."""
        return [self.next(position, joint) for joint in joints]

    @alone
    def percepts(self, position: Position, joint: Sequence[int]) -> list[tuple[Term, ...]]:
        """For each role what it sees of a joint move, sorted by text."""
        ask = self._asking(_SEES)
        context = self._move_context(position, joint)
        found = self._evaluation.timed(
            lambda: [tuple(ask(context, role)) for role in self._role_ids]
        )
        return [tuple(sorted(map(self._terms.term, own))) for own in found]

    @alone
    def domain(self, name: str, arity: int) -> list[tuple[Term, ...]]:
        """The rows of a relation that depends on nothing, such as `base` or `input`."""
        if (name, arity) not in self._program.rules.keys() | self._program.facts.keys():
            return []
        return [tuple(map(self._terms.term, row)) for row in self._extent((name, arity)) or ()]

    def _asking(self, relation: Signature) -> Callable[..., Sequence[int]]:
        """What answers a relation; made ready with its stage when that is first asked for."""
        ask = self._asks.get(relation)
        if ask is None and relation == _LEGAL:
            (self._asks[_LEGAL],) = self._evaluation.prepare([(*_LEGAL, "bf")])
        elif ask is None:
            (stage,) = (stage for stage in _STAGES if relation in stage)
            self._precompute(stage)
            asked = [(name, arity, "bf" if arity == 2 else "f" * arity) for name, arity in stage]
            self._asks.update(zip(stage, self._evaluation.prepare(asked), strict=True))
        return self._asks[relation]

    def _move_context(self, position: Position, joint: Sequence[int]) -> Context:
        chosen = dict(zip(self._role_ids, joint, strict=True))
        return self._evaluation.move_context(position, chosen)

    @property
    def steps(self) -> int:
        """Steps of evaluation so far, each of about the same work."""
        return self._evaluation.steps

    def _precompute(self, asked: Sequence[Signature]) -> None:
        """Make tables of the relations that depend on nothing and that some need, lowest first.

        Those that take long stay rules, and are asked for what is needed of them.
        """
        graph, begun, left = self._program.graph, self.steps, self._left
        needed = graph.needed_by(asked) - left
        for relation in (relation for part in graph.components for relation in part):
            is_static = self._program.level(relation) == STATIC and relation not in _ASKED
            if is_static and relation in needed and relation in self._program.rules:
                if self.steps - begun >= _TABLES_STEPS:
                    return
                # What rests on a long one is likely to be long as well.
                is_far = not left.isdisjoint(graph.edges[relation])
                rows = self._extent(relation, _REST_STEPS if is_far else _TABLE_STEPS)
                if rows is None:
                    left.add(relation)
                    continue
                self._program.facts[relation] = rows
                del self._program.rules[relation]
                self._compiler.forget(relation)
                self._planner.forget(relation)

    def _extent(self, relation: Signature, most: int = _TABLE_STEPS) -> list[Shape] | None:
        """All rows of a static relation; None where that takes more than so many steps."""
        name, arity = relation
        (ask,) = self._evaluation.prepare([(name, arity, "f" * arity)])
        try:
            found = self._evaluation.timed(lambda: ask(None), most)
        except BudgetSpent:
            raise
        except LimitReached:
            return None
        if arity:
            return [(row,) for row in found] if arity == 1 else list(found)
        return [()] if found else []
