"""Play with values of pieces: against best play by backward induction, and whole values."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import ggp
from ggp.analysis.positions import Positions
from ggp.game import State
from ggp.limits import Budget, Limits
from ggp.play import PLAYERS
from ggp.play.endgame import Endgame
from ggp.play.search.search import TreeSearch
from ggp.play.search.sums import ValuedSums
from ggp.play.search.tree import END
from ggp.solver import solve
from ggp.solver.pieces.frames import UNNAMED
from ggp.solver.pieces.program import PieceProgram
from ggp.solver.pieces.store import PieceStore
from ggp.solver.splitting import Splitter
from ggp.solver.valued import PieceValues, values
from ggp.solver.valued.known import KnownValues
from ggp.theory import ShortGame
from tests.conftest import nightly

DOMINEERING = ("domineering/domineering", {"rows": 4, "columns": 4})
CLOBBER = ("clobber/clobber", {"rows": 3, "columns": 3})
AMAZONS = ("amazons/amazons", {"board": ["W_X", "_X_", "__B"]})
TOADS = ("toads-and-frogs/toads-and-frogs", {"board": "TT_FTF_F"})


def loaded(sheet):
    return ggp.games.load(sheet[0], **sheet[1])


def sums_of(game) -> ValuedSums:
    found = ValuedSums.of(game, replace(game.limits, seconds=600))
    assert found is not None
    return found


def in_play(game, seeds) -> list[State]:
    """States of random play, without ends."""
    return [s for seed in seeds for s, _ in game.random_playout(seed=seed) if not s.terminal]


def known_all(sums: ValuedSums, state: State) -> None:
    """Work until a state's pieces are all valued."""
    sums.known.size = 1_000
    sums.parts([state.bits])
    while not sums.known.is_idle:
        sums.work(10_000)


@pytest.mark.parametrize("sheet", [DOMINEERING, CLOBBER, TOADS])
def test_small_pieces_sum_to_the_value_of_the_position(sheet) -> None:
    game = loaded(sheet)
    budget = Budget(game.limits)
    with game.within(budget):
        known = KnownValues(Positions(game, budget, None, [game.initial.bits]).proofs)
    whole = values(game)
    assert isinstance(whole, PieceValues)
    found = 0
    for state in in_play(game, range(10)):
        board = game.marker.board(state.bits)
        (parts,) = known.parts([board], 0)
        known.work(10_000_000)
        (parts,) = known.parts([board], 0)
        if parts is not None:
            found += 1
            assert sum(parts, ShortGame.integer(0)) == whole.value(board)
    assert found > 4


def test_what_is_larger_is_not_valued() -> None:
    game = loaded(DOMINEERING)
    sums = sums_of(game)
    assert sums.parts([game.initial.bits]) == [None]
    assert sums.known.is_idle
    assert len(sums.known) == 0
    known_all(sums, game.initial)
    (parts,) = sums.parts([game.initial.bits])
    assert parts is not None
    assert sum(parts, ShortGame.integer(0)) == values(game).whole


def test_work_is_done_in_steps() -> None:
    game = loaded(DOMINEERING)
    sums = sums_of(game)
    sums.known.size = 1_000
    sums.parts([game.initial.bits])
    rounds = 0
    while not sums.known.is_idle:
        assert sums.goals(game.initial.bits) is None
        sums.work(100_000)
        rounds += 1
    assert rounds > 10
    assert sums.goals(game.initial.bits) == (100, 0)


@pytest.mark.parametrize("sheet", [DOMINEERING, CLOBBER, TOADS, AMAZONS])
def test_goals_are_those_of_backward_induction(sheet) -> None:
    game = loaded(sheet)
    sums, solution = sums_of(game), solve(game)
    known_all(sums, game.initial)
    for state in in_play(game, range(10)):
        goals = sums.goals(state.bits)
        assert dict(zip(game.roles, goals, strict=True)) == solution.value(state)


@pytest.mark.parametrize("sheet", [DOMINEERING, CLOBBER, TOADS, AMAZONS])
def test_an_endgame_is_played_perfectly(sheet) -> None:
    game = loaded(sheet)
    sums, solution = sums_of(game), solve(game)
    known_all(sums, game.initial)
    players = [Endgame(game, role, sums) for role in (0, 1)]
    for state in in_play(game, range(10)):
        mover = sums.mover(state.bits)
        ending = players[mover].choose(state, time.monotonic() + 60, lambda: None)
        assert ending is not None
        assert ending.move in solution.best(state)
        assert ending.goal == solution.value(state)[game.roles[mover]]
        assert players[1 - mover].choose(state, time.monotonic() + 60, lambda: None) is None


def test_what_is_lost_is_lost_slowly() -> None:
    """Black to move has lost; a move is chosen after which fewest answers of White win."""
    game = loaded(CLOBBER)
    sums = sums_of(game)
    known_all(sums, game.initial)
    lost = [s for s in in_play(game, range(20)) if sums.goals(s.bits)[sums.mover(s.bits)] == 0]
    assert lost
    for state in lost:
        mover = sums.mover(state.bits)
        role, other = game.roles[mover], game.roles[1 - mover]

        def wins(after: State, mover=mover, other=other) -> float:
            answers = [after.play(move) for move in after.legal(other)]
            return sum(sums.goals(s.bits)[mover] == 0 for s in answers) / len(answers)

        ending = Endgame(game, mover, sums).choose(state, time.monotonic() + 60, lambda: None)
        assert ending is not None
        following = {move: state.play(move) for move in state.legal(role)}
        shares = {m: 1.0 if s.terminal else wins(s) for m, s in following.items()}
        assert shares[ending.move] == min(shares.values())


def test_sentestrat_moves_where_a_sum_is_too_large_to_tell() -> None:
    game = loaded(DOMINEERING)
    sums = sums_of(game)
    known_all(sums, game.initial)
    endgame = Endgame(game, 0, sums)
    for state in in_play(game, range(6)):
        if sums.mover(state.bits) == 0:
            (parts,) = sums.parts([state.bits])
            ending = endgame._by_temperature(state, parts)
            assert ending is not None
            assert (ending.goal, ending.why) == (None, "sentestrat")
            assert ending.move in state.legal("updown")
            assert isinstance(endgame._ambient, Fraction)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("columns", [3, *nightly([5])])
def test_a_search_decides_sums_and_is_right(columns, threads) -> None:
    game = loaded(("domineering/domineering", {"rows": 4, "columns": columns}))
    solution = solve(game)
    for state in in_play(game, [1]):
        mover = game.marker.role(state.bits)
        if len(state.legal(game.roles[mover])) < 2:
            continue
        search = TreeSearch(game, mover, seed=1, sums=sums_of(game), threads=threads)
        search.start(state)
        search.run(descents=100_000)
        best = search.best()
        assert best is not None
        assert search.is_settled
        assert best.low == solution.value(state)[game.roles[mover]]


def test_fewer_descents_settle_a_position_with_values() -> None:
    game = loaded(("domineering/domineering", {"rows": 5, "columns": 5}))
    state = game.random_playout(seed=3)[3][0]
    sums = sums_of(game)
    used = []
    known_all(sums, state)
    for own in (None, sums):
        search = TreeSearch(game, game.marker.role(state.bits), seed=1, sums=own)
        search.start(state)
        search.run(descents=200_000)
        assert search.is_settled
        used.append(search.descents)
    without, known = used
    assert known < without


def test_a_decided_position_is_searched_when_play_comes_to_it() -> None:
    game = loaded(DOMINEERING)
    sums = sums_of(game)
    known_all(sums, game.initial)
    search = TreeSearch(game, 0, seed=1, sums=sums)
    search.start(game.initial)
    search.run(descents=500)
    tree = search.tree
    decided = np.flatnonzero(tree.kind[: tree.size] == END)
    states = game.machine.states(tree.rows[decided])
    found = [game.state(game.evaluator.facts(bits)) for bits in states]
    going = [state for state in found if not state.terminal]
    assert going
    for state in going[:20]:
        search.start(state)
        search.run(descents=500)
        assert search.best() is not None


def test_many_boards_are_split_as_one_by_one() -> None:
    game = loaded(CLOBBER)
    budget = Budget(game.limits)
    with game.within(budget):
        proofs = Positions(game, budget, None, [game.initial.bits]).proofs
    boards = [game.marker.board(s.bits) for s in in_play(game, range(5))]
    program = PieceProgram(Splitter(proofs.boards))
    alone, together = PieceStore(program), PieceStore(program)
    one_by_one = [alone.pieces(board) for board in boards]
    assert together.each(boards[:1], 1_000, 0) == [[0]]
    for board in boards:
        together.pieces(board)
    assert together.each(boards, 0, 10**9) == one_by_one
    assert len(together.each(boards, 0, 0)) == 1
    small = PieceStore(program)
    named = small.each(boards, 12, 10**9)
    first = next(i for i, names in enumerate(named) if names != [UNNAMED])
    assert all(small.size(name) <= 12 for name in named[first])
    assert all(max(names) < len(small) for names in named[first:] if names)


def test_a_game_without_proof_has_no_sums() -> None:
    assert ValuedSums.of(ggp.games.load("tic-tac-toe"), Limits(seconds=60)) is None
    misere = ggp.games.load("clobber/clobber", rows=2, columns=3, misere=True)
    assert ValuedSums.of(misere, Limits(seconds=60)) is None


def test_the_player_wins_what_is_won() -> None:
    game = loaded(("domineering/domineering", {"rows": 6, "columns": 6}))
    sums = sums_of(game)
    state = game.random_playout(seed=1)[9][0]
    known_all(sums, state)
    mover = game.marker.role(state.bits)
    player = PLAYERS["mcts"](game, game.roles[mover], seed=1, positions=1)
    player._endgame = Endgame(game, mover, sums)
    *_, last = player.suggestions(state, 60)
    assert last.final
    assert "values of the pieces" in last.why
