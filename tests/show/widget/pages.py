"""A page that shows a widget, without a browser: what it is told, and what it sends."""

from __future__ import annotations

from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


class Page:
    """Sends messages to a widget as a page does: by the protocol of the notebook."""

    def __init__(self, widget) -> None:
        self.widget = widget

    @property
    def view(self) -> dict:
        return self.widget.view

    @property
    def texts(self) -> list[str]:
        """The moves that can be chosen."""
        return [move["text"] for move in self.view["moves"]]

    @property
    def targets(self) -> list[tuple[int, int]]:
        return [tuple(pair) for pair in self.view["targets"]]

    @property
    def titles(self) -> dict[tuple[int, int], str]:
        """What is said of each place of the picture."""
        root = ElementTree.fromstring(self.widget.picture)
        return {
            (int(place.get("data-board")), int(place.get("data-place"))): place[0].text
            for place in root.iter(f"{SVG}g")
            if place.get("class") == "place"
        }

    def post(self, data: object) -> None:
        """Send something as it is, to the widget's end of the connection."""
        self.widget._handle_msg({"content": {"data": data}, "buffers": []})

    def say(self, message: object) -> None:
        """Send a message, whatever it is."""
        self.post({"method": "custom", "content": message})

    def ask(self, do: str, **more: object) -> None:
        """Send a message about the moment that is shown."""
        self.say({"do": do, "turn": self.view["turn"], **more})

    def click(self, spot: tuple[int, int]) -> None:
        self.ask("click", board=spot[0], place=spot[1])

    def choose(self, text: str) -> None:
        """Press the button of a move."""
        self.ask("move", move=next(m["id"] for m in self.view["moves"] if m["text"] == text))

    def go(self) -> None:
        """Let the machine move as long as it is its turn, as a page does by itself."""
        while self.view["waits"] and not self.view["paused"]:
            self.ask("go")
