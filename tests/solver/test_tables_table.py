"""Tables of small games whose positions are drawn by hand: every row, and what cannot be written.

Games are graphs: a place is a word, of which a line says who moves from it where to.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.errors import InputError, LimitReached
from ggp.limits import Budget, Limits
from ggp.solver import tables as module
from ggp.solver import write_table
from ggp.solver.columns import states_as_columns as columns
from ggp.solver.enumerated import GameSolution
from ggp.solver.tables import require_format

Row = tuple[Any, ...]


def graph_game(roles: str, moves: str, ends: Mapping[str, str], start: str = "s") -> ggp.Game:
    """`moves`: `a s x y` says that `a` moves from s to x or y; `ends`: goals in the order of
    roles."""
    names = roles.split()
    lines = [f"(role {role})" for role in names] + [f"(init (at {start}))"]
    for line in moves.split(","):
        mover, place, *targets = line.split()
        for target in targets:
            lines += [f"(<= (legal {mover} (go {target})) (true (at {place})))"]
            lines += [f"(<= (next (at {target})) (true (at {place})) (does {mover} (go {target})))"]
        lines += [
            f"(<= (legal {role} noop) (true (at {place})))" for role in names if role != mover
        ]
    for place, goals in ends.items():
        lines += [f"(<= terminal (true (at {place})))"]
        players = [role for role in names if role != "random"]
        lines += [
            f"(<= (goal {role} {goal}) (true (at {place})))"
            for role, goal in zip(players, goals.split(), strict=True)
        ]
    return ggp.parse("\n".join(lines))


def written(game: ggp.Game, tmp_path: Path, **more: Any) -> tuple[list[str], dict[str, Row]]:
    """The names of the columns, and the rows by place, without the number and the place."""
    file = tmp_path / "t.csv"
    count = write_table(file, game, **more)
    with file.open(newline="", encoding="utf-8") as lines:
        header, *rows = csv.reader(lines)
    assert header[:2] == ["position", "(at ?)"]
    assert [row[0] for row in rows] == [str(n) for n in range(count)]
    return header[2:], {row[1]: tuple(row[2:]) for row in rows}


TWO = "a s p q, b p win lost, a q won r, b r t u, a t won, a u won"
TWO_ENDS = {"win": "100 0", "lost": "0 100", "won": "100 0"}
"""From s to p, where b would win or lose, or to q, where a may win at once or in three moves."""


def test_rows_of_two_players(tmp_path: Path) -> None:
    """Nothing tells whose turn it is where all are forced."""
    names, rows = written(graph_game("a b", TWO, TWO_ENDS), tmp_path)
    assert names == ["turn", "goal a", "goal b", "result", "distance", "best"]
    assert rows == {
        "s": ("a", "100.0", "0.0", "a", "2", "(go q)"),
        "p": ("b", "0.0", "100.0", "b", "1", "(go lost)"),
        "q": ("a", "100.0", "0.0", "a", "1", "(go r); (go won)"),
        "r": ("b", "100.0", "0.0", "a", "2", "(go t); (go u)"),
        "t": ("", "100.0", "0.0", "a", "1", ""),
        "u": ("", "100.0", "0.0", "a", "1", ""),
        "win": ("", "100.0", "0.0", "a", "0", ""),
        "lost": ("", "0.0", "100.0", "b", "0", ""),
        "won": ("", "100.0", "0.0", "a", "0", ""),
    }


def test_rows_of_misere_play(tmp_path: Path) -> None:
    """All is lost for a, who puts it off."""
    _, rows = written(graph_game("a b", TWO, TWO_ENDS), tmp_path, misere=True)
    assert rows == {
        "s": ("a", "0.0", "100.0", "b", "4", "(go p); (go q)"),
        "p": ("b", "0.0", "100.0", "b", "1", "(go win)"),
        "q": ("a", "0.0", "100.0", "b", "3", "(go r); (go won)"),
        "r": ("b", "0.0", "100.0", "b", "2", "(go t); (go u)"),
        "t": ("", "0.0", "100.0", "b", "1", ""),
        "u": ("", "0.0", "100.0", "b", "1", ""),
        "win": ("", "0.0", "100.0", "b", "0", ""),
        "lost": ("", "100.0", "0.0", "a", "0", ""),
        "won": ("", "0.0", "100.0", "b", "0", ""),
    }


def test_rows_where_play_may_go_round(tmp_path: Path) -> None:
    """b may leave the circle of w and y, and would lose; z is won by a, who
    loses nothing by waiting there."""
    ends = {"won": "100 0", "drawn": "50 50", "lost": "0 100"}
    moves = "a w y drawn lost, b y w z, a z won z"
    _, rows = written(graph_game("a b", moves, ends, "y"), tmp_path)
    assert rows["y"] == ("b", "", "", "endless", "", "(go w)")
    assert rows["w"][:5] == ("a", "", "", "endless", "")
    assert rows["z"] == ("a", "100.0", "0.0", "a", "1", "(go won); (go z)")
    assert rows["drawn"] == ("", "50.0", "50.0", "draw", "0", "")
    assert rows["lost"] == ("", "0.0", "100.0", "b", "0", "")


def test_the_winner_alone_says_how_long_it_takes_where_play_may_go_round(tmp_path: Path) -> None:
    """Also where the rules know a better goal, which is out of reach: b cannot end play so soon."""
    ends = {"best": "60 0", "won": "50 10"}
    _, rows = written(graph_game("a b", "a n best s, a s won x, b x won s", ends, "n"), tmp_path)
    assert rows["s"][3:5] == ("a", "1")
    assert rows["x"][3:5] == ("a", "2")
    assert rows["n"][3:5] == ("a", "1")


def test_endless_play_of_two_who_are_not_opposed_has_no_result(tmp_path: Path) -> None:
    game = graph_game("a b", "a s x y, b x s f, a y e f", {"e": "30 10", "f": "10 10"})
    _, rows = written(game, tmp_path)
    assert rows["s"] == ("a", "", "", "", "", "")
    assert rows["x"] == ("b", "", "", "", "", "")
    assert rows["y"] == ("a", "30.0", "10.0", "a", "1", "(go e)")


def test_rows_of_one_player(tmp_path: Path) -> None:
    """There is nobody to beat; from y no end is within reach."""
    names, rows = written(
        graph_game("a", "a s x y, a x s e, a y y z, a z z", {"e": "70"}), tmp_path
    )
    assert names == ["turn", "goal a", "result", "distance", "best"]
    assert rows == {
        "s": ("a", "70.0", "", "2", "(go x)"),
        "x": ("a", "70.0", "", "1", "(go e)"),
        "y": ("a", "", "endless", "", ""),
        "z": ("a", "", "endless", "", ""),
        "e": ("", "70.0", "", "0", ""),
    }


def test_rows_of_chance(tmp_path: Path) -> None:
    """Nobody has won where scores are means, and chance has no best move."""
    game = graph_game("a random", "random s x y, a x e f, a y f", {"e": "70", "f": "11"})
    _, rows = written(game, tmp_path)
    assert rows["s"][:3] == ("", "40.5", "")
    assert rows["s"][4] == ""
    assert rows["x"] == ("a", "70.0", "", "1", "(go e)")
    assert rows["y"] == ("a", "11.0", "", "1", "(go f)")
    assert rows["e"] == ("", "70.0", "", "0", "")


def test_rows_of_three_players(tmp_path: Path) -> None:
    """What is left to b, who does not mind, depends; and so does what comes to that."""
    ends = {"e": "10 20 30", "f": "20 20 5"}
    _, rows = written(graph_game("a b c", "a s x y, b x e f, c y f x", ends), tmp_path)
    assert rows["e"] == ("", "10.0", "20.0", "30.0", "c", "0", "")
    assert rows["f"] == ("", "20.0", "20.0", "5.0", "draw", "0", "")
    assert (rows["x"][0], *rows["x"][4:]) == ("b", "depends", "1", "(go e); (go f)")
    assert rows["s"][4] == "depends"


def test_positions_of_several_starts_are_written(tmp_path: Path) -> None:
    game = graph_game("a b", TWO, TWO_ENDS)
    starts = [game.state([f"(at {place})"]) for place in "pt"]
    _, rows = written(game, tmp_path, starts=starts)
    assert sorted(rows) == ["lost", "p", "t", "win", "won"]


@pytest.mark.parametrize("size", [1, 2, 8, 9, 10])
def test_it_does_not_matter_how_many_rows_are_made_together(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = graph_game("a b", TWO, TWO_ENDS)
    whole = written(game, tmp_path)
    monkeypatch.setattr(module, "CHUNK", size)
    assert written(game, tmp_path) == whole
    polars = pytest.importorskip("polars")
    solution = game.solve(method="positions")
    assert isinstance(solution, GameSolution)
    frame = solution.polars()
    assert frame["position"].to_list() == list(range(9))
    assert dict(frame.select("(at ?)", "best").rows()) == {k: v[-1] for k, v in whole[1].items()}
    assert frame.schema["best"] == polars.String


HEAP = """(role a) (role b) (init (heap 3)) (init (control a)) (init new) (succ 0 1) (succ 1 2)
(succ 2 3) (less 0 1) (less 0 2) (less 1 2) (less 1 3) (less 2 3)
(<= (legal ?p (to ?m)) (true (control ?p)) (true (heap ?n)) (less ?m ?n))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?m)) (does ?p (to ?m)))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= terminal (true (heap 0))) (<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""
"""A heap of three, of which each takes one or two by turns: lost are 0 and 3."""


def test_rows_of_an_impartial_game_have_nim_values(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    assert write_table(file, ggp.parse(HEAP)) == 6
    header, *rows = list(csv.reader(file.read_text().splitlines()))
    assert sorted(header[1:4]) == ["(control ?)", "(heap ?)", "new"]
    assert header[4:] == [
        "turn", "goal a", "goal b", "result", "distance", "nim_value", "best",
    ]  # fmt: skip
    places = [header.index(name) for name in ("(heap ?)", "(control ?)", "new")]
    assert {"".join(row[i] for i in places): tuple(row[4:]) for row in rows} == {
        "3a1": ("a", "0.0", "100.0", "b", "2", "0", "(to 1); (to 2)"),
        "2b0": ("b", "0.0", "100.0", "b", "1", "2", "(to 0)"),
        "1b0": ("b", "0.0", "100.0", "b", "1", "1", "(to 0)"),
        "1a0": ("a", "100.0", "0.0", "a", "1", "1", "(to 0)"),
        "0a0": ("a", "0.0", "100.0", "b", "0", "0", ""),
        "0b0": ("b", "100.0", "0.0", "a", "0", "0", ""),
    }
    write_table(file, ggp.parse(HEAP), misere=True)
    assert "nim_value" not in file.read_text()


def test_frames_have_the_narrowest_types() -> None:
    polars = pytest.importorskip("polars")
    common = {
        "position": polars.Int64, "(heap ?)": polars.String, "(control ?)": polars.String,
        "new": polars.Int8, "turn": polars.String, "goal a": polars.Float64,
        "goal b": polars.Float64, "result": polars.String, "distance": polars.Int32,
    }  # fmt: skip
    game = ggp.parse(HEAP)
    solution = game.solve(method="positions")
    assert isinstance(solution, GameSolution)
    more = {"nim_value": polars.Int16, "best": polars.String}
    assert dict(module.frame(solution).schema) == {**common, **more}
    other = game.solve(method="positions", misere=True)
    assert isinstance(other, GameSolution)
    assert dict(module.frame(other).schema) == {**common, "best": polars.String}


def test_an_account_that_is_spent_ends_a_frame() -> None:
    pytest.importorskip("polars")
    solution = ggp.parse(HEAP).solve(method="positions")
    assert isinstance(solution, GameSolution)
    with pytest.raises(LimitReached, match="0 of 6 positions written"):
        module.frame(solution, Budget(Limits(seconds=0)))


@pytest.mark.parametrize("misere", [False, True])
def test_a_parquet_file_says_what_it_is_of(misere: bool, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "t.parquet"
    game = ggp.parse(HEAP, "heap")
    assert write_table(file, game, misere=misere) == 6
    table = parquet.read_table(file)
    kinds = {field.name: field.type for field in table.schema}
    assert list(kinds)[-1] == "best"
    columns = {name: str(kind) for name, kind in kinds.items()}
    assert kinds.pop("nim_value", None) == (None if misere else arrow.int16())
    assert kinds == {
        "position": arrow.int64(), "(heap ?)": arrow.string(), "(control ?)": arrow.string(),
        "new": arrow.int8(), "turn": arrow.string(), "goal a": arrow.float64(),
        "goal b": arrow.float64(), "result": arrow.string(), "distance": arrow.int32(),
        "best": arrow.string(),
    }  # fmt: skip
    assert json.loads(table.schema.metadata[b"ggp"]) == {
        "format": "ggp-tablebase/1",
        "game": game.name,
        "sha256": game.rules.digest,
        "roles": ["a", "b"],
        "columns": columns,
    }
    assert sorted(table["(heap ?)"].to_pylist()) == list("001123")
    # Who takes the last counter wins, or loses.
    ends = [row for row in table.to_pylist() if row["distance"] == 0]
    assert len(ends) == 2
    assert all(row["goal a"] == (100 if (row["turn"] == "b") != misere else 0) for row in ends)


def test_a_group_of_which_two_hold_is_no_column() -> None:
    game = ggp.parse(HEAP)
    fluents = list(map(str, game.net.fluents))
    held = np.zeros((2, len(fluents)), dtype=np.bool_)
    held[0, [fluents.index("(heap 3)"), fluents.index("(control a)")]] = True
    for more, names in (
        (["(heap 2)"], ["(control ?)", "(heap ?)", "new"]),
        (["(heap 2)", "(heap 1)"], ["(control ?)", *(f"(heap {n})" for n in range(4)), "new"]),
    ):
        held[1] = False
        held[1, [fluents.index(name) for name in more]] = True
        found = columns(game, held)
        assert sorted(column.name for column in found) == names
        assert sorted(f for column in found for f in column.fluents) == list(range(len(fluents)))
        assert [column.fluents for column in found] == sorted(c.fluents for c in found)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("t.csv", True),
        ("t.parquet", True),
        ("t.x.csv", True),
        ("t.json", False),
        ("t.CSV", False),
        ("csv", False),
        ("t.csv.gz", False),
    ],
)
def test_tables_are_written_to_files_of_two_kinds(name: str, is_one: bool, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / name
    if is_one:
        require_format(file)
        return
    for refuse in (require_format, lambda file: write_table(file, ggp.parse(HEAP))):
        with pytest.raises(InputError, match=r"a table is written as \.csv or \.parquet") as caught:
            refuse(file)
        assert caught.value.file == str(file)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_folder_that_is_missing_is_told(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / "missing" / f"t{suffix}"
    with pytest.raises(InputError, match="No such file or directory") as caught:
        write_table(file, ggp.parse(HEAP))
    assert caught.value.file == str(file)


def test_without_pyarrow_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    require_format(tmp_path / "t.csv")
    with pytest.raises(InputError, match=r"pip install 'ggp\[table\]'"):
        require_format(tmp_path / "t.parquet")
