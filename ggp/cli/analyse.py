"""`ggp analyse`: what kind of game this is, then its solution."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ggp.analyse import Finding, Findings, Stopped
from ggp.analyse import analyse as find
from ggp.cli.common import (
    err,
    game_options,
    limit_options,
    limits_from,
    load_game,
    print_json,
    say,
)
from ggp.cli.files import write_whole
from ggp.errors import GgpError, InputError, LimitReached
from ggp.game import Game
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.show import (
    NO_SOLUTION,
    finding_line,
    heap_table,
    progress,
    solution_json,
    solution_text,
    subtraction_dot,
    subtraction_svg,
)
from ggp.show import report as markdown_report
from ggp.solve import may_have_nim_values, solve
from ggp.text import plain


@click.command()
@game_options
@limit_options
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what proofs and witnesses rest on to a file, for `ggp verify`.",
)
@click.option(
    "--report",
    "markdown",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write all of it to a file, in Markdown.",
)
@click.option(
    "--heap-graph",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the subtraction graph of the first heap to a file (.dot or .svg).",
)
def analyse(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    certificate: Path | None,
    markdown: Path | None,
    heap_graph: Path | None,
) -> int:
    """Say what kind of game this is, each finding with its certainty and evidence, then solve it.

    \b
    Example: ggp analyse games/subtraction/sg-125.kif

    JSON: game, roles, findings (property, value, certainty, evidence), heaps (heap, size,
    subtraction_set, floor, nim_values, period), solution (as of `ggp solve`). Certainty is proved,
    exhaustive, refuted (evidence holds a witness) or unknown (evidence names the limit; exit
    code 3).
    """
    if heap_graph is not None and heap_graph.suffix not in DRAW:
        raise InputError(f"{heap_graph}: a graph is drawn as {' or '.join(DRAW)}")
    limits = limits_from(seconds, positions, memory)
    budget = Budget(limits)
    game = load_game(file, settings, strict_case, limits)
    as_text = form == "text"
    if as_text:
        say(Text(plain(game.name), "bold"))

    def report(finding: Finding) -> None:
        if as_text:
            say(finding_line(finding))

    with progress(err, "enumerating") as watch:
        findings = find(game, budget=budget, progress=watch, report=report)
        data: dict[str, Any] = findings.as_json()
        data["solution"], reached = _solution(game, findings, budget, watch)
    if certificate is not None:
        data_out = json.dumps(findings.certificate(), ensure_ascii=False, indent=1)
        write_whole(certificate, data_out.encode())
    if markdown is not None:
        write_whole(markdown, markdown_report(findings, data["solution"]).encode())
    if heap_graph is not None:
        if not findings.heaps:
            raise GgpError("there is no heap to draw: the game is not a sum of heaps")
        write_whole(heap_graph, DRAW[heap_graph.suffix](findings.heaps[0]).encode())
    if as_text:
        if findings.heaps:
            say()
            say(heap_table(findings.heaps))
        say()
        say(solution_text(data["solution"]))
    else:
        print_json(data)
    stopped = any(isinstance(finding.evidence, Stopped) for finding in findings)
    return 3 if reached or stopped else 0


DRAW = {".dot": subtraction_dot, ".svg": subtraction_svg}
"""What draws the graph of a heap, by the ending of the file."""


def _solution(
    game: Game, findings: Findings, budget: Budget, watch: Progress | None
) -> tuple[dict[str, Any], bool]:
    """The solution as data, and whether a limit stood in the way; in the time that is left."""
    counted = findings["reachable_states"]
    if counted.certainty == "unknown" and not may_have_nim_values(findings):
        return {**NO_SOLUTION, "why_not": counted.evidence.why}, True
    try:
        solution = solve(game, budget=budget, findings=findings, progress=watch)
        return solution_json(solution, game.initial), False
    except GgpError as error:
        return {**NO_SOLUTION, "why_not": str(error)}, isinstance(error, LimitReached)
