"""A scene as HTML: boards as pictures, what is told in words as text that can be selected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from jinja2 import Environment, Template
from markupsafe import Markup

from ggp.show.board import colours
from ggp.show.board.scene import Scene
from ggp.show.board.svg import scene_svg
from ggp.text import plain

FIGURE = """\
<figure class="ggp" style="margin:.5em 0;padding:.5em;overflow-x:auto;\
background:#fff;color:#1c1c1c">
{% if label %}
<figcaption><strong>{{ label }}</strong></figcaption>
{% endif %}
{% if turn %}
<p style="margin:.2em 0"><span style="display:inline-block;width:.8em;height:.8em;border:1px solid;\
border-radius:50%;background:{{ colour }}"></span> <strong>{{ turn }}</strong> to move</p>
{% endif %}
{% if over %}
<p style="margin:.2em 0"><strong>{{ over }}</strong></p>
{% endif %}
{% if picture %}
{{ picture }}
{% endif %}
{% if values %}
<p style="margin:.2em 0">
{% for name, value in values %}
<span style="color:#6b6b6b">{{ name }}</span> {{ value }}{{ " · " if not loop.last }}
{% endfor %}
</p>
{% endif %}
{% if facts %}
<details{{ " open" if facts|length < 9 }}><summary>{{ facts|length + omitted }} more facts</summary>
<p>{% for fact in facts %}<code>{{ fact }}</code> {% endfor %}
{{ "and %d more" % omitted if omitted }}</p></details>
{% endif %}
</figure>
"""

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{ title }}</title>
<style>
body { font-family: system-ui, sans-serif; margin: 1.5rem; background: #fff; color: #1c1c1c; }
main { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
section { border-top: 1px solid #8f8f8f; padding: .5rem 0; max-width: 100%; }
section > div { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
h2 { font-size: 1rem; margin: .3rem 0; }
svg { max-width: 100%; height: auto; }
figure details { max-width: 24rem; }
</style>
</head>
<body>
<h1>{{ title }}</h1>
<main>
{% for entry in entries %}
<section>
{% if entry.name != title %}
<h2>{{ entry.name }}</h2>
{% endif %}
{% if entry.error %}
<p role="alert">{{ entry.error }}</p>
{% endif %}
<div>
{% for figure in entry.figures %}
{{ figure }}
{% endfor %}
</div>
</section>
{% endfor %}
</main>
</body>
</html>
"""


@dataclass(frozen=True)
class PageEntry:
    """A part of a page: a name, pictures in HTML (as of `scene_html`), or why there are none."""

    name: str
    figures: tuple[Markup, ...] = ()
    error: str = ""


@cache
def _template(source: str) -> Template:
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=_written
    )
    return environment.from_string(source)


def _written(value: object) -> object:
    """What is put into a page: no character of it is one that a terminal or a page acts on."""
    return value if isinstance(value, Markup) else plain(value)


def scene_html(scene: Scene, *, label: str = "") -> Markup:
    """A scene as an element of HTML that needs no script and no style from elsewhere."""
    drawn = replace(scene, turn=None, terminal=False, values=(), facts=(), omitted=0)
    has_picture = bool(scene.boards or scene.piles)
    picture = scene_svg(drawn, label=label) if has_picture else ""
    turn = None if scene.turn is None or scene.terminal else scene.roles[scene.turn]
    return Markup(
        _template(FIGURE).render(
            label=label,
            turn=turn,
            over=scene.over,
            colour=colours.fill(scene.turn),
            # Built as a tree, in which every name is escaped.
            picture=Markup(picture),
            values=scene.values,
            facts=scene.facts,
            omitted=scene.omitted,
        )
    )


def scenes_page(title: str, entries: Iterable[PageEntry]) -> str:
    """A page with the scenes of one game or of many; nothing in it is loaded from elsewhere."""
    return _template(PAGE).render(title=title, entries=list(entries))
