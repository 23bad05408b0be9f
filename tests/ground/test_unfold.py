"""Static relations written out: the same game, of a smaller net."""

from __future__ import annotations

import random
import time

import pytest

import ggp
from ggp import Limits, parse
from ggp.ground import Net, grounder
from ggp.ground.gringo import GroundingMeter
from ggp.rules import RuleSet
from tests.conftest import nightly, shared
from tests.ground.test_decompose import agree

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


def of_net(rules: RuleSet, net: Net) -> ggp.Game:
    """A game that is played by a certain net of its rules."""
    game = ggp.Game(rules)
    game._net = net
    game.evaluator = game._evaluator()
    return game


def written_out(game: ggp.Game) -> ggp.Game | None:
    """The same game with static relations written out, if there are any."""
    program = grounder._unfolded(game.rules)
    if program is None:
        return None
    return of_net(game.rules, grounder._ground(game.rules, program, GroundingMeter(Limits()), ()))


@pytest.mark.parametrize("alike", ALIKE)
def test_the_rules_mean_the_same(alike) -> None:
    """Whatever the variables are called, and for each rule of the relation."""
    plain = parse(SETS.format(alike=ALIKE[alike]))
    other = written_out(plain)
    assert other is not None
    agree(plain, other, 60)


def some_relation(dice: random.Random) -> str:
    """Rules about three pieces with variables of their own, negations and differences."""
    rules = []
    for _ in range(dice.choice((1, 1, 2))):
        arguments = dice.sample("xyzabc", 3)  # now and then the names of the rule that asks
        own = [v for v in "vwxyz" if v not in arguments][: dice.choice((1, 2))]
        body = [f"(has ?{a} ?{dice.choice(own)})" for a in arguments]
        body += [f"(has {dice.choice(('ab', 'ac', 'd'))} ?{v})" for v in own]
        if dice.random() < 0.4:
            body.append(f"(not (has ?{dice.choice(arguments)} ?{dice.choice(own)}))")
        if dice.random() < 0.4:
            body.append(f"(distinct ?{arguments[0]} ?{arguments[1]})")
        dice.shuffle(body)
        rules.append(f"(<= (alike {' '.join(f'?{a}' for a in arguments)}) {' '.join(body)})")
    return " ".join(rules)


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 200))])
def test_on_random_relations(seed) -> None:
    plain = parse(SETS.format(alike=some_relation(random.Random(seed))))
    other = written_out(plain)
    assert other is not None
    agree(plain, other, 40)


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


@pytest.mark.slow
def test_four_pieces_with_something_in_common() -> None:
    """Quarto: a row is one alternative for each property, not for each four pieces."""
    game = ggp.load(shared("corpus", "games", "quarto.kif"))
    wide = grounder._any_way(game.rules, game.limits, (), time.monotonic())
    assert game.net.literals < wide.literals / 100
    agree(of_net(game.rules, wide), game, 1)
