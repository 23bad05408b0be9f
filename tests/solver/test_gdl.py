"""Solutions of rule sheets: against published values and the tables of the reference."""

from __future__ import annotations

import csv
import json
from math import factorial

import pytest

import ggp
from ggp import LimitReached, NotSolvable
from ggp.analysis import Positions
from ggp.limits import Budget
from ggp.machine import explore
from ggp.solver import GameSolution, HeapSolution, verify
from ggp.theory import SubtractionGame, misere_outcome
from tests.conftest import GAMES, nightly, shared

ROWS = GAMES / "nim" / "rows.kif.jinja"


@pytest.mark.parametrize("rows", [1, 2, 3, 4, *nightly([5])])
@pytest.mark.parametrize("misere", [False, True])
def test_nim_rows(rows, misere) -> None:
    """Rows 1, 3, …, 2N-1: the figures of the AltaRica handbook's example, computed anew."""
    lines = shared("truth", "nim_rows.jsonl").read_text().splitlines()
    row = next(r for r in map(json.loads, lines) if r["N"] == rows and r["misere"] == misere)
    game = ggp.load(ROWS, rows=rows, misere=misere)
    solution = game.solve()
    assert (solution.outcome(game.initial) == "N") == row["first_player_wins"]
    if row["first_player_wins"]:
        best = [tuple(int(a.name) for a in move.args) for move in solution.best(game.initial)]
        assert sorted(best) == sorted(map(tuple, row["winning_first_moves_row_take"]))
    findings = game.analyse()
    assert findings.value("longest_play") == row["longest_play"]
    if not misere:
        assert isinstance(solution, HeapSolution) == (rows > 1), "a chain has three pairs at least"
        assert solution.nim_value(game.initial) == row["xor"]


@pytest.mark.parametrize("rows", [1, 2, 3, 4, *nightly([5])])
def test_nim_rows_position_by_position(rows) -> None:
    """The sets that the AltaRica example computes: winning and losing configurations, moves."""
    lines = shared("truth", "nim_rows.jsonl").read_text().splitlines()
    row = next(r for r in map(json.loads, lines) if r["N"] == rows and not r["misere"])
    game = ggp.load(ROWS, rows=rows)
    space = Positions(game, Budget()).either
    solution = GameSolution(game, space)
    firsts = [
        s
        for s in (ggp.State(game, space.state(i)) for i in range(len(space)))
        if "(control left)" in map(str, s.facts)
    ]
    assert len(firsts) == row["any_s"] == 2**rows * factorial(rows)
    outcomes = [solution.outcome(state) for state in firsts]
    assert outcomes.count("N") == row["Winning"]
    assert outcomes.count("P") == row["Losing"]
    assert sum(state.terminal for state in firsts) == row["sinks"]
    assert len(space.target) == 2 * row["transitions"]
    winning = sum(
        len(solution.best(state))
        for state, outcome in zip(firsts, outcomes, strict=True)
        if outcome == "N"
    )
    assert winning == row["WinningMove"]


def test_misere_by_switch_is_misere_by_rule() -> None:
    plain, misere = ggp.load(ROWS, rows=3), ggp.load(ROWS, rows=3, misere=True)
    switched, written = plain.solve(misere=True), misere.solve()
    for place in range(len(plain.space())):
        state = ggp.State(plain, plain.space().state(place))
        assert switched.value(state) == written.value(misere.state(state.facts))


@pytest.mark.slow
def test_heaps_by_multiples_against_the_golden_ratio() -> None:
    table = shared("truth", "heaps_an_bn.csv")
    with open(table, encoding="utf-8") as file:
        bounds = {int(r["n"]): (int(r["a_n"]), int(r["b_n"])) for r in csv.DictReader(file)}
    game = ggp.load(GAMES / "multiples" / "multiples.kif.jinja", first=61, second=60)
    positions = {
        (k, n): game.state([f"(heap 1 {k})", f"(heap 2 {n})", "(control left)"])
        for k in range(1, 61)
        for n in range(1, 61)
    }
    space = explore(game.machine, [state.bits for state in positions.values()])
    solution = GameSolution(game, space)
    for (k, n), state in positions.items():
        low, high = bounds[n]
        assert solution.outcome(state) == ("P" if low <= k <= high else "N")


@pytest.mark.parametrize(("n", "winner"), [(2, "benny"), (3, "rebecca"), (4, "draw")])
def test_board_colouring(n, winner) -> None:
    """Blue minus red is +4, -1 and 0 under best play."""
    game = ggp.load(GAMES / "colouring" / "colouring.kif.jinja", n=n)
    assert game.solve().result(game.initial) == winner


def test_every_pair_of_the_bisimulation_table() -> None:
    """The second player wins exactly if the two states are bisimilar."""
    with open(shared("truth", "bisimulation.json"), encoding="utf-8") as file:
        pairs = json.load(file)
    for pair in pairs:
        arrows = {
            key: [f"{a} {b}" for a, targets in pair[system].items() for b in targets]
            for key, system in (("first", "S"), ("second", "T"))
        }
        if not all(arrows.values()):
            continue
        game = ggp.load(
            GAMES / "bisimulation" / "bisimulation.kif.jinja",
            first_start=pair["s0"], second_start=pair["t0"], **arrows,
        )  # fmt: skip
        outcome = game.solve().outcome(game.initial)
        assert (outcome == "P") == pair["rebecca_wins"], pair["name"]


def test_misere_sums_are_searched_not_summed() -> None:
    """On SG{1,2,5} the exclusive or of shifted nim-values is wrong at 332 of 1,716 positions."""
    game = ggp.load(
        GAMES / "subtraction" / "subtraction.kif.jinja",
        heaps=[4, 5, 6],
        take=[1, 2, 5],
        misere=True,
    )
    solution = game.solve()
    heap = SubtractionGame({1, 2, 5})
    for a in range(5):
        for b in range(6):
            for c in range(7):
                state = game.state(
                    [f"(heap 1 {a})", f"(heap 2 {b})", f"(heap 3 {c})", "(control left)"]
                )
                expected = misere_outcome([heap] * 3, (a, b, c))
                assert solution.outcome(state) == expected


def test_unreachable_states_are_solved_as_well() -> None:
    game = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    solution = game.solve()
    state = game.state(["(skittle 1 up)", "(skittle 3 up)", "(control left)"])
    assert solution.outcome(state) == "P"
    lone = game.state(["(skittle 1 up)", "(skittle 2 up)", "(control right)"])
    assert solution.value(lone) == {"left": 0, "right": 100}


def test_simultaneous_moves_are_not_exchanged() -> None:
    """Misère play is defined by who moves last."""
    with pytest.raises(NotSolvable, match="simultaneous"):
        ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif").solve(misere=True)


def test_a_limit_is_named() -> None:
    with pytest.raises(LimitReached, match="positions = 100"):
        ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif").solve(positions=100)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("kayles/kayles-7.kif", "left"),
        ("subtraction/sg-357.kif", "right"),
        ("tic-tac-toe/tic-tac-toe.kif", "oplayer"),
        ("domineering/domineering-3x4.kif", "updown"),
        ("puzzles/lights-out-3x3.kif", None),
    ],
)
def test_strategies_keep_their_promise_against_all_replies(name, role) -> None:
    game = ggp.load(GAMES / name)
    strategy = game.solve().strategy(role or game.roles[0])
    checked = verify(strategy)
    assert checked.ok
    assert checked.positions == strategy.positions
    assert strategy.promise == game.solve().value(game.initial)[role or game.roles[0]]


def test_a_solution_from_one_load_answers_for_another() -> None:
    path = GAMES / "kayles" / "kayles-7.kif"
    first, second = ggp.load(path), ggp.load(path)
    assert first.solve().outcome(second.initial) == "N"
