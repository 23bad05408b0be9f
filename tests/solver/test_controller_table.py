"""Guards of rules over tables of values that are written out: right, wide, and none for nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

import numpy as np
import pytest

import ggp
from ggp.errors import LimitReached
from ggp.kif import Term
from ggp.limits import Budget, Limits
from ggp.solver import controller as module
from ggp.solver.columns import Column
from ggp.solver.controller import Condition, ControllerRule


def cover(
    values: Sequence[Sequence[int]], right: Sequence[Sequence[int]], sizes: Sequence[int]
) -> module._Cover:
    """Positions with some values, which moves are right in each, and how many fluents columns
    have; a value that is none of them means that none holds."""
    made = object.__new__(module._Cover)
    made.places = np.arange(len(values))
    made._budget = Budget(Limits())
    made._values = np.array(values, dtype=np.int16).reshape(len(values), len(sizes))
    made._right = np.array(right, dtype=np.bool_)
    made._known = [np.unique(made._values[:, i]) for i in range(len(sizes))]
    made._moves = [Term(f"m{j}") for j in range(len(right[0]))]
    starts = np.cumsum([0, *sizes])
    made._columns = [
        Column(f"c{i}", tuple(range(starts[i], starts[i + 1])), tuple(map(str, range(size))))
        for i, size in enumerate(sizes)
    ]
    made._names = [f"c{i}={v}" for i, size in enumerate(sizes) for v in range(size)]
    return made


def facts(row: Sequence[int], sizes: Sequence[int]) -> frozenset[str]:
    return frozenset(f"c{i}={v}" for i, v in enumerate(row) if v < sizes[i])


def holding(rules: Sequence[ControllerRule], held: frozenset[str]) -> list[ControllerRule]:
    return [rule for rule in rules if all(c.holds(held) for c in rule.conditions)]


@pytest.mark.parametrize("seed", range(40))
def test_rules_are_right_and_none_is_superfluous(seed: int) -> None:
    """Of random tables: one holds in each position, and each is the only one somewhere."""
    rng = random.Random(seed)
    sizes = [rng.randint(1, 3) for _ in range(rng.randint(1, 4))]
    rows = sorted(
        {tuple(rng.randint(0, size) for size in sizes) for _ in range(rng.randint(2, 30))}
    )
    moves = rng.randint(1, 4)
    right = []
    for _ in rows:
        own = [rng.random() < 0.4 for _ in range(moves)]
        own[rng.randrange(moves)] = True
        right.append(own)
    rules = cover(rows, right, sizes).rules()
    told = [holding(rules, facts(row, sizes)) for row in rows]
    for own, found in zip(right, told, strict=True):
        assert found
        assert all(own[int(str(rule.move)[1:])] for rule in found)
    alone = [found[0] for found in told if len(found) == 1]
    assert all(rule in alone for rule in rules)
    order = [(len(rule.conditions), str(rule)) for rule in rules]
    assert order == sorted(order)
    # Each is as wide as positions allow in which its move is wrong.
    for rule in rules:
        wrong = [
            row for row, own in zip(rows, right, strict=True) if not own[int(str(rule.move)[1:])]
        ]
        for condition in rule.conditions:
            column = int(condition.name[1:])
            others = [c for c in rule.conditions if c is not condition]
            let_in = {
                None if row[column] == sizes[column] else str(row[column])
                for row in wrong
                if all(c.holds(facts(row, sizes)) for c in others)
            }
            assert let_in >= {*condition.rest}


def test_a_rule_whose_positions_others_cover_is_left_out() -> None:
    """The first is made for position 0, where both moves are right; the next two cover it."""
    made = cover([[0], [1], [2]], [[1, 1, 0], [1, 0, 1], [0, 1, 1]], [3])
    assert len(made.rules()) == 2


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("order", [1, -1])
def test_guards_are_as_wide_as_no_other_position_forbids(seed: int, order: int) -> None:
    """A value more in any column would let a position in where the move is wrong."""
    rng = random.Random(seed)
    sizes = [rng.randint(1, 3) for _ in range(rng.randint(1, 4))]
    rows = sorted(
        {tuple(rng.randint(0, size) for size in sizes) for _ in range(rng.randint(2, 30))}
    )
    right = [[rng.random() < 0.5] for _ in rows]
    start = rng.randrange(len(rows))
    right[start] = [True]
    made = cover(rows, right, sizes)
    sets = made._widened(start, 0, order)
    allowed = [set(known[own].tolist()) for known, own in zip(made._known, sets, strict=True)]

    def is_inside(row: Sequence[int], allowed: Sequence[set[int]]) -> bool:
        return all(value in own for value, own in zip(row, allowed, strict=True))

    inside = [is_inside(row, allowed) for row in rows]
    assert inside[start]
    assert made._inside(sets).tolist() == inside
    wrong = [row for row, (own,) in zip(rows, right, strict=True) if not own]
    assert not any(is_inside(row, allowed) for row in wrong)
    for i, known in enumerate(made._known):
        for value in set(known.tolist()) - allowed[i]:
            wider = [own | {value} if j == i else own for j, own in enumerate(allowed)]
            assert any(is_inside(row, wider) for row in wrong)


@pytest.mark.parametrize(
    ("rows", "right", "order", "allowed"),
    [
        # The first column is widened first, or the last.
        ([(0, 0), (1, 1)], [1, 0], 1, [{0, 1}, {0}]),
        ([(0, 0), (1, 1)], [1, 0], -1, [{0}, {0, 1}]),
        ([(0, 0), (1, 0), (0, 1)], [1, 0, 0], 1, [{0}, {0}]),
        ([(0, 0), (1, 0), (0, 1)], [1, 1, 1], 1, [{0, 1}, {0, 1}]),
        # A column that can be left out whole comes before a part of another.
        ([(0, 0), (1, 0), (2, 1)], [1, 0, 0], 1, [{0}, {0, 1}]),
        ([(0, 0), (1, 0), (2, 1)], [1, 0, 0], -1, [{0}, {0, 1}]),
        ([(0, 0), (1, 0), (2, 1), (0, 1)], [1, 0, 0, 0], 1, [{0, 2}, {0}]),
    ],
)
def test_whole_columns_are_left_out_first(
    rows: list[tuple[int, int]], right: list[int], order: int, allowed: list[set[int]]
) -> None:
    made = cover(rows, [[own] for own in right], [3, 3])
    sets = made._widened(0, 0, order)
    found = [set(known[own].tolist()) for known, own in zip(made._known, sets, strict=True)]
    assert found == allowed


@pytest.mark.parametrize(
    ("rows", "right", "count"),
    [
        # The guard is widened from the first column on, or from the last.
        ([(0, 0, 0), (0, 2, 0), (0, 2, 2)], ["110", "101", "010"], 2),
        ([(0, 0, 0), (1, 0, 1), (1, 1, 0)], ["001", "110", "110"], 2),
        # The guard is taken that most positions without a rule meet, the first of equal ones.
        ([(0, 0, 2), (0, 2, 2), (1, 2, 2), (2, 1, 2)], ["010", "101", "010", "001"], 3),
        ([(1, 0, 1), (1, 0, 2), (2, 2, 2)], ["1101", "1011", "0011"], 1),
        ([(0, 0, 1), (0, 1, 2), (2, 0, 1), (2, 1, 0)], ["1011", "0111", "1100", "0011"], 2),
        ([(1, 0, 0), (2, 0, 2)], ["0011", "1101"], 1),
    ],
)
def test_positions_are_covered_by_few_rules(
    rows: list[tuple[int, ...]], right: list[str], count: int
) -> None:
    """A row of digits says of each position which moves are right there."""
    made = cover(rows, [[int(digit) for digit in own] for own in right], [2, 2, 2])
    assert len(made.rules()) == count


@pytest.mark.parametrize(("most", "rules"), [(2, 2), (1, 3)])
def test_so_many_moves_of_a_position_are_tried(
    monkeypatch: pytest.MonkeyPatch, most: int, rules: int
) -> None:
    """The last move is right in three of four positions, each of the others in one of these."""
    monkeypatch.setattr(module, "MAX_TRIED", most)
    right = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 0]]
    made = cover([[0], [1], [2], [3]], right, [4])
    assert len(made.rules()) == rules


@pytest.mark.parametrize(
    ("allowed", "values", "rest", "fluents", "others"),
    [
        ([1, 0, 0, 0], ("0",), ("1", "2", None), ("c0=0",), ("c0=1", "c0=2")),
        ([0, 1, 1, 0], ("1", "2"), ("0", None), ("c0=1", "c0=2"), ("c0=0",)),
        ([0, 0, 0, 1], (None,), ("0", "1", "2"), (), ("c0=0", "c0=1", "c0=2")),
        ([0, 1, 0, 1], ("1", None), ("0", "2"), ("c0=1",), ("c0=0", "c0=2")),
    ],
)
def test_a_condition_names_what_holds_and_what_does_not(
    allowed: list[int],
    values: tuple[str | None, ...],
    rest: tuple[str | None, ...],
    fluents: tuple[str, ...],
    others: tuple[str, ...],
) -> None:
    """Of a column of three fluents, of which none may hold."""
    made = cover([[0], [1], [2], [3]], [[1]] * 4, [3])
    mask = np.array(allowed, dtype=np.bool_)
    found = made._condition(made._columns[0], made._known[0], mask)
    assert found == Condition("c0", values, rest, fluents, others, False)
    for value, is_meant in enumerate(allowed):
        assert found.holds(facts([value], [3])) == bool(is_meant)
    [rule] = [made._rule(0, [mask])]
    assert rule == ControllerRule(Term("m0"), (found,))
    assert made._rule(0, [np.ones(4, dtype=np.bool_)]) == ControllerRule(Term("m0"), ())


@pytest.mark.parametrize(
    ("values", "rest", "is_single", "text"),
    [
        (("1",), (None,), True, "c"),
        ((None,), ("1",), True, "not c"),
        (("a",), ("b", "d"), False, "c = a"),
        ((None,), ("b", "d"), False, "c = nothing"),
        (("a",), ("b",), False, "c = a"),
        (("a", "b"), ("d",), False, "c is not d"),
        (("a", "b"), (None,), False, "c is not nothing"),
        (("a", "b", "d"), ("e", None), False, "c not in {e, nothing}"),
        (("10", "9"), ("1", "2"), False, "c in {9, 10}"),
        (("a", None), ("b", "d", "e"), False, "c in {a, nothing}"),
    ],
)
def test_conditions_in_words(
    values: tuple[str | None, ...], rest: tuple[str | None, ...], is_single: bool, text: str
) -> None:
    condition = Condition("c", values, rest, (), (), is_single)
    assert str(condition) == text
    assert str(ControllerRule(Term("m"), (condition, condition))) == f"m when {text} and {text}"
    assert str(ControllerRule(Term("m"), ())) == "m when to move"


CHAIN = """(role p) (init (at 1)) (s 1 2) (s 2 3) (legal p go) (legal p stay)
(<= (next (at ?y)) (does p go) (true (at ?x)) (s ?x ?y))
(<= (next (at ?x)) (does p stay) (true (at ?x))) (<= terminal (true (at 3))) (goal p 100)"""


@pytest.mark.parametrize(("most", "fits"), [(2, True), (1, False)])
def test_rules_are_made_for_so_many_positions(
    monkeypatch: pytest.MonkeyPatch, most: int, fits: bool
) -> None:
    """Two, from each of which going on brings the end nearer."""
    monkeypatch.setattr(module, "MAX_POSITIONS", most)
    game = ggp.parse(CHAIN)
    if fits:
        found = module.controller(game, "p")
        assert (found.positions, list(map(str, found.rules))) == (2, ["go when to move"])
    else:
        with pytest.raises(LimitReached, match="rules are made for"):
            module.controller(game, "p")


@pytest.mark.parametrize("chunk", [1, 2, 3, 100])
def test_positions_are_read_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """Of one lamp of two that is to be lit; the other says which is."""
    monkeypatch.setattr(module, "CHUNK", chunk)
    game = ggp.parse("""(role p) (init left) (legal p one) (legal p two) (legal p wait)
    (<= (next done) (does p one) (true left)) (<= (next done) (does p two) (not (true left)))
    (<= (next left) (not (true left))) (<= (next gone) (does p one) (not (true left)))
    (<= (next gone) (does p two) (true left)) (<= terminal (true done))
    (<= terminal (true gone)) (<= (goal p 100) (true done)) (<= (goal p 0) (not (true done)))""")
    found = module.controller(game, "p")
    assert sorted(map(str, found.rules)) == ["one when left", "two when not left"]


def test_of_two_rules_one_stays_where_nothing_else_covers_a_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the first two, with the first position in common, the rest is covered by the last two."""
    monkeypatch.setattr(module, "MAX_TRIED", 1)
    right = [[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]
    rules = cover([[n] for n in range(5)], right, [5]).rules()
    assert sorted(str(rule.move) for rule in rules) == ["m0", "m2", "m3"]


def test_what_a_file_of_rules_holds_is_told_by_its_suffix() -> None:
    found = module.controller(ggp.parse(CHAIN), "p")
    wanted = {".txt": found.text(), ".py": found.python(), ".kif": found.rules_text()}
    assert {suffix: found.file(suffix) for suffix in wanted} == wanted
    assert json.loads(found.file(".json")) == found.as_json()
    assert {*wanted, ".json"} == {*module.SUFFIXES}
