"""A player of one's own: the move after which the others have the fewest moves.

python examples/own_player.py games/tic-tac-toe/tic-tac-toe.kif
"""

import sys

import ggp
from ggp.match.manager import MatchSettings, run_match
from ggp.play import Player, RandomPlayer


class StiflingPlayer(Player):
    """Leaves the others as little choice as it can."""

    def choose(self, state: ggp.State, seconds: float) -> ggp.Term:
        """The first of the moves after which the others' choices are fewest."""
        others = [role for role in self.game.players if role != self.role]
        quiet = {role: state.legal(role)[0] for role in self.game.roles}

        def choices(move: ggp.Term) -> int:
            after = state.play({**quiet, self.role: move})
            return 0 if after.terminal else sum(len(after.legal(role)) for role in others)

        return min(state.legal(self.role), key=choices)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    game = ggp.load(sys.argv[1])
    players = [("mine", StiflingPlayer)] + [("random", RandomPlayer)] * (len(game.players) - 1)
    print(run_match(game, players, MatchSettings(play_clock=1, seed=1)).goals)
