"""Choices one at a time in a space of positions: as the tree over states has them."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
import ggp.games
from ggp.solver.choices import Choices, as_players
from ggp.solver.enumerated import movers
from ggp.solver.gdl import GdlTree, Throw
from ggp.solver.position_graph import CHANCE, ENDED
from tests.solver.test_chance import LOTTERY, RACE

ALTERNATE = """
(role random) (role a) (role b) (init (ply 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (ply ?j)) (true (ply ?i)) (succ ?i ?j))
(<= (legal a x) (true (ply 0))) (<= (legal a y) (true (ply 0)))
(<= (legal a w) (not (true (ply 0))))
(<= (legal b x) (true (ply 2))) (<= (legal b y) (true (ply 2)))
(<= (legal b w) (not (true (ply 2))))
(legal random 1) (<= (legal random 2) (not (true (ply 0)))) (<= (legal random 3) (true (ply 1)))
(<= (next (did a ?m)) (does a ?m) (true (ply 0))) (<= (next (did ?r ?m)) (true (did ?r ?m)))
(<= (next (did random ?m)) (does random ?m) (true (ply 1)))
(<= (next (did b ?m)) (does b ?m) (does random 2))
(<= terminal (true (ply 3))) (<= (goal a 100) (true (did b x)))
(<= (goal a 0) (not (true (did b x))))
(goal b 50) (goal random 0)
"""


@pytest.mark.parametrize("name", ["lottery", "race", "alternate", "nim/rows", "kayles/kayles-7"])
def test_each_choice_leads_where_the_tree_says(name) -> None:
    """Of a role and chance that choose at once chance comes second, at a position of its own."""
    sheets = {"lottery": LOTTERY, "race": RACE, "alternate": ALTERNATE}
    game = ggp.parse(sheets[name]) if name in sheets else ggp.games.load(name)
    space, tree = game.space(), GdlTree(game)
    made = Choices.of(space, movers(game, space), game.chance)
    throws = set()

    def leaving(place: int) -> dict[ggp.Term, int]:
        """The moves at a position, with the numbers of what they lead to."""
        role, found = int(made.mover[place]), {}
        for e in range(int(made.first_edge[place]), int(made.first_edge[place + 1])):
            move = int(space.joint[made.edge[e], role])
            found[game.evaluator.move(role, move)] = int(made.target[e])
        count = int(made.first_edge[place + 1] - made.first_edge[place])
        assert len(found) == count
        return found

    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        first, stop = made.first_edge[place : place + 2].tolist()
        if state.terminal:
            assert made.mover[place] == ENDED
            assert first == stop
            continue
        assert game.roles[made.mover[place]] == tree.mover(state)
        assert (space.source[made.edge[first:stop]] == place).all()
        after = tree.moves(state)
        targets = leaving(place)
        assert targets.keys() == after.keys()
        for move, target in targets.items():
            if not isinstance(after[move], Throw):
                assert space.state(target) == after[move].bits
                continue
            assert target >= len(space)
            assert target not in throws
            throws.add(target)
            assert made.mover[target] == game.chance
            thrown = {m: space.state(t) for m, t in leaving(target).items()}
            assert thrown == {m: s.bits for m, s in tree.moves(after[move]).items()}
    assert throws == {*range(len(space), len(made.mover))}
    assert len(made.first_edge) == len(made.mover) + 1
    assert bool(throws) == (name in ("lottery", "race", "alternate"))


@pytest.mark.parametrize(
    ("chance", "found"),
    [
        (None, [0, 1, 2, 3, ENDED]),
        (0, [CHANCE, 0, 1, 2, ENDED]),
        (1, [0, CHANCE, 1, 2, ENDED]),
        (3, [0, 1, 2, CHANCE, ENDED]),
    ],
)
def test_roles_after_chance_are_players_of_the_number_before(chance, found) -> None:
    roles = np.array([0, 1, 2, 3, ENDED], dtype=np.int16)
    assert as_players(roles, chance).tolist() == found
