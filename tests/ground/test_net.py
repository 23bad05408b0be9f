"""Nets: what grounding keeps, merges and drops."""

from __future__ import annotations

from random import Random

import pytest

import ggp
from ggp import LimitReached, Limits, RulesError, Term, parse
from ggp.errors import BudgetSpent
from ggp.ground import FALSE, TRUE, Net, ground
from ggp.ground import net as net_module
from ggp.ground.gringo import GroundingMeter
from ggp.ground.query import Query
from ggp.kif import Source
from ggp.limits import Budget
from ggp.machine.engine.by_definition import ByDefinition
from ggp.rules import read_rules
from tests.conftest import GAMES, SHARED
from tests.oracle.random_games import scramble


def test_fluents_and_moves_are_sorted_by_text() -> None:
    net = ggp.load(GAMES / "kayles" / "kayles-7.kif").net
    for terms in (net.fluents, *net.moves):
        assert [str(t) for t in terms] == sorted(map(str, terms))


def test_a_gate_depends_on_earlier_nodes_only() -> None:
    net = ggp.load(GAMES / "clobber" / "clobber.kif.jinja", rows=3, columns=3).net
    for block in net.blocks:
        for node in range(block.start, block.stop):
            for body in net.bodies(node):
                limit = block.stop if block.recursive else node
                assert all(0 < abs(x) < limit for x in body)


def test_static_relations_leave_no_trace() -> None:
    net = parse(
        """(role p) (init (n 0)) (succ 0 1) (succ 1 2) (<= (legal p inc) (true (n ?x)) (succ ?x ?y))
        (<= (next (n ?y)) (does p inc) (true (n ?x)) (succ ?x ?y))
        (<= terminal (true (n 2))) (goal p 100)"""
    ).net
    assert [str(f) for f in net.fluents] == ["(n 0)", "(n 1)", "(n 2)"]
    assert net.next[0] == FALSE
    assert net.terminal == net.first_fluent + 2
    assert net.goals == (((100, TRUE),),)
    assert {name: len(pairs) for (name, _), pairs in net.statics.items()} == {"succ": 2}


def test_equal_gates_are_one() -> None:
    net = parse(
        """(role p) (init a) (init b) (<= q (true a) (true b)) (<= r (true b) (true a))
        (<= (next c) q) (<= (next d) r) (legal p x) (<= terminal (true c)) (goal p 1)"""
    ).net
    index = {str(f): i for i, f in enumerate(net.fluents)}
    assert net.next[index["c"]] == net.next[index["d"]]


def test_legal_moves_and_goals_of_non_roles_are_ignored() -> None:
    game = parse("(role p) (legal p x) (legal q y) (goal p 1) (goal q 2) terminal")
    assert [len(moves) for moves in game.net.moves] == [1]
    assert game.initial.goals == {"p": 1}


def test_variables_for_whole_fluents_and_moves() -> None:
    """`(true ?x)` cannot be flattened to one predicate for each functor."""
    game = parse(
        """(role p) (role q) (init (on a)) (init b) (<= (legal ?r (keep ?x)) (role ?r) (true ?x))
        (<= (next ?x) (true ?x) (does p (keep ?x))) (<= (next made) (does q ?m) (distinct ?m b))
        (<= terminal (not (true b))) (<= (goal ?r 1) (role ?r))"""
    )
    after = game.initial.play({"p": "(keep (on a))", "q": "(keep b)"})
    assert [str(f) for f in after.facts] == ["(on a)", "made"]
    assert after.terminal


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("(init (n z)) (<= (next (n (s ?x))) (true (n ?x)))", "ground_"),
        (
            "(b 0) (b 1) (<= (r ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m) "
            + " ".join(f"(b ?{c})" for c in "abcdefghijklm")
            + ") (<= (next x) (r ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m) (true x)) (init x)",
            "ground_rules",
        ),
    ],
)
def test_rules_that_explode_reach_a_stated_limit(text, limit) -> None:
    sheet = f"(role p) (legal p x) (goal p 1) (<= terminal (true done)) {text}"
    game = parse(sheet, limits=Limits(ground_rules=5_000, ground_seconds=5))
    with pytest.raises(LimitReached, match=limit):
        game.net  # noqa: B018 - a property that raises
    after = game.initial.play("x")  # played from the rules instead
    assert not after.terminal
    assert game.evaluator.engine == "unground"


def test_a_computed_goal_must_be_a_number() -> None:
    with pytest.raises(RulesError, match="no integer"):
        parse("(role p) (legal p x) terminal (v a) (<= (goal p ?x) (v ?x))")


def test_memory_is_a_limit_of_grounding() -> None:
    text = (GAMES / "kayles" / "kayles-7.kif").read_text(encoding="utf-8")
    rules = read_rules(Source("kayles", text))
    meter = GroundingMeter(Limits(memory=1))
    with pytest.raises(LimitReached, match="memory"):
        meter.check()
    with pytest.raises(LimitReached):
        ground(rules, Limits(memory=1, ground_seconds=0))


def shapes(net: Net, names: dict[str, str]) -> dict[str, int]:
    """What every output of a net computes from the inputs, as a number that does not depend on
    how nodes are numbered; symbols are renamed."""

    def renamed(term: Term) -> str:
        name = names.get(term.name, term.name)
        return f"({name} {' '.join(map(renamed, term.args))})"

    value = {TRUE: hash("true")}
    for i, fluent in enumerate(net.fluents):
        value[net.first_fluent + i] = hash(("true", renamed(fluent)))
    moves = [(role, move) for role, own in zip(net.roles, net.moves, strict=True) for move in own]
    for i, (role, move) in enumerate(moves):
        value[net.first_move + i] = hash(("does", renamed(role), renamed(move)))

    def literal(x: int) -> tuple[bool, int]:
        return x > 0, value[abs(x)]

    for block in net.blocks:
        nodes = range(block.start, block.stop)
        value.update(dict.fromkeys(nodes, 0))
        for _ in nodes if block.recursive else (0,):
            value |= {
                node: hash(frozenset(frozenset(map(literal, b)) for b in net.bodies(node)))
                for node in nodes
            }
    found = {f"next {renamed(f)}": literal(x) for f, x in zip(net.fluents, net.next, strict=True)}
    for (role, move), x in zip(moves, net.legal, strict=True):
        found[f"legal {renamed(role)} {renamed(move)}"] = literal(x)
    for role, goals in zip(net.roles, net.goals, strict=True):
        found |= {f"goal {renamed(role)} {number}": literal(x) for number, x in goals}
    found["terminal"] = literal(net.terminal)
    found["initial"] = (True, hash(frozenset(renamed(net.fluents[i]) for i in net.initial)))
    return found


SCRAMBLED = [
    GAMES / "kayles" / "kayles-7.kif", GAMES / "tic-tac-toe" / "tic-tac-toe.kif",
    GAMES / "clobber" / "clobber-4x4.kif",
    *(
        SHARED / "corpus" / "games" / f"{name}.kif"
        for name in ("breakthroughSmall", "eightPuzzle", "nim3", "atariGo_7x7", "cubicup_3player")
    ),
]  # fmt: skip


@pytest.mark.parametrize("path", SCRAMBLED, ids=lambda path: path.stem)
@pytest.mark.parametrize("decomposed", [False, True])
def test_scrambled_sheets_ground_to_isomorphic_nets(path, decomposed, monkeypatch) -> None:
    """docs/semantics.md 17: nothing may depend on a name other than the keywords."""
    if not path.exists():
        pytest.skip("reference material is not here")
    if decomposed:
        monkeypatch.setattr("ggp.ground.grounder.PLAIN_RULES", 0)
        monkeypatch.setattr("ggp.ground.grounder.FEW_RULES", 0)
    text = path.read_text(encoding="utf-8")
    other, names = scramble(text, 1)
    back = {new: old for old, new in names.items()}
    assert shapes(parse(text).net, {}) == shapes(parse(other).net, back)


SHEETS = [
    """
    (role a) (init (p 0)) (next-of 0 1) (next-of 1 2) (next-of 2 0)
    (<= (next (p ?y)) (true (p ?x)) (next-of ?x ?y) (does a go)) (<= (next (q ?x)) (true (p ?x)))
    (legal a stay) (<= (legal a go) (not (true (q 1)))) (<= (legal a (jump ?x)) (true (q ?x)))
    (<= terminal (true (p 2)) (not (true (q 0)))) (<= (goal a 100) (true (q 2)))
    (<= (goal a 0) (not (true (q 2))))
    """,
    """
    (role a) (init (at 1)) (link 1 2) (link 2 3) (link 3 1) (link 3 4)
    (<= (open ?x ?y) (link ?x ?y) (not (true (shut ?x ?y))))
    (<= (come ?x) (true (at ?x))) (<= (come ?y) (come ?x) (open ?x ?y))
    (<= (legal a (shut ?x ?y)) (open ?x ?y)) (<= (legal a wait) (not (come 4)))
    (<= (next (shut ?x ?y)) (does a (shut ?x ?y))) (<= (next (shut ?x ?y)) (true (shut ?x ?y)))
    (<= (next (at ?x)) (true (at ?x))) (<= terminal (not (come 2)))
    (<= (goal a 100) (come 4)) (<= (goal a 0) (not (come 4)))
    """,
]


@pytest.mark.parametrize("text", SHEETS)
def test_what_follows_is_the_same_from_arrays_and_from_tuples(text, monkeypatch) -> None:
    """And what is told of the end and of moves is so in every state in which the given literals
    hold."""
    net, chance = ggp.parse(text).net, Random(1)
    inputs = range(net.first_fluent, net.first_gate)
    for _ in range(200):
        given = [x * chance.choice((1, -1)) for x in inputs if chance.random() < 0.7]
        if chance.random() < 0.2:
            given.append(chance.choice((1, -1)) * chance.randint(1, net.size))
        wanted = [sign * x for x in range(1, net.size + 1) for sign in (1, -1)]
        told = []
        for many in (10**9, 0):
            monkeypatch.setattr(net_module, "MANY", many)
            told.append(net.under(given, wanted))
        assert told[0] == told[1]
    evaluator = ByDefinition(net)
    for _ in range(100):
        state = chance.getrandbits(len(net.fluents))
        held = [i if state >> i & 1 else ~i for i in range(len(net.fluents))]
        given = [net.first_fluent + i if i >= 0 else -net.first_fluent - ~i for i in held]
        told = net.under([x for x in given if chance.random() < 0.8], [net.terminal, *net.legal])
        over = told.get(net.terminal, evaluator.terminal(state))
        assert over == evaluator.terminal(state)
        legal = evaluator.legal(state)[0]
        for move, x in enumerate(net.legal):
            assert told.get(x, move in legal) == (move in legal)


def test_a_question_is_written_within_the_account(monkeypatch) -> None:
    """Two seconds of writing were no part of any account (quarto, a player's move of 0.1 s)."""
    game = ggp.load(GAMES / "clobber" / "clobber.kif.jinja", rows=4, columns=4)
    Query(game.net, 1e9, moving=True)
    monkeypatch.setattr("ggp.ground.query.LOOKING", 16)
    with Budget(Limits(memory=1)).in_force(), pytest.raises(BudgetSpent):
        Query(game.net, 1e9, moving=True)
