"""`ggp analyse`: what kind of game this is, then its solution."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ggp.analysis import Finding, Findings, Stopped
from ggp.analysis import analyse as find
from ggp.cli.common import (
    err,
    error_json,
    limit_options,
    limits_from,
    load_game,
    out,
    print_json,
    say,
    sheet_options,
    tell,
)
from ggp.cli.drawing import can_draw, columns_of
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.cli.pictures import folder_of, require_folder, write_report
from ggp.errors import GgpError, InputError
from ggp.limits import Budget, Limits
from ggp.show import (
    finding_line,
    finding_table,
    heap_table,
    progress,
    solution_text,
    subtraction_dot,
    subtraction_svg,
    summary,
    verdict,
)
from ggp.show import report as markdown_report
from ggp.show.report import Drawings, drawings
from ggp.show.solution import solved_json
from ggp.show.witnesses import Gallery, gallery
from ggp.text import plain

DRAW = {".dot": subtraction_dot, ".svg": subtraction_svg}
"""What draws the graph of a heap, by the ending of the file."""

COLUMNS = ("file", "property", "value", "certainty", "why")
"""Of the table that is written as CSV: a row for each finding."""

NOTHING = Gallery()


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

    def write(self, answer: Answer) -> None:
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


@dataclass(frozen=True)
class Answer:
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
@click.option("--brief", is_flag=True, help="Some sentences, in place of all findings.")
@click.option(
    "--only",
    multiple=True,
    metavar="PROPERTY",
    help="Look at this property alone, and do not solve; may be repeated.",
)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what proofs and witnesses rest on to a file, for `ggp verify`.",
)
@click.option(
    "--report",
    "markdown",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write all of it to FILE, in Markdown, with pictures of states in FILE.files.",
)
@click.option(
    "--heap-graph",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the subtraction graph of the first heap to a file (.dot or .svg).",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def analyse(
    files: tuple[Path, ...],
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    brief: bool,
    only: tuple[str, ...],
    certificate: Path | None,
    markdown: Path | None,
    heap_graph: Path | None,
) -> int:
    """Say what kind of game this is, each finding with its certainty and evidence, then solve it.

    Limits are those of one file. Of several files a faulty one does not keep the others from being
    looked at.

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
    also.require_writable(files[0])
    limits = limits_from(seconds, positions, memory)

    def look(file: Path) -> Answer:
        as_text, draws = form == "text", form == "text" and len(files) == 1 and not brief
        wish = _Wish(as_text, draws, also.folder)
        return _look(file, settings, strict_case, limits, names, wish)

    if form == "csv":
        _csv_row(COLUMNS)
    if len(files) > 1:
        return _many(files, form, look)
    answer = look(files[0])
    also.write(answer)
    if form == "json":
        print_json("analyse", answer.as_json())
    elif form == "csv":
        _print_csv(files[0], answer)
    else:
        _print(answer, brief=brief, only=names)
    return 3 if answer.limit_reached else 0


@dataclass(frozen=True)
class _Wish:
    """How an answer is shown: as text, with states drawn, with pictures in a folder."""

    as_text: bool
    draws: bool
    folder: Path | None


def _look(
    file: Path,
    settings: tuple[str, ...],
    strict_case: bool,
    limits: Limits,
    only: tuple[str, ...],
    wish: _Wish,
) -> Answer:
    """Load, analyse and solve one game."""
    budget = Budget(limits)
    game = load_game(file, settings, strict_case, limits, budget)
    found: list[Finding] = []
    try:
        with progress(err, "looking") as watch:
            findings = find(
                game, budget=budget, progress=watch, report=found.append, only=only or None
            )
            reached, solution = False, dict[str, Any]()
            if not only:
                solution, reached = solved_json(game, findings, budget, watch)
            with budget.in_force():
                drawn = gallery(game, findings) if wish.draws else NOTHING
                pictures = drawings(game, findings, wish.folder.name) if wish.folder else {}
    except KeyboardInterrupt:
        if wish.as_text and found:
            say(Text(plain(game.name), "bold"))
            _print_findings(found)
        raise
    stopped = any(isinstance(finding.evidence, Stopped) for finding in findings)
    return Answer(findings, solution, reached or stopped, drawn, pictures)


def _many(files: Sequence[Path], form: str, look: Callable[[Path], Answer]) -> int:
    """Several files, one after the other; the exit code is the highest of theirs."""
    codes = [0]
    for file in files:
        try:
            answer = look(file)
        except Exception as error:  # whatever it is, the other files are looked at
            codes.append(tell(error))
            if form == "json":
                print_json(
                    "error", {"error": {**error_json(error), "file": str(file)}}, indent=None
                )
            continue
        codes.append(3 if answer.limit_reached else 0)
        if form == "json":
            print_json("analyse", answer.as_json(), indent=None)
        elif form == "csv":
            _print_csv(file, answer)
        else:
            line = Text(plain(f"{answer.findings.game}: "), "bold")
            say(line.append(plain(" ".join(_line_of(answer))), "not bold"))
        sys.stdout.flush()
    return max(codes)


def _line_of(answer: Answer) -> list[str]:
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


def _print_csv(file: Path, answer: Answer) -> None:
    for finding in answer.findings:
        why = finding.evidence.why
        _csv_row((str(file), finding.property, value_of(finding), finding.certainty, why))
    if answer.solution:
        solution = answer.solution
        why = solution["method"] or solution.get("why_not", "")
        certainty = "proved" if solution["engine"] == "nim-values" else "exhaustive"
        certainty = certainty if solution["method"] else "unknown"
        _csv_row((str(file), "result", solution["result"] or "", certainty, why))


def _csv_row(row: Sequence[str]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(plain, row))
    click.echo(text.getvalue(), nl=False)


def _print(answer: Answer, *, brief: bool, only: Sequence[str]) -> None:
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
    _print_findings(list(findings), answer.gallery)
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


def _print_findings(found: Sequence[Finding], drawn: Gallery = NOTHING) -> None:
    if out.is_terminal:
        _wrapped(finding_table(found, drawn.reference))
    else:
        for finding in found:
            say(finding_line(finding, drawn.reference))


def _wrapped(what: Any) -> None:  # noqa: ANN401 - whatever rich can print
    """Print between the edges of a terminal; elsewhere lines stay whole."""
    out.print(what, soft_wrap=not out.is_terminal)
