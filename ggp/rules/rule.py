"""Rules in normal form: conjunctions of atoms, negated atoms and inequalities."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.errors import RulesError
from ggp.kif import Span, Term

Signature = tuple[str, int]
"""A relation: its name and number of arguments."""

Inequality = tuple[tuple[Term, Term], ...]
"""Pairs of terms of which at least one pair must differ."""


def signature(atom: Term) -> Signature:
    """The relation that `atom` belongs to."""
    return atom.name, len(atom.args)


def is_numeral(term: Term) -> bool:
    """Whether a term is a constant of digits alone."""
    return not term.args and term.name.isascii() and term.name.isdigit()


def goal_value(role: Term, value: Term) -> int:
    """The integer that a goal's value spells; raises `RulesError` for anything but 0 to 100."""
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= 100):
        raise RulesError(f"goal value {text[:40]} of {role} is no integer from 0 to 100")
    return int(text)


@dataclass(frozen=True)
class Rule:
    """`head` holds if all of `positive`, none of `negative` and every one of `distinct` do.

    `span` is the clause of the sheet that the rule comes from.
    """

    head: Term
    positive: tuple[Term, ...]
    negative: tuple[Term, ...]
    distinct: tuple[Inequality, ...]
    span: Span

    @property
    def is_fact(self) -> bool:
        """Whether nothing has to hold for the head."""
        return not (self.positive or self.negative or self.distinct)

    def __str__(self) -> str:
        body = [str(atom) for atom in self.positive]
        body += [f"(not {atom})" for atom in self.negative]
        for pairs in self.distinct:
            texts = [f"(distinct {a} {b})" for a, b in pairs]
            body.append(texts[0] if len(texts) == 1 else f"(or {' '.join(texts)})")
        return f"(<= {' '.join([str(self.head), *body])})" if body else str(self.head)
