"""Small games of OpenSpiel, solved exactly, with a verified strategy of who wins.

python examples/open_spiel_solve.py [GAME…]      such as 'breakthrough(rows=4,columns=3)'

Needs the extra ggp[env].
"""

import sys

import pyspiel

import ggp
from ggp.solver import verify

GAMES = (
    "tic_tac_toe",
    "connect_four(rows=3,columns=4,x_in_row=3)",
    "breakthrough(rows=4,columns=3)",
    "hex(board_size=3)",
    "clobber(rows=3,columns=4)",
    "nim(pile_sizes=1;3;5)",
)

if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        solution = ggp.solve(pyspiel.load_game(name))
        start = solution.initial
        player = solution.result(start)
        print(f"{name}: {player}, {solution.positions:,} positions")
        print(f"  best moves: {', '.join(solution.best(start)[:4])}")
        if player not in (None, "draw"):
            strategy = solution.strategy(player)
            found = verify(strategy)
            print(f"  a strategy of {strategy.positions:,} positions, verified: {found.ok}")
