"""The catalogue of faults: for each its code, name and severity, why it matters, and examples.

The text is `catalogue.toml`; `ggp check --explain`, `docs/diagnostics.md` and the tests read it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, cast

from ggp.errors import UnknownName

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind of fault.

    `bad` and `good` are forms that, added to the sheet `sound()`, give this fault alone, and none;
    where `is_whole`, they are sheets of their own. Some faults are of files: they have no example.
    `by_default` tells whether it is reported without being asked for; `deep`, whether play shows
    it rather than the text.
    """

    code: str
    name: str
    severity: Severity
    title: str
    why: str
    bad: str
    good: str
    is_whole: bool
    by_default: bool
    deep: bool


@cache
def _read() -> tuple[str, tuple[Entry, ...]]:
    data = tomllib.loads(files("ggp.rules").joinpath("catalogue.toml").read_text(encoding="utf-8"))
    entries = tuple(
        Entry(
            code=code,
            name=fault["name"],
            severity=cast(Severity, fault["severity"]),
            title=fault["title"],
            why=fault["why"].strip(),
            bad=fault.get("bad", "").strip("\n"),
            good=fault.get("good", "").strip("\n"),
            is_whole=fault.get("whole", False),
            by_default=fault.get("default", True),
            deep=code.startswith("GDL6"),
        )
        for code, fault in data.items()
        if code != "sound"
    )
    return data["sound"], entries


def sound() -> str:
    """The sheet without a fault that the examples are added to."""
    return _read()[0]


def catalogue() -> tuple[Entry, ...]:
    """All kinds of faults, in the order of their codes."""
    return _read()[1]


@cache
def _by_name() -> dict[str, Entry]:
    return {entry.name: entry for entry in catalogue()}


def entry(name: str) -> Entry:
    """The kind of fault of that name; a `KeyError` is a fault of the program."""
    return _by_name()[name]


def matching(pattern: str) -> tuple[Entry, ...]:
    """The kinds that a code (`GDL309`), the beginning of one (`GDL3`) or a name stands for.

    Raises `UnknownName` where there is none.
    """
    asked = pattern.strip()
    upper = asked.upper()
    is_code = len(upper) > 3 and upper.startswith("GDL")
    found = tuple(
        entry
        for entry in catalogue()
        if entry.name == asked.lower() or (is_code and entry.code.startswith(upper))
    )
    if not found:
        raise UnknownName(f"no diagnostic {asked[:40]!r} (ggp check --explain lists all)")
    return found
