"""The thread that a sitting lives in, so that a screen stays alive while the machine thinks."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ggp.cli.playing.saving import record_of, resumed, save
from ggp.cli.playing.view import SittingView, view_of
from ggp.errors import GgpError
from ggp.limits import stop
from ggp.play.advice import Advice
from ggp.play.sitting.levels import level_of
from ggp.play.sitting.sitting import Sitting
from ggp.show.board.scene import Move

PATIENCE = 1.0
"""Seconds to wait for the thread's end, and as many again."""


class Halted(KeyboardInterrupt):
    """Thinking was ended, as there is something else to do: nothing is to take it for a limit, and
    to think on."""


@dataclass(frozen=True)
class Said:
    """A line for the person."""

    text: str
    is_bad: bool = False


@dataclass(frozen=True)
class Advised:
    """What moves are worth in the position that the view before was of."""

    advice: Advice


News = SittingView | Said | Advised | BaseException
"""What comes out of the thread; an exception is a fault of the program."""

Job = Callable[[], None]


class Runner(threading.Thread):
    """Does with a sitting what it is asked for, one after the other, and makes the machine's moves
    in between. What comes of it goes to `post`, which is called in this thread.

    `file`: where the record is written after each move, if anywhere.
    """

    def __init__(self, sitting: Sitting, file: Path | None, post: Callable[[News], object]) -> None:
        super().__init__(daemon=True)
        self.sitting, self._every, self._post = sitting, file, post
        self.file = file
        sitting.machine.heed = self._heed
        self._view: SittingView | None = None
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._asked = threading.Event()
        self._asking = threading.Lock()

    def move(self, move: Move, view: SittingView) -> None:
        """Make a move that a view has; nothing if something else has happened since."""
        self._ask(lambda: self._move(move, view))

    def undo(self) -> None:
        """Take the last choice of a person back."""
        self._ask(self._undo)

    def hint(self) -> None:
        """Find out what the moves are worth."""
        self._ask(self._hint)

    def save(self, name: str) -> None:
        """Write the record to a file."""
        self._ask(lambda: self._save(Path(name).expanduser()))

    def load(self, name: str) -> None:
        """Go on with a record."""
        self._ask(lambda: self._load(Path(name).expanduser()))

    def level(self, name: str) -> None:
        """Let the machine play better or worse."""
        self._ask(lambda: self._level(name))

    def leave(self) -> bool:
        """End the thread; whether it has ended."""
        self._ask(None)
        if self.is_alive():
            self.join(PATIENCE)
        if self.is_alive():
            stop.set()
            self.join(PATIENCE)
        return not self.is_alive()

    def run(self) -> None:
        """Do what is asked for until the end is."""
        try:
            while self._goes_on():
                pass
        except KeyboardInterrupt:
            pass
        except BaseException as error:
            self._post(error)

    def _goes_on(self) -> bool:
        """Do one thing; False where the end was asked for."""
        try:
            self._view = view = view_of(self.sitting)
            self._post(view)
            if view.role is None or view.is_yours:
                return self._do(self._jobs.get())
            self._asked.clear()
            try:
                return self._do(self._jobs.get_nowait())
            except queue.Empty:
                self._think()
        except Halted:
            pass
        except GgpError as error:
            # The rules go wrong, or take too long: a person may go back, or save.
            self._post(Said(str(error).splitlines()[0], True))
            return self._do(self._jobs.get())
        return True

    def _do(self, job: Job | None) -> bool:
        # A job whose asking is still under way would halt itself.
        with self._asking:
            self._asked.clear()
            if not self._jobs.empty():
                self._asked.set()
        if job is None:
            return False
        try:
            job()
        except Halted:
            pass
        except GgpError as error:
            self._post(Said(str(error).splitlines()[0], True))
        return True

    def _ask(self, job: Job | None) -> None:
        with self._asking:
            self._jobs.put(job)
            self._asked.set()

    def _heed(self, found: int, done: int) -> None:
        if self._asked.is_set():
            raise Halted

    def _think(self) -> None:
        role = self.sitting.waits_for()
        if role is not None:
            self.sitting.choose(role, self.sitting.think(role))
            self._keep()

    def _move(self, move: Move, view: SittingView) -> None:
        if view is self._view:
            self.sitting.choose(self.sitting.game.roles[move.role], move.text)
            self._keep()

    def _undo(self) -> None:
        if self.sitting.undo():
            self._keep()
        else:
            self._post(Said("nothing to undo"))

    def _hint(self) -> None:
        role = self.sitting.waits_for()
        if role is not None and role in self.sitting.people:
            self._post(Advised(self.sitting.advice(role)))

    def _save(self, file: Path) -> None:
        save(self.sitting, file)
        self.file = file
        self._post(Said(f"saved to {file}"))

    def _load(self, file: Path) -> None:
        before = self.sitting
        self.sitting = resumed(file, None, before.level, before.game, self._heed)
        self.file = file
        self._post(Said(f"loaded {file}"))

    def _level(self, name: str) -> None:
        self.sitting.level = level_of(name)
        self._post(Said(f"level: {self.sitting.level}"))

    def _keep(self) -> None:
        """Write the record, if that is asked for."""
        if self._every is not None:
            try:
                record_of(self.sitting).write(self._every)
            except GgpError as error:
                self._post(Said(f"not saved: {error}", True))
