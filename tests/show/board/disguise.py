"""Sheets that say the same in other words: names, the order of arguments and rules exchanged."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import ggp
from ggp.deduce import Prover
from ggp.game import Game
from ggp.kif import Term, read_kif, to_term
from ggp.rules import Signature, signature
from ggp.rules.keywords import KEYWORDS
from ggp.show.board.families import Path
from ggp.show.board.orders import orders_of
from ggp.show.board.ranks import TermRanks

KEPT = {*KEYWORDS, "random"}


@dataclass(frozen=True)
class Disguise:
    """Another name for each name, and for each relation and function where its arguments go:
    the argument at `moves[f][i]` becomes the one at `i`."""

    names: dict[str, str]
    moves: dict[Signature, tuple[int, ...]]

    def term(self, term: Term) -> Term:
        """A term, or a whole rule, in other words."""
        name = self.names.get(term.name.lower(), term.name)
        args = tuple(map(self.term, term.args))
        if term.name == "goal" and len(args) == 2:
            args = (args[0], term.args[1])
        return Term(name, tuple(args[i] for i in self._order(term)))

    def relation(self, relation: Signature) -> Signature:
        """A relation under its other name."""
        return self.names[relation[0].lower()], relation[1]

    def path(self, term: Term, path: Path) -> Path:
        """The way to the same part of the term in other words."""
        found = []
        for i in path:
            found.append(self._order(term).index(i))
            term = term.args[i]
        return tuple(found)

    def _order(self, term: Term) -> Sequence[int]:
        return self.moves.get((term.name.lower(), term.arity), range(term.arity))


def disguised(game: Game, seed: int, *, numerals: bool) -> tuple[Disguise, Game]:
    """A game in other words; `numerals`: also the numerals (chains must order them)."""
    rng = random.Random(seed)
    forms = list(map(to_term, read_kif(game.rules.source)))
    words = sorted({word.lower() for form in forms for word in form.symbols()} - KEPT)
    words = [word for word in words if numerals or not word.isdecimal()]
    numbers = list(range(10, 10 + len(words)))
    rng.shuffle(numbers)
    names = dict(zip(words, map(_word, numbers), strict=True))
    names |= {n: n for form in forms for n in map(str.lower, form.symbols()) if n not in names}
    moves = {}
    for kind in sorted({signature(part) for form in forms for part in _parts(form)}):
        if kind[0] not in KEPT and not kind[0].startswith("?"):
            order = list(range(kind[1]))
            rng.shuffle(order)
            moves[kind[0].lower(), kind[1]] = tuple(order)
    disguise = Disguise(names, moves)
    text = "\n".join(map(str, map(disguise.term, _shuffled(forms, rng))))
    return disguise, ggp.parse(text, "disguised.kif")


def matched(one: Game, other: Game) -> Disguise:
    """The words of one game in those of another that says the same, by what the rules say of them:
    where rules have symmetries, these may be others than those that were chosen."""
    ranks = [TermRanks(game.rules.rules, game.roles) for game in (one, other)]
    words = [
        sorted(_words(game), key=lambda word, own=own: own.key(Term(word)))
        for game, own in zip((one, other), ranks, strict=True)
    ]
    names = dict(zip(map(str.lower, words[0]), words[1], strict=True))
    moves = {}
    for name, arity in {signature(part) for atom in _atoms(one) for part in _parts(atom)}:
        if arity and name not in KEPT:
            kinds = ((name, ranks[0]), (names[name.lower()], ranks[1]))
            mine, theirs = (_ordered(name, arity, own) for name, own in kinds)
            moves[name.lower(), arity] = tuple(mine[theirs.index(i)] for i in range(arity))
    return Disguise(names, moves)


def has_chains(game: Game, axes: Iterable[Iterable[Term]]) -> bool:
    """Whether chains order all numerals that are names of places or counts, and none is a goal
    value that the state tells."""
    goals = [rule.head.args[1] for rule in game.rules.rules if rule.head.name == "goal"]
    if any(value.is_variable for value in goals):
        return False
    chains = [set(chain) for chain in orders_of(game.rules, Prover(game.rules)).chains]
    numerals = [{name for name in axis if name.name.isdecimal()} for axis in axes]
    return all(any(own <= chain for chain in chains) for own in numerals if own)


def _word(number: int) -> str:
    """A word of letters that tell nothing, another one for each number."""
    return "".join("bdgklmnprstvz"[int(d)] + "aeiou"[int(d) // 2] for d in str(number))


def _shuffled(forms: list[Term], rng: random.Random) -> list[Term]:
    """The rules in another order, but for the roles: which one is the first, matters."""
    roles = [form for form in forms if form.name == "role"]
    found = [form for form in forms if form.name != "role"]
    rng.shuffle(found)
    for at, role in zip(sorted(rng.sample(range(len(forms)), len(roles))), roles, strict=True):
        found.insert(at, role)
    return found


def _atoms(game: Game) -> Iterable[Term]:
    for rule in game.rules.rules:
        yield from (rule.head, *rule.positive, *rule.negative)


def _words(game: Game) -> set[str]:
    """The names of a game; goals have none."""
    atoms = (atom.args[0] if atom.name == "goal" else atom for atom in _atoms(game))
    return {"goal", *(word for atom in atoms for word in atom.symbols())}


def _ordered(name: str, arity: int, ranks: TermRanks) -> list[int]:
    """The arguments of a relation or function in the order of their ranks."""
    term = Term(name, (Term("x"),) * arity)
    return sorted(range(arity), key=lambda i: ranks.path_key(term, (i,)))


def _parts(term: Term) -> Iterable[Term]:
    yield term
    for arg in term.args:
        yield from _parts(arg)
