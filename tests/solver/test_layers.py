"""Packed layers: the same values as with all positions and their moves in memory."""

from __future__ import annotations

import io
import pickle
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.analysis import Positions
from ggp.errors import GoalError, InputError, LimitReached, NoLegalMove, NotSolvable
from ggp.limits import Budget, Limits
from ggp.machine import Coding, explore
from ggp.solver import GameSolution
from ggp.solver.folding import Folding
from ggp.solver.layers import alone, keys, merging, moving, part
from ggp.solver.layers.keys import Layer, mixed, sorted_set, unmixed
from ggp.solver.layers.merging import merged
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.ranks import Ranks
from ggp.solver.layers.shelf import InFolder, InMemory
from ggp.solver.layers.solution import LayerSolution
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game


def layered(game: ggp.Game, **options) -> LayerSolution:
    return LayerSolution(Positions(game, Budget(game.limits)), **options)


def check(game: ggp.Game, *, misere: bool = False) -> LayerSolution:
    """Positions, moves, and of all states the value, who is to move, the best moves."""
    few = layered(game, misere=misere)
    space = game.space()
    whole = GameSolution(game, space, misere=misere)
    assert (few.positions, few.moves) == (len(space), len(space.target))
    for place in range(0, len(space), 1 + len(space) // 700):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "mover", "best", "outcome", "to_move", "result"):
            assert getattr(few, ask)(state) == getattr(whole, ask)(state), (str(state), ask)
        if not state.terminal:
            assert few.progress(state) in few.best(state)
    return few


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}),
        ("connect-four/connect-four.kif.jinja", {"columns": 3, "rows": 4, "line": 3}),
        ("clobber/clobber.kif.jinja", {"rows": 3, "columns": 3}),
        ("nim/rows.kif.jinja", {"rows": 4}),
        ("subtraction/subtraction.kif.jinja", {"heaps": [4, 4, 4]}),
        ("domineering/domineering-3x4.kif", {}),
        ("toads-and-frogs/toads-and-frogs.kif.jinja", {}),
        ("colouring/colouring.kif.jinja", {"n": 3}),
    ],
)
def test_games_of_the_library(sheet, settings) -> None:
    found = check(ggp.load(GAMES / sheet, **settings))
    assert found.method == "backward induction, layer by layer"


@pytest.mark.parametrize(
    ("sheet", "settings", "order"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}, 8),
        ("connect-four/connect-four.kif.jinja", {"columns": 4, "rows": 3, "line": 3}, 2),
        ("clobber/clobber.kif.jinja", {"rows": 3, "columns": 4}, 2),
        ("subtraction/subtraction.kif.jinja", {"heaps": [4, 4, 4]}, 6),
        ("colouring/colouring.kif.jinja", {"n": 4}, 8),
    ],
)
def test_up_to_symmetry(sheet, settings, order) -> None:
    """As many positions as with the images of plain states, and the same answers for all."""
    game = ggp.load(GAMES / sheet, **settings)
    folding = Folding.of(game)
    few = layered(game, folding=folding)
    assert few.method.endswith(f", up to {order} symmetries")
    space = game.space()
    folded = explore(game.machine, [game.initial.bits], fold=folding)
    assert few.positions == len(folded) < len(space)
    whole = GameSolution(game, space)
    for place in range(0, len(space), 1 + len(space) // 700):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "best"):
            assert getattr(few, ask)(state) == getattr(whole, ask)(state), (str(state), ask)


@pytest.mark.parametrize("rows", [3, *nightly([4])])
def test_misere_play_exchanges_the_goals(rows) -> None:
    check(ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=rows), misere=True)


@pytest.mark.slow
def test_a_sum_that_falls_with_the_moves_of_one_role_alone() -> None:
    """The goose runs on, the fox goes back and forth: 957,529 positions (thesis of 2007)."""
    game = ggp.load(GAMES / "fox-and-geese" / "fox-and-geese.kif")
    solution = layered(game)
    assert solution.positions == 957_529
    assert game.packed_machine.coding.words == 2
    other = game.solve(method="positions")
    rng = random.Random(1)
    state = game.initial
    while not state.terminal:
        assert solution.value(state) == other.value(state)
        assert solution.best(state) == other.best(state)
        state = state.play({r: rng.choice(state.require_legal(r)) for r in game.roles})


def test_one_role() -> None:
    """Ten steps of one of two kinds; the goal counts the left ones."""
    numbers = " ".join(f"(after {i} {i + 1})" for i in range(10))
    goals = " ".join(f"(<= (goal solo {10 * i}) (true (left {i})))" for i in range(11))
    text = f"""(role solo) {numbers} {goals} (init (left 0)) (init (at 0))
    (<= (legal solo l) (true (at ?n))) (<= (legal solo r) (true (at ?n)))
    (<= (next (at ?m)) (true (at ?n)) (after ?n ?m))
    (<= (next (left ?m)) (true (left ?n)) (does solo l) (after ?n ?m))
    (<= (next (left ?n)) (true (left ?n)) (does solo r))
    (<= terminal (true (at 10)))"""
    found = check(ggp.parse(text))
    assert found.value(found.game.initial) == {"solo": 100}


@pytest.mark.parametrize("seeds", [range(9), *nightly([range(9, 40)])])
def test_random_games(seeds) -> None:
    """Those of two opposed roles in turn whose end is proved."""
    some = 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        try:
            check(game)
        except NotSolvable:
            continue
        some += 1
    assert some > 3


def test_states_that_were_not_reached_are_solved_when_they_are_asked_for() -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=3)
    solution = layered(game)
    state = game.state(["(row 1 0)", "(row 2 3)", "(row 3 3)", "(control left)"])
    fresh = [s for s in (state,) if s.bits]
    for other in fresh:
        assert solution.outcome(other) == game.solve().outcome(other) == "P"


TURNS = """(role a) (role b) (init (control a)) (init (at 0)) (up 0 1) (up 1 2) (up 2 3)
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (next (at ?n)) (true (at ?m)) (up ?m ?n))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (legal a l) (true (control a))) (<= (legal a r) (true (control a)))
(<= terminal (true (at 3)))
"""
MOVES_OF_B = "(<= (legal b l) (true (control b))) (<= (legal b r) (true (control b)))"


@pytest.mark.parametrize(
    ("rules", "error", "why"),
    [
        ("(goal a 50) (goal b 50)", NoLegalMove, "b has no legal move"),
        (f"{MOVES_OF_B} (goal a 50)", GoalError, "goal"),
        (f"{MOVES_OF_B} (goal a 50) (goal b 0) (goal b 100)", GoalError, "goal"),
        (
            f"{MOVES_OF_B} (goal a 50) (goal b 50) (<= (legal b l) (true (at 2)))"
            " (<= (legal b m) (true (at 2)))",
            NotSolvable,
            "both have a choice",
        ),
        (
            f"{MOVES_OF_B} (<= (next d) (does b l)) (goal a 50) (<= (goal b 50) (true d))"
            " (<= (goal b 60) (not (true d)))",
            None,
            "",
        ),
        (
            f"{MOVES_OF_B} (<= (next d) (does a l)) (goal a 50) (<= (goal b 50) (true d))"
            " (<= (goal b 60) (not (true d)))",
            NotSolvable,
            "not opposed",
        ),
    ],
)
def test_what_is_wrong_with_rules_is_said(rules, error, why) -> None:
    game = ggp.parse(TURNS + rules)
    if error is None:
        check(game)
        return
    with pytest.raises(error, match=why):
        layered(game)


def test_what_does_not_apply() -> None:
    """Play that goes round, and choices at the same time."""
    for name in ("puzzles/hanoi.kif.jinja", "simultaneous/rock-paper-scissors.kif"):
        with pytest.raises(NotSolvable):
            layered(ggp.load(GAMES / name))
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    with pytest.raises(NotSolvable, match="kept in files by the methods layers"):
        game.solve(method="positions", keeping=Keeping(spill=Path()))


def test_a_directory_of_wide_places_finds_the_same() -> None:
    """As there is for more keys than 32 bits can count."""
    rows = mixed(np.arange(0, 400, 2, dtype=np.uint64).reshape(-1, 1))
    layer = Layer.of(sorted_set([rows], 1), np.arange(200, dtype=np.uint8))
    wide = replace(layer, first=layer.first.astype(np.int64))
    wanted = mixed(np.arange(400, dtype=np.uint64).reshape(-1, 1))
    found, missing = layer.look_up(wanted)
    assert missing == 200
    assert wide.look_up(wanted)[0].tolist() == found.tolist()


def test_a_pickled_solution_is_without_its_progress() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=3, rows=3, line=3)
    found = layered(game, progress=lambda done, rate: None)
    again = pickle.loads(pickle.dumps(found))
    assert again.value(again.initial) == found.value(found.initial)


def test_a_sum_that_does_not_fall_is_found_out() -> None:
    """The weights are believed on no word: each move that is made is looked at."""
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    machine = game.packed_machine
    unranked = moving.Moving(game, Ranks(machine.coding, {}))
    with pytest.raises(moving.NotRanked):
        alone.solve(unranked, InMemory(), Budget(game.limits), machine.rows([game.initial.bits]))


def test_limits() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=4)
    few = Positions(game, Budget(Limits(packed_positions=5_000)))
    with pytest.raises(LimitReached, match="positions = 5,000"):
        LayerSolution(few)
    with pytest.raises(LimitReached, match="memory"):
        LayerSolution(Positions(game, Budget(Limits(memory=1 << 20))))


# Files


class Killed(BaseException):
    """In place of the end of the process."""


class Mortal(InFolder):
    """A folder of a process that is killed before or after it wrote so many files, or in between,
    when a part of a file is there."""

    left = 0
    how = "before"

    def _written(self, name, *given):
        if self.left == 0 and self.how == "before":
            raise Killed
        if self.left == 0 and self.how == "between":
            (self.folder / f"{name}.part").write_bytes(b"\x93NUMPY")
            raise Killed
        found = super()._written(name, *given)
        if self.left == 0:
            raise Killed
        self.left -= 1
        return found


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


HEAPS = ("subtraction/subtraction.kif.jinja", {"heaps": [1, 2]})
LARGER_HEAPS = ("subtraction/subtraction.kif.jinja", {"heaps": [4, 5]})
FOUR = ("connect-four/connect-four.kif.jinja", {"columns": 3, "rows": 2, "line": 2})


@pytest.mark.parametrize(("runs", "loose"), [(part.RUNS, part.LOOSE), (1 << 40, 1 << 40)])
@pytest.mark.parametrize(
    ("start", "how"),
    [
        (HEAPS, "before"), (HEAPS, "between"), (HEAPS, "after"),
        *(pytest.param(LARGER_HEAPS, how, marks=pytest.mark.slow) for how in ("before", "between")),
        pytest.param(FOUR, "after", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_killed_at_any_file_and_started_again(
    start, how, runs, loose, tmp_path, monkeypatch
) -> None:
    """The same files, byte for byte; whether runs for a layer are made one or not, and written in
    pieces or not."""
    monkeypatch.setattr(keys, "PART", 16)
    sheet, settings = start
    game = ggp.load(GAMES / sheet, **settings)
    whole = layered(game, keeping=Keeping(checkpoint=tmp_path / "whole"))
    wanted = files(tmp_path / "whole")
    many = 0
    while True:
        folder = tmp_path / f"{how}{many}"
        monkeypatch.setattr("ggp.solver.layers.packed.InFolder", Mortal)
        monkeypatch.setattr(Mortal, "left", many)
        monkeypatch.setattr(Mortal, "how", how)
        monkeypatch.setattr(part, "RUNS", runs)
        monkeypatch.setattr(part, "LOOSE", loose)
        monkeypatch.setattr(merging, "TOGETHER", 2)
        try:
            layered(game, keeping=Keeping(checkpoint=folder))
            break
        except Killed:
            pass
        monkeypatch.undo()
        again = layered(game, keeping=Keeping(checkpoint=folder))
        assert again.value(game.initial) == whole.value(game.initial)
        assert (again.positions, again.moves) == (whole.positions, whole.moves)
        assert files(folder) == wanted
        many += 1
    assert many > (5 if start is HEAPS else 20)


def test_runs_that_are_made_one_change_nothing(monkeypatch) -> None:
    """Of rows of counters, from which a layer is come to by many others."""
    monkeypatch.setattr(part, "RUNS", 1 << 40)
    check(ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=4))


def test_a_folder_of_something_else_is_refused(tmp_path) -> None:
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[4, 5])
    layered(game, keeping=Keeping(checkpoint=tmp_path / "a"))
    with pytest.raises(InputError, match=r"something else.*misere"):
        layered(game, keeping=Keeping(checkpoint=tmp_path / "a"), misere=True)
    other = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[4, 6])
    with pytest.raises(InputError, match="something else"):
        layered(other, keeping=Keeping(checkpoint=tmp_path / "a"))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "thesis.tex").write_text("important")
    with pytest.raises(InputError, match="not empty"):
        layered(game, keeping=Keeping(checkpoint=tmp_path / "b"))
    assert (tmp_path / "b" / "thesis.tex").read_text() == "important"
    with pytest.raises(InputError):
        layered(game, keeping=Keeping(checkpoint=tmp_path / "b" / "thesis.tex"))
    odd = io.BytesIO()
    np.save(odd, np.zeros((2, 2, 2)))
    for name, content in files(tmp_path / "a").items():
        for damaged in (
            (content[: len(content) // 2], b"", odd.getvalue()) if name != "lock" else ()
        ):
            (tmp_path / "a" / name).write_bytes(damaged)
            with pytest.raises(InputError):
                layered(game, keeping=Keeping(checkpoint=tmp_path / "a"))
        (tmp_path / "a" / name).write_bytes(content)
    for name in ("run.npy", "keys-abc.npy", "notes.txt", "foreign.part"):
        (tmp_path / "a" / name).write_bytes(b"of somebody else")
    layered(game, keeping=Keeping(checkpoint=tmp_path / "a"))
    assert (tmp_path / "a" / "foreign.part").read_bytes() == b"of somebody else"


@pytest.mark.parametrize("ends", ["terminal", "(<= terminal (true (at 0)))"])
def test_play_that_is_over_at_the_start(ends) -> None:
    """No move, so that no fluent needs a weight."""
    game = ggp.parse(TURNS.replace("(<= terminal (true (at 3)))", ends) + "(goal a 30) (goal b 70)")
    solution = layered(game)
    assert solution.value(game.initial) == {"a": 30, "b": 70}
    assert solution.best(game.initial) == ()


def test_one_process_at_a_time_in_a_folder(tmp_path) -> None:
    """Two at once lost positions of each other (found by an adversary)."""
    first = InFolder(tmp_path / "a", {})
    with pytest.raises(InputError, match="another solution is at work"):
        InFolder(tmp_path / "a", {})
    first.close()
    InFolder(tmp_path / "a", {}).close()


def test_manifests_that_were_altered(tmp_path) -> None:
    InFolder(tmp_path / "a", {"x": 1}).close()
    manifest = tmp_path / "a" / "solution.json"
    for text in ('{"format": 1, "x": 1, "y": null}', "[" * 100_000, "[]", "null", "{", ""):
        manifest.write_text(text)
        with pytest.raises(InputError):
            InFolder(tmp_path / "a", {"x": 1})


def test_a_start_that_breaks_a_group_is_refused() -> None:
    game = ggp.parse(TURNS + MOVES_OF_B + "(goal a 50) (goal b 50)")
    state = game.state(["(at 0)", "(at 1)", "(control a)"])
    with pytest.raises(NotSolvable):
        game.solve(starts=[state], method="layers")


def test_spilled_positions_are_gone_with_the_solution(tmp_path) -> None:
    game = ggp.load(GAMES / "clobber" / "clobber.kif.jinja", rows=3, columns=3)
    solution = layered(game, keeping=Keeping(spill=tmp_path))
    assert solution.value(game.initial) == layered(game).value(game.initial)
    assert list(tmp_path.iterdir())
    del solution
    assert not list(tmp_path.iterdir())
    made = layered(game, keeping=Keeping(spill=tmp_path / "a" / "folder"))
    assert (tmp_path / "a" / "folder").is_dir()
    del made
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        layered(game, keeping=Keeping(spill=tmp_path / "file"))


def test_neither_threads_nor_small_parts_change_a_byte(tmp_path, monkeypatch) -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3, line=3)
    layered(game, keeping=Keeping(threads=1, checkpoint=tmp_path / "one"))
    monkeypatch.setattr(keys, "PART", 100)
    monkeypatch.setattr(moving, "EDGES", 64)
    monkeypatch.setattr(part, "LOOSE", 1 << 23)
    monkeypatch.setitem(game.packed_machine.__dict__, "batch", 100)
    layered(game, keeping=Keeping(threads=3, checkpoint=tmp_path / "three"))
    assert files(tmp_path / "one") == files(tmp_path / "three")


# Keys and ranks

words = st.integers(0, 3) | st.integers(0, (1 << 64) - 1)


@given(st.lists(st.lists(words, min_size=3, max_size=3), max_size=60), st.integers(1, 3))
def test_keys_are_rows_again_and_sets_hold_each_once(rows, size) -> None:
    given_rows = np.array(rows, dtype=np.uint64).reshape(-1, 3)[:, :size].copy()
    found = mixed(given_rows.copy())
    assert (unmixed(found) == given_rows).all()
    half = len(found) // 2
    kept = sorted_set([found[:half], found[half:]], size)
    assert kept.tolist() == sorted(map(list, set(map(tuple, found.tolist()))))
    layer = Layer.of(kept, np.arange(len(kept), dtype=np.uint8))
    codes, missing = layer.look_up(kept)
    assert (codes == layer.values).all()
    assert missing == 0
    absent = kept.copy()
    absent[:, -1] ^= np.uint64(1 << 40)
    known = set(map(tuple, kept.tolist()))
    _, missing = layer.look_up(absent)
    assert missing == sum(tuple(row) not in known for row in absent.tolist())


def test_keys_with_the_same_first_word_are_told_apart() -> None:
    """Which no mixing keeps from happening: sorted by the other words, each once."""
    rows = np.array([[7, 3], [7, 1], [5, 9], [7, 3], [7, 2], [5, 9], [9, 0]], dtype=np.uint64)
    kept = sorted_set([rows], 2)
    assert kept.tolist() == [[5, 9], [7, 1], [7, 2], [7, 3], [9, 0]]
    layer = Layer.of(kept, np.arange(5, dtype=np.uint8))
    assert layer.look_up(kept)[0].tolist() == [0, 1, 2, 3, 4]
    assert layer.look_up(np.array([[7, 4]], dtype=np.uint64))[1] == 1


def test_ranks_are_sums_of_weights() -> None:
    """In groups and alone, also where the bits of one lie in two words."""
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[9] * 16)
    rng = random.Random(1)
    coding = game.packed_machine.coding
    assert any(f.first // 64 != (f.first + f.width - 1) // 64 for f in coding.fields)
    for packed in (coding, Coding(game.net)):
        weights = {f: rng.randrange(-50, 50) for f in range(len(game.net.fluents)) if f % 3}
        states = []
        state = game.initial
        while not state.terminal:
            states.append(state.bits)
            state = state.play({r: rng.choice(state.require_legal(r)) for r in game.roles})
        ranks = Ranks(packed, weights)(packed.rows(states))
        wanted = [sum(w for f, w in weights.items() if bits >> f & 1) for bits in states]
        assert ranks.tolist() == wanted


@pytest.mark.parametrize("many", [2, part.MANY])
@pytest.mark.parametrize("start", [HEAPS, FOUR])
def test_what_does_not_fit_the_memory_is_written_in_pieces(
    start, many, tmp_path, monkeypatch
) -> None:
    """And made one a range of keys at a time; the files that are left are the same."""
    sheet, settings = start
    game = ggp.load(GAMES / sheet, **settings)
    layered(game, keeping=Keeping(checkpoint=tmp_path / "whole"))
    runs: set[str] = set()
    ranges = []

    class Noted(InFolder):
        def put(self, name, array):
            runs.update([name] if name.count("-") == 3 else [])
            return super().put(name, array)

        def put_pieces(self, name, pieces, width):
            known = list(pieces)
            ranges.append(len(known))
            return super().put_pieces(name, known, width)

    monkeypatch.setattr("ggp.solver.layers.packed.InFolder", Noted)
    monkeypatch.setattr(part, "LOOSE", 1 << 40)
    monkeypatch.setattr(part, "RUNS", 1 << 40)
    monkeypatch.setattr(part, "MANY", many)
    monkeypatch.setattr(merging, "TOGETHER", 2)
    monkeypatch.setitem(game.packed_machine.__dict__, "batch", 2)
    layered(game, keeping=Keeping(checkpoint=tmp_path / "pieces"))
    assert runs
    assert max(ranges) > 1
    assert files(tmp_path / "pieces") == files(tmp_path / "whole")


def test_runs_are_made_one_range_by_range() -> None:
    """In order, each key once, whatever the size of a range, and of runs that are empty."""
    rng = np.random.default_rng(5)
    for words in (1, 2):
        for count in (1, 2, 5):
            sizes, shifts = rng.integers(0, 60, count), rng.integers(0, 63, count)
            some = [
                rng.integers(0, 1 << 64, (size, words), np.uint64) >> np.uint64(shift)
                for size, shift in zip(sizes, shifts, strict=True)
            ]
            runs = [sorted_set([own], words) for own in some]
            whole = sorted_set(runs, words)
            for most in (0, 1, 7, 1000):
                heeded: list[int] = []
                pieces = list(merged(runs, words, most, map, lambda: heeded.append(1)))  # noqa: B023
                assert (np.concatenate(pieces) == whole).all()
                assert len(heeded) == len(pieces)
                assert most or len(pieces) >= len(whole)
