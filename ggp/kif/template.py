"""Parametric sheets: KIF with a size, written as a Jinja2 template.

Such a file begins with one Jinja comment whose text, after the word `parameters`, is TOML: the
names of the parameters and their defaults. Templates are rendered in Jinja's sandbox, without
access to other files. They are meant for local files; nothing that arrives over a network is ever
treated as a template.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ggp.errors import GgpError, InputError, LimitReached, UnknownName
from ggp.kif.source import Source, read_source
from ggp.limits import DEFAULT, Limits

SUFFIX = ".jinja"
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
        return tomllib.loads(match.group(1))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source.name}: faulty parameters: {error}") from None


def render(source: Source, values: Mapping[str, Any], limits: Limits = DEFAULT) -> Source:
    """The sheet that a template gives for `values`; other parameters keep their defaults.

    A value may be of its default's type or text for it (`"5"`, `"[1, 2]"`). Raises `UnknownName`
    for a parameter that the template does not have and `InputError` for a value it cannot take.
    """
    chosen = parameters(source)
    for name, value in values.items():
        if name not in chosen:
            known = ", ".join(chosen) or "none"
            raise UnknownName(f"{source.name}: no parameter {name!r} (there are: {known})")
        chosen[name] = _convert(name, value, chosen[name])

    def refuse(message: object) -> NoReturn:
        raise InputError(f"{source.name}: {message}")

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    pieces: list[str] = []
    size = 0
    try:
        for piece in environment.from_string(source.text).generate(**chosen, error=refuse):
            size += len(piece)
            if size > limits.characters:
                raise LimitReached("characters", limits.characters, f"rendering {source.name}")
            pieces.append(piece)
    except GgpError:
        raise
    except Exception as error:
        # An expression in a template can fail in any way that Python knows.
        raise InputError(f"{source.name}: cannot be rendered: {error}") from None
    settings = ", ".join(f"{name}={value}" for name, value in chosen.items())
    return Source(f"{source.name}[{settings}]" if settings else source.name, "".join(pieces))


def _convert(name: str, value: Any, default: Any) -> Any:  # noqa: ANN401
    """`value` as the type of `default`, read as TOML where it is text."""
    if isinstance(value, str) and not isinstance(default, str):
        try:
            read = tomllib.loads(f"value = {value}")
            value = read.pop("value") if len(read) == 1 else None
        except (tomllib.TOMLDecodeError, RecursionError):
            raise InputError(f"parameter {name}: cannot read {value[:40]!r}") from None
    if isinstance(value, tuple):
        value = list(value)
    if type(value) is not type(default):
        wanted = {int: "an integer", str: "text", bool: "true or false", list: "a list"}
        raise InputError(f"parameter {name}: expected {wanted.get(type(default), 'a value')}")
    return value


def read_sheet(path: str | Path, values: Mapping[str, Any], limits: Limits = DEFAULT) -> Source:
    """The KIF text at `path`, rendered if it is a template.

    Raises `InputError` where the file cannot be read, and `UnknownName` for parameters given to a
    plain sheet.
    """
    source = read_source(path, limits)
    if is_template(path):
        return render(source, values, limits)
    if values:
        raise UnknownName(f"{path}: not a template (*{SUFFIX}): takes no parameter {min(values)!r}")
    return source
