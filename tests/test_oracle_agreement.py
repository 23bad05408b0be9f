"""The package against brute force written apart from it, on random games and on our sheets."""

from __future__ import annotations

import os

import pytest

import ggp
from ggp import NotSolvable
from tests.conftest import GAMES, nightly
from tests.oracle.findings import findings as brute_force
from tests.oracle.gdl import Oracle
from tests.oracle.random_games import random_game, scramble

SEEDS = range(int(os.environ.get("GGP_RANDOM_GAMES", "150")))
COMPARED = (
    "players", "turns", "form", "impartial", "all_small", "cyclic", "shortest_play",
    "longest_play", "reachable_states", "zero_sum",
)  # fmt: skip
SHEETS = [
    "kayles/kayles-7", "domineering/domineering-3x4", "subtraction/sg-123-21-misere",
    "subtraction/sg-12-15", "bisimulation/exits", "three-players/last-match",
    "puzzles/lights-out-3x3", "simultaneous/rock-paper-scissors",
]  # fmt: skip


def found(text: str) -> dict:
    """What the package says, in the shape of the brute force."""
    game = ggp.parse(text)
    findings = game.analyse()
    answers = {name: findings.value(name) for name in COMPARED if name in findings}
    answers["unknown"] = [f.property for f in findings if f.certainty == "unknown"]
    try:
        solution = game.solve(findings=findings)
        answers["goals"] = solution.value(game.initial)
        answers["outcome"] = solution.outcome(game.initial)
        answers["best"] = [str(move) for move in solution.best(game.initial)]
        if hasattr(solution, "nim_value"):
            answers["nim_value"] = solution.nim_value(game.initial)
    except NotSolvable:
        pass
    return answers


def compare(text: str) -> None:
    expected, answers = comparable(brute_force(text), text), found(text)
    for name, value in expected.items():
        assert answers.get(name, "absent") == value, f"{name}\n{text}"


# In 1463 goals are read off a table of which not all comes up; in 1909 there is little choice.
@pytest.mark.parametrize("seed", [*SEEDS[:30], 1463, 1909, *nightly(SEEDS[30:])])
def test_random_games(seed) -> None:
    compare(random_game(seed))


@pytest.mark.parametrize("name", SHEETS)
def test_our_sheets(name) -> None:
    compare((GAMES / f"{name}.kif").read_text(encoding="utf-8"))


def comparable(expected: dict, text: str) -> dict:
    """Without the answers that rest on another choice of what a role's worst and best goals are."""
    goals = [tuple(value for value, _ in role) for role in ggp.parse(text).net.goals]
    left_out = {"outcome_kind"}
    oracle = Oracle(text)
    computed = any(oracle.goal_constants(role) is None for role in oracle.roles)
    if computed or any((min(own), max(own)) != (0, 100) for own in goals):
        left_out |= {"form"}
    if len(set(goals)) > 1:
        left_out |= {"outcome"}
    if "form" not in expected:
        left_out |= {"nim_value"}
    values = set((expected.get("goals") or {}).values())
    if expected["cyclic"] and (min(map(len, goals)) < 2 or len(values) == 1):
        # An end that is a draw, or play without end, which is one as well.
        left_out |= {"goals", "outcome"}
    return {name: value for name, value in expected.items() if name not in left_out}


def same(first: dict, second: dict, names: dict[str, str]) -> None:
    """Answers are the same up to the renaming of roles and moves."""
    for name in first.keys() | second.keys():
        if name == "goals" and first[name] is not None:
            renamed = {names.get(role.lower(), role): goal for role, goal in first[name].items()}
            assert renamed == second[name]
        elif name == "best":
            assert len(first[name]) == len(second[name])
        else:
            assert first[name] == second[name], name


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("seed", [1, 2])
def test_renaming_changes_nothing(name, seed) -> None:
    """docs/semantics.md 17: symbols are scrambled in competitions."""
    text = (GAMES / f"{name}.kif").read_text(encoding="utf-8")
    renamed, names = scramble(text, seed)
    folded = {old.lower(): new for old, new in names.items()}
    same(found(text), found(renamed), folded)


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 40))])
def test_renaming_changes_nothing_in_random_games(seed) -> None:
    text = random_game(seed)
    renamed, names = scramble(text, seed)
    folded = {old.lower(): new for old, new in names.items()}
    same(found(text), found(renamed), folded)


@pytest.mark.parametrize("name", ["sg-125-take", *nightly(["sg-157-floor-2"])])
def test_renamed_heaps_are_the_same_heaps(name) -> None:
    text = (GAMES / "subtraction" / f"{name}.kif").read_text(encoding="utf-8")
    renamed, _ = scramble(text, 3)

    def shape(rules: str) -> list:
        heaps = ggp.parse(rules).analyse().heaps
        return sorted((h.size, h.subtraction_set, h.floor, tuple(h.nim_values)) for h in heaps)

    assert len(shape(text)) == 3
    assert shape(text) == shape(renamed)
