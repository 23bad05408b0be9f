"""Static relations written out: the same game, of a smaller net."""

from __future__ import annotations

import pytest

import ggp
from ggp import Limits, parse
from ggp.ground import grounder
from ggp.ground.gringo import Meter
from tests.conftest import nightly, shared
from tests.ground.test_decompose import agree
from tests.oracle.random_games import random_game

SETS = """(role p) (square 1) (square 2) (square 3)
    (has ab a) (has ab b) (has ac a) (has ac c) (has bc b) (has bc c) (has d d)
    (piece ab) (piece ac) (piece bc) (piece d)
    (<= (legal p (put ?x ?y)) (piece ?x) (square ?y) (not (taken ?y)))
    (<= (legal p wait) terminal)
    (<= (taken ?y) (true (at ?y ?x)))
    (<= (next (at ?y ?x)) (true (at ?y ?x)))
    (<= (next (at ?y ?x)) (does p (put ?x ?y)))
    (<= line (true (at 1 ?x)) (true (at 2 ?y)) (true (at 3 ?z)) (alike ?x ?y ?z))
    {alike}
    (<= full (taken 1) (taken 2) (taken 3))
    (<= terminal full) (<= (goal p 100) line) (<= (goal p 0) (not line))"""

ALIKE = {
    "own names": "(<= (alike ?a ?b ?c) (has ?a ?v) (has ?b ?v) (has ?c ?v))",
    "the caller's names": "(<= (alike ?y ?z ?v) (has ?y ?x) (has ?z ?x) (has ?v ?x))",
    "two rules": """(<= (alike ?a ?b ?c) (has ?a ?v) (has ?b ?v) (has ?c ?v) (distinct ?v a))
        (<= (alike ?a ?b ?c) (has ?a a) (has ?b ?v) (has ?c ?v) (distinct ?a ?b))""",
    "a negation": """(<= (alike ?a ?b ?c) (has ?a ?v) (has ?b ?v) (has ?c ?w) (not (has ?b ?w)))""",
}


def written_out(game: ggp.Game) -> ggp.Game | None:
    """The same game with static relations written out, if there are any."""
    program = grounder._unfolded(game.rules)
    if program is None:
        return None
    other = ggp.Game(game.rules)
    other._net = grounder._ground(game.rules, program, Meter(Limits()), ())
    return other


@pytest.mark.parametrize("alike", ALIKE)
def test_the_rules_mean_the_same(alike) -> None:
    """Whatever the variables are called, and for each rule of the relation."""
    plain = parse(SETS.format(alike=ALIKE[alike]))
    other = written_out(plain)
    assert other is not None
    agree(plain, other, 60)


@pytest.mark.parametrize("seed", [*range(30), *nightly(range(30, 200))])
def test_on_random_games(seed) -> None:
    plain = parse(random_game(seed))
    if not plain.analyse().value("cyclic"):
        other = written_out(plain)
        if other is not None:
            agree(plain, other, 3)


@pytest.mark.parametrize(
    "alike",
    [
        "(<= (alike ?a ?b ?c) (has ?a ?b) (has ?b ?c))",  # no variable of its own
        "(<= (alike ?a ?a ?c) (has ?a ?v) (has ?c ?v))",  # a head that is no plain list
        "(<= (alike ?a ?b ?c) (has ?a ?v) (alike ?b ?c ?a)) (alike ab ac bc)",  # rests on itself
        "(<= (alike ?a ?b ?c) (has ?a ?v) (true (at 1 ?b)) (true (at 2 ?c)))",  # changes
    ],
)
def test_others_are_left_as_they_are(alike) -> None:
    assert grounder._unfolded(parse(SETS.format(alike=alike)).rules) is None


def test_four_pieces_with_something_in_common() -> None:
    """Quarto: a row is one alternative for each property, not for each four pieces."""
    game = ggp.load(shared("corpus", "games", "quarto.kif"))
    wide = grounder._any_way(game.rules, game.limits, ())
    assert game.net.literals < wide.literals / 100
    other = ggp.Game(game.rules)
    other._net = wide
    agree(other, game, 1)
