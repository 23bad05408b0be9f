"""Tables of arithmetic and groups of permutations, against what they are by definition."""

from __future__ import annotations

import itertools
import math
import random
from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis.relations import arithmetic
from ggp.analysis.relations.arithmetic import ArithmeticTable, is_cycle, order_of, sum_of, tables
from ggp.analysis.relations.symmetries import (
    _cycles,
    _Graph,
    _keeps_roles,
    elements,
    is_symmetry,
    symmetric,
    symmetries,
)
from ggp.kif import Term

COUNT = 7
T = [Term(f"t{n}") for n in range(COUNT)]
RANK = {term: n for n, term in enumerate(T)}
ORDERS = {
    "less than": lambda a, b: a < b,
    "at most": lambda a, b: a <= b,
    "greater than": lambda a, b: a > b,
    "at least": lambda a, b: a >= b,
}


def terms(rows) -> list[tuple[Term, ...]]:
    return [tuple(T[n] for n in row) for row in rows]


@pytest.mark.parametrize("kind", ORDERS)
@pytest.mark.parametrize("span", [(0, 7), (0, 3), (2, 5), (4, 7), (0, 2), (3, 4), (3, 3)])
def test_an_order_of_three_consecutive_elements_or_more_is_one(kind, span) -> None:
    own = range(*span)
    pairs = [(a, b) for a in own for b in own if ORDERS[kind](a, b)]
    assert order_of(terms(pairs), RANK) == (kind if len(own) >= 3 else None)
    # Said twice it is the same; with one pair more or less it is none.
    assert order_of(terms([*pairs, *pairs]), RANK) == (kind if len(own) >= 3 else None)
    if len(own) < 4:
        return
    for pair in itertools.product(own, repeat=2):
        other = set(pairs) ^ {pair}
        assert order_of(terms(other), RANK) is None


@pytest.mark.parametrize("kind", ORDERS)
def test_an_order_with_another_pair_in_place_of_one_is_none(kind) -> None:
    """As many pairs as there are in an order, of four elements."""
    pairs = {(a, b) for a in range(2, 6) for b in range(2, 6) if ORDERS[kind](a, b)}
    others = set(itertools.product(range(2, 6), repeat=2)) - pairs
    for gone, new in itertools.product(pairs, others):
        assert order_of(terms(pairs - {gone} | {new}), RANK) is None


def test_orders_are_on_the_chain() -> None:
    pairs = terms([(0, 1), (0, 2), (1, 2)])
    assert order_of(pairs, RANK) == "less than"
    assert order_of([*pairs, (T[0], Term("x"))], RANK) is None
    assert order_of(terms([(0, 1), (0, 3), (1, 3)]), RANK) is None


def random_pairs(rng: random.Random) -> list[tuple[int, int]]:
    return [(rng.randrange(4), rng.randrange(4)) for _ in range(rng.randint(1, 5))]


@pytest.mark.parametrize("seed", range(40))
def test_a_circle_goes_through_all_elements_once(seed) -> None:
    """A permutation of its elements, three or more, that has one orbit."""
    rng = random.Random(seed)
    for _ in range(40):
        pairs = random_pairs(rng)
        if rng.random() < 0.5:
            circle = rng.sample(range(7), rng.randint(2, 5))
            pairs = list(zip(circle, [*circle[1:], circle[0]], strict=True))
            pairs += [rng.choice(pairs)] * rng.randint(0, 1)
        names = {n for pair in pairs for n in pair}
        wanted = len(names) >= 3 and any(
            set(zip(order, [*order[1:], order[0]], strict=True)) == set(pairs)
            for order in itertools.permutations(names)
        )
        assert is_cycle(terms(pairs)) == wanted


@pytest.mark.parametrize(
    ("lefts", "rights", "totals"),
    [
        (range(3), range(3), range(7)),
        (range(7), range(7), range(7)),
        (range(1, 4), range(4), range(7)),
        (range(2), range(1, 2), range(7)),
        (range(7), range(2), range(3)),
        ((0, 3), (1, 2, 3), range(7)),
    ],
)
@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("total", [1, 2, 3])
def test_a_table_of_sums_lacks_none_and_has_no_other(lefts, rights, totals, start, total) -> None:
    """Of three rows and three numbers at least; the chain begins with 0 or 1."""
    rows = [(a, b, a + b + start) for a in lefts for b in rights if a + b + start in totals]
    # As the argument at another place.
    order = {3: (0, 1, 2), 2: (0, 2, 1), 1: (2, 0, 1)}[total]
    put = [tuple(row[i] for i in order) for row in rows]
    wanted = total if len(rows) >= 3 else None
    assert sum_of(terms(put), RANK) == wanted
    assert sum_of([*terms(put), (T[0], T[0], Term("x"))], RANK) is None
    for one in put if len(put) > 4 else ():
        found = sum_of(terms(set(put) - {one}), RANK)
        if found is not None:
            # Without it some number does not occur, so that it does not lack.
            left = {row for row in rows if put[rows.index(row)] != one}
            gone = rows[put.index(one)]
            assert any(gone[i] not in {row[i] for row in left} for i in range(3))


def test_tables_that_are_too_large_are_not_looked_at(monkeypatch) -> None:
    rows = terms([(a, b, a + b) for a in range(3) for b in range(4)])
    for most, found in ((12, 3), (11, None)):
        monkeypatch.setattr(arithmetic, "MAX_ROWS", most)
        assert sum_of(rows, RANK) == found


def sheet(more: str) -> ggp.Game:
    """A walker on a chain of four that looks at all of some relations."""
    names = sorted({part.split()[0] for part in more.replace("(", " ( ").split("( ")[1:]} - {"<="})
    uses = "".join(f"(<= (next (seen {n})) ({n} ?x ?y))" for n in names if f"({n} 0 " in more)
    uses += "".join(f"(<= (next (seen {n})) ({n} ?x ?y ?z))" for n in names if n.startswith("sum"))
    return ggp.parse(f"""(role p) (init (at 0)) (s 0 1) (s 1 2) (s 2 3) {more} {uses}
        (<= (legal p go) (true (at ?x)) (s ?x ?y)) (<= (next (at ?y)) (true (at ?x)) (s ?x ?y))
        (<= terminal (true (at 3))) (goal p 100)""")


def listed(name: str, rows) -> str:
    return "".join(f"({name} {' '.join(map(str, row))})" for row in rows)


SUMS = listed("sums", [(a, b, a + b) for a in range(4) for b in range(4 - a)])


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("", []),
        (listed("t", [(1, 0), (2, 1), (3, 2), (0, 9)][:3]) + "(t 0 0)", []),
        # An inverse is told of the relation that comes later by name.
        ("(<= (t ?y ?x) (s ?x ?y)) (<= (next (seen t)) (t ?x ?y))", [("t", "inverse", "s", None)]),
        ("(<= (r ?y ?x) (s ?x ?y)) (<= (next (seen r)) (r ?x ?y))", [("s", "inverse", "r", None)]),
        ("(t 0 1)(t 1 2)(t 2 0)", [("t", "cycle", None, None)]),
        (listed("t", [(a, b) for a in range(4) for b in range(a, 4)]),
         [("t", "at most", "s", None)]),
        (SUMS, [("sums", "addition", "s", 3)]),
        (SUMS.replace("(sums 0 0 0)", "(sums 0 0 1)"), []),
    ],
)  # fmt: skip
def test_tables_among_the_relations_of_a_sheet(more, found) -> None:
    game = sheet(more)
    assert tables(game) == [ArithmeticTable(*row) for row in found]
    finding = arithmetic.arithmetic(game)
    assert finding.value == [
        {"relation": r, "kind": k, "of": of, "total": total} for r, k, of, total in found
    ]
    texts = [f"{r}: {k}" + (f" on {of}" if of else "") for r, k, of, _ in found]
    assert finding.evidence.why == "; ".join(texts)
    assert finding.certainty == "proved"


# -- permutations ----------------------------------------------------------------------------------


def composed(first: tuple[int, ...], then: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(then[n] for n in first)


def cycle(size: int, *moved: int) -> tuple[int, ...]:
    own = list(range(size))
    for a, b in zip(moved, (*moved[1:], *moved[:1]), strict=True):
        own[a] = b
    return tuple(own)


@pytest.mark.parametrize(
    ("generators", "order"),
    [
        ([], 0),
        ([cycle(5)], 1),
        ([cycle(5, 0, 1)], 2),
        ([cycle(5, 0, 1, 2, 3)], 4),
        ([cycle(5, 0, 1), cycle(5, 2, 3)], 4),
        ([cycle(4, 0, 1), cycle(4, 1, 2), cycle(4, 2, 3)], 24),
        ([cycle(4, 0, 1), cycle(4, 0, 1, 2, 3)], 24),
        ([cycle(4, 0, 1, 2, 3), composed(cycle(4, 0, 1), cycle(4, 2, 3))], 8),
        ([cycle(4, 0, 1, 2), cycle(4, 1, 2, 3)], 12),
    ],
)
def test_products_of_permutations_are_a_group(generators, order) -> None:
    """Cyclic, Klein's, symmetric, dihedral and alternating groups."""
    found = elements(generators, 24)
    assert len(found) == order
    assert found == sorted(set(found))
    if found:
        assert found[0] == tuple(range(len(found[0])))
        assert set(generators) <= set(found)
        assert {composed(a, b) for a in found for b in found} == set(found)


@pytest.mark.parametrize(
    ("most", "order"), [(24, 24), (23, 6), (6, 6), (5, 4), (4, 4), (3, 2), (2, 2), (1, 1), (0, 1)]
)
def test_generators_of_too_many_are_left_out(most, order) -> None:
    """S2, S3 and S4 by one transposition more each; the first and the third alone make four. The
    identity is left of all."""
    generators = [cycle(4, 0, 1), cycle(4, 1, 2), cycle(4, 2, 3)]
    found = elements(generators, most)
    assert len(found) == order


def test_a_generator_that_is_left_out_does_not_keep_others_from_it() -> None:
    """A circle of four is too many, a transposition is not."""
    found = elements([cycle(4, 0, 1, 2, 3), cycle(4, 0, 1)], 3)
    assert found == sorted([cycle(4), cycle(4, 0, 1)])


def test_vertices_that_are_alike_are_made_once() -> None:
    graph = _Graph()
    a, b = graph.new("x"), graph.new("y")
    both = graph.same("all", [b, a, b])
    assert graph.same("all", [a, b]) == both
    assert graph.same("some", [a, b]) != both
    assert graph.same("all", [a]) != both
    assert graph.new("x") not in (a, b, both)
    assert {frozenset(edge) for edge in graph.edges if both in edge} == {
        frozenset((both, a)),
        frozenset((both, b)),
    }
    graph.of_node[5] = a
    assert graph.literal(5) == a
    assert graph.literal(-5) == graph.same("not", [a]) != a
    assert len(graph.colours) == 7


TOKENS = """(role p) (thing a) (thing b) (thing c) (init (on a)) (init (on b)) (init (on c))
    (<= (legal p (take ?x)) (true (on ?x))) (<= (next (on ?x)) (true (on ?x)) (not (gone ?x)))
    (<= (gone ?x) (does p (take ?x))) (<= some (true (on ?x))) (<= terminal (not some))
    (goal p 100)"""


def named(net) -> dict[str, int]:
    nodes = {str(f): net.first_fluent + i for i, f in enumerate(net.fluents)}
    place = net.first_move
    for role, moves in zip(net.roles, net.moves, strict=True):
        for move in moves:
            nodes[f"{role} {move}"] = place
            place += 1
    return nodes


def swapped(net, *pairs: tuple[str, str]) -> tuple[int, ...]:
    own, nodes = list(range(net.first_gate)), named(net)
    for a, b in pairs:
        own[nodes[a]], own[nodes[b]] = nodes[b], nodes[a]
    return tuple(own)


FILL = "(legal p fill) (<= (next (on ?x)) (thing ?x) (does p fill))"
ON, TAKE = ("(on a)", "(on b)"), ("p (take a)", "p (take b)")


@pytest.mark.parametrize(
    ("text", "pairs", "holds"),
    [
        (TOKENS, [], True),
        (TOKENS, [ON, TAKE], True),
        (TOKENS, [ON], False),
        (TOKENS, [TAKE], False),
        (TOKENS, [("(on a)", "p (take a)")], False),
        # What tells one from the other: start, end, goal, what is legal, what comes, what is seen.
        (TOKENS + FILL, [ON, TAKE], True),
        (TOKENS.replace("(init (on b))", "") + FILL, [ON, TAKE], False),
        (TOKENS + "(<= terminal (not (true (on a))))", [ON, TAKE], False),
        (TOKENS + "(<= (goal p 0) (not (true (on a))))", [ON, TAKE], False),
        (TOKENS + "(<= (legal p (take a)) (true (on b)))", [ON, TAKE], False),
        (TOKENS + "(<= (next (on a)) (does p (take b)))", [ON, TAKE], False),
        (TOKENS + "(<= (sees p seen) (true (on a)))", [ON, TAKE], False),
        (TOKENS + "(<= (sees p ?x) (true (on ?x)))", [ON, TAKE], False),
        # And what does not.
        (TOKENS + "(<= terminal (not (true (on c))))", [ON, TAKE], True),
        (TOKENS + "(<= (goal p 0) (true (on a)) (true (on b)))", [ON, TAKE], True),
        (TOKENS + "(<= (sees p seen) (true (on a)) (true (on b)))", [ON, TAKE], True),
    ],
)
def test_a_permutation_is_a_symmetry_where_all_rules_stay_the_same(text, pairs, holds) -> None:
    net = ggp.parse(text).net
    assert is_symmetry(net, swapped(net, *pairs)) is holds
    inputs = [n for n in range(net.first_gate) if n]
    group = symmetries(net)
    if group:
        assert all(sorted(g[1:]) == inputs for g in group.generators)


def test_what_is_no_permutation_is_no_symmetry() -> None:
    net = ggp.parse(TOKENS).net
    same = list(range(net.first_gate))
    assert is_symmetry(net, tuple(same))
    double = [*same]
    double[net.first_fluent] = net.first_fluent + 1
    assert not is_symmetry(net, tuple(double))
    assert not is_symmetry(net, tuple(same[:-1]))


TWO = """(role p) (role q) (init (control p)) (init (left 2)) (s 0 1) (s 1 2)
    (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
    (<= (legal ?r go) (true (control ?r))) (<= (legal ?r run) (true (control ?r)))
    (<= (next fast) (does ?r run)) (<= (legal ?r wait) (role ?r)
        (not (true (control ?r)))) (<= (next (left ?n)) (true (left ?m)) (s ?n ?m))
    (<= terminal (true (left 0))) (<= (goal ?r 0) (true (control ?r)))
    (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""
EXCHANGE = [
    ("(control p)", "(control q)"),
    ("p go", "q go"),
    ("p run", "q run"),
    ("p wait", "q wait"),
]


@pytest.mark.parametrize(
    ("text", "pairs", "unmarked", "holds"),
    [
        (TWO, EXCHANGE, True, True),
        # Who begins counts; roles change places as a whole.
        (TWO, EXCHANGE, False, False),
        (TWO, EXCHANGE[:2], True, False),
        (TWO, EXCHANGE[:1], True, False),
        (TWO, EXCHANGE[1:], True, False),
        (TWO.replace("(goal ?r 0) (", "(goal ?r 0) (role ?r) (distinct ?r q) ("), EXCHANGE, True,
         False),
        (TWO + "(<= (sees p x) (true (left 1)))", EXCHANGE, True, False),
        (TWO + "(<= (sees ?r x) (role ?r) (true (left 1)))", EXCHANGE, True, True),
    ],
)  # fmt: skip
def test_roles_may_change_places_with_the_turn(text, pairs, unmarked, holds) -> None:
    game = ggp.parse(text)
    net = game.net
    nodes = named(net)
    mask = sum(1 << nodes[f"(control {r})"] - net.first_fluent for r in "pq") if unmarked else 0
    images = swapped(net, *pairs)
    assert is_symmetry(net, images, mask) is holds
    if pairs == EXCHANGE and unmarked:
        assert not _keeps_roles(net, images)
        assert _cycles(net, images) == {"(control p)": "(control q)", "(control q)": "(control p)"}
        found = {f.property: f for f in symmetric(net, game.marker)}
        assert ("roles_exchangeable" in found) is holds
        assert found["symmetries"].value == 1


def test_the_identity_keeps_roles_and_moves_nothing() -> None:
    net = ggp.parse(TWO).net
    same = tuple(range(net.first_gate))
    assert _keeps_roles(net, same)
    assert _cycles(net, same) == {}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_things_that_are_alike_can_be_permuted(count) -> None:
    names = "abcd"[:count]
    text = TOKENS.split("(thing a)")[0] + "".join(f"(thing {n}) (init (on {n}))" for n in names)
    game = ggp.parse(text + TOKENS.split("(init (on c))")[1])
    [finding] = symmetric(game.net, None)
    assert (finding.value, finding.certainty) == (math.factorial(count), "proved")
    why = finding.evidence.why
    assert why.startswith("only the identity" if count == 1 else f"{math.factorial(count)} perm")


@pytest.mark.parametrize(
    ("limit", "size"), [("MAX_LITERALS", "literals"), ("MAX_INPUTS", "first_gate")]
)
def test_nets_that_are_too_large_have_no_answer(monkeypatch, limit, size) -> None:
    net = ggp.parse(TOKENS).net
    for less in (0, 1):
        name = f"ggp.analysis.relations.symmetries.{limit}"
        monkeypatch.setattr(name, getattr(net, size) - less)
        assert (symmetries(net) is None) == bool(less)
        assert (symmetric(net, None) == []) == bool(less)


def test_without_the_library_nothing_is_known(monkeypatch) -> None:
    monkeypatch.setattr("ggp.analysis.relations.symmetries.igraph_or_none", lambda: None)
    assert symmetries(SimpleNamespace()) is None
    [finding] = symmetric(SimpleNamespace(), None)
    assert (finding.value, finding.certainty) == (None, "unknown")
