"""What a player shows to a browser: one page, in which nothing of a stranger's is code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, Template

from ggp.match.worker import Told
from ggp.text import plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The page may load nothing and run nothing, whatever is in it."""


@cache
def _template() -> Template:
    text = files("ggp.match").joinpath("page.html.jinja").read_text(encoding="utf-8")
    made = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=_readable)
    return made.from_string(text)


def _readable(value: object) -> object:
    """Text without characters that change how the rest of it is shown."""
    return plain(value) if isinstance(value, str) else value


def page(name: str, match: str | None, role: str, turns: int, told: Told | None) -> str:
    """The page of a player; `match` is its match, if it is in one."""
    return _template().render(name=name, match=match, role=role, turns=turns, told=told)
