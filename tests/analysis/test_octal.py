"""Octal codes of rows of tokens, written in several ways."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import octal
from ggp.limits import Budget
from tests.conftest import GAMES, nightly


def row(size: int, legal: str, effect: str) -> str:
    """A row of tokens; `legal` and `effect` say where (hit ?x) may be and what it takes."""
    chain = " ".join(f"(s {n} {n + 1})" for n in range(1, size))
    tokens = " ".join(f"(init (on {n}))" for n in range(1, size + 1))
    return f"""(role p) (role q) (init (control p)) {chain} {tokens}
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal ?r (hit ?x)) (true (control ?r)) (may ?x)) {legal} {effect}
        (<= (legal p noop) (true (control q))) (<= (legal q noop) (true (control p)))
        (<= (next (on ?x)) (true (on ?x)) (not (gone ?x)))
        (<= some (may ?x)) (<= terminal (not some))
        (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""


ONE = "(<= (gone ?x) (does ?r (hit ?x)))"
NEXT = "(<= (gone ?y) (does ?r (hit ?x)) (s ?x ?y))"
BEFORE = "(<= (gone ?y) (does ?r (hit ?x)) (s ?y ?x))"


@pytest.mark.parametrize(
    ("legal", "effect", "code"),
    [
        # Two neighbours go.
        ("(<= (may ?x) (true (on ?x)) (s ?x ?y) (true (on ?y)))", ONE + NEXT, "0.07"),
        # One and what stands next to it: Dawson's Chess.
        ("(<= (may ?x) (true (on ?x)))", ONE + NEXT + BEFORE, "0.137"),
        # One, where it leaves a run beside it: she-loves-me-she-loves-me-not and the like.
        ("(<= (may ?x) (true (on ?x)))", ONE, "0.7"),
        # Only the first of all tokens: no code, the runs are not alike.
        ("(<= (may 1) (true (on 1)))", ONE, None),
    ],
)
def test_codes(legal, effect, code) -> None:
    findings = ggp.parse(row(7, legal, effect)).analyse()
    assert (findings.value("octal_code") if "octal_code" in findings else None) == code


def test_kayles() -> None:
    for n in (5, 9):
        findings = ggp.load(GAMES / "kayles" / "kayles.kif.jinja", n=n).analyse()
        assert findings.value("octal_code") == "0.77"
        assert "Kayles" in findings["octal_code"].evidence.why


def of_code(code: list[int], size: int, extra: str = "") -> str:
    """The game of an octal code (digits from that of 1 on), played with a row of tokens."""
    legal = [
        "(<= (before ?x) (s ?y ?x) (true (on ?y)))",
        "(<= (after ?x) (s ?x ?y) (true (on ?y)))",
    ]
    effect = []
    for count, digit in enumerate(code, 1):
        names = [f"?x{i}" for i in range(count)]
        chain = " ".join(f"(s {a} {b})" for a, b in pairwise(names))
        held = " ".join(f"(true (on {x}))" for x in names)
        first, last = names[0], names[-1]
        here = f"(<= (may (take {count} {first})) {chain} {held}"
        before, after = f"(before {first})", f"(after {last})"
        if digit & 1:
            legal.append(f"{here} (not {before}) (not {after}))")
        if digit & 2:
            legal.append(f"{here} {before} (not {after}))")
            legal.append(f"{here} (not {before}) {after})")
        if digit & 4:
            legal.append(f"{here} {before} {after})")
        for x in names:
            effect.append(
                f"(<= (gone {x}) (does ?r (hit (take {count} {first}))) {chain} (true (on {x})))"
            )
    return row(size, " ".join(legal), " ".join([*effect, extra]))


SPOILED = [
    "(<= (may (take 1 ?x)) (true (on ?x)) (s ?x 3))",
    "(<= (may (take 1 ?x)) (true (on ?x)) (s ?x ?y) (s ?y ?z) (not (true (on ?z))))",
    "(<= (far ?x) (s ?x ?y) (s ?y ?z) (true (on ?z)))"
    "(<= (may (take 1 ?x)) (true (on ?x)) (not (far ?x)))",
    "(<= (may (take 9 ?x)) (true (on ?x)) (s ?x ?y) (s ?y ?z) (true (on ?z)))"
    "(<= (gone ?x) (does ?r (hit (take 9 ?x))))"
    "(<= (gone ?z) (does ?r (hit (take 9 ?x))) (s ?x ?y) (s ?y ?z))",
]
"""Taking one token before the third; or where the next but one is gone (or is none); or two with
one between."""


def by_search(game: ggp.Game) -> list[int] | None:
    context = Positions(game, Budget(game.limits))
    found = (octal._code(context, tokens) for tokens in octal._rows(game.net))
    return next((code for code in found if code), None)


def by_proof(game: ggp.Game) -> list[int] | None:
    proofs = Positions(game, Budget(game.limits)).proofs
    found = (octal.proved_code(proofs, tokens) for tokens in octal._rows(game.net))
    return next((code for code in found if code), None)


@pytest.mark.parametrize("seed", [*range(15), *nightly(range(15, 40))])
def test_codes_are_proved(seed) -> None:
    """Random codes with digits up to that of 3, and games that are spoiled."""
    rng = random.Random(seed)
    code = [rng.randrange(8) for _ in range(rng.randint(1, 3))]
    while not code[-1]:
        code = [rng.randrange(8) for _ in range(rng.randint(1, 3))]
    game = ggp.parse(of_code(code, 8))
    assert by_proof(game) == [0, *code]
    # From a full row some things may never come up that the code allows.
    met = by_search(game) or []
    assert all(seen | digit == digit for seen, digit in zip(met, [0, *code], strict=False))
    spoiled = ggp.parse(of_code(code, 8, SPOILED[seed % len(SPOILED)]))
    is_the_same = code[0] == 7 and seed % len(SPOILED) < 3
    assert by_proof(spoiled) == ([0, *code] if is_the_same else None)


def test_what_lies_farther_away_matters() -> None:
    """One and what stands next to it, unless there is a gap of one and then a token on its right.

    No such gap arises from a full row, so that the code is right of all that does, and of no more.
    """
    legal = """(<= (may ?x) (true (on ?x)) (not (far ?x)))
        (<= (far ?x) (s ?x ?y) (s ?y ?z) (not (true (on ?y))) (true (on ?z)))"""
    game = ggp.parse(row(8, legal, ONE + NEXT + BEFORE))
    assert by_proof(game) is None
    finding = game.analyse()["octal_code"]
    assert (finding.value, finding.certainty) == ("0.137", "exhaustive")


def test_long_rows_are_proved() -> None:
    game = ggp.load(GAMES / "kayles" / "kayles.kif.jinja", n=80)
    finding = game.analyse(positions=1000)["octal_code"]
    assert (finding.value, finding.certainty) == ("0.77", "proved")


def test_games_on_a_square_have_none() -> None:
    findings = ggp.load(GAMES / "clobber" / "clobber.kif.jinja", rows=1, columns=5).analyse()
    assert "octal_code" not in findings
