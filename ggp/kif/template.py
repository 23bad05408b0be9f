"""Parametric sheets: a sheet with a size, written as a Jinja2 template.

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
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ggp.errors import GgpError, InputError, LimitReached, UnknownName
from ggp.kif.source import Source, read_source
from ggp.limits import DEFAULT, Limits

SUFFIX = ".jinja"
_TYPES = {int: "an integer", str: "text", bool: "true or false", list: "a list", float: "a number"}
MAX_STEPS = 2_000_000
"""Steps of all loops of a template together."""

_HEAD = re.compile(r"\A\{#-?\s*parameters\b(.*?)-?#\}\r?\n?", re.DOTALL)


class _Environment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, less what can take all time or memory in one step."""

    intercepted_binops = frozenset({"**", "*", "%"})

    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        for name in ("format", "center", "indent", "wordwrap"):
            self.filters.pop(name)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401
        """Powers and repetitions of a moderate size only; `%` formats with plain `%d` and `%s`."""
        sized = [abs(x) if isinstance(x, int) else len(str(x)) for x in (left, right)]
        if operator == "**" and (sized[0] > 1000 or sized[1] > 100):
            raise SecurityError("a power too large")
        if (
            operator == "*"
            and sized[0] * sized[1] > 1_000_000
            and not all(isinstance(x, int | float) for x in (left, right))
        ):
            raise SecurityError("a repetition too large")
        if operator == "%" and isinstance(left, str) and re.search(r"%[^%ds]", left):
            raise SecurityError("only %d and %s can be formatted")
        return super().call_binop(context, operator, left, right)


class _Counter:
    """A `range` for templates that counts the steps of all loops together."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def range(self, *bounds: int) -> list[int]:
        """The integers of a range, while steps are left."""
        found = range(*bounds)
        self.left -= max(1, len(found))
        if self.left < 0:
            raise SecurityError("too many steps")
        return list(found)


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
        if type(value) not in _TYPES or name == "error":
            raise InputError(f"{source.name}: parameter {name} cannot have that name or type")
    return found


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

    environment = _Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.globals["range"] = _Counter(MAX_STEPS).range
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
    name = f"{source.name}[{settings}]" if settings else source.name
    return Source(name, "".join(pieces), declared=source.syntax)


def _convert(name: str, value: Any, default: Any) -> Any:  # noqa: ANN401
    """`value` as the type of `default`, read as TOML where it is text."""
    if isinstance(value, str) and not isinstance(default, str):
        try:
            read = tomllib.loads(f"value = {value}")
            value = read.pop("value") if len(read) == 1 else None
        except (ValueError, RecursionError):
            raise InputError(f"parameter {name}: cannot read {value[:40]!r}") from None
    if isinstance(value, tuple):
        value = list(value)
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        raise InputError(f"parameter {name}: expected {_TYPES[type(default)]}")
    return value


def read_sheet(path: str | Path, values: Mapping[str, Any], limits: Limits = DEFAULT) -> Source:
    """The sheet at `path`, rendered if it is a template.

    Raises `InputError` where the file cannot be read, and `UnknownName` for parameters given to a
    plain sheet.
    """
    source = read_source(path, limits)
    if is_template(path):
        return render(source, values, limits)
    if values:
        raise UnknownName(f"{path}: not a template (*{SUFFIX}): takes no parameter {min(values)!r}")
    return source
