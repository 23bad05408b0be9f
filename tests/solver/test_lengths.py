"""The moves to the end of best play: by definition, and as backward induction has them."""

from __future__ import annotations

from functools import cache

import pytest

import ggp
from ggp.solver import write_table
from ggp.solver.enumerated import GameSolution
from ggp.solver.lengths import lengths
from tests.conftest import GAMES, nightly
from tests.solver.test_passes import graph

LOOP = """
(role ann) (role bob) (init (at s)) (owner s ann) (owner x bob) (owner e30 ann) (owner e0 ann)
(arc s x) (arc s e30) (arc x x) (arc x e0)
(worth e30 ann 30) (worth e30 bob 70) (worth e0 ann 0) (worth e0 bob 100)
(<= (legal ?r (go ?y)) (true (at ?x)) (owner ?x ?r) (arc ?x ?y))
(<= (legal ?r noop) (role ?r) (true (at ?x)) (owner ?x ?o) (distinct ?o ?r))
(<= (next (at ?y)) (does ?r (go ?y)))
(<= open (true (at ?x)) (arc ?x ?y)) (<= terminal (not open))
(<= (goal ?r ?v) (true (at ?x)) (worth ?x ?r ?v))
"""


def test_what_the_loser_could_play_besides_does_not_count(tmp_path) -> None:
    """One move ends play; another one would last longer, and cost 30."""
    game = ggp.parse(LOOP)
    write_table(tmp_path / "all.csv", game)
    assert ggp.tablebase(tmp_path / "all.csv")[game.initial]["distance"] == 1


@pytest.mark.parametrize("seed", [*range(20), *nightly(range(20, 150))])
def test_as_by_definition(seed) -> None:
    """The least for the winner and the greatest for the other of what best moves lead to, by going
    round as often as there are positions."""
    game = ggp.parse(graph(seed, two=True))
    solution = GameSolution(game, game.space())
    _, part = solution.first_part
    own, values = part.graph, part.values

    @cache
    def longest(place: int, depth: int) -> float:
        if own.mover[place] < 0:
            return 0
        if not depth:
            return float("inf")
        edges = range(own.first_edge[place], own.first_edge[place + 1])
        after = [int(own.target[e]) for e in edges]
        best = [t for t in after if values.payoff[t, 0] == values.payoff[place, 0]]
        winner = 0 if values.payoff[place, 0] > values.payoff[place, 1] else 1
        choose = min if own.mover[place] == winner else max
        return 1 + choose(longest(t, depth - 1) for t in best)

    for place, found in enumerate(lengths(own, values).tolist()):
        if values.status[place] == 0 and values.payoff[place, 0] != values.payoff[place, 1]:
            assert found == longest(place, len(own))
        else:
            assert found == -1


@pytest.mark.parametrize("sheet", ["tic-tac-toe/tic-tac-toe.kif", "clobber/clobber.kif.jinja"])
def test_as_backward_induction_has_them(sheet) -> None:
    game = ggp.load(GAMES / sheet)
    _, part = GameSolution(game, game.space()).first_part
    found = lengths(part.graph, part.values)
    won = found >= 0
    assert (found[won] == part.values.rank[won, 0]).all()
    assert (part.values.payoff[~won, 0] == part.values.payoff[~won, 1]).all()
