"""Checking rule sheets for their authors: faults, likely intent, faults of play, corrections."""

from ggp.lint.checking import Checked, check, check_source
from ggp.lint.fixes import fixed
from ggp.lint.question import Question

__all__ = ["Checked", "Question", "check", "check_source", "fixed"]
