"""What a move does, told case by case.

A board that turns, or does not, by a condition of its own gives each fluent one of two others. In
neither case is there anything to add up, since what moves from fluent to fluent cancels out; over
both at once a solver would have to count, which is as hard for it as the pigeonhole principle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.work import GATES, count_work

MOST_CASES = 8
"""Into which one move is taken apart."""

FEWEST = 2
"""Fluents that hang on one condition, from which on it is taken apart."""

Case = tuple[int, dict[int, int]]
"""When it is, and each fluent's literal after the move then; both are literals."""


def cases(
    builder: Builder, when: int, after: Mapping[int, int], telling: Iterable[int]
) -> Iterator[Case]:
    """The cases of a move that is made `when` a literal holds; each board is one of just one case.

    `after`: what fluents are after the move, of which those that are `telling` tell conditions
    apart. Only values that are chosen by one gate are seen to be so (`Builder.mux`).
    """
    listed, done = [f for f in telling if f in after], 0
    todo: list[Case] = [(when, dict(after))]
    while todo:
        when, own = todo.pop()
        choice = None
        if done + len(todo) + 1 < MOST_CASES:
            choice = _choice(builder, (own[f] for f in listed))
        if choice is None:
            done += 1
            yield when, own
            continue
        asked = builder.asked
        for literal in (choice, choice ^ 1):
            both = builder.conj(when, literal)
            if both != FALSE:
                given = Given(builder, literal)
                todo.append((both, {f: given(x) for f, x in own.items()}))
        count_work(GATES * (builder.asked - asked))


def _choice(builder: Builder, values: Iterable[int]) -> int | None:
    """What most values are chosen by, the first of those; None where it is by nothing shared."""
    votes = Counter(c & ~1 for value in values for c in _choices(builder, value))
    found = max(votes, key=lambda c: (votes[c], -c), default=None)
    return None if found is None or votes[found] < FEWEST else found


def _choices(builder: Builder, literal: int) -> list[int]:
    """By what a literal is one of two others: `mux(c, a, b)` is not (not (c a)) (not (not-c b))."""
    first, second = builder.first, builder.second
    x, y = first[literal >> 1], second[literal >> 1]
    if not (literal & x & y & 1 and x < y):
        return []
    (p, q), (r, s) = ((first[z >> 1], second[z >> 1]) for z in (x, y))
    if p >= q or r >= s:
        return []
    return [z for z in (p, q) if z ^ 1 in (r, s)]


class Given:
    """Functions on boards on which a literal is known to hold."""

    def __init__(self, builder: Builder, literal: int) -> None:
        self._builder = builder
        self._least = literal >> 1
        self._known = {literal >> 1: FALSE if literal & 1 else TRUE}

    def __call__(self, literal: int) -> int:
        """A function that is the same on those boards."""
        builder, known, least = self._builder, self._known, self._least
        todo = [literal >> 1]
        while todo:
            node = todo[-1]
            a, b = builder.first[node], builder.second[node]
            # Operands come before what is made of them.
            if node in known or node < least or a == b:
                known.setdefault(node, 2 * node)
                todo.pop()
                continue
            missing = [x >> 1 for x in (a, b) if x >> 1 not in known]
            if missing:
                todo += missing
                continue
            x, y = (known[z >> 1] ^ (z & 1) for z in (a, b))
            known[node] = builder.conj(x, y) if a < b else builder.xor(x, y)
        return known[literal >> 1] ^ (literal & 1)
