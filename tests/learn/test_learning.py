"""Models that are learned: what networks say, files of them, players that go by them, trials."""

from __future__ import annotations

import io
import json
import pickle
import random
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.errors import InputError
from ggp.kif import read
from ggp.learn import Training, train
from ggp.learn.training import _outputs, _Rollout
from ggp.match.records import Record
from ggp.match.trial import seatings, share_of, trial
from ggp.play import SearchPlayer
from ggp.play.learned import LearnedPlayer, Model, ModelVerdict, best_player, find_model, model_path
from ggp.play.learned.leaves import LearnedLeaves
from ggp.play.search.leaves import Settings
from ggp.play.search.search import TreeSearch
from tests.cli.conftest import ggp_
from tests.conftest import GAMES, ROOT

__all__ = ["ggp_"]

TIC = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"
FAST = Training(games=128, batch=512, hidden=64, rate=2e-3)
QUICK = Training(games=64, length=16, batch=256, hidden=32)


@pytest.fixture(scope="module")
def game() -> ggp.Game:
    return ggp.load(TIC)


@pytest.fixture(autouse=True)
def _own_models(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GGP_MODELS", str(tmp_path / "models"))


def random_model(game: ggp.Game, seed: int = 0, verdict: ModelVerdict | None = None) -> Model:
    """A network of random numbers."""
    rng = np.random.default_rng(seed)
    players, hidden = len(game.players), 8
    actions = max(len(game.net.moves[role]) for role in game.player_indices)
    sizes = {
        "hidden": (len(game.net.fluents), hidden),
        "deeper": (hidden, hidden),
        "worth": (hidden, players),
        "moves": (hidden, players * actions),
    }
    arrays = {}
    for name, size in sizes.items():
        arrays[name] = rng.standard_normal(size).astype(np.float32)
        arrays[f"{name} bias"] = rng.standard_normal(size[1]).astype(np.float32)
    return Model(game.rules.fingerprint, players, actions, arrays, 0, seed, verdict)


def verdict(low: float) -> ModelVerdict:
    return ModelVerdict("mcts", 10, low + 0.1, low, low + 0.2, 0.1)


# Training


@pytest.fixture(scope="module")
def trained(game) -> Model:
    pytest.importorskip("jax")
    return train(game, 400_000, seed=1, training=FAST)


@pytest.mark.slow
def test_self_play_learns_to_beat_random_play(game, trained) -> None:
    """The likeliest legal action by itself, without search, in both roles: 97 of 100, with
    any of three seeds."""
    rng, total = random.Random(4), 0
    for number in range(60):
        state, own = game.initial, game.roles[number % 2]
        while not state.terminal:
            mover = state.control
            moves = state.legal(mover)
            role = game.role_index(mover)
            move = rng.choice(moves)
            if mover == own:
                held = game.machine.coding.held(game.machine.rows([state.bits]))
                liking = trained.moves(trained.deep(held))[0, role]
                first, place = game.net.move_offset[role], game.net.move_index[role]
                move = max(moves, key=lambda m: liking[place[m] - first])
            state = state.play(move)
        total += state.goals[own]
    assert total / 60 > 80
    assert (trained.steps, trained.fits(game)) == (401_408, True)


@pytest.mark.slow
def test_the_worth_of_ends_to_come_is_learned(game, trained) -> None:
    """Before the last moves of random plays: who wins is worth more to the winner."""
    right = count = 0
    for seed in range(60):
        *before, (end, _) = game.random_playout(seed=seed)
        goals = end.goals
        if goals["xplayer"] == 50:
            continue
        held = game.machine.coding.held(game.machine.rows([before[-1][0].bits]))
        worth = trained.worth(trained.deep(held))[0]
        right += (worth[0] > worth[1]) == (goals["xplayer"] > goals["oplayer"])
        count += 1
    assert right / count > 0.75


def test_the_same_seed_learns_the_same(game) -> None:
    pytest.importorskip("jax")
    one, two = (train(game, 2_000, seed=7, training=QUICK) for _ in range(2))
    for name, array in one.arrays.items():
        assert array.tobytes() == two.arrays[name].tobytes()


def test_networks_of_numpy_and_of_jax_say_the_same(game) -> None:
    pytest.importorskip("jax")
    model = random_model(game)
    held = np.random.default_rng(1).integers(0, 2, (20, model.inputs)).astype(np.int8)
    worth, moves = _outputs(dict(model.arrays), held, model.players)
    assert np.allclose(model.worth(model.deep(held)), worth, atol=1e-5)
    assert np.allclose(model.moves(model.deep(held)), moves, atol=1e-4)


@given(st.integers(0, 1 << 32), st.floats(0, 1))
def test_advantages_are_as_they_are_defined(seed, trace) -> None:
    """The sum of all surprises to come up to the end of the game, each weighed by its distance."""
    rng = np.random.default_rng(seed)
    shape = (6, 3, 2)
    worth, reward = rng.standard_normal((2, *shape)).astype(np.float32)
    over, last = rng.random(shape[:2]) < 0.3, rng.standard_normal(shape[1:]).astype(np.float32)
    nothing = np.zeros(0)
    rollout = _Rollout(nothing, nothing, nothing, nothing, worth, reward, over, last)
    found = rollout.advantages(trace)
    for t, g, p in np.ndindex(shape):
        total, weight = 0.0, 1.0
        for u in range(t, shape[0]):
            after = worth[u + 1, g, p] if u + 1 < shape[0] else last[g, p]
            total += weight * (reward[u, g, p] + (0 if over[u, g] else after) - worth[u, g, p])
            weight *= trace
            if over[u, g]:
                break
        assert abs(found[t, g, p] - total) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    "sheet", ["simultaneous/rock-paper-scissors.kif", "three-players/last-match.kif"]
)
def test_several_movers_and_several_players_learn_too(sheet) -> None:
    pytest.importorskip("jax")
    found = ggp.load(GAMES / sheet)
    model = train(found, 1_000, training=QUICK)
    player = LearnedPlayer(found, found.players[0], model=model, positions=1, seed=1)
    assert player.choose(found.initial, 0.05) in found.initial.legal(found.players[0])


def test_what_cannot_be_learned_is_said() -> None:
    pytest.importorskip("jax")
    hidden = ggp.load(GAMES / "poker" / "kuhn-poker.kif")
    with pytest.raises(InputError, match="do not see all"):
        train(hidden, 1)
    with pytest.raises(InputError, match="batches that divide"):
        Training(games=10, length=10, batch=64)


# Files


def test_a_model_comes_back_from_its_file(game, tmp_path) -> None:
    model = random_model(game, verdict=verdict(0.6))
    model.save(tmp_path / "m" / "a.npz")
    again = Model.load(tmp_path / "m" / "a.npz")
    assert (again.rules, again.verdict, again.steps) == (model.rules, model.verdict, 0)
    for name, array in model.arrays.items():
        assert array.tobytes() == again.arrays[name].tobytes()


class Evil:
    def __reduce__(self):
        return print, ("this was run",)


def test_altered_files_are_refused_and_run_nothing(game, tmp_path, capsys) -> None:
    path = model_path(game)
    random_model(game, verdict=verdict(0.6)).save(path)
    whole = path.read_bytes()
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays["about"].tobytes())

    def written(**other) -> bytes:
        out = io.BytesIO()
        np.savez(out, **{**arrays, **other})
        return out.getvalue()

    def told(**other) -> bytes:
        data = json.dumps({**about, **other}).encode()
        return written(about=np.frombuffer(data, dtype=np.uint8))

    def zipped(parts: dict[str, bytes]) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as file:
            for name, part in parts.items():
                file.writestr(name, part)
        return out.getvalue()

    def header(size: int) -> bytes:
        out = io.BytesIO()
        shape = {"descr": "<f4", "fortran_order": False, "shape": (size,)}
        np.lib.format.write_array_header_1_0(out, shape)
        return out.getvalue()

    with zipfile.ZipFile(io.BytesIO(whole)) as file:
        plain = {name: file.read(name) for name in file.namelist()}
    bad = np.array([Evil()], dtype=object)
    altered = [
        b"", whole[:100], whole[:-30], pickle.dumps(Evil()),
        written(hidden=bad), written(hidden=arrays["hidden"][:, :3]),
        written(worth=arrays["worth"] * np.float32("nan")),
        written(hidden=arrays["hidden"].astype(np.float64)),
        written(more=arrays["worth"]), told(format="x"), told(players="a"), told(players=5),
        told(verdict={"low": 1}), told(verdict=[1]), told(steps=float("inf")),
        told(verdict={**about["verdict"], "low": float("nan")}),
        told(verdict={**about["verdict"], "matches": "x"}),
        written(hidden=arrays["hidden"].ravel(), deeper=np.zeros((), dtype=np.float32)),
        written(worth=np.full_like(arrays["worth"], 3e38)),
        zipped({**plain, "about": b"x"}), zipped({**plain, "hidden.npy": b"x"}),
        zipped({**plain, "hidden.npy": header(1 << 40)}),
        zipped({**plain, "hidden.npy": b"\x93NUMPY\x01\x00\x08\x00((((((((\n"}),
    ]  # fmt: skip
    for data in altered:
        path.write_bytes(data)
        with pytest.raises(InputError):
            Model.load(path)
        assert find_model(game) is None
    assert "this was run" not in capsys.readouterr().out
    path.write_bytes(told(rules="0" * 64))
    assert find_model(game) is None
    path.write_bytes(whole)
    assert find_model(game) is not None


def test_rules_are_known_again_in_any_layout_as_over_the_wire(game) -> None:
    """What a game manager sends has no comments, and lines of its own."""
    random_model(game, verdict=verdict(0.6)).save(model_path(game))
    sent = "\n".join(map(str, read(game.rules.source)))
    for text in (sent, sent.upper(), f"; a comment\n{sent}\n\n", game.rules.source.text):
        again = ggp.parse(text)
        assert find_model(again)
        assert isinstance(best_player(again, again.roles[0]), LearnedPlayer)
    other = ggp.parse(sent.replace("(init (control xplayer))", "(init (control oplayer))"))
    assert find_model(other) is None


# Players


def test_search_goes_by_a_model_where_it_is_proved_to_be_better(game) -> None:
    def kind() -> type:
        return type(best_player(game, "xplayer"))

    assert kind() is SearchPlayer
    for low, wanted in ((0.4, SearchPlayer), (0.5, SearchPlayer), (0.51, LearnedPlayer)):
        random_model(game, verdict=verdict(low)).save(model_path(game))
        assert kind() is wanted
    random_model(game).save(model_path(game))
    assert kind() is SearchPlayer
    with pytest.raises(InputError, match="nothing was learned"):
        LearnedPlayer(ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2), "left")
    model_path(game).write_bytes(b"PK")
    with pytest.raises(InputError, match="cannot be read"):
        LearnedPlayer(game, "xplayer")


def test_a_win_in_one_is_made_and_a_loss_in_one_prevented(game) -> None:
    """Whatever the network says: what the tree proves comes first."""
    state = game.initial
    for move in ("(mark 1 1)", "(mark 2 2)", "(mark 1 2)"):
        state = state.play(move)
    for seed in range(5):
        leaves = LearnedLeaves(game, Settings(), random_model(game, seed))
        for role, here in ((1, state), (0, state.play("(mark 3 3)"))):
            search = TreeSearch(game, role, seed=seed, leaves=leaves)
            search.start(here)
            search.run(descents=3_000)
            best = search.best()
            assert best
            assert str(game.evaluator.move(role, best.move)) == "(mark 1 3)"


def test_leaves_are_worth_what_the_network_says_and_alike_moves_are_liked_alike(game) -> None:
    model = random_model(game)
    leaves = LearnedLeaves(game, Settings(), model)
    state = game.initial.play("(mark 1 1)")
    rows = game.machine.rows([game.initial.bits, state.bits])
    means, sums = leaves.played(rows, 0, 0.0)
    worth = model.worth(model.deep(game.machine.coding.held(rows)))
    assert np.allclose(means, (worth + 1) / 2, atol=1e-6)
    assert not sums
    opened = leaves.opened(rows, float("inf"), 2)
    assert opened
    silent = {name: 0 * array for name, array in model.arrays.items()}
    flat = replace(model, arrays=silent)
    view = game.machine.view(rows)
    even = LearnedLeaves(game, Settings(), flat).bias(rows, view, 2)
    assert np.allclose(even, 1)
    bias = opened.bias
    assert len(bias) == len(opened.legal) == 10 + 9
    own = model.moves(model.deep(game.machine.coding.held(rows)))[0, 0, :-1]
    liked = [game.net.moves[0].index(m) for m in game.initial.legal("xplayer")]
    order = np.argsort(own[liked], kind="stable")
    assert (np.diff(bias[:9][order]) >= 0).all()


# Trials and the command


@pytest.mark.parametrize("players", [2, 3, 40])
def test_seats_of_a_trial(players) -> None:
    """Each player is in each role as often as the other, and nobody plays with all others alike."""
    orders = seatings(players)
    assert len(set(orders)) == len(orders) == (2 if players == 2 else 2 * players)
    for seat in range(players):
        took = [order[seat] for order in orders]
        assert took.count("learned") == took.count("mcts")


def record(goals, errors=()) -> Record:
    now = {"match": "", "game": "", "rulesheet": "", "players": (), "start_clock": 1, "token": ""}
    roles = tuple("abc"[: len(goals)])
    return Record(**now, roles=roles, play_clock=1, start=0, goals=goals, errors=list(errors))


@pytest.mark.parametrize(
    ("goals", "order", "errors", "share"),
    [
        ((100, 0), "LM", [], 1), ((100, 0), "ML", [], 0), ((50, 50), "LM", [], 0.5),
        # Of three roles one pair each: it does not count that its own roles share the points.
        ((100, 0, 0), "LMM", [], 1), ((100, 0, 0), "LLM", [], 0.75), ((0, 50, 100), "LML", [], 0.5),
        ((100, 0), "LM", [["TO 1", ""]], 0), ((100, 0), "LM", [["", "TO 1"]], None),
        (None, "LM", [], None),
    ],
)  # fmt: skip
def test_the_share_of_a_match(goals, order, errors, share) -> None:
    """A match is one case of the interval, whatever the number of roles."""
    names = [{"L": "learned", "M": "mcts"}[one] for one in order]
    made = replace(record((0,) * len(order), errors), goals=goals)
    assert share_of(made, range(len(order)), names) == share


def test_a_trial_counts_both_roles(game) -> None:
    told = []
    found = trial(
        game, random_model(game), 3, start_clock=2, play_clock=0.5,
        told=told.append,
    )  # fmt: skip
    # Both solve tic-tac-toe before the first move.
    assert found.share == 0.5
    assert told == [1, 1, 1, 1]
    assert not found.is_better


def test_the_command_learns_and_keeps_the_better_model(ggp_, game, tmp_path) -> None:
    pytest.importorskip("jax")
    quick = ["learn", str(TIC), "--steps", "1", "--format", "json"]
    code, text, _ = ggp_(*quick, "--matches", "0")
    assert code == 0
    data = json.loads(text)
    assert (data["verdict"], data["is_kept"], data["steps"]) == (None, True, 16_384)
    assert find_model(game)
    better = random_model(game, verdict=verdict(0.6))
    better.save(model_path(game))
    code, text, _ = ggp_(*quick, "--matches", "2", "--play-clock", "0.5", "--start-clock", "2")
    assert code == 1
    assert not json.loads(text)["is_kept"]
    assert find_model(game).verdict == better.verdict
    code, text, _ = ggp_(*quick, "--matches", "0", "--output", str(tmp_path / "own.npz"))
    assert (code, Model.load(tmp_path / "own.npz").verdict) == (0, None)


def test_what_the_command_refuses(ggp_) -> None:
    for sheet, why in (("puzzles/hanoi", "by one alone"), ("poker/kuhn-poker", "do not see all")):
        code, _, error = ggp_("learn", sheet)
        assert code == 2
        assert why in error


def test_without_the_extra_one_line_says_what_is_missing() -> None:
    program = (
        "import sys; sys.modules['jax'] = None\n"
        "from ggp.cli.main import run\n"
        f"run(['learn', {str(TIC)!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 2
    assert done.stderr.strip() == "ggp: learning needs jax and optax: pip install 'ggp[learn]'"
