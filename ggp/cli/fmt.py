"""`ggp fmt`: the canonical layout of rule sheets."""

from __future__ import annotations

import difflib
import io
import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ggp.cli.common import Name, err, error_json, format_option, print_json, say, tell
from ggp.cli.files import rewrite
from ggp.cli.sheets import CALLED, MOST_BYTES, STDIN, read_stdin, sheets_of
from ggp.errors import GgpError, InputError, LimitReached
from ggp.kif import decode, is_template, lay_out, read_bytes, syntax_of
from ggp.text import plain

ENDINGS = (".kif",)
"""Of the sheets in a folder that are laid out."""

STYLE = {"-": "red", "+": "green", "@": "cyan"}


@click.command()
@click.argument("files", nargs=-1, required=True, type=Name())
@format_option
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file would change.")
@click.option("--diff", is_flag=True, help="As --check, and print what would change.")
def fmt(files: tuple[str, ...], form: str, check: bool, diff: bool) -> int:
    """Lay out rule sheets in the one canonical way, in place; every comment is kept.

    Of a folder all *.kif in it are, links and what is hidden apart. '-' reads standard input and
    writes standard output. Templates and other notations than KIF are left alone.

    \b
    Example: ggp fmt games --check

    JSON: files (file, changed, error where there is one, text of '-'), changed and failed (how
    many). Exit code 1 if a file is no KIF, or with --check and --diff would change, 2 if one
    cannot be read or written, 3 if one is too large.
    """
    if STDIN in files and len(files) > 1:
        raise click.UsageError("'-' stands alone, without files")
    looking = check or diff
    sheets = [_Sheet(name) for name in sheets_of(files, ENDINGS)]
    for sheet in sheets:
        try:
            sheet.settle(write=not looking, as_text=form == "text")
        except (InputError, LimitReached) as error:
            sheet.error = error
            tell(error)
        if form == "text":
            sheet.report(check, diff)
        if sheet.name != STDIN:
            sheet.before = sheet.after = ""
    codes = {sheet.code(looking) for sheet in sheets}
    if form == "json":
        counts = {"changed": sum(sheet.changed for sheet in sheets)}
        counts["failed"] = sum(sheet.error is not None for sheet in sheets)
        print_json("fmt", {"files": [sheet.as_json(looking) for sheet in sheets], **counts})
    elif not diff and files != (STDIN,):
        say(_summary(sheets, looking))
    return next((code for code in (2, 3, 1) if code in codes), 0)


@dataclass
class _Sheet:
    """A file, or standard input, and what becomes of it."""

    name: str
    error: GgpError | None = None
    before: str = ""
    after: str = ""
    changed: bool = False

    @cached_property
    def is_other(self) -> bool:
        """Whether this is no sheet in plain KIF by its name."""
        is_kif = syntax_of(self.name) == "kif" and not is_template(self.name)
        return not is_kif and os.path.isfile(self.name)

    def settle(self, write: bool, as_text: bool) -> None:
        """Find the layout, and let it replace the text; raises `InputError`, `LimitReached`."""
        if self.is_other:
            told = plain(f"{self.name}: left alone, as it is not plain KIF")
            err.print(f"ggp: {told}", markup=False, style="yellow")
            return
        differs = self._read()
        if self.name == STDIN and write and as_text:
            data = self.after.encode()
            shown = plain(self.after) if sys.stdout and sys.stdout.isatty() else data
            click.echo(shown, nl=False)
        elif self.name != STDIN and write and differs:
            rewrite(Path(self.name), self.after.encode())
        self.changed = differs

    def _read(self) -> bool:
        """Find the layout; whether it is another text than there is."""
        data = read_stdin() if self.name == STDIN else read_bytes(self.name, MOST_BYTES)
        called = CALLED if self.name == STDIN else self.name
        source = decode(data, called)
        if source.notes:
            raise InputError(f"{called}: not UTF-8, so left as it is", file=self.name)
        after = lay_out(source)
        if after.startswith("\ufeff"):
            # Written at the beginning of a file, the symbol would be lost.
            raise InputError(f"{called}: a symbol begins with a byte-order mark", file=self.name)
        self.before, self.after = source.text, after
        return after.encode() != data

    def report(self, check: bool, diff: bool) -> None:
        """Say what changes."""
        if not self.changed or (self.name == STDIN and not check and not diff):
            return
        if diff and self.before != self.after:
            say(_diff(self.name, self.before, self.after))
        else:
            say(plain(f"{self.name}: {'would be formatted' if check or diff else 'formatted'}"))

    def code(self, looking: bool) -> int:
        """The exit code that this one asks for."""
        if self.error is not None:
            return int(error_json(self.error)["exit_code"])
        return int(looking and self.changed)

    def as_json(self, looking: bool) -> dict[str, Any]:
        """What became of it, as plain data."""
        data: dict[str, Any] = {"file": self.name, "changed": self.changed}
        if self.error is not None:
            data["error"] = {**error_json(self.error), "file": self.name}
        elif self.name == STDIN and not looking:
            data["text"] = self.after
        return data


def _diff(name: str, before: str, after: str) -> Text:
    """The lines that differ, with those around them."""
    text = Text()
    # Lines end with "\n" alone, unlike those of splitlines().
    old, new = (list(io.StringIO(part, newline="\n")) for part in (before, after))
    for line in difflib.unified_diff(old, new, name, f"{name} (formatted)"):
        shown = plain(line.removesuffix("\n").expandtabs())
        text.append(shown, STYLE.get(line[0], ""))
        text.append("\n" if line.endswith("\n") else "\n\\ No newline at end of file\n")
    text.rstrip()
    return text


def _summary(sheets: list[_Sheet], looking: bool) -> Text:
    changed = sum(sheet.changed for sheet in sheets)
    failed = sum(sheet.error is not None for sheet in sheets)
    same = sum(not sheet.is_other for sheet in sheets) - changed - failed
    told = f"{changed} {'would be formatted' if looking else 'formatted'}, {same} unchanged"
    told += f", {failed} failed" if failed else ""
    return Text(told, "red" if failed or (looking and changed) else "green")
