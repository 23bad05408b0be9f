"""Random play in which roles heed favour: what they choose from, and which moves they make."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest

import ggp
from ggp.machine import Machine
from ggp.machine.engine.frames import LANES, WORDS
from ggp.machine.playouts import foreseeing as foreseeing_module
from ggp.machine.playouts.playouts import Favour
from tests.conftest import GAMES
from tests.machine.test_foresight import FOUR, RACE
from tests.machine.test_sharing import turn_game
from tests.oracle.random_games import random_game

SHEETS = {
    "four": lambda: ggp.parse(FOUR),
    "race": lambda: ggp.parse(RACE),
    "nature": lambda: ggp.parse(RACE.replace("black", "random")),
    "connect-four": lambda: ggp.load(
        GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3
    ),
}


@pytest.fixture(autouse=True)
def _of_small_sheets(monkeypatch) -> None:
    """Favour adds much to small steps, so that they would go without."""
    monkeypatch.setattr(foreseeing_module, "SHARE", 9)


def favour(game: ggp.Game, seed: int) -> Favour:
    """Some moves in some lanes."""
    size = (len(game.net.legal), WORDS)
    return Favour(np.random.default_rng(seed).integers(1 << 64, size=size, dtype=np.uint64))


def play(game: ggp.Game, choice, lanes, plays=600, seed=3, plies=60):
    """The goals of plays from the first state, and the lanes in which each move was made, of those
    that came to an end."""
    machine = Machine(game.net, choice=choice)
    if choice == "auto":  # which makes code without a compiler where it can
        assert machine.favouring
        assert all(unit.finish() for unit in machine.favouring.units)
    rows = np.repeat(machine.rows([game.initial.bits]), plays, axis=0)
    given = Favour(lanes)
    goals = machine.play_on(rows, seed, max_plies=plies, favour=given)
    ended = (goals >= 0).any(axis=1)
    used = [made & _lanes(ended[LANES * i :][:LANES]) for i, made in enumerate(given.made)]
    return goals.tolist(), [made.tolist() for made in used]


def _lanes(held: np.ndarray) -> np.ndarray:
    lanes = np.zeros(LANES, dtype=np.bool_)
    lanes[: len(held)] = held
    return np.packbits(lanes, bitorder="little").view(np.uint64)


@pytest.mark.parametrize("name", SHEETS)
def test_all_engines_heed_favour_alike(name) -> None:
    game = SHEETS[name]()
    lanes = favour(game, 1).lanes
    played = play(game, "reference", lanes)
    assert len(played[1]) == 2
    assert all(played == play(game, choice, lanes) for choice in ("interpreter", "llvm", "auto"))
    assert played != play(game, "interpreter", favour(game, 2).lanes)


@pytest.mark.parametrize("make", [turn_game, random_game], ids=["turns", "oracle"])
def test_of_random_games_the_circuit_heeds_favour_as_defined(make) -> None:
    heeded = 0
    for seed in range(60):
        game = ggp.parse(make(seed))
        fast = Machine(game.net, choice="interpreter")
        if game.initial.terminal or fast.favouring is None:
            continue
        heeded += 1
        lanes = favour(game, seed).lanes
        a, b = (play(game, x, lanes, 20, seed, 12) for x in ("interpreter", "reference"))
        assert a == b, seed
    assert heeded > 20


@pytest.mark.parametrize("name", SHEETS)
def test_without_favour_plays_are_as_they_were(name) -> None:
    """Who favours nothing, or everything, chooses as ever."""
    game = SHEETS[name]()
    machine = Machine(game.net, choice="interpreter")
    rows = np.repeat(machine.rows([game.initial.bits]), 70, axis=0)
    before = machine.play_on(rows, 3).tolist()
    size = (len(game.net.legal), WORDS)
    for word in (0, 2**64 - 1):
        lanes = np.full(size, word, dtype=np.uint64)
        assert machine.play_on(rows, 3, favour=Favour(lanes)).tolist() == before


def test_what_is_favoured_is_made_where_it_is_legal() -> None:
    """Of four both take one where they favour that, as they do in the even lanes, else two; what a
    role that waits does is not made in turn."""
    game = ggp.parse(FOUR)
    even = int("01" * 32, 2)
    wanted = {"(take 1)": even, "(take 2)": even ^ (2**64 - 1)}
    names = [str(m) for own in game.net.moves for m in own]
    lanes = np.zeros((len(names), WORDS), dtype=np.uint64)
    for i, name in enumerate(names):
        lanes[i] = wanted.get(name, 0)
    machine = Machine(game.net, choice="interpreter")
    rows = np.repeat(machine.rows([game.initial.bits]), LANES, axis=0)
    given = Favour(lanes)
    goals = machine.play_on(rows, favour=given)
    assert (goals[:, game.roles.index("b")] == 100).all()
    (made,) = given.made
    for row, name in zip(made, names, strict=True):
        assert (row == wanted.get(name, 0)).all(), name


def test_chance_favours_nothing() -> None:
    """Whatever lanes it is given, the role of chance chooses uniformly."""
    sheet = """
    (role random) (role a) (init (control random)) (legal a go)
    (<= (legal random (toss ?x)) (true (control random)) (side ?x)) (side 1) (side 2)
    (<= (legal random wait) (true (control a)))
    (<= (legal a stay) (true (control a)))
    (<= (next (seen ?x)) (does random (toss ?x))) (<= (next (seen ?x)) (true (seen ?x)))
    (<= (next (control a)) (true (control random))) (<= (next done) (true (control a)))
    (<= terminal (true done))
    (<= (goal a 100) (true (seen 1))) (<= (goal a 0) (true (seen 2))) (goal random 100)
    """
    game = ggp.parse(sheet)
    machine = Machine(game.net, choice="interpreter")
    assert machine.favouring
    lanes = np.zeros((len(game.net.legal), WORDS), dtype=np.uint64)
    names = [str(m) for own in game.net.moves for m in own]
    lanes[names.index("(toss 1)")] = 2**64 - 1
    rows = np.repeat(machine.rows([game.initial.bits]), LANES, axis=0)
    goals = machine.play_on(rows, favour=Favour(lanes))[:, game.roles.index("a")]
    assert 0.4 * LANES < (goals == 100).sum() < 0.6 * LANES


def test_where_roles_choose_at_once_favour_is_not_heeded() -> None:
    """Nor of a step that is too large; nothing is said to be made then."""
    game = ggp.load(next((GAMES / "simultaneous").glob("*.kif")))
    assert game.machine.favouring is None
    given = favour(game, 1)
    rows = np.repeat(game.machine.rows([game.initial.bits]), 20, axis=0)
    assert game.machine.play_on(rows, 1, favour=given).tolist() == (
        game.machine.play_on(rows, 1).tolist()
    )
    assert not given.made
    for limit, most in (("FAVOURED", 3), ("MOVES", 3), ("SHARE", 0.01)):
        with patch.object(foreseeing_module, limit, most):
            assert ggp.parse(FOUR).machine.favouring is None
    assert ggp.parse(FOUR).machine.favouring
