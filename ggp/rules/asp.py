"""Rules to an answer-set program, each of whose answer sets is one play of the game.

The encoding is that of M. Thielscher, "Answer set programming for single-player games in general
game playing" (ICLP 2009): what depends on the state or the moves takes the time as a last argument,
and at each time one legal move is chosen, here for each role, until the game or the horizon ends.
See also T. Cerexhe, D. Rajaratnam, A. Saffidine and M. Thielscher, "A systematic solution to the
(de-)composition problem in general game playing" (ECAI 2014).

A rule sheet may come from a stranger, so only plain words and small numbers of a sheet become
program text. Any other name is a generated one, and a comment says in JSON what it stands for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import count

from ggp.kif import Term, infix_variables
from ggp.rules import keywords as kw
from ggp.rules.rule import Rule, Signature, signature
from ggp.rules.ruleset import RuleSet

TIMED_KEYWORDS = {"does": 2, "legal": 2, "goal": 2, "terminal": 0, "sees": 2}
"""Keywords that take the time as one more argument than in GDL; `true` is `holds`."""

TIMELESS_KEYWORDS = {"role": 1, "base": 1, "input": 2}

RESERVED = kw.KEYWORDS | {"holds", "time", "horizon"}
"""Names that no symbol of a sheet keeps."""

TITLE = (
    "% GDL as an answer-set program: each answer set is one play of at most `horizon` joint moves."
)
FRAME = (
    "time(0).",
    "time(T+1) :- time(T), not terminal(T), T < horizon.",
    "1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), time(T), not terminal(T), T < horizon.",
    "#show does/3.",
    "#show goal(R,V,T) : goal(R,V,T), terminal(T).",
)
"""What is the same for all games: the passing of time, the choice of moves, what is shown."""

_WORD = re.compile(r"[a-z][A-Za-z0-9_]*")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


def write_asp(rules: RuleSet, horizon: int = 10) -> str:
    """The program of a valid rule set, for plays of at most `horizon` joint moves.

    `clingo -n 0` lists the plays; a play without a legal move for some role has no answer set.
    Raises `RulesError` where the sheet has errors.
    """
    rules.require_valid()
    writer = _Writer(rules)
    written = [writer.rule(rule) for rule in rules.rules]
    names = [f"% {name} = {_json(symbol)}" for name, symbol in writer.generated.items()]
    lines = [TITLE, *names, f"#const horizon={horizon}.", *FRAME, *writer.undefined(), *written]
    return "".join(line + "\n" for line in lines)


def _json(symbol: str) -> str:
    """A JSON string of plain ASCII; no `%` in it can be taken for a comment."""
    return json.dumps(symbol).replace("%", "\\u0025")


class _Writer:
    """The names of one program; `generated` says what those stand for that are not the sheet's."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        edges = rules.graph.edges
        self.known = set(edges).union(*edges.values())
        changing = [("true", 1), *TIMED_KEYWORDS.items()]
        timeless = {("init", 1), *TIMELESS_KEYWORDS.items()}
        self.timed = rules.graph.depending_on(changing) - timeless
        self.generated: dict[str, str] = {}
        self._used: set[str] = {name for rule in rules.rules for name in _names(rule)}
        self._own: dict[tuple[str, bool], str] = {}
        self._numbers = count(1)

    def name(self, symbol: str, *, apart: bool = False) -> str:
        """The name of a relation or function, the sheet's own where that is safe.

        With `apart` it is another one than without.
        """
        if not apart and _WORD.fullmatch(symbol) and symbol not in RESERVED:
            return symbol
        if (symbol, apart) not in self._own:
            fresh = (f"s{number}" for number in self._numbers)
            name = next(name for name in fresh if name not in self._used)
            self._own[symbol, apart] = name
            self.generated[name] = symbol
        return self._own[symbol, apart]

    def term(self, term: Term, variables: dict[str, str]) -> str:
        """The text of a term."""
        if term.is_variable:
            return variables[term.name]
        if not term.args:
            return term.name if _NUMBER.fullmatch(term.name) else self.name(term.name)
        arguments = []
        for arg in term.args:  # a loop costs least of Python's recursion limit
            arguments.append(self.term(arg, variables))
        return f"{self.name(term.name)}({','.join(arguments)})"

    def _list(self, terms: Iterable[Term], variables: dict[str, str]) -> str:
        return ",".join(self.term(term, variables) for term in terms)

    def relation(self, relation: Signature) -> tuple[str, int]:
        """The predicate of a relation and its arity, with the time where it has one."""
        name, arity = relation
        if name in ("true", "init", "next"):
            return "holds", 2
        if name in kw.KEYWORDS:
            return name, arity + (relation in self.timed)
        if relation not in self.timed:
            return self.name(name), arity
        # A relation that never changes may have the name with just one argument more.
        longer = (name, arity + 1)
        return self.name(name, apart=longer in self.known - self.timed), arity + 1

    def atom(self, atom: Term, time: str, variables: dict[str, str]) -> str:
        """The text of an atom at `time`, which a relation that never changes does not show."""
        name, arity = self.relation(signature(atom))
        arguments = [self.term(arg, variables) for arg in atom.args]
        arguments += [time] * (arity - len(arguments))
        return f"{name}({','.join(arguments)})" if arguments else name

    def rule(self, rule: Rule) -> str:
        """The text of a rule."""
        found = dict.fromkeys(_variables(rule))
        strict = self.rules.symbols.strict_case
        variables = infix_variables(found, ["T"], strict_case=strict)
        relation = signature(rule.head)
        time = "T" if relation in self.timed or relation[0] == "next" else "0"
        body = [self.atom(atom, time, variables) for atom in rule.positive]
        if time == "T" and not any(signature(a) in self.timed for a in rule.positive):
            body.append("time(T)")
        if relation[0] == "next":
            body.append("time(T+1)")
        for pairs in rule.distinct:
            left = self._list((a for a, _ in pairs), variables)
            right = self._list((b for _, b in pairs), variables)
            body.append(f"{left} != {right}" if len(pairs) == 1 else f"({left}) != ({right})")
        body += [f"not {self.atom(atom, time, variables)}" for atom in rule.negative]
        head = self.atom(rule.head, "T+1" if relation[0] == "next" else time, variables)
        return f"{head} :- {', '.join(body)}." if body else f"{head}."

    def undefined(self) -> Iterator[str]:
        """Declarations of the predicates that occur in bodies only, so that clingo is silent."""
        heads = {self.relation(relation) for relation in self.rules.graph.edges} | {("does", 3)}
        for name, arity in sorted(set(map(self.relation, self.known)) - heads):
            yield f"#defined {name}/{arity}."


def _terms(rule: Rule) -> Iterator[Term]:
    yield from (rule.head, *rule.positive, *rule.negative)
    for pairs in rule.distinct:
        for pair in pairs:
            yield from pair


def _names(rule: Rule) -> Iterator[str]:
    return (name for term in _terms(rule) for name in term.symbols())


def _variables(rule: Rule) -> Iterator[str]:
    return (name for term in _terms(rule) for name in term.variables())
