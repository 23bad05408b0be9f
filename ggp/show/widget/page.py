"""The widget: hands what a page sends to a `WidgetDesk`, and what that shows to the page."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from anywidget import AnyWidget
from traitlets import Dict, Unicode

from ggp.game import State
from ggp.kif import Term
from ggp.show.html import image
from ggp.show.widget.desk import WidgetDesk


def _text(name: str) -> str:
    return files("ggp.show.widget").joinpath(name).read_text(encoding="utf-8")


class GameWidget(AnyWidget):  # type: ignore[misc]
    """A game to click through; made by `Game.widget`."""

    _esm = _text("widget.js")
    _css = _text("widget.css")
    picture = Unicode().tag(sync=True)
    view = Dict().tag(sync=True)

    def __init__(self, desk: WidgetDesk) -> None:
        self._desk = desk
        super().__init__(picture=desk.picture, view=desk.view)
        self.on_msg(self._heard)

    def __repr__(self) -> str:
        return f"<GameWidget {self.state.game.name}: {self.view['status']}>"

    @property
    def state(self) -> State:
        """The state that is shown."""
        return self._desk.state

    @property
    def history(self) -> list[dict[str, Term]]:
        """The joint moves that have been made, those without a choice too."""
        return self._desk.history

    def set_state(self, sync_data: object) -> None:
        """Let nothing be set by a page: it shows what it is told, and sends messages."""

    def _heard(self, widget: object, message: object, buffers: object) -> None:
        try:
            self._desk.take(message)
        finally:
            with self.hold_sync():
                self.picture, self.view = self._desk.picture, self._desk.view

    def _repr_mimebundle_(self, **options: Any) -> Any:  # noqa: ANN401 - as of IPython
        """For pages without widgets the picture alone."""
        found = super()._repr_mimebundle_(**options)
        data, metadata = found if isinstance(found, tuple) else (found or {}, {})
        alt = f"{self.view['status']} {self.view['position']}"
        return {**data, "text/html": image(self.picture, alt)}, metadata
