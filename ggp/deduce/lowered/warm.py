"""The compiled loops of the machine called once, so that nobody waits for them later."""

from __future__ import annotations

from functools import cache
from math import inf

from ggp.deduce.prover import Prover
from ggp.kif import Source
from ggp.rules import read_rules

_TWO_MOVES = """
(role a) (init (at 1)) (succ 1 2) (succ 2 3) (<= (legal a (go ?y)) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?y)) (does a (go ?y))) (<= terminal (true (at 3))) (<= (goal a 100) (true (at 3)))
"""


@cache
def warm_up() -> None:
    """Load the compiled loops, or compile them where this machine has not done so yet."""
    prover = Prover(read_rules(Source("two moves", _TWO_MOVES)))
    prover.hasten()
    start = prover.initial
    after = prover.next(start, [own[0] for own in prover.legal(start)])
    prover.terminal(after)
    prover.goals(after)
    prover.played(start, 1, 9, inf, uniform=True)
