"""The pages of the studio: templates that escape whatever they are given."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from ggp.text import plain, shortened

VIEWS = {
    "rules": "Rules",
    "play": "Play",
    "analyse": "Analyse",
    "solve": "Solve",
    "values": "Values",
    "matches": "Matches",
}
"""The views of a game, by the first part of their address."""

STATIC = {
    "studio.css": ("ggp.studio", "static", "text/css"),
    "gallery.js": ("ggp.studio", "static", "text/javascript"),
    "asking.js": ("ggp.studio", "static", "text/javascript"),
    "play.js": ("ggp.studio", "static", "text/javascript"),
    "rules.js": ("ggp.studio", "static", "text/javascript"),
    "places.js": ("ggp.studio", "static", "text/javascript"),
    "tables.js": ("ggp.studio", "static", "text/javascript"),
    "jobs.js": ("ggp.studio", "static", "text/javascript"),
    "matches.js": ("ggp.studio", "static", "text/javascript"),
    "steps.js": ("ggp.studio", "static", "text/javascript"),
    "widget.js": ("ggp.show.widget", "", "text/javascript"),
    "widget.css": ("ggp.show.widget", "", "text/css"),
}
"""Scripts and styles: the package and folder that they are in, and their type."""

NO_PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 132 132" width="132" height="132">'
    '<text x="66" y="66" text-anchor="middle" font-size="14" font-family="sans-serif" '
    'fill="#5a5a5a">no picture</text></svg>'
)
"""In place of a game of which nothing can be drawn soon."""

MOST = 400
"""Characters of a text of a sheet on a page."""


def shown(value: object) -> object:
    """A value as text of a page."""
    return plain(shortened(value, MOST)) if type(value) is str else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ggp.studio", "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, json=json.dumps)
    environment.globals["views"] = VIEWS
    return environment


def page(name: str, status: int = 200, /, **values: Any) -> Response:  # noqa: ANN401
    """A page by its name, without the ending."""
    template = _environment().get_template(f"{name}.html.jinja")
    return HTMLResponse(template.render(values), status)


def problem(text: str, status: int) -> Response:
    """A page that says what is wrong."""
    return page("problem", status, text=text)


@cache
def new_sheet() -> str:
    """What a new sheet begins with: a small game, complete."""
    return (files("ggp.studio") / "pages" / "new.kif").read_text("utf-8")


@cache
def _static(name: str) -> bytes:
    package, folder, _ = STATIC[name]
    place = files(package)
    return (place / folder / name if folder else place / name).read_bytes()


def static(name: str) -> Response:
    """A script or style."""
    if name not in STATIC:
        return Response(status_code=404)
    return Response(
        _static(name), media_type=STATIC[name][2], headers={"Cache-Control": "max-age=60"}
    )
