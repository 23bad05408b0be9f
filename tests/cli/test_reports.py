"""What `ggp analyse` writes beside its answer: the report in Markdown, the graph of a heap."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner

from ggp.cli.main import main
from ggp.errors import GgpError, InputError
from ggp.show.report import escaped
from tests.conftest import GAMES

SG = str(GAMES / "subtraction" / "sg-12-15.kif")
run = CliRunner().invoke


def test_the_report_has_all_findings_heaps_and_the_verdict(tmp_path) -> None:
    out = tmp_path / "report.md"
    result = run(main, ["analyse", SG, "--report", str(out)], standalone_mode=False)
    assert result.return_value == 0, result.output
    text = out.read_text()
    assert "| form | normal | proved | on every board the game ends" in text
    assert "| (heap 2 ?) | 11 | 1, 5 | 0 | 0 1 0 1 0 1 0 1 0 1 0 1 | 2 |" in text
    assert "right, the player who is not to move, wins under best play." in text


def test_witnesses_are_told_with_the_play_that_leads_to_them(tmp_path) -> None:
    out = tmp_path / "report.md"
    sheet = str(GAMES / "domineering" / "domineering-3x4.kif")
    run(main, ["analyse", sheet, "--report", str(out)], standalone_mode=False)
    assert "## Why impartial is no" in out.read_text()
    assert "## Symmetries" in out.read_text()


def test_nothing_of_a_sheet_is_markdown_or_html() -> None:
    text = escaped("<b>|[x](y)`#\n*_&\x1b")
    assert text == r"\<b\>\|\[x\](y)\`\# \*\_\&·"


@pytest.mark.parametrize("suffix", [".dot", ".svg"])
def test_the_subtraction_graph(tmp_path, suffix) -> None:
    """Section 5 of the thesis draws SG{1,2} like this: an edge for each move, from size to size."""
    out = tmp_path / f"heap{suffix}"
    result = run(main, ["analyse", SG, "--heap-graph", str(out)], standalone_mode=False)
    assert result.return_value == 0, result.output
    text = out.read_text()
    if suffix == ".dot":
        assert "7 -> 6;" in text
        assert "7 -> 5;" in text
        assert "7 -> 4;" not in text
        assert text.count("->") == 6 + 7
    else:
        root = ElementTree.fromstring(text)
        arcs = [p for p in root if p.tag.endswith("path")]
        assert len(arcs) == 6 + 7


def test_graphs_that_cannot_be_drawn(tmp_path) -> None:
    wrong = run(main, ["analyse", SG, "--heap-graph", "heap.png"], standalone_mode=False)
    assert isinstance(wrong.exception, InputError)
    kayles = str(GAMES / "kayles" / "kayles-7.kif")
    none = run(
        main, ["analyse", kayles, "--heap-graph", str(tmp_path / "x.dot")], standalone_mode=False
    )
    assert isinstance(none.exception, GgpError)
    assert not (tmp_path / "x.dot").exists()
