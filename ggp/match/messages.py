"""The messages of the GGP match protocol, as a player receives them."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.errors import KifSyntaxError
from ggp.kif import Atom, Expr, List, Source, read
from ggp.limits import DEFAULT, Limits


@dataclass(frozen=True)
class Info:
    """Who are you, and are you free?"""


@dataclass(frozen=True)
class Preview:
    """Rules shown ahead of a match."""

    rules: str
    clock: float


@dataclass(frozen=True)
class Start:
    """A match begins: `role` is ours, `rules` are the game's, clocks are in seconds."""

    match: str
    role: str
    rules: str
    start_clock: float
    play_clock: float


@dataclass(frozen=True)
class Play:
    """Move, please. `moves` are those just made, in the order of the roles; None at first.

    Where the rules say what roles see (GDL-II), `moves` are our percepts, and `own` may tell the
    move that we are taken to have made.
    """

    match: str
    moves: tuple[str, ...] | None
    own: str | None = None


@dataclass(frozen=True)
class Stop:
    """The match is over; `moves` are the last ones."""

    match: str
    moves: tuple[str, ...] | None


@dataclass(frozen=True)
class Abort:
    """The match is called off."""

    match: str


Message = Info | Preview | Start | Play | Stop | Abort


class BadMessage(KifSyntaxError):
    """Text that is no message of the protocol."""


def parse_message(text: str, limits: Limits = DEFAULT) -> Message:
    """The message in `text`, its verb in any case of letters.

    Raises `BadMessage` (or another `KifSyntaxError`) for anything else, `LimitReached` for a text
    that is too long or nested too deeply.
    """
    exprs = read(Source("<message>", text), limits)
    if len(exprs) != 1 or not isinstance(exprs[0], List) or not exprs[0].items:
        raise BadMessage("a message is one list that begins with a verb")
    verb, *parts = exprs[0].items
    word = verb.text.upper() if isinstance(verb, Atom) else ""
    if word == "INFO":
        return Info()
    if word == "PREVIEW" and len(parts) == 2:
        return Preview(_rules(parts[0]), _clock(parts[1]))
    if word == "START" and len(parts) == 5:
        match, role, rules, start, play = parts
        return Start(str(match), str(role), _rules(rules), _clock(start), _clock(play))
    if word in ("PLAY", "STOP") and len(parts) == 2:
        kind = Play if word == "PLAY" else Stop
        return kind(str(parts[0]), _moves(parts[1]))
    if word in ("PLAY", "STOP") and len(parts) == 4:
        # GDL-II: match, number of the turn, our last move, percepts.
        match, _, own, seen = parts
        if word == "STOP":
            return Stop(str(match), _moves(seen))
        told = None if str(own).upper() == "NIL" else str(own)
        return Play(str(match), _moves(seen), told)
    if word == "ABORT" and len(parts) == 1:
        return Abort(str(parts[0]))
    raise BadMessage(f"no such message: {word[:20] or 'a list'} with {len(parts)} parts")


def _rules(expr: Expr) -> str:
    if not isinstance(expr, List):
        raise BadMessage("the rules of a game are a list")
    return "\n".join(map(str, expr.items))


def _clock(expr: Expr) -> float:
    try:
        seconds = float(expr.text) if isinstance(expr, Atom) else -1.0
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 1e6:
        raise BadMessage(f"a clock is a number of seconds, not {str(expr)[:20]}")
    return seconds


def _moves(expr: Expr) -> tuple[str, ...] | None:
    if isinstance(expr, Atom):
        if expr.text.upper() == "NIL":
            return None
        raise BadMessage("moves are a list or NIL")
    return tuple(map(str, expr.items)) or None
