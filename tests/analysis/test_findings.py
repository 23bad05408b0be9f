"""Findings: the truth table of the 2007 thesis's games, its mistakes, and traps of definition."""

from __future__ import annotations

import json
from itertools import pairwise, product

import pytest

import ggp
from ggp import parse
from ggp.analysis import Counterexample, Enumeration, Stopped
from ggp.checker import check_certificate, read_certificate
from ggp.errors import BudgetSpent
from ggp.kif import Term
from ggp.limits import Budget, Limits
from ggp.rules.chains import chain_of
from tests.conftest import GAMES, nightly
from tests.golden_reports import kept, kept_findings
from tests.oracle.random_games import random_game

SG = GAMES / "subtraction"


@pytest.mark.parametrize(
    ("sheet", "form", "impartial", "all_small", "states"),
    [
        (GAMES / "kayles/kayles-7.kif", "normal", True, True, 222),
        (GAMES / "turtles/turtles-13.kif", "normal", True, True, 16_382),
        (GAMES / "domineering/domineering-3x4.kif", "normal", False, False, 255),
        (SG / "sg-123-21.kif", "normal", True, True, 42),
        (SG / "sg-123-21-misere.kif", "misère", True, True, 42),
        (SG / "sg-125.kif", "normal", True, True, 3_424),
        (SG / "sg-157.kif", "normal", True, True, 1_716),
        (SG / "sg-357.kif", "normal", True, True, 720),
        (SG / "sg-12-15.kif", "normal", True, True, 168),
        (SG / "sg-157-floor-2.kif", "normal", True, True, 990),
    ],
    ids=lambda value: getattr(value, "stem", None),
)
def test_the_truth_about_the_thesis_suite(sheet, form, impartial, all_small, states) -> None:
    found = kept_findings(sheet)
    expected = {
        "players": 2, "turns": "alternating", "form": form, "impartial": impartial,
        "all_small": all_small, "reachable_states": states,
    }  # fmt: skip
    assert {name: found[name]["value"] for name in expected} == expected
    for name, value in (("impartial", impartial), ("all_small", all_small)):
        assert found[name]["certainty"] == ("proved" if value else "refuted")


def test_clobber_is_not_impartial_but_all_small() -> None:
    """The thesis's lexical test called it impartial (section 6.2.2); WB already differs."""
    found = ggp.load(GAMES / "clobber/clobber.kif.jinja", rows=1, columns=2).analyse()
    assert found.value("impartial") is False
    assert found.value("all_small") is True
    evidence = found["impartial"].evidence
    assert isinstance(evidence, Counterexample)
    assert evidence.move is not None


def test_heaps_with_different_sets_are_told_apart() -> None:
    """The thesis gave both heaps {1,2,5} (section 6.2.4, table 7) and called the game won."""
    for name in ("sg-12-15.kif", "sg-12-15-named.kif"):
        report = kept(SG / name)
        heaps = [(heap["size"], heap["subtraction_set"]) for heap in report["heaps"]]
        assert heaps == [(7, [1, 2]), (11, [1, 5])]
        assert report["solution"]["outcome"] == "P"


def test_a_heap_that_stops_at_2() -> None:
    """The thesis counted from 0 (section 6.2.4, table 6)."""
    heaps = kept(SG / "sg-157-floor-2.kif")["heaps"]
    assert [(h["size"], h["floor"], h["subtraction_set"]) for h in heaps] == [
        (10, 2, [1, 5, 7]), (11, 2, [1, 5, 7]), (12, 2, [1, 5, 7]),
    ]  # fmt: skip
    assert heaps[0]["nim_values"] == [0, 1, 0, 1, 0, 1, 0, 1, 0]


def test_moves_that_name_the_amount_give_the_same_heaps() -> None:
    one, other = (kept(SG / name)["heaps"] for name in ("sg-125.kif", "sg-125-take.kif"))
    assert one == other
    assert len(one) == 3


def one_heap(left: str, right: str, size: int) -> str:
    """A heap from which each player may take other amounts; who cannot move loses."""
    chain = " ".join(f"(succ {n} {n + 1})" for n in range(6))
    takes = "".join(
        f"(<= (can {role} {d} ?a) (succ ?a ?b0) "
        + " ".join(f"(succ ?b{i} ?b{i + 1})" for i in range(int(d) - 1))
        + f" (true (heap ?b{int(d) - 1})))"
        for role, amounts in (("l", left), ("r", right))
        for d in amounts.split()
    )
    return f"""(role l) (role r) (init (heap {size})) (init (turn l)) {chain} {takes}
    (<= (legal ?p (take ?d)) (true (turn ?p)) (can ?p ?d ?a))
    (<= (legal l wait) (true (turn r))) (<= (legal r wait) (true (turn l)))
    (<= (next (heap ?a)) (does ?p (take ?d)) (can ?p ?d ?a))
    (<= (next (turn l)) (true (turn r))) (<= (next (turn r)) (true (turn l)))
    (<= moves (true (turn ?p)) (can ?p ?d ?a)) (<= terminal (not moves))
    (<= (goal ?p 0) (true (turn ?p))) (<= (goal l 100) (true (turn r)))
    (<= (goal r 100) (true (turn l)))"""


@pytest.mark.parametrize(
    ("left", "right", "size", "impartial", "all_small"),
    [
        ("1 2", "1 2", 4, True, True),
        ("1", "1 2", 2, False, True),
        ("1 2", "1", 2, False, True),
        ("", "1", 1, False, False),
        ("1", "", 3, False, False),
        ("2", "1 2", 4, False, False),
    ],
)
def test_both_directions_count(left, right, size, impartial, all_small) -> None:
    """One-sided tests pass Left {1}, Right {1,2} as impartial and { | 1} as all-small."""
    found = parse(one_heap(left, right, size)).analyse()
    assert found.value("impartial") is impartial
    assert found.value("all_small") is all_small


@pytest.mark.parametrize(
    ("pairs", "chain"),
    [
        ("01 12 23", "0123"),
        ("23 01 12", "0123"),
        ("32 21 10", "3210"),
        ("01 12", None),
        ("01 12 23 30", None),
        ("01 12 23 ab ba", None),
        ("01 ab bc", None),
        ("01 12 13", None),
        ("02 12 23", None),
        ("00 11 22", None),
        ("01 ab ba", None),
    ],
)
def test_a_successor_relation_is_one_chain(pairs, chain) -> None:
    """One start, one end, unique neighbours, three pairs, and connected."""
    terms = [(Term(a), Term(b)) for a, b in pairs.split()]
    found = chain_of(terms)
    assert (None if found is None else "".join(map(str, found))) == chain


@pytest.mark.parametrize(
    ("sheet", "settings", "turns"),
    [
        ("simultaneous/rock-paper-scissors.kif", {}, "simultaneous"),
        ("puzzles/lights-out-3x3.kif", {}, "single-player"),
        ("three-players/last-match.kif", {}, "alternating"),
        ("tic-tac-toe/tic-tac-toe.kif", {}, "alternating"),
    ],
)
def test_turns(sheet, settings, turns) -> None:
    assert ggp.load(GAMES / sheet, **settings).analyse().value("turns") == turns


EXTRA_TURNS = """(role l) (role r) (init (n 3)) (init (turn l)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?p keep) (true (turn ?p))) (<= (legal ?p pass) (true (turn ?p)))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (next (n ?y)) (true (n ?x)) (succ ?y ?x))
(<= (next (turn ?p)) (does ?p keep)) (<= (next (turn l)) (does r pass))
(<= (next (turn r)) (does l pass)) (<= terminal (true (n 0)))
(<= (goal ?p 0) (true (turn ?p))) (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))"""


def test_extra_turns_are_said_to_be_extra() -> None:
    finding = parse(EXTRA_TURNS).analyse()["turns"]
    assert finding.value == "with extra turns"
    assert isinstance(finding.evidence, Counterexample)


def test_tic_tac_toe_is_of_no_pure_form() -> None:
    finding = ggp.load(GAMES / "tic-tac-toe/tic-tac-toe.kif").analyse()["form"]
    assert finding.value == "other"
    assert finding.certainty == "refuted"
    assert isinstance(finding.evidence, Counterexample)


def test_witnesses_can_be_replayed() -> None:
    game = ggp.load(GAMES / "tic-tac-toe/tic-tac-toe.kif")
    for finding in game.analyse():
        if isinstance(finding.evidence, Counterexample):
            for witness in finding.evidence.states:
                state = game.state(witness.facts)
                if witness.path is not None:
                    walked = game.initial
                    for joint in witness.path:
                        walked = walked.play(dict(zip(game.roles, joint, strict=True)))
                    assert walked == state


def test_a_cycle_is_shown_as_a_loop() -> None:
    game = ggp.load(GAMES / "puzzles/hanoi.kif.jinja", disks=2)
    finding = game.analyse()["cyclic"]
    assert finding.value is True
    assert isinstance(finding.evidence, Counterexample)
    loop = [game.state(witness.facts) for witness in finding.evidence.states]
    role = game.roles[0]
    assert loop[0] == loop[-1]
    for state, after in pairwise(loop):
        assert after in [state.play({role: move}) for move in state.legal(role)]


def test_unknown_names_the_limit() -> None:
    found = ggp.load(GAMES / "tic-tac-toe/tic-tac-toe.kif").analyse(positions=100)
    finding = found["longest_play"]
    assert finding.certainty == "unknown"
    assert finding.value is None
    assert isinstance(finding.evidence, Stopped)
    assert finding.evidence.limit == "positions"
    assert found["players"].certainty == "proved"
    assert found["turns"].certainty == "proved"


def test_faults_of_play_are_findings() -> None:
    stuck = parse(
        "(role a) (init p) (<= (legal a x) (true p)) (<= (next q) (true p)) (goal a 1)"
        "(<= terminal (true r))"
    ).analyse()
    assert stuck.value("playable") is False
    assert "no legal move" in stuck["playable"].evidence.why
    goals = parse("(role a) (legal a x) terminal (goal a 1) (goal a 2)").analyse()
    assert "more than one" in goals["playable"].evidence.why


def test_questions_without_sense_are_left_out() -> None:
    found = ggp.load(GAMES / "puzzles/lights-out-3x3.kif").analyse()
    assert "impartial" not in found
    with pytest.raises(KeyError):
        found["impartial"]


def test_json_is_plain_data() -> None:
    data = ggp.load(GAMES / "kayles/kayles-7.kif").analyse().as_json()
    assert set(data) == {"game", "roles", "findings", "heaps"}
    for finding in data["findings"]:
        assert set(finding) == {"property", "value", "certainty", "evidence"}
        assert finding["certainty"] in ("proved", "exhaustive", "refuted", "unknown")
    evidence = ggp.load(GAMES / "kayles/kayles-7.kif").analyse()["reachable_states"].evidence
    assert isinstance(evidence, Enumeration)
    assert evidence.positions == 222


def by_brute_force(game: ggp.Game) -> dict[str, bool]:
    """Whether each role reaches its best goal, and whether from every state some play ends."""
    after: dict[ggp.State, list[ggp.State]] = {}
    todo = [game.initial]
    while todo:
        state = todo.pop()
        if state not in after:
            legal = [[] if state.terminal else state.legal(role) for role in game.roles]
            joint = (dict(zip(game.roles, moves, strict=True)) for moves in product(*legal))
            after[state] = [state.play(moves) for moves in joint]
            todo += after[state]
    ending = {state for state in after if state.terminal}
    goals = [state.goals for state in ending]
    while more := {s for s, found in after.items() if s not in ending and ending & set(found)}:
        ending |= more
    named = [tuple(map(str, r.head.args)) for r in game.rules.rules if r.head.name == "goal"]
    best = {}
    for i, role in enumerate(game.roles):
        own = [value for whose, value in named if whose == role or whose.startswith("?")]
        best[role] = max([*(v for v, _ in game.net.goals[i]), *map(int, filter(str.isdigit, own))])
    return {
        "terminating": len(ending) == len(after),
        "winnable": all(any(g[role] == best[role] for g in goals) for role in game.roles),
    }


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 40))])
def test_ends_and_best_goals_of_random_games(seed) -> None:
    game = ggp.parse(random_game(seed))
    if len(game.space()) > 3000:
        pytest.skip("too many positions for plain Python")
    findings = game.analyse()
    assert {name: findings.value(name) for name in ("terminating", "winnable")} == by_brute_force(
        game
    )


TRAP = """(role p) (init (at 0)) (<= (legal p (to ?y)) (true (at ?x)) (road ?x ?y))
    (road 0 1) (road 0 2) (road 2 2) (<= (next (at ?y)) (does p (to ?y)))
    (<= terminal (true (at 1))) (goal p 50) (<= (goal p 100) (true (at 3)))"""


def test_traps_and_goals_out_of_reach() -> None:
    """From 2 no play ends; the best goal would be had at 3, where no road leads."""
    findings = ggp.parse(TRAP).analyse()
    assert findings.value("terminating") is False
    [witness] = findings["terminating"].evidence.states
    assert witness.facts == ("(at 2)",)
    assert findings.value("winnable") is False
    reached = TRAP.replace("(road 2 2)", "(road 2 1)").replace(
        "(goal p 50)", "(goal p 50) (road 9 3)"
    )
    reached = reached.replace("(init (at 0))", "(init (at 0)) (init far)")
    reached = reached.replace("(true (at 3))", "(true (at 1)) (not (true far))")
    reached += " (<= (next far) (true far))"
    findings = ggp.parse(reached.replace("(goal p 50)", "(<= (goal p 50) (true far))")).analyse()
    assert findings.value("terminating") is True
    assert findings.value("winnable") is False
    stuck = ggp.parse(TRAP.replace("(road 2 2)", "")).analyse()
    assert (stuck.value("playable"), stuck.value("terminating")) == (False, False)


def test_a_heap_that_moves_lower_is_no_step_counter() -> None:
    """A step counter goes on by itself, whatever is played; a heap falls by what is taken."""
    game = ggp.load(GAMES / "subtraction" / "sg-123-21.kif")
    assert "step_counters" not in game.analyse()
    assert "step_counters" in ggp.parse(EXTRA_STEP).analyse()


EXTRA_STEP = """(role p) (init (step 1)) (s 1 2) (s 2 3) (s 3 4)
    (<= (legal p (go ?x)) (kind ?x)) (kind a) (kind b) (<= (next (met ?x)) (does p (go ?x)))
    (<= (next (step ?n)) (true (step ?m)) (s ?m ?n)) (<= terminal (true (step 4))) (goal p 100)"""


@pytest.mark.parametrize("beyond", ["(s 4 5) (s 5 6)", "(s 4 1) (s 9 9)"])
def test_a_step_counter_counts_as_far_as_play_goes(beyond) -> None:
    """Numbers after the last one of play have no successor in checkers and in crossers3; no play
    gets there."""
    sheet = EXTRA_STEP.replace("(s 3 4)", f"(s 3 4) {beyond}")
    findings = ggp.parse(sheet).analyse()
    assert [c["steps"] for c in findings.value("step_counters")] == [3]
    assert (findings["cyclic"].value, findings["cyclic"].certainty) == (False, "proved")
    checked = check_certificate(read_certificate(json.dumps(findings.certificate())), 60)
    assert [c.property for c in checked if c.property == "cyclic" and c.holds]
    endless = sheet.replace("(<= terminal (true (step 4)))", "(<= terminal (true (step 9)))")
    assert "step_counters" not in ggp.parse(endless).analyse()


class _Counting(Budget):
    """An account that is spent from its nth look on."""

    def __init__(self, looks: float) -> None:
        super().__init__(Limits())
        self.looks = looks

    def check(self, detail: str, planned: int = 0) -> None:
        self.looks -= 1
        if self.looks < 0:
            raise BudgetSpent("time", 1.0, detail)


PAIRS = """(role left) (role right) (init (control left)) (init (on 1)) (init (on 2)) (init (on 3))
(<= (next (control right)) (true (control left))) (s 1 2) (s 2 3)
(<= (next (control left)) (true (control right)))
(<= (legal ?p (take ?x)) (true (control ?p)) (true (on ?x)) (true (on ?y)) (s ?x ?y))
(<= (legal ?p noop) (role ?p) (not (true (control ?p)))) (<= open (legal ?p (take ?x)))
(<= gone (does ?p (take ?x)) (true (on ?x))) (<= (next (on ?x)) (true (on ?x)) (not gone))
(<= terminal (not open)) (<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""


@pytest.mark.parametrize("text", [PAIRS, (GAMES / "kayles/kayles-7.kif").read_text("utf-8")])
def test_an_account_that_is_spent_anywhere_leaves_what_was_found(text) -> None:
    """`BudgetSpent` while step counters were looked for ended the whole analysis once."""
    whole = parse(text).analyse()
    n = 0
    while n < 3_000:
        account = _Counting(n)
        findings = parse(text).analyse(budget=account)
        for finding in findings:
            assert finding.certainty == "unknown" or finding.value == whole.value(finding.property)
        assert "reachable_states" in findings
        findings.certificate()
        if account.looks > 0:
            break
        n = max(n + 1, n * 3 // 2)


def test_whose_turn_it_is_is_looked_for_again_after_an_account_was_spent() -> None:
    """A game that was analysed in no time once had no marker ever after."""
    game = ggp.load(GAMES / "kayles/kayles-7.kif")
    findings = game.analyse(budget=_Counting(0))
    assert findings["impartial"].certainty == "unknown"
    assert game.marker is not None
    assert game.analyse()["impartial"].value is True
