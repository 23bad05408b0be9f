"""Reading KIF: docs/semantics.md 1-8 as far as they are about text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp import KifSyntaxError, LimitReached, Limits
from ggp.kif import Atom, List, Source, Term, read, read_source, read_term, to_term, write
from tests.conftest import GAMES, shared


def exprs(text: str) -> list[str]:
    return [str(expr) for expr in read(Source("t", text))]


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("", []),
        ("a", ["a"]),
        ("(a b)(c)", ["(a b)", "(c)"]),
        ("( a\t( b\r\n?x ) )", ["(a (b ?x))"]),
        ("a ; a comment ( with )\nb", ["a", "b"]),
        ("a #| a block\n( comment |# b", ["a", "b"]),
        ("(<= (p ?x) (q ?x))", ["(<= (p ?x) (q ?x))"]),
        (
            'a.b:-c. #script "x %* :- @f {1} + - > < _',
            list(["a.b:-c.", "#script", '"x', "%*", ":-", "@f", "{1}", "+", "-", ">", "<", "_"]),
        ),
        ("é 日本", ["é", "日本"]),
        ("a\x01b", ["a\x01b"]),
        ("x" * 1000, ["x" * 1000]),
        ("()", ["()"]),
        ("((a) b)", ["((a) b)"]),
    ],
)
def test_forms(text, forms) -> None:
    assert exprs(text) == forms


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ("(a", "t:1:1", "unmatched '('"),
        ("a)", "t:1:2", "unmatched ')'"),
        ("(a\n  (b c)\n))", "t:3:2", "unmatched ')'"),
        ("a\n(b (c)\n(d)", "t:2:1", "line 3"),
        ("a #| b", "t:1:3", "never ends"),
    ],
)
def test_a_syntax_error_names_the_place_and_shows_it(text, place, word) -> None:
    with pytest.raises(KifSyntaxError) as caught:
        read(Source("t", text))
    first, line, caret = str(caught.value).splitlines()
    assert first.startswith(place)
    assert word in first
    assert "expected" in first
    assert line == text.splitlines()[int(place.split(":")[1]) - 1]
    assert caret.index("^") == int(place.split(":")[2]) - 1


def test_deep_nesting_is_a_limit_not_a_recursion_fault() -> None:
    with pytest.raises(LimitReached, match="depth"):
        read(Source("t", "(" * 100_000 + ")" * 100_000))
    with pytest.raises(LimitReached, match="depth"):
        read(Source("t", "(" * 100_000))
    with pytest.raises(LimitReached, match="depth"):
        read(Source("t", "a#| " + "(" * 100_000 + ")" * 100_000 + " |#"))
    with pytest.raises(KifSyntaxError, match="unmatched"):
        read(Source("t", ")" * 100_000))


def test_what_is_as_deep_as_the_limit_is_written() -> None:
    text = "(f " * Limits().depth + "a" + ")" * Limits().depth
    assert str(read_term(text)) == text
    assert write(read(Source("t", text))) == text + "\n"


@pytest.mark.parametrize("junk", ["x", "x ", "(", "((a)", ";", "#"])
def test_ten_megabytes_of_junk_are_a_limit(junk) -> None:
    with pytest.raises(LimitReached, match="characters"):
        read(Source("t", (junk * 10_000_000)[:10_000_000]))


def test_limits_are_settings() -> None:
    with pytest.raises(LimitReached, match="characters = 3"):
        read(Source("t", "abcd"), Limits(characters=3))


@pytest.mark.parametrize("sheet", sorted(GAMES.rglob("*.kif")), ids=lambda path: path.stem)
def test_parse_after_print_is_the_identity_on_our_sheets(sheet) -> None:
    forms = read(read_source(sheet))
    assert read(Source("again", write(forms))) == forms


@pytest.mark.slow
def test_parse_after_print_is_the_identity_on_the_corpus() -> None:
    sheets = sorted(shared("corpus", "games").glob("*.kif"))
    assert len(sheets) == 238
    for sheet in sheets:
        forms = read(read_source(sheet))
        assert read(Source("again", write(forms))) == forms


symbols = st.text(
    st.characters(exclude_characters=" \t\r\n\f();", exclude_categories=["Cs"]), min_size=1
).filter(lambda text: not text.startswith("#|"))
trees = st.recursive(
    symbols.map(Atom), lambda inner: st.lists(inner, max_size=5).map(lambda xs: List(tuple(xs)))
)


@given(st.lists(trees, max_size=5))
def test_parse_after_print_is_the_identity_on_any_expression(forms) -> None:
    assert read(Source("t", write(forms))) == forms


terms = st.recursive(
    symbols.map(Term),
    lambda inner: st.builds(Term, symbols, st.lists(inner, min_size=1, max_size=4).map(tuple)),
)


@given(terms)
def test_a_term_is_what_its_text_says(term) -> None:
    assert read_term(str(term)) == term


def test_needless_parentheses_vanish() -> None:
    """docs/semantics.md 5: (p) and p are the same."""
    assert to_term(read(Source("t", "(f (a) b)"))[0]) == read_term("(f a b)")


@pytest.mark.parametrize("text", ["", "a b", "()", "((a) b)", "(a ())"])
def test_what_is_no_term_is_refused(text) -> None:
    with pytest.raises(KifSyntaxError):
        read_term(text)
