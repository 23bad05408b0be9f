"""Facts about rule sheets, in files beside them: read, checked, and recorded."""

from ggp.facts.checking import Report, Verdict, check
from ggp.facts.file import FactsFile, Instance, facts_of, parse_facts, read_facts, sheet_of
from ggp.facts.format import FACTS, schema
from ggp.facts.inquiry import Answer, Inquiry
from ggp.facts.running import run
from ggp.facts.suite import find_files

__all__ = [
    "FACTS",
    "Answer",
    "FactsFile",
    "Inquiry",
    "Instance",
    "Report",
    "Verdict",
    "check",
    "facts_of",
    "find_files",
    "parse_facts",
    "read_facts",
    "run",
    "schema",
    "sheet_of",
]
