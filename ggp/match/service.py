"""The answering half of a player: messages in, replies out, always in time."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass

from ggp.match.messages import Abort, Info, Message, Play, Preview, Start, Stop
from ggp.match.worker import Begin, Prepared, Think, Thought, Trouble, Worker

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
    """The match in progress; `turn` counts the PLAY messages."""

    start: Start
    heard: float
    turn: int = 0
    move: str | None = None
    asked: tuple[str, ...] | None = None

    def is_abandoned(self, now: float, silence: float) -> bool:
        clock = self.start.play_clock if self.turn else self.start.start_clock
        return now - self.heard > clock + silence


class PlayerService:
    """One player, in one match at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._match: _Match | None = None
        self._worker = Worker(settings.memory)
        self._turn = asyncio.Lock()

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
            log.warning("match %s was abandoned", self._match.start.match)
            self._restart()
        self._match = _Match(message, arrived)
        seconds = self.settings.thinking_time(message.start_clock)
        self._order(Begin(message.rules, message.role, seconds, self.settings.strict_case))
        until = arrived + seconds
        while time.monotonic() < until and not self._has_prepared():
            await asyncio.sleep(TICK)
        return "ready"

    def _has_prepared(self) -> bool:
        """Whether the worker has dealt with START, well or badly."""
        done = False
        for said in self._worker.received():
            if isinstance(said, Trouble):
                log.warning("the rules cannot be played: %s", said.why)
            elif isinstance(said, Prepared):
                log.info("ready: %s", "solved" if said.solved else "not solved")
            done = not isinstance(said, Thought)
        return done

    def _order(self, order: Begin | Think) -> None:
        if not self._worker.send(order):
            log.error("the thinking process is gone; starting another")
            self._restart()

    def _restart(self) -> None:
        self._worker.close()
        self._worker = Worker(self.settings.memory)

    async def _play(self, match: _Match, message: Play, arrived: float) -> str:
        async with self._turn:
            until = arrived + self.settings.thinking_time(match.start.play_clock)
            match.turn += 1
            match.move = None
            left = max(0.0, until - time.monotonic())
            self._order(Think(match.turn, message.moves, left))
            while time.monotonic() < until and not self._listen(match):
                await asyncio.sleep(TICK)
            match.heard = time.monotonic()
            return match.move or "nil"

    def _listen(self, match: _Match) -> bool:
        """Take in what the worker says; True once a final move is known."""
        for said in self._worker.received():
            if isinstance(said, Trouble):
                log.warning("thinking failed: %s", said.why)
            elif isinstance(said, Thought) and said.turn == match.turn:
                match.move = said.move
                if said.final:
                    log.info("turn %d: %s (%s)", said.turn, said.move, said.why)
                    return True
        return False

    def _finish(self, message: Stop | Abort) -> None:
        """Forget the match; a fresh process waits for the next."""
        self._match = None
        self._restart()
        log.info("match %s ended", message.match)
