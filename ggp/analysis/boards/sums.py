"""Sums: parts of the board that have nothing to do with each other.

Two moves belong together if what one changes the other reads or changes. A
game whose end is just that the player to move cannot is then the sum of the connected components.
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp.analysis.boards.boards import Boards, Option
from ggp.graphs import Joined
from ggp.ground import Net
from ggp.kif import Term


def components(boards: Boards, parts: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The fluents of each summand, where all fluents of one of `parts` stay together.

    Finest that the supports of legality and of changes show; the game is the sum of these if play
    ends exactly where the player to move has no move, and goals depend on nothing else. Fluents
    that no move changes are in none.
    """
    of_input = {literal >> 1: f for f, literal in boards.inputs.items()}
    joined = Joined()
    for part in parts:
        joined.join(part)
    changing: set[int] = set()
    circuit = boards.builder.circuit((), ())
    for side in boards.sides:
        for option in side.options:
            touched = [f for f in (*option.frame.changes, *option.own)]
            changing.update(touched)
            read = circuit.cone(_literals(option)) & of_input.keys()
            joined.join([*touched, *(of_input[node] for node in read)])
    found: dict[int, list[int]] = {}
    for f in sorted(changing):
        found.setdefault(joined.find(f), []).append(f)
    return [tuple(own) for own in found.values()]


def _literals(option: Option) -> Iterable[int]:
    return (option.rule, option.again, *option.frame.changes.values(), *option.own.values())


def pattern(net: Net, fluents: Iterable[int]) -> str:
    """Fluents as text: those that differ in some arguments only as one, with `?` there."""
    families: dict[tuple[str, int], list[Term]] = {}
    for f in fluents:
        term = net.fluents[f]
        families.setdefault((term.name, len(term.args)), []).append(term)
    texts = []
    for (name, arity), terms in sorted(families.items()):
        columns = ({term.args[j] for term in terms} for j in range(arity))
        args = tuple(next(iter(c)) if len(c) == 1 else Term("?") for c in columns)
        texts.append(str(Term(name, args)))
    return " ".join(texts)
