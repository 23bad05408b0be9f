"""What `ggp analyse` writes beside its answer: the report in Markdown, the graph of a heap."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from ggp.cli.main import main
from ggp.errors import GgpError, InputError
from ggp.show.report import escaped, in_label
from tests.conftest import GAMES
from tests.show.test_witnesses import HOSTILE

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


TTT = str(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")


def written(out, *more):
    result = run(main, ["analyse", TTT, "--report", str(out), *more], standalone_mode=False)
    assert result.return_value == 0, result.output
    return out.read_text() if out.is_file() else ""


def links(text):
    return [unquote(link) for link in re.findall(r"^  !\[.+\]\((\S+)\)$", text, re.MULTILINE)]


def test_a_report_has_pictures_in_a_folder_beside_it(tmp_path) -> None:
    text = written(tmp_path / "my (first) report.md")
    assert len(set(links(text))) == 3
    for link in links(text):
        root = ElementTree.parse(tmp_path / link).getroot()
        assert root.find("{*}desc").text
    assert "after 5 moves: (mark 1 1), (mark 1 2)" in text  # words in place of the picture
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "my (first) report.md",
        "my (first) report.md.files",
    ]


def test_a_second_report_takes_the_place_of_the_first_and_of_nothing_else(tmp_path) -> None:
    out, folder = tmp_path / "r.md", tmp_path / "r.md.files"
    written(out)
    (folder / "notes.txt").write_text("mine")
    (folder / "witness-7.svg").write_text("of an earlier report")
    (folder / "witness-1.svg").write_text("of an earlier report")
    text = written(out)
    assert {f"r.md.files/{p.name}" for p in folder.glob("*.svg")} == set(links(text))
    assert (folder / "witness-1.svg").read_text().startswith("<svg")
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.slow
def test_a_report_without_witnesses_leaves_no_folder(tmp_path) -> None:
    out, folder = tmp_path / "r.md", tmp_path / "r.md.files"
    folder.mkdir()
    (folder / "witness-1.svg").write_text("of an earlier report")
    sheet = str(GAMES / "subtraction" / "sg-157.kif")
    result = run(main, ["analyse", sheet, "--report", str(out)], standalone_mode=False)
    assert result.return_value == 0, result.output
    assert "![" not in out.read_text()
    assert not folder.exists()


def test_a_folder_that_is_something_else_is_left_alone(tmp_path) -> None:
    out, folder = tmp_path / "r.md", tmp_path / "r.md.files"
    folder.write_text("a file")
    assert refused(out) == f"{folder}: the report's pictures go there, and it is no folder"
    assert folder.read_text() == "a file"
    folder.unlink()
    folder.symlink_to(tmp_path)
    assert "no folder" in refused(out)
    folder.unlink()
    folder.mkdir()
    (tmp_path / "precious").write_text("mine")
    (folder / "witness-1.svg").symlink_to(tmp_path / "precious")
    assert "a picture of the report goes there" in refused(out)
    assert (tmp_path / "precious").read_text() == "mine"
    assert not out.exists()
    (folder / "witness-1.svg").unlink()
    certificate = folder / "witness-1.svg"
    assert "where the report's pictures go" in refused(out, "--certificate", str(certificate))


def refused(out, *more):
    result = run(main, ["analyse", TTT, "--report", str(out), *more], standalone_mode=False)
    assert isinstance(result.exception, InputError)
    return str(result.exception)


def test_nothing_is_left_of_a_report_that_cannot_be_written(tmp_path, monkeypatch) -> None:
    out = tmp_path / "r.md"
    out.write_text("the one before")
    real, count = Path.write_bytes, []

    def fail(self, data):
        count.append(self)
        if len(count) == 3:
            raise OSError(28, "No space left on device")
        return real(self, data)

    monkeypatch.setattr(Path, "write_bytes", fail)
    assert "No space left" in refused(out)
    assert out.read_text() == "the one before"
    assert list(tmp_path.iterdir()) == [out]


def test_a_report_to_a_pipe_has_no_pictures(tmp_path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        written(pipe)
        text = os.read(reader, 1 << 16).decode()
    finally:
        os.close(reader)
    assert "## Why form is other" in text
    assert "![" not in text
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.slow
def test_only_one_sheet_shown_in_full_is_drawn(ggp_) -> None:
    """Hundreds of sheets are looked at without boards, which take longer than findings."""
    _, alone, _ = ggp_("analyse", TTT, "--only", "form")
    assert "has a legal move [1]" in alone
    assert "[1] form: other" in alone
    assert "3 [x]· ·" in alone
    assert "in: " not in alone
    for more in ([TTT], ["--brief"], ["--format", "csv"], ["--format", "json"]):
        assert "[x]" not in ggp_("analyse", TTT, *more)[1]


def test_where_nothing_is_drawn_the_facts_are_told(ggp_, tmp_path) -> None:
    sheet = tmp_path / "s.kif"
    sheet.write_text(
        "(role a) (role b) (init p) (legal a m) (legal a n) (legal b m) (legal b n) (next q)"
        "(<= terminal (true q)) (goal a 0) (goal b 0)"
    )
    _, text, _ = ggp_("analyse", str(sheet), "--only", "turns")
    assert "\n                   in: p\n" in text


def test_pictures_of_a_report_are_inert(tmp_path) -> None:
    sheet, out = tmp_path / "s.kif", tmp_path / "r.md"
    sheet.write_text(HOSTILE)
    result = run(main, ["analyse", str(sheet), "--report", str(out)], standalone_mode=False)
    assert result.exit_code == 0, result.output
    text = out.read_text()
    assert r"![the first position. cell" in text
    assert not re.search(r"(?<!\\)<(script|img)", text)
    for link in links(text):
        assert re.fullmatch(r"r\.md\.files/witness-\d\.svg", link)
        root = ElementTree.parse(tmp_path / link).getroot()
        assert not [e for e in root.iter() if e.tag.endswith(("script", "img", "foreignObject"))]


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


LINKS = re.compile(
    r"(?i)https?://|ftp://|www\.[a-z]|[\w.+-]+@[\w-]+\.\w|(?<![\w])@[a-z0-9]|#[0-9]|gh-[0-9]|:[\w+-]+:"
)
"""What GitHub makes links, mentions and small pictures of, in any piece of text between tags."""


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/x_y",
        "see HTTP://example.org",
        "1http://example.org",
        "www.example.org",
        "Www.example.org",
        "someone@example.org",
        "@someone",
        "(cell @a #1)",
        "owner/repo#12",
        "GH-3",
        "xmpp:a@b.c",
        ":+1: :x_y:",
        "::smile::",
    ],
)
def test_nothing_becomes_a_link_by_itself(text: str) -> None:
    """GitHub looks at the text between tags, after backslashes have gone."""
    shown = MarkdownIt().render(escaped(text)).strip().removeprefix("<p>").removesuffix("</p>")
    pieces = [unescape(piece) for piece in re.split(r"<!-- -->|<[^>]*>", shown)]
    assert "".join(pieces) == text
    assert not any(LINKS.search(piece) for piece in pieces)
    assert LINKS.search(text)


def test_texts_of_pictures_have_no_comments() -> None:
    assert in_label("@a#1 [x]") == r"@a\#1 \[x\]"


def test_no_name_is_a_formula_of_a_report() -> None:
    assert escaped("$x^2$") == r"\$x^2\$"
