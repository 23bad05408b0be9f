"""Passes over packed positions: the same as from all positions with their moves, on graphs of any
kind and on grids where a robber flees; kept, killed, and gone on with."""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ggp
from ggp.analysis import Positions
from ggp.cli.main import main
from ggp.errors import InputError, LimitReached, NotSolvable
from ggp.limits import Budget, Limits
from ggp.solver import counts, positions
from ggp.solver.enumerated import GameSolution
from ggp.solver.layers import kernels as layer_kernels
from ggp.solver.layers import keys, merging
from ggp.solver.layers.keys import unmixed
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.shelf import InFolder
from ggp.solver.passes import fixpoint, kernels, reach
from ggp.solver.passes.levels import Levels
from ggp.solver.passes.solution import PassSolution
from ggp.solver.positions import PositionSolver
from tests.conftest import GAMES, nightly
from tests.solver.plain import plain

SCORES = [(0, 100), (0, 50, 100), (0, 30, 70, 100), (10, 20, 50, 80), (0, 10, 40), (50,), (25, 90)]

TWO = """
(role x) (role o) (opp x o) (opp o x)
(<= (legal ?r (go ?q)) (true (at ?p ?r)) (arc ?p ?q))
(<= (legal x noop) (true (at ?p o)))
(<= (legal o noop) (true (at ?p x)))
(<= (next (at ?q ?s)) (does ?r (go ?q)) (opp ?r ?s))
(<= (goal o ?u) (true (at ?p ?w)) (worth ?p ?w ?v ?u))
"""

ONE = """
(role x)
(<= (legal x (go ?q)) (true (at ?p x)) (arc ?p ?q))
(<= (next (at ?q x)) (does x (go ?q)))
"""


def graph(seed: int, *, two: bool) -> str:
    """Walks on a random graph: of two players who move in turn, or of one."""
    rng = random.Random(seed)
    size = rng.randint(3, 14)
    lines = [TWO if two else ONE, "(init (at 0 x))", "(end none) (worth none none 0 100)"]
    for place in range(size):
        after = rng.sample(range(size), k=min(size, rng.randint(1, 3)))
        lines += [f"(arc {place} {other})" for other in after]
    scores = rng.choice(SCORES)
    for place in range(1, size):
        if rng.random() < 0.3:
            lines.append(f"(end {place})")
            for role in "xo":
                score = rng.choice(scores)
                lines.append(f"(worth {place} {role} {score} {100 - score})")
    lines += [
        "(<= terminal (true (at ?p ?w)) (end ?p))",
        "(<= (goal x ?v) (true (at ?p ?w)) (worth ?p ?w ?v ?u))",
    ]
    return "\n".join(lines)


def pursuit(columns: int, rows: int, cops: int) -> ggp.Game:
    """Cops and a robber on a grid: the cops move one of them, the robber himself, to a square
    beside or not at all; the cops win when one of them is where the robber is."""
    squares = [(x, y) for x in range(columns) for y in range(rows)]
    near = [
        f"(near {x} {y} {u} {v})"
        for x, y in squares
        for u, v in squares
        if abs(x - u) + abs(y - v) <= 1
    ]
    return ggp.parse(
        f"""
        (role cop) (role robber) (init (control cop))
        (init (at robber {columns - 1} {rows - 1}))
        {" ".join(f"(init (at {k} {k} 0))" for k in range(cops))} {" ".join(near)}
        (<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
        (<= (legal cop (go ?k ?u ?v))
            (true (control cop)) (true (at ?k ?x ?y)) (distinct ?k robber) (near ?x ?y ?u ?v))
        (<= (legal robber (go robber ?u ?v))
            (true (control robber)) (true (at robber ?x ?y)) (near ?x ?y ?u ?v))
        (<= (moved ?k) (does ?p (go ?k ?u ?v)))
        (<= (next (at ?k ?u ?v)) (does ?p (go ?k ?u ?v)))
        (<= (next (at ?k ?x ?y)) (true (at ?k ?x ?y)) (not (moved ?k)))
        (<= (next (control cop)) (true (control robber)))
        (<= (next (control robber)) (true (control cop)))
        (<= caught (true (at robber ?x ?y)) (true (at ?k ?x ?y)) (distinct ?k robber))
        (<= terminal caught)
        (<= (goal cop 100) caught) (<= (goal robber 0) caught)
        (<= (goal cop 0) (not caught)) (<= (goal robber 100) (not caught))
        """
    )


def passed(game: ggp.Game, limits: Limits | None = None, **more) -> PassSolution:
    return PassSolution(Positions(game, Budget(limits or game.limits)), **more)


def check(game: ggp.Game, few: PassSolution, *, misere: bool = False) -> None:
    """Positions, moves, and of all states what there is to ask."""
    space = game.space()
    whole = GameSolution(game, space, misere=misere)
    assert (few.positions, few.moves) == (len(space), len(space.target))
    assert few.plies == tuple(np.bincount(space.depth).tolist())
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "worth", "mover", "best", "outcome", "to_move", "result"):
            assert getattr(few, ask)(state) == getattr(whole, ask)(state), (str(state), ask)
        for player in game.players:
            own, other = few.secured(state, player), whole.secured(state, player)
            # What is worth less than a draw may be promised with "or no end" besides.
            assert own == other or (own[0] == other[0] and own[1]), (str(state), player)
        if not state.terminal and few.best(state):
            assert few.progress(state) in few.best(state)
    if not misere:
        require_same_counts(game)
    for player in game.players:
        found = few.strategy(player)
        secured = whole.secured(game.initial, player)[0]
        assert found.promise == secured
        assert ggp.verify(found).ok


def require_same_counts(game: ggp.Game) -> None:
    """Statistics by passes are those of all positions by themselves."""
    context = Positions(game, Budget(game.limits))
    found = counts._by_passes(context, misere=False, keeping=Keeping(threads=2))
    assert found.as_json() == ggp.statistics(game).as_json()


@pytest.fixture
def _as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    for own in (keys, reach, fixpoint):
        monkeypatch.setattr(
            own, "kernels", plain(layer_kernels if own is not fixpoint else kernels)
        )


@pytest.mark.parametrize("two", [True, False])
@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 150))])
def test_as_from_all_positions_with_their_moves(seed, two) -> None:
    game = ggp.parse(graph(seed, two=two))
    misere = two and seed % 3 == 0
    check(game, passed(game, misere=misere, keeping=Keeping(threads=1 + seed % 2)), misere=misere)


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.usefixtures("_as_python")
@pytest.mark.parametrize("seed", [3, 7])
def test_loops_say_the_same_as_python_runs_them(seed, monkeypatch) -> None:
    """In chunks of two positions, of which no moves are kept."""
    monkeypatch.setattr(fixpoint, "SHARE", 1 << 62)
    game = ggp.parse(graph(seed, two=True))
    game.packed_machine.__dict__["batch"] = 2
    check(game, passed(game, keeping=Keeping(threads=1)))


@pytest.mark.parametrize(
    ("columns", "rows", "cops", "expected"),
    [(3, 3, 1, None), (4, 4, 2, {"cop": 100, "robber": 0}), (6, 1, 1, {"cop": 100, "robber": 0})],
)
def test_two_cops_catch_a_robber_on_a_grid_and_one_does_not(columns, rows, cops, expected) -> None:
    """One is enough on graphs alone that can be dismantled, such as a row (Nowakowski and Winkler,
    "Vertex-to-vertex pursuit in a graph", 1983)."""
    game = pursuit(columns, rows, cops)
    found = passed(game)
    assert found.value(game.initial) == expected
    assert found.worth(game.initial) == (expected or {"cop": 50, "robber": 50})
    if cops == 1:
        check(game, found)


def test_it_is_taken_where_many_positions_have_no_sum_that_falls(monkeypatch) -> None:
    """Of one role no more than could be enumerated: another way is left."""
    game = pursuit(4, 4, 1)
    monkeypatch.setattr(Positions, "are_few", False)
    monkeypatch.setattr(positions, "ALONE", 50)
    monkeypatch.setattr(positions, "SOON", 100)
    found = game.solve()
    assert isinstance(found, PassSolution)
    assert found.reason == "more than 100 positions, and no sum is known to fall with every move"
    assert found.value(game.initial) is None
    given = []
    monkeypatch.setattr(
        PositionSolver, "by_passes", lambda self, folding, at_most: given.append(at_most)
    )
    search = {"misere": False, "progress": None, "keeping": Keeping()}
    for text in (graph(3, two=True), graph(3, two=False)):
        own = ggp.parse(text)
        solver = PositionSolver(own, Budget(own.limits), starts=(own.initial,), **search)
        solver._by_all(None)
    assert given == [None, own.limits.positions]


def test_up_to_symmetry() -> None:
    """The diagonal of the board: two positions for one."""
    game = pursuit(4, 4, 1)
    found = game.solve(method="passes")
    assert found.method == "retrograde analysis by passes, up to 2 symmetries"
    space = game.space()
    assert found.positions == 272 < len(space) == 512
    whole = GameSolution(game, space)
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "best"):
            assert getattr(found, ask)(state) == getattr(whole, ask)(state), (str(state), ask)


@pytest.mark.parametrize("share", [1 << 62, 1 << 22])
def test_what_moves_are_kept_changes_nothing(share, monkeypatch) -> None:
    game = pursuit(3, 3, 2)
    wanted = passed(game)._solved[0]
    monkeypatch.setattr(fixpoint, "SHARE", share)
    game.packed_machine.__dict__["batch"] = 100
    found = passed(game)._solved[0]
    for name in ("codes", "marks", "moves"):
        assert (getattr(found, name) == getattr(wanted, name)).all()
    assert found.passes == wanted.passes


class Killed(Exception):
    """The end of a process."""


class Mortal(InFolder):
    left = 0

    def _step(self) -> None:
        type(self).left -= 1
        if self.left < 0:
            raise Killed

    def put(self, name, array):
        self._step()
        return super().put(name, array)

    def put_pieces(self, name, pieces, width):
        self._step()
        return super().put_pieces(name, pieces, width)

    def drop(self, name):
        self._step()
        super().drop(name)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("in_pieces", [False, True])
@pytest.mark.parametrize("seed", [1, 4, *nightly(range(5, 30))])
def test_killed_at_any_file_and_started_again(seed, in_pieces, tmp_path, monkeypatch) -> None:
    """The same files, byte for byte; also where a ply is written in pieces for want of memory."""
    game = ggp.parse(graph(seed, two=True))
    whole = passed(game, keeping=Keeping(checkpoint=tmp_path / "whole"))
    wanted = files(tmp_path / "whole")
    for many in count():
        folder = tmp_path / f"{many}"
        monkeypatch.setattr("ggp.solver.layers.packed.InFolder", Mortal)
        monkeypatch.setattr(Mortal, "left", many)
        if in_pieces:
            monkeypatch.setattr(reach, "LOOSE", 1 << 60)
            monkeypatch.setattr(merging, "TOGETHER", 2)
            monkeypatch.setitem(game.packed_machine.__dict__, "batch", 2)
        try:
            passed(game, keeping=Keeping(checkpoint=folder))
            break
        except Killed:
            pass
        monkeypatch.undo()
        again = game.solve(keeping=Keeping(checkpoint=folder))
        assert isinstance(again, PassSolution)
        assert (again.plies, again.moves) == (whole.plies, whole.moves)
        assert again.value(game.initial) == whole.value(game.initial)
        assert files(folder) == wanted
    assert many > 8


def test_files_of_another_way_are_refused_and_damaged_ones_told(tmp_path) -> None:
    game = ggp.parse(graph(1, two=True))
    found = game.solve(keeping=Keeping(checkpoint=tmp_path / "a"))
    assert isinstance(found, PassSolution)
    assert found.reason == "it was asked for"
    with pytest.raises(NotSolvable, match="no weighted sum"):
        game.solve(method="layers", keeping=Keeping(checkpoint=tmp_path / "b"))
    assert not (tmp_path / "b").exists()
    with pytest.raises(NotSolvable, match="by the methods layers and passes"):
        game.solve(method="positions", keeping=Keeping(spill=tmp_path))
    odd = tmp_path / "odd.npy"
    np.save(odd, np.full(3, 1 << 40))
    for name, content in files(tmp_path / "a").items():
        if not name.endswith(".npy") or name.startswith("moved"):
            continue
        for damaged in (content[: len(content) // 2], b"", odd.read_bytes()):
            (tmp_path / "a" / name).write_bytes(damaged)
            with pytest.raises(InputError):
                passed(game, keeping=Keeping(checkpoint=tmp_path / "a"))
        (tmp_path / "a" / name).write_bytes(content)
    (tmp_path / "a" / "moved-0000000000.npy").unlink()
    with pytest.raises(InputError, match="begin anew"):
        passed(game, keeping=Keeping(checkpoint=tmp_path / "a"))


def test_files_for_one_run_are_gone_with_it(tmp_path) -> None:
    game = pursuit(3, 3, 1)
    found = game.solve(method="passes", keeping=Keeping(spill=tmp_path))
    assert any(tmp_path.iterdir())
    assert found.value(game.initial) is None
    del found
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("two", [True, False])
@pytest.mark.parametrize("seed", [2, 5, 11])
def test_a_table_says_the_same(seed, two, tmp_path) -> None:
    game = ggp.parse(graph(seed, two=two))
    found = game.solve(keeping=Keeping(is_table=True))
    assert found.write_table(tmp_path / "t", Budget(game.limits)) == found.positions
    assert found.write_table(tmp_path / "t", Budget(game.limits)) == found.positions
    table = ggp.tablebase(tmp_path / "t")
    assert len(table) == found.positions
    space = game.space()
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        row, value = table[state], found.value(state)
        assert row["goals"] == value
        assert row["best"] == (tuple(map(str, found.best(state))) if row["turn"] else ())
        assert (row["result"] == "endless") == (value is None)
    frame = table.polars().collect()
    keys = frame.select("key_0").to_numpy().astype(np.uint64)
    states = game.packed_machine.states(unmixed(keys))
    for bits, turn, best in zip(states, frame["turn"], frame["best"], strict=True):
        moves = found.best(ggp.State(game, bits)) if turn else ()
        assert best == "; ".join(map(str, moves))
    assert frame["result"].null_count() == (0 if two else found.positions - _endless(found))


def _endless(found: PassSolution) -> int:
    return int(found._solved[0].are_endless().sum())


def test_a_table_of_the_command(tmp_path) -> None:
    sheet = tmp_path / "walk.kif"
    sheet.write_text(graph(5, two=True))
    told = CliRunner().invoke(main, ["solve", str(sheet), "--table", str(tmp_path / "t")])
    assert told.exit_code == 0, told.output
    table = ggp.tablebase(tmp_path / "t")
    assert table[ggp.load(sheet).initial]["turn"] == "x"


@pytest.mark.parametrize("option", ["--checkpoint", "--spill"])
def test_a_table_goes_to_no_folder_of_files_that_are_kept(option, tmp_path) -> None:
    """It was refused when all was solved."""
    sheet = tmp_path / "walk.kif"
    sheet.write_text(graph(5, two=True))
    folder = str(tmp_path / "t")
    told = CliRunner().invoke(main, ["solve", str(sheet), "--table", folder, option, folder])
    assert isinstance(told.exception, InputError)
    assert "a folder of its own" in str(told.exception)
    assert not Path(folder).exists()
    told = CliRunner().invoke(
        main, ["solve", str(sheet), "--method", "tree", "--table", str(tmp_path / "u")]
    )
    assert "methods layers and passes" in str(told.exception)


def test_a_position_that_was_not_reached_is_solved_when_it_is_asked_for() -> None:
    game = pursuit(3, 1, 1)
    found = passed(game)
    known = found.positions
    caught = game.state(["(at 0 1 0)", "(at robber 1 0)", "(control cop)"])
    assert found.value(caught) == {"cop": 100, "robber": 0}
    assert found.positions == known


def test_limits_are_kept_and_faults_told() -> None:
    with pytest.raises(LimitReached, match="positions"):
        passed(pursuit(4, 4, 2), Limits(packed_positions=1000))
    with pytest.raises(LimitReached, match="memory"):
        passed(pursuit(4, 4, 2), Limits(memory=1 << 20))
    text = graph(1, two=True) + "\n(<= (goal o 7) (true (at ?p ?w)) (end ?p) (distinct ?p none))"
    with pytest.raises(ggp.GoalError):
        passed(ggp.parse(text))


@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_runs_are_merged_in_order(words, seed) -> None:
    rng = random.Random(seed)
    rows = sorted({tuple(rng.randrange(3) for _ in range(words)) for _ in range(30)})
    is_one = [rng.random() < 0.3 for _ in rows]
    parts = [[row for row, own in zip(rows, is_one, strict=True) if own == side] for side in (1, 0)]
    ones, others = (np.array(p, dtype=np.uint64).reshape(-1, words) for p in parts)
    out = np.empty((len(rows), words), dtype=np.uint64)
    kernels.merge(ones, others, out)
    assert list(map(tuple, out.tolist())) == rows


@pytest.mark.parametrize(
    ("results", "players", "expected"),
    [
        ({0 << 32 | 100, 100 << 32}, 2, ((0, 100, 200), 100, 1, False)),
        ({50 << 32 | 50}, 2, ((100,), 100, 0, True)),
        ({30 << 32 | 65}, 2, ((60, 95), 95, 1, False)),
        (set(), 2, ((0,), 0, 0, False)),
        ({7 << 32, 0}, 1, ((-1, 0, 14), None, 0, False)),
    ],
)
def test_levels_by_hand(results, players, expected) -> None:
    found = Levels.of(frozenset(results), players)
    assert (found.doubled, found.total, found.start, found.has_draw) == expected


def test_too_many_results_or_interests_that_are_not_opposed() -> None:
    with pytest.raises(NotSolvable, match="not opposed"):
        Levels.of(frozenset({100, 100 << 32 | 1}), 2)
    with pytest.raises(NotSolvable, match="more than 250"):
        Levels.of(frozenset(i << 32 for i in range(251)), 1)


def test_a_state_that_play_does_not_come_to_leads_to_some_that_it_does() -> None:
    """Rows of 1 and 3, where right begins and who is to move has 1 and 3 as well."""
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2)
    found, whole = passed(game), game.solve(method="positions")
    state = game.state(["(row 1 1)", "(row 2 3)", "(control right)"])
    assert found.value(state) == whole.value(state)
    assert found.best(state) == whole.best(state)
    assert found.progress(state) in whole.best(state)


def test_a_table_of_another_game_is_kept_from_the_first(tmp_path, monkeypatch) -> None:
    """It was refused when all was solved."""
    sheet, other = tmp_path / "walk.kif", tmp_path / "other.kif"
    sheet.write_text(graph(5, two=True))
    other.write_text(graph(6, two=True))
    folder = str(tmp_path / "t")
    asked = ["--method", "passes", "--table", folder]
    for _ in range(2):
        told = CliRunner().invoke(main, ["solve", str(sheet), *asked])
        assert told.exit_code == 0, told.output
    monkeypatch.setattr("ggp.cli.solve.find_solution", None)
    told = CliRunner().invoke(main, ["solve", str(other), *asked])
    assert isinstance(told.exception, InputError)
    assert "a folder of its own" in str(told.exception)
