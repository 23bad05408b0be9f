"""Matches of the studio: what a page is told of one that is played, and of a record."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import pytest

import ggp
from ggp.errors import GgpError, InputError, LimitReached
from ggp.match.records import read_record, states_of
from ggp.play import PLAYERS
from ggp.studio import pages
from ggp.studio.library import Library, SheetText
from ggp.studio.tasks import TASKS, Order
from ggp.studio.work import matching, steps
from ggp.studio.work.line import read, states_along
from ggp.studio.work.steps import Drawer, MadeStep, fault, packed, step_data
from tests.conftest import GAMES

TIC_TAC_TOE = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"

TAG = "<script>x</script>"

HOSTILE = f"""
(role {TAG}) (role b) (init (cell 1 1 &lt)) (init (cell 1 2 {TAG})) (init (control {TAG}))
(<= (legal {TAG} (put ?x)) (col ?x) (true (control {TAG})))
(<= (legal b onload=x) (true (control {TAG}))) (col 1) (col 2)
(<= (next (cell 1 ?x {TAG})) (does {TAG} (put ?x)))
(<= terminal (not (true (control {TAG})))) (goal {TAG} 50) (goal b 50)
"""

COUNTING = """
(role a) (init (cell 1 1 x)) (init (step 0)) (<= (legal a (put ?x ?c)) (place ?x) (content ?c))
(place 1) (place 2) (place 3) (content x) (content o)
(<= (next (cell ?x 1 ?c)) (does a (put ?x ?c)))
(<= (next (cell ?x 1 ?c)) (true (cell ?x 1 ?c)) (does a (put ?y ?d)) (distinct ?x ?y))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 1000))) (goal a 100)
""" + "\n".join(f"(succ {i} {i + 1})" for i in range(1000))

BLUNDER = [["(mark 1 1)", "noop"], ["noop", "(mark 3 1)"], ["(mark 1 3)", "noop"]]
"""A corner, answered by another corner: that loses (the centre draws), and the third move wins."""


def sheet_of(name: str) -> SheetText:
    return Library().sheet(f"shipped/{name}", {})


def tic_tac_toe() -> SheetText:
    return sheet_of("tic-tac-toe/tic-tac-toe")


def said(task: str, sheet: SheetText, **asked: object) -> list[dict]:
    """All parts of a task that is run here."""
    parts: list[dict] = []
    TASKS[task].work(Order(sheet, asked), parts.append, lambda text: None)
    return parts


def watched(sheet: SheetText, *players: str, **asked: object) -> list[dict]:
    """The same of a match of quick players."""
    clocks = {"play_clock": 30, "start_clock": 30, "seed": 1}
    return said("watch", sheet, players=list(players), **clocks | asked)


def of_kind(parts: list[dict], kind: str) -> list[dict]:
    return [part for part in parts if part["kind"] == kind]


def record_of(parts: list[dict]) -> dict:
    """The record that a page puts together."""
    record: dict = {}
    for part in parts:
        own = json.loads(part["record"])
        if part["kind"] == "step":
            for name, rows in own.items():
                record[name] += rows
        else:
            record |= own
    return record


def svg_of(part: dict) -> str:
    return zlib.decompress(b64decode(part["picture"])).decode()


def record(moves: list[list[str]], **more: object) -> str:
    return json.dumps({"moves": moves, **more})


# A match that is watched.


def test_seats_are_those_of_all_roles_but_chance() -> None:
    (part,) = said("seats", sheet_of("three-players/last-match"))
    assert part["kind"] == "seats"
    assert part["roles"] == list(ggp.load(GAMES / "three-players" / "last-match.kif").players)
    assert part["players"] == list(PLAYERS)


def test_steps_come_one_by_one_and_make_a_record(tmp_path: Path) -> None:
    parts = watched(tic_tac_toe(), "first", "random")
    assert [part["kind"] for part in parts[:2]] == ["match", "step"]
    told = of_kind(parts, "step")
    assert [part["step"] for part in told] == list(range(len(told)))
    assert all(part["seconds"] >= 0 for part in told[1:])
    file = tmp_path / "match.json"
    file.write_text(json.dumps(record_of(parts)))
    found = read_record(file)
    assert len(found.moves) == len(told) - 1
    assert found.players == ("first", "random")
    assert not found.aborted
    last = states_of(found, ggp.load(TIC_TAC_TOE))[-1]
    assert last.terminal
    assert tuple(last.goals.values()) == found.goals
    words = ", ".join(f"{role} {goal}" for role, goal in last.goals.items())
    assert of_kind(parts, "end")[0]["result"] == f"The game is over: {words}"


def test_what_is_stopped_anywhere_is_a_record_so_far(tmp_path: Path) -> None:
    parts = watched(tic_tac_toe(), "first", "first")
    file = tmp_path / "match.json"
    for end in range(2, len(parts)):
        file.write_text(json.dumps(record_of(parts[:end])))
        found = read_record(file)
        assert found.goals is None
        assert len(states_of(found, ggp.load(TIC_TAC_TOE))) == len(found.states) == end - 1


def test_the_numbers_of_the_steps_are_a_line_of_play() -> None:
    parts = watched(tic_tac_toe(), "random", "random", seed=7)
    line = read(".".join(part["number"] for part in of_kind(parts, "step")[1:]))
    moves, _ = states_along(ggp.load(TIC_TAC_TOE).initial, line)
    told = [[move["text"] for move in part["moves"]] for part in of_kind(parts, "step")[1:]]
    assert [list(map(str, joint)) for joint in moves] == told


def test_a_seed_gives_the_same_match_again() -> None:
    played = [
        [
            part["moves"]
            for part in of_kind(watched(tic_tac_toe(), "random", "random", seed=seed), "step")
        ]
        for seed in (5, 5, 6)
    ]
    assert played[0] == played[1] != played[2]


def test_boards_come_packed_with_the_last_move_marked() -> None:
    start, first, *_ = of_kind(watched(tic_tac_toe(), "first", "first"), "step")
    assert svg_of(start).startswith("<svg")
    assert svg_of(first) != svg_of(start)
    state = ggp.load(TIC_TAC_TOE).initial
    after = state.play("(mark 1 1)")
    assert svg_of(first) == steps.scene_svg(steps.scene_of(after, state))
    assert svg_of(first) != steps.scene_svg(steps.scene_of(after))


def test_a_match_of_too_many_moves_is_called_off_and_says_so() -> None:
    parts = watched(tic_tac_toe(), "first", "first", moves=3)
    assert len(of_kind(parts, "step")) == 4
    assert "called off: 3 moves at the most" in of_kind(parts, "end")[0]["result"]
    found = record_of(parts)
    assert found["isAborted"]
    assert not found["isCompleted"]


def test_rules_without_goals_end_a_match_with_a_sentence() -> None:
    rules = """
    (role a) (init p) (legal a go) (<= terminal (not (true p))) (<= (goal a 0) (true p))
    """
    parts = watched(SheetText("x.kif", rules), "first")
    assert "called off: a has no goal value" in of_kind(parts, "end")[0]["result"]


def test_answers_that_are_late_are_told(monkeypatch) -> None:
    late = SimpleNamespace(monotonic=iter(range(0, 10**6, 40)).__next__)
    monkeypatch.setattr("ggp.match.seats.time", late)
    _, first, *_ = of_kind(watched(tic_tac_toe(), "first", "first", moves=1), "step")
    assert [move["fault"] for move in first["moves"]] == ["late", "late"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"players": "first"}, "players are a list"),
        ({"players": [1, 2]}, "players are a list"),
        ({"players": ["first"]}, "2 players"),
        ({"players": ["human", "first"]}, "no player human"),
        ({"players": ["http://127.0.0.1:9147", "first"]}, "no player http"),
        ({"players": [TAG, "first"]}, "no player"),
        ({"play_clock": 61}, "play clock: a number from"),
        ({"play_clock": 0}, "play clock: a number from"),
        ({"play_clock": float("nan")}, "play clock: a number from"),
        ({"start_clock": "2"}, "start clock: a number from"),
        ({"start_clock": 10**400}, "start clock: a number from"),
        ({"moves": 1_001}, "moves: a number from 1 to 1,000"),
        ({"moves": 2.5}, "moves: a whole number"),
        ({"moves": True}, "moves: a number"),
        ({"seed": -1}, "seed: a number"),
        ({"seed": 10**30}, "seed: a number"),
        ({"seed": {}}, "seed: a number"),
    ],
)
def test_what_no_match_is_made_of_is_refused(asked: dict, why: str) -> None:
    parts: list[dict] = []
    order = Order(tic_tac_toe(), {"players": ["first", "first"], **asked})
    with pytest.raises(GgpError, match=why):
        matching.watch(order, parts.append, lambda text: None)
    assert not parts


def test_names_of_a_sheet_are_only_text() -> None:
    parts = watched(SheetText("x.kif", HOSTILE), "first", "first")
    match = of_kind(parts, "match")[0]
    assert match["players"][0] == {"role": TAG, "player": "first"}
    for part in of_kind(parts, "step"):
        assert "<script" not in svg_of(part)
        assert "&lt;script&gt;" in svg_of(part)


# Records.


def test_verdicts_of_a_record() -> None:
    parts = said("review", tic_tac_toe(), record=record(BLUNDER), seconds=30)
    told = {part["step"]: part["verdicts"] for part in of_kind(parts, "verdict")}
    assert [verdict["mark"] for verdict in told[1]] == ["", ""]
    assert told[2][1]["mark"] == "??"
    assert told[2][1]["why"] == "oplayer had 50, has 0: (mark 2 2) was best"
    assert told[2][0] == {"mark": "", "why": ""}
    assert of_kind(parts, "judged")[0]["text"] == "3 choices judged (exact): 1 gave something away"
    assert of_kind(parts, "end")[0]["result"] == ""


def test_steps_come_before_verdicts_and_only_where_they_are_not_known() -> None:
    kinds = [p["kind"] for p in said("review", tic_tac_toe(), record=record(BLUNDER), seconds=30)]
    assert kinds == ["match", *["step"] * 4, "end", *["verdict"] * 3, "judged"]
    known = said("review", tic_tac_toe(), record=record(BLUNDER), seconds=30, known=True)
    assert [part["kind"] for part in known] == [*["verdict"] * 3, "judged"]


def test_a_match_that_was_watched_can_be_judged() -> None:
    parts = watched(tic_tac_toe(), "first", "first")
    again = said("review", tic_tac_toe(), record=json.dumps(record_of(parts)), seconds=30)
    assert of_kind(again, "match")[0]["whose"] == "same"
    for one, other in zip(of_kind(parts, "step"), of_kind(again, "step"), strict=True):
        assert {**one, **other} == one


def test_a_record_is_shown_by_its_own_rules_if_it_has_some() -> None:
    own, here = TIC_TAC_TOE.read_text(), sheet_of("nim/rows")
    (match,) = of_kind(
        said("review", here, record=record(BLUNDER, gameRulesheet=own), seconds=30), "match"
    )
    assert match["whose"] == "own"
    assert json.loads(match["rules"]) == own
    assert [seat["role"] for seat in match["players"]] == ["xplayer", "oplayer"]
    strict = record(BLUNDER, gameRulesheet=own, gameStrictCase=True)
    (match,) = of_kind(said("review", here, record=strict, seconds=30), "match")
    assert match["rules"] == ""  # pages read no sheet by case


def test_a_faulty_sheet_is_in_nobodys_way() -> None:
    text = record(BLUNDER, gameRulesheet=TIC_TAC_TOE.read_text())
    parts = said("review", SheetText("x.kif", "(role"), record=text, seconds=30)
    assert len(of_kind(parts, "step")) == 4


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (7, "a record is a text"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"moves": ' + "9" * 5_000 + "}", "too many digits"),
        ("[]", "a record is one object"),
        (record({"a": 1}), "moves are lists of texts"),
        (record([[1, 2]]), "moves are lists of texts"),
        (record([["a", "b", "c"]]), r"step 1: 3 moves for 2 roles \(the record has no rules"),
        (record([["(mark 9 9)", "noop"]]), r"step 1: \(mark 9 9\) is no move .*no rules of its"),
        (record([*BLUNDER, ["(mark 1 2)", "noop"]]), "step 4: .* is not legal here|no move"),
        (record([["(mark", "noop"]]), "step 1: not a move"),
        (record([], states=["( p )"]), "another state"),
        (record([], states=[")"]), "unmatched|expected"),
        (record([], gameRulesheet="(role a)"), "the record:1:1"),
        (record([], gameRulesheet="(((("), "the record:1"),
        (record([["a"]] * 5_001), "5,000 steps at the most"),
        (" " * 6_000_001, "6,000,000 characters at the most"),
    ],
)
def test_what_is_no_record_of_the_game_is_refused_in_a_sentence(text: object, why: str) -> None:
    with pytest.raises(GgpError, match=why):
        said("review", tic_tac_toe(), record=text, seconds=0.1)


@pytest.mark.parametrize("seconds", [0, -1, 31, 10**400, float("inf"), "1", None, True])
def test_seconds_are_bounded(seconds: object) -> None:
    with pytest.raises(InputError, match="seconds: a number from"):
        said("review", tic_tac_toe(), record=record(BLUNDER), seconds=seconds)


def test_odd_values_beside_the_moves_hurt_nobody() -> None:
    odd = {
        "playerNamesFromHost": [{}, TAG, 3],
        "goalValues": [10**300, "x", None],
        "errors": [["IL \x1b[31m", "TO", "x" * 9_000]],
        "startTime": 10**300,
        "gameName": ["\ud800"],
        "matchId": 1e300,
    }
    parts = said("review", tic_tac_toe(), record=record(BLUNDER, **odd), seconds=30)
    first = of_kind(parts, "step")[1]
    assert [move["fault"] for move in first["moves"]] == ["illegal: ·[31m", "late"]
    assert json.dumps(parts, ensure_ascii=False).encode()


def test_rules_with_odd_characters_reach_the_page() -> None:
    rules = TIC_TAC_TOE.read_text() + "(odd \ud800)"
    parts = said("review", tic_tac_toe(), record=record([], gameRulesheet=rules), seconds=1)
    assert json.loads(parts[0]["rules"]) == rules
    assert json.dumps(parts, ensure_ascii=False).encode()


def test_faults_in_words() -> None:
    assert fault("CE limit reached") == "no answer: limit reached"
    assert fault("XY z") == "XY z"
    assert fault("") == ""


def test_where_nobody_can_be_judged_it_is_said_why() -> None:
    hidden = """
    (role a) (role random) (init s) (<= (legal a (say ?x)) (side ?x)) (side h) (side t)
    (<= (legal random (flip ?x)) (side ?x)) (<= (sees a saw) (does random (flip h)))
    (<= (next (c ?x)) (does random (flip ?x))) (<= terminal (true (c ?x))) (goal a 100)
    """
    parts = watched(SheetText("x.kif", hidden), "first")
    again = said(
        "review", SheetText("x.kif", hidden), record=json.dumps(record_of(parts)), seconds=1
    )
    assert "hide" in of_kind(again, "judged")[0]["text"]
    none = said("review", tic_tac_toe(), record=record([]), seconds=1)
    assert of_kind(none, "judged")[0]["text"] == "the record has no moves"


# Long matches.


def test_a_match_of_a_thousand_steps_stays_small() -> None:
    parts = watched(SheetText("x.kif", COUNTING), "random", moves=1_000)
    told = of_kind(parts, "step")
    assert len(told) == 1_001
    assert all(svg_of(part).startswith("<svg") for part in told[::100])
    assert len(json.dumps(parts)) < 6_000_000
    assert all("picture" in part for part in told)
    assert record_of(parts)["isCompleted"]


def test_pictures_end_where_there_is_no_more_room() -> None:
    state = ggp.load(TIC_TAC_TOE).initial
    one = len(packed(steps.scene_svg(steps.scene_of(state))))
    facts = len(steps.telling.position(state))
    drawer = Drawer(room=one + facts)
    told = [drawer.drawn(state, None) for _ in range(3)]
    assert [list(own) for own in told] == [["picture"], ["facts"], []]


def test_what_cannot_be_drawn_once_is_not_tried_again(monkeypatch) -> None:
    tried = []

    def scene_of(state: ggp.State, before: object) -> None:
        tried.append(state)
        raise LimitReached("time", 10.0)

    monkeypatch.setattr(steps, "scene_of", scene_of)
    drawer, state = Drawer(), ggp.load(TIC_TAC_TOE).initial
    assert [list(drawer.drawn(state, None)) for _ in range(3)] == [["facts"]] * 3
    assert len(tried) == 1


def test_numbers_too_long_for_an_address_are_left_out() -> None:
    roles = [f"r{i}" for i in range(60)]
    legal = " ".join(f"(<= (legal {r} (go ?x)) (n ?x)) (goal {r} 0)" for r in roles)
    rules = " ".join(f"(role {r})" for r in roles) + legal
    rules += " ".join(f"(n {i})" for i in range(60)) + " (init p) (<= terminal (not (true p)))"
    state = ggp.parse(rules).initial
    for end, number in ((0, "0"), (-1, "")):
        joint = [state.legal(role)[end] for role in roles]
        made = MadeStep(state, joint, state.play(dict(zip(roles, joint, strict=True))))
        assert step_data(1, made, Drawer())["number"] == number


def test_games_of_too_many_roles_are_refused() -> None:
    rules = "".join(f"(role r{i}) (legal r{i} go) (goal r{i} 0)" for i in range(101)) + "terminal"
    with pytest.raises(LimitReached, match="roles = 100"):
        said("seats", SheetText("x.kif", rules))
    with pytest.raises(LimitReached, match="roles = 100"):
        said("review", SheetText("x.kif", rules), record=record([]))


# The page.


def test_the_page_has_labels_and_runs_nothing_of_its_own() -> None:
    entry = Library().entry("shipped/tic-tac-toe/tic-tac-toe")
    page = bytes(pages.page("matches", entry=entry, values={}, view="matches").body).decode()
    assert page.count("<input") + page.count("<select") == page.count("<label")
    assert not re.search(r"\son\w+=", page)
    assert page.count("<script") == page.count('<script type="module" src="/static/') == 1


def test_the_scripts_make_no_markup_of_text() -> None:
    for name in ("matches.js", "steps.js"):
        script = (files("ggp.studio") / "static" / name).read_text()
        assert pages.static(name).status_code == 200
        for odd in ("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:"):
            assert odd not in script
