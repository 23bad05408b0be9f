"""Clauses answer as the stable models of the rules do."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.errors import LimitReached
from ggp.ground.asking import Program
from ggp.ground.clauses import Clauses
from ggp.limits import Budget, Limits
from ggp.work import work_done

INPUTS = 4

literals = st.integers(1, 9).flatmap(lambda x: st.sampled_from([x, -x]))
bodies = st.lists(st.lists(literals, max_size=3), max_size=3)
gates = st.lists(st.one_of(bodies, st.tuples(st.integers(0, 4), st.lists(literals))), max_size=6)


def told(program, gates, excluded) -> list[int]:
    """Atoms of some inputs, and of gates each of which hangs on those before it only."""
    with program.rules() as rules:
        atoms = [rules.atom() for _ in range(INPUTS)]
        rules.add(atoms, choice=True)
        for gate in gates:

            def chosen(x, known=tuple(atoms)) -> int:
                atom = known[abs(x) % len(known)]
                return atom if x > 0 else -atom

            atom = rules.atom()
            if isinstance(gate, tuple):
                rules.add_weighted(atom, gate[0], [(chosen(x), 1) for x in gate[1]])
            for body in [] if isinstance(gate, tuple) else gate:
                rules.add([atom], [chosen(x) for x in body])
            atoms.append(atom)
    with program.rules() as rules:
        for body in excluded:
            rules.add([], [atoms[abs(x) % len(atoms)] * (1 if x > 0 else -1) for x in body])
    return atoms


@given(gates, st.lists(st.lists(literals, min_size=1, max_size=3), max_size=3))
def test_the_same_models_as_clingo(gates, excluded) -> None:
    ours, theirs = Clauses(), Program()
    atoms, others = told(ours, gates, excluded), told(theirs, gates, excluded)
    for signs in itertools.product((1, -1), repeat=INPUTS):
        assumed = [s * a for s, a in zip(signs, atoms, strict=False)]
        found = ours.ask(assumed, 60, shown=atoms)
        wanted = theirs.ask([s * a for s, a in zip(signs, others, strict=False)], 60, shown=others)
        assert found.holds == wanted.holds
        if found.core is not None:
            assert wanted.core is not None
            assert found.core <= set(assumed)
            assert ours.ask(sorted(found.core), 60).core is not None


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_group_is_assumed(exact, count) -> None:
    program = Clauses()
    with program.rules() as rules:
        atoms = [rules.atom() for _ in range(count)]
        rules.add(atoms, choice=True)
        group = rules.atom()
        rules.add_group(group, atoms, exact=exact)
    for signs in itertools.product((1, -1), repeat=count):
        assumed = [s * a for s, a in zip(signs, atoms, strict=True)]
        held = signs.count(1)
        assert (program.ask([group, *assumed], 60).core is None) == (exact <= held <= 1)
        assert program.ask(assumed, 60).core is None


def pigeons(count: int) -> Clauses:
    """One more pigeon than holes, which no solver of this kind can do quickly."""
    program = Clauses()
    with program.rules() as rules:
        places = [[rules.atom() for _ in range(count)] for _ in range(count + 1)]
        for own in places:
            rules.add(own, choice=True)
            rules.add([], [-x for x in own])
        for a, b in itertools.combinations(places, 2):
            for x, y in zip(a, b, strict=True):
                rules.add([], [x, y])
    return program


def test_work_and_limits_end_a_question() -> None:
    """At the same place each time; and an account that is in force is looked at."""
    done = []
    for _ in range(2):
        program, before = pigeons(12), work_done()
        answer = program.ask([], 0.2)
        assert (answer.holds, answer.core) == (None, None)
        done.append(work_done() - before)
    assert done[0] == done[1] < 0.3
    budget = Budget(Limits(seconds=0.0))
    with budget.in_force(), pytest.raises(LimitReached, match="time"):
        pigeons(12).ask([], 60)
