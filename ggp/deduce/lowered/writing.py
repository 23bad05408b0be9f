"""Instructions written one by one, with places that are not known yet, and terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ggp.deduce.interning import Interner
from ggp.deduce.lowered import codes
from ggp.deduce.program import BodyLiteral
from ggp.kif import Term
from ggp.rules import signature

Env = dict[str, int]
"""The register of each variable that has a value."""


@dataclass
class Label:
    """A place in the code that may not be known yet."""

    place: int = -1
    uses: list[int] = field(default_factory=list)


class Writer:
    """Writes code; `widest` is the largest number of arguments of a term that it makes."""

    def __init__(self, terms: Interner) -> None:
        self.terms = terms
        self.code: list[int] = []
        self.widest = 0
        self.registers = 0

    def emit(self, code: int, *operands: int | Label) -> None:
        """An instruction."""
        self.code.append(code)
        for operand in operands:
            if isinstance(operand, Label):
                operand.uses.append(len(self.code))
                self.code.append(operand.place)
            else:
                self.code.append(operand)

    def here(self, label: Label) -> None:
        """A label is the place that comes next."""
        label.place = len(self.code)
        for use in label.uses:
            self.code[use] = label.place

    def fresh(self) -> int:
        """A new register."""
        self.registers += 1
        return self.registers - 1

    # -- terms -----------------------------------------------------------------------------------

    def build(self, term: Term, env: Env) -> int:
        """The operand for a term whose variables have values."""
        if term.is_variable:
            return env[term.name]
        if term.is_ground:
            return -self.terms.id(term)
        values = [self.build(arg, env) for arg in term.args]
        place = self.fresh()
        functor = self.terms.functor(term.name, len(term.args))
        self.widest = max(self.widest, len(values))
        self.emit(codes.BUILD, place, functor, len(values), *values)
        return place

    def match(self, pattern: Term, value: int, env: Env, fail: Label) -> None:
        """Conditions under which the term in a register is an instance of `pattern`; gives values
        to the pattern's variables."""
        if pattern.is_variable:
            if pattern.name in env:
                self.emit(codes.AGREE, value, env[pattern.name], fail)
            else:
                env[pattern.name] = value
            return
        if pattern.is_ground:
            self.emit(codes.AGREE, value, -self.terms.id(pattern), fail)
            return
        parts = [self.fresh() for _ in pattern.args]
        functor = self.terms.functor(pattern.name, len(pattern.args))
        self.emit(codes.SHAPE, value, functor, len(parts), fail, *parts)
        for arg, part in zip(pattern.args, parts, strict=True):
            self.match(arg, part, env, fail)


def replaced(literal: BodyLiteral, binding: Mapping[str, Term]) -> BodyLiteral:
    """A condition with its variables replaced."""
    if not any(name in binding for name in literal.variables):
        return literal
    kind, relation = literal.kind, literal.relation
    args = tuple(arg.substitute(binding) for arg in literal.args)
    pairs = tuple((a.substitute(binding), b.substitute(binding)) for a, b in literal.pairs)
    if kind == "holds" and not args[0].is_variable:
        kind, relation, args = "fluent", signature(args[0]), args[0].args
    names = tuple(tuple(arg.variables()) for arg in args)
    found = {name for own in names for name in own}
    found.update(name for pair in pairs for term in pair for name in term.variables())
    return replace(
        literal, kind=kind, relation=relation, args=args, pairs=pairs, names=names,
        variables=frozenset(found),
    )  # fmt: skip
