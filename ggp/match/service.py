"""The answering half of a player: messages in, replies out, always in time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ggp.errors import GgpError
from ggp.match.course import History, Turn
from ggp.match.log import MatchLog, MatchLogs
from ggp.match.messages import Info, Message, Play, Preview, Start, Stop
from ggp.match.page import Shown, page
from ggp.match.referee import Admitted, Allowed, MatchRules, Refused, Unsure, Wrong, referee
from ggp.match.worker import Begin, Prepared, Think, Thought, Trouble, TurnReport, think
from ggp.process import Heard, Process, preload, warm
from ggp.text import plain

log = logging.getLogger(__name__)

REFEREE_MEMORY = 2 << 30

WAITING = 0.5
"""The part of the start clock that a new match may wait for an old one to be abandoned."""

LOOKING = 0.05
"""Seconds between two looks at it."""


class RefusedMessage(GgpError):
    """A message of the protocol that cannot be what the manager means; the match goes on."""


@dataclass(frozen=True)
class PlayerSettings:
    """How a player answers.

    `margin`: seconds kept back from each clock; None keeps a sixth of it, at least 0.1 and at
    most 1. `matches`: how many may be played at once; `memory`: bytes for thinking in each, by
    `threads` at once. `silence`: seconds beyond the clocks after which a match counts as
    abandoned. `log`: a folder for logs of matches.
    """

    name: str = "ggp"
    margin: float | None = None
    memory: int = 4 << 30
    silence: float = 5.0
    strict_case: bool = False
    threads: int = 1
    matches: int = 1
    log: Path | None = None

    def thinking_time(self, clock: float) -> float:
        """How long to think with `clock` seconds from the arrival of a message."""
        margin = min(1.0, max(0.1, clock / 6)) if self.margin is None else self.margin
        return max(0.0, clock - margin)


LATE = 0.5
"""Seconds beyond the clock for which a move is waited for, where none is known at all."""


@dataclass
class _Asked:
    """A PLAY and what is known of its answer.

    `before` and `own_before` are the history up to it, `reply` is what was answered.
    """

    message: Play
    turn: Turn
    before: History
    own_before: tuple[str, ...]
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
    def settled(self) -> bool:
        """Whether nothing better will come."""
        return bool(self.wrong) or self.final or (self.troubled and bool(self.move or self.unsure))


class _Match:
    """A match in progress; `turns` counts all PLAY messages, those that were refused too."""

    def __init__(self, start: Start, heard: float, log: MatchLog) -> None:
        self.start = start
        self.log = log
        self.thinker: Process | None = None
        self.referee: Process | None = None
        self.told: TurnReport | None = None
        self.heard = heard
        self.history: History = ()
        self.own: tuple[str, ...] = ()
        self.asked: _Asked | None = None
        self.admitted: Admitted | None = None
        self.refused: str | None = None
        self.prepared = False
        self.judged = False
        self.turns = 0
        self.over = False
        self.news = asyncio.Event()

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
        return now > self.abandoned_at(silence)

    async def until(self, clock: float, enough: Callable[[], bool]) -> None:
        """Wait until something is enough, the time `clock` comes or the match is over."""
        while not self.over and not enough() and (left := clock - time.monotonic()) > 0:
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), left)
            except TimeoutError:
                return

    def hear_thought(self, said: Thought | Prepared | TurnReport | Trouble | None) -> None:
        """Take in what the thinking half says; None when its process is gone."""
        asked = self.asked
        if isinstance(said, TurnReport):
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
        asked, self.judged = self.asked, True
        if isinstance(said, Admitted):
            self.admitted = said
        elif isinstance(said, Refused):
            self.refused = said.why
        elif isinstance(said, Unsure) or said is None:
            log.warning("the referee is unsure: %s", plain(said.why if said else "it is gone"))
            if asked and (said is None or said.turn == asked.turn.number):
                asked.unsure = True
        elif asked and said.turn == asked.turn.number:
            if isinstance(said, Allowed):
                asked.allowed = said.move
            else:
                asked.wrong = said.why
        self.news.set()


class PlayerService:
    """One player, in one match at a time or in some; made on a running event loop.

    `thinking` and `judging` start the two processes of a match.
    """

    def __init__(
        self,
        settings: PlayerSettings,
        thinking: Callable[[Heard, int], Process] | None = None,
        judging: Callable[[Heard, int], Process] | None = None,
    ) -> None:
        preload("ggp.match.nursery")
        self.settings = settings
        self._thinking = thinking or (lambda heard, memory: Process(think, heard, memory))
        self._judging = judging or (lambda heard, memory: Process(referee, heard, memory))
        self._matches: dict[str, _Match] = {}
        self._logs = MatchLogs(settings.log)

    async def prepare(self) -> None:
        """Wait until processes can be had without delay; matches begin after that."""
        await warm()

    def close(self) -> None:
        """End all matches and their processes."""
        for match in list(self._matches.values()):
            self._end(match)

    def _end(self, match: _Match) -> None:
        """Let a match go."""
        match.close()
        if self._matches.get(match.start.match) is match:
            del self._matches[match.start.match]

    def page(self) -> str:
        """What a browser is shown."""
        shown = [
            Shown(m.start.match, m.start.role, m.turns, m.told) for m in self._matches.values()
        ]
        return page(self.settings.name, shown, self.settings.matches)

    @property
    def busy(self) -> bool:
        """Whether there is no room for another match."""
        return len(self._matches) >= self.settings.matches

    async def reply(self, message: Message, arrived: float) -> str:
        """The answer to a message that arrived at `arrived` (of `time.monotonic`).

        Raises `RefusedMessage` for a START that cannot be played and a PLAY that cannot be.
        """
        if isinstance(message, Info):
            status = "busy" if self.busy else "available"
            return "busy" if self.busy else f"( ( name {self.settings.name} ) ( status {status} ) )"
        if isinstance(message, Preview):
            return "ready"
        if isinstance(message, Start):
            return await self._start(message, arrived)
        match = self._matches.get(message.match)
        if match is None:
            return "busy"
        match.heard = arrived
        if isinstance(message, Play):
            return await self._play(match, message, arrived)
        self._end(match)
        log.info("match %s ended", plain(message.match))
        return "done" if isinstance(message, Stop) else "aborted"

    async def _start(self, message: Start, arrived: float) -> str:
        """Load the rules and think; a manager goes on as soon as everybody is ready."""
        match, silence = self._rival(message), self.settings.silence
        if match and message != match.start and not match.is_abandoned(arrived, silence):
            await self._outwait(match, arrived + WAITING * message.start_clock)
        match, now = self._rival(message), max(arrived, time.monotonic())
        if match is None or match.is_abandoned(now, silence):
            if match:
                log.warning("match %s was abandoned", plain(match.start.match))
                self._end(match)
            match = self._matches[message.match] = self._begun(message, arrived)
        elif message != match.start or match.asked:
            return "busy"
        until = arrived + self.settings.thinking_time(message.start_clock)
        await match.until(until, lambda: bool(match.refused) or (match.prepared and match.judged))
        if match.refused:
            self._end(match)
            raise RefusedMessage(f"match {message.match} cannot be played: {match.refused}")
        return "ready"

    def _rival(self, message: Start) -> _Match | None:
        """The match that a new one would take the place of: one of the same name, or, where there
        is no room, the one that is the first to be given up. None where there is room."""
        known = self._matches.get(message.match)
        if known is not None or not self.busy:
            return known
        silence = self.settings.silence
        return min(self._matches.values(), key=lambda match: match.abandoned_at(silence))

    async def _outwait(self, match: _Match, until: float) -> None:
        """Wait for a match to be abandoned, if that can come before the time `until`; but no longer
        than until it is heard of, or is over."""
        heard = match.heard
        end = match.abandoned_at(self.settings.silence)
        while end < until and not match.over and match.heard == heard:
            if time.monotonic() > end:
                return
            await asyncio.sleep(LOOKING)

    def _begun(self, message: Start, arrived: float) -> _Match:
        match = _Match(message, arrived, self._logs.new())
        match.log.write(
            "start", match=message.match, role=message.role,
            start_clock=message.start_clock, play_clock=message.play_clock,
        )  # fmt: skip
        match.referee = self._judging(match.hear_referee, REFEREE_MEMORY)
        match.referee.send(MatchRules(message.rules, message.role, self.settings.strict_case))
        until = arrived + self.settings.thinking_time(message.start_clock)
        self._think(match, max(0.0, until - time.monotonic()))
        return match

    def _think(self, match: _Match, seconds: float) -> Process:
        """A new thinking process for the match."""
        if match.thinker:
            match.thinker.close()
        thinker = match.thinker = self._thinking(match.hear_thought, self.settings.memory)
        start, own = match.start, self.settings
        thinker.send(
            Begin(start.rules, start.role, seconds, own.strict_case, own.threads, own.memory)
        )
        return thinker

    async def _play(self, match: _Match, message: Play, arrived: float) -> str:
        last = match.asked
        if last and message == last.message and self._is_repeated(match, last):
            return await asyncio.shield(last.reply)
        until = arrived + self.settings.thinking_time(match.start.play_clock)
        asked = match.asked = self._asked(match, message)
        match.news.set()  # whoever still waits for an earlier turn is answered
        self._ask(match, asked, until)
        try:
            await match.until(until, lambda: match.asked is not asked or asked.settled)
            # Managers allow a second beyond the clock: late is better than no move at all.
            late = arrived + match.start.play_clock + LATE
            await match.until(
                late, lambda: match.asked is not asked or bool(asked.move) or asked.settled
            )
        finally:
            if not asked.reply.done():
                asked.reply.set_result(asked.move or "nil")
        match.heard = time.monotonic()
        is_refused = bool(asked.wrong) and match.asked is asked
        answer = {"why": asked.wrong} if is_refused else {"reply": asked.reply.result()}
        match.log.write(
            "refused" if is_refused else "answer", turn=asked.turn.number, moves=message.moves,
            **answer, seconds=round(match.heard - arrived, 3),
        )  # fmt: skip
        if is_refused:
            match.history, match.own, match.asked = asked.before, asked.own_before, last
            if last and message == last.message:
                return last.reply.result()
            raise RefusedMessage(f"these moves cannot be: {asked.wrong}")
        return asked.reply.result()

    def _is_repeated(self, match: _Match, last: _Asked) -> bool:
        """Whether the message that we had last came once more, rather than the next turn with
        the same moves: in that one our own move is what we answered."""
        message = last.message
        if not last.reply.done() or message.turn is not None:
            return True
        if match.admitted is None or match.admitted.percepts:
            return message.moves is None and match.admitted is None
        index, moves = match.admitted.index, message.moves or ()
        return index >= len(moves) or moves[index].lower() != last.reply.result().lower()

    def _asked(self, match: _Match, message: Play) -> _Asked:
        """The turn that a PLAY asks about."""
        before, own_before, last = match.history, match.own, match.asked
        if message.moves is not None or last:
            made = message.own or (last.reply.result() if last and last.reply.done() else "")
            match.history = (*before, message.moves or ())
            match.own = (*own_before, "" if made == "nil" else made)
        match.turns += 1
        turn = Turn(match.turns, match.history, match.own)
        return _Asked(message, turn, before, own_before)

    def _ask(self, match: _Match, asked: _Asked, until: float) -> None:
        """Have both processes look at the turn; a thinking half that died is replaced."""
        thinker = match.thinker
        if thinker is None or not thinker.alive:
            log.error("the thinking process is gone; starting another")
            thinker = self._think(match, 0.0)
        thinker.send(Think(asked.turn, max(0.0, until - time.monotonic())))
        if match.referee and match.referee.alive:
            match.referee.send(asked.turn)
        else:
            asked.unsure = True
