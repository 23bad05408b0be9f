"""Sets of states that are guessed never to be reached: by the look of small rules."""

from __future__ import annotations

from itertools import product

import pytest

import ggp
from ggp.analysis.states import guesses as module
from ggp.analysis.states.guesses import Cube, related
from ggp.ground import Group

CHAIN = """(role p) (init a) (init d) (legal p wait) (<= (legal p go) (true d))
(<= (next b) (true a)) (<= (next c) (does p go)) (<= (next a) (true a)) (<= (next d) (true d))
(<= terminal (true c)) (goal p 100)"""
"""Of b one reads a, of c the move, which is legal by d; a and d are read of themselves alone."""


def index(game: ggp.Game, text: str) -> int:
    return [str(fluent) for fluent in game.net.fluents].index(text)


def literals(game: ggp.Game, *texts: str) -> Cube:
    """Fluents that hold, and with `-` before them those that do not."""
    return frozenset(
        -index(game, text[1:]) - 1 if text.startswith("-") else index(game, text) + 1
        for text in texts
    )


def group(game: ggp.Game, *texts: str) -> Group:
    return Group(tuple(index(game, text) for text in texts), exact=True)


def signs(game: ggp.Game, *pairs: tuple[str, str]) -> set[Cube]:
    """Of two fluents all four ways to hold or not."""
    return {
        literals(game, one, other)
        for a, b in pairs
        for one, other in product((a, f"-{a}"), (b, f"-{b}"))
    }


def test_a_fluent_is_related_to_what_it_comes_about_by() -> None:
    """And to what makes the moves legal by which it comes about; not to itself."""
    game = ggp.parse(CHAIN)
    found = related(game.net, ())
    assert len(found) == len(set(found))
    assert set(found) == signs(game, ("b", "a"), ("c", "d"))


@pytest.mark.parametrize(("most", "are_kept"), [(8, True), (7, False), (4, False)])
def test_where_too_many_fluents_are_related_none_is(
    monkeypatch: pytest.MonkeyPatch, most: int, are_kept: bool
) -> None:
    monkeypatch.setattr(module, "MAX_RELATED", most)
    assert len(related(ggp.parse(CHAIN).net, ())) == (8 if are_kept else 0)


TOKEN = """(role p) (init (at 1)) (s 1 2) (s 2 3) (legal p go)
(<= (next (at ?y)) (does p go) (true (at ?x)) (s ?x ?y)) (<= terminal (true (at 3))) (goal p 1)"""


def test_of_what_may_be_a_group_nothing_holds() -> None:
    game = ggp.parse(TOKEN)
    nowhere = literals(game, "-(at 1)", "-(at 2)", "-(at 3)")
    pairs = signs(game, ("(at 2)", "(at 1)"), ("(at 3)", "(at 2)"))
    assert set(related(game.net, ())) == {nowhere} | pairs


@pytest.mark.parametrize(("most", "are_kept"), [(12, True), (11, False), (7, False), (3, False)])
def test_no_more_are_looked_for_once_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch, most: int, are_kept: bool
) -> None:
    """Three pairs of places after each other, of four cubes each; that a token is nowhere stays."""
    monkeypatch.setattr(module, "MAX_RELATED", most)
    game = ggp.parse(TOKEN.replace("(s 2 3)", "(s 2 3) (s 3 4)"))
    found = set(related(game.net, ()))
    nowhere = literals(game, *(f"-(at {n})" for n in (1, 2, 3, 4)))
    assert found - {nowhere} == (
        signs(game, *((f"(at {n + 1})", f"(at {n})") for n in (1, 2, 3))) if are_kept else set()
    )
    assert nowhere in found


def counters(first: int, second: int) -> str:
    """Two counters that go so far, two places of a pair, an hour that nothing asks for."""
    steps = " ".join(f"(s {i} {i + 1})" for i in range(9))
    kinds = {"step": first, "took a": second, "hour": 9, "pair 1": 1}
    rules = [
        f"""(init ({kind} 0)) (<= (next ({kind} ?m)) (true ({kind} ?n)) (to {name} ?n ?m))
        {" ".join(f"(to {name} {i} {i + 1})" for i in range(last))}"""
        for name, (kind, last) in enumerate(kinds.items())
    ]
    return f"""(role p) (role q) {steps} (legal p go) (legal q go) {" ".join(rules)}
    (init (turn p)) (<= (next (turn p)) (true (turn q))) (<= (next (turn q)) (true (turn p)))
    (<= terminal (true (step {first})))
    (<= (goal p 1) (true (took a {second}))) (goal q 0)"""


def row(kind: str, last: int) -> list[str]:
    return [f"({kind} {i})" for i in range(last + 1)]


TURN = ["(turn p)", "(turn q)"]


@pytest.mark.parametrize(
    ("first", "second", "one", "two", "are_guessed"),
    [
        # Six values at the least; whose turn it is, by two.
        (5, 5, row("step", 5), row("took a", 5), True),
        (5, 4, row("step", 5), row("took a", 4), False),
        (4, 5, row("step", 4), row("took a", 5), False),
        (5, 7, row("step", 5), row("took a", 7), True),
        (5, 5, row("step", 5), TURN, True),
        (5, 5, TURN, row("took a", 5), True),
        # Fluents of two arguments tell nobody's turn.
        (5, 5, row("step", 5), row("pair 1", 1), False),
        # The end and the goals do not depend on the hour.
        (5, 5, row("step", 5), row("hour", 9), False),
        # A fluent of both.
        (5, 5, row("step", 5), row("step", 5)[::-1], False),
        (6, 5, row("step", 6), row("step", 6)[:6], False),
        # Of two relations.
        (5, 5, row("step", 5), [*row("took a", 5), "(turn p)"], False),
        (5, 5, row("step", 5), [*row("hour", 9), "(took a 5)"], False),
        # A fluent for each role, not for one.
        (5, 5, TURN, TURN[:1], False),
    ],
)
def test_counters_are_in_step(
    first: int, second: int, one: list[str], two: list[str], are_guessed: bool
) -> None:
    """Any value of the one with any of the other, both as they hold."""
    game = ggp.parse(counters(first, second))
    without = set(related(game.net, ()))
    found = set(related(game.net, (group(game, *one), group(game, *two))))
    wanted = {literals(game, a, b) for a in one for b in two} if are_guessed else set()
    assert found == without | wanted


CELLS = """(role p) (legal p go) (goal p 1) (init (cell 1 1))
(<= (next (cell ?x ?y)) (true (cell ?x ?z)) (to ?z ?y)) (to 1 2) (to 2 3)
(<= (next (cell ?x ?y)) (true (cell ?z ?y)) (to ?z ?x))
(init (n 0)) (<= (next (n ?m)) (true (n ?n)) (up ?n ?m))
(up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5)
(<= terminal (true (n 5)) (true (cell 3 3)))"""


def test_cells_of_a_board_do_not_count() -> None:
    """They differ in two arguments."""
    game = ggp.parse(CELLS)
    cells = [f"(cell {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3)]
    both = (group(game, *row("n", 5)), group(game, *cells))
    assert set(related(game.net, both)) == set(related(game.net, ()))


@pytest.mark.parametrize(("most", "are_kept"), [(36, True), (35, False)])
def test_too_many_counters_are_not_guessed_about(
    monkeypatch: pytest.MonkeyPatch, most: int, are_kept: bool
) -> None:
    """Six times six."""
    game = ggp.parse(counters(5, 5))
    both = group(game, *row("step", 5)), group(game, *row("took a", 5))
    monkeypatch.setattr(module, "MAX_RELATED", most)
    wanted = 36 if are_kept else 0
    assert len(module._in_step(game.net, both)) == wanted
    # A group that is named twice is one.
    assert len(module._in_step(game.net, both * 2)) == wanted
