"""A sheet under examination: its rules with the places of everything in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ggp.kif import Atom, Expr, List, Source, Span, SymbolTable, Term
from ggp.rules import keywords as kw
from ggp.rules.dependency import DependencyGraph
from ggp.rules.diagnostics import Edit, Fix, Report
from ggp.rules.formula import Clause
from ggp.rules.nearest import Slips, Speller
from ggp.rules.rule import Rule, Signature, signature

Occurrence = tuple[Term, Span, str]
"""A term in a rule, where it stands, and the name of what it stands in directly."""

_FIRST_NAME = re.compile(r"[(\s]*([^\s();]+)")


@dataclass(frozen=True)
class Sheet:
    """What every check looks at.

    `rules` are all that are written; `live` the places of clauses whose bodies do not contradict
    themselves. `broken` are the forms that no clause could be made of: what they would define is
    not known.
    `explained` are the names that a fault was found in whose other signs are not reported again,
    `mistaken` the moves in whose place others are read, which is reported.
    """

    rules: Sequence[Rule]
    clauses: Sequence[Clause]
    broken: Sequence[Expr]
    graph: DependencyGraph
    symbols: SymbolTable
    report: Report
    live: frozenset[int]
    explained: set[str] = field(default_factory=set)
    mistaken: set[Signature] = field(default_factory=set)

    @cached_property
    def _speller(self) -> Speller:
        return Speller()

    @cached_property
    def slips(self) -> Slips:
        """What finds the relation that a name is a slip of the pen of."""
        return Slips(name for name, _ in self.heads if name not in kw.KEYWORDS)

    def nearest(self, name: str, names: Iterable[str]) -> str | None:
        """The one of `names` that was probably meant, if one is alike."""
        return self._speller.nearest(name, names)

    @property
    def source(self) -> Source:
        """The text."""
        return self.report.source

    @property
    def start(self) -> Span:
        """The first character, where what is missing altogether is reported."""
        return Span(self.source, 0, min(1, len(self.source.text)))

    @cached_property
    def broken_names(self) -> frozenset[str]:
        """All symbols of the forms that could not be read: they may be defined, or used, there."""
        found = set()
        todo = list(self.broken)
        while todo:
            expr = todo.pop()
            if isinstance(expr, List):
                todo.extend(expr.items)
            else:
                found.add(self.symbols.lookup(expr.text))
        return frozenset(found)

    @cached_property
    def _forms(self) -> dict[int, Expr]:
        return {clause.span.start: clause.form for clause in self.clauses}

    @cached_property
    def _occurrences(self) -> dict[int, list[Occurrence]]:
        return {}

    def occurrences(self, rule: Rule) -> list[Occurrence]:
        """All terms in the clause of a rule, heads and atoms among them, in the order of reading,
        outer ones first."""
        start = rule.span.start
        if start not in self._occurrences:
            form = self._forms.get(start)
            self._occurrences[start] = [] if form is None else self._collected(form)
        return self._occurrences[start]

    def _collected(self, form: Expr) -> list[Occurrence]:
        """The terms in a form. No recursion: forms may be as deep as the limit allows."""
        order: list[tuple[Expr, str]] = []
        todo: list[tuple[Expr, str]] = [(form, "")]
        while todo:
            expr, within = todo.pop()
            order.append((expr, within))
            if isinstance(expr, List):
                name = self._first(expr)
                inside = "" if name == kw.RULE else name or ""
                todo.extend((item, inside) for item in reversed(expr.items[1:]))
        made: dict[int, Term | None] = {}
        for expr, _ in reversed(order):
            made[id(expr)] = self._term(expr, made)
        found = []
        for expr, within in order:
            term = made[id(expr)]
            if term is not None:
                found.append((term, Span(self.source, expr.start, expr.end), within))
        return found

    def _first(self, expr: List) -> str | None:
        """The name that a list begins with."""
        first = expr.items[0] if expr.items else None
        return self.symbols.lookup(first.text) if isinstance(first, Atom) else None

    def _term(self, expr: Expr, made: Mapping[int, Term | None]) -> Term | None:
        """The term of an expression whose parts have theirs; None for a rule, or what is none."""
        if isinstance(expr, Atom):
            return Term(self.symbols.lookup(expr.text))
        name, args = self._first(expr), [made[id(item)] for item in expr.items[1:]]
        if name is None or name == kw.RULE or None in args:
            return None
        return Term(name, tuple(arg for arg in args if arg is not None))

    def place(self, rule: Rule, term: Term, within: Iterable[str] | None = None) -> Span:
        """Where `term` stands first in the clause of `rule`, directly in one of the words `within`.

        Where the term was made by rewriting, the head of the clause.
        """
        words, text = None if within is None else set(within), str(term)
        for found, span, inside in self.occurrences(rule):
            # Texts are compared, as comparing terms would go as deep as they are.
            if str(found) == text and (words is None or inside in words):
                return span
        return self.head(rule) if words is None else self.place(rule, term)

    def head(self, rule: Rule) -> Span:
        """Where the head of the clause of `rule` stands."""
        form = self._forms.get(rule.span.start)
        if isinstance(form, List) and len(form.items) > 1 and self._first(form) == kw.RULE:
            return Span(self.source, form.items[1].start, form.items[1].end)
        return rule.span

    def bodies(self) -> Iterator[tuple[Rule, Term]]:
        """Every atom of every body, negated ones too, with its rule."""
        for rule in self.rules:
            for atom in (*rule.positive, *rule.negative):
                yield rule, atom

    def fix(self, title: str, *edits: tuple[Span, str], safe: bool = False) -> Fix | None:
        """A correction of KIF text; there is none for infix GDL."""
        if self.source.syntax != "kif":
            return None
        return Fix(title, tuple(Edit(span, text) for span, text in edits), safe)

    def dropped(self, place: Span) -> Fix | None:
        """The correction that leaves out a form that says nothing new, and its line if nothing else
        is on it; none where a comment would go."""
        text = self.source.text
        if ";" in text[place.start : place.end] or "#|" in text[place.start : place.end]:
            return None
        end = place.end
        if text[place.start - 1 : place.start] in ("\n", "") and text[end : end + 1] == "\n":
            end += 1
        return self.fix("leave it out", (Span(self.source, place.start, end), ""), safe=True)

    def renamed(self, places: Iterable[Span], old: str, new: str) -> Fix | None:
        """The correction that writes another name for `old`, with which the atom or term at each
        place begins; None where it does not."""
        spans = [self._name_at(place, old) for place in places]
        if None in spans:
            return None
        return self.fix(f"write {new}", *((span, new) for span in spans if span))

    def _name_at(self, place: Span, name: str) -> Span | None:
        """Where the name stands that an atom or term begins with, if it is that one."""
        found = _FIRST_NAME.match(self.source.text, place.start, place.end)
        if found is None or self.symbols.lookup(found.group(1)) != name:
            return None
        return Span(self.source, *found.span(1))

    @cached_property
    def fluents(self) -> frozenset[Signature] | None:
        """The forms of the fluents that `init` and `next` make; None where one is a variable."""
        heads = [r.head.args[0] for r in self.rules if r.head.name in ("init", "next")]
        if any(term.is_variable for term in heads):
            return None
        return frozenset(map(signature, heads))

    @cached_property
    def read_moves(self) -> frozenset[Signature] | None:
        """The forms of the moves that `does` reads; None where it reads any."""
        moves = [atom.args[1] for _, atom in self.bodies() if atom.name == "does"]
        return None if any(m.is_variable for m in moves) else frozenset(map(signature, moves))

    @cached_property
    def heads(self) -> dict[Signature, list[Term]]:
        """The heads of each relation, in the order of the rules."""
        return {relation: [r.head for r in rules] for relation, rules in self.rules_of.items()}

    @cached_property
    def rules_of(self) -> dict[Signature, list[Rule]]:
        """The rules of each relation, in their order."""
        found: dict[Signature, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(signature(rule.head), []).append(rule)
        return found

    @cached_property
    def arities(self) -> dict[str, list[int]]:
        """The numbers of arguments of each relation that is defined, ascending."""
        found: dict[str, list[int]] = {}
        for name, arity in sorted(self.heads):
            found.setdefault(name, []).append(arity)
        return found

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        """The roles, in the order of their facts."""
        return tuple(dict.fromkeys(h.args[0] for h in self.heads.get(("role", 1), ())))
