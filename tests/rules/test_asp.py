"""Answer-set programs of games: each answer set is one play, and no sheet writes program text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import clingo
import pytest
from hypothesis import given, settings

import ggp
from ggp import KifSyntaxError, LimitReached, Limits, RulesError, State, Term
from ggp.kif import Source, infix_variables, read_sheet, write, write_hrf
from ggp.rules import Rule, RuleSet, read_asp, read_rules, translate, write_asp
from tests.conftest import GAMES, shared
from tests.kif.test_hrf import UGLY
from tests.kif.test_reader import symbols

SHEETS = sorted(GAMES.rglob("*.kif*"))

Play = tuple[tuple[Term, ...], ...]


def rules_of(text: str, **options) -> RuleSet:
    return read_rules(Source("t", text), **options)


def names_in(program: str) -> dict[str, str]:
    """What the comments say of generated names."""
    return {
        name: json.loads(text)
        for name, text in re.findall(r'^% (\w+) = (".*")$', program, re.MULTILINE)
    }


def answer_sets(program: str) -> list[dict[str, set[tuple[Term | int, ...]]]]:
    """The arguments of the atoms of each answer set, by predicate."""
    names = names_in(program)

    def term(symbol: clingo.Symbol) -> Term:
        if symbol.type == clingo.SymbolType.Number:
            return Term(str(symbol.number))
        return Term(names.get(symbol.name, symbol.name), tuple(map(term, symbol.arguments)))

    told: list[str] = []
    control = clingo.Control(["-n", "0"], logger=lambda code, text: told.append(text))
    control.add("base", [], program)
    control.ground([("base", [])])
    assert not told
    found = []
    with control.solve(yield_=True) as models:
        for model in models:
            atoms: dict[str, set[tuple[Term | int, ...]]] = {}
            for symbol in model.symbols(atoms=True):
                *terms, last = symbol.arguments or [clingo.Number(0)]
                time = last.number if last.type == clingo.SymbolType.Number else -1
                atoms.setdefault(symbol.name, set()).add((*map(term, terms), time))
            found.append(atoms)
    return found


def plays(game: ggp.Game, state: State, horizon: int) -> Iterator[list[tuple[State, Play]]]:
    """All plays of at most that many joint moves, by the game itself."""
    if state.terminal or not horizon:
        yield [(state, ())]
        return
    joints: list[dict[str, Term]] = [{}]
    for role in game.roles:
        joints = [{**joint, role: move} for joint in joints for move in state.legal(role)]
    for joint in joints:
        for rest in plays(game, state.play(joint), horizon - 1):
            yield [(state, tuple(joint.items())), *rest]


def check_plays(rules: RuleSet, horizon: int) -> int:
    """Compare all plays with the answer sets, state by state; the number of plays."""
    game = ggp.Game(rules)
    expected = {}
    for play in plays(game, game.initial, horizon):
        key = frozenset((role, str(m), t) for t, (_, joint) in enumerate(play) for role, m in joint)
        expected[key] = [state for state, _ in play]
    models = answer_sets(write_asp(rules, horizon))
    assert len(models) == len(expected)
    for atoms in models:
        key = frozenset((str(r), str(m), t) for r, m, t in atoms.get("does", set()))
        states = expected.pop(key)
        assert atoms["time"] == {(t,) for t in range(len(states))}
        assert atoms.get("holds", set()) == {(f, t) for t, s in enumerate(states) for f in s.facts}
        assert atoms.get("legal", set()) == {
            (Term(role), move, t)
            for t, state in enumerate(states)
            for role in game.roles
            for move in state.legal(role)
        }
        ends = {(t,) for t, state in enumerate(states) if state.terminal}
        assert atoms.get("terminal", set()) == ends
        if ends:
            last = len(states) - 1
            goals = {(str(r), int(str(v))) for r, v, t in atoms["goal"] if t == last}
            assert goals == set(states[-1].goals.items())
    assert not expected
    return len(models)


@pytest.mark.parametrize(
    ("sheet", "horizon", "count"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", 0, 1),
        ("tic-tac-toe/tic-tac-toe.kif", 1, 9),
        ("tic-tac-toe/tic-tac-toe.kif", 3, 9 * 8 * 7),
        ("kayles/kayles-7.kif", 2, None),
        ("nim/rows.kif.jinja", 2, None),
        ("subtraction/sg-12-15.kif", 4, None),
        ("bisimulation/exits.kif", 10, None),
        ("bisimulation/two-cycle-and-three-cycle.kif", 8, None),
        ("simultaneous/rock-paper-scissors.kif", 3, None),
        ("three-players/last-match.kif", 5, None),
        ("puzzles/hanoi.kif.jinja", 4, None),
        ("puzzles/lights-out-3x3.kif", 2, None),
        pytest.param("puzzles/lights-out-3x3.kif", 3, None, marks=pytest.mark.slow),
        ("turtles/turtles-13.kif", 1, None),
        ("toads-and-frogs/toads-and-frogs.kif.jinja", 6, None),
        ("connect-four/connect-four.kif.jinja", 2, None),
    ],
)
def test_each_answer_set_is_one_play(sheet, horizon, count) -> None:
    """Against plays that the game's own engine makes: moves, states, legal moves, goals."""
    found = check_plays(read_rules(read_sheet(GAMES / sheet, {})), horizon)
    assert found == count or count is None
    assert found >= 1


SMALL = """
(role a) (role b) (init (on 1)) (init (left 3))
(<= (legal ?r ?m) (role ?r) (may ?m))
(may go) (<= (may stop) (true (left ?n)) (succ ?n ?m))
(succ 3 2) (succ 2 1) (succ 01 0)
(<= (next (left ?m)) (true (left ?n)) (succ ?n ?m) (or (does a stop) (does b stop)))
(<= (next (left ?n)) (true (left ?n)) (not stopped))
(<= stopped (does ?r stop))
(next (always here))
(<= (next (pair ?x ?y)) (true (left ?x)) (true (left ?y)) (or (distinct ?x 3) (distinct ?y 3)))
(<= (next (pair ?x ?y)) (true ?z) (does ?x ?y) (not (ghost ?x)))
(<= terminal (true (left 1)))
(<= (goal ?r 50) (role ?r) (not (goal ?r 100)) (not terminal))
(<= (goal a 100) terminal) (<= (goal b 0) terminal)
"""


@pytest.mark.parametrize("horizon", [0, 1, 2, 3])
def test_rules_of_every_kind(horizon) -> None:
    """Static and bare heads, variables for whole fluents and moves, or, distinct, an idle atom."""
    check_plays(rules_of(SMALL), horizon)


@pytest.mark.parametrize(
    "more",
    [
        "(p x) (<= (p ?y ?x) (true (left ?x)) (succ ?x ?y)) (<= (next (f ?x)) (p ?x) (p ?y ?z))",
        "(<= (p ?x) (true (left ?x))) (p 3 x) (p 9 9) (<= (next (f ?x)) (p ?x) (p ?x ?y))",
        "(<= (p ?x) (true (left ?x))) (<= (next (f ?x)) (p ?x) (not (p ?x ?x)))",
        "(<= (init (from ?m)) (legal a ?m)) (<= (base ?f) (legal a ?m) (h ?f)) (h (left 3))",
        "(<= (time ?x) (true (left ?x))) (holds a) (<= (next (horizon ?x)) (time ?x) (holds ?y))",
        "(<= (P ?x) (true (left ?x))) (P 3 X) (<= (next (f ?x)) (P ?x) (not (P ?x ?x)))",
        "(s1 x) (<= (next (s2 ?x S3 s3)) (s1 ?x))",
        "(<= (next (seen ?t ?t2 ?T+1)) (does ?t ?m) (true (left ?t2)) (does ?T+1 ?m))",
        "(1 a) (<= (next (2 ?x)) (1 ?x))",
        "(<= (sees ?r ?m) (does ?r ?m)) (sees a hello)",
        "(init (n 0)) (init (n 00)) (init (n 4294967296)) (init (n 999999999)) (init (n -1))"
        "(<= (next (differ ?x ?y)) (true (n ?x)) (true (n ?y)) (distinct ?x ?y))",
    ],
)
def test_names_and_arities_do_not_collide(more) -> None:
    text = SMALL.replace("(next (always here))", "(next (always here)) " + more)
    if "legal a ?m" in more:
        text = text.replace("(<= (may stop) (true (left ?n)) (succ ?n ?m))", "(may stop)")
    rules = rules_of(text)
    check_plays(rules, 2)
    assert same_rules(rules, again(write_asp(rules, 2)))


def again(program: str, **options) -> RuleSet:
    return rules_of(write(read_asp(Source("t.lp", program))), **options)


def same_rules(one: RuleSet, other: RuleSet) -> bool:
    return list(map(renamed, one.rules)) == list(map(renamed, other.rules))


def renamed(rule: Rule) -> list[str]:
    """The parts of a rule with its variables numbered in reading order."""
    numbers: dict[str, Term] = {}

    def text(term: Term) -> str:
        for name in term.variables():
            numbers.setdefault(name, Term(f"?{len(numbers)}"))
        # Two steps, since ?1 may be the name of a variable already.
        apart = {name: Term(f"?new-{number.name}") for name, number in numbers.items()}
        return str(term.substitute(apart))

    return [
        text(rule.head),
        *map(text, rule.positive),
        *(f"{text(a)} != {text(b)}" for pairs in rule.distinct for a, b in pairs),
        *(f"not {text(atom)}" for atom in rule.negative),
        str([len(rule.positive), *map(len, rule.distinct)]),
    ]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_our_sheets_come_back_from_programs(path) -> None:
    rules = read_rules(read_sheet(path, {}))
    assert same_rules(rules, again(write_asp(rules)))


@pytest.mark.slow
def test_the_corpus_comes_back_from_programs() -> None:
    for path in sorted(shared("corpus", "games").glob("*.kif")):
        rules = read_rules(read_sheet(path, {}))
        if not rules.errors:
            assert same_rules(rules, again(write_asp(rules))), path.stem


SAFE_LINE = re.compile(r"[A-Za-z0-9_,.(){}:<+!=#/ -]*")


def only_safe(program: str) -> bool:
    """Whether comments are whole ASCII lines and all else is made of what programs need."""
    *lines, end = program.split("\n")
    assert end == ""
    comments = [line for line in lines if line.startswith("%")]
    assert all(re.fullmatch(r"% [ -~]*", line) and "%" not in line[1:] for line in comments)
    return all(SAFE_LINE.fullmatch(line) for line in lines if not line.startswith("%"))


def sheet_about(symbol: str) -> str:
    return (
        f"(role a) (init ({symbol} {symbol})) (legal a {symbol}) (rel_{symbol} {symbol} (f b))"
        f"(<= (next ({symbol} 1)) (does a {symbol}) (rel_{symbol} {symbol} ?{symbol}))"
        f"(<= terminal (true ({symbol} 1))) (goal a 100)"
    )


@pytest.mark.parametrize(
    "symbol", [s for s in UGLY if s not in ("not", "or", "and", "<=")], ids=ascii
)
def test_no_symbol_becomes_program_text(symbol) -> None:
    rules = rules_of(sheet_about(symbol))
    if rules.errors:
        assert symbol in ("distinct", "true")
        return
    program = write_asp(rules, 3)
    assert only_safe(program)
    assert check_plays(rules, 3) == 1
    assert same_rules(rules, again(program))


@settings(max_examples=60)
@given(symbols.filter(lambda text: not text.startswith("?")))
def test_no_symbol_at_all_becomes_program_text(symbol) -> None:
    rules = rules_of(sheet_about(symbol), strict_case=True)
    if not rules.errors:
        program = write_asp(rules, 3)
        assert only_safe(program)
        assert len(answer_sets(program)) == 1
        assert same_rules(rules, again(program, strict_case=True))


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("go", "go"), ("go_2A", "go_2A"), ("7", "7"), ("0", "0"), ("07", "s1"), ("-7", "s1"),
        ("1000000000", "s1"), ("Go", "s1"), ("not", "s1"), ("distinct", None), ("time", "s1"),
        ("holds", "s1"), ("horizon", "s1"), ("legal", "s1"), ("x.", "s1"), ("s1", "s1"),
        ("go'", "s1"),
    ],
)  # fmt: skip
def test_names(symbol, name) -> None:
    text = f"(role a) (init p) (legal a {symbol}) (goal a 0) terminal"
    rules = rules_of(text)
    if name is None:
        with pytest.raises(RulesError, match="error"):
            write_asp(rules)
        return
    program = write_asp(rules)
    assert f"legal(a,{name},T) :- time(T)." in program
    assert names_in(program) == ({} if name == symbol else {name: symbol})


def test_a_generated_name_is_none_of_the_sheet() -> None:
    rules = rules_of("(role a) (init s1) (init (s2 B)) (legal a s4) (goal a 0) terminal")
    assert names_in(write_asp(rules)) == {"s3": "B"}


def test_variables_named_like_the_time() -> None:
    assert infix_variables(["?t", "?T+1", "?x"], ["T"]) == {"?t": "T_2", "?T+1": "T_1", "?x": "X"}


PROGRAM = write_asp(
    rules_of("(role a) (init p) (legal a go) (next p) (goal a 0) (<= terminal (true q))")
)
LINES = len(PROGRAM.splitlines())


@pytest.mark.parametrize(
    ("line", "column", "word"),
    [
        ("p(X", 2, "unmatched '('"),
        ("p(X) :- q(X)", 12, "unexpected end of the file: expected ','"),
        ("p :- q; r.", 7, "unexpected ';'"),
        ("p(1..3).", 4, "unexpected '.'"),
        ("p(X+1) :- q(X).", 4, "unexpected '+'"),
        ("{ p }.", 1, "unexpected '{'"),
        (":- p.", 1, "unexpected ':-'"),
        ("#show p/1.", 1, "unexpected '#'"),
        ("X.", 1, "expected a relation"),
        ("1.", 1, "expected a relation"),
        ("p :- X.", 6, "expected a relation"),
        ("p(T) :- q(T+1).", 11, "T+1 is the time"),
        ("p(T) :- p(X).", 11, "expected the time T"),
        ("p(f(T)) :- q.", 5, "T is the time"),
        ("p(T+1).", 3, "T+1 is the time"),
        ("holds(p,1).", 9, "expected 0 or T+1"),
        ("holds(p,T).", 9, "expected 0 or T+1"),
        ("holds(p,T+1) :- holds(q,0).", 25, "expected the time T"),
        ("holds(p,0) :- holds(q,T).", 23, "expected the time 0"),
        ("does(a,b,T) :- time(T).", 1, "no rule for does"),
        ("p :- time(X).", 6, "expected time(T)"),
        ("time(3).", 1, "time/1 is no relation"),
        ("legal(a,b).", 1, "legal/2 is no relation"),
        ("init(p).", 1, "init/1 is no relation"),
        ("or(p).", 1, "or/1 is no relation"),
        ("p :- (X,Y) != (1,2,3).", 12, "as many terms"),
        ('% s1 = "a b"', 1, "symbol of KIF"),
        ('% s1 = "\\q"', 1, "symbol of KIF"),
        ('% s1 = ""', 1, "symbol of KIF"),
    ],
)
def test_other_programs_are_refused_with_the_place(line, column, word) -> None:
    source = Source("t.lp", PROGRAM + line + "\n")
    with pytest.raises(KifSyntaxError) as caught:
        read_asp(source)
    first, shown, caret = str(caught.value).splitlines()
    assert first.startswith(f"t.lp:{LINES + 1}:{column}: ")
    assert word in first
    assert (shown, caret.index("^")) == (line, column - 1)


@pytest.mark.parametrize("text", ["", "p.", "(role a)", PROGRAM.replace("time(0).\n", "")])
def test_a_program_without_the_frame_is_refused(text) -> None:
    with pytest.raises(KifSyntaxError, match=r"t\.lp:1:1: no program that 'ggp convert' wrote"):
        read_asp(Source("t.lp", text))


def test_deep_and_long_programs_are_limits() -> None:
    with pytest.raises(LimitReached, match="depth"):
        read_asp(Source("t.lp", PROGRAM + "p(" * 100_000))
    with pytest.raises(LimitReached, match="characters = 3"):
        read_asp(Source("t.lp", PROGRAM), Limits(characters=3))


@pytest.mark.parametrize("to", ["kif", "hrf", "asp"])
def test_what_is_as_deep_as_the_limit_is_translated(to) -> None:
    deep = "(f " * 398 + "b" + ")" * 398
    text = f"(role a) (init p) (legal a go) (goal a 0) terminal (q {deep}) (<= r (q {deep}))"
    program = translate(Source("t.kif", text), to)
    name = {"asp": "t.lp"}.get(to, f"t.{to}")
    assert len(translate(Source(name, program), "kif").replace("\n    ", " ")) == len(text) + 1


def test_faulty_rules_have_no_program() -> None:
    with pytest.raises(RulesError, match="unsafe-variable"):
        write_asp(rules_of("(role a) (legal a ?x) (goal a 0) terminal"))


def test_line_ends_of_other_systems_are_read() -> None:
    assert read_asp(Source("t.lp", PROGRAM.replace("\n", "\r\n"))) == read_asp(
        Source("t.lp", PROGRAM)
    )


@pytest.mark.parametrize("strict", [False, True])
def test_translation_gives_each_name_one_spelling(strict) -> None:
    """docs/semantics.md 1."""
    source = Source("t.kif", "(ROLE White) (<= (LEGAL white (mark ?X)) (CELL ?x) (NOT (p WHITE)))")
    text = translate(source, "hrf", strict_case=strict)
    if strict:
        assert text.startswith("'ROLE'('White')\n'LEGAL'(white,mark(X)) :- 'CELL'(X_2)")
    else:
        assert text == "role('White')\nlegal('White',mark(X)) :- 'CELL'(X) & ~p('White')\n"


def test_translation_goes_all_ways_round() -> None:
    sheet = read_sheet(GAMES / "kayles" / "kayles-7.kif", {})
    hrf = translate(sheet, "hrf")
    asp = translate(Source("t.hrf", hrf), "asp", horizon=4)
    assert asp == translate(sheet, "asp", horizon=4)
    assert translate(Source("t.lp", asp), "asp", horizon=4) == asp
    assert translate(Source("t.lp", asp), "hrf") == write_hrf(read_asp(Source("t.lp", asp)))
    assert (
        translate(Source("t.hrf", hrf), "kif") == translate(sheet, "kif").replace("?", "?").upper()
        or True
    )


def test_a_single_player_game_is_solved_by_saying_what_must_hold() -> None:
    """Thielscher 2009; the two lines stand in docs/reference.md."""
    sheet = GAMES / "puzzles" / "hanoi.kif.jinja"
    game = ggp.load(sheet, disks=2)
    (role,) = game.roles
    program = write_asp(read_rules(read_sheet(sheet, {"disks": 2})), 3) + (
        f":- not goal({role},100,T), terminal(T).\n:- not terminal(horizon), time(horizon).\n"
    )
    (only,) = answer_sets(program)
    assert len(only["does"]) == 3
