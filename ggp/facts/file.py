"""Files of facts, read: each instance with its facts, the places of its keys, and what is wrong."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp.errors import InputError, LimitReached
from ggp.facts import places
from ggp.facts.format import FACTS, FILE
from ggp.facts.shapes import misfits
from ggp.kif import Source, Span, read_bytes
from ggp.limits import DEFAULT
from ggp.shipped import SUFFIXES
from ggp.text import shortened

SUFFIX = ".toml"

_TOLD = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""The end of a message of `tomllib`."""


Lines = dict[places.Path, tuple[int, int]]
"""Line and column of keys."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a file of facts, and where: at which key of an instance, if at one."""

    message: str
    line: int
    column: int
    key: str | None = None


@dataclass(frozen=True)
class Instance:
    """One sheet with one choice of parameters, and what is known of it.

    `number` counts from 0; `lines` has line and column of each key, and of the roles of `goals`.
    `faults` are of this instance; the facts that they are about are not among `facts`.
    """

    file: Path
    number: int
    facts: dict[str, Any]
    lines: Lines
    settings: dict[str, Any]
    sources: dict[str, Any]
    faults: tuple[Fault, ...] = ()

    @property
    def sheet(self) -> Path:
        """The sheet that the facts are about."""
        return sheet_of(self.file)

    @property
    def label(self) -> str:
        """What to call the instance: the sheet, its number, its parameters."""
        values = ", ".join(f"{k}={v}" for k, v in self.settings.items())
        return f"{self.sheet.name.split('.')[0]}#{self.number + 1}" + (
            f"[{shortened(values, 60)}]" if values else ""
        )


@dataclass(frozen=True)
class FactsFile:
    """All of a file; `faults` are of no instance."""

    path: Path
    title: str
    instances: tuple[Instance, ...]
    faults: tuple[Fault, ...] = ()


def sheet_of(path: Path) -> Path:
    """The sheet that a file of facts is about: `NAME.kif`, or else `NAME.kif.jinja`."""
    found = [path.with_suffix(suffix) for suffix in SUFFIXES]
    return next((sheet for sheet in found if sheet.exists()), found[0])


def facts_of(sheet: Path) -> Path:
    """The file of facts that belongs to a sheet."""
    name = sheet.name
    for suffix in reversed(SUFFIXES):
        name = name.removesuffix(suffix)
    return sheet.with_name(name + SUFFIX)


def read_facts(path: Path) -> FactsFile:
    """The facts in the file at `path`.

    Faults of single keys are kept with what is sound. Raises `InputError` where there is no
    readable file, or where it is no TOML; `LimitReached` where it is too large.
    """
    return parse_facts(read_text(path), path)


def read_text(path: Path) -> str:
    """The text of a file of facts, with its own line ends; raises as `read_facts` does."""
    data = read_bytes(path, 4 * DEFAULT.characters + 1)
    if len(data) > 4 * DEFAULT.characters:
        raise LimitReached("characters", DEFAULT.characters, f"{path} is larger than that")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}:1: TOML is UTF-8, and this is not", file=path) from None


def parse_facts(text: str, path: Path) -> FactsFile:
    """The facts in a text that is, or would be, the file at `path`; see `read_facts`."""
    source = Source(str(path), text)
    data = _loaded(source)
    starts = places.starts(places.entries(text))
    lines = {at: source.place(offset) for at, offset in starts.items()}
    listed = data.get("instance")
    tables = listed if isinstance(listed, list) and all(map(_is_table, listed)) else []
    own: list[list[Fault]] = [[] for _ in tables]
    of_file: list[Fault] = []
    for at, message in misfits(data, FILE):
        is_inside = tables and len(at) > 1 and at[0] == "instance"
        key = str(at[2]) if len(at) > 2 else None
        fault = Fault(message, *place_of(lines, at), key)
        (own[int(at[1])] if is_inside else of_file).append(fault)
    inside: list[Lines] = [{} for _ in tables]
    for at, place in lines.items():
        if tables and len(at) > 1 and at[0] == "instance":
            inside[int(at[1])][at[2:]] = place
    made = [
        _instance(path, number, table, inside[number], own[number])
        for number, table in enumerate(tables)
    ]
    title = data.get("title")
    return FactsFile(path, title if isinstance(title, str) else "", tuple(made), tuple(of_file))


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def place_of(lines: Lines, at: places.Path) -> tuple[int, int]:
    """Line and column of a key, or else of what it stands in."""
    nearest = (at[:n] for n in range(len(at), -1, -1) if at[:n] in lines)
    return lines.get(next(nearest, ()), (1, 1))


def _loaded(source: Source) -> dict[str, Any]:
    """What TOML a text holds; raises `InputError` with the place of a fault."""
    try:
        return tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        message = str(error).splitlines()[0]
        told = _TOLD.search(message)
        line, column = (int(told[1]), int(told[2])) if told and told[1] else (1, 1)
        if told and not told[1]:
            line, column = source.place(len(source.text))
        reason = _TOLD.sub("", message)
        text = f"{source.name}:{line}:{column}: no TOML: {reason[:1].lower()}{reason[1:]}"
        raise _no_toml(text, source, line, column) from None


def _no_toml(message: str, source: Source, line: int, column: int) -> InputError:
    start = sum(len(part) for part in source.text.split("\n")[: line - 1]) + line - 1
    error = InputError(message)
    error.span = Span(source, start + column - 1, start + column)
    return error


def _idle_sources(table: dict[str, Any], lines: Lines) -> list[Fault]:
    """Sources of facts that the instance does not state."""
    sources = table.get("sources")
    if not isinstance(sources, dict):
        return []
    idle = [name for name in sources if name in FACTS and name not in table]
    return [
        Fault(f"a source of {name}, which is not stated", *place_of(lines, ("sources", name)))
        for name in idle
    ]


def _instance(
    path: Path,
    number: int,
    table: dict[str, Any],
    lines: Lines,
    faults: list[Fault],
) -> Instance:
    faults = [*faults, *_idle_sources(table, lines)]
    bad = {fault.key for fault in faults}
    facts = {name: value for name, value in table.items() if name in FACTS and name not in bad}
    settings, sources = (
        {} if key in bad else dict(table.get(key, {})) for key in ("set", "sources")
    )
    return Instance(path, number, facts, lines, settings, sources, tuple(faults))
