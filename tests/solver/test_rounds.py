"""Games of a few positions in which all choose at once; their values are worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import ggp
from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.limits import Budget, Limits
from ggp.solver import SimultaneousSolution, stages
from ggp.solver import staying as module

ROLES = ("a", "b", "c")
THIRD, HALF = Fraction(1, 3), Fraction(1, 2)


def matrix(rows) -> dict:
    return {(i, j): cell for i, row in enumerate(rows) for j, cell in enumerate(row)}


def game_of(rounds, roles: int = 2, total: int = 100) -> ggp.Game:
    """`rounds`: for each position where play leads with the moves of all roles (the first position
    begins); a number or several are an end with these goals, a list is decided by chance."""
    goals, rules = {}, []
    chance = any(isinstance(to, list) for cells in rounds.values() for to in cells.values())

    def name(to) -> str:
        if isinstance(to, str):
            return to
        held = to if isinstance(to, tuple) else (to, total - to)
        return goals.setdefault(held, f"end{len(goals)}")

    for at, cells in rounds.items():
        for role, moves in enumerate(zip(*cells, strict=True)):
            rules += [f"(<= (legal {ROLES[role]} m{m}) (true (at {at})))" for m in sorted({*moves})]
        for joint, to in cells.items():
            does = " ".join(f"(does {ROLES[r]} m{m})" for r, m in enumerate(joint))
            if isinstance(to, list):
                rules += [f"(<= (legal random t{k}) (true (at {at})))" for k in range(len(to))]
                rules += [
                    f"(<= (next (at {name(t)})) (true (at {at})) {does} (does random t{k}))"
                    for k, t in enumerate(to)
                ]
            else:
                rules.append(f"(<= (next (at {name(to)})) (true (at {at})) {does})")
                rules += [f"(<= (legal random t0) (true (at {at})))"] if chance else []
    for held, end in goals.items():
        rules.append(f"(<= terminal (true (at {end})))")
        own = zip(ROLES, held, strict=False)
        rules += [f"(<= (goal {role} {goal}) (true (at {end})))" for role, goal in own]
    names = " ".join(f"(role {role})" for role in ROLES[:roles]) + " (role random)" * chance
    return ggp.parse(f"{names} (init (at {next(iter(rounds))})) {' '.join(dict.fromkeys(rules))}")


def solved(game) -> SimultaneousSolution:
    return SimultaneousSolution(game, game.space(), Budget(game.limits))


OPPOSED = [
    # rounds, the value for a, with what probabilities a and b make their moves
    ({"s": matrix([[100, 0], [0, 50]])}, Fraction(100, 3), [THIRD, 2 * THIRD], [THIRD, 2 * THIRD]),
    ({"s": matrix([[0, 100], [100, 0]])}, 50, [HALF, HALF], [HALF, HALF]),
    ({"s": matrix([[20, 30], [10, 90]])}, 20, [1, 0], [1, 0]),
    ({"s": matrix([[20, 30, 40]])}, 20, None, [1, 0, 0]),
    ({"s": matrix([[20], [30], [25]])}, 30, [0, 1, 0], None),
    # One round after the other.
    (
        {"s": matrix([["t", 0], [0, "t"]]), "t": matrix([[100, 20], [20, 100]])},
        30,
        [HALF, HALF],
        [HALF, HALF],
    ),
    ({"s": matrix([["t", "u"]]), "t": matrix([[70]]), "u": matrix([["t"], [60]])}, 70, None, None),
    # Chance: the mean.
    ({"s": matrix([[[100, 0, 20], 90]])}, 40, None, [1, 0]),
    ({"s": matrix([[[100, "t"]], [50]]), "t": matrix([[[30, 10]]])}, 60, [1, 0], None),
    # Play may stay: rock, paper, scissors, where the loser keeps 20.
    (
        {"s": matrix([["s", 100, 20], [20, "s", 100], [100, 20, "s"]])},
        60,
        [THIRD] * 3,
        [THIRD] * 3,
    ),
    ({"s": matrix([[["s", 80]]])}, 80, None, None),
    ({"s": matrix([[["s", "s", 70, 40]], [50]])}, 55, [1, 0], None),
    ({"s": matrix([[["s", "s", 70, 40], 56]])}, 55, None, [1, 0]),
    # Of the strategies that are best just one leaves for sure, and makes sure of it.
    ({"s": matrix([[28, 60], [90, "s"]])}, 60, [Fraction(15, 31), Fraction(16, 31)], [0, 1]),
    ({"s": matrix([[72, 10], [40, "s"]])}, 40, [0, 1], [Fraction(15, 31), Fraction(16, 31)]),
    (
        {"s": matrix([[28, 60, 99], [90, "s", 99]])},
        60,
        [Fraction(15, 31), Fraction(16, 31)],
        [0, 1, 0],
    ),
    ({"s": matrix([[[28, "s"], 60], [90, "s"]])}, 60, [Fraction(15, 23), Fraction(8, 23)], [0, 1]),
    # For ever is a draw.
    ({"s": matrix([["t"], [30]]), "t": matrix([["t"]])}, 50, [1, 0], None),
    ({"s": matrix([["s"], [30]])}, 50, [1, 0], None),
    ({"s": matrix([["s"], [70]])}, 70, [0, 1], None),
    ({"s": matrix([["s", 70]])}, 50, None, [1, 0]),
    ({"s": matrix([["s", 30]])}, 30, None, [0, 1]),
]


@pytest.mark.parametrize(("rounds", "worth", "first", "second"), OPPOSED)
def test_what_opposed_players_can_make_sure_of(rounds, worth, first, second) -> None:
    game = game_of(rounds)
    solution = solved(game)
    assert solution.is_opposed
    assert solution.method == "matrix games by backward induction"
    assert solution.exact(game.initial) == {"a": worth, "b": 100 - worth}
    assert solution.worth(game.initial) == {"a": float(worth), "b": float(100 - worth)}
    mixed = solution.mixed(game.initial)
    for role, wanted in (("a", first), ("b", second)):
        if wanted is not None:
            named = {f"m{i}": p for i, p in enumerate(wanted) if p}
            assert {str(move): p for move, p in mixed[role].items()} == named
    moves = {role: len(game.initial.legal(role)) for role in "ab"}
    assert mixed.keys() == {role for role, count in moves.items() if count > 1}


@pytest.mark.parametrize(
    ("rounds", "is_endless"),
    [
        ({"s": matrix([["t"], [30]]), "t": matrix([["t"]])}, True),
        ({"s": matrix([["s"], [30]])}, True),
        ({"s": matrix([["s"], [70]])}, False),
        ({"s": matrix([["s", 70]])}, True),
        ({"s": matrix([["s", 30]])}, False),
        # It is left in the end for sure.
        ({"s": matrix([[["s", 50]]])}, False),
        # All strategies are best; those that are told lead to no end.
        ({"s": matrix([["t", 50], [50, "t"]]), "t": matrix([["t"]])}, True),
    ],
)
def test_where_best_play_never_ends_there_is_no_value(rounds, is_endless) -> None:
    game = game_of(rounds)
    solution = solved(game)
    worth = solution.worth(game.initial)
    assert solution.value(game.initial) == (None if is_endless else worth)
    assert solution.result(game.initial) == ("draw" if is_endless else None)


@pytest.mark.parametrize(("total", "stays"), [(60, 30), (100, 50), (40, 20)])
def test_play_that_stays_for_ever_shares_what_there_is(total, stays) -> None:
    game = game_of({"s": matrix([["t"], [10]]), "t": matrix([["t"]])}, total=total)
    assert solved(game).exact(game.initial) == {"a": stays, "b": total - stays}


def best_replies(rows, i, j) -> bool:
    return all(rows[i][j][0] >= rows[k][j][0] for k in range(len(rows))) and all(
        rows[i][j][1] >= rows[i][k][1] for k in range(len(rows[0]))
    )


@pytest.mark.parametrize(
    ("rows", "worth"),
    [
        ([[(70, 70), (0, 90)], [(90, 0), (20, 20)]], (20, 20)),
        ([[(60, 60), (0, 0)], [(0, 0), (60, 60)]], (60, 60)),
        ([[(60, 60), (0, 0)], [(0, 0), (60, 50)]], None),
        ([[(90, 0), (0, 50)], [(0, 50), (50, 0)]], None),
        ([[(1, 2), (3, 4), (5, 1)]], (3, 4)),
        ([[(1, 2)], [(3, 4)], [(2, 9)]], (3, 4)),
        ([[(5, 5), (9, 1), (2, 5)], [(5, 0), (9, 9), (3, 1)]], None),
        ([[(5, 5), (8, 1), (2, 5)], [(4, 0), (9, 9), (3, 1)]], None),
        ([[(5, 5), (8, 1), (2, 4)], [(6, 0), (9, 9), (3, 1)]], (9, 9)),
    ],
)
def test_others_have_what_all_pure_equilibria_give(rows, worth) -> None:
    cells = product(range(len(rows)), range(len(rows[0])))
    stable = {rows[i][j]: (i, j) for i, j in reversed([*cells]) if best_replies(rows, i, j)}
    assert worth == (next(iter(stable)) if len(stable) == 1 else None)
    game = game_of({"s": matrix(rows)})
    solution = solved(game)
    assert not solution.is_opposed
    assert solution.method == "pure equilibria by backward induction"
    if worth is None:
        for ask in (solution.exact, solution.value, solution.mixed):
            with pytest.raises(NotSolvable):
                ask(game.initial)
        return
    assert solution.exact(game.initial) == dict(zip("ab", worth, strict=True))
    mixed = solution.mixed(game.initial)
    for role, move in zip("ab", stable[worth], strict=True):
        if len(game.initial.legal(role)) > 1:
            assert {str(m): p for m, p in mixed[role].items()} == {f"m{move}": 1}


def test_three_players_each_keep_what_is_theirs() -> None:
    """Each has 30, 10 for each who gives, and 20 less who gives: nobody gives."""
    cells = {
        joint: tuple(30 + 10 * sum(joint) - 20 * own for own in joint)
        for joint in product((0, 1), repeat=3)
    }
    game = game_of({"s": cells}, roles=3)
    solution = solved(game)
    assert solution.exact(game.initial) == {"a": 30, "b": 30, "c": 30}
    found = {role: [*map(str, own)] for role, own in solution.mixed(game.initial).items()}
    assert found == {"a": ["m0"], "b": ["m0"], "c": ["m0"]}


@pytest.mark.parametrize(
    ("rounds", "why", "where"),
    [
        ({"s": matrix([[(9, 0), (0, 5)], [(0, 5), (5, 0)]])}, "no pure equilibrium", "s"),
        ({"s": matrix([[(2, 1), (0, 0)], [(0, 0), (1, 2)]])}, "pure equilibria differ", "s"),
        ({"s": matrix([["s", (1, 2), (5, 5)]])}, "stay where it is", "s"),
        (
            {"s": matrix([["t", (3, 3)]]), "t": matrix([[(2, 1), (0, 0)], [(0, 0), (1, 2)]])},
            "pure equilibria differ",
            "t",
        ),
        (
            {"s": matrix([[(3, 3), "t"]]), "t": matrix([["u"]]), "u": matrix([["u", (1, 2)]])},
            "stay where it is",
            "u",
        ),
    ],
)
def test_why_nothing_is_determined(rounds, why, where) -> None:
    game = game_of(rounds)
    with pytest.raises(NotSolvable, match=rf"{why} in .*\(at {where}\)"):
        solved(game).exact(game.initial)


def test_ends_and_the_one_player_with_a_choice() -> None:
    game = game_of(
        {"s": matrix([["t", "t"]]), "t": matrix([["u", 0], [0, "u"]]), "u": matrix([[9]])}
    )
    solution = solved(game)
    first = game.initial
    assert solution.mover(first) == "b"
    assert [*map(str, solution.best(first))] == ["m0", "m1"]
    both = first.play({"a": "m0", "b": "m1"})
    assert (solution.mover(both), solution.best(both)) == (None, ())
    assert [*map(len, solution.mixed(both).values())] == [2, 2]
    forced = both.play({"a": "m0", "b": "m0"})
    assert (solution.mover(forced), solution.mixed(forced)) == (None, {})
    end = forced.play({"a": "m0", "b": "m0"})
    assert (solution.mover(end), solution.mixed(end)) == (None, {})
    assert solution.exact(end) == {"a": 9, "b": 91}
    assert solution.positions == 5
    assert [type(v) for v in solution.value(both).values()] == [float, float]  # 4.5 and 95.5
    assert [type(v) for v in solution.value(end).values()] == [int, int]
    for ask in (solution.progress, lambda state: solution.strategy("a", state)):
        with pytest.raises(NotSolvable):
            ask(first)


def test_states_of_the_same_rules_and_states_out_of_play() -> None:
    rounds = {"s": matrix([[30, 40]])}
    game, other = game_of(rounds), game_of(rounds)
    solution = solved(game)
    assert solution.exact(other.initial) == {"a": 30, "b": 70}
    with pytest.raises(UnknownName):
        solution.exact(game.state(["(at s)", "(at end0)"]))


@pytest.mark.parametrize(
    "rounds",
    [
        {"s": matrix([["t", 0]]), "t": matrix([["s", 1]])},
        {"s": matrix([["t", 0]]), "t": matrix([["t", "u"]]), "u": matrix([["t", 1]])},
    ],
)
def test_play_that_comes_back_later_is_not_solved(rounds) -> None:
    with pytest.raises(NotSolvable, match="come round"):
        solved(game_of(rounds))


@pytest.mark.parametrize(("name", "least"), [("MAX_ROUNDS", 12), ("MAX_BITS", 20)])
def test_a_value_that_no_strategy_makes_sure_of_is_not_found(name, least, monkeypatch) -> None:
    """`a` has 100 but for as little as they like, and never all of it (Everett 1957)."""
    game = game_of({"s": matrix([["s", 100], [100, 0]])})
    monkeypatch.setattr(module, name, least)
    solution = solved(game)
    with pytest.raises(NotSolvable, match="no exact value"):
        solution.exact(game.initial)


def test_what_leads_to_no_value_has_none_and_others_have() -> None:
    """From s to t, of which no value is found, or to u, where 30 are sure."""
    open_ = [["t", 100], [100, 0]]
    rounds = {"s": matrix([["t", "u"], [20, 10]]), "t": matrix(open_), "u": matrix([[30, 40]])}
    game = game_of(rounds)
    solution = solved(game)
    states = [ggp.State(game, solution.space.state(i)) for i in range(solution.positions)]
    for name, value in (("s", None), ("t", None), ("u", 30)):
        [state] = (state for state in states if str(state) == f"(at {name})")
        if value is None:
            with pytest.raises(NotSolvable, match="no exact value found where play stays in"):
                solution.exact(state)
        else:
            assert solution.exact(state) == {"a": value, "b": 100 - value}


def test_work_ends_where_time_is_up() -> None:
    game = game_of({"s": matrix([[30, 40]])})
    with pytest.raises(LimitReached):
        SimultaneousSolution(game, game.space(), Budget(Limits(seconds=-1.0)))


@pytest.mark.parametrize(
    ("total", "most", "is_found"),
    [(100, 1, True), (100, 0, False), (101, 2, True), (101, 1, False)],
)
def test_values_have_denominators_of_as_many_bits_as_the_limit(
    total, most, is_found, monkeypatch
) -> None:
    """Half of 100 is 50, a denominator of one bit; half of 101 has one of two."""
    game = game_of({"s": matrix([["s", 30]])}, total=total)
    monkeypatch.setattr(module, "MAX_BITS", most)
    if is_found:
        assert solved(game).exact(game.initial) == {"a": 30, "b": total - 30}
    else:
        with pytest.raises(NotSolvable, match="no exact value"):
            solved(game).exact(game.initial)


def test_bounds_of_who_stays_are_what_the_strategies_make_sure_of(monkeypatch) -> None:
    """From r to s, where both may stay, and to t, worth 300/13: t and s are exact at first, then
    fractions are too long at r, and t has bounds, so that s has them as well."""
    rounds = {
        "r": matrix([["s", 0], [0, 100]]),
        "s": matrix([["s", "t"], ["t", 20]]),
        "t": matrix([[100, 0], [0, 30]]),
    }
    game = game_of(rounds)
    exact = solved(game)
    monkeypatch.setattr(stages, "SHORT", 0)
    monkeypatch.setattr(stages, "MOST_WORK", 8 * 256)
    found = solved(game)
    everywhere = (ggp.State(game, found.space.state(i)) for i in range(found.positions))
    states = {str(state): state for state in everywhere}
    r, s, t = (found.bounds(states[f"(at {name})"])["a"] for name in "rst")
    assert t[0] < Fraction(300, 13) < t[1]
    for name, (low, high) in zip("rst", (r, s, t), strict=True):
        assert low <= exact.exact(states[f"(at {name})"])["a"] <= high
    mixed = found.mixed(states["(at s)"])
    for role, end, sign in (("a", 0, 1), ("b", 1, -1)):
        own = [mixed[role].get(game.term(f"m{i}"), Fraction(0)) for i in range(2)]
        # Against m0 play may stay, and against m1 it does not.
        against = [t[end] if own[0] < 1 else Fraction(50), own[0] * t[end] + own[1] * 20]
        assert min(sign * x for x in against) >= sign * s[end]
