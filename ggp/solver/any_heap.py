"""Sums of heaps of any size, however long the chain of a sheet would have to be.

What is proved of a sheet's heaps on every longer chain (`ggp.analysis.heaps.any_size`) gives their
nim-values, which repeat from some size on: a value depends on as many before it as the greatest
amount says, so that a window that comes again proves the period (Winning Ways, chapter 4). Under
misère play the same holds of elements of the misère quotient. Of a heap that any number may be
taken from it is proved by what rules say of the order of sizes (`ggp.analysis.heaps.by_order`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import reduce
from itertools import islice
from operator import add
from typing import Any

from ggp.analysis import Heap, Positions
from ggp.analysis.claims import form, heaps, impartial, turns
from ggp.analysis.heaps.any_size import games_of_any_size
from ggp.analysis.heaps.by_order import AnyGame, games_by_order
from ggp.analysis.heaps.heap import HOLE, numeral
from ggp.analysis.heaps.shorter import shorter
from ggp.errors import InputError, LimitReached, NotSolvable, RulesError, UnknownName
from ggp.game import Game
from ggp.kif import Term
from ggp.limits import Budget, look
from ggp.solver.impartial import MISERE, HeapSizes, all_care, under
from ggp.solver.quotient import MAX_SUMS, found_or_limit
from ggp.solver.sides import Sides
from ggp.theory import Genus, HeapGenera, HeapQuotient, NimHeap, SubtractionGame, nim_sum

WORK = 30.0
"""For the proofs on longer chains."""

MOST_MOVES = 1_000
"""Moves that are listed."""


@dataclass(frozen=True)
class HeapSum:
    """The position of a sheet with heaps of other sizes, solved.

    `sizes` are in the order of `heaps`, and so are `games`, what each heap follows. `quotient`:
    under misère play, with the kind of each heap in it; without one where some heap is a nim-heap.
    """

    heaps: tuple[Heap, ...]
    games: tuple[AnyGame, ...]
    sizes: tuple[int, ...]
    sides: Sides
    is_misere: bool = False
    quotient: HeapQuotient | None = None
    kinds: tuple[int, ...] = ()

    @property
    def nim_values(self) -> tuple[int, ...] | None:
        """The nim-value of each heap, under normal play."""
        if self.is_misere:
            return None
        return tuple(g.nim_value(n) for g, n in zip(self.games, self.sizes, strict=True))

    @property
    def nim_value(self) -> int | None:
        """That of the position, under normal play."""
        return None if self.nim_values is None else nim_sum(self.nim_values)

    @property
    def genera(self) -> tuple[Genus, ...] | None:
        """The genus of each heap, under misère play; None where a period of one is not known."""
        return self._genera(self.sizes) if self.is_misere else None

    def _genera(self, sizes: Sequence[int]) -> tuple[Genus, ...] | None:
        try:
            return tuple(map(_genus, self.games, sizes))
        except ValueError:
            return None

    @property
    def outcome(self) -> str:
        """`N` where who is to move wins, `P` where the other does, or `draw`, as goals tell."""
        return self.sides.told(self._last(self.sizes)).outcome

    @property
    def winner(self) -> str:
        """The role that wins under best play, or `draw`."""
        return self.sides.told(self._last(self.sizes)).result

    def _last(self, sizes: Sequence[int]) -> str:
        """`N` where who is to move has the better of their two ends, else `P`."""
        if self.quotient:
            with found_or_limit():
                return self.quotient.outcome(zip(self.kinds, sizes, strict=True))
        if self.is_misere:
            genera = self._genera(sizes)
            if genera is None:
                raise NotSolvable("heaps of any size: the period of a genus is not known")
            # Nim-heaps and subtraction games are tame, all of them, so that genera add.
            return reduce(add, genera).misere_outcome
        values = [game.nim_value(n) for game, n in zip(self.games, sizes, strict=True)]
        return "N" if nim_sum(values) else "P"

    @property
    def periods(self) -> list[tuple[int, int] | None] | None:
        """For each heap, in sizes, from where and after how many its values, or under misère play
        its elements, repeat for ever, None for a nim-heap; None where sizes were so small that it
        was not asked."""
        if self.quotient is None:
            return [
                None if isinstance(game, NimHeap) else (game.floor + game.preperiod, game.period)
                for game in self.games
            ]
        found = self.quotient.periods()
        return None if found is None else [found[kind] for kind in self.kinds]

    @property
    def goals(self) -> dict[str, int]:
        """What each role gets under best play."""
        return self.sides.told(self._last(self.sizes)).goals

    @property
    def best(self) -> list[tuple[int, int]]:
        """All moves after which the other role loses, or where there is none all moves, of both the
        first `MOST_MOVES`: the number of the heap, and how much is taken from it."""
        won = (
            (i, size - to)
            for i, size in enumerate(self.sizes)
            for to in self._may_win(i)
            if self._last((*self.sizes[:i], to, *self.sizes[i + 1 :])) == "P"
        )
        moves = (
            (i, size - to)
            for i, (game, size) in enumerate(zip(self.games, self.sizes, strict=True))
            for to in game.options(size)
        )
        return list(islice(won, MOST_MOVES)) or list(islice(moves, MOST_MOVES))

    def _may_win(self, number: int) -> Iterable[int]:
        """The sizes that a heap is to be left with by a move that wins, and perhaps others."""
        game, size = self.games[number], self.sizes[number]
        if not isinstance(game, NimHeap):
            return game.options(size)
        values = [own.nim_value(n) for own, n in zip(self.games, self.sizes, strict=True)]
        rest = nim_sum(values) ^ values[number]
        # Under misère play a sum of single tokens is lost where it is 1.
        wanted = sorted({rest, rest ^ self.is_misere}, reverse=True)
        return (to for value in wanted for to in game.leaving(size, value))

    def as_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        best, values, periods, genera = self.best, self.nim_values, self.periods, self.genera
        monoid = self.quotient and self.quotient.monoid
        each = periods or [None for _ in self.games]
        return {
            **asdict(self.sides.told(self._last(self.sizes))),
            "to_move": self.sides.mover,
            "nim_value": self.nim_value,
            "genus": genera and str(reduce(add, genera)),
            "quotient": monoid and {"order": monoid.order, "lost": len(monoid.lost)},
            "heaps": [
                {
                    "heap": heap.pattern,
                    "size": size,
                    "reading": heap.reading,
                    "nim_value": values and values[i],
                    "genus": genera and str(genera[i]),
                    "subtraction_set": _amounts(game),
                    "least_amount": game.least if isinstance(game, NimHeap) else None,
                    "floor": game.floor,
                    "preperiod": own and own[0] - game.floor,
                    "period": own and own[1],
                }
                for i, (heap, game, size, own) in enumerate(
                    zip(self.heaps, self.games, self.sizes, each, strict=True)
                )
            ],
            "best": [{"heap": self.heaps[i].pattern, "take": amount} for i, amount in best],
        }


def _genus(game: AnyGame, size: int) -> Genus:
    """That of a heap; raises `ValueError` where a period is not known."""
    if isinstance(game, NimHeap):
        return Genus.of_heap(game.nim_value(size))
    return HeapGenera(game).genus(size)


def _amounts(game: AnyGame) -> list[int]:
    return [] if isinstance(game, NimHeap) else list(game.subtraction_set)


@dataclass(frozen=True)
class AnyHeaps:
    """A sheet's heaps, of which it is proved that they are a sum of heaps at every size.

    `games`: what each follows, whatever its size, on every chain that is long enough. `play`:
    `normal` or `misère`, after goals were exchanged if `misere`.
    """

    game: Game
    heaps: tuple[Heap, ...]
    games: tuple[AnyGame, ...]
    play: str
    misere: bool

    def of(self, sizes: Sequence[int], mover: str | None = None) -> HeapSum:
        """The position with heaps of these sizes, this role being to move, by default that of the
        start.

        Sizes are places on a chain as long as it takes, counted from 0 at the end that play runs
        towards. Raises `InputError` for sizes that are none.
        """
        if len(sizes) != len(self.heaps):
            names = ", ".join(heap.pattern for heap in self.heaps)
            raise InputError(f"{len(self.heaps)} heaps, so as many sizes are wanted: {names}")
        for heap, own, size in zip(self.heaps, self.games, sizes, strict=True):
            if size < own.floor:
                raise InputError(f"{heap.pattern}: no size below {own.floor}")
        is_misere, quotient = self.play == MISERE, None
        kinds: tuple[int, ...] = ()
        if is_misere and not any(isinstance(own, NimHeap) for own in self.games):
            quotient, kinds = self._quotient()
        return HeapSum(
            self.heaps,
            self.games,
            tuple(sizes),
            Sides.of(self.game, mover, misere=self.misere),
            is_misere,
            quotient,
            kinds,
        )

    def _quotient(self) -> tuple[HeapQuotient, tuple[int, ...]]:
        """The misère quotient of subtraction games, and the kind of each heap in it."""
        own = [game for game in self.games if isinstance(game, SubtractionGame)]
        alike = [(game.subtraction_set, game.floor) for game in own]
        games = [SubtractionGame(*each) for each in dict.fromkeys(alike)]
        quotient = HeapQuotient(games, max_sums=MAX_SUMS, look=look)
        return quotient, tuple(map(list(dict.fromkeys(alike)).index, alike))

    def at(self, facts: Sequence[Term]) -> HeapSum | None:
        """The position in which some facts hold, with sizes that the sheet's chain need not have.

        Where the chain counts one by one in numerals, further ones are sizes as well. None for
        facts that are no sum of these heaps with somebody to move.
        """
        sizes: list[int] = []
        others = list(facts)
        for heap in self.heaps:
            own = [(fact, size) for fact in others if (size := _size_in(heap, fact)) is not None]
            if len(own) != 1:
                return None
            others.remove(own[0][0])
            sizes.append(own[0][1])
        as_at_first = [heap.at(heap.elements[heap.size]) for heap in self.heaps]
        try:
            state = self.game.state([*others, *as_at_first])
        except UnknownName:
            return None
        mover = state.control
        if mover is None or HeapSizes(self.game, self.heaps).sizes(state) is None:
            return None
        return self.of(sizes, mover)


def _size_in(heap: Heap, fact: Term) -> int | None:
    """The size of a heap that a fact speaks of; None where it speaks of something else."""
    if (fact.name, len(fact.args)) != (heap.shape.name, len(heap.shape.args)):
        return None
    if any(HOLE not in (own, given) and own != given for own, given in _pairs(heap, fact)):
        return None
    [size] = [given for own, given in _pairs(heap, fact) if own == HOLE]
    if size in heap.elements:
        return heap.elements.index(size)
    first, last = numeral(heap.elements[0]), numeral(size)
    if first is None or last is None or last - first < len(heap.elements):
        return None
    counts = (numeral(element) == first + n for n, element in enumerate(heap.elements))
    return last - first if all(counts) else None


def _pairs(heap: Heap, fact: Term) -> Iterator[tuple[Term, Term]]:
    return zip(heap.shape.args, fact.args, strict=True)


def any_heaps(
    game: Game, budget: Budget | None = None, *, misere: bool = False, length: int = 0
) -> AnyHeaps:
    """The heaps of a sheet, for every size on chains that are long enough, and on one of `length`
    sizes; `misere` exchanges the goals at the end of play.

    Of a long chain it is proved by a shorter one (`ggp.analysis.heaps.shorter`), so that the game
    need not be ground. Raises `NotSolvable` where it is not proved that the game is an impartial
    sum of heaps of one form of play on every longer chain, with one game for each heap.
    """
    budget = budget or Budget(game.limits)
    shown = heaps_on_long_chain(game, budget, misere=misere)
    if shown:
        return shown
    if not game.is_ground:
        with game.within(budget):
            game = Game(game.rules, game.limits)
    if not game.is_ground or len(game.roles) != 2 or game.chance is not None or game.marker is None:
        raise NotSolvable("heaps of any size: not proved to be a sum of heaps")
    with game.within(budget):
        found = heaps.proved(Positions(game, budget).proofs)
        if not found:
            raise NotSolvable("heaps of any size: not proved to be a sum of heaps")
        own = form_of(game, budget)

        def also(longer: Game) -> bool:
            return is_as_told(longer, game, own, budget)

        games: tuple[AnyGame, ...] | None = None
        if own:
            games = games_of_any_size(game, found, WORK, also, length)
            games = games or games_by_order(game, found, WORK, also, length)
        if own is None or not games:
            graph = game.rules.graph
            loops = sorted(name for name, _ in filter(graph.is_recursive, graph.edges))
            why = "heaps of any size: not proved for every longer chain"
            if loops:
                names = ", ".join(loops[:3])
                why += (
                    f" (of rules that rest on themselves comparisons and sums alone are: {names})"
                )
            raise NotSolvable(why)
    if game.initial.control is None:
        raise NotSolvable("heaps of any size: nothing tells who is to move")
    play = under(own, misere=misere)
    assert play is not None
    return AnyHeaps(game, found, games, play, misere)


def heaps_on_long_chain(game: Game, budget: Budget, *, misere: bool = False) -> AnyHeaps | None:
    """The same of a sheet with a long chain, by a shorter one; None where it has none, or nothing
    is proved that way. The game need not be ground."""
    for short in shorter(game.rules):
        with suppress(NotSolvable, RulesError):
            cut = Game(short.rules, game.limits)
            shown = any_heaps(cut, budget, misere=misere, length=len(short.elements))
            if short.has_all(shown.heaps):
                # Sizes are read by the names that they have on the long chain.
                heaps = (replace(heap, elements=short.elements) for heap in shown.heaps)
                return replace(shown, heaps=tuple(heaps))
    return None


def is_as_told(longer: Game, game: Game, form_: str | None, budget: Budget) -> bool:
    """Whether of a longer sheet the form of play, the goals and who begins are those of another."""
    goals, known = (
        [[value for value, _ in own] for own in g.net.goals] if g.is_ground else None
        for g in (longer, game)
    )
    if goals != known or longer.initial.control != game.initial.control:
        return False
    return form_of(longer, budget) == form_


def form_of(game: Game, budget: Budget) -> str | None:
    """The form of play of a game that is proved to have one, to be impartial, and by turns."""
    return form_in(Positions(game, budget)) if game.is_ground else None


def form_in(context: Positions) -> str | None:
    """The same of the game of some positions, by their proofs."""
    if context.game.marker is None or not all_care(context.game):
        return None
    try:
        by_turns = turns.by_marker(context)
        proved_form = form.prove(context.proofs, cheap=False)
        sides = impartial.prove(context.proofs, cheap=False)
    except LimitReached:
        return None
    proved = [by_turns and by_turns.value == "alternating", sides and sides.value is True]
    return str(proved_form.value) if proved_form and all(proved) else None
