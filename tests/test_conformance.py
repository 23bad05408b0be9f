"""The public conformance sheets behave as a right engine does."""

from __future__ import annotations

import pytest

import ggp
from ggp import RulesError
from ggp.kif import read_source
from ggp.rules import read_rules
from tests.conftest import shared

VERDICTS = {
    "ticTacToe": "", "connectFour": "", "simpleMutex": "", "test_case_1a": "W", "test_case_1b": "",
    "test_case_2a": "", "test_case_2b": "", "test_case_2c": "W", "test_case_3a": "W",
    "test_case_3b": "E", "test_case_3c": "W", "test_case_3d": "", "test_case_3e": "E",
    "test_case_3f": "E", "test_case_4a": "", "test_case_5a": "", "test_case_5b": "",
    "test_case_5c": "", "test_case_5d": "W", "test_case_5e": "", "test_clean_not_distinct": "W",
    "test_distinct_beginning_rule": "", "test_invalid_function_arities_differ": "W",
    "test_invalid_sentence_arities_differ": "W",
}  # fmt: skip


def load(name: str) -> ggp.Game:
    return ggp.load(shared("conformance", "kif", f"{name}.kif"))


def facts(state: ggp.State) -> set[str]:
    return set(map(str, state.facts))


def moves(state: ggp.State, role: str) -> list[str]:
    return [str(move) for move in state.legal(role)]


def follow(game: ggp.Game, *played: str) -> ggp.State:
    state = game.initial
    for move in played:
        state = state.play(move)
    return state


@pytest.mark.parametrize(("name", "verdict"), VERDICTS.items())
def test_verdicts(name, verdict) -> None:
    found = read_rules(read_source(shared("conformance", "kif", f"{name}.kif"))).diagnostics
    severities = {d.severity for d in found}
    worst = "E" if "error" in severities else "W" if "warning" in severities else ""
    assert worst == verdict


@pytest.mark.parametrize("name", [name for name, verdict in VERDICTS.items() if verdict == "E"])
def test_unsafe_sheets_are_refused(name) -> None:
    with pytest.raises(RulesError, match="bound by nothing"):
        load(name)


def test_tic_tac_toe() -> None:
    game = load("ticTacToe")
    assert game.roles == ("xplayer", "oplayer")
    assert len(game.initial.legal("xplayer")) == 9
    assert moves(game.initial, "oplayer") == ["noop"]
    played = [f"(mark {at})" for at in ("1 1", "1 3", "3 1", "2 2", "2 1")]
    end = follow(game, *played)
    assert end.terminal
    assert end.goals == {"xplayer": 100, "oplayer": 0}


def test_simple_mutex() -> None:
    game = load("simpleMutex")
    (role,) = game.roles
    assert moves(game.initial, role) == ["a", "b", "c"]
    end = game.initial.play("b")
    assert facts(end) == {"h3", "m1", "m4", "m6", "t2"}
    assert end.terminal
    assert end.goals == {role: 100}


def test_a_goal_that_always_holds() -> None:
    game = load("test_case_1a")
    assert game.initial.goals == {"you": 100}
    assert not game.initial.terminal
    assert follow(game, "proceed").terminal


def test_legal_in_a_body() -> None:
    game = load("test_case_1b")
    assert moves(game.initial, "you") == ["lose", "win"]
    assert follow(game, "win").goals == {"you": 100}
    lost = follow(game, "lose")
    assert lost.legal("you") == ()
    assert lost.terminal
    assert lost.goals == {"you": 0}


@pytest.mark.parametrize(("name", "role", "plies"), [("test_case_2a", "you", 4)])
def test_derived_static_facts(name, role, plies) -> None:
    play = load(name).random_playout(1)
    assert len(play) == plies + 1
    assert play[-1][0].goals == {role: 100}


def test_circular_snake() -> None:
    stuck = follow(load("test_case_2b"), "mov_left")
    assert stuck.terminal
    assert stuck.goals == {"snake": 0}


def test_forced_snake_ends_at_step_10() -> None:
    for seed in range(5):
        play = load("test_case_2c").random_playout(seed)
        assert all(len(state.legal("snake")) == 1 for state, _ in play[1:-1])
        assert "(step 10)" in facts(play[-1][0])
        assert play[-1][0].goals == {"snake": 100}


@pytest.mark.parametrize(
    ("name", "role", "legal", "move"),
    [
        ("test_case_3a", "xplayer", ["(move correct_correct)"], "(move correct_correct)"),
        ("test_case_3c", "xplayer", ["win"], "win"),
        ("test_case_3d", "xplayer", ["win"], "win"),
        ("test_case_5a", "you", ["proceed"], "proceed"),
        ("test_case_5c", "you", ["proceed"], "proceed"),
        ("test_case_5d", "you", ["proceed"], "proceed"),
    ],
)
def test_one_move_to_a_goal_of_100(name, role, legal, move) -> None:
    game = load(name)
    assert moves(game.initial, role) == legal
    end = game.initial.play(move)
    assert end.terminal
    assert end.goals == {role: 100}


def test_base_and_input_given() -> None:
    end = follow(load("test_case_4a"), "a")
    assert facts(end) == {"q"}
    assert end.terminal
    assert end.goals == {"robot": 100}


def test_repeated_variables_in_a_head() -> None:
    end = follow(load("test_case_5b"), "(draw 1 1 1 2)")
    assert facts(end) == {"(line 1 1 1 2)", "done"}
    assert end.terminal


def test_transitive_smaller() -> None:
    expected = ["(reduce a 0)", "(reduce a 1)", *(f"(reduce c {n})" for n in range(5))]
    assert moves(load("test_case_5e").initial, "robot") == expected


def test_not_of_distinct_and_distinct_first() -> None:
    game = load("test_clean_not_distinct")
    (role,) = game.roles
    assert len(game.initial.legal(role)) == 1
    assert game.initial.play(game.initial.legal(role)[0]).goals == {role: 100}
    game = load("test_distinct_beginning_rule")
    (role,) = game.roles
    assert moves(game.initial, role) == ["(do a b)", "(do b a)"]
    assert game.initial.play("(do a b)").goals == {role: 100}


def test_two_arities_of_one_name() -> None:
    game = load("test_invalid_function_arities_differ")
    (role,) = game.roles
    assert {"(a 1)", "(a 2 3)"} <= set(moves(game.initial, role))
    assert load("test_invalid_sentence_arities_differ").random_playout(1)[-1][0].terminal


def test_connect_four_plays() -> None:
    game = load("connectFour")
    assert game.random_playout(1)[-1][0].terminal
