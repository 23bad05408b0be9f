"""One random choice for all roles: where it is shared, and that nothing but the draw changes."""

from __future__ import annotations

import itertools
import random

import pytest

import ggp
from ggp.ground import Net
from ggp.machine import Machine
from ggp.machine import machine as machine_module
from ggp.machine import sharing as sharing_module
from ggp.machine.choice import random_bits
from ggp.machine.coding import plain_rows
from ggp.machine.sharing import MAX_HANDED, Sharing, find_sharing
from ggp.machine.step import step, widths
from tests.conftest import GAMES, nightly
from tests.machine.test_playouts import same

TURNS = """(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))"""
BOARD = """(role a) (role b) (cell 1) (cell 2) (cell 3) (init (control a))
(<= (legal ?r (mark ?c)) (true (control ?r)) (cell ?c) (not (true (marked ?c))))
(<= (next (marked ?c)) (does ?r (mark ?c))) (<= (next (marked ?c)) (true (marked ?c)))
(<= terminal (true (marked 1)) (true (marked 2))) (<= (goal ?r 100) (role ?r) (true (control ?r)))
(<= (goal ?r 0) (role ?r) (not (true (control ?r))))"""
IDLE = "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"


def net(text: str) -> Net:
    return ggp.parse(text).net


def named(of: Net, moves) -> list[set[str]]:
    """Moves by their names, for each role."""
    names = [str(move) for own in of.moves for move in own]
    return [{names[m] for m in own} for own in moves]


def test_whose_turn_it_is_has_the_choice() -> None:
    of = net(BOARD + TURNS + IDLE)
    found = find_sharing(of)
    assert found is not None
    assert sorted(found.turns) == [0, 1]
    assert found.most == 3
    marks = {"(mark 1)", "(mark 2)", "(mark 3)"}
    assert named(of, found.acting) == [marks, marks]
    assert named(of, found.waiting) == [{"noop"}, {"noop"}]
    assert widths(of, found) == [random_bits(3)]
    assert widths(of, None) == [random_bits(4)] * 2
    assert step(of, found).random == random_bits(3)


def test_a_move_of_ones_own_turn_may_be_that_of_waiting_too() -> None:
    """A pass: the same move, once chosen and once not."""
    of = net(BOARD + TURNS + "(<= (legal ?r noop) (role ?r))")
    found = find_sharing(of)
    assert found is not None
    assert found.most == 4
    assert [len(own) for own in found.acting] == [4, 4]
    assert named(of, found.waiting) == [{"noop"}, {"noop"}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BOARD + TURNS + "(<= (legal ?r (wait ?c)) (cell ?c) (role ?r))", "both may choose"),
        (BOARD + "(<= (next (control ?r)) (role ?r))" + IDLE, "both may be next"),
        (BOARD + "(<= (next (control ?r)) (role ?r) (true (marked 1)))" + IDLE, "both at times"),
        ("(role a) (init x) (legal a l) (legal a r) terminal (goal a 1)", "one role"),
        (
            """(role a) (role b) (init (control a)) (<= (legal a l) (true (control a)))
            (<= (legal a r) (true (control a))) (legal b noop) terminal (goal a 1) (goal b 1)"""
            + TURNS,
            "the other never has a choice",
        ),
    ],
    ids=lambda value: value if len(value) < 30 else "",
)
def test_where_nothing_is_shared(text, why) -> None:
    assert find_sharing(net(text)) is None, why


def test_a_turn_of_several_phases_and_a_step_counter() -> None:
    """Any number of settings may be one role's; in step 3 nobody has a choice, nor after step 4."""
    steps = " ".join(f"(<= (next (step {i + 1})) (true (step {i})))" for i in range(5))
    text = f"""(role a) (role b) (role c) (init (step 0)) {steps} (legal c look) (turn 0 a)
        (turn 1 a) (turn 2 b) (turn 3 a) (turn 4 b) (<= (legal ?r l) (turn ?n ?r) (true (step ?n)))
        (<= (legal ?r r) (turn ?n ?r) (true (step ?n)) (not (true (step 3))))
        (<= (legal ?r noop) (role ?r) (not (moves ?r)) (distinct ?r c))
        (<= (moves ?r) (turn ?n ?r) (true (step ?n)))
        (<= terminal (true (step 5))) (goal a 1) (goal b 1) (goal c 1)"""
    found = find_sharing(net(text))
    assert found is not None
    assert found.turns == (0, 0, 1, None, 1, None, None)


def test_who_is_next_may_hang_on_the_move() -> None:
    """No clock tells it; that no two roles are in turn at once is plain from the rules."""
    again = """(<= (next (control ?r)) (does ?r (mark 1)))
        (<= (next (control ?s)) (true (control ?r)) (role ?s) (distinct ?r ?s) (not first))
        (<= first (does ?r (mark 1)))"""
    of = net(BOARD + again + IDLE)
    found = find_sharing(of)
    assert found is not None
    assert found.settings[-1] == 0
    assert sorted(found.turns[:2]) == [0, 1]
    assert found.turns[2] is None
    count = len(of.fluents)
    assert not found.hold(plain_rows([(1 << count) - 1], count))
    assert found.hold(plain_rows([0], count))


HANDED = "(<= (next (control ?r)) (does ?r noop))"


def test_the_turn_may_go_to_who_did_nothing() -> None:
    """Where nobody is in turn both are next: it is told by nothing but that one of them is."""
    of = net(BOARD + HANDED + IDLE)
    found = find_sharing(of)
    assert found is not None
    assert sorted(found.turns) == [0, 1]
    assert [setting.bit_count() for setting in found.settings] == [1, 1]
    assert named(of, found.waiting) == [{"noop"}, {"noop"}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HANDED + "(<= (legal ?r noop) (role ?r))", "both are next when nobody moves"),
        (
            "(<= (next (control ?r)) (does ?r noop) (true (marked 1)))" + IDLE,
            "nobody is, and then both do nothing for ever",
        ),
        (HANDED + IDLE + "(init (control b))", "both are at first"),
        (HANDED + IDLE + "(<= (legal ?r rest) (role ?r))", "who waits has a choice"),
    ],
    ids=lambda value: value if len(value) < 50 else "",
)
def test_where_it_may_go_to_both_or_to_nobody_nothing_is_shared(text, why) -> None:
    assert find_sharing(net(BOARD + text)) is None, why


def test_the_turn_is_found_among_many_squares_that_name_the_roles() -> None:
    squares = " ".join(f"(square {n})" for n in range(1, MAX_HANDED + 6))
    found = find_sharing(
        net(
            f"""(role a) (role b) (init (control a)) {squares}
            (<= (legal ?r (put ?n)) (true (control ?r)) (square ?n) (not (full ?n)))
            (<= (full ?n) (true (at ?n ?r))) (<= (next (at ?n ?r)) (does ?r (put ?n)))
            (<= (next (at ?n ?r)) (true (at ?n ?r))) (<= again (does ?r (put 1)))
            (<= (next (control ?r)) (does ?r (put 1)))
            (<= (next (control ?s)) (true (control ?r)) (role ?s) (distinct ?r ?s) (not again))
            (<= terminal (full 2)) (goal a 1) (goal b 1)"""
            + IDLE
        )
    )
    assert found is not None
    assert found.mask.bit_count() == 2


def test_what_the_clock_hangs_on_is_asked_as_well() -> None:
    """`alive` always holds in play; where it does not, the turn is lost, and both may move."""
    text = (
        BOARD.replace("(init (control a))", "(init (control a)) (init alive)")
        + """(<= (next alive) (true alive))
        (<= (next (control b)) (true (control a)) (true alive))
        (<= (next (control a)) (true (control b)) (true alive))
        (<= (legal ?r (mark ?c)) (role ?r) (cell ?c) (not (true (control a)))
            (not (true (control b))))"""
        + IDLE
    )
    game = ggp.parse(text)
    found = find_sharing(game.net)
    assert found is not None
    index = {str(fluent): 1 << i for i, fluent in enumerate(game.net.fluents)}
    states = {
        index["(control a)"] | index["alive"]: True,
        index["(control b)"] | index["alive"] | index["(marked 1)"]: True,
        index["(control a)"]: False,
        index["alive"]: False,
        index["(control a)"] | index["(control b)"] | index["alive"]: False,
    }
    fluents = len(game.net.fluents)
    for state, is_told in states.items():
        assert found.hold(plain_rows([state], fluents)) == is_told
    assert not found.hold(plain_rows(list(states)[1:3], fluents))


def test_clocks_that_are_too_large_tell_nothing(monkeypatch) -> None:
    of = net(BOARD + TURNS + IDLE)
    monkeypatch.setattr(sharing_module, "MAX_GATES", 1)
    assert find_sharing(of) is None
    monkeypatch.undo()
    monkeypatch.setattr(sharing_module, "MAX_FLUENTS", 1)
    assert find_sharing(of) is None


def test_a_choice_that_is_shared_takes_fewer_gates() -> None:
    """The count is that of the circuit: without the choice of one of two roles."""
    game = ggp.load(GAMES / "breakthrough" / "breakthrough.kif.jinja")
    own = game.machine.step.gates()
    each = step(game.net).gates()
    assert own["choice"] < 0.7 * each["choice"]


def _clock(rng: random.Random, count: int) -> tuple[list[str], str]:
    """A condition for each setting of a clock of some kind, and the rules for it."""
    kind = rng.choice(["places", "kept", *(["bit", "counter"] if count == 2 else ["bits"])])
    if kind == "bits":
        # Neither bit alone tells that it is the turn of the first.
        rules = """(<= (turn0) (not (true x)) (not (true y))) (<= (turn1) (true x))
            (<= (turn2) (true y)) (<= (next x) (turn0)) (<= (next y) (turn1))"""
        return [f"(turn{role})" for role in range(3)], rules
    if kind == "kept":
        roles, rules = "pqr"[:count], []
        for i, role in enumerate(roles):
            # Who makes a certain move is next again, or any other is; now and then nobody is.
            other = roles[(i + 1) % count]
            rules.append(f"(<= (next (turn {role})) (does {role} (m 0)) (true (turn {role})))")
            more = rng.choice([f"(not (does {role} (m 0)))", f"(does {role} (m 1))"])
            rules.append(f"(<= (next (turn {other})) (true (turn {role})) {more})")
        return [f"(true (turn {role}))" for role in roles], f"(init (turn p)) {' '.join(rules)}"
    if kind == "bit":
        return ["(not (true odd))", "(true odd)"], "(<= (next odd) (not (true odd)))"
    size = count if kind == "places" else 2 * count + rng.randrange(3)
    rules = [f"(<= (next (at {(i + 1) % size})) (true (at {i})))" for i in range(size)]
    told = []
    for role in range(count):
        rules += [f"(<= (turn{role}) (true (at {i})))" for i in range(role, size, count)]
        told.append(f"(turn{role})")
    return told, "(init (at 0)) " + " ".join(rules)


def turn_game(seed: int) -> str:
    """Roles in turn, moves that hang on a board, passes, and those who wait with a move or two."""
    rng = random.Random(seed)
    roles = "pqr"[: rng.choice([2, 2, 3])]
    told, rules = _clock(rng, len(roles))
    facts = [f"(true (b {i}))" for i in range(3)]
    lines = [rules, "(init (b 0))", *(f"(role {r})" for r in roles)]
    for role, turn in zip(roles, told, strict=True):
        for move in range(rng.randint(1, 6)):
            more = rng.choice(["", "", rng.choice(facts), f"(not {rng.choice(facts)})"])
            lines.append(f"(<= (legal {role} (m {move})) {turn} {more})")
            lines.append(f"(<= (next (b {rng.randrange(3)})) (does {role} (m {move})))")
        if rng.random() < 0.9:
            condition = rng.choice([f"(not {turn})", f"(not {turn})", ""])
            lines.append(f"(<= (legal {role} (m {rng.choice('09')})) (role {role}) {condition})")
        if rng.random() < 0.1:
            lines.append(f"(<= (legal {role} spare) (not {turn}))")
        lines.append(f"(<= (goal {role} {rng.randrange(101)}) {rng.choice(facts)})")
    held = rng.choice(facts)
    lines.append(f"(<= (next {held[6:-1]}) {held} {rng.choice(facts)})")
    ends = " ".join(rng.sample(facts, 2))
    lines.append(f"(<= terminal {ends})")
    return "\n".join(lines)


@pytest.mark.parametrize("seeds", [range(12), *nightly([range(12, 80), range(80, 120)])])
def test_of_random_games_from_any_state(seeds) -> None:
    """The circuit plays what the reference plays, also from states that no play comes to."""
    shared = 0
    for seed in seeds:
        game = ggp.parse(turn_game(seed))
        rng = random.Random(seed)
        machines = [Machine(game.net, choice=choice) for choice in ("reference", "interpreter")]
        found = machines[1].sharing
        shared += found is not None
        fluents = len(game.net.fluents)
        states = [game.initial.bits, *(rng.getrandbits(fluents) for _ in range(4))]
        for state in states:
            slow, fast = (m.playouts(state, 20, seed=seed, max_plies=12) for m in machines)
            assert same(slow, fast), (seed, state)
        rows = machines[1].rows(states)
        slow, fast = (m.play_each(rows, seed, max_plies=12).tolist() for m in machines)
        assert slow == fast, seed
    assert shared > len(seeds) / 4


def handed_game(seed: int) -> str:
    """Roles whose turn comes by the moves that are made."""
    rng = random.Random(seed)
    roles = "pqr"[: rng.choice([2, 2, 3])]
    is_handed = rng.random() < 0.5
    lines = [*(f"(role {r}) (goal {r} 1)" for r in roles), "(init (control p)) (init (b 0))"]
    lines += ["(<= terminal (true (b 9)))", "(<= (next (b 9)) (true (b 9)))"]
    for role, after in zip(roles, roles[1:] + roles[:1], strict=True):
        turn = f"(true (control {role}))"
        lines += [f"(<= (legal {role} (m {i})) {turn})" for i in range(rng.choice([1, 2, 2, 3]))]
        idle = rng.choice([f"(not {turn})"] * 9 + [""])
        lines.append(f"(<= (legal {role} noop) (role {role}) {idle})")
        before = rng.choice([f"(does {role} (m 0))", turn, turn])
        before = f"(does {after} noop)" if is_handed else before
        lines.append(f"(<= (next (control {after})) {before} {rng.choice(['', '', '', turn])})")
        if rng.random() < (0.1 if is_handed else 0.5):
            lines.append(f"(<= (next (control {role})) (does {role} (m {rng.randrange(2)})))")
        lines.append(f"(<= (next (b {rng.randrange(2)})) (does {role} (m 1)))")
    return "\n".join(lines)


@pytest.mark.parametrize("seeds", [range(150), *nightly([range(150, 2_000)])])
def test_in_all_positions_of_play_one_setting_holds_and_one_role_has_a_choice(
    seeds, monkeypatch
) -> None:
    found = by_values = 0
    goes_round = sharing_module._goes_round

    def counted(*given) -> bool:
        nonlocal by_values
        told = goes_round(*given)
        by_values += told
        return told

    monkeypatch.setattr(sharing_module, "_goes_round", counted)
    for seed in seeds:
        game = ggp.parse(handed_game(seed))
        sharing = find_sharing(game.net)
        if sharing is None:
            continue
        found += 1
        for bits in reachable(game):
            place = sharing.settings.index(bits & sharing.mask)
            counts = map(len, ggp.State(game, bits).legal_indices())
            free = [role for role, count in enumerate(counts) if count > 1]
            assert free in ([], [sharing.turns[place]]), (seed, free)
    assert found > len(seeds) / 10
    assert by_values > len(seeds) / 20


def reachable(game: ggp.Game) -> set[int]:
    """All positions that legal moves lead to, none of which is the end of play here."""
    known, todo = {game.initial.bits}, [game.initial]
    while todo:
        state = todo.pop()
        for joint in itertools.product(*state.legal_indices()):
            after = state.after(list(joint))
            if after.bits not in known:
                known.add(after.bits)
                todo.append(after)
    return known


def test_each_of_equal_moves_is_as_likely_as_the_others(monkeypatch) -> None:
    """Averages of a game of turns, with the choice shared and with one for each role."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3)
    assert isinstance(game.machine.sharing, Sharing)
    shared = game.machine.playouts(game.initial, 200_000, seed=3)
    monkeypatch.setattr(machine_module, "find_sharing", lambda net: None)
    each = Machine(game.net).playouts(game.initial.bits, 200_000, seed=3)
    assert not same(shared, each)
    assert abs(shared.mean_length - each.mean_length) < 0.05
    for role in game.roles:
        assert abs(shared.mean_goal(role) - each.mean_goal(role)) < 1
