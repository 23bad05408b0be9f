"""What somebody found who used the command as a stranger; each was wrong once."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import ggp
from ggp.errors import InputError, LimitReached
from ggp.show import summary
from tests.conftest import GAMES, ROOT

KAYLES = str(GAMES / "kayles/kayles-7.kif")
TIC_TAC_TOE = str(GAMES / "tic-tac-toe/tic-tac-toe.kif")
FIVE = (str(GAMES / "subtraction/subtraction.kif.jinja"), "--set", "heaps=[3,3,3,3,3]")

COIN = """(role a) (role random) (init (p s))
(<= (legal random h) (true (p s))) (<= (legal random t) (true (p s)))
(<= (legal a noop) (true (p s))) (<= (next (p ?m)) (true (p s)) (does random ?m))
(<= terminal (not (true (p s)))) (<= (goal a 100) (true (p h))) (<= (goal a 0) (true (p t)))"""

STUCK = """(role a) (init (p 0))
(<= (legal a end) (true (p 0))) (<= (legal a on) (true (p 0))) (<= (legal a on) (true (p 1)))
(<= (next over) (does a end)) (<= (next (p 1)) (does a on) (true (p 0)))
(<= (next (p 2)) (does a on) (true (p 1))) (<= terminal (true over)) (goal a 100)"""


def command(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "ggp", *arguments], capture_output=True, cwd=ROOT, **options
    )


@pytest.mark.parametrize(
    "text", [COIN, COIN.replace("(role a) (role random)", "(role random) (role a)")]
)
def test_chance_may_move_first_in_a_game_for_one(text) -> None:
    game = ggp.parse(text)
    solution = game.solve()
    assert solution.value(game.initial) == {"a": 50}
    assert solution.best(game.initial) == ()


def test_a_mean_is_no_draw(ggp_, tmp_path) -> None:
    sheet = tmp_path / "coin.kif"
    more = "(role b) (<= (legal b noop) (true (p s))) "
    more += "(<= (goal b 0) (true (p h))) (<= (goal b 100) (true (p t)))"
    sheet.write_text(COIN + more)
    code, output, _ = ggp_("solve", str(sheet), "--format", "json")
    data = json.loads(output)
    assert (code, data["result"], data["outcome"], data["expected"]) == (0, None, None, True)
    _, output, _ = ggp_("solve", str(sheet))
    assert output.startswith("Best play can expect these goals on average: a 50, b 50.")


def test_chance_alone_has_nothing_to_solve_and_does_not_end_a_run(ggp_, tmp_path) -> None:
    sheet = tmp_path / "dice.kif"
    text = COIN.replace("(role a) ", "").replace("(<= (legal a noop) (true (p s))) ", "")
    sheet.write_text(text.replace("goal a", "goal random"))
    code, output, _ = ggp_("analyse", KAYLES, str(sheet), KAYLES, "--format", "json")
    assert (code, len(output.splitlines())) == (0, 3)
    assert ggp_("solve", str(sheet))[0] == 1


def test_a_fault_of_our_own_in_one_file_does_not_keep_others_from_being_looked_at(
    ggp_, monkeypatch
) -> None:
    __import__("ggp.cli.analyse")
    module = sys.modules["ggp.cli.analyse"]
    find, calls = module.find, []

    def sometimes(*arguments, **options):
        calls.append(1)
        if len(calls) == 1:
            raise IndexError("oops")
        return find(*arguments, **options)

    monkeypatch.setattr(module, "find", sometimes)
    code, output, errors = ggp_("analyse", KAYLES, KAYLES, "--format", "json")
    first, second = map(json.loads, output.splitlines())
    assert (code, first["error"]["kind"], second["schema"]) == (
        70,
        "InternalError",
        "ggp-analyse/1",
    )
    assert "internal error: IndexError: oops" in errors


def test_plays_start_from_states_of_the_game() -> None:
    kayles, other = ggp.games.load("kayles-7"), ggp.games.load("tic-tac-toe")
    with pytest.raises(ggp.UnknownName):
        kayles.playouts(10, start=other.initial)
    for start in (3, -1, "x"):
        with pytest.raises(TypeError, match="a State"):
            kayles.playouts(10, start=start)
    again = ggp.games.load("kayles-7").initial
    assert kayles.playouts(100, seed=2, start=again) == kayles.playouts(100, seed=2)
    assert kayles.playouts(100, seed=2) != kayles.playouts(100, seed=3)


def test_where_play_is_stuck_it_has_not_ended() -> None:
    findings = ggp.parse(STUCK).analyse()
    assert (findings.value("shortest_play"), findings.value("longest_play")) == (1, 1)
    never = ggp.parse(STUCK.replace("(<= terminal (true over))", "(<= terminal (true no))"))
    assert never.analyse()["longest_play"].value is None


def test_chance_is_no_player_in_any_case_of_letters() -> None:
    findings = ggp.parse(COIN.replace("(role random)", "(role RANDOM)")).analyse()
    assert summary(findings)[0] == "A game for a; chance has a part."


def test_what_is_unknown_in_the_whole_is_unknown_alone() -> None:
    text = """(role a) (role b) (init (n 0)) (s 0 1) (s 1 2)
    (<= (legal a m) (true (n ?x)) (s ?x ?y)) (<= (legal a k) (true (n 0))) (legal b noop)
    (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= terminal (true (n 2))) (goal a 0) (goal b 100)"""
    whole = ggp.parse(text).analyse()
    for finding in whole:
        alone = list(ggp.parse(text).analyse(only=finding.property))
        assert [(f.property, f.value, f.certainty) for f in alone] == [
            (finding.property, finding.value, finding.certainty)
        ]


@pytest.mark.parametrize(
    "arguments",
    [["solve"], ["solve", KAYLES, "--time", "-1"], ["solve", KAYLES, "--bogus"], ["foo"]],
)
def test_wrong_use_is_json_too(ggp_, arguments) -> None:
    code, output, _ = ggp_(*arguments, "--format", "json")
    failure = json.loads(output)["error"]
    assert (code, failure["kind"], failure["exit_code"]) == (2, "UsageError", 2)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_a_full_disk_does_not_change_the_answer() -> None:
    for arguments, stream in (
        (["solve", "nope", "--format", "json"], "stdout"),
        (["solve"], "stderr"),
    ):
        with open("/dev/full", "wb") as full:
            kept = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
            done = subprocess.run([sys.executable, "-m", "ggp", *arguments], cwd=ROOT, **kept)
        assert done.returncode == 2
        assert b"Traceback" not in (done.stderr or b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_an_answer_that_could_not_be_written_is_no_success() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ggp", "games"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (2, b"ggp: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="shells are POSIX")
@pytest.mark.parametrize(
    "line",
    [
        "convert {k} --to hrf >&-",
        "play {k} <&-",
        "analyse {k} --brief --certificate >(wc -c >&2)",
        "convert {k} --to hrf --output >(cat >&2)",
    ],
)
def test_closed_streams_and_pipes(line) -> None:
    program = f"{sys.executable} -m ggp " + line.format(k=KAYLES)
    done = subprocess.run(["bash", "-c", program], capture_output=True, cwd=ROOT, text=True)
    assert done.returncode == 0
    assert "error" not in done.stderr


def test_a_file_that_is_standard_output_keeps_what_is_printed(tmp_path) -> None:
    out = tmp_path / "out.txt"
    program = f"{sys.executable} -m ggp analyse {KAYLES} --report /dev/stdout > {out}"
    subprocess.run(["bash", "-c", program], check=True, cwd=ROOT)
    text = out.read_text(encoding="utf-8")
    assert "| property | value |" in text
    assert "A game of left and right" in text


def test_one_output_never_takes_the_place_of_another(ggp_, tmp_path) -> None:
    same, sheet = str(tmp_path / "same.x"), tmp_path / "self.kif"
    sheet.write_bytes((GAMES / "kayles/kayles-7.kif").read_bytes())
    assert ggp_("analyse", KAYLES, "--certificate", same, "--report", same)[0] == 2
    assert ggp_("analyse", str(sheet), "--report", str(sheet))[0] == 2
    assert sheet.read_bytes() == (GAMES / "kayles/kayles-7.kif").read_bytes()


def test_a_record_or_a_conversion_never_takes_the_place_of_a_sheet(ggp_, tmp_path) -> None:
    sheet = tmp_path / "own.kif"
    text = (GAMES / "kayles/kayles-7.kif").read_bytes()
    sheet.write_bytes(text)
    code, _, error = ggp_("match", str(sheet), "first", "random", "--record", str(sheet))
    assert (code, "as it is no record" in error) == (2, True)
    code, _, error = ggp_("convert", str(sheet), "--to", "hrf", "--output", str(sheet))
    assert (code, "which would be lost" in error) == (2, True)
    assert sheet.read_bytes() == text


WAITING = """(role a) (role b) (init (turn a)) (init (free 1)) (init (free 2))
    (<= (legal ?p (take ?n)) (true (turn ?p)) (true (free ?n)))
    (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
    (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
    (<= (next (free ?n)) (true (free ?n)) (not (taken ?n))) (<= (taken ?n) (does ?p (take ?n)))
    (<= terminal (not some)) (<= some (true (free ?n))) (<= (goal ?p 0) (true (turn ?p)))
    (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))"""
"""Who is not to move waits, and where nobody is, both do."""


@pytest.mark.parametrize(
    "facts", ["(free 1) (free 2)", "(turn a) (turn b) (free 1)", "(turn a) (turn b)", "zero"]
)
def test_a_start_tells_whose_turn_it_is(ggp_, tmp_path, facts) -> None:
    """Also where both would wait, and where play is over with goals that hang on that."""
    sheet = tmp_path / "waiting.kif"
    sheet.write_text(WAITING)
    code, _, error = ggp_("solve", str(sheet), "--from", facts.replace("zero", ""))
    assert (code, "the facts do not tell whose turn it is" in error) == (2, True)


def test_a_start_that_is_over_whosever_turn_it_is_need_not_tell(ggp_) -> None:
    code, output, _ = ggp_(
        "solve", "tic-tac-toe", "--from", "(cell 1 1 x) (cell 1 2 x) (cell 1 3 x)"
    )
    assert (code, "Play is over" in output) == (0, True)


@pytest.mark.parametrize(("sheet", "left"), [("sg-123-21", 0), ("sg-123-21-misere", 100)])
def test_heaps_without_a_move_are_told_as_such(ggp_, sheet, left) -> None:
    code, output, _ = ggp_("solve", str(GAMES / f"subtraction/{sheet}.kif"), "--heap", "0")
    assert code == 0
    assert f"left, the player to move, has no move: left {left}, right {100 - left}." in output
    assert "winning moves" not in output


@pytest.mark.skipif(os.name != "posix", reason="links and pipes are POSIX")
def test_links_that_loop_and_pipes_that_nobody_reads_are_refused(ggp_, tmp_path) -> None:
    (tmp_path / "loop.dot").symlink_to(tmp_path / "loop.dot")
    assert ggp_("solve", KAYLES, "--strategy", str(tmp_path / "loop.dot"))[0] == 2
    os.mkfifo(tmp_path / "pipe.dot")
    assert ggp_("match", KAYLES, "first", "random", "--record", str(tmp_path / "pipe.dot"))[0] == 2
    assert (tmp_path / "pipe.dot").is_fifo()
    assert ggp_("solve", KAYLES, "--strategy", str(tmp_path / "pipe.dot"))[0] == 2


def test_odd_arguments_are_told_in_words() -> None:
    with pytest.raises(TypeError, match="rules are text"):
        ggp.parse(3)
    with pytest.raises(ggp.InputError):
        ggp.load("nim/rows\0")


def test_no_name_at_all_is_no_folder(ggp_) -> None:
    code, _, error = ggp_("check", "")
    assert (code, error) == (2, "ggp: no file is named: the name is empty\n")


def test_moves_that_nothing_is_found_of_are_told_of(ggp_) -> None:
    _, output, _ = ggp_("play", KAYLES, "--lines", typed="moves zz\nquit\n")
    assert "no legal move has 'zz'" in output


def test_the_folder_for_what_is_spilled_is_made_and_removed(ggp_, tmp_path) -> None:
    folder = tmp_path / "a" / "folder"
    sheet = str(GAMES / "connect-four/connect-four.kif.jinja")
    small = ("--set", "columns=3", "--set", "rows=3", "--set", "line=3")
    code, output, _ = ggp_("solve", sheet, *small, "--spill", str(folder))
    assert (code, "layer by layer" in output) == (0, True)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_had_takes_nothing_else_with_it(ggp_, tmp_path) -> None:
    """A picture of 776 positions is too large; the table and the solution are there."""
    picture, table = tmp_path / "s.svg", tmp_path / "t.csv"
    wanted = ["--strategy", str(picture), "--role", "oplayer", "--table", str(table)]
    code, output, error = ggp_("solve", TIC_TAC_TOE, *wanted, "--statistics")
    assert (code, "776 positions" in error, "5,478 positions in" in output) == (3, True, True)
    assert "by ply" in output
    code, output, _ = ggp_("solve", TIC_TAC_TOE, *wanted, "--format", "json")
    data = json.loads(output)
    assert (code, data["result"], data["table"]["positions"]) == (3, "draw", 5478)
    assert "776 positions" in data["error"]["message"]
    assert (len(ggp.tablebase(table)), picture.exists()) == (5478, False)


@pytest.mark.parametrize(
    "option", [["--role", "left"], ["--positions", "5"], ["--threads", "2"], ["--spill", "x"]]
)
def test_nothing_is_ignored_beside_heaps_of_any_size(ggp_, option) -> None:
    assert ggp_("solve", KAYLES, "--heap", "5")[0] == 0
    code, _, error = ggp_("solve", KAYLES, "--heap", "5", *option)
    assert (code, "answered by theory alone" in error) == (2, True)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_a_size_beyond_the_chain_is_none_because_a_heap_is_called_so(ggp_, size) -> None:
    """The chain goes to 3, and heaps are called 1 to 5: `(heap 1 5)` was the end of play."""
    start = f"(heap 1 {size}) " + "".join(f"(heap {n} 0) " for n in range(2, 6)) + "(control left)"
    code, output, _ = ggp_("solve", *FIVE, "--set", "take=[1,2]", "--from", start)
    assert (code, f"nim-value: {size % 3}" in output) == (0, True)
    code, _, error = ggp_("table", *FIVE, "--vary", f"heap 1=0..{size}")
    assert (code, "cannot stand there" in error) == (2, True)


def test_what_stands_where_no_rule_puts_it_is_no_fact(ggp_) -> None:
    for fact in ("(cell x o b)", "(cell 1 1 xplayer)", "(cell 1 1 3)"):
        code, _, error = ggp_("solve", TIC_TAC_TOE, "--from", f"{fact} (control xplayer)")
        assert (code, "is no fluent" in error) == (2, True)
    # No play comes to three of a kind beside each other's turn, but all may stand where they do.
    board = "(cell 1 1 x) (cell 1 2 x) (cell 2 2 x) (cell 3 3 b) (control oplayer)"
    assert ggp_("solve", TIC_TAC_TOE, "--from", board)[0] == 0


def test_counts_are_told_where_no_picture_can_be_had_of_them(ggp_, tmp_path, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise LimitReached("characters", 1, "of a picture")

    monkeypatch.setattr("ggp.cli.outputs.statistics_plot", fail)
    wanted = ["--statistics", "--plot", str(tmp_path / "s.svg")]
    code, output, error = ggp_("solve", KAYLES, *wanted)
    assert (code, "by ply" in output, "of a picture" in error) == (3, True, True)


@pytest.mark.parametrize("cut", [2, 3, 4])
def test_a_table_that_was_cut_off_is_none(ggp_, tmp_path, cut) -> None:
    """In the last cell, so that all rows are as long as the first one."""
    file = tmp_path / "t.csv"
    assert ggp_("solve", KAYLES, "--table", str(file))[0] == 0
    text = file.read_bytes()
    file.write_bytes(text[:-cut])
    with pytest.raises(InputError):
        ggp.tablebase(file)


ENDLESS_BESIDE_CHANCE = """(role a) (role b) (role random)
(init (at p0)) (legal random noop) (legal a noop)
(<= (legal b stay) (true (at p0))) (<= (legal b leave) (true (at p0)))
(<= (next (at p0)) (does b stay)) (<= (next (at p1)) (does b leave))
(<= terminal (true (at p1))) (<= (goal a 100) (true (at p1))) (<= (goal b 0) (true (at p1)))
"""

CHOICE_AND_CHANCE = """(role a) (role random) (init (s 0)) (legal random r1) (legal random r2)
(<= (legal a x) (true (s 0))) (<= (legal a y) (true (s 0)))
(<= (next (s 1)) (true (s 0)) (does a x) (does random r1))
(<= (next (s 2)) (true (s 0)) (does a x) (does random r2))
(<= (next (s 3)) (true (s 0)) (does a y)) (<= terminal (not (true (s 0))))
(<= (goal a 100) (true (s 1))) (<= (goal a 0) (true (s 2))) (<= (goal a 40) (true (s 3)))
"""


STEPS_BESIDE_TURNS = """(role a) (role b) (init (control a)) (init (step 0))
(<= (legal ?r k) (true (control ?r))) (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (legal a l) (true (control a)) (true (step 0))) (<= (legal b l) (true (control b)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (next (step 1)) (true (step 0))) (<= (next (step 0)) (true (step 1)))
(<= (next done) (does b k)) (<= terminal (true done)) (<= (goal a 0) (true done))
(<= (goal b 100) (true done)) (<= (goal ?r 50) (role ?r) (not (true done)))
"""


def test_an_end_in_reach_is_not_denied_beside_chance(ggp_, tmp_path) -> None:
    sheet = tmp_path / "s.kif"
    sheet.write_text(ENDLESS_BESIDE_CHANCE)
    code, output, _ = ggp_("solve", str(sheet))
    assert (code, "Best play may never end" in output) == (0, True)


def test_a_choice_and_chance_at_once_are_one_move(ggp_, tmp_path) -> None:
    """Every play is over after one."""
    sheet, table = tmp_path / "s.kif", tmp_path / "t.csv"
    sheet.write_text(CHOICE_AND_CHANCE)
    assert ggp_("solve", str(sheet), "--table", str(table))[0] == 0
    found = ggp.tablebase(table)[ggp.load(sheet).initial]
    assert (found["goals"], found["distance"], found["best"]) == ({"a": 50}, 1, ("x",))


def test_who_alone_has_a_choice_is_told(ggp_, tmp_path) -> None:
    """In play a step goes with each turn, so that it is part of what tells the turn; `--from`
    refused all states in which it does not."""
    sheet = tmp_path / "s.kif"
    sheet.write_text(STEPS_BESIDE_TURNS)
    for facts in ("(control b)", "(control a) (step 1)"):
        code, output, _ = ggp_("solve", str(sheet), "--from", facts)
        assert (code, "b" in output, "wins" in output) == (0, True, True)
    code, _, error = ggp_("solve", str(sheet), "--from", "(step 1)")
    assert (code, "do not tell whose turn" in error) == (2, True)


@pytest.mark.parametrize("option", ["--plays", "--strategy"])
def test_moves_at_once_are_not_called_chance(ggp_, tmp_path, option) -> None:
    sheet = GAMES / "simultaneous" / "rock-paper-scissors.kif"
    code, _, error = ggp_("solve", str(sheet), option, str(tmp_path / "s.json"))
    assert (code, "a strategy is mixed" in error) == (1, True)
