"""Tables of positions that are written out: what they say of a list of facts."""

from __future__ import annotations

from random import Random

import pytest

import ggp
from ggp.errors import InputError, UnknownName
from ggp.kif import Term, read_terms
from ggp.solver.lookup import Tablebase
from ggp.solver.tables import write_table
from tests.conftest import GAMES

TABLE = "position,(control ?),lit,(at ? ?),? #1,lamp #2,turn,"
TABLE += """goal left,goal right,result,distance,nim_value,best
0,left,1,1 2,won,0,left,100,0,left,2,3,(go 1); (go 2)
1,right,0,,won,1,right,0.5,99.5,right,1,0,(go (f x))
2,,1,2 1,,1,,,,endless,,,
3,left,0,1 1,lost,1,left,50,50.0,draw,0,,
"""
"""Of two groups in turn, a proposition, one with two holes, bare words, and a number in a name."""

FACTS = [
    {"(control left)", "lit", "(at 1 2)", "won"},
    {"(control right)", "won", "lamp"},
    {"lit", "(at 2 1)", "lamp"},
    {"(control left)", "(at 1 1)", "lost", "lamp"},
]


def read(text: str, tmp_path, name: str = "table.csv"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return ggp.tablebase(tmp_path / name)


@pytest.mark.parametrize("place", range(4))
def test_a_row_is_found_by_its_facts(place, tmp_path) -> None:
    table = read(TABLE, tmp_path)
    assert len(table) == 4
    assert table.facts(place) == FACTS[place]
    given = sorted(table.facts(place))
    terms = [term for fact in given for term in read_terms(fact, "a fact")]
    assert table[given] == table[given[::-1]] == table[terms] == table.row(place)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (0, ("left", {"left": 100, "right": 0}, "left", 2, 3, ("(go 1)", "(go 2)"))),
        (1, ("right", {"left": 0.5, "right": 99.5}, "right", 1, 0, ("(go (f x))",))),
        (2, (None, None, "endless", None, None, ())),
        (3, ("left", {"left": 50, "right": 50}, "draw", 0, None, ())),
    ],
)
def test_what_a_row_says(place, said, tmp_path) -> None:
    row = read(TABLE, tmp_path).row(place)
    assert list(row) == ["turn", "result", "distance", "nim_value", "best", "goals"]
    names = ("turn", "goals", "result", "distance", "nim_value", "best")
    assert tuple(row[name] for name in names) == said


def test_whole_numbers_are_whole(tmp_path) -> None:
    table = read(TABLE, tmp_path)
    assert [type(goal) for goal in table.columns["goal right"]] == [int, float, type(None), int]
    assert table.columns["position"] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "facts",
    [
        [],
        ["(control left)"],
        ["(control right)", "won"],  # and the lamp
        ["(control left)", "lit", "(at 1 2)", "won", "lamp"],
        ["(control left)", "(control right)", "lit", "(at 1 2)", "won"],  # two of one column
        ["(at 1 2)", "(at 2 1)", "lit", "lamp"],
        ["(control nobody)", "lit", "(at 2 1)"],
        ["(control left)", "lit", "(at 1 3)", "won"],
        ["unknown"],
        ["(lit)", "won lost"],  # not one fact
        [""],
    ],
)
def test_other_facts_are_no_position_of_the_table(facts, tmp_path) -> None:
    with pytest.raises(UnknownName):
        read(TABLE, tmp_path)[facts]


def test_a_position_is_in_the_table_or_not(tmp_path) -> None:
    table = read(TABLE, tmp_path)
    assert table.facts(0) in table
    assert ["(control left)"] not in table
    assert ["((", "lit"] not in table
    for wrong in ("(control left)", None, 3, [1]):
        with pytest.raises(TypeError, match=r"^a (position|fact) is"):
            table[wrong]
    with pytest.raises(TypeError):
        iter(table)


@pytest.mark.parametrize(
    ("columns", "facts"),
    [
        # All rows have it: without it there is no row.
        ({"lit": ["1", "1"], "(at ?)": ["1", "2"]}, [{"lit", "(at 1)"}, {"lit", "(at 2)"}]),
        ({"lit": [1, 0], "(at ?)": [None, 2]}, [{"lit"}, {"(at 2)"}]),
        ({"lit": [False, True]}, [set(), {"lit"}]),
        ({"(p ? b ?)": ["1 2", "2 1"]}, [{"(p 1 b 2)"}, {"(p 2 b 1)"}]),
        ({"(p (f x) ?)": ["1", "(g 2)"]}, [{"(p (f x) 1)"}, {"(p (f x) (g 2))"}]),
        ({"?": ["one", None], "? #2": [None, "two"]}, [{"one"}, {"two"}]),
        ({"lit": [0]}, [set()]),
    ],
)
def test_columns_stand_for_facts(columns, facts) -> None:
    count = len(facts)
    rest = {"turn": ["a"] * count, "result": ["a"] * count, "best": [""] * count}
    table = Tablebase({"position": list(range(count)), **columns, **rest})
    assert [table.facts(i) for i in range(count)] == facts
    for place, own in enumerate(facts):
        assert table[own] == table.row(place)
    assert table.row(0) == {"turn": "a", "result": "a", "best": (), "goals": {}}
    with pytest.raises(UnknownName):
        table[[Term("never")]]
    if columns.get("lit") == ["1", "1"]:
        with pytest.raises(UnknownName):
            table[["(at 1)"]]


@pytest.mark.parametrize(
    "text",
    [
        "position,turn,result\n0,a,a\n",
        "position,turn,best\n0,a,x\n",
        "position,result,best\n0,a,x\n",
        "number,turn,result,best\n0,a,a,x\n",
        "turn,position,result,best\na,0,a,x\n",
        "position,turn,result,best\n0,a,a\n",
        "position,turn,result,best\n0,a,a,x,y\n",
        "position,turn,turn,result,best\n0,a,a,a,x\n",
        "position,turn,result,distance,best\n0,a,a,far,x\n",
        "position,turn,goal a,result,best\n0,a,many,a,x\n",
        "position,turn,result,nim_value,best\n0,a,a,*1,x\n",
        "position,lit,turn,result,best\n0,on,a,a,x\n",
        "position,lit lit,turn,result,best\n0,1,a,a,x\n",
        "position,(lit,turn,result,best\n0,1,a,a,x\n",
        "position,(at ?),turn,result,best\n0,1 2,a,a,x\n",
        "position,(at ? ?),turn,result,best\n0,1,a,a,x\n",
        "position,?,turn,result,best\n0,1 2,a,a,x\n",
        "",
    ],
)
def test_what_is_no_table_is_refused(text, tmp_path) -> None:
    with pytest.raises(InputError):
        read(text, tmp_path)


def test_files_of_other_kinds_are_refused(tmp_path) -> None:
    with pytest.raises(InputError):
        read(TABLE, tmp_path, "table.txt")
    with pytest.raises(InputError):
        ggp.tablebase(tmp_path / "missing.csv")
    (tmp_path / "bytes.csv").write_bytes(b"position,turn,result,best\n0,\xff,a,x\n")
    with pytest.raises(InputError):
        ggp.tablebase(tmp_path / "bytes.csv")


def test_a_table_of_no_positions_has_none(tmp_path) -> None:
    table = read("position,lit,turn,result,best\n", tmp_path)
    assert len(table) == 0
    with pytest.raises(UnknownName):
        table[["lit"]]


def test_a_parquet_file_has_the_columns_that_it_says(tmp_path) -> None:
    """It may have others besides, of whoever wrote it anew."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "table.parquet"
    write_table(file, ggp.load(GAMES / "three-players/last-match.kif"))
    table, size = parquet.read_table(file), len(ggp.tablebase(file))
    parquet.write_table(table.append_column("own", arrow.array([1] * size)), file)
    assert len(ggp.tablebase(file)) == size
    parquet.write_table(table.drop_columns(["distance"]), file)
    with pytest.raises(InputError, match="are not there"):
        ggp.tablebase(file)


def test_a_damaged_parquet_file_is_refused_or_read_right(tmp_path) -> None:
    pytest.importorskip("pyarrow.parquet")
    file, bad = tmp_path / "table.parquet", tmp_path / "damaged.parquet"
    write_table(file, ggp.load(GAMES / "three-players/last-match.kif"))
    data, right = file.read_bytes(), ggp.tablebase(file).columns
    random, refused = Random(1), 0
    for _ in range(100):
        place = random.randrange(len(data))
        bad.write_bytes(
            data[:place] + bytes([data[place] ^ (1 << random.randrange(8))]) + data[place + 1 :]
        )
        try:
            assert ggp.tablebase(bad).columns == right
        except InputError:
            refused += 1
    assert refused > 50
