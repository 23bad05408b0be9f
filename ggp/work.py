"""Work that is counted: what bounds a search for a proof, so that no clock decides what it finds.

One unit is what a core of a server of 2021 does in about a second. It is never measured: each kind
of work has a count (gates made, questions put, conflicts of a solver, pivots) and a rate. So the
same game gets the same findings on any machine; an account of time (`ggp.limits`) only says how
long somebody will wait for them.
"""

from __future__ import annotations

import threading

GATES = 3e-6
"""For a gate of a circuit that is made, or looked up."""


TICK = 2.0**-30
"""Sums of work are kept in these, so that they do not hang on what was summed up before."""


class _Done(threading.local):
    ticks = 0


_done = _Done()


def count_work(amount: float) -> None:
    """Note that so much work was done."""
    _done.ticks += round(amount / TICK)


def work_done() -> float:
    """All work of this thread so far; of interest are differences."""
    return _done.ticks * TICK
