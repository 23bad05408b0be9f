"""The notebooks in `examples/` run from top to bottom, and what they end cells with is shown."""

from __future__ import annotations

import json
import types

import pytest

from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
PLAIN = (bool, tuple, list)
"""Of Python itself, and shown as their text."""


def cells(path, kind: str) -> list[str]:
    """The sources of the cells of a kind."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in data["cells"] if cell["cell_type"] == kind]


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """IPython in this process, without history and without the user's settings."""
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    made = InteractiveShell(config=config, user_module=types.ModuleType("notebook"))
    yield made
    made.restore_sys_module_state()


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} >= {"board", "first-steps", "values"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["nbformat"] == 4
    names = [cell["id"] for cell in data["cells"]]
    assert len(set(names)) == len(names)
    for cell in data["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        assert len(cell["source"]) <= 8


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, shell) -> None:
    shown = 0
    for source in cells(path, "code"):
        done = shell.run_cell(source)
        assert done.success, source
        bundle, _ = shell.display_formatter.format(done.result)
        assert "text/html" in bundle or isinstance(done.result, PLAIN), source
        shown += "text/html" in bundle
    assert shown >= 7


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_notebooks_lead_somewhere(path) -> None:
    import re

    for source in cells(path, "markdown"):
        for link in re.findall(r"\]\(([^)#]+)", source):
            assert (path.parent / link).exists(), link
