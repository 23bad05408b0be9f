"""The one hierarchy of errors: catch `GgpError` to catch everything that this package raises.

Every message is one line (a syntax error adds the offending line and a caret) and says what was
wrong and where; `str(error)` is what the command line prints.
"""

from __future__ import annotations

from collections.abc import Sequence


class GgpError(Exception):
    """Anything that this package reports on purpose."""


class InputError(GgpError):
    """Input that cannot be read at all: a missing file, a directory, a broken template."""


class KifSyntaxError(InputError):
    """Text that is not KIF: an unmatched parenthesis, a comment that never ends.

    `span` is the place (a `ggp.kif.Span`) where the text is in a file.
    """

    def __init__(self, message: str, span: object = None) -> None:
        super().__init__(message)
        self.span = span


class RulesError(GgpError):
    """A rule sheet that no game can be made of; `diagnostics` says why, one entry a fault."""

    def __init__(self, message: str, diagnostics: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


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


class LimitReached(GgpError):
    """A stated limit was passed; `limit` names it, `value` is the bound that was in force."""

    def __init__(self, limit: str, value: float, detail: str = "") -> None:
        shown = f"{value:,}" if isinstance(value, int) else f"{value:g}"
        super().__init__(f"limit reached: {limit} = {shown}" + (f" ({detail})" if detail else ""))
        self.limit = limit
        self.value = value
