"""Rules without a ground form, answered by the machine of compiled loops."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections import Counter
from math import inf

import pytest

import ggp
from ggp import LimitReached
from ggp.deduce import Prover
from ggp.deduce.lowered import engine
from ggp.limits import Limits
from ggp.play.speed import measure
from ggp.rules import RuleSet
from tests.conftest import GAMES, SHARED, nightly, shared
from tests.deduce import test_prover
from tests.deduce.test_prover import (  # noqa: F401 - once more, by loops
    HEAD,
    MANY,
    test_a_few_loops_that_ask_many_tests_look_at_the_clock,
    test_a_question_without_end_reaches_the_limit_of_time,
    test_a_state_may_be_any_set_of_fluents_that_the_rules_can_make,
    test_a_static_relation_that_is_too_large_for_a_table_is_asked_for_what_is_needed,
    test_a_static_relation_with_facts_and_rules_has_all_its_rows,
    test_an_atom_may_rest_on_the_negation_of_another_atom_of_its_relation,
    test_any_number_of_conditions_and_alternatives,
    test_joins_of_any_number_of_conditions,
    test_negation_of_a_recursive_relation,
    test_nested_terms_are_taken_apart_and_put_together,
    test_one_legal_move_is_found_and_another_judged_without_the_others,
    test_parts_of_a_body_that_share_no_variable_are_not_multiplied,
    test_random_games_play_the_same_with_and_without_grounding,
    test_recursion_from_larger_terms_ends,
    test_recursion_has_its_least_fixpoint,
    test_terms_of_any_depth_are_matched,
    test_whole_fluents_as_variables,
)

plainly = test_prover.unground

PUBLIC = sorted(path.stem for path in (SHARED / "corpus" / "games").glob("*.kif"))


@pytest.fixture(autouse=True)
def _by_loops(monkeypatch) -> None:
    monkeypatch.setattr(test_prover, "unground", hastened)


def hastened(text: str, **limits: float) -> ggp.Game:
    game = plainly(text, **limits)
    game.evaluator.hasten()
    return game


def same_plays(text: str, seed: int, plays: int = 3, plies: int = 25) -> None:
    """Both ways answer every question along some plays alike."""
    slow, fast = plainly(text), hastened(text)
    assert fast.evaluator.is_hastened
    assert not slow.evaluator.is_hastened
    choose = random.Random(seed)
    for _ in range(plays):
        state, twin = slow.initial, fast.initial
        for _ in range(plies):
            assert state.facts == twin.facts
            assert state.terminal == twin.terminal
            assert [state.legal(r) for r in slow.roles] == [twin.legal(r) for r in fast.roles]
            held = [game.evaluator.goals(s.position) for game, s in ((slow, state), (fast, twin))]
            assert held[0] == held[1]
            if state.terminal or not all(state.legal_indices()):
                break
            joint = {role: choose.choice(state.legal(role)) for role in slow.roles}
            state, twin = state.play(joint), twin.play(joint)


def random_rules(seed: int) -> str:
    """Relations that rest on each other, round and round at times, and on the negation of earlier
    ones; what holds of the last ones is a part of the next state."""
    rng = random.Random(seed)
    lines = [
        "(role p) (legal p a) (legal p b) (<= (goal p 1) (true (f 0))) (<= terminal (true (t 4)))"
    ]
    lines += ["(init (t 0)) (init (f 0)) (init (g 0 1)) (init (g 1 2)) (init (g 2 0))"]
    lines += [f"(c {i})" for i in range(4)]
    lines += [f"(e {rng.randrange(4)} {rng.randrange(4)})" for _ in range(4)]
    lines += ["(s 0 1) (s 1 2) (s 2 3) (s 3 4) (<= (next (t ?y)) (true (t ?x)) (s ?x ?y))"]
    arities = [rng.choice((1, 2, 2, 3)) for _ in range(8)]
    size = rng.choice((2, 4, 8))

    def atom(i: int, names: list[str]) -> str:
        return f"(r{i} {' '.join(rng.choice(names) for _ in range(arities[i]))})"

    for i, arity in enumerate(arities):
        top = i | size - 1  # so many relations may rest on each other
        for _ in range(rng.randint(1, 3)):
            names = [f"?{n}" for n in "xyz"[: rng.randint(1, 3)]]
            body = []
            for _ in range(rng.randint(1, 3)):
                kind = rng.random()
                if kind < 0.35:
                    body.append(atom(rng.randrange(top + 1), [*names, "1"]))
                elif kind < 0.6:
                    body.append(f"(true (g {rng.choice(names)} {rng.choice(names)}))")
                elif kind < 0.8:
                    body.append(f"(e {rng.choice(names)} {rng.choice(names)})")
                else:
                    body.append(f"(true (f {rng.choice(names)}))")
            body += [f"(c {name})" for name in names]
            if i >= size and rng.random() < 0.5:
                body.append(f"(not {atom(rng.randrange(i & -size), names)})")
            if len(names) > 1 and rng.random() < 0.3:
                body.append(f"(distinct {names[0]} {names[1]})")
            head = " ".join(rng.choice([*names, "2"]) for _ in range(arity))
            lines.append(f"(<= (r{i} {head}) {' '.join(body)})")
    for i, arity in enumerate(arities):
        names = [f"?{n}" for n in "xyz"[:arity]]
        kept = f"(f {names[0]})" if arity == 1 else f"(g {names[0]} {names[-1]})"
        when = rng.choice(("(does p a)", "(does p b)", "(true (t ?n))"))
        lines.append(f"(<= (next {kept}) (r{i} {' '.join(names)}) {when})")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", [*range(40), *nightly(range(40, 400))])
def test_relations_that_rest_on_each_other_have_the_same_rows(seed) -> None:
    same_plays(random_rules(seed), seed, plays=4)


def test_what_hangs_on_an_answer_that_hangs_on_another_is_not_whole_before_both() -> None:
    """z asks x, which hung on y while that was being answered, and y hangs on a: z was taken for
    known when y had been left, since another question stood in its place by then."""
    rules = """(b 1) (<= (a ?x) (b ?x) (true s)) (<= (a ?x) (y ?x)) (<= (a ?x) (z ?x))
        (<= (y ?x) (x ?x)) (<= (y ?x) (a ?x)) (<= (x ?x) (y ?x)) (<= (z ?x) (x ?x))
        (<= (next (row ?x)) (a ?x)) (<= (next (got ?x)) (z ?x))"""
    facts = {str(fact) for fact in hastened(f"{HEAD} {rules}").initial.play("go").facts}
    assert facts == {"(row 1)", "(got 1)"}


@pytest.mark.parametrize("seed", [*range(60), *nightly(range(60, 600))])
def test_unions_of_each_other_have_the_same_rows(seed) -> None:
    """Relations that take over all rows of others, round and round, asked one after the other."""
    rng = random.Random(seed)
    size = rng.randint(3, 9)
    names = [f"r{i}" for i in range(size)]
    rules = [
        f"(<= ({rng.choice(names)} ?x) ({rng.choice(names)} ?x))"
        for _ in range(rng.randint(size, 3 * size))
    ]
    rules += [f"(<= ({rng.choice(names)} {i}) (true s))" for i in range(rng.randint(1, 3))]
    rules += [f"(<= (next (got {name} ?x)) ({name} ?x))" for name in names]
    rng.shuffle(rules)
    text = f"{HEAD} {' '.join([*(f'({name} none)' for name in names), *rules])}"
    slow, fast = (make(text).initial.play("go") for make in (plainly, hastened))
    assert slow.facts == fast.facts


SHEETS = sorted(path for path in GAMES.rglob("*.kif") if path.stat().st_size < 20_000)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_sheets_of_this_project_are_answered_alike(path) -> None:
    same_plays(path.read_text(encoding="utf-8"), 1, plays=1, plies=12)


@pytest.mark.parametrize("name", ["chess", "skirmish", *nightly(PUBLIC)])
def test_public_sheets_are_answered_alike(name) -> None:
    text = shared("corpus", "games", f"{name}.kif").read_text(encoding="utf-8")
    if hastened(text).evaluator.is_hastened:
        same_plays(text, 1, plays=1, plies=5)


@pytest.mark.parametrize("uniform", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_every_move_of_a_play_by_chance_is_legal(seed, uniform) -> None:
    """A play of one move comes to a state that one of the legal joint moves leads to, and ends
    where it is said to; a longer one goes on so."""
    text = test_prover.random_game(seed)
    slow, fast = plainly(text), hastened(text)
    state = slow.initial
    for ply in range(20):
        facts = fast.evaluator.position(state.facts)
        ended, position, moves = fast.evaluator.played(facts, ply, 1, inf, uniform=uniform)
        if state.terminal:
            assert (ended, position, moves) == (True, facts, 0)
            break
        found = slow.state(fast.evaluator.facts(position))
        assert moves == 1
        assert ended == found.terminal
        assert found in {joint_state for joint_state in successors(state)}
        state = found
    ended, position, moves = fast.evaluator.played(
        fast.initial.position, seed, 9, inf, uniform=True
    )
    assert moves == 9 or ended
    assert slow.state(fast.evaluator.facts(position)).terminal == ended


def successors(state: ggp.State) -> set[ggp.State]:
    (left, right), roles = state.game.roles, state.game.roles
    return {
        state.play({roles[0]: one, roles[1]: other})
        for one in state.legal(left)
        for other in state.legal(right)
    }


DICE = """
(role p) (init (at 0)) (n 1) (n 2) (n 3) (n 4) (n 5)
(<= (legal p (go ?x)) (true (at 0)) (n ?x)) (<= (legal p stay) (true (at 0)))
(<= (next (at ?x)) (does p (go ?x))) (<= (next (at 9)) (does p stay))
(<= gone (true (at ?x)) (distinct ?x 0)) (<= terminal gone) (<= (goal p 100) gone)
"""


def test_moves_of_plays_are_drawn_evenly_or_by_rules() -> None:
    """Six moves, five by one rule and one by the other: each in a sixth of the plays, or the rules
    in half of them. (Bounds of five deviations.)"""
    prover = hastened(DICE).evaluator
    for uniform, stays in ((True, 1 / 6), (False, 1 / 2)):
        drawn = Counter(
            str(prover.facts(prover.played(prover.initial, seed, 9, inf, uniform=uniform)[1])[0])
            for seed in range(3_000)
        )
        assert len(drawn) == 6
        assert abs(drawn["(at 9)"] / 3_000 - stays) < 5 * (stays * (1 - stays) / 3_000) ** 0.5


def test_a_play_without_moves_is_stuck_and_one_that_is_long_ends_unended() -> None:
    prover = hastened(f"{HEAD.replace('(legal p go)', '(<= (legal p go) (true no))')}").evaluator
    assert prover.played(prover.initial, 1, 9, inf, uniform=True)[::2] == (False, 0)
    prover = hastened(f"{HEAD} (<= (next s) (true s))").evaluator
    assert prover.played(prover.initial, 1, 9, inf, uniform=False) == (False, prover.initial, 9)


def test_a_play_that_comes_to_the_end_of_its_time_is_given_up() -> None:
    """And the machine answers as before."""
    prover = hastened(f"{HEAD} (<= (next s) (true s))").evaluator
    until = time.monotonic()
    ended, position, moves = prover.played(prover.initial, 1, 1 << 60, until, uniform=True)
    assert (ended, position, moves) == (False, prover.initial, 0)
    assert not prover.terminal(prover.initial)
    assert prover.next(prover.initial, [prover.legal(prover.initial)[0][0]]) == prover.initial


def test_states_may_be_large() -> None:
    """Some thousands of fluents, and rows of a join of them, for which every array grows."""
    rules = " ".join(f"(c {i})" for i in range(60))
    rules += "(<= (init (pair ?x ?y)) (c ?x) (c ?y)) (<= (next (pair ?y ?x)) (true (pair ?x ?y)))"
    rules += "(<= (near ?x ?z) (true (pair ?x ?y)) (true (pair ?y ?z)))"
    rules += "(<= (next (far ?x ?z)) (near ?x ?z) (not (near ?z 3)))"
    rules += "(<= (next (row (list ?x (list ?y nil)))) (near ?x ?y))"
    same_plays(f"{HEAD} {rules}", 1, plays=1, plies=2)


def test_without_room_the_answers_come_by_functions(monkeypatch) -> None:
    rules = " ".join(f"(c {i})" for i in range(40))
    rules += "(<= (next (row ?x ?y ?z)) (c ?x) (c ?y) (c ?z) (true s))"
    game = hastened(f"{HEAD} {rules}")
    monkeypatch.setattr(engine, "MOST_BYTES", 3_000_000)
    assert len(game.initial.play("go").facts) == 40**3
    assert not game.evaluator.is_hastened


def test_rules_of_rules_of_rules_make_no_more_code_than_there_are() -> None:
    """Each of 24 relations has two rules by the next one: written out that would be 2^24 rules."""
    rules = "(<= (r24 ?x) (true (k ?x)))"
    for i in range(24):
        rules += f"(<= (r{i} ?x) (r{i + 1} ?x) (true s)) (<= (r{i} ?x) (r{i + 1} ?x) (true t))"
    rules += "(<= any (r0 ?x)) (<= (next yes) any) (init (k 1))"
    game = hastened(f"{HEAD} {rules}")
    assert game.evaluator.is_hastened
    assert len(game.evaluator._loops._memory.code) < 5_000
    assert game.initial.play("go").facts == plainly(f"{HEAD} {rules}").initial.play("go").facts


@pytest.mark.parametrize("width", [55, 70])
def test_terms_and_relations_may_be_wide(width) -> None:
    """Wider ones than the machine takes are answered all the same."""
    names, values = (" ".join(f"{mark}{i}" for i in range(width)) for mark in ("?v", "c"))
    last = f"{values} d".split(" ", 1)[1]
    for rules in (
        f"(init (wide {values})) (<= (next (wide {names})) (true (wide {names})))",
        f"(w {values}) (w {last}) (<= (next (row ?v0)) (w {names}) (true s))",
        f"(<= (next (held (f {values}))) (true s))",
        f"(init (wide {values})) (k {values}) (<= (next z) (k {names}) (true (wide {names})))",
    ):
        slow, fast = (make(f"{HEAD} {rules}") for make in (plainly, hastened))
        assert slow.initial.play("go").facts == fast.initial.play("go").facts
        assert fast.evaluator.is_hastened == (width == 55)


@pytest.mark.parametrize("where", ["_rows", "_told", "_in_pieces", "_learn"])
def test_a_question_that_is_broken_off_leaves_nothing_half_done(monkeypatch, where) -> None:
    """Ctrl-C comes between any two steps: here after what a step does."""
    text = """(role p) (init (at a)) (c a) (c b) (c d) (<= (legal p (go ?x)) (c ?x))
        (<= (next (at ?x)) (does p (go ?x))) (<= (next (was (s ?x))) (true (at ?x)))
        (<= terminal (true (at d))) (goal p 100)"""
    game, other = hastened(text), plainly(text)
    states = [game.initial, game.initial.play("(go b)")]
    rests = [other.initial, other.initial.play("(go b)")]
    done = getattr(engine.LoweredRules, where)

    def breaks(*given: object) -> None:
        done(*given)
        raise KeyboardInterrupt

    for state, rest in zip(states, rests, strict=True):
        for move in ("(go d)", "(go a)"):
            with monkeypatch.context() as patch:
                patch.setattr(engine.LoweredRules, where, breaks)
                with pytest.raises(KeyboardInterrupt):
                    state.play(move)
            for again in (state, states[0]):
                game.evaluator.hasten()
                expected = rest if again is state else rests[0]
                for wanted in ("(go b)", "(go d)"):
                    after = again.play(wanted)
                    assert after.facts == expected.play(wanted).facts
                    assert after.terminal == (wanted == "(go d)")


def test_a_state_that_is_half_entered_is_entered_again(monkeypatch) -> None:
    game = hastened(
        """(role p) (init (at a)) (legal p stay) (<= (next done) (true (at a)))
        (<= terminal (true done)) (goal p 100)"""
    )
    first, then = game.initial, game.initial.play("stay")
    assert not ggp.State(game, first.position).terminal
    enter = engine.memory.enter

    def breaks(*given: object) -> None:
        enter(*given)
        raise KeyboardInterrupt

    loops = game.evaluator._loops
    with monkeypatch.context() as patch:
        patch.setattr(engine.memory, "enter", breaks)
        with pytest.raises(KeyboardInterrupt):
            loops.terminal(then.position)
    assert not loops.terminal(first.position)
    assert loops.terminal(then.position)


def test_threads_may_ask_and_name_terms_at_the_same_time() -> None:
    text = """(role p) (init (n z)) (c a) (c b) (<= (legal p (m ?x)) (c ?x))
        (<= (next (n (s ?x))) (true (n ?x))) (<= (next (q ?y (s ?x))) (true (n ?x)) (c ?y))
        (<= (next (k (r ?x))) (true (k ?x))) (<= terminal (true (n stop))) (goal p 100)"""
    game, other = hastened(text), plainly(text)
    stop = threading.Event()

    def names() -> None:
        for i in itertools.count():
            if stop.is_set():
                return
            game.state([f"(k (r (t {i})))"])

    thread = threading.Thread(target=names)
    thread.start()
    try:
        state = game.initial
        for _ in range(100):
            state = state.play("(m a)")
    finally:
        stop.set()
        thread.join()
    expected = other.initial
    for _ in range(100):
        expected = expected.play("(m a)")
    assert state.facts == expected.facts
    told, heard = (one.state(["(k (r (t 3)))"]).play("(m b)") for one in (game, other))
    assert told.facts == heard.facts


@pytest.mark.parametrize("make", [plainly, hastened])
def test_terms_may_grow_to_a_depth_that_is_stated(make) -> None:
    """One that is nested deeper is never shown, and says why; plays go on beside it."""
    game = make(
        """(role p) (init (n z)) (<= (legal p (to (s ?x))) (true (n ?x)))
        (<= (next (n ?x)) (does p (to ?x))) (<= terminal (true (n stop))) (goal p 100)"""
    )
    state = game.initial
    with pytest.raises(LimitReached) as met:  # noqa: PT012 - at a move that is not the point
        for _ in range(1_000):
            state = state.play(state.legal("p")[0])
    assert str(met.value) == "limit reached: depth = 400 (of a term that the rules make)"
    assert len(str(state)) > 1_000
    if make is hastened:
        ended, far, moves = game.evaluator.played(
            game.initial.position, 1, 5_000, inf, uniform=True
        )
        assert (ended, moves) == (False, 5_000)
        with pytest.raises(LimitReached, match="depth = 400"):
            game.evaluator.facts(far)


def test_any_number_of_answers_may_wait_for_one() -> None:
    """Each of a circle hangs on the first, and all of them end at once, with nothing in between."""
    count = 3_000
    edges = " ".join(f"(edge {i} {(i + 1) % count})" for i in range(count))
    game = hastened(
        f"""(role p) (init s) (legal p go) (<= (goal p 1) (true s)) (<= terminal (true done))
        {edges} (mark 7) (<= (reach ?x ?z) (edge ?x ?y) (reach ?y ?z))
        (<= (reach ?x ?x) (mark ?x) (true s)) (<= (next (got ?z)) (reach 0 ?z))"""
    )
    assert list(map(str, game.initial.play("go").facts)) == ["(got 7)"]
    assert game.evaluator.is_hastened


def successors_of(prover: Prover, position: frozenset[int]) -> list[list[str]]:
    """The facts after each joint move of a game for one role."""
    moves = prover.legal(position)[0]
    return [[str(fact) for fact in prover.facts(prover.next(position, [n]))] for n in moves]


def test_what_one_move_leads_to_hangs_on_no_other_move_that_was_asked_about() -> None:
    """p is true as soon as a row of q is known; what it had found out of q and z was to be asked
    again, was so for the first move, and its rows were forgotten with that."""
    text = """(role r) (legal r a) (<= (legal r b) p) (<= (legal r c) p) (goal r 50) (init (k 1))
        (init (k 2)) (init (j 3)) (init (j 4)) (<= p (q ?x) (z ?x)) (<= (z ?x) (q ?x))
        (<= (q ?x) (true (k ?x))) (<= (q ?x) p (true (j ?x))) (<= terminal (true never))
        (<= (next (did ?m)) (does r ?m)) (<= (next (row ?x)) (q ?x))"""
    prover = hastened(text).evaluator
    assert successors_of(prover, prover.initial) == [
        [f"(did {move})", "(row 1)", "(row 2)", "(row 3)", "(row 4)"] for move in "abc"
    ]


def test_terms_that_are_made_to_see_whether_play_ends_are_told() -> None:
    text = """(role r) (<= (legal r (m (w ?x))) (true (k ?x))) (goal r 50) (init (k 1))
        (<= (a (f ?x)) (true (k ?x))) (<= (b (h ?x)) (a ?x)) (<= terminal (a ?x) (b ?x))
        (<= (next (k (h ?x))) (true (k ?x))) (<= (next (got ?x)) (a ?x))"""
    prover = hastened(text).evaluator
    prover.terminal(prover.initial)
    assert prover.some_move(prover.initial, 0, lambda: 0.3) is not None
    assert successors_of(prover, prover.initial) == [["(got (f 1))", "(k (h 1))"]]


GROWING = """(role r) (legal r go) (goal r 50) (init (k 1)) (<= terminal (true never))
    (<= (next (k (h ?x))) (true (k ?x)))"""


def nested(depth: int) -> ggp.Term:
    term = ggp.Term("1")
    for _ in range(depth):
        term = ggp.Term("h", (term,))
    return ggp.Term("k", (term,))


def test_terms_of_a_play_that_is_given_up_are_told(monkeypatch) -> None:
    """It was given up after some steps, and what it had made had numbers that others got then."""
    monkeypatch.setattr(engine, "STEPS", 20)
    other = "(init (j 1)) (<= (next (j (g ?x))) (true (j ?x)))"
    prover = hastened(f"{GROWING} {other}").evaluator
    with monkeypatch.context() as patch:
        ticks = iter([0.0] * 9 + [2.0] * 9)
        patch.setattr(engine.time, "monotonic", lambda: next(ticks))
        found = prover.played(prover.initial, 1, 1 << 40, 1.0, uniform=True)
    assert found == (False, prover.initial, 0)
    assert successors_of(prover, prover.position([nested(3)])) == [[str(nested(4))]]


def test_terms_of_a_question_that_came_to_a_limit_are_told(monkeypatch) -> None:
    rows = " ".join(f"(n {i})" for i in range(10))
    rows += (
        "(init (go 1)) (<= (next (row (t ?a ?b ?c) ?d)) (true (go ?x)) (n ?a) (n ?b) (n ?c) (n ?d))"
    )
    monkeypatch.setattr(engine, "STEPS", 500)
    prover = hastened(f"{GROWING} {rows}", seconds=5.0).evaluator
    move = prover.legal(prover.initial)[0]
    with monkeypatch.context() as patch:
        ticks = iter([0.0] * 3 + [9.0] * 9)
        patch.setattr(engine.time, "monotonic", lambda: next(ticks))
        with pytest.raises(LimitReached):
            prover.next(prover.initial, move)
    assert successors_of(prover, prover.position([nested(3)])) == [[str(nested(4))]]


def test_terms_have_one_number_whoever_makes_them() -> None:
    """Functions and loops take turns in asking about a state, and make terms on the way."""
    text = MANY.replace("(distinct ?x 2)", "(distinct ?x 7)")
    prover, choose = hastened(text).evaluator, random.Random(1)
    position = prover.initial
    for seed in range(3):
        some = [prover.some_move(position, role, choose.random) for role in range(2)]
        assert prover.legal_number(position, 1, prover.move(0, some[0])) == some[0]
        _, position, _ = prover.played(position, seed, 1, inf, uniform=False)
        others = [prover.some_move(position, role, choose.random) for role in range(2)]
        known = [prover.move(role, number) for role, number in enumerate([*some, *others][:2])]
        assert [prover.number(role, move) for role, move in enumerate(known)] == some
        assert len({str(prover.move(0, number)) for number in {*some, *others}}) == len(
            {*some, *others}
        )


def test_a_relation_that_denies_itself_of_other_things_is_asked_by_loops() -> None:
    rules = """(<= (w a) (not (w b)) (true s)) (<= (w b) (not (w c)) (true s))
        (<= (w c) (true s)) (<= (next (row ?x)) (w ?x))"""
    game = hastened(f"{HEAD} {rules}")
    assert {str(fact) for fact in game.initial.play("go").facts} == {"(row a)", "(row c)"}
    assert game.evaluator.is_hastened


def test_what_is_denied_while_it_is_being_answered_is_not_answered_by_loops(monkeypatch) -> None:
    """The checks of rules let none of this pass; if one did, no answer would be made up."""
    monkeypatch.setattr(RuleSet, "require_valid", lambda self: None)
    rules = "(<= (win ?x) (e ?x ?y) (not (win ?y)) (true s)) (e 1 2) (e 2 1)"
    game = hastened(f"{HEAD} {rules} (<= (next (row ?x)) (win ?x))")
    assert game.evaluator.is_hastened
    with pytest.raises(LimitReached):
        game.initial.play("go")
    assert not game.evaluator.is_hastened


def test_the_speed_of_a_game_without_a_net_is_that_of_its_loops() -> None:
    text = (GAMES / "tic-tac-toe" / "tic-tac-toe.kif").read_text(encoding="utf-8")
    speed = measure(ggp.parse(text, limits=Limits(ground_rules=0)), "llvm", 0.2)
    assert speed.engine == "unground"
    assert speed.playouts > 0
    assert 5 <= speed.mean_length <= 9


def test_a_prover_is_hastened_once() -> None:
    prover = Prover(ggp.parse(HEAD).rules)
    assert prover.played(prover.initial, 1, 9, inf, uniform=True) is None
    assert prover.hasten()
    loops = prover._loops
    assert prover.hasten()
    assert prover._loops is loops
