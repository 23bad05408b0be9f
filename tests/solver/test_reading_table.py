"""Tables of packed layers read back: of small games, in row groups of a few positions."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.errors import InputError, UnknownName
from ggp.limits import Budget
from ggp.solver.folding import Folding
from ggp.solver.gdl import GdlTree
from ggp.solver.layers import (
    images,
    kernels,
    keys,
    leading,
    moving,
    part,
    ranks,
    reading,
    tablebase,
)
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.reading import LayerTable, _Group, _term
from ggp.solver.layers.solution import LayerSolution
from tests.solver.plain import plain
from tests.solver.together import Together
from tests.solver.two_heaps import ALONE, heaps, parts_of, states_of

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

# Words of keys overflow, as they should.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled, and row groups are of four positions."""
    for module in (images, keys, leading, moving, part, ranks):
        monkeypatch.setattr(module, "kernels", plain(kernels))
    monkeypatch.setattr(tablebase, "GROUP", 4)


def table_of(
    folder: Path, game: ggp.Game, parts: int = 1, *, misere: bool = False, folded: bool = False
) -> LayerTable:
    if folded:
        pytest.importorskip("igraph")
    keeping = Keeping(threads=1, elsewhere=Together(parts) if parts > 1 else None)
    solution = LayerSolution(
        Positions(game, Budget(game.limits)),
        keeping=keeping,
        misere=misere,
        folding=Folding.of(game) if folded else None,
    )
    count = solution.write_table(folder, Budget(game.limits))
    table = LayerTable(folder)
    assert len(table) == count
    return table


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("parts", "folded"), [(1, False), (1, True), (2, False), (4, True)])
def test_every_position_is_found(parts: int, folded: bool, misere: bool, tmp_path: Path) -> None:
    """One, then four of b, six of a, and three of b again: 14 in all."""
    game = heaps()
    table = table_of(tmp_path, game, parts, misere=misere, folded=folded)
    states = states_of(game)
    assert len(states) == 14
    assert len(table) == (
        14 if not folded else len({(*sorted(s), t) for s, t in map(parts_of, states)})
    )

    def wins(sizes: list[int]) -> bool:
        """Whether who is to move wins."""
        if not any(sizes):
            return misere
        return not all(map(wins, options(sizes)))

    def options(sizes: list[int]) -> list[list[int]]:
        return [[*sizes[:h], m, *sizes[h + 1 :]] for h in (0, 1) for m in range(sizes[h])]

    def moves(sizes: list[int]) -> int:
        """In how many moves play ends, if the winner is as quick as can be, and the loser slow."""
        if wins(sizes):
            return 1 + min((moves(o) for o in options(sizes) if not wins(o)), default=-1)
        return 1 + max(map(moves, options(sizes)), default=-1)

    for state in states:
        sizes, turn = parts_of(state)
        other = "ab".replace(turn, "")
        winner = turn if wins(sizes) else other
        told = {
            "turn": turn,
            "goals": {p: 100 if p == winner else 0 for p in "ab"},
            "result": winner,
            **({} if parts > 1 else {"distance": moves(sizes)}),
        }
        assert table[state.facts] == table[list(map(str, state.facts))] == told
        good = [
            f"(to {h + 1} {m})"
            for h in (0, 1)
            for m in range(sizes[h])
            if wins([*sizes[:h], m, *sizes[h + 1 :]]) == (winner == other)
        ]
        assert table[state] == {**told, "best": tuple(good)}


def test_facts_of_no_position_are_told(tmp_path: Path) -> None:
    table = table_of(tmp_path, heaps())
    first = ["(heap 1 2)", "(heap 2 2)", "(control a)"]
    assert table[first] == table[reversed(first)] == table[[*first, first[0]]]
    for facts in (
        [],
        first[:2],
        first[1:],
        [*first, "(heap 1 1)"],
        [*first, "(heap 1 3)"],
        [*first, "(control b)"],
        ["(heap 1 2)", "(heap 2 2)", "(control b)"],
        ["(heap 1 2)", "(heap 2 2)", "(control c)"],
        ["nothing"],
    ):
        with pytest.raises(UnknownName, match=r"^no position of the table: "):
            table[facts]
    with pytest.raises(UnknownName) as caught:
        table[["a", "(b x)"]]
    assert str(caught.value) == "no position of the table: (b x) a"


@pytest.mark.parametrize("wrong", ["", "(heap 1 2", "a b", "(heap 1 2) (heap 2 2)", ")"])
def test_what_is_not_one_fact_is_told(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownName) as caught:
        _term(wrong)
    assert str(caught.value) == f"{wrong!r} is not one fact"


def test_facts_may_be_terms() -> None:
    term = ggp.Term("heap", (ggp.Term("1"), ggp.Term("2")))
    assert _term(term) is term
    assert _term(" ( heap 1 2 ) ") == term


@pytest.mark.parametrize("odd", [5, None, "(control a)", ggp.Term("control"), 1.5])
def test_a_position_is_a_state_or_facts(odd: Any, tmp_path: Path) -> None:
    table = table_of(tmp_path, heaps())
    with pytest.raises(TypeError, match="a State, or a list of facts"):
        table[odd]


def test_states_of_other_rules_are_told(tmp_path: Path) -> None:
    table = table_of(tmp_path, heaps())
    assert table[heaps().initial]["result"] == "b"
    with pytest.raises(UnknownName) as caught:
        table[heaps(won=99).initial]
    assert str(caught.value) == "the table is of heaps, and not of these rules"


def test_a_table_says_what_it_is_and_comes_back_from_a_pickle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(tmp_path / "t", heaps(), 2)
    assert repr(table) == "<LayerTable of heaps: 14 positions>"
    assert table.notes["players"] == ["a", "b"]
    monkeypatch.chdir(tmp_path)
    told = pickle.dumps(LayerTable(Path("t")))
    monkeypatch.chdir("/")
    again = pickle.loads(told)
    assert again.folder == tmp_path / "t"
    assert len(again) == 14
    assert again[heaps().initial] == table[heaps().initial]


def test_all_columns_are_a_frame(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    frame = table_of(tmp_path, heaps(), 2).polars().collect()
    assert len(frame) == 14
    assert sorted(frame["goal a"].to_list()) == sorted(
        100 if row["result"] == "a" else 0 for row in frame.rows(named=True)
    )


def test_one_player_has_goals_and_no_result(tmp_path: Path) -> None:
    """Whoever goes twice comes by the mark."""
    game = ggp.parse(ALONE)
    table = table_of(tmp_path, game)
    rows = {" ".join(sorted(map(str, s.facts))): table[s] for s in states_of(game)}
    assert {facts: row["goals"]["a"] for facts, row in rows.items()} == {
        "(at 2)": 30,
        "(at 1)": 30,
        "(at 0)": 5,
        "(at 0) mark": 30,
    }
    assert {row["result"] for row in rows.values()} == {None}
    assert {facts: row["best"] for facts, row in rows.items()} == {
        "(at 2)": ("go",),
        "(at 1)": ("go",),
        "(at 0)": (),
        "(at 0) mark": (),
    }


@pytest.mark.parametrize(("held", "reads"), [(1, 6), (2, 4), (3, 3), (64, 3)])
def test_row_groups_that_were_used_last_are_kept(
    held: int, reads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of groups 0, 1, 0, 2, 0, 1: of two, the first is kept as it is used again and again."""
    monkeypatch.setattr(reading, "HELD", held)
    table = table_of(tmp_path, heaps())
    seen: list[int] = []
    file = table._parts[0]
    read = file.read

    def counted(group: int, *more: Any) -> _Group:
        seen.append(group)
        return read(group, *more)

    monkeypatch.setattr(file, "read", counted)
    for group in (0, 1, 0, 2, 0, 1):
        table._group(0, group)
    assert len(seen) == reads
    assert len(table._held) == min(held, 3)
    assert list(table._held)[-1] == (0, 1)


GROUP = _Group(
    np.array([-2, -2, 0, 0, 0, 0, 3], dtype=np.int32),
    np.array([[5, 1], [9, 0], [1, 1], [5, 0], [5, 2], [2**64 - 1, 7], [5, 2]], dtype=np.uint64),
    {},
    None,
    None,
)


@pytest.mark.parametrize(
    ("rank", "key", "place"),
    [
        (-2, [5, 1], 0),
        (-2, [9, 0], 1),
        (-2, [5, 0], None),
        (-2, [5, 2], None),
        (-2, [9, 1], None),
        (-1, [5, 1], None),
        (0, [1, 1], 2),
        (0, [5, 0], 3),
        (0, [5, 2], 4),
        (0, [5, 1], None),
        (0, [5, 3], None),
        (0, [2**64 - 1, 7], 5),
        (0, [2**64 - 1, 8], None),
        (0, [0, 0], None),
        (3, [5, 2], 6),
        (3, [5, 0], None),
        (4, [5, 2], None),
        (-3, [5, 1], None),
    ],
)
def test_the_place_of_a_key_in_a_row_group(rank: int, key: list[int], place: int | None) -> None:
    assert GROUP.place(rank, np.array(key, dtype=np.uint64)) == place


def altered(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Write a file again with other notes."""
    whole = parquet.read_table(path)
    notes = json.loads(whole.schema.metadata[b"ggp"])
    change(notes)
    parquet.write_table(whole.replace_schema_metadata({"ggp": json.dumps(notes)}), path)


FLUENTS = 8
"""Of the two heaps six, and whose turn it is."""


@pytest.mark.parametrize(
    ("change", "is_table"),
    [
        (lambda notes: None, True),
        (lambda notes: notes.update(misere=0), True),
        (lambda notes: notes.update(format="ggp-tablebase/1"), False),
        (lambda notes: notes.pop("format"), False),
        (lambda notes: notes.update(part="0"), False),
        (lambda notes: notes.update(part=None), False),
        (lambda notes: notes.update(rules=None), False),
        (lambda notes: notes.update(rules=7), False),
        (lambda notes: notes.pop("rules"), False),
        (lambda notes: notes.pop("fluents"), False),
        (lambda notes: notes.pop("players"), False),
        (lambda notes: notes.pop("misere"), False),
        (lambda notes: notes["fluents"].__setitem__(0, notes["fluents"][1]), False),
        (lambda notes: notes.update(fields=[[0]]), False),
        (lambda notes: notes.update(fields="fields"), False),
        (
            lambda notes: notes["weights"].append(
                [FLUENTS - 1, dict(notes["weights"])[FLUENTS - 1]]
            ),
            True,
        ),
        (lambda notes: notes["weights"].append([FLUENTS, 1]), False),
        (lambda notes: notes["weights"].append([-1, 1]), False),
        (lambda notes: notes["weights"].append([0]), False),
        (lambda notes: notes.update(weights=None), False),
        (lambda notes: notes.update(symmetries=[[*range(FLUENTS)]]), False),
        (lambda notes: notes.update(symmetries=[[*range(FLUENTS - 1)]]), False),
        (lambda notes: notes.update(symmetries=[[*range(FLUENTS + 1)]]), False),
        (lambda notes: notes.update(symmetries=[[0, *range(FLUENTS - 1)]]), False),
        (lambda notes: notes.update(symmetries=[["x"]]), False),
    ],
)
def test_notes_that_make_no_sense_are_refused(
    change: Callable[[dict[str, Any]], Any], is_table: bool, tmp_path: Path
) -> None:
    table_of(tmp_path, heaps())
    [path] = tmp_path.iterdir()
    altered(path, change)
    if is_table:
        assert LayerTable(tmp_path)[heaps().initial]["result"] == "b"
        return
    with pytest.raises(InputError, match="no table of positions, or one that was altered"):
        LayerTable(tmp_path)


def test_notes_may_be_as_long_as_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table_of(tmp_path, heaps())
    [path] = tmp_path.iterdir()
    length = len(parquet.read_schema(path).metadata[b"ggp"])
    monkeypatch.setattr(reading, "MAX_NOTES", length)
    LayerTable(tmp_path)
    monkeypatch.setattr(reading, "MAX_NOTES", length - 1)
    with pytest.raises(InputError, match="no table of positions"):
        LayerTable(tmp_path)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["part-00000-of-00001"], None),
        (["part-00000-of-00002"], "part-00001-of-00002.parquet is missing"),
        (["part-00001-of-00002"], "part-00000-of-00002.parquet is missing"),
        (["part-00000-of-00003", "part-00002-of-00003"], "part-00001-of-00003.parquet is missing"),
        (["part-00000-of-00001", "part-00000-of-00002"], "files of several tables"),
        (["part-00000-of-00001", "part-00001-of-00001"], "files of several tables"),
        (["part-00000-of-00002", "part-00001-of-00002"], "of another table"),
        (["part-00000-of-00000"], "files of several tables"),
        (["part-0-of-1"], "no table of positions"),
        ([], "no table of positions"),
    ],
)
def test_a_table_is_all_of_its_files(names: list[str], why: str | None, tmp_path: Path) -> None:
    """Copies of one whole table under such names, beside a file of somebody else."""
    table_of(tmp_path / "one", heaps())
    [path] = (tmp_path / "one").iterdir()
    folder = tmp_path / "t"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    for name in names:
        (folder / f"{name}.parquet").write_bytes(path.read_bytes())
    if why is None:
        assert len(LayerTable(folder)) == 14
        return
    with pytest.raises(InputError, match=why):
        LayerTable(folder)


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file or directory") as caught:
        LayerTable(tmp_path / "missing")
    assert caught.value.file == str(tmp_path / "missing")


@pytest.mark.parametrize(
    ("name", "kind", "is_table"),
    [
        ("rank", arrow.int64(), False),
        ("key_0", arrow.int64(), False),
        ("goal a", arrow.int32(), False),
        ("goal b", arrow.float64(), False),
        ("turn", arrow.string(), False),
        ("result", arrow.string(), False),
        ("rank", None, False),
        ("key_0", None, False),
        ("goal b", None, False),
        ("turn", None, False),
        ("(heap 1 ?)", None, True),
        ("(heap 1 ?)", arrow.string(), True),
    ],
)
def test_columns_that_are_looked_at_are_of_their_kinds(
    name: str, kind: Any, is_table: bool, tmp_path: Path
) -> None:
    table_of(tmp_path, heaps())
    [path] = tmp_path.iterdir()
    whole = parquet.read_table(path)
    place = whole.column_names.index(name)
    other = whole.remove_column(place)
    if kind is not None:
        zeros = arrow.array([0] * len(whole), kind) if name == "key_0" else None
        other = other.add_column(place, name, zeros or whole[name].cast(kind))
    parquet.write_table(other.replace_schema_metadata(whole.schema.metadata), path)
    if is_table:
        assert LayerTable(tmp_path)[heaps().initial]["result"] == "b"
        return
    with pytest.raises(InputError, match="no table of positions, or one that was altered"):
        LayerTable(tmp_path)


def test_best_moves_are_those_of_the_rules(tmp_path: Path) -> None:
    """The goals after each move, of the role that makes it."""
    game = heaps(lost=20, won=80)
    table = table_of(tmp_path, game)
    tree = GdlTree(game)
    for state in states_of(game):
        if not state.terminal:
            mover = tree.mover(state)
            worth = {str(m): table[s.facts]["goals"][mover] for m, s in tree.moves(state).items()}
            best = sorted(m for m, goal in worth.items() if goal == max(worth.values()))
            assert table[state]["best"] == tuple(best)
            assert table[state]["goals"][mover] == max(worth.values())


LAMP = """(role a) (init (at x)) (legal a go) (legal a wait) (to x y) (to y x)
(<= (next (at ?z)) (true (at ?y)) (to ?y ?z)) (<= (next (step 1)) (not stepped))
(<= stepped (true (step ?n))) (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
(after 1 2) (after 2 3) (<= (next lit) (does a go)) (<= terminal (true (step 3)))
(<= (goal a 100) (true lit)) (<= (goal a 0) (not (true lit)))"""
"""A lamp, a place that is one of two, and a clock that does not run at first."""


def test_columns_of_a_table_tell_what_holds(tmp_path: Path) -> None:
    """A fluent by itself by 1 and 0, what is one of several, two or more, by a text."""
    table_of(tmp_path, ggp.parse(LAMP))
    [path] = tmp_path.iterdir()
    read = parquet.read_table(path)
    found = zip(*(read[name].to_pylist() for name in ("(step ?)", "(at ?)", "lit")), strict=True)
    assert set(found) == {
        (None, "x", 0),
        *(("1", "y", lit) for lit in (0, 1)),
        *(("2", "x", lit) for lit in (0, 1)),
        *(("3", "y", lit) for lit in (0, 1)),
    }
