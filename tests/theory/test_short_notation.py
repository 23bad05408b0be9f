"""What is no game in the notation says where, however long or deep the text is."""

from __future__ import annotations

import pickle

import pytest

from ggp.theory import NotationError, ShortGame

FAULTS = [
    ("", 1, 1, "ends"),
    ("{0|1", 1, 5, "ends"),
    ("(1", 1, 3, "ends"),
    ("1)", 1, 2, "no place"),
    ("{1}", 1, 3, "no place"),
    ("1,2", 1, 2, "no place"),
    ("{a|b}", 1, 2, "'a' has no place"),
    ("{1|2|3}", 1, 5, "a second time"),
    ("{1||2|0||3}", 1, 8, "a second time"),
    ("{0|" + "|" * 60 + "0}", 1, 3, "too many slashes"),
    ("^^3", 1, 3, "no place"),
    ("1/3", 1, 1, "dyadic"),
    ("0 + 1/0", 1, 5, "zero"),
    ("\n\n {0|\n x}", 4, 2, "'x' has no place"),
    ("0 + " + "9" * 5_000, 1, 5, "digits"),
    ("^" + "9" * 5_000, 1, 1, "digits"),
    ("+-", 1, 3, "ends"),
    ("Tiny()", 1, 6, "no place"),
    ("{" * 100_000, 1, 100_001, "ends"),
    ("{" * 50_000 + "|" + "}" * 49_999, 1, 50_003, "no place|ends"),
    ("0" * 1_000_001, 1, 1_000_001, "characters"),
]


@pytest.mark.parametrize(("text", "line", "column", "what"), FAULTS, ids=lambda x: str(x)[:20])
def test_faults_have_a_place(text, line, column, what) -> None:
    with pytest.raises(NotationError, match=what) as caught:
        ShortGame.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"{line}:{column}: ")
    assert len(str(caught.value)) < 200
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.column) == (str(caught.value), column)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-" * 100_000 + "1", 1),
        ("(" * 50_000 + "1" + ")" * 50_000, 1),
        ("+".join(["1"] * 50_000), 50_000),
        ("{" + ",".join(["1"] * 50_000) + "|}", 2),
        ("{|" * 20_000 + "}" * 20_000, -19_999),
    ],
    ids=["minus", "parentheses", "sum", "options", "braces"],
)
def test_long_texts(text, value) -> None:
    assert ShortGame.parse(text) == value


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("{{6|1}|1}", "{{6|1}|1}"),
        ("{1|0||0}", "Miny(1)"),
        ("{1*|-1*}", "+-1*"),
        ("{{3|2}|{-2|-3}}", "+-{{3|2}}"),
        ("{*,^|*,v}", "+-{*,^}"),
        ("{^*,0|-1}+{0||0|-1}-+_1", "{0,^*|-1}"),
        ("-1/2 + v*", "-1/2v*"),
        ("v4*2", "v4*2"),
        ("-(1^)", "-1v"),
        (" - 1^", "-1v"),
        ("-1^", "-1^"),
        ("3*2", "3*2"),
        ("3.*2", "*2"),
        ("{ 2 || 1 | 0 }", "{2|{1|0}}"),
    ],
)
def test_texts_and_forms(text, form) -> None:
    assert str(ShortGame.parse(text)) == form
