"""Rules to the text of an answer-set program, with a generated name for everything in a sheet.

A rule sheet may come from a stranger, so no character of it ever becomes program text: the symbol
`cell` is `s4`, the variable `?x` is `V0`, the relation `succ/2` is `p7`. Numbers are symbols too.

`true`, `init`, `next` around a fluent and `does`, `legal` around a move are flattened to one
predicate for each functor (`true(cell(X,Y))` becomes `t3(X,Y)`), on which clingo can index. Where a
sheet writes `(true ?x)` or `(does ?r ?m)` that is impossible, and the terms stay nested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ggp.kif import Term
from ggp.rules import Rule, Signature, signature

FLUENT_KINDS = {"true": "t", "init": "i", "next": "n"}
MOVE_KINDS = {"does": "d", "legal": "l"}
_KIND = {letter: name for name, letter in (FLUENT_KINDS | MOVE_KINDS).items()}


class Encoder:
    """Names of one game's grounding; encoding and decoding are inverse to each other."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        atoms = [a for rule in rules for a in (rule.head, *rule.positive, *rule.negative)]
        self.flat_fluents = not any(a.args[0].is_variable for a in atoms if a.name in FLUENT_KINDS)
        self.flat_moves = not any(a.args[1].is_variable for a in atoms if a.name in MOVE_KINDS)
        self._symbol_code: dict[str, int] = {}
        self._symbols: list[str] = []
        self._relation_code: dict[tuple[str, Signature], int] = {}
        self._relations: list[tuple[str, Signature]] = []
        self._known: dict[str, Term] = {}

    def symbol(self, name: str) -> str:
        """The generated name of a constant or function."""
        code = self._symbol_code.setdefault(name, len(self._symbols))
        if code == len(self._symbols):
            self._symbols.append(name)
        return f"s{code}"

    def _relation(self, family: str, relation: Signature) -> int:
        code = self._relation_code.setdefault((family, relation), len(self._relations))
        if code == len(self._relations):
            self._relations.append((family, relation))
        return code

    def term(self, term: Term, variables: dict[str, str]) -> str:
        """The text of a term; `variables` collects the names of its variables."""
        if term.is_variable:
            return variables.setdefault(term.name, f"V{len(variables)}")
        name = self.symbol(term.name)
        if not term.args:
            return name
        return f"{name}({','.join(self.term(arg, variables) for arg in term.args)})"

    def predicate(self, atom: Term) -> str:
        """The generated predicate of an atom."""
        if atom.name in FLUENT_KINDS:
            inner = signature(atom.args[0]) if self.flat_fluents else ("", 1)
            return f"{FLUENT_KINDS[atom.name]}{self._relation('fluent', inner)}"
        if atom.name in MOVE_KINDS:
            inner = signature(atom.args[1]) if self.flat_moves else ("", 1)
            return f"{MOVE_KINDS[atom.name]}{self._relation('move', inner)}"
        return f"p{self._relation('relation', signature(atom))}"

    def arguments(self, atom: Term) -> tuple[Term, ...]:
        """The arguments that the generated predicate of `atom` takes."""
        if atom.name in FLUENT_KINDS and self.flat_fluents:
            return atom.args[0].args
        if atom.name in MOVE_KINDS and self.flat_moves:
            return (atom.args[0], *atom.args[1].args)
        return atom.args

    def atom(self, atom: Term, variables: dict[str, str]) -> str:
        """The text of an atom."""
        predicate, arguments = self.predicate(atom), self.arguments(atom)
        if not arguments:
            return predicate
        return f"{predicate}({','.join(self.term(arg, variables) for arg in arguments)})"

    def rule(self, rule: Rule) -> str:
        """The text of a rule."""
        variables: dict[str, str] = {}
        head = self.atom(rule.head, variables)
        body = [self.atom(atom, variables) for atom in rule.positive]
        for pairs in rule.distinct:
            left = ",".join(self.term(a, variables) for a, _ in pairs)
            right = ",".join(self.term(b, variables) for _, b in pairs)
            body.append(f"{left}!={right}" if len(pairs) == 1 else f"({left})!=({right})")
        body += [f"not {self.atom(atom, variables)}" for atom in rule.negative]
        return f"{head} :- {', '.join(body)}." if body else f"{head}."

    def families(self, kinds: Iterable[str]) -> list[tuple[str, int]]:
        """Generated predicates with their arities for `true`, `does` and so on."""
        found = []
        for kind in kinds:
            letter = (FLUENT_KINDS | MOVE_KINDS)[kind]
            family = "fluent" if kind in FLUENT_KINDS else "move"
            flat = self.flat_fluents if family == "fluent" else self.flat_moves
            for code, (name, (_, arity)) in enumerate(self._relations):
                if name == family:
                    size = (arity if flat else 1) + (family == "move")
                    found.append((f"{letter}{code}", size))
        return found

    def relation(self, relation: Signature) -> tuple[str, int]:
        """The generated predicate and arity of a relation that is no fluent or move."""
        return f"p{self._relation('relation', relation)}", relation[1]

    def decode(self, text: str) -> Term:
        """The atom that the text of an atom of the ground program stands for."""
        name, *rest = text.split("(", 1)
        kind, code = name[0], int(name[1:])
        family, (relation, _) = self._relations[code]
        args = self._terms(rest[0][:-1]) if rest else ()
        if family == "fluent":
            return Term(_KIND[kind], (Term(relation, args),) if self.flat_fluents else args)
        if family == "move" and self.flat_moves:
            return Term(_KIND[kind], (args[0], Term(relation, args[1:])))
        return Term(_KIND[kind] if family == "move" else relation, args)

    def _terms(self, text: str) -> tuple[Term, ...]:
        """The terms in a list with commas."""
        known = self._known
        parts = text.split(",") if "(" not in text else list(_arguments(text))
        for part in parts:
            if part not in known:
                name, *rest = part.split("(", 1)
                args = self._terms(rest[0][:-1]) if rest else ()
                known[part] = Term(self._symbols[int(name[1:])], args)
        return tuple([known[part] for part in parts])


def _arguments(text: str) -> Iterator[str]:
    """The parts of a list at the commas that no parentheses enclose."""
    depth = start = 0
    for i, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "," and not depth:
            yield text[start:i]
            start = i + 1
    yield text[start:]
