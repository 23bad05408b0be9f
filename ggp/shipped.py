"""The rule sheets that come with the package, by name."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

SUFFIXES = (".kif", ".kif.jinja")


@cache
def folder() -> Path | None:
    """Where they are: inside the installed package, or beside it in a checkout; None if nowhere."""
    package = Path(__file__).parent
    places = (package / "sheets", package.parent / "games")
    return next((place for place in places if place.is_dir()), None)


@cache
def sheets() -> dict[str, Path]:
    """All sheets by their names, which are paths without an ending (`nim/rows`), sorted."""
    place = folder()
    if place is None:
        return {}
    found = (path for path in place.rglob("*") if path.name.endswith(SUFFIXES))
    return dict(sorted((_bare(path.relative_to(place).as_posix()), path) for path in found))


def find(name: str | os.PathLike[str]) -> str | None:
    """The name of the sheet that `name` may stand for, or None.

    Folder and ending may be left out where that is clear: `rows`, `nim/rows`,
    `games/nim/rows.kif.jinja`.
    """
    wanted = _bare(Path(name).as_posix().removeprefix("games/"))
    if wanted in sheets():
        return wanted
    same = [full for full in sheets() if full.rpartition("/")[2] == wanted]
    return same[0] if len(same) == 1 else None


def _bare(path: str) -> str:
    for suffix in reversed(SUFFIXES):
        path = path.removesuffix(suffix)
    return path
