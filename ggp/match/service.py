"""The answering half of a player: messages in, replies out, always in time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ggp.match.course import LOST, MOST_LOST, Turn, turns_since
from ggp.match.log import MatchLogs
from ggp.match.messages import Info, Message, Play, Preview, Start, Stop
from ggp.match.page import Shown, page
from ggp.match.referee import Admitted, Allowed, MatchRules, Refused, Unsure, Wrong, referee
from ggp.match.underway import NOTHING, Asked, MatchUnderway, RefusedMessage
from ggp.match.worker import STANDING_IN, Begin, Think, compile_more, think
from ggp.process import Heard, Process, preload, warm
from ggp.text import plain

log = logging.getLogger(__name__)

REFEREE_MEMORY = 2 << 30
COMPILING_MEMORY = 4 << 30

UNDISTURBED = 30.0
"""Seconds from the moment that matches can begin until more is compiled beside them."""

WAITING = 0.5
"""The part of the start clock that a new match may wait for an old one to be abandoned."""

FIRST = 0.5
"""The part of the start clock that the thinking half waits for the referee's first word: then there
is a legal move for the first turn, however busy the machine is."""

REVIVALS = 3
"""How many referees of a match are replaced when they are gone."""

STAND_IN_MEMORY = 2 << 30

BEHIND = 5
"""How much nicer that is: the ground form is worth more."""

LOOKING = 0.05
"""Seconds between two looks at it."""


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

    def preparing_time(self, clock: float) -> float:
        """The same of a start clock, beyond which no manager waits, as it does for a move; what is
        not done by then is gone on with."""
        spare = 0.0 if self.margin is not None else min(UNHURRIED, clock / 2)
        return min(self.thinking_time(clock), max(0.0, clock - spare))


UNHURRIED = 0.4
"""Seconds kept back from a start clock at the least, where that is no more than half of it."""

LATE = 0.8
"""Seconds beyond the clock to wait for a move where none is known; managers wait for one more."""


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
        self._matches: dict[str, MatchUnderway] = {}
        self._logs = MatchLogs(settings.log)
        self._later: asyncio.TimerHandle | None = None
        self._compiling: Process | None = None

    async def prepare(self) -> None:
        """Wait until processes can be had without delay; matches begin after that."""
        await warm()
        loop = asyncio.get_running_loop()
        self._later = loop.call_later(UNDISTURBED, self._compile_more)

    def _compile_more(self) -> None:
        self._compiling = Process(compile_more, lambda word: None, COMPILING_MEMORY)

    def close(self) -> None:
        """End all matches and their processes."""
        if self._later:
            self._later.cancel()
        if self._compiling:
            self._compiling.close()
        for match in list(self._matches.values()):
            self._end(match)

    def _end(self, match: MatchUnderway) -> None:
        """Let a match go."""
        match.close()
        if self._matches.get(match.start.match) is match:
            del self._matches[match.start.match]

    def page(self) -> str:
        """What a browser is shown."""
        shown = [
            Shown(m.start.match, m.start.role, len(m.history) + bool(m.asked), m.told)
            for m in self._matches.values()
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
        match = self._rival(message)
        if match and message != match.start and not self._makes_room(match, message, arrived):
            await self._outwait(match, arrived + WAITING * message.start_clock)
        match, now = self._rival(message), max(arrived, time.monotonic())
        if match is None or self._makes_room(match, message, now):
            if match:
                log.warning("match %s is given up", plain(match.start.match))
                self._end(match)
            match = self._matches[message.match] = self._begun(message, arrived)
        elif message != match.start:
            return "busy"
        until = arrived + self.settings.preparing_time(message.start_clock)
        await match.until(until, lambda: bool(match.refused) or (match.prepared and match.judged))
        if match.refused:
            self._end(match)
            raise RefusedMessage(f"match {message.match} cannot be played: {match.refused}")
        return "ready"

    def _makes_room(self, match: MatchUnderway, message: Start, now: float) -> bool:
        """Whether a match is abandoned, or begun anew: a START comes before all turns."""
        is_anew = match.asked is not None and message.match == match.start.match
        return is_anew or match.is_abandoned(now, self.settings.silence)

    def _rival(self, message: Start) -> MatchUnderway | None:
        """The match that a new one would take the place of: one of the same name, or, where there
        is no room, the one that is the first to be given up. None where there is room."""
        known = self._matches.get(message.match)
        if known is not None or not self.busy:
            return known
        silence = self.settings.silence
        return min(self._matches.values(), key=lambda match: match.abandoned_at(silence))

    async def _outwait(self, match: MatchUnderway, until: float) -> None:
        """Wait for a match to be abandoned, or over, if that can come before the time `until`."""
        heard = match.heard
        end = match.abandoned_at(self.settings.silence)
        while end < until and not match.over and match.heard == heard:
            if time.monotonic() > end:
                return
            await asyncio.sleep(LOOKING)

    def _begun(self, message: Start, arrived: float) -> MatchUnderway:
        match = MatchUnderway(message, arrived, self._logs.new())
        match.log.write(
            "start", match=message.match, role=message.role,
            start_clock=message.start_clock, play_clock=message.play_clock,
        )  # fmt: skip
        until = arrived + self.settings.preparing_time(message.start_clock)
        self._judge(match, lambda: self._begin_to_think(match, until))
        patience = FIRST * max(0.0, until - time.monotonic())
        asyncio.get_running_loop().call_later(patience, self._begin_to_think, match, until)
        return match

    def _judge(self, match: MatchUnderway, then: Callable[[], None] = lambda: None) -> None:
        """A referee for the match; `then` is called after each of its words."""

        def hear(said: Admitted | Refused | Allowed | Wrong | Unsure | None) -> None:
            match.hear_referee(said)
            then()

        match.referee = self._judging(hear, REFEREE_MEMORY)
        start = match.start
        match.referee.send(MatchRules(start.rules, start.role, self.settings.strict_case))

    def _begin_to_think(self, match: MatchUnderway, until: float) -> None:
        """Begin to think about a match, unless that has begun."""
        if match.over or match.thinker or match.refused:
            return
        seconds = max(0.0, until - time.monotonic())
        self._think(match, seconds)
        loop = asyncio.get_running_loop()
        match.substitution = loop.call_later(STANDING_IN * seconds, self._stand_in, match, until)

    def _think(self, match: MatchUnderway, seconds: float, *, grounded: bool = True) -> Process:
        """A new thinking process for the match."""
        if match.thinker:
            match.thinker.close()
        thinker = match.thinker = self._thinking(match.hear_thought, self.settings.memory)
        thinker.send(self._begin(match, seconds, grounded=grounded))
        return thinker

    def _stand_in(self, match: MatchUnderway, until: float) -> None:
        """Where the thinking half still grounds the rules, another begins to think about them as
        they are."""
        if match.over or match.loaded or match.prepared:
            return
        log.info("match %s: the rules are long to ground", plain(match.start.match))
        match.stand_in = self._thinking(match.hear_stand_in, STAND_IN_MEMORY)
        seconds = max(0.0, until - time.monotonic())
        begin = self._begin(match, seconds, grounded=False)
        match.stand_in.send(replace(begin, memory=STAND_IN_MEMORY, threads=1, nice=BEHIND))

    def _begin(self, match: MatchUnderway, seconds: float, *, grounded: bool) -> Begin:
        start, own = match.start, self.settings
        return Begin(
            start.rules, start.role, seconds, own.strict_case, own.threads, own.memory, grounded
        )

    async def _play(self, match: MatchUnderway, message: Play, arrived: float) -> str:
        last = match.asked
        if last and message == last.message and self._is_repeated(match, last, arrived):
            if message.turn is None and message.moves:
                match.doubt_last()
            await asyncio.shield(last.reply)
            return match.reply_to(last)
        since = turns_since(message.turn, last.message.turn) if last else None
        if since is not None and since <= 0:
            raise RefusedMessage(f"turn {message.turn} is over")
        until = arrived + self.settings.thinking_time(match.start.play_clock)
        asked = self._asked(match, message, arrived)
        # Once the clock of the last one has run out its manager has gone on.
        if last and not last.reply.done() and arrived - last.arrived <= match.start.play_clock:
            await self._weigh(match, asked, last)
            if match.over:
                return "busy"
            if match.asked is not last or last.reply.done():
                return await self.reply(message, arrived)
        match.take(asked)
        match.news.set()  # whoever still waits for an earlier turn is answered
        self._ask(match, asked, until)
        try:
            await match.until(until, lambda: match.asked is not asked or asked.settled)
            late = arrived + match.start.play_clock + LATE
            await match.until(
                late, lambda: match.asked is not asked or bool(asked.move) or asked.settled
            )
        finally:
            if not asked.reply.done():
                asked.reply.set_result(asked.move or NOTHING)
            match.news.set()
        match.heard = time.monotonic()
        is_refused = bool(asked.wrong) and match.asked is asked
        answer = {"why": asked.wrong} if is_refused else {"reply": asked.reply.result()}
        match.log.write(
            "refused" if is_refused else "answer", turn=asked.turn.number, moves=message.moves,
            **answer, seconds=round(match.heard - arrived, 3),
        )  # fmt: skip
        if is_refused:
            if match.take_back():
                return await self.reply(message, arrived)
            if last and message == last.message:
                return last.reply.result()
        return match.reply_to(asked)

    async def _weigh(self, match: MatchUnderway, asked: Asked, last: Asked) -> None:
        """Hear what the referee says of a PLAY that comes while the last one is thought about,
        before it takes the place of that; raises `RefusedMessage` where it cannot be. Until it has
        said so the last one is answered first."""
        until = last.arrived + match.start.play_clock + LATE

        def is_over() -> bool:
            return match.asked is not last or last.reply.done()

        # What is found to be wrong is taken back by whoever waits for it.
        await match.until(until, lambda: (last.judged and not last.wrong) or is_over())
        await match.until(until, lambda: match.weighed is None or is_over())
        if is_over() or not match.referee or not match.referee.alive:
            return
        match.weighed = asked
        try:
            match.referee.send(asked.turn)
            await match.until(until, lambda: asked.judged or is_over())
        finally:
            match.weighed = None
            match.news.set()
        if asked.wrong:
            match.log.write(
                "refused", turn=asked.turn.number, moves=asked.message.moves, why=asked.wrong,
                seconds=round(time.monotonic() - asked.arrived, 3),
            )  # fmt: skip
            raise RefusedMessage(f"these moves cannot be: {asked.wrong}")

    def _is_repeated(self, match: MatchUnderway, last: Asked, arrived: float) -> bool:
        """Whether the message that we had last came once more, rather than the next turn with
        the same moves: in that one our own move is what we answered, or the clock has run out."""
        message = last.message
        if message.turn is not None:
            return True
        if message.moves is not None and arrived - last.arrived > match.start.play_clock:
            return False
        if not last.reply.done():
            return True
        if match.sends_once and message.moves is not None:
            return False
        if match.admitted is None or match.admitted.percepts:
            return message.moves is None and match.admitted is None
        index, moves = match.admitted.index, message.moves or ()
        return index >= len(moves) or moves[index].lower() != last.reply.result().lower()

    def _asked(self, match: MatchUnderway, message: Play, arrived: float) -> Asked:
        """The turn that a PLAY asks about."""
        before, own_before, last = match.history, match.own, match.asked
        history, own, doubts = before, own_before, match.doubts
        answered = last.turn.answered & frozenset(range(len(before))) if last else frozenset()
        replied = last.reply.result() if last and last.reply.done() else ""
        since = turns_since(message.turn, last.message.turn if last else "1")
        is_told = since is not None and 0 < since <= MOST_LOST
        passed = since if is_told else int(bool(message.moves or message.own or last))
        if passed:
            own_last = message.own or (replied if passed == 1 else "")
            made = [replied, *[""] * (passed - 2), own_last][-passed:]
            answered |= set() if message.own and passed == 1 else {len(before)}
            history = (*before, *[LOST] * (passed - 1), message.moves or ())
            own = (*own_before, *("" if move == NOTHING else move for move in made))
            if last and message == last.message and message.turn is None:
                doubts = (*doubts, (len(before), -1))
        match.turns += 1
        late = last.turn.late if last else (since or 0) > 0
        turn = Turn(match.turns, history, own, doubts, answered, late)
        asked = Asked(message, turn, before, own_before, arrived)
        if match.admitted and not history:
            asked.allowed = match.admitted.first
        return asked

    def _ask(self, match: MatchUnderway, asked: Asked, until: float) -> None:
        """Have both processes look at the turn; one that died is replaced."""
        if match.thinker is None:
            self._begin_to_think(match, time.monotonic())
        thinker = match.stand_in or match.thinker
        if thinker is None or not thinker.alive:
            log.error("the thinking process is gone; starting another")
            thinker = self._think(match, 0.0, grounded=False)
        asked.until = until
        thinker.send(Think(asked.turn, max(0.0, until - time.monotonic())))
        if match.referee and not match.referee.alive and match.revivals < REVIVALS:
            log.error("the referee is gone; starting another")
            match.revivals += 1
            self._judge(match)
        if match.referee and match.referee.alive:
            match.referee.send(asked.turn)
        else:
            asked.unsure = True
