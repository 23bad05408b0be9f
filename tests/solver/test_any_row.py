"""Rows of tokens of any length, against all positions of short ones and values by definition."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

import ggp
from ggp.analysis.claims.any_length import row_of_any_length
from ggp.errors import InputError, LimitReached, NotSolvable
from ggp.limits import Budget
from ggp.solver.any_row import MOST_MOVES, AnyRow, any_row, any_sum
from ggp.solver.nim import RowSolution
from ggp.theory import mex, nim_sum
from tests.conftest import GAMES, nightly

KAYLES = GAMES / "kayles" / "kayles.kif.jinja"


FOO = "(<= (foo ?a) (s ?a ?b))"
BAD = "(init (bad 9 1)) (<= (next (bad ?x ?y)) (true (bad ?x ?y)))"


def row(count: int, *takes: str, lost: str = "0", more: str = "") -> ggp.Game:
    """The game of `row_text`."""
    return ggp.parse(row_text(count, *takes, lost=lost, more=more))


def row_text(
    count: int, *takes: str, lost: str = "0", more: str = "", chain: str | None = None
) -> str:
    """A row of tokens on a chain; `takes`: rules for `(may ?x N)`, that N tokens from ?x on may be
    taken. `lost`: what who cannot move gets."""
    places = range(1, count + 1)
    steps = [f"(s {i} {i + 1})" for i in places[:-1]] if chain is None else [chain]
    facts = [f"(init (token {i} up))" for i in places] + steps
    return f"""
        (role left) (role right) (init (control left)) {" ".join(facts)} {" ".join(takes)} {more}
        (<= (legal ?p (take ?x ?n)) (true (control ?p)) (may ?x ?n))
        (<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
        (<= (hit ?x) (does ?p (take ?x ?n)))
        (<= (hit ?y) (does ?p (take ?x two)) (s ?x ?y))
        (<= (next (token ?x up)) (true (token ?x up)) (not (hit ?x)))
        (<= (next (token ?x down)) (true (token ?x down)))
        (<= (next (token ?x down)) (hit ?x))
        (<= (next (control right)) (true (control left)))
        (<= (next (control left)) (true (control right)))
        (<= can (may ?x ?n))
        (<= terminal (not can))
        (<= (goal ?p {lost}) (true (control ?p)))
        (<= (goal ?p {100 - int(lost)}) (role ?p) (true (control ?q)) (distinct ?p ?q))
        """


ONE = "(<= (may ?x one) (true (token ?x up)))"
TWO = "(<= (may ?x two) (true (token ?x up)) (s ?x ?y) (true (token ?y up)))"
LONELY = """
(<= (beside ?x) (s ?x ?y) (true (token ?y up)))
(<= (beside ?x) (s ?y ?x) (true (token ?y up)))
(<= (may ?x one) (true (token ?x up)) (not (beside ?x)))
"""


@cache
def value(code: tuple[int, ...], size: int) -> int:
    """The nim-value of a run by definition, digit by digit of its code."""
    options = []
    for taken, digit in enumerate(code, start=1):
        left = size - taken
        for first in range(left + 1):
            runs = [n for n in (first, left - first) if n]
            if digit >> len(runs) & 1:
                options.append(nim_sum(value(code, n) for n in runs))
    return mex(options)


@pytest.mark.parametrize(
    ("takes", "code"),
    [((ONE, TWO), "0.77"), ((TWO,), "0.07"), ((ONE,), "0.7"), ((LONELY, TWO), "0.17")],
)
def test_the_code_is_proved_for_every_length(takes, code) -> None:
    proved = any_row(row(6, *takes))
    assert (proved.row.code, proved.play) == (code, "normal")
    digits = tuple(map(int, code[2:]))
    for size in range(12):
        found = proved.of([size])
        assert found.nim_values == (value(digits, size),)
    for sizes in ([3, 5], [4, 4, 2]):
        own = nim_sum(value(digits, n) for n in sizes)
        found = proved.of(sizes).as_json()
        assert (found["nim_value"], found["outcome"]) == (own, "N" if own else "P")
        assert found["result"] == ("left" if own else "right")


@pytest.mark.parametrize("count", [4, 7, *nightly([9])])
@pytest.mark.parametrize("takes", [(ONE, TWO), (TWO,), (LONELY, TWO)])
def test_as_all_positions_of_a_row_say(count, takes) -> None:
    game = row(count, *takes)
    proved = any_row(row(6, *takes)).of([count])
    whole = game.solve(method="positions")
    assert whole.outcome(game.initial) == proved.outcome
    told = game.solve(method="heaps")
    assert isinstance(told, RowSolution)
    space = game.space()
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "best", "outcome", "mover", "result"):
            assert getattr(told, ask)(state) == getattr(whole, ask)(state), (str(state), ask)


@pytest.mark.parametrize("takes", [(ONE, TWO), (TWO,), (LONELY, TWO)])
@pytest.mark.parametrize(
    "changed",
    [
        # The chain goes on before the row, after it, and on both sides.
        lambda text: text + "(s 0 1) (s zero 0)",
        lambda text: text + "(s 7 8) (s 8 9)",
        lambda text: text + "(s 0 1) (s 7 8)",
    ],
)
def test_a_row_that_is_part_of_a_chain(takes, changed) -> None:
    """It was searched (found by an adversary). Of other lengths nothing is told."""
    game = ggp.parse(changed(row_text(7, *takes)))
    found = game.solve(method="heaps")
    assert isinstance(found, RowSolution)
    whole = game.solve(method="positions")
    space = game.space()
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "best", "outcome", "mover", "result"):
            assert getattr(found, ask)(state) == getattr(whole, ask)(state), (str(state), ask)
    assert row_of_any_length(game, Budget(game.limits), lambda _: True) is None


@pytest.mark.parametrize("takes", [(ONE, TWO), (TWO,)])
def test_a_place_that_never_has_a_token_joins_no_rows(takes) -> None:
    """Its fluent is none, so that tokens at both sides of it stand in a row that moves part."""
    game = ggp.parse(row_text(7, *takes).replace("(init (token 4 up))", ""))
    with pytest.raises(NotSolvable):
        game.solve(method="heaps")


def test_moves_are_those_that_leave_a_lost_sum() -> None:
    """Each by what it leaves, of all that the code allows."""
    proved = any_row(row(6, ONE, TWO))
    for sizes in product(range(5), repeat=2):
        found = proved.of(sizes)
        winning = list(found.winning())
        assert bool(winning) == (found.outcome == "N")
        for i, taken, left in found.moves():
            after = proved.of([*sizes[:i], *left, *sizes[i + 1 :]])
            assert sum(left) == sizes[i] - taken
            assert ((i, taken, left) in winning) == (after.outcome == "P")


def test_a_row_longer_than_any_chain() -> None:
    """Kayles: period 12 from 71 on (Guy and Smith 1956); under misère play too (Plambeck and Siegel
    2008: a quotient of 40 elements, 9 of them lost)."""
    proved = any_row(ggp.load(KAYLES, n=12))
    found = proved.of([10**18]).as_json()
    [heap] = found["heaps"]
    assert (heap["preperiod"], heap["period"], heap["nim_value"]) == (71, 12, 1)
    assert 0 < len(found["best"]) <= MOST_MOVES
    for move in found["best"]:
        assert proved.of(move["leaves"]).outcome == "P"
    misere = any_row(ggp.load(KAYLES, n=12), misere=True).of([10**18]).as_json()
    assert misere["quotient"] == {"order": 40, "lost": 9}
    assert misere["nim_value"] is None
    whole = ggp.load(KAYLES, n=9).solve(misere=True, method="positions")
    small = any_row(ggp.load(KAYLES, n=12), misere=True).of([9])
    assert small.outcome == whole.outcome(whole.initial)


def test_a_misere_sheet_and_its_goals_exchanged() -> None:
    game = row(6, TWO, lost="100")
    proved = any_row(game)
    assert proved.play == "misère"
    for count in range(2, 9):
        own = row(count, TWO, lost="100")
        assert proved.of([count]).outcome == own.solve(method="positions").outcome(own.initial)
    assert any_row(game, misere=True).play == "normal"


@pytest.mark.parametrize(
    ("takes", "more"),
    [
        # The first place is another than all others.
        (("(<= (may ?x one) (true (token ?x up)) (distinct ?x 1))", TWO), ""),
        # So is the last, which a longer row has elsewhere.
        (("(<= (may ?x one) (true (token ?x up)) (distinct ?x 6))", TWO), ""),
        # The last is where no other comes after.
        (("(<= (may ?x two) (true (token ?x up)) (s ?x ?y) (true (token ?y up)) (s ?y ?z))",), ""),
        # What is far away counts.
        ((TWO, "(<= (may ?x one) (true (token ?x up)) (true (token ?y up)) (distinct ?x ?y))"), ""),
        # Reach is recursive, though the code is that of a row.
        ((TWO,), "(<= (far ?x ?y) (s ?x ?y)) (<= (far ?x ?z) (s ?x ?y) (far ?y ?z))"),
    ],
)
def test_what_is_no_row_of_any_length_is_refused(takes, more) -> None:
    with pytest.raises(NotSolvable, match="no octal code is proved"):
        any_row(row(6, *takes, more=more))


@pytest.mark.parametrize(
    ("takes", "more"),
    [
        # Nothing ties the places of tokens to the chain: 9 is one, and no chain has it here.
        (("(<= (may ?x one) (true (token ?x up)) (distinct ?x 9) (foo 1))",), FOO),
        (
            ("(<= (may ?x one) (true (token ?x up)) (not (special ?x)) (foo 1))",),
            FOO + "(special 9)",
        ),
        # A fact of the start names a place that there is, and one that there is not.
        (("(<= (may ?x one) (true (token ?x up)) (not (true (bad ?x 1))))", TWO), BAD),
        # A fact about the last place, where it is and not where the row ends.
        (
            (
                "(<= (may ?x one) (true (token ?x up)) (not (barred ?x)))",
                "(<= (barred ?x) (true (bad ?x)) (s ?x ?y) (not (true (bad ?y))))",
                TWO,
            ),
            "(init (bad 6)) (<= (next (bad ?x)) (true (bad ?x)))",
        ),
    ],
)
def test_places_that_are_another_on_a_longer_row(takes, more) -> None:
    """What an examiner found: a row of 9 to 11 is not what was said of it."""
    with pytest.raises(NotSolvable, match="no octal code is proved"):
        any_row(row(6, *takes, more=more))


def test_a_chain_that_is_written_downwards_and_a_rule_that_names_its_first_place() -> None:
    """A longer row has another first place, in front of 6."""
    down = " ".join(f"(s {i + 1} {i})" for i in range(1, 6))
    two = "(<= (may ?x two) (true (token ?x up)) (s ?x ?y) (true (token ?y up)) (distinct ?y 6))"
    text = row_text(6, ONE, two, chain=down)
    with pytest.raises(NotSolvable, match="no octal code is proved"):
        any_row(ggp.parse(text))
    plain = row_text(6, ONE, TWO, chain=down)
    assert any_row(ggp.parse(plain)).row.code == "0.77"


def test_a_table_beside_the_chain_is_none_of_any_length() -> None:
    """Two may be taken from the places that are listed: from each of these six."""
    listed = " ".join(f"(even {i})" for i in range(1, 7))
    take = "(<= (may ?x two) (true (token ?x up)) (s ?x ?y) (true (token ?y up)) (even ?x))"
    with pytest.raises(NotSolvable):
        any_row(row(6, take, more=listed))


def test_sizes_that_are_none_and_codes_without_a_known_period() -> None:
    proved = any_row(row(6, ONE, TWO))
    with pytest.raises(InputError, match="no run of -1"):
        proved.of([-1])
    assert proved.of([]).outcome == "P"
    assert isinstance(any_sum(row(6, TWO)), AnyRow)
    with pytest.raises(NotSolvable, match="heaps of any size"):
        any_sum(ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif"))
    game, spent = row(6, ONE, TWO), Budget(ggp.Limits(seconds=0))
    with pytest.raises(LimitReached):
        any_row(game, spent)


def test_a_code_without_a_known_period_is_answered_of_small_runs() -> None:
    """Three in a row (0.007), of which no period is known; longer rows go by their values too."""
    three = """
    (<= (may ?x three) (true (token ?x up)) (s ?x ?y) (true (token ?y up)) (s ?y ?z)
        (true (token ?z up)))
    (<= (hit ?y) (does ?p (take ?x three)) (s ?x ?y))
    (<= (hit ?z) (does ?p (take ?x three)) (s ?x ?y) (s ?y ?z))
    """
    proved = any_row(row(6, three))
    assert proved.row.code == "0.007"
    found = proved.of([7, 30]).as_json()
    assert found["nim_value"] == value((0, 0, 7), 7) ^ value((0, 0, 7), 30)
    assert {heap["period"] for heap in found["heaps"]} == {None}
    game = row(9, three)
    assert game.solve(method="heaps").nim_value(game.initial) == value((0, 0, 7), 9)


def test_a_state_that_is_no_arrangement_of_tokens_is_searched() -> None:
    game = row(5, ONE, TWO)
    found = game.solve(method="heaps")
    assert isinstance(found, RowSolution)
    both = game.state(["(token 1 up)", "(token 1 down)", "(token 2 up)", "(control left)"])
    assert found.nim_value(both) is None
    assert found.nim_value(game.state(["(token 1 up)", "(token 2 up)"])) is None
    apart = [
        "(token 1 up)",
        "(token 2 down)",
        "(token 3 up)",
        "(token 4 up)",
        "(token 5 down)",
        "(control right)",
    ]
    assert found.nim_value(game.state([*apart, "(control right)"])) == 1 ^ 2
