"""A match that is being played, and what is known of the answer that is asked for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace

from ggp.errors import GgpError
from ggp.match.course import Doubt, History, Turn
from ggp.match.log import MatchLog
from ggp.match.messages import Play, Start
from ggp.match.referee import Admitted, Allowed, Refused, Unsure, Wrong
from ggp.match.worker import Loaded, Pace, Prepared, Think, Thought, Trouble, TurnReport
from ggp.process import Process
from ggp.text import plain

log = logging.getLogger(__name__)

NOTHING = "nil"
"""The reply where no move at all is known."""

IN_DOUBT = 10
"""Turns for which it is kept in mind that a message came more than once."""

MOST_REPEATS = 8
"""Times that a message is taken to have come again, at the most."""

A_MOMENT = 0.1
"""Seconds of thought from which on it tells how fast a search is."""


class RefusedMessage(GgpError):
    """A message of the protocol that cannot be what the manager means; the match goes on."""


@dataclass
class Asked:
    """A PLAY that came at the time `arrived`, and what is known of its answer.

    `before` and `own_before` are the history up to it, `previous` the PLAY before it, `reply` is
    what was answered. It is thought about until the time `until`.
    """

    message: Play
    turn: Turn
    before: History
    own_before: tuple[str, ...]
    arrived: float = 0.0
    until: float = 0.0
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
    answered, `weighed` one that comes meanwhile, as long as the referee looks at it. Where the
    thinking half is long about grounding the rules, a `stand_in` thinks about the turns, on the
    rules as they are, until it is prepared, or faster (`pace`: descents a second of the stand-in);
    `substitution` is when that begins. `sends_once`: of a message that came more than once it
    turned out that it was another turn, and of none since then that it was the same.
    """

    def __init__(self, start: Start, heard: float, log: MatchLog) -> None:
        self.start = start
        self.log = log
        self.thinker: Process | None = None
        self.referee: Process | None = None
        self.stand_in: Process | None = None
        self.substitution: asyncio.TimerHandle | None = None
        self.pace = 0.0
        self.revivals = 0
        self.doubt: str | None = None
        self.hopeless = False
        self.told: TurnReport | None = None
        self.heard = heard
        self.history: History = ()
        self.own: tuple[str, ...] = ()
        self.doubts: tuple[Doubt, ...] = ()
        self.sends_once = False
        self.asked: Asked | None = None
        self.weighed: Asked | None = None
        self.admitted: Admitted | None = None
        self.refused: str | None = None
        self.loaded = False
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
        if self.substitution:
            self.substitution.cancel()
        for process in (self.thinker, self.referee, self.stand_in):
            if process:
                process.close()
        self.thinker = self.referee = self.stand_in = None

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

    def hear_thought(
        self, said: Loaded | Pace | Prepared | Thought | TurnReport | Trouble | None
    ) -> None:
        """Take in what the thinking half says; None when its process is gone."""
        if isinstance(said, Loaded):
            log.info("rules: %s", "ground" if said.ground else "played as they are")
            self.log.write("rules", ground=said.ground)
            self.loaded = True
            if not said.ground:
                self._leave_it_to_the_stand_in()
        elif isinstance(said, Pace):
            if said.descents > self.pace:
                self._relieve()
        elif isinstance(said, Prepared):
            self.prepared = True
            log.info("ready: %s", "solved" if said.solved else "not solved")
            self.log.write("ready", solved=said.solved)
            self._relieve()
        elif (said is None or isinstance(said, Trouble)) and self._leave_it_to_the_stand_in():
            _warn(self.log, said)
        elif isinstance(said, (Thought, TurnReport)):
            self._hear_turn(said)
        else:
            _warn(self.log, said)
            self.prepared = True
            self.hopeless = self.hopeless or (said is not None and said.turn == 0)
            self._despair()
            asked = self.asked
            if asked and (said is None or said.turn == asked.turn.number):
                asked.troubled = True
        self.news.set()

    def hear_stand_in(
        self, said: Loaded | Pace | Prepared | Thought | TurnReport | Trouble | None
    ) -> None:
        """Take in what the stand-in says; whatever becomes of it, the thinking half is to come."""
        if self.stand_in is None and not isinstance(said, Loaded):
            self.hear_thought(said)  # it has become the thinking half
        elif isinstance(said, (Thought, TurnReport)):
            if isinstance(said, TurnReport) and said.seconds > A_MOMENT:
                self.pace = said.insight.descents / said.seconds
            self._hear_turn(said)
            self.news.set()
        elif said is None or isinstance(said, Trouble):
            _warn(self.log, said)
            if said is None:
                self.stand_in = None

    def _hear_turn(self, said: Thought | TurnReport) -> None:
        """What is thought of a turn."""
        asked = self.asked
        if isinstance(said, TurnReport):
            if said.position:
                self.told = said
            insight = asdict(said.insight)
            self.log.write(
                "thought", turn=said.turn, move=said.move, seconds=round(said.seconds, 3),
                memory=said.memory, **insight,
            )  # fmt: skip
        elif asked and said.turn == asked.turn.number:
            asked.thought, asked.final = said.move, said.final
            if said.final:
                log.info("turn %d: %s (%s)", said.turn, plain(said.move), plain(said.why))

    def _despair(self) -> None:
        """Where neither half can load the rules, no match can be played."""
        if self.hopeless and self.doubt and self.asked is None:
            self.refused = self.doubt

    def _leave_it_to_the_stand_in(self) -> bool:
        """There will be no ground form: the stand-in, if there is one, becomes the thinking half;
        whether that is so."""
        if self.stand_in is None:
            return False
        if self.thinker:
            self.thinker.close()
        self.thinker, self.stand_in = self.stand_in, None
        return True

    def _relieve(self) -> None:
        """The thinking half is prepared: it takes over from the stand-in, if there is one."""
        if self.stand_in is None:
            return
        self.stand_in.close()
        self.stand_in = None
        asked, left = self.asked, self.asked.until - time.monotonic() if self.asked else 0.0
        if asked and self.thinker and not asked.reply.done() and left > 0:
            self.thinker.send(Think(asked.turn, left, known=asked.thought is not None))

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
            if said and said.turn == 0:
                self.doubt = said.why
                self._despair()
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
                    if said.instead:
                        self._read_so(asked, said.instead)
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
        since = len(self.history) - IN_DOUBT
        self.doubts = tuple(doubt for doubt in asked.turn.doubts if doubt[0] >= since)

    def _read_so(self, asked: Asked, turn: Turn) -> None:
        """A PLAY is possible only if a message before it, which came more than once, is read in
        another way: think about that."""
        self.turns += 1
        self.sends_once = len(turn.history) > len(asked.turn.history)
        asked.turn = replace(turn, number=self.turns)
        if asked is not self.asked:
            return
        self.history, self.own, self.doubts = turn.history, turn.own, ()
        asked.thought, asked.final, asked.troubled = None, False, False
        thinker, left = self.stand_in or self.thinker, asked.until - time.monotonic()
        if thinker and not asked.reply.done() and left > 0:
            thinker.send(Think(asked.turn, left))

    def doubt_last(self) -> None:
        """The last PLAY came once more, or it is the next turn with the same moves."""
        place = len(self.history) - 1
        known = dict(self.doubts)
        self.doubts = (
            *((at, more) for at, more in self.doubts if at != place),
            (place, min(MOST_REPEATS, max(0, known.get(place, 0)) + 1)),
        )

    def reply_to(self, asked: Asked) -> str:
        """The reply to a PLAY that has one; raises `RefusedMessage` where its moves cannot be, or
        another one came before any move was known."""
        if asked.wrong:
            raise RefusedMessage(f"these moves cannot be: {asked.wrong}")
        reply = asked.reply.result()
        if reply == NOTHING and self.asked is not asked:
            raise RefusedMessage(f"turn {asked.turn.number} is over")
        return reply

    def take_back(self) -> bool:
        """The PLAY that is answered cannot be: the match stands where it stood before, also before
        the one before it, if that could not be. Whether that was so."""
        taken = 0
        while self.asked and self.asked.wrong:
            asked, taken = self.asked, taken + 1
            self.history, self.own = asked.before, asked.own_before
            self.doubts = tuple(d for d in self.doubts if d[0] < len(self.history))
            self.asked = asked.previous
        return taken > 1


def _warn(match_log: MatchLog, said: Trouble | None) -> None:
    why = said.why if said else "the process is gone"
    log.warning("thinking failed: %s", plain(why))
    match_log.write("trouble", why=why)
