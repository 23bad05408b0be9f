"""Sheets on which a finding was false once, and their kin: what is claimed of each, and why.

The definitions are those of docs/theory.md.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import ggp
from tests.oracle.random_games import scramble

TURN = """(role left) (role right) (init (control left))
    (<= (next (control right)) (true (control left)))
    (<= (next (control left)) (true (control right)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))"""

LOSES = """(<= (goal ?p 0) (true (control ?p)))
    (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""

STUCK_ENDS = """(<= open (true (control ?p)) (legal ?p (take ?x ?y))) (<= terminal (not open))"""


def chain(relation: str, *elements: object) -> str:
    """A successor relation."""
    pairs = pairwise(elements)
    return " ".join(f"({relation} {a} {b})" for a, b in pairs)


def heap(start: int, amounts: list[int], top: int, more: str = "") -> str:
    """One heap from which these amounts are taken, the new size being named by the move."""
    steps = []
    for amount in amounts:
        between = ["?k", *(f"?a{i}" for i in range(1, amount)), "?m"]
        steps.append(f"(<= (down ?m ?k) {chain('succ', *between)})")
    return f"""{TURN} {LOSES} {STUCK_ENDS} {" ".join(steps)} {chain("succ", *range(top + 1))}
        (init (heap {start}))
        (<= (legal ?p (take a ?k)) (true (control ?p)) (true (heap ?m)) (down ?m ?k) {more})
        (<= (next (heap ?k)) (does ?p (take a ?k)))"""


def claims(text: str, *names: str) -> dict[str, Any]:
    """The values of some findings; what is unknown, or has no sense, is left out."""
    findings = ggp.parse(text).analyse()
    found = {f.property: f.value for f in findings if f.certainty != "unknown"}
    return {name: found[name] for name in names if name in found}


def heaps_of(text: str) -> list[tuple[Any, ...]]:
    """Size, subtraction set, floor and scope of each heap."""
    found = ggp.parse(text).analyse().heaps
    return [(h.size, h.subtraction_set, h.floor, h.scope) for h in found]


# -- rows of tokens --------------------------------------------------------------------------------


def row(left: str, right: str) -> str:
    """A row of five tokens, from which each player takes by rules of its own."""
    tokens = " ".join(f"(init (tok {n}))" for n in range(1, 6))
    return f"""{TURN} {LOSES} {STUCK_ENDS.replace("(take ?x ?y)", "(hit ?x)")}
        {tokens} {chain("succ", 1, 2, 3, 4, 5)}
        (<= (next (tok ?x)) (true (tok ?x)) (not (gone ?x))) (<= (gone ?x) (does ?p (hit ?x)))
        {left} {right}"""


ONE = "(<= (legal {0} (hit ?x)) (true (control {0})) (true (tok ?x)))"
TWO = """(<= (legal {0} (hit ?x)) (true (control {0})) (true (tok ?x)) (succ ?x ?y) (true (tok ?y)))
    (<= (gone ?y) (does {0} (hit ?x)) (succ ?x ?y))"""


def test_a_partisan_row_has_no_octal_code() -> None:
    """Taken together the moves of both are those of 0.33, or 0.77: no code is about that."""
    partisan = row(ONE.format("left"), TWO.format("right"))
    found = claims(partisan, "impartial", "octal_code")
    assert found == {"impartial": False}
    same = row(ONE.format("left"), ONE.format("right"))
    assert claims(same, "impartial", "octal_code") == {"impartial": True, "octal_code": "0.7"}


def test_sums_and_codes_are_about_alternating_turns() -> None:
    """Where a move may leave the turn with the player who made it, nim-values say nothing."""
    again = TURN.replace(
        "(<= (next (control right)) (true (control left)))",
        "(<= (next (control right)) (true (control left)) (not (does left (hit 1))))"
        "(<= (next (control left)) (does left (hit 1)))",
    )
    text = row(ONE.format("left"), ONE.format("right")).replace(TURN, again)
    assert claims(text, "turns", "octal_code", "sum") == {"turns": "with extra turns"}


# -- forms -----------------------------------------------------------------------------------------


OVER = "(<= terminal (true (h 0)))"


def arcs(*pairs: tuple[object, object], more: str = "", goals: str = LOSES) -> str:
    """One token on a graph; both move along the same arcs, from 3 on."""
    listed = " ".join(f"(arc {a} {b})" for a, b in pairs)
    return f"""{TURN} {goals} {listed} (init (h 3))
        (<= (legal ?p (to ?k)) (true (control ?p)) (true (h ?m)) (arc ?m ?k))
        (<= (next (h ?k)) (does ?p (to ?k))) {more}"""


def test_where_play_can_get_stuck_there_is_no_form() -> None:
    text = arcs((3, 1), (3, 0), more=OVER)
    [finding] = [f for f in ggp.parse(text).analyse() if f.property == "form"]
    assert (finding.value, finding.certainty) == ("other", "refuted")
    assert "(h 1)" in finding.evidence.states[0].facts
    pure = arcs((3, 1), (3, 0), (1, 0), more=OVER)
    assert claims(pure, "form") == {"form": "normal"}


@pytest.mark.parametrize(
    ("goals", "form"),
    [
        ("(goal left 0) (goal right 100)", "misère"),  # right is to move at the end
        ("(goal left 100) (goal right 0)", "normal"),
        ("(goal left 50) (goal right 50)", "other"),
    ],
)
def test_a_role_that_always_has_the_same_goal_may_win_or_lose(goals, form) -> None:
    """Its worst goal is its best one, so that having it says nothing by itself."""
    text = arcs((3, 0), more=OVER, goals=goals)
    assert claims(text, "form") == {"form": form}


def test_goals_that_no_role_can_have_are_no_goals_of_the_rules() -> None:
    """`(goal ?p 100)` of the player who holds the prize, which right never can."""
    goals = """(<= (goal ?p 100) (true (prize ?p)))
        (<= (goal ?p 0) (role ?p) (not (true (prize ?p))))
        (init (prize left)) (<= (next (prize left)) (true (prize left)) (not (true (h 1))))"""
    text = arcs((3, 1), (3, 0), (1, 0), more=OVER, goals=goals)
    assert [value for value, _ in ggp.parse(text).net.goals[1]] == [0]
    assert claims(text, "winnable") == {"winnable": True}


def test_without_an_end_nothing_is_said_of_goals_at_the_end() -> None:
    text = arcs(
        (3, 1), more="(<= terminal (true (h 9))) (arc 9 9)", goals="(<= (goal ?p 50) (role ?p))"
    )
    found = claims(text, "outcome_kind", "zero_sum", "shortest_play")
    assert found == {"outcome_kind": None, "zero_sum": None, "shortest_play": None}


@pytest.mark.parametrize(
    ("goals", "kind"),
    [
        ("(goal left 50) (goal right 100)", "scored"),
        ("(goal left 0) (goal right 100)", "win-lose"),
        ("(goal left 40) (goal right 40)", "win-lose-draw"),
        (LOSES.replace("100", "90").replace(" 0)", " 10)"), "win-lose"),
    ],
)  # fmt: skip
def test_who_wins_is_told_by_the_goals_of_the_rules(goals, kind) -> None:
    text = arcs((3, 0), more=OVER, goals=goals)
    assert claims(text, "outcome_kind") == {"outcome_kind": kind}


# -- heaps -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # From 7 down to 1, from 8 down to 0: no floor is one for any size.
        (heap(7, [2, 4], 7), (7, (2, 4), 1, "table")),
        (heap(8, [2, 4], 8), (8, (2, 4), 0, "table")),
        (heap(9, [3, 6], 9), (9, (3, 6), 0, "table")),
        (heap(7, [1, 2], 7), (7, (1, 2), 0, "any size")),
        # 12 is on a longer chain only.
        (heap(6, [1, 2], 6, "(distinct ?m 12)"), (6, (1, 2), 0, "table")),
        (heap(6, [1, 2], 6, "(distinct ?k 7)"), (6, (1, 2), 0, "table")),
        # A heap of 2 or 1 goes on to 0.
        (heap(6, [1], 6, "(distinct ?m 3)"), (6, (1,), 3, "table")),
        # A shorter chain has no pair (5, 6).
        (heap(5, [1], 6, "(succ 5 6)"), (5, (1,), 0, "table")),
    ],
)
def test_heaps_of_any_size(text, expected) -> None:
    assert heaps_of(text) == [expected]


def test_heaps_may_lie_on_several_chains_and_run_both_ways() -> None:
    other = f"""{chain("nxt", "k0", "k1", "k2", "k3")} (init (pile k0))
        (<= (legal ?p (take b ?k)) (true (control ?p)) (true (pile ?m)) (nxt ?m ?k))
        (<= (next (pile ?k)) (does ?p (take b ?k)))
        (<= (next (pile ?m)) (true (pile ?m)) (does ?p (take a ?k)))
        (<= (next (heap ?m)) (true (heap ?m)) (does ?p (take b ?k)))"""
    text = heap(5, [1, 2], 5) + other
    assert heaps_of(text) == [(5, (1, 2), 0, "table"), (3, (1,), 0, "table")]
    assert heaps_of(text.replace("nxt", "succ").replace("k0", "0").replace("k1", "1")
                    .replace("k2", "2").replace("k3", "3")) == [
        (5, (1, 2), 0, "table"), (5, (1,), 0, "table"),
    ]  # fmt: skip
    renamed, _ = scramble(text, 5)
    assert sorted(heaps_of(renamed)) == sorted(heaps_of(text))


def test_a_chain_that_nothing_uses_is_one() -> None:
    text = heap(3, [1], 3) + "(<= (back ?y ?x) (succ ?x ?y))"
    found = claims(text, "successor_chains")["successor_chains"]
    assert [c["relation"] for c in found] == ["back", "down", "succ"]


# -- turns -----------------------------------------------------------------------------------------

THREE = """(role a) (role b) (role c) (init (control a)) (init (n 0))
    (<= (legal ?p (give ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (control ?q)) (does ?p (give ?q)))
    (<= (next (n ?m)) (true (n ?k)) (succ ?k ?m)) (<= terminal (true (n 4)))
    (<= (goal ?p 100) (true (control ?p))) (<= (goal ?p 0) (role ?p) (not (true (control ?p))))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"""


def test_turns_of_three_alternate_in_one_fixed_circle_only() -> None:
    """Never twice running is not enough where the mover chooses who is next."""
    assert claims(THREE, "turns") == {"turns": "with extra turns"}
    circle = THREE.replace("(role ?q) (distinct ?p ?q)", "(after ?p ?q)")
    circle += "(after a c) (after c b) (after b a)"
    assert claims(circle, "turns") == {"turns": "alternating"}


TOKEN = """(role left) (role right) {turn} (init (heap 4))
    (<= (legal ?p (take ?k)) (turn ?p) (true (heap ?n)) (less ?k ?n))
    (<= (legal ?p noop) (role ?p) (not (turn ?p)))
    (less 0 1) (less 0 2) (less 1 2) (less 1 3) (less 2 3) (less 2 4) (less 3 4)
    (<= (next (heap ?k)) (does ?p (take ?k)))
    (<= terminal (true (heap 0)))
    (<= (goal ?p 0) (turn ?p)) (<= (goal ?p 100) (role ?p) (not (turn ?p)))"""

TWO_BITS = """(init a) (<= (next a) (true b)) (<= (next b) (not (true a)))
    (<= same (true a) (true b)) (<= same (not (true a)) (not (true b)))
    (<= (turn left) (not same)) (<= (turn right) same)"""

FOUR = """(init (at 0)) (nx 0 1) (nx 1 2) (nx 2 3) (nx 3 0)
    (<= (next (at ?y)) (true (at ?x)) (nx ?x ?y))
    (<= (turn left) (or (true (at 0)) (true (at 2))))
    (<= (turn right) (or (true (at 1)) (true (at 3))))"""

ECHO = """(init (control left)) (init (echo left))
    (<= (next (control right)) (true (control left)))
    (<= (next (control left)) (true (control right)))
    (<= (next (echo right)) (true (control left))) (<= (next (echo left)) (true (control right)))
    (<= (turn ?p) (true (echo ?p)))"""


@pytest.mark.parametrize("turn", [TWO_BITS, FOUR, ECHO], ids=["two bits", "a circle", "an echo"])
def test_whose_turn_it_is_may_be_told_in_many_ways(turn) -> None:
    """What goes round by itself and is read as whose turn it is only is no part of the board."""
    found = claims(TOKEN.format(turn=turn), "turns", "form", "impartial", "all_small", "passes")
    assert found == {
        "turns": "alternating", "form": "normal", "impartial": True, "all_small": True,
        "passes": False,
    }  # fmt: skip


PHASES = """(init (phase left 1)) (<= (turn ?p) (true (phase ?p ?n)))
    (<= (next (phase ?p 2)) (true (phase ?p 1))) {more}
    (<= (next (phase right 1)) (true (phase left {last})))
    (<= (next (phase left 1)) (true (phase right {last})))"""


@pytest.mark.parametrize(
    ("last", "more"), [(2, ""), (3, "(<= (next (phase ?p 3)) (true (phase ?p 2)))")]
)
def test_turns_of_several_phases(last, more) -> None:
    """Each player moves several times running; the phase is a part of the board."""
    text = TOKEN.format(turn=PHASES.format(last=last, more=more))
    found = claims(text, "turns", "form", "passes", "impartial")
    assert found == {"turns": "with extra turns", "form": "normal", "passes": False}


def test_the_parity_of_a_step_counter_tells_whose_turn_it_is() -> None:
    """The game is over when the counter is: what tells whose turn it is tells that as well."""
    steps = chain("nx", *range(5))
    turn = f"""(init (step 0)) {steps} (<= (next (step ?y)) (true (step ?x)) (nx ?x ?y))
        (<= (turn left) (or (true (step 0)) (true (step 2)) (true (step 4))))
        (<= (turn right) (or (true (step 1)) (true (step 3)))) (<= terminal (true (step 4)))"""
    text = TOKEN.format(turn=turn)
    found = claims(text, "turns", "passes", "form", "impartial")
    # After four moves the heap is gone in any case, so that nobody can move then.
    assert found == {"turns": "alternating", "passes": False, "form": "normal"}


def test_what_happens_once_is_no_marker() -> None:
    """Left alone is ever to move, once; the board itself goes from one setting to another."""
    text = """(role left) (role right) (init (control left)) (init (pos 1))
        (<= (next (control ?p)) (true (control ?p)) (does ?p ?m))
        (<= (legal left (go 0)) (true (control left)) (true (pos 1)))
        (<= (next (pos ?y)) (does ?p (go ?y)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= terminal (not (true (pos 1))))
        (<= (goal ?p 0) (true (control ?p)))
        (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""
    assert claims(text, "turns", "passes", "form") == {}


IDLE = """(role left) (role right) (init (ply 0)) (init (x 0)) {plies}
    (<= (next (ply ?b)) (true (ply ?a)) (nx ?a ?b)) {steps}
    (<= (chooses ?p) (true (ply ?a)) (who ?a ?p))
    (<= (legal ?p (put 0)) (chooses ?p)) (<= (legal ?p (put 1)) (chooses ?p))
    (<= (legal ?p noop) (role ?p) (not (chooses ?p)))
    (<= (next (x ?v)) (does ?p (put ?v))) (<= (next (x ?v)) (true (x ?v)) (not put))
    (<= put (does ?p (put ?v))) (<= terminal (true (ply 7)))
    (<= (goal left 100) (true (x 0))) (<= (goal left 0) (not (true (x 0))))
    (<= (goal right 0) (true (x 0))) (<= (goal right 100) (not (true (x 0))))"""


def test_who_is_never_idle_twice_need_not_alternate() -> None:
    """Left, nobody, right, nobody: whoever has the idle plies, one is to move twice running."""
    steps = chain("nx", *range(8))
    idle = IDLE.format(steps=steps, plies="(who 0 left) (who 2 right) (who 4 left) (who 6 right)")
    assert claims(idle, "turns") == {"turns": "with extra turns"}
    whole = " ".join(f"(who {n} {('left', 'right')[n % 2]})" for n in range(7))
    assert claims(IDLE.format(steps=steps, plies=whole), "turns") == {"turns": "alternating"}


def test_what_is_an_option_is_told_by_the_board_alone() -> None:
    """docs/theory.md: options are boards. Right may move twice running, and has no others."""
    text = f"""(role left) (role right) (init (control left)) (init (at 3))
        (<= (next (control right)) (true (control left)))
        (<= (next (control right)) (true (control right)) (does right (go 1)))
        (<= (next (control left)) (true (control right)) (not (does right (go 1))))
        (arc 3 2) (arc 3 1) (arc 2 1) (arc 2 0) (arc 1 0)
        (<= (legal ?p (go ?y)) (true (control ?p)) (true (at ?x)) (arc ?x ?y))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (at ?y)) (does ?p (go ?y))) (<= terminal (true (at 0))) {LOSES}"""
    assert claims(text, "turns", "impartial") == {"turns": "with extra turns", "impartial": True}


def test_a_game_of_chance_alone_has_no_players() -> None:
    text = """(role random) (init (x 0)) (legal random c) (legal random d)
        (<= (next (x 1)) (does random c)) (<= (next (x 2)) (does random d))
        (<= terminal (not (true (x 0)))) (goal random 0)"""
    found = ggp.parse(text).analyse()
    assert found.value("players") == 0
    assert "outcome_kind" not in found


# -- words -----------------------------------------------------------------------------------------


def settled(text: str, positions: int) -> dict[str, tuple[Any, str]]:
    """Values and certainties."""
    findings = ggp.parse(text).analyse(positions=positions)
    return {f.property: (f.value, f.certainty) for f in findings}


@pytest.mark.parametrize("positions", [10, 100_000])
def test_what_a_play_shows_has_one_certainty_however_it_was_found(positions) -> None:
    """A "yes" is proved, a "no" refuted; by random play or by enumeration."""
    text = arcs((3, 1), (3, 0), (1, 3), (1, 0), more=OVER)
    found = settled(text, positions)
    assert found["cyclic"] == (True, "proved")
    assert found["winnable"] == (True, "proved")
    stuck = arcs((3, 1), (3, 0), more=OVER)
    found = settled(stuck, positions)
    assert found["playable"] == (False, "refuted")
    assert found["terminating"] == (False, "refuted")
    assert found["form"] == ("other", "refuted")


@pytest.mark.parametrize(
    "text", [heap(7, [1, 2], 7), heap(9, [2, 4], 9), arcs((3, 2), (3, 0), (2, 0), more=OVER)]
)
def test_no_play_is_longer_than_what_weights_allow(text) -> None:
    found = claims(text, "length_bound", "longest_play")
    assert found["longest_play"] <= found["length_bound"] <= 20


PASS_OUT_OF_PLAY = """(role x) (role o) (init (control x)) (init (at 2 o))
    (<= (next (control o)) (true (control x))) (<= (next (control x)) (true (control o)))
    (adj 0 1) (adj 1 0) (adj 1 2) (adj 2 1) (square 0) (square 1) (square 2)
    (<= (taken ?c) (true (at ?c ?r)))
    (<= (near ?p ?b) (adj ?a ?b) (true (at ?a ?p)))
    (<= (can ?p ?b) (role ?p) (square ?b) (not (taken ?b)) (not (near ?p ?b)))
    (<= (next (at ?b ?p)) (does ?p (put ?b)))
    (<= (next (at ?c ?p)) (true (at ?c ?p)))
    (<= (legal ?p (put ?b)) (true (control ?p)) (can ?p ?b))
    (<= (legal ?p pass) (true (control ?p)) (not (some ?p))) (<= (some ?p) (can ?p ?b))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= open (can ?p ?b)) (<= terminal (not open))
    (<= (goal ?p 10) (true (control ?p))) (<= (goal ?p 90) (role ?p) (not (true (control ?p))))"""


def test_what_no_play_shows_is_not_proved_by_one() -> None:
    """An adversary's: x can only pass on a board that arises if the turn is given away."""
    finding = ggp.parse(PASS_OUT_OF_PLAY).analyse()["passes"]
    assert finding.value is True
    assert finding.certainty == "exhaustive"
    assert [state.path for state in finding.evidence.states] == [None]


def test_who_has_the_worst_goal_need_not_lose() -> None:
    """a has 0 or 50 and b 50 or 100: where b cannot move both have 50."""
    text = """(role a) (role b) (init (control a)) (init (h 2)) (arc 2 1) (arc 2 0) (arc 1 0)
        (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
        (<= (legal ?p (to ?n)) (true (control ?p)) (true (h ?m)) (arc ?m ?n))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (h ?n)) (does ?p (to ?n))) (<= terminal (true (h 0)))
        (<= (goal a 0) (true (control a))) (<= (goal b 100) (true (control a)))
        (<= (goal ?p 50) (role ?p) (true (control b)))"""
    form = ggp.parse(text).analyse(only=["form"])["form"]
    assert (form.value, form.evidence.why.rpartition(" it ")[2]) == ("normal", "has its worst goal")
    decided = text.replace("(goal ?p 50) (role ?p)", "(goal a 100)")
    decided += "(<= (goal b 0) (true (control b)))"
    assert ggp.parse(decided).analyse(only=["form"])["form"].evidence.why.endswith("it loses")


def test_who_has_two_goals_at_an_end_is_not_said_to_have_neither() -> None:
    text = """(role a) (init s) (<= (next t) (true s)) (<= terminal (true t)) (legal a go)
        (goal a 100) (goal a 50)"""
    found = ggp.parse(text).analyse(only=["winnable"])["winnable"]
    assert (found.value, found.certainty) == (None, "unknown")
    none = text.replace("(goal a 100)", "(<= (goal a 100) (true s))").replace("(goal a 50)", "")
    found = ggp.parse(none).analyse(only=["winnable"])["winnable"]
    assert (found.value, found.certainty) == (False, "exhaustive")
