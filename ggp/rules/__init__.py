"""Terms to rules: normal form, dependencies, strata, and a diagnostic for every fault.

Also translation between the ways to write a sheet.
"""

from ggp.rules.asp import write_asp
from ggp.rules.asp_reader import read_asp
from ggp.rules.dependency import DependencyGraph
from ggp.rules.diagnostics import Diagnostic, Report, Severity
from ggp.rules.keywords import KEYWORDS
from ggp.rules.normal import unify
from ggp.rules.rule import Inequality, Rule, Signature, goal_value, signature
from ggp.rules.ruleset import RuleSet, read_rules
from ggp.rules.translate import translate

__all__ = [
    "KEYWORDS",
    "DependencyGraph",
    "Diagnostic",
    "Inequality",
    "Report",
    "Rule",
    "RuleSet",
    "Severity",
    "Signature",
    "goal_value",
    "read_asp",
    "read_rules",
    "signature",
    "translate",
    "unify",
    "write_asp",
]
