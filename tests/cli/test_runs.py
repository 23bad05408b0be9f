"""`ggp runs`."""

from __future__ import annotations

import csv
import json

import pytest

from tests.cli.test_json import checked
from tests.conftest import GAMES

COLOURING = str(GAMES / "colouring" / "colouring.kif.jinja")


def test_a_board(ggp_) -> None:
    """The moves of Benny that keep a draw on four by four: all but the middle."""
    code, output, _ = ggp_("runs", COLOURING, "--set", "n=4", "--moves", "2", "--role", "benny")
    assert code == 0
    assert "move 1 (plays: 8, different moves: 8)" in output
    assert ["2", "1", ".", "1"] in [line.split() for line in output.splitlines()]


def test_moves_that_lie_on_no_board(ggp_) -> None:
    _, output, _ = ggp_("runs", "kayles/kayles-7", "--moves", "2")
    assert "(single 4) 1  33%" in output
    assert "and 3 more" in output


def test_as_json_and_csv(ggp_, tmp_path) -> None:
    code, output, _ = ggp_("runs", "kayles/kayles-7", "--moves", "2", "--format", "json")
    assert code == 0
    data = checked(output, "runs")
    assert data["moves"][0]["counts"] == {"(double 2)": 1, "(double 5)": 1, "(single 4)": 1}
    file = tmp_path / "runs.csv"
    ggp_("runs", "kayles/kayles-7", "--moves", "2", "--output", str(file))
    rows = list(csv.reader(file.read_text().splitlines()))
    assert rows[0] == ["number", "move", "plays"]
    assert sum(int(row[2]) for row in rows[1:] if row[0] == "2") == data["moves"][1]["plays"]


def test_pictures(ggp_, tmp_path) -> None:
    pytest.importorskip("matplotlib")
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        code, _, _ = ggp_("runs", COLOURING, "--moves", "2", "--output", str(file))
        assert code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    code, _, error = ggp_("runs", "kayles/kayles-7", "--output", str(tmp_path / "x.png"))
    assert code == 2
    assert "can be drawn" in error
    assert not (tmp_path / "x.png").exists()


def test_wrong_use(ggp_, tmp_path) -> None:
    assert ggp_("runs", COLOURING, "--role", "nobody")[0] == 2
    assert ggp_("runs", COLOURING, "--output", str(tmp_path / "x.doc"))[0] == 2
    code, output, _ = ggp_(
        "runs", COLOURING, "--set", "n=5", "--positions", "50", "--format", "json"
    )
    assert code == 3
    assert json.loads(output)["schema"] == "ggp-error/1"


def test_where_chance_moves_first_a_role_is_asked_for(ggp_, tmp_path) -> None:
    """By default the first one: chance is nobody whose moves could win."""
    sheet = tmp_path / "coin.kif"
    sheet.write_text("""(role a) (role b) (role random) (init (at s0))
        (edge s0 random h s1) (edge s0 random t s2) (edge s1 a x s3) (edge s1 a y s4)
        (edge s2 b x s3) (edge s2 b y s4) (<= (can ?p ?s) (edge ?s ?p ?m ?t))
        (<= (legal ?p ?m) (true (at ?s)) (edge ?s ?p ?m ?t))
        (<= (legal ?p noop) (true (at ?s)) (role ?p) (not (can ?p ?s)))
        (<= (next (at ?t)) (true (at ?s)) (does ?p ?m) (edge ?s ?p ?m ?t))
        (<= terminal (true (at s3))) (<= terminal (true (at s4)))
        (<= (goal a 100) (true (at s3))) (<= (goal b 0) (true (at s3)))
        (<= (goal a 0) (true (at s4))) (<= (goal b 100) (true (at s4)))""")
    told = ggp_("runs", str(sheet))
    assert told == ggp_("runs", str(sheet), "--role", "a")
    assert told[0] == 1
    assert "no player random" not in told[2]
