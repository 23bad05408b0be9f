"""The games that the studio shows: those that come with the package, the user's own, and texts that
were edited here and are in no file.

A request names a game by its key, which is looked up among these and is never a path.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ggp import shipped
from ggp.errors import GgpError, InputError, UnknownName
from ggp.kif import Source, is_template, parameters, read_source
from ggp.kif.template import chosen_parameters
from ggp.limits import DEFAULT
from ggp.studio.saving import create
from ggp.text import plain, shortened

MAX_OWN = 2_000
"""Sheets of the user that are listed."""

MAX_DRAFTS, MAX_DRAFTED = 200, 64 << 20
"""Edited texts that are kept, the last ones; and characters of all of them."""

MAX_VALUE = 400
"""Characters of a parameter's value."""

MAX_DRAFTS_LISTED = 24
"""Of these, in the gallery."""

Kind = Literal["shipped", "own", "draft"]


@dataclass(frozen=True)
class GalleryEntry:
    """A game of the gallery. `parameters`: those of a template with their defaults."""

    key: str
    kind: Kind
    title: str
    group: str
    file: Path | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SheetText:
    """A text as processes take it: its name, for a template the values of its parameters, and the
    file that it is in, if it is. `origin`: of an edited text the key of the game that it was."""

    name: str
    text: str
    values: Mapping[str, str] | None = None
    file: Path | None = None
    origin: str = ""

    @property
    def digest(self) -> str:
        """The same for the same rules."""
        values = self.values and sorted(self.values.items())
        own = repr((self.name, self.text, values, self.origin))
        return hashlib.sha256(own.encode(errors="surrogatepass")).hexdigest()[:16]


class Library:
    """All games, for several threads. `own` lists the user's files with what they are called, anew
    each time; `home` is the folder that new ones are written to, if there is one."""

    def __init__(
        self, own: Callable[[], list[tuple[str, Path]]] = list, home: Path | None = None
    ) -> None:
        self._own, self._home = own, home
        self._drafts: OrderedDict[str, SheetText] = OrderedDict()
        self._keeping = threading.Lock()
        self._shipped = {entry.key: entry for entry in map(_shipped, shipped.sheets().items())}
        self._found: dict[str, GalleryEntry] = {}

    @property
    def has_home(self) -> bool:
        """Whether new files can be saved."""
        return self._home is not None

    def shipped(self) -> list[GalleryEntry]:
        """The games that come with the package, by name."""
        return list(self._shipped.values())

    def own(self) -> list[GalleryEntry]:
        """The user's, as they are now."""
        found = [_owned(name, file) for name, file in self._own()[:MAX_OWN]]
        self._found = {entry.key: entry for entry in found}
        return found

    def entry(self, key: str) -> GalleryEntry:
        """The game of that key; raises `UnknownName` where there is none."""
        kind, _, name = key.partition("/")
        draft = self._drafts.get(name) if kind == "draft" else None
        if draft is not None:
            return GalleryEntry(key, "draft", draft.name, "")
        if key not in self._shipped and key not in self._found:
            self.own()
        found = self._shipped.get(key) or self._found.get(key)
        if found is None:
            raise UnknownName(f"there is no game {plain(shortened(key, 100))} here")
        return found

    def sheet(self, key: str, values: Mapping[str, str]) -> SheetText:
        """The text of a game, for the parameters that `values` has.

        Raises `UnknownName` for a game or parameter that is not there, `InputError` for values that
        a parameter cannot take and for files that cannot be read.
        """
        draft = self._used(key)
        if draft is not None:
            return draft
        entry = self.entry(key)
        source = self.source(entry)
        if not is_template(source.name):
            return SheetText(source.name, source.text, file=entry.file)
        short = {name: value for name, value in values.items() if len(value) <= MAX_VALUE}
        if len(short) < len(values):
            raise InputError(f"a parameter has a value of more than {MAX_VALUE} characters")
        chosen_parameters(source, short)
        return SheetText(source.name, source.text, short, entry.file)

    def _used(self, key: str) -> SheetText | None:
        """The draft of that key, which is the last one used now; None if it is none."""
        kind, _, name = key.partition("/")
        with self._keeping:
            if kind != "draft" or name not in self._drafts:
                return None
            self._drafts.move_to_end(name)
            return self._drafts[name]

    def source(self, entry: GalleryEntry) -> Source:
        """The text of a game that is in a file, as it is written."""
        assert entry.file is not None
        found = read_source(entry.file)
        return Source(_called(entry), found.text, declared=found.declared)

    def draft(self, name: str, text: str, origin: str = "") -> str:
        """Keep an edited text, of the game `origin` if it is one of the user's; its key, which is
        the same for the same text."""
        if len(text) > DEFAULT.characters:
            raise InputError(f"a sheet has {DEFAULT.characters:,} characters at the most")
        origin = origin if origin and self.file_of(origin) else ""
        sheet = SheetText(plain(shortened(name, 100)), text, origin=origin)
        with self._keeping:
            self._drafts[sheet.digest] = sheet
            self._drafts.move_to_end(sheet.digest)
            while len(self._drafts) > MAX_DRAFTS or self._drafted() > MAX_DRAFTED:
                self._drafts.popitem(last=False)
        return f"draft/{sheet.digest}"

    def file_of(self, key: str) -> Path | None:
        """The file that a game is saved to; None where it is no sheet of the user's, or a template.

        May look through the user's folders anew.
        """
        try:
            entry = self.entry(key)
        except UnknownName:
            return None
        is_own = entry.kind == "own" and entry.file is not None and not is_template(entry.file)
        return entry.file if is_own else None

    def drafts(self) -> list[GalleryEntry]:
        """The last edited texts, the latest first."""
        with self._keeping:
            found = list(self._drafts.items())[: -MAX_DRAFTS_LISTED - 1 : -1]
        return [GalleryEntry(f"draft/{key}", "draft", sheet.name, "") for key, sheet in found]

    def save_new(self, name: str, text: str) -> str:
        """Write a text to a new file in the user's folder; the key of the game.

        Raises `InputError` where there is no such folder, for other names than plain ones of
        sheets, and where there is a file of that name already.
        """
        if self._home is None:
            raise InputError("no folder was named to save to: ggp studio FOLDER")
        if not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,80}\.kif", name, re.ASCII):
            raise InputError(
                "a file's name has letters, digits, '-', '_' and '.', and ends in .kif"
            )
        file = self._home / name
        create(file, text)
        return next(
            (entry.key for entry in self.own() if entry.file and entry.file.samefile(file)), ""
        )

    def _drafted(self) -> int:
        return sum(len(sheet.text) for sheet in self._drafts.values())


def _called(entry: GalleryEntry) -> str:
    assert entry.file is not None
    return entry.key.partition("/")[2] if entry.kind == "own" else entry.file.name


def _shipped(item: tuple[str, Path]) -> GalleryEntry:
    from ggp.games import described

    game = described(*item)
    group = game.name.rpartition("/")[0]
    return GalleryEntry(
        f"shipped/{game.name}", "shipped", game.title, group, game.file, game.parameters
    )


def _owned(name: str, file: Path) -> GalleryEntry:
    found: dict[str, Any] = {}
    if is_template(name):
        with suppress(GgpError):  # its pages say what is wrong
            found = parameters(read_source(file))
    folder, _, last = name.rpartition("/")
    return GalleryEntry(f"own/{name}", "own", plain(last), plain(folder), file, found)
