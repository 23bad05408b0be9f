"""Questions of which one at a time is answered, whichever threads ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class _Locked(Protocol):
    """What has a lock for its questions."""

    _lock: RLock


_Self = TypeVar("_Self", bound=_Locked)
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def alone(
    ask: Callable[Concatenate[_Self, _Given], _Answer],
) -> Callable[Concatenate[_Self, _Given], _Answer]:
    """The method, for one thread at a time of all that call methods of the same object that are
    marked so; a method may call others."""

    @wraps(ask)
    def asked(self: _Self, /, *given: _Given.args, **named: _Given.kwargs) -> _Answer:
        with self._lock:
            return ask(self, *given, **named)

    return asked
