"""What can be said of a sheet without playing it: each check reads the rules and reports faults."""

from ggp.rules.checks.all import INTENT, RULES

__all__ = ["INTENT", "RULES"]
