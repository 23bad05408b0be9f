"""Clauses to normal form: disjunctions become rules of their own, negations move inward.

`(not (distinct s t))` is an equation and is solved by unification (Martelli and Montanari 1982); a
disjunction of inequalities stays one literal, since `f(a,b) != f(c,d)` says the same in one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ggp.errors import LimitReached
from ggp.kif import Term
from ggp.limits import DEFAULT, Limits
from ggp.rules.formula import Clause, Distinct, Formula, Literal, Not, Or
from ggp.rules.rule import Inequality, Rule


@dataclass(frozen=True)
class _Positive:
    atom: Term


@dataclass(frozen=True)
class _Negative:
    atom: Term


@dataclass(frozen=True)
class _Differ:
    pairs: Inequality


@dataclass(frozen=True)
class _Equal:
    left: Term
    right: Term


_Simple = _Positive | _Negative | _Differ | _Equal
_Branch = tuple[_Simple, ...]


def written(clause: Clause, limits: Limits = DEFAULT) -> tuple[list[Rule], list[Rule]]:
    """The rules of `clause`, one for each branch of its disjunctions: those that can hold, and
    those that contradict themselves.

    Raises `LimitReached` where there are more than `limits.branches` of them.
    """
    possible, impossible = [], []
    for branch in _branches(clause.body, False, limits.branches):
        rule = _rule(clause, branch)
        if rule is None:
            impossible.append(_as_it_stands(clause, branch))
        else:
            possible.append(rule)
    return possible, impossible


def _as_it_stands(clause: Clause, branch: _Branch) -> Rule:
    """The rule of a branch whose equations or inequalities cannot hold, with all its atoms."""
    inequalities = [literal.pairs for literal in branch if isinstance(literal, _Differ)]
    return Rule(
        head=clause.head,
        positive=_atoms(branch, _Positive, {}),
        negative=_atoms(branch, _Negative, {}),
        distinct=tuple(dict.fromkeys(inequalities)),
        span=clause.span,
    )


def _branches(formula: Formula, negated: bool, limit: int) -> list[_Branch]:
    """The disjunctive normal form of `formula`, or of its negation."""
    if isinstance(formula, Not):
        return _branches(formula.inner, not negated, limit)
    if isinstance(formula, Literal):
        return [(_Negative(formula.atom) if negated else _Positive(formula.atom),)]
    if isinstance(formula, Distinct):
        pair = (formula.left, formula.right)
        return [(_Equal(*pair) if negated else _Differ((pair,)),)]
    parts = [_branches(part, negated, limit) for part in formula.parts]
    if isinstance(formula, Or) != negated:
        return _merge_inequalities([branch for part in parts for branch in part])
    size = 1
    for part in parts:
        size *= len(part)
        if size > limit:
            raise LimitReached("branches", limit, "a rule with too many combinations of 'or'")
    return [tuple(literal for branch in choice for literal in branch) for choice in product(*parts)]


def _merge_inequalities(branches: list[_Branch]) -> list[_Branch]:
    """Join the branches that are one inequality each into a single branch."""
    pairs: list[tuple[Term, Term]] = []
    rest: list[_Branch] = []
    for branch in branches:
        if len(branch) == 1 and isinstance(branch[0], _Differ):
            pairs.extend(branch[0].pairs)
        else:
            rest.append(branch)
    return [(_Differ(tuple(pairs)),), *rest] if pairs else rest


def _rule(clause: Clause, branch: _Branch) -> Rule | None:
    """The rule of one branch, or None where its equations or inequalities cannot hold."""
    binding: dict[str, Term] = {}
    for literal in branch:
        if isinstance(literal, _Equal) and not unify(literal.left, literal.right, binding):
            return None
    distinct = []
    for literal in branch:
        if isinstance(literal, _Differ):
            pairs = tuple(_open_pairs(literal.pairs, binding))
            if (None, None) in pairs:
                continue
            if not pairs:
                return None
            distinct.append(tuple((a, b) for a, b in pairs if a is not None and b is not None))
    return Rule(
        head=clause.head.substitute(binding),
        positive=_atoms(branch, _Positive, binding),
        negative=_atoms(branch, _Negative, binding),
        distinct=tuple(dict.fromkeys(distinct)),
        span=clause.span,
    )


def _atoms(
    branch: _Branch, kind: type[_Positive] | type[_Negative], binding: dict[str, Term]
) -> tuple[Term, ...]:
    found = (x.atom.substitute(binding) for x in branch if isinstance(x, kind))
    return tuple(dict.fromkeys(found))


def _open_pairs(
    pairs: Inequality, binding: dict[str, Term]
) -> Iterator[tuple[Term | None, Term | None]]:
    """The pairs whose difference depends on variables; (None, None) for one that always differs."""
    for left, right in pairs:
        a, b = left.substitute(binding), right.substitute(binding)
        if a == b:
            continue
        if not unify(a, b, {}):
            yield None, None
        else:
            yield a, b


def may_be_equal(left: Term, right: Term) -> bool:
    """Whether two terms, their variables renamed apart, have a common instance."""
    renamed = right.substitute({name: Term(name + "'") for name in right.variables()})
    return unify(left, renamed, {})


def unify(left: Term, right: Term, binding: dict[str, Term]) -> bool:
    """Extend `binding` so that both terms become equal; False where that is impossible."""
    todo = [(left, right)]
    while todo:
        a, b = (term.substitute(binding) for term in todo.pop())
        if a == b:
            continue
        if b.is_variable and not a.is_variable:
            a, b = b, a
        if a.is_variable:
            if a.name in b.variables():
                return False
            binding[a.name] = b
        elif a.name != b.name or len(a.args) != len(b.args):
            return False
        else:
            todo.extend(zip(a.args, b.args, strict=True))
    return True
