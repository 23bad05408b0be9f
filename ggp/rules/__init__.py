"""Terms to rules: normal form, dependencies, strata, and a diagnostic for every fault.

Also translation between the ways to write a sheet.
"""

from ggp.rules.asp import write_asp
from ggp.rules.asp_reader import read_asp
from ggp.rules.catalogue import Entry, Severity, catalogue, matching
from ggp.rules.dependency import DependencyGraph
from ggp.rules.diagnostics import Diagnostic, Edit, Fix, Report
from ggp.rules.keywords import KEYWORDS
from ggp.rules.normal import may_be_equal, unify
from ggp.rules.rule import Inequality, Rule, Signature, goal_value, signature
from ggp.rules.ruleset import RuleSet, examine, read_rules
from ggp.rules.translate import translate

__all__ = [
    "KEYWORDS",
    "DependencyGraph",
    "Diagnostic",
    "Edit",
    "Entry",
    "Fix",
    "Inequality",
    "Report",
    "Rule",
    "RuleSet",
    "Severity",
    "Signature",
    "catalogue",
    "examine",
    "goal_value",
    "matching",
    "may_be_equal",
    "read_asp",
    "read_rules",
    "signature",
    "translate",
    "unify",
    "write_asp",
]
