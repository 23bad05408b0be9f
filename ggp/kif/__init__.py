"""Text to terms and back: reading KIF, parametric sheets, spellings and places."""

from ggp.kif.reader import Atom, Expr, List, read, read_term, read_terms, to_term
from ggp.kif.source import Source, Span, decode, read_source
from ggp.kif.symbols import SymbolTable
from ggp.kif.template import is_template, parameters, read_sheet, render
from ggp.kif.terms import Term
from ggp.kif.writer import write

__all__ = [
    "Atom",
    "Expr",
    "List",
    "Source",
    "Span",
    "SymbolTable",
    "Term",
    "decode",
    "is_template",
    "parameters",
    "read",
    "read_sheet",
    "read_source",
    "read_term",
    "read_terms",
    "render",
    "to_term",
    "write",
]
