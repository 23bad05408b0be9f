"""New names for things, where the rules mean the same afterwards."""

from __future__ import annotations

from ggp.errors import GgpError
from ggp.kif import is_symbol
from ggp.lsp.index import Index, Occurrence
from ggp.rules import KEYWORDS
from ggp.text import plain, shortened

CHANCE = "random"
"""The role that chooses by chance (GDL-II)."""


class RefusedName(GgpError):
    """A new name that cannot be given, and why."""


def renamable(index: Index, offset: int) -> Occurrence:
    """The name at a place, if it can be changed; raises `RefusedName` where it cannot."""
    found = index.at(offset)
    if found is None:
        raise RefusedName("there is no name here")
    if found.name in KEYWORDS:
        raise RefusedName(f"{found.name} is a keyword")
    if index.is_faulty:
        raise RefusedName("the parentheses of the sheet do not match: mend them first")
    same = index.same(found)
    if found.kind == "constant" and any(each.role == "value" for each in same):
        raise RefusedName(f"{_shown(found.name)} is the value of a goal, which is a number")
    if found.name == CHANCE and any(each.role == "role" for each in same):
        raise RefusedName(f"{CHANCE} is the role that chooses by chance")
    return found


def rename(index: Index, offset: int, new: str) -> list[Occurrence]:
    """The places where `new` has to be written to change the name at a place.

    A relation or function is told by its name and number of arguments, a variable by its rule.
    Raises `RefusedName` where `new` is no name, or that of something that it might be taken for.
    """
    found = renamable(index, offset)
    same = index.same(found)
    if found.kind == "variable":
        _check_variable(index, found, new)
        return same
    if new.startswith("?"):
        raise RefusedName(f"{_shown(new)} is a variable, and {_shown(found.name)} is none")
    if not is_symbol(new):
        raise RefusedName(f"{_shown(new)!r} is no symbol: it has no blanks, parentheses or ';'")
    folded = new.lower()
    if folded in KEYWORDS:
        raise RefusedName(f"{folded} is a keyword")
    if folded == CHANCE and any(each.role == "role" for each in same):
        raise RefusedName(f"{CHANCE} is the role that chooses by chance")
    if folded != found.name and any(_is_like(found, e) for e in index.named(folded)):
        raise RefusedName(f"{_shown(new)} is a name in this sheet already")
    return same


def _is_like(one: Occurrence, other: Occurrence) -> bool:
    """Whether two things must not have one name: those of one kind, and relations with what could
    be meant by them, functions and, if they have no arguments, constants."""
    if one.kind == other.kind:
        return True
    relation, term = (one, other) if one.kind == "relation" else (other, one)
    if relation.kind != "relation":
        return False
    return term.kind == "function" or (term.kind == "constant" and not relation.arity)


def _check_variable(index: Index, found: Occurrence, new: str) -> None:
    if not (new.startswith("?") and is_symbol(new[1:])):
        raise RefusedName(f"{_shown(new)!r} is no variable: it begins with '?', as in ?x")
    own = {each.name for each in index.by_form[found.form]}
    if new.lower() != found.name and new.lower() in own:
        raise RefusedName(f"{_shown(new)} is a variable of this rule already")


def _shown(name: str) -> str:
    return plain(shortened(name, 60))
