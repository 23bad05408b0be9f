"""`python -m ggp` is the command `ggp`."""

from ggp.cli.main import run

run()
