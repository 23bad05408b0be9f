"""Where the command begins: Ctrl-C while it is still being imported is Ctrl-C, too."""

from __future__ import annotations

import gc
import signal
import sys

SELDOM = 50_000, 20, 20
"""Objects that are made between two searches for circles of them, and how many of those there are
between two that look farther. Rules are millions of small objects that stay: with Python's own
numbers a fifth of the time for the circuits of a hundred rows of Nim goes into looking for circles
that are not there."""


def settle_interrupt() -> None:
    """Make Python forget an interrupt that was dealt with.

    One that passed through `exec` of a text (dataclasses and numba make functions so) is remembered
    as not dealt with, and ends the process by the signal whatever the exit code is, unless another
    text is executed (CPython, `run_eval_code_obj`).
    """
    exec("", {})


def run() -> None:
    """Run the command and leave with its exit code."""
    gc.set_threshold(*SELDOM)
    try:
        from ggp.cli.main import run as run_command
    except KeyboardInterrupt:
        # Once more ends it at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        settle_interrupt()
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    gc.freeze()
    run_command()
