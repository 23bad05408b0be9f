"""Statistics and tables of solved positions, against the published counts and a plain search."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.errors import InputError, LimitReached, NotSolvable, UnknownName
from ggp.limits import Budget, Limits
from ggp.solver import GdlTree, Keeping, counts, write_table
from ggp.solver.counts import _joined, statistics
from tests.conftest import GAMES, nightly, shared
from tests.oracle.random_games import random_game

ROWS = GAMES / "nim" / "rows.kif.jinja"


def both_turns(game: ggp.Game) -> list[ggp.State]:
    """The initial board with the turn given to either role."""
    state = game.initial
    other = {"(control left)": "(control right)"}
    facts = [other.get(str(fact), str(fact)) for fact in state.facts]
    return [state, game.covering([facts]).state(facts)]


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_rows_of_matches_are_counted_as_published(rows, misere) -> None:
    """Table of `Winning the Nim game` (seed 004), whose positions leave out whose turn it is."""
    lines = shared("truth", "nim_rows.jsonl").read_text().splitlines()
    [truth] = (t for t in map(json.loads, lines) if (t["N"], t["misere"]) == (rows, misere))
    game = ggp.load(ROWS, rows=rows)
    starts = both_turns(game)
    found = statistics(
        starts[1].game, [starts[1].game.state(s.facts) for s in starts], misere=misere
    )
    assert found.positions == 2 * truth["any_s"]
    assert found.ends == 2 * truth["sinks"]
    assert found.moves == 2 * truth["transitions"]
    assert found.longest == truth["longest_play"]
    for side in found.sides.values():
        assert side.winning == truth["Winning"]
        assert side.losing == truth["Losing"]
        assert side.winning_moves == truth["WinningMove"]
        assert side.winning_moves + side.losing_moves == side.moves == truth["transitions"]
    if not misere:
        assert found.nim_values[0] == 2 * truth["Losing"]


def all_states(game: ggp.Game) -> dict[frozenset[str], ggp.State]:
    """All states that play comes to, one by one."""
    tree = GdlTree(game)
    found = {frozenset(map(str, game.initial.facts)): game.initial}
    todo = [game.initial]
    while todo:
        state = todo.pop()
        for after in {} if state.terminal else tree.moves(state).values():
            facts = frozenset(map(str, after.facts))
            if facts not in found:
                found[facts] = after
                todo.append(after)
    return found


def solvable(seed: int) -> ggp.Game | None:
    game = ggp.parse(random_game(seed), f"random-{seed}")
    try:
        ggp.solve(game, positions=3000)
        for state in all_states(game).values():
            game.solve(starts=[state]).value(state)
    except (ggp.NotSolvable, LimitReached):
        return None
    return game


@pytest.mark.parametrize("seed", [*range(300, 310), *nightly(range(310, 330))])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_every_row_of_a_table_is_what_solving_its_state_says(seed, suffix, tmp_path) -> None:
    game = solvable(seed)
    if game is None:
        pytest.skip("not solved")
    states = all_states(game)
    file = tmp_path / f"table{suffix}"
    assert write_table(file, game) == len(states)
    read = ggp.tablebase(file)
    assert {read.facts(i) for i in range(len(read))} == states.keys()
    for facts, state in states.items():
        solution = game.solve(starts=[state])
        row = read[facts]
        assert row == read[state]
        value = solution.value(state)
        assert row["goals"] == value
        assert (row["distance"] == 0) == state.terminal
        assert row["turn"] in (solution.to_move(state), None)
        if not state.terminal:
            assert row["best"] == tuple(map(str, solution.best(state)))
            assert row["turn"] == solution.mover(state)
        expected = "endless" if value is None else solution.result(state)
        assert row["result"] == expected or (row["result"], expected) == ("depends", None)
    with pytest.raises(UnknownName):
        read[["(no such fact)"]]


@pytest.mark.parametrize("seed", [*range(300, 310), *nightly(range(310, 330))])
def test_counts_are_those_of_a_plain_search(seed) -> None:
    game = solvable(seed)
    if game is None:
        pytest.skip("not solved")
    states = list(all_states(game).values())
    found = statistics(game)
    assert found.positions == len(states)
    assert found.ends == sum(state.terminal for state in states)
    tree = GdlTree(game)
    results = dict.fromkeys([*game.players, "draw"], 0)
    moves = dict.fromkeys(game.players, 0)
    for state in states:
        solution = game.solve(starts=[state])
        result = solution.result(state)
        if result is not None:
            results[result] += 1
        if not state.terminal:
            moves[tree.mover(state)] += len(tree.moves(state))
    assert {k: v for k, v in found.results.items() if k != "depends"} == results
    if game.turns:
        assert {p: side.moves for p, side in found.sides.items()} == moves
    assert sum(found.plies) == len(states)
    assert sum(count for _, count in found.scores) == len(states)


def test_one_player_has_scores_and_nobody_to_beat() -> None:
    found = statistics(ggp.load(GAMES / "puzzles" / "lights-out-3x3.kif"))
    assert (found.positions, found.ends, found.shortest, found.longest) == (512, 1, 5, None)
    assert found.results == found.sides == {}
    assert found.scores == (((100.0,), 512),)


def test_columns_have_the_names_of_what_they_hold(tmp_path) -> None:
    file = tmp_path / "rows.csv"
    write_table(file, ggp.load(ROWS, rows=2))
    with file.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == [
        "position", "(control ?)", "(row 1 ?)", "(row 2 ?)", "turn", "goal left", "goal right",
        "result", "distance", "nim_value", "best",
    ]  # fmt: skip
    assert rows[0]["(row 2 ?)"] == "3"
    assert rows[0]["best"] == "(take 2 2)"
    assert rows[0]["nim_value"] == "2"


def test_what_is_no_table_is_told(tmp_path) -> None:
    game = ggp.load(ROWS, rows=1)
    with pytest.raises(InputError, match=r"\.csv or \.parquet"):
        write_table(tmp_path / "x.json", game)
    for name, text in (
        ("a.csv", "x,y\n1,2\n"),
        ("b.csv", "position,turn,result,best\n1,2\n"),
        ("last.csv", "turn,position,result,best\na,0,a,x\n"),
        ("two.csv", "position,(p) (q),turn,result,best\n0,1,a,a,x\n"),
        ("open.csv", "position,(p,turn,result,best\n0,1,a,a,x\n"),
        ("word.csv", "position,(p),turn,result,best\n0,yes,a,a,x\n"),
        ("more.csv", "position,(at ?),turn,result,best\n0,1 2,a,a,x\n"),
        ("less.csv", "position,(at ? ?),turn,result,best\n0,1,a,a,x\n"),
        ("twice.csv", "position,turn,turn,result,best\n0,a,a,a,x\n"),
        ("c.csv", "position,turn,result,best\nx,left,left,\n"),
        ("d.csv", "\xff\xfe"),
        ("e.csv", ""),
        ("f.parquet", "no"),
        ("g.txt", ""),
    ):
        (tmp_path / name).write_bytes(text.encode("latin-1"))
        with pytest.raises(InputError):
            ggp.tablebase(tmp_path / name)
    with pytest.raises(InputError):
        ggp.tablebase(tmp_path / "missing.csv")


def test_a_table_that_passes_a_limit_leaves_nothing_behind(tmp_path) -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif", limits=Limits(positions=1000))
    (tmp_path / "t.csv").write_text("old")
    with pytest.raises(LimitReached):
        write_table(tmp_path / "t.csv", game)
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]
    assert (tmp_path / "t.csv").read_text() == "old"


def in_layers(game: ggp.Game, *, misere: bool = False, threads: int = 1) -> None:
    """The same counts from packed layers as from all positions with their moves."""
    budget = Budget(game.limits)
    positions = Positions(game, budget)
    whole = counts._Count(counts.enumerated(game, (), misere, budget, None)).statistics()
    found = counts._in_layers(positions, misere, Keeping(threads))
    assert found == replace(whole, nim_values={})


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        pytest.param("tic-tac-toe/tic-tac-toe.kif", {}, marks=pytest.mark.slow),
        ("connect-four/connect-four.kif.jinja", {"columns": 3, "rows": 3, "line": 3}),
        ("nim/rows.kif.jinja", {"rows": 3}),
        ("domineering/domineering-3x4.kif", {}),
        ("bisimulation/exits.kif", {}),
        ("clobber/clobber.kif.jinja", {"rows": 3, "columns": 3}),
        ("toads-and-frogs/toads-and-frogs.kif.jinja", {}),
    ],
)
def test_counts_in_layers_are_the_same(sheet, settings) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    in_layers(game)
    in_layers(game, misere=True, threads=2)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(12), *nightly([range(12, 25)])])
def test_counts_in_layers_of_random_games(seeds) -> None:
    some = 0
    for seed in seeds:
        try:
            in_layers(ggp.parse(random_game(seed)))
        except NotSolvable:
            continue
        some += 1
    assert some > 2


ONE_ROLE = """(role a) (init (n 4)) (minus 4 3) (minus 3 2) (minus 2 1) (minus 1 0)
(<= (legal a one) (true (n ?x)) (minus ?x ?y))
(<= (legal a two) (true (n ?x)) (minus ?x ?y) (minus ?y ?z))
(<= (next (n ?y)) (does a one) (true (n ?x)) (minus ?x ?y))
(<= (next (n ?z)) (does a two) (true (n ?x)) (minus ?x ?y) (minus ?y ?z))
(<= (next twice) (does a two)) (<= (next twice) (true twice))
(<= terminal (true (n 0))) (<= (goal a 100) (true twice)) (<= (goal a 0) (not (true twice)))"""


def test_counts_in_layers_of_one_role() -> None:
    in_layers(ggp.parse(ONE_ROLE))


def test_many_positions_are_counted_in_layers(monkeypatch) -> None:
    """Without a word from whoever asks; the counts of connect-four on 4 x 4 (J. Tromp)."""
    monkeypatch.setattr(counts, "SOON", 1000)
    monkeypatch.setattr(counts, "_solved", None)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=4)
    found = statistics(game)
    assert found.positions == 161_029
    assert (found.shortest, found.longest) == (7, 16)


def test_play_from_an_end_is_over() -> None:
    """One position, no move; no more of the start is looked at."""
    game = ggp.parse(ONE_ROLE)
    [end] = [s for s in all_states(game).values() if s.terminal and not s.goals["a"]]
    found = statistics(game, [end])
    assert (found.positions, found.ends, found.moves) == (1, 1, 0)
    assert (found.shortest, found.longest, found.plies) == (0, 0, (1,))


def test_the_longest_play_is_that_from_any_of_several_starts() -> None:
    """From where none to four are left, of which one or two are taken at a time."""
    game = ggp.parse(ONE_ROLE)
    states = [game.initial]
    while not states[-1].terminal:
        states.append(states[-1].play("one"))
    for some in ([3, 0], [0, 3], [3, 2, 1], [4, 3], [4, 0], [1, 2, 3, 4]):
        found = statistics(game, [states[i] for i in some])
        assert found.longest == max(4 - i for i in some)
        assert found.shortest == min(-(-(4 - i) // 2) for i in some)
        assert found.plies[0] == len(some)


CHOOSERS = """(role a) (role b) (init (at 1)) (stop 4) (stop 5) (stop 6)
(<= (legal a x) (true (at ?n))) (<= (legal a y) (true (at 1)))
(<= (legal b x) (true (at ?n))) (<= (legal b y) (true (at 2)))
(<= (next (at 2)) (true (at 1)) (does a x)) (<= (next (at 3)) (true (at 1)) (does a y))
(<= (next (at 4)) (true (at 2)) (does b x)) (<= (next (at 5)) (true (at 2)) (does b y))
(<= (next (at 6)) (true (at 3)))
(<= terminal (true (at ?n)) (stop ?n))
(<= (goal a 100) (true (at 4))) (<= (goal b 0) (true (at 4)))
(<= (goal a 0) (true (at 5))) (<= (goal b 100) (true (at 5)))
(<= (goal a 50) (true (at 6))) (<= (goal b 50) (true (at 6)))
(<= (goal a 0) (not over)) (<= (goal b 0) (not over)) (<= over (true (at ?n)) (stop ?n))"""


def test_where_all_are_forced_nothing_tells_whose_turn_it_is() -> None:
    """One of the players chooses at 1, the other at 2 and nobody at 3; 2 is lost for the first."""
    game = ggp.parse(CHOOSERS)
    assert game.turns is None
    found = statistics(game)
    assert (found.positions, found.ends, found.moves) == (6, 3, 5)
    assert found.sides["a"] == counts.SideCounts(
        1, drawn=1, moves=2, losing_moves=1, drawing_moves=1
    )
    assert found.sides["b"] == counts.SideCounts(
        1, winning=1, moves=2, winning_moves=1, losing_moves=1
    )
    assert found.results == {"a": 1, "b": 2, "draw": 3}


def test_means_that_differ_by_rounding_are_one_score() -> None:
    mean = 700 / 9
    scores = np.array([0.1 + 0.2, mean, 0.3, mean + 2e-14, 100.0, mean - 1e-14, 0.30001])
    found = _joined(scores, 1e-7)
    assert found.tolist() == [0.3, found[1], 0.3, found[1], 100.0, found[1], 0.30001]
    assert abs(found[1] - mean) < 1e-13


def test_positions_of_one_mean_are_counted_together(monkeypatch) -> None:
    """Seven draws of nine count, or two of three and one of three after the third: 700 / 9."""
    nine = "".join(f"(pip {n})" for n in range(9))
    game = ggp.parse(f"""
        (role a) (role random) (init (at start)) {nine} (third 0) (third 1) (third 8)
        (<= (legal a go) (true (at start))) (<= (legal a on) (true (at start)))
        (<= (legal a wait) (not (true (at start)))) (<= (legal random wait) (true (at start)))
        (<= (legal random (roll ?n)) (true (at nine)) (pip ?n))
        (<= (legal random (roll ?n)) (true (at three)) (third ?n))
        (<= (legal random (roll ?n)) (true (at last)) (third ?n))
        (<= (next (at nine)) (does a go)) (<= (next (at three)) (does a on))
        (<= (next (at (end ?n))) (does random (roll ?n)) (true (at nine)))
        (<= (next (at (end ?n))) (does random (roll ?n)) (true (at three)) (distinct ?n 8))
        (<= (next (at last)) (does random (roll 8)) (true (at three)))
        (<= (next (at (end 2))) (does random (roll 0)) (true (at last)))
        (<= (next (at (end 7))) (does random (roll 1)) (true (at last)))
        (<= (next (at (end 8))) (does random (roll 8)) (true (at last)))
        (<= over (true (at (end ?n)))) (<= terminal over)
        (<= (goal a 100) (true (at (end ?n))) (distinct ?n 7) (distinct ?n 8))
        (<= (goal a 0) (true (at (end 7)))) (<= (goal a 0) (true (at (end 8))))
    """)
    found = dict(statistics(game).scores)
    assert sorted(found.values()) == [1, 2, 3, 7]
    assert found[min(found, key=lambda score: abs(score[0] - 700 / 9))] == 3
    monkeypatch.setattr(counts, "_joined", lambda scores, slack: scores)
    assert len(statistics(game).scores) > len(found), "without it they are told apart"
