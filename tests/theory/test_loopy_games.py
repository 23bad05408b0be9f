"""Loopy games: facts of the literature, texts and their faults, limits."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from ggp.theory import GameLimit, LoopyGame, NotationError, NotStopperSided, ShortGame, limited
from ggp.theory.loopy import notation, simplify, value
from tests.theory import loopy_textbook as textbook

parse = LoopyGame.parse

CONSTANTS: dict[str, textbook.Graph] = {
    "on": {"a": (("a",), ())},
    "off": {"a": ((), ("a",))},
    "over": {"a": (("0",), ("a",))},
    "under": {"a": (("a",), ("0",))},
    "upon": {"a": (("a",), ("*",))},
    "upon*": {"a": (("0", "a"), ("0",))},
    "v[on]": {"a": (("*",), ("a",))},
    "^<on>": {"a": (("0",), ("b",)), "b": (("0",), ("0", "b"))},
}
"""Siegel 2013, chapter VI, and Winning Ways, chapter 11."""

BACH = "a{0,{1|1,{*,{1+*|1+*,a}|*}}|0}"


def game(name: str) -> textbook.Game:
    return textbook.reached(({**textbook.LEAVES, **CONSTANTS[name]}, "a"))


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_are_their_graphs(name) -> None:
    assert parse(name) == LoopyGame(*game(name))
    assert parse(name).is_stopper


@pytest.mark.parametrize(("one", "two"), list(itertools.product(CONSTANTS, repeat=2)))
def test_order_of_constants(one, two) -> None:
    assert (parse(one) <= parse(two)) is textbook.leq(game(one), game(two))


# Winning Ways, chapter 11, and Siegel 2013, chapter VI.
EQUAL = [
    ("on", "{pass|}"),
    ("off", "-on"),
    ("under", "-over"),
    ("on + on", "on"),
    ("on + over", "on"),
    ("on - 100", "on"),
    ("on + {5|-7}", "on"),
    ("on + off", "dud"),
    ("dud", "a{a|a}"),
    ("dud + dud", "dud"),
    ("dud + over", "dud"),
    ("dud - 3", "dud"),
    ("over + over", "over"),
    ("over + upon", "over"),
    ("over + 7.^ + *5", "over"),
    ("over - over", "over & under"),
    ("{0|over}", "over"),
    ("{over|}", "1"),
    ("{0|on}", "1"),
    ("upon + *", "{0,upon*|0}"),
    ("upon + upon", "{0|upon*}"),
    ("upon - upon", "^<on> & v<on>"),
    ("{pass|*,^4}", "upon"),
    ("a{0,a|*}", "upon"),
    ("tis", "1 & 0"),
    ("tis", "{tisn|}"),
    ("tisn", "{|tis}"),
    ("tisn", "-tis"),
    ("tis + tisn", "1 & -1"),
    ("+-on", "{on|off}"),
    ("Tiny(on)", "{0||0|off}"),
    ("+_on", "-(-_on)"),
    ("({^,pass|-1} + {^,pass|-1}) + {*,pass|-1}", "{^,pass|-1} + ({^,pass|-1} + {*,pass|-1})"),
]


@pytest.mark.parametrize(("one", "two"), EQUAL)
def test_equal_games(one, two) -> None:
    assert parse(one) == parse(two)
    assert hash(parse(one)) == hash(parse(two))
    assert str(parse(one)) == str(parse(two))


def test_where_over_and_upon_lie() -> None:
    over, upon, up = parse("over"), parse("upon"), ShortGame.up
    assert all(0 < up(n) < over < Fraction(1, 2**n) for n in range(1, 20))
    assert all(over > ShortGame.nimber(n) for n in range(5))
    assert 0 < up(1) < upon < over < 1 < parse("on")
    assert upon < up(2)
    assert upon.confused_with(ShortGame.nimber(1))
    assert 0 < parse("^<on>") < up(1)
    assert all(0 < parse("Tiny(on)") < ShortGame.tiny(n) for n in range(1, 5))
    assert parse("dud").confused_with(0)
    assert parse("off") < -(10**3) < parse("under") < 0


# The tests of CGSuite, by A. Siegel: a game, as text, and its degree of loopiness.
DEGREES = [
    ("{pass|}", "on", "on"),
    ("{0|pass}", "over", "over"),
    ("{pass|3/2}", "3/2under", "over"),
    ("{-1/4+*|pass}", "-1/4v[on]", "^<on>"),
    ("{0||0|0,pass}", "^<on>", "^<on>"),
    ("{0|^<on>||v<on>}", "{{0|^<on>}|v<on>}", "^<on>"),
    ("{0|||0||0|{|pass}}", "{0|Tiny(on)}", "{0||||0|||Miny(on)|0||off}"),
    ("{{pass|}|0||0}", "Miny(on)", "Tiny(on)"),
    ("{0|||0||pass|0}", "Tiny(over)", "Tiny(over)"),
    ("a{0||||0|||a|*||*}", "a{0|{0|{{a|*}|*}}}", "{0|a{0|0,{0|||a|0||0}}}"),
    ("1/2", "1/2", "0"),
]


@pytest.mark.parametrize(("read", "written", "degree"), DEGREES)
def test_texts_and_degrees(read, written, degree) -> None:
    found = parse(read)
    assert found.is_stopper
    assert str(found) == written
    assert parse(written) == found
    assert found.degree == parse(degree)


# As above; the outcomes by which player begins: P^ is a draw if Left begins, else his.
SIDES = [
    ("dud", "dud", "D"),
    ("a{{|a}|}", "1 & 0", "P^"),
    ("{0|{dud|},*}", "^ & v*", "N^"),
    ("-{0|{dud|},*}", "^* & v", "Nv"),
    ("tisn", "0 & -1", "Pv"),
    ("^<on> + {0|upon}", "{0|{0|^<on>*}} & {0|^[on]}", "L"),
    ("over & v", "over & v", "D"),
]


@pytest.mark.parametrize(("read", "written", "outcome"), SIDES)
def test_games_with_two_sides(read, written, outcome) -> None:
    found = parse(read)
    assert not found.is_stopper
    assert found.is_stopper_sided
    assert (str(found), found.outcome) == (written, outcome)
    assert found.offside < found < found.onside


def test_a_four_cycle_stands_in_a_simplest_form() -> None:
    """Siegel 2013, figure VI.3.2; each position of it is a form of its own."""
    found = parse("a{0||||0|||a|*||*}")
    (after,) = found.right
    assert str(after) == "a{0|{{{0|a}|*}|*}}"
    assert after.right[0].left[0].left[0] == found


def test_bachs_carousel_has_no_sides() -> None:
    """Winning Ways, chapter 11. The outcome and the form are known all the same."""
    bach = parse(BACH)
    assert not bach.is_stopper_sided
    assert bach.outcome == "N"
    assert str(bach) == "a{0,{1|1,{*,{1*|1*,a}|*}}|0}"
    assert bach == parse(BACH)
    assert hash(bach) == hash(parse(BACH))
    assert [str(option) for option in bach.right] == ["0"]
    for question in (
        lambda: bach.onside,
        lambda: bach.offside,
        lambda: bach <= 1,
        lambda: bach == 1,
        lambda: bach.confused_with(0),
        lambda: bach + parse("1 & 0"),
        lambda: parse("1 & 0") + bach,
    ):
        with pytest.raises(NotStopperSided, match="played in turns for ever"):
            question()
    assert LoopyGame({"": ([bach], [-5])}, "").left == (bach,)
    assert LoopyGame({"": ([bach], [bach])}, "") == 0
    assert str(bach + 1 - 1) == str(parse(BACH) + 0 + 1 - 1)


@pytest.mark.parametrize(("text", "guess"), [("dud", "0"), ("dud", "over"), ("tis", "2")])
def test_what_is_not_proved_is_no_side(text, guess, monkeypatch) -> None:
    """Left survives 0 − dud and over − dud, but by moves in dud alone."""
    form, wrong = (value.form_of(parse(game)._value) for game in (text, guess))
    monkeypatch.setattr(simplify, "_simplified", lambda graph, order: wrong)
    with pytest.raises(NotStopperSided):
        simplify.onside(form)


def test_graphs_of_positions_and_games() -> None:
    over, star = parse("over"), ShortGame.nimber(1)
    found = LoopyGame({"a": (["b", Fraction(1, 2), over], ["b"]), "b": ([star], [-2, "b"])}, "a")
    assert found == parse("{b{*|-2,b},1/2,over|b{*|-2,b}}")
    assert LoopyGame({0: ([0], [])}, 0) == parse("on")
    assert LoopyGame.short(3) == 3 == LoopyGame.short(ShortGame.integer(3))
    assert LoopyGame.sided(over, -1) == parse("over & -1")
    assert parse("dud").left == parse("dud").right == (parse("dud"),)
    assert [str(option) for option in parse("upon*").left] == ["0", "^[on]*"]
    assert parse("over") != Fraction(1, 3)
    assert parse("over") != "over"
    assert {parse("1/2"): "half"}[Fraction(1, 2)] == "half"


def test_wrong_graphs_and_sides() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        LoopyGame({"a": (["nowhere"], [])}, "a")
    with pytest.raises(KeyError):
        LoopyGame({"a": ([], [])}, "b")
    with pytest.raises(ValueError, match="dyadic"):
        LoopyGame({"a": ([Fraction(1, 3)], [])}, "a")
    with pytest.raises(ValueError, match="at least"):
        LoopyGame.sided(0, 1)
    with pytest.raises(ValueError, match="stoppers"):
        LoopyGame.sided(parse("dud"), 0)
    with pytest.raises(ValueError, match="no options"):
        _ = parse("over & v").left
    with pytest.raises(ValueError, match="no options"):
        LoopyGame({"a": ([parse("1 & 0")], [])}, "a")
    with pytest.raises(ValueError, match="L or R"):
        parse("on").outcome_with_draws_to("left")
    with pytest.raises(AttributeError, match="immutable"):
        parse("on").x = 1
    with pytest.raises(TypeError):
        _ = parse("on") + "1"


@pytest.mark.parametrize(
    ("text", "form", "unicode"),
    [
        ("off", "off", "off"),
        ("3/2 + over", "3/2over", "3/2over"),
        ("-1 - upon + *", "-1v[on]*", "-1↓[on]∗"),
        ("upon + *2", "{pass|*3}", "{pass|∗3}"),
        ("2 - (^<on>)", "2v<on>", "2↓<on>"),
        ("{0|*,pass}", "{0|*,pass}", "{0|∗,pass}"),
        ("a{0|{1|a}}", "1", "1"),
        ("x{0|{{x|*}|*}}", "{0|^[on]}", "{0|↑[on]}"),
        ("a{a|b{a|b{b|}}}", "on & under", "on & under"),
        ("4.over − ↑[on] + ↓<on>", "over", "over"),
        ("Tiny(2over)", "Tiny(2over)", "Tiny(2over)"),
        ("{0,{4|v<on>},{3|{over|off}}|-7,{on|-9}}", "{over,{4|v<on>}|-7}", "{over,{4|↓<on>}|-7}"),
    ],
)
def test_texts(text, form, unicode) -> None:
    found = parse(text)
    assert (str(found), found.text(unicode=True)) == (form, unicode)
    assert parse(form) == parse(unicode) == found


FAULTS = [
    ("", 1, 1, "ends"),
    ("{0|a}", 1, 4, "'a' names no game"),
    ("a{0|b}", 1, 5, "'b' names no game"),
    ("{a{0|a}|a}", 1, 9, "'a' names no game"),
    ("{{0|a}|a{0|a}}", 1, 5, "'a' names no game"),
    ("a{0|a+1}", 1, 5, "'a' names no game"),
    ("a{0|{-a|0}}", 1, 7, "'a' names no game"),
    ("pass", 1, 1, "'pass' names no game"),
    ("pass{0|}", 1, 1, "'pass' has no place"),
    ("on off", 1, 4, "no place"),
    ("0 + over2", 1, 5, "names no game"),
    ("0 & 1", 1, 3, "at least"),
    ("dud & 1", 1, 5, "stoppers"),
    ("{1 & 0|}", 1, 4, "no place"),
    ("1/3over", 1, 1, "dyadic"),
    ("a{0|a||a|a||a}", 1, 11, "a second time"),
    ("a{", 1, 3, "ends"),
    ("a{0|" * 20_000 + "a" + "}" * 19_999, 1, 100_001, "ends"),
    ("0" * 1_000_001, 1, 1_000_001, "characters"),
]


@pytest.mark.parametrize(("text", "line", "column", "what"), FAULTS, ids=lambda x: str(x)[:20])
def test_faults_have_a_place(text, line, column, what) -> None:
    with pytest.raises(NotationError, match=what) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("-" * 100_000 + "on", "on"),
        ("(" * 50_000 + "on" + ")" * 50_000, "on"),
        ("{0|" * 200 + "over" + "}" * 200, "over"),
        ("a{0|" * 200 + "a" + "}" * 200, "over"),
        ("1000000.over", "over"),
    ],
    ids=["minus", "parentheses", "braces", "names", "multiple"],
)
def test_long_texts(text, same) -> None:
    assert parse(text) == parse(same)


def ring(size: int) -> LoopyGame:
    """Left may go round for ever, and end that at one place only."""
    return LoopyGame({n: ([(n + 1) % size], [0] if n else []) for n in range(size)}, 0)


def test_sums_go_on_by_their_sides() -> None:
    part = parse("over - over + {1|pass} - {3|pass}")
    assert part.left
    assert 20 * part == parse("-40over & -40under")
    with pytest.raises(ValueError, match="no options"):
        _ = (20 * part).left


def test_limits() -> None:
    assert ring(30).onside == parse("on")
    with pytest.raises(GameLimit, match="comparison"):
        ring(2_000)
    with pytest.raises(GameLimit, match="positions"):
        parse("on") + 10**9
    with limited(steps=10_000), pytest.raises(GameLimit, match="comparisons"):
        ring(200)
    with limited(games=50), pytest.raises(GameLimit, match="new games"):
        ring(200)
    with pytest.raises(GameLimit, match="positions"):
        parse("{" + ",".join(["over"] * 50_000) + "|}")

    def stop() -> None:
        raise TimeoutError

    with limited(look=stop), pytest.raises(TimeoutError):
        ring(200)


def test_a_text_may_be_too_long(monkeypatch) -> None:
    found = parse("{5|{over|off}}")
    monkeypatch.setattr(notation, "MOST_CHARACTERS", 16)
    assert str(parse("{over|off}")) == "{over|off}"
    with pytest.raises(GameLimit, match="16 characters"):
        str(found)
    assert repr(found) == "<LoopyGame>"
