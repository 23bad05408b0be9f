"""Whose turn it is, by enumeration: against the definition, over all plays and all circles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

import pytest

from ggp import parse
from tests.conftest import nightly

STATES, STEPS = 5, 14


def sheet(edges: list[list[int]], owners: list[str], players: list[str]) -> str:
    """One token; who has a choice of where it goes is a fact about the place, or nobody has."""
    ways = "".join(f"(way {i} {j})" for i, own in enumerate(edges) for j in own)
    turns = "".join(f"(of {i} {owner})" for i, owner in enumerate(owners) if owner)
    return f"""{"".join(f"(role {p})" for p in players)} {ways} {turns} (init (at 0))
        (<= (owned ?i) (of ?i ?p))
        (<= (legal ?p (go ?j)) (true (at ?i)) (of ?i ?p) (way ?i ?j))
        (<= (legal ?p noop) (role ?p) (true (at ?i)) (not (of ?i ?p)))
        (<= (next (at ?j)) (does ?p (go ?j)))
        (<= (next (at ?j)) (true (at ?i)) (not (owned ?i)) (way ?i ?j))
        (<= terminal (true (at {len(edges)}))) (<= (goal ?p 50) (role ?p))"""


def plays(edges: list[list[int]]) -> Iterator[list[int]]:
    todo = [[0]]
    while todo:
        play = todo.pop()
        after = edges[play[-1]] if play[-1] < len(edges) else []
        if not after or len(play) > STEPS:
            yield play
        todo += [[*play, j] for j in after if len(play) <= STEPS]


def alternates(edges: list[list[int]], owners: list[str], players: list[str]) -> bool:
    """Whether some circle of the players has each choose at its places of the steps, in all
    plays."""
    chosen = [[owners[i] if i < len(owners) else "" for i in play] for play in plays(edges)]
    count = len(players)
    return any(
        all(p in ("", circle[i % count]) for row in chosen for i, p in enumerate(row))
        for circle in permutations(players)
    )


@pytest.mark.parametrize("seed", [*range(24), *nightly(range(24, 1500))])
def test_of_random_places(seed) -> None:
    dice = random.Random(seed)
    players = ["a", "b", "c"][: dice.choice((2, 2, 3))]
    met: set[str] = set()
    while not met.issuperset(players):
        owners = [dice.choice([*players, ""]) for _ in range(STATES)]
        edges = [
            dice.sample(range(1, STATES + 1), 2 if owner and dice.random() < 0.8 else 1)
            for owner in owners
        ]
        met = {owners[i] for play in plays(edges) for i in play if i < STATES}
    finding = parse(sheet(edges, owners, players)).analyse()["turns"]
    if finding.certainty != "unknown":
        wanted = "alternating" if alternates(edges, owners, players) else "with extra turns"
        assert finding.value == wanted


@pytest.mark.parametrize(
    ("edges", "owners", "turns"),
    [
        ([[1], [2], [2]], ["a", "b", ""], "alternating"),  # nobody has a choice ever again
        ([[1, 2], [3], [1], [0, 4]], ["a", "", "", "b"], "with extra turns"),  # one or two between
        ([[1, 2], [3], [3], [4], [0, 5]], ["a", "", "", "", "b"], "alternating"),  # always two
    ],
)
def test_where_nobody_has_a_choice(edges, owners, turns) -> None:
    finding = parse(sheet(edges, owners, ["a", "b"])).analyse()["turns"]
    assert finding.value == turns
    assert finding.certainty in ("exhaustive", "proved")
    assert alternates(edges, owners, ["a", "b"]) == (turns == "alternating")
