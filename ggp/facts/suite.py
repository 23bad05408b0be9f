"""Which files of facts paths stand for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ggp import shipped
from ggp.errors import GgpError, InputError
from ggp.facts.checking import FactVerdict, InstanceReport, failure
from ggp.facts.file import SUFFIX, Instance, facts_of, read_facts, read_text, sheet_of
from ggp.shipped import SUFFIXES

Found = Path | tuple[Path, GgpError]
"""A file of facts, or a place that cannot be looked into."""


def find_files(paths: Iterable[Path]) -> list[Found]:
    """The files of facts that paths stand for, each once: a file, that beside a sheet (or a sheet
    that comes with ggp, by name), or all in a directory, in sorted order.

    In a directory other files in TOML are passed over; links to directories are not followed.
    """
    found: dict[str, Found] = {}
    for path in paths:
        for one in _of_path(path):
            where = one if isinstance(one, Path) else one[0]
            found.setdefault(os.path.realpath(where), one)
    return list(found.values())


def instances(found: Iterable[Found]) -> list[Instance | InstanceReport]:
    """All instances of some files, in order; in place of what cannot be read a report of that."""
    listed: list[Instance | InstanceReport] = []
    for one in found:
        path, error = (one, None) if isinstance(one, Path) else one
        try:
            if error is not None:
                raise error
            file = read_facts(path)
        except GgpError as fault:
            own = fault.file == str(path)
            place = (fault.line or 1, fault.column or 1) if own else (1, 1)
            told = failure(fault, *place)
            why = told.why.removeprefix(f"{path}:{place[0]}:{place[1]}: ").removeprefix(f"{path}: ")
            listed.append(_whole(path, replace(told, why=why)))
            continue
        listed += [
            _whole(path, failure(InputError(fault.message), fault.line, fault.column))
            for fault in file.faults
        ]
        listed += file.instances
    return listed


def _whole(path: Path, verdict: FactVerdict) -> InstanceReport:
    return InstanceReport(str(path), str(sheet_of(path)), "", {}, (verdict,))


def _of_path(path: Path) -> Iterator[Found]:
    if path.is_dir():
        yield from _of_directory(path)
    elif path.name.endswith(SUFFIX):
        yield path
    elif os.path.lexists(path):
        yield _beside(path)
    elif (name := shipped.find(path)) is not None:
        yield _beside(shipped.sheets()[name])
    else:
        yield path, InputError(f"{path}: no such file", file=path)


def _beside(sheet: Path) -> Found:
    """The file of facts beside a sheet."""
    if not sheet.name.endswith(SUFFIXES):
        kinds = ", ".join((SUFFIX, *SUFFIXES))
        return sheet, InputError(f"{sheet}: neither facts nor a sheet ({kinds})", file=sheet)
    facts = facts_of(sheet)
    if not os.path.lexists(facts):
        return sheet, InputError(f"{sheet}: there are no facts beside it: {facts}", file=sheet)
    return facts


def _of_directory(folder: Path) -> Iterator[Found]:
    try:
        listed = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield folder, InputError(f"{folder}: {error.strerror or error}", file=folder)
        return
    for entry in listed:
        path = folder / entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from _of_directory(path)
        elif entry.name.endswith(SUFFIX) and _is_of_facts(path):
            yield path


def _is_of_facts(path: Path) -> bool:
    """Whether a file in TOML is one of facts: a sheet is beside it, or it has instances."""
    try:
        return sheet_of(path).exists() or "[[instance]]" in read_text(path)
    except GgpError:
        return True
