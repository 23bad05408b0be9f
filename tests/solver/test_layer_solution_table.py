"""Games in packed layers: how work is kept, what does not apply, what a solution says of itself."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import cyclic
from ggp.errors import IllegalMove, InputError, NotSolvable
from ggp.limits import Budget
from ggp.solver.folding import Folding
from ggp.solver.gdl import GdlTree
from ggp.solver.layers import census, images, kernels, keys, moving, part, ranks
from ggp.solver.layers import solution as module
from ggp.solver.layers.moving import Moving
from ggp.solver.layers.packed import Keeping, require_apt, usable_cores
from ggp.solver.layers.ranks import Ranks
from ggp.solver.layers.shelf import InMemory
from ggp.solver.layers.solution import (
    WEIGHTS,
    LayerSolution,
    require_falling,
)
from tests.solver.plain import plain
from tests.solver.together import Together
from tests.solver.two_heaps import ALONE, heaps, parts_of, states_of

# Words of keys overflow, as they should.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for own in (census, images, keys, moving, part, ranks):
        monkeypatch.setattr(own, "kernels", plain(kernels))


def solved(game: ggp.Game, keeping: Keeping | None = None, **more: Any) -> LayerSolution:
    context = Positions(game, Budget(game.limits))
    return LayerSolution(context, keeping=keeping or Keeping(threads=1), **more)


@pytest.mark.parametrize("threads", [0, -1])
def test_there_is_at_least_one_thread(threads: int) -> None:
    with pytest.raises(InputError, match="at least one thread"):
        Keeping(threads=threads)
    assert Keeping(threads=1).threads == 1


def test_there_are_as_many_threads_as_cores_if_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cores = {0: {1, 4, 7}, 1: {1}}  # of this process, and of another
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: cores[process], raising=False)
    assert usable_cores() == Keeping().threads == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert usable_cores() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1


@pytest.mark.parametrize(
    ("more", "in_files"),
    [
        ({}, False),
        ({"checkpoint": Path("a")}, True),
        ({"spill": Path("a")}, True),
        ({"elsewhere": Together(2)}, True),
        ({"elsewhere": Together(2), "checkpoint": Path("a")}, True),
    ],
)
def test_where_positions_are_kept(more: dict[str, Any], in_files: bool) -> None:
    assert Keeping(threads=1, **more).in_files is in_files


def test_a_checkpoint_needs_no_spill() -> None:
    with pytest.raises(InputError, match="no need to spill"):
        Keeping(threads=1, checkpoint=Path("a"), spill=Path("b"))


THREE = "(role a) (role b) (role c) (legal a x) (legal b x) (legal c x) (init s) terminal"
CHANCE = "(role a) (role random) (legal a x) (legal random x) (init s) terminal"
HIDDEN = "(role a) (role b) (legal a x) (legal b x) (init s) terminal (sees a s)"
TWO = "(role a) (role b) (legal a x) (legal b x) (init s) terminal"
ONE = "(role a) (legal a x) (init s) terminal"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (THREE, "for one role, or two opposed ones, without chance"),
        (CHANCE, "for one role, or two opposed ones, without chance"),
        (HIDDEN, "for roles that see all"),
        (TWO, None),
        (ONE, None),
    ],
)
def test_games_that_layers_are_for_at_first_sight(text: str, why: str | None) -> None:
    goals = " ".join(f"(goal {role} 50)" for role in "abc" if f"(role {role})" in text)
    game = ggp.parse(f"{text} {goals}")
    if why is None:
        require_apt(game)
        return
    with pytest.raises(NotSolvable, match=f"^layers: {why}"):
        require_apt(game)


@pytest.mark.parametrize("found", [None, SimpleNamespace(evidence="of another kind")])
def test_where_no_proof_gives_weights_there_are_none(
    found: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = heaps()
    monkeypatch.setattr(cyclic, "prove", lambda proofs, cheap: found)
    with pytest.raises(NotSolvable, match="no weighted sum of fluents is known to fall"):
        solved(game)


def test_weights_fall_with_every_move() -> None:
    game = heaps()
    weights = require_falling(Positions(game, Budget(game.limits)))
    fluents = list(map(str, game.net.fluents))
    for state in states_of(game):
        own = sum(weights.get(fluents.index(str(fact)), 0) for fact in state.facts)
        for after in {} if state.terminal else GdlTree(game).moves(state).values():
            assert sum(weights.get(fluents.index(str(f)), 0) for f in after.facts) < own


FLUENTS = 8
"""Of the game of two heaps."""


@pytest.mark.parametrize(
    ("pairs", "is_kept"),
    [
        ([[0, 1], [FLUENTS - 1, 5]], True),
        ([[0, -1]], True),
        ([], True),
        ([[0, 2**31 - 1]], True),
        ([[0, 2**31]], False),
        ([[0, 2**30], [0, 2**30]], False),
        ([[0, -(2**31)]], False),
        ([[FLUENTS, 1]], False),
        ([[-1, 1]], False),
    ],
)
def test_weights_that_were_kept_must_make_sense(pairs: list[list[int]], is_kept: bool) -> None:
    game = heaps()
    assert len(game.net.fluents) == FLUENTS
    shelf = InMemory()
    shelf.put(WEIGHTS, np.array(pairs, dtype=np.int64).reshape(-1, 2))
    solution, context = solved(game), Positions(game, Budget(game.limits))
    if is_kept:
        assert solution._weights(context, shelf, {}) == {fluent: weight for fluent, weight in pairs}
        return
    with pytest.raises(InputError, match=r"^weights: not what was written there$"):
        solution._weights(context, shelf, {})


@pytest.mark.parametrize(
    "array", [np.zeros((2, 3), dtype=np.int64), np.zeros((2, 2), dtype=np.int32), np.zeros(2)]
)
def test_weights_of_another_kind_are_refused(array: np.ndarray[Any, Any]) -> None:
    game = heaps()
    shelf = InMemory()
    shelf.put(WEIGHTS, array)
    with pytest.raises(InputError, match=r"^weights: not what was written there$"):
        solved(game)._weights(Positions(game, Budget(game.limits)), shelf, {})


def test_a_solution_of_two_heaps() -> None:
    solution = solved(heaps())
    assert solution.method == "backward induction, layer by layer"
    assert (solution.positions, solution.moves, len(solution.layers)) == (14, 24, 14)
    assert solution.layers.ranks == (4, 3, 2, 1, 0)
    assert (solution.layers.scores, solution.layers.total) == ((0, 100), 100)
    assert solution.told_elsewhere() is None
    assert solution.seconds >= 0


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("folded", [False, True])
def test_values_and_best_moves(misere: bool, folded: bool) -> None:
    """Normal play is lost where the heaps are the same; misère play but for heaps of one at the
    most, of which an odd number is lost."""
    if folded:
        pytest.importorskip("igraph")
    game = heaps(lost=20, won=80)
    solution = solved(game, misere=misere, folding=Folding.of(game) if folded else None)
    assert solution.method.endswith(", up to 2 symmetries") is folded
    assert solution.positions == (14 - 5 if folded else 14)

    def is_lost(sizes: list[int]) -> bool:
        if misere and max(sizes) < 2:
            return sum(sizes) % 2 == 1
        return sizes[0] == sizes[1]

    for state in states_of(game):
        sizes, turn = parts_of(state)
        winner = turn if not is_lost(sizes) else "ab".replace(turn, "")
        assert solution.value(state) == {p: 80 if p == winner else 20 for p in "ab"}
        after = {
            f"(to {h + 1} {m})": [*sizes[:h], m, *sizes[h + 1 :]]
            for h in (0, 1)
            for m in range(sizes[h])
        }
        good = [move for move, to in after.items() if is_lost(to) == (winner == turn)]
        assert [str(move) for move in solution.best(state)] == sorted(good)
        if state.terminal:
            with pytest.raises(IllegalMove):
                solution.progress(state)
        else:
            assert solution.progress(state) == solution.best(state)[0]


def test_the_identity_alone_folds_nothing() -> None:
    game = heaps()
    nothing = Folding(game, [tuple(range(game.net.first_gate))])
    solution = solved(game, folding=nothing)
    assert solution.method == "backward induction, layer by layer"
    assert solution.positions == 14


def test_one_role_has_no_total() -> None:
    game = ggp.parse(ALONE)
    solution = solved(game)
    assert (solution.layers.scores, solution.layers.total) == ((5, 30), None)
    assert [solution.value(state) for state in states_of(game)].count({"a": 5}) == 1


def test_a_position_that_was_not_reached_is_solved_when_it_is_asked_for(tmp_path: Path) -> None:
    """From (2, 2) with a to move b never comes to it; what both lead to is found where it is."""
    game = heaps()
    for keeping in (Keeping(threads=1), Keeping(threads=1, spill=tmp_path)):
        solution = solved(game, keeping)
        other = game.state(["(heap 1 2)", "(heap 2 2)", "(control b)"])
        assert solution.value(other) == {"a": 100, "b": 0}
        assert len(solution._solved) == 2
        one = game.state(["(heap 1 1)", "(heap 2 2)", "(control a)"])
        assert solution.value(one) == {"a": 100, "b": 0}
        assert len(solution._solved) == 2
        assert solution.positions == 14
        assert len(list(tmp_path.iterdir())) == (2 if keeping.spill else 0)
        del solution
        assert not list(tmp_path.iterdir())


def test_a_start_that_breaks_a_group_is_refused() -> None:
    game = heaps()
    odd = game.state(["(heap 1 2)", "(heap 1 1)", "(heap 2 2)", "(control a)"])
    context = Positions(game, Budget(game.limits), roots=[odd.bits])
    with pytest.raises(NotSolvable, match="a start that no play from the first state comes to"):
        LayerSolution(context, keeping=Keeping(threads=1))
    with pytest.raises(NotSolvable, match="no position that play can come to"):
        solved(game).value(odd)


@pytest.mark.parametrize("folded", [False, True])
def test_a_checkpoint_says_what_it_is_of(folded: bool, tmp_path: Path) -> None:
    if folded:
        pytest.importorskip("igraph")
    game = heaps()
    folding = Folding.of(game) if folded else None
    solution = solved(game, Keeping(threads=1, checkpoint=tmp_path), folding=folding)
    told = json.loads((tmp_path / "solution.json").read_text())
    assert told["sha256"] == game.rules.digest
    assert told["misere"] is False
    assert told["starts"] == [["(control a)", "(heap 1 2)", "(heap 2 2)"]]
    assert told["fluents"] == list(map(str, game.net.fluents))
    assert len(told["symmetries"]) == folded
    assert set(told) == {
        "format", "sha256", "misere", "starts", "fluents", "fields", "symmetries",
    }  # fmt: skip
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    again = solved(game, Keeping(threads=1, checkpoint=tmp_path), folding=folding)
    assert again.value(game.initial) == solution.value(game.initial) == {"a": 0, "b": 100}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept
    with pytest.raises(InputError, match="differs in misere"):
        solved(game, Keeping(threads=1, checkpoint=tmp_path), folding=folding, misere=True)


def test_a_spill_that_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "no").write_text("")
    with pytest.raises(InputError, match=f"{tmp_path / 'no'}: File exists"):
        solved(heaps(), Keeping(threads=1, spill=tmp_path / "no"))


def test_positions_elsewhere() -> None:
    game = heaps()
    together = Together(2, lambda folder, about: InMemory())
    solution = solved(game, Keeping(threads=1, elsewhere=together))
    assert solution.positions == 14
    assert solution.told_elsewhere() == {
        "parts": 2,
        "messages": together.traffic.messages,
        "key_bytes": together.traffic.keys,
        "code_bytes": together.traffic.codes,
    }
    assert together.traffic.keys != together.traffic.codes > 0
    with pytest.raises(NotSolvable, match="elsewhere are not counted"):
        solution.census([game.initial.bits], Budget(game.limits))
    with pytest.raises(TypeError, match="stays where it is"):
        pickle.dumps(solution)


def test_other_machines_need_a_checkpoint(tmp_path: Path) -> None:
    class Away(Together):
        is_here = False

    with pytest.raises(InputError, match="give a checkpoint"):
        solved(heaps(), Keeping(threads=1, elsewhere=Away(2)))
    keeping = Keeping(threads=1, elsewhere=Away(2), checkpoint=tmp_path / "c")
    assert solved(heaps(), keeping).positions == 14
    assert json.loads((tmp_path / "c" / "solution.json").read_text())["parts"] == 2


def test_parts_work_in_a_folder_of_the_spill(tmp_path: Path) -> None:
    keeping = Keeping(threads=1, elsewhere=Together(2), spill=tmp_path)
    solution = solved(heaps(), keeping)
    [folder] = tmp_path.iterdir()
    assert folder.name.startswith("ggp-")
    assert sorted(path.name for path in folder.iterdir()) == ["0", "1"]
    del solution
    assert not list(tmp_path.iterdir())


def test_a_pickled_solution_says_the_same() -> None:
    game = heaps()
    told: list[tuple[int, int]] = []
    solution = solved(game, progress=lambda found, done: told.append((found, done)))
    assert told[-1] == (14, 14)
    again = pickle.loads(pickle.dumps(solution))
    assert again._progress is None
    assert solution._progress is not None
    assert again.positions == 14
    assert again.layers.scores == (0, 100)


def test_a_table_of_one_part_takes_the_place_of_several(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    game = heaps()
    budget = Budget(game.limits)
    two = solved(game, Keeping(threads=1, elsewhere=Together(2)))
    assert two.write_table(tmp_path / "t", budget) == 14
    assert sorted(p.name for p in (tmp_path / "t").iterdir()) == [
        "part-00000-of-00002.parquet",
        "part-00001-of-00002.parquet",
    ]
    (tmp_path / "t" / ".ggp-half.parquet").write_text("half")
    assert solved(game).write_table(tmp_path / "t", budget) == 14
    assert [p.name for p in (tmp_path / "t").iterdir()] == ["part-00000-of-00001.parquet"]


def test_a_sum_that_does_not_fall_is_found_out() -> None:
    """Of weights that were kept: that of a larger heap is less."""
    game = heaps()
    fluents = list(map(str, game.net.fluents))
    wrong = {fluents.index(f"(heap 1 {n})"): 2 - n for n in range(3)}
    solution = solved(game)
    own = solution._moving
    solution._moving = Moving(game, Ranks(own.machine.coding, wrong))
    with pytest.raises(NotSolvable, match="does not fall with each move"):
        solution._add([game.initial.bits], InMemory(), Budget(game.limits))


UNLIKE = """(role a) (role b) (init (at 0)) (<= (legal a x) (true (at 0)))
(<= (legal a y) (true (at 0))) (<= (legal b noop) (true (at 0)))
(<= (next (at 1)) (does a x)) (<= (next (at 2)) (does a y))
(<= terminal (not (true (at 0)))) (goal a 50)
(<= (goal b 50) (true (at 1))) (<= (goal b 60) (true (at 2)))"""
"""What both get together hangs on the move."""


def test_roles_that_are_not_opposed_are_refused() -> None:
    with pytest.raises(NotSolvable, match="not opposed"):
        solved(ggp.parse(UNLIKE))
    assert solved(ggp.parse(UNLIKE.replace("60", "50"))).positions == 3


def test_positions_are_counted() -> None:
    """Ends come after two moves at the least and after four at the most; of 7 positions with a to
    move four are won by a, of those of b the one without counters."""
    game = heaps()
    solution = solved(game)
    solution.value(game.state(["(heap 1 2)", "(heap 2 2)", "(control b)"]))
    found = solution.census([game.initial.bits], Budget(game.limits))
    assert (found.ends, found.shortest, found.longest) == (2, 2, 4)
    assert dict(found.plies) == {0: 1, 1: 4, 2: 6, 3: 3}
    assert found.codes.tolist()[:2] == [9, 5]
    assert int(found.positions.sum()) == 14
    assert int(found.moves.sum()) == 24


def test_of_positions_that_came_back_nothing_is_told() -> None:
    class Back(Together):
        def layers(self, sizes: dict[int, int]) -> dict[int, Any]:
            return dict(super().layers(sizes))  # type: ignore[no-untyped-call]

    solution = solved(heaps(), Keeping(threads=1, elsewhere=Back(2)))
    assert solution.positions == 14
    assert solution.told_elsewhere() is None


def test_the_seconds_are_those_that_solving_took(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 107.5])
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert solved(heaps()).seconds == 7.5
