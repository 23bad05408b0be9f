"""Proofs for all boards at once, and witnesses of random play, against enumeration."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.boards.boards import Boards, NotApplicable
from ggp.analysis.claims import (
    all_small,
    cyclic,
    form,
    impartial,
    outcome_kind,
    passes,
    playable,
    terminating,
    turns,
    winnable,
    zero_sum,
)
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from ggp.machine import joint_moves
from tests.conftest import GAMES, all_sheets, nightly
from tests.oracle.random_games import random_game

OF_ALL = {
    "cyclic": cyclic,
    "playable": playable,
    "outcome_kind": outcome_kind,
    "zero_sum": zero_sum,
    "winnable": winnable,
    "terminating": terminating,
}
OF_SIDES = {"impartial": impartial, "all_small": all_small, "form": form, "passes": passes}
FEW = Limits(positions=60_000, seconds=60)


def check(game: ggp.Game) -> dict[str, str]:
    """Hold all that is proved or refuted without enumeration against enumeration."""
    context = Positions(game, Budget(FEW))
    has_sides = len(game.roles) == 2 and game.marker is not None and game.chance is None
    found = {}
    for name, claim in (OF_ALL | OF_SIDES if has_sides else OF_ALL).items():
        proved = (claim.prove(context.proofs, cheap) for cheap in (True, False))
        for finding in (*proved, claim.refute(context.samples)):
            if finding is None or (name == "zero_sum" and len(game.players) == 1):
                continue
            try:
                exact = claim.enumerated(context)
            except LimitReached:
                pytest.skip("too many positions to enumerate in a test")
            assert (name, finding.value) == (name, exact.value), finding
            found[name] = finding.certainty
    if len(game.players) > 1:
        exact = turns.enumerated(context)
        shown = turns.refute(context.samples), turns.by_marker(context)
        for finding in (*shown, turns.prove(context.proofs, cheap=False)):
            assert finding is None or finding.value == exact.value, finding
    return found


@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_proofs_and_witnesses_agree_with_enumeration(sheet) -> None:
    check(ggp.load(sheet))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("amazons/amazons", {"board": ["W__", "__B"]}),
        ("turtles/turtles", {"n": 6}),
        ("subtraction/subtraction", {"heaps": [3, 4, 5], "floor": 1}),
    ],
)
def test_proofs_and_witnesses_agree_of_smaller_ones(name, settings) -> None:
    check(ggp.games.load(name, **settings))


@pytest.mark.parametrize("seed", [*range(20), *nightly(range(20, 60))])
def test_on_random_games(seed) -> None:
    check(ggp.parse(random_game(seed)))


@pytest.mark.parametrize("seed", [*range(8), *nightly(range(8, 60))])
def test_on_random_games_with_passes(seed) -> None:
    check(ggp.parse(random_game(seed, "passing")))


LARGE = [
    ("nim/rows.kif.jinja", {"rows": 12}, {"impartial": True, "all_small": True}),
    ("connect-four/connect-four.kif.jinja", {"columns": 7, "rows": 6}, {"all_small": True}),
    ("clobber/clobber.kif.jinja", {"rows": 6, "columns": 6}, {"all_small": True}),
    ("domineering/domineering.kif.jinja", {"rows": 8, "columns": 8}, {}),
]


@pytest.mark.parametrize(("name", "settings", "proved"), LARGE, ids=lambda value: str(value)[:30])
def test_games_that_are_too_large_to_enumerate(name, settings, proved) -> None:
    """Settled without enumeration; what is true of them is known from the same game's theory."""
    game = ggp.load(GAMES / name, **settings)
    findings = game.analyse(positions=1)
    assert (findings["cyclic"].value, findings["cyclic"].certainty) == (False, "proved")
    for property_ in ("impartial", "all_small"):
        value = proved.get(property_, False)
        assert findings[property_].value is value
        assert findings[property_].certainty == ("proved" if value else "refuted")
    assert findings["form"].certainty in ("proved", "refuted")
    for finding in findings:
        if finding.certainty == "refuted":
            for state in finding.evidence.states:
                replay(game, state)


def test_a_marker_that_never_moves_on_is_not_alternating() -> None:
    """The marker of q could come up as far as fluents go one by one, and never does."""
    game = ggp.parse(
        """(role p) (role q) (init (control p)) (init (n 0)) (s 0 1) (s 1 2) (s 2 3)
        (<= (next (control p)) (true (control p))) (<= (next (control q)) (true (control q)))
        (<= (next (control q)) (true (control p)) (not (true (control p))))
        (<= (legal ?r a) (true (control ?r))) (<= (legal ?r b) (true (control ?r)))
        (<= (legal p noop) (true (control q))) (<= (legal q noop) (true (control p)))
        (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= terminal (true (n 3)))
        (<= (goal ?r 50) (role ?r))"""
    )
    findings = game.analyse()
    assert findings["turns"].value == "with extra turns"
    assert findings["cyclic"].value is False


def replay(game: ggp.Game, witness) -> None:
    """The moves of a witness lead to its state."""
    state = game.initial
    for joint in witness.path:
        state = state.play(dict(zip(game.roles, joint, strict=True)))
    assert tuple(map(str, state.facts)) == witness.facts


@pytest.mark.parametrize(
    "name", ["kayles/kayles-7.kif", "subtraction/sg-125.kif", "tic-tac-toe/tic-tac-toe.kif"]
)
def test_options_are_those_of_the_machine(name) -> None:
    """On each board of a random play, for both players: legality, effect, end."""
    game = ggp.load(GAMES / name)
    boards = Boards(game.net, game.marker, 10)
    builder = boards.builder
    for state, _ in game.random_playout(seed=3):
        value = {0: False}
        for fluent, literal in boards.inputs.items():
            value[literal >> 1] = bool(state.bits >> fluent & 1)
        for node in range(1, len(builder)):
            if node not in value:
                a, b = builder.first[node], builder.second[node]
                x, y = value[a >> 1] ^ bool(a & 1), value[b >> 1] ^ bool(b & 1)
                value[node] = (x and y) if a < b else x != y

        def holds(literal: int, value=value) -> bool:
            return value[literal >> 1] != bool(literal & 1)

        for role, side in enumerate(boards.sides):
            place = game.marker.place(game.marker.board(state.bits), role)
            rows = game.machine.rows([place])
            view = game.machine.view(rows)
            assert holds(side.terminal) == view.terminal[0]
            expected = set()
            for lanes, joint in joint_moves(game.machine, view, Budget()):
                after = game.machine.states(game.machine.next(rows, joint, lanes))
                moves = joint[:, role].tolist()
                expected |= {
                    (move, game.marker.board(s)) for move, s in zip(moves, after, strict=True)
                }
            found = {
                (
                    o.move,
                    sum(holds(x) << f for f, x in (boards.inputs | o.after(boards.inputs)).items()),
                )
                for o in side.options
                if holds(o.legal)
            }
            assert found == expected


def test_rules_of_another_shape_are_left_alone() -> None:
    """The player who is not to move has a move that depends on the board."""
    game = ggp.parse(
        """(role p) (role q) (init (control p)) (init a)
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal p go) (true (control p))) (<= (legal p stop) (true (control p)))
        (<= (legal q go) (true (control q))) (<= (legal q stop) (true (control q)))
        (<= (legal q wait) (true (control p)) (true b)) (<= (next b) (does q go))
        (<= (legal q rest) (true (control p)) (not (true b)))
        (<= (legal p wait) (true (control q)))
        (<= (next a) (does p go)) (<= terminal (not (true a))) (goal p 0) (goal q 100)"""
    )
    assert game.marker is not None
    with pytest.raises(NotApplicable):
        Boards(game.net, game.marker, 10)


MIXED = """(role p) (role q) (init (s 1 p)) (init (r x m))
(<= (next (s 1 q)) (true (s 1 p))) (<= (next (s 1 p)) (true (s 1 q)))
(<= (next (s 2 p)) (true (s 1 p))) (<= (next (r x m)) (true (r x m)))
(<= (next (r y m)) (true (r y m))) (<= (next (r y m)) (true (s 1 p)) (true (s 2 p)))
(<= (legal p noop) (true (s 1 q))) (<= (legal q noop) (true (s 1 p)))
(<= (legal p go) (true (s 1 p)) (or (not (true (r x m))) (not (true (r y m)))))
(<= (legal p stop) (true (s 1 p)) (or (not (true (r x m))) (not (true (r y m)))))
(<= (legal q go) (true (s 1 q))) (<= (legal q stop) (true (s 1 q)))
(<= terminal (true over)) (<= (next over) (does q stop)) (goal p 0) (goal q 100)"""


def test_groups_of_legal_play_need_not_hold_when_turns_are_given_away() -> None:
    """In legal play (s 2 p) never holds on p's turn, so that (r x m) and (r y m) exclude each
    other and p can always move. Give p two turns running, and both hold and p cannot."""
    game = ggp.parse(MIXED)
    assert game.marker is not None
    assert {"(r x m)", "(r y m)"} in [
        {str(game.net.fluents[i]) for i in group.fluents} for group in game.groups
    ]
    context = Positions(game, Budget(FEW))
    assert all_small.prove(context.proofs, cheap=False) is None
    assert all_small.enumerated(context).value is False
    # With the groups of legal play it would have been "proved".
    context.proofs.__dict__["groups"] = list(game.groups)
    context.proofs.__dict__.pop("_hard", None)
    assert all_small.prove(context.proofs, cheap=False) is not None


def test_a_pass_is_a_move_that_changes_nothing() -> None:
    text = """(role p) (role q) (init (control p)) (init (n 0)) (s 0 1) (s 1 2) (s 2 3)
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal ?r on) (true (control ?r))) PASS
        (<= (legal p noop) (true (control q))) (<= (legal q noop) (true (control p)))
        (<= (next (n ?y)) (does ?r on) (true (n ?x)) (s ?x ?y))
        (<= (next (n ?x)) (not (does p on)) (not (does q on)) (true (n ?x)))
        (<= terminal (true (n 3))) (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""
    without = ggp.parse(text.replace("PASS", "")).analyse()["passes"]
    assert (without.value, without.certainty) == (False, "proved")
    rule = "(<= (legal ?r rest) (true (control ?r)))"
    game = ggp.parse(text.replace("PASS", rule))
    found = game.analyse()["passes"]
    assert (found.value, found.certainty, found.evidence.move) == (True, "proved", "rest")
    assert passes.refute(Positions(game, Budget(FEW)).samples).value is True
    assert passes.prove(Positions(game, Budget(FEW)).proofs, cheap=False) is None


def test_no_time_no_proof() -> None:
    game = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    findings = game.analyse(time=0)
    assert findings["impartial"].certainty == "unknown"
