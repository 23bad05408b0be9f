"""What all tests share: the sheets of this project, and reference material where it is present."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells start what runs in the background so, and children would ignore Ctrl-C as well.
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "games"
SHARED = ROOT.parent / "shared"


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
