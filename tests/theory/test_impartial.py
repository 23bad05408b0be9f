"""Nim-values, periods and outcomes of impartial games, against a table of truths and plain mex."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.theory import GameLimit, HexadecimalGame, ImpartialGame, OctalGame, misere_outcome
from ggp.theory.periodic import proved_period
from tests.conftest import shared
from tests.theory.sums import by_mex, rules, searched


def truths() -> dict:
    return json.loads(shared("truth", "impartial.json").read_text())


def test_octal_codes() -> None:
    """Nim-values, and where one is proved the period with all that it says; null stands for one
    that was not found as far as was looked there."""
    rows = truths()["octal"]
    assert len(rows) == 15
    for row in rows:
        game = OctalGame(row["code"])
        assert game.nim_values(len(row["grundy"]) - 1) == row["grundy"], row["code"]
        if row["period"] is None:
            continue
        # The table does not count size 0 among those that repeat.
        start, period = max(game.preperiod, 1), game.period
        assert (start, period) == (row["preperiod"], row["period"]), row["code"]
        assert [game.nim_value(10**6 * period + i) for i in range(period)] == row[
            "period_values_by_n_mod_p"
        ]
        known = row["exceptions"]
        if isinstance(known, int):
            assert len(game.exceptions) == known
        else:
            assert game.exceptions == {int(n): value for n, value in known.items()}


@pytest.mark.slow
def test_the_longest_period_within_reach() -> None:
    """R. Guy and C. Smith 1956, and the tables since: 0.356 repeats after 142 from 7315 on."""
    game = OctalGame("0.356")
    assert (game.preperiod, game.period) == (7315, 142)


def test_grundys_game() -> None:
    known = truths()["grundys_game"]
    game = ImpartialGame(lambda n: ((a, n - a) for a in range(1, (n + 1) // 2)))
    assert [game.nim_value(n) for n in range(len(known))] == known


def lasker(n: int) -> Iterator[tuple[int, ...]]:
    """Take any number of tokens, or split the heap."""
    yield from ((left,) for left in range(n))
    yield from ((a, n - a) for a in range(1, n // 2 + 1))


def test_laskers_nim() -> None:
    known = truths()["laskers_nim"]
    game = ImpartialGame(lasker)
    assert [game.nim_value(n) for n in range(len(known))] == known
    assert game.nim_value(3, 4, 7) == 4 ^ 3 ^ 8


def treblecross(cells: str) -> Iterator[tuple[str]]:
    """Put an X on any cell; three in a row end the game."""
    if "XXX" not in cells:
        yield from ((f"{cells[:i]}X{cells[i + 1 :]}",) for i, c in enumerate(cells) if c == ".")


def test_treblecross() -> None:
    """By its moves; from three cells on it is 0.007 with a heap of two more."""
    game = ImpartialGame(treblecross)
    for cells, outcome in truths()["treblecross_outcome"].items():
        assert game.outcome("." * int(cells)) == outcome
        if int(cells) > 2:
            assert (OctalGame("0.007").nim_value(int(cells) + 2) > 0) == (outcome == "N")


def wythoff(heaps: tuple[int, int]) -> Iterator[tuple[tuple[int, int]]]:
    """Take from one heap, or as many from both."""
    a, b = heaps
    yield from (((a - n, b),) for n in range(1, a + 1))
    yield from (((a, b - n),) for n in range(1, b + 1))
    yield from (((a - n, b - n),) for n in range(1, min(a, b) + 1))


def test_wythoffs_game() -> None:
    known = [tuple(pair) for pair in truths()["wythoff_P"]]
    game = ImpartialGame(wythoff)
    lost = ((a, a + d) for d in count() for a in [next(_lost_with(game, d))])
    assert list(islice(lost, len(known))) == known


def _lost_with(game: ImpartialGame, difference: int) -> Iterator[int]:
    return (a for a in count() if game.outcome((a, a + difference)) == "P")


Cells = frozenset[tuple[int, int]]


def cram(cells: Cells) -> Iterator[list[Cells]]:
    """Put a domino on two cells; what is left falls into pieces."""
    for x, y in cells:
        for other in ((x + 1, y), (x, y + 1)):
            if other in cells:
                yield list(pieces(cells - {(x, y), other}))


def pieces(cells: Cells) -> Iterator[Cells]:
    """The pieces of some cells, each moved to the corner."""
    left = set(cells)
    while left:
        piece = [left.pop()]
        for x, y in piece:
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            piece += beside
            left -= beside
        first, low = min(x for x, _ in piece), min(y for _, y in piece)
        yield frozenset((x - first, y - low) for x, y in piece)


def test_cram() -> None:
    game = ImpartialGame(cram)
    for board, value in truths()["cram"].items():
        rows, columns = map(int, board.split("x"))
        cells = frozenset((x, y) for x in range(rows) for y in range(columns))
        assert game.nim_value(cells) == value, board


@given(st.sampled_from("048C"), st.text("0123456789ABCDEF", min_size=1, max_size=3))
def test_hexadecimal_codes_are_by_definition(head, digits) -> None:
    if not (head + digits).strip("0"):
        return
    game = HexadecimalGame(f"{head}.{digits}")
    assert game.nim_values(24) == by_mex(game.options, 24)
    for size in range(8):
        for option in game.options(size):
            taken = size - sum(option)
            assert min(option, default=1) > 0
            assert int((head + digits)[taken], 16) >> len(option) & 1


@given(st.sampled_from("048C"), st.text("0123456789ABCDEF", min_size=1, max_size=2))
def test_a_period_of_a_hexadecimal_code_holds_as_far_as_one_looks(head, digits) -> None:
    if not (head + digits).strip("0"):
        return
    game = HexadecimalGame(f"{head}.{digits}")
    game.MAX_PERIOD_SEARCH = 64
    try:
        start, period = game.preperiod, game.period
    except ValueError:
        return
    values = game.nim_values(300)
    assert all(values[n] == values[n + period] for n in range(start, 300 - period))


@given(
    st.text("01248", min_size=1, max_size=4),
    st.sampled_from("048"),
    st.integers(1, 60),
)
def test_what_few_values_prove_of_a_period_holds_as_far_as_one_looks(digits, head, few) -> None:
    if not (head + digits).strip("0"):
        return
    game = HexadecimalGame(f"{head}.{digits}")
    values = game.nim_values(200)
    found = proved_period(values[:few], game.most, max(game.parts, 1))
    if found:
        start, period = found
        assert values[start:-period] == values[start + period :]


def test_no_heap_is_made_less_to_nothing() -> None:
    """All of the first 64 values are 0, and agree at distance 1 as far as 62 tokens ask for; but
    64 can be left as 1 and 1."""
    code = f"0.{'0' * 61}4"
    assert OctalGame(code).nim_values(64) == [0] * 64 + [1]
    assert proved_period([0] * 64, 62) is None


def test_hexadecimal_values_may_grow_for_ever() -> None:
    """And no period is claimed of them: 0.8 is worth n // 3 less one."""
    game = HexadecimalGame("0.8")
    assert game.nim_values(60) == [max(0, (n - 1) // 3) for n in range(61)]
    with pytest.raises(ValueError, match="no period"):
        game.nim_value(10**6)


@pytest.mark.parametrize("code", ["1.3", "2.1", "5.0", "0.8", "8.1", "4", "4."])
def test_octal_codes_that_are_none(code) -> None:
    """Digit 0 can split a heap, which is no pass."""
    with pytest.raises(ValueError, match="no octal code"):
        OctalGame(code)


def test_codes_are_written_in_one_way() -> None:
    assert repr(OctalGame("4.0")) == "OctalGame('4.0')"
    assert HexadecimalGame("c.f0").code == "C.F"
    assert (HexadecimalGame("C.F").most, HexadecimalGame("C.F").parts) == (1, 3)


@given(rules(), st.randoms(use_true_random=False))
def test_outcomes_are_those_of_complete_search(rule, random) -> None:
    options, parts = rule
    game = ImpartialGame(options)
    for _ in range(4):
        sum_ = random.choices(parts, k=2)
        normal, misere = (searched(options, misere=m)(sum_) for m in (False, True))
        assert (game.outcome(*sum_), game.misere_outcome(*sum_)) == (
            "P" if normal else "N",
            "P" if misere else "N",
        )


def test_misere_outcomes_of_octal_heaps() -> None:
    """Kayles 1 and 5 is lost, and so are three heaps of 1 (misere.json has more)."""
    kayles = OctalGame("0.77")
    assert misere_outcome([kayles] * 2, [1, 5]) == misere_outcome([kayles] * 3, [1, 1, 1]) == "P"
    assert misere_outcome([kayles], [5]) == "N"


def test_rules_without_end_are_refused() -> None:
    with pytest.raises(ValueError, match="play does not end"):
        ImpartialGame(lambda n: [((n + 1) % 3,)]).nim_value(0)
    endless = ImpartialGame(lambda n: [(n + 1,)], max_sums=1_000)
    with pytest.raises(GameLimit, match="1,000 sums"):
        endless.nim_value(0)


def test_limits_of_sums() -> None:
    game = ImpartialGame(OctalGame("0.77").options, max_sums=100)
    with pytest.raises(GameLimit):
        game.genus(30)
    assert game.nim_value(30) == OctalGame("0.77").nim_value(30)
