"""Renders templates for another process: a script, run by `ggp.kif.template` through `ggp.apart`.

Jinja's sandbox keeps a template from the rest of the system, not from taking all time and memory:
a loop over an alias of `range`, a macro that calls itself, a text that is doubled and doubled.
Orders are a template's text, the values of its parameters and the characters that it may give.
"""

from __future__ import annotations

from typing import Any, NoReturn

from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

MEMORY = 1 << 30
"""Bytes of address space of the process."""


class _TemplateError(Exception):
    """What a template says with `error`."""


def rendered(text: str, values: dict[str, Any], characters: int) -> tuple[str, str]:
    """What became of a template, and its text: `done`, `too long`, `refused` or `fault`."""

    def refuse(message: object) -> NoReturn:
        raise _TemplateError(str(message))

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.globals["range"] = range
    pieces: list[str] = []
    size = 0
    try:
        for piece in environment.from_string(text).generate(**values, error=refuse):
            size += len(piece)
            if size > characters:
                return "too long", ""
            pieces.append(piece)
    except _TemplateError as error:
        return "refused", str(error)[:500]
    except MemoryError:
        return "fault", "more memory than a template may take"
    except Exception as error:
        # An expression in a template can fail in any way that Python knows.
        return "fault", str(error)[:500]
    return "done", "".join(pieces)


def answer(order: tuple[str, dict[str, Any], int]) -> tuple[str, str]:
    """What `rendered` gives for an order."""
    _limit_memory()
    return rendered(*order)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
