"""Parts of the board side by side: what comes out holds on every board, by brute force over all."""

from __future__ import annotations

import itertools

import pytest

import ggp
from ggp.analysis.boards import boards as boards_module
from ggp.analysis.boards.boards import Boards, Circuits, Frame, Option, Side
from ggp.analysis.boards.parts import (
    BoardPart,
    PartSimulation,
    PartStep,
    always_change,
    falling,
    ranks,
    split,
)
from ggp.analysis.boards.sums import components, pattern
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.errors import LimitReached
from ggp.ground import Group, candidates
from tests.conftest import GAMES

A, B, C, D = range(4)


def circuits(make) -> Circuits:
    """Boards of four fluents; `make` gives the sides from a builder and their literals.

    A side is whether play is over, and moves: whether one is legal, what it does by itself, and
    the number and changes of a frame.
    """
    builder = Builder()
    inputs = builder.inputs(4)
    frames: dict[int, Frame] = {}
    sides = []
    for terminal, moves in make(builder, *inputs):
        options = []
        for i, (rule, own, *frame) in enumerate(moves):
            name, changes = frame[0] if frame else (0, {})
            shared = frames.setdefault(name, Frame(name, changes))
            legal = builder.conj(rule, terminal ^ 1)
            options.append(Option(i, legal, rule, shared, own, FALSE))
        can_move = builder.disj_all(rule for rule, *_ in moves)
        sides.append(Side(terminal, (), tuple(options), can_move))
    return Circuits(None, builder, dict(enumerate(inputs)), tuple(sides))


def holds(boards: Circuits, literal: int, held: tuple[bool, ...]) -> bool:
    first, second = boards.builder.first, boards.builder.second
    known = {0: False} | {x >> 1: held[f] for f, x in boards.inputs.items()}

    def value(x: int) -> bool:
        if x >> 1 not in known:
            a, b = first[x >> 1], second[x >> 1]
            known[x >> 1] = (value(a) and value(b)) if a < b else value(a) != value(b)
        return known[x >> 1] != bool(x & 1)

    return value(literal)


BOARDS = list(itertools.product([False, True], repeat=4))


def shift(builder, a, b, c, d):
    """A token goes from A to B to C."""
    return [(FALSE, [(a, {A: FALSE, B: TRUE}), (b, {B: FALSE, C: TRUE})])]


def ring(builder, a, b, c, d):
    """And back to A, by the other player, unless play is over."""
    return [
        (FALSE, [(a, {A: FALSE, B: TRUE}), (b, {B: FALSE, C: TRUE})]),
        (d, [(c, {C: FALSE, A: TRUE})]),
    ]


def rotate(builder, a, b, c, d):
    """All at once, in a frame; one of two moves keeps C as it is."""
    frame = 1, {A: c, B: a, C: b}
    return [(FALSE, [(TRUE, {}, frame), (d, {C: c}, frame)])]


def drop(builder, a, b, c, d):
    """Of A and B one goes, whichever is there; C by a move of the other, if D holds."""
    return [(FALSE, [(TRUE, {A: FALSE, B: FALSE})]), (FALSE, [(builder.conj(c, d), {C: FALSE})])]


def either(builder, a, b, c, d):
    """Where A goes hangs on D."""
    own = {A: FALSE, B: builder.disj(b, builder.conj(a, d)), C: builder.mux(a, d ^ 1, c)}
    return [(FALSE, [(builder.disj(a, b), own)])]


def doubled(builder, a, b, c, d):
    """B and C come for A."""
    return [(FALSE, [(a, {A: FALSE, B: TRUE, C: TRUE})])]


def lost(builder, a, b, c, d):
    """B comes for A if D holds."""
    return [(FALSE, [(a, {A: FALSE, B: d})])]


def ended(builder, a, b, c, d):
    """Play is over where C holds."""
    return [(c, [(TRUE, {A: b, B: a, C: c}), (builder.xor(a, b), {D: d ^ 1})])]


def framed(builder, a, b, c, d):
    """Two frames, and what a move does by itself in place of them."""
    one, other = (1, {A: FALSE, B: TRUE}), (2, {A: b, B: a, D: FALSE})
    return [(FALSE, [(a, {}, one), (a, {B: b}, one), (b, {C: TRUE}, other), (c, {D: TRUE}, other)])]


MAKES = [shift, ring, rotate, drop, either, doubled, lost, ended, framed]
PARTS = [
    BoardPart((A, B, C), exact=True), BoardPart((A, B, C), exact=False),
    BoardPart((A, B), exact=True), BoardPart((A, B), exact=False),
    BoardPart((B, A), exact=False), BoardPart((D,), exact=False),
    BoardPart((C,), exact=False), BoardPart((A, B, C, D), exact=True),
]  # fmt: skip


def value_of(part: BoardPart, held: tuple[bool, ...]) -> int | None:
    """The value of a part; None where that is none."""
    places = [n for n, f in enumerate(part.fluents) if held[f]]
    if len(places) == 1:
        return places[0]
    return len(part.fluents) if not places and not part.exact else None


@pytest.mark.parametrize(
    ("make", "part"), [*itertools.product(MAKES, PARTS)], ids=lambda x: getattr(x, "__name__", None)
)
def test_steps_cover_what_moves_do_on_all_boards(make, part) -> None:
    """What happens may happen by the steps; what always is legal is; what changes no fluent of a
    part has no step."""
    boards = circuits(make)
    parts = PartSimulation(boards)
    steps = {step.option: step for step in parts.steps(part)}
    for key, option in parts.options:
        step = steps.get(key)
        changes = {**option.frame.changes, **option.own}
        changes = {f: x for f, x in changes.items() if x != boards.inputs[f]}
        assert (step is not None) == (not changes.keys().isdisjoint(part.fluents))
        for held in BOARDS:
            value, legal = value_of(part, held), holds(boards, option.legal, held)
            if value is None or step is None:
                continue
            if legal:
                assert step.legal >> value & 1
            else:
                assert not step.always >> value & 1
                continue
            after = list(held)
            for f, x in changes.items():
                after[f] = holds(boards, x, held)
            then = value_of(part, tuple(after))
            if step.is_one:
                assert then is not None
            if then is not None:
                stays = step.kept >> value & 1 and then == value
                assert stays or any(v >> value & 1 and n == then for v, n in step.pairs)


FULL = 0b111


@pytest.mark.parametrize(
    ("make", "part", "steps"),
    [
        # From A to B and from B to C, with just one of them.
        (shift, PARTS[0], [
            ((0, 0), 0b001, 0b001, 0, [(0b001, 1)], True),
            ((0, 1), 0b010, 0b010, 0, [(0b010, 2)], True),
        ]),
        # No group of A and B: C comes for B; A alone may go or not be there.
        (shift, PARTS[2], [
            ((0, 0), 0b01, 0b01, 0, [(0b01, 1)], True),
            ((0, 1), 0b10, 0b10, 0, [], False),
        ]),
        (shift, PARTS[3], [
            ((0, 0), 0b001, 0b001, 0, [(0b001, 1)], True),
            ((0, 1), 0b010, 0b010, 0, [(0b010, 2)], True),
        ]),
        (shift, PARTS[6], [((0, 1), 0b11, 0, 0, [(0b11, 0)], True)]),
        # The back move is legal unless D holds: nothing of the part makes it so for certain.
        (ring, PARTS[0], [
            ((0, 0), 0b001, 0b001, 0, [(0b001, 1)], True),
            ((0, 1), 0b010, 0b010, 0, [(0b010, 2)], True),
            ((1, 0), 0b100, 0, 0, [(0b100, 0)], True),
        ]),
        # By the second move B comes, and C as well if it was there: three become one.
        (rotate, PARTS[0], [
            ((0, 0), FULL, FULL, 0, [(0b100, 0), (0b001, 1), (0b010, 2)], True),
            ((0, 1), FULL, 0, 0b100, [(0b100, 0), (0b001, 1)], False),
        ]),
        (doubled, PARTS[0], [((0, 0), 0b001, 0b001, 0, [(0b001, 1), (0b001, 2)], False)]),
        (lost, PARTS[2], [((0, 0), 0b01, 0b01, 0, [(0b01, 1)], False)]),
        (lost, PARTS[3], [((0, 0), 0b001, 0b001, 0, [(0b001, 1), (0b001, 2)], True)]),
        # Over with C; D comes where just one of A and B is there, which stays.
        (ended, PARTS[7], [
            ((0, 0), 0b1011, 0b1011, 0b1000, [(0b0010, 0), (0b0001, 1)], True),
            ((0, 1), 0b0011, 0b0011, 0b0011, [(0b0011, 3)], False),
        ]),
        # Where it goes hangs on the rest of the board.
        (either, PARTS[0], [
            ((0, 0), 0b011, 0b011, 0, [(0b011, 1), (0b001, 2)], False),
        ]),
        # C alone is left as it is where another holds.
        (drop, PARTS[1], [
            ((0, 0), 0b1111, 0b1111, 0b0100, [(0b1011, 3)], True),
            ((1, 0), 0b0100, 0, 0, [(0b0100, 3)], True),
        ]),
        (drop, PARTS[0], [
            ((0, 0), 0b111, 0b111, 0b100, [], False),
            ((1, 0), 0b100, 0, 0, [], False),
        ]),
    ],
)  # fmt: skip
def test_steps(make, part, steps) -> None:
    """Bits from the right: the first fluent of a part, the second and so on, then none of them."""
    found = PartSimulation(circuits(make)).steps(part)

    def by_value(pairs):
        return sorted(pairs, key=lambda pair: pair[1])

    listed = sorted(
        (s.option, s.legal, s.always, s.kept, by_value(s.pairs), s.is_one) for s in found
    )
    assert listed == [(*step[:4], by_value(step[4]), step[5]) for step in steps]


def test_no_steps_without_work() -> None:
    parts = PartSimulation(circuits(shift), work=0.0)
    parts.steps(PARTS[0])
    with pytest.raises(LimitReached):
        parts.steps(PARTS[0])


@pytest.mark.parametrize(
    ("make", "changing"),
    [(shift, {A, B, C}), (framed, {A, B, C, D}), (lost, {A, B}), (ended, {A, B, C, D})],
)
def test_fluents_that_some_move_may_change(make, changing) -> None:
    parts = PartSimulation(circuits(make))
    assert {f for f in range(4) if parts.may_change(f)} == changing


def groups(*listed: str) -> list[Group]:
    """`abc`: at most one of these; `ABC`: just one."""
    return [Group(tuple("abcd".index(x) for x in g.lower()), g.isupper()) for g in listed]


@pytest.mark.parametrize(
    ("make", "given", "found"),
    [
        (shift, ["ABC"], ["ABC"]),
        (shift, ["AB"], []),
        (shift, ["ab"], ["ab"]),
        # The larger first, and those of which one holds before others; each fluent once.
        (shift, ["ab", "abc"], ["abc"]),
        (shift, ["abc", "ABC"], ["ABC"]),
        (shift, ["abcd", "ABC"], ["ABC"]),
        # D may hold when C comes.
        (shift, ["AB", "ab", "cd"], ["ab"]),
        (shift, ["d", "ABC"], ["ABC", "d"]),
        (doubled, ["ABC", "abc", "ab"], ["ab"]),
        (doubled, ["bc", "ac", "ab"], ["ab"]),
        (lost, ["AB", "ab"], ["ab"]),
        (drop, ["ABC", "abc"], ["abc"]),
        (rotate, ["ABC"], []),
        (ring, ["ABC", "d"], ["ABC", "d"]),
    ],
)
def test_groups_that_every_move_keeps(make, given, found) -> None:
    proved = split(PartSimulation(circuits(make)), groups(*given))
    assert [Group(part.fluents, part.exact) for part in proved] == groups(*found)
    for part, steps in proved.items():
        assert steps == PartSimulation(circuits(make)).steps(part)


@pytest.mark.parametrize(
    ("make", "given", "roles", "weights"),
    [
        (shift, ["ABC"], {0}, {A: 2, B: 1}),
        # One holds or none: what a token on C weighs is more than none or less.
        (shift, ["abc"], {0}, {A: 2, B: 1}),
        (shift, ["abc"], (), {A: 2, B: 1}),
        # By itself B comes with one move and goes with the other.
        (shift, [], {0}, None),
        (ring, ["ABC"], {0}, None),
        (ring, ["ABC"], (), {}),
        # What comes weighs less than nothing.
        (doubled, ["ab"], {0}, {A: 1, C: -1}),
        (doubled, [], {0}, {A: 1, B: -1, C: -1}),
        (lost, ["ab"], {0}, {A: 1}),
        (drop, ["abc"], {0}, None),
        (drop, ["abc"], {1}, {A: 1, B: 1, C: 1}),
        (drop, [], {1}, {A: 1, B: 1, C: 1}),
        (drop, [], {0, 1}, None),
        (framed, [], {0}, None),
    ],
)
def test_weights_that_fall(make, given, roles, weights) -> None:
    boards = circuits(make)
    parts = PartSimulation(boards)
    known = split(parts, groups(*given))
    found = falling(parts, known, roles)
    assert found == weights
    for held in BOARDS if found is not None else ():
        if any(value_of(part, held) is None for part in known):
            continue
        total = sum(w for f, w in found.items() if held[f])
        for (role, _), option in parts.options:
            if holds(boards, option.legal, held):
                after = list(held)
                for f, x in {**option.frame.changes, **option.own}.items():
                    after[f] = holds(boards, x, held)
                lower = sum(w for f, w in found.items() if after[f])
                assert lower < total if role in roles else lower <= total


@pytest.mark.parametrize(
    ("make", "given", "always"),
    [
        (shift, ["ABC"], True),
        (shift, [], True),
        (ring, ["ABC"], True),
        (doubled, [], True),
        # Of a move that may leave all as it is.
        (drop, ["abc"], False),
        (drop, [], False),
        (rotate, [], False),
        (lost, [], True),
        (lost, ["ab"], True),
    ],
)
def test_moves_that_change_the_board_for_certain(make, given, always) -> None:
    parts = PartSimulation(circuits(make))
    assert always_change(parts, split(parts, groups(*given))) == always


def step(*pairs: tuple[int, int], kept: int = 0, option: tuple[int, int] = (0, 0)) -> PartStep:
    return PartStep(option, 0, 0, kept, pairs, True)


@pytest.mark.parametrize(
    ("exact", "steps", "found"),
    [
        (True, [], [0, 0, 0]),
        (False, [], [0, 0, 0, 0]),
        # The last value is that none holds.
        (False, [step((0b0111, 3))], [1, 1, 1, 0]),
        (False, [step((0b1000, 0), (0b0001, 1))], [1, 0, 0, 2]),
        # Two steps to one value, of one number of bits and another.
        (True, [step((0b010, 0)), step((0b100, 0))], [0, 1, 1]),
        (True, [step((0b110, 0), (0b100, 1))], [0, 1, 2]),
        (True, [step((0b011, 0), (0b001, 1))], [0, 0, 0]),
        (True, [step((0b001, 1), kept=0b110)], [1, 0, 0]),
    ],
)
def test_ranks(exact, steps, found) -> None:
    assert ranks(BoardPart((5, 6, 7), exact), steps) == found


GAME = """(role p) (role q) (init (control p)) (init (on a 1)) (init (on a 2)) (init (on b 1))
    (init (on b 2)) (init still) (<= (next still) (true still))
    (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
    (<= (legal ?r (take ?x ?n)) (true (control ?r)) (true (on ?x ?n)) {condition})
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (gone ?x ?n) (does ?r (take ?x ?n))) {gone}
    (<= (next (on ?x ?n)) (true (on ?x ?n)) (not (gone ?x ?n)))
    (<= open (true (on ?x ?n))) (<= terminal (not open)) (goal p 50) (goal q 50)"""

ALONE = [["a1"], ["a2"], ["b1"], ["b2"]]


@pytest.mark.parametrize(
    ("condition", "gone", "joined", "found"),
    [
        ("", "", [], ALONE),
        ("", "", ["a1 b1"], [["a1", "b1"], ["a2"], ["b2"]]),
        # A move that takes both of a letter; one that asks whether another is there.
        ("", "(<= (gone ?x 2) (does ?r (take ?x 1)))", [], [["a1", "a2"], ["b1", "b2"]]),
        ("(true (on ?x 1))", "", [], [["a1", "a2"], ["b1", "b2"]]),
        ("(true (on a ?n))", "", [], [["a1", "b1"], ["a2", "b2"]]),
        ("(true (on a 1))", "", [], [["a1", "a2", "b1", "b2"]]),
        # What no move changes is in none.
        ("", "", ["a1 still"], ALONE),
    ],
)
def test_components_of_a_board(condition, gone, joined, found) -> None:
    game = ggp.parse(GAME.format(condition=condition, gone=gone))
    net = game.net
    boards = Boards(net, game.marker, 10.0)
    short = {f"{t.args[0]}{t.args[1]}" if len(t.args) == 2 else str(t): i
             for i, t in enumerate(net.fluents)}  # fmt: skip
    names = {i: name for name, i in short.items()}
    listed = [tuple(short[x] for x in own.split()) for own in joined]
    made = [[names[f] for f in own] for own in components(boards, listed)]
    assert sorted(made) == found


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["(on a 1)"], "(on a 1)"),
        (["(on a 1)", "(on a 2)"], "(on a ?)"),
        (["(on a 1)", "(on b 1)"], "(on ? 1)"),
        (["(on a 1)", "(on b 2)"], "(on ? ?)"),
        # Relations in order, by name; one without arguments.
        (["still", "(on a 1)", "(control p)"], "(control p) (on a 1) still"),
        (["(control p)", "(control q)"], "(control ?)"),
        ([], ""),
    ],
)
def test_fluents_as_one_text(texts, found) -> None:
    net = ggp.parse(GAME.format(condition="", gone="")).net
    index = {str(f): i for i, f in enumerate(net.fluents)}
    assert pattern(net, [index[text] for text in texts]) == found


@pytest.mark.parametrize(
    "sheet",
    ["subtraction/sg-125.kif", "tic-tac-toe/tic-tac-toe.kif", "clobber/clobber-4x4.kif"],
)
def test_steps_do_not_hang_on_how_changes_are_kept(sheet: str, monkeypatch) -> None:
    """Fluents that a move leaves alone where others like it change them are left alone."""

    def found(flat: int) -> list[dict[tuple[int, int], tuple[object, ...]]]:
        monkeypatch.setattr(boards_module, "FLAT", flat)
        game = ggp.load(GAMES / sheet)
        boards = Boards(game.net, game.marker, 1e9)
        parts = PartSimulation(boards)
        groups = [g for g in candidates(game.net) if all(f in boards.inputs for f in g.fluents)]
        return [
            {s.option: (s.legal, s.always, s.kept, s.is_one, {*s.pairs}) for s in parts.steps(part)}
            for part in (BoardPart(group.fluents, group.exact) for group in groups)
        ]

    assert found(0) == found(1_000)
