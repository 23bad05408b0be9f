"""`ggp value`: what it prints, draws and writes."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree

import pytest

DOMINEERING = "domineering/domineering"


def test_a_value_with_its_moves(ggp_) -> None:
    code, output, _ = ggp_("value", "kayles/kayles-7", "--format", "json", "--moves")
    data = json.loads(output)
    assert code == 0
    assert (data["value"], data["outcome"], data["temperature"]) == ("*2", "N", "0")
    assert (data["left"], data["right"], data["legitimate"]) == ("left", "right", True)
    assert {"(double 2)", "(double 5)", "(single 4)"} <= set(data["left_moves"])
    zero = {m["move"] for m in data["moves"] if m["role"] == "right" and m["value"] == "0"}
    assert zero == {"(double 2)", "(double 5)", "(single 4)"}


def test_a_position_of_ones_own(ggp_) -> None:
    facts = "(height 1 1) (height 2 0) (control right)"
    code, output, _ = ggp_("value", "hackenbush/stalks", "--at", facts, "--format", "json")
    assert code == 0
    assert json.loads(output)["value"] == "1"


def test_the_atlas_counts_boards_by_value(ggp_, tmp_path) -> None:
    file = tmp_path / "atlas.csv"
    two = ("--set", "rows=2", "--set", "columns=2")
    code, output, _ = ggp_(
        "value", DOMINEERING, *two, "--all", "--format", "json", "--table", str(file)
    )
    data = json.loads(output)
    assert code == 0
    with open(file, encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    assert len(rows) == data["boards"] == sum(one["boards"] for one in data["atlas"])
    assert {row["value"] for row in rows} == {one["value"] for one in data["atlas"]}


def test_the_thermograph_is_drawn(ggp_, tmp_path) -> None:
    file = tmp_path / "out.svg"
    code, output, _ = ggp_("value", "snort/snort", "--thermograph", str(file))
    assert code == 0
    root = ElementTree.fromstring(file.read_text("utf-8"))
    (title,) = [e.text for e in root if e.tag.endswith("title")]
    assert title == "thermograph: mean 0, temperature 9/4, stops 1 and -1"
    assert "temperature" in output


def test_games_without_values(ggp_) -> None:
    code, output, _ = ggp_("value", "tic-tac-toe/tic-tac-toe", "--format", "json")
    data = json.loads(output)
    assert code == 1
    assert (data["value"], data["legitimate"]) == (None, False)
    assert data["why_not"].startswith("condition 4")
    assert data["facts"]
    code, output, _ = ggp_("value", "puzzles/lights-out-3x3")
    assert code == 1
    assert "condition 1" in output


@pytest.mark.parametrize("option", ["--thermograph", "--table"])
def test_wrong_files(ggp_, tmp_path, option) -> None:
    assert ggp_("value", "kayles/kayles-7", option, str(tmp_path / "x.txt"))[0] == 2


def test_limits(ggp_) -> None:
    code, _, errors = ggp_("value", "clobber/clobber-4x4", "--all", "--positions", "100")
    assert code == 3
    assert "positions" in errors
