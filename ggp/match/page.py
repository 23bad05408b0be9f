"""What a player shows to a browser: one page, in which nothing of a stranger's is code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, Template

from ggp.match.worker import TurnReport
from ggp.text import plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The page may load nothing and run nothing, whatever is in it."""


@cache
def _template() -> Template:
    text = files("ggp.match").joinpath("page.html.jinja").read_text(encoding="utf-8")
    made = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=_readable)
    return made.from_string(text)


def _readable(value: object) -> object:
    """Text without characters that change how the rest of it is shown; goals to the hundredth."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return plain(value) if isinstance(value, str) else value


@dataclass(frozen=True)
class Shown:
    """A match: its name, our role, how many moves were asked for, what was thought of the last."""

    match: str
    role: str
    turns: int
    told: TurnReport | None


def page(name: str, matches: Sequence[Shown], most: int) -> str:
    """The page of a player that is in some matches, and may be in so many."""
    return _template().render(name=name, matches=matches, most=most)
