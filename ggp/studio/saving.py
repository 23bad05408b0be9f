"""Writes edited texts: to a new file, or to the one that they are from, whose other bytes stay as
they are."""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from pathlib import Path

from ggp.errors import InputError
from ggp.kif.source import decode, read_bytes
from ggp.limits import DEFAULT
from ggp.whole import replaced

BOM = b"\xef\xbb\xbf"

_END = re.compile(r"\r\n|\r|\n")


def save(file: Path, text: str, was: str) -> None:
    """Put `text` in place of `was`, which the file has if nobody else has changed it.

    Both as a field of a page has them: lines end with a line feed whatever is in the file, where
    they end as before. Raises `InputError` where it is not saved, and why.
    """
    held = read_bytes(file, 4 * DEFAULT.characters + 1)
    source = decode(held, file.name)
    if _plain(source.text) != _plain(was):
        raise InputError(f"{file.name} was changed by somebody else meanwhile: not saved")
    if source.notes:
        raise InputError(f"{file.name} is not written in UTF-8: not saved; download it instead")
    mark = BOM if held.startswith(BOM) else b""
    try:
        new = mark + ended(_plain(text), source.text).encode()
        decode(new, "the text")
        if not file.stat().st_mode & 0o222:
            raise InputError(f"{file.name} may only be read: not saved")
        with replaced(file) as place:
            place.write_bytes(new)
    except (OSError, UnicodeError) as error:
        raise InputError(f"cannot be saved: {error}") from None


def create(file: Path, text: str) -> None:
    """Write a new file, whole or not at all; raises `InputError` where that is impossible, or there
    is such a file."""
    try:
        new = text.encode()
        decode(new, "the text")
        with file.open("xb") as made:
            try:
                made.write(new)
                made.flush()
            except BaseException:
                file.unlink()
                raise
    except FileExistsError:
        raise InputError(f"there is a file {file.name} already") from None
    except (OSError, UnicodeError) as error:
        raise InputError(f"cannot be saved: {error}") from None


def _plain(text: str) -> str:
    return _END.sub("\n", text)


def ended(text: str, before: str) -> str:
    """A text whose lines end as in the one before: those at its beginning and end that are the
    same each as it did, all others as most did."""
    ends = _END.findall(before)
    if len(set(ends)) <= 1:
        return text.replace("\n", ends[0]) if ends else text
    old, new = _END.split(before), text.split("\n")
    head = _same(old, new)
    tail = min(_same(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    usual = Counter(ends).most_common(1)[0][0]
    count = len(new) - 1
    first, last = ends[: min(head, count)], ends[len(old) - tail :] if tail else []
    own = [*first, *[usual] * (count - len(first) - len(last)), *last, ""]
    return "".join(line + end for line, end in zip(new, own, strict=True))


def _same(one: list[str], other: list[str]) -> int:
    """How many lines are the same at the beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
