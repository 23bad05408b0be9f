"""What joint moves do, of rules that are large or rest on themselves: against enumeration."""

from __future__ import annotations

import json

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import cyclic
from ggp.analysis.states.moves import JointMoves, literals_of_moves
from ggp.checker import check_certificate, read_certificate
from ggp.limits import Budget, Limits
from tests.conftest import nightly
from tests.oracle.random_games import random_game

FIRE = """(role left) (role right) (init (control left)) (init (at 0))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 0)
(<= (open ?x ?y) (after ?x ?y) (not (true (burnt ?y))) (not (true (at ?y))))
(<= (open ?x ?z) (after ?x ?y) (not (true (burnt ?y))) (not (true (at ?y))) (open ?y ?z))
(<= (legal ?p (fire ?y)) (true (control ?p)) (true (at ?x)) (open ?x ?y))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (burnt ?x)) (true (burnt ?x))) (<= (next (burnt ?x)) (does ?p (fire ?x)))
(<= (next (at ?x)) (true (at ?x)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= terminal (not more)) (<= more (true (at ?x)) (open ?x ?y)) (goal left 100) (goal right 0)"""
"""As in amazons on a torus: ways that go round, and may not rest on themselves."""


def test_moves_whose_rules_rest_on_themselves_lower_a_sum() -> None:
    game = ggp.parse(FIRE)
    assert game.net.recursive
    findings = game.analyse(positions=3)
    assert (findings.value("cyclic"), findings["cyclic"].certainty) == (False, "proved")
    checked = check_certificate(read_certificate(json.dumps(findings.certificate())), 60)
    assert [c.property for c in checked if c.property == "cyclic" and c.holds]


@pytest.mark.parametrize("seed", [*range(10), *nightly(range(10, 80))])
def test_without_ends_no_more_is_proved_than_is_true(monkeypatch, seed) -> None:
    """Of rules that are too large moves alone are looked at, after the end of play as well."""
    monkeypatch.setattr("ggp.analysis.proofs.MAX_LITERALS", 0)
    monkeypatch.setattr("ggp.analysis.claims.cyclic.MAX_TERMS", 0)
    game = ggp.parse(random_game(seed, "at once" if seed % 3 == 0 else None))
    context = Positions(game, Budget(Limits(positions=60_000, seconds=60)))
    with_ends = literals_of_moves(game.net, with_ends=True)
    monkeypatch.setattr("ggp.analysis.claims.cyclic.MAX_MOVES", with_ends - seed % 2)
    assert context.proofs.whole is None
    found = cyclic._falling_with_moves(context.proofs)
    assert found is None or not cyclic.enumerated(context).value
    assert found is not None or seed not in (2, 4, 6, 7, 8), "proved before"


def test_what_lasts_is_an_exact_group() -> None:
    """Walls that stay keep a walker on the board: tron ends on them."""
    sheet = """(role p) (init (at 2)) (init (met 0)) (init (met 5)) (s 0 1) (s 1 2) (s 2 3) (s 3 4)
        (s 4 5) (legal p up) (legal p down) (goal p 50)
        (<= (next (at ?y)) (does p up) (true (at ?x)) (s ?x ?y))
        (<= (next (at ?y)) (does p down) (true (at ?x)) (s ?y ?x))
        (<= (next (met ?x)) (true (met ?x))) (<= (next (met ?x)) (true (at ?x)))
        (<= terminal (true (at ?x)) (true (met ?x)))"""
    findings = ggp.parse(sheet).analyse(positions=1)
    assert (findings.value("cyclic"), findings["cyclic"].certainty) == (False, "proved")
    groups = findings.certificate()["groups"]
    assert {"fluents": ["(met 0)"], "exact": True} in groups
    # Where a wall can fall, the walker may leave the board, and nothing changes any more.
    falling = sheet.replace("(next (met ?x)) (true (met ?x))", "(next (met 0)) (true (at 9))")
    assert ggp.parse(falling).analyse().value("cyclic") is not False


def test_moves_alone_are_made_circuits() -> None:
    net = ggp.parse(FIRE).net
    assert literals_of_moves(net, with_ends=False) < literals_of_moves(net, with_ends=True)
    made = JointMoves(net, (), None, with_ends=False).circuits
    assert [len(side.options) for side in made.sides] == [1]
