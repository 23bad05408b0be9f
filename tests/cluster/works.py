"""What workers are given to do in these tests."""

from __future__ import annotations

import os
import time
from pathlib import Path


def doubled(number: int) -> int:
    return 2 * number


def dies_once(mark: str, number: int) -> int:
    """End the process at the first sight of 3."""
    if number == 3 and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), 9)
    return 2 * number


def dies_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), 9)
    return 2 * number


def sleeps(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def raises(number: int) -> int:
    raise KeyError(number)
