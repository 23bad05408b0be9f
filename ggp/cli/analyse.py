"""`ggp analyse`: what kind of game this is, then its solution."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ggp.analysis import Finding, Stopped
from ggp.analysis import analyse as find
from ggp.cli.answers import (
    COLUMNS,
    NOTHING,
    Analysed,
    csv_of,
    csv_row,
    line_of,
    print_answer,
    print_findings,
)
from ggp.cli.common import (
    Name,
    err,
    error_json,
    game_from,
    limit_options,
    limits_from,
    print_json,
    read_settings,
    say,
    sheet_options,
    tell_data,
)
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.cli.pictures import folder_of, require_folder, write_report
from ggp.cli.sheets import Read, SheetReadings
from ggp.cli.spreading import cluster_option, counted, spreading
from ggp.errors import GgpError, InputError, LimitReached
from ggp.kif import Source
from ggp.limits import Budget, Limits
from ggp.show import (
    progress,
    subtraction_dot,
    subtraction_svg,
)
from ggp.show import report as markdown_report
from ggp.show.report import drawings
from ggp.show.solution import solved_json
from ggp.show.witnesses import gallery
from ggp.text import plain

DRAW = {".dot": subtraction_dot, ".svg": subtraction_svg}
"""What draws the graph of a heap, by the ending of the file."""

GONE = "the process that looked at it ended without an answer"


@dataclass(frozen=True)
class Files:
    """Where else to write what was found."""

    certificate: Path | None
    report: Path | None
    heap_graph: Path | None

    def require_writable(self, sheet: Path) -> None:
        """Raise `InputError` where a file cannot be written, before the work; or where one would
        take the place of another."""
        if self.heap_graph is not None and self.heap_graph.suffix not in DRAW:
            raise InputError(f"{self.heap_graph}: a graph is drawn as {' or '.join(DRAW)}")
        paths = [p for p in (self.certificate, self.report, self.heap_graph) if p is not None]
        for path in paths:
            require_writable(path)
        require_distinct(sheet, *paths)
        if self.folder is not None:
            require_folder(self.folder)
            for path in (sheet, *paths):
                if Path(os.path.realpath(path)).parent == Path(os.path.realpath(self.folder)):
                    raise InputError(f"{path}: is where the report's pictures go", file=path)

    @property
    def folder(self) -> Path | None:
        """Where the pictures of the report go, if it may have some."""
        return folder_of(self.report) if self.report is not None else None

    def write(self, answer: Analysed) -> None:
        """Write what is asked for."""
        findings = answer.findings
        if self.certificate is not None:
            data = json.dumps(findings.certificate(), ensure_ascii=False, indent=1)
            write_whole(self.certificate, data.encode())
        if self.report is not None:
            text = markdown_report(findings, answer.solution, answer.drawings)
            if self.folder is None:
                write_whole(self.report, text.encode())
            else:
                pictures = {drawing.file: drawing.svg for drawing in answer.drawings.values()}
                write_report(self.report, text, self.folder, pictures)
        if self.heap_graph is not None:
            if not findings.heaps:
                raise GgpError("there is no heap to draw: the game is not a sum of heaps")
            draw = DRAW[self.heap_graph.suffix]
            write_whole(self.heap_graph, draw(findings.heaps[0]).encode())


@click.command()
@sheet_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    help="Output format; of several files JSON is one object a line.",
)
@limit_options
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Of several files, how many at once, in a process each (default 1, on a cluster one a "
    "core).",
)
@cluster_option
@click.option("--brief", is_flag=True, help="Some sentences, in place of all findings.")
@click.option(
    "--only",
    multiple=True,
    metavar="PROPERTY",
    help="Look at this property alone, and do not solve; may be repeated.",
)
@click.option(
    "--certificate",
    type=Name(path_type=Path, dir_okay=False),
    help="Write what proofs and witnesses rest on to a file, for `ggp verify`.",
)
@click.option(
    "--report",
    "markdown",
    metavar="FILE",
    type=Name(path_type=Path, dir_okay=False),
    help="Write all of it to FILE, in Markdown, with pictures of states in FILE.files.",
)
@click.option(
    "--heap-graph",
    type=Name(path_type=Path, dir_okay=False),
    help="Draw the subtraction graph of the first heap to a file (.dot or .svg).",
)
@click.argument("files", nargs=-1, required=True, type=Name(path_type=Path))
def analyse(
    files: tuple[Path, ...],
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    jobs: int | None,
    cluster: str | None,
    brief: bool,
    only: tuple[str, ...],
    certificate: Path | None,
    markdown: Path | None,
    heap_graph: Path | None,
) -> int:
    """Say what kind of game this is, each finding with its certainty and evidence, then solve it.

    Limits are those of one file. Of several files a faulty one does not keep the others from being
    looked at; they are told in the order given, and where this is interrupted those that are done.

    \b
    Example: ggp analyse games/subtraction/sg-125.kif
             ggp analyse --only impartial --format csv games/*/*.kif

    JSON: game, roles, findings (property, value, certainty, evidence), heaps (heap, size,
    subtraction_set, floor, nim_values, period), solution (as of `ggp solve`), summary (sentences).
    Certainty is proved, exhaustive, refuted (evidence holds a witness) or unknown (evidence says
    why; exit code 3 where it was a limit). CSV: file, property, value, certainty, why.
    """
    names = tuple(name.replace("-", "_").replace(" ", "_") for name in only)
    also = Files(certificate, markdown, heap_graph)
    if len(files) > 1 and (certificate or markdown or heap_graph):
        raise InputError("a certificate, a report and a heap graph are written of one file")
    if names and (certificate or markdown or heap_graph):
        raise InputError("a certificate, a report and a heap graph are of all properties")
    if len(files) == 1 and (cluster is not None or (jobs or 1) > 1):
        raise InputError("--jobs and --cluster are for several files: one is analysed here")
    also.require_writable(files[0])
    limits = limits_from(seconds, positions, memory)
    as_text, draws = form == "text", form == "text" and len(files) == 1 and not brief
    wish = _AnalyseWish(settings, strict_case, limits, names, as_text, draws, also.folder)
    if form == "csv":
        click.echo(csv_row(COLUMNS), nl=False)
    if len(files) > 1:
        return _many(files, form, wish, jobs, cluster)
    [(_, source)] = SheetReadings(list(map(str, files)), limits)
    if isinstance(source, GgpError):
        raise source
    answer = _look(files[0], source, wish)
    also.write(answer)
    if form == "json":
        print_json("analyse", answer.as_json())
    elif form == "csv":
        click.echo(csv_of(files[0], answer), nl=False)
    else:
        print_answer(answer, brief=brief, only=names)
    return 3 if answer.limit_reached else 0


@dataclass(frozen=True)
class _AnalyseWish:
    """What is done with each file, and how its answer is shown: as text, with states drawn, with
    pictures in a folder, and whether somebody watches."""

    settings: tuple[str, ...]
    strict_case: bool
    limits: Limits
    only: tuple[str, ...]
    as_text: bool
    draws: bool
    folder: Path | None
    watched: bool = True


def _look(file: Path, source: Source, wish: _AnalyseWish) -> Analysed:
    """Analyse and solve one game."""
    budget = Budget(wish.limits)
    with budget.in_force():
        given = read_settings(wish.settings)
        game = game_from(source, given, wish.strict_case, wish.limits, called=file)
    found: list[Finding] = []
    try:
        with progress(err, "looking") if wish.watched else nullcontext() as watch:
            findings = find(
                game, budget=budget, progress=watch, report=found.append, only=wish.only or None
            )
            reached, solution = False, dict[str, Any]()
            if not wish.only:
                solution, reached = solved_json(game, findings, budget, watch)
            with budget.in_force():
                drawn = gallery(game, findings) if wish.draws else NOTHING
                pictures = drawings(game, findings, wish.folder.name) if wish.folder else {}
    except KeyboardInterrupt:
        if wish.as_text and found:
            say(Text(plain(game.name), "bold"))
            print_findings(found)
        raise
    stopped = any(isinstance(finding.evidence, Stopped) for finding in findings)
    return Analysed(findings, solution, reached or stopped, drawn, pictures)


@dataclass(frozen=True)
class _Told:
    """What is printed of one file among several, which may have been looked at elsewhere."""

    code: int
    data: dict[str, Any]
    text: str
    is_error: bool = False


def _tell_of(form: str, wish: _AnalyseWish, read: Read) -> _Told:
    """What is to be printed of one file."""
    file, source = read
    try:
        if isinstance(source, GgpError):
            raise source
        answer = _look(Path(file), source, wish)
    except Exception as error:  # whatever it is, the other files are looked at
        return _failure(file, error)
    code = 3 if answer.limit_reached else 0
    if form == "json":
        return _Told(code, answer.as_json(), "")
    if form == "csv":
        return _Told(code, {}, csv_of(Path(file), answer))
    return _Told(code, {"game": answer.findings.game}, " ".join(line_of(answer)))


def _failure(file: str, error: Exception) -> _Told:
    data = error_json(error)
    return _Told(data["exit_code"], data, file, is_error=True)


def _many(
    files: Sequence[Path], form: str, wish: _AnalyseWish, jobs: int | None, cluster: str | None
) -> int:
    """Several files, told in their order; the exit code is the highest of theirs."""
    names = list(map(str, files))
    done: dict[int, _Told] = {}
    codes, here = [0], cluster is None and (jobs or 1) == 1
    work = partial(_tell_of, form, replace(wish, watched=here))
    try:
        with (
            spreading(cluster, jobs) as spread,
            counted(err, "looking", len(files), shown=not here) as advance,
            closing(spread(work, SheetReadings(names, wish.limits))) as found,
        ):
            for number, one in found:
                done[number] = one or _failure(names[number], LimitReached("memory", 0, GONE))
                advance(1)
                while len(codes) - 1 in done:
                    codes.append(_print_told(form, done.pop(len(codes) - 1)))
    except KeyboardInterrupt:
        for number in sorted(done):
            _print_told(form, done[number])
        raise
    return max(codes)


def _print_told(form: str, told: _Told) -> int:
    """Print what there is of a file; its exit code."""
    if told.is_error:
        tell_data(told.data)
        if form == "json":
            print_json("error", {"error": {**told.data, "file": told.text}}, indent=None)
    elif form == "json":
        print_json("analyse", told.data, indent=None)
    elif form == "csv":
        click.echo(told.text, nl=False)
    else:
        line = Text(plain(f"{told.data['game']}: "), "bold")
        say(line.append(plain(told.text), "not bold"))
    sys.stdout.flush()
    return told.code
