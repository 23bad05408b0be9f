"""Octal codes of rows of any length: rules that look at places only from near by.

A sheet has a row of tokens along a chain of a certain length. Where its rules are such that what
they say of all boards of a chain that is long enough holds in every longer one (see
`ggp.analysis.heaps.any_size`), and of rows that are long enough, of two lengths, the same code is
proved of every board, with what makes it a game under normal or misère play, so it is of all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from ggp.analysis.claims.octal import MIN_TOKENS, opposites, proved_code
from ggp.analysis.heaps.any_size import MAX_RULES, length_for, lengthened
from ggp.analysis.heaps.heap import HOLE, HeapCandidate, families
from ggp.analysis.positions import Positions
from ggp.analysis.relations.chains import Chain, chains
from ggp.errors import LimitReached, RulesError
from ggp.game import Game
from ggp.kif import Term
from ggp.limits import Budget
from ggp.rules import RuleSet, signature
from ggp.rules.sorts import Sorts

MAX_LENGTH = 250
"""Places of a row that a sheet is made longer to."""


@dataclass(frozen=True)
class Row:
    """A row of tokens of which a code is proved: what holds where there is one, with a hole for the
    place, and the digits of the code from that of 0 on. `opposite`: for fluents of tokens those
    that hold just where there is none."""

    family: HeapCandidate
    digits: tuple[int, ...]
    opposite: Mapping[int, int]

    @property
    def code(self) -> str:
        """The code as it is written."""
        return "0." + "".join(map(str, self.digits[1:]))

    def runs(self, bits: int) -> list[int]:
        """The lengths of the runs of tokens where fluents hold, given as bits."""
        held = f"{bits:0{max(self.family.members) + 1}b}"[::-1]
        text = "".join([held[f] for f in self.family.members])
        return list(map(len, text.replace("0", " ").split()))

    def at(self, place: Term) -> Term:
        """What holds where there is a token at a place."""
        shape = self.family.shape
        return Term(shape.name, tuple(place if arg == HOLE else arg for arg in shape.args))

    @property
    def pattern(self) -> str:
        """What a token is, `?` standing for its place."""
        shape = self.family.shape
        args = ("?" if arg == HOLE else str(arg) for arg in shape.args)
        return f"({' '.join((shape.name, *args))})"


def proved_row(context: Positions) -> Row | None:
    """The row of tokens that every board of a game is, and the code of what can be taken from it,
    if that is proved.

    Of impartial games with alternating turns that end just where the player to move has no move;
    this is for the caller to know. Raises `LimitReached`.
    """
    proofs, net = context.proofs, context.game.net
    for chain in chains(net):
        for family in families(net, chain.elements):
            tokens, sizes = family.members, family.sizes
            is_row = sizes[-1] - sizes[0] + 1 == len(sizes) >= MIN_TOKENS
            if is_row and not net.initial.isdisjoint(tokens):
                digits = proved_code(proofs, tokens)
                if digits is not None:
                    return Row(family, tuple(digits), opposites(proofs, set(tokens)) or {})
    return None


def row_of_any_length(game: Game, budget: Budget, also: Callable[[Game], bool]) -> Row | None:
    """The row of tokens of a game, if its code is proved for every length of the row.

    `also`: what is to be proved of each longer sheet besides, about moves, ends and goals of every
    board. Raises `LimitReached`.
    """
    row = proved_row(Positions(game, budget))
    # Longer chains are to have a token at each place at first, as this one.
    if row is None or not _is_full(row, game):
        return None
    elements = row.family.elements
    starts = {row.at(element) for element in elements}
    for chain in chains(game.net):
        if elements != chain.elements or not _is_along(game.rules, chain, row, starts):
            continue
        wanted = length_for(game.rules, chain.relation, elements, starts, [("goal", 2)])
        if wanted is None or wanted > MAX_LENGTH:
            continue
        wanted = max(wanted, len(elements) + 1)
        if all(_is_alike(game, chain, row, wanted + more, budget, also) for more in range(2)):
            return row
    return None


def _is_alike(
    game: Game, chain: Chain, row: Row, wanted: int, budget: Budget, also: Callable[[Game], bool]
) -> bool:
    """Whether the same is proved of a row of so many places."""
    longer = _longer(game.rules, chain, row, wanted)
    if longer is None:
        return False
    try:
        larger = Game(longer, replace(game.limits, ground_rules=MAX_RULES))
        found = proved_row(Positions(larger, budget)) if larger.is_ground else None
    except RulesError:
        return False
    except LimitReached as error:
        if error.limit == "time":
            raise
        return False
    is_same = found is not None and (found.pattern, found.digits) == (row.pattern, row.digits)
    is_as_long = found is not None and len(found.family.sizes) == wanted
    return is_same and is_as_long and found is not None and _is_full(found, larger) and also(larger)


def _is_full(row: Row, game: Game) -> bool:
    """Whether there is a token at each place of the chain at first."""
    tokens, elements = row.family.members, row.family.elements
    return len(tokens) == len(elements) and game.net.initial.issuperset(tokens)


def _is_along(rules: RuleSet, chain: Chain, row: Row, starts: Collection[Term]) -> bool:
    """Whether the places of tokens are of the chain's sort, and no rule names one but for the chain
    itself and what holds at first of each."""
    ends = ((chain.relation, 2), 0), ((chain.relation, 2), 1)
    sorts, token = Sorts(rules), row.at(chain.elements[0])
    if row.family.shape.args.index(HOLE) not in sorts.places_like(token, *ends):
        return False
    for rule, inside in zip(rules.rules, sorts.constants_like(*ends), strict=True):
        is_start = rule.is_fact and rule.head.name == "init" and rule.head.args[0] in starts
        if inside and not is_start and signature(rule.head) != (chain.relation, 2):
            return False
    return True


def _longer(rules: RuleSet, chain: Chain, row: Row, wanted: int) -> RuleSet | None:
    """The rules with a chain of so many places, with a token at each at first; None where that is
    not given by facts."""
    places, facts = lengthened(rules, chain, chain.elements, wanted)
    last = row.at(chain.elements[-1])
    more = [
        replace(rule, head=Term("init", (row.at(place),)))
        for rule in rules.rules
        if rule.is_fact and rule.head == Term("init", (last,))
        for place in places[len(chain.elements) :]
    ]
    return replace(rules, rules=(*rules.rules, *facts, *more)) if more else None
