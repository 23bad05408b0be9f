"""States that were met in random play: which of them are looked at, and what is said of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ggp
from ggp.analysis.claims import heaps
from ggp.analysis.plays import sampled as module
from ggp.analysis.plays.plays import Plays
from ggp.analysis.plays.sampled import Sampled, marked_roles
from ggp.ground import Group
from ggp.limits import Budget
from ggp.machine import NO_GOAL

HEAP = """(role a) (role b) (init (heap 3)) (init (control a)) (init lamp)
(less 3 2) (less 2 1) (less 1 0)
(kind x) (kind y)
(<= (legal ?p (take ?k)) (kind ?k) (true (control ?p)) (true (heap ?n)) (less ?n ?m))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m)) (<= (next lamp) (true lamp))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (heap 0)))
(<= (goal ?p 0) (true (control ?p))) (<= (goal a 100) (true (control b)))
(<= (goal b 100) (true (control a)))"""
"""Three are taken one by one, in either of two ways: a, b, a."""


def of(rules: str = HEAP) -> Sampled:
    game = ggp.parse(rules)
    return Sampled(game, Budget(game.limits))


def index(game: ggp.Game, text: str) -> int:
    return [str(fluent) for fluent in game.net.fluents].index(text)


def state(game: ggp.Game, *texts: str) -> int:
    return sum(1 << index(game, text) for text in texts)


def met(count: int, ends: tuple[int, ...] = (), goals: tuple[int, int] = (0, 0)) -> Plays:
    """States in a row of which only what is told here is looked at."""
    terminal = np.zeros(count, dtype=np.bool_)
    terminal[list(ends)] = True
    return Plays(
        np.arange(count, dtype=np.uint64)[:, None],
        terminal,
        np.tile(np.array(goals, dtype=np.int16), (count, 1)),
        np.ones((count, 2), dtype=np.int32),
        np.arange(-1, count - 1),
        np.zeros((count, 2), dtype=np.int32),
        [],
    )


# -- which states ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "ends", "few"),
    [
        (1, (), [0]),
        (8, (7,), [*range(8)]),
        # The first two, the first two ends, and four from all over.
        (9, (), [0, 1, 2, 5, 8]),
        (31, (), [0, 1, 10, 20, 30]),
        (31, (7, 9, 11), [0, 1, 7, 9, 10, 20, 30]),
        (31, (1, 25), [0, 1, 10, 20, 25, 30]),
    ],
)
def test_some_states_are_the_first_some_ends_and_others_from_all_over(
    monkeypatch: pytest.MonkeyPatch, count: int, ends: tuple[int, ...], few: list[int]
) -> None:
    monkeypatch.setattr(module, "MAX_STATES", 8)
    samples = of()
    samples.plays = met(count, ends)
    assert samples.few == few


@pytest.mark.parametrize(
    ("most", "places"), [(4, [0, 1, 2, 3]), (3, [0, 2]), (2, [0, 2]), (1, [0]), (100, [0, 1, 2, 3])]
)
def test_states_that_were_met_are_told_from_all_over(
    monkeypatch: pytest.MonkeyPatch, most: int, places: list[int]
) -> None:
    """Of four states, by their fluents."""
    monkeypatch.setattr(module, "MAX_REACHED", most)
    samples = of()
    assert len(samples.plays) == 4
    heaps = [index(samples.game, f"(heap {3 - place})") for place in places]
    held = samples.reached
    assert held.shape == (len(places), len(samples.game.net.fluents))
    assert all(row[f] for row, f in zip(held, heaps, strict=True))
    assert held[:, index(samples.game, "lamp")].all()


def test_a_state_is_told_with_the_play_that_leads_to_it() -> None:
    samples = of()
    for place in range(4):
        path = samples.path(place)
        assert len(path) == place
        for number, joint in enumerate(path):
            assert joint[number % 2] in ("(take x)", "(take y)")
            assert joint[1 - number % 2] == "noop"
        witness = samples.witness(place, "so")
        control = "(control a)" if place % 2 == 0 else "(control b)"
        assert set(witness.facts) == {f"(heap {3 - place})", control, "lamp"}
        assert (witness.path, witness.note) == (path, "so")
        if place:
            assert samples.step_to(place) == (samples.witness(place - 1), samples.witness(place))


# -- turns and goals -------------------------------------------------------------------------------


def test_the_role_whose_turn_it_is_is_told_by_its_fluents() -> None:
    """Where neither or both hold nothing tells."""
    samples = of()
    game = samples.game
    assert game.turns is not None
    states = [
        state(game, "(control a)"),
        state(game, "(control b)", "lamp"),
        state(game, "lamp", "(heap 1)"),
        state(game, "(control a)", "(control b)"),
        state(game, "(control b)", "(heap 0)", "(heap 1)"),
    ]
    found = marked_roles(game, game.turns, game.machine.rows(states))
    assert found.tolist() == [0, 1, -1, -1, 1]
    assert samples.marked.tolist() == [0, 1, 0, 1]


def test_any_state_can_have_the_marker_on_either_role() -> None:
    samples = of()
    game, states = samples.game, samples.game.machine.states
    assert states(samples.placed([state(game, "lamp", "(control b)")], 0)) == [
        state(game, "lamp", "(control a)")
    ]
    for role, control in enumerate(("(control a)", "(control b)")):
        assert states(samples.rows(role)) == [
            state(game, f"(heap {n})", control, "lamp") for n in (3, 2, 1, 0)
        ]


def test_one_role_alone_needs_no_marker() -> None:
    samples = of("(role p) (init s) (legal p go) (<= terminal (not (true s))) (goal p 1)")
    assert (samples.marker.mask, samples.marker.alternating) == (0, True)
    assert samples.game.machine.states(samples.rows(0)) == samples.some_states
    with pytest.raises(AssertionError):
        _ = of(
            "(role p) (role q) (legal p a) (legal q b) (<= terminal (true s)) (init s)"
            "(goal p 0) (goal q 0)"
        ).marker


@pytest.mark.parametrize(
    ("ends", "goals", "found", "is_met"),
    [
        ((), (0, 100), set(), False),
        ((2,), (0, 100), {(0, 100)}, True),
        ((3, 5), (0, 0), {(0, 0)}, True),
        # An end at which a player has no goal is one all the same.
        ((2,), (NO_GOAL, 100), set(), True),
        ((2,), (100, NO_GOAL), set(), True),
    ],
)
def test_goals_are_those_at_ends(
    ends: tuple[int, ...], goals: tuple[int, int], found: set[tuple[int, int]], is_met: bool
) -> None:
    samples = of()
    samples.plays = met(6, ends, goals)
    assert samples.goals == found
    assert samples.met_an_end == is_met
    assert (samples.end_with(goals) is not None) == is_met
    if is_met:
        assert len(samples.end_with(goals) or ()) == ends[0]
    assert samples.end_with((goals[1] + 1, goals[0])) is None
    assert samples.end_with((goals[0], goals[1] + 1)) is None
    assert samples.met_a_fault == (is_met and NO_GOAL in goals)


@pytest.mark.parametrize(("most", "length"), [(3, 2), (2, 5), (1, 9)])
def test_the_shortest_play_is_one_of_the_first_that_ended(
    monkeypatch: pytest.MonkeyPatch, most: int, length: int
) -> None:
    """Ends after 9, 5 and 2 moves, in this order."""
    monkeypatch.setattr(module, "MAX_STATES", most)
    samples, plays = of(), met(20, (9, 12, 15))
    before = plays.before.copy()
    before[12], before[15] = 4, 1
    samples.plays = replace(plays, before=before)
    assert len(samples.shortest_to_an_end) == length


@pytest.mark.parametrize(("many", "is_found"), [(4, True), (5, False)])
def test_plays_that_look_for_faults_are_made_where_random_play_met_many_states(
    monkeypatch: pytest.MonkeyPatch, many: int, is_found: bool
) -> None:
    """Four here; at the end b has no goal."""
    monkeypatch.setattr(module, "MANY", many)
    samples = of(HEAP.replace("(goal b 100)", "(goal a 90)").replace("?p 0", "a 0"))
    assert (samples.fault is not None) == is_found
    if samples.fault is not None:
        fault, witness = samples.fault
        assert (fault.stuck, len(fault.joints)) == (None, 3)
        assert witness.facts == samples.witness(3).facts
        path = tuple(samples.joint(joint) for joint in fault.joints)
        assert witness.path == path
    assert of().fault is None


# -- what moves do ---------------------------------------------------------------------------------


def change(game: ggp.Game, gone: str, come: str) -> tuple[tuple[int, int], ...]:
    return tuple(sorted([(index(game, gone), -1), (index(game, come), 1)]))


def test_changes_of_the_board_are_told_once_for_each_role() -> None:
    """On boards of random play, and on those with another heap; the marker is no part of them."""
    samples = of()
    heaps = [index(samples.game, f"(heap {n})") for n in (3, 2, 1, 0)]
    for groups in ((), (Group(tuple(heaps), exact=True),)):
        found = list(samples.changes(groups))
        steps = [change(samples.game, f"(heap {n})", f"(heap {n - 1})") for n in (3, 2, 1)]
        assert len(found) == len(set(found))
        if groups:
            assert set(found) == {(role, step) for role in (0, 1) for step in steps}
        else:
            assert set(found) >= {(role, step) for role in (0, 1) for step in steps}


def test_joint_changes_are_those_of_random_play() -> None:
    """From the initial state on; with what tells whose turn it is."""
    samples = of()
    game = samples.game
    turns = change(game, "(control a)", "(control b)"), change(game, "(control b)", "(control a)")
    wanted = {
        tuple(sorted(change(game, f"(heap {3 - i})", f"(heap {2 - i})") + turns[i % 2]))
        for i in range(3)
    }
    found = list(samples.joint_changes())
    assert set(found) == wanted
    assert len(found) == 3


@pytest.mark.parametrize(("most", "count"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_so_many_moves_are_looked_at(
    monkeypatch: pytest.MonkeyPatch, most: int, count: int
) -> None:
    monkeypatch.setattr(module, "MAX_CHANGES", most)
    assert len(list(of().joint_changes())) == count


LAMP = """(role p) (init (at 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (legal p go)
(<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= (next on) (true (at 0)))
(<= (next on) (true (at 2))) (<= terminal (true (at 4))) (goal p 0)"""


def test_a_lamp_goes_on_and_off_with_the_steps() -> None:
    samples = of(LAMP)
    on, *places = (index(samples.game, name) for name in ("on", *(f"(at {n})" for n in range(5))))
    wanted = [
        tuple(sorted([(places[n], -1), (places[n + 1], 1), (on, 1 if n % 2 == 0 else -1)]))
        for n in range(4)
    ]
    assert list(samples.joint_changes()) == wanted


ROUND = """(role p) (init (on 0)) (init two) (<= (next (on 1)) (true (on 0)))
(<= (next (on 0)) (true (on 1))) (<= (next two) (true two) (not (does p drop)))
(legal p go) (<= (legal p drop) (true two)) (<= terminal (true (on 2)))
(<= (next (on 2)) (true (on 2)))
(goal p 0)"""


def test_a_change_that_came_about_twice_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two places one after the other, and a lamp that goes out: four states, and five moves that
    led to three of them and beyond."""
    monkeypatch.setattr("ggp.analysis.plays.plays.MAX_PLIES", 20)
    samples = of(ROUND)
    zero, one, two = (index(samples.game, name) for name in ("(on 0)", "(on 1)", "two"))
    found = list(samples.joint_changes())
    moves = tuple(sorted([(zero, -1), (one, 1)])), tuple(sorted([(zero, 1), (one, -1)]))
    assert len(samples.plays) == 4
    assert len(found) == len(set(found))
    assert set(found) <= {tuple(sorted([*m, *o])) for m in moves for o in ([], [(two, -1)])}


# -- boards that are made at random ----------------------------------------------------------------

BOARD = """(role p) (init (at 1)) (init (sun 1)) (init q) (s 1 2) (s 2 3)
(legal p go) (<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= (next (sun ?n)) (true (sun ?n)))
(<= (next (sun 2)) (true (at 2))) (<= (next q) (true q) (not (true (at 1))))
(<= terminal (true (at 3))) (goal p 0)"""


@pytest.mark.parametrize("boards", [1, 2, 5, 40])
@pytest.mark.parametrize("exact", [True, False])
def test_boards_are_made_of_groups_and_of_what_was_met(
    monkeypatch: pytest.MonkeyPatch, boards: int, exact: bool
) -> None:
    """So many beside those that were met; a group has one of its fluents (or none), any of them."""
    monkeypatch.setattr(module, "MAX_BOARDS", boards)
    samples = of(BOARD)
    game = samples.game
    own = [index(game, f"(at {n})") for n in (1, 2, 3)]
    rest = [f for f in range(len(game.net.fluents)) if f not in own]
    rows = samples.rows(0)
    held = game.machine.coding.held(rows)
    found = game.machine.coding.held(samples._shuffled(rows, [Group(tuple(own), exact)]))
    assert np.array_equal(found[: len(held)], held)
    made = found[len(held) :]
    assert len(made) == boards
    known = {tuple(row) for row in held[:, rest].tolist()}
    assert {tuple(row) for row in made[:, rest].tolist()} <= known
    sums = made[:, own].sum(axis=1)
    assert sums.max() == 1
    if boards == 40:
        assert {tuple(row) for row in made[:, rest].tolist()} == known
        assert made[:, own].any(axis=0).all()
        assert sums.min() == (1 if exact else 0)


def test_what_tells_whose_turn_it_is_is_not_made_at_random() -> None:
    samples = of()
    game = samples.game
    turn = (index(game, "(control a)"), index(game, "(control b)"))
    found = game.machine.coding.held(samples._shuffled(samples.rows(1), [Group(turn, exact=True)]))
    assert not found[:, turn[0]].any()
    assert found[:, turn[1]].all()


@pytest.mark.parametrize(
    ("limit", "most", "looked"),
    [
        ("MAX_CHANGES", 0, 1),
        ("MAX_CHANGES", 1, 2),
        ("MAX_CHANGES", 3, 4),
        ("MAX_MADE", 0, 1),
        ("MAX_MADE", 1, 2),
        ("MAX_MADE", 5, 6),
    ],
)
def test_no_more_changes_are_looked_at_than_is_said(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int, looked: int
) -> None:
    """Of one move after the other: the first four do what none did before."""
    monkeypatch.setattr(module, limit, most)
    made: list[int] = []
    each = module.joint_moves

    def told(*given):  # type: ignore[no-untyped-def]
        for lanes, joint in each(*given):
            for i in range(len(lanes)):
                made.append(1)
                yield lanes[i : i + 1], joint[i : i + 1]

    monkeypatch.setattr(module, "joint_moves", told)
    samples = of(LAMP)
    found = list(samples.changes(()))
    assert len(made) == looked
    assert len(found) == min(looked, 4)


def test_groups_beside_the_marker_are_made_at_random() -> None:
    """The marker comes last of all fluents here."""
    samples = of(HEAP.replace("control", "turn").replace("lamp", "(kept lamp)"))
    game = samples.game
    lamp, *turn = (index(game, name) for name in ("(kept lamp)", "(turn a)", "(turn b)"))
    assert (lamp, *turn) == (4, 5, 6)
    groups = [Group((lamp,), exact=False), Group(tuple(turn), exact=True)]
    found = game.machine.coding.held(samples._shuffled(samples.rows(0), groups))
    assert not found[:, lamp].all()
    assert found[:, turn[0]].all()
    assert not found[:, turn[1]].any()


@pytest.mark.parametrize(
    ("more", "changed"),
    [
        ("", None),
        # Something beside the heap changes, whatever its place among the fluents.
        ("(<= (next zeal) (true zeal)) (<= (next zeal) (does ?p (take x)))", ("zeal",)),
        ("(<= (next air) (true air)) (<= (next air) (does ?p (take x)))", ("air",)),
        # Of two sizes at once there is no heap.
        ("(<= (next (heap 3)) (true (heap 3)))", ("(heap 3)", "(heap 2)")),
    ],
)
def test_what_changes_beside_heaps_shows_that_there_are_none_alone(more, changed) -> None:
    rules = HEAP.replace("less", "succ") + more
    found = heaps.refute(of(rules))
    if changed is None:
        assert found is None
    else:
        assert found is not None
        assert found.evidence.why.split(" has changed")[0] in changed
