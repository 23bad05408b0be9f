"""Random plays, and plays that look for faults: of small games in which each step is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

import ggp
from ggp.analysis.plays import guided, plays
from ggp.analysis.plays.guided import FaultyPlay, find_fault
from ggp.analysis.plays.plays import chosen, faulty, random_plays, way_back
from ggp.machine import NO_GOAL

STEPS = """(role p) (init (at 1)) (legal p go) (<= terminal (true (at {last}))) {goal}
(<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) {steps}"""
"""One play, along some places."""


def along(*places: int, last: int = 0, goal: str = "(goal p 100)") -> ggp.Game:
    """From place to place, beginning with 1, until the last (by default the end of the line)."""
    steps = " ".join(f"(s {a} {b})" for a, b in pairwise(places))
    return ggp.parse(STEPS.format(last=last or places[-1], goal=goal, steps=steps))


CHAIN = (1, 2, 3, 4)

TREE = """(role p) (role q) (init (at 0 0)) (succ 0 1) (succ 1 2) (step 0) (step 1)
(<= (legal ?r (add ?i)) (role ?r) (step ?i))
(<= (next (at ?a ?b)) (true (at ?x ?y)) (does p (add ?i)) (does q (add ?j))
    (sum ?x ?i ?a) (sum ?y ?j ?b))
(sum 0 0 0) (sum 0 1 1) (sum 1 0 1) (sum 1 1 2) (sum 2 0 2) (sum 2 1 2)
(<= terminal (true (at 2 ?y))) (<= terminal (true (at ?x 2)))
(<= (goal p 50) (true (at ?x ?y))) (goal q 10)"""
"""Each of two counts to 2, or waits."""


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many plays went on at each step that is made from now on."""
    steps: list[int] = []

    def told(view, lanes, rng):  # type: ignore[no-untyped-def]
        steps.append(len(lanes))
        return chosen(view, lanes, rng)

    monkeypatch.setattr(plays, "chosen", told)
    monkeypatch.setattr(guided, "chosen", told)
    return steps


def test_each_state_is_kept_once_with_a_move_that_leads_to_it() -> None:
    """States of a tree, and what holds in them."""
    game = ggp.parse(TREE)
    machine, found = game.machine, random_plays(game, 1_000)
    assert machine.states(found.rows)[0] == game.initial.bits
    assert len(found) == len(found.rows) == len(set(machine.states(found.rows))) == 9
    view = machine.view(found.rows)
    for name in ("terminal", "goals", "counts"):
        assert np.array_equal(getattr(found, name), getattr(view, name))
    assert found.before[0] == -1
    assert found.joint[0].tolist() == [-1, -1]
    assert found.path(0) == []
    for place in range(1, 9):
        before = int(found.before[place])
        assert 0 <= before < place
        state = game.initial
        for moves in found.path(place):
            assert not state.terminal
            assert all(m in own for m, own in zip(moves, state.legal_indices(), strict=True))
            last, state = state, state.after(moves.tolist())
        assert state.bits == machine.states(found.rows)[place]
        assert last.bits == machine.states(found.rows)[before]


@pytest.mark.parametrize(
    ("limit", "value", "met", "steps"),
    [
        # Three steps a play: one play that meets all, and some that meet nothing new.
        ("FRUITLESS", 2, 4, 9),
        ("FRUITLESS", 1, 4, 6),
        ("FRUITLESS", 0, 1, 0),
        ("MAX_PLIES", 3, 4, 9),
        ("MAX_PLIES", 2, 3, 6),
        ("MAX_PLIES", 1, 2, 3),
        ("MAX_EVALUATED", 8, 4, 8),
        ("MAX_EVALUATED", 2, 3, 2),
        ("MAX_EVALUATED", 1, 2, 1),
        ("MAX_EVALUATED", 0, 1, 0),
        ("most", 5, 4, 9),
        ("most", 4, 4, 3),
        ("most", 3, 3, 2),
        ("most", 2, 2, 1),
        ("most", 1, 1, 0),
    ],
)
def test_plays_are_made_as_long_as_something_new_is_met(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: int, met: int, steps: int
) -> None:
    """One play after the other, of four states in a row."""
    monkeypatch.setattr(plays, "LANES", 1)
    monkeypatch.setattr(plays, "FRUITLESS", 2)
    if limit != "most":
        monkeypatch.setattr(plays, limit, value)
    game, made = along(*CHAIN), counted(monkeypatch)
    found = random_plays(game, value if limit == "most" else 100)
    assert (len(found), len(made)) == (met, steps)
    assert set(made) <= {1}
    assert [len(found.path(i)) for i in range(len(found))] == [*range(met)]


@pytest.mark.parametrize(("more", "steps"), [(0, 4), (-1, 3), (1, 4)])
def test_gates_are_counted_as_well(monkeypatch: pytest.MonkeyPatch, more: int, steps: int) -> None:
    game, made = along(*CHAIN), counted(monkeypatch)
    monkeypatch.setattr(plays, "LANES", 1)
    monkeypatch.setattr(plays, "MAX_GATES", 4 * game.net.size + more)
    random_plays(game, 100)
    assert len(made) == steps


def test_plays_go_on_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three at each step, all of which are looked at."""
    monkeypatch.setattr(plays, "LANES", 3)
    monkeypatch.setattr(plays, "MAX_EVALUATED", 7)
    made = counted(monkeypatch)
    assert len(random_plays(along(*CHAIN), 100)) == 4
    assert made == [3, 3, 3]


@pytest.mark.parametrize(
    ("places", "loop"),
    [
        ((1, 2, 3, 4), []),
        ((1, 2, 3, 1), [0, 1, 2]),
        ((1, 2, 3, 2), [1, 2]),
        ((1, 2, 3, 3), [2]),
        ((1, 1), [0]),
    ],
)
def test_a_play_that_comes_by_a_state_again_is_a_loop(
    monkeypatch: pytest.MonkeyPatch, places: tuple[int, ...], loop: list[int]
) -> None:
    """The states of it in the order in which they were met."""
    monkeypatch.setattr(plays, "MAX_PLIES", 9)
    game = along(*places, last=9 if loop else 0)
    found = random_plays(game, 100)
    assert [place for place, _ in found.loop] == loop
    assert all(moves.tolist() == [0] for _, moves in found.loop)


CIRCLES = """(role p) (init (at 1)) (<= (legal p (to ?y)) (true (at ?x)) (way ?x ?y))
(<= (next (at ?y)) (does p (to ?y))) (<= terminal (true (at 9))) (goal p 0)
(way 1 2) (way 2 3) (way 3 1) (way 2 1) (way 3 9)"""
"""Back after two moves or three, or over after three."""


def test_the_shortest_loop_of_all_plays_is_taken() -> None:
    """As plays stand at the first step after which one has come round."""
    game = ggp.parse(CIRCLES)
    found = random_plays(game, 100)
    assert [place for place, _ in found.loop] == [0, 1]
    names = [str(game.evaluator.move(0, int(moves[0]))) for _, moves in found.loop]
    assert names == ["(to 2)", "(to 1)"]


def at(game: ggp.Game, place: int) -> int:
    """The state in which one is at a place."""
    names = [str(fluent) for fluent in game.net.fluents]
    return 1 << names.index(f"(at {place})")


@pytest.mark.parametrize(("plies", "lengths"), [(0, set()), (1, set()), (2, {2}), (3, {2, 3})])
def test_a_way_back_is_looked_for_with_so_many_moves(plies: int, lengths: set[int]) -> None:
    """By one play at a time, and from two places."""
    game = ggp.parse(CIRCLES)
    for place, is_short in ((1, True), (3, False)):
        start, seen = game.machine.rows([at(game, place)]), set()
        for seed in range(30):
            rng = np.random.default_rng(seed)
            found = way_back(game.machine, start, 1, plies, rng)
            if found is None:
                continue
            seen.add(len(found))
            row = start
            for moves in found:
                row = game.machine.next(row, moves[None])
            assert np.array_equal(row, start)
        assert seen == (lengths if is_short else lengths - {2})


def test_of_many_plays_the_first_that_is_back_is_taken() -> None:
    """Some of them have ended by then, and some are elsewhere."""
    game = ggp.parse(CIRCLES)
    start = game.machine.rows([at(game, 2)])
    for seed in range(10):
        found = way_back(game.machine, start, 40, 5, np.random.default_rng(seed))
        assert found is not None
        names = [str(game.evaluator.move(0, int(moves[0]))) for moves in found]
        assert names == ["(to 1)", "(to 2)"]


def test_there_is_no_way_back_from_where_all_plays_end() -> None:
    game = along(*CHAIN)
    for plies in (1, 2, 3, 4, 9):
        start = game.machine.rows([game.initial.bits])
        assert way_back(game.machine, start, 2, plies, np.random.default_rng(0)) is None


@pytest.mark.parametrize(
    ("terminal", "counts", "goals", "is_faulty"),
    [
        (False, (1, 1), (NO_GOAL, NO_GOAL), False),
        (False, (0, 1), (50, 50), True),
        (False, (1, 0), (50, 50), True),
        (False, (0, 0), (50, 50), True),
        (True, (0, 0), (50, 50), False),
        (True, (1, 0), (0, 0), False),
        (True, (1, 1), (NO_GOAL, 50), True),
        (True, (1, 1), (50, NO_GOAL), True),
        (True, (1, 1), (NO_GOAL - 1, 50), True),
    ],
)
def test_what_is_wrong_with_a_state(
    terminal: bool, counts: tuple[int, ...], goals: tuple[int, ...], is_faulty: bool
) -> None:
    """Play is not over and a role cannot move, or it is over without a goal for each player."""
    view = SimpleNamespace(
        terminal=np.array([terminal]), counts=np.array([counts]), goals=np.array([goals])
    )
    assert faulty(view, (0, 1)).tolist() == [is_faulty]  # type: ignore[arg-type]
    # Chance, as the last, needs no goal.
    alone = faulty(view, (0,))  # type: ignore[arg-type]
    assert alone.tolist() == [is_faulty and not (terminal and goals[0] > NO_GOAL)]


def test_all_legal_moves_are_chosen_as_often_as_each_other() -> None:
    """Of each role by itself, in the states that are asked about."""
    game = ggp.parse(
        """(role p) (role q) (init s) (legal p one) (legal p two) (<= (legal p three) (true s))
        (legal q one) (<= (legal q two) (not (true s))) (next s) (goal p 0) (goal q 0)
        (<= terminal (not (true s)) (true s))"""
    )
    view = game.machine.view(game.machine.rows([0, game.initial.bits]))
    rng = np.random.default_rng(0)

    def move(role: int, index: int) -> str:
        return str(game.evaluator.move(role, index))

    for lane, wanted in ((0, (2, 2)), (1, (3, 1))):
        joint = chosen(view, np.full(1_200, lane), rng)
        assert joint.shape == (1_200, 2)
        for role in (0, 1):
            counts = Counter(move(role, i) for i in joint[:, role].tolist())
            assert set(counts) == {"one", "two", "three"} - {*("two", "three")[wanted[role] - 1 :]}
            assert min(counts.values()) > 1_200 / wanted[role] * 0.8
        pairs = {tuple(row) for row in joint.tolist()}
        assert len(pairs) == wanted[0] * wanted[1]


# -- plays that look for faults --------------------------------------------------------------------

NO_END = "(<= (goal p 1) (true (at 1)))"
"""No goal at the end of a chain."""


@pytest.mark.parametrize(("width", "tried"), [(4, 2), (1, 3)])
def test_so_many_gates_are_evaluated_at_the_most(
    monkeypatch: pytest.MonkeyPatch, width: int, tried: int
) -> None:
    """Three steps to the fault; of the one state that there is all moves are tried."""
    monkeypatch.setattr(guided, "WIDTH", width)
    monkeypatch.setattr(guided, "TRIED", tried)
    game, made = along(*CHAIN, goal=NO_END), counted(monkeypatch)
    found = find_fault(game)
    assert found is not None
    assert found.stuck is None
    assert [joint.tolist() for joint in found.joints] == [[0]] * 3
    assert made == [width * tried] * 3
    for more, is_found in ((1, True), (0, False), (-1, False)):
        monkeypatch.setattr(guided, "MAX_GATES", (3 * width * tried + more) * game.net.size)
        assert (find_fault(game) is not None) == is_found


@pytest.mark.parametrize(("seeds", "steps"), [(0, 0), (1, 6), (2, 12)])
def test_each_kind_of_search_is_made_so_often(
    monkeypatch: pytest.MonkeyPatch, seeds: int, steps: int
) -> None:
    """Once for any states, once for each role's choice: of one role, and of three steps each."""
    monkeypatch.setattr(guided, "SEEDS", seeds)
    made = counted(monkeypatch)
    assert find_fault(along(*CHAIN)) is None
    assert len(made) == steps


BEGINS_STUCK = """(role p) (init s) (<= (legal p go) (not (true s))) (<= (next s) (does p go))
(<= terminal (not (true s))) (goal p 0)"""


@pytest.mark.parametrize(
    ("make", "length"),
    [
        (lambda: along(1, 2, goal=NO_END), 1),
        # At an end with and without a goal, and where nobody can move, no play is made.
        (lambda: along(1, 2, last=1, goal=NO_END), None),
        (lambda: along(1, 2, last=1, goal="(<= (goal p 1) (true (at 2)))"), None),
        (lambda: ggp.parse(BEGINS_STUCK), None),
        # No state comes after the last one but that in which nothing holds.
        (lambda: along(1, 2, 3, last=9), None),
    ],
)
def test_plays_that_look_for_faults_begin_well(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], ggp.Game], length: int | None
) -> None:
    monkeypatch.setattr(guided, "MAX_PLIES", 9)
    found = find_fault(make())
    assert (found and len(found.joints)) == length


def test_plays_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for plies, is_found in ((3, True), (2, False)):
        monkeypatch.setattr(guided, "MAX_PLIES", plies)
        assert (find_fault(along(*CHAIN, goal=NO_END)) is not None) == is_found


STUCK = """(role p) (role q) (init (at 1)) (s 1 2) (s 2 3) {goals}
(<= (legal p (go ?i)) (true (at ?x)) (s ?x ?y) (s ?i ?j))
(<= (legal q go) (true (at ?x)) {also})
(<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= terminal (true (at 9)))"""


@pytest.mark.parametrize(
    ("also", "stuck", "length"),
    [("", 0, 2), ("(s ?x ?y)", 0, 2), ("(s ?x ?y) (s ?y ?z)", 1, 1)],
)
def test_the_first_role_that_is_stuck_is_told(also: str, stuck: int, length: int) -> None:
    game = ggp.parse(STUCK.format(also=also, goals="(goal p 0) (goal q 0)"))
    found = find_fault(game)
    assert isinstance(found, FaultyPlay)
    assert (found.stuck, len(found.joints)) == (stuck, length)
    state = game.initial
    for joint in found.joints:
        state = state.after(joint.tolist())
    assert [not own for own in state.legal_indices()].index(True) == stuck


@cache
def chain() -> ggp.Game:
    return along(*CHAIN)


def search(role: int | None, seed: int = 0) -> guided._GuidedSearch:
    return guided._GuidedSearch(chain(), role, np.random.default_rng(seed))


@pytest.mark.parametrize(
    ("width", "count", "best", "others"),
    [(8, 20, 6, 2), (8, 8, 6, 2), (8, 7, 6, 1), (8, 6, 6, 0), (8, 3, 3, 0), (4, 20, 3, 1),
     (5, 20, 3, 1), (12, 100, 9, 3)],
)  # fmt: skip
def test_three_quarters_have_least_choice_and_a_quarter_is_any(
    monkeypatch: pytest.MonkeyPatch, width: int, count: int, best: int, others: int
) -> None:
    monkeypatch.setattr(guided, "WIDTH", width)
    choice = np.random.default_rng(count).permutation(count) * 10.0
    order = np.argsort(choice).tolist()
    seen = set()
    for seed in range(5):
        kept = search(0, seed)._best(choice).tolist()
        assert kept[:best] == order[:best]
        assert len(set(kept)) == len(kept) == best + others
        seen |= set(kept[best:])
        anybody = search(None, seed)._best(choice).tolist()
        assert len(set(anybody)) == len(anybody) == min(width, count)
    assert seen <= set(order[best:])
    assert len(seen) > others or len(seen) == count - best


def test_two_moves_more_or_less_are_left_to_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among three states, of which one goes on: those with 5 and 6.9 moves, never that with 7."""
    monkeypatch.setattr(guided, "WIDTH", 2)
    firsts = {int(search(0, s)._best(np.array([7.0, 5.0, 6.9]))[0]) for s in range(400)}
    assert firsts == {1, 2}


def test_choice_is_how_many_moves_there_were_when_there_was_one() -> None:
    view = SimpleNamespace(counts=np.array([[5, 0], [5, 1], [5, 2], [5, 3]]))
    before = np.array([7.0, 8.0, 9.0, np.inf])
    assert search(1)._choice(view, before).tolist() == [7, 8, 2, 3]  # type: ignore[arg-type]
    assert search(0)._choice(view, before).tolist() == [5] * 4  # type: ignore[arg-type]
    assert search(None)._choice(view, before) is before  # type: ignore[arg-type]


def test_of_two_states_each_has_half_of_the_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which are kept both: at 2 and 3 after the first step, of three on from each of these."""
    monkeypatch.setattr(guided, "WIDTH", 8)
    monkeypatch.setattr(guided, "TRIED", 3)
    monkeypatch.setattr(guided, "SEEDS", 1)
    game = ggp.parse("""(role p) (init (at 1)) (<= (legal p (to ?y)) (true (at ?x)) (way ?x ?y))
    (<= (next (at ?y)) (does p (to ?y))) (<= terminal (true (at 9))) (goal p 0)
    (way 1 2) (way 1 3) (way 2 4) (way 2 5) (way 3 6) (way 4 9) (way 5 9) (way 6 9)""")
    lanes: list[list[int]] = []

    def told(view, own, rng):  # type: ignore[no-untyped-def]
        lanes.append(own.tolist())
        return chosen(view, own, rng)

    monkeypatch.setattr(guided, "chosen", told)
    assert find_fault(game) is None
    once = [[0] * 24, [0] * 12 + [1] * 12, [0] * 8 + [1] * 8 + [2] * 8]
    assert lanes == once * 2


@pytest.mark.parametrize("also", ["", "(role q) (legal q wait) (goal q 0)"])
def test_no_play_goes_on_where_a_role_cannot_move(also: str) -> None:
    """Though another can, and there is a next state."""
    steps = STEPS.format(last=4, goal="(goal p 0)", steps="(s 1 2) (s 2 3) (s 3 4)")
    game = ggp.parse(steps.replace("(legal p go)", "(<= (legal p go) (true (at 1)))") + also)
    found = random_plays(game, 100)
    assert [names.split()[1] for names in map(str, game.net.fluents)][:4] == [
        "1)",
        "2)",
        "3)",
        "4)",
    ]
    assert game.machine.states(found.rows) == [1, 2]
    assert found.counts[:, 0].tolist() == [1, 0]
    start = game.machine.rows([2])
    assert way_back(game.machine, start, 3, 3, np.random.default_rng(0)) is None
