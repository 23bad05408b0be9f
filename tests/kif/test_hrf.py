"""Infix GDL: docs/semantics.md 9, a second reader and writer of the same terms."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp import InputError, KifSyntaxError, LimitReached, Limits
from ggp.kif import (
    Atom,
    Expr,
    List,
    Source,
    Span,
    read,
    read_sheet,
    syntax_of,
    write,
    write_hrf,
)
from ggp.rules import read_rules
from tests.conftest import GAMES, shared
from tests.kif.test_reader import symbols, trees

SHEETS = sorted(GAMES.rglob("*.kif*"))


def kif(text: str) -> list[Expr]:
    return read(Source("t.kif", text))


def hrf(text: str) -> list[Expr]:
    return read(Source("t.hrf", text))


def texts(exprs: Iterable[Expr]) -> list[str]:
    return [str(expr) for expr in exprs]


def renamed(expr: Expr, names: dict[str, str], *, strict: bool = False) -> Expr:
    """`expr` with its variables numbered in reading order."""
    if isinstance(expr, List):
        return List(tuple(renamed(item, names, strict=strict) for item in expr.items))
    if not expr.text.startswith("?"):
        return expr
    return Atom(names.setdefault(expr.text if strict else expr.text.lower(), f"?{len(names)}"))


def alike(exprs: Iterable[Expr], *, strict: bool = False) -> list[Expr]:
    """Expressions that are equal for clauses that are, whatever their variables are called."""
    return [renamed(expr, {}, strict=strict) for expr in exprs]


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("", []),
        ("p", ["p"]),
        ("p. q.", ["p", "q"]),
        ("role(x)\nrole(o)", ["(role x)", "(role o)"]),
        ("role(x) role(o).", ["(role x)", "(role o)"]),
        ("p()", ["(p)"]),
        (
            "legal(P,mark(M,N)) :- true(cell(M,N,b)) & true(control(P))",
            ["(<= (legal ?P (mark ?M ?N)) (true (cell ?M ?N b)) (true (control ?P)))"],
        ),
        ("p :- q, r.", ["(<= p q r)"]),
        ("p :-\n  q &\n  r\ns", ["(<= p q r)", "s"]),
        ("p :- q\n  & r\ns :- t", ["(<= p q r)", "(<= s t)"]),
        ("p :- .", ["(<= p)"]),
        ("p :- ~q & ~r(X)", ["(<= p (not q) (not (r ?X)))"]),
        ("p :- not q & not(r) & nothing", ["(<= p (not q) (not r) nothing)"]),
        ("p :- ~(q | r)", ["(<= p (not (or q r)))"]),
        ("p :- ~(~q)", ["(<= p (not (not q)))"]),
        ("p :- q & r | s", ["(<= p (or (and q r) s))"]),
        ("p :- q, r | s", ["(<= p (or (and q r) s))"]),
        ("p :- q & (r | s | t)", ["(<= p q (or r s t))"]),
        ("p :- (q & r) & s", ["(<= p (and q r) s)"]),
        ("p :- ((q))", ["(<= p q)"]),
        ("p :- or(q) & or()", ["(<= p (or q) (or))"]),
        ("p :- distinct(X,Y) & X != f(Y)", ["(<= p (distinct ?X ?Y) (distinct ?X (f ?Y)))"]),
        ("p % c ' ( :-\nq", ["p", "q"]),
        ("p(X,_x,Long_1)", ["(p ?X ?_x ?Long_1)"]),
        ("p(1,01,-1,x2,a_B)", ["(p 1 01 -1 x2 a_B)"]),
        (r"'a.b:-c.'('#s','\'','\\','\u0001','\U0001F600')", ["(a.b:-c. #s ' \\ \x01 😀)"]),
        ("'not' :- 'X'(Y)", ["(<= not (X ?Y))"]),
        ("''() ''(a(),b) X(a)", ["()", "((a) b)", "(?X a)"]),
        ("'<='(p,q)", ["(<= p q)"]),
        ("\tp\r\n:-\fq", ["(<= p q)"]),
    ],
)  # fmt: skip
def test_forms(text, forms) -> None:
    assert texts(hrf(text)) == forms


def test_each_lone_underscore_is_a_variable_of_its_own() -> None:
    """No name that can be written is the same."""
    (fact,) = hrf("p(_,_,_2,_4,any)")
    assert isinstance(fact, List)
    assert len({item.text.lower() for item in fact.items if isinstance(item, Atom)}) == 6
    assert all(str(item).startswith("?") for item in fact.items[1:5])


def test_every_expression_knows_its_place() -> None:
    text = "legal(P, noop) :-\n  role(P) & ~(true(control(P)) | 'X') & P != _"
    (rule,) = hrf(text)
    todo: list[Expr] = [rule]
    found = []
    while todo:
        expr = todo.pop()
        found.append(text[expr.start : expr.end])
        todo += expr.items[::-1] if isinstance(expr, List) else ()
    assert found == [
        text, ":-", "legal(P, noop)", "legal", "P", "noop", "role(P)", "role", "P",
        "~(true(control(P)) | 'X')", "~", "(true(control(P)) | 'X')", "|", "true(control(P))",
        "true", "control(P)", "control", "P", "'X'", "P != _", "!=", "P", "_",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ("f(a", "t.hrf:1:2", "unmatched '(': expected ')'"),
        ("p :- (a | (b", "t.hrf:1:6", "unmatched '(': expected ')'"),
        ("a)", "t.hrf:1:2", "unexpected ')': expected a name, a variable, ':-', '.'"),
        ("p\nf(a :- b", "t.hrf:2:5", "expected ',' or ')' (the '(' of line 2, column 2 is open)"),
        ("p :- q\n  ~r", "t.hrf:2:3", "unexpected '~': expected a name, a variable, '(', '&'"),
        ("p :- ~~r", "t.hrf:1:7", "expected a name, a variable or '('"),
        ("p :- q &\n\n", "t.hrf:1:8", "unexpected end of the file: expected a name"),
        ("p :- q\n(r | s)", "t.hrf:2:4", "expected ',' or ')'"),
        ("p | q", "t.hrf:1:3", "unexpected '|': expected a name"),
        ("p :- & q", "t.hrf:1:6", "expected a name, a variable, '(', '~' or '.'"),
        ("f(not)", "t.hrf:1:3", "unexpected 'not'"),
        ("p(~a)", "t.hrf:1:3", "unexpected '~'"),
        ("(role x)", "t.hrf:1:1", "unexpected '(': expected a name"),
        ("p ; c", "t.hrf:1:3", "unexpected ';': expected a name"),
        ("p\x1b", "t.hrf:1:2", r"unexpected '\x1b': expected"),
        ("Straße", "t.hrf:1:5", r"unexpected '\xdf': expected a name"),
        ("p('a\nb')", "t.hrf:1:3", "never ends on its line"),
        (r"p('a\q')", "t.hrf:1:3", "unknown escape"),
        (r"p('\U00110000')", "t.hrf:1:3", "unknown escape"),
        ("p('')", "t.hrf:1:3", "no characters"),
        ("p('a b')", "t.hrf:1:3", "cannot hold white space"),
        (r"p('a\n')", "t.hrf:1:3", "cannot hold white space"),
        ("p(')(')", "t.hrf:1:3", "cannot hold white space, parentheses"),
        ("p('#|')", "t.hrf:1:3", "expected a symbol of KIF"),
        (r"p('\ud800')", "t.hrf:1:3", "expected a symbol of KIF"),
        ("p('?x')", "t.hrf:1:3", "cannot begin with '?'"),
    ],
)
def test_a_syntax_error_names_the_place_and_shows_it(text, place, word) -> None:
    with pytest.raises(KifSyntaxError) as caught:
        hrf(text)
    first, line, caret = str(caught.value).splitlines()
    assert first.startswith(place + ": ")
    assert word in first
    assert "expected" in first
    assert len(line) == len(text.split("\n")[int(place.split(":")[1]) - 1])
    assert caret.index("^") == int(place.split(":")[2]) - 1
    assert isinstance(caught.value.span, Span)


def test_a_long_name_does_not_fill_the_message() -> None:
    with pytest.raises(KifSyntaxError) as caught:
        hrf("p :- " + "(" + "a" * 100_000 + " " + "b" * 100_000)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "text",
    ["p(" * 100_000, "f(" * 401 + "a" + ")" * 401, "p :- " + "(" * 401 + "a" + ")" * 401,
     "p :- " + "~(a | b & " * 150 + "c" + ")" * 150],
    ids=["open", "term", "group", "operators"],
)  # fmt: skip
def test_deep_nesting_is_a_limit_not_a_recursion_fault(text) -> None:
    with pytest.raises(LimitReached, match="depth = 400"):
        hrf(text)


@pytest.mark.parametrize(
    "text", ["p(" * 399 + "a" + ")" * 399, "p :- " + "~(" * 398 + "a" + ")" * 398]
)
def test_what_is_as_deep_as_the_limit_is_read_and_written(text) -> None:
    source = Source("t.hrf", text)
    assert texts(hrf(write_hrf(read(source)))) == texts(read(source))
    assert texts(kif(write(read(source)))) == texts(read(source))
    assert read_rules(source).rules


def test_the_number_of_characters_is_limited() -> None:
    with pytest.raises(LimitReached, match="characters = 3"):
        read(Source("t.hrf", "abcd"), Limits(characters=3))


PIECES = [
    "p", "q(", "X", "_", "'", "'a'", "''", "(", ")", ")", "&", ",", "|", "~", "not ", ":-", "!=",
    ".", "\n", " ", "%", "\\", "'\\u0041'", "-1", "\x00", "é", "\ud800", "#|", ";", "?", "or(",
]  # fmt: skip


def test_any_soup_of_tokens_is_read_or_refused_with_a_place() -> None:
    random_ = random.Random(9)
    refused, read_well = set(), 0
    for _ in range(4000):
        text = "".join(random_.choices(PIECES, k=random_.randrange(1, 12)))
        try:
            forms = hrf(text)
        except KifSyntaxError as error:
            refused.add(str(error).splitlines()[0])
            continue
        read_well += 1
        assert alike(hrf(write_hrf(forms))) == alike(forms)
        read_rules(Source("t.hrf", text))
    assert read_well > 100
    assert all(line.startswith("t.hrf:") and "expected" in line for line in refused)


UGLY = [
    "a.b:-c.", "#script", '"x', "%*", ":-", "@f", "not", "or", "and", "distinct", "<=", "true", "_",
    "X", "{1}", "a\x01b", "x" * 1000, "it's\\", "'", "\\", "\\n", "é", "日本", "𝔸", "\u2028",
    "\x7f", "\ufeff", "-", "-1", "--1", "1a", "a-b", "+", "a#|", ",", "~", "|", "&", "!=", ".",
    "\U000e0001", "[", "a%b", "a_B", "aB",
]  # fmt: skip


@pytest.mark.parametrize("symbol", UGLY, ids=ascii)
def test_any_symbol_comes_back_unchanged(symbol) -> None:
    forms = kif(f"({symbol}2 (f {symbol}) (g{symbol} {symbol})) (<= (p {symbol}) (q {symbol} ?x))")
    text = write_hrf(forms)
    assert all(c.isprintable() for c in text.replace("\n", ""))
    assert text.count("\n") == 2 or len(text) > 1000
    assert alike(hrf(text)) == alike(forms)


@given(symbols.filter(lambda text: not text.startswith("?")))
def test_any_symbol_at_all_comes_back_unchanged(symbol) -> None:
    assert hrf(write_hrf([Atom(symbol)])) == [Atom(symbol)]


@given(st.lists(trees, max_size=5))
def test_any_expression_comes_back(forms) -> None:
    text = write_hrf(forms, strict_case=True)
    assert alike(hrf(text), strict=True) == alike(forms, strict=True)


formulas = st.recursive(
    st.sampled_from(["p", "X", "?x", "?X", "?a-b", "?a_b", "not", "<="]).map(Atom),
    lambda inner: st.builds(
        lambda name, parts: List((Atom(name), *parts)),
        st.sampled_from(["not", "or", "and", "distinct", "<=", "p", "NOT", "Or"]),
        st.lists(inner, max_size=3),
    ),
)


@given(formulas, formulas)
def test_any_nest_of_connectives_comes_back(head, body) -> None:
    rule = List((Atom("<="), head, body))
    text = write_hrf([rule], strict_case=True)
    assert alike(hrf(text), strict=True) == alike([rule], strict=True)
    assert str(alike(hrf(write_hrf([rule])))).lower() == str(alike([rule])).lower()


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        ("(p ?x ?rowIndex ?x)", "p(X,RowIndex,X)"),
        ("(p ?1 ?_a ?a-b ?+ ?é ?)", "p(V1,V_a,A_b,V_,V__2,V)"),
        ("(p ?a-b ?a_b ?a+b ?A_B_2)", "p(A_b,A_b_2,A_b_3,A_B_2_2)"),
        ("(p ?x ?X)", "p(X,X)"),
    ],
)
def test_names_of_variables(fact, expected) -> None:
    """docs/semantics.md 1: ?x and ?X are one variable."""
    assert write_hrf(kif(fact)) == expected + "\n"


def test_strict_case_keeps_variables_apart() -> None:
    assert write_hrf(kif("(p ?x ?X)"), strict_case=True) == "p(X,X_2)\n"


def test_layout() -> None:
    rule = "(<= (legal ?p (mark ?m ?n)) (or (not (true (cell ?m ?n b))) a) (true (control ?p)))"
    line = "legal(P,mark(M,N)) :- (~true(cell(M,N,b)) | a) & true(control(P))\n"
    assert write_hrf(kif(rule)) == line
    assert write_hrf(kif(rule), width=60) == (
        "legal(P,mark(M,N)) :-\n  (~true(cell(M,N,b)) | a) &\n  true(control(P))\n"
    )


def there_and_back(path) -> None:
    forms = read(read_sheet(path, {}))
    text = write_hrf(forms)
    again = read(Source("t.hrf", text))
    assert alike(again) == alike(forms)
    assert alike(kif(write(again))) == alike(forms)
    assert write_hrf(again) == text


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_our_sheets_come_back_from_infix(path) -> None:
    there_and_back(path)


@pytest.mark.slow
def test_the_corpus_comes_back_from_infix() -> None:
    sheets = sorted(shared("corpus", "games").glob("*.kif"))
    assert len(sheets) == 238
    for path in sheets:
        there_and_back(path)


def test_faulty_sheets_come_back_from_infix_with_their_faults() -> None:
    for path in sorted(shared("badrules").glob("*.kif")):
        source = read_sheet(path, {})
        try:
            forms = read(source)
        except KifSyntaxError:
            continue
        text = write_hrf(forms)
        assert alike(hrf(text)) == alike(forms)
        if path.stem == "lone_qmark":  # every variable has a name in infix
            continue
        codes = [sorted(d.name for d in read_rules(s).diagnostics if d.name != "two-spellings")
                 for s in (source, Source("t.hrf", text))]  # fmt: skip
        assert codes[0] == codes[1], path.stem


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_the_game_is_the_same(path) -> None:
    one = ggp.load(path)
    text = write_hrf(read(read_sheet(path, {})))
    other = ggp.parse(text, name="t.hrf")
    assert other.net.fluents == one.net.fluents
    assert other.net.moves == one.net.moves
    assert other.initial.facts == one.initial.facts
    assert [(s.facts, m, s.terminal) for s, m in other.random_playout(3)] == [
        (s.facts, m, s.terminal) for s, m in one.random_playout(3)
    ]


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("p :- q\np(X) :- q", "unsafe-variable", (2, 3)),
        ("p :-\n  init(q)", "keyword-in-body", (2, 3)),
        ("p :-\n  q &\n  p()", "needless-parentheses", (3, 3)),
        ("p :- ~(~q)", "double-negation", (1, 6)),
        ("p :- X & q", "variable-relation", (1, 6)),
        ("p :- q & (r & s)", "and-connective", (1, 10)),
        ("p(X) :- q(X, 'distinct')", "keyword-constant", (1, 14)),
    ],
)
def test_diagnostics_point_into_the_infix_text(text, code, place) -> None:
    found = [d for d in read_rules(Source("t.hrf", text)).diagnostics if d.name == code]
    assert [(d.span.line, d.span.column) for d in found] == [place]


@pytest.mark.parametrize(
    ("name", "syntax"),
    [
        ("a.kif", "kif"), ("a.hrf", "hrf"), ("A.HRF", "hrf"), ("a.hrf.jinja", "hrf"),
        ("a.kif.jinja", "kif"), ("a.lp", "asp"), ("<text>", "kif"), ("hrf", "kif"), ("", "kif"),
        (".hrf", "kif"), ("a.hrf/b", "kif"),
    ],
)  # fmt: skip
def test_the_name_says_the_syntax(name, syntax) -> None:
    assert syntax_of(name) == syntax


def test_templates_may_be_infix(tmp_path) -> None:
    path = tmp_path / "t.hrf.jinja"
    path.write_text(
        '{# parameters\nn = 2\nname = "x.kif"\n#}\n{% for i in range(n) %}p({{ i }})\n{% endfor %}'
    )
    source = read_sheet(path, {"n": 3})
    assert source.syntax == "hrf"
    assert texts(read(source)) == ["(p 0)", "(p 1)", "(p 2)"]


def test_an_answer_set_program_is_no_sheet() -> None:
    with pytest.raises(InputError, match="ggp convert"):
        ggp.parse("p.", name="t.lp")
