"""Sheets as games of OpenSpiel: its own tests of games, and what players are told."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

import ggp
import ggp.games
from ggp import InputError, LimitReached, Limits, NoLegalMove
from ggp.env import open_spiel
from ggp.env.spiel.kind import Kind
from ggp.env.spiel.packing import packed, unpacked
from tests.conftest import GAMES, nightly
from tests.play.test_beliefs import LATER, SHELL_GAME
from tests.solver.test_chance import HIDDEN, LOTTERY, NOT_SEEN, RACE

pyspiel = pytest.importorskip("pyspiel")

BOTH = """
(role left) (role random) (role right) (init (round 1)) (side heads) (side tails)
(succ 1 2) (succ 2 3)
(<= (legal ?p (bet ?s)) (role ?p) (distinct ?p random) (side ?s))
(<= (legal random (toss ?s)) (side ?s))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= (hit ?p) (does ?p (bet ?s)) (does random (toss ?s)))
(<= (next (ahead left)) (hit left) (not (hit right)))
(<= (next (ahead right)) (hit right) (not (hit left)))
(<= terminal (true (round 3)))
(<= (goal ?p 100) (true (ahead ?p)))
(<= (goal left 0) (true (ahead right))) (<= (goal right 0) (true (ahead left)))
(<= (goal ?p 50) (role ?p) (distinct ?p random)
    (not (true (ahead left))) (not (true (ahead right))))
"""
"""Both roles and chance choose at once."""

TEXTS = {
    "lottery": LOTTERY, "race": RACE, "both": BOTH, "hidden": HIDDEN + NOT_SEEN,
    "shell game": SHELL_GAME, "later": LATER, "both, unseen": BOTH + "(<= (sees ?p won) (hit ?p))",
}  # fmt: skip
SHEETS = (
    "simultaneous/rock-paper-scissors", "poker/kuhn-poker", "three-players/last-match",
    "kayles/kayles-7",
    *nightly(["tic-tac-toe/tic-tac-toe", "nim/rows", "puzzles/hanoi", "connect-four/connect-four"]),
)  # fmt: skip


@cache
def made(name: str):
    """The game of OpenSpiel of a shipped sheet, or of a text above."""
    return open_spiel(ggp.parse(TEXTS[name], name) if name in TEXTS else ggp.games.path(name))


@pytest.mark.parametrize("name", [*SHEETS, *TEXTS])
def test_sheets_pass_the_tests_of_open_spiel(name, capfd) -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    game = made(name)
    pyspiel.random_sim_test(game, 5, True, False)
    np.random.seed(1)
    GamesSimTest().sim_game(game)
    assert "terminated" in capfd.readouterr().out


@pytest.mark.parametrize("name", ["simultaneous/rock-paper-scissors", "both", "both, unseen"])
def test_simultaneous_games_are_made_turn_based_by_open_spiel(name) -> None:
    pyspiel.random_sim_test(pyspiel.convert_to_turn_based(made(name)), 5, False, False)


@pytest.mark.parametrize(
    "name", ["nim/rows", "poker/kuhn-poker", "both", "three-players/last-match"]
)
def test_playthroughs_are_the_same_again(name) -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    game = made(name)
    text = playthrough(str(game), [], seed=7)
    assert "IsTerminal() = True" in text
    assert playthrough(str(game), [], seed=7) == text


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*SHEETS, *TEXTS])
def test_play_is_that_of_the_rules(name, seed) -> None:
    """Along a random play the legal moves, the facts, and the goals at the end are the sheet's."""
    game = made(name)
    state, rules = game.new_initial_state(), game.game
    own = rules.initial
    choose = random.Random(seed).choice
    while not state.is_terminal():
        while max(len(own.legal(role)) for role in rules.roles) == 1:
            own = own.play({})
        assert state.node.state == own
        joint = {}
        players = range(len(rules.players))
        if state.current_player() >= 0:
            players = [state.current_player()]
        elif state.is_chance_node():
            players = []
        actions = {p: choose(state.legal_actions(p)) for p in players}
        for player, role in enumerate(rules.players):
            if player in actions:
                texts = [state.action_to_string(player, a) for a in state.legal_actions(player)]
                assert texts == [str(move) for move in own.legal(role)]
                joint[role] = state.action_to_string(player, actions[player])
        if actions:
            apply = (
                state.apply_actions if len(players) > 1 else lambda a, s=state: s.apply_action(*a)
            )
            apply(list(actions.values()))
        if state.is_chance_node() and len(own.legal("random")) > 1:
            action, likely = choose(state.chance_outcomes())
            assert likely == pytest.approx(1 / len(own.legal("random")))
            joint["random"] = state.action_to_string(action)
            state.apply_action(action)
        own = own.play(joint)
    while not own.terminal:
        own = own.play({})
    goals = [own.goals[role] for role in rules.players]
    low, high = game.min_utility(), game.max_utility()
    if game.is_zero_sum:
        assert (low, high) == (-1, 1)
        assert state.returns()[0] == (goals[0] - goals[1]) / 100
    else:
        assert state.returns() == goals


def test_the_kinds_of_games() -> None:
    kinds = pyspiel.GameType
    told = {}
    names = ("nim/rows", "simultaneous/rock-paper-scissors", "poker/kuhn-poker")
    for name in (*names, "three-players/last-match", "puzzles/hanoi"):
        kind = made(name).get_type()
        told[name] = kind.dynamics, kind.chance_mode, kind.information, kind.utility
    turn, once = kinds.Dynamics.SEQUENTIAL, kinds.Dynamics.SIMULTANEOUS
    sure, chance = kinds.ChanceMode.DETERMINISTIC, kinds.ChanceMode.EXPLICIT_STOCHASTIC
    whole = kinds.Information.PERFECT_INFORMATION
    hides = kinds.Information.IMPERFECT_INFORMATION
    assert told == {
        "nim/rows": (turn, sure, whole, kinds.Utility.ZERO_SUM),
        "simultaneous/rock-paper-scissors": (once, sure, whole, kinds.Utility.ZERO_SUM),
        "poker/kuhn-poker": (turn, chance, hides, kinds.Utility.ZERO_SUM),
        "three-players/last-match": (turn, sure, whole, kinds.Utility.CONSTANT_SUM),
        "puzzles/hanoi": (turn, sure, whole, kinds.Utility.GENERAL_SUM),
    }


@pytest.mark.slow
def test_a_game_that_may_not_end_is_broken_off_and_shared() -> None:
    game = open_spiel(GAMES / "simultaneous" / "rock-paper-scissors.kif", horizon=2)
    state = game.new_initial_state()
    for _ in range(2):
        assert not state.is_terminal()
        state.apply_actions([0, 0])
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert game.max_game_length() == 2
    hanoi = open_spiel(ggp.games.path("puzzles/hanoi"), horizon=1).new_initial_state()
    hanoi.apply_action(hanoi.legal_actions()[0])
    assert hanoi.is_terminal()
    assert hanoi.returns() == [hanoi.get_game().min_utility()]
    with pytest.raises(InputError, match="at least 1"):
        open_spiel(ggp.games.path("puzzles/hanoi"), horizon=0)


def test_a_kind_that_is_given_is_taken() -> None:
    kind = Kind(5, total=100, simultaneous=False)
    game = open_spiel(ggp.games.path("tic-tac-toe/tic-tac-toe"), kind=kind)
    assert game.kind == kind
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    pyspiel.random_sim_test(game, 2, True, False)
    with pytest.raises(InputError, match="give one of both"):
        open_spiel(ggp.games.path("nim/rows"), kind=kind, horizon=3)
    duel = open_spiel(ggp.games.path("simultaneous/rock-paper-scissors"), kind=kind)
    with pytest.raises(InputError, match="several choose at once"):
        duel.new_initial_state().current_player()


def test_a_proved_length_is_the_longest_game() -> None:
    assert open_spiel(ggp.games.path("tic-tac-toe/tic-tac-toe")).max_game_length() == 9
    assert open_spiel(ggp.games.path("tic-tac-toe/tic-tac-toe"), horizon=50).max_game_length() == 9
    assert open_spiel(ggp.games.path("tic-tac-toe/tic-tac-toe"), horizon=5).max_game_length() == 5


def test_parameters_are_those_of_the_template() -> None:
    game = open_spiel(ggp.games.path("nim/rows"), rows=2)
    assert len(game.new_initial_state().legal_actions()) == 1 + 3


def test_players_see_their_own_card_and_the_bets() -> None:
    game = made("poker/kuhn-poker")
    state = game.new_initial_state()
    deal = {state.action_to_string(a): a for a in state.legal_actions()}
    state.apply_action(deal["(deal queen king)"])
    other = game.new_initial_state()
    other.apply_action(deal["(deal queen jack)"])
    assert state.information_state_string(0) == other.information_state_string(0)
    assert state.information_state_string(1) != other.information_state_string(1)
    assert state.information_state_tensor(0) == other.information_state_tensor(0)
    assert state.information_state_tensor(1) != other.information_state_tensor(1)
    check = next(a for a in state.legal_actions() if state.action_to_string(a) == "check")
    state.apply_action(check)
    assert state.information_state_string(1) == (
        "second: noop sees king | noop sees (says first check)"
    )
    assert state.observation_string(1) == "second: noop sees (says first check)"
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = game.make_py_observer(public)
    assert observer.string_from(state, 1) == ""
    assert observer.tensor is None


def states_below(state):
    """All states from one on, each for itself."""
    yield state
    if state.is_simultaneous_node():
        for joint in product(*(state.legal_actions(p) for p in range(state.num_players()))):
            after = state.clone()
            after.apply_actions(list(joint))
            yield from states_below(after)
    elif not state.is_terminal():
        for action in state.legal_actions():
            yield from states_below(state.child(action))


@pytest.mark.parametrize(
    "name", ["poker/kuhn-poker", "hidden", "shell game", "later", "both, unseen"]
)
def test_information_states_tell_what_can_be_done(name) -> None:
    """The same to a player, in text and tensor, where the player can do the same and no other way;
    and some differ in what they hide."""
    known, facts = {}, {}
    for state in states_below(made(name).new_initial_state()):
        for player in range(state.num_players()):
            if state.current_player() not in (player, pyspiel.PlayerId.SIMULTANEOUS):
                continue
            told = player, state.information_state_string(player)
            seen = state.legal_actions(player), state.information_state_tensor(player)
            assert known.setdefault(told, seen) == seen
            facts.setdefault(told, set()).add(str(state.node.state))
    tensors = {(player, tuple(tensor)) for (player, _), (_, tensor) in known.items()}
    assert len(tensors) == len(known)
    assert max(map(len, facts.values())) > 1


@pytest.mark.parametrize("name", ["poker/kuhn-poker", "shell game", "later", "both, unseen"])
def test_all_states_that_look_alike_are_drawn_and_no_others(name) -> None:
    alike = {}
    for state in states_below(made(name).new_initial_state()):
        player = 0 if state.is_simultaneous_node() else state.current_player()
        if player >= 0:
            told = player, state.information_state_string(player)
            alike.setdefault(told, []).append(state)
    rng = random.Random(3)
    for (player, told), states in list(alike.items())[:12]:
        drawn = {str(states[0].resample_from_infostate(player, rng.random)) for _ in range(200)}
        assert drawn == set(map(str, states)), told


def test_where_nothing_is_hidden_a_state_looks_like_itself() -> None:
    state = made("tic-tac-toe/tic-tac-toe").new_initial_state()
    state.apply_action(4)
    assert state.resample_from_infostate(1, random.random).history() == [4]


def test_recall_is_perfect() -> None:
    """Whoever knows an information state knows those that came before."""
    game = made("later")
    for seed in range(20):
        rng, state = random.Random(seed), made("later").new_initial_state()
        texts = [state.information_state_string(0)]
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            texts.append(state.information_state_string(0))
        assert all(b.startswith(a) for a, b in pairwise(texts))
    assert game.information_state_tensor_size() > game.observation_tensor_size()


def test_where_nothing_is_hidden_the_facts_are_observed() -> None:
    game = made("tic-tac-toe/tic-tac-toe")
    state = game.new_initial_state()
    state.apply_action(4)
    facts = {str(fact) for fact in state.node.state.facts}
    names = [str(fluent) for fluent in game.game.net.fluents]
    assert {n for n, x in zip(names, state.observation_tensor(0), strict=True) if x} == facts
    assert state.information_state_string(1) == state.history_str() == "4"


def test_pickles_keep_games_and_states() -> None:
    game = made("both")
    state = game.new_initial_state()
    state.apply_actions([1, 0])
    assert state.is_chance_node()
    again = pickle.loads(pickle.dumps(state))
    assert (str(again), again.history()) == (str(state), [1, 0])
    again.apply_action(1)
    assert not state.get_game().play.is_over(state.node)
    assert again.node.plies == 1
    assert again.get_game().kind == game.kind


def test_a_pickled_game_is_one_in_another_process(tmp_path) -> None:
    file = tmp_path / "state"
    state = made("nim/rows").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    file.write_bytes(pickle.dumps(state))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')))"
    told = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == str(state)


def test_packed_sheets_are_read_again() -> None:
    game = ggp.load(GAMES / "poker" / "kuhn-poker.kif")
    again = unpacked(packed(game))
    assert again.rules.source.text == game.rules.source.text
    assert again.name == "kuhn-poker.kif"
    for word in ("", "z", "zzzz", "z!", packed(game)[:-9], "zeNqrVgIAAKkAfQ"):
        with pytest.raises(InputError, match="no packed sheet"):
            unpacked(word)
    with pytest.raises(LimitReached, match="characters"):
        unpacked(packed(game), Limits(characters=10))


KINDS = Kind(9, True, False, 100), Kind(1000, False, True, None), Kind(7, False, False, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_are_read_again(kind) -> None:
    assert Kind.read(kind.text) == kind


@pytest.mark.parametrize("text", ["", "k", "kx", "k9q", "k9es"])
def test_what_is_no_kind_is_told(text) -> None:
    with pytest.raises(InputError, match="no kind"):
        Kind.read(text)


def test_what_cannot_be_ground_is_no_game_of_open_spiel() -> None:
    with pytest.raises(LimitReached, match="ground"):
        open_spiel(ggp.load(GAMES / "nim" / "rows.kif.jinja", limits=Limits(ground_rules=1)))


def test_a_game_of_chance_alone_is_none_of_open_spiel() -> None:
    alone = """(role random) (init s) (legal random a) (legal random b) (<= terminal (not (true s)))
        (goal random 100)"""
    with pytest.raises(InputError, match="only chance"):
        open_spiel(ggp.parse(alone))


def test_rules_by_which_nobody_sees_anything_hide_everything() -> None:
    blind = """(role a) (role random) (init s)
        (legal random l) (legal random r) (legal a l) (legal a r)
        (<= (next t) (does random l)) (<= terminal (not (true s)))
        (<= (sees a won) (does a l) (does random l) (true never)) (<= (goal a 100) (true t))
        (<= (goal a 0) (not (true t))) (<= (next never) (true never))"""
    game = open_spiel(ggp.parse(blind))
    pyspiel.random_sim_test(game, 2, True, False)
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(0)
    assert state.information_state_string(0) == "a: l sees nothing"


def test_a_role_without_a_move_is_told() -> None:
    stuck = """(role a) (init s) (<= (legal a go) (true s)) (<= (legal a stay) (true s))
        (<= (next t) (does a go)) (<= terminal (true never)) (<= (next never) (does a stay))
        (goal a 100)"""
    state = open_spiel(ggp.parse(stuck)).new_initial_state()
    with pytest.raises(NoLegalMove, match="a role has no legal move"):
        state.apply_action(0)


def test_without_open_spiel_the_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "ggp.env.spiel.game", raising=False)
    with pytest.raises(InputError, match=r"pip install 'ggp\[env\]'"):
        open_spiel(ggp.games.path("nim/rows"))


def test_play_that_cannot_go_on_is_a_fault_and_no_draw() -> None:
    """Also after as many moves as the longest play has, which ends there for want of a move."""
    stuck = """(role p) (init s) (<= (legal p l) (true s)) (<= (legal p r) (true s))
    (<= (next t) (does p l)) (<= (next u) (does p r)) (<= terminal (true u)) (goal p 100)"""
    state = open_spiel(ggp.parse(stuck)).new_initial_state()
    left, right = sorted(state.legal_actions(), key=state.action_to_string)
    with pytest.raises(NoLegalMove):
        state.clone().apply_action(left)
    state.apply_action(right)
    assert state.is_terminal()
