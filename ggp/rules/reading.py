"""Expressions to clauses, with a diagnostic for whatever GDL's syntax does not allow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from ggp.kif import Atom, Expr, List, Source, Span, SymbolTable, Term
from ggp.rules import keywords as kw
from ggp.rules.diagnostics import Edit, Fix, Report
from ggp.rules.formula import And, Clause, Distinct, Formula, Literal, Not, Or
from ggp.text import shortened

_FORWARD = frozenset({"=>", "==>", "->", "-->"})
_ARROWS = _FORWARD | {"=<", "<", "<==", "<-", "<--", "<=>", ":-", "\u21d0", "\u2190"}
"""What stands for `<=` by mistake; some of them are common in other languages."""


class _Faulty(Exception):
    """The expression at hand cannot be used; the reason is in the report."""


class ClauseReader:
    """Reads the clauses of one source; faults go to `report`, spellings to `symbols`.

    `broken` are the forms that no clause could be made of.
    """

    def __init__(self, source: Source, symbols: SymbolTable, report: Report) -> None:
        self.source = source
        self.symbols = symbols
        self.report = report
        self.broken: list[Expr] = []
        self._form = 0

    def read(self, exprs: Sequence[Expr]) -> list[Clause]:
        """The clauses that can be understood, in order."""
        clauses = []
        for expr in exprs:
            self._form = expr.start
            try:
                clauses.append(self._clause(expr))
            except _Faulty:
                self.broken.append(expr)
        return clauses

    def span(self, expr: Expr) -> Span:
        """The place of `expr`."""
        return Span(self.source, expr.start, expr.end)

    def _say(
        self,
        name: str,
        expr: Expr,
        message: str,
        hint: str = "",
        fix: Fix | None = None,
        cause: str = "",
    ) -> None:
        self.report.add(name, message, self.span(expr), hint=hint, fix=fix, cause=cause)

    def _fail(self, name: str, expr: Expr, message: str, hint: str = "") -> _Faulty:
        line, column = self.source.place(expr.start)
        if column == 1 and expr.start != self._form and not hint:
            hint = f"it begins in the first column: is a ')' missing before line {line}?"
        self._say(name, expr, message, hint)
        return _Faulty()

    def _text(self, expr: Expr) -> str:
        """How `expr` is written."""
        return self.source.text[expr.start : expr.end]

    def _instead(self, expr: Expr, text: str, title: str) -> Fix | None:
        """The correction that writes `text` for `expr`; the rules mean the same.

        For KIF only, and where no comment would be lost.
        """
        lost = self._text(expr).replace(text, "", 1)
        if self.source.syntax != "kif" or ";" in lost or "#|" in lost:
            return None
        return self._apart(expr, text, title)

    def _joined(self, expr: Expr) -> Fix | None:
        """The correction that writes the parts of a connective where it stands."""
        parts = expr.items[1:] if isinstance(expr, List) else ()
        if not parts:
            return None
        text = self.source.text[parts[0].start : parts[-1].end]
        return self._instead(expr, text, "write the parts alone")

    def _apart(self, expr: Expr, text: str, title: str) -> Fix:
        """The correction that writes `text` for `expr`; the rules mean the same."""
        whole = self.source.text
        before, after = whole[: expr.start][-1:], whole[expr.end : expr.end + 1]
        # What stands close by must not become one symbol with it.
        start = "" if not before or before in " \t\r\n\f(" else " "
        end = "" if not after or after in " \t\r\n\f)" else " "
        return Fix(title, (Edit(self.span(expr), f"{start}{text}{end}"),), safe=True)

    def _name(self, expr: Expr) -> str | None:
        """The canonical name that `expr`, an atom or a list, begins with."""
        first = expr.items[0] if isinstance(expr, List) and expr.items else expr
        return self.symbols.canonical(first.text) if isinstance(first, Atom) else None

    def _as_rule(self, expr: Expr) -> Expr:
        """A form as the rule that it is meant to be, where another arrow stands for `<=`."""
        first = expr.items[0] if isinstance(expr, List) and len(expr.items) > 1 else None
        if not (isinstance(first, Atom) and isinstance(expr, List)):
            return expr
        arrow, rest = first.text, list(expr.items[1:])
        is_glued = arrow.startswith(kw.RULE) and arrow[2:3].isalpha()
        if not (arrow in _ARROWS or is_glued) or not any(map(self._is_of_rules, rest)):
            return expr
        hint, end = "write <=", first.end
        if is_glued:
            end = first.start + len(kw.RULE)
            rest = [Atom(arrow[2:], end, first.end), *rest]
            hint = "write a blank behind <="
        elif arrow in _FORWARD:
            hint = "a rule is (<= HEAD CONDITION ...), its head first"
        fix = None if arrow in _FORWARD else self._arrow(first, arrow[2:] if is_glued else "")
        message = f"'{arrow}' makes no rule: what follows it would be a fact"
        self._say("odd-arrow", first, message, hint, fix)
        if arrow in _FORWARD:
            raise _Faulty
        return List((Atom(kw.RULE, first.start, end), *rest), expr.start, expr.end)

    def _arrow(self, first: Atom, head: str) -> Fix | None:
        text = f"{kw.RULE} {head}" if head else kw.RULE
        if self.source.syntax != "kif":
            return None
        return Fix(f"write {text}", (Edit(self.span(first), text),))

    def _is_of_rules(self, expr: Expr) -> bool:
        """Whether a part of a form has no sense in a fact: an atom of a keyword, or a variable."""
        if isinstance(expr, List) and self._name(expr) in kw.KEYWORDS:
            return True
        todo = [expr]
        while todo:
            part = todo.pop()
            if isinstance(part, Atom) and part.text.startswith("?"):
                return True
            todo.extend(part.items if isinstance(part, List) else ())
        return False

    def _clause(self, expr: Expr) -> Clause:
        expr = self._as_rule(expr)
        if not (isinstance(expr, List) and self._name(expr) == kw.RULE):
            head = self._atom(expr, head=True)
            return Clause(head, And(()), self.span(expr), expr)
        if len(expr.items) < 2:
            raise self._fail("rule-without-head", expr, "a rule needs a head")
        if len(expr.items) == 2:
            hint = f"write the fact alone: {expr.items[1]}"
            fix = self._instead(expr, self._text(expr.items[1]), "write the fact alone")
            self._say("rule-without-body", expr, "this rule has no body", hint, fix)
        head = self._atom(expr.items[1], head=True)
        parts = tuple(self._formula(item) for item in expr.items[2:])
        return Clause(head, And(parts), self.span(expr), expr)

    def _formula(self, expr: Expr, within: str = "") -> Formula:
        name = self._name(expr)
        if name == kw.RULE:
            raise self._fail("nested-rule", expr, "a rule cannot stand inside a rule")
        if name == "not":
            return self._negation(expr, within)
        if name in ("or", "and"):
            return self._connective(expr, name, within)
        if name == "distinct":
            left, right = self._arguments(expr, "distinct")
            return Distinct(self._term(left), self._term(right))
        return Literal(self._atom(expr), self.span(expr))

    def _arguments(self, expr: Expr, name: str) -> tuple[Expr, ...]:
        """The arguments of a keyword, of which there must be as many as it takes."""
        found = expr.items[1:] if isinstance(expr, List) else ()
        if len(found) != kw.ARITY[name]:
            takes = kw.ARITY[name]
            plural = "" if takes == 1 else "s"
            message = f"'{name}' takes {takes} argument{plural}, here it has {len(found)}"
            raise self._fail("keyword-arity", expr, message, self._hint(expr, name))
        return found

    def _hint(self, expr: Expr, name: str) -> str:
        """What was probably meant by a keyword with a wrong number of arguments."""
        found = expr.items[1:] if isinstance(expr, List) else ()
        if not found:
            return f"write ({name} ...), with what belongs to it in the same parentheses"
        is_open = isinstance(found[0], Atom) and not found[0].text.startswith("?")
        if kw.ARITY[name] == 1 and len(found) > 1 and is_open:
            inner = shortened(" ".join(map(str, found)), 60)
            return f"did you mean ({name} ({inner}))?"
        if name == "not" and len(found) > 1:
            return "write one 'not' for each atom that must not hold"
        return ""

    def _negation(self, expr: Expr, within: str) -> Formula:
        (inner,) = self._arguments(expr, "not")
        kind = self._name(inner)
        if kind in kw.CONNECTIVES or kind == "distinct":
            code = {"not": "double-negation"}.get(kind, f"not-{kind}")
            hint = {
                "distinct": "use the same variable twice instead",
                "not": "drop both negations",
                "or": "negate each part instead",
                "and": "write an 'or' of the negated parts instead",
            }[kind]
            fix = self._without_not(expr, inner, kind or "", within)
            self._say(code, expr, f"'not' of '{kind}' is rewritten", hint, fix)
        return Not(self._formula(inner, "not"))

    def _without_not(self, expr: Expr, inner: Expr, kind: str, within: str) -> Fix | None:
        """The correction of a negation that is rewritten: its parts are negated instead."""
        parts = inner.items[1:] if isinstance(inner, List) else ()
        if kind == "not" and len(parts) == 1:
            return self._instead(expr, self._text(parts[0]), "drop both negations")
        negated = [f"(not {self._text(part)})" for part in parts]
        if kind == "and" and parts:
            return self._written(expr, f"(or {' '.join(negated)})", "negate each part instead")
        if kind == "or" and parts and within in ("", "and"):
            return self._written(expr, " ".join(negated), "negate each part instead")
        return None

    def _written(self, expr: Expr, text: str, title: str) -> Fix | None:
        """The correction that writes `text` for `expr`, where there is no comment in it."""
        if ";" in self._text(expr) or "#|" in self._text(expr) or self.source.syntax != "kif":
            return None
        return self._apart(expr, text, title)

    def _connective(self, expr: Expr, name: str, within: str) -> Formula:
        items = expr.items[1:] if isinstance(expr, List) else ()
        if name == "and" and within != "not":
            hint = "list the parts one after the other"
            fix = self._joined(expr) if within in ("", "and") else None
            self._say("and-connective", expr, "'and' is no connective of GDL", hint, fix)
        if name == "or" and not items:
            self._say("empty-or", expr, "an 'or' without parts is false")
        if name == "or" and len(items) == 1:
            fix = self._instead(expr, self._text(items[0]), "write the part alone")
            self._say("or-of-one", expr, "an 'or' of one part is that part", fix=fix)
        if name == within == "or" and len(items) != 1:
            fix = self._joined(expr)
            self._say("nested-or", expr, "an 'or' directly inside an 'or'", "join them", fix)
        # map, not a generator: it costs no frame, so that the limit on depth is met first.
        parts = tuple(map(self._formula, items, repeat(name)))
        return Or(parts) if name == "or" else And(parts)

    def _atom(self, expr: Expr, *, head: bool = False) -> Term:
        """A relation applied to terms, as a head or in a body."""
        name = self._name(expr)
        if isinstance(expr, List) and not expr.items:
            raise self._fail("empty-list", expr, "an empty list '()' means nothing")
        if name is None:
            raise self._fail("list-for-name", expr, "a list stands where a name belongs")
        if name.startswith("?"):
            raise self._fail("variable-relation", expr, f"variable {name} used as a relation")
        if name in kw.LOGICAL or (head and name in kw.NEVER_HEAD):
            raise self._fail("keyword-head", expr, f"'{name}' cannot be a head")
        if not head and name in kw.NEVER_BODY:
            hint = {"init": "use 'true'", "next": "use 'true'"}.get(name, "")
            raise self._fail("keyword-in-body", expr, f"'{name}' cannot stand in a body", hint)
        if name in kw.ARITY:
            items = self._arguments(expr, name)
        else:
            items = expr.items[1:] if isinstance(expr, List) else ()
        self._check_parentheses(expr, name)
        return Term(name, tuple(self._term(item) for item in items))

    def _check_parentheses(self, expr: Expr, name: str) -> None:
        if isinstance(expr, List) and len(expr.items) == 1:
            message = f"parentheses around '{name}' have no meaning"
            fix = self._instead(expr, self._text(expr.items[0]), f"write {name}")
            hint = f"write {name} without them"
            self._say("needless-parentheses", expr, message, hint, fix, cause=name)

    def _term(self, expr: Expr) -> Term:
        name = self._name(expr)
        if isinstance(expr, List) and not expr.items:
            raise self._fail("empty-list", expr, "an empty list '()' means nothing")
        if name is None:
            raise self._fail("list-for-name", expr, "a list stands where a name belongs")
        if name == "?":
            raise self._fail("lone-question-mark", expr, "'?' alone is no variable")
        if '"' in name:
            self._say("string", expr, "quotes have no meaning in GDL", cause=name)
        if isinstance(expr, Atom):
            self._check_constant(expr, name)
            return Term(name)
        if name.startswith("?"):
            raise self._fail("variable-function", expr, f"variable {name} used as a function")
        if name in kw.KEYWORDS and (name in kw.LOGICAL or len(expr.items) > 1):
            hint = f"'{name}' belongs around a whole fluent" if name in kw.WRAPPERS else ""
            if name == "not":
                hint = "write (not (true ...)): 'not' stands outside"
            raise self._fail("keyword-function", expr, f"keyword '{name}' used as a function", hint)
        self._check_parentheses(expr, name)
        return Term(name, tuple(self._term(item) for item in expr.items[1:]))

    def _check_constant(self, expr: Atom, name: str) -> None:
        if name in kw.LOGICAL - kw.CONSTANTS:
            raise self._fail("keyword-constant", expr, f"keyword '{name}' used as a constant")
        if name in kw.RELATIONS | kw.CONSTANTS:
            message = f"keyword '{name}' used as a constant: allowed, but confusing"
            self._say("keyword-as-name", expr, message, cause=name)
