"""`ggp test`: facts beside sheets checked, or recorded."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
from rich.text import Text

from ggp.cli.common import Name, err, limit_options, limits_from, print_json, read_settings, say
from ggp.cli.files import require_writable, write_whole
from ggp.cli.spreading import cluster_option, counted, spreading
from ggp.errors import InputError
from ggp.facts import FactVerdict, Instance, InstanceReport, facts_of, find_files, run, sheet_of
from ggp.facts.recording import Recorded, recorded
from ggp.facts.suite import instances
from ggp.limits import Limits
from ggp.pool import Spread
from ggp.show.junit import junit, said
from ggp.text import plain, shortened

STATUSES = {"held": "green", "wrong": "bold red", "undecided": "yellow", "failed": "red"}

WEIGHT = (70, 2, 1, 3, 0)
"""Exit codes: of several instances that which comes first here."""

MAX_LINE = 600
"""Characters of what is said of one fact."""


@click.command()
@click.argument("paths", nargs=-1, required=True, type=Name(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit"]),
    default="text",
    help="Output format; junit is XML with a test case a fact.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=256),
    help="Instances looked at at once, in a process each (default: one a core).",
)
@cluster_option
@limit_options
@click.option(
    "--record",
    is_flag=True,
    help="Write what is found to the file of facts beside each sheet; what is there stays.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="With --record, set a parameter of a template (*.kif.jinja); may be repeated.",
)
def test(
    paths: tuple[Path, ...],
    form: str,
    jobs: int | None,
    cluster: str | None,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    record: bool,
    settings: tuple[str, ...],
) -> int:
    """Check the facts beside rule sheets: NAME.toml beside NAME.kif, see docs/facts.md.

    PATHS are files of facts, sheets, or directories. Limits are those of one instance.

    \b
    Example: ggp test games/kayles games/nim/rows.kif.jinja
             ggp test --record my-game.kif

    JSON: instances (file, sheet, instance, set, facts: list of fact, status, expected, found,
    certainty, why, line, column), held, wrong, undecided, failed, interrupted. Status is held,
    wrong, undecided (a limit was reached before) or failed (the facts, or the sheet, cannot be
    used); with --record: files (file, facts, unknown). Exit code 2 if something failed to be read,
    else 1 if a fact is wrong or a sheet has errors, else 3 if one is undecided.
    """
    limits = limits_from(seconds, positions, memory)
    if record:
        if form == "junit":
            raise InputError("--record: junit is the format of what is checked")
        if cluster is not None:
            raise InputError("--record writes files of this machine: without --cluster")
        return _record(paths, settings, limits, form)
    if settings:
        raise InputError("--set goes with --record: instances have their own parameters")
    suite = instances(find_files(paths))
    if not suite:
        raise InputError(f"no facts in {', '.join(map(str, paths))}")
    outcome = _Outcome(suite, as_text=form == "text")
    try:
        with spreading(cluster, jobs if cluster else jobs or os.cpu_count()) as spread:
            outcome.work(limits, spread)
    except KeyboardInterrupt:
        outcome.interrupted = True
        _print(outcome, form)
        raise
    _print(outcome, form)
    return outcome.code


class _Outcome:
    """The reports on a suite, of which those that came are told in the suite's order."""

    def __init__(self, suite: Sequence[Instance | InstanceReport], *, as_text: bool) -> None:
        self._suite = suite
        self._as_text = as_text
        self._done = {n: one for n, one in enumerate(suite) if isinstance(one, InstanceReport)}
        self._told = 0
        self.interrupted = False

    def work(self, limits: Limits, spread: Spread) -> None:
        """Look at all instances."""
        left = [n for n, one in enumerate(self._suite) if n not in self._done]
        todo = [one for one in self._suite if isinstance(one, Instance)]
        with (
            counted(err, "testing", len(todo)) as advance,
            closing(run(todo, limits, spread)) as reports,
        ):
            for place, report in reports:
                self._done[left[place]] = report
                advance(1)
                self._tell_next()

    def _tell_next(self) -> None:
        while self._as_text and self._told in self._done:
            _tell(self._done[self._told])
            self._told += 1

    def tell_rest(self) -> None:
        """Print what was not, also where reports before it are missing."""
        self._tell_next()
        for number in sorted(n for n in self._done if n >= self._told):
            _tell(self._done[number])

    @property
    def reports(self) -> list[InstanceReport]:
        """The reports that there are, in order."""
        return [self._done[number] for number in sorted(self._done)]

    @property
    def verdicts(self) -> list[FactVerdict]:
        """All verdicts."""
        return [verdict for report in self.reports for verdict in report.verdicts]

    @property
    def counts(self) -> dict[str, int]:
        """How many verdicts there are of each kind."""
        seen = Counter[str](verdict.status for verdict in self.verdicts)
        return {status: seen[status] for status in STATUSES}

    @property
    def code(self) -> int:
        """The exit code."""
        codes = {_code(verdict) for verdict in self.verdicts}
        return next((code for code in WEIGHT if code in codes), 0)


def _code(verdict: FactVerdict) -> int:
    return {"held": 0, "wrong": 1, "undecided": 3}.get(verdict.status, verdict.code)


def _print(outcome: _Outcome, form: str) -> None:
    if form == "junit":
        click.echo(junit(outcome.reports).decode(), nl=False)
        return
    if form == "json":
        listed = [report.as_json() for report in outcome.reports]
        about = {**outcome.counts, "interrupted": outcome.interrupted}
        print_json("test", {"instances": listed, **about})
        return
    outcome.tell_rest()
    counts = outcome.counts
    what = ", ".join(f"{n:,} {status}" for status, n in counts.items() if n or status == "held")
    count = sum(1 for report in outcome.reports if report.label)
    worst = next((status for status in ("failed", "wrong", "undecided") if counts[status]), "held")
    line = f"{count:,} instance{'' if count == 1 else 's'}, facts: {what}"
    say(Text(line + (", interrupted" if outcome.interrupted else ""), STATUSES[worst]))


def _tell(report: InstanceReport) -> None:
    """One line for each fact that does not hold."""
    for verdict in report.verdicts:
        if verdict.status != "held":
            what = " ".join(filter(None, (report.label, verdict.fact)))
            line = Text(plain(f"{report.file}:{verdict.line}:{verdict.column}: "))
            line.append(f"{verdict.status}: ", STATUSES[verdict.status])
            message = f"{what}: {said(verdict)}" if what else said(verdict)
            say(line.append(plain(shortened(message, MAX_LINE)).replace("\n", " ")))


def _record(paths: Sequence[Path], settings: tuple[str, ...], limits: Limits, form: str) -> int:
    """Record what is found of each sheet."""
    sheets = [_sheet(path) for path in paths]
    for sheet in sheets:
        require_writable(facts_of(sheet))
    made = []
    for sheet in sheets:
        found = recorded(sheet, read_settings(settings), limits)
        if found.names:
            write_whole(facts_of(sheet), found.data)
        made.append(found)
        if form == "text":
            _tell_recorded(facts_of(sheet), found)
    if form == "json":
        files = [
            {"file": str(facts_of(s)), "facts": list(f.names), "unknown": dict(f.unknown)}
            for s, f in zip(sheets, made, strict=True)
        ]
        print_json("test-record", {"files": files})
    return 3 if any(found.unknown for found in made) else 0


def _sheet(path: Path) -> Path:
    if path.is_dir():
        raise InputError(f"{path}: is a directory: name the sheets to record facts of", file=path)
    sheet = sheet_of(path) if path.suffix == ".toml" else path
    if not sheet.exists():
        raise InputError(f"{sheet}: no such file", file=sheet)
    if facts_of(sheet) == sheet.with_name(sheet.name + ".toml"):
        raise InputError(f"{sheet}: not a sheet (.kif, .kif.jinja)", file=sheet)
    return sheet


def _tell_recorded(file: Path, found: Recorded) -> None:
    what = f"recorded {', '.join(found.names)}" if found.names else "nothing new to record"
    say(Text(plain(f"{file}: {what}")))
    for name, why in found.unknown.items():
        say(Text(plain(shortened(f"{file}: {name} is not known: {why}", MAX_LINE)), "yellow"))
