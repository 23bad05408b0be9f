"""What plays show, play by play: tables for each kind of claim that a witness may show."""

from __future__ import annotations

import pytest

from ggp.checker import witness
from ggp.checker.witness import WITNESSED, Witnesses, goals_of_form, is_decided
from ggp.errors import InputError
from ggp.kif import read_term
from tests.checker.test_states import certificate

IN_TURN = [("a", ["(control a)"]), ("b", ["(control b)"])]

ENDS = """(role a) (role b) (init (control a)) (init start)
(<= (legal ?r (go ?x)) (true (control ?r)) (true start) (way ?x))
(<= (legal b more) (true (at alive))) (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control b)) (true (control a)) (not (does a (go lost))))
(<= (next (control a)) (true (control b))) (<= (next (at ?x)) (does ?r (go ?x)))
(<= terminal (true (at ?x)) (distinct ?x stuck)) (<= (goal ?r ?v) (true (at ?x)) (pay ?x ?r ?v))
(way normal) (pay normal a 100) (pay normal b 0) (way misere) (pay misere a 0) (pay misere b 100)
(way draw) (pay draw a 50) (pay draw b 50) (way other) (pay other a 40) (pay other b 40)
(way odd) (pay odd a 30) (pay odd b 70) (way two) (pay two a 100) (pay two b 0) (pay two b 100)
(way none) (pay none a 100) (way alive) (pay alive a 100) (pay alive b 0)
(way lost) (pay lost a 100) (pay lost b 0) (way stuck)"""
"""a chooses how it ends, with b to move. At `two` b has two goals, at `none` it has none; at
`alive` it can still move; at `lost` it is nobody's turn; at `stuck` it is no end and no move."""


def said(name, read, plays, value):
    """Whether plays show that a property has a value."""
    return not WITNESSED[name](read, value, {"witness": plays})


def of_ends(words):
    """For each word the play of one move that leads there; for `start` that of none."""
    return [[] if word == "start" else [[f"(go {word})", "noop"]] for word in words.split()]


SHOWN = {
    "form": ("other", "normal", {
        "stuck": True, "alive": True, "draw": True, "odd": True, "normal misere": True,
        "misere normal": True, "normal odd": True, "normal stuck": True,
        "normal": False, "misere": False, "normal normal": False, "": False, "start": False,
        "normal start": False, "two": False, "none": False, "lost": False, "normal lost": False,
    }),
    "playable": (False, True, {
        "stuck": True, "two": True, "none": True, "normal two": True, "start stuck": True,
        "normal": False, "start": False, "alive": False, "lost": False, "": False,
    }),
    "zero_sum": (False, True, {
        "normal other": True, "other normal draw": True,
        "normal": False, "normal misere draw odd": False, "": False, "normal start": False,
        "normal other start": False, "other two": False, "other none": False, "other stuck": False,
    }),
    "outcome_kind": ("scored", "win-lose", {
        "odd": True, "draw other": True, "draw normal other": True, "normal odd": True,
        "draw": False, "draw draw": False, "normal misere": False, "normal draw": False,
        "start": False, "start odd": False, "draw two": False, "none": False, "": False,
    }),
    "winnable": (True, False, {
        "normal misere": True, "misere normal": True, "misere none": True, "two misere": True,
        "draw normal misere start": True,
        "normal": False, "misere": False, "normal two": False, "normal draw": False, "": False,
        "start": False, "stuck": False,
    }),
    "end": (True, False, {
        "normal": True, "start normal": True, "two": True, "start": False, "stuck": False,
        "": False,
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_ends_show_what_they_are(name) -> None:
    """And nothing else: no other value is shown by any of them."""
    read = certificate(ENDS, told=IN_TURN)
    value, other, rows = SHOWN[name]
    for words, is_shown in rows.items():
        assert said(name, read, of_ends(words), value) is is_shown, words
        assert not said(name, read, of_ends(words), other), words


def test_that_play_ends_may_be_said_without_a_play() -> None:
    """Then it is not shown."""
    assert WITNESSED["end"](certificate(ENDS), True, {})


def test_the_goals_of_the_players_where_plays_end() -> None:
    read = certificate(ENDS, told=IN_TURN)
    found = Witnesses(read, of_ends("normal odd start two none stuck draw lost"))
    wanted = [(100, 0), (30, 70), None, None, None, None, (50, 50), (100, 0)]
    assert found.goals() == wanted


@pytest.mark.parametrize(
    ("play", "why"),
    [
        ([["(go draw)"]], "one move for each role"),
        ([["(go draw)", "noop", "noop"]], "one move for each role"),
        ([[]], "one move for each role"),
        ([["(go nowhere)", "noop"]], "no move"),
        ([["noop", "(go draw)"]], "not legal"),
        ([["(go draw)", "noop"], ["noop", "(go odd)"]], "cannot"),
        ([["(go draw", "noop"]], "unmatched"),
    ],
)
def test_what_is_no_play_is_refused(play, why) -> None:
    with pytest.raises(InputError, match=why):
        Witnesses(certificate(ENDS), [play])


CHANCE = """(role a) (role random) (init start) (<= (legal a go) (true start))
(<= (legal random (draw ?x)) (true start) (lot ?x)) (lot 0) (lot 50) (lot 100)
(<= (next (at ?x)) (does random (draw ?x))) (<= terminal (true (at ?x)))
(<= (goal a ?x) (true (at ?x)) (lot ?x)) (goal random 0) (goal random 100)"""


@pytest.mark.parametrize(
    ("name", "value", "lots", "is_shown"),
    [
        # Chance is no player: what it has, or chooses, is not looked at.
        ("playable", False, [0], False),
        ("outcome_kind", "scored", [50], True),
        ("outcome_kind", "scored", [0], False),
        ("outcome_kind", "scored", [100], False),
        ("outcome_kind", "scored", [0, 100], False),
        ("zero_sum", False, [0, 100], True),
        ("winnable", True, [100], True),
        ("winnable", True, [50], False),
    ],
)
def test_one_player_and_chance(name, value, lots, is_shown) -> None:
    plays = [[["go", f"(draw {lot})"]] for lot in lots]
    read = certificate(CHANCE)
    assert said(name, read, plays, value) is is_shown
    assert Witnesses(read, plays).goals() == [(lot,) for lot in lots]
    assert Witnesses(read, [[]]).choosing(read.net.initial) == set()


def test_where_nobody_plays_nobody_wins() -> None:
    alone = """(role random) (init p) (<= (legal random go) (true p)) (<= (next q) (true p))
        (<= terminal (true q)) (goal random 100)"""
    assert not said("winnable", certificate(alone), [[["go"]]], True)


# -- options ---------------------------------------------------------------------------------------

HEAP = """(role a) (role b) (init (control a)) (init (heap 3)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (legal a one) (true (control a)) (true (heap ?n)) (succ ?m ?n))
(<= (legal b two) (true (control b)) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m))
(<= (legal ?r three) (true (control ?r)) (true (heap 3)))
(<= (next (heap ?m)) (does ?r one) (true (heap ?n)) (succ ?m ?n))
(<= (next (heap ?k)) (does ?r two) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m))
(<= (next (heap 0)) (does ?r three)) (<= terminal (true (heap 0))) (goal a 0) (goal b 0)"""
"""a takes one, b takes two, either of them all three."""

ONE, TWO = ["one", "noop"], ["noop", "two"]


def heap(read, *numbers):
    """The boards with heaps of these sizes."""
    return {frozenset({read.net.fluent_index[read_term(f"(heap {n})")]}) for n in numbers}


@pytest.mark.parametrize(
    ("play", "of_a", "of_b"),
    [
        ([], [2, 0], [1, 0]),
        ([ONE], [1], [0]),
        # At the end there are none.
        ([ONE, TWO], [], []),
        ([["three", "noop"]], [], []),
    ],
)
def test_options_are_boards_with_either_to_move(play, of_a, of_b) -> None:
    read = certificate(HEAP, told=IN_TURN)
    found = Witnesses(read, [play])
    [state] = found.states
    assert found.options(state, 0) == heap(read, *of_a)
    assert found.options(state, 1) == heap(read, *of_b)


@pytest.mark.parametrize(
    ("name", "plays", "is_shown"),
    [
        ("impartial", [[]], True),
        ("impartial", [[ONE]], True),
        ("impartial", [[ONE, TWO]], False),
        ("impartial", [[ONE, TWO], [ONE]], True),
        ("impartial", [], False),
        # Of three both can move, of two both, of none neither.
        ("all_small", [[]], False),
        ("all_small", [[ONE]], False),
        ("all_small", [[ONE, TWO]], False),
        ("all_small", [], False),
    ],
)
def test_boards_on_which_the_players_are_not_alike(name, plays, is_shown) -> None:
    read = certificate(HEAP, told=IN_TURN)
    assert said(name, read, plays, False) is is_shown
    assert not said(name, read, plays, True)


@pytest.mark.parametrize(("size", "is_shown"), [(0, False), (1, True), (2, False), (3, False)])
def test_one_token_is_for_who_takes_one(size, is_shown) -> None:
    """The other cannot move, while play goes on: the game is not all-small."""
    rules = HEAP.replace("(init (heap 3))", f"(init (heap {size}))")
    read = certificate(rules, told=IN_TURN)
    assert said("all_small", read, [[]], False) is is_shown
    assert not said("all_small", read, [[]], True)


def test_the_board_is_what_does_not_tell_turns() -> None:
    read = certificate(HEAP, told=IN_TURN)
    found = Witnesses(read, [[], [ONE]])
    assert [found.board(state) for state in found.states] == [*heap(read, 3), *heap(read, 2)]
    assert [len(line) for line in found.lines] == [1, 2]
    assert found.lines[1] == [found.states[0], found.states[1]]


ALL_AT_ONCE = """(role a) (role b) (role random) (init p) {moves} (<= (next q) (does a x))
(<= terminal (true q)) (goal a 0) (goal b 0)"""


@pytest.mark.parametrize(("most", "is_told"), [(5, False), (6, True), (7, True)])
def test_joint_moves_are_looked_at_up_to_a_limit(most, is_told, monkeypatch) -> None:
    """Two of a, three of b and one of chance make six."""
    moves = "(legal a x) (legal a y) (legal b x) (legal b y) (legal b z) (legal random x)"
    read = certificate(ALL_AT_ONCE.format(moves=moves), told=[("a", ["p"]), ("b", ["q"])])
    found = Witnesses(read, [[]])
    monkeypatch.setattr(witness, "MAX_JOINT_MOVES", most)
    if is_told:
        assert found.options(read.net.initial, 0) == {frozenset()}
    else:
        with pytest.raises(InputError, match="too many"):
            found.options(read.net.initial, 0)


# -- turns and passes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "choosing", "is_stuck"),
    [
        ("(legal a x) (legal b x) (legal random x)", set(), False),
        ("(legal a x) (legal a y) (legal b x) (legal random x)", {0}, False),
        ("(legal a x) (legal b x) (legal b y) (legal random x) (legal random y)", {1}, False),
        ("(legal a x) (legal a y) (legal b x) (legal b y) (legal random x)", {0, 1}, False),
        ("(legal a x) (legal random x)", set(), True),
        ("(legal a x) (legal a y) (legal b x)", {0}, True),
    ],
)
def test_who_has_a_choice_and_who_cannot_move(moves, choosing, is_stuck) -> None:
    read = certificate(ALL_AT_ONCE.format(moves=moves))
    found = Witnesses(read, [])
    assert found.choosing(read.net.initial) == choosing
    assert found.is_stuck(read.net.initial) is is_stuck
    over = frozenset(range(len(read.net.fluents)))
    assert found.choosing(over) == set()
    assert not found.is_stuck(over)


@pytest.mark.parametrize(
    ("moves", "plays", "is_shown"),
    [
        ("(legal b x) (legal b y)", [[]], True),
        ("(legal b x) (legal b y)", [], False),
        ("(legal b x)", [[]], False),
        # Where play is over nobody chooses.
        ("(legal b x) (legal b y)", [[["x", "x", "x"]]], False),
        ("(legal b x) (legal b y)", [[["x", "x", "x"]], []], True),
    ],
)
def test_a_state_shows_that_two_choose_at_once(moves, plays, is_shown) -> None:
    rules = ALL_AT_ONCE.format(moves=f"(legal a x) (legal a y) (legal random x) {moves}")
    assert said("turns", certificate(rules), plays, "simultaneous") is is_shown


AGAIN = """(role a) (role b) (init (control a)) (init fresh)
(<= (legal ?r go) (true (control ?r))) (<= (legal ?r again) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control b)) (does a go)) (<= (next (control a)) (does b go))
(<= (next fresh) (true fresh)) (<= (next (control ?r)) (does ?r again))
(<= (next other) (does ?r again))
(<= terminal (not (true fresh))) (goal a 0) (goal b 0)"""  # fmt: skip
GO_A, GO_B, AGAIN_A, AGAIN_B = ["go", "noop"], ["noop", "go"], ["again", "noop"], ["noop", "again"]


@pytest.mark.parametrize(
    ("plays", "with_marker", "without"),
    [
        ([[AGAIN_A]], True, True),
        ([[GO_A, AGAIN_B]], True, True),
        ([[GO_A, GO_B], [AGAIN_A]], True, True),
        ([[GO_A, GO_B, GO_A]], False, False),
        ([[GO_A]], False, False),
        ([[]], False, False),
        ([], False, False),
    ],
)
def test_plays_show_that_a_turn_is_kept(plays, with_marker, without) -> None:
    """By what tells whose turn it is, else by who has a choice twice running."""
    told, plain = certificate(AGAIN, told=IN_TURN), certificate(AGAIN)
    assert said("turns", told, plays, "with extra turns") is with_marker
    assert said("turns", plain, plays, "with extra turns") is without
    for value in ("alternating", "simultaneous", False):
        assert not said("turns", told, plays, value)


@pytest.mark.parametrize(
    ("after", "steps", "is_shown"),
    [
        ("(after a b) (after b c) (after c a)", 5, False),
        ("(after a b) (after b a)", 2, True),
        ("(after a b) (after b a)", 1, False),
        ("(after a b) (after b c) (after c b)", 3, True),
    ],
)
def test_steps_that_are_of_no_circle_of_all_roles(after, steps, is_shown) -> None:
    """Two of three that take turns leave the third one out."""
    rules = f"""(role a) (role b) (role c) (init (turn a)) {after}
        (<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q)) (<= (next (turn b)) two)
        (<= (next (turn c)) two) (<= two (true (turn ?p)) (true (turn ?q)) (distinct ?p ?q))
        (legal a go) (legal b go) (legal c go) (<= (next done) two) (<= terminal (true done))
        (goal a 0) (goal b 0) (goal c 0)"""
    read = certificate(rules, told=[(role, [f"(turn {role})"]) for role in "abc"])
    assert said("turns", read, [[["go", "go", "go"]] * steps], "with extra turns") is is_shown


PASSING = """(role a) (role b) (init (control a)) (init (n 0)) (succ 0 1) (succ 1 2)
(<= (next (control b)) (true (control a)) (not (does a leave)))
(<= (next (control a)) (true (control b))) (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (legal ?r add) (true (control ?r)) (true (n ?x)) (succ ?x ?y))
(<= (legal ?r rest) (true (control ?r)) (true (n 2)))
(<= (legal b rest) (true (control b)) (true (n 1)))
(<= (legal a leave) (true (control a)) (true (n 0)))
(<= (next (n ?y)) (does ?r add) (true (n ?x)) (succ ?x ?y))
(<= (next (n ?x)) (true (n ?x)) (not added))
(<= added (does ?r add)) {over} (goal a 0) (goal b 0)"""  # fmt: skip
ADD_A, ADD_B = ["add", "noop"], ["noop", "add"]


@pytest.mark.parametrize(
    ("over", "plays", "is_shown"),
    [
        # b can rest at 1, who is to move at 2; a may leave at 0, which changes nothing but turns.
        ("(<= terminal (true (n 9)))", [[]], True),
        ("(<= terminal (true (n 9)))", [[ADD_A]], True),
        ("(<= terminal (true (n 9)))", [[ADD_A, ADD_B]], True),
        ("(<= terminal (true (n 9)))", [], False),
        # At the end there is no pass, nor where it is nobody's turn.
        ("(<= terminal (true (n 2)))", [[ADD_A, ADD_B]], False),
        ("(<= terminal (true (n 1)))", [[ADD_A]], False),
        ("(<= terminal (true (n 9)))", [[["leave", "noop"]]], False),
        ("(<= terminal (true (n 2)))", [[ADD_A, ADD_B], [ADD_A]], True),
    ],
)
def test_plays_show_that_a_move_leaves_the_board(over, plays, is_shown) -> None:
    read = certificate(PASSING.format(over=over), told=IN_TURN)
    assert said("passes", read, plays, True) is is_shown
    assert not said("passes", read, plays, False)


@pytest.mark.parametrize(
    ("plays", "is_shown"),
    [
        ([[GO_A, GO_B]], True),
        ([[GO_A, GO_B, GO_A]], True),
        ([[GO_A]], False),
        ([[AGAIN_A]], False),
        ([[AGAIN_A, AGAIN_A]], True),
        ([[GO_A], [GO_A]], False),
        ([[GO_A], [GO_A, GO_B]], True),
        ([[]], False),
        ([], False),
    ],
)
def test_a_state_that_comes_up_again_along_one_play(plays, is_shown) -> None:
    """After `again` it is another state, and the same after the next one."""
    read = certificate(AGAIN, told=IN_TURN)
    assert said("cyclic", read, plays, True) is is_shown
    assert not said("cyclic", read, plays, False)


# -- goals -----------------------------------------------------------------------------------------

WIDE = ((0, 100), (0, 100))


@pytest.mark.parametrize(
    ("of_rules", "mover", "normal", "misere"),
    [
        (WIDE, 0, (0, 100), (100, 0)),
        (WIDE, 1, (100, 0), (0, 100)),
        # The worst and the best of each, whatever lies between.
        (((0, 50, 90), (10, 60, 80)), 0, (0, 80), (90, 10)),
        (((0, 50, 90), (10, 60, 80)), 1, (90, 10), (0, 80)),
        # Of two goals each the loser's may be more than the winner's; of one it may not.
        (((50, 60), (10, 20)), 0, (50, 20), (60, 10)),
        (((50,), (0, 100)), 0, (50, 100), (50, 0)),
        (((0, 100), (50,)), 0, (0, 50), (100, 50)),
        (((100,), (0, 100)), 0, None, (100, 0)),
        (((0, 100), (0,)), 0, None, (100, 0)),
        (((0,), (0, 100)), 0, (0, 100), None),
        (((0,), (0, 100)), 1, None, (0, 100)),
        (((60,), (0, 50)), 1, (60, 0), None),
        (((0,), (100,)), 0, (0, 100), None),
        (((5,), (5,)), 0, None, None),
        # A role without goals neither wins nor loses.
        (((), (0, 100)), 0, None, None),
        (((0, 100), ()), 1, None, None),
    ],
)  # fmt: skip
def test_what_two_roles_have_where_the_one_to_move_cannot(of_rules, mover, normal, misere) -> None:
    assert goals_of_form(of_rules, mover, loses=True) == normal
    assert goals_of_form(of_rules, mover, loses=False) == misere


@pytest.mark.parametrize(
    ("row", "of_rules", "is_so"),
    [
        ((0, 100), WIDE, True),
        ((100, 0), WIDE, True),
        ((50, 50), WIDE, False),
        ((0, 0), WIDE, False),
        ((100, 100), WIDE, False),
        ((0, 99), WIDE, False),
        ((1, 100), WIDE, False),
        # The worst and the best of the rules, if they are those of all.
        ((10, 60), ((10, 60), (10, 60)), True),
        ((60, 10), ((10, 40, 60), (10, 60)), True),
        ((60, 60), ((10, 60), (10, 60)), False),
        ((10, 40), ((10, 40, 60), (10, 40, 60)), False),
        ((10, 60), ((10, 60), (10, 70)), False),
        ((10, 60), ((10, 60), (20, 60)), False),
        # 0 and 100 decide whatever the rules have besides.
        ((0, 100), ((0, 50, 100), (0, 100)), True),
        ((0, 100), ((0, 100), (0, 40)), True),
        ((5, 5), ((5,), (5,)), False),
        ((100, 100), ((100,), (100,)), False),
        ((0, 0), ((), ()), False),
        # Just one of three.
        ((0, 100, 0), (*WIDE, (0, 100)), True),
        ((0, 100, 100), (*WIDE, (0, 100)), False),
        ((10, 10, 60), ((10, 60),) * 3, True),
        ((60, 60, 10), ((10, 60),) * 3, False),
        ((10, 40, 60), ((10, 40, 60),) * 3, False),
        # One alone has 0 or 100, whatever its best is.
        ((0,), ((0, 40),), True),
        ((100,), ((0, 100),), True),
        ((40,), ((0, 40),), False),
        ((1,), ((0, 1),), False),
        ((101,), ((0, 101),), False),
    ],
)
def test_what_one_wins_and_all_others_lose(row, of_rules, is_so) -> None:
    assert is_decided(row, of_rules) is is_so
