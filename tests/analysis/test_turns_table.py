"""Places in a circle of turns of two, three and four players, against all circles and plays."""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis.claims import turns
from ggp.analysis.claims.order import out_of_order
from tests.analysis.test_small_claims_table import places
from tests.analysis.test_turn_claims import PROVED, context, handed, told


def fits(moves, mover, players: int) -> bool:
    """Whether in some circle of players each position has one place, from the first on, and who
    chooses there is who has that place; of positions from which somebody chooses yet."""
    after: dict[int, list[int]] = {}
    for a, b in moves:
        after.setdefault(a, []).append(b)
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        here = todo.pop()
        if here not in seen:
            seen.add(here)
            todo += [(b, (here[1] + 1) % players) for b in after.get(here[0], ())]

    def chooses_yet(place: int) -> bool:
        found, open_ = set(), [place]
        while open_:
            at = open_.pop()
            if at not in found:
                found.add(at)
                open_ += after.get(at, ())
        return any(mover[at] >= 0 for at in found)

    kept = {(at, n) for at, n in seen if chooses_yet(at)}
    return len(dict(kept)) == len(kept) and any(
        all(mover[at] in (-1, circle[n]) for at, n in kept)
        for circle in itertools.permutations(range(players))
    )


@pytest.mark.parametrize(
    ("moves", "depth", "mover", "players", "tells"),
    [
        # Three in turn, forward and backward, and twice round.
        ([(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3], [0, 1, 2, 0], 3, True),
        ([(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3], [0, 2, 1, 0], 3, True),
        ([(0, 1), (1, 2), (2, 0)], [0, 1, 2], [0, 1, 2], 3, True),
        ([(0, 1), (1, 0)], [0, 1], [0, 1], 3, False),
        ([(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3], [0, 1, 0, 1], 3, False),
        ([(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3], [0, 1, 2, 1], 3, False),
        # A circle of four moves is one of four, of two, and not of three.
        ([(0, 1), (1, 2), (2, 3), (3, 0)], [0, 1, 2, 3], [0, 1, 2, 3], 4, True),
        ([(0, 1), (1, 2), (2, 3), (3, 0)], [0, 1, 2, 3], [0, 1, 0, 1], 2, True),
        ([(0, 1), (1, 2), (2, 3), (3, 0)], [0, 1, 2, 3], [0, -1, -1, -1], 3, False),
        # Where nobody has a choice yet to come, there may be any circle.
        ([(0, 1), (1, 2), (2, 3), (3, 1)], [0, 1, 2, 3], [0, -1, -1, -1], 2, True),
        ([], [0], [0], 2, True),
    ],
)
def test_a_position_has_one_place_in_a_circle_of_players(
    moves, depth, mover, players, tells
) -> None:
    assert places(moves, depth, mover, players) is tells
    assert fits(moves, mover, players) is tells


@pytest.mark.parametrize("seed", range(60))
def test_places_are_found_as_by_all_circles(seed) -> None:
    """Random positions; who chooses there is by a circle, but for one or two of them."""
    rng = random.Random(seed)
    for _ in range(20):
        players, count = rng.randint(2, 3), rng.randint(2, 7)
        moves = {(rng.randrange(b), b) for b in range(1, count)}
        moves |= {(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(0, 1))}
        depth = [0] + [count] * (count - 1)
        for _ in range(count):
            for a, b in moves:
                depth[b] = min(depth[b], depth[a] + 1)
        mover = [rng.choice((-1, n % players)) for n in depth]
        if rng.random() < 0.5:
            mover[rng.randrange(count)] = rng.randrange(players)
        if set(range(players)) <= set(mover):
            listed = sorted(moves)
            assert places(listed, depth, mover, players) is fits(listed, mover, players)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_steps_are_in_order_where_they_may_be_of_one_circle(count) -> None:
    """Against all circles of all roles."""
    roles = "abcd"[:count]
    pairs = list(itertools.product(range(count), repeat=2))
    circles = [set(zip(c, (*c[1:], c[0]), strict=True))
               for c in itertools.permutations(range(count))]  # fmt: skip
    for size in range(4):
        for steps in itertools.permutations(pairs, size):
            fault = out_of_order(steps, roles)
            assert (fault is None) == any(circle >= set(steps) for circle in circles)
            if fault is not None:
                # The steps that show it are out of order by themselves.
                shown = fault[1]
                assert set(shown) <= set(steps)
                assert out_of_order(shown, roles) is not None


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([(1, 1)], "b is to move twice running"),
        ([(0, 1), (0, 2)], "after a's turn comes b's, and c's at another time"),
        ([(0, 1), (2, 1)], "it is b's turn after a and after c"),
        ([(0, 1), (1, 0)], "the turn goes round a, b only"),
        ([(1, 2), (2, 1)], "the turn goes round b, c only"),
    ],
)
def test_what_is_out_of_order_is_said(steps, why) -> None:
    assert out_of_order(steps, "abc") == (why, steps)


@pytest.mark.parametrize(
    ("ways", "is_proved"),
    [
        ("paq pbq qar qbr ras rbs sap sbp", True),
        ("paq pbq qar qbr ras rbs sar sbr", False),
        ("paq pbq qap qbp", True),
    ],
)
def test_turns_of_four_that_moves_hand_on(ways, is_proved) -> None:
    game = handed(ways, length=6)
    finding = turns.prove(context(game).proofs, False)
    assert (told(finding) == PROVED) == is_proved
    assert told(turns.enumerated(context(game)))[0] == (
        "alternating" if is_proved else "with extra turns"
    )


@pytest.mark.parametrize(
    ("players", "chance", "text"),
    [(1, None, "there is one role"), (1, 1, "there is one role besides chance")],
)
def test_one_player_is_told(players, chance, text) -> None:
    game = SimpleNamespace(players=["p"] * players, chance=chance)
    finding = turns.by_marker(SimpleNamespace(game=game))
    assert (finding.value, finding.certainty, finding.evidence.why) == (
        "single-player",
        "proved",
        text,
    )


def test_rules_without_turns_are_not_told_by_a_marker() -> None:
    for own in (None, SimpleNamespace(alternating=False)):
        game = SimpleNamespace(players=["p", "q"], turns=own)
        assert turns.by_marker(SimpleNamespace(game=game)) is None


def test_a_game_in_which_who_moved_moves_on_and_acts() -> None:
    """Each has one move; that of q does nothing, until it is its turn."""
    game = ggp.parse("""(role p) (role q) (init (at 0)) (init even) (s 0 1) (s 1 2) (s 2 3)
        (<= (legal p push) (true even)) (<= (legal p lean) (not (true even)))
        (<= (legal q push) (not (true even))) (<= (legal q lean) (true even))
        (<= (next (at ?n)) (true (at ?m)) (s ?m ?n) (does ?r push))
        (<= (next even) (not (true even))) (<= terminal (true (at 3)))
        (<= (goal ?r 50) (role ?r))""")
    finding = turns.enumerated(context(game))
    assert finding.value == "alternating"
