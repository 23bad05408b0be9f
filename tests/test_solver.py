"""A fault of the solver that must not make a wrong answer, in the rooms that ask it of facts.

clingo 5.8.3 with its translation of weight rules on (the default): where at most one of seven atoms
may hold, a rule that wants both an atom and a false literal is taken for true.
"""

from __future__ import annotations

import random
import time
from itertools import product

import clingo
import pytest

import ggp
from ggp.checker.encoding import EncodedProgram
from ggp.ground import SOLVER_OPTIONS
from ggp.ground.query import Query

TOKENS = ggp.parse(
    "(role p) (legal p wait) (terminal) (goal p 0)"
    + " ".join(f"(init (on {n})) (<= (next (on {n})) (true (on {n})))" for n in range(8))
).net


def is_wrong(options: list[str]) -> bool:
    """Whether the solver says that both an atom and a false literal can hold."""
    control = clingo.Control(["--warn=none", *options])
    with control.backend() as backend:
        atom, true = backend.add_atom(), backend.add_atom()
        seven = [backend.add_atom() for _ in range(7)]
        backend.add_rule([atom, *seven], choice=True)
        backend.add_rule([true])
        many, one, both = (backend.add_atom() for _ in range(3))
        backend.add_weight_rule([many], 2, [(x, 1) for x in seven])
        backend.add_rule([], [many])
        backend.add_weight_rule([one], 1, [(atom, 1)])
        backend.add_weight_rule([both], 2, [(atom, 1), (-true, 1)])
    return bool(control.solve(assumptions=[both]).satisfiable)


def test_the_options_avoid_the_fault() -> None:
    assert not is_wrong(list(SOLVER_OPTIONS))


def test_of_certificates() -> None:
    program = EncodedProgram(TOKENS, time.monotonic() + 60, 60)
    *seven, atom = program.fluents
    true = program.some([[]])
    program.require(-program.at_least(2, seven))
    program.at_least(1, [atom])
    assert not program.is_possible(program.at_least(2, [atom, -true]))
    assert program.is_possible(program.at_least(2, [atom, true]))


def test_of_nets() -> None:
    query = Query(TOKENS, 60)
    *seven, atom = range(TOKENS.first_fluent, TOKENS.first_move)
    query.require(-query.at_least(2, seven))
    query.at_least(1, [atom])
    assert query.refute([query.at_least(2, [atom, -1])]) is not None
    assert query.refute([query.at_least(2, [atom, 1])]) is None


@pytest.mark.parametrize("seed", range(0, 400, 100))
def test_random_programs_with_bounds(seed) -> None:
    """Bounds on choices, facts and each other, some of them demanded: against all assignments."""
    for number in range(seed, seed + 100):
        rng = random.Random(number)
        control = clingo.Control(list(SOLVER_OPTIONS))
        bounds: dict[int, tuple[int, list[tuple[int, int]]]] = {}
        with control.backend() as backend:
            free = [backend.add_atom() for _ in range(rng.randint(4, 10))]
            true = backend.add_atom()
            backend.add_rule(free, choice=True)
            backend.add_rule([true])
            for _ in range(rng.randint(2, 7)):
                atom = backend.add_atom()
                pool = [*free, true, *bounds]
                chosen = rng.sample(pool, rng.randint(1, len(pool)))
                body = [(rng.choice((1, -1)) * x, rng.choice((1, 1, 1, 2))) for x in chosen]
                bounds[atom] = rng.randint(1, min(3, sum(w for _, w in body))), body
                backend.add_weight_rule([atom], *bounds[atom])
            banned = rng.sample(list(bounds), rng.randint(0, 2))
            for atom in banned:
                backend.add_rule([], [atom])
        asked = [rng.choice((1, -1)) * x for x in rng.sample(list(bounds), 2)]
        possible = False
        for values in product((False, True), repeat=len(free)):
            held = {**dict(zip(free, values, strict=True)), true: True}
            for atom, (bound, body) in bounds.items():
                held[atom] = sum(w for x, w in body if held[abs(x)] == (x > 0)) >= bound
            possible |= not any(held[x] for x in banned) and all(
                held[abs(x)] == (x > 0) for x in asked
            )
        assert bool(control.solve(assumptions=asked).satisfiable) == possible, number
