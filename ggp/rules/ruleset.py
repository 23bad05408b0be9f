"""A whole rule sheet in normal form, with all that can be said of it before grounding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain

from ggp.errors import LimitReached, RulesError
from ggp.kif import Forms, Source, Span, SymbolTable, Term, read, read_forms
from ggp.limits import DEFAULT, Limits, look
from ggp.rules import keywords as kw
from ggp.rules.checks import INTENT, RULES
from ggp.rules.checks.all import Check
from ggp.rules.dependency import DependencyGraph
from ggp.rules.diagnostics import Diagnostic, Edit, Fix, Report
from ggp.rules.normal import unify, written
from ggp.rules.reading import ClauseReader
from ggp.rules.rule import Rule
from ggp.rules.sheet import Sheet


@dataclass(frozen=True, eq=False)
class RuleSet:
    """The rules of one sheet. `diagnostics` are in the order of their places in the file."""

    source: Source
    rules: tuple[Rule, ...]
    symbols: SymbolTable
    diagnostics: tuple[Diagnostic, ...]

    @cached_property
    def graph(self) -> DependencyGraph:
        """The dependencies between the relations."""
        return DependencyGraph.of(self.rules)

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        """The roles in the order of their facts."""
        facts = (rule.head.args[0] for rule in self.rules if rule.head.name == "role")
        return tuple(dict.fromkeys(facts))

    @cached_property
    def names(self) -> frozenset[str]:
        """The symbols that occur in the rules, but for the values of goals."""
        found: set[str] = set()
        for rule in self.rules:
            head = rule.head.args[:1] if rule.head.name == "goal" else (rule.head,)
            for term in (*head, *rule.positive, *rule.negative, *_sides(rule)):
                found.update(term.symbols())
        return frozenset(found)

    def has_fluent(self, fact: Term) -> bool:
        """Whether some `init` or `next` could give a fact, as far as its form goes."""
        heads = (r.head.args[0] for r in self.rules if r.head.name in ("init", "next"))
        return fact.is_ground and any(unify(pattern, fact, {}) for pattern in heads)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text with what decides how it is read, in hexadecimal digits.

        Of `ggp-sheet`, the syntax, and `strict` or `folded` for the case of symbols, each with a
        line end, and the text; in UTF-8.
        """
        case = "strict" if self.symbols.strict_case else "folded"
        read = f"ggp-sheet\n{self.source.syntax}\n{case}\n{self.source.text}"
        return sha256(read.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the rules as they are written, one a line, in hexadecimal digits.

        Unlike `digest` the same for any layout, comments and (unless it counts) case: so that rules
        are known again that come over the wire.
        """
        rules = "\n".join(map(str, read(self.source)))
        known = rules if self.symbols.strict_case else rules.lower()
        return sha256(known.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that forbid making a game of the sheet."""
        return tuple(d for d in self.diagnostics if d.severity == "error")

    def require_valid(self) -> None:
        """Raise `RulesError` with the first error and the number of all, if there is any."""
        if self.errors:
            more = f" (and {len(self.errors) - 1} more)" if len(self.errors) > 1 else ""
            first = self.errors[0]
            line, carets = first.span.excerpt().split("\n")
            shown = f"\n{line}\n{carets}" if line.strip() and first.span.start else ""
            raise RulesError(f"{first}{more}{shown}", self.errors)


def _sides(rule: Rule) -> Iterator[Term]:
    """Both sides of the inequalities of a rule."""
    for pairs in rule.distinct:
        yield from chain.from_iterable(pairs)


def read_rules(source: Source, *, strict_case: bool = False, limits: Limits = DEFAULT) -> RuleSet:
    """Read, normalise and check the sheet in `source`.

    Faults of the rules end up in `diagnostics`; only text that is not KIF raises
    (`KifSyntaxError`), or passes a limit (`LimitReached`).
    """
    if not isinstance(source.text, str):
        raise TypeError(f"rules are text, not of type {type(source.text).__name__}")
    forms = Forms(read(source, limits), [], [])
    return _examined(source, forms, RULES, strict_case, limits)


def examine(source: Source, *, strict_case: bool = False, limits: Limits = DEFAULT) -> RuleSet:
    """Read and check a sheet for people: all its faults, and what was probably not meant.

    As `read_rules`, but that faults of the text are diagnostics too, and that what can be read is
    checked all the same. Raises `LimitReached` and `InputError` only.
    """
    forms = read_forms(source, limits)
    checks = (*RULES, *INTENT)
    return _examined(source, forms, checks, strict_case, limits, for_people=True)


def _examined(
    source: Source,
    forms: Forms,
    checks: Iterable[Check],
    strict_case: bool,
    limits: Limits,
    *,
    for_people: bool = False,
) -> RuleSet:
    report = Report(source)
    for fault in forms.faults:
        edits = tuple(Edit(Span(source, *place), text) for *place, text in fault.edits)
        fix = Fix(fault.fix, edits) if edits else None
        related = fault.related
        report.add(fault.kind, fault.message, fault.span, hint=fault.hint, related=related, fix=fix)
    symbols = SymbolTable(kw.KEYWORDS, strict_case=strict_case)
    reader = ClauseReader(source, symbols, report)
    clauses = reader.read(forms.forms)
    for note in source.notes:
        report.add("encoding", note, Span(source, 0, 1))
    rules: list[Rule] = []
    stated: list[Rule] = []  # those that contradict themselves as well
    broken = [*forms.broken, *reader.broken]
    for clause in clauses:
        try:
            possible, impossible = written(clause, limits)
        except LimitReached as error:
            if not for_people:
                raise
            report.add("too-many-branches", str(error), clause.span)
            broken.append(clause.form)
            continue
        rules.extend(possible)
        stated.extend((*possible, *impossible))
        if not (possible or impossible):
            broken.append(clause.form)
        if len(stated) > limits.rules:
            raise LimitReached("rules", limits.rules, "after expanding disjunctions")
    live = frozenset(rule.span.start for rule in rules)
    sheet = Sheet(stated, clauses, broken, DependencyGraph.of(stated), symbols, report, live)
    # Of a text whose end could not be read, nothing can be missed.
    is_cut = any(fault.kind == "open-comment" for fault in forms.faults)
    for check in () if is_cut else checks:
        look("checking rules")
        check(sheet)
    return RuleSet(source, tuple(rules), symbols, report.sorted())
