"""Tree search: bounds that hold, the same for the same seed, what is known is kept."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from itertools import product
from math import inf
from unittest.mock import Mock

import numpy as np
import pytest

import ggp
from ggp.errors import NotSolvable
from ggp.limits import DEFAULT
from ggp.machine import machine as machine_module
from ggp.machine.engine import unit as unit_module
from ggp.machine.winning import who_wins
from ggp.play import FlatPlayer, SearchPlayer
from ggp.play.beliefs import Beliefs
from ggp.play.search import growing
from ggp.play.search import search as search_module
from ggp.play.search.leaves import Leaves, Settings
from ggp.play.search.search import TreeSearch
from ggp.play.search.tree import AWAITED, END, FIRST, HIGH, LEAF, LOW, OPEN, VISITS
from ggp.solver import GameSolution
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game

SMALL = Settings(batch=32, plays=1, nodes=20_000)
AHEAD = replace(SMALL, foresight=True)

TIC_TAC_TOE = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"


def bounds_hold(game: ggp.Game, search: TreeSearch) -> int:
    """Hold all bounds of a tree against the values of all positions; how many are exact."""
    solution, tree = GameSolution(game, game.space()), search.tree
    exact = 0
    for node in range(tree.size):
        (bits,) = game.machine.states(tree.rows[node : node + 1])
        state = ggp.State(game, bits)
        value = solution.value(state)
        if value is None or not solution.unique(state):
            continue
        for role, goal in value.items():
            low, high = (float(x[node, game.roles.index(role)]) for x in (tree.low, tree.high))
            assert low <= goal <= high, (str(state), role, goal, low, high)
            exact += low == high
        if tree.kind[node] == END:
            assert state.terminal
    return exact


@pytest.mark.parametrize("seeds", [range(30), *nightly([range(30, 100)])])
@pytest.mark.parametrize("settings", [SMALL, AHEAD], ids=["", "foresight"])
def test_bounds_of_random_games_hold_the_values_of_best_play(seeds, settings) -> None:
    """Two opposed roles, general sums, three roles, one: by `GameSolution`."""
    exact = games = 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        if game.chance is not None or game.initial.terminal or not game.players:
            continue
        if not all(game.initial.legal_indices()):
            continue
        search = TreeSearch(game, 0, seed=seed, settings=settings)
        search.start(game.initial)
        search.run(descents=600)
        try:
            exact += bounds_hold(game, search)
        except (NotSolvable, ggp.GgpError):
            continue
        games += 1
    assert games > 6
    assert exact > 30


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}),
        ("kayles/kayles-7.kif", {}),
        ("clobber/clobber.kif.jinja", {"rows": 3, "columns": 3}),
        ("connect-four/connect-four.kif.jinja", {"columns": 4, "rows": 3, "line": 3}),
        ("three-players/last-match.kif", {}),
        ("puzzles/lights-out-3x3.kif", {}),
    ],
)
@pytest.mark.parametrize("style", [SMALL, AHEAD], ids=["", "foresight"])
def test_games_of_the_library_are_solved_by_bounds(sheet, settings, style) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    search = TreeSearch(game, 0, seed=1, settings=style)
    search.start(game.initial)
    search.run(descents=60_000)
    assert bounds_hold(game, search) > 5
    best = search.best()
    assert best is not None
    if search.is_settled:
        solution = game.solve()
        value = solution.value(game.initial)
        assert value is not None
        assert best.low == best.high == value[game.roles[0]]
        # A single role takes any way to the best goal, not the shortest.
        if len(game.players) == 2 and solution.mover(game.initial) == game.roles[0]:
            assert game.evaluator.move(0, best.move) in solution.best(game.initial)


def test_the_same_seed_finds_the_same() -> None:
    game = ggp.load(TIC_TAC_TOE)
    found = []
    for _ in range(2):
        search = TreeSearch(game, 0, seed=5, settings=SMALL)
        search.start(game.initial)
        search.run(descents=3_000)
        found.append(search.reports())
    assert found[0] == found[1]
    assert sum(report.tried for report in found[0]) >= 2_900


def test_what_is_known_is_kept_from_move_to_move() -> None:
    game = ggp.load(TIC_TAC_TOE)
    search = TreeSearch(game, 0, seed=5, settings=SMALL)
    search.start(game.initial)
    search.run(descents=5_000)
    best = search.best()
    assert best is not None
    before = {report.move: report for report in search.reports()}
    state = game.initial.after([best.move, game.initial.legal_indices()[1][0]])
    search.start(state)
    # Each descent through the move came to the position; others may have come to it as well.
    assert search.visits >= before[best.move].tried - 1
    assert search.tree.kind[search.root] == OPEN
    assert [r.move for r in search.reports()] == list(state.legal_indices()[0])
    assert (search.tree.stat[: search.tree.size, 1] == 0).all()


def test_several_threads_share_a_tree() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4)
    search = TreeSearch(game, 0, seed=5, settings=SMALL, threads=3)
    search.start(game.initial)
    search.run(descents=5_000)
    tree = search.tree
    assert tree.stat[0, 0] == search.descents >= 5_000
    assert (tree.stat[: tree.size, 1] == 0).all()
    assert sum(report.tried for report in search.reports()) == search.descents - 16


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_what_is_under_way_is_a_small_part_of_what_was_done(threads) -> None:
    """Two threads had three eighths of all descents under way, and lost three of four matches
    against one that made as many."""
    under_way, parts = [0], []

    class Counted(TreeSearch):
        def _prepare(self, until, heed):
            batch = super()._prepare(until, heed)
            under_way[0] += len(batch.paths.length)
            if self.visits >= 1_000:
                parts.append(under_way[0] / self.visits)
            return batch

        def _finish(self, batch, played):
            super()._finish(batch, played)
            under_way[0] -= len(batch.paths.length)

    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja")
    search = Counted(game, 0, seed=5, threads=threads)
    search.start(game.initial)
    search.run(descents=6_000)
    assert under_way == [0]
    assert max(parts) < 1 / 7


def test_a_full_tree_is_searched_on() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4)
    search = TreeSearch(game, 0, seed=5, settings=Settings(batch=32, plays=1, nodes=300))
    search.start(game.initial)
    search.run(descents=4_000)
    assert search.tree.size <= 300
    assert search.descents >= 4_000


@pytest.mark.parametrize("threads", [1, 3])
def test_a_full_tree_lets_go_of_what_was_come_to_least(threads) -> None:
    """Again and again; what is left is a tree whose bounds hold."""
    game = ggp.load(TIC_TAC_TOE)
    settings = Settings(batch=32, plays=1, nodes=400)
    search = TreeSearch(game, 0, seed=5, settings=settings, threads=threads)
    trees = 0
    search.start(game.initial)
    for _ in range(60):
        before, root = search.tree, [r.tried for r in search.reports()]
        search.run(descents=200)
        tree = search.tree
        trees += tree is not before
        assert 1 < tree.size <= 400
        # Of the position that is thought about all is kept.
        assert [r.tried for r in search.reports()] >= root
        opened = np.flatnonzero(tree.kind[: tree.size] == OPEN)
        for node in opened.tolist():
            first, count = int(tree.first_slot[node]), int(tree.counts[node].prod())
            children = tree.slots[first : first + count]
            assert ((children >= 0) & (children < tree.size)).all()
            (bits,) = game.machine.states(tree.rows[node : node + 1])
            state = ggp.State(game, bits)
            after = {state.after(joint).bits for joint in product(*state.legal_indices())}
            assert set(game.machine.states(tree.rows[children])) == after
        assert not (tree.kind[: tree.size] == AWAITED).any()
        assert (tree.stat[: tree.size, 1] == 0).all()
        bounds_hold(game, search)
        if search.is_settled:
            break
    assert trees >= 1


@pytest.mark.parametrize("room", [0, 10, 100, 1_000, 3_000, 10**6])
def test_how_often_positions_have_to_have_been_come_to_for_a_tree_of_a_size(room) -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4)
    search = TreeSearch(game, 0, seed=5, settings=SMALL)
    search.start(game.initial)
    search.run(descents=3_000)
    tree, root = search.tree, int(search.tree.slots[2])
    found = growing.reach(tree, root)
    opened = [n for n in np.flatnonzero(found).tolist() if tree.kind[n] == OPEN]
    least = growing.least_visits(tree, found, room)

    def leads_to(visits: float) -> int:
        """How many positions those lead to that were come to so often."""
        kept = [n for n in opened if tree.stat[n, VISITS] >= visits]
        return sum(int(tree.counts[n].prod()) for n in kept)

    assert leads_to(least) <= room
    assert least == 0 or leads_to(least - 1) > room


def test_no_more_is_copied_than_there_is_time_for() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4)
    search = TreeSearch(game, 0, seed=5, settings=Settings(batch=32, plays=1, nodes=2_000))
    search.start(game.initial)
    search.run(descents=4_000)
    tree, size = search.tree, search.tree.size
    search._copying = 1e9
    search.run(time.monotonic() + 0.2)
    assert search.tree is tree
    assert tree.size >= size
    # But the moves of the position that is thought about are to be known.
    leaf = int(np.flatnonzero(tree.kind[: tree.size] == LEAF)[0])
    (bits,) = game.machine.states(tree.rows[leaf : leaf + 1])
    search.start(ggp.State(game, bits))
    search.run(time.monotonic() + 0.2)
    assert search.best() is not None


def test_a_full_tree_is_thinned_out_where_the_clock_is_short(monkeypatch) -> None:
    """It was waited for time to copy all of it, which takes longer than a move of a second: so
    it was full, and grew no more, for the rest of a match."""
    monkeypatch.setattr(search_module, "WORTHWHILE", 1_000)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja")
    search = TreeSearch(game, 0, seed=5, settings=Settings(plays=1, nodes=20_000))
    search.start(game.initial)
    clock = 1_000.0
    # A quarter of the clock is enough for so many positions.
    search._copying = clock / 4 / 900
    while search._has_room():
        search.run(time.monotonic() + clock, descents=1_000)
    size, report = search.tree.size, search.reports()
    search.run(time.monotonic() + clock, descents=256)
    assert search.tree.size >= size
    search._copying = clock / 4 / 2_500
    search.run(time.monotonic() + clock, descents=256)
    assert 1_000 < search.tree.size < 8_000
    assert all(a.tried >= b.tried for a, b in zip(search.reports(), report, strict=True))


NOT_OPPOSED = """
(role a) (role b) (init (step 1)) (init lucky)
(<= (legal a (go ?x)) (way ?x)) (legal b noop)
(way 1) (way 2) (way 3) (way 4) (way 5) (way 6) (way 7) (way 8)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= (next lucky) (true lucky) (does a (go 7)))
(<= (next gift) (true lucky) (true (step 4)) (does a (go 6)))
(<= (next slip) (true (step 1)) (does a (go 3))) (<= (next slip) (true slip))
(<= (next trade) (true (step 1)) (does a (go 4))) (<= (next trade) (true trade))
(<= terminal (true (step 5)))
(<= odd (true gift)) (<= odd (true slip)) (<= odd (true trade)) (<= odd (true lucky))
(<= (goal ?r 100) (role ?r) (true lucky))
(<= (goal a 60) (not odd)) (<= (goal b 40) (not odd))
(<= (goal a 100) (true gift)) (<= (goal b 0) (true gift))
(<= (goal a 0) (true slip)) (<= (goal b 100) (true slip))
(<= (goal a 40) (true trade)) (<= (goal b 60) (true trade))
"""


def test_interests_that_only_seemed_opposed() -> None:
    """All ends but one in 4,096 give 100 together; that one gives 100 to each."""
    game = ggp.parse(NOT_OPPOSED)
    found = set()
    for seed in range(3):
        search = TreeSearch(game, 0, seed=seed, settings=SMALL)
        search.start(game.initial)
        search.run(descents=20_000)
        assert not search._rules.opposed
        bounds_hold(game, search)
        best = search.best()
        assert best is not None
        found.add(str(game.evaluator.move(0, best.move)))
    assert found == {"(go 7)"}


SIMULTANEOUS = """
(role a) (role b) (init start)
(<= (legal ?r (show ?x)) (role ?r) (hand ?x))
(hand 1) (hand 2) (hand 3)
(<= (next (shown ?r ?x)) (does ?r (show ?x)))
(<= terminal (true (shown a ?x)))
(<= (goal a 100) (true (shown a 2))) (<= (goal a 0) (true (shown a ?x)) (distinct ?x 2))
(<= (goal b 100) (true (shown b 3))) (<= (goal b 0) (true (shown b ?x)) (distinct ?x 3))
"""


def test_simultaneous_moves_are_chosen_role_by_role() -> None:
    """Each role has one move that is best whatever the other does."""
    game = ggp.parse(SIMULTANEOUS)
    for role, wanted in enumerate(("(show 2)", "(show 3)")):
        search = TreeSearch(game, role, settings=SMALL)
        search.start(game.initial)
        search.run(descents=3_000)
        best = search.best()
        assert best is not None
        assert str(game.evaluator.move(role, best.move)) == wanted


CHANCE = """
(role a) (role random) (init (turn a))
(<= (legal a safe) (true (turn a))) (<= (legal a gamble) (true (turn a)))
(<= (legal a wait) (not (true (turn a))))
(<= (legal random (die ?x)) (true (turn random)) (side ?x))
(<= (legal random wait) (not (true (turn random))))
(side 1) (side 2) (side 3) (side 4)
(<= (next (turn random)) (does a gamble)) (<= (next (got 40)) (does a safe))
(<= (next (got 100)) (does random (die 1)))
(<= (next (got 20)) (does random (die ?x)) (distinct ?x 1))
(<= terminal (true (got ?x))) (<= (goal a ?x) (true (got ?x))) (goal random 0)
"""


def test_chance_is_a_mean_not_an_opponent() -> None:
    """One side of four wins 100, the others 20: 40 on average, like the safe move; with 24 for
    the others the die is better."""
    game = ggp.parse(CHANCE.replace("20", "24").replace("(got 40)", "(got 30)"))
    search = TreeSearch(game, 0, settings=SMALL)
    search.start(game.initial)
    search.run(descents=3_000)
    best = search.best()
    assert best is not None
    assert str(game.evaluator.move(0, best.move)) == "gamble"
    assert 38 < best.value < 48  # 43 on average
    assert (best.low, best.high) == (24, 100)


def test_perfect_against_chance_in_tic_tac_toe() -> None:
    """Whoever searches a little does not lose to a random mover, on either side."""
    game = ggp.load(TIC_TAC_TOE)
    rng = random.Random(2)
    for number in range(12):
        role = number % 2
        search = TreeSearch(game, role, seed=number, settings=SMALL)
        state = game.initial
        while not state.terminal:
            joint = [rng.choice(own) for own in state.legal_indices()]
            if len(state.legal_indices()[role]) > 1:
                search.start(state)
                search.run(descents=2_000)
                best = search.best()
                assert best is not None
                joint[role] = best.move
            state = state.after(joint)
        assert state.goals[game.roles[role]] >= 50


def test_what_is_sure_is_reached_though_play_can_go_round() -> None:
    """Each lamp can be pressed again and again; what was found first leads to the end."""
    game = ggp.load(GAMES / "puzzles" / "lights-out-3x3.kif")
    for seed in range(5):
        search = TreeSearch(game, 0, seed=seed, settings=SMALL)
        state, settled = game.initial, 0
        for _ in range(200):
            if state.terminal:
                break
            search.start(state)
            search.run(descents=400 if settled else 4_000)
            best = search.best()
            assert best is not None
            settled += best.low == 100
            state = state.after([best.move])
        assert state.terminal
        assert state.goals == {"player": 100}
        assert settled < 60


def test_the_lead_is_over_what_may_still_be_made() -> None:
    game = ggp.load(TIC_TAC_TOE)
    search = TreeSearch(game, 0, seed=3, settings=SMALL)
    search.start(game.initial)
    assert search.lead() == 0
    search.run(descents=800)
    tried = sorted((report.tried for report in search.reports()), reverse=True)
    assert search.lead() == tried[0] - tried[1]


def test_threads_that_find_that_interests_are_not_opposed() -> None:
    """The tree is begun anew while another thread has a batch under way."""
    game = ggp.parse(NOT_OPPOSED)
    for seed in range(12):
        search = TreeSearch(game, 0, seed=seed, settings=SMALL, threads=3)
        search.start(game.initial)
        search.run(descents=6_000)
        tree = search.tree
        assert (tree.stat[: tree.size, 1] == 0).all()
        bounds_hold(game, search)


WIDE = """
(role a) (role b) (init s)
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
(<= (legal ?r (pick ?x ?y)) (role ?r) (digit ?x) (digit ?y))
(<= (next (picked ?r ?x)) (does ?r (pick ?x ?y)))
(<= terminal (true (picked a ?x)))
(<= (goal ?r 100) (role ?r) (true (picked ?r 7)))
(<= (goal ?r 0) (role ?r) (not (true (picked ?r 7))))
"""


def test_positions_with_too_many_joint_moves_are_not_opened() -> None:
    """10,000 joint moves of two roles at once; with fewer the best is found."""
    search = TreeSearch(ggp.parse(WIDE), 0, settings=SMALL)
    search.start(search.game.initial)
    search.run(descents=100)
    assert search.best() is None
    assert search.tree.size == 1
    game = ggp.parse(WIDE.replace("(digit 0) (digit 1) (digit 2)", ""))
    search = TreeSearch(game, 0, settings=SMALL)
    search.start(game.initial)
    search.run(descents=2_000)
    best = search.best()
    assert best is not None
    assert str(game.evaluator.move(0, best.move)).startswith("(pick 7 ")


def test_random_plays_where_somebody_cannot_move() -> None:
    """A fault of the rules counts as even; it was an error of numpy's."""
    rules = "(role a) (role b) (legal a x) (legal a y) (<= (legal b x) (true never))"
    game = ggp.parse(rules + "(<= (next never) (true never)) (<= terminal (true never)) (goal a 1)")
    player = FlatPlayer(game, "a", seed=1)
    assert str(player.choose(game.initial, 0.05)) in ("x", "y")


def test_a_batch_that_was_overtaken_by_two_recyclings_leaves_nothing_behind() -> None:
    """The tree that it began with was the spare in between, and is the live one once more."""
    game = ggp.load(TIC_TAC_TOE)
    settings = Settings(nodes=150, batch=16, lanes=4, plays=1)
    overtaken = 0
    for seed in range(20):
        search = TreeSearch(game, 0, seed=seed, settings=settings)
        search.start(game.initial)
        search.run(descents=100)
        batch = search._prepare(inf, lambda: None)
        for _ in range(200):
            if search._generation >= batch.generation + 2 or search.is_settled:
                break
            search._batch(inf, lambda: None)
        overtaken += search._generation >= batch.generation + 2
        search._finish(batch, search._play(batch, inf))
        if search._generation > batch.generation:
            nothing_is_under_way(search)
    assert overtaken


def nothing_is_under_way(search: TreeSearch) -> None:
    tree = search.tree
    assert (tree.stat[: tree.size, 1] == 0).all()
    assert not (tree.kind[: tree.size] == AWAITED).any()


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("helping", [0.0, inf])
def test_batches_by_several_threads_leave_nothing_under_way(monkeypatch, threads, helping) -> None:
    """Whether the thread with the tree plays or waits, and whether the search is ended from
    outside, or by something that goes wrong in a play."""
    monkeypatch.setattr("ggp.play.search.batches.HELPING", helping)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=5)
    search = TreeSearch(game, 0, settings=Settings(batch=16), threads=threads)
    search.start(game.initial)
    search.run(descents=2_000)
    assert search.descents == search.visits >= 2_000
    nothing_is_under_way(search)

    looks = iter(range(20))

    def stop() -> None:
        if next(looks, None) is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(heed=stop)
    nothing_is_under_way(search)
    before, played = search.descents, search._play

    def fails(batch, until):
        if next(looks, None) is None:
            raise MemoryError
        return played(batch, until)

    looks = iter(range(20))
    with monkeypatch.context() as patch:
        patch.setattr(search, "_play", fails)
        with pytest.raises(MemoryError):
            search.run()
    nothing_is_under_way(search)
    assert search.descents > before
    assert search.descents == search.visits
    assert search.best()


def test_a_root_that_has_no_room_begins_anew() -> None:
    """The tree is not full, but what the position leads to does not fit in any more."""
    facts = " ".join(f"(num {i}) (num2 {i})" for i in range(60))
    game = ggp.parse(
        f"""(role a) {facts} (init (step 0)) (<= (legal a (go ?i)) (num ?i))
        (<= (next (at ?i)) (does a (go ?i))) (<= (next (was ?i)) (true (at ?i)))
        (<= (next (was ?i)) (true (was ?i))) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (<= terminal (true (step 5)))
        (<= (goal a 100) (true (was 7))) (<= (goal a 0) (not (true (was 7))))"""
    )
    settings = Settings(nodes=200, batch=16, lanes=16, plays=1)
    search, state, rng = TreeSearch(game, 0, seed=1, settings=settings), game.initial, [3, 9, 11, 2]
    for move in rng:
        search.start(state)
        search.run(descents=200)
        assert search.best() is not None
        state = state.after([state.legal_indices()[0][move]])


def test_what_one_role_gets_for_sure_is_kept_with_the_moves_that_lead_to_it() -> None:
    """Bounds of a position that is a leaf again say more than those of what it leads to."""
    game = ggp.load(TIC_TAC_TOE)
    search = TreeSearch(game, 0, seed=1, settings=SMALL)
    state = game.state(
        "(cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b)"
        " (cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control xplayer)".replace(") (", ")|(").split("|")
    )
    search.start(state)
    tree = search.tree
    tree.stat[search.root, FIRST + LOW] = tree.stat[search.root, FIRST + HIGH] = 100.0
    search.run(descents=2_000)
    best = search.best()
    assert search.is_settled
    assert best is not None
    assert best.low == 100


def test_chance_alone_and_chance_without_goals() -> None:
    chance = """(role random) (init (at 0)) (<= (legal random l) (true (at 0)))
        (<= (legal random r) (true (at 0))) (<= (next (at 1)) (does random l))
        (<= (next (at 2)) (does random r)) (<= terminal (not (true (at 0))))
        (<= (goal random 100) (true (at 1))) (<= (goal random 0) (true (at 2)))"""
    alone = ggp.parse(chance)
    player = SearchPlayer(alone, "random", seed=1)
    assert {str(s.move) for s in player.suggestions(alone.initial, 0.1)} <= {"l", "r"}
    both = chance.replace("(role random)", "(role a) (role random) (legal a x)")
    game = ggp.parse(both.replace("(goal random", "(goal a"))
    player = SearchPlayer(game, "random", seed=1)
    player.prepare(5.0)
    assert player.insight(game.initial).value is None


def test_leaves_look_ahead_once_that_is_made() -> None:
    """In the background, once; plays are as they were until then, and other plays after it."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3)
    leaves = Leaves(game, Settings())
    rows = game.machine.rows([game.initial.bits])
    before, _ = leaves.played(rows, 1, inf)
    leaves.foresee_soon()
    thread = leaves.foreseeing
    leaves.foresee_soon()
    assert leaves.foreseeing is thread
    assert thread
    thread.join()
    assert leaves.foresight
    after, _ = leaves.played(rows, 1, inf)
    assert before.tolist() != after.tolist()
    at_once, _ = Leaves(game, Settings(foresight=True)).played(rows, 1, inf)
    assert after.tolist() == at_once.tolist()


@pytest.mark.parametrize("fails", [None, MemoryError, KeyboardInterrupt])
def test_plays_stay_as_they_were_where_nothing_is_foreseen(fails, monkeypatch) -> None:
    """As roles choose at once, memory runs out, or somebody asks for the end; without a word."""
    said: list[object] = []
    monkeypatch.setattr(threading, "excepthook", said.append)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3)
    if fails:
        monkeypatch.setattr(machine_module, "foreseeing_step", Mock(side_effect=fails))
    else:
        game = ggp.load(next((GAMES / "simultaneous").glob("*.kif")))
    leaves = Leaves(game, Settings())
    leaves.foresee_soon()
    assert leaves.foreseeing
    leaves.foreseeing.join()
    assert not leaves.foresight
    assert not said


def _no_memory(*_: object) -> None:
    raise MemoryError


def test_the_player_looks_ahead_where_the_game_is_not_solved() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=7, rows=6)
    player = SearchPlayer(game, "red", seed=1, positions=1000)
    player.prepare(0.2)
    for _ in player.suggestions(game.initial, 0.1):
        pass
    search = player.search_of(game.initial)
    assert search
    assert search.leaves.foreseeing
    search.leaves.foreseeing.join()
    assert search.leaves.foresight


@pytest.mark.parametrize("columns", [5, 14])
def test_a_position_won_in_one_move_is_known_as_it_is_found(columns) -> None:
    """With foresight no position of the tree is open to doubt where its mover wins at once, neither
    for the mover nor for the other, if the one before it has many moves; else as without."""
    game = ggp.load(
        GAMES / "connect-four" / "connect-four.kif.jinja", columns=columns, rows=4, line=3
    )
    asked = who_wins(game.machine)
    assert asked
    sure = []
    for settings in (SMALL, AHEAD):
        search = TreeSearch(game, 0, seed=2, settings=settings)
        search.start(game.initial)
        search.run(descents=600)
        assert search._rules.opposed
        tree = search.tree
        going = np.flatnonzero(tree.kind[1 : tree.size] != END) + 1
        won = [(n, r) for n, r in zip(going, asked(tree.rows[going]), strict=True) if r >= 0]
        known = [tree.low[n, r] == 100 and tree.high[n, 1 - r] == 0 for n, r in won]
        assert len(known) > 5
        sure.append(sum(known) / len(known))
    assert sure[0] < 0.9
    assert sure[1] == 1 if columns > 12 else sure[1] < 0.9


def test_code_that_cannot_be_made_is_not_looked_ahead_by(monkeypatch) -> None:
    """Interpreted it would be slower than what there is."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3)
    for way in ("_assemble", "_compiled"):
        monkeypatch.setattr(unit_module.Unit, way, _no_memory)
    leaves = Leaves(game, Settings())
    leaves.foresee_soon()
    assert leaves.foreseeing
    leaves.foreseeing.join()
    assert not leaves.foresight


@pytest.mark.parametrize("choice", ["interpreter", "llvm"])
def test_engines_that_are_asked_for_look_ahead_as_they_are(choice, monkeypatch) -> None:
    """What only runs as machine code is compiled before it is used."""
    monkeypatch.setenv("GGP_ENGINE", choice)
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3)
    leaves = Leaves(game, Settings())
    leaves.foresee_soon()
    assert leaves.foreseeing
    leaves.foreseeing.join()
    assert leaves.foresight
    player = game.machine.foreseeing
    assert player
    assert all((unit.native is not None) == (choice == "llvm") for unit in player.units)


def test_guesses_without_a_net_wait_for_a_whole_round(monkeypatch) -> None:
    """However short the slice of one of many states is: nothing would be told of any."""
    text = "(role a) (role b) (legal a x) (legal a y) (legal b z) (init s) (sees a t) "
    ends = "(<= (next t) (does a y)) (<= (next u) (does a x)) (<= terminal (not (true s)))"
    text += ends + "(<= (goal a 100) (true t)) (<= (goal a 0) (not (true t))) (goal b 0)"
    game = ggp.parse(text, limits=replace(DEFAULT, ground_rules=1))
    assert not game.is_ground
    player = SearchPlayer(game, "a", seed=1)
    beliefs = Beliefs(game, "a", seed=1)
    states = [game.initial, *(game.state(["s", other]) for other in ("t", "u"))]
    beliefs.weights = dict.fromkeys(states, 1 / 3)

    def rounds(state, until):
        if until - time.monotonic() > 20:
            yield np.array([0.0, 100.0]), 1

    monkeypatch.setattr(player._flat, "rounds", rounds)
    guesses = player.guesses(beliefs, 60)
    next(guesses)
    assert str(next(guesses).move) == "y"


@pytest.mark.parametrize("is_solved", [False, True])
def test_in_the_turn_of_another_its_moves_are_told_of(is_solved: bool) -> None:
    """With what is expected for the own role: after one of the two moves of left it is won for
    right."""
    game = ggp.parse(TURN_OF_ANOTHER)
    player = SearchPlayer(game, "right", seed=1)
    if is_solved:
        player.prepare(60.0)
    wanted, told = {"good": False, "bad": True}, dict[str, bool]()
    for _ in range(100):  # a busy machine may do little in the time of one
        player.ponder(game.initial, 0.3)
        insight = player.insight(game.initial)
        assert insight.mover == "left"
        told = {move: value > 50 for move, value in insight.moves}
        if told == wanted:
            break
    assert (player.solution is not None) == is_solved
    assert told == wanted


TURN_OF_ANOTHER = """
(role left) (role right) (init (control left)) (init fresh)
(<= (legal left good) (true (control left))) (<= (legal left bad) (true (control left)))
(<= (legal right wait) (true (control left)))
(<= (legal left wait) (true (control right)))
(<= (legal right take) (true (control right))) (<= (legal right leave) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= (next lost) (does left bad)) (<= (next lost) (true lost))
(<= (next over) (true (control right))) (<= (next took) (does right take))
(<= terminal (true over))
(<= (goal right 100) (true lost) (true took)) (<= (goal right 0) (not won))
(<= won (true lost) (true took))
(<= (goal left 0) won) (<= (goal left 100) (not won))
"""


def graded(steps: int, *, cash: int, other: int) -> str:
    """The first role may take what is sure at once; else the roles pick one of eight numbers by
    turns, and the second wins all unless it picks the first one's last number at the end, which no
    one sees coming in a long game."""
    turns = "".join(f"(turn {'ab'[n % 2]} {n})(succ {n} {n + 1})" for n in range(steps))
    return f"""
(role a)(role b)(init (step 0)){turns}(num 1)(num 2)(num 3)(num 4)(num 5)(num 6)(num 7)(num 8)
(<= (legal ?r (pick ?x)) (true (step ?s)) (turn ?r ?s) (num ?x))
(<= (legal a cash) (true (step 0)))
(<= (legal ?r noop) (role ?r) (true (step ?s)) (not (turn ?r ?s)))
(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
(<= (next (did ?s ?x)) (does ?r (pick ?x)) (true (step ?s)))
(<= (next (did ?s ?x)) (true (did ?s ?x)))
(<= (next cashed) (does a cash))
(<= terminal (true cashed))
(<= terminal (true (step {steps})))
(<= lucky (true (did {steps - 1} ?x)) (true (did {steps - 2} ?x)))
(<= (goal a {cash}) (true cashed))
(<= (goal b {other}) (true cashed))
(<= (goal a 100) (not (true cashed)) lucky)
(<= (goal b 0) (not (true cashed)) lucky)
(<= (goal a 0) (not (true cashed)) (not lucky))
(<= (goal b 100) (not (true cashed)) (not lucky))
"""


@pytest.mark.parametrize(("cash", "other"), [(99, 1), (50, 50), (30, 70)])
def test_what_is_sure_is_taken_where_more_is_not_to_be_expected(cash: int, other: int) -> None:
    """A move to the end was hardly tried any more once it was known, and never made."""
    game = ggp.parse(graded(16, cash=cash, other=other))
    search = TreeSearch(game, 0, seed=1, settings=SMALL)
    search.start(game.initial)
    search.run(descents=2000)
    best = search.best()
    assert best is not None
    assert str(game.evaluator.move(0, best.move)) == "cash"
    assert best.value == cash
    # Search goes on: what is hoped for may turn out to be better.
    assert search.lead() == 0
    assert [str(move) for move in search.line(1)[0]] == ["cash", "noop"]
