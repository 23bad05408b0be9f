"""Random impartial games, and who wins their sums, by nothing but the definition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from hypothesis import strategies as st

from ggp.theory import mex, nim_sum

Part = tuple[str, int]
Options = Callable[[Part], Iterable[tuple[Part, ...]]]


@st.composite
def rules(draw) -> tuple[Options, list[Part]]:
    """A rule, and its parts: `("part", 0)`, …, each with sums of up to two earlier ones as options,
    and nim-heaps `("heap", n)`, of which 3 and less are given."""
    options: list[list[tuple[Part, ...]]] = []
    for i in range(draw(st.integers(1, 6))):
        earlier = [("part", j) for j in range(i)] + [("heap", n) for n in range(3)]
        sums = st.lists(st.sampled_from(earlier), max_size=2).map(tuple)
        options.append(draw(st.lists(sums, max_size=4)))
    parts = [*(("part", i) for i in range(len(options))), *(("heap", n) for n in range(4))]
    return _rule(options), parts


def _rule(known: list[list[tuple[Part, ...]]]) -> Options:
    def options(part: Part) -> list[tuple[Part, ...]]:
        kind, number = part
        return known[number] if kind == "part" else [(("heap", n),) for n in range(number)]

    return options


def searched(options: Options, *, misere: bool) -> Callable[[tuple[Part, ...]], bool]:
    """Whether the player to move loses a sum."""

    @cache
    def is_lost(position: tuple[Part, ...]) -> bool:
        moves = [
            tuple(sorted((*position[:i], *position[i + 1 :], *option)))
            for i, part in enumerate(position)
            for option in options(part)
        ]
        return not any(map(is_lost, moves)) if moves else not misere

    return lambda position: is_lost(tuple(sorted(position)))


def by_mex(options: Callable[[int], Iterable[tuple[int, ...]]], size: int) -> list[int]:
    """The nim-values of heaps up to a size."""
    values: list[int] = []
    for n in range(size + 1):
        values.append(mex(nim_sum(values[heap] for heap in option) for option in options(n)))
    return values
