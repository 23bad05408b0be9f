"""Gates that rest on each other, made as often as there are of them, mean the same."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp import parse
from ggp.checker.replay import Replay
from ggp.ground import Net, unrolled
from tests.analysis.test_moves import FIRE
from tests.conftest import nightly, shared
from tests.ground.test_demand import with_relations


def agree(net: Net, other: Net, seed: int) -> None:
    """On states of any fluents, reached or not."""
    rng, one, two = random.Random(seed), Replay(net), Replay(other)
    for _ in range(5):
        share = rng.random()
        state = frozenset(i for i in range(len(net.fluents)) if rng.random() < share)
        assert two.legal(state) == one.legal(state)
        assert two.is_terminal(state) == one.is_terminal(state)
        assert two.goals(state) == one.goals(state)
        own = zip(net.move_offset, net.moves, strict=True)
        joint = [offset + rng.randrange(len(moves)) for offset, moves in own]
        assert two.next(state, joint) == one.next(state, joint)


@pytest.mark.parametrize("seed", [*range(60), *nightly(range(60, 600))])
def test_on_relations_that_rest_on_themselves(seed) -> None:
    net = parse(with_relations(seed)).net
    other = unrolled(net, 1_000_000)
    assert other is not None
    assert not other.recursive
    agree(net, other, seed)


def test_some_of_them_do() -> None:
    assert sum(bool(parse(with_relations(seed)).net.recursive) for seed in range(60)) >= 5


def test_on_ways_that_go_round() -> None:
    net = parse(FIRE).net
    other = unrolled(net, 1_000_000)
    assert net.recursive
    assert other is not None
    assert unrolled(net, other.literals) is None, "the bound is of all copies, before any is folded"
    for seed in range(20):
        agree(net, other, seed)
    plain = unrolled(other, 0)
    assert plain is other


@pytest.mark.parametrize("name", ["cubicup_3player", "amazonsTorus_10x10"])
def test_on_public_sheets(name) -> None:
    net = ggp.load(shared("corpus", "games", f"{name}.kif")).net
    other = unrolled(net, 1_000_000)
    assert other is not None
    agree(net, other, 1)
