"""The text of a message and what it says: docs/semantics.md 2, 16, 18 and 22, row by row."""

from __future__ import annotations

from itertools import product

import pytest

from ggp.errors import GgpError, LimitReached
from ggp.kif import List, Source, read
from ggp.limits import Limits
from ggp.match.messages import (
    MAX_MOVES,
    Abort,
    BadMessage,
    Info,
    Play,
    Preview,
    Start,
    Stop,
    _parts,
    parse_message,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("( INFO )", Info()),
        ("(PING)", Info()),
        ("(pInG)", Info()),
        ("( PREVIEW (( role a )) 2.5 )", Preview("( role a )", 2.5)),
        ("(START m a ((role a)(role b)) 5 3)", Start("m", "a", "(role a)(role b)", 5, 3)),
        ("(start m (my role) () 0 1000000)", Start("m", "(my role)", "", 0, 1e6)),
        ("( PLAY m NIL )", Play("m", None)),
        ("(play m nil)", Play("m", None)),
        ("(PLAY m ())", Play("m", None)),
        ("( PLAY m (( mark 1 3 ) noop ) )", Play("m", ("(mark 1 3)", "noop"))),
        ("( STOP m (( mark 3 2 ) noop ) )", Stop("m", ("(mark 3 2)", "noop"))),
        ("(stop m Nil)", Stop("m", None)),
        ("( ABORT m3 )", Abort("m3")),
        ("(abort m3)", Abort("m3")),
    ],
)
def test_messages_of_two_servers_in_any_case_of_letters(text, message) -> None:
    assert parse_message(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(PLAY m 0 NIL NIL)", Play("m", None, None, "0")),
        ("(PLAY m 3 (LIFT 1) ((SMELL 2) X))", Play("m", ("(SMELL 2)", "X"), "(LIFT 1)", "3")),
        ("(PLAY m 3 wait ())", Play("m", None, "wait", "3")),
        ("(PLAY m 3 nil (x))", Play("m", ("x",), None, "3")),
        ("(STOP m 4 (LIFT 1) (X))", Stop("m", ("X",))),
        ("(STOP m 4 NIL NIL)", Stop("m", None)),
    ],
)
def test_percepts_come_with_the_turn_and_our_own_move(text, message) -> None:
    assert parse_message(text) == message


def test_a_symbol_in_parentheses_is_the_symbol() -> None:
    """Who echoes moves as the sheet spells them was taken to repeat its message."""
    found = parse_message("( PLAY m ( ( pass ) ( mark ( 1 ) b ) noop ) )")
    assert found == Play("m", ("pass", "(mark 1 b)", "noop"), None, None)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "x", ")", "INFO", "()", "( )", "(INFO", "INFO)", "(INFO))", "(INFO)(INFO)",
        "(INFO)x", "(INFO) (x)", "(INFO)()", "((INFO))", "((INFO) x)", "x (INFO)", "(INFO))(",
    ],
)  # fmt: skip
def test_a_message_is_one_list_that_begins_with_a_verb(text) -> None:
    with pytest.raises(BadMessage, match="one list that begins with a verb"):
        parse_message(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(INFO x)", "INFO with 1 parts"),
        ("(PING ())", "PING with 1 parts"),
        ("(PREVIEW (a))", "PREVIEW with 1 parts"),
        ("(PREVIEW m (a) 2)", "PREVIEW with 3 parts"),
        ("(START m a (x) 5)", "START with 4 parts"),
        ("(START m a (x) 5 3 1)", "START with 6 parts"),
        ("(PLAY m)", "PLAY with 1 parts"),
        ("(PLAY m 1 NIL)", "PLAY with 3 parts"),
        ("(STOP m 1 a (b) c)", "STOP with 5 parts"),
        ("(ABORT)", "ABORT with 0 parts"),
        ("(ABORT m NIL)", "ABORT with 2 parts"),
        ("(move m NIL)", "MOVE with 2 parts"),
        ("(INFO1 m NIL)", "INFO1 with 2 parts"),
        ("(XINFO)", "XINFO with 0 parts"),
        # A verb is cut after 20 letters.
        ("(abcdefghijklmnopqrstuvwxyz)", "ABCDEFGHIJKLMNOPQRST with 0 parts"),
    ],
)
def test_what_is_no_message_is_named_with_its_parts(text, why) -> None:
    with pytest.raises(BadMessage) as error:
        parse_message(text)
    assert str(error.value) == f"no such message: {why}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(PREVIEW a 2)", "the rules of a game are a list"),
        ("(START m a rules 5 3)", "the rules of a game are a list"),
        ("(START (m) a (x) 5 3)", "a list where a symbol belongs"),
        ("(PLAY (m) NIL)", "a list where a symbol belongs"),
        ("(STOP () NIL)", "a list where a symbol belongs"),
        ("(STOP (m) 1 a (x))", "a list where a symbol belongs"),
        ("(PLAY (m) 1 a (x))", "a list where a symbol belongs"),
        ("(PLAY m (1) a (x))", "a list where a symbol belongs"),
        ("(ABORT (m))", "a list where a symbol belongs"),
        ("(PLAY m noop)", "moves are a list or NIL"),
        ("(STOP m 1 a b)", "moves are a list or NIL"),
    ],
)
def test_what_is_in_the_wrong_place(text, why) -> None:
    with pytest.raises(BadMessage) as error:
        parse_message(text)
    assert str(error.value) == why


@pytest.mark.parametrize("clock", ["0", "0.5", "1", "1e6", "1000000"])
def test_clocks_are_seconds_up_to_a_million(clock) -> None:
    assert parse_message(f"(PREVIEW () {clock})") == Preview("", float(clock))
    assert parse_message(f"(START m a () {clock} 1)") == Start("m", "a", "", float(clock), 1)
    assert parse_message(f"(START m a () 1 {clock})") == Start("m", "a", "", 1, float(clock))


@pytest.mark.parametrize(
    "clock", ["-0.5", "-1", "1000001", "1e7", "nan", "inf", "-inf", "NIL", "five", "(5)", "()"]
)
def test_what_is_no_clock(clock) -> None:
    for text in (f"(PREVIEW () {clock})", f"(START m a () {clock} 1)", f"(START m a () 1 {clock})"):
        with pytest.raises(BadMessage, match="a clock is a number of seconds"):
            parse_message(text)


def test_a_clock_is_quoted_up_to_20_letters() -> None:
    with pytest.raises(BadMessage) as error:
        parse_message("(PREVIEW () abcdefghijklmnopqrstuvwxyz)")
    assert str(error.value) == "a clock is a number of seconds, not abcdefghijklmnopqrst"


def test_rules_are_taken_as_they_are_written_and_not_read() -> None:
    """However deep they nest and whatever they say."""
    deep = "(" * 5_000 + ")" * 5_000
    for rules in (deep, "<= <= (x\t?Y\n) ( )", "(A) (a)"):
        assert parse_message(f"(START m a ({rules}) 1 1)") == Start("m", "a", rules, 1, 1)
        assert parse_message(f"(PREVIEW ({rules}) 1)") == Preview(rules, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("; who\n(INFO); is it\n", Info()),
        ("(PLAY m ; ) (\r NIL)", Play("m", None)),
        ("(PLAY m ; ) (\n NIL)", Play("m", None)),
        ("(PLAY m#|)|#NIL)", None),
        ("(PLAY m #|)|#NIL)", Play("m", None)),
        ("(PLAY m (a #| ( ; |# b))", Play("m", ("a", "b"))),
        ("(PLAY m (a;#|\nb))", Play("m", ("a", "b"))),
        ("(PLAY m (a#|b|# c))", Play("m", ("a#|b|#", "c"))),
        ("(INFO #||#)", Info()),
        ("#| a |# #| b |#(INFO)", Info()),
        ("(START m a (x ; y\nz) 1 1)", Start("m", "a", "x  \nz", 1, 1)),
    ],
)
def test_comments_are_blanks(text, message) -> None:
    if message is None:
        with pytest.raises(BadMessage):
            parse_message(text)
    else:
        assert parse_message(text) == message


@pytest.mark.parametrize("text", ["(INFO #|", "#|", "(INFO #|#)", "(INFO) #| |", "(#|x|# #| INFO)"])
def test_a_comment_that_never_ends_is_no_message(text) -> None:
    with pytest.raises(BadMessage, match="a comment that never ends"):
        parse_message(text)


@pytest.mark.parametrize("first", ["a", "#|", "|#", ";", "(", ")"])
def test_a_message_has_the_parts_that_the_reader_of_sheets_sees(first) -> None:
    """Brackets are counted here and read there: of all texts of four pieces both see the same."""
    for rest in product(["a", "#|", "|#", ";", "(", ")", "\n"], repeat=3):
        text = f"(v{''.join((first, *rest))})\n)"
        try:
            found = read(Source("<message>", text))
        except GgpError:
            found = []
        if len(found) == 1 and isinstance(found[0], List):
            parts = [read(Source("<part>", part)) for part in _parts(text)]
            assert parts == [[item] for item in found[0].items], text
        else:
            with pytest.raises(BadMessage):
                _parts(text)


def test_a_text_is_no_longer_than_its_limit() -> None:
    text = "(PLAY m (noop))"
    assert parse_message(text, Limits(characters=len(text))) == Play("m", ("noop",))
    with pytest.raises(LimitReached, match="has 15") as error:
        parse_message(text, Limits(characters=len(text) - 1))
    assert (error.value.limit, error.value.value) == ("characters", 14)


@pytest.mark.parametrize("text", ["(PLAY m {})", "(STOP m {})", "(PLAY m 1 {} (x))"])
def test_moves_are_no_longer_than_their_limit(text) -> None:
    long = f"({'a' * (MAX_MOVES - 2)})"
    assert len(long) == MAX_MOVES == 65_536
    assert long[1:-1] in str(parse_message(text.format(long)))
    with pytest.raises(LimitReached) as error:
        parse_message(text.format(f"({long[1:-1]}a)"))
    assert error.value.value == MAX_MOVES


def test_a_role_is_a_term_of_limited_length() -> None:
    with pytest.raises(LimitReached):
        parse_message(f"(START m {'a' * (MAX_MOVES + 1)} () 1 1)")


def test_moves_nest_no_deeper_than_sheets() -> None:
    limits = Limits(depth=5)
    text = "(PLAY m ((((a)))))"
    assert parse_message(text, limits) == Play("m", ("(((a)))",))
    with pytest.raises(GgpError):
        parse_message("(PLAY m ((((((a)))))))", limits)
