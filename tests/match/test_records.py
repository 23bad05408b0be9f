"""Records of matches, as ggp-base's server writes them and as they are read, field by field."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

import ggp
from ggp.errors import IllegalMove, InputError
from ggp.match import records
from ggp.match.records import Record, read_record, record_of, states_of

STEPS = """
(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2)
(<= (legal a (to ?y)) (true (at ?x)) (succ ?x ?y)) (legal b noop)
(<= (next (at ?x)) (does a (to ?x))) (<= terminal (true (at 2))) (goal a 100) (goal b 0)
"""

BEGUN = Record("m", "steps", "(role a)", ("a", "b"), ("we", "human"), 10, 5, 1.25, "t")

OVER = replace(
    BEGUN,
    presented=({"name": "X"}, {}),
    moves=[("(to 1)", "noop"), ("(to 2)", "noop")],
    errors=[("", "TO"), ("IL (x)", "")],
    states=[("(at 0)",), ("(at 1)", "(f (g a) b)"), ("(at 2)", "p")],
    times=[1.5, 2.0004, 3.0006],
    goals=(100, 0),
)


def test_a_record_has_the_names_of_ggp_base_and_times_in_milliseconds() -> None:
    assert OVER.as_dict() == {
        "matchId": "m",
        "randomToken": "t",
        "startTime": 1250,
        "gameMetaURL": "",
        "isCompleted": True,
        "isAborted": False,
        "states": ["( ( at 0 ) )", "( ( at 1 ) ( f ( g a ) b ) )", "( ( at 2 ) p )"],
        "moves": [["( to 1 )", "noop"], ["( to 2 )", "noop"]],
        "stateTimes": [1500, 2000, 3001],
        "errors": [["", "TO"], ["IL (x)", ""]],
        "previewClock": -1,
        "startClock": 10,
        "playClock": 5,
        "playerNamesFromHost": ["we", "human"],
        "playersPresented": [{"name": "X"}, {}],
        "isPlayerHuman": [False, True],
        "scrambled": False,
        "gameName": "steps",
        "gameRoleNames": ["a", "b"],
        "gameRulesheet": "(role a)",
        "gameStrictCase": False,
        "goalValues": [100, 0],
    }


@pytest.mark.parametrize(
    ("change", "name", "value"),
    [
        ({}, "isCompleted", False),
        ({"goals": (0, 0)}, "isCompleted", True),
        ({"aborted": True}, "isAborted", True),
        ({"scrambled": True}, "scrambled", True),
        ({"strict_case": True}, "gameStrictCase", True),
        ({"preview_clock": 3.0}, "previewClock", 3),
        ({"preview_clock": 0.5}, "previewClock", 0.5),
        ({"start_clock": 2.5}, "startClock", 2.5),
        ({"play_clock": 2.5}, "playClock", 2.5),
        ({"start": 1.0006}, "startTime", 1001),
        ({"players": ("chance",)}, "isPlayerHuman", [False]),
        ({"states": [()]}, "states", ["(  )"]),
    ],
)
def test_fields_of_a_record(change, name, value) -> None:
    assert replace(BEGUN, **change).as_dict()[name] == value


def test_a_match_that_is_not_over_has_no_goals() -> None:
    assert "goalValues" not in BEGUN.as_dict()


@pytest.mark.parametrize(("clock", "text"), [(10.0, "10"), (0.5, "0.5"), (7, "7")])
def test_whole_clocks_are_written_as_whole_numbers(clock, text) -> None:
    """ggp-base's tools read integers."""
    found = replace(BEGUN, start_clock=clock, play_clock=clock, preview_clock=clock).as_dict()
    assert {json.dumps(found[f"{which}Clock"]) for which in ("start", "play", "preview")} == {text}


def bare(text: str) -> str:
    """An expression without needless blanks."""
    return text.replace("( ", "(").replace(" )", ")")


@pytest.mark.parametrize("record", [BEGUN, OVER, replace(OVER, aborted=True, scrambled=True)])
def test_what_is_written_is_read_back(tmp_path, record) -> None:
    """But for the times of states and what players said of themselves."""
    file = tmp_path / "match.json"
    record.write(file)
    found = read_record(file)
    assert [tuple(map(bare, joint)) for joint in found.moves] == record.moves
    assert replace(found, moves=record.moves) == replace(record, times=[], presented=())
    assert file.read_text().endswith("}\n")
    assert file.read_text().splitlines()[1].startswith(' "')
    assert os.listdir(tmp_path) == ["match.json"]


def test_a_record_that_cannot_be_written_is_an_error_of_input(tmp_path) -> None:
    with pytest.raises(InputError, match="No such file or directory"):
        OVER.write(tmp_path / "none" / "match.json")


def test_a_record_of_more_bytes_than_allowed_is_not_read(tmp_path, monkeypatch) -> None:
    assert records.MAX_RECORD == 64 * 1024 * 1024
    file = tmp_path / "match.json"
    file.write_text('{"moves": []}')
    monkeypatch.setattr(records, "MAX_RECORD", 13)
    assert read_record(file).moves == []
    monkeypatch.setattr(records, "MAX_RECORD", 12)
    with pytest.raises(InputError):
        read_record(file)


def read(**fields) -> Record:
    return record_of(json.dumps({"moves": []} | fields), "f")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "f: not JSON"), ("{", "f: not JSON"), ("[" * 100_000, "f: not JSON"),
        ("[]", "f: a record is one object"), ("1", "f: a record is one object"),
        ("{}", "moves are lists of texts"), ('{"moves": {}}', "moves are lists of texts"),
        ('{"moves": ["a"]}', "moves are lists of texts"),
        ('{"moves": [["a"], 1]}', "moves are lists of texts"),
        ('{"moves": [["a", 1]]}', "moves are lists of texts"),
        ('{"moves": [], "errors": 1}', "errors are lists of texts"),
        ('{"moves": [], "errors": [[null]]}', "errors are lists of texts"),
        ('{"moves": [], "states": 1}', "states are texts"),
        ('{"moves": [], "states": ["()", 1]}', "states are texts"),
        ('{"moves": [], "states": [["(p)"]]}', "states are texts"),
        ('{"moves": [], "states": ["p"]}', "a state is one list of facts"),
        ('{"moves": [], "states": [""]}', "a state is one list of facts"),
        ('{"moves": [], "states": ["(p) (q)"]}', "a state is one list of facts"),
        ('{"moves": [], "goalValues": 100}', "goalValues are whole numbers"),
        ('{"moves": [], "goalValues": ["100"]}', "goalValues are whole numbers"),
        ('{"moves": [], "goalValues": [100, null]}', "goalValues are whole numbers"),
        ('{"moves": [], "goalValues": [true]}', "goalValues are whole numbers"),
        ('{"moves": [], "goalValues": [0.5]}', "goalValues are whole numbers"),
        ('{"moves": [], "goalValues": [NaN]}', "goalValues are whole numbers"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_told_in_a_sentence(text, why) -> None:
    with pytest.raises(InputError) as error:
        record_of(text, "f")
    assert why in str(error.value)
    assert str(error.value).startswith("f: ")


@pytest.mark.parametrize(
    ("state", "facts"),
    [
        ("()", ()),
        ("( p ( cell 1 1 b ) )", ("p", "(cell 1 1 b)")),
        ("( ( true ( cell 1 b ) ) ( true p ) )", ("(cell 1 b)", "p")),
        # Neither a fact with more parts, nor one of another name.
        (
            "( ( true p q ) ( false p ) ( true ) true )",
            ("(true p q)", "(false p)", "(true)", "true"),
        ),
        ("( ( true ( true p ) ) )", ("(true p)",)),
    ],
)
def test_facts_of_states_are_read_without_true_around_them(state, facts) -> None:
    assert read(states=["(x)", state]).states == [("x",), facts]


@pytest.mark.parametrize(
    ("moves", "fields", "players"),
    [
        ([], {}, ()),
        ([["x"], ["x", "y"], ["z"]], {}, ("?", "?")),
        ([["x", "y"]], {"playerNamesFromHost": ["a"]}, ("a",)),
        ([["x", "y"]], {"playerNamesFromHost": []}, ("?", "?")),
        ([["x"]], {"playerNamesFromHost": "ab"}, ("?",)),
        ([["x"]], {"playerNamesFromHost": [1, None]}, ("1", "None")),
    ],
)
def test_players_without_names_are_as_many_as_moves(moves, fields, players) -> None:
    assert read(moves=moves, **fields).players == players


@pytest.mark.parametrize(
    ("found", "number"),
    [
        (5, 5), (2.5, 2.5), (-1, -1), ("5", 0), (None, 0), ([5], 0), (10**400, 0),
        (float("nan"), 0), (float("inf"), 0), (float("-inf"), 0),
    ],
)  # fmt: skip
def test_what_is_no_number_is_0(found, number) -> None:
    record = read(startClock=found, playClock=found, startTime=found)
    assert record.start_clock == record.play_clock == number
    assert record.start == number / 1000


@pytest.mark.parametrize(
    ("field", "found", "name", "value"),
    [
        ("scrambled", True, "scrambled", True), ("scrambled", 1, "scrambled", False),
        ("gameStrictCase", True, "strict_case", True), ("gameStrictCase", 1, "strict_case", False),
        ("isAborted", True, "aborted", True), ("isAborted", [1], "aborted", False),
        ("goalValues", None, "goals", None), ("goalValues", [50.0, 50], "goals", (50, 50)),
        ("goalValues", [], "goals", ()),
        ("gameRoleNames", ["a", 1], "roles", ("a", "1")), ("gameRoleNames", "ab", "roles", ()),
        ("matchId", 5, "match", "5"), ("gameName", "x", "game", "x"),
        ("gameRulesheet", "(role a)", "rulesheet", "(role a)"), ("randomToken", "t", "token", "t"),
        ("errors", [["", "TO"]], "errors", [("", "TO")]),
    ],
)  # fmt: skip
def test_fields_as_they_are_read(field, found, name, value) -> None:
    assert getattr(read(**{field: found}), name) == value


def test_only_moves_are_needed() -> None:
    assert read() == Record("", "", "", (), (), 0, 0, 0, "")


@pytest.fixture(scope="module")
def game() -> ggp.Game:
    return ggp.parse(STEPS)


@pytest.mark.parametrize(
    ("moves", "states", "facts"),
    [
        ([], [], ["(at 0)"]),
        ([("(to 1)", "noop")], [], ["(at 0)", "(at 1)"]),
        ([("(to 1)", "noop"), ("(to 2)", "noop")], [("(at 0)",)], ["(at 0)", "(at 1)", "(at 2)"]),
        ([("(to 1)", "noop")], [("(at 0)",), ("(at 1)",)], ["(at 0)", "(at 1)"]),
    ],
)
def test_the_states_that_moves_lead_to(game, moves, states, facts) -> None:
    found = states_of(replace(BEGUN, moves=moves, states=states), game)
    assert [" ".join(map(str, state.facts)) for state in found] == facts


@pytest.mark.parametrize(
    ("moves", "error", "why"),
    [
        ([("(to 2)", "noop")], IllegalMove, "step 1: "),
        ([("(to 1)", "noop"), ("(to 1)", "noop")], IllegalMove, "step 2: "),
        ([("(to 1)", "noop"), ("(to 2)", "noop"), ("(to 1)", "noop")], IllegalMove, "step 3: "),
        ([("(to 1)",)], InputError, "step 1: 1 moves for 2 roles"),
        ([("(to 1)", "noop"), ()], InputError, "step 2: 0 moves for 2 roles"),
        ([("(to 1)", "noop", "noop")], InputError, "step 1: 3 moves for 2 roles"),
    ],
)
def test_the_step_of_a_move_that_cannot_be_is_named(game, moves, error, why) -> None:
    with pytest.raises(error) as raised:
        states_of(replace(BEGUN, moves=moves), game)
    assert str(raised.value).startswith(why)


@pytest.mark.parametrize(
    ("states", "where"),
    [
        ([("(at 1)",)], "at first"), ([()], "at first"), ([("(at 0)", "(at 1)")], "at first"),
        ([("(at 0)",), ("(at 2)",)], "after step 1"),
        ([("(at 0)",), ("(at 1)",), ("(at 1)",)], "after step 2"),
    ],
)  # fmt: skip
def test_a_record_of_other_rules_is_known_by_its_states(game, states, where) -> None:
    moves = [("(to 1)", "noop"), ("(to 2)", "noop")]
    with pytest.raises(InputError) as error:
        states_of(replace(BEGUN, moves=moves, states=states), game)
    assert str(error.value).startswith(f"{where} the record has another state")


def test_a_record_has_no_more_states_than_its_moves_lead_to(game) -> None:
    with pytest.raises(InputError, match="2 states, and moves to 1 of them"):
        states_of(replace(BEGUN, moves=[], states=[("(at 0)",), ("(at 2)",)]), game)


@pytest.mark.parametrize(
    ("names", "is_known"),
    [
        (lambda roles: roles, True),
        (lambda roles: tuple(map(str.upper, roles)), True),
        (lambda roles: (), True),
        (lambda roles: roles[::-1], False),
        (lambda roles: roles[:1], False),
        (lambda roles: ("nobody", roles[1]), False),
        (lambda roles: ("(", roles[1]), False),
    ],
)
def test_a_record_of_other_rules_is_known_by_its_roles(game, names, is_known) -> None:
    """Moves are by the order of the roles: of others they would say something else."""
    record = replace(BEGUN, roles=names(game.roles))
    if is_known:
        assert states_of(record, game) == [game.initial]
        return
    with pytest.raises(InputError, match=r"the record has the roles .*: these are not its"):
        states_of(record, game)


@pytest.mark.parametrize("state", ["(" * 500 + ")" * 500, "((p)", "(p) (q)"])
def test_a_state_that_cannot_be_read_is_an_error_of_the_file(state) -> None:
    text = json.dumps({"moves": [], "states": [state]})
    with pytest.raises(InputError, match=r"^there\.json: no match record: a state"):
        record_of(text, "there.json")
