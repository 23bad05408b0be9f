"""Tic-tac-toe learned on 2,048 boards at once: a linear policy that climbs a gradient (REINFORCE).

    python examples/env_policy.py

Both sides play by the same policy while it learns; then it is measured as the first player against
random play, which gives a first player who plays at random as well about 0.3. Takes up to a minute.
"""

from pathlib import Path

import numpy as np

import ggp.env

SHEET = Path(__file__).parent.parent / "games" / "tic-tac-toe" / "tic-tac-toe.kif"
BOARDS, ROUNDS, RATE = 2048, 400, 4.0


def probabilities(weights: np.ndarray, seen: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """What the policy does: a distribution over actions for each board."""
    scores = np.where(mask, seen @ weights, -np.inf)
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def drawn(odds: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """An action for each board."""
    sums = np.cumsum(odds, axis=1)
    places = (sums < chance.random((len(odds), 1)) * sums[:, -1:]).sum(axis=1)
    return places.astype(np.int32)


def main() -> None:
    """Learn, and measure before and after."""
    env = ggp.env.vector(SHEET, BOARDS, seed=1)
    chance, boards = np.random.default_rng(1), np.arange(BOARDS)
    seen, info = env.reset()
    weights = np.zeros((2, seen.shape[1], env.spaces.actions))
    before = measured(env, weights[0], chance)
    for _ in range(ROUNDS):
        climb = np.zeros_like(weights)
        seen, info = env.reset()
        steps, going, result = [], np.ones(BOARDS, dtype=bool), np.zeros((BOARDS, 2))
        while going.any():
            mover = info["to_move"]
            mask, odds = info["action_mask"][boards, mover], np.empty((BOARDS, env.spaces.actions))
            for player in (0, 1):
                own = mover == player
                odds[own] = probabilities(weights[player], seen[own], mask[own])
            actions = drawn(odds, chance)
            steps.append((seen, mover, odds, actions, going))
            seen, rewards, ended, _, info = env.step(actions)
            result[going & ended] = rewards[going & ended]
            going = going & ~ended
        for seen, mover, odds, actions, counted in steps:
            for player in (0, 1):
                own = counted & (mover == player)
                step = -odds[own] * result[own, player : player + 1]
                step[np.arange(own.sum()), actions[own]] += result[own, player]
                climb[player] += seen[own].T @ step
        weights += RATE * climb / BOARDS
    print(f"{before:.2f} before, {measured(env, weights[0], chance):.2f} after")


def measured(env: object, weights: np.ndarray, chance: np.random.Generator) -> float:
    """The mean reward of a first player with this policy against random play."""
    seen, info = env.reset()
    total = count = 0
    for _ in range(60):
        actions = env.sample()
        own = np.flatnonzero(info["to_move"] == 0)
        odds = probabilities(weights, seen[own], info["action_mask"][own, 0])
        actions[own, 0] = drawn(odds, chance)
        seen, rewards, ended, _, info = env.step(actions)
        total, count = total + rewards[ended, 0].sum(), count + ended.sum()
    return float(total / count)


if __name__ == "__main__":
    main()
