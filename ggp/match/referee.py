"""The referee: whether a match can be played, where it stands, and one legal move at every turn.

It reads the rules as they are and never grounds or searches, so that it has its answer long before
the thinking half has its first.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.connection import Connection

from ggp.circuits import bulk
from ggp.errors import GgpError, IllegalMove, KifSyntaxError, RulesError, UnknownName
from ggp.match.course import MatchCourse, Turn, game_of
from ggp.text import shortened

MOST_READINGS = 32
"""Other readings that are tried of what was reported."""


@dataclass(frozen=True)
class MatchRules:
    """The rules of a match and our role in it."""

    text: str
    role: str
    strict_case: bool


@dataclass(frozen=True)
class Admitted:
    """The rules can be played; `index` is our role's place among the roles.

    `percepts`: the manager reports what we see, not the moves (GDL-II). `first`: a legal move of
    it in the initial state, if one is known.
    """

    index: int
    percepts: bool
    first: str | None = None


@dataclass(frozen=True)
class Refused:
    """No match can be played like that."""

    why: str


@dataclass(frozen=True)
class Allowed:
    """A legal move of our role at a turn; `instead`: what it was taken for, where what was reported
    of it is possible only so."""

    turn: int
    move: str
    instead: Turn | None = None


@dataclass(frozen=True)
class Wrong:
    """What was reported of a turn cannot be."""

    turn: int
    why: str


@dataclass(frozen=True)
class Unsure:
    """The referee cannot judge a turn, or the rules (turn 0): its own limits, or rules that go
    wrong."""

    turn: int
    why: str


def referee(pipe: Connection) -> None:
    """The referee's life: the rules first, then turn after turn."""
    bulk.only_load()
    course: MatchCourse | None = None
    while True:
        order = pipe.recv()
        if isinstance(order, MatchRules):
            try:
                course = _course(order)
            except (KifSyntaxError, RulesError, UnknownName) as error:
                pipe.send(Refused(_said(error)))
            except Exception as error:
                # Rules come from strangers; whatever they bring about ends here.
                pipe.send(Unsure(0, _said(error)))
            else:
                begin = _judge(course, Turn(0, (), ()))
                first = begin.move if isinstance(begin, Allowed) else None
                index = course.game.role_index(course.role)
                pipe.send(Admitted(index, course.game.has_percepts, first))
                if not pipe.poll():
                    _make_ready(course)
        else:
            pipe.send(_judge(course, order) if course else Unsure(order.number, "no game"))


def _course(order: MatchRules) -> MatchCourse:
    game = game_of(order.text, strict_case=order.strict_case, grounded=False)
    return MatchCourse(game, order.role)


def _make_ready(course: MatchCourse) -> None:
    """Have what later turns need made, while nobody waits: the first has its move."""
    initial = course.game.initial
    with suppress(Exception):  # Whatever is wrong comes up again when it is asked for.
        some = {role: initial.some_legal(role) for role in course.game.roles}
        initial.play({role: move for role, move in some.items() if move is not None})


def _judge(course: MatchCourse, turn: Turn) -> Allowed | Wrong | Unsure:
    found = _judged(course, turn)
    if isinstance(found, Wrong) and not course.game.has_percepts:
        for other in islice(turn.readings(), MOST_READINGS):
            again = _judged(course, other)
            if isinstance(again, Allowed):
                return replace(again, instead=other)
    return found


def _judged(course: MatchCourse, turn: Turn) -> Allowed | Wrong | Unsure:
    try:
        if course.game.has_percepts:
            move = next(iter(course.beliefs(turn).legal()), None)
        else:
            move = course.state(turn.history).some_legal(course.role)
        return Unsure(turn.number, "no move") if move is None else Allowed(turn.number, str(move))
    except (IllegalMove, KifSyntaxError, UnknownName) as error:
        return Wrong(turn.number, _said(error))
    except Exception as error:
        return Unsure(turn.number, _said(error))


def _said(error: Exception) -> str:
    text = str(error) if isinstance(error, GgpError) else f"{type(error).__name__}: {error}"
    return shortened(text.partition("\n")[0])
