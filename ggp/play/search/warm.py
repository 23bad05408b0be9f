"""The loops of the search called once, so that nobody waits for them in a match."""

from __future__ import annotations

from functools import cache

import numpy as np

from ggp.game import parse
from ggp.machine.warm import warm_up_code
from ggp.play.search.habits import Habits
from ggp.play.search.leaves import Settings
from ggp.play.search.search import TreeSearch
from ggp.play.search.sums import ValuedSums

TWO_MOVES = """
(role a) (role b) (init s) (<= (legal a l) (true s)) (<= (legal a r) (true s)) (legal b n)
(<= (legal a n) (true t)) (<= (next t) (true s)) (<= (next u) (true t)) (<= (next v) (does a l))
(<= (next v) (true v)) (<= terminal (true u)) (<= (goal a 100) (true v))
(<= (goal a 0) (not (true v))) (<= (goal b 0) (true v)) (<= (goal b 100) (not (true v)))
"""

TWO_TOKENS = """
(role a) (role b) (init (on x)) (init (on y)) (init (control a))
(<= (legal ?p (take ?x)) (true (control ?p)) (true (on ?x)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (gone ?x) (does ?p (take ?x)))
(<= (next (on ?x)) (true (on ?x)) (not (gone ?x)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= some (true (on ?x))) (<= terminal (not some))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""


@cache
def warm_up() -> None:
    """Load the compiled loops, or compile them where this machine has not done so yet."""
    warm_up_code()
    game = parse(TWO_MOVES)
    search = TreeSearch(game, 0, settings=Settings(nodes=100))
    search.start(game.initial)
    search.run(descents=100)
    search.start(game.initial.after([0, game.initial.legal_indices()[1][0]]))
    habits = Habits(game.net)
    favour = habits.favour(1)
    favour.made.append(favour.lanes)
    habits.learn(favour, np.zeros((4, 2)), 4)


@cache
def warm_up_sums() -> None:
    """The same for the loops that split positions into pieces."""
    game = parse(TWO_TOKENS)
    sums = ValuedSums.of(game, game.limits)
    assert sums is not None
    for state in (game.initial, game.initial.play("(take x)")):
        sums.parts([state.bits])
        while not sums.known.is_idle:
            sums.work()
    search = TreeSearch(game, 0, settings=Settings(nodes=100), sums=sums)
    search.start(game.initial)
    search.decide(np.zeros(1, dtype=np.int32), np.array([[0.0, 100.0]]))
    search.start(game.initial)
