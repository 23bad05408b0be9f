"""`ggp bench` and `ggp cache`."""

from __future__ import annotations

import json

import pytest

from ggp.machine.engine.store import Store, default_store
from tests.conftest import GAMES

SHEET = str(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
ENDLESS = """(role p) (init (at z)) (legal p go) (<= (next (at (s ?x))) (true (at ?x)))
(<= terminal (true (at (s (s (s (s z))))))) (<= (goal p 1) (true (at ?x)))"""


def test_figures_of_each_engine(ggp_) -> None:
    code, out, _ = ggp_("bench", SHEET, "--seconds", "0.1", "--engine", "all", "--format", "json")
    assert code == 0
    data = json.loads(out)
    names = [speed["engine"] for speed in data["engines"]]
    assert names == ["interpreter", "llvm", "reference"]
    for speed in data["engines"]:
        assert speed["playouts_per_second"] > 0
        assert speed["steps_per_second"] > speed["playouts_per_second"]
        assert 5 <= speed["mean_length"] <= 9
    best = max(data["engines"], key=lambda speed: speed["steps_per_second"])
    assert best.items() <= data.items()
    assert data["states_per_second"] > 0
    assert data["ground_seconds"] > 0
    assert data["engines"][1]["compile_seconds"] > 0


def test_as_a_table(ggp_) -> None:
    code, out, _ = ggp_("bench", SHEET, "--seconds", "0.1", "--threads", "2")
    assert code == 0
    for word in ("playouts/s", "interpreter", "llvm", "threads: 2"):
        assert word in out


def test_a_game_without_a_net_is_measured_unground(ggp_, tmp_path) -> None:
    sheet = tmp_path / "endless.kif"
    sheet.write_text(ENDLESS)
    arguments = ("bench", str(sheet), "--seconds", "0.1", "--format", "json")
    code, out, _ = ggp_(*arguments, "--ground-seconds", "0.5")
    data = json.loads(out)
    assert (code, data["engine"], data["gates"]) == (0, "unground", None)
    assert data["mean_length"] == 4


def test_the_result_for_gdl_perf(ggp_, tmp_path) -> None:
    """Lines `name = value` as the README of AlexLandau/gdl-perf describes them."""
    out = tmp_path / "result.txt"
    assert ggp_("bench", SHEET, "--gdl-perf", str(out), "0.2")[0] == 0
    values = dict(line.split(" = ") for line in out.read_text().splitlines())
    assert set(values) == {"version", "millisecondsTaken", "numStateChanges", "numRollouts"}
    assert values["version"].startswith("ggp ")
    assert 150 <= int(values["millisecondsTaken"]) <= 5_000
    assert 5 <= int(values["numStateChanges"]) / int(values["numRollouts"]) <= 9.5


def test_gdl_perf_is_told_of_faults(ggp_, tmp_path) -> None:
    out, sheet = tmp_path / "result.txt", tmp_path / "bad.kif"
    sheet.write_text("(role")
    assert ggp_("bench", str(sheet), "--gdl-perf", str(out), "0.2")[0] == 1
    assert "errorMessage = " in out.read_text()


@pytest.fixture
def store(monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "code"))
    default_store.cache_clear()
    yield Store(tmp_path / "code")
    default_store.cache_clear()


def test_the_cache_is_shown_and_cleared(ggp_, store) -> None:
    store.put("a", b"content")
    data = json.loads(ggp_("cache", "--format", "json")[1])
    assert (data["files"], data["usable"], data["folder"]) == (1, True, str(store.folder))
    assert data["bytes"] > 7
    assert "1 files removed" in ggp_("cache", "--clear")[1]
    assert json.loads(ggp_("cache", "--format", "json")[1])["files"] == 0


def test_a_cache_that_cannot_be_used_is_named(ggp_, store) -> None:
    store.folder.write_text("a file")
    assert "nothing is kept there" in ggp_("cache")[1]
