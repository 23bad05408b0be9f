"""Tables as frames of polars: the same as the files of those tables."""

from __future__ import annotations

import csv
import io
import sys

import pytest

import ggp
import ggp.games
from ggp import InputError
from ggp.show.grid import grid_csv, grid_frame
from ggp.solver import write_table
from ggp.solver.sweep import fact_axis, sweep
from tests.solver.test_chance import RACE

polars = pytest.importorskip("polars")


@pytest.mark.parametrize("name", ["nim/rows", "puzzles/hanoi", "three-players/last-match", "race"])
def test_a_frame_is_the_table_that_is_written(name, tmp_path) -> None:
    game = ggp.parse(RACE) if name == "race" else ggp.games.load(name)
    solution = game.solve(method="positions")
    frame = solution.polars()
    file = tmp_path / "table.csv"
    write_table(file, game)
    with file.open(newline="", encoding="utf-8") as lines:
        header, *rows = csv.reader(lines)
    names = [n for n in header if n != "nim_value" or "nim_value" in frame.columns]
    keep = [header.index(n) for n in names]
    assert frame.columns == names
    shown = [[("" if v is None else str(v)) for v in row] for row in frame.rows()]
    assert shown == [[row[i] for i in keep] for row in rows]
    assert frame.schema["position"] == polars.Int64


def test_a_parquet_file_is_the_frame(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    game = ggp.games.load("nim/rows")
    file = tmp_path / "table.parquet"
    write_table(file, game)
    frame = game.solve(method="positions").polars()
    assert polars.read_parquet(file).equals(frame)
    assert ggp.tablebase(file).polars().rows() == frame.rows()


def test_frames_answer_questions() -> None:
    """Which positions are lost for the player to move: those of nim-value 0."""
    game = ggp.games.load("nim/rows")
    frame = game.solve(method="positions").polars()
    lost = frame.filter(polars.col("turn") != polars.col("result"))
    zero = frame.filter(polars.col("nim_value") == 0)
    assert lost["position"].to_list() == zero["position"].to_list() != []


def test_a_sweep_is_a_frame() -> None:
    game = ggp.games.load("nim/rows")
    axes = [fact_axis("row 1=0..3"), fact_axis("row 2=0..3")]
    cells, _ = sweep(game, axes, with_best=True)
    frame = grid_frame(cells, axes, game.players)
    header, *rows = csv.reader(io.StringIO(grid_csv(cells, axes, game.players)))
    assert frame.columns == header
    shown = [[f"{v:g}" if isinstance(v, float) else str(v) for v in row] for row in frame.rows()]
    assert shown == rows
    assert frame.schema["row 1"] == frame.schema["nim_value"] == polars.Int64
    third = 5
    for first, second, value in frame.select("row 1", "row 2", "nim_value").rows():
        assert value == first ^ second ^ third


def test_axes_that_are_called_like_columns_get_a_number() -> None:
    text = """(role a) (role b) (init (outcome 1)) (init (control a)) (succ 0 1) (succ 1 2)
        (<= (legal ?p take) (true (control ?p)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (outcome ?m)) (true (outcome ?n)) (succ ?m ?n))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= terminal (true (outcome 0)))
        (<= (goal ?p 0) (true (control ?p)))
        (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""
    game = ggp.parse(text)
    axes = [fact_axis("outcome=0..2")]
    cells, _ = sweep(game, axes)
    frame = grid_frame(cells, axes, game.players)
    assert frame.columns[:2] == ["outcome #1", "outcome"]
    assert frame["outcome #1"].to_list() == [0, 1, 2]


def test_without_polars_the_extra_is_named(monkeypatch) -> None:
    solution = ggp.games.load("nim/rows").solve(method="positions")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match=r"pip install 'ggp\[exchange\]'"):
        solution.polars()
    with pytest.raises(InputError, match="polars"):
        grid_frame([], [], ())
