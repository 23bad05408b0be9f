"""Which moves random play favours, by what they came to."""

from __future__ import annotations

from math import e, inf

import numpy as np
import pytest

import ggp
from ggp.machine.engine.frames import LANES, WORDS
from ggp.machine.playouts import foreseeing as foreseeing_module
from ggp.machine.playouts.playouts import Favour
from ggp.play.search.habits import PRIOR, WIDTH, Habits
from ggp.play.search.leaves import Leaves, Settings
from ggp.play.search.search import TreeSearch
from tests.conftest import GAMES

CHOICE = """
(role a) (role b) (init (control a))
(<= (legal ?p left) (true (control ?p))) (<= (legal ?p right) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control b)) (true (control a))) (<= (next idle) (true (control b)))
(<= (next done) (true idle))
(<= (next (went ?p)) (does ?p right)) (<= (next (went ?p)) (true (went ?p)))
(<= terminal (true done))
(<= (goal a 100) (true (went a))) (<= (goal a 0) (not (true (went a))))
(<= (goal b 0) (true (went a))) (<= (goal b 100) (not (true (went a))))
"""
"""Only what a does counts, and nobody wins by the next move."""


@pytest.fixture(autouse=True)
def _of_small_sheets(monkeypatch) -> None:
    """Favour adds much to small steps, so that they would go without."""
    monkeypatch.setattr(foreseeing_module, "SHARE", 9)


def game_of_choice() -> tuple[ggp.Game, list[tuple[str, str]]]:
    game = ggp.parse(CHOICE)
    names = [
        (str(r), str(m)) for r, own in zip(game.net.roles, game.net.moves, strict=True) for m in own
    ]
    return game, names


def share(favour: Favour, move: int) -> float:
    """In how many of the lanes a move is favoured."""
    return float(np.bitwise_count(favour.lanes[move]).sum()) / LANES


def test_a_gain_is_told_against_plays_of_the_same_position() -> None:
    """By hand: two positions, two plays each; the first position is good whatever is played."""
    game, names = game_of_choice()
    habits = Habits(game.net)
    parts = np.array([[1.0, 0.0], [0.8, 0.2], [0.4, 0.6], [0.0, 1.0]])
    made = np.zeros((len(names), WORDS), dtype=np.uint64)
    made[names.index(("a", "left")), 0] = 0b0101
    made[names.index(("a", "right")), 0] = 0b110000000 | 0b1010  # lanes beyond the plays
    made[names.index(("b", "left")), 0] = 0b1000
    habits.learn(Favour(made, [made]), parts, 2)
    gained = dict(zip(names, habits._gained.round(9).tolist(), strict=True))
    tried = dict(zip(names, habits._tried.tolist(), strict=True))
    assert gained[("a", "left")] == 0.3  # 1.0 and 0.4, less 0.9 and 0.2
    assert gained[("a", "right")] == -0.3
    assert gained[("b", "left")] == 0.2
    assert (tried[("a", "left")], tried[("a", "right")], tried[("b", "left")]) == (2, 2, 1)
    assert tried[("b", "right")] == 0
    habits.fade()
    assert habits._gained[names.index(("a", "left"))] == 0.15
    assert habits._tried[names.index(("a", "left"))] == 1


def test_plays_beyond_the_lanes_of_one_array_are_learned_from_too() -> None:
    game, names = game_of_choice()
    habits = Habits(game.net)
    parts = np.zeros((LANES + 4, 2))
    parts[LANES] = 1.0
    made = [np.zeros((len(names), WORDS), dtype=np.uint64) for _ in range(2)]
    made[1][0, 0] = 1
    habits.learn(Favour(made[0], made), parts, 4)
    assert habits._gained[0] == 0.75
    assert habits._tried.sum() == 1


def test_how_often_a_move_is_favoured_goes_by_its_gains() -> None:
    """Half of the plays where nothing is known, e of e + 1 for an average gain of WIDTH, one of e +
    1 for a loss of it, and never all or none."""
    game, _ = game_of_choice()
    habits = Habits(game.net)
    habits._tried[:4] = 1000.0
    habits._gained[:4] = np.array([WIDTH, -WIDTH, 1.0, -1.0]) * (1000 + PRIOR)
    drawn = [habits.favour(seed) for seed in range(200)]
    shares = [float(np.mean([share(one, move) for one in drawn])) for move in range(5)]
    wanted = [e / (e + 1), 1 / (e + 1), 255 / 256, 1 / 256, 0.5]
    assert np.allclose(shares, wanted, atol=0.01)
    assert habits.favour(7).lanes.tolist() == drawn[7].lanes.tolist()
    assert drawn[6].lanes.tolist() != drawn[7].lanes.tolist()
    # Lanes and moves are drawn by themselves.
    both = [np.bitwise_count(one.lanes[0] & one.lanes[4]).sum() / LANES for one in drawn]
    assert abs(np.mean(both) - wanted[0] / 2) < 0.01


def leaves_of(game: ggp.Game, settings: Settings) -> Leaves:
    """Leaves for which all has been made in the background."""
    leaves = Leaves(game, settings)
    leaves.foresee_soon()
    assert leaves.foreseeing
    leaves.foreseeing.join()
    return leaves


def test_plays_of_a_search_learn_what_wins() -> None:
    """Of the moves of a just one wins, of those of b none matters."""
    game, names = game_of_choice()
    leaves = leaves_of(game, Settings())
    assert not leaves.foresight
    rows = np.repeat(game.machine.rows([game.initial.bits]), 8, axis=0)
    first, _ = leaves.played(rows, 1, inf)
    for seed in range(2, 12):
        leaves.played(rows, seed, inf)
    last, _ = leaves.played(rows, 12, inf)
    seat = game.roles.index("a")
    assert leaves.habits
    drawn = leaves.habits.favour(1)
    assert share(drawn, names.index(("a", "right"))) > 0.8
    assert share(drawn, names.index(("a", "left"))) < 0.2
    assert 0.3 < share(drawn, names.index(("b", "left"))) < 0.7
    assert first[:, seat].mean() < 0.7
    assert last[:, seat].mean() > 0.8


def test_what_is_cut_off_by_the_clock_teaches_nothing() -> None:
    game, _ = game_of_choice()
    leaves = leaves_of(game, Settings())
    rows = game.machine.rows([game.initial.bits])
    leaves.played(rows, 1, 0.0)
    assert leaves.habits
    assert not leaves.habits._tried.any()


def test_gains_fade_as_play_goes_on() -> None:
    """Once for each other state that is thought about."""
    game, _ = game_of_choice()
    leaves = leaves_of(game, Settings())
    search = TreeSearch(game, 0, leaves=leaves)
    search.start(game.initial)
    leaves.played(game.machine.rows([game.initial.bits]), 1, inf)
    assert leaves.habits
    tried = leaves.habits._tried.sum()
    assert tried == 2 * 512
    search.start(game.initial)
    assert leaves.habits._tried.sum() == tried
    search.start(game.initial.play("left"))
    assert leaves.habits._tried.sum() == tried / 2


def test_who_looks_ahead_has_no_habits() -> None:
    """Nor who is told to have none."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3)
    leaves = leaves_of(game, Settings())
    assert leaves.foresight
    assert leaves.habits is None
    leaves = leaves_of(game_of_choice()[0], Settings(habits=False))
    assert leaves.habits is None
