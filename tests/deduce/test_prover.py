"""Games played straight from their rules."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp import LimitReached, Term, UnknownName
from ggp.deduce import Prover
from ggp.limits import Limits
from ggp.play import SearchPlayer
from ggp.show import net_figures
from ggp.traces import read_trace, replay
from tests.conftest import GAMES, nightly, shared
from tests.oracle.random_games import random_game

UNGROUND = Limits(ground_rules=0)
"""Limits that forbid grounding altogether."""

HEAD = "(role p) (init s) (legal p go) (<= (goal p 1) (true s)) (<= terminal (true done))"


def unground(text: str, **limits: float) -> ggp.Game:
    game = ggp.parse(text, limits=Limits(ground_rules=0, **limits))
    assert game.evaluator.engine == "unground"
    assert not game.is_ground
    return game


def after(rules: str, relation: str) -> set[str]:
    """The rows of a relation, carried over to the next state by name."""
    arity = rules.split(f"({relation} ", 1)[1].split(")", 1)[0].count("?")
    names = " ".join(f"?v{i}" for i in range(arity))
    game = unground(f"{HEAD} {rules} (<= (next (row {names})) ({relation} {names}))")
    return {str(fact)[5:-1] for fact in game.initial.play("go").facts}


@pytest.mark.parametrize("seed", [*range(30), *nightly(range(30, 60))])
def test_random_games_play_the_same_with_and_without_grounding(seed) -> None:
    text = random_game(seed)
    ground, other = ggp.parse(text), unground(text)
    choose = random.Random(seed)
    moves = ground.net.moves
    for _ in range(3):
        state, twin = ground.initial, other.initial
        for _ in range(25):
            assert state.facts == twin.facts
            assert state.terminal == twin.terminal
            some = [twin.some_legal(role) for role in other.roles]
            for i, role in enumerate(ground.roles):
                # One by one, before all of them are known.
                legal = state.legal(role)
                assert some[i] in legal if legal else some[i] is None
                numbers = (other.evaluator.legal_number(twin.position, i, m) for m in moves[i])
                assert [number is not None for number in numbers] == [m in legal for m in moves[i]]
            assert [state.legal(r) for r in ground.roles] == [twin.legal(r) for r in other.roles]
            if state.terminal:
                assert state.goals == twin.goals
                break
            joint = {role: choose.choice(state.legal(role)) for role in ground.roles}
            state, twin = state.play(joint), twin.play(joint)


MANY = """
(role p) (role q) (init (t 0)) (succ 0 1) (succ 1 2) (<= terminal (true (t 2)))
(n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)
(<= (combination ?a ?b ?c ?d ?e ?f)
    (true (t ?x)) (distinct ?x 2) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))
(<= (legal ?r (set ?a ?b ?c ?d ?e ?f)) (role ?r) (combination ?a ?b ?c ?d ?e ?f))
(<= (next (t ?y)) (true (t ?x)) (succ ?x ?y)) (<= (goal ?r 50) (role ?r))
"""


def test_one_legal_move_is_found_and_another_judged_without_the_others() -> None:
    """A player has its move at once, though there are a million."""
    game = unground(MANY)
    move = "(set 3 1 4 1 5 9)"
    state = game.initial
    assert state.some_legal("p") == game.term("(set 0 0 0 0 0 0)")
    assert state.play({"p": move, "q": move}).some_legal("q") == game.term("(set 0 0 0 0 0 0)")
    for wrong in ("(set 3 1 4 1 5 10)", "(set 3 1)", "?x", "(set ?x 1 4 1 5 9)"):
        with pytest.raises(ggp.IllegalMove, match="not legal here"):
            state.play({"p": move, "q": wrong})
    assert game.evaluator.steps < 100


def test_what_is_asked_for_whole_after_one_answer_is_whole() -> None:
    """Answers that are given one by one are kept only where all of them were found."""
    game = unground(MANY.replace("(n ?e) (n ?f)", "").replace("?e ?f)", "0 0)"))
    state = game.initial
    assert state.some_legal("p") is not None
    assert len(state.legal("p")) == 10**4
    assert len(set(state.legal("q"))) == 10**4


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # left, right and double recursion have the same least fixpoint
        ("(<= (r ?x ?y) (e ?x ?y)) (<= (r ?x ?z) (r ?x ?y) (e ?y ?z))", None),
        ("(<= (r ?x ?y) (e ?x ?y)) (<= (r ?x ?z) (e ?x ?y) (r ?y ?z))", None),
        ("(<= (r ?x ?y) (e ?x ?y)) (<= (r ?x ?z) (r ?x ?y) (r ?y ?z))", None),
        # two relations that feed each other
        (
            "(<= (r ?x ?y) (e ?x ?y)) (<= (q ?x ?z) (r ?x ?y) (e ?y ?z)) (<= (r ?x ?y) (q ?x ?y))",
            None,
        ),
        # loops that nothing supports are false
        ("(<= (r ?x ?y) (q ?x ?y)) (<= (q ?x ?y) (r ?x ?y))", set()),
    ],
)
@pytest.mark.parametrize("on_state", ["", "(true s)"])
def test_recursion_has_its_least_fixpoint(rules, expected, on_state) -> None:
    """docs/semantics.md 15, for relations that rest on the state and for those that do not."""
    edges = "".join(f"(<= (e {x} {y}) {on_state})" for x, y in ("ab", "bc", "ca", "cd", "ee"))
    closure = {f"{x} {y}" for x in "abc" for y in "abcd"} | {"e e"}
    expected = closure if expected is None else expected
    assert after(f"{edges} {rules}", "r") == expected


@pytest.mark.parametrize("on_state", ["", "(true s)"])
def test_recursion_from_larger_terms_ends(on_state) -> None:
    """The rows are finitely many; asked for `(d a)` it was asked for (d (g a)), (d (g (g a))) and
    so on until the memory was used up."""
    rules = f"""(<= (d (g (g a))) {on_state}) (<= (d ?y) (d (g ?y)))
        (thing a) (thing b) (<= (there ?x) (thing ?x) (d ?x) (true s))"""
    assert after(rules, "there") == {"a"}


def test_negation_of_a_recursive_relation() -> None:
    rules = """(node a) (node b) (node c) (e a b)
        (<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (e ?y ?z))
        (<= (apart ?x ?y) (node ?x) (node ?y) (not (path ?x ?y)) (true s))"""
    pairs = {f"{x} {y}" for x in "abc" for y in "abc"}
    assert after(rules, "apart") == pairs - {"a b"}


def test_an_atom_may_rest_on_the_negation_of_another_atom_of_its_relation() -> None:
    """Stratified by the arguments, as eleven public sheets are."""
    rules = """(<= (w a) (not (w b)) (true s)) (<= (w b) (not (w c)) (true s))
        (<= (w c) (true s)) (<= (seen ?x) (w ?x))"""
    assert after(rules, "seen") == {"a", "c"}


@pytest.mark.parametrize("width", [3, 13, 30])
def test_joins_of_any_number_of_conditions(width) -> None:
    """Python nests at most 20 loops."""
    pairs = " ".join(f"(e ?x{i} ?x{i + 1}) (true s)" for i in range(width))
    rules = f"(e a b) (e b a) (e b c) (<= (walk ?x0 ?x{width}) {pairs})"
    ends = {("a", "b"): "b a, b c, a b", ("a", "a"): "a a, b b, a c"}
    expected = ends["a", "b"] if width % 2 else ends["a", "a"]
    assert after(rules, "walk") == set(expected.split(", "))


def test_parts_of_a_body_that_share_no_variable_are_not_multiplied() -> None:
    """13 independent conditions of 200 rows each: 200^13 ways, 13 questions."""
    rows = " ".join(f"(b {i})" for i in range(200))
    body = " ".join(f"(b ?x{i}) (true s)" for i in range(13))
    assert after(f"{rows} (<= (r ?y) (true ?y) {body})", "r") == {"s"}


def test_nested_terms_are_taken_apart_and_put_together() -> None:
    rules = """(<= (next (at (pair ?x (f ?y)))) (true (at (pair ?y (f ?x)))))
        (init (at (pair a (f b)))) (<= (next (at ?z)) (true (at (pair a ?z))))"""
    state = unground(f"{HEAD} {rules}").initial.play("go")
    assert set(map(str, state.facts)) == {"(at (pair b (f a)))", "(at (f b))"}


def test_whole_fluents_as_variables() -> None:
    game = unground(
        """(role p) (role q) (init (on a)) (init b) (<= (legal ?r (keep ?x)) (role ?r) (true ?x))
        (<= (next ?x) (true ?x) (does p (keep ?x))) (<= (next made) (does q ?m) (distinct ?m b))
        (<= terminal (not (true b))) (<= (goal ?r 1) (role ?r))"""
    )
    state = game.initial.play({"p": "(keep (on a))", "q": "(keep b)"})
    assert [str(f) for f in state.facts] == ["(on a)", "made"]
    assert state.terminal


UGLY = [
    "a.b:-c.", "#script", '"x', "%*", ":-", "@f", "_", "X", "{1}", "\x01", "long" * 250, "1", "01",
    "not", "__import__", "None", "c", "d", "\\", "'", "é",
]  # fmt: skip


@pytest.mark.parametrize("limits", [Limits(), UNGROUND], ids=["ground", "unground"])
def test_symbols_made_to_hurt_pass_unchanged(limits) -> None:
    cells = " ".join(f"(init (cell {i} {name}))" for i, name in enumerate(UGLY))
    game = ggp.parse(
        f"""(role p) {cells} (<= (legal p (take ?i ?x)) (true (cell ?i ?x)))
        (<= (next (cell ?i ?x)) (true (cell ?i ?x)) (not (does p (take ?i ?x))))
        (<= (next (taken ?x)) (does p (take ?i ?x)) (distinct ?x no))
        (<= (seen p ?x) (does p (take ?i ?x)))
        (<= terminal (true (taken ?x))) (<= (goal p 7) (true (taken ?x)))""",
        limits=limits,
    )
    for i, name in enumerate(UGLY):
        state = game.initial.play(Term("take", (Term(str(i)), Term(name))))
        assert Term("taken", (Term(name),)) in state.facts
        assert game.state([str(fact) for fact in state.facts]) == state


def test_a_state_may_be_any_set_of_fluents_that_the_rules_can_make() -> None:
    game = unground(f"{HEAD} (<= (next (cell ?x b)) (true (cell ?x a))) (init (cell 1 a))")
    assert game.state(["(cell 7 b)", "s"]).facts == (
        Term("cell", (Term("7"), Term("b"))),
        Term("s"),
    )
    for fact in ("(cell 1 c)", "(cell 1)", "t"):
        with pytest.raises(UnknownName):
            game.state([fact])


def test_a_question_without_end_reaches_the_limit_of_time() -> None:
    rows = " ".join(f"(b {i})" for i in range(60))
    chain = " ".join(f"(b ?x{i}) (distinct ?x{i} ?x{i + 1})" for i in range(12))
    rules = f"{rows} (<= (next z) {chain} (b ?x12) (distinct ?x0 ?x0a) (b ?x0a) (never ?x12 ?x0))"
    game = unground(f"{HEAD} {rules} (never q r)", seconds=0.5)
    assert not game.initial.play("go").terminal  # no row of `never` is met, which is seen at once
    slow = f"{rows} (<= (next z) {chain} (b ?x12) (distinct (f ?x12 ?x0 ?x5) (f ?x0 ?x5 ?x12)) "
    game = unground(f"{HEAD} {slow} (not (same ?x1 ?x12))) (<= (same ?x ?y) (b ?x) (b ?y))",
                    seconds=0.5)  # fmt: skip
    with pytest.raises(LimitReached, match="time"):
        game.initial.play("go")


def test_a_few_loops_that_ask_many_tests_look_at_the_clock() -> None:
    """Loops alone would be 1,600 rows to look at, and more than a million tests."""
    numbers = " ".join(f"(x {n})" for n in range(40))
    tests = " ".join(f"(t{n} ?a ?b ?c)" for n in range(22))
    rules = " ".join(f"(<= (t{n} ?a ?b ?c) (true (f a)) (x ?a) (x ?b) (x ?c))" for n in range(22))
    game = unground(
        f"""(role r) {numbers} {rules} (init (f a)) (<= (next (f a)) (true (f a)))
        (<= (legal r (m ?a ?b ?c)) (x ?a) (x ?b) (x ?c) {tests})
        (<= terminal (true (f b))) (goal r 100)""",
        seconds=0.0,
    )
    with pytest.raises(LimitReached, match="time"):
        game.initial.legal("r")


def test_the_player_answers_with_legal_moves() -> None:
    text = (GAMES / "tic-tac-toe" / "tic-tac-toe.kif").read_text(encoding="utf-8")
    state = unground(text).initial
    player = SearchPlayer(state.game, state.game.roles[0], seed=1)
    assert not player.prepare(0.1)
    moves = list(player.suggestions(state, 0.5))
    assert all(suggestion.move in state.legal(player.role) for suggestion in moves)
    assert len(moves) > 1


def test_small_games_are_solved_all_the_same() -> None:
    text = (GAMES / "subtraction" / "sg-12-15.kif").read_text(encoding="utf-8")
    ground, other = ggp.parse(text), unground(text)
    solution = other.solve()
    assert solution.engine == "unground"
    assert solution.value(other.initial) == ground.solve().value(ground.initial)
    assert solution.best(other.initial) == ground.solve().best(ground.initial)


def test_findings_name_the_limit() -> None:
    findings = unground(f"{HEAD} (<= (next s) (true s))").analyse()
    assert findings.value("players") == 1
    assert findings["cyclic"].certainty == "unknown"
    assert "ground_rules" in str(findings["cyclic"].evidence)


@pytest.mark.parametrize("name", ["chess", "sudoku", "laikLee_hex", "merrills", "linesOfAction"])
def test_public_sheets_that_are_too_large_to_ground(name) -> None:
    game = ggp.load(shared("corpus", "games", f"{name}.kif"), limits=UNGROUND)
    steps, difference = replay(game, read_trace(shared("corpus", "traces", f"{name}.jsonl.gz")))
    assert difference is None
    assert steps > 20


def test_the_engine_is_reported() -> None:
    figures = net_figures(unground(f"{HEAD} (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))"))
    assert figures["engine"] == "unground"
    assert "ground_rules" in figures["why"]


@pytest.mark.parametrize("depth", [30, 120])
def test_terms_of_any_depth_are_matched(depth) -> None:
    """Python nests at most 100 indentations."""
    deep = "(f " * depth + "?x" + ")" * depth
    ground = deep.replace("?x", "a")
    rules = f"(init (at {ground})) (<= (next (at ?x)) (true (at {deep})))"
    state = unground(f"{HEAD} {rules}").initial.play("go")
    assert [str(fact) for fact in state.facts] == ["(at a)"]


def test_any_number_of_conditions_and_alternatives() -> None:
    many = " ".join(f"(distinct ?x c{i}) (not (true (gone c{i})))" for i in range(150))
    either = " ".join(f"(distinct ?x {name})" for name in "abcdefgh")
    rules = f"(r a) (r c7) (<= (next (kept ?x)) (r ?x) {many} (or {either}))"
    state = unground(f"{HEAD} {rules}").initial.play("go")
    assert [str(fact) for fact in state.facts] == ["(kept a)"]


def test_a_static_relation_with_facts_and_rules_has_all_its_rows() -> None:
    rules = """(n 0) (n 1) (up 0 1) (up 1 2) (<= (n ?y) (n ?x) (up ?x ?y))
        (<= (pair ?x ?y) (n ?x) (n ?y)) (pair z z)
        (<= (seen ?x ?y) (pair ?x ?y) (n ?x) (true s))
        (<= (seen ?x ?y) (pair ?x ?y) (not (n ?x)))"""
    assert after(rules, "seen") == {f"{x} {y}" for x in "012" for y in "012"} | {"z z"}


def test_a_static_relation_that_is_too_large_for_a_table_is_asked_for_what_is_needed() -> None:
    """300^3 rows, of which three are looked at."""
    rows = " ".join(f"(b {i})" for i in range(300))
    rules = f"{rows} (<= (big ?x ?y ?z) (b ?x) (b ?y) (b ?z) (distinct ?x ?y)) (init (at 5 6 7))"
    text = f"{HEAD} {rules} (<= (next (saw ?x)) (true (at ?x ?y ?z)) (big ?x ?y ?z))"
    state = unground(text).initial.play("go")
    assert [str(fact) for fact in state.facts] == ["(saw 5)"]


def test_tables_that_goals_alone_need_are_made_when_goals_are_asked_for() -> None:
    """Who only plays on does not wait for them; answers of before stay what they were."""
    text = """(role a) (init (at 0)) (n 0) (n 1) (n 2)
        (<= (pair ?x ?y) (n ?x) (n ?y)) (<= (step ?x ?y) (n ?x) (n ?y) (distinct ?x ?y))
        (<= (legal a (go ?y)) (true (at ?x)) (step ?x ?y)) (<= (next (at ?y)) (does a (go ?y)))
        (<= terminal (true (at 2))) (<= (goal a 10) (pair ?x ?y) (true (at ?x)))"""
    prover = Prover(ggp.parse(text).rules)
    assert ("step", 2) in prover._program.facts
    assert ("pair", 2) in prover._program.rules
    first = prover.legal(prover.initial)
    after = prover.next(prover.initial, [first[0][0]])
    assert prover.goals(prover.initial) == [[10]]
    assert ("pair", 2) in prover._program.facts
    assert prover.legal(prover.initial) == first
    assert prover.next(prover.initial, [first[0][0]]) == after
    assert prover.goals(after) == [[10]]
