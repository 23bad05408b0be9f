"""The reference page of diagnostics: each example raises its code, and each code is there."""

from __future__ import annotations

import re

import pytest

from ggp.errors import KifSyntaxError
from ggp.kif import Source
from ggp.rules import read_rules
from tests.conftest import ROOT, SHARED

SOUND = "(role a) (init p) (<= (legal a m) (true p)) (<= terminal (true p)) (goal a 100)"


def rows() -> list[tuple[list[str], str, str]]:
    """Codes, severity and example of each row."""
    page = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    cells = [
        line.strip("| \n").split(" | ") for line in page.splitlines() if line.startswith("| `")
    ]
    found = []
    for codes, severity, _, *example in cells:
        lines = example[0].strip("`| ") if example else ""
        found.append((re.findall(r"`([^`]+)`", codes), severity, lines))
    return found


def diagnostics(text: str) -> dict[str, str]:
    """The codes of a text with their severities."""
    try:
        return {d.code: d.severity for d in read_rules(Source("x.kif", text)).diagnostics}
    except KifSyntaxError:
        return {"syntax": "error"}


def test_the_sheet_of_the_examples_is_sound() -> None:
    assert diagnostics(SOUND) == {}


@pytest.mark.parametrize(("codes", "severity", "example"), rows(), ids=lambda v: str(v)[:30])
def test_the_example_raises_its_code(codes, severity, example) -> None:
    if example:
        found = diagnostics(f"{SOUND}\n{example}")
        assert severity in (found.get(code) for code in codes)


def test_every_code_of_faulty_and_of_real_sheets_is_there() -> None:
    known = {code for codes, _, _ in rows() for code in codes}
    sheets = [*SHARED.glob("badrules/*.kif"), *SHARED.glob("thesis-listings/*.kif")]
    for sheet in sheets or [pytest.skip("reference material is not here")]:
        assert set(diagnostics(sheet.read_text("utf-8", "replace"))) <= known, sheet.name


def test_no_code_is_listed_twice() -> None:
    codes = [code for codes, _, _ in rows() for code in codes]
    assert len(codes) == len(set(codes))
