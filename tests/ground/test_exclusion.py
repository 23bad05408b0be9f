"""Fluents that exclude each other by the form of their rules: by brute force over all states."""

from __future__ import annotations

import random
from itertools import combinations, product

import numpy as np
import pytest

import ggp
from ggp import parse
from ggp.ground import candidates
from ggp.ground import exclusion as exclusions
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


# 102: a gate that rests on itself, and was written out without end.
@pytest.mark.parametrize("seed", [*range(40), 102, *nightly([*range(40, 102), *range(103, 400)])])
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


@pytest.mark.parametrize("seed", [*range(40), *nightly(range(40, 400))])
def test_what_is_mapped_move_by_move_holds_after_every_move(seed, monkeypatch) -> None:
    """As above, of groups too large to be compared: of moves that send each place to another, some
    of two roles, some from two places to one, some with conditions besides."""
    monkeypatch.setattr(exclusions, "WAYS", 0)
    rng = random.Random(seed)
    rules, places = [], range(rng.choice([3, 4]))
    for role, move in (("x", "a"), ("x", "b"), ("o", "c"))[: rng.choice([2, 2, 3])]:
        for place in places:
            for to in rng.sample(places, rng.choice([0, 1, 1, 1, 1, 2])):
                more = rng.choice(
                    ["", "", "(true (at 0))", f"(not (true (at {rng.choice(places)})))"]
                )
                more = more if rng.random() < 0.3 else ""
                rules.append(
                    f"(<= (next (at {to})) (does {role} {move}) (true (at {place})) {more})"
                )
    if rng.random() < 0.5:
        order = rng.sample(places, len(places))
        rules += [
            f"(<= (next (at {to})) (does x d) (true (at {place})))"
            for place, to in zip(places, order, strict=True)
        ]
    game = parse(f"""(role x) (role o) (init (at 0)) {" ".join(rules)} (legal x a) (legal x b)
        (legal x d) (legal o c) (legal o d) (<= terminal (true (at 9))) (goal x 50) (goal o 50)""")
    group = tuple(range(len(game.net.fluents)))
    used = exclusion(game.net, [group]).rests_on(group)
    keeps = all(
        sum(after >> i & 1 for i in group) <= 1
        for bits in [0, *(1 << i for i in group)]
        for after in successors(game, bits)
    )
    assert not used or used == frozenset([group])
    assert used is None or keeps
    assert used != frozenset([group]) or exclusion(game.net, []).rests_on(group) is None


def test_a_puzzle_of_moves_that_exchange_places_is_a_group_of_any_size() -> None:
    """More ways than are compared, of fluents with more arguments than candidates are made of."""
    turns = [(4, 5, 6, 0, 1, 2, 3), (1, 0, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0)]
    names = [f"?{n}" for n in range(7)]
    rules = [
        f"(<= (next (order {' '.join(names[n] for n in turn)})) (does p t{number})"
        f" (true (order {' '.join(names)})))"
        for number, turn in enumerate(turns)
    ]
    legal = "".join(f"(legal p t{number})" for number in range(len(turns)))
    game = parse(f"""(role p) {legal} {" ".join(rules)} (init (order 1 2 3 4 5 6 7))
        (<= terminal (true (order 7 6 5 4 3 2 1))) (goal p 100)""")
    (group,) = game.groups
    assert len(group.fluents) * len(turns) > exclusions.WAYS
    assert group.exact


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


@pytest.mark.parametrize("ways", [4096, 0])
def test_fluents_with_the_same_rule_do_not_exclude_each_other(ways, monkeypatch) -> None:
    """They are one literal of the net."""
    monkeypatch.setattr(exclusions, "WAYS", ways)
    net = parse("""(role p) (legal p a) (legal p b) (init (x 1))
        (<= (next (x 1)) (does p a)) (<= (next (x 2)) (does p a))
        (<= terminal (true (x 2))) (goal p 100)""").net
    pair = named(net, "(x 1)", "(x 2)")
    assert exclusion(net, [pair]).rests_on(pair) is None


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
