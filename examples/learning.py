"""What self-play learns: a network trained on tic-tac-toe, without search against random play.

    python examples/learning.py

Takes ten to thirty seconds; `ggp learn` does the same for a game of one's own, and tries it in a
tournament. Needs the extra ggp[learn].
"""

import random

import ggp
from ggp.learn import Training, train
from ggp.play.learned import Model

game = ggp.games.load("tic-tac-toe/tic-tac-toe")


def points(model: Model) -> float:
    """Of 100 plays in both roles, the likeliest legal move against a random one."""
    chance, total = random.Random(1), 0
    for number in range(100):
        state, own = game.initial, game.roles[number % 2]
        while not state.terminal:
            role = game.role_index(state.control)
            moves = state.legal(state.control)
            move = chance.choice(moves)
            if state.control == own:
                held = game.machine.coding.held(game.machine.rows([state.bits]))
                liking = model.moves(model.deep(held))[0, role]
                move = max(moves, key=lambda m: liking[game.net.moves[role].index(m)])
            state = state.play(move)
        total += state.goals[own]
    return total / 100


for steps in (1, 100_000, 400_000):
    how = Training(games=128, batch=512, hidden=64, rate=2e-3)
    model = train(game, steps, seed=1, training=how)
    print(f"{model.steps:,} steps: {points(model):.0f} of 100 points against random play")
