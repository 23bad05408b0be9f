"""Where in a sheet a fault of play comes from: the rules that speak of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ggp.kif import Span, Term
from ggp.rules import Rule, RuleSet, may_be_equal, signature
from ggp.rules.diagnostics import Related


@dataclass(frozen=True)
class Places:
    """The places of the rules of one sheet."""

    rules: RuleSet

    def heads(
        self, matches: Callable[[Rule], bool], word: str = "and here"
    ) -> tuple[Span, Related]:
        """Where the first rule that matches stands, and the others; the start where none does."""
        found: dict[Span, None] = {}
        for rule in self.rules.rules:
            if matches(rule):
                found[head_of(rule)] = None
        first, *others = found or [Span(self.rules.source, 0, min(1, len(self.rules.source.text)))]
        return first, tuple((span, word) for span in others)

    def of_role(self, name: str, role: str) -> tuple[Span, Related]:
        """The rules for `legal` or `goal` of one role, or else all of them."""
        wanted = Term(role)
        own = [
            r
            for r in self.rules.rules
            if r.head.name == name and may_be_equal(r.head.args[0], wanted)
        ]
        if own:
            return self.heads(lambda rule: rule in own, f"a rule for {name} of {role}")
        return self.heads(lambda rule: rule.head.name == name)

    def keeping(self, fluent: Term, moves: Sequence[tuple[str, Term]]) -> tuple[Span, Related]:
        """The rules that should have kept a fluent when moves were made: those for `next` of its
        kind that read it, of the players who moved before others."""
        kind = signature(fluent)
        made = [
            rule
            for rule in self.rules.rules
            if rule.head.name == "next" and signature(rule.head.args[0]) == kind
        ]
        reading = [r for r in made if any(_reads(atom, fluent) for atom in r.positive)]
        acting = [r for r in reading if any(_does(atom, moves) for atom in r.positive)]
        alike = [r for r in acting if may_be_equal(r.head.args[0], fluent)]
        chosen = (
            alike or [r for r in reading if may_be_equal(r.head.args[0], fluent)] or acting or made
        )
        if not chosen:
            return self.heads(lambda r: r.head.name == "init" and signature(r.head.args[0]) == kind)
        return self.heads(lambda rule: rule in chosen, f"another rule for next of {fluent.name}")


def head_of(rule: Rule) -> Span:
    """The characters of the head of a rule: up to the end of its first line at most."""
    source, start = rule.span.source, rule.span.start
    line = source.text[start : rule.span.end].split("\n", 1)[0].rstrip()
    return Span(source, start, start + max(1, len(line)))


def _reads(atom: Term, fluent: Term) -> bool:
    return atom.name == "true" and may_be_equal(atom.args[0], fluent)


def _does(atom: Term, moves: Sequence[tuple[str, Term]]) -> bool:
    return atom.name == "does" and any(
        may_be_equal(atom.args[0], Term(role)) and may_be_equal(atom.args[1], move)
        for role, move in moves
    )
