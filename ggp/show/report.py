"""A report in Markdown: what kind of game it is, why, and who wins."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from jinja2 import Environment

from ggp.analysis import Counterexample, Findings
from ggp.analysis.relations.symmetries import Symmetries
from ggp.game import Game
from ggp.show.findings import heap_rows, value_text
from ggp.show.scenes import exhibits
from ggp.show.solution import solution_text
from ggp.show.witnesses import witness_picture, witnesses
from ggp.text import plain

TEMPLATE = """\
# {{ name | md }}

{% for line in solution %}
{{ line | md }}{{ "  " if not loop.last }}
{% endfor %}

| property | value | certainty | why |
|---|---|---|---|
{% for f in findings %}
| {{ f.property.replace("_", " ") }} | {{ value(f.value) | md }} | {{ f.certainty }} | {{ f.evidence.why | md }} |
{% endfor %}
{% if heaps %}

## Heaps

| heap | size | take | floor | nim-values from the floor | period |
|---|---|---|---|---|---|
{% for row in heaps %}
| {{ row | map("md") | join(" | ") }} |
{% endfor %}
{% endif %}
{% for f, states, move in witnesses %}

## Why {{ f.property.replace("_", " ") }} is {{ value(f.value) | md }}

{{ f.evidence.why | md }}.
{% for state in states %}

- {{ state.note | md or "State" }}: {{ state.facts | join(" ") | md }}
{% if state.path %}
  - after: {{ state.path | map("join", " / ") | join(", ") | md }}
{% endif %}
{% if state.facts in pictures %}

  ![{{ pictures[state.facts].alt | label }}]({{ pictures[state.facts].link }})
{% endif %}
{% endfor %}
{% if move %}

Move: {{ move | md }}.
{% endif %}
{% endfor %}
{% if generators %}

## Symmetries

{% for generator in generators %}
- {% for a, b in generator[:12] %}{{ a | md }} → {{ b | md }}{{ ", " if not loop.last }}{% endfor %}{{ ", …" if generator | length > 12 }}

{% endfor %}
{% endif %}
"""  # noqa: E501 - a row of a table is one line

MAX_STATES, MAX_PICTURES = 3, 30
"""States of one witness that are shown; pictures of a report."""


_LIVE = re.compile(r"@|\\#(?=[0-9])|gh-(?=[0-9])|:(?=//)|www(?=\.)|:(?=[\w+\\-]+:)", re.IGNORECASE)
"""Where GitHub would make a link, a mention or a small picture of what is no Markdown."""


def escaped(text: object) -> str:
    """Text in which nothing is Markdown or HTML, on one line, and nothing becomes a link by itself:
    an empty comment is in its way, which backslashes are not."""
    return _LIVE.sub(r"\g<0><!-- -->", in_label(text))


def in_label(text: object) -> str:
    """Text in which nothing is Markdown or HTML, on one line, where there are no links."""
    shown = re.sub(r"([\\`*_{}\[\]<>#|&~$])", r"\\\1", plain(text))
    return shown.replace("\n", " ")


@dataclass(frozen=True)
class Drawing:
    """A picture of a report: the name of its file, its text, what it shows in words, where the
    report finds it."""

    file: str
    svg: str
    alt: str
    link: str


Drawings = Mapping[tuple[str, ...], Drawing]
"""Pictures of states by their facts."""

NONE: Drawings = {}


def drawings(game: Game, findings: Findings, folder: str) -> dict[tuple[str, ...], Drawing]:
    """The states of witnesses as pictures for a folder beside a report; none where the game has no
    boards. No name is of the sheet: they are numbered."""
    states = {s.facts: s for f in findings for s in witnesses(f)[:MAX_STATES]}
    found = exhibits(game, list(states.values())[:MAX_PICTURES])
    made = {}
    for number, (facts, exhibit) in enumerate(found.items(), 1):
        picture, file = witness_picture(exhibit), f"witness-{number}.svg"
        link = f"{quote(os.fsencode(folder), safe='')}/{file}"
        made[facts] = Drawing(file, picture.svg, picture.alt, link)
    return made


def report(findings: Findings, solution: dict[str, Any], pictures: Drawings = NONE) -> str:
    """The findings and the solution (as of `solution_json`) in Markdown, with `pictures` of
    states."""
    witnesses = [
        (f, f.evidence.states[:MAX_STATES], f.evidence.move)
        for f in findings
        if isinstance(f.evidence, Counterexample)
    ]
    generators = [
        list(generator.items())
        for f in findings
        if f.property == "symmetries" and isinstance(f.evidence, Symmetries)
        for generator in f.evidence.generators
        if generator
    ]
    # Autoescaping is for HTML; the filter escapes for Markdown, and every value goes through it.
    environment = Environment(trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"md": escaped, "label": in_label}
    text = environment.from_string(TEMPLATE).render(
        name=findings.game,
        findings=list(findings),
        heaps=heap_rows(findings.heaps),
        witnesses=witnesses,
        generators=generators,
        pictures=pictures,
        solution=solution_text(solution).plain.splitlines(),
        value=value_text,
    )
    return text.rstrip() + "\n"
