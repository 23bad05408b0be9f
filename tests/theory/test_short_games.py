"""Values of short games against tables, facts of the literature, and a slow textbook."""

from __future__ import annotations

import csv
import itertools
import json
import pickle
import runpy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from hypothesis import given, settings

from ggp.theory import GameLimit, LoopyGame, NotationError, ShortGame, limited, nim_product
from ggp.theory.short.table import BIRTHDAY, GRAIN, LEFT, RIGHT
from tests.conftest import ROOT, shared
from tests.theory import textbook
from tests.theory.games import TREES

parse = ShortGame.parse
BENCHMARK = runpy.run_path(str(ROOT / "benchmarks" / "values.py"))
toads_and_frogs = BENCHMARK["toads_and_frogs"]
moves = BENCHMARK["moves"]


def table(name: str) -> list[dict[str, str]]:
    """The rows of a table of the reference material."""
    return list(csv.DictReader(shared("truth", name).read_text(encoding="utf-8").splitlines()))


def built(node) -> ShortGame:
    """The game of an integer or of a pair of lists."""
    return ShortGame.integer(node) if isinstance(node, int) else ShortGame(*map(built_all, node))


def built_all(nodes) -> list[ShortGame]:
    return [built(node) for node in nodes]


def unordered(node) -> object:
    return node if isinstance(node, int) else tuple(frozenset(map(unordered, s)) for s in node)


def shape(game: ShortGame) -> object:
    """Canonical options, down to integers."""
    if game.is_number and game.mean.denominator == 1:
        return int(game.mean)
    return tuple(frozenset(map(shape, side)) for side in (game.left, game.right))


def test_the_table_of_values() -> None:
    cases = json.loads(shared("truth", "values.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) > 400
    for case in cases:
        game = built(case["tree"])
        parts, weight = case["number_up_star"], case["atomic_weight"]
        assert shape(game) == unordered(case["tree"]), case["value"]
        # The table tells some options in another order.
        assert sorted(str(game)) == sorted(case["value"])
        assert parse(case["value"]) == parse(str(game)) == parse(game.text(unicode=True)) == game
        assert game.outcome == case["outcome"]
        assert (str(game.mean), str(game.temperature)) == (case["mean"], case["temperature"])
        assert str(game.thermograph.mast) == case["mean"]
        assert str(game.thermograph.temperature) == case["temperature"]
        assert (str(game.left_stop), str(game.right_stop)) == (
            case["left_stop"],
            case["right_stop"],
        )
        assert (game.birthday, game.is_all_small) == (case["birthday"], case["dicot"])
        assert game.number_up_star == (parts and (Fraction(parts[0]), *parts[1:]))
        assert game.reduced == parse(case["reduced"])
        assert game.atomic_weight == (weight if weight is None else parse(weight))
        assert pickle.loads(pickle.dumps(game)) is game


def test_toads_and_frogs_up_to_five() -> None:
    boards = {row["board"]: row for row in table("toads_and_frogs_upto5.csv")}
    assert len(boards) == 363
    for board, row in boards.items():
        assert toads_and_frogs(board) == parse(row["value"]), board
        assert toads_and_frogs(board).outcome == row["outcome"]


EXPRESSIONS = {
    "gteqZero zero": "zero >= 0",
    "lteqZero zero": "zero <= 0",
    "gteqZero one": "one >= 0",
    "lteqZero one": "one <= 0",
    "fuzzyZero star": "star.confused_with(0)",
    "fromRational (1%4) == fourth": "Fraction(1, 4) == fourth",
    "isNumber zero": "zero.is_number",
    "isNumber one": "one.is_number",
    "isNumber (fromRational (3%8))": "ShortGame.number(Fraction(3, 8)).is_number",
    "isNumber star": "star.is_number",
    "isNumber up": "up.is_number",
    "isNumber down": "down.is_number",
    "nim 1 + nim 2 == nim 3": "nim(1) + nim(2) == nim(3)",
    "nim 1 + nim 3 == nim 2": "nim(1) + nim(3) == nim(2)",
    "1 `nimPlus` 3": "nim_sum([1, 3])",
    "Game [one] [] == two": "ShortGame([one]) == two",
    "Game [zero, one] [] == two": "ShortGame([zero, one]) == two",
    "show (NUS 0 0 0)": "[str(ShortGame.up(0))]",
    "show (NUS 3 2 1)": "[(3 + ShortGame.up(2, 1)).text(unicode=True).replace('⇑', '↑↑')]",
    "Game [0] [up]": "ShortGame([0], [up])",
    "boardToGame [T,T,E,E,F,F]": "toads_and_frogs('TT__FF')",
    "boardToGame [T,T,T,F,E,F]": "toads_and_frogs('TTTF_F')",
    "boardToGame [E,T,T,T,E,F]": "toads_and_frogs('_TTT_F')",
    "boardToGame [E,T,T,E,F,F,E]": "toads_and_frogs('_TT_FF_')",
}
"""Expressions that are not Python but for `||` and fractions."""


def python(expression: str) -> str:
    """An expression of the table in Python."""
    if " || " in expression:
        left, right = expression.split(" || ")
        return f"{left}.confused_with({right})"
    plain = expression.replace("fromRational (1%", "Fraction(1, ")
    return EXPRESSIONS.get(expression, plain)


def test_the_table_of_the_whirlwind_tour() -> None:
    rows = table("haskell_gist_table.csv")
    assert len(rows) == 50
    one, star = ShortGame.integer(1), ShortGame.nimber(1)
    names = {
        "ShortGame": ShortGame,
        "Fraction": Fraction,
        "toads_and_frogs": toads_and_frogs,
        "nim": ShortGame.nimber,
        "nim_sum": lambda values: values[0] ^ values[1],
        "zero": ShortGame(),
        "one": one,
        "two": ShortGame([one]),
        "star": star,
        "half": ShortGame([0], [1]),
        "fourth": ShortGame([0], [ShortGame([0], [1])]),
        "up": ShortGame([0], [star]),
        "down": ShortGame([star], [0]),
        "switch": ShortGame([1], [-1]),
    }
    for row in rows:
        if row["expression"].startswith("bestLeftMove"):
            best = [to for to in moves("_TT_FF_", "T", "F", 1) if toads_and_frogs(to) >= 0]
            assert [(to, str(toads_and_frogs(to))) for to in best] == [("_T_TFF_", "1/4")]
            continue
        found = eval(python(row["expression"]), names)
        claimed = row["claimed"]
        if isinstance(found, ShortGame):
            assert found == parse(claimed)
        elif isinstance(found, list):
            assert found == [claimed.strip('"')]
        else:
            assert str(found) == claimed, row


@settings(deadline=None)
@given(TREES, TREES)
def test_the_textbook_agrees(g, h) -> None:
    mine, yours = textbook.value(g), textbook.value(h)
    assert textbook.shape(mine) == textbook.canonical(g)
    assert (mine <= yours, yours <= mine) == (textbook.leq(g, h), textbook.leq(h, g))
    assert (mine == yours) == (textbook.leq(g, h) and textbook.leq(h, g))
    assert mine + yours == textbook.value(textbook.plus(g, h))
    assert -mine == textbook.value(textbook.minus(g))


def test_the_22_games_born_by_day_2_and_some_of_the_1474_of_day_3() -> None:
    """Siegel 2013, section III.1."""
    day = [ShortGame()]
    for _ in range(2):
        sides = [s for n in range(3) for s in itertools.combinations(day, n)]
        day = list({ShortGame(left, right) for left in sides for right in sides})
    assert len(day) == 22
    assert max(g.birthday for g in day) == 2
    antichains = [
        s
        for n in range(5)
        for s in itertools.combinations(day, n)
        if all(x.confused_with(y) for x, y in itertools.combinations(s, 2))
    ]
    assert len({ShortGame(left, right) for left in antichains for right in antichains}) == 1474


FACTS = [
    # Siegel 2013, sections II.1 and II.4; Winning Ways, chapters 2, 3, 5 and 8.
    ("{0|1}", "1/2"),
    ("{0|*}", "^"),
    ("^+^*", "^^*"),
    ("{0|^}", "^^*"),
    ("{^|v}", "*"),
    ("{0,*|0}", "^*"),
    ("{1|1}", "1*"),
    ("{-1|1}", "0"),
    ("{1/4|1}", "1/2"),
    ("{2|5}", "3"),
    ("{-7|}", "0"),
    ("{0|*2}", "^*3"),
    ("{0,*|0,*}", "*2"),
    ("+-1 + +-1", "0"),
    ("*2 + *3", "*"),
    ("{0||0|-2}", "+_2"),
    ("{2|0||0}", "-_2"),
    ("{2||1|0}", "{2|{1|0}}"),
    ("{3|2||1|||0}", "{{{3|2}|1}|0}"),
    ("+-{1,{3|0}}", "{1,{3|0}|-1,{0|-3}}"),
    ("3.^ - 2.^", "^"),
    ("-3·*2", "*2"),
    ("-(1^)", "-1v"),
    ("1 -1/2^", "1/2v"),
    ("⇑∗ + ↓ − ↓4", "^5*"),
    ("±1", "{1|-1}"),
]


@pytest.mark.parametrize(("one", "other"), FACTS)
def test_facts(one, other) -> None:
    assert parse(one) == parse(other)


@pytest.mark.parametrize(
    ("stalk", "value"),
    # Berlekamp's rule for blue-red Hackenbush stalks (Winning Ways, chapter 3).
    {
        "": "0",
        "bbb": "3",
        "br": "1/2",
        "brr": "1/4",
        "brb": "3/4",
        "bbrb": "7/4",
        "rb": "-1/2",
        "rrbr": "-7/4",
        "brrrrrrrrr": "1/512",
    }.items(),
)
def test_hackenbush_stalks_are_ordinal_sums(stalk, value) -> None:
    game = ShortGame()
    for edge in reversed(stalk):
        game = ShortGame.integer(1 if edge == "b" else -1).ordinal_sum(game)
    assert game == parse(value)


def test_green_stalks_are_nimbers_and_flowers_dwarf_them() -> None:
    """∗ : ∗n = ∗(n+1) and ∗2 : 1 is a flower (Winning Ways, chapters 2 and 7)."""
    star = ShortGame.nimber(1)
    assert star.ordinal_sum(ShortGame.nimber(4)) == ShortGame.nimber(5)
    flower = star.ordinal_sum(1)
    assert flower == parse("{0,*|0}") == parse("^*")
    assert flower.atomic_weight == 1


def test_tiny_is_positive_and_smaller_than_every_up() -> None:
    """Winning Ways, chapter 5; Siegel 2013, section II.4."""
    tiny = ShortGame.tiny(2)
    assert tiny > 0
    assert 12 * tiny < ShortGame.up()
    assert 3 * ShortGame.tiny(3) < tiny
    assert ShortGame.miny(2) == -tiny
    assert (str(tiny), str(-tiny)) == ("Tiny(2)", "Miny(2)")
    assert tiny.atomic_weight is None


@pytest.mark.parametrize(
    ("dicot", "weight"),
    # Winning Ways, chapter 8; Siegel 2013, section II.7.
    {
        "0": "0",
        "*5": "0",
        "^": "1",
        "v3*": "-3",
        "{^*|*}": "0",
        "{^^|*}": "1",
        "{^^|v}": "1/2",
        "{^^|vv}": "*",
        "{^3|v3}": "+-1",
    }.items(),
)
def test_atomic_weights(dicot, weight) -> None:
    assert parse(dicot).atomic_weight == parse(weight)


def test_incentives() -> None:
    """What a move gains; in a switch the same for both, in a number less than nothing."""
    game = parse("{2|-1}")
    assert game.left_incentives == game.right_incentives == (parse("{3|0}"),)
    assert [x < 0 for x in parse("3/4").left_incentives] == [True]


def test_nim_products() -> None:
    """The field of 16 nimbers (On Numbers and Games, chapter 6)."""
    field = range(16)
    for a in field:
        assert {nim_product(a, b) for b in field} == (set(field) if a else {0})
        for b, c in itertools.product(field, field):
            assert nim_product(a, b ^ c) == nim_product(a, b) ^ nim_product(a, c)
            assert nim_product(a, nim_product(b, c)) == nim_product(nim_product(a, b), c)
    assert nim_product(1 << 64, 1 << 64) == 3 << 63


def test_deep_games_overflow_nothing() -> None:
    depth = 10_000
    assert sys.getrecursionlimit() < depth
    assert ShortGame.integer(10**9) - ShortGame.integer(10**9 - 1) == 1
    assert ShortGame.up(depth).outcome == "L"
    assert ShortGame.up(depth) > parse("{0||0|-1}")
    assert ShortGame.up(depth).birthday == depth + 1
    game = ShortGame()
    for n in range(depth):
        game = ShortGame([n + 1], [game])
    assert game.birthday == depth + 1
    mirrored = -game
    assert -mirrored is game
    assert game < game + 1
    assert (game.outcome, (game - Fraction(19_999, 2)).outcome) == ("L", "N")
    assert pickle.loads(pickle.dumps(game)) is game
    assert str(game).startswith("{10000|{9999|")
    assert parse("{0|" * depth + "-1" + "}" * depth).mean == 0
    assert parse("{|" * depth + "}" * depth) == 1 - depth


def test_limits_stop_work_cleanly() -> None:
    with limited(games=50) as meter, pytest.raises(GameLimit, match="new games"):
        sum(ShortGame([Fraction(7, 2) ** n // 1], [-(5**n)]) for n in range(30))
    assert meter.games < 0
    hot = [parse(f"{{{5**n}|{{0|{-(7**n)}}}}}") for n in range(1, 6)]
    with limited(steps=20), pytest.raises(GameLimit, match="comparisons"):
        sum(hot)
    total = hot[0] + hot[1]
    assert total - hot[0] == hot[1]


def test_limits_within_limits() -> None:
    with limited(games=1_000) as outer:
        with limited(games=10) as inner:
            assert ShortGame.integer(987_654_321).birthday == 987_654_321
        assert inner.games == 9
        assert outer.games == 999


def test_what_ctrl_c_leaves_half_entered_is_taken_back() -> None:
    LEFT.append(())
    half = ShortGame.number(Fraction(12_345, 1 << 40))
    assert len({len(column) for column in (LEFT, RIGHT, BIRTHDAY, GRAIN)}) == 1
    assert half.right[0] > half > half.left[0]


def test_texts_have_a_limit_games_have_none() -> None:
    game = parse("{2|0,+-1}")
    for n in range(3, 40):
        game = ShortGame([n, ShortGame([3 * n], [game])], [-n, ShortGame([game], [-3 * n])])
    assert repr(game) == f"<ShortGame of birthday {game.birthday}>"
    assert game.left[0] == 39
    with pytest.raises(GameLimit, match="characters"):
        str(game)
    assert pickle.loads(pickle.dumps(game)) is game


def test_games_are_immutable_and_made_once() -> None:
    game = parse("{1|-1}")
    with pytest.raises(AttributeError):
        game._id = 3
    assert ShortGame([1, 0], [-1]) is game
    assert {game, ShortGame.switch(1), parse("1"), 1} == {game, 1}
    assert game != "{1|-1}"
    assert ShortGame.integer(0) != Fraction(1, 3)


@pytest.mark.parametrize("make", [ShortGame.number, ShortGame().cool, ShortGame().heat])
def test_thirds_are_no_games(make) -> None:
    with pytest.raises(ValueError, match="dyadic"):
        make(Fraction(1, 3))


def test_threads_find_the_same() -> None:
    def work(seed: int) -> list[ShortGame]:
        return [
            ShortGame([n], [ShortGame([0], [-n - seed % 2]), parse("*")]) + parse("^")
            for n in range(1, 60)
        ]

    with ThreadPoolExecutor(4) as pool:
        first, second, third, fourth = pool.map(work, range(4))
    assert first == third
    assert second == fourth


@pytest.mark.slow
def test_the_benchmark_makes_a_table() -> None:
    few = ("--length", "4", "--count", "100", "--sheets", "1")
    command = [sys.executable, "benchmarks/values.py", *few]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    theory, sheets = done.stdout.split("\n\n")
    rows = [row.split("|") for row in theory.splitlines()[2:]]
    assert [row[2].strip() for row in rows] == ["120", "100", "8"]
    (row,) = [row.split("|") for row in sheets.splitlines()[2:]]
    assert [cell.strip() for cell in row[1:4]] == ["kayles/kayles-7.kif", "`*2`", "7"]


@pytest.mark.parametrize("text", ["0.5", "3.5", "{1.25|0}", "2.1/2"])
def test_a_dot_before_digits_is_no_product(text) -> None:
    for kind in (ShortGame, LoopyGame):
        with pytest.raises(NotationError, match="no place here"):
            kind.parse(text)


def test_numbers_are_integers_and_fractions() -> None:
    one = ShortGame.integer(1)
    for wrong in (lambda: ShortGame.number(0.5), lambda: one.cool(0.5), lambda: one.heat(one)):
        with pytest.raises(TypeError, match="an int or a Fraction"):
            wrong()


def test_there_are_no_nimbers_below_zero() -> None:
    for pair in ((-1, 3), (3, -1), (-1, -1), (0, -2)):
        with pytest.raises(ValueError, match="no nimber -"):
            nim_product(*pair)


@pytest.mark.parametrize(("first", "second"), [(1, 10**9), (-3, -(10**9)), (0, 10**9), (7, 0)])
def test_stalks_of_one_colour_are_added(first, second) -> None:
    """Winning Ways, chapter 1: n edges of a colour are n moves."""
    assert ShortGame.integer(first).ordinal_sum(second) == first + second


def test_a_long_ordinal_sum_pays_for_its_steps() -> None:
    with limited(steps=10_000), pytest.raises(GameLimit):
        ShortGame.nimber(1).ordinal_sum(10**9)
