"""Positions fall into parts that are what a sum of games is."""

from __future__ import annotations

import random
from functools import cache

import pytest

import ggp
from ggp.analysis.boards.boards import Boards
from ggp.solver import summands
from ggp.theory import mex, nim_sum
from tests.analysis.test_octal import BEFORE, NEXT, ONE, row
from tests.conftest import GAMES


def moves_of(game: ggp.Game, state: ggp.State, role: str) -> list[str]:
    return [] if state.terminal else [str(m) for m in state.legal(role) if str(m) != "noop"]


@pytest.mark.parametrize(
    "game",
    [
        ggp.load(GAMES / "kayles" / "kayles.kif.jinja", n=9),
        ggp.parse(row(8, "(<= (may ?x) (true (on ?x)))", ONE + NEXT + BEFORE)),
    ],
    ids=["kayles", "dawson"],
)
def test_nim_values_of_parts_add_up(game) -> None:
    """Sprague and Grundy: the nim-value of a sum is the nim-sum, here of parts played alone."""
    boards = Boards(game.net, game.marker, 10)

    @cache
    def value(state: ggp.State, allowed: frozenset[int] | None) -> int:
        """By brute force; with `allowed` moves only."""
        role = game.roles[game.marker.role(state.bits)]
        index = game.net.move_index[game.roles.index(role)]
        found = []
        for move in moves_of(game, state, role):
            if allowed is None or index[game.term(move)] - offset[role] in allowed:
                found.append(value(state.play(move), allowed))
        return mex(found)

    offset = dict(zip(game.roles, game.net.move_offset, strict=True))
    seen = set()
    for seed in range(12):
        for state, _ in game.random_playout(seed=seed):
            if state in seen or state.terminal:
                continue
            seen.add(state)
            parts = summands(boards, state.bits)
            role = game.marker.role(state.bits)
            alone = [
                frozenset(m - game.net.move_offset[r] for r, m in part.moves if r == role)
                for part in parts
            ]
            assert value(state, None) == nim_sum(value(state, own) for own in alone)
    assert any(len(summands(boards, s.bits)) > 1 for s in seen)


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("domineering/domineering.kif.jinja", {"rows": 4, "columns": 4}),
        ("clobber/clobber.kif.jinja", {"rows": 3, "columns": 4}),
        ("kayles/kayles-7.kif", {}),
    ],
)
def test_a_move_in_one_part_leaves_the_others_alone(sheet, settings) -> None:
    """Their fluents and legal moves, for both players, along random plays; each move is in one."""
    game = ggp.load(GAMES / sheet, **settings)
    boards = Boards(game.net, game.marker, 10)
    choose, most = random.Random(1), 0
    for seed in range(6):
        for state, joint in game.random_playout(seed=seed):
            parts = summands(boards, state.bits)
            most = max(most, len(parts))
            inside = {f for part in parts for f in part.fluents}
            assert len(inside) == sum(len(part.fluents) for part in parts)
            if not joint:
                break
            for role in game.roles:
                placed = game.state(
                    game.evaluator.facts(game.marker.place(state.bits, game.roles.index(role)))
                )
                legal = moves_of(game, placed, role)
                home = {move: part_of(game, parts, role, move) for move in legal}
                assert None not in home.values()
                for move in choose.sample(legal, min(3, len(legal))):
                    after = game.marker.board(placed.play(move).bits)
                    changed = {f for f in boards.inputs if (after ^ placed.bits) >> f & 1}
                    assert changed <= set(parts[home[move]].fluents)
                    again = game.state(
                        game.evaluator.facts(game.marker.place(after, game.roles.index(role)))
                    )
                    left = set(moves_of(game, again, role))
                    for other in legal:
                        if home[other] != home[move]:
                            assert other in left
    assert most > 1


def part_of(game, parts, role: str, move: str) -> int | None:
    index = game.roles.index(role)
    key = index, game.net.move_index[index][game.term(move)]
    found = [i for i, part in enumerate(parts) if key in part.moves]
    return found[0] if len(found) == 1 else None
