"""What all claims rest on, condition by condition (docs/certificates.md, 1 to 9)."""

from __future__ import annotations

from itertools import product

import pytest

from ggp.checker.basis import Basis
from ggp.checker.encoding import Copy
from tests.checker.test_states import CLOCK, PHASES, certificate


def basis(rules, **parts) -> Basis:
    return Basis(certificate(rules, **parts), 60)


def roles(names, holds):
    """Settings of roles, by what holds."""
    return list(zip(names, holds, strict=True))


# -- what must hold at the start -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({}, ""),
        ({"groups": [(["(ph 0)", "(ph 1)"], True)]}, ""),
        ({"groups": [(["(ph 1)", "(ph 2)"], False)]}, ""),
        ({"groups": [(["(ph 1)", "(ph 2)"], True)]}, "group does not hold"),
        ({"groups": [(["(ph 0)", "lit"], False)]}, "group does not hold"),
        ({"groups": [(["(ph 0)", "lit"], True)]}, "group does not hold"),
        ({"groups": [(["(ph 0)"], True), (["odd", "lit"], False)]}, "group does not hold"),
        ({"sums": [({"(ph 0)": 2, "(ph 1)": 3, "lit": -1}, 1)]}, ""),
        ({"sums": [({"(ph 0)": 2, "(ph 1)": 3, "lit": -1}, 4)]}, "sum is another"),
        ({"sums": [({"(ph 0)": 2, "(ph 1)": 3, "lit": -1}, 0)]}, "sum is another"),
        ({"sums": [({}, 1)]}, "sum is another"),
    ],
)
def test_groups_and_sums_hold_at_the_start(parts, why) -> None:
    """(ph 0), odd and lit do."""
    found = basis(CLOCK, **parts)._shapes()
    assert bool(found) == bool(why)
    assert why in found


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (roles("ab", [["odd"], ["even"]]), ""),
        (roles("abab", PHASES), ""),
        (roles("ab", [["(ph 1)"], ["(ph 2)"]]), "nobody's turn"),
        (roles("ab", [["odd", "(ph 1)"], ["even"]]), "nobody's turn"),
        (roles("aba", [["odd"], ["even"], ["odd"]]), "turn of two"),
        (roles("abb", [["odd"], ["even"], ["odd"]]), "turn of two"),
        (roles("aa", [["odd"], ["even"]]), "some role"),
        (roles("bb", [["odd"], ["even"]]), "some role"),
        (roles("aba", PHASES[:3]), "neither a clock"),
        (roles("ab", [["lit"], []]), "neither a clock"),
    ],
)
def test_what_tells_turns(told, why) -> None:
    """Settings differ, each role has one, one is there at the start, and they are a clock."""
    found = basis(CLOCK, told=told)._shapes()
    assert bool(found) == bool(why)
    assert why in found


TWINS = """(role a) (role b) (init u1) (init u2) (<= (next v1) (true u1)) (<= (next u1) (true v1))
(<= (next v2) (true u2)) (<= (next u2) (true v2)) (legal a go) (legal b go) (legal a rest)
(init x) (<= (next x) (true x) (does a rest)) (<= terminal (not (true x))) (goal a 0) (goal b 0)"""
"""Two clocks that go together, and a board of one fluent."""

ALONE = TWINS.replace("(true u2)", "(true u2) (does a rest)")
"""The second one is no clock: moves stop it."""

MARKED = [*roles("ab", [["u1"], ["v1"]])]
BOTH = [*roles("ab", [["u1", "u2"], ["v1", "v2"]])]


@pytest.mark.parametrize(
    ("rules", "parts", "why"),
    [
        (CLOCK, {"told": roles("abab", PHASES)}, ""),
        (CLOCK, {"told": roles("abba", PHASES)}, "does not go round"),
        (CLOCK, {"told": roles("aabb", PHASES)}, "does not go round"),
        (CLOCK, {"told": roles("abab", [[*PHASES[i], ("odd", "even")[i % 2]] for i in range(4)])},
         "a part"),
        # Of groups all fluents tell turns or none does; then at most one holds on each side.
        (ALONE, {"told": MARKED, "groups": [(["u1", "v1"], True)]}, ""),
        (ALONE, {"told": MARKED, "groups": [(["u2", "v2"], True), (["x"], True)]}, ""),
        (ALONE, {"told": MARKED, "groups": [(["u1", "v2"], False)]}, "and others"),
        (ALONE, {"told": MARKED, "groups": [(["v1", "v2"], False)]}, "and others"),
        (ALONE, {"told": MARKED, "groups": [(["u1"], True)]}, "whoever is to move"),
        (ALONE, {"told": MARKED, "groups": [(["u1"], False)]}, ""),
        (ALONE, {"told": MARKED, "groups": [(["v1"], False)]}, ""),
        (TWINS, {"told": BOTH, "groups": [(["v1", "v2"], False)]}, "whoever is to move"),
        (TWINS, {"told": BOTH, "groups": [(["u1", "v2"], True)]}, ""),
        (ALONE, {"told": MARKED, "sums": [({"u2": 1, "x": 1}, 2)]}, ""),
        (ALONE, {"told": MARKED, "sums": [({"u1": 1, "v1": 1}, 1)]}, "a sum has"),
        (ALONE, {"told": MARKED, "sums": [({"x": 1}, 1), ({"v1": 1}, 0)]}, "a sum has"),
        # A second marker that goes with the first is no part of the board.
        (TWINS, {"told": MARKED}, "go with the turn"),
        (TWINS, {"told": BOTH}, ""),
    ],
)  # fmt: skip
def test_where_the_turn_can_be_given_away_more_is_asked(rules, parts, why) -> None:
    found = basis(rules, flips=True, **parts)._shapes()
    assert bool(found) == bool(why)
    assert why in found
    assert basis(rules, **parts)._shapes() == ""


# -- what moves keep -------------------------------------------------------------------------------

TOKEN = """(role a) (role b) (init (at 1)) (init (turn a)) (nx 1 2) (nx 2 3) (nx 3 1)
(init full) (<= (next full) (true full) (not (does a eat))) (<= (next spot) (does b spill))
(<= (next spot) (true spot)) (<= (legal a eat) (true (turn a)) (true (at 1))) (<= (legal b spill)
(true (turn b))) (<= (legal ?r go) (true (turn ?r))) (<= (legal ?r noop) (role ?r)
(not (true (turn ?r)))) (<= (next (at ?y)) (true (at ?x)) (nx ?x ?y))
(<= (next (turn b)) (true (turn a)) (not (does a hide))) (<= (next (turn a)) (true (turn b)))
{more} (<= terminal (true spot) (not (true full))) (goal a 0) (goal b 0)"""
"""A token goes round; a may eat what is full, b may spill."""

PLAIN = TOKEN.format(more="")
HIDING = TOKEN.format(more="(<= (legal a hide) (true (turn a)))")
NEVER_HIDING = TOKEN.format(more="(<= (legal a hide) (true (turn a)) (true spot) (true full) lost)"
                            "(<= lost (true spot) (not (true full)))")  # fmt: skip
TURNS = roles("ab", [["(turn a)"], ["(turn b)"]])
PLACES = [f"(at {x})" for x in (1, 2, 3)]


@pytest.mark.parametrize(
    ("parts", "holds"),
    [
        ({}, True),
        ({"groups": [(PLACES, True)]}, True),
        ({"groups": [(PLACES, False)]}, True),
        # There is none of two places at the third.
        ({"groups": [(PLACES[:2], True)]}, False),
        ({"groups": [(PLACES[:2], False)]}, False),
        ({"groups": [(PLACES[:2], False), (PLACES, True)]}, True),
        ({"groups": [(PLACES, True), (PLACES[:2], True)]}, False),
        ({"groups": [(["full"], False)]}, True),
        ({"groups": [(["full"], True)]}, False),
        ({"groups": [(["spot"], False)]}, True),
        ({"groups": [(["(at 2)", "spot"], False)]}, False),
        # The weights of a sum stay, neither less nor more.
        ({"sums": [(dict.fromkeys(PLACES, 2), 2)]}, True),
        ({"sums": [(dict(zip(PLACES, (2, 2, 3), strict=True)), 2)]}, False),
        ({"sums": [({"full": 1}, 1)]}, False),
        ({"sums": [({"full": -1}, -1)]}, False),
        ({"sums": [({"spot": 1}, 0)]}, False),
        ({"sums": [({"spot": -1}, 0)]}, False),
        ({"sums": [({}, 0)]}, True),
    ],
)
@pytest.mark.parametrize("turns", [{}, {"told": TURNS, "flips": True}], ids=["plain", "flips"])
def test_legal_moves_keep_groups_and_sums(parts, turns, holds) -> None:
    assert (basis(PLAIN, **parts, **turns)._kept() == "") is holds


@pytest.mark.parametrize(("rules", "holds"), [(PLAIN, True), (NEVER_HIDING, True), (HIDING, False)])
@pytest.mark.parametrize("flips", [False, True])
def test_legal_moves_leave_it_somebodys_turn(rules, flips, holds) -> None:
    assert (basis(rules, told=TURNS, flips=flips)._kept() == "") is holds


CHANGES = """(role a) (init p) (init q) (<= (legal a ?m) (way ?m)) (way p) (way q) (way r) (way no)
(<= (next p) (true p) (not (does a p))) (<= (next q) (true q) (not (does a q)))
(<= (next r) (does a r)) (<= (next s) (true r)) (<= terminal (true s) (true q)) (goal a 0)"""


@pytest.mark.parametrize(
    "weights", [{"p": 1}, {"p": 2, "q": -3}, {"r": 1}, {"r": 2, "s": 5}, {"r": 3, "s": 3, "p": -1}]
)
def test_a_change_is_what_comes_less_what_goes(weights) -> None:
    """For all states and moves: p and q may go, r comes and goes, and s holds where r did."""
    here = basis(CHANGES)
    names = list(map(str, here.net.fluents))
    moves = list(map(str, here.net.moves[0]))
    program = here._program()
    copy = Copy(program)
    here._moving(program, copy)
    by_index = {names.index(name): weight for name, weight in weights.items()}
    terms = here._change(program, copy, by_index)
    exactly = {n: program.weighs(n, terms) for n in range(-12, 13)}
    for bits, move in product(product((0, 1), repeat=len(names)), range(len(moves))):
        state = {name for name, bit in zip(names, bits, strict=True) if bit}
        if {"s", "q"} <= state:
            continue
        after = state & {"p", "q"} - {moves[move]}
        after |= {"r"} & {moves[move]} | ({"s"} if "r" in state else set())
        change = sum(w * ((x in after) - (x in state)) for x, w in weights.items())
        literals = [x if bit else -x for x, bit in zip(program.fluents, bits, strict=True)]
        literals.append(copy.made(0)[move])
        assert program.is_possible(*literals, exactly[change])
        assert not program.is_possible(*literals, exactly[change + 1])
        assert not program.is_possible(*literals, -exactly[change])


# -- excluded states and bounds --------------------------------------------------------------------

BOX = """(role a) (init p) (init x) (<= (legal a open) (true p)) (<= (legal a wait) (true x))
(init z0) (<= (next z1) (true z0)) (<= (next z0) (true z1)) (<= (next q) (true z0) (true z1))
(<= (next p) (true p)) (<= (next q) (does a open) (true q)) (<= (next r) (does a open))
(<= (next x) (true x) (not (true q))) (<= (next y) (true q) (true r)) {more}
(<= terminal (true y) (true r)) (<= (goal a 50) (not (true y))) (<= (goal a 0) (true y))
{goals}"""
"""q holds only where it did, and not at the start, as not both z0 and z1 do; p stays."""


@pytest.mark.parametrize(
    ("more", "goals", "parts", "why"),
    [
        ("", "", {}, ""),
        ("", "", {"excluded": [(["q"], [])]}, ""),
        ("", "", {"excluded": [([], ["p"])]}, ""),
        ("", "", {"excluded": [(["q"], []), (["y"], [])]}, ""),
        ("", "", {"bounds": [({"q": 1}, 0)]}, ""),
        ("", "", {"bounds": [({"p": 3, "q": 1}, 3)], "excluded": [([], ["p"])]}, ""),
        ("", "", {"bounds": [({"p": -2}, -2)]}, ""),
        ("", "", {"excluded": [(["q"], []), ([], ["x"])]}, ""),
        # Without p, and with q, which takes x away, there is no move.
        ("", "", {"bounds": [({"p": -2}, 0)]}, "can lead to one"),
        ("", "", {"excluded": [(["p", "q"], [])]}, "can lead to one"),
        # At the start p and x hold, and nothing else.
        ("", "", {"excluded": [(["p"], ["q"])]}, "begins"),
        ("", "", {"excluded": [([], ["q", "r"])]}, "begins"),
        ("", "", {"excluded": [([], [])]}, "begins"),
        ("", "", {"excluded": [(["q"], []), (["x"], [])]}, "begins"),
        ("", "", {"bounds": [({"p": 1}, 0)]}, "at the start"),
        ("", "", {"bounds": [({"p": 2, "x": 2, "q": -9}, 3)]}, "at the start"),
        ("", "", {"bounds": [({"q": 1}, 0), ({"x": 1}, 0)]}, "at the start"),
        # A move may lead to r, or, where it could be, to y.
        ("", "", {"excluded": [(["r"], [])]}, "into an excluded"),
        ("", "", {"excluded": [(["q"], []), (["r"], ["x"])]}, "into an excluded"),
        ("", "", {"excluded": [(["y"], [])]}, "into an excluded"),
        ("", "", {"excluded": [([], ["r"]), (["q"], [])]}, "begins"),
        ("", "", {"bounds": [({"r": 1}, 0)]}, "raise"),
        ("", "", {"bounds": [({"r": 1}, 1)]}, "raise"),
        ("", "", {"bounds": [({"q": 1, "r": 1}, 1)]}, "raise"),
        # Rules that are not playable, at the start or later.
        ("", "(goal a 10)", {"excluded": [(["q"], [])]}, ""),
        ("(<= terminal (true r))", "(goal a 10)", {"excluded": [(["q"], [])]}, "can lead to one"),
        ("(<= terminal (true r))", "(goal a 10)", {"bounds": [({"q": 1}, 0)]}, "can lead to one"),
        ("(<= terminal (true p))", "(goal a 10)", {"excluded": [(["q"], [])]}, "not playable"),
        ("(<= terminal (true p))", "(goal a 10)", {"bounds": [({"q": 1}, 0)]}, "not playable"),
        ("(<= terminal (true p))", "", {"excluded": [(["q"], [])]}, ""),
    ],
)
def test_excluded_states_are_never_entered_and_bounds_never_passed(more, goals, parts, why) -> None:
    """Where there are any, every state must be playable as well."""
    groups = [(["z0", "z1"], True)]
    found = basis(BOX.format(more=more, goals=goals), groups=groups, **parts)._entered()
    assert bool(found) == bool(why), found
    assert why in found


@pytest.mark.parametrize(
    ("rules", "can_be"),
    [
        # One player; q is no state of play where it is excluded, and follows from no other.
        ("(<= (legal a go) (true p)) (<= terminal (not (true p))) (goal a 0)", False),
        ("(<= (legal a go) (true p)) (<= terminal (true q)) (goal a 0)", True),
        ("(<= (legal a go) (true p)) (<= (legal a go) (not (true p))) (<= terminal (true q)) "
         "(<= (goal a 0) (true q))", False),
        ("(legal a go) (<= terminal (true q)) (<= (goal a 0) (true p))", True),
        ("(legal a go) (<= terminal (true q)) (goal a 0) (<= (goal a 1) (true p))", True),
        ("(legal a go) (<= terminal (true p)) (goal a 0) (<= (goal a 1) (not (true p)))", False),
        ("(legal a go) (<= terminal (true p)) (goal a 0) (<= (goal a 1) (true p))", True),
    ],
)  # fmt: skip
def test_what_makes_rules_unplayable(rules, can_be) -> None:
    """A move for each role while play goes on, and just one goal for each player at the end."""
    more = "(role a) (init p) (<= (next q) (true p)) (<= (next p) (true q))"
    here = basis(f"{more} {rules}")
    program = here._program()
    faults = here._unplayable(program, Copy(program))
    assert any(program.is_possible(fault) for fault in faults) is can_be


WALK = """(role a) (init (at 1)) (nx 1 2) (nx 2 3) (nx 3 4) (nx 5 6) (nx 6 {six}) (legal a go)
(init z0) (<= (next z1) (true z0)) (<= (next z0) (true z1)) (<= (next (at 5)) (true z0) (true z1))
(<= (next (at ?y)) (true (at ?x)) (nx ?x ?y)) (<= terminal (true (at 4))) (goal a 0)"""
"""From 1 to 4; from 5 to 6 and on, which no play comes to."""


@pytest.mark.parametrize(
    ("six", "places", "can_be"),
    [
        (6, [1], True),
        (6, [2], True),
        (6, [4], True),
        # 5 follows from none, as not both z0 and z1 hold; 6 from 5, which is no fault here.
        (6, [5], False),
        (6, [6], True),
        (6, [5, 6], False),
        (6, [6, 5], False),
        (6, [5, 1], True),
        (6, [5, 2], True),
        (7, [7], True),
        (7, [6, 7], True),
        (7, [5, 6, 7], False),
        (7, [], False),
    ],
)
def test_what_no_state_without_a_fault_leads_to_is_never(six, places, can_be) -> None:
    """One step of induction, from states with just one place."""
    every = [f"(at {x})" for x in range(1, six + 1)]
    here = basis(WALK.format(six=six), groups=[(every, True), (["z0", "z1"], True)])
    names = list(map(str, here.net.fluents))
    indices = [names.index(f"(at {x})") for x in places]

    def faults(program, copy):
        return [here._held(copy)(i) for i in indices]

    assert here._can_be(faults) is can_be
