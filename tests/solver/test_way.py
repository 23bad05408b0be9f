"""One role alone: what a way to the best end shows, and what planning says of plays."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.questions.sat import TooHard
from ggp.errors import IllegalMove, LimitReached, NotSolvable
from ggp.limits import Budget
from ggp.solver import WaySolution, positions, verify
from ggp.solver.alone.beams import LineSearch
from ggp.solver.alone.planning import Planner
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.passes.solution import PassSolution
from ggp.solver.positions import PositionSolver
from tests.conftest import GAMES
from tests.play.test_lines import TOO_EARLY, graph

LIGHTS_OUT = GAMES / "puzzles" / "lights-out-3x3.kif"


def ends(game: ggp.Game, most: int) -> dict[int, set[int]]:
    """For each number of moves the goals that plays of so many come to, by looking at all."""
    found: dict[int, set[int]] = {}
    states = {game.initial}
    for length in range(1, most + 1):
        following = {state.after([i]) for state in states for i in state.legal_indices()[0]}
        found[length] = {s.goals[game.roles[0]] for s in following if s.terminal}
        states = {s for s in following if not s.terminal}
    return found


def walk(seed: int) -> ggp.Game:
    """A walk on a graph from which every end and every goal can be missing."""
    return ggp.parse(graph(random.Random(seed))[0])


def check(game: ggp.Game, planner: Planner, length: int, above: int, goals: set[int]) -> None:
    """What planning says of plays of one length is what is so."""
    line = planner.way(length, above, 10_000)
    if line is None:
        assert all(goal <= above for goal in goals)
        return
    state = game.initial
    for move in line:
        assert move in state.legal_indices()[0]
        state = state.after([move])
    assert len(line) == length
    assert state.terminal
    assert state.goals[game.roles[0]] > above


@pytest.mark.parametrize("seed", range(12))
def test_planning_finds_just_the_plays_that_there_are(seed) -> None:
    """Of each length and for each goal, in any order of questions."""
    game = walk(seed)
    planner = Planner(game, game.initial, lambda work: None)
    while planner.last is None:
        planner.step()
    found = ends(game, planner.last)
    asked = [(length, above) for length in found for above in (-1, 0, 30, 60, 99)]
    random.Random(seed).shuffle(asked)
    for length, above in asked:
        check(game, planner, length, above, found[length])
    planner.close()


def test_all_plays_are_over_when_planning_says_so() -> None:
    game = ggp.parse(TOO_EARLY)
    planner = Planner(game, game.initial, lambda work: None)
    while planner.last is None:
        planner.step()
    assert planner.last == 4
    # One may wait at each step, or be at 2 after two or three.
    assert ends(game, 4) == {1: set(), 2: {30}, 3: {100}, 4: {30}}


def test_a_question_that_takes_more_conflicts_is_too_hard() -> None:
    """Nine pigeons in eight holes: a counter for each hole, and nobody to be left out."""
    pigeons, holes = range(9), range(8)
    rules = ["(role a) (init (step 0)) (<= (goal a 0) (true left))"]
    rules += [f"(succ {i} {i + 1})" for i in pigeons] + [f"(hole {j})" for j in holes]
    rules += [
        "(<= (legal a (put ?j)) (hole ?j) (not (true (full ?j))))",
        "(<= (legal a nowhere) (true (step ?i)))",
        "(<= (next (full ?j)) (does a (put ?j))) (<= (next (full ?j)) (true (full ?j)))",
        "(<= (next left) (does a nowhere)) (<= (next left) (true left))",
        "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))",
        "(<= terminal (true (step 9)))",
        "(<= (goal a 100) (true (step 9)) (not (true left)))",
    ]
    game = ggp.parse("\n".join(rules))
    planner = Planner(game, game.initial, lambda work: None)
    while planner.last is None:
        planner.step()
    with pytest.raises(TooHard):
        planner.way(9, 0, 20)
    assert planner.way(9, -1, 20) is not None


@pytest.mark.parametrize("seed", range(20))
def test_the_value_of_random_walks_is_the_best_end_within_reach(seed) -> None:
    rules, best = graph(random.Random(seed))
    game = ggp.parse(rules)
    if best < 0:
        with pytest.raises(NotSolvable):
            game.solve(method="way")
        return
    found = game.solve(method="way")
    assert isinstance(found, WaySolution)
    state, whole = game.initial, game.solve(method="positions")
    assert found.value(state) == {"a": best} == whole.value(state)
    while not state.terminal:
        assert found.value(state) == {"a": best}
        state = state.play(found.progress(state))
    assert state.goals == {"a": best}
    assert found.best(state) == ()
    assert found.progress(game.initial) in game.initial.legal("a")


def test_where_not_all_is_looked_at_planning_shows_that_there_is_no_better_end(monkeypatch) -> None:
    """Without beams."""
    monkeypatch.setattr("ggp.solver.alone.solution.NARROW", 0)
    for seed in range(6):
        rules, best = graph(random.Random(seed))
        if best >= 0:
            assert ggp.parse(rules).solve(method="way").value(ggp.parse(rules).initial) == {
                "a": best
            }


def test_other_positions_are_looked_at_when_they_are_asked_for() -> None:
    game = ggp.parse(TOO_EARLY)
    found = game.solve(method="way")
    assert found.value(game.initial.play("go")) == {"a": 100}
    lost = game.initial.play("go").play("go")
    assert (found.value(lost), found.best(lost)) == ({"a": 30}, ())
    late = game.initial.play("wait").play("wait")
    assert found.value(late) == {"a": 30}
    assert found.progress(late) in late.legal("a")
    with pytest.raises(LimitReached, match="best moves = 1"):
        found.best(game.initial)


def test_a_strategy_is_the_way() -> None:
    game = ggp.load(LIGHTS_OUT)
    strategy = game.solve(method="way").strategy("player")
    assert verify(strategy).ok


def test_it_comes_before_all_positions_where_they_are_many(monkeypatch) -> None:
    """Eight of sixteen lamps are lit: more than 39,000 positions."""
    monkeypatch.setattr(positions, "SOON", 1_000)
    monkeypatch.setattr(positions, "BOUNDED", 1_000)
    lamps = "".join(f"(lamp {i})" for i in range(16)) + "".join(
        f"(n {i} {i + 1})" for i in range(8)
    )
    game = ggp.parse(f"""
        (role a) (init (lit 0)) {lamps} (<= (next (lit ?j)) (true (lit ?i)) (n ?i ?j))
        (<= (legal a (light ?x)) (lamp ?x) (not (true (on ?x))))
        (<= (next (on ?x)) (does a (light ?x))) (<= (next (on ?x)) (true (on ?x)))
        (<= terminal (true (lit 8)))
        (<= (goal a 100) (true (on 3)) (true (on 9))) (<= (goal a 0) (not (true (on 3))))
        (<= (goal a 50) (true (on 3)) (not (true (on 9))))
    """)
    found = game.solve()
    assert isinstance(found, WaySolution)
    assert "more than 1,000 positions" in found.reason
    assert found.value(game.initial) == {"a": 100}


def test_it_is_of_one_role_alone() -> None:
    with pytest.raises(NotSolvable, match="one role alone"):
        ggp.load(GAMES / "kayles" / "kayles-7.kif").solve(method="way")


def test_time_ends_it() -> None:
    game = ggp.load(LIGHTS_OUT)
    spent = Budget(replace(game.limits, seconds=0.0))
    with pytest.raises(LimitReached, match="looking for a way to the best goal"):
        WaySolution(Positions(game, spent, None, (game.initial.bits,)))


def test_answers_are_given_as_much_time_as_is_said() -> None:
    game = ggp.load(LIGHTS_OUT)
    found = game.solve(method="way")
    found.limit(0.0)
    known = found.progress(game.initial)
    other = next(move for move in game.initial.legal("player") if move != known)
    state = game.initial.play(other)
    with pytest.raises(LimitReached):
        found.value(state)
    found.limit(600.0)
    assert found.value(state) == {"player": 100}


LAMPS = """
(role r) (init (on 0))
(<= (legal r (flip ?x)) (lamp ?x)) (<= (legal r (stop ?x)) (true (on ?x)))
(<= (next (on ?x)) (does r (flip ?x)) (not (true (on ?x))))
(<= (next (on ?x)) (true (on ?x)) (not (does r (flip ?x))))
(<= (next done) (does r (stop ?x))) (<= terminal (true done))
(<= (goal r 100) right) (<= (goal r 10) (not right))
"""
"""Lamps that are flipped until one stops; nothing counts the moves."""


def test_a_plan_that_comes_by_a_position_twice_is_a_way_all_the_same() -> None:
    """Of plays of just so many moves, the most frequent are asked about first."""
    rules = [f"(lamp {i})" for i in range(12)]
    lit = [f"(true (on {i}))" if 1 <= i <= 6 else f"(not (true (on {i})))" for i in range(12)]
    game = ggp.parse("\n".join([LAMPS, *rules, f"(<= right {' '.join(lit)})"]))
    found = game.solve(method="way")
    state = game.initial
    for _ in range(1_000):
        if state.terminal:
            break
        state = state.play(found.progress(state))
    assert state.goals == found.value(game.initial) == {"r": 100}


def test_the_last_exit_from_a_position_counts() -> None:
    game = ggp.parse("""
        (role r) (init (at 0)) (succ 0 1) (legal r stay) (legal r go)
        (<= (next (at ?x)) (true (at ?x)) (does r stay))
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r go))
        (<= terminal (true (at 1))) (goal r 100)
    """)
    go, stay = (game.net.move_index[0][game.term(move)] for move in ("go", "stay"))
    lines = LineSearch(game)
    lines.keep(game.initial, [stay, stay, go], 100)
    assert lines.line(game.initial, 20) == [go]


def test_ends_later_than_those_that_were_seen_are_planned_for() -> None:
    """So many moves at the second step that no beam comes by it."""
    numbers = "".join(f"(d {i})" for i in range(70))
    game = ggp.parse(f"""
        (role r) (init (at 0)) (s 0 1) (s 1 2) (s 2 3) {numbers}
        (<= (legal r (p ?a ?b)) (d ?a) (d ?b) (true (at 1)))
        (<= (legal r go) (true (at 0))) (<= (legal r die) (true (at 0)))
        (<= (legal r go) (true (at 2)))
        (<= (next (at ?y)) (true (at ?x)) (s ?x ?y) (not (does r die)))
        (<= (next dead) (does r die))
        (<= (next key) (does r (p 3 5))) (<= (next key) (true key))
        (<= terminal (true dead)) (<= terminal (true (at 3)))
        (<= (goal r 100) (true key)) (<= (goal r 0) (not (true key)))
    """)
    assert game.solve(method="way").value(game.initial) == {"r": 100}


def test_the_reason_says_whether_there_can_be_a_higher_goal() -> None:
    rules = "(role r) (init p) (legal r m) (<= (next q) (does r m)) (<= terminal (true q))"
    for goals, why in (
        ("(goal r 100)", "no end can have a higher goal"),
        ("(goal r 50) (<= (goal r 100) (not (true q)))", "no play comes to a higher goal"),
    ):
        game = ggp.parse(rules + goals)
        context = Positions(game, Budget(game.limits), None, (game.initial.bits,))
        assert WaySolution(context).reason.endswith(why)


@pytest.mark.parametrize("method", ["way", "positions"])
def test_after_the_end_there_is_no_move(method) -> None:
    game = ggp.parse(TOO_EARLY)
    found, state = game.solve(method=method), game.initial
    while not state.terminal:
        state = state.play(found.progress(state))
    with pytest.raises(IllegalMove, match="over"):
        found.progress(state)


CLOCKED = """(role a) {start} (init (at 1)) (succ 1 2) (succ 2 3)
    (legal a go) (legal a stay) {clock}
    (<= (next (at ?j)) (true (at ?i)) (succ ?i ?j) (does a go))
    (<= (next (at ?i)) (true (at ?i)) (does a stay))
    (<= terminal (true (at 3))) {more} (goal a 100)"""


@pytest.mark.parametrize(
    ("start", "clock", "more", "counts"),
    [
        ("", "", "", False),
        ("(init red)", "(<= (next green) (true red)) (<= (next red) (true green))", "", False),
        (
            "(init (step 1))",
            "(<= (next (step ?j)) (true (step ?i)) (succ ?i ?j))",
            "(<= terminal (true (step 3)))",
            True,
        ),
    ],
)
def test_positions_are_told_apart_by_all_but_a_step_counter(start, clock, more, counts) -> None:
    """A circle counts no steps: what it says belongs to the position."""
    game = ggp.parse(CLOCKED.format(start=start, clock=clock, more=more))
    names = list(map(str, game.net.fluents))
    every = [*range(len(names))]
    without = [i for i in every if not names[i].startswith("(step")]
    assert LineSearch(game)._apart == ([without, every] if counts else [every])


def test_at_an_end_nothing_is_looked_at() -> None:
    game, state = ggp.parse(TOO_EARLY), ggp.parse(TOO_EARLY).initial
    while not state.terminal:
        state = state.after(state.legal_indices()[0][:1])
    found = WaySolution(Positions(game, Budget(game.limits), None, (state.bits,)))
    assert found.positions == 0
    assert found.value(state) == state.goals
    assert found.best(state) == ()


@pytest.mark.parametrize("most", [0, 1, 10, 30, 10**6])
def test_no_more_is_written_out_where_there_are_so_many_gates(monkeypatch, most) -> None:
    """Without beams, in the first round: of eight moves, or fewer."""
    written = []

    def step(planner: Planner) -> None:
        written.append(planner.gates)
        plain(planner)

    plain = Planner.step
    monkeypatch.setattr(Planner, "step", step)
    monkeypatch.setattr("ggp.solver.alone.solution.NARROW", 0)
    monkeypatch.setattr("ggp.solver.alone.solution.GATES", most)
    game = walk(3)
    context = Positions(game, Budget(game.limits), None, (game.initial.bits,))
    with suppress(NotSolvable):
        WaySolution(context, rounds=1)
    assert all(gates <= most for gates in written)
    assert bool(written) == (most > 0)


def test_positions_that_groups_prove_to_be_few_are_all_looked_at(monkeypatch) -> None:
    """A way would be found for some goal, and not be known to be the best for long."""
    monkeypatch.setattr(positions, "ALONE", 100)
    sizes = "".join(f"(succ {n} {n + 1})" for n in range(160))
    game = ggp.parse(
        f"""
        (role r) (init (a 160)) (init (b 160)) {sizes}
        (<= (legal r (one ?x)) (true (?x ?n)) (succ ?m ?n))
        (<= (legal r both) (true (a ?n)) (true (b ?n)) (succ ?m ?n))
    """.replace("(true (?x ?n))", "(heap ?x ?n)")
        + """
        (<= (heap a ?n) (true (a ?n))) (<= (heap b ?n) (true (b ?n)))
        (<= (less a) (does r (one a))) (<= (less a) (does r both))
        (<= (less b) (does r (one b))) (<= (less b) (does r both))
        (<= (next (a ?m)) (less a) (true (a ?n)) (succ ?m ?n))
        (<= (next (a ?n)) (not (less a)) (true (a ?n)))
        (<= (next (b ?m)) (less b) (true (b ?n)) (succ ?m ?n))
        (<= (next (b ?n)) (not (less b)) (true (b ?n)))
        (<= terminal (not open)) (<= open (heap ?x ?n) (succ ?m ?n))
        (<= (next (last ?x)) (does r (one ?x))) (<= (next (last both)) (does r both))
        (<= (goal r 70) (true (last a))) (<= (goal r 40) (true (last b)))
        (<= (goal r 90) (true (last both)))
    """
    )
    # A way that is found at once comes first: to prove groups may take longer.
    assert isinstance(game.solve(), WaySolution)
    by_way = PositionSolver.by_way

    def later(self, rounds):  # type: ignore[no-untyped-def]
        if rounds == 1:
            raise NotSolvable("not at once")
        return by_way(self, rounds)

    monkeypatch.setattr(PositionSolver, "by_way", later)
    found = game.solve()
    assert isinstance(found, LayerSolution)
    assert found.reason.startswith("103,684 positions at the most, by groups of fluents")
    assert found.value(game.initial) == {"r": 90}
    monkeypatch.setattr(positions, "BOUNDED", 103_683)
    assert isinstance(game.solve(), PassSolution)
    monkeypatch.setattr(positions, "PASSED", 100)
    assert isinstance(game.solve(), WaySolution)


@pytest.mark.parametrize(("goal", "value"), [(0, None), (40, 40)])
def test_a_puzzle_without_a_way_to_the_highest_goal_is_solved_by_all_positions(
    goal, value, monkeypatch
) -> None:
    """Turns of three of six pieces never come to a swap of two: ways were looked for for ever."""
    monkeypatch.setattr(positions, "ALONE", 100)
    monkeypatch.setattr(Positions, "are_few", False)

    def once(self, rounds):  # type: ignore[no-untyped-def]
        assert rounds == 1
        raise NotSolvable("not at once")

    monkeypatch.setattr(PositionSolver, "by_way", once)
    pieces = range(6)
    turns = [(k, {k: k + 1, k + 1: k + 2, k + 2: k}) for k in range(4)]
    moves = [f"(turn t{k} {i} {own.get(i, i)})" for k, own in turns for i in pieces]
    swapped = " ".join(f"(true (at {i} p{ {0: 1, 1: 0}.get(i, i) }))" for i in pieces)
    half = "(<= half (true (at 0 p1)) (true (at 1 p2)))" if goal else "(<= half false)"
    game = ggp.parse(
        " ".join([f"(init (at {i} p{i}))" for i in pieces] + moves)
        + f"""
        (role r) (<= (legal r ?t) (turn ?t 0 ?x)) {half}
        (<= (next (at ?y ?p)) (does r ?t) (turn ?t ?x ?y) (true (at ?x ?p)))
        (<= won {swapped}) (<= terminal won) (<= terminal half)
        (<= (goal r 100) won) (<= (goal r {goal}) half)
    """
    )
    found = game.solve()
    assert isinstance(found, PassSolution)
    assert found.positions <= 360
    assert found.reason.startswith("more than 100 positions, ")
    assert found.value(game.initial) == (None if value is None else {"r": value})
