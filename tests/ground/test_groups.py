"""Groups and markers: proved by induction, checked here by enumeration."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import ggp
from ggp import parse
from ggp.checker import check_certificate, read_certificate
from ggp.ground import (
    Group,
    candidates,
    find_groups,
    groups,
    joined,
    kind,
    state_bits,
    unbroken,
)
from ggp.ground.groups import prove
from ggp.kif import Source
from ggp.rules import read_rules
from tests.conftest import GAMES, nightly, shared
from tests.test_fuzz import random_rules

SHEETS = [
    "kayles/kayles-7.kif", "subtraction/sg-125.kif", "tic-tac-toe/tic-tac-toe.kif",
    "domineering/domineering-3x4.kif", "subtraction/sg-12-15-named.kif",
    "three-players/last-match.kif", "simultaneous/rock-paper-scissors.kif",
    "puzzles/lights-out-3x3.kif",
]  # fmt: skip


@pytest.mark.parametrize("name", SHEETS)
def test_groups_hold_in_every_reachable_state(name) -> None:
    game = ggp.load(GAMES / name)
    held = np.unpackbits(game.space().rows.view(np.uint8), axis=1, bitorder="little")
    assert game.groups
    for group in game.groups:
        counts = held[:, group.fluents].sum(axis=1)
        assert counts.max() <= 1
        if group.exact:
            assert counts.min() == 1


def test_a_state_of_sg_125_takes_13_bits() -> None:
    """Three heaps of 11, 12 and 13 sizes (4 bits each) and whose turn it is."""
    game = ggp.load(GAMES / "subtraction" / "sg-125.kif")
    assert sorted(len(g.fluents) for g in game.groups) == [2, 11, 12, 13]
    assert state_bits(game.net, game.groups) == 13


def test_a_false_group_is_not_proved() -> None:
    net = ggp.load(GAMES / "kayles" / "kayles-7.kif").net
    up = [i for i, fluent in enumerate(net.fluents) if str(fluent).endswith("up)")]
    assert prove(net, [Group(tuple(up[:2]), exact=False)], 10) == []


def test_what_is_not_proved_is_no_group() -> None:
    net = ggp.load(GAMES / "clobber" / "clobber-4x4.kif").net
    assert find_groups(net, work=0.0) == ()


def marker_of(text: str) -> tuple[list[list[str]], bool] | None:
    game = parse(text)
    if game.marker is None:
        return None
    fluents = game.net.fluents
    shown = [[str(f) for i, f in enumerate(fluents) if b >> i & 1] for b in game.marker.bits]
    return shown, game.marker.alternating


NIM = """(role l) (role r) (init (h 3)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))
(<= (legal ?p (to ?n)) (turn ?p) (true (h ?m)) (less ?n ?m))
(<= (legal ?p wait) (role ?p) (not (turn ?p)))
(<= (next (h ?n)) (does ?p (to ?n)))
(<= terminal (true (h 0)))
(<= (goal ?p 0) (turn ?p)) (<= (goal ?p 100) (role ?p) (not (turn ?p)))
"""


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        (
            "(init (c l)) (<= (turn ?p) (true (c ?p))) (<= (next (c r)) (true (c l)))"
            "(<= (next (c l)) (true (c r)))",
            ([["(c l)"], ["(c r)"]], True),
        ),
        (
            "(init x) (<= (turn l) (true x)) (<= (turn r) (true y)) (<= (next y) (true x))"
            "(<= (next x) (true y))",
            ([["x"], ["y"]], True),
        ),
        (
            "(<= (turn l) (not (true odd))) (<= (turn r) (true odd))"
            "(<= (next odd) (not (true odd)))",
            ([[], ["odd"]], True),
        ),
        (
            "(init (c l)) (<= (turn ?p) (true (c ?p)))"
            "(<= (next (c ?q)) (does ?p (to ?n)) (role ?q) (distinct ?p ?q))",
            ([["(c l)"], ["(c r)"]], False),
        ),
    ],
    ids=["relation", "two propositions", "absence", "passed on by the move"],
)
def test_markers_are_found_by_what_they_do(marker, expected) -> None:
    """docs/semantics.md 14: never from the words `control` or `noop`."""
    assert marker_of(NIM + marker) == expected


def test_a_heap_of_two_sizes_is_no_marker() -> None:
    text = NIM.replace("(init (h 3))", "(init (h 1))") + (
        "(init (c l)) (<= (turn ?p) (true (c ?p))) (<= (next (c r)) (true (c l)))"
        "(<= (next (c l)) (true (c r)))"
    )
    assert marker_of(text) == ([["(c l)"], ["(c r)"]], True)


def test_simultaneous_moves_have_no_marker() -> None:
    assert ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif").marker is None


def test_three_roles_have_three_markers() -> None:
    game = ggp.load(GAMES / "three-players" / "last-match.kif")
    assert game.marker is not None
    assert len(set(game.marker.bits)) == 3
    assert game.marker.alternating


def kinds(text_or_path) -> dict[str, str | None]:
    game = parse(text_or_path) if isinstance(text_or_path, str) else ggp.load(text_or_path)
    return {str(game.net.fluents[g.fluents[0]]): kind(game.net, g) for g in game.groups}


def test_heaps_are_chains_and_the_marker_is_a_clock() -> None:
    found = kinds(GAMES / "subtraction" / "sg-125.kif")
    assert sorted(map(str, found.values())) == ["chain", "chain", "chain", "clock"]


def test_a_step_counter_and_a_modular_clock() -> None:
    """Under any names and directions; a counter that a move can stop is none."""
    found = kinds(
        """(role p) (init (at a)) (init (hand x)) (init (held x)) (legal p go) (legal p stay)
        (nach a b) (nach b c) (nach c d) (round x y) (round y z) (round z x)
        (<= (next (at ?y)) (true (at ?x)) (nach ?x ?y))
        (<= (next (hand ?y)) (true (hand ?x)) (round ?x ?y))
        (<= (next (held ?y)) (true (held ?x)) (round ?x ?y) (does p go))
        (<= (next (held ?x)) (true (held ?x)) (does p stay))
        (<= terminal (true (at d))) (<= (goal p 100) (true (held x)))
        (<= (goal p 0) (not (true (held x))))"""
    )
    assert found == {"(at a)": "counter", "(hand x)": "clock", "(held x)": None}


@pytest.mark.parametrize(
    ("name", "bits"),
    [("breakthrough", 121), ("checkersSmall", 107), ("eightPuzzle", 42), ("nim3", 18)],
)
def test_bits_of_public_sheets(name, bits) -> None:
    """A figure can only get smaller: nothing less is proved than before."""
    game = ggp.load(shared("corpus", "games", f"{name}.kif"))
    assert state_bits(game.net, game.groups) <= bits


RELIES_ON_LEGALITY = """(role p) (legal p wait) (init (a 1)) (init (s 1)) (init (s 2)) (init (s 3))
(<= (legal p m) (true (b x)) (true (b y))) (<= (next (a 1)) (true (a 1)))
(<= (next (a 2)) (does p m)) (<= (next (b x)) (true (s 1)) (true (s 2)) (true (s 3)))
(<= (next (b y)) (true (s 1)) (true (s 2)) (true (s 3))) (<= (next (s ?x)) (true (s ?x)))
(<= terminal (true (a 2))) (<= (goal p 100) (true (a 2))) (<= (goal p 0) (not (true (a 2))))"""
"""(b x) and (b y) exclude each other at first; while they do, `m` is illegal."""

RELIES_ON_RECURSION = """(role p) (legal p wait) (legal p m) (init (a 1)) (init (s 1)) (init (s 2))
(<= (one ?n) (two ?n)) (<= (two ?n) (three ?n)) (<= (three ?n) (one ?n))
(<= (three 1) (true (b x)) (true (b y)))
(<= (next (a 1)) (true (a 1))) (<= (next (a 2)) (one 1))
(<= (next (b x)) (true (s 1)) (true (s 2)) (does p m))
(<= (next (b y)) (true (s 1)) (true (s 2)) (does p m)) (<= (next (s ?x)) (true (s ?x)))
(<= terminal (true (a 2))) (<= (goal p 100) (true (a 2))) (<= (goal p 0) (not (true (a 2))))"""


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["whole", "local"])
@pytest.mark.parametrize("text", [RELIES_ON_LEGALITY, RELIES_ON_RECURSION])
def test_what_relied_on_a_group_that_was_dropped_is_asked_about_again(
    text, share, monkeypatch
) -> None:
    monkeypatch.setattr(groups, "WHOLE", share)
    hold_when_reachable(parse(text))


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("seed", [*range(10), *nightly(range(10, 25))])
def test_groups_of_random_rules_hold_in_every_reachable_state(seed, share, monkeypatch) -> None:
    """Without samples to throw out what is false: the induction must find it by itself."""
    monkeypatch.setattr(groups, "WHOLE", share)
    rules = read_rules(Source("<random>", random_rules(random.Random(seed))))
    if not rules.errors:
        hold_when_reachable(ggp.Game(rules))


def hold_when_reachable(game: ggp.Game) -> None:
    held = np.unpackbits(game.space().rows.view(np.uint8), axis=1, bitorder="little")
    for group in prove(game.net, groups.candidates(game.net), 20):
        counts = held[:, group.fluents].sum(axis=1)
        assert counts.max() <= 1
        assert not group.exact or counts.min() == 1


def test_a_marker_that_rests_on_another_group() -> None:
    """Who is in control keeps it until the hand is empty: just one role is, as the hand is always
    of one size. The turn given to the other player does not break that."""
    game = ggp.parse("""(role p) (role q) (init (control p)) (init (hand 2)) (init (heap 9))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
        (succ 8 9)
        (<= (legal ?r (put ?x)) (true (control ?r)) (kind ?x)) (kind a) (kind b)
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (heap ?n)) (true (heap ?m)) (succ ?n ?m))
        (<= (next (hand ?n)) (true (hand ?m)) (succ ?n ?m))
        (<= (next (hand 2)) (true (hand 0)))
        (<= (next (control ?r)) (does ?r (put ?x)) (true (hand ?n)) (distinct ?n 0))
        (<= (next (control ?q)) (does ?r (put ?x)) (true (hand 0)) (role ?q) (distinct ?q ?r))
        (<= terminal (true (heap 0))) (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))""")
    marker = game.marker
    assert marker is not None
    assert not marker.alternating
    named = [{str(game.net.fluents[i]) for i in group.fluents} for group in marker.support]
    assert named == [{"(hand 0)", "(hand 1)", "(hand 2)"}]
    data = game.analyse().certificate()
    checks = check_certificate(read_certificate(json.dumps(data)), 60)
    assert {"turns", "impartial", "all_small"} <= {check.property for check in checks}
    assert all(check.holds for check in checks)


OPENING = """(role a) (role b) (init (step 1)) (<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)) (does b (take ?x)))
(<= (legal b hand) (true (step 2))) (<= (next (control a)) (does b hand))
(<= (next (control a)) (true (step 3)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (mine a) (true (step ?n)) (distinct ?n 2)) (<= (mine b) (true (step 2)))
(<= (mine ?p) (true (control ?p)))
(<= (legal ?p (take ?x)) (mine ?p) (heap ?x) (not (true (taken ?x))))
(<= (legal ?p noop) (role ?p) (not (mine ?p)))
(<= (next (taken ?x)) (true (taken ?x))) (<= (next (taken ?x)) (does ?p (take ?x)))
(heap 1) (heap 2) (heap 3) (heap 4) (heap 5) (heap 6)
(<= open (heap ?x) (not (true (taken ?x)))) (<= terminal (not open))
(goal a 100) (goal b 0)"""
"""Whose turn it is: steps of an opening first, of which b may leave out the last, then a marker."""


def test_groups_that_are_exact_only_together() -> None:
    game = parse(OPENING)
    net, samples = game.net, [s.bits for seed in range(5) for s, _ in game.random_playout(seed)]
    found = joined(net, unbroken(candidates(net), samples), samples)
    turn = {"(control a)", "(control b)", "(step 1)", "(step 2)", "(step 3)"}
    assert [{str(net.fluents[i]) for i in group.fluents} for group in found] == [turn]
    assert prove(net, [*candidates(net), *found], 5.0).count(found[0]) == 1


def test_turns_that_begin_with_an_opening() -> None:
    """One role at a time, and a twice running: the last step is a's, and then the marker's."""
    finding = parse(OPENING).analyse(positions=1)["turns"]
    assert (finding.value, finding.certainty) == ("with extra turns", "proved")
    # Where the opening may go on beside the marker, both have a choice.
    both = OPENING + "(next (step 1))"
    assert parse(both).analyse().value("turns") == "simultaneous"
