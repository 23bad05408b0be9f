"""Grounding with clingo in two passes.

*Reachable*: fluents come from `init` and `next`, moves from `legal`, and negation of whatever
depends on the state is dropped, so that clingo's facts over-approximate all fluents and moves.
*Exact*: each of these becomes a choice, the rules follow with their negation, and the ground
program that clingo hands to an observer is the net: static relations are gone, joins are done.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import clingo

from ggp.errors import LimitReached, RulesError
from ggp.ground.assemble import Assembler, Body
from ggp.ground.decompose import Decomposition
from ggp.ground.encoding import Encoder
from ggp.ground.net import FALSE, TRUE, Net
from ggp.kif import Term
from ggp.limits import DEFAULT, Limits
from ggp.rules import DependencyGraph, Rule, RuleSet, Signature, goal_value, signature

_TRUE, _DOES = ("true", 1), ("does", 2)
_REACH = (("init", 1), ("next", 1), ("legal", 2), ("role", 1))
_SEES = ("sees", 2)
_EXACT = (("next", 1), ("legal", 2), ("goal", 2), _SEES, ("terminal", 0))


PLAIN_RULES = 400_000
PLAIN_SECONDS = 10.0
"""Size and time up to which the rules are grounded as they are written."""


def ground(rules: RuleSet, limits: Limits = DEFAULT) -> Net:
    """The net of a rule set.

    The rules are grounded as they are written, and where that takes more than `PLAIN_RULES` or
    `PLAIN_SECONDS`, once more with their bodies decomposed, which helps with joins of many
    variables and costs a little elsewhere.

    Raises `RulesError` where the rules have errors and `LimitReached` where the ground program
    passes `limits.ground_rules` or `limits.ground_seconds`.
    """
    rules.require_valid()
    plain = replace(
        limits,
        ground_rules=min(limits.ground_rules, PLAIN_RULES),
        ground_seconds=min(limits.ground_seconds, PLAIN_SECONDS),
    )
    try:
        return _ground(rules, _as_written(rules), plain)
    except LimitReached as error:
        if error.limit not in ("ground_rules", "ground_seconds"):
            raise
    return _ground(rules, _decomposed(rules), limits)


def _ground(rules: RuleSet, program: _Program, limits: Limits) -> Net:
    encoder = Encoder(rules.rules)
    meter = _Meter(limits)
    try:
        reachable = _reachable(rules, program, encoder, meter)
        observed = _exact(program, encoder, reachable, meter)
        return _net(rules.roles, encoder, reachable, observed)
    except RecursionError:
        raise LimitReached("depth", limits.depth, "terms that grow while grounding") from None


@dataclass(frozen=True)
class _Program:
    """What the two passes ground: without negation of what changes, and with it. `domains` are
    evaluated in the first pass and given to the second as facts."""

    relaxed: Sequence[Rule]
    exact: Sequence[Rule]
    domains: Sequence[Rule] = ()


def _as_written(rules: RuleSet) -> _Program:
    """The rules as they are, and without the negations that depend on the state."""
    changing = rules.graph.depending_on([_TRUE, _DOES])
    relaxed = [
        Rule(
            rule.head,
            rule.positive,
            tuple(atom for atom in rule.negative if signature(atom) not in changing),
            rule.distinct,
            rule.span,
        )
        for rule in rules.rules
    ]
    return _Program(relaxed, rules.rules)


def _decomposed(rules: RuleSet) -> _Program:
    """The same with decomposed bodies."""
    written = _as_written(rules)
    parts = Decomposition()
    relaxed = parts.run(written.relaxed)
    exact = parts.run(written.exact)
    return _Program(relaxed, exact, parts.domains)


@dataclass
class _Meter:
    """Counts ground rules and seconds of both passes together."""

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    rules: int = 0

    def count(self) -> None:
        self.rules += 1
        if self.rules > self.limits.ground_rules:
            raise LimitReached("ground_rules", self.limits.ground_rules)
        if self.rules % 1024 == 0:
            self.check_time()

    def check_time(self) -> None:
        if time.monotonic() - self.started > self.limits.ground_seconds:
            raise LimitReached("ground_seconds", self.limits.ground_seconds)


class _Observer(clingo.Observer):
    """Collects a ground program: bodies by head, and the atoms that are shown."""

    def __init__(self, meter: _Meter, keep: bool) -> None:
        self.meter = meter
        self.keep = keep
        self.bodies: dict[int, list[Body]] = defaultdict(list)
        self.shown: list[tuple[clingo.Symbol, int]] = []
        self.failure: LimitReached | None = None

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        try:
            self.meter.count()
        except LimitReached as error:
            # clingo rebuilds exceptions from their text; a plain one survives that.
            self.failure = error
            raise RuntimeError("limit") from None
        if self.keep and not choice and head:
            self.bodies[head[0]].append(tuple(body))

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        self.shown.append((symbol, atom))


def _run(program: str, meter: _Meter, keep: bool) -> tuple[clingo.Control, _Observer]:
    control = clingo.Control(["--warn=none"], logger=lambda code, text: None)
    observer = _Observer(meter, keep)
    control.register_observer(observer, replace=True)
    control.add("base", [], program)
    failure = _in_thread(lambda: control.ground([("base", [])]), meter)
    if isinstance(failure, MemoryError):
        raise LimitReached("memory", meter.limits.memory, "while grounding")
    if failure is not None:
        raise observer.failure or RulesError(f"cannot be grounded: {failure}")
    return control, observer


def _in_thread(work: Callable[[], None], meter: _Meter) -> Exception | None:
    """Run `work` where neither a time limit nor Ctrl-C has to wait for it.

    clingo cannot be interrupted while it joins relations without finding a rule. When the time is
    over its thread is left behind; it ends with the process.
    """
    failures: list[Exception] = []

    def run() -> None:
        try:
            work()
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
        meter.check_time()
    return failures[0] if failures else None


@dataclass(frozen=True)
class _Reachable:
    """The first pass: all fluents and moves that can occur, and the static binary relations."""

    initial: frozenset[Term]
    fluents: tuple[clingo.Symbol, ...]
    moves: tuple[clingo.Symbol, ...]
    statics: dict[Signature, frozenset[tuple[Term, Term]]]
    domains: tuple[clingo.Symbol, ...]


def _reachable(rules: RuleSet, program: _Program, encoder: Encoder, meter: _Meter) -> _Reachable:
    changing = rules.graph.depending_on([_TRUE, _DOES])
    domains = [signature(rule.head) for rule in program.domains]
    relaxed = [*program.relaxed, *program.domains]
    needed = DependencyGraph.of(relaxed).needed_by([*_REACH, *domains])
    lines = [encoder.rule(rule) for rule in relaxed if signature(rule.head) in needed]
    lines += _connect(encoder, "init", "true") + _connect(encoder, "next", "true")
    lines += _connect(encoder, "legal", "does", only_roles=True)
    control, _ = _run("\n".join(lines), meter, keep=False)

    def atoms(families: Sequence[tuple[str, int]]) -> list[clingo.Symbol]:
        by = control.symbolic_atoms.by_signature
        return [atom.symbol for name, arity in families for atom in by(name, arity)]

    statics = {
        relation: frozenset(_pairs(encoder, atoms([encoder.relation(relation)])))
        for relation in needed & rules.graph.first.keys()
        if relation[1] == 2 and relation not in changing and relation[0] not in ("does", "goal")
    }
    return _Reachable(
        frozenset(encoder.decode(s).args[0] for s in atoms(encoder.families(["init"]))),
        tuple(atoms(encoder.families(["true"]))),
        tuple(atoms(encoder.families(["does"]))),
        {relation: pairs for relation, pairs in statics.items() if pairs},
        tuple(atoms([encoder.relation(domain) for domain in domains])),
    )


def _pairs(encoder: Encoder, symbols: Sequence[clingo.Symbol]) -> list[tuple[Term, Term]]:
    decode: Callable[[clingo.Symbol], Term] = encoder.decode_term
    return [(decode(s.arguments[0]), decode(s.arguments[1])) for s in symbols]


def _connect(encoder: Encoder, source: str, target: str, *, only_roles: bool = False) -> list[str]:
    """Rules that make every `source` atom a `target` atom."""
    role, _ = encoder.relation(("role", 1))
    lines = []
    pairs = zip(encoder.families([source]), encoder.families([target]), strict=True)
    for (name, arity), (other, _) in pairs:
        variables = f"({','.join(f'X{i}' for i in range(arity))})" if arity else ""
        guard = f", {role}(X0)" if only_roles else ""
        lines.append(f"{other}{variables} :- {name}{variables}{guard}.")
    return lines


def _exact(program: _Program, encoder: Encoder, reachable: _Reachable, meter: _Meter) -> _Observer:
    needed = DependencyGraph.of(program.exact).needed_by(_EXACT)
    lines = [encoder.rule(rule) for rule in program.exact if signature(rule.head) in needed]
    lines += [f"{symbol}." for symbol in reachable.domains]
    lines += [f"{{{symbol}}}." for symbol in (*reachable.fluents, *reachable.moves)]
    shown = encoder.families(["true", "next", "does", "legal"])
    shown += [encoder.relation(r) for r in (("goal", 2), _SEES, ("terminal", 0))]
    lines += [f"#show {name}/{arity}." for name, arity in dict.fromkeys(shown)]
    _, observer = _run("\n".join(lines), meter, keep=True)
    return observer


def _net(
    roles: tuple[Term, ...], encoder: Encoder, reachable: _Reachable, program: _Observer
) -> Net:
    """Name the atoms of the ground program and assemble the net."""
    fluents = tuple(sorted(encoder.decode(s).args[0] for s in reachable.fluents))
    of_role: dict[Term, list[Term]] = {role: [] for role in roles}
    for symbol in reachable.moves:
        does = encoder.decode(symbol)
        of_role[does.args[0]].append(does.args[1])
    moves = tuple(tuple(sorted(of_role[role])) for role in roles)
    node: dict[Term, int] = {Term("true", (f,)): 2 + i for i, f in enumerate(fluents)}
    for role, own in zip(roles, moves, strict=True):
        node.update({Term("does", (role, m)): 2 + len(node) + i for i, m in enumerate(own)})
    inputs: dict[int, int] = {}
    outputs: dict[Term, int] = {}
    for symbol, atom in program.shown:
        term = encoder.decode(symbol)
        if term in node:
            inputs[atom] = node[term]
        else:
            outputs[term] = atom
    assembler = Assembler(program.bodies, inputs, 2 + len(node))
    goals = {t: a for t, a in outputs.items() if t.name == "goal" and t.args[0] in of_role}
    kept = [a for t, a in outputs.items() if t.name in ("next", "terminal", "sees")]
    kept += [a for t, a in outputs.items() if Term("does", t.args) in node] + list(goals.values())
    assembler.run(kept)

    def literal(term: Term) -> int:
        if term not in outputs:
            return FALSE
        return TRUE if outputs[term] == 0 else assembler.literal(outputs[term])

    return Net(
        roles=roles,
        fluents=fluents,
        moves=moves,
        initial=frozenset(i for i, f in enumerate(fluents) if f in reachable.initial),
        gates=tuple(assembler.gates),
        blocks=tuple(assembler.blocks),
        next=tuple(literal(Term("next", (f,))) for f in fluents),
        legal=tuple(
            literal(Term("legal", (role, move)))
            for role, own in zip(roles, moves, strict=True)
            for move in own
        ),
        goals=tuple(_goals(role, goals, literal) for role in roles),
        sees=tuple(_percepts(role, outputs, literal) for role in roles),
        terminal=literal(Term("terminal")),
        statics=reachable.statics,
        ground_rules=sum(map(len, program.bodies.values())),
    )


def _percepts(
    role: Term, outputs: Iterable[Term], literal: Callable[[Term], int]
) -> tuple[tuple[Term, int], ...]:
    """The percepts of a role, sorted by their text, each with its literal."""
    own = sorted(t.args[1] for t in outputs if t.name == "sees" and t.args[0] == role)
    found = [(percept, literal(Term("sees", (role, percept)))) for percept in own]
    return tuple(pair for pair in found if pair[1] != FALSE)


def _goals(
    role: Term, goals: dict[Term, int], literal: Callable[[Term], int]
) -> tuple[tuple[int, int], ...]:
    """The goal values of a role in ascending order, each with its literal."""
    found = []
    for term in goals:
        if term.args[0] == role:
            found.append((goal_value(role, term.args[1]), literal(term)))
    return tuple(sorted(pair for pair in found if pair[1] != FALSE))
