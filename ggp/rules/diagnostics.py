"""What a check says: one record a fault, with its place, a hint, and a code to look up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ggp.kif import Source, Span
from ggp.text import shortened

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Diagnostic:
    """One fault or remark; `related` are further places with a word on each."""

    code: str
    severity: Severity
    message: str
    span: Span
    hint: str = ""
    related: tuple[tuple[Span, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}: {self.message} [{self.code}]"

    def as_json(self) -> dict[str, object]:
        """The record in the shape of `ggp check --format json`."""
        return {
            "file": self.span.source.name,
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "line": self.span.line,
            "column": self.span.column,
            "end_line": self.span.end_line,
            "end_column": self.span.end_column,
            "hint": self.hint,
            "related": [
                {"file": s.source.name, "line": s.line, "column": s.column, "message": word}
                for s, word in self.related
            ],
        }


MAX_RELATED = 20
"""Further places of one fault."""


@dataclass
class Report:
    """Diagnostics of one source, collected while it is read."""

    source: Source
    items: list[Diagnostic] = field(default_factory=list)

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        span: Span,
        *,
        hint: str = "",
        related: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        """Record a fault, once for each code and place; of long texts the ends."""
        message, hint = shortened(message), shortened(hint)
        related = tuple((place, shortened(word)) for place, word in related[:MAX_RELATED])
        if all((d.code, d.span, d.message) != (code, span, message) for d in self.items[-50:]):
            self.items.append(Diagnostic(code, severity, message, span, hint, related))

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All diagnostics in the order of their places."""
        return tuple(sorted(self.items, key=lambda d: (d.span.start, d.span.end)))
