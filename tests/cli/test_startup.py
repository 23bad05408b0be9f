"""What a command imports: nobody waits for what their command does not need."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys

import click
import pytest

import ggp
from ggp.cli import start
from ggp.cli.main import VERBS
from tests.conftest import GAMES

KAYLES = GAMES / "kayles" / "kayles-7.kif"


def imported(*arguments: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "sys.argv[0] = 'ggp'\n"
        "from ggp.cli.main import run\nrun()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_import_no_library_but_click(option) -> None:
    loaded = imported(option)
    assert not loaded & {"numpy", "numba", "clingo", "lark", "rich", "scipy", "ggp.game"}


def test_checking_rules_imports_nothing_that_plays() -> None:
    loaded = imported("check", str(KAYLES))
    assert not loaded & {"numpy", "numba", "clingo", "scipy", "jinja2", "h11", "ggp.game"}


def test_formatting_imports_nothing_that_plays() -> None:
    loaded = imported("fmt", "--check", str(KAYLES))
    assert not loaded & {"numpy", "numba", "clingo", "scipy", "jinja2", "h11", "ggp.game"}


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_that_is_listed_is_there(name) -> None:
    command = getattr(importlib.import_module(f"ggp.cli.{name}"), name)
    assert isinstance(command, click.Command)
    assert command.name == name


@pytest.mark.parametrize("name", [*ggp.__all__, "__version__"])
def test_every_public_name_is_there(name) -> None:
    assert getattr(ggp, name) is not None
    assert name in dir(ggp)


def test_functions_are_not_hidden_by_the_packages_that_they_come_from() -> None:
    """Whichever of both was imported first."""
    code = "import ggp.analysis.finding, ggp.solver, ggp, sys; g = ggp.load(sys.argv[1]);"
    code += "print(ggp.analyse(g)['players'].value, ggp.solve(g))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(KAYLES)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[0] == "2"


def test_limits_pickle() -> None:
    assert pickle.loads(pickle.dumps(ggp.Limits(memory=1))) == ggp.Limits(memory=1)


def test_ctrl_c_while_the_command_is_imported_is_one_line(monkeypatch, capsys) -> None:
    class Pressed:
        """Finds no module: the user presses Ctrl-C."""

        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name == "ggp.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "ggp.cli.main")
    monkeypatch.delattr("ggp.cli.main")
    monkeypatch.setattr(sys, "meta_path", [Pressed(), *sys.meta_path])
    with pytest.raises(SystemExit) as left:
        start.run()
    assert left.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"
