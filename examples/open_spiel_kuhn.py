"""Kuhn poker from its rule sheet, played well by OpenSpiel's regret minimisation.

python examples/open_spiel_kuhn.py

The first player loses 1/18 of a chip a game (Kuhn 1950). Utilities go from -1 to 1, which is two
chips, so that the value is -1/36. Needs the extra ggp[env].
"""

import pyspiel

import ggp.games
from ggp.env import open_spiel

if __name__ == "__main__":
    game = open_spiel(ggp.games.path("poker/kuhn-poker"))
    solver = pyspiel.CFRSolver(game)
    print("rounds  exploitability  value of the first player")
    for round_ in range(1, 513):
        solver.evaluate_and_update_policy()
        if round_.bit_count() == 1:
            policy = solver.average_policy()
            away = pyspiel.exploitability(game, policy)
            value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
            print(f"{round_:6} {away:15.5f} {value:+26.5f}")
    print(f"by theory {-1 / 36:+39.5f}")
