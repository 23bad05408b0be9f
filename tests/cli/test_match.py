"""`ggp match`, `ggp replay` and `ggp tournament` as commands."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import ggp
from ggp.play import SearchPlayer
from tests.cli.test_json import checked
from tests.conftest import GAMES

TIC_TAC_TOE = str(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
FAST = ["--start-clock", "60", "--play-clock", "60"]


def test_a_match_and_its_record(ggp_, tmp_path) -> None:
    file = tmp_path / "match.json"
    options = [*FAST, "--seed", "3", "--record", str(file)]
    code, output, errors = ggp_("match", TIC_TAC_TOE, "first", "random", *options)
    assert (code, errors) == (0, "")
    assert "1. xplayer: (mark 1 1)   oplayer: noop" in output
    assert "xplayer (first): " in output
    data = json.loads(file.read_text())
    assert data["playerNamesFromHost"] == ["first", "random"]
    code, output, _ = ggp_("replay", str(file), "--time", "5")
    assert code == 0
    assert "1. xplayer: (mark 1 1)" in output
    assert "other goals" not in output
    goals = data["goalValues"]
    file.write_text(json.dumps({**data, "goalValues": goals[::-1]}))
    _, output, _ = ggp_("replay", str(file), "--time", "5")
    is_other = goals != goals[::-1]
    assert (f"the record has other goals: {goals[1]}, {goals[0]}" in output) == is_other
    code, output, _ = ggp_("replay", str(file), "--step", "0")
    assert output.splitlines()[:3] == ["turn: xplayer", "   1 2 3", "1  · · ·"]
    code, output, _ = ggp_("replay", str(file), "--time", "5", "--format", "json")
    data = checked(output, "replay")
    assert data["goals"]
    assert all(v["exact"] for step in data["steps"] for v in step["verdicts"].values())


def test_the_same_seed_gives_the_same_match(ggp_) -> None:
    found = []
    for _ in range(2):
        options = [*FAST, "--seed", "3", "--format", "json", "--quiet"]
        code, output, _ = ggp_("match", TIC_TAC_TOE, "random", "random", *options)
        assert code == 0
        found.append(checked(output, "match")["moves"])
    assert found[0] == found[1]


def test_verdicts_are_exact_where_the_game_is_solved(ggp_, tmp_path) -> None:
    """x takes a corner, and o an edge: all but the centre lose. Then x gives the win away."""
    moves = ["( mark 1 1 )", "( mark 1 2 )", "( mark 3 2 )", "( mark 2 2 )"]
    joint = [[m, "noop"] if i % 2 == 0 else ["noop", m] for i, m in enumerate(moves)]
    file = tmp_path / "match.json"
    file.write_text(json.dumps({"matchId": "m", "moves": joint, "states": []}))
    code, _, errors = ggp_("replay", str(file))
    assert code == 2
    assert "--game" in errors
    options = ["--game", TIC_TAC_TOE, "--time", "60", "--format", "json"]
    code, output, _ = ggp_("replay", str(file), *options)
    steps = checked(output, "replay")["steps"]
    first, second, third, fourth = (next(iter(step["verdicts"].values())) for step in steps)
    assert (first["mark"], first["lost"]) == ("", 0)
    assert (second["mark"], second["lost"], second["best"]) == ("??", 50, ["(mark 2 2)"])
    assert third["mark"] == "??"
    assert third["lost"] == 50
    assert fourth["exact"]


def test_a_record_with_moves_that_cannot_be(ggp_, tmp_path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps({"moves": [["( mark 9 9 )", "noop"]]}))
    code, _, errors = ggp_("replay", str(file), "--game", TIC_TAC_TOE)
    assert code == 1
    assert "mark 9 9" in errors


def test_what_chance_does_at_once_with_a_move_is_a_mean(ggp_, tmp_path) -> None:
    """Safe is worth 50 and risk 60, whatever coin came: ten are given away, not all."""
    sheet, file = tmp_path / "coin.kif", tmp_path / "match.json"
    sheet.write_text(
        """(role a) (role random) (init start) (<= (legal a safe) (true start))
        (<= (legal a risk) (true start)) (<= (legal random heads) (true start))
        (<= (legal random tails) (true start))
        (<= (next (got 0)) (does a safe) (does random heads))
        (<= (next (got 100)) (does a safe) (does random tails))
        (<= (next (got 100)) (does a risk) (does random heads))
        (<= (next (got 20)) (does a risk) (does random tails))
        (<= terminal (true (got ?v))) (<= (goal a ?v) (true (got ?v))) (goal random 0)
        (<= (goal a 0) (true start))"""
    )
    for coin in ("heads", "tails"):
        file.write_text(json.dumps({"moves": [["safe", coin]]}))
        options = ["--game", str(sheet), "--time", "60", "--format", "json"]
        code, output, _ = ggp_("replay", str(file), *options)
        assert code == 0
        verdict = checked(output, "replay")["steps"][0]["verdicts"]["a"]
        assert (verdict["mark"], verdict["exact"], verdict["lost"]) == ("?", True, 10)
    game = ggp.load(sheet)
    player = SearchPlayer(game, "a", seed=1)
    assert player.prepare(60)
    insight = player.insight(game.initial)
    assert insight.moves == (("risk", 60.0), ("safe", 50.0))
    assert insight.line == ()


def test_goals_of_a_record_that_comes_to_no_end(ggp_, tmp_path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps({"moves": [["(mark 1 1)", "noop"]], "goalValues": [100, 0]}))
    options = ["--game", TIC_TAC_TOE]
    code, output, _ = ggp_("replay", str(file), *options)
    assert (code, "has goals, but its moves come to no end" in output) == (0, True)
    code, output, _ = ggp_("replay", str(file), *options, "--format", "json")
    told = checked(output, "replay")
    assert (told["goals"], told["goals_in_record"]) == (None, [100, 0])


def test_a_record_of_other_rules(ggp_, tmp_path) -> None:
    """The same moves can be made where lines do not count, but what comes of them is another
    state; facts may stand in `true`, as they do in some records."""
    file, sheet = tmp_path / "match.json", tmp_path / "changed.kif"
    ggp_("match", TIC_TAC_TOE, "first", "random", *FAST, "--record", str(file))
    with open(TIC_TAC_TOE, encoding="utf-8") as rules:
        sheet.write_text(f"{rules.read()}\n(init mark)\n(<= (next mark) (true mark))\n")
    code, _, errors = ggp_("replay", str(file), "--game", str(sheet))
    assert code == 2
    assert "not its rules" in errors
    data = json.loads(file.read_text())
    data["states"] = [re.sub(r"\( (cell|control)([^()]*)\)", r"( true ( \1 \2 ) )", s)
                      for s in data["states"]]  # fmt: skip
    assert "true" in data["states"][0]
    file.write_text(json.dumps(data))
    code, _, errors = ggp_("replay", str(file), "--game", TIC_TAC_TOE, "--step", "1")
    assert (code, errors) == (0, "")


def test_a_replay_does_not_hold_chance_against_a_record(ggp_, tmp_path) -> None:
    """A record has a goal of each role, of chance 0, and the rules need none for it."""
    file, with_goal = tmp_path / "match.json", tmp_path / "with_goal.kif"
    kuhn = GAMES / "poker" / "kuhn-poker.kif"
    with_goal.write_text(kuhn.read_text() + "\n(goal random 100)\n")
    for each in (str(with_goal), str(kuhn)):
        ggp_("match", each, "first", "random", *FAST, "--seed", "1", "--record", str(file))
        assert "other goals" not in ggp_("replay", str(file))[1]
    code, output, _ = ggp_("replay", str(file))
    assert code == 0
    assert "other goals" not in output
    record = json.loads(file.read_text())
    record["goalValues"] = [100 - goal for goal in record["goalValues"]]
    file.write_text(json.dumps(record))
    assert "other goals" in ggp_("replay", str(file))[1]


def test_options_of_a_replay_that_would_do_nothing(ggp_, tmp_path) -> None:
    file = tmp_path / "match.json"
    ggp_("match", TIC_TAC_TOE, "first", "random", *FAST, "--record", str(file))
    for options in (["--set", "n=3"], ["--step", "1", "--format", "json"]):
        code, _, _ = ggp_("replay", str(file), *options)
        assert code == 2


def test_a_tournament_tells_of_bad_answers(ggp_) -> None:
    """Nobody is at that address: all answers are missing, whatever the points say."""
    code, _, errors = ggp_(
        "tournament", TIC_TAC_TOE, *FAST, "--player", "first", "--player", "http://127.0.0.1:9"
    )
    assert code == 1
    assert "http://127.0.0.1:9: " in errors
    assert "late, missing or illegal" in errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody", "first"], "no such player"),
        (["first"], "2 players"),
        (["first", "first", "first"], "2 players"),
        (["http://x:y", "first"], "address"),
    ],
)
def test_wrong_players(ggp_, arguments, message) -> None:
    code, _, errors = ggp_("match", TIC_TAC_TOE, *arguments, *FAST)
    assert code == 2
    assert message in errors


def test_a_tournament_goes_on_where_it_was_ended(ggp_, tmp_path) -> None:
    folder = tmp_path / "cup"
    base = ["tournament", TIC_TAC_TOE, *FAST, "--output", str(folder)]
    base += ["--player", "first", "--player", "random", "--player", "greedy"]
    code, output, errors = ggp_(*base, "--format", "json")
    assert (code, errors) == (0, "")
    data = checked(output, "tournament")
    assert len(data["matches"]) == 6
    assert {row["player"] for row in data["standings"]} == {"first", "random", "greedy"}
    assert sum(row["points"] for row in data["standings"]) == 6
    kept = sorted(path.name for path in folder.iterdir())
    assert len(kept) == 7
    (folder / kept[2]).unlink()
    before = (folder / kept[0]).read_text()
    code, output, _ = ggp_(*base, "--format", "json")
    assert checked(output, "tournament") == data
    assert (folder / kept[0]).read_text() == before
    # More rounds are a longer plan of the same tournament.
    code, output, _ = ggp_(*base, "--rounds", "2", "--format", "json")
    assert checked(output, "tournament")["matches"][:6] == data["matches"]
    code, _, errors = ggp_(*base, "--seed", "5")
    assert code == 2
    assert "other seed" in errors


def test_a_sheet_that_changed_is_another_tournament(ggp_, tmp_path) -> None:
    """Its records were played again, and written over, without a word."""
    sheet, folder = tmp_path / "sheet.kif", tmp_path / "cup"
    sheet.write_text(Path(TIC_TAC_TOE).read_text())
    base = ["tournament", str(sheet), *FAST, "--output", str(folder)]
    base += ["--player", "first", "--player", "random"]
    assert ggp_(*base)[0] == 0
    kept = {file.name: file.read_text() for file in folder.iterdir()}
    sheet.write_text(f"(spare fact) {sheet.read_text()}")
    code, _, errors = ggp_(*base)
    assert (code, "other rules" in errors) == (2, True)
    assert {file.name: file.read_text() for file in folder.iterdir()} == kept
    sheet.write_text(f"; with a comment\n{Path(TIC_TAC_TOE).read_text()}")
    assert ggp_(*base)[0] == 0


def test_a_tournament_as_a_table_and_csv(ggp_) -> None:
    base = ["tournament", TIC_TAC_TOE, *FAST, "--player", "first", "--player", "random"]
    code, output, _ = ggp_(*base)
    assert code == 0
    assert output.split()[:4] == ["player", "matches", "points", "share"]
    code, output, _ = ggp_(*base, "--csv")
    header, *rows = output.splitlines()
    assert header.startswith("player,matches,points,share,mean_goal,errors,rating,share_low")
    assert len(rows) == 2


def test_matches_in_several_processes(ggp_) -> None:
    base = ["tournament", TIC_TAC_TOE, *FAST, "--player", "first", "--player", "random"]
    _, one, _ = ggp_(*base, "--format", "json", "--rounds", "2")
    _, two, _ = ggp_(*base, "--format", "json", "--rounds", "2", "--jobs", "2")
    assert one == two


def test_sheets_of_one_file_name_are_told_apart_in_a_tournament(
    ggp_, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = ["one/g.kif", "two/g.kif", "other.kif"]
    for file in files:
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_bytes(Path(TIC_TAC_TOE).read_bytes())
    players = ["--player", "first", "--player", "random"]
    code, output, _ = ggp_("tournament", *files, *players, *FAST)
    told = [line.split()[0] for line in output.splitlines() if ".kif" in line]
    assert (code, told) == (0, files)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
def test_a_pipe_gets_the_record_once_and_whole(ggp_, tmp_path) -> None:
    pipe, had = tmp_path / "record.json", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: had.append(pipe.read_text()), daemon=True)
    reader.start()
    code, _, _ = ggp_("match", TIC_TAC_TOE, "first", "random", *FAST, "--record", str(pipe))
    reader.join(30)
    assert (code, json.loads(had[0])["isCompleted"]) == (0, True)


def test_sheets_with_faults_do_not_end_a_tournament(ggp_, tmp_path) -> None:
    sheet = tmp_path / "stuck.kif"
    sheet.write_text(
        "(role a) (role b) (init s) (legal a x) (<= (legal b x) (true s)) (<= (next t) (true s))"
        "(<= terminal (true u)) (<= (next u) (true u)) (goal a 50) (goal b 50)"
    )
    players = ["--player", "first", "--player", "random"]
    code, output, errors = ggp_("tournament", str(sheet), TIC_TAC_TOE, *players, *FAST)
    assert code == 1
    assert "no legal move" in errors
    stuck, played = output.splitlines()[-2:]
    assert stuck.split() == ["stuck.kif", "0", "of", "0", "0", "of", "0"]
    assert played.split()[0] == "tic-tac-toe.kif"
    _, output, _ = ggp_("tournament", str(sheet), *players, *FAST)
    first = next(line for line in output.splitlines() if line.split()[:1] == ["first"])
    assert first.split() == ["first", "0", *"––––––"]  # nothing is known of its strength


def test_wrong_use(ggp_) -> None:
    for arguments in ([], ["--player", "human", "--player", "first"], ["--player", "first"]):
        code, _, errors = ggp_("tournament", TIC_TAC_TOE, *arguments)
        assert code == 2, errors


def test_records_of_other_syntax_and_strict_case_are_read_back(ggp_, tmp_path) -> None:
    file, sheet = tmp_path / "match.json", tmp_path / "toy.hrf"
    _, text, _ = ggp_("convert", TIC_TAC_TOE, "--to", "hrf")
    sheet.write_text(text)
    assert ggp_("match", str(sheet), "first", "first", *FAST, "--record", str(file))[0] == 0
    assert ggp_("replay", str(file), "--time", "5")[0] == 0
    strict = tmp_path / "strict.kif"
    strict.write_text(
        "(role a) (init s) (<= (legal a x) (true s)) (<= (next S) (true s)) (<= terminal (true S))"
        "(goal a 100)"
    )
    options = [*FAST, "--strict-case", "--record", str(file)]
    assert ggp_("match", str(strict), "first", *options)[0] == 0
    assert ggp_("replay", str(file), "--time", "5")[0] == 0


def test_a_longer_way_to_the_same_goal_is_no_mistake(ggp_, tmp_path) -> None:
    """One role, 100 at once or a move later."""
    sheet, file = tmp_path / "late.kif", tmp_path / "match.json"
    sheet.write_text(
        "(role a) (init (at 1)) (<= (legal a 1) (true (at 1))) (<= (legal a 2) (true (at 1)))"
        "(<= (legal a 3) (true (at 2))) (<= (next (at 2)) (does a 1)) (<= (next over) (does a 2))"
        "(<= (next over) (does a 3)) (<= terminal (true over)) (goal a 100)"
    )
    file.write_text(json.dumps({"moves": [["1"], ["3"]]}))
    code, output, _ = ggp_("replay", str(file), "--game", str(sheet), "--format", "json")
    assert code == 0
    first = checked(output, "replay")["steps"][0]["verdicts"]["a"]
    assert (first["mark"], first["lost"], first["best"]) == ("", 0, ["2"])


def test_damaged_and_foreign_records_are_played_again(ggp_, tmp_path) -> None:
    folder = tmp_path / "cup"
    base = ["tournament", TIC_TAC_TOE, *FAST, "--output", str(folder), "--format", "json"]
    base += ["--player", "first", "--player", "random"]
    _, wanted, _ = ggp_(*base)
    record = folder / "000000.json"
    whole = json.loads(record.read_text())
    # Of another match, whose goals would show if it counted.
    other = {**whole, "goalValues": [3, 7]}
    for changed in (
        {**whole, "goalValues": [1]},
        {**whole, "goalValues": [37, 63]},
        {**whole, "moves": whole["moves"][:-1], "states": whole["states"][:-1]},
        {**whole, "goalValues": [-5, 1_000_000]},
        {**whole, "errors": [[]]},
        {**other, "playerNamesFromHost": ["chance", "chance"]},
        {**other, "playerNamesFromHost": whole["playerNamesFromHost"][::-1]},
        {**other, "gameName": "another"},
        {**other, "gameRulesheet": whole["gameRulesheet"].replace("100", "90")},
        {**whole, "moves": 5},
    ):
        record.write_text(json.dumps(changed))
        code, output, _ = ggp_(*base)
        assert (code, output) == (0, wanted)
    record.write_text("[" * 100_000)
    assert ggp_(*base)[:2] == (0, wanted)
    record.unlink()
    record.mkdir()
    # What cannot be kept counts all the same, and is told.
    code, output, errors = ggp_(*base)
    told = checked(output, "tournament")
    assert code == 1
    assert "000000.json" in errors
    assert "000000.json" in told["matches"][0].pop("unkept")
    assert [match.pop("unkept") for match in told["matches"][1:]] == [None]
    expected = json.loads(wanted)
    for match in expected["matches"]:
        del match["unkept"]
    assert told == expected
    (folder / "tournament.json").write_text("[" * 100_000)
    code, _, errors = ggp_(*base)
    assert (code, "tournament.json: damaged" in errors) == (2, True)


def test_ctrl_c_ends_a_tournament_at_once_and_keeps_what_was_played(tmp_path) -> None:
    """Once the rest of the matches was played after it, and counted for nothing."""
    folder = tmp_path / "cup"
    command = [sys.executable, "-m", "ggp", "tournament", TIC_TAC_TOE, "--jobs", "2"]
    command += ["--player", "first", "--player", "flat", "--rounds", "400", "--format", "json"]
    command += ["--play-clock", "0.2", "--output", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while len(list(folder.glob("0*.json"))) < 2:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    assert errors.decode().startswith("interrupted after ")
    # On a slow machine answers may come late as well.
    assert all("late, missing or illegal" in line for line in errors.decode().splitlines()[1:])
    kept = sorted(path.name for path in folder.glob("0*.json"))
    assert 2 <= len(kept) < 800
    assert len(checked(output.decode(), "tournament")["matches"]) == len(kept)


def test_nothing_is_said_of_moves_that_several_choose_at_once(ggp_, tmp_path) -> None:
    """Paper is no fault where each of three is best with a third, whatever it came to."""
    file = tmp_path / "match.json"
    options = [*FAST, "--seed", "1", "--record", str(file), "--quiet"]
    sheet = str(GAMES / "simultaneous" / "rock-paper-scissors.kif")
    assert ggp_("match", sheet, "first", "random", *options)[0] == 0
    code, output, _ = ggp_("replay", str(file), "--time", "0.1", "--format", "json")
    assert code == 0
    steps = checked(output, "replay")["steps"]
    assert steps
    assert not any(step["verdicts"] for step in steps)


def test_a_person_types_moves_as_in_a_game_of_theirs(ggp_, monkeypatch) -> None:
    """By number, by their text without parentheses, or by the beginning of it."""
    monkeypatch.setattr("sys.stdin", io.StringIO("zzz\nmark 2 2\n" + "1\n" * 8))
    options = [*FAST, "--format", "json", "--quiet", "--seed", "1"]
    code, output, errors = ggp_("match", TIC_TAC_TOE, "human", "random", *options)
    assert code == 0
    assert "zzz is not legal here" in errors
    assert checked(output, "match")["moves"][0] == ["( mark 2 2 )", "noop"]


def test_a_person_sees_no_more_than_the_rules_let_them(ggp_, monkeypatch) -> None:
    """Poker: the card of the other stood on the board that was shown."""
    monkeypatch.setattr("sys.stdin", io.StringIO("bet\n" * 3))
    poker = str(GAMES / "poker/kuhn-poker.kif")
    code, output, errors = ggp_("match", poker, "human", "first", *FAST, "--seed", "3")
    before, _, _ = output.partition("over")
    assert code == 0
    assert "holds" not in before + errors
    assert re.search("first made noop and saw (jack|queen|king)", errors)
    assert output.count("holds") == 2  # at the end all is shown


@pytest.mark.parametrize(
    ("output", "options"),
    [
        (True, []),
        pytest.param(True, ["--quiet"], marks=pytest.mark.slow),
        pytest.param(False, [], marks=pytest.mark.slow),
        pytest.param(True, ["--format", "json"], marks=pytest.mark.slow),
    ],
)
def test_a_person_sees_a_board_once(tmp_path, output, options) -> None:
    """On the terminal where the match is shown, or else where moves are asked for."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ggp", "match", TIC_TAC_TOE, "human", "first", *options]
    with (tmp_path / "output").open("w") as file:
        streams = {"stdout": theirs if output else file, "stderr": theirs}
        match = subprocess.Popen(command, stdin=subprocess.DEVNULL, **streams)
    os.close(theirs)
    said = b""
    with suppress(OSError):  # the other side is closed
        while more := os.read(ours, 1 << 12):
            said += more
    match.wait(timeout=300)
    os.close(ours)
    assert said[: said.index(b"a move)>")].count(b"1 2 3") == 1


def test_a_person_at_pipes_sees_a_board_once(ggp_, monkeypatch) -> None:
    """Where the match is told, and not once more where moves are asked for."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 8))
    code, output, errors = ggp_("match", TIC_TAC_TOE, "human", "first", *FAST)
    assert (code, errors.count("1 2 3")) == (0, 0)
    assert output.count("1 2 3") > 1


def test_a_tournament_needs_a_folder(ggp_, tmp_path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    players = ["--player", "first", "--player", "random"]
    code, _, errors = ggp_("tournament", TIC_TAC_TOE, *players, "--output", str(file))
    assert code == 2
    assert "a file is there, where records need a folder" in " ".join(errors.split())


@pytest.mark.parametrize(
    ("verb", "options", "why"),
    [
        ("match", ["first", "first", "--rules", "dresden", "--strict-case"], "by the case"),
        (
            "tournament",
            ["--player", "first", "--player", "random", "--csv", "--format", "json"],
            "two forms",
        ),
    ],
)
def test_options_that_do_not_go_together(ggp_, verb, options, why) -> None:
    code, output, errors = ggp_(verb, TIC_TAC_TOE, *options)
    assert (code, why in output + errors) == (2, True)


def test_one_address_is_no_two_players(ggp_) -> None:
    """Messages of a match do not name the role, so that the player took each for its last one."""
    twice = ("http://127.0.0.1:1", "localhost:1")
    code, _, told = ggp_("match", TIC_TAC_TOE, *twice)
    assert (code, "can play one role of a match" in told) == (2, True)
    players = ("--player", twice[0], "--player", "random")
    code, _, told = ggp_("tournament", "three-players/last-match", *players)
    assert (code, "can play one role of a match" in told) == (2, True)


@pytest.mark.parametrize("numbers", [[signal.SIGINT], [signal.SIGTERM], [signal.SIGINT] * 2])
def test_a_signal_ends_a_match_while_a_person_thinks(tmp_path, numbers) -> None:
    """The thread that waits for a line is not waited for; the record up to there is kept."""
    record = tmp_path / "record.json"
    command = [sys.executable, "-m", "ggp", "match", TIC_TAC_TOE, "human", "first"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, "--record", str(record)], **pipes, bufsize=0) as match:
        said = b""
        match.stdin.write(b"1\n")
        # The second time that a move is asked for: after the first one nothing was typed.
        while said.count(b"a move)> ") < 2:
            said += match.stderr.read(1 << 12)
        for number in numbers:
            match.send_signal(number)
        assert match.wait(timeout=300) == 130
        assert b"Traceback" not in match.stderr.read()
    data = json.loads(record.read_text())
    assert (data["isAborted"], len(data["moves"])) == (True, 2)


UNHEARD = """
import signal, sys, threading, time
from ggp.cli import match, players
from ggp.cli.main import run
from ggp.limits import stop

def choose(self, state, seconds):
    # As the system may do it: to the thread that waits for a person.
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    until = time.monotonic() + 60
    while not stop.is_set():
        if time.monotonic() > until:
            print("nobody heard the signal", file=sys.stderr, flush=True)
            break
        time.sleep(0.01)
    raise KeyboardInterrupt

players.HumanPlayer.choose = choose
sys.exit(run())
"""


def test_a_signal_to_the_thread_of_a_person_is_heard() -> None:
    """The loop waits in another, and was not woken by it: one match in some ten never ended where
    the machine had much to do."""
    command = [sys.executable, "-c", UNHEARD, "match", TIC_TAC_TOE, "human", "first"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    assert b"nobody heard" not in done.stderr
    assert done.returncode == 130
