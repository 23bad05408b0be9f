"""Heaps: what is read off a table of moves, families of fluents, and choices of them."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.boards.parts import split
from ggp.analysis.heaps import search
from ggp.analysis.heaps.heap import HOLE, Heap, families, heap_candidates, simplest
from ggp.analysis.heaps.proof import proved_heaps
from ggp.errors import LimitReached
from ggp.ground import candidates
from ggp.kif import Term
from ggp.limits import Budget
from ggp.theory import mex


def heap(takes: dict[int, tuple[int, ...]], size: int | None = None, **more) -> Heap:
    """A heap, of the largest size of its table unless told, with numbers on its chain."""
    top = max(takes) if size is None else size
    elements = tuple(Term(str(n)) for n in range(top + 1))
    shape = Term("heap", (Term("a"), HOLE))
    return Heap(shape, elements, tuple(range(top + 1)), top, takes, **more)


ONE = {0: (), 1: (1,), 2: (1,), 3: (1,)}
ONE_TWO = {0: (), 1: (1,), 2: (1, 2), 3: (1, 2), 4: (1, 2)}
FLOOR = {2: (), 3: (1,), 4: (1, 2), 5: (1, 2)}
HOLES = {1: (), 3: (2,), 4: (1,), 5: (1, 2)}
FIVE = {0: (), 2: (2,), 4: (2,), 5: (5,), 7: (2, 5)}


@pytest.mark.parametrize(
    ("takes", "floor", "amounts"),
    [
        (ONE, 0, (1,)),
        (ONE_TWO, 0, (1, 2)),
        (FLOOR, 2, (1, 2)),
        # Nothing can be taken at all.
        ({4: ()}, 4, None),
        # From 4 one could take 2, from 5 four.
        ({1: (), 2: (1,), 3: (1, 2), 4: (1,)}, 1, None),
        (HOLES, 1, None),
        ({0: (), 5: (5,), 6: (1,)}, 0, None),
        # One more than the floor allows.
        ({0: (), 1: (), 2: (2,), 3: (2,)}, 0, (2,)),
        ({0: (), 1: (), 2: (), 3: (2,)}, 0, None),
        # A landing may be less than all sizes of the table.
        ({3: (2,)}, 1, (2,)),
    ],
)
def test_floor_and_subtraction_set(takes, floor, amounts) -> None:
    own = heap(takes)
    assert (own.floor, own.subtraction_set) == (floor, amounts)
    assert (own.game is None) == (amounts is None)


@pytest.mark.parametrize("takes", [ONE, ONE_TWO, FLOOR, HOLES, FIVE])
def test_nim_values_are_those_of_the_options(takes) -> None:
    """Sprague and Grundy: the least number that no option has."""
    values = {}
    for n in sorted(takes):
        values[n] = mex(values[n - d] for d in takes[n])
        assert heap(takes).nim_value(n) == values[n]
    with pytest.raises(KeyError):
        heap(takes).nim_value(99)
    own = heap(takes)
    sizes = range(own.floor, own.size + 1)
    for n, value in zip(sizes, own.nim_values, strict=True):
        # Sizes that do not arise may have another floor.
        assert value == values.get(n)


@pytest.mark.parametrize(
    ("elements", "reading"),
    [
        ("0 1 2 3 4 5", None),
        ("1 2 3 4 5 6", "? - 1"),
        ("21 20 19 18 17 16", "21 - ?"),
        ("5 4 3 2 1 0", "5 - ?"),
        ("0 2 4 6 8 10", "the place of ? in 0, 2, 4, 6, …, from 0 on"),
        ("9" * 5_000 + " 1 2", f"the place of ? in {'9' * 5_000}, 1, 2, from 0 on"),
        ("00 1 2", "the place of ? in 00, 1, 2, from 0 on"),
        ("h0 h1 h2 h3 h4", "the place of ? in h0, h1, h2, h3, …, from 0 on"),
        ("empty 1 2 3 4", "the place of ? in empty, 1, 2, 3, …, from 0 on"),
    ],
)
def test_how_a_size_is_told_from_what_stands_there(elements, reading) -> None:
    own = tuple(map(Term, elements.split()))
    found = Heap(Term("heap", (HOLE,)), own, tuple(range(len(own))), 2, {0: (), 2: (1,)})
    assert found.reading == reading
    assert found.as_json()["reading"] == reading


def test_a_heap_as_data() -> None:
    """Subtraction of 1 and 2 from a floor of 2: values 0, 1, 2, again and again."""
    assert heap(FLOOR).as_json() == {
        "heap": "(heap a ?)", "size": 5, "reading": None,
        "subtraction_set": [1, 2], "floor": 2, "scope": "table",
        "nim_values": [0, 1, 2, 0], "period": 3, "preperiod": 0,
    }  # fmt: skip
    assert heap(HOLES, scope="any size").as_json() == {
        "heap": "(heap a ?)", "size": 5, "reading": None,
        "subtraction_set": None, "floor": 1, "scope": "any size",
        "nim_values": [0, None, 1, 0, 2], "period": None, "preperiod": None,
    }  # fmt: skip
    assert str(heap(ONE).at(Term("7"))) == "(heap a 7)"


def test_the_simplest_reading_has_the_smallest_sizes() -> None:
    small, same, large = heap(ONE), heap({0: (), 1: (1,), 2: (1,), 3: (2,)}), heap(ONE_TWO)
    assert simplest([large, same, small]) is small
    assert simplest([large, same]) is same
    assert simplest([large]) is large


CHAIN = tuple(Term(x) for x in "0123")


def fluents(*texts: str) -> ggp.Game:
    """A game with these fluents at first, and others that may come."""
    held = "".join(f"(init ({text}))" for text in texts)
    return ggp.parse(f"""(role robot) {held} (s 0 1) (s 1 2) (s 2 3) (legal robot go)
        (<= (next (done ?x ?y)) (does robot go) (s ?x ?y)) (goal robot 100)
        (<= terminal (true (done 0 1)))""")


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["heap 0", "heap 2"], {"(heap ?)": [0, 2]}),
        (["heap 0", "heap 1", "heap 2", "heap 3"], {"(heap ?)": [0, 1, 2, 3]}),
        # One alone is none, and all of an argument are on the chain or it is none.
        (["heap 0"], {}),
        (["heap 0", "heap 1", "heap x"], {}),
        (
            ["heap 0 a", "heap 1 a", "heap 0 b", "heap 3 b", "heap x c", "heap 1 c"],
            {"(heap ? a)": [0, 1], "(heap ? b)": [0, 3]},
        ),
        (["at 0 1", "at 1 1", "at 0 2"], {"(at 0 ?)": [1, 2], "(at ? 1)": [0, 1]}),
        # In order of their text.
        (
            ["heap 1 a", "heap 2 a", "heap 0 b", "heap 3 b"],
            {"(heap ? a)": [1, 2], "(heap ? b)": [0, 3]},
        ),
        (["at 0", "to 1"], {}),
        (["at", "to"], {}),
    ],
)
def test_families_lie_on_a_chain(texts, found) -> None:
    game = fluents(*texts)
    own = {str(f.shape): f for f in families(game.net, CHAIN) if f.shape.name != "done"}
    assert {shape: family.sizes for shape, family in own.items()} == found
    assert list(own) == list(found)
    for family in own.values():
        assert family.elements == CHAIN
        for n, i in zip(family.sizes, family.members, strict=True):
            filled = tuple(CHAIN[n] if a == HOLE else a for a in family.shape.args)
            assert game.net.fluents[i] == Term(family.shape.name, filled)


S_4 = "".join(f"(s {n} {n + 1})" for n in range(4))
T_4 = "(t e d) (t d c) (t c b) (t b a)"


def nim(init: str, rules: str = "", more: str = "") -> ggp.Game:
    """Who takes from a heap names it and the size that is left; `may` says to which."""
    return ggp.parse(f"""(role p) (role q) (init (control p)) {init} {S_4} {more}
        (<= (next (control q)) (true (control p))) (<= (next (control p)) (true (control q)))
        (<= (legal ?r (to ?h ?n)) (true (control ?r)) (may ?h ?n ?r))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (heap ?h ?n)) (does ?r (to ?h ?n)))
        (<= (moved ?h) (does ?r (to ?h ?n)))
        (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (moved ?h)))
        {rules}
        (<= open (may ?h ?n ?r) (true (control ?r))) (<= terminal (not open))
        (<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (role ?r) (not (true (control ?r))))
        """)


def on_board(groups, inputs):
    """Those of no fluent of the marker."""
    return [group for group in groups if inputs.keys() >= {*group.fluents}]


BY_ONE = "(<= (may ?h ?n ?r) (true (heap ?h ?m)) (s ?n ?m) (role ?r))"
BY_TWO = "(<= (may ?h ?n ?r) (true (heap ?h ?m)) (s ?n ?k) (s ?k ?m) (role ?r))"
ONLY_A = "(<= (may a ?n ?r) (true (heap a ?m)) (s ?n ?k) (s ?k ?m) (role ?r))"
FOR_P = "(<= (may ?h ?n p) (true (heap ?h ?m)) (s ?n ?k) (s ?k ?m))"
TO_ONE = "(<= (may ?h 1 ?r) (true (heap ?h ?m)) (s ?n ?k) (s ?k ?m) (distinct ?m 2) (role ?r))"
UP = "(<= (may ?h ?n ?r) (true (heap ?h ?m)) (s ?m ?n) (role ?r))"
IF_B = "(<= (may a ?n ?r) (true (heap a ?m)) (true (heap b 2)) (s ?n ?m) (role ?r))"
ALSO_B = "(<= (next (heap b ?n)) (does ?r (to a ?k)) (true (heap b ?m)) (s ?n ?m))"
NOTE = "(<= (next (note ?h)) (does ?r (to ?h ?n))) (<= (next (note ?h)) (true (note ?h)))"
LETTERS = "(<= (may ?h ?n ?r) (true (heap ?h ?m)) (t ?m ?n) (role ?r))"

NEVER = """(<= (legal ?r both) (true (control ?r)) (true (heap a 1)) (true (heap a 2)))
    (<= (moved ?h) (does ?r both) (named ?h)) (<= (next (heap ?h 0)) (does ?r both) (named ?h))
    (named a) (named b)"""

AB = "(init (heap a 3)) (init (heap b 2))"
SMALL, BOTH = {0: (), 1: (1,), 2: (1,)}, {0: (), 1: (1,), 2: (1, 2)}


@pytest.mark.parametrize(
    ("game", "found"),
    [
        (nim("(init (heap a 3))", BY_ONE), {"(heap a ?)": (3, ONE)}),
        (nim(AB, BY_ONE), {"(heap a ?)": (3, ONE), "(heap b ?)": (2, SMALL)}),
        (
            nim(AB, BY_ONE + BY_TWO),
            {"(heap a ?)": (3, {**BOTH, 3: (1, 2)}), "(heap b ?)": (2, BOTH)},
        ),
        # Each heap has moves of its own.
        (
            nim(AB, BY_ONE + ONLY_A),
            {"(heap a ?)": (3, {**BOTH, 3: (1, 2)}), "(heap b ?)": (2, SMALL)},
        ),
        # Sizes from which nothing can be taken, and sizes that never arise.
        (nim("(init (heap a 3))", BY_TWO), {"(heap a ?)": (3, {1: (), 3: (2,)})}),
        # 4 to 2, and to 1 from 3 and 4.
        (
            nim("(init (heap a 4))", BY_ONE + TO_ONE),
            {"(heap a ?)": (4, {0: (), 1: (1,), 2: (1,), 3: (1, 2), 4: (1, 3)})},
        ),
        # A chain of letters, that runs down from e to a; up or down does not matter.
        (
            nim("(init (heap x c))", LETTERS, T_4),
            {"(heap x ?)": (2, SMALL)},
        ),
        # A move that is never legal may do anything.
        (nim(AB, BY_ONE + NEVER), {"(heap a ?)": (3, ONE), "(heap b ?)": (2, SMALL)}),
        # Only one player may take two; heaps that grow; that hang on each other; that move as one.
        (nim(AB, BY_ONE + FOR_P), {}),
        (nim(AB, BY_ONE + UP), {}),
        (nim(AB, "(<= (may b ?n ?r) (true (heap b ?m)) (s ?n ?m) (role ?r))" + IF_B), {}),
        (nim(AB, BY_ONE + ALSO_B), {}),
        # Something else that moves change.
        (nim(AB, BY_ONE + NOTE), {}),
    ],
)  # fmt: skip
def test_heaps_by_enumeration_and_by_proof(game, found) -> None:
    counted = search.find_heaps(Positions(game, Budget()))
    assert {h.pattern: (h.size, h.takes) for h in counted} == found
    positions = Positions(game, Budget())
    parts = positions.proofs.parts
    known = split(parts, on_board(candidates(game.net), parts.boards.inputs))
    proved = proved_heaps(parts, known, game.net.initial)
    assert {h.pattern: (h.size, h.takes) for h in proved} == found


def test_a_heap_of_one_player() -> None:
    """There is no other whose moves could differ."""
    game = ggp.parse(f"""(role p) (init (heap a 3)) {S_4}
        (<= (legal p (to ?n)) (true (heap a ?m)) (s ?n ?m))
        (<= (next (heap a ?n)) (does p (to ?n)))
        (<= terminal (true (heap a 0))) (goal p 100)""")
    parts = Positions(game, Budget()).proofs.parts
    [own] = proved_heaps(parts, split(parts, candidates(game.net)), game.net.initial)
    assert (own.pattern, own.size, own.takes) == ("(heap a ?)", 3, ONE)


@pytest.mark.parametrize(
    ("init", "rules", "sizes"),
    [
        # In both directions on the chain; of one of which the other heap is none.
        ("(init (heap a 3))", BY_ONE, {3, 1}),
        ("(init (heap a 2))", BY_ONE, {2}),
        # Of two that hold none can be read as one heap.
        ("(init (heap a 3)) (init (heap a 1))", BY_ONE, set()),
    ],
)
def test_heaps_are_read_in_both_directions(init, rules, sizes) -> None:
    net = nim(init, rules).net
    first = {
        next(n for n in reading.sizes if reading.fluents[n] in net.initial)
        for readings in heap_candidates(net).values()
        for reading in readings
        if str(reading.shape) == "(heap a ?)"
    }
    assert first == sizes


@pytest.mark.parametrize(
    ("varying", "sets", "found"),
    [
        ("", ["ab"], [[]]),
        ("ab", ["ab"], [["ab"]]),
        ("abc", ["ab"], []),
        ("abc", ["ab", "c"], [["ab", "c"]]),
        ("abc", ["ab", "bc", "c", "a"], [["ab", "c"], ["a", "bc"]]),
        # Of two with the same fluent each is tried; what does not vary may be in them.
        ("b", ["ab", "bc"], [["ab"], ["bc"]]),
        ("bd", ["ab", "ad"], []),
    ],
)
def test_ways_to_account_for_all_that_varies(varying, sets, found) -> None:
    named = {frozenset(map(ord, own)): own for own in sets}
    covers = search._covers(set(map(ord, varying)), list(named), [0])
    assert sorted([named[own] for own in cover] for cover in covers) == sorted(found)


@pytest.mark.parametrize(("most", "is_enough"), [(2, False), (3, True)])
def test_no_more_ways_are_tried_than_a_limit(monkeypatch, most, is_enough) -> None:
    """None, one and both of two sets."""
    monkeypatch.setattr(search, "MAX_TRIED", most)
    ways = search._covers({1, 2}, [frozenset({1}), frozenset({2})], [0])
    if is_enough:
        assert len(list(ways)) == 1
    else:
        with pytest.raises(LimitReached):
            list(ways)


@pytest.mark.parametrize(("most", "is_enough"), [(1, False), (2, True)])
def test_heaps_are_not_looked_for_beyond_a_limit(monkeypatch, most, is_enough) -> None:
    """None and all of one heap."""
    monkeypatch.setattr(search, "MAX_TRIED", most)
    positions = Positions(nim("(init (heap a 3))", BY_ONE), Budget())
    if is_enough:
        assert len(search.find_heaps(positions)) == 1
    else:
        with pytest.raises(LimitReached):
            search.find_heaps(positions)
