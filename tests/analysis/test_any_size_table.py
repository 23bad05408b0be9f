"""Heaps of any size: what of rules speaks of sizes, how far they look, and longer chains."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import ggp
from ggp.analysis.heaps import any_size as module
from ggp.analysis.heaps.any_size import (
    _is_tied,
    any_size,
    count_atoms,
    games_of_any_size,
    length_for,
    longer_sheet,
    moves_below,
)
from ggp.analysis.heaps.heap import Heap
from ggp.analysis.heaps.sorts import SizesIn
from ggp.analysis.relations.chains import Chain, chains
from ggp.errors import NotSolvable
from ggp.rules.sorts import Sorts
from ggp.solver.any_heap import any_heaps
from tests.analysis.test_counterexamples import heap

WORK = 20.0

BARE = """(role p) (succ 0 1) (succ 1 2) (succ 2 3) (init (heap 3))
    (<= (legal p ?k) (true (heap ?m)) (succ ?k ?m))
    (<= (next (heap ?k)) (does p ?k))
    (<= terminal (true (heap 0))) (goal p 100)"""
"""A move is called what is left."""


def _length(game: ggp.Game, chain: Chain, heaps, more) -> int | None:
    """How many sizes a chain needs for what rules say of these heaps."""
    starts = {heap.at(heap.elements[heap.size]) for heap in heaps}
    least = min(heap.floor for heap in heaps)
    return length_for(game.rules, chain.relation, heaps[0].elements, starts, more, least)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("(<= (next (odd x)) (does p 3))", {"3"}),
        ("(input p 2)", {"2"}),
        ("(base (heap 1))", {"1"}),
        ("(<= (next (odd 3)) (true (heap ?m)))", set()),
        ("(<= (next (odd x)) (true (heap 2)))", {"2"}),
        ("(<= (next (odd x)) (does p ?k) (not (true (heap 2))))", {"2"}),
        ("(<= (next (heap 2)) (true (odd x)))", {"2"}),
        # By a relation between; by what a fluent was before.
        ("(<= (low ?m) (succ 1 ?m)) (<= (next (odd x)) (true (heap ?m)) (low ?m))", {"1"}),
        ("(<= (next (odd ?m)) (true (heap ?m))) (<= (next (got y)) (true (odd 2)))", {"2"}),
        # Names for other things, and the goal; what is compared with a size is one.
        ("(<= (legal p stay) (true (heap 1)))", {"stay", "1"}),
        ("(<= (next (odd x)) (true (heap ?m)) (distinct ?m 2))", {"2"}),
        ("(<= (next (odd x)) (true (heap ?m)) (distinct 2 ?m))", {"2"}),
        ("(<= (goal p 3) (true (heap ?m)) (distinct ?m 1))", {"1"}),
        ("(<= (next (odd ?x)) (true (odd ?x)) (distinct ?x 2))", set()),
        ("(<= (next (odd ?m)) (true (heap ?m)) (true (odd ?x)) (distinct ?x 2))", {"2"}),
    ],
)
def test_constants_that_stand_where_sizes_can(more, expected) -> None:
    rules = ggp.parse(BARE + more).rules
    known = ggp.parse(BARE).rules.rules
    found = Sorts(rules).constants_like((("succ", 2), 0), (("succ", 2), 1))
    assert len(found) == len(rules.rules)
    own = [
        terms
        for rule, terms in zip(rules.rules, found, strict=True)
        if not any(rule.head == k.head and rule.positive == k.positive for k in known)
    ]
    assert {str(term) for terms in own for term in terms} == expected
    first = {str(rule.head): terms for rule, terms in zip(rules.rules, found, strict=True)}
    assert {str(t) for t in first["(init (heap 3))"]} == {"3"}
    assert first["(goal p 100)"] == first["(role p)"] == set()


def test_who_makes_a_move_is_who_may() -> None:
    """A relation between roles that `legal` looks at, and a rule about what one of them does."""
    rules = ggp.parse("""(role p) (role q) (role r) (seat p q) (seat q r) (init (at 0)) (goal p 0)
        (<= (legal ?r go) (seat ?r ?s)) (legal r go) (goal q 0) (goal r 0) (s 0 1)
        (<= (next (at 1)) (does q go)) (<= terminal (true (at 1)))""").rules
    found = Sorts(rules).constants_like((("seat", 2), 0))
    [own] = [terms for rule, terms in zip(rules.rules, found, strict=True)
             if str(rule.head) == "(next (at 1))"]  # fmt: skip
    assert {str(term) for term in own} == {"q"}


@pytest.mark.parametrize(
    ("rule", "is_tied"),
    [
        ("(<= (next (odd x)) (true (heap ?m)) (succ ?k ?m))", True),
        ("(<= (next (odd ?k)) (true (odd x)) (succ ?k ?m))", True),
        ("(<= (next (odd x)) (true (heap ?m)) (succ ?b ?m) (succ ?a ?b))", True),
        ("(<= (next (odd x)) (true (heap ?m)) (succ ?a ?b) (succ ?b ?m))", True),
        ("(<= (next (odd x)) (true (heap ?m)) (succ ?a ?b))", False),
        ("(<= (next (odd x)) (true (heap ?m)) (succ ?a ?m) (succ ?b ?c))", False),
        ("(<= (next (odd x)) (does p ?m) (succ ?a ?m))", True),
        ("(<= (next (odd x)) (true (heap 1)) (succ ?a ?b))", False),
        ("(<= (next (odd x)) (true (heap 1)) (succ 0 1))", True),
        ("(<= (next (odd x)) (true (heap 1)))", True),
        ("(<= (hit ?m) (true (heap ?m))) (<= (next (odd x)) (hit ?m) (succ ?m ?n))", True),
        ("(<= (two ?a ?b) (succ ?a ?c) (succ ?c ?b)) (<= (next (odd x)) (two ?a ?b))", False),
    ],
)
def test_sizes_are_tied_to_the_state_or_the_head(rule, is_tied) -> None:
    """By static atoms that share variables, in whatever order."""
    rules = ggp.parse(BARE + rule).rules
    changing = rules.graph.depending_on([("true", 1), ("does", 2)])
    asked = [r for r in rules.rules if str(r.head).startswith("(next (odd")]
    assert [_is_tied(r, changing) for r in asked] == [is_tied]


COUNTED = """(<= (down ?a ?b) (succ ?a ?b)) (<= (two ?a ?b) (succ ?a ?c) (succ ?c ?b))
    (<= (down ?a ?b) (two ?a ?c) (succ ?c ?b)) (<= open (true (heap ?m)) (down ?k ?m))
    (<= (next (odd x)) open (true (heap ?m)) (not (two ?m ?m)) (true (odd ?m)))"""


@pytest.mark.parametrize(
    ("root", "leaves", "count"),
    [
        (("two", 2), {("succ", 2)}, 2),
        # The largest rule counts.
        (("down", 2), {("succ", 2)}, 3),
        (("open", 0), {("succ", 2)}, 3),
        (("open", 0), {("true", 1)}, 1),
        (("open", 0), {("true", 1), ("succ", 2)}, 4),
        (("open", 0), {("down", 2)}, 1),
        # What is negated counts as well; the other rules of `next` are smaller.
        (("next", 1), {("succ", 2)}, 5),
        (("next", 1), {("true", 1), ("does", 2)}, 3),
        (("succ", 2), {("succ", 2)}, 1),
        (("succ", 2), {("true", 1)}, 0),
        (("nothing", 3), {("true", 1)}, 0),
    ],
)
def test_atoms_that_a_relation_unfolds_to(root, leaves, count) -> None:
    assert count_atoms(ggp.parse(BARE + COUNTED).rules, root, leaves) == count


@pytest.mark.parametrize(
    ("atom", "sizes"),
    [
        ("(true (heap ?m))", 1),
        ("(true (control ?p))", 0),
        ("(does ?p (from ?k ?m))", 2),
        ("(true (pair ?k (of ?m x)))", 2),
        # A variable may be any fluent, or any move: of the largest.
        ("(true ?f)", 2),
        ("(does ?p ?m)", 2),
        ("(does p (to 3))", 1),
        # So may one that stands where terms do that are made of others.
        ("(true (wrapped ?t))", 2),
        ("(true (named ?m))", 0),
    ],
)
def test_sizes_that_an_atom_speaks_of(atom, sizes) -> None:
    bare = BARE.replace("l p ?k)", "l p (to ?k))").replace("s p ?k)", "s p (to ?k))")
    text = (
        bare
        + """(init (wrapped (of 1 x))) (<= (next (wrapped ?t)) (true (wrapped ?t)))
        (<= (legal p (from ?k ?m)) (true (heap ?m)) (succ ?k ?m))
        (<= (next (pair ?k (of ?m x))) (does p (from ?k ?m)))
        (<= (next (named ?x)) (true (named ?x))) (init (named y))"""
    )
    game = ggp.parse(text)
    sorts = Sorts(game.rules)
    sizes_in = SizesIn(game.rules, sorts, {sorts.sort((("succ", 2), n)) for n in (0, 1)})
    assert sizes_in(game.term(atom)) == sizes


def found(text: str) -> tuple[ggp.Game, Chain, tuple[Heap, ...]]:
    """The game, the chain of its heaps, and these."""
    game = ggp.parse(text)
    heaps = game.analyse(only="heaps").heaps
    elements = heaps[0].elements
    [own] = [c for c in chains(game.net) if elements in (c.elements, c.elements[::-1])]
    return game, own, heaps


def ones(more: str = "") -> str:
    """A heap of six from which one is taken at a time, by the chain itself."""
    text = heap(6, [1], 6, more).replace("(<= (down ?m ?k) (succ ?k ?m))", "")
    return text.replace("(down ?m ?k)", "(succ ?k ?m)")


ONE_TWO = heap(6, [1, 2], 6)
GOALS_THAT_ARE_SIZES = re.sub(r"(goal \?p) \d+\)", r"\1 ?n) (true (heap ?n))", ones())
ALL_PAIRS = """(<= (any ?a ?b) (is ?a) (is ?b))
    (<= (is ?a) (succ ?a ?b)) (<= (is ?b) (succ ?a ?b))"""
RECURSIVE = "(<= (more ?a ?b) (succ ?a ?b)) (<= (more ?a ?c) (succ ?a ?b) (more ?b ?c))"


@pytest.mark.parametrize(
    ("text", "also", "length"),
    [
        # Radius: 2 steps in `legal`, and again in `terminal` by `open`. Sizes: that of the heap in
        # `legal` and in `terminal`, that of a move in `next` and as it is made, and what is left.
        # Whose turn it is speaks of none.
        (ONE_TWO, False, (5 + 2) * (2 * 4 + 2)),
        # Nor does the goal, unless it looks at the heap.
        (ONE_TWO, True, (5 + 2) * (2 * 4 + 2)),
        (ONE_TWO.replace("(goal ?p 0)", "(goal ?p 0) (true (heap ?n))"), True, (6 + 2) * 10),
        (ones(), False, (5 + 2) * (2 * 2 + 2)),
        (heap(6, [3], 6), False, (5 + 2) * (2 * 6 + 2)),
        # A size that the rules name lies on the chain, not above the floor.
        (ones("(distinct ?m 1)"), False, 1 + (5 + 2) * (2 * 2 + 2)),
        (ones("(distinct ?m 0) (distinct ?m 1)"), False, 1 + 42),
        (ones("(distinct ?m 9)"), False, None),
        (ones("(distinct ?k 2)"), False, 2 + 42),
        (ones("(or (distinct ?m 4) (true (heap ?m)))"), False, None),
        # A table of sizes, recursion, a chain by rules, and sizes that nothing ties.
        (ones("(any ?m)") + "".join(f"(any {n})" for n in range(7)), False, None),
        (ones() + RECURSIVE, False, None),
        (ones() + "(<= (next (odd x)) (true (odd x)) (succ ?a ?b))", False, None),
        (ones() + "(<= (succ 0 1) (role left))", False, None),
        # All pairs of sizes tie nothing.
        (ones("(any ?m ?x)") + ALL_PAIRS, False, None),
        # What is no size may be in tables.
        (ones() + "(color red) (color blue)", False, (5 + 2) * (2 * 2 + 2)),
        # Goals that are sizes would be others on another chain.
        (GOALS_THAT_ARE_SIZES, True, None),
        # A table of sizes that every chain has says nothing of those of a longer one.
        (ones("(not (bad ?m))") + "(bad 1)", False, None),
    ],
)
def test_sizes_that_a_chain_needs(text, also, length) -> None:
    game, own, heaps = found(text)
    more = [("goal", 2)] if also else []
    assert _length(game, own, heaps, more) == length


@pytest.mark.parametrize("wanted", [0, 8, 12])
def test_a_longer_chain_goes_on_at_its_end(wanted) -> None:
    """The heap is as large as the chain is long; there is no name that the rules have already."""
    game, own, heaps = found(ONE_TWO)
    longer = ggp.Game(longer_sheet(game.rules, own, heaps, wanted), game.limits)
    [new] = [c for c in chains(longer.net) if c.relation == own.relation]
    assert len(new.elements) == max(wanted, 7)
    assert new.elements[:7] == own.elements
    assert len(set(new.elements)) == len(new.elements)
    assert f"(heap {new.elements[-1]})" in map(str, longer.initial.facts)
    small = ggp.Game(longer_sheet(game.rules, own, heaps, wanted, [2]), game.limits)
    assert "(heap 2)" in map(str, small.initial.facts)
    assert len([f for f in small.initial.facts if f.name == "heap"]) == 1


def test_a_chain_that_runs_down_goes_on_at_its_start() -> None:
    down = ONE_TWO.replace("succ", "pred")
    for n in range(6):
        down = down.replace(f"(pred {n} {n + 1})", f"(pred {n + 1} {n})")
    down = down.replace("(pred ?k ?m)", "(pred ?m ?k)")
    down = down.replace("(pred ?k ?a1) (pred ?a1 ?m)", "(pred ?m ?a1) (pred ?a1 ?k)")
    game, own, heaps = found(down)
    assert own.elements == heaps[0].elements[::-1]
    longer = ggp.Game(longer_sheet(game.rules, own, heaps, 10), game.limits)
    [new] = [c for c in chains(longer.net) if c.relation == "pred"]
    assert (len(new.elements), new.elements[-7:]) == (10, own.elements)
    assert any_size(game, heaps, WORK)


def test_new_sizes_have_names_of_their_own() -> None:
    game, own, heaps = found(ONE_TWO + "(size8 size_9)")
    longer = longer_sheet(game.rules, own, heaps, 12)
    [new] = [c for c in chains(ggp.Game(longer, game.limits).net) if c.relation == "succ"]
    assert len(new.elements) == 12
    assert not {"size8", "size_9"} & {str(term) for term in new.elements}


def test_a_heap_that_the_rules_do_not_list_has_no_longer_chain() -> None:
    text = ONE_TWO.replace("(init (heap 6))", "(top 6) (<= (init (heap ?n)) (top ?n))")
    game, own, heaps = found(text)
    assert longer_sheet(game.rules, own, heaps, 9) is None
    assert not any_size(game, heaps, WORK)
    assert moves_below(game, own, heaps, 0)


@pytest.mark.parametrize(
    ("more", "floor", "below"),
    [
        ("", 0, {}),
        ("(distinct ?m 3)", 3, {0: False, 1: True, 2: True}),
        ("(distinct ?m 0) (distinct ?m 1)", 1, {0: False}),
        ("(distinct ?m 1)", 1, {0: False}),
    ],
)
def test_moves_below_the_floor(more, floor, below) -> None:
    game, own, heaps = found(ones(more))
    assert heaps[0].floor == floor
    assert {n: moves_below(game, own, heaps, n) for n in range(floor)} == below
    assert any_size(game, heaps, WORK) == (not any(below.values()))


def test_what_is_proved_besides_is_proved_of_each_longer_sheet(monkeypatch) -> None:
    """Of chains as long as the goals need; two lengths, as no amount has a divisor."""
    text = ones().replace("(<= (goal ?p 0)", "(<= (goal ?p 0) (true (heap 0)) (true (heap 0))")
    game, own, heaps = found(text)
    wanted = _length(game, own, heaps, [("goal", 2)])
    assert wanted > _length(game, own, heaps, [])
    seen: list[int] = []

    def also(larger: ggp.Game) -> bool:
        [new] = [c for c in chains(larger.net) if c.relation == "succ"]
        seen.append(len(new.elements))
        return len(seen) < 4

    assert any_size(game, heaps, WORK, also)
    assert seen == [wanted, wanted + 1]
    assert not any_size(game, heaps, WORK, also)
    assert seen == [wanted, wanted + 1] * 2
    assert any_size(game, heaps, WORK)
    assert not any_size(game, heaps, 0.0)
    for most, is_enough in ((wanted, True), (wanted - 1, False)):
        monkeypatch.setattr(module, "MAX_SIZES", most)
        seen.clear()
        assert any_size(game, heaps, WORK, also) == is_enough
    monkeypatch.setattr(module, "MAX_SIZES", wanted)
    for most, is_enough in ((wanted + 2, True), (wanted + 1, False)):
        monkeypatch.setattr(module, "MAX_FLUENTS", most)
        seen.clear()
        assert any_size(game, heaps, WORK, also) == is_enough


def test_a_set_with_a_divisor_has_no_floor_for_any_size() -> None:
    """2 and 4: from even sizes down to 0, from odd ones to 1; that none falls below 0 is said of
    all."""
    for size, amounts, is_any in ((6, [2, 4], False), (7, [2, 4], False), (6, [1, 2], True)):
        game, _, heaps = found(heap(size, amounts, size))
        assert any_size(game, heaps, WORK) == is_any
        [own] = games_of_any_size(game, heaps, WORK) or ()
    assert (list(own.subtraction_set), own.floor) == (amounts, 0)
    game, _, heaps = found(ONE_TWO)
    other = replace(heaps[0], takes={**heaps[0].takes, 6: (1,)})
    assert not any_size(game, [other], WORK)


def test_a_chain_that_is_made_of_the_chain_is_passed_over() -> None:
    """`down` is `succ` from the other end, and comes before it by name."""
    by_helper, by_chain = ggp.parse(heap(6, [1], 6)), ggp.parse(ones())
    scopes = [[h.scope for h in game.analyse().heaps] for game in (by_helper, by_chain)]
    assert scopes == [["any size"], ["any size"]]


@pytest.mark.parametrize("amounts", [[1, 2], [2, 4], [3], [4], [2, 3]])
def test_two_lengths_are_tried_whatever_residues_amounts_have(amounts, monkeypatch) -> None:
    """All sizes of each are looked at."""
    tried: list[int] = []
    game, _, heaps = found(heap(6, amounts, 6))

    def alike(game, rules, chain, heaps, wanted, *_):  # type: ignore[no-untyped-def]
        tried.append(wanted)
        return [0]

    monkeypatch.setattr(module, "_alike", alike)
    [own] = games_of_any_size(game, heaps, WORK) or ()
    assert (list(own.subtraction_set), own.floor) == (amounts, 0)
    assert tried == [tried[0], tried[0] + 1]


@pytest.mark.parametrize(
    ("terminal", "legal", "is_move"),
    [
        ("(true (heap 0))", "", True),
        # Play is over, though there is a move; or goes on, though there is none.
        ("(true (heap ?m)) (distinct ?m 6)", "", False),
        ("(true (heap 0))", "(distinct ?m 1)", False),
        ("(true (heap ?m)) (distinct ?m 6)", "(distinct ?m 1)", False),
    ],
)
def test_there_is_a_move_where_play_goes_on_and_all_can_move(terminal, legal, is_move) -> None:
    """Of a heap of one, from which one is taken."""
    _, own, [whole] = found(ones())
    text = ones(legal).replace("(<= terminal (not open))", f"(<= terminal {terminal})")
    above = replace(whole, takes={n: amounts for n, amounts in whole.takes.items() if n > 1})
    assert above.floor == 1
    assert moves_below(ggp.parse(text), own, [above], 1) == is_move


TWO = """(role left) (role right) (init (heap 1 6)) (init (heap 2 6)) (init (control left))
    (<= (next (control right)) (true (control left)))
    (<= (next (control left)) (true (control right)))
    (<= (legal ?p (move ?h ?n)) (true (control ?p)) (option ?h ?n))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (option ?h ?n) (true (heap ?h ?m)) (succ ?n ?z) (succ ?z ?m))
    (<= (next (heap ?h ?n)) (does ?p (move ?h ?n)))
    (<= (next (heap ?h ?m)) (true (heap ?h ?m)) (does ?p (move ?g ?n)) (distinct ?h ?g))
    (<= open (option ?h ?n)) (<= terminal (not open))
    (<= odd (true (heap 1 ?x)) (true (heap 2 ?y)) (succ ?x ?y))
    (<= (goal ?p 0) (true (control ?p)) (not odd))
    (<= (goal ?p 100) (true (control ?p)) odd)
    (<= (goal ?p 100) (role ?p) (not (true (control ?p))) (not odd))
    (<= (goal ?p 0) (role ?p) (not (true (control ?p))) odd)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"""


def test_residues_of_several_heaps_are_not_proved_one_by_one() -> None:
    """An adversary's: goals are exchanged where one heap is one more than the other, which of two
    even heaps, and of two odd ones, none ever is."""
    with pytest.raises(NotSolvable, match="not proved for every longer chain"):
        any_heaps(ggp.parse(TWO))
