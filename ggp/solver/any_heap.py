"""Sums of heaps of any size, however long the chain of a sheet would have to be.

What is proved of a sheet's heaps on every longer chain (`ggp.analysis.heaps.any_size`) gives their
nim-values, which repeat from some size on: a value depends on as many before it as the greatest
amount says, so that a window that comes again proves the period (Winning Ways, chapter 4). Under
misère play the same holds of elements of the misère quotient. Of a heap that any number may be
taken from it is proved by what rules say of the order of sizes (`ggp.analysis.heaps.by_order`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from ggp.analysis import Heap, Positions
from ggp.analysis.claims import form, heaps, impartial, turns
from ggp.analysis.heaps.any_size import games_of_any_size
from ggp.analysis.heaps.by_order import AnyGame, games_by_order
from ggp.analysis.heaps.fewer import fewer
from ggp.analysis.heaps.heap import HOLE, in_order, numeral
from ggp.analysis.heaps.shorter import shorter
from ggp.analysis.heaps.tables import tables_of_all
from ggp.errors import InputError, LimitReached, NotSolvable, RulesError, UnknownName
from ggp.game import Game
from ggp.kif import Term
from ggp.limits import Budget, look
from ggp.solver.heap_sum import HeapSum
from ggp.solver.impartial import MISERE, HeapSizes, all_care, under
from ggp.solver.quotient import MAX_SUMS
from ggp.solver.sides import Sides
from ggp.theory import HeapQuotient, SubtractionGame

WORK = 30.0
"""For the proofs on longer chains."""


@dataclass(frozen=True)
class AnyHeaps:
    """A sheet's heaps, of which it is proved that they are a sum of heaps at every size.

    `games`: what each follows, whatever its size, on every chain that is long enough. `play`:
    `normal` or `misère`, after goals were exchanged if `misere`. `game` is the sheet of which it is
    proved, and `proved` are its heaps: the same, or fewer, or on a shorter chain. `listed`: tables
    that list all sizes, and are taken to do so on a longer chain.
    """

    game: Game
    heaps: tuple[Heap, ...]
    games: tuple[AnyGame, ...]
    play: str
    misere: bool
    proved: tuple[Heap, ...]
    listed: tuple[str, ...] = ()

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
        quotient, kinds = self.quotient or (None, ())
        return HeapSum(
            self.heaps,
            self.games,
            tuple(sizes),
            Sides.of(self.game, mover, misere=self.misere),
            self.play == MISERE,
            quotient,
            kinds,
            self.listed,
        )

    @cached_property
    def quotient(self) -> tuple[HeapQuotient, tuple[int, ...]] | None:
        """The misère quotient of subtraction games, and the kind of each heap in it; None under
        normal play, and where some heap is a nim-heap."""
        own = [game for game in self.games if isinstance(game, SubtractionGame)]
        if self.play != MISERE or len(own) < len(self.games):
            return None
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
        as_at_first = [heap.at(heap.elements[heap.size]) for heap in self.proved]
        try:
            state = self.game.state([*others, *as_at_first])
        except UnknownName:
            return None
        mover = state.control
        if mover is None or HeapSizes(self.game, self.proved).sizes(state) is None:
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

    Of a long chain it is proved by a shorter one (`ggp.analysis.heaps.shorter`), of many heaps by
    fewer (`ggp.analysis.heaps.fewer`), so that the game need not be ground. Raises `NotSolvable`
    where it is not proved that the game is an impartial sum of heaps of one form of play on every
    longer chain, with one game for each heap.
    """
    budget = budget or Budget(game.limits)
    shown = heaps_on_long_chain(game, budget, misere=misere)
    shown = shown or _of_many(game, budget, misere=misere, length=length)
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
                why += f" (relations that rest on themselves are to compare or add sizes: {names})"
            raise NotSolvable(why)
    if game.initial.control is None:
        raise NotSolvable("heaps of any size: nothing tells who is to move")
    play = under(own, misere=misere)
    assert play is not None
    listed = tuple(tables_of_all(game.rules, found[0].elements))
    return AnyHeaps(game, found, games, play, misere, found, listed)


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
                listed = tuple(tables_of_all(game.rules, short.elements))
                return replace(shown, heaps=tuple(heaps), listed=listed)
    return None


def _of_many(game: Game, budget: Budget, *, misere: bool, length: int) -> AnyHeaps | None:
    """The same of a sheet with more heaps than it takes, which rules tell apart by their sizes
    alone, by a few of them: on each longer chain, what is proved of these holds of all."""
    for few in fewer(game.rules, many=1, times=1):
        with suppress(NotSolvable, RulesError):
            shown = any_heaps(Game(few.rules, game.limits), budget, misere=misere, length=length)
            known = {heap.shape for heap in shown.heaps} == few.kept_shapes
            known = known and all(heap.elements == few.elements for heap in shown.heaps)
            if known and len(set(shown.games)) == 1:
                one = shown.heaps[0]
                heaps = [
                    replace(
                        one, shape=few.shape(name), size=few.elements.index(fact.args[few.size])
                    )
                    for name, fact in few.starts.items()
                ]
                games = shown.games[:1] * len(heaps)
                return replace(shown, heaps=in_order(heaps), games=games)
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
