"""What all tests share: the sheets of this project, and reference material where it is present."""

from __future__ import annotations

import gc
import os
import signal
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from ggp.cli.start import SELDOM

# No test hangs on how fast a machine is.
hypothesis.settings.register_profile("no deadline", deadline=None)
hypothesis.settings.load_profile("no deadline")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells start what runs in the background so, and children would ignore Ctrl-C as well.
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "games"
SHARED = ROOT.parent / "shared"


LIKE_OTHERS = {
    "amazons.kif.jinja", "clobber-4x4.kif", "clobber.kif.jinja", "domineering-4x4.kif",
    "kayles.kif.jinja", "sg-12-15-named.kif", "sg-125-take.kif",
    "sg-125.kif", "sg-157.kif", "subtraction.kif.jinja", "turtles-13.kif", "turtles.kif.jinja",
}  # fmt: skip
"""Sheets with the kind of rules that another has, which take longer."""


def nightly(values: Iterable[Any]) -> list[Any]:
    """Parameters for the long run only: others of the same test hold its fact at every run."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def all_sheets() -> list[Any]:
    """The sheets of `games/` as parameters; those like others are for the long run only."""
    sheets = sorted(GAMES.rglob("*.kif*"))
    alike = [sheet for sheet in sheets if sheet.name in LIKE_OTHERS]
    return [*(sheet for sheet in sheets if sheet not in alike), *nightly(alike)]


def pytest_collection_finish() -> None:
    """Look for circles of objects as seldom as the command does, and not among the tests: a tenth
    of the time goes into that otherwise."""
    gc.set_threshold(*SELDOM)
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `nightly.toml` names: tests as a whole, or parameters of such as have others for
    every run."""
    found: dict[str, dict[str, pytest.Item]] = defaultdict(dict)
    for item in items:
        test, _, parameters = item.nodeid.partition("[")
        found[test][parameters.removesuffix("]")] = item
    files = {test.partition("::")[0] for test in found}
    is_whole = SHARED.exists() and not any("::" in argument for argument in config.args)
    for test, nightly_ones in tomllib.loads((ROOT / "tests" / "nightly.toml").read_text()).items():
        here = found[test]
        if not nightly_ones:
            for item in here.values():
                item.add_marker(pytest.mark.slow)
            if not here and is_whole and test.partition("::")[0] in files:
                raise pytest.UsageError(f"nightly.toml: there is no {test}")
            continue
        for parameters in nightly_ones:
            if parameters in here:
                here[parameters].add_marker(pytest.mark.slow)
            elif is_whole and test.partition("::")[0] in files:
                raise pytest.UsageError(f"nightly.toml: there is no {test}[{parameters}]")
        if is_whole and here and all(item.get_closest_marker("slow") for item in here.values()):
            raise pytest.UsageError(f"nightly.toml: nothing of {test} is left for every run")


def shared(*parts: str) -> Path:
    """A file of the reference material beside the checkout; skips the test where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"reference material is not here: {'/'.join(parts)}")
    return path


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory):
    """Compiled code goes to a folder of these tests, which all processes that run them share."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GGP_CACHE", str(place / "code"))
        yield
