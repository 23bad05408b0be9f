"""Where the command begins: Ctrl-C while it is still being imported is Ctrl-C, too."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command and leave with its exit code."""
    try:
        from ggp.cli.main import run as run_command
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    run_command()
