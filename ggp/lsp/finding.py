"""Finds heaps and step counters in sheets for the server: a script that runs in a child (see
`ggp.apart`), apart from grounding, which takes less."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggp.analysis import Findings
    from ggp.analysis.heaps.heap import Heap
    from ggp.kif import Term

SECONDS = 10.0
"""For one sheet, after which nothing more is found."""

Told = tuple[tuple["Term", str], ...]
"""Fluents, with a variable for what they count, and a sentence on each."""


def answer(order: tuple[list[str], str, str]) -> Told:
    """What is found about fluents of a sheet.

    The order: where to import from, the sheet's name and its text.
    """
    path, name, text = order
    sys.path[:] = path
    from ggp.analysis import analyse
    from ggp.errors import GgpError
    from ggp.lsp.grounding import game_of

    try:
        findings = analyse(game_of(name, text), time=SECONDS, only=("heaps", "step_counters"))
    except (GgpError, MemoryError, RecursionError):
        return ()
    return told(findings)


def told(findings: Findings) -> Told:
    """Findings that are about fluents, in sentences."""
    from ggp.kif import read_term
    from ggp.lsp.known import MOST_HEAPS

    counters = [counter for f in findings if f.property == "step_counters" for counter in f.value]
    certainty = {f.property: f.certainty for f in findings}.get("heaps", "unknown")
    return (
        *((heap.shape, _of_heap(heap, certainty)) for heap in findings.heaps[:MOST_HEAPS]),
        *((read_term(c["counter"]), _of_counter(c)) for c in counters[:MOST_HEAPS]),
    )


def _of_heap(heap: Heap, certainty: str) -> str:
    """The size of a heap, and what can be taken from it."""
    from ggp.lsp.markdown import code

    taken = heap.subtraction_set
    amounts = f"moves take {_either(taken)} from it" if taken else "what can be taken hangs on it"
    values = [str(v) for v in heap.nim_values[:MOST_VALUES] if v is not None]
    more = " …" if len(heap.nim_values) > MOST_VALUES else ""
    bound = f" down to {heap.floor}" if heap.floor else ""
    return (
        f"A heap, {code(heap.pattern)}, of {heap.size} at the start: {amounts}{bound} "
        f"({certainty}). Nim-values from {heap.floor} on: {', '.join(values)}{more}."
    )


MOST_VALUES = 16
"""Nim-values that are listed."""


def _either(amounts: tuple[int, ...]) -> str:
    *most, last = map(str, amounts)
    return f"{', '.join(most)} or {last}" if most else last


def _of_counter(counter: dict[str, object]) -> str:
    """How far a step counter goes, and what reads it."""
    from ggp.lsp.markdown import code

    readers = counter["read_by"]
    read = " and ".join(readers) if isinstance(readers, list) else ""
    steps = f"{counter['steps']} step{'s' * (counter['steps'] != 1)}"
    name = code(str(counter["counter"]))
    return f"A step counter, {name}, of {steps} (proved); read by {read or 'nothing'}."
