"""The one hierarchy of errors: catch `GgpError` to catch everything that this package raises.

Every message is one line (a syntax error adds the offending line and a caret) and says what was
wrong and where; `str(error)` is what the command line prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Place(Protocol):
    """Where in a text a fault is; a `ggp.kif.Span` is one."""

    @property
    def source(self) -> Any: ...  # noqa: ANN401, D102 - a `ggp.kif.Source`
    @property
    def line(self) -> int: ...  # noqa: D102
    @property
    def column(self) -> int: ...  # noqa: D102


class GgpError(Exception):
    """Anything that this package reports on purpose.

    `span` is where in a text the fault is, if it is in a text.
    """

    span: Place | None = None

    @property
    def file(self) -> str | None:
        """The name of the text that the fault is in, or None."""
        return None if self.span is None else str(self.span.source.name)

    @property
    def line(self) -> int | None:
        """The line of the fault, from 1, or None."""
        return None if self.span is None else self.span.line

    @property
    def column(self) -> int | None:
        """The column of the fault, from 1, or None."""
        return None if self.span is None else self.span.column


class InputError(GgpError):
    """Input that cannot be read at all: a missing file, a directory, a broken template."""

    def __init__(self, message: str, *, file: object = None) -> None:
        super().__init__(message)
        self._file = None if file is None else str(file)

    @property
    def file(self) -> str | None:
        """The file that cannot be read, or None."""
        return super().file if self._file is None else self._file


class KifSyntaxError(InputError):
    """Text that is not KIF: an unmatched parenthesis, a comment that never ends."""

    def __init__(self, message: str, span: Place | None = None) -> None:
        super().__init__(message)
        self.span = span


class RulesError(GgpError):
    """A rule sheet that no game can be made of; `diagnostics` says why, one entry a fault.

    The span is that of the first.
    """

    def __init__(self, message: str, diagnostics: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)
        self.span = self.diagnostics[0].span if self.diagnostics else None


class UnknownName(GgpError, ValueError):
    """A role, fluent or parameter that the game does not have."""


class IllegalMove(GgpError, ValueError):
    """A move that is not legal in the state it was tried in, or not of this game at all."""


class NoLegalMove(GgpError):
    """A state that is not terminal although a role has no legal move (a fault of the rules)."""


class GoalError(GgpError):
    """A state in which a role does not have exactly one goal value."""


class NotSolvable(GgpError):
    """A question that has no answer for this game, such as a best move under simultaneous play."""


MEGABYTE = 1 << 20
"""Bytes in what options and messages call a MB."""


class LimitReached(GgpError):
    """A stated limit was passed; `limit` names it, `value` is the bound that was in force (memory
    in bytes)."""

    def __init__(self, limit: str, value: float, detail: str = "") -> None:
        shown = f"{value:,}" if isinstance(value, int) else f"{value:g}"
        if limit == "memory" and value >= MEGABYTE:
            shown = f"{value / MEGABYTE:,.0f} MB"  # as options have it
        super().__init__(f"limit reached: {limit} = {shown}" + (f" ({detail})" if detail else ""))
        self.limit = limit
        self.value = value
        self.detail = detail

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.limit, self.value, self.detail)


class BudgetSpent(LimitReached):
    """The account of a whole command, analysis or solution is overdrawn, not that of one step."""


def exit_code(error: GgpError) -> int:
    """The exit code of a command that an error ends: 1 the answer is "no", 2 wrong use or
    unreadable input, 3 a stated limit was reached."""
    if isinstance(error, LimitReached):
        return 3
    no = (RulesError, KifSyntaxError, IllegalMove, GoalError, NoLegalMove, NotSolvable)
    return 1 if isinstance(error, no) else 2
