"""The loops of the search of one position, on trees that are written out."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from ggp.solver.layers.kernels import FORCED, OVER
from ggp.solver.search import alpha_beta as alpha_beta_module
from ggp.solver.search import making as making_module
from ggp.solver.search import proof_numbers as proof_numbers_module
from ggp.solver.search import table as table_module
from ggp.solver.search.data import (
    COUNT,
    CUT,
    FAULT,
    FULL,
    INFINITE,
    MADE,
    NO,
    PAUSED,
    PLACE,
    QUESTION,
    ROOM,
    SPENT,
    WAYS,
    YES,
    CircuitRules,
    Frames,
    Nodes,
    TranspositionTable,
)
from tests.solver.plain import plain

SIZE = 4096


class Search:
    """A tree, which may share branches: for each position where moves lead, and who moves there
    (0: the first player); at an end the score of the first player, of `top` at the most.

    In place of the circuit of a game what is written there makes the children.
    """

    def __init__(self, leads, mover, scores, top: int = 1, entries: int = 64) -> None:
        self.leads, self.mover, self.scores, self.top = leads, mover, scores, top
        words = np.zeros((SIZE, 1), dtype=np.uint64)
        small = np.zeros(SIZE, dtype=np.int16)
        ints = np.zeros(SIZE, dtype=np.int64)
        self.nodes = Nodes(
            words.copy(), words.copy(), words.copy(), small.copy(), small.reshape(-1, 1).copy(),
            np.zeros(SIZE, dtype=np.uint8), ints.copy(), np.zeros(SIZE, dtype=np.int32),
            ints.copy(), ints.copy(),
        )  # fmt: skip
        one = np.zeros(0, dtype=np.int64)
        code = np.arange(top + 1, dtype=np.uint8)
        self.rules = CircuitRules(
            words, 0, 0, 0, 0, one, one, one, 0, 0, code, one, words, words[:0], small[:0], 1, 1
        )
        byte = np.zeros(entries, dtype=np.uint8)
        word = np.zeros(entries, dtype=np.uint32)
        self.table = TranspositionTable(
            np.zeros((entries, 1), dtype=np.uint64), byte.copy(), byte.copy(), byte.copy(),
            word.copy(), word.copy(), np.zeros(entries, dtype=np.uint16),
            64 - (entries // 4).bit_length() + 1,
        )  # fmt: skip
        self.frames = Frames(*(np.zeros(64, dtype=np.int64) for _ in range(9)))
        self.history = np.zeros(16, dtype=np.int64)
        self.killers = np.full(64, -1, dtype=np.int32)
        self.made: list[int] = []
        self.pressed: set[int] = set()
        self.fault: int | None = None
        modules = table_module, alpha_beta_module, proof_numbers_module
        self.loops = plain(*modules, make=self._make)

    def _put(self, i: int, position: int, move: int) -> None:
        nodes, own = self.nodes, self.leads[position]
        nodes.rows[i] = nodes.packed[i] = position
        # Keys begin with what tells them apart.
        nodes.keys[i] = (position * 0x9E3779B97F4A7C15) % (1 << 64)
        nodes.mover[i] = self.mover[position] if own else OVER
        nodes.goals[i] = self.scores[position]
        nodes.pressed[i] = position in self.pressed
        nodes.degree[i], nodes.move[i] = len(own), move

    def _make(self, rules, running, nodes, node, top) -> int:
        position = int(nodes.rows[node, 0])
        self.made.append(position)
        own = self.leads[position]
        if top + len(own) > SIZE:
            return -1
        for move, after in enumerate(own):
            if after == self.fault:
                return -2 - (top + move)
            self._put(top + move, after, move)
        return top + len(own)

    def begin(self, position: int, question: int) -> None:
        self._put(0, position, 0)
        self.made.clear()
        frames = self.frames
        frames.at[:] = 0
        frames.at[QUESTION], frames.at[ROOM] = question, 1 << 40
        frames.node[0], frames.start[0] = 0, 1
        frames.proof[0] = frames.disproof[0] = INFINITE

    def ask(
        self,
        score: int,
        depth: int = 40,
        most: int = 10**6,
        by_numbers: bool = False,
        piece: int = 10**9,
    ) -> int:
        common = self.rules, None, self.nodes, self.table, self.frames
        self.frames.at[SPENT] = 0
        if by_numbers:
            return self.loops.proof_numbers(*common, score, self.top, most, piece)
        history = self.history, self.killers
        return self.loops.alpha_beta(*common, *history, score, self.top, depth, most, piece)


def worth(leads, mover, scores, position: int) -> int:
    found = [worth(leads, mover, scores, after) for after in leads[position]]
    return (min if mover[position] == 1 else max)(found) if found else scores[position]


def random_tree(seed: int):
    """Every position leads to smaller ones; the last is the first of play."""
    rng = random.Random(seed)
    leads = [[], [], []]
    for i in range(3, 16):
        leads.append(rng.sample(range(max(0, i - 7), i), rng.randint(1, 3)))
    scores = [rng.randint(0, 2) for _ in leads]
    mover = [rng.choice([0, 1, FORCED]) if len(own) == 1 else rng.randint(0, 1) for own in leads]
    return leads, mover, scores


@pytest.mark.parametrize("entries", [4, 64])
@pytest.mark.parametrize("by_numbers", [False, True])
@pytest.mark.parametrize("most", [10**6, 1])
def test_both_searches_answer_as_minimax_does(by_numbers, entries, most) -> None:
    """However small the table is, and however often a search is left and gone on with."""
    for seed in range(25):
        leads, mover, scores = random_tree(seed)
        right = worth(leads, mover, scores, len(leads) - 1)
        search = Search(leads, mover, scores, 2, entries)
        for question, score in enumerate((1, 2), 1):
            search.begin(len(leads) - 1, question)
            if search.loops.known(search.rules, search.nodes, search.table, score, 0) != CUT:
                continue
            answer, allowed = PAUSED, most
            while answer == PAUSED:
                answer = search.ask(score, 40, allowed, by_numbers)
                allowed += most
            assert answer == (YES if right >= score else NO), (seed, score)
            known = search.loops.known(search.rules, search.nodes, search.table, score, 0)
            assert known == answer or entries == 4


@pytest.mark.parametrize("by_numbers", [False, True])
@pytest.mark.parametrize("mover", [0, 1])
def test_who_has_to_answer_a_threat_is_looked_at_first(by_numbers, mover) -> None:
    """Of two positions with many moves; whatever is said of threats, the answer is the same."""
    leads = [[], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0], [1, 2, 3]]
    for pressed, first in (((), 3), ((1,), 1), ((2,), 2), ((1, 2, 3), 1)):
        search = Search(leads, [mover, *[1 - mover] * 3, mover], [mover] * 5)
        search.pressed |= set(pressed)
        search.begin(4, 1)
        assert search.ask(1, by_numbers=by_numbers) == (YES if mover else NO)
        assert search.made[:2] == [4, first]


CHAIN = [[], [0], [1], [2], [3]]
"""Position n is n moves from the end."""


@pytest.mark.parametrize("start", [1, 2, 3, 4])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_a_search_to_a_depth_is_open_beyond_it(start, depth) -> None:
    """After so many moves ends are seen."""
    search = Search(CHAIN, [0, 1, 0, 1, 0], [1] * 5)
    search.begin(start, 1)
    assert search.ask(1, depth) == (YES if start <= depth else CUT)
    assert search.frames.at[COUNT] == len(search.made) == min(start, depth)
    assert search.made == [start - i for i in range(min(start, depth))]
    assert search.frames.at[MADE] == min(start, depth)


def test_what_was_open_at_a_depth_is_not_searched_again_to_it() -> None:
    search = Search(CHAIN, [0, 1, 0, 1, 0], [1] * 5)
    for depth, made in ((2, [4, 3]), (2, [4]), (3, [4, 3, 2]), (3, [4]), (4, [4, 3, 2, 1])):
        search.begin(4, 1)
        assert search.ask(1, depth) == (YES if depth == 4 else CUT)
        assert search.made == made
    # Of another question it is.
    search = Search(CHAIN, [0, 1, 0, 1, 0], [1] * 5)
    for question in (1, 2):
        search.begin(4, question)
        assert search.ask(1, 2) == CUT
        assert search.made == [4, 3]


@pytest.mark.parametrize("by_numbers", [False, True])
def test_a_search_goes_on_where_it_was_left(by_numbers) -> None:
    leads, mover, scores = random_tree(3)
    whole = Search(leads, mover, scores, 2)
    whole.begin(15, 1)
    answer = whole.ask(1, by_numbers=by_numbers)
    steps = Search(leads, mover, scores, 2)
    steps.begin(15, 1)
    for most in itertools.count():
        found = steps.ask(1, 40, most, by_numbers)
        assert steps.frames.at[COUNT] == len(steps.made) <= max(most, 0)
        if found != PAUSED:
            break
        assert len(steps.made) == most
    assert (found, steps.made) == (answer, whole.made)
    assert steps.frames.at[MADE] == sum(len(leads[p]) for p in whole.made)


@pytest.mark.parametrize("by_numbers", [False, True])
def test_a_fault_is_told_with_its_place(by_numbers) -> None:
    search = Search(CHAIN, [0, 1, 0, 1, 0], [1] * 5)
    search.begin(4, 1)
    search.fault = 2
    assert search.ask(1, by_numbers=by_numbers) == FAULT
    assert search.frames.at[PLACE] == 2  # 4 is at place 0, 3 at 1


@pytest.mark.parametrize(
    ("length", "by_numbers", "found"),
    [
        (4, False, FULL),
        (5, False, YES),
        (6, False, YES),
        (4, True, FULL),
        (5, True, FULL),
        (6, True, YES),
        (7, True, YES),
    ],
)
def test_lines_of_play_have_an_end(length, by_numbers, found) -> None:
    """Four moves are five positions. Proof-number search wants room for what follows an end."""
    search = Search(CHAIN, [0, 1, 0, 1, 0], [1] * 5)
    names = Frames._fields[1:]
    short = {name: getattr(search.frames, name)[:length].copy() for name in names}
    search.frames = search.frames._replace(**short)
    search.begin(4, 1)
    assert search.ask(1, by_numbers=by_numbers) == found
    if found == FULL:
        assert search.frames.at[PLACE] == length - 2 if not by_numbers else length - 3


def test_children_are_sorted_by_what_they_cost() -> None:
    for costs in itertools.permutations([3, 1, 2, 1]):
        search = Search([[]], [0], [0])
        search.nodes.cost[10:14] = costs
        search.nodes.order[20:24] = [10, 11, 12, 13]
        search.loops.sort_children(search.nodes, 20, 4)
        order = search.nodes.order[20:24].tolist()
        # Of equal ones the first stays first.
        assert order == sorted(range(10, 14), key=lambda i: (costs[i - 10], i))


@pytest.mark.parametrize(
    ("mover", "degree", "known", "found"),
    [
        (0, 3, None, (1, 3)),  # the first player needs one of three
        (1, 3, None, (3, 1)),
        (OVER, 0, 1, (0, INFINITE)),
        (OVER, 0, 0, (INFINITE, 0)),
    ],
)
def test_the_first_proof_numbers_of_a_position(mover, degree, known, found) -> None:
    search = Search([[0] * degree], [mover], [known or 0])
    search._put(0, 0, 0)
    search.nodes.order[0] = -1
    numbers = np.zeros(2, dtype=np.int64)
    search.loops.numbers(search.rules, search.nodes, search.table, 1, 0, 1, numbers)
    assert tuple(numbers.tolist()) == found


def fan(*degrees: int, mover: int = 1):
    """A tree: of the root (position 1) each child has so many moves, all to the end (0)."""
    leads = [[], [2 + i for i in range(len(degrees))], *([0] * degree for degree in degrees)]
    return leads, [0, 1 - mover, *[mover] * len(degrees)]


@pytest.mark.parametrize(
    ("degrees", "history", "killer", "second"),
    [
        ((3, 1, 2), {}, -1, 3),
        ((1, 3, 2), {}, -1, 2),
        ((3, 2, 1), {}, -1, 4),
        ((2, 2, 2), {}, -1, 2),
        # A move of so many cuts that the number has 3, 2, 4 digits.
        ((3, 1, 2), {0: 7}, -1, 2),
        ((3, 1, 2), {0: 3}, -1, 3),
        ((4, 1, 4), {0: 8}, -1, 2),
        ((4, 1, 4), {0: 7}, -1, 3),
        ((2, 1, 3), {0: 1, 1: 1, 2: 2}, -1, 3),
        # The move that cut last time, as far as three moves.
        ((3, 1, 2), {}, 0, 2),
        ((5, 1, 5), {}, 0, 3),
        ((9, 1, 3), {}, 2, 4),
    ],
)
def test_alpha_beta_looks_first_where_few_moves_are_and_where_others_cut(
    degrees, history, killer, second
) -> None:
    leads, mover = fan(*degrees)
    search = Search(leads, mover, [1] * len(leads))
    for move, count in history.items():
        search.history[move] = count
    search.killers[0] = killer
    search.begin(1, 1)
    assert search.ask(1) == YES
    assert search.made == [1, second]
    assert search.killers[0] == second - 2
    assert search.history[second - 2] == history.get(second - 2, 0) + 1


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize(
    ("degrees", "second"), [((3, 1, 2), 3), ((1, 3, 2), 2), ((3, 2, 1), 4), ((4, 2, 2), 3)]
)
def test_proof_numbers_look_first_where_least_is_to_be_proved(degrees, second, mover) -> None:
    """Of the first player what they win by all moves of the other, of the other likewise."""
    leads, movers = fan(*degrees, mover=mover)
    search = Search(leads, movers, [mover] * len(leads))
    search.begin(1, 1)
    assert search.ask(1, by_numbers=True) == (YES if mover else NO)
    assert search.made == [1, second]


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize(
    ("other", "own", "stays"),
    [(2, 2, True), (2, 3, False), (4, 5, True), (4, 6, False), (8, 10, True), (8, 11, False)],
)
def test_a_child_is_left_when_another_is_easier_by_more_than_a_quarter(
    other, own, stays, mover
) -> None:
    """The root (1) leads to 2 (one move, to 3, and on to 5) and to 4; 5 has `own` moves, 4 has
    `other`."""
    leads = [[], [2, 4], [3], [5], [0] * other, [0] * own]
    search = Search(leads, [0, 1 - mover, mover, 1 - mover, mover, mover], [mover] * 6)
    search.begin(1, 1)
    search.ask(1, by_numbers=True)
    assert search.made[:4] == [1, 2, 3, 5 if stays else 4]


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize(
    ("degrees", "greatest"), [((5, 4, 5), 7), ((2, 8, 3), 10), ((6, 6), 7), ((9,), 9)]
)
def test_of_all_moves_the_hardest_counts_and_one_for_each_other(degrees, greatest, mover) -> None:
    """The root (1) leads to 2, of which each child has so many moves, and to 3, with 4 moves."""
    leads = [[], [2, 3], [4 + i for i in range(len(degrees))], [0] * 4]
    leads += [[0] * degree for degree in degrees]
    movers = [0, 1 - mover, mover, mover, *[mover] * len(degrees)]
    search = Search(leads, movers, [mover] * len(leads))
    search.begin(1, 1)
    assert search.ask(1, most=2, by_numbers=True) == PAUSED
    search.ask(1, most=3, by_numbers=True)
    assert search.made[:3] == [1, 2, 3]
    search._put(100, 2, 0)
    search.nodes.order[100] = -1
    numbers = np.zeros(2, dtype=np.int64)
    search.loops.numbers(search.rules, search.nodes, search.table, 1, 100, 1, numbers)
    assert tuple(numbers.tolist()) == ((greatest, 1) if mover else (1, greatest))
    # Of another question they say nothing, but what was there before it was lost does.
    search.loops.numbers(search.rules, search.nodes, search.table, 1, 100, 2, numbers)
    count = len(degrees)
    assert tuple(numbers.tolist()) == ((count, 1) if mover else (1, count))
    search.nodes.order[100], search.nodes.cost[100] = 8, 9
    search.loops.numbers(search.rules, search.nodes, search.table, 1, 100, 2, numbers)
    assert numbers.tolist() == [8, 9]


@pytest.mark.parametrize(
    ("degrees", "score", "below"), [((1, 1, 1), 0, 3), ((1, 2, 3), 1, 1), ((2,) * 7, 0, 7)]
)
def test_the_table_keeps_how_many_positions_an_answer_took(degrees, score, below) -> None:
    """As a number of digits; proof-number search counts the position itself, too."""
    leads, mover = fan(*degrees)
    for by_numbers in (False, True):
        search = Search(leads, mover, [score] * len(leads))
        search.begin(1, 1)
        assert search.ask(1, by_numbers=by_numbers) == (YES if score else NO)
        assert len(search.made) == below + 1
        slot = search.loops.slot_of(search.table, search.nodes.keys, 0)
        assert search.table.work[slot] == (below + by_numbers).bit_length()


@pytest.mark.parametrize("depth", [2, 3])
def test_a_child_that_two_moves_lead_to_is_searched_once(depth) -> None:
    """Open or answered: position 4 leads to 3 by both of its moves, 3 to 2 likewise."""
    search = Search([[], [0], [1], [2, 2], [3, 3]], [1, 1, 0, 0, 0], [0] * 5)
    search.begin(4, 1)
    assert search.ask(1, depth) == CUT
    assert search.made == [4, 3, 2][:depth]
    search.begin(4, 2)
    assert search.ask(1, 4) == NO
    assert search.made == [4, 3, 2, 1]


@pytest.mark.parametrize("seed", range(4))
def test_the_table_says_what_was_entered(seed) -> None:
    """Of six positions with room for all: bounds that only get closer, and the most work."""
    rng = random.Random(seed)
    worth = [rng.randint(0, 5) for _ in range(6)]
    search = Search([[0]] * 6, [0] * 6, [0] * 6, top=5)
    loops, table = search.loops, search.table
    for position in range(6):
        search._put(position, position, 0)
    low, high, work = [0] * 6, [5] * 6, [0] * 6
    for _ in range(60):
        i, score = rng.randrange(6), rng.randint(1, 5)
        for at in range(6):
            for asked in range(1, 6):
                wanted = YES if asked <= low[at] else NO if asked > high[at] else CUT
                assert loops.known(search.rules, search.nodes, table, asked, at) == wanted
        took = rng.randint(1, 300)
        answer = YES if worth[i] >= score else NO
        loops.note(search.nodes, table, i, score, 5, answer, took)
        low[i] = max(low[i], score) if answer == YES else low[i]
        high[i] = min(high[i], score - 1) if answer == NO else high[i]
        work[i] = max(work[i], took.bit_length())
        slot = loops.slot_of(table, search.nodes.keys, i)
        assert (table.low[slot], table.high[slot]) == (low[i], high[i])
        assert table.work[slot] == work[i]
    # Ends need no table.
    search.nodes.mover[0], search.nodes.goals[0, 0] = OVER, 3
    found = [loops.known(search.rules, search.nodes, table, score, 0) for score in range(1, 6)]
    assert found == [YES, YES, YES, NO, NO]


def test_a_new_position_takes_the_place_of_that_with_the_least_work() -> None:
    """Of as many places as begin alike: in a table of just so many."""
    search = Search([[0]] * 12, [0] * 12, [0] * 12, entries=WAYS)
    loops, table, nodes = search.loops, search.table, search.nodes
    for position in range(WAYS + 1):
        search._put(position, position, 0)
    for position in range(WAYS):
        assert loops.slot_of(table, nodes.keys, position) == -1
        loops.note(nodes, table, position, 1, 1, YES, 1 << (10 - abs(position - 2)))
        assert loops.slot_of(table, nodes.keys, position) >= 0
    slots = [loops.slot_of(table, nodes.keys, position) for position in range(WAYS)]
    assert sorted(slots) == [*range(WAYS)]
    least = min(range(WAYS), key=lambda position: table.work[slots[position]])
    loops.note(nodes, table, WAYS, 1, 1, NO, 1)
    assert loops.slot_of(table, nodes.keys, WAYS) == slots[least]
    assert loops.slot_of(table, nodes.keys, least) == -1
    assert loops.known(search.rules, nodes, table, 1, WAYS) == NO
    assert loops.known(search.rules, nodes, table, 1, least) == CUT
    assert all(
        loops.known(search.rules, nodes, table, 1, position) == YES
        for position in range(WAYS)
        if position != least
    )
    # The one that was there was of another question; what is new has not been asked about.
    assert table.asked[slots[least]] == 0


@pytest.mark.parametrize(("work", "size"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (255, 8)])
def test_the_digits_of_work(work, size) -> None:
    assert Search([[]], [0], [0]).loops.size_of(work) == size


def test_numbers_are_kept_at_every_place_of_the_table() -> None:
    """The first one as well; of another question they say nothing."""
    search = Search([[0] * 3] * WAYS, [0] * WAYS, [0] * WAYS, entries=WAYS)
    loops, table, nodes = search.loops, search.table, search.nodes
    numbers, slots = np.zeros(2, dtype=np.int64), []
    for position in range(WAYS):
        search._put(position, position, 0)
        nodes.order[position] = -1
        slot = loops.place_for(table, nodes.keys, position, 1)
        table.proof[slot], table.disproof[slot], table.asked[slot] = 5 + slot, 9 + slot, 1
        # Work that was put in keeps the place from the next position.
        table.work[slot] = 2
        slots.append(slot)
    assert sorted(slots) == [*range(WAYS)]
    for position, slot in enumerate(slots):
        for question, found in ((1, [5 + slot, 9 + slot]), (2, [1, 3])):
            loops.numbers(search.rules, nodes, table, 1, position, question, numbers)
            assert numbers.tolist() == found


def compared(traits, masks) -> tuple[Nodes, CircuitRules]:
    """Children with these keys, of which the place is written in all else."""
    count, words = traits.shape
    place = np.arange(count)
    nodes = Nodes(
        place.astype(np.uint64).reshape(-1, 1), place.astype(np.uint64).reshape(-1, 1),
        traits.copy(), place.astype(np.int16), place.astype(np.int16).reshape(-1, 1),
        place.astype(np.uint8), place.copy(), place.astype(np.int32), place.copy(),
        place.copy(),
    )  # fmt: skip
    none, rows = np.zeros(0, dtype=np.int64), np.zeros((0, words), dtype=np.uint64)
    code, won = np.zeros(1, dtype=np.uint8), np.zeros(0, dtype=np.int16)
    rules = CircuitRules(
        rows, 0, 0, 0, 0, none, none, none, 0, 0, code, none, rows, masks, won, 5, 3
    )
    return nodes, rules


def is_better(one, other, masks) -> bool:
    """By definition, bit by bit: equal, no more in the other, no fewer in the other."""
    equal, more, fewer = ((int(a), int(b), m) for m in masks for a, b in [(one, other)])
    return (
        (equal[0] ^ equal[1]) & equal[2] == 0
        and more[1] & ~more[0] & more[2] == 0
        and fewer[0] & ~fewer[1] & fewer[2] == 0
    )


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_children_are_left_out_than_which_others_are_as_good(seed, is_first) -> None:
    """What is left: of each class the first one, of those classes that no other is better than."""
    rng = random.Random(seed)
    words = rng.choice([1, 1, 2])
    bits = [(w, b) for w in range(words) for b in rng.sample(range(64), 4)]
    count = rng.randint(1, 12)
    traits = np.zeros((count, words), dtype=np.uint64)
    masks = np.zeros((3, words), dtype=np.uint64)
    for w, b in bits:
        masks[rng.randrange(3), w] |= np.uint64(1 << b)
        for i in range(count):
            if rng.random() < 0.5:
                traits[i, w] |= np.uint64(1 << b)
    whole = [sum(int(x) << 64 * w for w, x in enumerate(row)) for row in (*traits, *masks)]
    keys, wide = whole[:count], whole[count:]

    def beats(i: int, j: int) -> bool:
        a, b = (i, j) if is_first else (j, i)
        return is_better(keys[a], keys[b], wide)

    expected = [
        i
        for i in range(count)
        if not any(beats(j, i) and (j < i or not beats(i, j)) for j in range(count) if j != i)
    ]
    nodes, rules = compared(traits, masks)
    loops = plain(making_module)
    left = loops.leave_out(rules, nodes, 0, count, is_first)
    assert nodes.move[:left].tolist() == expected
    for column in (nodes.rows, nodes.packed, nodes.goals):
        assert column[:left, 0].tolist() == expected
    for row in (nodes.mover, nodes.degree, nodes.pressed):
        assert row[:left].tolist() == expected
    assert (nodes.keys[:left] == traits[expected]).all()


def test_children_before_those_that_are_compared_stay() -> None:
    masks = np.array([[0], [3], [0]], dtype=np.uint64)
    traits = np.array([[1], [1], [3], [1], [2]], dtype=np.uint64)
    nodes, rules = compared(traits, masks)
    assert plain(making_module).leave_out(rules, nodes, 1, 5, True) == 2
    assert nodes.move[:2].tolist() == [0, 2]


@pytest.mark.parametrize("by_numbers", [False, True])
def test_a_search_is_left_when_a_piece_of_work_is_done_and_gone_on_with(by_numbers) -> None:
    """A binary tree of 15 positions, won by the first player at one of its 8 ends."""
    leads = {n: [2 * n, 2 * n + 1] for n in range(1, 8)} | {n: [] for n in range(8, 16)}
    mover = {n: n.bit_length() % 2 ^ 1 for n in range(1, 16)}
    scores = {n: int(n in (9, 10, 11)) for n in range(1, 16)}
    whole = Search(leads, mover, scores)
    whole.begin(1, 1)
    answer = whole.ask(1, by_numbers=by_numbers)
    assert answer in (YES, NO)
    parts = Search(leads, mover, scores)
    parts.begin(1, 1)
    pieces = 0
    # A position with two children costs a pass, and each of them.
    while (found := parts.ask(1, by_numbers=by_numbers, piece=3)) == PAUSED:
        assert parts.frames.at[SPENT] == 3
        pieces += 1
    assert found == answer
    assert parts.made == whole.made
    assert pieces == len(whole.made) - 1


@pytest.mark.parametrize(
    ("children", "traits", "cost"),
    [(0, 0, 0), (1, 0, 8), (64, 0, 197), (65, 0, 205), (64, 1, 261), (64, 2, 325), (1000, 2, 3080)],
)
def test_the_work_of_children_is_that_of_passes_and_comparisons(children, traits, cost) -> None:
    """5 for up to 64, 3 for each, and a 64th of a word for each two that are compared: of up to
    512."""
    masks = np.zeros((3 if traits else 0, max(1, traits)), dtype=np.uint64)
    nodes, rules = compared(np.zeros((1, max(1, traits)), dtype=np.uint64), masks)
    nodes.degree[0] = children
    assert plain(making_module).cost_of(rules, nodes, 0) == cost
