"""What is found once of a game, and kept beside what it was found from."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar


class Remembering(Protocol):
    """A context that keeps what was found of it."""

    memo: dict[Any, Any]


Context = TypeVar("Context", bound=Remembering)
Found = TypeVar("Found")


def once(find: Callable[[Context], Found]) -> Callable[[Context], Found]:
    """`find`, made once for each context; what raises is tried again."""

    @wraps(find)
    def found(context: Context) -> Found:
        if find not in context.memo:
            context.memo[find] = find(context)
        known: Found = context.memo[find]
        return known

    return found
