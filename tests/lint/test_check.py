"""What `ggp.check` reports: one cause, one diagnostic, at the narrowest place."""

from __future__ import annotations

import csv

import pytest

import ggp
from ggp.errors import InputError
from ggp.kif import Source, read_source
from ggp.lint import check_source, fixed
from ggp.rules.catalogue import sound
from tests.conftest import shared

SOUND = sound()


def found(text: str, deep: bool = False) -> list[ggp.Diagnostic]:
    return [d for d in check_source(Source("t", text), deep=deep).diagnostics if d.is_by_default]


def marked(diagnostic: ggp.Diagnostic) -> str:
    """The text that a diagnostic points at."""
    return diagnostic.span.source.text[diagnostic.span.start : diagnostic.span.end]


@pytest.mark.parametrize(
    ("extra", "name", "text"),
    [
        ("(<= terminal (not (tru (step 0))))", "undefined", "(tru (step 0))"),
        ("(<= terminal (true (stepp 1)))", "never-true", "(stepp 1)"),
        ("(<= terminal (step 2))", "missing-true", "(step 2)"),
        ("(<= terminal (true (succ 0 1)))", "needless-true", "(true (succ 0 1))"),
        (
            "(<= (next (at ?x)) (true (step 0))) (<= terminal (true (at 1)))",
            "unsafe-variable",
            "?x",
        ),
        ("(<= terminal (true (step ?x)) (distinct ?x ?y))", "unsafe-variable", "(distinct ?x ?y)"),
        ("(goal white 101)", "goal-value", "101"),
        ("(<= (goal 50 white) (true (step 1)))", "swapped-arguments", "(goal 50 white)"),
        ("(<= (legal whit stay) (true (step 0)))", "not-a-role", "whit"),
        ("(<= (next (step 1)) (does white gone))", "unoffered-move", "gone"),
        ("(<= (legal white stay) (does white go))", "legal-depends", "(does white go)"),
        ("(<= terminal (succ nought 1))", "never-matches", "nought"),
    ],
)
def test_the_place_is_as_narrow_as_the_fault(extra, name, text) -> None:
    (diagnostic,) = found(SOUND + extra)
    assert (diagnostic.name, marked(diagnostic)) == (name, text)


@pytest.mark.parametrize(
    ("extra", "hint"),
    [
        ("(<= terminal (tru (step 0)))", "did you mean (true (step 0))?"),
        ("(<= terminal (true (stepp 1)))", "did you mean (step 1)?"),
        ("(<= terminal (sucb 0 1))", "did you mean (succ 0 1)?"),
        ("(<= terminal (step 2))", "write (true (step 2))"),
        ("(<= (legal whit stay) (true (step 0)))", "did you mean white?"),
        ("(<= (legal ?r rest) (true (step 0)))", "add (role ?r) to the body"),
        ("(inti (step 2))", "did you mean init?"),
    ],
)
def test_the_likely_correction_is_suggested(extra, hint) -> None:
    (diagnostic,) = found(SOUND + extra)
    assert diagnostic.hint == hint


def test_corrections_remove_what_they_correct() -> None:
    for extra in (
        "(<= terminal (tru (step 0)))",
        "(<= terminal (true (stepp 1)))",
        "(<= terminal (step 2))",
        "(<= (goal 50 white) (true (step 1)))",
        "(<= terminal (true (succ 0 1)))",
        "(<= (legal ?r rest) (true (step 0)))",
        "(<= (terminal) (true (step 2)))",
        "(<= (legal whit stay) (true (step 0)))",
    ):
        source = Source("t", SOUND + extra)
        before = check_source(source).diagnostics
        text = fixed(source, before, unsafe=True)
        left = {d.name for d in found(text)}
        assert not left & {d.name for d in before if d.is_by_default}, extra


def test_a_lost_rule_is_one_fault() -> None:
    """The listing of a thesis that lost the rule for `open` gave eight warnings."""
    uses = "".join(f"(<= (goal white {n}) (not open) (true (step 1)))" for n in range(8))
    (diagnostic,) = [d for d in found(SOUND + uses) if "open" in d.message]
    assert diagnostic.name == "undefined"
    assert len(diagnostic.related) == 7


def test_a_rule_that_cannot_be_read_is_not_missed_elsewhere() -> None:
    broken = "(<= open (not (true (step 0)) (true (step 1))))\n(<= terminal (not open))"
    assert [d.name for d in found(SOUND + broken)] == ["keyword-arity"]
    unclosed = "(<= open (true (step 0))\n(<= terminal (not open))"
    assert [d.name for d in found(SOUND + unclosed)] == ["unmatched-open"]


def test_the_variables_of_a_negation_are_one_fault() -> None:
    extra = "(<= (m ?a ?b) (succ ?a ?b)) (<= terminal (not (m ?a ?b)) (not (m ?b ?a)))"
    (diagnostic,) = found(SOUND + extra)
    assert diagnostic.message.startswith("variables ?a, ?b in (not (m ?a ?b)) are bound by nothing")
    assert [word for _, word in diagnostic.related] == ["?b, ?a here too"]


def test_a_cycle_is_told_step_by_step() -> None:
    (diagnostic,) = found(SOUND + "(<= p (not q)) (<= q r) (<= r p) (<= terminal q)")
    assert diagnostic.name == "unstratified"
    told = [diagnostic.span.source.text[s.start : s.end] for s, _ in diagnostic.related]
    assert [marked(diagnostic), *told] == ["q", "r", "p"]


def test_all_syntax_errors_and_all_other_faults_come_in_one_run() -> None:
    text = SOUND + "(init (p)\n(goal white 200)\n(<= terminal (q ?x))\n(<= (q ?y) (true p)\n"
    assert [d.name for d in found(text)] == ["unmatched-open", "goal-value", "unmatched-open"]


def test_all_faults_of_an_infix_sheet_come_in_one_run() -> None:
    """An earlier version stopped at the first syntax error."""
    text = (
        "role(white)\ninit(step(0)\nlegal(white,go)\nnext(step(1)) :- true(step(,))\n"
        "terminal :- true(step(1)) & tru(step(0))\ngoal(white,200)\n"
    )
    checked = check_source(Source("t.hrf", text)).diagnostics
    assert [(d.span.line, d.name) for d in checked] == [
        (2, "syntax"),
        (4, "syntax"),
        (5, "undefined"),
        (6, "goal-value"),
    ]


def test_check_takes_a_path_or_a_text(tmp_path) -> None:
    sheet = tmp_path / "one.kif"
    sheet.write_text(SOUND + "(<= terminal (step 2))", encoding="utf-8")
    assert [d.name for d in ggp.check(sheet)] == ["missing-true"]
    assert [d.name for d in ggp.check(str(sheet))] == ["missing-true"]
    assert [d.name for d in ggp.check(sheet.read_text("utf-8"))] == ["missing-true"]
    assert ggp.check(SOUND, deep=True) == []
    with pytest.raises(InputError):
        ggp.check("no-such-file.kif")


def test_faults_of_play_have_a_play_that_leads_there() -> None:
    extra = "(role black) (goal black 0) (legal black a) (<= (legal black b) (true (step 0)))\n"
    text = SOUND.replace("(true (step 1))", "(true (step 2))") + "(succ 1 2)" + extra
    text = text.replace("(legal black a)", "(<= (legal black a) (true (step 0)))")
    stuck = next(d for d in found(text, deep=True) if d.name == "stuck")
    assert stuck.message == "black has no legal move although the game is not over"
    state = ggp.parse(text).initial
    for joint in stuck.play or ():
        state = state.play(dict(zip(("white", "black"), joint, strict=True)))
    assert tuple(map(str, state.facts)) == stuck.facts
    assert not state.terminal
    assert state.legal("black") == ()


def test_deep_checks_wait_for_the_errors() -> None:
    checked = check_source(Source("t", SOUND + "(goal white 101)"), deep=True)
    assert [q.answer for q in checked.questions] == [None]


def test_what_a_limit_keeps_from_being_decided_is_said() -> None:
    from dataclasses import replace

    from ggp.limits import DEFAULT

    text = SOUND + "(<= (legal white (m ?a ?b)) (true (step ?a)) (true (step ?b)))"
    limits = replace(DEFAULT, ground_rules=1)
    checked = check_source(Source("t", text), deep=True, limits=limits)
    assert [q.answer for q in checked.questions] == [None]
    assert "ground_rules" in checked.questions[0].why


def whole(extra: str) -> str:
    """What `--fix` makes of the sound sheet with `extra` in it."""
    source = Source("t", SOUND + extra)
    for _ in range(5):
        source = Source("t", fixed(source, check_source(source).diagnostics))
    return source.text


@pytest.mark.parametrize(
    ("extra", "text"),
    [
        ("(succ(1)2)", "(succ 1 2)"),
        ("(succ(1)(2))", "(succ 1  2)"),
        ("(succ (1)#|x|#2)", "(succ 1 #|x|#2)"),
        ("(succ 1 (2)#| last |#)", "(succ 1 2 #| last |#)"),
    ],
)
def test_corrections_do_not_glue_symbols_together(extra, text) -> None:
    """An adversary's: `(role(white))` became `rolewhite`."""
    assert whole(extra).endswith(text)


@pytest.mark.parametrize(
    ("extra", "text"),
    [
        ("(<= lost (or (or a b) c))", "(<= lost (or a b c))"),
        ("(<= lost (and a (and b c)) d)", "(<= lost a b c d)"),
        ("(<= lost (or (and a b) c))", "(<= lost (or (and a b) c))"),
        ("(<= lost (not (not a)))", "(<= lost a)"),
        ("(<= lost (not (or a b)))", "(<= lost (not a) (not b))"),
        ("(<= lost (or c (not (or a b))))", "(<= lost (or c (not (or a b))))"),
        ("(<= lost (not (and a (not b))))", "(<= lost (or (not a) b))"),
        ("(<= lost (not (or a ; why\n b)))", "(<= lost (not (or a ; why\n b)))"),
        ("(succ 0 1)\n(succ 1 2)", "(succ 1 2)"),
        ("(succ 1 2)\n(succ 1 2)\n(succ 2 3)", "(succ 1 2)\n(succ 2 3)"),
        ("(role white)", ""),
        ("(succ 1 ; one\n 2)(succ 1 ; one\n 2)", "(succ 1 ; one\n 2)(succ 1 ; one\n 2)"),
        ("(<= lost (true (Step 1)))", "(<= lost (true (step 1)))"),
    ],
)
def test_corrections_that_keep_the_meaning(extra, text) -> None:
    from ggp.rules import read_rules

    after = whole(extra)
    assert after == SOUND + text
    before = read_rules(Source("t", SOUND + extra)).rules
    assert set(map(str, read_rules(Source("t", after)).rules)) == set(map(str, before))


@pytest.mark.parametrize(
    ("extra", "left"),
    [
        # Of cases that overlap none is left out, and nothing is said.
        ("(<= lost (or a b))\n(<= lost (or b c))", None),
        ("(<= lost a)\n(<= lost (or a b))", "(<= lost (or a b))"),
        ("(<= lost (or a b))\n(<= lost a)", "(<= lost (or a b))\n"),
        ("(<= lost (or a b))\n(<= lost (or b a))", "(<= lost (or a b))\n"),
        ("(<= lost a)\n(<= lost b)\n(<= lost (or a b))", "(<= lost a)\n(<= lost b)\n"),
    ],
)
def test_a_rule_is_left_out_where_all_its_cases_stand_elsewhere(extra, left) -> None:
    assert whole(extra).strip() == (SOUND + (extra if left is None else left)).strip()
    assert ("duplicate" in {d.name for d in found(SOUND + extra)}) == (left is not None)


@pytest.mark.parametrize(
    ("extra", "hint", "text"),
    [
        ("(=< terminal (true (step 0)))", "write <=", "(<= terminal (true (step 0)))"),
        ("(:- terminal (true (step ?x)))", "write <=", "(<= terminal (true (step ?x)))"),
        (
            "(<=terminal (true (step 0)))",
            "write a blank behind <=",
            "(<= terminal (true (step 0)))",
        ),
        (
            "(=> (true (step 0)) terminal)",
            "a rule is (<= HEAD CONDITION ...), its head first",
            "(=> (true (step 0)) terminal)",
        ),
    ],
)
def test_another_arrow_makes_no_rule(extra, hint, text) -> None:
    """A stranger's: a keyword was "used as a function", without a word on `=<`."""
    source = Source("t", SOUND + extra)
    (diagnostic,) = found(source.text)
    assert (diagnostic.name, diagnostic.hint) == ("odd-arrow", hint)
    assert fixed(source, [diagnostic], unsafe=True) == SOUND + text


def test_an_arrow_may_be_the_name_of_a_relation() -> None:
    extra = "(=< 0 1) (< 0 1) (<= terminal (=< 0 1) (< 0 1) (true (step 1)))"
    assert found(SOUND + extra) == []


@pytest.mark.parametrize(
    ("extra", "hint"),
    [
        ("(<= terminal (true step 0))", "did you mean (true (step 0))?"),
        ("(init step 2)", "did you mean (init (step 2))?"),
        ("(<= terminal (not true (step 0)))", "did you mean (not (true (step 0)))?"),
        ("(<= terminal true (step 0))", "write (true ...), with what belongs to it in"),
        ("(<= terminal (true (not (step 0))))", "write (not (true ...)): 'not' stands"),
    ],
)
def test_parentheses_that_a_keyword_lacks(extra, hint) -> None:
    (diagnostic,) = found(SOUND + extra)
    assert diagnostic.hint.startswith(hint)


@pytest.mark.parametrize(
    ("extra", "names"),
    [
        ("(<= late (true (step ?x)) (distinct ?x ?x)) (<= terminal late)", ["never-holds"]),
        ("(<= (open ?x) (true (step ?y)) (distinct ?y ?y)) (<= terminal (open 1))",
         ["never-holds", "unsafe-variable"]),
        ("(<= lost (distinct a a) (not lost)) (<= terminal lost)",
         ["never-holds", "unstratified"]),
    ],
)  # fmt: skip
def test_a_rule_that_contradicts_itself_is_a_rule_all_the_same(extra, names) -> None:
    """An adversary's: its head was "defined by nothing", its own faults were not seen."""
    assert sorted(d.name for d in found(SOUND + extra)) == names


def test_a_terminal_that_never_holds_is_there() -> None:
    text = SOUND.replace("(<= terminal (true (step 1)))", "(<= terminal (distinct a a))")
    assert "no-terminal" not in {d.name for d in found(text)}
    assert not ggp.parse(text).initial.terminal


def test_a_rule_for_next_that_holds_at_an_end_only_never_fires() -> None:
    """An adversary's: what holds at an end made it fire."""
    extra = "(<= (next (step 3)) (true (step 1)))"
    dead = [d for d in found(SOUND + extra, deep=True) if d.name == "dead-rule"]
    assert [marked(d) for d in dead] == [extra]


def test_nobody_may_move_at_an_end() -> None:
    extra = "(input white go) (input white stay) (<= (legal white end) (true (step 1)))"
    names = {d.name for d in found(SOUND + extra, deep=True)}
    assert "input-misses" not in names


def test_a_fluent_that_vanishes_is_no_place_that_is_kept() -> None:
    """An adversary's: the diagnostic and the answer to the question said opposite things."""
    text = SOUND.replace("(true (step 1))", "(true (step 2))") + (
        "(succ 1 2) (init (cell 1 b)) (init (cell 2 w)) (init (cell 3 b))"
        "(<= (next (cell ?x ?c)) (true (cell ?x ?c)) (distinct ?x 2))"
        "(<= terminal (true (cell 2 b)) (true (step 1)))"
    )
    checked = check_source(Source("t", text), deep=True)
    assert "fluent-goes" in {d.name for d in checked.diagnostics}
    answers = {q.question: q.answer for q in checked.questions}
    assert answers["no place of a board becomes empty"] is False


BOARD = """
(role left) (role right) (init (control left))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
(init (pin 1 up)) (init (pin 2 up)) (init (pin 3 up))
(<= (legal ?p (hit ?x)) (true (control ?p)) (true (pin ?x up)))
(<= (hits ?x) (does ?p (hit ?x)))
(<= (legal ?p both) (true (control ?p)) (true (pin 1 up)) (true (pin 2 up)))
(<= (hits 1) (does ?p both)) (<= (hits 2) (does ?p both))
(<= (next (pin ?x down)) (hits ?x))
(<= (next (pin ?x ?s)) (true (pin ?x ?s)) (not (hits ?x)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= up (true (pin ?x up)))
(<= terminal (not up))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (true (control ?q)) (distinct ?p ?q))
"""
FRAME = "(<= (next (pin ?x ?s)) (true (pin ?x ?s)) (not (hits ?x)))\n"


NARROW = FRAME.replace("(not (hits ?x))", "(not (hits ?x)) (distinct ?x 3)")


@pytest.mark.parametrize("left", ["", NARROW])
def test_a_missing_frame_axiom_is_one_fault(left) -> None:
    """What follows from it (rules that never fire, no choice, no win) gave five warnings more."""
    assert found(BOARD, deep=True) == []
    told = found(BOARD.replace(FRAME, left), deep=True)
    (diagnostic,) = [d for d in told if d.severity != "note"]
    assert diagnostic.name == "empty-place"


def test_faults_with_reasons_of_their_own_are_told_beside_a_missing_frame_axiom() -> None:
    text = BOARD.replace(FRAME, "") + "(<= (goal left 50) (true (pin 1 up)) (true (pin 1 down)))"
    names = [d.name for d in found(text, deep=True) if d.severity != "note"]
    assert sorted(names) == ["dead-rule", "empty-place"]


def test_an_error_that_follows_stays_and_says_what_to_mend_first() -> None:
    text = BOARD.replace("(<= (next (control left)) (true (control right)))\n", "")
    told = {d.name: d for d in found(text, deep=True)}
    assert set(told) == {"stuck", "no-goal-value", "fluent-goes"}
    line = told["fluent-goes"].span.line
    assert told["stuck"].hint == f"it follows from what is said of line {line}: mend that first"
    assert told["fluent-goes"].severity == "warning"


def test_what_a_slip_leads_to_in_play_is_not_told_again() -> None:
    text = BOARD.replace("(<= up (true (pin ?x up)))", "(<= up (true (pinn ?x up)))")
    assert [d.name for d in found(text, deep=True)] == ["never-true"]


def test_rules_that_rest_on_what_is_never_offered_are_not_told() -> None:
    rule = "(<= (legal ?p (hit ?x)) (true (control ?p)) (true (pin ?x up)))\n"
    names = [d.name for d in found(BOARD.replace(rule, ""), deep=True)]
    assert "dead-rule" not in names
    assert "unoffered-move" in names


def test_roles_without_a_goal_at_one_end_are_one_fault() -> None:
    text = BOARD.replace("(role left)", "(role left) (role third)").replace(
        "(<= (goal ?p 100) (role ?p)", "(<= (goal ?p 100) (winner ?p)"
    )
    told = [d for d in found(text, deep=True) if d.name == "no-goal-value"]
    assert [d.message for d in told] == [
        "left has no goal value at an end of play",
        "third and right have no goal value at an end of play",
    ]


def test_a_relation_that_is_misspelt_where_it_is_defined() -> None:
    text = BOARD.replace("(<= (hits 1)", "(<= (hitss 1)")
    (diagnostic,) = [d for d in found(text) if d.severity != "note"]
    assert (diagnostic.name, diagnostic.hint) == ("unused", "did you mean hits?")


def test_what_a_rule_without_a_body_leads_to_is_not_told_again() -> None:
    text = BOARD.replace("(<= (hits 1) (does ?p both))", "(<= (hits 1))")
    told = [d for d in found(text, deep=True) if d.severity == "warning"]
    assert [d.name for d in told] == ["rule-without-body"]


RUN = """(role a) (role b)
(init (n 0))
(legal a go)
(legal b noop)
(<= (next (n ?y)) (true (n ?x)) (step ?x ?y))
(<= (next gone) (true (n 2)))
(<= terminal (true (n 2)))
(<= (goal a 100) (true (n ?x)))
(<= (goal b 0) (true (n ?x)))
(<= (goal b 100) (true gone))
"""


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ("(step 0 1)\n(step 0 1)\n(step 1 2)\n", "duplicate"),
        ("(<= (step 0 1))\n(step 1 2)\n", "rule-without-body"),
        ("(step 0 (1))\n(step (1) 2)\n", "needless-parentheses"),
    ],
)
def test_a_remark_about_the_text_above_hides_no_fault_of_play(steps, name) -> None:
    """Lines that moved, and rules left out so that play stopped sooner, hid three warnings."""
    names = sorted(d.name for d in found(steps + RUN, deep=True))
    assert names == sorted([name, "no-choice", "dead-rule", "unwinnable"])


def test_an_error_is_not_said_to_follow_from_what_does_not_change_the_rules() -> None:
    steps = "(step 0 1)\n(step 0 1)\n(step 1 2)\n"
    text = steps + RUN.replace("(legal a go)", "(<= (legal a go) (true (n 0)))")
    (stuck,) = [d for d in found(text, deep=True) if d.name == "stuck"]
    assert "follows" not in stuck.hint


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(init (control left))", "(inti ; first\n (control left))"),
        ("(true (pin ?x up))", "(true (pinn ?x ; here\n up))"),
        ("(does ?p (hit ?x))", "(does ?p (hitt ?x ; here\n))"),
        ("(init (pin 1 up))", "(init (pinn ; here\n 1 up))"),
    ],
)
def test_a_name_is_corrected_where_it_stands(old, new) -> None:
    """The whole term was written anew, without the comments in it."""
    text = BOARD.replace(old, new, 1)
    source = Source("t", text)
    mended = fixed(source, check_source(source).diagnostics, unsafe=True)
    for wrong, right in (("inti", "init"), ("pinn", "pin"), ("hitt", "hit")):
        text = text.replace(wrong, right)
    assert mended == text


@pytest.mark.parametrize(
    ("extra", "name", "hint"),
    [
        ("(on a 1) (on 2 a) (on 3 a)", "odd-arguments", "did you mean (on 1 a)?"),
        ("(on 1 a) (on 2 a) (on 3 ay)", "odd-name", ""),
        ("(other 1 2) (other 2y 1)", "odd-name", ""),
        ("(peg az) (peg b) (peg c) (at 1 a) (<= terminal (at ?x a) (succ 0 ?x))", "odd-name", ""),
        (
            "(pin 1 up) (pin 2 down) (pin 3 up) (<= (pin down ?x) (pin ?x up) (pin ?x down))",
            "odd-arguments",
            "did you mean (pin ?x down)?",
        ),
        (
            "(way n less same) (way s less more) (way e same more) (way w same less)"
            "(way se more more) (way nw more less) (way more ne more)",
            "odd-arguments",
            "did you mean (way ne more more)?",
        ),
    ],
)
def test_constants_out_of_place(extra, name, hint) -> None:
    """Mutants of our own sheets that nothing was said of."""
    relation, *args = extra[1 : extra.index(")")].split()
    body = " ".join(f"?a{i}" for i in range(len(args)))
    use = f"(<= terminal ({relation} {body}) (true (step 1)))"
    (diagnostic,) = [d for d in found(SOUND + extra + use) if d.severity == "warning"]
    assert (diagnostic.name, diagnostic.hint) == (name, hint)


@pytest.mark.parametrize(
    "extra",
    [
        "(pair a ab) (pair b ba) (pair c ac)",
        "(row 1 x1) (row 2 x2)",
        "(way n s) (way s n) (way e w) (way w e) (way ne sw)",
        "(other 1 2) (other 2b 1)".replace("2b", "top"),
    ],
)
def test_constants_that_are_where_they_belong(extra) -> None:
    relation = extra[1:].split()[0]
    use = f"(<= terminal ({relation} ?a ?b) (true (step 1)))"
    assert [d.name for d in found(SOUND + extra + use)] == []


def test_too_many_branches_are_a_fault_of_one_rule() -> None:
    ors = " ".join("(or (true (step 0)) (true (step 1)))" for _ in range(24))
    text = SOUND + f"(<= terminal {ors})\n(goal white 101)"
    assert [d.name for d in found(text)] == ["too-many-branches", "goal-value"]


MANY = 4_000


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"(p a{i} b{i % 7})" for i in range(MANY)),
        "".join(f"(<= (rel{i:05}x) (rel{i:05}y))" for i in range(MANY)),
        "".join(f"(<= (p a{i} ?x) (true (step ?x)) (not (p a{i + 1} ?x)))" for i in range(MANY)),
        "".join(f"(p n{i:05}x)" for i in range(MANY)) + "(<= terminal (p n00000y))" * MANY,
        "(p " + " ".join(f"c{i}" for i in range(MANY)) + ")",
        " b )" * MANY,
    ],
    ids=["facts", "undefined", "negations", "names", "wide", "strays"],
)
def test_the_work_of_a_check_grows_with_the_text(text) -> None:
    """An adversary's: each of these took longer than a minute. Calls are counted, not seconds."""
    import cProfile
    import pstats

    profile = cProfile.Profile()
    profile.runcall(check_source, Source("t", SOUND + text))
    calls = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    assert calls < 40 * len(text) + 10_000_000


@pytest.mark.parametrize(
    ("extra", "text"),
    [
        ("(<= (goal 100 ?p) (role ?p) (true (step 1)))", "(goal 100 ?p)"),
        ("(<= (next (at ?r)) (does (mark ?r) ?p) (role ?p) (succ ?r ?r))", "(does (mark ?r) ?p)"),
    ],
)
def test_arguments_that_are_swapped_with_variables(extra, text) -> None:
    """A stranger's: only constants were looked at."""
    places = [marked(d) for d in found(SOUND + extra) if d.name == "swapped-arguments"]
    assert places == [text]


def test_the_table_of_faulty_sheets() -> None:
    """What is made for people changes no verdict of the reference table."""
    table = shared("badrules", "EXPECTED.csv")
    with open(table, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            checked = check_source(read_source(table.parent / row["file"]))
            severities = {d.severity for d in checked.diagnostics if d.is_by_default}
            worst = next((s for s in ("error", "warning") if s in severities), "ok")
            assert worst == row["worst_severity"], row["file"]


REGISTERS = """(role left) (role right)
(init (v x 0)) (init (v y 1)) (init (control left))
(<= (legal ?p (flip ?g)) (true (control ?p)) (true (v ?g 0)))
(<= (legal ?p (clear ?g)) (true (control ?p)) (true (v ?g 1)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (v ?g 1)) (does ?p (flip ?g)))
(<= (next (v ?g 0)) (does ?p (clear ?g)))
(<= (next (v ?g ?k)) (true (v ?g ?k)) (not (changed ?g)))
(<= (changed ?g) (does ?p (flip ?g)))
(<= (changed ?g) (does ?p (clear ?g)))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= terminal (true (v x 1)))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""


def test_values_that_differ_at_first_are_no_places() -> None:
    """`(v ? 0)` was said to become empty, and (v x 1) and (v y 1) to hold at once."""
    assert [d for d in found(REGISTERS, deep=True) if d.severity != "note"] == []


def test_a_register_that_loses_its_value_is_told() -> None:
    text = REGISTERS.replace("(<= (next (v ?g 0)) (does ?p (clear ?g)))\n", "")
    told = [d for d in found(text, deep=True) if d.name == "empty-place"]
    assert [d.message for d in told if "(v x ?)" in d.message or "(v y ?)" in d.message]
