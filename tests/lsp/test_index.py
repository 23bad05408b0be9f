"""What is known of a text without an editor: names and places, and what is answered from them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.kif import Source, Term, read_term
from ggp.lsp.completion import complete
from ggp.lsp.hover import hover
from ggp.lsp.index import Index
from ggp.lsp.known import Known
from ggp.lsp.lines import Lines
from ggp.lsp.markdown import code
from ggp.lsp.navigation import definitions, references
from ggp.lsp.outline import outline
from ggp.lsp.rename import RefusedName, rename
from ggp.lsp.words import words
from ggp.rules import KEYWORDS, read_rules
from tests.conftest import GAMES

TICTACTOE = (GAMES / "tic-tac-toe" / "tic-tac-toe.kif").read_text(encoding="utf-8")
SHEET = """(role white) (role black)
(init (cell 1 b))
(init open)
(succ 1 2)
(<= (legal ?r (mark ?x)) (role ?r) (true (cell ?x b)) (free ?x))
(<= (free ?x) (true (cell ?x b)))
(<= (Next (cell ?x b)) (true (Cell ?x B)) (not (does white (mark ?x))))
(<= (reached ?y) (succ ?x ?y))
(<= terminal (not (true open)))
(goal white 100)
"""


def index_of(text: str) -> Index:
    return Index(Source("sheet.kif", text))


def asked(marked: str) -> tuple[Index, int]:
    """The sheet without its mark `|`, and the place of the mark."""
    return index_of(marked.replace("|", "")), marked.index("|")


def lines_of(text: str, before: str, after: str) -> tuple[Index, int]:
    return index_of(text), text.index(before + after) + len(before)


def places(index: Index, found) -> list[tuple[int, str]]:
    return [(index.line(e.start), index.text[e.start : e.end]) for e in found]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("(free", " ?x))\n(<= (free", [(6, "free")]),
        ("(true (", "cell", [(2, "cell"), (7, "cell")]),
        ("(true ", "open", [(3, "open")]),
        ("does white (", "mark", [(5, "mark")]),
        ("(does ", "white", [(1, "white")]),
        ("(goal ", "white", [(1, "white")]),
        ("(", "does", [(5, "legal")]),
        ("(<= ", "terminal", [(9, "terminal")]),
        ("(succ ?x ", "?y", [(8, "?y")]),
        ("(", "<=", []),
        ("(", "not", []),
    ],
)
def test_definitions(before, after, expected) -> None:
    index, offset = lines_of(SHEET, before, after)
    assert places(index, definitions(index, offset)) == expected


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("init (", "cell", [2, 5, 6, 7, 7]),
        ("(", "free", [5, 6]),
        ("(legal ", "?r", [5, 5]),
        ("(cell 1 ", "b)", [2, 5, 6, 7, 7]),
        ("(true", " (cell", [5, 6, 7, 9]),
    ],
)
def test_references_fold_case_and_keep_variables_in_their_rule(before, after, lines) -> None:
    index, offset = lines_of(SHEET, before, after)
    assert [index.line(e.start) for e in references(index, offset)] == lines


def test_references_without_definitions() -> None:
    index, offset = lines_of(SHEET, "init (", "cell")
    found = references(index, offset, with_definitions=False)
    assert [index.line(e.start) for e in found] == [5, 6, 7]


def test_arity_tells_relations_and_functions_apart() -> None:
    index, offset = asked("(|p a) (p a b) (<= (q (p a)) (p a) (p a b) (r p))")
    assert [e.start for e in references(index, offset)] == [1, 29]


def test_what_a_relation_and_a_function_are_called_is_not_the_same() -> None:
    index, offset = asked("(p a) (<= (q (|p a)) (p a))")
    assert len(references(index, offset)) == 1


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("true", "keyword"),
        ("TRUE", "keyword"),
        ("or", "keyword"),
        ("a b", "no symbol"),
        ("", "no symbol"),
        ("a;b", "no symbol"),
        ("?x", "variable"),
        ("succ", "already"),
        ("Cell", "already"),
        ("reached", "already"),
        ("mark", "already"),
    ],
)
def test_names_that_are_refused(new, why) -> None:
    index, offset = lines_of(SHEET, "(", "free")
    with pytest.raises(RefusedName, match=why):
        rename(index, offset, new)


@pytest.mark.parametrize(
    ("before", "after", "new", "why"),
    [
        ("(goal white ", "100", "x", "value of a goal"),
        ("(", "legal", "may", "keyword"),
        ("(role ", "white", "random", "chance"),
        ("(succ ?x ", "?y", "?x", "already"),
        ("(succ ?x ", "?y", "y", "no variable"),
        ("(succ ?x ", "?y", "??", "no variable"),
        ("(succ ?x ", "?y", "?", "no variable"),
        ("(role white)", " (role", "x", "no name"),
    ],
)
def test_names_that_cannot_be_changed_so(before, after, new, why) -> None:
    index, offset = lines_of(SHEET, before, after)
    with pytest.raises(RefusedName, match=why):
        rename(index, offset, new)


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [("(<= (", "free", "white"), ("(init (", "cell", "black"), ("(role ", "white", "cell")],
)
def test_a_name_of_another_kind_may_be_given(before, after, new) -> None:
    """An earlier version refused every name of the sheet, whatever it was the name of."""
    index, offset = lines_of(SHEET, before, after)
    assert rename(index, offset, new)


@pytest.mark.parametrize("text", [SHEET, TICTACTOE])
def test_no_two_things_become_one_by_a_new_name(text) -> None:
    index = index_of(text)
    before = Counter(d.name for d in read_rules(Source("t.kif", text)).diagnostics)
    names = {each.name for each in index.occurrences if each.kind != "variable"}
    for key, each in {each.key: each for each in index.occurrences}.items():
        for new in sorted(names - KEYWORDS - {each.name}) if each.kind != "variable" else ():
            with suppress(RefusedName):
                renamed = text
                for place in reversed(rename(index, each.start, new)):
                    renamed = renamed[: place.start] + new + renamed[place.end :]
                keys = {e.key for e in index_of(renamed).occurrences}
                assert len(keys) == len({e.key for e in index.occurrences}), (key, new)
                found = read_rules(Source("t.kif", renamed)).diagnostics
                assert not Counter(d.name for d in found) - before, (key, new)


def test_what_is_used_as_something_else_has_its_definition() -> None:
    """A fluent without `true` is a relation that nothing defines."""
    text = SHEET + "(<= lost (cell ?x b))\n(<= gone (true (free ?x)))\n(<= late (does white cell))"
    for word, line in (("lost (", 2), ("gone (true (", 6)):
        index, offset = lines_of(text, word, "")
        assert {index.line(e.start) for e in definitions(index, offset)} >= {line}
    index, offset = lines_of(text, "lost (", "")
    told = "Nothing defines it; something else of this name is made in lines 2, 7."
    assert told in hover(index, offset).text


def test_the_role_that_chooses_by_chance_keeps_its_name() -> None:
    index, offset = asked("(role |random)")
    with pytest.raises(RefusedName, match="chance"):
        rename(index, offset, "fortune")


def test_a_faulty_sheet_is_not_renamed() -> None:
    index, offset = asked("(role |white) (init (a)")
    with pytest.raises(RefusedName, match="parentheses"):
        rename(index, offset, "black")


def test_a_renamed_sheet_is_the_same_game() -> None:
    """Up to the new name, for every name that can be changed."""
    index = index_of(TICTACTOE)
    keys = {each.key: each for each in index.occurrences}
    changed = 0
    for key, each in keys.items():
        new = "?fresh" if each.kind == "variable" else "fresh"
        with suppress(RefusedName):
            places = rename(index, each.start, new)
            text = TICTACTOE
            for place in reversed(places):
                text = text[: place.start] + new + text[place.end :]
            rules = read_rules(Source("t.kif", text))
            assert not rules.errors, key
            assert [str(d) for d in rules.diagnostics] == []
            back = index_of(text)
            found = next(e for e in back.occurrences if e.start >= places[0].start)
            again = rename(back, found.start, each.name)
            for place in reversed(again):
                text = text[: place.start] + each.name + text[place.end :]
            assert text == TICTACTOE
            changed += 1
    assert changed > 30


def test_another_case_of_the_same_name_is_no_collision() -> None:
    index, offset = lines_of(SHEET, "init (", "cell")
    assert len(rename(index, offset, "CELL")) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(role w) (init (cell 1 b))\n(<= (legal w (go ?x)) (true (c|", {"cell"}),
        ("(role w) (role b) (legal w stay)\n(<= (next up) (does |", {"w", "b"}),
        ("(role w) (legal w (go 1))\n(<= (next up) (does w (|", {"go"}),
        ("(<= (p ?x ?long) (q ?|", {"?x", "?long"}),
        ("(<= (p ?x ?long) (q ?l|) (r ?other))", {"?x", "?long", "?other"}),
        ("(p ?x)\n(q ?y) (<= (r ?z) (s ?|", {"?z"}),
        ("(init (cell 1 b))\n(<= (p ?x) (true (cell ?x |", {"?x", "1", "b"}),
        ("(<= (goal w |", set()),
        ("(goal w 50) (goal w |", {"50"}),
        ("; (|", None),
        ("#| (| |#".replace("| |#", "|"), None),
    ],
)
def test_what_can_be_written(text, expected) -> None:
    at = text.rindex("|") if text.startswith("#") else text.index("|")
    found = complete(index_of(text[:at] + text[at + 1 :]), at)
    names = None if found is None else {proposal.name for proposal in found.proposals}
    assert names == expected


@pytest.mark.parametrize(
    ("text", "there", "not_there"),
    [
        ("(|", {"<=", "role", "init", "next", "legal"}, {"true", "does", "not"}),
        ("(<= (|", {"next", "legal", "goal", "p"}, {"true", "<=", "not"}),
        ("(<= (p) (|", {"true", "does", "not", "or", "distinct", "p"}, {"next", "init", "<="}),
        ("(<= (p) (not (|", {"true", "does", "p"}, {"next", "<="}),
        ("(<= (p) (or (a) |", {"true", "terminal", "p"}, {"next"}),
    ],
)
def test_which_words_can_be_written(text, there, not_there) -> None:
    at = text.index("|")
    text = f"(p a)\n{text.replace('|', '')}"
    found = complete(index_of(text), at + len("(p a)\n"))
    names = {proposal.name for proposal in found.proposals}
    assert there <= names
    assert not names & not_there


def test_what_is_typed_is_replaced() -> None:
    text = "(init (cell 1))\n(<= p (true (ce"
    found = complete(index_of(text), len(text))
    assert text[found.start :] == "ce"
    assert found.is_first


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("(", "free", ["`free/1`: relation", "1 rule in line 6", "Depends on `true/1`",
                       "Used by `legal/2`", "Hangs on the state."]),
        ("(<= (", "reached", ["Static: it is the same in every state."]),
        ("(", "succ", ["1 fact in line 4", "Used by `reached/1`"]),
        ("true (", "cell", ["`cell/2`: fluent", "At first (`init`) in line 2.",
                            "Made (`next`) in line 7.", "Occurs with `mark/1`."]),
        ("white (", "mark", ["`mark/1`: move", "Made legal in line 5."]),
        ("(role ", "white", ["`white`: role"]),
        ("(legal ", "?r", ["variable of this rule", "1 other occurrence, in `role`."]),
        ("(succ ", "?x", ["It occurs here only"]),
        ("(", "does", ["(does R M)", "Stands in bodies only"]),
    ],
)  # fmt: skip
def test_help(before, after, expected) -> None:
    index, offset = lines_of(SHEET, before, after)
    told = hover(index, offset)
    for part in expected:
        assert part in told.text


def test_help_tells_what_hangs_on_moves() -> None:
    index, offset = asked("(<= (next p) (|made)) (<= made (does w go) (true q))")
    assert "Hangs on the state and on the moves." in hover(index, offset).text


def test_there_is_no_help_where_no_name_is() -> None:
    for text in ("|", "; |co", "( |)", "(a) |"):
        assert hover(*asked(text)) is None


def test_every_keyword_has_help() -> None:
    assert set(words()) == KEYWORDS


def test_help_never_takes_text_of_a_sheet_for_markup() -> None:
    assert code("a`b``c") == "```a`b``c```"
    assert code("`x") == "`` `x ``"
    assert "\x1b" not in code("\x1b[31m")
    index, offset = asked("(|<script>`**x**)")
    assert hover(index, offset).text.startswith("``<script>`**x**``: relation")


def test_what_is_proved_of_fluents_with_variables() -> None:
    one, two = read_term("(cell 1 b)"), read_term("(cell 1 x)")
    known = Known({("cell", 2): 2}, ((True, (one, two)),), (one,))
    told = known.told(Term("CELL", (Term("?x"), Term("b"))))
    assert told == [
        "2 fluents of this form can hold.",
        "Exactly one of `(cell 1 b)`, `(cell 1 x)` holds in every state (proved).",
        "It tells whose turn it is (proved).",
    ]
    assert known.told(Term("other")) == ["No fluent of this form can hold."]


def test_heaps_and_step_counters_are_told_of_their_fluents() -> None:
    import ggp
    from ggp.lsp.finding import told
    from tests.conftest import GAMES

    game = ggp.load(GAMES / "subtraction" / "sg-357.kif")
    found = told(ggp.analyse(game, only=("heaps", "step_counters")))
    known = Known({("heap", 2): 30}, found=found)
    _, about = known.told(read_term("(HEAP 1 ?n)"))
    assert about == (
        "A heap, `(heap 1 ?)`, of 10 at the start: moves take 3, 5 or 7 from it (proved). "
        "Nim-values from 0 on: 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 0."
    )
    assert known.told(read_term("(heap ?i ?n)"))[2] == "So are 2 more."
    assert known.told(read_term("(control left)")) == ["No fluent of this form can hold."]
    counted = told(ggp.analyse(ggp.parse(COUNTED), only=("heaps", "step_counters")))
    known = Known({("step", 1): 4}, found=counted)
    assert known.told(read_term("(step 1)"))[-1] == (
        "A step counter, `(step ?)`, of 3 steps (proved); read by terminal."
    )


COUNTED = """
(role one) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(legal one left) (legal one right) (<= (next gone) (does one left)) (<= (next gone) (true gone))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 3))) (<= (goal one 100) (true gone)) (<= (goal one 0) (not (true gone)))
"""


def test_the_outline_joins_neighbours_of_one_relation() -> None:
    entries = outline(index_of(SHEET))
    assert [(e.name, e.word, len(e.children)) for e in entries] == [
        ("role/1", "role", 2),
        ("init/1", "init", 2),
        ("(succ 1 2)", "fact", 0),
        ("(legal ?r (mark ?x))", "legal", 0),
        ("(free ?x)", "rule", 0),
        ("(Next (cell ?x b))", "next", 0),
        ("(reached ?y)", "rule", 0),
        ("terminal", "terminal", 0),
        ("(goal white 100)", "goal", 0),
    ]


ENCODINGS = {
    "utf-8": lambda text: len(text.encode("utf-8")),
    "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "utf-32": len,
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=st.text(alphabet="a(\n\r\tü€\U0001f600\u2028\x0b\x0c ", max_size=12))
def test_places_go_there_and_back(encoding, text) -> None:
    lines = Lines(text, encoding)
    for offset in range(len(text) + 1):
        line, column = lines.place(offset)
        if text[offset - 1 : offset + 1] == "\r\n":
            assert lines.offset(line, column) == offset - 1
            continue
        assert lines.offset(line, column) == offset
        start = max(text.rfind(end, 0, offset) for end in "\r\n") + 1
        assert column == ENCODINGS[encoding](text[start:offset])
    assert lines.offset(line, 10**9) == len(text)
    assert lines.offset(10**9, 0) == len(text)


PIECES = ["(", ")", "<=", "true", "p", "?x", "1", " ", "\n", ";", "#|", "|#", "\r\n", "not", "ü"]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_has_an_index_that_says_what_is_there(text) -> None:
    index = index_of(text)
    starts = [each.start for each in index.occurrences]
    assert starts == sorted(set(starts))
    for each in index.occurrences:
        assert index.text[each.start : each.end].lower() == each.name
        assert index.at(each.start) is not None
        assert each in index.same(each)
    outline(index)
    for offset in range(len(text) + 1):
        hover(index, offset)
        complete(index, offset)
        definitions(index, offset)


@pytest.mark.parametrize("path", sorted(GAMES.rglob("*.kif")), ids=lambda path: path.stem)
def test_dependencies_are_those_of_the_rules(path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    index, rules = Index(source), read_rules(source)
    for head, body in rules.graph.edges.items():
        own = index.graph.edges[head[0].lower(), head[1]]
        assert {(name.lower(), arity) for name, arity in body} == set(own)
