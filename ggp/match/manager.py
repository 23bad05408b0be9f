"""A game manager: it runs a match between players over HTTP and players of its own.

Messages, clocks and what takes the place of a bad answer are those of ggp-base's game server or of
the Dresden game controller. Times are in all, not for each read: no player can hold a match up.
Players of one's own think one after the other, so that each has the machine to itself.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ggp.errors import InputError, LimitReached, NoLegalMove
from ggp.game import Game, State
from ggp.kif import Term, read
from ggp.limits import stop
from ggp.machine import Progress
from ggp.match.asking import Address
from ggp.match.dialects import Words
from ggp.match.records import Record
from ggp.match.seats import MadeMove, MatchSettings, OwnSeat, RemoteSeat, Seat, Situation
from ggp.play import Player

__all__ = ["Making", "MatchSettings", "own_player", "run_match"]

Answer = TypeVar("Answer")

Making = Callable[[Game, str], Player]
"""What makes a player of one's own for a role."""


def own_player(
    kind: Callable[..., Player], seed: int | None, progress: Progress | None = None
) -> Making:
    """What makes a player of a kind; those of one match have chances of their own by one `seed`."""
    return partial(_made, kind, seed, progress)


def _made(
    kind: Callable[..., Player], seed: int | None, progress: Progress | None, game: Game, role: str
) -> Player:
    own = None if seed is None else seed * 64 + game.role_index(role)
    return kind(game, role, seed=own, progress=progress)


Told = Callable[[Record, State], None]
"""Called with each state that a match comes to, and once more if it is called off there."""

Greeted = Callable[[Record], None]
"""Called once the players have said what they are, see `Record.presented`."""


def run_match(
    game: Game,
    players: Sequence[tuple[str, Address | Making]],
    settings: MatchSettings,
    told: Told | None = None,
    greeted: Greeted | None = None,
) -> Record:
    """A match between players, given by name for each role but that of chance.

    What goes wrong with a player stands in the record; raises `InputError` for a wrong number of
    players and for one address at two seats, `NoLegalMove` and `GoalError` for faults of the rules,
    `LimitReached` where the match is too long. If it is ended by any of these, or by Ctrl-C, the
    players are told.
    """
    if len(players) != len(game.players):
        roles = ", ".join(game.players)
        raise InputError(
            f"{len(game.players)} players for {game.name}, not {len(players)}: one each for {roles}"
        )
    require_apart([player for _, player in players])
    try:
        return asyncio.run(_awake(_PlayedMatch(game, players, settings, told, greeted)))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


AWAKE = 0.2
"""Seconds after which the loop looks up from waiting."""


async def _awake(match: _PlayedMatch) -> Record:
    """A match whose loop never waits for long: a signal that comes just before it begins to, or to
    the thread that waits for a person, would not be heard before the next message."""

    async def look_up() -> None:
        while True:
            await asyncio.sleep(AWAKE)

    looking = asyncio.ensure_future(look_up())
    try:
        return await match.run()
    finally:
        looking.cancel()


def call_off() -> bool:
    """Have the match end that is played in this thread, by `run_match`; to be called by what
    handles a signal. Whether there is one: then what computes for it sees that it is to stop."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return False
    played = [task for task in asyncio.all_tasks(loop) if task.get_name() == PLAYED]
    for task in played:
        stop.set()
        loop.call_soon_threadsafe(task.cancel)
    return bool(played)


PLAYED = "a match"
"""The name of the task that plays one."""

LOCAL = ("localhost", "127.0.0.1", "::1")
"""What a machine calls itself."""


def require_apart(players: Iterable[Address | Making]) -> None:
    """Raise `InputError` where one address is to play two roles of a match: messages name the
    match, and not the role, so that it could not tell them apart."""
    seen: set[Address] = set()
    for player in players:
        if isinstance(player, Address):
            here = replace(player, host="localhost") if player.host in LOCAL else player
            if here in seen:
                raise InputError(f"{player} can play one role of a match: start another player")
            seen.add(here)


class _PlayedMatch:
    """One match in progress."""

    def __init__(
        self,
        game: Game,
        players: Sequence[tuple[str, Address | Making]],
        settings: MatchSettings,
        told: Told | None,
        greeted: Greeted | None,
    ) -> None:
        self._game, self._settings = game, settings
        self._told, self._greeted = told, greeted
        self._state = game.initial
        self._random = random.Random(settings.seed)
        rules = read(game.rules.source)
        chosen = self._random if settings.scramble else None
        words = Words(rules, chosen, strict_case=game.rules.symbols.strict_case)
        number = secrets.token_hex(8)
        sheet = [words.there(rule) for rule in rules]
        self._seats: dict[int, Seat] = {}
        for role, (name, player) in zip(game.player_indices, players, strict=True):
            if isinstance(player, Address):
                seat: Seat = RemoteSeat(player, game, role, sheet, words, number, settings)
            else:
                seat = OwnSeat(player(game, game.roles[role]), name, settings)
            self._seats[role] = seat
        self._thinking = asyncio.Lock()
        everybody = [self._seats.get(role) for role in range(len(game.roles))]
        self.record = Record(
            match=number,
            game=game.name,
            rulesheet="\n".join(map(str, rules)),
            roles=game.roles,
            players=tuple(seat.name if seat else "chance" for seat in everybody),
            start_clock=settings.start_clock,
            play_clock=settings.play_clock,
            start=time.time(),
            token=secrets.token_hex(16),
            scrambled=settings.scramble,
            strict_case=game.rules.symbols.strict_case,
            preview_clock=settings.preview_clock,
        )

    async def run(self) -> Record:
        """From START to STOP."""
        task = asyncio.current_task()
        assert task is not None
        task.set_name(PLAYED)
        try:
            return await self._played()
        except BaseException as error:
            self.record.aborted = True
            called_off = asyncio.ensure_future(self._ask_all(lambda _, seat: seat.abort()))
            while not called_off.done():
                # Whoever ends it once more while players are told does not end that.
                with suppress(asyncio.CancelledError):
                    await asyncio.shield(called_off)
            if self._told:
                self._told(self.record, self._state)
            if isinstance(error, KeyboardInterrupt):
                # As what a task raises it would be printed.
                raise asyncio.CancelledError from None
            raise

    async def _played(self) -> Record:
        record, game = self.record, self._game
        state, last = game.initial, None
        self._reach(state)
        said = await self._ask_all(lambda _, seat: seat.greet())
        record.presented = tuple(said.get(role, {}) for role in range(len(game.roles)))
        if self._greeted:
            self._greeted(record)
        await self._ask_all(lambda _, seat: seat.preview())
        began = await self._ask_all(lambda _, seat: seat.start())
        # A record has errors of moves only: those of the start stand at the first move.
        faults = {role: error for role, error in began.items() if error}
        seen: dict[str, tuple[Term, ...]] = {}
        while not state.terminal:
            if len(record.moves) >= self._settings.most_moves:
                raise LimitReached("moves", self._settings.most_moves, "the match is given up")
            if self._settings.dialect == "dresden" and self._has_remote:
                await asyncio.sleep(self._settings.pause)
            turn, here = len(record.moves) + 1, self._situations(state, last, seen)
            for name in game.roles:
                if not state.legal(name):
                    raise NoLegalMove(f"{name} has no legal move in {state}")
            made = await self._moves(here)
            joint, errors = [], []
            for role, name in enumerate(game.roles):
                answer = made.get(role, MadeMove(None))
                joint.append(answer.move or self._instead(state, name, role))
                errors.append(answer.error)
            if faults and turn == 1:
                for role, fault in faults.items():
                    if errors[role] != fault:
                        own = f"{errors[role]}; " if errors[role] else ""
                        errors[role] = f"{own}{fault} (to START)"
            if game.has_percepts:
                seen = state.percepts(dict(zip(game.roles, joint, strict=True)))
            last = tuple(joint)
            state = state.play(dict(zip(game.roles, joint, strict=True)))
            record.moves.append(tuple(map(str, joint)))
            record.errors.append(tuple(errors))
            self._reach(state)
        goals = state.goals
        # Chance needs no goal.
        record.goals = tuple(goals.get(role, 0) for role in game.roles)
        here = self._situations(state, last, seen)
        await self._ask_all(lambda role, seat: seat.stop(here[role]))
        return record

    def _situations(
        self, state: State, last: tuple[Term, ...] | None, seen: Mapping[str, tuple[Term, ...]]
    ) -> dict[int, Situation]:
        turn = len(self.record.moves) + 1
        return {
            role: Situation(state, turn, last, seen.get(self._game.roles[role], ()))
            for role in self._seats
        }

    @property
    def _has_remote(self) -> bool:
        return any(not seat.is_own for seat in self._seats.values())

    async def _moves(self, here: dict[int, Situation]) -> dict[int, MadeMove]:
        return await self._ask_all(lambda role, seat: seat.move(here[role]))

    async def _ask_all(self, what: Callable[[int, Seat], Awaitable[Answer]]) -> dict[int, Answer]:
        """What comes of something for each seat: those over HTTP all at once."""

        async def one(role: int, seat: Seat) -> Answer:
            if not seat.is_own:
                return await what(role, seat)
            async with self._thinking:
                return await what(role, seat)

        found = await asyncio.gather(*(one(role, seat) for role, seat in self._seats.items()))
        return dict(zip(self._seats, found, strict=True))

    def _reach(self, state: State) -> None:
        self._state = state
        self.record.states.append(tuple(map(str, state.facts)))
        self.record.times.append(time.time())
        if self._told:
            self._told(self.record, state)

    def _instead(self, state: State, name: str, role: int) -> Term:
        """The move of chance, and what takes the place of a bad answer: the first legal move with
        Dresden, any with ggp-base."""
        legal = state.legal(name)
        if role in self._seats and self._settings.dialect == "dresden":
            return legal[0]
        return self._random.choice(legal)
