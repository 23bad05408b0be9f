"""A state as a person would draw it: grids and rows where the facts form some."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.game import State
from ggp.kif import Term
from ggp.rules import signature
from ggp.text import plain


def position_text(state: State) -> str:
    """The facts of a state: relations of two coordinates and a content as a grid, relations of one
    coordinate and a content as a row, everything else as it is."""
    families: dict[tuple[str, int], list[Term]] = {}
    for fact in state.facts:
        families.setdefault(signature(fact), []).append(fact)
    blocks = []
    loose: list[str] = []
    for (name, arity), facts in families.items():
        keys = {fact.args[:-1] for fact in facts}
        if arity == 3 and len(keys) == len(facts) > 1:
            blocks.append(_grid(facts))
        elif arity == 2 and len(keys) == len(facts) > 1:
            blocks.append(_row(name, facts))
        else:
            loose.extend(map(str, facts))
    if loose:
        blocks.append("  ".join(loose))
    return plain("\n".join(blocks) or "(no fact holds)")


def _natural(terms: Iterable[Term]) -> list[Term]:
    """Terms in order, numerals by their size and before everything else."""
    return sorted(set(terms), key=lambda t: (not t.name.isdigit(), len(t.name), t.name, str(t)))


def _row(name: str, facts: list[Term]) -> str:
    content = {fact.args[0]: fact.args[1] for fact in facts}
    ordered = _natural(content)
    widths = [max(len(str(key)), len(str(content[key]))) for key in ordered]
    pairs = list(zip(ordered, widths, strict=True))
    upper = " ".join(str(key).rjust(width) for key, width in pairs)
    lower = " ".join(str(content[key]).rjust(width) for key, width in pairs)
    return f"{name:<10} {upper}\n{'':<10} {lower}"


def _grid(facts: list[Term]) -> str:
    """Rows by the first coordinate, columns by the second."""
    content = {fact.args[:2]: str(fact.args[2]) for fact in facts}
    rows, columns = _natural(k[0] for k in content), _natural(k[1] for k in content)
    width = max(map(len, [*content.values(), *map(str, columns)]))
    margin = max(len(str(row)) for row in rows)
    lines = [" " * margin + " " + " ".join(str(column).rjust(width) for column in columns)]
    for row in rows:
        cells = (content.get((row, column), ".").rjust(width) for column in columns)
        lines.append(f"{str(row).rjust(margin)} {' '.join(cells)}")
    return "\n".join(lines)
