"""Single conditions of rules as Python code: tests, loops over the rows of an index, calls.

Also what they refer to by number: procedures, which answer a relation asked in one way, and
indices, which hold the rows of a table by their known columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from ggp.deduce.code import CONTEXT, Function, row
from ggp.deduce.plan import Columns, columns
from ggp.deduce.program import STATIC, BodyLiteral, RelationalProgram
from ggp.kif import Term
from ggp.rules import Signature

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

    @property
    def can_be_lazy(self) -> bool:
        """Whether answers can be had one by one: what depends on nothing is made once, and answers
        that depend on each other are found together."""
        return self.level != STATIC and not self.recursive


@dataclass(frozen=True)
class ColumnIndex:
    """Rows of a table or of the fluents of one functor, by their known columns."""

    number: int
    relation: Signature
    is_fluent: bool
    asked: Columns
    slot: int = -1


class Conditions:
    """Writes conditions into functions.

    `procedures` and `indices` are what has been referred to, by number; `todo` the procedures that
    have no function yet, and whether it is to be a lazy one. `slots` counts the places of a state's
    context, `move_slots` of a joint move's.
    """

    def __init__(self, program: RelationalProgram) -> None:
        self.program = program
        self.terms = program.terms
        self.procedures: list[Procedure] = []
        self.indices: list[ColumnIndex] = []
        self.todo: list[tuple[Procedure, bool]] = []
        self.slots = 2
        self.move_slots = 3
        self._procedure_of: dict[tuple[Signature, str], Procedure] = {}
        self._wanted: set[tuple[int, bool]] = set()
        self._index_of: dict[tuple[Signature, bool, Columns], ColumnIndex] = {}

    def procedure(self, relation: Signature, mask: str, *, lazy: bool = False) -> Procedure:
        """The procedure for a relation asked in one way; a function is still to be written, a
        `lazy` one where there can be one."""
        key = (relation, mask)
        if key not in self._procedure_of:
            level = self.program.level(relation)
            recursive = self.program.is_recursive(relation)
            made = Procedure(len(self.procedures), relation, mask, level, recursive)
            made.slot = self._slot(level)
            self._procedure_of[key] = made
            self.procedures.append(made)
        found = self._procedure_of[key]
        lazy = lazy and found.can_be_lazy
        if (found.number, lazy) not in self._wanted:
            self._wanted.add((found.number, lazy))
            self.todo.append((found, lazy))
        return found

    def forget(self, relation: Signature) -> None:
        """The rows of a table are other ones from now on."""
        stale = [key for key in self._index_of if key[0] == relation and not key[1]]
        for key in stale:
            del self._index_of[key]

    def _slot(self, level: int) -> int:
        if level == STATIC:
            return -1
        if CONTEXT[level] == "c":
            self.slots += 1
            return self.slots - 1
        self.move_slots += 1
        return self.move_slots - 1

    def memo(self, function: Function, asked: Procedure) -> str:
        """The name of the dictionary of a procedure's answers, made ready."""
        name = f"m{asked.number}"
        if asked.level != STATIC:
            place = f"{CONTEXT[asked.level]}[{asked.slot}]"
            function.first(f"{name} = {place}")
            function.first(f"if {name} is None: {name} = {place} = {{}}")
        return name

    # -- literals --------------------------------------------------------------------------------

    def literal(self, function: Function, literal: BodyLiteral, env: Env, later: set[str]) -> None:
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

    def _distinct(self, function: Function, literal: BodyLiteral, env: Env) -> None:
        pairs = [
            f"{self.build(function, a, env)} != {self.build(function, b, env)}"
            for a, b in literal.pairs
        ]
        function.condition(pairs[0] if len(pairs) == 1 else f"({' or '.join(pairs)})")

    def _does(self, function: Function, literal: BodyLiteral, env: Env) -> None:
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

    def _holds(self, function: Function, literal: BodyLiteral, env: Env) -> None:
        (fluent,) = literal.args
        function.first("s = c[0]")
        if fluent.name in env:
            word = "not in" if literal.negated else "in"
            function.condition(f"{env[fluent.name]} {word} s")
        else:
            env[fluent.name] = function.fresh()
            function.loop(env[fluent.name], "s")

    def _test(self, function: Function, literal: BodyLiteral, asked: Columns, env: Env) -> str:
        """An expression that says whether a literal holds; no column of it is wanted."""
        word = "not in" if literal.negated else "in"
        if literal.kind == "fluent" and len(asked.bound) == len(literal.args):
            function.first("s = c[0]")
            return f"{self._known(function, literal, env)} {word} s"
        key = row([self.build(function, literal.args[i], env) for i in asked.bound])
        if literal.kind != "call":
            return f"{key} {word} {self._index(function, literal, asked)}"
        mask = asked.mask(len(literal.args))
        other = self.procedure(literal.relation, mask, lazy=function.lazy)
        no = "not " if literal.negated else ""
        if literal.recursive:
            return f"{no}w.holds(Q{other.number}, {key})"
        memo, found = self.memo(function, other), function.fresh()
        given = [
            CONTEXT[other.level],
            *(self.build(function, literal.args[i], env) for i in asked.bound),
        ]
        letter = "t" if function.lazy and other.can_be_lazy else "p"
        call = f"{letter}{other.number}({', '.join(given)})"
        return f"{no}({call} if ({found} := {memo}.get({key})) is None else {found})"

    def _known(self, function: Function, literal: BodyLiteral, env: Env) -> str:
        """The number of a fluent whose arguments all have values; None if it has none."""
        name, arity = literal.relation
        fluent = Term(name, literal.args)
        if fluent.is_ground:
            return str(self.terms.id(fluent))
        args = [self.build(function, arg, env) for arg in literal.args]
        return f"K({row([str(self.terms.functor(name, arity)), *args])})"

    def _join(self, function: Function, literal: BodyLiteral, asked: Columns, env: Env) -> None:
        """A loop over the wanted columns of all rows that agree with the known ones."""
        given = [self.build(function, literal.args[i], env) for i in asked.bound]
        names = [function.fresh() for _ in asked.wanted]
        if literal.kind == "call":
            mask = asked.mask(len(literal.args))
            other = self.procedure(literal.relation, mask, lazy=function.lazy)
            memo, rows = self.memo(function, other), function.fresh()
            function.line(f"{rows} = {memo}.get({row(given)})")
            call = f"p{other.number}({', '.join([CONTEXT[other.level], *given])})"
            if function.lazy and other.can_be_lazy:
                call = ", ".join([f"ask({other.number}", CONTEXT[other.level], *given]) + ")"
            function.line(f"if {rows} is None: {rows} = {call}")
        else:
            rows = f"{self._index(function, literal, asked)}.get({row(given)}, ())"
        function.loop(", ".join(names), rows)
        for i, name in zip(asked.wanted, names, strict=True):
            self.match(function, literal.args[i], name, env)

    def _index(self, function: Function, literal: BodyLiteral, asked: Columns) -> str:
        """The name of the index that answers a literal, made ready."""
        is_fluent = literal.kind == "fluent"
        key = (literal.relation, is_fluent, asked)
        if key not in self._index_of:
            slot = self.slots if is_fluent else -1
            self.slots += is_fluent
            made = ColumnIndex(len(self.indices), literal.relation, is_fluent, asked, slot)
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
