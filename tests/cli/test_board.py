"""`ggp board`: positions of one sheet, and contact sheets of many."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from tests.cli.test_json import checked
from tests.conftest import GAMES

CLOBBER = str(GAMES / "clobber/clobber-4x4.kif")
NIM = str(GAMES / "nim/rows.kif.jinja")
FOUR = str(GAMES / "connect-four/connect-four.kif.jinja")
TIC_TAC_TOE = str(GAMES / "tic-tac-toe/tic-tac-toe.kif")


def test_a_position_is_drawn(ggp_) -> None:
    code, output, errors = ggp_("board", CLOBBER, "--ascii")
    assert (code, errors) == (0, "")
    assert output.splitlines()[1:3] == ["   1 2 3 4", "1  w b w b"]


def test_random_steps_are_the_same_each_time(ggp_) -> None:
    first = ggp_("board", CLOBBER, "--after", "3", "--seed", "5")
    assert first == ggp_("board", CLOBBER, "--after", "3", "--seed", "5")
    assert first != ggp_("board", CLOBBER, "--after", "3", "--seed", "6")


def test_a_state_is_drawn(ggp_) -> None:
    _, output, _ = ggp_("board", NIM, "--from", "(row 1 2) (row 2 0) (row 3 1) (control left)")
    assert "●● 2" in output


def test_data_of_boards(ggp_) -> None:
    code, output, _ = ggp_("board", FOUR, "--format", "json")
    assert code == 0
    (sheet,) = checked(output, "board")["sheets"]
    (position,) = sheet["positions"]
    (board,) = position["boards"]
    assert board["shape"] == "square"
    assert len(board["places"]) == len(board["axes"][0]) * len(board["axes"][1])
    # A move names a column: any place of it will do.
    assert {len(move["clicks"][0]["places"]) for move in position["moves"] if move["clicks"]} == {4}


def test_pictures_and_pages_are_written(ggp_, tmp_path) -> None:
    picture, page = tmp_path / "c.svg", tmp_path / "c.html"
    assert ggp_("board", CLOBBER, "--output", str(picture))[0] == 0
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    code, output, _ = ggp_(
        "board", str(GAMES / "clobber"), NIM, "--output", str(page), "--jobs", "2"
    )
    assert (code, output) == (0, f"{page}: 4 sheets drawn\n")
    text = page.read_text(encoding="utf-8")
    assert text.count("<section>") == 4
    assert text.count("<svg") == 8
    assert "default-src 'none'" in text


def test_a_sheet_that_cannot_be_read_does_not_stop_the_others(ggp_, tmp_path) -> None:
    (tmp_path / "bad.kif").write_text("(role")
    page = tmp_path / "p.html"
    code, output, errors = ggp_("board", CLOBBER, str(tmp_path / "bad.kif"), "--output", str(page))
    assert code == 2
    assert "1 sheet drawn" in output
    assert errors.count("bad.kif") == 1
    assert 'role="alert"' in page.read_text(encoding="utf-8")


def test_nothing_is_written_where_nothing_is_drawn(ggp_, tmp_path) -> None:
    page = tmp_path / "p.html"
    page.write_text("mine")
    assert ggp_("board", str(tmp_path / "none.kif"), "--output", str(page))[0] == 2
    assert page.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--output", "x.gif"], ".html, .svg, .txt"),
        (["--output", "x.html", "--format", "json"], "JSON goes to standard output"),
        (["--from", "(what"], "cannot read the facts"),
        (["--after", "-1"], "--after"),
    ],
)
def test_wrong_use(ggp_, arguments, told) -> None:
    code, output, errors = ggp_("board", CLOBBER, *arguments)
    assert (code, told in output + errors) == (2, True)


def test_several_sheets_are_no_one_picture(ggp_, tmp_path) -> None:
    code, _, errors = ggp_("board", CLOBBER, NIM, "--output", str(tmp_path / "x.svg"))
    assert (code, "several sheets" in errors) == (2, True)
    assert ggp_("board", CLOBBER, NIM, "--from", "(a)")[0] == 2


def test_a_play_that_ends_early_shows_its_last_position_but_the_end(ggp_) -> None:
    _, output, _ = ggp_("board", TIC_TAC_TOE, "--after", "99", "--format", "json")
    (position,) = json.loads(output)["sheets"][0]["positions"]
    assert position["after"] < 9
    assert not position["terminal"]
