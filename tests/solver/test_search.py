"""Search of one position: the values and the best moves of all positions, with any table."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.cli.common import state_from
from ggp.errors import LimitReached, NotSolvable
from ggp.limits import Budget, Limits, memory_in_use
from ggp.solver import GameSolution, SearchSolution, verify
from ggp.solver.folding import Folding
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.methods import solve
from ggp.solver.search import searching
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game
from tests.solver.test_layers import MOVES_OF_B, TURNS


def small() -> Limits:
    """Limits with which tables are small, whatever tests before this one have left in memory."""
    return Limits(memory=memory_in_use() + (512 << 20))


def searched(game: ggp.Game, limits: Limits | None = None, **options) -> SearchSolution:
    return SearchSolution(Positions(game, Budget(limits or small())), **options)


def check(game: ggp.Game, **options) -> None:
    """Of many states the value, who is to move, and the best moves."""
    space = game.space()
    whole = GameSolution(game, space, misere=options.get("misere", False))
    found = searched(game, **options)
    for place in range(0, len(space), 1 + len(space) // 60):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "mover", "best", "outcome"):
            assert getattr(found, ask)(state) == getattr(whole, ask)(state), (str(state), ask)


@pytest.mark.parametrize("proof_numbers", [False, True])
@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}),
        ("connect-four/connect-four.kif.jinja", {"columns": 4, "rows": 3, "line": 3}),
        ("clobber/clobber.kif.jinja", {"rows": 3, "columns": 3}),
        ("nim/rows.kif.jinja", {"rows": 4}),
        ("colouring/colouring.kif.jinja", {"n": 4}),
        ("domineering/domineering-3x4.kif", {}),
    ],
)
def test_games_of_the_library(sheet, settings, proof_numbers) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    check(game, proof_numbers=proof_numbers, folding=Folding.of(game))


@pytest.mark.parametrize("proof_numbers", [True, *nightly([False])])
@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("connect-four/connect-four.kif.jinja", {"columns": 4, "rows": 3, "line": 3}),
        ("breakthrough/breakthrough.kif.jinja", {"rows": 4, "columns": 2}),
        pytest.param(
            "breakthrough/breakthrough.kif.jinja", {"rows": 5, "columns": 2}, marks=pytest.mark.slow
        ),
    ],
)
def test_who_wins_by_the_next_move_is_no_position_to_be_looked_at(
    monkeypatch, sheet, settings, proof_numbers
) -> None:
    """The same answers of fewer positions."""
    game = ggp.load(GAMES / sheet, **settings)
    check(game, proof_numbers=proof_numbers)
    few = searched(game, proof_numbers=proof_numbers).positions
    monkeypatch.setattr(searching, "MOST_OF_WINS", 0)
    assert few < searched(game, proof_numbers=proof_numbers).positions


@pytest.mark.parametrize("proof_numbers", [False, True])
def test_who_wins_has_what_the_other_leaves(proof_numbers) -> None:
    """A win of the second player by 70 of 100 leaves 30; and where the first has 60 at once it may
    have 80 later, so that 60 is no win."""
    game = ggp.parse(UNEVEN)
    assert searched(game)._searching._rules.won.tolist() == [80, 30]
    assert not len(searched(game, misere=True)._searching._rules.won)
    for misere in (False, True):
        check(game, proof_numbers=proof_numbers, misere=misere)


UNEVEN = """(role a) (role b) (init (at 0)) (init (control a))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?p ?m) (true (control ?p)) (move ?m)) (move stay) (move stop) (move wait)
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
(<= (next (stopped ?p)) (does ?p stop))
(<= (next (stayed ?p)) (does ?p stay)) (<= (next (stayed ?p)) (true (stayed ?p)))
(<= over (true (stopped ?p))) (<= over (true (at 4))) (<= terminal over)
(<= high (true (stayed a)) (true (at 4)))
(<= low (true (stopped b)) (true (stayed b)))
(<= (goal a 80) high) (<= (goal b 20) high)
(<= (goal a 30) low (not high)) (<= (goal b 70) low (not high))
(<= (goal a 60) (not low) (not high)) (<= (goal b 40) (not low) (not high))"""


@pytest.mark.parametrize("proof_numbers", [False, True])
def test_neither_a_small_table_nor_many_looks_change_an_answer(monkeypatch, proof_numbers) -> None:
    """Entries are lost, searches are left after each position, and begun again deeper."""
    monkeypatch.setattr(searching, "MOST_ENTRIES", 64)
    monkeypatch.setattr(searching, "SLICE", 3)
    monkeypatch.setattr(searching, "FIRST_DEPTH", 1)
    monkeypatch.setattr(searching, "FIRST_POSITIONS", 20)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=3, rows=3, line=3)
    check(game, proof_numbers=proof_numbers)


@pytest.mark.parametrize("proof_numbers", [False, True])
def test_misere_play_exchanges_the_goals(proof_numbers) -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=3)
    check(game, misere=True, proof_numbers=proof_numbers)


@pytest.mark.parametrize("proof_numbers", [False, True])
@pytest.mark.parametrize("seeds", [range(5), *nightly([range(5, 25)])])
def test_random_games(seeds, proof_numbers) -> None:
    some = 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        try:
            check(game, proof_numbers=proof_numbers)
        except NotSolvable:
            continue
        some += 1
    assert some > 1


def test_many_moves_of_one_position() -> None:
    """More than the 64 that are made at once."""
    moves = " ".join(
        f"(<= (legal a {i}) (true (control a)) (digit {i})) (digit {i})" for i in range(150)
    )
    text = f"""(role a) (role b) (init (control a)) {moves}
    (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
    (<= (legal b x) (true (control b))) (<= (legal b y) (true (control b)))
    (<= (next (control b)) (true (control a))) (<= (next over) (true (control b)))
    (<= (next good) (does a 137)) (<= (next good) (true good))
    (<= (next kept) (does b x) (true good))
    (<= terminal (true over))
    (<= (goal a 100) (true good)) (<= (goal a 0) (not (true good)))
    (<= (goal b 0) (true good)) (<= (goal b 100) (not (true good)))"""
    found = searched(ggp.parse(text))
    assert list(map(str, found.best(found.game.initial))) == ["137"]
    assert found.value(found.game.initial) == {"a": 100, "b": 0}


@pytest.mark.parametrize("limit", [5, 200])
@pytest.mark.parametrize("method", ["alpha-beta", "proof-numbers", "way"])
def test_a_limit_of_positions_is_kept(method, limit) -> None:
    """It was not looked at: 2,163 positions, and an answer, where 5 were allowed."""
    sheet = "lights-out-3x3.kif" if method == "way" else "tic-tac-toe.kif"
    folder = "puzzles" if method == "way" else "tic-tac-toe"
    game = ggp.load(GAMES / folder / sheet)
    with pytest.raises(LimitReached) as caught:
        game.solve(method=method, positions=limit)
    assert (caught.value.limit, caught.value.value) == ("positions", limit)
    assert game.solve(method=method, positions=100_000).positions > limit


def test_a_limit_says_how_far_it_got() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=6, rows=5)
    context = Positions(game, Budget(small()))
    # The proofs are within the account, the search is not.
    assert context.proofs is not None
    context.budget = _Short(small())
    with pytest.raises(LimitReached, match="red has from 0 to 100 under best play") as caught:
        SearchSolution(context)
    assert caught.value.limit == "time"


class _Short(Budget):
    """An account that is overdrawn when positions are searched."""

    def check(self, detail: str, planned: int = 0) -> None:
        if "searched" in detail:
            raise LimitReached("time", 1.0, detail)


STUCK_WHERE_BAD = """(<= (next bad) (does a r)) (<= (legal b l) (true (control b)) (not (true bad)))
(<= (legal b r) (true (control b)) (not (true bad)))
(<= (goal a 100) (true bad)) (<= (goal b 0) (true bad))
(<= (goal a 0) (not (true bad))) (<= (goal b 100) (not (true bad)))"""


def test_rules_under_which_a_role_may_be_stuck_are_not_searched() -> None:
    """That the roles are opposed at all ends is proved of playable rules alone."""
    with pytest.raises(NotSolvable, match="opposed"):
        searched(ggp.parse(TURNS + STUCK_WHERE_BAD))


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (f"{MOVES_OF_B} (<= (next d) (does a l)) (goal a 50) (<= (goal b 50) (true d))"
         " (<= (goal b 60) (not (true d)))", "opposed"),
    ],
)  # fmt: skip
def test_what_does_not_apply(rules, why) -> None:
    with pytest.raises(NotSolvable, match=why):
        searched(ggp.parse(TURNS + rules))


TWO_MODES = """(role x) (role o) (init (n 4)) (init (turn x)) (init (mode a)) (modes a) (modes b)
(minus 4 3) (minus 3 2) (minus 2 1) (minus 1 0) (kinds 1) (kinds 2)
(<= (legal ?p (take ?k)) (true (turn ?p)) (kinds ?k))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn o)) (true (turn x))) (<= (next (turn x)) (true (turn o)))
(<= (next (mode ?m)) (true (mode ?m))) (<= (next (mode ?m)) (modes ?m) (does x nosuch))
(<= terminal (true (n 0))) (<= (next (n ?b)) (true (n ?a)) (minus ?a ?b))
(<= (goal ?p 0) (true (turn ?p)) (true (mode a))) (<= (goal ?p 70) (role ?p) (true (mode b)))
(<= (goal ?p 100) (role ?p) (not (true (turn ?p))) (true (mode a)))"""


@pytest.mark.parametrize("method", ["alpha-beta", "proof-numbers"])
def test_states_that_play_never_comes_to_are_refused(method) -> None:
    """The proofs are about others: in mode b both may have 70 (found by an adversary)."""
    state = state_from(ggp.parse(TWO_MODES), "(n 4) (turn x) (mode b)")
    game = state.game
    with pytest.raises(NotSolvable, match="not seen to be a position"):
        game.solve(starts=[state], method=method)
    solution = game.solve(method=method)
    for ask in (solution.value, solution.best, solution.progress):
        with pytest.raises(NotSolvable, match="not seen to be a position"):
            ask(state)
    assert solution.value(game.initial) == {"x": 0, "o": 100}
    later = game.state(["(n 2)", "(turn x)", "(mode a)"])
    assert solution.value(later) == {"x": 0, "o": 100}


def test_pickled_it_goes_on_elsewhere() -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=3)
    found = searched(game)
    text = pickle.dumps(found)
    assert len(text) < 1_000_000
    again = pickle.loads(text)
    state = again.game.initial
    after = state.play(dict(zip(game.roles, (state.legal("left")[0], "noop"), strict=True)))
    assert again.value(after) == found.value(found.game.state(after.facts))


def test_other_games_are_refused() -> None:
    for name in ("puzzles/lights-out-3x3.kif", "simultaneous/rock-paper-scissors.kif"):
        with pytest.raises(NotSolvable):
            searched(ggp.load(GAMES / name))


def test_it_is_what_comes_after_layers(monkeypatch) -> None:
    """Connect-four 4x4 has 161,029 positions (Tromp), half as many with symmetries: a draw."""
    monkeypatch.setattr("ggp.solver.positions.SOON", 5_000)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=4)
    found = game.solve(positions=20_000)
    assert isinstance(found, SearchSolution)
    assert "limit reached: positions = 20,000" in found.reason
    assert found.value(game.initial) == {"red": 50, "yellow": 50}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("deciding", [2_000_000, 500])
def test_a_short_search_is_put_in_once_there_are_many_positions(
    monkeypatch, deciding, threads
) -> None:
    """Who wins is known long before all positions are, or the enumeration goes on as it was; with
    several threads it is the search that answers all the same, whichever is done first."""
    for name, value in (("SOON", 2_000), ("ALONE", 100), ("ASIDE", 4_000), ("DECIDING", deciding)):
        monkeypatch.setattr(f"ggp.solver.positions.{name}", value)
    monkeypatch.setattr(searching, "SLICE", 10)
    told: list[int] = []
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4, line=3)
    keeping = Keeping(threads)
    found = solve(game, keeping=keeping, progress=lambda found, done: told.append(found))
    assert max(told) >= 4_000
    assert found.value(game.initial) == {"red": 100, "yellow": 0}
    if deciding > 500:
        assert isinstance(found, SearchSolution)
        assert found.method.startswith("proof-number search")
        assert found.reason.startswith("decided before all positions, ")
    else:
        assert isinstance(found, LayerSolution)
        assert found.best(game.initial) == searched(game).best(game.initial)


def test_a_search_that_is_put_in_may_lack_memory_and_is_for_one_start(monkeypatch) -> None:
    """The enumeration goes on; of two starts it answers both, and nothing is put in."""
    for name, value in (("SOON", 2_000), ("ALONE", 100), ("ASIDE", 4_000)):
        monkeypatch.setattr(f"ggp.solver.positions.{name}", value)
    asked = []

    def full(*given: object, **named: object) -> None:
        asked.append(named)
        raise LimitReached("memory", 1, "as if there were no more")

    monkeypatch.setattr("ggp.solver.positions.SearchSolution", full)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4, line=3)
    assert isinstance(game.solve(), LayerSolution)
    assert len(asked) == 1
    starts = [game.initial, game.initial.play(game.initial.legal("red")[0])]
    assert isinstance(ggp.solve(game, starts=starts), LayerSolution)
    assert len(asked) == 1


def test_the_clock_ends_a_search_that_is_put_in(monkeypatch) -> None:
    monkeypatch.setattr("ggp.solver.positions.SOON", 2_000)
    monkeypatch.setattr("ggp.solver.positions.ASIDE", 4_000)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=6, rows=5)

    def spent(*given: object, **named: object) -> None:
        raise LimitReached("time", 1, "as if it were over")

    monkeypatch.setattr("ggp.solver.positions.SearchSolution", spent)
    with pytest.raises(LimitReached, match="as if it were over"):
        game.solve()


def test_a_bound_of_positions_given_with_the_question_is_an_error_when_it_is_passed() -> None:
    """Board colouring 7x7 takes some 200,000."""
    game = ggp.load(GAMES / "colouring" / "colouring.kif.jinja", n=7)
    with pytest.raises(LimitReached):
        searched(game, at_most=1_000)


def test_it_has_strategies() -> None:
    small = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=3, rows=3, line=3)
    assert verify(small.solve(method="alpha-beta").strategy("red")).ok


@pytest.mark.parametrize("memory", [600 << 20, 1 << 30, 1_500_000_001])
@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}),
        ("breakthrough/breakthrough.kif.jinja", {"rows": 8, "columns": 8}),
    ],
)
def test_the_table_takes_its_share_of_the_memory_and_half_of_it_at_least(
    sheet, settings, memory, monkeypatch
) -> None:
    """Of positions of one word and of several; none of it is in use before it is written to."""
    monkeypatch.setattr(searching, "scattered", np.empty)
    game = ggp.load(GAMES / sheet, **settings)
    made = searching.Searching(game, None, Budget(Limits(memory=memory)))
    taken = sum(array.nbytes for array in made._table[:-1])
    assert memory / searching.SHARE / 2 < taken <= memory / searching.SHARE


@pytest.mark.parametrize("shape", [(1,), (5, 3), (1 << 20, 2)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_the_table_is_of_zeros_that_can_be_written(shape, dtype, monkeypatch) -> None:
    """On systems without such pages as well."""
    for is_there in (True, False):
        if not is_there:
            monkeypatch.delattr(searching.mmap, "MADV_NOHUGEPAGE", raising=False)
        made = searching.scattered(shape, dtype)
        assert made.shape == shape
        assert made.dtype == dtype
        assert made.flags.c_contiguous
        assert not made.any()
        made[-1] = 7
        assert made.sum() == 7 * made[-1].size
