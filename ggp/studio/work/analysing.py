"""What kind of game it is: findings as they come, what shows them, and the solution."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from ggp.analysis import Finding, Findings
from ggp.analysis import analyse as find
from ggp.errors import InputError
from ggp.game import Game
from ggp.limits import DEFAULT, Budget, Limits
from ggp.show.findings import heap_rows, value_text, why_text
from ggp.show.heaps import subtraction_svg
from ggp.show.report import report
from ggp.show.solution import solved_json, verdict
from ggp.show.summary import summary
from ggp.show.witnesses import gallery, how_reached, witness_picture, witnesses
from ggp.studio.jobs import Heed, Say
from ggp.studio.tasks import Order
from ggp.studio.work.fragments import fragment, line_to
from ggp.studio.work.sheets import game_of

MEMORY = 2 << 30
"""Bytes that findings and a solution may take; the process has some more."""

MAX_CERTIFICATE = 8_000_000
"""Characters of a certificate that can be downloaded."""

MOST = 600.0
"""Seconds that may be asked for."""


def limits_of(asked: Mapping[str, Any], default: float = 60.0) -> Limits:
    """The limits that a page asks for by `seconds`."""
    try:
        seconds = float(asked.get("seconds", default))
    except (TypeError, ValueError, OverflowError):
        seconds = -1.0
    if not 0 < seconds <= MOST:
        raise InputError(f"seconds: a number up to {MOST:g}")
    ground = min(seconds, DEFAULT.ground_seconds)
    return replace(DEFAULT, seconds=seconds, ground_seconds=ground, memory=MEMORY)


def analyse(order: Order, say: Say, heed: Heed) -> None:
    """Findings as they are made, then what is said of all of them."""
    limits = limits_of(order.asked)
    budget = Budget(limits)
    game = game_of(order.sheet, limits)
    found: list[Finding] = []
    say({"slot": "summary", "html": ""})  # to stand above what comes before it

    def noted(finding: Finding) -> None:
        found.append(finding)
        heed(f"{len(found)} properties looked at")
        say({"slot": "findings", "html": _table(found, {})})

    def progress(count: int, done: int) -> None:
        heed(f"{len(found)} properties looked at; {count:,} positions")

    findings = find(game, budget=budget, progress=progress, report=noted)
    solution, _ = solved_json(game, findings, budget, progress)
    told = [*summary(findings), verdict(solution)]
    say({"slot": "summary", "html": fragment("summary", sentences=told)})
    say({"slot": "findings", "html": _table(findings, {})})
    if findings.heaps:
        pictures = [Markup(subtraction_svg(heap)) for heap in findings.heaps[:4]]
        rows = heap_rows(findings.heaps)
        say({"slot": "heaps", "html": fragment("heaps", rows=rows, pictures=pictures)})
    heed("drawing what shows it")
    with budget.in_force():
        _show_witnesses(game, findings, say)
    say({"slot": "files", "files": _files(findings, solution)})


def _files(findings: Findings, solution: dict[str, Any]) -> list[dict[str, str]]:
    """What can be taken away: a certificate for `ggp verify`, if there is one, and a report."""
    found = [
        {"name": "report.md", "words": "the report", "text": report(findings, solution)},
    ]
    certificate = findings.certificate()
    if certificate:
        text = json.dumps(certificate, ensure_ascii=False, indent=1)
        if len(text) <= MAX_CERTIFICATE:
            words = "the certificate, for ggp verify"
            found.append({"name": "certificate.json", "words": words, "text": text})
    return found


def _table(findings: Iterable[Finding], shown: Mapping[str, tuple[int, ...]]) -> str:
    rows = [
        {
            "name": finding.property.replace("_", " "),
            "value": value_text(finding.value),
            "certainty": finding.certainty,
            "why": why_text(finding),
            "numbers": shown.get(finding.property, ()),
        }
        for finding in findings
    ]
    return fragment("findings", rows=rows)


def _show_witnesses(game: Game, findings: Findings, say: Say) -> None:
    drawn = gallery(game, findings)
    if not drawn.drawn:
        return
    paths = {state.facts: state.path for finding in findings for state in witnesses(finding)}
    figures = []
    for number, (title, exhibit) in enumerate(drawn.drawn, 1):
        facts = tuple(map(str, exhibit.state.facts))
        picture = witness_picture(exhibit)
        figures.append(
            {
                "number": number,
                "title": title,
                "how": how_reached(exhibit),
                "picture": Markup(picture.svg),
                "hash": line_to(game, paths.get(facts), facts),
            }
        )
    say({"slot": "findings", "html": _table(findings, drawn.numbers)})
    say({"slot": "witnesses", "html": fragment("witnesses", figures=figures)})
