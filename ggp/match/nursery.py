"""Imported once by the process that all others of a player are forked from: it loads everything."""

from contextlib import suppress

from ggp.deduce.lowered.warm import warm_up as warm_up_rules
from ggp.machine.warm import warm_up
from ggp.match import reading, referee, worker
from ggp.play.search import warm

__all__ = ["reading", "referee", "worker"]

with suppress(Exception):  # whatever is wrong shows in the processes that need it
    warm_up()
    warm.warm_up()
    warm_up_rules()
