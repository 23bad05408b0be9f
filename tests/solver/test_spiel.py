"""Games of OpenSpiel, solved as trees."""

from __future__ import annotations

from fractions import Fraction

import pytest

import ggp
from ggp import LimitReached, NotSolvable
from ggp.solver import SpielTree, verify
from ggp.solver.spiel import by_history

pyspiel = pytest.importorskip("pyspiel")


def by_minimax(name: str) -> float:
    """The value for the first player, by OpenSpiel."""
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game(name)
    value, _ = minimax.alpha_beta_search(game, maximum_depth=100, maximizing_player_id=0)
    return float(value)


NAMES = [
    "connect_four(rows=3,columns=4,x_in_row=3)",
    "breakthrough(rows=4,columns=2)",
    "hex(board_size=3)",
    "nim(pile_sizes=1;3;4)",
    "nim(pile_sizes=1;2;3,is_misere=false)",
    "clobber(rows=2,columns=4)",
    "dots_and_boxes(num_rows=1,num_cols=2)",
]


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_minimax(name) -> None:
    solution = ggp.solve(pyspiel.load_game(name))
    value = by_minimax(name)
    assert solution.value(solution.initial) == {"player 0": value, "player 1": -value}
    assert solution.outcome(solution.initial) == {1: "N", 0: "draw", -1: "P"}[value]
    for player in solution.players:
        strategy = solution.strategy(player)
        assert strategy.promise == solution.value(solution.initial)[player]
        assert verify(strategy).ok


def test_tic_tac_toe_is_a_draw() -> None:
    solution = ggp.solve(pyspiel.load_game("tic_tac_toe"))
    assert solution.positions == 5478
    assert solution.outcome(solution.initial) == "draw"
    assert len(solution.best(solution.initial)) == 9
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for action in (0, 1):  # Crosses in a corner, noughts beside it: crosses win.
        state.apply_action(action)
    position = solution.tree().position(state)
    assert solution.outcome(position) == "N"
    assert "x(1,1)" in solution.best(position)
    assert solution.mover(position) == "player 0"


def test_the_end_of_play_is_nobodys_turn() -> None:
    solution = ggp.solve(pyspiel.load_game("nim(pile_sizes=1;2)"))
    end = solution.initial
    while best := solution.best(end):
        end = dict(solution.tree().moves(end))[best[0]]
    assert best == ()
    assert solution.mover(end) is None
    assert solution.outcome(end) is None


def mean(state, depth: int = 0) -> Fraction:
    """What a state of two opposed players is worth to the first, by the definition."""
    if state.is_terminal():
        return Fraction(state.returns()[0])
    if state.is_chance_node():
        return sum(
            (
                Fraction(p).limit_denominator(60) * mean(state.child(a))
                for a, p in state.chance_outcomes()
            ),
            Fraction(0),
        )
    worth = [mean(state.child(a)) for a in state.legal_actions()]
    return max(worth) if state.current_player() == 0 else min(worth)


def test_a_game_of_dice_is_worth_its_mean() -> None:
    name = "pig(winscore=4,horizon=7,diceoutcomes=3)"
    game = pyspiel.load_game(name)
    solution = ggp.solve(game)
    assert solution.has_chance
    expected = float(mean(game.new_initial_state()))
    assert solution.value(solution.initial)["player 0"] == pytest.approx(expected)
    assert solution.best(solution.initial) == ("roll",)
    history = ggp.solve(SpielTree(game, key=by_history))
    assert history.value(history.initial)["player 0"] == pytest.approx(expected)
    assert history.positions > solution.positions


WEIGHTED = """EFG 2 R "weighted" { "one" "two" }
c "" 1 "" { "often" 2/3 "seldom" 1/3 } 0
p "" 1 1 "" { "l" "r" } 0
t "" 1 "" { 6 -6 }
t "" 2 "" { 0 0 }
p "" 2 1 "" { "l" "r" } 0
t "" 3 "" { -6 6 }
t "" 4 "" { -3 3 }
"""


def test_outcomes_weigh_as_much_as_they_are_likely() -> None:
    """Two times in three 6 for the first player, else 6 for the second."""
    game = pyspiel.load_efg_game(WEIGHTED)
    tree = type("Tree", (SpielTree,), {"__init__": _plain})(game)
    solution = ggp.solve(tree)
    assert solution.value(solution.initial)["player 0"] == pytest.approx(6 * 2 / 3 - 6 / 3)


def _plain(tree: SpielTree, game) -> None:
    """A tree of a game that OpenSpiel says hides something, as it says of all files."""
    tree.game, tree.players, tree._known = game, ("player 0", "player 1"), {}
    tree._key = lambda state: tuple(state.history())
    tree.initial = tree.position(game.new_initial_state())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("kuhn_poker", "not a game of perfect information"),
        ("goofspiel", "moves are not made one at a time"),
        ("matrix_rps", "moves are not made one at a time"),
    ],
)
def test_other_games_are_not_solved(name, why) -> None:
    with pytest.raises(NotSolvable, match=why):
        ggp.solve(pyspiel.load_game(name))


def test_positions_are_counted() -> None:
    with pytest.raises(LimitReached, match="positions"):
        ggp.solve(pyspiel.load_game("connect_four"), positions=1000)


def test_states_that_are_not_alike_have_no_key_in_common() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    with pytest.raises(NotSolvable, match="not alike") as caught:
        ggp.solve(SpielTree(game, key=lambda state: state.move_number()))
    assert "\n" not in str(caught.value)


def test_a_key_of_ones_own_makes_fewer_positions() -> None:
    """The text of a board shows who has moved how far; the number of moves says nothing more."""
    game = pyspiel.load_game("breakthrough(rows=4,columns=2)")
    whole, text = ggp.solve(game), ggp.solve(SpielTree(game, key=str))
    assert whole.value(whole.initial) == text.value(text.initial)
    assert text.positions <= whole.positions


def test_methods_of_gdl_are_not_for_trees() -> None:
    with pytest.raises(NotSolvable, match="only its positions"):
        ggp.solve(pyspiel.load_game("tic_tac_toe"), method="layers")
