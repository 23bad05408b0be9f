"""Parts of pages that processes make: HTML in which whatever comes from a sheet is escaped."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from ggp.errors import GgpError
from ggp.game import Game, State
from ggp.kif import Term
from ggp.show.html import inert
from ggp.studio.work.line import number_of
from ggp.studio.work.places import NamedPosition


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ggp.studio", "pages/parts"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=inert,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["whole"] = whole
    return environment


def whole(value: object) -> Markup:
    """A text that is not cut, for attributes that are sent back as they are."""
    return escape(str(value))


def fragment(name: str, **values: Any) -> str:  # noqa: ANN401
    """A part of a page by its name. Texts are escaped, and cut where they are too long; pictures
    that are made here are passed as `Markup`."""
    return _environment().get_template(f"{name}.html.jinja").render(values)


def line_to(game: Game, path: tuple[tuple[str, ...], ...] | None, facts: tuple[str, ...]) -> str:
    """What stands behind `#` in the address of a position: the moves that lead there, or else its
    facts."""
    if path is not None:
        with suppress(GgpError, ValueError):  # of a witness that is of other rules
            return NamedPosition(game.initial, path=_numbers(game.initial, path)).hash()
    return NamedPosition(game.initial, " ".join(facts)).hash()


def _numbers(state: State, path: tuple[tuple[str, ...], ...]) -> tuple[int, ...]:
    found = []
    for joint in path:
        terms: list[Term] = [state.game.term(move) for move in joint]
        found.append(number_of(state, terms))
        state = state.play(dict(zip(state.game.roles, terms, strict=True)))
    return tuple(found)
