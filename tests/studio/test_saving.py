"""Saving: the bytes of a file that were not edited stay as they are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.errors import InputError
from ggp.kif import read_source
from ggp.studio.saving import create, ended, save

WRITTEN = b"(role a)\n; caf\xc3\xa9\n(role b)\n"

BOM = b"\xef\xbb\xbf"


def as_page(text: str) -> str:
    """A text as a field of a page has it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def edited(file: Path, old: str, new: str) -> bytes:
    """What a file is after one place of it was edited on a page and saved."""
    shown = as_page(read_source(file).text)
    assert old in shown
    save(file, shown.replace(old, new), shown)
    return file.read_bytes()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (WRITTEN, b"(role x)\n; caf\xc3\xa9\n(role b)\n"),
        (WRITTEN.rstrip(), b"(role x)\n; caf\xc3\xa9\n(role b)"),
        (WRITTEN.replace(b"\n", b"\r\n"), b"(role x)\r\n; caf\xc3\xa9\r\n(role b)\r\n"),
        (WRITTEN.replace(b"\n", b"\r"), b"(role x)\r; caf\xc3\xa9\r(role b)\r"),
        (b"(role a)\r\n(role b)\n(role c)\r\n", b"(role x)\r\n(role b)\n(role c)\r\n"),
        (BOM + WRITTEN, BOM + b"(role x)\n; caf\xc3\xa9\n(role b)\n"),
    ],
    ids=["as usual", "no end of line at the end", "CR LF", "CR", "both", "byte-order mark"],
)
def test_only_what_was_edited_is_other_bytes(tmp_path: Path, before: bytes, after: bytes) -> None:
    file = tmp_path / "a.kif"
    file.write_bytes(before)
    assert edited(file, "role a", "role x") == after


def test_lines_that_are_put_in_end_as_most_others(tmp_path: Path) -> None:
    file = tmp_path / "a.kif"
    file.write_bytes(b"(role a)\n(role b)\r\n(role c)\r\n")
    assert edited(file, "(role b)", "(role b)\n; x") == b"(role a)\n(role b)\r\n; x\r\n(role c)\r\n"


def test_a_text_that_is_not_utf_8_is_not_saved(tmp_path: Path) -> None:
    file = tmp_path / "a.kif"
    file.write_bytes(bytes([0xE8, 0xE3]).join([b"; ", b"\n(role a)\n"]))
    before = file.read_bytes()
    with pytest.raises(InputError, match="UTF-8"):
        edited(file, "role a", "role x")
    assert file.read_bytes() == before


def test_a_file_that_may_only_be_read_is_not_saved(tmp_path: Path) -> None:
    file = tmp_path / "a.kif"
    file.write_bytes(WRITTEN)
    os.chmod(file, 0o444)
    with pytest.raises(InputError, match="read"):
        edited(file, "role a", "role x")
    assert file.read_bytes() == WRITTEN


def test_what_somebody_else_changed_is_not_saved(tmp_path: Path) -> None:
    file = tmp_path / "a.kif"
    file.write_bytes(WRITTEN)
    with pytest.raises(InputError, match="changed"):
        save(file, "(role x)", "(role a)")
    assert file.read_bytes() == WRITTEN


def test_a_text_that_could_not_be_read_again_is_not_saved(tmp_path: Path) -> None:
    file = tmp_path / "a.kif"
    file.write_bytes(WRITTEN)
    for text in ("(role \0)", "(role \ud800)"):
        with pytest.raises(InputError):
            save(file, text, read_source(file).text)
    assert file.read_bytes() == WRITTEN


LINES = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["\n", "\r\n", "\r"])))


@given(LINES, LINES, LINES, LINES)
def test_lines_around_an_edit_end_as_they_did(head: Any, old: Any, new: Any, tail: Any) -> None:
    def text(*parts: list[tuple[str, str]]) -> str:
        return "".join(line + end for part in parts for line, end in part)

    before = text(head, old, tail)
    after = ended(as_page(text(head, [("x", "\n")], new, tail)), before)
    assert as_page(after) == as_page(text(head, [("x", "\n")], new, tail))
    assert after.startswith(text(head))
    assert after.endswith(text(tail))
    assert ended(as_page(before), before) == before


def test_a_new_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "new.kif"
    for text in ("half a sign: \ud83d", "nothing: \0"):
        with pytest.raises(InputError):
            create(file, text)
        assert not file.exists()
    create(file, "(role a)\n")
    with pytest.raises(InputError, match="already"):
        create(file, "(role b)\n")
    assert file.read_bytes() == b"(role a)\n"
