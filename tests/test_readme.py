"""Everything that the README and the docs show is run, and does what they say."""

from __future__ import annotations

import ast
import doctest
import re
import runpy
import shlex
import shutil
import sys
from typing import Any

import pytest

import ggp.kif.layout
import ggp.kif.terms
import ggp.solver.sweep
import ggp.text
import ggp.theory.loopy.game
import ggp.theory.matrix
import ggp.theory.nimbers
import ggp.theory.sequences
import ggp.theory.short.canonical
import ggp.theory.short.game
import ggp.theory.short.meter
import ggp.theory.subtraction
from ggp.cli.main import _run
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SEEDS = (ROOT / "examples" / "seeds.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```console\n(.*?)```", README + SEEDS, re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Each `$ ggp …` line of the README and the examples with the output shown below it."""
    found = []
    for session in SESSIONS:
        for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command.startswith("ggp "):
                found.append((command, output))
    return found


LONG = "ggp runs games/colouring/colouring.kif.jinja --set n=6 --moves 2"
"""For the long run; what it says of a smaller board is in tests/solver/test_runs.py."""


def sessions() -> list[Any]:
    """The commands as parameters."""
    found = commands()
    assert LONG in dict(found)
    return [pytest.param(*one, marks=[pytest.mark.slow] * (one[0] == LONG)) for one in found]


def without_times(text: str) -> str:
    """Text whose seconds are masked and whose trailing blanks are gone."""
    masked = re.sub(r"\d+\.\d+ s\b", "… s", text)
    return "\n".join(line.rstrip() for line in masked.strip().splitlines())


@pytest.mark.parametrize(("command", "output"), sessions(), ids=lambda text: text[:60])
def test_sessions(command, output, capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(ROOT)
    file, certificate = str(tmp_path / "rows.dot"), str(tmp_path / "kayles.json")
    places = {"rows.dot": file, "kayles.json": certificate}
    if "kayles.json" in command:
        (before,) = re.findall(r"`ggp (analyse [^`]* --certificate kayles.json)`", README)
        assert _run([places.get(arg, arg) for arg in shlex.split(before)]) == 0
        capsys.readouterr()
    arguments = [places.get(arg, arg) for arg in shlex.split(command)[1:]]
    assert _run(arguments) == 0
    shown = capsys.readouterr().out.replace(file, "rows.dot")
    assert without_times(shown) == without_times(output)


PAGES = [
    ("README.md", 10),
    ("docs/environments.md", 15),
    ("docs/exchange.md", 30),
    ("docs/values.md", 50),
]


@pytest.mark.parametrize(("page", "count"), PAGES)
def test_python_examples(page, count, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    parser = doctest.DocTestParser()
    text = (ROOT / page).read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = parser.get_doctest(examples, {}, page, page, 0)
    assert len(test.examples) >= count
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize().failed == 0


def shell_commands() -> list[list[str]]:
    """The `ggp` lines of shell blocks, which show no output because it differs every time."""
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    return [words[1:] for words in lines if words and words[0] == "ggp"]


@pytest.mark.parametrize("arguments", shell_commands(), ids=lambda words: words[0])
def test_shell_commands(arguments, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    quick = ["--seconds", "0.1"] if arguments[0] == "bench" else []
    assert _run([*arguments, *quick]) == 0


@pytest.mark.slow
def test_the_benchmark_makes_a_table(monkeypatch, capsys) -> None:
    """One row beside the loop in C; without a C compiler there is nothing to compare with."""
    module = runpy.run_path(str(ROOT / "benchmarks" / "machine.py"))
    main = module["main"]
    main.__globals__["OURS"] = [("tic-tac-toe/tic-tac-toe.kif",)]
    monkeypatch.setattr(sys, "argv", ["machine.py", "--seconds", "0.1"])
    main()
    *_, row = capsys.readouterr().out.strip().splitlines()
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[0] == "tic-tac-toe"
    assert int(cells[1].replace(",", "")) > 500
    assert all(float(cell.replace(",", "")) > 0 for cell in cells[2:9])
    assert bool(cells[9]) == (shutil.which("cc") is not None)


@pytest.mark.parametrize(
    "module",
    [
        ggp.kif.layout,
        ggp.kif.terms,
        ggp.solver.sweep,
        ggp.text,
        ggp.theory.genus,
        ggp.theory.heap_genera,
        ggp.theory.heap_quotient,
        ggp.theory.impartial,
        ggp.theory.matrix,
        ggp.theory.nimbers,
        ggp.theory.octal,
        ggp.theory.quotient,
        ggp.theory.quotient_table,
        ggp.theory.sequences,
        ggp.theory.loopy.game,
        ggp.theory.short.canonical,
        ggp.theory.short.game,
        ggp.theory.short.meter,
        ggp.theory.short.strategies,
        ggp.theory.subtraction,
    ],
)
def test_docstring_examples(module) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_readme_names_the_two_commands() -> None:
    first_screen = "\n".join(README.splitlines()[:40])
    assert "pip install '.[symmetry]' &&" in first_screen
    assert "ggp analyse games/" in first_screen
    assert "pytest" in first_screen
    gate = (ROOT / ".ci" / "run").read_text()
    for piece in (
        "pip\" install --quiet '.[symmetry]'",
        "-e '.[test]'",
        'ggp" analyse games/kayles',
    ):
        assert piece in gate


def test_a_player_of_ones_own(capsys, monkeypatch) -> None:
    """The example is a player in some 20 lines, and plays."""
    example = ROOT / "examples" / "own_player.py"
    monkeypatch.setattr(
        sys, "argv", [str(example), str(ROOT / "games/tic-tac-toe/tic-tac-toe.kif")]
    )
    runpy.run_path(str(example), run_name="__main__")
    assert sum(ast.literal_eval(capsys.readouterr().out)) == 100
