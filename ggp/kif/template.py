"""Parametric sheets: a sheet with a size, written as a Jinja2 template.

Such a file begins with one Jinja comment whose text, after the word `parameters`, is TOML: the
names of the parameters and their defaults. Templates are rendered in Jinja's sandbox, without
access to other files, in a process with bounds on time and memory. They are meant for local files;
nothing that arrives over a network is ever treated as a template.
"""

from __future__ import annotations

import errno
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ggp import apart, shipped
from ggp.errors import InputError, LimitReached, UnknownName
from ggp.kif.source import Source, read_source
from ggp.limits import DEFAULT, Limits, look

SUFFIX = ".jinja"
_TYPES = {int: "an integer", str: "text", bool: "true or false", list: "a list", float: "a number"}
SCRIPT = Path(__file__).with_name("rendering.py")

SECONDS, MEMORY = 10.0, 512 << 20
"""For one template: of computing; bytes."""

MOST_NESTED, LARGEST = 20, 10**1_000
"""Of a parameter's value: lists in each other; what a number is at the most."""

_HEAD = re.compile(r"\A\{#-?\s*parameters\b(.*?)-?#\}\r?\n?", re.DOTALL)


def is_template(path: str | Path) -> bool:
    """Whether the file's name says that it is a parametric sheet."""
    return str(path).endswith(SUFFIX)


def parameters(source: Source) -> dict[str, Any]:
    """Names and defaults of a template's parameters, in the order of the file."""
    match = _HEAD.match(source.text)
    if not match:
        raise InputError(f"{source.name}: a template begins with a comment {{# parameters … #}}")
    try:
        found = tomllib.loads(match.group(1))
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{source.name}: faulty parameters: {reason}") from None
    for name, value in found.items():
        if not _is_plain(value) or name == "error":
            raise InputError(f"{source.name}: parameter {name} cannot have that name or type")
    return found


def _is_plain(value: object, depth: int = 0) -> bool:
    """Whether a value can be written: no dates, no numbers of thousands of digits."""
    if isinstance(value, list):
        return depth < MOST_NESTED and all(_is_plain(own, depth + 1) for own in value)
    return type(value) in _TYPES and not (isinstance(value, int) and abs(value) > LARGEST)


def chosen_parameters(source: Source, values: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a template, each with its value in `values`, or else its default.

    Raises `UnknownName` and `InputError` as `render` does.
    """
    chosen = parameters(source)
    for name, value in values.items():
        if name not in chosen:
            known = ", ".join(chosen) or "none"
            raise UnknownName(f"{source.name}: no parameter {name} (there are: {known})")
        chosen[name] = _convert(name, value, chosen[name])
    return chosen


def render(source: Source, values: Mapping[str, Any], limits: Limits = DEFAULT) -> Source:
    """The sheet that a template gives for `values`; other parameters keep their defaults.

    A value may be of its default's type or text for it (`"5"`, `"[1, 2]"`). Raises `UnknownName`
    for a parameter that the template does not have, `InputError` for a value it cannot take and for
    a template that takes too much time or memory, `LimitReached` for one that gives too much text.
    """
    chosen = chosen_parameters(source, values)

    too_much = InputError(f"{source.name}: takes more than {MEMORY >> 20} MB to be rendered")

    def check(held: int, computed: float) -> None:
        look("rendering a template")
        if computed > SECONDS:
            raise InputError(f"{source.name}: takes more than {SECONDS:g} s to be rendered")
        if held > MEMORY:
            raise too_much

    try:
        what, text = apart.ask(SCRIPT, (source.text, chosen, limits.characters), check)
    except apart.Gone:
        raise too_much from None
    if what == "too long":
        raise LimitReached("characters", limits.characters, f"rendering {source.name}")
    if what == "refused":
        raise InputError(f"{source.name}: {text}")
    if what == "fault":
        raise InputError(f"{source.name}: cannot be rendered: {text}")
    settings = ", ".join(f"{name}={value}" for name, value in chosen.items())
    name = f"{source.name}[{settings}]" if settings else source.name
    return Source(name, text, declared=source.syntax, file=source.file)


def _convert(name: str, value: Any, default: Any) -> Any:  # noqa: ANN401
    """`value` as the type of `default`, read as TOML where it is text."""
    if isinstance(value, str) and not isinstance(default, str):
        try:
            read = tomllib.loads(f"value = {value}")
            value = read.pop("value") if len(read) == 1 else None
        except (ValueError, RecursionError):
            raise InputError(f"parameter {name}: cannot read {value[:40]}") from None
    if isinstance(value, tuple):
        value = list(value)
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        raise InputError(f"parameter {name}: expected {_TYPES[type(default)]}")
    return value


def find_source(path: str | Path, limits: Limits = DEFAULT) -> tuple[Source, bool]:
    """The file at `path`, or else that of the shipped sheet of such a name, as it is written; and
    whether it is a template.

    Raises `InputError` where there is none.
    """
    if not str(path):
        raise InputError("no file is named: the name is empty")
    name = None if os.path.lexists(path) else shipped.find(path)
    if name is None:
        if not os.path.lexists(path) and not str(path).endswith(shipped.SUFFIXES):
            games = "no game of such a name comes with ggp: `ggp games` lists those that do"
            raise InputError(f"{path}: {os.strerror(errno.ENOENT)}, and {games}", file=path)
        return read_source(path, limits), is_template(path)
    file = shipped.sheets()[name]
    called = f"games/{name.rpartition('/')[0]}/{file.name}"
    return replace(read_source(file, limits), name=called), is_template(file)


def read_sheet(path: str | Path, values: Mapping[str, Any], limits: Limits = DEFAULT) -> Source:
    """The sheet at `path`, or else of that name among those that come with the package; rendered
    if it is a template.

    Raises `InputError` where the file cannot be read, and `UnknownName` for parameters given to a
    plain sheet.
    """
    source, _ = find_source(path, limits)
    return sheet_from(source, values, limits, called=path)


def sheet_from(
    source: Source,
    values: Mapping[str, Any],
    limits: Limits = DEFAULT,
    *,
    called: str | Path | None = None,
) -> Source:
    """The sheet of a file as `find_source` reads it: rendered if it is a template.

    Raises `UnknownName` for parameters given to a plain sheet, calling it as said.
    """
    if source.file is not None and is_template(source.file):
        return render(source, values, limits)
    if values:
        name = source.name if called is None else called
        raise UnknownName(f"{name}: not a template (*{SUFFIX}): takes no parameter {min(values)}")
    return source
