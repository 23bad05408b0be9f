"""Positions are counted before long proofs where they are few; what is said is the same."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import pytest

import ggp
from ggp.analysis import Positions, analysis, positions, proofs
from ggp.analysis.claims import passes, playable
from ggp.analysis.claims.table import Claim
from ggp.analysis.proofs import Proofs
from ggp.limits import Budget, Limits
from tests.analysis.test_linear import lock
from tests.conftest import nightly
from tests.oracle.random_games import random_game

FEW = Limits(positions=30_000, seconds=60)


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 300))])
def test_what_is_counted_first_is_what_proofs_say(seed, monkeypatch) -> None:
    """Of random games: whatever both ways settle they settle alike."""
    text = random_game(seed)
    first = ggp.parse(text).analyse(positions=30_000)
    monkeypatch.setattr(positions, "MANY", 0)
    later = ggp.parse(text).analyse(positions=30_000)
    assert [f.property for f in first] == [f.property for f in later]
    for one, other in zip(first, later, strict=True):
        assert one.value == other.value or "unknown" in (one.certainty, other.certainty)


def test_nothing_long_is_begun_where_a_position_shows_the_contrary(monkeypatch) -> None:
    def begun(*_: object, **__: object) -> None:
        pytest.fail("a long proof was begun")

    monkeypatch.setattr(proofs, "find_sums", begun)
    monkeypatch.setattr(proofs.Whole, "bound", begun)
    monkeypatch.setattr(proofs.Whole, "search", begun)
    text, keys = lock(12)
    finding = ggp.parse(text).analyse(only="playable")["playable"]
    assert (finding.value, finding.certainty) == (False, "refuted")
    assert len(finding.evidence.states[0].path) == len(keys) + 1


def test_proofs_have_less_work_only_where_enumeration_settles_the_claim() -> None:
    context = Positions(ggp.parse(random_game(3)), Budget(FEW))
    works: list[float] = []

    def prove(found: Proofs, cheap: bool) -> None:
        works.append(found.work)

    def by(of: ModuleType) -> SimpleNamespace:
        rest = {name: getattr(of, name) for name in ("refute", "enumerated", "certify")}
        return SimpleNamespace(prove=prove, **rest)

    of_play = Claim("playable", by(playable))
    of_sides = Claim("passes", by(passes), is_of_play=False)
    for one in (of_play, of_sides):
        analysis._prove(one, context)
    assert analysis._count(of_play, context) is None
    assert context.findings["playable"].certainty == "exhaustive"
    assert analysis._count(of_sides, context) is None
    for one in (of_play, of_sides):
        analysis._prove(one, context)
    whole = proofs.WORK
    assert works == [whole, whole, proofs.SHARE * whole, whole]


@pytest.mark.parametrize("name", ["MANY", "MOVES", "LITERALS"])
def test_too_much_to_count_is_not_counted(name, monkeypatch) -> None:
    """The limit is about positions, their moves, and what is looked at for these."""
    game = ggp.parse(lock(12)[0])
    assert Positions(game, Budget(FEW)).are_countable
    monkeypatch.setattr(positions, name, 4)
    assert not Positions(ggp.parse(lock(12)[0]), Budget(FEW)).are_countable
