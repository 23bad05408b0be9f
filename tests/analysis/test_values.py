"""What has one value in each state: by all states of small rules, in prover and checker."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp.analysis.states.values import rows
from ggp.checker import check_certificate, read_certificate
from ggp.checker.values import partitions
from ggp.ground import Group, Net
from tests.conftest import nightly

CONTENTS = ("white", "black", "none")


def counting(
    table: Collection[tuple[int, str, int]], cells: int, *, open_cell: bool, hooded: bool = False
) -> str:
    """Cells that are white, black or neither, read one by one; what is read of each leads from
    value to value by a table. The last value is the goal. A hood makes all cells read as neither,
    and as what they are."""
    none = "(not (true (c ?n white))) (not (true (c ?n black)))"
    spots = [f"(cell c{i})" for i in range(cells)]
    steps = [f"(after c{i} c{i + 1})" for i in range(cells - 1)]
    hood = """(<= (is ?n none) (cell ?n) (true (hood 1)) (true (hood 2)) (true (hood 3)))
        (fold 1) (fold 2) (fold 3) (<= (legal a (draw ?i)) (fold ?i))
        (<= (next (hood ?i)) (does a (draw ?i))) (<= (next (hood ?i)) (true (hood ?i)))"""
    return f"""(role a) {" ".join([*spots, *steps])} (init (c c0 white))
        (<= (legal a (put ?n ?x)) (cell ?n) (content ?x)) (content white) (content black)
        (<= (next (c ?n ?x)) (does a (put ?n ?x)))
        (<= (next (c ?n ?x)) (true (c ?n ?x)) (not (touched ?n)))
        (<= (touched ?n) (does a (put ?n ?x)))
        (<= (is ?n ?x) (true (c ?n ?x)))
        {f"(<= (is ?n none) (cell ?n) {none})" if open_cell else ""}
        {hood if hooded else ""}
        {" ".join(f"(step v{m} {x} v{n})" for m, x, n in sorted(table))}
        (<= (value c0 ?w) (is c0 ?x) (step v0 ?x ?w))
        (<= (value ?d ?w) (after ?c ?d) (value ?c ?v) (is ?d ?x) (step ?v ?x ?w))
        (goal a 0) (<= (end ?v) (value c{cells - 1} ?v)) (<= terminal (end v0))
        (<= (goal a 50) (end v1)) (<= (goal a 100) (end v2))"""


def states(net: Net, groups: Collection[Group]) -> Iterator[frozenset[int]]:
    """The literals that hold, for each way to choose fluents that keeps groups."""
    count = len(net.fluents)
    for held in itertools.product((False, True), repeat=count):
        if all(sum(held[f] for f in group.fluents) <= 1 for group in groups):
            values = {1: True} | {net.first_fluent + f: h for f, h in enumerate(held)}
            for move in range(net.first_move, net.first_gate):
                values[move] = False
            for gate in range(net.first_gate, net.size + 1):
                values[gate] = any(
                    all(values[abs(x)] == (x > 0) for x in body) for body in net.bodies(gate)
                )
            yield frozenset(node if holds else -node for node, holds in values.items())


def roots(net: Net) -> list[int]:
    return [net.terminal, *(x for known in net.goals for _, x in known)]


def check(text: str) -> int:
    """Asserts that all rows that are found are such; how many there are."""
    net = ggp.parse(text).net
    at = net.fluent_index
    pairs: dict[object, list[int]] = {}
    for fluent, f in at.items():
        pairs.setdefault(fluent.args[0], []).append(f)
    groups = [Group(tuple(sorted(own)), exact=False) for own in pairs.values() if len(own) > 1]
    plain = [(group.fluents, group.exact) for group in groups]
    found = {(row.literals, row.exact) for row in rows(net, roots(net), groups)}
    checked = set(partitions(net, roots(net), plain, lambda: None))
    for state in states(net, groups):
        for literals, exact in found | checked:
            held = len(literals & state)
            assert held <= 1
            assert held == 1 or not exact
    return len({own for own, _ in found & checked if len(own) > 2})


CELLS = 3
VALUES = range(3)
LINES = list(itertools.product(VALUES, CONTENTS, VALUES))


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from(LINES), max_size=14), st.booleans(), st.booleans())
def test_what_is_found_has_one_value_in_every_state(lines, open_cell, hooded) -> None:
    """Tables that lead to one value, to several, and to none."""
    check(counting(lines, CELLS, open_cell=open_cell, hooded=hooded))


def test_a_cell_that_may_be_read_in_two_ways_has_no_one_value() -> None:
    """Though what reads as neither does so where the cell is neither white nor black."""
    table = [(v, x, (v + (x == "white")) % 3) for v in VALUES for x in CONTENTS]
    check(counting(table, CELLS, open_cell=True, hooded=True))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(VALUES), min_size=9, max_size=9))
def test_functions_have_one_value(images) -> None:
    pairs = zip(itertools.product(VALUES, CONTENTS), images, strict=True)
    check(counting([(m, x, n) for (m, x), n in pairs], CELLS, open_cell=True))


def test_a_count_is_found() -> None:
    """Of white cells, modulo three: each of three values at each cell but the first."""
    table = [(v, x, (v + (x == "white")) % 3) for v in VALUES for x in CONTENTS]
    assert check(counting(table, CELLS, open_cell=True)) >= CELLS - 1


def test_what_has_a_value_only_where_cells_do_is_not_said_to_have_one() -> None:
    """White cells modulo three, counted in cells that are white or black only."""
    table = [(v, x, (v + (x == "white")) % 3) for v in VALUES for x in ("white", "black")]
    assert check(counting(table, CELLS, open_cell=False)) >= 1


def majority(size: int) -> str:
    """Two players colour cells until all are full; who has more has won. Counts are derived cell by
    cell, so that only their having one value tells that not both have won."""
    cells = [f"(cell c{i})" for i in range(1, size + 1)]
    order = [f"(after c{i} c{i + 1})" for i in range(1, size)]
    numbers = [f"(plus {i} {i + 1})" for i in range(size)]
    return f"""(role red) (role blue) (other red blue) (other blue red) (init (control red))
        {" ".join([*cells, *order, *numbers])} (<= (init (free ?c)) (cell ?c))
        (<= (legal ?p (take ?c)) (true (control ?p)) (true (free ?c)))
        (<= (legal ?p wait) (true (control ?q)) (other ?q ?p))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= (next (of ?c ?p)) (does ?p (take ?c))) (<= (next (of ?c ?p)) (true (of ?c ?p)))
        (<= (taken ?c) (does ?p (take ?c)))
        (<= (next (free ?c)) (true (free ?c)) (not (taken ?c)))
        (<= open (true (free ?c))) (<= terminal (not open))
        (<= (count c1 ?p 1) (true (of c1 ?p)))
        (<= (count c1 ?p 0) (role ?p) (not (true (of c1 ?p))))
        (<= (count ?d ?p ?m) (after ?c ?d) (count ?c ?p ?n) (true (of ?d ?p)) (plus ?n ?m))
        (<= (count ?d ?p ?n) (after ?c ?d) (count ?c ?p ?n) (not (true (of ?d ?p))))
        (<= (less ?m ?n) (plus ?m ?n)) (<= (less ?m ?n) (plus ?m ?k) (less ?k ?n))
        (<= (wins ?p) (other ?p ?q) (count c{size} ?p ?n) (count c{size} ?q ?m) (less ?m ?n))
        (<= (goal ?p 100) (wins ?p)) (<= (goal ?p 0) (other ?p ?q) (wins ?q))
        (<= (goal ?p 50) (role ?p) (not (wins red)) (not (wins blue)))"""


@pytest.mark.parametrize("size", [40, *nightly([60])])
def test_who_has_more_is_one_player(size) -> None:
    """That two counts are two numbers takes a solver long (Othello: 64 cells)."""
    findings = ggp.parse(majority(size)).analyse(positions=100, only=("playable",))
    assert (findings["playable"].value, findings["playable"].certainty) == (True, "proved")
    certificate = read_certificate(json.dumps(findings.certificate()))
    [claim] = check_certificate(certificate, 600)
    assert claim.holds


@pytest.mark.parametrize("names", list(itertools.permutations("abcd")))
def test_what_has_one_value_is_found_whatever_fluents_are_called(names) -> None:
    """Of the first fluent and another, one of two gates; of these and a third, and so on. Where
    one holds the next is not read, so that only from the first on it is told what the gates are."""
    text = "(role p) (legal p a) (legal p b)"
    for name in names:
        text += f"(<= (next {name}) (does p a)) (<= (next {name}) (true {name}))"
    first, *others = names
    yes, no = f"(true {first})", f"(not (true {first}))"
    for n, name in enumerate(others):
        text += f"(<= yes{n} {yes}) (<= yes{n} {no} (true {name}))"
        text += f"(<= no{n} {no} (not (true {name})))"
        yes, no = f"yes{n}", f"no{n}"
    net = ggp.parse(f"{text} (<= terminal (true a)) (<= (goal p 1) {yes}) (<= (goal p 0) {no})").net
    goals = frozenset(literal for _, literal in net.goals[0])
    assert len(goals) == 2
    assert {row.literals: row.exact for row in rows(net, roots(net), [])}.get(goals) is True
