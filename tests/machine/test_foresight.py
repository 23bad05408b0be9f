"""Random play in which roles look ahead: what they choose from, against the definition."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ggp
from ggp.circuits.circuit import Builder
from ggp.circuits.lowering import Lowering
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from ggp.machine import Machine
from ggp.machine import foresight as foresight_module
from ggp.machine.coding import unpacked_bits
from ggp.machine.foresight import preferred
from ggp.machine.playouts import foreseeing as foreseeing_module
from ggp.machine.playouts.players import StepPlayer
from ggp.machine.winning import Wins, who_wins
from tests.conftest import GAMES
from tests.machine.test_sharing import turn_game
from tests.oracle.random_games import random_game

MANY = 1_000_000

RACE = """
(role white) (role black) (init (at white 0)) (init (at black 0)) (init (control white))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?p (step ?n)) (true (control ?p)) (true (at ?p ?m)) (succ ?m ?n))
(<= (legal ?p back) (true (control ?p)))
(init (token white)) (init (token black))
(<= (next (token ?p)) (true (token ?p)) (not (does ?p push)))
(<= (legal ?p push) (true (control ?p)) (true (token ?p)) (true (at ?q 3)) (other ?p ?q))
(<= (other ?p ?q) (role ?p) (role ?q) (distinct ?p ?q))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (at ?p ?n)) (does ?p (step ?n)))
(<= (next (at ?p 0)) (does ?p back))
(<= (next (at ?q 1)) (does ?p push) (role ?q) (distinct ?p ?q))
(<= (next (at ?p ?n)) (does ?p push) (true (at ?p ?n)))
(<= (next (at ?p ?n)) (does ?p noop) (true (at ?p ?n)) (not (pushed ?p)))
(<= (pushed ?q) (does ?p push) (role ?q) (distinct ?p ?q))
(<= (next (control black)) (true (control white)))
(<= (next (control white)) (true (control black)))
(<= over (true (at ?p 4)))
(<= terminal over)
(<= (goal ?p 100) (true (at ?p 4)))
(<= (goal ?p 0) (role ?p) (not (true (at ?p 4))))
"""
"""Who comes to 4 first wins; who is at 3 wins unless pushed back, which each may do once."""

FOUR = """
(role a) (role b) (init (left 4)) (init (control a)) (less 4 1 3) (less 4 2 2) (less 3 1 2)
(less 3 2 1) (less 2 1 1) (less 2 2 0) (less 1 1 0)
(<= (legal ?p (take ?k)) (true (control ?p)) (true (left ?n)) (less ?n ?k ?m))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (left ?m)) (true (left ?n)) (does ?p (take ?k)) (less ?n ?k ?m))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= terminal (true (left 0)))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""
"""One or two of four, the last wins."""

TURNS_OF_TWO = """
(role a) (role b) (init (control a 1)) (mark x) (mark y) (mark z)
(<= (legal ?p (take ?m)) (true (control ?p ?i)) (mark ?m) (not (taken ?m)))
(<= (legal ?p pass) (true (control ?p ?i)))
(<= (legal ?p noop) (role ?p) (not (mine ?p))) (<= (mine ?p) (true (control ?p ?i)))
(<= (taken ?m) (true (has ?p ?m)))
(<= (next (has ?p ?m)) (does ?p (take ?m))) (<= (next (has ?p ?m)) (true (has ?p ?m)))
(<= (next (control ?p 2)) (true (control ?p 1)))
(<= (next (control b 1)) (true (control a 2))) (<= (next (control a 1)) (true (control b 2)))
(<= (won ?p) (true (has ?p x)) (true (has ?p y))) (<= (won ?p) (true (has ?p z)) (true (has ?p y)))
(<= full (taken x) (taken y) (taken z))
(<= terminal (won ?p)) (<= terminal full)
(<= (goal ?p 100) (won ?p)) (<= (goal ?p 40) (role ?p) (not (won ?p)))
"""
"""Each moves twice in a turn, so that the next to move is oneself at times."""


def chosen(game: ggp.Game):
    """For a state what the circuit says that the role whose turn it is chooses from."""
    net, sharing = game.net, game.machine.sharing
    assert sharing is not None
    builder = Builder()
    fluents = builder.inputs(len(net.fluents))
    legal = Lowering(net, builder, fluents).literals(net.legal)
    moves = preferred(net, sharing, builder, fluents, legal, MANY)
    assert moves is not None
    circuit = builder.circuit(fluents, moves)

    def ask(state: ggp.State) -> list[set[str]]:
        values = [False] * len(circuit.first)
        for i, node in enumerate(circuit.inputs):
            values[node] = bool(state.bits >> i & 1)
        for node, (a, b) in enumerate(zip(circuit.first, circuit.second, strict=True)):
            if a != b:
                x, y = (values[z >> 1] ^ bool(z & 1) for z in (a, b))
                values[node] = x and y if a < b else x != y
        held = [values[x >> 1] ^ bool(x & 1) for x in circuit.outputs]
        found = zip(net.move_offset, net.moves, strict=True)
        return [{str(m) for i, m in enumerate(own) if held[first + i]} for first, own in found]

    return ask


def by_definition(state: ggp.State, role: int) -> set[str]:
    """The same by playing the rules: what wins, else what does not let another win, else all."""
    own = legal_names(state, role)
    wins = {m for m in own if wins_at_once(state, role, m)}
    return wins or {m for m in own if not loses(after(state, role, m), role)} or set(own)


def legal_names(state: ggp.State, role: int) -> list[str]:
    return [str(m) for m in state.legal(state.game.roles[role])]


def after(state: ggp.State, role: int, move: str) -> ggp.State:
    names = [legal_names(state, r) for r in range(len(state.game.roles))]
    names[role] = [move]
    joint = {r: own[0] for r, own in zip(state.game.roles, names, strict=True)}
    return state.play(joint)


def wins_at_once(state: ggp.State, role: int, move: str) -> bool:
    then = after(state, role, move)
    best = max(value for value, _ in state.game.net.goals[role])
    return then.terminal and then.goals[state.game.roles[role]] == best


def loses(state: ggp.State, role: int) -> bool:
    others = [r for r in range(len(state.game.roles)) if r != role and can_choose(state, r)]
    return not state.terminal and any(
        wins_at_once(state, r, m) for r in others for m in legal_names(state, r)
    )


def can_choose(state: ggp.State, role: int) -> bool:
    """Whether it is the turn of a role: its moves are not those of one that waits."""
    sharing = state.game.machine.sharing
    assert sharing is not None
    return sharing.turns[sharing.settings.index(state.bits & sharing.mask)] == role


SHEETS = {
    "race": lambda: ggp.parse(RACE),
    "two moves a turn": lambda: ggp.parse(TURNS_OF_TWO),
    "tic-tac-toe": lambda: ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif"),
    "connect-four": lambda: ggp.load(
        GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3
    ),
}


@pytest.mark.parametrize("name", SHEETS)
def test_roles_choose_from_what_the_definition_says(name) -> None:
    """In 20 random plays, at each state: decisive moves, else safe ones, else all."""
    game = SHEETS[name]()
    ask, rng = chosen(game), random.Random(1)
    narrowed = won = 0
    for _ in range(20):
        state = game.initial
        while not state.terminal:
            found = ask(state)
            for role in range(len(game.roles)):
                if can_choose(state, role):
                    expected = by_definition(state, role)
                    assert found[role] == expected, str(state)
                    narrowed += expected != set(legal_names(state, role))
                    won += all(wins_at_once(state, role, m) for m in expected)
            state = state.after([rng.choice(own) for own in state.legal_indices()])
    assert narrowed > won > 0


@pytest.mark.parametrize("name", SHEETS)
def test_who_can_win_in_one_move_is_told(name) -> None:
    game, rng = SHEETS[name](), random.Random(2)
    ask = who_wins(game.machine)
    assert ask
    states = []
    for _ in range(40):
        state = game.initial
        while not state.terminal:
            states.append(state)
            state = state.after([rng.choice(own) for own in state.legal_indices()])
    found = ask(game.machine.rows([state.bits for state in states])).tolist()
    assert found == [winner(state) for state in states]
    assert len(set(found)) == 3


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_who_would_win_in_their_turn_is_told(name) -> None:
    """The turn is given away by another mark of whose it is."""
    game, rng = SHEETS[name](), random.Random(3)
    machine, marker = game.machine, game.marker
    assert marker
    wins = Wins(machine, 10_000, threats=True)
    ask = machine.functions_of(wins)
    assert wins.is_told
    threatened = 0
    for _ in range(40):
        state = game.initial
        while not state.terminal:
            held = unpacked_bits(ask(machine.rows([state.bits])), 0, 4)[0].tolist()
            in_turn = [ggp.State(game, marker.place(state.bits, role)) for role in (0, 1)]
            able = [winner(own) == role for role, own in enumerate(in_turn)]
            assert held == [*(winner(state) == role for role in (0, 1)), *able]
            threatened += any(able) and winner(state) < 0
            state = state.after([rng.choice(own) for own in state.legal_indices()])
    assert threatened > 3


def winner(state: ggp.State) -> int:
    """The role whose turn it is, if some move wins at once; -1 where none does."""
    for role in range(len(state.game.roles)):
        wins = (wins_at_once(state, role, move) for move in legal_names(state, role))
        if can_choose(state, role) and any(wins):
            return role
    return -1


@pytest.mark.parametrize("name", SHEETS)
def test_all_engines_play_the_same(name) -> None:
    game = SHEETS[name]()
    rows = np.repeat(game.machine.rows([game.initial.bits]), 70, axis=0)
    played = [
        Machine(game.net, choice=choice).play_on(rows, 3, foresight=True).tolist()
        for choice in ("reference", "interpreter", "llvm")
    ]
    assert played[0] == played[1] == played[2]
    assert played[0] != Machine(game.net, choice="interpreter").play_on(rows, 3).tolist()


def test_who_looks_ahead_wins_what_is_won_in_three() -> None:
    """One of four is taken, as two would let the other win; of three nothing helps."""
    game = ggp.parse(FOUR)
    rows = np.repeat(game.machine.rows([game.initial.bits]), 100, axis=0)
    seat = game.roles.index("a")
    blind = game.machine.play_on(rows, 1)[:, seat]
    seeing = game.machine.play_on(rows, 1, foresight=True)[:, seat]
    assert 20 < (blind == 100).sum() < 80
    assert (seeing == 100).all()


def test_where_nobody_is_beaten_and_play_does_not_end_it_is_as_before() -> None:
    game = ggp.parse(RACE.replace("(not (does ?p push))", "(role ?p)"))
    assert game.machine.sharing is not None
    assert game.machine.foreseeing is None


@pytest.mark.parametrize("nature", ["random", "RANDOM"])
def test_nature_does_not_look_ahead(nature) -> None:
    """The role of chance takes no part, neither for itself nor as one that may win, in upper case
    as well, as the sheets of some servers are."""
    game = ggp.parse(RACE.replace("black", nature))
    assert game.chance == 1
    machine = Machine(game.net, choice="interpreter")
    ask = who_wins(machine)
    assert ask
    held = ["(at white 3)", f"(at {nature} 3)"]
    turns = [game.state([*held, f"(control {role})"]) for role in game.roles]
    assert ask(machine.rows([state.bits for state in turns])).tolist() == [0, -1]
    rows = np.repeat(machine.rows([game.initial.bits]), 100, axis=0)
    goals = machine.play_on(rows, 1, foresight=True)
    assert 0 < (goals[:, 1] == 100).sum() < 50
    slow = Machine(game.net, choice="reference").play_on(rows, 1, foresight=True)
    assert goals.tolist() == slow.tolist()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (RACE.replace("(goal ?p 100) ", "(goal ?p 100) (not over) "),
         "nobody can win at once"),
        ("(role a) (role b) (init x) (legal a l) (legal a r) (legal b l) (legal b r)"
         "(<= terminal (not (true x))) (goal a 100) (goal b 0)", "both choose at once"),
    ],
    ids=lambda value: value if len(value) < 30 else "",
)  # fmt: skip
def test_where_there_is_nothing_to_see_play_is_as_before(text, why) -> None:
    game = ggp.parse(text)
    machine = Machine(game.net, choice="interpreter")
    assert machine.foreseeing is None, why
    assert who_wins(machine) is None
    rows = np.repeat(machine.rows([game.initial.bits]), 50, axis=0)
    plain = machine.play_on(rows, 2, max_plies=50)
    assert machine.play_on(rows, 2, max_plies=50, foresight=True).tolist() == plain.tolist()


def test_rules_that_rest_on_themselves_are_let_be() -> None:
    """A chain of stones that wins, found by rules that are recursive."""
    game = ggp.parse(
        """(role a) (role b) (init (control a)) (next-to 1 2) (next-to 2 3) (next-to 3 1)
        (cell 1) (cell 2) (cell 3)
        (<= (legal ?p (put ?c)) (true (control ?p)) (cell ?c) (not (taken ?c)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (taken ?c) (true (on ?p ?c)))
        (<= (next (on ?p ?c)) (does ?p (put ?c))) (<= (next (on ?p ?c)) (true (on ?p ?c)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (joined ?p 1) (true (on ?p 1)))
        (<= (joined ?p ?d) (joined ?p ?c) (next-to ?c ?d) (true (on ?p ?d)))
        (<= (won ?p) (joined ?p 2)) (<= full (taken 1) (taken 2) (taken 3))
        (<= terminal (won ?p)) (<= terminal full)
        (<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) (role ?p) (not (won ?p)))"""
    )
    assert game.net.recursive
    assert game.machine.sharing is not None
    assert game.machine.foreseeing is None


def test_what_takes_too_many_gates_is_refused(monkeypatch) -> None:
    game = SHEETS["connect-four"]()
    net, sharing = game.net, game.machine.sharing

    def told(most: int):
        builder = Builder()
        fluents = builder.inputs(len(net.fluents))
        legal = Lowering(net, builder, fluents).literals(net.legal)
        return preferred(net, sharing, builder, fluents, legal, most)

    assert told(10_000)
    assert told(100) is None
    with monkeypatch.context() as patch:
        patch.setattr(foresight_module, "MAX_ASKED", 100)
        assert told(10_000) is None
    with monkeypatch.context() as patch:
        patch.setattr(foresight_module, "MAX_LITERALS", 10)
        assert told(10_000) is None


def test_long_plays_are_refused(monkeypatch) -> None:
    """By gates of all steps of a play, counted on plays from the first state."""
    game = SHEETS["connect-four"]()
    player = Machine(game.net).foreseeing
    assert isinstance(player, StepPlayer)
    gates = player.unit.circuit.needed()
    start = game.machine.coding.plain(game.machine.rows([game.initial.bits]))[0]
    length = player.run(start, 512, 0)
    work = gates * length.moves / 512
    monkeypatch.setattr(foreseeing_module, "WORK", int(work) + 1)
    assert Machine(game.net).foreseeing
    monkeypatch.setattr(foreseeing_module, "WORK", int(work) - 1)
    assert Machine(game.net).foreseeing is None


def test_the_limits_of_who_asks_are_heeded() -> None:
    """And what was ended by them is done when there is time."""
    game = SHEETS["connect-four"]()
    machine = Machine(game.net)
    assert machine.sharing
    budget = Budget(Limits(seconds=0))
    with pytest.raises(LimitReached), budget.in_force():
        _ = machine.foreseeing
    assert machine.foreseeing


def test_from_states_that_no_play_comes_to_nobody_looks_ahead() -> None:
    """Two in control: one choice does not do for both, and that is what looks ahead."""
    game = ggp.parse(RACE)
    both = game.initial.bits
    for i, fluent in enumerate(game.net.fluents):
        if str(fluent) == "(control black)":
            both |= 1 << i
    machine = Machine(game.net, choice="interpreter")
    rows = np.repeat(machine.rows([both]), 50, axis=0)
    plain = machine.play_on(rows, 2, max_plies=30)
    assert machine.play_on(rows, 2, max_plies=30, foresight=True).tolist() == plain.tolist()


def test_no_move_is_preferred_of_one_that_waits() -> None:
    """Literals of roles without a choice are those of what is legal."""
    game = ggp.parse(RACE)
    found = chosen(game)(game.initial)
    assert found[1] == {"noop"}


@pytest.mark.parametrize("make", [turn_game, random_game], ids=["turns", "oracle"])
def test_of_random_games_the_circuit_plays_what_the_definition_says(make, monkeypatch) -> None:
    """Turns of all kinds, passes, moves that are legal to who waits, roles that move again."""
    monkeypatch.setattr(foreseeing_module, "ENDED", 0)
    foreseen = 0
    for seed in range(60):
        game = ggp.parse(make(seed))
        fast, slow = (Machine(game.net, choice=choice) for choice in ("interpreter", "reference"))
        if game.initial.terminal or fast.foreseeing is None:
            continue
        foreseen += 1
        rows = np.repeat(fast.rows([game.initial.bits]), 20, axis=0)
        a, b = (m.play_on(rows, seed, max_plies=12, foresight=True) for m in (fast, slow))
        assert a.tolist() == b.tolist(), seed
    assert foreseen > 12


TRAP = """
(role a) (role b) (init (control a)) (cell 1) (cell 2)
(<= (legal a trap) (true (control a)) (not (true trapped)))
(<= (legal a sure) (true (control a)) (not (true trapped)))
(<= (legal a win) (true (control a)) (true trapped))
(<= (legal b (mark ?c)) (true (control b)) (cell ?c))
(<= (next trapped) (does a trap)) (<= (next trapped) (true trapped))
(<= (next won) (does a win)) (<= (next safe) (does a sure))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)) (not (true stuck)))
(<= terminal (true won)) (<= terminal (true safe))
(<= (goal a 100) (true won)) (<= (goal a 90) (true safe)) (goal b 0)
(<= (goal a 0) (not (true won)) (not (true safe)))
"""
"""Who traps wins three moves later."""


@pytest.mark.parametrize(
    ("more", "wins"),
    [
        ("", True),
        ("(<= (next stuck) (true trapped))", False),
        ("(<= (goal a 10) (true won))", False),
    ],
    ids=["", "the other has no move then", "two goals hold then"],
)
def test_nothing_is_claimed_where_play_would_not_come_to_that_goal(more, wins) -> None:
    game = ggp.parse(TRAP + more)
    ask = who_wins(game.machine)
    trapped = game.initial.play({"a": "trap", "b": "noop"})
    then = trapped.play({"a": "noop", "b": "(mark 1)"})
    assert bool(all(then.legal_indices())) == ("stuck" not in more)
    rows = game.machine.rows([game.initial.bits, trapped.bits, then.bits])
    found = ask(rows).tolist() if ask else [-1, -1, -1]
    assert found == [-1, -1, 0 if wins else -1]


def test_nothing_is_claimed_of_a_state_in_which_two_may_choose() -> None:
    """As no play comes to it: black can push white back at once."""
    game = ggp.parse(RACE)
    held = ["(at white 3)", "(at black 3)", "(token white)", "(token black)", "(control white)"]
    ask = who_wins(game.machine)
    assert ask
    states = [game.state(held), game.state([*held, "(control black)"])]
    assert ask(game.machine.rows([s.bits for s in states])).tolist() == [0, -1]
