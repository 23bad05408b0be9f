"""Enumeration of positions against known counts and against a plain search."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp import LimitReached, Limits
from ggp.arrays import counted
from ggp.limits import Budget
from ggp.machine import Machine, explore, perft
from ggp.machine import machine as machine_module
from ggp.machine.space import index as index_module
from ggp.machine.space import space as space_module
from ggp.machine.space.index import RowIndex
from tests.conftest import GAMES


def test_tic_tac_toe_has_5478_positions() -> None:
    """A well-known count; 958 of them are final."""
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    space = game.space()
    assert len(space) == 5478
    assert space.terminal.sum() == 958
    assert [n for n, _, _ in perft(game.machine, game.initial.bits, 9)] == [
        1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78,
    ]  # fmt: skip


def test_connect_four_4x4_has_161029_positions() -> None:
    """J. Tromp's count of the positions of connect-four on 4 x 4."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=4)
    assert len(game.space()) == 161_029


def test_packed_positions_are_as_many(monkeypatch) -> None:
    """J. Tromp's count for 4 x 4, and for each ply what unpacked rows give."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=4)
    monkeypatch.setattr(space_module, "PACKED", 100)
    root = game.initial.bits
    packed = list(perft(game.machine, root, 16, packed=lambda: game.packed_machine))
    assert packed == list(perft(game.machine, root, 16))
    assert sum(count for count, _, _ in packed) == 161_029
    assert game.packed_machine.coding.bits < game.machine.coding.bits


@pytest.mark.parametrize("name", ["kayles/kayles-7.kif", "simultaneous/rock-paper-scissors.kif"])
def test_a_space_is_what_the_states_say(name) -> None:
    game = ggp.load(GAMES / name)
    space = game.space()
    known = {game.initial: 0}
    todo = [game.initial]
    edges = 0
    while todo:
        state = todo.pop()
        place = space.position(state.bits)
        assert place is not None
        assert space.state(place) == state.bits
        found = {space.state(int(space.target[e])) for e in space.edges(place)}
        expected = set()
        if not state.terminal:
            legal = [state.legal(role) for role in game.roles]
            for first in legal[0]:
                for second in legal[1]:
                    after = state.play({game.roles[0]: first, game.roles[1]: second})
                    expected.add(after.bits)
                    edges += 1
                    if after not in known:
                        known[after] = 1
                        todo.append(after)
        assert found == expected
    assert len(known) == len(space)
    assert edges == len(space.target)


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Limits(positions=100), "positions"),
        (Limits(seconds=0), "time"),
        (Limits(memory=1), "memory"),
    ],
)
def test_limits_are_named(limits, name) -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    with pytest.raises(LimitReached, match=name):
        explore(game.machine, [game.initial.bits], Budget(limits))


@pytest.mark.parametrize("choice", ["reference", "auto", "interpreter", "llvm"])
@pytest.mark.parametrize(
    "name", ["connect-four/connect-four.kif.jinja", "simultaneous/rock-paper-scissors.kif"]
)
def test_children_are_the_successors_with_what_holds_there(name, choice) -> None:
    game = ggp.load(GAMES / name)
    machine = Machine(game.net, game.groups, choice=choice)
    for state, _ in game.random_playout(seed=4):
        children = machine.children(machine.rows([state.bits])[0])
        joint = game.evaluator.legal(state.bits)
        expected = (
            [] if state.terminal else [game.evaluator.next(state.bits, j) for j in product(*joint)]
        )
        assert machine.states(children.rows) == expected
        again = machine.view(children.rows)
        assert np.array_equal(children.view.legal, again.legal)
        assert np.array_equal(children.view.terminal, again.terminal)
        assert np.array_equal(children.view.goals, again.goals)


@given(st.lists(st.integers(0, 20)))
def test_counted_is_unique_with_counts(values) -> None:
    found, times = counted(np.array(values, dtype=np.int32))
    expected, counts = np.unique(np.array(values, dtype=np.int32), return_counts=True)
    assert (found.tolist(), times.tolist()) == (expected.tolist(), counts.tolist())


def test_a_table_says_what_growing_will_take(monkeypatch) -> None:
    monkeypatch.setattr(index_module, "FEW", 0)
    index = RowIndex(2)
    assert index.growth(10) == 4 * 32
    assert index.growth(2_000) >= 2_000 * 16 + 4 * 4_096
    rows = np.arange(6_000, dtype=np.uint64).reshape(-1, 2)
    planned = index.growth(len(rows))
    index.add(rows)
    assert planned == index._kept.nbytes + index._table.nbytes
    assert index.growth(0) == 0


@pytest.mark.parametrize("light", [0, 20_000, 400_000, 40_000_000])
@pytest.mark.parametrize("few", [0, 1_000, 200_000])
def test_when_loops_take_over_changes_nothing(light, few, monkeypatch) -> None:
    """From numpy to compiled loops, and from a dictionary to a table, in the midst of the work."""
    whole = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif").space()
    monkeypatch.setattr(machine_module, "LIGHT", light)
    monkeypatch.setattr(index_module, "FEW", few)
    space = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif").space()
    for name in ("rows", "depth", "terminal", "goals", "legal_counts", "target", "joint"):
        assert np.array_equal(getattr(space, name), getattr(whole, name))
    assert space.position(space.state(77)) == 77


def test_few_positions_are_counted_without_compiled_loops() -> None:
    """The first command on a machine should not wait for loops that it does not need."""
    code = (
        "import sys, ggp; game = ggp.games.load('kayles-7'); game.solve(); game.analyse();"
        "print(sorted({'numba', 'ggp.machine.engine.kernels'}.intersection(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
