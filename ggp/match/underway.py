"""A match that is being played, and what is known of the answer that is asked for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from ggp.match.course import History, Turn
from ggp.match.log import MatchLog
from ggp.match.messages import Play, Start
from ggp.match.referee import Admitted, Allowed, Refused, Unsure, Wrong
from ggp.match.worker import Prepared, Thought, Trouble, TurnReport
from ggp.process import Process
from ggp.text import plain

log = logging.getLogger(__name__)


@dataclass
class Asked:
    """A PLAY that came at the time `arrived`, and what is known of its answer.

    `before` and `own_before` are the history up to it, `previous` the PLAY before it, `reply` is
    what was answered.
    """

    message: Play
    turn: Turn
    before: History
    own_before: tuple[str, ...]
    arrived: float = 0.0
    previous: Asked | None = None
    thought: str | None = None
    final: bool = False
    allowed: str | None = None
    wrong: str | None = None
    unsure: bool = False
    troubled: bool = False
    reply: asyncio.Future[str] = field(default_factory=asyncio.Future)

    @property
    def move(self) -> str | None:
        """The best move so far; what the thinking half has not found the referee has."""
        return self.thought or self.allowed

    @property
    def judged(self) -> bool:
        """Whether the referee has said what it can."""
        return bool(self.wrong) or self.allowed is not None or self.unsure

    @property
    def settled(self) -> bool:
        """Whether nothing better will come."""
        return bool(self.wrong) or self.final or (self.troubled and bool(self.move or self.unsure))


class News:
    """Wakes all who wait."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def set(self) -> None:
        """There is news; who waits from now on waits for the next."""
        self._next.set()
        self._next = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Wait for it, but no longer than so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._next.wait(), seconds)


class MatchUnderway:
    """A match in progress.

    `turns` counts all PLAY messages, those that were refused too. `asked` is the one that is
    answered, `weighed` one that comes meanwhile, as long as the referee looks at it.
    """

    def __init__(self, start: Start, heard: float, log: MatchLog) -> None:
        self.start = start
        self.log = log
        self.thinker: Process | None = None
        self.referee: Process | None = None
        self.told: TurnReport | None = None
        self.heard = heard
        self.history: History = ()
        self.own: tuple[str, ...] = ()
        self.asked: Asked | None = None
        self.weighed: Asked | None = None
        self.admitted: Admitted | None = None
        self.refused: str | None = None
        self.prepared = False
        self.judged = False
        self.turns = 0
        self.over = False
        self.news = News()

    def close(self) -> None:
        """It is over: nobody waits, and its processes end."""
        self.over = True
        self.news.set()
        self.log.write("end")
        self.log.close()
        for process in (self.thinker, self.referee):
            if process:
                process.close()
        self.thinker = self.referee = None

    def abandoned_at(self, silence: float) -> float:
        """The time from which on the match counts as abandoned, unless it is heard of before."""
        clock = self.start.play_clock if self.asked else self.start.start_clock
        return self.heard + clock + silence

    def is_abandoned(self, now: float, silence: float) -> bool:
        """Whether it counts as abandoned."""
        return now > self.abandoned_at(silence)

    async def until(self, clock: float, enough: Callable[[], bool]) -> None:
        """Wait until something is enough, the time `clock` comes or the match is over."""
        while not self.over and not enough() and (left := clock - time.monotonic()) > 0:
            await self.news.wait(left)

    def hear_thought(self, said: Thought | Prepared | TurnReport | Trouble | None) -> None:
        """Take in what the thinking half says; None when its process is gone."""
        asked = self.asked
        if isinstance(said, TurnReport):
            if said.position:
                self.told = said
            insight = asdict(said.insight)
            self.log.write(
                "thought", turn=said.turn, move=said.move, seconds=round(said.seconds, 3),
                memory=said.memory, **insight,
            )  # fmt: skip
            return
        if isinstance(said, Thought):
            if asked and said.turn == asked.turn.number:
                asked.thought, asked.final = said.move, said.final
                if said.final:
                    log.info("turn %d: %s (%s)", said.turn, plain(said.move), plain(said.why))
        elif isinstance(said, Prepared):
            self.prepared = True
            log.info("ready: %s", "solved" if said.solved else "not solved")
            self.log.write("ready", solved=said.solved)
        else:
            why = said.why if said else "the process is gone"
            log.warning("thinking failed: %s", plain(why))
            self.log.write("trouble", why=why)
            self.prepared = True
            if asked and (said is None or said.turn == asked.turn.number):
                asked.troubled = True
        self.news.set()

    def hear_referee(self, said: Admitted | Refused | Allowed | Wrong | Unsure | None) -> None:
        """Take in what the referee says; None when its process is gone."""
        self.judged = True
        if isinstance(said, Admitted):
            self.admitted = said
            if self.asked and not self.asked.turn.history:
                self.asked.allowed = said.first
        elif isinstance(said, Refused):
            self.refused = said.why
        elif isinstance(said, Unsure) or said is None:
            log.warning("the referee is unsure: %s", plain(said.why if said else "it is gone"))
            for asked in filter(None, (self.asked, self.weighed)):
                if said is None or said.turn == asked.turn.number:
                    asked.unsure = True
        else:
            before = self.asked.previous if self.asked else None
            for asked in filter(None, (self.asked, self.weighed, before)):
                if said.turn != asked.turn.number:
                    continue
                if isinstance(said, Allowed):
                    asked.allowed = said.move
                else:
                    asked.wrong = said.why
            if self.asked and self.asked.wrong and self.asked.reply.done():
                self.take_back()  # It was answered before it was looked at.
        self.news.set()

    def take(self, asked: Asked) -> None:
        """A PLAY is the one that is answered; the two before it are kept."""
        if self.asked and self.asked.previous:
            self.asked.previous.previous = None
        asked.previous, self.asked = self.asked, asked
        self.history, self.own = asked.turn.history, asked.turn.own

    def take_back(self) -> bool:
        """The PLAY that is answered cannot be: the match stands where it stood before, also before
        the one before it, if that could not be. Whether that was so."""
        taken = 0
        while self.asked and self.asked.wrong:
            asked, taken = self.asked, taken + 1
            self.history, self.own = asked.before, asked.own_before
            self.asked = asked.previous
        return taken > 1
