"""What `ggp analyse` tells of one game: as text, as JSON, as comma-separated values."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from ggp.analysis import Finding, Findings
from ggp.cli.common import out, say
from ggp.cli.drawing import can_draw, columns_of
from ggp.show import (
    finding_line,
    finding_table,
    heap_table,
    solution_text,
    summary,
    verdict,
)
from ggp.show.report import Drawings
from ggp.show.witnesses import Gallery
from ggp.text import plain

COLUMNS = ("file", "property", "value", "certainty", "why")
"""Of the table that is written as CSV: a row for each finding."""

NOTHING = Gallery()


@dataclass(frozen=True)
class Analysed:
    """What was found of one game. `solution` is empty where it was not asked for, `gallery` and
    `drawings` (of a report) where nothing is to be drawn."""

    findings: Findings
    solution: dict[str, Any]
    limit_reached: bool
    gallery: Gallery = NOTHING
    drawings: Drawings = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The answer in the shape of `ggp analyse --format json`."""
        data = self.findings.as_json()
        if not self.solution:
            return data
        return {**data, "solution": self.solution, "summary": self.sentences()}

    def sentences(self) -> list[str]:
        """What a person reads first."""
        return summary(self.findings) + ([verdict(self.solution)] if self.solution else [])


def line_of(answer: Analysed) -> list[str]:
    """One game on one line: some sentences, or the properties that were asked for."""
    if answer.solution:
        return answer.sentences()
    found = (f"{f.property} {value_of(f)} ({f.certainty})" for f in answer.findings)
    return [", ".join(found) or "no sense here"]


def value_of(finding: Finding) -> str:
    """The value of a finding as one word or JSON."""
    value = finding.value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def csv_of(file: Path, answer: Analysed) -> str:
    """A row for each finding, and one for the result."""
    rows: list[tuple[str, ...]] = [
        (str(file), f.property, value_of(f), f.certainty, f.evidence.why) for f in answer.findings
    ]
    if answer.solution:
        solution = answer.solution
        why = solution["method"] or solution.get("why_not", "")
        certainty = solution["certainty"] or "unknown"
        rows.append((str(file), "result", solution["result"] or "", certainty, why))
    return "".join(map(csv_row, rows))


def csv_row(row: Sequence[str]) -> str:
    """A line of comma-separated values."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(plain, row))
    return text.getvalue()


def print_answer(answer: Analysed, *, brief: bool, only: Sequence[str]) -> None:
    """Of one game what a person reads first, then all that was found."""
    findings, solution = answer.findings, answer.solution
    say(Text(plain(findings.game), "bold"))
    if brief or not only:
        for line in answer.sentences():
            _wrapped(Text(plain(line)))
    if brief:
        return
    if not only:
        say()
    print_findings(list(findings), answer.gallery)
    for name in only:
        if name not in findings:
            say(Text(f"{name.replace('_', ' ')}: has no sense for this game, or nothing to show"))
    if findings.heaps and (not only or "heaps" in only):
        say()
        say(heap_table(findings.heaps))
    if solution:
        say()
        say(solution_text(solution))
    for part in answer.gallery.text(columns_of(out), ascii=not can_draw(out)):
        say(part)


def print_findings(found: Sequence[Finding], drawn: Gallery = NOTHING) -> None:
    """Print findings as a table, or where no terminal is, a line each."""
    if out.is_terminal:
        _wrapped(finding_table(found, drawn.reference))
    else:
        for finding in found:
            say(finding_line(finding, drawn.reference))


def _wrapped(what: Any) -> None:  # noqa: ANN401 - whatever rich can print
    """Print between the edges of a terminal; elsewhere lines stay whole."""
    out.print(what, soft_wrap=not out.is_terminal)
