"""Bounds: sums that never rise, by enumeration, and what they prove."""

from __future__ import annotations

import json

import pytest

import ggp
from ggp.analysis import Findings, Positions
from ggp.analysis.invariants.bounds import BoundSearch, kinds_by_groups
from ggp.checker import check_certificate, read_certificate
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from tests.conftest import nightly, shared
from tests.oracle.random_games import random_game

FEW = Limits(positions=3_000, seconds=60)


def walk(places: int, numbers: int) -> str:
    """One player walks on a ring with shortcuts and marks where it was; play ends on a mark. Steps
    are counted up to a number; that there are enough follows from the marks."""
    names = [f"p{i}" for i in range(places)]
    ways = [(i, (i + d) % places) for i in range(places) for d in (1, 2, 5)]
    return f"""(role robot) (init (at p0)) (init (count 0))
        {" ".join(f"(way {names[i]} {names[j]})" for i, j in ways)}
        {" ".join(f"(more {i} {i + 1})" for i in range(numbers))}
        {" ".join(f"(worth {i} {i})" for i in range(numbers + 1))}
        (<= (legal robot (go ?x ?y)) (true (at ?x)) (way ?x ?y))
        (<= (next (at ?y)) (does robot (go ?x ?y))) (<= (next (mark ?x)) (does robot (go ?x ?y)))
        (<= (next (mark ?x)) (true (mark ?x)))
        (<= (next (count ?n)) (true (count ?m)) (more ?m ?n))
        (<= terminal (true (at ?x)) (true (mark ?x)))
        (<= (goal robot ?v) (true (count ?n)) (worth ?n ?v))"""


def rounds(players: int, turns: int, most: int) -> str:
    """Players in turn may each take one token a turn, which is counted up to a number."""
    names = [f"r{i}" for i in range(players)]
    nexts = [f"(then {names[i]} {names[(i + 1) % players]})" for i in range(players)]
    return f"""{" ".join(f"(role {r}) (init (took {r} 0))" for r in names)} {" ".join(nexts)}
        {" ".join(f"(more {i} {i + 1})" for i in range(most))}
        {" ".join(f"(worth {i} {i})" for i in range(most + 1))}
        {" ".join(f"(tick t{i} t{i + 1})" for i in range(turns))}
        (init (control r0)) (init (step t0)) (kind a) (kind b) (kind c)
        (<= (legal ?p (take ?k)) (true (control ?p)) (kind ?k))
        (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
        (<= (next (control ?q)) (true (control ?p)) (then ?p ?q))
        (<= (next (step ?n)) (true (step ?m)) (tick ?m ?n)) (<= terminal (true (step t{turns})))
        (<= (takes ?p) (does ?p (take a)))
        (<= (next (took ?p ?n)) (true (took ?p ?n)) (not (takes ?p)))
        (<= (next (took ?p ?n)) (true (took ?p ?m)) (takes ?p) (more ?m ?n))
        (<= (goal ?p ?v) (true (took ?p ?n)) (worth ?n ?v))"""


def numbers(cells: int) -> str:
    """Two players in turn write odd and even numbers, each once, until all cells have one. That
    there is a number left for who is to move follows from a count of both kinds."""
    names = [f"c{i}" for i in range(1, cells + 1)]
    return f"""(role odd) (role even) (init (control odd))
        {" ".join(f"(init (at {c} none))" for c in names)}
        {" ".join(f"(own {'odd' if i % 2 else 'even'} n{i})" for i in range(1, cells + 1))}
        (<= (used ?n) (true (at ?c ?n)))
        (<= (legal ?p (write ?c ?n))
            (true (control ?p)) (own ?p ?n) (not (used ?n)) (true (at ?c none)))
        (<= (legal odd wait) (true (control even))) (<= (legal even wait) (true (control odd)))
        (<= (next (control odd)) (true (control even)))
        (<= (next (control even)) (true (control odd)))
        (<= (next (at ?c ?n)) (does ?p (write ?c ?n)) (true (at ?c none)))
        (<= (next (at ?c ?n)) (true (at ?c ?n)) (distinct ?n none))
        (<= (next (at ?c none)) (true (at ?c none)) (does ?p (write ?d ?n)) (distinct ?c ?d))
        (<= open (true (at ?c none))) (<= terminal (not open)) (goal odd 50) (goal even 50)"""


def proved(text: str) -> Findings:
    return ggp.parse(text).analyse(positions=50, only=("playable",))


def verdict(data) -> tuple[bool, str]:
    [claim] = check_certificate(read_certificate(json.dumps(data)), 60)
    return claim.holds, claim.why


@pytest.fixture
def without_sums(monkeypatch) -> None:
    """No proofs by sums that never change, which are tried first where there are boards."""
    monkeypatch.setattr("ggp.analysis.proofs.SUMS", 0.0)


@pytest.mark.usefixtures("without_sums")
@pytest.mark.parametrize("text", [walk(12, 12), rounds(3, 24, 8), numbers(9)])
def test_counts_do_not_run_off_their_ends(text) -> None:
    findings = proved(text)
    assert (findings["playable"].value, findings["playable"].certainty) == (True, "proved")
    data = findings.certificate()
    assert data["bounds"]
    assert verdict(data) == (True, "checked")


@pytest.mark.parametrize("text", [walk(12, 11), rounds(3, 24, 7)])
def test_counts_that_may_run_off_are_not_proved(text) -> None:
    """One number less: a walk around the ring, or a player that always takes, has no goal."""
    assert proved(text).value("playable") is not True


@pytest.mark.usefixtures("without_sums")
def test_a_certificate_with_another_bound_is_refused() -> None:
    data = proved(walk(12, 12)).certificate()
    wrong = (
        ({"weights": {"(count 0)": 1}, "most": 0}, "at the start"),
        ({"weights": {"(mark p0)": 1}, "most": 0}, "raise"),
        ({"weights": {"(mark p0)": 1}, "most": 5}, "raise"),
    )
    for bound, why in wrong:
        holds, told = verdict({**data, "bounds": [*data["bounds"], bound]})
        assert not holds
        assert why in told
    assert not verdict({**data, "bounds": []})[0]


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 60))])
def test_bounds_hold_in_all_positions(seed) -> None:
    """Of random games, in which each fluent in turn is said to be a fault."""
    game = ggp.parse(random_game(seed))
    context = Positions(game, Budget(FEW))
    proofs = context.proofs
    try:
        space = context.reachable
    except LimitReached:
        pytest.skip("too many positions to enumerate in a test")
    if proofs.whole is None or not proofs.whole.starts_well:
        pytest.skip("no search where the first state is an end or has a fault")
    net, whole = game.net, proofs.whole
    states = [space.state(place) for place in range(len(space))]
    kinds = kinds_by_groups(net, whole.groups)
    for fluent in set(range(len(net.fluents))) - net.initial:
        question, fault = whole.new_step_question(), whole.step.next[fluent]
        seen = proofs.samples.joint_changes()
        search = BoundSearch(net, whole.joint_move(), question, whole.groups, kinds)
        found = search.against([fault], (), seen, 0.01)
        if found is None:
            found = search.go_on(2.0)
        is_reached = any(state >> fluent & 1 for state in states)
        assert found is None or not is_reached
        for bound in found or ():
            sums = [sum(w for f, w in bound.weights if s >> f & 1) for s in states]
            assert max(sums) <= bound.most


@pytest.mark.slow
def test_counts_of_both_players_pieces_against_each_other() -> None:
    """quad_5x5: who is to move always can; lost once, when bounds were told in other words."""
    game = ggp.load(shared("corpus", "games", "quad_5x5.kif"))
    finding = game.analyse(only="playable")["playable"]
    assert (finding.value, finding.certainty) == (True, "proved")


@pytest.mark.parametrize("text", [walk(12, 12), rounds(3, 24, 8)])
def test_a_search_that_ended_is_taken_up_again(text) -> None:
    """In small pieces the same is proved as at once."""
    game = ggp.parse(text)
    context = Positions(game, Budget(FEW))
    proofs, roles = context.proofs, game.player_indices
    whole = proofs.whole
    assert not whole.is_playable(roles, 5.0)
    exact = [group for group in whole.groups if not group.exact]
    assert not whole.bound(roles, (), exact, proofs.samples.joint_changes(), 0.001)
    pieces, work = 1, 0.002
    while not whole.bound_further((), work):
        # A piece must be long enough for one bound.
        pieces, work = pieces + 1, 1.3 * work
        assert work < 5.0
    assert pieces > 1
    assert whole.is_playable(roles, 5.0)
