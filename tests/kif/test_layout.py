"""The canonical layout of sheets, docs/formatting.md: nothing is lost, and once is enough."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp import KifSyntaxError, LimitReached, Limits
from ggp.kif import Atom, Expr, Source, lay_out, read_kif, read_source
from ggp.kif.tokens import tokens
from tests.conftest import GAMES, ROOT, shared

LONG = "x" * 120
CELLS = " ".join(["(true (cell 1 2 blank))"] * 5)


def comments(text: str) -> list[str]:
    """The comments of a text, without what the layout may change of them."""
    found = [token.text for token in tokens(text) if token.kind in ("line", "block")]
    return [re.sub(r"[ \t\f]*(\r\n?|\n)", r"\n", f"{comment}\n") for comment in found]


def forms(text: str) -> list[str]:
    """What the reader finds, each form in one line of text."""
    return [str(expr) for expr in read_kif(Source("t", text))]


def held(text: str) -> str:
    """The layout of a text, after what must hold of every layout has been found to hold."""
    found = ggp.format(text)
    assert ggp.format(found) == found
    assert forms(found) == forms(text)
    assert comments(found) == comments(text)
    assert not re.search(r"[ \t\f]\n|\r|\A\n|\n\n\Z|[^\n]\Z", found)
    return found


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("", ""),
        (" \r\n\f\n", ""),
        ("a(b)( c\td )", "a\n(b)\n(c d)\n"),
        ("(a)\n\n\n\n(b)\n(c)\n\n", "(a)\n\n(b)\n(c)\n"),
        ("(a)\r\n\f\r\n(b)", "(a)\n\n(b)\n"),
        ("(<= a)", "(<= a)\n"),
        ("(<= a b)", "(<= a\n    b)\n"),
        ("(<= a\n\n\n(or b c)\n)", "(<= a\n    (or b c))\n"),
        # What does not fit: connectives one part a line, other lists filled.
        (
            f"(<= a (or {CELLS}))",
            "(<= a\n    (or " + "\n        ".join(["(true (cell 1 2 blank))"] * 5) + "))\n",
        ),
        (
            f"(<= a (not (AND b (p {CELLS}))))",
            "(<= a\n    (not (AND b\n"
            "              (p (true (cell 1 2 blank)) (true (cell 1 2 blank))"
            " (true (cell 1 2 blank))\n"
            "                  (true (cell 1 2 blank)) (true (cell 1 2 blank))))))\n",
        ),
        ("(" + "ab " * 40 + ")", f"({'ab ' * 32}ab\n    {'ab ' * 6}ab)\n"),
        (f"(true {LONG})", f"(true {LONG})\n"),
        (f"(p a {LONG} b)", f"(p a\n    {LONG}\n    b)\n"),
        (f"(p {'x' * 97})", f"(p {'x' * 97})\n"),
        (f"(p q {'x' * 94})", f"(p q {'x' * 94})\n"),
        (f"(p q {'x' * 95})", f"(p q\n    {'x' * 95})\n"),
        (f"((p q {'x' * 92}))", f"((p q {'x' * 92}))\n"),
        (f"((p q {'x' * 93}))", f"((p q\n     {'x' * 93}))\n"),
        # Comments on lines of their own.
        (";;; a  \n\n\n  ; b\n(c)\n;d", ";;; a\n\n; b\n(c)\n;d\n"),
        ("(<= a\n; b\n\n  ; c\nd)", "(<= a\n    ; b\n    ; c\n    d)\n"),
        ("(<= a\n  b\n ; c\n)", "(<= a\n    b\n    ; c\n)\n"),
        ("(p ; a\n;b\n)", "(p  ; a\n    ;b\n)\n"),
        ("#| a\r\n   b \r|# (c)", "#| a\n   b\n|#\n(c)\n"),
        # Comments at the end of a line.
        ("(a);b\n(c) ; d", "(a)  ;b\n(c)  ; d\n"),
        ("a;b\n", "a  ;b\n"),
        ("(a #| b\n c |# ; d\n e)", "(a  #| b\n c |#  ; d\n    e)\n"),
        ("(<= ; a\nb ; c\nd ; e\n)", "(<=  ; a\n    b  ; c\n    d)  ; e\n"),
        ("(p (q ; a\n) ; b\n)", "(p (q)  ; a\n    ; b\n)\n"),
        ("(p (q #|a|#\n) ; b\n)", "(p (q))  #|a|#  ; b\n"),
        ("( ; a\n)", "()  ; a\n"),
        # Comments with code before and behind.
        ("(cell #| row |# 1 #|column|# 2)", "(cell #| row |# 1 #|column|# 2)\n"),
        ("(a) #| b |# (c)", "(a)\n#| b |#\n(c)\n"),
        (f"(p #|a|# {LONG})", f"(p\n    #|a|#\n    {LONG})\n"),
        ("(<= a #|b|# c)", "(<= a\n    #|b|#\n    c)\n"),
        # What looks like a comment, and is none; white space that is none to the reader.
        ("(a#|b c|#)", "(a#|b c|#)\n"),
        ("#||#|#", "#||#\n|#\n"),
        ("a\x0bb\u2028c\x85 \u00a0 \0", "a\x0bb\u2028c\x85\n\u00a0\n\0\n"),
        ("; a\u2028b\x0b \nc", "; a\u2028b\x0b\nc\n"),
    ],
)
def test_layouts(text, layout) -> None:
    assert held(text) == layout


def test_the_example_of_the_documentation() -> None:
    page = (ROOT / "docs" / "formatting.md").read_text(encoding="utf-8")
    before, after = re.findall(r"^```\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert before != after
    assert held(before) == after


RULE = "(<= (p ?x) (or (q ?x) (not (r))) (s))".replace("(", " ( ").replace(")", " ) ").split()


@pytest.mark.parametrize(
    "comment", ["; c\n", "\n; c\n", "#|c|#", "\n#|c|#\n", "#|c\nd|#", "#|c|#\n"]
)
def test_a_comment_may_stand_between_any_two_tokens(comment) -> None:
    for one in range(len(RULE) + 1):
        for other in range(one, len(RULE) + 1):
            held(" ".join([*RULE[:one], comment, *RULE[one:other], comment, *RULE[other:]]))


spaces = st.text(" \t\r\n\f", min_size=1, max_size=3)
words = st.sampled_from(["<=", "or", "NOT", "a", "?x", "a#|b", "|#", "#", LONG]) | st.text(
    st.characters(exclude_characters=" \t\r\n\f();", exclude_categories=["Cs"]), min_size=1
).filter(lambda text: not text.startswith("#|"))
remarks = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])).map(
    lambda text: f";{text}\n"
) | st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: "|#" not in text).map(
    lambda text: f" #|{text}|#"
)
between = st.lists(spaces | spaces | remarks, max_size=3).map("".join)
sheets = st.recursive(
    st.tuples(spaces, words, between).map("".join),
    lambda inner: st.tuples(between, st.lists(inner | inner | between, max_size=6), between).map(
        lambda found: f"{found[0]}({''.join(found[1])}){found[2]}"
    ),
    max_leaves=40,
)


@given(st.lists(sheets | between, max_size=4).map("".join))
def test_any_sheet_keeps_its_meaning_and_its_comments(text) -> None:
    held(text)


def atoms(exprs: list[Expr]) -> Iterator[Atom]:
    for expr in exprs:
        if isinstance(expr, Atom):
            yield expr
        else:
            yield from atoms(list(expr.items))


@given(st.lists(sheets | between | st.text("()#|; \na"), max_size=4).map("".join))
def test_tokens_are_those_of_the_grammar(text) -> None:
    try:
        exprs = read_kif(Source("t", text))
    except KifSyntaxError:
        with pytest.raises(KifSyntaxError):
            ggp.format(text)
        return
    found = [(token.text, token.start) for token in tokens(text) if token.kind == "symbol"]
    assert "".join(token.text for token in tokens(text)) == text
    assert found == [(atom.text, atom.start) for atom in atoms(exprs)]


@pytest.mark.parametrize("sheet", sorted(GAMES.rglob("*.kif")), ids=lambda path: path.stem)
def test_our_sheets(sheet) -> None:
    held(read_source(sheet).text)


def corpus() -> list[str]:
    sheets = sorted(shared("corpus", "games").glob("*.kif"))
    assert len(sheets) == 238
    return [read_source(sheet).text for sheet in sheets]


def test_some_public_sheets() -> None:
    for text in corpus()[::12]:
        held(text)


@pytest.mark.slow
def test_all_public_sheets() -> None:
    for text in corpus():
        found = held(text)
        assert all(len(line.split(";")[0]) <= 101 for line in found.splitlines())


def test_what_cannot_be_read_raises_as_the_reader_does() -> None:
    for text in ("(a", "a)", "a #| b", "(a ; )"):
        with pytest.raises(KifSyntaxError) as caught:
            ggp.format(text)
        with pytest.raises(KifSyntaxError) as other:
            read_kif(Source("<text>", text))
        assert str(caught.value) == str(other.value)


def test_depth_is_a_limit_and_no_recursion_fault() -> None:
    with pytest.raises(LimitReached, match="depth"):
        ggp.format("(" * 3_000 + ")" * 3_000)
    deep = Limits(depth=3_000)
    for part in ("(", "(f ", "(not ", "(or a ", "(f a ; b\n"):
        text = part * 3_000 + "x" + ")" * 3_000
        found = lay_out(Source("t", text), deep)
        assert lay_out(Source("t", found), deep) == found
        assert "".join(found.split()) == "".join(text.split())


def test_deep_or_wide_texts_do_not_blow_up() -> None:
    nested = "(f " * 399 + "a " * 20_000 + ")" * 399
    found = held(nested)
    assert max(len(line) - len(line.lstrip()) for line in found.splitlines()) <= 60
    assert len(held(f"({'n' * 500_000}" + " a" * 50_000 + ")")) < 700_000
    with pytest.raises(LimitReached, match="characters"):
        ggp.format("a " * 1_000_001)
    with pytest.raises(LimitReached, match=r"characters = 6 \(t would have 8\)"):
        lay_out(Source("t", "a;b\nc"), Limits(characters=6))


def test_large_texts() -> None:
    facts = "".join(f"(succ {n} {n + 1})\n" for n in range(20_000))
    assert ggp.format(facts) == facts
    assert held("a" * 1_000_000) == "a" * 1_000_000 + "\n"
    assert held("; " + "a" * 1_000_000) == "; " + "a" * 1_000_000 + "\n"
