"""The command, as its own tests run it."""

from tests.cli.conftest import ggp_

__all__ = ["ggp_"]
