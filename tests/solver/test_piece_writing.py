"""Loops that settle, split and write pieces: on small circuits, against what is worked out plainly.

A circuit is given as `PieceRules`: node 0 is false, then fluents, then gates of literals of earlier
nodes; options with a rule, what makes it hold again, and changes.
"""

from __future__ import annotations

import random
from itertools import permutations, product

import numpy as np
import pytest

from ggp.solver.pieces import kernels as compiled
from ggp.solver.pieces import settling, writing
from ggp.solver.pieces.frames import (
    EITHER,
    FLUENT,
    GATE_AND,
    GATE_XOR,
    LOCALS,
    NAMES,
    NO,
    OPTION,
    TOKENS,
    YES,
    PieceRules,
    PieceTables,
    Scratch,
)
from tests.solver.plain import plain

pytestmark = pytest.mark.filterwarnings("ignore:overflow")
kernels = plain(settling, writing)
SEEDS = range(40)


class Circuit:
    """`gates`: (first, second, is_xor); `options`: (rule, again, changes by fluent, side)."""

    def __init__(self, fluents: int, gates, options, board) -> None:
        self.fluents, self.gates, self.options, self.board = fluents, gates, options, board
        changes = [sorted(own.items()) for _, _, own, _ in options]
        starts = np.cumsum([0, *map(len, changes)])

        def ints(values) -> np.ndarray:
            return np.array(list(values), dtype=np.int32)

        self.rules = PieceRules(
            fluents,
            ints(a for a, _, _ in gates),
            ints(b for _, b, _ in gates),
            np.array([x for _, _, x in gates], dtype=np.uint8),
            ints(rule for rule, _, _, _ in options),
            ints(again for _, again, _, _ in options),
            starts.astype(np.int32),
            ints(f for own in changes for f, _ in own),
            ints(x for own in changes for _, x in own),
            np.zeros((len(options), 1), dtype=np.uint64),
            ints(side for _, _, _, side in options),
        )
        self.nodes = 1 + fluents + len(gates)
        most = self.nodes + len(options)
        arrays = {name: np.zeros(most, dtype=np.int32) for name in Scratch._fields}
        for name in ("values", "marks", "board", "opened"):
            arrays[name] = np.zeros(most, dtype=np.uint8)
        arrays["values"][:] = NO
        for name in ("colours", "following"):
            arrays[name] = np.zeros(most, dtype=np.uint64)
        arrays["hyper"] = np.zeros((int(starts[-1]), 3), dtype=np.int32)
        arrays["text"] = np.full(20 * most, -7, dtype=np.int32)
        self.scratch = Scratch(**arrays)
        self.scratch.options[: len(options)] = range(len(options))

    def split(self) -> tuple[int, int]:
        """Run the loops up to the parts that hang together; the live options, and the gates."""
        rules, scratch, count = self.rules, self.scratch, len(self.options)
        gates = kernels.need(rules, scratch, count)
        bits = sum(b << i for i, b in enumerate(self.board))
        kernels.load(rules, scratch, np.array([bits], dtype=np.uint64))
        live, self.steps = kernels.settle(rules, scratch, count, gates)
        kernels.link(rules, scratch, live, gates)
        return live, gates

    def roots(self) -> list[int]:
        return sorted({kernels.find(self.scratch.parent, 1 + f) for f in self.open_fluents()})

    def open_fluents(self) -> list[int]:
        return [f for f in range(self.fluents) if self.scratch.opened[f]]

    def texts(self) -> list[list[int]]:
        """How the pieces are written, in order."""
        live, gates = self.split()
        found = []
        for root in self.roots():
            sizes = kernels.residual(self.rules, self.scratch, live, gates, root)
            kernels.arrange(self.scratch, *sizes)
            length = kernels.written(self.scratch, *sizes)
            found.append(self.scratch.text[:length].tolist())
        return sorted(found)

    def sets(self, opened) -> list[set[bool]]:
        """For each node which values it may have, were inputs of a gate independent."""
        found = [{False}]
        found += [{False, True} if f in opened else {bool(b)} for f, b in enumerate(self.board)]
        for a, b, is_xor in self.gates:
            pairs = product(literal_set(found, a), literal_set(found, b))
            found.append({x != y if is_xor else x and y for x, y in pairs})
        return found

    def whole(self, board) -> list[bool]:
        """The values of all nodes."""
        found = [False, *map(bool, board)]
        for a, b, is_xor in self.gates:
            x, y = value_of(found, a), value_of(found, b)
            found.append(x != y if is_xor else x and y)
        return found

    def settled(self) -> tuple[set[int], list[int], int]:
        """The fluents that may change, the options that may be made, and the rounds it took."""
        opened: set[int] = set()
        for rounds in range(1, 100):
            sets = self.sets(opened)
            live = [o for o, own in enumerate(self.options) if True in literal_set(sets, own[0])]
            more = {
                f
                for o in live
                for f, x in self.options[o][2].items()
                if literal_set(sets, x) != {bool(self.board[f])}
            }
            if more <= opened:
                return opened, live, rounds
            opened |= more
        raise AssertionError("there are not so many fluents")

    def below(self, literals, sets) -> set[int]:
        """The open nodes that some literals hang on."""
        found: set[int] = set()
        todo = [x >> 1 for x in literals]
        while todo:
            node = todo.pop()
            if len(sets[node]) > 1 and node not in found:
                found.add(node)
                if node > self.fluents:
                    a, b, _ = self.gates[node - 1 - self.fluents]
                    todo += [a >> 1, b >> 1]
        return found

    def parts(self) -> list[tuple[set[int], set[int]]]:
        """What hangs together: open nodes and live options, a part each."""
        opened, live, _ = self.settled()
        sets = self.sets(opened)
        found: list[tuple[set[int], set[int]]] = []
        passing = False
        for o in live:
            rule, again, changes, _ = self.options[o]
            own = {f: x for f, x in changes.items() if f in opened}
            passing = passing or not own
            nodes = self.below([rule, again, *own.values()], sets) | {1 + f for f in own}
            found.append((nodes, {o}))
        if passing:
            return [(set().union(*(n for n, _ in found)), set(live))] if opened else []
        joined: list[tuple[set[int], set[int]]] = []
        for nodes, options in found:
            for other in [p for p in joined if p[0] & nodes]:
                joined.remove(other)
                nodes, options = nodes | other[0], options | other[1]
            joined.append((nodes, options))
        return sorted(joined, key=lambda part: min(part[0]))


def literal_set(sets, literal: int) -> set[bool]:
    return {value != bool(literal & 1) for value in sets[literal >> 1]}


def value_of(values, literal: int) -> bool:
    return values[literal >> 1] != bool(literal & 1)


def random_circuit(seed: int, passing: bool = False) -> Circuit:
    """Up to seven fluents, seven gates and five options, or two smaller ones side by side; a move
    changes something as a rule."""
    rng = random.Random(seed)
    if seed % 2:
        return beside(one_circuit(rng, 4, 4, 3, passing), one_circuit(rng, 3, 4, 3, passing))
    return one_circuit(rng, 7, 7, 5, passing)


def one_circuit(
    rng: random.Random, most_fluents: int, most_gates: int, most_options: int, passing: bool
) -> Circuit:
    fluents = rng.randint(2, most_fluents)
    gates: list[tuple[int, int, int]] = []
    for i in range(rng.randint(1, most_gates)):
        a, b = rng.sample(range(1, 1 + fluents + i), 2)
        signs = rng.randint(0, 1), rng.randint(0, 1)
        gates.append((2 * a + signs[0], 2 * b + signs[1], int(rng.random() < 0.4)))
    nodes = 1 + fluents + len(gates)

    def literal() -> int:
        return rng.randrange(2) if rng.random() < 0.2 else rng.randrange(2, 2 * nodes)

    options = []
    for _ in range(rng.randint(1, most_options)):
        changed = rng.sample(range(fluents), rng.randint(0 if passing else 1, min(3, fluents)))
        options.append((literal(), literal(), {f: literal() for f in changed}, rng.randrange(2)))
    return Circuit(fluents, gates, options, [rng.randrange(2) for _ in range(fluents)])


def beside(one: Circuit, other: Circuit) -> Circuit:
    """Both at once, none of which knows of the other."""
    both, gates, options = one.fluents + other.fluents, [], []
    for circuit, before in ((one, 0), (other, one.fluents)):
        new = [0, *range(1 + before, 1 + before + circuit.fluents)]
        new += [1 + both + len(gates) + i for i in range(len(circuit.gates))]

        def moved(x: int, new: list[int] = new) -> int:
            return 2 * new[x >> 1] + (x & 1)

        gates += [(moved(a), moved(b), is_xor) for a, b, is_xor in circuit.gates]
        options += [
            (moved(rule), moved(again), {before + f: moved(x) for f, x in own.items()}, side)
            for rule, again, own, side in circuit.options
        ]
    return Circuit(both, gates, options, [*one.board, *other.board])


def renumbered(circuit: Circuit, seed: int) -> Circuit:
    """The same with other numbers of fluents, gates and options, and inputs the other way round."""
    rng = random.Random(seed)
    n = circuit.fluents
    place = rng.sample(range(n), n)
    new = {0: 0} | {1 + f: 1 + place[f] for f in range(n)}
    left, gates = [*range(len(circuit.gates))], []

    def moved(x: int) -> int:
        return 2 * new[x >> 1] + (x & 1)

    while left:
        ready = [g for g in left if all(x >> 1 in new for x in circuit.gates[g][:2])]
        g = rng.choice(ready)
        left.remove(g)
        a, b, is_xor = circuit.gates[g]
        a, b = rng.sample([moved(a), moved(b)], 2)
        new[1 + n + g] = 1 + n + len(gates)
        gates.append((a, b, is_xor))
    options = [
        (moved(rule), moved(again), {place[f]: moved(x) for f, x in own.items()}, side)
        for rule, again, own, side in rng.sample(circuit.options, len(circuit.options))
    ]
    board = [circuit.board[place.index(f)] for f in range(n)]
    return Circuit(n, gates, options, board)


def as_set(value: int) -> set[bool]:
    return {x for x in (False, True) if value >> x & 1}


@pytest.mark.parametrize(("p", "q"), [*product((NO, YES, EITHER), repeat=2)])
def test_gates_of_sets_of_values(p, q) -> None:
    """A gate may have each value that its inputs can give it, a literal each of its node's."""
    literals = [*product((2, 3), (4, 5))]
    circuit = Circuit(2, [(a, b, x) for a, b in literals for x in (0, 1)], [], [0, 0])
    circuit.scratch.values[1:3] = p, q
    circuit.scratch.needed[:8] = range(8)
    kernels.simulate(circuit.rules, circuit.scratch, 8)
    sets = [set(), as_set(p), as_set(q)]
    for i, ((a, b), x) in enumerate(product(literals, (0, 1))):
        assert as_set(kernels.of(circuit.scratch.values, a)) == literal_set(sets, a)
        pairs = product(literal_set(sets, a), literal_set(sets, b))
        wanted = {u != v if x else u and v for u, v in pairs}
        assert as_set(int(circuit.scratch.values[3 + i])) == wanted


@pytest.mark.parametrize("seed", SEEDS)
def test_gates_that_options_need_in_order(seed) -> None:
    circuit = random_circuit(seed)
    for count in range(len(circuit.options) + 1):
        wanted: set[int] = set()
        own = circuit.options[:count]
        todo = [x >> 1 for a, b, made, _ in own for x in (a, b, *made.values())]
        while todo:
            gate = todo.pop() - 1 - circuit.fluents
            if gate >= 0:
                wanted.add(gate)
                todo += [x >> 1 for x in circuit.gates[gate][:2]]
        circuit.scratch.marks[:] = 1
        found = kernels.need(circuit.rules, circuit.scratch, count)
        assert circuit.scratch.needed[:found].tolist() == sorted(wanted)


@pytest.mark.parametrize("fluents", [1, 64, 65, 130])
def test_a_board_of_words_is_loaded(fluents) -> None:
    rng = random.Random(fluents)
    board = [rng.randrange(2) for _ in range(fluents)]
    circuit = Circuit(fluents, [], [], board)
    bits = sum(b << i for i, b in enumerate(board))
    words = [bits >> at & (1 << 64) - 1 for at in range(0, fluents, 64)]
    circuit.scratch.opened[:] = 1
    kernels.load(circuit.rules, circuit.scratch, np.array(words, dtype=np.uint64))
    wanted = [YES if b else NO for b in board]
    assert circuit.scratch.values[1 : 1 + fluents].tolist() == wanted
    assert circuit.scratch.board[:fluents].tolist() == wanted
    assert circuit.open_fluents() == []


@pytest.mark.parametrize("seed", SEEDS)
def test_what_options_may_change_is_open(seed) -> None:
    circuit = random_circuit(seed, seed % 3 == 0)
    live, gates = circuit.split()
    opened, wanted, rounds = circuit.settled()
    assert circuit.open_fluents() == sorted(opened)
    assert circuit.scratch.live[:live].tolist() == wanted
    # As many gates and options are looked at in each round.
    assert circuit.steps == rounds * (gates + len(circuit.options))


@pytest.mark.parametrize("count", range(1, 7))
def test_a_rule_joins_all_that_it_hangs_on_through_however_many_gates(count) -> None:
    """Of fluents each of which may be turned over, all of which one move asks for."""
    fluents, always = count + 1, 1
    turned = [(always, always, {f: 2 * (1 + f) + 1}, 0) for f in range(fluents)]
    # Each gate is the one before and one more fluent.
    gates = [(2 * (fluents + i) if i else 2, 2 * (2 + i), False) for i in range(count)]
    last = (2 * (fluents + count), always, {0: 2 * 1 + 1}, 0)
    apart = Circuit(fluents, gates, turned, [1] * fluents)
    apart.split()
    assert len(apart.roots()) == fluents
    together = Circuit(fluents, gates, [*turned, last], [1] * fluents)
    together.split()
    assert together.open_fluents() == list(range(fluents))
    assert len(together.roots()) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_what_hangs_together_is_a_part(seed) -> None:
    """By fluents that a move changes, and what its rule and its changes hang on; a move that
    changes nothing joins all. The root of a part is its least fluent."""
    circuit = random_circuit(seed, seed % 3 == 0)
    live, _ = circuit.split()
    find, parent = kernels.find, circuit.scratch.parent
    parts = circuit.parts()
    assert circuit.roots() == [min(nodes) for nodes, _ in parts]
    for nodes, options in parts:
        root = min(nodes)
        own = [k for k in range(live) if find(parent, circuit.nodes + k) == root]
        assert {int(circuit.scratch.live[k]) for k in own} == options
        among = {f for f in circuit.open_fluents() if find(parent, 1 + f) == root}
        assert among == {n - 1 for n in nodes if n <= circuit.fluents}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_of_a_part_is_the_circuit_again(seed) -> None:
    """For all values of its fluents: the same rules, the same changes; no gate with a constant."""
    circuit = random_circuit(seed, seed % 3 == 0)
    live, gates = circuit.split()
    scratch, sets = circuit.scratch, circuit.sets(circuit.open_fluents())
    for nodes, options in circuit.parts():
        root = min(nodes)
        vertices, hypers = kernels.residual(circuit.rules, scratch, live, gates, root)
        fluents = sorted(n - 1 for n in nodes if n <= circuit.fluents)
        kinds = scratch.kinds[:vertices].tolist()
        assert scratch.colours[:vertices].tolist() == kinds
        low, high = scratch.low.tolist(), scratch.high.tolist()
        first = vertices - len(options)
        assert kinds[: len(fluents)] == [FLUENT + circuit.board[f] for f in fluents]
        kept = [
            circuit.gates[n - 1 - circuit.fluents]
            for n in sorted(nodes)
            if n > circuit.fluents
            and all(len(sets[x >> 1]) > 1 for x in circuit.gates[n - 1 - circuit.fluents][:2])
        ]
        assert kinds[len(fluents) : first] == [GATE_XOR if x else GATE_AND for _, _, x in kept]
        for v in range(len(fluents), first):
            assert all(2 <= x < 2 * v + 2 for x in (low[v], high[v]))
            # Whether inputs of an exclusive or are inverted is told by what it leads to.
            assert kinds[v] != GATE_XOR or not (low[v] | high[v]) & 1
        for values in product((0, 1), repeat=len(fluents)):
            board = list(circuit.board)
            for f, b in zip(fluents, values, strict=True):
                board[f] = b
            right = circuit.whole(board)
            found = [False, *map(bool, values)]
            for v in range(len(fluents), first):
                x, y = value_of(found, low[v]), value_of(found, high[v])
                found.append(x != y if kinds[v] == GATE_XOR else x and y)
            changes = scratch.hyper[:hypers].tolist()
            for v, o in enumerate(sorted(options), first):
                rule, again, own, side = circuit.options[o]
                assert kinds[v] == OPTION + side
                assert value_of(found, low[v]) == value_of(right, rule)
                assert value_of(found, high[v]) == value_of(right, again)
                wanted = {f: value_of(right, x) for f, x in own.items() if f in fluents}
                start = scratch.first_hyper[v]
                here = changes[start : start + len(wanted)]
                assert all(option == v for option, _, _ in here)
                assert {fluents[f]: value_of(found, x) for _, f, x in here} == wanted
            assert hypers == sum(f in fluents for o in options for f in circuit.options[o][2])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_graph_is_written_whole_in_any_order(seed) -> None:
    """Kinds, inputs (of gates the lesser first), and changes in the order of their fluents."""
    circuit = random_circuit(seed, seed % 3 == 0)
    live, gates = circuit.split()
    scratch, rng = circuit.scratch, random.Random(seed)
    for root in circuit.roots():
        vertices, hypers = kernels.residual(circuit.rules, scratch, live, gates, root)
        order = rng.sample(range(vertices), vertices)

        def placed(x: int, order: list[int] = order) -> int:
            return x if x < 2 else 2 + 2 * order.index((x >> 1) - 1) + (x & 1)

        wanted = []
        for v in order:
            kind = int(scratch.kinds[v])
            wanted.append(kind)
            if kind >= GATE_AND:
                inputs = [placed(int(scratch.low[v])), placed(int(scratch.high[v]))]
                wanted += sorted(inputs) if kind < OPTION else inputs
            if kind >= OPTION:
                own = [(f, x) for o, f, x in scratch.hyper[:hypers].tolist() if o == v]
                for f, x in sorted((order.index(f), placed(x)) for f, x in own):
                    wanted += [f, x]
                wanted.append(-1)
        scratch.order[:vertices] = order
        length = kernels.written(scratch, vertices, hypers)
        assert scratch.text[:length].tolist() == wanted


@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_are_written_alike_whatever_their_numbers_are(seed) -> None:
    circuit = random_circuit(seed, seed % 3 == 0)
    texts = circuit.texts()
    assert len(texts) == len(circuit.parts())
    for other in range(4):
        assert renumbered(circuit, other).texts() == texts


def neighbours(pairs, on=1) -> Circuit:
    """Tokens at the places of some pairs; a move takes the two of a pair."""
    fluents = 1 + max(map(max, pairs))
    gates = [(2 + 2 * a, 2 + 2 * b, 0) for a, b in pairs]
    options = [(2 * (1 + fluents + i), 0, {a: 0, b: 0}, 0) for i, (a, b) in enumerate(pairs)]
    return Circuit(fluents, gates, options, [on] * fluents)


GRAPHS = {
    "path": [(i, i + 1) for i in range(4)],
    "circle": [(i, (i + 1) % 5) for i in range(5)],
    "star": [(0, i) for i in range(1, 5)],
    "whole": [(i, j) for j in range(4) for i in range(j)],
    "paw": [(0, 1), (1, 2), (0, 2), (2, 3)],
    "two circles": [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)],
}


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_with_symmetries_have_one_text(name) -> None:
    """However their vertices are numbered; other graphs have other texts."""
    pairs = GRAPHS[name]
    count = 1 + max(map(max, pairs))
    [text] = neighbours(pairs).texts()
    rng = random.Random(1)
    for order in rng.sample([*permutations(range(count))], 12):
        moved = [tuple(rng.sample([order[a], order[b]], 2)) for a, b in pairs]
        assert neighbours(rng.sample(moved, len(moved))).texts() == [text]
    assert all([text] != neighbours(own).texts() for own in GRAPHS.values() if own != pairs)


def test_what_is_told_apart_by_one_thing_is_written_otherwise() -> None:
    """Of a move that takes a token if there is another: each change of it gives another text."""
    fluents, gates = 2, [(2, 4, 0)]

    def text(rule=6, again=0, change=0, side=0, xor=0, board=(1, 1), first=2, other=0):
        more = (4, 0, {1: other}, 0)
        options = [(rule, again, {0: change}, side), more]
        return str(Circuit(fluents, [(first, 4, xor)], options, list(board)).texts())

    assert gates == [(2, 4, 0)]
    made = [
        text(), text(rule=1), text(again=1), text(again=6), text(again=7), text(side=1),
        text(change=5), text(change=4), text(change=7), text(first=3, board=(0, 1)),
        text(rule=2), text(rule=4), text(again=2), text(again=4),
        text(other=3), text(rule=7, xor=1), text(xor=1),
    ]  # fmt: skip
    assert len(set(made)) == len(made)


@pytest.mark.parametrize(
    ("colours", "count", "shared"),
    [
        ([], 0, None),
        ([7], 1, None),
        ([3, 1, 2], 3, None),
        ([5, 3, 5, 3, 9], 3, 3),
        ([9, 9, 1], 2, 9),
        ([4, 4, 4], 1, 4),
        ([1, 8, 2, 8], 3, 8),
    ],
)
def test_how_many_colours_there_are_and_the_first_that_is_shared(colours, count, shared) -> None:
    given = np.array([*colours, 0, 0], dtype=np.uint64)
    order = np.zeros(len(given), dtype=np.int32)
    found, vertex = kernels._distinct(given, order, len(colours))
    assert found == count
    assert [colours[i] for i in order[: len(colours)]] == sorted(colours)
    assert (None if vertex < 0 else colours[vertex]) == shared


def test_rows_that_differ_have_other_numbers() -> None:
    """In one place, by their order, or by how long they are: 64 bits are enough for these."""
    rows = [(n,) for n in range(200)] + [*product(range(9), repeat=3)]
    rows += [(0,) * n for n in range(4, 20)] + [(1 << n, 5) for n in range(63)]
    found = {int(kernels.hash_row(np.array(row, dtype=np.uint64), len(row))) for row in rows}
    assert len(found) == len(rows)
    # What is behind the end of a row is not looked at.
    long = np.array([1, 2, 3, 9], dtype=np.uint64)
    assert kernels.hash_row(long, 3) == kernels.hash_row(long[:3], 3)


def tables(slots: int, names: int, width: int = 2) -> PieceTables:
    arrays = {name: np.zeros(64, dtype=np.int32) for name in PieceTables._fields}
    arrays["keys"] = np.zeros((64, width), dtype=np.uint64)
    arrays["local_slot"] = np.full(slots, -1, dtype=np.int32)
    arrays["name_slot"] = np.full(names, -1, dtype=np.int32)
    arrays["counts"] = np.zeros(6, dtype=np.int64)
    arrays["token_start"] = np.zeros(64, dtype=np.int64)
    return PieceTables(**arrays)


def test_names_are_numbers_of_texts_in_the_order_in_which_they_come() -> None:
    """A table of eight slots with seven names: each has its own, though places are taken."""
    texts = [[1, 2], [2, 1], [1], [], [1, 2, 3], [1, 3], [2, 2]]
    given = tables(2, 8)
    for again in range(2):
        for n, text in enumerate(texts):
            # Behind its end a text goes on with something.
            row = np.array([*text, 4, again], dtype=np.int32)
            assert kernels.name_of(given, row, len(text)) == n
            known = len(texts) if again else n + 1
            assert given.counts[NAMES] == known
            assert given.counts[TOKENS] == sum(map(len, texts[:known]))
    starts = given.token_start.tolist()
    for n, text in enumerate(texts):
        assert given.tokens[starts[n] : starts[n + 1]].tolist() == text
    assert sorted(given.name_slot.tolist()) == [-1, *range(7)]


def test_keys_have_places_of_their_own() -> None:
    keys = [[0, 0], [0, 1], [1, 0], [1, 1], [0, 1 << 63], [5, 7], [7, 5]]
    given = tables(8, 2)
    for n, key in enumerate(keys):
        row = np.array(key, dtype=np.uint64)
        slot = kernels.local_slot(given, row, 2)
        assert given.local_slot[slot] == -1
        given.local_slot[slot] = n
        given.keys[n] = row
    found = [kernels.local_slot(given, np.array(key, dtype=np.uint64), 2) for key in keys]
    assert [int(given.local_slot[slot]) for slot in found] == [*range(7)]
    free = kernels.local_slot(given, np.array([9, 9], dtype=np.uint64), 2)
    assert given.local_slot[free] == -1


def test_a_move_that_changes_nothing_joins_what_there_is() -> None:
    """Tokens that can each be taken by a move: with that move they are one piece, if any."""
    for fluents, opened in ((1, 1), (2, 2), (3, 3), (1, 0)):
        taking = [(1, 0, {f: 0}, 0) for f in range(opened)]
        circuit = Circuit(fluents, [], [*taking, (1, 0, {}, 1)], [1] * fluents)
        found = circuit.texts()
        assert circuit.open_fluents() == [*range(opened)]
        # A number for each token, three for an option, and one at its end; two for each change.
        assert [len(text) for text in found] == ([4 + 7 * opened] if opened else [])
        assert [text.count(-1) for text in found] == ([1 + opened] if opened else [])
        apart = Circuit(fluents, [], taking, [1] * fluents).texts()
        assert len(apart) == opened


def test_what_was_entered_is_found_where_tables_were_filled_again() -> None:
    """Seven names and keys in tables of eight: those that come later are not at their own place."""
    rng = random.Random(3)
    loops = plain(settling, writing, compiled)
    for _ in range(6):
        texts = rng.sample([*product(range(5), repeat=3)], 7)
        given = tables(8, 8)
        for n, text in enumerate(texts):
            row = np.array(text, dtype=np.int32)
            assert loops.name_of(given, row, 3) == n
            given.keys[n] = text[:2] if n else (9, 9)
        keys = {tuple(map(int, given.keys[n])) for n in range(7)}
        given.counts[LOCALS] = len(keys)
        for n, key in enumerate(sorted(keys)):
            given.keys[n] = key
        loops.rehash(given)
        assert [loops.name_of(given, np.array(t, dtype=np.int32), 3) for t in texts] == [*range(7)]
        for n, key in enumerate(sorted(keys)):
            row = np.array(key, dtype=np.uint64)
            assert given.local_slot[loops.local_slot(given, row, 2)] == n
