"""Positions up to symmetry have the values and the best moves of all positions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

import ggp
from ggp.analysis.relations.symmetries import elements, symmetries
from ggp.errors import LimitReached, NotSolvable
from ggp.limits import Budget, Limits
from ggp.machine import explore
from ggp.solver import GameSolution, SimultaneousSolution, verify
from ggp.solver.folding import Folding
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game


def folded(game: ggp.Game) -> GameSolution | None:
    folding = Folding.of(game)
    if folding is None:
        return None
    space = explore(game.machine, [game.initial.bits], fold=folding)
    return GameSolution(game, space, folding=folding)


def check(game: ggp.Game, *, nim_values: bool = False) -> GameSolution | None:
    """All states: values, nim-values, who is to move, best moves; and a strategy."""
    few = folded(game)
    if few is None:
        return None
    space = game.space()
    whole = GameSolution(game, space)
    assert few.positions <= whole.positions
    if nim_values:
        few.use_nim_values()
        whole.use_nim_values()
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        for ask in ("value", "mover", "best", "outcome", "nim_value", "unique"):
            assert getattr(few, ask)(state) == getattr(whole, ask)(state), (str(state), ask)
        if not state.terminal:
            assert few.progress(state) in state.legal(few.mover(state) or game.roles[0])
    return few


@pytest.mark.parametrize(
    ("sheet", "settings", "order"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}, 8),
        ("kayles/kayles-7.kif", {}, 2),
        ("domineering/domineering-3x4.kif", {}, 4),
        ("clobber/clobber.kif.jinja", {"rows": 2, "columns": 4}, 2),
        ("puzzles/lights-out-3x3.kif", {}, 8),
        ("subtraction/subtraction.kif.jinja", {"heaps": [4, 4, 4]}, 6),
        ("connect-four/connect-four.kif.jinja", {"columns": 4, "rows": 2, "line": 2}, 2),
    ],
)
def test_games_of_the_library(sheet, settings, order) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    found = check(game, nim_values="kayles" in sheet or "subtraction" in sheet)
    assert found is not None
    assert f"{order} symmetries" in found.method
    assert found.positions < len(game.space())
    assert verify(found.strategy(game.roles[0])).ok


@pytest.mark.parametrize("seeds", [range(40), *nightly([range(40, 120)])])
def test_random_games(seeds) -> None:
    some = 0
    for seed in seeds:
        game = ggp.parse(random_game(seed))
        if len(game.players) > 0 and game.chance is None:
            try:
                some += check(game) is not None
            except NotSolvable:
                continue
    assert some > 1


def test_of_large_groups_a_subgroup_is_used() -> None:
    """24 orders of four equal heaps; with at most 10 elements only some of them."""
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[3, 3, 3, 3])
    group = symmetries(game.net)
    assert group is not None
    assert len(elements(group.generators, 100)) == group.order == 24
    few = elements(group.generators, 10)
    assert 1 < len(few) <= 10
    assert all(tuple(a[x] for x in b) in few for a in few for b in few)


def test_solve_folds_what_is_not_few() -> None:
    """Domineering 5x5 is lost for who moves first (Berlekamp 1988); 4 symmetries keep the players.

    A limit too small for all positions is enough for a quarter of them.
    """
    game = ggp.load(GAMES / "domineering" / "domineering.kif.jinja", rows=5, columns=5)
    count = len(explore(game.machine, [game.initial.bits]))
    solution = game.solve(positions=count // 2)
    assert solution.positions < count // 3
    assert solution.outcome(game.initial) == "P"
    for move in list(game.initial.legal("updown"))[:3]:
        after = game.initial.play({"updown": move, "leftright": "noop"})
        assert solution.outcome(after) == "N"
    assert Limits().positions > count


@pytest.mark.parametrize("fluents", [62, 63, 64, 65, 127, 128])
def test_states_of_any_number_of_bits_are_folded(fluents: int) -> None:
    """63 fluents (knightmove) once failed: rows of all but one bit of their words."""
    text = "(role robot) (<= (next over) (true over)) (<= terminal (true over)) (goal robot 100)"
    text += "(init spare) (<= (legal robot end) (true spare)) (<= (next over) (does robot end))"
    text += "".join(
        f"(init (off {i})) (<= (legal robot (light {i})) (true (off {i})))"
        f"(<= (next (off {i})) (true (off {i})) (not (does robot (light {i}))))"
        for i in range(fluents - 2)
    )
    game = ggp.parse(text)
    assert len(game.net.fluents) == fluents
    group = symmetries(game.net)
    assert group is not None
    swap = group.generators[0]
    folding = Folding(game, elements([swap], 2))
    first = game.net.first_fluent
    moved = [i for i in range(fluents) if swap[first + i] != first + i]
    names = [str(game.net.fluents[i])[5:-1] for i in moved[:2]]
    rows = game.machine.rows([game.initial.play(f"(light {name})").bits for name in names])
    one, other = folding(rows).tolist()
    assert one == other


def test_the_symmetry_of_a_position_leads_to_what_stands_for_it() -> None:
    """Of states of several words as well: moves are mapped back by its number."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=7, rows=6)
    folding = Folding.of(game)
    assert folding is not None
    assert game.machine.coding.words > 1
    rng = random.Random(4)
    turned = 0
    for _ in range(40):
        state = game.initial
        for _ in range(rng.randrange(1, 12)):
            if not state.terminal:
                state = state.play({r: rng.choice(state.legal(r)) for r in game.roles})
        number = folding.element(state.bits)
        permutation = folding.permutations[number]
        image = sum(1 << permutation[i] for i in range(len(permutation)) if state.bits >> i & 1)
        assert (
            folding(game.machine.rows([state.bits])).tolist() == game.machine.rows([image]).tolist()
        )
        turned += number > 0
    assert 5 < turned < 35


def test_a_ring_that_can_be_turned_seventy_ways_is_solved_without_symmetries() -> None:
    """Of a group of more elements than are compared, and no smaller generators, nothing is left."""
    ring = " ".join(f"(init (free {i})) (next-to {i} {(i + 1) % 70})" for i in range(70))
    game = ggp.parse(f"""(role a) (role b) (init (turn a)) {ring}
        (<= (legal ?p (take ?c)) (true (turn ?p)) (can ?c))
        (<= (can ?c) (true (free ?c)) (next-to ?c ?d) (true (free ?d)))
        (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
        (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
        (<= (next (free ?c)) (true (free ?c)) (not (taken ?c)))
        (<= (taken ?c) (does ?p (take ?c)))
        (<= able (can ?c)) (<= terminal (not able))
        (<= (goal ?p 0) (true (turn ?p))) (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))""")
    assert Folding.of(game) is None


CLASH = {
    "b has it": "(<= (next (of a ?x ?y)) (does a (mark ?x ?y)) (not (does b (mark ?x ?y))))"
    "(<= (next (of b ?x ?y)) (does b (mark ?x ?y)))",
    "nobody has it": "(<= (next (of a ?x ?y)) (does a (mark ?x ?y)) (not (does b (mark ?x ?y))))"
    "(<= (next (of b ?x ?y)) (does b (mark ?x ?y)) (not (does a (mark ?x ?y))))"
    "(<= (next (free ?x ?y)) (does a (mark ?x ?y)) (does b (mark ?x ?y)))",
    "by lot": "(role random) (goal random 0) (legal random a) (legal random b)"
    "(<= (next (of a ?x ?y)) (does a (mark ?x ?y)) (not (does b (mark ?x ?y))))"
    "(<= (next (of b ?x ?y)) (does b (mark ?x ?y)) (not (does a (mark ?x ?y))))"
    "(<= (next (of ?r ?x ?y)) (does a (mark ?x ?y)) (does b (mark ?x ?y)) (does random ?r))",
}
"""What becomes of a cell that both mark at the same time."""

OPPOSED = """(<= (goal a 100) (line a)) (<= (goal b 0) (line a))
(<= (goal a 0) (not (line a))) (<= (goal b 100) (not (line a)))"""

NOT_OPPOSED = """(<= (goal a 60) (line a)) (<= (goal a 20) (not (line a)))
(<= (goal b 70) (line b)) (<= (goal b 10) (not (line b)))"""


def marking(clash: str, goals: str, rows: int, columns: int) -> ggp.Game:
    """Two mark free cells at the same time, until one has a column or no cell is free."""
    cells = list(product(range(rows), range(columns)))
    line = " ".join(f"(true (of ?r {x} ?y))" for x in range(rows))
    facts = " ".join(f"(init (free {x} {y})) (cell {x} {y})" for x, y in cells)
    ys = " ".join(f"(y {y})" for y in range(columns))
    return ggp.parse(f"""(role a) (role b) {facts} {ys} (who a) (who b) {CLASH[clash]} {goals}
    (<= (legal ?r (mark ?x ?y)) (who ?r) (true (free ?x ?y)))
    (<= (next (of ?r ?x ?y)) (true (of ?r ?x ?y)))
    (<= (next (free ?x ?y)) (true (free ?x ?y)) (not (does a (mark ?x ?y)))
        (not (does b (mark ?x ?y))))
    (<= (line ?r) (who ?r) (y ?y) {line}) (<= open (true (free ?x ?y)))
    (<= terminal (not open)) (<= terminal (who ?r) (line ?r))""")


@pytest.mark.parametrize(
    ("clash", "goals", "rows", "columns"),
    [
        ("b has it", OPPOSED, 2, 2),
        ("b has it", OPPOSED, 2, 3),
        ("nobody has it", OPPOSED, 2, 2),
        ("nobody has it", OPPOSED, 2, 3),
        ("by lot", OPPOSED, 2, 2),
        ("b has it", NOT_OPPOSED, 2, 2),
        ("by lot", NOT_OPPOSED, 1, 3),
        pytest.param("by lot", OPPOSED, 2, 3, marks=pytest.mark.slow),
        pytest.param("b has it", NOT_OPPOSED, 2, 3, marks=pytest.mark.slow),
    ],
)
def test_games_with_moves_at_once(clash: str, goals: str, rows: int, columns: int) -> None:
    """Values of all positions, who alone has a choice and the best moves there; and a strategy of
    each player makes sure of the value, or is an equilibrium."""
    game = marking(clash, goals, rows, columns)
    space, folding = game.space(), Folding.of(game)
    assert folding is not None
    few = explore(game.machine, [game.initial.bits], fold=folding)
    assert len(few) < len(space)
    found = SimultaneousSolution(game, few, Budget(), folding)
    whole = SimultaneousSolution(game, space, Budget())
    assert found.method == f"{whole.method}, up to {len(folding.group)} symmetries"
    mixed_ones = 0
    for place in range(len(space)):
        state = ggp.State(game, space.state(place))
        if whole.worth_at(place) is None:
            with pytest.raises(NotSolvable, match="not determined"):
                found.exact(state)
            continue
        value = whole.exact(state)
        assert found.exact(state) == value
        assert (found.value(state), found.mover(state)) == (whole.value(state), whole.mover(state))
        if state.terminal:
            continue
        if clash != "nobody has it":
            assert found.best(state) == whole.best(state)
        mixed = found.mixed(state)
        mixed_ones += any(len(own) > 1 for own in mixed.values())
        for player in "ab":
            kept = mixed if goals == NOT_OPPOSED else {player: mixed.get(player, {})}
            least, most = replies(whole, state, player, kept)
            assert least == value[player] if goals == OPPOSED else most == value[player]
    assert (mixed_ones > 0) == (goals == OPPOSED and clash != "b has it")


def replies(
    solution: SimultaneousSolution, state: ggp.State, player: str, kept: dict
) -> tuple[Fraction, Fraction]:
    """What a player gets on average who keeps to a strategy, the other doing what is worst for it;
    and the most that it gets by any move of its own, the other keeping to a strategy."""
    chance = state.legal("random") if "random" in state.game.roles else [None]

    def gets(own, other) -> Fraction:
        at = {player: own, "b" if player == "a" else "a": other}
        ends = [state.play(at | ({"random": c} if c else {})) for c in chance]
        return sum((solution.exact(end)[player] for end in ends), Fraction(0)) / len(ends)

    other = "b" if player == "a" else "a"
    mine, theirs = (kept.get(r) or {state.legal(r)[0]: Fraction(1)} for r in (player, other))
    least = min(
        sum((p * gets(own, reply) for own, p in mine.items()), Fraction(0))
        for reply in state.legal(other)
    )
    most = max(
        sum((p * gets(own, reply) for reply, p in theirs.items()), Fraction(0))
        for own in state.legal(player)
    )
    return least, most


def test_solve_folds_moves_at_once() -> None:
    """A limit too small for all positions is enough for those of which others are images."""
    game = marking("b has it", OPPOSED, 3, 3)
    limit = len(explore(game.machine, [game.initial.bits], fold=Folding.of(game)))
    found = marking("b has it", OPPOSED, 3, 3).solve(positions=limit)
    assert isinstance(found, SimultaneousSolution)
    assert found.positions == limit
    with pytest.raises(LimitReached):
        marking("b has it", OPPOSED, 3, 3).solve(positions=limit - 1)
    assert found.method.endswith(", up to 48 symmetries")


def mirror(goals: tuple[int, int, int]) -> ggp.Game:
    """In either of two positions hands are shown; by one pair of them play comes to the other."""
    equal, up, down = goals
    return ggp.parse(f"""(role left) (role right) (side a) (side b) (other a b) (other b a)
    (init start) (<= (legal left (begin ?s)) (true start) (side ?s))
    (<= (legal right noop) (true start)) (<= (next (at ?s)) (true start) (does left (begin ?s)))
    (<= (legal ?p heads) (role ?p) (true (at ?s))) (<= (legal ?p tails) (role ?p) (true (at ?s)))
    (<= (next (at ?t)) (true (at ?s)) (other ?s ?t) (does left tails) (does right heads))
    (<= (next (end {equal})) (true (at ?s)) (does left heads) (does right heads))
    (<= (next (end {up})) (true (at ?s)) (does left heads) (does right tails))
    (<= (next (end {down})) (true (at ?s)) (does left tails) (does right tails))
    (<= terminal (true (end ?n))) (<= (goal left ?n) (true (end ?n)))
    {" ".join(f"(less {n} {100 - n})" for n in goals)}
    (<= (goal right ?m) (true (end ?n)) (less ?n ?m))""")


@pytest.mark.parametrize("positions", [5, 1_000_000])
def test_play_that_comes_round_to_an_image_stays(positions: int) -> None:
    """However many positions may be looked at, and whichever is asked for first. From (at a): v is
    the value of [[0, 80], [v, 20]], which has the saddle 20 at v = 20."""
    game = mirror((0, 80, 20))
    for _ in range(2):
        solution = game.solve(positions=positions)
        assert isinstance(solution, SimultaneousSolution)
        assert solution.exact(game.initial) == {"left": 20, "right": 80}
        for side in "ab":
            assert solution.exact(game.state([f"(at {side})"])) == {"left": 20, "right": 80}
        game.analyse()


def test_why_nothing_is_determined_where_play_comes_to_an_image() -> None:
    """Left comes as near to 100 as he likes: v is the value of [[100, 0], [v, 100]], so that it is
    100, and no strategy makes sure of it (H. Everett, Recursive games, 1957)."""
    game = mirror((100, 0, 100))
    with pytest.raises(NotSolvable, match=r"where play stays in .*, or in an image of it"):
        game.solve().exact(game.initial)


def test_strategies_leave_where_staying_is_worth_as_much() -> None:
    """So that images of a position are alike: a best strategy may stay in it for ever, or leave."""
    game = ggp.parse("""(role left) (role right) (side a) (side b) (other a b) (other b a)
    (init start) (<= (legal ?p (begin ?s)) (role ?p) (true start) (side ?s))
    (<= (next (at ?s)) (does left (begin ?s)) (does right (begin ?s)))
    (<= (next over) (does left (begin ?s)) (does right (begin ?t)) (other ?s ?t))
    (<= (legal left (take ?m)) (true (at ?s)) (side ?m)) (<= (legal right noop) (true (at ?s)))
    (<= (next (at ?s)) (true (at ?s)) (does left (take ?s)))
    (<= (next over) (true (at ?s)) (does left (take ?m)) (other ?s ?m))
    (<= terminal (true over)) (<= (goal ?p 50) (role ?p) (true over))""")
    for positions in (3, 10):
        solution = game.solve(positions=positions)
        for side, other in ("ab", "ba"):
            state = game.state([f"(at {side})"])
            assert solution.value(state) == {"left": 50, "right": 50}
            assert [*map(str, solution.best(state))] == [f"(take {other})"]
