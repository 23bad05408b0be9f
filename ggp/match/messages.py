"""The messages of the GGP match protocol, as a player receives them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ggp.errors import KifSyntaxError, LimitReached
from ggp.kif import Atom, List, Source, bare, read
from ggp.limits import DEFAULT, Limits

MAX_MOVES = 1 << 16
"""Characters of the moves of a PLAY or STOP."""


@dataclass(frozen=True)
class Info:
    """Who are you, and are you free? PING asks the same."""


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

    Where the rules say what roles see (GDL-II), `moves` are our percepts, `own` may tell the move
    that we are taken to have made and `turn` count the turns.
    """

    match: str
    moves: tuple[str, ...] | None
    own: str | None = None
    turn: str | None = None


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

    The rules in it are taken as they are written and not read: that is for a process of its own.
    Time and memory are linear in the length of the text. Raises `BadMessage` (or another
    `KifSyntaxError`) for anything else, `LimitReached` for a text that is too long.
    """
    if len(text) > limits.characters:
        raise LimitReached("characters", limits.characters, f"<message> has {len(text):,}")
    verb, *parts = _parts(text)
    word = verb.upper()
    if word in ("INFO", "PING") and not parts:
        return Info()
    if word == "PREVIEW" and len(parts) == 2:
        return Preview(_rules(parts[0]), _clock(parts[1]))
    if word == "START" and len(parts) == 5:
        match, role, rules, start, play = parts
        named = str(_term(role, limits))
        return Start(_symbol(match), named, _rules(rules), _clock(start), _clock(play))
    if word in ("PLAY", "STOP") and len(parts) == 2:
        kind = Play if word == "PLAY" else Stop
        return kind(_symbol(parts[0]), _moves(parts[1], limits))
    if word in ("PLAY", "STOP") and len(parts) == 4:
        # GDL-II: match, number of the turn, our last move, percepts.
        match, turn, own, seen = parts
        moves = _moves(seen, limits)
        if word == "STOP":
            return Stop(_symbol(match), moves)
        told = None if own.upper() == "NIL" else str(_term(own, limits))
        return Play(_symbol(match), moves, told, _symbol(turn))
    if word == "ABORT" and len(parts) == 1:
        return Abort(_symbol(parts[0]))
    raise BadMessage(f"no such message: {word[:20]} with {len(parts)} parts")


_BLANK = " \t\r\n\f"
_WORD = re.compile(r"[^ \t\r\n\f()]+")


def _parts(text: str) -> list[str]:
    """The verb and the other items of the one list that a message is, each as it is written."""
    text = _without_comments(text).strip(_BLANK)
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    opens, closes = codes == ord("("), codes == ord(")")
    depth = np.cumsum(opens, dtype=np.int32) - np.cumsum(closes, dtype=np.int32)
    if not text.startswith("(") or depth.min() < 0 or depth[-1] or (depth[:-1] == 0).any():
        raise BadMessage("a message is one list that begins with a verb")
    starts = np.flatnonzero(opens & (depth == 2))
    ends = np.flatnonzero(closes & (depth == 1)) + 1
    parts: list[str] = []
    at = 1
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        parts += _WORD.findall(text, at, start)
        parts.append(text[start:end])
        at = end
        if len(parts) > MOST_PARTS:
            break
    parts += _WORD.findall(text, at, len(text) - 1)
    if not parts or parts[0].startswith("("):
        raise BadMessage("a message is one list that begins with a verb")
    return parts


MOST_PARTS = 8
"""Items of a message beyond which it need not be looked at any further."""


_COMMENT = re.compile(r";|(?<![^ \t\r\n\f();])#\|")


def _without_comments(text: str) -> str:
    """`text` with a blank for each comment; a block comment that never ends is an error."""
    kept, at = [], 0
    while found := _COMMENT.search(text, at):
        kept.append(text[at : found.start()])
        if found[0] == ";":
            line = _LINE_END.search(text, found.start())
            at = line.start() if line else len(text)
        else:
            at = found.start()
            while text.startswith("#|", at):  # one may follow another at once
                at = text.find("|#", at + 2) + 2
                if at < 2:
                    raise BadMessage("a comment that never ends")
        kept.append(" ")
    return "".join(kept) + text[at:]


_LINE_END = re.compile(r"[\r\n]")


def _symbol(part: str) -> str:
    if part.startswith("("):
        raise BadMessage("a list where a symbol belongs")
    return part


def _rules(part: str) -> str:
    if not part.startswith("("):
        raise BadMessage("the rules of a game are a list")
    return part[1:-1]


def _clock(part: str) -> float:
    try:
        seconds = float(part)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 1e6:
        raise BadMessage(f"a clock is a number of seconds, not {part[:20]}")
    return seconds


def _term(part: str, limits: Limits) -> Atom | List:
    if len(part) > MAX_MOVES:
        raise LimitReached("characters", MAX_MOVES, f"moves of {len(part):,}")
    (expr,) = read(Source("<message>", part), limits)
    return expr


def _moves(part: str, limits: Limits) -> tuple[str, ...] | None:
    expr = _term(part, limits)
    if isinstance(expr, Atom):
        if expr.text.upper() == "NIL":
            return None
        raise BadMessage("moves are a list or NIL")
    return tuple(str(bare(item)) for item in expr.items) or None
