"""The thinking half of a player: it grounds, solves and samples, in a process of its own."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

from ggp.circuits import bulk
from ggp.errors import BudgetSpent, LimitReached
from ggp.game import State
from ggp.limits import DEFAULT, Budget, memory_in_use
from ggp.machine import is_compiling
from ggp.match.course import MatchCourse, Turn, game_of
from ggp.play import Insight, SearchPlayer
from ggp.play.learned import best_player
from ggp.show.board import scene_of, scene_text
from ggp.text import shortened

GROUNDING = 300.0
"""Seconds that grounding may take; what cannot wait for it is done by a process that leaves the
rules as they are."""

STANDING_IN = 0.4
"""The part of the start clock after which rules that are not ground by then are thought about as
they are, too, by another process."""

SETTLING, LOOKING = 15.0, 0.3
"""Seconds that go into machine code for large circuits before that process is relieved, unless a
search does more descents than it before; and seconds of search and of rest between to see that.
Without machine code a net of millions of literals is no gain."""

AT_LEAST = 0.3
"""Seconds for preparation, however late it begins: circuits that are large are made in it."""

TREE_SHARE = 0.3
"""The part of the memory that the tree of a search may take."""

SKETCHING, LEISURELY = 0.1, 8.0
"""The part of the start clock for finding out how a game is drawn, if there are so many seconds;
where that is not known, the facts of a position are shown. Known, it takes some thousandths of a
second."""

SKETCH = 2.0
"""Seconds for finding that out after a move, while others think, until the next message."""

ATTEMPTS = 3
"""How often that is begun, as it begins anew where a message ended it."""

WATCHED = 1.0
"""Seconds that a turn without a choice is thought about before it is told of: so those who watch
see what the others may do."""

MOST_TOLD = 10_000
"""Characters of a position that is told of."""

NEXT = "turn"
"""The limit that the next order is to what is thought for the last."""

PONDERING = 10.0
"""Seconds more than for a move of our own that are thought while others think."""

BEHIND = 10
"""How much nicer than the rest a process is that nobody waits for."""


@dataclass(frozen=True)
class Begin:
    """Load the rules and think until `seconds` have passed, in so much `memory` (bytes).

    With `grounded` false they are not grounded, and the process is so much nicer than others.
    """

    rules: str
    role: str
    seconds: float
    strict_case: bool
    threads: int = 1
    memory: int = 4 << 30
    grounded: bool = True
    nice: int = 0


@dataclass(frozen=True)
class Think:
    """Suggest moves for a turn for `seconds`; where a move is `known`, none without thought."""

    turn: Turn
    seconds: float
    known: bool = False


@dataclass(frozen=True)
class Thought:
    """A legal move for the turn of that number; `final` if thinking is over."""

    turn: int
    move: str
    final: bool
    why: str


@dataclass(frozen=True)
class Loaded:
    """The rules are loaded; `ground` if their ground form is there."""

    ground: bool


@dataclass(frozen=True)
class Pace:
    """Descents a second of a search on the net, while machine code for it is made."""

    descents: float


@dataclass(frozen=True)
class Prepared:
    """The rules are loaded and thought about; `solved` if nothing is left to think about."""

    solved: bool


@dataclass(frozen=True)
class TurnReport:
    """What was thought of a turn, for those who watch: the position as a drawing of text (empty
    where the next turn was waiting), the insight, the move, seconds, and bytes of memory of the
    thinking process."""

    turn: int
    position: str
    insight: Insight
    move: str
    seconds: float
    memory: int


@dataclass(frozen=True)
class Trouble:
    """Something went wrong with an order; `turn` is its turn, 0 for `Begin`."""

    turn: int
    why: str


def think(pipe: Connection) -> None:
    """The worker's life: obey orders from `pipe` until it closes."""
    bulk.only_load()
    mind = _Mind(pipe)
    while True:
        order = pipe.recv()
        try:
            if isinstance(order, Begin):
                mind.begin(order)
            else:
                mind.think(order)
        except Exception as error:
            # Rules and moves come from strangers; whatever they bring about ends here.
            turn = 0 if isinstance(order, Begin) else order.turn.number
            is_over = isinstance(error, LimitReached) and error.limit == NEXT
            if is_over and isinstance(order, Think):
                continue  # It was answered by what had been thought until then.
            pipe.send(Trouble(turn, shortened(f"{type(error).__name__}: {error}")))


class _Mind:
    """One game, where it stands, and the player."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.course: MatchCourse | None = None
        self.player: SearchPlayer | None = None
        self.is_drawn: bool | None = None
        self.attempts = 0

    def begin(self, order: Begin) -> None:
        started = time.monotonic()
        _be_nice(order.nice)
        limits = replace(DEFAULT, ground_seconds=GROUNDING)
        game = game_of(
            order.rules, strict_case=order.strict_case, grounded=order.grounded, limits=limits
        )
        self.pipe.send(Loaded(game.is_ground))
        self.course = MatchCourse(game, order.role)
        self.player = best_player(
            game,
            self.course.role,
            progress=self._heed,
            threads=order.threads,
            memory=int(TREE_SHARE * order.memory),
        )
        if order.seconds >= LEISURELY and not game.has_percepts:
            self._draw(game.initial, SKETCHING * order.seconds)
        took = time.monotonic() - started
        is_solved = self.player.prepare(max(order.seconds - took, AT_LEAST))
        if took > STANDING_IN * order.seconds and game.is_ground and not is_solved:
            self._settle(self.player)
        self.pipe.send(Prepared(is_solved))

    def _settle(self, player: SearchPlayer) -> None:
        """Tell how fast a search is until machine code is there, or an order: who thinks meanwhile
        has been relieved then."""
        until = time.monotonic() + SETTLING
        while is_compiling() and not self.pipe.poll() and (now := time.monotonic()) < until:
            before = player.descents
            player.ponder(player.game.initial, LOOKING)
            took = max(time.monotonic() - now, LOOKING)
            self.pipe.send(Pace((player.descents - before) / took))
            self.pipe.poll(LOOKING)

    def think(self, order: Think) -> None:
        if self.course is None or self.player is None:
            raise ValueError("no game was loaded")
        turn = order.turn
        began, move, why, number, final = time.monotonic(), "", "", -1, False
        if self.course.game.has_percepts:
            suggestions = self.player.guesses(self.course.beliefs(turn), order.seconds)
        else:
            suggestions = self.player.suggestions(self.course.state(turn.history), order.seconds)
        try:
            for number, suggestion in enumerate(suggestions):
                if order.known and number == 0 and not suggestion.final:
                    continue  # The first comes before all thought.
                move, final, why = str(suggestion.move), suggestion.final, suggestion.why
                self.pipe.send(Thought(turn.number, move, final, why))
                if final or self.pipe.poll():
                    break
        except LimitReached as error:
            if error.limit != NEXT or not move:
                raise
        if number < 0:
            self.pipe.send(Trouble(turn.number, "there is no legal move"))
        if number == 0 and final:
            self._ponder(order, WATCHED)
        self._tell(order, move, why, time.monotonic() - began)
        self._ponder(order, order.seconds + PONDERING)

    def _tell(self, order: Think, move: str, why: str, seconds: float) -> None:
        """Tell those who watch; the position is drawn while nobody waits."""
        turn = order.turn
        assert self.course is not None
        assert self.player is not None
        is_awaited, position, insight = self.pipe.poll(), "", Insight(why)
        if is_awaited and not move:
            return
        if not self.course.game.has_percepts:
            state = self.course.state(turn.history)
            position = "" if is_awaited else self._draw(state, SKETCH)
            insight = self.player.insight(state)
        elif not is_awaited:
            weights = self.course.beliefs(turn).weights
            drawn = self._draw(max(weights, key=lambda state: weights[state]), SKETCH)
            position = f"the likeliest of {len(weights)} possible states:\n{drawn}"
        position = position[:MOST_TOLD]
        self.pipe.send(TurnReport(turn.number, position, insight, move, seconds, memory_in_use()))

    def _ponder(self, order: Think, seconds: float) -> None:
        """Think on while others do, but not for ever: the match may never go on."""
        assert self.course is not None
        assert self.player is not None
        if not self.course.game.has_percepts and not self.pipe.poll():
            state = self.course.state(order.turn.history)
            self.player.ponder(state, seconds)

    def _draw(self, state: State, seconds: float) -> str:
        """A state as text; its facts where it is not known how to draw one, and cannot be found out
        in so many seconds."""
        drawn = None
        if self.is_drawn is not False:
            # Once it is known it stays so, unless it was a message that ended the attempt.
            drawn = _sketch(state, _UntilNext(replace(DEFAULT, seconds=seconds), pipe=self.pipe))
            if self.is_drawn is None:
                self.attempts += 1
                is_last = not self.pipe.poll() or self.attempts == ATTEMPTS
                self.is_drawn = True if drawn is not None else False if is_last else None
        return str(state) if drawn is None else drawn

    def _heed(self, found: int, expanded: int) -> None:
        """Break a search off as soon as the next order waits."""
        if self.pipe.poll():
            raise LimitReached(NEXT, found, "the next message is here")


@dataclass
class _UntilNext(Budget):
    """An account that is spent as soon as the next order waits in a pipe."""

    pipe: Connection | None = None

    def check(self, detail: str, planned: int = 0) -> None:
        """Check what any account does, and whether an order waits."""
        super().check(detail, planned)
        if self.pipe is not None and self.pipe.poll():
            raise BudgetSpent(NEXT, self.limits.seconds, detail)


def _sketch(state: State, budget: Budget) -> str | None:
    """A state drawn for those who watch; None where that takes more than an account has."""
    try:
        with state.game.within(budget):
            return scene_text(scene_of(state)).plain
    except LimitReached:
        return None


def compile_more(pipe: Connection) -> None:
    """The life of a process that compiles the loops by which large rules are sooner played, if they
    are not on disk yet: nobody waits for it, so that it begins once all else is there."""
    _be_nice(BEHIND)
    bulk.load()


def _be_nice(more: int) -> None:
    """Let others go before this process."""
    if more:
        with suppress(AttributeError, OSError):  # not a POSIX system
            os.nice(more)
