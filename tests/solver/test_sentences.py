"""Sentences about how to play: each is played against every reply, by the rules alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

import ggp
from ggp.errors import NotSolvable
from ggp.solver.sentences import Sentence, sentences
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game


def keeps(game: ggp.Game, player: str, found: Sentence, promise: float) -> int:
    """Play the first move and the answers against every move of the other; positions met."""
    pytest.importorskip("igraph")
    [opponent] = [role for role in game.roles if role != player]
    done = set()

    def made(state: ggp.State, role: str, move: str) -> ggp.State:
        joint = {other: state.legal(other)[0] for other in game.roles}
        return state.play({**joint, role: move})

    state = game.initial
    todo = [made(state, player, found.first) if found.first else state]
    while todo:
        state = todo.pop()
        if state in done:
            continue
        done.add(state)
        if state.terminal:
            assert state.goals[player] >= promise
            continue
        for move in map(str, state.legal(opponent)):
            after = made(state, opponent, move)
            if after.terminal:
                assert after.goals[player] >= promise
            else:
                todo.append(made(after, player, found.answers.get(move, move)))
    return len(done)


@pytest.mark.parametrize(
    ("sheet", "settings", "player", "kind", "first"),
    [
        ("kayles/kayles-7.kif", {}, "left", "symmetry", "(single 4)"),
        ("kayles/kayles.kif.jinja", {"n": 10}, "left", "symmetry", "(double 5)"),
        ("subtraction/subtraction.kif.jinja", {"heaps": [8, 8]}, "right", "symmetry", None),
        ("tic-tac-toe/tic-tac-toe.kif", {}, "xplayer", "pairing", "(mark 2 2)"),
        ("domineering/domineering-3x4.kif", {}, "updown", "pairing", None),
    ],
)
def test_answers_keep_the_promise(sheet, settings, player, kind, first) -> None:
    """Kayles: the middle, and from then on the mirror (Dudeney 1907)."""
    pytest.importorskip("igraph")
    game = ggp.load(GAMES / sheet, **settings)
    solution = game.solve()
    found = sentences(solution, player)[-1]
    assert found.kind == kind
    if first:
        assert found.first == first
    assert keeps(game, player, found, solution.value(game.initial)[player]) == found.positions


def test_an_answer_by_the_same_move_is_told() -> None:
    """Who begins picks a colour, which all have to play from then on; the fourth move wins."""
    pytest.importorskip("igraph")
    game = ggp.parse("""
        (role l) (role r) (init (n 0)) (init (control l)) (s 0 1) (s 1 2) (s 2 3) (s 3 4)
        (color red) (color blue)
        (<= (legal ?r (go ?c)) (true (control ?r)) (color ?c) (not bound))
        (<= (legal ?r (go ?c)) (true (control ?r)) (true (last ?c)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= bound (true (last ?c)))
        (<= (next (n ?y)) (true (n ?x)) (s ?x ?y))
        (<= (next (last ?c)) (does ?r (go ?c)) (not bound))
        (<= (next (last ?c)) (true (last ?c)))
        (<= (next (control l)) (true (control r)))
        (<= (next (control r)) (true (control l)))
        (<= terminal (true (n 4)))
        (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))
    """)
    found = sentences(game.solve(method="positions"), "r")[-1]
    assert found.text == (
        "Answer each move with its image: the same move. Played against all replies."
    )


@pytest.mark.parametrize("seeds", [range(15), *nightly([range(15, 40)])])
def test_answers_of_random_games(seeds) -> None:
    pytest.importorskip("igraph")
    some = 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        try:
            solution = game.solve(method="positions")
        except NotSolvable:  # choices at the same time
            continue
        for player in game.players:
            for found in sentences(solution, player):
                if found.answers is not None:
                    some += 1
                    assert keeps(game, player, found, solution.secured(game.initial, player)[0])
    assert some > 1


def heaps_text(sheet: str, **settings) -> str:
    game = ggp.load(GAMES / "subtraction" / sheet, **settings)
    solution = game.solve()
    return sentences(solution, solution.result(game.initial))[0].text


def test_heaps() -> None:
    assert heaps_text("sg-123-21.kif").startswith(
        "Leave (heap ?) at a size with remainder 0 modulo 4"
    )
    assert "of every heap size mod 3" in heaps_text("sg-125.kif")
    text = heaps_text("sg-12-15.kif")
    assert "(heap 1 ?): size mod 3; (heap 2 ?): size mod 2" in text
    sheet = "subtraction.kif.jinja"
    assert "again and again" in heaps_text(sheet, heaps=[9, 12], take=[2, 3])
    rows = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=3)
    assert "of every heap its size" in sentences(rows.solve(), "left")[0].text


COUNTING = """(role left) (role right) (init (total {first})) (init (control left))
{steps}
(<= (add ?x ?y) (s ?x ?y))
(<= (add ?x ?y) (s ?x ?a) (s ?a ?y))
(<= (add ?x ?y) (s ?x ?a) (s ?a ?b) (s ?b ?y))
(<= (legal ?p (say ?y)) (true (control ?p)) (true (total ?x)) (add ?x ?y))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (total ?y)) (does ?p (say ?y)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= open (true (total ?x)) (s ?x ?y))
(<= terminal (not open))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""


@pytest.mark.parametrize(
    ("numbers", "reading", "lost"),
    [
        (range(22), "21 - ?", [1, 5, 9, 13, 17, 21]),
        (range(12, 0, -1), "? - 1", [1, 5, 9]),
        (range(20, 4, -1), "? - 5", [5, 9, 13, 17]),
        (range(12, -1, -1), None, [0, 4, 8, 12]),
    ],
)
def test_sizes_that_are_not_the_numbers_that_stand_there(numbers, reading, lost) -> None:
    """Who counts up to 21 is to leave 1, 5, 9, …: not what has no remainder modulo 4."""
    names = list(numbers)
    steps = " ".join(f"(s {a} {b})" for a, b in pairwise(names))
    game = ggp.parse(COUNTING.format(first=names[0], steps=steps))
    solution = game.solve()
    starts = {n: game.state([f"(total {n})", "(control left)"]) for n in names}
    assert sorted(n for n, start in starts.items() if solution.outcome(start) == "P") == lost
    known = sentences(solution, solution.result(game.initial))
    [found] = [one for one in known if one.kind == "residues"]
    where = f", where the size is {reading}" if reading else ""
    told = f"Leave (total ?) at a size with remainder 0 modulo 4{where}."
    assert found.text == told


def test_lost_sizes_above_a_floor() -> None:
    """Down to 2, amounts 1, 5, 7: every second size from the floor is lost."""
    text = heaps_text("subtraction.kif.jinja", heaps=[9], take=[1, 5, 7], floor=2)
    assert "remainder 0 modulo 2" in text


def test_what_needs_no_sentence() -> None:
    """The loser of a game, one player, three, and ends of play."""
    game = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    assert sentences(game.solve(), "right") == []
    for name in ("puzzles/lights-out-3x3.kif", "three-players/last-match.kif"):
        other = ggp.load(GAMES / name)
        assert sentences(other.solve(), other.players[0]) == []
