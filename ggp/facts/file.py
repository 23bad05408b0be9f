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
    lines: dict[places.Path, tuple[int, int]]
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
    found = places.starts(places.entries(text))

    def fault(at: places.Path, message: str) -> Fault:
        known = next(at[:n] for n in range(len(at), -1, -1) if at[:n] in found or not n)
        line, column = source.place(found.get(known, 0))
        return Fault(message, line, column, _key_of(at))

    wrong = [(at, fault(at, message)) for at, message in misfits(data, FILE)]
    listed = data.get("instance")
    tables = [t for t in listed if isinstance(t, dict)] if isinstance(listed, list) else []
    lines: list[dict[places.Path, tuple[int, int]]] = [{} for _ in tables]
    for at, offset in found.items():
        if at[:1] == ("instance",) and len(at) > 1 and len(tables) == len(listed or ()):
            lines[int(at[1])][at[2:]] = source.place(offset)
    faults: dict[int | None, list[Fault]] = {}
    for at, one in wrong:
        is_inside = len(at) > 1 and at[0] == "instance" and len(tables) == len(listed or ())
        faults.setdefault(int(at[1]) if is_inside else None, []).append(one)
    made = []
    for number, table in enumerate(tables):
        own = list(faults.get(number, []))
        own += _idle_sources(table, lines[number])
        made.append(_instance(path, number, table, lines[number], own))
    title = data.get("title")
    of_file = tuple(faults.get(None, []))
    return FactsFile(path, title if isinstance(title, str) else "", tuple(made), of_file)


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


def _key_of(at: places.Path) -> str | None:
    """The key of an instance that a path leads into."""
    return str(at[2]) if len(at) > 2 else None


def _idle_sources(table: dict[str, Any], lines: dict[places.Path, tuple[int, int]]) -> list[Fault]:
    """Sources of facts that the instance does not state."""
    sources = table.get("sources")
    if not isinstance(sources, dict):
        return []
    idle = [name for name in sources if name in FACTS and name not in table]
    return [
        Fault(f"a source of {name}, which is not stated", *_place(lines, ("sources", name)))
        for name in idle
    ]


def _place(lines: dict[places.Path, tuple[int, int]], at: places.Path) -> tuple[int, int]:
    return next((lines[at[:n]] for n in range(len(at), -1, -1) if at[:n] in lines), (1, 1))


def _instance(
    path: Path,
    number: int,
    table: dict[str, Any],
    lines: dict[places.Path, tuple[int, int]],
    faults: list[Fault],
) -> Instance:
    bad = {fault.key for fault in faults}
    facts = {name: value for name, value in table.items() if name in FACTS and name not in bad}
    settings, sources = (
        {} if key in bad else dict(table.get(key, {})) for key in ("set", "sources")
    )
    return Instance(path, number, facts, lines, settings, sources, tuple(faults))
