"""Circles of positions: the one that is shown, ways back, and what evidence says of weights."""

from __future__ import annotations

import itertools
import random
from collections import deque
from math import inf
from types import SimpleNamespace

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import cyclic
from ggp.analysis.claims.cyclic import _loop, _orders, _ranked
from ggp.analysis.claims.length import longest_from
from ggp.analysis.evidence import Evidence, Ranking
from ggp.analysis.finding import Finding
from ggp.limits import Budget
from ggp.machine import Space
from tests.analysis.test_claims_table import along, require_replayed


def space_of(arcs: list[tuple[int, int]], count: int) -> SimpleNamespace:
    """Positions and edges, as far as circles are looked for."""
    listed = sorted(arcs, key=lambda arc: arc[0])
    first = np.searchsorted([a for a, _ in listed], range(count + 1))
    source, target = (np.array([arc[i] for arc in listed], dtype=np.int64) for i in (0, 1))
    order = np.argsort(target, kind="stable")
    back = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=count))])

    class Made(SimpleNamespace):
        edges_into = Space.edges_into

        def __len__(self) -> int:
            return count

    return Made(
        edges=lambda p: range(int(first[p]), int(first[p + 1])),
        source=source,
        target=target,
        reverse=(back, order),
        out_degree=np.diff(first),
        arcs=listed,
    )


def girth_at(arcs: list[tuple[int, int]], place: int) -> int:
    """The fewest moves from a place to itself."""
    far = {place: 0}
    todo = deque([place])
    while todo:
        here = todo.popleft()
        for a, b in arcs:
            if a == here and b == place:
                return far[here] + 1
            if a == here and b not in far:
                far[b] = far[here] + 1
                todo.append(b)
    raise AssertionError


def walked(space, start: int, endless) -> list[int]:
    """The places that come again if play always takes the first move after which it can go on."""
    places = [start]
    while places[-1] not in places[:-1]:
        places.append(next(b for a, b in space.arcs if a == places[-1] and endless[b]))
    return places[places.index(places[-1]) : -1]


@pytest.mark.parametrize("most", [0, cyclic.MAX_SOUGHT])
@pytest.mark.parametrize("seed", range(25))
def test_a_shortest_circle_through_a_place_is_shown(monkeypatch, seed, most) -> None:
    """Without a search for a shorter one the first that was met."""
    monkeypatch.setattr(cyclic, "MAX_SOUGHT", most)
    rng = random.Random(seed)
    count = rng.randint(2, 9)
    arcs = sorted({(rng.randrange(count), rng.randrange(count)) for _ in range(2 * count)})
    rng.shuffle(arcs)
    space = space_of(arcs, count)
    endless = longest_from(space) < 0
    if not endless.any():
        return
    loop = [space.arcs[edge] for edge in _loop(space, endless)]
    assert all(a[1] == b[0] for a, b in itertools.pairwise([*loop, loop[0]]))
    circle = walked(space, int(np.flatnonzero(endless)[0]), endless)
    assert loop[0][0] == circle[0]
    assert len(loop) == (girth_at(arcs, circle[0]) if most else len(circle))


def test_a_circle_may_be_shorter_than_the_one_that_was_met() -> None:
    """0 1 2 3 and back; but from 0 by 4 it is two moves, and 5 is an end."""
    space = space_of([(0, 5), (0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 0)], 6)
    endless = longest_from(space) < 0
    assert endless.tolist() == [True, True, True, True, True, False]
    assert [space.arcs[e] for e in _loop(space, endless)] == [(0, 4), (4, 0)]


def test_a_move_to_itself_is_a_circle() -> None:
    space = space_of([(0, 1), (1, 1), (1, 2)], 3)
    assert [space.arcs[e] for e in _loop(space, longest_from(space) < 0)] == [(1, 1)]


@pytest.mark.parametrize("most", [1, 4, 5])
def test_so_many_positions_are_looked_at_for_a_shorter_circle(monkeypatch, most) -> None:
    """A short circle that is seen when four others than the first position are known."""
    monkeypatch.setattr(cyclic, "MAX_SOUGHT", most)
    arcs = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 4), (4, 0)]
    space = space_of(arcs, 5)
    loop = _loop(space, longest_from(space) < 0)
    assert len(loop) == (3 if most == 5 else 4)


def proofs_of(names: str, roles: str, marker: bool = True) -> SimpleNamespace:
    net = SimpleNamespace(fluents=names.split())
    return SimpleNamespace(game=SimpleNamespace(net=net, roles=tuple(roles), marker=marker))


EVERY = "a weighted sum of fluents falls with every move"
P_S = "a weighted sum of fluents falls with every move of p, and never rises"


@pytest.mark.parametrize(
    ("strict", "marker", "why", "shown"),
    [
        ((), True, EVERY, None),
        ((), False, EVERY, None),
        ((0, 1), True, EVERY, ("p", "q")),
        ((0, 1), False, EVERY, None),
        ((0,), True, P_S, ("p",)),
        ((1,), True, P_S.replace(" p,", " q,"), ("q",)),
    ],
)
def test_evidence_of_weights(strict, marker, why, shown) -> None:
    found = _ranked(proofs_of("a b c", "pq", marker), {2: 3, 0: -1}, strict)
    assert found == Ranking(why, {"a": -1, "c": 3}, shown)
    assert list(found.weights) == ["a", "c"]


@pytest.mark.parametrize(
    ("sides", "alternating", "orders"),
    [
        (2, True, [(0, 1), (0,), (1,)]),
        (2, False, [(0, 1)]),
        (3, True, [(0, 1, 2), (0,), (1,), (2,)]),
        (1, True, [(0,)]),
    ],
)
def test_a_sum_may_fall_with_the_moves_of_one_role_where_turns_alternate(
    sides, alternating, orders
) -> None:
    marker = SimpleNamespace(alternating=alternating)
    boards = SimpleNamespace(sides=[None] * sides, marker=marker)
    assert _orders(SimpleNamespace(boards=boards)) == orders


def ranking(*strict: str) -> Finding:
    return Finding("cyclic", False, "proved", Ranking("", {}, strict or None))


@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [
        (None, None, False),
        (ranking(), None, True),
        (ranking("p", "q"), None, True),
        (ranking("p"), None, False),
        (None, ranking("p", "q"), True),
        (ranking("p"), ranking("p", "q"), True),
        (ranking("p"), ranking("q"), False),
        (Finding("cyclic", False, "proved", Evidence("")), None, False),
    ],
)
def test_no_board_comes_again_where_a_sum_falls_with_all_moves(
    monkeypatch, first, second, holds
) -> None:
    monkeypatch.setattr(cyclic, "_falling", lambda _: first)
    monkeypatch.setattr(cyclic, "_falling_on_boards", lambda _: second)
    assert cyclic.on_boards(proofs_of("a", "pq")) is holds


def test_ways_to_a_proof_are_tried_in_turn(monkeypatch) -> None:
    """The cheap one first; sums that never change, and excluded states, come late."""
    tried: list[str] = []

    def way(name: str, found: bool):
        def told(_, *given):
            whole = "".join(x for x in given if isinstance(x, str))
            tried.append(name + whole + "*" * (inf in given))
            return ranking() if found else None

        return told

    names = ["_falling", "_falling_on_boards", "_falling_but_for_passes", "_falling_in_play",
             "_falling_with_moves"]  # fmt: skip
    for name in names:
        monkeypatch.setattr(cyclic, name, way(name, False))
    for excluded, last in ((False, []), (True, ["_falling_in_playW"])):
        proofs = SimpleNamespace(
            whole="W", whole_with_sums="S", all_excluded=excluded, memo={}, samples=None
        )
        tried.clear()
        assert cyclic.prove(proofs, True) is None
        assert tried == ["_falling"]
        tried.clear()
        assert cyclic.prove_early(proofs) is None
        once = [*names[:3], "_falling_in_playW", "_falling_with_moves"]
        assert tried == once
        tried.clear()
        assert cyclic.prove(proofs, False) is None
        # What was tried before is not tried again but for as many rounds as it takes, at last.
        assert tried == ["_falling", "_falling_in_playS", *last, *(f"{way}*" for way in once[1:])]
    monkeypatch.setattr(cyclic, "_falling", way("_falling", True))
    for cheap in (True, False):
        tried.clear()
        assert cyclic.prove(SimpleNamespace(memo={}), cheap) == ranking()
        assert tried == ["_falling"]


@pytest.mark.parametrize(
    ("arcs", "moves"),
    [("01 12 23", 0), ("01 10 03", 2), ("00 03", 1), ("01 12 20 23", 6), ("01 12 21 23", 2)],
)
def test_a_way_back_is_found_from_what_was_met(arcs, moves) -> None:
    """Whose turn it is comes again as well: after three moves it is the other's."""
    game = ggp.parse(along(arcs, {3: (100, 0)}).text)
    positions = Positions(game, Budget())
    found = cyclic._way_back(positions.samples)
    assert bool(found) == bool(moves)
    if not found:
        return
    (place, first), *others = found
    assert all(number == -1 for number, _ in others)
    state = game.machine.states(positions.samples.plays.rows[[place]])[0]
    row = game.machine.rows([state])
    for joint in (first, *(joint for _, joint in others)):
        row = game.machine.next(row, joint[None])
    assert game.machine.states(row) == [state]
    finding = cyclic.refute(positions.samples)
    assert finding.value is True
    states = require_replayed(game, finding)
    assert states[0].facts == states[-1].facts


@pytest.mark.parametrize(("gates", "is_found"), [(0, True), (10**12, True)])
def test_one_state_at_least_is_looked_at_for_a_way_back(monkeypatch, gates, is_found) -> None:
    monkeypatch.setattr(cyclic, "MAX_GATES", gates)
    game = ggp.parse(along("01 10 03", {3: (100, 0)}).text)
    assert bool(cyclic._way_back(Positions(game, Budget()).samples)) == is_found


SMALL, LARGE = cyclic.MAX_STEP, cyclic.MAX_STEP + 1


@pytest.mark.parametrize(
    ("whole", "literals", "with_ends", "without", "asked"),
    [
        # What is known of all of a state is enough where rules are no larger than it takes.
        (True, SMALL, 1, 1, None),
        (True, LARGE, 1, 1, True),
        (False, SMALL, 1, 1, True),
        (False, LARGE, cyclic.MAX_MOVES, 1, True),
        (False, LARGE, cyclic.MAX_MOVES + 1, 1, False),
        (False, LARGE, cyclic.MAX_MOVES + 1, cyclic.MAX_MOVES, False),
        (False, LARGE, cyclic.MAX_MOVES + 1, cyclic.MAX_MOVES + 1, None),
    ],
)
def test_large_rules_are_asked_for_what_moves_do(
    monkeypatch, whole, literals, with_ends, without, asked
) -> None:
    sizes = {True: with_ends, False: without}
    monkeypatch.setattr(cyclic, "literals_of_moves", lambda _, with_ends: sizes[with_ends])
    monkeypatch.setattr(
        cyclic,
        "JointMoves",
        lambda *_, with_ends: SimpleNamespace(circuits=with_ends, question="of moves"),
    )
    monkeypatch.setattr(
        cyclic, "_falling_in", lambda _, circuits, question, rounds: (circuits, question)
    )
    proofs = SimpleNamespace(
        net=SimpleNamespace(literals=literals),
        whole=object() if whole else None,
        play_groups=(),
        game=SimpleNamespace(turns=None),
    )
    found = cyclic._falling_with_moves(proofs)
    assert found == (None if asked is None else (asked, "of moves"))


@pytest.mark.parametrize(
    ("whole", "literals", "is_asked"),
    [(True, SMALL, True), (True, LARGE, False), (False, SMALL, False)],
)
def test_all_of_a_state_is_asked_about_where_rules_are_small(
    monkeypatch, whole, literals, is_asked
) -> None:
    monkeypatch.setattr(
        cyclic, "_falling_in", lambda _, circuits, question, rounds: (circuits, question)
    )
    known = SimpleNamespace(joint_move=lambda: "moves", step_question="of steps")
    proofs = SimpleNamespace(net=SimpleNamespace(literals=literals))
    found = cyclic._falling_in_play(proofs, known if whole else None)
    assert found == (("moves", "of steps") if is_asked else None)


def passing(p: str, q: str, again: str = "") -> ggp.Game:
    """A heap of six from which one is taken; each may pass at heaps of some sizes."""
    steps = "".join(f"(s {n} {n + 1})" for n in range(6))
    may = "".join(f"(pass {r} {n})" for r, own in (("p", p), ("q", q)) for n in own)
    return ggp.parse(f"""(role p) (role q) (init (control p)) (init (heap 6)) {steps} {may}
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal ?r take) (true (control ?r)))
        (<= (legal ?r pass) (true (control ?r)) (true (heap ?n)) (pass ?r ?n))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (heap ?n)) (true (heap ?m)) (does ?r take) (s ?n ?m))
        (<= (next (heap ?n)) (true (heap ?n)) (does ?r pass)) {again}
        (<= terminal (true (heap 0))) (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))""")


@pytest.mark.parametrize(
    ("p", "q", "is_proved"),
    [
        ("135", "246", True),
        ("123", "456", True),
        # Both on one board: then a state comes again.
        ("135", "346", False),
        ("123456", "123456", False),
        # Nobody passes, or one of them only: then there is nothing to prove about passes.
        ("", "", False),
        ("123", "", False),
    ],
)
def test_passes_that_not_both_can_make_on_a_board_come_round_no_more(p, q, is_proved) -> None:
    game = passing(p, q)
    positions = Positions(game, Budget())
    found = cyclic._falling_but_for_passes(positions.proofs)
    assert (found is not None) == is_proved
    assert cyclic.enumerated(positions).value is bool(set(p) & set(q))
    if found:
        assert (found.value, found.certainty) == (False, "proved")
        assert found.evidence.passes
        weights = [found.evidence.weights.get(f"(heap {n})", 0) for n in range(7)]
        assert weights == sorted(set(weights))
