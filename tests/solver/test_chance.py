"""Games with the role `random`, and games that say what their roles see (docs/semantics.md 16)."""

from __future__ import annotations

from fractions import Fraction

import pytest

import ggp
from ggp import NotSolvable, State
from ggp.limits import Limits
from ggp.solver.gdl import GdlTree, Throw

LOTTERY = """
(role you) (role random) (init (at start))
(<= (legal you safe) (true (at start))) (<= (legal you risky) (true (at start)))
(<= (legal you wait) (not (true (at start))))
(die 1) (die 2) (die 3) (die 4) (die 5) (die 6)
(<= (legal random (throw ?x)) (die ?x) (true (at start)))
(<= (legal random wait) (not (true (at start))))
(<= (next (got 40)) (does you safe)) (<= (next (got 90)) (does you risky) (does random (throw 6)))
(<= (next (got 60)) (does you risky) (does random (throw ?x)) (distinct ?x 6))
(<= terminal (true (got ?x))) (<= (goal you ?x) (true (got ?x)))
"""

RACE = """
(role left) (role random) (role right) (init (track left 0)) (init (track right 0))
(init (turn left)) (init (ply 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (other left right)
(other right left)
(<= (legal ?p (run ?s)) (true (turn ?p)) (style ?s)) (style calm) (style wild)
(<= (legal ?p wait) (true (turn ?q)) (other ?p ?q))
(coin heads) (coin tails) (coin edge) (<= (legal random ?c) (coin ?c))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (step ?p) (does ?p (run calm)) (not (does random tails)))
(<= (step ?p) (does ?p (run wild)) (does random heads))
(<= (next (track ?p ?n)) (true (track ?p ?m)) (step ?p) (succ ?m ?n) (does ?p (run calm)))
(<= (next (track ?p ?k)) (true (track ?p ?m)) (step ?p) (succ ?m ?n) (succ ?n ?k)
    (does ?p (run wild)))
(<= (next (track ?p ?n)) (true (track ?p ?n)) (not (step ?p)))
(<= (next (ply ?n)) (true (ply ?m)) (succ ?m ?n))
(<= (ahead ?p) (true (track ?p ?n)) (other ?p ?q) (true (track ?q ?m)) (less ?m ?n))
(<= (less ?m ?n) (succ ?m ?n)) (<= (less ?m ?n) (succ ?m ?k) (less ?k ?n))
(<= terminal (true (ply 4)))
(<= (goal ?p 100) (ahead ?p)) (<= (goal ?p 0) (other ?p ?q) (ahead ?q))
(<= (goal ?p 50) (other ?p ?q) (not (ahead ?p)) (not (ahead ?q)))
"""

HIDDEN = """
(role guesser) (role random) (init hide)
(<= (legal random (put ?x)) (box ?x) (true hide)) (box a) (box b)
(<= (legal random wait) (not (true hide))) (<= (legal guesser wait) (true hide))
(<= (legal guesser (open ?x)) (box ?x) (not (true hide)))
(<= (next (in ?x)) (does random (put ?x))) (<= (next over) (does guesser (open ?x)))
(<= (next (won)) (does guesser (open ?x)) (true (in ?x)))
(<= terminal (true over)) (<= (goal guesser 100) (true won)) (<= (goal guesser 0) (not (true won)))
"""
SEEN = "(<= (sees guesser ?x) (does random (put ?x)))"
NOT_SEEN = "(<= (sees guesser something) (does random (put ?x)))"


def expected(game: ggp.Game, state: State) -> dict[str, Fraction]:
    """Every player's mean goal where each seeks their own best, by the definition."""
    if state.terminal:
        return {role: Fraction(state.goals[role]) for role in game.players}
    choosing = [role for role in game.players if len(state.legal(role)) > 1]
    mover = (choosing or list(game.players))[0]
    rest = {role: state.legal(role)[0] for role in game.roles}
    options = []
    for move in state.legal(mover):
        throws = state.legal("random")
        after = [
            expected(game, state.play({**rest, mover: move, "random": throw})) for throw in throws
        ]
        options.append({r: sum(value[r] for value in after) / len(throws) for r in game.players})
    return max(options, key=lambda value: value[mover])


@pytest.mark.parametrize("limits", [Limits(), Limits(ground_rules=0)], ids=["ground", "unground"])
@pytest.mark.parametrize("sheet", [LOTTERY, RACE], ids=["lottery", "race"])
def test_a_position_is_worth_the_mean_of_what_chance_makes_of_it(sheet, limits) -> None:
    game = ggp.parse(sheet, limits=limits)
    solution = game.solve()
    state = game.initial
    for _ in range(3):
        value = {role: float(goal) for role, goal in expected(game, state).items()}
        assert solution.value(state) == pytest.approx(value)
        best = solution.best(state)
        if state.terminal:
            break
        mover = solution.mover(state)
        assert mover in game.players
        for move in best:
            throws = state.legal("random")
            wait = {role: state.legal(role)[0] for role in game.roles}
            after = [state.play({**wait, mover: move, "random": throw}) for throw in throws]
            mean = sum(expected(game, s)[mover] for s in after) / len(after)
            assert float(mean) == pytest.approx(value[mover])
        state = after[0]


def test_the_lottery() -> None:
    """One time in six 90, else 60: 65 on average."""
    game = ggp.parse(LOTTERY)
    solution = game.solve()
    assert solution.value(game.initial) == {"you": 65}
    assert [str(move) for move in solution.best(game.initial)] == ["risky"]
    with pytest.raises(NotSolvable, match="mean"):
        solution.strategy("you")


def test_play_that_chance_may_keep_from_ending_has_no_value() -> None:
    game = ggp.parse(
        """(role p) (role random) (init on) (legal p go) (legal random heads) (legal random tails)
        (<= (next on) (does random heads)) (<= terminal (not (true on))) (goal p 100)"""
    )
    with pytest.raises(NotSolvable, match="for ever"):
        game.solve().value(game.initial)


@pytest.mark.parametrize("limits", [Limits(), Limits(ground_rules=0)], ids=["ground", "unground"])
def test_percepts_are_what_sees_says(limits) -> None:
    game = ggp.parse(HIDDEN + SEEN, limits=limits)
    seen = game.initial.percepts({"guesser": "wait", "random": "(put b)"})
    assert {role: [str(p) for p in own] for role, own in seen.items()} == {
        "guesser": ["b"],
        "random": [],
    }


def test_what_is_seen_decides_whether_a_game_can_be_solved() -> None:
    game = ggp.parse(HIDDEN + SEEN)
    assert game.solve().value(game.initial) == {"guesser": 100}
    with pytest.raises(NotSolvable, match="hidden"):
        ggp.parse(HIDDEN + NOT_SEEN).solve()


def test_the_role_random_needs_no_goal_and_no_upper_case() -> None:
    game = ggp.parse(LOTTERY.upper())
    assert game.players == ("YOU",)
    assert game.analyse().value("playable") is True
    assert game.solve().value(game.initial) == {"YOU": 65}


@pytest.mark.parametrize("throws", [1, 2])
def test_chance_that_has_one_move_only_decides_nothing(throws) -> None:
    """After the player's move there is a throw only where chance has a choice."""
    faces = " ".join(f"(legal random {n + 1})" for n in range(throws))
    text = f"""(role a) (role random) (init s) (legal a x) (legal a y) {faces}
        (<= (next (got ?m)) (does a ?m)) (<= terminal (true (got ?m)))
        (<= (goal a 100) (true (got x))) (<= (goal a 0) (true (got y))) (goal random 0)"""
    game = ggp.parse(text)
    after = GdlTree(game).moves(game.initial)
    assert [isinstance(position, Throw) for position in after.values()] == [throws > 1] * 2
    solution = game.solve()
    assert solution.value(game.initial)["a"] == 100
    assert list(map(str, solution.best(game.initial))) == ["x"]
