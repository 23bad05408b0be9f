"""The theory of strategies on trees that know nothing of GDL."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp import GoalError, LimitReached, Limits, NoLegalMove, NotSolvable
from ggp.limits import Budget, memory_in_use
from ggp.solver import GdlTree, TreeSolution, evaluate, verify
from tests.conftest import GAMES


@dataclass(frozen=True)
class Heaps:
    """Two heaps by multiples: take a multiple of one heap's size from either."""

    players = ("rebecca", "benny")

    def mover(self, position):
        return self.players[position[2]]

    def moves(self, position):
        a, b, turn = position
        found = {}
        for unit in {a, b} - {0}:
            for k in range(unit, max(a, b) + 1, unit):
                if k <= a:
                    found[1, k] = (a - k, b, 1 - turn)
                if k <= b:
                    found[2, k] = (a, b - k, 1 - turn)
        return found

    def result(self, position):
        return self.players[1 - position[2]] if position[:2] == (0, 0) else None


def test_heaps_by_multiples_are_lost_between_golden_ratios() -> None:
    """P-positions exactly for n/phi <= k <= phi n: k^2 - kn - n^2 and its mirror are <= 0."""
    solution = ggp.solve(Heaps())
    for k, n in product(range(1, 26), repeat=2):
        lost = k * k - k * n - n * n <= 0 and n * n - n * k - k * k <= 0
        assert solution.outcome((k, n, 0)) == ("P" if lost else "N")


def test_the_only_winning_strategy_from_2_and_5() -> None:
    """Diaconescu, figure 2: it begins 2,5 -> 2,3 and moves from 2,1 to 1,1."""
    solution = ggp.solve(Heaps())
    assert solution.best((2, 5, 0)) == ((2, 2),)
    assert solution.best((2, 1, 0)) == ((1, 1),)
    strategy = solution.strategy("rebecca", (2, 5, 0))
    assert strategy.promise == 1
    assert verify(strategy).ok
    assert strategy.choice[(2, 5, 0)] == (2, 2)


@dataclass(frozen=True)
class Table:
    """A game given by tables, to try odd shapes."""

    graph: dict
    ends: dict
    turn: dict
    players: tuple = ("a", "b")
    initial: str = "s"

    def mover(self, position):
        return self.turn.get(position, self.players[0])

    def moves(self, position):
        return [(to, to) for to in self.graph[position]]

    def result(self, position):
        return self.ends.get(position)

    def __hash__(self):
        return id(self)


def test_a_cycle_that_nobody_can_leave_with_profit_is_a_draw() -> None:
    tree = Table({"s": ["t", "lose"], "t": ["s", "win"]}, {"win": "a", "lose": "b"}, {"t": "b"})
    solution = ggp.solve(tree)
    assert solution.value("s") is None
    assert solution.outcome("s") == "draw"
    assert solution.best("s") == ("t",)
    strategy = solution.strategy("a")
    assert (strategy.promise, strategy.may_be_endless) == (0.5, True)
    assert verify(strategy).ok


def test_a_win_through_a_cycle_is_found_with_progress() -> None:
    tree = Table({"s": ["t"], "t": ["s", "u"], "u": ["win"]}, {"win": "b"}, {"t": "b"})
    solution = ggp.solve(tree)
    assert solution.value("s") == {"a": 0, "b": 1}
    strategy = solution.strategy("b")
    assert strategy.choice["t"] == "u"
    assert verify(strategy).ok


def test_three_players_each_for_themselves() -> None:
    tree = Table(
        {"s": ["x", "y"], "x": ["e1", "e2"], "y": ["e3"]},
        {
            "e1": {"a": 1, "b": 2, "c": 0},
            "e2": {"a": 5, "b": 1, "c": 0},
            "e3": {"a": 2, "b": 0, "c": 9},
        },
        {"s": "a", "x": "b", "y": "c"},
        players=("a", "b", "c"),
    )
    solution = ggp.solve(tree)
    assert solution.value("s") == {"a": 2, "b": 0, "c": 9}
    assert solution.best("s") == ("y",)
    assert solution.result("s") == "c"
    assert solution.outcome("s") is None


def test_one_player_takes_a_shortest_way_to_the_best_goal() -> None:
    tree = Table(
        {"s": ["t", "u"], "t": ["end"], "u": ["v"], "v": ["end", "s"]},
        {"end": {"a": 10}},
        {},
        players=("a",),
    )
    solution = ggp.solve(tree)
    assert solution.value("s") == {"a": 10}
    assert solution.best("s") == ("t",)


@pytest.mark.parametrize("ends", [{"e": {"a": 1}}, {"e": "nobody"}])
def test_a_result_must_score_the_players(ends) -> None:
    with pytest.raises(GoalError):
        ggp.solve(Table({"s": ["e"]}, ends, {}))


def test_a_dead_end_is_an_error() -> None:
    with pytest.raises(NoLegalMove):
        ggp.solve(Table({"s": []}, {}, {}))


def test_a_bound_on_positions_is_kept() -> None:
    with pytest.raises(LimitReached, match="positions"):
        TreeSolution(Heaps(), Limits(positions=100), (300, 499, 0))


class _Spent(Budget):
    """An account that is overdrawn at its nth look, and knows what was planned."""

    def __init__(self, looks: int) -> None:
        super().__init__(Limits())
        self.looks, self.planned = looks, 0

    def check(self, detail: str, planned: int = 0) -> None:
        self.planned = max(self.planned, planned)
        self.looks -= 1
        if not self.looks:
            raise LimitReached("time", 1.0, detail)


@pytest.mark.parametrize("sheet", ["tic-tac-toe/tic-tac-toe.kif", "puzzles/lights-out-3x3.kif"])
def test_working_backward_looks_at_the_limits_between_layers(sheet) -> None:
    solution = ggp.load(GAMES / sheet).solve()
    graph = solution._parts[0][1].graph
    account = _Spent(looks=-1)
    whole = evaluate(graph, account)
    assert account.planned > 4 * len(graph.target)
    looks = -1 - account.looks
    assert looks > 5
    for n in range(1, looks + 1):
        with pytest.raises(LimitReached, match="working backward over"):
            evaluate(graph, _Spent(n))
    assert (evaluate(graph, _Spent(looks + 1)).payoff == whole.payoff).all()


def test_memory_that_working_backward_would_take_is_refused_before() -> None:
    graph = ggp.load(GAMES / "tic-tac-toe/tic-tac-toe.kif").solve()._parts[0][1].graph
    with pytest.raises(LimitReached, match="memory"):
        evaluate(graph, Budget(Limits(memory=memory_in_use() + 1_000)))
    assert evaluate(graph, Budget(Limits(memory=memory_in_use() + (64 << 20)))) is not None


@st.composite
def small_graphs(draw):
    """Random games on up to eight positions, cycles included."""
    count = draw(st.integers(2, 8))
    names = [str(i) for i in range(count)]
    ends = {n: draw(st.sampled_from(["a", "b", "draw"])) for n in names[1:] if draw(st.booleans())}
    graph = {
        n: draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
        for n in names
        if n not in ends
    }
    turn = {n: draw(st.sampled_from("ab")) for n in graph}
    return Table(graph, ends, turn, initial="0")


def force(tree: Table, player: str, goals: set[str], moves: int):
    """Positions from which `player` can force play into `goals` within so many moves."""

    @cache
    def can(position: str, left: int) -> bool:
        if position in goals:
            return True
        if left == 0 or position in tree.ends:
            return False
        after = [can(to, left - 1) for to in tree.graph[position]]
        return any(after) if tree.mover(position) == player else all(after)

    return lambda position: can(position, moves)


@given(small_graphs())
def test_values_are_what_each_player_can_force(tree) -> None:
    solution = ggp.solve(tree)
    score = {"a": 1.0, "b": 0.0, "draw": 0.5}

    def forced(player: str, good) -> bool:
        return force(tree, player, {e for e, r in tree.ends.items() if good(score[r])}, 30)("0")

    found = solution.value("0")
    won, lost = forced("a", lambda s: s == 1), forced("b", lambda s: s == 0)
    drawn = forced("a", lambda s: s >= 0.5) and forced("b", lambda s: s <= 0.5)
    expected = 1.0 if won else 0.0 if lost else 0.5 if drawn else None
    assert (found and found["a"]) == expected
    for player in "ab":
        strategy = solution.strategy(player)
        assert verify(strategy).ok
        if found is not None:
            assert strategy.promise == found[player]
        if expected == {"a": 1.0, "b": 0.0}[player]:
            assert not strategy.may_be_endless


@st.composite
def scored_graphs(draw):
    """Random games of two or three players with five scores, of two perhaps opposed."""
    tree = draw(small_graphs())
    players = draw(st.sampled_from(["ab", "abc"]))
    ends = {e: {p: draw(st.sampled_from([0, 25, 50, 75, 100])) for p in players} for e in tree.ends}
    if players == "ab" and draw(st.booleans()):
        ends = {end: {"a": scores["a"], "b": 100 - scores["a"]} for end, scores in ends.items()}
    turn = {position: draw(st.sampled_from(players)) for position in tree.graph}
    return Table(tree.graph, ends, turn, tuple(players), "0")


def reached(tree: Table) -> set[str]:
    found, todo = set(), ["0"]
    while todo:
        position = todo.pop()
        if position not in found:
            found.add(position)
            todo += [] if position in tree.ends else tree.graph[position]
    return found


@given(scored_graphs())
def test_strategies_make_sure_of_as_much_as_can_be_had(tree) -> None:
    """Against all others at once, whatever is best for these; as `Solution.secured` defines it."""
    solution = ggp.solve(tree)
    met = reached(tree)
    ends = {end: scores for end, scores in tree.ends.items() if end in met}
    is_opposed = len(tree.players) == 2 and len({sum(s.values()) for s in ends.values()}) < 2
    for player in tree.players:
        strategy = solution.strategy(player)
        assert verify(strategy).ok
        own = {end: scores[player] for end, scores in ends.items()}
        turn = {position: tree.mover(position) == player for position in tree.graph}
        sides = Table(tree.graph, tree.ends, turn, (True, False), "0")

        def forced(side: bool, good, own: dict = own, sides: Table = sides) -> bool:
            return force(sides, side, {end for end, score in own.items() if good(score)}, 30)("0")

        values = sorted(set(own.values()))
        by_force = [v for v in values if forced(True, lambda score, v=v: score >= v)]
        # The others cannot bring about an end that is worse; of any end at all if there is none.
        kept = [v for v in values if not forced(False, lambda score, v=v: score < v)]
        can_stay = not forced(False, lambda _: True)
        if "0" in own:
            assert (strategy.promise, strategy.may_be_endless) == (own["0"], False)
        elif is_opposed:
            # Where every end is less than a draw, a player may stay out of all of them.
            total = sum(next(iter(ends.values())).values()) if ends else 0
            has_end = any(score >= total / 2 for score in own.values())
            assert strategy.promise is not None or not has_end
            if strategy.promise is None:
                assert not own or can_stay
            else:
                assert not forced(True, lambda score, s=strategy: score > s.promise)
        elif by_force and not (by_force[-1] == values[0] and (can_stay or kept[-1] > values[0])):
            assert (strategy.promise, strategy.may_be_endless) == (by_force[-1], False)
        elif can_stay:
            assert strategy.promise is None
        else:
            assert strategy.promise == kept[-1]


def test_whom_the_other_lets_off_may_go_on_for_ever() -> None:
    """The 25 that `b` can force from `s` are less than the draw without end that `a` could allow;
    so nothing is said of an end."""
    ends = {"less": {"a": 75, "b": 25}, "all": {"a": 100, "b": 0}}
    tree = Table({"s": ["t", "less"], "t": ["t", "less"], "u": ["all"]}, ends, {"s": "a", "t": "b"})
    solution = ggp.solve(tree)
    assert solution.value("s") == {"a": 75, "b": 25}
    strategy = solution.strategy("b")
    assert (strategy.promise, strategy.may_be_endless) == (25, True)
    assert verify(strategy).ok


def test_the_worst_end_is_no_end_to_force() -> None:
    """`a` could end play with nothing at once, but all other ends are worth 100 to both."""
    ends = {"none": {"a": 0, "b": 0}, "all": {"a": 100, "b": 100}}
    tree = Table({"s": ["none", "t"], "t": ["s", "all"]}, ends, {"s": "a", "t": "b"})
    strategy = ggp.solve(tree).strategy("a")
    assert (strategy.promise, strategy.may_be_endless) == (100, True)
    assert strategy.choice["s"] == "t"


def test_ends_of_play_and_play_without_ends() -> None:
    ends = {"less": {"a": 75, "b": 25}, "all": {"a": 100, "b": 0}}
    graph = {"s": ["t", "less", "u", "v"], "t": ["t", "all"], "u": ["w"], "v": ["all"], "w": ["u"]}
    solution = ggp.solve(Table(graph, ends, {"t": "b"}))
    assert solution.secured("less", "b") == (25, False)
    assert solution.secured("u", "a") == (None, True)
    strategy = solution.strategy("b", "v")
    assert (strategy.promise, strategy.may_be_endless) == (0, False)


def test_strategies_are_within_the_account_that_is_in_force() -> None:
    solution = ggp.solve(Heaps(), starts=[(5, 7, 0)])
    with Budget(Limits(memory=1)).in_force(), pytest.raises(LimitReached):
        solution.strategy("rebecca", (5, 7, 0))
    strategy = solution.strategy("rebecca", (5, 7, 0))
    with Budget(Limits(memory=1)).in_force(), pytest.raises(LimitReached):
        verify(strategy)


def test_endless_play_is_no_better_than_a_sure_gain() -> None:
    """Two opposed players with four scores: 75 at once beats a draw without end."""
    ends = {"win": {"a": 75, "b": 25}, "giveup": {"a": 100, "b": 0}}
    tree = Table({"s": ["win", "t"], "t": ["s", "giveup"]}, ends, {"t": "b"})
    solution = ggp.solve(tree)
    assert solution.value("s") == {"a": 75, "b": 25}
    assert solution.best("s") == ("t", "win"), "both keep the 75"
    assert solution.strategy("a").choice["s"] == "win"


def test_endless_play_of_three_has_no_value() -> None:
    ends = {"win": {"a": 100, "b": 50}, "giveup": {"a": 0, "b": 0}}
    tree = Table({"s": ["win", "t"], "t": ["s", "giveup"]}, ends, {"t": "b"})
    with pytest.raises(NotSolvable, match="for ever"):
        ggp.solve(tree).value("s")


def test_no_end_in_reach() -> None:
    solution = ggp.solve(Table({"s": ["s"]}, {}, {}, players=("a",)))
    assert solution.value("s") is None
    assert solution.best("s") == ()


@pytest.mark.parametrize(
    "name",
    [
        "kayles/kayles-7.kif",
        "domineering/domineering-3x4.kif",
        "bisimulation/exits.kif",
        "three-players/last-match.kif",
        "subtraction/sg-12-15.kif",
    ],
)
def test_the_fast_solution_is_that_of_the_plain_tree(name) -> None:
    game = ggp.load(GAMES / name)
    fast = game.solve()
    plain = TreeSolution(GdlTree(game), Limits(), game.initial)
    space = game.space()
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        assert fast.value(state) == plain.value(state)
        assert fast.best(state) == plain.best(state)
        if not state.terminal:
            assert fast.outcome(state) == plain.outcome(state)


def test_a_false_promise_is_found_out() -> None:
    solution = ggp.solve(Heaps())
    good = solution.strategy("rebecca", (2, 5, 0))
    bad = ggp.Strategy(
        good.tree, "rebecca", good.root, 1, False, {**good.choice, good.root: (2, 4)}, {}
    )
    found = verify(bad)
    assert not found.ok
    assert found.play[0] == (2, 5, 0)


def test_many_starts_are_worked_out_in_one_graph() -> None:
    starts = [(a, b, 0) for a, b in product(range(1, 16), repeat=2)]
    together, one_by_one = ggp.solve(Heaps(), starts=starts), ggp.solve(Heaps())
    answers = [(together.outcome(s), together.best(s), together.value(s)) for s in starts]
    assert answers == [
        (one_by_one.outcome(s), one_by_one.best(s), one_by_one.value(s)) for s in starts
    ]
    # Each position once, and nothing was worked out again.
    assert together.positions == one_by_one.positions
    together.outcome((9, 9, 1))
    count = together.positions
    together.outcome((9, 9, 1))
    assert together.positions == count
    assert verify(together.strategy("rebecca", (2, 5, 0))).ok


@dataclass(frozen=True)
class Drawn:
    """A game whose moves and ends are a table: positions without moves are ends, with scores."""

    targets: tuple[tuple[int, ...], ...]
    movers: tuple[int, ...]
    ends: tuple[tuple[float, ...], ...]
    players = ("a", "b")

    def mover(self, position):
        return self.players[self.movers[position]]

    def moves(self, position):
        return {f"to {after}": after for after in self.targets[position]}

    def result(self, position):
        if self.targets[position]:
            return None
        return dict(zip(self.players, self.ends[position], strict=True))


@st.composite
def drawn_games(draw) -> tuple[Drawn, list[int], bool]:
    """Acyclic, or of opposed players, or both; an order to ask in, and whether it is acyclic."""
    size = draw(st.integers(2, 9))
    is_acyclic, is_opposed = draw(st.sampled_from([(True, True), (True, False), (False, True)]))
    targets, ends = [], []
    for place in range(size):
        top = place - 1 if is_acyclic else size - 1
        after = st.sets(st.integers(0, top), max_size=3) if top >= 0 else st.just(set())
        targets.append(tuple(sorted(draw(after) - {place})))
        score = draw(st.sampled_from([0.0, 50.0, 100.0]))
        other = 100.0 - score if is_opposed else draw(st.sampled_from([0.0, 50.0, 100.0]))
        ends.append((score, other))
    movers = tuple(draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)))
    order = draw(st.permutations(range(size)))
    return Drawn(tuple(targets), movers, tuple(ends)), order, is_acyclic


@given(drawn_games())
def test_what_is_asked_for_later_goes_by_what_is_solved_and_is_the_same(drawn) -> None:
    game, order, is_acyclic = drawn
    grown = ggp.solve(game)
    for place in order:
        alone = ggp.solve(game, starts=[place])
        more = ("worth", "progress") if is_acyclic and game.targets[place] else ()
        for ask in ("value", "best", "mover", "unique", "outcome", *more):
            assert getattr(alone, ask)(place) == getattr(grown, ask)(place), (place, ask)
        for player in game.players if is_acyclic and game.targets[place] else ():
            assert grown.secured(place, player) == alone.secured(place, player)
            assert verify(grown.strategy(player, place)).ok


def asked_after(game: Drawn, first: int, place: int) -> ggp.Solution:
    """The solution of a game of which one position was asked for and then another."""
    grown = ggp.solve(game)
    assert grown.value(first) is not None
    assert grown.value(place) is not None
    return grown


def test_who_wins_goes_where_the_other_cannot_hold_out_long() -> None:
    """From 7, b comes to 5 or 6, where a loses: in 5 by one move or by three, in 6 by one."""
    targets = ((), (), (0,), (2,), (), (0, 3), (4,), (5, 6))
    ends = ((0.0, 100.0),) * 8
    grown = asked_after(Drawn(targets, (0, 0, 1, 0, 0, 0, 0, 1), ends), 1, 7)
    assert grown.best(7) == ("to 5", "to 6")
    assert grown.progress(7) == "to 6"


def test_ends_of_another_sum_than_those_before_leave_players_unopposed() -> None:
    """Who moves in 2 gets 50 in either end, and decides what the other gets."""
    game = Drawn(((), (), (0, 1)), (0, 0, 0), ((50.0, 50.0), (50.0, 0.0), (0.0, 0.0)))
    assert not asked_after(game, 0, 2).unique(2)
    assert asked_after(game, 0, 0).unique(0)


@pytest.mark.parametrize("seed", range(12))
def test_large_games_asked_one_by_one_are_as_asked_alone(seed) -> None:
    """Some bring more than a few new positions at once, some go round, some are not opposed."""
    random, size = Random(seed), 90
    goes_round, is_opposed = seed % 4 == 3, seed % 3 < 2
    targets, ends = [], []
    for place in range(size):
        below = range(size) if goes_round else range(max(0, place - 30), place)
        count = random.randrange(3 if goes_round else 4)
        chosen = {random.choice(below) for _ in range(count)} if below else set()
        targets.append(tuple(sorted(chosen - {place})))
        score = random.choice([0.0, 25.0, 50.0, 100.0])
        is_free = not (is_opposed or goes_round)
        ends.append((score, random.choice([0.0, 50.0, 100.0]) if is_free else 100.0 - score))
    movers = tuple(random.randrange(2) for _ in range(size))
    game = Drawn(tuple(targets), movers, tuple(ends))
    grown = ggp.solve(game)
    for place in random.sample(range(size), 30):
        alone = ggp.solve(game, starts=[place])
        more = ("worth", "progress") if not goes_round and targets[place] else ()
        for ask in ("value", "best", "mover", "unique", "outcome", *more):
            assert getattr(alone, ask)(place) == getattr(grown, ask)(place), (place, ask)


def test_a_table_of_heaps_looks_at_each_position_once(monkeypatch) -> None:
    asked: list[tuple[int, int, int]] = []
    moves = Heaps.moves

    def counted(self, position):
        asked.append(position)
        return moves(self, position)

    monkeypatch.setattr(Heaps, "moves", counted)
    solution = ggp.solve(Heaps())
    for start in product(range(12), range(12), (0, 1)):
        solution.value(start)
    assert len(asked) == len(set(asked)) == 2 * (12 * 12 - 1)
    assert solution.positions == 2 * 12 * 12
