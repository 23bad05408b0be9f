"""`ggp fmt`: files are rewritten whole or not at all, and only where something changes."""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from ggp.cli import files as module
from ggp.kif import lay_out
from ggp.limits import DEFAULT
from tests.conftest import GAMES, ROOT

UGLY = "(role a) ; first\n(<= (p ?x) (q ?x)\n)"
NEAT = "(role a)  ; first\n(<= (p ?x)\n    (q ?x))\n"


@pytest.fixture
def sheet(tmp_path) -> Path:
    path = tmp_path / "sheet.kif"
    path.write_text(UGLY)
    return path


@pytest.fixture
def types_in(monkeypatch):
    """Let standard input hold some bytes."""

    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


def test_our_sheets_are_formatted(ggp_) -> None:
    count = len(list(GAMES.rglob("*.kif")))
    expected = (0, f"0 would be formatted, {count} unchanged\n", "")
    assert ggp_("fmt", "--check", str(GAMES)) == expected


def test_a_file_is_formatted_in_place_and_once(ggp_, sheet) -> None:
    told = f"{sheet}: formatted\n1 formatted, 0 unchanged\n"
    assert ggp_("fmt", str(sheet)) == (0, told, "")
    assert sheet.read_text() == NEAT
    before = sheet.stat()
    assert ggp_("fmt", str(sheet)) == (0, "0 formatted, 1 unchanged\n", "")
    after = sheet.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("data", "neat"),
    [
        (b"\xef\xbb\xbf(a)\n", b"(a)\n"),
        (b"(a)\r\n", b"(a)\n"),
        (b"(a)", b"(a)\n"),
        (b"\n\n", b""),
        ("(é\u2028日)  ".encode(), "(é\u2028日)\n".encode()),
    ],
)
def test_bytes_are_made_plain(ggp_, sheet, data, neat) -> None:
    sheet.write_bytes(data)
    assert ggp_("fmt", "--check", str(sheet))[0] == 1
    assert ggp_("fmt", "--diff", str(sheet))[0] == 1
    assert sheet.read_bytes() == data
    assert ggp_("fmt", str(sheet))[0] == 0
    assert sheet.read_bytes() == neat


def test_check_names_what_would_change_and_writes_nothing(ggp_, sheet) -> None:
    neat = sheet.with_name("neat.kif")
    neat.write_text(NEAT)
    told = f"{sheet}: would be formatted\n1 would be formatted, 1 unchanged\n"
    assert ggp_("fmt", "--check", str(neat), str(sheet)) == (1, told, "")
    assert sheet.read_text() == UGLY
    assert ggp_("fmt", "--check", str(neat))[0] == 0


def test_diff_shows_what_would_change_and_writes_nothing(ggp_, sheet) -> None:
    sheet.write_text("(role a)\r\n(p\x1b[31m [red]b[/red])\n(q) (r)")
    code, output, errors = ggp_("fmt", "--diff", str(sheet))
    assert (code, errors) == (1, "")
    assert output == (
        f"--- {sheet}\n+++ {sheet} (formatted)\n@@ -1,3 +1,4 @@\n"
        "-(role a)·\n+(role a)\n"
        " (p·[31m [red]b[/red])\n"
        "-(q) (r)\n\\ No newline at end of file\n+(q)\n+(r)\n"
    )
    assert sheet.read_bytes().startswith(b"(role a)\r\n")
    sheet.write_text(NEAT)
    assert ggp_("fmt", "--diff", str(sheet)) == (0, "", "")


def test_standard_input_to_standard_output(ggp_, types_in) -> None:
    types_in(UGLY.encode())
    assert ggp_("fmt", "-") == (0, NEAT, "")
    types_in(UGLY.encode())
    assert ggp_("fmt", "--check", "-") == (1, "-: would be formatted\n", "")
    types_in(UGLY.encode())
    code, output, _ = ggp_("fmt", "-", "--format", "json")
    (found,) = json.loads(output)["files"]
    assert (code, found) == (0, {"file": "-", "changed": True, "text": NEAT})
    types_in(b"(a")
    code, output, errors = ggp_("fmt", "-")
    assert (code, output) == (1, "")
    assert errors.startswith("ggp: <stdin>:1:1: unmatched '('")


def test_folders(ggp_, sheet) -> None:
    folder = sheet.parent
    names = ["b/deep.kif", "a.kif", ".hidden/x.kif", "b/.hidden.kif", "b/t.kif.jinja", "b/t.hrf"]
    for name in [*names, "b/t.lp", "b/notes.txt"]:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(UGLY)
    (folder / "b" / "link.kif").symlink_to(folder / ".hidden" / "x.kif")
    code, output, errors = ggp_("fmt", str(folder), str(sheet), "--format", "json")
    changed = [str(folder / name) for name in ("a.kif", "b/deep.kif", "sheet.kif")]
    assert (code, errors) == (0, "")
    assert [entry["file"] for entry in json.loads(output)["files"]] == changed
    formatted = [path for path in folder.rglob("*") if path.is_file() and path.read_text() == NEAT]
    assert sorted(map(str, formatted)) == changed


@pytest.mark.parametrize("name", ["t.kif.jinja", "t.hrf", "t.lp"])
def test_other_notations_are_left_alone(ggp_, tmp_path, name) -> None:
    (tmp_path / name).write_text(UGLY)
    code, output, errors = ggp_("fmt", str(tmp_path / name))
    assert (code, output) == (0, "0 formatted, 0 unchanged\n")
    assert errors == f"ggp: {tmp_path / name}: left alone, as it is not plain KIF\n"
    assert (tmp_path / name).read_text() == UGLY


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"(a)\n(b", 1, "bad.kif:2:1: unmatched '('"),
        (b"a #| b", 1, "bad.kif:1:3: this block comment never ends"),
        (b"(p \xe9)  ", 2, "not UTF-8"),
        (b"(p \0)  ", 2, "binary data"),
        ("(p)  ".encode("utf-16"), 2, "binary data"),
        (b"\xef\xbb\xbf\xef\xbb\xbf(p)  ", 2, "byte-order mark"),
        (b"(" * 3_000 + b")" * 3_000, 3, "limit reached: depth"),
        (b"a;\n" * 6_000, 3, "limit reached: characters"),
        (b"a " * 10_001, 3, "limit reached: characters"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_be_formatted_is_left_as_it_is(
    ggp_, sheet, monkeypatch, data, code, words
) -> None:
    # The function of that name hides the module.
    limited = partial(lay_out, limits=replace(DEFAULT, characters=20_000))
    monkeypatch.setattr(import_module("ggp.cli.fmt"), "lay_out", limited)
    bad = sheet.with_name("bad.kif")
    bad.write_bytes(data)
    found, output, errors = ggp_("fmt", str(bad), str(sheet))
    assert found == code
    assert words in errors
    assert output.endswith("1 formatted, 0 unchanged, 1 failed\n")
    assert bad.read_bytes() == data
    assert sheet.read_text() == NEAT
    _, output, _ = ggp_("fmt", str(bad), "--format", "json")
    (entry,) = json.loads(output)["files"]
    assert (entry["changed"], entry["error"]["exit_code"]) == (False, code)


def test_the_gravest_code_is_that_of_all(ggp_, sheet) -> None:
    for name, text in [("1.kif", "("), ("3.kif", "(" * 500)]:
        sheet.with_name(name).write_text(text)
    assert ggp_("fmt", str(sheet.parent))[0] == 3
    assert ggp_("fmt", str(sheet.parent), "nowhere.kif")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "FILES"),
        (["nowhere.kif"], "No such file"),
        (["kayles"], "No such file"),
        (["-", "nowhere.kif"], "stands alone"),
    ],
)
def test_wrong_use(ggp_, arguments, word) -> None:
    code, output, errors = ggp_("fmt", *arguments)
    assert code == 2
    assert word in output + errors


@pytest.mark.skipif(os.name != "posix", reason="links, pipes and permissions are POSIX")
def test_links_modes_and_pipes(ggp_, sheet) -> None:
    link, again = sheet.with_name("link.kif"), sheet.with_name("other.kif")
    link.symlink_to(sheet)
    sheet.chmod(0o640)
    code, output, _ = ggp_("fmt", str(link), str(sheet), str(sheet))
    assert (code, output) == (0, f"{link}: formatted\n1 formatted, 0 unchanged\n")
    assert link.is_symlink()
    assert sheet.read_text() == NEAT
    assert sheet.stat().st_mode & 0o777 == 0o640
    again.write_text(UGLY)
    again.chmod(0o444)
    code, _, errors = ggp_("fmt", str(again))
    assert (code, again.read_text()) == (2, UGLY)
    assert "read-only" in errors
    assert ggp_("fmt", "--check", str(again))[0] == 1
    reading, writing = os.pipe()
    os.write(writing, UGLY.encode())
    os.close(writing)
    code, _, errors = ggp_("fmt", f"/dev/fd/{reading}")
    os.close(reading)
    assert code == 2
    assert "not a file" in errors


@pytest.mark.parametrize("fault", [OSError("disk full"), KeyboardInterrupt()])
def test_an_interrupted_write_loses_nothing(ggp_, sheet, monkeypatch, fault) -> None:
    def fail(descriptor: int) -> None:
        raise fault

    monkeypatch.setattr(module.os, "fsync", fail)
    code, _, errors = ggp_("fmt", str(sheet))
    assert code == (2 if isinstance(fault, OSError) else 130)
    assert "Traceback" not in errors
    assert sheet.read_text() == UGLY
    assert os.listdir(sheet.parent) == ["sheet.kif"]


def test_the_hooks_are_commands_of_ours() -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entries = [line.split(": ")[1] for line in text.splitlines() if line.startswith("  entry: ")]
    assert entries == ["ggp check", "ggp fmt"]
