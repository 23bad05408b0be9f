"""Text to terms and back: KIF and infix GDL, parametric sheets, spellings and places."""

from ggp.kif.expressions import Atom, Expr, List, bare
from ggp.kif.faults import syntax_error, unexpected
from ggp.kif.hrf import read_hrf
from ggp.kif.hrf_writer import infix_variables, write_hrf
from ggp.kif.layout import format, lay_out
from ggp.kif.reader import (
    check_size,
    is_symbol,
    read_kif,
    read_term,
    read_terms,
    to_expr,
    to_term,
)
from ggp.kif.reading import read, read_forms
from ggp.kif.recovery import Forms, TextFault
from ggp.kif.source import Source, Span, Syntax, decode, read_bytes, read_source, syntax_of
from ggp.kif.symbols import SymbolTable
from ggp.kif.template import (
    chosen_parameters,
    find_source,
    is_template,
    parameters,
    read_sheet,
    render,
    sheet_from,
)
from ggp.kif.terms import Term
from ggp.kif.writer import write

__all__ = [
    "Atom",
    "Expr",
    "Forms",
    "List",
    "Source",
    "Span",
    "SymbolTable",
    "Syntax",
    "Term",
    "TextFault",
    "bare",
    "check_size",
    "chosen_parameters",
    "decode",
    "find_source",
    "format",
    "infix_variables",
    "is_symbol",
    "is_template",
    "lay_out",
    "parameters",
    "read",
    "read_bytes",
    "read_forms",
    "read_hrf",
    "read_kif",
    "read_sheet",
    "read_source",
    "read_term",
    "read_terms",
    "render",
    "sheet_from",
    "syntax_error",
    "syntax_of",
    "to_expr",
    "to_term",
    "unexpected",
    "write",
    "write_hrf",
]
