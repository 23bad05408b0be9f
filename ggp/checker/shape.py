"""The shape of a certificate as data: what the JSON must look like, before it means anything.

`docs/certificate.schema.json` is made from these classes; `docs/certificates.md` says what the
parts mean and what is asked of them.
"""

from __future__ import annotations

import json
from inspect import cleandoc
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ggp.errors import InputError

FORMAT = "ggp-certificate-2"

MAX_CHARACTERS = 64_000_000
"""Of a certificate."""

MAX_MATCHES = 16
"""Moves of the other player that together match one move."""

Text = Annotated[str, Meta(max_length=100_000)]

Play = list[list[Text]]
"""Joint moves, each a move for each role in the order of the roles; from the start of play."""

Weights = dict[Text, int]
"""Fluents with integer weights."""

PROPERTIES = Literal[
    "turns", "passes", "form", "impartial", "all_small", "cyclic", "playable", "terminating",
    "outcome_kind", "zero_sum", "winnable",
]  # fmt: skip


class WrittenSheet(Struct, forbid_unknown_fields=True, frozen=True):
    """Which rules a certificate is about.

    `sha256`: of the lines `ggp-sheet`, the syntax, and `strict` or `folded`, each with a line feed,
    and the rules, in UTF-8. `strict_case`: whether symbols that differ in case are different.
    """

    name: Annotated[str, Meta(max_length=4096)]
    syntax: Literal["kif", "hrf", "asp"]
    strict_case: bool
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Setting(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """Fluents that hold, of all that tell whose turn it is, and whose turn it is then.

    `choice`: a play to a state with this setting in which that role has two legal moves, or one
    that does something to the board.
    """

    role: Text
    holds: list[Text]
    choice: Play | UnsetType = UNSET


class WrittenTurns(Struct, forbid_unknown_fields=True, frozen=True):
    """What tells whose turn it is; `flips`: whether it tells nothing else, so that claims may be
    about boards with the turn given to either player."""

    flips: bool
    settings: Annotated[list[Setting], Meta(min_length=1, max_length=1000)]


class WrittenGroup(Struct, forbid_unknown_fields=True, frozen=True):
    """Fluents of which at most one holds in every state; just one, if `exact`."""

    fluents: list[Text]
    exact: bool


class WrittenSum(Struct, forbid_unknown_fields=True, frozen=True):
    """Fluents whose weights, of those that hold, sum to `value` in every state."""

    weights: Weights
    value: int


class WrittenBound(Struct, forbid_unknown_fields=True, frozen=True):
    """Fluents whose weights, of those that hold, sum to `most` at most in every state."""

    weights: Weights
    most: int


class Excluded(Struct, forbid_unknown_fields=True, frozen=True):
    """No state of play has all of `holds` and none of `lacks`."""

    holds: list[Text]
    lacks: list[Text]


class Ends(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """What shows that some play ends: weights as of `cyclic`, or a play that does."""

    weights: Weights | UnsetType = UNSET
    strict: list[Text] | UnsetType | None = UNSET
    passes: bool | UnsetType = UNSET
    witness: list[Play] | UnsetType = UNSET


class Claim(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """A finding, with what is needed to check it."""

    property: PROPERTIES
    value: bool | str
    witness: list[Play] | UnsetType = UNSET
    weights: Weights | UnsetType = UNSET
    strict: list[Text] | UnsetType | None = UNSET
    passes: bool | UnsetType = UNSET
    goals: list[list[int]] | UnsetType = UNSET
    drawn: list[Play] | UnsetType = UNSET
    ends: Ends | UnsetType = UNSET
    matches: (
        dict[Text, dict[Text, Annotated[list[Text], Meta(min_length=1, max_length=MAX_MATCHES)]]]
        | UnsetType
    ) = UNSET


class Shape(Struct, forbid_unknown_fields=True, frozen=True):
    """A certificate. `turns`: null where nothing tells whose turn it is."""

    format: Literal["ggp-certificate-2"]
    sheet: WrittenSheet
    rules: Annotated[str, Meta(max_length=MAX_CHARACTERS)]
    turns: WrittenTurns | None
    groups: list[WrittenGroup]
    sums: list[WrittenSum]
    claims: list[Claim]
    excluded: list[Excluded] = []
    bounds: list[WrittenBound] = []


def read_shape(text: str) -> Shape:
    """The certificate in a text; raises `InputError` for anything that does not look like one."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"certificate: more than {MAX_CHARACTERS:,} characters")
    try:
        data = json.loads(text, object_pairs_hook=_without_doubles)
    except (ValueError, RecursionError) as error:
        raise InputError(f"certificate: no JSON ({str(error)[:80]})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"certificate: its format is not {FORMAT}")
    try:
        return msgspec.convert(data, Shape, strict=True)
    except msgspec.ValidationError as error:
        raise InputError(f"certificate: {str(error)[:200]}") from None


def schema() -> dict[str, Any]:
    """The JSON Schema of certificates."""
    shape = msgspec.json.schema(Shape)
    for part in shape["$defs"].values():
        # Python 3.13 takes the indentation out of docstrings, others do not.
        part["description"] = cleandoc(part["description"])
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": FORMAT}
    return {**head, **shape}


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; one that says two things of one name would be read in two ways."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has the same name twice")
    return found
