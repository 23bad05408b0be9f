"""A plain evaluator of GDL sheets, straight from the text, to hold other engines against.

Nothing is grounded and nothing is compiled ahead: in every state the rules are evaluated bottom-up,
stratum by stratum, to their least fixpoint. A relation that depends on its own negation is given
its well-founded meaning (by the alternating fixpoint), which must be total: so negation that is
stratified by atoms only, such as ``(<= (goal r 100) (not (goal r 0)))``, works, and a real paradox
is an error.

The decisions quoted as "decision n" are the numbered ones of the project's semantics.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Term: TypeAlias = "str | tuple[Term, ...]"
"""A symbol, a variable (it begins with ``?``), or a compound with its functor first."""

Signature: TypeAlias = tuple[str, int]
Env: TypeAlias = list[Term]

CONNECTIVES = frozenset(("<=", "not", "or", "and", "distinct"))
ARITY = {
    "role": 1, "init": 1, "true": 1, "next": 1, "base": 1, "legal": 2, "does": 2, "goal": 2,
    "input": 2, "terminal": 0, "distinct": 2, "sees": 2,
}  # fmt: skip
KEYWORDS = CONNECTIVES | frozenset(ARITY) | {"random"}
TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)
NEXT: Signature = ("next", 1)

# No relation may hold more atoms, no term nest deeper: a recursion that grows for ever is caught.
MAX_ATOMS = 2_000_000
MAX_DEPTH = 50


class GdlError(ValueError):
    """The sheet breaks a rule of the language, or the state has no meaning."""


# --------------------------------------------------------------------------------------------------
# Reading
# --------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r";[^\n]*|#\|.*?\|#|([()]|[^\s();]+)", re.DOTALL)


class Reader:
    """Reads s-expressions; folds the case of symbols and keeps the first spelling (decision 1)."""

    def __init__(self) -> None:
        self.spelling = {word: word for word in KEYWORDS}

    def symbol(self, token: str) -> str:
        """Return the canonical spelling of a token."""
        folded = token.lower()
        if folded == "?":
            raise GdlError("? names no variable")
        return folded if folded[0] == "?" else self.spelling.setdefault(folded, token)

    def forms(self, text: str) -> list[Term]:
        """Read all top-level forms; lists become tuples, whatever stands in them."""
        stack: list[list[Term]] = [[]]
        for match in _TOKEN.finditer(text.lstrip("\ufeff")):
            token = match.group(1)
            if token is None:
                continue
            if token == "(":
                stack.append([])
            elif token == ")":
                if len(stack) == 1:
                    raise GdlError("unmatched )")
                inner = tuple(stack.pop())
                if not inner:
                    raise GdlError("() means nothing")
                stack[-1].append(inner)
            else:
                stack[-1].append(self.symbol(token))
        if len(stack) > 1:
            raise GdlError("unmatched (")
        return stack[0]


def term_of(form: Term) -> Term:
    """Return the term that a form writes; ``(p)`` is ``p`` (decision 5)."""
    if isinstance(form, str):
        return form
    head, *rest = form
    if not isinstance(head, str) or head.startswith("?") or head in CONNECTIVES:
        raise GdlError(f"no term: {form}")
    return (head, *map(term_of, rest)) if rest else head


def kif(term: Term) -> str:
    """Write a term as canonical KIF."""
    return term if isinstance(term, str) else f"({' '.join(map(kif, term))})"


def is_variable(term: Term) -> bool:
    """Tell whether a term is a variable."""
    return isinstance(term, str) and term.startswith("?")


def variables(term: Term) -> set[str]:
    """Return the variables that occur in a term."""
    if isinstance(term, str):
        return {term} if is_variable(term) else set()
    found: set[str] = set()
    return found.union(*map(variables, term[1:]))


def depth(term: Term) -> int:
    """Return how deep a term nests: 0 for a symbol."""
    return 0 if isinstance(term, str) else 1 + max(map(depth, term[1:]))


def signature(atom: Term) -> Signature:
    """Return name and arity of an atom."""
    if isinstance(atom, str):
        return atom, 0
    assert isinstance(atom[0], str)
    return atom[0], len(atom) - 1


# --------------------------------------------------------------------------------------------------
# Rules
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Literal:
    """A part of a body: an atom, a negated atom, or a pair of terms that (do not) differ."""

    kind: str  # "atom", "not", "distinct" or "equal"
    term: Term  # of the last two kinds: ("distinct", a, b)

    @property
    def variables(self) -> set[str]:
        """The variables in it."""
        return variables(self.term)


@dataclass(frozen=True)
class Rule:
    """A head that holds where all literals of the body do."""

    head: Term
    body: tuple[Literal, ...]


def branches(form: Term, positive: bool = True) -> list[tuple[Literal, ...]]:
    """Return a body form as alternatives, each a conjunction of literals (decisions 6 to 8)."""
    name, args = (form, ()) if isinstance(form, str) else (form[0], form[1:])
    if name == "not":
        if len(args) != 1:
            raise GdlError("not takes one atom")
        return branches(args[0], not positive)
    if name in ("or", "and"):
        parts = [branches(arg, positive) for arg in args]
        if (name == "or") == positive:
            return [branch for part in parts for branch in part]
        return [sum(choice, ()) for choice in itertools.product(*parts)]
    if name == "distinct":
        if len(args) != 2:
            raise GdlError("distinct takes two terms")
        kind = "distinct" if positive else "equal"
        return [(Literal(kind, ("distinct", *map(term_of, args))),)]
    atom = term_of(form)
    if is_variable(atom):
        raise GdlError(f"a variable is no atom: {atom}")
    return [(Literal("atom" if positive else "not", atom),)]


def split(form: Term) -> tuple[Term, tuple[Term, ...]]:
    """Return head and body of a top-level form."""
    if isinstance(form, str) or form[0] != "<=":
        return term_of(form), ()
    if len(form) == 1:
        raise GdlError("a rule without a head")
    return term_of(form[1]), form[2:]


def rules_of(form: Term) -> list[Rule]:
    """Return the rules that a top-level form stands for, checked one by one."""
    head, body_forms = split(form)
    bodies = branches(("and", *body_forms)) if body_forms else [()]
    found = [Rule(head, body) for body in bodies]
    for rule in found:
        check(rule)
    return found


def goal_value(term: Term) -> int | None:
    """Return a goal value, None for a variable; anything but 0 to 100 is an error."""
    name = kif(term)
    if is_variable(term):
        return None
    if not (name.isdecimal() and int(name) <= 100):
        raise GdlError(f"no goal value: {name}")
    return int(name)


def check(rule: Rule) -> None:
    """Raise an error for a rule that no evaluation can give a meaning."""
    atoms = [item.term for item in rule.body if item.kind in ("atom", "not")]
    if signature(rule.head) == ("goal", 2):
        goal_value(rule.head[2])
    for atom in (rule.head, *atoms):
        name, arity = signature(atom)
        if name.startswith("?") or name in CONNECTIVES or ARITY.get(name, arity) != arity:
            raise GdlError(f"no atom: {kif(atom)}")
    head = signature(rule.head)[0]
    if head in ("true", "does") or (head == "role" and (rule.body or variables(rule.head))):
        raise GdlError(f"{head} may not be defined so: {kif(rule.head)}")
    for atom in atoms:
        if signature(atom)[0] in ("init", "next", "base", "input"):
            raise GdlError(f"{kif(atom)} may not stand in a body")
    bound = {name for item in rule.body if item.kind == "atom" for name in item.variables}
    used = variables(rule.head).union(*(item.variables for item in rule.body))
    if used - bound:
        raise GdlError(f"unsafe: {', '.join(sorted(used - bound))} in {kif(rule.head)}")


# --------------------------------------------------------------------------------------------------
# Tables of true atoms
# --------------------------------------------------------------------------------------------------


def fits(shape: Term, term: Term, key: list[Term]) -> bool:
    """Hold a term against a shape: ``#`` marks a part of the key, ``?`` a part that may be any."""
    if shape == "?":
        return True
    if shape == "#":
        key.append(term)
        return True
    if isinstance(term, str) or len(term) != len(shape) or term[0] != shape[0]:
        return False
    return all(fits(part, arg, key) for part, arg in zip(shape[1:], term[1:], strict=True))


class Table:
    """The true atoms of one relation, found by any of their parts."""

    __slots__ = ("indexes", "rows")

    def __init__(self, rows: Iterable[Term] = ()) -> None:
        self.rows: set[Term] = set()
        self.indexes: dict[Term, dict[tuple[Term, ...], list[Term]]] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Term) -> bool:
        """Add an atom; tell whether it is new."""
        if row in self.rows:
            return False
        if len(self.rows) >= MAX_ATOMS:
            raise GdlError("a relation grows without end")
        self.rows.add(row)
        for shape, index in self.indexes.items():
            self._enter(index, shape, row)
        return True

    def like(self, shape: Term, key: tuple[Term, ...]) -> Sequence[Term]:
        """Return the atoms of a shape whose marked parts are the key."""
        index = self.indexes.get(shape)
        if index is None:
            index = self.indexes[shape] = {}
            for row in self.rows:
                self._enter(index, shape, row)
        return index.get(key, ())

    @staticmethod
    def _enter(index: dict[tuple[Term, ...], list[Term]], shape: Term, row: Term) -> None:
        key: list[Term] = []
        if fits(shape, row, key):
            index.setdefault(tuple(key), []).append(row)


Tables: TypeAlias = dict[Signature, Table]
_EMPTY = Table()


@dataclass
class Context:
    """What a running rule reads and writes."""

    tables: Tables
    delta: Tables = field(default_factory=dict)  # what the last round of a fixpoint added
    assumed: set[Term] = field(default_factory=set)  # atoms that inner negation takes for true
    out: list[Term] = field(default_factory=list)


# --------------------------------------------------------------------------------------------------
# Running one rule: nested loops over the literals, each looked up by what is bound before it
# --------------------------------------------------------------------------------------------------

Step: TypeAlias = Callable[[Context, Env], None]


def builder(term: Term, slots: Mapping[str, int]) -> Callable[[Env], Term]:
    """Return a function that fills the variables of a term in."""
    if not variables(term):
        return lambda env: term
    if isinstance(term, str):
        slot = slots[term]
        return lambda env: env[slot]
    head, parts = term[0], [builder(arg, slots) for arg in term[1:]]
    return lambda env: (head, *[part(env) for part in parts])


def getter(path: tuple[int, ...]) -> Callable[[Term], Term]:
    """Return a function that takes the part of a term at a path."""

    def get(term: Term) -> Term:
        for place in path:
            term = term[place]
        return term

    return get


@dataclass
class Pattern:
    """An atom with free variables, taken apart for the look-up."""

    shape: Term
    keys: list[Term]  # the bound parts, in the order of the shape
    places: list[tuple[str, tuple[int, ...]]]  # the free variables and where they stand


def take_apart(atom: Term, bound: set[str]) -> Pattern:
    """Split an atom into the parts that are bound already and those that it binds."""
    found = Pattern("?", [], [])

    def walk(term: Term, path: tuple[int, ...]) -> Term:
        if variables(term) <= bound:
            found.keys.append(term)
            return "#"
        if isinstance(term, str):
            found.places.append((term, path))
            return "?"
        return (term[0], *[walk(arg, (*path, n)) for n, arg in enumerate(term[1:], 1)])

    found.shape = walk(atom, ())
    return found


class Plan:
    """One rule made ready to run; the literal number ``delta``, if any, reads the last news only.

    Negated atoms of the relations in ``open_world`` are looked up among the assumed atoms.
    """

    def __init__(
        self, rule: Rule, delta: int | None = None, open_world: Iterable[Signature] = ()
    ) -> None:
        self.rule = rule
        self.open_world = frozenset(open_world)
        names = sorted(set().union(*(item.variables for item in rule.body)))
        self.slots = {name: n for n, name in enumerate(names)}
        head = builder(rule.head, self.slots)

        def emit(context: Context, env: Env) -> None:
            context.out.append(head(env))

        order = list(self._order(delta))
        self.first: Step = emit
        for number, bound in reversed(order):
            item = rule.body[number]
            self.first = self._step(item, bound, number == delta, self.first)

    def run(self, context: Context) -> None:
        """Append all heads that the body yields to the output."""
        self.first(context, [""] * len(self.slots))

    def _order(self, first: int | None) -> Iterator[tuple[int, set[str]]]:
        """Yield the literals in a good order, each with the variables bound before it."""
        rest = list(range(len(self.rule.body)))
        bound: set[str] = set()
        while rest:
            number = first if first in rest else max(rest, key=lambda n: self._worth(n, bound))
            assert number is not None
            yield number, set(bound)
            rest.remove(number)
            bound |= self.rule.body[number].variables

    def _worth(self, number: int, bound: set[str]) -> tuple[float, ...]:
        """Rank a literal: tests as soon as they can be made, then what binds the most."""
        item = self.rule.body[number]
        free = item.variables - bound
        if item.kind != "atom":
            return (2 if not free else -1, -number)
        name = signature(item.term)[0]
        pattern = take_apart(item.term, bound)
        return (
            1 if not free else 0,
            name == "does",
            bool(item.variables & bound) or not item.variables or not bound,
            len(pattern.keys) - len(free),
            name == "true",
            -number,
        )

    def _step(self, item: Literal, bound: set[str], is_delta: bool, then: Step) -> Step:
        """Return the loop over one literal, with what follows inside."""
        if item.kind in ("distinct", "equal"):
            left, right = (builder(part, self.slots) for part in item.term[1:])
            differ = item.kind == "distinct"

            def compare(context: Context, env: Env) -> None:
                if (left(env) != right(env)) == differ:
                    then(context, env)

            return compare
        relation = signature(item.term)
        whole = builder(item.term, self.slots)
        if item.kind == "not":
            inner = relation in self.open_world

            def refute(context: Context, env: Env) -> None:
                rows = context.assumed if inner else context.tables.get(relation, _EMPTY).rows
                if whole(env) not in rows:
                    then(context, env)

            return refute
        if item.variables <= bound:

            def confirm(context: Context, env: Env) -> None:
                tables = context.delta if is_delta else context.tables
                if whole(env) in tables.get(relation, _EMPTY).rows:
                    then(context, env)

            return confirm
        return self._loop(relation, take_apart(item.term, bound), is_delta, then)

    def _loop(self, relation: Signature, pattern: Pattern, is_delta: bool, then: Step) -> Step:
        shape = pattern.shape
        keys = [builder(key, self.slots) for key in pattern.keys]
        binds: dict[str, Callable[[Term], Term]] = {}
        repeats: list[tuple[int, Callable[[Term], Term]]] = []
        for name, path in pattern.places:
            if name in binds:
                repeats.append((self.slots[name], getter(path)))
            else:
                binds[name] = getter(path)
        pairs = [(self.slots[name], get) for name, get in binds.items()]

        def loop(context: Context, env: Env) -> None:
            table = (context.delta if is_delta else context.tables).get(relation)
            if table is None or not table.rows:
                return
            for row in table.like(shape, tuple([key(env) for key in keys])):
                for slot, get in pairs:
                    env[slot] = get(row)
                if all(env[slot] == get(row) for slot, get in repeats):
                    then(context, env)

        return loop


# --------------------------------------------------------------------------------------------------
# Strata
# --------------------------------------------------------------------------------------------------


class Stratum:
    """Relations that depend on each other, or one alone, with the rules that define them."""

    def __init__(self, relations: Sequence[Signature], rules: Sequence[Rule]) -> None:
        self.relations = list(relations)
        inside = set(relations)
        literals = [item for rule in rules for item in rule.body if signature(item.term) in inside]
        self.paradox = any(item.kind == "not" for item in literals)
        self.grows = any(depth(rule.head) > 1 for rule in rules) and bool(literals)
        self.plans = [Plan(rule, open_world=inside if self.paradox else ()) for rule in rules]
        self.rounds = [
            Plan(rule, delta=number)
            for rule in rules
            for number, item in enumerate(rule.body)
            if item.kind == "atom" and signature(item.term) in inside and not self.paradox
        ]

    def evaluate(self, tables: Tables) -> None:
        """Add the relations of this stratum to the tables, which hold all lower strata."""
        if self.paradox:
            self._alternate(tables)
        else:
            self._fixpoint(tables)

    def _fixpoint(self, tables: Tables) -> None:
        """Semi-naive: each round joins the atoms that the last one added with all the others."""
        for relation in self.relations:
            tables[relation] = Table()
        context = Context(tables)
        for plan in self.plans:
            plan.run(context)
        while True:
            news = [row for row in context.out if tables[signature(row)].add(row)]
            if not news or not self.rounds:
                return
            delta: Tables = {relation: Table() for relation in self.relations}
            for row in news:
                delta[signature(row)].add(row)
                if self.grows and depth(row) > MAX_DEPTH:
                    raise GdlError("a relation builds ever larger terms")
            context = Context(tables, delta)
            for plan in self.rounds:
                plan.run(context)

    def _alternate(self, tables: Tables) -> None:
        """Squeeze the relations between atoms that are surely true and atoms that may be true."""
        sure: set[Term] = set()
        while True:
            possible = self._naive(tables, assumed=sure)
            grown = self._naive(tables, assumed=possible)
            if grown == sure:
                break
            sure = grown
        if sure != possible:
            row = min(map(kif, possible - sure))
            raise GdlError(f"{row} depends on its own negation")

    def _naive(self, tables: Tables, assumed: set[Term]) -> set[Term]:
        """Return the least fixpoint, negation inside the stratum read off the assumed atoms."""
        for relation in self.relations:
            tables[relation] = Table()
        changed = True
        while changed:
            context = Context(tables, assumed=assumed)
            for plan in self.plans:
                plan.run(context)
            changed = any([tables[signature(row)].add(row) for row in context.out])
            if self.grows and any(depth(row) > MAX_DEPTH for row in context.out):
                raise GdlError("a relation builds ever larger terms")
        return set().union(*(tables[relation].rows for relation in self.relations))


def components(
    nodes: Iterable[Signature], edges: Mapping[Signature, set[Signature]]
) -> list[list[Signature]]:
    """Return the strongly connected components, those that others depend on first (Tarjan)."""
    number: dict[Signature, int] = {}
    low: dict[Signature, int] = {}
    stack: list[Signature] = []
    on_stack: set[Signature] = set()
    found: list[list[Signature]] = []

    def visit(node: Signature) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        on_stack.add(node)
        for other in sorted(edges.get(node, ())):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            part: list[Signature] = []
            while not part or part[-1] != node:
                part.append(stack.pop())
                on_stack.discard(part[-1])
            found.append(part)

    for node in sorted(nodes):
        if node not in number:
            visit(node)
    return found


# --------------------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------------------


class Oracle:
    """A game read from its sheet. States are frozen sets of fluents, written as canonical KIF."""

    CACHED_STATES = 256

    def __init__(self, text: str) -> None:
        self._reader = Reader()
        forms = self._reader.forms(text)
        rules = [rule for form in forms for rule in rules_of(form)]
        self.rules: list[Rule] = list(dict.fromkeys(rules))
        self._terms: dict[str, Term] = {}
        self._names: dict[Term, str] = {}
        self._cache: dict[frozenset[str], Tables] = {}

        defined: dict[Signature, list[Rule]] = {}
        for rule in self.rules:
            defined.setdefault(signature(rule.head), []).append(rule)
        heads = {signature(split(form)[0]) for form in forms}  # also of rules that never hold
        for relation in (("role", 1), ("legal", 2), ("goal", 2), ("terminal", 0)):
            if relation not in heads:
                raise GdlError(f"the sheet defines no {relation[0]}")

        self._layers: tuple[list[Stratum], ...] = ([], [], [])  # fixed, by state, by move
        self._stratify(defined)
        self._fixed: Tables = {}
        for stratum in self._layers[0]:
            stratum.evaluate(self._fixed)

        self.roles: list[str] = list(
            dict.fromkeys(kif(rule.head[1]) for rule in defined["role", 1])
        )
        """The roles in the order of their facts."""
        self.initial: frozenset[str] = frozenset(
            self._name(row[1]) for row in self._fixed.get(("init", 1), _EMPTY).rows
        )
        """The fluents that hold at first."""

    def _stratify(self, defined: Mapping[Signature, list[Rule]]) -> None:
        edges = {
            relation: {
                signature(item.term)
                for rule in rules
                for item in rule.body
                if item.kind in ("atom", "not")
            }
            for relation, rules in defined.items()
        }
        layer = {TRUE: 1, DOES: 2}
        for part in components(defined, edges):
            below = [layer.get(other, 0) for node in part for other in edges.get(node, ())]
            height = max([2 if NEXT in part else 0, *below])
            for node in part:
                layer.setdefault(node, height)
                limit = {"init": 0, "base": 0, "input": 0, "legal": 1, "goal": 1, "terminal": 1}
                if height > limit.get(node[0], 2):
                    raise GdlError(f"{node[0]} may not depend on {('', 'true', 'does')[height]}")
            rules = [rule for node in part for rule in defined.get(node, ())]
            if rules:
                self._layers[height].append(Stratum(part, rules))

    def _name(self, term: Term) -> str:
        name = self._names.get(term)
        if name is None:
            name = self._names[term] = kif(term)
        return name

    def term(self, text: str) -> Term:
        """Read one term in the spelling of the sheet."""
        term = self._terms.get(text)
        if term is None:
            forms = self._reader.forms(text)
            if len(forms) != 1:
                raise GdlError(f"not one term: {text}")
            term = self._terms[text] = term_of(forms[0])
        return term

    def _tables(self, state: frozenset[str]) -> Tables:
        """Return all atoms that hold in a state, whatever is done."""
        tables = self._cache.get(state)
        if tables is None:
            if len(self._cache) >= self.CACHED_STATES:
                del self._cache[next(iter(self._cache))]
            tables = dict(self._fixed)
            tables[TRUE] = Table(("true", self.term(fluent)) for fluent in state)
            for stratum in self._layers[1]:
                stratum.evaluate(tables)
            self._cache[state] = tables
        return tables

    def holds(self, state: frozenset[str], atom: str) -> bool:
        """Tell whether an atom that does not depend on moves holds in a state."""
        term = self.term(atom)
        return term in self._tables(state).get(signature(term), _EMPTY).rows

    def legal(self, state: frozenset[str], role: str) -> list[str]:
        """Return the legal moves of a role, sorted."""
        rows = self._tables(state).get(("legal", 2), _EMPTY).rows
        return sorted(self._name(row[2]) for row in rows if row[1] == role)

    def terminal(self, state: frozenset[str]) -> bool:
        """Tell whether play is over."""
        return bool(self._tables(state).get(("terminal", 0), _EMPTY).rows)

    def goals(self, state: frozenset[str]) -> dict[str, list[int]]:
        """Return all goal values of every role, sorted: exactly one each where play is over."""
        found: dict[str, list[int]] = {role: [] for role in self.roles}
        for row in self._tables(state).get(("goal", 2), _EMPTY).rows:
            name = self._name(row[1])
            if name in found:
                value = goal_value(row[2])
                assert value is not None
                found[name].append(value)
        return {role: sorted(set(values)) for role, values in found.items()}

    def next(self, state: frozenset[str], moves: Mapping[str, str]) -> frozenset[str]:
        """Return the state after a joint move, one legal move for every role."""
        if set(moves) != set(self.roles):
            raise ValueError("every role has to move, and no one else")
        tables = dict(self._tables(state))
        for role, move in moves.items():
            if ("legal", role, self.term(move)) not in tables.get(("legal", 2), _EMPTY).rows:
                raise ValueError(f"{role} may not do {move}")
        tables[DOES] = Table(("does", role, self.term(move)) for role, move in moves.items())
        for stratum in self._layers[2]:
            stratum.evaluate(tables)
        return frozenset(self._name(row[1]) for row in tables.get(NEXT, _EMPTY).rows)

    def joint_moves(self, state: frozenset[str]) -> Iterator[dict[str, str]]:
        """Yield every joint move that is legal in a state."""
        for choice in itertools.product(*(self.legal(state, role) for role in self.roles)):
            yield dict(zip(self.roles, choice, strict=True))

    def goal_constants(self, role: str) -> set[int] | None:
        """Return the values that the heads of the goal rules give a role; None if one computes."""
        found: set[int] = set()
        for rule in self.rules:
            if signature(rule.head) == ("goal", 2):
                whose, value = rule.head[1], goal_value(rule.head[2])
                if is_variable(whose) or whose == role:
                    if value is None:
                        return None
                    found.add(value)
        return found
