"""Golden reports: what `ggp analyse` says of every sheet of `games/`, kept to be compared.

`python -m tests.golden_reports` writes them anew; the change is then reviewed as a difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ggp
from ggp.show import NO_SOLUTION, solution_json
from tests.conftest import GAMES, ROOT

FOLDER = Path(__file__).parent / "golden"
SHEETS = sorted(GAMES.rglob("*.kif*"))


def golden_file(sheet: Path) -> Path:
    """Where the report of a sheet is kept."""
    return FOLDER / f"{sheet.name.split('.')[0]}.json"


def kept(sheet: Path) -> dict[str, Any]:
    """The report of a sheet as it is kept; `test_golden` makes it anew."""
    found: dict[str, Any] = json.loads(golden_file(sheet).read_text(encoding="utf-8"))
    return found


def kept_findings(sheet: Path) -> dict[str, dict[str, Any]]:
    """The findings of that report, by property."""
    return {finding["property"]: finding for finding in kept(sheet)["findings"]}


def report(sheet: Path) -> dict[str, Any]:
    """The report of a sheet with its default parameters, without times and paths.

    Without the weights of rankings and the generators of groups either: any that do are right, and
    solvers differ in theirs.
    """
    game = ggp.load(sheet)
    findings = game.analyse()
    data = findings.as_json()
    for finding in data["findings"]:
        if finding["evidence"]["kind"] in ("ranking", "symmetries"):
            finding["evidence"] = {"kind": finding["evidence"]["kind"]}
    data["game"] = game.name.replace(str(ROOT), "").lstrip("/")
    try:
        solution = solution_json(game.solve(findings=findings), game.initial)
    except ggp.NotSolvable as error:
        solution = {**NO_SOLUTION, "why_not": str(error)}
    data["solution"] = {**solution, "seconds": None}
    return data


def text(data: dict[str, Any]) -> str:
    """A report as it is kept."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path in SHEETS:
        golden_file(path).write_text(text(report(path)), encoding="utf-8")
        print(golden_file(path).name)
