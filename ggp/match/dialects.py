"""What a game manager says, as two real ones say it: ggp-base's game server and the Dresden game
controller (facts of the protocol as they were recorded on the wire, `docs/reference.md`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ggp.errors import GgpError
from ggp.kif import Atom, Expr, List, Source, read
from ggp.limits import Limits
from ggp.rules.keywords import KEYWORDS
from ggp.text import shortened

Dialect = Literal["ggp-base", "dresden"]

DIALECTS: tuple[Dialect, ...] = ("ggp-base", "dresden")

MOST_SAID = 20
"""Things that a player says of itself, and are read."""

REPLY = Limits(characters=1 << 16)
"""What a reply may take to be read."""


WORDS = KEYWORDS | {"random"}
"""What means the same in all games; players that are told another name for `random` take chance for
one of them."""


@dataclass(frozen=True)
class Graces:
    """Seconds that a manager adds to its clocks."""

    start: float
    play: float
    stop: float


GRACES: Mapping[Dialect, Graces] = {"ggp-base": Graces(0, 1, 0), "dresden": Graces(1, 1, 1)}


class Words:
    """Other names for all symbols of a sheet, so that nobody knows the game by them.

    Numbers, the words of GDL and the role of chance stay what they are. Without
    `strict_case` spellings that differ by it alone are one symbol, and told in the first of them.
    `chosen` of None: all others stay.
    """

    def __init__(
        self, rules: Iterable[Expr], chosen: random.Random | None, *, strict_case: bool = False
    ) -> None:
        self._there: dict[str, str] = {}
        self._folds = not strict_case
        spelled = [name for rule in rules for name in _symbols(rule)]
        if chosen is None:
            first: dict[str, str] = {}
            for name in spelled if self._folds else ():
                key = name.lower()
                if first.setdefault(key, name) != name and key not in WORDS:
                    self._there[key] = first[key]
            return
        keys = dict.fromkeys(key for key in map(self._key, reversed(spelled)) if key not in WORDS)
        numbers = chosen.sample(range(26**5), len(keys))
        for key, number in zip(keys, numbers, strict=True):
            word = "".join(chr(ord("a") + number // 26**i % 26) for i in range(5))
            # What looks like a word of GDL would be one.
            word = f"{word}x" if word in WORDS else word
            self._there[key] = word

    def _key(self, name: str) -> str:
        return name.lower() if self._folds else name

    def there(self, expr: Expr) -> Expr:
        """An expression in the names that players get."""
        if isinstance(expr, Atom):
            return Atom(self._there.get(self._key(expr.text), expr.text))
        return List(tuple(map(self.there, expr.items)))


def _symbols(expr: Expr) -> Iterable[str]:
    stack: list[Expr] = [expr]
    while stack:
        item = stack.pop()
        if isinstance(item, List):
            stack.extend(reversed(item.items))
        elif not (item.text.startswith("?") or _is_number(item.text)):
            yield item.text


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdecimal()


def written(expr: Expr, dialect: Dialect) -> str:
    """An expression as a manager prints it."""
    if dialect == "dresden":
        return str(expr).upper()
    if isinstance(expr, Atom):
        return expr.text
    return f"( {' '.join(written(item, dialect) for item in expr.items)} )"


def start_message(
    dialect: Dialect, match: str, role: Expr, rules: Sequence[Expr], clocks: tuple[float, float]
) -> str:
    """START with the rules and the two clocks in seconds."""
    sheet = " ".join(written(rule, dialect) for rule in rules)
    start, play = map(_clock, clocks)
    if dialect == "dresden":
        return f"(START {match} {written(role, dialect)} ({sheet}) {start} {play})"
    return f"( START {match} {written(role, dialect)} ({sheet}) {start} {play})"


def preview_message(rules: Sequence[Expr], clock: float) -> str:
    """PREVIEW with the rules and seconds to think about them, which ggp-base sends before START."""
    sheet = " ".join(written(rule, "ggp-base") for rule in rules)
    return f"( PREVIEW ({sheet}) {_clock(clock)} )"


INFO = "( INFO )"
"""Asks a player what it is and whether it is free."""


def presented(text: str) -> dict[str, str]:
    """What a player says of itself to INFO: `name`, `status` and whatever else, in a few words;
    just a `status` where it says one word. Empty where it says nothing that can be read."""
    said = answered(text, "ggp-base")
    if isinstance(said, Atom):
        return {"status": shortened(said.text)}
    pairs = said.items if said is not None else ()
    return {
        shortened(str(pair.items[0])): shortened(" ".join(map(str, pair.items[1:])))
        for pair in pairs[:MOST_SAID]
        if isinstance(pair, List) and len(pair.items) > 1
    }


def turn_message(
    dialect: Dialect, verb: Literal["PLAY", "STOP"], match: str, moves: Sequence[Expr] | None
) -> str:
    """PLAY or STOP with the moves just made in the order of the roles, None before any."""
    if moves is None:
        said = "NIL"
    elif dialect == "dresden":
        said = f"({' '.join(written(move, dialect) for move in moves)})"
    else:
        said = f"({' '.join(written(move, dialect) for move in moves)} )"
    if dialect == "dresden":
        return f"({verb} {match} {said})"
    return f"( {verb} {match} {said} )"


def _clock(seconds: float) -> str:
    """Seconds as players read them, who may know whole numbers only."""
    return str(int(seconds)) if seconds == int(seconds) else f"{seconds:.9g}"


def percepts_message(
    dialect: Dialect,
    verb: Literal["PLAY", "STOP"],
    match: str,
    turn: int,
    own: Expr | None,
    seen: Sequence[Expr],
) -> str:
    """PLAY or STOP of GDL-II: the number of the turn, the role's own last move, what it saw."""
    made = "NIL" if own is None else written(own, dialect)
    said = "NIL" if own is None else f"({' '.join(written(p, dialect) for p in seen)})"
    return f"({verb} {match} {turn} {made} {said})"


def abort_message(match: str) -> str:
    """ABORT, which ggp-base sends."""
    return f"( ABORT {match} )"


def answered(text: str, dialect: Dialect) -> Expr | None:
    """The move that a reply states; None where it states none.

    ggp-base takes the first expression and looks at nothing behind it; for Dresden there is to be
    one and nothing else.
    """
    try:
        found = read(Source("<reply>", _first(text) if dialect == "ggp-base" else text), REPLY)
    except GgpError:
        return None
    return found[0] if len(found) == 1 else None


def _first(text: str) -> str:
    """The first expression of a text, as far as its parentheses say."""
    depth = 0
    text = text.strip()
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and (letter == ")" or letter.isspace()):
            return text[: place + 1]
    return text
