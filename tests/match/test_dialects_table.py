"""What managers write and read, dialect by dialect: names, messages, and answers."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from ggp.kif import Atom, Expr, List, Source, read
from ggp.match.dialects import (
    Words,
    abort_message,
    answered,
    percepts_message,
    presented,
    preview_message,
    start_message,
    turn_message,
    written,
)


def test_spellings_that_mean_one_word_are_told_in_the_first_of_them() -> None:
    rules = expressions("(role White) (init (f white)) (<= (Legal WHITE go) (TRUE (F white)))")
    told = Words(rules, None)
    assert [str(told.there(rule)) for rule in rules] == [
        "(role White)",
        "(init (f White))",
        "(<= (Legal White go) (TRUE (f White)))",
    ]
    apart = Words(rules, None, strict_case=True)
    assert [apart.there(rule) for rule in rules] == rules


def expressions(text: str) -> list[Expr]:
    return list(read(Source("<test>", text)))


def one(text: str) -> Expr:
    (found,) = expressions(text)
    return found


class Chosen(random.Random):
    """Takes the numbers that it is told to."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(1)
        self.numbers, self.asked = numbers, 0

    def sample(self, population: Sequence[int], k: int, *, counts: object = None) -> list[int]:  # type: ignore[override]
        self.asked = len(population)
        return list(self.numbers[:k])


WORD_TRUE = sum((ord(letter) - ord("a")) * 26**i for i, letter in enumerate("input"))


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (0, "aaaaa"),
        (1, "baaaa"),
        (25, "zaaaa"),
        (26, "abaaa"),
        (27, "bbaaa"),
        (26**2, "aabaa"),
        (26**4 * 3 + 2, "caaad"),
        (26**5 - 1, "zzzzz"),
        # A word of GDL is given another letter.
        (WORD_TRUE, "inputx"),
    ],
)
def test_names_are_numbers_in_five_letters(number: int, word: str) -> None:
    chosen = Chosen(number)
    words = Words(expressions("(cell)"), chosen)
    assert chosen.asked == 26**5
    assert words.there(Atom("cell")) == Atom(word)


def test_names_are_given_to_symbols_of_the_sheet_and_to_nothing_else() -> None:
    """One each, the last of them first; not to numbers, variables and words of GDL."""
    rules = expressions("(role white) (<= (legal ?p (mark 1 -2)) (true (cell ?p White)))")
    words = Words(rules, Chosen(0, 1, 2))
    told = str(words.there(List(tuple(rules))))
    assert told == "((role aaaaa) (<= (legal ?p (caaaa 1 -2)) (true (baaaa ?p aaaaa))))"
    assert words.there(Atom("other")) == Atom("other")
    assert words.there(Atom("MARK")) == Atom("caaaa")


def test_with_strict_case_spellings_are_other_symbols() -> None:
    words = Words(expressions("(f white White)"), Chosen(0, 1, 2), strict_case=True)
    assert str(words.there(one("(f white White WHITE)"))) == "(caaaa baaaa aaaaa WHITE)"


def test_names_stay_what_they_are_unless_others_are_chosen() -> None:
    rules = one("(f white (g 1))")
    assert Words([rules], None).there(rules) == rules


def test_names_are_told_apart() -> None:
    """Of a thousand symbols, by chance alone."""
    rules = [List(tuple(Atom(f"s{i}") for i in range(1_000)))]
    told = Words(rules, random.Random(1)).there(rules[0])
    names = [str(item) for item in told.items]  # type: ignore[union-attr]
    assert len(set(names)) == 1_000
    assert all(len(name) == 5 and name.isalpha() and name.islower() for name in names)
    letters = set("".join(names))
    assert len(letters) == 26


@pytest.mark.parametrize(
    ("text", "base", "dresden"),
    [
        ("a", "a", "A"),
        ("(f a ?x)", "( f a ?x )", "(F A ?X)"),
        ("(f (g 1) b)", "( f ( g 1 ) b )", "(F (G 1) B)"),
    ],
)
def test_expressions_are_written_as_managers_do(text: str, base: str, dresden: str) -> None:
    assert written(one(text), "ggp-base") == base
    assert written(one(text), "dresden") == dresden


def test_messages_as_they_are_sent() -> None:
    """Clocks without a decimal point where they have none."""
    rules = expressions("(role a) (f b)")
    assert start_message("ggp-base", "m", Atom("a"), rules, (10.0, 2.5)) == (
        "( START m a (( role a ) ( f b )) 10 2.5)"
    )
    assert start_message("dresden", "m", Atom("a"), rules, (10.0, 2.5)) == (
        "(START m A ((ROLE A) (F B)) 10 2.5)"
    )
    assert preview_message(rules, 30.0) == "( PREVIEW (( role a ) ( f b )) 30 )"
    assert abort_message("m") == "( ABORT m )"
    moves = expressions("(mark 1) noop")
    assert turn_message("ggp-base", "PLAY", "m", moves) == "( PLAY m (( mark 1 ) noop ) )"
    assert turn_message("dresden", "STOP", "m", moves) == "(STOP m ((MARK 1) NOOP))"
    assert turn_message("ggp-base", "PLAY", "m", None) == "( PLAY m NIL )"
    assert turn_message("dresden", "PLAY", "m", None) == "(PLAY m NIL)"
    assert turn_message("ggp-base", "PLAY", "m", []) == "( PLAY m ( ) )"
    assert percepts_message("dresden", "PLAY", "m", 3, one("(lift 1)"), moves) == (
        "(PLAY m 3 (LIFT 1) ((MARK 1) NOOP))"
    )
    assert percepts_message("dresden", "STOP", "m", 1, None, moves) == "(STOP m 1 NIL NIL)"
    assert percepts_message("dresden", "PLAY", "m", 2, Atom("x"), []) == "(PLAY m 2 X ())"
    assert percepts_message("ggp-base", "PLAY", "m", 2, one("(Lift 1)"), [Atom("Up")]) == (
        "(PLAY m 2 ( Lift 1 ) (Up))"
    )
    assert preview_message(rules, 1e6) == "( PREVIEW (( role a ) ( f b )) 1000000 )"
    assert preview_message(rules, 123456.7) == "( PREVIEW (( role a ) ( f b )) 123456.7 )"


@pytest.mark.parametrize(
    ("text", "base", "dresden"),
    [
        ("noop", "noop", "noop"),
        ("  noop\n", "noop", "noop"),
        ("(mark 1 2)", "(mark 1 2)", "(mark 1 2)"),
        ("( mark ( a b ) )", "(mark (a b))", "(mark (a b))"),
        # Of more than one expression the first, or none.
        ("(a) (b)", "(a)", None),
        ("(a)b", "(a)", None),
        ("a b", "a", None),
        ("((a) b) c", "((a) b)", None),
        ("noop )", "noop", None),
        # What is no expression.
        ("", None, None),
        ("(mark", None, None),
        (")", None, None),
    ],
)
def test_the_move_that_a_reply_states(text: str, base: str | None, dresden: str | None) -> None:
    for dialect, wanted in (("ggp-base", base), ("dresden", dresden)):
        found = answered(text, dialect)  # type: ignore[arg-type]
        assert (None if found is None else str(found)) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("available", {"status": "available"}),
        ("((name x) (status busy))", {"name": "x", "status": "busy"}),
        ("((name my player) (a (b c) d))", {"name": "my player", "a": "(b c) d"}),
        ("((name) (x) y (status ok))", {"status": "ok"}),
        ("()", {}),
        ("", {}),
        ("((name x)", {}),
    ],
)
def test_what_a_player_says_of_itself(text: str, said: dict[str, str]) -> None:
    assert presented(text) == said


def test_chance_keeps_its_name() -> None:
    """A player that is told another one takes chance for a role that chooses (GDL-II)."""
    [told] = [Words(expressions("(role random)"), random.Random(1)).there(one("(role random)"))]
    assert str(told) == "(role random)"
