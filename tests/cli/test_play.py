"""`ggp play` line by line: what can be typed, who plays, and what is shown."""

from __future__ import annotations

import importlib
import json
import shutil
from dataclasses import replace

import pytest

from ggp.cli import common
from tests.conftest import GAMES

TIC_TAC_TOE = str(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
KAYLES = str(GAMES / "kayles" / "kayles-7.kif")
ROWS = str(GAMES / "nim" / "rows.kif.jinja")
ROSHAMBO = str(GAMES / "simultaneous" / "rock-paper-scissors.kif")
HANOI = str(GAMES / "puzzles" / "hanoi.kif.jinja")
CONNECT_FOUR = str(GAMES / "connect-four" / "connect-four.kif.jinja")

DICE = """
(role random) (role guesser) (init start)
(<= (legal random (roll 1)) (true start)) (<= (legal random (roll 2)) (true start))
(<= (legal guesser (guess 1)) (true start)) (<= (legal guesser (guess 2)) (true start))
(<= (next (rolled ?n)) (does random (roll ?n))) (<= (next (guessed ?n)) (does guesser (guess ?n)))
(<= terminal (true (rolled ?n)))
(<= (goal guesser 100) (true (rolled ?n)) (true (guessed ?n)))
(<= (goal guesser 0) (true (rolled ?n)) (not (true (guessed ?n))))
"""

ENDLESS = """
(role a) (role b) (init (at 1)) (<= (next (at ?x)) (does a (go ?x)))
(legal a (go 1)) (legal a (go 2)) (legal b wait) (<= terminal (true never)) (goal a 0) (goal b 0)
"""


def written(folder, text: str) -> str:
    file = folder / "sheet.kif"
    file.write_text(text, encoding="utf-8")
    return str(file)


def many(moves: int) -> str:
    """A game of one move, of which there are many."""
    legal = "".join(f"(legal a (take {i} [bold]x[/bold]))" for i in range(moves))
    ends = "(init open) (<= (next over) (does a ?m)) (<= terminal (true over)) (goal a 100)"
    return f"(role a) {legal} {ends}"


def test_the_board_marks_the_last_move_and_says_whose_turn_it_is(ggp_) -> None:
    code, output, _ = ggp_("play", TIC_TAC_TOE, "--level", "easy", typed="(mark 2 2)")
    assert code == 0
    assert "xplayer: you, oplayer: the machine (easy)" in output
    first, second = output.split("xplayer> ")[:2]
    assert "turn: xplayer" in first
    assert "[" not in first.replace("[bold]", "")
    assert "oplayer plays (mark" in second
    assert "[o]" in second


@pytest.mark.parametrize(
    "line", ["(mark 2 2)", "mark 2 2", "MARK 2 2", "5", " (mark 2 2) ", "mark  2 2"]
)
def test_a_move_is_its_number_its_text_or_the_beginning_of_it(ggp_, line) -> None:
    _, output, _ = ggp_("play", TIC_TAC_TOE, "--format", "json", "--level", "easy", typed=line)
    assert json.loads(output)["moves"][0] == ["(mark 2 2)", "noop"]


def test_what_is_no_move_is_told_and_nothing_happens(ggp_) -> None:
    typed = "mark\nmark 9\n99\nzzz\nlevel fast\nlevel -1\nlevel inf\nsave\nload\nload nowhere.json"
    code, output, _ = ggp_("play", TIC_TAC_TOE, typed=typed)
    assert code == 0
    assert "mark could be (mark 1 1), (mark 1 2)" in output
    assert output.count("is not legal here") == 3
    assert output.count("a level is easy, medium, strong") == 3
    assert output.count("which file?") == 2
    assert "nowhere.json" in output
    assert " plays " not in output


def test_a_hint_says_which_values_are_exact(ggp_) -> None:
    options = ("--role", "xplayer", "--role", "oplayer", "--time", "120")
    _, output, _ = ggp_("play", TIC_TAC_TOE, *options, typed="(mark 1 1)\nhint")
    hint = output.split("oplayer> ")[1].splitlines()
    assert hint[0] == "best: (mark 2 2)  (solved)"
    assert hint[1] == " * = 50     (mark 2 2)"
    assert [line[3:6] for line in hint[2:9]] == ["= 0"] * 7
    assert hint[9].strip() == "= is exact"


def test_a_move_without_a_choice_is_told(ggp_) -> None:
    """Who it was did not type it."""
    options = ("--set", "heaps=[1, 1, 1]", "--role", "left", "--role", "right")
    _, output, _ = ggp_("play", ROWS, *options, typed="1\n1")
    assert "left plays (take 3 1), the only move" in output


def test_estimates_are_told_as_such(ggp_) -> None:
    options = ("--set", "columns=7", "--set", "rows=6", "--time", "0.3")
    _, output, _ = ggp_("play", CONNECT_FOUR, *options, typed="hint")
    # On a slow machine there may be no time for an estimate, but never is there an exact value.
    assert ("≈ is an estimate" in output) == ("≈ " in output)
    assert "= is exact" not in output


def test_the_moves_of_two_people_who_choose_at_once_are_told_together(ggp_) -> None:
    code, output, _ = ggp_(
        "play",
        ROSHAMBO,
        "--role",
        "left",
        "--role",
        "right",
        typed="show rock\nundo\nshow paper\nshow scissors",
    )
    assert code == 0
    assert output.index("right> ") < output.index("left plays (show paper)")
    assert "right plays (show scissors)" in output


def test_a_machine_that_chooses_at_once_with_a_person(ggp_) -> None:
    code, output, _ = ggp_("play", ROSHAMBO, "--time", "0.2", typed="show rock")
    assert code == 0
    assert "right plays" in output
    assert "left plays" not in output


def test_chance_is_no_player(ggp_, tmp_path) -> None:
    sheet = written(tmp_path, DICE)
    seen = set()
    for _ in range(20):
        code, output, _ = ggp_("play", sheet, "--level", "easy", typed="guess 1")
        assert code == 0
        assert "random: chance, guesser: you" in output
        seen |= {word for word in ("(roll 1)", "(roll 2)") if f"random plays {word}" in output}
    assert seen == {"(roll 1)", "(roll 2)"}


def test_a_game_for_one_is_played_alone(ggp_) -> None:
    code, output, _ = ggp_("play", HANOI, "--set", "disks=2", typed="hint\n1\nundo\n2\nquit")
    assert code == 0
    assert ": you" in output
    assert "the machine" not in output


@pytest.mark.parametrize("watch", [["--watch"], ["--role", "none"]])
@pytest.mark.parametrize("level", ["easy", "medium", "strong"])
def test_the_machine_plays_itself(ggp_, watch, level) -> None:
    code, output, _ = ggp_("play", KAYLES, *watch, "--level", level, "--format", "json")
    assert code == 0
    assert sum(json.loads(output)["goals"].values()) == 100


def test_the_strong_machine_never_loses_where_it_need_not(ggp_) -> None:
    code, output, _ = ggp_("play", TIC_TAC_TOE, "--watch", "--time", "1", "--format", "json")
    assert code == 0
    assert json.loads(output)["goals"] == {"xplayer": 50, "oplayer": 50}


def test_a_machine_that_plays_itself_without_end_is_stopped(ggp_, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("ggp.play.sitting.sitting.MAX_WATCHED", 5)
    code, _, errors = ggp_("play", written(tmp_path, ENDLESS), "--watch", "--level", "easy")
    assert code == 3
    assert "plies = 5" in errors


def test_an_endless_game_can_be_played_and_left(ggp_, tmp_path) -> None:
    code, output, _ = ggp_("play", written(tmp_path, ENDLESS), typed="go 1\ngo 2\nundo\nundo\nq")
    assert code == 0
    assert output.count("a> ") == 5


def test_thousands_of_moves_are_listed_when_asked_for(ggp_, tmp_path) -> None:
    sheet = written(tmp_path, many(2_000))
    code, output, _ = ggp_(
        "play", sheet, "--time", "0.2", typed="moves 1777\nhint\nmoves\n(take 778"
    )
    assert code == 0
    before, some, _, everything = output.split("a> ")[:4]
    assert "2,000 moves in all" in before
    assert len(before) < 3_000
    assert some.strip().count("take") == 1
    assert everything.count("take") == 2_000
    assert "[bold]x[/bold]" in some
    assert "The game is over: a 100" in output


def test_hostile_names_are_inert(ggp_, tmp_path) -> None:
    name = "n" * 300_000
    sheet = written(
        tmp_path,
        f"(role \x1b[31ma) (role {name}) (init (\x1b]0:x\x07 [red]p)) (init (q {name}))"
        f"(legal \x1b[31ma [bold]) (legal \x1b[31ma (\x1b[2J {name})) (legal {name} noop)"
        "(<= (next over) (does ?r ?m)) (<= terminal (true over)) (<= (goal ?r 50) (role ?r))",
    )
    typed = "moves\nhint\nlevel \x1b[31m\n\x1b[2J\nsave /no-such-\x1b[31m/x\n2"
    code, output, errors = ggp_("play", sheet, "--time", "0.2", typed=typed)
    assert code == 0
    assert "\x1b" not in output + errors
    assert "\x07" not in output + errors
    assert "[bold]" in output
    assert len(output) < 20_000
    assert "The game is over" in output


def test_a_game_too_large_to_ground_is_played(ggp_, monkeypatch) -> None:
    limits = replace(common.DEFAULT, ground_rules=1)
    module = importlib.import_module("ggp.cli.play")
    monkeypatch.setattr(module, "load_game", lambda *given: common.load_game(*given, limits=limits))
    for level in (["--level", "easy"], ["--time", "0.3"]):
        code, output, _ = ggp_("play", TIC_TAC_TOE, *level, typed="hint\n5\nundo\n1\nfacts\nquit")
        assert code == 0
        assert output.count("oplayer plays") == 2
        assert "≈ is an estimate" in output


def test_ascii_is_ascii(ggp_) -> None:
    options = ("--ascii", "--level", "easy", "--set", "columns=7", "--set", "rows=6")
    _, output, _ = ggp_("play", CONNECT_FOUR, *options, typed="1\nhelp\nhint\n1")
    assert output.isascii()
    assert "~ is an estimate" in output


def test_json_is_all_that_standard_output_holds(ggp_) -> None:
    code, output, errors = ggp_("play", KAYLES, "--format", "json", "--lines", typed="hint\n1")
    assert code == 0
    assert set(json.loads(output)) == {"schema", "game", "moves", "goals"}
    assert "left> " in errors


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ([], "FILE"),
        ([KAYLES, "--level", "easy", "--time", "1"], "--time"),
        ([KAYLES, "--time", "nan"], "--time"),
        ([KAYLES, "--time", "inf"], "--time"),
        ([KAYLES, "--level", "best"], "--level"),
        ([KAYLES, "--watch", "--role", "left"], "not both"),
        ([KAYLES, "--role", "none", "--role", "left"], "not both"),
        ([KAYLES, "--role", "nobody"], "no role nobody"),
        ([KAYLES, "--from", "(control left)", "--resume", "x.json"], "--resume"),
        ([KAYLES, "--save", "no-such-folder/x.json"], "no-such-folder"),
        ([KAYLES, "--save", "."], "directory"),
        (["--resume", "missing.json"], "missing.json"),
    ],
)
def test_wrong_use_is_one_clear_line(ggp_, options, word, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, output, errors = ggp_("play", *options, typed="quit")
    assert code == 2
    assert output == ""
    assert word in errors
    assert "Traceback" not in errors
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["[boards", "[boards.cel]\nflip = ['rows']"])
def test_a_file_beside_the_sheet_that_means_nothing_is_said(ggp_, tmp_path, text) -> None:
    sheet = shutil.copy(TIC_TAC_TOE, tmp_path / "t.kif")
    (tmp_path / "t.board.toml").write_text(text, encoding="utf-8")
    code, output, errors = ggp_("play", str(sheet), typed="quit")
    assert (code, output) == (2, "")
    assert "t.board.toml: " in errors
