"""The command: exit codes, one clear line for every bad input, and the JSON of the contract."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import ModuleType

import pytest

from ggp.cli.common import limits_from, print_json
from ggp.cli.main import _interrupt
from ggp.limits import DEFAULT, memory_in_use, stop
from tests.cli.test_json import checked
from tests.conftest import GAMES, nightly
from tests.ground.test_gringo import clique

KAYLES = str(GAMES / "kayles" / "kayles-7.kif")
TIC_TAC_TOE = str(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
SG_125 = str(GAMES / "subtraction" / "sg-125.kif")
ROWS = str(GAMES / "nim" / "rows.kif.jinja")
CONNECT_FOUR = str(GAMES / "connect-four" / "connect-four.kif.jinja")


@pytest.fixture
def bad(tmp_path) -> dict[str, str]:
    """Unusable files of every kind."""
    files = {
        "missing": tmp_path / "missing.kif",
        "directory": tmp_path,
        "binary": tmp_path / "binary.kif",
        "empty": tmp_path / "empty.kif",
        "no roles": tmp_path / "roles.kif",
        "syntax": tmp_path / "syntax.kif",
        "no head": tmp_path / "head.kif.jinja",
    }
    files["binary"].write_bytes(b"\x7fELF\x00\x01")
    files["empty"].write_text("")
    files["no roles"].write_text("(init a) (goal b 100) terminal")
    files["syntax"].write_text("(role a)\n(init (cell 1 b)\n")
    files["no head"].write_text("(role a)")
    return {name: str(path) for name, path in files.items()}


@pytest.mark.parametrize("verb", ["check", "show", "analyse", "solve", "play", "record"])
@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("missing", 2),
        ("directory", 2),
        ("binary", 2),
        ("empty", 1),
        ("no roles", 1),
        ("syntax", 1),
        ("no head", 2),
    ],
)
def test_unusable_files(ggp_, bad, verb, kind, code) -> None:
    found, output, errors = ggp_(verb, bad[kind])
    assert found == code
    text = output if verb == "check" and code == 1 else errors
    assert Path(bad[kind]).name in text.replace("\n", "")
    assert "Traceback" not in output + errors
    if verb != "check" or kind == "missing":
        assert output == ""


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["solve", ROWS, "--set", "rows=x"], 2, "cannot read x"),
        (["solve", ROWS, "--set", "rows"], 2, "NAME=VALUE"),
        (["solve", ROWS, "--set", "cols=3"], 2, "no parameter cols"),
        (["solve", ROWS, "--set", "path=3"], 2, "no parameter path"),
        (["solve", KAYLES, "--set", "n=3"], 2, "not a template"),
        (["solve", KAYLES, "--role", "nobody"], 2, "no role nobody"),
        (["solve", KAYLES, "--role", "("], 2, "no role"),
        (["solve", KAYLES, "--from", "(skittle 99 up)"], 2, "no fluent"),
        (["solve", KAYLES, "--from", "("], 2, "cannot read the facts"),
        (["solve", KAYLES, "--strategy", "out.txt"], 2, ".dot"),
        (["solve", KAYLES, "--strategy", "no-such-folder/out.dot"], 2, "No such file"),
        (["solve", KAYLES, "--time", "nan"], 2, "not a number"),
        (["solve", KAYLES, "--time", "-1"], 2, "--time"),
        (["solve", KAYLES, "--format", "xml"], 2, "--format"),
        (["solve"], 2, "FILE"),
        (["nonsense"], 2, "nonsense"),
        (["solve", str(GAMES / "simultaneous/rock-paper-scissors.kif"), "--misere"], 1, "simultan"),
        (["solve", TIC_TAC_TOE, "--positions", "10"], 3, "positions = 10"),
        (["show", TIC_TAC_TOE, "--perft", "9", "--positions", "100"], 3, "positions = 100"),
        (["play", KAYLES, "--role", "nobody"], 2, "no role nobody"),
        (["serve", "--name", "a b"], 2, "--name"),
        (["conform", KAYLES, "--traces", "nowhere"], 1, "missing"),
        (["solve", KAYLES, "--role", "left"], 2, "--role goes with --strategy"),
    ],
)  # fmt: skip
def test_wrong_use_gives_one_clear_line(ggp_, arguments, code, word, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found, output, errors = ggp_(*arguments)
    assert found == code
    assert word in output + errors
    assert "Traceback" not in errors
    assert not list(tmp_path.iterdir())


def test_faults_of_play_point_to_what_finds_a_play_that_leads_there(ggp_, tmp_path) -> None:
    sheet = tmp_path / "stuck.kif"
    sheet.write_text(
        "(role a) (init (n 0)) (<= (legal a go) (true (n 0))) (<= (next (n 1)) (true (n 0)))"
        "(<= terminal (true (n 2))) (<= (next (n 2)) (true (n 1)) (does a stay)) (goal a 100)"
    )
    code, _, errors = ggp_("solve", str(sheet))
    assert code == 1
    assert "a has no legal move in (n 1); ggp check --deep looks for a play" in errors


def test_check_reports_every_file(ggp_, bad) -> None:
    code, output, errors = ggp_("check", bad["no roles"], bad["missing"], bad["syntax"], KAYLES)
    assert code == 2
    assert "no-role" in output
    assert "unmatched-open" in output
    assert "^" in output
    assert "missing.kif" in errors


def test_check_json(ggp_, bad) -> None:
    code, output, _ = ggp_("check", bad["syntax"], "--format", "json")
    data = json.loads(output)
    assert code == 1
    assert data["errors"] == 4
    diagnostic = next(d for d in data["diagnostics"] if d["name"] == "unmatched-open")
    assert set(diagnostic) >= {
        "file", "code", "severity", "message", "line", "column", "end_line", "end_column", "hint",
        "related", "name", "fix", "play", "facts",
    }  # fmt: skip
    assert (diagnostic["line"], diagnostic["column"]) == (2, 1)


def test_check_says_much_of_one_kind_in_few_lines(ggp_, tmp_path) -> None:
    """A cycle of many negations gave megabytes; so did a name of a megabyte."""
    cycle, name, large = (tmp_path / f"{kind}.kif" for kind in ("cycle", "name", "large"))
    head = "(role a) (init x) (legal a m) (goal a 1) terminal\n"
    count = 2_000
    rules = (f"(<= (p{i}) (not (p{(i + 1) % count})))" for i in range(count))
    cycle.write_text(head + "\n".join(rules), encoding="utf-8")
    name.write_text(head + f"(<= (q ?x) (not ({'n' * 1_000_000} ?y)))", encoding="utf-8")
    large.write_text("(role a) " * 300_000, encoding="utf-8")
    code, output, errors = ggp_("check", str(large), str(cycle), str(name), KAYLES)
    assert code == 3
    assert len(output) < 20_000
    assert f"{count - 20:,} more of [GDL111]" in output
    assert "3 files checked" in output
    assert len(errors) < 500
    _, output, _ = ggp_("check", str(cycle), "--format", "json")
    data = json.loads(output)
    assert data["warnings"] == count
    assert len(data["diagnostics"]) == 1_002
    assert data["omitted"] == {str(cycle): {"GDL111": count - 1_000}}


@pytest.mark.parametrize("verb", ["solve", "analyse", "show"])
def test_one_budget_bounds_all_that_a_command_does(ggp_, tmp_path, verb) -> None:
    """Grounding joins without end, and so does the question what follows a move."""
    sheet = tmp_path / "clique.kif"
    sheet.write_text(clique(), encoding="utf-8")
    more = ["--perft", "3"] if verb == "show" else []
    code, output, errors = ggp_(verb, str(sheet), "--time", "1", *more)
    assert code == 3
    assert "limit reached" in output + errors


def test_grounding_takes_a_share_of_the_time() -> None:
    assert limits_from(5.0, None, None).ground_seconds == 4.0
    assert limits_from(1_000.0, None, None).ground_seconds == DEFAULT.ground_seconds
    assert limits_from(None, None, None) == DEFAULT


def test_analyse_json(ggp_) -> None:
    code, output, errors = ggp_("analyse", SG_125, "--format", "json")
    assert (code, errors) == (0, "")
    data = json.loads(output)
    assert set(data) >= {"game", "roles", "findings", "heaps", "solution"}
    values = {f["property"]: f["value"] for f in data["findings"]}
    assert values["impartial"] is True
    assert values["form"] == "normal"
    assert data["heaps"][0]["subtraction_set"] == [1, 2, 5]
    assert data["solution"]["outcome"] == "N"


def test_analyse_keeps_what_it_found_when_a_limit_is_reached(ggp_) -> None:
    code, output, _ = ggp_("analyse", CONNECT_FOUR, "--positions", "1000", "--format", "json")
    data = json.loads(output)
    assert code == 3
    certainty = {f["property"]: f["certainty"] for f in data["findings"]}
    assert certainty["turns"] == "proved"
    assert certainty["longest_play"] == "unknown"
    assert data["solution"]["outcome"] is None
    assert "positions" in data["solution"]["why_not"]


def test_solve_json(ggp_) -> None:
    code, output, _ = ggp_("solve", KAYLES, "--format", "json")
    data = json.loads(output)
    assert code == 0
    keys = {"outcome", "result", "goals", "best", "method", "positions", "seconds", "engine"}
    assert set(data) >= keys
    assert data["result"] == "left"
    assert data["goals"] == {"left": 100, "right": 0}
    assert data["best"] == ["(double 2)", "(double 5)", "(single 4)"]
    assert data["nim_value"] == 2


def test_solve_from_a_state_and_misere(ggp_) -> None:
    facts = "(skittle 1 up) (control right)"
    code, output, _ = ggp_("solve", KAYLES, "--from", facts, "--format", "json")
    assert (code, json.loads(output)["result"]) == (0, "right")
    code, output, _ = ggp_("solve", KAYLES, "--from", facts, "--misere", "--format", "json")
    assert (code, json.loads(output)["result"]) == (0, "left")


@pytest.mark.parametrize("suffix", [".dot", ".json", ".kif"])
def test_a_strategy_is_written_and_verified(ggp_, tmp_path, suffix) -> None:
    file = tmp_path / f"strategy{suffix}"
    code, output, _ = ggp_("solve", KAYLES, "--strategy", str(file), "--format", "json")
    said = json.loads(output)["strategy"]
    assert code == 0
    assert said["verified"] is True
    assert said["role"] == "left"
    text = file.read_text()
    if suffix == ".json":
        assert len(json.loads(text)["positions"]) == said["positions"]
    elif suffix == ".dot":
        assert text.startswith("digraph")
        assert text.count("[label=") >= said["positions"]
    else:
        from ggp.kif import read_terms

        assert {str(term.args[0])[1:7] for term in read_terms(text)} <= {"single", "double"}


@pytest.mark.parametrize("suffix", [".dot", ".json", ".svg"])
def test_all_winning_plays_are_written_and_verified(ggp_, tmp_path, suffix) -> None:
    file = tmp_path / f"plays{suffix}"
    code, output, _ = ggp_("solve", KAYLES, "--plays", str(file), "--format", "json")
    said = json.loads(output)["plays"]
    assert code == 0
    assert (said["verified"], said["role"]) == (True, "left")
    text = file.read_text()
    if suffix == ".json":
        assert len(json.loads(text)["positions"]) == said["positions"]
    elif suffix == ".dot":
        assert text.startswith("digraph plays")
    else:
        assert "plays of left" in text
    _, output, _ = ggp_("solve", KAYLES, "--plays", str(file))
    assert f"plays of left: {said['positions']} positions in" in output


def test_plays_are_no_rules_and_go_to_a_file_of_their_own(ggp_, tmp_path) -> None:
    code, _, error = ggp_("solve", KAYLES, "--plays", str(tmp_path / "plays.kif"))
    assert (code, "a graph of plays is written as" in error) == (2, True)
    same = str(tmp_path / "same.dot")
    assert ggp_("solve", KAYLES, "--plays", same, "--strategy", same)[0] == 2


def test_what_is_planned_is_told_before_packed_positions_are_found(ggp_, tmp_path) -> None:
    board = [CONNECT_FOUR, "--set", "columns=4"]
    asked = ["solve", *board, "--set", "rows=3", "--threads", "1", "--method", "layers"]
    memory = 1_000 + memory_in_use() // 2**20  # with what this process has from other tests
    code, output, error = ggp_(*asked, "--memory", str(memory))
    assert code == 0
    assert "planned" not in output
    assert error.startswith("planned: 1 thread, positions of 8 bytes and a value each in memory")
    assert f"of {memory:,} MB are free: room for about " in error
    _, _, error = ggp_(*asked, "--spill", str(tmp_path / "spill"))
    assert "in files in" in error
    assert ggp_("solve", KAYLES)[2] == ""


def test_dot_labels_are_escaped(ggp_, tmp_path) -> None:
    sheet = tmp_path / "quotes.kif"
    sheet.write_text(
        '(role a) (init "x) (legal a y\\) (<= (next z) (does a y\\)) (<= terminal (true z))'
        "(goal a 100)"
    )
    file = tmp_path / "s.dot"
    assert ggp_("solve", str(sheet), "--strategy", str(file))[0] == 0
    assert '\\"x' in file.read_text()
    assert "y\\\\" in file.read_text()


def test_show(ggp_) -> None:
    code, output, _ = ggp_(
        "show", TIC_TAC_TOE, "--rules", "--graph", "--net", "--perft", "2", "--format", "json"
    )
    data = json.loads(output)
    assert code == 0
    assert [row["positions"] for row in data["perft"]] == [1, 9, 72]
    assert data["net"]["marker"]["alternating"] is True
    assert any(row["relation"] == "terminal/0" for row in data["graph"])
    assert len(data["rules"]) > 20
    code, output, _ = ggp_("show", ROWS)
    assert code == 0
    assert "rows = 3" in output


def test_record_and_conform(ggp_, tmp_path) -> None:
    code, output, _ = ggp_("record", KAYLES, "--playouts", "2", "--seed", "5")
    assert code == 0
    (tmp_path / "kayles-7.jsonl").write_text(output)
    code, output, _ = ggp_("conform", KAYLES, "--traces", str(tmp_path), "--format", "json")
    assert code == 0
    assert json.loads(output)["agree"] == 1


def test_play_to_the_end(ggp_) -> None:
    typed = "hint\nfacts\nmoves\nhelp\n\nzzz\n99\nsingle\n(single 4)\n" + "1\n" * 9
    code, output, _ = ggp_("play", KAYLES, typed=typed)
    assert code == 0
    assert "single could be" in output
    assert "zzz is not legal here" in output
    assert "The game is over" in output


def test_play_undo_and_leave(ggp_) -> None:
    code, output, _ = ggp_("play", TIC_TAC_TOE, "--role", "OPLAYER", typed="undo\n1\nundo\n2\nquit")
    assert code == 0
    assert "nothing to undo" in output
    code, output, _ = ggp_("play", KAYLES, "--format", "json", typed="(single 4)\nundo\n(double 2)")
    assert code == 0
    data = json.loads(output)
    assert data["moves"][0] == ["(double 2)", "noop"]
    assert data["goals"] is None


def test_the_machine_wins_kayles_against_the_second_player(ggp_) -> None:
    code, output, _ = ggp_("play", KAYLES, "--role", "right", "--format", "json", typed="1\n" * 9)
    assert code == 0
    assert json.loads(output)["goals"] == {"left": 100, "right": 0}


def test_a_game_of_forced_moves_that_never_ends_is_stopped(ggp_, tmp_path) -> None:
    sheet = tmp_path / "endless.kif"
    sheet.write_text("(role a) (init p) (next p) (legal a x) (<= terminal (true q)) (goal a 0)")
    code, _, errors = ggp_("play", str(sheet))
    assert code == 3
    assert "plies" in errors


def test_terminal_escapes_never_reach_the_terminal(ggp_, tmp_path) -> None:
    sheet = tmp_path / "escape.kif"
    sheet.write_text("(role a\x1b[31m) (init (\x1b]0;x\x07 p)) (legal a\x1b[31m x) terminal")
    for verb in ("check", "show", "analyse"):
        _, output, errors = ggp_(verb, str(sheet))
        assert "\x1b" not in output + errors
        assert "\x07" not in output + errors


@pytest.mark.parametrize(
    "verb",
    [
        "check",
        "fmt",
        "test",
        "lsp",
        "show",
        "analyse",
        "solve",
        "play",
        "serve",
        "conform",
        "record",
        "convert",
    ],
)
def test_every_verb_has_help_with_an_example(ggp_, verb) -> None:
    code, output, _ = ggp_(verb, "--help")
    assert code == 0
    assert "Example: ggp " + verb in output


def test_debug_shows_where(ggp_) -> None:
    code, _, errors = ggp_("--debug", "solve", "missing.kif")
    assert code == 2
    assert "Traceback" in errors


def spawn(*arguments: str, **options) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "ggp", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("verb", ["analyse", "solve"])
def test_interrupted_work_ends_with_130(verb) -> None:
    with spawn(verb, CONNECT_FOUR, "--set", "columns=7", "--set", "rows=6") as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("is_late", [False, True])
def test_interrupted_work_is_one_json_object(ggp_, monkeypatch, is_late) -> None:
    """Of a command that has an answer already it is that answer."""
    told = {"error": {"kind": "Other", "message": "", "file": None, "line": None, "column": None}}

    def interrupted(*arguments, **options):
        if is_late:
            print_json("error", {"error": told["error"] | {"exit_code": 1}})
        raise KeyboardInterrupt

    monkeypatch.setattr("ggp.cli.solve.find_solution", interrupted)
    code, output, errors = ggp_("solve", "kayles/kayles", "--method", "tree", "--format", "json")
    assert (code, errors) == (130, "interrupted\n")
    kind = checked(output, "error")["error"]["kind"]
    assert kind == ("Other" if is_late else "Interrupted")


def test_a_state_that_no_play_comes_to_is_told(ggp_) -> None:
    """Cells that nothing stands on were taken for no cells, without a word."""
    some = "(cell 1 1 x) (cell 2 2 o) (control xplayer)"
    code, output, errors = ggp_("solve", "tic-tac-toe", "--from", some)
    assert (code, output.startswith("Play is over")) == (0, True)
    assert "no play comes to this position: of these only one holds: (cell 1 2 b)" in errors
    every = [f"(cell {r} {c} {'x' if r == c == 1 else 'b'})" for r in (1, 2, 3) for c in (1, 2, 3)]
    code, _, errors = ggp_(
        "solve", "tic-tac-toe", "--from", " ".join([*every, "(control oplayer)"])
    )
    assert (code, errors) == (0, "")


def test_an_interrupt_within_code_made_of_text_ends_with_130_too(tmp_path) -> None:
    """CPython remembers one that went through `exec`, and `python -m` ended by the signal then."""
    code = """
from ggp.cli import main as command

command._err()  # what is imported later executes texts of its own

def broken(*arguments):
    exec("raise KeyboardInterrupt")

command.main.invoke = broken
command.run(["games"])
"""
    (tmp_path / "broken.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-m", "broken"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 130
    assert "interrupted" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m ggp show {TIC_TAC_TOE} --rules | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "0"


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("sent", [signal.SIGTERM, *nightly([signal.SIGINT])])
def test_the_server_ends_when_told_and_leaves_no_process(sent) -> None:
    with spawn("serve", "--port", "0") as process:
        line = process.stderr.readline()
        assert "listens on 127.0.0.1:" in line
        process.send_signal(sent)
        process.communicate(timeout=20)
    assert process.returncode in (0, 130)


def test_a_port_in_use_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with spawn("serve", "--port", str(port)) as second:
            _, errors = second.communicate(timeout=60)
    assert second.returncode == 2
    assert "cannot listen" in errors


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("_raw_object_cache_notify", "site-packages/llvmlite/binding/executionengine.py"),
        ("__del__", "site-packages/llvmlite/binding/ffi.py"),
        ("remove", "lib/python3.11/weakref.py"),
    ],
)
def test_an_interrupt_is_not_lost_where_all_that_is_raised_is(name, file, monkeypatch) -> None:
    """What a callback of ctypes raises, or what lets go of something, is printed and forgotten."""
    again = threading.Event()
    monkeypatch.setattr("_thread.interrupt_main", again.set)
    called: dict = {}
    exec(
        compile(f"def {name}(handle, frame):\n    return handle(2, frame())", file, "exec"), called
    )
    called[name](_interrupt, sys._getframe)
    assert again.wait(60)
    with pytest.raises(KeyboardInterrupt):
        _interrupt(2, sys._getframe())
    stop.clear()


def test_a_second_interrupt_is_no_traceback(tmp_path) -> None:
    """It came out of what the first one was told by."""
    code = """
from ggp.cli import main as command

def interrupted(*arguments):
    raise KeyboardInterrupt

command.main.invoke = command._err = interrupted
command.run(["games"])
"""
    (tmp_path / "twice.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-m", "twice"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_an_interrupt_while_limits_are_being_imported_is_one(monkeypatch) -> None:
    """It was `partially initialized module 'ggp.limits' has no attribute 'stop'`, exit code 70."""
    monkeypatch.setitem(sys.modules, "ggp.limits", ModuleType("ggp.limits"))
    with pytest.raises(KeyboardInterrupt):
        _interrupt(2, sys._getframe())


def test_a_name_of_no_game_is_told_where_names_are(ggp_) -> None:
    code, _, errors = ggp_("value", "hackenbush")
    assert code == 2
    assert "hackenbush: No such file or directory, and no game of such a name" in errors
    assert "`ggp games` lists" in errors
    assert "`ggp games`" not in ggp_("value", "hackenbush.kif")[2]
