"""Rows of tokens bit by bit: runs, what is taken of them, digits, ternary simulation."""

from __future__ import annotations

import itertools
import random
import re
from itertools import pairwise
from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import octal
from ggp.analysis.claims.octal import Take
from ggp.circuits.circuit import Builder
from ggp.ground import Group
from ggp.limits import Budget
from tests.analysis.test_octal import NEXT, ONE, by_proof, by_search, of_code, row
from tests.analysis.test_small_claims_table import row as tokens_of

SIZE = 6


def text_of(word: int) -> str:
    """The first place is at the left."""
    return f"{word:0{SIZE}b}"[::-1]


def word_of(text: str) -> int:
    return int(text[::-1], 2)


def taken_from(text: str, code: list[int]) -> set[str]:
    """All that a code allows, of runs of letters: digit k in binary says how many runs may be
    left where k tokens were taken (Guy and Smith 1956)."""
    found = set()
    for run in re.finditer("1+", text):
        for start, end in itertools.combinations(range(run.start(), run.end() + 1), 2):
            count = end - start
            left = (start > run.start()) + (end < run.end())
            if count < len(code) and code[count] // 2**left % 2:
                found.add(text[:start] + "0" * count + text[end:])
    return found


def test_runs_are_those_of_a_pattern() -> None:
    for word in range(1 << SIZE):
        runs = [(m.start(), len(m.group())) for m in re.finditer("1+", text_of(word))]
        assert list(octal._runs(word)) == runs


def test_what_was_taken_is_one_run_of_what_was_there() -> None:
    for before, after in itertools.product(range(1 << SIZE), repeat=2):
        gone = [n for n in range(SIZE) if text_of(before)[n] > text_of(after)[n]]
        is_new = any(a < b for a, b in zip(text_of(before), text_of(after), strict=True))
        is_run = bool(gone) and gone == list(range(gone[0], gone[-1] + 1))
        wanted = (gone[0], len(gone)) if is_run and not is_new else None
        assert octal._taken(before, after) == wanted


CODES = [
    [0, 7, 7],
    [0, 0, 7],
    [0, 1, 3, 7],
    [0, 3, 3],
    [0, 4],
    [0, 2, 1],
    [0, 0, 0, 5],
    [0, 6, 0, 4],
]


@pytest.mark.parametrize("code", CODES, ids=str)
def test_boards_that_a_code_allows(code) -> None:
    for word in range(1 << SIZE):
        found = [text_of(after) for after in octal._allowed(word, code)]
        assert sorted(found) == sorted(taken_from(text_of(word), code))


def takes_of(code: list[int], size: int) -> set[Take]:
    """All that a code allows of rows of a size: a run beside which tokens are left or not."""
    found = set()
    for start, end in itertools.combinations(range(size + 1), 2):
        for left, right in itertools.product((False, True), repeat=2):
            if (left and start == 0) or (right and end == size) or end - start >= len(code):
                continue
            if code[end - start] // 2 ** (left + right) % 2:
                found.add(Take(start, end - start, left, right))
    return found


@pytest.mark.parametrize("code", CODES, ids=str)
def test_digits_are_those_of_the_code_that_allows_just_this(code) -> None:
    for size in (5, 6):
        taken = takes_of(code, size)
        assert octal._digits(taken, size) == code
        for take in taken:
            # Without one of several of a kind it is no code.
            kind = [
                t
                for t in taken
                if (t.count, t.left + t.right) == (take.count, take.left + take.right)
            ]
            if len(kind) > 1:
                assert octal._digits(taken - {take}, size) is None


@pytest.mark.parametrize("size", [1, 2])
def test_digits_of_short_rows(size) -> None:
    """All of a row may be taken as a run by itself, and it has no neighbours beyond its ends."""
    assert octal._digits({Take(0, size, False, False)}, size) == [0] * size + [1]


@pytest.mark.parametrize("seed", range(30))
def test_simulation_says_what_can_be_case_by_case(seed) -> None:
    """Against the values of a random circuit for all that is not known: nothing that is so is
    missed; and where all is known it says just that."""
    rng = random.Random(seed)
    builder = Builder()
    inputs = builder.inputs(5)
    made = list(inputs)
    for _ in range(8):
        a, b = (x ^ rng.randint(0, 1) for x in rng.sample(made, 2))
        made.append(builder.conj(a, b) if rng.random() < 0.6 else builder.xor(a, b))
    asked = [x ^ rng.randint(0, 1) for x in made] + [0, 1]
    hidden = rng.randint(0, 2)
    cases = 1 << (5 - hidden)
    full = (1 << cases) - 1
    known = {}
    for n, x in enumerate(inputs[hidden:]):
        mask = sum(1 << case for case in range(cases) if case >> n & 1)
        known[x >> 1] = mask, full ^ mask
    found = octal._simulate(builder, asked, known, full)
    assert len(found) == len(asked)

    def value(literal: int, of: dict[int, bool]) -> bool:
        node = literal >> 1
        a, b = builder.first[node], builder.second[node]
        if a == b:
            plain = of.get(node, False)
        elif a < b:
            plain = value(a, of) and value(b, of)
        else:
            plain = value(a, of) != value(b, of)
        return plain != bool(literal & 1)

    for literal, (can, cannot) in zip(asked, found, strict=True):
        assert can | cannot == full
        for case in range(cases):
            of = {x >> 1: bool(case >> n & 1) for n, x in enumerate(inputs[hidden:])}
            met = set()
            for free in itertools.product((False, True), repeat=hidden):
                of.update({x >> 1: v for x, v in zip(inputs, free, strict=False)})
                met.add(value(literal, of))
            told = {v for v, mask in ((True, can), (False, cannot)) if mask >> case & 1}
            assert met == told if not hidden else met <= told


def test_simulation_is_as_sharp_as_three_values_are() -> None:
    """`x` is not known: with what is false it is false, exclusive or with anything it is open."""
    builder = Builder()
    x, y = builder.inputs(2)
    known = {y >> 1: (0b10, 0b01)}
    both, one = builder.conj(x, y), builder.xor(x, y)
    assert octal._simulate(builder, [both, both ^ 1, one, one ^ 1, x, y], known, 0b11) == [
        (0b10, 0b11),
        (0b11, 0b10),
        (0b11, 0b11),
        (0b11, 0b11),
        (0b11, 0b11),
        (0b10, 0b01),
    ]


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ([0, 7, 7], "0.77 (Kayles)"),
        ([0, 0, 7], "0.07 (Dawson's Kayles)"),
        ([0, 1, 3, 7], "0.137 (Dawson's Chess)"),
        ([0, 0, 0, 7], "0.007 (Treblecross)"),
        ([0, 3, 3], "0.33 (taking one or two)"),
        ([0, 7], "0.7"),
        ([0, 4, 0, 1], "0.401"),
    ],
)
def test_codes_have_names(code, named) -> None:
    """Winning Ways, chapter 4."""
    text, why = octal._named(code)
    assert text == named.split()[0]
    assert why == f"what can be taken from each run of a row of tokens is {named}"


@pytest.mark.parametrize(
    ("groups", "changing", "opposite"),
    [
        # Fluents 0 and 1 are tokens, 5 and 6 say that they are gone.
        ([((0, 5), True), ((1, 6), True)], {0, 1, 5, 6}, {0: 5, 1: 6}),
        ([((5, 0), True), ((6, 1), True)], {0, 1, 5, 6}, {0: 5, 1: 6}),
        ([((5, 0), True)], {0, 1, 5}, {0: 5}),
        ([], {0, 1}, {}),
        ([], {0}, {}),
        ([((0, 5), True)], {0, 1, 5, 6}, None),
        # One that is not exact, and one of three, say nothing.
        ([((0, 5), False)], {0, 1}, {}),
        ([((0, 5), False)], {0, 1, 5}, None),
        ([((0, 5, 6), True)], {0, 1, 5, 6}, None),
        # What does not change does not matter, nor do pairs of other fluents.
        ([((7, 8), True)], {0, 1}, {}),
        ([((7, 8), True)], {0, 1, 7, 8}, None),
    ],
)
def test_opposites_of_tokens(groups, changing, opposite) -> None:
    proofs = SimpleNamespace(
        boards=SimpleNamespace(inputs=dict.fromkeys(range(9), 0)),
        parts=SimpleNamespace(may_change=changing.__contains__),
        split=[Group(fluents, exact) for fluents, exact in groups],
    )
    assert octal.opposites(proofs, {0, 1}) == opposite


@pytest.mark.parametrize(
    ("first", "last", "held", "is_row"),
    [
        (1, 3, {1, 2, 3}, True),
        (1, 3, {1, 3}, True),
        (1, 3, {2}, False),
        (1, 3, set(), False),
        (1, 2, {1, 2}, False),
    ],
)
def test_a_row_has_three_places_and_two_tokens_at_first(first, last, held, is_row) -> None:
    text = tokens_of(first, last, 7)
    for n in range(first, last + 1):
        if n not in held:
            text = text.replace(
                f"(init (token {n}))", f"(<= (next (token {n})) (does a (put {n})))"
            )
    game = ggp.parse(text + "(<= (legal a (put ?i)) (true (control b)) (succ ?i ?j))")
    rows = [[str(game.net.fluents[f]) for f in own] for own in octal._rows(game.net)]
    assert ([f"(token {n})" for n in range(first, last + 1)] in rows) == is_row


ANY = "(<= (may ?x) (true (on ?x)))"


def code_of(text: str) -> tuple[object, str] | None:
    finding = octal.octal_code(Positions(ggp.parse(text), Budget()))
    return finding and (finding.value, finding.certainty, finding.evidence.why)


def test_a_code_is_proved_or_else_enumerated(monkeypatch) -> None:
    text = row(5, ANY, ONE)
    own = "what can be taken from each run of a row of tokens is 0.7"
    assert code_of(text) == ("0.7", "proved", f"on every board {own}")
    monkeypatch.setattr(octal, "proved_code", lambda *_: None)
    assert code_of(text) == ("0.7", "exhaustive", own)
    # Subsets of five tokens, with the turn told by how many are gone.
    count = 1 << 5
    for most, is_found in ((count, True), (count - 1, False)):
        monkeypatch.setattr(octal, "MAX_POSITIONS", most)
        assert (code_of(text) is not None) == is_found
    monkeypatch.setattr(octal, "MAX_POSITIONS", count)
    for most, is_found in ((5, True), (4, False)):
        monkeypatch.setattr(octal, "MAX_TOKENS", most)
        assert (code_of(text) is not None) == is_found


@pytest.mark.parametrize(
    ("legal", "effect", "search", "proof"),
    [
        # Both sides of a gap at once: two runs.
        (
            "(<= (may ?x) (true (on ?x)) (s ?y ?x) (s ?x ?z) (true (on ?y)) (true (on ?z)))",
            NEXT + "(<= (gone ?y) (does ?r (hit ?x)) (s ?y ?x))",
            None,
            None,
        ),
        (ANY, ONE, [0, 7], [0, 7]),
        # Of what comes first only.
        ("(<= (may 1) (true (on 1)))", ONE, None, None),
        # With a token that comes back.
        (ANY, ONE + "(<= (next (on ?y)) (does ?r (hit ?x)) (s ?x ?y))", None, None),
    ],
)
def test_what_is_a_code_and_what_is_none(legal, effect, search, proof) -> None:
    game = ggp.parse(row(5, legal, effect))
    assert by_search(game) == search
    assert by_proof(game) == proof


@pytest.mark.parametrize("code", [[7], [0, 7], [7, 7], [1, 3, 7], [3, 3], [2, 2], [3]], ids=str)
def test_search_and_proof_agree_where_all_that_may_be_arises(code) -> None:
    game = ggp.parse(of_code(code, 6))
    assert by_proof(game) == by_search(game) == [0, *code]


def test_both_sides_have_to_have_one_code() -> None:
    """The second player may take two neighbours only."""
    legal = f"{ANY} (<= (two ?x) (true (on ?x)) (s ?x ?y) (true (on ?y)))"
    text = row(5, legal, ONE).replace(
        "(<= (legal ?r (hit ?x)) (true (control ?r)) (may ?x))",
        "(<= (legal p (hit ?x)) (true (control p)) (may ?x))"
        "(<= (legal q (hit ?x)) (true (control q)) (two ?x))"
        "(<= (gone ?y) (does q (hit ?x)) (s ?x ?y))",
    )
    game = ggp.parse(text)
    assert by_proof(game) is None
    same = ggp.parse(text.replace("(true (control q)) (two ?x)", "(true (control q)) (may ?x)")
                     .replace("(<= (gone ?y) (does q (hit ?x)) (s ?x ?y))", ""))  # fmt: skip
    assert by_proof(same) == [0, 7]


@pytest.mark.parametrize(("most", "is_proved"), [(2, True), (1, False)])
def test_a_move_that_reaches_too_far_is_not_looked_at(monkeypatch, most, is_proved) -> None:
    """Two neighbours are two places from the first to the last."""
    monkeypatch.setattr(octal, "MAX_TAKEN", most)
    game = ggp.parse(of_code([0, 7], 6))
    assert (by_proof(game) is not None) == is_proved


def test_tokens_may_be_told_by_what_is_empty() -> None:
    """Of two fluents for a place just one holds: a move is the same, told by either."""
    chain = " ".join(f"(s {a} {b})" for a, b in pairwise(range(1, 7)))
    cells = " ".join(f"(init (cell {n} full))" for n in range(1, 7))
    game = ggp.parse(f"""(role p) (role q) (init (control p)) {chain} {cells}
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal ?r (hit ?x)) (true (control ?r)) (true (cell ?x full)) (s ?x ?y)
            (not (true (cell ?y empty))))
        (<= (legal p noop) (true (control q))) (<= (legal q noop) (true (control p)))
        (<= (gone ?x) (does ?r (hit ?x))) (<= (gone ?y) (does ?r (hit ?x)) (s ?x ?y))
        (<= (next (cell ?x empty)) (gone ?x))
        (<= (next (cell ?x ?c)) (true (cell ?x ?c)) (not (gone ?x)))
        (<= some (true (cell ?x full)) (s ?x ?y) (true (cell ?y full)))
        (<= terminal (not some)) (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))""")
    assert by_proof(game) == [0, 0, 7]
    assert by_search(game) == [0, 0, 7]


def test_nothing_that_can_be_taken_is_no_code() -> None:
    """All digits are 0."""
    assert octal._digits(set(), 4) is None


def test_a_row_of_which_nothing_can_ever_be_taken_has_no_code() -> None:
    """A token goes only where the next one is gone, and all are there; 0. has no digits."""
    legal = "(<= (may ?x) (true (on ?x)) (s ?x ?y) (not (true (on ?y))))"
    game = ggp.parse(row(4, legal, ONE))
    assert list(octal._rows(game.net))
    assert by_search(game) is None
