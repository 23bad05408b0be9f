"""Running the command in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ggp.cli.main import _run

Result = tuple[int, str, str]
Command = Callable[..., Result]


@pytest.fixture
def ggp_(capsys, monkeypatch) -> Command:
    """Run the command in this process: exit code, standard output, standard error."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: str, typed: str | None = None) -> Result:
        if typed is not None:
            lines = iter(typed.splitlines())

            def type_in(prompt: str = "") -> str:
                try:
                    return next(lines)
                except StopIteration:
                    raise EOFError from None

            monkeypatch.setattr("builtins.input", type_in)
        code = _run(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
