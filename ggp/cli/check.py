"""`ggp check`: diagnostics of rule sheets."""

from __future__ import annotations

from pathlib import Path

import click
from rich.text import Text

from ggp.cli.common import err, format_option, print_json, read_settings, say
from ggp.errors import InputError, KifSyntaxError
from ggp.kif import Span, read_sheet
from ggp.rules import Diagnostic, read_rules
from ggp.text import plain

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
    related), errors, warnings. Exit code 1 if there is an error.
    """
    found: list[Diagnostic] = []
    unreadable = 0
    for file in files:
        try:
            found.extend(_check(file, read_settings(settings), strict_case))
        except InputError as error:
            unreadable += 1
            err.print(f"ggp: {plain(error)}", markup=False, style="red")
    errors = sum(d.severity == "error" for d in found)
    warnings = sum(d.severity == "warning" for d in found)
    if form == "json":
        diagnostics = [d.as_json() for d in found]
        print_json({"diagnostics": diagnostics, "errors": errors, "warnings": warnings})
        return 2 if unreadable else 1 if errors else 0
    for diagnostic in found:
        say(_text(diagnostic))
    counted = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}"
    say(
        Text(
            f"{_count(len(files) - unreadable, 'file')} checked: {counted}",
            "red" if errors else "green",
        )
    )
    return 2 if unreadable else 1 if errors else 0


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
