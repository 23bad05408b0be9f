"""Checking rule sheets for their authors: faults, likely intent, faults of play, corrections."""

from ggp.lint.checking import CheckedSheet, check, check_source
from ggp.lint.fixes import fixed
from ggp.lint.question import PlayQuestion

__all__ = ["CheckedSheet", "PlayQuestion", "check", "check_source", "fixed"]
