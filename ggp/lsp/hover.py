"""What is told of a name: Markdown made of words of this project and of code in a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ggp.errors import GgpError
from ggp.kif import Term, read_term
from ggp.lsp.index import Index, Occurrence
from ggp.lsp.markdown import code
from ggp.lsp.navigation import definitions
from ggp.lsp.words import words
from ggp.rules import Signature
from ggp.rules import keywords as kw

MOST = 12
"""Names, or lines, that are listed."""

_STATE, _MOVES = ("true", 1), ("does", 2)


@dataclass(frozen=True)
class HoverText:
    """Markdown about the name at `start` to `end`; `fluent`: what more can be asked of, if any."""

    start: int
    end: int
    text: str
    fluent: Term | None = None


def hover(index: Index, offset: int) -> HoverText | None:
    """What is told of the name at a place; None where there is none."""
    found = index.at(offset)
    if found is None:
        return None
    parts = _TELLING[found.kind](index, found, offset)
    fluent = None
    if found.role == "fluent" and found.kind != "variable":
        fluent = _term(index, found)
    return HoverText(found.start, found.end, "\n\n".join(parts), fluent)


def _term(index: Index, found: Occurrence) -> Term | None:
    try:
        return read_term(index.text[found.outer_start : found.outer_end])
    except GgpError:
        return None


def _keyword(index: Index, found: Occurrence, offset: int) -> list[str]:
    pattern, meaning = words().get(found.name, ("", "A word that is reserved."))
    parts = [f"{code(pattern)} (keyword)", meaning]
    if found.name in kw.RELATIONS - kw.NEVER_HEAD:
        parts += _defined(index, definitions(index, offset))
    return parts


def _relation(index: Index, found: Occurrence, offset: int) -> list[str]:
    own = found.name, found.arity
    parts = [f"{code(_shown(own))}: relation"]
    made = definitions(index, offset)
    if made and made[0].key != found.key:
        parts += _places(index, "Nothing defines it; something else of this name is made in", made)
    else:
        parts += _defined(index, made) or ["Nothing defines it."]
    parts += _dependencies(index, own)
    return parts


def _dependencies(index: Index, own: Signature) -> list[str]:
    """What a relation depends on, what uses it, and what it hangs on."""
    graph = index.graph
    below = graph.edges.get(own, ())
    above = [head for head, body in graph.edges.items() if own in body]
    parts = []
    if below:
        parts.append(f"Depends on {_listed(map(_shown, below))}.")
    if above:
        parts.append(f"Used by {_listed(map(_shown, above))}.")
    if own in graph.edges:
        hangs = [
            word
            for word, root in (("the state", _STATE), ("the moves", _MOVES))
            if own in graph.depending_on([root])
        ]
        where = " and on ".join(hangs)
        parts.append(f"Hangs on {where}." if hangs else "Static: it is the same in every state.")
    return parts


def _function(index: Index, found: Occurrence, offset: int) -> list[str]:
    own = found.name, found.arity
    same = index.same(found)
    kinds = [
        word
        for role, word in (("role", "role"), ("fluent", "fluent"), ("move", "move"))
        if any(each.role == role for each in same)
    ]
    plainly = "function" if found.arity else "constant"
    parts = [f"{code(_shown(own))}: {', '.join(kinds) or plainly}"]
    if "fluent" in kinds:
        parts += _fluent(index, same)
    if "move" in kinds:
        makers = [e for e in same if e.role == "move" and e.is_making]
        parts += _places(index, "Made legal in", makers)
        parts += _places(index, "Looked at in", [e for e in same if e.within == "does"])
    if not kinds:
        parts.append(f"Occurs {len(same):,} time{'s' * (len(same) != 1)}.")
    return parts


def _fluent(index: Index, same: Sequence[Occurrence]) -> list[str]:
    """Which rules make a fluent, which look at it, and what else these speak of."""
    parts = []
    for word, intro in (("init", "At first"), ("next", "Made"), ("true", "Looked at")):
        parts += _places(index, f"{intro} (`{word}`) in", [e for e in same if e.within == word])
    if not any(each.within in ("init", "next") for each in same):
        parts.append("No `init` or `next` makes it.")
    forms = dict.fromkeys(e.form for e in same if e.role == "fluent")
    names = {(e.name, e.arity) for e in same}
    others = dict.fromkeys(
        (each.name, each.arity)
        for form in forms
        for each in index.by_form[form]
        if each.role in ("fluent", "move")
        and each.kind != "variable"
        and (each.name, each.arity) not in names
    )
    if others:
        parts.append(f"Occurs with {_listed(map(_shown, others))}.")
    return parts


def _variable(index: Index, found: Occurrence, offset: int) -> list[str]:
    others = [each for each in index.same(found) if each.start != found.start]
    title = f"{code(found.name)}: variable of this rule"
    if not others:
        return [title, "It occurs here only: any term will do."]
    count = len(others)
    within = dict.fromkeys(code(each.within) for each in others if each.within)
    where = f", in {_listed(within, is_code=True)}" if within else ""
    return [title, f"{count} other occurrence{'s' * (count != 1)}{where}."]


def _defined(index: Index, places: Sequence[Occurrence]) -> list[str]:
    """How many facts and rules there are, and where."""
    facts = sum(each.role == "form" for each in places)
    rules = len(places) - facts
    counts = [
        f"{n:,} {word}{'s' * (n != 1)}" for n, word in ((rules, "rule"), (facts, "fact")) if n
    ]
    return _places(index, f"{' and '.join(counts)} in", places)


def _places(index: Index, intro: str, places: Sequence[Occurrence]) -> list[str]:
    lines = list(dict.fromkeys(index.line(each.start) for each in places))
    if not lines:
        return []
    more = f" and {len(lines) - MOST} more" if len(lines) > MOST else ""
    shown = ", ".join(map(str, lines[:MOST]))
    return [f"{intro} line{'s' * (len(lines) > 1)} {shown}{more}."]


def _listed(names: Iterable[str], *, is_code: bool = False) -> str:
    every = list(names)
    more = f" and {len(every) - MOST} more" if len(every) > MOST else ""
    return ", ".join(every[:MOST] if is_code else map(code, every[:MOST])) + more


def _shown(relation: Signature) -> str:
    """A name with its number of arguments, as usual in logic programming."""
    name, arity = relation
    return f"{name}/{arity}" if arity else name


_TELLING: dict[str, Callable[[Index, Occurrence, int], list[str]]] = {
    "keyword": _keyword,
    "relation": _relation,
    "function": _function,
    "constant": _function,
    "variable": _variable,
}
