"""The algorithms of OpenSpiel on sheets: what they find is what `ggp solve` does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import ggp
import ggp.games
from ggp.env import open_spiel
from tests.env.test_spiel import BOTH, made
from tests.oracle.random_games import random_game
from tests.solver.test_chance import LOTTERY, RACE
from tests.solver.test_simultaneous import game_of

pyspiel = pytest.importorskip("pyspiel")

SMALL = {
    "nim/rows": {},
    "connect-four/connect-four": {"columns": 4, "rows": 3, "line": 3},
    "kayles/kayles-7": {},
    "domineering/domineering-3x4": {},
}


def scaled(game: ggp.Game) -> float:
    """What a game of two opposed roles is worth to the first, from -1 to 1."""
    value = game.solve().value(game.initial)
    first, second = (value[player] for player in game.players)
    return (first - second) / 100


@pytest.mark.parametrize("name", SMALL)
def test_minimax_finds_the_value(name) -> None:
    from open_spiel.python.algorithms import minimax

    game = open_spiel(ggp.games.path(name), **SMALL[name])
    value, action = minimax.alpha_beta_search(game)
    start = game.new_initial_state()
    rules = game.game
    mover = rules.players[start.current_player()]
    own = scaled(rules) * (1 if mover == rules.players[0] else -1)
    assert value == own
    solution = rules.solve()
    after = rules.initial.play(start.action_to_string(action))
    assert solution.value(after) == solution.value(rules.initial)


def test_the_minimax_solver_agrees_everywhere() -> None:
    """In every state of a small board, by the text of the state."""
    from open_spiel.python.algorithms.get_all_states import get_all_states
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    game = open_spiel(ggp.games.path("connect-four/connect-four"), columns=3, rows=3, line=3)
    table = MinimaxSolver(str(game)).solve()
    solution = game.game.solve()
    states = get_all_states(game, include_terminals=False, to_string=str)
    assert len(table) > 100
    for text, entry in table.items():
        state = states[text]
        value = solution.value(state.node.state)
        own = value[game.game.players[state.current_player()]]
        assert entry.value == (own - 50) / 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "parameters", "theirs"),
    [
        ("tic-tac-toe/tic-tac-toe", {}, "tic_tac_toe"),
        (
            "connect-four/connect-four",
            {"columns": 4, "rows": 3, "line": 3},
            "connect_four(rows=3,columns=4,x_in_row=3)",
        ),
    ],
    ids=["tic-tac-toe", "connect four"],
)
def test_a_sheet_has_the_positions_of_the_game_it_describes(ours, parameters, theirs) -> None:
    """As many as OpenSpiel's own, but for those in which there is just one move: nobody is asked
    there. And the same value."""
    from open_spiel.python.algorithms.get_all_states import get_all_states

    game, own = open_spiel(ggp.games.path(ours), **parameters), pyspiel.load_game(theirs)
    sheet = get_all_states(game, to_string=str)
    states = get_all_states(own, to_string=str)
    asked = [s for s in states.values() if s.is_terminal() or len(s.legal_actions()) > 1]
    assert len(sheet) == len(asked) < len(states)
    ended = [s.returns() for s in sheet.values() if s.is_terminal()]
    assert sorted(ended) == sorted(s.returns() for s in asked if s.is_terminal())
    solution = ggp.solve(own)
    assert solution.value(solution.initial)["player 0"] == scaled(game.game)


def test_monte_carlo_tree_search_solves_nim() -> None:
    from open_spiel.python.algorithms import mcts

    game = open_spiel(ggp.games.path("nim/rows"))
    rng = np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 2, 2000, evaluator, solve=True, random_state=rng)
    state = game.new_initial_state()
    root = bot.mcts_search(state)
    rules = game.game
    assert root.outcome is not None
    assert root.outcome[state.current_player()] == 1
    best = rules.solve().best(rules.initial)
    assert state.action_to_string(root.best_child().action) in map(str, best)


@pytest.mark.parametrize("solver", ["python", "C++"])
def test_regret_minimisation_finds_the_value_of_kuhn_poker(solver) -> None:
    """A loss of 1/18 of a chip for the first player (Kuhn 1950); a unit is two chips."""
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    game = made("poker/kuhn-poker")
    own = cfr.CFRSolver(game) if solver == "python" else pyspiel.CFRSolver(game)
    for _ in range(200):
        own.evaluate_and_update_policy()
    policy = own.average_policy()
    if solver == "python":
        start = game.new_initial_state()
        value = expected_game_score.policy_value(start, [policy, policy])
        away = exploitability.exploitability(game, policy)
    else:
        value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
        away = pyspiel.exploitability(game, policy)
    # A policy that can be exploited by so much is as far from the value at the most.
    assert 0 <= away < 0.005
    assert abs(value[0] + 1 / 36) <= 2 * away
    assert value[0] == pytest.approx(-value[1])


@pytest.mark.parametrize(("card", "answer"), [("king", "call"), ("jack", "fold")])
def test_search_of_information_sets_answers_a_bet(card, answer) -> None:
    """Whoever holds the best card calls, whoever holds the worst folds."""
    from open_spiel.python.algorithms import ismcts, mcts

    game = made("poker/kuhn-poker")
    state = game.new_initial_state()
    for text in (f"(deal queen {card})", "bet"):
        state.apply_action(state.string_to_action(text))
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, rng),
        uct_c=2.0,
        max_simulations=200,
        random_state=rng,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    )
    assert state.action_to_string(bot.step(state)) == answer


def test_the_sheet_of_kuhn_poker_is_the_game_of_open_spiel() -> None:
    """The same policy, uniform, has the same value and can be exploited by as much."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    ours, theirs = made("poker/kuhn-poker"), pyspiel.load_game("kuhn_poker")
    away = [exploitability.exploitability(g, policy.UniformRandomPolicy(g)) for g in (ours, theirs)]
    assert 2 * away[0] == pytest.approx(away[1])


MATRIX = {("a", "a"): (100, 0), ("a", "b"): (0, 100), ("b", "a"): (0, 100), ("b", "b"): (50, 50)}


@pytest.mark.parametrize("name", ["matrix", "both"])
def test_regret_minimisation_finds_the_value_of_simultaneous_play(name) -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    rules = game_of(MATRIX) if name == "matrix" else ggp.parse(BOTH)
    game = pyspiel.convert_to_turn_based(open_spiel(rules))
    solver = cfr.CFRSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    gap = exploitability.nash_conv(game, policy)
    assert gap < 0.05
    assert value[0] == pytest.approx(scaled(rules), abs=gap + 1e-9)


def mean(state) -> list[Fraction]:
    """What a state is worth to the players where each seeks their own best, by the definition."""
    if state.is_terminal():
        return [Fraction(r) for r in state.returns()]
    if state.is_chance_node():
        likely = [(a, Fraction(p).limit_denominator(100)) for a, p in state.chance_outcomes()]
        found = [(p, mean(state.child(a))) for a, p in likely]
        return [sum(p * worth[i] for p, worth in found) for i in range(state.num_players())]
    mover = state.current_player()
    return max((mean(state.child(a)) for a in state.legal_actions()), key=lambda v: v[mover])


@pytest.mark.parametrize("text", [LOTTERY, RACE], ids=["lottery", "race"])
def test_games_of_chance_have_their_mean(text) -> None:
    game = open_spiel(ggp.parse(text))
    value = game.game.solve().value(game.game.initial)
    found = mean(game.new_initial_state())
    if len(found) == 2:
        assert float(found[0]) == pytest.approx((value["left"] - value["right"]) / 100)
    else:
        assert found == [value["you"]]


def test_the_solver_of_trees_solves_our_own_games_through_open_spiel() -> None:
    game = open_spiel(ggp.games.path("kayles/kayles-7"))
    solution = ggp.solve(game)
    own = game.game.solve()
    assert solution.outcome(solution.initial) == own.outcome(game.game.initial)
    assert set(solution.best(solution.initial)) == {str(m) for m in own.best(game.game.initial)}


@pytest.mark.parametrize("seed", range(1000, 1010))
def test_random_games_are_worth_the_same_by_way_of_open_spiel(seed) -> None:
    """Those of two opposed roles by turns that end; all pass the test of OpenSpiel."""
    rules = ggp.parse(random_game(seed), f"random-{seed}")
    game = open_spiel(rules, horizon=30)
    pyspiel.random_sim_test(game, 2, True, False)
    if game.kind.simultaneous or not (game.kind.ends and game.is_zero_sum):
        return
    solution = ggp.solve(game)
    assert solution.value(solution.initial)["player 0"] == scaled(rules)
