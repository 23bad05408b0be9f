"""Players at the table of the game manager: of this process, and over HTTP."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from ggp.errors import GgpError, InputError, NotSolvable
from ggp.game import Game, State
from ggp.kif import Expr, Term, bare, to_expr
from ggp.match.asking import Address, Reply, ask
from ggp.match.dialects import (
    GRACES,
    INFO,
    Dialect,
    Words,
    abort_message,
    answered,
    percepts_message,
    presented,
    preview_message,
    start_message,
    turn_message,
)
from ggp.play import Beliefs, Player
from ggp.text import plain

log = logging.getLogger(__name__)

Result = TypeVar("Result")

BUSY = "busy"
"""What a player answers that is in a match already."""

GREETING, ABORTING = 2.0, 1.0
"""Seconds to answer INFO, and ABORT."""

OWN_SHARE = 0.95
"""The part of the clock that players of our own are given."""


@dataclass(frozen=True)
class MatchSettings:
    """How matches are run: clocks in seconds, whose rules, whether names are changed, joint moves
    after which a match is given up, and what chance is taken from. `preview_clock`: seconds to
    think about the rules before START, None for no PREVIEW (which only ggp-base sends)."""

    start_clock: float = 10.0
    play_clock: float = 5.0
    dialect: Dialect = "ggp-base"
    scramble: bool = False
    most_moves: int = 1_000
    seed: int | None = None
    pause: float = 0.5
    preview_clock: float | None = None

    def __post_init__(self) -> None:
        if not (0 < self.start_clock <= 1e6 and 0 < self.play_clock <= 1e6):
            raise InputError("clocks are more than 0 and at most a million seconds")
        if self.preview_clock is not None:
            if not 0 < self.preview_clock <= 1e6:
                raise InputError("clocks are more than 0 and at most a million seconds")
            if self.dialect != "ggp-base":
                raise InputError(f"{self.dialect} sends no PREVIEW")
        if self.most_moves < 1:
            raise InputError("a match has room for at least one move")


@dataclass(frozen=True)
class MadeMove:
    """What a player did when asked: a legal `move`, or an `error`."""

    move: Term | None
    error: str = ""


@dataclass(frozen=True)
class Situation:
    """Where a match is: the state, the number of the turn (from 1), the last joint move, and what
    this role saw of it (GDL-II)."""

    state: State
    turn: int
    last: tuple[Term, ...] | None
    seen: tuple[Term, ...]


class Seat(Protocol):
    """A player of one role in one match; those of our own think one after the other."""

    name: str
    is_own: bool

    async def greet(self) -> dict[str, str]:
        """What the player says of itself; nothing if it does not say."""

    async def preview(self) -> None:
        """Let the player see the rules."""

    async def start(self) -> str:
        """Begin; an error, or nothing."""

    async def move(self, situation: Situation) -> MadeMove:
        """A move."""

    async def stop(self, situation: Situation) -> None:
        """The match is over."""

    async def abort(self) -> None:
        """The match is called off."""


async def _in_thread(call: Callable[..., Result], *arguments: object) -> Result:
    """What a call gives that takes a thread of its own.

    Where Ctrl-C ends it the task is cancelled: what is raised in a thread, when the loop has ended
    and nobody takes it any more, would be printed.
    """

    def ended() -> tuple[Result] | None:
        try:
            return (call(*arguments),)
        except KeyboardInterrupt:
            return None

    found = await asyncio.to_thread(ended)
    if found is None:
        raise asyncio.CancelledError
    return found[0]


class OwnSeat:
    """A player of this process."""

    is_own = True

    def __init__(self, player: Player, name: str, settings: MatchSettings) -> None:
        self.name, self._player, self._settings = name, player, settings
        self._beliefs: Beliefs | None = None
        self._turns: list[tuple[Term, tuple[str, ...]]] = []
        if player.game.has_percepts:
            self._beliefs = Beliefs(player.game, player.role, settings.seed)

    async def greet(self) -> dict[str, str]:
        """Its name says what it is."""
        return {}

    async def preview(self) -> None:
        """It knows the rules."""

    async def start(self) -> str:
        """Let the player prepare."""
        try:
            await _in_thread(self._player.prepare, OWN_SHARE * self._settings.start_clock)
        except NotSolvable as error:
            raise InputError(f"{self.name} cannot play this: {error}") from None
        except GgpError as error:
            return f"CE {error}"
        except Exception as error:
            return self._failed(error)
        return ""

    async def move(self, situation: Situation) -> MadeMove:
        """What the player chooses, if it is legal and in time."""
        clock = self._settings.play_clock
        try:
            # What it may believe is found out for it, and not in its time.
            await _in_thread(self._take_in, situation)
            began = time.monotonic()
            move = await _in_thread(self._chosen, situation, OWN_SHARE * clock)
        except GgpError as error:
            return MadeMove(None, f"CE {error}")
        except Exception as error:
            return MadeMove(None, self._failed(error))
        late = time.monotonic() - began > clock + GRACES[self._settings.dialect].play
        if late and self._player.is_timed:
            return MadeMove(None, "TO")
        if move not in situation.state.legal(self._player.role):
            return MadeMove(None, f"IL {move}")
        return MadeMove(move)

    async def stop(self, situation: Situation) -> None:
        """Nothing to do."""

    async def abort(self) -> None:
        """Nothing to do."""

    def _failed(self, error: Exception) -> str:
        """What a match is told of an error of a player's program, which goes to the log."""
        log.warning("%s failed", plain(self.name), exc_info=error)
        said = " ".join(str(error).split())
        return f"CE {type(error).__name__}: {plain(said)}"

    def _take_in(self, situation: Situation) -> None:
        """Go on with what may be believed; from the start, with more that is kept, where nothing
        kept agrees with what was seen."""
        if self._beliefs is None or situation.last is None:
            return
        self._turns.append((situation.last[self._player.index], tuple(map(str, situation.seen))))
        game, role, agreed = self._player.game, self._player.role, self._beliefs.agrees
        self._beliefs.take_in(*self._turns[-1])
        if agreed and not self._beliefs.agrees:
            other = Beliefs(game, role, self._settings.seed, again=len(self._turns))
            for own, seen in self._turns:
                other.take_in(own, seen)
            self._beliefs = other if other.agrees else self._beliefs

    def _chosen(self, situation: Situation, seconds: float) -> Term:
        if self._beliefs is None:
            return self._player.chosen(situation.state, seconds)
        *_, last = self._player.guesses(self._beliefs, seconds)
        return last.move


class RemoteSeat:
    """A player that is asked over HTTP."""

    is_own = False

    def __init__(
        self, address: Address, game: Game, role: int, rules: Sequence[Expr], words: Words,
        match: str, settings: MatchSettings,
    ) -> None:  # fmt: skip
        self.name = str(address)
        self._address, self._game, self._role = address, game, role
        self._rules, self._words, self._match, self._settings = rules, words, match, settings

    async def _ask(self, message: str, seconds: float) -> Reply:
        is_dresden = self._settings.dialect == "dresden"
        sender = "Gamecontroller" if is_dresden else "GAMESERVER"
        host = self._address.host
        return await ask(self._address, message, sender, host, seconds, is_dresden=is_dresden)

    def _there(self, term: Term) -> Expr:
        return self._words.there(to_expr(term))

    async def greet(self) -> dict[str, str]:
        """INFO, which Dresden does not send."""
        if self._settings.dialect != "ggp-base":
            return {}
        return presented((await self._ask(INFO, GREETING)).text or "")

    async def preview(self) -> None:
        """PREVIEW, whose answer may be anything."""
        clock = self._settings.preview_clock
        if clock is not None:
            await self._ask(preview_message(self._rules, clock), clock)

    async def start(self) -> str:
        """START, whose answer may be anything; it is told of `busy`, and of nobody there, for no
        moves will come."""
        settings = self._settings
        role = self._there(self._game.term(self._game.roles[self._role]))
        clocks = settings.start_clock, settings.play_clock
        text = start_message(settings.dialect, self._match, role, self._rules, clocks)
        grace = GRACES[settings.dialect].start
        reply = await self._ask(text, settings.start_clock + grace)
        if (reply.text or "").strip().lower() == BUSY:
            log.warning("%s is busy: it answered START so, and may play no move", plain(self.name))
        if reply.why:
            log.warning("nobody listens at %s: %s", plain(self.name), plain(reply.why))
        return reply.error

    async def move(self, situation: Situation) -> MadeMove:
        """PLAY, and the move that the reply states."""
        dialect, settings = self._settings.dialect, self._settings
        text = self._turn("PLAY", situation)
        reply = await self._ask(text, settings.play_clock + GRACES[dialect].play)
        if reply.text is None:
            return MadeMove(None, reply.error)
        found = answered(reply.text, dialect)
        legal = situation.state.legal(self._game.roles[self._role])
        if found is not None:
            wanted = str(bare(found))
            for move in legal:
                there = str(self._there(move))
                if wanted == there or (dialect == "dresden" and wanted.upper() == there.upper()):
                    return MadeMove(move)
        return MadeMove(None, f"IL {' '.join(reply.text.split())[:200] or 'an empty reply'}")

    def _turn(self, which: Literal["PLAY", "STOP"], situation: Situation) -> str:
        dialect, last = self._settings.dialect, situation.last
        if self._game.has_percepts:
            own = None if last is None else self._there(last[self._role])
            seen = [self._there(p) for p in situation.seen]
            return percepts_message(dialect, which, self._match, situation.turn, own, seen)
        moves = None if last is None else [self._there(move) for move in last]
        return turn_message(dialect, which, self._match, moves)

    async def stop(self, situation: Situation) -> None:
        """STOP, whose answer may be anything."""
        settings = self._settings
        clock = settings.play_clock + GRACES[settings.dialect].stop
        await self._ask(self._turn("STOP", situation), clock)

    async def abort(self) -> None:
        """ABORT, which Dresden does not send."""
        if self._settings.dialect == "ggp-base":
            await self._ask(abort_message(self._match), ABORTING)
