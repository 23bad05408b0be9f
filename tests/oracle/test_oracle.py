"""The oracle itself is held against reference answers, recorded plays and the literature."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest

from tests.conftest import GAMES, nightly, shared
from tests.oracle.findings import Faulty, TooBig, explore, findings, mex
from tests.oracle.gdl import GdlError, Oracle
from tests.oracle.random_games import KINDS, random_game, scramble


def read(*parts: str) -> str:
    return shared(*parts).read_text(encoding="utf-8")


def own(*parts: str) -> str:
    return GAMES.joinpath(*parts).read_text(encoding="utf-8")


def conformance(name: str) -> Oracle:
    return Oracle(read("conformance", "kif", f"{name}.kif"))


def after(oracle: Oracle, *moves: str) -> frozenset[str]:
    """The state after moves of the only role, or of the one role that has a choice."""
    state = oracle.initial
    for move in moves:
        joint = {}
        for role in oracle.roles:
            legal = oracle.legal(state, role)
            joint[role] = move if move in legal else legal[0]
        assert move in joint.values()
        state = oracle.next(state, joint)
    return state


# --------------------------------------------------------------------------------------------------
# Conformance sheets: the moves legal at first, a play, and what holds at its end
# --------------------------------------------------------------------------------------------------

ONE_ROLE: dict[str, tuple[list[str], list[str], int]] = {
    "simpleMutex": (["a", "b", "c"], ["b"], 100),
    "test_case_1a": (["proceed"], ["proceed"], 100),
    "test_case_1b": (["lose", "win"], ["win"], 100),
    "test_case_2a": (["(move move_next 0 1)"], [f"(move move_next {n} {n + 1})" for n in range(4)],
                     100),
    "test_case_2b": (["mov_left", "mov_right"], ["mov_left"], 0),
    "test_case_3a": (["(move correct_correct)"], ["(move correct_correct)"], 100),
    "test_case_3c": (["win"], ["win"], 100),
    "test_case_3d": (["win"], ["win"], 100),
    "test_case_4a": (["a"], ["a"], 100),
    "test_case_5a": (["proceed"], ["proceed"], 100),
    "test_case_5b": (["(draw 1 1 1 2)"], ["(draw 1 1 1 2)"], 100),
    "test_case_5c": (["proceed"], ["proceed"], 100),
    "test_case_5d": (["proceed"], ["proceed"], 100),
    "test_case_5e": ([f"(reduce a {n})" for n in range(2)] + [f"(reduce c {n})" for n in range(5)],
                     ["(reduce c 2)"], 100),
    "test_clean_not_distinct": (["proceed"], ["proceed"], 100),
    "test_distinct_beginning_rule": (["(do a b)", "(do b a)"], ["(do a b)"], 100),
    "test_invalid_function_arities_differ": (["(a 1)", "(a 2 3)"], ["(a 1)"], 100),
    "test_invalid_sentence_arities_differ": (["a"], ["a"], 100),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_ROLE)
def test_conformance_with_one_role(name: str) -> None:
    oracle = conformance(name)
    legal, moves, goal = ONE_ROLE[name]
    (role,) = oracle.roles
    assert oracle.legal(oracle.initial, role) == legal
    assert not oracle.terminal(oracle.initial)
    state = after(oracle, *moves)
    if name == "test_case_2b":  # stuck sooner or later
        while not oracle.terminal(state):
            state = oracle.next(state, {role: oracle.legal(state, role)[0]})
    assert oracle.terminal(state)
    assert oracle.goals(state) == {role: [goal]}


def test_conformance_details() -> None:
    mutex = conformance("simpleMutex")
    assert after(mutex, "b") == {"h3", "m1", "m4", "m6", "t2"}
    early = conformance("test_case_1a")
    assert early.goals(early.initial) == {"you": [100]}
    lost = conformance("test_case_1b")
    state = after(lost, "lose")
    assert (lost.legal(state, "you"), lost.terminal(state)) == ([], True)
    assert lost.goals(state) == {"you": [0]}
    drawn = conformance("test_case_5b")
    assert after(drawn, "(draw 1 1 1 2)") == {"(line 1 1 1 2)", "done"}
    based = conformance("test_case_4a")
    assert after(based, "a") == {"q"}


def test_conformance_snake_ends_at_step_ten() -> None:
    oracle = conformance("test_case_2c")
    state, steps, choices = oracle.initial, 0, []
    while not oracle.terminal(state):
        legal = oracle.legal(state, "snake")
        choices.append(len(legal))
        state, steps = oracle.next(state, {"snake": legal[0]}), steps + 1
    assert steps == 10
    assert choices == [2] + [1] * 9
    assert oracle.goals(state) == {"snake": [100]}


@pytest.mark.parametrize("name", ["test_case_3b", "test_case_3e", "test_case_3f"])
def test_conformance_unsafe_rules_are_refused(name: str) -> None:
    text = read("conformance", "kif", f"{name}.kif")
    with pytest.raises(GdlError, match="unsafe"):
        Oracle(text)


def test_conformance_tic_tac_toe() -> None:
    oracle = conformance("ticTacToe")
    assert oracle.roles == ["xplayer", "oplayer"]
    assert len(oracle.legal(oracle.initial, "xplayer")) == 9
    assert oracle.legal(oracle.initial, "oplayer") == ["noop"]
    marks = ["(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 2 2)", "(mark 2 1)"]
    assert not oracle.terminal(after(oracle, *marks[:-1]))
    state = after(oracle, *marks)
    assert oracle.terminal(state)
    assert oracle.goals(state) == {"xplayer": [100], "oplayer": [0]}


def test_conformance_connect_four() -> None:
    oracle = conformance("connectFour")
    column, other = "(drop 1)", "(drop 2)"
    state = after(oracle, column, other, column, other, column, other, column)
    assert oracle.terminal(state)
    assert oracle.goals(state) == {"red": [100], "black": [0]}


# --------------------------------------------------------------------------------------------------
# Recorded plays
# --------------------------------------------------------------------------------------------------

RECORDED = [
    *("blocker", "buttons", "chomp", "cubicup", "eightPuzzle", "gt_tinfoil", "knightThrough"),
    *("maze", "nim1", "pawnWhopping", "roshambo2", "sheepAndWolf", "ticTacToe", "connectFour"),
]


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_plays_agree(name: str) -> None:
    oracle = Oracle(read("corpus", "games", f"{name}.kif"))
    expected: frozenset[str] | None = None
    checked = 0
    with gzip.open(shared("corpus", "traces", f"{name}.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["type"] == "header":
                assert oracle.roles == record["roles"]
            if record["type"] != "step":
                continue
            state = frozenset(record["state"])
            assert state == (oracle.initial if record["step"] == 0 else expected)
            assert oracle.terminal(state) == record["terminal"]
            if record["goals"] is not None:
                assert oracle.goals(state) == {r: [v] for r, v in record["goals"].items()}
            expected = None
            if not record["terminal"]:
                assert {r: oracle.legal(state, r) for r in oracle.roles} == record["legal"]
                if record["move"]:
                    joint = dict(zip(oracle.roles, record["move"], strict=True))
                    expected = oracle.next(state, joint)
            checked += 1
    assert checked > 3


# --------------------------------------------------------------------------------------------------
# The language, on the smallest sheets
# --------------------------------------------------------------------------------------------------

FRAME = "(role R) (init a) (legal r go) (<= (next b) (true a)) (<= terminal (true b))"


def goals(rules: str) -> list[int]:
    oracle = Oracle(f"{FRAME} {rules}")
    return oracle.goals(oracle.initial)["R"]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("(goal r 30)", [30]),
        ("(<= (goal r 0) (true b)) (<= (goal r 100) (not (goal r 0)))", [100]),
        ("(<= (goal r 0) (true a)) (<= (goal r 100) (not (goal r 0)))", [0]),
        ("(<= (goal r 1) (not (goal r 2))) (<= (goal r 2) (not (goal r 3)))", [2]),
        ("(<= (even ?y) (s ?x ?y) (not (even ?x))) (s 1 2) (s 2 3) (s 3 4)"
         "(<= (goal r ?x) (even ?x))", [2, 4]),
        ("(<= (goal r 5) (or (true b) (or p (and (true a) (not (true c))))))", [5]),
        ("(<= (goal r 5) (not (or (true b) (not (true a)))))", [5]),
        ("(<= (goal r 5) (not (and (true a) (true b))) (not (not (true a))))", [5]),
        ("(<= (goal r 5) (distinct ?x (f ?y)) (p ?x ?y)) (p (f 1) 1)", []),
        ("(<= (goal r 5) (distinct ?x (f ?y)) (p ?x ?y)) (p (F 1) 1) (p (f 2) 1)", [5]),
        ("(<= (goal r 5) (not (distinct ?x 01)) (n ?x)) (n 1)", []),
        ("(<= (goal r 5) (p)) (<= p)", [5]),
        ("(<= (goal r 5) (or))", []),
        ("(<= (goal r 5) (TRUE A)) ; (goal r 6)\n #| (goal r 7) |#", [5]),
        ("(<= (p ?x) (p ?x)) (<= (goal r 5) (p 1)) (<= (goal r 6) (not (p 1)))", [6]),
        ("(<= (t ?x ?z) (e ?x ?z)) (<= (t ?x ?z) (t ?x ?y) (t ?y ?z)) (e 1 2) (e 2 3) (e 3 1)"
         "(<= (goal r ?x) (t ?x ?x))", [1, 2, 3]),
    ],
)  # fmt: skip
def test_rules_mean_what_they_should(rules: str, expected: list[int]) -> None:
    assert goals(rules) == expected


@pytest.mark.parametrize(
    "rules",
    [
        "(goal r 5",
        "(goal r 5))",
        "(goal r 101)",
        "(goal r 5) (<= q (not q))",
        "(goal r 5) (<= q (not p)) (<= p (not q))",
        "(goal r 5) (n 0) (<= (n (s ?x)) (n ?x))",
        "(goal r 5) (<= (p ?x) (distinct ?x 1))",
        "(goal r 5) (<= p (does r go)) (<= (goal r 6) p)",
        "(goal r 5) (<= (init c) (true a))",
        "(goal r 5) (<= p (not a b))",
        "(goal r 5) (true a)",
        "(goal r 5) (<= p (next a))",
    ],
)
def test_faults_are_refused(rules: str) -> None:
    with pytest.raises(GdlError):
        goals(rules)


def test_negation_in_a_circle_is_an_error_only_where_it_counts() -> None:
    oracle = Oracle(f"{FRAME} (goal r 1) (<= (q ?x) (true a) (n ?x) (not (q ?x))) (n 1)")
    with pytest.raises(GdlError, match="own negation"):
        oracle.terminal(oracle.initial)
    assert oracle.terminal(frozenset(["b"]))


def test_symbols_keep_their_first_spelling() -> None:
    oracle = Oracle(f"{FRAME} (goal r 1)")
    assert oracle.roles == ["R"]
    assert oracle.legal(frozenset(["A"]), "R") == ["go"]
    assert oracle.next(oracle.initial, {"R": "GO"}) == {"b"}


def test_only_legal_joint_moves_are_accepted() -> None:
    oracle = Oracle(f"{FRAME} (goal r 1)")
    for moves in ({}, {"R": "stay"}, {"R": "go", "S": "go"}):
        with pytest.raises(ValueError, match=r"may not do|has to move"):
            oracle.next(oracle.initial, moves)


# --------------------------------------------------------------------------------------------------
# Facts from the literature
# --------------------------------------------------------------------------------------------------

YES = {"impartial": True, "all_small": True}
SHEETS: dict[str, dict[str, Any]] = {
    "kayles/kayles-7": {
        **YES, "form": "normal", "nim_value": 2, "outcome": "N", "reachable_states": 222,
        "best": ["(double 2)", "(double 5)", "(single 4)"], "longest_play": 7, "shortest_play": 4,
    },
    "domineering/domineering-3x4": {
        "form": "normal", "impartial": False, "all_small": False, "reachable_states": 255,
    },
    "subtraction/sg-123-21": {
        **YES, "form": "normal", "nim_value": 1, "outcome": "N", "reachable_states": 42,
    },
    "subtraction/sg-123-21-misere": {
        **YES, "form": "misère", "outcome": "P", "reachable_states": 42,
    },
    "subtraction/sg-357": {
        **YES, "form": "normal", "nim_value": 0, "outcome": "P", "reachable_states": 720,
    },
    "subtraction/sg-12-15": {
        **YES, "form": "normal", "nim_value": 0, "outcome": "P", "reachable_states": 168,
    },
    "subtraction/sg-157-floor-2": {
        **YES, "form": "normal", "nim_value": 1, "outcome": "N", "reachable_states": 990,
    },
    "simultaneous/rock-paper-scissors": {"turns": "simultaneous", "cyclic": True},
    "puzzles/lights-out-3x3": {
        "turns": "single-player", "players": 1, "reachable_states": 512, "cyclic": True,
        "longest_play": None, "goals": {"player": 100},
    },
    "three-players/last-match": {
        "players": 3, "turns": "alternating", "goals": {"red": 100, "green": 50, "blue": 0},
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SHEETS)
def test_known_games(name: str) -> None:
    found = findings(own(f"{name}.kif"))
    assert {key: found[key] for key in SHEETS[name]} == SHEETS[name]
    assert ("nim_value" in found) == ("nim_value" in SHEETS[name])


def test_tic_tac_toe_has_5478_states_and_is_a_draw() -> None:
    found = findings(own("tic-tac-toe", "tic-tac-toe.kif"), max_boards=100)
    assert found["reachable_states"] == 5478
    assert found["outcome"] == "draw"
    assert found["goals"] == {"xplayer": 50, "oplayer": 50}
    assert (found["shortest_play"], found["longest_play"]) == (5, 9)
    assert (found["form"], found["outcome_kind"]) == ("other", "win–lose–draw")
    assert (found["turns"], found["zero_sum"], len(found["best"])) == ("alternating", True, 9)
    assert "impartial" not in found


@pytest.mark.parametrize("size", range(1, 22))
def test_one_heap_of_subtraction_123(size: int) -> None:
    for name, lost in (("sg-123-21", 0), ("sg-123-21-misere", 1)):
        text = re.sub(
            r"\(init \(heap 21\)\)", f"(init (heap {size}))", own(f"subtraction/{name}.kif")
        )
        found = findings(text)
        assert found["outcome"] == ("P" if size % 4 == lost else "N")
        if lost == 0:
            assert found["nim_value"] == size % 4


# --------------------------------------------------------------------------------------------------
# Traps, as small as can be: two numbers are the sizes to which either role may reduce a heap of 2
# --------------------------------------------------------------------------------------------------


def heap(moves: dict[str, dict[int, list[int]]], *, misere: bool = False, extra: str = "") -> str:
    """A heap of 2 for the roles l and r; ``moves[role][size]`` are the sizes it may become."""
    options = " ".join(
        f"(option {role} {size} {to})"
        for role, sizes in moves.items()
        for size, targets in sizes.items()
        for to in targets
    )
    mine, theirs = (100, 0) if misere else (0, 100)
    return f"""
    (role l) (role r) (init (heap 2)) (init (turn l)) {options} {extra}
    (<= (legal ?p (to ?n)) (true (turn ?p)) (true (heap ?m)) (option ?p ?m ?n))
    (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
    (<= (next (heap ?n)) (does ?p (to ?n)))
    (<= (next (turn l)) (true (turn r))) (<= (next (turn r)) (true (turn l)))
    (<= open (legal ?p (to ?n))) (<= terminal (not open))
    (<= (goal ?p {mine}) (true (turn ?p))) (<= (goal ?p {theirs}) (role ?p) (not (true (turn ?p))))
    """


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (heap({"l": {2: [1]}, "r": {2: [1]}}), {**YES, "nim_value": 1, "outcome": "N"}),
        (heap({"l": {2: [1]}, "r": {2: [1]}}, misere=True), {**YES, "form": "misère"}),
        # Left {1}, Right {1, 2}: one direction alone does not make a game impartial.
        (heap({"l": {2: [1], 1: [0]}, "r": {2: [1, 0], 1: [0]}}),
         {"impartial": False, "all_small": True}),
        # { 1 | }: looking at one player's moves alone does not make a game all-small.
        (heap({"l": {2: [1]}, "r": {1: [0]}}), {"impartial": False, "all_small": False}),
        # Moves remain at the end.
        (heap({"l": {2: [1], 1: [0]}, "r": {2: [1], 1: [0]}},
              extra="(<= terminal (true (heap 1)))"), {"form": "other"}),
        # A move may lead back.
        (heap({"l": {2: [1], 1: [2]}, "r": {2: [1], 1: [2]}}),
         {"cyclic": True, "longest_play": None, "impartial": True}),
        (heap({"l": {2: [1, 0], 1: [2]}, "r": {2: [1, 0], 1: [2]}}),
         {"cyclic": True, "outcome": "N", "best": ["(to 0)", "(to 1)"],
          "goals": {"l": 100, "r": 0}}),
        (heap({"l": {2: [1, 0], 1: [2]}, "r": {2: [1, 0], 1: [2]}}, misere=True),
         {"cyclic": True, "outcome": "draw", "best": ["(to 1)"]}),
    ],
)  # fmt: skip
def test_traps(text: str, expected: dict[str, Any]) -> None:
    found = findings(text)
    assert {key: found.get(key) for key in expected} == expected
    assert found["turns"] == "alternating"


def test_mex() -> None:
    assert [mex(values) for values in ([], [1], [0, 1, 3], [0, 0, 2, 1])] == [0, 0, 2, 3]


def test_a_bound_on_states_is_kept() -> None:
    with pytest.raises(TooBig):
        findings(own("kayles", "kayles-7.kif"), max_states=221)
    assert findings(own("kayles", "kayles-7.kif"), max_states=222)["reachable_states"] == 222


def test_unplayable_games_are_faulty() -> None:
    for text in (
        "(role r) (init a) (<= (legal r go) (true b)) (<= terminal (true b)) (goal r 5)",
        "(role r) (init a) (legal r go) (<= terminal (true a)) (goal r 5) (goal r 6)",
    ):
        with pytest.raises(Faulty):
            findings(text)


# --------------------------------------------------------------------------------------------------
# Random games
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [*range(20), *nightly(range(20, 60))])
def test_random_games_are_valid(seed: int) -> None:
    text = random_game(seed)
    assert text == random_game(seed)
    graph = explore(Oracle(text), 5000)  # raises Faulty where a role cannot move or goals clash
    assert len(graph.roles) == 2
    assert graph.edges[0]


@pytest.mark.slow
def test_random_games_are_of_all_sorts() -> None:
    sorts = [findings(random_game(seed)) for seed in range(150)]
    seen = {
        (key, found.get(key)) for found in sorts for key in found if key not in ("goals", "best")
    }
    assert {("form", form) for form in ("normal", "misère", "other")} <= seen
    assert {("outcome", outcome) for outcome in ("N", "P", "draw")} <= seen
    assert {("turns", t) for t in ("alternating", "with extra turns", "simultaneous")} <= seen
    for key in ("impartial", "all_small", "cyclic"):
        assert {(key, True), (key, False)} <= seen
    assert {("nim_value", value) for value in range(4)} <= seen


@pytest.mark.parametrize("kind", KINDS)
def test_random_games_of_one_kind(kind: str) -> None:
    found = [findings(random_game(seed, kind)) for seed in range(20)]
    assert all((f.get("turns") == "simultaneous") == (kind == "at once") for f in found)


@pytest.mark.parametrize("seed", [*range(0, 20, 2), *nightly(range(20, 60, 2))])
def test_names_mean_nothing(seed: int) -> None:
    text = random_game(seed)
    other, names = scramble(text, seed)
    assert scramble(text, seed) == (other, names)
    assert len(set(names.values())) == len(names)
    before, now = findings(text), findings(other)

    def rename(term: str) -> str:
        return re.sub(r"[^\s()]+", lambda match: names[match.group()], term)

    if "goals" in before:
        before["goals"] = {rename(role): value for role, value in before["goals"].items()}
    if "best" in before:
        before["best"] = sorted(map(rename, before["best"]))
    assert now == before


def test_other_names_for_any_sheet() -> None:
    text = own("kayles", "kayles-7.kif")
    other, names = scramble(text, 1)
    assert names["0"] == "0"
    assert names["100"] == "100"
    assert all(old != new for old, new in names.items() if old not in ("0", "100"))
    words = set(re.findall(r"[^\s();]+", re.sub(r";.*", "", other)))
    assert not {"left", "skittle", "control", "noop"} & words
    assert findings(other)["nim_value"] == 2
