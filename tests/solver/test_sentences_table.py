"""Sentences about small games, told by hand: what heaps are left at, what answers which move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import gcd
from types import SimpleNamespace
from typing import Any, cast

import pytest

import ggp
from ggp.analysis import Heap
from ggp.errors import LimitReached, NotSolvable
from ggp.kif import read_terms
from ggp.limits import Budget, Limits
from ggp.solver import answering as module
from ggp.solver.answering import Answers
from ggp.solver.heap_words import can_be_left, lost_sizes, lost_text, values_text
from ggp.solver.sentences import Sentence, _of_heaps, _worst
from ggp.solver.sentences import sentences as sentences_of
from ggp.theory import mex
from tests.conftest import GAMES


def term(text: str) -> ggp.Term:
    [found] = read_terms(text, "a term")
    return found


def heap(
    take: Sequence[int], floor: int = 0, size: int = 12, scope: str = "table", name: str = "heap"
) -> Heap:
    """A heap that no more counters than `floor` are left of."""
    sizes = range(floor, size + 1)
    takes = {n: tuple(t for t in take if n - t >= floor) for n in sizes}
    elements = tuple(term(str(n)) for n in range(size + 1))
    return Heap(term(f"({name} ?)"), elements, tuple(range(size + 1)), size, takes, scope)


def table(takes: dict[int, tuple[int, ...]]) -> Heap:
    """A heap that follows no set of amounts."""
    found = Heap(term("(odd ?)"), (), (), max(takes), takes)
    assert found.subtraction_set is None
    return found


def nim_values(take: Sequence[int], floor: int, count: int = 80) -> dict[int, int]:
    values: dict[int, int] = {}
    for n in range(floor, floor + count):
        values[n] = mex(values[n - t] for t in take if n - t >= floor)
    return values


SETS = [
    ([1], 0),
    ([1, 2], 0),
    ([1, 2, 3], 0),
    ([2], 0),
    ([2, 3], 0),
    ([1, 3], 0),
    ([1, 2], 1),
    ([1, 5, 7], 2),
    ([2, 3], 4),
    ([2, 4, 7], 0),
    ([2, 4, 7], 3),
    ([1, 8, 11], 0),
    ([3, 5, 9], 1),
]
"""Amounts, and a floor; {2, 4, 7} has a preperiod (Winning Ways, chapter 4)."""


@pytest.mark.parametrize(("take", "floor"), SETS)
def test_lost_sizes_are_those_without_a_move_to_a_lost_one(take: list[int], floor: int) -> None:
    """Of the sizes that play comes to, which differ by multiples of what divides all amounts."""
    one = heap(take, floor)
    early, late, begin, period = lost_sizes(one)
    assert all(floor <= n < begin for n in early)
    assert all(0 <= n < period for n in late)
    assert late == sorted(late)
    for n, value in nim_values(take, floor).items():
        is_lost = value == 0 and (n - one.size) % gcd(*take) == 0
        assert is_lost == (n in early or (n >= begin and n % period in late))


@pytest.mark.parametrize(("take", "floor"), SETS)
def test_what_is_said_of_nim_values_is_so(take: list[int], floor: int) -> None:
    one = heap(take, floor)
    said, step = values_text(one), gcd(*take)
    for n, value in nim_values(take, floor).items():
        if (n - one.size) % step:
            continue
        if found := re.fullmatch(r"size mod (\d+)", said):
            assert n % int(found[1]) == value
            continue
        since = r"(?: from (\d+) on(?: in steps of (\d+))?)?"
        found = re.fullmatch(r"((?:\d+: \d+, )*)([\d, ]+) again and again" + since, said)
        assert found is not None
        singly = dict(re.findall(r"(\d+): (\d+)", found[1]))
        begin, cycle = int(found[3] or 0), found[2].split(", ")
        assert int(found[4] or 1) == step
        wanted = cycle[(n - begin) // step % len(cycle)] if n >= begin else singly[str(n)]
        assert str(value) == wanted


@pytest.mark.parametrize(
    ("take", "floor", "size", "values", "lost"),
    [
        ([1, 2], 0, 9, "size mod 3", "a size with remainder 0 modulo 3"),
        ([1], 0, 9, "size mod 2", "a size with remainder 0 modulo 2"),
        ([1], 0, 1, "its size", "0"),
        ([1, 2, 3], 0, 3, "its size", "0"),
        (
            [2],
            0,
            8,
            "0, 1 again and again from 0 on in steps of 2",
            "a size with remainder 0 modulo 4",
        ),
        (
            [1, 2],
            1,
            9,
            "0, 1, 2 again and again from 1 on",
            "a size with remainder 1 modulo 3 from 1 on",
        ),
        (
            [2, 4, 7],
            0,
            20,
            "0: 0, 1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 0, 7: 3, 1, 0, 2 again and again from 8 on",
            "0, 1, 6, a size with remainder 0 modulo 3 from 8 on",
        ),
    ],
)
def test_heaps_in_words(take: list[int], floor: int, size: int, values: str, lost: str) -> None:
    one = heap(take, floor, size)
    assert values_text(one) == values
    assert lost_text(one) == lost


ODD: dict[int, tuple[int, ...]] = {0: (), 1: (1,), 3: (2,), 4: (1, 3)}
"""Values 0, 1, 0 (from 3 to 1, of value 1) and 2 (from 4 to 3 and 1)."""


def test_a_heap_without_a_set_is_told_size_by_size() -> None:
    one = table(ODD)
    assert values_text(one) == "by size 0: 0, 1: 1, 3: 0, 4: 2"
    assert lost_text(one) == "0, 3"
    assert lost_sizes(one) == ([0, 3], [], 0, 1)


def of_heaps(*heaps: Heap) -> Sentence:
    game = SimpleNamespace(initial=SimpleNamespace(facts=()))
    [found] = _of_heaps(heaps, cast(Any, game))
    return found


@pytest.mark.parametrize(
    ("heaps", "kind", "text"),
    [
        ([heap([1, 2])], "residues", "Leave (heap ?) at a size with remainder 0 modulo 3."),
        (
            [heap([1, 2], scope="any size")],
            "residues",
            "Leave (heap ?) at a size with remainder 0 modulo 3 (proved for every size).",
        ),
        ([table(ODD)], "residues", "Leave (odd ?) at 0, 3 (of the sizes that play comes to)."),
        (
            [heap([1, 2]), heap([1, 2], name="pile")],
            "nim-sum",
            "Leave heaps whose nim-values have the exclusive or 0: of every heap size mod 3.",
        ),
        (
            [heap([1, 2], scope="any size"), heap([1], scope="any size", name="pile")],
            "nim-sum",
            "Leave heaps whose nim-values have the exclusive or 0: (heap ?): size mod 3; "
            "(pile ?): size mod 2 (proved for every size).",
        ),
        (
            [heap([1, 2], scope="any size"), heap([1], name="pile"), heap([1], name="pile")],
            "nim-sum",
            "Leave heaps whose nim-values have the exclusive or 0: (heap ?): size mod 3; "
            "(pile ?): size mod 2.",
        ),
    ],
)
def test_sentences_about_heaps(heaps: list[Heap], kind: str, text: str) -> None:
    found = of_heaps(*heaps)
    assert (found.kind, found.text, found.certainty) == (kind, text, "proved")
    assert found.as_json() == {
        "kind": kind,
        "text": text,
        "certainty": "proved",
        "positions": 0,
        "first": None,
        "answers": None,
    }


@pytest.mark.parametrize(("take", "floor"), [([1, 2], 0), ([1, 2], 1), ([2, 4, 7], 0), ([2], 3)])
def test_a_sentence_about_one_heap_is_a_condition(take: list[int], floor: int) -> None:
    sympy = pytest.importorskip("sympy")
    one = heap(take, floor)
    condition = of_heaps(one).sympy()
    for n, value in nim_values(take, floor).items():
        if (n - one.size) % gcd(*take) == 0:
            assert condition.subs(sympy.Symbol("n", integer=True), n) == (value == 0)


def test_other_sentences_are_no_conditions() -> None:
    for found in (of_heaps(heap([1]), heap([2])), Sentence("pairing", "", "verified")):
        with pytest.raises(NotSolvable, match=f"kind {found.kind} is no formula"):
            found.sympy()


# Answers to moves


@cache
def claims(lines: str, cells: int = 4) -> ggp.Game:
    """Each claims a free cell by turns; a wins who has all cells of a line, else b."""
    text = [
        "(role a) (role b) (init (control a))",
        *(f"(init (free {n}))" for n in range(1, cells + 1)),
        "(<= (legal ?p (take ?n)) (true (control ?p)) (true (free ?n)))",
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))",
        "(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))",
        "(<= (next (free ?n)) (true (free ?n)) (not (does a (take ?n))) (not (does b (take ?n))))",
        "(<= (next (own ?n)) (does a (take ?n))) (<= (next (own ?n)) (true (own ?n)))",
        "(<= some (true (free ?n))) (<= terminal line) (<= terminal (not some))",
        "(<= (goal a 100) line) (<= (goal a 0) (not line))",
        "(<= (goal b 0) line) (<= (goal b 100) (not line))",
    ]
    for line in lines.split():
        text.append("(<= line " + " ".join(f"(true (own {n}))" for n in line) + ")")
    return ggp.parse("\n".join(text))


def answers_of(game: ggp.Game, player: str, start: ggp.State | None = None) -> Answers:
    solution = game.solve(method="positions")
    state = start or game.initial
    promise, _ = solution.secured(state, player)
    assert promise is not None
    return Answers(solution, player, state, promise, Budget(game.limits))


PAIRS = "12 134"
"""Lines with no symmetry that changes 1 for 2; b answers each of 1 and 2, 3 and 4 by the other."""


def test_partners_are_told() -> None:
    """All positions in which a is to move: the first, four with two cells taken, four ends."""
    game = claims(PAIRS)
    solution = game.solve()
    assert sentences_of(solution, "a") == []
    [found] = sentences_of(solution, "b")
    assert (found.kind, found.certainty, found.positions) == ("pairing", "verified", 9)
    assert found.first is None
    assert found.answers == {
        "(take 1)": "(take 2)",
        "(take 2)": "(take 1)",
        "(take 3)": "(take 4)",
        "(take 4)": "(take 3)",
    }
    assert found.text == (
        "Answer each move with its partner: (take 1) ↔ (take 2), (take 3) ↔ (take 4). "
        "Played against all replies."
    )
    assert found.as_json()["answers"] == found.answers


def matchings(cells: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    if not cells:
        return [[]]
    first, *rest = cells
    return [
        [(first, other), *more]
        for other in rest
        for more in matchings(tuple(n for n in rest if n != other))
    ]


@pytest.mark.parametrize(
    "lines",
    ["12 34", "12 34 56", "123 456 24", "14 25 36", "123 145 246 356", "1234 1256 3456",
     "134 156 235 246", "16 245 345", "26 134 135", "156 246 345", "16 25 134 345", "13 24 156"],
)  # fmt: skip
def test_partners_are_found_where_there_are_any(lines: str) -> None:
    """Cells in pairs are enough where each line has both of a pair, and only there."""
    found = answers_of(claims(lines, 6), "b")
    own = [frozenset(map(int, line)) for line in lines.split()]
    good = [
        pairs
        for pairs in matchings((1, 2, 3, 4, 5, 6))
        if all(any(line.issuperset(pair) for pair in pairs) for line in own)
    ]
    sentence = found.by_pairing() if found._promise else None
    assert (sentence is not None) == bool(good)
    if sentence is not None:
        assert sentence.answers is not None
        told = {tuple(int(m[6:-1]) for m in pair) for pair in sentence.answers.items()}
        assert [pair for pair in sorted(told) if pair[0] < pair[1]] in good
        # Of so many pairs a has the one or the other, after any of them: 3 to the power of 3.
        assert sentence.positions == 27


def test_answers_must_be_legal_and_keep_the_promise() -> None:
    one, two, three, four = (term(f"(take {n})") for n in (1, 2, 3, 4))
    found = answers_of(claims(PAIRS), "b")
    begin = claims(PAIRS).initial
    assert found._holds(begin, {one: two, two: one, three: four, four: three}) == 9
    assert found._holds(begin, {}) == 0
    assert found._holds(begin, {one: two, two: one, three: four}) == 0
    assert found._holds(begin, {one: three, three: one, two: four, four: two}) == 0
    assert found._holds(begin, {one: two, two: one, three: four, four: four}) == 0


def test_the_limits_of_a_search_for_partners_may_be_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two partners are tried. After four moves three replies each, then four times two and one."""
    made = 4 * (1 + 3) + 4 * 2 * (1 + 1)
    for name, most in (("MAX_CHOICES", 2), ("MAX_MADE", made)):
        monkeypatch.setattr(module, name, most)
        sentence = answers_of(claims(PAIRS), "b").by_pairing()
        assert sentence is not None
        assert sentence.positions == 9
        monkeypatch.setattr(module, name, most - 1)
        assert answers_of(claims(PAIRS), "b").by_pairing() is None
        monkeypatch.undo()
    # The last of the four positions is come to when the others were looked at.
    monkeypatch.setattr(module, "MAX_MADE", made - 4)
    assert answers_of(claims(PAIRS), "b")._paired(claims(PAIRS).initial)
    monkeypatch.setattr(module, "MAX_MADE", made - 5)
    with pytest.raises(LimitReached, match="partners tried"):
        answers_of(claims(PAIRS), "b")._paired(claims(PAIRS).initial)


def test_the_limit_of_positions_made_holds_for_answers_that_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moves = [term(f"(take {n})") for n in (1, 2, 3, 4)]
    pairs = dict(zip(moves, [moves[i] for i in (1, 0, 3, 2)], strict=True))
    monkeypatch.setattr(module, "MAX_MADE", 32)
    assert answers_of(claims(PAIRS), "b")._holds(claims(PAIRS).initial, pairs) == 9
    monkeypatch.setattr(module, "MAX_MADE", 31)
    assert answers_of(claims(PAIRS), "b")._holds(claims(PAIRS).initial, pairs) == 0


def test_an_account_that_is_spent_ends_the_search() -> None:
    solution = claims(PAIRS).solve()
    with pytest.raises(LimitReached):
        sentences_of(solution, "b", budget=Budget(Limits(seconds=0)))


def test_of_ends_of_play_and_of_what_is_lost_nothing_is_said() -> None:
    """With 1 and 2 alone a gets one of them, which is no line."""
    game = claims("12 34", 4)
    lost = game.state(["(free 1)", "(free 2)", "(control a)"])
    assert sentences_of(game.solve(starts=[lost]), "a", start=lost) == []
    ended = game.state(["(own 1)", "(own 2)", "(control b)"])
    assert ended.terminal
    for player in "ab":
        assert sentences_of(game.solve(starts=[ended]), player, start=ended) == []


def test_images_are_told() -> None:
    """Two heaps of two; positions in which left is to move: (2, 2), (1, 1), (0, 0)."""
    pytest.importorskip("igraph")
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[2, 2], take=[1, 2])
    solution = game.solve(method="positions")
    assert sentences_of(solution, "left") == []
    [found] = sentences_of(solution, "right")
    assert found.text == (
        "Answer each move with its image: (move 1 0) ↔ (move 2 0), (move 1 1) ↔ (move 2 1). "
        "Played against all replies."
    )
    assert (found.kind, found.positions, found.first) == ("symmetry", 3, None)
    # From (2, 1) left takes one of two first.
    start = game.state(["(heap 1 2)", "(heap 2 1)", "(control left)"])
    [found] = sentences_of(game.solve(starts=[start], method="positions"), "left", start=start)
    assert (found.kind, found.positions, found.first) == ("symmetry", 2, "(move 1 1)")
    assert found.text.startswith("Begin with (move 1 1); then answer each move with its image: ")


@pytest.mark.parametrize(
    ("pins", "first", "count", "more"),
    [
        (3, "(single 2)", 2, ""),
        (7, "(single 4)", 6, ""),
        (8, "(double 4)", 7, " and so on (7 in all)"),
    ],
)
def test_kayles_is_won_from_the_middle(pins: int, first: str, count: int, more: str) -> None:
    pytest.importorskip("igraph")
    solution = ggp.load(GAMES / "kayles" / "kayles.kif.jinja", n=pins).solve()
    found = sentences_of(solution, "left")[-1]
    assert (found.kind, found.first) == ("symmetry", first)
    assert found.answers is not None
    for kind, last in (("single", pins + 1), ("double", pins)):
        for n in range(1, last):
            if f"({kind} {n})" in found.answers:
                assert found.answers[f"({kind} {n})"] == f"({kind} {last - n})"
    assert len(found.answers) == 2 * count
    assert found.text.count("↔") == min(count, 6)
    assert found.text.endswith(f"){more}. Played against all replies.")
    assert sentences_of(solution, "right") == []


OWN = """(role left) (role right) (init (l 2)) (init (r 2)) (init (control left))
(less 0 1) (less 0 2) (less 1 2)
(<= (legal left (lt ?m)) (true (control left)) (true (l ?n)) (less ?m ?n))
(<= (legal right (rt ?m)) (true (control right)) (true (r ?n)) (less ?m ?n))
(<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))
(<= (next (l ?m)) (does left (lt ?m))) (<= (next (r ?m)) (does right (rt ?m)))
(<= (next (l ?m)) (true (l ?m)) (true (control right)))
(<= (next (r ?m)) (true (r ?m)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= terminal (true (control left)) (true (l 0)))
(<= terminal (true (control right)) (true (r 0)))
(<= (goal left 0) (true (control left))) (<= (goal left 100) (true (control right)))
(<= (goal right 0) (true (control right))) (<= (goal right 100) (true (control left)))"""


def test_an_image_may_be_a_move_of_other_names() -> None:
    """Each has a heap of its own: right takes as many as left, of the other one."""
    pytest.importorskip("igraph")
    solution = ggp.parse(OWN).solve(method="positions")
    [found] = sentences_of(solution, "right")
    assert found.answers == {"(lt 0)": "(rt 0)", "(lt 1)": "(rt 1)"}
    assert (found.kind, found.positions) == ("symmetry", 3)
    assert found.text == (
        "Answer each move with its image: (lt 0) → (rt 0), (lt 1) → (rt 1). "
        "Played against all replies."
    )


def test_the_winner_of_heaps_has_a_sentence_about_them() -> None:
    game = ggp.load(GAMES / "subtraction" / "subtraction.kif.jinja", heaps=[4], take=[1, 2])
    solution = game.solve()
    assert sentences_of(solution, "right") == []
    assert [found.kind for found in sentences_of(solution, "left")] == ["residues"]
    assert sentences_of(solution, "left")[0].text.startswith("Leave (heap 1 ?) at a size with")
    lost = game.state(["(heap 1 3)", "(control left)"])
    assert sentences_of(solution, "left", start=lost) == []
    assert sentences_of(solution, "right", start=lost)[0].kind == "residues"
    ended = game.state(["(heap 1 0)", "(control left)"])
    assert [sentences_of(solution, player, start=ended) for player in game.roles] == [[], []]


GOALS = """(role a) (role b) (init s) (<= (legal a x) (true s)) (<= (legal a y) (true s))
(<= (legal b noop) (true s)) (<= (next (t x)) (does a x)) (<= (next (t y)) (does a y))
(<= terminal (not (true s)))
(<= (goal a 10) (true (t x))) (<= (goal a 90) (true (t y)))
(<= (goal b 5) (true (t y))) (<= (goal b 50) (true (t x)))"""


def test_the_least_goal_is_that_of_the_rules() -> None:
    """Which misère play exchanges."""
    game = ggp.parse(GOALS)
    for misere, least in ((False, [10, 5]), (True, [5, 10])):
        solution = game.solve(method="positions", misere=misere)
        assert [_worst(solution, player, game) for player in "ab"] == least


@pytest.mark.parametrize("name", ["three-players/last-match.kif", "puzzles/lights-out-3x3.kif"])
def test_of_other_than_two_players_nothing_is_said(name: str) -> None:
    game = ggp.load(GAMES / name)
    assert sentences_of(game.solve(), game.players[-1]) == []


def test_of_chance_nothing_is_said() -> None:
    text = GOALS.replace("(role b)", "(role b) (role random) (<= (legal random z) (true s))")
    game = ggp.parse(text)
    assert len(game.players) == 2
    assert all(sentences_of(game.solve(), player) == [] for player in "ab")


def walk(lines: str, ends: dict[str, str], start: str = "s") -> ggp.Game:
    """`a s x y` says that a moves from s to x or y; the other role stays at its place."""
    text = [f"(role a) (role b) (init (at {start}))"]
    for line in lines.split(","):
        mover, place, *targets = line.split()
        text.append(f"(<= (legal {'ab'.replace(mover, '')} noop) (true (at {place})))")
        for to in targets:
            text.append(f"(<= (legal {mover} (go {to})) (true (at {place})))")
            text.append(f"(<= (next (at {to})) (true (at {place})) (does {mover} (go {to})))")
    for place, goals in ends.items():
        text.append(f"(<= terminal (true (at {place})))")
        text += [
            f"(<= (goal {r} {g}) (true (at {place})))"
            for r, g in zip("ab", goals.split(), strict=True)
        ]
    return ggp.parse("\n".join(text))


ENDS = {"won": "100 0", "lost": "0 100"}


@pytest.mark.parametrize(
    ("lines", "answers", "positions"),
    [
        # b answers x by ends that b wins; two positions: the first and the last.
        ("a s x y, b x lost won, b y lost won", {"x": "lost", "y": "lost"}, 2),
        ("a s x y, b x lost won, b y lost won", {"x": "lost", "y": "won"}, 0),
        ("a s x y, b x lost won, b y lost won", {"x": "lost", "y": "s"}, 0),
        ("a s x y, b x lost won, b y lost won", {"x": "lost"}, 0),
        # The end that a comes to by a move of their own must be good for b.
        ("a s x lost, b x lost won", {"x": "lost"}, 2),
        ("a s x won, b x lost won", {"x": "lost"}, 0),
        # b gets no say.
        ("a s x y, a x lost won, b y lost won", {"y": "lost"}, 0),
        ("a s x y, b x s2 lost, b s2 lost won, b y lost won", {"x": "s2", "y": "lost"}, 0),
        # Play goes on, and comes to one place by two ways; or goes round for ever.
        ("a s x y, b x t lost, b y t lost, a t z u, b z lost won, b u lost won",
         {"x": "t", "y": "t", "z": "lost", "u": "lost"}, 3),
        ("a s x y, b x t lost, b y lost t, a t z u, b z s won, b u lost won",
         {"x": "t", "y": "lost", "z": "s", "u": "lost"}, 0),
        ("a s x y, b x s lost, b y lost won", {"x": "s", "y": "lost"}, 0),
    ],
)  # fmt: skip
def test_answers_are_played_against_every_move(
    lines: str, answers: dict[str, str], positions: int
) -> None:
    game = walk(lines, ENDS)
    found = Answers(game.solve(method="positions"), "b", game.initial, 100, Budget(game.limits))
    told = {term(f"(go {a})"): term(f"(go {b})") for a, b in answers.items()}
    assert found._holds(game.initial, told) == positions


def test_who_begins_needs_a_first_move_after_which_the_other_moves() -> None:
    """Of the moves that are best: y leads to another move of a, z ends play, t is b's turn."""
    game = walk("a s x y z t, a y z won, b x lost won, b t z won", {**ENDS, "z": "100 0"})
    solution = game.solve(method="positions")
    found = Answers(solution, "a", game.initial, 100, Budget(game.limits))
    assert [str(move) for move, _ in found._beginnings()] == ["(go t)", "(go z)"]
    found = Answers(solution, "b", game.initial, 0, Budget(game.limits))
    assert [(move, str(state)) for move, state in found._beginnings()] == [
        (None, str(game.initial))
    ]


def test_no_more_first_moves_are_tried_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    game = walk("a s t u v, b t won1 won, b u won1 won, b v won1 won", {**ENDS, "won1": "100 0"})
    found = Answers(game.solve(method="positions"), "a", game.initial, 100, Budget(game.limits))
    for most, told in ((1, "t"), (2, "tu"), (3, "tuv"), (12, "tuv")):
        monkeypatch.setattr(module, "MAX_FIRST", most)
        assert [str(m) for m, _ in found._beginnings()] == [f"(go {name})" for name in told]


def test_fewer_lines_are_no_harder_to_answer() -> None:
    """Fewer lines are no harder for b: what answers all of them answers some of them."""
    lines = ["12", "34", "156"]
    for count in (1, 2, 3):
        for chosen in combinations(lines, count):
            sentence = answers_of(claims(" ".join(chosen), 6), "b").by_pairing()
            assert sentence is not None


def test_nobody_is_told_to_leave_what_no_move_leads_to() -> None:
    """Of 9 only 6 may be taken, and who does it loses: whoever does not begin has nothing to do."""
    one = replace(heap([6], 0, 9), takes={3: (), 9: (6,)})
    assert _of_heaps([one], cast(Any, None), misere=True) == []
    assert can_be_left(one)
    assert not can_be_left(one, 1)
