"""Rules to instructions: one procedure for each relation and way of asking it.

The conditions of a body are tried in the order that `plan` chooses, as by `compiler`; what is left
of a body when the answer is known already is asked as a mere test, in parts that share no variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ggp.deduce.lowered import NotLowered, codes
from ggp.deduce.lowered.writing import Env, Label, Writer, replaced
from ggp.deduce.plan import BodyPlanner, Columns, columns, components, needed, variables
from ggp.deduce.program import STATIC, BodyLiteral, RelationalProgram
from ggp.kif import Term
from ggp.limits import look
from ggp.rules import Signature, unify

MOST_CODE = 4_000_000
"""Numbers of all instructions."""

MOST_RULES, MOST_DEPTH = 24, 3
"""Rules of a relation of which each is tried in turn where one answer is enough, and relations
within each other of which that is done."""

Loop = tuple[Label, int, int, Label]
"""How a loop goes on: a label, an instruction, its register and where the loop begins."""


@dataclass
class Lowered:
    """A relation asked in one way: known and wanted columns, and where its code begins; `by_chance`
    for one answer that is looked for in any order."""

    number: int
    relation: Signature
    bound: tuple[int, ...]
    wanted: tuple[int, ...]
    by_chance: bool = False
    start: int = -1
    registers: int = 0


@dataclass(frozen=True)
class Table:
    """Rows of facts, or of the fluents of one functor, by their known columns."""

    tag: int
    relation: Signature
    is_fluent: bool
    asked: Columns


@dataclass
class _Sink:
    """What is done where a whole body holds: a row of these terms, or going on at `then`; the
    answer is yes where there is neither."""

    terms: Sequence[Term] | None
    then: Label | None = None

    @property
    def is_test(self) -> bool:
        return self.terms is None

    @property
    def variables(self) -> set[str]:
        return variables(self.terms or ())


class Lowering(Writer):
    """Writes the procedures that some questions need, and all that those need."""

    def __init__(self, program: RelationalProgram, planner: BodyPlanner) -> None:
        super().__init__(program.terms)
        self.program, self.planner = program, planner
        self.procedures: list[Lowered] = []
        self.tables: list[Table] = []
        self._procedure_of: dict[tuple[Signature, str, bool], Lowered] = {}
        self._table_of: dict[tuple[Signature, bool, Columns], Table] = {}
        self._todo: list[Lowered] = []
        self._by_chance = self._mixes = False
        self._unfolded = 0
        self._apart = 0

    def procedure(self, relation: Signature, mask: str, *, by_chance: bool = False) -> Lowered:
        """The procedure for a relation asked in one way (`Columns.mask`)."""
        key = relation, mask, by_chance
        if key not in self._procedure_of:
            bound = tuple(i for i, letter in enumerate(mask) if letter == "b")
            wanted = tuple(i for i, letter in enumerate(mask) if letter == "f")
            made = Lowered(len(self.procedures), relation, bound, wanted, by_chance)
            self._procedure_of[key] = made
            self.procedures.append(made)
            self._todo.append(made)
        return self._procedure_of[key]

    def question(self, relation: Signature, mask: str, *, by_chance: bool = False) -> int:
        """Where the code begins that asks a procedure for its first answer, the known columns in
        the registers from 1 on; `by_chance`: for any one."""
        asked = self.procedure(relation, mask, by_chance=by_chance)
        start, known = len(self.code), range(1, 1 + len(asked.bound))
        self.emit(codes.CALL, 0, asked.number, len(known), *known)
        self.emit(codes.END)
        return start

    def write(self) -> None:
        """The code of all procedures asked for.

        Raises `NotLowered` where it is more than `MOST_CODE`.
        """
        while self._todo:
            look("compiling rules")
            self._write(self._todo.pop())
            if len(self.code) > MOST_CODE:
                raise NotLowered

    def _write(self, own: Lowered) -> None:
        own.start = len(self.code)
        self.registers = most = len(own.bound)
        self._by_chance = own.by_chance
        bodies = self._bodies(own.relation)
        if own.by_chance:
            tops = [Label() for _ in bodies]
            place, count, again, none = self.fresh(), self.fresh(), Label(), Label()
            self.emit(codes.RULES, place, count, len(bodies))
            self.here(again)
            self.emit(codes.RULE, place, count, none, len(bodies), *tops)
        first = self.registers
        for i, (args, body) in enumerate(bodies):
            self.registers = first
            after, env = again if own.by_chance else Label(), Env()
            if own.by_chance:
                self.here(tops[i])
            for known, column in enumerate(own.bound):
                self.match(args[column], known, env, after)
            wanted = [args[column] for column in own.wanted]
            self._body(body, env, _Sink(wanted if own.wanted else None), after)
            if own.by_chance:
                self.emit(codes.GO, again)
            else:
                self.here(after)
            most = max(most, self.registers)
        if own.by_chance:
            self.here(none)
        self.emit(codes.END)
        own.registers = most

    def _bodies(self, relation: Signature) -> list[tuple[Sequence[Term], Sequence[BodyLiteral]]]:
        """Every rule of a relation, and the table of its facts: its columns and conditions."""
        bodies: list[tuple[Sequence[Term], Sequence[BodyLiteral]]] = []
        if relation in self.program.facts:
            table = self.program.table(relation)
            bodies.append((table.args, [table]))
        for rule in self.program.rules.get(relation, ()):
            bodies.append((rule.head.args, self.program.body(rule)))
        return bodies

    # -- bodies ----------------------------------------------------------------------------------

    def _body(self, body: Sequence[BodyLiteral], env: Env, sink: _Sink, fail: Label) -> None:
        """What finds all ways in which `body` holds, and what is done there; then `fail`, which
        comes next where nothing else is said."""
        left, loops, is_done = list(body), [], False
        self._mixes = self._by_chance and not sink.is_test
        while left:
            if sink.variables <= env.keys():
                parts = components(left, env)
                if len(parts) > 1 or not sink.is_test:
                    self._tests(parts, env, fail)
                    break
            literal = left.pop(self.planner.best(left, env, sink.variables))
            later = needed(left, sink.variables)
            if sink.is_test and self._is_unfolded(literal, env, later):
                self._unfold(literal, left, env, sink, fail)
                is_done = True
                break
            loop = self._literal(literal, env, later, fail)
            if loop is not None:
                loops.append(loop)
                fail = loop[0]
            self._mixes = self._by_chance and not sink.is_test
        if not is_done:
            self._done(sink, env)
        for again, step, register, top in reversed(loops):
            self.here(again)
            self.emit(step, *([] if step == codes.GO else [register]), top)

    def _done(self, sink: _Sink, env: Env) -> None:
        if sink.then is not None:
            self.emit(codes.GO, sink.then)
        elif sink.terms is None:
            self.emit(codes.YES)
        else:
            values = [self.build(term, env) for term in sink.terms]
            self.emit(codes.FOUND if self._by_chance else codes.ROW, len(values), *values)

    def _is_unfolded(self, literal: BodyLiteral, env: Env, later: set[str]) -> bool:
        """Whether the rules of a relation are tried one after the other, as one answer of it may
        be enough."""
        if literal.kind != "call" or literal.negated or literal.recursive:
            return False
        relation = literal.relation
        is_few = len(self.program.rules[relation]) <= MOST_RULES and self._unfolded < MOST_DEPTH
        is_plain = not self.program.is_recursive(relation) and self.program.level(relation) > STATIC
        return is_few and is_plain and not columns(literal, env, later).is_test

    def _unfold(
        self, literal: BodyLiteral, left: Sequence[BodyLiteral], env: Env, sink: _Sink,
        fail: Label,
    ) -> None:  # fmt: skip
        """Go on by each rule of a relation in the place of a condition on it."""
        self._unfolded += 1
        for args, body in self._bodies(literal.relation):
            self._apart += 1
            names = {v for arg in args for v in arg.variables()}.union(*(x.variables for x in body))
            apart = {name: Term(f"{name}~{self._apart}") for name in names}
            binding: dict[str, Term] = {}
            heads = [arg.substitute(apart) for arg in args]
            if not all(unify(a, b, binding) for a, b in zip(literal.args, heads, strict=True)):
                continue
            after, inner = Label(), dict(env)
            for name in [name for name in binding if name in env]:
                self.match(Term(name).substitute(binding), env[name], inner, after)
            rest = [replaced(replaced(x, apart), binding) for x in body]
            rest += [replaced(x, binding) for x in left]
            self._body(rest, inner, sink, after)
            self.here(after)
        self._unfolded -= 1
        if len(self.code) > MOST_CODE:
            raise NotLowered
        self.emit(codes.GO, fail)

    def _tests(self, parts: Sequence[Sequence[BodyLiteral]], env: Env, fail: Label) -> None:
        """Conditions that share no open variable, the cheapest first, each a test of its own."""
        costs = [min(self.planner.cost(x, env, set()) for x in part) for part in parts]
        single = [len(part) == 1 and _is_plain_test(part[0], env) for part in parts]
        for i in sorted(range(len(parts)), key=lambda i: (not single[i], costs[i])):
            if single[i]:
                self._literal(parts[i][0], env, set(), fail)
                continue
            holds, fails = Label(), Label()
            self._body(parts[i], dict(env), _Sink(None, holds), fails)
            self.here(fails)
            self.emit(codes.GO, fail)
            self.here(holds)

    # -- literals --------------------------------------------------------------------------------

    def _literal(self, literal: BodyLiteral, env: Env, later: set[str], fail: Label) -> Loop | None:
        """One condition; where it is a loop, how that goes on."""
        if literal.kind == "distinct":
            self._distinct(literal, env, fail)
        elif literal.kind == "does":
            return self._does(literal, env, fail)
        elif literal.kind == "holds":
            return self._holds(literal, env, fail)
        else:
            asked = columns(literal, env, later)
            if asked.is_test:
                self._test(literal, asked, env, fail)
            else:
                return self._join(literal, asked, env, fail)
        return None

    def _distinct(self, literal: BodyLiteral, env: Env, fail: Label) -> None:
        holds = Label()
        for i, (a, b) in enumerate(literal.pairs):
            one, other = self.build(a, env), self.build(b, env)
            if i < len(literal.pairs) - 1:
                self.emit(codes.AGREE, one, other, holds)
            else:
                self.emit(codes.DIFFER, one, other, fail)
        self.here(holds)

    def _does(self, literal: BodyLiteral, env: Env, fail: Label) -> Loop | None:
        role, move = literal.args
        made = self.fresh()
        if literal.negated:
            holds = Label()
            self.emit(codes.CHOSEN, self.build(role, env), made, holds)
            self.emit(codes.DIFFER, made, self.build(move, env), fail)
            self.here(holds)
            return None
        if all(v in env for v in role.variables()):
            self.emit(codes.CHOSEN, self.build(role, env), made, fail)
            self.match(move, made, env, fail)
            return None
        who = self.fresh()
        loop = self._loop(codes.ROLES, codes.COUNT, fail, [who, made])
        self.match(role, who, env, loop[0])
        self.match(move, made, env, loop[0])
        return loop

    def _holds(self, literal: BodyLiteral, env: Env, fail: Label) -> Loop | None:
        (fluent,) = literal.args
        if fluent.name in env:
            test = codes.LACKS if literal.negated else codes.HOLDS
            self.emit(test, env[fluent.name], fail)
            return None
        env[fluent.name] = made = self.fresh()
        return self._loop(codes.STATE, codes.COUNT, fail, [made])

    def _loop(
        self, each: int, step: int, fail: Label, given: Sequence[int], place: int = -1
    ) -> Loop:
        """A loop by a register: `place`, or one that counts from 0."""
        if place < 0:
            place = self.fresh()
            self.emit(codes.SET, place, 0)
        top = Label()
        self.here(top)
        if each == codes.EACH:
            self.emit(each, place, fail, len(given), *given)
        else:
            self.emit(each, place, fail, *given)
        return Label(), step, place, top

    def _test(self, literal: BodyLiteral, asked: Columns, env: Env, fail: Label) -> None:
        if literal.kind == "fluent" and len(asked.bound) == len(literal.args):
            name, arity = literal.relation
            fluent = Term(name, literal.args)
            if fluent.is_ground:
                place = -self.terms.id(fluent)
            else:
                values = [self.build(arg, env) for arg in literal.args]
                place, self.widest = self.fresh(), max(self.widest, len(values))
                self.emit(codes.KNOWN, place, self.terms.functor(name, arity), len(values), *values)
            self.emit(codes.LACKS if literal.negated else codes.HOLDS, place, fail)
            return
        place = self._rows(literal, asked, env)
        self.emit(codes.UNLESS if literal.negated else codes.IF, place, fail)

    def _join(self, literal: BodyLiteral, asked: Columns, env: Env, fail: Label) -> Loop:
        """A loop over the wanted columns of all rows that agree with the known ones."""
        place = self._rows(literal, asked, env)
        given = [self.fresh() for _ in asked.wanted]
        if self._mixes:
            loop = self._drawn(place, fail, given)
        else:
            loop = self._loop(codes.EACH, codes.NEXT, fail, given, place)
        for i, value in zip(asked.wanted, given, strict=True):
            self.match(literal.args[i], value, env, loop[0])
        return loop

    def _drawn(self, place: int, fail: Label, given: Sequence[int]) -> Loop:
        """A loop over rows in any order."""
        count, top = self.fresh(), Label()
        self.emit(codes.ORDER, place, count)
        self.here(top)
        self.emit(codes.DRAW, place, count, fail, len(given), *given)
        return Label(), codes.GO, place, top

    def _rows(self, literal: BodyLiteral, asked: Columns, env: Env) -> int:
        """The register of the first row that agrees with the known columns."""
        keys = [self.build(literal.args[i], env) for i in asked.bound]
        place = self.fresh()
        if literal.kind == "call":
            other = self.procedure(literal.relation, asked.mask(len(literal.args)))
            is_denied = literal.recursive and literal.negated
            call = codes.DENY if is_denied else codes.CALL
            self.emit(call, place, other.number, len(keys), *keys)
            return place
        is_fluent = literal.kind == "fluent"
        key = literal.relation, is_fluent, asked
        if key not in self._table_of:
            self._table_of[key] = Table(len(self.tables), *key)
            self.tables.append(self._table_of[key])
        look_up = codes.FLUENTS if is_fluent else codes.FIND
        self.emit(look_up, place, self._table_of[key].tag, len(keys), *keys)
        return place


def _is_plain_test(literal: BodyLiteral, env: Env) -> bool:
    if literal.kind in ("does", "holds"):  # these may be loops
        return False
    return literal.kind == "distinct" or columns(literal, env, ()).is_test
