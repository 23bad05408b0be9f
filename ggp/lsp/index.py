"""Every name of a text with what it is there: the base of all that is answered about it.

A text whose parentheses do not match is the normal state of one that is being written; what can be
made of it is known all the same (`ggp.kif.read_forms`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ggp.errors import GgpError
from ggp.kif import Atom, Expr, Source, read_forms
from ggp.limits import DEFAULT, Limits
from ggp.rules import KEYWORDS, DependencyGraph, Signature
from ggp.rules import keywords as kw

MOST = 400_000
"""Characters of a text that is indexed, which takes up to half a second for that many."""

_LIMITS: Limits = replace(DEFAULT, characters=MOST)

Kind = Literal["keyword", "relation", "function", "constant", "variable"]

Role = Literal["form", "head", "formula", "fluent", "move", "role", "value", "term"]
"""What stands at a place: a fact or rule, the head of one, a part of a body, or some term."""

Key = tuple[str, str, int]
"""What is one name throughout: its kind, folded name and number of arguments. Of a variable the
number is that of its form, of a constant 0; a keyword may have any."""

MAKING: dict[Role, frozenset[str]] = {
    "fluent": frozenset({"init", "next"}),
    "move": frozenset({"legal"}),
    "role": frozenset({"role"}),
}
"""The words in which what stands at a place is made."""

_SECOND: dict[str, Role] = {"legal": "move", "does": "move", "input": "move", "goal": "value"}


def part(role: Role, name: str, number: int) -> Role:
    """What argument `number` (from 1) is of a list that begins with `name`, itself a `role`."""
    if role not in ("form", "head", "formula"):
        return "term"
    if role == "form" and name == kw.RULE:
        return "head" if number == 1 else "formula"
    if name in kw.CONNECTIVES:
        return "formula"
    if number == 1 and name in kw.WRAPPERS:
        return "fluent"
    if number == 1 and (name == "role" or name in kw.ROLE_FIRST):
        return "role"
    return _SECOND.get(name, "term") if number == 2 else "term"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name at a place: `start` to `end`, in the term or atom `outer_start` to `outer_end`.

    `within` is the word of the list that this term or atom is a part of, `form` the number of the
    fact or rule that all is in.
    """

    name: str
    kind: Kind
    arity: int
    role: Role
    within: str
    form: int
    start: int
    end: int
    outer_start: int
    outer_end: int

    @property
    def key(self) -> Key:
        """What it shares with the other occurrences of the same thing."""
        numbers = {"variable": self.form, "keyword": 0}
        return self.kind, self.name, numbers.get(self.kind, self.arity)

    @property
    def is_making(self) -> bool:
        """Whether the thing is defined here."""
        if self.kind in ("relation", "keyword"):
            return self.role in ("form", "head")
        return self.within in MAKING.get(self.role, ())


class Index:
    """The names of one text, in its order; none of a text that passes a limit."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.forms: list[Expr] = []
        self.is_faulty = True
        try:
            found = read_forms(source, _LIMITS)
        except GgpError:
            pass
        else:
            self.is_faulty = bool(found.faults)
            self.forms = sorted([*found.forms, *found.broken], key=lambda form: form.start)
        numbered = enumerate(self.forms)
        self.occurrences = [each for i, form in numbered for each in _names(form, i)]

    @property
    def text(self) -> str:
        """The text itself."""
        return self.source.text

    def written(self, start: int, end: int) -> str:
        """A part of the text on one line."""
        return " ".join(self.text[start:end].split())

    def line(self, offset: int) -> int:
        """The line of a place, from 1."""
        return self.source.place(offset)[0]

    @cached_property
    def _starts(self) -> list[int]:
        return [each.start for each in self.occurrences]

    def at(self, offset: int) -> Occurrence | None:
        """The name at a place, or just before it."""
        last = bisect_right(self._starts, offset) - 1
        found = self.occurrences[last] if last >= 0 else None
        return found if found and offset <= found.end else None

    @cached_property
    def by_key(self) -> dict[Key, list[Occurrence]]:
        """The occurrences of each thing."""
        found: dict[Key, list[Occurrence]] = {}
        for each in self.occurrences:
            found.setdefault(each.key, []).append(each)
        return found

    @cached_property
    def by_form(self) -> list[list[Occurrence]]:
        """The occurrences in each fact or rule."""
        found: list[list[Occurrence]] = [[] for _ in self.forms]
        for each in self.occurrences:
            found[each.form].append(each)
        return found

    @cached_property
    def _by_name(self) -> dict[str, list[Occurrence]]:
        found: dict[str, list[Occurrence]] = {}
        for each in self.occurrences:
            found.setdefault(each.name, []).append(each)
        return found

    def named(self, name: str) -> list[Occurrence]:
        """Everything that has a name, which is folded."""
        return self._by_name.get(name, [])

    def same(self, occurrence: Occurrence) -> list[Occurrence]:
        """All occurrences of the same thing."""
        return self.by_key[occurrence.key]

    def at_role(self, *roles: Role) -> list[Occurrence]:
        """The names, but for variables, that stand at such places."""
        return [e for e in self.occurrences if e.role in roles and e.kind != "variable"]

    @cached_property
    def heads(self) -> list[Occurrence | None]:
        """The head of each fact or rule."""
        tops = [(e for e in own if e.role in ("form", "head")) for own in self.by_form]
        return [next((e for e in top if e.name != kw.RULE), None) for top in tops]

    def body(self, form: int) -> Iterator[Occurrence]:
        """The atoms in the body of a rule."""
        for each in self.by_form[form]:
            if each.role == "formula" and each.kind != "variable" and each.name not in kw.LOGICAL:
                yield each

    @cached_property
    def graph(self) -> DependencyGraph:
        """Which relation depends on which, as far as it is written."""
        edges: dict[Signature, dict[Signature, None]] = {}
        for form, head in enumerate(self.heads):
            if head is not None:
                body = ((each.name, each.arity) for each in self.body(form))
                edges.setdefault((head.name, head.arity), {}).update(dict.fromkeys(body))
        plain = {head: tuple(body) for head, body in edges.items()}
        return DependencyGraph((), plain, dict.fromkeys(plain, ()), {})


def _names(form: Expr, number: int) -> Iterator[Occurrence]:
    """The names in a fact or rule. No recursion: forms may be as deep as the limit allows."""
    todo: list[tuple[Expr, Role, str]] = [(form, "form", "")]
    while todo:
        expr, role, within = todo.pop()
        if isinstance(expr, Atom):
            yield _occurrence(expr, expr, 0, role, within, number)
            continue
        first = expr.items[0] if expr.items else None
        name = first.text.lower() if isinstance(first, Atom) else ""
        if isinstance(first, Atom):
            yield _occurrence(first, expr, len(expr.items) - 1, role, within, number)
        roles = [part(role, name, i) for i in range(len(expr.items))]
        parts = list(zip(expr.items, roles, strict=True))[bool(name) :]
        todo.extend((item, own, name) for item, own in reversed(parts))


def _occurrence(
    atom: Atom, outer: Expr, arity: int, role: Role, within: str, form: int
) -> Occurrence:
    name = atom.text.lower()
    kind = _kind(name, arity, role)
    places = (atom.start, atom.end, outer.start, outer.end)
    return Occurrence(name, kind, arity, role, within, form, *places)


def _kind(name: str, arity: int, role: Role) -> Kind:
    if name.startswith("?"):
        return "variable"
    if role in ("form", "head", "formula"):
        return "keyword" if name in KEYWORDS else "relation"
    return "function" if arity else "constant"
