"""A model of values and moves, trained by self-play on many games at once.

Proximal policy optimisation with generalised advantages (Schulman, Wolski, Dhariwal, Radford and
Klimov, arXiv 1707.06347; Schulman and others, arXiv 1506.02438), every player being the same
network with an output of its own for the worth of states and of actions. Games run on
`ggp.env.vector`; jax and optax do the rest. What is learned hangs on the seed and the number of
steps, never on the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.env import vector
from ggp.errors import InputError
from ggp.game import Game
from ggp.play.learned.model import LAYERS, Model

Params = dict[str, Any]

MISSING = "learning needs jax and optax: pip install 'ggp[learn]'"

NEVER = -1e9
"""The worth of an action that is not legal."""


@dataclass(frozen=True)
class Training:
    """How a model is trained.

    `games` are played at once, `length` moves of each between two updates; of these all are gone
    through `epochs` times, `batch` states at a time. `hidden`: numbers of each hidden layer.
    `rate` of learning, which falls to zero; `spread` is what keeps moves from being chosen for
    sure; `trace` is the lambda of advantages; `stray` how often any legal action is made, so that
    the worth of states off the best path is learned as well; `clip` how far one update goes. A game
    is given up after `max_steps` moves.
    """

    games: int = 512
    length: int = 32
    epochs: int = 3
    batch: int = 2048
    hidden: int = 128
    rate: float = 1e-3
    spread: float = 0.03
    trace: float = 0.95
    stray: float = 0.1
    clip: float = 0.2
    max_steps: int = 400

    def __post_init__(self) -> None:
        counts = (self.games, self.length, self.epochs, self.batch, self.hidden, self.max_steps)
        if min(counts) < 1 or self.hidden > 1 << 12 or (self.games * self.length) % self.batch:
            raise InputError("training: counts of 1 or more, and batches that divide the moves")


Told = Callable[[int], None]
"""Called with the steps that were made since the last call."""


def train(
    game: Game,
    steps: int,
    *,
    seed: int = 0,
    training: Training | None = None,
    told: Told | None = None,
) -> Model:
    """A model of a game after so many steps (joint moves), at least those of one update.

    Raises `InputError` without the extra `ggp[learn]` and for games whose players do not see all,
    `LimitReached` for those without a ground form, and what stepping a game raises.
    """
    try:
        import jax  # noqa: F401
        import optax  # noqa: F401
    except ImportError:
        raise InputError(MISSING) from None
    if game.has_percepts:
        raise InputError(f"{game.name}: its players do not see all (sees): learning is by states")
    return _Learner(game, steps, seed, training or Training(), told).run()


@dataclass(frozen=True)
class _Rollout:
    """Moves of all games, one after the other: (length, games, …).

    `seen` (…, fluents), `masks` (…, players, actions), `actions`, `chance` (the logarithm, of each
    player's own), `worth`, `reward` (…, players), `over` (…,); `last` the worth of what follows.
    """

    seen: NDArray[np.int8]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int32]
    chance: NDArray[np.float32]
    worth: NDArray[np.float32]
    reward: NDArray[np.float32]
    over: NDArray[np.bool_]
    last: NDArray[np.float32]

    def advantages(self, trace: float) -> NDArray[np.float32]:
        """How much better than expected each player fared from each move on."""
        found = np.zeros_like(self.worth)
        after, following = np.zeros_like(self.last), self.last
        for t in reversed(range(len(found))):
            goes_on = (~self.over[t])[:, None]
            surprise = self.reward[t] + following * goes_on - self.worth[t]
            after = surprise + trace * goes_on * after
            found[t], following = after, self.worth[t]
        return found


class _Learner:
    """One training."""

    def __init__(
        self, game: Game, steps: int, seed: int, training: Training, told: Told | None
    ) -> None:
        import jax
        import optax

        self._game, self._seed, self._how, self._told = game, seed, training, told
        self._each = training.games * training.length
        self._updates = max(1, -(-steps // self._each))
        self._env = vector(
            game, training.games, seed=seed, max_steps=training.max_steps, reuse=False
        )
        self._players = len(game.players)
        self._actions = self._env.spaces.actions
        self._random = np.random.default_rng(seed)
        self._key = jax.random.PRNGKey(seed)
        passes = self._updates * training.epochs * (self._each // training.batch)
        rate = optax.linear_schedule(training.rate, 0.0, passes)
        self._optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(rate, eps=1e-5))
        self._params = _new_params(
            self._random, len(game.net.fluents), training.hidden, self._players, self._actions
        )
        self._kept = self._optimiser.init(self._params)
        self._act = jax.jit(partial(_act, players=self._players, stray=training.stray))
        self._update = jax.jit(
            partial(_update, optimiser=self._optimiser, how=training, players=self._players)
        )

    def run(self) -> Model:
        """The model after all updates."""
        seen, info = self._env.reset()
        for _ in range(self._updates):
            rollout, seen, info = self._play(seen, info)
            self._learn(rollout)
            if self._told:
                self._told(self._each)
        arrays = {name: np.asarray(value, dtype=np.float32) for name, value in self._params.items()}
        if not all(np.isfinite(array).all() for array in arrays.values()):
            raise InputError("training came to nothing: numbers beyond all bounds; lower the rate")
        return Model(
            self._game.rules.fingerprint,
            self._players,
            self._actions,
            arrays,
            self._updates * self._each,
            self._seed,
        )

    def _play(self, seen: NDArray[np.int8], info: Any) -> tuple[_Rollout, Any, Any]:  # noqa: ANN401
        import jax

        rows: list[list[Any]] = [[] for _ in range(7)]
        for _ in range(self._how.length):
            self._key, key = jax.random.split(self._key)
            masks = info["action_mask"].reshape(len(seen), self._players, self._actions)
            made = self._act(self._params, seen, masks, key)
            actions, chance, worth = (np.asarray(one) for one in made)
            after, reward, ended, given_up, info = self._env.step(actions)
            reward = reward.reshape(len(seen), self._players)
            for row, one in zip(
                rows, (seen, masks, actions, chance, worth, reward, ended | given_up), strict=True
            ):
                row.append(one)
            seen = after
        masks = info["action_mask"].reshape(len(seen), self._players, self._actions)
        *_, last = self._act(self._params, seen, masks, self._key)
        stacked = [np.stack(row) for row in rows]
        found = _Rollout(
            stacked[0], stacked[1], stacked[2], stacked[3], stacked[4], stacked[5], stacked[6],
            np.asarray(last),
        )  # fmt: skip
        return found, seen, info

    def _learn(self, rollout: _Rollout) -> None:
        better = rollout.advantages(self._how.trace)
        flat = [
            one.reshape(self._each, *one.shape[2:])
            for one in (
                rollout.seen, rollout.masks, rollout.actions, rollout.chance, better,
                better + rollout.worth,
            )
        ]  # fmt: skip
        for _ in range(self._how.epochs):
            order = self._random.permutation(self._each)
            for start in range(0, self._each, self._how.batch):
                own = order[start : start + self._how.batch]
                self._params, self._kept = self._update(
                    self._params, self._kept, *(one[own] for one in flat)
                )


def _new_params(
    random: np.random.Generator, inputs: int, hidden: int, players: int, actions: int
) -> Params:
    """Small random numbers; the last layers begin near nothing."""
    sizes = [(inputs, hidden), (hidden, hidden), (hidden, players), (hidden, players * actions)]
    scales = [np.sqrt(2), np.sqrt(2), 0.1, 0.01]
    found: Params = {}
    for name, size, scale in zip(LAYERS, sizes, scales, strict=True):
        drawn = random.standard_normal(size) * scale / np.sqrt(size[0])
        found[name] = drawn.astype(np.float32)
        found[f"{name} bias"] = np.zeros(size[1], dtype=np.float32)
    return found


def _outputs(params: Params, seen: Any, players: int) -> tuple[Any, Any]:  # noqa: ANN401
    """The worth of states (n, players), and of actions (n, players, actions); as `Model` has it."""
    from jax import numpy

    deep = seen.astype(numpy.float32)
    for name in ("hidden", "deeper"):
        deep = numpy.maximum(deep @ params[name] + params[f"{name} bias"], 0)
    worth = numpy.tanh(deep @ params["worth"] + params["worth bias"])
    moves = deep @ params["moves"] + params["moves bias"]
    return worth, moves.reshape(len(seen), players, -1)


def _act(params: Params, seen: Any, masks: Any, key: Any, *, players: int, stray: float) -> Any:  # noqa: ANN401
    """An action of each player, drawn; the logarithm of its chance; the worth of states.

    `stray`: how often any legal action is drawn, whatever it is worth.
    """
    import jax
    from jax import numpy

    worth, moves = _outputs(params, seen, players)
    chance = jax.nn.softmax(numpy.where(masks, moves, NEVER))
    even = masks / masks.sum(axis=-1, keepdims=True)
    chance = numpy.log((1 - stray) * chance + stray * even + 1e-30)
    actions = jax.random.categorical(key, chance)
    own = numpy.take_along_axis(chance, actions[..., None], axis=-1)[..., 0]
    return actions, own, worth


def _update(
    params: Params,
    kept: Any,  # noqa: ANN401
    *batch: Any,  # noqa: ANN401
    optimiser: Any,  # noqa: ANN401
    how: Training,
    players: int,
) -> tuple[Params, Any]:
    """One step of the optimiser."""
    import jax
    import optax

    slope = jax.grad(partial(_loss, how=how, players=players))(params, *batch)
    change, kept = optimiser.update(slope, kept, params)
    return optax.apply_updates(params, change), kept


def _loss(
    params: Params,
    seen: Any,  # noqa: ANN401
    masks: Any,  # noqa: ANN401
    actions: Any,  # noqa: ANN401
    before: Any,  # noqa: ANN401
    better: Any,  # noqa: ANN401
    wanted: Any,  # noqa: ANN401
    *,
    how: Training,
    players: int,
) -> Any:  # noqa: ANN401
    """What is to be made small: of moves by those who had a choice, and of the worth of states."""
    import jax
    from jax import numpy

    worth, moves = _outputs(params, seen, players)
    legal = numpy.where(masks, moves, NEVER)
    chance = jax.nn.log_softmax(legal)
    own = numpy.take_along_axis(chance, actions[..., None], axis=-1)[..., 0]
    chose = masks.sum(axis=-1) > 1
    count = numpy.maximum(chose.sum(), 1)
    mean = (better * chose).sum() / count
    spread = numpy.sqrt((((better - mean) * chose) ** 2).sum() / count)
    even = (better - mean) / (spread + 1e-8)
    ratio = numpy.exp(own - before)
    cut = numpy.clip(ratio, 1 - how.clip, 1 + how.clip)
    gain = (numpy.minimum(ratio * even, cut * even) * chose).sum() / count
    doubt = -(numpy.where(masks, numpy.exp(chance) * chance, 0).sum(axis=-1) * chose).sum() / count
    miss = ((worth - wanted) ** 2).mean()
    return miss - gain - how.spread * doubt
