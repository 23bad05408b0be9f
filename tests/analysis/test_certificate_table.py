"""What of findings goes into a certificate: each kind of evidence, with turns shown and not."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.certificate import _turns, certificate
from ggp.analysis.certifying import Certifying
from ggp.analysis.claims.impartial import matching_moves
from ggp.analysis.claims.table import CLAIMS
from ggp.analysis.evidence import (
    Counterexample,
    Enumeration,
    Evidence,
    Goals,
    Ranking,
    Witness,
)
from ggp.analysis.finding import Finding
from ggp.checker import MAX_MATCHES
from ggp.limits import Budget
from tests.analysis.test_options import LESS_Q, OTHERS, SAME, SPLIT, TWO_NAMES, tokens

SHOWN, HIDDEN = {1: (("a", "b"),), 2: (("c", "d"),)}, {}
"""Plays that lead to a choice in each of two settings, and none."""


def game(choices=SHOWN, marker=True, alternating=True) -> SimpleNamespace:
    turns = SimpleNamespace(settings=[(1, 0), (2, 1)], alternating=alternating)
    return SimpleNamespace(turns=turns, roles=("p", "q"), choices=choices, marker=marker or None)


def proofs(own=None, plays=()) -> SimpleNamespace:
    """`plays`: for goals at the end a play that led to them."""
    samples = SimpleNamespace(shortest_to_an_end=(("x", "y"),), end_with=dict(plays).get)
    return SimpleNamespace(game=own or game(), samples=samples)


def claimed(finding: Finding, own=None, plays=(), findings=()) -> list[dict]:
    known = Certifying([finding, *findings], proofs(own, plays))
    return claims(finding, known)


def claims(finding: Finding, known: Certifying) -> list[dict]:
    claim = {"property": finding.property, "value": finding.value}
    if finding.property not in CLAIMS:
        return []
    return [claim | shown for shown in CLAIMS[finding.property].by.certify(finding, known)]


A, AB, ABC, B = ((("a",),), (("a",), ("b",)), (("a",), ("b",), ("c",)), (("b",),))
"""Plays; the first three are the beginnings of each other."""


def met(name: str, value, *paths) -> Finding:
    states = tuple(Witness((), path) for path in paths)
    return Finding(name, value, "proved", Counterexample("", states))


@pytest.mark.parametrize(
    ("name", "paths", "shown"),
    [
        ("playable", [A], [A]),
        ("playable", [A, AB], [A, AB]),
        ("playable", [AB, A, B], [AB, A, B]),
        # A play through states leads to all of them.
        ("cyclic", [A, AB], [AB]),
        ("cyclic", [A, AB, ABC], [ABC]),
        ("turns", [A, AB, B], [AB, B]),
        ("turns", [AB, A], [AB]),
        ("turns", [AB, AB], [AB, AB]),
        ("cyclic", [(), A], [A]),
        ("cyclic", [()], [()]),
        ("zero_sum", [(), A], [(), A]),
        # States that no play leads to.
        ("impartial", [None], None),
        ("impartial", [A], [A]),
        ("impartial", [None, A], [A]),
        ("playable", [], None),
        # What no witness shows.
        ("terminating", [A], None),
        ("longest_play", [A], None),
    ],
)
def test_plays_that_lead_to_witnesses(name, paths, shown) -> None:
    found = claimed(met(name, False, *paths))
    if shown is None:
        assert found == []
        return
    plays = [[list(joint) for joint in path] for path in shown]
    assert found == [{"property": name, "value": False, "witness": plays}]


@pytest.mark.parametrize("name", ["impartial", "all_small", "passes", "turns", "form", "winnable"])
def test_boards_are_told_from_turns_by_a_marker_only(name) -> None:
    for marker in (True, False):
        found = claimed(met(name, False, A), game(marker=marker))
        is_sided = name in ("impartial", "all_small", "passes")
        assert bool(found) == (marker or not is_sided)


@pytest.mark.parametrize(
    ("name", "value", "certainty", "marker", "is_claimed"),
    [
        ("playable", True, "proved", True, True),
        ("playable", True, "exhaustive", True, False),
        ("playable", True, "unknown", True, False),
        ("all_small", True, "proved", True, True),
        ("all_small", True, "exhaustive", True, False),
        ("passes", False, "proved", True, True),
        ("passes", False, "proved", False, False),
        ("turns", "alternating", "proved", True, True),
        ("turns", "alternating", "proved", False, True),
        ("turns", "alternating", "exhaustive", True, False),
        ("turns", "single-player", "proved", True, False),
        ("heaps", [], "proved", True, False),
    ],
)
def test_what_is_claimed_without_more(name, value, certainty, marker, is_claimed) -> None:
    found = claimed(Finding(name, value, certainty, Evidence("")), game(marker=marker))
    assert found == ([{"property": name, "value": value}] if is_claimed else [])


def test_what_was_enumerated_is_not_claimed() -> None:
    for name in ("playable", "cyclic", "winnable", "form", "impartial"):
        finding = Finding(name, True, "exhaustive", Enumeration("", 9))
        assert claimed(finding) == []


PLAY = {"witness": [[["x", "y"]]]}


@pytest.mark.parametrize(
    ("strict", "passes", "choices", "ranked"),
    [
        # Without turns that are shown it has to fall with all moves.
        (None, False, SHOWN, {"strict": None}),
        (None, False, HIDDEN, {"strict": None}),
        (("p", "q"), False, SHOWN, {"strict": ["p", "q"]}),
        (("p", "q"), False, HIDDEN, {"strict": None}),
        (("p",), False, SHOWN, {"strict": ["p"]}),
        (("p",), False, HIDDEN, None),
        (("p", "q"), True, SHOWN, {"strict": ["p", "q"], "passes": True}),
        (("p", "q"), True, HIDDEN, None),
    ],
)
def test_weights_that_rest_on_turns_that_are_not_shown(strict, passes, choices, ranked) -> None:
    evidence = Ranking("", {"f": 2}, strict, passes)
    wanted = ranked and {"weights": {"f": 2}, **ranked}
    own = game(choices, alternating=True)
    assert Certifying([], proofs(own)).ranking(evidence) == wanted
    finding = Finding("cyclic", False, "proved", evidence)
    claim = [{"property": "cyclic", "value": False, **wanted}] if wanted else []
    assert claimed(finding, own) == claim
    # And what shows that play ends: the weights, or else a play.
    assert Certifying([finding], proofs(own)).ends() == (wanted or PLAY)
    ends = Finding("terminating", True, "proved", Evidence(""))
    claim = [{"property": "terminating", "value": True, **wanted}] if wanted else []
    assert claimed(ends, own, findings=[finding]) == claim
    form = Finding("form", "normal", "proved", Evidence(""))
    assert claimed(form, own, findings=[finding]) == [
        {"property": "form", "value": "normal", "ends": wanted or PLAY}
    ]


def test_without_weights_a_play_shows_that_some_end() -> None:
    other = Finding("terminating", True, "proved", Ranking("", {"f": 2}))
    cyclic = Finding("cyclic", False, "exhaustive", Enumeration("", 9))
    assert Certifying([other, cyclic], proofs()).ends() == PLAY
    assert claimed(Finding("terminating", True, "proved", Evidence("")), findings=[cyclic]) == []


ROWS = ((0, 100), (100, 0))
DRAWN = (*ROWS, (50, 50))
TWO_DRAWS = ((40, 40), (50, 50))


@pytest.mark.parametrize(
    ("name", "value", "goals", "plays", "claim"),
    [
        ("outcome_kind", "win-lose", ROWS, {}, {}),
        ("zero_sum", True, ROWS, {}, {}),
        ("winnable", False, ROWS, {}, {}),
        ("outcome_kind", "win-lose-draw", DRAWN, {(50, 50): AB}, {"drawn": [[["a"], ["b"]]]}),
        # Not where no play was drawn; a win is no draw.
        ("outcome_kind", "win-lose-draw", DRAWN, {}, None),
        ("outcome_kind", "win-lose-draw", DRAWN, {(0, 100): A}, None),
        ("outcome_kind", "win-lose-draw", TWO_DRAWS, {(50, 50): A}, {"drawn": [[["a"]]]}),
        ("outcome_kind", "win-lose-draw", TWO_DRAWS, {(40, 40): A, (50, 50): B},
         {"drawn": [[["a"]]]}),
        ("zero_sum", False, ROWS, {}, None),
    ],
)  # fmt: skip
def test_goals_at_the_ends(name, value, goals, plays, claim) -> None:
    finding = Finding(name, value, "proved", Goals("", goals))
    own = {"goals": [list(row) for row in goals], "ends": PLAY}
    found = claimed(finding, plays=plays)
    assert found == ([] if claim is None else [{"property": name, "value": value, **own, **claim}])
    assert claimed(Finding(name, value, "exhaustive", Goals("", goals)), plays=plays) == []


@pytest.mark.parametrize("is_met", [True, False])
def test_that_outcomes_are_scored_is_shown_by_ends_that_were_met(monkeypatch, is_met) -> None:
    shown = met("outcome_kind", "scored", A)
    monkeypatch.setattr(
        "ggp.analysis.claims.outcome_kind.refute", lambda _: shown if is_met else None
    )
    found = claimed(Finding("outcome_kind", "scored", "proved", Goals("", ROWS)))
    claim = {"property": "outcome_kind", "value": "scored", "witness": [[["a"]]]}
    assert found == ([claim] if is_met else [])


@pytest.mark.parametrize(
    ("choices", "marker", "told"),
    [
        (SHOWN, True, [("p", ["f"], [["a", "b"]]), ("q", ["g"], [["c", "d"]])]),
        (SHOWN, False, [("p", ["f"], [["a", "b"]]), ("q", ["g"], [["c", "d"]])]),
        ({1: (("a", "b"),)}, True, [("p", ["f"], [["a", "b"]]), ("q", ["g"], None)]),
        ({2: ()}, True, [("p", ["f"], None), ("q", ["g"], [])]),
        (HIDDEN, False, None),
    ],
)
def test_turns_with_plays_that_show_them(choices, marker, told) -> None:
    found = _turns(game(choices, marker), ["f", "g", "h"])
    if told is None:
        assert found is None
        return
    assert found["flips"] is marker
    wanted = [{"role": role, "holds": held} | ({} if play is None else {"choice": play})
              for role, held, play in told]  # fmt: skip
    assert found["settings"] == wanted


def test_rules_without_turns_show_none() -> None:
    assert _turns(SimpleNamespace(turns=None), ["f"]) is None


@pytest.mark.parametrize("sheet", [SAME, TWO_NAMES, SPLIT, LESS_Q, OTHERS])
def test_moves_match_those_of_the_other_that_do_the_same(sheet) -> None:
    """By what they do in each state in which both are legal; if there is none, all do."""
    rules = tokens(sheet)
    own = Positions(rules, Budget()).proofs.boards
    matches = matching_moves(own)
    assert list(matches) == ["p", "q"]
    places: dict[str, dict[str, list]] = {"p": {}, "q": {}}
    for role, side in zip("pq", own.sides, strict=True):
        first = own.net.move_offset["pq".index(role)]
        moves = own.net.moves["pq".index(role)]
        for option in side.options:
            places[role].setdefault(str(moves[option.move - first]), []).append(option)
        assert matches[role].keys() == places[role].keys()
    for role, other in ("pq", "qp"):
        for move, found in matches[role].items():
            [option] = places[role][move]
            same = [m for m, [o] in places[other].items() if o.effect == option.effect]
            where = {own.builder.disj_all(o.legal for [o] in places[r].values()
                                          if o.effect == option.effect)
                     for r in (role, other)}  # fmt: skip
            assert sorted(found) == sorted(same if len(where) == 1 and same else places[other])


@pytest.mark.parametrize(
    ("count", "is_claimed"), [(0, False), (1, True), (MAX_MATCHES, True), (MAX_MATCHES + 1, False)]
)
def test_no_more_matches_are_claimed_than_are_read(monkeypatch, count, is_claimed) -> None:
    matches = {"p": {"a": ["x"]}, "q": {"x": ["a"], "y": ["b"] * count}}
    monkeypatch.setattr("ggp.analysis.claims.impartial.matching_moves", lambda _: matches)
    own = proofs()
    own.boards = object()
    finding = Finding("impartial", True, "proved", Evidence(""))
    found = claims(finding, Certifying([finding], own))
    claim = {"property": "impartial", "value": True, "matches": matches}
    assert found == ([claim] if is_claimed else [])


@pytest.mark.parametrize("choices", [True, False])
def test_findings_about_turns_are_claimed_where_they_are_shown(monkeypatch, choices) -> None:
    rules = tokens(SAME)
    if not choices:
        monkeypatch.setattr("ggp.analysis.certificate.turns_are_shown", lambda _: False)
    data = rules.analyse().certificate()
    found = {claim["property"] for claim in data["claims"]}
    about = {"turns", "form", "impartial", "all_small", "passes"}
    assert bool(found & about) == choices
    assert "playable" in found
    assert (data["turns"] is not None) == choices
    assert data["sheet"] == {
        "name": rules.name,
        "syntax": rules.rules.source.syntax,
        "strict_case": rules.rules.symbols.strict_case,
        "sha256": rules.rules.digest,
    }
    assert data["rules"] == rules.rules.source.text


def test_what_proofs_assume_is_listed() -> None:
    one = SimpleNamespace(weights=((0, 2), (2, -1)), value=3, most=5)
    own = SimpleNamespace(
        assumed=[SimpleNamespace(fluents=(0, 2), exact=True)],
        assumed_sums=[one],
        assumed_excluded=[frozenset([1, 3]), frozenset([-3, 2, -1]), frozenset([-2])],
        assumed_bounds=[one],
    )
    rules = ggp.parse("(role p) (legal p go) (<= terminal (true a)) (goal p 0) (next a)")
    stand_in = SimpleNamespace(
        net=SimpleNamespace(fluents=["a", "b", "c"]), turns=None, name="n", rules=rules.rules
    )
    data = certificate(stand_in, [], own)
    assert data["groups"] == [{"fluents": ["a", "c"], "exact": True}]
    assert data["sums"] == [{"weights": {"a": 2, "c": -1}, "value": 3}]
    assert data["bounds"] == [{"weights": {"a": 2, "c": -1}, "most": 5}]
    assert data["excluded"] == [
        {"holds": ["a", "c"], "lacks": []},
        {"holds": ["b"], "lacks": ["a", "c"]},
        {"holds": [], "lacks": ["b"]},
    ]
    assert (data["claims"], data["turns"]) == ([], None)
