"""Rules to Python functions: one for each relation and way of asking it.

A function takes a context and the known columns and gives the rows of the wanted ones. Its body is
a nest of indexed joins in an order that `plan` chooses, its answers are remembered in the context
(one for each state, one for each joint move in it, one for ever). What is left of a body when the
answer is known already is asked as a mere test, in parts that share no variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ggp.deduce.code import CONTEXT, Function, row
from ggp.deduce.conditions import Conditions, Env, Procedure
from ggp.deduce.plan import BodyPlanner, columns, components, needed, variables
from ggp.deduce.program import STATIC, BodyLiteral, RelationalProgram
from ggp.errors import LimitReached
from ggp.kif import Term
from ggp.limits import look

MAX_TEXT = 16_000_000
"""Characters of code that are compiled at once; the largest public sheet has 0.7 million."""

MAX_LOOPS = 12
"""Python nests at most 20 loops."""


class Sink(Protocol):
    """What is done where a whole body holds."""

    variables: set[str]
    is_test: bool
    parameters: tuple[str, ...]

    def emit(self, compiler: Compiler, function: Function, env: Env) -> None:
        """Write it."""


@dataclass
class RowCollector:
    """Collect the wanted columns; in a recursive relation (`recursive`) as answers of a table."""

    terms: Sequence[Term]
    recursive: bool = False
    is_test: bool = False
    variables: set[str] = field(init=False)
    parameters: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.variables = variables(self.terms)
        self.parameters = ("w", "t") if self.recursive else ("add",)

    def emit(self, compiler: Compiler, function: Function, env: Env) -> None:
        """Write it."""
        value = row([compiler.build(function, term, env) for term in self.terms])
        function.line(f"t.add(w, {value})" if self.recursive else f"add({value})")


@dataclass
class RowGiver:
    """Give the wanted columns, each row as soon as it is found."""

    terms: Sequence[Term]
    is_test: bool = False
    variables: set[str] = field(init=False)
    parameters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.variables = variables(self.terms)

    def emit(self, compiler: Compiler, function: Function, env: Env) -> None:
        """Write it."""
        function.line(f"yield {row([compiler.build(function, term, env) for term in self.terms])}")


@dataclass
class Truth:
    """Say yes at once, after noting so in the memo of a procedure."""

    note: str = ""
    is_test: bool = True
    variables: set[str] = field(default_factory=set)
    parameters: tuple[str, ...] = ()

    def emit(self, compiler: Compiler, function: Function, env: Env) -> None:
        """Write it."""
        if self.note:
            function.line(self.note)
        function.line("return True")


class Compiler(Conditions):
    """Writes the functions that some questions need, and all that those need."""

    def __init__(self, program: RelationalProgram, planner: BodyPlanner) -> None:
        super().__init__(program)
        self.planner = planner
        self.functions: list[str] = []
        self._written: list[tuple[Procedure, bool]] = []
        self._made = 0

    def compile(self) -> str:
        """The text of all functions asked for since `accepted` was called.

        Raises `LimitReached` where that is more than `MAX_TEXT` characters.
        """
        self.functions = []
        self.todo += self._written
        self._written = []
        size = 0
        while self.todo:
            look("compiling rules")
            own, lazy = self.todo[-1]
            self._written.append(self.todo.pop())
            self._write_stream(own) if lazy and own.wanted else self._write(own, lazy=lazy)
            size += len(self.functions[-1])
            if size > MAX_TEXT:
                raise LimitReached("characters", MAX_TEXT, "of code for the rules")
        return "\n\n".join(self.functions)

    def accepted(self) -> None:
        """The functions are there: they need not be written again."""
        self._written = []

    def _name(self, letter: str) -> str:
        self._made += 1
        return f"{letter}{self._made}_"

    # -- procedures ------------------------------------------------------------------------------

    def _write(self, own: Procedure, *, lazy: bool) -> None:
        known = [f"b{i}" for i in own.bound]
        if own.recursive:
            function = Function(f"q{own.number}", own.level, ["w", "t", *known])
            self._rules(own, function)
        else:
            letter = "t" if lazy else "p"
            function = Function(f"{letter}{own.number}", own.level, known, lazy=lazy)
            memo = f"{self.memo(function, own)}[{row(known)}]"
            if own.level != STATIC:
                # Few loops may ask many tests without one; those that hang on no state count rows.
                function.first("n[0] -= 1")
                function.first("if n[0] < 0: tick()")
            if own.wanted:
                function.first("out = set()")
                function.first("add = out.add")
                self._rules(own, function)
                function.line(f"{memo} = rows = tuple(out)")
                function.line("return rows")
            else:
                self._rules(own, function, f"{memo} = True")
                function.line(f"{memo} = False")
                function.line("return False")
        self.functions.append(function.text())

    def _write_stream(self, own: Procedure) -> None:
        """A generator of answers, rule by rule."""
        known = [f"b{i}" for i in own.bound]
        names = []
        for args, body in self._bodies(own):
            names.append(self._name("r"))
            one = Function(names[-1], own.level, known, lazy=True)
            self._rule(own, one, args, body, RowGiver([args[i] for i in own.wanted]))
            self.functions.append(one.text())
        function = Function(f"g{own.number}", own.level, known)
        listed = "".join(f"{name}, " for name in names)
        given = ", ".join([CONTEXT[own.level], *known])
        function.line(f"return each({own.number}, ({listed}), {given})")
        self.functions.append(function.text())

    def _rules(self, own: Procedure, function: Function, note: str = "") -> None:
        for args, body in self._bodies(own):
            wanted = [args[i] for i in own.wanted]
            is_rows = wanted or own.recursive
            sink = RowCollector(wanted, own.recursive) if is_rows else Truth(note)
            self._rule(own, function, args, body, sink)
        function.end_rules()

    def _bodies(self, own: Procedure) -> list[tuple[Sequence[Term], Sequence[BodyLiteral]]]:
        """Every rule of a relation, and the table of its facts: its columns and conditions."""
        bodies: list[tuple[Sequence[Term], Sequence[BodyLiteral]]] = []
        if own.relation in self.program.facts:
            table = self.program.table(own.relation)
            bodies.append((table.args, [table]))
        for rule in self.program.rules.get(own.relation, ()):
            bodies.append((rule.head.args, self.program.body(rule)))
        return bodies

    def _rule(
        self, own: Procedure, function: Function, args: Sequence[Term],
        body: Sequence[BodyLiteral], sink: Sink,
    ) -> None:  # fmt: skip
        env: Env = {}
        function.mixes = isinstance(sink, RowGiver)
        function.begin_rule()
        for i in own.bound:
            self.match(function, args[i], f"b{i}", env)
        self._body(function, body, env, sink)

    # -- bodies ----------------------------------------------------------------------------------

    def _body(self, function: Function, body: Sequence[BodyLiteral], env: Env, sink: Sink) -> None:
        """Write what finds all ways in which `body` holds, and what is done there."""
        left = list(body)
        while left:
            is_recursive = any(x.recursive for x in left)
            if sink.variables <= env.keys() and not is_recursive:
                parts = components(left, env)
                if len(parts) > 1 or not sink.is_test:
                    self._tests(function, parts, env)
                    break
            if function.loops >= MAX_LOOPS:
                self._continue_elsewhere(function, left, env, sink)
                return
            literal = left.pop(self.planner.best(left, env, sink.variables))
            later = needed(left, sink.variables)
            if literal.recursive and not literal.negated:
                self._ask(function, literal, left, env, sink)
                return
            self.literal(function, literal, env, later)
        sink.emit(self, function, env)

    def _tests(self, function: Function, parts: Sequence[Sequence[BodyLiteral]], env: Env) -> None:
        """Conditions that share no open variable, the cheapest first, each a test of its own."""
        costs = [min(self.planner.cost(x, env, set()) for x in part) for part in parts]
        single = [len(part) == 1 and self._is_plain_test(part[0], env) for part in parts]
        for i in sorted(range(len(parts)), key=lambda i: (not single[i], costs[i])):
            if single[i]:
                self.literal(function, parts[i][0], env, set())
            else:
                function.condition(self._elsewhere(function, parts[i], env, Truth()))

    def _is_plain_test(self, literal: BodyLiteral, env: Env) -> bool:
        return literal.kind == "distinct" or columns(literal, env, ()).is_test

    def _elsewhere(
        self, function: Function, body: Sequence[BodyLiteral], env: Env, sink: Sink
    ) -> str:
        """The call of a new function that deals with the rest of a body."""
        live = sorted(needed(body, sink.variables) & env.keys())
        names = [f"a{i}" for i in range(len(live))]
        name = self._name("e")
        outer = function.outer + function.loops
        given = [*sink.parameters, *names]
        other = Function(name, function.level, given, outer, lazy=function.lazy)
        other.mixes = isinstance(sink, RowGiver)
        other.begin_rule()
        self._body(other, body, dict(zip(live, names, strict=True)), sink)
        self.functions.append(other.text())
        given = [*sink.parameters, *(env[v] for v in live)]
        return f"{name}({', '.join([CONTEXT[function.level], *given])})"

    def _continue_elsewhere(
        self, function: Function, body: Sequence[BodyLiteral], env: Env, sink: Sink
    ) -> None:
        if sink.is_test:
            function.condition(self._elsewhere(function, body, env, Truth()))
            sink.emit(self, function, env)
        else:
            call = self._elsewhere(function, body, env, sink)
            function.line(f"yield from {call}" if isinstance(sink, RowGiver) else call)

    def _ask(
        self,
        function: Function,
        literal: BodyLiteral,
        left: list[BodyLiteral],
        env: Env,
        sink: Sink,
    ) -> None:
        """Ask a relation of the same component, and go on with each of its answers."""
        later = needed(left, sink.variables)
        asked = columns(literal, env, later)
        other = self.procedure(literal.relation, asked.mask(len(literal.args)))
        key = row([self.build(function, literal.args[i], env) for i in asked.bound])
        live = sorted((later | literal.variables) & env.keys())
        names = [f"a{i}" for i in range(len(live))]
        name = self._name("k")
        consumer = Function(name, function.level, ["w", "row", "t", *names])
        inner = dict(zip(live, names, strict=True))
        consumer.begin_rule()
        fresh = [consumer.fresh() for _ in asked.wanted]
        if len(fresh) == 1:
            consumer.line(f"{fresh[0]} = row")
        elif fresh:
            consumer.line(f"{', '.join(fresh)} = row")
        for i, value in zip(asked.wanted, fresh, strict=True):
            self.match(consumer, literal.args[i], value, inner)
        self._body(consumer, left, inner, sink)
        self.functions.append(consumer.text())
        given = "".join(f", {env[v]}" for v in live)
        function.line(f"w.ask(Q{other.number}, {key}, {name}, t{given})")
