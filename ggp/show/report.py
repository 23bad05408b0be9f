"""A report in Markdown: what kind of game it is, why, and who wins."""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment

from ggp.analysis import Counterexample, Findings
from ggp.analysis.relations.symmetries import Symmetries
from ggp.show.findings import heap_rows, value_text
from ggp.show.solution import solution_text
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

MAX_STATES = 3
"""States of one witness that are shown."""


def escaped(text: object) -> str:
    """Text in which nothing is Markdown or HTML, on one line."""
    shown = re.sub(r"([\\`*_{}\[\]<>#|&~])", r"\\\1", plain(text))
    return shown.replace("\n", " ")


def report(findings: Findings, solution: dict[str, Any]) -> str:
    """The findings and the solution (as of `solution_json`) in Markdown."""
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
    environment.filters["md"] = escaped
    text = environment.from_string(TEMPLATE).render(
        name=findings.game,
        findings=list(findings),
        heaps=heap_rows(findings.heaps),
        witnesses=witnesses,
        generators=generators,
        solution=solution_text(solution).plain.splitlines(),
        value=value_text,
    )
    return text.rstrip() + "\n"
