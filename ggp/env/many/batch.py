"""Many games at once: `ggp.env.vector`."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.env.many import kernels, moving, parts
from ggp.env.many.arrays import Arrays, bits_of
from ggp.env.many.setup import goals_of, most_bytes, seats_of, start_of
from ggp.env.many.stepping import mask_order, observation_order, rows_of, unit_of
from ggp.env.spaces import Kind, Spaces
from ggp.errors import GoalError, IllegalMove, InputError, NoLegalMove
from ggp.game import Game, State
from ggp.limits import Budget
from ggp.machine.engine.frames import LANES, WORDS, enlarged, new_frame

Info = dict[str, Any]
Step = tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]


class VectorGames:
    """`n` games of one sheet, stepped together; like a `gymnasium.vector.VectorEnv`.

    One step is one joint move of every game. Actions are an array (n, players), or (n,): the action
    of the player who has a choice, which is all there is to say where players take turns. What a
    player says who has one legal move only is not looked at; chance (`random`) draws by itself.

    `reset` and `step` give arrays of numpy: observations (n, …), or (n, players, …) where the rules
    say what roles see; rewards (n, players), zero but at ends; whether each game came to its end
    (n,), or was given up after `max_steps` moves (n,). With one player there is no axis of players.
    A game that ends begins anew in the same step. `info` holds:

    * `action_mask`: which actions are legal now, (n, players, actions);
    * `to_move` (n,): the player who has a choice; -1 where nobody has, or several have;
    * `ended`: the numbers of the games that ended or were given up, ascending, and
      `final_observation`, what was observed there: one row for each of them.

    With `reuse` every step writes the same arrays over. What happens depends on the seed and the
    actions alone. One thread does the work.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        observations: Kind = "bits",
        *,
        seed: int = 0,
        max_steps: int | None = None,
        reuse: bool = False,
    ) -> None:
        if n < 1 or (max_steps is not None and max_steps < 1):
            raise InputError("there is at least one game, and max_steps is 1 or more")
        self.spaces, self.num_envs, self.reuse = Spaces(game, observations), n, reuse
        self.max_steps = max_steps
        self._rows = rows_of(game.net)
        self._observed = observation_order(self.spaces, self._rows)
        self._masked = mask_order(self.spaces, self._rows)
        self._require_room()
        self._unit = unit_of(self.spaces)
        self._frame = new_frame(self._unit.rows)
        self._seats = seats_of(self.spaces)
        self._goals = goals_of(self.spaces)
        self._start = start_of(self.spaces, self._rows, self._observed, self._masked)
        self._games = self._new_games()
        words = (len(self._observed) + 63) >> 6
        self._ended = np.zeros(n, dtype=np.int64)
        self._final = np.zeros((n, words), dtype=np.uint64)
        self._scratch = parts.BlockScratch(
            np.zeros((64, WORDS), dtype=np.uint64),
            np.zeros((LANES, words), dtype=np.uint64),
            np.zeros(WORDS, dtype=np.uint64),
        )
        self._seed(seed)
        self._is_ready = False

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.spaces.game

    @cached_property
    def single_observation_space(self) -> Any:  # noqa: ANN401 - of a library without types
        """The space of one observation, of Gymnasium."""
        from ggp.env.boxes import observation_box

        return observation_box(self.spaces)

    @cached_property
    def single_action_space(self) -> Any:  # noqa: ANN401 - of a library without types
        """The space of the actions of one player, of Gymnasium."""
        from ggp.env.boxes import action_box

        return action_box(self.spaces)

    @cached_property
    def observation_space(self) -> Any:  # noqa: ANN401 - of a library without types
        """The space of the observations of all games, of Gymnasium."""
        from ggp.env.boxes import observations_box

        return observations_box(self.spaces, self.num_envs)

    @cached_property
    def action_space(self) -> Any:  # noqa: ANN401 - of a library without types
        """The space of the actions of all players of all games, of Gymnasium."""
        from ggp.env.boxes import actions_box

        return actions_box(self.spaces, self.num_envs)

    def _require_begun(self) -> None:
        if not self._is_ready:
            raise IllegalMove("the games have not begun: reset them first")

    def _require_room(self) -> None:
        """Raise `BudgetSpent` where so many games do not fit in the memory of the game's limits."""
        each = most_bytes(self._rows, self._observed, self._masked)
        budget = Budget(self.game.limits)
        budget.check(f"{self.num_envs:,} games of {each:,} bytes", self.num_envs * each)

    def _new_games(self) -> parts.Games:
        blocks = -(-self.num_envs // LANES)
        count = self._rows.end - self._rows.following
        kept = np.zeros((blocks, count, WORDS), dtype=np.uint64)
        legal = np.zeros((self.num_envs, len(self._start.legal)), dtype=np.uint64)
        return parts.Games(kept, legal, np.zeros(self.num_envs, dtype=np.int32))

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.int8], Info]:
        """Begin all games anew; with a `seed` what follows is what followed it before."""
        if seed is not None:
            self._seed(seed)
        games, start = self._games, self._start
        games.kept[:] = np.where(start.kept == 1, ~np.uint64(0), np.uint64(0))[None, :, None]
        games.legal[:] = start.legal
        games.since[:] = 0
        arrays = self._arrays
        arrays.observed[:] = bits_of(start.observed, arrays.observed.shape[1])
        arrays.masks[:] = bits_of(start.legal, arrays.masks.shape[1])
        forced = self._rows.forced - self._rows.following
        free = [p for p, role in enumerate(self.spaces.roles) if not start.kept[forced + role]]
        arrays.to_move[:] = free[0] if len(free) == 1 else -1
        self._is_ready = True
        return self._shown(arrays.observed), self._info(arrays, 0)

    def step(self, actions: NDArray[np.integer[Any]]) -> Step:
        """Make a move in every game: observations, rewards, terminated, truncated, info.

        Raises `IllegalMove`, with nothing done, for an action that is not legal, and for one action
        a game where several players have a choice; `NoLegalMove` and `GoalError` where the rules
        are at fault: all games are to be reset then.
        """
        self._require_begun()
        given = self._given(actions)
        fault, number = moving.check(self._games, self._rows, self._seats, given)
        if fault:
            raise IllegalMove(self._wrong(fault, number, actions))
        self._clock += 1
        running = self._unit.running(len(self._games.kept))
        self._frame = enlarged(self._frame, self._unit.rows)
        arrays = self._arrays
        ended, fault, number = kernels.advance(
            self._frame, self._frame.ctypes.data, running, self._rows, self._seats, self._games,
            given, self._key(0, self._clock), self._start, self._goals, self.max_steps or 0,
            (self._observed, self._masked), self._scratch, arrays.result(self._ended, self._final),
        )  # fmt: skip
        if fault:
            self._is_ready = False
            raise self._fault(fault, number)
        rewards = arrays.rewards[:, 0] if len(self.spaces.roles) == 1 else arrays.rewards
        return (
            self._shown(arrays.observed), rewards, arrays.terminated, arrays.truncated,
            self._info(arrays, ended),
        )  # fmt: skip

    def sample(self) -> NDArray[np.int32]:
        """A legal action of each player in each game, uniformly at random, for `step`.

        Raises `IllegalMove` before the games have begun.
        """
        self._require_begun()
        result = np.empty((self.num_envs, len(self.spaces.roles)), dtype=np.int32)
        self._samples += 1
        moving.sample(self._games, self._rows, self._seats, self._key(1, self._samples), result)
        return result[:, 0] if result.shape[1] == 1 else result

    def state(self, number: int) -> State:
        """The state of one of the games; raises `IndexError` where there is none."""
        if not 0 <= number < self.num_envs:
            raise IndexError(f"there are {self.num_envs} games: no game {number}")
        block, lane = divmod(number, LANES)
        words = self._games.kept[block, : len(self.game.net.fluents), lane >> 6]
        held = words >> np.uint64(lane & 63) & np.uint64(1)
        return State(self.game, sum(1 << int(i) for i in np.flatnonzero(held)))

    def compile(self) -> None:
        """Make machine code of the rules now; else that is begun where it will pay."""
        self._unit.compile()

    def close(self) -> None:
        """Nothing is left open; here for those who close what they use."""

    def _seed(self, seed: int) -> None:
        self._clock, self._samples = 0, 0
        self._keys = np.random.SeedSequence(seed).generate_state(2, np.uint64).tolist()

    def _key(self, stream: int, number: int) -> np.uint64:
        """What is drawn in a step (stream 0) or for a sample (1) hangs on this."""
        return np.uint64((self._keys[stream] + number * 0xD1B54A32D192ED03) % 2**64)

    def _given(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
        raw, players = np.asarray(actions), len(self.spaces.roles)
        given = np.ascontiguousarray(raw, dtype=np.int32)
        if given.dtype != raw.dtype and not np.array_equal(given, raw):
            raise IllegalMove("actions are integers")
        if given.shape == (self.num_envs,):
            return given.reshape(-1, 1)
        if given.shape != (self.num_envs, players):
            raise IllegalMove(f"actions are ({self.num_envs},) or ({self.num_envs}, {players})")
        return given

    def _wrong(self, fault: int, number: int, actions: NDArray[np.integer[Any]]) -> str:
        if fault == parts.SEVERAL:
            return f"several players have a choice in game {number}: give actions (n, players)"
        return f"an action in game {number} is not legal: {np.asarray(actions)[number]}"

    def _fault(self, fault: int, number: int) -> NoLegalMove | GoalError:
        if fault == parts.STUCK:
            return NoLegalMove(f"a role has no legal move after a move in {self.state(number)}")
        return GoalError(f"no single goal value of a player after a move in {self.state(number)}")

    @property
    def _arrays(self) -> Arrays:
        return self._kept_arrays if self.reuse else self._new_arrays()

    @cached_property
    def _kept_arrays(self) -> Arrays:
        return self._new_arrays()

    def _new_arrays(self) -> Arrays:
        players = len(self.spaces.roles)
        return Arrays(self.num_envs, players, len(self._observed), players * self.spaces.actions)

    def _shown(self, observed: NDArray[np.int8]) -> NDArray[np.int8]:
        """Observations in their shape, of some games."""
        players = len(self.spaces.roles)
        own = (players,) if self.spaces.is_private and players > 1 else ()
        return observed.reshape(len(observed), *own, *self.spaces.shape)

    def _info(self, arrays: Arrays, ended: int) -> Info:
        players = len(self.spaces.roles)
        own = (players,) if players > 1 else ()
        masks = arrays.masks.view(np.bool_)
        final = bits_of(self._final[:ended], len(self._observed))
        return {
            "action_mask": masks.reshape(self.num_envs, *own, self.spaces.actions),
            "to_move": arrays.to_move,
            "ended": self._ended[:ended].copy(),
            "final_observation": self._shown(final),
        }
