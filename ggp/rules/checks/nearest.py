"""The name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST, MOST = 60, 2_000
"""Characters of a name, and names to compare it with, beyond which nothing is suggested."""

LIKENESS = 0.75
"""Of two names, as difflib's ratio."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that is most like `name` and not the same, if one is alike at all.

    Numbers and names of one letter are like nothing: `1` is no misspelling of `11`.
    """
    if not 2 < len(name) <= LONGEST or name.isdigit():
        return None
    others = [n for n in dict.fromkeys(names) if n != name and 2 < len(n) <= LONGEST]
    folded = {n.lower(): n for n in reversed(others[:MOST]) if _differ_in_letters(name, n)}
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
