"""Gates by loops are those by `Factoring` and `Builder`: the same, in the same order."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp.arrays import offsets
from ggp.circuits import bulk
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.factor import Factoring
from ggp.circuits.loops import cubes, gates, nets
from ggp.circuits.lowering import Lowering
from ggp.ground import Net
from ggp.ground.gates import Gates
from ggp.kif import Term
from tests.conftest import GAMES, nightly, shared
from tests.solver.plain import plain

pytestmark = pytest.mark.filterwarnings("ignore:overflow")

FLUENTS, MOVES = 5, 4
LOOPS = plain(gates, cubes, nets)


def net_of(bodies: list[list[list[int]]], recursive: tuple[tuple[int, int], ...] = ()) -> Net:
    """A net of two roles with some gates, of which every one is a next value."""
    flat = [body for gate in bodies for body in gate]
    own = Gates(
        offsets(np.array(list(map(len, bodies)), dtype=np.int64)),
        offsets(np.array(list(map(len, flat)), dtype=np.int64)),
        np.array([x for body in flat for x in body], dtype=np.int64),
    )
    names = [Term(f"f{i}") for i in range(FLUENTS + 2 * MOVES)]
    first = 2 + FLUENTS + 2 * MOVES
    return Net(
        roles=(Term("a"), Term("b")),
        fluents=tuple(names[:FLUENTS]),
        moves=(tuple(names[FLUENTS:-MOVES]), tuple(names[-MOVES:])),
        initial=frozenset(),
        gates=own,
        recursive=recursive,
        next=tuple(range(first, first + len(bodies))),
        legal=(1,) * (2 * MOVES),
        goals=((), ()),
        sees=((), ()),
        terminal=1,
    )


def random_net(choose: random.Random, size: int) -> Net:
    bodies: list[list[list[int]]] = []
    for gate in range(size):
        known = 2 + FLUENTS + 2 * MOVES + gate
        few = [choose.randrange(1, known) for _ in range(choose.randrange(1, 9))]
        signs = choose.choice(((1, -1), (1, 1, 1, -1)))
        bodies.append(
            [
                [choose.choice(signs) * choose.choice(few) for _ in range(choose.randrange(1, 5))]
                for _ in range(choose.randrange(choose.choice((2, 4, 12))))
            ]
        )
    return net_of(bodies)


def built(net: Net, choose: random.Random, *, one_move: bool) -> tuple[object, ...]:
    """All that is made of a net: with inputs that may be constants, or each other's negation."""
    builder = Builder()
    inputs = [*builder.inputs(4), FALSE, TRUE]
    literals = [choose.choice(inputs) ^ choose.randrange(2) for _ in range(FLUENTS + 2 * MOVES)]
    for _ in range(choose.randrange(6)):
        builder.conj(*choose.sample(literals, 2))
        builder.xor(*choose.sample(literals, 2))
    lowering = Lowering(net, builder, literals[:FLUENTS], literals[FLUENTS:], one_move=one_move)
    some = lowering.literals(net.next[: len(net.next) // 2])
    return some, lowering.literals(net.next), *vars(builder).values()


def by_loops(monkeypatch: pytest.MonkeyPatch, loops: SimpleNamespace | None = None) -> None:
    """Make all gates by loops, with next to no room at first, a few at a time."""
    for name in ("gates", "cubes", "nets") if loops else ():
        monkeypatch.setattr(bulk, name, loops)
    for name, value in (
        ("MANY", 0),
        ("LARGE", 0),
        ("_may_compile", True),
        ("ROOM", 4),
        ("WORK", 9),
    ):
        monkeypatch.setattr(bulk, name, value)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**9), size=st.integers(1, 12), one_move=st.booleans())
def test_loops_make_the_gates_of_any_net(seed, size, one_move) -> None:
    net = random_net(random.Random(seed), size)
    expected = built(net, random.Random(seed), one_move=one_move)
    with pytest.MonkeyPatch.context() as patch:
        by_loops(patch, LOOPS)
        assert built(net, random.Random(seed), one_move=one_move) == expected


def test_gates_around_a_recursive_block() -> None:
    """What rests on each other in a circle is not for the loops: what is before and after is."""
    first = 2 + FLUENTS + 2 * MOVES
    bodies = [[[2, 3], [2, 4]], [[first], [first + 2]], [[first + 1, 5]], [[first + 2, 6], [2]]]
    net = net_of(bodies, ((first + 1, first + 3),))
    assert [(list(gates), bool(block)) for gates, block in net.cut(net.next)] == [
        ([first], True),
        ([first + 3], False),
    ]
    expected = built(net, random.Random(7), one_move=True)
    with pytest.MonkeyPatch.context() as patch:
        by_loops(patch, LOOPS)
        assert built(net, random.Random(7), one_move=True) == expected


def test_a_chain_of_conjunctions_that_are_one_another() -> None:
    """`not (p and q)` and `p` is `p and not q`, and so on: all of them are known afterwards, as far
    as there is room for it."""
    for longest in (64, 2):
        builder = Builder()
        a, *rest = builder.inputs(9)
        deep = rest[0]
        for x in rest[1:]:
            deep = builder.conj(a, builder.conj(x, deep) ^ 1) ^ 1
        made = bulk._made(builder)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(gates, "LONGEST", longest)
            loops = plain(gates)
            assert loops.conj(deep, a, made) == builder.conj(deep, a)
        assert made.counts[gates.NODES] == len(builder)


@pytest.mark.parametrize(
    "path",
    [
        GAMES / "clobber" / "clobber.kif.jinja",
        *nightly(sorted(GAMES.rglob("*.kif"))),
        *nightly([shared("corpus", "games", f"{name}.kif") for name in ("pacman2p", "skirmish")]),
    ],
    ids=lambda path: Path(path).name,
)
def test_compiled_loops_make_the_gates_of_sheets(path, monkeypatch) -> None:
    net = ggp.load(path).net

    def made() -> tuple[object, ...]:
        builder = Builder()
        fluents, moves = builder.inputs(len(net.fluents)), builder.inputs(len(net.legal))
        legal = Lowering(net, builder, fluents).literals(net.legal)
        following = Lowering(net, builder, fluents, moves).literals(net.next)
        goals = [x for role in net.goals for _, x in role]
        ends = Lowering(net, builder, following).literals([net.terminal, *goals])
        return legal, following, ends, *vars(builder).values()

    expected = made()
    by_loops(monkeypatch)
    monkeypatch.setattr(bulk, "WORK", 1 << 18)
    monkeypatch.setattr(bulk, "ROOM", 1 << 16)
    assert made() == expected


def test_loops_are_used_for_many_gates_where_they_are_there(monkeypatch) -> None:
    """They are compiled for very many, and loaded for many."""
    net = ggp.load(GAMES / "clobber" / "clobber.kif.jinja").net
    own = range(net.first_gate, net.size + 1)
    monkeypatch.setattr(bulk, "_may_compile", True)
    for there in (False, True):
        monkeypatch.setattr(bulk, "_are_there", lambda there=there: there)
        for many, large, expected in (
            (net.literals, 10**9, there),
            (net.literals + 1, 10**9, False),
            (1, net.literals, True),
            (1, net.literals + 1, there),
            (net.literals + 1, 1, False),
        ):
            monkeypatch.setattr(bulk, "MANY", many)
            monkeypatch.setattr(bulk, "LARGE", large)
            assert bulk.pays(net, own) == expected
        assert not bulk.pays(net, [])


def test_a_process_that_others_wait_for_compiles_no_loops(monkeypatch) -> None:
    net = ggp.load(GAMES / "clobber" / "clobber.kif.jinja").net
    own = range(net.first_gate, net.size + 1)
    monkeypatch.setattr(bulk, "_may_compile", True)
    monkeypatch.setattr(bulk, "MANY", 1)
    monkeypatch.setattr(bulk, "LARGE", 1)
    monkeypatch.setattr(bulk, "_are_there", lambda: False)
    assert bulk.pays(net, own)
    bulk.only_load()
    assert not bulk.pays(net, own)
    monkeypatch.setattr(bulk, "_are_there", lambda: True)
    assert bulk.pays(net, own)


def test_what_makes_many_gates_looks_at_limits(monkeypatch) -> None:
    looks = []
    monkeypatch.setattr(bulk, "look", looks.append)
    by_loops(monkeypatch, LOOPS)
    net = random_net(random.Random(1), 12)
    built(net, random.Random(1), one_move=True)
    assert len(looks) > 3


def test_a_disjunction_of_nothing_and_of_everything() -> None:
    builder = Builder()
    assert Factoring(builder).disjunction([]) == FALSE
    first = 2 + FLUENTS + 2 * MOVES
    net = net_of([[[2, -2], [-1]], [[1], [2]], [[first + 1]], [[-first]]])
    with pytest.MonkeyPatch.context() as patch:
        by_loops(patch, LOOPS)
        own = Lowering(net, builder, builder.inputs(FLUENTS), builder.inputs(2 * MOVES))
        assert own.literals(net.next) == [FALSE, TRUE, TRUE, TRUE]
