"""Parts of a page for notebooks, in which all text is text: escaped, on one line, shortened."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from ggp.text import plain, shortened

MOST = 400
"""Characters of one cell or sentence."""

MOST_ALT = 2_000
"""Characters of the words in place of a picture."""

MOST_ROWS = 60
"""Of a table."""

_TABLE = """\
<table>
{% if heads %}
<thead><tr>{% for head in heads %}<th scope="col" style="text-align:left">{{ head }}</th>\
{% endfor %}</tr></thead>
{% endif %}
<tbody>
{% for row in rows %}
<tr>{% for cell in row %}
{% if loop.first and not heads %}
<th scope="row" style="text-align:left">{{ cell }}</th>
{% else %}
<td style="text-align:left">{{ cell }}</td>
{% endif %}
{% endfor %}</tr>
{% endfor %}
</tbody>
</table>
{% if more %}
<p>and {{ more }} more</p>
{% endif %}
"""


def inert(value: object) -> Markup:
    """A value as text of a page, or what is markup already.

    Dollars and backslashes stand alone in an element each, since notebooks read formulas from runs
    of text.
    """
    if isinstance(value, Markup):
        return value
    shown = plain(shortened(str(value), MOST)).replace("\n", " ")
    return Markup(re.sub(r"([$\\])", r"<span>\1</span>", str(escape(shown))))


_ENVIRONMENT = Environment(autoescape=True, finalize=inert, trim_blocks=True, lstrip_blocks=True)


def _rendered(template: str, **values: Any) -> Markup:  # noqa: ANN401
    return Markup(_ENVIRONMENT.from_string(template).render(values))


def table(rows: Iterable[Sequence[object]], heads: Sequence[object] = ()) -> Markup:
    """A table; without `heads` the first cell of each row is what the row is about."""
    every = list(rows)
    more = max(0, len(every) - MOST_ROWS)
    return _rendered(_TABLE, rows=every[:MOST_ROWS], heads=heads, more=more and f"{more:,}")


def sentences(first: object, *more: object) -> Markup:
    """A paragraph: a line in bold, and lines below it."""
    template = "<p><strong>{{ first }}</strong>{% for x in more %}<br>{{ x }}{% endfor %}</p>\n"
    return _rendered(template, first=first, more=more)


def image(svg: str | bytes, alt: str) -> Markup:
    """A picture that takes part in nothing else of the page, with words in its place."""
    data = b64encode(svg.encode() if isinstance(svg, str) else svg).decode()
    told = escape(plain(shortened(alt, MOST_ALT)))
    start = Markup('<p><img alt="{}" style="max-width:100%" ').format(told)
    return start + Markup('src="data:image/svg+xml;base64,{}"></p>\n').format(data)
