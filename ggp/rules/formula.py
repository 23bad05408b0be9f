"""Clauses as they are written: a head and a formula for a body."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.kif import Expr, Span, Term


@dataclass(frozen=True)
class Literal:
    """An atom that must be true."""

    atom: Term
    span: Span


@dataclass(frozen=True)
class Distinct:
    """Two terms that must differ."""

    left: Term
    right: Term


@dataclass(frozen=True)
class Not:
    """Negation of a formula; GDL proper allows an atom only."""

    inner: Formula


@dataclass(frozen=True)
class And:
    """All parts hold; without parts it is true."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Or:
    """Some part holds; without parts it is false."""

    parts: tuple[Formula, ...]


Formula = Literal | Distinct | Not | And | Or


@dataclass(frozen=True)
class Clause:
    """A fact or rule of the sheet; a fact has an empty `And` for a body.

    `form` is how it is written.
    """

    head: Term
    body: Formula
    span: Span
    form: Expr
