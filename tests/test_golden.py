"""The reports of all sheets of `games/` are what they were when they were last reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.facts import BIG
from tests.golden_reports import SHEETS, golden_file, kept_findings, report, text


def is_big(sheet: Path) -> bool:
    """Whether a game has more states than are enumerated at each run of the tests."""
    return bool(kept_findings(sheet)["reachable_states"]["value"] > BIG)


@pytest.mark.parametrize(
    "sheet",
    [pytest.param(s, marks=[pytest.mark.slow] if is_big(s) else []) for s in SHEETS],
    ids=lambda path: path.name.split(".")[0],
)
def test_report(sheet) -> None:
    assert text(report(sheet)) == golden_file(sheet).read_text(encoding="utf-8")
