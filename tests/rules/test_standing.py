"""What may stand where in facts: all that play comes to, and no number beyond its chain."""

from __future__ import annotations

import pytest

import ggp
from ggp.kif import read_terms
from ggp.rules.standing import Standing
from tests.conftest import GAMES

SHEETS = sorted(path for path in GAMES.glob("*/*.kif") if path.stat().st_size < 20_000)

CHAIN = """(role a) (init (heap 2 3)) (init (last none)) (init (tag (f 1)))
    (succ 1 2) (succ 2 3) (succ 3 4) (amount 7) (cost 0) (cost 9)
    (<= (legal a (take ?n)) (true (heap ?h ?m)) (succ ?n ?m)) (<= (legal a (pay ?c)) (cost ?c))
    (<= (legal a (drop ?n)) (amount ?n))
    (<= (next (heap 2 ?n)) (does a (take ?n))) (<= (next (last ?n)) (does a (take ?n)))
    (<= (next (last ?n)) (does a (drop ?n))) (<= (next (paid ?c)) (does a (pay ?c)))
    (<= (next (last ?n)) (does a (drop ?n)) (less ?n 0))
    (<= terminal (true (heap 2 1))) (goal a 100)"""


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_what_play_comes_to_may_stand_where_it_does(path) -> None:
    game = ggp.load(path)
    standing = Standing(game.rules)
    assert [fact for fact in game.net.fluents if standing.misplaced(fact)] == []


@pytest.mark.parametrize(
    ("fact", "misplaced"),
    [
        ("(heap 2 4)", None),
        # The name of a heap is no size, and no size a name.
        ("(heap 3 4)", "3"),
        ("(heap 2 none)", None),
        # An amount is one of the same sort, and beyond the chain.
        ("(last 7)", "7"),
        ("(last 4)", None),
        ("(last none)", None),
        ("(last 007)", "007"),
        # Of another sort, which has no chain.
        ("(paid 9)", None),
        ("(paid 2)", "2"),
        ("(tag (f 1))", None),
        ("(tag (f 2))", "2"),
    ],
)
def test_constants_stand_where_their_sort_does(fact, misplaced) -> None:
    [term] = read_terms(fact)
    found = Standing(ggp.parse(CHAIN).rules).misplaced(term)
    assert (found and str(found)) == misplaced


def test_a_number_before_the_chain_may_stand_for_nothing() -> None:
    """As the place of what was taken off the board, in a sheet of stones on a ring."""
    rules = ggp.parse(CHAIN.replace("(init (last none))", "(init (last 0))")).rules
    [nothing, beyond] = read_terms("(last 0) (last 5)")
    assert Standing(rules).misplaced(nothing) is None
    assert str(Standing(rules).misplaced(beyond)) == "5"
