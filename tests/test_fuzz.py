"""Rules made at random, and rules broken at random: no crash, and two engines that agree.

Seeded; `GGP_FUZZ` multiplies the number of sheets.
"""

from __future__ import annotations

import os
import random
import re

import pytest

import ggp
from ggp import GgpError
from ggp.deduce import Prover
from ggp.kif import Source
from ggp.limits import Limits
from ggp.rules import read_rules
from tests.conftest import GAMES, nightly

TIMES = int(os.environ.get("GGP_FUZZ", "4"))
LIMITS = Limits(ground_rules=30_000, ground_seconds=5, seconds=5, depth=60)
SHEETS = [
    "kayles/kayles-7", "tic-tac-toe/tic-tac-toe", "subtraction/sg-12-15", "bisimulation/exits",
    "simultaneous/rock-paper-scissors", "puzzles/lights-out-3x3", "three-players/last-match",
]  # fmt: skip
SPARE = [
    "(", ")", "<=", "not", "or", "and", "distinct", "true", "does", "next", "init", "legal",
    "role", "goal", "terminal", "sees", "base", "input", "?x", "?y", "?", "100", "a", "()", ";",
    "#|", "|#", "\0", "%", '"', "random", "\ufeff", "é",
]  # fmt: skip


def broken(text: str, rng: random.Random) -> str:
    """A sheet with a few tokens taken out, doubled, exchanged or replaced."""
    tokens = re.findall(r"[()]|[^\s()]+|\s+", text)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        match rng.randrange(4):
            case 0:
                del tokens[i]
            case 1:
                tokens.insert(i, tokens[j])
            case 2:
                tokens[i], tokens[j] = tokens[j], tokens[i]
            case _:
                tokens[i] = f" {rng.choice(SPARE)} "
    return "".join(tokens)


def random_rules(rng: random.Random) -> str:
    """Relations that feed each other at random, some of them through negation or recursion."""
    values = "abc"[: rng.randint(2, 3)]
    fluents = [("f", 1), ("g", 2), ("h", 0)]
    tables = [("s", 2), ("t", 1)]
    layers = [(f"r{i}", rng.randint(0, 2)) for i in range(rng.randint(2, 5))]
    lines = ["(role p)", "(role q)", "(legal p stay)", "(legal q stay)"]

    def atom(name: str, arity: int, terms: list[str]) -> str:
        return f"({name} {' '.join(rng.choices(terms, k=arity))})" if arity else name

    for name, arity in tables:
        lines += {atom(name, arity, list(values)) for _ in range(3)}
    lines += {f"(init {atom(*rng.choice(fluents), list(values))})" for _ in range(4)}

    def rule(head: str, arity: int, below: list[tuple[str, int]], wrap: str = "{}") -> str:
        names = [f"?{letter}" for letter in "uvwxyz"[: rng.randint(1, 4)]]
        terms = [*names, rng.choice(values)]
        body = []
        for _ in range(rng.randint(1, 4)):
            kind = rng.random()
            if kind < 0.45:
                body.append(f"(true {atom(*rng.choice(fluents), terms)})")
            elif kind < 0.65 or not below:
                body.append(atom(*rng.choice(tables), terms))
            else:
                body.append(atom(*rng.choice(below), terms))
        bound = sorted({v for part in body for v in re.findall(r"\?\w", part)}) or []
        terms = bound + list(values)
        if rng.random() < 0.4:
            body.append(f"(not (true {atom(*rng.choice(fluents), terms)}))")
        if lower and rng.random() < 0.3:
            body.append(f"(not {atom(*rng.choice(lower), terms)})")
        if rng.random() < 0.3:
            pairs = [f"(distinct {rng.choice(terms)} {rng.choice(terms)})" for _ in range(2)]
            body.append(rng.choice((pairs[0], f"(or {' '.join(pairs)})")))
        rng.shuffle(body)
        return f"(<= {wrap.format(atom(head, arity, terms))} {' '.join(body)})"

    lower: list[tuple[str, int]] = []
    for i, (name, arity) in enumerate(layers):
        # A relation may use itself, and those of its own pair both ways.
        group = layers[: i + 1] if rng.random() < 0.7 else layers[: i + 2]
        lines += [rule(name, arity, group) for _ in range(rng.randint(1, 3))]
        lower = layers[: max(0, i - 1)]
    for name, arity in fluents:
        lines += [rule(name, arity, layers, "(next {})") for _ in range(rng.randint(1, 2))]
    lines += [
        rule("go", 1, layers, "(legal p {})"), rule("go", 2, layers, "(legal q {})"),
        "(<= (next (f ?x)) (does p (go ?x)))", "(<= (next (g ?x ?y)) (does q (go ?x ?y)))",
        rule("terminal", 0, layers), rule("w", 0, layers), "(<= (goal p 100) w)",
        "(<= (goal p 0) (not w))", "(goal q 50)",
        "(<= terminal (true h) (true (f a)))", "(<= (sees q ?m) (does p ?m))",
    ]  # fmt: skip
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(6))
def test_broken_sheets_are_refused_or_played(seed) -> None:
    rng, said = random.Random(seed), []
    for _ in range(25 * TIMES):
        text = broken((GAMES / f"{rng.choice(SHEETS)}.kif").read_text(encoding="utf-8"), rng)
        try:
            game = ggp.parse(text, limits=LIMITS)
            state = game.initial
            for _ in range(4):
                if state.terminal:
                    break
                moves = {role: rng.choice(state.require_legal(role)) for role in game.roles}
                state = state.play(moves)
        except GgpError as error:
            said.append(str(error))
    assert said
    assert all(said)


@pytest.mark.parametrize("seed", [*range(40 * TIMES), *nightly(range(40 * TIMES, 120 * TIMES))])
def test_both_engines_agree_on_rules_made_at_random(seed, monkeypatch) -> None:
    """Grounded as written or decomposed, all of it or on demand, and not grounded at all."""
    rng = random.Random(seed)
    if seed % 2:
        monkeypatch.setattr("ggp.ground.grounder.PLAIN_RULES", 0)
    if seed % 4 == 1:
        monkeypatch.setattr("ggp.ground.grounder.FEW_RULES", 0)
    text = random_rules(rng)
    rules = read_rules(Source("<random>", text))
    if {d.code for d in rules.errors} == {"unstratified"}:
        return  # about one in ten
    game = ggp.Game(rules)
    net, prover = game.evaluator, Prover(game.rules)
    for _ in range(12):
        facts = [f for f in game.net.fluents if rng.random() < 0.5]
        here, there = net.position(facts), prover.position(facts)
        assert net.facts(here) == prover.facts(there), text
        assert net.terminal(here) == prover.terminal(there), text
        assert net.goals(here) == prover.goals(there), text
        legal = net.legal(here)
        terms = [[net.move(i, n) for n in own] for i, own in enumerate(legal)]
        assert terms == [
            [prover.move(i, n) for n in own] for i, own in enumerate(prover.legal(there))
        ], text
        moves = [rng.choice(own) for own in terms]
        joint = [net.number(i, m) or 0 for i, m in enumerate(moves)]
        twin = [prover.number(i, m) or 0 for i, m in enumerate(moves)]
        assert net.facts(net.next(here, joint)) == prover.facts(prover.next(there, twin)), text
        assert net.percepts(here, joint) == prover.percepts(there, twin), text
