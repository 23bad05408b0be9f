"""What can be written at a place.

What stands before the place decides, from the beginning of the fact or rule that is being written:
how it goes on, and whether its parentheses match, does not matter.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ggp.kif.tokens import tokens
from ggp.lsp.index import Index, Occurrence, Role, part
from ggp.rules import keywords as kw

MOST = 1_000
"""Names that are proposed at once."""


@dataclass(frozen=True)
class Proposal:
    """A name that could stand at a place. `arity`: its arguments, None where any number will do;
    `kind`: as of an occurrence."""

    name: str
    kind: str
    arity: int | None

    @property
    def needs_parentheses(self) -> bool:
        """Whether it is written as a list."""
        return self.arity != 0


@dataclass(frozen=True)
class Completion:
    """Proposals for what begins at `start`; `is_first` behind an opening parenthesis."""

    start: int
    is_first: bool
    proposals: tuple[Proposal, ...]


@dataclass
class _Open:
    """A list that is open at the place: what it is, its word, and how many parts it has so far."""

    role: Role
    word: str = ""
    count: int = 0


@dataclass(frozen=True)
class _Place:
    """Where something is being written; `form` is the number of the fact or rule, if any."""

    start: int
    typed: str
    role: Role
    is_first: bool
    form: int | None


def complete(index: Index, offset: int) -> Completion | None:
    """What can be written at a place; None in a comment."""
    place = _place(index, offset)
    if place is None:
        return None
    wanted = _variables if place.typed.startswith("?") else _wanted
    found = dict.fromkeys(wanted(index, place))
    if place.is_first:
        found = {each: None for each in found if each.needs_parentheses}
    proposals = tuple(each for each in found if each.name != place.typed.lower())
    return Completion(place.start, place.is_first, proposals[:MOST])


def _place(index: Index, offset: int) -> _Place | None:
    """What is being written at a place; None in a comment."""
    starts = [form.start for form in index.forms]
    form = bisect_right(starts, max(0, offset - 1)) - 1
    opened: list[_Open] = []
    start, typed, at = offset, "", starts[form] if form >= 0 else 0
    for kind, text, begin, end in tokens(index.text, at, offset):
        if end == offset and kind in ("line", "endless"):
            return None
        if kind == "open":
            opened.append(_Open(_role(opened)))
        elif kind == "close" and opened:
            opened.pop()
            _count(opened)
        elif kind == "symbol" and end == offset:
            start, typed = begin, text
        elif kind == "symbol":
            _count(opened, text)
    is_first = bool(opened) and opened[-1].count == 0
    role = opened[-1].role if is_first else _role(opened)
    return _Place(start, typed, role, is_first, form if opened else None)


def _role(opened: list[_Open]) -> Role:
    """What the next part of the innermost list is."""
    if not opened:
        return "form"
    return part(opened[-1].role, opened[-1].word, opened[-1].count)


def _count(opened: list[_Open], word: str = "") -> None:
    """One more part of the innermost list is complete."""
    if opened:
        opened[-1].word = opened[-1].word or (word.lower() if not opened[-1].count else "")
        opened[-1].count += 1


def _wanted(index: Index, place: _Place) -> Iterator[Proposal]:
    """What may stand at a place, the likeliest first."""
    if place.role in ("form", "head", "formula"):
        yield from _words(place.role)
        yield from _proposed(e for e in index.occurrences if e.kind == "relation")
        return
    yield from _variables(index, place)
    own = index.at_role("term" if place.role == "value" else place.role)
    if place.role == "role":
        own = [each for each in own if each.is_making] or own
    yield from _proposed(own if place.role != "value" else index.at_role("value"))


def _proposed(occurrences: Iterable[Occurrence]) -> Iterator[Proposal]:
    """The names at some places in their first spelling, in order."""
    found = {(e.name, e.kind, e.arity) for e in occurrences}
    yield from (Proposal(*each) for each in sorted(found))


def _words(role: Role) -> Iterator[Proposal]:
    """The keywords that may begin a form, a head or a part of a body."""
    if role == "form":
        yield Proposal(kw.RULE, "keyword", None)
    never = kw.NEVER_BODY if role == "formula" else kw.NEVER_HEAD
    words = sorted(kw.RELATIONS - never)
    words += ["not", "or", "distinct"] if role == "formula" else []
    yield from (Proposal(word, "keyword", kw.ARITY.get(word)) for word in words)


def _variables(index: Index, place: _Place) -> Iterator[Proposal]:
    """The variables of the fact or rule, but for the one that is being written."""
    if place.form is None:
        return
    own = index.by_form[place.form] if place.form >= 0 else []
    for each in own:
        if each.kind == "variable" and each.start != place.start and len(each.name) > 1:
            yield Proposal(each.name, "variable", 0)
