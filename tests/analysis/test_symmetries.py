"""Symmetries of the rules, against all permutations of small boards, and what a symmetry keeps."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis.relations.symmetries import elements, is_symmetry, symmetric, symmetries
from ggp.ground import Net
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game


@pytest.mark.parametrize(
    ("sheet", "settings", "order", "exchange"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}, 8, True),
        ("kayles/kayles-7.kif", {}, 2, True),
        # The colours of the start lie like a chessboard's: half of the eight keep them, and the
        # others exchange the players.
        ("clobber/clobber-4x4.kif", {}, 4, True),
        # A quarter turn makes rows of columns: it exchanges the players.
        ("domineering/domineering-4x4.kif", {}, 4, True),
        ("domineering/domineering-3x4.kif", {}, 4, False),
        ("connect-four/connect-four.kif.jinja", {}, 2, True),
        ("puzzles/lights-out-3x3.kif", {}, 8, False),
        ("simultaneous/rock-paper-scissors.kif", {}, 3, True),
        ("fox-and-geese/fox-and-geese.kif", {}, 1, False),
        ("subtraction/sg-125.kif", {}, 1, True),
        ("subtraction/subtraction.kif.jinja", {"heaps": [9, 9, 9]}, 6, True),
    ],
)
def test_groups_that_are_known(sheet, settings, order, exchange) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    found = {f.property: f.value for f in symmetric(game.net, game.marker)}
    assert found["symmetries"] == order
    assert found.get("roles_exchangeable", False) is exchange


def closure(net: Net, generators) -> set[tuple[int, ...]]:
    """All products of some permutations."""
    start = tuple(range(net.first_gate))
    found, todo = {start}, [start]
    while todo:
        p = todo.pop()
        for g in generators:
            q = tuple(g[x] for x in p)
            if q not in found:
                found.add(q)
                todo.append(q)
    return found


@pytest.mark.parametrize("sheet", ["tic-tac-toe/tic-tac-toe.kif", "kayles/kayles-7.kif"])
def test_the_order_is_that_of_the_generated_group(sheet) -> None:
    net = ggp.load(GAMES / sheet).net
    group = symmetries(net)
    assert len(closure(net, group.generators)) == group.order
    swapped = list(group.generators[0])
    swapped[2], swapped[3] = swapped[3], swapped[2]
    assert not is_symmetry(net, tuple(swapped))


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 30))])
def test_a_symmetry_maps_plays_to_plays(seed) -> None:
    """Legal moves, goals, the end, and the next state, move by move along a random play."""
    game = ggp.parse(random_game(seed)) if seed else ggp.load(GAMES / "tic-tac-toe/tic-tac-toe.kif")
    net = game.net
    group = symmetries(net)
    for images in group.generators[:2] if group else ():

        def mapped(state, images=images):
            facts = (net.fluent_index[f] for f in state.facts)
            return game.state(
                net.fluents[images[net.first_fluent + i] - net.first_fluent] for i in facts
            )

        def move(role, term, images=images):
            index = images[net.first_move + net.move_index[role][term]] - net.first_move
            return net.moves[role][index - net.move_offset[role]]

        for state, joint in game.random_playout(seed=1):
            other = mapped(state)
            assert other.terminal == state.terminal
            if not joint:
                assert other.goals == state.goals
                break
            moves = {}
            for index, role in enumerate(game.roles):
                legal = {move(index, term) for term in state.legal(role)}
                assert legal == set(other.legal(role))
                moves[role] = move(index, joint[role])
            assert mapped(state.play(joint)) == other.play(moves)


def test_what_roles_see_is_kept() -> None:
    """Two tokens that differ only in what is seen of them."""
    text = """(role p) (thing a) (thing b) (<= (init (on ?x)) (thing ?x))
        (<= (legal p (take ?x)) (true (on ?x))) (<= (legal p wait) (role p))
        (<= (next (on ?x)) (true (on ?x)) (not (does p (take ?x))))
        (<= alike (true (on ?x))) (<= terminal (not alike)) (goal p 100)"""
    blind = ggp.parse(text).net
    [swap] = symmetries(blind).generators
    assert is_symmetry(blind, swap)
    assert not is_symmetry(ggp.parse(f"{text} (<= (sees p seen) (true (on a)))").net, swap)


def test_of_a_group_too_large_without_smaller_generators_the_identity_is_left() -> None:
    """A ring of 70 places that can only be turned: no element but the identity is of order 64."""
    turned = tuple((i + 1) % 70 for i in range(70))
    assert elements([turned], 64) == [tuple(range(70))]
    assert len(elements([turned], 70)) == 70
    assert elements([], 64) == []


@pytest.mark.parametrize(
    ("cause", "raised"), [(KeyboardInterrupt, KeyboardInterrupt), (None, SystemError)]
)
def test_ctrl_c_within_the_library_is_ctrl_c(monkeypatch, cause, raised) -> None:
    class Interrupted:
        def __init__(self, *_: object) -> None:
            pass

        def automorphism_group(self, **_: object) -> None:
            raise SystemError("returned a result with an exception set") from (cause and cause())

    library = SimpleNamespace(GraphBase=Interrupted)
    monkeypatch.setattr("ggp.analysis.relations.symmetries.igraph_or_none", lambda: library)
    with pytest.raises(raised):
        symmetries(ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif").net)


@pytest.mark.parametrize(("more", "exchangeable"), [("", True), ("(goal b 0)", False)])
def test_roles_without_moves_change_places_as_their_goals_do(more, exchangeable) -> None:
    """No move tells which of them is which; a third has all moves."""
    game = ggp.parse(f"""(role a) (role b) (role c) (init (at a)) (init (at b)) (legal c wait)
        (<= terminal (true (at a)) (true (at b))) (<= (next (at ?x)) (true (at ?x))) (one a) (one b)
        (<= (goal ?p 100) (one ?p) (true (at ?p))) {more}""")
    found = symmetries(game.net, None, exchange=True)
    moved = any(own[n] != n for own in found.generators for n in range(1, len(own)))
    assert moved is exchangeable
