"""A sheet as one word: OpenSpiel knows a game by a text, from which it is loaded anew."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from pathlib import PurePath

from ggp.errors import InputError, LimitReached
from ggp.game import Game, parse
from ggp.limits import DEFAULT, Limits

MARK = "z"
"""What a packed sheet begins with, so that it is never taken for a number."""


def packed(game: Game) -> str:
    """The rules of a game as letters, digits, `-` and `_`; of a path only the file's name."""
    source = game.rules.source
    data = [PurePath(source.name).name, source.text, source.syntax, game.rules.symbols.strict_case]
    pressed = zlib.compress(json.dumps(data).encode(), 9)
    return MARK + base64.urlsafe_b64encode(pressed).decode().rstrip("=")


def unpacked(word: str, limits: Limits = DEFAULT) -> Game:
    """The game of a packed sheet.

    Raises `InputError` for what is none, `LimitReached` where it is too long, and whatever
    `ggp.parse` raises.
    """
    try:
        name, text, syntax, strict_case = json.loads(_bytes(word, limits))
        is_sheet = isinstance(name, str) and isinstance(text, str)
    except (ValueError, TypeError, binascii.Error, zlib.error):
        is_sheet = False
    if not is_sheet or syntax not in ("kif", "hrf"):
        raise InputError("the rules of the game are no packed sheet") from None
    # The name says in which syntax a text is.
    name = name if syntax == "kif" or name.endswith(".hrf") else f"{name}.hrf"
    return parse(text, name, strict_case=bool(strict_case), limits=limits)


def _bytes(word: str, limits: Limits) -> bytes:
    """What was packed, no more of it than the limit of a sheet's text allows."""
    body = word.removeprefix(MARK)
    pressed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    most = 8 * limits.characters
    work = zlib.decompressobj()
    data = work.decompress(pressed, most)
    if work.unconsumed_tail:
        raise LimitReached("characters", limits.characters, "in a packed sheet")
    return data
