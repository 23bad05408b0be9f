"""Games as text, in the notation of CGSuite; and the order in which options are told."""

from __future__ import annotations

from hashlib import blake2b

from ggp.theory.short.meter import GameLimit
from ggp.theory.short.sums import negate
from ggp.theory.short.table import (
    BIRTHDAY,
    NUMBER_UP_STAR,
    ZERO,
    Number,
    NumberUpStar,
    hot_options,
    is_number,
    left_options,
    right_options,
    unroll,
)

MOST_CHARACTERS = 1_000_000
SHORT = 200
"""Texts up to this length are kept; longer ones are written anew each time."""

_short: dict[int, str | None] = {}
_digests: dict[int, bytes] = {}

Rank = tuple[int, Number, int, int, int, str, bytes]

UNICODE = {"^^": "⇑", "vv": "⇓", "^": "↑", "v": "↓", "*": "∗", "+-": "±"}


def text(game: int, unicode: bool = False) -> str:
    """A game as text. Raises `GameLimit` past a million characters."""
    written: list[str] = []
    length = 0
    todo: list[int | str] = [game]
    while todo:
        piece = todo.pop()
        if isinstance(piece, int):
            known = _short_text(piece)
            if known is None:
                todo += reversed(_pieces(piece))
                continue
            piece = known
        written.append(piece)
        length += len(piece)
        if length > MOST_CHARACTERS:
            raise GameLimit(f"the text of this game has more than {MOST_CHARACTERS:,} characters")
    found = "".join(written)
    if unicode:
        for plain, sign in UNICODE.items():
            found = found.replace(plain, sign)
    return found


def _short_text(game: int) -> str | None:
    """The text of a game, if it is short."""
    return unroll(game, _short, hot_options, _write_short)


def _write_short(game: int) -> str | None:
    pieces = [_short[piece] if isinstance(piece, int) else piece for piece in _pieces(game)]
    if None in pieces:
        return None
    written = "".join(piece for piece in pieces if piece is not None)
    return written if len(written) <= SHORT else None


def _pieces(game: int) -> list[int | str]:
    """What a game is written with: text, and games to be written."""
    parts = NUMBER_UP_STAR[game]
    if parts:
        return [_parts_text(parts)]
    for name, threat in (("Tiny", _threat(game)), ("Miny", _threat(negate(game)))):
        if threat:
            return [f"{name}({_parts_text(threat)})"]
    left, right = told(left_options(game)), told(right_options(game))
    if negate(game) != game:
        return ["{", *_listed(left), "|", *_listed(right), "}"]
    if len(left) == 1 and NUMBER_UP_STAR[left[0]]:
        return ["+-", left[0]]
    return ["+-{", *_listed(left), "}"]


def _listed(games: tuple[int, ...]) -> list[int | str]:
    pieces: list[int | str] = []
    for game in games:
        pieces += [",", game]
    return pieces[1:]


def _parts_text(parts: NumberUpStar) -> str:
    number, ups, nimber = parts
    try:
        count = "" if abs(ups) < 3 else str(abs(ups))
        arrows = ("^" if ups > 0 else "v") * (1 if count else abs(ups)) + count
        star = "" if not nimber else "*" if nimber == 1 else f"*{nimber}"
        return (str(number) if number or not (ups or nimber) else "") + arrows + star
    except ValueError as error:
        raise GameLimit("a number with so many digits is not written") from error


def _threat(game: int) -> NumberUpStar | None:
    """The number x > 0 for which a game is { 0 || 0 | −x }."""
    left, right = left_options(game), right_options(game)
    if left != (ZERO,) or len(right) != 1 or NUMBER_UP_STAR[right[0]]:
        return None
    threat = right_options(right[0])
    if left_options(right[0]) != (ZERO,) or len(threat) != 1 or not is_number(threat[0]):
        return None
    return NUMBER_UP_STAR[negate(threat[0])]


def told(games: tuple[int, ...]) -> tuple[int, ...]:
    """Options in the order in which they are told: first number-up-stars, by number, distance
    from it in ups, and nimber; then the others, by birthday, length of text, and text."""
    return games if len(games) < 2 else tuple(sorted(games, key=_rank))


def _rank(game: int) -> Rank:
    parts = NUMBER_UP_STAR[game]
    if parts:
        number, ups, nimber = parts
        return (0, number, abs(ups), nimber, ups, "", b"")
    written = _short_text(game)
    if written is None:
        return (
            1,
            BIRTHDAY[game],
            SHORT + 1,
            0,
            0,
            "",
            unroll(game, _digests, hot_options, _digest),
        )
    return (1, BIRTHDAY[game], len(written), 0, 0, written, b"")


def _digest(game: int) -> bytes:
    """What tells games apart whose texts are long."""
    parts = NUMBER_UP_STAR[game]
    if parts:
        whole = repr(parts).encode()
    else:
        sides = (left_options(game), right_options(game))
        whole = b"|".join(b",".join(sorted(_digests[g] for g in side)) for side in sides)
    return blake2b(whole, digest_size=16).digest()
