"""The games that come with the package: `ggp.games.load("nim/rows", rows=5)`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ggp import shipped
from ggp.errors import UnknownName
from ggp.kif import is_template, parameters, read_source

if TYPE_CHECKING:
    from ggp.game import Game

__all__ = ["Shipped", "load", "path", "shipped_games"]


@dataclass(frozen=True)
class Shipped:
    """One sheet: its name, title and file, and for a template parameters with their defaults."""

    name: str
    title: str
    file: Path
    parameters: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The sheet as plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "file": str(self.file),
            "parameters": self.parameters,
        }


def shipped_games() -> list[Shipped]:
    """All of them, by name."""
    return [described(name, file) for name, file in shipped.sheets().items()]


def described(name: str, file: Path) -> Shipped:
    """The sheet of that name, in that file."""
    facts = file.with_name(name.rpartition("/")[2] + ".toml")
    title = tomllib.loads(facts.read_text("utf-8"))["title"] if facts.exists() else name
    own = parameters(read_source(file)) if is_template(file) else {}
    return Shipped(name, title, file, own)


def path(name: str) -> Path:
    """The file of a sheet; raises `UnknownName` where there is none of such a name."""
    found = shipped.find(name)
    if found is None:
        raise UnknownName(f"no game {name} comes with ggp (`ggp games` lists those that do)")
    return shipped.sheets()[found]


def load(name: str, /, **options: Any) -> Game:  # noqa: ANN401
    """The game of such a name; options and parameters as of `ggp.load`.

    Raises `UnknownName` where there is none.
    """
    from ggp import game  # most of the package, for which lists of names need not wait

    return game.load(path(name), **options)
