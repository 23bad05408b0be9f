"""Games stepped together do what each does by itself, by its rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ggp
import ggp.env
from ggp import GoalError, IllegalMove, InputError, LimitReached, Limits, NoLegalMove
from ggp.env.spaces import Spaces
from tests.conftest import GAMES, all_sheets
from tests.env.sheets import SHIPPED, TEXTS, game
from tests.oracle.random_games import random_game

ROUNDS = 60
"""Steps of every game, unless all sheets are tried."""


def follow(own: ggp.Game, n: int, steps: int, observations: str = "bits") -> int:
    """Step games at random and hold every answer against those of `State`; how many games ended.

    The moves of chance are found from the state that follows, where only one leads there.
    """
    env = ggp.env.vector(own, n, observations=observations, max_steps=40, seed=3)
    spaces = Spaces(own, observations)
    players, single = len(own.players), len(own.players) == 1
    seen, info = env.reset()
    ended = 0
    begun = [0] * n
    for _ in range(steps):
        before = [env.state(i) for i in range(n)]
        mask = info["action_mask"].reshape(n, players, -1)
        for i, state in enumerate(before):
            for player, role in enumerate(own.players):
                legal = {str(spaces.move(player, a)) for a in np.flatnonzero(mask[i, player])}
                assert legal == set(map(str, state.legal(role)))
            choosing = [p for p, role in enumerate(own.players) if len(state.legal(role)) > 1]
            assert info["to_move"][i] == (choosing[0] if len(choosing) == 1 else -1)
        actions = env.sample()
        seen, rewards, terminated, truncated, info = env.step(actions)
        given, paid = actions.reshape(n, players), rewards.reshape(n, players)
        final = dict(zip(info["ended"].tolist(), info["final_observation"], strict=True))
        for i, state in enumerate(before):
            joint = {role: spaces.move(p, int(given[i, p])) for p, role in enumerate(own.players)}
            rest = {} if own.chance is None else {own.roles[own.chance]: None}
            throws = state.legal(own.roles[own.chance]) if rest else [None]
            if rest:
                options = [state.play({**joint, own.roles[own.chance]: t}) for t in throws]
            else:
                options = [state.play(joint)]
            begun[i] += 1
            is_over = bool(terminated[i] or truncated[i])
            if not is_over:
                assert env.state(i) in options
                following = env.state(i)
            else:
                assert env.state(i) == own.initial
                begun[i] = 0
                ended += 1
                fits = [s for s in options if s.terminal == terminated[i]]
                told = [
                    [spaces.reward(s.goals[r]) for r in own.players] for s in fits if s.terminal
                ]
                if terminated[i]:
                    assert any(np.allclose(paid[i], one) for one in told)
                if len(options) > 1:
                    continue
                following = options[0]
            assert following.terminal == bool(terminated[i])
            assert bool(truncated[i]) == (is_over and not following.terminal)
            if not terminated[i]:
                assert not paid[i].any()
            if own.has_percepts:
                continue
            own_view = final[i] if is_over else seen[i]
            assert np.array_equal(own_view, spaces.observed(following.bits))
            if is_over:
                assert np.array_equal(seen[i], spaces.observed(own.initial.bits))
    assert single or rewards.shape == (n, players)
    return ended


@pytest.mark.parametrize("name", [*SHIPPED, *TEXTS])
def test_steps_are_those_of_the_rules(name) -> None:
    assert follow(game(name), 3, ROUNDS) > 0


@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_steps_of_shipped_sheets_are_those_of_the_rules(sheet) -> None:
    assert follow(ggp.load(sheet), 2, 41) > 0


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_steps_of_random_sheets_are_those_of_the_rules(seed) -> None:
    own = ggp.parse(random_game(seed))
    assume(not own.initial.terminal)
    follow(own, 2, 41)


def test_games_beyond_one_block_of_lanes_are_stepped_alike() -> None:
    assert follow(game("tic-tac-toe"), 1100, 6) > 0


def told(env, steps: int) -> list[np.ndarray]:
    """All arrays of some steps at random."""
    found = []
    for _ in range(steps):
        seen, rewards, ended, given_up, info = env.step(env.sample())
        found += [seen, rewards, ended, given_up, *info.values()]
    return found


def same(left: list[np.ndarray], right: list[np.ndarray]) -> bool:
    """Whether all arrays are equal."""
    return all(np.array_equal(a, b) for a, b in zip(left, right, strict=True))


@pytest.mark.parametrize("name", ["tic-tac-toe", "dice", "cards", "three"])
def test_equal_seeds_give_equal_games_whatever_the_engine_and_the_arrays(name, monkeypatch) -> None:
    plain = ggp.env.vector(game(name), 70, seed=5)
    plain.reset()
    first = told(plain, 12)
    plain.reset(seed=5)
    assert same(first, told(plain, 12))
    plain.reset(seed=6)
    assert not same(first, told(plain, 12))
    for engine in ("llvm", "interpreter"):
        monkeypatch.setenv("GGP_ENGINE", engine)
        other = ggp.env.vector(game(name), 70, reuse=True)
        other.reset(seed=5)
        again = []
        for _ in range(12):
            again += [array.copy() for array in told(other, 1)]
        assert same(first, again)


def test_what_games_do_hangs_on_their_number_and_not_on_how_many_there_are() -> None:
    few, many = (ggp.env.vector(game("dice"), n, seed=2) for n in (3, 600))
    few.reset()
    many.reset()
    for _ in range(6):
        wanted = many.sample()
        assert np.array_equal(few.sample(), wanted[:3])
        assert np.array_equal(few.step(wanted[:3])[0], many.step(wanted)[0][:3])


@pytest.mark.parametrize("reuse", [False, True])
def test_arrays_are_written_over_only_where_that_was_asked_for(reuse) -> None:
    env = ggp.env.vector(game("tic-tac-toe"), 5, reuse=reuse)
    before, info = env.reset()
    kept, mask = before.copy(), info["action_mask"].copy()
    env.step(env.sample())
    assert np.array_equal(before, kept) is not reuse
    assert np.array_equal(info["action_mask"], mask) is not reuse


def test_one_action_a_game_is_that_of_whoever_is_to_move() -> None:
    own = game("tic-tac-toe")
    one, two = (ggp.env.vector(own, 40) for _ in range(2))
    _, info = one.reset()
    two.reset()
    for _ in range(20):
        actions = one.sample()
        movers = actions[np.arange(40), info["to_move"]]
        left, right = one.step(movers), two.step(actions)
        assert same(list(left[:4]), list(right[:4]))
        info = left[4]


def test_moves_that_are_not_legal_change_nothing() -> None:
    env = ggp.env.vector(game("tic-tac-toe"), 600)
    _, info = env.reset()
    wrong = env.sample()
    mover = info["to_move"][599]
    for action in (-1, int(wrong.max()) + 100, int(np.argmin(info["action_mask"][599, mover]))):
        wrong[599, mover] = action
        with pytest.raises(IllegalMove, match="game 599 is not legal"):
            env.step(wrong)
        assert all(env.state(i) == env.game.initial for i in (0, 599))
    with pytest.raises(IllegalMove, match=r"actions are \(600,\) or \(600, 2\)"):
        env.step(wrong[:5])
    for never in (np.full(600, 0.5), np.full(600, 2**32)):
        with pytest.raises(IllegalMove, match="actions are integers"):
            env.step(never)
    several = ggp.env.vector(game("three"), 3)
    with pytest.raises(IllegalMove, match="reset them first"):
        several.sample()
    with pytest.raises(IllegalMove, match="reset them first"):
        several.step(np.zeros((3, 3), dtype=np.int64))
    several.reset()
    with pytest.raises(IllegalMove, match="several players have a choice in game 0"):
        several.step(np.zeros(3, dtype=np.int64))


def test_percepts_are_those_of_the_rules_and_say_nothing_else() -> None:
    """GDL-II: every player of every game is shown what `State.percepts` says of the joint move."""
    own = game("cards")
    env, spaces = ggp.env.vector(own, 30, seed=1), Spaces(own)
    seen, _ = env.reset()
    assert seen.shape == (30, 2, *spaces.shape)
    assert not seen.any()
    shown = set()
    for _ in range(8):
        before = [env.state(i) for i in range(30)]
        actions = env.sample()
        seen, _, ended, _, info = env.step(actions)
        final = dict(zip(info["ended"].tolist(), info["final_observation"], strict=True))
        for i, state in enumerate(before):
            fits = []
            for throw in state.legal("random"):
                joint = {r: spaces.move(p, int(actions[i, p])) for p, r in enumerate(own.players)}
                joint["random"] = throw
                if ended[i] or state.play(joint) == env.state(i):
                    percepts = state.percepts(joint)
                    fits.append(
                        [
                            spaces.percept(p, percepts[r], int(actions[i, p]))
                            for p, r in enumerate(own.players)
                        ]
                    )
            (one,) = fits
            assert np.array_equal(final.get(i, seen[i]), one)
            shown.add(np.array(one).tobytes())
            assert not ended[i] or not seen[i].any()
    assert len(shown) > 8


def test_chance_and_samples_are_uniform() -> None:
    """Each of 30,000 draws: counts within five standard deviations."""
    env = ggp.env.vector(game("dice"), 30_000, seed=11)
    env.reset()
    actions = env.sample()
    calm = Spaces(env.game).action(0, "calm")
    assert abs(int((actions == calm).sum()) - 15_000) < 5 * 87
    env.step(np.full(30_000, calm))
    moved = sum("(at 1)" in map(str, env.state(i).facts) for i in range(0, 30_000, 10))
    assert abs(moved - 2000) < 5 * 26


def test_games_that_are_given_up_begin_anew() -> None:
    env = ggp.env.vector(game("hanoi"), 4, max_steps=3)
    env.reset()
    for expected in (False, False, True, False):
        _, rewards, ended, given_up, info = env.step(env.sample())
        assert not ended.any()
        assert not rewards.any()
        assert (given_up == expected).all()
        assert info["ended"].tolist() == (list(range(4)) if expected else [])
        assert all((env.state(i) == env.game.initial) is expected for i in range(4))
    just = ggp.env.vector(game("three"), 4, max_steps=2)
    just.reset()
    for expected in (False, True):
        _, _, ended, given_up, _ = just.step(just.sample())
        assert (ended == expected).all()
        assert not given_up.any()


STUCK = """(role a) (init (at 1)) (succ 1 2) (succ 2 3) (<= (legal a go) (not (true (at 3))))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 4))) (goal a 50)"""
GOALS = """(role a) (init (at 1)) (succ 1 2) (succ 2 3) (legal a go)
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 3))) (goal a 50)
(<= (goal a 10) (true (at 3)))"""


@pytest.mark.parametrize(("rules", "error"), [(STUCK, NoLegalMove), (GOALS, GoalError)])
def test_faults_of_the_rules_are_errors_and_not_results(rules, error) -> None:
    env = ggp.env.vector(ggp.parse(rules), 3)
    env.reset()
    env.step(env.sample())
    with pytest.raises(error, match=r"after a move in \(at 2\)"):
        env.step(env.sample())
    with pytest.raises(IllegalMove, match="reset them first"):
        env.step(np.zeros(3, dtype=np.int32))
    env.reset()
    env.step(env.sample())


def test_more_games_than_fit_are_refused() -> None:
    own = ggp.load(GAMES / SHIPPED["tic-tac-toe"], limits=Limits(memory=1 << 31))
    with pytest.raises(LimitReached, match="memory"):
        ggp.env.vector(own, 100_000_000)
    for wrong in ({"n": 0}, {"n": 1, "max_steps": 0}):
        with pytest.raises(InputError, match="at least one game"):
            ggp.env.vector(own, **wrong)


@pytest.mark.parametrize("library", ["jax", "torch"])
def test_arrays_are_shared_without_a_copy(library) -> None:
    module = pytest.importorskip(library)
    env = ggp.env.vector(game("tic-tac-toe"), 64, reuse=True)
    seen, info = env.reset()
    for array in (seen, info["action_mask"]):
        if library == "jax":
            shared = module.dlpack.from_dlpack(array, copy=False)
            address = shared.unsafe_buffer_pointer()
        else:
            shared = module.from_numpy(array)
            address = shared.data_ptr()
        assert address == array.ctypes.data
        assert np.array_equal(np.asarray(shared), array)
    assert np.shares_memory(seen, np.from_dlpack(seen))


def test_there_are_spaces_of_gymnasium_for_one_game_and_for_all() -> None:
    pytest.importorskip("gymnasium")
    env = ggp.env.vector(game("lights-out"), 6, observations="planes")
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert seen[0] in env.single_observation_space
    assert env.sample() in env.action_space
    assert info["action_mask"].shape == (6, env.single_action_space.n)
    two = ggp.env.vector(game("tic-tac-toe"), 6)
    two.reset()
    assert two.sample() in two.action_space
