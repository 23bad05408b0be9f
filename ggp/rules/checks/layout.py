"""Where indentation and nesting disagree although all parentheses match."""

from __future__ import annotations

from itertools import pairwise

from ggp.kif import Atom, Expr, Span
from ggp.rules.sheet import Sheet


def layout(sheet: Sheet) -> None:
    """Report names that stand alone and are indented like a part of the form before them.

    Only where the sheet has its other forms in the first column; of KIF only.
    """
    if sheet.source.syntax != "kif":
        return
    forms = sorted([*(c.form for c in sheet.clauses), *sheet.broken], key=lambda f: f.start)
    first = [form for form in forms if _column(sheet, form) == 1]
    if len(first) * 2 < len(forms):
        return
    for before, form in pairwise(forms):
        if isinstance(form, Atom) and _column(sheet, form) > 1 and _alone(sheet, form):
            line = sheet.source.place(before.end - 1)[0]
            message = f"{form.text} stands alone, indented like a part of the form before it"
            hint = f"a ')' too many at the end of line {line}?"
            span = Span(sheet.source, form.start, form.end)
            related = ((Span(sheet.source, before.end - 1, before.end), "the form ends here"),)
            sheet.report.add("indentation", message, span, hint=hint, related=related)


def _column(sheet: Sheet, expr: Expr) -> int:
    return sheet.source.place(expr.start)[1]


def _alone(sheet: Sheet, form: Atom) -> bool:
    """Whether nothing stands before a name on its line."""
    line, column = sheet.source.place(form.start)
    return not sheet.source.line(line)[: column - 1].strip()
