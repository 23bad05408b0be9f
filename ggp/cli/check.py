"""`ggp check`: diagnostics of rule sheets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click
from rich.text import Text

from ggp.cli.common import error_json, format_option, print_json, read_settings, say, tell
from ggp.errors import InputError, KifSyntaxError, LimitReached
from ggp.kif import Span, read_sheet
from ggp.rules import Diagnostic, read_rules
from ggp.text import plain

MOST, MOST_JSON = 20, 1_000
"""Diagnostics of one code that are shown of one file."""

STYLE = {"error": "bold red", "warning": "yellow", "note": "cyan"}


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@format_option
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a parameter.")
@click.option("--strict-case", is_flag=True, help="Keep upper and lower case apart.")
def check(files: tuple[Path, ...], form: str, settings: tuple[str, ...], strict_case: bool) -> int:
    """Check rule sheets: syntax, arities, safety, stratification, recursion and more.

    \b
    Example: ggp check games/kayles/kayles-7.kif

    JSON: diagnostics (file, code, severity, message, line, column, end_line, end_column, hint,
    related), errors, warnings, omitted (of each file the diagnostics of each code beyond the
    first ones), failed (files that cannot be read, or are too large). Exit code 1 if there is an
    error, 2 if a file cannot be read, 3 if one is too large.
    """
    found: list[Diagnostic] = []
    omitted: dict[str, dict[str, int]] = {}
    failed: list[dict[str, object]] = []
    codes: set[int] = set()
    errors = warnings = 0
    most = MOST_JSON if form == "json" else MOST
    for file in files:
        try:
            diagnostics = _check(file, read_settings(settings), strict_case)
        except (InputError, LimitReached) as error:
            codes.add(tell(error))
            failed.append({**error_json(error), "file": str(file)})
            continue
        errors += sum(d.severity == "error" for d in diagnostics)
        warnings += sum(d.severity == "warning" for d in diagnostics)
        shown, more = _first(diagnostics, most)
        found += shown
        if more:
            omitted[str(file)] = more
    code = 2 if 2 in codes else 3 if 3 in codes else 1 if errors else 0
    if form == "json":
        listed = [d.as_json() for d in found]
        counts = {"errors": errors, "warnings": warnings, "omitted": omitted, "failed": failed}
        print_json("check", {"diagnostics": listed, **counts})
        return code
    for diagnostic in found:
        say(_text(diagnostic))
    for name, more in omitted.items():
        for kind, count in more.items():
            say(Text(plain(f"{name}: {count:,} more of [{kind}]"), "dim"))
    counted = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}"
    say(
        Text(
            f"{_count(len(files) - len(failed), 'file')} checked: {counted}",
            "red" if errors else "green",
        )
    )
    return code


def _first(diagnostics: list[Diagnostic], most: int) -> tuple[list[Diagnostic], dict[str, int]]:
    """The first ones of each code, and how many more there are of it."""
    seen: Counter[str] = Counter()
    shown = []
    for diagnostic in diagnostics:
        seen[diagnostic.code] += 1
        if seen[diagnostic.code] <= most:
            shown.append(diagnostic)
    return shown, {code: count - most for code, count in seen.items() if count > most}


def _check(file: Path, settings: dict[str, str], strict_case: bool) -> list[Diagnostic]:
    source = read_sheet(file, settings)
    try:
        return list(read_rules(source, strict_case=strict_case).diagnostics)
    except KifSyntaxError as error:
        span = error.span if isinstance(error.span, Span) else Span(source, 0, 0)
        message = str(error).splitlines()[0].removeprefix(f"{span}: ")
        return [Diagnostic("syntax", "error", message, span)]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _text(diagnostic: Diagnostic) -> Text:
    text = Text(plain(f"{diagnostic.span}: "))
    text.append(f"{diagnostic.severity}: ", STYLE[diagnostic.severity])
    text.append(plain(f"{diagnostic.message} [{diagnostic.code}]\n"))
    text.append(plain(diagnostic.span.excerpt()), "dim")
    if diagnostic.hint:
        text.append(plain(f"\nhint: {diagnostic.hint}"), "green")
    for span, word in diagnostic.related:
        text.append(plain(f"\n{span}: {word}"))
    return text
