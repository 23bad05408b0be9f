"""The pages of the studio: templates that escape whatever they are given."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
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

TYPES = {".css": "text/css", ".js": "text/javascript"}
"""Of scripts and styles, by their endings."""

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
def _static() -> dict[str, bytes]:
    """Scripts and styles by name: those of the studio, and of the widget whose desk it uses."""
    folders = (files("ggp.studio") / "static", files("ggp.show.widget"))
    found = (file for folder in folders for file in folder.iterdir())
    return {file.name: file.read_bytes() for file in found if Path(file.name).suffix in TYPES}


def static(name: str) -> Response:
    """A script or style."""
    found = _static().get(name)
    if found is None:
        return Response(status_code=404)
    kind = TYPES[Path(name).suffix]
    return Response(found, media_type=kind, headers={"Cache-Control": "max-age=60"})
