"""Diagnostics for people, and in the notations of other tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rich.text import Text

from ggp.kif import Span
from ggp.rules import Diagnostic, Entry, catalogue
from ggp.rules.catalogue import Severity
from ggp.text import plain, shortened

STYLE: dict[Severity, str] = {"error": "bold red", "warning": "yellow", "note": "cyan"}

MOST_PLACES, MOST_MOVES = 3, 12
"""Further places whose lines are shown, and moves of a play."""


def diagnostic_text(diagnostic: Diagnostic, width: int = 100) -> Text:
    """A fault on a few lines: message, source with carets, further places, hint, play."""
    text = Text(plain(f"{diagnostic.span}: ").replace("\n", "·"))
    text.append(f"{diagnostic.severity}: ", STYLE[diagnostic.severity])
    text.append(plain(diagnostic.message))
    text.append(f" [{diagnostic.code} {diagnostic.name}]\n", "dim")
    shown, rest = diagnostic.related[:MOST_PLACES], diagnostic.related[MOST_PLACES:]
    if len(rest) == 1:
        shown, rest = diagnostic.related[: MOST_PLACES + 1], ()
    margin = max(len(str(span.line)) for span in (diagnostic.span, *(s for s, _ in shown)))
    text.append_text(_lines(diagnostic.span, "", margin, width, STYLE[diagnostic.severity]))
    for span, word in shown:
        text.append_text(_lines(span, word, margin, width, "blue"))
    if rest:
        lines = ", ".join(dict.fromkeys(str(span.line) for span, _ in rest))
        text.append(f"{' ' * margin} = and in lines {lines}\n", "dim")
    if diagnostic.hint:
        text.append(plain(f"{' ' * margin} = hint: {diagnostic.hint}\n"), "green")
    if diagnostic.play is not None:
        text.append(plain(_play(diagnostic.play, margin)))
    text.rstrip()
    return text


def _lines(span: Span, word: str, margin: int, width: int, style: str) -> Text:
    """The line of a place with carets under it, and a word on it."""
    line, carets = span.excerpt(max(20, width - margin - 3)).split("\n")
    text = Text(f"{str(span.line).rjust(margin)} | ", "dim")
    text.append(plain(line) + "\n")
    text.append(f"{' ' * margin} | ", "dim")
    text.append(carets, style)
    text.append(plain(f" {word}\n" if word else "\n"), style)
    return text


def _play(play: Sequence[Sequence[str]], margin: int) -> str:
    """The moves that lead to a fault."""
    start = f"{' ' * margin} = "
    if not play:
        return f"{start}in the first state\n"
    first = [" ".join(joint) for joint in play[:MOST_MOVES]]
    more = f"; … {len(play) - MOST_MOVES} more" if len(play) > MOST_MOVES else ""
    return f"{start}after {len(play)} move{'s' * (len(play) > 1)}: {'; '.join(first)}{more}\n"


def github(diagnostic: Diagnostic) -> str:
    """A workflow command of GitHub, which marks the line in a pull request."""
    span = diagnostic.span
    kind = {"error": "error", "warning": "warning", "note": "notice"}[diagnostic.severity]
    told = diagnostic.message + (f" (hint: {diagnostic.hint})" if diagnostic.hint else "")
    places = {
        "file": span.source.name,
        "line": span.line,
        "col": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "title": f"{diagnostic.code} {diagnostic.name}",
    }
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in places.items())
    return f"::{kind} {listed}::{_data(plain(told))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(plain(text)).replace(":", "%3A").replace(",", "%2C")


def sarif(diagnostics: Iterable[Diagnostic], version: str) -> str:
    """A log in SARIF 2.1.0 (OASIS, 2020)."""
    entries = catalogue()
    numbers = {entry.code: i for i, entry in enumerate(entries)}
    driver = {
        "name": "ggp",
        "version": version,
        "rules": [_rule(entry) for entry in entries],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(d, numbers[d.code]) for d in diagnostics],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.code,
        "name": entry.name,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.why},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(diagnostic: Diagnostic, number: int) -> dict[str, Any]:
    told = diagnostic.message + (f"\nhint: {diagnostic.hint}" if diagnostic.hint else "")
    related = [{**_location(span), "message": {"text": word}} for span, word in diagnostic.related]
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": number,
        "level": diagnostic.severity,
        "message": {"text": told},
        "locations": [_location(diagnostic.span)],
    }
    if related:
        result["relatedLocations"] = related
    if diagnostic.fix:
        changes = [
            {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
            for edit in diagnostic.fix.edits
        ]
        change = {"artifactLocation": _artifact(diagnostic.span), "replacements": changes}
        described = {"description": {"text": diagnostic.fix.title}, "artifactChanges": [change]}
        result["fixes"] = [described]
    return result


def _artifact(span: Span) -> dict[str, str]:
    return {"uri": quote(Path(span.source.name).as_posix())}


def _location(span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(span), "region": _region(span)}}


def _region(span: Span) -> dict[str, int]:
    line, column = span.source.place(span.start)
    end_line, end_column = span.source.place(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def summary(counts: dict[str, int], files: int) -> str:
    """How many of what there are."""
    told = ", ".join(_count(counts[kind], kind) for kind in ("error", "warning"))
    return f"{_count(files, 'file')} checked: {told}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def more_text(file: str, code: str, count: int) -> Text:
    """That more of one kind were found."""
    return Text(plain(shortened(f"{file}: {count:,} more of [{code}]")), "dim")
