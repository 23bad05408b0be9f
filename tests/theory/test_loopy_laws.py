"""Random loopy games against a slow textbook: order, simplest forms, sides, sums."""

from __future__ import annotations

import pickle
from functools import cache

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from ggp.theory import LoopyGame, NotStopperSided, ShortGame
from tests.theory import loopy_textbook as textbook
from tests.theory.games import TREES
from tests.theory.textbook import value

laws = settings(deadline=None, max_examples=80)

OUTCOMES = {
    "L": "LL",
    "R": "RR",
    "N": "LR",
    "P": "RL",
    "D": "DD",
    "N^": "LD",
    "P^": "DL",
    "Nv": "DR",
    "Pv": "RD",
}


@st.composite
def graphs(draw, size=4):
    """A graph of a few positions that lead to each other and to short games."""
    places = range(draw(st.integers(1, size)))
    options = st.lists(
        st.sampled_from([*places, *places, *textbook.LEAVES]), max_size=3, unique=True
    ).map(tuple)
    graph = {place: (draw(options), draw(options)) for place in places}
    return textbook.reached(({**textbook.LEAVES, **graph}, 0))


STOPPERS = graphs().map(textbook.stopped)


def made(game: textbook.Game) -> LoopyGame:
    return LoopyGame(*game)


def drawn_out(game: LoopyGame) -> textbook.Game:
    """The graph of the options that a game says it has."""
    graph: textbook.Graph = {}
    todo = [game]
    while todo:
        now = todo.pop()
        if now not in graph:
            graph[now] = (now.left, now.right)
            todo += [*now.left, *now.right]
    return graph, game


def sided(game: textbook.Game) -> LoopyGame:
    """The game, if it has sides."""
    found = made(game)
    assume(found.is_stopper_sided)
    return found


@laws
@given(STOPPERS, STOPPERS)
def test_order_of_stoppers_is_survival(g, h) -> None:
    """Siegel 2013, chapter VI: G ≤ H if Left, second, survives H − G."""
    low, high = textbook.leq(g, h), textbook.leq(h, g)
    mine, yours = made(g), made(h)
    assert mine.is_stopper
    assert ((mine <= yours), (mine >= yours)) == (low, high)
    assert (mine == yours) is (low and high)
    assert (mine < yours) is (low and not high)
    assert (mine > yours) is (high and not low)
    assert mine.confused_with(yours) is (not low and not high)


@laws
@given(STOPPERS)
def test_the_simplest_form(g) -> None:
    form = drawn_out(made(g))
    assert not textbook.cycle(form[0])
    assert textbook.equal(form, g)
    for other in textbook.without_one_option(form):
        assert not textbook.equal(other, form)
    followers = list(form[0])
    for n, one in enumerate(followers):
        for two in followers[:n]:
            assert not textbook.equal((form[0], one), (form[0], two))


@laws
@given(STOPPERS)
def test_nothing_is_reversible_in_the_simplest_form(g) -> None:
    graph, _ = drawn_out(made(g))
    for place, (left, right) in graph.items():
        assert not any(textbook.leq((graph, r), (graph, place)) for o in left for r in graph[o][1])
        assert not any(textbook.leq((graph, place), (graph, r)) for o in right for r in graph[o][0])


@laws
@given(STOPPERS, STOPPERS, st.randoms(use_true_random=False))
def test_equal_stoppers_have_one_form(g, h, random) -> None:
    """Other names, an option that is no better, another form of the same value."""
    graph, start = g
    names = list(graph)
    random.shuffle(names)
    renamed = {names.index(p): tuple(tuple(map(names.index, s)) for s in graph[p]) for p in names}
    assert LoopyGame(renamed, names.index(start)) == made(g)
    again = drawn_out(made(g))
    assert made(again) == made(g)
    assert hash(made(again)) == hash(made(g))
    if textbook.leq(h, g):
        (mine, a), (yours, b) = g, h
        both = {("g", p): tuple(tuple(("g", o) for o in s) for s in mine[p]) for p in mine}
        both |= {("h", p): tuple(tuple(("h", o) for o in s) for s in yours[p]) for p in yours}
        twice = {**both, "start": ((("g", a), ("h", b)), ())}
        once = {**both, "start": ((("g", a),), ())}
        assert LoopyGame(twice, "start") == LoopyGame(once, "start")
    if textbook.equal(g, h):
        assert (hash(made(g)), str(made(g))) == (hash(made(h)), str(made(h)))


@laws
@given(graphs(), st.integers(2, 3), st.randoms(use_true_random=False))
def test_copies_of_positions_change_nothing(g, copies, random) -> None:
    graph, start = g
    names = [(place, n) for place in graph for n in range(copies)]
    random.shuffle(names)
    copied = {
        (place, n): tuple([(o, random.randrange(copies)) for o in side] for side in graph[place])
        for place, n in names
    }
    game = LoopyGame(copied, (start, 0))
    assert game == made(g)
    assert (hash(game), str(game)) == (hash(made(g)), str(made(g)))


@laws
@given(STOPPERS, STOPPERS, STOPPERS)
def test_a_partial_order(g, h, k) -> None:
    g, h, k = map(made, (g, h, k))
    assert g <= g
    assert [g < h, g == h, g > h, g.confused_with(h)].count(True) == 1
    if g <= h and h <= k:
        assert g <= k
    assert (g <= h) == (-h <= -g)


@laws
@given(graphs(), graphs())
def test_sides_have_the_outcomes_of_the_game_in_every_sum(g, x) -> None:
    """Left wins the same with G as with its onside if draws are his; Right with its offside."""
    game = sided(g)
    assert game.onside >= game.offside
    assert game.onside.is_stopper
    assert game.offside.is_stopper
    total = textbook.plus(g, x)
    for side, player in (game.onside, 0), (game.offside, 1):
        other = textbook.plus(drawn_out(side), x)
        for turn in (0, 1):
            assert textbook.survives(total, player, turn) == textbook.survives(other, player, turn)


@laws
@given(graphs(3), graphs(3))
def test_order_by_sides_is_the_order_in_all_sums(g, h) -> None:
    """G ≤ H, or −S shows that it is not, with S the onside of G or the offside of H."""
    mine, yours = sided(g), sided(h)
    high, low = textbook.minus(drawn_out(mine.onside)), textbook.minus(drawn_out(yours.offside))
    assert textbook.survives(textbook.plus(g, high), 0, 1)
    assert textbook.survives(textbook.plus(h, low), 1, 0)
    shown = textbook.survives(textbook.plus(h, high), 0, 1) and textbook.survives(
        textbook.plus(g, low), 1, 0
    )
    assert (mine <= yours) is shown
    assert (mine == yours) is (mine <= yours and yours <= mine)


@laws
@given(graphs(), graphs())
def test_what_is_at_most_does_no_better_in_a_sum(g, x) -> None:
    game = sided(g)
    ranks = {"R": 0, "D": 1, "L": 2}
    for other, better in (game.onside, True), (game.offside, False):
        outcomes = [textbook.outcome(textbook.plus(h, x)) for h in (g, drawn_out(other))]
        low, high = outcomes if better else outcomes[::-1]
        assert all(ranks[a] <= ranks[b] for a, b in zip(low, high, strict=True))
        assert (game <= other) if better else (game >= other)


@laws
@given(graphs(5))
def test_outcomes(g) -> None:
    game, found = made(g), textbook.outcome(g)
    assert OUTCOMES[game.outcome] == found
    for player in "LR":
        assert OUTCOMES[game.outcome_with_draws_to(player)] == found.replace("D", player)
    if game.is_stopper_sided:
        assert game.onside.outcome == game.outcome_with_draws_to("L")
        assert game.offside.outcome == game.outcome_with_draws_to("R")


@laws
@given(graphs(3), graphs(3), graphs(3))
def test_sums(g, h, k) -> None:
    """As far as sums have sides: nothing is known to say that all have."""
    g, h, k = map(sided, (g, h, k))
    try:
        assert g + h == h + g
        assert (g + h) + k == g + (h + k)
        assert -(g + h) == -g - h
        assert -(-1 * g) == g + 0 == g
        assert 3 * g == g + g + g
        assert (-g).onside == -(g.offside)
        assert (g - g).onside >= 0 >= (g - g).offside
        assert not g <= h or g + k <= h + k
    except NotStopperSided:
        reject()


@pytest.mark.slow
@laws
@given(graphs(3), graphs(3))
def test_sums_are_the_graphs_of_pairs(g, h) -> None:
    assume(made(g).is_stopper_sided and made(h).is_stopper_sided)
    assert made(g) + made(h) == made(textbook.plus(g, h))


@laws
@given(graphs(6))
def test_text_and_pickle_come_back(g) -> None:
    game = made(g)
    assert LoopyGame.parse(str(game)) == game
    assert LoopyGame.parse(game.text(unicode=True)) == game
    again = pickle.loads(pickle.dumps(game))
    assert (again, hash(again)) == (game, hash(game))


@cache
def of_tree(tree) -> LoopyGame:
    return LoopyGame({"": tuple(tuple(map(of_tree, side)) for side in tree)}, "")


@laws
@given(TREES, TREES)
def test_games_without_loops_are_short_games(g, h) -> None:
    mine, yours = of_tree(g), of_tree(h)
    assert mine.short_game == value(g) == mine
    assert mine == value(g)
    assert hash(mine) == hash(value(g))
    assert (mine <= yours) == (value(g) <= value(h)) == (mine <= value(h)) == (value(g) <= yours)
    assert (mine + yours).short_game == value(g) + value(h) == mine + value(h) == value(g) + yours
    assert (mine.outcome, str(mine)) == (value(g).outcome, str(value(g)))
    assert tuple(o.short_game for o in mine.left) == value(g).left


@laws
@given(STOPPERS, TREES)
def test_short_games_among_stoppers(g, tree) -> None:
    short = value(tree)
    as_graph: textbook.Graph = {}
    todo = [short]
    for now in todo:
        as_graph[now] = (now.left, now.right)
        todo += [o for o in (*now.left, *now.right) if o not in as_graph]
    assert (made(g) <= short) == textbook.leq(g, (as_graph, short))
    assert (short <= made(g)) == textbook.leq((as_graph, short), g)
    assert isinstance(made(g).short_game, ShortGame | None)


@laws
@given(graphs(8))
def test_a_game_has_sides_or_says_why_not(g) -> None:
    game = made(g)
    if game.is_stopper_sided:
        assert game.is_stopper is (game == game.onside) is (game.onside == game.offside)
    else:
        with pytest.raises(NotStopperSided, match="no stopper"):
            _ = game.onside
