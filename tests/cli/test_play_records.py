"""Records of `ggp play`: saved, replayed, gone on with, and never lost."""

from __future__ import annotations

import json

import pytest

from tests.conftest import GAMES

TIC_TAC_TOE = str(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
KAYLES = str(GAMES / "kayles" / "kayles-7.kif")
ROWS = str(GAMES / "nim" / "rows.kif.jinja")

WON = "mark 1 1\nmark 2 2\nmark 1 2\nmark 3 3\nmark 1 3"
"""What two people type until the first has won."""

BOTH = ("--role", "xplayer", "--role", "oplayer")


@pytest.fixture
def record(ggp_, tmp_path) -> str:
    """A game that xplayer has won."""
    file = str(tmp_path / "won.json")
    code, _, _ = ggp_("play", TIC_TAC_TOE, *BOTH, "--save", file, typed=WON)
    assert code == 0
    return file


def replayed(ggp_, file: str) -> dict:
    code, output, errors = ggp_("replay", file, "--time", "0.5", "--format", "json")
    assert code == 0, errors
    return json.loads(output)


def test_a_finished_game_is_replayed(ggp_, record) -> None:
    data = replayed(ggp_, record)
    assert data["goals"] == {"xplayer": 100, "oplayer": 0}
    assert data["players"] == ["human", "human"]
    assert data["steps"][0]["moves"] == ["(mark 1 1)", "noop"]
    assert len(data["steps"]) == 5


def test_an_unfinished_game_is_replayed_and_gone_on_with(ggp_, tmp_path) -> None:
    file = str(tmp_path / "half.json")
    ggp_("play", TIC_TAC_TOE, "--level", "easy", typed=f"(mark 1 1)\nsave {file}\n")
    data = replayed(ggp_, file)
    assert data["goals"] is None
    assert data["players"] == ["human", "mcts"]
    assert len(data["steps"]) == 2
    code, output, _ = ggp_(
        "play", "--resume", file, "--format", "json", "--level", "easy", typed="1"
    )
    assert code == 0
    moves = json.loads(output)["moves"]
    assert moves[:2] == [step["moves"] for step in data["steps"]]
    assert len(moves) == 4


@pytest.mark.parametrize("typed", ["", "(mark 1 1)\n"])
def test_of_an_unfinished_game_that_is_said(ggp_, tmp_path, typed) -> None:
    file = str(tmp_path / "half.json")
    ggp_("play", TIC_TAC_TOE, "--level", "easy", typed=f"{typed}save {file}\n")
    code, output, _ = ggp_("replay", file)
    assert code == 0
    assert output.startswith("turn: xplayer\n   1 2 3\n1  · · ·")
    assert output.endswith("not finished\n")


def test_roles_and_rules_may_be_said_anew(ggp_, tmp_path, record) -> None:
    code, output, _ = ggp_(
        "play", TIC_TAC_TOE, "--resume", record, "--role", "oplayer", typed="undo"
    )
    assert code == 0
    assert "xplayer: the machine" in output
    data = json.loads((tmp_path / "won.json").read_text())
    del data["gameRulesheet"]
    bare = tmp_path / "bare.json"
    bare.write_text(json.dumps(data))
    assert ggp_("play", "--resume", str(bare), typed="")[0] == 2
    assert ggp_("play", TIC_TAC_TOE, "--resume", str(bare), typed="")[0] == 0


def test_a_finished_game_shows_its_end_and_can_be_taken_back(ggp_, record) -> None:
    code, output, _ = ggp_("play", "--resume", record, typed="hint\n1\nmoves\nundo\nmark 3 1\nquit")
    assert code == 0
    assert "The game is over: xplayer 100, oplayer 0" in output.split("over> ")[0]
    assert output.count("the game is over: undo") == 2
    assert "oplayer> " in output.split("xplayer> ")[1]


def test_saving_is_on_every_move_and_undone_moves_are_gone(ggp_, tmp_path) -> None:
    file = tmp_path / "game.json"
    ggp_("play", TIC_TAC_TOE, *BOTH, "--save", str(file), typed="1\n1\nundo")
    assert len(replayed(ggp_, str(file))["steps"]) == 1


def test_nothing_is_written_before_a_move(ggp_, tmp_path, record) -> None:
    before = (tmp_path / "won.json").read_text()
    ggp_("play", TIC_TAC_TOE, "--save", record, typed="quit")
    assert (tmp_path / "won.json").read_text() == before
    ggp_("play", TIC_TAC_TOE, "--save", str(tmp_path / "new.json"), typed="quit")
    assert not (tmp_path / "new.json").exists()


def test_what_is_no_record_is_not_overwritten(ggp_, tmp_path) -> None:
    sheet = tmp_path / "mine.kif"
    sheet.write_text("; my rules")
    code, output, _ = ggp_("play", TIC_TAC_TOE, typed=f"save {sheet}\nsave {tmp_path}\n")
    assert code == 0
    assert "no record" in output
    assert "directory" in output
    assert ggp_("play", TIC_TAC_TOE, "--save", str(sheet), typed="1")[0] == 2
    assert sheet.read_text() == "; my rules"


def test_a_disk_without_room_costs_nothing_but_the_record(ggp_, tmp_path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ggp.match.records.Record._write", full)
    file = tmp_path / "x.json"
    code, output, _ = ggp_("play", TIC_TAC_TOE, *BOTH, "--save", str(file), typed=f"save\n{WON}")
    assert code == 0
    assert output.count("No space left on device") == 6
    assert "The game is over: xplayer 100" in output


def test_a_start_of_ones_own_is_in_the_record(ggp_, tmp_path) -> None:
    """The rules of the record begin where play began."""
    file = str(tmp_path / "own.json")
    start = "(row 1 2) (row 2 3) (control right)"
    shown = ggp_("show", ROWS)[1]
    assert "turn: left" in shown
    code, _, errors = ggp_(
        "play", ROWS, "--from", start, "--role", "left", "--role", "right", "--save", file,
        typed="1\n1",
    )  # fmt: skip
    assert code == 0, errors
    assert len(replayed(ggp_, file)["steps"]) == 2
    assert ggp_("play", "--resume", file, typed="quit")[0] == 0


def test_records_of_matches_are_gone_on_with(ggp_, tmp_path) -> None:
    file = tmp_path / "match.json"
    code, *_ = ggp_("match", TIC_TAC_TOE, "first", "first", "--record", str(file), "--quiet")
    assert code == 0
    code, output, _ = ggp_("play", "--resume", str(file), "--level", "easy", typed="undo\n1\nquit")
    assert code == 0
    assert "The game is over" in output
    data = json.loads(file.read_text())
    data["moves"], data["states"] = data["moves"][:2], data["states"][:3]
    del data["goalValues"]
    file.write_text(json.dumps(data))
    code, output, _ = ggp_("play", "--resume", str(file), "--level", "easy", typed="quit")
    assert code == 0
    assert "xplayer: you" in output


def test_loading_goes_over_to_another_game(ggp_, record, tmp_path) -> None:
    code, output, _ = ggp_(
        "play", KAYLES, "--format", "json", typed=f"1\nload {record}\nundo\nload {record}\nquit"
    )
    assert code == 0
    assert json.loads(output)["goals"] == {"xplayer": 100, "oplayer": 0}


def broken(record: dict) -> dict[str, str]:
    """Files that are no records of a game, by what is wrong with them."""
    moves = record["moves"]
    changed = {
        "illegal": {"moves": [*moves[:1], moves[0]]},
        "unknown": {"moves": [["(jump 1)", "noop"]]},
        "no kif": {"moves": [["((", "noop"]]},
        "too few": {"moves": [["noop"]]},
        "no list": {"moves": 3},
        "other state": {"states": ["( ( cell 1 1 x ) )"]},
        "no fact": {"states": ["( ( nonsense 1 ) )"]},
        "no rules": {"gameRulesheet": ""},
        "null rules": {"gameRulesheet": None},
        "bad rules": {"gameRulesheet": "(role a"},
        "no game": {"gameRulesheet": "(init a)"},
        "unsafe": {"gameRulesheet": "(role a) (<= (legal a ?x) (not (true ?x))) terminal"},
        "escape": {"gameRulesheet": "(role \x1b[31m"},
    }
    found = {name: json.dumps(record | change) for name, change in changed.items()}
    return found | {
        "empty": "",
        "no json": "{",
        "list": "[]",
        "deep": "[" * 100_000,
        "number": "1",
        "digits": '{"moves": ' + "9" * 5_000 + "}",
    }


KINDS = [
    "illegal", "unknown", "no kif", "too few", "no list", "other state", "no fact", "no rules",
    "null rules", "digits",
    "bad rules", "no game", "unsafe", "escape", "empty", "no json", "list", "deep", "number",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_bad_records_are_one_clear_error(ggp_, tmp_path, record, kind) -> None:
    file = tmp_path / "bad.json"
    file.write_text(broken(json.loads((tmp_path / "won.json").read_text()))[kind])
    code, output, errors = ggp_("play", "--resume", str(file), typed="")
    assert code == 2
    assert output == ""
    assert "bad.json" in errors.replace("\n", "")
    assert "Traceback" not in errors
    assert "\x1b" not in errors
    code, output, _ = ggp_("play", KAYLES, typed=f"1\nload {file}\nmoves\nquit")
    assert code == 0
    assert "bad.json" in output
    assert output.rindex("left> ") > output.index("bad.json")
