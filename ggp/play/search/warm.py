"""The loops of the search called once, so that nobody waits for them in a match."""

from __future__ import annotations

from ggp.game import parse
from ggp.play.search.leaves import Settings
from ggp.play.search.search import TreeSearch

TWO_MOVES = """
(role a) (role b) (init s) (<= (legal a l) (true s)) (<= (legal a r) (true s)) (legal b n)
(<= (legal a n) (true t)) (<= (next t) (true s)) (<= (next u) (true t)) (<= (next v) (does a l))
(<= (next v) (true v)) (<= terminal (true u)) (<= (goal a 100) (true v))
(<= (goal a 0) (not (true v))) (<= (goal b 0) (true v)) (<= (goal b 100) (not (true v)))
"""


def warm_up() -> None:
    """Load the compiled loops, or compile them where this machine has not done so yet."""
    game = parse(TWO_MOVES)
    search = TreeSearch(game, 0, settings=Settings(nodes=100))
    search.start(game.initial)
    search.run(descents=100)
    search.start(game.initial.after([0, game.initial.legal_indices()[1][0]]))
