"""Positions in parts: the same layers as of one part, byte for byte, and tables of them."""

from __future__ import annotations

import pickle
import random
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.analysis import Positions
from ggp.errors import GgpError, InputError, LimitReached, NotSolvable, UnknownName
from ggp.limits import Budget, Limits
from ggp.solver import GameSolution, write_table
from ggp.solver.folding import Folding
from ggp.solver.layers import leading, moving, part, tablebase
from ggp.solver.layers.division import Division
from ggp.solver.layers.keys import unmixed
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.solution import LayerSolution
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game
from tests.solver.test_layers import Killed, Mortal, layered
from tests.solver.together import Together

SHEETS = [
    ("tic-tac-toe/tic-tac-toe.kif", {}),
    ("connect-four/connect-four.kif.jinja", {"columns": 3, "rows": 4, "line": 3}),
    ("nim/rows.kif.jinja", {"rows": 4}),
    ("subtraction/subtraction.kif.jinja", {"heaps": [4, 4, 4]}),
    ("domineering/domineering-3x4.kif", {}),
]


def divided(game: ggp.Game, parts: int, **options) -> LayerSolution:
    return layered(game, keeping=Keeping(threads=1, elsewhere=Together(parts)), **options)


def require_same(one: LayerSolution, many: LayerSolution) -> None:
    """The same ranks, and in each the same keys and values, byte for byte."""
    ours, theirs = one.layers, many.layers
    assert (ours.ranks, ours.scores, ours.total) == (theirs.ranks, theirs.scores, theirs.total)
    assert (ours.moves, len(ours)) == (theirs.moves, len(theirs))
    for rank in ours.ranks:
        for name in ("keys", "values"):
            own, other = (getattr(x.layers[rank].sorted(), name) for x in (ours, theirs))
            assert own.tobytes() == other.tobytes(), (rank, name)


@pytest.mark.parametrize("parts", [4, *nightly([2, 8])])
@pytest.mark.parametrize(("sheet", "settings"), SHEETS)
def test_games_of_the_library(sheet, settings, parts) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    require_same(layered(game), divided(game, parts))


def test_up_to_symmetry_and_under_misere_play() -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    folding = Folding.of(game)
    require_same(layered(game, folding=folding), divided(game, 4, folding=folding))
    require_same(layered(game, misere=True), divided(game, 4, misere=True))


@pytest.mark.parametrize("seeds", [range(5), *nightly([range(5, 80)])])
def test_random_games(seeds) -> None:
    """Those of two opposed roles in turn whose end is proved."""
    some = 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        try:
            one = layered(game)
        except NotSolvable:
            continue
        require_same(one, divided(game, 4))
        some += 1
    assert some > len(seeds) / 3


def test_neither_small_parts_nor_joined_runs_change_a_byte(monkeypatch) -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4)
    one = layered(game)
    monkeypatch.setattr(part, "RUNS", 1 << 40)
    monkeypatch.setattr(part, "LOOSE", 1 << 30)
    monkeypatch.setattr(moving, "EDGES", 16)
    monkeypatch.setitem(game.packed_machine.__dict__, "batch", 20)
    require_same(one, divided(game, 4))


@pytest.mark.parametrize("how", ["before", "between", "after"])
def test_killed_at_any_file_and_started_again(how, tmp_path, monkeypatch) -> None:
    """Any part, at any file: the same layers, and the folders of a whole run."""
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[1, 2])
    one = layered(game)
    many = 0
    while True:
        folder = tmp_path / f"{many}"
        monkeypatch.setattr(Mortal, "left", many)
        monkeypatch.setattr(Mortal, "how", how)
        try:
            layered(game, keeping=Keeping(checkpoint=folder, elsewhere=Together(2, Mortal)))
            break
        except Killed:
            pass
        again = layered(game, keeping=Keeping(checkpoint=folder, elsewhere=Together(2)))
        require_same(one, again)
        kept = {p.name.split("-")[0] for p in folder.glob("[01]/*.npy")}
        assert kept == {"keys", "moved", "values"}
        many += 1
    assert many > 10


def test_another_number_of_parts_is_another_folder(tmp_path) -> None:
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[1, 2])
    layered(game, keeping=Keeping(checkpoint=tmp_path, elsewhere=Together(2)))
    with pytest.raises(InputError, match="differs in parts"):
        layered(game, keeping=Keeping(checkpoint=tmp_path, elsewhere=Together(4)))


def test_limits_hold_for_all_parts_together() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3)
    few = Positions(game, Budget(Limits(packed_positions=3_000)))
    with pytest.raises(LimitReached, match="positions = 3,000"):
        LayerSolution(few, keeping=Keeping(elsewhere=Together(4)))


@pytest.mark.parametrize(("columns", "rows"), [(3, 4), pytest.param(4, 3, marks=pytest.mark.slow)])
def test_one_part_sends_nothing_and_two_send_half_of_what_they_come_to(columns, rows) -> None:
    sheet = GAMES / "connect-four" / "connect-four.kif.jinja"
    game = ggp.load(sheet, columns=columns, rows=rows, line=3)
    sent = {}
    for parts in (1, 2, 4):
        together = Together(parts)
        layered(game, keeping=Keeping(elsewhere=together))
        sent[parts] = together.traffic
    assert (sent[1].keys, sent[1].codes, sent[1].messages) == (0, 0, 0)
    edges = layered(game).moves
    # A code comes back for every move that leads to another part.
    assert abs(sent[2].codes / edges - 1 / 2) < 0.05
    assert abs(sent[4].codes / edges - 3 / 4) < 0.05


@given(
    st.lists(
        st.lists(st.integers(0, (1 << 64) - 1), min_size=2, max_size=2), min_size=1, max_size=9
    ),
    st.integers(0, 12),
)
def test_keys_within_a_part_are_the_keys_again(keys, bits) -> None:
    division = Division(bits)
    rows = np.array(keys, dtype=np.uint64).reshape(-1, 2)
    of = division.of(rows)
    assert ((of >= 0) & (of < division.parts)).all()
    for number in set(of.tolist()):
        own = rows[of == number]
        assert (division.whole(division.inside(own.copy()), number) == own).all()


# Tables


@pytest.fixture
def small(monkeypatch) -> None:
    """Row groups of a few positions, so that there are many."""
    monkeypatch.setattr(tablebase, "GROUP", 50)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("parts", [1, 4])
@pytest.mark.parametrize(("sheet", "settings"), SHEETS)
def test_a_table_says_what_the_solution_says(sheet, settings, parts, tmp_path) -> None:
    pytest.importorskip("pyarrow")
    game = ggp.load(GAMES / sheet, **settings)
    folding = Folding.of(game)
    solution = divided(game, parts, folding=folding) if parts > 1 else layered(game)
    count = solution.write_table(tmp_path / "table", Budget(game.limits))
    table = ggp.tablebase(tmp_path / "table")
    assert len(list((tmp_path / "table").iterdir())) == parts
    assert len(table) == count == solution.positions
    space = game.space()
    whole = GameSolution(game, space)
    for place in range(0, len(space), 1 + len(space) // 200):
        state = ggp.State(game, space.state(place))
        row = table[state]
        assert row["goals"] == whole.value(state)
        assert row["best"] == tuple(map(str, whole.best(state)))
        assert table[state.facts]["goals"] == row["goals"]
        winners = [p for p, goal in row["goals"].items() if goal > 50]
        assert row["result"] == (winners[0] if winners else "draw")
        assert row["turn"] == whole.to_move(state)


ALONE = """
(role a) (init (at 0)) (init (step 0))
(<= (legal a (go ?y)) (true (at ?x)) (way ?x ?y))
(<= (next (at ?y)) (does a (go ?y))) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(way 0 1) (way 0 2) (way 1 3) (way 2 2) (way 2 4) (way 3 3) (way 3 4) (way 3 2) (way 4 4)
(<= terminal (true (at 4))) (<= terminal (true (step 6)))
(<= (goal a 100) (true (at 4))) (<= (goal a 30) (not (true (at 4))))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
"""


def rows_of(game: ggp.Game, folder) -> list[tuple[ggp.State, dict]]:
    """The rows of a packed table of one file, each with the state that it is of."""
    parquet = pytest.importorskip("pyarrow.parquet")
    (file,) = folder.iterdir()
    rows = parquet.read_table(file).to_pylist()
    words = game.packed_machine.coding.words
    keys = np.array([[row[f"key_{k}"] for k in range(words)] for row in rows], dtype=np.uint64)
    states = game.packed_machine.states(unmixed(keys))
    return [(ggp.State(game, bits), row) for bits, row in zip(states, rows, strict=True)]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("sheet", "settings", "folded", "misere"),
    [
        *((sheet, settings, False, False) for sheet, settings in [*SHEETS[1:], (ALONE, {})]),
        *((*SHEETS[n], True, False) for n in (0, 1)),
        *((*SHEETS[n], False, True) for n in (2, 4)),
    ],
)
def test_best_moves_and_distances_of_a_table(sheet, settings, folded, misere, tmp_path) -> None:
    """They are those of the table that is written from an enumeration, position by position."""
    pytest.importorskip("pyarrow")
    if folded:
        pytest.importorskip("igraph")
    game = ggp.parse(sheet) if sheet is ALONE else ggp.load(GAMES / sheet, **settings)
    folding = Folding.of(game) if folded else None
    assert bool(folding) == folded
    solution = layered(game, folding=folding, misere=misere)
    solution.write_table(tmp_path / "table", Budget(game.limits))
    write_table(tmp_path / "all.csv", game, misere=misere)
    whole, table = ggp.tablebase(tmp_path / "all.csv"), ggp.tablebase(tmp_path / "table")
    rows = rows_of(game, tmp_path / "table")
    assert len(rows) == solution.positions
    for place, (state, row) in enumerate(rows):
        wanted = whole[state]
        if place % (1 + len(rows) // 50) == 0:
            read = table[state]
            assert (read["distance"], read["best"]) == (wanted["distance"], wanted["best"]), state
        assert row["distance"] == wanted["distance"], state
        assert tuple(filter(None, row["best"].split("; "))) == wanted["best"], state


@pytest.mark.parametrize("first", [0, *nightly(range(12, 84, 12))])
def test_best_moves_and_distances_of_random_games(first, tmp_path) -> None:
    pytest.importorskip("pyarrow")
    looked = 0
    for seed in range(first, first + 12):
        game = ggp.parse(random_game(seed))
        try:
            solution = layered(game)
        except GgpError:  # moves at once, faults of rules, no weights, roles not opposed
            continue
        looked += 1
        solution.write_table(tmp_path / f"{seed}", Budget(game.limits))
        write_table(tmp_path / f"{seed}.csv", game)
        whole = ggp.tablebase(tmp_path / f"{seed}.csv")
        for state, row in rows_of(game, tmp_path / f"{seed}"):
            wanted = whole[state]
            assert row["distance"] == wanted["distance"]
            assert tuple(filter(None, row["best"].split("; "))) == wanted["best"]
    assert looked > 3


PHASES = """(role a) (role b) (init (ph a)) (init (h 6))
(<= (next (ph m)) (true (ph a))) (<= (next (ph b)) (true (ph m))) (<= (next (ph a)) (true (ph b)))
(<= (legal ?p (x ?d)) (true (ph ?p)) (true (h ?m)) (d ?d ?m ?n))
(<= (legal ?p (x 0)) (role ?p) (not (true (ph ?p))))
(<= (d 1 ?m ?n) (succ ?n ?m)) (<= (d 2 ?m ?n) (succ ?n ?x) (succ ?x ?m))
(<= (next (h ?n)) (true (ph ?p)) (does ?p (x ?d)) (true (h ?m)) (d ?d ?m ?n))
(<= (next (h ?m)) (true (h ?m)) (true (ph m)))
(<= terminal (true (h 0))) (<= (goal a 100) (true (ph m))) (<= (goal a 0) (true (ph b)))
(<= (goal a 50) (true (ph a))) (<= (goal b 0) (true (ph m))) (<= (goal b 100) (true (ph b)))
(<= (goal b 50) (true (ph a)))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"""


def test_where_nobody_is_known_to_be_to_move_no_move_is_best(tmp_path) -> None:
    """Between the turns both have one move, in columns as where a state is looked up."""
    pytest.importorskip("pyarrow")
    game = ggp.parse(PHASES)
    layered(game).write_table(tmp_path / "t", Budget(game.limits))
    table = ggp.tablebase(tmp_path / "t")
    between = 0
    for state, row in rows_of(game, tmp_path / "t"):
        best = table[state]["best"]
        assert best == tuple(filter(None, row["best"].split("; ")))
        between += row["turn"] is None and not state.terminal
        assert bool(best) == (row["turn"] is not None and not state.terminal)
    assert between > 2


def test_distances_that_do_not_fit_the_memory_are_in_a_file(tmp_path, monkeypatch) -> None:
    """Of the folder of the table, in which nothing is left of it."""
    pytest.importorskip("pyarrow")
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4)
    layered(game).write_table(tmp_path / "one", Budget(game.limits))
    monkeypatch.setattr(leading, "memory_in_use", lambda: 1 << 60)
    layered(game).write_table(tmp_path / "two", Budget(game.limits))
    assert rows_of(game, tmp_path / "one") == rows_of(game, tmp_path / "two")


@pytest.mark.usefixtures("small")
def test_other_programs_read_the_table(tmp_path) -> None:
    """Counts by result, and a filter on what holds, of polars and of duckdb."""
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    divided(game, 4).write_table(tmp_path / "t", Budget(game.limits))
    files = str(tmp_path / "t" / "*.parquet")
    wanted = ggp.statistics(game).results
    frame = polars.scan_parquet(files)
    counted = frame.group_by("result").len().collect().rows()
    assert dict(counted) == wanted
    found = duckdb.sql(f"select result, count(*) from '{files}' group by result").fetchall()
    assert dict(found) == wanted
    cell = next(name for name in frame.collect_schema().names() if name.startswith("(cell"))
    assert ggp.tablebase(tmp_path / "t").polars().collect().shape == frame.collect().shape
    held = frame.filter(polars.col(cell) == "x").select(polars.len()).collect().item()
    fact = cell.replace("?", "x")
    space = game.space()
    states = (ggp.State(game, space.state(i)) for i in range(len(space)))
    assert held == sum(fact in map(str, state.facts) for state in states)


def test_what_is_no_position_of_the_table(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    layered(game).write_table(tmp_path / "t", Budget(game.limits))
    table = ggp.tablebase(tmp_path / "t")
    one = list(map(str, game.initial.facts))
    for facts in (
        [],
        one[:-1],
        [*one, "(cell 9 9 x)"],
        ["(", *one],
        [*one, one[0].replace(" b", " x")],
    ):
        with pytest.raises(UnknownName):
            table[facts]
    other = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2)
    with pytest.raises(UnknownName, match="not of these rules"):
        table[other.initial]
    # The same table is written anew, in whatever parts; nothing else is written over.
    divided(game, 2).write_table(tmp_path / "t", Budget(game.limits))
    assert sorted(path.name[-13:] for path in (tmp_path / "t").iterdir()) == ["00002.parquet"] * 2
    with pytest.raises(InputError, match="not empty"):
        layered(game, misere=True).write_table(tmp_path / "t", Budget(game.limits))
    assert len(ggp.tablebase(tmp_path / "t")) == 5_478
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "note.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        layered(game).write_table(tmp_path / "other", Budget(game.limits))


def test_files_of_several_tables_are_refused(tmp_path) -> None:
    """Each file says of how many it is one; none may be missing, and none be there beside them."""
    pytest.importorskip("pyarrow")
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2)
    one, two = tmp_path / "one", tmp_path / "two"
    layered(game).write_table(one, Budget(game.limits))
    divided(game, 2).write_table(two, Budget(game.limits))
    [whole], [first, second] = (sorted(folder.iterdir()) for folder in (one, two))
    rows = len(ggp.tablebase(one))
    assert len(ggp.tablebase(two)) == rows == len(game.space())
    for kept, why in (
        ([whole, first, second], "files of several tables"),
        ([whole, second], "files of several tables"),
        ([first], f"{second.name} is missing"),
        ([second], f"{first.name} is missing"),
        ([], "no table of positions"),
    ):
        folder = tmp_path / "other"
        folder.mkdir()
        for path in kept:
            (folder / path.name).write_bytes(path.read_bytes())
        with pytest.raises(InputError, match=why):
            ggp.tablebase(folder)
        shutil.rmtree(folder)
    # The files of one table under each other's names.
    text = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(text)
    with pytest.raises(InputError, match="of another table"):
        ggp.tablebase(two)


def test_columns_that_were_altered_are_refused(tmp_path) -> None:
    """What is not as it was written is no table, and what rules tell of each other stays apart."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    layered(game).write_table(tmp_path / "t", Budget(game.limits))
    [path] = (tmp_path / "t").iterdir()
    whole = parquet.read_table(path)
    same = ggp.parse(f"; the same rules\n{game.rules.source.text}")
    assert ggp.tablebase(tmp_path / "t")[same.initial]["goals"] == {"xplayer": 50, "oplayer": 50}
    pickled = pickle.loads(pickle.dumps(ggp.tablebase(tmp_path / "t")))
    assert pickled[game.initial]["best"]
    for odd in (5, None, "(control xplayer)"):
        with pytest.raises(TypeError, match="a position is"):
            pickled[odd]
    count = len(whole)
    for name, column in (
        ("goal xplayer", arrow.nulls(count, arrow.int16())),
        ("goal xplayer", arrow.array(["a"] * count)),
        ("goal xplayer", arrow.array([True] * count)),
        ("goal oplayer", arrow.array([1.5] * count)),
        ("rank", arrow.nulls(count, arrow.int32())),
        ("key_0", arrow.array([0] * count, arrow.int64())),
        ("result", arrow.array(["draw"] * count)),
    ):
        other = whole.set_column(whole.column_names.index(name), name, column)
        parquet.write_table(other.replace_schema_metadata(whole.schema.metadata), path)
        with pytest.raises(InputError):
            ggp.tablebase(tmp_path / "t")[game.initial]


def test_a_byte_that_changed_gives_no_other_answer(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[3, 4])
    layered(game).write_table(tmp_path / "t", Budget(game.limits))
    [path] = (tmp_path / "t").iterdir()
    whole, rng = path.read_bytes(), random.Random(2)
    wanted = ggp.tablebase(tmp_path / "t")[game.initial]
    for _ in range(150):
        place = rng.randrange(len(whole))
        altered = bytearray(whole)
        altered[place] ^= 1 << rng.randrange(8)
        path.write_bytes(altered)
        try:
            found = ggp.tablebase(tmp_path / "t")[game.initial]
        except (InputError, UnknownName):
            continue
        assert found == wanted


def test_tables_that_are_not_whole_or_were_altered(tmp_path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    divided(game, 2).write_table(tmp_path / "t", Budget(game.limits))
    first, second = sorted((tmp_path / "t").iterdir())
    kept = second.read_bytes()
    second.unlink()
    with pytest.raises(InputError, match="is missing"):
        ggp.tablebase(tmp_path / "t")
    second.write_bytes(first.read_bytes())
    with pytest.raises(InputError, match="of another table"):
        ggp.tablebase(tmp_path / "t")
    second.write_bytes(kept[: len(kept) // 2])
    with pytest.raises(InputError):
        ggp.tablebase(tmp_path / "t")
    for notes in (None, b"[]", b"{}", b'{"format": "ggp-tablebase/2", "part": 1}', b"[" * 100_000):
        bare = arrow.table({"rank": [1]}).replace_schema_metadata(notes and {"ggp": notes})
        parquet.write_table(bare, second)
        with pytest.raises(InputError):
            ggp.tablebase(tmp_path / "t")
    with pytest.raises(InputError, match="no table"):
        ggp.tablebase(tmp_path)
