"""States that no play reaches: by enumeration, and what they prove."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.states.reachability import Reachability
from ggp.checker import check_certificate, read_certificate
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from tests.conftest import nightly
from tests.oracle.random_games import random_game

FEW = Limits(positions=3_000, seconds=60)


def free(cost: int) -> None:
    """Work without a limit."""


def column(height: int) -> str:
    """Two players drop tokens into three columns, as four-in-a-row does, until all are full.

    That a cell is one of empty and taken rests on no empty cell lying below a taken one.
    """
    heights = range(1, height + 1)
    return "\n".join(
        [
            "(role first) (role second) (init (control first))",
            *(f"(init (cell {c} {h} empty))" for c in "abc" for h in heights),
            *(f"(init (cell {c} 0 floor))" for c in "abc"),
            *(f"(above {h - 1} {h})" for h in heights),
            "(<= (filled ?c ?h) (true (cell ?c ?h ?x)) (distinct ?x empty))",
            "(<= (legal ?r (drop ?c)) (true (control ?r)) (true (cell ?c ?h empty))",
            "    (above ?below ?h) (filled ?c ?below))",
            "(<= (legal first wait) (true (control second)))",
            "(<= (legal second wait) (true (control first)))",
            "(<= (next (control first)) (true (control second)))",
            "(<= (next (control second)) (true (control first)))",
            "(<= (next (cell ?c ?h taken)) (does ?r (drop ?c)) (true (cell ?c ?h empty))",
            "    (above ?below ?h) (filled ?c ?below))",
            "(<= (next (cell ?c ?h ?x)) (true (cell ?c ?h ?x)) (distinct ?x empty))",
            "(<= (next (cell ?c ?h empty)) (true (cell ?c ?h empty)) (does ?r (drop ?d))",
            "    (distinct ?c ?d))",
            "(<= (next (cell ?c ?above empty)) (true (cell ?c ?h empty)) (above ?h ?above))",
            "(<= open (true (cell ?c ?h empty)))",
            "(<= terminal (not open)) (goal first 50) (goal second 50)",
        ]
    )


def takers(most: int, turns: int) -> str:
    """Two players take in turn what they like, and counts go so far; in all, so many turns."""
    steps = [f"(after {i} {i + 1})" for i in range(turns)]
    counts = [f"(more c{i} c{i + 1})" for i in range(most)]
    return f"""(role a) (role b) (other a b) (other b a) (kind well) (kind ill)
        (init (control a)) (init (step 0)) (init (took a c0)) (init (took b c0))
        (<= (legal ?p (take ?k)) (true (control ?p)) (kind ?k))
        (<= (legal ?p wait) (true (control ?q)) (other ?q ?p))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m)) (<= terminal (true (step {turns})))
        (<= (next (took ?p ?c)) (true (took ?p ?c)) (not (does ?p (take well))))
        (<= (next (took ?p ?d)) (true (took ?p ?c)) (does ?p (take well)) (more ?c ?d))
        (<= (goal ?p ?v) (true (took ?p ?c)) (worth ?c ?v))
        {" ".join([*steps, *counts, *(f"(worth c{i} {5 * i})" for i in range(most + 1))])}"""


def test_counts_that_are_too_high_after_so_many_steps_are_guessed() -> None:
    """Six turns of a player are six takes at most. Where the counts go to five only, an end may
    lack a goal; play ends all the same."""
    game = ggp.parse(takers(6, 12))
    step = Positions(game, Budget(FEW)).proofs.whole.step
    at = {str(fluent): f + 1 for f, fluent in enumerate(game.net.fluents)}
    early = frozenset({at["(step 3)"], at["(took a c3)"]})
    assert early in step.guesses
    findings = game.analyse(positions=50)
    assert (findings["playable"].value, findings["playable"].certainty) == (True, "proved")
    short = ggp.parse(takers(5, 12)).analyse(positions=50)
    assert short.value("playable") is False
    assert (short["terminating"].value, short["terminating"].certainty) == (True, "proved")
    data = read_certificate(json.dumps(short.certificate()))
    claims = {one.property: one.holds for one in check_certificate(data, 60)}
    assert claims["terminating"]


@pytest.fixture(scope="module")
def tall():
    """What is found of a column of six places."""
    return ggp.parse(column(6)).analyse(positions=100)


def test_a_game_is_playable_as_no_gap_lies_below_a_token(tall) -> None:
    assert tall["playable"].value is True
    assert tall["playable"].certainty == "proved"
    data = tall.certificate()
    assert data["excluded"]
    checked = check_certificate(read_certificate(json.dumps(data)), 60)
    assert {one.property: one.holds for one in checked}["playable"]


def test_a_certificate_with_another_excluded_state_is_refused(tall) -> None:
    data = tall.certificate()
    initial = {"holds": ["(cell a 1 empty)"], "lacks": []}
    reached = {"holds": ["(cell a 1 taken)", "(cell a 2 taken)"], "lacks": []}
    for wrong, why in ((initial, "begins"), (reached, "lead into")):
        forged = {**data, "excluded": [*data["excluded"], wrong]}
        checked = check_certificate(read_certificate(json.dumps(forged)), 60)
        playable = next(one for one in checked if one.property == "playable")
        assert not playable.holds
        assert why in playable.why
    without = {**data, "excluded": []}
    checked = check_certificate(read_certificate(json.dumps(without)), 60)
    assert not next(one for one in checked if one.property == "playable").holds


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 40))])
def test_what_is_excluded_is_never_reached_and_what_is_reached_never_excluded(seed) -> None:
    """Both answers of the search against all positions of random games."""
    game = ggp.parse(random_game(seed))
    context = Positions(game, Budget(FEW))
    whole = context.proofs.whole
    try:
        space = context.reachable
    except LimitReached:
        pytest.skip("too many positions to enumerate in a test")
    if whole is None or not whole.starts_well:
        pytest.skip("no search where the first state is an end or has a fault")
    states = [space.state(place) for place in range(len(space))]
    # Play goes on from states with a legal joint move only; the others are reached all the same.
    bits = np.array([[s >> f & 1 for f in range(len(game.net.fluents))] for s in states[:1]])
    choose = random.Random(seed)
    step = whole.step
    for _ in range(6):
        count = min(len(step.fluents), choose.randint(1, 3))
        wanted = {f: choose.random() < 0.7 for f in choose.sample(range(len(step.fluents)), count)}
        bad, bad_next = (
            step.builder.conj_all(own[f] ^ (not holds) for f, holds in wanted.items())
            for own in (step.fluents, step.next)
        )
        search = Reachability(step, bits.astype(bool), free)
        found = search.invariant(bad, bad_next)
        search.close()
        needed, cubes = found or ([], None)
        assert set(needed) <= set(cubes or ())
        is_reached = any(all((s >> f & 1) == h for f, h in wanted.items()) for s in states)
        assert (cubes is None) == is_reached
        for cube in cubes or ():
            inside = [s for s in states if all((s >> abs(x) - 1 & 1) == (x > 0) for x in cube)]
            assert inside == []
