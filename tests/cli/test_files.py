"""Files that are read and written: pipes, shipped sheets, output that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

import ggp
from ggp import shipped
from ggp.kif import source
from tests.conftest import GAMES, ROOT

ROW = str(GAMES / "kayles/kayles.kif.jinja")
KAYLES = str(GAMES / "kayles/kayles-7.kif")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
@pytest.mark.parametrize("verb", ["check", "analyse", "solve", "show", "verify"])
def test_a_pipe_that_nobody_writes_to_does_not_hang(ggp_, tmp_path, verb, monkeypatch) -> None:
    monkeypatch.setattr(source, "PATIENCE", 0.05)
    os.mkfifo(tmp_path / "pipe.kif")
    code, _, errors = ggp_(verb, str(tmp_path / "pipe.kif"))
    assert code == 2
    assert "nothing is written to this pipe" in errors


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
def test_a_pipe_whose_writer_waits_is_given_up(ggp_, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(source, "PATIENCE", 0.05)
    os.mkfifo(tmp_path / "pipe.kif")
    held = os.open(tmp_path / "pipe.kif", os.O_RDWR)
    try:
        assert ggp_("check", str(tmp_path / "pipe.kif"))[0] == 2
    finally:
        os.close(held)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
def test_a_pipe_is_read_to_its_end(ggp_, tmp_path) -> None:
    """As of `ggp check <(…)`."""
    os.mkfifo(tmp_path / "pipe.kif")
    text = (GAMES / "kayles/kayles-7.kif").read_bytes()

    def write() -> None:
        (tmp_path / "pipe.kif").write_bytes(text)

    writer = threading.Thread(target=write)
    writer.start()
    code, output, _ = ggp_("check", str(tmp_path / "pipe.kif"))
    writer.join()
    assert (code, output) == (0, "1 file checked: 0 errors, 0 warnings\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "--table", "pipe.csv"),
        ("table", "--vary", "heap=0..3", "--output", "pipe.svg"),
        ("runs", "--output", "pipe.svg"),
    ],
)
def test_a_pipe_that_nobody_reads_is_named(ggp_, tmp_path, arguments) -> None:
    verb, *options, name = arguments
    os.mkfifo(tmp_path / name)
    sheet = str(GAMES / "three-players/last-match.kif")
    code, _, errors = ggp_(verb, sheet, *options, str(tmp_path / name))
    assert (code, f"{name}: No such device" in errors) == (2, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
@pytest.mark.parametrize(
    "arguments",
    [("solve", "--table", "pipe.csv"), ("table", "--vary", "heap=0..3", "--output", "pipe.svg")],
)
def test_what_is_no_file_is_written_to_and_stays(ggp_, tmp_path, arguments) -> None:
    """A pipe here: it was replaced by a file, and who read from it got nothing."""
    verb, *options, name = arguments
    pipe, had = tmp_path / name, []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: had.append(pipe.read_bytes()))
    reader.start()
    code, _, errors = ggp_(verb, str(GAMES / "three-players/last-match.kif"), *options, str(pipe))
    if not had:  # whoever did not write must not keep the reader waiting
        os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
    reader.join()
    assert (code, errors, pipe.is_fifo()) == (0, "", True)
    assert had[0].count(b"\n") > 10


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyse", KAYLES, "--certificate"],
        ["analyse", KAYLES, "--report"],
        ["solve", KAYLES, "--strategy"],
        ["convert", KAYLES, "--to", "hrf", "--output"],
    ],
)
def test_output_that_cannot_be_written_is_refused_before_the_work(
    ggp_, arguments, tmp_path, monkeypatch
) -> None:
    def worked(*_: object, **__: object) -> None:
        raise AssertionError("worked for nothing")

    for verb, name in (("analyse", "game_from"), ("solve", "load_rules")):
        __import__(f"ggp.cli.{verb}")
        monkeypatch.setattr(sys.modules[f"ggp.cli.{verb}"], name, worked)
    __import__("ggp.cli.convert")
    monkeypatch.setattr(sys.modules["ggp.cli.convert"], "translate", worked)
    code, output, errors = ggp_(*arguments, str(tmp_path / "no" / "such" / "folder.dot"))
    assert (code, output) == (2, "")
    assert "No such file or directory" in errors


def test_output_that_can_be_written_is_not_touched_before(ggp_, tmp_path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text("what was there")
    code, _, _ = ggp_("analyse", "no-such-file", "--certificate", str(kept))
    assert code == 2
    assert kept.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [kept]


def test_a_terminal_that_cannot_show_a_character_shows_another() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ggp", "games", "toads-and-frogs/toads-and-frogs"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        cwd=ROOT,
    )
    assert done.returncode in (0, 2)
    shown = subprocess.run(
        [sys.executable, "-m", "ggp", "analyse", KAYLES, "--set", "n=é"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        cwd=ROOT,
    )
    assert b"internal error" not in shown.stderr
    assert shown.returncode == 2


def test_shipped_sheets_have_names(ggp_) -> None:
    code, output, _ = ggp_("games")
    assert code == 0
    names = [line.split()[0] for line in output.splitlines()]
    assert names == sorted(names)
    assert "kayles/kayles-7" in names
    sheets = [path for path in GAMES.rglob("*") if path.name.endswith(shipped.SUFFIXES)]
    assert len(names) == len(sheets)


@pytest.mark.parametrize("name", ["kayles-7", "kayles/kayles-7", "games/kayles/kayles-7.kif"])
def test_every_verb_takes_a_name(ggp_, name, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, output, _ = ggp_("show", name)
    assert code == 0
    assert output.startswith("games/kayles/kayles-7.kif\n")
    assert ggp_("check", name)[0] == 0
    assert ggp_("record", name, "--playouts", "1")[0] == 0


def test_a_file_comes_before_a_name(ggp_, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kayles-7").write_text("(role a)")
    assert ggp_("check", "kayles-7")[0] == 1


@pytest.mark.parametrize("name", ["../kayles-7", "/etc/passwd", "kayles/../nim/rows", "", "."])
def test_names_are_no_paths(name) -> None:
    assert shipped.find(name) is None


def test_games_from_python() -> None:
    assert ggp.games.load("nim/rows", rows=2).roles == ("left", "right")
    with pytest.raises(ggp.UnknownName, match="no game nothing"):
        ggp.games.load("nothing")


def test_the_rules_of_a_shipped_game_are_printed_as_they_are(ggp_) -> None:
    _, output, _ = ggp_("games", "nim/rows")
    assert output == (GAMES / "nim/rows.kif.jinja").read_text(encoding="utf-8")


def test_runs_of_tokens_of_any_length(ggp_) -> None:
    code, out, _ = ggp_(
        "solve",
        ROW,
        "--heap",
        "7",
        "--heap",
        "1000000000000",
    )
    assert code == 0
    assert "octal code 0.77; period 12 after 71 sizes" in out
    assert "proved for every length" in out
    code, _, err = ggp_("solve", ROW, "--heap", "7", "--plot", "out.svg")
    assert code == 2
    assert "runs of tokens" in err
    code, out, _ = ggp_("solve", ROW, "--set", "n=40", "--explain")
    assert "Leave runs whose nim-values have the exclusive or 0" in out


@pytest.mark.parametrize(
    "options", [["--spill", ""], ["--table", ""], ["--checkpoint", ""], ["--strategy", ""]]
)
def test_an_empty_name_is_none(ggp_, options, tmp_path, monkeypatch) -> None:
    """It was the folder one is in."""
    monkeypatch.chdir(tmp_path)
    code, output, errors = ggp_("solve", str(GAMES / "kayles" / "kayles-7.kif"), *options)
    assert (code, output) == (2, "")
    assert "the name is empty" in errors
    assert not list(tmp_path.iterdir())
