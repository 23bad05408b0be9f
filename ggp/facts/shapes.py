"""Values and the shapes that they are to have, which are written as JSON Schema.

Of JSON Schema just what the format of facts uses: `type`, `enum`, `minimum`, `format` `kif`,
`minItems`, `items`, `required`, `properties`, `additionalProperties`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from math import isfinite
from typing import Any

from ggp.errors import GgpError
from ggp.facts.places import Path
from ggp.kif import read_term
from ggp.text import shortened

Shape = Mapping[str, Any]

LARGEST = 2**63 - 1
"""Of the integers that TOML promises."""

Misfit = tuple[Path, str]
"""Where inside a value something is wrong, and what."""

_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}

_WORDS = {
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "string": "a text",
    "array": "a list",
    "object": "a table",
}
"""What to call a type in TOML."""


def misfits(value: Any, shape: Shape, path: Path = ()) -> Iterator[Misfit]:  # noqa: ANN401
    """Everything in a value that is not of the shape."""
    kinds = shape.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        expected = " or ".join(_WORDS[kind] for kind in kinds)
        yield path, f"expected {expected}, found {_shown(value)}"
    elif not _is_json(value):
        yield path, f"expected a value that JSON has, found {_shown(value)}"
    elif "enum" in shape and value not in shape["enum"]:
        near = suggestion(value, shape["enum"])
        yield path, f"expected {_any_of(shape['enum'])}, found {_shown(value)}{near}"
    elif "minimum" in shape and value < shape["minimum"]:
        yield path, f"expected at least {shape['minimum']}, found {_shown(value)}"
    elif shape.get("format") == "kif" and not _is_kif(value):
        yield path, f"expected a term of KIF, found {_shown(value)}"
    elif isinstance(value, list):
        yield from _of_items(value, shape, path)
    elif isinstance(value, dict):
        yield from _of_keys(value, shape, path)


def suggestion(word: str, known: Iterable[str]) -> str:
    """What a misspelt word may have meant, as the end of a message; empty where nothing is near."""
    near = get_close_matches(str(word), list(known), 1)
    return f" (did you mean {near[0]}?)" if near else ""


def _is(value: object, kind: str) -> bool:
    # To Python true is a number.
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _is_json(value: object) -> bool:
    """Whether a value is one that JSON has, and that all can read: no date, no infinity."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, int):
        return -LARGEST <= value <= LARGEST
    return any(isinstance(value, own) for own in _TYPES.values())


def _is_kif(text: str) -> bool:
    try:
        read_term(text)
    except GgpError:
        return False
    return True


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) > LARGEST:
        return f"a number of {value.bit_length():,} bits"
    return shortened(f'"{value}"' if isinstance(value, str) else str(value), 60)


def _any_of(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words[:-1]) + f' or "{words[-1]}"'


def _of_items(items: list[Any], shape: Shape, path: Path) -> Iterator[Misfit]:
    if len(items) < shape.get("minItems", 0):
        yield path, f"expected {shape['minItems']} or more in the list"
    for number, item in enumerate(items):
        yield from misfits(item, shape.get("items", {}), (*path, number))


def _of_keys(table: dict[str, Any], shape: Shape, path: Path) -> Iterator[Misfit]:
    known, others = shape.get("properties", {}), shape.get("additionalProperties", {})
    for key in shape.get("required", ()):
        if key not in table:
            yield path, f"without {key}"
    for key, value in table.items():
        own = known.get(key, others)
        if own is False:
            yield (*path, key), f"unknown key {shortened(key, 60)}{suggestion(key, known)}"
        else:
            yield from misfits(value, own, (*path, key))
