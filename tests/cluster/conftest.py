"""One cluster of this machine for the tests of this folder: each start takes seconds, and other
tests are to be without its threads."""

from __future__ import annotations

import pytest

from ggp.cluster.engine import connected
from tests.cli.conftest import ggp_

__all__ = ["ggp_"]


@pytest.fixture(scope="package")
def ray(_own_cache):
    """Ray, connected to three workers."""
    pytest.importorskip("ray")
    with connected("local", 3) as module:
        yield module


@pytest.fixture(scope="package")
def address(ray) -> str:
    """Where that cluster answers."""
    return ray.get_runtime_context().gcs_address
