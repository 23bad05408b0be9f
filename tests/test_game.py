"""The contract of Game and State, name by name."""

from __future__ import annotations

import itertools

import pytest

import ggp
from ggp import GoalError, IllegalMove, NoLegalMove, UnknownName
from ggp.kif import Term
from tests.conftest import GAMES

KAYLES = GAMES / "kayles" / "kayles-7.kif"


@pytest.fixture(scope="module")
def kayles() -> ggp.Game:
    return ggp.load(KAYLES)


def test_roles_in_order_of_their_facts(kayles) -> None:
    assert kayles.roles == ("left", "right")
    assert ggp.parse("(role b) (role a) (legal b x) (legal a x) (goal a 0) terminal").roles == (
        "b",
        "a",
    )


def test_initial_state(kayles) -> None:
    state = kayles.initial
    assert [str(fact) for fact in state.facts] == sorted(
        ["(control left)", *(f"(skittle {i} up)" for i in range(1, 8))]
    )
    assert all(isinstance(fact, Term) for fact in state.facts)
    assert not state.terminal
    assert state.control == "left"


def test_legal_moves_are_sorted_terms(kayles) -> None:
    moves = kayles.initial.legal("left")
    assert [str(move) for move in moves] == sorted(map(str, moves))
    assert len(moves) == 13
    assert [str(move) for move in kayles.initial.legal("right")] == ["noop"]
    with pytest.raises(UnknownName, match="nobody"):
        kayles.initial.legal("nobody")


@pytest.mark.parametrize(
    "move",
    [
        {"left": "(single 4)", "right": "noop"},
        {"left": Term("single", (Term("4"),)), "right": Term("noop")},
        {"LEFT": "( SINGLE  4 )", "right": "NOOP"},
        {"left": "(single 4)"},
        "(single 4)",
        Term("single", (Term("4"),)),
    ],
)
def test_play(kayles, move) -> None:
    after = kayles.initial.play(move)
    assert "(skittle 4 down)" in map(str, after.facts)
    assert after.control == "right"
    assert kayles.initial.control == "left", "states are immutable"


@pytest.mark.parametrize(
    "move",
    [
        "(single 8)",
        "noop",
        "single 4",
        "((",
        "",
        {"left": "(single 4)", "right": "(single 4)"},
        {"right": "noop"},
    ],
)
def test_illegal_moves(kayles, move) -> None:
    with pytest.raises(IllegalMove):
        kayles.initial.play(move)


def test_no_move_after_the_end() -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=1)
    end = game.initial.play("(take 1 1)")
    assert end.terminal
    assert end.goals == {"left": 100, "right": 0}
    with pytest.raises(IllegalMove, match="over"):
        end.play("(take 1 1)")


def test_any_set_of_fluents_is_a_state(kayles) -> None:
    state = kayles.state(["(skittle 1 up)", "(control left)"])
    assert [str(m) for m in state.legal("left")] == ["(single 1)"]
    assert kayles.state([]).facts == ()
    assert kayles.state(kayles.initial.facts) == kayles.initial
    with pytest.raises(UnknownName, match="no fluent"):
        kayles.state(["(skittle 8 up)"])


def test_states_are_values(kayles) -> None:
    one = kayles.initial.play("(single 1)").play("(single 2)")
    two = kayles.initial.play("(single 2)").play("(single 1)")
    assert one == two
    assert hash(one) == hash(two)
    assert one != kayles.initial
    again = ggp.load(KAYLES)
    assert again.initial == kayles.initial
    assert len({one, two, again.initial, kayles.initial}) == 2


def test_random_playouts_are_reproducible_and_end(kayles) -> None:
    play = kayles.random_playout(seed=1)
    assert play == kayles.random_playout(seed=1)
    assert play != kayles.random_playout(seed=2)
    assert play[0][0] == kayles.initial
    assert play[-1][0].terminal
    for (state, joint), (after, _) in itertools.pairwise(play):
        assert state.play(joint) == after


def test_nothing_persists_unless_next_says_so() -> None:
    """docs/semantics.md 10."""
    game = ggp.parse(
        "(role a) (init p) (init q) (legal a x) (goal a 0) (<= (next q) (true q) (true p))"
        "(<= (next r) (true p)) (<= terminal (true z))"
    )
    after = game.initial.play("x")
    assert {str(fact) for fact in after.facts} == {"q", "r"}
    assert after.play("x").facts == ()


def test_init_may_be_defined_by_rules() -> None:
    """docs/semantics.md 11."""
    game = ggp.parse(
        "(role a) (index 1) (index 2) (hole 2) (legal a x) (goal a 0) terminal"
        "(<= (init (cell ?i b)) (index ?i) (not (hole ?i)))"
    )
    assert [str(fact) for fact in game.initial.facts] == ["(cell 1 b)"]


def test_a_role_without_a_move_is_an_error() -> None:
    """docs/semantics.md 13: no move is invented."""
    game = ggp.parse(
        "(role a) (role b) (init p) (legal a x) (<= (legal b x) (true q)) (<= (next q) (true q))"
        "(goal a 0) (goal b 0) (<= terminal (true q))"
    )
    assert game.initial.legal("b") == ()
    with pytest.raises(NoLegalMove, match="b has no legal move"):
        game.random_playout(1)
    with pytest.raises(NoLegalMove, match="b has no legal move"):
        game.solve()


@pytest.mark.parametrize("goals", ["", "(goal a 1) (goal a 2)"])
def test_exactly_one_goal_value(goals) -> None:
    """docs/semantics.md 13: other than exactly one value at the end is an error."""
    game = ggp.parse(f"(role a) (legal a x) terminal (<= (goal a 0) (true p)) {goals}")
    with pytest.raises(GoalError, match=r"a has (no )?goal"):
        game.initial.goals  # noqa: B018


def test_control_of_a_forced_player_follows_the_marker() -> None:
    """docs/semantics.md 14: if all have one legal move, control follows the proved marker."""
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2)
    state = game.initial.play("(take 2 3)")
    assert [len(state.legal(role)) for role in game.roles] == [1, 1]
    assert state.control == "right"


def test_control_of_simultaneous_moves_is_nobody() -> None:
    game = ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif")
    assert game.initial.control is None


def test_control_in_a_game_for_one_is_that_one() -> None:
    game = ggp.load(GAMES / "puzzles" / "hanoi.kif.jinja")
    assert game.initial.control == game.roles[0]


def test_case_is_folded_unless_asked_otherwise() -> None:
    """docs/semantics.md 1."""
    text = "(ROLE p) (INIT (s A)) (legal p go) (<= terminal (TRUE (S a))) (goal p 100)"
    game = ggp.parse(text)
    assert game.initial.terminal
    assert [str(f) for f in game.initial.facts] == ["(s A)"]
    strict = "(role p) (init (s A)) (legal p go) (<= terminal (true (s a))) (goal p 100)"
    assert not ggp.parse(strict, strict_case=True).initial.terminal


HURTFUL = [
    "a.b:-c.",
    "#script",
    '"x',
    "%*",
    ":-",
    "@f",
    "_",
    "X",
    "{1}",
    "a\x07b",
    "x" * 1000,
    "not.",
    "1",
    "01",
    "-1",
    "é",
    "日本",
    "#show",
    "'",
    "\\",
    "a,b",
    "s1",
    "V1",
    "__",
]


@pytest.mark.parametrize("symbol", HURTFUL)
def test_symbols_made_to_hurt_pass_unchanged(symbol) -> None:
    """Nothing of a sheet ever becomes program text."""
    text = f"""(role {symbol}) (init ({symbol} {symbol})) (<= (legal {symbol} ({symbol} ?x))
    (true ({symbol} ?x))) (<= (next done) (does {symbol} ({symbol} ?x)))
    (<= terminal (true done)) (goal {symbol} 100)"""
    game = ggp.parse(text)
    assert game.roles == (symbol,)
    assert [str(f) for f in game.initial.facts] == [f"({symbol} {symbol})"]
    end = game.initial.play(f"({symbol} {symbol})")
    assert end.terminal
    assert end.goals == {symbol: 100}
    assert game.solve().value(game.initial) == {symbol: 100}


def test_numbers_are_symbols() -> None:
    """docs/semantics.md 4: 01 is not 1."""
    game = ggp.parse(
        "(role p) (init (s 1)) (legal p go) (<= terminal (true (s 01))) (goal p 100)"
        "(<= (next (s 01)) (true (s 1)))"
    )
    assert not game.initial.terminal
    assert game.initial.play("go").terminal


def test_what_base_and_input_leave_out_is_reported_and_played_all_the_same() -> None:
    """docs/semantics.md 12."""
    sheet = """(role p) (init (at 1)) (succ 1 2) (succ 2 3) (<= (legal p (go ?y)) (to ?y))
        (<= (to ?y) (true (at ?x)) (succ ?x ?y)) (<= (next (at ?x)) (does p (go ?x)))
        (<= terminal (true (at 3))) (goal p 1) (base (at 1)) (<= (base (at ?y)) (succ 1 ?y))
        (<= (input p (go ?y)) (succ 1 ?y))"""
    game = ggp.parse(sheet)
    assert game.beyond_base == ("(at 3)", "p (go 3)")
    assert game.initial.play("(go 2)").play("(go 3)").terminal
    assert ggp.parse(sheet.replace("(succ 1 ?y)", "(succ ?x ?y)")).beyond_base == ()
