"""The reports of all sheets of `games/` are what they were when they were last reviewed."""

from __future__ import annotations

import json

import pytest

from tests.facts import BIG
from tests.golden_reports import SHEETS, golden_file, report, text
from tests.test_games import WITH_BIG


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name.split(".")[0])
def test_report(sheet) -> None:
    kept = golden_file(sheet).read_text(encoding="utf-8")
    values = {f["property"]: f["value"] for f in json.loads(kept)["findings"]}
    if values["reachable_states"] > BIG and not WITH_BIG:
        pytest.skip("more than 100,000 states; GGP_LONG_TESTS=1 runs it")
    assert text(report(sheet)) == kept
