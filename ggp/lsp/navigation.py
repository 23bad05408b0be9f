"""Where things are defined and used."""

from __future__ import annotations

from ggp.lsp.index import MAKING, Index, Occurrence, Role
from ggp.rules import keywords as kw

_MADE_BY: dict[str, tuple[Role, str]] = {"does": ("head", "legal")}
"""Words that are no heads themselves, with the heads that say what they hold for."""


def definitions(index: Index, offset: int) -> list[Occurrence]:
    """Where what is at a place is defined.

    Of a relation its facts and the heads of its rules, of a fluent the `init` and `next` that make
    it, of a move its `legal`, of a role its fact, of a variable where its rule names it first. Of a
    name that nothing makes as it is used, where it is made as something else: a fluent that lacks
    its `true` is one.
    """
    found = index.at(offset)
    if found is None or found.name in kw.LOGICAL:
        return []
    if found.kind == "variable":
        return index.same(found)[:1]
    if found.name in _MADE_BY and found.kind == "keyword":
        role, name = _MADE_BY[found.name]
        return [e for e in index.at_role(role, "form") if e.name == name]
    same = [each for each in index.same(found) if each.is_making]
    if not same and found.role not in ("term", "value"):
        return [each for each in index.named(found.name) if each.is_making]
    if found.kind in ("relation", "keyword") or found.role not in MAKING:
        return same
    return [each for each in same if each.role == found.role] or same


def references(index: Index, offset: int, *, with_definitions: bool = True) -> list[Occurrence]:
    """Every place where what is at a place is named; of a variable those in its rule."""
    found = index.at(offset)
    if found is None:
        return []
    return [each for each in index.same(found) if with_definitions or not each.is_making]
