"""Imported once by the process that all others of a player are forked from: it loads everything."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ggp.machine.warm import warm_up
from ggp.match import reading, referee, worker
from ggp.play.search import warm

__all__ = ["reading", "referee", "worker"]


@contextmanager
def _ended_quietly() -> Iterator[None]:
    """Let Ctrl-C, which the terminal sends to this process, too, end it without a word: the player
    says what there is to be said, and nothing is forked from here before all is loaded."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


with suppress(Exception), _ended_quietly():  # whatever is wrong shows in the processes that need it
    warm_up()
    warm.warm_up()
