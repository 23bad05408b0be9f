"""Sums that never change: each holds in every position, by enumeration; and what they prove."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

import ggp
from ggp.analysis import Positions, proofs
from ggp.analysis.claims import outcome_kind, playable
from ggp.analysis.invariants import linear
from ggp.analysis.invariants.linear import Sum, Sums
from ggp.checker import check_certificate, read_certificate
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from tests.conftest import GAMES, all_sheets, nightly
from tests.oracle.random_games import random_game

FEW = Limits(positions=30_000, seconds=60)


def positions(game: ggp.Game) -> Positions:
    return Positions(game, Budget(FEW))


def hold_everywhere(game: ggp.Game) -> list[Sum]:
    """The sums of a game; every position that can arise has them, whoever is to move."""
    context = positions(game)
    found = list(context.proofs.constant_sums.found)
    try:
        has_sides = game.marker is not None and len(game.roles) == 2 and game.chance is None
        space = context.either if has_sides else context.reachable
    except LimitReached:
        pytest.skip("too many positions to enumerate in a test")
    for place in range(len(space)):
        state = space.state(place)
        for one in found:
            assert sum(w for f, w in one.weights if state >> f & 1) == one.value
    return found


@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_sums_of_every_game_hold_in_every_position(sheet) -> None:
    hold_everywhere(ggp.load(sheet))


@pytest.mark.parametrize("seed", [*range(20), *nightly(range(20, 60))])
def test_sums_of_random_games_hold_in_every_position(seed) -> None:
    hold_everywhere(ggp.parse(random_game(seed)))


@pytest.mark.parametrize("seed", [*range(8), *nightly(range(8, 200))])
def test_sums_hold_where_each_pass_has_a_solver_of_its_own(seed, monkeypatch) -> None:
    monkeypatch.setattr(linear, "GROWN", 1.01)
    monkeypatch.setattr(linear, "BATCH", 2)
    hold_everywhere(ggp.parse(random_game(seed)))


def by_tables_alone(monkeypatch) -> None:
    """Let sums be found by tables, whatever the number of moves, and not by a solver."""
    monkeypatch.setattr(proofs, "MANY_OPTIONS", 0)
    monkeypatch.setattr(proofs, "find_sums", lambda *_: Sums((), ()))


@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_sums_by_tables_hold_in_every_position(sheet, monkeypatch) -> None:
    by_tables_alone(monkeypatch)
    hold_everywhere(ggp.load(sheet))


@pytest.mark.parametrize("seed", [*range(8), *nightly(range(8, 60))])
def test_sums_of_random_games_by_tables_hold_in_every_position(seed, monkeypatch) -> None:
    by_tables_alone(monkeypatch)
    hold_everywhere(ggp.parse(random_game(seed)))


CAPTURES = """
(role x) (role o) (init (control x)) (init (taken x 0)) (init (taken o 0))
(init (at 1 x)) (init (at 2 x)) (init (at 4 o)) (init (at 5 o))
(near 1 2) (near 2 1) (near 2 3) (near 3 2) (near 3 4) (near 4 3)
(near 4 5) (near 5 4) (more 0 1) (more 1 2) (more 2 3)
(other x o) (other o x)
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p (go ?a ?b)) (true (control ?p)) (true (at ?a ?p)) (near ?a ?b)
    (not (true (at ?b ?p))))
(<= (legal ?p stay) (true (control ?p)))
(<= (next (control ?o)) (true (control ?p)) (other ?p ?o))
(<= (next (at ?b ?p)) (does ?p (go ?a ?b)))
(<= (next (at ?c ?p)) (true (at ?c ?p)) (not (left ?c)))
(<= (left ?a) (does ?p (go ?a ?b))) (<= (left ?b) (does ?p (go ?a ?b)))
(<= (captures ?p) (does ?p (go ?a ?b)) (other ?p ?o) (true (at ?b ?o)))
(<= (next (taken ?p ?m)) (true (taken ?p ?n)) (more ?n ?m) (captures ?p))
(<= (next (taken ?p ?n)) (true (taken ?p ?n)) (not (captures ?p)))
(<= (has ?p) (true (at ?c ?p)))
(<= terminal (role ?p) (not (has ?p)))
(<= (goal ?p 100) (true (taken ?p 2))) (<= (goal ?p 0) (role ?p) (not (true (taken ?p 2))))
"""


def test_captures_and_pieces_are_always_two(monkeypatch) -> None:
    """Also by tables: that two captures are not followed by a third, which the chain of numbers
    would allow, is told by the sum itself."""
    by_tables_alone(monkeypatch)
    game = ggp.parse(CAPTURES)
    shown = [
        {str(game.net.fluents[f]): w for f, w in one.weights} | {"value": one.value}
        for one in hold_everywhere(game)
    ]
    for role, other in (("x", "o"), ("o", "x")):
        pieces = {f"(at {c} {other})": 1 for c in range(1, 6)}
        [own] = [one for one in shown if f"(at 1 {other})" in one]
        assert {f: w for f, w in own.items() if f.startswith("(at")} == pieces
        by_count = [own.get(f"(taken {role} {n})", 0) for n in range(3)]
        assert by_count[1] - by_count[0] == by_count[2] - by_count[1] == 1


def collecting(tokens: int, counted: int, role: str = "walker") -> str:
    """A role takes tokens one by one; a counter, whose chain ends at `counted`, says how many."""
    names = [f"t{i}" for i in range(tokens)]
    return "\n".join([
        f"(role {role}) (init (taken 0))",
        *(f"(init (token {name}))" for name in names),
        *(f"(next-number {a} {b})" for a, b in pairwise(range(counted + 1))),
        f"(<= (legal {role} (take ?t)) (true (token ?t)))",
        f"(<= (next (token ?t)) (true (token ?t)) (not (does {role} (take ?t))))",
        f"(<= (next (taken ?n)) (true (taken ?m)) (does {role} (take ?t)) (next-number ?m ?n))",
        "(<= left (true (token ?t)))",
        "(<= terminal (not left))",
        f"(<= (goal {role} ?g) (true (taken ?n)) (worth ?n ?g))",
        *(f"(worth {n} {100 if n == tokens else 0})" for n in range(counted + 1)),
    ])  # fmt: skip


@pytest.fixture
def without_bounds(monkeypatch) -> None:
    """No proofs by sums that never rise, which are tried first where there are no boards."""
    monkeypatch.setattr("ggp.analysis.proofs.BOUNDS", 0.0)
    monkeypatch.setattr("ggp.analysis.proofs.MORE_BOUNDS", 0.0)


@pytest.mark.usefixtures("without_bounds")
def test_a_counter_is_right_because_it_agrees_with_the_board() -> None:
    """That there is a goal at the end, and which, follows from `tokens + taken = 8` alone."""
    game = ggp.parse(collecting(8, 8))
    proofs = positions(game).proofs
    found, kind = playable.prove(proofs, cheap=False), outcome_kind.prove(proofs, cheap=False)
    assert found
    assert (found.value, found.certainty) == (True, "proved")
    assert kind
    assert (kind.value, kind.certainty) == ("win-lose", "proved")
    names = game.net.fluents
    sums = [{str(names[f]): w for f, w in one.weights} for one in proofs.assumed_sums]
    tokens = {f"(token t{i})": 1 for i in range(8)}
    assert len(sums) == 2
    # With what the counter counts, and perhaps a multiple of "there is one number".
    [both] = [weights for weights in sums if weights.items() >= tokens.items()]
    offset = both.get("(taken 0)", 0)
    assert {both.get(f"(taken {n})", 0) - n for n in range(9)} == {offset}


def test_a_counter_that_ends_too_early_proves_nothing() -> None:
    """After the seventh token there is no number: then there is no goal at the end."""
    game = ggp.parse(collecting(8, 6))
    hold_everywhere(game)
    assert playable.prove(positions(game).proofs, cheap=False) is None
    assert game.analyse()["playable"].value is False


def test_what_random_play_does_not_meet_is_found_by_the_solver() -> None:
    """A chain of 300 steps, at each of which half of all moves lose; random play sees a few."""
    steps = 300
    sheet = "\n".join([
        "(role walker) (init (at 0)) (init (lamp off)) (init (left-of lamp))",
        *(f"(succ {a} {b})" for a, b in pairwise(range(steps + 1))),
        "(legal walker go) (legal walker fall)",
        "(<= (next (at ?n)) (does walker go) (true (at ?m)) (succ ?m ?n))",
        f"(<= (next (lamp on)) (does walker go) (true (at {steps - 1})))",
        f"(<= (next (lamp off)) (true (lamp off)) (not (true (at {steps - 1}))))",
        "(<= (next (left-of lamp)) (true (left-of lamp)))",
        "(<= (next fallen) (does walker fall))",
        "(<= terminal (true fallen))",
        f"(<= terminal (true (at {steps})))",
        "(goal walker 0)",
    ])  # fmt: skip
    game = ggp.parse(sheet)
    index = {str(f): i for i, f in enumerate(game.net.fluents)}
    found = positions(game).proofs.constant_sums.found
    lamps = {index["(lamp on)"], index["(lamp off)"]}
    told = [dict(one.weights) for one in found if not lamps.isdisjoint(f for f, _ in one.weights)]
    assert told == [{index["(lamp on)"]: 1, index[f"(at {steps})"]: -1}] or told == [
        {index["(lamp on)"]: -1, index[f"(at {steps})"]: 1}
    ]


def claims(data: object) -> dict[str, bool]:
    read = read_certificate(json.dumps(data))
    return {claim.property: claim.holds for claim in check_certificate(read, 60)}


@pytest.mark.usefixtures("without_bounds")
def test_sums_are_checked() -> None:
    """True ones hold; one that moves change, that is another one at the start, or is about whose
    turn it is, spoils all claims."""
    data = ggp.parse(collecting(8, 8)).analyse().certificate()
    assert data["sums"]
    assert claims(data)["playable"]
    for spoilt in (
        {"weights": {"(token t0)": 1}, "value": 1},
        {"weights": data["sums"][-1]["weights"], "value": data["sums"][-1]["value"] + 1},
    ):
        assert not claims({**data, "sums": [*data["sums"], spoilt]})["playable"]
    without = claims({**data, "sums": []})
    assert not without["playable"]
    assert without["cyclic"]


def test_sums_of_the_marker_are_refused() -> None:
    """They may hold in play, and not where the turn is given away."""
    data = ggp.load(GAMES / "kayles/kayles-7.kif").analyse().certificate()
    turns = {mark: 1 for setting in data["turns"]["settings"] for mark in setting["holds"]}
    assert all(claims(data).values())
    spoilt = claims({**data, "sums": [{"weights": turns, "value": 1}]})
    assert not spoilt["playable"]
    assert not spoilt["impartial"]


WAITING = """
(role left) (role right) (init (control left)) (init (lamp off)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (other left right) (other right left)
(turned off on) (turned on off)
(<= (legal ?r go) (true (control ?r)))
(<= (legal ?r turn) (true (control ?r)))
(<= (next (control ?r)) (true (control ?s)) (other ?s ?r))
(<= (next (lamp ?x)) (does ?r turn) (true (lamp ?y)) (turned ?y ?x))
(<= (next (lamp ?x)) (does ?r go) (true (lamp ?x)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4)))
(goal left 100) (goal right 0)
"""
"""Who waits has no legal move, so that play is stuck and there are no boards."""


def test_no_sum_is_about_the_marker_even_if_there_are_no_boards() -> None:
    """That it is somebody's turn at even steps is true in play alone (the checker refuses it)."""
    game = ggp.parse(WAITING)
    proofs = positions(game).proofs
    assert proofs.boards is None
    assert game.marker
    marks = {f for f in range(len(game.net.fluents)) if game.marker.mask >> f & 1}
    assert all(marks.isdisjoint(f for f, _ in one.weights) for one in proofs.constant_sums.found)
    data = game.analyse().certificate()
    names = [str(f) for f in game.net.fluents]
    data["sums"] = [
        {"weights": {names[f]: w for f, w in one.weights}, "value": one.value}
        for one in proofs.constant_sums.found
    ]
    assert all(claims(data).values())


@pytest.mark.parametrize(
    "junk",
    [
        {"weights": {"(token t0)": 1 << 40}, "value": 1},
        {"weights": {"(token t0)": 1}, "value": 1 << 80},
        {"weights": {"(token t0)": True}, "value": 1},
        {"weights": {"(token t99)": 1}, "value": 1},
        {"weights": [], "value": 1},
        {"value": 1},
        [],
    ],
    ids=str,
)
def test_junk_in_sums_is_refused(junk) -> None:
    data = ggp.parse(collecting(3, 3)).analyse().certificate()
    with pytest.raises(ggp.GgpError):
        claims({**data, "sums": [junk]})


def lock(keys: int) -> tuple[str, list[str]]:
    """A lock that opens after so many right keys in a row, one after the other; who then goes on
    and gives up has no goal. And the keys."""
    code = [f"k{(i * i + i) // 2 % 2}" for i in range(keys)]
    opens = " ".join(f"(opens {i} {key} {i + 1})" for i, key in enumerate(code))
    text = f"""
    (role w) (init (lock 0)) (key k0) (key k1) {opens}
    (<= (legal w (press ?k)) (key ?k))
    (<= (legal w quit) (role w))
    (<= good (true (lock ?n)) (does w (press ?k)) (opens ?n ?k ?m))
    (<= (next (lock ?m)) (true (lock ?n)) (does w (press ?k)) (opens ?n ?k ?m))
    (<= (next (lock 0)) (not good) (not (true (lock {keys}))))
    (<= (next (lock {keys})) (true (lock {keys})))
    (<= (next over) (does w quit))
    (<= terminal (true over))
    (<= (goal w 100) (not (true bad)))
    (<= (next bad) (true (lock {keys})))
    (<= (next bad) (true bad))
    """
    return text, code


@pytest.mark.parametrize("keys", [6, 10, 16])
def test_no_proof_goes_from_one_solver_to_the_next(keys, monkeypatch) -> None:
    """That the lock never opens was once proved by atoms of a solver that was let go of."""
    monkeypatch.setattr("ggp.analysis.positions.MANY", 0)
    monkeypatch.setattr("ggp.analysis.positions.FEW", 0)
    text, code = lock(keys)
    game = ggp.parse(text)
    state = game.initial
    for key in [*code, code[0]]:
        state = state.play(f"(press {key})")
    context = Positions(game, Budget(Limits(positions=5, seconds=60)))
    for one in context.proofs.constant_sums.found:
        assert sum(w for f, w in one.weights if state.bits >> f & 1) == one.value
    assert game.analyse(positions=5, only="playable").value("playable") is not True
