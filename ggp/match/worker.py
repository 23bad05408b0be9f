"""The thinking half of a player, in a process of its own.

The rules come from a stranger: grounding them may take all the time and memory there is. In a
process of its own that can hurt nobody: the answering half stays awake, always holds the best move
so far, and can end the process at any time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

from ggp.errors import IllegalMove, KifSyntaxError, LimitReached
from ggp.game import Game, State, parse
from ggp.limits import DEFAULT
from ggp.machine.warm import warm_up
from ggp.play import Beliefs, Player

GROUND_SHARE = 0.4
"""The part of the start clock that grounding may take; then the game is played unground."""


@dataclass(frozen=True)
class Begin:
    """Load the rules and think until `seconds` have passed."""

    rules: str
    role: str
    seconds: float
    strict_case: bool


@dataclass(frozen=True)
class Think:
    """Suggest moves for turn number `turn` for `seconds`.

    `history` has all joint moves so far, or what our role saw of them, `own` the moves that we
    made.
    """

    turn: int
    history: tuple[tuple[str, ...], ...]
    own: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Thought:
    """A legal move for a turn; `final` if thinking is over."""

    turn: int
    move: str
    final: bool
    why: str


@dataclass(frozen=True)
class Prepared:
    """The rules are loaded and thought about; `solved` if nothing is left to think about."""

    solved: bool


@dataclass(frozen=True)
class Trouble:
    """Something went wrong; the worker can go on with another match."""

    why: str


class Worker:
    """The process and the pipe to it, as the answering half sees them."""

    def __init__(self, memory: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=run, args=(theirs, memory), daemon=True)
        self.process.start()
        theirs.close()

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return self.process.is_alive()

    def send(self, order: Begin | Think) -> bool:
        """Give an order; says whether the worker took it. Waits while the pipe is full."""
        try:
            self.pipe.send(order)
        except (OSError, ValueError):
            return False
        return True

    def received(self) -> list[Thought | Prepared | Trouble]:
        """What the worker has said since the last call."""
        said: list[Thought | Prepared | Trouble] = []
        try:
            while self.pipe.poll():
                said.append(self.pipe.recv())
        except (EOFError, OSError):
            # The process is gone, which `alive` tells.
            pass
        return said

    def close(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.join(timeout=5)
        self.pipe.close()


def run(pipe: Connection, memory: int) -> None:
    """The worker's life: obey orders from `pipe` until it closes."""
    _limit_memory(memory)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    mind = _Mind(pipe)
    warm_up()
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            order = pipe.recv()
            try:
                mind.obey(order)
            except Exception as error:
                # Rules and moves come from strangers; whatever they bring about ends here.
                pipe.send(Trouble(f"{type(error).__name__}: {error}"[:500]))


def _end_with_parent() -> None:
    """End this process, whatever it computes, when the answering half is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _limit_memory(memory: int) -> None:
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or memory < hard:
        resource.setrlimit(resource.RLIMIT_AS, (memory, hard))


class _Mind:
    """One game, where it stands, and the player."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.game: Game | None = None
        self.player: Player | None = None
        self.states: list[State] = []
        self.beliefs: Beliefs | None = None
        self.history: tuple[tuple[str, ...], ...] = ()

    def obey(self, order: Begin | Think) -> None:
        started = time.monotonic()
        if isinstance(order, Begin):
            self.game = self.player = None
            limits = replace(DEFAULT, ground_seconds=order.seconds * GROUND_SHARE)
            self.game = parse(order.rules, "<match>", strict_case=order.strict_case, limits=limits)
            self.states, self.history, self.beliefs = [self.game.initial], (), None
            role = self.game.roles[self.game.role_index(order.role)]
            self.player = Player(self.game, role, progress=self._heed)
            left = order.seconds - (time.monotonic() - started)
            solved = left > 0 and self.player.prepare(left)
            self.pipe.send(Prepared(solved))
            return
        if self.game is None or self.player is None:
            self.pipe.send(Trouble("no game was loaded"))
            return
        if self.game.has_percepts:
            beliefs = self._believe(self.game, self.player.role, order)
            suggestions = self.player.guesses(beliefs, order.seconds)
        else:
            state = self._after(self.game, order.history)
            suggestions = self.player.suggestions(state, order.seconds)
        for suggestion in suggestions:
            self.pipe.send(
                Thought(order.turn, str(suggestion.move), suggestion.final, suggestion.why)
            )
            if suggestion.final or self.pipe.poll():
                return

    def _heed(self, found: int, expanded: int) -> None:
        """Break a search off as soon as the next order waits."""
        if self.pipe.poll():
            raise LimitReached("turn", found, "the next message is here")

    def _believe(self, game: Game, role: str, order: Think) -> Beliefs:
        """What our role may believe after all that it did and saw."""
        if self.beliefs is None or order.history[: len(self.history)] != self.history:
            self.beliefs, self.history = Beliefs(game, role), ()
        for i in range(len(self.history), len(order.history)):
            seen = order.history[i]
            try:
                self.beliefs.update(order.own[i] or None, seen)
            except (IllegalMove, KifSyntaxError):
                # Whatever we said, the manager must have made another move for us.
                self.beliefs.update(None, seen)
            self.history = (*self.history, seen)
        return self.beliefs

    def _after(self, game: Game, history: tuple[tuple[str, ...], ...]) -> State:
        """The state after all moves that the manager has reported."""
        if history[: len(self.history)] != self.history:
            self.states, self.history = [game.initial], ()
        for joint in history[len(self.history) :]:
            if not joint:
                self.history = (*self.history, joint)
                continue
            if len(joint) != len(game.roles):
                raise IllegalMove(f"{len(joint)} moves for {len(game.roles)} roles")
            moves = dict(zip(game.roles, joint, strict=True))
            self.states.append(self.states[-1].play(moves))
            self.history = (*self.history, joint)
        return self.states[-1]
