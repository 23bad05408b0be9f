"""Positions up to symmetry have the values and the best moves of all positions."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp.analysis.relations.symmetries import elements, symmetries
from ggp.errors import NotSolvable
from ggp.limits import Limits
from ggp.machine import explore
from ggp.solver import GameSolution, verify
from ggp.solver.folding import Folding
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game


def folded(game: ggp.Game) -> GameSolution | None:
    folding = Folding.of(game)
    if folding is None:
        return None
    space = explore(game.machine, [game.initial.bits], fold=folding)
    return GameSolution(game, space, folding=folding)


def check(game: ggp.Game, *, nim_values: bool = False) -> GameSolution | None:
    """All states: values, nim-values, who is to move, best moves; and a strategy."""
    few = folded(game)
    if few is None:
        return None
    space = game.space()
    whole = GameSolution(game, space)
    assert few.positions <= whole.positions
    if nim_values:
        few.use_nim_values()
        whole.use_nim_values()
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "mover", "best", "outcome", "nim_value", "unique"):
            assert getattr(few, ask)(state) == getattr(whole, ask)(state), (str(state), ask)
        if not state.terminal:
            assert few.progress(state) in state.legal(few.mover(state) or game.roles[0])
    return few


@pytest.mark.parametrize(
    ("sheet", "settings", "order"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}, 8),
        ("kayles/kayles-7.kif", {}, 2),
        ("domineering/domineering-3x4.kif", {}, 4),
        ("clobber/clobber.kif.jinja", {"rows": 2, "columns": 4}, 2),
        ("puzzles/lights-out-3x3.kif", {}, 8),
        ("subtraction/subtraction.kif.jinja", {"heaps": [4, 4, 4]}, 6),
        ("connect-four/connect-four.kif.jinja", {"columns": 4, "rows": 2, "line": 2}, 2),
    ],
)
def test_games_of_the_library(sheet, settings, order) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    found = check(game, nim_values="kayles" in sheet or "subtraction" in sheet)
    assert found is not None
    assert f"{order} symmetries" in found.method
    assert found.positions < len(game.space())
    assert verify(found.strategy(game.roles[0])).ok


@pytest.mark.parametrize("seeds", [range(40), *nightly([range(40, 120)])])
def test_random_games(seeds) -> None:
    some = 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        if len(game.players) > 0 and game.chance is None:
            try:
                some += check(game) is not None
            except NotSolvable:
                continue
    assert some > 1


def test_of_large_groups_a_subgroup_is_used() -> None:
    """24 orders of four equal heaps; with at most 10 elements only some of them."""
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[3, 3, 3, 3])
    group = symmetries(game.net)
    assert group is not None
    assert len(elements(group.generators, 100)) == group.order == 24
    few = elements(group.generators, 10)
    assert 1 < len(few) <= 10
    assert all(tuple(a[x] for x in b) in few for a in few for b in few)


def test_solve_folds_what_is_not_few() -> None:
    """Domineering 5x5 is lost for who moves first (Berlekamp 1988); 4 symmetries keep the players.

    A limit too small for all positions is enough for a quarter of them.
    """
    game = ggp.load(GAMES / "domineering" / "domineering.kif.jinja", rows=5, columns=5)
    count = len(explore(game.machine, [game.initial.bits]))
    solution = game.solve(positions=count // 2)
    assert solution.positions < count // 3
    assert solution.outcome(game.initial) == "P"
    for move in list(game.initial.legal("updown"))[:3]:
        after = game.initial.play({"updown": move, "leftright": "noop"})
        assert solution.outcome(after) == "N"
    assert Limits().positions > count


@pytest.mark.parametrize("fluents", [62, 63, 64, 65, 127, 128])
def test_states_of_any_number_of_bits_are_folded(fluents: int) -> None:
    """63 fluents (knightmove) once failed: rows of all but one bit of their words."""
    text = "(role robot) (<= (next over) (true over)) (<= terminal (true over)) (goal robot 100)"
    text += "(init spare) (<= (legal robot end) (true spare)) (<= (next over) (does robot end))"
    text += "".join(
        f"(init (off {i})) (<= (legal robot (light {i})) (true (off {i})))"
        f"(<= (next (off {i})) (true (off {i})) (not (does robot (light {i}))))"
        for i in range(fluents - 2)
    )
    game = ggp.parse(text)
    assert len(game.net.fluents) == fluents
    group = symmetries(game.net)
    assert group is not None
    swap = group.generators[0]
    folding = Folding(game, elements([swap], 2))
    first = game.net.first_fluent
    moved = [i for i in range(fluents) if swap[first + i] != first + i]
    names = [str(game.net.fluents[i])[5:-1] for i in moved[:2]]
    rows = game.machine.rows([game.initial.play(f"(light {name})").bits for name in names])
    one, other = folding(rows).tolist()
    assert one == other


def test_the_symmetry_of_a_position_leads_to_what_stands_for_it() -> None:
    """Of states of several words as well: moves are mapped back by its number."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=7, rows=6)
    folding = Folding.of(game)
    assert folding is not None
    assert game.machine.coding.words > 1
    rng = random.Random(4)
    turned = 0
    for _ in range(40):
        state = game.initial
        for _ in range(rng.randrange(1, 12)):
            if not state.terminal:
                state = state.play({r: rng.choice(state.legal(r)) for r in game.roles})
        number = folding.element(state.bits)
        permutation = folding.permutations[number]
        image = sum(1 << permutation[i] for i in range(len(permutation)) if state.bits >> i & 1)
        assert (
            folding(game.machine.rows([state.bits])).tolist() == game.machine.rows([image]).tolist()
        )
        turned += number > 0
    assert 5 < turned < 35


def test_a_ring_that_can_be_turned_seventy_ways_is_solved_without_symmetries() -> None:
    """Of a group of more elements than are compared, and no smaller generators, nothing is left."""
    ring = " ".join(f"(init (free {i})) (next-to {i} {(i + 1) % 70})" for i in range(70))
    game = ggp.parse(f"""(role a) (role b) (init (turn a)) {ring}
        (<= (legal ?p (take ?c)) (true (turn ?p)) (can ?c))
        (<= (can ?c) (true (free ?c)) (next-to ?c ?d) (true (free ?d)))
        (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
        (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
        (<= (next (free ?c)) (true (free ?c)) (not (taken ?c)))
        (<= (taken ?c) (does ?p (take ?c)))
        (<= able (can ?c)) (<= terminal (not able))
        (<= (goal ?p 0) (true (turn ?p))) (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))""")
    assert Folding.of(game) is None
