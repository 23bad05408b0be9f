"""Grounding with clingo in two passes.

*Reachable*: fluents come from `init` and `next`, moves from `legal`, and negation of whatever
depends on the state is dropped, so that clingo's facts over-approximate all fluents and moves.
*Exact*: each of these becomes a choice, the rules follow with their negation, and the ground
program that clingo hands to an observer is the net: static relations are gone, joins are done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf

from ggp.errors import LimitReached
from ggp.ground.assemble import Assembler
from ggp.ground.decompose import Decomposition
from ggp.ground.demand import demanded
from ggp.ground.encoding import FLUENT_KINDS, MOVE_KINDS, Encoder
from ggp.ground.gringo import Grounded, GroundingMeter, run
from ggp.ground.net import FALSE, TRUE, Net
from ggp.ground.unfold import unfolded
from ggp.kif import Term
from ggp.limits import DEFAULT, Limits
from ggp.rules import DependencyGraph, Rule, RuleSet, Signature, goal_value, signature

_TRUE, _DOES = ("true", 1), ("does", 2)
_REACH = (("init", 1), ("next", 1), ("legal", 2), ("role", 1))
_SEES = ("sees", 2)
_EXACT = (("next", 1), ("legal", 2), ("goal", 2), _SEES, ("terminal", 0))


PLAIN_RULES = 400_000
PLAIN_SECONDS = 1.5
"""Size and seconds of computing up to which the rules are grounded as they are written."""

FEW_RULES = 50_000
"""Size up to which derived relations are ground only for what they are asked for before the rules
are grounded as a whole, with their bodies decomposed."""

UNFOLDED_SECONDS = 5.0
"""Seconds of computing in which a large net is compared with another one."""

WIDE = 100_000
"""Literals of a net from which on a smaller one is tried, if there is something to write out."""


def ground(rules: RuleSet, limits: Limits = DEFAULT, also: Collection[Term] = ()) -> Net:
    """The net of a rule set.

    Its fluents are those that play from the initial state can come to, and from any state of these
    and of the fluents `also`, which are to be ground.

    The rules are grounded as they are written, and where that takes more than `PLAIN_RULES` or
    `PLAIN_SECONDS`, once more with their bodies decomposed, which helps with joins of many
    variables and costs a little elsewhere: derived relations only for what they are asked for, if
    that is at most `FEW_RULES`; else all; else again what is asked for, up to the limits. A net
    that is large is compared with that of rules in which static relations are written out.

    Raises `RulesError` where the rules have errors and `LimitReached` where the ground program
    passes `limits.ground_rules` or `limits.ground_seconds`.
    """
    rules.require_valid()
    started = time.monotonic()
    net = _any_way(rules, limits, also, started)
    program = _unfolded(rules) if net.literals > WIDE else None
    if program is not None:
        with suppress(LimitReached):  # there is a net already
            other = _ground(rules, program, GroundingMeter(limits, UNFOLDED_SECONDS, started), also)
            net = min(net, other, key=lambda made: made.literals)
    return net


def _any_way(rules: RuleSet, limits: Limits, also: Collection[Term], started: float) -> Net:
    """The net by the first way in which the rules are not too large."""
    most = limits.ground_rules
    ways = [
        (_as_written, min(most, PLAIN_RULES), PLAIN_SECONDS),
        (_on_demand, min(most, FEW_RULES), inf),
        (_decomposed, most, inf),
        (_on_demand, most, inf),
    ]
    failed = LimitReached("ground_rules", most)
    for number, (program, size, computing) in enumerate(ways):
        if ways.index((program, size, computing)) < number:
            continue  # too large already
        left = limits.ground_seconds - (time.monotonic() - started)
        if left <= 0:
            break
        own = replace(limits, ground_rules=size, ground_seconds=left)
        try:
            return _ground(rules, program(rules), GroundingMeter(own, computing), also)
        except LimitReached as error:
            if error.limit not in ("ground_rules", "ground_seconds"):
                raise
            if error.limit == "ground_seconds" and computing == inf:
                break
            failed = error
    else:
        raise failed
    raise LimitReached("ground_seconds", limits.ground_seconds) from None


def _ground(
    rules: RuleSet, program: _GroundingProgram, meter: GroundingMeter, also: Collection[Term]
) -> Net:
    encoder = Encoder(rules.rules)
    try:
        reachable = _reachable(rules, program, encoder, meter, also)
        observed = _exact(program, encoder, reachable, meter)
        return _net(rules.roles, encoder, reachable, observed)
    except RecursionError:
        raise LimitReached("depth", meter.limits.depth, "terms that grow while grounding") from None


@dataclass(frozen=True)
class _GroundingProgram:
    """What the two passes ground: without negation of what changes, and with it. `domains` are
    relations that are evaluated in the first pass and given to the second as facts."""

    relaxed: Sequence[Rule]
    exact: Sequence[Rule]
    domains: Sequence[Signature] = ()


def _as_written(rules: RuleSet) -> _GroundingProgram:
    """The rules as they are, and without the negations that depend on the state."""
    return _GroundingProgram(_relaxed(rules.rules, _changing(rules)), rules.rules)


def _decomposed(rules: RuleSet) -> _GroundingProgram:
    """The same with decomposed bodies."""
    return _in_parts(rules.rules, _changing(rules))


def _in_parts(rules: Sequence[Rule], changing: Container[Signature]) -> _GroundingProgram:
    parts = Decomposition()
    relaxed = parts.run(_relaxed(rules, changing))
    exact = parts.run(rules)
    domains = [signature(rule.head) for rule in parts.domains]
    return _GroundingProgram([*relaxed, *parts.domains], exact, domains)


def _unfolded(rules: RuleSet) -> _GroundingProgram | None:
    """The same with static relations written out before; None where there are none to write out."""
    changing = _changing(rules)
    written = unfolded(rules.rules, changing)
    return None if written is None else _in_parts(written, changing)


def _on_demand(rules: RuleSet) -> _GroundingProgram:
    """The same, of derived relations only what is asked for."""
    changing = _changing(rules)
    asked = demanded(rules, changing)
    parts = Decomposition()
    relaxed = parts.run([*_relaxed(asked.rules, changing), *asked.demands])
    exact = parts.run(asked.rules)
    domains = [signature(rule.head) for rule in (*asked.demands, *parts.domains)]
    return _GroundingProgram([*relaxed, *parts.domains], exact, list(dict.fromkeys(domains)))


def _changing(rules: RuleSet) -> frozenset[Signature]:
    return rules.graph.depending_on([_TRUE, _DOES])


def _relaxed(rules: Iterable[Rule], changing: Container[Signature]) -> list[Rule]:
    """Rules without the negations that depend on the state."""
    return [
        Rule(
            rule.head,
            rule.positive,
            tuple(atom for atom in rule.negative if signature(atom) not in changing),
            rule.distinct,
            rule.span,
        )
        for rule in rules
    ]


@dataclass(frozen=True)
class _Reachable:
    """The first pass: all fluents and moves that can occur, as texts of their atoms, and the static
    binary relations."""

    initial: frozenset[str]
    fluents: tuple[str, ...]
    moves: tuple[str, ...]
    statics: dict[Signature, frozenset[tuple[Term, Term]]]
    domains: tuple[str, ...]


def _reachable(
    rules: RuleSet,
    program: _GroundingProgram,
    encoder: Encoder,
    meter: GroundingMeter,
    also: Collection[Term],
) -> _Reachable:
    changing, domains = _changing(rules), program.domains
    needed = DependencyGraph.of(program.relaxed).needed_by([*_REACH, *domains])
    lines = [encoder.rule(rule) for rule in program.relaxed if signature(rule.head) in needed]
    lines += [f"{encoder.atom(Term('true', (fluent,)), {})}." for fluent in also]
    lines += _connect(encoder, "init", "true") + _connect(encoder, "next", "true")
    lines += _connect(encoder, "legal", "does", only_roles=True)
    static = [
        relation
        for relation in needed & rules.graph.first.keys()
        if relation[1] == 2 and relation not in changing and relation[0] not in _KEYWORDS
    ]
    kinds = encoder.families(["init", "true", "does"])
    wanted = dict.fromkeys([*kinds, *map(encoder.relation, [*static, *domains])])
    found = run("\n".join(lines), meter, keep=False, wanted=list(wanted)).atoms

    def atoms(families: Sequence[tuple[str, int]]) -> list[str]:
        return [text for family in families for text in found[family]]

    statics = {
        relation: frozenset(_pairs(encoder, atoms([encoder.relation(relation)])))
        for relation in static
    }
    # Lists of facts that only rules under a negation use, or none, are no part of this pass.
    for relation, pairs in _listed(rules).items():
        statics.setdefault(relation, pairs)
    return _Reachable(
        frozenset(_plain(text) for text in atoms(encoder.families(["init"]))),
        tuple(atoms(encoder.families(["true"]))),
        tuple(atoms(encoder.families(["does"]))),
        {relation: pairs for relation, pairs in statics.items() if pairs},
        tuple(atoms([encoder.relation(domain) for domain in domains])),
    )


_KEYWORDS = ("does", "goal", "legal", "input", "sees")
"""Relations of two arguments that are no static relations of a game."""


def _listed(rules: RuleSet) -> dict[Signature, frozenset[tuple[Term, Term]]]:
    """The binary relations that are given by facts alone."""
    found: dict[Signature, set[tuple[Term, Term]]] = {}
    derived: set[Signature] = set()
    for rule in rules.rules:
        relation = signature(rule.head)
        if relation[1] == 2 and relation[0] not in _KEYWORDS:
            if rule.is_fact and rule.head.is_ground:
                found.setdefault(relation, set()).add((rule.head.args[0], rule.head.args[1]))
            else:
                derived.add(relation)
    return {r: frozenset(pairs) for r, pairs in found.items() if r not in derived}


def _pairs(encoder: Encoder, texts: Sequence[str]) -> list[tuple[Term, Term]]:
    atoms = map(encoder.decode, texts)
    return [(atom.args[0], atom.args[1]) for atom in atoms]


def _plain(text: str) -> str:
    """The text of an atom without its kind: the same for what was true, is true, and will be."""
    return text[1:]


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


def _exact(
    program: _GroundingProgram, encoder: Encoder, reachable: _Reachable, meter: GroundingMeter
) -> Grounded:
    needed = DependencyGraph.of(program.exact).needed_by(_EXACT)
    lines = [encoder.rule(rule) for rule in program.exact if signature(rule.head) in needed]
    lines += [f"{symbol}." for symbol in reachable.domains]
    lines += [f"{{{symbol}}}." for symbol in (*reachable.fluents, *reachable.moves)]
    shown = encoder.families(["true", "next", "does", "legal"])
    shown += [encoder.relation(r) for r in (("goal", 2), _SEES, ("terminal", 0))]
    lines += [f"#show {name}/{arity}." for name, arity in dict.fromkeys(shown)]
    return run("\n".join(lines), meter, keep=True, wanted=())


def _net(
    roles: tuple[Term, ...], encoder: Encoder, reachable: _Reachable, observed: Grounded
) -> Net:
    """Name the atoms of the ground program and assemble the net."""
    fluents = sorted((encoder.decode(text).args[0], _plain(text)) for text in reachable.fluents)
    of_role: dict[Term, list[tuple[Term, str]]] = {role: [] for role in roles}
    for text in reachable.moves:
        role, move = encoder.decode(text).args
        of_role[role].append((move, _plain(text)))
    moves = [sorted(of_role[role]) for role in roles]
    place = {text: i for i, (_, text) in enumerate(fluents)}
    made = {text: i for i, (_, text) in enumerate(pair for own in moves for pair in own)}
    named = _Named(encoder, place, made, observed.shown)
    first_gate = 2 + len(place) + len(made)
    program = observed.program
    assembler = Assembler(program, named.inputs, named.outputs(of_role), first_gate)

    def literal(atom: int | None) -> int:
        return FALSE if atom is None else TRUE if atom == 0 else assembler.literal(atom)

    return Net(
        roles=roles,
        fluents=tuple(fluent for fluent, _ in fluents),
        moves=tuple(tuple(move for move, _ in own) for own in moves),
        initial=frozenset(i for text, i in place.items() if text in reachable.initial),
        gates=assembler.gates,
        recursive=tuple(assembler.recursive),
        next=tuple(literal(named.next.get(i)) for i in range(len(place))),
        legal=tuple(literal(named.legal.get(i)) for i in range(len(made))),
        goals=tuple(_goals(role, named.others, literal) for role in roles),
        sees=tuple(_percepts(role, named.others, literal) for role in roles),
        terminal=literal(named.others.get(Term("terminal"))),
        statics=reachable.statics,
        ground_rules=len(program),
    )


class _Named:
    """The shown atoms of a ground program by what they stand for.

    `inputs`: nodes of the atoms of fluents and moves; `next`, `legal`: atoms by the place of the
    fluent or move; `others`: goals, percepts and the end of play.
    """

    def __init__(
        self,
        encoder: Encoder,
        fluents: Mapping[str, int],
        moves: Mapping[str, int],
        shown: Iterable[tuple[str, int]],
    ) -> None:
        self.inputs: dict[int, int] = {}
        self.next: dict[int, int] = {}
        self.legal: dict[int, int] = {}
        self.others: dict[Term, int] = {}
        for text, atom in shown:
            kind, plain = text[0], _plain(text)
            if kind == FLUENT_KINDS["true"]:
                self.inputs[atom] = 2 + fluents[plain]
            elif kind == MOVE_KINDS["does"]:
                self.inputs[atom] = 2 + len(fluents) + moves[plain]
            elif kind == FLUENT_KINDS["next"]:
                self.next[fluents[plain]] = atom
            elif kind != MOVE_KINDS["legal"]:
                self.others[encoder.decode(text)] = atom
            elif plain in moves:  # others are moves of somebody who is no role
                self.legal[moves[plain]] = atom

    def outputs(self, roles: Container[Term]) -> list[int]:
        """All atoms that are asked for; of others than `roles` nothing is."""
        own = (a for t, a in self.others.items() if not t.args or t.args[0] in roles)
        return [*self.next.values(), *self.legal.values(), *own]


_Literal = Callable[[int | None], int]


def _percepts(
    role: Term, atoms: Mapping[Term, int], literal: _Literal
) -> tuple[tuple[Term, int], ...]:
    """The percepts of a role, sorted by their text, each with its literal."""
    own = sorted(t.args[1] for t in atoms if t.name == "sees" and t.args[0] == role)
    found = [(percept, literal(atoms[Term("sees", (role, percept))])) for percept in own]
    return tuple(pair for pair in found if pair[1] != FALSE)


def _goals(role: Term, atoms: Mapping[Term, int], literal: _Literal) -> tuple[tuple[int, int], ...]:
    """The goal values of a role in ascending order, each with its literal."""
    own = [(t, a) for t, a in atoms.items() if t.name == "goal" and t.args[0] == role]
    found = sorted((goal_value(role, term.args[1]), literal(atom)) for term, atom in own)
    return tuple(pair for pair in found if pair[1] != FALSE)
