"""Fluents that exclude each other by the form of their rules: by brute force over all states."""

from __future__ import annotations

import random
from itertools import combinations, product

import numpy as np
import pytest

import ggp
from ggp import parse
from ggp.ground import candidates
from ggp.ground.exclusion import Exclusion
from ggp.ground.net import Net
from ggp.kif import Source
from ggp.rules import read_rules
from tests.analysis.test_linear import CAPTURES
from tests.conftest import nightly
from tests.test_fuzz import random_rules

FLUENTS = 9
"""Of sheets of which all states are looked at."""


def exclusion(net: Net, groups) -> Exclusion:
    of = {f: [g for g in groups if f in g] for f in range(len(net.fluents))}
    return Exclusion(net, of, groups)


def named(net: Net, *names: str) -> tuple[int, ...]:
    return tuple(sorted(net.fluent_index[fluent] for fluent in net.fluents if str(fluent) in names))


def successors(game: ggp.Game, bits: int) -> list[int]:
    """The states after all legal joint moves, whether play is over or not."""
    machine, net = game.machine, game.net
    row = machine.rows([bits])
    view = machine.view(row)
    legal = view.legal.tolist()
    own = [
        [m for m in legal if offset <= m < offset + len(moves)]
        for offset, moves in zip(net.move_offset, net.moves, strict=True)
    ]
    joints = np.array(list(product(*own)), dtype=np.int32).reshape(-1, len(own))
    return machine.states(machine.next(row.repeat(len(joints), axis=0), joints))


@pytest.mark.parametrize("seed", [*range(40), *nightly(range(40, 400))])
def test_what_is_plain_holds_after_every_move_from_every_state(seed) -> None:
    """Reachable or not, as long as it satisfies the groups that the answer names."""
    rules = read_rules(Source("<random>", random_rules(random.Random(seed))))
    if rules.errors:
        return
    game = ggp.Game(rules)
    net = game.net
    if len(net.fluents) > FLUENTS:
        return
    groups = [g.fluents for g in candidates(net)]
    pairs = list(combinations(range(len(net.fluents)), 2))
    asked = exclusion(net, groups)
    plain = {pair: asked.rests_on(pair) for pair in pairs}
    for bits in range(1 << len(net.fluents)):
        broken = {g for g in groups if sum(bits >> i & 1 for i in g) > 1}
        open_ = {pair for pair, used in plain.items() if used is not None and not used & broken}
        if open_:
            for after in successors(game, bits):
                assert not any(after >> a & 1 and after >> b & 1 for a, b in open_)


def test_pieces_of_a_square_exclude_each_other() -> None:
    """By the squares that they come from, and since the two roles do not both move."""
    net = parse(CAPTURES).net
    squares = [named(net, f"(at {c} x)", f"(at {c} o)") for c in range(1, 6)]
    turn = named(net, "(control x)", "(control o)")
    for square in squares:
        assert exclusion(net, [*squares, turn]).rests_on(square) is not None
    assert exclusion(net, squares).rests_on(squares[2]) is None


def test_counts_exclude_each_other_where_one_move_tells() -> None:
    """A capture and none: gates with an alternative for each move."""
    net = parse(CAPTURES).net
    squares = [named(net, f"(at {c} x)", f"(at {c} o)") for c in range(1, 6)]
    turn = named(net, "(control x)", "(control o)")
    counts = named(net, *(f"(taken x {n})" for n in range(4)))
    used = exclusion(net, [*squares, turn, counts]).rests_on(counts)
    assert used is not None
    assert counts in used


def test_fluents_with_the_same_rule_do_not_exclude_each_other() -> None:
    """They are one literal of the net."""
    net = parse("""(role p) (legal p a) (legal p b) (init (x 1))
        (<= (next (x 1)) (does p a)) (<= (next (x 2)) (does p a))
        (<= terminal (true (x 2))) (goal p 100)""").net
    assert exclusion(net, []).rests_on(named(net, "(x 1)", "(x 2)")) is None


@pytest.mark.parametrize(("second", "plain"), [("b c", False), ("c d", True)])
def test_one_move_may_be_of_two_sets(second, plain) -> None:
    """Sets of moves exclude each other only where they have none in common."""
    rules = "".join(f"(<= high (does p {move}))" for move in second.split())
    net = parse(f"""(role p) (legal p a) (legal p b) (legal p c) (legal p d) (init (x 1))
        (init s) (<= (next s) (true s)) (<= low (does p a)) (<= low (does p b)) {rules}
        (<= (next (x 1)) (true s) low) (<= (next (x 2)) (true s) high)
        (<= terminal (true (x 2))) (goal p 100)""").net
    assert (exclusion(net, []).rests_on(named(net, "(x 1)", "(x 2)")) is not None) == plain


RING = """(role x) (role o) (init (at 1 x)) (init (at 3 o)) (init (control x)) (init calm)
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 1)
    (<= (legal ?r (go ?a ?b)) (true (control ?r)) (true (at ?a ?r)) (succ ?a ?b))
    (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
    (<= (next (control o)) (true (control x))) (<= (next (control x)) (true (control o)))
    (<= (next calm) (not (true calm)))
    (<= (next (at ?b ?r)) (does ?r (go ?a ?b)) {arrives})
    (<= (next (at ?c ?p)) (true (at ?c ?p)) (kept ?c))
    (<= (kept ?c) (does ?r (go ?a ?b)) (succ ?c ?d) (distinct ?a ?c) (distinct ?b ?c))
    (<= (kept ?c) (does ?r (go ?a ?b)) (succ ?c ?d) (distinct ?a ?c) (true calm))
    (<= terminal (true (at 4 x)) (true (at 4 o))) (goal x 50) (goal o 50)"""


@pytest.mark.parametrize(
    ("arrives", "plain"), [("(not (true calm))", True), ("(true calm)", False)]
)
def test_a_piece_that_stays_leaves_its_square_to_no_other(arrives, plain) -> None:
    """That it stays is one gate of many moves; each of them excludes that one arrives."""
    game = parse(RING.format(arrives=arrives))
    net = game.net
    squares = [named(net, f"(at {c} x)", f"(at {c} o)") for c in range(1, 5)]
    turn = named(net, "(control x)", "(control o)")
    groups = [*squares, turn]
    used = [exclusion(net, groups).rests_on(square) for square in squares]
    assert [found is not None for found in used] == [plain] * 4
    broken = set()
    for bits in range(1 << len(net.fluents)):
        if all(sum(bits >> i & 1 for i in group) <= 1 for group in groups):
            for after in successors(game, bits):
                broken |= {s for s in squares if sum(after >> i & 1 for i in s) > 1}
    assert bool(broken) == (not plain)
