"""Functions of `ggp.studio.work` by their names, which are imported where they are called: in the
processes that work, not in the server, which so begins at once."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Errand:
    """A function (or class) of a module of `ggp.studio.work`, to be sent to a process."""

    module: str
    name: str

    def __call__(self, *given: Any) -> Any:  # noqa: ANN401 - as of the function
        """What the function makes of what it is given."""
        return getattr(import_module(f"ggp.studio.work.{self.module}"), self.name)(*given)


CHECKED = Errand("sheets", "checked")
RENDERED = Errand("sheets", "text_of")
LAID_OUT = Errand("sheets", "laid_out")
THUMBNAIL = Errand("sheets", "thumbnail")
TABLE = Errand("table", "Dealer")
"""Quick questions, and what makes a table."""
