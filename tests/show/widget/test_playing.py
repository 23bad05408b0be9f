"""Games are played in a notebook by clicks and buttons, and all that is legal can be played."""

from __future__ import annotations

import pytest

import ggp
from tests.conftest import GAMES
from tests.show.widget.pages import Page

CHANCE = """
(role left) (role random)
(init (step 1)) (init (coin none))
(coin heads) (coin tails)
(<= (legal left (say ?c)) (coin ?c) (true (step 1)))
(<= (legal left noop) (true (step 2)))
(<= (legal random (toss ?c)) (coin ?c) (true (step 2)))
(<= (legal random noop) (true (step 1)))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (said ?c)) (does left (say ?c)))
(<= (next (said ?c)) (true (said ?c)))
(<= (next (coin ?c)) (does random (toss ?c)))
(<= terminal (true (step 3)))
(<= (goal left 100) (true (said ?c)) (true (coin ?c)))
(<= (goal left 0) (not won))
(<= won (true (said ?c)) (true (coin ?c)))
"""

STUCK = """
(role left)
(init (step 1))
(<= (legal left (go on)) (true (step 1)))
(<= (legal left (go back)) (true (step 1)))
(<= (next (step 2)) (true (step 1)))
(<= terminal (true (step 3)))
(goal left 0)
"""

GAMES_BY_CLICKS = {
    "tic-tac-toe": {},
    "connect-four": {},
    "clobber": {"rows": 3, "columns": 3},
}


def by_clicks(page: Page) -> set[str]:
    """The moves that are made by one click or two, each taken back again."""
    made = set()
    for first in page.targets:
        page.click(first)
        for second in page.targets if page.view["clicked"] else [None]:
            if second:
                if not page.view["clicked"]:
                    page.click(first)
                page.click(second)
            made.add(page.view["last"].partition(" ")[2])
            page.ask("undo")
        assert not page.view["clicked"]
    return made


@pytest.mark.parametrize("name", GAMES_BY_CLICKS)
def test_every_move_is_made_by_clicks(name: str) -> None:
    game = ggp.games.load(name, **GAMES_BY_CLICKS[name])
    for state, joint in game.random_playout(seed=3)[:-1]:
        role = state.control
        if not joint or len(state.legal(role)) < 2:
            continue
        page = Page(game.widget(state))
        assert by_clicks(page) == set(map(str, state.legal(role)))


@pytest.mark.parametrize("name", [*GAMES_BY_CLICKS, "nim/rows"])
def test_every_move_is_made_by_its_button(name: str) -> None:
    game = ggp.games.load(name, **GAMES_BY_CLICKS.get(name, {}))
    page = Page(game.widget())
    role = game.initial.control
    legal = list(map(str, game.initial.legal(role)))
    assert sorted(page.texts) == legal
    for text in legal:
        page.choose(text)
        assert page.view["last"] == f"{role} {text}"
        assert str(page.widget.history[0][role]) == text
        page.ask("undo")
        assert page.widget.state == game.initial
        assert sorted(page.texts) == legal


def test_a_first_click_leaves_the_moves_that_begin_there() -> None:
    page = Page(ggp.load(GAMES / "clobber" / "clobber-4x4.kif").widget())
    page.click((0, 0))
    assert page.texts == ["(move 1 1 1 2)", "(move 1 1 2 1)"]
    assert page.view["clicked"] == [[0, 0]]
    assert [page.titles[spot] for spot in page.targets] == ["1 2: black", "2 1: black"]
    page.click((0, 0))
    assert not page.view["clicked"]
    assert len(page.texts) == 24


def test_clicks_that_mean_several_moves_leave_their_buttons() -> None:
    sheet = """
    (role left) (init (cell a b)) (init (cell b b)) (init (cell c b))
    (at a) (at b) (at c) (mark x) (mark y)
    (<= (legal left (put ?c ?m)) (true (cell ?c b)) (mark ?m))
    (<= (next (cell ?c ?m)) (does left (put ?c ?m)))
    (<= (next (cell ?c ?m)) (true (cell ?c ?m)) (does left (put ?d ?n)) (distinct ?c ?d))
    (<= terminal (not open)) (<= open (true (cell ?c b))) (goal left 100)
    """
    page = Page(ggp.parse(sheet).widget())
    assert len(page.texts) == 6
    page.click(page.targets[0])
    assert page.texts == ["(put a x)", "(put a y)"]
    assert "several moves" in page.view["said"]
    page.choose("(put a y)")
    assert page.titles[(0, 0)] == "a: y"


def test_the_machine_plays_the_roles_of_nobody() -> None:
    page = Page(ggp.games.load("tic-tac-toe").widget(seats=["oplayer"], seconds=0))
    assert page.view["status"] == "xplayer is thinking …"
    assert not page.texts
    page.go()
    assert page.view["status"] == "oplayer to move"
    page.choose(page.texts[0])
    page.go()
    assert len(page.widget.history) == 3
    page.ask("undo")
    assert page.view["status"] == "oplayer to move"
    assert len(page.widget.history) == 1


def test_the_machine_plays_alone_until_the_end() -> None:
    page = Page(ggp.games.load("nim/rows", rows=2).widget(seats=[], seconds=0))
    page.go()
    assert page.view["status"].startswith("The game is over: ")
    assert not page.view["waits"]


def test_those_who_move_at_once_choose_one_after_the_other() -> None:
    page = Page(ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif").widget())
    before = page.widget.state
    page.choose("(show rock)")
    assert page.view["status"] == "left has chosen; right to move"
    assert page.widget.state == before
    assert "rock" not in page.view["last"]
    page.choose("(show paper)")
    assert page.view["last"] == "left (show rock); right (show paper)"
    assert page.widget.state != before
    page.choose("(show rock)")
    page.ask("undo")
    assert page.view["status"] == "left to move"
    assert len(page.widget.history) == 1


def test_chance_plays_by_itself() -> None:
    page = Page(ggp.parse(CHANCE).widget())
    page.choose("(say heads)")
    assert page.view["status"].startswith("The game is over: left ")
    assert page.view["last"].startswith("random (toss ")


def test_the_end_is_told_and_can_be_taken_back() -> None:
    game = ggp.games.load("nim/rows", rows=1)
    page = Page(game.widget())
    assert page.view["status"] == "The game is over: left 100, right 0"
    page = Page(ggp.games.load("nim/rows", rows=2).widget())
    page.choose("(take 1 1)")
    page.choose("(take 2 3)")
    assert page.view["status"] == "The game is over: left 0, right 100"
    assert (page.texts, page.targets) == ([], [])
    for deed in ("hint", "move", "click"):
        page.ask(deed, move=0, board=0, place=0)
        assert page.view["said"]
        assert page.widget.state.terminal
    page.ask("undo")
    assert page.view["status"] == "right to move"


def test_at_the_start_there_is_nothing_to_undo() -> None:
    game = ggp.games.load("tic-tac-toe")
    page = Page(game.widget())
    page.ask("undo")
    assert page.view["said"] == "nothing to undo"
    assert page.widget.state == game.initial


def test_a_restart_goes_back_to_the_state_it_began_in() -> None:
    game = ggp.games.load("tic-tac-toe")
    start = game.initial.play("(mark 2 2)")
    page = Page(game.widget(start))
    assert page.view["status"] == "oplayer to move"
    page.choose("(mark 1 1)")
    page.ask("restart")
    assert page.widget.state == start
    assert page.widget.history == []


def test_a_hint_has_the_values_of_all_moves_the_best_first() -> None:
    game = ggp.games.load("tic-tac-toe")
    page = Page(game.widget(game.initial.play("(mark 1 2)").play("(mark 1 1)"), seconds=120))
    page.ask("hint")
    assert page.view["said"].startswith("best: (mark ")
    worths = [move["worth"] for move in page.view["moves"]]
    assert len(worths) == 7
    assert all(worth.startswith("= ") for worth in worths)
    assert worths == sorted(worths, key=lambda worth: -float(worth[2:]))
    page.choose(page.texts[0])
    assert not any(move["worth"] for move in page.view["moves"])


def test_moves_are_listed_as_one_counts() -> None:
    page = Page(ggp.games.load("kayles/kayles", n=11).widget())
    assert page.texts == [
        *(f"(double {place})" for place in range(1, 11)),
        *(f"(single {place})" for place in range(1, 12)),
    ]


def test_rules_that_go_wrong_are_told_and_can_be_left_again() -> None:
    page = Page(ggp.parse(STUCK).widget())
    page.choose("(go on)")
    assert "no legal move" in page.view["status"]
    assert not page.texts
    page.ask("undo")
    assert len(page.texts) == 2


def test_thinking_can_be_interrupted(monkeypatch) -> None:
    from ggp.play.sitting.machine import MovePicker

    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    page = Page(ggp.games.load("tic-tac-toe").widget(seats=["oplayer"], seconds=0))
    with monkeypatch.context() as patch:
        patch.setattr(MovePicker, "choose", interrupted)
        page.go()
    assert page.view["status"] == "thinking was interrupted"
    assert (page.view["waits"], page.view["paused"]) == (True, True)
    page.ask("go")
    assert page.view["status"] == "oplayer to move"
