"""Who can have a choice, and what plays show of it (docs/certificates.md, 3 and 4)."""

from __future__ import annotations

import pytest

from tests.checker.test_basis import basis, roles
from tests.checker.test_states import PHASES

TELLING = """(role a) (role b) (init (turn a)) (init (heap 2)) (succ 0 1) (succ 1 2)
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (legal ?r (take ?n)) (true (turn ?r)) (true (heap ?n)) (succ ?m ?n))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (heap ?m)) (does ?r (take ?n)) (succ ?m ?n))
(<= (next (heap ?n)) (true (heap ?n)) (not took)) (<= took (does ?r (take ?n)))
(<= terminal (true (heap 0))) (goal a 0) (goal b 0) {more}"""
HEAPS = [(["(heap 0)", "(heap 1)", "(heap 2)"], True)]
TAKE_A, TAKE_B = ["(take 2)", "noop"], ["noop", "(take 1)"]
SHOWING = [("a", ["(turn a)"], []), ("b", ["(turn b)"], [TAKE_A])]
SILENT = [("a", ["(turn a)"]), ("b", ["(turn b)"])]


@pytest.mark.parametrize("flips", [False, True])
@pytest.mark.parametrize(
    ("more", "told", "why"),
    [
        ("", SHOWING, ""),
        # Where no play shows whose turn it is it must follow from the other side.
        ("", SHOWING[:1] + SILENT[1:], ""),
        ("", SILENT[:1] + SHOWING[1:], ""),
        # Who waits has one move, and none that does anything.
        ("(<= (legal b rest) (true (turn a)))", SHOWING, "can have a choice"),
        ("(<= (legal a rest) (true (turn b)))", SHOWING, "can have a choice"),
        ("(<= (legal b rest) (true (turn a)) (true (heap 0)))", SHOWING, ""),
        ("(<= (legal a rest) (true (turn a)))", SHOWING, ""),
        # Turns the other way round.
        ("", [("b", *SHOWING[0][1:]), ("a", *SHOWING[1][1:])], "only move that does anything"),
        ("", [("b", SILENT[0][1]), ("a", SILENT[1][1])], "only move that does anything"),
    ],
)
def test_only_who_is_to_move_has_a_choice(more, told, why, flips) -> None:
    found = basis(TELLING.format(more=more), told=told, groups=HEAPS, flips=flips)._told()
    assert bool(found) == bool(why), found
    assert why in found


@pytest.mark.parametrize(
    ("rules", "side", "play", "shown"),
    [
        ("", 0, [], (False, True)),
        ("(<= (legal a rest) (true (turn a)))", 0, [], (True, True)),
        ("(<= (legal a rest) (true (turn a)))", 1, [TAKE_A], (False, True)),
        # The state must be one with the setting, and no end.
        ("", 1, [], (False, False)),
        ("", 0, [TAKE_A], (False, False)),
        ("", 0, [TAKE_A, TAKE_B], (False, False)),
        ("(<= (legal a rest) (true (turn a)))", 0, [TAKE_A, TAKE_B], (False, False)),
        # Nothing is shown by no play, nor by one whose moves do nothing.
        ("(<= (legal a rest) (true (turn a)))", 0, None, (False, False)),
    ],
)
def test_a_play_shows_what_a_role_can_do(rules, side, play, shown) -> None:
    told = [("a", ["(turn a)"]), ("b", ["(turn b)"])]
    if play is not None:
        told[side] = (*told[side], play)
    here = basis(TELLING.format(more=rules), told=told)
    assert here._shown(side, here._acting()) == shown


def test_moves_that_act_are_those_the_board_depends_on() -> None:
    """Taking does; waiting does not, nor what only tells turns."""
    more = "(<= (legal a skip) (true (turn a))) (<= (next (turn a)) (does a skip))"
    here = basis(TELLING.format(more=more), told=SILENT)
    acting = here._acting()
    moves = [(role, str(m)) for role, own in enumerate(here.net.moves) for m in own]
    found = [move for i, move in enumerate(moves) if here.net.first_move + i in acting]
    assert found == [(0, "(take 1)"), (0, "(take 2)"), (1, "(take 1)"), (1, "(take 2)")]


IDLE = """(role a) (role b) (init (ph 0)) (nx 0 1) (nx 1 2) (nx 2 3) (nx 3 0) (init (heap 1))
(<= (next (ph ?y)) (true (ph ?x)) (nx ?x ?y)) (at 0 a) (at 1 b) {who}
(<= (mine ?r) (true (ph ?x)) (at ?x ?r)) (<= (legal ?r eat) (mine ?r))
(<= (legal ?r look) (mine ?r)) (<= (legal ?r noop) (role ?r) (not (mine ?r)))
(<= (next (heap 1)) (true (heap 1)) (not eaten))
(<= eaten (does ?r eat)) (<= terminal (not (true (heap 1)))) (goal a 0) (goal b 0)"""  # fmt: skip
LOOK_A, LOOK_B = ["look", "noop"], ["noop", "look"]


@pytest.mark.parametrize(
    ("who", "names", "plays", "why"),
    [
        # In phases 2 and 3 nobody can do anything: whose they are follows from a circle.
        ("", "abab", {0: [], 1: [LOOK_A]}, ""),
        ("", "abba", {0: [], 1: [LOOK_A]}, "do not go round"),
        ("", "abab", {0: []}, "not told apart"),
        ("", "abab", {1: [LOOK_A]}, "not told apart"),
        ("(at 2 a)", "abab", {0: [], 1: [LOOK_A], 2: [LOOK_A, LOOK_B]}, ""),
        # Where all show something nothing needs to follow.
        ("(at 2 b) (at 3 a)", "abba",
         {0: [], 1: [LOOK_A], 2: [LOOK_A, LOOK_B], 3: [LOOK_A, LOOK_B, LOOK_B]}, ""),
    ],
)  # fmt: skip
def test_sides_on_which_nobody_can_do_anything(who, names, plays, why) -> None:
    told = [(r, own, *([plays[i]] if i in plays else [])) for i, (r, own) in
            enumerate(roles(names, PHASES))]  # fmt: skip
    found = basis(IDLE.format(who=who), told=told)._told()
    assert bool(found) == bool(why), found
    assert why in found


@pytest.mark.parametrize(
    ("legal", "can_be"),
    [
        ("(<= (legal b noop) (true (turn a))) (<= (legal b take) (true (turn b)))", False),
        # b has no move at the end, or two.
        ("(<= (legal b noop) (true (turn a)) (true on)) (<= (legal b take) (true (turn b)))", True),
        (
            "(<= (legal b noop) (true (turn a))) (<= (legal b off) (not (true on))) "
            "(<= (legal b take) (true (turn b)))",
            True,
        ),
    ],
)
def test_who_waits_has_one_move_at_the_end_as_well(legal, can_be) -> None:
    rules = f"""(role a) (role b) (init (turn a)) (init on) (<= (next (turn b)) (true (turn a)))
        (<= (next (turn a)) (true (turn b))) (<= (legal a take) (true (turn a)))
        (<= (legal a noop) (true (turn b))) {legal} (<= (next on) (true on) (not took))
        (<= took (does ?r take)) (<= terminal (not (true on))) (goal a 0) (goal b 0)"""
    here = basis(rules, told=SILENT)
    assert bool(here._waiting(0)) is can_be
    assert not here._waiting(1)


HANDED_ON = TELLING.replace("(true (turn a)))", "(true (turn a)) (not (does a keep)))", 1).replace(
    "{more}", "(<= (legal a keep) (true (turn a))) (<= (next (turn a)) (does a keep)) {more}"
)
"""a may keep the turn: this is no clock."""


@pytest.mark.parametrize(
    ("more", "told", "why"),
    [
        ("", SHOWING, ""),
        ("", SHOWING[:1] + SILENT[1:], ""),
        ("", SILENT[:1] + SHOWING[1:], ""),
        # One side may be idle, and not both; who waits always has just one move, at the end too.
        ("", SILENT, "need not have just one move"),
        ("(<= (legal b rest) (true (turn a)) (true (heap 0)))", SHOWING, "need not have just one"),
        ("(<= (legal a rest) (true (turn b)) (true (heap 0)))", SHOWING, "need not have just one"),
        ("(<= (legal b rest) (true (turn a)))", SHOWING, "can have a choice"),
    ],
)
def test_a_turn_that_is_handed_on_is_told_by_one_move_of_who_waits(more, told, why) -> None:
    here = basis(HANDED_ON.format(more=more), told=told, groups=HEAPS, flips=True)
    assert here._order is None
    found = here._told()
    assert bool(found) == bool(why), found
    assert why in found


SAME = """(role a) (role b) (init (ph 0)) (nx 0 1) (nx 1 2) (nx 2 3) (nx 3 0) (init on)
(<= (next (ph ?y)) (true (ph ?x)) (nx ?x ?y)) (at 0 a) (at 1 b) (at 2 a) (at 3 b)
(<= (mine ?r) (true (ph ?x)) (at ?x ?r)) (<= (legal ?r eat) (mine ?r))
(<= (legal ?r look) (mine ?r)) (<= (legal ?r noop) (role ?r) (not (mine ?r)))
(<= (next on) (true on) (not eaten) {next})
(<= eaten (does ?r eat)) (<= terminal (not (true on)) {over}) (<= (goal ?r 0) (role ?r) {goal})
(<= (legal b more) (true (ph 3)) {legal})"""  # fmt: skip


@pytest.mark.parametrize(
    ("part", "differs"),
    [
        ({}, False),
        ({"next": "(not (true (ph 2)))"}, True),
        ({"over": "(not (true (ph 3)))"}, True),
        ({"goal": "(not (true (ph 0)))"}, True),
        ({"legal": "(true on)"}, True),
    ],
)
def test_in_all_settings_of_a_role_the_rules_say_the_same(part, differs) -> None:
    """What is legal, what comes next, whether it is the end, and the goals."""
    said = {"next": "", "over": "", "goal": "", "legal": "(true on) (not (true on))", **part}
    told = roles("abab", PHASES)
    here = basis(SAME.format(**said), told=told, flips=True)
    assert here._differ() is differs
    assert ("do not say the same" in here._told()) is differs
    assert "do not say the same" not in basis(SAME.format(**said), told=told)._told()


ALIKE = SAME.format(next="", over="", goal="", legal="(true on) (not (true on))")


@pytest.mark.parametrize(
    ("plays", "flips", "is_told"),
    [
        ({0: [], 1: [LOOK_A]}, False, True),
        ({0: []}, False, False),
        ({1: [LOOK_A]}, False, False),
        # With the turn given away one role may show nothing, which is the other one's.
        ({0: []}, True, True),
        ({1: [LOOK_A]}, True, True),
        ({}, True, False),
        ({}, False, False),
    ],
)
def test_how_many_roles_must_show_something(plays, flips, is_told) -> None:
    told = [
        (role, held, *([plays[i]] if i in plays else []))
        for i, (role, held) in enumerate(roles("abab", PHASES))
    ]
    found = basis(ALIKE, told=told, flips=flips)._told()
    assert (found == "") is is_told, found


def test_the_basis_is_checked_in_all_its_parts() -> None:
    """Each fault is one of the whole, and without any there is none."""
    parts = {"told": SHOWING, "groups": HEAPS}
    rules = TELLING.format(more="")
    assert basis(rules, **parts).basis == ""
    for other in (
        {"sums": [({"(heap 1)": 1}, 1)]},
        {"sums": [({"(heap 2)": 1}, 1)]},
        {"told": [("b", *SHOWING[0][1:]), ("a", *SHOWING[1][1:])]},
        {"bounds": [({"(heap 1)": 1}, 0)]},
    ):
        assert basis(rules, **{**parts, **other}).basis != ""
