"""Certificates as they are read: names become places, and what names nothing is refused."""

from __future__ import annotations

import hashlib
import json

import pytest

from ggp.checker import FORMAT, read_certificate
from ggp.errors import InputError, LimitReached, RulesError
from ggp.limits import Limits
from tests.checker.test_states import certificate

RULES = """(role a) (role b) (init (turn a)) (init (pile 2)) (succ 0 1) (succ 1 2)
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (legal ?r (take ?n)) (true (turn ?r)) (true (pile ?n)) (succ ?m ?n))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (pile ?m)) (does ?r (take ?n)) (succ ?m ?n)) (<= terminal (true (pile 0)))
(<= (goal ?r 0) (true (turn ?r))) (<= (goal ?r 100) (role ?r) (not (true (turn ?r))))"""

ZERO, ONE, TWO, TURN_A, TURN_B = range(5)
"""Fluents are sorted by their text: (pile 0), (pile 1), (pile 2), (turn a), (turn b)."""

TOLD = [("a", ["(turn a)"]), ("b", ["(turn b)"])]


def test_names_become_places() -> None:
    read = certificate(
        RULES,
        told=[("b", ["(turn b)"], [["(take 2)", "noop"]]), ("a", ["(turn a)", "( pile 0 )"])],
        flips=True,
        groups=[(["(turn b)", "(pile 1)", "(pile 1)", "(PILE 0)"], False), ([], True)],
        sums=[({"(pile 2)": -3, "(turn a)": 0}, 7)],
        excluded=[(["(pile 2)", "(pile 0)"], ["(turn b)"]), ([], [])],
        bounds=[({"(pile 1)": 4}, -5)],
    )
    assert read.name == "s"
    assert read.settings == ((1, {TURN_B}), (0, {TURN_A, ZERO}))
    assert read.flips is True
    assert read.turn_fluents == {ZERO, TURN_A, TURN_B}
    # Of a group each fluent once, in order.
    assert read.groups == (((ZERO, ONE, TURN_B), False), ((), True))
    assert read.sums == (({TWO: -3, TURN_A: 0}, 7),)
    assert read.excluded == (((TWO, True), (ZERO, True), (TURN_B, False)), ())
    assert read.bounds == (({ONE: 4}, -5),)


def test_claims_are_plain_data_without_what_is_left_out() -> None:
    claims = [
        {"property": "cyclic", "value": False, "weights": {"(pile 1)": 1}, "strict": None},
        {"property": "winnable", "value": True, "witness": [[["(take 2)", "noop"]]]},
    ]
    assert list(certificate(RULES, claims=claims).claims) == claims


@pytest.mark.parametrize(("told", "flips"), [((), False), (TOLD, False), (TOLD, True)])
def test_turns_may_be_given_away_if_that_is_said(told, flips) -> None:
    read = certificate(RULES, told=told, flips=flips)
    assert read.flips is flips
    assert len(read.settings) == len(told)
    assert read.turn_fluents == ({TURN_A, TURN_B} if told else set())


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"told": [("c", ["(turn a)"])]}, "no role 'c'"),
        ({"told": [("A", ["(turn a)"])]}, "no role 'A'"),
        ({"told": [("a", ["(turn c)"])]}, r"no fluent '\(turn c\)'"),
        ({"groups": [(["pile"], True)]}, "no fluent"),
        ({"groups": [(["(take 1)"], True)]}, "no fluent"),
        ({"groups": [(["(pile ?x)"], True)]}, "no fluent"),
        ({"groups": [(["(pile 1) (pile 2)"], True)]}, "one term"),
        ({"groups": [(["(pile 1"], True)]}, "unmatched"),
        ({"sums": [({"(pile 3)": 1}, 0)]}, "no fluent"),
        ({"bounds": [({"(pile 3)": 1}, 0)]}, "no fluent"),
        ({"excluded": [(["(pile 3)"], [])]}, "no fluent"),
        ({"excluded": [([], ["(pile 3)"])]}, "no fluent"),
        # Case is folded: these are two weights of one fluent.
        ({"sums": [({"(pile 1)": 1, "(Pile 1)": 2}, 0)]}, "two weights"),
        ({"bounds": [({"(pile 1)": 1, "(pile  1)": 1}, 0)]}, "two weights"),
    ],
)
def test_what_names_nothing_is_refused(parts, why) -> None:
    with pytest.raises(InputError, match=why):
        certificate(RULES, **parts)


def test_a_message_repeats_little_of_a_name() -> None:
    with pytest.raises(InputError) as error:
        certificate(RULES, groups=[(["x" * 10_000], True)])
    assert len(str(error.value)) < 150


LARGE = 2**29


@pytest.mark.parametrize(
    ("weights", "value", "is_read"),
    [
        ({"(pile 1)": LARGE - 1}, 0, True),
        ({"(pile 1)": 1 - LARGE}, 0, True),
        ({"(pile 1)": LARGE + 1}, 0, False),
        ({"(pile 1)": -LARGE - 1}, 0, False),
        # Magnitudes count, whatever the signs are.
        ({"(pile 1)": LARGE - 2, "(pile 2)": -1}, 0, True),
        ({"(pile 1)": LARGE - 2, "(pile 2)": -3}, 0, False),
        ({"(pile 1)": LARGE - 2, "(pile 2)": 3}, 0, False),
        ({"(pile 1)": 1}, 2**30, True),
        ({"(pile 1)": 1}, -(2**30), True),
        ({"(pile 1)": 1}, 2**30 + 1, False),
        ({"(pile 1)": 1}, -(2**30) - 1, False),
    ],
)
@pytest.mark.parametrize("part", ["sums", "bounds"])
def test_sums_fit_the_solver(part, weights, value, is_read) -> None:
    """The magnitudes of the weights together are less than 2²⁹ (docs/certificates.md, 7)."""
    if is_read:
        assert len(getattr(certificate(RULES, **{part: [(weights, value)]}), part)) == 1
    else:
        with pytest.raises(InputError, match="too large"):
            certificate(RULES, **{part: [(weights, value)]})


def test_weights_of_claims_are_looked_up_when_they_are_asked_for() -> None:
    read = certificate(RULES)
    assert read.weights({"(pile 0)": 3, "(turn b)": -1}) == {ZERO: 3, TURN_B: -1}
    assert read.weights({}) == {}
    for weights in ({"(pile 7)": 1}, {"(pile 1)": 1, "(PILE 1)": 1}, {"(pile 1)": 2**40}):
        with pytest.raises(InputError):
            read.weights(weights)


@pytest.mark.parametrize(
    ("state", "role"),
    [
        ({TURN_A}, 0),
        ({TURN_B}, 1),
        ({TURN_A, TWO}, 0),
        ({ZERO, ONE, TURN_B}, 1),
        ({TURN_A, TURN_B}, None),
        ({TWO}, None),
        (set(), None),
    ],
)
def test_whose_turn_it_is_in_a_state(state, role) -> None:
    assert certificate(RULES, told=TOLD).role_to_move(frozenset(state)) == role
    if role is not None:
        assert certificate(RULES, told=TOLD[::-1]).role_to_move(frozenset(state)) == role


def test_where_nothing_tells_turns_it_is_nobodys() -> None:
    assert certificate(RULES).role_to_move(frozenset({TURN_A})) is None


def test_roles_and_moves_by_name() -> None:
    """The moves of all roles are numbered together, a's first: noop, (take 1), (take 2)."""
    read = certificate(RULES)
    assert [read.role("a"), read.role("b")] == [0, 1]
    moves = ["(take 1)", "(take 2)", "noop"]
    assert [read.move(0, text) for text in moves] == [0, 1, 2]
    assert [read.move(1, text) for text in moves] == [3, 4, 5]
    assert read.move(1, "(TAKE  2)") == 4
    with pytest.raises(InputError, match="no role 'c'"):
        read.role("c")
    for role, text in ((0, "(take 3)"), (1, "take"), (0, "(pile 1)"), (0, ""), (0, "(take 1")):
        with pytest.raises(InputError):
            read.move(role, text)


ALONE = "(init p) (<= (next q) (true p)) (<= terminal (true q))"


@pytest.mark.parametrize(
    ("roles", "players"),
    [
        ("a", [0]),
        ("a b", [0, 1]),
        ("a random", [0]),
        ("random a", [1]),
        ("a RANDOM b", [0, 2]),
        ("random", []),
        ("randomly a", [0, 1]),
    ],
)
def test_players_are_all_roles_but_chance(roles, players) -> None:
    names = roles.split()
    rules = " ".join(f"(role {name}) (legal {name} go) (goal {name} 0)" for name in names)
    assert certificate(f"{rules} {ALONE}").players == players


@pytest.mark.parametrize(
    ("goals", "of_a", "of_b"),
    [
        ("(goal a 50) (goal b 0)", (50,), (0,)),
        # Ascending as numbers, each once.
        ("(<= (goal a 100) (true p)) (goal a 9) (<= (goal a 9) (true q)) (goal b 0)", (9, 100),
         (0,)),
        # For all roles, as far as there are instances.
        ("(goal a 0) (<= (goal ?r 30) (role ?r) (true q))", (0, 30), (30,)),
        ("(<= (goal ?r ?x) (pay ?r ?x)) (pay a 10) (pay a 5) (pay b 70)", (5, 10), (70,)),
        # By name a head gives a goal though it never holds; to all roles it does not.
        ("(goal a 1) (goal b 2) (<= (goal a 99) (true p) (not (true p)))", (1, 99), (2,)),
        ("(goal a 1) (goal b 2) (<= (goal ?r 99) (role ?r) (true p) (not (true p)))", (1,), (2,)),
        ("(goal a 1) (goal b 2) (<= (goal b ?x) (pay b ?x) (true p) (not (true p))) (pay b 7)",
         (1,), (2,)),
    ],
)  # fmt: skip
def test_goals_of_the_rules(goals, of_a, of_b) -> None:
    """docs/certificates.md: those that a head gives a role by name, or the ground rules."""
    rules = f"(role a) (role b) (legal a go) (legal b go) {ALONE} {goals}"
    assert certificate(rules).goals == [of_a, of_b]


def written(rules=RULES, *, strict=False, digest=None, syntax="kif"):
    """The text of a certificate without claims."""
    text = f"ggp-sheet\n{syntax}\n{'strict' if strict else 'folded'}\n{rules}"
    digest = digest or hashlib.sha256(text.encode()).hexdigest()
    sheet = {"name": "s", "syntax": syntax, "strict_case": strict, "sha256": digest}
    parts = {"turns": None, "groups": [], "sums": [], "claims": []}
    return json.dumps({"format": FORMAT, "sheet": sheet, "rules": rules, **parts})


def test_the_digest_is_of_the_rules_and_how_they_are_read() -> None:
    """docs/certificates.md: `ggp-sheet`, the syntax, `strict` or `folded`, and the rules."""
    assert read_certificate(written()).net.initial == {TWO, TURN_A}
    assert read_certificate(written(strict=True)).rules.symbols.strict_case
    other = hashlib.sha256(RULES.encode()).hexdigest()
    folded = json.loads(written())["sheet"]["sha256"]
    for text in (written(digest=other), written(digest=folded, strict=True)):
        with pytest.raises(InputError, match="digest"):
            read_certificate(text)


def test_rules_with_faults_or_too_large_are_refused() -> None:
    with pytest.raises(RulesError):
        read_certificate(written(rules="(role a) (init ?x)"))
    with pytest.raises(LimitReached):
        read_certificate(written(), Limits(characters=10))
