"""The JSON of a request: an object, in which is nothing that a page would not send."""

from __future__ import annotations

import json
import math
from typing import Any, TypeGuard

from ggp.errors import InputError

DEEPEST, MOST, LARGEST = 20, 50_000, 1 << 63
"""Objects and lists in each other; values; what whole numbers are below."""


def body_of(data: bytes) -> dict[str, Any]:
    """A request's object; raises `InputError` where it is none, or has odd values.

    What passes here can be sent to processes, and told again in an answer.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError("not a JSON object")
    level, count = [found], 0
    for _ in range(DEEPEST):
        level = [value for one in level for value in _within(one)]
        count += len(level)
        if not level:
            return found
        if count > MOST or not all(map(_is_sound, level)):
            break
    raise InputError("a request of an odd kind: too much in it, or no number, or half a character")


def is_names(value: object) -> TypeGuard[dict[str, str]]:
    """Whether these are texts by texts."""
    return isinstance(value, dict) and all(isinstance(own, str) for own in value.values())


def _within(value: object) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []


def _is_sound(value: object) -> bool:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeError:
            return False
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) < LARGEST
