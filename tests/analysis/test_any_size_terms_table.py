"""Heaps of any size: what compound terms that are compared say of sizes, and names of sizes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis.heaps.any_size import _names, longer_sheet, variables
from ggp.analysis.relations.chains import chains
from ggp.kif import Term
from ggp.rules.sorts import Sorts
from tests.analysis.test_any_size_table import BARE, ONE_TWO, found

SIZES = (("succ", 2), 0), (("succ", 2), 1)


def told(more: str) -> set[str]:
    """Constants of the rules in `more` that stand where sizes can; `m` is a size there."""
    rules = ggp.parse(f"{BARE} {more}").rules
    own = Sorts(rules).constants_like(*SIZES)
    count = len(ggp.parse(BARE).rules.rules)
    heads = {str(rule.head) for rule in ggp.parse(BARE).rules.rules}
    new = [(r, t) for r, t in zip(rules.rules, own, strict=True) if str(r.head) not in heads]
    assert len(new) == len(rules.rules) - count
    return {str(term) for _, terms in new for term in terms}


@pytest.mark.parametrize(
    ("compared", "sizes"),
    [
        # At the same place of one function.
        ("(f ?m) (f 2)", {"2"}),
        ("(f 2) (f ?m)", {"2"}),
        ("(f ?x) (f 2)", set()),
        ("(f ?m a) (f 2 a)", {"2"}),
        ("(f a ?m) (f a 2)", {"2"}),
        ("(f ?m ?x) (f a 2)", {"a"}),
        ("(f ?x ?m) (f a 2)", {"2"}),
        # What can never be equal is no comparison.
        ("(f ?m ?m) (f 1 2)", set()),
        ("(f ?m a) (f 2 b)", set()),
        # Within others.
        ("(f (h ?m)) (f (h 2))", {"2"}),
        ("(f (h a) ?m) (f (h ?x) 2)", {"2"}),
        ("(f (h ?m) ?x) (f (h 2) 1)", {"2"}),
        # Another function, or of another number of arguments, is never the same.
        ("(f ?m) (h 2)", set()),
        ("(f ?m) (f 2 2)", set()),
        ("(f ?m a) (f 2)", set()),
        ("(f (h ?m)) (f (k 2))", set()),
        ("(f (h ?m)) (f 2)", set()),
        ("(f ?m) a", set()),
        # A variable with a whole term: what is in that is no size.
        ("?m (f 2)", set()),
        ("(f 2) ?m", set()),
        ("?m 2", {"2"}),
        ("2 ?m", {"2"}),
        ("?x 2", set()),
    ],
)
def test_sizes_are_compared_within_terms(compared, sizes) -> None:
    """`?m` is a size and `?x` is not; the second of two comparisons counts as well."""
    rule = "(<= (next (odd {0})) (true (heap ?m)) (true (odd ?x)) (distinct {1}))"
    assert told("(init (odd a))" + rule.format("z", compared)) - {"z"} == sizes
    assert told("(init (odd a))" + rule.format("z", f"?x b) (distinct {compared}")) == sizes


def test_what_is_compared_by_two_variables_is_of_one_sort() -> None:
    """Of `?x`, which is like `?m` by a comparison, the constant is one of sizes."""
    text = "(init (odd a)) (<= (next (got z)) (true (heap ?m)) (true (odd ?x)) (distinct {}))"
    assert told(text.format("?m ?x")) == {"a"}
    assert told(text.format("(f ?m) (f ?x)")) == {"a"}
    assert told(text.format("(f ?m b) (f c ?x)")) == {"c"}
    assert told(text.format("(f ?m) (h ?x)")) == set()


def compound(name: str, *args: Term | str) -> Term:
    return Term(name, tuple(Term(a) if isinstance(a, str) else a for a in args))


X, Y = Term("?x"), Term("?y")


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        ([], set()),
        ([Term("a")], set()),
        ([X], {X}),
        ([compound("f", "?x", "a"), Term("?y")], {X, Y}),
        ([compound("f", compound("g", "a", compound("h", "?y")))], {Y}),
        ([compound("f", "?x", compound("g", "?y"), "?x")], {X, Y}),
    ],
)
def test_variables_at_any_depth(terms, found) -> None:
    assert variables(*terms) == found


def test_names_are_all_constants_and_variables_of_a_rule() -> None:
    rule = SimpleNamespace(
        head=compound("p", "a", compound("f", "b")),
        positive=(compound("q", "?x"), Term("c")),
        negative=(compound("r", compound("g", "d")),),
        distinct=(((Term("e"), compound("h", "i")), (X, Term("k"))),),
    )
    assert {str(t) for t in _names(rule)} == set("abcdeik") | {"?x"}


@pytest.mark.parametrize(
    "more",
    [
        "(<= (next (odd x)) (true (odd ?y)) (distinct {0} ?y))",
        "(<= (next (odd x)) (true (odd ?y)) (distinct (f ?y) (f {0})))",
        "(<= (next (odd x)) (true (odd x)) (not (true (odd {0}))))",
        "(<= (next (odd {0})) (true (odd x)))",
        "(kind (f {0}))",
        "{0}",
    ],
)
def test_a_name_that_occurs_anywhere_is_not_given_to_a_size(more) -> None:
    game, own, heaps = found(ONE_TWO + more.format("size7"))
    longer = ggp.Game(longer_sheet(game.rules, own, heaps, 9), game.limits)
    [new] = [c for c in chains(longer.net) if c.relation == own.relation]
    assert [str(t) for t in new.elements[7:]] == ["size_7", "size_8"]


def test_sizes_are_named_by_their_place() -> None:
    game, own, heaps = found(ONE_TWO)
    longer = ggp.Game(longer_sheet(game.rules, own, heaps, 9), game.limits)
    [new] = [c for c in chains(longer.net) if c.relation == own.relation]
    assert [str(t) for t in new.elements[7:]] == ["size7", "size8"]


@pytest.mark.parametrize(
    ("more", "sizes"),
    [
        ("(init 2)", {"2"}),
        ("(base 2)", {"2"}),
        ("(<= (next 2) (true (heap 1)))", {"1", "2"}),
        ("(<= (next (odd 2)) (true b))", {"b"}),
        ("(<= (next (odd 2)) (not (true b)))", {"b"}),
        ("(init (odd 2)) (base (odd 1))", set()),
    ],
)
def test_fluents_that_are_sizes_are_so_wherever_they_stand(more, sizes) -> None:
    """What holds at first, and next, and may hold is what is true; `z` is one of them."""
    rule = "(<= (next z) (true ?f) (succ ?f ?g))"
    assert told(f"{more} {rule}") == sizes | {"z"}
    assert told(f"{more} {rule.replace('(succ ?f ?g)', '(true (heap ?g))')}") == sizes & {"1"}


@pytest.mark.parametrize("keyword", ["legal", "input"])
@pytest.mark.parametrize(
    ("move", "made", "sizes"),
    [
        # A size is a move of these rules anyway.
        ("2", "?p ?x", {"2"}),
        ("(f 2)", "?p ?x", set()),
        ("(f 2)", "?p (f ?m)", {"2"}),
        ("(f 2)", "?m ?x", {"a"}),
        ("2", "?m ?x", {"a", "2"}),
    ],
)
def test_who_moves_and_what_is_made_are_told_apart(keyword, move, made, sizes) -> None:
    """What may be made is what is made, and who may make it is who does."""
    rule = f"(<= (next (odd z)) (does {made}) (succ ?m ?n))"
    assert told(f"({keyword} a {move}) {rule}") == sizes
