"""The verbs on a cluster print what they print without one, byte for byte."""

from __future__ import annotations

import re

import pytest

from tests.conftest import GAMES, nightly

KAYLES, NIM = str(GAMES / "kayles"), str(GAMES / "nim")

SHEETS = ["tic-tac-toe", "no-such-sheet", str(GAMES / "subtraction" / "sg-125.kif"), "nim/rows"]

SECONDS = re.compile(r'"seconds": [\d.e-]+|\d+\.\d\d s')
"""What no two runs have in common."""

COMMANDS = [
    ["table", "kayles/kayles", "--sweep", "n=2..7", "--what", "nim_value"],
    ["table", "nim/rows", "--sweep", "rows=1..4", "--format", "json"],
    ["table", "nim/rows", "--sweep", "third=1..3"],
    ["analyse", *SHEETS, "--only", "impartial", "--format", "json"],
    ["tournament", "tic-tac-toe", "--player", "first", "--player", "random", "--format", "json"],
    ["show", "tic-tac-toe", "--playouts", "100003", "--format", "json"],
    *nightly([
        ["check", KAYLES, "--deep", "--format", "json"],
        ["test", str(GAMES / "multiples"), "--format", "json"],
        ["analyse", *SHEETS], ["analyse", *SHEETS, "--format", "csv"],
        ["check", str(GAMES)], ["test", KAYLES, NIM],
        ["show", "kayles/kayles-7", "--playouts", "7"],
    ]),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[-40:])
def test_any_number_of_workers_prints_the_same(ggp_, address, command) -> None:
    code, output, errors = ggp_(*command)
    for jobs in ("1", "2", "3"):
        again = ggp_(*command, "--cluster", address, "--jobs", jobs)
        assert again[0] == code
        assert SECONDS.sub("", again[1]) == SECONDS.sub("", output)
        assert again[2] == errors


def test_a_sheet_from_standard_input_is_checked_too(ggp_, ray, monkeypatch) -> None:
    monkeypatch.setattr("ggp.cli.sheets.read_stdin", lambda: b"(role a) (legal a (f ?x))")
    code, output, _ = ggp_("check", "-", "--format", "json")
    assert (code, ggp_("check", "-", "--format", "json", "--cluster", "local")[1]) == (1, output)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["check", KAYLES, "--fix"], "does not change files"),
        (["test", KAYLES, "--record"], "without --cluster"),
        (["analyse", "nim/rows"], "for several files"),
        (["show", "nim/rows"], "are for --playouts"),
        (["tournament", "nim/rows", "--player", "first", "--player", "http://localhost:1"], "ggp"),
    ],
)
def test_what_a_cluster_is_not_for(ggp_, command, why) -> None:
    code, output, errors = ggp_(*command, "--cluster", "local")
    assert (code, output) == (2, "")
    assert why in errors
