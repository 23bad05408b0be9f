"""`ggp play` on a full screen, played by a pilot."""

from __future__ import annotations

import asyncio
import json
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from textual.css.query import NoMatches
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

import ggp
from ggp.cli.playing.places import drawing
from ggp.cli.playing.runner import Advised, Runner
from ggp.cli.playing.screen import KEYS, PlayApp
from ggp.cli.playing.view import SittingView
from ggp.cli.playing.widgets import BoardView
from ggp.game import Game
from ggp.limits import stop
from ggp.match.records import read_record
from ggp.play.sitting.levels import level_of, strong
from ggp.play.sitting.sitting import Sitting
from ggp.show.board import scene_of
from ggp.show.board.clicking import click, complete, targets
from tests.conftest import GAMES, nightly

TIC_TAC_TOE = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"
CLOBBER = GAMES / "clobber" / "clobber-4x4.kif"
CONNECT_FOUR = GAMES / "connect-four" / "connect-four.kif.jinja"
ROWS = GAMES / "nim" / "rows.kif.jinja"

Play = Callable[[PlayApp, Pilot], Awaitable[None]]

PATIENCE = 15_000
"""Looks for something to happen, of 20 ms each at the least."""


@pytest.fixture(autouse=True)
def _going_on() -> Iterator[None]:
    yield
    stop.clear()


def on_screen(
    game: Game,
    play: Play,
    *,
    people: Sequence[str] | None = None,
    level: str = "easy",
    file: Path | None = None,
    is_ascii: bool = False,
    size: tuple[int, int] = (100, 40),
) -> PlayApp:
    """Play a game on a screen of some columns and rows; the screen, which has been left."""
    sitting = Sitting(game, game.players[:1] if people is None else people, level_of(level))
    app = PlayApp(sitting, file, is_ascii)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            if people != ():
                await until(pilot, lambda: waits(app))
            await play(app, pilot)

    asyncio.run(run())
    if not app.runner.leave():
        app.runner.join(60)
    assert not app.runner.is_alive()
    return app


async def until(pilot: Pilot, holds: Callable[[], bool]) -> None:
    for _ in range(PATIENCE):
        await pilot.pause(0.02)
        if holds():
            await pilot.pause()
            return
    raise AssertionError("it never came to that")


def waits(app: PlayApp, count: int = 0) -> bool:
    """Whether it is a person's turn, or the end, after at least so many steps."""
    view = app.view
    return view is not None and view.count >= count and (view.role is None or view.is_yours)


def text(app: PlayApp, where: str) -> str:
    with suppress(NoMatches):
        return str(app.screen_stack[0].query_one(where, Static).render())
    return ""


def board(app: PlayApp) -> str:
    return "\n".join(line.plain for line in app.screen_stack[0].query_one(BoardView).drawing.lines)


def place(app: PlayApp, *key: str) -> tuple[int, int]:
    """Where a cell is on the board."""
    own = app.query_one(BoardView).drawing.places
    return next((p.x, p.y) for p in own if tuple(map(str, p.key)) == key)


async def answer(app: PlayApp, pilot: Pilot, key: str, text: str) -> None:
    """What a key asks for: pasted, as keys take the pilot long."""
    await pilot.press(key)
    app.screen.query_one(Input).value = text
    await pilot.press("enter")


def played(app: PlayApp) -> list[list[str]]:
    sitting = app.runner.sitting
    return [[str(step.joint[role]) for role in sitting.game.roles] for step in sitting.history]


def test_a_click_on_a_cell_makes_its_move() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        assert "xplayer: your move" in text(app, "#info")
        await pilot.click(BoardView, offset=place(app, "2", "2"))
        await until(pilot, lambda: waits(app, 2))
        assert "last: 2. oplayer (mark" in text(app, "#info")
        assert "[o]" in board(app)
        assert "1. xplayer (mark 2 2)" in text(app, "#log")

    app = on_screen(ggp.load(TIC_TAC_TOE), play)
    assert played(app)[0] == ["(mark 2 2)", "noop"]
    assert len(played(app)) == 2


def test_the_cursor_goes_over_the_cells() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.press("down", "right", "right", "right", "up", "up", "left", "down", "enter")
        await until(pilot, lambda: waits(app, 2))

    assert played(on_screen(ggp.load(TIC_TAC_TOE), play))[0][0] == "(mark 2 2)"


def test_two_clicks_say_where_from_and_where_to() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        every = len(app.listed)
        await pilot.click(BoardView, offset=place(app, "1", "1"))
        await pilot.pause()
        assert [str(move.text) for move in app.listed] == ["(move 1 1 1 2)", "(move 1 1 2 1)"]
        assert "where to?" in text(app, "#said")
        await pilot.press("escape")
        assert len(app.listed) == every
        await pilot.click(BoardView, offset=place(app, "1", "1"))
        await pilot.click(BoardView, offset=place(app, "1", "1"))
        await pilot.pause()
        assert len(app.listed) == every
        await pilot.click(BoardView, offset=place(app, "1", "3"))
        await pilot.click(BoardView, offset=place(app, "1", "2"))
        await until(pilot, lambda: waits(app, 2))

    assert played(on_screen(ggp.load(CLOBBER), play))[0][0] == "(move 1 3 1 2)"


def test_any_cell_of_a_column_drops_a_piece_there() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.click(BoardView, offset=place(app, "3", "4"))
        await until(pilot, lambda: waits(app, 2))

    assert played(on_screen(ggp.load(CONNECT_FOUR), play))[0][0] == "(drop 3)"


def test_moves_are_found_by_their_text() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.press("slash", *"2 q")
        assert app.listed == []
        await pilot.press("enter")
        await until(pilot, lambda: text(app, "#said") == "no move has that text")
        await pilot.press("backspace", "backspace", *" 3")
        assert [str(move.text) for move in app.listed] == ["(mark 2 3)"]
        await pilot.press("enter")
        await until(pilot, lambda: waits(app, 2))
        assert app.query_one("#find", Input).value == ""
        await pilot.press("slash", "tab", "down", "enter")
        await until(pilot, lambda: waits(app, 4))

    assert played(on_screen(ggp.load(TIC_TAC_TOE), play))[0][0] == "(mark 2 3)"


def test_where_no_cell_is_clicked_the_list_has_the_keys() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        assert app.focused is app.query_one(OptionList)
        await pilot.press("down", "enter")
        await until(pilot, lambda: waits(app, 2))

    assert played(on_screen(ggp.load(ROWS), play))[0][0] == "(take 2 1)"


def test_undo_goes_back_and_says_where_it_cannot() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.press("u")
        await until(pilot, lambda: "nothing to undo" in text(app, "#said"))
        await pilot.press("enter")
        await until(pilot, lambda: waits(app, 2))
        await pilot.press("u")
        await until(pilot, lambda: app.view is not None and app.view.count == 0)

    assert played(on_screen(ggp.load(TIC_TAC_TOE), play)) == []


def test_a_hint_sorts_the_moves_by_their_worth() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.click(BoardView, offset=place(app, "1", "1"))
        await until(pilot, lambda: waits(app, 1))
        await pilot.press("h")
        await until(pilot, lambda: "best: (mark 2 2)" in text(app, "#said"))
        first, second = (app.query_one(OptionList).get_option_at_index(i).prompt for i in (0, 1))
        assert str(first) == "= 50    (mark 2 2)"
        assert str(second).startswith("= 0")

    game = ggp.load(TIC_TAC_TOE)
    on_screen(game, play, people=game.roles, level="120")


def test_a_hint_does_not_halt_itself() -> None:
    """Its job may be taken before the thread that asks has said that something is asked."""

    class Slow(threading.Event):
        cleared = threading.Event()

        def set(self) -> None:
            self.cleared.clear()
            self.cleared.wait(0.3)
            super().set()

        def clear(self) -> None:
            super().clear()
            self.cleared.set()

    game, came = ggp.load(TIC_TAC_TOE), queue.SimpleQueue()
    runner = Runner(Sitting(game, game.roles, level_of("120")), None, came.put)
    runner._asked = Slow()
    runner.start()
    assert isinstance(came.get(), SittingView)
    runner.hint()
    # Views come before and after what is done.
    assert isinstance(came.get(), Advised)
    assert runner.leave()


def test_a_game_to_its_end_and_back() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        for count, key in enumerate(("11", "22", "12", "33", "13"), 1):
            await pilot.click(BoardView, offset=place(app, *key))
            await until(pilot, lambda at=count: waits(app, at))
        assert "The game is over: xplayer 100, oplayer 0" in text(app, "#info")
        assert app.listed == []
        await pilot.press("enter", "h", "u")
        await until(pilot, lambda: app.view is not None and app.view.count == 4)
        assert "xplayer: your move" in text(app, "#info")

    game = ggp.load(TIC_TAC_TOE)
    on_screen(game, play, people=game.roles)


def test_records_are_saved_and_opened(tmp_path) -> None:
    file = tmp_path / "game.json"

    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: waits(app, 2))
        await answer(app, pilot, "s", str(file))
        await until(pilot, lambda: "saved to" in text(app, "#said"))
        await pilot.press("u")
        await until(pilot, lambda: app.view is not None and app.view.count == 0)
        await answer(app, pilot, "o", str(tmp_path / "none.json"))
        await until(pilot, lambda: "none.json" in text(app, "#said"))
        assert app.view is not None
        assert app.view.count == 0
        await pilot.press("o", "escape")
        await answer(app, pilot, "o", str(file))
        await until(pilot, lambda: waits(app, 2))

    app = on_screen(ggp.load(TIC_TAC_TOE), play)
    moves = [
        [text.replace("( ", "(").replace(" )", ")") for text in joint]
        for joint in read_record(file).moves
    ]
    assert moves == played(app)


def test_the_record_is_written_after_each_move(tmp_path) -> None:
    file = tmp_path / "game.json"

    async def play(app: PlayApp, pilot: Pilot) -> None:
        assert not file.exists()
        await pilot.press("enter")
        await until(pilot, lambda: waits(app, 2))
        assert len(read_record(file).moves) == 2

    on_screen(ggp.load(TIC_TAC_TOE), play, file=file)


def test_the_level_is_changed_by_its_name_or_seconds() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.press("l", *"2.5", "enter")
        await until(pilot, lambda: "(strong, 2.5 s)" in text(app, "#info"))
        await pilot.press("l", *"bad", "enter")
        await until(pilot, lambda: "a level is easy, medium, strong" in text(app, "#said"))
        await pilot.press("l", *"2.5", "enter")
        await until(pilot, lambda: text(app, "#said") == "level: strong, 2.5 s")

    assert on_screen(ggp.load(TIC_TAC_TOE), play).runner.sitting.level == strong(2.5)


@pytest.mark.parametrize("key", ["u", *nightly(["q", "ctrl+c"])])
def test_nobody_waits_for_a_machine_that_thinks(key) -> None:
    """It would think for an hour."""

    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: "yellow: is thinking" in text(app, "#info"))
        await pilot.press(key)
        if key == "u":
            await until(pilot, lambda: waits(app) and app.view is not None and app.view.count == 0)

    game = ggp.load(CONNECT_FOUR, columns=7, rows=6)
    app = on_screen(game, play, level="3600")
    assert len(played(app)) == (0 if key == "u" else 1)
    assert isinstance(app.fault, KeyboardInterrupt) == (key == "ctrl+c")


def test_help_is_a_window_that_any_key_closes() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.press("question_mark")
        assert len(app.screen_stack) == 2
        await pilot.press("q")
        assert len(app.screen_stack) == 1
        assert app.is_running

    on_screen(ggp.load(TIC_TAC_TOE), play)


def test_on_a_narrow_screen_cells_of_two_letters_do_not_run_together(tmp_path) -> None:
    sheet = shutil.copy(GAMES / "clobber" / "clobber.kif.jinja", tmp_path)
    (tmp_path / "clobber.board.toml").write_text("glyphs = { white = 'wp', black = 'bp' }")

    async def play(app: PlayApp, pilot: Pilot) -> None:
        assert "wp bp wp bp wp bp wp bp" in board(app)
        assert "q quit" in text(app, "#keys")[:58]

    on_screen(ggp.load(sheet, rows=8, columns=8), play, size=(60, 20))


@pytest.mark.parametrize("width", [40, 60, 80])
def test_all_keys_are_told_however_narrow_the_screen(width) -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        keys = app.query_one("#keys")
        lines = text(app, "#keys").splitlines()
        assert max(map(len, lines)) <= keys.content_size.width
        assert len(lines) == keys.content_size.height
        assert [key for line in lines for key in line.split("  ")] == list(KEYS)

    on_screen(ggp.load(TIC_TAC_TOE), play, size=(width, 24))


@pytest.mark.parametrize(("sheet", "most"), [(TIC_TAC_TOE, 60), (CLOBBER, 60)])
def test_on_a_wide_screen_the_moves_stand_beside_the_board(sheet, most) -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        assert app.query_one("#side").region.x <= most
        assert app.query_one("#side").region.right == 200

    on_screen(ggp.load(sheet), play, size=(200, 50))


def test_a_large_board_has_the_room_that_it_needs_on_a_wide_screen() -> None:
    game = ggp.load(GAMES / "col" / "col.kif.jinja", rows=3, columns=40)

    async def play(app: PlayApp, pilot: Pilot) -> None:
        places = app.query_one(BoardView).drawing.places
        right = max(place.x + place.width for place in places)
        assert 80 < right < app.query_one("#side").region.x

    on_screen(game, play, size=(200, 30))


def test_the_machine_is_watched() -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        await until(pilot, lambda: "The game is over" in text(app, "#info"))

    app = on_screen(ggp.load(TIC_TAC_TOE), play, people=())
    assert app.runner.sitting.state.terminal


def test_moves_without_a_choice_are_in_the_log() -> None:
    """Three stones in a row: who is to move has one move each time."""

    async def play(app: PlayApp, pilot: Pilot) -> None:
        await until(pilot, lambda: "The game is over" in text(app, "#info"))
        assert "last: 3. left (take 3 1), the only move" in text(app, "#info")
        assert "1. left (take 1 1), the only move" not in text(app, "#log")

    game = ggp.load(ROWS, heaps=[1, 1, 1])
    on_screen(game, play, people=())


def test_a_fault_of_the_rules_is_told_and_can_be_undone() -> None:
    rules = """(role a) (init p) (<= (legal a good) (true p)) (<= (legal a bad) (true p))
    (<= (next q) (does a bad)) (<= (next r) (does a good)) (<= terminal (true r)) (goal a 1)"""

    async def play(app: PlayApp, pilot: Pilot) -> None:
        await pilot.press("slash", *"bad", "enter")
        await until(pilot, lambda: "a has no legal move" in text(app, "#said"))
        await pilot.press("u")
        await until(pilot, lambda: "your move" in text(app, "#info"))
        await pilot.press("slash", *"good", "enter")
        await until(pilot, lambda: "The game is over" in text(app, "#info"))

    on_screen(ggp.parse(rules), play)


HOSTILE = """(role [red]a) (init (cell 1 [bold]x)) (init (cell 2 [/nonsense]y)) (init (n \x1b[31m))
(legal [red]a (mark [@click=app.quit]go[/] 1)) (legal [red]a (mark [b 2)) (legal [red]a \x1b[2J)
(<= (next over) (does ?r ?m)) (<= terminal (true over)) (goal [red]a 77)"""


@pytest.mark.parametrize("is_ascii", [False, True])
def test_hostile_names_are_text(is_ascii) -> None:
    async def play(app: PlayApp, pilot: Pilot) -> None:
        assert "[red]a: your move" in text(app, "#info")
        own = app.query_one(OptionList)
        names = [str(own.get_option_at_index(i).prompt) for i in range(own.option_count)]
        assert "(mark [@click=app.quit]go[/] 1)" in names
        assert "(mark [b 2)" in names
        await pilot.press("h")
        await until(pilot, lambda: "best: " in text(app, "#said"))
        shown = board(app) + "".join(names) + text(app, "#info") + text(app, "#said")
        assert "\x1b" not in shown
        assert not is_ascii or shown.isascii()
        await answer(app, pilot, "o", "[red]none[/]")
        await until(pilot, lambda: "[red]none[/]" in text(app, "#said"))
        app.query_one(OptionList).focus()
        await pilot.press("enter")
        await until(pilot, lambda: "The game is over: [red]a 77" in text(app, "#info"))

    on_screen(ggp.parse(HOSTILE), play, is_ascii=is_ascii)


def test_thousands_of_moves_are_listed_and_found() -> None:
    legal = "".join(f"(legal a (take {i}))" for i in range(2_500))
    rules = "(role a) (init p) (<= (next q) (does a ?m)) (<= terminal (true q)) (goal a 1)" + legal

    async def play(app: PlayApp, pilot: Pilot) -> None:
        assert app.query_one(OptionList).option_count == 2_001
        await pilot.press("slash", *"2499", "enter")
        await until(pilot, lambda: waits(app, 1))

    assert played(on_screen(ggp.parse(rules), play)) == [["(take 2499)"]]


@pytest.mark.parametrize("width", [20, 40, 60, 120])
@pytest.mark.parametrize("is_ascii", [False, True])
@pytest.mark.parametrize(
    "sheet", ["tic-tac-toe/tic-tac-toe.kif", "clobber/clobber-4x4.kif", "kayles/kayles-7.kif"]
)
def test_every_place_of_a_drawing_is_where_its_mark_is(sheet, width, is_ascii) -> None:
    game = ggp.load(GAMES / sheet)
    for state, _ in game.random_playout(1):
        found = drawing(scene_of(state), width, is_ascii=is_ascii)
        assert found.places
        for own in found.places:
            assert found.at(own.x, own.y) == own
            assert found.lines[own.y].plain[own.x : own.x + own.width].strip()


def test_every_move_of_a_game_of_cells_is_meant_by_some_clicks() -> None:
    game = ggp.load(CLOBBER)
    for state, _ in game.random_playout(2)[:-1]:
        moves = [m for m in scene_of(state, moves=True).moves if m.clicks]
        for move in moves:
            clicked = ()
            for spot_board, keys in move.clicks:
                spot = (spot_board, min(keys))
                assert spot in targets(moves, clicked)
                clicked = click(moves, clicked, spot)
            assert complete(moves, clicked) == [move]


def test_textual_is_imported_by_nobody_else() -> None:
    code = "import sys; from ggp.cli.main import _run; _run(sys.argv[1:]);"
    code += "print('textual' in sys.modules)"
    command = [sys.executable, "-c", code, "play", str(TIC_TAC_TOE), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, input="quit\n", check=True)
    *output, is_imported = done.stdout.strip().splitlines()
    assert json.loads("\n".join(output))["moves"] == []
    assert is_imported == "False"
