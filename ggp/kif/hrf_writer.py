"""Expressions to infix GDL (HRF), the notation of Stanford's GameMaster.

Any KIF symbol comes back unchanged: all but plain lower-case words and numbers stand in quotes.
Lists that are no rules, such as `()`, are written too, so that no sheet is beyond writing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ggp.kif.expressions import Atom, Expr, List

_PLAIN = re.compile(r"(?!not\Z)[a-z0-9][A-Za-z0-9_]*|-[0-9]+")
_OPERATORS = {"or": " | ", "and": " & "}

Names = dict[str, str]
"""The infix name of each variable."""


def write_hrf(exprs: Iterable[Expr], width: int = 100, *, strict_case: bool = False) -> str:
    """Infix text of top-level expressions, one a line; reading it gives them back.

    Variables begin with a capital and are named anew where that is not enough. A rule longer than
    `width` is broken after its head and each literal. Unless `strict_case`, connectives and
    variables that differ in case alone are the same.
    """
    return "".join(_clause(expr, width, strict_case) + "\n" for expr in exprs)


def _clause(expr: Expr, width: int, strict_case: bool) -> str:
    found = dict.fromkeys(text for text in _atoms(expr) if text.startswith("?"))
    writer = _ClauseWriter(infix_variables(found, strict_case=strict_case), strict_case)
    if not (isinstance(expr, List) and len(expr.items) > 1 and writer.keyword(expr) == "<="):
        return writer.term(expr)
    head, *literals = expr.items[1:]
    rule = f"{writer.term(head)} :-"
    if not literals:
        return f"{rule} ."
    body = [writer.formula(literal) for literal in literals]
    line = f"{rule} {' & '.join(body)}"
    return line if len(line) <= width else f"{rule}\n  " + " &\n  ".join(body)


def _atoms(expr: Expr) -> Iterator[str]:
    """The texts of all atoms, in reading order."""
    todo = [expr]
    while todo:
        current = todo.pop()
        if isinstance(current, Atom):
            yield current.text
        else:
            todo.extend(reversed(current.items))


def infix_variables(
    variables: Iterable[str], taken: Iterable[str] = (), *, strict_case: bool = False
) -> Names:
    """A name such as `Row` for each variable such as `?row`, all different and none in `taken`.

    The rest of a name is kept as far as it is made of letters, digits and `_`. No two names differ
    in case alone; variables that do share a name unless `strict_case`.
    """
    names: Names = {}
    of_folded: Names = {}
    used = {name.lower() for name in taken}
    tries: dict[str, int] = {}
    for variable in variables:
        folded = variable if strict_case else variable.lower()
        if folded not in of_folded:
            of_folded[folded] = _fresh(variable, used, tries)
        names[variable] = of_folded[folded]
    return names


def _fresh(variable: str, used: set[str], tries: dict[str, int]) -> str:
    rest = re.sub(r"[^A-Za-z0-9_]", "_", variable[1:])
    base = rest[0].upper() + rest[1:] if rest[:1].isalpha() else f"V{rest}"
    name = base
    while name.lower() in used:
        tries[base.lower()] = tries.get(base.lower(), 1) + 1
        name = f"{base}_{tries[base.lower()]}"
    used.add(name.lower())
    return name


def quote(symbol: str) -> str:
    """The spelling of a symbol: as it is if it is a plain word or number, else in quotes."""
    if _PLAIN.fullmatch(symbol):
        return symbol
    return f"'{''.join(map(_escape, symbol))}'"


def _escape(character: str) -> str:
    if character in "'\\":
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class _ClauseWriter:
    """Writes the parts of one clause, its variables by `names`."""

    def __init__(self, names: Names, strict_case: bool) -> None:
        self.names = names
        self.strict_case = strict_case

    def keyword(self, expr: List) -> str:
        """The name that the list begins with, folded; empty where it begins with a list."""
        first = expr.items[0] if expr.items else None
        text = first.text if isinstance(first, Atom) else ""
        return text if self.strict_case else text.lower()

    def term(self, expr: Expr) -> str:
        """The text of an atom or term, keywords as names like any other."""
        if isinstance(expr, Atom):
            return self.names[expr.text] if expr.text in self.names else quote(expr.text)
        named = expr.items and isinstance(expr.items[0], Atom)
        name = self.term(expr.items[0]) if named else "''"
        return f"{name}({','.join(map(self.term, expr.items[1 if named else 0 :]))})"

    def formula(self, expr: Expr) -> str:
        """The text of a literal, connectives as operators where they have their arguments."""
        if isinstance(expr, Atom):
            return self.term(expr)
        kind, parts = self.keyword(expr), expr.items[1:]
        if kind == "not" and len(parts) == 1:
            return f"~{self.negated(parts[0])}"
        if kind in _OPERATORS and len(parts) > 1:
            return f"({_OPERATORS[kind].join(map(self.formula, parts))})"
        return self.term(expr)

    def negated(self, expr: Expr) -> str:
        """The text of a formula as it stands after `~`: in parentheses where it begins so."""
        text = self.formula(expr)
        return f"({text})" if text.startswith("~") else text
