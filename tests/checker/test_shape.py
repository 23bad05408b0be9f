"""The shape of certificates: what is taken as one, and what is refused before it means anything."""

from __future__ import annotations

import json

import pytest

from ggp.checker import shape
from ggp.checker.shape import MAX_MATCHES, Ends, Setting, read_shape, schema
from ggp.errors import InputError

SHEET = {"name": "s", "syntax": "kif", "strict_case": False, "sha256": "0" * 64}
CLAIM = {"property": "cyclic", "value": True}
WHOLE = {
    "format": "ggp-certificate-2",
    "sheet": SHEET,
    "rules": "(role a)",
    "turns": {"flips": True, "settings": [{"role": "a", "holds": ["(control a)"]}]},
    "groups": [{"fluents": ["p", "q"], "exact": True}],
    "sums": [{"weights": {"p": -2}, "value": -2}],
    "claims": [CLAIM],
    "excluded": [{"holds": ["p"], "lacks": ["q"]}],
    "bounds": [{"weights": {"q": 3}, "most": 3}],
}


def changed(part, *path):
    """The whole certificate with another part at a path of names and places."""
    data = json.loads(json.dumps(WHOLE))
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = part
    return json.dumps(data)


def test_every_part_is_read() -> None:
    read = read_shape(json.dumps(WHOLE))
    assert (read.format, read.rules) == (WHOLE["format"], WHOLE["rules"])
    assert (read.sheet.name, read.sheet.syntax, read.sheet.strict_case) == ("s", "kif", False)
    assert read.turns.flips is True
    assert read.turns.settings == [Setting("a", ["(control a)"])]
    assert [(group.fluents, group.exact) for group in read.groups] == [(["p", "q"], True)]
    assert [(one.weights, one.value) for one in read.sums] == [({"p": -2}, -2)]
    assert [(one.property, one.value) for one in read.claims] == [("cyclic", True)]
    assert [(one.holds, one.lacks) for one in read.excluded] == [(["p"], ["q"])]
    assert [(one.weights, one.most) for one in read.bounds] == [({"q": 3}, 3)]


@pytest.mark.parametrize("name", ["excluded", "bounds"])
def test_excluded_states_and_bounds_may_be_left_out(name) -> None:
    rest = {key: part for key, part in WHOLE.items() if key != name}
    assert getattr(read_shape(json.dumps(rest)), name) == []


@pytest.mark.parametrize("name", [key for key in WHOLE if key not in ("excluded", "bounds")])
def test_all_other_parts_are_asked_for(name) -> None:
    rest = {key: part for key, part in WHOLE.items() if key != name}
    with pytest.raises(InputError):
        read_shape(json.dumps(rest))


PLAY = [["go", "wait"], ["wait", "go"]]


@pytest.mark.parametrize(
    ("part", "path"),
    [
        (None, ["turns"]),
        ([], ["claims"]),
        ("hrf", ["sheet", "syntax"]),
        ("n" * 4096, ["sheet", "name"]),
        ("other", ["claims", 0, "value"]),
        (PLAY, ["turns", "settings", 0, "choice"]),
        ([PLAY, []], ["claims", 0, "witness"]),
        (None, ["claims", 0, "strict"]),
        (["a"], ["claims", 0, "strict"]),
        ({"weights": {"p": 1}, "strict": None, "passes": True}, ["claims", 0, "ends"]),
        ({"a": {"go": ["go"] * MAX_MATCHES}}, ["claims", 0, "matches"]),
        ([[0, 100], [-3]], ["claims", 0, "goals"]),
        ([{"role": "a", "holds": []}] * 1000, ["turns", "settings"]),
        ("p" * 100_000, ["groups", 0, "fluents", 0]),
    ],
)
def test_what_may_stand_in_a_part(part, path) -> None:
    read_shape(changed(part, *path))


@pytest.mark.parametrize(
    ("part", "path"),
    [
        ("ggp-certificate-1", ["format"]),
        (2, ["format"]),
        ({}, ["turns"]),
        ([], ["turns", "settings"]),
        ([{"role": "a", "holds": []}] * 1001, ["turns", "settings"]),
        ("lisp", ["sheet", "syntax"]),
        ("n" * 4097, ["sheet", "name"]),
        ("p" * 100_001, ["groups", 0, "fluents", 0]),
        # Nothing is taken for what it is not.
        (0, ["sheet", "strict_case"]),
        ("true", ["groups", 0, "exact"]),
        ("3", ["bounds", 0, "most"]),
        (3.5, ["bounds", 0, "most"]),
        (1, ["claims", 0, "value"]),
        ("beautiful", ["claims", 0, "property"]),
        # A digest is 64 digits, in small letters.
        ("0" * 63, ["sheet", "sha256"]),
        ("0" * 65, ["sheet", "sha256"]),
        ("A" * 64, ["sheet", "sha256"]),
        # No move is matched by none, or by more than sixteen.
        ({"a": {"go": []}}, ["claims", 0, "matches"]),
        ({"a": {"go": ["go"] * 17}}, ["claims", 0, "matches"]),
        # What is not listed is refused, wherever it stands.
        (1, ["more"]),
        (1, ["sheet", "more"]),
        (1, ["turns", "more"]),
        (1, ["turns", "settings", 0, "more"]),
        (1, ["groups", 0, "more"]),
        (1, ["sums", 0, "more"]),
        (1, ["claims", 0, "more"]),
        (1, ["excluded", 0, "more"]),
        (1, ["bounds", 0, "more"]),
        ({"more": 1}, ["claims", 0, "ends"]),
    ],
)
def test_what_has_not_the_shape_is_refused(part, path) -> None:
    with pytest.raises(InputError):
        read_shape(changed(part, *path))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 200_000, "no JSON"),
        ("1" * 5_000, "no JSON"),
        ("[]", "format"),
        ('"ggp-certificate-2"', "format"),
        ("null", "format"),
        ("{}", "format"),
        ('{"format": "ggp-certificate-2"}', "missing"),
        ('{"format": "x", "format": "ggp-certificate-2"}', "twice"),
        ('{"format": "ggp-certificate-2", "sheet": {"name": "a", "name": "a"}}', "twice"),
    ],
)
def test_what_is_no_certificate_is_refused(text, why) -> None:
    """Nested too deep, or with a number too long, it is no JSON either."""
    with pytest.raises(InputError, match=why):
        read_shape(text)


@pytest.mark.parametrize(("more", "is_read"), [(1, True), (0, True), (-1, False)])
def test_no_text_is_longer_than_the_limit(more, is_read, monkeypatch) -> None:
    text = json.dumps(WHOLE)
    monkeypatch.setattr(shape, "MAX_CHARACTERS", len(text) + more)
    if is_read:
        assert read_shape(text).rules == WHOLE["rules"]
    else:
        with pytest.raises(InputError, match="characters"):
            read_shape(text)


def test_a_message_repeats_little_of_what_a_stranger_wrote() -> None:
    with pytest.raises(InputError) as error:
        read_shape(json.dumps({**WHOLE, "x" * 10_000: 1}))
    assert len(str(error.value)) < 300


def test_what_is_left_out_is_not_null() -> None:
    """`strict` may be null, which says something else than nothing."""
    [claim] = read_shape(changed(None, "claims", 0, "strict")).claims
    assert claim.strict is None
    [claim] = read_shape(json.dumps(WHOLE)).claims
    assert claim.strict is not None
    assert claim.ends is not None
    assert Ends().strict is not None


def objects(part):
    """All parts of a JSON Schema that describe an object with names of its own."""
    if isinstance(part, dict):
        if "properties" in part:
            yield part
        for inner in part.values():
            yield from objects(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from objects(inner)


def test_the_schema_is_closed_and_described() -> None:
    """A title and the draft; no object with parts of other names; text without indentation."""
    found = schema()
    assert found["title"] == WHOLE["format"]
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    parts = list(objects(found))
    assert {part["title"] for part in parts} == {
        "WrittenSheet", "Setting", "WrittenTurns", "WrittenGroup", "WrittenSum", "WrittenBound",
        "Excluded", "Ends", "Claim", "Shape",
    }  # fmt: skip
    for part in parts:
        assert part["additionalProperties"] is False
        lines = part["description"].splitlines()
        assert all(line == line.strip() for line in lines), part["title"]
