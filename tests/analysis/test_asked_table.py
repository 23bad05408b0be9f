"""What is asked of which games, and in what order it is told."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import passes, players
from ggp.analysis.evidence import Counterexample, Ranking
from ggp.analysis.findings import ORDER
from ggp.errors import UnknownName
from ggp.limits import Budget
from tests.analysis.test_turns import sheet

END = """(init (n 0)) (s 0 1) (s 1 2) (s 2 3) (<= (next (n ?y)) (true (n ?x)) (s ?x ?y))
    (<= terminal (true (n 3))) (<= (goal ?r 50) (role ?r))"""


def at_once(*roles: str) -> str:
    """Three times all roles have a choice."""
    return f"""{"".join(f"(role {r})" for r in roles)} {END} (<= (legal ?r a) (role ?r))
        (<= (legal ?r b) (role ?r)) (<= (next (last ?r ?m)) (does ?r ?m))"""


def in_turn(*roles: str) -> str:
    """Three times one role has a choice, in turn."""
    then = "".join(f"(then {a} {b})" for a, b in zip(roles, (*roles[1:], roles[0]), strict=True))
    return f"""{"".join(f"(role {r})" for r in roles)} {then} {END} (init (control {roles[0]}))
        (<= (next (control ?q)) (true (control ?p)) (then ?p ?q))
        (<= (legal ?r a) (true (control ?r))) (<= (legal ?r b) (true (control ?r)))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (last ?m)) (does ?r ?m))"""


PHASES = """(role p) (role q) (init (n 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 0)
    (own p 0) (own p 1) (own q 2) (own q 3)
    (<= (legal ?r (go ?n a)) (true (n ?n)) (own ?r ?n))
    (<= (legal ?r (go ?n b)) (true (n ?n)) (own ?r ?n))
    (<= (legal ?r wait) (role ?r) (true (n ?n)) (not (own ?r ?n)))
    (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= (next (last ?n ?m)) (does ?r (go ?n ?m)))
    (<= (next (last ?n ?m)) (true (last ?n ?m)) (not (true (n ?n))))
    (<= terminal (true (last 3 a))) (<= (goal ?r 50) (role ?r))"""
"""Four phases tell whose turn it is, and which moves there are: they are part of the board."""

OF_ALL = {
    "players", "deterministic", "playable", "terminating", "cyclic", "shortest_play",
    "longest_play", "reachable_states", "successor_chains",
}  # fmt: skip
OF_GOALS = {"turns", "outcome_kind", "winnable"}
OF_SIDES = {"form", "impartial", "all_small", "passes", "heaps"}
COUNTED = {"step_counters", "length_bound"}
NOT_HERE = {"symmetries", "roles_exchangeable", "arithmetic"}
"""These are about relations and other games' rules, and hang on what is installed."""


@pytest.mark.parametrize(
    ("text", "asked", "turns_are"),
    [
        (at_once("p"), OF_GOALS | COUNTED, "single-player"),
        (at_once("p", "random"), OF_GOALS | COUNTED, "single-player"),
        (at_once("random"), COUNTED, None),
        (at_once("p", "q"), OF_GOALS | COUNTED | {"zero_sum"}, "simultaneous"),
        (at_once("p", "q", "r"), OF_GOALS | COUNTED | {"zero_sum"}, "simultaneous"),
        (at_once("p", "q", "random"), OF_GOALS | COUNTED | {"zero_sum"}, "simultaneous"),
        (in_turn("p", "q"), OF_GOALS | COUNTED | OF_SIDES | {"zero_sum"}, "alternating"),
        # Of sides there are two, none of them chance.
        (in_turn("p", "q", "r"), OF_GOALS | COUNTED | {"zero_sum"}, "alternating"),
        (in_turn("p", "random"), OF_GOALS | COUNTED, "single-player"),
        (in_turn("p", "q", "random"), OF_GOALS | COUNTED | {"zero_sum"}, "alternating"),
        (PHASES, OF_GOALS | (OF_SIDES - {"heaps"}) | {"zero_sum"}, "with extra turns"),
    ],
)
def test_what_is_asked_of_a_game(text, asked, turns_are) -> None:
    game = ggp.parse(text)
    told: list[str] = []
    findings = game.analyse(report=lambda finding: told.append(finding.property))
    names = [finding.property for finding in findings]
    assert set(names) - NOT_HERE == OF_ALL | asked
    assert findings.value("turns") == turns_are
    # Each once, in the order in which they are best read, whenever they were found.
    assert names == [name for name in ORDER if name in names]
    assert sorted(told) == sorted(names)
    count = len([role for role in game.roles if role != "random"])
    assert (findings.value("players"), findings.value("deterministic")) == (
        count,
        "random" not in game.roles,
    )
    assert players.players(game).evidence.why == f"role facts: {', '.join(game.roles)}"
    for finding in findings:
        is_shown = isinstance(finding.evidence, Counterexample)
        assert (finding.rules is game.rules) == is_shown


@pytest.mark.parametrize("text", [in_turn("p", "q"), at_once("p", "random")])
def test_one_question_is_answered_as_among_all(text) -> None:
    found = {finding.property: finding for finding in ggp.parse(text).analyse()}
    for name in ORDER:
        if name in NOT_HERE or (name not in found and name in ("sum", "octal_code")):
            continue
        alone = list(ggp.parse(text).analyse(only=name))
        if name not in found:
            assert alone == []
        elif name == "length_bound":
            assert [finding.value for finding in alone] in ([], [found[name].value])
        else:
            [finding] = alone
            assert (finding.property, finding.value) == (name, found[name].value)
    both = ggp.parse(text).analyse(only=("cyclic", "players"))
    assert [finding.property for finding in both] == ["players", "cyclic"]


def test_a_name_that_is_no_property_is_refused() -> None:
    with pytest.raises(UnknownName, match="no property winable"):
        ggp.parse(at_once("p")).analyse(only="winable")
    with pytest.raises(UnknownName):
        ggp.parse(at_once("p")).analyse(only=("players", ""))


@pytest.mark.parametrize("roles", ["pq", "pqr"])
def test_a_bound_of_the_length_needs_a_sum_that_falls(roles) -> None:
    """Three steps: the bound is what the longest play is."""
    findings = ggp.parse(in_turn(*roles)).analyse()
    assert isinstance(findings["cyclic"].evidence, Ranking)
    assert findings.value("length_bound") == findings.value("longest_play") == 3
    # What can be proved is, although all positions are soon enumerated.
    for name in ("playable", "terminating", "outcome_kind", "zero_sum", "winnable"):
        assert findings[name].certainty == "proved"


def test_what_cannot_be_given_away_says_so() -> None:
    findings = ggp.parse(PHASES).analyse()
    for name in ("impartial", "all_small"):
        assert (findings[name].value, findings[name].certainty) == (None, "unknown")
        told = "what tells whose turn it is tells more, so that it cannot be given away"
        assert findings[name].evidence.why == told


def test_where_nothing_tells_whose_turn_it_is_questions_about_it_stay_open() -> None:
    """Only one role has a choice at each place, and the places are found by enumeration."""
    edges = [[1, 2], [3, 4], [3, 4], [4, 5], [5]]
    game = ggp.parse(sheet(edges, ["a", "b", "b", "a", ""], ["a", "b"]))
    assert (game.turns, game.marker) == (None, None)
    findings = game.analyse()
    assert findings.value("turns") == "alternating"
    for name in ("form", "passes", "impartial", "all_small"):
        assert (findings[name].value, findings[name].certainty) == (None, "unknown")
        assert findings[name].evidence.why == "nothing that tells whose turn it is was found"


def test_a_board_that_goes_on_by_itself_is_never_the_same() -> None:
    """By what tells whose turn it is, where that goes on with every move."""
    game = ggp.parse(PHASES)
    assert game.marker is None
    assert game.turns.goes_on
    positions = Positions(game, Budget())
    for finding in (passes.prove(positions.proofs, True), passes.enumerated(positions)):
        assert finding.value is False
    assert passes.refute(positions.samples) is None
    assert "all 55 boards" in passes.enumerated(positions).evidence.why
    for goes_on in (True, False):
        own = replace(game.turns, goes_on=goes_on)
        made = SimpleNamespace(game=SimpleNamespace(marker=None, turns=own), boards=None)
        assert (passes.prove(made, False) is not None) == goes_on
    none = SimpleNamespace(game=SimpleNamespace(marker=None, turns=None), boards=None)
    assert passes.prove(none, False) is None
