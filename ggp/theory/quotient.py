"""Misère quotients: sums of impartial games under misère play, in a finite commutative monoid.

Two positions are the same if they may replace each other in every sum. Where only finitely many
differ, they are the elements of a monoid with a set P, and a sum is lost for the player to move
exactly if the product of its parts' elements is in P (T. Plambeck and A. Siegel, "Misère quotients
for impartial games", J. Combin. Theory A 115, 2008). Exclusive or of nim-values plays no part.

A monoid is learned from the outcomes of sums, as a machine is from words (D. Angluin, Information
and Computation 75, 1987), and believed on no such evidence: the transition algebra, the pairs of an
element and the set of those that moves lead to, is gone through as a whole, which proves the
outcomes of all sums of the parts by induction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ggp.theory.monoid import Monoid, Word
from ggp.theory.quotient_table import QuotientTable

STEPS = 256
"""Sums that are looked at between two looks at the limits."""


class NoQuotient(ValueError):
    """No finite quotient was found within the limits; `value` of the `limit` was in force."""

    def __init__(self, limit: str, value: int) -> None:
        super().__init__(f"no misère quotient with {limit} up to {value:,}")
        self.limit, self.value = limit, value

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.limit, self.value)


class MisereQuotient:
    """The quotient of all sums of some parts, which are added one by one, options first.

    >>> kayles = MisereQuotient()
    >>> none, one = kayles.add([]), kayles.add([()])
    >>> two = kayles.add([(), (one,)])
    >>> kayles.outcome([one]), kayles.outcome([two]), kayles.outcome([two, two]), kayles.order
    ('P', 'N', 'P', 6)

    Where limits are met `NoQuotient` is raised, then and ever after: more elements than
    `max_order`, pairs in the transition algebra than `max_transitions`, sums whose outcomes are
    worked out than `max_sums`. `look` is called now and then, and may raise what it likes.
    """

    def __init__(
        self,
        *,
        max_order: int = 200,
        max_transitions: int = 100_000,
        max_sums: int = 500_000,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self._max_order, self._max_transitions = max_order, max_transitions
        self._max_sums = max_sums
        self._look, self._steps = look, 0
        self._failed: Exception | None = None
        self._options: list[tuple[Word, ...]] = []
        self._element: list[int] = []
        self._written: list[Word] = []
        """The parts in generators that are the same beside all that was there before them."""
        self._generators: list[int] = []
        self._left: dict[int, tuple[Word, ...]] = {}
        self._outcomes: dict[Word, bool] = {(): False}
        self._learned = Monoid(((),), ((0,),), (False,), ((),), {(False,): 0}, {})
        self._transitions: dict[tuple[int, int], Word] = {(0, 0): ()}
        self._known: dict[int, int] = {}
        """By the set of elements that the options of a part have, its own element."""

    @property
    def order(self) -> int:
        """The number of elements that the parts so far make."""
        return len(self._learned.words)

    @property
    def lost(self) -> tuple[int, ...]:
        """The elements of the sums that are lost for the player to move."""
        return tuple(i for i, is_lost in enumerate(self._learned.lost) if is_lost)

    @property
    def transitions(self) -> int:
        """How many pairs the proof goes through."""
        return len(self._transitions)

    @property
    def table(self) -> QuotientTable:
        """The quotient as tables, which can be checked without any of this."""
        options = tuple(map(tuple, self._options))
        parts = tuple(zip(self._element, options, strict=True))
        return QuotientTable(self._learned.product, frozenset(self.lost), parts)

    @property
    def generators(self) -> tuple[int, ...]:
        """The parts that the others are written by."""
        return tuple(sorted(self._generators))

    def element(self, part: int) -> int:
        """The element of a part; its number may be another when more parts are added."""
        return self._element[part]

    def outcome(self, parts: Iterable[int]) -> str:
        """`N` if the player to move wins the sum of these parts, else `P`."""
        element = self._learned.image(map(self._element.__getitem__, parts))
        return "P" if self._learned.lost[element] else "N"

    def add(self, options: Iterable[Word]) -> int:
        """A new part whose options are sums of earlier ones; its number, in their order.

        Raises `NoQuotient`.
        """
        if self._failed is not None:
            raise self._failed
        self._look()
        part = len(self._options)
        self._options.append(tuple({tuple(sorted(option)) for option in options}))
        self._written.append((part,))
        self._element.append(0)
        try:
            self._settle(part)
        except NoQuotient as error:
            self._failed = error.with_traceback(None)
            raise
        except BaseException:
            self._failed = RuntimeError("an addition was broken off")
            raise
        return part

    def _reach(self, part: int) -> int:
        """The elements of a part's options, as bits."""
        reach = 0
        for option in self._options[part]:
            reach |= 1 << self._learned.image(map(self._element.__getitem__, option))
        return reach

    def _settle(self, part: int) -> None:
        reach = self._reach(part)
        if reach in self._known:
            self._set(part, self._known[reach])
            return
        # As if it were a generator: what it is beside the words that tell elements apart.
        row = tuple(self._is_lost(_plus((part,), test)) for test in self._learned.tests)
        element = self._learned.rows.get(row)
        if element is not None:
            self._set(part, element)
            if self._extend(part, element, reach) is None:
                self._known[reach] = element
                return
        self._generators.append(part)
        self._learn()

    def _set(self, part: int, element: int) -> None:
        self._element[part] = element
        self._written[part] = self._learned.words[element]

    def _extend(self, part: int, element: int, reach: int) -> Word | None:
        """Go through the pairs that a part adds; None, or a sum whose outcome would be another."""
        product, lost = self._learned.product, self._learned.lost
        won = sum(1 << i for i, is_lost in enumerate(lost) if not is_lost)
        new = dict(self._transitions)
        frontier = list(new)
        moved: dict[tuple[int, int], int] = {}

        def times(mask: int, factor: int) -> int:
            key = mask, factor
            if key not in moved:
                found, left = 0, mask
                while left:
                    low = left & -left
                    found |= 1 << product[low.bit_length() - 1][factor]
                    left ^= low
                moved[key] = found
            return moved[key]

        while frontier:
            self._look()
            after: list[tuple[int, int]] = []
            for pair in frontier:
                own, options = pair
                made = product[own][element], times(options, element) | times(reach, own)
                if made in new:
                    continue
                new[made] = _plus(new[pair], (part,))
                after.append(made)
                if lost[made[0]] != (made[1] & ~won == 0 and made[1] != 0):
                    return new[made]
            if len(new) > self._max_transitions:
                raise NoQuotient("transitions", self._max_transitions)
            frontier = after
        self._transitions = new
        return None

    def _learn(self) -> None:
        """A monoid for all parts so far, with more generators if that is what it takes."""
        tests: list[Word] = list(self._learned.tests)
        while True:
            for part in self._generators:
                self._written[part] = (part,)
            self._left.clear()
            self._learned = self._table(tests)
            wrong = self._proved()
            if wrong is None:
                return
            tests = list(self._learned.tests)
            self._refine(wrong, tests)

    def _proved(self) -> Word | None:
        """Go through all transitions of all parts so far; None, or a sum that speaks against it."""
        learned = self._learned
        self._transitions = {(0, 0): ()}
        self._known = {}
        for part, word in enumerate(self._written):
            self._element[part] = learned.run(word)
            reach = self._reach(part)
            known = self._known.get(reach)
            if known == self._element[part]:
                continue
            wrong = self._extend(part, self._element[part], reach)
            if wrong is not None:
                return wrong
            self._known[reach] = self._element[part]
        return None

    def _refine(self, wrong: Word, tests: list[Word]) -> None:
        """Learn from a sum whose options have outcomes that do not fit its own."""
        for word in self._around(wrong):
            test = self._mistaken(word, self._learned)
            if test is not None:
                tests.append(test)
                return
        others = [part for part in wrong if part not in self._generators]
        if not others:
            raise NoQuotient("tests", len(self._learned.tests))
        # A part is not what it was written as, where new ones are beside it.
        self._generators.append(max(others))
        self._outcomes = {(): False}

    def _around(self, wrong: Word) -> Iterator[Word]:
        """The sum, and its options, written in generators."""
        yield self._rewritten(wrong)
        for part, rest in _each(wrong):
            for option in self._options[part]:
                yield self._rewritten(_plus(rest, option))

    def _mistaken(self, word: Word, learned: Monoid) -> Word | None:
        """A test that shows where a word goes wrong, if its outcome is not that of its element."""
        at, outcome = 0, self._is_lost(word)
        for count, generator in enumerate(word):
            rest = word[count + 1 :]
            at = learned.times[generator][at]
            if self._is_lost(_plus(learned.words[at], rest)) != outcome:
                return rest
        return None

    def _rewritten(self, word: Word) -> Word:
        found: Word = ()
        for part in word:
            found = _plus(found, self._written[part])
        return found

    def _is_lost(self, word: Word) -> bool:
        """Whether a sum of generators (and a part that is new) is lost for the player to move."""
        known = self._outcomes
        todo = [word]
        while todo:
            self._steps += 1
            if self._steps % STEPS == 0:
                self._look()
            position = todo[-1]
            if position in known:
                todo.pop()
                continue
            has_moves, unknown = False, list[Word]()
            for option in self._moves(position):
                has_moves, is_lost = True, known.get(option)
                if is_lost:
                    known[position] = False
                    break
                if is_lost is None:
                    unknown.append(option)
            else:
                if unknown:
                    if len(known) > self._max_sums:
                        raise NoQuotient("sums", self._max_sums)
                    todo.append(min(unknown, key=lambda w: (len(w), w)))
                    continue
                known[position] = has_moves
            todo.pop()
        return known[word]

    def _moves(self, position: Word) -> Iterator[Word]:
        """The sums that a sum may be left as, in generators; some of them more than once."""
        for part, rest in _each(position):
            for option in self._left_of(part):
                yield _plus(rest, option)

    def _left_of(self, part: int) -> tuple[Word, ...]:
        """The options of a part, written in generators, each once."""
        if part not in self._left:
            self._left[part] = tuple({self._rewritten(option) for option in self._options[part]})
        return self._left[part]

    def _table(self, tests: list[Word]) -> Monoid:
        """A monoid that agrees with the outcomes of all words that tests make of its elements."""
        generators = sorted(self._generators)
        while True:
            words: list[Word] = [()]
            rows = {self._row((), tests): 0}
            times: dict[int, list[int]] = {generator: [] for generator in generators}
            for word in words:
                for generator in generators:
                    longer = _plus(word, (generator,))
                    row = self._row(longer, tests)
                    if row not in rows:
                        if len(words) == self._max_order:
                            raise NoQuotient("elements", self._max_order)
                        rows[row] = len(words)
                        words.append(longer)
                    times[generator].append(rows[row])
            lost = tuple(self._is_lost(word) for word in words)
            fixed = {generator: tuple(line) for generator, line in times.items()}
            learned = Monoid(tuple(words), (), lost, tuple(tests), rows, fixed)
            more = self._disagreement(learned)
            if more is None:
                break
            tests.append(more)
        product = tuple(tuple(learned.run(word, at) for word in words) for at in range(len(words)))
        return replace(learned, product=product)

    def _row(self, word: Word, tests: Sequence[Word]) -> tuple[bool, ...]:
        return tuple(self._is_lost(_plus(word, test)) for test in tests)

    def _disagreement(self, learned: Monoid) -> Word | None:
        """A test for words that were taken for one: seen where the order of two generators
        matters, or where a generator and the word for it do not have the same products."""
        for at, word in enumerate(learned.words):
            for one in learned.times:
                found = learned.run((one,))
                same = learned.words[found]
                ways: list[tuple[Word, Word]] = [((one,), same)]
                ways += [((one, other), (other, one)) for other in learned.times if other < one]
                for a, b in ways:
                    if learned.run(a, at) != learned.run(b, at):
                        return self._test_for(learned, word, (a, b))
        return None

    def _test_for(self, learned: Monoid, word: Word, ways: tuple[Word, Word]) -> Word:
        """A test that tells apart what was taken for one, where a word goes on in two ways that
        should be one, and do not lead to one element."""
        for test in learned.tests:
            first, second = (_plus(word, _plus(tuple(sorted(way)), test)) for way in ways)
            if self._is_lost(first) != self._is_lost(second):
                return _plus(word, test)
            for way in ways:
                at = learned.run(way[:1], learned.words.index(word))
                rest = _plus(tuple(sorted(way[1:])), test)
                made = _plus(learned.words[at], rest)
                if self._is_lost(made) != self._is_lost(_plus(_plus(word, way[:1]), rest)):
                    return rest
        raise NoQuotient("tests", len(self._learned.tests))


def _plus(one: Word, other: Word) -> Word:
    return tuple(sorted(one + other)) if one and other else one or other


def _each(word: Word) -> Iterator[tuple[int, Word]]:
    """Each different part of a sum, and the others."""
    for i, part in enumerate(word):
        if not i or word[i - 1] != part:
            yield part, word[:i] + word[i + 1 :]
