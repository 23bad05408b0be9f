"""The keywords of GDL and GDL-II for people; the text is `words.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def words() -> dict[str, tuple[str, str]]:
    """For each keyword how it is written, and what it means, in Markdown."""
    data = tomllib.loads(files("ggp.lsp").joinpath("words.toml").read_text(encoding="utf-8"))
    return {name: (word["form"], word["meaning"].strip()) for name, word in data.items()}
