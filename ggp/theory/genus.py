"""The genus of an impartial game: its nim-value, and misère nim-values of it beside heaps *2.

J. Conway, On Numbers and Games, chapter 12; Winning Ways, chapter 13. The misère nim-value of a
game is 1 without options, else the mex of its options'; a sum with the nim-heap *k is lost for the
player to move exactly if k is this number. g_n is the misère nim-value of G and n heaps *2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ggp.displayed import Displayed
from ggp.theory.nimbers import mex


@dataclass(frozen=True)
class Genus(Displayed):
    """The symbol `g^{g0 g1 g2 …}`: the nim-value g, and g_0, g_1, … up to two that go on for ever.

    >>> print(Genus.of_heap(0), Genus.of_heap(1), Genus.of_heap(2), Genus(4, (1, 4, 6)))
    0^{120} 1^{031} 2^{20} 4^{146}
    >>> Genus(4, (1, 4, 6))[0], Genus(4, (1, 4, 6))[9], Genus(4, (1, 4, 6)).is_tame
    (1, 4, False)

    From some n on, g_{n+1} is g_n xor 2, so that the last two of `misere` go on by turns: `0^{120}`
    is 0 with 1, 2, 0, 2, 0, … Raises `ValueError` where the last two differ otherwise. Digits are
    written together as in the books, and numbers above 9 with spaces: `8^{10 8}`.
    """

    nim_value: int
    misere: tuple[int, ...]

    def __post_init__(self) -> None:
        tail = self.misere
        if len(tail) < 2 or tail[-1] != tail[-2] ^ 2 or min(self.nim_value, *tail) < 0:
            raise ValueError(f"no genus: {self.nim_value} with {tail}")
        while len(tail) > 2 and tail[-3] == tail[-1]:
            tail = tail[:-1]
        object.__setattr__(self, "misere", tail)

    @classmethod
    def of_heap(cls, size: int) -> Genus:
        """The genus of a nim-heap."""
        return cls(size, (1 - size, 2 + size, size) if size < 2 else (size, size ^ 2))

    @classmethod
    def after(cls, options: Iterable[Genus]) -> Genus:
        """The genus of a game whose options have these.

        A move in G + n·*2 is one in G or leaves *1 or nothing of a *2, and *1 beside a game is
        worth its misère nim-value xor 1. So g_n is the mex of the options' g_n, and for n > 0 of
        g_{n-1} and g_{n-1} xor 1.

        Let all options go on by xor 2 from n = N. The set T of numbers that no option has then
        does so as well. Call x, x xor 1 a pair, x to x xor 3 a quad, and Q the first quad that
        meets T, the same for all n ≥ N. Always g_n is the least of T in its pair. If it is in Q,
        then g_{n+1} is in the other pair of Q: its own is forbidden, and g_n xor 2, which is in
        T for n + 1, is not; it is the least there, so equal to that. If g_n is not in Q, nothing of
        Q is forbidden for n + 1, and g_{n+1} is in Q. So the game goes on by xor 2 from N + 1 on at
        the latest, and nothing has to be believed. (Nothing, with 1, 2, 0, 2, …, does so from 1.)
        """
        known = list(options)
        if not known:
            return cls.of_heap(0)
        misere = [mex(option[0] for option in known)]
        for n in range(1, max(len(option.misere) for option in known) + 1):
            last = misere[-1]
            misere.append(mex({option[n] for option in known} | {last, last ^ 1}))
        return cls(mex(option.nim_value for option in known), tuple(misere))

    def __getitem__(self, n: int) -> int:
        """g_n, for any n."""
        if n < 0:
            raise ValueError(f"no place {n} in a genus")
        end = len(self.misere)
        return self.misere[n if n < end else end - 2 + (n - end) % 2]

    def __str__(self) -> str:
        numbers = list(map(str, self.misere))
        between = " " if max(self.misere) > 9 else ""
        return f"{self.nim_value}^{{{between.join(numbers)}}}"

    @property
    def is_firm(self) -> bool:
        """Whether it is that of a sum of nim-heaps, one of two tokens at least among them."""
        return self.misere == (self.nim_value, self.nim_value ^ 2)

    @property
    def is_fickle(self) -> bool:
        """Whether it is that of a sum of nim-heaps of one token each."""
        return self.nim_value < 2 and self == Genus.of_heap(self.nim_value)

    @property
    def is_tame(self) -> bool:
        """Whether it is that of a sum of nim-heaps. Says little of sums without the same of all
        that can come of the game: see `ImpartialGame.is_tame`."""
        return self.is_firm or self.is_fickle

    @property
    def outcome(self) -> str:
        """Under normal play: `N` if the player to move wins, else `P`."""
        return "N" if self.nim_value else "P"

    @property
    def misere_outcome(self) -> str:
        """Under misère play: `N` if the player to move wins, else `P`."""
        return "N" if self.misere[0] else "P"

    def __add__(self, other: Genus) -> Genus:
        """The genus of a sum of two games of these, all of whose followers have tame genera too.

        Raises `ValueError` where one is wild: then genera do not tell.

        >>> two, one = Genus.of_heap(2), Genus.of_heap(1)
        >>> print(one + one, two + two, two + one)
        0^{120} 0^{02} 3^{31}

        Call a sum lost if all are fickle and the exclusive or of nim-values is 1, or one is firm
        and it is 0. From a lost sum no move leads to another: nim-values change, and so does g_0,
        which is that of a firm 1 for a fickle 0, and of a firm 0 for a fickle 1. From others that
        have moves one does. All are fickle: a fickle 1 has an option of nim-value 0, not firm by
        g_0; without one, a fickle 0 with moves has an option with g_0 = 0, and it is a fickle 1.
        One is firm: there is an option by nim-value as in Nim; if thereby all are fickle, then one
        with that number for g_0 instead. So sums, also with heaps of Nim, are lost as in Nim, and
        have the genera of Nim (Winning Ways, chapter 13).
        """
        if not (self.is_tame and other.is_tame):
            raise ValueError(f"genera of wild games do not add: {self}, {other}")
        total = self.nim_value ^ other.nim_value
        if self.is_fickle and other.is_fickle:
            return Genus.of_heap(total)
        return Genus(total, (total, total ^ 2))
