"""Files and encodings: docs/semantics.md 3."""

from __future__ import annotations

import pytest

from ggp import InputError, LimitReached
from ggp.kif import Source, Span, decode, read_source
from ggp.limits import Limits


def test_byte_order_mark_is_skipped() -> None:
    assert decode("\ufeff(a)".encode(), "t").text == "(a)"


def test_what_is_not_utf8_is_latin1_with_a_note() -> None:
    source = decode("(a \xe9)".encode("latin-1"), "t")
    assert source.text == "(a \xe9)"
    assert "Latin-1" in source.notes[0]


def test_binary_data_is_refused() -> None:
    with pytest.raises(InputError, match="binary"):
        decode(b"\x7fELF\0\0", "t")


def test_size_is_limited() -> None:
    with pytest.raises(LimitReached):
        decode(b"a" * 100, "t", Limits(characters=10))


@pytest.mark.parametrize("name", ["missing.kif", "."])
def test_no_file(tmp_path, name) -> None:
    with pytest.raises(InputError):
        read_source(tmp_path / name)


def test_places_count_from_one() -> None:
    source = Source("t", "ab\ncd\n")
    assert [source.place(i) for i in (0, 1, 3, 4)] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    span = Span(source, 3, 5)
    assert str(span) == "t:2:1"
    assert span.excerpt() == "cd\n^^"


def test_an_excerpt_shows_no_control_characters() -> None:
    source = Source("t", "a\x1b[31m\tb")
    assert Span(source, 0, 1).excerpt() == "a [31m b\n^"


def test_an_excerpt_of_a_long_line_is_cut_around_the_place() -> None:
    source = Source("t", "x" * 500 + "y" + "z" * 500)
    line, carets = Span(source, 500, 501).excerpt().splitlines()
    assert len(line) == 100
    assert line[carets.index("^")] == "y"
