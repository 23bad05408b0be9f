"""The name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST, MOST = 60, 2_000
"""Characters of a name, and names to compare it with, beyond which nothing is suggested."""

WORK = 100_000
"""Comparisons in one sheet, after which nothing is suggested any more."""

LIKENESS = 0.75
"""Of two names, as difflib's ratio."""


class Speller:
    """Finds the names that were probably meant, in one sheet; after `WORK` comparisons none."""

    def __init__(self) -> None:
        self._left = WORK

    def nearest(self, name: str, names: Iterable[str]) -> str | None:
        """The one of `names` that is most like `name` and not the same, if one is alike at all.

        Numbers and names of one letter are like nothing: `1` is no misspelling of `11`.
        """
        if not 2 < len(name) <= LONGEST or name.isdigit() or self._left <= 0:
            return None
        others = [n for n in dict.fromkeys(names) if n != name and 2 < len(n) <= LONGEST]
        folded = {n.lower(): n for n in reversed(others[:MOST]) if _differ_in_letters(name, n)}
        self._left -= len(folded)
        found = get_close_matches(name.lower(), folded, n=1, cutoff=LIKENESS)
        return folded[found[0]] if found else None


def _differ_in_letters(one: str, other: str) -> bool:
    """Whether more than digits is different: `cell1` is no misspelling of `cell2`."""
    digits = str.maketrans("", "", "0123456789")
    return one.translate(digits) != other.translate(digits)


SAME_LENGTH = 7
"""Letters from which on two names that differ in one of them are probably one name."""


def is_slip(one: str, other: str) -> bool:
    """Whether two names differ by a slip of the pen: a letter too many or too few, two that changed
    places, or in long names another letter (`black` and `blank` are two words)."""
    short, long = sorted((one.lower(), other.lower()), key=len)
    if len(short) < 2 or not _differ_in_letters(one, other) or len(long) > LONGEST:
        return False
    if (len(long) == 3 and long[:2] != short) or one.isdigit() or other.isdigit():
        return False
    if len(long) == len(short) + 1:
        return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))
    differ = [i for i in range(len(short)) if len(short) == len(long) and short[i] != long[i]]
    if len(differ) == 2 and differ[1] == differ[0] + 1:
        i, j = differ
        return short[i] == long[j] and short[j] == long[i]
    return len(differ) == 1 and len(short) >= SAME_LENGTH


class Slips:
    """Finds for a name the one that it is a slip of the pen of, by what is left of both without one
    letter (as in spell checkers by deletion: Bocek, Hunt and Stiller, 2007)."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_rest: dict[str, list[str]] = {}
        for name in names:
            for rest in _rests(name):
                self._by_rest.setdefault(rest, []).append(name)

    def of(self, name: str) -> str | None:
        """A name that `is_slip` says is meant, the first that was given; None if there is none."""
        for rest in _rests(name):
            for other in self._by_rest.get(rest, ())[:LONGEST]:
                if other != name and is_slip(name, other):
                    return other
        return None


def _rests(name: str) -> list[str]:
    """A name, and what is left of it without each of its letters."""
    folded = name.lower()
    if not 1 < len(folded) <= LONGEST:
        return []
    return [folded, *(folded[:i] + folded[i + 1 :] for i in range(len(folded)))]
