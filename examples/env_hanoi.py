"""The tower of Hanoi learned by trial and error: Q-learning on an environment of Gymnasium.

    python examples/env_hanoi.py

Prints how many moves the learner needs in the end; with three disks seven are enough.
"""

from collections import defaultdict
from pathlib import Path

import numpy as np

import ggp.env

SHEET = Path(__file__).parent.parent / "games" / "puzzles" / "hanoi.kif.jinja"
EPISODES, RATE, GREED = 800, 0.5, 0.6


def main() -> None:
    """Learn, and show what was learned."""
    env = ggp.env.gymnasium(SHEET, disks=3, max_steps=200)
    chance = np.random.default_rng(1)
    worth = defaultdict(lambda: np.zeros(env.action_space.n))

    def best(seen: np.ndarray, mask: np.ndarray) -> int:
        return int(np.argmax(np.where(mask == 1, worth[seen.tobytes()], -np.inf)))

    for episode in range(EPISODES):
        seen, info = env.reset(seed=episode)
        over = False
        while not over:
            mask, here = info["action_mask"], worth[seen.tobytes()]
            explores = chance.random() > GREED
            action = int(chance.choice(np.flatnonzero(mask))) if explores else best(seen, mask)
            seen, reward, ended, given_up, info = env.step(action)
            over = ended or given_up
            following = 0.0
            if not ended:
                following = worth[seen.tobytes()][best(seen, info["action_mask"])]
            # What comes later is worth a little less: so that short ways are better.
            here[action] += RATE * (reward + 0.95 * following - here[action])

    seen, info = env.reset()
    moves, over = 0, False
    while not over:
        seen, reward, ended, given_up, info = env.step(best(seen, info["action_mask"]))
        moves, over = moves + 1, ended or given_up
    print(f"{moves} moves, reward {reward:g}")


if __name__ == "__main__":
    main()
