"""Sets of moves that are put in order afterwards: what is found is a play."""

from __future__ import annotations

import itertools
import random

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.boards.boards import Boards, NotApplicable
from ggp.analysis.questions.sat import TooHard
from ggp.limits import Budget
from ggp.solver.alone import unordered
from ggp.solver.alone.unordered import UnorderedPlanner


def boards_of(game: ggp.Game) -> Boards:
    found = Positions(game, Budget(), None, (game.initial.bits,)).proofs.boards
    assert found is not None
    return found


def planner(game: ggp.Game, state: ggp.State | None = None) -> UnorderedPlanner:
    return UnorderedPlanner(boards_of(game), state or game.initial, lambda work: None)


def goal_after(game: ggp.Game, moves: list[int]) -> int:
    """The goal of a play, each move of which is legal, and the last of which ends it."""
    state = game.initial
    for move in moves:
        assert not state.terminal
        assert move in state.legal_indices()[0]
        state = state.after([move])
    assert state.terminal
    return state.goals[game.roles[0]]


def latin(size: int, given: str = "", extra: str = "") -> str:
    """A Latin square to be filled: no two of a row or a column are equal."""
    cells = list(itertools.product(range(size), repeat=2))
    known = {tuple(map(int, one[:2])): int(one[2]) for one in given.split()}
    facts = [f"(init (cell {r} {c} {known.get((r, c), 'b')}))" for r, c in cells]
    facts += [f"(digit {n})" for n in range(size)]
    return (
        "\n".join(facts)
        + extra
        + """
        (role a)
        (<= (legal a (put ?r ?c ?n)) (true (cell ?r ?c b)) (digit ?n) (not (row ?r ?n))
            (not (column ?c ?n)))
        (<= (row ?r ?n) (digit ?r) (digit ?n) (true (cell ?r ?c ?n)))
        (<= (column ?c ?n) (digit ?c) (digit ?n) (true (cell ?r ?c ?n)))
        (<= (next (cell ?r ?c ?n)) (does a (put ?r ?c ?n)))
        (<= (next (cell ?r ?c ?n)) (true (cell ?r ?c ?n)) (does a (put ?s ?d ?m))
            (or (distinct ?r ?s) (distinct ?c ?d)))
        (<= open (true (cell ?r ?c b)))
        (<= playable (legal a (put ?r ?c ?n)))
        (<= terminal (not playable))
        (<= (goal a 100) (not open))
        (<= (goal a 0) open)
    """
    )


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_a_latin_square_is_filled(size) -> None:
    game = ggp.parse(latin(size))
    found = planner(game).way(0, 10_000)
    assert found is not None
    assert len(found) == size * size
    assert goal_after(game, found) == 100


def test_a_square_that_cannot_be_filled_is_not() -> None:
    """In the first row 1 is left, and the column has it."""
    game = ggp.parse(latin(2, "000 111"))
    assert planner(game).way(0, 10_000) is None
    assert game.solve(method="way").value(game.initial) == {"a": 0}


def test_what_was_filled_stays_so_from_another_state() -> None:
    game = ggp.parse(latin(3))
    state = game.initial.play("(put 0 0 2)").play("(put 1 1 2)")
    found = planner(game, state).way(0, 10_000)
    assert found is not None
    for move in found:
        assert move in state.legal_indices()[0]
        state = state.after([move])
    assert state.goals == {"a": 100}
    assert {"(cell 0 0 2)", "(cell 1 1 2)", "(cell 2 2 2)"} <= set(map(str, state.facts))


def queens(size: int, moves: int) -> str:
    """So many queens none of which attacks another, where each move counts."""
    facts = [f"(line {i})" for i in range(size)] + [f"(succ {i} {i + 1})" for i in range(moves)]
    for a, b in itertools.combinations_with_replacement(range(size), 2):
        facts += [f"(far {a} {b} {b - a})"] + ([f"(far {b} {a} {b - a})"] if a < b else [])
    return (
        "\n".join(facts)
        + f"""
        (role a) (init (step 0))
        (<= (legal a (put ?r ?c)) (line ?r) (line ?c) (not (attacked ?r ?c)))
        (<= (attacked ?r ?c) (true (queen ?s ?d)) (line ?r) (line ?c)
            (or (distinct ?r ?s) (distinct ?c ?d)) (far ?r ?s ?x) (far ?c ?d ?x))
        (<= (attacked ?r ?c) (true (queen ?r ?d)) (line ?c))
        (<= (attacked ?r ?c) (true (queen ?s ?c)) (line ?r))
        (legal a stop)
        (<= (next (queen ?r ?c)) (does a (put ?r ?c)))
        (<= (next (queen ?r ?c)) (true (queen ?r ?c)))
        (<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))
        (<= (next over) (does a stop))
        (<= terminal (true (step {moves})))
        (<= terminal (true over))
        (<= (goal a 0) (true over))
        (<= (goal a 100) (not (true over)))
    """
    )


@pytest.mark.parametrize(("size", "moves"), [(4, 4), (6, 6), (5, 3)])
def test_what_passes_with_each_move_is_counted(size, moves) -> None:
    """Just so many queens are put as steps are made."""
    game = ggp.parse(queens(size, moves))
    found = planner(game).way(0, 10_000)
    assert found is not None
    assert (len(found), goal_after(game, found)) == (moves, 100)


@pytest.mark.parametrize(("size", "moves"), [(2, 2), (3, 3), (4, 5), (12, 13)])
def test_more_queens_than_there_is_place_for_are_not_put(size, moves) -> None:
    assert planner(ggp.parse(queens(size, moves))).way(0, 100_000) is None


CHAIN = """
    (role a) (init (step 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal a (light ?j)) (succ ?i ?j) (lit ?i) (not (true (on ?j))))
    (lit 0)
    (<= (lit ?i) (true (on ?i)))
    (<= (next (on ?j)) (does a (light ?j)))
    (<= (next (on ?j)) (true (on ?j)))
    (<= terminal (true (on 4)))
    (<= (goal a 100) (true (on 4)))
    (<= (goal a 0) (not (true (on 4))))
"""


def test_moves_that_others_make_legal_come_after_them() -> None:
    game = ggp.parse(CHAIN)
    found = planner(game).way(0, 1_000)
    assert found is not None
    assert [str(game.evaluator.move(0, move)) for move in found] == [
        f"(light {i})" for i in range(1, 5)
    ]
    assert goal_after(game, found) == 100


CIRCLE = """
    (role a) (init (dark 1)) (init (dark 2)) (other 1 2) (other 2 1)
    (<= (legal a (light ?x)) (true (dark ?x)) (other ?x ?y) (not (true (dark ?y))))
    (legal a wait)
    (<= (next (dark ?x)) (true (dark ?x)) (not (does a (light ?x))))
    (<= some (true (dark ?x)))
    (<= terminal (not some))
    (<= (goal a 100) (not some))
    (<= (goal a 0) some)
"""


def test_moves_each_of_which_waits_for_the_other_are_no_way() -> None:
    """The two explain the end, and neither can come first; there is no other set."""
    game = ggp.parse(CIRCLE)
    assert planner(game).way(0, 1_000) is None


def test_after_some_sets_without_an_order_it_is_given_up(monkeypatch) -> None:
    game, asked = ggp.parse(CIRCLE), []
    monkeypatch.setattr(unordered, "TRIES", 1)
    made = planner(game)
    last = lambda moves, above: asked.append(moves) or (None, moves[-1:])  # noqa: E731
    monkeypatch.setattr(made, "_ordered", last)
    assert made.way(0, 1_000) is None
    # The one that is left over goes first: of two moves there are two orders, of more some.
    assert len(asked) == unordered.ORDERS
    assert len(set(map(tuple, asked))) > 1
    assert made.way(0, 1_000) is None
    assert len(asked) <= 2 * unordered.ORDERS


AFTERWARDS = """
    (role a) (legal a (put 1))
    (<= (legal a (put 2)) (not (true (on 1)))) (<= (legal a (put 2)) (true (on 3)))
    (<= (legal a (put 3)) (true (on 2)))
    (<= (next (on ?x)) (does a (put ?x))) (<= (next (on ?x)) (true (on ?x)))
    (<= terminal (true (on 1)) (true (on 2)) (true (on 3)))
    (<= (goal a 100) (true (on 1))) (<= (goal a 0) (not (true (on 1))))
"""


def test_what_is_left_over_is_tried_first_the_next_time() -> None:
    """After the first there is no second; the only order is 2, 3, 1 (or 2, 1 and never 3)."""
    game = ggp.parse(AFTERWARDS)
    found = planner(game).way(0, 1_000)
    assert found is not None
    assert goal_after(game, found) == 100


def test_ends_with_two_goals_are_no_ends_to_come_to() -> None:
    """Neither filled nor planned for; a way is one to an end with one goal."""
    rules = """
        (role a) (init (step 0)) (succ 0 1) (succ 1 2)
        (legal a (put 1)) (legal a (put 2))
        (<= (next (on ?x)) (does a (put ?x))) (<= (next (on ?x)) (true (on ?x)))
        (<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))
        (<= terminal (true (step 2)))
        (<= (goal a 100) (true (on 1)) (true (on 2)))
        (<= (goal a 70) (true (on 1)) (true (on 2)))
        (<= (goal a 40) (true (on 1)) (not (true (on 2))))
        (<= (goal a 10) (not (true (on 1))))
    """
    game = ggp.parse(rules)
    assert planner(game).way(40, 1_000) is None
    assert game.solve(method="way").value(game.initial) == {"a": 40}


def many(count: int, steps: int, clock: str) -> str:
    """Many places and a clock."""
    facts = " ".join(f"(succ {i} {i + 1})" for i in range(steps))
    places = " ".join(f"(place {i})" for i in range(count))
    return f"""
        (role a) (init (step 0)) {facts} {places} {clock}
        (<= (legal a (mark ?i)) (place ?i) (not (true (on ?i))))
        (<= (next (on ?i)) (does a (mark ?i))) (<= (next (on ?i)) (true (on ?i)))
        (<= won (true (on 0)) (true (on 7)))
        (<= (goal a 100) won) (<= (goal a 0) (not won))
    """


SHARED = """
    (<= going (true (step ?i)) (succ ?i ?j))
    (<= (next (step ?j)) (true (step ?i)) (succ ?i ?j) going)
    (<= terminal (true (step 6)))
"""


def test_nothing_is_counted_after_all_plays_are_over() -> None:
    """A clock of a hundred steps, of which six are made."""
    game = ggp.parse(many(500, 100, SHARED))
    made = planner(game)
    assert len(made._counted) == 6
    found = made.way(0, 1_000)
    assert found is not None
    assert (len(found), goal_after(game, found)) == (6, 100)


WAITING = """
    (role a) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (legal a wait) (<= (legal a (mark ?i)) (place ?i) (not (true (on ?i)))) (place 0) (place 1)
    (<= (next (on ?i)) (does a (mark ?i))) (<= (next (on ?i)) (true (on ?i)))
    (<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))
    (<= terminal (true (step 6)))
    (<= won (true (on 0)) {also})
    (<= (goal a 100) won) (<= (goal a 0) (not won))
"""


@pytest.mark.parametrize("also", ["", "(true (on 1))", "(not (true (on 1)))"])
def test_one_may_wait_several_times(also) -> None:
    """Six steps, of which one or two do something."""
    game = ggp.parse(WAITING.format(also=also))
    found = planner(game).way(0, 1_000)
    assert found is not None
    assert (len(found), goal_after(game, found)) == (6, 100)
    assert len(set(found)) in (2, 3)


def test_a_clock_that_takes_too_much_is_another_matter() -> None:
    late = "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j)) (<= terminal won)"
    with pytest.raises(NotApplicable, match="clock"):
        planner(ggp.parse(many(1_100, 1_000, late)))


def test_the_account_is_looked_at_while_much_is_written_out() -> None:
    """Of some thousand moves, and again at each move of a long play."""
    rules = """
        (role a) (<= (legal a (put ?i)) (true (blank ?i)))
        (<= (next (blank ?i)) (true (blank ?i)) (not (does a (put ?i))))
        (<= open (true (blank ?i))) (<= terminal (not open))
        (<= (goal a 100) (not open)) (<= (goal a 0) open)
    """
    game = ggp.parse(rules + " ".join(f"(init (blank {i}))" for i in range(400)))
    asked: list[int] = []
    made = UnorderedPlanner(boards_of(game), game.initial, asked.append)
    assert len(asked) >= 4 * 400 // 64
    before = len(asked)
    found = made.way(0, 1_000)
    assert found is not None
    assert len(found) == 400
    assert len(asked) - before >= 400


def test_moves_that_depend_on_the_state_are_another_matter() -> None:
    """A piece that moves on from where it is."""
    rules = """
        (role a) (init (at 1)) (succ 1 2) (succ 2 3) (legal a go)
        (<= (next (at ?j)) (true (at ?i)) (succ ?i ?j) (does a go))
        (<= (legal a back) (true (at 2)))
        (<= (next (at ?i)) (true (at ?j)) (succ ?i ?j) (does a back))
        (<= terminal (true (at 3))) (goal a 100)
    """
    game = ggp.parse(rules)
    with pytest.raises(NotApplicable):
        planner(game)
    assert game.solve(method="way").value(game.initial) == {"a": 100}


def pigeons(count: int, holes: int, *, are_told_apart: bool) -> str:
    """As many pigeons as moves come to holes, of which each has place for one."""
    moves = [(i, j) for i in range(count) for j in range(holes)]
    put = {m: "put {} {}" if are_told_apart else "put-{}-{}" for m in moves}
    name = {
        m: f"({text.format(*m)})" if " " in text else text.format(*m) for m, text in put.items()
    }
    rules = ["(role a) (init (step 0)) (goal a 100)", f"(<= terminal (true (step {count})))"]
    rules += [f"(succ {i} {i + 1})" for i in range(count)]
    rules += ["(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))"]
    for i, j in moves:
        rules += [
            f"(<= (legal a {name[i, j]}) (not (true (full {j}))) (not (true (here {i}))))",
            f"(<= (next (full {j})) (does a {name[i, j]}))",
            f"(<= (next (here {i})) (does a {name[i, j]}))",
        ]
    rules += ["(<= (next (full ?j)) (true (full ?j)))", "(<= (next (here ?i)) (true (here ?i)))"]
    return "\n".join(rules)


def test_too_many_conflicts_are_too_hard() -> None:
    """Ten pigeons in nine holes, and nothing in the moves' names that tells one from another."""
    with pytest.raises(TooHard):
        planner(ggp.parse(pigeons(10, 9, are_told_apart=False))).way(0, 100)


@pytest.mark.parametrize(("count", "holes", "can"), [(10, 9, False), (9, 9, True), (12, 12, True)])
def test_pigeons_are_counted(count, holes, can) -> None:
    """A solver that does not count takes longer than there is time (Haken 1985)."""
    game = ggp.parse(pigeons(count, holes, are_told_apart=True))
    found = planner(game).way(0, 100)
    assert (found is not None) == can
    assert found is None or goal_after(game, found) == 100


NO_HIGHER = """
    (role a) (init (step 0)) (succ 0 1) (succ 1 2)
    (legal a wait) (legal a work)
    (<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))
    (<= (next done) (does a work))
    (<= (next done) (true done))
    (<= terminal (true (step 2)))
    (<= (goal a 100) (true (step 2)) (true (step 1)) (not (true (step 2))))
    (<= (goal a 60) (true done))
    (<= (goal a 0) (not (true done)))
"""


def test_a_goal_that_no_state_has_is_not_looked_for() -> None:
    game = ggp.parse(NO_HIGHER)
    found = game.solve(method="way")
    assert found.value(game.initial) == {"a": 60}


def filling(seed: int) -> str:
    """Random rules by which places are filled, emptied, or waited at; some with a clock."""
    rng = random.Random(seed)
    places, values = range(rng.randint(2, 4)), range(rng.randint(1, 3))
    cell = [f"(cell {i} {v})" for i in places for v in values]
    rules = ["(role a)", *(f"(place {i})" for i in places), *(f"(value {v})" for v in values)]
    rules += [f"(init (cell {i} {rng.choice(['b', 'b', 0])}))" for i in places]

    def literal() -> str:
        one = f"(true {rng.choice(cell)})"
        return one if rng.random() < 0.4 else f"(not {one})"

    for i, v in itertools.product(places, values):
        held = "b" if rng.random() < 0.85 else rng.choice(list(values))
        conditions = " ".join(literal() for _ in range(rng.randint(0, 2)))
        rules.append(f"(<= (legal a (put {i} {v})) (true (cell {i} {held})) {conditions})")
    if rng.random() < 0.4:
        rules.append(f"(<= (legal a (clear ?i)) (place ?i) (true {rng.choice(cell)}))")
    rules += [
        "(legal a wait)",
        "(<= (next (cell ?i ?v)) (does a (put ?i ?v)))",
        "(<= (next (cell ?i b)) (does a (clear ?i)))",
        "(<= (touched ?i) (does a (put ?i ?v)))",
        "(<= (touched ?i) (does a (clear ?i)))",
        "(<= (next (cell ?i ?v)) (true (cell ?i ?v)) (not (touched ?i)))",
        "(<= open (true (cell ?i b)))",
    ]
    if rng.random() < 0.5:
        most = rng.randint(1, 5)
        rules += [f"(succ {i} {i + 1})" for i in range(most)] + ["(init (step 0))"]
        rules += ["(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))"]
        rules += [f"(<= terminal (true (step {most})))"]
    if rng.random() < 0.3:
        rules.append(f"(<= terminal {literal()} {literal()})")
    rules.append("(<= terminal (not open))")
    first, second = literal(), literal()
    rules += [
        f"(<= (goal a 100) (not open) {first} {second})",
        "(<= best (goal a 100))",
        "(<= (goal a 50) (not best) (not open))",
        "(<= (goal a 0) (not best) open)",
    ]
    return "\n".join(rules)


@pytest.mark.parametrize("seed", range(60))
def test_what_is_found_in_random_fillings_is_a_play_and_the_value_is_that_of_all(seed) -> None:
    game = ggp.parse(filling(seed))
    if game.initial.terminal:
        return
    whole = game.solve(method="positions").value(game.initial)
    best = -1 if whole is None else int(whole["a"])
    try:
        made = planner(game)
    except NotApplicable:
        made = None
    for above in (-1, 0, 50) if made else ():
        found = made.way(above, 10_000)
        if found is not None:
            assert above < goal_after(game, found) <= best
    if best >= 0:
        assert game.solve(method="way").value(game.initial) == {"a": best}


def all_here(count: int, holes: int) -> str:
    """Pigeons come to holes, of which each has place for one; nothing counts the moves, and play is
    over when all are there."""
    rules = ["(role a) (init s) (<= (next s) (true s)) (goal a 100)"]
    rules += [f"(pigeon {i})" for i in range(count)] + [f"(hole h{j})" for j in range(holes)]
    rules += [
        "(<= (legal a (put ?i ?j)) (pigeon ?i) (hole ?j) (true s)"
        " (not (true (full ?j))) (not (true (here ?i))))",
        "(<= (next (full ?j)) (does a (put ?i ?j))) (<= (next (full ?j)) (true (full ?j)))",
        "(<= (next (here ?i)) (does a (put ?i ?j))) (<= (next (here ?i)) (true (here ?i)))",
        "(<= away (pigeon ?i) (not (true (here ?i)))) (<= terminal (not away))",
    ]
    return "\n".join(rules)


@pytest.mark.parametrize(("count", "holes"), [(10, 9), (11, 8), (9, 9), (8, 9)])
def test_moves_that_an_end_needs_are_counted_where_no_clock_does(count, holes) -> None:
    """As many as there are fluents that differ, each changed by moves of its own."""
    game = ggp.parse(all_here(count, holes))
    found = planner(game).way(0, 100)
    assert (found is not None) == (count <= holes)
    assert found is None or goal_after(game, found) == 100


def test_moves_exclude_each_other_where_one_of_them_tells_so() -> None:
    """The second sets both of what the first must not find; of the first it follows of neither
    alone that it is not set. The third has nothing to do with them."""
    setting = "(<= (next {0}) (does a {1})) (<= (next {0}) (true {0}))"
    game = ggp.parse(f"""(role a) (init s) (<= (next s) (true s)) (goal a 100)
        (<= (legal a one) (true s) (not both)) (<= both (true p) (true q))
        (legal a two) (legal a three) (legal a stop) (<= terminal (true over))
        {setting.format("p", "two")} {setting.format("q", "two")}
        {setting.format("done", "one")} {setting.format("r", "three")}
        {setting.format("over", "stop")}""")
    made = planner(game)
    over = made._solver.literal(made._side.terminal)
    literals, excluded = made._excluded(over)
    move_of = {x: str(game.evaluator.move(0, move)) for move, x in made._chosen.items()}
    names = [move_of[x] for x in literals]
    assert sorted(names) == ["one", "stop", "three", "two"]
    found = {(names[i], names[j]) for i, j in zip(*excluded.nonzero(), strict=True)}
    assert found == {(n, n) for n in names} | {("one", "two"), ("two", "one")}
