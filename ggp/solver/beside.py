"""Work that is done beside other work, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from threading import Thread


class Beside:
    """Something that is found out in a thread of its own, and may raise what ends the rest."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._raised: BaseException | None = None
        context = copy_context()  # with the accounts that are in force

        def run() -> None:
            try:
                context.run(work)
            except BaseException as error:  # for whoever asks
                self._raised = error

        self._thread = Thread(target=run, daemon=True)
        self._thread.start()

    def settle(self, *, wait: bool) -> None:
        """Raise what it has raised, if it is done, or once it is."""
        if wait:
            self._thread.join()
        if self._raised is not None and not self._thread.is_alive():
            raise self._raised
