"""Octal codes of rows of tokens, written in several ways."""

from __future__ import annotations

import pytest

import ggp
from tests.conftest import GAMES


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


def test_games_on_a_square_have_none() -> None:
    findings = ggp.load(GAMES / "clobber" / "clobber.kif.jinja", rows=1, columns=5).analyse()
    assert "octal_code" not in findings
