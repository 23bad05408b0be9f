"""Limits: what is measured against them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ggp.limits import Budget, stop

GIVEN_BACK = """
import numpy as np
from ggp.limits import memory_in_use
before = memory_in_use()
much = np.ones(40_000_000)  # 320 MB, all of it written to
assert memory_in_use() > before + 200_000_000
del much
assert memory_in_use() < before + 100_000_000
"""


def test_memory_that_was_given_back_does_not_count() -> None:
    """A process that once used much must not refuse small games afterwards. In a process of its
    own: what other tests left running here uses memory, too."""
    subprocess.run([sys.executable, "-c", GIVEN_BACK], check=True)


def test_what_looks_at_its_account_ends_when_it_is_told_to() -> None:
    """Ctrl-C during a compilation by numba was lost there."""
    stop.set()
    try:
        with pytest.raises(KeyboardInterrupt):
            Budget().check("")
    finally:
        stop.clear()
