"""What an adversary with a brute force found in tables, sweeps and simultaneous moves."""

from __future__ import annotations

import pytest

import ggp
from ggp.errors import InputError, LimitReached, NotSolvable, UnknownName
from ggp.solver import write_table
from ggp.solver.any_heap import any_heaps
from ggp.solver.sentences import sentences
from ggp.solver.sweep import fact_axis, sweep, values_of
from ggp.theory.sequences import _recurrence, closed_forms
from tests.conftest import GAMES

VANISHES = """(role a) (role b) (init (at 0)) (init (c a)) (succ 0 1)
(<= (legal a x) (true (c a))) (<= (legal a y) (true (c a))) (<= (legal b noop) (true (c a)))
(<= (legal b x) (true (c b))) (<= (legal b y) (true (c b))) (<= (legal a noop) (true (c b)))
(<= (next (c b)) (true (c a))) (<= (next (c a)) (true (c b)))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
(<= (next won) (does a y) (true (at 0)))
(<= terminal (not (true (at 0))) (not (true (at 1))))
(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
(<= (goal b 0) (true won)) (<= (goal b 100) (not (true won)))"""


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    "name", ["won", "turn", "result", "best", "position", "distance", "nim_value"]
)
def test_every_position_is_found_again_whatever_fluents_are_called(name, suffix, tmp_path) -> None:
    """A group that is empty although 0 is one of its values; propositions with names of columns."""
    game = ggp.parse(VANISHES.replace("won", name))
    write_table(tmp_path / f"t{suffix}", game)
    table = ggp.tablebase(tmp_path / f"t{suffix}")
    for i in range(len(table)):
        facts = table.facts(i)
        assert table[facts] == table.row(i)
        state = game.state(sorted(facts))
        assert table.row(i)["goals"] == game.solve(starts=[state]).value(state)


def test_two_facts_of_one_group_are_no_position(tmp_path) -> None:
    write_table(tmp_path / "t.csv", ggp.load(GAMES / "subtraction" / "sg-12-15.kif"))
    table = ggp.tablebase(tmp_path / "t.csv")
    facts = ["(heap 1 7)", "(heap 1 5)", "(heap 2 11)", "(control left)"]
    for wanted in (facts, facts[::-1]):
        with pytest.raises(UnknownName, match="no position"):
            table[wanted]


STAYS = """(role a) (role b) (init (at n))
(legal a go) (legal a abide) (legal b l) (legal b r)
(<= (next (at n)) (does a abide)) (<= (next (at w)) (does a go))
(<= terminal (true (at w))) (<= (goal a 100) (true (at w))) (<= (goal b 0) (true (at w)))"""


@pytest.mark.parametrize("name", ["abide", "stay"])
def test_a_strategy_that_never_ends_play_does_not_make_sure_of_the_end(name) -> None:
    game = ggp.parse(STAYS.replace("abide", name))
    solution = game.solve()
    assert solution.value(game.initial) == {"a": 100, "b": 0}
    assert {str(move): p for move, p in solution.mixed(game.initial)["a"].items()} == {"go": 1}
    with pytest.raises(NotSolvable, match="mixed"):
        solution.strategy("a")


def test_a_value_that_only_is_approached_is_given_up() -> None:
    """The hunter wins by shooting where the prey waits, which it does only if the hunter waits."""
    text = """(role h) (role p) (init (at n)) (legal h wait) (legal h shoot) (legal p hide)
    (legal p run) (<= (next (at n)) (does h wait) (does p hide))
    (<= (next (at won)) (does h wait) (does p run))
    (<= (next (at won)) (does h shoot) (does p hide))
    (<= (next (at lost)) (does h shoot) (does p run)) (<= terminal (not (true (at n))))
    (<= (goal h 100) (true (at won))) (<= (goal h 0) (true (at lost)))
    (<= (goal p 0) (true (at won))) (<= (goal p 100) (true (at lost)))"""
    game = ggp.parse(text)
    solution = game.solve()
    with pytest.raises(NotSolvable, match="no exact value"):
        solution.exact(game.initial)


def test_recurrences_fit_all_terms() -> None:
    forms = closed_forms([0, *range(2, 82, 3)])
    assert [form.kind for form in forms] == ["floor"], "3 n - 1 from 1 on, no recurrence"
    for terms in (
        [0, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32],
        [7, 1, 2, 4, 8, 16, 32, 64, 128, 256],
    ):
        assert _recurrence(terms) is None


def test_one_player_and_chance_make_a_table(tmp_path) -> None:
    game = ggp.parse(
        "(role a) (role random) (init start) (legal a wait) (legal random heads) "
        "(legal random tails) (<= (next (got ?x)) (does random ?x)) "
        "(<= terminal (not (true start))) (<= (goal a 100) (true (got heads))) "
        "(<= (goal a 0) (true (got tails)))"
    )
    assert write_table(tmp_path / "t.csv", game) == 3
    assert ggp.tablebase(tmp_path / "t.csv")[game.initial]["goals"] == {"a": 50}


@pytest.mark.parametrize("text", ["13..0", "0..3:-1", "5..4", "0..3:0"])
def test_empty_ranges_are_told(text) -> None:
    with pytest.raises(InputError):
        values_of(text, "x")


def test_a_fact_varies_once() -> None:
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja")
    with pytest.raises(InputError, match="twice"):
        sweep(game, [fact_axis("row 1=0..1"), fact_axis("row ? =0..1".replace("? ", "1"))])


def test_an_end_at_which_both_could_choose_is_an_end() -> None:
    game = ggp.parse(STAYS)
    end = game.initial.play({"a": "go", "b": "l"})
    tree = game.solve(method="tree", starts=[end])
    assert tree.value(end) == {"a": 100, "b": 0}
    assert tree.outcome(end) is None, "nothing tells who is to move"


def test_where_nobody_is_to_move_there_is_no_nim_value() -> None:
    game = ggp.load(GAMES / "subtraction" / "sg-125.kif")
    facts = [str(f) for f in game.initial.facts if f.name == "heap"]
    state = game.state(facts)
    with pytest.raises((ggp.NoLegalMove, NotSolvable)):
        game.solve(starts=[state]).value(state)
    assert game.solve().nim_value(state) is None


def test_sizes_that_the_first_state_does_not_come_to_have_nim_values() -> None:
    game = ggp.load(GAMES / "subtraction" / "sg-125.kif")
    facts = ["(heap 1 0)", "(heap 2 0)", "(heap 3 0)", "(control left)"]
    cells, _ = sweep(game, [fact_axis("heap 1=0..12")], facts=[game.term(f) for f in facts])
    assert [cell.nim_value for cell in cells] == [n % 3 for n in range(13)]


def test_what_needs_turns_says_so(tmp_path) -> None:
    game = ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif")
    with pytest.raises(NotSolvable, match="games in turn"):
        ggp.statistics(game, misere=True)
    with pytest.raises(NotSolvable, match="games in turn"):
        game.solve(misere=True)
    with pytest.raises(NotSolvable, match="no two roles"):
        ggp.load(GAMES / "kayles" / "kayles-7.kif").solve(method="simultaneous")


def test_a_position_in_which_all_are_forced_is_nobodys_without_a_marker() -> None:
    text = """(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2) (legal a go) (legal b go)
    (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 2)))
    (<= (legal a stop) (true (at 0))) (goal a 100) (goal b 0)"""
    game = ggp.parse(text)
    sides = ggp.statistics(game).sides
    assert (sides["a"].positions, sides["a"].moves, sides["b"].positions) == (1, 2, 0)


def test_limits_hold_for_values_of_staying() -> None:
    game = ggp.load(GAMES / "simultaneous" / "rock-paper-scissors.kif")
    with pytest.raises(LimitReached):
        game.solve(time=-1)


TAKE = """(role x) (role y) (init (control x))
(<= (next (control y)) (true (control x))) (<= (next (control x)) (true (control y)))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
"""
HEAP = (
    TAKE
    + """(init (heap 5)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?m)) (less ?m ?n))
(<= (less ?m ?n) (succ ?n ?m)) (<= (less ?m ?n) (succ ?n ?k) (succ ?k ?m))
(<= (next (heap ?n)) (does ?p (take ?n)))
(<= open (true (heap ?m)) (less ?m ?n)) (<= terminal (not open))
(<= (goal x 0) (true (control x))) (<= (goal y 100) (true (control x)))
"""
)


@pytest.mark.parametrize(
    ("x", "y", "outcome", "result"),
    [(25, 75, "P", "y"), (50, 50, "draw", "draw"), (100, 0, "N", "x")],
)
def test_who_has_the_last_move_need_not_have_more_of_the_goals(x, y, outcome, result) -> None:
    """`--heap` said that who makes the last move wins, and a sentence of that was told to whom it
    does not help."""
    goals = f"(<= (goal x {x}) (true (control y))) (<= (goal y {y}) (true (control y)))"
    game = ggp.parse(HEAP + goals)
    solution = game.solve()
    assert solution.outcome(game.initial) == outcome
    for one in (any_heaps(game).of([5]), any_heaps(game).of([8])):
        assert one.outcome == outcome
        told = one.as_json()
        assert (told["outcome"], told["result"]) == (outcome, result)
        assert told["goals"] == one.goals == {"x": x, "y": y}
    assert sentences(solution, "x")
    assert not sentences(solution, "y")


def test_a_heap_that_never_changes_is_none_of_which_a_sentence_tells() -> None:
    heaps = "(init (heap a 3)) (init (heap b 3)) (init (heap c 3))"
    chain = "(succ 0 1) (succ 1 2) (succ 2 3)"
    game = ggp.parse(
        TAKE
        + heaps
        + chain
        + """
(<= (legal ?p (take ?h ?n)) (true (control ?p)) (true (heap ?h ?m)) (succ ?n ?m) (distinct ?h b))
(<= (next (heap ?h ?n)) (does ?p (take ?h ?n))) (<= (hit ?h) (does ?p (take ?h ?n)))
(<= (next (heap ?h ?m)) (true (heap ?h ?m)) (not (hit ?h)))
(<= open (true (control ?p)) (legal ?p (take ?h ?n))) (<= terminal (not open))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (true (control ?q)) (distinct ?p ?q))"""
    )
    first, *_ = sentences(game.solve(), "y")
    assert "of every heap that can change size mod 2" in first.text


FORCED = """(role x) (role y) (init (at a)) (<= (legal ?p go) (role ?p))
(<= (next (at b)) (true (at a))) (<= terminal (true (at b)))
(<= (goal x 0) (true (at b))) (<= (goal y 100) (true (at b)))"""


@pytest.mark.parametrize("method", ["tree", "positions"])
def test_where_nobody_has_a_choice_nobody_is_to_move(method) -> None:
    game = ggp.parse(FORCED)
    solution = game.solve(method=method)
    assert solution.result(game.initial) == "y"
    assert solution.outcome(game.initial) is None
    assert solution.to_move(game.initial) is None


def test_who_chooses_beside_chance_is_to_move() -> None:
    game = ggp.parse("""(role a) (role random) (init on)
(<= (legal a l) (true on)) (<= (legal a r) (true on)) (legal random x) (legal random y)
(<= (next off) (true on)) (<= (next won) (does a l) (does random x)) (<= terminal (true off))
(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won))) (role b) (legal b wait) (goal b 0)""")
    solution = game.solve(method="tree")
    assert solution.mover(game.initial) == solution.to_move(game.initial) == "a"
    assert [str(move) for move in solution.best(game.initial)] == ["l"]
