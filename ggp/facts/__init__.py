"""Facts about rule sheets, in files beside them: read, checked, and recorded."""

from ggp.facts.checking import FactVerdict, InstanceReport, check
from ggp.facts.file import FactsFile, Instance, facts_of, parse_facts, read_facts, sheet_of
from ggp.facts.format import FACTS, schema
from ggp.facts.inquiry import FactAnswer, Inquiry
from ggp.facts.running import run
from ggp.facts.suite import find_files

__all__ = [
    "FACTS",
    "FactAnswer",
    "FactVerdict",
    "FactsFile",
    "Inquiry",
    "Instance",
    "InstanceReport",
    "check",
    "facts_of",
    "find_files",
    "parse_facts",
    "read_facts",
    "run",
    "schema",
    "sheet_of",
]
