"""One role alone: ways that are found can be gone, and in small games the best is found."""

from __future__ import annotations

import random
import time

import pytest

import ggp
from ggp.errors import LimitReached
from ggp.play import SearchPlayer
from ggp.solver.alone.beams import LineSearch, LineStep
from tests.conftest import GAMES

LIGHTS_OUT = GAMES / "puzzles" / "lights-out-3x3.kif"

TOO_EARLY = """
(role a) (init (step 0)) (init (at 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(legal a wait) (<= (legal a go) (true (at ?x)) (succ ?x ?y))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does a go))
(<= (next (at ?x)) (true (at ?x)) (does a wait))
(<= terminal (true (step 4))) (<= terminal (true (at 2)))
(<= won (true (step 3)) (true (at 2)))
(<= (goal a 100) won) (<= (goal a 30) (not won))
"""
"""Who goes to 2 is to come there at the third step, not at the second."""


def never() -> None:
    """Nothing is to be heeded."""


def followed(game: ggp.Game, lines: LineSearch, state: ggp.State) -> tuple[int, int]:
    """The goal that the known way promises, and the goal that comes of following it."""
    way = lines.way(state)
    assert way is not None
    for _ in range(1_000):
        if state.terminal:
            return way.goal, state.goals[game.roles[0]]
        here = lines.way(state)
        assert here is not None
        assert here.goal >= way.goal
        state = state.after([here.move])
    raise AssertionError("no end")


def graph(rng: random.Random) -> tuple[str, int]:
    """A walk on a random graph that ends at some places, or when a number of steps is made; and
    the best goal, by looking at all pairs of a place and a step."""
    size, last = rng.randint(3, 12), rng.randint(2, 8)
    ways = {(i, rng.randrange(size)) for i in range(size) for _ in range(rng.randint(1, 3))}
    ends = {i: rng.choice((0, 30, 60, 100)) for i in range(1, size) if rng.random() < 0.3}
    late = rng.choice((0, 40))
    rules = ["(role a) (init (at 0)) (init (step 0))"]
    rules += [f"(way {i} {j})" for i, j in sorted(ways)]
    rules += [f"(succ {i} {i + 1})" for i in range(last)]
    rules += [
        "(<= (legal a (go ?y)) (true (at ?x)) (way ?x ?y))",
        "(<= (next (at ?y)) (does a (go ?y)))",
        "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))",
        f"(<= terminal (true (step {last})))",
        "(<= home (true (at ?x)) (end ?x ?v))",
        "(<= terminal home) (end none 0)",
        "(<= (goal a ?v) (true (at ?x)) (end ?x ?v))",
        f"(<= (goal a {late}) (not home))",
    ]
    rules += [f"(end {i} {value})" for i, value in ends.items()]
    best, places = -1, {0}
    for _ in range(last):
        places = {j for i, j in ways if i in places}
        best = max([best, *(ends[i] for i in places & ends.keys())])
        places -= ends.keys()
    return "\n".join(rules), max(best, late if places else -1)


def test_the_best_goal_of_random_walks_is_found() -> None:
    rng = random.Random(7)
    for _ in range(60):
        rules, best = graph(rng)
        game = ggp.parse(rules)
        lines = LineSearch(game, seed=1)
        lines.search(game.initial, time.monotonic() + 600, never)
        assert followed(game, lines, game.initial) == (best, best)


@pytest.mark.parametrize("sheet", sorted((GAMES / "puzzles").glob("*.kif")), ids=lambda p: p.stem)
def test_puzzles_of_the_library(sheet) -> None:
    game = ggp.load(sheet)
    if len(game.roles) != 1:
        pytest.skip("more roles than one")
    lines = LineSearch(game, seed=2)
    lines.search(game.initial, time.monotonic() + 600, never)
    assert followed(game, lines, game.initial) == (lines.most, lines.most)
    assert len(lines.line(game.initial, 3)) <= 3


def test_what_comes_later_may_be_better() -> None:
    """A position that was come to before, but for the step counter, is looked at once more."""
    game = ggp.parse(TOO_EARLY)
    lines = LineSearch(game, seed=1)
    lines.search(game.initial, time.monotonic() + 600, never)
    assert followed(game, lines, game.initial) == (100, 100)


def test_a_better_way_from_the_middle_is_not_forgotten() -> None:
    game = ggp.parse(TOO_EARLY)
    lines = LineSearch(game, seed=1)
    later = game.initial.play("go")
    lines.search(later, time.monotonic() + 600, never)
    lines.keep(game.initial, [game.initial.legal_indices()[0][0]], 30)
    assert followed(game, lines, later) == (100, 100)


def test_the_time_is_kept_and_heeded() -> None:
    game = ggp.load(LIGHTS_OUT)
    lines = LineSearch(game)
    lines.search(game.initial, time.monotonic() - 1, never)
    assert lines.way(game.initial) is None

    def no_more() -> None:
        raise LimitReached("turn", 0, "the next message is here")

    with pytest.raises(LimitReached):
        lines.search(game.initial, time.monotonic() + 600, no_more)


def test_a_way_to_the_worst_end_is_not_gone(monkeypatch) -> None:
    """Where no more was found, and none is expected, the tree says what to do."""
    facts = " ".join(f"(succ {i} {i + 1})" for i in range(60))
    game = ggp.parse(
        f"""(role a) {facts} (init (step 0)) (init good) (legal a left) (legal a right)
        (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
        (<= (next (was ?x)) (true (step ?x)) (does a left)) (<= (next (was ?x)) (true (was ?x)))
        (<= (next good) (true good) (does a right)) (<= terminal (true (step 60)))
        (<= (goal a 100) (true good)) (<= (goal a 0) (not (true good)))"""
    )
    player = SearchPlayer(game, "a", seed=1, positions=1)

    def bad(self, state, until, heed) -> None:
        self._ways[state.bits] = LineStep(state.legal_indices()[0][0], 0)

    monkeypatch.setattr(LineSearch, "search", bad)
    found = list(player.suggestions(game.initial, 0.3))
    assert not any("way" in suggestion.why for suggestion in found)
    assert "descents" in found[-1].why


def test_steps_are_told_apart_anew_in_each_search() -> None:
    """That one search had to look at step counters as well says nothing about the next."""
    game = ggp.parse(TOO_EARLY)
    lines = LineSearch(game, seed=1)
    before = [list(own) for own in lines._apart]
    lines.search(game.initial, time.monotonic() + 600, never)
    assert lines._apart == before


def test_the_player_goes_the_way() -> None:
    """Though it may not solve: fifteen positions are too few."""
    game = ggp.load(LIGHTS_OUT)
    player = SearchPlayer(game, "player", seed=1, positions=15)
    assert not player.prepare(20)
    state, moves = game.initial, 0
    while not state.terminal:
        *_, last = player.suggestions(state, 20)
        assert last.final
        insight = player.insight(state)
        if not moves:
            assert insight.why == "a way to 100 is known"
            assert insight.line
        state, moves = state.play(last.move), moves + 1
    assert state.goals == {"player": 100}
