"""Clocks and circles of roles, part by part: what is read, what runs, what goes round."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

import ggp
from ggp.checker import clock
from ggp.checker.clock import goes_round, is_accompanied, runs_by_itself
from ggp.checker.replay import State
from ggp.ground import Net


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_steps_of_one_circle_of_all_roles(count: int) -> None:
    """Against all circles that there are."""
    pairs = list(itertools.product(range(count), repeat=2))
    circles = [
        set(zip(order, [*order[1:], order[0]], strict=True))
        for order in itertools.permutations(range(count))
    ]
    for size in range(min(count + 1, len(pairs)) + 1):
        for steps in itertools.combinations(pairs, size):
            is_part = any(circle.issuperset(steps) for circle in circles)
            assert goes_round(steps, count) is is_part
            assert goes_round([*steps, *steps], count) is is_part


class Gates:
    """Fluents 2 to 4, moves 5 and 6, gates from 7 on; no gate is looked at more than once."""

    first_fluent, first_move, first_gate = 2, 5, 7

    def __init__(self, root: int, bodies: dict[int, list[list[int]]]) -> None:
        self.next, self._bodies = [root], bodies
        self.asked: list[int] = []

    def bodies(self, node: int) -> list[list[int]]:
        assert node not in self.asked
        self.asked.append(node)
        return self._bodies.get(node, [])


LADDER = {n: [[n - 1, -(n - 2)], [n - 2, n - 1]] for n in range(10, 40)}
"""Each gate reads the two before it, twice."""


@pytest.mark.parametrize(
    ("root", "bodies", "read"),
    [
        (1, {}, set()),
        (-1, {}, set()),
        (2, {}, {0}),
        (-4, {}, {2}),
        (5, {}, None),
        (-6, {}, None),
        (7, {7: [[2, -3], [1]]}, {0, 1}),
        (-7, {7: [[2], [-8]], 8: [[-4, 2]]}, {0, 2}),
        (7, {7: [[2], [8]], 8: [[3, -6]]}, None),
        (7, {7: [[2], [8]], 8: [[9]], 9: [[-5]]}, None),
        (7, {7: []}, set()),
        (7, {7: [[]]}, set()),
        # Gates that depend on each other, and on themselves.
        (7, {7: [[8, 2]], 8: [[7], [9]], 9: [[9], [7, 4]]}, {0, 2}),
        (39, {8: [[2]], 9: [[3]], **LADDER}, {0, 1}),
        (39, {8: [[2]], 9: [[5]], **LADDER}, None),
    ],
)
def test_fluents_that_the_next_value_depends_on(
    root: int, bodies: dict[int, list[list[int]]], read: set[int] | None
) -> None:
    assert clock._read(Gates(root, bodies), 0) == read  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reads", "independent"),
    [
        ([{0}, {1}], {0, 1}),
        ([{1}, {0}], {0, 1}),
        ([None, {1}], {1}),
        ([None, {0}, {1}, {2}], set()),
        ([{1}, {2}, {0}, None, {2, 3}], {0, 1, 2}),
        ([set(), {0}], {0, 1}),
    ],
)
def test_what_depends_on_moves_at_the_last_is_not_by_itself(
    monkeypatch: pytest.MonkeyPatch, reads: list[set[int] | None], independent: set[int]
) -> None:
    monkeypatch.setattr(clock, "_read", lambda net, f: net.reads[f])
    net = SimpleNamespace(next=reads, reads=reads)
    assert clock._independent(net) == {f: reads[f] for f in independent}  # type: ignore[arg-type]


def chain(*steps: tuple[int, int], more: str = "") -> Net:
    """A clock that goes from 0 on by some steps, whatever is played."""
    links = " ".join(f"(nx {a} {b})" for a, b in steps)
    return ggp.parse(f"""(role p) (legal p go) (legal p wait) (init (c 0)) {links} {more}
        (<= (next (c ?y)) (true (c ?x)) (nx ?x ?y))
        (<= (next moved) (does p go)) (<= terminal (true moved)) (goal p 50)""").net


def at(net: Net, *texts: str) -> State:
    names = list(map(str, net.fluents))
    return frozenset(names.index(text) for text in texts)


def settings(net: Net, *places: int) -> list[State]:
    return [at(net, f"(c {n})") for n in places]


ROUND = ((0, 1), (1, 2), (2, 0))
TAIL = ((0, 1), (1, 2), (2, 1))
STAYS = ((0, 1), (1, 2), (2, 2))
ENDS = ((0, 1), (1, 2))


@pytest.mark.parametrize(
    ("steps", "places", "found"),
    [
        (ROUND, (0, 1, 2), ([0, 1, 2], 0)),
        (ROUND, (2, 0, 1), ([1, 2, 0], 1)),
        (ROUND, (1, 0, 2), ([1, 0, 2], 1)),
        (TAIL, (0, 1, 2), ([0, 1, 2], 1)),
        (TAIL, (2, 1, 0), ([2, 1, 0], 1)),
        (STAYS, (0, 1, 2), ([0, 1, 2], 2)),
        # Then there is none, which is no setting.
        (ENDS, (0, 1, 2), ([0, 1, 2], None)),
        # Of some of its settings alone it comes to no setting before it has gone through all.
        (ROUND, (0, 1), None),
        (ROUND, (0, 2), None),
        (ROUND, (1, 2), None),
    ],
)
def test_the_order_in_which_a_clock_runs(
    steps: tuple[tuple[int, int], ...],
    places: tuple[int, ...],
    found: tuple[list[int], int | None] | None,
) -> None:
    net = chain(*steps)
    assert runs_by_itself(net, settings(net, *places)) == found


def test_what_moves_change_runs_not_by_itself() -> None:
    net = chain(*ROUND)
    assert runs_by_itself(net, [at(net, "moved")]) is None
    assert runs_by_itself(net, [*settings(net, 0, 1, 2), at(net, "moved")]) is None


@pytest.mark.parametrize(("most", "is_found"), [(4, True), (3, True), (2, False)])
def test_clocks_run_for_so_many_steps(
    monkeypatch: pytest.MonkeyPatch, most: int, is_found: bool
) -> None:
    monkeypatch.setattr(clock, "MAX_STEPS", most)
    net = chain(*ROUND)
    assert (runs_by_itself(net, settings(net, 0, 1, 2)) is not None) is is_found


OTHER = """(init (d 0)) (<= (next (d ?y)) (true (d ?x)) (step ?x ?y)) """


@pytest.mark.parametrize(
    ("links", "is_so"),
    [
        # In just one step of each round, and some in each.
        ("(step 0 1) (step 1 2) (step 2 0)", True),
        # Of another period, longer and shorter.
        ("(step 0 1) (step 1 0)", False),
        ("(step 0 1) (step 1 2) (step 2 3) (step 3 0)", False),
        # One that holds in no step but the first; one that always does.
        ("(step 0 1) (step 1 2) (step 2 1)", False),
        ("(step 0 0)", False),
        # Nothing in the third step, and one fluent in two steps.
        ("(step 0 1)", False),
    ],
)
def test_fluents_that_go_with_a_clock(links: str, is_so: bool) -> None:
    net = chain(*ROUND, more=OTHER + links)
    own = at(net, "(c 0)", "(c 1)", "(c 2)")
    assert is_accompanied(net, own, 3) is is_so
    assert not is_accompanied(chain(*ROUND), at(chain(*ROUND), "(c 0)", "(c 1)", "(c 2)"), 3)
    assert not is_accompanied(net, own | at(net, "moved"), 3)


@pytest.mark.parametrize(
    ("shadows", "taken", "is_so"),
    [
        # All of a second marker on the board, a part of it, and none.
        ("012", "", True),
        ("012", "0", True),
        ("012", "12", True),
        ("012", "012", False),
        # With one for some steps only, it is as the settings say.
        ("01", "", False),
        ("01", "1", False),
        ("01", "01", False),
    ],
)
def test_a_part_of_a_second_marker_is_no_part_of_the_board(shadows, taken, is_so) -> None:
    """Each fluent `(d n)` says what the clock says anyway."""
    before = {"0": 2, "1": 0, "2": 1}
    rules = (f"(<= (next (d {n})) (true (c {before[n]})))" for n in shadows)
    net = chain(*ROUND, more=" ".join([*rules, "(init (d 0))" * ("0" in shadows)]))
    own = at(net, "(c 0)", "(c 1)", "(c 2)", *(f"(d {n})" for n in taken))
    assert is_accompanied(net, own, 3) is is_so


@pytest.mark.parametrize("period", [1, 2, 4, 5])
def test_a_clock_goes_round_in_its_own_period(period: int) -> None:
    net = chain(*ROUND, more=OTHER + "(step 0 1) (step 1 2) (step 2 0)")
    assert not is_accompanied(net, at(net, "(c 0)", "(c 1)", "(c 2)"), period)
