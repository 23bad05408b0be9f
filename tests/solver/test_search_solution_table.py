"""What is said of a game that is searched: its method, its bounds, ends of play, and refusals."""

from __future__ import annotations

from functools import cache

import pytest

import ggp
from ggp.analysis import Positions
from ggp.errors import IllegalMove, NotSolvable
from ggp.limits import Budget
from ggp.solver import SearchSolution
from ggp.solver.folding import Folding
from tests.solver.test_search import small

TAKE = """(role a) (role b) {init} (init (control a)) (less 3 2) (less 2 1) (less 1 0)
(<= (legal ?p (to ?m)) (true (control ?p)) (true (heap ?n)) (less ?n ?m))
(<= (legal ?p (to 0)) (true (control ?p)) (true (heap 3)))
(<= (legal ?p (to 1)) (true (control ?p)) (true (heap 3)))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (heap ?m)) (does ?p (to ?m)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (heap 0)))
(<= (goal ?p {lost}) (true (control ?p)))
(<= (goal ?p {won}) (role ?p) (not (true (control ?p))))"""
"""From three to any less, then one by one: who takes the last has won."""

PLAIN = TAKE.format(init="(init (heap 3))", lost=20, won=70)


@cache
def found(proof_numbers: bool = False) -> SearchSolution:
    game = ggp.parse(PLAIN)
    return SearchSolution(Positions(game, Budget(small())), proof_numbers=proof_numbers)


def after(game: ggp.Game, *sizes: int) -> ggp.State:
    state = game.initial
    for size in sizes:
        state = state.play(f"(to {size})")
    return state


@pytest.mark.parametrize(
    ("proof_numbers", "method"),
    [
        (False, "alpha-beta search, positions compared by moves of a and b"),
        (True, "proof-number search"),
    ],
)
def test_the_method_is_named(proof_numbers: bool, method: str) -> None:
    assert found(proof_numbers).method == method


def test_symmetries_are_named_with_the_method() -> None:
    """Two tokens that are alike."""
    game = ggp.parse("""(role a) (role b) (init (control a)) (kind x) (kind y)
    (<= (legal ?p (take ?k)) (true (control ?p)) (kind ?k) (not (true (gone ?k))))
    (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
    (<= (next (gone ?k)) (does ?p (take ?k))) (<= (next (gone ?k)) (true (gone ?k)))
    (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
    (<= terminal (true (gone x)) (true (gone y))) (<= (goal ?p 0) (true (control ?p)))
    (<= (goal ?p 100) (role ?p) (not (true (control ?p))))""")
    for folding, more in ((Folding.of(game), ", up to 2 symmetries"), (None, "")):
        solution = SearchSolution(Positions(game, Budget(small())), folding=folding)
        assert solution.method == f"alpha-beta search{more}, positions compared by moves of a and b"
        assert solution.value(game.initial) == {"a": 0, "b": 100}


@pytest.mark.parametrize("proof_numbers", [False, True])
@pytest.mark.parametrize(
    ("sizes", "value", "best"),
    [
        ((), {"a": 70, "b": 20}, ["(to 0)", "(to 2)"]),
        ((2,), {"a": 70, "b": 20}, ["(to 1)"]),
        ((2, 1), {"a": 70, "b": 20}, ["(to 0)"]),
        ((2, 1, 0), {"a": 70, "b": 20}, []),
        ((0,), {"a": 70, "b": 20}, []),
    ],
)
def test_values_and_all_best_moves(
    proof_numbers: bool, sizes: tuple[int, ...], value: dict[str, int], best: list[str]
) -> None:
    solution = found(proof_numbers)
    state = after(solution.game, *sizes)
    assert solution.value(state) == value
    assert list(map(str, solution.best(state))) == best
    if best:
        assert str(solution.progress(state)) in best
    else:
        with pytest.raises(IllegalMove):
            solution.progress(state)


def test_what_is_known_is_told_as_bounds() -> None:
    """Of goals of the rules; at first from the least to the highest."""
    game = ggp.parse(TAKE.format(init="(init (heap 2))", lost=20, won=70))
    solution = SearchSolution(Positions(game, Budget(small())))
    assert solution.bounds(game.initial) == (20, 20)
    one = after(game, 1)
    assert solution.bounds(one) == (20, 70)
    assert solution.value(one) == {"a": 20, "b": 70}
    assert solution.bounds(one) == (20, 20)
    assert found().bounds(after(found().game, 0)) == (20, 70)
    assert found().bounds(found().game.initial) == (70, 70)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ("(role a) (init s) (legal a go) (<= terminal (not (true s))) (goal a 1)", "two roles"),
        (PLAIN + "(role random) (legal random roll)", "two roles"),
        (PLAIN + "(role c) (legal c wait) (goal c 0)", "two roles"),
        (PLAIN + "(<= (sees a low) (true (heap 1)))", "two roles"),
        # The heap may be made as large again.
        (PLAIN + "(<= (legal ?p (to 2)) (true (control ?p)) (true (heap 1)))", "comes up twice"),
        # Both may win, or one has two goals at some end.
        (PLAIN.replace("(role ?p) (not (true (control ?p)))", "(role ?p)"), "opposed"),
        (PLAIN + "(<= (goal a 30) (true (control b)))", "opposed"),
    ],
)
def test_other_games_are_refused(rules: str, why: str) -> None:
    game = ggp.parse(rules)
    with pytest.raises(NotSolvable, match=f"search: .*{why}"):
        SearchSolution(Positions(game, Budget(small())))


def test_a_position_that_play_does_not_come_to_is_refused() -> None:
    solution = found()
    game = solution.game
    state = game.state(["(heap 2)", "(control a)"])
    for ask in (solution.value, solution.best, solution.progress):
        with pytest.raises(NotSolvable, match="legal play"):
            ask(state)
