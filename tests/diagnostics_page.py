"""Writes the page of all diagnostics: `python -m tests.diagnostics_page`."""

from pathlib import Path

from ggp.lint.explain import page

FILE = Path(__file__).parent.parent / "docs" / "diagnostics.md"

if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
