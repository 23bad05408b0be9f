"""Search without a net: what it proves is what best play leads to, and it keeps what it knows."""

from __future__ import annotations

import math
import random
import time
from contextlib import suppress
from functools import cache

import numpy as np
import pytest

import ggp
from ggp.errors import LimitReached
from ggp.game import Game, State
from ggp.play.insights import of_states
from ggp.play.playouts import played
from ggp.play.search import by_states
from ggp.play.search.by_states import StateSearch
from ggp.play.search.reports import provided
from ggp.play.search.search import TreeSearch
from ggp.play.search_player import SearchPlayer
from tests.conftest import GAMES
from tests.deduce.test_prover import MANY as MANY_MOVES

TIC_TAC_TOE = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"


@pytest.fixture(scope="module")
def game() -> Game:
    """Tic-tac-toe without a net."""
    found = Game(ggp.load(TIC_TAC_TOE).rules, grounded=False)
    assert not found.is_ground
    return found


def idle() -> None:
    """Nothing to heed."""


def search_of(game: Game, role: str, seed: int = 1) -> StateSearch:
    return StateSearch(game, game.role_index(role), np.random.default_rng(seed))


def run(search: StateSearch, descents: int) -> None:
    """So many descents, or until all is known."""
    count = 0

    def heed() -> None:
        nonlocal count
        count += 1
        if count == descents:
            raise LimitReached("descents", descents)

    with suppress(LimitReached):
        search.run(math.inf, heed)


def after(game: Game, moves: int, seed: int) -> State:
    """A state after so many random moves, not over."""
    rng = random.Random(seed)
    while True:
        state = game.initial
        for _ in range(moves):
            if not state.terminal:
                state = state.after([rng.choice(own) for own in state.legal_indices()])
        if not state.terminal:
            return state


@cache
def best_goals(state: State) -> tuple[int, int]:
    """What both get by best play, by looking at everything."""
    roles = state.game.roles
    if state.terminal:
        return state.goals[roles[0]], state.goals[roles[1]]
    mover = to_move(state)
    found = [best_goals(state.play(move)) for move in state.legal(roles[mover])]
    return max(found, key=lambda goals: goals[mover])


def to_move(state: State) -> int:
    """The number of the role whose turn it is."""
    return state.game.roles.index(
        next(role for role in state.game.roles if f"(control {role})" in str(state))
    )


@pytest.mark.parametrize("seed", range(4))
def test_who_only_waits_is_told_what_is_sure_as_well(game, seed) -> None:
    state = after(game, 6, seed)
    other = 1 - to_move(state)
    search = search_of(game, game.roles[other], seed)
    search.start(state)
    run(search, 20_000)
    assert search.is_settled
    assert search.best() == (state.legal_indices()[other][0], best_goals(state)[other])


@pytest.mark.parametrize(
    "bounds",
    [(by_states.MANY, by_states.TOO_MANY), (0, 1 << 30), (0, 0)],
    ids=["small", "large", "too-large"],
)
@pytest.mark.parametrize("seed", range(8))
def test_endgames_are_settled_by_a_move_that_keeps_what_best_play_gives(
    game, seed, bounds, monkeypatch
) -> None:
    """Of large rules (here: of all) with some legal moves at first, and more by and by; these are
    looked for one by one, or all are known."""
    monkeypatch.setattr(by_states, "MANY", bounds[0])
    monkeypatch.setattr(by_states, "TOO_MANY", bounds[1])
    state = after(game, 5, seed)
    own = to_move(state)
    search = search_of(game, game.roles[own], seed)
    search.start(state)
    run(search, 20_000)
    assert search.is_settled
    number, value = search.best()
    assert value == best_goals(state)[own]
    assert best_goals(state.play(game.evaluator.move(own, number)))[own] == value


def test_a_play_without_an_end_in_time_counts_as_even(game) -> None:
    """Tic-tac-toe lasts five moves at the least and nine at the most."""
    rng = np.random.default_rng(1)
    assert all(played(game.initial, rng, math.inf, 4) == (0.5, 0.5) for _ in range(20))
    assert played(game.initial, rng, time.monotonic() - 1, 9) == (0.5, 0.5)
    for lazy in (False, True):
        ends = {played(game.initial, rng, math.inf, 9, lazy=lazy) for _ in range(60)}
        assert {(1.0, 0.0), (0.0, 1.0)} <= ends <= {(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)}


@pytest.mark.parametrize("too_many", [0, 1 << 30])
def test_of_large_rules_few_moves_are_tried_at_first(too_many, monkeypatch) -> None:
    """Not each of a thousand once: some of them, and these again; nor are all looked for where
    that takes long."""
    monkeypatch.setattr(by_states, "MANY", 0)
    monkeypatch.setattr(by_states, "TOO_MANY", too_many)
    rules = MANY_MOVES.replace("(n ?d) (n ?e) (n ?f)", "").replace("?d ?e ?f)", "0 0 0)")
    search = search_of(Game(ggp.parse(rules).rules, grounded=False), "p")
    search.start(search.game.initial)
    run(search, 100)
    tried = search.tried()
    assert len(search.game.initial.legal("p")) == 1000
    assert 10 <= len(tried) <= 1 + 2 * 100**0.5
    assert search.visits == 100
    own = [child for child in search._root.children.values() if child.legal[0]]
    assert own
    assert all((len(child.legal[0]) < 1000) == (too_many == 0) for child in own)


def test_what_was_found_is_kept_from_move_to_move(game) -> None:
    search = search_of(game, "xplayer")
    search.start(game.initial)
    run(search, 300)
    assert search.visits == 300
    number, _ = search.best()
    state = game.initial.play(game.evaluator.move(0, number))
    search.start(state)
    kept = search.visits
    assert 300 / 9 < kept < 300
    run(search, 10)
    assert search.visits == kept + 10
    search.start(after(game, 4, 3))
    assert search.visits == 0


def test_the_same_seed_finds_the_same(game) -> None:
    found = []
    for _ in range(2):
        search = search_of(game, "xplayer", 7)
        search.start(game.initial)
        run(search, 200)
        found.append(search.best())
    assert found[0] == found[1]


def test_no_more_positions_are_kept_than_are_to_be(game, monkeypatch) -> None:
    monkeypatch.setattr(by_states, "MOST_NODES", 20)
    search = search_of(game, "xplayer")
    search.start(game.initial)
    run(search, 200)
    assert search.visits == 200
    assert by_states._size(search._root) == 20


def test_before_any_descent_it_is_the_first_legal_move(game) -> None:
    search = search_of(game, "xplayer")
    search.start(game.initial)
    search.run(time.monotonic() - 1, idle)
    assert search.best() == (game.initial.legal_indices()[0][0], 50)


TOGETHER = """(role p) (role q) (role random) (init (round 0))
(legal p high) (legal p low) (legal q high) (legal q low) (legal random heads) (legal random tails)
(<= (next (round 1)) (true (round 0))) (<= (next (met ?x)) (does p ?x) (does q ?x))
(<= (next lucky) (does random heads)) (<= terminal (true (round 1)))
(<= (goal p 100) (true (met low))) (<= (goal p 50) (true (met high)) (true lucky))
(<= (goal p 0) (true (met high)) (not (true lucky)))
(<= unmet (not (true (met low))) (not (true (met high)))) (<= (goal p 0) unmet)
(<= (goal q 100) (true (met low))) (<= (goal q 0) (not (true (met low))))"""


def test_roles_that_move_at_once_and_chance() -> None:
    """Both want to meet low; nothing is called sure where several choose at once."""
    game = Game(ggp.parse(TOGETHER).rules, grounded=False)
    search = search_of(game, "p")
    search.start(game.initial)
    run(search, 500)
    number, value = search.best()
    assert (str(game.evaluator.move(0, number)), search.is_settled) == ("low", False)
    assert value > 60


def test_where_a_role_cannot_move_nothing_is_hoped_for() -> None:
    game = Game(
        ggp.parse(
            """(role p) (role q) (init a) (legal p go) (legal p stay) (<= (legal q go) (true b))
            (<= (next a) (true a)) (<= terminal (true b)) (goal p 1) (goal q 1)"""
        ).rules,
        grounded=False,
    )
    search = search_of(game, "p")
    search.start(game.initial)
    run(search, 5)
    assert search.is_settled
    assert search.best()[0] == game.initial.legal_indices()[0][0]


def test_the_player_wins_where_it_can_without_a_net(game) -> None:
    """A move that wins at once is found, and told to be final."""
    moves = ("1 1", "2 1", "1 2", "2 2")
    state = game.initial
    for move in moves:
        state = state.play(ggp.kif.read_term(f"(mark {move})"))
    player = SearchPlayer(game, "xplayer", seed=1)
    assert player.prepare(0.2) is False
    *_, last = player.suggestions(state, 20)
    assert (str(last.move), last.final) == ("(mark 1 3)", True)
    told = player.insight(state)
    assert (told.value, told.why) == (100, "searched to the end")
    assert dict(told.moves)["(mark 1 3)"] == 100
    assert player.insight(game.initial).moves == ()


def hits() -> Game:
    """Both choose at once one of three, and the second does not care: a third of 100 is due."""
    choices = " ".join(f"(legal p {m}) (<= (next ({m})) (does p {m}))" for m in "abc")
    return Game(
        ggp.parse(
            f"""(role p) (role q) (init s) {choices} (legal q x) (legal q y) (legal q z)
            (<= (next hit) (does p ?m) (hits ?m ?n) (does q ?n)) (<= terminal (not (true s)))
            (hits a x) (hits b y) (hits c z) (goal q 50)
            (<= (goal p 100) (true hit)) (<= (goal p 0) (not (true hit)))"""
        ).rules,
        grounded=False,
    )


def test_figures_of_a_search_without_a_net_are_told_to_one_place() -> None:
    """Averages of goals that are thirds of 100, say, as those of the search on a net are told."""
    search = search_of(hits(), "p")
    search.start(search.game.initial)
    run(search, 37)
    exact = [value for _, value in search.tried()]
    assert any(round(value, 1) != value for value in exact), exact
    told = of_states(search, 0)
    assert told.value == round(search.best()[1], 1)
    assert [value for _, value in told.moves] == [round(value, 1) for value in exact]


def test_roles_that_move_at_once_do_not_try_the_same_pairs_again_and_again() -> None:
    """The first of equal moves for both would be a with x, b with y, c with z: all of them hits."""
    search = search_of(hits(), "p")
    search.start(search.game.initial)
    run(search, 600)
    assert search.best()[1] == pytest.approx(100 / 3, abs=5)
    on_a_net = TreeSearch(Game(search.game.rules), 0, seed=1)
    on_a_net.start(on_a_net.game.initial)
    on_a_net.run(descents=40)
    best = on_a_net.best()
    assert best is not None
    assert best.value < 60


RISK = """
(role a) (role b) (init (at s))
(edge s a safe e90) (edge s a risk t) (edge t b good e100) (edge t b evil e0)
(idle s b) (idle t a) (end e90) (end e100) (end e0)
(<= (legal ?r ?m) (true (at ?n)) (edge ?n ?r ?m ?k))
(<= (legal ?r noop) (true (at ?n)) (idle ?n ?r))
(<= terminal (true (at ?n)) (end ?n))
(<= (next (at ?k)) (true (at ?n)) (does ?r ?m) (edge ?n ?r ?m ?k))
(<= (goal a 90) (true (at e90))) (<= (goal a 100) (true (at e100)))
(<= (goal a 0) (true (at e0))) (<= (goal b 50) (true (at ?x)))
"""


@pytest.mark.parametrize("many", [by_states.MANY, 0])
@pytest.mark.parametrize("seed", range(6))
def test_what_another_player_may_make_of_a_tie_is_not_sure(seed, many, monkeypatch) -> None:
    """b gets 50 either way; the first of its moves that was tried was taken for sure."""
    monkeypatch.setattr(by_states, "MANY", many)
    monkeypatch.setattr(by_states, "TOO_MANY", many)
    search = search_of(Game(ggp.parse(RISK).rules, grounded=False), "a", seed)
    search.start(search.game.initial)
    run(search, 300)
    assert not search.is_settled
    assert not search.is_by_belief


def test_a_move_that_gives_all_is_the_end_of_a_position_by_belief(game) -> None:
    """Who wins has no look at other moves; it was not said that the loser is then told by belief.

    The winner is sure of what he gets without that.
    """
    states = [after(game, 5, seed) for seed in range(30)]
    state = next(s for s in states if len(wins(s)) == 1 and len(s.legal_indices()[to_move(s)]) > 1)
    for role, by_belief in ((1 - to_move(state), True), (to_move(state), False)):
        search = search_of(game, game.roles[role], 1)
        search.start(state)
        run(search, 20_000)
        assert search.is_settled
        assert search.is_by_belief is by_belief
        told = ", if what one player gains the other loses" * by_belief
        assert of_states(search, role).why == f"searched to the end{told}"


def wins(state: State) -> list[State]:
    """The ends after which who moves has won."""
    mover = to_move(state)
    after_each = [state.play(move) for move in state.legal(state.game.roles[mover])]
    return [s for s in after_each if s.terminal and s.goals[state.game.roles[mover]] == 100]


def test_all_that_a_claim_rests_on_is_said() -> None:
    """Faults of the rules hid that a bound was taken from one player to the other."""
    assert provided(by_belief=False, gaps=False) == ""
    assert provided(by_belief=True, gaps=True) == (
        ", if what the rules leave open counts as even and what one player gains the other loses"
    )


@pytest.mark.parametrize("many", [by_states.MANY, 0])
def test_chance_draws_from_all_that_it_has(many, monkeypatch) -> None:
    """Of large rules, too, of which a few moves are looked for at first."""
    monkeypatch.setattr(by_states, "MANY", many)
    monkeypatch.setattr(by_states, "TOO_MANY", many)
    faces = " ".join(f"(face {n})" for n in range(6))
    rules = f"""
    (role p) (role random) {faces} (init s) (legal p noop)
    (<= (legal random ?n) (true s) (face ?n)) (<= (legal random noop) (true (at ?n)))
    (<= (next (at ?n)) (does random ?n) (face ?n)) (<= terminal (true (at ?n)))
    (<= (goal p 100) (true (at 0))) (<= (goal p 0) (not (true (at 0))))
    """
    search = search_of(Game(ggp.parse(rules).rules, grounded=False), "p", 3)
    search.start(search.game.initial)
    run(search, 1200)
    assert search.best()[1] == pytest.approx(100 / 6, abs=4)


def test_where_play_is_over_a_legal_move_is_still_told() -> None:
    rules = "(role p) (init s) (legal p a) (legal p b) (<= terminal (true s)) (goal p 40)"
    search = search_of(Game(ggp.parse(rules).rules, grounded=False), "p")
    search.start(search.game.initial)
    assert search.best()[1] == 40
    assert search.is_settled


@pytest.mark.parametrize("many", [by_states.MANY, 0])
@pytest.mark.parametrize("fault", ["no move", "no goal"])
def test_what_is_sure_of_faults_of_the_rules_says_so(fault, many, monkeypatch) -> None:
    """A way to a position without a legal move, or to an end without a goal, counts as even."""
    monkeypatch.setattr(by_states, "MANY", many)
    monkeypatch.setattr(by_states, "TOO_MANY", many)
    last = "(<= terminal (true t))" if fault == "no goal" else ""
    rules = f"""
    (role p) (init s) (<= (legal p a) (true s)) (<= (legal p b) (true s))
    (<= (next t) (does p a)) (<= (next u) (does p b)) (<= terminal (true u)) {last}
    (<= (goal p 30) (true u))
    """
    search = search_of(Game(ggp.parse(rules).rules, grounded=False), "p")
    search.start(search.game.initial)
    run(search, 100)
    assert search.is_settled
    assert search.best() == (search.game.evaluator.number(0, search.game.term("a")), 50)
    why = "searched to the end, if what the rules leave open counts as even"
    assert of_states(search, 0).why == why


def test_what_was_taken_for_sure_elsewhere_is_no_condition_of_what_is_found_here(game) -> None:
    search = StateSearch(game, 0, np.random.default_rng(1))
    search.start(game.initial)
    search.is_by_belief = search.has_gaps = True
    state = game.initial
    for move in ("1 1", "2 1", "1 2", "2 2"):
        state = state.play(ggp.kif.read_term(f"(mark {move})"))
    search.start(state)
    assert not search.is_by_belief
    assert not search.has_gaps
