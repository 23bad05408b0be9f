"""Rule sheets as trees: who is to move, and what moves lead to, in one state each."""

from __future__ import annotations

import pytest

import ggp
from ggp.errors import NoLegalMove, NotSolvable
from ggp.solver.gdl import GdlSolution, GdlTree, SimultaneousMoves, Throw
from ggp.solver.tree import CHANCE_MOVER
from tests.conftest import GAMES


def one_round(roles: str, moves: dict[str, str]) -> ggp.Game:
    """A game of one round, in which each role has some moves; goals are 0, and 100 of the first."""
    names = roles.split()
    lines = [f"(role {role})" for role in names] + ["(init start)"]
    lines += [f"(legal {role} {move})" for role, own in moves.items() for move in own.split()]
    lines += [
        f"(<= (next (did {role} {move})) (does {role} {move}))"
        for role, own in moves.items()
        for move in own.split()
    ]
    lines += ["(<= terminal (not (true start)))"]
    lines += [f"(goal {role} {100 if role == names[0] else 0})" for role in names]
    return ggp.parse("\n".join(lines))


@pytest.mark.parametrize(
    ("roles", "moves", "mover", "made"),
    [
        ("a b", {"a": "x y", "b": "w"}, "a", "x y"),
        ("a b", {"a": "w", "b": "x y z"}, "b", "x y z"),
        ("a b", {"a": "w", "b": "v"}, "a", "w"),
        ("a b c", {"a": "w", "b": "v", "c": "x y"}, "c", "x y"),
        ("a", {"a": "x"}, "a", "x"),
        ("a random", {"a": "w", "random": "x y"}, CHANCE_MOVER, "x y"),
        ("random a", {"a": "w", "random": "x y"}, CHANCE_MOVER, "x y"),
        ("a random", {"a": "x y", "random": "w"}, "a", "x y"),
        ("random a", {"a": "x y", "random": "v w"}, "a", "x y"),
        ("b random a", {"a": "x y", "random": "v w", "b": "u"}, "a", "x y"),
    ],
)
def test_who_is_to_move_and_what_their_moves_lead_to(roles, moves, mover, made) -> None:
    """The role with a choice, before chance; where all are forced and nobody is marked, the first.
    Chance that has a choice as well makes it afterwards."""
    game = one_round(roles, moves)
    tree = GdlTree(game)
    assert tree.mover(game.initial) == mover
    after = tree.moves(game.initial)
    assert sorted(map(str, after)) == made.split()
    has_throw = mover != CHANCE_MOVER and len(moves.get("random", "").split()) > 1
    for move, position in after.items():
        assert isinstance(position, Throw) == has_throw
        if has_throw:
            assert tree.result(position) is None
            assert tree.mover(position) == CHANCE_MOVER
            thrown = tree.moves(position)
            assert sorted(map(str, thrown)) == moves["random"].split()
            for throw, state in thrown.items():
                facts = set(map(str, state.facts))
                assert {f"(did {mover} {move})", f"(did random {throw})"} <= facts
            [position] = list(thrown.values())[:1]
        facts = set(map(str, position.facts))
        assert f"(did {'random' if mover == CHANCE_MOVER else mover} {move})" in facts
        for role, own in moves.items():
            assert sum(f.startswith(f"(did {role} ") for f in facts) == 1
            assert role in (mover, "random") or f"(did {role} {own})" in facts
        players = [role for role in roles.split() if role != "random"]
        first = roles.split()[0]
        assert tree.result(position) == {p: 100 if p == first else 0 for p in players}
    assert tree.result(game.initial) is None


def test_two_players_with_a_choice_at_once_are_named() -> None:
    for roles, moves in (
        ("a b", {"a": "x y", "b": "v w"}),
        ("a random b", {"a": "x y", "b": "v w", "random": "s t"}),
    ):
        game = one_round(roles, moves)
        with pytest.raises(SimultaneousMoves, match="a and b both have a choice"):
            GdlTree(game).mover(game.initial)


@pytest.mark.parametrize("moves", [{"a": "x y"}, {"b": "x y"}, {"a": "x"}, {}])
def test_a_role_without_a_move_is_told(moves) -> None:
    text = one_round("a b", {"a": "x y", "b": "x y"}).rules.source.text
    kept = {f"(legal {role} {move})" for role, own in moves.items() for move in own.split()}
    lines = [
        f"(<= {line} (true never))" if line.startswith("(legal") and line not in kept else line
        for line in text.splitlines()
    ]
    game = ggp.parse("\n".join([*lines, "(<= (next never) (true never))"]))
    with pytest.raises(NoLegalMove, match="has no legal move"):
        GdlTree(game).moves(game.initial)


def test_misere_exchanges_the_goals_of_two() -> None:
    game = one_round("a b", {"a": "x y", "b": "w"})
    [end, _] = GdlTree(game).moves(game.initial).values()
    assert GdlTree(game).result(end) == {"a": 100, "b": 0}
    assert GdlTree(game, misere=True).result(end) == {"a": 0, "b": 100}
    for roles, moves in (("a", {"a": "x y"}), ("a b c", {"a": "x", "b": "y", "c": "z"})):
        other = one_round(roles, moves)
        assert GdlTree(other).players == tuple(roles.split())
        with pytest.raises(NotSolvable, match="two roles"):
            GdlTree(other, misere=True)
    chance = one_round("a random b", {"a": "x y", "b": "w", "random": "v"})
    [end, _] = GdlTree(chance, misere=True).moves(chance.initial).values()
    assert GdlTree(chance, misere=True).result(end) == {"a": 0, "b": 100}


@pytest.mark.parametrize(
    ("roles", "moves", "mover"),
    [
        ("a b", {"a": "x y", "b": "w"}, "a"),
        ("a b", {"a": "w", "b": "x y"}, "b"),
        ("a b", {"a": "w", "b": "v"}, None),
        ("a", {"a": "w"}, "a"),
    ],
)
def test_nobody_is_to_move_where_nothing_tells(roles, moves, mover) -> None:
    """Of what all solutions have in common."""
    game = one_round(roles, moves)
    solution = game.solve(method="positions")
    own = GdlSolution.mover(solution, game.initial)
    assert own == solution.mover(game.initial) == mover
    [end, *_] = GdlTree(game).moves(game.initial).values()
    assert GdlSolution.mover(solution, end) is None


@pytest.mark.parametrize("role", ["left", "right"])
@pytest.mark.parametrize("standing", [1, 2])
def test_where_all_are_forced_it_is_the_marked_role(role, standing) -> None:
    """One skittle that stands, or two, which leave a choice; no skittle is an end of play."""
    game = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    state = game.state(
        [*(f"(skittle {n} up)" for n in range(1, 1 + standing)), f"(control {role})"]
    )
    tree = GdlTree(game)
    assert tree.mover(state) == role
    assert len(tree.moves(state)) == 2 * standing - 1
    assert all(tree.mover(after) != role for after in tree.moves(state).values())
    end = game.state([f"(control {role})"])
    assert end.terminal
    assert tree.result(end) == {p: 0 if p == role else 100 for p in ("left", "right")}
    solution = game.solve()
    assert solution.mover(end) is None
    assert solution.to_move(end) == role
