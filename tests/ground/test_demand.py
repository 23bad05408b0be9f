"""Relations ground for what they are asked for make the same game, and fewer rules."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp import Limits, parse
from ggp.errors import LimitReached
from ggp.ground import grounder
from ggp.ground.demand import demanded
from ggp.kif import Source
from ggp.rules import RuleSet, read_rules
from tests.conftest import all_sheets, nightly, shared
from tests.ground.test_decompose import agree
from tests.oracle.random_games import random_game

CORPUS = ["chomp", "nim4", "cubicup_3player", "racetrackcorridor"]


def on_demand(monkeypatch, make) -> ggp.Game:
    """The game that `make` makes, every derived relation on demand."""
    with monkeypatch.context() as patch:
        patch.setattr(grounder, "PLAIN_RULES", 0)
        patch.setattr(grounder, "_decomposed", grounder._on_demand)
        game = make()
        assert game.net
        return game


@pytest.mark.slow
@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_on_our_sheets(sheet, monkeypatch) -> None:
    agree(ggp.load(sheet), on_demand(monkeypatch, lambda: ggp.load(sheet)), 3)


@pytest.mark.parametrize("name", CORPUS)
def test_on_public_sheets(name, monkeypatch) -> None:
    sheet = shared("corpus", "games", f"{name}.kif")
    agree(ggp.load(sheet), on_demand(monkeypatch, lambda: ggp.load(sheet)), 1)


@pytest.mark.parametrize("seed", [*range(10), *nightly(range(10, 60))])
def test_on_random_games(seed, monkeypatch) -> None:
    text = random_game(seed)
    plain = parse(text)
    if not plain.analyse().value("cyclic"):
        agree(plain, on_demand(monkeypatch, lambda: parse(text)), 3)


def with_relations(seed: int) -> str:
    """A sheet with derived relations of up to three arguments, static and changing, that ask for
    each other and for themselves, under negations of earlier ones too."""
    rng = random.Random(seed)
    names = "abc"
    facts = {f"(e {rng.choice(names)} {rng.choice(names)})" for _ in range(4)}
    facts |= {f"(f {rng.choice(names)})" for _ in range(2)}
    arity = [rng.choice((1, 2, 3, 3)) for _ in range(5)]
    rules = []
    for i, size in enumerate(arity):
        for _ in range(rng.choice((1, 2, 3))):
            variables = [f"?{v}" for v in "xyzuv"[: rng.choice((2, 3, 4))]]

            def args(count: int, of: list[str] = variables) -> str:
                return " ".join(rng.choice([*of, rng.choice(names)]) for _ in range(count))

            head = [rng.choice(variables) for _ in range(size)]
            positive = [f"(r{j} {args(arity[j])})" for j in range(i + 1) if rng.random() < 0.4]
            body = [*positive, f"(e {args(2)})"]
            if rng.random() < 0.5:
                body.append(f"(true (at {args(1)}))")
            bound = {word.strip("()") for atom in body for word in atom.split()}
            body += [f"(f {v})" for v in variables if v not in bound]
            body += [f"(not (r{j} {args(arity[j])}))" for j in range(i) if rng.random() < 0.3]
            if rng.random() < 0.3:
                body.append(f"(distinct {' '.join(rng.sample(variables, 2))})")
            rng.shuffle(body)
            rules.append(f"(<= (r{i} {' '.join(head)}) {' '.join(body)})")

    def asked(i: int) -> str:
        return f"(r{i} {' '.join(rng.choice(('?m', rng.choice(names))) for _ in range(arity[i]))})"

    start = f"(init (at {rng.choice(names)})) (init (count 0)) (++ 0 1) (++ 1 2) (++ 2 3)"
    return f"""(role p) {" ".join(sorted(facts))} {start} (name a) (name b) (name c)
        {" ".join(rules)}
        (<= (legal p (go ?m)) (name ?m) {asked(4)})
        (<= (legal p (go ?m)) (name ?m) (not {asked(3)}))
        (legal p stay)
        (<= (next (at ?m)) (does p (go ?m)) (not {asked(2)}))
        (<= (next (at ?m)) (true (at ?m)) {asked(1)})
        (<= (next (count ?n)) (true (count ?k)) (++ ?k ?n))
        (<= terminal (true (count 3)))
        (<= (goal p 100) (name ?m) {asked(3)}) (goal p 0)"""


@pytest.mark.parametrize("seed", [*range(150), *nightly(range(150, 1_500))])
def test_on_relations_that_ask_for_each_other(seed, monkeypatch) -> None:
    text = with_relations(seed)
    agree(parse(text), on_demand(monkeypatch, lambda: parse(text)), 4)


def bound(text: str) -> dict[str, int]:
    """How many positions of each restricted relation are bound."""
    rules: RuleSet = read_rules(Source("t", text))
    found = demanded(rules, rules.graph.depending_on([("true", 1), ("does", 2)]))
    return {rule.head.name.split()[-1]: len(rule.head.args) for rule in found.demands}


GAME = "(role p) (init (on a)) (legal p go) (<= (next (on a)) (true (on a))) (goal p 1) terminal"


def test_what_is_bound() -> None:
    """By constants, by what stands before, by the head; not what one atom leaves open, nor terms
    that could grow."""
    of = GAME + "(<= (q ?x ?y ?z) (true (on ?x)) (true (on ?y)) (true (on ?z)))"
    assert bound(of + "(<= (goal p 2) (q a b ?z))") == {"q": 2}
    assert bound(of + "(<= (goal p 2) (q a b ?z)) (<= (goal p 3) (q ?x b a))") == {"q": 1}
    assert bound(of + "(<= (goal p 2) (q ?x ?y ?z))") == {}
    assert bound(of + "(<= (goal p 2) (true (on ?x)) (not (q ?x ?x a)))") == {"q": 3}
    assert bound(of + "(<= (goal p 2) (true (on ?x)) (q (s ?x) a ?z))") == {"q": 1}
    asking = "(<= (w ?x) (q ?x ?x ?z)) (<= (goal p 2) (w a))"
    assert bound(of + asking) == {"w": 1, "q": 2}


def test_static_negations_and_pairs_stay_as_they_are() -> None:
    """Else demands could rest on their own negation, and chains of numbers be cut short."""
    static = GAME + "(e a b) (<= (q ?x ?y ?z) (e ?x ?y) (e ?y ?z)) (<= (r ?x ?y) (e ?y ?x))"
    assert bound(static + "(<= (goal p 2) (e ?x ?y) (not (q ?x ?y b)))") == {}
    assert bound(static + "(<= (goal p 2) (r a b))") == {}
    assert bound(static + "(<= (goal p 2) (q a b b))") == {"q": 3}


COUNTS = """(role p) (init (at 0)) (<= (legal p (go ?x)) (cell ?x)) (goal p 100)
(<= (next (at ?x)) (does p (go ?x))) (<= terminal (full 1 2 3 4 5))
(<= (full ?a ?b ?c ?d ?e) (true (at ?a)) (cell ?b) (cell ?c) (cell ?d) (cell ?e)
    (not (true (at ?b))))"""


def test_a_relation_of_many_arguments_grounds_within_the_limits() -> None:
    """Of 20 cells there are 3,200,000 lists of five; one is asked for."""
    text = COUNTS + " ".join(f"(cell {i})" for i in range(20))
    game = parse(text, limits=Limits(ground_rules=20_000))
    assert game.net.ground_rules < 1_000
    state = game.initial.play("(go 1)")
    assert state.terminal
    assert not game.initial.play("(go 2)").terminal


@pytest.mark.slow
@pytest.mark.parametrize("name", ["crisscross", *nightly(["merrills"])])
def test_public_sheets_that_were_too_large_are_ground(name) -> None:
    game = ggp.load(shared("corpus", "games", f"{name}.kif"))
    assert game.net.fluents


def test_what_is_too_large_all_the_same_says_so() -> None:
    text = COUNTS.replace("(full 1 2 3 4 5)", "(full ?a ?b ?c ?d ?e)")
    text += " ".join(f"(cell {i})" for i in range(20))
    text = text.replace("terminal (full", "terminal (same ?a ?b ?c ?d ?e) (full")
    text += "(<= (same ?a ?b ?c ?d ?e) (full ?a ?b ?c ?d ?e))"
    text += "(<= (goal p 0) (same ?a ?b ?c ?d ?e) (distinct ?a ?e) (distinct ?b ?d))"
    with pytest.raises(LimitReached, match="ground_rules = 20,000"):
        assert parse(text, limits=Limits(ground_rules=20_000)).net
