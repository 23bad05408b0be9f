"""Random playouts: the same whatever runs them, fair, and all of them counted."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest

import ggp
from ggp.circuits.circuit import Builder, Circuit
from ggp.errors import InputError
from ggp.machine import Machine, Playouts, RowIndex
from ggp.machine import machine as machine_module
from ggp.machine.choice import EXTRA_BITS, choose, random_bits
from ggp.machine.view import NO_GOAL
from tests.conftest import GAMES, all_sheets, nightly


def same(a: Playouts, b: Playouts) -> bool:
    return (a.count, a.goals, a.stuck, a.unfinished, a.moves, a.lengths.tolist()) == (
        b.count, b.goals, b.stuck, b.unfinished, b.moves, b.lengths.tolist(),
    )  # fmt: skip


@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_all_engines_play_the_same(sheet, monkeypatch) -> None:
    """Reference interpreter, program, machine code: equal goals, lengths and faults for a seed;
    with one choice for all roles where they share it, and with one for each, where moves may be
    looked for and not chosen by a circuit as well."""
    game = ggp.load(sheet)
    state = game.initial.bits

    def found(choice) -> Playouts:
        return Machine(game.net, choice=choice).playouts(state, 40, seed=5, max_plies=60)

    slow = found("reference")
    assert slow.count == 40
    assert same(slow, found("interpreter"))
    assert same(slow, found("llvm"))
    monkeypatch.setattr(machine_module, "find_sharing", lambda net: None)
    slow = found("reference")
    assert same(slow, found("interpreter"))
    monkeypatch.setattr(machine_module, "SCANNED", 0)
    assert same(slow, found("interpreter"))
    assert Machine(game.net).player.is_packed


def test_lanes_are_used_again_in_the_same_order() -> None:
    """More playouts than lanes, so that finished lanes begin anew while there are some left."""
    game = ggp.load(GAMES / "nim" / "rows.kif.jinja", rows=2)
    state = game.initial.bits
    slow = Machine(game.net, choice="reference").playouts(state, 1200, seed=9)
    assert same(slow, Machine(game.net, choice="interpreter").playouts(state, 1200, seed=9))


SCANNED_GAMES = {
    "turns": lambda: ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3),
    "at once": lambda: ggp.parse(STONE_PAPER),
    "one move, stuck now and then": lambda: ggp.parse(STUCK_BY_CHANCE),
}

STONE_PAPER = """(role p) (role q) (role r) (legal p stone) (legal p paper) (legal p wait)
(legal q stone) (legal q paper) (legal r look) (init (round 0))
(<= (next (round 1)) (true (round 0))) (<= (next (round 2)) (true (round 1)))
(<= (next met) (does p ?x) (does q ?x)) (<= (next met) (true met))
(<= terminal (true met)) (<= terminal (true (round 2)))
(<= (goal p 100) (true met)) (<= (goal p 0) (not (true met)))
(<= (goal q 0) (true met)) (<= (goal q 100) (not (true met))) (goal r 7)"""

STUCK_BY_CHANCE = """(role p) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal p (go ?y)) (true (at ?x)) (succ ?x ?y)) (<= (legal p fall) (not (true down)))
(<= (next (at ?y)) (does p (go ?y))) (<= (next down) (does p fall))
(<= terminal (true (at 3))) (goal p 50)"""


@pytest.mark.parametrize("name", SCANNED_GAMES)
@pytest.mark.parametrize("choice", ["interpreter", "llvm"])
def test_moves_looked_for_are_those_of_the_circuit(name, choice, monkeypatch) -> None:
    """With lanes used again, plays given up, several threads, and plays from many states."""
    game = SCANNED_GAMES[name]()
    monkeypatch.setattr(machine_module, "find_sharing", lambda net: None)
    by_circuit = Machine(game.net, game.groups, choice=choice)
    state = game.initial.bits
    first = by_circuit.rows([state])
    rows = np.concatenate([first, by_circuit.children(first[0]).rows])
    assert not by_circuit.player.is_packed
    monkeypatch.setattr(machine_module, "SCANNED", 0)
    scanning = Machine(game.net, game.groups, choice=choice)
    assert scanning.player.is_packed
    for options in ({}, {"max_plies": 2}, {"threads": 2, "first": 3}):
        a, b = (m.playouts(state, 40_000, seed=4, **options) for m in (by_circuit, scanning))
        assert same(a, b), options
    again = np.repeat(rows, 170, axis=0)
    one, other = (m.play_each(again, 6) for m in (by_circuit, scanning))
    assert one.tolist() == other.tolist()


def test_a_state_that_no_group_allows_is_played_from(monkeypatch) -> None:
    """Two stones at once, where play has but one: no row can say so, and the circuit does."""
    game = ggp.parse(
        """(role p) (init (at a)) (legal p (to a)) (legal p (to b))
        (<= (next (at ?x)) (does p (to ?x))) (<= terminal (true (at b))) (goal p 1)"""
    )
    assert [len(group.fluents) for group in game.groups] == [2]
    plain = Machine(game.net, choice="interpreter").playouts(0, 600, seed=2)
    monkeypatch.setattr(machine_module, "SCANNED", 0)
    scanning = Machine(game.net, game.groups, choice="interpreter")
    assert same(scanning.playouts(0, 600, seed=2), plain)
    assert scanning.playouts(0b11, 5).moves == 0


def test_threads_change_nothing() -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    state, machine = game.initial.bits, game.machine
    one = machine.playouts(state, 40_000, seed=2)
    assert same(one, machine.playouts(game.initial, 40_000, seed=2))
    assert same(one, game.playouts(40_000, seed=2, threads=2))
    assert same(one, machine.playouts(state, 40_000, seed=2, threads=3))
    assert not same(one, machine.playouts(state, 40_000, seed=3))


def test_code_that_comes_in_the_middle_changes_nothing(monkeypatch) -> None:
    """Compiled code is swapped in between two steps of the same playouts."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4)
    state = game.initial.bits
    machine = Machine(game.net, choice="interpreter")
    unit, asked = machine.player.unit, []
    original = unit.running

    def running(passes):
        asked.append(passes)
        if len(asked) == 3:
            unit.choice = "llvm"
        return original(passes)

    monkeypatch.setattr(unit, "running", running)
    mixed = machine.playouts(state, 2_000, seed=4)
    assert unit.native is not None
    assert len(asked) > 3
    assert same(mixed, Machine(game.net, choice="interpreter").playouts(state, 2_000, seed=4))


def test_random_tic_tac_toe_is_what_is_known_of_it() -> None:
    """Exact by enumeration: 58.49 % first player, 28.81 % second, the rest drawn."""
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    done = game.machine.playouts(game.initial.bits, 400_000, seed=1)
    assert done.finished == done.count == 400_000
    first = done.goals[game.roles[0]][100] / done.count
    second = done.goals[game.roles[1]][100] / done.count
    assert abs(first - 0.58492) < 0.004
    assert abs(second - 0.28810) < 0.004
    assert abs(done.mean_goal("xplayer") - 100 * (first + (1 - first - second) / 2)) < 1e-6
    assert done.lengths.sum() == done.count
    assert done.moves == int(done.lengths @ np.arange(len(done.lengths)))
    assert set(np.flatnonzero(done.lengths)) == {5, 6, 7, 8, 9}


@pytest.mark.parametrize("moves", [1, 2, 3, 8, 9, 33, *nightly([5, 31, 32, 100, 199, 200])])
def test_choice_is_uniform_among_the_legal_moves(moves) -> None:
    """Chi-squared; bounds that a fair choice passes but once in about 10^7 runs.

    Moves are told apart by the goals of two roles, the second of which has no choice.
    """
    rules = "(role p) (role q) (init a) (legal q go) " + " ".join(
        f"""(legal p m{i}) (<= (next (done {i})) (does p m{i})) (<= terminal (true (done {i})))
        (<= (legal p x{i}) (true (done {i})))
        (<= (goal p {i % 101}) (true (done {i}))) (<= (goal q {i // 2}) (true (done {i})))"""
        for i in range(moves)
    )
    game = ggp.parse(rules)
    count = 200_000
    done = game.machine.playouts(game.initial.bits, count, seed=moves)
    for role, bucket in enumerate((lambda i: i % 101, lambda i: i // 2)):
        buckets = Counter(map(bucket, range(moves)))
        statistic = 0.0
        for value, size in buckets.items():
            expected = count * size / moves
            statistic += (done.goals[game.roles[role]][value] - expected) ** 2 / expected
        freedom = max(1, len(buckets) - 1)
        # Wilson and Hilferty: the cube root of chi-squared is nearly normal.
        bound = freedom * (1 - 2 / (9 * freedom) + 5.2 * (2 / (9 * freedom)) ** 0.5) ** 3
        assert statistic < bound


def run(circuit: Circuit, inputs: dict[int, int], mask: int) -> list[int]:
    """The outputs of a circuit without loops; a Python integer holds one bit a case."""
    value = [0] * len(circuit.first)
    for node, bits in inputs.items():
        value[node] = bits

    def of(literal: int) -> int:
        return value[literal >> 1] ^ (mask if literal & 1 else 0)

    for node, (a, b) in enumerate(zip(circuit.first, circuit.second, strict=True)):
        if a < b:
            value[node] = of(a) & of(b)
        elif a > b:
            value[node] = of(a) ^ of(b)
    return [of(x) for x in circuit.outputs]


@pytest.mark.parametrize("moves", range(1, 8))
def test_choice_by_all_random_bits(moves) -> None:
    """All random bits for all sets of legal moves: every move has its share of the cases, but for
    less than one case, which is less than 2 ** -EXTRA_BITS of its share."""
    width = random_bits(moves)
    cases = 1 << width
    mask = (1 << cases) - 1
    digits = [sum(1 << case for case in range(cases) if case >> i & 1) for i in range(width)]
    for chosen in range(1, 1 << moves):
        builder = Builder()
        legal, random = builder.inputs(moves), builder.inputs(width)
        picked, able = choose(builder, legal, random)
        circuit = builder.circuit([*legal, *random], [*picked, able])
        given = {x >> 1: mask if chosen >> i & 1 else 0 for i, x in enumerate(legal)}
        given |= {x >> 1: bits for x, bits in zip(random, digits, strict=True)}
        *outputs, is_able = run(circuit, given, mask)
        assert is_able == mask
        total, count = 0, chosen.bit_count()
        for i, bits in enumerate(outputs):
            assert total & bits == 0
            total |= bits
            share = bits.bit_count()
            assert share == 0 if not chosen >> i & 1 else abs(share - cases / count) < 1
        assert total == mask
        assert cases / count > 1 << EXTRA_BITS or moves == 1


def test_a_role_without_moves_is_stuck() -> None:
    game = ggp.parse(
        """(role p) (role q) (legal p go) (init a) (<= (next b) (true a)) (<= (next a) (true b))
        (<= (legal q go) (true a)) (<= terminal (true c)) (goal p 1) (goal q 2)
        (<= (next c) (true c))"""
    )
    for choice in ("reference", "interpreter", "llvm"):
        done = Machine(game.net, choice=choice).playouts(game.initial.bits, 7)
        assert (done.count, done.stuck, done.finished, done.moves) == (7, 7, 0, 14)
        assert done.mean_length == 0


def test_endless_play_is_given_up() -> None:
    game = ggp.parse(
        """(role p) (legal p go) (init a) (<= (next a) (true a)) (<= terminal (not (true a)))
        (goal p 1)"""
    )
    for choice in ("reference", "interpreter", "llvm"):
        done = Machine(game.net, choice=choice).playouts(game.initial.bits, 600, max_plies=33)
        assert (done.count, done.unfinished, done.moves) == (600, 600, 600 * 33)


def test_playouts_from_the_end_are_over_at_once() -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    *_, (last, _) = game.random_playout(seed=3)
    done = game.machine.playouts(last.bits, 10)
    assert (done.count, done.moves, done.lengths.tolist()) == (10, 0, [10])
    for role in game.roles:
        assert done.goals[role][last.goals[role]] == 10


def test_one_play_from_each_state() -> None:
    """States near the end of tic-tac-toe: the average goal is that of all ways to go on."""
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    machine = game.machine
    state = next(s for s, _ in game.random_playout(seed=8) if len(s.legal(s.control)) == 4)
    goals = machine.play_each(np.repeat(machine.rows([state.bits]), 40_000, axis=0), seed=1)
    assert goals.shape == (40_000, 2)
    assert (goals != NO_GOAL).all()

    def expected(s: ggp.State) -> float:
        if s.terminal:
            return s.goals[game.roles[0]]
        following = [expected(s.play(move)) for move in s.legal(s.control)]
        return sum(following) / len(following)

    assert abs(goals[:, 0].mean() - expected(state)) < 1.5


def test_short_playouts_are_not_preferred() -> None:
    """A coin a move, ten heads in a row end it: lengths must be those of ten coins a play."""
    facts = " ".join(f"(succ {i} {i + 1})" for i in range(10))
    game = ggp.parse(
        f"""(role p) {facts} (init (at 0)) (legal p stay) (legal p step)
        (<= (next (at ?y)) (true (at ?x)) (does p step) (succ ?x ?y))
        (<= (next (at ?x)) (true (at ?x)) (does p stay))
        (<= terminal (true (at 10))) (goal p 0)"""
    )
    count = 3_000
    done = game.machine.playouts(game.initial.bits, count, seed=1)
    expected = [comb(n - 1, 9) / 2**n for n in range(10, 60)]
    mean = sum(n * p for n, p in zip(range(10, 60), expected, strict=True))
    assert abs(done.mean_length - mean) < 5 * (20 / count) ** 0.5


def test_an_engine_of_another_name_is_refused(monkeypatch) -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    monkeypatch.setenv("GGP_ENGINE", "steam")
    with pytest.raises(InputError, match="GGP_ENGINE"):
        Machine(game.net)


@pytest.mark.parametrize(
    "wrong",
    [{"count": -1}, {"seed": -1}, {"max_plies": 0}, {"threads": 0}],
    ids=lambda wrong: next(iter(wrong)),
)
def test_numbers_that_make_no_sense_are_refused(wrong) -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    with pytest.raises(ValueError, match="more"):
        game.machine.playouts(game.initial, **{"count": 5, **wrong})


def test_the_loops_are_given_nothing_out_of_bounds() -> None:
    """Compiled loops look at no bounds: what a caller gets wrong must not reach them."""
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    machine = game.machine
    rows, moves = machine.rows([game.initial.bits]), len(game.net.legal)
    right = np.array([[0, machine.net.move_offset[1]]], dtype=np.int32)
    assert machine.next(rows, right.astype(np.int64)).shape == rows.shape
    for joint in ([[0, -1]], [[0, moves]], [[0]], [[0, 1], [0, 1]]):
        with pytest.raises(ValueError, match=r"move"):
            machine.next(rows, np.array(joint, dtype=np.int32))
    with pytest.raises(ValueError, match="no such row"):
        machine.next(rows, right, np.array([1]))
    with pytest.raises(ValueError, match="another size"):
        machine.view(np.zeros((1, 7), dtype=np.uint64))
    with pytest.raises(ValueError, match="another size"):
        RowIndex(1).add(np.zeros((1, 2), dtype=np.uint64))
