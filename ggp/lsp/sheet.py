"""One version of one text that an editor has open."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from ggp.kif import Source, is_template, syntax_of
from ggp.lsp.index import Index
from ggp.lsp.lines import Encoding, Lines
from ggp.rules import Diagnostic


@dataclass(eq=False)
class OpenSheet:
    """A text as it is in the editor; never changed, as each version is a sheet of its own.

    `diagnostics` are there when it `is_checked`; `checked` can be waited for.
    """

    uri: str
    version: int | None
    text: str
    encoding: Encoding = "utf-16"
    diagnostics: tuple[Diagnostic, ...] = ()
    checked: asyncio.Event = field(default_factory=asyncio.Event)

    @cached_property
    def name(self) -> str:
        """What messages call it: the name of its file."""
        return PurePosixPath(unquote(urlsplit(self.uri).path)).name or "sheet"

    @property
    def is_template(self) -> bool:
        """Whether it is a text that sheets are made from."""
        return is_template(self.name)

    @property
    def is_kif(self) -> bool:
        """Whether all that is known of a text can be known of this."""
        return not self.is_template and syntax_of(self.name) == "kif"

    @cached_property
    def source(self) -> Source:
        """The text with its name."""
        return Source(self.name, self.text)

    @cached_property
    def lines(self) -> Lines:
        """Its places as the editor counts them."""
        return Lines(self.text, self.encoding)

    @cached_property
    def index(self) -> Index:
        """The names in it."""
        return Index(self.source)
