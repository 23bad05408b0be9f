"""`ggp check`: the faults of rule sheets, and what was probably not meant."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from ggp.cli.common import Number, err, error_json, limits_from, out, print_json, read_settings, say
from ggp.cli.drawing import drawn
from ggp.cli.files import rewrite
from ggp.cli.sheets import STDIN, Read, SheetReadings, sheets_of
from ggp.cli.spreading import cluster_option, counted, spreading
from ggp.errors import GgpError, InputError, LimitReached
from ggp.kif import Source, is_template, read_bytes, sheet_from
from ggp.limits import Limits
from ggp.lint import CheckedSheet, PlayQuestion, check_source, fixed
from ggp.lint.checking import DEEP_SECONDS
from ggp.lint.explain import explanations
from ggp.lint.rendering import diagnostic_text, github, more_text, sarif, summary
from ggp.rules import Diagnostic, catalogue, matching, read_rules
from ggp.text import plain

if TYPE_CHECKING:
    from ggp.game import Game

MOST, MOST_JSON = 20, 1_000
"""Diagnostics of one code that are shown of one file."""

SIDE_BY_SIDE = 60
"""Files from which on they are checked in processes of their own, without `--deep`."""

PASSES = 20
"""Of correcting a text: some corrections can be made after others only."""

PAUSE = 0.5
"""Seconds between two looks at files that are watched."""


@dataclass(frozen=True)
class _Wish:
    """What to do with each file."""

    settings: tuple[str, ...]
    deep: bool
    strict_case: bool
    fix: bool
    limits: Limits


@dataclass(frozen=True)
class _FileOutcome:
    """What came of one file: its diagnostics, or an error."""

    file: str
    checked: CheckedSheet | None
    error: dict[str, Any] | None = None
    corrected: int = 0


@click.command()
@click.argument("files", nargs=-1, type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    help="Output format.",
)
@click.option("--deep", is_flag=True, help="Also look for faults of play; see --time.")
@click.option("--select", multiple=True, metavar="CODES", help="Report these only (GDL3, unused).")
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these.")
@click.option("--strict", is_flag=True, help="Warnings are errors.")
@click.option("--strict-case", is_flag=True, help="Keep upper and lower case apart.")
@click.option("--fix", is_flag=True, help="Make the corrections that keep the rules' meaning.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("--explain", metavar="CODE", help="Say what a diagnostic means (or 'all'), and end.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a parameter.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes (default: one a core).")
@cluster_option
@click.option(
    "--time",
    "seconds",
    type=Number(min=0),
    help=f"With --deep, most seconds for one sheet (default {DEEP_SECONDS:g}).",
)
def check(
    files: tuple[str, ...],
    form: str,
    deep: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool,
    strict_case: bool,
    fix: bool,
    watch: bool,
    explain: str | None,
    settings: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    seconds: float | None,
) -> int:
    """Check rule sheets: syntax, safety, stratification, likely slips, and with --deep play.

    FILES are sheets, directories (all sheets in them), or - for standard input.

    \b
    Example: ggp check games/kayles/kayles-7.kif --deep

    JSON: diagnostics (file, code, name, severity, message, line, column, end_line, end_column,
    hint, related, fix, play, facts), errors, warnings, omitted (of each file the diagnostics of
    each code beyond the first ones), failed (files that cannot be read, or are too large),
    corrected (of each file, with --fix), questions (of each file, with --deep: question, answer,
    certainty, why). Exit code 1 if there is an error, 2 if a file cannot be read, 3 if one is too
    large.
    """
    if explain is not None:
        say(explanations(catalogue() if explain == "all" else matching(explain)))
        return 0
    if not files:
        raise click.UsageError("Missing argument 'FILES...'.")
    if watch and STDIN in files:
        raise click.UsageError("--watch: standard input does not change")
    if fix and STDIN in files:
        raise click.UsageError("--fix: standard input cannot be changed")
    if fix and cluster is not None:
        raise click.UsageError("--fix: a cluster does not change files of this machine")
    limits = limits_from(seconds if deep else None, None, None)
    wish = _Wish(settings, deep, strict_case, fix, limits)
    chosen = _Chosen(_names(select), _names(ignore), strict)
    code = _once(files, form, wish, chosen, jobs, cluster)
    while watch:
        _wait_for_change(files)
        say(Text(f"— {time.strftime('%H:%M:%S')}", "dim"))
        code = _once(files, form, wish, chosen, jobs, cluster)
    return code


@dataclass(frozen=True)
class _Chosen:
    """Which diagnostics are reported, by name; without `select` those that are by default."""

    select: frozenset[str]
    ignore: frozenset[str]
    strict: bool

    def of(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Those to report, with the severity that they have here."""
        kept = [
            d
            for d in diagnostics
            if d.name not in self.ignore
            and (d.name in self.select if self.select else d.is_by_default)
        ]
        if not self.strict:
            return kept
        return [replace(d, severity="error") if d.severity == "warning" else d for d in kept]


def _names(patterns: Sequence[str]) -> frozenset[str]:
    """The names of the diagnostics that options list, separated by commas."""
    listed = [part for pattern in patterns for part in pattern.split(",") if part.strip()]
    return frozenset(entry.name for part in listed for entry in matching(part))


def _once(
    files: Sequence[str],
    form: str,
    wish: _Wish,
    chosen: _Chosen,
    jobs: int | None,
    cluster: str | None,
) -> int:
    """Check all files and print what is found; the exit code."""
    sheets = sheets_of(files)
    if not sheets:
        raise InputError(f"no sheets in {', '.join(files)}")
    report = _Report(form, wish, chosen, alone=len(sheets) == 1)
    cores = jobs or os.cpu_count() or 1
    aside = cores if wish.deep or len(sheets) >= SIDE_BY_SIDE or jobs else 1
    # The loops that deep checks compile stay in this process.
    aside = 1 if len(sheets) == 1 else aside
    done: dict[int, _FileOutcome] = {}
    with (
        counted(err, "checking", len(sheets), shown=wish.deep or cluster is not None) as advance,
        spreading(cluster, jobs if cluster else aside) as spread,
        closing(spread(partial(_look, wish), SheetReadings(sheets, stdin=True))) as outcomes,
    ):
        told = 0
        for number, outcome in outcomes:
            done[number] = outcome or _FileOutcome(sheets[number], None, _gone(sheets[number]))
            advance(1)
            while told in done:
                report.add(done.pop(told))
                told += 1
    return report.end(len(sheets))


def _look(wish: _Wish, read: Read) -> _FileOutcome:
    """Check one file, and correct it if that is wished."""
    file, source = read
    try:
        if isinstance(source, GgpError):
            raise source
        # What comes from standard input has no parameters.
        settings = read_settings(wish.settings) if file != STDIN else {}
        source = sheet_from(source, settings, called=file)
        corrected = 0
        if wish.fix and not is_template(file):
            source, corrected = _corrected(source, Path(file), wish)
        found = check_source(
            source, deep=wish.deep, strict_case=wish.strict_case, limits=wish.limits
        )
    except GgpError as error:
        return _FileOutcome(file, None, {**error_json(error), "file": file})
    return _FileOutcome(file, found, None, corrected)


def _gone(file: str) -> dict[str, Any]:
    why = LimitReached("memory", 0, "the process that checked it ended without an answer")
    return {**error_json(why), "file": file}


def _corrected(source: Source, file: Path, wish: _Wish) -> tuple[Source, int]:
    """The source with the safe corrections made, in the file too; and how many places changed."""
    if source.notes:
        return source, 0  # not UTF-8, which is reported
    before, count = source.text, 0
    for _ in range(PASSES):
        found = check_source(source, strict_case=wish.strict_case, limits=wish.limits)
        text = fixed(source, found.diagnostics)
        if text == source.text:
            break
        count += sum(len(d.fix.edits) for d in found.diagnostics if d.fix and d.fix.safe)
        source = Source(source.name, text, declared=source.declared)
    if source.text != before:
        mark = b"\xef\xbb\xbf"
        had = mark if read_bytes(file, len(mark)) == mark else b""
        rewrite(file, had + source.text.encode())
    return source, count


class _Report:
    """What is printed, file by file, or at the end."""

    def __init__(self, form: str, wish: _Wish, chosen: _Chosen, *, alone: bool) -> None:
        self._form = form
        self._alone = alone
        self._wish = wish
        self._chosen = chosen
        self._most = MOST if form == "text" else MOST_JSON
        self._listed: list[Diagnostic] = []
        self._counts: Counter[str] = Counter()
        self._omitted: dict[str, dict[str, int]] = {}
        self._corrected: dict[str, int] = {}
        self._questions: list[dict[str, object]] = []
        self._failed: list[dict[str, Any]] = []

    def add(self, outcome: _FileOutcome) -> None:
        """Take in what came of a file."""
        if outcome.checked is None:
            self._fail(outcome)
            return
        found = self._chosen.of(outcome.checked.diagnostics)
        self._counts.update(d.severity for d in found)
        shown, more = _first(found, self._most)
        if more:
            self._omitted[outcome.file] = more
        if outcome.corrected:
            self._corrected[outcome.file] = outcome.corrected
        asked = outcome.checked.questions
        self._questions += [{"file": outcome.file, **q.as_json()} for q in asked]
        if self._form == "text":
            self._tell(outcome, shown, more)
        else:
            self._listed += shown

    def _fail(self, outcome: _FileOutcome) -> None:
        error = outcome.error or {}
        self._failed.append(error)
        told = plain(error["message"]).replace("\n", " ")
        told = told if outcome.file in told else f"{plain(outcome.file)}: {told}"
        err.print(f"ggp: {told}", markup=False, style="red")

    def _tell(self, outcome: _FileOutcome, shown: list[Diagnostic], more: dict[str, int]) -> None:
        assert outcome.checked is not None
        if outcome.corrected:
            many = f"{outcome.corrected} place{'s' * (outcome.corrected > 1)}"
            say(Text(plain(f"{outcome.file}: corrected in {many}"), "green"))
        width = out.width if out.is_terminal else 100
        for diagnostic in shown:
            say(diagnostic_text(diagnostic, width))
            picture = _drawn(outcome.checked, diagnostic, self._wish.strict_case)
            for line in picture.split() if picture else ():
                say(Text("    ").append_text(line))
        for name, count in more.items():
            say(more_text(outcome.file, name, count))
        for question in outcome.checked.questions:
            if self._alone:
                say(_answer(question))
            elif question.certainty == "unknown":
                told = f"{outcome.file}: not known whether {question.question}: {question.why}"
                say(Text(plain(told), "dim"))

    def end(self, files: int) -> int:
        """Print what comes at the end; the exit code."""
        counts = {kind: self._counts[kind] for kind in ("error", "warning")}
        if self._form == "json":
            data = {
                "diagnostics": [d.as_json() for d in self._listed],
                "errors": counts["error"],
                "warnings": counts["warning"],
                "omitted": self._omitted,
                "failed": self._failed,
                "corrected": self._corrected,
                "questions": self._questions,
            }
            print_json("check", data)
        elif self._form == "sarif":
            click.echo(sarif(self._listed, version("ggp")))
        elif self._form == "github":
            for diagnostic in self._listed:
                click.echo(github(diagnostic))
        elif files > len(self._failed):
            told = summary(counts, files - len(self._failed))
            say(Text(told, "red" if counts["error"] else "green"))
        codes = {int(error["exit_code"]) for error in self._failed}
        return next((c for c in (70, 2, 3) if c in codes), 1 if codes or counts["error"] else 0)


def _answer(question: PlayQuestion) -> Text:
    """A question about play with its answer, on one line."""
    answer = {True: "yes", False: "no", None: "not known"}[question.answer]
    style = {True: "green", False: "yellow", None: "dim"}[question.answer]
    text = Text(f"{answer:<10}", style)
    whether = "whether " if question.answer is None else ""
    text.append(plain(whether + question.question))
    known = question.certainty in ("proved", "refuted") or question.why == question.question
    why = "" if known else question.why
    if question.certainty == "searched":
        why = f"no fault in {question.why}"
    how = "" if question.certainty == "unknown" else question.certainty
    text.append(plain(f" ({', '.join(filter(None, (how, why)))})"), "dim")
    return text


def _drawn(checked: CheckedSheet, diagnostic: Diagnostic, strict_case: bool) -> Text | None:
    """The state that shows a fault of play, drawn; None where there is none."""
    if not diagnostic.facts:
        return None

    with suppress(GgpError):
        return drawn(_game(checked.source, strict_case).state(diagnostic.facts))
    return None


@lru_cache(maxsize=1)
def _game(source: Source, strict_case: bool) -> Game:
    """The game of a sheet; several of its faults are shown one after the other."""
    # Imported here: who only checks rules does without.
    from ggp.game import Game

    return Game(read_rules(source, strict_case=strict_case), grounded=False)


def _first(diagnostics: list[Diagnostic], most: int) -> tuple[list[Diagnostic], dict[str, int]]:
    """The first ones of each kind, and how many more there are of it."""
    seen: Counter[str] = Counter()
    shown = []
    for diagnostic in diagnostics:
        seen[diagnostic.code] += 1
        if seen[diagnostic.code] <= most:
            shown.append(diagnostic)
    return shown, {code: count - most for code, count in seen.items() if count > most}


def _wait_for_change(files: Sequence[str]) -> None:
    """Wait until a sheet comes, goes or changes."""
    before = _stamps(files)
    while _stamps(files) == before:
        time.sleep(PAUSE)


def _stamps(files: Sequence[str]) -> dict[str, tuple[int, int]]:
    found = {}
    for file in sheets_of(files):
        with suppress(OSError):
            status = os.stat(file)
            found[file] = status.st_mtime_ns, status.st_size
    return found
