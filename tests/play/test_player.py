"""Players: legal at once, perfect where solved, sensible elsewhere."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import count
from types import SimpleNamespace

import pytest

import ggp
from ggp.errors import NotSolvable
from ggp.play import PerfectPlayer, SearchPlayer, search_player
from ggp.solver import SearchSolution
from tests.conftest import GAMES, nightly

CONNECT_FOUR = GAMES / "connect-four" / "connect-four.kif.jinja"
TIC_TAC_TOE = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"


def test_a_solved_game_is_played_perfectly() -> None:
    game = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    player = SearchPlayer(game, "left")
    assert player.prepare(60)
    *_, last = player.suggestions(game.initial, 1)
    assert last.final
    assert str(last.move) in ("(double 2)", "(double 5)", "(single 4)")


DILEMMA = """(role row) (role col) (init start)
    (<= (legal ?r c) (role ?r)) (<= (legal ?r d) (role ?r))
    (<= (next (chose ?r ?m)) (does ?r ?m)) (<= terminal (not (true start))) (other row col)
    (other col row) (pays c c 70) (pays c d 0) (pays d c {tempting}) (pays d d 20)
    (<= (goal ?r ?g) (true (chose ?r ?a)) (other ?r ?s) (true (chose ?s ?b)) (pays ?a ?b ?g))"""


def test_where_interests_differ_perfect_play_is_the_equilibrium() -> None:
    """Prisoners defect; of a hunt for a stag there are two equilibria, and no answer."""
    prisoners = ggp.parse(DILEMMA.format(tempting=100))
    for role in ("row", "col"):
        assert str(PerfectPlayer(prisoners, role).choose(prisoners.initial, 1)) == "d"
    hunt = ggp.parse(DILEMMA.format(tempting=60))
    with pytest.raises(NotSolvable, match="differ"):
        PerfectPlayer(hunt, "row").prepare(1)


def plays_a_draw(player: SearchPlayer) -> None:
    """As red at connect-four that is drawn: what follows is searched move by move."""
    assert isinstance(player.solution, SearchSolution)
    drawn = {"red": 50, "yellow": 50}
    state = player.game.initial
    for _ in range(2):
        *_, last = player.suggestions(state, 60)
        assert (last.final, last.why) == (True, "solved")
        state = state.play({"red": last.move, "yellow": "noop"})
        assert player.solution.value(state) == drawn
        reply = state.require_legal("yellow")[-1]
        state = state.play({"red": "noop", "yellow": reply})
        if player.solution.value(state) != drawn:
            break


@pytest.mark.slow
def test_a_game_solved_by_search_is_played_perfectly() -> None:
    game = ggp.load(CONNECT_FOUR, columns=4, rows=3, line=4)
    player = SearchPlayer(game, "red")
    player.solution = game.solve(method="alpha-beta")
    plays_a_draw(player)


@pytest.mark.slow
def test_what_may_not_be_enumerated_is_solved_by_search() -> None:
    player = SearchPlayer(ggp.load(CONNECT_FOUR, columns=5, rows=4), "red", positions=1_100_000)
    assert player.prepare(120)
    plays_a_draw(player)


def test_the_first_suggestion_comes_at_once_and_all_are_legal() -> None:
    game = ggp.load(CONNECT_FOUR, columns=7, rows=6)
    player = SearchPlayer(game, game.roles[0], seed=1, positions=1000)
    started = time.monotonic()
    suggestions = []
    for suggestion in player.suggestions(game.initial, 0.3):
        suggestions.append(suggestion)
        if len(suggestions) == 1:
            assert time.monotonic() - started < 0.2
    assert len(suggestions) > 1
    assert all(s.move in game.initial.legal(game.roles[0]) for s in suggestions)


def test_sampling_finds_a_win_in_one() -> None:
    game = ggp.load(TIC_TAC_TOE)
    state = game.initial
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        state = state.play(move)
    player = SearchPlayer(game, "xplayer", seed=1, positions=1)
    *_, last = player.suggestions(state, 0.3)
    assert str(last.move) == "(mark 1 3)"


def test_simultaneous_moves_are_played_too() -> None:
    game = ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif")
    player = SearchPlayer(game, game.roles[0], seed=2)
    assert player.prepare(60)
    drawn = []
    for _ in range(60):
        *_, last = player.suggestions(game.initial, 0.1)
        assert last.final
        drawn.append(last.move)
    # Each is drawn with a third: that one is never drawn in 60 has odds of 10^-10.
    assert set(drawn) == set(game.initial.legal(game.roles[0]))


def test_nothing_is_solved_where_circuits_took_the_time_for_it(monkeypatch) -> None:
    """The rules of atariGo took 13 s of a start clock of 5 s."""
    player = SearchPlayer(ggp.load(TIC_TAC_TOE), "xplayer", seed=1)
    asked: list[float] = []
    monkeypatch.setattr(search_player, "solve", lambda *_, time, **__: asked.append(time))
    monkeypatch.setattr(SearchPlayer, "ponder", lambda *_: None)
    for jump, seconds in ((100.0, 5.0), (1.0, 5.0)):
        clock = SimpleNamespace(monotonic=count(0.0, jump).__next__)
        monkeypatch.setattr(search_player, "time", clock)
        player.prepare(seconds)
    assert asked == [search_player.SOLVING * 4.0]


FIRST = """
import sys
import ggp
from ggp.play.simple import UctPlayer
from ggp.play.flat import FlatPlayer
from ggp.errors import NotSolvable
from ggp.play import PerfectPlayer, SearchPlayer

def compiled():
    return {
        (value.__module__, value.__name__, signature)
        for module in list(sys.modules)
        if module.startswith("ggp.")
        for value in list(vars(sys.modules[module]).values())
        if not isinstance(value, type)
        for signature in getattr(value, "signatures", ())
    }

player = globals()[sys.argv[1]](ggp.load(sys.argv[2]), "xplayer", seed=1)
before = compiled()
player.choose(player.game.initial, 0.2)
print(bool(before), sorted(compiled() - before))
"""


@pytest.mark.parametrize("kind", ["SearchPlayer", *nightly(["FlatPlayer", "UctPlayer"])])
def test_what_thinking_takes_is_loaded_before_the_first_clock_runs(kind: str) -> None:
    """A first match in a new checkout lost its first moves to compiling."""
    command = [sys.executable, "-c", FIRST, kind, str(TIC_TAC_TOE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "True []\n"


ROUND = """
(role a) (role b) (role random) (init (at start)) (lot back) (lot lost) (lot lower) (lot won)
(<= (legal a (go out)) (true (at start)))
(<= (legal a (go on)) (true (at start)))
(<= (legal a wait) (true (at draw)))
(<= (legal b wait) (role b))
(<= (legal random wait) (true (at start)))
(<= (legal random (draw ?x)) (true (at draw)) (lot ?x))
(<= (next (at out)) (does a (go out)))
(<= (next (at draw)) (does a (go on)))
(<= (next (at start)) (does random (draw back)))
(<= (next (at ?x)) (does random (draw ?x)) (distinct ?x back))
(<= terminal (true (at ?x)) (distinct ?x start) (distinct ?x draw))
(<= (goal a 99) (true (at out)))
(<= (goal b 1) (true (at out)))
(<= (goal a 100) (true (at won)))
(<= (goal b 0) (true (at won)))
(<= (goal a 0) (not (true (at out))) (not (true (at won))))
(<= (goal b 100) (not (true (at out))) (not (true (at won))))
"""
"""Chance may lead round and round, which has no value, so that there is no exact one."""


def test_what_a_solution_does_not_answer_is_searched_and_said_to_be() -> None:
    """The page said that a move by search was solved, and the start clock was not used."""
    game = ggp.parse(ROUND)
    player = SearchPlayer(game, "a", seed=1)
    assert not player.prepare(0.5)
    *_, last = player.suggestions(game.initial, 0.3)
    assert str(last.move) == "(go out)"
    told = player.insight(game.initial)
    assert (told.value, told.moves[0]) == (99, ("(go out)", 99))
    assert "solved" not in told.why
