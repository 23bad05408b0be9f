"""Playing without seeing everything (GDL-II, docs/semantics.md 16)."""

from __future__ import annotations

from collections import Counter

import pytest

import ggp
from ggp.match.course import LOST, MatchCourse, Turn
from ggp.match.manager import MatchSettings, own_player, run_match
from ggp.play import Beliefs, FirstPlayer, RandomPlayer, SearchPlayer
from tests.match.manager import send
from tests.match.serving import served

SHELL_GAME = """
(role random) (role guesser) (init (stage hide)) (cup 1) (cup 2) (cup 3)
(<= (legal random (put ?x)) (cup ?x) (true (stage hide)))
(<= (legal random (peek ?x)) (cup ?x) (true (stage peek)) (not (true (pea ?x))))
(<= (legal random wait) (true (stage guess)))
(<= (legal guesser wait) (not (true (stage guess))))
(<= (legal guesser (lift ?x)) (cup ?x) (true (stage guess)))
(<= (next (pea ?x)) (does random (put ?x))) (<= (next (pea ?x)) (true (pea ?x)))
(<= (next (stage peek)) (true (stage hide))) (<= (next (stage guess)) (true (stage peek)))
(<= (next (stage over)) (true (stage guess)))
(<= (next (won)) (does guesser (lift ?x)) (true (pea ?x)))
(<= (sees guesser (empty ?x)) (does random (peek ?x)))
(<= terminal (true (stage over)))
(<= (goal guesser 100) (true won)) (<= (goal guesser 0) (not (true won)))
"""


def peas(beliefs: Beliefs) -> set[str]:
    return {str(f) for state in beliefs.states for f in state.facts if f.name == "pea"}


def test_beliefs_are_the_states_that_agree_with_what_was_seen() -> None:
    beliefs = Beliefs(ggp.parse(SHELL_GAME), "guesser", seed=1)
    beliefs.update("wait", [])
    assert peas(beliefs) == {"(pea 1)", "(pea 2)", "(pea 3)"}
    beliefs.update("wait", ["(empty 2)"])
    assert peas(beliefs) == {"(pea 1)", "(pea 3)"}
    assert [str(move) for move in beliefs.legal()] == ["(lift 1)", "(lift 2)", "(lift 3)"]


def test_of_a_turn_whose_percepts_were_not_told_all_is_possible() -> None:
    """As if nothing had been looked at, and not as if nothing had been seen."""
    beliefs = Beliefs(ggp.parse(SHELL_GAME), "guesser", seed=1)
    beliefs.update("wait", [])
    beliefs.update("wait", None)
    assert peas(beliefs) == {"(pea 1)", "(pea 2)", "(pea 3)"}
    assert beliefs.last == ("wait", None)


PAIR = """
(role random) (role a) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal random (pick ?n)) (true (step 1)) (num ?n))
(<= (legal random (pick ?n)) (true (step 2)) (num ?n))
(<= (legal random noop) (true (step 3))) (<= (legal random noop) (true (step 4)))
(<= (legal a noop) (true (step 1))) (<= (legal a noop) (true (step 2)))
(<= (legal a look) (true (step 3)))
(<= (legal a (say ?x ?y)) (true (step 4)) (true (one ?x)) (true (other ?y)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (one ?n)) (true (step 1)) (does random (pick ?n)))
(<= (next (one ?n)) (true (one ?n)))
(<= (next (other ?n)) (true (step 2)) (does random (pick ?n)))
(<= (next (other ?n)) (true (other ?n)))
(<= (sees a (pair ?x ?y)) (does a look) (true (one ?x)) (true (other ?y)))
(<= terminal (true (step 5))) (goal a 100) (goal random 0)
""" + " ".join(f"(num n{i})" for i in range(20))
"""Of 400 states that are possible for a, one is told in the end."""


def test_what_was_seen_is_not_set_aside_where_it_is_possible(monkeypatch) -> None:
    """The state was among those left out: from the start it is found, by who keeps more."""
    monkeypatch.setattr("ggp.play.beliefs.STATES", 60)
    game = ggp.parse(PAIR)
    turns = [("noop", []), ("noop", []), ("look", ["(pair n3 n5)"])]
    few, more = Beliefs(game, "a", seed=1), Beliefs(game, "a", seed=1, again=len(turns))
    for own, seen in turns:
        few.take_in(own, seen)
        more.take_in(own, seen)
    assert (few.agrees, more.agrees) == (False, True)
    assert [str(move) for move in more.legal()] == ["(say n3 n5)"]
    course = MatchCourse(game, "a")
    history, own = tuple(tuple(seen) for _, seen in turns), tuple(own for own, _ in turns)
    assert [str(move) for move in course.beliefs(Turn(1, history, own)).legal()] == ["(say n3 n5)"]
    found = run_match(game, [("first", own_player(FirstPlayer, 1))], MatchSettings(60, 60, seed=1))
    assert (found.errors, found.goals) == ([("", "")] * 4, (0, 100))


PICKED = """
(role a) (role random) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(legal random noop) (<= (legal a go) (true (step 1))) (<= (legal a stay) (true (step 1)))
(<= (legal a wait) (true (step 2)))
(<= (legal a (do ?x)) (true (step 3)) (true (picked ?x)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (picked ?x)) (true (step 1)) (does a ?x)) (<= (next (picked ?x)) (true (picked ?x)))
(<= (sees a (was ?x)) (true (step 2)) (true (picked ?x)))
(<= terminal (true (step 4))) (goal a 100)
"""


@pytest.mark.parametrize(("answered", "move"), [({0}, "(do stay)"), (set(), "(do go)")])
def test_what_was_seen_tells_that_another_move_was_made_than_we_answered(answered, move) -> None:
    """Unless it was told that it was made: then what was seen cannot be."""
    course = MatchCourse(ggp.parse(PICKED), "a")
    turn = Turn(1, ((), ("(was stay)",)), ("go", "wait"), answered=frozenset(answered))
    assert [str(move) for move in course.beliefs(turn).legal()] == [move]


STEPS = """
(role a) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal a (go ?n)) (true (at ?n)) (succ ?n ?m)) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= (sees a fine) (true (at ?n))) (<= terminal (true (at 5))) (goal a 100)
"""


@pytest.mark.parametrize(
    ("own", "is_late", "move"),
    [("(go 2)", True, "(go 3)"), ("(go 3)", True, "(go 4)"), ("(go 3)", False, "(go 3)")],
)
def test_where_turns_are_numbered_from_0_one_more_was_lost(own, is_late, move) -> None:
    """Of those before the first message; the move that was made then tells."""
    course = MatchCourse(ggp.parse(STEPS), "a")
    turn = Turn(1, (LOST, ("fine",)), ("", own), answered=frozenset({0}), late=is_late)
    assert [str(move) for move in course.beliefs(turn).legal()] == [move]


OVER_OR_NOT = """
(role random) (role a) (init s0)
(<= (legal random (put 1)) (true s0)) (<= (legal random (put 2)) (true s0))
(<= (legal random wait) (true s1)) (<= (legal a wait) (true s0))
(<= (legal a lift) (true s1) (true (pea 2))) (<= (legal a drop) (true s1) (true (pea 2)))
(<= (next (pea ?x)) (does random (put ?x))) (<= (next s1) (true s0)) (<= (next s2) (true s1))
(<= (sees a nothing) (does a drop))
(<= terminal (true s2)) (<= terminal (true (pea 1))) (goal a 0) (goal random 0)
"""
"""Play is over after one of two moves of chance that look alike."""


@pytest.mark.parametrize("kind", [SearchPlayer, FirstPlayer, RandomPlayer])
def test_who_is_asked_for_a_move_knows_that_play_goes_on(kind) -> None:
    game = ggp.parse(OVER_OR_NOT)
    beliefs = Beliefs(game, "a", seed=1)
    beliefs.update("wait", [])
    assert [state.terminal for state in beliefs.states] == [True, False]
    assert [str(move) for move in beliefs.legal()] == ["drop", "lift"]
    *_, last = kind(game, "a").guesses(beliefs, 0.2)
    assert str(last.move) in ("drop", "lift")
    update = Beliefs(game, "a", seed=1)
    update.update("wait", [])
    update.update("lift", [])
    assert all(state.terminal for state in update.open)


def test_a_manager_that_tells_all_moves_is_believed() -> None:
    beliefs = Beliefs(ggp.parse(SHELL_GAME), "guesser", seed=1)
    beliefs.update("wait", ["(put 3)", "wait"])
    assert peas(beliefs) == {"(pea 3)"}


def test_a_move_that_the_manager_chose_may_have_been_any() -> None:
    beliefs = Beliefs(ggp.parse(SHELL_GAME), "guesser", seed=1)
    for seen in ([], ["(empty 1)"]):
        beliefs.update(None, seen)
    beliefs.update(None, [])
    assert {state.goals["guesser"] for state in beliefs.states} == {0, 100}


def test_the_player_does_not_lift_the_cup_that_it_saw_empty() -> None:
    game = ggp.parse(SHELL_GAME)
    beliefs = Beliefs(game, "guesser", seed=1)
    beliefs.update("wait", [])
    beliefs.update("wait", ["(empty 2)"])
    *_, last = SearchPlayer(game, "guesser", seed=1).guesses(beliefs, 0.5)
    assert str(last.move) != "(lift 2)"


def test_percepts_on_the_wire() -> None:
    """In place of the moves, or with turn and own move before them."""
    with served() as address:
        rules = f"({SHELL_GAME})"
        for first, second in (
            ("(PLAY {0} NIL)", "(PLAY {0} ((empty 2)))"),
            ("(PLAY {0} 1 wait ())", "(PLAY {0} 2 WAIT ((EMPTY 2)))"),
        ):
            assert send(*address, f"(START m guesser {rules} 5 1)").body == "ready"
            assert send(*address, "(PLAY m 0 nil nil)").body == "wait"
            assert send(*address, first.format("m")).body == "wait"
            assert send(*address, second.format("m")).body in ("(lift 1)", "(lift 3)")
            assert send(*address, "(STOP m 3 (lift 1) ())").body == "done"


LATER = """
(role random) (role a) (init (step 1)) (side 1) (side 2)
(<= (legal random (hide ?x)) (side ?x) (true (step 1)))
(<= (legal random wait) (not (true (step 1))))
(<= (legal a wait) (true (step 1)))
(<= (legal a (open ?x)) (side ?x) (true (step 2))) (<= (legal a pass) (true (step 2)))
(<= (legal a (take ?x)) (side ?x) (true (step 3)))
(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
(<= (next (step 4)) (true (step 3)))
(<= (next (in ?x)) (does random (hide ?x))) (<= (next (in ?x)) (true (in ?x)))
(<= (next sure) (does a pass)) (<= (next sure) (true sure))
(<= (next won) (true (step 3)) (does a (take ?x)) (true (in ?x)) (not (true sure)))
(<= (sees a (smell ?x)) (does a (open ?x)) (true (in ?x)))
(<= terminal (true (step 4)))
(<= (goal a 60) (true sure)) (<= (goal a 100) (not (true sure)) (true won))
(<= (goal a 0) (not (true sure)) (not (true won))) (goal random 0)
"""


def test_a_guess_looks_ahead_in_each_possible_state() -> None:
    """Two moves ahead a hundred can be had in both states, which random plays do not see."""
    game = ggp.parse(LATER)
    beliefs = Beliefs(game, "a", seed=1)
    beliefs.update("wait", [])
    *_, last = SearchPlayer(game, "a", seed=1).guesses(beliefs, 1.0)
    assert str(last.move) != "pass"
    # However often each was searched.
    count = int(last.why.removeprefix("best on average over ").removesuffix(" possible states"))
    assert 1 <= count <= len(beliefs.weights)


MONTY_HALL = """
(role random) (role guest) (init (step 1)) (door 1) (door 2) (door 3)
(<= (legal random (hide ?d)) (door ?d) (true (step 1)))
(<= (legal random (open ?d)) (door ?d) (true (step 2)) (not (true (car ?d))) (not (true (own ?d))))
(<= (legal random wait) (true (step 3)))
(<= (legal guest (pick ?d)) (door ?d) (true (step 1))) (<= (legal guest wait) (true (step 2)))
(<= (legal guest keep) (true (step 3))) (<= (legal guest switch) (true (step 3)))
(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
(<= (next (step 4)) (true (step 3)))
(<= (next (car ?d)) (does random (hide ?d))) (<= (next (car ?d)) (true (car ?d)))
(<= (next (opened ?d)) (does random (open ?d))) (<= (next (opened ?d)) (true (opened ?d)))
(<= (next (own ?d)) (does guest (pick ?d))) (<= (next (own ?d)) (true (own ?d)) (not switched))
(<= (next (own ?d)) switched (door ?d) (not (true (own ?d))) (not (true (opened ?d))))
(<= switched (does guest switch))
(<= (sees guest ?d) (does random (open ?d)))
(<= won (true (own ?d)) (true (car ?d)))
(<= terminal (true (step 4))) (<= (goal guest 100) won) (<= (goal guest 0) (not won))
"""
"""The host opens one of two doors where the guest has the car, and else the only one that he may
(S. Selvin, "A problem in probability", The American Statistician 29, 1975)."""


def after_a_door_is_opened() -> Beliefs:
    beliefs = Beliefs(ggp.parse(MONTY_HALL), "guest", seed=1)
    beliefs.update("(pick 1)", [])
    beliefs.update("wait", ["3"])
    return beliefs


def test_a_state_is_as_likely_as_chance_makes_what_was_seen() -> None:
    beliefs = after_a_door_is_opened()
    likely = {str(f): w for s, w in beliefs.weights.items() for f in s.facts if f.name == "car"}
    assert likely == pytest.approx({"(car 1)": 1 / 3, "(car 2)": 2 / 3})


@pytest.mark.parametrize("seed", range(5))
def test_a_guess_goes_by_how_likely_states_are(seed) -> None:
    """It kept its door, as each of two states counted once."""
    beliefs = after_a_door_is_opened()
    *_, last = SearchPlayer(beliefs.game, "guest", seed=seed).guesses(beliefs, 0.3)
    assert str(last.move) == "switch"


def test_of_too_many_states_so_many_are_drawn_by_how_likely_they_are(monkeypatch) -> None:
    """Each draw counts as much as any other."""
    monkeypatch.setattr("ggp.play.beliefs.STATES", 2)
    counts, game = Counter[str](), ggp.parse(MONTY_HALL)
    for seed in range(300):
        beliefs = Beliefs(game, "guest", seed=seed)
        beliefs.update("(pick 1)", [])
        assert sum(beliefs.weights.values()) == pytest.approx(1.0)
        for state, weight in beliefs.weights.items():
            assert weight in (0.5, 1.0)
            counts.update({str(f): int(2 * weight) for f in state.facts if f.name == "car"})
    assert sum(counts.values()) == 600
    assert all(150 < counts[f"(car {door})"] < 250 for door in (1, 2, 3))


def test_a_player_that_does_not_say_otherwise_takes_a_likely_state_for_the_right_one() -> None:
    """Not the first of them: that would be the wrong one for ever."""
    beliefs = after_a_door_is_opened()
    seen = Counter[str]()

    class Told(FirstPlayer):
        def choose(self, state, seconds):
            seen.update(str(f) for f in state.facts if f.name == "car")
            return super().choose(state, seconds)

    for seed in range(300):
        list(Told(beliefs.game, "guest", seed=seed).guesses(beliefs, 1.0))
    assert 70 < seen["(car 1)"] < 130
    assert seen.total() == 300


def test_told_moves_count_by_how_likely_they_are_where_the_state_was_not_known() -> None:
    """The host has one door to open where the car is behind another, and two where it is not."""
    beliefs = Beliefs(ggp.parse(MONTY_HALL), "guest", seed=1)
    beliefs.update("(pick 1)", [])
    beliefs.update("wait", ["(open 3)", "wait"])
    likely = {str(f): w for s, w in beliefs.weights.items() for f in s.facts if f.name == "car"}
    assert likely == pytest.approx({"(car 1)": 1 / 3, "(car 2)": 2 / 3})
