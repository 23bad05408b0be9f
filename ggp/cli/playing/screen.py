"""A sitting on a full screen: the board, beside it who plays, the moves and what was played."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ggp.cli.common import out
from ggp.cli.playing import wording
from ggp.cli.playing.places import TextDrawing, beside_others, drawing
from ggp.cli.playing.runner import Advised, News, Runner, Said
from ggp.cli.playing.view import SittingView
from ggp.cli.playing.widgets import BoardView, LinePrompt, Notice
from ggp.kif import Term
from ggp.play.advice import Worth
from ggp.play.sitting.sitting import Sitting
from ggp.show.board.clicking import Spot, click, complete, meant, targets
from ggp.show.board.lines import flowing
from ggp.show.board.scene import Move
from ggp.show.moves import move_text, worth_text
from ggp.text import plain, shortened

KEYS = ("? help", "q quit", "h hint", "u undo", "/ find", "l level", "s save", "o open")

HELP = """\
arrows, Enter    move over the cells, click one
mouse            click a cell, or two: where from, where to
Tab              from the board to the list of moves and back
/                find moves by a part of their text
Escape           forget what was clicked or looked for
h                what the moves are worth: = is exact, {about} an estimate
u                undo your last move
l                level: easy, medium, strong, or seconds
s  o             save, or open a record (ggp replay reads them)
q                leave at once; Ctrl-C does as well

any key goes on"""

MAX_SHOWN = 2_000
"""Moves in the list at the most."""

MAX_SAID = 300
"""Characters of a message."""

SIDE, LEAST = 38, 20
"""Columns beside the board at the most, and of the board at the least."""

EDGES = 4
"""Columns on both sides of the board, with its scroll bar."""

ROOM = 48
"""Columns for what is told below a board, where the board itself takes fewer."""


class PlayApp(App[int]):
    """The screen. What is shown comes from a `Runner`; what is asked for goes there."""

    ENABLE_COMMAND_PALETTE = False
    CSS = f"""
    #left {{ width: {ROOM}; padding: 0 1; }}
    #side {{ width: 1fr; padding: 0 1; }}
    #board {{ width: auto; height: auto; }}
    #info {{ height: auto; max-height: 12; margin-bottom: 1; }}
    #find {{ height: 1; border: none; padding: 0; margin-bottom: 1; }}
    #moves {{ height: 2fr; border: none; padding: 0; }}
    #moves > .option-list--option-highlighted {{ text-style: bold; }}
    #moves:focus > .option-list--option-highlighted {{ text-style: reverse; }}
    #past {{ height: 1fr; margin-top: 1; }}
    #said {{ height: auto; max-height: 4; padding: 0 1; }}
    #keys {{ height: auto; padding: 0 1; color: $text-muted; }}
    Question, Notice {{ align: center middle; }}
    .window {{ width: 76; max-width: 100%; height: auto; max-height: 100%; padding: 1 2;
               background: $panel; }}
    .window Input {{ height: 1; border: none; padding: 0; }}
    .-plain {{ scrollbar-size: 0 0; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("q,ctrl+q", "leave", show=False),
        Binding("u", "undo", show=False),
        Binding("h", "hint", show=False),
        Binding("l", "level", show=False),
        Binding("s", "save", show=False),
        Binding("o", "load", show=False),
        Binding("slash", "find", show=False),
        Binding("escape", "forget", show=False),
        Binding("question_mark", "help", show=False),
    ]

    class Came(Message):
        """Something came from the runner."""

        def __init__(self, news: News) -> None:
            super().__init__()
            self.news = news

    def __init__(self, sitting: Sitting, file: Path | None, is_ascii: bool) -> None:
        # The colours of the terminal, which go where NO_COLOR is set.
        super().__init__(ansi_color=True)
        self.runner = Runner(sitting, file, lambda news: self.post_message(self.Came(news)))
        self.fault: BaseException | None = None
        self.is_ascii = is_ascii
        self.view: SittingView | None = None
        self._clicked: tuple[Spot, ...] = ()
        self._worth: dict[Term, Worth] = {}
        self.listed: list[Move] = []

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        with Horizontal():
            with VerticalScroll(id="left", can_focus=False):
                yield BoardView()
            with Vertical(id="side"):
                yield Static("", id="info", markup=False)
                yield Input(placeholder="find a move (/)", id="find")
                yield OptionList(id="moves", markup=False)
                with VerticalScroll(id="past", can_focus=False):
                    yield Static("", id="log", markup=False)
        yield Static("", id="said", markup=False)
        yield Static("", id="keys", markup=False)

    def on_mount(self) -> None:
        """Begin."""
        if self.is_ascii:
            for widget in self.query("#left, #moves, #past"):
                widget.add_class("-plain")
        self.query_one(BoardView).focus()
        self._say("getting ready ...")
        self.runner.start()

    def on_resize(self) -> None:
        """Draw the board for the new width."""
        keys = flowing(map(Text, KEYS), self.size.width - 2)
        self._put("#keys", Text("\n").join(keys))
        self.call_after_refresh(self._draw)

    def on_play_app_came(self, message: Came) -> None:
        """Show what came from the runner."""
        news = message.news
        if isinstance(news, SittingView):
            self._turn_to(news)
        elif isinstance(news, Said):
            self._say(news.text, "red" if news.is_bad else "")
        elif isinstance(news, Advised):
            advice = news.advice
            self._worth = {worth.move: worth for worth in advice.moves}
            self._say(f"best: {move_text(advice.best)} ({advice.why})")
            self._list()
        else:
            self.fault = news
            self.exit(1)

    def on_board_view_clicked(self, message: BoardView.Clicked) -> None:
        """Make the move that is meant by the cells that were clicked."""
        if self.view is None or not self.view.moves:
            return
        moves = self.view.moves
        self._clicked = click(moves, self._clicked, message.spot)
        found = complete(moves, self._clicked)
        if len(found) == 1:
            self._move(found[0])
            return
        if not self._clicked:
            self._say("no move begins at that cell" if any(m.clicks for m in moves) else "")
        elif found:
            self._say("several moves are meant: choose from the list")
        else:
            self._say("where to? (Escape forgets it)")
        self._draw()
        self._list()
        if found:
            self.query_one("#moves").focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Make the move that was chosen from the list."""
        if event.option_index < len(self.listed):
            self._move(self.listed[event.option_index])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the moves that have the text."""
        if event.input.id == "find":
            self._list()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Make the move that was found, if it is one."""
        if event.input.id != "find":
            return
        if len(self.listed) == 1:
            self._move(self.listed[0])
        elif self.listed:
            self.query_one("#moves").focus()
        elif self.view and self.view.moves:
            self._say("no move has that text")

    def action_find(self) -> None:
        """Look for moves by their text."""
        self.query_one("#find").focus()

    def action_forget(self) -> None:
        """Forget what was clicked and looked for."""
        self._clicked = ()
        self.query_one("#find", Input).value = ""
        self.query_one(BoardView).focus()
        self._say("")
        self._draw()
        self._list()

    def action_undo(self) -> None:
        """Take the last move back."""
        self._say("")
        self.runner.undo()

    def action_hint(self) -> None:
        """Ask what the moves are worth."""
        if self.view and self.view.moves:
            self._say("thinking about your moves ...")
            self.runner.hint()

    def action_level(self) -> None:
        """Ask how well the machine is to play."""
        self.push_screen(
            LinePrompt("The machine's level: easy, medium, strong, or seconds for a move"),
            lambda name: self.runner.level(name) if name else None,
        )

    def action_save(self) -> None:
        """Ask where to write the record to."""
        self.push_screen(
            LinePrompt("Save the record to which file?", str(self.runner.file or "")),
            lambda name: self.runner.save(name) if name else None,
        )

    def action_load(self) -> None:
        """Ask for a record to go on with."""
        self.push_screen(
            LinePrompt("Open which record?"),
            lambda name: self.runner.load(name) if name else None,
        )

    def action_help(self) -> None:
        """Tell of the keys."""
        self.push_screen(Notice(Text(HELP.format(about="~" if self.is_ascii else "≈"))))

    def action_leave(self) -> None:
        """Leave at once."""
        self.exit(0)

    def action_interrupt(self) -> None:
        """Leave as by Ctrl-C."""
        self.fault = KeyboardInterrupt()
        self.exit(130)

    def _move(self, move: Move) -> None:
        if self.view is not None:
            self._clicked = ()
            self._say("")
            self.query_one("#find", Input).value = ""
            self.query_one(BoardView).focus()
            self.runner.move(move, self.view)

    def _turn_to(self, view: SittingView) -> None:
        """Show a view."""
        if self.view is None:
            self._say("")
        is_new = self.view is None or (view.count, view.role) != (
            self.view.count,
            self.view.role,
        )
        if is_new:
            self._clicked, self._worth = (), {}
        self.view = view
        info = [view.seats]
        if view.role is None:
            info.append(Text(view.result, "bold"))
        else:
            doing = "your move" if view.is_yours else "is thinking ..."
            info.append(Text.assemble(view.role, f": {doing}"))
        if view.log:
            info.append(Text.assemble("last: ", view.log[-1]))
        self._put("#info", Text("\n").join(info))
        self._put("#log", Text("\n").join(reversed(view.log)))
        self._draw()
        self._list()
        if view.moves and not self.query_one(BoardView).drawing.places:
            self.query_one("#moves").focus()

    def _side(self) -> int:
        """Columns beside the board: on a narrow screen the board comes first."""
        return max(LEAST, min(SIDE, self.size.width // 2 - EDGES // 2))

    def _draw(self) -> None:
        """Draw the board."""
        if self.view is None:
            return
        room = max(LEAST, self.size.width - self._side() - EDGES)
        found = TextDrawing(tuple(self.view.position.split("\n")))
        if self.view.scene is not None:
            found = beside_others(self.view.scene, room, ROOM, is_ascii=self.is_ascii)
        if self.is_ascii:
            found = TextDrawing(tuple(map(wording.simpler, found.lines)), found.places)
        wide = max([ROOM, *(line.cell_len for line in found.lines)])
        self.query_one("#left").styles.width = min(room, wide) + EDGES
        next_ = targets(self.view.moves, self._clicked)
        self.query_one(BoardView).show(found, self._clicked, next_)

    def _list(self) -> None:
        """List the moves that are meant by the clicks and have the text that is looked for."""
        if self.view is None:
            return
        wanted = self.query_one("#find", Input).value.strip().lower()
        found = [m for m in meant(self.view.moves, self._clicked) if wanted in str(m.text).lower()]
        if self._worth:
            found.sort(key=lambda move: -self._value(move))
        self.listed = found[:MAX_SHOWN]
        options = [Option(self._plain(self._entry(move))) for move in self.listed]
        if len(found) > MAX_SHOWN:
            options.append(Option(Text(f"and {len(found) - MAX_SHOWN:,} more: / finds them")))
        own = self.query_one("#moves", OptionList)
        own.clear_options()
        own.add_options(options)
        own.highlighted = 0 if options else None

    def _value(self, move: Move) -> float:
        worth = self._worth.get(move.text)
        return -1.0 if worth is None or worth.value is None else worth.value

    def _entry(self, move: Move) -> Text:
        worth = self._worth.get(move.text)
        told = f"{worth_text(worth):8}" if worth else ""
        return Text.assemble((told, "bold"), move_text(move.text))

    def _say(self, text: str, style: str = "") -> None:
        self._put("#said", Text(plain(shortened(text, MAX_SAID)), style))

    def _put(self, where: str, text: Text) -> None:
        # What is below a window is asked for as well.
        self.screen_stack[0].query_one(where, Static).update(self._plain(text))

    def _plain(self, text: Text) -> Text:
        return wording.simpler(text) if self.is_ascii else text


def play_on_screen(sitting: Sitting, file: Path | None, is_ascii: bool) -> int:
    """Play until the person leaves; the exit code. Raises what went wrong, and
    `KeyboardInterrupt` for Ctrl-C."""
    app = PlayApp(sitting, file, is_ascii)
    code = app.run() or 0
    if app.fault is not None and not isinstance(app.fault, KeyboardInterrupt):
        app.runner.leave()
        raise app.fault
    if not app.runner.leave():
        # The thread is within code that cannot be ended; nothing of it is wanted any more.
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
    if app.fault is not None:
        raise app.fault
    _tell_end(app)
    return code


def _tell_end(app: PlayApp) -> None:
    """Leave the last position on the terminal, where the screen is gone."""
    if app.view is not None and app.view.scene is not None:
        found = drawing(app.view.scene, out.width, is_ascii=app.is_ascii)
        for line in [*found.lines, Text(app.view.result, "bold")]:
            out.print(wording.simpler(line) if app.is_ascii else line)
