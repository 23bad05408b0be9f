"""The answering half of a player: messages in, replies out, always in time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass

from ggp.match.messages import Abort, Info, Message, Play, Preview, Start, Stop
from ggp.match.worker import Begin, Prepared, Think, Thought, Trouble, Worker
from ggp.text import plain

log = logging.getLogger(__name__)

TICK = 0.01


@dataclass(frozen=True)
class Settings:
    """How a player answers.

    `margin`: seconds kept back from each clock; None keeps a sixth of it, at least 0.1 and at
    most 1. `memory`: bytes for thinking. `silence`: seconds beyond the clocks after which a match
    counts as abandoned.
    """

    name: str = "ggp"
    margin: float | None = None
    memory: int = 4 << 30
    silence: float = 5.0
    strict_case: bool = False

    def thinking_time(self, clock: float) -> float:
        """How long to think with `clock` seconds from the arrival of a message."""
        margin = min(1.0, max(0.1, clock / 6)) if self.margin is None else self.margin
        return max(0.0, clock - margin)


@dataclass
class _Match:
    """The match in progress; `turn` counts the PLAY messages, `history` has what each but the
    first told, `own` the moves that we made before it."""

    start: Start
    heard: float
    turn: int = 0
    move: str | None = None
    history: tuple[tuple[str, ...], ...] = ()
    own: tuple[str, ...] = ()

    def is_abandoned(self, now: float, silence: float) -> bool:
        clock = self.start.play_clock if self.turn else self.start.start_clock
        return now - self.heard > clock + silence


class PlayerService:
    """One player, in one match at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._match: _Match | None = None
        self._worker = Worker(settings.memory)

    def close(self) -> None:
        """End the thinking process."""
        self._worker.close()

    @property
    def busy(self) -> bool:
        """Whether a match is in progress."""
        return self._match is not None

    async def reply(self, message: Message, arrived: float) -> str:
        """The answer to a message that arrived at `arrived` (of `time.monotonic`)."""
        if isinstance(message, Info):
            status = "busy" if self.busy else "available"
            return "busy" if self.busy else f"( ( name {self.settings.name} ) ( status {status} ) )"
        if isinstance(message, Preview):
            return "ready"
        if isinstance(message, Start):
            return await self._start(message, arrived)
        if self._match is None or message.match != self._match.start.match:
            return "busy"
        self._match.heard = arrived
        if isinstance(message, Play):
            return await self._play(self._match, message, arrived)
        self._finish(message)
        return "done" if isinstance(message, Stop) else "aborted"

    async def _start(self, message: Start, arrived: float) -> str:
        """Load the rules and think; a manager goes on as soon as everybody is ready."""
        if self._match is not None:
            if not self._match.is_abandoned(arrived, self.settings.silence):
                return "busy"
            log.warning("match %s was abandoned", plain(self._match.start.match))
            self._restart()
        match = self._match = _Match(message, arrived)
        until = arrived + self.settings.thinking_time(message.start_clock)
        await self._order(self._begin(match, until), until)
        while time.monotonic() < until and self._match is match and not self._has_prepared():
            await asyncio.sleep(TICK)
        return "ready"

    def _begin(self, match: _Match, until: float) -> Begin:
        seconds = max(0.0, until - time.monotonic())
        start = match.start
        return Begin(start.rules, start.role, seconds, self.settings.strict_case)

    async def _order(self, order: Begin | Think, until: float) -> bool:
        """Send an order without ever waiting for a worker that does not listen."""
        loop = asyncio.get_running_loop()
        sent = loop.run_in_executor(None, self._worker.send, order)
        with contextlib.suppress(asyncio.TimeoutError):
            return await asyncio.wait_for(sent, max(TICK, until - time.monotonic()))
        return False

    def _restart(self) -> None:
        self._worker.close()
        self._worker = Worker(self.settings.memory)

    def _has_prepared(self) -> bool:
        """Whether the worker has dealt with START, well or badly."""
        done = not self._worker.alive
        for said in self._worker.received():
            if isinstance(said, Trouble):
                log.warning("the rules cannot be played: %s", plain(said.why))
            elif isinstance(said, Prepared):
                log.info("ready: %s", "solved" if said.solved else "not solved")
            done = done or not isinstance(said, Thought)
        return done

    async def _play(self, match: _Match, message: Play, arrived: float) -> str:
        until = arrived + self.settings.thinking_time(match.start.play_clock)
        match.turn += 1
        made, match.move = message.own or match.move, None
        turn = match.turn
        if message.moves is not None or turn > 1:
            match.history = (*match.history, message.moves or ())
            match.own = (*match.own, made or "")
        await self._ask(match, until)
        # A STOP, an ABORT or a later PLAY ends the wait as well as the clock does.
        while time.monotonic() < until and self._match is match and match.turn == turn:
            if self._listen(match):
                break
            await asyncio.sleep(TICK)
        match.heard = time.monotonic()
        return match.move or "nil"

    async def _ask(self, match: _Match, until: float) -> None:
        """Have the worker think about the turn; a worker that died or hangs is replaced."""
        seconds = max(0.0, until - time.monotonic())
        order = Think(match.turn, match.history, match.own, seconds)
        if self._worker.alive and await self._order(order, until):
            return
        log.error("the thinking process is gone; starting another")
        self._restart()
        if await self._order(self._begin(match, time.monotonic()), until):
            await self._order(order, until)

    def _listen(self, match: _Match) -> bool:
        """Take in what the worker says; True once a final move is known."""
        for said in self._worker.received():
            if isinstance(said, Trouble):
                log.warning("thinking failed: %s", plain(said.why))
            elif isinstance(said, Thought) and said.turn == match.turn:
                match.move = said.move
                if said.final:
                    log.info("turn %d: %s (%s)", said.turn, plain(said.move), plain(said.why))
                    return True
        return False

    def _finish(self, message: Stop | Abort) -> None:
        """Forget the match; a fresh process waits for the next."""
        self._match = None
        self._restart()
        log.info("match %s ended", plain(message.match))
