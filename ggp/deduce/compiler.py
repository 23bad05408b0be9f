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
from ggp.deduce.plan import Columns, Planner, columns, components, needed, variables
from ggp.deduce.program import STATIC, Literal, Program
from ggp.kif import Term
from ggp.rules import Signature

MAX_LOOPS = 12
MAX_DEPTH = 60
"""Python nests at most 20 loops and 100 indentations."""

Env = dict[str, str]
"""The Python name of each variable that has a value."""


@dataclass
class Procedure:
    """A relation asked in one way; `mask` has a letter for each column, see `Columns.mask`."""

    number: int
    relation: Signature
    mask: str
    level: int
    recursive: bool
    slot: int = -1

    @property
    def bound(self) -> list[int]:
        """The known columns."""
        return [i for i, letter in enumerate(self.mask) if letter == "b"]

    @property
    def wanted(self) -> list[int]:
        """The columns of an answer."""
        return [i for i, letter in enumerate(self.mask) if letter == "f"]


@dataclass(frozen=True)
class Index:
    """Rows of a table or of the fluents of one functor, by their known columns."""

    number: int
    relation: Signature
    is_fluent: bool
    asked: Columns
    slot: int = -1


class Sink(Protocol):
    """What is done where a whole body holds."""

    variables: set[str]
    is_test: bool
    parameters: tuple[str, ...]

    def emit(self, compiler: Compiler, function: Function, env: Env) -> None:
        """Write it."""


@dataclass
class Rows:
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


class Compiler:
    """Writes the functions that some questions need, and all that those need.

    `functions` are their texts, `procedures` and `indices` what they refer to by number. `slots`
    counts the places of a state's context, `move_slots` of a joint move's.
    """

    def __init__(self, program: Program, planner: Planner) -> None:
        self.program = program
        self.planner = planner
        self.terms = program.terms
        self.functions: list[str] = []
        self.procedures: list[Procedure] = []
        self.indices: list[Index] = []
        self.slots = 2
        self.move_slots = 3
        self._procedure_of: dict[tuple[Signature, str], Procedure] = {}
        self._index_of: dict[tuple[Signature, bool, Columns], Index] = {}
        self._todo: list[Procedure] = []
        self._made = 0

    def procedure(self, relation: Signature, mask: str) -> Procedure:
        """The procedure for a relation asked in one way; `compile` writes it."""
        key = (relation, mask)
        if key not in self._procedure_of:
            level = self.program.level(relation)
            recursive = self.program.is_recursive(relation)
            made = Procedure(len(self.procedures), relation, mask, level, recursive)
            made.slot = self._slot(level)
            self._procedure_of[key] = made
            self.procedures.append(made)
            self._todo.append(made)
        return self._procedure_of[key]

    def _slot(self, level: int) -> int:
        if level == STATIC:
            return -1
        if CONTEXT[level] == "c":
            self.slots += 1
            return self.slots - 1
        self.move_slots += 1
        return self.move_slots - 1

    def compile(self) -> str:
        """The text of all functions asked for since the last call."""
        self.functions = []
        while self._todo:
            self._write(self._todo.pop())
        return "\n\n".join(self.functions)

    def _name(self, letter: str) -> str:
        self._made += 1
        return f"{letter}{self._made}_"

    # -- procedures ------------------------------------------------------------------------------

    def _write(self, own: Procedure) -> None:
        known = [f"b{i}" for i in own.bound]
        if own.recursive:
            function = Function(f"q{own.number}", own.level, ["w", "t", *known])
            self._rules(own, function)
        else:
            function = Function(f"p{own.number}", own.level, known)
            memo = f"{self._memo(function, own)}[{row(known)}]"
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

    def _rules(self, own: Procedure, function: Function, note: str = "") -> None:
        """Every rule of a relation, and the table of its facts."""
        bodies = []
        if own.relation in self.program.facts:
            table = self.program.table(own.relation)
            bodies.append((table.args, [table]))
        for rule in self.program.rules.get(own.relation, ()):
            bodies.append((rule.head.args, self.program.body(rule)))
        for args, body in bodies:
            env: Env = {}
            for i in own.bound:
                self.match(function, args[i], f"b{i}", env)
            wanted = [args[i] for i in own.wanted]
            is_rows = wanted or own.recursive
            sink: Sink = Rows(wanted, own.recursive) if is_rows else Truth(note)
            self._body(function, body, env, sink)
            function.restart()

    def _memo(self, function: Function, asked: Procedure) -> str:
        """The name of the dictionary of a procedure's answers, made ready."""
        name = f"m{asked.number}"
        if asked.level != STATIC:
            place = f"{CONTEXT[asked.level]}[{asked.slot}]"
            function.first(f"{name} = {place}")
            function.first(f"if {name} is None: {name} = {place} = {{}}")
        return name

    # -- bodies ----------------------------------------------------------------------------------

    def _body(self, function: Function, body: Sequence[Literal], env: Env, sink: Sink) -> None:
        """Write what finds all ways in which `body` holds, and what is done there."""
        left = list(body)
        while left:
            is_recursive = any(x.recursive for x in left)
            if sink.variables <= env.keys() and not is_recursive:
                parts = components(left, env)
                if len(parts) > 1 or not sink.is_test:
                    self._tests(function, parts, env)
                    break
            if function.loops >= MAX_LOOPS or function.depth >= MAX_DEPTH:
                self._continue_elsewhere(function, left, env, sink)
                return
            literal = left.pop(self.planner.best(left, env, sink.variables))
            later = needed(left, sink.variables)
            if literal.recursive and not literal.negated:
                self._ask(function, literal, left, env, sink)
                return
            self._literal(function, literal, env, later)
        sink.emit(self, function, env)

    def _tests(self, function: Function, parts: Sequence[Sequence[Literal]], env: Env) -> None:
        """Conditions that share no open variable, the cheapest first, each a test of its own."""
        costs = [min(self.planner.cost(x, env, set()) for x in part) for part in parts]
        single = [len(part) == 1 and self._is_plain_test(part[0], env) for part in parts]
        for i in sorted(range(len(parts)), key=lambda i: (not single[i], costs[i])):
            if single[i]:
                self._literal(function, parts[i][0], env, set())
            else:
                function.condition(self._elsewhere(function, parts[i], env, Truth()))

    def _is_plain_test(self, literal: Literal, env: Env) -> bool:
        return literal.kind == "distinct" or columns(literal, env, ()).is_test

    def _elsewhere(self, function: Function, body: Sequence[Literal], env: Env, sink: Sink) -> str:
        """The call of a new function that deals with the rest of a body."""
        live = sorted(needed(body, sink.variables) & env.keys())
        names = [f"a{i}" for i in range(len(live))]
        name = self._name("e")
        outer = function.outer + function.loops
        other = Function(name, function.level, [*sink.parameters, *names], outer)
        self._body(other, body, dict(zip(live, names, strict=True)), sink)
        self.functions.append(other.text())
        given = [*sink.parameters, *(env[v] for v in live)]
        return f"{name}({', '.join([CONTEXT[function.level], *given])})"

    def _continue_elsewhere(
        self, function: Function, body: Sequence[Literal], env: Env, sink: Sink
    ) -> None:
        if sink.is_test:
            function.condition(self._elsewhere(function, body, env, Truth()))
            sink.emit(self, function, env)
        else:
            function.line(self._elsewhere(function, body, env, sink))

    def _ask(
        self, function: Function, literal: Literal, left: list[Literal], env: Env, sink: Sink
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

    # -- literals --------------------------------------------------------------------------------

    def _literal(self, function: Function, literal: Literal, env: Env, later: set[str]) -> None:
        """Write one condition, or the loop over the rows that make it hold."""
        kind = literal.kind
        if kind == "distinct":
            self._distinct(function, literal, env)
        elif kind == "does":
            self._does(function, literal, env)
        elif kind == "holds":
            self._holds(function, literal, env)
        else:
            asked = columns(literal, env, later)
            if asked.is_test:
                function.condition(self._test(function, literal, asked, env))
            else:
                self._join(function, literal, asked, env)

    def _distinct(self, function: Function, literal: Literal, env: Env) -> None:
        pairs = [
            f"{self.build(function, a, env)} != {self.build(function, b, env)}"
            for a, b in literal.pairs
        ]
        function.condition(pairs[0] if len(pairs) == 1 else f"({' or '.join(pairs)})")

    def _does(self, function: Function, literal: Literal, env: Env) -> None:
        role, move = literal.args
        if literal.negated:
            wanted = self.build(function, move, env)
            chosen = f"d[1].get({self.build(function, role, env)})"
            function.condition(f"{chosen} != {wanted}")
            return
        made = function.fresh()
        if all(v in env for v in role.variables()):
            function.line(f"{made} = d[1].get({self.build(function, role, env)})")
            function.condition(made)
        else:
            who = function.fresh()
            function.loop(f"{who}, {made}", "d[2]")
            self.match(function, role, who, env)
        self.match(function, move, made, env)

    def _holds(self, function: Function, literal: Literal, env: Env) -> None:
        (fluent,) = literal.args
        function.first("s = c[0]")
        if fluent.name in env:
            word = "not in" if literal.negated else "in"
            function.condition(f"{env[fluent.name]} {word} s")
        else:
            env[fluent.name] = function.fresh()
            function.loop(env[fluent.name], "s")

    def _test(self, function: Function, literal: Literal, asked: Columns, env: Env) -> str:
        """An expression that says whether a literal holds; no column of it is wanted."""
        word = "not in" if literal.negated else "in"
        if literal.kind == "fluent" and len(asked.bound) == len(literal.args):
            function.first("s = c[0]")
            return f"{self._known(function, literal, env)} {word} s"
        key = row([self.build(function, literal.args[i], env) for i in asked.bound])
        if literal.kind != "call":
            return f"{key} {word} {self._index(function, literal, asked)}"
        other = self.procedure(literal.relation, asked.mask(len(literal.args)))
        no = "not " if literal.negated else ""
        if literal.recursive:
            return f"{no}w.holds(Q{other.number}, {key})"
        memo, found = self._memo(function, other), function.fresh()
        given = [
            CONTEXT[other.level],
            *(self.build(function, literal.args[i], env) for i in asked.bound),
        ]
        call = f"p{other.number}({', '.join(given)})"
        return f"{no}({call} if ({found} := {memo}.get({key})) is None else {found})"

    def _known(self, function: Function, literal: Literal, env: Env) -> str:
        """The number of a fluent whose arguments all have values; None if it has none."""
        name, arity = literal.relation
        fluent = Term(name, literal.args)
        if fluent.is_ground:
            return str(self.terms.id(fluent))
        args = [self.build(function, arg, env) for arg in literal.args]
        return f"K({row([str(self.terms.functor(name, arity)), *args])})"

    def _join(self, function: Function, literal: Literal, asked: Columns, env: Env) -> None:
        """A loop over the wanted columns of all rows that agree with the known ones."""
        given = [self.build(function, literal.args[i], env) for i in asked.bound]
        names = [function.fresh() for _ in asked.wanted]
        if literal.kind == "call":
            other = self.procedure(literal.relation, asked.mask(len(literal.args)))
            memo, rows = self._memo(function, other), function.fresh()
            function.line(f"{rows} = {memo}.get({row(given)})")
            call = ", ".join([CONTEXT[other.level], *given])
            function.line(f"if {rows} is None: {rows} = p{other.number}({call})")
        else:
            rows = f"{self._index(function, literal, asked)}.get({row(given)}, ())"
        function.loop(", ".join(names), rows)
        for i, name in zip(asked.wanted, names, strict=True):
            self.match(function, literal.args[i], name, env)

    def _index(self, function: Function, literal: Literal, asked: Columns) -> str:
        """The name of the index that answers a literal, made ready."""
        is_fluent = literal.kind == "fluent"
        key = (literal.relation, is_fluent, asked)
        if key not in self._index_of:
            slot = self.slots if is_fluent else -1
            self.slots += is_fluent
            made = Index(len(self.indices), literal.relation, is_fluent, asked, slot)
            self._index_of[key] = made
            self.indices.append(made)
        index = self._index_of[key]
        name = f"i{index.number}"
        if is_fluent:
            function.first(f"{name} = c[{index.slot}]")
            function.first(f"if {name} is None: {name} = fill(c, {index.number})")
        return name

    # -- terms -----------------------------------------------------------------------------------

    def build(self, function: Function, term: Term, env: Env) -> str:
        """An expression for the number of a term whose variables have values."""
        if term.is_variable:
            return env[term.name]
        if term.is_ground:
            return str(self.terms.id(term))
        functor = self.terms.functor(term.name, len(term.args))
        shape = row([str(functor), *(self.build(function, arg, env) for arg in term.args)])
        name = function.fresh()
        function.line(f"{name} = K({shape}) or make({shape})")
        return name

    def match(self, function: Function, pattern: Term, value: str, env: Env) -> None:
        """Conditions under which the term numbered `value`, a name, is an instance of `pattern`;
        gives values to the pattern's variables."""
        if pattern.is_variable:
            if pattern.name in env:
                function.condition(f"{value} == {env[pattern.name]}")
            else:
                env[pattern.name] = value
            return
        if pattern.is_ground:
            function.condition(f"{value} == {self.terms.id(pattern)}")
            return
        shape = function.fresh()
        function.line(f"{shape} = T[{value}]")
        functor = self.terms.functor(pattern.name, len(pattern.args))
        function.condition(f"{shape}[0] == {functor}")
        for i, arg in enumerate(pattern.args):
            part = function.fresh()
            function.line(f"{part} = {shape}[{i + 1}]")
            self.match(function, arg, part, env)
