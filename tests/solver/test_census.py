"""Counts over the positions of small games solved in layers, against a search state by state."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

import ggp
from ggp.analysis import Positions
from ggp.errors import InputError, NotSolvable
from ggp.limits import Budget
from ggp.solver.layers import census as census_module
from ggp.solver.layers import images, kernels, keys, moving, part, ranks, turning
from ggp.solver.layers.census import DRAWN
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.solution import LayerSolution
from tests.conftest import GAMES
from tests.solver.plain import plain

pytestmark = pytest.mark.filterwarnings("ignore:overflow")


@pytest.fixture(autouse=True)
def _plain(monkeypatch) -> None:
    for module in (census_module, images, keys, moving, part, ranks, turning):
        monkeypatch.setattr(module, "kernels", plain(kernels))


def race(goals, start=5, also="") -> str:
    """`l` takes one from the counter and turns the dial by one, `r` takes two, if there are two.
    At 0 the dial says the goals of `a`, and of `b`."""
    said = " ".join(
        f"(<= (goal a {a}) (true (dial {i}))) (<= (goal b {b}) (true (dial {i})))"
        for i, (a, b) in enumerate(goals)
    )
    return f"""(role a) (role b) (init (control a)) (init (at {start})) (init (dial 0))
        {" ".join(f"(succ {n} {n + 1})" for n in range(start))} (turn 0 1) (turn 1 2) (turn 2 0)
        (<= (legal ?r l) (true (control ?r)))
        (<= (legal ?r r) (true (control ?r)) (true (at ?n)) (succ ?m ?n) (succ ?k ?m))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (next (at ?m)) (true (at ?n)) (succ ?m ?n) (does ?r l))
        (<= (next (at ?k)) (true (at ?n)) (succ ?m ?n) (succ ?k ?m) (does ?r r))
        (<= (next (dial ?j)) (true (dial ?i)) (turn ?i ?j) (does ?r l))
        (<= (next (dial ?i)) (true (dial ?i)) (does ?r r))
        (<= terminal (true (at 0))) {said} {also}"""


ALONE = """(role a) (init (at 4)) (init (left 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal a l) (true (at ?n))) (<= (legal a r) (true (at ?n)))
    (<= (next (at ?m)) (true (at ?n)) (succ ?m ?n))
    (<= (next (left ?j)) (true (left ?i)) (succ ?i ?j) (does a l))
    (<= (next (left ?i)) (true (left ?i)) (does a r))
    (<= terminal (true (at 0)))
    (<= (goal a 100) (true (left 4))) (<= (goal a 20) (not (true (left 4))))"""

WIN, DRAW, LOSS = (100, 0), (50, 50), (0, 100)
GAMES_HERE = {
    "a win, a draw, a loss": race([WIN, DRAW, LOSS]),
    "a draw first": race([DRAW, LOSS, WIN], 4),
    "sixty are shared": race([(60, 0), (31, 29), (30, 30)], 5),
    "wins alone": race([LOSS, WIN, LOSS], 3),
    "a little for all": race([(40, 60), (60, 40), (50, 50)], 4),
    "alone": ALONE,
}


@cache
def loaded(name: str) -> ggp.Game:
    if name.startswith("nim"):
        return ggp.load(GAMES / "nim" / "rows.kif.jinja", heaps=list(map(int, name.split()[1:])))
    return ggp.parse(GAMES_HERE[name])


def solved(game, starts=(), **keeping) -> LayerSolution:
    context = Positions(game, Budget(game.limits), roots=[state.bits for state in starts])
    return LayerSolution(context, keeping=Keeping(**({"threads": 1} | keeping)))


class Search:
    """All states that some lead to: what they are worth, and how many moves away they are."""

    def __init__(self, game, starts) -> None:
        self.game, self._worth = game, {}
        self.least = {state.bits: 0 for state in starts}
        self.most = {}
        states = {state.bits: state for state in starts}
        queue = list(starts)
        for state in queue:
            for after in self.after(state):
                if after.bits not in states:
                    states[after.bits] = after
                    self.least[after.bits] = self.least[state.bits] + 1
                    queue.append(after)
        self.states = list(states.values())
        for start in starts:
            self._go(start, 0)

    def _go(self, state, moves: int) -> None:
        if self.most.get(state.bits, -1) < moves:
            self.most[state.bits] = moves
            for after in self.after(state):
                self._go(after, moves + 1)

    def after(self, state) -> list[ggp.State]:
        if state.terminal:
            return []
        role = state.control or self.game.roles[0]
        others = {r: state.legal(r)[0] for r in self.game.roles}
        return [state.play(others | {role: move}) for move in state.legal(role)]

    def turn(self, state) -> int:
        """The number of the role that is marked; a role alone has its turn until the end."""
        if len(self.game.roles) == 1:
            return 1 if state.terminal else 0
        return self.game.roles.index(state.control)

    def worth(self, state) -> int:
        if state.bits not in self._worth:
            worths = [self.worth(after) for after in self.after(state)]
            if state.terminal:
                found = state.goals[self.game.roles[0]]
            else:
                found = min(worths) if self.turn(state) else max(worths)
            self._worth[state.bits] = found
        return self._worth[state.bits]

    def winner(self, state, total) -> int:
        if total is None or 2 * self.worth(state) == total:
            return DRAWN
        return 0 if 2 * self.worth(state) > total else 1


def total_of(search) -> int | None:
    end = next(state for state in search.states if state.terminal)
    return sum(end.goals.values()) if len(search.game.roles) == 2 else None


@pytest.mark.parametrize(
    ("name", "batch"),
    [*((name, None) for name in GAMES_HERE), ("nim 2 1", None), ("nim 1 1 2", 2), ("alone", 2)],
)
def test_counts_are_those_of_a_search(name, batch, monkeypatch) -> None:
    """Also where the positions of a layer are looked at two at a time."""
    game = loaded(name)
    solution = solved(game)
    if batch:
        monkeypatch.setattr(game.packed_machine, "batch", batch)
    check(game, [game.initial], solution)


def test_counts_of_all_that_two_starts_lead_to() -> None:
    """The first start leads to the second; the third is beside both."""
    game = loaded("nim 2 2")
    later = game.state(["(row 1 0)", "(row 2 2)", "(control right)"])
    beside = game.state(["(row 1 2)", "(row 2 1)", "(control left)"])
    for starts in ([game.initial, later], [later, beside]):
        check(game, starts, solved(game, starts))


def check(game, starts, solution) -> None:
    search = Search(game, starts)
    found = solution.census([state.bits for state in starts], Budget(game.limits))
    total, players = total_of(search), len(game.players)
    positions = [[0] * 3 for _ in range(players + 1)]
    moves = [[0] * 3 for _ in range(players + 1)]
    for state in search.states:
        turn = search.turn(state)
        positions[turn][search.winner(state, total)] += 1
        for after in search.after(state):
            moves[turn][search.winner(after, total)] += 1
    assert found.positions.tolist() == positions
    assert found.moves.tolist() == moves
    assert found.plies == Counter(search.least.values())
    ends = [state.bits for state in search.states if state.terminal]
    assert found.ends == len(ends)
    assert found.shortest == min(search.least[end] for end in ends)
    assert found.longest == max(search.most[end] for end in ends)
    worths = Counter(map(search.worth, search.states))
    scores = solution.layers.scores
    assert dict(zip(scores, found.codes.tolist(), strict=True)) == {
        score: worths[score] for score in scores
    }


def test_progress_goes_up_to_all_positions(monkeypatch) -> None:
    game = loaded("nim 2 2")
    told = []
    solution = solved(game)
    solution._progress = lambda known, done: told.append((known, done))
    monkeypatch.setattr(game.packed_machine, "batch", 2)
    solution.census([game.initial.bits], Budget(game.limits))
    assert {known for known, _ in told} == {solution.positions}
    done = [count for _, count in told]
    assert done == sorted(set(done))
    assert done[-1] == solution.positions
    assert max(b - a for a, b in zip([0, *done], done, strict=False)) == 2


def test_plays_of_too_many_ranks_are_not_counted(monkeypatch) -> None:
    game = loaded("a win, a draw, a loss")
    solution = solved(game)
    count = len(solution.layers.ranks)
    monkeypatch.setattr(census_module, "MAX_RANKS", count)
    assert solution.census([game.initial.bits], Budget(game.limits)).ends > 0
    monkeypatch.setattr(census_module, "MAX_RANKS", count - 1)
    with pytest.raises(NotSolvable):
        solution.census([game.initial.bits], Budget(game.limits))


def test_positions_that_are_gone_are_missed() -> None:
    game = loaded("a win, a draw, a loss")
    solution = solved(game)
    known = solution.layers
    for rank in known.ranks:
        left = {r: layer for r, layer in known.layers.items() if r != rank}
        solution._solved[0] = replace(known, layers=left)
        with pytest.raises(InputError):
            solution.census([game.initial.bits], Budget(game.limits))
