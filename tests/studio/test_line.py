"""Lines of play as parts of addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.errors import InputError
from ggp.play.sitting.sitting import SittingStep
from ggp.studio.work.line import LineTree, moves_of, number_of, read, states_along, written
from tests.conftest import GAMES

SHEETS = [
    "tic-tac-toe/tic-tac-toe.kif",
    "simultaneous/rock-paper-scissors.kif",
    "three-players/last-match.kif",
    "nim/rows.kif.jinja",
]


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("seed", range(5))
def test_a_play_is_found_again_by_its_numbers(sheet: str, seed: int) -> None:
    play = ggp.load(GAMES / sheet).random_playout(seed)
    path = tuple(number_of(state, list(joint.values())) for state, joint in play[:-1])
    moves, states = states_along(play[0][0], read(written(path)))
    assert states == [state for state, _ in play]
    assert moves == [list(joint.values()) for _, joint in play[:-1]]


@pytest.mark.parametrize("sheet", SHEETS)
def test_each_joint_move_has_one_number(sheet: str) -> None:
    state = ggp.load(GAMES / sheet).initial
    count = 1
    for role in state.game.roles:
        count *= len(state.legal(role))
    found = [tuple(moves_of(state, number)) for number in range(count)]
    assert len(set(found)) == count
    assert [number_of(state, joint) for joint in found] == list(range(count))
    with pytest.raises(InputError, match="no such move"):
        moves_of(state, count)


@pytest.mark.parametrize("text", ["x", "1.", ".", "-1", "1,2", "²", "1" * 101, "0x1", " 1"])
def test_other_texts_are_no_lines(text: str) -> None:
    with pytest.raises(InputError, match="no line"):
        read(text)


@given(st.lists(st.lists(st.integers(0, 2), max_size=4), min_size=1, max_size=12))
def test_the_tree_shows_the_line_that_was_gone_last(plays: list[list[int]]) -> None:
    start = ggp.load(GAMES / "tic-tac-toe/tic-tac-toe.kif").initial
    tree, seen = LineTree(), set[tuple[int, ...]]()
    for play in plays:
        path = tuple(play)
        moves, states = states_along(start, path)
        roles = start.game.roles
        tree.note(
            [
                SittingStep(state, dict(zip(roles, joint, strict=True)), 0.0)
                for joint, state in zip(moves, states, strict=False)
            ]
        )
        seen |= {path[:length] for length in range(1, len(path) + 1)}
        line = [read(step["path"]) for step in tree.shown()]
        assert tree.path == path
        assert line[: len(path)] == [path[: n + 1] for n in range(len(path))]
        others = {read(other["path"]) for step in tree.shown() for other in step["others"]}
        along = {()} | set(line)
        assert others | set(line) == {p for p in seen if p[:-1] in along}


def test_a_line_of_many_who_choose_at_once_is_read_again() -> None:
    # The number of a joint move of 20 roles with 10 moves each has 20 digits.
    rules = "".join(f"(role r{i}) (goal r{i} 0)" for i in range(20))
    rules += "".join(f"(m {i})" for i in range(10)) + "(<= (legal ?r (go ?m)) (role ?r) (m ?m))"
    start = ggp.parse(rules + "(<= (next done) (does r0 ?m)) (<= terminal (true done))").initial
    number = 10**20 - 1
    assert read(written((number,))) == (number,)
    (joint,), _ = states_along(start, read(written((number,))))
    assert set(map(str, joint)) == {"(go 9)"}
