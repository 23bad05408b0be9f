"""Strategies as rules: a rule for each position that is worth the promise, and each is right."""

from __future__ import annotations

import json

import pytest

import ggp
from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.solver import GameSolution
from ggp.solver import controller as module
from ggp.solver.controller import controller
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game


def check(game: ggp.Game, player: str, *, misere: bool = False) -> module.Controller:
    """In every position of legal play in which the promise can be kept one rule holds, and each
    that does makes a move after which it can still be kept; in Python and as JSON the same."""
    found = controller(game, player, misere=misere)
    space = game.space()
    solution = GameSolution(game, space, misere=misere)
    tree = solution.tree()
    assert found.verified

    def keeps(state: ggp.State) -> bool:
        goal, endless = solution.secured(state, player)
        if found.promise is None:
            return goal is None
        return (endless and goal is None) or (
            goal is not None and goal >= found.promise and (found.may_be_endless or not endless)
        )

    scope: dict[str, object] = {}
    exec(found.python(), scope)
    by_python = scope["move"]
    data = json.loads(json.dumps(found.as_json()))
    count = 0
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        if state.terminal or not keeps(state):
            continue
        is_open = any(len(moves) > 1 for moves in state.legal_indices())
        is_theirs = tree.mover(state) == player or not (is_open or game.turns)
        if not is_theirs:
            continue
        count += 1
        facts = frozenset(map(str, state.facts))
        after = dict(tree.moves(state))
        if not is_open:
            after = dict.fromkeys(state.legal(player), *after.values())
        held = [r for r in found.rules if all(c.holds(facts) for c in r.conditions)]
        assert held
        assert all(keeps(after[rule.move]) for rule in held)
        assert found.move(state) == held[0].move
        assert by_python(set(facts)) == by_python(state.facts) == str(held[0].move)
        told = next(
            rule["move"]
            for rule in data["rules"]
            if all(
                any(f in facts for f in c["one_of"])
                or (c["or_none_of"] is not None and not any(f in facts for f in c["or_none_of"]))
                for c in rule["when"]
            )
        )
        assert told == str(held[0].move)
    assert count == found.positions
    return found


@pytest.mark.parametrize(
    ("sheet", "settings", "player"),
    [
        ("nim/rows.kif.jinja", {"rows": 3}, "left"),
        ("nim/rows.kif.jinja", {"rows": 3}, "right"),
        ("tic-tac-toe/tic-tac-toe.kif", {}, "oplayer"),
        ("kayles/kayles-7.kif", {}, "left"),
        ("bisimulation/chain-and-fork.kif", {}, None),
        ("connect-four/connect-four.kif.jinja", {"columns": 3, "rows": 3, "line": 3}, "red"),
        ("puzzles/lights-out-3x3.kif", {}, None),
    ],
)
def test_games_of_the_library(sheet, settings, player) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    check(game, player or game.roles[0])


def test_a_word_of_the_rules_is_no_name_of_a_controller() -> None:
    """Put beside the sheet, its rules would be told as facts of the sheet's own."""
    sheet = """
    (role a) (role b) (init (left 3)) (init (control a)) (plays a well)
    (less 3 2) (less 2 1) (less 1 0)
    (<= (legal ?p take) (true (control ?p))) (<= (legal ?p (take two)) (true (control ?p)) (many))
    (<= (many) (true (left ?n)) (less ?n ?m) (less ?m ?k))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (left ?m)) (true (left ?n)) (less ?n ?m) (does ?p take))
    (<= (next (left ?k)) (true (left ?n)) (less ?n ?m) (less ?m ?k) (does ?p (take two)))
    (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
    (<= terminal (true (left 0)))
    (<= (goal ?p 0) (true (control ?p)) (plays a ?how))
    (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
    """
    kif = check(ggp.parse(sheet), "b").rules_text()
    assert "(plays_ b " in kif
    assert "(plays " not in kif


def test_two_heaps_by_multiples_in_words() -> None:
    """The rows of 1 and 3: take the one counter that makes them equal, or all that is left."""
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2)
    found = check(game, "left")
    assert len(found.rules) == 3
    assert "(take 1 1) when (row 2 ?) = 0" in found.text()
    kif = found.rules_text()
    assert "(<= (plays left (take 1 1)) (true (row 2 0)))" in kif
    assert ggp.kif.read_terms(kif, "rules")


def test_misere_play() -> None:
    check(ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=3), "left", misere=True)


@pytest.mark.parametrize("seeds", [range(20), *nightly([range(20, 60)])])
def test_random_games_and_those_that_go_round(seeds) -> None:
    """With interests opposed or not, with ends or without."""
    endless, ended = 0, 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        for player in game.players:
            try:
                found = check(game, player)
            except NotSolvable:  # simultaneous moves
                continue
            endless += found.may_be_endless
            ended += not found.may_be_endless
    assert endless > 1
    assert ended > 6


BY_PLACES = """(role a) (role b) (init (at n0))
(own n0 b) (own n1 b) (own n2 a) (own n3 a) (own n4 a)
(edge n0 n1) (edge n0 n2) (edge n1 n3) (edge n2 n4) (edge n2 n3)
(<= (turn ?r) (true (at ?v)) (own ?v ?r))
(<= (legal ?r (go ?w)) (turn ?r) (true (at ?v)) (edge ?v ?w))
(<= (legal ?r noop) (role ?r) (not (turn ?r)))
(<= (next (at ?w)) (does ?r (go ?w)))
(<= terminal (true (at n3))) (<= terminal (true (at n4)))
(<= (goal b 100) (true (at n3))) (<= (goal a 0) (true (at n3)))
(<= (goal b 0) (not (true (at n3)))) (<= (goal a 100) (not (true (at n3))))"""


def test_where_nobody_has_a_choice_and_nothing_tells_whose_turn_it_is() -> None:
    """A rule was so wide that it named an illegal move there."""
    found = check(ggp.parse(BY_PLACES), "b")
    assert {str(rule.move) for rule in found.rules} == {"(go n1)", "(go n3)"}


STAYS = """(role a) (role b) (init (at n)) (init (turn a))
(<= (legal a go) (true (turn a))) (<= (legal a abide) (true (turn a)))
(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
(<= (legal b x) (true (turn b))) (<= (legal b y) (true (turn b)))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (at n)) (does a abide)) (<= (next (at w)) (does a go))
(<= (next (at ?p)) (true (at ?p)) (true (turn b)))
(<= terminal (true (at w))) (goal a 100) (goal b 0)"""


def test_play_that_could_go_round_is_brought_to_an_end() -> None:
    found = controller(ggp.parse(STAYS), "a")
    assert [str(rule) for rule in found.rules] == ["go when to move"]


def test_fluents_that_are_no_group_and_odd_names() -> None:
    """A fact with quotes in its name stays a text."""
    text = """(role a) (role b) (init (turn a)) (init it's"odd)
    (<= (legal a l) (true (turn a))) (<= (legal a r) (true (turn a)))
    (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
    (<= (legal b l) (true (turn b))) (<= (legal b r) (true (turn b)))
    (<= (next (turn b)) (true (turn a))) (<= (next over) (true (turn b)))
    (<= (next it's"odd) (does a l)) (<= (next kept) (true it's"odd) (does b l))
    (<= terminal (true over)) (<= (goal a 100) (true kept)) (<= (goal a 0) (not (true kept)))
    (<= (goal b 0) (true kept)) (<= (goal b 100) (not (true kept)))"""
    check(ggp.parse(text), "b")


def test_what_cannot_be_had(monkeypatch) -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    with pytest.raises(UnknownName):
        controller(game, "nobody")
    monkeypatch.setattr(module, "MAX_POSITIONS", 100)
    with pytest.raises(LimitReached, match="rules are made for"):
        controller(game, "xplayer")
    kayles = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    count = controller(kayles, "left").positions
    monkeypatch.setattr(module, "MAX_POSITIONS", count)
    assert controller(kayles, "left").positions == count
    monkeypatch.setattr(module, "MAX_POSITIONS", count - 1)
    with pytest.raises(LimitReached, match=f"= {count - 1}"):
        controller(kayles, "left")
    dice = """(role a) (role random) (init s) (legal a x) (legal a y)
    (legal random 1) (legal random 2)
    (<= (next over) (does a ?m)) (<= terminal (true over)) (goal a 100) (goal random 0)"""
    with pytest.raises(NotSolvable, match="chance"):
        controller(ggp.parse(dice), "a")


def test_of_three_roles_what_one_can_be_sure_of() -> None:
    [file] = (GAMES / "three-players").glob("*.kif")
    game = ggp.load(file)
    for player in game.players:
        check(game, player)


def test_one_player_who_comes_to_no_end_has_no_rules() -> None:
    """It was an internal error: no move of theirs is right."""
    text = """(role a) (init f) (legal a on) (<= (next f) (true f)) (<= terminal (not (true f)))
    (<= (goal a 0) (true f)) (<= (goal a 10) (not (true f)))"""
    with pytest.raises(NotSolvable, match="no end of play can be reached"):
        controller(ggp.parse(text), "a")
