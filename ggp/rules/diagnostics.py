"""What a check says: one record a fault, with its place, a hint, and a code to look up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ggp.kif import Source, Span
from ggp.rules.catalogue import Severity, entry
from ggp.text import shortened

Related = tuple[tuple[Span, str], ...]
"""Further places with a word on each."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters of `span` are replaced by `text`."""

    span: Span
    text: str

    def as_json(self) -> dict[str, object]:
        """The edit as plain data, lines and columns from 1, the end exclusive."""
        line, column = self.span.source.place(self.span.start)
        end_line, end_column = self.span.source.place(self.span.end)
        place = {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
        return {**place, "text": self.text}


@dataclass(frozen=True, slots=True)
class Fix:
    """A correction: what it does in a few words, and its edits, which do not overlap.

    `safe`: the rules mean the same afterwards, as this system reads them.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False

    def as_json(self) -> dict[str, object]:
        """The correction as plain data."""
        return {"title": self.title, "safe": self.safe, "edits": [e.as_json() for e in self.edits]}


@dataclass(frozen=True)
class Diagnostic:
    """One fault or remark.

    `code` (`GDL309`) and `name` (`unsafe-variable`) stand in the catalogue; `related` are further
    places with a word on each; `play` are the joint moves that lead to a fault of play.
    """

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    hint: str = ""
    related: Related = ()
    fix: Fix | None = None
    play: tuple[tuple[str, ...], ...] | None = None
    facts: tuple[str, ...] = ()

    @property
    def is_by_default(self) -> bool:
        """Whether it is reported without being asked for."""
        return entry(self.name).by_default

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}: {self.message} [{self.code} {self.name}]"

    def as_json(self) -> dict[str, object]:
        """The record in the shape of `ggp check --format json`."""
        return {
            "file": self.span.source.name,
            "code": self.code,
            "name": self.name,
            "severity": self.severity,
            "message": self.message,
            "line": self.span.line,
            "column": self.span.column,
            "end_line": self.span.end_line,
            "end_column": self.span.end_column,
            "hint": self.hint,
            "related": [
                {
                    "file": s.source.name,
                    "line": s.line,
                    "column": s.column,
                    "end_line": s.end_line,
                    "end_column": s.end_column,
                    "message": word,
                }
                for s, word in self.related
            ],
            "fix": self.fix.as_json() if self.fix else None,
            "play": None if self.play is None else [list(joint) for joint in self.play],
            "facts": list(self.facts),
        }


MAX_RELATED = 20
"""Further places of one fault."""


@dataclass
class _CauseGroup:
    """What is found of one cause."""

    first: Diagnostic
    places: dict[tuple[int, int], None]
    related: list[tuple[Span, str]] = field(default_factory=list)
    edits: dict[Edit, None] = field(default_factory=dict)

    def relate(self, span: Span, word: str) -> None:
        place = (span.start, span.end)
        if place not in self.places and len(self.related) < MAX_RELATED:
            self.places[place] = None
            self.related.append((span, shortened(word)))

    def diagnostic(self) -> Diagnostic:
        fix = self.first.fix
        fix = fix and replace(fix, edits=tuple(self.edits))
        return replace(self.first, related=tuple(self.related), fix=fix)


@dataclass
class Report:
    """Diagnostics of one source, collected while it is read."""

    source: Source
    _groups: dict[tuple[str, object], _CauseGroup] = field(default_factory=dict)
    _places: set[tuple[int, int]] = field(default_factory=set)

    def add(
        self,
        name: str,
        message: str,
        span: Span,
        *,
        hint: str = "",
        related: Iterable[tuple[Span, str]] = (),
        fix: Fix | None = None,
        cause: str = "",
    ) -> None:
        """Record a fault of that name in the catalogue; of long texts the ends.

        Faults of one name and one `cause` are one diagnostic, the later places related to the
        first; their corrections are made together.
        """
        known = entry(name)
        key = (name, cause or (span.start, span.end, message))
        group = self._groups.get(key)
        if group is None:
            message, hint = shortened(message), shortened(hint)
            first = Diagnostic(known.code, name, known.severity, message, span, hint, fix=fix)
            group = self._groups[key] = _CauseGroup(first, {(span.start, span.end): None})
        else:
            group.relate(span, "also here")
        self._places.add((span.start, span.end))
        for place, word in related:
            group.relate(place, word)
        if fix and group.first.fix:
            group.edits.update(dict.fromkeys(fix.edits))

    def has(self, span: Span) -> bool:
        """Whether something is reported of just that place."""
        return (span.start, span.end) in self._places

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All diagnostics in the order of their places."""
        return in_order(group.diagnostic() for group in self._groups.values())


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics in the order of their places."""
    return tuple(sorted(diagnostics, key=lambda d: (d.span.start, d.span.end, d.code)))
