"""Whose turn it is, way by way: by the marker, by proof, by random play, by enumeration."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import turns
from ggp.limits import Budget
from tests.analysis.test_turns import alternates, sheet


def handed(ways: str, length: int = 4) -> ggp.Game:
    """`paq`: after p makes the move a it is q's turn. There are so many moves; the last is kept."""
    roles = "".join(f"(role {r})" for r in dict.fromkeys(way[0] for way in ways.split()))
    return ggp.parse(f"""{roles} (init (control p)) (init (left {length}))
        {"".join(f"(s {n} {n + 1})" for n in range(length))}
        {"".join("(then {} {} {})".format(*way) for way in ways.split())}
        (<= (legal ?r ?m) (true (control ?r)) (then ?r ?m ?q))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (control ?q)) (does ?r ?m) (then ?r ?m ?q))
        (<= (next (last ?m)) (does ?r ?m) (then ?r ?m ?q))
        (<= (next (left ?n)) (true (left ?m)) (s ?n ?m))
        (<= terminal (true (left 0))) (<= (goal ?r 50) (role ?r))""")


def context(game: ggp.Game) -> Positions:
    return Positions(game, Budget())


def told(finding) -> tuple[object, str] | None:
    return None if finding is None else (finding.value, finding.certainty)


def require_replayed(game: ggp.Game, finding) -> None:
    """Each state that a finding shows is what comes of the moves that lead to it."""
    for witness in finding.evidence.states:
        state = game.initial
        for joint in witness.path:
            state = state.play(dict(zip(game.roles, joint, strict=True)))
        assert tuple(map(str, state.facts)) == witness.facts


TWICE = "p is to move twice running"
AFTER_P = "after p's turn comes q's, and r's at another time"
TO_Q = "it is q's turn after p and after r"
PROVED, COUNTED = ("alternating", "proved"), ("alternating", "exhaustive")


@pytest.mark.parametrize(
    ("ways", "proved", "fault", "after"),
    [
        ("paq pbq qap qbp", True, None, {0: 1, 1: 0}),
        ("paq pbp qap qbp", False, TWICE, None),
        ("paq pbq qar qbr rap rbp", True, None, {0: 1, 1: 2, 2: 0}),
        ("par pbr qap qbp raq rbq", True, None, {0: 2, 1: 0, 2: 1}),
        ("paq pbr qap qbp rap rbp", False, AFTER_P, None),
        ("paq pbq qar qbr raq rbq", False, TO_Q, {0: 1, 1: 2, 2: 1}),
    ],
)
def test_turns_that_moves_hand_on(ways, proved, fault, after) -> None:
    game = handed(ways)
    positions = context(game)
    # The marker alone does not tell, as it hangs on the moves.
    assert turns.by_marker(positions) is None
    assert turns.refute(positions.samples) is None
    two = len(game.roles) == 2
    assert turns.is_passed_on(positions.proofs, True) == (proved and two)
    assert told(turns.prove(positions.proofs, True)) == (PROVED if proved and two else None)
    found = turns.prove(positions.proofs, False)
    counted = turns.enumerated(positions)
    if fault is None:
        assert (told(found), told(counted)) == (PROVED, COUNTED)
        assert turns.extra_turn(positions.samples) is None
    else:
        for finding in (found, counted, turns.extra_turn(positions.samples)):
            assert told(finding) == ("with extra turns", "proved")
            assert finding.evidence.why == fault
            require_replayed(game, finding)
            # Pairs of states, a move apart.
            before, next_ones = finding.evidence.states[::2], finding.evidence.states[1::2]
            for one, other in zip(before, next_ones, strict=True):
                assert other.path[:-1] == one.path
                assert len(other.path) == len(one.path) + 1
    if after is not None:
        assert turns.following(positions.samples) == after


def test_a_circle_of_turns_that_was_not_met_as_a_whole_is_not_proved() -> None:
    """Of three roles two had a turn when play was over."""
    game = handed("paq pbq qar qbr rap rbp", length=2)
    positions = context(game)
    assert turns.following(positions.samples) == {0: 1, 1: 2}
    assert turns.prove(positions.proofs, False) is None


def marked(next_rules: str, roles: str = "pq", turn: str = "(true (control ?r))"):
    """The turn goes on by rules of its own; each turn has a choice of two moves."""
    listed = "".join(f"(role {r})" for r in roles)
    return ggp.parse(f"""{listed} {next_rules} (choice a) (choice b)
        (<= (legal ?r ?m) (role ?r) (choice ?m) {turn})
        (<= (legal ?r wait) (role ?r) (not (turn ?r))) (<= (turn ?r) (role ?r) {turn})
        (<= (next (last ?m)) (does ?r ?m) (choice ?m))
        (<= (next (made ?m)) (does ?r ?m) (choice ?m)) (<= (next (made ?m)) (true (made ?m)))
        (<= terminal (true (made a)) (true (made b))) (<= (goal ?r 50) (role ?r))""")


def flip(*circle: str) -> str:
    pairs = zip(circle, (*circle[1:], circle[0]), strict=True)
    return f"(init (control {circle[0]}))" + "".join(
        f"(<= (next (control {b})) (true (control {a})))" for a, b in pairs
    )


ODD = "(<= (next odd) (not (true odd)))"
FOUR = "(init (c 0))" + "".join(f"(<= (next (c {(n + 1) % 4})) (true (c {n})))" for n in range(4))


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (lambda: marked(flip("p", "q")), "exactly one of (control p) for p, (control q) for q "),
        (lambda: marked(flip("q", "p")), "exactly one of (control p) for p, (control q) for q "),
        (
            lambda: marked(flip("p", "q", "r"), "pqr"),
            "exactly one of (control p) for p, (control q) for q, (control r) for r ",
        ),
        # One fluent that flips.
        (
            lambda: marked(
                ODD + "(<= (mine q) (true odd)) (<= (mine p) (not (true odd)))", turn="(mine ?r)"
            ),
            "exactly one of its absence for p, odd for q ",
        ),
        # A counter of four, of which each has two.
        (
            lambda: marked(
                FOUR + "(of p 0) (of q 1) (of p 2) (of q 3)", turn="(of ?r ?n) (true (c ?n))"
            ),
            "fluents that go through 4 settings by themselves ",
        ),
    ],
)  # fmt: skip
def test_turns_that_go_on_by_themselves(game, why) -> None:
    positions = context(game())
    finding = turns.by_marker(positions)
    assert told(finding) == PROVED
    assert finding.evidence.why.startswith(why)
    assert told(turns.enumerated(positions)) == COUNTED


@pytest.mark.parametrize(
    ("roles", "why"), [("p", "there is one role"), ("p random", "one role besides chance")]
)
def test_one_player(roles, why) -> None:
    listed = "".join(f"(role {r})" for r in roles.split())
    game = ggp.parse(f"""{listed} (<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))
        (<= (next done) (does ?r a)) (<= terminal (true done)) (<= (goal ?r 50) (role ?r))""")
    finding = turns.by_marker(context(game))
    assert told(finding) == ("single-player", "proved")
    assert finding.evidence.why.endswith(why)


def both(first: str, second: str, third: str = "") -> ggp.Game:
    """Moves of p and q, and of chance, in the steps 0, 1 and 2: one, or a choice of two."""
    sides = {"p": first, "q": second, "random": third}
    rows = "".join(
        f"(may {role} {n} m{k})"
        for role, counts in sides.items()
        for n, count in enumerate(counts)
        for k in range(int(count))
    )
    return ggp.parse(f"""{"".join(f"(role {r})" for r, own in sides.items() if own)} {rows}
        (init (step 0)) (s 0 1) (s 1 2) (s 2 3)
        (<= (legal ?r ?m) (true (step ?n)) (may ?r ?n ?m) (role ?r))
        (<= (next (step ?n)) (true (step ?m)) (s ?m ?n))
        (<= (next (did ?r ?m)) (does ?r ?m)) (<= terminal (true (step 3)))
        (<= (goal ?r 50) (role ?r))""")


@pytest.mark.parametrize(
    ("sides", "value", "twice"),
    [
        (("212", "121"), "alternating", False),
        (("121", "212"), "alternating", False),
        (("221", "112"), "with extra turns", True),
        (("112", "221"), "with extra turns", True),
        # One step between them: the first, third and so on are of one role.
        (("211", "112"), "with extra turns", False),
        (("222", "121"), "simultaneous", False),
        (("112", "112"), "simultaneous", False),
        (("211", "221"), "simultaneous", False),
        # Chance may choose with anybody, and is in no circle.
        (("212", "121", "222"), "alternating", False),
        (("221", "112", "112"), "with extra turns", True),
    ],
)
def test_choices_at_three_steps(sides, value, twice) -> None:
    """Two roles that choose at once; one that does twice running; each at steps of its own."""
    game = both(*sides)
    positions = context(game)
    finding = turns.enumerated(positions)
    assert finding.value == value
    shown = turns.refute(positions.samples)
    assert (shown is not None) == (value == "simultaneous")
    if shown is None:
        again = turns.extra_turn(positions.samples)
        assert (again is not None) == twice
        if again:
            require_replayed(game, again)
            assert len(again.evidence.states) == 2
        return
    for found in (finding, shown):
        assert told(found) == ("simultaneous", "proved")
        require_replayed(game, found)
        [witness] = found.evidence.states
        step = len(witness.path)
        assert all(side[step] == "2" for side in sides[:2])


@pytest.mark.parametrize(
    ("edges", "owners", "turns_are", "certainty"),
    [
        ([[1, 2], [3, 4], [3, 4], [4, 5], [5]], ["a", "b", "b", "a", ""], "alternating", ""),
        ([[1, 2], [2, 3], [3, 4], [4, 5], [5]], ["a", "b", "a", "b", ""], "with extra turns", ""),
        ([[1, 2], [3], [3], [4, 5], [5]], ["a", "a", "a", "b", "b"], "with extra turns", ""),
        ([[1, 2], [3], [3], [4, 5], [5]], ["a", "b", "b", "a", "b"], "alternating", ""),
        # Never b's turn.
        ([[1, 2], [3], [3], [4], [5]], ["a", "", "", "", ""], None, "unknown"),
        ([[1, 2], [3], [3], [4], [5]], ["b", "", "", "", ""], None, "unknown"),
    ],
)
def test_places_at_which_roles_choose(edges, owners, turns_are, certainty) -> None:
    """Who has one move acts, where all others do nothing."""
    finding = turns.enumerated(context(ggp.parse(sheet(edges, owners, ["a", "b"]))))
    assert finding.value == turns_are
    if certainty:
        assert finding.certainty == certainty
    else:
        assert alternates(edges, owners, ["a", "b"]) == (turns_are == "alternating")
