"""The parts of the screen: the board with its cursor, and windows that ask or tell.

What comes from rules is given to textual as rich `Text`, in which nothing is read as markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ggp.cli.playing.places import CellPlace, TextDrawing
from ggp.show.board.clicking import Spot

CURSOR, CHOSEN, TARGET = "reverse", "bold underline black on yellow", "underline"
"""Styles of cells: under the cursor, clicked already, to be clicked next."""


class BoardView(Static, can_focus=True):
    """The position; cells are clicked, or the cursor is moved over them and Enter pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go(0, -1)", show=False),
        Binding("down", "go(0, 1)", show=False),
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
        Binding("enter,space", "click", show=False),
    ]

    class Clicked(Message):
        """A cell was clicked."""

        def __init__(self, spot: Spot) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self) -> None:
        super().__init__("", markup=False, id="board")
        self.drawing = TextDrawing(())
        self._spot: Spot | None = None
        self._clicked: Sequence[Spot] = ()
        self._targets: set[Spot] = set()

    def show(self, drawing: TextDrawing, clicked: Sequence[Spot], targets: set[Spot]) -> None:
        """Draw this; the cursor stays at its cell."""
        self.drawing, self._clicked, self._targets = drawing, clicked, targets
        self._draw()

    @property
    def cursor(self) -> CellPlace | None:
        """The cell under the cursor: at first one that can be clicked."""
        places = self.drawing.places
        own = next((p for p in places if (p.board, p.key) == self._spot), None)
        hopeful = (p for p in places if (p.board, p.key) in self._targets)
        return own or next(hopeful, places[0] if places else None)

    def action_go(self, dx: int, dy: int) -> None:
        """Move the cursor."""
        place = self.cursor
        if place is None:
            return
        place = self.drawing.beside(place, dx, dy)
        self._spot = (place.board, place.key)
        self._draw()

    def action_click(self) -> None:
        """Click the cell under the cursor."""
        place = self.cursor
        if place is not None:
            self._click(place)

    def on_click(self, event: events.Click) -> None:
        """Click the cell under the mouse."""
        place = self.drawing.at(event.x, event.y)
        if place is not None:
            self._click(place)

    def on_focus(self) -> None:
        """Show the cursor."""
        self._draw()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self._draw()

    def _click(self, place: CellPlace) -> None:
        self._spot = (place.board, place.key)
        self._draw()
        self.post_message(self.Clicked(self._spot))

    def _draw(self) -> None:
        styles = []
        for place in self.drawing.places:
            spot = (place.board, place.key)
            if spot in self._clicked:
                styles.append((place, CHOSEN))
            elif self._clicked and spot in self._targets:
                styles.append((place, TARGET))
        if self.has_focus and self.cursor is not None:
            styles.append((self.cursor, CURSOR))
        self.update(self.drawing.marked(styles))


class LinePrompt(ModalScreen[str | None]):
    """Asks for a line: Enter gives it, Escape gives None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, question: str, answer: str = "") -> None:
        super().__init__()
        self._question, self._answer = question, answer

    def compose(self) -> ComposeResult:
        """The question above its answer."""
        with Vertical(classes="window"):
            yield Static(Text(self._question), markup=False)
            yield Input(self._answer, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give the answer, if there is one."""
        self.dismiss(event.value.strip() or None)


class Notice(ModalScreen[None]):
    """Tells something until a key is pressed."""

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """The text."""
        with Vertical(classes="window"):
            yield Static(self._text, markup=False)

    def on_key(self, event: events.Key) -> None:
        """Go away."""
        event.stop()
        self.dismiss(None)

    def on_click(self) -> None:
        """Go away."""
        self.dismiss(None)
