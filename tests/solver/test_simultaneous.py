"""Simultaneous moves, against a search of its own with a linear program in floating point."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

import ggp
from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.show.solution import solution_json, solution_text
from ggp.solver import SimultaneousSolution, stages
from ggp.solver.staying import Staying
from tests.conftest import GAMES, nightly, shared
from tests.oracle.random_games import random_game

ROSHAMBO = GAMES / "simultaneous" / "rock-paper-scissors.kif"


def matrix_value(matrix: list[list[float]]) -> float:
    """What the row player can make sure of, by a linear program."""
    count, width = len(matrix), len(matrix[0])
    below = np.hstack([-np.array(matrix).T, np.ones((width, 1))])
    done = linprog(
        [0.0] * count + [-1.0],
        A_ub=below,
        b_ub=np.zeros(width),
        A_eq=[[1.0] * count + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
    )
    return float(-done.fun)


def value(state: ggp.State, known: dict[frozenset[str], float]) -> float:
    """The first role's score in an acyclic game of two opposed roles."""
    facts = frozenset(map(str, state.facts))
    if facts not in known:
        first, second = state.game.roles
        if state.terminal:
            known[facts] = state.goals[first]
        else:
            rows, columns = state.legal(first), state.legal(second)
            known[facts] = matrix_value(
                [[value(state.play({first: a, second: b}), known) for b in columns] for a in rows]
            )
    return known[facts]


def is_acyclic_and_opposed(game: ggp.Game) -> bool:
    findings = game.analyse(only=["cyclic", "zero_sum"], positions=2000)
    return findings.value("cyclic") is False and findings.value("zero_sum") is True


@pytest.mark.parametrize("seed", [*range(400, 415), *nightly(range(415, 440))])
def test_random_games_have_the_values_of_a_plain_search(seed) -> None:
    game = ggp.parse(random_game(seed, "at once"), f"random-{seed}")
    try:
        if not is_acyclic_and_opposed(game):
            pytest.skip("another kind of game")
        solution = game.solve(positions=2000)
    except LimitReached:
        pytest.skip("too large")
    found = solution.value(game.initial)
    expected = value(game.initial, {})
    assert found is not None
    assert found[game.roles[0]] == pytest.approx(expected, abs=1e-6)


def test_equal_hands_are_shown_again() -> None:
    """The game may stay where it is: from 0:0 it is even, from 1:0 three to one (a third wins it, a
    third evens the score, a third changes nothing)."""
    game = ggp.load(ROSHAMBO)
    solution = game.solve()
    assert isinstance(solution, SimultaneousSolution)
    assert solution.exact(game.initial) == {"left": 50, "right": 50}
    ahead = game.initial.play({"left": "(show rock)", "right": "(show scissors)"})
    assert solution.exact(ahead) == {"left": 75, "right": 25}
    for own in solution.mixed(ahead).values():
        assert set(own.values()) == {Fraction(1, 3)}
    over = ahead.play({"left": "(show rock)", "right": "(show scissors)"})
    assert solution.exact(over) == {"left": 100, "right": 0}
    assert solution.mixed(over) == {}


def game_of(cells: dict[tuple[str, str], tuple[int, int]]) -> ggp.Game:
    """One round in which both choose, with these goals."""
    rows = sorted({a for a, _ in cells})
    columns = sorted({b for _, b in cells})
    text = "(role row) (role col) (init start)"
    text += "".join(f"(<= (legal row {a}) (true start))" for a in rows)
    text += "".join(f"(<= (legal col {b}) (true start))" for b in columns)
    text += "(<= (next (chose ?r ?m)) (does ?r ?m)) (<= terminal (not (true start)))"
    for (a, b), goals in cells.items():
        both = f"(true (chose row {a})) (true (chose col {b}))"
        text += "".join(
            f"(<= (goal {r} {g}) {both})" for r, g in zip(("row", "col"), goals, strict=True)
        )
    return ggp.parse(text)


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        # The prisoners: both defect.
        ({("c", "c"): (70, 70), ("c", "d"): (0, 100), ("d", "c"): (100, 0), ("d", "d"): (20, 20)},
         {"row": 20, "col": 20}),
        # Two equilibria that are worth the same to both.
        ({("l", "l"): (60, 60), ("l", "r"): (0, 0), ("r", "l"): (0, 0), ("r", "r"): (60, 60)},
         {"row": 60, "col": 60}),
        # Matching pennies, of unequal stakes: no pure equilibrium, and no constant sum.
        ({("h", "h"): (90, 0), ("h", "t"): (0, 50), ("t", "h"): (0, 50), ("t", "t"): (50, 0)},
         "no pure equilibrium"),
        # The battle of the sexes: two, of different worth.
        ({("b", "b"): (90, 60), ("b", "s"): (0, 0), ("s", "b"): (0, 0), ("s", "s"): (60, 90)},
         "pure equilibria differ"),
        # Opposed: 2/3 of the stake for the row player.
        ({("a", "a"): (100, 0), ("a", "b"): (0, 100), ("b", "a"): (0, 100), ("b", "b"): (50, 50)},
         {"row": Fraction(100, 3), "col": Fraction(200, 3)}),
    ],
    ids=["prisoners", "coordination", "pennies", "sexes", "opposed"],
)  # fmt: skip
def test_one_round(cells, found) -> None:
    game = game_of(cells)
    solution = game.solve()
    if isinstance(found, str):
        with pytest.raises(NotSolvable, match=found):
            solution.value(game.initial)
    else:
        assert solution.exact(game.initial) == found
        mixed = solution.mixed(game.initial)
        got = {"row": Fraction(0), "col": Fraction(0)}
        for (a, p), (b, q) in product(mixed["row"].items(), mixed["col"].items()):
            for role, goal in zip(("row", "col"), cells[str(a), str(b)], strict=True):
                got[role] += p * q * goal
        assert got == found


def test_play_that_comes_round_again_is_left_open() -> None:
    text = """(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 0)
        (<= (legal ?r stay) (role ?r)) (<= (legal ?r go) (role ?r))
        (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n) (not won)) (<= (next won) won)
        (<= won (does a go) (does b stay)) (<= terminal (true won))
        (goal a 100) (goal b 0)"""
    with pytest.raises(NotSolvable, match="come round"):
        ggp.parse(text).solve()


@pytest.mark.parametrize(
    ("name", "goals"),
    [("roshambo2", {"white": 50, "black": 50}), ("gt_prisoner", {"white": 20, "black": 20})],
)
def test_public_sheets(name, goals) -> None:
    game = ggp.load(shared("corpus", "games", f"{name}.kif"))
    assert game.solve().value(game.initial) == goals


def test_a_value_of_many_digits_is_told_as_a_decimal(monkeypatch) -> None:
    """Python writes no integer of more than 4,300 digits; matrix games in a row come to such
    values."""
    game = ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif")
    solution = game.solve()
    large = Fraction(10**5000 + 1, 3 * 10**5000)
    both = dict.fromkeys(game.players, (large, large))
    monkeypatch.setattr(type(solution), "bounds", lambda *_: both)
    told = solution_json(solution, game.initial)["exact"]
    assert set(told.values()) == {"≈ 0.333333333333333333333333333333"}


def least(
    solution: SimultaneousSolution,
    state: ggp.State,
    player: str,
    known: dict[ggp.State, Fraction],
) -> Fraction:
    """What a player gets who keeps to the strategies of a solution, against the best replies."""
    if state not in known:
        [other] = [role for role in state.game.roles if role != player]
        if state.terminal:
            known[state] = Fraction(state.goals[player])
        else:
            own = solution.mixed(state).get(player) or {state.legal(player)[0]: Fraction(1)}
            assert sum(own.values()) == 1
            known[state] = min(
                sum(
                    (
                        p * least(solution, state.play({player: move, other: reply}), player, known)
                        for move, p in own.items()
                    ),
                    Fraction(0),
                )
                for reply in state.legal(other)
            )
    return known[state]


@pytest.mark.parametrize("seed", [*range(400, 410), *nightly(range(410, 440))])
def test_where_fractions_are_too_long_bounds_are_right_and_strategies_make_sure_of_them(
    seed, monkeypatch
) -> None:
    text = random_game(seed, "at once")
    game = ggp.parse(text)
    try:
        if not is_acyclic_and_opposed(game):
            pytest.skip("another kind of game")
        exact = game.solve(positions=2000)
    except LimitReached:
        pytest.skip("too large")
    monkeypatch.setattr(stages, "MOST_WORK", -1)
    monkeypatch.setattr(stages, "SHORT", 0)
    bounded = ggp.parse(text).solve(positions=2000)
    for place in range(exact.positions):
        state = ggp.State(game, exact.space.state(place))
        value = exact.exact(state)
        for player, (low, high) in bounded.bounds(state).items():
            assert low <= value[player] <= high
            assert high - low < 1e-9
            assert least(bounded, bounded.game.state(state.facts), player, {}) >= low
        best = exact.best(state)
        assert {*map(str, best)} <= {*map(str, bounded.best(state))}


def test_bounds_are_told_as_such(monkeypatch) -> None:
    cells = {("l", "l"): (2, 98), ("l", "r"): (0, 100), ("r", "l"): (0, 100), ("r", "r"): (1, 99)}
    plain = solution_json(solution := game_of(cells).solve(), solution.game.initial)
    assert plain["exact"] == {"col": "298/3", "row": "2/3"}
    monkeypatch.setattr(stages, "MOST_WORK", -1)
    monkeypatch.setattr(stages, "SHORT", 0)
    solution = game_of(cells).solve()
    told = solution_json(solution, solution.game.initial)
    assert "exact" not in told
    low, high = map(Fraction, told["bounds"]["row"])
    assert low < Fraction(2, 3) < high
    assert told["apart"] == float(high - low)
    assert "proved to within" in str(solution_text(told))
    assert "(proved" not in str(solution_text(plain))
    with pytest.raises(NotSolvable, match="bounds"):
        solution.exact(solution.game.initial)


def hub(cells: dict[tuple[int, int], list[int | None]]) -> ggp.Game:
    """A state in which both choose, and then chance: the first player's goal (of 100) at an end, or
    None where they choose again."""
    faces = len(next(iter(cells.values())))
    lines = ["(role row) (role col) (role random) (init hub) (goal random 0)"]
    for place, role in enumerate(("row", "col")):
        moves = sorted({cell[place] for cell in cells})
        lines += [f"(<= (legal {role} {m}) (true hub))" for m in moves]
    lines += [f"(<= (legal random (face {f})) (true hub))" for f in range(faces)]
    for (a, b), after in cells.items():
        for f, goal in enumerate(after):
            made = f"(does row {a}) (does col {b}) (does random (face {f}))"
            what = "hub" if goal is None else f"(won {goal})"
            lines.append(f"(<= (next {what}) {made})")
    goals = sorted({g for after in cells.values() for g in after if g is not None})
    for g in goals:
        lines += [f"(<= terminal (true (won {g})))", f"(<= (goal row {g}) (true (won {g})))"]
        lines.append(f"(<= (goal col {100 - g}) (true (won {g})))")
    return ggp.parse("\n".join(lines))


def kept_to(cells, mixed: list[Fraction], *, rows: bool) -> list[Fraction]:
    """What the first player gets if one keeps to a mixed strategy, for each move that the other may
    keep to; for ever is a draw (H. Everett, Recursive games, 1957)."""
    own = sorted({cell[0 if rows else 1] for cell in cells})
    found = []
    for other in sorted({cell[1 if rows else 0] for cell in cells}):
        stays = gets = Fraction(0)
        for move, p in zip(own, mixed, strict=True):
            after = cells[(move, other) if rows else (other, move)]
            stays += p * Fraction(after.count(None), len(after))
            gets += p * Fraction(sum(goal or 0 for goal in after), len(after))
        found.append(Fraction(50) if stays == 1 else gets / (1 - stays))
    return found


@pytest.mark.parametrize("faces", [1, 2])
def test_who_may_stay_where_they_are_is_given_just_the_value(faces) -> None:
    """The first player's strategy guarantees it against each move, and so does the other's. Values
    that are no fractions are not found."""
    solved = 0
    for seed in range(12):
        rng = random.Random(seed)
        goals = [None, 0, 20, 60, 100]
        sizes = rng.choice([(2, 2), (2, 3), (3, 2)])
        cells = {
            (a, b): [rng.choice(goals) for _ in range(faces)]
            for a, b in product(*map(range, sizes))
        }
        if all(goal is None for after in cells.values() for goal in after):
            continue
        cells[0, 0] = [0, *cells[0, 0][1:]]
        game = hub(cells)
        solution = game.solve()
        assert isinstance(solution, SimultaneousSolution)
        try:
            value = solution.exact(game.initial)
        except NotSolvable:
            continue
        solved += 1
        mixed = solution.mixed(game.initial)
        row, col = (
            [
                next((p for m, p in mixed[role].items() if str(m) == str(n)), Fraction(0))
                for n in own
            ]
            for role, own in (("row", range(sizes[0])), ("col", range(sizes[1])))
        )
        assert sum(row) == sum(col) == 1
        assert min(kept_to(cells, row, rows=True)) == value["row"]
        assert max(kept_to(cells, col, rows=False)) == value["row"]
        assert value["col"] == 100 - value["row"]
    assert solved > 6


def matching(facts: str) -> ggp.Game:
    """Two pennies are put down, then two more; who matches both has most."""
    return ggp.parse(f"""(role a) (role b) (init (round 1)) {facts} (side h) (side t)
    (<= (legal ?p ?s) (role ?p) (side ?s)) (<= (next (round ?m)) (true (round ?n)) (s ?n ?m))
    (<= (next same) (does a ?s) (does b ?s)) (<= (next kept) (true same))
    (<= terminal (true (round 3)))
    (<= (goal a 100) (true same) (true kept)) (<= (goal b 0) (true same) (true kept))
    (<= (goal a 20) (not both)) (<= (goal b 80) (not both)) (<= both (true same) (true kept))""")


def test_positions_of_another_game_are_told_by_their_facts() -> None:
    """Where fluents have other numbers, as there is one more that holds after the end alone; 20
    after a miss, else 60 on the average."""
    game = matching("(s 1 2) (s 2 3)")
    other = matching("(s 1 2) (s 2 3) (<= (next (a 1)) (true (round 3)))")
    assert [str(f) for f in other.net.fluents].index("(round 1)") == 1
    solution = game.solve()
    assert isinstance(solution, SimultaneousSolution)
    for sides, wanted in ((("h", "h"), 60), (("h", "t"), 20)):
        moves = dict(zip(("a", "b"), sides, strict=True))
        for owner in (game, other):
            value = solution.value(owner.initial.play(moves))
            assert value == {"a": wanted, "b": 100 - wanted}
    with pytest.raises(UnknownName):
        solution.value(game.state(["(round 2)", "same", "kept"]))


@pytest.mark.parametrize("other", [50, 40])
@pytest.mark.parametrize("down", [(0, 100), (0, 90)])
def test_all_best_moves_of_a_player_who_alone_has_a_choice(other, down) -> None:
    """Whether goals always have the same sum or not; both choose after `down` alone."""
    text = f"""(role a) (role b) (init (at start)) (<= (legal a left) (true (at start)))
        (<= (legal a right) (true (at start))) (<= (legal a down) (true (at start)))
        (<= (legal b noop) (true (at start))) (<= (legal ?r heads) (role ?r) (true (at both)))
        (<= (legal ?r tails) (role ?r) (true (at both))) (<= (next (at e1)) (does a left))
        (<= (next (at e2)) (does a right)) (<= (next (at both)) (does a down))
        (<= (next (at e3)) (true (at both))) (<= over (true (at start))) (<= over (true (at both)))
        (<= terminal (not over)) (<= (goal ?r 50) (role ?r) (true (at e1)))
        (<= (goal a {other}) (true (at e2))) (<= (goal b {100 - other}) (true (at e2)))
        (<= (goal a {down[0]}) (true (at e3))) (<= (goal b {down[1]}) (true (at e3)))"""
    game = ggp.parse(text)
    solution = game.solve(method="simultaneous")
    best = ["left", "right"] if other == 50 else ["left"]
    assert list(map(str, solution.best(game.initial))) == best


def test_one_matrix_of_very_long_fractions_is_not_valued_exactly() -> None:
    """What it takes grows with the square of the length, and is told beforehand."""
    worths = stages.Worths(1)
    long = [[Fraction(i + 2 * j, 3 ** (100_000 + i)) for j in range(4)] for i in range(4)]
    with pytest.raises(stages.LongValue):
        worths.value(long)
    short = [[Fraction(i * j, 3**200 + j) for j in range(4)] for i in range(4)]
    assert worths.value(short) == 0


def test_positions_that_are_alike_are_valued_once_where_play_may_stay(monkeypatch) -> None:
    """Three rooms, two of them alike but for what is in them; the third has other ends."""
    text = """(role a) (role b) (init start) (room x) (room y) (room z) (side h) (side t)
    (<= (legal a (enter ?r)) (true start) (room ?r)) (<= (legal b wait) (true start))
    (<= (next (in ?r)) (true start) (does a (enter ?r)))
    (<= (legal ?p ?s) (true (in ?r)) (role ?p) (side ?s))
    (<= (next (in ?r)) (true (in ?r)) (does a t) (does b h))
    (<= (next (won ?n)) (true (in ?r)) (does a ?s) (does b ?o) (pays ?r ?s ?o ?n))
    (pays x h h 0) (pays x h t 80) (pays x t t 20) (pays y h h 0) (pays y h t 80) (pays y t t 20)
    (pays z h h 40) (pays z h t 10) (pays z t t 90) (<= terminal (true (won ?n)))
    (<= (goal a ?n) (true (won ?n))) (less 0 100) (less 80 20) (less 20 80) (less 40 60)
    (less 10 90) (less 90 10) (<= (goal b ?m) (true (won ?n)) (less ?n ?m))"""
    solved = []
    by_rounds = Staying.solved
    monkeypatch.setattr(Staying, "solved", lambda own: solved.append(own.here) or by_rounds(own))
    game = ggp.parse(text)
    solution = game.solve()
    assert len(solved) == 2
    # v is the value of [[0, 80], [v, 20]]; in z who always shows t has 90, or 50 for ever.
    value = {room: solution.exact(game.state([f"(in {room})"]))["a"] for room in "xyz"}
    assert value["x"] == value["y"] == 20
    assert value["z"] == 50
    for room in "xyz":
        mixed = solution.mixed(game.state([f"(in {room})"]))
        assert set(mixed) == {"a", "b"}
