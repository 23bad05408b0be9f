"""What all tests share: the sheets of this project, and reference material where it is present."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    """Compiled code goes to a folder of these tests, not to the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GGP_CACHE", str(tmp_path_factory.mktemp("cache", numbered=True)))
        yield
